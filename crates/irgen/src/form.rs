//! Integer expressions and conditions as code generation evaluates them.
//!
//! A [`Form`] is an expression over [`Var`]iables: parameters, loop counters, coordinates of a
//! statement instance. The forms come from the loop bounds of the AST, from access relations, from
//! the run-time condition; they are evaluated in one integer width.
//!
//! # No overflow
//! [`Form::range`] bounds the value of a form *and of every intermediate result* for given ranges
//! of the variables, in the order in which [`Form::emit`] computes them. Emission is only allowed
//! when that range exists and all of it fits the width; then no operation wraps around and every
//! `add`, `sub` and `mul` carries `nsw`. The same ranges decide whether a floor division needs its
//! correction for negative dividends.

use std::collections::BTreeMap;

use poly_arith::Int;
use poly_ast_build::{Cond, Expr};
use poly_presburger::{Aff, BasicMap, Budget, DimKind, Set};

use crate::builder::{Builder, Compare, Op, Value};
use crate::error::CodegenError;
use crate::interval::Interval;

/// What a [`Form`] is a function of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Var {
    /// A parameter of the SCoP.
    Param(usize),
    /// A loop counter of the AST.
    Iter(usize),
    /// A coordinate of the statement instance at hand.
    Coordinate(usize),
}

/// An integer expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Const(i128),
    Var(Var),
    /// The sum, computed from left to right.
    Sum(Vec<Form>),
    Scaled(i128, Box<Form>),
    /// The divisor is positive.
    FloorDiv(Box<Form>, i128),
    /// The divisor is positive; the result is in `0..divisor`.
    Mod(Box<Form>, i128),
    Min(Vec<Form>),
    Max(Vec<Form>),
    /// The form of the first test that holds, else the last form. All of them are computed.
    Cases(Vec<(Test, Form)>, Box<Form>),
}

/// A condition on integer expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    True,
    False,
    All(Vec<Test>),
    Any(Vec<Test>),
    Not(Box<Test>),
    /// The value is at least 0.
    NonNegative(Form),
    /// The value is 0.
    Zero(Form),
}

/// A constant of a model or program does not fit 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooBig;

/// The value of an exact integer, if its size is sane.
pub(crate) fn small(value: &Int) -> Result<i128, TooBig> {
    value.to_i64().map(i128::from).ok_or(TooBig)
}

impl Form {
    /// The form of an AST expression; `param` gives the position of a parameter.
    pub(crate) fn from_expr(expr: &Expr, param: &dyn Fn(&str) -> usize) -> Result<Self, TooBig> {
        let list = |exprs: &[Expr]| exprs.iter().map(|e| Self::from_expr(e, param)).collect::<Result<Vec<_>, _>>();
        let boxed = |e: &Expr| Self::from_expr(e, param).map(Box::new);
        Ok(match expr {
            Expr::Int(value) => Self::Const(small(value)?),
            Expr::Param(id) => Self::Var(Var::Param(param(id.as_str()))),
            Expr::Iter(id) => Self::Var(Var::Iter(id.0)),
            Expr::Add(terms) => Self::Sum(list(terms)?),
            Expr::Mul(factor, inner) => Self::Scaled(small(factor)?, boxed(inner)?),
            Expr::FloorDiv(inner, divisor) => Self::FloorDiv(boxed(inner)?, small(divisor)?),
            Expr::Mod(inner, divisor) => Self::Mod(boxed(inner)?, small(divisor)?),
            Expr::Min(values) => Self::Min(list(values)?),
            Expr::Max(values) => Self::Max(list(values)?),
        })
    }

