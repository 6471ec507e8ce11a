//! Functions of parameters in C.

use poly_arith::Int;
use poly_presburger::{Aff, BasicMap, PwAff, Set};

/// The value of a function of parameters with these names.
pub(crate) fn value(function: &PwAff, names: &[String]) -> String {
    let pieces = function.pieces();
    let Some(((_, last), others)) = pieces.split_last() else { return "0".to_owned() };
    others.iter().rev().fold(aff(last, names), |rest, (domain, own)| {
        format!("({} ? {} : {rest})", condition(domain, names), aff(own, names))
    })
}

/// An affine function with integer values.
pub(crate) fn aff(aff: &Aff, names: &[String]) -> String {
    let mut columns = names.to_vec();
    for div in aff.divs() {
        columns.push(format!("floord({}, {})", row(&div.num, &columns), div.denom));
    }
    let numerator = row(aff.row(), &columns);
    if aff.denom().is_one() { numerator } else { format!("floord({numerator}, {})", aff.denom()) }
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

/// Whether a point is in a set.
fn condition(set: &Set, names: &[String]) -> String {
    let parts: Vec<String> = set.basics().iter().map(|basic| conjunction(basic, names)).collect();
    if parts.is_empty() { "0".to_owned() } else { format!("({})", parts.join(" || ")) }
}

fn conjunction(basic: &BasicMap, names: &[String]) -> String {
    let mut columns = names.to_vec();
    for div in basic.divs().iter().flatten() {
        columns.push(format!("floord({}, {})", row(&div.num, &columns), div.denom));
    }
    let zero = basic.eqs().iter().map(|eq| format!("{} == 0", row(eq, &columns)));
    let nonnegative = basic.ineqs().iter().map(|ineq| format!("{} >= 0", row(ineq, &columns)));
    let all: Vec<String> = zero.chain(nonnegative).collect();
    if all.is_empty() { "1".to_owned() } else { all.join(" && ") }
}
