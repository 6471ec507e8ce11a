//! Reads that data decide about become reads that always happen, where other instances read the element anyway.
//!
//! # Problem
//! In `r[i][j] = r[i][j] || (r[i][k] && r[k][j])` the language asks for two branches. A statement with branches that depend on
//! data is executed point by point: no vectors are made of a load that may not happen, since its address might be none.
//! But every element of `r` is read, or written, by some instance that no data decide about; so all of the addresses are
//! good, and the loads may happen everywhere.
//!
//! # Definitions
//! An access is *certain* if it is exact and its instruction has no predicate: every instance of its domain executes it. A *group* is
//! the instructions of a statement with one predicate.
//!
//! # Method
//! 1. By array: the elements of all certain accesses.
//! 2. A group loses its predicate if it consists of exact reads of memory whose elements, over the whole domain, are all among
//!    these, and of operations that may be executed where the original does not execute them. Groups with anything else stay
//!    whole: their branch stays, too.
//!
//! # Why it is right
//! The new code executes all instances of all statements, so a certain access of an element is executed in every run of it, and nothing
//! in the SCoP allocates or frees memory: the element is there, whenever it is read. What is read where the predicate is false is chosen by
//! nobody ([`InstrKind::Choose`] and the other kinds that combine truth values ask nothing of values that were not computed). What
//! metadata of the load promise about its value holds only where the predicate is true: code generation leaves it out
//! ([`Access::speculated`](crate::Access::speculated)). Local arrays are left alone, whose elements exist between marks only.

use std::collections::BTreeMap;

use poly_presburger::{Budget, Set, Stop};

use crate::{Access, AccessId, ArrayId, ArrayKind, Instr, InstrKind, Scop, Statement, ValueId};

/// Takes predicates from reads as described.
///
/// # Errors
/// [`Stop`] when the budget runs out; the SCoP may then have lost some predicates, all of them rightly.
pub fn speculate(scop: &mut Scop, budget: &mut Budget) -> Result<(), Stop> {
    if !scop.statements.iter().any(|s| s.body.iter().any(|instr| instr.predicate.is_some())) {
        return Ok(());
    }
    let certain = certain_elements(scop, budget)?;
    for index in 0..scop.statements.len() {
        for predicate in predicates(&scop.statements[index]) {
            let statement = &scop.statements[index];
            let group = || statement.body.iter().filter(|instr| instr.predicate == Some(predicate));
            let mut may_lose = true;
            for instr in group() {
                may_lose = may_lose && is_harmless(instr, statement, &certain, budget)?;
            }
            if may_lose {
                release(&mut scop.statements[index], predicate);
            }
        }
    }
    Ok(())
}

/// The predicates of a statement, in the order of their first use.
fn predicates(statement: &Statement) -> Vec<ValueId> {
    let mut result = Vec::new();
    for predicate in statement.body.iter().filter_map(|instr| instr.predicate) {
        if !result.contains(&predicate) {
            result.push(predicate);
        }
    }
    result
}

/// By array of memory: the elements that are accessed whatever the data are.
fn certain_elements(scop: &Scop, budget: &mut Budget) -> Result<BTreeMap<ArrayId, Set>, Stop> {
    let mut result: BTreeMap<ArrayId, Set> = BTreeMap::new();
    for statement in &scop.statements {
        for instr in statement.body.iter().filter(|instr| instr.predicate.is_none()) {
            let (InstrKind::Read(id) | InstrKind::Write(id)) = instr.kind else { continue };
            let access = &statement.accesses[id.index()];
            if !access.exact || !is_lasting(scop, access.array) {
                continue;
            }
            let elements = elements(statement, access);
            let known = match result.get(&access.array) {
                Some(known) => known.union(&elements).coalesce(budget)?,
                None => elements,
            };
            result.insert(access.array, known);
        }
    }
    Ok(result)
}

/// Memory of the program that is there before and after the SCoP.
fn is_lasting(scop: &Scop, array: ArrayId) -> bool {
    let array = &scop.arrays[array.index()];
    matches!(array.kind, ArrayKind::Memory { .. } | ArrayKind::Rows { .. }) && !array.local
}

fn elements(statement: &Statement, access: &Access) -> Set {
    access.relation.intersect_domain(&statement.domain).range()
}

/// Whether an instruction may be executed where its predicate is false.
fn is_harmless(
    instr: &Instr,
    statement: &Statement,
    certain: &BTreeMap<ArrayId, Set>,
    budget: &mut Budget,
) -> Result<bool, Stop> {
    match &instr.kind {
        InstrKind::Read(id) => {
            let access = &statement.accesses[id.index()];
            match certain.get(&access.array) {
                Some(known) if access.exact => elements(statement, access).is_subset(known, budget),
                _ => Ok(false),
            }
        }
        InstrKind::Compute { speculatable, errno, .. } => Ok(*speculatable && errno.is_none()),
        InstrKind::Holds { .. } | InstrKind::Any | InstrKind::Matches { .. } | InstrKind::Choose => Ok(true),
        InstrKind::Combine(_) | InstrKind::Neutral(_) => Ok(true),
        InstrKind::Write(_) | InstrKind::Loop { .. } | InstrKind::Result | InstrKind::Stop { .. } => Ok(false),
    }
}

/// Takes the predicate from its group.
fn release(statement: &mut Statement, predicate: ValueId) {
    let mut reads: Vec<AccessId> = Vec::new();
    for instr in statement.body.iter_mut().filter(|instr| instr.predicate == Some(predicate)) {
        instr.predicate = None;
        if let InstrKind::Read(access) = instr.kind {
            reads.push(access);
        }
    }
    for access in reads {
        statement.accesses[access.index()].speculated = true;
    }
}
