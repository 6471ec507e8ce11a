//! Points of bounded sets, and boundedness.
//!
//! **Enumeration.** The integer solutions of the equalities of a disjunct are a lattice in Hermite
//! normal form ([`Lattice`]): its coordinates, taken one after the other, determine the dimensions
//! in their order, with strides, and those of the existential variables come last. So there are
//! only inequalities over the coordinates left. The search goes through the values of the first
//! coordinate, for each of them through those of the second, and so on; the range of each is found
//! by linear programming in a tableau that has the values before it. Where the coordinates of the
//! dimensions have values, a point of the coordinates that are left is looked for; the answer only
//! depends on the constants in their constraints, and is kept with these.

use std::collections::{BTreeMap, BTreeSet};

use poly_arith::{Coeff, Int};

use crate::basic::{BasicMap, Row};
use crate::budget::{Budget, SolveError, Stop};
use crate::map::Map;
use crate::ops::hull::minima;
use crate::row;
use crate::solver::lp::{Grid, Snapshot};
use crate::solver::{Interrupt, Optimum, System, Tableau, ilp_sample, widen};
use crate::space::DimKind;
use crate::zpoly::Lattice;

/// Depth-first search for the points of one basic relation.
struct Search<'a> {
    /// The solutions of the equalities: dimensions, then existential variables.
    lattice: Lattice,
    /// The inequalities over its coordinates.
    system: System,
    n_dim: usize,
    /// Coordinates that determine the dimensions.
    n_outer: usize,
    /// Whether the other coordinates can have values, by the constants that are left in their
    /// constraints.
    rests: BTreeMap<Vec<Int>, bool>,
    limit: usize,
    points: &'a mut BTreeSet<Vec<Int>>,
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Complete,
    /// There are more points than the limit.
    Full,
    /// A dimension has no bound.
    Unbounded,
}

/// What there is to do where the first coordinates have values.
enum Place {
    /// The next coordinate is in this range.
    Range(Int, Int),
    /// Nothing is left to do.
    Done,
    /// The search ends.
    End(End),
}

/// A coordinate whose values are gone through.
struct Level<T> {
    before: Snapshot<T>,
    next: Int,
    high: Int,
}

