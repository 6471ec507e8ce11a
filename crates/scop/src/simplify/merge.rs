//! Scalars that hold the same value become one.
//!
//! # Problem
//! A sum over two loops is carried by a PHI node for each of them, with copies from one to the
//! other at the beginning and at the end of every iteration of the outer loop, and its last value
//! has a name of its own behind the loops. The copies order the iterations even where the updates
//! themselves do not.
//!
//! # Rules
//! Each of them is a proposal, kept only if the dataflow stays the same ([`super::flow`]):
//! - *copies*: where a statement writes what it has read from one scalar to another, every access
//!   of the second one is redirected to the first one;
//! - *copies*: where a statement writes one value to two scalars, readers of the second one read
//!   the first one, or both are accessed as one if only one of them is used after the region.
//!
//! What is left, a scalar that is written back, is removed by [`super::dead`].

use poly_presburger::{Budget, DimKind, Stop, Tuple};

use super::flow::{self, Session};
use super::{copies, dead};
use crate::{AccessId, AccessKind, ArrayId, ArrayKind, InstrKind, Scop, Statement, ValueId};

/// Applies the rules until none applies.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn merge_scalars(scop: &mut Scop, session: &mut Session, budget: &mut Budget) -> Result<(), Stop> {
    let mut refused: Vec<Redirection> = Vec::new();
    while let Some(next) = redirections(scop).into_iter().find(|r| !refused.contains(r)) {
        budget.spend(1)?;
        let proposal = next.apply(scop);
        let merged = if session.preserves(scop, &proposal, budget)? {
            Some(proposal)
        } else {
            let changed = flow::changed_arrays(scop, &proposal);
            copies::shortened(scop, proposal, changed, session, budget)?
        };
        if let Some(merged) = merged {
            *scop = merged;
            dead::remove(scop, budget)?;
            // What was wrong may be right now; there are fewer scalars or fewer reads of them.
            refused.retain(|r| r.reads_only);
        } else {
            refused.push(next);
        }
    }
    Ok(())
}

/// Accesses of one scalar go to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Redirection {
    from: ArrayId,
    to: ArrayId,
    /// Only those that read.
    reads_only: bool,
}

impl Redirection {
    fn apply(self, scop: &Scop) -> Scop {
        let mut proposal = scop.clone();
        let tuple = Tuple::named(&*scop.arrays[self.to.index()].name, 0);
        for access in proposal.statements.iter_mut().flat_map(|s| &mut s.accesses) {
            if access.array == self.from && (!self.reads_only || access.kind == AccessKind::Read) {
                access.array = self.to;
                access.relation = access.relation.set_tuple(DimKind::Out, tuple.clone());
            }
        }
        proposal
    }
}

/// What the rules propose.
fn redirections(scop: &Scop) -> Vec<Redirection> {
    let mut result = Vec::new();
    let is_live = |array: ArrayId| matches!(scop.arrays[array.index()].kind, ArrayKind::Scalar { live_out: true, .. });
    let same_type = |a: ArrayId, b: ArrayId| a != b && scop.arrays[a.index()].element == scop.arrays[b.index()].element;
    for statement in &scop.statements {
        let written = scalar_writes(scop, statement);
        for &(to, value) in &written {
            for from in read_as(scop, statement, value).into_iter().filter(|&from| same_type(from, to)) {
                if !is_live(to) {
                    result.push(Redirection { from: to, to: from, reads_only: false });
                }
            }
        }
        for &(one, value) in &written {
            let copies = written.iter().filter(|&&(other, same)| same == value && same_type(one, other));
            for &(other, _) in copies {
                if is_read(scop, other) && !is_live(one) {
                    result.push(Redirection { from: other, to: one, reads_only: true });
                }
                if !is_live(one) && !is_read(scop, other) {
                    result.push(Redirection { from: one, to: other, reads_only: false });
                }
            }
        }
    }
    result
}

/// The scalars that a statement always writes, with the values.
fn scalar_writes(scop: &Scop, statement: &Statement) -> Vec<(ArrayId, ValueId)> {
    let scalar = |number: usize| {
        let access = &statement.accesses[number];
        let is_scalar = scop.arrays[access.array.index()].is_scalar();
        let found = || (access.array, statement.value_of(AccessId::from(number)));
        (is_scalar && access.kind == AccessKind::MustWrite).then(found)
    };
    (0..statement.accesses.len()).filter_map(scalar).collect()
}

/// The scalars that a statement reads as a value.
fn read_as(scop: &Scop, statement: &Statement, value: ValueId) -> Vec<ArrayId> {
    let read = |instr: &crate::Instr| match instr.kind {
        InstrKind::Read(access) if instr.value == value => Some(statement.accesses[access.index()].array),
        _ => None,
    };
    let arrays = statement.body.iter().filter_map(read);
    arrays.filter(|array| scop.arrays[array.index()].is_scalar()).collect()
}

fn is_read(scop: &Scop, array: ArrayId) -> bool {
    scop.statements.iter().any(|s| s.accesses.iter().any(|a| a.kind == AccessKind::Read && a.array == array))
}
