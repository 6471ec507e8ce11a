//! C with MPI for a system: tiles on the ranks of a process grid, and exactly the messages that
//! they need.
//!
//! # Problem
//! Ranks have memories of their own. Given a legal schedule, each tile has to run on one rank,
//! after the values that it reads have come there \[Bondhugula2013\], \[DathathriEtAl2013\].
//!
//! # Algorithm
//! 1. `blocks` cuts the schedule into tiles and says which rank each belongs to.
//! 2. `flow` finds the flow-out set of every tile, and from which tiles a tile gets values.
//! 3. `print` writes loops for all of these, over the places of tiles as parameters; `runtime.c` is
//!    the same for all systems: every rank does its tiles in the order of places, receives what the
//!    next one needs while it computes, and sends one message per tile and rank. [`predict`] has
//!    another runtime, which simulates all ranks.
//!
//! # Invariants
//! * All ranks follow one order of all tiles, in which sources come first. So the earliest tile
//!   that is not done can always run: no rank waits for ever.
//! * Sender and receiver scan the same set in the same order; messages have no addresses in them.
//! * Arrays are whole on every rank; what a rank never touches takes no memory where the system
//!   allocates on demand.

mod blocks;
mod cells;
mod flow;
pub mod predict;
mod print;

#[cfg(test)]
mod tests;

use poly_presburger::Budget;
use poly_schedule_tree::ScheduleTree;

pub use blocks::TileOptions;

use crate::code::Code;
use crate::pieces::Pieces;
use crate::realize::along_rows;
use crate::schedule::{Aim, automatic, fused};
use crate::transform::{Refusal, stopped};

/// Code for the ranks of MPI, in tiles of a schedule. With `parallel`, threads share the loops of a
/// tile that have no dependences.
///
/// # Errors
/// Why the system cannot be distributed.
pub fn generate(
    pieces: &Pieces,
    tree: &ScheduleTree,
    options: &TileOptions,
    parallel: bool,
    budget: &mut Budget,
) -> Result<Code, Refusal> {
    written(pieces, tree, options, (parallel, false), budget)
}

/// An order for ranks: the scheduler's. If local variables have more cells in it than inputs and
/// outputs, the one with the fewest cells of it, of an order that computes first values and borders
/// where they are needed, and of one with as few steps as possible. Loops along rows go inside.
///
/// # Errors
/// Why there is no order.
pub fn order(pieces: &Pieces, options: &TileOptions, budget: &mut Budget) -> Result<ScheduleTree, Refusal> {
    options.check()?;
    let first = along_rows(pieces, automatic(pieces, Aim::Pluto, budget)?, budget)?;
    let count = |tree: &ScheduleTree, budget: &mut Budget| -> Result<_, Refusal> {
        let blocks = blocks::Blocks::new(pieces, tree, options, budget)?;
        let storage = cells::cells(pieces, &blocks, budget).map_err(stopped)?;
        Ok(cells::count(&pieces.system, &storage))
    };
    let Ok((local, others)) = count(&first, budget) else { return Ok(first) };
    if local <= others {
        return Ok(first);
    }
    let (mut best, mut least) = (first, local);
    for tree in [fused(pieces, budget), automatic(pieces, Aim::Feautrier, budget)].into_iter().flatten() {
        let tree = along_rows(pieces, tree, budget)?;
        match count(&tree, budget) {
            Ok((local, _)) if local < least => (best, least) = (tree, local),
            _ => {}
        }
    }
    Ok(best)
}

/// The same, or with a simulation of the ranks in one process.
fn written(
    pieces: &Pieces,
    tree: &ScheduleTree,
    options: &TileOptions,
    (parallel, simulated): (bool, bool),
    budget: &mut Budget,
) -> Result<Code, Refusal> {
    options.check()?;
    let blocks = blocks::Blocks::new(pieces, tree, options, budget)?;
    let flows = flow::flows(pieces, &blocks, budget)?;
    let storage = cells::cells(pieces, &blocks, budget).map_err(stopped)?;
    let (blocks, flows, storage, grid) = (&blocks, &flows, &storage, options.grid);
    let printer = print::Printer { pieces, blocks, flows, storage, grid, parallel, simulated };
    let source = printer.source(budget).map_err(stopped)?;
    Ok(Code { header: printer.header(), source })
}
