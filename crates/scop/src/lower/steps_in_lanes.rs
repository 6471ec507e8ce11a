//! Bands in which two loops carry dependences: iterations of one are lanes of vectors, a step
//! behind each other.
//!
//! # Method
//! Where the model finds it faster ([`steps_in_lanes`]), one member is cut in strips and the loop
//! over the steps of a strip, the sum of this member and another one, gets the mark
//! [`Mark::SimdWavefront`](poly_schedule_tree::Mark). Bands of stencils, in which several loops
//! move the same subscript, get such strips from [`super::time_tiles`].
//!
//! # Legality
//! The band is permutable, and no pair that reaches it goes back in one of its members, which
//! [`wavefront`](poly_transform::wavefront) proves: the diagonals are free of dependences. Updates
//! of reductions keep the order of the source, which is one of those that they may have. The rest
//! is asked for because code generation would not make vectors otherwise, as for [`super::chains`].
//!
//! Reference: [Lamport1974].

use poly_presburger::{Budget, Stop};
use poly_schedule_tree::{Band, Tree};
use poly_transform::{BandFacts, Cost, SteppedBand, StepsInLanes, TimeTiles, is_skewed, predicted, steps_in_lanes};

use super::Lowering;
use super::time_tiles::strips;
use crate::config::Tiling;
use crate::cost::Place;
use crate::report::BandReport;

impl Lowering<'_> {
    /// The band with iterations of one member as lanes, if that is possible and predicted to be
    /// better than `other`.
    pub(super) fn in_steps(
        &mut self,
        (band, facts): (&Band, &BandFacts),
        place: &Place,
        (child, other): (&Tree, Cost),
        budget: &mut Budget,
    ) -> Result<Option<Tree>, Stop> {
        let is_possible = self.config.tiling == Tiling::Model && self.config.wavefront && !self.keeps_order();
        if !is_possible || band.n_member() < 2 || self.may_fork(place) || !self.has_lanes(place) {
            return Ok(None);
        }
        let Some(statements) = self.shaped_statements(band, place) else { return Ok(None) };
        if is_skewed(&statements) {
            return Ok(None);
        }
        let stepped = SteppedBand { facts, statements: &statements };
        let found = match self.kept_time_tiles(place) {
            Some(tiles) => self.fixed_strips(tiles, &stepped),
            None => steps_in_lanes(&stepped, other, &self.config.machine),
        };
        let Some(found) = found else { return Ok(None) };
        if !self.is_in_step(band, place, budget)? {
            return Ok(None);
        }
        let Some(pairs) = self.ordered_pairs_at(place, budget)? else { return Ok(None) };
        let order = order_of(band, &found);
        let ordered = band.permute(&order);
        let Some(strips) = strips(&ordered, child, found.width, &pairs, budget)? else { return Ok(None) };
        let (outer, _) = ordered.split(band.n_member() - 2);
        self.state.cycles += found.cost.cycles();
        self.state.memory += found.cost.memory;
        self.state.bands.push(BandReport {
            depth: band.n_member(),
            tile: vec![found.width],
            reordered: true,
            vector: true,
            lanes: found.width,
            ..BandReport::default()
        });
        let sizes = (0..band.n_member()).map(|m| if m == found.strip { found.width } else { 0 }).collect();
        self.keep_time_tiles(place, TimeTiles { order, sizes, rows: 0, cost: found.cost });
        Ok(Some(if outer.n_member() == 0 { strips } else { Tree::band(outer, strips) }))
    }

    /// The strips that a candidate has, with their cost at other sizes than those that it was made
    /// for.
    fn fixed_strips(&self, tiles: &TimeTiles, band: &SteppedBand<'_>) -> Option<StepsInLanes> {
        // Where other sizes leave another part of the band together, it is another structure.
        if tiles.order.len() != band.facts.coincident.len() {
            return None;
        }
        let [.., strip, along] = tiles.order[..] else { return None };
        let width = tiles.sizes.get(strip).copied().filter(|&width| width > 0)?;
        let cost = predicted(band, (strip, along, width), &self.config.machine)?;
        Some(StepsInLanes { strip, along, width, cost })
    }
}

/// All members, those of the strips last.
fn order_of(band: &Band, found: &StepsInLanes) -> Vec<usize> {
    let others = (0..band.n_member()).filter(|&m| m != found.strip && m != found.along);
    others.chain([found.strip, found.along]).collect()
}
