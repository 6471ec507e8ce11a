//! Choices among the values of several ways, as decisions of which each asks one condition.
//!
//! # Problem
//! In `min(min(a, b) + 1, c)` with a macro for minima, the inner minimum is written twice:
//!
//! ```text
//! m = a < b ? a : b;    m + 1 < c ? (a < b ? a + 1 : b + 1) : c
//! ```
//!
//! The three ways meet at one PHI node, and the model asks for each whether control has come by it:
//! `not C ? c : (C and not D) ? b + 1 : a + 1`, where `C` is `m + 1 < c` and `D` is `a < b`. In
//! vectors that is a conjunction and two choices for what is a minimum: LLVM knows that
//! `D ? a + 1 : b + 1` is `m + 1`, but not that `C` is true where that is chosen.
//!
//! # Algorithm
//! 1. The questions that the conditions ask ([`super::cases`]), at most [`MAX_QUESTIONS`], have
//!    answers. In each case the value behind the first condition that is true is chosen, and to
//!    find that out some of the questions are *asked*: those of a condition if the ones before it
//!    are false, and what is behind an `and` or an `or` if what is in front of it has not decided.
//! 2. Of these cases a decision tree is made: at each node a question that is asked in all cases
//!    that come there, the one with the fewest nodes below it. Cases that agree are a leaf.
//! 3. If the tree has no more nodes than there were conditions, and one of these was combined of
//!    others, each node becomes an instruction ([`InstrKind::Choose`]) with a question as its
//!    condition.
//!
//! 4. A node that chooses from the values of one operation, which differ in one operand, chooses
//!    the operand, and the operation follows: `D ? a + 1 : b + 1` is `(D ? a : b) + 1`, of which
//!    LLVM makes a minimum, and the same one as `m`.
//!
//! # Legality
//! In every case the same value is chosen as before. What is not asked may be undefined, and it is
//! not asked in the tree either; a node whose value is not chosen may be undefined itself. So may
//! the result of an operation that no way executes here, if it may be executed anywhere.
//!
//! Reference: decision trees and diagrams, [Bryant1986].

use poly_presburger::{Budget, Stop};

use super::cases::{Case, Questions, ask, decision};
use crate::{Instr, InstrKind, Operand, OperandKind, Scop, Statement, ValueId};

/// Most questions of a choice: all orders of them are looked at, 24 of four.
const MAX_QUESTIONS: usize = 4;

/// A decision.
#[derive(Debug)]
enum Tree {
    /// The position of the value, among those that there are to choose from.
    Leaf(usize),
    /// The one if the answer to a question is yes, else the other one.
    Node(ValueId, Box<[Tree; 2]>),
}

impl Tree {
    fn nodes(&self) -> usize {
        match self {
            Tree::Leaf(_) => 0,
            Tree::Node(_, children) => 1 + children.iter().map(Tree::nodes).sum::<usize>(),
        }
    }
}

/// Makes decisions of all choices that become shorter.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn simplify_choices(scop: &mut Scop, budget: &mut Budget) -> Result<(), Stop> {
    for number in 0..scop.statements.len() {
        let mut position = 0;
        while position < scop.statements[number].body.len() {
            let statement = &scop.statements[number];
            if let Some(tree) = shorter(statement, &statement.body[position], budget)? {
                position += rewrite(scop, (number, position), &tree);
            }
            position += 1;
        }
    }
    Ok(())
}

/// The conditions and the values of a choice; one value more.
fn parts(choice: &Instr) -> (Vec<ValueId>, Vec<Operand>) {
    let values = choice.operands.chunks(2).filter_map(|pair| pair.last().copied()).collect();
    let conditions = choice.operands.chunks_exact(2).map(|pair| pair[0].value).collect();
    (conditions, values)
}

/// A tree of decisions that is shorter than a choice, if the instruction is one.
fn shorter(statement: &Statement, choice: &Instr, budget: &mut Budget) -> Result<Option<Tree>, Stop> {
    let is_local = |pair: &[Operand]| pair[0].kind == OperandKind::Local;
    if choice.kind != InstrKind::Choose || !choice.operands.chunks_exact(2).all(is_local) {
        return Ok(None);
    }
    let (conditions, _) = parts(choice);
    if !conditions.iter().any(|&condition| decision(statement, condition).is_some()) {
        return Ok(None);
    }
    let mut questions = Questions::default();
    conditions.iter().for_each(|&condition| questions.of(statement, condition));
    let Some(all) = questions.conditions().filter(|all| all.len() <= MAX_QUESTIONS) else { return Ok(None) };
    let Some(cases) = questions.cases() else { return Ok(None) };
    budget.spend(cases.len() as u64)?;
    let known: Vec<Known> = cases.into_iter().map(|case| Known::of(statement, &conditions, case)).collect();
    let known: Vec<&Known> = known.iter().collect();
    let tree = tree(&known, &all);
    Ok(tree.filter(|tree| tree.nodes() <= conditions.len()))
}

/// What is known of a case.
struct Known {
    case: Case,
    asked: Vec<ValueId>,
    chosen: usize,
}

impl Known {
    fn of(statement: &Statement, conditions: &[ValueId], case: Case) -> Self {
        let mut asked = Vec::new();
        let first = conditions.iter().position(|&condition| ask(statement, condition, &case, &mut asked));
        Self { case, asked, chosen: first.unwrap_or(conditions.len()) }
    }
}

