//! The chain of operations that a loop carries from one iteration to the next.
//!
//! # Problem
//! Where an iteration needs what the one before has computed, the time of an iteration is at least
//! the latency from that value to the one that the next iteration needs, however many operations
//! the processor could start.
//!
//! # Method
//! For each read whose element the same statement has written one iteration of its innermost loop
//! before: the longest path through the body from the read to that write, weighted with latencies.
//! An estimate for the cost model.
//!
//! Another order may have an innermost loop that carries a chain where the source's carries none,
//! as diagonals of `v[j] = f(v[j], v[j + 1])` do. Of that chain it is known that it leads from a
//! read of an array to a write of the same one; the longest such path is taken.
//!
//! A chain of one associative operation (integers; floating point where the flags allow
//! reassociation) on one element is a reduction, which LLVM makes vectors of: several partial
//! results side by side. Where each iteration has an element of its own, as in prefix sums and
//! tables of dynamic programming, all results are needed, and the iterations wait for each other.
//! If they always write what the next one reads, LLVM forwards the value in a register (its pass
//! `loop-load-elim`).

use poly_arith::Rational;
use poly_machine::Latency;
use poly_presburger::{BasicMap, DimKind};
use rustc_hash::FxHashMap;

use crate::facts::to_f64;
use crate::operations::divides_by_constant;
use crate::{Access, AccessKind, Instr, InstrKind, Statement, ValueId};

/// The chains of a statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Chains {
    /// Cycles of the operations of the longest one; 0 if there is none.
    pub(crate) longest: f64,
    /// Cycles that it takes longer because the value goes through memory.
    pub(crate) stored: f64,
    /// Cycles of the operations of the longest path from a read of an array to a write of it, and
    /// cycles that it takes longer because other elements of it go through memory.
    pub(crate) across: (f64, f64),
    /// There are some, each of which begins with a read under a condition that is data.
    pub(crate) conditional: bool,
    /// There are some, each made of one associative operation.
    pub(crate) reduce: bool,
}

/// The chains of a statement.
pub(crate) fn chains(statement: &Statement, cycles: Latency) -> Chains {
    let body = Body::of(statement, cycles);
    let (mut longest, mut all, mut found, mut associative) = (0.0f64, 0.0f64, false, true);
    let mut conditional = true;
    for (position, read) in statement.body.iter().enumerate() {
        let InstrKind::Read(access) = read.kind else { continue };
        let Some(last) = body.last_return(position, access.index()) else { continue };
        let latencies = body.latencies(position, last);
        let Some(latency) = body.returns(position, access.index(), &latencies) else { continue };
        let is_operation = is_associative(statement, position, &body.latencies(position, statement.body.len()));
        let is_prefix = is_operation && body.is_moved(position, access.index());
        let is_forwarded = is_prefix && body.always_returns(position, access.index());
        let access = &statement.accesses[access.index()];
        let stored = match access.relation.space().dim(DimKind::Out) {
            0 => 0.0,
            _ if access.demoted || is_forwarded => cycles.demoted,
            _ => cycles.memory,
        };
        longest = longest.max(latency);
        all = all.max(latency + stored);
        conditional = conditional && read.predicate.is_some();
        found = true;
        associative = associative && is_operation && !is_prefix;
    }
    Chains {
        longest,
        stored: all - longest,
        across: body.across(cycles),
        conditional: found && conditional,
        reduce: found && associative,
    }
}

/// By access of a statement, cycles from the value of a read until everything is there that is
/// computed from it; 0 for writes.
pub(crate) fn paths(statement: &Statement, cycles: Latency) -> Vec<f64> {
    let body = Body::of(statement, cycles);
    let mut paths = vec![0.0f64; statement.accesses.len()];
    for (position, read) in statement.body.iter().enumerate() {
        if let InstrKind::Read(access) = read.kind {
            let latencies = body.latencies(position, statement.body.len());
            let path = latencies.into_iter().flatten().fold(0.0, f64::max);
            paths[access.index()] = paths[access.index()].max(path);
        }
    }
    paths
}