impl<'a> Search<'a> {
    /// The search for the points of a system over dimensions and existential variables; `None` if
    /// its equalities have no integer solution.
    fn new(system: &System, n_dim: usize, limit: usize, points: &'a mut BTreeSet<Vec<Int>>) -> Option<Search<'a>> {
        let lattice = Lattice::solutions(system.n, &system.eqs)?;
        let ineqs = system.ineqs.iter().map(|row| lattice.restrict(row)).collect();
        let n_outer = lattice.pivots().iter().filter(|&&row| row < n_dim).count();
        let system = System { n: lattice.rank(), eqs: Vec::new(), ineqs };
        Some(Search { lattice, system, n_dim, n_outer, rests: BTreeMap::new(), limit, points })
    }

    /// Adds all points, or as many as there may be.
    fn run<T: Coeff>(&mut self, budget: &mut Budget) -> Result<End, Interrupt> {
        let mut tableau = Tableau::<T>::from_system(&self.system, Grid::Integer, budget)?;
        let mut levels: Vec<Level<T>> = Vec::new();
        let mut fixed: Vec<Int> = Vec::new();
        loop {
            match self.look(&mut tableau, &fixed, budget)? {
                Place::Range(next, high) => levels.push(Level { before: tableau.snapshot(), next, high }),
                Place::Done => {}
                Place::End(end) => return Ok(end),
            }
            while levels.last().is_some_and(|level| level.next > level.high) {
                levels.pop();
            }
            let Some(level) = levels.last_mut() else { return Ok(End::Complete) };
            budget.spend(1 + self.n_dim as u64)?;
            tableau.rollback(&level.before);
            let value = level.next.clone();
            level.next += &Int::ONE;
            fixed.truncate(levels.len() - 1);
            tableau.add_eq(&T::row_from_ints(&self.fixing(fixed.len(), &value))?, budget)?;
            fixed.push(value);
        }
    }

    /// The row that is zero where a coordinate has this value.
    fn fixing(&self, coordinate: usize, value: &Int) -> Row {
        let mut row = row::unit(self.system.n + 1, 1 + coordinate);
        row[0] = -value;
        row
    }

    /// Looks at what is left where the first coordinates have the values that `tableau` has as
    /// fixed.
    fn look<T: Coeff>(
        &mut self,
        tableau: &mut Tableau<T>,
        fixed: &[Int],
        budget: &mut Budget,
    ) -> Result<Place, Interrupt> {
        let (k, n) = (fixed.len(), self.system.n);
        if tableau.is_empty() {
            return Ok(Place::Done);
        }
        if k == self.n_outer && k + 1 < n {
            let inhabited = tableau.integer_sample().is_some() || self.has_rest(fixed, budget)?;
            return Ok(if inhabited { self.found(fixed) } else { Place::Done });
        }
        if k == n {
            return Ok(self.found(fixed));
        }
        let form = T::row_from_ints(&row::unit(n + 1, 1 + k))?;
        let low = match tableau.minimize(&form, budget)? {
            Optimum::Empty => return Ok(Place::Done),
            Optimum::Bounded(value) => Some(value.ceil()),
            Optimum::Unbounded => None,
        };
        let high = match tableau.maximize(&form, budget)? {
            Optimum::Empty => return Ok(Place::Done),
            Optimum::Bounded(value) => Some(value.floor()),
            Optimum::Unbounded => None,
        };
        if k == self.n_outer {
            // The last existential coordinate: a half-line has an integer point.
            let inhabited = !matches!((low, high), (Some(low), Some(high)) if low > high);
            return Ok(if inhabited { self.found(fixed) } else { Place::Done });
        }
        let (Some(low), Some(high)) = (low, high) else { return Ok(Place::End(End::Unbounded)) };
        if k + 1 < n {
            return Ok(Place::Range(low, high));
        }
        // The values of the last coordinate are points.
        let mut point = [fixed, std::slice::from_ref(&low)].concat();
        let mut value = low;
        while value <= high {
            budget.spend(1 + self.n_dim as u64)?;
            point[k] = value.clone();
            if let Place::End(end) = self.found(&point) {
                return Ok(Place::End(end));
            }
            value += &Int::ONE;
        }
        Ok(Place::Done)
    }

    /// Whether the coordinates after those of the dimensions can have values. Constraints that
    /// mention none of them hold.
    fn has_rest(&mut self, fixed: &[Int], budget: &mut Budget) -> Result<bool, Stop> {
        let k = fixed.len();
        let mut rest = System::new(self.system.n - k);
        for row in self.system.ineqs.iter().filter(|row| !row::is_zero(&row[1 + k..])) {
            let constant = row[1..].iter().zip(fixed).fold(row[0].clone(), |sum, (a, x)| sum + a * x);
            rest.ineqs.push([&[constant], &row[1 + k..]].concat());
        }
        let constants: Vec<Int> = rest.ineqs.iter().map(|row| row[0].clone()).collect();
        if let Some(known) = self.rests.get(&constants) {
            budget.spend(1)?;
            return Ok(*known);
        }
        let inhabited = ilp_sample(&rest, budget)?.is_some();
        self.rests.insert(constants, inhabited);
        Ok(inhabited)
    }

    /// Adds the point with these coordinates.
    fn found(&mut self, fixed: &[Int]) -> Place {
        let mut point = self.lattice.point(fixed);
        point.truncate(self.n_dim);
        self.points.insert(point);
        if self.points.len() > self.limit { Place::End(End::Full) } else { Place::Done }
    }
}

impl Map {
    /// All points (domain and range dimensions one after the other) for the given parameter values,
    /// in lexicographic order. Cost: two linear programs for each point and dimension but the last
    /// one; where there are existential variables, an integer program for each point
    /// \[CookRutherford1993\].
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
    /// [`SolveError::Unbounded`] if a dimension has no bound for these parameter values and that
    /// was seen first.
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
            budget.spend(1 + (system.n * system.eqs.len()) as u64)?;
            let Some(search) = Search::new(&system, n_dim, limit, &mut points) else { continue };
            let search = std::cell::RefCell::new(search);
            let end = widen(
                budget,
                |budget| search.borrow_mut().run::<i64>(budget),
                |budget| search.borrow_mut().run::<Int>(budget),
            )?;
            match end {
                End::Complete => {}
                End::Full => return Ok(None),
                End::Unbounded => return Err(SolveError::Unbounded),
            }
        }
        Ok(Some(points))
    }

    /// Whether for any fixed parameter values there are finitely many points. Cost: an integer
    /// program, and two linear programs for each dimension, for each disjunct
    /// \[DetlefsNelsonSaxe2005\].
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
    fn strides_and_equalities_cost_nothing() {
        let few = |text: &str| enumerate(text, 200).map(|points| points.len());
        assert_eq!(few("{ [i] : i mod 100000000 = 7 and 0 <= i <= 400000000 }"), Ok(4));
        assert_eq!(few("{ [i, j, k] : j = 1000000000i + 1 and 3k = j + 2 and 0 <= i <= 5 }"), Ok(2));
        assert_eq!(few("{ [i, j] : 2i = 2j + 1 and 0 <= i <= 1000000 }"), Ok(0));
        let squares =
            "{ [i, j] : exists (a, b: i = 6a + 4b and j = a - 2b and 0 <= a <= 3 and 0 <= b <= 2 and a + b != 2) }";
        assert_eq!(enumerate(squares, 1000).map(|points| points.len()), Ok(9));
        assert_eq!(
            enumerate("{ [i] : exists (a: 5 <= 3a + 7i <= 6 and 0 <= i <= 2 and 0 <= a <= 9) }", 1000),
            Ok(vec![vec![0.into()]])
        );
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
