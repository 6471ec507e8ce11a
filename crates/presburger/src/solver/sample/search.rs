//! Search for an integer point of a bounded polyhedron.
//!
//! Along a basis `b_1, .., b_n` of the integer lattice, a point is integer iff all `b_i . x` are
//! integers. The search fixes `b_1 . x`, then `b_2 . x` and so on to the integer values between
//! their minimum and maximum (computed by linear programming), values near the middle first. At
//! each step a sample that happens to be integer ends the search.
//!
//! 1. A depth-first search along the unit vectors, given up after a number of steps, and soon where
//!    a variable has many values. Fat polyhedra are done here, and also small ones where the first
//!    variables determine the others.
//! 2. Otherwise go over to coordinates in which the polyhedron is round ([`super::rounding`]) and
//!    try again.
//! 3. Otherwise a full depth-first search. Before a level with more than one value is entered, the
//!    basis from that level on is reduced ([`basis::reduce`]), which makes thin directions come
//!    first and so bounds the number of values per level by a function of the dimension.
//!
//! The stack of levels is explicit and at most `n` deep.

use poly_arith::{Coeff, Int};

use super::rounding::round_coordinates;
use super::{Compression, basis};
use crate::budget::{Budget, Stop};
use crate::solver::lp::{Grid, Snapshot};
use crate::solver::{Interrupt, Optimum, System, Tableau, widen};

/// The number of values, per variable, that the search without basis reduction tries.
const DIRECT_STEPS: usize = 50;
/// The same from a level on that has more than [`WIDE`] values: trying them all would be in vain.
const DIRECT_STEPS_WIDE: usize = 1;
/// See [`DIRECT_STEPS_WIDE`].
const WIDE: i64 = 32;

/// An integer point of a bounded system of inequalities, or `None` if there is none.
pub(super) fn sample_bounded(system: &System, budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
    debug_assert!(system.eqs.is_empty(), "equalities have been removed");
    let round = match widen(budget, |budget| look::<i64>(system, budget), |budget| look::<Int>(system, budget))? {
        First::Answer(answer) => return Ok(answer),
        First::Round(round) => round,
    };
    let mut easier = round.compress(system);
    easier.tighten();
    if easier == System::empty(system.n) {
        return Ok(None);
    }
    if !easier.eqs.is_empty() {
        // Equalities that have been found are of no use here.
        easier = round.compress(system);
    }
    let point = widen(budget, |budget| run::<i64>(&easier, budget), |budget| run::<Int>(&easier, budget))?;
    Ok(point.map(|point| round.lift(&point)))
}

/// What a search along the unit vectors gives.
enum First {
    Answer(Option<Vec<Int>>),
    /// It was given up: these are better coordinates.
    Round(Compression),
}

/// Step 1, and the coordinates for step 2.
fn look<T: Coeff>(system: &System, budget: &mut Budget) -> Result<First, Interrupt> {
    let mut tableau = Tableau::<T>::from_system(system, Grid::Rational, budget)?;
    if tableau.is_empty() {
        return Ok(First::Answer(None));
    }
    if let Some(point) = tableau.integer_sample() {
        return Ok(First::Answer(Some(point)));
    }
    if let Some(answer) = search_directly(system, &tableau, budget)? {
        return Ok(First::Answer(answer));
    }
    let round = round_coordinates(&mut tableau, budget)?;
    Ok(First::Round(round.unwrap_or_else(|| Compression::identity(system.n))))
}

/// The search along the unit vectors; `None` if it was given up.
fn search_directly<T: Coeff>(
    system: &System,
    tableau: &Tableau<T>,
    budget: &mut Budget,
) -> Result<Option<Option<Vec<Int>>>, Interrupt> {
    let limit = DIRECT_STEPS * (2 + system.n);
    Search::new(system, tableau.clone())?.run(Some(limit), budget)
}

/// Step 2 for a system in round coordinates.
fn run<T: Coeff>(system: &System, budget: &mut Budget) -> Result<Option<Vec<Int>>, Interrupt> {
    let tableau = Tableau::<T>::from_system(system, Grid::Rational, budget)?;
    if tableau.is_empty() {
        return Ok(None);
    }
    if let Some(point) = tableau.integer_sample() {
        return Ok(Some(point));
    }
    if let Some(answer) = search_directly(system, &tableau, budget)? {
        return Ok(answer);
    }
    let answer = Search::new(system, tableau)?.run(None, budget)?;
    Ok(answer.expect("a search without limit is not given up"))
}

/// The linear form of the `i`-th unit vector.
fn unit_form<T: Coeff>(n: usize, i: usize) -> Vec<T> {
    let mut form = vec![T::zero(); n + 1];
    form[i + 1] = T::one();
    form
}

