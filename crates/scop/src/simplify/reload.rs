//! Loads carried over iterations undone: a PHI node that holds what some array element holds is
//! read from that element.
//!
//! # Problem
//! LLVM loads an element once and keeps it for the iterations that use it again: `A[j + 1]` of one
//! iteration is `A[j]` of the next and travels through PHI nodes. These are written in every
//! iteration, and the order of the loops around them could never change.
//!
//! # Method
//! Follow a read of the scalar to the instances that wrote the value (dataflow). If each of them
//! had loaded the value from memory, or stored it there, that names an element for every reading
//! instance; if this is one affine function, propose to read that element instead. A value that no
//! statement computes, as the first one of a row, may have been stored by another statement of the
//! same iteration.
//!
//! # Legality
//! The proposal is kept if the new read gets the value from the same write that the carried value
//! came from (the source of the original load, or the store itself), and everything else stays as
//! it is.

use poly_presburger::{BasicMap, Budget, DimKind, Map, Stop};

use super::accumulate::prefix_map;
use super::flow::{self, AccessKey, Flow, Session, Sources};
use super::forward::through;
use crate::{
    AccessId, AccessKind, ArrayId, ArrayKind, InstrKind, Operand, OperandKind, ScalarKind, Scop, Statement, ValueId,
};

/// Reads PHI nodes from memory where it holds their value.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn reload_carried(scop: &mut Scop, session: &mut Session, budget: &mut Budget) -> Result<(), Stop> {
    if phi_reads(scop).is_empty() {
        return Ok(());
    }
    let mut flow = session.analyse(scop, budget)?;
    // What one PHI node passes to another can be read from memory once the former is.
    loop {
        let mut redirections = Vec::new();
        for (user, access) in phi_reads(scop) {
            redirections.extend(propose(scop, user, access, &flow, budget)?);
        }
        if !accept(scop, session, &mut flow, &redirections, budget)? {
            return Ok(());
        }
    }
}

/// Lets an unconditional read of a scalar read the element where its writers have loaded the value
/// or stored it, if that is right.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn reload_stored(
    scop: &mut Scop,
    session: &mut Session,
    flow: &mut Flow,
    (user, access): (usize, AccessId),
    budget: &mut Budget,
) -> Result<bool, Stop> {
    if scop.statements[user].is_conditional(access) {
        return Ok(false);
    }
    let redirections: Vec<Redirection> = propose(scop, user, access, flow, budget)?.into_iter().collect();
    accept(scop, session, flow, &redirections, budget)
}

/// Makes those of some changes that are right. All of them together are tried first, since they
/// mostly are; then each half. They do not depend on each other: what each of them expects is said
/// in terms of accesses that none of them changes. The recursion halves the list.
fn accept(
    scop: &mut Scop,
    session: &mut Session,
    flow: &mut Flow,
    redirections: &[Redirection],
    budget: &mut Budget,
) -> Result<bool, Stop> {
    if redirections.is_empty() {
        return Ok(false);
    }
    let mut proposal = scop.clone();
    let mut expected = flow.clone();
    for redirection in redirections {
        let changed = &mut proposal.statements[redirection.user].accesses[redirection.access.index()];
        changed.array = redirection.array;
        changed.relation = redirection.relation.clone();
        changed.exact = true;
        expected.reads.insert(redirection.key.clone(), redirection.expected.clone());
    }
    let after = session.analyse(&proposal, budget)?;
    let kept = flow::preserves(&expected, &after, budget)?;
    tracing::debug!(reads = redirections.len(), kept, "carried loads");
    if kept {
        *scop = proposal;
        *flow = after;
        return Ok(true);
    }
    if redirections.len() == 1 {
        return Ok(false);
    }
    let (first, second) = redirections.split_at(redirections.len() / 2);
    let first = accept(scop, session, flow, first, budget)?;
    let second = accept(scop, session, flow, second, budget)?;
    Ok(first || second)
}

/// Unconditional reads of PHI nodes that are not used after the region.
fn phi_reads(scop: &Scop) -> Vec<(usize, AccessId)> {
    let mut result = Vec::new();
    for (index, statement) in scop.statements.iter().enumerate() {
        for instr in statement.body.iter().filter(|i| i.predicate.is_none()) {
            let InstrKind::Read(access) = instr.kind else { continue };
            let array = &scop.arrays[statement.accesses[access.index()].array.index()];
            if matches!(array.kind, ArrayKind::Scalar { kind: ScalarKind::Phi, live_out: false, .. }) {
                result.push((index, access));
            }
        }
    }
    result
}

/// An element as a function of the instances of a statement that has its content as a value.
struct Content {
    array: ArrayId,
    relation: Map,
    /// The access that loaded or stored the value.
    key: AccessKey,
    /// From instances of the statement to those of the one that stored it, if that is another one.
    to_other: Option<Map>,
}

/// The element that holds a value when the statement is done with it.
fn content(scop: &Scop, statement: &Statement, value: ValueId) -> Option<Content> {
    let in_memory = |access: AccessId| {
        let access = &statement.accesses[access.index()];
        let memory = !scop.arrays[access.array.index()].is_scalar();
        (memory && access.exact && access.kind != AccessKind::MayWrite).then_some(access)
    };
    let executed = || statement.body.iter().filter(|i| i.predicate.is_none());
    let loaded = executed().find_map(|instr| match instr.kind {
        InstrKind::Read(access) if instr.value == value => Some((in_memory(access)?, access)),
        _ => None,
    });
    let stored = || {
        executed().find_map(|instr| match instr.kind {
            InstrKind::Write(access) if instr.operands.first().is_some_and(|o| o.value == value) => {
                Some((in_memory(access)?, access))
            }
            _ => None,
        })
    };
    let (access, id) = loaded.or_else(stored)?;
    Some(Content {
        array: access.array,
        relation: access.relation.clone(),
        key: flow::key(statement, id),
        to_other: None,
    })
}

