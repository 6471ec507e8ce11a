//! What is known about the parameters on a branch.
//!
//! A [`Context`] is a system over the parameters and the divs introduced so far, with at least one
//! integer point. It answers which signs an affine form takes on its integer points. Most questions
//! are answered by evaluating the form at *witnesses*, integer points found earlier; the others by
//! integer sampling, in coordinates that are found once for the context. Forms proved nonnegative
//! are remembered, as they stay so on sub-branches.

use std::collections::BTreeSet;

use poly_arith::Int;
use poly_linalg::vector;

use crate::budget::{Budget, Stop};
use crate::row;
use crate::solver::sample::{Coordinates, sample_within};
use crate::solver::{System, eval};

/// The signs that an affine form takes on the integer points of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// It is never negative.
    Nonnegative,
    /// It is always negative.
    Negative,
    /// It takes negative and nonnegative values.
    Any,
}

/// An integer division `floor(numerator / denominator)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Div {
    pub(super) denominator: Int,
    /// A row over `[1, params, earlier divs]`.
    pub(super) numerator: Vec<Int>,
}

impl Div {
    fn value(&self, point: &[Int]) -> Int {
        eval(&self.numerator, &point[..self.numerator.len() - 1]).div_floor(&self.denominator)
    }

    /// The constraints `0 <= numerator - denominator * div < denominator`, where the div is the
    /// variable after those of the numerator.
    pub(super) fn bounds(&self) -> [Vec<Int>; 2] {
        let mut lower = self.numerator.clone();
        lower.push(-&self.denominator);
        let mut upper: Vec<Int> = lower.iter().map(|value| -value).collect();
        upper[0] += &self.denominator - 1;
        [lower, upper]
    }
}

#[derive(Clone, Debug)]
pub(super) struct Context {
    system: System,
    np: usize,
    pub(super) divs: Vec<Div>,
    /// Integer points of the system, at least one.
    witnesses: Vec<Vec<Int>>,
    /// Forms known to be nonnegative; shorter ones were found before the last divs were added.
    nonnegative: BTreeSet<Vec<Int>>,
    /// Coordinates in which this context, or one of which it is a part, is round.
    coordinates: Coordinates,
}

impl Context {
    /// The context of a system over the parameters with a known integer point.
    pub(super) fn new(system: &System, witness: Vec<Int>) -> Context {
        debug_assert!(system.contains(&witness), "the witness is in the context");
        let np = system.n;
        Context {
            system: system.clone(),
            np,
            divs: Vec::new(),
            witnesses: vec![witness],
            nonnegative: BTreeSet::new(),
            coordinates: Coordinates::default(),
        }
    }

    /// The system over the parameters and divs.
    pub(super) fn system(&self) -> &System {
        &self.system
    }

    /// The signs of the form `[c, params, divs]` on the integer points of the context.
    pub(super) fn sign(&mut self, form: &[Int], budget: &mut Budget) -> Result<Sign, Stop> {
        debug_assert_eq!(form.len(), self.system.n + 1, "a form over parameters and divs");
        if vector::is_zero(&form[1..]) {
            return Ok(if form[0].is_neg() { Sign::Negative } else { Sign::Nonnegative });
        }
        let form = tighten(form);
        let key = &form[..form.iter().rposition(|value| !value.is_zero()).map_or(1, |i| i + 1)];
        if self.nonnegative.contains(key) {
            return Ok(Sign::Nonnegative);
        }
        if let Some(sign) = self.plain_sign(&form) {
            return Ok(sign);
        }
        budget.spend(1)?;
        let negative_at = |point: &Vec<Int>| eval(&form, point).is_neg();
        let below = self.witnesses.iter().any(negative_at);
        let above = self.witnesses.iter().any(|point| !negative_at(point));
        if !below && !self.search(&negation(&form), budget)? {
            self.nonnegative.insert(key.to_vec());
            return Ok(Sign::Nonnegative);
        }
        if !above && !self.search(&form, budget)? {
            return Ok(Sign::Negative);
        }
        Ok(Sign::Any)
    }

