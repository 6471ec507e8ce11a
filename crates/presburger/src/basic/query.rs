//! Questions about a basic relation that need a solver: emptiness, sample points, bounds,
//! redundancy.

use poly_arith::Int;

use super::{BasicMap, BasicSet};
use crate::budget::{Budget, Stop};
use crate::row::{self, Row};
use crate::solver::sample::{greedy, ilp_sample, sample_by_solving};
use crate::solver::{IntOptimum, Optimum, System, ilp::ilp_max, ilp::ilp_min, lp_max, lp_min};
use crate::space::DimKind;
use crate::trace;

impl BasicMap {
    /// Whether the relation has no integer point (for any parameter values).
    /// Cost: an integer program \[CookRutherford1993\].
    pub fn is_empty(&self, budget: &mut Budget) -> Result<bool, Stop> {
        let _running = trace::operation("is_empty", &[self]);
        if self.is_plainly_empty() {
            return Ok(true);
        }
        budget.spend(1)?;
        if self.plain_point().is_some() {
            return Ok(false);
        }
        Ok(sample_by_solving(&self.to_system(), budget)?.is_none())
    }

    /// Values `[1 | params | in | out | divs]` of a point, if one is easily seen.
    pub(super) fn plain_point(&self) -> Option<Vec<i64>> {
        let first = self.offset(DimKind::Div);
        let rows = greedy::Rows { n: self.n_col() - 1, eqs: &self.eqs, ineqs: &self.ineqs };
        greedy::point(rows, |col| {
            let div = self.divs.get(col.checked_sub(first)?)?.as_ref()?;
            Some((&div.num[..], &div.denom))
        })
    }

    /// A point `[params | in | out]` of the relation, if there is one.
    /// Cost: an integer program \[CookRutherford1993\].
    pub fn sample(&self, budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
        let _running = trace::operation("sample", &[self]);
        if self.is_plainly_empty() {
            return Ok(None);
        }
        budget.spend(1)?;
        if let Some(values) = self.plain_point() {
            return Ok(Some(values[1..=self.n_var()].iter().map(|&x| Int::from(x)).collect()));
        }
        let point = sample_by_solving(&self.to_system(), budget)?;
        Ok(point.map(|mut p| {
            p.truncate(self.n_var());
            p
        }))
    }

    /// Whether the point given by parameters and by domain and range dimensions one after the other
    /// is in the relation. With existentials that are not known this takes an integer program,
    /// without bound on its cost: [`BasicMap::contains_within`] has one.
    pub fn contains(&self, params: &[Int], point: &[Int]) -> bool {
        let found = self.contains_within(params, point, &mut Budget::unlimited());
        found.expect("an unlimited budget does not stop")
    }

    /// As [`BasicMap::contains`], for a budget. Cost: an evaluation if all divs are known, an
    /// integer program otherwise \[CookRutherford1993\].
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn contains_within(&self, params: &[Int], point: &[Int], budget: &mut Budget) -> Result<bool, Stop> {
        assert_eq!(params.len(), self.dim(DimKind::Param), "one value per parameter");
        assert_eq!(params.len() + point.len(), self.n_var(), "one value per dimension");
        budget.spend(1)?;
        let mut values: Row = params.iter().chain(point).cloned().collect();
        if self.has_known_divs() {
            self.extend_by_divs(&mut values);
            let zero = |r: &Row| row::evaluate(r, &values).is_zero();
            return Ok(self.eqs.iter().all(zero) && self.ineqs.iter().all(|r| !row::evaluate(r, &values).is_neg()));
        }
        Ok(ilp_sample(&self.with_fixed_vars(&values), budget)?.is_some())
    }

    /// Append the values of the divs, all of them known.
    pub(crate) fn extend_by_divs(&self, values: &mut Row) {
        for div in &self.divs {
            let div = div.as_ref().expect("all divs are known");
            let value = row::evaluate(&div.num, values).div_floor(&div.denom);
            values.push(value);
        }
    }

    /// The system over the divs that is left when the first columns have the given values.
    pub(crate) fn with_fixed_vars(&self, values: &[Int]) -> System {
        let system = self.to_system();
        let n = values.len();
        let fix = |r: &Row| -> Row {
            let constant = row::evaluate(&r[..=n], values);
            std::iter::once(constant).chain(r[n + 1..].iter().cloned()).collect()
        };
        System {
            n: system.n - n,
            eqs: system.eqs.iter().map(fix).collect(),
            ineqs: system.ineqs.iter().map(fix).collect(),
        }
    }

    /// The smallest value of an affine form over the integer points; the row is over all columns.
    /// Cost: a linear program, and integer programs, mostly one, at worst as many as the bounds
    /// have digits \[CookRutherford1993\].
    pub fn int_min(&self, form: &[Int], budget: &mut Budget) -> Result<IntOptimum, Stop> {
        ilp_min(&self.to_system(), form, budget)
    }

    /// The largest value of an affine form over the integer points; the row is over all columns.
    /// Cost: a linear program, and integer programs, mostly one, at worst as many as the bounds
    /// have digits \[CookRutherford1993\].
    pub fn int_max(&self, form: &[Int], budget: &mut Budget) -> Result<IntOptimum, Stop> {
        ilp_max(&self.to_system(), form, budget)
    }

    /// The infimum of an affine form over the rational points; the row is over all columns.
    /// Cost: a linear program \[DetlefsNelsonSaxe2005\].
    pub fn rational_min(&self, form: &[Int], budget: &mut Budget) -> Result<Optimum, Stop> {
        lp_min(&self.to_system(), form, budget)
    }

    /// The supremum of an affine form over the rational points; the row is over all columns.
    /// Cost: a linear program \[DetlefsNelsonSaxe2005\].
    pub fn rational_max(&self, form: &[Int], budget: &mut Budget) -> Result<Optimum, Stop> {
        lp_max(&self.to_system(), form, budget)
    }
}

impl BasicSet {
    /// The row of a single dimension, to be optimized.
    pub fn dim_row(&self, i: usize) -> Row {
        row::unit(self.n_col(), self.column(DimKind::Out, i))
    }
}