    /// The linear form `row . [1, columns]`.
    pub(crate) fn from_row<'a>(row: impl IntoIterator<Item = &'a Int>, columns: &[Form]) -> Result<Self, TooBig> {
        let mut terms = Vec::new();
        let mut constant = None;
        for (position, coefficient) in row.into_iter().enumerate() {
            let coefficient = small(coefficient)?;
            match position {
                0 => constant = Some(coefficient),
                _ if coefficient == 0 => {}
                _ if coefficient == 1 => terms.push(columns[position - 1].clone()),
                _ => terms.push(Self::Scaled(coefficient, Box::new(columns[position - 1].clone()))),
            }
        }
        if let Some(constant) = constant.filter(|&c| c != 0 || terms.is_empty()) {
            terms.push(Self::Const(constant));
        }
        Ok(if terms.len() == 1 { terms.remove(0) } else { Self::Sum(terms) })
    }

    /// The form of a quasi-affine function: its parameters and coordinates are given as forms. The
    /// function has integer values, so the division by its denominator is exact.
    pub(crate) fn from_aff(aff: &Aff, param: &dyn Fn(&str) -> usize) -> Result<Self, TooBig> {
        let space = aff.space();
        let mut columns: Vec<Form> = space.params.iter().map(|id| Self::Var(Var::Param(param(id.as_str())))).collect();
        columns.extend((0..space.dim(DimKind::Out)).map(|i| Self::Var(Var::Coordinate(i))));
        for div in aff.divs() {
            let inner = Self::from_row(div.num.iter(), &columns)?;
            columns.push(Self::FloorDiv(Box::new(inner), small(&div.denom)?));
        }
        let numerator = Self::from_row(aff.row().iter(), &columns)?;
        let denominator = small(aff.denom())?;
        Ok(if denominator == 1 { numerator } else { Self::FloorDiv(Box::new(numerator), denominator) })
    }

    /// The same with other numbers of counters: those from 0 on are from `first` on.
    pub(crate) fn with_counters_from(self, first: usize) -> Self {
        let list = |forms: Vec<Self>| forms.into_iter().map(|f| f.with_counters_from(first)).collect();
        let boxed = |form: Box<Self>| Box::new(form.with_counters_from(first));
        match self {
            Self::Var(Var::Iter(number)) => Self::Var(Var::Iter(first + number)),
            Self::Const(_) | Self::Var(_) => self,
            Self::Sum(terms) => Self::Sum(list(terms)),
            Self::Scaled(factor, inner) => Self::Scaled(factor, boxed(inner)),
            Self::FloorDiv(inner, divisor) => Self::FloorDiv(boxed(inner), divisor),
            Self::Mod(inner, divisor) => Self::Mod(boxed(inner), divisor),
            Self::Min(values) => Self::Min(list(values)),
            Self::Max(values) => Self::Max(list(values)),
            Self::Cases(cases, otherwise) => {
                let case =
                    |(test, form): (Test, Self)| (test.with_counters_from(first), form.with_counters_from(first));
                Self::Cases(cases.into_iter().map(case).collect(), boxed(otherwise))
            }
        }
    }

    /// The form with forms in place of coordinates; `None` where a coordinate has none, or is in an
    /// extremum.
    pub(crate) fn at(&self, coordinate: &dyn Fn(usize) -> Option<Self>) -> Option<Self> {
        let boxed = |inner: &Self| inner.at(coordinate).map(Box::new);
        Some(match self {
            Self::Var(Var::Coordinate(d)) => coordinate(*d)?,
            Self::Const(_) | Self::Var(_) => self.clone(),
            Self::Sum(terms) => Self::Sum(terms.iter().map(|term| term.at(coordinate)).collect::<Option<_>>()?),
            Self::Scaled(factor, inner) => Self::Scaled(*factor, boxed(inner)?),
            Self::FloorDiv(inner, divisor) => Self::FloorDiv(boxed(inner)?, *divisor),
            Self::Mod(inner, divisor) => Self::Mod(boxed(inner)?, *divisor),
            Self::Min(_) | Self::Max(_) | Self::Cases(..) => return None,
        })
    }

    /// Whether a variable with the property occurs.
    pub(crate) fn mentions(&self, wanted: &dyn Fn(Var) -> bool) -> bool {
        match self {
            Self::Const(_) => false,
            Self::Var(var) => wanted(*var),
            Self::Scaled(_, inner) | Self::FloorDiv(inner, _) | Self::Mod(inner, _) => inner.mentions(wanted),
            Self::Sum(forms) | Self::Min(forms) | Self::Max(forms) => forms.iter().any(|f| f.mentions(wanted)),
            Self::Cases(cases, otherwise) => {
                otherwise.mentions(wanted)
                    || cases.iter().any(|(test, form)| test.mentions(wanted) || form.mentions(wanted))
            }
        }
    }

    /// Bounds of the value, if every intermediate result fits `bits`.
    pub(crate) fn range(&self, bits: u32, of: &dyn Fn(Var) -> Interval) -> Option<Interval> {
        let result = match self {
            Self::Const(value) => Interval::point(*value),
            Self::Var(var) => of(*var),
            Self::Sum(terms) => {
                let mut sum = Interval::point(0);
                for term in terms {
                    sum = sum.add(term.range(bits, of)?)?;
                    if !sum.fits(bits) {
                        return None;
                    }
                }
                sum
            }
            Self::Scaled(factor, inner) => {
                if !Interval::point(*factor).fits(bits) {
                    return None;
                }
                inner.range(bits, of)?.scale(*factor)?
            }
            Self::FloorDiv(inner, divisor) | Self::Mod(inner, divisor) => {
                let inner = inner.range(bits, of)?;
                let hard = bits > 64 && log2(*divisor).is_none();
                if hard || !Interval::point(*divisor).fits(bits) || !inner.add(Interval::point(-1))?.fits(bits) {
                    return None;
                }
                if matches!(self, Self::Mod(..)) { inner.modulo(*divisor) } else { inner.floor_div(*divisor) }
            }
            Self::Min(values) => fold(values, bits, of, Interval::min)?,
            Self::Max(values) => fold(values, bits, of, Interval::max)?,
            Self::Cases(cases, otherwise) => {
                let mut hull = otherwise.range(bits, of)?;
                for (test, form) in cases {
                    if !test.fits(bits, of) {
                        return None;
                    }
                    hull = hull.hull(form.range(bits, of)?);
                }
                hull
            }
        };
        result.fits(bits).then_some(result)
    }

    /// Writes the code that computes the form.
    pub(crate) fn emit<'c>(&self, env: &mut dyn Evaluation<'c>) -> Value<'c> {
        match self {
            Self::Const(value) => env.int(*value),
            Self::Var(var) => env.value(*var),
            Self::Sum(terms) => {
                let mut terms = terms.iter();
                let first = match terms.next() {
                    Some(first) => first.emit(env),
                    None => env.int(0),
                };
                terms.fold(first, |sum, term| Self::emit_sum(sum, term, env))
            }
            Self::Scaled(factor, inner) => {
                let inner = inner.emit(env);
                env.builder().arithmetic(Op::Mul, inner, env.int(*factor), true)
            }
            Self::FloorDiv(inner, divisor) => {
                let nonnegative = is_nonnegative(inner, env);
                let value = inner.emit(env);
                floor_div(env, value, *divisor, nonnegative)
            }
            Self::Mod(inner, divisor) => {
                let nonnegative = is_nonnegative(inner, env);
                let value = inner.emit(env);
                modulo(env, value, *divisor, nonnegative)
            }
            Self::Min(values) => Self::emit_extremum(values, "llvm.smin", env),
            Self::Max(values) => Self::emit_extremum(values, "llvm.smax", env),
            Self::Cases(cases, otherwise) => {
                let otherwise = otherwise.emit(env);
                cases.iter().rev().fold(otherwise, |rest, (test, form)| {
                    let test = test.emit(env);
                    let value = form.emit(env);
                    env.builder().select(test, value, rest)
                })
            }
        }
    }

    /// `sum + term`, with a subtraction for a negative multiple.
    fn emit_sum<'c>(sum: Value<'c>, term: &Self, env: &mut dyn Evaluation<'c>) -> Value<'c> {
        match term {
            Self::Scaled(factor, inner) if *factor == -1 => {
                let inner = inner.emit(env);
                env.builder().arithmetic(Op::Sub, sum, inner, true)
            }
            _ => {
                let term = term.emit(env);
                env.builder().arithmetic(Op::Add, sum, term, true)
            }
        }
    }

    fn emit_extremum<'c>(values: &[Self], intrinsic: &str, env: &mut dyn Evaluation<'c>) -> Value<'c> {
        let (first, rest) = values.split_first().expect("extrema have at least one value");
        let mut result = first.emit(env);
        for value in rest {
            let value = value.emit(env);
            let ty = env.builder().int_type(env.bits());
            result = env.builder().intrinsic(intrinsic, &[ty], &[result, value]);
        }
        result
    }
}

