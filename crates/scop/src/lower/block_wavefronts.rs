//! Blocks of two loops of an outer band, for threads.
//!
//! # Problem
//! Blocks of one loop ([`super::blocks`]) depend on each other, one after the other: no thread can
//! have a block of its own. Without blocks, threads would have to share the loops inside, in each
//! of which every thread goes over data that its cache does not hold.
//!
//! # Method
//! A second member of the band, its outermost, is divided in blocks too. Blocks whose numbers have
//! the same sum are executed side by side, in wavefronts as those of
//! [`super::register_wavefronts`]: a thread takes a block of columns through a whole block of steps
//! before it goes on to another one.
//!
//! # Legality
//! As for blocks; that blocks of a wavefront do not depend on each other is proven by
//! [`wavefront`], for the pairs that reach the band.

use poly_arith::Int;
use poly_presburger::{Budget, Stop};
use poly_schedule_tree::{Band, LoopType, Tree};
use poly_transform::wavefront;

use super::{Lowering, State};
use crate::cost::{Place, row};
use crate::lower::in_wavefronts;
use crate::register;
use crate::report::{BandReport, TileShape};

/// A band of which blocks are to be made: its last member, and the one outside that shares
/// wavefronts with it.
pub(super) struct InBlocks<'a> {
    /// All members; the last one is that which blocks are made of.
    pub(super) band: &'a Band,
    /// The members but the last one.
    pub(super) above: &'a Band,
    /// These, above the nests that the last one is in.
    pub(super) below: &'a Tree,
    /// The size of blocks.
    pub(super) size: u64,
}

impl Lowering<'_> {
    /// Blocks in wavefronts, if threads may share them and that is legal; `before` is the state
    /// before, the state is that with these blocks then.
    pub(super) fn blocks_in_wavefronts(
        &mut self,
        blocks: &InBlocks<'_>,
        place: &Place,
        before: &State,
        budget: &mut Budget,
    ) -> Result<Option<Tree>, Stop> {
        if !self.config.wavefront || !self.may_fork(place) {
            return Ok(None);
        }
        let (band, last) = (blocks.band, blocks.band.n_member() - 1);
        let size = Int::from(blocks.size);
        let tiles = register::select(band, &[0, last]).tile(&[size.clone(), size]).0;
        let tiles = tiles.with_loop_type(LoopType::Atomic);
        let Some(pairs) = self.pairs_at(place, budget)? else { return Ok(None) };
        let Ok(wavefronts) = wavefront(&tiles, &pairs, budget)? else { return Ok(None) };
        let mut inside = place.clone();
        // In the order of the loops: wavefronts, blocks of columns, blocks of steps.
        inside.outer.push(wavefronts.concat(&tiles.split(1).0));
        inside.parallel = true;
        self.state = before.clone();
        self.state.bands.push(BandReport {
            depth: 2,
            tile: vec![blocks.size; 2],
            shape: TileShape::Wavefront,
            parallel: true,
            ..BandReport::default()
        });
        let tree = self.outer_band_as_is(blocks.below, blocks.above, &inside, budget)?;
        let (rows, columns) = (self.count_of_blocks(blocks, 0, place), self.count_of_blocks(blocks, last, place));
        let steps = rows + columns - 1.0;
        let spent = self.state.spent() - before.spent();
        // In the mean, a wavefront is half as wide as at most.
        let width = (rows.min(columns) / 2.0).max(1.0);
        let machine = &self.config.machine;
        let threads = self.threads().unwrap_or(1.0).min(width);
        let shared = self.among(spent, threads);
        self.state.cycles = before.cycles + shared + steps * machine.threads.fork_cycles + machine.threads.start_cycles;
        // As many neighbours for each thread: from wavefront to wavefront, most blocks of columns
        // stay with the thread in whose cache they are.
        Ok(Some(in_wavefronts(&tiles, &wavefronts, tree, 0.0)))
    }

    /// Number of values of a member, over all statements, as if the iterators were independent of
    /// each other.
    pub(super) fn range_of_member(&self, band: &Band, member: usize, place: &Place) -> f64 {
        let range = |&s: &usize| {
            let facts = &self.facts[s];
            let row = row(band, member, &self.analysis.scop.statements[s].name, facts.extents.len());
            1.0 + row.iter().zip(&facts.extents).map(|(slope, extent)| slope.abs() * (extent - 1.0)).sum::<f64>()
        };
        place.active.iter().map(range).fold(1.0, f64::max)
    }
}
