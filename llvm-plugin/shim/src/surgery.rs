//! Changing the control flow graph and PHI nodes, unrolling loops, and turning stack slots into
//! values.

use std::ffi::{c_char, c_uint, c_void};

use inkwell::llvm_sys::core::LLVMGetMDKindIDInContext;
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};

use crate::ffi::{PointerSink, RawContext};
use crate::handles::found;
use crate::sinks;
use crate::{BlockRef, LoopRef, PassContext, PassHost, ValueRef};

unsafe extern "C" {
    fn poly_split_predecessors(
        c: *mut RawContext,
        b: LLVMBasicBlockRef,
        predecessors: *const LLVMBasicBlockRef,
        count: usize,
        suffix: *const c_char,
    ) -> LLVMBasicBlockRef;
    fn poly_join_with_predecessor(b: LLVMBasicBlockRef) -> bool;
    fn poly_first_insertion_point(b: LLVMBasicBlockRef) -> LLVMValueRef;
    fn poly_phi_set_block(phi: LLVMValueRef, index: c_uint, b: LLVMBasicBlockRef);
    fn poly_phi_remove(phi: LLVMValueRef, index: c_uint);
    fn poly_version_loop(c: *mut RawContext, header: LLVMBasicBlockRef, condition: LLVMValueRef) -> LLVMValueRef;
    fn poly_unroll(c: *mut RawContext, header: LLVMBasicBlockRef, count: c_uint) -> bool;
    fn poly_recurrences(c: *mut RawContext, header: LLVMBasicBlockRef) -> c_uint;
    fn poly_rewrite_recurrences(c: *mut RawContext, header: LLVMBasicBlockRef);
    fn poly_components(c: *mut RawContext, header: LLVMBasicBlockRef) -> c_uint;
    fn poly_run_over_elements(c: *mut RawContext, header: LLVMBasicBlockRef);
    fn poly_narrowings(c: *mut RawContext, header: LLVMBasicBlockRef, bits: c_uint) -> c_uint;
    fn poly_narrow(c: *mut RawContext, header: LLVMBasicBlockRef, bits: c_uint);
    fn poly_loops_that_copy(c: *mut RawContext, sink: PointerSink, into: *mut c_void);
    fn poly_copy_elements(c: *mut RawContext);
    fn poly_loops_that_pick(c: *mut RawContext, sink: PointerSink, into: *mut c_void);
    fn poly_hand_rows_round(c: *mut RawContext);
    fn poly_has_parted_temporaries(c: *mut RawContext) -> bool;
    fn poly_join_temporaries(c: *mut RawContext, sink: PointerSink, into: *mut c_void);
    fn poly_unfold_counters(c: *mut RawContext, sink: PointerSink, into: *mut c_void);
    fn poly_fold_counter(next: LLVMValueRef, sum: LLVMValueRef);
    fn poly_remove_stack_saves(c: *mut RawContext) -> bool;
    fn poly_clear_roots(c: *mut RawContext, sink: PointerSink, into: *mut c_void);
    fn poly_restore_root(was: LLVMValueRef, is: LLVMValueRef);
    fn poly_forget_root(was: LLVMValueRef);
    fn poly_fuse_products(c: *mut RawContext, sink: PointerSink, into: *mut c_void);
    fn poly_restore_product(was: LLVMValueRef, is: LLVMValueRef, behind: LLVMValueRef);
    fn poly_forget_product(was: LLVMValueRef, is: LLVMValueRef);
    fn poly_keep_metadata(i: LLVMValueRef, kinds: *const c_uint, count: usize);
    fn poly_promote_slots(f: LLVMValueRef, slots: *const LLVMValueRef, count: usize);
}

/// Calls a function that is declared above.
macro_rules! surgery {
    ($call:expr) => {
        // SAFETY: as for `shim!`.
        unsafe { $call }
    };
}

/// Blocks.
impl<'c> PassContext<'c> {
    /// Puts a new block on the edges from `predecessors` to `block` and returns it; PHI nodes are
    /// merged in it. Dominator tree and loops are kept right.
    pub fn split_predecessors(self, block: BlockRef<'c>, predecessors: &[BlockRef<'c>]) -> BlockRef<'c> {
        let raw: Vec<LLVMBasicBlockRef> = predecessors.iter().map(|p| p.raw()).collect();
        let suffix = c".poly";
        found!(
            BlockRef,
            surgery!(poly_split_predecessors(self.raw(), block.raw(), raw.as_ptr(), raw.len(), suffix.as_ptr()))
        )
    }
}

