//! Statements that read what several others have written, split by where the value comes from.
//!
//! # Problem
//! Behind affine conditions, a PHI node holds the value of one block for some iterations and that
//! of another block for the others. Its reader cannot compute the value again, because what is
//! computed depends on the iteration; and the scalar keeps all iterations in their order.
//!
//! # Method
//! The reader becomes one statement for each writer, on the part of its domain for which dataflow
//! says that the value is that writer's, and each of them computes the value itself, as in
//! [`super::forward`]. The parts stand at the same place of the text; their domains have nothing in
//! common. This is proposed where nobody else reads the scalar, which so disappears.
//!
//! # Legality
//! As everywhere in [`super`]: every read of each part gets its value from where the same instance
//! of the whole statement got it, the copied reads see what the writer saw, everything else is as
//! it was, with the whole statement's parts for itself.

use std::collections::BTreeMap;

use poly_presburger::{Budget, DimKind, Map, Set, Stop, Tuple};

use super::accumulate::prefix_map;
use super::dead::compact_accesses;
use super::flow::{self, AccessKey, Flow, Session, Sources};
use super::forward::{is_expensive, operand_tree, splice, through};
use crate::{AccessId, AccessKind, ArrayKind, Instr, InstrKind, Operand, OperandKind, ScalarKind, Scop, Statement};

/// Most writers of one scalar.
const MAX_PARTS: usize = 4;

/// Splits readers where that removes a scalar.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn split_readers(scop: &mut Scop, session: &mut Session, budget: &mut Budget) -> Result<(), Stop> {
    let mut refused = Vec::new();
    let mut known = None;
    while let Some((user, access)) = lone_reads(scop).into_iter().find(|(user, access)| {
        let key = flow::key(&scop.statements[*user], *access);
        !refused.contains(&key)
    }) {
        budget.spend(1)?;
        let before = match known.take() {
            Some(flow) => flow,
            None => session.analyse(scop, budget)?,
        };
        let before = known.insert(before);
        refused.push(flow::key(&scop.statements[user], access));
        let Some(parts) = parts(scop, user, access, before, budget)? else { continue };
        let Some((proposal, expected)) = propose(scop, user, access, parts, before, budget)? else { continue };
        let after = session.analyse(&proposal, budget)?;
        let kept = flow::preserves(&expected, &after, budget)?;
        tracing::debug!(statement = scop.statements[user].name, kept, "reader split");
        if kept {
            (*scop, known) = (proposal, Some(after));
        }
    }
    Ok(())
}

/// Unconditional reads of PHI nodes that are read nowhere else.
fn lone_reads(scop: &Scop) -> Vec<(usize, AccessId)> {
    let mut reads = vec![Vec::new(); scop.arrays.len()];
    for (index, statement) in scop.statements.iter().enumerate() {
        for (number, access) in statement.accesses.iter().enumerate().filter(|(_, a)| a.kind == AccessKind::Read) {
            reads[access.array.index()].push((index, AccessId::from(number)));
        }
    }
    let is_phi = |array: usize| {
        matches!(scop.arrays[array].kind, ArrayKind::Scalar { kind: ScalarKind::Phi, live_out: false, .. })
    };
    let lone = (0..scop.arrays.len()).filter(|&array| is_phi(array) && reads[array].len() == 1).map(|a| reads[a][0]);
    lone.filter(|&(user, access)| !scop.statements[user].is_conditional(access)).collect()
}

/// The part of a statement that reads the value of one writer.
struct Part {
    /// A copy of the whole statement on the part of its domain.
    statement: Statement,
    writer: usize,
    /// What the writer writes.
    written: Operand,
    /// From instances of the part to those of the writer in the same iterations, which have written
    /// the value.
    to_writer: Map,
}

/// The parts of a statement by the sources of a read, if these are several in the same iteration.
fn parts(
    scop: &Scop,
    user: usize,
    access: AccessId,
    flow: &Flow,
    budget: &mut Budget,
) -> Result<Option<Vec<Part>>, Stop> {
    let whole = &scop.statements[user];
    let Some(sources) = flow.reads.get(&flow::key(whole, access)) else { return Ok(None) };
    if sources.writes.len() < 2 || sources.writes.len() > MAX_PARTS {
        return Ok(None);
    }
    if let Some(initial) = &sources.initial
        && !initial.is_empty(budget)?
    {
        return Ok(None);
    }
    let mut parts: Vec<Part> = Vec::new();
    for (number, (key, map)) in sources.writes.iter().enumerate() {
        let found = scop.statements.iter().position(|s| s.name == key.statement);
        let Some(writer) = found.filter(|&writer| writer != user) else { return Ok(None) };
        let source = &scop.statements[writer];
        let Some(written) = written(source, whole.accesses[access.index()].array) else { return Ok(None) };
        let domain = map.domain().coalesce(budget)?;
        let is_deeper = whole.loops.len() > source.loops.len();
        if !whole.loops.starts_with(&source.loops)
            || written.value != key.value
            || (is_deeper && source.body.iter().any(is_expensive))
            || domain.basics().len() != 1
        {
            return Ok(None);
        }
        let same_iteration = prefix_map(whole, source, source.loops.len());
        if !map.is_equal(&same_iteration.intersect_domain(&domain), budget)? {
            return Ok(None);
        }
        let statement = part_of(whole, unused_name(scop, &whole.name, number), &domain);
        let to_writer = prefix_map(&statement, source, source.loops.len());
        parts.push(Part { statement, writer, written, to_writer });
    }
    for (number, part) in parts.iter().enumerate() {
        for other in &parts[..number] {
            let renamed = part.statement.domain.set_tuple_name(other.statement.domain.tuple_name().cloned());
            if !renamed.intersect(&other.statement.domain).is_empty(budget)? {
                return Ok(None);
            }
        }
    }
    Ok(Some(parts))
}

