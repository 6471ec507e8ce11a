//! Loops, dominance and the control flow graph.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;

use crate::handles::{found, found_list, found_or_none, handle};
use crate::{BlockRef, PassContext, ValueRef};

handle! {
    /// A natural loop.
    LoopRef(*const c_void)
}

impl<'c> LoopRef<'c> {
    /// The block that every iteration begins with.
    pub fn header(self) -> BlockRef<'c> {
        found!(BlockRef, shim!(poly_loop_header(self.raw())))
    }

    /// The one block outside that leads only to the header.
    pub fn preheader(self) -> Option<BlockRef<'c>> {
        found_or_none!(BlockRef, shim!(poly_loop_preheader(self.raw())))
    }

    /// The source of the backedge if there is one backedge.
    pub fn latch(self) -> Option<BlockRef<'c>> {
        found_or_none!(BlockRef, shim!(poly_loop_latch(self.raw())))
    }

    /// The sources of all backedges.
    pub fn latches(self) -> Vec<BlockRef<'c>> {
        found_list!(BlockRef, |sink, into| shim!(poly_loop_latches(self.raw(), sink, into)))
    }

    /// The block outside that the loop goes on to if there is just one.
    pub fn exit_block(self) -> Option<BlockRef<'c>> {
        found_or_none!(BlockRef, shim!(poly_loop_exit_block(self.raw())))
    }

    /// The blocks outside that the loop goes on to, each once.
    pub fn exit_blocks(self) -> Vec<BlockRef<'c>> {
        found_list!(BlockRef, |sink, into| shim!(poly_loop_exit_blocks(self.raw(), sink, into)))
    }

    /// The block inside that leaves the loop if there is just one.
    pub fn exiting_block(self) -> Option<BlockRef<'c>> {
        found_or_none!(BlockRef, shim!(poly_loop_exiting_block(self.raw())))
    }

    /// The blocks inside that leave the loop.
    pub fn exiting_blocks(self) -> Vec<BlockRef<'c>> {
        found_list!(BlockRef, |sink, into| shim!(poly_loop_exiting_blocks(self.raw(), sink, into)))
    }

    /// All blocks, those of inner loops too; the header is the first.
    pub fn blocks(self) -> Vec<BlockRef<'c>> {
        found_list!(BlockRef, |sink, into| shim!(poly_loop_blocks(self.raw(), sink, into)))
    }

    /// The loops directly inside, in program order.
    pub fn subloops(self) -> Vec<LoopRef<'c>> {
        found_list!(LoopRef, |sink, into| shim!(poly_loop_subloops(self.raw(), sink, into)))
    }

    /// The loop directly around.
    pub fn parent(self) -> Option<LoopRef<'c>> {
        found_or_none!(LoopRef, shim!(poly_loop_parent(self.raw())))
    }

    /// Number of loops that contain the header: 1 for an outermost loop.
    pub fn depth(self) -> u32 {
        shim!(poly_loop_depth(self.raw()))
    }

    /// Whether the block belongs to the loop.
    pub fn contains(self, block: BlockRef<'c>) -> bool {
        shim!(poly_loop_contains_block(self.raw(), block.raw()))
    }

    /// Whether `inner` is this loop or lies inside of it.
    pub fn contains_loop(self, inner: LoopRef<'c>) -> bool {
        shim!(poly_loop_contains_loop(self.raw(), inner.raw()))
    }

    /// It has a preheader, one latch, and exits that only the loop leads to.
    pub fn is_simplified(self) -> bool {
        shim!(poly_loop_is_simplified(self.raw()))
    }

    /// The loop's metadata has this property: `llvm.loop.unroll.disable`, ...
    pub fn has_property(self, name: &str) -> bool {
        shim!(poly_loop_has_property(self.raw(), name.into()))
    }

    /// The language lets the compiler assume that the loop ends or has effects.
    pub fn must_progress(self) -> bool {
        shim!(poly_loop_must_progress(self.raw()))
    }
}

impl fmt::Debug for LoopRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Loop({:?}, depth {})", self.header(), self.depth())
    }
}

impl<'c> PassContext<'c> {
    /// The outermost loops in program order.
    pub fn top_level_loops(self) -> Vec<LoopRef<'c>> {
        found_list!(LoopRef, |sink, into| shim!(poly_top_level_loops(self.raw(), sink, into)))
    }

    /// The innermost loop that contains the block.
    pub fn loop_for(self, block: BlockRef<'c>) -> Option<LoopRef<'c>> {
        found_or_none!(LoopRef, shim!(poly_loop_for(self.raw(), block.raw())))
    }

    /// Every path from the entry to `b` goes through `a`. A block dominates itself.
    pub fn dominates(self, a: BlockRef<'c>, b: BlockRef<'c>) -> bool {
        shim!(poly_block_dominates(self.raw(), a.raw(), b.raw()))
    }

    /// Every path from `b` to an exit of the function goes through `a`.
    pub fn post_dominates(self, a: BlockRef<'c>, b: BlockRef<'c>) -> bool {
        shim!(poly_block_post_dominates(self.raw(), a.raw(), b.raw()))
    }

    /// The value is available at the instruction `user`.
    pub fn value_dominates(self, definition: ValueRef<'c>, user: ValueRef<'c>) -> bool {
        shim!(poly_value_dominates(self.raw(), definition.raw(), user.raw()))
    }

    /// The immediate dominator.
    pub fn idom(self, block: BlockRef<'c>) -> Option<BlockRef<'c>> {
        found_or_none!(BlockRef, shim!(poly_immediate_dominator(self.raw(), block.raw())))
    }

    /// The immediate post dominator, if it is a block.
    pub fn ipdom(self, block: BlockRef<'c>) -> Option<BlockRef<'c>> {
        found_or_none!(BlockRef, shim!(poly_immediate_post_dominator(self.raw(), block.raw())))
    }

    /// The nearest block that dominates both.
    pub fn common_dominator(self, a: BlockRef<'c>, b: BlockRef<'c>) -> Option<BlockRef<'c>> {
        found_or_none!(BlockRef, shim!(poly_common_dominator(self.raw(), a.raw(), b.raw())))
    }

    /// Control can reach the block.
    pub fn is_reachable(self, block: BlockRef<'c>) -> bool {
        shim!(poly_is_reachable(self.raw(), block.raw()))
    }

    /// The reachable blocks in reverse post order.
    pub fn reverse_post_order(self) -> Vec<BlockRef<'c>> {
        found_list!(BlockRef, |sink, into| shim!(poly_reverse_post_order(self.raw(), sink, into)))
    }
}

impl<'c> BlockRef<'c> {
    /// The blocks that lead here, once for each edge.
    pub fn predecessors(self) -> Vec<BlockRef<'c>> {
        found_list!(BlockRef, |sink, into| shim!(poly_block_predecessors(self.raw(), sink, into)))
    }

    /// The blocks that control may go on to, once for each edge, in the order of the terminator.
    pub fn successors(self) -> Vec<BlockRef<'c>> {
        found_list!(BlockRef, |sink, into| shim!(poly_block_successors(self.raw(), sink, into)))
    }
}
