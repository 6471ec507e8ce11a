//! Sparse polynomials in numbered variables, with rational coefficients.
//!
//! The terms are kept in an ordered map from monomials to coefficients other than zero, so that
//! equal polynomials are equal values. What the variables stand for is the business of the user:
//! parameters, dimensions or integer divisions.

use std::collections::{BTreeMap, BTreeSet};

use poly_arith::{Int, Rational};
use poly_presburger::{Budget, Stop};

/// A product of powers: variables in increasing order, each with a positive exponent.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Monomial(Vec<(usize, u32)>);

impl Monomial {
    /// The product of factors, given by increasing variable.
    pub(crate) fn from_factors(factors: Vec<(usize, u32)>) -> Monomial {
        debug_assert!(factors.is_sorted_by(|a, b| a.0 < b.0), "factors are in the order of their variables");
        Monomial(factors)
    }

    /// The factors: variable and exponent.
    pub(crate) fn factors(&self) -> &[(usize, u32)] {
        &self.0
    }

    /// The sum of all exponents.
    pub(crate) fn degree(&self) -> u32 {
        self.0.iter().map(|(_, exponent)| exponent).sum()
    }

    /// The exponent of a variable.
    pub(crate) fn exponent(&self, var: usize) -> u32 {
        self.0.iter().find(|(v, _)| *v == var).map_or(0, |(_, exponent)| *exponent)
    }

    /// The product of two monomials: a merge of their factors.
    fn mul(&self, other: &Monomial) -> Monomial {
        let mut factors = Vec::with_capacity(self.0.len() + other.0.len());
        let (mut a, mut b) = (self.0.iter().peekable(), other.0.iter().peekable());
        while let (Some(&&(u, m)), Some(&&(v, n))) = (a.peek(), b.peek()) {
            factors.push(if u <= v { (u, if u == v { m + n } else { m }) } else { (v, n) });
            if u <= v {
                a.next();
            }
            if v <= u {
                b.next();
            }
        }
        factors.extend(a.chain(b));
        Monomial(factors)
    }
}

/// A polynomial.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Polynomial {
    terms: BTreeMap<Monomial, Rational>,
}

impl Polynomial {
    /// The polynomial 0.
    pub(crate) fn zero() -> Polynomial {
        Polynomial::default()
    }

    /// A constant.
    pub(crate) fn constant(value: Rational) -> Polynomial {
        let mut result = Polynomial::zero();
        result.add_term(Monomial::default(), &value);
        result
    }

    /// A variable.
    pub(crate) fn var(var: usize) -> Polynomial {
        Polynomial { terms: BTreeMap::from([(Monomial(vec![(var, 1)]), Rational::ONE)]) }
    }

    /// A monomial with coefficient 1.
    pub(crate) fn monomial(monomial: Monomial) -> Polynomial {
        Polynomial { terms: BTreeMap::from([(monomial, Rational::ONE)]) }
    }

    /// The affine form of a row, the constant first, over a denominator.
    pub(crate) fn affine(row: &[Int], denom: &Int) -> Polynomial {
        let mut result = Polynomial::zero();
        for (column, value) in row.iter().enumerate() {
            let monomial = if column == 0 { Vec::new() } else { vec![(column - 1, 1)] };
            result.add_term(Monomial(monomial), &Rational::new(value.clone(), denom.clone()));
        }
        result
    }

