//! Writes of one element under conditions that leave no case out become one write that always
//! happens.
//!
//! # Problem
//! In the table of a longest common subsequence
//!
//! ```text
//! if (a[i] == b[j]) L[i][j] = L[i-1][j-1] + 1; else L[i][j] = max(L[i-1][j], L[i][j-1]);
//! ```
//!
//! one of the two writes happens, whatever the data are. As two writes that may happen they keep
//! the statement from being executed in lanes, and the reads, whose addresses might be none where
//! their condition is false, too.
//!
//! # Method
//! 1. Writes of a statement that touch the same element are grouped. If in every case that their
//!    predicates distinguish at least one of them happens ([`covers`]), they become one write,
//!    where the last one was, of a choice ([`InstrKind::Choose`]): the value of the last one whose
//!    predicate is true.
//! 2. Values that are chosen from are computed always, and so are the reads among them, where all
//!    addresses are known to be good ([`speculate`](super::speculate)).
//!
//! # Legality
//! The write that happens last decides what the element is, and it is the one whose value is
//! chosen. Nobody sees the element in between: what the statement reads or writes there of the same
//! array are other elements, for all instances, and no other array may share bytes with it. What a
//! case is: [`super::cases`].
//!
//! Whether that pays is not decided here: the driver compares the best schedules with and without.
//!
//! Reference: [AllenKennedyPorterfieldWarren1983].

use poly_presburger::{Budget, Stop};

use super::cases::{Questions, holds};
use super::choices::simplify_choices;
use super::dead::retain_instrs;
use super::speculate::{Reach, speculate};
use super::{dead, within_part};
use crate::{Access, AccessId, AccessKind, Instr, InstrKind, Operand, OperandKind, Scop, Statement, ValueId};

/// The SCoP in which writes that leave no case out are one, and what they need is computed always;
/// `None` if there is nothing to change.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn if_converted(scop: &Scop, budget: &mut Budget) -> Result<Option<Scop>, Stop> {
    let has_conditions = |s: &Statement| s.body.iter().any(|instr| instr.predicate.is_some());
    if !scop.statements.iter().any(has_conditions) {
        return Ok(None);
    }
    let conditions = |scop: &Scop| -> usize {
        scop.statements.iter().flat_map(|s| &s.body).filter(|instr| instr.predicate.is_some()).count()
    };
    let mut result = scop.clone();
    for number in 0..result.statements.len() {
        while merge_writes(&mut result, number, budget)? {}
    }
    simplify_choices(&mut result, budget)?;
    within_part(budget, |part| speculate(&mut result, Reach::Objects, part));
    dead::remove(&mut result, budget)?;
    tracing::debug!(before = conditions(scop), after = conditions(&result), "if-conversion");
    Ok((conditions(&result) < conditions(scop)).then_some(result))
}

/// Merges the writes of one element; whether there were some.
fn merge_writes(scop: &mut Scop, number: usize, budget: &mut Budget) -> Result<bool, Stop> {
    let statement = &scop.statements[number];
    for first in 0..statement.body.len() {
        let Some(group) = group_of(scop, statement, first) else { continue };
        budget.spend(1)?;
        if covers(statement, &group) && is_unseen(scop, statement, &group, budget)? {
            merge(scop, number, &group);
            return Ok(true);
        }
    }
    Ok(false)
}

/// The write at a position with all later ones of the same element, if there are any that do the
/// same.
fn group_of(scop: &Scop, statement: &Statement, first: usize) -> Option<Vec<usize>> {
    let own = written(statement, first)?;
    let is_memory = !scop.arrays[own.array.index()].is_scalar() && !scop.is_unchecked(own.array);
    let operation = scop.operations.get(&statement.body[first].value)?;
    let is_same = |&position: &usize| {
        let Some(other) = written(statement, position) else { return false };
        other.array == own.array
            && other.exact
            && other.relation == own.relation
            && scop.operations.get(&statement.body[position].value) == Some(operation)
    };
    let is_conditional = statement.body[first].predicate.is_some() && own.exact && is_memory;
    let group: Vec<usize> = (first..statement.body.len()).filter(is_same).collect();
    (is_conditional && group.len() > 1).then_some(group)
}

/// What an instruction writes.
fn written(statement: &Statement, position: usize) -> Option<&Access> {
    match statement.body[position].kind {
        InstrKind::Write(access) => Some(&statement.accesses[access.index()]),
        _ => None,
    }
}

/// Whether nothing between the writes of an element touches that element, but for these writes.
fn is_unseen(scop: &Scop, statement: &Statement, group: &[usize], budget: &mut Budget) -> Result<bool, Stop> {
    let (first, last) = (group[0], group[group.len() - 1]);
    let own = written(statement, first).expect("groups consist of writes");
    for position in (first..last).filter(|position| !group.contains(position)) {
        let instr = &statement.body[position];
        let access = match instr.kind {
            InstrKind::Read(access) | InstrKind::Write(access) => &statement.accesses[access.index()],
            InstrKind::Loop { .. } => return Ok(false),
            _ => continue,
        };
        if access.array != own.array {
            continue;
        }
        let both = access.relation.intersect(&own.relation).intersect_domain(&statement.domain);
        let both = both.intersect_params(&scop.context);
        if !access.exact || !both.is_empty(budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Makes the writes at these positions one.
fn merge(scop: &mut Scop, number: usize, group: &[usize]) {
    let (&last, before) = group.split_last().expect("a group has writes");
    let value = scop.copy_of(scop.statements[number].body[last].operands[0].value);
    let statement = &mut scop.statements[number];
    let stored = |position: usize| statement.body[position].operands[0];
    let mut operands = Vec::new();
    for &position in group[1..].iter().rev() {
        let Some(predicate) = statement.body[position].predicate else { continue };
        operands.push(Operand { value: predicate, kind: OperandKind::Local });
        operands.push(stored(position));
    }
    operands.push(stored(group[0]));
    let write = &mut statement.body[last];
    (write.predicate, write.operands) = (None, vec![Operand { value, kind: OperandKind::Local }]);
    let InstrKind::Write(access) = write.kind else { unreachable!("groups consist of writes") };
    let access: &mut Access = &mut statement.accesses[AccessId::index(access)];
    (access.kind, access.value) = (AccessKind::MustWrite, value);
    statement.body.insert(last, Instr { kind: InstrKind::Choose, value, operands, predicate: None });
    retain_instrs(statement, |position, _| !before.contains(&position));
}

/// Whether one of the writes happens in every case.
fn covers(statement: &Statement, group: &[usize]) -> bool {
    let predicates: Option<Vec<ValueId>> = group.iter().map(|&position| statement.body[position].predicate).collect();
    // One that always happens replaces what those before it have written, which `dead` removes.
    let Some(predicates) = predicates else { return false };
    let mut questions = Questions::default();
    predicates.iter().for_each(|&predicate| questions.of(statement, predicate));
    let Some(cases) = questions.cases() else { return false };
    cases.iter().all(|case| predicates.iter().any(|&predicate| holds(statement, predicate, case)))
}
