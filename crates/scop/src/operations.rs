//! The operations of a statement, each with the accesses that it is computed from.
//!
//! Where some of the loops around a statement are executed side by side, an operation is needed only once for all
//! iterations of the loops along which its operands do not move. This says from which accesses each is computed; the
//! cost model of register tiles knows how these move.

use std::collections::HashMap;

use poly_transform::Operation;

use crate::{Instr, InstrKind, OperandKind, Scop, Statement, ValueId};

/// The operations of a statement that units begin in every cycle. Accesses are counted as in
/// [`crate::facts::StatementFacts::accesses`].
pub(crate) fn operations(scop: &Scop, statement: &Statement) -> Vec<Operation> {
    let positions = positions(scop, statement);
    let mut known: HashMap<ValueId, u64> = HashMap::new();
    let mut result = Vec::new();
    for (position, instr) in statement.body.iter().enumerate() {
        let own = match &instr.kind {
            InstrKind::Read(access) => bit(positions[access.index()]),
            _ => operands(instr, &known),
        };
        known.insert(instr.value, own);
        if let Some((weight, integer)) = weight(instr) {
            let weight = if is_part_of_choice(statement, position) { 0.0 } else { weight };
            result.push(Operation { weight, integer, accesses: own });
        }
    }
    result
}

/// By access: its position among those of memory.
fn positions(scop: &Scop, statement: &Statement) -> Vec<Option<usize>> {
    let mut count = 0;
    let mut next = |is_scalar: bool| {
        (!is_scalar).then(|| {
            count += 1;
            count - 1
        })
    };
    statement.accesses.iter().map(|access| next(scop.arrays[access.array.index()].is_scalar())).collect()
}

/// The bit of an access of memory. Nothing is known of the operands of a scalar, and there is no place for many accesses.
fn bit(position: Option<usize>) -> u64 {
    match position {
        Some(position @ 0..=63) => 1 << position,
        _ => Operation::ANYTHING,
    }
}

/// The accesses that the operands of an instruction are computed from.
fn operands(instr: &Instr, known: &HashMap<ValueId, u64>) -> u64 {
    let of = |value: &ValueId| known.get(value).copied().unwrap_or(Operation::ANYTHING);
    let operands = instr.operands.iter().map(|operand| match operand.kind {
        OperandKind::Local => of(&operand.value),
        OperandKind::Invariant => 0,
        // A counter of some loop.
        OperandKind::Synthesized => Operation::ANYTHING,
    });
    operands.chain(instr.predicate.iter().map(of)).fold(0, |all, one| all | one)
}

/// The part of an operation that an instruction is, and whether it is one on integers; `None` for those that are none,
/// or that keep their unit busy for longer.
fn weight(instr: &Instr) -> Option<(f64, bool)> {
    match &instr.kind {
        InstrKind::Combine(_) | InstrKind::Choose => Some((1.0, true)),
        InstrKind::Compute { opcode, .. } => match opcode.as_str() {
            "fdiv" | "frem" | "sdiv" | "udiv" | "srem" | "urem" => None,
            "fneg" => Some((0.25, false)),
            "bitcast" | "sext" | "zext" | "trunc" => Some((0.25, true)),
            name if name.starts_with("llvm.fma") || name.starts_with("llvm.fabs") => Some((1.0, false)),
            name if name.contains("min") || name.contains("max") => {
                Some((1.0, name.contains(".s") || name.contains(".u")))
            }
            name if name.starts_with("llvm.") || name.contains('.') => None,
            name => Some((1.0, !name.starts_with('f'))),
        },
        _ => None,
    }
}

/// Whether an instruction compares two values of which the next one chooses one: a minimum or maximum, which is one
/// instruction of a vector.
fn is_part_of_choice(statement: &Statement, position: usize) -> bool {
    let compare = &statement.body[position];
    let is = |instr: &Instr, name: &str| matches!(&instr.kind, InstrKind::Compute { opcode, .. } if opcode == name);
    if !(is(compare, "icmp") || is(compare, "fcmp")) {
        return false;
    }
    let uses = |instr: &Instr| instr.operands.iter().any(|operand| operand.value == compare.value);
    let mut users = statement.body[position + 1..].iter().filter(|instr| uses(instr));
    let (Some(choice), None) = (users.next(), users.next()) else { return false };
    let [_, ref chosen @ ..] = choice.operands[..] else { return false };
    is(choice, "select") && chosen.iter().all(|value| compare.operands.iter().any(|own| own.value == value.value))
}
