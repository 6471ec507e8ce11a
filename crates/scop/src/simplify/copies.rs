//! Proposals in which copies become writes of a value to where it has been read.
//!
//! # Problem
//! A sum over several loops has a PHI node for each of them. In one place, the copies between them write an element's value back to it. They do nothing, and yet they are the last writes before the reads behind them: by
//! write instances ([`flow::preserves`]) these reads get something else than before.
//!
//! # Definitions
//! A *write-back* is a write of a value to the element that the same instance has read it from, with no write before it in that instance.
//!
//! # Method
//! 1. Write-backs are taken out of the proposal, which does not change what it computes; what they read is still read.
//! 2. Each read of the SCoP before must get, in the proposal, the value of the same write instance as before; where that is one of the writes which have been taken out, it must get what the copying instance gets *in the
//!    proposal*. What is in memory at the end is treated in the same way.
//!
//! # Why it is right
//! By induction over execution time: a copying instance reads before those that read from it, so what it gets is the same in both programs. No transitive closure is needed, although chains of copies may be as long as a loop.

use std::collections::BTreeMap;

use poly_presburger::{Budget, Map, Stop};

use super::dead;
use super::flow::{self, AccessKey, Flow, Session, Sources};
use crate::Scop;

/// Writes that have been taken out, each with the read of what it writes.
type Copies = BTreeMap<AccessKey, AccessKey>;

/// A proposal whose write-backs are taken out, with its dataflow, if there are any and it is right
/// then. `before` is the dataflow of the SCoP, if it is known.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(super) fn shortened(
    scop: &Scop,
    proposal: Scop,
    session: &mut Session,
    before: &mut Option<Flow>,
    budget: &mut Budget,
) -> Result<Option<(Scop, Flow)>, Stop> {
    let (shorter, copies) = without_write_backs(proposal);
    if copies.is_empty() {
        return Ok(None);
    }
    let known = match before.take() {
        Some(flow) => flow,
        None => session.analyse(scop, budget)?,
    };
    let after = session.analyse(&shorter, budget)?;
    let is_right = preserves(&known, &after, &copies, budget)?;
    *before = Some(known);
    Ok(is_right.then_some((shorter, after)))
}

/// The SCoP without write-backs.
fn without_write_backs(mut scop: Scop) -> (Scop, Copies) {
    let mut copies = Copies::new();
    for statement in &mut scop.statements {
        while let Some((write, read)) = dead::take_write_back(statement) {
            copies.insert(write, read);
        }
    }
    (scop, copies)
}

/// Whether reads and memory have the same values before and after, if those of copies are what the copies read.
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

/// Whether none of the instances with elements that survive has read what was there before the SCoP.
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
