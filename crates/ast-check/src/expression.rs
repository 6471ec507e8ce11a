//! Expressions, conditions and ranges of loops of a program as functions and sets.
//!
//! # Definitions
//! A *scope* gives the counters of loops values over a space: each counter is a dimension when sets
//! of counters are computed, and a function of the instance when coverage is. A *form* is the value
//! of an expression: quasi-affine functions under minima and maxima. Sums and products with
//! constants are moved inside, so that a comparison of a form with zero is a conjunction for a
//! minimum and a disjunction for a maximum, exactly. What is not of that form (the remainder of a
//! minimum) is not judged.

use std::sync::Arc;

use poly_arith::Int;
use poly_ast_build::{Cond, Expr, For, IterId};
use poly_presburger::{Aff, DimKind, Set, Space};

use crate::{Error, Reason};

/// Functions under minima and maxima.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    Value(Aff),
    Least(Vec<Form>),
    Greatest(Vec<Form>),
}

/// The values of the counters around a place, over a space.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    pub(crate) space: Arc<Space>,
    /// By [`IterId`].
    values: Vec<Option<Aff>>,
}

/// Which side of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Holds,
    Fails,
}

impl Side {
    fn other(self) -> Side {
        match self {
            Side::Holds => Side::Fails,
            Side::Fails => Side::Holds,
        }
    }
}

impl Scope {
    pub(crate) fn new(space: Arc<Space>, counters: usize) -> Scope {
        Scope { space, values: vec![None; counters] }
    }

    /// The scope inside of a loop.
    pub(crate) fn with(&self, counter: IterId, value: Aff) -> Scope {
        let mut inner = self.clone();
        inner.values[counter.0] = Some(value);
        inner
    }

    /// The value of an expression without minima and maxima.
    pub(crate) fn value(&self, expr: &Expr) -> Result<Aff, Error> {
        match self.form(expr)? {
            Form::Value(value) => Ok(value),
            Form::Least(_) | Form::Greatest(_) => Err(Error::NotJudged(Reason::Extremum)),
        }
    }

    /// The value of an expression. Recursion is bounded by the height of the expression.
    pub(crate) fn form(&self, expr: &Expr) -> Result<Form, Error> {
        let all = |parts: &[Expr]| -> Result<Vec<Form>, Error> { parts.iter().map(|e| self.form(e)).collect() };
        Ok(match expr {
            Expr::Int(value) => Form::Value(Aff::constant(Arc::clone(&self.space), value.clone())),
            Expr::Param(id) => {
                let at = self.space.find_param(id.as_str()).ok_or(Error::NotJudged(Reason::Unknown))?;
                Form::Value(Aff::var(Arc::clone(&self.space), DimKind::Param, at))
            }
            Expr::Iter(id) => Form::Value(self.values[id.0].clone().ok_or(Error::NotJudged(Reason::Unknown))?),
            Expr::Add(terms) => {
                let mut terms = all(terms)?.into_iter();
                let first = terms.next().unwrap_or_else(|| Form::Value(Aff::zero(Arc::clone(&self.space))));
                terms.fold(first, |sum, term| sum.plus(&term))
            }
            Expr::Mul(factor, inner) => self.form(inner)?.times(factor),
            Expr::FloorDiv(inner, divisor) => self.form(inner)?.monotone(&|value| value.floor_div(divisor.clone())),
            Expr::Mod(inner, divisor) => Form::Value(self.value(inner)?.mod_val(divisor.clone())),
            Expr::Min(parts) => Form::Least(all(parts)?),
            Expr::Max(parts) => Form::Greatest(all(parts)?),
        })
    }

    /// The points where a condition holds.
    pub(crate) fn holds(&self, condition: &Cond) -> Result<Set, Error> {
        self.side(condition, Side::Holds)
    }

    /// The points where a condition does not hold.
    pub(crate) fn fails(&self, condition: &Cond) -> Result<Set, Error> {
        self.side(condition, Side::Fails)
    }

    fn side(&self, condition: &Cond, side: Side) -> Result<Set, Error> {
        let parts = |conditions: &[Cond], union: bool| -> Result<Set, Error> {
            let mut result = if union { self.nothing() } else { self.everything() };
            for part in conditions {
                let part = self.side(part, side)?;
                result = if union { result.union(&part) } else { result.intersect(&part) };
            }
            Ok(result)
        };
        Ok(match (condition, side) {
            (Cond::True, Side::Holds) | (Cond::False, Side::Fails) => self.everything(),
            (Cond::True, Side::Fails) | (Cond::False, Side::Holds) => self.nothing(),
            (Cond::And(all), side) => parts(all, side == Side::Fails)?,
            (Cond::Or(any), side) => parts(any, side == Side::Holds)?,
            (Cond::Not(inner), side) => self.side(inner, side.other())?,
            (Cond::NonNegative(expr), Side::Holds) => self.form(expr)?.nonnegative(),
            (Cond::NonNegative(expr), Side::Fails) => self.form(expr)?.negative(),
            (Cond::Zero(expr), side) => match (self.form(expr)?, side) {
                (Form::Value(value), Side::Holds) => Set::from_basic(value.zero_basic_set()),
                (form, Side::Holds) => form.nonnegative().intersect(&form.times(&Int::NEG_ONE).nonnegative()),
                (form, Side::Fails) => form.negative().union(&form.times(&Int::NEG_ONE).negative()),
            },
        })
    }