/// Loops.
impl<'c> PassContext<'c> {
    /// Makes a copy of the loop that runs in its place where `condition`, a value that is known
    /// behind the preheader, is false; the branch. Nothing, with no change, if the loop cannot be
    /// copied. Dominator tree and loops are kept right; what scalar evolution knows about values of
    /// the loop is forgotten.
    pub fn version_loop(self, l: LoopRef<'c>, condition: ValueRef<'c>) -> Option<ValueRef<'c>> {
        let raw = surgery!(poly_version_loop(self.raw(), l.header().raw(), condition.raw()));
        (!raw.is_null()).then(|| found!(ValueRef, raw))
    }
}

/// Blocks that were split off and can be joined again.
#[must_use]
#[derive(Debug)]
pub struct SplitBlocks {
    raw: Vec<LLVMBasicBlockRef>,
}

impl PassHost {
    /// Moves the terminators of the wanted blocks to blocks of their own behind them.
    pub fn split_off_terminators(&mut self, wanted: impl Fn(PassContext<'_>, BlockRef<'_>) -> bool) -> SplitBlocks {
        let context = self.context();
        let blocks: Vec<BlockRef<'_>> = context.blocks().into_iter().filter(|&block| wanted(context, block)).collect();
        let raw: Vec<LLVMBasicBlockRef> = blocks.into_iter().map(|b| split_off_terminator(context, b).raw()).collect();
        if !raw.is_empty() {
            self.reload();
        }
        SplitBlocks { raw }
    }

    /// Undoes the splits in a function that has not been changed since.
    pub fn join(&mut self, split: SplitBlocks) {
        for &raw in &split.raw {
            let joined = surgery!(poly_join_with_predecessor(raw));
            debug_assert!(joined, "a block that was split off is still behind the rest");
        }
        if !split.raw.is_empty() {
            self.reload();
        }
    }
}

impl PassHost {
    /// Makes so many iterations of the loop with the header that is `wanted` one, with code for
    /// those that are left over behind it. If that is not possible, or there is no such block, the
    /// result is false, and the function may have other PHI nodes than before. It must be in the
    /// form that LLVM calls loop-simplify and LCSSA, and is afterwards.
    pub fn unroll(&mut self, wanted: impl Fn(BlockRef<'_>) -> bool, count: usize) -> bool {
        let context = self.context();
        let header = context.blocks().into_iter().find(|&block| wanted(block));
        header.is_some_and(|header| surgery!(poly_unroll(context.raw(), header.raw(), count as c_uint)))
    }
}

impl PassHost {
    /// The headers of the loops in which blocks of memory are copied whose elements are accessed in
    /// other loops of the same loop, one for each copy.
    #[must_use]
    pub fn loops_that_copy(&self) -> Vec<LLVMBasicBlockRef> {
        let raw = self.context().raw();
        let headers = sinks::pointers(|sink, into| surgery!(poly_loops_that_copy(raw, sink, into)));
        headers.into_iter().map(|header| header as LLVMBasicBlockRef).collect()
    }

    /// Makes such copies loops over elements.
    pub fn copy_elements(&mut self) {
        surgery!(poly_copy_elements(self.context().raw()));
    }

    /// The headers of the loops in which the number of the iteration picks a row of a table of few
    /// rows, as in `table[i % 2][j]`.
    #[must_use]
    pub fn loops_that_pick(&self) -> Vec<LLVMBasicBlockRef> {
        let raw = self.context().raw();
        let headers = sinks::pointers(|sink, into| surgery!(poly_loops_that_pick(raw, sink, into)));
        headers.into_iter().map(|header| header as LLVMBasicBlockRef).collect()
    }

    /// Computes the addresses of such rows in front of the loop, from where PHI nodes hand them
    /// round.
    pub fn hand_rows_round(&mut self) {
        surgery!(poly_hand_rows_round(self.context().raw()));
    }
}

impl PassHost {
    /// Whether there are loops over temporary arrays with something between them that need not
    /// stand there: the allocation of the next one, or a question that has been answered before.
    #[must_use]
    pub fn has_parted_temporaries(&self) -> bool {
        surgery!(poly_has_parted_temporaries(self.context().raw()))
    }

    /// Moves allocations in front of such loops and decides the questions; the headers of all
    /// loops. The function is in the form that LLVM calls loop-simplify and LCSSA before
    /// and afterwards.
    pub fn join_temporaries(&mut self) -> Vec<LLVMBasicBlockRef> {
        let raw = self.context().raw();
        let headers = sinks::pointers(|sink, into| surgery!(poly_join_temporaries(raw, sink, into)));
        headers.into_iter().map(|header| header as LLVMBasicBlockRef).collect()
    }
}

/// What recurrences of a loop were, before they got another form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recurrence {
    /// The last one of what is taken under a condition.
    LastOne,
    /// A sum under a condition.
    ConditionalSum,
    /// A floating-point number that counts, without rounding.
    ExactCounter,
    /// What another variable had an iteration before.
    WrapAround,
}