/// The element, of an array if one is given, that another statement stores a value to which the one
/// that writes it does not compute: in the same iteration of the same loops it is the same value.
fn stored_beside(
    scop: &Scop,
    statement: &Statement,
    (value, array): (ValueId, Option<ArrayId>),
    budget: &mut Budget,
) -> Result<Option<Content>, Stop> {
    let is_given = |operand: &Operand| operand.value == value && operand.kind != OperandKind::Local;
    let is_given_to = |s: &Statement| s.body.iter().any(|instr| instr.operands.first().is_some_and(is_given));
    if !is_given_to(statement) {
        return Ok(None);
    }
    for other in scop.statements.iter().filter(|other| other.loops == statement.loops && is_given_to(other)) {
        let is_wanted = |content: &Content| content.key.write && array.is_none_or(|array| content.array == array);
        let Some(content) = content(scop, other, value).filter(is_wanted) else { continue };
        let to_other = prefix_map(statement, other, statement.loops.len());
        let executed = to_other.intersect_domain(&statement.domain).range();
        if executed.is_subset(&other.domain, budget)? {
            let relation = to_other.apply_range(&content.relation);
            return Ok(Some(Content { relation, to_other: Some(to_other), ..content }));
        }
    }
    Ok(None)
}

/// Another element for a read.
struct Redirection {
    user: usize,
    access: AccessId,
    array: ArrayId,
    relation: Map,
    /// The name of the read.
    key: AccessKey,
    /// Where it must get its values from.
    expected: Sources,
}

/// The element that has what a read of a PHI node reads.
fn propose(
    scop: &Scop,
    user: usize,
    access: AccessId,
    flow: &Flow,
    budget: &mut Budget,
) -> Result<Option<Redirection>, Stop> {
    let statement = &scop.statements[user];
    let key = flow::key(statement, access);
    let Some(sources) = flow.reads.get(&key) else { return Ok(None) };
    if let Some(initial) = &sources.initial
        && !initial.is_empty(budget)?
    {
        return Ok(None);
    }
    let mut target: Option<(ArrayId, Map)> = None;
    let mut expected = Sources::default();
    let mut contents: Vec<(&Map, Content)> = Vec::new();
    let mut given: Vec<(&AccessKey, &Statement, &Map)> = Vec::new();
    for (writer, to_writer) in &sources.writes {
        let found = scop.statements.iter().find(|s| s.name == writer.statement);
        let Some(source) = found else { return Ok(None) };
        match content(scop, source, writer.value) {
            Some(content) => contents.push((to_writer, content)),
            None => given.push((writer, source, to_writer)),
        }
    }
    // The same value may be stored to several arrays.
    let array = contents.first().map(|(_, content)| content.array);
    for (writer, source, to_writer) in given {
        let Some(content) = stored_beside(scop, source, (writer.value, array), budget)? else { return Ok(None) };
        contents.push((to_writer, content));
    }
    for (to_writer, content) in contents {
        let element = to_writer.apply_range(&content.relation);
        target = match target {
            None => Some((content.array, element)),
            Some((array, known)) if array == content.array => Some((array, known.union(&element))),
            Some(_) => return Ok(None),
        };
        let origin = if content.key.write {
            let to_store = content.to_other.as_ref().map(|to_other| to_writer.apply_range(to_other));
            let writes = [(content.key.clone(), to_store.unwrap_or_else(|| to_writer.clone()))];
            Sources { writes: writes.into(), ..Sources::default() }
        } else {
            let Some(origin) = flow.reads.get(&content.key) else { return Ok(None) };
            through(origin, to_writer, budget)?
        };
        expected = united(expected, origin);
    }
    let Some((array, elements)) = target else { return Ok(None) };
    let scalar = &scop.arrays[statement.accesses[access.index()].array.index()];
    if scop.arrays[array.index()].element != scalar.element {
        return Ok(None);
    }
    let Some(relation) = as_function(&elements, budget)? else { return Ok(None) };
    Ok(Some(Redirection { user, access, array, relation, key, expected }))
}

/// Both sources.
fn united(mut a: Sources, b: Sources) -> Sources {
    b.writes.into_iter().for_each(|(key, map)| flow::add(&mut a.writes, key, map));
    b.overlapping.into_iter().for_each(|(key, map)| flow::add(&mut a.overlapping, key, map));
    a.initial = match (a.initial, b.initial) {
        (Some(one), Some(other)) => Some(one.union(&other)),
        (one, other) => one.or(other),
    };
    a
}

/// The affine function that agrees with a relation on its domain, if there is one.
fn as_function(relation: &Map, budget: &mut Budget) -> Result<Option<Map>, Stop> {
    let hull = relation.affine_hull(budget)?;
    if hull.n_div() > 0 {
        return Ok(None);
    }
    let outputs = hull.offset(DimKind::Out)..hull.offset(DimKind::Out) + hull.dim(DimKind::Out);
    let mut function = BasicMap::universe(hull.space().clone());
    let mut defined = 0;
    for row in hull.eqs().iter().filter(|row| row[outputs.clone()].iter().any(|x| !x.is_zero())) {
        function.add_eq(row.clone());
        defined += 1;
    }
    if defined != outputs.len() {
        return Ok(None);
    }
    let function = Map::from_basic(function);
    let same = function.intersect_domain(&relation.domain()).is_equal(relation, budget)?;
    Ok(same.then_some(function))
}
