//! Whether results of Poly and isl mean the same.

use std::fmt::Display;
use std::str::FromStr;

use poly_oracle::isl;
use poly_presburger::{Budget, ParseError, Set, UnionMap};

use crate::run::stopped;

/// Steps that isl may spend on one case.
const ISL_OPERATIONS: u64 = 40_000_000;

/// Let isl give up on what takes too long.
pub(crate) fn limit(context: &isl::Context) {
    context.set_max_operations(ISL_OPERATIONS);
}

/// An object of Poly from text in isl's syntax.
pub(crate) fn from_text<T: FromStr<Err = ParseError>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: ParseError| {
        let place: String = text.chars().skip(error.position.saturating_sub(20)).take(50).collect();
        format!("Poly cannot read {place:?}: {error}")
    })
}

/// A set of isl from a set of Poly.
pub(crate) fn to_isl(context: &isl::Context, set: &impl Display) -> Result<isl::Set, String> {
    let text = set.to_string();
    isl::Set::read(context, &text).ok_or_else(|| format!("isl cannot read Poly's {text}"))
}

/// Fails unless both are the same set, in the opinion of both libraries.
pub(crate) fn sets(
    what: &str,
    ours: &Set,
    theirs: &isl::Set,
    isl: &isl::Context,
    budget: &mut Budget,
) -> Result<(), String> {
    let different = || format!("{what} differs: {ours} (isl: {})", theirs.text());
    let verdict = to_isl(isl, ours)?.is_equal(theirs).ok_or_else(|| format!("isl does not compare {what}"))?;
    let back: Set = from_text(&theirs.text())?;
    let own_verdict = back.is_equal(ours, budget).map_err(stopped)?;
    match (verdict, own_verdict) {
        (true, true) => Ok(()),
        (false, false) => Err(different()),
        _ => Err(format!("Poly and isl disagree whether {}", different())),
    }
}

/// Fails unless both are the same relation, in the opinion of both libraries.
pub(crate) fn union_maps(
    what: &str,
    ours: &UnionMap,
    theirs: &isl::UnionMap,
    isl: &isl::Context,
    budget: &mut Budget,
) -> Result<(), String> {
    let different = || format!("{what} differs: {ours} (isl: {})", theirs.text());
    let text = ours.to_string();
    let read = isl::UnionMap::read(isl, &text).ok_or_else(|| format!("isl cannot read Poly's {text}"))?;
    let verdict = read.is_equal(theirs).ok_or_else(|| format!("isl does not compare {what}"))?;
    let back: UnionMap = from_text(&theirs.text())?;
    let own_verdict = back.is_equal(ours, budget).map_err(stopped)?;
    match (verdict, own_verdict) {
        (true, true) => Ok(()),
        (false, false) => Err(different()),
        _ => Err(format!("Poly and isl disagree whether {}", different())),
    }
}
