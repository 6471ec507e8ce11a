//! What LLVM makes of the loops of the original order.
//!
//! # Problem
//! The original order is priced as vector code where no dependence is in the way. LLVM's own
//! vectorizer does not know as much: where it cannot tell two accesses to one array apart it writes
//! a check in front of the vector loop. In
//!
//! ```text
//! for i: for j: A[i][j] -= A[i][k] * A[k][j]
//! ```
//!
//! it asks whether the elements that `A[i][j]` writes overlap those that `A[i][k]` reads, and it
//! moves the check out of the loop over `i` and asks for all rows at once. They do overlap, as the
//! rows of one access lie between those of the other, and scalar code runs.
//!
//! # Rule
//! Let `c` be the innermost loop and `p` the one around it. The check fails if an element of a row
//! is read that does not move along `c`, and others of that row are written along `c`, in a row
//! that moves along `p`: what is read in one iteration of `p` lies between what is written in
//! others. Where both accesses move along `c` LLVM compares the distance of their addresses with
//! the bytes of a vector instead, which rows pass; accesses to different rows may be apart.
//!
//! # Bounds and addresses that are loaded again
//! In `for (size_t i = 0; i < v.size(); i++) v[i] = 255 - v[i]` with bytes as elements, every write
//! might change the pointers of `v`, so that the loop loads them in every iteration. LLVM does not
//! know how often it runs, and scalar code runs.
//!
//! # Divisions
//! Subscripts with remainders, `a[(i + 1) % n]`, are divisions in the original, one for each point,
//! as LLVM does not know where a neighbour is elsewhere. New code has affine subscripts.
//!
//! # Fixed-order recurrences
//! A scalar that hands on to the next iteration what this one has not computed from scalars of the
//! kind, as in
//!
//! ```text
//! for i: here = u[i]; u[i] = here - c * (here - before); before = here
//! ```
//!
//! makes no chain. LLVM calls it a fixed-order recurrence and makes vectors: the values of the
//! iterations before are the vector of those that are handed on, shifted by one lane. A scalar may
//! hand on another one of these. Nothing but this rule knows that the dependences of such a scalar
//! are in nobody's way, and it counts only for the original order: new code has the scalar in
//! memory.

use std::collections::{BTreeMap, BTreeSet};

use poly_dependence::Dependence;
use poly_presburger::DimKind;
use rustc_hash::FxHashMap;

use crate::facts::{AccessFacts, StatementFacts};
use crate::{AccessKind, ArrayId, InstrKind, Scop, Statement, ValueId};

/// Whether a dependence, in the original order, is of a fixed-order recurrence.
pub(crate) fn is_fixed_order_recurrence(scop: &Scop, dependence: &Dependence) -> bool {
    let (statement, access) = dependence.source;
    let array = scop.statements[statement].accesses[access].array;
    statement == dependence.sink.0
        && scop.arrays[array.index()].is_scalar()
        && handed_on(&scop.statements[statement]).contains(&array)
}

/// Whether the innermost loop of a statement, in the original order, looks for extremes: code
/// generation makes vectors of it, as LLVM does of reductions.
pub(crate) fn looks_for_extremes(scop: &Scop, statement: usize) -> bool {
    let innermost = scop.statements[statement].loops.last();
    innermost.is_some_and(|l| scop.loops[l.index()].finds_extremes)
}

/// The scalars that a statement always writes, once, and only with what it has computed from memory
/// and from other scalars of the kind.
fn handed_on(statement: &Statement) -> Vec<ArrayId> {
    let sources = sources(statement);
    let mut writes: BTreeMap<ArrayId, Vec<(AccessKind, Option<ValueId>)>> = BTreeMap::new();
    for instr in &statement.body {
        if let InstrKind::Write(access) = instr.kind {
            let access = &statement.accesses[access.index()];
            writes.entry(access.array).or_default().push((access.kind, instr.locals().next()));
        }
    }
    let mut result: Vec<ArrayId> = Vec::new();
    loop {
        let is_new = |(scalar, writes): &(&ArrayId, &Vec<(AccessKind, Option<ValueId>)>)| {
            let [(AccessKind::MustWrite, value)] = writes[..] else { return false };
            let from = value.and_then(|value| sources.get(&value)).map_or(&[][..], Vec::as_slice);
            !result.contains(scalar) && from.iter().all(|scalar| result.contains(scalar))
        };
        let Some((&scalar, _)) = writes.iter().find(is_new) else { return result };
        result.push(scalar);
    }
}

