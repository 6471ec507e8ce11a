//! Updates under conditions as updates that always happen.
//!
//! # Problem
//! `if (class[j] == c) sum += x[j]` is no update for all `j`. In the model the new value is a
//! choice, `c ? sum + x[j] : sum`, with `x[j]` read where the condition is true. It is the same as
//! `sum += c ? x[j] : 0`, which is a reduction of a value like others.
//!
//! # Definitions
//! A *choice of updates* is an instruction [`InstrKind::Choose`] that is all that the element is
//! written with. Each of its *cases* is the old element, or that combined with a value, by one
//! operation for all cases. Nothing else uses the old element or a case.
//!
//! # Method
//! The choice is made among the values, with the number that changes nothing for the case of the
//! old element, and combined with the old element.
//!
//! # Why it is right
//! In each case the element is combined with what it was combined with, or with the neutral number.
//! Conditions are the same, and what a case needs is computed under the same predicates. Integers
//! are combined modulo a power of two; sums of floating-point numbers may be reassociated, where
//! `s + -0.0` is `s`.

use crate::{AccessKind, Combination, Instr, InstrKind, Operand, OperandKind, Scop, Statement, StmtId, ValueId};

/// A choice of updates.
struct Guarded {
    /// The place of the choice in the body.
    choice: usize,
    /// The old element.
    read: ValueId,
    combination: Combination,
    /// By operand of the choice that is a case: what the element is combined with, if it is, and
    /// the instruction that does it.
    cases: Vec<(usize, Option<(Operand, ValueId)>)>,
}

/// The SCoP in which a statement's choice of updates is an update that always happens; nothing if
/// there is none.
pub(super) fn updated_always(scop: &Scop, number: StmtId) -> Option<Scop> {
    let found = guarded(&scop.statements[number.index()])?;
    let step = found.cases.iter().find_map(|(_, case)| case.map(|(_, step)| step))?;
    let mut result = scop.clone();
    let [neutral, chosen, combined] = [(); 3].map(|()| result.copy_of(step));
    let local = |value| Operand { value, kind: OperandKind::Local };
    let statement = &mut result.statements[number.index()];
    let old = statement.body[found.choice].clone();
    let mut operands = old.operands.clone();
    for (place, case) in &found.cases {
        operands[*place] = case.map_or(local(neutral), |(value, _)| value);
    }
    let instrs = [
        (InstrKind::Neutral(found.combination), neutral, Vec::new()),
        (InstrKind::Choose, chosen, operands),
        (InstrKind::Combine(found.combination), combined, vec![local(found.read), local(chosen)]),
    ];
    let instrs = instrs.map(|(kind, value, operands)| Instr { kind, value, operands, predicate: None });
    statement.body.splice(found.choice..=found.choice, instrs);
    let stored = statement.body.iter_mut().filter(|instr| matches!(instr.kind, InstrKind::Write(_)));
    stored.flat_map(|store| &mut store.operands).for_each(|operand| operand.value = combined);
    let is_step = |instr: &Instr| found.cases.iter().any(|(_, case)| case.is_some_and(|(_, step)| step == instr.value));
    statement.body.retain(|instr| !is_step(instr));
    Some(result)
}

/// The choice of updates that a statement is, if it is one.
fn guarded(statement: &Statement) -> Option<Guarded> {
    let mut writes = statement.body.iter().filter(|instr| matches!(instr.kind, InstrKind::Write(_)));
    let (store, None) = (writes.next()?, writes.next()) else { return None };
    let InstrKind::Write(write) = store.kind else { return None };
    let target = &statement.accesses[write.index()];
    if store.predicate.is_some() || target.kind != AccessKind::MustWrite || !target.exact {
        return None;
    }
    let stored = store.operands.first().filter(|operand| operand.kind == OperandKind::Local)?;
    let is_choice = |instr: &Instr| instr.value == stored.value && instr.kind == InstrKind::Choose;
    let choice = statement.body.iter().position(is_choice)?;
    let reads_target = |instr: &&Instr| match instr.kind {
        InstrKind::Read(read) => {
            let read = &statement.accesses[read.index()];
            instr.predicate.is_none() && read.exact && read.array == target.array && read.relation == target.relation
        }
        _ => false,
    };
    let read = statement.body.iter().find(reads_target)?.value;
    let chosen = &statement.body[choice];
    if chosen.predicate.is_some() || statement.uses(chosen.value) != 1 {
        return None;
    }
    cases(statement, choice, read)
}

/// The cases of a choice, if all of them are the old element or updates of it by one operation.
fn cases(statement: &Statement, choice: usize, read: ValueId) -> Option<Guarded> {
    let operands = &statement.body[choice].operands;
    let last = operands.len() - 1;
    let (mut cases, mut combination, mut used) = (Vec::new(), None, 0);
    for (place, operand) in operands.iter().enumerate().filter(|(place, _)| *place == last || place % 2 == 1) {
        let case = match operand.kind {
            OperandKind::Local if operand.value == read => None,
            OperandKind::Local => {
                let step = statement.body.iter().find(|instr| instr.value == operand.value)?;
                let (own, value) = step_of(step, read)?;
                if *combination.get_or_insert(own) != own || statement.uses(step.value) != 1 {
                    return None;
                }
                Some((value, step.value))
            }
            _ => return None,
        };
        used += 1;
        cases.push((place, case));
    }
    let combination = combination?;
    (statement.uses(read) == used).then_some(Guarded { choice, read, combination, cases })
}

/// The operation that combines the old element with a value, and that value.
fn step_of(step: &Instr, read: ValueId) -> Option<(Combination, Operand)> {
    let combination = match &step.kind {
        InstrKind::Combine(combination) => *combination,
        InstrKind::Compute { opcode, reassociable, errno: None, .. } => {
            let combination = Combination::of_opcode(opcode)?;
            (*reassociable || !combination.is_float()).then_some(combination)?
        }
        _ => return None,
    };
    let is_read = |operand: &Operand| operand.kind == OperandKind::Local && operand.value == read;
    match step.operands[..] {
        [a, b] if is_read(&a) && !is_read(&b) => Some((combination, b)),
        [a, b] if is_read(&b) && !is_read(&a) && combination != Combination::Subtract => Some((combination, a)),
        _ => None,
    }
}
