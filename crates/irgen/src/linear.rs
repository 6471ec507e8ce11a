//! Forms as linear combinations.
//!
//! A [`Linear`] is a constant and a list of distinct atoms with coefficients. Atoms are variables,
//! and divisions, minima and the like as a whole. Two forms with equal linear combinations have
//! equal values; the converse does not hold.

use crate::form::{Form, Var};

/// `constant + sum of coefficient * atom`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Linear {
    pub(crate) constant: i128,
    /// Distinct atoms, no coefficient is zero.
    terms: Vec<(Form, i128)>,
}

impl Linear {
    /// The combination of a form; `None` if a coefficient gets out of hand.
    pub(crate) fn of(form: &Form) -> Option<Self> {
        let mut result = Self::default();
        result.add(form, 1)?;
        Some(result)
    }

    /// The combination of a form over coordinates, whose values are given.
    pub(crate) fn of_subscript(form: &Form, coordinates: &[Linear]) -> Option<Self> {
        let mut result = Self::default();
        for (atom, factor) in Self::of(form)?.into_terms(&mut result) {
            match &atom {
                Form::Var(Var::Coordinate(d)) => result.add_linear(coordinates.get(*d)?, factor)?,
                _ if atom.mentions(&|var| matches!(var, Var::Coordinate(_))) => {
                    result.add_atom(&atom.at(&|d| coordinates.get(d).map(Self::form))?, factor)?;
                }
                _ => result.add_atom(&atom, factor)?,
            }
        }
        Some(result)
    }

    /// It as a form.
    fn form(&self) -> Form {
        let scaled = |(atom, factor): &(Form, i128)| match factor {
            1 => atom.clone(),
            _ => Form::Scaled(*factor, Box::new(atom.clone())),
        };
        let mut terms: Vec<Form> = self.terms.iter().map(scaled).collect();
        if self.constant != 0 || terms.is_empty() {
            terms.push(Form::Const(self.constant));
        }
        if terms.len() == 1 { terms.remove(0) } else { Form::Sum(terms) }
    }

    fn into_terms(self, constant_to: &mut Self) -> Vec<(Form, i128)> {
        constant_to.constant = self.constant;
        self.terms
    }

    fn add(&mut self, form: &Form, factor: i128) -> Option<()> {
        match form {
            Form::Const(value) => self.constant = self.constant.checked_add(value.checked_mul(factor)?)?,
            Form::Sum(terms) => terms.iter().try_for_each(|term| self.add(term, factor))?,
            Form::Scaled(by, inner) => self.add(inner, factor.checked_mul(*by)?)?,
            atom => self.add_atom(atom, factor)?,
        }
        Some(())
    }

    fn add_atom(&mut self, atom: &Form, factor: i128) -> Option<()> {
        match self.terms.iter().position(|(known, _)| known == atom) {
            Some(at) => {
                let sum = self.terms[at].1.checked_add(factor)?;
                if sum == 0 {
                    self.terms.remove(at);
                } else {
                    self.terms[at].1 = sum;
                }
            }
            None if factor != 0 => self.terms.push((atom.clone(), factor)),
            None => {}
        }
        Some(())
    }

