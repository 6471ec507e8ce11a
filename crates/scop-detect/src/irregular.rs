//! Loops that depend on themselves through index arrays.
//!
//! # Problem
//! In a sweep of Gauss and Seidel over a sparse matrix, `x[i]` is computed from `x[col[k]]`: only
//! the contents of `col` tell which iterations depend on each other. They can be found out when the
//! program runs if an inspector can say what every iteration accesses before any of them is
//! executed.
//!
//! # Definitions
//! The *slice* of a loop are the addresses of what it stores and of what it may load from there,
//! the conditions of its branches, and all instructions that these need. Loads of the slice read
//! *index arrays*.
//!
//! # What is demanded
//! 1. The loop is counted, leaves from its latch to one block, and nothing that it computes is used
//!    behind it.
//! 2. A PHI node of its header is a function of the iteration: it moves by a constant, or it is
//!    what a load of the iteration before has found (as the end of a row that is the beginning of
//!    the next).
//! 3. It contains loads, stores, computations and branches, and nothing else. No address is one of
//!    a thread.
//! 4. No store may change what a load of the slice finds, by the types and promises of the source.
//!    (The run-time library also compares the addresses, because memory may get another type behind
//!    the last load.)
//! 5. Some load and some store address the same object from the same value, one of them through an
//!    index array, and not by the same address: iterations depend on each other for certain, and
//!    nothing but their contents says which. (Updates of one element, as in sums by groups, are
//!    not meant.) Or iterations write to places of their own, and read through an index array what
//!    another one may write by chance ([`places`]).
//! 6. Every address that is written moves with the loop, and something of the slice is loaded.
//!    Loops around such a loop, over time or sweeps, do not move them.
//!
//! Then the slice can be executed alone: index arrays have the contents that they have in front of
//! the loop, and it visits what the loop visits.

mod chain;
mod places;
mod rows;
mod stages;
mod sweeps;

use std::collections::HashSet;

use poly_shim::ir::{Opcode, TypeKind};
use poly_shim::memory::AliasKind;
use poly_shim::{
    BlockRef, Counter, IrregularNest, LoopRef, PassContext, Role, ScevKind, ScevRef, Site, SiteKind, ValueRef,
};

/// Most instructions of such a loop.
const MAX_INSTRUCTIONS: usize = 3000;
/// Most pairs of a load and a store that are compared.
const MAX_PAIRS: usize = 4000;
/// Most sites: they are numbered by a byte.
const MAX_SITES: usize = 250;
/// Largest access.
const MAX_BYTES: u64 = 64;

/// The first loop, the outer ones before the inner ones, that depends on itself through index
/// arrays, of those whose blocks may be looked at.
pub fn irregular_nest<'c>(cx: PassContext<'c>, may: &dyn Fn(BlockRef<'c>) -> bool) -> Option<IrregularNest<'c>> {
    let mut todo = cx.top_level_loops();
    todo.reverse();
    while let Some(l) = todo.pop() {
        if l.blocks().into_iter().all(may)
            && let Some(nest) = Search::new(cx, l).and_then(Search::nest)
        {
            return Some(nest);
        }
        todo.extend(l.subloops().into_iter().rev());
    }
    None
}

/// A call that code generation has written beside a loop of this kind: it does what the original
/// loop does, which is there too.
fn is_executor(call: ValueRef<'_>) -> bool {
    let names = [
        "poly_rt_enter",
        "poly_rt_leave",
        "__kmpc_fork_call",
        "GOMP_parallel",
        "omp_in_parallel",
        "omp_get_max_threads",
    ];
    call.block().is_some_and(BlockRef::is_settled) && call.callee().is_some_and(|f| names.contains(&f.name().as_str()))
}

/// A loop that is looked at.
struct Search<'c> {
    cx: PassContext<'c>,
    outer: LoopRef<'c>,
    blocks: Vec<BlockRef<'c>>,
    latch: BlockRef<'c>,
    inside: HashSet<BlockRef<'c>>,
    loads: Vec<ValueRef<'c>>,
    stores: Vec<ValueRef<'c>>,
}

