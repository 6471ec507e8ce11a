//! Updates `x = x op e` among the instructions of a statement.
//!
//! # Problem
//! Updates of an element by one commutative and associative operation may be executed in any order,
//! if nothing sees the values in between and if the result is the same. Which instructions are such
//! an update?
//!
//! # Definitions
//! The *steps* of an update are the instructions on the way from the read of `x` to the write: one
//! or more of the same kind of operation, `x - e` being a sum. Neither what was read nor the result
//! of a step is used for anything but the next step or the write, so no other instance and nothing
//! else in this one sees in which order updates are executed; accesses of the same element by
//! others are dependences, which order them against all updates.
//!
//! # Which operations
//! - Integer `add`, `sub`, `mul`, `and`, `or`, `xor`, minima and maxima: exact in any order, modulo
//!   the power of two. The flags `nsw` and `nuw` of a step promise that no sum in the order of the
//!   source overflows; in another order one may, so code generation leaves them out
//!   ([`crate::Plan::reassociated`]).
//! - Floating-point sums and products: only if each step's flags say that it may be reassociated.
//! - Floating-point minima and maxima: only if each step's flags say that the sign of a zero does
//!   not matter, and exclude NaN or allow reassociation.
//!
//! # Several statements
//! Updates of one element by the same operation may change places with each other, too, if they are
//! in different statements: see [`crate::problem`].
//!
//! # Algorithm
//! From each write back: a search through the operands for a read of the same element, by steps of
//! one kind that are used once. Every instruction is visited at most once.

use poly_dependence::ReductionOperator;

use crate::{AccessId, AccessKind, Instr, InstrKind, OperandKind, Statement, ValueId};

/// An update of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Update {
    /// The read of `x`.
    pub(crate) read: AccessId,
    /// The write of `x`.
    pub(crate) write: AccessId,
    /// `op`.
    pub(crate) operator: ReductionOperator,
    /// The name of the operation that all steps share: updates of one element by the same operation
    /// are one reduction, in whatever statements they are.
    pub(crate) operation: String,
    /// Updates may change their order.
    pub(crate) reassociable: bool,
    /// The instructions from the read to the write.
    pub(crate) steps: Vec<ValueId>,
}

/// The updates of a statement that are executed by every instance.
pub(crate) fn updates(statement: &Statement) -> Vec<Update> {
    statement.body.iter().filter_map(|store| update(statement, store)).collect()
}

fn update(statement: &Statement, store: &Instr) -> Option<Update> {
    let InstrKind::Write(write) = store.kind else { return None };
    let target = &statement.accesses[write.index()];
    if store.predicate.is_some() || target.kind != AccessKind::MustWrite || !target.exact {
        return None;
    }
    // What may lead to the read, each with the step that uses it.
    let mut found: Vec<(&Instr, Option<usize>)> = vec![(definition(statement, store.operands.first()?.value)?, None)];
    let mut kind: Option<(ReductionOperator, &str)> = None;
    let mut next = 0;
    while let Some(&(instr, _)) = found.get(next) {
        match &instr.kind {
            _ if statement.uses(instr.value) != 1 => {}
            InstrKind::Read(read) if next > 0 => {
                let source = &statement.accesses[read.index()];
                if source.array == target.array && source.relation == target.relation && source.exact {
                    let steps = way(&found, next);
                    let reassociable = steps.iter().all(|step| is_reassociable(&step.kind));
                    let steps = steps.iter().map(|step| step.value).collect();
                    let (operator, operation) = kind?;
                    let operation = operation.to_string();
                    return Some(Update { read: *read, write, operator, operation, reassociable, steps });
                }
            }
            InstrKind::Compute { .. } | InstrKind::Combine(_) => {
                let opcode = match &instr.kind {
                    InstrKind::Combine(combination) => combination.opcode(),
                    InstrKind::Compute { opcode, .. } => opcode.as_str(),
                    _ => continue,
                };
                for (place, operand) in instr.operands.iter().enumerate().filter(|(_, o)| o.kind == OperandKind::Local)
                {
                    let Some(own) = operation(opcode, place) else { continue };
                    // All steps are like the first one, which may be of two kinds only by its place
                    // in a difference.
                    if *kind.get_or_insert(own) == own
                        && let Some(operand) = definition(statement, operand.value)
                    {
                        found.push((operand, Some(next)));
                    }
                }
            }
            _ => {}
        }
        next += 1;
    }
    None
}

/// The instructions that lead from one to the write, without itself.
fn way<'a>(found: &[(&'a Instr, Option<usize>)], from: usize) -> Vec<&'a Instr> {
    let mut steps = Vec::new();
    let mut at = found[from].1;
    while let Some(step) = at {
        steps.push(found[step].0);
        at = found[step].1;
    }
    steps
}

fn is_reassociable(kind: &InstrKind) -> bool {
    matches!(kind, InstrKind::Compute { reassociable: true, .. } | InstrKind::Combine(_))
}

fn definition(statement: &Statement, value: ValueId) -> Option<&Instr> {
    let defines = |instr: &&Instr| instr.value == value && !matches!(instr.kind, InstrKind::Write(_));
    statement.body.iter().find(defines).filter(|instr| instr.predicate.is_none())
}

/// The operator of an instruction in which `x` is the operand at a place, and the name of the
/// operation that all steps of one update share.
fn operation(opcode: &str, place: usize) -> Option<(ReductionOperator, &str)> {
    use ReductionOperator::{Add, And, Max, Min, Mul, Or, Xor};
    Some(match opcode {
        "add" => (Add, "add"),
        "fadd" => (Add, "fadd"),
        "sub" if place == 0 => (Add, "add"),
        "fsub" if place == 0 => (Add, "fadd"),
        "mul" | "fmul" => (Mul, opcode),
        "and" => (And, opcode),
        "or" => (Or, opcode),
        "xor" => (Xor, opcode),
        _ => match opcode.strip_prefix("llvm.")?.split('.').next()? {
            "fmuladd" | "fma" if place == 2 => (Add, "fadd"),
            "smin" | "umin" | "minnum" | "minimum" => (Min, opcode),
            "smax" | "umax" | "maxnum" | "maximum" => (Max, opcode),
            _ => return None,
        },
    })
}
