//! Register tiles for threads where no loop is free of dependences: factorizations, triangular solvers.
//!
//! # Problem
//! In `A[i][j] -= A[i][k] * A[k][j]` with `k < min(i, j)`, rows and columns become factors of later ones: every loop carries dependences, and the register tile has no
//! loop that threads could share.
//!
//! # Method
//! Blocks of rows and columns are executed in waves ([`poly_transform::RegisterTile::in_waves`]): for one block of the reduced member, those blocks side by side whose numbers have the same
//! sum. That is legal in a permutable band, and [`wavefront`] proves it for the pairs that reach the band. Every wave starts the threads again, which the cost counts.

use poly_presburger::{Budget, Stop};
use poly_schedule_tree::Band;
use poly_transform::{BandFacts, RegisterTile, wavefront};

use super::threads::Spent;
use super::{Lowering, Place, outer_iterations};
use crate::config::Profitability;
use crate::register::{Shared, tiles_in_waves};

/// A register tile and how threads execute it.
pub(super) struct InThreads {
    pub(super) tile: RegisterTile,
    pub(super) shared: Shared,
    /// How many of them have work, in the mean.
    pub(super) threads: f64,
    /// How often they are started.
    pub(super) forks: f64,
}

impl Lowering<'_> {
    /// The register tile of so many cycles in waves, if there are threads, and that is legal and predicted to be faster than `plain`.
    pub(super) fn register_waves(
        &self,
        band: &Band,
        place: &Place,
        (facts, spent): (&BandFacts, Spent),
        plain: InThreads,
        budget: &mut Budget,
    ) -> Result<InThreads, Stop> {
        if !self.config.wavefront || !self.may_fork(place) {
            return Ok(plain);
        }
        let threads = self.threads().unwrap_or(1.0);
        let Some((tile, waves)) = plain.tile.in_waves(facts, threads) else { return Ok(plain) };
        let (threads, forks) = (threads.min(waves.width).max(1.0), waves.number * outer_iterations(facts));
        let machine = &self.config.machine;
        let shared = self.among(spent, threads) + forks * machine.fork_cycles;
        let gains = shared + machine.start_cycles < GAIN * spent.cycles;
        if !gains && self.config.profitability == Profitability::Required {
            return Ok(plain);
        }
        let Some(pairs) = self.pairs_at(place, budget)? else { return Ok(plain) };
        let tiles = tiles_in_waves(band, &tile);
        Ok(match wavefront(&tiles, &pairs, budget)? {
            Ok(waves) => InThreads {
                tile,
                shared: Shared::Waves { tiles: Box::new(tiles), waves: Box::new(waves) },
                threads,
                forks,
            },
            Err(_) => plain,
        })
    }
}

/// Waves must be predicted to need at most this part of the time of one thread.
const GAIN: f64 = 0.9;