fn fold(
    values: &[Form],
    bits: u32,
    of: &dyn Fn(Var) -> Interval,
    combine: fn(Interval, Interval) -> Interval,
) -> Option<Interval> {
    let mut ranges = values.iter().map(|v| v.range(bits, of));
    let first = ranges.next()??;
    ranges.try_fold(first, |so_far, range| Some(combine(so_far, range?)))
}

impl Test {
    /// The same with other numbers of counters: those from 0 on are from `first` on.
    pub(crate) fn with_counters_from(self, first: usize) -> Self {
        let list = |tests: Vec<Self>| tests.into_iter().map(|t| t.with_counters_from(first)).collect();
        match self {
            Self::True | Self::False => self,
            Self::All(tests) => Self::All(list(tests)),
            Self::Any(tests) => Self::Any(list(tests)),
            Self::Not(test) => Self::Not(Box::new(test.with_counters_from(first))),
            Self::NonNegative(form) => Self::NonNegative(form.with_counters_from(first)),
            Self::Zero(form) => Self::Zero(form.with_counters_from(first)),
        }
    }

    /// The test of an AST condition.
    pub(crate) fn from_cond(cond: &Cond, param: &dyn Fn(&str) -> usize) -> Result<Self, TooBig> {
        let list = |conds: &[Cond]| conds.iter().map(|c| Self::from_cond(c, param)).collect::<Result<Vec<_>, _>>();
        Ok(match cond {
            Cond::True => Self::True,
            Cond::False => Self::False,
            Cond::And(conds) => Self::All(list(conds)?),
            Cond::Or(conds) => Self::Any(list(conds)?),
            Cond::Not(inner) => Self::Not(Box::new(Self::from_cond(inner, param)?)),
            Cond::NonNegative(expr) => Self::NonNegative(Form::from_expr(expr, param)?),
            Cond::Zero(expr) => Self::Zero(Form::from_expr(expr, param)?),
        })
    }

