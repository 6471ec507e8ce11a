//! Statements whose instances can run in lanes although they execute whole loops.
//!
//! # Problem
//! Neighbouring iterations of a loop without dependences are vector code, lane by lane. A statement
//! with a whole loop ([`InstrKind::Loop`]) is, too, if that loop has lanes ([`LaneLoop`]) and the
//! rest of its body has: an instruction of it is executed for all lanes, and what a predicate says
//! is a mask.
//!
//! # What the rest may be
//! 1. Writes of one element of memory, whenever the instance is executed, and reads of one, which
//!    may have conditions. Reads of a scalar: where iterations are independent, none of them writes
//!    it, and all lanes have the same value.
//! 2. Operations with a vector form that may be executed more often, and conditions and choices of
//!    them.
//! 3. What a loop has left behind.
//!
//! # Invariants
//! This decides what the cost model counts on. Code generation asks it, too, and then looks at the
//! types and addresses; where these do not fit it writes one instance after the other.

use crate::{Instr, InstrKind, LaneLoop, LoopChain, Scop, Statement};

/// How neighbouring instances of a statement with whole loops run in lanes, if they can: the widest
/// value, the most iterations, and the operations of all loops.
pub fn in_lanes(scop: &Scop, statement: &Statement) -> Option<LaneLoop> {
    let mut all = LaneLoop { bytes: 1, iterations: 1, mask_operations: 0, chain: LoopChain::default() };
    let mut some = false;
    for instr in &statement.body {
        match &instr.kind {
            InstrKind::Loop { sets_errno: false, writes, lanes: Some(lanes), .. } if writes.is_empty() => {
                some = true;
                all.bytes = all.bytes.max(lanes.bytes);
                all.iterations = all.iterations.max(lanes.iterations);
                all.mask_operations = all.mask_operations.saturating_add(lanes.mask_operations);
                all.chain = all.chain.then(lanes.chain);
            }
            InstrKind::Read(access) | InstrKind::Write(access) => {
                let is_write = matches!(instr.kind, InstrKind::Write(_));
                let access = &statement.accesses[access.index()];
                let array = &scop.arrays[access.array.index()];
                let fits = matches!(array.element.bytes, 1 | 2 | 4 | 8);
                if (is_write && (instr.predicate.is_some() || array.is_scalar())) || !access.exact || !fits {
                    return None;
                }
                all.bytes = all.bytes.max(array.element.bytes);
            }
            InstrKind::Compute { opcode, speculatable: true, errno: None, .. } if is_vector_operation(opcode) => {}
            InstrKind::Holds { .. } | InstrKind::Any | InstrKind::Choose | InstrKind::Result => {}
            _ => return None,
        }
    }
    some.then_some(all)
}

/// The bytes of the widest element of a statement without whole loops that stores under conditions,
/// if its neighbouring instances can be vectors: all else that it does may be done in every lane.
pub fn stores_under_conditions(scop: &Scop, statement: &Statement) -> Option<u32> {
    let (mut bytes, mut some) = (4, false);
    for instr in &statement.body {
        match &instr.kind {
            InstrKind::Read(access) | InstrKind::Write(access) => {
                some |= instr.predicate.is_some() && matches!(instr.kind, InstrKind::Write(_));
                let access = &statement.accesses[access.index()];
                let array = &scop.arrays[access.array.index()];
                if !access.exact || array.is_scalar() || !matches!(array.element.bytes, 4 | 8) {
                    return None;
                }
                bytes = bytes.max(array.element.bytes);
            }
            _ if !is_row_instruction(instr) => return None,
            _ => {}
        }
    }
    some.then_some(bytes)
}

/// An access, a condition, or an operation that may be executed in every lane.
pub fn is_row_instruction(instr: &Instr) -> bool {
    match &instr.kind {
        InstrKind::Compute { opcode, speculatable: true, errno: None, .. } => is_vector_operation(opcode),
        InstrKind::Read(_) | InstrKind::Write(_) => true,
        InstrKind::Holds { .. } | InstrKind::Any | InstrKind::Choose => true,
        _ => false,
    }
}

/// Whether vectors have the same operation, by LLVM's name; none of these traps, whatever the
/// operands are.
pub fn is_vector_operation(opcode: &str) -> bool {
    let intrinsic = opcode.strip_prefix("llvm.").and_then(|rest| rest.split('.').next());
    match intrinsic {
        Some(name) => {
            matches!(name, "fmuladd" | "fma" | "sqrt" | "fabs" | "copysign" | "smax" | "smin" | "umax" | "umin")
        }
        None => matches!(
            opcode,
            "fneg"
                | "add"
                | "fadd"
                | "sub"
                | "fsub"
                | "mul"
                | "fmul"
                | "fdiv"
                | "shl"
                | "lshr"
                | "ashr"
                | "and"
                | "or"
                | "xor"
                | "trunc"
                | "zext"
                | "sext"
                | "sitofp"
                | "uitofp"
                | "fptosi"
                | "fptoui"
                | "fptrunc"
                | "fpext"
                | "icmp"
                | "fcmp"
                | "select"
        ),
    }
}

/// Whether this is the smaller or the larger one of two floating-point numbers, by LLVM's name:
/// instructions of vectors have it, but loops in lanes do not ask for it.
pub(crate) fn is_float_extremum(opcode: &str) -> bool {
    let name = opcode.strip_prefix("llvm.").and_then(|rest| rest.split('.').next());
    matches!(name, Some("minnum" | "maxnum"))
}
