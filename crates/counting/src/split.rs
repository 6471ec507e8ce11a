//! Pieces in which integer divisions are constant: isl's `isl_pw_qpolynomial_split_periods`.
//!
//! A division that has few values on the domain of a piece makes one piece for each of them, in
//! which it is that number. Divisions with more values stay. The function is the same; each of its
//! pieces is of a simpler form.

use std::sync::Arc;

use poly_arith::{Int, Rational};
use poly_presburger::solver::Optimum;
use poly_presburger::{Aff, Budget, Set, Space, Stop};

use crate::piecewise::PwQuasiPolynomial;
use crate::polynomial::Polynomial;
use crate::quasi::QuasiPolynomial;
use crate::quasi::floors::Floors;

impl PwQuasiPolynomial {
    /// The same function with a piece for each value of the integer divisions that have at most
    /// `max_periods` values on a piece.
    /// Cost: two integer programs for each disjunct and division of each piece that results.
    ///
    /// ```
    /// use poly_counting::PwQuasiPolynomial;
    /// use poly_presburger::Budget;
    /// let f: PwQuasiPolynomial = "{ [i] -> i * floor(i/10) : 0 <= i < 20 }".parse()?;
    /// let split = f.split_periods(2, &mut Budget::unlimited())?;
    /// assert_eq!(split.to_string(), "{ [i] -> i : 10 <= i <= 19 }");
    /// assert_eq!(f.split_periods(1, &mut Budget::unlimited())?, f);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn split_periods(&self, max_periods: u32, budget: &mut Budget) -> Result<PwQuasiPolynomial, Stop> {
        let mut result = PwQuasiPolynomial::zero(self.space().clone());
        let mut open: Vec<(Set, QuasiPolynomial)> = self.pieces().iter().rev().cloned().collect();
        while let Some((domain, function)) = open.pop() {
            match parts(&domain, &function, max_periods, budget)? {
                Some(parts) => open.extend(parts.into_iter().rev()),
                None => result.push_disjoint(domain, function),
            }
        }
        Ok(result)
    }
}

/// A part of the domain for each value of the first division that has few; `None` if there is none.
fn parts(
    domain: &Set,
    function: &QuasiPolynomial,
    max_periods: u32,
    budget: &mut Budget,
) -> Result<Option<Vec<(Set, QuasiPolynomial)>>, Stop> {
    let used = function.polynomial.vars();
    for division in 0..function.floors.list().len() {
        let variable = function.floors.n_var() + division;
        if !used.contains(&variable) {
            continue;
        }
        let aff = value(&function.space, &function.floors, division);
        let bounds = (domain.min_value(&aff, budget)?, domain.max_value(&aff, budget)?);
        let (Optimum::Bounded(least), Optimum::Bounded(greatest)) = bounds else { continue };
        let (least, greatest) = (least.ceil(), greatest.floor());
        if &greatest - &least >= i64::from(max_periods) {
            continue;
        }
        let mut parts = Vec::new();
        let mut number = least;
        while number <= greatest {
            let constant = Aff::constant(Arc::clone(&function.space), number.clone());
            let part = domain.intersect(&Set::from(aff.eq_basic_set(&constant)));
            if !part.is_empty(budget)? {
                parts.push((part, fixed(function, variable, &number, budget)?));
            }
            number += &Int::ONE;
        }
        return Ok(Some(parts));
    }
    Ok(None)
}

/// A division as an expression of the variables.
fn value(space: &Arc<Space>, floors: &Floors, division: usize) -> Aff {
    let floor = &floors.list()[division];
    let plain = floor.num.len().min(1 + floors.n_var());
    let mut numerator = Aff::from_row(Arc::clone(space), floor.num[..plain].to_vec(), Int::ONE);
    for (inner, factor) in floor.num[plain..].iter().enumerate().filter(|(_, factor)| !factor.is_zero()) {
        numerator = numerator.add(&value(space, floors, inner).scale(factor.clone()));
    }
    numerator.floor_div(floor.denom.clone())
}

/// The function where a variable of its polynomial has a value.
fn fixed(
    function: &QuasiPolynomial,
    variable: usize,
    number: &Int,
    budget: &mut Budget,
) -> Result<QuasiPolynomial, Stop> {
    let image = |v: usize| {
        if v == variable { Polynomial::constant(Rational::from(number.clone())) } else { Polynomial::var(v) }
    };
    let images: Vec<Polynomial> = (0..function.floors.n_col() - 1).map(image).collect();
    let polynomial = function.polynomial.substitute(&images, budget)?;
    QuasiPolynomial { polynomial, ..function.clone() }.canonical_within(budget)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_as_they_are() {
        for text in [
            "{ [i, j] -> i * floor(i/3) + floor((i + j)/4) * floor(j/5) : 0 <= i, j <= 11 }",
            "[n] -> { [i] -> floor((i + floor(n/2))/3) : 0 <= i <= 9 and 0 <= n <= 9; [i] -> floor(n/2) * i : 10 <= i <= 20 }",
        ] {
            let f: PwQuasiPolynomial = text.parse().expect("the function can be read");
            for periods in [1, 2, 4, 20] {
                let split = f.split_periods(periods, &mut Budget::unlimited()).expect("no limit");
                for point in (-1..=21).flat_map(|a| (-1..=12).map(move |b| [Int::from(a), Int::from(b)])) {
                    assert_eq!(split.eval(&point), f.eval(&point), "{text} in {periods} at {point:?}: {split}");
                }
                assert!(periods < 20 || split.pieces().iter().all(|(_, f)| f.n_div() == 0 || text.contains("n]")));
            }
        }
    }
}
