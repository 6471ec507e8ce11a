//! Parsing isl's text syntax.
//!
//! In three steps: `lexer` makes tokens, `grammar` a syntax tree, `lower` evaluates it. Formulas
//! are evaluated over a *scope*: the flat set space of all variables bound so far (domain and range
//! dimensions, then quantified variables), expressions being piecewise affine functions of it. A
//! quantifier extends the scope and projects it back; a negation is pushed to the comparisons and
//! only becomes a complement in front of a quantifier.
//!
//! Supported: parameters `[n, m] -> { ... }`, named and nested tuples, tuple dimensions given by
//! expressions or ranges (`S[i] -> T[i + 1, j = 2i, 0:n]`), several items separated by `;`, `and`,
//! `or`, `not`, `implies`, `exists`, chains and lists in comparisons (`0 <= i, j < n`), `floor`,
//! `ceil`, `floord`, `ceild`, `mod`, `%`, `min`, `max`, `c ? a : b`, implicit products (`2i`),
//! `true` and `false`.

use std::fmt;
use std::str::FromStr;

use crate::aff::Aff;
use crate::basic::{BasicMap, BasicSet};
use crate::map::Map;
use crate::multi::MultiAff;
use crate::pw::PwAff;
use crate::pw_multi::PwMultiAff;
use crate::set::Set;
use crate::space::{Space, Tuple};
use crate::union::{UnionMap, UnionSet};
use crate::union_pw::{MultiUnionPwAff, UnionPwAff};
use crate::union_pw_multi::UnionPwMultiAff;

mod grammar;
mod lexer;
mod lower;
mod rational;

use grammar::{Parser, Source};
use lower::{lower_function, lower_relation};

/// Why a text could not be parsed, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Byte offset in the text.
    pub position: usize,
    /// What is wrong there.
    pub message: String,
}

impl ParseError {
    pub(crate) fn new(position: usize, message: impl Into<String>) -> ParseError {
        ParseError { position, message: message.into() }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at {}: {}", self.position, self.message)
    }
}

impl std::error::Error for ParseError {}

type Parsed<T> = Result<T, ParseError>;

/// The maps (sets being maps without domain) of all items, and the space of the parameters.
fn relations(text: &str) -> Parsed<(Space, Vec<Map>)> {
    let mut parser = Parser::new(text)?;
    let source = parser.source()?;
    parser.expect_end()?;
    evaluate(&source)
}

fn evaluate(source: &Source) -> Parsed<(Space, Vec<Map>)> {
    let params = Space::params(source.params.clone());
    let maps: Parsed<Vec<Map>> = source.items.iter().map(|item| lower_relation(&source.params, item)).collect();
    let maps = maps?;
    maps.iter().for_each(Map::look_for_points);
    Ok((params, maps))
}

/// The one map that all items make up.
fn single(text: &str, want_domain: bool) -> Parsed<Map> {
    let (_, maps) = relations(text)?;
    let what = if want_domain { "a relation" } else { "a set" };
    let mut maps = maps.into_iter();
    let Some(first) = maps.next() else {
        return Err(ParseError::new(0, format!("{what} needs at least one item")));
    };
    if first.space().is_map() != want_domain {
        return Err(ParseError::new(0, format!("this is not {what}")));
    }
    maps.try_fold(first, |all, m| {
        if m.space().has_equal_tuples(all.space()) {
            Ok(all.union(&m))
        } else {
            Err(ParseError::new(0, "the items are over different spaces"))
        }
    })
}

impl FromStr for Map {
    type Err = ParseError;

    fn from_str(text: &str) -> Parsed<Map> {
        single(text, true)
    }
}

impl FromStr for Set {
    type Err = ParseError;

    fn from_str(text: &str) -> Parsed<Set> {
        Ok(single(text, false)?.into_set())
    }
}

fn one_basic(map: &Map) -> Parsed<BasicMap> {
    match map.basics() {
        [] => Ok(BasicMap::empty(map.space_arc())),
        [basic] => Ok(BasicMap::clone(basic)),
        _ => Err(ParseError::new(0, "a basic set or map is a single conjunction")),
    }
}

impl FromStr for BasicMap {
    type Err = ParseError;

    fn from_str(text: &str) -> Parsed<BasicMap> {
        one_basic(&single(text, true)?)
    }
}

impl FromStr for BasicSet {
    type Err = ParseError;

    fn from_str(text: &str) -> Parsed<BasicSet> {
        Ok(one_basic(&single(text, false)?)?.into_basic_set())
    }
}

impl FromStr for UnionMap {
    type Err = ParseError;

    fn from_str(text: &str) -> Parsed<UnionMap> {
        let (params, maps) = relations(text)?;
        if maps.iter().any(|m| !m.space().is_map()) {
            return Err(ParseError::new(0, "this is not a union of relations"));
        }
        let mut result = UnionMap::empty(params.params);
        maps.into_iter().for_each(|m| result.add(m));
        Ok(result)
    }
}

