//! A system with an order and with storage: what code is made of.
//!
//! # Algorithm
//! 1. Outputs that copy local variables take their place, and reductions that are parts of one
//!    become one. Reductions begin with what they are combined with ([`Pieces::accumulating`]). All
//!    this is left out if no order is found for it.
//! 2. The order is the scheduler's. Where local variables have more cells than inputs and outputs,
//!    the order with as few steps as possible is tried as well: it keeps apart fewer values, and
//!    leaves tiles to those who compile the code. The one with fewer cells is taken.
//! 3. Loops of permutable bands along rows of arrays go inside.
//! 4. Cells are used again, unless threads share loops.
//!
//! # Invariants
//! An order that people give is for the equations as they are.

use poly_arith::Int;
use poly_presburger::{Budget, Stop};
use poly_schedule_tree::ScheduleTree;

use crate::memory::{Storage, accumulate_in_place, contracted, full};
use crate::pieces::Pieces;
use crate::program::{Role, System};
use crate::schedule::{Aim, automatic, given, why_illegal};
use crate::transform::Refusal;

mod copies;
mod rows;
mod siblings;

/// Which order is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted<'a> {
    /// One for code.
    Any,
    /// One that is good at something.
    Aim(Aim),
    /// The one that people give.
    Given(&'a str),
}

/// All that code is made of.
#[derive(Clone, Debug)]
pub struct Realization {
    /// The statements.
    pub pieces: Pieces,
    /// Their order.
    pub tree: ScheduleTree,
    /// The storage of every variable.
    pub storage: Vec<Storage>,
}

/// Finds an order and storage.
///
/// # Errors
/// Why there is no order.
pub fn realize(
    system: &System,
    wanted: Wanted<'_>,
    parallel: bool,
    budget: &mut Budget,
) -> Result<Realization, Refusal> {
    let stopped = |stop: Stop| stop.to_string();
    let plain = Pieces::new(system, budget).map_err(stopped)?;
    if let Wanted::Given(text) = wanted {
        let tree = given(&plain, text, budget)?;
        return stored(plain, tree, parallel, budget);
    }
    let aim = if let Wanted::Aim(aim) = wanted { aim } else { Aim::Pluto };
    let accumulating = economical(&plain.system, budget).map_err(stopped)?;
    let (pieces, tree) = match automatic(&accumulating, aim, budget) {
        Ok(tree) => (accumulating, tree),
        Err(_) => {
            let tree = automatic(&plain, aim, budget)?;
            (plain, tree)
        }
    };
    let tree = along_rows(&pieces, tree, budget)?;
    let first = stored(pieces, tree, parallel, budget)?;
    if wanted != Wanted::Any
        || parallel
        || cells(&first, Role::Let) <= &cells(&first, Role::In) + &cells(&first, Role::Out)
    {
        return Ok(first);
    }
    let Ok(tree) = automatic(&first.pieces, Aim::Feautrier, budget) else { return Ok(first) };
    let second = stored(first.pieces.clone(), tree, parallel, budget)?;
    Ok(if cells(&second, Role::Let) < cells(&first, Role::Let) { second } else { first })
}

/// The statements of a system in normal form, without what a person would not write.
fn economical(system: &System, budget: &mut Budget) -> Result<Pieces, Stop> {
    let system = copies::without_copies(system, budget)?;
    let system = siblings::joined(&system, budget)?;
    Pieces::new(&system, budget)?.accumulating(budget)
}

/// The order with loops along rows inside, if it is legal.
pub(crate) fn along_rows(pieces: &Pieces, tree: ScheduleTree, budget: &mut Budget) -> Result<ScheduleTree, Refusal> {
    let rows = rows::along_rows(pieces, &tree);
    Ok(if why_illegal(pieces, &rows, budget)?.is_none() { rows } else { tree })
}

fn stored(pieces: Pieces, tree: ScheduleTree, parallel: bool, budget: &mut Budget) -> Result<Realization, Refusal> {
    let storage = if parallel {
        full(&pieces.system, budget).and_then(|mut storage| {
            accumulate_in_place(&pieces, &mut storage, budget)?;
            Ok(storage)
        })
    } else {
        contracted(&pieces, &tree, budget)
    };
    Ok(Realization { storage: storage.map_err(|stop| stop.to_string())?, pieces, tree })
}

/// The number of cells of the variables of a role, for large parameters.
fn cells(realization: &Realization, role: Role) -> Int {
    let system = &realization.pieces.system;
    let own = system.variables.iter().zip(&realization.storage).filter(|(variable, _)| variable.role == role);
    own.fold(Int::ZERO, |all, (_, storage)| &all + &storage.cells_of(system))
}