/// Whether everything that is computed from a read is one associative operation.
fn is_associative(statement: &Statement, read: usize, latencies: &[Option<f64>]) -> bool {
    let instrs = statement.body.iter().zip(latencies).enumerate();
    let computed = instrs.filter(|&(position, (_, latency))| position != read && latency.is_some());
    let mut operations = computed.map(|(_, (instr, _))| associative(&instr.kind));
    let Some(Some(first)) = operations.next() else { return false };
    operations.all(|operation| operation == Some(first))
}

/// What is asked about a body for each of its reads, which may be hundreds where loops have been
/// unrolled.
struct Body<'a> {
    statement: &'a Statement,
    /// By instruction: the positions of those whose values it uses.
    operands: Vec<Vec<usize>>,
    /// By instruction: its cycles.
    cycles: Vec<f64>,
    /// By access: its subscripts, see [`subscript`].
    subscripts: Vec<Vec<Option<Vec<f64>>>>,
    /// The writes: position, access and the position of the value, if that is of the body.
    writes: Vec<(usize, usize, Option<usize>)>,
}

impl<'a> Body<'a> {
    fn of(statement: &'a Statement, cycles: Latency) -> Self {
        let instrs = || statement.body.iter().enumerate();
        let computed = instrs().filter(|(_, instr)| !matches!(instr.kind, InstrKind::Write(_)));
        let positions: FxHashMap<ValueId, usize> = computed.map(|(position, instr)| (instr.value, position)).collect();
        let at = |value: ValueId| positions.get(&value).copied();
        let writes = instrs().filter_map(|(position, instr)| match instr.kind {
            InstrKind::Write(access) => {
                Some((position, access.index(), instr.operands.first().and_then(|operand| at(operand.value))))
            }
            _ => None,
        });
        Self {
            statement,
            operands: statement.body.iter().map(|instr| instr.locals().filter_map(at).collect()).collect(),
            cycles: statement.body.iter().map(|instr| latency(instr, cycles)).collect(),
            subscripts: statement.accesses.iter().map(subscripts).collect(),
            writes: writes.collect(),
        }
    }

    /// The writes behind a read of what the next iteration reads there.
    fn returning(&self, read: usize, access: usize) -> impl Iterator<Item = (usize, Option<usize>)> {
        let behind = self.writes.iter().filter(move |(position, ..)| *position > read);
        behind
            .filter(move |write| self.is_written_before(access, write.1))
            .map(|&(position, _, value)| (position, value))
    }

    /// The last one of them.
    fn last_return(&self, read: usize, access: usize) -> Option<usize> {
        self.returning(read, access).last().map(|(position, _)| position)
    }

    /// Cycles from a read to a write of what the next iteration reads there.
    fn returns(&self, read: usize, access: usize, latencies: &[Option<f64>]) -> Option<f64> {
        self.returning(read, access).filter_map(|(_, value)| latencies[value?]).reduce(f64::max)
    }

    /// Cycles of the longest path from a read of an array to a write of it, and those that it takes
    /// longer through memory: what is written to the element that was read may be in a register.
    fn across(&self, cycles: Latency) -> (f64, f64) {
        let (mut longest, mut all) = (0.0f64, 0.0f64);
        for (position, read) in self.statement.body.iter().enumerate() {
            let InstrKind::Read(access) = read.kind else { continue };
            let array = |access: usize| self.statement.accesses[access].array;
            let is_back =
                |write: &&(usize, usize, Option<usize>)| write.0 > position && array(write.1) == array(access.index());
            if !self.writes.iter().any(|write| is_back(&write)) {
                continue;
            }
            let latencies = self.latencies(position, self.statement.body.len());
            for &(_, write, value) in self.writes.iter().filter(is_back) {
                let Some(latency) = value.and_then(|value| latencies[value]) else { continue };
                let is_same = self.subscripts[write] == self.subscripts[access.index()];
                longest = longest.max(latency);
                all = all.max(latency + if is_same { 0.0 } else { cycles.memory });
            }
        }
        (longest, all - longest)
    }