/// By value of a body, the scalars that it is computed from within the instance. What is read from
/// memory is from none.
fn sources(statement: &Statement) -> FxHashMap<ValueId, Vec<ArrayId>> {
    let mut result: FxHashMap<ValueId, Vec<ArrayId>> = FxHashMap::default();
    for instr in &statement.body {
        let own = match instr.kind {
            InstrKind::Write(_) => continue,
            InstrKind::Read(access) => {
                let access = &statement.accesses[access.index()];
                let is_scalar = access.relation.space().dim(DimKind::Out) == 0;
                if is_scalar { BTreeSet::from([access.array]) } else { BTreeSet::new() }
            }
            _ => instr.locals().filter_map(|value| result.get(&value)).flatten().copied().collect(),
        };
        result.insert(instr.value, own.into_iter().collect());
    }
    result
}

/// Whether LLVM's overlap check in front of the innermost loop of a statement, in the original
/// order, fails. Accesses that are not affine are not looked at. Where a table says where rows are,
/// LLVM does not know how far they reach in all iterations of the loop around, and leaves its check
/// inside.
pub(crate) fn overlap_check_fails(scop: &Scop, statement: &StatementFacts) -> bool {
    let Some(around) = statement.extents.len().checked_sub(2).filter(|&around| statement.extents[around] >= 2.0) else {
        return false;
    };
    let innermost = around + 1;
    let has_table = |access: &&AccessFacts| scop.arrays[access.array].table().is_some();
    let mut written = statement.accesses.iter().filter(|access| access.write && !has_table(access));
    written.any(|write| {
        let reads = statement.accesses.iter().filter(|read| !read.write && read.array == write.array);
        reads.into_iter().any(|read| lies_between(write, read, around, innermost))
    })
}

/// Whether the innermost loop of a statement loads a bound or an address again in every iteration.
pub(crate) fn reloads(scop: &Scop, statement: usize) -> bool {
    scop.statements[statement].loops.last().is_some_and(|l| scop.loops[l.index()].reloads)
}

/// Adds the divisions of integers that the original executes for subscripts only: to the first
/// statement of their loop.
pub(crate) fn add_divisions(scop: &Scop, facts: &mut [StatementFacts]) {
    for (number, l) in scop.loops.iter().enumerate() {
        let is_own = |s: &usize| scop.statements[*s].loops.last().is_some_and(|last| last.index() == number);
        let own: Vec<usize> = (0..scop.statements.len()).filter(is_own).collect();
        let counted: f64 = own.iter().map(|&s| facts[s].work.divisions.integers).sum();
        if let Some(&first) = own.first() {
            facts[first].work.divisions.integers += (l.divisions as f64 - counted).max(0.0);
        }
    }
}

/// The write moves along the innermost loop within the row in which the read stays, and the row
/// moves along the loop around it.
fn lies_between(write: &AccessFacts, read: &AccessFacts, around: usize, innermost: usize) -> bool {
    let (Some(write), Some(read)) = (&write.subscripts, &read.subscripts) else { return false };
    let (Some((column, row)), Some((fixed, same))) = (write.split_last(), read.split_last()) else { return false };
    row == same
        && row.iter().any(|(slopes, _)| slopes[around] != 0.0)
        && row.iter().all(|(slopes, _)| slopes[innermost] == 0.0)
        && column.0[innermost] != 0.0
        && fixed.0[innermost] == 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An access in loops `k`, `i`, `j`: the slopes of its row and of its column.
    fn access(row: [f64; 3], column: [f64; 3], write: bool) -> AccessFacts {
        let subscripts = Some(vec![(row.to_vec(), 0.0), (column.to_vec(), 0.0)]);
        AccessFacts { steps: vec![0.0; 3], bytes: 8.0, write, group: 0, array: 0, subscripts, kept: None }
    }

    const K: [f64; 3] = [1.0, 0.0, 0.0];
    const I: [f64; 3] = [0.0, 1.0, 0.0];
    const J: [f64; 3] = [0.0, 0.0, 1.0];

    fn fails(write: ([f64; 3], [f64; 3]), read: ([f64; 3], [f64; 3])) -> bool {
        lies_between(&access(write.0, write.1, true), &access(read.0, read.1, false), 1, 2)
    }

    #[test]
    fn a_column_lies_between_rows() {
        assert!(fails((I, J), (I, K)), "A[i][j] and A[i][k]");
    }

    #[test]
    fn other_rows_may_be_apart() {
        assert!(!fails((I, J), (K, J)), "A[i][j] and A[k][j]");
        assert!(!fails((I, J), (K, K)), "A[i][j] and A[k][k]");
    }

    #[test]
    fn distances_and_single_rows_pass() {
        assert!(!fails((I, J), (I, J)), "the same element");
        assert!(!fails((K, J), (K, K)), "one row, in which one element is read");
        assert!(!fails((J, I), (J, K)), "no row is written along the innermost loop");
    }
}
