//! Register tiles for threads where no loop is free of dependences: factorizations, triangular
//! solvers.
//!
//! # Problem
//! In `A[i][j] -= A[i][k] * A[k][j]` with `k < min(i, j)`, rows and columns become factors of later
//! ones: every loop carries dependences, and the register tile has no loop that threads could
//! share.
//!
//! # Method
//! For one block of the reduced member, blocks of rows and columns are executed side by side in one
//! of two ways:
//!
//! * in wavefronts ([`poly_transform::RegisterTile::in_wavefronts`]), those whose numbers have the
//!   same sum. That is legal in a permutable band, and [`wavefront`] proves it for the pairs that
//!   reach the band;
//! * by panels and updates ([`poly_transform::RegisterTile::panel_update`]), in phases: the block
//!   at the diagonal, the panels below and to the right of it, the rest. [`panel_update`] decides
//!   for these pairs whether that is legal.
//!
//! Every wavefront and every phase starts the threads again, which the cost counts. Of the legal
//! ones that are predicted to be clearly faster than one thread, the faster one is taken.

use poly_presburger::{Budget, Stop};
use poly_schedule_tree::Band;
use poly_transform::{BandFacts, Blocks, Division, PanelUpdate, RegisterTile, Wavefronts, panel_update, wavefront};

use super::{Lowering, outer_iterations};
use crate::config::Profitability;
use crate::cost::{Place, Spent, member_of};
use crate::register::{self, Shared, tiles_in_wavefronts};
use crate::report::TileShape;

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
    /// The register tile of so many cycles in wavefronts or phases, if there are threads, and that
    /// is legal and predicted to be faster than `plain`.
    pub(super) fn register_wavefronts(
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
        let outer = outer_iterations(facts);
        let phased = plain.tile.panel_update(facts, threads);
        let phased = phased.map(|PanelUpdate { tile, wavefronts, division, inner }| {
            (Order::PanelUpdate { division, inner }, tile, wavefronts)
        });
        let in_wavefronts =
            plain.tile.in_wavefronts(facts, threads).map(|(tile, wavefronts)| (Order::Wavefronts, tile, wavefronts));
        let mut ways: Vec<Way> = Vec::new();
        for (order, tile, Wavefronts { number, width }) in phased.into_iter().chain(in_wavefronts) {
            let (threads, forks) = (threads.min(width).max(1.0), number * outer);
            let cycles = self.among(spent, threads) + forks * self.config.machine.threads.fork_cycles;
            let gains = cycles + self.config.machine.threads.start_cycles < GAIN * spent.cycles;
            if gains || self.config.profitability != Profitability::Required {
                ways.push(Way { order, tile, threads, forks, cycles });
            }
        }
        ways.sort_by(|a, b| a.cycles.total_cmp(&b.cycles));
        if ways.is_empty() {
            return Ok(plain);
        }
        let Some(pairs) = self.pairs_at(place, budget)? else { return Ok(plain) };
        for Way { order, tile, threads, forks, .. } in ways {
            let tiles = tiles_in_wavefronts(band, &tile);
            let wavefronts = match order {
                Order::Wavefronts => wavefront(&tiles, &pairs, budget)?.ok(),
                Order::PanelUpdate { division, inner } if self.begins_at_diagonal(band, place, &tile, budget)? => {
                    let Some((rows, _)) = tile.rows else { continue };
                    let members = register::select(band, &[rows, tile.columns.0, tile.reduced]);
                    panel_update(&Blocks { members: &members, division, inner }, &pairs, budget)?.ok()
                }
                Order::PanelUpdate { .. } => None,
            };
            if let Some(wavefronts) = wavefronts {
                let shape = if order == Order::Wavefronts { TileShape::Wavefront } else { TileShape::PanelUpdate };
                let shared = Shared::Wavefronts { tiles: Box::new(tiles), wavefronts: Box::new(wavefronts), shape };
                return Ok(InThreads { tile, shared, threads, forks });
            }
        }
        Ok(plain)
    }

    /// Whether no row and no column is less than the value of the reduced member: blocks of these
    /// would all be executed by one thread, in the first phase.
    fn begins_at_diagonal(
        &self,
        band: &Band,
        place: &Place,
        tile: &RegisterTile,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        for &s in &place.active {
            let statement = &self.analysis.scop.statements[s];
            let Some(reduced) = member_of(band, tile.reduced, &statement.name) else { return Ok(false) };
            for (member, _) in tile.points() {
                let Some(function) = member_of(band, member, &statement.name) else { return Ok(false) };
                let before = reduced.gt_set(function).intersect(&statement.domain);
                if !before.is_empty(budget)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// How blocks of rows and columns are executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    PanelUpdate {
        /// The blocks.
        division: Division,
        /// Those of the block at the diagonal.
        inner: Option<Division>,
    },
    Wavefronts,
}

/// One way to execute a register tile in threads, with what is predicted for it.
struct Way {
    order: Order,
    tile: RegisterTile,
    threads: f64,
    forks: f64,
    cycles: f64,
}

/// Wavefronts or phases must be predicted to need at most this part of the time of one thread.
const GAIN: f64 = 0.9;