    /// Whether the writes behind a read of what the next iteration reads there are of another
    /// element in each iteration.
    fn is_moved(&self, read: usize, access: usize) -> bool {
        let slope = |subscript: &Option<Vec<f64>>| subscript.as_ref().and_then(|s| s.last().copied());
        let moves = |position: usize| match self.statement.body[position].kind {
            InstrKind::Write(write) => self.subscripts[write.index()].iter().any(|s| slope(s) != Some(0.0)),
            _ => false,
        };
        !self.statement.loops.is_empty() && self.returning(read, access).any(|(position, _)| moves(position))
    }

    /// Whether a read and the writes behind it of what the next iteration reads there always
    /// happen.
    fn always_returns(&self, read: usize, access: usize) -> bool {
        let always = |position: usize| self.statement.body[position].predicate.is_none();
        always(read) && self.returning(read, access).all(|(position, _)| always(position))
    }

    /// Cycles from the value of an instruction to the value of every one before `end`, where it
    /// depends on it.
    fn latencies(&self, start: usize, end: usize) -> Vec<Option<f64>> {
        let mut result = vec![None; self.operands.len()];
        result[start] = Some(0.0);
        for position in start + 1..end {
            if matches!(self.statement.body[position].kind, InstrKind::Write(_)) {
                continue;
            }
            let before = self.operands[position].iter().filter_map(|&operand| result[operand]).reduce(f64::max);
            result[position] = before.map(|before| before + self.cycles[position]);
        }
        result
    }

    /// Whether the element that is read is the one that was written one iteration of the innermost
    /// loop before.
    fn is_written_before(&self, read: usize, write: usize) -> bool {
        let [from, to] = [read, write].map(|access| &self.statement.accesses[access]);
        if from.array != to.array || from.kind != AccessKind::Read || to.kind == AccessKind::Read {
            return false;
        }
        if from.relation.basics().is_empty() || to.relation.basics().is_empty() {
            return false;
        }
        self.subscripts[read].iter().zip(&self.subscripts[write]).all(|pair| {
            let (Some(read), Some(write)) = pair else { return false };
            let slope = if self.statement.loops.is_empty() { 0.0 } else { write[write.len() - 1] };
            read[1..] == write[1..] && read[0] == write[0] - slope
        })
    }
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

fn latency(instr: &Instr, cycles: Latency) -> f64 {
    if let InstrKind::Loop { operations, .. } = &instr.kind {
        return f64::from(*operations);
    }
    if matches!(&instr.kind, InstrKind::Combine(combination) if combination.is_float()) {
        return cycles.flop;
    }
    let InstrKind::Compute { opcode, .. } = &instr.kind else { return cycles.simple };
    match opcode.as_str() {
        _ if divides_by_constant(instr) => cycles.multiply + 2.0 * cycles.simple,
        "fdiv" | "frem" | "sdiv" | "udiv" | "srem" | "urem" => cycles.divide,
        "fneg" | "fcmp" => cycles.simple,
        name if name.starts_with("llvm.fmuladd") || name.starts_with("llvm.fma.") => cycles.flop,
        name if name.starts_with("llvm.sqrt") || matches!(name, "sqrt" | "sqrtf" | "sqrtl") => cycles.root,
        name if name.starts_with("llvm.") && (name.contains("min") || name.contains("max") || name.contains("abs")) => {
            cycles.simple
        }
        name if name.contains('.') => cycles.call,
        name if name.starts_with('f') => cycles.flop,
        "mul" => cycles.multiply,
        _ => cycles.simple,
    }
}

/// The subscripts of an access, as far as they are such numbers. None where nothing is known.
fn subscripts(access: &Access) -> Vec<Option<Vec<f64>>> {
    let Some(basic) = access.relation.basics().first() else { return Vec::new() };
    (0..basic.dim(DimKind::Out)).map(|dimension| subscript(basic, dimension)).collect()
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