/// The tree of some cases that come to a node; `None` if no question is asked in all of them.
fn tree(cases: &[&Known], questions: &[ValueId]) -> Option<Tree> {
    let first = cases.first()?;
    if cases.iter().all(|known| known.chosen == first.chosen) {
        return Some(Tree::Leaf(first.chosen));
    }
    let mut best: Option<Tree> = None;
    for question in questions.iter().filter(|question| cases.iter().all(|known| known.asked.contains(question))) {
        let with = |answer: i128| -> Vec<&Known> {
            cases.iter().copied().filter(|known| known.case[question] == answer).collect()
        };
        let others: Vec<ValueId> = questions.iter().copied().filter(|other| other != question).collect();
        let (Some(yes), Some(no)) = (tree(&with(1), &others), tree(&with(0), &others)) else { continue };
        let found = Tree::Node(*question, Box::new([yes, no]));
        if best.as_ref().is_none_or(|best| found.nodes() < best.nodes()) {
            best = Some(found);
        }
    }
    best
}

/// Writes the tree in place of a choice; how many instructions there are more.
fn rewrite(scop: &mut Scop, (number, position): (usize, usize), tree: &Tree) -> usize {
    let statement = scop.statements[number].clone();
    let choice = &statement.body[position];
    let at = Place { statement: &statement, choice, values: parts(choice).1 };
    let mut written = Vec::new();
    let operands = match tree {
        Tree::Leaf(value) => vec![at.values[*value]],
        Tree::Node(question, children) => {
            let [yes, no] = [0, 1].map(|child| write(scop, &at, &children[child], &mut written));
            vec![asked(&statement, *question), yes, no]
        }
    };
    let body = &mut scop.statements[number].body;
    body[position].operands = operands;
    let more = written.len();
    body.splice(position..position, written);
    more
}

/// Writes the instructions of a tree, and says where its value is.
fn write(scop: &mut Scop, at: &Place<'_>, tree: &Tree, written: &mut Vec<Instr>) -> Operand {
    let (question, children) = match tree {
        Tree::Leaf(value) => return at.values[*value],
        Tree::Node(question, children) => (*question, children),
    };
    let [yes, no] = [0, 1].map(|child| write(scop, at, &children[child], written));
    let (chosen, operation) = match common_operation(scop, at.statement, [yes, no]) {
        Some((operation, position)) => {
            let operand = |of: Operand| computed(at.statement, of).map(|instr| instr.operands[position]);
            let chosen = [yes, no].map(|of| operand(of).expect("both are computed"));
            (chosen, Some((operation, position)))
        }
        None => ([yes, no], None),
    };
    let like = if operation.is_some() { chosen[0].value } else { at.choice.value };
    let mut result = local(another(scop, like));
    let operands = vec![asked(at.statement, question), chosen[0], chosen[1]];
    let predicate = at.choice.predicate;
    written.push(Instr { kind: InstrKind::Choose, value: result.value, operands, predicate });
    if let Some((mut instr, position)) = operation {
        instr.operands[position] = result;
        result = local(another(scop, instr.value));
        (instr.value, instr.predicate) = (result.value, predicate);
        written.push(instr);
    }
    result
}

/// A choice and what is around it.
struct Place<'a> {
    statement: &'a Statement,
    choice: &'a Instr,
    /// What it chooses from.
    values: Vec<Operand>,
}

/// A question as the condition of a choice: where it comes from is said where it is asked so far.
fn asked(statement: &Statement, question: ValueId) -> Operand {
    let mut operands = statement.body.iter().flat_map(|instr| &instr.operands);
    operands.find(|operand| operand.value == question).copied().unwrap_or_else(|| local(question))
}

fn local(value: ValueId) -> Operand {
    Operand { value, kind: OperandKind::Local }
}

/// A new value of the type of another one, and with what is known of it.
fn another(scop: &mut Scop, like: ValueId) -> ValueId {
    let value = scop.copy_of(like);
    if let Some(&bits) = scop.integers.get(&like) {
        scop.integers.insert(value, bits);
    }
    value
}

/// The instruction that computes an operand in a body.
fn computed(statement: &Statement, of: Operand) -> Option<&Instr> {
    statement.body.iter().find(|instr| instr.value == of.value && of.kind == OperandKind::Local)
}

/// The operation that both of two values are results of, if they differ in one operand, which the
/// body computes, and it may be executed anywhere; and the position of that operand.
///
/// The operand must be no other one of the operation, too: `a * a` and `b * a` differ in one
/// operand, but what takes its place is known by the value that it stands for.
fn common_operation(scop: &Scop, statement: &Statement, values: [Operand; 2]) -> Option<(Instr, usize)> {
    let [one, other] = values.map(|value| computed(statement, value));
    let (one, other) = (one?, other?);
    let is_free = matches!(&one.kind, InstrKind::Compute { speculatable: true, errno: None, .. });
    let operation = scop.operations.get(&one.value)?;
    if !is_free
        || one.kind != other.kind
        || one.operands.len() != other.operands.len()
        || scop.operations.get(&other.value) != Some(operation)
    {
        return None;
    }
    let mut differing = (0..one.operands.len()).filter(|&position| one.operands[position] != other.operands[position]);
    let position = differing.next()?;
    let is_local = [one, other].iter().all(|instr| instr.operands[position].kind == OperandKind::Local);
    let own = scop.original_value(one.operands[position].value);
    let again = one.operands.iter().filter(|operand| scop.original_value(operand.value) == own).count();
    (differing.next().is_none() && is_local && again == 1).then(|| (one.clone(), position))
}
