//! The lexicographically smallest integer point of a polyhedron.
//!
//! 1. Every variable gets a finite lower bound: from a constraint on it alone, else by linear
//!    programming. If some variable has none, the variables are minimized one after the other
//!    (`lexmin_by_coordinates`).
//! 2. The variables are shifted by their bounds, so that they are nonnegative, and the
//!    lexicographic dual simplex method (`LexTableau`) finds the smallest rational point.
//! 3. While the first non-integer variable has the equation `d x = c + sum a_j y_j`, where the
//!    `y_j` are nonnegative integers, add the Gomory cut `sum (a_j mod d) y_j >= -c mod d`, which
//!    integer points satisfy and the present point does not, and restore.
//!
//! Step 3 terminates if the polyhedron has integer points (\[Gomory1963\]; variables are bounded
//! below). Otherwise it may not, so it is interrupted after a number of cuts, twice as many each
//! time, to decide whether there is an integer point at all. That question gets as many steps as
//! have been spent so far, so that the cheaper of the two methods determines the total cost.

mod tableau;

#[cfg(test)]
mod tests;

use poly_arith::{Coeff, Int};

use super::ilp::lexmin_by_coordinates;
use super::lp::Grid;
use super::{Interrupt, LexOutcome, Optimum, System, Tableau, ilp_is_empty, widen};
use crate::budget::{Budget, Stop};

pub(crate) use tableau::LexTableau;

/// The number of cuts after which integer feasibility is decided separately for the first time.
const CUTS_BEFORE_CHECK: usize = 32;

/// The lexicographically smallest integer point of `system`.
pub fn ilp_lexmin(system: &System, budget: &mut Budget) -> Result<LexOutcome, Stop> {
    system.check();
    let mut tight = system.clone();
    tight.tighten();
    let bounds = match lower_bounds(&tight, budget)? {
        Bounds::Empty => return Ok(LexOutcome::Empty),
        Bounds::Missing => return lexmin_by_coordinates(system, budget),
        Bounds::All(bounds) => bounds,
    };
    let shifted = shift(&tight, &bounds);
    let mut limit = CUTS_BEFORE_CHECK;
    let before = budget.spent();
    loop {
        let outcome =
            widen(budget, |budget| run::<i64>(&shifted, limit, budget), |budget| run::<Int>(&shifted, limit, budget))?;
        match outcome {
            Outcome::Empty => return Ok(LexOutcome::Empty),
            Outcome::Point(mut point) => {
                point.iter_mut().zip(&bounds).for_each(|(value, bound)| *value += bound);
                debug_assert!(system.contains(&point), "{point:?} is not a point of\n{system}");
                return Ok(LexOutcome::Point(point));
            }
            Outcome::TooManyCuts => {
                let mut part = budget.sub(budget.spent() - before);
                let answer = ilp_is_empty(system, &mut part);
                budget.absorb(&part);
                if answer == Ok(true) {
                    return Ok(LexOutcome::Empty);
                }
                limit *= 2;
            }
        }
    }
}

/// The lexicographically largest integer point of `system`.
pub fn ilp_lexmax(system: &System, budget: &mut Budget) -> Result<LexOutcome, Stop> {
    let mut mirrored = system.clone();
    for row in mirrored.eqs.iter_mut().chain(&mut mirrored.ineqs) {
        row[1..].iter_mut().for_each(|value| *value = -&*value);
    }
    Ok(match ilp_lexmin(&mirrored, budget)? {
        LexOutcome::Point(point) => LexOutcome::Point(point.iter().map(|value| -value).collect()),
        other => other,
    })
}

/// Lower bounds of all variables.
enum Bounds {
    Empty,
    /// Some variable has no lower bound.
    Missing,
    All(Vec<Int>),
}

fn lower_bounds(system: &System, budget: &mut Budget) -> Result<Bounds, Stop> {
    let mut bounds = explicit_bounds(system);
    if bounds.iter().any(Option::is_none) {
        let missing: Vec<usize> = (0..system.n).filter(|&var| bounds[var].is_none()).collect();
        let computed = widen(
            budget,
            |budget| minima::<i64>(system, &missing, budget),
            |budget| minima::<Int>(system, &missing, budget),
        )?;
        for (var, optimum) in missing.into_iter().zip(computed) {
            bounds[var] = match optimum {
                Optimum::Empty => return Ok(Bounds::Empty),
                Optimum::Unbounded => return Ok(Bounds::Missing),
                Optimum::Bounded(min) => Some(min.ceil()),
            };
        }
    }
    Ok(bounds.into_iter().collect::<Option<Vec<Int>>>().map_or(Bounds::Missing, Bounds::All))
}