impl FromStr for UnionSet {
    type Err = ParseError;

    fn from_str(text: &str) -> Parsed<UnionSet> {
        let (params, maps) = relations(text)?;
        if maps.iter().any(|m| m.space().is_map()) {
            return Err(ParseError::new(0, "this is not a union of sets"));
        }
        let mut result = UnionSet::empty(params.params);
        maps.into_iter().for_each(|m| result.add(m.into_set()));
        Ok(result)
    }
}

fn function_of(source: &Source) -> Parsed<PwMultiAff> {
    let parts: Parsed<Vec<PwMultiAff>> = source.items.iter().map(|item| lower_function(&source.params, item)).collect();
    let mut parts = parts?.into_iter();
    let Some(first) = parts.next() else {
        return Err(ParseError::new(0, "a function needs at least one item"));
    };
    parts.try_fold(first, |all, p| {
        if p.space().has_equal_tuples(all.space()) {
            Ok(all.union_disjoint(&p))
        } else {
            Err(ParseError::new(0, "the items are over different spaces"))
        }
    })
}

fn function(text: &str) -> Parsed<PwMultiAff> {
    let mut parser = Parser::new(text)?;
    let source = parser.source()?;
    parser.expect_end()?;
    function_of(&source)
}

impl FromStr for UnionPwMultiAff {
    type Err = ParseError;

    fn from_str(text: &str) -> Parsed<UnionPwMultiAff> {
        let mut parser = Parser::new(text)?;
        let source = parser.source()?;
        parser.expect_end()?;
        let mut result = UnionPwMultiAff::empty(source.params.clone());
        for item in &source.items {
            result.add(lower_function(&source.params, item)?);
        }
        Ok(result)
    }
}

fn one_dimension(function: &PwMultiAff) -> Parsed<PwAff> {
    if function.n_out() == 1 {
        Ok(function.get(0))
    } else {
        Err(ParseError::new(0, "an expression has exactly one value"))
    }
}

impl FromStr for PwMultiAff {
    type Err = ParseError;

    fn from_str(text: &str) -> Parsed<PwMultiAff> {
        function(text)
    }
}

impl FromStr for MultiAff {
    type Err = ParseError;

    fn from_str(text: &str) -> Parsed<MultiAff> {
        let function = function(text)?;
        let total = function.as_multi_aff().cloned();
        total.ok_or_else(|| ParseError::new(0, "the function has a condition or several pieces"))
    }
}

impl FromStr for PwAff {
    type Err = ParseError;

    fn from_str(text: &str) -> Parsed<PwAff> {
        one_dimension(&function(text)?)
    }
}

impl FromStr for Aff {
    type Err = ParseError;

    fn from_str(text: &str) -> Parsed<Aff> {
        let pw = text.parse::<PwAff>()?;
        let total = pw.as_aff().cloned();
        total.ok_or_else(|| ParseError::new(0, "the expression has a condition or several pieces"))
    }
}

fn union_pw_aff(source: &Source) -> Parsed<UnionPwAff> {
    let mut result = UnionPwAff::empty(source.params.clone());
    for item in &source.items {
        result.add(one_dimension(&lower_function(&source.params, item)?)?);
    }
    Ok(result)
}

impl FromStr for UnionPwAff {
    type Err = ParseError;

    fn from_str(text: &str) -> Parsed<UnionPwAff> {
        let mut parser = Parser::new(text)?;
        let source = parser.source()?;
        parser.expect_end()?;
        union_pw_aff(&source)
    }
}

impl FromStr for MultiUnionPwAff {
    type Err = ParseError;

    /// `[n] -> L[{ S[i] -> [(i)] }, ...]`, or `(L[] : { S[i] : ... })` without dimensions.
    fn from_str(text: &str) -> Parsed<MultiUnionPwAff> {
        let mut parser = Parser::new(text)?;
        let parsed = parser.multi_union()?;
        parser.expect_end()?;
        let tuple = Tuple { name: parsed.name, ..Tuple::anonymous(parsed.members.len()) };
        if let Some(domain) = &parsed.domain {
            let (params, maps) = evaluate(domain)?;
            let mut union = UnionSet::empty(params.params);
            maps.into_iter().for_each(|m| union.add(m.into_set()));
            return Ok(MultiUnionPwAff::zero_dim_on(tuple, union));
        }
        let members: Parsed<Vec<UnionPwAff>> = parsed.members.iter().map(union_pw_aff).collect();
        let result = MultiUnionPwAff::new(tuple, members?);
        Ok(result.align_params(&Space::params(parsed.params)))
    }
}

#[cfg(test)]
mod tests;
