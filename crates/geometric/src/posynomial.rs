//! Monomials and posynomials.

use std::ops::{Add, AddAssign, Div, Mul};

/// `c x_1^a_1 .. x_n^a_n`, with `c > 0`. Exponents that are not given are zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Monomial {
    /// `c`.
    pub coefficient: f64,
    /// `a`, by variable.
    pub exponents: Vec<f64>,
}

impl Monomial {
    /// A number.
    pub fn constant(coefficient: f64) -> Self {
        Self { coefficient, exponents: Vec::new() }
    }

    /// A variable.
    pub fn variable(index: usize) -> Self {
        let mut exponents = vec![0.0; index + 1];
        exponents[index] = 1.0;
        Self { coefficient: 1.0, exponents }
    }

    /// To a real power.
    pub fn power(&self, power: f64) -> Self {
        Self {
            coefficient: self.coefficient.powf(power),
            exponents: self.exponents.iter().map(|exponent| exponent * power).collect(),
        }
    }

    /// Its value; variables that are not given are 1.
    pub fn value(&self, at: &[f64]) -> f64 {
        let powers = self.exponents.iter().zip(at).filter(|(exponent, _)| **exponent != 0.0);
        powers.fold(self.coefficient, |value, (&exponent, &x)| match exponent {
            1.0 => value * x,
            -1.0 => value / x,
            _ => value * x.powf(exponent),
        })
    }
}

impl Mul for &Monomial {
    type Output = Monomial;

    fn mul(self, other: &Monomial) -> Monomial {
        let (mut exponents, shorter) = match self.exponents.len() < other.exponents.len() {
            true => (other.exponents.clone(), &self.exponents),
            false => (self.exponents.clone(), &other.exponents),
        };
        exponents.iter_mut().zip(shorter).for_each(|(own, more)| *own += more);
        Monomial { coefficient: self.coefficient * other.coefficient, exponents }
    }
}

/// A sum of monomials; without any it is 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Posynomial {
    terms: Vec<Monomial>,
}

impl Posynomial {
    /// The sum of these; those that are 0 are left out.
    ///
    /// # Panics
    /// If a coefficient is negative or no number.
    pub fn of(terms: impl IntoIterator<Item = Monomial>) -> Self {
        let mut result = Self::default();
        for term in terms {
            assert!(term.coefficient >= 0.0, "posynomials have no negative coefficients");
            if term.coefficient > 0.0 {
                result.push(term);
            }
        }
        result
    }

    /// A number, which is not negative.
    pub fn constant(value: f64) -> Self {
        Self::of([Monomial::constant(value)])
    }

    /// A variable.
    pub fn variable(index: usize) -> Self {
        Monomial::variable(index).into()
    }

    /// Its monomials, no two with the same exponents.
    pub fn terms(&self) -> &[Monomial] {
        &self.terms
    }

    /// It is 0.
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The variables that it may have: those before this number.
    pub fn variables(&self) -> usize {
        self.terms.iter().map(|term| term.exponents.len()).max().unwrap_or(0)
    }

    /// Its value; variables that are not given are 1.
    pub fn value(&self, at: &[f64]) -> f64 {
        self.terms.iter().map(|term| term.value(at)).sum()
    }

    fn push(&mut self, mut term: Monomial) {
        while term.exponents.last() == Some(&0.0) {
            term.exponents.pop();
        }
        match self.terms.iter_mut().find(|own| own.exponents == term.exponents) {
            Some(own) => own.coefficient += term.coefficient,
            None => self.terms.push(term),
        }
    }
}

impl From<Monomial> for Posynomial {
    fn from(term: Monomial) -> Self {
        Self::of([term])
    }
}

impl AddAssign<&Posynomial> for Posynomial {
    fn add_assign(&mut self, other: &Posynomial) {
        other.terms.iter().for_each(|term| self.push(term.clone()));
    }
}

impl Add for Posynomial {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += &other;
        self
    }
}

impl Mul for &Posynomial {
    type Output = Posynomial;

    fn mul(self, other: &Posynomial) -> Posynomial {
        let mut result = Posynomial::default();
        for own in &self.terms {
            other.terms.iter().for_each(|term| result.push(own * term));
        }
        result
    }
}

impl Mul<f64> for &Posynomial {
    type Output = Posynomial;

    fn mul(self, factor: f64) -> Posynomial {
        self * &Posynomial::constant(factor)
    }
}

impl Div<&Monomial> for &Posynomial {
    type Output = Posynomial;

    fn div(self, divisor: &Monomial) -> Posynomial {
        self * &divisor.power(-1.0).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_have_the_products_of_the_terms() {
        let (x, y) = (Posynomial::variable(0), Posynomial::variable(1));
        let square = &(x.clone() + y.clone()) * &(x.clone() + y.clone());
        assert_eq!(square.terms().len(), 3);
        assert_eq!(square.value(&[3.0, 4.0]), 49.0);
        // What cancels is a number again, with the other numbers.
        let quotient = &(square + x) / &Monomial::variable(0);
        assert_eq!(quotient.value(&[2.0, 6.0]), 33.0);
        assert_eq!((&quotient * 0.0), Posynomial::default());
        assert_eq!(Monomial::variable(1).power(0.5).value(&[1.0, 9.0]), 3.0);
    }
}
