//! Windows that are written out: sums of many elements that are in a box.
//!
//! # Problem
//! LLVM unrolls loops of small constant length, and filters are written by hand: the value of one
//! statement is a sum of `x[i - 1][j - 1]`, `x[i - 1][j]` and so on. Such a sum is a reduction over
//! the box of its offsets, once it is known to be one.
//!
//! # Definitions
//! A *chain* is a tree of instructions of one associative and commutative operator, each of which
//! is used by nothing but the next one; its *terms* are what it combines, in differences some of
//! them negated. Two terms are *alike* if they are the same expression of reads whose subscripts
//! differ by numbers; these numbers, of all reads one behind the other, are the *offset* of a term.
//! A *window* is a set of terms that are alike and whose offsets are a box ([`super::boxes`]).
//!
//! # Algorithm
//! 1. The chains of a body are found from their last instructions backwards.
//! 2. Terms are sorted by what they are but for their offsets: a text of operations, operands and
//!    the linear parts of subscripts.
//! 3. Of all groups, the largest boxes are taken, as long as they have enough points.
//!
//! # Invariants
//! The terms of a window are executed by every instance of the statement, read exactly one element
//! with each read, and use no loop counters but in subscripts: they are the first term, moved.

use std::collections::{BTreeMap, BTreeSet};

use poly_arith::Int;
use poly_presburger::{Budget, Stop};
use poly_reductions::Function;

use super::boxes::{Point, PointBox, largest};
use crate::{
    AccessId, ArrayId, Combination, Instr, InstrKind, Operand, OperandKind, OperationId, Scop, Statement, ValueId,
};

/// A chain of instructions of one operator.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// The last instruction.
    pub(super) root: ValueId,
    /// What combines the terms.
    pub(super) combination: Combination,
    /// All instructions.
    pub(super) steps: BTreeSet<ValueId>,
    pub(super) terms: Vec<Term>,
}

/// What a chain combines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Term {
    pub(super) value: Operand,
    /// It is taken out, not put in.
    pub(super) negated: bool,
}

/// Terms of a chain that are the first of them, moved through a box.
#[derive(Clone, Debug)]
pub(super) struct Window {
    /// The one of the box's origin.
    pub(super) first: Operand,
    pub(super) negated: bool,
    /// Numbers of its terms in the chain.
    pub(super) terms: BTreeSet<usize>,
    /// By direction the width, and what it moves the reads of the first term by.
    pub(super) directions: Vec<Direction>,
}

#[derive(Clone, Debug)]
pub(super) struct Direction {
    pub(super) width: usize,
    /// For each read a number for each subscript.
    pub(super) moves: BTreeMap<AccessId, Point>,
}

/// Windows of fewer terms are not worth a temporary: two or three operations are left of any.
const LEAST_TERMS: usize = 4;

/// Offsets are no larger, so that differences of them are no problem.
const LARGEST_OFFSET: i64 = 1 << 31;

/// Terms with more operations and operands are not looked at.
const LARGEST_TERM: usize = 32;

/// The chains of a body with enough terms.
pub(super) fn chains(statement: &Statement) -> Vec<Chain> {
    let mut uses: BTreeMap<ValueId, usize> = BTreeMap::new();
    for local in statement.body.iter().flat_map(Instr::locals) {
        *uses.entry(local).or_default() += 1;
    }
    let definitions = definitions(statement);
    let mut inside: BTreeSet<ValueId> = BTreeSet::new();
    let mut chains = Vec::new();
    for instr in statement.body.iter().rev() {
        if inside.contains(&instr.value) || matches!(instr.kind, InstrKind::Write(_)) {
            continue;
        }
        let Some(chain) = chain(instr, &definitions, &uses) else { continue };
        inside.extend(chain.steps.iter().copied());
        if chain.terms.len() >= LEAST_TERMS {
            chains.push(chain);
        }
    }
    chains
}

type Definitions<'s> = BTreeMap<ValueId, &'s Instr>;