    fn add_linear(&mut self, other: &Self, factor: i128) -> Option<()> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        other.terms.iter().try_for_each(|(atom, by)| self.add_atom(atom, by.checked_mul(factor)?))
    }

    /// The difference, if it is a constant.
    pub(crate) fn distance(&self, to: &Self) -> Option<i128> {
        let mut difference = to.clone();
        difference.add_linear(self, -1)?;
        difference.terms.is_empty().then_some(difference.constant)
    }

    /// Whether the two never have the same value, each with values of its own for the atoms: what
    /// all coefficients are multiples of, the difference of the constants is no multiple of.
    pub(crate) fn never_equals(&self, other: &Self) -> bool {
        let factors = self.terms.iter().chain(&other.terms).map(|(_, factor)| factor.unsigned_abs());
        let (common, distance) = (factors.fold(0, gcd), self.constant.abs_diff(other.constant));
        if common == 0 { distance != 0 } else { !distance.is_multiple_of(common) }
    }

    /// `x` where this is the remainder `x - divisor * floor(x / divisor)`.
    pub(crate) fn dividend(&self, divisor: i128) -> Option<Self> {
        let is_quotient = |(atom, factor): &(Form, i128)| {
            matches!(atom, Form::FloorDiv(_, by) if *by == divisor) && Some(*factor) == divisor.checked_neg()
        };
        let at = self.terms.iter().position(is_quotient)?;
        let mut rest = self.clone();
        let (Form::FloorDiv(inner, _), _) = rest.terms.remove(at) else { return None };
        (Self::of(&inner)?.distance(&rest)? == 0).then_some(rest)
    }

    /// The coefficient of a loop counter; `None` if it also occurs inside of an atom.
    pub(crate) fn slope(&self, iter: usize) -> Option<i128> {
        let counter = Form::Var(Var::Iter(iter));
        let mut slope = 0;
        for (atom, factor) in &self.terms {
            if *atom == counter {
                slope = *factor;
            } else if atom.mentions(&|var| var == Var::Iter(iter)) {
                return None;
            }
        }
        Some(slope)
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_structures_are_never_the_same_element() {
        let field = |size: i128, field: i128, of: usize| {
            let form = Form::Sum(vec![Form::Scaled(size, Box::new(iter(of))), Form::Const(field)]);
            Linear::of(&form).expect("small numbers")
        };
        assert!(field(7, 3, 0).never_equals(&field(7, 4, 0)));
        assert!(field(7, 3, 0).never_equals(&field(7, 0, 1)));
        assert!(field(4, 1, 0).never_equals(&field(6, 2, 1)));
        assert!(!field(7, 3, 0).never_equals(&field(7, 10, 0)), "a later structure");
        assert!(!field(4, 1, 0).never_equals(&field(6, 3, 1)), "9 = 4 * 2 + 1 = 6 * 1 + 3");
        assert!(!field(7, 3, 0).never_equals(&field(1, 0, 1)));
        let constant = |value| Linear::of(&Form::Const(value)).expect("small numbers");
        assert!(constant(1).never_equals(&constant(2)) && !constant(2).never_equals(&constant(2)));
    }

    fn iter(i: usize) -> Form {
        Form::Var(Var::Iter(i))
    }

    #[test]
    fn remainders_have_dividends() {
        let next = Form::Sum(vec![iter(0), Form::Const(1)]);
        let quotient = |by: i128| Form::FloorDiv(Box::new(next.clone()), by);
        let minus = |factor: i128, by: i128| Form::Scaled(-factor, Box::new(quotient(by)));
        let dividend = |x: &Form, factor: i128, by: i128| {
            Linear::of(&Form::Sum(vec![x.clone(), minus(factor, by)])).and_then(|linear| linear.dividend(16))
        };
        let found = dividend(&next, 16, 16).expect("a remainder");
        assert_eq!(found.distance(&Linear::of(&next).expect("small numbers")), Some(0));
        assert!(dividend(&next, 8, 8).is_none(), "another divisor");
        assert!(dividend(&next, 8, 16).is_none() && dividend(&iter(0), 16, 16).is_none(), "no remainder");
        assert!(Linear::of(&next).expect("small numbers").dividend(16).is_none());
    }

    #[test]
    fn equal_values_have_a_distance() {
        let a = Form::Sum(vec![Form::Scaled(5, Box::new(iter(0))), Form::Const(4)]);
        let b = Form::Scaled(5, Box::new(iter(0)));
        let distance = |a: &Form, b: &Form| Linear::of(a)?.distance(&Linear::of(b)?);
        assert_eq!(distance(&b, &a), Some(4));
        assert_eq!(distance(&iter(1), &a), None);
        let minimum = Form::Min(vec![a.clone(), iter(1)]);
        assert_eq!(distance(&minimum, &minimum.clone()), Some(0));
        assert_eq!(distance(&b, &minimum), None);
    }

    #[test]
    fn subscripts_take_the_values_of_coordinates() {
        let values = [Linear::of(&iter(0)), Linear::of(&Form::Sum(vec![iter(1), Form::Scaled(-1, Box::new(iter(0)))]))];
        let values: Vec<Linear> = values.into_iter().map(|v| v.expect("small numbers")).collect();
        let coordinate = |d| Form::Var(Var::Coordinate(d));
        let sum = Form::Sum(vec![coordinate(0), coordinate(1), Form::Const(7)]);
        let sum = Linear::of_subscript(&sum, &values).expect("small numbers");
        assert_eq!((sum.slope(0), sum.slope(1), sum.constant), (Some(0), Some(1), 7));
        let half = |of: Form| Form::FloorDiv(Box::new(of), 2);
        let row = Linear::of_subscript(&half(coordinate(0)), &values).expect("one atom");
        assert_eq!((row.slope(0), row.slope(1)), (None, Some(0)));
        assert_eq!(row.distance(&Linear::of(&half(iter(0))).expect("one atom")), Some(0));
        let other = Linear::of_subscript(&half(coordinate(1)), &values).expect("one atom");
        assert_eq!((other.slope(1), row.distance(&other)), (None, None));
        assert!(Linear::of_subscript(&Form::Min(vec![coordinate(0), coordinate(1)]), &values).is_none());
        assert_eq!(Linear::of(&Form::FloorDiv(Box::new(iter(0)), 2)).expect("one atom").slope(0), None);
    }
}
