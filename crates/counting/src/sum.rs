//! Sums of functions over their domains.
//!
//! # Problem
//! Given a piecewise quasi-polynomial over a set with parameters, find the sum of its values over
//! all points of the set, as a function of the parameters.
//!
//! # Algorithm
//! Counting sums ones. A product of powers is a number of points, too: for `w >= 1` there are `w^e`
//! tuples `y` with `1 <= y_1, .., y_e <= w`. So:
//!
//! 1. The pieces are disjoint, and sums are linear: each term of each polynomial is summed on its
//!    own. Powers of parameters are factors of the result.
//! 2. Divisions that the term uses become dimensions, which have one value per point.
//! 3. For each other variable of the term, the domain is cut in the part in which it is positive
//!    and the one in which it is negative, where its absolute value counts and the sign depends on
//!    the exponent.
//! 4. The points of the parts, with the dimensions `y` of all factors, are counted.
//!
//! Reference: the reduction of weighted counting to counting in \[Verdoolaege2007\].

use std::sync::Arc;

use poly_arith::{Int, Rational};
use poly_presburger::{Budget, DimKind, Row, Set, SolveError, Space};

use crate::cardinality::{Card, Cardinality};
use crate::piecewise::PwQuasiPolynomial;
use crate::polynomial::Monomial;
use crate::quasi::QuasiPolynomial;

impl PwQuasiPolynomial {
    /// The sum of the values at all points of the domain, as a function of the parameters.
    ///
    /// ```
    /// use poly_counting::PwQuasiPolynomial;
    /// use poly_presburger::Budget;
    ///
    /// let squares: PwQuasiPolynomial = "[n] -> { [i] -> i^2 : 0 <= i <= n }".parse()?;
    /// let sum = squares.sum(&mut Budget::new(1_000_000))?;
    /// assert_eq!(sum.to_string(), "[n] -> { 1/6 * n + 1/2 * n^2 + 1/3 * n^3 : n > 0 }");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Cost: that of [`Card::card`] for each term, in as many more dimensions as its degree, for
    /// each choice of signs.
    ///
    /// # Errors
    /// [`SolveError::Unbounded`] if a term has infinitely many points for some parameter values.
    pub fn sum(&self, budget: &mut Budget) -> Result<PwQuasiPolynomial, SolveError> {
        let params = Arc::new(self.space().params_space());
        let mut result = PwQuasiPolynomial::zero(Arc::clone(&params));
        for (domain, function) in self.pieces() {
            let disjoint = domain.clone().make_disjoint(budget)?;
            for (monomial, coefficient) in function.polynomial.terms() {
                let sum = sum_of_term(&disjoint, function, monomial, &params, budget)?;
                result = result.add(&sum.scale(coefficient), budget)?;
            }
        }
        Ok(result.coalesce(budget)?)
    }
}

/// The sum of a product of powers over a set.
fn sum_of_term(
    domain: &Set,
    function: &QuasiPolynomial,
    monomial: &Monomial,
    params: &Arc<Space>,
    budget: &mut Budget,
) -> Result<PwQuasiPolynomial, SolveError> {
    let n_param = params.n_var();
    let factors = monomial.factors().iter().copied();
    let (of_params, others): (Vec<_>, Vec<_>) = factors.partition(|(var, _)| *var < n_param);
    let lifted = with_floors(domain, function);
    let mut sum = PwQuasiPolynomial::zero(Arc::clone(params));
    for signs in 0..1u64 << others.len() {
        let is_negative = |i: usize| signs >> i & 1 == 1;
        let mut part = lifted.clone();
        let mut sign = Rational::ONE;
        for (i, &(var, exponent)) in others.iter().enumerate() {
            for _ in 0..exponent {
                part = below(&part, 1 + var, is_negative(i));
                if is_negative(i) {
                    sign = -sign;
                }
            }
        }
        let count = match part.card(budget)? {
            Cardinality::Constant(value) => constant(params, value),
            Cardinality::Parametric(count) => count,
            Cardinality::Infinite { .. } => return Err(SolveError::Unbounded),
        };
        sum = sum.add(&count.scale(&sign), budget)?;
    }
    for (param, exponent) in of_params {
        let factor = QuasiPolynomial::var(Arc::clone(params), DimKind::Param, param);
        let factor = PwQuasiPolynomial::on(Set::universe(Arc::clone(params)), factor);
        for _ in 0..exponent {
            sum = sum.mul(&factor, budget)?;
        }
    }
    Ok(sum)
}

