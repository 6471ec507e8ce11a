//! Sums, products and substitution of quasi-polynomials.

use std::sync::Arc;

use poly_arith::{Int, Rational};
use poly_presburger::{Budget, Stop};

use super::QuasiPolynomial;
use super::floors::Floors;
use crate::polynomial::Polynomial;

/// Two quasi-polynomials over one table of divisions.
struct Common {
    floors: Floors,
    left: Polynomial,
    right: Polynomial,
}

impl Common {
    fn of(a: &QuasiPolynomial, b: &QuasiPolynomial, budget: &mut Budget) -> Result<Common, Stop> {
        assert!(a.space == b.space, "{} and {} are different domains", a.space, b.space);
        let mut floors = a.floors.clone();
        let images: Vec<Polynomial> =
            floors.import(&b.floors)[1..].iter().map(|row| Polynomial::affine(row, &Int::ONE)).collect();
        let right = b.polynomial.substitute(&images, budget)?;
        Ok(Common { floors, left: a.polynomial.clone(), right })
    }
}

impl QuasiPolynomial {
    /// The sum; both must be over the same space.
    pub fn add(&self, other: &QuasiPolynomial) -> QuasiPolynomial {
        self.plus(&Rational::ONE, other, &mut Budget::unlimited()).expect("an unlimited budget does not stop")
    }

    /// The difference; both must be over the same space.
    pub fn sub(&self, other: &QuasiPolynomial) -> QuasiPolynomial {
        self.plus(&Rational::from(-1), other, &mut Budget::unlimited()).expect("an unlimited budget does not stop")
    }

    /// `self + factor * other`
    pub(crate) fn plus(
        &self,
        factor: &Rational,
        other: &QuasiPolynomial,
        budget: &mut Budget,
    ) -> Result<QuasiPolynomial, Stop> {
        budget.spend(1 + (self.n_term() + other.n_term()) as u64)?;
        let Common { floors, mut left, right } = Common::of(self, other, budget)?;
        left.add_multiple(factor, &right);
        QuasiPolynomial { space: Arc::clone(&self.space), floors, polynomial: left }.canonical_within(budget)
    }

    /// The product; both must be over the same space. One step per pair of terms.
    pub fn mul(&self, other: &QuasiPolynomial, budget: &mut Budget) -> Result<QuasiPolynomial, Stop> {
        let Common { floors, left, right } = Common::of(self, other, budget)?;
        let polynomial = left.mul(&right, budget)?;
        QuasiPolynomial { space: Arc::clone(&self.space), floors, polynomial }.canonical_within(budget)
    }

    /// The negative.
    pub fn neg(&self) -> QuasiPolynomial {
        self.scale(&Rational::from(-1))
    }

    /// The multiple by a number.
    pub fn scale(&self, factor: &Rational) -> QuasiPolynomial {
        let polynomial = self.polynomial.scale(factor);
        QuasiPolynomial { space: Arc::clone(&self.space), floors: self.floors.clone(), polynomial }.canonical()
    }
}
