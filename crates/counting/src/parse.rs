//! Reading piecewise quasi-polynomials, in the syntax in which they are printed and in isl's.
//!
//! ```text
//! text   = [ "[" params "] ->" ] "{" [ item { ";" item } ] "}"
//! item   = [ tuple "->" ] sum [ ":" condition ]
//! sum    = [ "-" ] term { ( "+" | "-" ) term }
//! term   = power { ( "*" | "/" | nothing ) power }
//! power  = ( number | name | "floor(" sum ")" | "(" sum ")" ) [ "^" number ]
//! ```
//!
//! Tuples and conditions are those of sets and read as such. What `floor` is applied to has to be
//! affine, a divisor has to be a number. Domains must not overlap, which is decided within a fixed
//! budget. Parentheses are nested to a fixed depth at most.

use std::str::FromStr;
use std::sync::Arc;

use poly_arith::{Int, Rational};
use poly_presburger::{Budget, ParseError, Set, Space, Stop};

use crate::piecewise::PwQuasiPolynomial;
use crate::polynomial::Polynomial;
use crate::quasi::QuasiPolynomial;
use crate::quasi::floors::Floors;

/// Work that a text may cause.
const BUDGET: u64 = 10_000_000;

/// Nesting of parentheses.
const MAX_DEPTH: usize = 64;

/// Exponents.
const MAX_EXPONENT: u32 = 64;

type Parsed<T> = Result<T, ParseError>;

fn error<T>(position: usize, message: impl Into<String>) -> Parsed<T> {
    Err(ParseError { position, message: message.into() })
}

fn too_much(position: usize) -> impl Fn(Stop) -> ParseError {
    move |stop| ParseError { position, message: stop.to_string() }
}

impl FromStr for PwQuasiPolynomial {
    type Err = ParseError;

    fn from_str(text: &str) -> Parsed<PwQuasiPolynomial> {
        let budget = &mut Budget::new(BUDGET);
        let (Some(open), Some(close)) = (text.find('{'), text.rfind('}')) else {
            return error(0, "a function is written in braces");
        };
        if close < open || !text[close + 1..].trim().is_empty() {
            return error(close, "there is something after the closing brace");
        }
        let header = &text[..open];
        let mut result: Option<PwQuasiPolynomial> = None;
        for (start, end) in split(text, open + 1, close, ";") {
            if text[start..end].trim().is_empty() {
                continue;
            }
            let (domain, function) = item(text, header, (start, end), budget)?;
            let space = function.space().clone();
            let so_far = result.get_or_insert_with(|| PwQuasiPolynomial::zero(space));
            if so_far.space() != function.space() {
                return error(start, "all pieces must be over the same tuple");
            }
            for (other, _) in so_far.pieces() {
                if !domain.is_disjoint(other, budget).map_err(too_much(start))? {
                    return error(start, "the domains of two pieces overlap");
                }
            }
            so_far.push_disjoint(domain, function);
        }
        match result {
            Some(result) => Ok(result),
            None => Ok(PwQuasiPolynomial::zero(format!("{header}{{ : }}").parse::<Set>()?.space().clone())),
        }
    }
}

/// The parts of `text[start..end]` between separators outside of all brackets.
fn split(text: &str, start: usize, end: usize, separator: &str) -> Vec<(usize, usize)> {
    let mut parts = Vec::new();
    let (mut depth, mut from) = (0usize, start);
    for (at, c) in text[start..end].char_indices() {
        let at = start + at;
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ if depth == 0 && at >= from && text[at..end].starts_with(separator) => {
                parts.push((from, at));
                from = at + separator.len();
            }
            _ => {}
        }
    }
    parts.push((from, end));
    parts
}

/// One piece: the set and the function on it.
fn item(text: &str, header: &str, (start, end): (usize, usize), budget: &mut Budget) -> Parsed<(Set, QuasiPolynomial)> {
    let colon = split(text, start, end, ":")[0].1;
    let condition = if colon < end { &text[colon + 1..end] } else { "" };
    let arrows = split(text, start, colon, "->");
    let (from, to) = *arrows.last().expect("there is at least one part");
    let tuple = if arrows.len() > 1 { &text[start..from - 2] } else { "" };
    let condition = if condition.trim().is_empty() { "true" } else { condition };
    let domain: Set = format!("{header}{{ {tuple} : {condition} }}")
        .parse()
        .map_err(|e: ParseError| ParseError { position: start, message: e.message })?;
    let domain = domain.compute_divs(budget).map_err(too_much(start))?;
    let space = Arc::new(domain.space().clone());
    let mut reader = Reader::new(text, (from, to), &space, budget);
    let polynomial = reader.sum(0)?;
    reader.skip_spaces();
    if reader.at < to {
        return error(reader.at, "an operator or the end is expected");
    }
    let function = QuasiPolynomial { space, floors: reader.floors, polynomial };
    Ok((domain, function.canonical_within(budget).map_err(too_much(start))?))
}

