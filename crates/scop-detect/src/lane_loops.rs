//! Which whole loops several instances can execute at once, each in a lane of vectors.
//!
//! # Problem
//! A non-affine subregion ([`crate::non_affine`]) runs as often as data say, so nothing in the
//! model says that its iterations may be vectors. But neighbouring instances of its statement may
//! be: each is a lane, and the loop runs until no lane is left. A lane that has left the loop takes
//! part in further iterations, and so does, behind a branch, one that took the other way.
//!
//! # What may have lanes
//! 1. One loop, with any number of ways out of it, and branches in it: no loops in it, no `switch`.
//!    LLVM does not know how often it runs: else it makes vectors along the loop, or unrolls it, or
//!    finds a formula for what it computes.
//! 2. Instructions that have a vector form and cannot trap, whatever their operands are: what a
//!    lane computes that is not there is never looked at. Integers are divided by constants only, 0
//!    and -1 excepted.
//! 3. Loads at addresses from before the loop, or computed from what is from before it: nothing in
//!    the loop writes, so that a lane has to execute such a load once only, when it first comes
//!    there.
//! 4. No stores, and no calls but those of intrinsics of 2.
//!
//! Code generation ([`poly_scop::LaneLoop`]) relies on this list.
//!
//! Reference: if-conversion after [AllenKennedyPorterfieldWarren1983]; loops with masks after
//! [KarrenbergHack2011].

use std::collections::HashMap;
use std::fmt;

use poly_scop::{LaneLoop, LoopChain};
use poly_shim::ir::Opcode;
use poly_shim::{BlockRef, PassContext, ValueRef};

use crate::cfg::{BlockId, Cfg};
use crate::non_affine::Subregion;

/// Why a loop has no lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    Nest,
    Counted,
    Switch,
    Backwards,
    Type,
    Store,
    MovingLoad,
    Division,
    Instruction,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nest => "there is a loop in it",
            Self::Counted => "LLVM knows how often it runs",
            Self::Switch => "there is a switch in it",
            Self::Backwards => "it has a way back that is no loop",
            Self::Type => "it computes values that vectors do not hold",
            Self::Store => "it writes to memory",
            Self::MovingLoad => "it loads from addresses that it computes",
            Self::Division => "it divides integers by what may be 0 or -1",
            Self::Instruction => "it has an instruction that is no vector operation",
        })
    }
}

/// How several instances can execute the part at once, if its loop runs about so often.
pub(crate) fn lanes<'c>(
    ctx: PassContext<'c>,
    cfg: &Cfg<'c>,
    part: &Subregion<'c>,
    iterations: u32,
) -> Result<LaneLoop, Refusal> {
    let [(the_loop, _)] = part.loops.as_slice() else { return Err(Refusal::Nest) };
    if !ctx.backedge_taken_count(cfg.loops[*the_loop].handle).is_could_not_compute() {
        return Err(Refusal::Counted);
    }
    let is_inside = |b: BlockId| cfg.loop_contains(*the_loop, b);
    let mut bytes = 1;
    let (mut branches, mut kept, mut loads, mut blocks_with_loads) = (0, 0, 0, 0);
    for &block in &part.blocks {
        let terminator = cfg.blocks[block].terminator();
        if terminator.opcode() != Some(Opcode::Br) {
            return Err(Refusal::Switch);
        }
        if cfg.successors[block].iter().any(|&next| next <= block && next != part.header && next != part.join) {
            return Err(Refusal::Backwards);
        }
        branches += u32::from(is_inside(block) && terminator.is_conditional_branch());
        let loads_before = loads;
        for instruction in cfg.blocks[block].instructions().into_iter().filter(|&i| i != terminator && !i.is_mark()) {
            check(cfg, part, instruction)?;
            let is_address = instruction.opcode() == Some(Opcode::GetElementPtr);
            if is_address {
                continue;
            }
            bytes = bytes.max(bytes_of(instruction).ok_or(Refusal::Type)?);
            let leaves = |user: &ValueRef<'c>| user.block().and_then(|b| cfg.number(b)).is_none_or(|b| !is_inside(b));
            kept += u32::from(is_inside(block) && instruction.users().iter().any(leaves));
            let is_load = instruction.opcode() == Some(Opcode::Load);
            loads += u32::from(is_load && is_inside(block) && block != part.header);
        }
        blocks_with_loads += u32::from(loads > loads_before);
    }
    for phi in &part.chosen {
        bytes = bytes.max(bytes_of(*phi).ok_or(Refusal::Type)?);
    }
    // Whether a lane has not executed the loads of a block yet is asked in every iteration.
    let mask_operations = iterations.saturating_mul(branches + kept + 1 + loads + 3 * blocks_with_loads);
    let chain = chain(cfg, part, &is_inside).times(iterations);
    Ok(LaneLoop { bytes, iterations, mask_operations, chain })
}

