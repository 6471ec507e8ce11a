//! Innermost loops of their own for the statements of a band.
//!
//! # Problem
//! Where several statements share the innermost loop of a band, dependences between them often keep
//! it from being vector code, although each statement alone could: `for j { S0(j); S1(j - 1) }`
//! with a dependence from `S0(j)` to `S1(j)`. Executed row by row, all `S0` of a row before all
//! `S1`, both loops are free.
//!
//! # Legality
//! Let the band be permutable, with some member chosen as the innermost one, above a sequence.
//! Pairs that are not at equal time in all other members are ordered by those. Among the others,
//! none may lead from a later child of the sequence to an earlier one; children for which there are
//! such pairs stay together in one loop, with everything between them.
//!
//! # Loops apart further outside
//! Groups can part before the innermost loop, too ([`may_part`]): below some outermost members `x`
//! of the permutable band, all `S0` of one value of `x` before all `S1`. Pairs that are not at
//! equal time in `x` are ordered by it, as it comes first; the others must not lead from a later
//! group to an earlier one. Inside of a group, the order is that of the band.

use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{DimKind, MultiUnionPwAff, Tuple, UnionPwAff, UnionSet};
use poly_schedule_tree::{Band, NodeKind, Tree};

use crate::pairs::{Distances, Pairs};

/// Statements that share an innermost loop.
#[derive(Clone, Debug)]
pub struct RowGroup {
    /// The instances, by statement.
    pub filter: UnionSet,
    /// What is executed in the loop.
    pub body: Tree,
    /// No pair is carried by the loop.
    pub free: bool,
}

impl RowGroup {
    /// Whether a statement is part of the group.
    pub fn contains(&self, statement: &str) -> bool {
        self.filter.get_named(statement).is_some()
    }
}

/// The groups of what is below a permutable band when `member` is its innermost loop, in the order
/// in which they have to run; `None` where that is not known. `pairs` are those that reach the
/// band.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn row_groups(
    band: &Band,
    member: usize,
    child: &Tree,
    pairs: &Pairs,
    budget: &mut Budget,
) -> Result<Option<Vec<RowGroup>>, Stop> {
    let Some(pairs) = pairs.equal_but(band, Some(member), budget)? else { return Ok(None) };
    let Some(parts) = parts(band, child) else { return Ok(None) };
    let mut groups = Vec::new();
    for range in together(&parts, &pairs) {
        let parts = &parts[range];
        let filter = parts.iter().skip(1).fold(parts[0].0.clone(), |all, (filter, _)| all.union(filter));
        let body = match parts {
            [(_, body)] => body.clone(),
            _ => Tree::sequence(parts.iter().cloned()),
        };
        let distances = pairs.within(&filter).distances(band.schedule.get(member), budget)?;
        groups.push(RowGroup { filter, body, free: distances == Some(Distances::Zero) });
    }
    Ok(Some(groups))
}

/// Whether every group may have loops of its own for all members of a band but the shared ones: at
/// equal time in those, no pair leads from a later group to an earlier one. `pairs` are those that
/// reach the band.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn may_part(groups: &[RowGroup], shared: &Band, pairs: &Pairs, budget: &mut Budget) -> Result<bool, Stop> {
    let Some(pairs) = pairs.equal_but(shared, None, budget)? else { return Ok(false) };
    let place = |tuple: Option<&Tuple>| {
        tuple.and_then(|tuple| groups.iter().position(|group| group.filter.get_tuple(tuple).is_some()))
    };
    Ok(pairs.relations().iter().all(|relation| {
        let space = relation.space();
        match (place(space.tuple(DimKind::In)), place(space.tuple(DimKind::Out))) {
            (Some(from), Some(to)) => from <= to,
            _ => false,
        }
    }))
}

/// The children of a sequence; one part for everything if there is none. No statement is in two of
/// them.
fn parts(band: &Band, child: &Tree) -> Option<Vec<(UnionSet, Tree)>> {
    match child.kind() {
        NodeKind::Leaf => Some(vec![(band.schedule.domain(), child.clone())]),
        NodeKind::Sequence => {
            let mut seen: Vec<&Tuple> = Vec::new();
            let mut parts = Vec::new();
            for part in child.children() {
                let NodeKind::Filter(filter) = part.kind() else { return None };
                for set in filter.iter() {
                    let tuple = set.tuple()?;
                    if seen.contains(&tuple) || !part.child().is_leaf() {
                        return None;
                    }
                    seen.push(tuple);
                }
                parts.push((filter.clone(), part.child().clone()));
            }
            Some(parts)
        }
        _ => None,
    }
}

/// Ranges of parts that have to share a loop.
fn together(parts: &[(UnionSet, Tree)], pairs: &Pairs) -> Vec<std::ops::Range<usize>> {
    let place = |tuple: Option<&Tuple>| {
        tuple.and_then(|tuple| parts.iter().position(|(filter, _)| filter.get_tuple(tuple).is_some()))
    };
    // `joined[i]`: part i and part i + 1 share a loop.
    let mut joined = vec![false; parts.len()];
    for relation in pairs.relations() {
        let space = relation.space();
        let (from, to) = (place(space.tuple(DimKind::In)), place(space.tuple(DimKind::Out)));
        match (from, to) {
            (Some(from), Some(to)) if from > to => joined[to..from].fill(true),
            (Some(_), Some(_)) => {}
            _ => joined.fill(true),
        }
    }
    let mut ranges = Vec::new();
    let mut start = 0;
    for (index, joined) in joined.iter().enumerate() {
        if !joined || index + 1 == parts.len() {
            ranges.push(start..index + 1);
            start = index + 1;
        }
    }
    ranges
}

/// The band for some of its statements only.
pub fn restricted(band: &Band, filter: &UnionSet) -> Band {
    let members = band.schedule.members().iter().map(|member| {
        let kept = |f: &&poly_presburger::PwAff| {
            f.domain_space().tuple(DimKind::Out).is_some_and(|t| filter.get_tuple(t).is_some())
        };
        UnionPwAff::from_members(member.iter().filter(kept).cloned())
    });
    let schedule = MultiUnionPwAff::new(band.schedule.tuple().clone(), members.collect());
    Band { schedule, ..band.clone() }
}
