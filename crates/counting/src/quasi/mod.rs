//! Quasi-polynomials: polynomials in variables and in integer divisions of them.
//!
//! A [`QuasiPolynomial`] maps the points of a set or parameter space to rational numbers. Its
//! variables are the parameters, then the dimensions of the space; its integer divisions
//! `floor(affine / d)` may use each other.
//!
//! **Canonical form.** Divisions are canonical (see `floors.rs`), in use and sorted. Products of
//! divisions that are functions of the same remainder are written as sums where that is not longer
//! (see `periods.rs`). Equal values denote equal functions; the converse holds without divisions,
//! and mostly for divisions by small numbers.

mod arithmetic;
pub(crate) mod floors;
mod periods;

pub(crate) use periods::linearize;

use std::sync::Arc;

use poly_arith::{Int, Rational};
use poly_presburger::{Aff, Budget, DimKind, Space, Stop};

use crate::polynomial::Polynomial;
use floors::Floors;

/// A polynomial with rational coefficients in the variables of a space and in integer divisions of
/// them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct QuasiPolynomial {
    pub(crate) space: Arc<Space>,
    pub(crate) floors: Floors,
    pub(crate) polynomial: Polynomial,
}

impl QuasiPolynomial {
    /// The zero function on a set or parameter space.
    pub fn zero(space: impl Into<Arc<Space>>) -> QuasiPolynomial {
        let space = space.into();
        assert!(!space.is_map(), "the domain of a quasi-polynomial is a set, not {space}");
        let floors = Floors::new(space.n_var());
        QuasiPolynomial { space, floors, polynomial: Polynomial::zero() }
    }

    /// A constant function.
    pub fn constant(space: impl Into<Arc<Space>>, value: impl Into<Rational>) -> QuasiPolynomial {
        let mut result = QuasiPolynomial::zero(space);
        result.polynomial = Polynomial::constant(value.into());
        result
    }

    /// A parameter (`Param`) or a dimension of the domain (`Out`).
    pub fn var(space: impl Into<Arc<Space>>, kind: DimKind, i: usize) -> QuasiPolynomial {
        let mut result = QuasiPolynomial::zero(space);
        assert!(i < result.space.dim(kind), "{} has no {kind:?} dimension {i}", result.space);
        result.polynomial = Polynomial::var(result.space.offset(kind) - 1 + i);
        result
    }

    /// A quasi-affine expression.
    pub fn from_aff(aff: &Aff) -> QuasiPolynomial {
        let mut result = QuasiPolynomial::zero(aff.space().clone());
        let n_plain = 1 + result.space.n_var();
        let mut images: Vec<Vec<Int>> = (0..n_plain).map(|column| result.floors.unit(column)).collect();
        for div in aff.divs() {
            let num = Floors::translate(&div.num[..images.len()], &images);
            images.push(result.floors.floor(&num, &div.denom));
        }
        result.polynomial = Polynomial::affine(&Floors::translate(aff.row(), &images), aff.denom());
        result.canonical()
    }

    /// The domain: a set or parameter space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Is this the zero function?
    pub fn is_zero(&self) -> bool {
        self.polynomial.is_zero()
    }

    /// The value, if the polynomial is constant.
    pub fn as_constant(&self) -> Option<Rational> {
        self.polynomial.as_constant()
    }

    /// The degree, divisions counting like variables.
    pub fn degree(&self) -> u32 {
        self.polynomial.degree()
    }

    /// The degree in which values grow with the variables. A division is its quotient but for a
    /// remainder, which is bounded; where quotients cancel, values grow less than [`Self::degree`]
    /// says: `n - 2 * floor(n / 2)` does not grow.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn growth(&self, budget: &mut Budget) -> Result<u32, Stop> {
        let n = self.floors.n_var();
        let mut images: Vec<Polynomial> = (0..n).map(Polynomial::var).collect();
        for (k, floor) in self.floors.list().iter().enumerate() {
            let quotient = Polynomial::affine(&floor.num, &floor.denom).substitute(&images, budget)?;
            images.push(quotient.add(&Polynomial::var(n + k)));
        }
        let spread = self.polynomial.substitute(&images, budget)?;
        let grows = |factors: &[(usize, u32)]| factors.iter().filter(|(v, _)| *v < n).map(|(_, e)| e).sum::<u32>();
        Ok(spread.terms().map(|(monomial, _)| grows(monomial.factors())).max().unwrap_or(0))
    }

    /// Number of terms.
    pub fn n_term(&self) -> usize {
        self.polynomial.len()
    }

    /// Number of integer divisions in use.
    pub fn n_div(&self) -> usize {
        self.floors.list().len()
    }

    /// The value at a point: values of the parameters, then of the dimensions.
    pub fn eval(&self, point: &[Int]) -> Rational {
        self.polynomial.eval(&self.floors.extend(point))
    }

    /// Canonical form, see the [module documentation](self).
    pub(crate) fn canonical(self) -> QuasiPolynomial {
        self.canonical_within(&mut Budget::unlimited()).expect("an unlimited budget does not stop")
    }

    /// Canonical form within a budget.
    pub(crate) fn canonical_within(self, budget: &mut Budget) -> Result<QuasiPolynomial, Stop> {
        let QuasiPolynomial { space, mut floors, polynomial } = self;
        let polynomial = periods::linearize(&mut floors, polynomial, budget)?;
        let used = polynomial.vars();
        let needed = floors.needed(|var| used.contains(&var));
        let (floors, images) = floors.sorted(&needed);
        let images: Vec<Polynomial> = images[1..].iter().map(|row| Polynomial::affine(row, &Int::ONE)).collect();
        let polynomial = polynomial.substitute(&images, budget)?;
        Ok(QuasiPolynomial { space, floors, polynomial })
    }
}

#[cfg(test)]
mod tests;
