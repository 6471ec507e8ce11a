//! An integer point of a polyhedron, or the proof that there is none.
//!
//! The method is complete: it terminates with the right answer for every system, bounded or not.
//!
//! 0. A guess (`greedy`) finds a point of most sets that have one. Then the rational tableau
//!    decides easy cases: no rational point, or an integer sample.
//! 1. *Equalities* are removed by writing their integer solutions as `x = p + K y` with a basis `K`
//!    of the integer kernel; without integer solutions the set is empty.
//! 2. Constraints are tightened, which may again decide easy cases. Inequalities that hold with
//!    equality only become equalities; then back to step 1. Afterwards the polyhedron is
//!    full-dimensional.
//! 3. The *recession cone* `{ d : A d >= 0 }` is examined. Let `E` be those rows of `A` that vanish
//!    on it. A unimodular change of variables, from the Hermite form of `E`, makes the rows of `E`
//!    depend on the first `rank E` variables only, which these rows bound.
//! 4. An integer point of the bounded part is found by search.
//! 5. With these variables fixed, each remaining row is positive somewhere on the cone, hence
//!    positive in its interior: the polyhedron contains arbitrarily large boxes. Every constraint
//!    is tightened such that a rational point can be rounded up, and a rational point is taken.
//!    So in step 4 the unbounded rows could be left out.
//!
//! References: \[Verdoolaege2010\]; the search uses generalized basis reduction
//! \[CookRutherford1993\].

mod basis;
pub(crate) mod greedy;
mod rounding;
mod search;

#[cfg(test)]
mod tests;

use poly_arith::{Coeff, Int};
use poly_linalg::{Matrix, hermite, vector};

pub(crate) use rounding::Coordinates;

use super::lp::{ConId, Grid};
use super::{Interrupt, System, Tableau, widen};
use crate::budget::{Budget, Stop};

/// Has the system no integer point?
pub fn ilp_is_empty(system: &System, budget: &mut Budget) -> Result<bool, Stop> {
    Ok(ilp_sample(system, budget)?.is_none())
}

/// An integer point of the system, or `None` if there is none.
pub fn ilp_sample(system: &System, budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
    system.check();
    let rows = greedy::Rows { n: system.n, eqs: &system.eqs, ineqs: &system.ineqs };
    if let Some(values) = greedy::point(rows, |_| None) {
        return Ok(Some(values[1..].iter().map(|&x| Int::from(x)).collect()));
    }
    sample_by_solving(system, budget)
}

/// As [`ilp_sample`], for systems for which a guess has failed.
pub(crate) fn sample_by_solving(system: &System, budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
    match relaxation(system, budget)? {
        Relaxation::Empty => Ok(None),
        Relaxation::Point(point) => Ok(Some(point)),
        Relaxation::Unclear => solve(system, budget),
    }
}

/// As [`ilp_sample`], for a part of a `context`; if solving is not easy it is done in the
/// coordinates of the context.
pub(crate) fn sample_within(
    context: &System,
    coordinates: &mut Coordinates,
    system: &System,
    budget: &mut Budget,
) -> Result<Option<Vec<Int>>, Stop> {
    let rows = greedy::Rows { n: system.n, eqs: &system.eqs, ineqs: &system.ineqs };
    if let Some(values) = greedy::point(rows, |_| None) {
        return Ok(Some(values[1..].iter().map(|&x| Int::from(x)).collect()));
    }
    if !coordinates.are_known() {
        match relaxation(system, budget)? {
            Relaxation::Empty => return Ok(None),
            Relaxation::Point(point) => return Ok(Some(point)),
            Relaxation::Unclear => {}
        }
    }
    match coordinates.of(context, budget)? {
        Some(change) if system.eqs.is_empty() => {
            // A system that has such coordinates is bounded: the search can begin.
            let mut easier = change.compress(system);
            easier.tighten();
            let point =
                if easier.eqs.is_empty() { search::sample_bounded(&easier, budget) } else { solve(&easier, budget) };
            Ok(point?.map(|point| change.lift(&point)))
        }
        _ => solve(system, budget),
    }
}

