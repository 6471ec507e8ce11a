//! The chain of operations that a loop carries from one iteration to the next.
//!
//! # Problem
//! Where an iteration needs what the one before has computed, the time of an iteration is at least the latency from that value to the one
//! that the next iteration needs, however many operations the processor could start.
//!
//! # Method
//! For each read whose element the same statement has written one iteration of its innermost loop before: the longest path through the body from
//! the read to that write, weighted with latencies. An estimate for the cost model.

use std::collections::BTreeMap;

use poly_arith::Rational;
use poly_presburger::{BasicMap, DimKind};

use crate::facts::to_f64;
use crate::{Access, AccessKind, InstrKind, Statement, ValueId};

/// Cycles of a value through memory.
const THROUGH_MEMORY: f64 = 5.0;

/// Cycles of the longest chain of a statement; 0 if there is none.
pub(crate) fn chain(statement: &Statement) -> f64 {
    let mut longest = 0.0f64;
    for (position, read) in statement.body.iter().enumerate() {
        let InstrKind::Read(access) = read.kind else { continue };
        let access = &statement.accesses[access.index()];
        let latencies = latencies(statement, position, read.value);
        for write in &statement.body[position..] {
            let InstrKind::Write(target) = write.kind else { continue };
            let target = &statement.accesses[target.index()];
            let written = write.operands.first().and_then(|operand| latencies.get(&operand.value));
            if let Some(latency) = written
                && is_written_before(access, target, statement.loops.len())
            {
                let memory = if access.relation.space().dim(DimKind::Out) > 0 { THROUGH_MEMORY } else { 0.0 };
                longest = longest.max(latency + memory);
            }
        }
    }
    longest
}

/// Cycles from a value to every value of the body that depends on it.
fn latencies(statement: &Statement, position: usize, start: ValueId) -> BTreeMap<ValueId, f64> {
    let mut result = BTreeMap::from([(start, 0.0)]);
    for instr in &statement.body[position + 1..] {
        if matches!(instr.kind, InstrKind::Write(_)) {
            continue;
        }
        let before = instr.locals().filter_map(|value| result.get(&value).copied()).reduce(f64::max);
        if let Some(before) = before {
            result.insert(instr.value, before + latency(&instr.kind));
        }
    }
    result
}

fn latency(kind: &InstrKind) -> f64 {
    let InstrKind::Compute { opcode, .. } = kind else { return 1.0 };
    match opcode.as_str() {
        "fdiv" | "frem" | "sdiv" | "udiv" | "srem" | "urem" => 13.0,
        "fneg" | "fcmp" => 1.0,
        name if name.starts_with("llvm.fmuladd") || name.starts_with("llvm.fma.") => 4.0,
        name if name.starts_with("llvm.sqrt") => 16.0,
        name if name.starts_with("llvm.") && (name.contains("min") || name.contains("max") || name.contains("abs")) => {
            1.0
        }
        name if name.contains('.') => 20.0,
        name if name.starts_with('f') => 4.0,
        "mul" => 3.0,
        _ => 1.0,
    }
}

/// Whether the element that is read is the one that was written one iteration of the innermost loop before.
fn is_written_before(read: &Access, write: &Access, iterators: usize) -> bool {
    if read.array != write.array || read.kind != AccessKind::Read || write.kind == AccessKind::Read {
        return false;
    }
    let (Some(from), Some(to)) = (read.relation.basics().first(), write.relation.basics().first()) else {
        return false;
    };
    (0..read.relation.space().dim(DimKind::Out)).all(|dimension| {
        let (Some(read), Some(write)) = (subscript(from, dimension), subscript(to, dimension)) else { return false };
        let slope = if iterators == 0 { 0.0 } else { write[write.len() - 1] };
        read[1..] == write[1..] && read[0] == write[0] - slope
    })
}

/// A subscript as numbers over `[const | params | iterators]`.
fn subscript(basic: &BasicMap, dimension: usize) -> Option<Vec<f64>> {
    let output = basic.offset(DimKind::Out) + dimension;
    let row = basic.eqs().iter().find(|row| !row[output].is_zero())?;
    let others = (0..basic.dim(DimKind::Out)).any(|d| d != dimension && !row[basic.offset(DimKind::Out) + d].is_zero());
    let last = basic.offset(DimKind::Out);
    (!others)
        .then(|| row[..last].iter().map(|value| -to_f64(&Rational::new(value.clone(), row[output].clone()))).collect())
}