impl Recurrence {
    /// All of them, each behind its bit.
    const BITS: [(c_uint, Recurrence); 4] =
        [(1, Self::LastOne), (2, Self::ConditionalSum), (4, Self::ExactCounter), (8, Self::WrapAround)];
}

impl PassContext<'_> {
    /// The kinds of recurrences of a loop that have another form, without a chain through all
    /// iterations or with a shorter one.
    pub fn recurrences(self, l: LoopRef<'_>) -> Vec<Recurrence> {
        let bits = surgery!(poly_recurrences(self.raw(), l.header().raw()));
        Recurrence::BITS.into_iter().filter(|(bit, _)| bits & bit != 0).map(|(_, kind)| kind).collect()
    }
}

impl PassHost {
    /// Gives the recurrences of the loop with the header that is `wanted` that form. The function
    /// is in the form that LLVM calls loop-simplify and LCSSA before and afterwards.
    pub fn rewrite_recurrences(&mut self, wanted: impl Fn(BlockRef<'_>) -> bool) {
        let context = self.context();
        if let Some(header) = context.blocks().into_iter().find(|&block| wanted(block)) {
            surgery!(poly_rewrite_recurrences(context.raw(), header.raw()));
        }
    }
}

impl PassContext<'_> {
    /// How many integers of an innermost loop have the same results in so many bits as in more,
    /// where vectors gain by that.
    #[must_use]
    pub fn narrowings(self, l: LoopRef<'_>, bits: u32) -> u32 {
        surgery!(poly_narrowings(self.raw(), l.header().raw(), bits))
    }
}

impl PassContext<'_> {
    /// How many components the points of an innermost loop have that does the same to each of them;
    /// 0 if it is no such loop.
    #[must_use]
    pub fn components(self, l: LoopRef<'_>) -> u32 {
        surgery!(poly_components(self.raw(), l.header().raw()))
    }
}

