//! The operations of a statement, each with the accesses that it is computed from.
//!
//! Where some of the loops around a statement are executed side by side, an operation is needed
//! only once for all iterations of the loops along which its operands do not move. This says from
//! which accesses each is computed; the cost model of register tiles knows how these move.

use poly_transform::{Operands, Operation};
use rustc_hash::FxHashMap;

use crate::{Instr, InstrKind, OperandKind, Scop, Statement, ValueId};

/// Operations that compilers make of a division of integers by a constant: the upper half of a
/// product, shifts, and a correction of the sign \[GranlundMontgomery1994\]. A remainder needs
/// another product and a difference.
const QUOTIENT_BY_CONSTANT: f64 = 4.0;

/// The operations of a statement that units begin in every cycle. Accesses are counted as in
/// [`crate::facts::StatementFacts::accesses`].
pub(crate) fn operations(statement: &Statement, sources: &Sources) -> Vec<Operation> {
    let mut result = Vec::new();
    for (position, instr) in statement.body.iter().enumerate() {
        if let Some((weight, integer)) = weight(instr) {
            let weight = if is_extremum(statement, position) { 0.0 } else { weight };
            result.push(Operation { weight, integer, accesses: sources.of(instr.value) });
        }
    }
    result
}

/// By value of a statement, the accesses that it is computed from.
pub(crate) struct Sources(FxHashMap<ValueId, Operands>);

impl Sources {
    /// Those of the values of a statement.
    pub(crate) fn new(scop: &Scop, statement: &Statement) -> Self {
        let positions = positions(scop, statement);
        let mut result = Self(FxHashMap::default());
        for instr in &statement.body {
            let own = match &instr.kind {
                InstrKind::Read(access) => bit(positions[access.index()]),
                _ => result.operands(instr),
            };
            result.0.insert(instr.value, own);
        }
        result
    }

    /// Those of a value; of others nothing is known.
    pub(crate) fn of(&self, value: ValueId) -> Operands {
        self.0.get(&value).copied().unwrap_or(Operands::ANYTHING)
    }

    /// Those that the operands of an instruction are computed from.
    fn operands(&self, instr: &Instr) -> Operands {
        let operands = instr.operands.iter().map(|operand| match operand.kind {
            OperandKind::Local => self.of(operand.value),
            OperandKind::Constant | OperandKind::Invariant => Operands(0),
            // A counter of some loop.
            OperandKind::Synthesized => Operands::ANYTHING,
        });
        operands.chain(instr.predicate.map(|predicate| self.of(predicate))).fold(Operands(0), Operands::and)
    }
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

/// The bit of an access of memory. Nothing is known of the operands of a scalar, and there is no
/// place for many accesses.
fn bit(position: Option<usize>) -> Operands {
    match position {
        Some(position @ 0..=63) => Operands(1 << position),
        _ => Operands::ANYTHING,
    }
}

/// What kind of work an operation is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// Units begin this part of one in every cycle.
    Simple { weight: f64, integer: bool },
    /// A division of floating-point numbers.
    Quotient,
    /// A division of integers, or its remainder.
    IntegerDivision,
    /// A square root.
    Root,
    /// A call of a function.
    Call,
}

/// The kind of an operation by its name, or that of the function that it calls
/// ([`InstrKind::Compute`]).
pub(crate) fn kind(opcode: &str) -> Kind {
    let simple = |weight, integer| Kind::Simple { weight, integer };
    match opcode {
        "fdiv" => Kind::Quotient,
        "sdiv" | "udiv" | "srem" | "urem" => Kind::IntegerDivision,
        "fneg" => simple(0.25, false),
        "bitcast" | "sext" | "zext" | "trunc" => simple(0.25, true),
        name if name.starts_with("llvm.fmuladd") || name.starts_with("llvm.fma.") => simple(1.0, false),
        name if name.starts_with("llvm.sqrt") || matches!(name, "sqrt" | "sqrtf" | "sqrtl") => Kind::Root,
        name if name.starts_with("llvm.fabs") => simple(1.0, false),
        name if name.starts_with("llvm.copysign") => simple(2.0, false),
        name if name.starts_with("llvm.abs.") || name.contains(".sat.") => simple(1.0, true),
        // Rotations and what they are a case of: two shifts and their union.
        name if name.starts_with("llvm.fshl.") || name.starts_with("llvm.fshr.") => simple(3.0, true),
        name if name.contains("min") || name.contains("max") => {
            simple(1.0, name.starts_with("llvm.s") || name.starts_with("llvm.u"))
        }
        name if name == "frem" || name.starts_with("llvm.") => Kind::Call,
        name if name.starts_with('f') || !name.contains('.') => simple(1.0, !name.starts_with('f')),
        _ => Kind::Call,
    }
}

