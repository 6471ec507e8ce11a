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
        let Around { rows, mut loops, .. } = self.loops_around(statement, &functions, budget)?;
        let part: f64 = divide(&mut loops, &rows, &functions).iter().map(|divided| divided.part).product();
        let members = loops.split_off(loops.len() - band.n_member());
        Ok(BandStatement {
            outer: loops,
            members,
            accesses: facts.accesses.iter().map(AccessFacts::reference).collect(),
            constant: facts.accesses.iter().map(|a| !self.is_written(a.array, place)).collect(),
            work: Work { hollow: part * facts.work.hollow, ..facts.work.clone() },
            instances: facts.instances,
        })
    }

    /// The loops that functions of a statement's iterators make, outermost first, as if none went over tiles.
    pub(crate) fn loops_around(
        &self,
        statement: usize,
        functions: &[Option<&PwAff>],
        budget: &mut Budget,
    ) -> Result<Around, Stop> {
        let facts = &self.facts[statement];
        let model = &self.analysis.scop.statements[statement];
        let iterators = facts.extents.len();
        let rows: Vec<Vec<f64>> = functions.iter().map(|function| slopes(*function, iterators)).collect();
        let steps = directions(&rows, iterators);
        let mut loops = Vec::new();
        for ((row, step), function) in rows.iter().zip(&steps).zip(functions) {
            let mut found = loop_facts(row, step.as_deref(), facts);
            if step.is_some()
                && row.iter().filter(|h| **h != 0.0).count() > 1
                && let Some(function) = function
            {
                // The extents of its iterators do not add up where one bounds the other.
                let values = value_map(function).intersect_domain(&model.domain).range();
                let extents = extents(&values, &self.estimates, &self.config.sizes, budget)?;
                found.trip = extents.into_iter().fold(found.trip, f64::min);
            }
            loops.push(found);
        }
        Ok(Around { rows, steps, loops })
    }

    /// A statement at this place writes to the array.
    pub(crate) fn is_written(&self, array: usize, place: &Place) -> bool {
        place.active.iter().any(|&s| self.facts[s].accesses.iter().any(|a| a.write && a.array == array))
    }

    /// The coefficients of every loop around a statement, outermost first, and the step in iteration space when it advances.
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

/// The loops around a statement, outermost first.
pub(crate) struct Around {
    /// The coefficients of its iterators.
    pub(crate) rows: Vec<Vec<f64>>,
    /// The step in iteration space when the loop advances; `None` where it does not advance independently.
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
