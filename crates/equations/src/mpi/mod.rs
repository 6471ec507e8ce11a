//! C with MPI for a system: tiles on the ranks of a process grid, and exactly the messages that they need.
//!
//! # Problem
//! Ranks have memories of their own. Given a legal schedule, each tile has to run on one rank, after
//! the values that it reads have come there \[Bondhugula2013\], \[DathathriEtAl2013\].
//!
//! # Algorithm
//! 1. `blocks` cuts the schedule into tiles and says which rank each belongs to.
//! 2. `flow` finds the flow-out set of every tile, and from which tiles a tile gets values.
//! 3. `print` writes loops for all of these, over the places of tiles as parameters; `runtime.c` is the same for all systems: every
//!    rank does its tiles in the order of places, receives what the next one needs while it computes,
//!    and sends one message per tile and rank. [`predict`] has another runtime, which simulates all ranks.
//!
//! # Invariants
//! * All ranks follow one order of all tiles, in which sources come first. So the earliest tile that is not done can
//!   always run: no rank waits for ever.
//! * Sender and receiver scan the same set in the same order; messages have no addresses in them.
//! * Arrays are whole on every rank; what a rank never touches takes no memory where the system allocates on demand.

mod blocks;
mod flow;
pub mod predict;
mod print;

#[cfg(test)]
mod tests;

use poly_presburger::Budget;
use poly_schedule_tree::ScheduleTree;

pub use blocks::TileOptions;

use crate::code::Code;
use crate::memory;
use crate::pieces::Pieces;
use crate::transform::{Refusal, stopped};

/// Code for the ranks of MPI, in tiles of a schedule. With `parallel`, threads share the loops of a tile that have no dependences.
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

/// The same, or with a simulation of the ranks in one process.
fn written(
    pieces: &Pieces,
    tree: &ScheduleTree,
    options: &TileOptions,
    (parallel, simulated): (bool, bool),
    budget: &mut Budget,
) -> Result<Code, Refusal> {
    if options.sizes.iter().any(|&size| size < 1) || options.sizes.is_empty() {
        return Err("tiles have a length of at least 1".to_owned());
    }
    if !(1..=2).contains(&options.grid) {
        return Err("a process grid has 1 or 2 dimensions".to_owned());
    }
    let blocks = blocks::Blocks::new(pieces, tree, options, budget)?;
    let flows = flow::flows(pieces, &blocks, budget)?;
    let storage = memory::full(&pieces.system, budget).map_err(stopped)?;
    let (blocks, flows, storage, grid) = (&blocks, &flows, &storage, options.grid);
    let printer = print::Printer { pieces, blocks, flows, storage, grid, parallel, simulated };
    let source = printer.source(budget).map_err(stopped)?;
    Ok(Code { header: printer.header(), source })
}
