//! How the iterations of a loop are given to threads.
//!
//! # Problem
//! Threads that get blocks of the same length have the same work only if all iterations have. In a
//! triangle, the thread with the long rows has three quarters of it.
//!
//! # Method
//! The work of a loop is the number of instances below it. It is counted after a quarter of the
//! iterations and after three quarters, with the loops around it in their middle: a slab of
//! iterations each, as not every value has instances. The *tilt* is the difference as a part of the
//! sum, between -1 and 1. Where it is large, the loop carries a mark that says at which end the
//! long iterations are: the threads take them one after the other, the longest first, so that the
//! short ones fill up what is missing at the end [Graham1969].
//!
//! All numbers are estimates; legality does not depend on them.

use poly_arith::Int;
use poly_presburger::{Budget, DimKind, Map, PwAff, Set, Stop};
use poly_schedule_tree::{Band, Mark, Sharing, Tree, Trend};
use poly_transform::{UNEVEN, value_map};

use crate::cost::{Model, Place, member_of};
use crate::facts::{at, points, to_f64};

/// Part of the iterations of a loop that are counted together.
const SLAB: i64 = 16;

/// The part of a domain between two values of a function.
struct Slab {
    from: Int,
    to: Int,
}

impl Model<'_> {
    /// The tilts of the members of a band, if threads may share them; else zeros.
    pub(super) fn tilts(&self, band: &Band, place: &Place, budget: &mut Budget) -> Result<Vec<f64>, Stop> {
        let mut tilts = vec![0.0; band.n_member()];
        if self.may_fork(place) {
            for member in (0..band.n_member()).filter(|&m| band.coincident[m]) {
                tilts[member] = self.tilt(band, member, place, budget)?;
            }
        }
        Ok(tilts)
    }

    /// How much the work of the iterations of a member grows.
    pub(super) fn tilt(&self, band: &Band, member: usize, place: &Place, budget: &mut Budget) -> Result<f64, Stop> {
        let mut domains: Vec<(Set, &PwAff)> = Vec::new();
        for &s in &place.active {
            let statement = &self.analysis.scop.statements[s];
            let Some(function) = member_of(band, member, &statement.name) else { return Ok(0.0) };
            let mut domain = at(&statement.domain, &self.estimates);
            for (above, m) in place.outer.iter().flat_map(|above| (0..above.n_member()).map(move |m| (above, m))) {
                let Some(around) = member_of(above, m, &statement.name) else { return Ok(0.0) };
                let Some((low, high)) = self.range(&domain, around, budget)? else { continue };
                domain = within(&domain, around, &slab(low, high, 2, 4));
            }
            domains.push((domain, function));
        }
        let mut ends: Option<(i64, i64)> = None;
        for (domain, function) in &domains {
            if let Some((low, high)) = self.range(domain, function, budget)? {
                ends = Some(ends.map_or((low, high), |known| (known.0.min(low), known.1.max(high))));
            }
        }
        let Some((low, high)) = ends else { return Ok(0.0) };
        let mut work = [0.0; 2];
        for (quarter, sum) in [1, 3].into_iter().zip(&mut work) {
            for (domain, function) in &domains {
                let part = within(domain, function, &slab(low, high, quarter, 4));
                *sum += points(&part, &self.estimates, budget)?.unwrap_or(0.0);
            }
        }
        let all = work[0] + work[1];
        Ok(if all > 0.0 { (work[1] - work[0]) / all } else { 0.0 })
    }

    /// The least and the largest value of a function in a domain; `None` if there are none.
    pub(super) fn range(
        &self,
        domain: &Set,
        function: &PwAff,
        budget: &mut Budget,
    ) -> Result<Option<(i64, i64)>, Stop> {
        let values = value_map(function).intersect_domain(domain).range();
        if values.is_empty(budget)? {
            return Ok(None);
        }
        let hull = Set::from_basic(values.simple_hull(budget)?);
        if !hull.is_bounded(budget)? {
            return Ok(None);
        }
        let ends = (hull.dim_min(0, budget)?, hull.dim_max(0, budget)?);
        let at = |end: &PwAff| end.eval(&self.estimates, &[]).map(|value| to_f64(&value) as i64);
        Ok(at(&ends.0).zip(at(&ends.1)))
    }
}

/// A part of the values between two ends, around so many quarters.
fn slab(low: i64, high: i64, at: i64, of: i64) -> Slab {
    let length = high.saturating_sub(low);
    let (middle, half) = (low + length / of * at, length / SLAB / 2);
    Slab { from: Int::from(middle - half), to: Int::from(middle + half) }
}

/// The points of a domain at which the values of a function are in a slab.
fn within(domain: &Set, function: &PwAff, slab: &Slab) -> Set {
    let values: Map = value_map(function).intersect_domain(domain);
    values.lower_bound(DimKind::Out, 0, slab.from.clone()).upper_bound(DimKind::Out, 0, slab.to.clone()).domain()
}

/// A loop that threads share, with the trend that belongs to its tilt.
pub(crate) fn shared(tree: Tree, tilt: f64) -> Tree {
    let work = match tilt {
        _ if tilt > UNEVEN => Trend::Rising,
        _ if tilt < -UNEVEN => Trend::Falling,
        _ => Trend::Even,
    };
    Tree::mark(Mark::Parallel(Sharing { work, reductions: Vec::new() }), tree)
}