/// A copy of a statement on a part of its domain.
pub(super) fn part_of(whole: &Statement, name: String, domain: &Set) -> Statement {
    let tuple = Tuple::named(&*name, whole.loops.len());
    let mut statement = whole.clone();
    statement.domain = whole.domain.intersect(domain).set_tuple(tuple.clone());
    for access in &mut statement.accesses {
        access.relation = access.relation.set_tuple(DimKind::In, tuple.clone());
    }
    Statement { name, ..statement }
}

/// What a statement writes to a scalar, if it does so once and always.
fn written(source: &Statement, array: crate::ArrayId) -> Option<Operand> {
    let writes = source.body.iter().filter_map(|instr| match instr.kind {
        InstrKind::Write(access) if source.accesses[access.index()].array == array => Some((instr, access)),
        _ => None,
    });
    let writes: Vec<(&Instr, AccessId)> = writes.collect();
    match writes[..] {
        [(instr, access)] if source.accesses[access.index()].kind == AccessKind::MustWrite => {
            instr.operands.first().copied()
        }
        _ => None,
    }
}

/// A name for a part of a statement.
pub(super) fn unused_name(scop: &Scop, name: &str, number: usize) -> String {
    let mut candidates = (number..).map(|n| format!("{name}_{n}"));
    let is_used = |candidate: &String| scop.statements.iter().any(|s| s.name == *candidate);
    candidates.find(|candidate| !is_used(candidate)).expect("there are enough numbers")
}

/// The SCoP with the statement in parts, and the dataflow that it must have.
fn propose(
    scop: &Scop,
    user: usize,
    access: AccessId,
    parts: Vec<Part>,
    before: &Flow,
    budget: &mut Budget,
) -> Result<Option<(Scop, Flow)>, Stop> {
    let whole = &scop.statements[user];
    let removed = flow::key(whole, access);
    let mut expected = in_parts(before, &whole.name, &parts);
    let mut statements = Vec::new();
    for Part { mut statement, writer, written, to_writer } in parts {
        let source = &scop.statements[writer];
        expected.reads.remove(&AccessKey { statement: statement.name.clone(), ..removed.clone() });
        let Some(position) = statement.body.iter().position(|i| i.kind == InstrKind::Read(access)) else {
            return Ok(None);
        };
        // The value goes on under the name of the PHI node.
        let copy = Instr { kind: InstrKind::Choose, value: removed.value, operands: vec![written], predicate: None };
        statement.body.insert(position + 1, copy);
        if written.kind == OperandKind::Local {
            statement.body[position].value = written.value;
            let Some(tree) = operand_tree(source, written.value) else { return Ok(None) };
            let Some(copied) = splice(&mut statement, source, &tree, access, &to_writer) else { return Ok(None) };
            for value in copied {
                let original = AccessKey { statement: source.name.clone(), value, write: false };
                let Some(sources) = expected.reads.get(&original) else { return Ok(None) };
                let seen = through(sources, &to_writer.intersect_domain(&statement.domain), budget)?;
                expected.reads.insert(AccessKey { statement: statement.name.clone(), value, write: false }, seen);
            }
        } else if source.loops == whole.loops {
            statement.body.remove(position);
            compact_accesses(&mut statement);
        } else {
            return Ok(None);
        }
        statements.push(statement);
    }
    let mut proposal = scop.clone();
    proposal.statements.splice(user..=user, statements);
    Ok(Some((proposal, expected)))
}

/// What a dataflow is when a statement is in parts.
fn in_parts(flow: &Flow, whole: &str, parts: &[Part]) -> Flow {
    let named = |key: &AccessKey, part: &Part| AccessKey { statement: part.statement.name.clone(), ..key.clone() };
    let name = |part: &Part| part.statement.domain.tuple_name().cloned();
    // Instances of the parts on one side of a relation.
    let here = |map: &Map, kind: DimKind, part: &Part| {
        let map = map.set_tuple_name(kind, name(part));
        match kind {
            DimKind::In => map.intersect_domain(&part.statement.domain),
            _ => map.intersect_range(&part.statement.domain),
        }
    };
    let sources_in_parts = |sources: &Sources| {
        let mut result = Sources { initial: sources.initial.clone(), ..Sources::default() };
        let lists = [(&sources.writes, &mut result.writes), (&sources.overlapping, &mut result.overlapping)];
        for (all, result) in lists {
            for (key, map) in all {
                if key.statement == whole {
                    result.extend(parts.iter().map(|part| (named(key, part), here(map, DimKind::Out, part))));
                } else {
                    result.insert(key.clone(), map.clone());
                }
            }
        }
        result
    };
    let mut result = Flow::default();
    for (key, sources) in &flow.reads {
        let sources = sources_in_parts(sources);
        if key.statement != whole {
            result.reads.insert(key.clone(), sources);
            continue;
        }
        for part in parts {
            let of_part = |all: &BTreeMap<AccessKey, Map>| {
                all.iter().map(|(key, map)| (key.clone(), here(map, DimKind::In, part))).collect()
            };
            let initial = sources.initial.as_ref();
            let initial = initial.map(|set| set.set_tuple_name(name(part)).intersect(&part.statement.domain));
            result.reads.insert(
                named(key, part),
                Sources { writes: of_part(&sources.writes), overlapping: of_part(&sources.overlapping), initial },
            );
        }
    }
    for ((key, array), map) in &flow.survivors {
        if key.statement == whole {
            let survivors = parts.iter().map(|part| ((named(key, part), array.clone()), here(map, DimKind::In, part)));
            result.survivors.extend(survivors);
        } else {
            result.survivors.insert((key.clone(), array.clone()), map.clone());
        }
    }
    result
}
