//! Points of bounded sets, and boundedness.
//!
//! Enumeration goes through the dimensions from first to last; for each the range of values left
//! is found by linear programming. It is meant for tests and small sets.

use std::collections::BTreeSet;

use poly_arith::Int;

use crate::basic::{BasicMap, Row};
use crate::budget::{Budget, SolveError, Stop};
use crate::map::Map;
use crate::ops::hull::minima;
use crate::row;
use crate::solver::{System, ilp_sample};
use crate::space::DimKind;

/// Depth-first search for the points of one basic relation.
struct Search<'a> {
    n_dim: usize,
    limit: usize,
    points: &'a mut BTreeSet<Vec<Int>>,
}

impl Search<'_> {
    /// Add the points that extend `prefix`, the dimensions of which `system` has as fixed. False
    /// once there are more than the limit.
    fn extend(&mut self, system: &System, prefix: &mut Vec<Int>, budget: &mut Budget) -> Result<bool, SolveError> {
        let k = prefix.len();
        if k == self.n_dim {
            if ilp_sample(system, budget)?.is_some() {
                self.points.insert(prefix.clone());
            }
            return Ok(self.points.len() <= self.limit);
        }
        let up = row::unit(system.n + 1, k + 1);
        let down = row::negated(&up);
        let Some(found) = minima(system, &[up, down], budget)? else { return Ok(true) };
        let (Some(low), Some(high)) = (found[0].clone(), found[1].clone().map(|x| -x)) else {
            return Err(SolveError::Unbounded);
        };
        let mut value = low;
        while value <= high {
            budget.spend(1 + self.n_dim as u64)?; // fixing the last variable costs a solver nothing
            let mut fixed = system.clone();
            let mut eq = row::unit(system.n + 1, k + 1);
            eq[0] = -&value;
            fixed.eqs.push(eq);
            prefix.push(value.clone());
            let more = self.extend(&fixed, prefix, budget)?;
            prefix.pop();
            if !more {
                return Ok(false);
            }
            value += &Int::ONE;
        }
        Ok(true)
    }
}

impl Map {
    /// All points (domain and range dimensions one after the other) for the given parameter
    /// values, in lexicographic order.
    /// Cost: an integer program for each point and dimension \[CookRutherford1993\].
    ///
    /// # Errors
    /// [`SolveError::Unbounded`] if a dimension has no bound for these parameter values.
    pub fn enumerate(&self, params: &[Int], budget: &mut Budget) -> Result<Vec<Vec<Int>>, SolveError> {
        let points = self.enumerate_up_to(params, usize::MAX, budget)?;
        Ok(points.expect("there is no limit to exceed").into_iter().collect())
    }

    /// Number of points for the given parameter values, `None` if more than `limit` were found.
    /// Cost: that of [`Map::enumerate`], up to `limit` points.
    ///
    /// # Errors
    /// [`SolveError::Unbounded`] if a dimension has no bound for these parameter values and that was seen first.
    pub fn count_points(&self, params: &[Int], limit: usize, budget: &mut Budget) -> Result<Option<usize>, SolveError> {
        Ok(self.enumerate_up_to(params, limit, budget)?.map(|points| points.len()))
    }

    fn enumerate_up_to(
        &self,
        params: &[Int],
        limit: usize,
        budget: &mut Budget,
    ) -> Result<Option<BTreeSet<Vec<Int>>>, SolveError> {
        assert_eq!(params.len(), self.dim(DimKind::Param), "one value per parameter");
        let n_dim = self.space.n_var() - params.len();
        let mut points = BTreeSet::new();
        for basic in &self.basics {
            let system = basic.with_fixed_vars(params);
            let mut search = Search { n_dim, limit, points: &mut points };
            if !search.extend(&system, &mut Vec::new(), budget)? {
                return Ok(None);
            }
        }
        Ok(Some(points))
    }

    /// Whether for any fixed parameter values there are finitely many points.
    /// Cost: an integer program, and two linear programs for each dimension, for each disjunct \[DetlefsNelsonSaxe2005\].
    pub fn is_bounded(&self, budget: &mut Budget) -> Result<bool, Stop> {
        for basic in &self.basics {
            if !basic.is_empty(budget)? && !basic.has_trivial_cone(budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl BasicMap {
    /// Whether the recession cone, for fixed parameters, has no direction that moves a dimension.
    fn has_trivial_cone(&self, budget: &mut Budget) -> Result<bool, Stop> {
        let mut cone = self.to_system();
        cone.eqs.iter_mut().chain(&mut cone.ineqs).for_each(|r| r[0] = Int::ZERO);
        let len = cone.n + 1;
        let n_param = self.dim(DimKind::Param);
        cone.eqs.extend((1..=n_param).map(|c| row::unit(len, c)));
        let mut forms: Vec<Row> = Vec::new();
        for c in n_param + 1..=self.n_var() {
            forms.push(row::unit(len, c));
            forms.push(row::negated(&row::unit(len, c)));
        }
        let found = minima(&cone, &forms, budget)?.expect("a cone contains its apex");
        Ok(found.iter().all(Option::is_some))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::Set;

    fn enumerate(text: &str, budget: u64) -> Result<Vec<Vec<Int>>, SolveError> {
        let set: Set = text.parse().expect("the set can be read");
        set.enumerate(&[], &mut Budget::new(budget))
    }

    #[test]
    fn many_points_exhaust_the_budget_and_not_the_memory() {
        assert_eq!(enumerate("{ [i] : 0 <= i <= 4611686018427387904 }", 10_000), Err(SolveError::Stop));
        assert_eq!(enumerate("{ [i, j] : 0 <= i <= 4611686018427387904 and j = 2i }", 10_000), Err(SolveError::Stop));
        assert_eq!(enumerate("{ [i] : 0 <= i <= 99 }", 10_000).map(|points| points.len()), Ok(100));
    }

    #[test]
    fn unbounded_sets_cannot_be_enumerated() {
        assert_eq!(enumerate("{ [i] : i >= 3 }", 10_000), Err(SolveError::Unbounded));
        assert_eq!(enumerate("{ [i, j] : 0 <= i <= 1 and j >= i }", 10_000), Err(SolveError::Unbounded));
        assert_eq!(enumerate("{ [i, j] : 5 <= i <= 1 and j >= i }", 10_000), Ok(Vec::new()));
        let ray: Set = "{ [i] : i >= 3 }".parse().expect("the set can be read");
        assert_eq!(ray.count_points(&[], 10, &mut Budget::unlimited()), Err(SolveError::Unbounded));
    }
}
