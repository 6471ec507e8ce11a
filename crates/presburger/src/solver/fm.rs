//! Rational projection by Gaussian and Fourier-Motzkin elimination.
//!
//! Projecting the rational points of a polyhedron along some variables:
//!
//! 1. While an equality uses one of the variables, solve it for that variable and substitute.
//! 2. Eliminate the remaining variables one by one, the one giving the fewest new rows first: add
//!    up each pair of inequalities in which the variable has opposite signs, scaled such that it
//!    cancels, and drop all inequalities that use it.
//! 3. After a step that increased the number of inequalities, remove the redundant ones (by linear
//!    programming), which keeps the growth in check.
//!
//! The result is exact for rational points. The projection of the *integer* points is contained in
//! it but may be smaller.
//!
//! Reference: \[Schrijver1986\], section 12.2.

use poly_arith::Int;
use poly_linalg::vector;

use super::System;
use super::redundancy::remove_redundant_rational;
use crate::budget::{Budget, Stop};

/// The projection of the rational points of `system` onto the variables `keep`, which become the
/// variables of the result in the given order. Cost: Fourier-Motzkin elimination with tests for
/// redundancy, exponential at worst \[Schrijver1986\].
pub fn project(system: &System, keep: &[usize], budget: &mut Budget) -> Result<System, Stop> {
    let others: Vec<usize> = (0..system.n).filter(|var| !keep.contains(var)).collect();
    let eliminated = eliminate(system, &others, budget)?;
    let select =
        |row: Vec<Int>| std::iter::once(0).chain(keep.iter().map(|var| var + 1)).map(|i| row[i].clone()).collect();
    Ok(System {
        n: keep.len(),
        eqs: eliminated.eqs.into_iter().map(select).collect(),
        ineqs: eliminated.ineqs.into_iter().map(select).collect(),
    })
}

/// The constraints that `system` implies, for rational points, on the other variables than `vars`.
/// The result has the same variables; those in `vars` do not occur in it. Cost: Fourier-Motzkin
/// elimination with tests for redundancy, exponential at worst \[Schrijver1986\].
pub fn eliminate(system: &System, vars: &[usize], budget: &mut Budget) -> Result<System, Stop> {
    system.check();
    let mut current = system.clone();
    let mut left = Vec::new();
    for &var in vars {
        if !substitute_equality(&mut current, var) {
            left.push(var);
        }
    }
    if !normalize(&mut current) {
        return Ok(System::empty(system.n));
    }
    while let Some(position) = cheapest(&current, &left) {
        let var = left.swap_remove(position);
        let before = current.ineqs.len();
        combine_pairs(&mut current, var, budget)?;
        if !normalize(&mut current) {
            return Ok(System::empty(system.n));
        }
        if current.ineqs.len() > before {
            remove_redundant_rational(&mut current, budget)?;
        }
    }
    remove_redundant_rational(&mut current, budget)?;
    Ok(current)
}

/// Solves an equality for `var` and inserts the solution everywhere; false if there is none.
fn substitute_equality(system: &mut System, var: usize) -> bool {
    let col = var + 1;
    let smallest =
        (0..system.eqs.len()).filter(|&i| !system.eqs[i][col].is_zero()).min_by_key(|&i| system.eqs[i][col].abs());
    let Some(index) = smallest else {
        return false;
    };
    let equality = system.eqs.remove(index);
    for row in system.eqs.iter_mut().chain(&mut system.ineqs) {
        if !row[col].is_zero() {
            cancel(row, &equality, col);
        }
    }
    true
}

/// Makes `row[col]` zero by adding a multiple of an equality; `row` is scaled by a positive number.
fn cancel(row: &mut [Int], equality: &[Int], col: usize) {
    let gcd = row[col].gcd(&equality[col]);
    let mut factor = -row[col].div_exact(&gcd);
    let mut scale = equality[col].div_exact(&gcd);
    if scale.is_neg() {
        scale = -scale;
        factor = -factor;
    }
    vector::combine(row, &scale, equality, &factor);
}