/// The integers between the minimum and the maximum of a form; `None` if there are none.
fn integer_range<T: Coeff>(
    tableau: &mut Tableau<T>,
    form: &[T],
    budget: &mut Budget,
) -> Result<Option<(Int, Int)>, Interrupt> {
    let Optimum::Bounded(min) = tableau.minimize(form, budget)? else {
        unreachable!("the polyhedron is bounded and not empty");
    };
    let Optimum::Bounded(max) = tableau.maximize(form, budget)? else {
        unreachable!("the polyhedron is bounded and not empty");
    };
    let (lower, upper) = (min.ceil(), max.floor());
    Ok((lower <= upper).then_some((lower, upper)))
}

/// The row of the equality `form = value`.
fn equality<T: Coeff>(form: &[T], value: &Int) -> Result<Vec<T>, Interrupt> {
    let mut row = form.to_vec();
    row[0] = T::from_int(&-value)?;
    Ok(row)
}

/// The values of one level that have not been tried: those of `lower..=upper` further from the
/// middle than the last one.
struct Values {
    lower: Int,
    upper: Int,
    middle: Int,
    /// The next value is `middle + offset`; offsets are 0, 1, -1, 2, -2, ..
    offset: Int,
}

impl Values {
    fn new(lower: Int, upper: Int) -> Values {
        let middle = (&lower + &upper).div_floor(&Int::from(2));
        Values { lower, upper, middle, offset: Int::ZERO }
    }

    fn are_many(&self) -> bool {
        &self.upper - &self.lower > WIDE
    }

    fn next(&mut self) -> Option<Int> {
        // The upper half is never smaller than the lower one, so that running out of values below
        // is noticed last only if an upper value is left.
        for _ in 0..2 {
            let value = &self.middle + &self.offset;
            self.offset = if self.offset.is_pos() { -&self.offset } else { Int::ONE - &self.offset };
            if value >= self.lower && value <= self.upper {
                return Some(value);
            }
        }
        None
    }
}

struct Level<T> {
    snapshot: Snapshot<T>,
    values: Values,
    /// The equality of the value being tried.
    equality: Vec<T>,
}

struct Search<T> {
    /// The inequalities.
    rows: Vec<Vec<T>>,
    tableau: Tableau<T>,
    /// The basis vectors as forms with constant 0.
    basis: Vec<Vec<T>>,
    levels: Vec<Level<T>>,
}

impl<T: Coeff> Search<T> {
    fn new(system: &System, tableau: Tableau<T>) -> Result<Search<T>, Interrupt> {
        let rows = system.ineqs.iter().map(|row| T::row_from_ints(row)).collect::<Result<_, _>>()?;
        let basis = (0..system.n).map(|i| unit_form(system.n, i)).collect();
        Ok(Search { rows, tableau, basis, levels: Vec::new() })
    }

    /// An integer point, or `None` in the inner option if there is none. Without `limit` the basis
    /// is reduced; with `limit`, the search is given up (`None` in the outer option) when that many
    /// values have been tried.
    fn run(mut self, limit: Option<usize>, budget: &mut Budget) -> Result<Option<Option<Vec<Int>>>, Interrupt> {
        let mut descend = true;
        let mut limit = limit;
        let reduce = limit.is_none();
        for steps in 0.. {
            if limit.is_some_and(|limit| steps >= limit) {
                break;
            }
            budget.spend(1)?;
            if descend && let Some(values) = self.enter(reduce, budget)? {
                if values.are_many() {
                    limit = limit.map(|limit| limit.min(steps + DIRECT_STEPS_WIDE * (1 + self.basis.len())));
                }
                let snapshot = self.tableau.snapshot();
                self.levels.push(Level { snapshot, values, equality: Vec::new() });
            }
            let depth = self.levels.len();
            let Some(level) = self.levels.last_mut() else {
                return Ok(Some(None));
            };
            self.tableau.rollback(&level.snapshot);
            let Some(value) = level.values.next() else {
                self.levels.pop();
                descend = false;
                continue;
            };
            level.equality = equality(&self.basis[depth - 1], &value)?;
            self.tableau.add_eq(&level.equality, budget)?;
            if let Some(point) = self.tableau.integer_sample() {
                return Ok(Some(Some(point)));
            }
            descend = !self.tableau.is_empty();
        }
        Ok(None)
    }

    /// The values to be tried at the next level, if any.
    fn enter(&mut self, reduce: bool, budget: &mut Budget) -> Result<Option<Values>, Interrupt> {
        let depth = self.levels.len();
        debug_assert!(depth < self.basis.len(), "with all directions fixed the sample is integer");
        let range = integer_range(&mut self.tableau, &self.basis[depth], budget)?;
        let Some((lower, upper)) = range else {
            return Ok(None);
        };
        if !reduce || lower == upper || depth + 1 == self.basis.len() {
            return Ok(Some(Values::new(lower, upper)));
        }
        let fixed: Vec<&[T]> = self.levels.iter().map(|level| &level.equality[..]).collect();
        basis::reduce(&self.rows, &fixed, &mut self.basis, budget)?;
        let range = integer_range(&mut self.tableau, &self.basis[depth], budget)?;
        Ok(range.map(|(lower, upper)| Values::new(lower, upper)))
    }
}
