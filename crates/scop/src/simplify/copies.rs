//! Proposals in which copies become writes of a value to where it has been read.
//!
//! # Problem
//! A sum over several loops has a PHI node for each of them. In one place, the copies between them
//! write an element's value back to it. They do nothing, and yet they are the last writes before
//! the reads behind them: by write instances ([`flow::preserves`]) these reads get something else
//! than before.
//!
//! # Definitions
//! A *write-back* is a write of a value to the element that the same instance has read it from,
//! with no write before it in that instance.
//!
//! # Method
//! 1. Write-backs are taken out of the proposal, which does not change what it computes; what they
//!    read is still read.
//! 2. Each read of the SCoP before must get, in the proposal, the value of the same write instance
//!    as before; where that is one of the writes which have been taken out, it must get what the
//!    copying instance gets *in the proposal*. What is in memory at the end is treated in the same
//!    way.
//!
//! # Why it is right
//! By induction over execution time: a copying instance reads before those that read from it, so
//! what it gets is the same in both programs. No transitive closure is needed, although chains of
//! copies may be as long as a loop.

use std::collections::BTreeMap;

use poly_presburger::{Budget, Map, Stop};

use super::dead::{self, WriteBack};
use super::flow::{self, AccessKey, Arrays, Flow, Session, Sources};
use crate::{Scop, Statement};

/// Writes that have been taken out, each with the read of what it writes.
type Copies = BTreeMap<AccessKey, AccessKey>;

/// A proposal whose write-backs are taken out, if there are any and it is right then. `changed` are
/// the arrays whose accesses the proposal changes, if it changes nothing else and they overlap no
/// others: dataflow is compared only in them and in those that are copied.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(super) fn shortened(
    scop: &Scop,
    proposal: Scop,
    changed: Option<Arrays>,
    session: &mut Session,
    budget: &mut Budget,
) -> Result<Option<Scop>, Stop> {
    let (shorter, copies, copied) = without_write_backs(proposal, changed.as_ref());
    if copies.is_empty() {
        return Ok(None);
    }
    let is_alone = copied.iter().all(|&array| !scop.is_unchecked(array));
    let arrays = changed.filter(|_| is_alone).map(|changed| &changed | &copied);
    let before = session.analyse_in(scop, arrays.as_ref(), budget)?;
    let after = session.analyse_in(&shorter, arrays.as_ref(), budget)?;
    Ok(preserves(&before, &after, &copies, budget)?.then_some(shorter))
}

/// The same for a proposal of which the flow is known that it is to have, but for its copies.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(super) fn shortened_from(
    before: &Flow,
    proposal: Scop,
    session: &mut Session,
    budget: &mut Budget,
) -> Result<Option<Scop>, Stop> {
    let (shorter, copies, _) = without_write_backs(proposal, None);
    if copies.is_empty() {
        return Ok(None);
    }
    let after = session.analyse(&shorter, budget)?;
    Ok(preserves(before, &after, &copies, budget)?.then_some(shorter))
}

/// Whether statements with accesses to some arrays have write-backs.
pub(super) fn has_write_back(scop: &Scop, arrays: &Arrays) -> bool {
    scop.statements.iter().any(|statement| accesses_one_of(statement, arrays) && dead::has_write_back(statement))
}

fn accesses_one_of(statement: &Statement, arrays: &Arrays) -> bool {
    statement.accesses.iter().any(|access| arrays.contains(&access.array))
}

/// The SCoP without write-backs in statements with accesses to some arrays, or in any; and the
/// arrays that had them.
fn without_write_backs(mut scop: Scop, arrays: Option<&Arrays>) -> (Scop, Copies, Arrays) {
    let (mut copies, mut copied) = (Copies::new(), Arrays::new());
    for statement in &mut scop.statements {
        if arrays.is_some_and(|arrays| !accesses_one_of(statement, arrays)) {
            continue;
        }
        while let Some(WriteBack { write, read, array }) = dead::take_write_back(statement) {
            copies.insert(write, read);
            copied.insert(array);
        }
    }
    (scop, copies, copied)
}

/// Whether reads and memory have the same values before and after, if those of copies are what the
/// copies read.
///
/// # Errors
/// [`Stop`] when the budget runs out.
fn preserves(before: &Flow, after: &Flow, copies: &Copies, budget: &mut Budget) -> Result<bool, Stop> {
    for (key, sources) in &before.reads {
        let Some(now) = after.reads.get(key) else { return Ok(false) };
        let Some(expected) = resolved(sources, after, copies, budget)? else { return Ok(false) };
        if !flow::same_sources(&expected, now, budget)? {
            return Ok(false);
        }
    }
    let mut expected: BTreeMap<(AccessKey, String), Map> = BTreeMap::new();
    for ((key, array), elements) in &before.survivors {
        let Some(read) = copies.get(key) else {
            merge(&mut expected, (key.clone(), array.clone()), elements.clone());
            continue;
        };
        let Some(sources) = after.reads.get(read) else { return Ok(false) };
        // What is there at the end must have been written, by one that is still there.
        if !sources.overlapping.is_empty() || !is_nothing(sources, elements, budget)? {
            return Ok(false);
        }
        for (source, map) in &sources.writes {
            budget.spend(1)?;
            merge(&mut expected, (source.clone(), array.clone()), map.reverse().apply_range(elements));
        }
    }
    for key in expected.keys().chain(after.survivors.keys()) {
        if !flow::same_map(expected.get(key), after.survivors.get(key), budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether none of the instances with elements that survive has read what was there before the
/// SCoP.
fn is_nothing(sources: &Sources, elements: &Map, budget: &mut Budget) -> Result<bool, Stop> {
    match &sources.initial {
        Some(initial) => elements.intersect_domain(initial).is_empty(budget),
        None => Ok(true),
    }
}

/// The sources of a read with copies replaced by what they read in the proposal.
fn resolved(sources: &Sources, after: &Flow, copies: &Copies, budget: &mut Budget) -> Result<Option<Sources>, Stop> {
    let mut result = Sources { initial: sources.initial.clone(), ..Sources::default() };
    if sources.overlapping.keys().any(|key| copies.contains_key(key)) {
        return Ok(None);
    }
    result.overlapping.clone_from(&sources.overlapping);
    for (key, map) in &sources.writes {
        let Some(read) = copies.get(key) else {
            flow::add(&mut result.writes, key.clone(), map.clone());
            continue;
        };
        let Some(through) = after.reads.get(read) else { return Ok(None) };
        if !through.overlapping.is_empty() {
            return Ok(None);
        }
        let through = super::forward::through(through, map, budget)?;
        for (key, map) in through.writes {
            flow::add(&mut result.writes, key, map);
        }
        result.initial = match (result.initial, through.initial) {
            (Some(a), Some(b)) => Some(a.union(&b)),
            (a, b) => a.or(b),
        };
    }
    Ok(Some(result))
}

fn merge(all: &mut BTreeMap<(AccessKey, String), Map>, key: (AccessKey, String), elements: Map) {
    let elements = match all.remove(&key) {
        Some(known) => known.union(&elements),
        None => elements,
    };
    all.insert(key, elements);
}