/// What defines the values that are computed in every case.
fn definitions(statement: &Statement) -> Definitions<'_> {
    let defines = |instr: &&Instr| instr.predicate.is_none() && !matches!(instr.kind, InstrKind::Write(_));
    statement.body.iter().filter(defines).map(|instr| (instr.value, instr)).collect()
}

/// The operator of an instruction, a difference being a sum.
fn operator(instr: &Instr) -> Option<(Combination, bool)> {
    if instr.predicate.is_some() || instr.operands.len() != 2 {
        return None;
    }
    let combination = match &instr.kind {
        InstrKind::Combine(combination) => *combination,
        InstrKind::Compute { opcode, speculatable: true, errno: None, .. } => Combination::of_opcode(opcode)?,
        _ => return None,
    };
    Some(match combination {
        // Windows are of integers.
        Combination::FloatAdd | Combination::FloatMultiply => return None,
        Combination::Subtract => (Combination::Add, true),
        other => (other, false),
    })
}

/// The chain that ends with an instruction.
fn chain(last: &Instr, definitions: &Definitions<'_>, uses: &BTreeMap<ValueId, usize>) -> Option<Chain> {
    let (combination, _) = operator(last)?;
    let mut chain = Chain { root: last.value, combination, steps: BTreeSet::new(), terms: Vec::new() };
    let mut open = vec![(last, false)];
    while let Some((instr, negated)) = open.pop() {
        let (_, is_difference) = operator(instr)?;
        chain.steps.insert(instr.value);
        for (place, operand) in instr.operands.iter().enumerate() {
            let negated = negated != (is_difference && place == 1);
            let definition = definitions.get(&operand.value).filter(|_| operand.kind == OperandKind::Local);
            let is_step = |step: &&&Instr| {
                uses.get(&step.value) == Some(&1) && operator(step).is_some_and(|(own, _)| own == combination)
            };
            match definition.filter(is_step) {
                Some(step) => open.push((step, negated)),
                None => chain.terms.push(Term { value: *operand, negated }),
            }
        }
    }
    Some(chain)
}

/// What a term is, but for its offset.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Token {
    /// An array, and a row of coefficients of parameters and loops for each subscript.
    Read(ArrayId, Vec<Vec<Int>>),
    /// An operation, behind which its operands are.
    Compute(OperationId),
    /// A value from outside.
    Outside(ValueId),
}

/// A term, taken apart.
struct Moved {
    tokens: Vec<Token>,
    /// Reads in the order of the tokens, with their constant parts.
    reads: Vec<(AccessId, Point)>,
}

/// Terms that are alike by their offsets: numbers in the chain, and what they are.
type Group = BTreeMap<Point, (usize, Moved)>;

fn moved(scop: &Scop, statement: &Statement, definitions: &Definitions<'_>, term: Operand) -> Option<Moved> {
    let mut result = Moved { tokens: Vec::new(), reads: Vec::new() };
    let mut open = vec![term];
    while let Some(operand) = open.pop() {
        if result.tokens.len() >= LARGEST_TERM {
            return None;
        }
        let instr = match operand.kind {
            OperandKind::Local => *definitions.get(&operand.value)?,
            OperandKind::Constant | OperandKind::Invariant => {
                result.tokens.push(Token::Outside(operand.value));
                continue;
            }
            OperandKind::Synthesized => return None,
        };
        match &instr.kind {
            InstrKind::Read(access) => {
                let read = &statement.accesses[access.index()];
                if !read.exact || read.speculated {
                    return None;
                }
                let function = Function::from_map(&read.relation.align_params(scop.context.space()))?;
                let constant = |row: &Vec<Int>| row[0].to_i64().filter(|x| x.abs() < LARGEST_OFFSET);
                let offset = function.rows.iter().map(constant).collect::<Option<Point>>()?;
                let linear = function.rows.iter().map(|row| row[1..].to_vec()).collect();
                result.tokens.push(Token::Read(read.array, linear));
                result.reads.push((*access, offset));
            }
            InstrKind::Compute { speculatable: true, errno: None, .. } => {
                result.tokens.push(Token::Compute(*scop.operations.get(&instr.value)?));
                open.extend(instr.operands.iter().rev());
            }
            _ => return None,
        }
    }
    Some(result)
}

