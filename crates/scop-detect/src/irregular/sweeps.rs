//! Loops that execute an irregular nest again and again, and do nothing else.
//!
//! # What is demanded
//! 1. The loop around is counted, leaves from its latch to one block, and nothing that it computes
//!    is used behind it. It comes to the nest each time, or where a condition from outside of it is
//!    true, contains no other loop, and has no effect but that of the nest.
//! 2. What the nest uses from outside is from outside of that loop, and so is what its counters
//!    begin with: each sweep executes the same iterations, and comes to the same index arrays.
//!    What the loop around loads from one place, which the nest does not write, counts as from
//!    outside: it can be loaded in front.
//! 3. Each iteration executes all stores of the nest, and their addresses move by one constant.
//!
//! Index arrays do not overlap what is written: an iteration of the second sweep would read, as an
//! integer, what the first one has written with another type, or a promise of `restrict` would be
//! broken. (That is why stores must always be executed: one that happens in the last sweep only
//! could lie where an index array was that nobody reads any more.)

use poly_shim::ir::Opcode;
use poly_shim::{Counter, LoopRef, Role, ScevRef, Site, Sweeps, ValueRef};

use super::Search;

impl<'c> Search<'c> {
    /// The loop around the nest, if it is of this kind.
    pub(super) fn sweeps(
        &self,
        backedges: ScevRef<'c>,
        counters: &[Counter<'c>],
        values: &[(ValueRef<'c>, Role)],
        sites: &[Site<'c>],
    ) -> Option<Sweeps<'c>> {
        let around = self.outer.parent()?;
        let times = self.times(around)?;
        let guard = self.guard(around)?;
        let is_outside = |value: &ValueRef<'c>| {
            value.block().is_none_or(|block| !around.contains(block)) || self.is_loaded_once(around, *value)
        };
        let is_fixed = |counter: &Counter<'c>| match *counter {
            Counter::Sum { start, .. } => is_outside(&start),
            Counter::Loaded { start, address, .. } => is_outside(&start) && self.cx.is_invariant(address, around),
        };
        if !self.cx.is_invariant(backedges, around)
            || !values.iter().all(|(value, _)| is_outside(value))
            || !counters.iter().all(is_fixed)
            || !self.does_nothing_else(around)
        {
            return None;
        }
        let loads =
            values.iter().map(|(value, _)| *value).filter(|value| self.is_loaded_once(around, *value)).collect();
        let places = self.places(sites)?;
        let are_fixed = places.starts.iter().all(|(start, _)| self.cx.is_invariant(*start, around));
        are_fixed.then_some(Sweeps { around, guard, loads, backedges: times, places })
    }

    /// The value is loaded from one place in each sweep, in front of the nest, and stays what it
    /// is.
    fn is_loaded_once(&self, around: LoopRef<'c>, value: ValueRef<'c>) -> bool {
        let is_load = value.opcode() == Some(Opcode::Load) && value.block().is_some_and(|block| around.contains(block));
        let pointer = value.pointer_operand().and_then(ValueRef::block);
        is_load
            && !self.is_inside(value)
            && pointer.is_none_or(|block| !around.contains(block))
            && self.plain_access(value).is_some()
            && self.is_constant(value)
    }

    /// How often the backedge of the loop is taken, if it is counted and has the form.
    fn times(&self, around: LoopRef<'c>) -> Option<ScevRef<'c>> {
        let latch = around.latch().filter(|_| around.is_simplified())?;
        let exit = around.exit_block()?;
        let has_form = around.exiting_block() == Some(latch)
            && latch.terminator().is_conditional_branch()
            && exit.phis().is_empty()
            && around.subloops() == [self.outer];
        let times = self.cx.backedge_taken_count(around);
        (has_form && !times.is_could_not_compute() && self.cx.scev_bits(times) <= 64).then_some(times)
    }

    /// On which condition, if it is true or false, the loop comes to the nest: `Some(None)` if
    /// always.
    fn guard(&self, around: LoopRef<'c>) -> Option<Option<(ValueRef<'c>, bool)>> {
        let latch = around.latch()?;
        if self.cx.dominates(self.outer.header(), latch) {
            return Some(None);
        }
        let beside = around.blocks().into_iter().filter(|block| !self.inside.contains(block) && *block != latch);
        let mut branches = beside.filter(|block| block.successors().len() != 1);
        let (branch, None) = (branches.next()?, branches.next()) else { return None };
        let condition = branch.terminator().condition()?;
        let is_outside = condition.block().is_none_or(|block| !around.contains(block));
        let [yes, no] = branch.successors()[..] else { return None };
        let leads = [yes, no].map(|next| self.cx.dominates(next, self.outer.header()));
        let is_branch = branch.terminator().is_conditional_branch() && self.cx.dominates(branch, latch);
        (is_outside && is_branch && leads[0] != leads[1]).then_some(Some((condition, leads[0])))
    }

    /// Besides the nest, the loop only computes, and nothing of that is used behind it.
    fn does_nothing_else(&self, around: LoopRef<'c>) -> bool {
        let blocks = || around.blocks().into_iter().filter(|block| !self.inside.contains(block));
        blocks().flat_map(|block| block.instructions()).all(|instruction| {
            let effects = instruction.effects();
            let is_mark = instruction.is_call() && instruction.is_mark();
            let is_branch = instruction.opcode() == Some(Opcode::Br);
            let is_silent = !effects.may_write() && !effects.has_side_effects() && effects.transfers_execution();
            let is_local = |user: ValueRef<'c>| user.block().is_some_and(|block| around.contains(block));
            let is_alone =
                instruction.opcode() != Some(Opcode::Alloca) && instruction.users().into_iter().all(is_local);
            is_mark || is_branch || is_silent && is_alone
        })
    }
}