    /// The sign of a form that a single inequality of the context with the same or the opposite
    /// coefficients shows.
    fn plain_sign(&self, form: &[Int]) -> Option<Sign> {
        for row in &self.system.ineqs {
            if row[0] <= form[0] && row[1..] == form[1..] {
                return Some(Sign::Nonnegative);
            }
            if row::opposite(row, form).is_some_and(|room| room.is_neg()) {
                return Some(Sign::Negative);
            }
        }
        None
    }

    /// Looks for an integer point where a form is nonnegative, and keeps it as a witness.
    fn search(&mut self, form: &[Int], budget: &mut Budget) -> Result<bool, Stop> {
        let mut restricted = self.system.clone();
        restricted.add_ineq(form.to_vec());
        let point = sample_within(&self.system, &mut self.coordinates, &restricted, budget)?;
        let found = point.is_some();
        self.witnesses.extend(point);
        Ok(found)
    }

    /// Is `other` nonnegative at all witnesses where `form` is?
    pub(super) fn may_imply(&self, form: &[Int], other: &[Int]) -> bool {
        self.witnesses.iter().all(|point| eval(form, point).is_neg() || !eval(other, point).is_neg())
    }

    /// Restricts the context to where a form is nonnegative, which must leave a witness.
    pub(super) fn restrict(&mut self, form: &[Int]) {
        let form = tighten(form);
        self.witnesses.retain(|point| !eval(&form, point).is_neg());
        assert!(!self.witnesses.is_empty(), "a context has an integer point");
        self.system.add_ineq(form);
    }

    /// The number, among the divs, of `floor(numerator / denominator)`, which is added if it is
    /// not there. The numerator is over `[1, params, divs]`.
    pub(super) fn div(&mut self, denominator: &Int, numerator: &[Int]) -> usize {
        let div = self.normalized_div(denominator, numerator);
        if let Some(index) = self.divs.iter().position(|other| *other == div) {
            return index;
        }
        for witness in &mut self.witnesses {
            witness.push(div.value(witness));
        }
        self.coordinates = Coordinates::default();
        self.system.n += 1;
        for row in self.system.eqs.iter_mut().chain(&mut self.system.ineqs) {
            row.push(Int::ZERO);
        }
        let padded = Div { numerator: resized(&div.numerator, self.system.n), denominator: div.denominator.clone() };
        self.system.ineqs.extend(padded.bounds());
        self.divs.push(div);
        self.divs.len() - 1
    }

    /// Divides numerator and denominator by their common factor and drops trailing zeros of the
    /// numerator.
    fn normalized_div(&self, denominator: &Int, numerator: &[Int]) -> Div {
        let gcd = vector::gcd(&numerator[1..]).gcd(denominator);
        let mut numerator: Vec<Int> = numerator.to_vec();
        numerator[0] = numerator[0].div_floor(&gcd);
        numerator[1..].iter_mut().for_each(|value| *value = value.div_exact(&gcd));
        let used = numerator.iter().rposition(|value| !value.is_zero()).map_or(0, |i| i + 1);
        numerator.truncate(used.max(1 + self.np));
        Div { denominator: denominator.div_exact(&gcd), numerator }
    }
}

/// A row lengthened or shortened to `len` elements.
pub(super) fn resized(row: &[Int], len: usize) -> Vec<Int> {
    let mut row = row.to_vec();
    row.resize(len, Int::ZERO);
    row
}

/// The form that is nonnegative exactly where `form` is negative, on integer points.
pub(super) fn negation(form: &[Int]) -> Vec<Int> {
    let mut result: Vec<Int> = form.iter().map(|value| -value).collect();
    result[0] -= Int::ONE;
    result
}

/// A form with the same sign on integer points and smaller coefficients.
fn tighten(form: &[Int]) -> Vec<Int> {
    let gcd = vector::gcd(&form[1..]);
    let mut form = form.to_vec();
    if !gcd.is_zero() && !gcd.is_one() {
        form[0] = form[0].div_floor(&gcd);
        form[1..].iter_mut().for_each(|value| *value = value.div_exact(&gcd));
    }
    form
}
