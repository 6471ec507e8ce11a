//! An independent check of storage mappings.
//!
//! # Problem
//! Is there a difference of elements in conflict, other than zero, that every row of a mapping maps
//! to a multiple of its modulus? The check asks that of the mapping as it is, not of how it was
//! found.
//!
//! # Algorithm
//! The differences are restricted row by row, from the first one.
//! 1. A constant modulus `m`: there is an integer `q` with `c d = m q`, a new dimension of the set.
//! 2. A modulus that depends on parameters is no affine constraint. If no difference that is left
//!    has `|c d| >= m`, a multiple of `m` is zero, and the constraint is `c d = 0`. Otherwise
//!    nothing is known.
//! 3. What is left must have no point other than zero.

use poly_arith::Int;
use poly_presburger::{Aff, BasicSet, Budget, DimKind, PwAff, Set, Stop};

use crate::{Differences, Mapping};

/// What the check says of a mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No two values that are live at once share a cell.
    Legal,
    /// Two elements with this difference, for these parameters, do.
    Shared {
        /// Values of the parameters.
        params: Vec<Int>,
        /// The difference of the elements.
        difference: Vec<Int>,
    },
    /// A modulus may be zero or negative.
    NotPositive,
    /// A modulus is neither constant nor larger than all values of its row.
    Unknown,
}

/// Whether a mapping is legal.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn is_legal(mapping: &Mapping, differences: &Differences, budget: &mut Budget) -> Result<Verdict, Stop> {
    let dims = differences.n_dim();
    let mut rest = differences.set().clone();
    for row in &mapping.rows {
        if !is_positive(&row.modulus, differences.context(), budget)? {
            return Ok(Verdict::NotPositive);
        }
        let mut equal = constraint(&rest, &row.coefficients);
        match row.constant_modulus() {
            Some(modulus) => {
                let quotient = rest.n_dim();
                rest = rest.insert_dims(DimKind::Out, quotient, 1);
                equal.push(-&modulus);
                rest = rest.with_eq(equal);
            }
            None => {
                if reaches(&rest, &row.coefficients, &row.modulus, budget)? {
                    return Ok(Verdict::Unknown);
                }
                rest = rest.with_eq(equal);
            }
        }
    }
    for dimension in 0..dims {
        for sign in [Int::ONE, Int::NEG_ONE] {
            let mut other_than_zero = vec![Int::ZERO; 1 + rest.space().n_var()];
            other_than_zero[0] = Int::NEG_ONE;
            other_than_zero[rest.space().offset(DimKind::Out) + dimension] = sign;
            if let Some(point) = rest.with_ineq(other_than_zero).sample(budget)? {
                let (params, difference) = point.split_at(rest.space().dim(DimKind::Param));
                return Ok(Verdict::Shared { params: params.to_vec(), difference: difference[..dims].to_vec() });
            }
        }
    }
    Ok(Verdict::Legal)
}

/// `c d`, for a set that may have quotients behind `d`.
fn constraint(set: &Set, coefficients: &[Int]) -> Vec<Int> {
    let first = set.space().offset(DimKind::Out);
    let mut row = vec![Int::ZERO; 1 + set.space().n_var()];
    row[first..first + coefficients.len()].clone_from_slice(coefficients);
    row
}

/// Whether a modulus is defined and at least one for all parameters of the context.
fn is_positive(modulus: &PwAff, context: &Set, budget: &mut Budget) -> Result<bool, Stop> {
    let one = PwAff::constant(context.space().clone(), 1);
    context.is_subset(&modulus.ge_set(&one), budget)
}