    /// The test for a point of a set: its parameters and dimensions are parameters and coordinates.
    pub(crate) fn from_set(
        set: &Set,
        param: &dyn Fn(&str) -> usize,
        budget: &mut Budget,
    ) -> Result<Self, CodegenError> {
        let known = set.clone().compute_divs(budget)?;
        let mut alternatives = Vec::new();
        for basic in known.basics() {
            alternatives.push(Self::from_basic(basic, param)?);
        }
        Ok(if alternatives.contains(&Self::True) {
            Self::True
        } else if alternatives.len() == 1 {
            alternatives.remove(0)
        } else {
            Self::Any(alternatives)
        })
    }

    fn from_basic(basic: &BasicMap, param: &dyn Fn(&str) -> usize) -> Result<Self, CodegenError> {
        let space = basic.space();
        let mut columns: Vec<Form> = space.params.iter().map(|id| Form::Var(Var::Param(param(id.as_str())))).collect();
        columns.extend((0..space.dim(DimKind::Out)).map(|i| Form::Var(Var::Coordinate(i))));
        for div in basic.divs() {
            let div = div.as_ref().ok_or(CodegenError::Check { what: "a condition has unknown divisions" })?;
            let inner = Form::from_row(&div.num, &columns)?;
            columns.push(Form::FloorDiv(Box::new(inner), small(&div.denom)?));
        }
        let mut tests = Vec::new();
        for constraint in basic.constraints() {
            let form = Form::from_row(constraint.row, &columns)?;
            tests.push(if constraint.is_equality() { Self::Zero(form) } else { Self::NonNegative(form) });
        }
        Ok(match tests.len() {
            0 => Self::True,
            1 => tests.remove(0),
            _ => Self::All(tests),
        })
    }

    /// Numbers that are not larger than parameters where the test holds, as far as it says so of
    /// one parameter alone.
    pub(crate) fn least_params(&self) -> BTreeMap<usize, i128> {
        match self {
            Self::NonNegative(Form::Sum(terms)) => match terms[..] {
                [Form::Var(Var::Param(p)), Form::Const(c)] => BTreeMap::from([(p, -c)]),
                _ => BTreeMap::new(),
            },
            Self::All(tests) => {
                tests.iter().flat_map(Self::least_params).fold(BTreeMap::new(), |mut all, (p, least)| {
                    all.entry(p).and_modify(|known: &mut i128| *known = least.max(*known)).or_insert(least);
                    all
                })
            }
            Self::Any(tests) => {
                let both = |all: BTreeMap<usize, i128>, other: BTreeMap<usize, i128>| {
                    all.into_iter().filter_map(|(p, least)| Some((p, least.min(*other.get(&p)?)))).collect()
                };
                tests.iter().map(Self::least_params).reduce(both).unwrap_or_default()
            }
            Self::True | Self::False | Self::Not(_) | Self::NonNegative(_) | Self::Zero(_) => BTreeMap::new(),
        }
    }

    /// Whether a variable with the property occurs.
    pub(crate) fn mentions(&self, wanted: &dyn Fn(Var) -> bool) -> bool {
        match self {
            Self::True | Self::False => false,
            Self::All(tests) | Self::Any(tests) => tests.iter().any(|t| t.mentions(wanted)),
            Self::Not(inner) => inner.mentions(wanted),
            Self::NonNegative(form) | Self::Zero(form) => form.mentions(wanted),
        }
    }

