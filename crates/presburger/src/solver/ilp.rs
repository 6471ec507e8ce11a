//! Optima of affine forms over the integer points of a polyhedron.
//!
//! **Minimum.** An integer point gives an upper bound, the rational minimum rounded up a lower one.
//! If the rational minimum is unbounded, so is the integer one: the integer hull of a rational
//! polyhedron that has an integer point has the same recession cone (\[Meyer1974\]). Otherwise the
//! interval between the bounds is searched: first its lower end, where the minimum mostly is, then
//! by bisection, where each question is one for an integer point.
//!
//! **Lexicographic minimum.** `lexmin_by_coordinates` minimizes one variable after the other,
//! fixing each to its minimum. It always works, and is what [`super::lexmin`] falls back to.

use poly_arith::Int;

use super::{IntOptimum, LexOutcome, Optimum, System, eval, ilp_sample, lp_min};
use crate::budget::{Budget, Stop};

/// The minimum of the affine form `objective` over the integer points of `system`. Cost: a linear
/// program, and integer programs, mostly one, at worst as many as the bounds have digits
/// \[CookRutherford1993\].
pub fn ilp_min(system: &System, objective: &[Int], budget: &mut Budget) -> Result<IntOptimum, Stop> {
    Ok(match minimizer(system, objective, budget)? {
        Minimizer::Empty => IntOptimum::Empty,
        Minimizer::Unbounded => IntOptimum::Unbounded,
        Minimizer::Point(point) => IntOptimum::Bounded(eval(objective, &point)),
    })
}

/// The maximum of the affine form `objective` over the integer points of `system`. Cost: a linear
/// program, and integer programs, mostly one, at worst as many as the bounds have digits
/// \[CookRutherford1993\].
pub fn ilp_max(system: &System, objective: &[Int], budget: &mut Budget) -> Result<IntOptimum, Stop> {
    let negated: Vec<Int> = objective.iter().map(|value| -value).collect();
    Ok(match ilp_min(system, &negated, budget)? {
        IntOptimum::Bounded(value) => IntOptimum::Bounded(-value),
        other => other,
    })
}

/// A point where a form is smallest.
enum Minimizer {
    Empty,
    Unbounded,
    Point(Vec<Int>),
}

fn minimizer(system: &System, objective: &[Int], budget: &mut Budget) -> Result<Minimizer, Stop> {
    let Some(mut best) = ilp_sample(system, budget)? else {
        return Ok(Minimizer::Empty);
    };
    let mut lower = match lp_min(system, objective, budget)? {
        Optimum::Unbounded => return Ok(Minimizer::Unbounded),
        Optimum::Bounded(value) => value.ceil(),
        Optimum::Empty => unreachable!("the system has an integer point"),
    };
    let mut probe = lower.clone();
    loop {
        let upper = eval(objective, &best);
        if lower >= upper {
            return Ok(Minimizer::Point(best));
        }
        match sample_at_most(system, objective, &probe, budget)? {
            Some(point) => best = point,
            None => lower = &probe + 1,
        }
        let upper = eval(objective, &best);
        probe = (&lower + upper).div_floor(&Int::from(2));
    }
}

/// An integer point where `objective` is at most `bound`.
fn sample_at_most(
    system: &System,
    objective: &[Int],
    bound: &Int,
    budget: &mut Budget,
) -> Result<Option<Vec<Int>>, Stop> {
    let mut restricted = system.clone();
    let mut row: Vec<Int> = objective.iter().map(|value| -value).collect();
    row[0] += bound;
    restricted.add_ineq(row);
    ilp_sample(&restricted, budget)
}

/// Minimizes one variable after the other.
pub(crate) fn lexmin_by_coordinates(system: &System, budget: &mut Budget) -> Result<LexOutcome, Stop> {
    let mut current = system.clone();
    let mut point = Vec::new();
    for var in 0..system.n {
        let mut form = vec![Int::ZERO; system.n + 1];
        form[var + 1] = Int::ONE;
        match minimizer(&current, &form, budget)? {
            Minimizer::Empty => return Ok(LexOutcome::Empty),
            Minimizer::Unbounded => return Ok(LexOutcome::Unbounded),
            Minimizer::Point(best) => {
                form[0] = -&best[var];
                current.add_eq(form);
                point = best;
            }
        }
    }
    if system.n == 0 && ilp_sample(system, budget)?.is_none() {
        return Ok(LexOutcome::Empty);
    }
    Ok(LexOutcome::Point(point))
}