    /// The terms in the order of their monomials.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (&Monomial, &Rational)> {
        self.terms.iter()
    }

    /// Number of terms.
    pub(crate) fn len(&self) -> usize {
        self.terms.len()
    }

    /// Is this the polynomial 0?
    pub(crate) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The value of a constant polynomial.
    pub(crate) fn as_constant(&self) -> Option<Rational> {
        let mut terms = self.terms.iter();
        match (terms.next(), terms.next()) {
            (None, _) => Some(Rational::ZERO),
            (Some((monomial, value)), None) if monomial.0.is_empty() => Some(value.clone()),
            _ => None,
        }
    }

    /// The largest sum of exponents; 0 for the polynomial 0.
    pub(crate) fn degree(&self) -> u32 {
        self.terms.keys().map(Monomial::degree).max().unwrap_or(0)
    }

    /// The variables that occur.
    pub(crate) fn vars(&self) -> BTreeSet<usize> {
        self.terms.keys().flat_map(|monomial| monomial.0.iter().map(|(var, _)| *var)).collect()
    }

    fn add_term(&mut self, monomial: Monomial, value: &Rational) {
        if value.is_zero() {
            return;
        }
        match self.terms.entry(monomial) {
            std::collections::btree_map::Entry::Vacant(entry) => {
                entry.insert(value.clone());
            }
            std::collections::btree_map::Entry::Occupied(mut entry) => {
                let sum = entry.get() + value;
                if sum.is_zero() {
                    entry.remove();
                } else {
                    entry.insert(sum);
                }
            }
        }
    }

    /// Adds a multiple of another polynomial.
    pub(crate) fn add_multiple(&mut self, factor: &Rational, other: &Polynomial) {
        for (monomial, value) in &other.terms {
            self.add_term(monomial.clone(), &(value * factor));
        }
    }

    /// The sum.
    pub(crate) fn add(&self, other: &Polynomial) -> Polynomial {
        let mut result = self.clone();
        result.add_multiple(&Rational::ONE, other);
        result
    }

    /// The multiple by a number.
    pub(crate) fn scale(&self, factor: &Rational) -> Polynomial {
        let mut result = Polynomial::zero();
        result.add_multiple(factor, self);
        result
    }

    /// The product. One step per pair of terms.
    pub(crate) fn mul(&self, other: &Polynomial, budget: &mut Budget) -> Result<Polynomial, Stop> {
        let mut result = Polynomial::zero();
        for (monomial, value) in &self.terms {
            budget.spend(1 + other.terms.len() as u64)?;
            for (other_monomial, other_value) in &other.terms {
                result.add_term(monomial.mul(other_monomial), &(value * other_value));
            }
        }
        Ok(result)
    }

    /// The polynomial with `images[v]` in place of each variable `v`.
    pub(crate) fn substitute(&self, images: &[Polynomial], budget: &mut Budget) -> Result<Polynomial, Stop> {
        let mut powers: BTreeMap<(usize, u32), Polynomial> = BTreeMap::new();
        let mut result = Polynomial::zero();
        for (monomial, value) in &self.terms {
            let mut product = Polynomial::constant(value.clone());
            for &(var, exponent) in &monomial.0 {
                for e in 1..=exponent {
                    if !powers.contains_key(&(var, e)) {
                        let power = match powers.get(&(var, e - 1)) {
                            Some(lower) => lower.mul(&images[var], budget)?,
                            None => images[var].clone(),
                        };
                        powers.insert((var, e), power);
                    }
                }
                product = product.mul(&powers[&(var, exponent)], budget)?;
            }
            result.add_multiple(&Rational::ONE, &product);
        }
        Ok(result)
    }

    /// The value at a point.
    pub(crate) fn eval(&self, point: &[Int]) -> Rational {
        let mut sum = Rational::ZERO;
        for (monomial, value) in &self.terms {
            let powers = monomial.0.iter().map(|&(var, exponent)| point[var].pow(exponent));
            sum = &sum + &(value * &Rational::from(powers.product::<Int>()));
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(values: &[i64]) -> Vec<Int> {
        values.iter().map(|&x| Int::from(x)).collect()
    }

    fn free() -> Budget {
        Budget::unlimited()
    }

    #[test]
    fn products_and_substitution_agree_with_evaluation() {
        let a = Polynomial::affine(&row(&[1, 2, -1]), &Int::from(3));
        let b = Polynomial::affine(&row(&[0, 1, 4]), &Int::ONE);
        let product = a.mul(&b, &mut free()).unwrap();
        let square = product.mul(&product, &mut free()).unwrap();
        let images = [a.clone(), b.clone()];
        let nested = square.substitute(&images, &mut free()).unwrap();
        assert_eq!(square.degree(), 4);
        for x in -3..4 {
            for y in -3..4 {
                let at = row(&[x, 3 * y]);
                let value = &a.eval(&at) * &b.eval(&at);
                assert_eq!(product.eval(&at), value);
                let inner: Option<Vec<Int>> = [&a, &b].iter().map(|p| p.eval(&at).to_int()).collect();
                if let Some(inner) = inner {
                    assert_eq!(nested.eval(&at), square.eval(&inner));
                }
            }
        }
    }

    #[test]
    fn equal_polynomials_are_equal_values() {
        let a = Polynomial::affine(&row(&[1, 2]), &Int::ONE);
        let minus = Rational::from(-1);
        assert!(a.add(&a.scale(&minus)).is_zero());
        assert_eq!(a.add(&Polynomial::var(0).scale(&Rational::from(-2))).as_constant(), Some(Rational::ONE));
        assert_eq!(a.as_constant(), None);
    }

    #[test]
    fn a_spent_budget_stops_a_product() {
        let a = Polynomial::affine(&row(&[1, 2, 3]), &Int::ONE);
        assert_eq!(a.mul(&a, &mut Budget::new(3)), Err(Stop));
    }
}