/// A reader of an expression.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    end: usize,
    names: Vec<String>,
    floors: Floors,
    budget: &'a mut Budget,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, (at, end): (usize, usize), space: &Space, budget: &'a mut Budget) -> Reader<'a> {
        Reader { text, at, end, names: space.variable_names(), floors: Floors::new(space.n_var()), budget }
    }

    fn skip_spaces(&mut self) {
        let rest = &self.text[self.at..self.end];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_spaces();
        self.text[self.at..self.end].chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    /// The longest beginning of characters of a kind.
    fn word(&mut self, kind: impl Fn(char) -> bool) -> &'a str {
        self.skip_spaces();
        let rest = &self.text[self.at..self.end];
        let len = rest.find(|c| !kind(c)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    fn sum(&mut self, depth: usize) -> Parsed<Polynomial> {
        if depth > MAX_DEPTH {
            return error(self.at, "parentheses are nested too deeply");
        }
        let mut negative = self.take('-');
        let mut sum = Polynomial::zero();
        loop {
            let term = self.term(depth)?;
            sum.add_multiple(&Rational::from(if negative { -1 } else { 1 }), &term);
            if self.take('-') {
                negative = true;
            } else if self.take('+') {
                negative = false;
            } else {
                return Ok(sum);
            }
        }
    }

    fn term(&mut self, depth: usize) -> Parsed<Polynomial> {
        let mut product = self.power(depth)?;
        loop {
            let at = self.at;
            if self.take('/') {
                let divisor = self.power(depth)?.as_constant().filter(|value| !value.is_zero());
                let Some(divisor) = divisor else { return error(at, "a divisor must be a number other than zero") };
                product = product.scale(&(&Rational::ONE / &divisor));
                continue;
            }
            let times = self.take('*');
            let goes_on = self.peek().is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '(');
            if !times && !goes_on {
                return Ok(product);
            }
            let factor = self.power(depth)?;
            product = product.mul(&factor, self.budget).map_err(too_much(at))?;
        }
    }

    fn power(&mut self, depth: usize) -> Parsed<Polynomial> {
        let base = self.primary(depth)?;
        if !self.take('^') {
            return Ok(base);
        }
        let at = self.at;
        let exponent = self.word(|c| c.is_ascii_digit()).parse::<u32>().ok().filter(|&e| e <= MAX_EXPONENT);
        let Some(exponent) = exponent else { return error(at, "a small exponent is expected") };
        let mut result = Polynomial::constant(Rational::ONE);
        for _ in 0..exponent {
            result = result.mul(&base, self.budget).map_err(too_much(at))?;
        }
        Ok(result)
    }

    fn primary(&mut self, depth: usize) -> Parsed<Polynomial> {
        let (next, at) = (self.peek(), self.at);
        match next {
            Some('(') => self.parenthesis(depth),
            Some(c) if c.is_ascii_digit() => {
                let value: Option<Int> = self.word(|c| c.is_ascii_digit()).parse().ok();
                Ok(Polynomial::constant(value.expect("digits are a number").into()))
            }
            Some(c) if c.is_alphabetic() || c == '_' => {
                let name = self.word(|c| c.is_alphanumeric() || c == '_' || c == '\'');
                if let Some(var) = self.names.iter().position(|known| known == name) {
                    return Ok(Polynomial::var(var));
                }
                if name != "floor" {
                    return error(at, format!("{name} is neither a parameter nor a dimension"));
                }
                let inner = self.parenthesis(depth)?;
                self.floor(&inner, at)
            }
            _ => error(at, "a number, a name or a parenthesis is expected"),
        }
    }

    fn parenthesis(&mut self, depth: usize) -> Parsed<Polynomial> {
        if !self.take('(') {
            return error(self.at, "( is expected");
        }
        let inner = self.sum(depth + 1)?;
        if !self.take(')') {
            return error(self.at, ") is expected");
        }
        Ok(inner)
    }

    fn floor(&mut self, inner: &Polynomial, at: usize) -> Parsed<Polynomial> {
        if inner.degree() > 1 {
            return error(at, "floor is applied to affine expressions only");
        }
        let denom = inner.terms().fold(Int::ONE, |denom, (_, value)| denom.lcm(value.den()));
        let mut row = vec![Int::ZERO; self.floors.n_col()];
        for (monomial, value) in inner.terms() {
            let column = monomial.factors().first().map_or(0, |&(var, _)| 1 + var);
            row[column] = (value * &Rational::from(denom.clone())).to_int().expect("the denominators divide it");
        }
        Ok(Polynomial::affine(&self.floors.floor(&row, &denom), &Int::ONE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cardinality::Card;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let shown = match text.parse::<PwQuasiPolynomial>() {
            Ok(function) => {
                let again = function.to_string().parse::<PwQuasiPolynomial>().expect("what is printed can be read");
                assert_eq!(again, function, "{function} is read again");
                function.to_string()
            }
            Err(error) => error.to_string(),
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn functions_are_read() {
        check("[n] -> { (1 + n)^2 / 2 : n >= 0 }", expect!["[n] -> { 1/2 + n + 1/2 * n^2 : n >= 0 }"]);
        check(
            "[n] -> { S[i] -> 2 n i - 3floor((n + 2i)/4) : 0 <= i < n; S[i] -> 7 : i < 0 }",
            expect!["[n] -> { S[i] -> -3 * floor((n + 2i)/4) + 2 * n * i : 0 <= i < n; S[i] -> 7 : i < 0 }"],
        );
        check("{ [i] -> floor((floor(i/2) + 1)/3) }", expect!["{ [i] -> floor((1 + floor((i)/2))/3) }"]);
        check("{ [A[i] -> B[j]] -> i * j : i <= j }", expect!["{ [A[i] -> B[j]] -> i * j : j >= i }"]);
        check("{ 0 }", expect!["{ 0 }"]);
        check("[n, m] -> { }", expect!["[n, m] -> { 0 }"]);
        check("{ -3/4 }", expect!["{ -3/4 }"]);
    }

    #[test]
    fn other_texts_are_refused() {
        check("", expect!["at 0: a function is written in braces"]);
        check("{ [i] -> i / 0 }", expect!["at 11: a divisor must be a number other than zero"]);
        check("{ [i] -> 1 / i }", expect!["at 11: a divisor must be a number other than zero"]);
        check("{ [i] -> floor(i^2/2) }", expect!["at 9: floor is applied to affine expressions only"]);
        check("{ [i] -> k }", expect!["at 9: k is neither a parameter nor a dimension"]);
        check("{ [i] -> i i) }", expect!["at 12: an operator or the end is expected"]);
        check("{ [i] -> (i }", expect!["at 12: ) is expected"]);
        check("{ [i] -> i^1000000000 }", expect!["at 11: a small exponent is expected"]);
        check("{ [i] -> i : i > 0; [i] -> 2 : i > 7 }", expect!["at 19: the domains of two pieces overlap"]);
        check("{ [i] -> i : i > 0; [i, j] -> 2 }", expect!["at 19: all pieces must be over the same tuple"]);
        check("{ [i] -> i : > }", expect!["at 1: an expression is expected here"]);
        check(
            &format!("{{ [i] -> {}i{} }}", "(".repeat(100_000), ")".repeat(100_000)),
            expect!["at 74: parentheses are nested too deeply"],
        );
    }

    #[test]
    fn numbers_of_points_are_read_again() {
        for text in [
            "[n] -> { [i, j] : 0 <= i <= j and 2i + 3j <= n }",
            "[n, m] -> { [i, j] : 0 <= 3i <= n and i <= 2j <= m }",
            "[n] -> { [i] : exists (e: i = 3e and n <= 5e <= 2n) }",
        ] {
            let set: Set = text.parse().unwrap();
            let card = set.card(&mut Budget::unlimited()).unwrap();
            let function = card.as_function().expect("there are parameters");
            let again: PwQuasiPolynomial = function.to_string().parse().unwrap();
            for n in -4..30 {
                let point: Vec<Int> =
                    [n, 17 - n].iter().take(set.space().n_var() - set.n_dim()).map(|&x| x.into()).collect();
                assert_eq!(again.eval(&point), function.eval(&point), "{function} at {point:?}");
            }
        }
    }
}
