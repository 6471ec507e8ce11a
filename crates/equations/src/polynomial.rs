//! Quasi-polynomials as expressions of the language.

use poly_arith::Int;
use poly_counting::QuasiPolynomial;
use poly_presburger::{Aff, Space};

use crate::program::{Binary, Expr, ExprKind};

/// A factor of a term: its aff, and how often it is multiplied.
type Factors = Vec<(Aff, u32)>;

/// The value of a quasi-polynomial that is an integer at all points where it is needed: the
/// numerator over a common denominator, divided by it.
pub(crate) fn expression(function: &QuasiPolynomial, scope: &Space, span: &crate::Span) -> Option<Expr> {
    let terms = terms(function, scope)?;
    let denom = terms.iter().fold(Int::ONE, |all, (_, denom, _)| all.lcm(denom));
    let integer = |value: i64| Expr::new(ExprKind::Int(value), span);
    let binary = |operator, a, b| Expr::new(ExprKind::Binary(operator, Box::new(a), Box::new(b)), span);
    let mut sum: Option<Expr> = None;
    for (num, own, factors) in terms {
        let scaled = (&num * &denom.div_exact(&own)).to_i64()?;
        let mut product: Option<Expr> = None;
        for (aff, power) in factors {
            for _ in 0..power {
                let index = Expr::new(ExprKind::Index(aff.clone()), span);
                product = Some(match product {
                    None => index,
                    Some(product) => binary(Binary::Mul, product, index),
                });
            }
        }
        let term = match product {
            None => integer(scaled),
            Some(product) if scaled == 1 => product,
            Some(product) => binary(Binary::Mul, integer(scaled), product),
        };
        sum = Some(match sum {
            None => term,
            Some(sum) => binary(Binary::Add, sum, term),
        });
    }
    let sum = sum.unwrap_or_else(|| integer(0));
    Some(if denom.is_one() { sum } else { binary(Binary::Div, sum, integer(denom.to_i64()?)) })
}

/// Coefficients and factors, read off the text of the function.
fn terms(function: &QuasiPolynomial, scope: &Space) -> Option<Vec<(Int, Int, Factors)>> {
    let own = function.space().clone();
    let names = own.variable_names();
    let text = function.to_string();
    let inner = text.split_once('{')?.1.rsplit_once('}')?.0.trim().to_owned();
    let inner = inner.rsplit_once("] -> ").map_or(inner.clone(), |(_, value)| value.to_owned());
    let params = own.params.len();
    let header = format!("[{}] -> {{ [{}] -> [", names[..params].join(", "), names[params..].join(", "));
    let mut all = Vec::new();
    for (negative, term) in split(&inner) {
        let (mut num, mut denom, mut factors) = (Int::ONE, Int::ONE, Vec::new());
        for factor in product(&term) {
            if let Some((a, b)) = fraction(&factor) {
                num = &num * &a;
                denom = &denom * &b;
                continue;
            }
            let (base, power) = power(&factor);
            let aff: Aff = format!("{header}{base}] }}").parse().ok()?;
            let to_scope = poly_presburger::MultiAff::identity(scope);
            factors.push((aff.align_params(scope).pullback(&to_scope), power));
        }
        all.push((if negative { -&num } else { num }, denom, factors));
    }
    Some(all)
}

/// Terms between signs outside of parentheses.
fn split(text: &str) -> Vec<(bool, String)> {
    let (mut depth, mut all, mut current, mut negative) = (0, Vec::new(), String::new(), false);
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '+' | '-' if depth == 0 => {
                if !current.trim().is_empty() {
                    all.push((negative, current.trim().to_owned()));
                }
                current.clear();
                negative = c == '-';
                continue;
            }
            _ => {}
        }
        current.push(c);
    }
    if !current.trim().is_empty() {
        all.push((negative, current.trim().to_owned()));
    }
    all
}

/// Factors between `*` outside of parentheses.
fn product(term: &str) -> Vec<String> {
    let (mut depth, mut all) = (0, vec![String::new()]);
    for c in term.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '*' if depth == 0 => {
                all.push(String::new());
                continue;
            }
            _ => {}
        }
        all.last_mut().expect("there is one").push(c);
    }
    all.into_iter().map(|factor| factor.trim().to_owned()).collect()
}

fn fraction(text: &str) -> Option<(Int, Int)> {
    let (a, b) = text.split_once('/').unwrap_or((text, "1"));
    Some((a.trim().parse::<i64>().ok()?.into(), b.trim().parse::<i64>().ok()?.into()))
}

/// `x^2` as `x` and 2.
fn power(text: &str) -> (String, u32) {
    match text.rsplit_once('^') {
        Some((base, exponent)) if !exponent.contains(')') => (base.to_owned(), exponent.trim().parse().unwrap_or(1)),
        _ => (text.to_owned(), 1),
    }
}

#[cfg(test)]
mod tests {
    use poly_counting::{Card, Cardinality};
    use poly_presburger::{Budget, Set};

    use super::*;
    use crate::tests::system;

    /// Numbers of points as expressions have the values of the functions.
    #[test]
    fn expressions_of_numbers_of_points() {
        let budget = &mut Budget::unlimited();
        for text in [
            "[N, M] -> { [i, j] : 0 <= i <= N and i <= j <= M and N >= 0 and M >= N }",
            "[N, M] -> { [i, j] : 0 <= 2i <= N and 0 <= 3j <= M + i and N, M >= 1 }",
        ] {
            let set: Set = text.parse().unwrap();
            let Cardinality::Parametric(number) = set.card(budget).unwrap() else { panic!("there are parameters") };
            let shown = system("system s[N, M] { out i64 X : { [] }; X = 1; }");
            let scope = shown.scope(&[]);
            for (_, piece) in number.pieces() {
                let expr = expression(piece, &scope, &(0..0)).expect("it is small");
                let mut whole = shown.clone();
                whole.equations[0].body = expr;
                for (n, m) in [(3, 5), (4, 9), (7, 7)] {
                    let expected = piece.eval(&[Int::from(n), Int::from(m)]).to_int().and_then(|v| v.to_i64());
                    let values = crate::interpret::tests::run(&whole, &[n, m], &crate::Tables::new()).unwrap();
                    assert_eq!(expected.map(crate::Value::Int), values["X"].values().next().copied(), "{text}");
                }
            }
        }
    }
}
