//! Functions of parameters in C and Python.

use poly_arith::Int;
use poly_presburger::{Aff, BasicMap, PwAff, Set};

/// Whose expressions are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// With the functions that the code has at its beginning.
    C,
    /// Of unbounded integers.
    Python,
}

/// The value of a function of parameters with these names, in C.
pub(crate) fn value(function: &PwAff, names: &[String]) -> String {
    Language::C.value(function, names)
}

impl Language {
    /// The value of a function of parameters with these names.
    pub(crate) fn value(self, function: &PwAff, names: &[String]) -> String {
        let pieces = function.pieces();
        let Some(((_, last), others)) = pieces.split_last() else { return "0".to_owned() };
        others.iter().rev().fold(self.aff(last, names), |rest, (domain, own)| {
            let (condition, own) = (self.condition(domain, names), self.aff(own, names));
            match self {
                Self::C => format!("({condition} ? {own} : {rest})"),
                Self::Python => format!("({own} if {condition} else {rest})"),
            }
        })
    }

    fn quotient(self, numerator: &str, denominator: &Int) -> String {
        match self {
            Self::C => format!("floord({numerator}, {denominator})"),
            Self::Python => format!("(({numerator}) // {denominator})"),
        }
    }

    fn columns(self, names: &[String], divs: impl Iterator<Item = (Vec<Int>, Int)>) -> Vec<String> {
        let mut columns = names.to_vec();
        for (numerator, denominator) in divs {
            columns.push(self.quotient(&row(&numerator, &columns), &denominator));
        }
        columns
    }

    /// An affine function with integer values.
    fn aff(self, aff: &Aff, names: &[String]) -> String {
        let columns = self.columns(names, aff.divs().iter().map(|div| (div.num.clone(), div.denom.clone())));
        let numerator = row(aff.row(), &columns);
        if aff.denom().is_one() { numerator } else { self.quotient(&numerator, aff.denom()) }
    }

    /// Whether a point is in a set.
    pub(crate) fn condition(self, set: &Set, names: &[String]) -> String {
        let parts: Vec<String> = set.basics().iter().map(|basic| self.conjunction(basic, names)).collect();
        match (self, parts.is_empty()) {
            (Self::C, true) => "0".to_owned(),
            (Self::Python, true) => "False".to_owned(),
            (Self::C, false) => format!("({})", parts.join(" || ")),
            (Self::Python, false) => format!("({})", parts.join(" or ")),
        }
    }

    fn conjunction(self, basic: &BasicMap, names: &[String]) -> String {
        let divs = basic.divs().iter().flatten();
        let columns = self.columns(names, divs.map(|div| (div.num.clone(), div.denom.clone())));
        let zero = basic.eqs().iter().map(|eq| format!("{} == 0", row(eq, &columns)));
        let nonnegative = basic.ineqs().iter().map(|ineq| format!("{} >= 0", row(ineq, &columns)));
        let all: Vec<String> = zero.chain(nonnegative).collect();
        match (self, all.is_empty()) {
            (Self::C, true) => "1".to_owned(),
            (Self::Python, true) => "True".to_owned(),
            (Self::C, false) => all.join(" && "),
            (Self::Python, false) => all.join(" and "),
        }
    }
}

/// `[constant | columns]` as a sum.
fn row(row: &[Int], columns: &[String]) -> String {
    let mut text = String::new();
    for (factor, name) in row[1..].iter().zip(columns).filter(|(factor, _)| !factor.is_zero()) {
        let sign = match (text.is_empty(), factor.is_neg()) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        let size = factor.abs();
        text.push_str(sign);
        text.push_str(&if size.is_one() { name.clone() } else { format!("{size} * {name}") });
    }
    let constant = &row[0];
    if text.is_empty() {
        return constant.to_string();
    }
    if constant.is_neg() {
        text.push_str(&format!(" - {}", constant.abs()));
    } else if !constant.is_zero() {
        text.push_str(&format!(" + {constant}"));
    }
    text
}
