//! Reductions of what the loops around them write.
//!
//! # Problem
//! In a sweep, `y[i] = f(sum over j < i of y[j], sum over j > i of y[j])`, the first sum is one of
//! new values and the second one of old values. Both are the same for neighbouring `i` but for one
//! element, although `y` is written all the time.
//!
//! # Definitions
//! The *value* of an element at a point is the write that it comes from, by exact dataflow, or what
//! was there before the region. It is *steady* within `f` loops if, at equal counters of these, all
//! points of the statement that read the element read one value.
//!
//! # Algorithm
//! 1. The loops within which all values are steady: as few as possible. Along them nothing is
//!    shared.
//! 2. If all values are there before the nest that is inside of these loops, the equations are
//!    computed before it.
//! 3. Else they are computed with the answers, in the loops around these: the counters of these
//!    loops are *times*, every answer is computed at its own time, and recurrences go forward
//!    ([`Reduction::forward`](poly_reductions::Reduction)).
//!
//! # Why it is right
//! The proof of the equations is one about elements. That an element means one value is decided
//! here, and that the new statements read this value, in the loops where they are now, by dataflow
//! of the finished model ([`Kept::is_kept`]).
//!
//! Reference: \[YangEtAl2021\].

use std::collections::BTreeMap;

use poly_presburger::{Budget, DimKind, Map, Set, Space, Stop, Tuple};
use poly_reductions::Function;

use super::candidate::Part;
use crate::order::time_map;
use crate::simplify::flow::{self, AccessKey, Flow, Sources};
use crate::{AccessId, Scop, Statement};

/// Where the equations of a reduction are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// So many loops outside share nothing.
    pub(super) fixed: usize,
    /// So many loops are around the equations: these, or those around the answers.
    pub(super) at: usize,
}

/// The values that reads of new statements must have.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    fixed: usize,
    /// By the read of the old statement.
    values: Vec<(AccessId, Values)>,
}

/// From the counters of the outer loops and elements to values.
#[derive(Clone, Debug)]
struct Values {
    writes: BTreeMap<AccessKey, Map>,
    initial: Set,
}

/// A read of a new statement that stands for one of the old statement.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    pub(super) statement: String,
    pub(super) access: AccessId,
    pub(super) old: AccessId,
}

/// The place for a statement whose parts read what is written around it, if there is one.
pub(super) fn place(
    scop: &Scop,
    statement: &Statement,
    parts: &[Part],
    level: usize,
    budget: &mut Budget,
) -> Result<Option<(Place, Kept)>, Stop> {
    let flow = flow::Session::default().analyse(scop, budget)?;
    let mut reads = Vec::new();
    for (read, _) in parts.iter().flat_map(|part| &part.reads) {
        let Some(sources) = flow.reads.get(&flow::key(statement, *read)) else { return Ok(None) };
        let is_own = |(key, _): (&AccessKey, &Map)| key.statement == statement.name;
        if !sources.overlapping.is_empty() || sources.writes.iter().any(is_own) {
            return Ok(None);
        }
        reads.push((*read, sources));
    }
    for fixed in 0..=level {
        let mut kept = Kept { fixed, values: Vec::new() };
        for (read, sources) in &reads {
            match values(statement, *read, sources, fixed, budget)? {
                Some(values) => kept.values.push((*read, values)),
                None => break,
            }
        }
        if kept.values.len() < reads.len() {
            continue;
        }
        let mut is_before = true;
        for (_, sources) in &reads {
            is_before &= are_before(scop, statement, sources, fixed, budget)?;
        }
        let at = if is_before { fixed } else { level };
        return Ok((is_before || level > fixed).then_some((Place { fixed, at }, kept)));
    }
    Ok(None)
}

/// Points to the counters of the outer loops and the element that a read is of.
fn elements(statement: &Statement, read: AccessId, fixed: usize) -> Option<Map> {
    let access = &statement.accesses[read.index()];
    let domain = &statement.domain;
    let function = Function::from_map(&access.relation.align_params(domain.space()))?;
    let mut rows = Function::identity(function.params, function.dims).rows;
    rows.truncate(fixed);
    rows.extend(function.rows);
    let map = Function::new(function.params, function.dims, rows).to_map(&domain.space().params);
    Some(map.set_tuple(DimKind::In, Tuple::named(&*statement.name, function.dims)))
}

/// The values of all elements, if they are steady.
fn values(
    statement: &Statement,
    read: AccessId,
    sources: &Sources,
    fixed: usize,
    budget: &mut Budget,
) -> Result<Option<Values>, Stop> {
    let Some(elements) = elements(statement, read, fixed) else { return Ok(None) };
    let Some(initial) = &sources.initial else { return Ok(None) };
    let initial = initial.apply(&elements);
    let mut all = vec![initial.clone()];
    let mut writes = BTreeMap::new();
    for (key, map) in &sources.writes {
        let values = elements.intersect_domain(&map.domain()).reverse().apply_range(map);
        if !values.is_single_valued(budget)? {
            return Ok(None);
        }
        let domain = values.domain();
        for other in &all {
            if !domain.intersect(other).is_empty(budget)? {
                return Ok(None);
            }
        }
        all.push(domain);
        writes.insert(key.clone(), values);
    }
    Ok(Some(Values { writes, initial }))
}

/// Whether all values are there before the nest that is inside of so many loops around the
/// statement.
fn are_before(
    scop: &Scop,
    statement: &Statement,
    sources: &Sources,
    fixed: usize,
    budget: &mut Budget,
) -> Result<bool, Stop> {
    let times = 2 * fixed + 1;
    let first = |map: Map| {
        let length = map.dim(DimKind::Out);
        map.project_out(DimKind::Out, times, length - times)
    };
    let reading = first(time_map(scop, statement));
    for (key, map) in &sources.writes {
        let Some(writer) = scop.statements.iter().find(|s| s.name == key.statement) else { return Ok(false) };
        let writing = first(time_map(scop, writer));
        let space = Space::set(reading.space().params.clone(), Tuple::anonymous(times));
        let not_before = reading.apply_range(&Map::lex_le(&space)).apply_range(&writing.reverse());
        if !map.intersect(&not_before).is_empty(budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Kept {
    /// Whether reads of new statements have the values that the elements had.
    pub(super) fn is_kept(
        &self,
        scop: &Scop,
        flow: &Flow,
        standing: &[Standing],
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        for Standing { statement, access, old } in standing {
            let Some((_, values)) = self.values.iter().find(|(read, _)| read == old) else { continue };
            let Some(statement) = scop.statements.iter().find(|s| s.name == *statement) else { return Ok(false) };
            let Some(found) = flow.reads.get(&flow::key(statement, *access)) else { return Ok(false) };
            let Some(elements) = elements(statement, *access, self.fixed) else { return Ok(false) };
            let Some(initial) = &found.initial else { return Ok(false) };
            if !found.overlapping.is_empty() || !initial.apply(&elements).is_subset(&values.initial, budget)? {
                return Ok(false);
            }
            for (key, map) in &found.writes {
                let Some(values) = values.writes.get(key) else { return Ok(false) };
                if !map.is_subset(&elements.apply_range(values), budget)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}
