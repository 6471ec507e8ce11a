//! The loops around a statement: iterations, and bytes that its accesses move.

use poly_presburger::{Budget, PwAff, Stop, UnionPwAff};
use poly_schedule_tree::Band;
use poly_transform::{BandStatement, LoopFacts, Work, directions, value_map};

use super::quotients::divide;
use super::{Model, Place};
use crate::facts::{AccessFacts, StatementFacts, extents, linear_coefficient};

impl Model<'_> {
    pub(crate) fn band_statements(
        &self,
        band: &Band,
        place: &Place,
        budget: &mut Budget,
    ) -> Result<Vec<BandStatement>, Stop> {
        place.active.iter().map(|&statement| self.band_statement(statement, band, place, budget)).collect()
    }

    pub(crate) fn band_statement(
        &self,
        statement: usize,
        band: &Band,
        place: &Place,
        budget: &mut Budget,
    ) -> Result<BandStatement, Stop> {
        let facts = &self.facts[statement];
        let model = &self.analysis.scop.statements[statement];
        let bands = place.outer.iter().chain([band]);
        let functions = bands.flat_map(|b| (0..b.n_member()).map(move |m| member_of(b, m, &model.name)));
        let functions: Vec<Option<&PwAff>> = functions.collect();
        let above: Vec<usize> = place.outer.iter().chain([band]).map(Band::n_member).collect();
        let Around { rows, mut loops, .. } = self.loops_around(statement, (&functions, &above), budget)?;
        let part: f64 = divide(&mut loops, &rows, &functions).iter().map(|divided| divided.part).product();
        let members = loops.split_off(loops.len() - band.n_member());
        Ok(BandStatement {
            outer: loops,
            members,
            accesses: facts.accesses.iter().map(AccessFacts::reference).collect(),
            repeated: (0..facts.accesses.len()).map(|access| facts.is_repeated(access)).collect(),
            constant: facts.accesses.iter().map(|a| !self.is_written(a.array, place)).collect(),
            work: Work { hollow: part * facts.work.hollow, ..facts.work.clone() },
            instances: facts.instances,
        })
    }

    /// The loops that functions of a statement's iterators make, outermost first, as if none went
    /// over tiles; with the numbers of members of the bands that they are in.
    pub(crate) fn loops_around(
        &self,
        statement: usize,
        (functions, bands): (&[Option<&PwAff>], &[usize]),
        budget: &mut Budget,
    ) -> Result<Around, Stop> {
        let facts = &self.facts[statement];
        let model = &self.analysis.scop.statements[statement];
        let iterators = facts.extents.len();
        let rows: Vec<Vec<f64>> = functions.iter().map(|function| slopes(*function, iterators)).collect();
        let steps = directions(&rows, iterators);
        let mut loops = Vec::new();
        let above = bands.iter().scan(0, |end, members| {
            let begin = std::mem::replace(end, *end + members);
            Some(std::iter::repeat_n(begin, *members))
        });
        for (((row, step), function), above) in rows.iter().zip(&steps).zip(functions).zip(above.flatten()) {
            let mut found = loop_facts(row, step.as_deref(), facts);
            if step.is_some()
                && row.iter().filter(|h| **h != 0.0).count() > 1
                && let Some(function) = function
            {
                // The extents of its iterators do not add up where one bounds the other.
                let values = value_map(function).intersect_domain(&model.domain).range();
                let extents = extents(&values, &self.estimates, &self.config.sizes, budget)?;
                found.trip =
                    extents.into_iter().fold(found.trip, f64::min).min(trip_within(row, &rows[..above], facts));
            }
            loops.push(found);
        }
        Ok(Around { rows, steps, loops })
    }

    /// A statement at this place writes to the array.
    pub(crate) fn is_written(&self, array: usize, place: &Place) -> bool {
        place.active.iter().any(|&s| self.facts[s].accesses.iter().any(|a| a.write && a.array == array))
    }

    /// The coefficients of every loop around a statement, outermost first, and the step in
    /// iteration space when it advances.
    pub(crate) fn rows_and_steps(
        &self,
        statement: usize,
        band: &Band,
        place: &Place,
    ) -> (Vec<Vec<f64>>, Vec<Option<Vec<f64>>>) {
        let iterators = self.facts[statement].extents.len();
        let name = &self.analysis.scop.statements[statement].name;
        let bands = place.outer.iter().chain([band]);
        let rows: Vec<Vec<f64>> =
            bands.flat_map(|b| (0..b.n_member()).map(move |m| row(b, m, name, iterators))).collect();
        let steps = directions(&rows, iterators);
        (rows, steps)
    }
}

