//! Blocks of their own for the branches that decide whether loops run.
//!
//! # Problem
//! A region begins with a whole block. Loops are guarded (`if (n > 0)` before a nest that is entered at its end), so a region of several nests must begin at
//! the branch of the first guard; but the block with this branch also holds what comes before it: stack variables, calls, the loads of the very numbers that
//! the loops depend on. None of that belongs into a region.
//!
//! # Algorithm
//! The branch gets a block of its own, which is all that the region takes in. The program does not change; a function that stays as it was is put together again.

use std::collections::BTreeSet;

use poly_shim::ir::Opcode;
use poly_shim::{BlockRef, LoopRef, PassContext};

use crate::validity;

/// Whether a region could begin with the block's branch but hardly with the block.
///
/// Loops are mostly modelled with their whole body, so blocks inside of them are divided only if they have loads or what no region can contain.
pub fn is_head(ctx: PassContext<'_>, block: BlockRef<'_>) -> bool {
    let targets: BTreeSet<_> = block.successors().into_iter().map(BlockRef::raw).collect();
    let leaves = |l: LoopRef<'_>| block.successors().iter().any(|&next| !l.contains(next));
    let loads = || block.instructions().iter().any(|i| i.opcode() == Some(Opcode::Load));
    ctx.has_loops()
        && targets.len() > 1
        && matches!(block.terminator().opcode(), Some(Opcode::Br | Opcode::Switch))
        && block.instructions().len() > 1
        && ctx.loop_for(block).is_none_or(|l| !leaves(l) && (loads() || validity::block_fault(ctx, block).is_some()))
}
