//! Blocks of their own for the branches that decide whether loops run.
//!
//! # Problem
//! A region begins with a whole block. Loops are guarded (`if (n > 0)` before a nest that is
//! entered at its end), so a region of several nests must begin at the branch of the first guard;
//! but the block with this branch also holds what comes before it: stack variables, calls, the
//! loads of the very numbers that the loops depend on. None of that belongs into a region.
//!
//! # Algorithm
//! The branch gets a block of its own, which is all that the region takes in. A branch that has one
//! gets another one where control comes from a call that may throw: nothing is put on such an edge.
//! The program does not change; a function that stays as it was is put together again.

use std::collections::BTreeSet;

use poly_shim::ir::Opcode;
use poly_shim::{BlockRef, LoopRef, PassContext};

use crate::validity;

/// Whether a region could begin with the block's branch but hardly with the block, and there are
/// loops behind it.
///
/// Loops are mostly modelled with their whole body, so blocks inside of them are divided only if
/// they have loads or what no region can contain.
pub fn is_head(ctx: PassContext<'_>, block: BlockRef<'_>) -> bool {
    if !ctx.has_loops() || (block.instructions().len() == 1 && !is_behind_invocation(block)) {
        return false;
    }
    let targets: BTreeSet<_> = block.successors().into_iter().map(BlockRef::raw).collect();
    let branches = matches!(block.terminator().opcode(), Some(Opcode::Br | Opcode::Switch)) && targets.len() > 1;
    let loads = || block.instructions().iter().any(|i| i.opcode() == Some(Opcode::Load));
    let behind = |l: LoopRef<'_>| !l.contains(block) && ctx.dominates(block, l.header());
    match ctx.loop_for(block) {
        _ if !branches => false,
        None => ctx.top_level_loops().into_iter().any(behind),
        Some(around) => {
            let leaves = block.successors().iter().any(|&next| !around.contains(next));
            !leaves
                && around.subloops().into_iter().any(behind)
                && (loads() || validity::block_fault(ctx, block, true).is_some())
        }
    }
}

/// Whether control comes to the block from something else than a branch.
fn is_behind_invocation(block: BlockRef<'_>) -> bool {
    block.as_value().users().into_iter().any(|user| user.opcode() == Some(Opcode::Other))
}
