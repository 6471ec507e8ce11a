//! Bands with a chain of dependences and a parallel loop: neighbouring iterations of that are lanes
//! of vectors.
//!
//! # Method
//! Where the model finds the structure faster ([`chains_in_lanes`]), the parallel loop is cut in
//! strips, the loop over the steps of the chain gets the mark
//! [`Mark::SimdWavefront`](poly_schedule_tree::Mark), and the iterations of a strip in it the mark
//! [`Mark::Vector`](poly_schedule_tree::Mark). Code generation recognizes what is handed on from
//! step to step from the subscripts.
//!
//! # Legality
//! The band is permutable and the parallel loop carries nothing, so that strips of it may come
//! first and its iterations last. The rest is asked for because code generation would not make
//! vectors otherwise:
//!
//! 1. every operation has a vector form, and no two writes of the band touch the same element
//!    ([`Lowering::has_lanes`]);
//! 2. all statements are executed in the same iterations, so that there are no conditions between
//!    them;
//! 3. these are a convex set: else a step would have several loops over lanes.

use poly_presburger::{Budget, Map, Set, Stop};
use poly_schedule_tree::Band;
use poly_transform::{BandFacts, Choice, chains_in_lanes, value_map};

use super::Lowering;
use crate::config::Tiling;
use crate::cost::{Place, member_of};

impl Lowering<'_> {
    /// The band with chains in the lanes of vectors, if that is possible and predicted to be better
    /// than `other`, and the width of its strips.
    pub(super) fn in_lanes(
        &self,
        other: &Choice,
        (band, facts): (&Band, &BandFacts),
        place: &Place,
        wanted: bool,
        budget: &mut Budget,
    ) -> Result<Option<(Choice, u64)>, Stop> {
        let machine = &self.config.machine;
        let bytes = facts.statements.iter().flat_map(|s| &s.accesses).map(|a| a.bytes).fold(1.0, f64::max);
        let lanes = machine.vectors.bytes / bytes as u64;
        let is_convex = place.active.iter().all(|&s| self.analysis.scop.statements[s].domain.basics().len() <= 1);
        let is_possible = self.config.tiling == Tiling::Model && matches!(bytes, 4.0 | 8.0) && lanes >= 2 && is_convex;
        if !is_possible || !self.has_lanes(place) {
            return Ok(None);
        }
        let Some(choice) = chains_in_lanes(other, facts, lanes, machine, wanted) else { return Ok(None) };
        let width = choice.tiles.as_ref().and_then(|(order, sizes)| sizes.get(*order.first()?).copied());
        Ok(if self.is_in_step(band, place, budget)? { width.map(|width| (choice, width)) } else { None })
    }

    /// All statements are executed in the same iterations of the loops around them.
    pub(super) fn is_in_step(&self, band: &Band, place: &Place, budget: &mut Budget) -> Result<bool, Stop> {
        let mut common: Option<Set> = None;
        for &s in &place.active {
            let statement = &self.analysis.scop.statements[s];
            let mut times: Option<Map> = None;
            for (band, member) in place.outer.iter().chain([band]).flat_map(|b| (0..b.n_member()).map(move |m| (b, m)))
            {
                let Some(function) = member_of(band, member, &statement.name) else { return Ok(false) };
                let function = value_map(function);
                times = Some(times.map_or(function.clone(), |times| times.flat_range_product(&function)));
            }
            let Some(times) = times else { return Ok(false) };
            let times = times.intersect_domain(&statement.domain).range();
            match &common {
                Some(common) if !common.is_equal(&times, budget)? => return Ok(false),
                Some(_) => {}
                None => common = Some(times),
            }
        }
        Ok(true)
    }
}
