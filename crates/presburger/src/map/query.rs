//! Emptiness, samples and membership of unions of basic relations.

use std::sync::Arc;

use poly_arith::Int;

use crate::budget::{Budget, Stop};
use crate::map::{Disjuncts, Map};
use crate::trace;
use crate::union::{UnionMap, UnionSet};

/// The steps that are spent on a disjunct that is read to see whether it is empty.
const LITTLE: u64 = 1000;

impl Map {
    /// Whether there is no integer point for any parameter values.
    /// Cost: an integer program for each disjunct, until one has a point \[CookRutherford1993\].
    pub fn is_empty(&self, budget: &mut Budget) -> Result<bool, Stop> {
        let _running = trace::operation("is_empty", &[self]);
        for basic in &self.basics {
            if !basic.is_empty_shared(budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// See which disjuncts have a point, as far as that takes little work, and remember that.
    pub(crate) fn look_for_points(&self) {
        for basic in &self.basics {
            // The answer, if there is one, is kept with the relation.
            let _ = basic.is_empty_shared(&mut Budget::new(LITTLE));
        }
    }

    /// A point `[params | in | out]`, if there is one.
    /// Cost: an integer program for each disjunct, until one has a point \[CookRutherford1993\].
    pub fn sample(&self, budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
        let _running = trace::operation("sample", &[self]);
        for basic in &self.basics {
            if let Some(point) = basic.sample_shared(budget)? {
                return Ok(Some(point));
            }
        }
        Ok(None)
    }

    /// Whether the point given by parameters and by domain and range dimensions one after the
    /// other is in the relation.
    pub fn contains(&self, params: &[Int], point: &[Int]) -> bool {
        self.basics.iter().any(|b| b.contains(params, point))
    }

    /// As [`Map::contains`], for a budget.
    /// Cost: for each disjunct an evaluation, or an integer program where existentials are not
    /// known \[CookRutherford1993\].
    ///
    /// ```
    /// use poly_presburger::{Budget, Map, Stop};
    /// let map: Map = "{ [x] -> [y] : exists a, b : 3 <= 5a - 7b + x - y <= 4 and 0 <= a <= y and 0 <= 2b <= x }".parse().unwrap();
    /// let at = |x: i64, y: i64, steps| map.contains_within(&[], &[x.into(), y.into()], &mut Budget::new(steps));
    /// assert_eq!(at(4, 1, 100_000), Ok(true));
    /// assert_eq!(at(4, 1, 0), Err(Stop));
    /// ```
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn contains_within(&self, params: &[Int], point: &[Int], budget: &mut Budget) -> Result<bool, Stop> {
        for basic in &self.basics {
            if basic.contains_within(params, point, budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The relation without the disjuncts that are empty.
    /// Cost: an integer program for each disjunct \[CookRutherford1993\].
    pub fn remove_empty_parts(&self, budget: &mut Budget) -> Result<Map, Stop> {
        let _running = trace::operation("remove_empty_parts", &[self]);
        let mut keep: Disjuncts = Disjuncts::new();
        for basic in &self.basics {
            if !basic.is_empty_shared(budget)? {
                keep.push(Arc::clone(basic));
            }
        }
        Ok(Map { space: self.space_arc(), basics: keep })
    }
}

impl UnionSet {
    /// Whether there is no integer point for any parameter values.
    /// Cost: an integer program for each disjunct, until one has a point \[CookRutherford1993\].
    pub fn is_empty(&self, budget: &mut Budget) -> Result<bool, Stop> {
        let _running = trace::operation("is_empty", &[self]);
        for member in self.iter() {
            if !member.is_empty(budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl UnionMap {
    /// Whether there is no pair for any parameter values.
    /// Cost: an integer program for each disjunct, until one has a point \[CookRutherford1993\].
    pub fn is_empty(&self, budget: &mut Budget) -> Result<bool, Stop> {
        let _running = trace::operation("is_empty", &[self]);
        for member in self.iter() {
            if !member.is_empty(budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
