//! In which order index arrays may be compared with what they were.
//!
//! # Problem
//! A schedule is used again if index arrays have the contents that it was made from. The program
//! may have changed them, and made them shorter: `col` is read up to `row[n]`, and where that is
//! another number than at the inspection, what has been read of `col` may be no memory any more.
//!
//! # Method
//! An index array may be looked at where everything is known to be as it was that decides whether,
//! and at which address, it is read: then the original reads what the inspection has read. What
//! decides is what its address is computed from and the conditions of branches that control its
//! block [Ferrante1987], with what these are computed from. Sites that nothing but counters and
//! scalars decides about have stage 0; the others come behind all those that decide about them. A
//! site that decides about itself, as in `k = next[k]`, has none, and the loop is left alone.

use std::collections::HashSet;

use poly_shim::{BlockRef, ValueRef};

use super::Search;

impl<'c> Search<'c> {
    /// The stage of each of these loads of index arrays; `None` if one decides about itself.
    pub(super) fn stages(&self, loads: &[ValueRef<'c>]) -> Option<Vec<u32>> {
        let deciding: Vec<HashSet<ValueRef<'c>>> = loads.iter().map(|load| self.deciding(*load)).collect();
        let mut stages: Vec<Option<u32>> = vec![None; loads.len()];
        for stage in 0..loads.len() as u32 {
            let is_open = |k: usize| stages[k].is_none();
            let is_free =
                |k: usize| (0..loads.len()).all(|other| !is_open(other) || !deciding[k].contains(&loads[other]));
            let next: Vec<usize> = (0..loads.len()).filter(|&k| is_open(k) && is_free(k)).collect();
            next.into_iter().for_each(|k| stages[k] = Some(stage));
        }
        stages.into_iter().collect()
    }

    /// What decides whether and where a load reads, as far as it is in the loop.
    fn deciding(&self, load: ValueRef<'c>) -> HashSet<ValueRef<'c>> {
        let mut known = HashSet::new();
        let mut controlled = HashSet::new();
        let mut todo: Vec<ValueRef<'c>> = load.pointer_operand().into_iter().collect();
        todo.extend(load.block().into_iter().flat_map(|block| self.controlling(block, &mut controlled)));
        while let Some(value) = todo.pop() {
            if !self.is_inside(value) || !known.insert(value) {
                continue;
            }
            todo.extend(value.operands().into_iter().filter(|operand| operand.as_block().is_none()));
            // Which value a PHI node has depends on where control comes from; how often the outer
            // loop runs is known.
            if value.block() != Some(self.outer.header()) {
                for (from, _) in value.incoming() {
                    todo.extend(from.terminator().condition());
                    todo.extend(self.controlling(from, &mut controlled));
                }
            }
        }
        known
    }

    /// The conditions that decide whether a block of the loop is executed in an iteration, but for
    /// those of blocks that are `known` already.
    fn controlling(&self, block: BlockRef<'c>, known: &mut HashSet<BlockRef<'c>>) -> Vec<ValueRef<'c>> {
        let mut result = Vec::new();
        let mut todo = vec![block];
        while let Some(block) = todo.pop() {
            if !self.inside.contains(&block) || !known.insert(block) {
                continue;
            }
            for &from in self.blocks.iter().filter(|from| **from != self.latch) {
                let Some(condition) = from.terminator().condition() else { continue };
                let leads_here = |next: BlockRef<'c>| self.cx.post_dominates(block, next);
                let is_passed = block != from && self.cx.post_dominates(block, from);
                if !is_passed && from.successors().into_iter().any(leads_here) {
                    result.push(condition);
                    todo.push(from);
                }
            }
        }
        result
    }
}