    fn everything(&self) -> Set {
        Set::universe(Arc::clone(&self.space))
    }

    fn nothing(&self) -> Set {
        Set::empty(Arc::clone(&self.space))
    }

    /// The points at which a loop runs for a value of its counter; with a grid, as if all values
    /// were on it.
    pub(crate) fn inside(&self, of: &For, counter: &Aff) -> Result<Set, Error> {
        let lower = self.form(&of.lower)?;
        let mut set = lower.times(&Int::NEG_ONE).plus_value(counter).nonnegative();
        if let Some(upper) = &of.upper {
            set = set.intersect(&self.form(upper)?.plus_value(&counter.neg()).nonnegative());
        }
        if of.step.is_one() {
            return Ok(set);
        }
        let on_stride = |start: &Aff| counter.sub(start).mod_val(of.step.clone()).zero_basic_set();
        Ok(set.intersect(&self.by_start(&lower, on_stride)))
    }

    /// The points at which a loop does not run for a value of its counter.
    pub(crate) fn outside(&self, of: &For, counter: &Aff) -> Result<Set, Error> {
        let lower = self.form(&of.lower)?;
        let mut set = lower.times(&Int::NEG_ONE).plus_value(counter).negative();
        if let Some(upper) = &of.upper {
            set = set.union(&self.form(upper)?.plus_value(&counter.neg()).negative());
        }
        if of.step.is_one() {
            return Ok(set);
        }
        let between = |start: &Aff| counter.sub(start).mod_val(of.step.clone()).add_constant(-1).nonneg_basic_set();
        Ok(set.union(&self.by_start(&lower, between)))
    }

    /// A set that depends on where a loop starts.
    fn by_start(&self, lower: &Form, of: impl Fn(&Aff) -> poly_presburger::BasicSet) -> Set {
        let mut result = self.nothing();
        for (region, start) in lower.pieces(&self.everything()) {
            result = result.union(&region.intersect(&Set::from_basic(of(&start))));
        }
        result
    }
}

impl Form {
    /// The form with a function that does not decrease applied to its values.
    fn monotone(self, f: &dyn Fn(&Aff) -> Aff) -> Form {
        match self {
            Form::Value(value) => Form::Value(f(&value)),
            Form::Least(parts) => Form::Least(parts.into_iter().map(|part| part.monotone(f)).collect()),
            Form::Greatest(parts) => Form::Greatest(parts.into_iter().map(|part| part.monotone(f)).collect()),
        }
    }

    pub(crate) fn times(&self, factor: &Int) -> Form {
        if !factor.is_neg() {
            return self.clone().monotone(&|value| value.scale(factor.clone()));
        }
        match self {
            Form::Value(value) => Form::Value(value.scale(factor.clone())),
            Form::Least(parts) => Form::Greatest(parts.iter().map(|part| part.times(factor)).collect()),
            Form::Greatest(parts) => Form::Least(parts.iter().map(|part| part.times(factor)).collect()),
        }
    }

    fn plus_value(&self, other: &Aff) -> Form {
        self.clone().monotone(&|value| value.add(other))
    }

    fn plus(&self, other: &Form) -> Form {
        match other {
            Form::Value(value) => self.plus_value(value),
            Form::Least(parts) => Form::Least(parts.iter().map(|part| self.plus(part)).collect()),
            Form::Greatest(parts) => Form::Greatest(parts.iter().map(|part| self.plus(part)).collect()),
        }
    }

    /// The points where the value is at least 0.
    fn nonnegative(&self) -> Set {
        match self {
            Form::Value(value) => Set::from_basic(value.nonneg_basic_set()),
            Form::Least(parts) => combined(parts, Form::nonnegative, Set::intersect),
            Form::Greatest(parts) => combined(parts, Form::nonnegative, Set::union),
        }
    }

    /// The points where the value is below 0.
    fn negative(&self) -> Set {
        match self {
            Form::Value(value) => Set::from_basic(value.neg().add_constant(-1).nonneg_basic_set()),
            Form::Least(parts) => combined(parts, Form::negative, Set::union),
            Form::Greatest(parts) => combined(parts, Form::negative, Set::intersect),
        }
    }

    /// Regions that cover the space, with the function that the value is in each.
    fn pieces(&self, everything: &Set) -> Vec<(Set, Aff)> {
        let (parts, sign) = match self {
            Form::Value(value) => return vec![(everything.clone(), value.clone())],
            Form::Least(parts) => (parts, Int::ONE),
            Form::Greatest(parts) => (parts, Int::NEG_ONE),
        };
        let mut result = Vec::new();
        for (i, part) in parts.iter().enumerate() {
            for (mut region, value) in part.pieces(everything) {
                for (_, other) in parts.iter().enumerate().filter(|(j, _)| *j != i) {
                    region = region.intersect(&other.plus_value(&value.neg()).times(&sign).nonnegative());
                }
                result.push((region, value));
            }
        }
        result
    }
}

fn combined(parts: &[Form], set: fn(&Form) -> Set, combine: fn(&Set, &Set) -> Set) -> Set {
    let (first, rest) = parts.split_first().expect("an extremum has operands");
    rest.iter().fold(set(first), |all, part| combine(&all, &set(part)))
}