fn constant(params: &Arc<Space>, value: Int) -> PwQuasiPolynomial {
    let function = QuasiPolynomial::constant(Arc::clone(params), value);
    PwQuasiPolynomial::on(Set::universe(Arc::clone(params)), function)
}

/// The set with a dimension for each division of the function, after its own.
pub(crate) fn with_floors(domain: &Set, function: &QuasiPolynomial) -> Set {
    let floors = function.floors.list();
    if floors.is_empty() {
        return domain.clone();
    }
    let own = 1 + function.space().n_var();
    let mut result = domain.as_map().add_dims(DimKind::Out, floors.len());
    for (i, floor) in floors.iter().enumerate() {
        // 0 <= num - denom * q <= denom - 1
        let mut least: Row = floor.num.clone();
        least.resize(own + floors.len(), Int::ZERO);
        least[own + i] = -&floor.denom;
        let mut most: Row = least.iter().map(|x| -x).collect();
        most[0] += &(&floor.denom - &Int::ONE);
        result = result.with_ineq(least).with_ineq(most);
    }
    result.into_set()
}

/// The set with one more dimension `y`, `1 <= y <= w` for the value `w` of a column, or
/// `1 <= y <= -w`.
fn below(set: &Set, column: usize, is_negative: bool) -> Set {
    let map = set.as_map().add_dims(DimKind::Out, 1);
    let last = map.space().n_var();
    let mut positive = vec![Int::ZERO; 1 + last];
    (positive[0], positive[last]) = (Int::NEG_ONE, Int::ONE);
    let mut bound = vec![Int::ZERO; 1 + last];
    (bound[column], bound[last]) = (if is_negative { Int::NEG_ONE } else { Int::ONE }, Int::NEG_ONE);
    map.with_ineq(positive).with_ineq(bound).into_set()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares a sum with the definition, for values of one parameter.
    fn check(text: &str) {
        let budget = &mut Budget::new(50_000_000);
        let function: PwQuasiPolynomial = text.parse().expect("the function can be read");
        let sum = function.sum(budget).expect("the budget suffices");
        for n in -2..9i64 {
            let params = [Int::from(n)];
            let mut expected = Rational::ZERO;
            for (domain, piece) in function.pieces() {
                for point in domain.enumerate(&params, budget).expect("it is bounded") {
                    expected = expected + piece.eval(&[&params[..], &point[..]].concat());
                }
            }
            assert_eq!(sum.eval(&params), expected, "{text} for {n}: {sum}");
        }
    }

    #[test]
    fn sums_are_those_of_the_values() {
        check("[n] -> { [i] -> i^2 : 0 <= i <= n }");
        check("[n] -> { [i] -> i^3 - 2 * i + 1/3 * n * i : -4 <= i <= n }");
        check("[n] -> { [i, j] -> i * j : -2 <= i <= n and i <= j <= 5 }");
        check("[n] -> { [i] -> i * floor((i + n)/3) : -3 <= i <= n }");
        check("[n] -> { [i] -> n^2 : 0 <= i < 4; [i] -> i : 4 <= i <= n }");
    }

    #[test]
    fn sums_over_rays_do_not_exist() {
        let function: PwQuasiPolynomial = "[n] -> { [i] -> i : i >= n }".parse().expect("the function can be read");
        assert_eq!(function.sum(&mut Budget::unlimited()), Err(SolveError::Unbounded));
    }
}