/// The operations from one iteration to the next that take longest: on the way from a PHI node of
/// the first block to what one has in the next iteration. An estimate.
fn chain<'c>(cfg: &Cfg<'c>, part: &Subregion<'c>, is_inside: &dyn Fn(BlockId) -> bool) -> LoopChain {
    let header = cfg.blocks[part.header];
    let phis = header.phis();
    let mut longest: HashMap<ValueRef<'_>, LoopChain> = phis.iter().map(|&phi| (phi, LoopChain::default())).collect();
    for &block in part.blocks.iter().filter(|&&block| is_inside(block)) {
        for instruction in cfg.blocks[block].instructions() {
            if longest.contains_key(&instruction) {
                continue;
            }
            let before = instruction.operands().into_iter().filter_map(|operand| longest.get(&operand).copied());
            if let Some(before) = before.max_by_key(|&chain| usual_cycles(chain)) {
                longest.insert(instruction, before.then(operation(instruction)));
            }
        }
    }
    let is_back = |from: BlockRef<'c>| cfg.number(from).is_some_and(is_inside);
    let incoming = phis.iter().flat_map(|phi| phi.incoming());
    let back = incoming.filter(|&(from, _)| is_back(from)).filter_map(|(_, value)| longest.get(&value).copied());
    back.max_by_key(|&chain| usual_cycles(chain)).unwrap_or_default()
}

/// Which of two chains takes longer, on the usual processor.
fn usual_cycles(chain: LoopChain) -> u64 {
    let LoopChain { flops, divisions, roots, products, simple } = chain;
    let weighed = [(flops, 4), (divisions, 13), (roots, 18), (products, 3), (simple, 1)];
    weighed.iter().map(|&(count, cycles)| u64::from(count) * cycles).sum()
}

fn operation(instruction: ValueRef<'_>) -> LoopChain {
    let none = LoopChain::default();
    match instruction.opcode() {
        Some(Opcode::Phi) => none,
        Some(Opcode::FAdd | Opcode::FSub | Opcode::FMul) => LoopChain { flops: 1, ..none },
        Some(Opcode::FDiv | Opcode::UDiv | Opcode::SDiv | Opcode::URem | Opcode::SRem) => {
            LoopChain { divisions: 1, ..none }
        }
        Some(Opcode::SIToFP | Opcode::UIToFP | Opcode::FPToSI | Opcode::FPToUI | Opcode::FPExt | Opcode::FPTrunc) => {
            LoopChain { flops: 1, ..none }
        }
        Some(Opcode::Mul) => LoopChain { products: 1, ..none },
        Some(Opcode::Call) => match instruction.intrinsic_name().as_deref() {
            Some("llvm.fmuladd" | "llvm.fma") => LoopChain { flops: 1, ..none },
            Some("llvm.sqrt") => LoopChain { roots: 1, ..none },
            _ => LoopChain { simple: 1, ..none },
        },
        _ => LoopChain { simple: 1, ..none },
    }
}

fn check<'c>(cfg: &Cfg<'c>, part: &Subregion<'c>, instruction: ValueRef<'c>) -> Result<(), Refusal> {
    match instruction.opcode() {
        Some(Opcode::Store) => return Err(Refusal::Store),
        Some(Opcode::Load) => {
            let effects = instruction.effects();
            let is_plain = !effects.is_volatile() && !effects.is_atomic();
            return if is_plain { Ok(()) } else { Err(Refusal::Instruction) };
        }
        Some(Opcode::GetElementPtr) => {
            let is_own = |value: ValueRef<'c>| {
                value.block().and_then(|b| cfg.number(b)).is_some_and(|b| part.blocks.contains(&b))
            };
            let moves = instruction.operands().into_iter().any(is_own);
            return if moves { Err(Refusal::MovingLoad) } else { Ok(()) };
        }
        Some(Opcode::UDiv | Opcode::URem | Opcode::SDiv | Opcode::SRem) => {
            let is_wide = bytes_of(instruction).is_none_or(|bytes| bytes > 4);
            let divisor = instruction.operand(1).constant_int();
            if is_wide || !divisor.is_some_and(|divisor| !matches!(divisor, 0 | -1)) {
                return Err(Refusal::Division);
            }
        }
        _ if !is_vector_operation(instruction) => return Err(Refusal::Instruction),
        _ => {}
    }
    let is_value = |operand: &ValueRef<'_>| operand.as_block().is_none() && !operand.is_function();
    let operands = instruction.operands().into_iter().filter(is_value);
    let all_fit = operands.into_iter().all(|operand| bytes_of(operand).is_some());
    if all_fit { Ok(()) } else { Err(Refusal::Type) }
}

/// Bytes of a lane; those of a truth value, which is in a mask, are one.
fn bytes_of(value: ValueRef<'_>) -> Option<u32> {
    match value.ty().integer_bits() {
        Some(1 | 8) => Some(1),
        Some(16) => Some(2),
        Some(32) => Some(4),
        Some(64) => Some(8),
        Some(_) => None,
        None => match value.ty().print().as_str() {
            "float" => Some(4),
            "double" => Some(8),
            _ => None,
        },
    }
}

/// Vectors have the same operation, lane by lane, with the same result in every lane, and no
/// operands make it trap.
fn is_vector_operation(instruction: ValueRef<'_>) -> bool {
    let name = instruction.intrinsic_name().or_else(|| instruction.opcode_name().map(|name| name.to_string()));
    matches!(instruction.opcode(), Some(Opcode::Phi | Opcode::Freeze))
        || name.is_some_and(|name| poly_scop::lanes::is_vector_operation(&name))
}