/// The windows of a chain, largest first.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(super) fn windows(
    scop: &Scop,
    statement: &Statement,
    chain: &Chain,
    budget: &mut Budget,
) -> Result<Vec<Window>, Stop> {
    let definitions = definitions(statement);
    let mut groups: BTreeMap<(bool, Vec<Token>), Group> = BTreeMap::new();
    for (number, term) in chain.terms.iter().enumerate() {
        budget.spend(1)?;
        let Some(moved) = moved(scop, statement, &definitions, term.value) else { continue };
        let offset = moved.reads.iter().flat_map(|(_, offset)| offset).copied().collect();
        // Of equal terms only the first one is in a window.
        let group = groups.entry((term.negated, moved.tokens.clone())).or_default();
        group.entry(offset).or_insert((number, moved));
    }
    let mut result = Vec::new();
    for ((negated, _), group) in groups {
        let mut rest: BTreeSet<Point> = group.keys().cloned().collect();
        while rest.len() >= LEAST_TERMS {
            let Some(found) = largest(&rest, budget)?.filter(|found| found.len() >= LEAST_TERMS) else { break };
            let points: BTreeSet<Point> = found.points().into_iter().collect();
            rest.retain(|point| !points.contains(point));
            let (first, moved) = &group[&found.origin];
            let terms = points.iter().map(|point| group[point].0).collect();
            let first = chain.terms[*first].value;
            let window = Window { first, negated, terms, directions: directions(&found, moved) };
            result.extend(Some(window).filter(Window::may_gain));
        }
    }
    result.sort_by_key(|window| std::cmp::Reverse(window.terms.len()));
    Ok(result)
}

fn directions(found: &PointBox, moved: &Moved) -> Vec<Direction> {
    let direction = |(direction, width): &(Point, usize)| {
        let mut first = 0;
        let mut moves = BTreeMap::new();
        for (access, offset) in &moved.reads {
            moves.insert(*access, direction[first..first + offset.len()].to_vec());
            first += offset.len();
        }
        Direction { width: *width, moves }
    };
    found.directions.iter().map(direction).collect()
}

impl Window {
    /// No window at all, with no direction.
    pub(super) fn empty() -> Self {
        let first = Operand { value: ValueId(0), kind: OperandKind::Constant };
        Self { first, negated: false, terms: BTreeSet::new(), directions: Vec::new() }
    }

    /// The widths of its directions.
    pub(super) fn widths(&self) -> Vec<usize> {
        self.directions.iter().map(|direction| direction.width).collect()
    }

    /// Whether there may be half as many operations: for each direction at least two are left, or
    /// those of its width.
    pub(super) fn may_gain(&self) -> bool {
        let left: usize = self.directions.iter().map(|direction| (direction.width - 1).min(2)).sum();
        2 * left < self.terms.len()
    }

    /// Whether all terms of the chain but one are in the window; that one.
    pub(super) fn all_but_one(&self, chain: &Chain) -> Option<Term> {
        let mut others = (0..chain.terms.len()).filter(|number| !self.terms.contains(number));
        let other = others.next()?;
        others.next().is_none().then_some(chain.terms[other])
    }

    /// What an access of the first term moves by along each direction: a column for each.
    pub(super) fn moves(&self, access: AccessId, subscript: usize) -> Vec<Int> {
        let by = |direction: &Direction| direction.moves.get(&access).map_or(0, |moves| moves[subscript]);
        self.directions.iter().map(|direction| Int::from(by(direction))).collect()
    }

    /// The accesses of the first term.
    pub(super) fn reads(&self) -> impl Iterator<Item = AccessId> + '_ {
        self.directions.iter().take(1).flat_map(|direction| direction.moves.keys().copied())
    }
}
