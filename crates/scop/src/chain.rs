//! The chain of operations that a loop carries from one iteration to the next.
//!
//! # Problem
//! Where an iteration needs what the one before has computed, the time of an iteration is at least the latency from that value to the one
//! that the next iteration needs, however many operations the processor could start.
//!
//! # Method
//! For each read whose element the same statement has written one iteration of its innermost loop before: the longest path through the body from
//! the read to that write, weighted with latencies. An estimate for the cost model.
//!
//! A chain of one associative operation (integers; floating point where the flags allow reassociation) is a reduction, which LLVM
//! makes vectors of: several partial results side by side.

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
        if let Some(latency) = returns(statement, position, &latencies) {
            let memory = if access.relation.space().dim(DimKind::Out) > 0 { THROUGH_MEMORY } else { 0.0 };
            longest = longest.max(latency + memory);
        }
    }
    longest
}

/// Whether a statement has chains, each made of one associative operation.
pub(crate) fn is_reduction(statement: &Statement) -> bool {
    let mut found = false;
    for (position, read) in statement.body.iter().enumerate() {
        if !matches!(read.kind, InstrKind::Read(_)) {
            continue;
        }
        let latencies = latencies(statement, position, read.value);
        if returns(statement, position, &latencies).is_none() {
            continue;
        }
        let dependent = statement.body.iter().filter(|i| i.value != read.value && latencies.contains_key(&i.value));
        let computed = dependent.filter(|i| !matches!(i.kind, InstrKind::Write(_)));
        let mut operations = computed.map(|instr| associative(&instr.kind));
        let Some(Some(first)) = operations.next() else { return false };
        if !operations.all(|operation| operation == Some(first)) {
            return false;
        }
        found = true;
    }
    found
}

/// The name of the associative operation that an instruction is part of.
fn associative(kind: &InstrKind) -> Option<&str> {
    let InstrKind::Compute { opcode, reassociable, .. } = kind else { return None };
    match opcode.as_str() {
        "add" | "sub" => Some("add"),
        "mul" | "and" | "or" | "xor" => Some(opcode),
        name if ["llvm.smin.", "llvm.smax.", "llvm.umin.", "llvm.umax."].iter().any(|p| name.starts_with(p)) => {
            Some(name)
        }
        "fadd" | "fsub" if *reassociable => Some("fadd"),
        "fmul" if *reassociable => Some("fmul"),
        // The larger or smaller one.
        "fcmp" | "select" if *reassociable => Some("select"),
        name if *reassociable && (name.starts_with("llvm.maxnum.") || name.starts_with("llvm.minnum.")) => Some(name),
        name if *reassociable && (name.starts_with("llvm.fmuladd.") || name.starts_with("llvm.fma.")) => Some("fadd"),
        _ => None,
    }
}

/// Cycles from the read at `position` to a write of what the next iteration reads there.
fn returns(statement: &Statement, position: usize, latencies: &BTreeMap<ValueId, f64>) -> Option<f64> {
    let InstrKind::Read(access) = statement.body[position].kind else { return None };
    let access = &statement.accesses[access.index()];
    let writes = statement.body[position..].iter().filter_map(|write| {
        let InstrKind::Write(target) = write.kind else { return None };
        let latency = write.operands.first().and_then(|operand| latencies.get(&operand.value))?;
        is_written_before(access, &statement.accesses[target.index()], statement.loops.len()).then_some(*latency)
    });
    writes.reduce(f64::max)
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
    if let InstrKind::Loop { operations, .. } = kind {
        return f64::from(*operations);
    }
    let InstrKind::Compute { opcode, .. } = kind else { return 1.0 };
    match opcode.as_str() {
        "fdiv" | "frem" | "sdiv" | "udiv" | "srem" | "urem" => 13.0,
        "fneg" | "fcmp" => 1.0,
        name if name.starts_with("llvm.fmuladd") || name.starts_with("llvm.fma.") => 4.0,
        name if name.starts_with("llvm.sqrt") || matches!(name, "sqrt" | "sqrtf" | "sqrtl") => 16.0,
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