/// At most so many iterations where loops around it stay: `x + d` has no more than `d` has, where
/// `x` is fixed.
fn trip_within(row: &[f64], around: &[Vec<f64>], facts: &StatementFacts) -> f64 {
    let trip =
        |row: &[f64]| row.iter().zip(&facts.extents).map(|(h, extent)| h.abs() * (extent - 1.0)).sum::<f64>() + 1.0;
    let without = |(other, sign): (&Vec<f64>, f64)| {
        let rest: Vec<f64> = row.iter().zip(other).map(|(own, other)| own - sign * other).collect();
        // A loop that does not move is none.
        if rest.iter().all(|h| *h == 0.0) { f64::INFINITY } else { trip(&rest) }
    };
    around.iter().flat_map(|other| [(other, 1.0), (other, -1.0)]).map(without).fold(trip(row), f64::min)
}

/// The loops around a statement, outermost first.
pub(crate) struct Around {
    /// The coefficients of its iterators.
    pub(crate) rows: Vec<Vec<f64>>,
    /// The step in iteration space when the loop advances; `None` where it does not advance
    /// independently.
    pub(crate) steps: Vec<Option<Vec<f64>>>,
    /// Iterations, and bytes that accesses move.
    pub(crate) loops: Vec<LoopFacts>,
}

/// The coefficients of a band member for a statement's iterators.
pub(crate) fn row(band: &Band, member: usize, statement: &str, iterators: usize) -> Vec<f64> {
    slopes(member_of(band, member, statement), iterators)
}

fn slopes(function: Option<&PwAff>, iterators: usize) -> Vec<f64> {
    let aff = function.and_then(|f| f.pieces().first()).map(|(_, aff)| aff);
    (0..iterators).map(|i| aff.map_or(0.0, |aff| linear_coefficient(aff, i))).collect()
}

pub(crate) fn member_of<'a>(band: &'a Band, member: usize, statement: &str) -> Option<&'a PwAff> {
    band.schedule.get(member).get_named(statement)
}

pub(crate) fn loop_facts(row: &[f64], step: Option<&[f64]>, facts: &StatementFacts) -> LoopFacts {
    let Some(step) = step else {
        return LoopFacts { trip: 1.0, strides: vec![0.0; facts.accesses.len()] };
    };
    let trip = row.iter().zip(&facts.extents).map(|(h, extent)| h.abs() * (extent - 1.0)).sum::<f64>() + 1.0;
    let strides = facts.accesses.iter().map(|access| stride(access, step)).collect();
    LoopFacts { trip, strides }
}

/// Bytes that an access moves by a step in iteration space.
pub(crate) fn stride(access: &AccessFacts, step: &[f64]) -> f64 {
    access.steps.iter().zip(step).map(|(bytes, d)| bytes * d).sum::<f64>().abs()
}

/// The loops of bands, outermost first.
pub(crate) fn members_of(bands: &[Band]) -> impl Iterator<Item = &UnionPwAff> {
    bands.iter().flat_map(|band| band.schedule.members())
}

#[cfg(test)]
mod tests {
    use super::*;
    use poly_transform::Work;

    #[test]
    fn a_sum_with_a_loop_around_has_the_iterations_of_the_rest() {
        let extents = vec![1000.0, 5.0];
        let facts = StatementFacts {
            extents,
            instances: 5000.0,
            accesses: Vec::new(),
            work: Work::default(),
            conditional_chain: false,
        };
        let (x, sum, difference) = (vec![1.0, 0.0], vec![1.0, 1.0], vec![1.0, -1.0]);
        assert_eq!(trip_within(&sum, &[], &facts), 1004.0);
        assert_eq!(trip_within(&sum, std::slice::from_ref(&x), &facts), 5.0);
        assert_eq!(trip_within(&difference, std::slice::from_ref(&x), &facts), 5.0);
        assert_eq!(trip_within(&sum, &[vec![0.0, 1.0]], &facts), 1000.0);
        assert_eq!(trip_within(&sum, std::slice::from_ref(&sum), &facts), 1004.0);
    }
}