impl<'c> Search<'c> {
    /// Nothing if the loop does not have the form, or contains something else.
    fn new(cx: PassContext<'c>, outer: LoopRef<'c>) -> Option<Self> {
        let latch = outer.latch().filter(|_| outer.is_simplified())?;
        if outer.exiting_block() != Some(latch)
            || outer.exit_block().is_none()
            || !latch.terminator().is_conditional_branch()
        {
            return None;
        }
        let inside: HashSet<BlockRef<'c>> = outer.blocks().into_iter().collect();
        let blocks: Vec<BlockRef<'c>> = cx.reverse_post_order().into_iter().filter(|b| inside.contains(b)).collect();
        let size: usize = blocks.iter().map(|block| block.instructions().len()).sum();
        if size > MAX_INSTRUCTIONS {
            return None;
        }
        let mut search = Self { cx, outer, blocks, latch, inside, loads: Vec::new(), stores: Vec::new() };
        for instruction in search.instructions() {
            search.admit(instruction)?;
        }
        let pairs = search.loads.len() * search.stores.len();
        (pairs > 0 && pairs <= MAX_PAIRS).then_some(search)
    }

    fn instructions(&self) -> Vec<ValueRef<'c>> {
        self.blocks.iter().flat_map(|block| block.instructions()).collect()
    }

    fn is_inside(&self, value: ValueRef<'c>) -> bool {
        value.block().is_some_and(|block| self.inside.contains(&block))
    }

    /// Nothing if the loop may not contain the instruction.
    fn admit(&mut self, instruction: ValueRef<'c>) -> Option<()> {
        if instruction.operands().into_iter().any(ValueRef::is_thread_bound) {
            return None;
        }
        match instruction.opcode()? {
            Opcode::Load => self.loads.push(self.plain_access(instruction)?),
            Opcode::Store => self.stores.push(self.plain_access(instruction)?),
            Opcode::Br | Opcode::Switch => return Some(()),
            _ if instruction.is_call() => {
                let is_address = instruction.intrinsic_name().is_some_and(|name| name == "llvm.threadlocal.address");
                if !instruction.is_mark() && (is_address || !instruction.call_properties().is_pure()) {
                    return None;
                }
            }
            _ => {
                let effects = instruction.effects();
                let touches = effects.may_read() || effects.may_write() || effects.has_side_effects();
                if touches || instruction.opcode() == Some(Opcode::Alloca) || !effects.transfers_execution() {
                    return None;
                }
            }
        }
        let is_used_behind = |user: ValueRef<'c>| !self.is_inside(user);
        (!instruction.users().into_iter().any(is_used_behind)).then_some(())
    }

    /// The access, if it is an ordinary one.
    fn plain_access(&self, access: ValueRef<'c>) -> Option<ValueRef<'c>> {
        let effects = access.effects();
        let size = self.cx.store_size(access.access_type()?)?;
        let is_plain = !effects.is_volatile() && !effects.is_atomic() && (1..=MAX_BYTES).contains(&size);
        let is_usual = access.pointer_operand()?.ty().kind() == TypeKind::Pointer(0);
        (is_plain && is_usual).then_some(access)
    }

    fn nest(self) -> Option<IrregularNest<'c>> {
        let backedges = self.cx.backedge_taken_count(self.outer);
        let is_counted = !backedges.is_could_not_compute() && self.cx.scev_bits(backedges) <= 64;
        if !is_counted || !self.cx.is_invariant(backedges, self.outer) {
            return None;
        }
        let slice = self.slice();
        let indices: HashSet<ValueRef<'c>> =
            slice.iter().copied().filter(|value| value.opcode() == Some(Opcode::Load)).collect();
        if indices.is_empty() || !self.stores.iter().all(|store| self.moves(*store)) {
            return None;
        }
        let is_recurrence = self.is_recurrence(&indices);
        let counters = self.counters()?;
        let mut values = self.values(&counters, &slice)?;
        let sites = self.sites(&indices, &counters, &mut values)?;
        let steady = self.steady(backedges, &values, &sites);
        let blocks = self.blocks.clone();
        let (sweeps, apart) = match is_recurrence {
            true => (self.sweeps(backedges, &counters, &values, &sites), None),
            false => (None, Some(self.apart(&sites, &counters)?)),
        };
        let outer = self.outer;
        Some(IrregularNest { outer, blocks, backedges, counters, values, sites, steady, slice, sweeps, apart })
    }

    /// The outermost loop around it in which nothing changes that the slice loads, nor how it gets
    /// there.
    fn steady(
        &self,
        backedges: ScevRef<'c>,
        values: &[(ValueRef<'c>, Role)],
        sites: &[Site<'c>],
    ) -> Option<LoopRef<'c>> {
        let indices: Vec<&Site<'c>> = sites.iter().filter(|site| site.kind == SiteKind::Index).collect();
        let is_base = |k: usize| indices.iter().any(|site| site.base == Some(k));
        let fixed = values.iter().enumerate().filter(|(k, (_, role))| *role == Role::Scalar || is_base(*k));
        let fixed: Vec<ValueRef<'c>> = fixed.map(|(_, (value, _))| *value).collect();
        let mut found = None;
        let mut around = self.outer.parent();
        while let Some(l) = around.filter(|l| self.keeps(*l, backedges, &fixed, &indices)) {
            found = Some(l);
            around = l.parent();
        }
        found.filter(|l| l.preheader().is_some())
    }

    /// Nothing in the loop changes what the sites load, the values, or the number of iterations.
    fn keeps(&self, l: LoopRef<'c>, backedges: ScevRef<'c>, fixed: &[ValueRef<'c>], indices: &[&Site<'c>]) -> bool {
        let is_outside = |value: &ValueRef<'c>| value.block().is_none_or(|block| !l.contains(block));
        let instructions = || l.blocks().into_iter().flat_map(|block| block.instructions());
        if !self.cx.is_invariant(backedges, l)
            || !fixed.iter().all(is_outside)
            || instructions().count() > MAX_INSTRUCTIONS
        {
            return false;
        }
        instructions().all(|instruction| match instruction.opcode() {
            Some(Opcode::Store) if !instruction.effects().is_volatile() && !instruction.effects().is_atomic() => {
                let is_apart =
                    |site: &&Site<'c>| self.cx.alias_typed_accesses(site.access, instruction) == AliasKind::No;
                indices.iter().all(is_apart)
            }
            _ if instruction.is_call() && (instruction.is_mark() || is_executor(instruction)) => true,
            _ => !instruction.effects().may_write(),
        })
    }

    /// Addresses of stores and of what is loaded, conditions of branches, and what these need, in
    /// the order of the blocks.
    fn slice(&self) -> Vec<ValueRef<'c>> {
        let told = self.stores.iter().chain(self.loads.iter().filter(|load| self.may_be_written(**load)));
        let mut todo: Vec<ValueRef<'c>> = told.filter_map(|access| access.pointer_operand()).collect();
        let branches = self.blocks.iter().filter(|block| **block != self.latch).map(|block| block.terminator());
        todo.extend(branches.filter_map(ValueRef::condition));
        let known = self.closure(todo);
        self.instructions().into_iter().filter(|instruction| known.contains(instruction)).collect()
    }

    /// All instructions of the loop that the values need.
    fn closure(&self, mut todo: Vec<ValueRef<'c>>) -> HashSet<ValueRef<'c>> {
        let mut known = HashSet::new();
        while let Some(value) = todo.pop() {
            if self.is_inside(value) && known.insert(value) {
                todo.extend(value.operands().into_iter().filter(|operand| operand.as_block().is_none()));
            }
        }
        known
    }

    /// Some store may touch what the load touches, in any iteration. (Types say nothing about two
    /// iterations.)
    fn may_be_written(&self, load: ValueRef<'c>) -> bool {
        self.stores.iter().any(|&store| self.cx.alias_accesses(load, store) != AliasKind::No)
    }

    /// Some load and some store address the same object, one of them through an index array, and
    /// not by the same address.
    fn is_recurrence(&self, indices: &HashSet<ValueRef<'c>>) -> bool {
        let pointers = |accesses: &[ValueRef<'c>]| -> Vec<(ValueRef<'c>, Option<ValueRef<'c>>, bool)> {
            let pointers =
                accesses.iter().filter(|access| !indices.contains(access)).filter_map(|a| a.pointer_operand());
            let described = |pointer| {
                let origin = self.origin(pointer, &mut HashSet::new()).flatten();
                (pointer, origin, self.closure(vec![pointer]).iter().any(|needed| indices.contains(needed)))
            };
            pointers.map(described).collect()
        };
        let loads = pointers(&self.loads);
        pointers(&self.stores).into_iter().any(|(to, object, is_indirect)| {
            let meets = |(from, other, is_also): &(ValueRef<'c>, Option<ValueRef<'c>>, bool)| {
                object.is_some() && *other == object && *from != to && (is_indirect || *is_also)
            };
            loads.iter().any(meets)
        })
    }

    /// What the address of the store is depends on the iteration.
    fn moves(&self, store: ValueRef<'c>) -> bool {
        let needed = self.closure(store.pointer_operand().into_iter().collect());
        self.outer.header().phis().iter().any(|phi| needed.contains(phi))
    }

    /// The header's PHI nodes as functions of the iteration.
    fn counters(&self) -> Option<Vec<Counter<'c>>> {
        self.outer.header().phis().into_iter().map(|phi| self.counter(phi)).collect()
    }

    fn counter(&self, phi: ValueRef<'c>) -> Option<Counter<'c>> {
        let from = |inside: bool| phi.incoming().into_iter().find(|(block, _)| self.inside.contains(block) == inside);
        let (start, next) = (from(false)?.1, from(true)?.1);
        if let Some(step) = self.cx.scev(phi).and_then(|scev| self.step(scev)) {
            return Some(Counter::Sum { phi, start, step });
        }
        let is_load = next.opcode() == Some(Opcode::Load) && self.is_inside(next);
        let is_always = next.block().is_some_and(|block| self.cx.dominates(block, self.latch));
        if !is_load || !is_always || !self.is_constant(next) {
            return None;
        }
        let address = self.cx.scev(next.pointer_operand()?)?;
        let step = self.step(address)?;
        let address = *address.operands().first()?;
        Some(Counter::Loaded { phi, start, load: next, address, step })
    }

    /// By how much the expression moves each time, if by a constant.
    fn step(&self, scev: ScevRef<'c>) -> Option<i64> {
        let is_counter = scev.kind() == ScevKind::AddRec && scev.addrec_loop() == Some(self.outer);
        let operands = scev.operands();
        (is_counter && operands.len() == 2 && self.cx.is_invariant(operands[0], self.outer))
            .then(|| operands[1].constant_i64())
            .flatten()
    }

    /// No store changes what the load finds.
    fn is_constant(&self, load: ValueRef<'c>) -> bool {
        self.stores.iter().all(|&store| self.cx.alias_typed_accesses(load, store) == AliasKind::No)
    }

    /// What is used from outside, with its role.
    fn values(&self, counters: &[Counter<'c>], slice: &[ValueRef<'c>]) -> Option<Vec<(ValueRef<'c>, Role)>> {
        let told: HashSet<ValueRef<'c>> =
            slice.iter().copied().chain(self.loads.iter().copied()).chain(self.stores.iter().copied()).collect();
        let mut found: Vec<(ValueRef<'c>, Role)> = Vec::new();
        let mut add = |value: ValueRef<'c>| {
            if found.iter().all(|(known, _)| *known != value) {
                found.push((value, self.role(value, counters, slice, &told)));
            }
        };
        let is_outside = |value: ValueRef<'c>| {
            let is_value = value.is_argument() || value.is_instruction();
            is_value && !self.is_inside(value)
        };
        for counter in counters {
            let (Counter::Sum { start, .. } | Counter::Loaded { start, .. }) = *counter;
            if is_outside(start) {
                add(start);
            }
        }
        for instruction in self.instructions().into_iter().filter(|i| !(i.is_call() && i.is_mark())) {
            instruction.operands().into_iter().filter(|operand| is_outside(*operand)).for_each(&mut add);
        }
        found.iter().all(|(value, _)| self.is_word(*value)).then_some(found)
    }

    /// Values go to other functions as words.
    fn is_word(&self, value: ValueRef<'c>) -> bool {
        match value.ty().kind() {
            TypeKind::Integer(bits) => bits <= 64,
            TypeKind::Pointer(space) => space == 0,
            _ => value.ty().is_float() && self.cx.size_in_bits(value.ty()).is_some_and(|bits| bits == 32 || bits == 64),
        }
    }

    fn role(
        &self,
        value: ValueRef<'c>,
        counters: &[Counter<'c>],
        slice: &[ValueRef<'c>],
        told: &HashSet<ValueRef<'c>>,
    ) -> Role {
        let starts = counters.iter().any(|counter| {
            let (Counter::Sum { phi, start, .. } | Counter::Loaded { phi, start, .. }) = *counter;
            start == value && slice.contains(&phi)
        });
        let is_needed = starts || slice.iter().any(|i| i.operands().contains(&value));
        let is_base = value.ty().is_pointer() && self.only_gives_addresses(value, told, &mut HashSet::new());
        match (is_base, is_needed) {
            (true, _) => Role::Base,
            (false, true) => Role::Scalar,
            (false, false) => Role::None,
        }
    }

    /// The pointer is only used, by what is told, to address something at a distance that does not
    /// depend on it.
    fn only_gives_addresses(
        &self,
        pointer: ValueRef<'c>,
        told: &HashSet<ValueRef<'c>>,
        seen: &mut HashSet<ValueRef<'c>>,
    ) -> bool {
        if !seen.insert(pointer) {
            return true;
        }
        pointer.users().into_iter().filter(|user| told.contains(user)).all(|user| match user.opcode() {
            Some(Opcode::Load | Opcode::Store) => true,
            Some(Opcode::GetElementPtr) => {
                let is_index = user.operands().iter().skip(1).any(|operand| *operand == pointer);
                !is_index && self.only_gives_addresses(user, told, seen)
            }
            Some(Opcode::Phi) => {
                let others = user.incoming().into_iter().map(|(_, value)| value);
                let is_own = |value: ValueRef<'c>| value == pointer || self.is_moved(value, user);
                others.into_iter().all(is_own) && self.only_gives_addresses(user, told, seen)
            }
            _ => false,
        })
    }

    /// The value is the PHI node at some distance.
    fn is_moved(&self, value: ValueRef<'c>, phi: ValueRef<'c>) -> bool {
        value == phi || value.opcode() == Some(Opcode::GetElementPtr) && self.is_moved(value.operand(0), phi)
    }

    /// What an inspector tells; nothing if it cannot.
    fn sites(
        &self,
        indices: &HashSet<ValueRef<'c>>,
        counters: &[Counter<'c>],
        values: &mut Vec<(ValueRef<'c>, Role)>,
    ) -> Option<Vec<Site<'c>>> {
        let handed_on = |access: ValueRef<'c>| {
            counters.iter().any(|counter| matches!(counter, Counter::Loaded { load, .. } if *load == access))
        };
        let mut found = Vec::new();
        for access in self.instructions() {
            let kind = match access.opcode() {
                Some(Opcode::Store) => SiteKind::Write,
                Some(Opcode::Load) if indices.contains(&access) || handed_on(access) => SiteKind::Index,
                Some(Opcode::Load) if self.may_be_written(access) => SiteKind::Read,
                _ => continue,
            };
            let base = self.base(access.pointer_operand()?, values);
            // Where its base is loaded, as the pointer to a row is, that has been compared before.
            if kind == SiteKind::Index && !self.is_constant(access) || handed_on(access) && base.is_none() {
                return None;
            }
            let size = u32::try_from(self.cx.store_size(access.access_type()?)?).ok()?;
            found.push(Site { access, base, size, kind, stage: 0 });
        }
        let index_sites = || found.iter().filter(|site| site.kind == SiteKind::Index);
        let stages = self.stages(&index_sites().map(|site| site.access).collect::<Vec<_>>())?;
        let index_sites = found.iter_mut().filter(|site| site.kind == SiteKind::Index);
        index_sites.zip(stages).for_each(|(site, stage)| site.stage = stage);
        (found.len() <= MAX_SITES).then_some(found)
    }

    /// The place of the value that the address is counted from, if there is one.
    fn base(&self, pointer: ValueRef<'c>, values: &mut Vec<(ValueRef<'c>, Role)>) -> Option<usize> {
        let base = self.origin(pointer, &mut HashSet::new()).flatten()?;
        if let Some(known) = values.iter().position(|(value, _)| *value == base) {
            return Some(known);
        }
        // Constants are not among the values yet.
        values.push((base, Role::Base));
        Some(values.len() - 1)
    }

    /// The value from outside that the pointer begins with on every way; `Some(None)` if it has
    /// been seen before, `None` if there is no such value.
    fn origin(&self, pointer: ValueRef<'c>, seen: &mut HashSet<ValueRef<'c>>) -> Option<Option<ValueRef<'c>>> {
        if !self.is_inside(pointer) {
            return Some(Some(pointer));
        }
        if !seen.insert(pointer) {
            return Some(None);
        }
        match pointer.opcode() {
            Some(Opcode::GetElementPtr) => self.origin(pointer.operand(0), seen),
            Some(Opcode::Phi) => {
                let mut found = None;
                for (_, value) in pointer.incoming() {
                    match (self.origin(value, seen)?, found) {
                        (Some(new), Some(known)) if new != known => return None,
                        (new, known) => found = new.or(known),
                    }
                }
                Some(found)
            }
            _ => None,
        }
    }
}