/// Steps 1 to 5.
fn solve(system: &System, budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
    let mut current = system.clone();
    let mut lift = Compression::identity(system.n);
    let point = loop {
        current.tighten();
        if !current.eqs.is_empty() {
            let Some(step) = Compression::of_equalities(&current) else {
                return Ok(None);
            };
            current = step.compress(&current);
            lift = lift.then(&step);
            continue;
        }
        match classify(&current, budget)? {
            First::Empty => return Ok(None),
            First::Point(point) => break point,
            First::Equalities(rows) => {
                current.ineqs = split_off(&mut current.eqs, current.ineqs, &rows);
            }
            First::FullDimensional => match sample_full_dimensional(&current, budget)? {
                Some(point) => break point,
                None => return Ok(None),
            },
        }
    };
    let point = lift.lift(&point);
    debug_assert!(system.contains(&point), "{point:?} is not a point of\n{system}");
    Ok(Some(point))
}

/// What the rational tableau of a system shows.
enum Relaxation {
    Empty,
    Point(Vec<Int>),
    Unclear,
}

/// Is the system empty even rationally, or is the first rational point found an integer one?
fn relaxation(system: &System, budget: &mut Budget) -> Result<Relaxation, Stop> {
    fn run<T: Coeff>(system: &System, budget: &mut Budget) -> Result<Relaxation, Interrupt> {
        let tableau = Tableau::<T>::from_system(system, Grid::Rational, budget)?;
        if tableau.is_empty() {
            return Ok(Relaxation::Empty);
        }
        Ok(tableau.integer_sample().map_or(Relaxation::Unclear, Relaxation::Point))
    }
    widen(budget, |budget| run::<i64>(system, budget), |budget| run::<Int>(system, budget))
}

/// Moves the marked inequalities to `eqs` and returns the others.
fn split_off(eqs: &mut Vec<Vec<Int>>, rows: Vec<Vec<Int>>, marked: &[bool]) -> Vec<Vec<Int>> {
    let mut others = Vec::new();
    for (row, &mark) in rows.into_iter().zip(marked) {
        if mark { eqs.push(row) } else { others.push(row) }
    }
    others
}

/// An integer affine map `x = p + K y` that hits every integer point of some affine space once.
#[derive(Clone, Debug)]
pub(crate) struct Compression {
    /// The image of 0.
    origin: Vec<Int>,
    /// The images of the unit vectors, less the origin, as rows.
    directions: Matrix,
}

impl Compression {
    /// The identity on `n` variables.
    pub(crate) fn identity(n: usize) -> Compression {
        Compression { origin: vec![Int::ZERO; n], directions: Matrix::identity(n) }
    }

    /// The integer solutions of the equalities of a system; `None` if there are none.
    pub(crate) fn of_equalities(system: &System) -> Option<Compression> {
        let rows = system.eqs.iter().map(|row| row[1..].to_vec()).collect();
        let rhs: Vec<Int> = system.eqs.iter().map(|row| -&row[0]).collect();
        let solution = hermite::solve_integer(&Matrix::from_rows(rows, system.n), &rhs)?;
        Some(Compression { origin: solution.particular, directions: solution.kernel })
    }

    /// The affine form over `x` as a form over `y`.
    pub(crate) fn compress_row(&self, row: &[Int]) -> Vec<Int> {
        let mut result = Vec::with_capacity(1 + self.directions.rows());
        result.push(vector::dot(&row[1..], &self.origin) + &row[0]);
        result.extend(self.directions.iter_rows().map(|direction| vector::dot(&row[1..], direction)));
        result
    }

    /// The inequalities of a system over `x` as a system over `y`; the equalities, which hold by
    /// construction, are left out.
    pub(crate) fn compress(&self, system: &System) -> System {
        System {
            n: self.directions.rows(),
            eqs: Vec::new(),
            ineqs: system.ineqs.iter().map(|row| self.compress_row(row)).collect(),
        }
    }

    /// The point `x` of a point `y`.
    pub(crate) fn lift(&self, point: &[Int]) -> Vec<Int> {
        let mut result = self.directions.vec_mul(point);
        for (value, origin) in result.iter_mut().zip(&self.origin) {
            *value += origin;
        }
        result
    }

    /// First `inner`, whose images are the variables of this map, then this map.
    pub(crate) fn then(&self, inner: &Compression) -> Compression {
        Compression { origin: self.lift(&inner.origin), directions: inner.directions.mul(&self.directions) }
    }
}

/// What a first look at the rational tableau shows.
enum First {
    Empty,
    Point(Vec<Int>),
    /// The marked inequalities are equalities.
    Equalities(Vec<bool>),
    FullDimensional,
}