/// The lower bounds that constraints on one variable alone give.
fn explicit_bounds(system: &System) -> Vec<Option<Int>> {
    let mut bounds: Vec<Option<Int>> = vec![None; system.n];
    let rows = system.eqs.iter().map(|row| (row, true)).chain(system.ineqs.iter().map(|row| (row, false)));
    for (row, is_eq) in rows {
        if let Some(var) = single_variable(row)
            && (is_eq || row[var + 1].is_pos())
        {
            let bound = (-&row[0]).div_ceil(&row[var + 1]);
            if bounds[var].as_ref().is_none_or(|known| bound > *known) {
                bounds[var] = Some(bound);
            }
        }
    }
    bounds
}

/// The variable of a row that has exactly one.
fn single_variable(row: &[Int]) -> Option<usize> {
    let mut vars = (0..row.len() - 1).filter(|&var| !row[var + 1].is_zero());
    match (vars.next(), vars.next()) {
        (Some(var), None) => Some(var),
        _ => None,
    }
}

/// The rational minima of some variables.
fn minima<T: Coeff>(system: &System, vars: &[usize], budget: &mut Budget) -> Result<Vec<Optimum>, Interrupt> {
    let mut tableau = Tableau::<T>::from_system(system, Grid::Rational, budget)?;
    let mut minimum = |var: &usize| {
        let mut form = vec![T::zero(); system.n + 1];
        form[var + 1] = T::one();
        tableau.minimize(&form, budget)
    };
    vars.iter().map(&mut minimum).collect()
}

/// The system for `x - bounds`, without the constraints that only say that it is nonnegative.
fn shift(system: &System, bounds: &[Int]) -> System {
    let shift_row = |row: &Vec<Int>| {
        let mut row = row.clone();
        row[0] = super::eval(&row, bounds);
        row
    };
    let implied = |row: &Vec<Int>| !row[0].is_neg() && row[1..].iter().all(|value| !value.is_neg());
    System {
        n: system.n,
        eqs: system.eqs.iter().map(shift_row).collect(),
        ineqs: system.ineqs.iter().map(shift_row).filter(|row| !implied(row)).collect(),
    }
}

/// What the cutting plane method found.
enum Outcome {
    Empty,
    Point(Vec<Int>),
    TooManyCuts,
}

/// Steps 2 and 3 for a system over nonnegative variables.
fn run<T: Coeff>(system: &System, max_cuts: usize, budget: &mut Budget) -> Result<Outcome, Interrupt> {
    let mut tableau = LexTableau::<T>::new(0, system.n, system.ineqs.len());
    for row in &system.eqs {
        let form = tableau.express(&T::row_from_ints(row)?)?;
        match tableau.last_var_col(&form) {
            Some(col) => tableau.eliminate_equality(form, col, budget)?,
            None if form[1].is_zero() => {}
            None => return Ok(Outcome::Empty),
        }
    }
    for row in &system.ineqs {
        let form = tableau.express(&T::row_from_ints(row)?)?;
        tableau.push_row(form);
    }
    for _ in 0..max_cuts {
        if !restore(&mut tableau, budget)? {
            return Ok(Outcome::Empty);
        }
        let Some(row) = tableau.first_fractional_row() else {
            return Ok(Outcome::Point(tableau.integer_point()));
        };
        match gomory_cut(tableau.row(row), tableau.first_col()) {
            Some(cut) => tableau.push_row(cut),
            None => return Ok(Outcome::Empty),
        }
    }
    Ok(Outcome::TooManyCuts)
}

/// Pivots until all values are nonnegative; false if that is impossible.
fn restore<T: Coeff>(tableau: &mut LexTableau<T>, budget: &mut Budget) -> Result<bool, Interrupt> {
    while let Some((row, col)) = tableau.steepest_row() {
        let Some(col) = col else {
            return Ok(false);
        };
        tableau.pivot(row, col, budget)?;
    }
    Ok(true)
}

/// The Gomory cut of the row of a variable without symbols; `None` if the row shows that the
/// variable cannot be an integer.
fn gomory_cut<T: Coeff>(row: &[T], first_col: usize) -> Option<Vec<T>> {
    let d = &row[0];
    let mut cut = vec![T::zero(); row.len()];
    cut[0] = d.clone();
    cut[1] = row[1].neg().mod_floor(d).neg();
    for (value, element) in cut[first_col..].iter_mut().zip(&row[first_col..]) {
        *value = element.mod_floor(d);
    }
    cut[first_col..].iter().any(|value| !value.is_zero()).then_some(cut)
}
