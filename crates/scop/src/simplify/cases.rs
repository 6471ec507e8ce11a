//! In which cases truth values of a statement are true.
//!
//! # Definitions
//! A *question* is what a truth value depends on and is no combination itself: a condition, or
//! which case of a `switch` a number is. A *case* is a list of answers to all questions of some
//! truth values. What is not asked where another condition is false may have any answer.

use std::collections::BTreeMap;

use crate::{Instr, InstrKind, Operand, Statement, ValueId};

/// Most cases that truth values distinguish.
const MAX_CASES: usize = 256;

/// The answers to all questions: to each condition whether it is true (1) or not (0), to each
/// number which of the cases.
pub(super) type Case = BTreeMap<ValueId, i128>;

/// What predicates ask: by value the answers that they distinguish.
#[derive(Default)]
pub(super) struct Questions(BTreeMap<ValueId, Vec<i128>>);

impl Questions {
    /// Those that are conditions, if all are.
    pub(super) fn conditions(&self) -> Option<Vec<ValueId>> {
        let is_condition = |answers: &Vec<i128>| answers[..] == [1];
        self.0.values().all(is_condition).then(|| self.0.keys().copied().collect())
    }

    /// Adds what a predicate asks.
    pub(super) fn of(&mut self, statement: &Statement, predicate: ValueId) {
        let asking = decision(statement, predicate);
        match asking.map(|instr| (&instr.kind, &instr.operands)) {
            Some((InstrKind::Any, operands)) => operands.iter().for_each(|o| self.of(statement, o.value)),
            Some((InstrKind::Holds { .. }, operands)) => operands.iter().for_each(|o| self.of(statement, o.value)),
            Some((InstrKind::Matches { cases, .. }, operands)) => {
                let Some((number, first)) = operands.split_last() else { return };
                first.iter().for_each(|o| self.of(statement, o.value));
                let known = self.0.entry(number.value).or_default();
                known.extend(cases);
                known.sort_unstable();
                known.dedup();
            }
            _ => {
                self.0.insert(predicate, vec![1]);
            }
        }
    }

    /// All lists of answers; `None` if they are too many. Another answer than those that are
    /// distinguished is one more.
    pub(super) fn cases(&self) -> Option<Vec<Case>> {
        let mut result = vec![Case::new()];
        for (&value, answers) in &self.0 {
            if result.len() * (answers.len() + 1) > MAX_CASES {
                return None;
            }
            let other = (0..).find(|answer| !answers.contains(answer)).expect("there are more numbers");
            let with = |case: &Case, answer: i128| {
                let mut case = case.clone();
                case.insert(value, answer);
                case
            };
            let all = || answers.iter().copied().chain([other]);
            result = result.iter().flat_map(|case| all().map(move |answer| with(case, answer))).collect();
        }
        Some(result)
    }
}

/// The questions that the predicates of a statement's accesses ask.
pub(crate) fn conditions(statement: &Statement) -> Vec<ValueId> {
    let mut questions = Questions::default();
    let is_access = |instr: &&Instr| matches!(instr.kind, InstrKind::Read(_) | InstrKind::Write(_));
    let predicates = statement.body.iter().filter(is_access).filter_map(|instr| instr.predicate);
    predicates.for_each(|predicate| questions.of(statement, predicate));
    questions.0.into_keys().collect()
}

/// The instruction that a truth value is combined by from others; `None` if it is a condition
/// itself.
pub(super) fn decision(statement: &Statement, value: ValueId) -> Option<&Instr> {
    let combines =
        |kind: &InstrKind| matches!(kind, InstrKind::Holds { .. } | InstrKind::Any | InstrKind::Matches { .. });
    statement.body.iter().find(|instr| instr.value == value && combines(&instr.kind))
}

/// Whether a predicate is true in a case.
pub(super) fn holds(statement: &Statement, predicate: ValueId, case: &Case) -> bool {
    let is_true = |operand: &Operand| holds(statement, operand.value, case);
    let Some(instr) = decision(statement, predicate) else { return case[&predicate] == 1 };
    match &instr.kind {
        InstrKind::Any => instr.operands.iter().any(is_true),
        kind => {
            let Some((last, first)) = instr.operands.split_last() else { return true };
            let (answer, inverted) = match kind {
                InstrKind::Matches { cases, inverted } => (cases.contains(&case[&last.value]), *inverted),
                InstrKind::Holds { inverted } => (is_true(last), *inverted),
                _ => unreachable!("decisions are of these kinds"),
            };
            first.iter().all(is_true) && answer != inverted
        }
    }
}

/// The same, with the questions that are asked to find it out: nothing behind what has decided.
pub(super) fn ask(statement: &Statement, value: ValueId, case: &Case, asked: &mut Vec<ValueId>) -> bool {
    let Some(instr) = decision(statement, value) else {
        asked.push(value);
        return case[&value] == 1;
    };
    if instr.kind == InstrKind::Any {
        return instr.operands.iter().any(|operand| ask(statement, operand.value, case, asked));
    }
    let Some((last, first)) = instr.operands.split_last() else { return true };
    if !first.iter().all(|operand| ask(statement, operand.value, case, asked)) {
        return false;
    }
    match &instr.kind {
        InstrKind::Holds { inverted } => ask(statement, last.value, case, asked) != *inverted,
        _ => {
            asked.push(last.value);
            holds(statement, value, case)
        }
    }
}
