//! Where the columns of register tiles begin.
//!
//! # Problem
//! Counters begin at zero, subscripts where the program lets them begin: with `j` from `i + 1`, a
//! tile of the counter's values from 40 to 79 has the columns 41 to 80 of a row. Rows mostly begin
//! at multiples of the length of a vector in memory, so each vector of such a tile lies in two
//! lines of the cache, and half as many are loaded in the same time.
//!
//! # Method
//! A constant is added to the columns' function, so that a tile begins where most subscripts are
//! multiples of the tile's size. That changes no order, but one more tile at the ends of the loop
//! may be a partial one; so loops of few tiles stay as they are.
//!
//! Where an array begins is not known. If not at a multiple of a vector's length, nothing is lost.

use poly_schedule_tree::Band;

use super::Lowering;
use crate::cost::{Place, member_of, row};

/// Tiles that a loop must have at least.
const MANY_TILES: f64 = 8.0;

impl Lowering<'_> {
    /// The band with another beginning of the tiles of a member, of which there are `size` points
    /// in each. `trip` are the iterations of the member.
    pub(super) fn with_aligned_columns(
        &self,
        band: &Band,
        (member, size): (usize, u64),
        trip: f64,
        place: &Place,
    ) -> Band {
        let Ok(size) = i64::try_from(size) else { return band.clone() };
        if trip < MANY_TILES * size as f64 {
            return band.clone();
        }
        let mut offsets: Vec<i64> = Vec::new();
        for &s in &place.active {
            offsets.extend(self.offsets(s, band, member));
        }
        let counts = |offset: i64| offsets.iter().filter(|&&other| (other - offset) % size == 0).count();
        let best =
            offsets.iter().copied().reduce(|best, offset| if counts(offset) > counts(best) { offset } else { best });
        match best.map_or(0, |offset| offset.rem_euclid(size)) {
            0 => band.clone(),
            offset => {
                let shifted = |m, function: &poly_presburger::UnionPwAff| {
                    if m == member { function.add_constant(offset) } else { function.clone() }
                };
                Band { schedule: band.schedule.map_members(shifted), ..band.clone() }
            }
        }
    }

    /// How much the innermost subscripts that grow with a member alone are larger than it.
    fn offsets(&self, s: usize, band: &Band, member: usize) -> Vec<i64> {
        let (facts, name) = (&self.facts[s], &self.analysis.scop.statements[s].name);
        let Some([(_, function)]) = member_of(band, member, name).map(|function| function.pieces()) else {
            return Vec::new();
        };
        let Some(first) = function.constant_term().to_int().and_then(|first| first.to_i64()) else { return Vec::new() };
        let row = row(band, member, name, facts.extents.len());
        let innermost = facts.accesses.iter().filter_map(|access| access.subscripts.as_ref()?.last());
        let along = innermost.filter(|(steps, _)| *steps == row);
        along.map(|(_, constant)| *constant as i64 - first).collect()
    }
}
