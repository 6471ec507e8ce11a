//! Piecewise quasi-polynomials.
//!
//! A [`PwQuasiPolynomial`] has disjoint pieces, each a set with the quasi-polynomial that holds on
//! it; outside of all pieces its value is zero. *Invariants:* all domains and functions are over
//! the space of the whole, domains are disjoint, no function is the zero function.

use std::sync::Arc;

use poly_arith::{Int, Rational};
use poly_presburger::{Budget, DimKind, Set, Space, Stop};

use crate::quasi::QuasiPolynomial;

/// A quasi-polynomial for each part of a set or parameter space, and zero elsewhere.
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct PwQuasiPolynomial {
    space: Arc<Space>,
    pieces: Vec<(Set, QuasiPolynomial)>,
}

impl PwQuasiPolynomial {
    /// The zero function.
    pub fn zero(space: impl Into<Arc<Space>>) -> PwQuasiPolynomial {
        let space = space.into();
        assert!(!space.is_map(), "the domain of a function is a set, not {space}");
        PwQuasiPolynomial { space, pieces: Vec::new() }
    }

    /// The function that is a quasi-polynomial on a set and zero elsewhere.
    pub fn on(domain: Set, function: QuasiPolynomial) -> PwQuasiPolynomial {
        let mut result = PwQuasiPolynomial::zero(function.space().clone());
        result.push_disjoint(domain, function);
        result
    }

    /// Adds a piece whose domain has no point in common with those there.
    pub(crate) fn push_disjoint(&mut self, domain: Set, function: QuasiPolynomial) {
        assert!(*domain.space() == *self.space, "{} is not {}", domain.space(), self.space);
        assert!(*function.space() == *self.space, "{} is not {}", function.space(), self.space);
        if !domain.plain_is_empty() && !function.is_zero() {
            self.pieces.push((domain, function));
        }
    }

    /// The domain: a set or parameter space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The pieces: disjoint domains with the functions on them.
    pub fn pieces(&self) -> &[(Set, QuasiPolynomial)] {
        &self.pieces
    }

    /// The value at a point: values of the parameters, then of the dimensions.
    pub fn eval(&self, point: &[Int]) -> Rational {
        let (params, dims) = point.split_at(self.space.dim(DimKind::Param));
        let piece = self.pieces.iter().find(|(domain, _)| domain.contains(params, dims));
        piece.map_or(Rational::ZERO, |(_, function)| function.eval(point))
    }

    /// The sum. Domains that overlap are split.
    pub fn add(&self, other: &PwQuasiPolynomial, budget: &mut Budget) -> Result<PwQuasiPolynomial, Stop> {
        self.plus(&Rational::ONE, other, budget)
    }

    /// The difference. Domains that overlap are split.
    pub fn sub(&self, other: &PwQuasiPolynomial, budget: &mut Budget) -> Result<PwQuasiPolynomial, Stop> {
        self.plus(&Rational::from(-1), other, budget)
    }

    fn plus(
        &self,
        factor: &Rational,
        other: &PwQuasiPolynomial,
        budget: &mut Budget,
    ) -> Result<PwQuasiPolynomial, Stop> {
        let mut result = PwQuasiPolynomial::zero(Arc::clone(&self.space));
        let mut rest: Vec<Set> = other.pieces.iter().map(|(domain, _)| domain.clone()).collect();
        for (domain, function) in &self.pieces {
            let mut alone = domain.clone();
            for ((other_domain, other_function), rest) in other.pieces.iter().zip(&mut rest) {
                let both = domain.intersect(other_domain).remove_empty_parts(budget)?;
                if both.plain_is_empty() {
                    continue;
                }
                alone = alone.subtract(other_domain, budget)?;
                *rest = rest.subtract(domain, budget)?;
                result.push_disjoint(both, function.plus(factor, other_function, budget)?);
            }
            result.push_disjoint(alone, function.clone());
        }
        for (domain, (_, function)) in rest.into_iter().zip(&other.pieces) {
            result.push_disjoint(domain, function.scale(factor));
        }
        result.coalesce(budget)
    }

    /// The product: zero outside of the common domain.
    pub fn mul(&self, other: &PwQuasiPolynomial, budget: &mut Budget) -> Result<PwQuasiPolynomial, Stop> {
        let mut result = PwQuasiPolynomial::zero(Arc::clone(&self.space));
        for (domain, function) in &self.pieces {
            for (other_domain, other_function) in &other.pieces {
                let both = domain.intersect(other_domain).remove_empty_parts(budget)?;
                if !both.plain_is_empty() {
                    result.push_disjoint(both, function.mul(other_function, budget)?);
                }
            }
        }
        result.coalesce(budget)
    }

    /// The negative.
    pub fn neg(&self) -> PwQuasiPolynomial {
        self.scale(&Rational::from(-1))
    }

    /// The multiple by a number.
    pub fn scale(&self, factor: &Rational) -> PwQuasiPolynomial {
        let mut result = PwQuasiPolynomial::zero(Arc::clone(&self.space));
        for (domain, function) in &self.pieces {
            result.push_disjoint(domain.clone(), function.scale(factor));
        }
        result
    }

    /// The same function on a set and zero elsewhere.
    pub fn intersect_domain(&self, set: &Set, budget: &mut Budget) -> Result<PwQuasiPolynomial, Stop> {
        self.on_parts(|domain, budget| domain.intersect(set).remove_empty_parts(budget), budget)
    }

    /// The same function outside of a set and zero on it.
    pub fn subtract_domain(&self, set: &Set, budget: &mut Budget) -> Result<PwQuasiPolynomial, Stop> {
        self.on_parts(|domain, budget| domain.subtract(set, budget), budget)
    }

    fn on_parts(
        &self,
        part: impl Fn(&Set, &mut Budget) -> Result<Set, Stop>,
        budget: &mut Budget,
    ) -> Result<PwQuasiPolynomial, Stop> {
        let mut result = PwQuasiPolynomial::zero(Arc::clone(&self.space));
        for (domain, function) in &self.pieces {
            result.push_disjoint(part(domain, budget)?, function.clone());
        }
        Ok(result)
    }

    /// The same function with one piece per quasi-polynomial, the domains simplified.
    pub fn coalesce(&self, budget: &mut Budget) -> Result<PwQuasiPolynomial, Stop> {
        let mut merged: Vec<(Set, QuasiPolynomial)> = Vec::new();
        for (domain, function) in &self.pieces {
            match merged.iter_mut().find(|(_, f)| f == function) {
                Some((all, _)) => *all = all.union_disjoint(domain),
                None => merged.push((domain.clone(), function.clone())),
            }
        }
        let mut result = PwQuasiPolynomial::zero(Arc::clone(&self.space));
        for (domain, function) in merged {
            result.push_disjoint(domain.remove_redundancies(budget)?.coalesce(budget)?, function);
        }
        Ok(result)
    }
}