impl PassHost {
    /// Lets the loop with the header that is `wanted` run over these components.
    pub fn run_over_elements(&mut self, wanted: impl Fn(BlockRef<'_>) -> bool) {
        let context = self.context();
        if let Some(header) = context.blocks().into_iter().find(|&block| wanted(block)) {
            surgery!(poly_run_over_elements(context.raw(), header.raw()));
        }
    }

    /// Computes these, of the loop with the header that is `wanted`, in so many bits.
    pub fn narrow(&mut self, wanted: impl Fn(BlockRef<'_>) -> bool, bits: u32) {
        let context = self.context();
        if let Some(header) = context.blocks().into_iter().find(|&block| wanted(block)) {
            surgery!(poly_narrow(context.raw(), header.raw(), bits));
        }
    }
}

/// Counters of loops that constants had taken the place of.
#[must_use]
#[derive(Debug)]
pub struct UnfoldedCounters {
    /// What is no longer used, and the sum that is used instead.
    pairs: Vec<(LLVMValueRef, LLVMValueRef)>,
}

impl PassHost {
    /// Where LLVM has written `1` for `i + 1` because `i` is 0 on a way to the next iteration, the
    /// next value of a counter is a PHI node of both. Makes it the sum on all ways.
    pub fn unfold_counters(&mut self) -> UnfoldedCounters {
        let raw = self.context().raw();
        let values = sinks::pointers(|sink, into| surgery!(poly_unfold_counters(raw, sink, into)));
        let pairs: Vec<_> =
            values.chunks_exact(2).map(|pair| (pair[0] as LLVMValueRef, pair[1] as LLVMValueRef)).collect();
        if !pairs.is_empty() {
            self.reload();
        }
        UnfoldedCounters { pairs }
    }

    /// Undoes that in a function that has not been changed since.
    pub fn fold_counters(&mut self, unfolded: UnfoldedCounters) {
        for &(next, sum) in &unfolded.pairs {
            surgery!(poly_fold_counter(next, sum));
        }
        if !unfolded.pairs.is_empty() {
            self.reload();
        }
    }
}

/// Square roots that set no `errno`.
#[must_use]
#[derive(Debug)]
pub struct ClearedRoots {
    /// The call, which is in no block, and the intrinsic in its place.
    pairs: Vec<(LLVMValueRef, LLVMValueRef)>,
}

impl PassHost {
    /// Replaces calls of the C library's square root in loops by intrinsics, if their argument is
    /// known not to be negative.
    pub fn clear_roots(&mut self) -> ClearedRoots {
        let raw = self.context().raw();
        let values = sinks::pointers(|sink, into| surgery!(poly_clear_roots(raw, sink, into)));
        let pairs: Vec<_> =
            values.chunks_exact(2).map(|pair| (pair[0] as LLVMValueRef, pair[1] as LLVMValueRef)).collect();
        if !pairs.is_empty() {
            self.reload();
        }
        ClearedRoots { pairs }
    }

    /// Undoes that in a function that has not been changed since.
    pub fn restore_roots(&mut self, cleared: ClearedRoots) {
        for &(was, is) in &cleared.pairs {
            surgery!(poly_restore_root(was, is));
        }
        if !cleared.pairs.is_empty() {
            self.reload();
        }
    }

    /// Keeps the intrinsics.
    pub fn keep_roots(&mut self, cleared: ClearedRoots) {
        for (was, _) in cleared.pairs {
            surgery!(poly_forget_root(was));
        }
    }
}

/// Sums of which the bits no longer depend on what stands beside them.
#[must_use]
#[derive(Debug)]
pub struct FusedProducts {
    /// The sum, which is in no block, the operation in its place, and what came behind its product,
    /// if that is in no block either. A sum that has only lost its flag is alone.
    sums: Vec<[LLVMValueRef; 3]>,
}

impl PassHost {
    /// Removes saved and restored stack pointers where the stack pointer does not move; true if
    /// there were any.
    pub fn remove_stack_saves(&mut self) -> bool {
        let raw = self.context().raw();
        let is_changed = surgery!(poly_remove_stack_saves(raw));
        if is_changed {
            self.reload();
        }
        is_changed
    }

    /// Makes sums with products in loops explicit that the code generator would fuse, and keeps it
    /// from fusing others.
    pub fn fuse_products(&mut self) -> FusedProducts {
        let raw = self.context().raw();
        let values = sinks::pointers(|sink, into| surgery!(poly_fuse_products(raw, sink, into)));
        let sums: Vec<_> = values.chunks_exact(3).map(|sum| [0, 1, 2].map(|part| sum[part] as LLVMValueRef)).collect();
        if !sums.is_empty() {
            self.reload();
        }
        FusedProducts { sums }
    }

    /// Undoes that in a function that has not been changed since.
    pub fn restore_products(&mut self, fused: FusedProducts) {
        for &[was, is, behind] in fused.sums.iter().rev() {
            surgery!(poly_restore_product(was, is, behind));
        }
        if !fused.sums.is_empty() {
            self.reload();
        }
    }

    /// Keeps them.
    pub fn keep_products(&mut self, fused: FusedProducts) {
        for [was, is, _] in fused.sums {
            surgery!(poly_forget_product(was, is));
        }
    }
}

fn split_off_terminator<'c>(context: PassContext<'c>, block: BlockRef<'c>) -> BlockRef<'c> {
    let name = block.as_value().name();
    let made = if name.is_empty() { name } else { format!("{name}.branch") };
    context.split_block(block.terminator(), &made)
}

impl<'c> BlockRef<'c> {
    /// The first instruction that is neither a PHI node nor bound to the beginning of its block.
    pub fn first_insertion_point(self) -> ValueRef<'c> {
        found!(ValueRef, surgery!(poly_first_insertion_point(self.raw())))
    }
}

/// PHI nodes and metadata of instructions.
impl<'c> ValueRef<'c> {
    /// The incoming edge with this position comes from `block`.
    pub fn set_incoming_block(self, position: usize, block: BlockRef<'c>) {
        surgery!(poly_phi_set_block(self.raw(), position as c_uint, block.raw()));
    }

    /// Removes an incoming edge. A PHI node without edges stays.
    pub fn remove_incoming(self, position: usize) {
        surgery!(poly_phi_remove(self.raw(), position as c_uint));
    }

    /// Drops the metadata of an instruction but those of the given kinds and its source place.
    pub fn keep_metadata(self, context: PassContext<'_>, kinds: &[&str]) {
        let number = |kind: &&str| {
            llvm!(LLVMGetMDKindIDInContext(context.llvm_context(), kind.as_ptr().cast(), kind.len() as c_uint))
        };
        let numbers: Vec<c_uint> = kinds.iter().map(number).collect();
        surgery!(poly_keep_metadata(self.raw(), numbers.as_ptr(), numbers.len()));
    }
}

/// Replaces stack slots of `function` that are only loaded and stored as a whole by values.
pub fn promote_slots(function: ValueRef<'_>, slots: &[ValueRef<'_>]) {
    let raw: Vec<LLVMValueRef> = slots.iter().map(|s| s.raw()).collect();
    surgery!(poly_promote_slots(function.raw(), raw.as_ptr(), raw.len()));
}