/// Steps 2: emptiness, integer samples, implicit equalities.
fn classify(system: &System, budget: &mut Budget) -> Result<First, Stop> {
    fn run<T: Coeff>(system: &System, budget: &mut Budget) -> Result<First, Interrupt> {
        let mut tableau = Tableau::<T>::from_system(system, Grid::Integer, budget)?;
        if let Some(point) = tableau.integer_sample() {
            return Ok(First::Point(point));
        }
        tableau.detect_implicit_equalities(budget)?;
        if tableau.is_empty() {
            return Ok(First::Empty);
        }
        if let Some(point) = tableau.integer_sample() {
            return Ok(First::Point(point));
        }
        let marks: Vec<bool> = (0..system.ineqs.len()).map(|con| tableau.is_equality(ConId(con))).collect();
        let any = marks.iter().any(|&mark| mark);
        Ok(if any { First::Equalities(marks) } else { First::FullDimensional })
    }
    widen(budget, |budget| run::<i64>(system, budget), |budget| run::<Int>(system, budget))
}

/// Which inequalities of the system vanish on its recession cone.
pub(crate) fn vanishing_on_cone(system: &System, budget: &mut Budget) -> Result<Vec<bool>, Stop> {
    fn run<T: Coeff>(cone: &System, budget: &mut Budget) -> Result<Vec<bool>, Interrupt> {
        let mut tableau = Tableau::<T>::from_system(cone, Grid::Rational, budget)?;
        tableau.detect_implicit_equalities(budget)?;
        Ok((0..cone.ineqs.len()).map(|con| tableau.is_equality(ConId(con))).collect())
    }
    let mut cone = system.clone();
    for row in &mut cone.ineqs {
        row[0] = Int::ZERO;
    }
    widen(budget, |budget| run::<i64>(&cone, budget), |budget| run::<Int>(&cone, budget))
}

/// Steps 3 to 5 for a full-dimensional polyhedron without equalities.
fn sample_full_dimensional(system: &System, budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
    let vanishing = vanishing_on_cone(system, budget)?;
    let bounding: Vec<Vec<Int>> = system
        .ineqs
        .iter()
        .zip(&vanishing)
        .filter(|(_, vanishes)| **vanishes)
        .map(|(row, _)| row[1..].to_vec())
        .collect();
    let hermite = hermite::left_hermite(&Matrix::from_rows(bounding, system.n));
    let rank = hermite.rank;
    if rank == system.n {
        return search::sample_bounded(system, budget);
    }
    let change = Compression { origin: vec![Int::ZERO; system.n], directions: hermite.u.transpose() };
    let transformed = change.compress(system);
    let (mut bounded, mut rest) = (System::new(rank), Vec::new());
    for (row, vanishes) in transformed.ineqs.into_iter().zip(vanishing) {
        if vanishes {
            bounded.add_ineq(row[..=rank].to_vec());
        } else {
            rest.push(row);
        }
    }
    let Some(mut point) = search::sample_bounded(&bounded, budget)? else {
        return Ok(None);
    };
    let unbounded = round_up_in_cone(&rest, &point, system.n, budget)?;
    point.extend(unbounded);
    Ok(Some(change.lift(&point)))
}

/// Step 5: values for the variables after `fixed`, which only rows with a full-dimensional
/// recession cone restrict.
fn round_up_in_cone(rows: &[Vec<Int>], fixed: &[Int], n: usize, budget: &mut Budget) -> Result<Vec<Int>, Stop> {
    fn run<T: Coeff>(system: &System, budget: &mut Budget) -> Result<Vec<Int>, Interrupt> {
        let tableau = Tableau::<T>::from_system(system, Grid::Rational, budget)?;
        let sample = tableau.sample().expect("a full-dimensional cone contains large boxes");
        Ok(sample.iter().map(|value| value.ceil()).collect())
    }
    let k = fixed.len();
    let mut shrunk = System::new(n - k);
    for row in rows {
        let mut reduced = Vec::with_capacity(1 + n - k);
        let negative: Int = row[1 + k..].iter().filter(|value| value.is_neg()).sum();
        reduced.push(vector::dot(&row[1..=k], fixed) + &row[0] + negative);
        reduced.extend_from_slice(&row[1 + k..]);
        shrunk.add_ineq(reduced);
    }
    widen(budget, |budget| run::<i64>(&shrunk, budget), |budget| run::<Int>(&shrunk, budget))
}