/// Divides rows by their gcd and drops trivial and repeated ones; false if a row is a
/// contradiction.
fn normalize(system: &mut System) -> bool {
    let mut consistent = true;
    let mut seen = std::collections::BTreeSet::new();
    for (rows, is_eq) in [(&mut system.eqs, true), (&mut system.ineqs, false)] {
        rows.retain_mut(|row| {
            vector::normalize(row);
            if vector::is_zero(&row[1..]) {
                consistent &= row[0].is_zero() || (!is_eq && row[0].is_pos());
                return false;
            }
            seen.insert((is_eq, row.clone()))
        });
    }
    consistent
}

/// The numbers of inequalities that bound a variable from below and from above.
fn occurrences(system: &System, var: usize) -> (usize, usize) {
    let count = |sign: i32| system.ineqs.iter().filter(|row| row[var + 1].signum() == sign).count();
    (count(1), count(-1))
}

/// The position in `vars` of the variable whose elimination adds the fewest rows.
fn cheapest(system: &System, vars: &[usize]) -> Option<usize> {
    (0..vars.len()).min_by_key(|&i| {
        let (lower, upper) = occurrences(system, vars[i]);
        ((lower * upper) as i64 - (lower + upper) as i64, vars[i])
    })
}

/// Step 2 for one variable.
fn combine_pairs(system: &mut System, var: usize, budget: &mut Budget) -> Result<(), Stop> {
    let col = var + 1;
    let (using, mut rows): (Vec<_>, Vec<_>) = system.ineqs.drain(..).partition(|row| !row[col].is_zero());
    let (lower, upper): (Vec<_>, Vec<_>) = using.into_iter().partition(|row| row[col].is_pos());
    budget.spend(1 + (lower.len() * upper.len()) as u64)?;
    for below in &lower {
        for above in &upper {
            let mut row = below.clone();
            let gcd = below[col].gcd(&above[col]);
            let (scale, factor) = (-above[col].div_exact(&gcd), below[col].div_exact(&gcd));
            vector::combine(&mut row, &scale, above, &factor);
            rows.push(row);
        }
    }
    system.ineqs = rows;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::testing::*;
    use crate::solver::{Optimum, lp_min};

    /// Does the system have a rational point with the given values of the kept variables?
    fn is_in_projection(system: &System, keep: &[usize], values: &[Int]) -> bool {
        let mut fixed = system.clone();
        for (&var, value) in keep.iter().zip(values) {
            let mut row = vec![Int::ZERO; system.n + 1];
            row[0] = -value;
            row[var + 1] = Int::ONE;
            fixed.add_eq(row);
        }
        let zero = vec![Int::ZERO; system.n + 1];
        lp_min(&fixed, &zero, &mut Budget::unlimited()).unwrap() != Optimum::Empty
    }

    #[test]
    fn projections_agree_with_linear_programming() {
        let mut sampler = Sampler::new(50);
        for round in 0..150 {
            let n = 2 + round % 3;
            let system = sampler.system(n);
            let keep: Vec<usize> = (0..n).rev().filter(|_| sampler.range(0, 1) == 0).collect();
            let projected = project(&system, &keep, &mut Budget::unlimited()).unwrap();
            assert_eq!(projected.n, keep.len());
            for values in points(keep.len(), if keep.len() > 2 { 2 } else { 4 }) {
                let expected = is_in_projection(&system, &keep, &values);
                assert_eq!(projected.contains(&values), expected, "{values:?} of\n{system}");
            }
        }
    }

    #[test]
    fn the_shadow_of_a_skewed_square() {
        // 0 <= x + y <= 2, 0 <= x - y <= 2 projects to 0 <= x <= 2.
        let square = system(2, &[], &[&[0, 1, 1], &[2, -1, -1], &[0, 1, -1], &[2, -1, 1]]);
        let mut shadow = project(&square, &[0], &mut Budget::unlimited()).unwrap();
        shadow.ineqs.sort();
        assert_eq!(shadow, system(1, &[], &[&[0, 1], &[2, -1]]));
    }

    #[test]
    fn an_empty_system_stays_empty() {
        let empty = system(2, &[], &[&[-1, 1, 0], &[0, -1, 1], &[0, 0, -1]]);
        assert_eq!(project(&empty, &[1], &mut Budget::unlimited()), Ok(System::empty(1)));
    }
}
