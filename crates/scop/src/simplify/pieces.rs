//! Statements whose domains have several pieces, with a nest for each piece.
//!
//! # Problem
//! Under a condition as `if (j != i)` a statement has a domain of two pieces, of which one comes
//! after the other in every execution of a loop:
//!
//! ```text
//! for i:  for j:  if (j != i)  y[i] -= a[i][j] * x[j]
//! ```
//!
//! One nest of both pieces has a hole wherever its loops go, and neither register tiles nor lanes.
//! The same program is
//!
//! ```text
//! for i:  { for j < i:  y[i] -= a[i][j] * x[j];   for j > i:  y[i] -= a[i][j] * x[j] }
//! ```
//!
//! in which each statement has a convex domain, and a nest of its own if it is better so.
//!
//! # Algorithm
//! For each statement whose domain is a union of a few conjunctions, and each loop that has no
//! other statement, outermost first: if there is an order of the pieces in which, at equal counters
//! of the loops around this one, every point of a piece comes before every point of the next ones,
//! the loop is distributed: the statement becomes one for each piece, each in a loop of its own,
//! one after the other.
//!
//! # Legality
//! The new program executes the same instances in the same order: at equal counters outside, those
//! of the loop are all of this statement, and the original order is the lexicographic one, by which
//! the pieces are ordered. Neighbours of the loop stay where they are. Whether it pays is decided
//! by who asks: schedules with and without are compared.
//!
//! Reference: loop distribution, as index-set splitting of [Griebl2000] prepares it.

use poly_presburger::{Budget, Map, Set, Stop};

use super::split::{part_of, unused_name};
use crate::{Scop, Statement};

/// Most pieces of a domain.
const MAX_PIECES: usize = 4;

/// The SCoP in which pieces of domains have loops of their own; `None` if there are none.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn apart(scop: &Scop, budget: &mut Budget) -> Result<Option<Scop>, Stop> {
    let mut result: Option<Scop> = None;
    let names: Vec<String> = scop.statements.iter().map(|statement| statement.name.clone()).collect();
    for name in names {
        let current = result.as_ref().unwrap_or(scop);
        let Some(number) = current.statements.iter().position(|statement| statement.name == name) else { continue };
        if let Some((level, pieces)) = pieces(current, number, budget)? {
            result = Some(distributed(current, number, level, &pieces));
        }
    }
    Ok(result)
}

/// The loop of a statement, counted from outside, that executes pieces of its domain one after the
/// other, and these in their order.
fn pieces(scop: &Scop, number: usize, budget: &mut Budget) -> Result<Option<(usize, Vec<Set>)>, Stop> {
    let statement = &scop.statements[number];
    if statement.domain.n_basic() < 2 {
        return Ok(None);
    }
    let domain = statement.domain.clone().coalesce(budget)?;
    if !(2..=MAX_PIECES).contains(&domain.n_basic()) {
        return Ok(None);
    }
    let all: Vec<Set> =
        domain.as_map().basics().iter().map(|basic| Set::from_map(Map::from_basic(basic.clone()))).collect();
    for level in (0..statement.loops.len()).filter(|&level| is_alone(scop, number, level)) {
        let mut ordered: Vec<Set> = Vec::new();
        for piece in &all {
            let mut at = 0;
            while at < ordered.len() && is_before(&ordered[at], piece, level, budget)? {
                at += 1;
            }
            ordered.insert(at, piece.clone());
        }
        if are_ordered(&ordered, level, budget)? {
            return Ok(Some((level, ordered)));
        }
    }
    Ok(None)
}

/// Whether a loop around a statement contains no other one.
fn is_alone(scop: &Scop, number: usize, level: usize) -> bool {
    let position = &scop.statements[number].position[..=level];
    let others = scop.statements.iter().enumerate().filter(|&(other, _)| other != number);
    others.into_iter().all(|(_, other)| other.loops.len() <= level || other.position[..=level] != *position)
}

fn are_ordered(pieces: &[Set], level: usize, budget: &mut Budget) -> Result<bool, Stop> {
    for (index, piece) in pieces.iter().enumerate() {
        for later in &pieces[index + 1..] {
            if !is_before(piece, later, level, budget)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether at equal counters of so many loops every point of one set is lexicographically before
/// every point of the other one.
fn is_before(first: &Set, second: &Set, level: usize, budget: &mut Budget) -> Result<bool, Stop> {
    let (space, dims) = (first.space(), first.n_dim());
    let behind = (level..dims).map(|dimension| Map::lex_gt_at(space, dimension));
    for pairs in behind.chain([Map::equal_prefix(space, dims)]) {
        if !pairs.intersect_domain(first).intersect_range(second).is_empty(budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The SCoP with one statement for each piece of a statement, each in its own copy of the loop at a
/// level.
fn distributed(scop: &Scop, number: usize, level: usize, pieces: &[Set]) -> Scop {
    let mut result = scop.clone();
    let whole = &scop.statements[number];
    let around = &whole.position[..level];
    for statement in &mut result.statements {
        let is_behind = statement.position.len() > level
            && statement.position[..level] == *around
            && statement.position[level] > whole.position[level];
        if is_behind {
            statement.position[level] += pieces.len() - 1;
        }
    }
    let part = |(index, piece): (usize, &Set)| {
        let mut part: Statement = part_of(whole, unused_name(scop, &whole.name, index), piece);
        part.position[level] += index;
        part
    };
    let parts: Vec<Statement> = pieces.iter().enumerate().map(part).collect();
    result.statements.splice(number..=number, parts);
    result
}