    /// Whether every intermediate result fits `bits`.
    pub(crate) fn fits(&self, bits: u32, of: &dyn Fn(Var) -> Interval) -> bool {
        match self {
            Self::True | Self::False => true,
            Self::All(tests) | Self::Any(tests) => tests.iter().all(|t| t.fits(bits, of)),
            Self::Not(inner) => inner.fits(bits, of),
            Self::NonNegative(form) | Self::Zero(form) => form.range(bits, of).is_some(),
        }
    }

    /// Writes the code that evaluates the test, without branches.
    pub(crate) fn emit<'c>(&self, env: &mut dyn Evaluation<'c>) -> Value<'c> {
        match self {
            Self::True => env.builder().bool(true),
            Self::False => env.builder().bool(false),
            Self::All(tests) => Self::emit_list(tests, Op::And, true, env),
            Self::Any(tests) => Self::emit_list(tests, Op::Or, false, env),
            Self::Not(inner) => {
                let inner = inner.emit(env);
                env.builder().not(inner)
            }
            Self::NonNegative(form) => Self::emit_compare(form, Compare::LLVMIntSGE, env),
            Self::Zero(form) => Self::emit_compare(form, Compare::LLVMIntEQ, env),
        }
    }

    fn emit_list<'c>(tests: &[Self], op: Op, neutral: bool, env: &mut dyn Evaluation<'c>) -> Value<'c> {
        let mut result = None;
        for test in tests {
            let value = test.emit(env);
            result = Some(result.map_or(value, |so_far| env.builder().arithmetic(op, so_far, value, false)));
        }
        result.unwrap_or_else(|| env.builder().bool(neutral))
    }

    fn emit_compare<'c>(form: &Form, predicate: Compare, env: &mut dyn Evaluation<'c>) -> Value<'c> {
        let value = form.emit(env);
        env.builder().compare(predicate, value, env.int(0))
    }
}

/// Where forms are evaluated.
pub(crate) trait Evaluation<'c> {
    fn builder(&self) -> &Builder<'c>;

    /// The width.
    fn bits(&self) -> u32;

    /// The value of a variable in that width.
    fn value(&mut self, var: Var) -> Value<'c>;

    /// Its range.
    fn range(&self, var: Var) -> Interval;

    /// A constant of that width.
    fn int(&self, value: i128) -> Value<'c> {
        self.builder().int(self.bits(), value)
    }
}

fn is_nonnegative(form: &Form, env: &dyn Evaluation<'_>) -> bool {
    form.range(env.bits(), &|var| env.range(var)).is_some_and(Interval::is_nonnegative)
}

/// The exponent of a power of two.
fn log2(divisor: i128) -> Option<u32> {
    let divisor = divisor.cast_unsigned();
    divisor.is_power_of_two().then(|| divisor.trailing_zeros())
}

/// `floor(value / divisor)`.
fn floor_div<'c>(env: &dyn Evaluation<'c>, value: Value<'c>, divisor: i128, nonnegative: bool) -> Value<'c> {
    let b = env.builder();
    if let Some(log) = log2(divisor) {
        return b.arithmetic(Op::AShr, value, env.int(i128::from(log)), false);
    }
    let by = env.int(divisor);
    if nonnegative {
        return b.arithmetic(Op::UDiv, value, by, false);
    }
    let quotient = b.arithmetic(Op::SDiv, value, by, false);
    let remainder = b.arithmetic(Op::SRem, value, by, false);
    let is_negative = b.compare(Compare::LLVMIntSLT, remainder, env.int(0));
    let correction = b.int_cast(is_negative, b.int_type(env.bits()), true);
    b.arithmetic(Op::Add, quotient, correction, true)
}

/// `value mod divisor` in `0..divisor`.
fn modulo<'c>(env: &dyn Evaluation<'c>, value: Value<'c>, divisor: i128, nonnegative: bool) -> Value<'c> {
    let b = env.builder();
    let by = env.int(divisor);
    if log2(divisor).is_some() {
        return b.arithmetic(Op::And, value, env.int(divisor - 1), false);
    }
    if nonnegative {
        return b.arithmetic(Op::URem, value, by, false);
    }
    let remainder = b.arithmetic(Op::SRem, value, by, false);
    let is_negative = b.compare(Compare::LLVMIntSLT, remainder, env.int(0));
    let shifted = b.arithmetic(Op::Add, remainder, by, true);
    b.select(is_negative, shifted, remainder)
}