/// The part of an operation that an instruction is, and whether it is one on integers; `None` for
/// those that are none, or that keep their unit busy for longer.
fn weight(instr: &Instr) -> Option<(f64, bool)> {
    match &instr.kind {
        InstrKind::Combine(combination) => Some((1.0, !combination.is_float())),
        InstrKind::Choose => Some((1.0, true)),
        InstrKind::Compute { .. } => match kind_of(instr)? {
            Kind::Simple { weight, integer } => Some((weight, integer)),
            _ => None,
        },
        _ => None,
    }
}

/// How often a statement chooses one of two values, and how often it takes a minimum or maximum of
/// two integers. That of floating-point numbers is one operation everywhere.
pub(crate) fn choices_and_minima(statement: &Statement) -> (f64, f64) {
    let is = |instr: &Instr, name: &str| matches!(&instr.kind, InstrKind::Compute { opcode, .. } if opcode == name);
    let (mut choices, mut minima) = (0, 0);
    for (position, instr) in statement.body.iter().enumerate() {
        match &instr.kind {
            InstrKind::Choose => choices += instr.operands.len() / 2,
            InstrKind::Compute { .. } if is(instr, "select") => {
                let is_of = |other: &&Instr| other.value == instr.operands[0].value;
                let is_float = statement.body[..position].iter().find(is_of).is_some_and(|other| is(other, "fcmp"));
                choices += usize::from(!(is_float && is_extremum(statement, position)));
            }
            InstrKind::Compute { opcode, .. } => minima += usize::from(is_integer_extremum(opcode)),
            InstrKind::Combine(combination) => minima += usize::from(is_integer_extremum(combination.opcode())),
            _ => {}
        }
    }
    (choices as f64, minima as f64)
}

/// Whether an operation is the minimum or maximum of two integers.
pub(crate) fn is_integer_extremum(opcode: &str) -> bool {
    ["llvm.smin", "llvm.smax", "llvm.umin", "llvm.umax"].iter().any(|name| opcode.starts_with(name))
}

/// The kind of an operation that computes a value; `None` for other instructions.
pub(crate) fn kind_of(instr: &Instr) -> Option<Kind> {
    let InstrKind::Compute { opcode, .. } = &instr.kind else { return None };
    let simple = |weight| Some(Kind::Simple { weight, integer: true });
    match opcode.as_str() {
        "sdiv" | "udiv" if divides_by_constant(instr) => simple(QUOTIENT_BY_CONSTANT),
        "srem" | "urem" if divides_by_constant(instr) => simple(QUOTIENT_BY_CONSTANT + 2.0),
        name => Some(kind(name)),
    }
}

/// Whether an instruction is a division of integers by a constant, which is a multiplication.
pub(crate) fn divides_by_constant(instr: &Instr) -> bool {
    matches!(&instr.kind, InstrKind::Compute { opcode, .. } if kind(opcode) == Kind::IntegerDivision)
        && instr.operands.get(1).is_some_and(|divisor| divisor.kind == OperandKind::Constant)
}

/// Whether an instruction chooses one of two values that only it has compared: a minimum or
/// maximum, which is one instruction of a vector, that of the comparison's unit.
fn is_extremum(statement: &Statement, position: usize) -> bool {
    let is = |instr: &Instr, name: &str| matches!(&instr.kind, InstrKind::Compute { opcode, .. } if opcode == name);
    let choice = &statement.body[position];
    let [condition, chosen @ ..] = &choice.operands[..] else { return false };
    let compared = statement.body[..position].iter().find(|instr| instr.value == condition.value);
    let is_compared = |compare: &Instr| {
        (is(compare, "icmp") || is(compare, "fcmp"))
            && chosen.iter().all(|value| compare.operands.iter().any(|own| own.value == value.value))
    };
    let uses = |instr: &&Instr| instr.operands.iter().any(|operand| operand.value == condition.value);
    is(choice, "select") && compared.is_some_and(is_compared) && statement.body.iter().filter(uses).count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_which_unit_is_busy() {
        let simple = |weight, integer| Kind::Simple { weight, integer };
        for (name, expected) in [
            ("fadd", simple(1.0, false)),
            ("add", simple(1.0, true)),
            ("llvm.fmuladd.f64", simple(1.0, false)),
            ("llvm.smax.i32", simple(1.0, true)),
            ("llvm.maxnum.f64", simple(1.0, false)),
            ("sext", simple(0.25, true)),
            ("frem", Kind::Call),
            ("llvm.exp.f64", Kind::Call),
            ("sqrtf", Kind::Root),
            ("srem", Kind::IntegerDivision),
            ("llvm.abs.i32", simple(1.0, true)),
            ("llvm.usub.sat.i8", simple(1.0, true)),
            ("llvm.fshl.i32", simple(3.0, true)),
            ("llvm.copysign.f64", simple(2.0, false)),
        ] {
            assert_eq!(kind(name), expected, "{name}");
        }
    }
}
