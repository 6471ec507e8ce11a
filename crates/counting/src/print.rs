//! Printing in the syntax of isl and barvinok.
//!
//! `[n] -> { 1/2 * n + 1/2 * n^2 : n > 0 }`, over a tuple `[n] -> { S[i] -> n - i : 0 <= i < n }`.
//! Terms are printed by increasing degree, the zero function without pieces as `{ 0 }`.

use std::fmt;

use poly_arith::{Int, Rational};
use poly_presburger::{Id, Set, Space, affine_text};

use crate::piecewise::PwQuasiPolynomial;
use crate::polynomial::Monomial;
use crate::quasi::QuasiPolynomial;

/// The texts of all columns of a quasi-polynomial after the constant.
fn column_texts(function: &QuasiPolynomial) -> Vec<String> {
    let mut texts = function.space.variable_names();
    for floor in function.floors.list() {
        let text = format!("floor(({})/{})", affine_text(&floor.num, &texts), floor.denom);
        texts.push(text);
    }
    texts
}

fn monomial_text(monomial: &Monomial, texts: &[String]) -> String {
    let factor = |&(var, exponent): &(usize, u32)| match exponent {
        1 => texts[var].clone(),
        _ => format!("{}^{exponent}", texts[var]),
    };
    monomial.factors().iter().map(factor).collect::<Vec<String>>().join(" * ")
}

/// The expression, `0` for the zero function.
pub(crate) fn expression(function: &QuasiPolynomial) -> String {
    let texts = column_texts(function);
    let mut terms: Vec<(&Monomial, &Rational)> = function.polynomial.terms().collect();
    terms.sort_by_key(|(monomial, _)| (monomial.degree(), *monomial));
    let mut text = String::new();
    for (monomial, value) in terms {
        text.push_str(match (text.is_empty(), value.is_neg()) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        });
        let (value, factors) = (value.abs(), monomial_text(monomial, &texts));
        text.push_str(&match (factors.is_empty(), value == Rational::from(Int::ONE)) {
            (true, _) => value.to_string(),
            (false, true) => factors,
            (false, false) => format!("{value} * {factors}"),
        });
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

fn write_params(f: &mut fmt::Formatter<'_>, space: &Space) -> fmt::Result {
    if space.params.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = space.params.iter().map(Id::as_str).collect();
    write!(f, "[{}] -> ", names.join(", "))
}

/// `S[i] -> `, or nothing for a parameter space.
fn head(space: &Space) -> String {
    let tuple = space.tuples_text();
    if tuple.is_empty() { tuple } else { format!("{tuple} -> ") }
}

impl fmt::Display for QuasiPolynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_params(f, &self.space)?;
        write!(f, "{{ {}{} }}", head(&self.space), expression(self))
    }
}

impl fmt::Debug for QuasiPolynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Writes pieces: their domains, and what is said of them.
pub(crate) fn write_pieces<'a>(
    f: &mut fmt::Formatter<'_>,
    space: &Space,
    pieces: impl Iterator<Item = (&'a Set, String)>,
) -> fmt::Result {
    write_params(f, space)?;
    let head = head(space);
    let item = |(domain, text): (&Set, String)| {
        let condition = domain.condition_text();
        let separator = if condition.is_empty() { "" } else { " : " };
        format!("{head}{text}{separator}{condition}")
    };
    let items: Vec<String> = pieces.map(item).collect();
    write!(f, "{{ {} }}", if items.is_empty() { format!("{head}0") } else { items.join("; ") })
}

impl fmt::Display for PwQuasiPolynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts = self.pieces().iter().map(|(domain, function)| (domain, expression(function)));
        write_pieces(f, self.space(), texts)
    }
}

impl fmt::Debug for PwQuasiPolynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