/// Whether a row has values outside of `-m < c d < m`.
fn reaches(set: &Set, coefficients: &[Int], modulus: &PwAff, budget: &mut Budget) -> Result<bool, Stop> {
    for (domain, most) in modulus.align_params(set.space()).pieces() {
        let part = set.intersect_params(domain);
        for sign in [Int::ONE, Int::NEG_ONE] {
            let signed: Vec<Int> = coefficients.iter().map(|c| c * &sign).collect();
            if !part.intersect(&at_least(set, &signed, most)).is_empty(budget)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The points of the space of a set for which a row is at least a function of the parameters.
fn at_least(set: &Set, coefficients: &[Int], function: &Aff) -> Set {
    let (params, dims) = (1 + set.space().dim(DimKind::Param), set.n_dim());
    // The divisions of the function have no dimensions of the set.
    let widened = |row: &[Int]| {
        let (fixed, divs) = row.split_at(params);
        let mut wide = fixed.to_vec();
        wide.resize(params + dims, Int::ZERO);
        wide.extend(divs.iter().cloned());
        wide
    };
    let mut basic = BasicSet::universe(set.space().clone());
    for (number, div) in function.divs().iter().enumerate() {
        let mut numerator = widened(&div.num);
        numerator.resize(params + dims + number, Int::ZERO);
        basic.add_div(div.denom.clone(), numerator);
    }
    let mut row: Vec<Int> = widened(function.row()).iter().map(|entry| -entry).collect();
    row.resize(params + dims + function.divs().len(), Int::ZERO);
    for (entry, c) in row[params..].iter_mut().zip(coefficients) {
        *entry = c * function.denom();
    }
    basic.add_ineq(row);
    Set::from_basic(basic)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Row;

    fn verdict(differences: &str, rows: &[(&[i64], &str)]) -> Verdict {
        let budget = &mut Budget::unlimited();
        let context: Set = "[N] -> { : N >= 3 }".parse().unwrap();
        let conflicts: poly_presburger::Map = differences.parse().unwrap();
        let differences = Differences::of(&conflicts, &context, budget).unwrap();
        let row = |(coefficients, modulus): &(&[i64], &str)| Row {
            coefficients: coefficients.iter().map(|&c| Int::from(c)).collect(),
            modulus: parametric(modulus),
        };
        is_legal(&Mapping { rows: rows.iter().map(row).collect() }, &differences, budget).unwrap()
    }

    fn parametric(text: &str) -> PwAff {
        let set: Set = format!("[N] -> {{ [x] : x = {text} }}").parse().unwrap();
        set.dim_max(0, &mut Budget::unlimited()).unwrap()
    }

    const ROWS: &str = "[N] -> { A[t, i] -> A[u, k] : t <= u <= t + 1 and 0 <= i < N and 0 <= k < N }";

    #[test]
    fn mappings_are_judged_as_they_are() {
        assert_eq!(verdict(ROWS, &[(&[1, 0], "2"), (&[0, 1], "N")]), Verdict::Legal);
        assert_eq!(verdict(ROWS, &[(&[1, 0], "2"), (&[0, 1], "N + 5")]), Verdict::Legal);
        let Verdict::Shared { difference, .. } = verdict(ROWS, &[(&[1, 0], "1"), (&[0, 1], "N")]) else {
            panic!("two rows are live at once");
        };
        assert_eq!(difference, [Int::from(1), Int::ZERO]);
        assert!(matches!(verdict(ROWS, &[(&[1, 0], "2"), (&[0, 1], "2")]), Verdict::Shared { .. }));
        // Larger, but not a multiple of what is needed: differences of exactly five rows share
        // cells.
        let far = "{ A[t] -> A[t + 1]; A[t] -> A[t + 5] }";
        assert_eq!(verdict(far, &[(&[1], "6")]), Verdict::Legal);
        assert_eq!(verdict(far, &[(&[1], "3")]), Verdict::Legal);
        assert!(matches!(verdict(far, &[(&[1], "5")]), Verdict::Shared { .. }));
    }

    #[test]
    fn moduli_of_which_nothing_is_known_are_refused() {
        assert_eq!(verdict(ROWS, &[(&[0, 1], "N - 1"), (&[1, 0], "2")]), Verdict::Unknown);
        assert_eq!(verdict(ROWS, &[(&[1, 0], "2"), (&[0, 1], "N - 3")]), Verdict::NotPositive);
    }
}
