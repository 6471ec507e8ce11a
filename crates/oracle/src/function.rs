//! Random piecewise quasi-affine functions that are evaluated without any library.
//!
//! A [`Function`] has one or two pieces, on either side of a hyperplane and further restricted by a
//! [`Model`], so that pieces are disjoint and the function may be partial. The values are affine
//! expressions, some rounded, reduced modulo a number, or divided.

use poly_arith::{Int, Rational};

use crate::case::{Case, Tuple};
use crate::model::{FEW, Kind, Linear, Model};
use crate::random::Random;

/// What is done with an affine expression.
#[derive(Clone, Copy, Debug)]
enum Rounding {
    Plain,
    Floor(i64),
    Remainder(i64),
    Over(i64),
}

/// An expression and what is done with it.
#[derive(Clone, Debug)]
struct Value {
    form: Linear,
    rounding: Rounding,
}

impl Value {
    fn random(r: &mut Random, n: usize, rational: bool) -> Value {
        let form = Linear::random(r, n);
        let d = r.range(2, 5);
        let rounding = match r.range(0, 5) {
            0..=2 => Rounding::Plain,
            3 => Rounding::Floor(d),
            4 => Rounding::Remainder(d),
            _ if rational => Rounding::Over(d),
            _ => Rounding::Floor(d),
        };
        Value { form, rounding }
    }

    fn eval(&self, point: &[i64]) -> Rational {
        let value = self.form.eval(point);
        let whole = |x: i128| Rational::from(Int::from(i64::try_from(x).expect("values are small")));
        match self.rounding {
            Rounding::Plain => whole(value),
            Rounding::Floor(d) => whole(value.div_euclid(d.into())),
            Rounding::Remainder(d) => whole(value.rem_euclid(d.into())),
            Rounding::Over(d) => whole(value) / whole(d.into()),
        }
    }

    fn text(&self, names: &[String]) -> String {
        let form = self.form.text(names);
        match self.rounding {
            Rounding::Plain => format!("({form})"),
            Rounding::Floor(d) => format!("(floor(({form})/{d}))"),
            Rounding::Remainder(d) => format!("(({form}) mod {d})"),
            Rounding::Over(d) => format!("(({form})/{d})"),
        }
    }
}

/// The values in a part of the domain.
#[derive(Clone, Debug)]
struct Piece {
    side: Option<Linear>,
    model: Option<Model>,
    values: Vec<Value>,
}

/// A piecewise function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The shape of the domain.
    pub domain: Tuple,
    /// The name of the tuple of values, possibly empty.
    pub range: &'static str,
    n_out: usize,
    pieces: Vec<Piece>,
}

/// What a function may have.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Number of values.
    pub n_out: usize,
    /// Whether values may be fractions.
    pub rational: bool,
}

impl Function {
    /// A random function.
    pub fn random(r: &mut Random, n_param: usize, domain: &Tuple, form: Form) -> Function {
        let n = n_param + domain.n();
        let piece = |r: &mut Random, side| {
            let kind = Kind { disjuncts: 1, ..FEW };
            let model = r.one_in(3).then(|| Model::random(r, n_param, domain.n(), kind));
            let values = (0..form.n_out).map(|_| Value::random(r, n, form.rational)).collect();
            Piece { side, model, values }
        };
        let pieces = if r.one_in(3) {
            vec![piece(r, None)]
        } else {
            let split = Linear::random(r, n);
            let other = split.complement();
            vec![piece(r, Some(split)), piece(r, Some(other))]
        };
        Function { domain: domain.clone(), range: "", n_out: form.n_out, pieces }
    }

    /// The values at `[parameters, dimensions]`, if there are any.
    pub fn eval(&self, point: &[i64]) -> Option<Vec<Rational>> {
        let inside = |p: &&Piece| {
            let side = p.side.as_ref().is_none_or(|side| side.eval(point) >= 0);
            side && p.model.as_ref().is_none_or(|model| model.holds(point))
        };
        let piece = self.pieces.iter().find(inside)?;
        Some(piece.values.iter().map(|v| v.eval(point)).collect())
    }

    /// The only value.
    pub fn value(&self, point: &[i64]) -> Option<Rational> {
        self.eval(point).map(|mut values| values.remove(0))
    }

    /// The items between the braces.
    pub fn items(&self, case: &Case<'_>) -> String {
        let names = case.names(self.domain.n());
        let domain = self.domain.text(&names[case.n_param()..]);
        let item = |p: &Piece| {
            let values: Vec<String> = p.values.iter().map(|v| v.text(&names)).collect();
            let side = p.side.iter().map(|side| format!("{} >= 0", side.text(&names)));
            let model = p.model.iter().map(|model| format!("({})", model.condition(&names)));
            let conditions: Vec<String> = side.chain(model).collect();
            let colon = if conditions.is_empty() { "" } else { " : " };
            format!("{domain} -> {}[{}]{colon}{}", self.range, values.join(", "), conditions.join(" and "))
        };
        self.pieces.iter().map(item).collect::<Vec<_>>().join("; ")
    }

    /// The text of the function.
    pub fn text(&self, case: &mut Case<'_>) -> String {
        let header = case.header();
        format!("{header}{{ {} }}", self.items(case))
    }

    /// Number of values.
    pub fn n_out(&self) -> usize {
        self.n_out
    }
}
