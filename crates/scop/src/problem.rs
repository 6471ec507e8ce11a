//! A SCoP as input of dependence analysis.
//!
//! Updates by the same operation (`add`, `llvm.smax.i32`, ..) form a group, the members of which
//! may change places with each other. The type of the elements belongs to the operation: where an
//! array is accessed as different types, the updates of each statement are on their own. Where it
//! may overlap another one, they are no reductions.

use indexmap::IndexSet;
use poly_dependence as dependence;
use poly_presburger::Id;

use crate::order::time_map;
use crate::reduction::{Update, updates};
use crate::{AccessId, AccessKind, ArrayId, InstrKind, MathErrors, Scop, Statement};

/// Everything dependence analysis needs, in the order of [`Scop::statements`] and
/// [`Statement::accesses`].
pub fn dependence_problem(scop: &Scop) -> dependence::Problem {
    let mut operations = IndexSet::new();
    let statements = scop.statements.iter().map(|statement| statement_info(scop, statement, &mut operations)).collect();
    dependence::Problem { context: scop.context.clone(), statements, overlaps: overlaps(scop) }
}

/// The pairs of arrays that keep their order because nobody can check whether they overlap.
pub(crate) fn overlaps(scop: &Scop) -> Vec<(Id, Id)> {
    let name = |array: ArrayId| Id::new(&scop.arrays[array.index()].name);
    scop.unchecked.iter().map(|&(a, b)| (name(a), name(b))).collect()
}

/// Operation and, where the type of the elements is not the same for all accesses, statement.
type Group = (String, Option<String>);

fn statement_info(scop: &Scop, statement: &Statement, groups: &mut IndexSet<Group>) -> dependence::StatementInfo {
    let mut reduction = |update: Update| {
        let array = statement.accesses[update.write.index()].array;
        let alone = scop.arrays[array.index()].element.is_mixed().then(|| statement.name.clone());
        dependence::ReductionInfo {
            read: update.read.index(),
            write: update.write.index(),
            operator: update.operator,
            reassociable: update.reassociable,
            group: groups.insert_full((update.operation, alone)).0,
        }
    };
    // In between, something else may touch the element.
    let is_alone = |update: &Update| !scop.is_unchecked(statement.accesses[update.write.index()].array);
    let reductions = updates(statement).into_iter().filter(is_alone).map(&mut reduction).collect();
    dependence::StatementInfo { reductions, ..ordering_info(scop, statement) }
}

/// Calls that may only set `errno` to one and the same value write the same thing.
fn group(scop: &Scop, statement: &Statement, access: AccessId) -> Option<u32> {
    if !scop.arrays[statement.accesses[access.index()].array.index()].is_errno() {
        return None;
    }
    let write = statement.body.iter().find(|instr| instr.kind == InstrKind::Write(access))?;
    let written = write.operands.first()?.value;
    let call = statement.body.iter().find(|instr| instr.value == written && instr.sets_errno())?;
    match call.kind {
        InstrKind::Compute { errno: Some(MathErrors::Domain), .. } => Some(0),
        InstrKind::Compute { errno: Some(MathErrors::Range), .. } => Some(1),
        _ => None,
    }
}

/// A statement without its reductions.
pub(crate) fn ordering_info(scop: &Scop, statement: &Statement) -> dependence::StatementInfo {
    ordering_info_of(scop, statement, 0..statement.accesses.len())
}

/// A statement without its reductions, of which only some accesses count.
pub(crate) fn ordering_info_of(
    scop: &Scop,
    statement: &Statement,
    accesses: impl IntoIterator<Item = usize>,
) -> dependence::StatementInfo {
    let info = |number: usize| {
        let access = &statement.accesses[number];
        dependence::AccessInfo {
            kind: match access.kind {
                AccessKind::Read => dependence::AccessKind::Read,
                AccessKind::MustWrite => dependence::AccessKind::MustWrite,
                AccessKind::MayWrite => dependence::AccessKind::MayWrite,
            },
            relation: access.relation.intersect_domain(&statement.domain),
            group: group(scop, statement, AccessId::from(number)),
        }
    };
    let accesses = accesses.into_iter().map(info).collect();
    dependence::StatementInfo {
        domain: statement.domain.clone(),
        time: time_map(scop, statement),
        accesses,
        reductions: Vec::new(),
    }
}
