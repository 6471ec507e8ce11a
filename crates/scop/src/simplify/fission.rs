//! Statements in which reads come early, and statements that write one thing only.
//!
//! # Problem
//! A block whose values depend on each other is one statement, whatever it stores. In
//!
//! ```text
//! for i: x = b[i] * c[i]; a[i] = x; b[i] = x * a[i+1];
//! for i: x = d[i]; a[i] = b[i-1] + x; b[i] = b[i+1] - x;
//! ```
//!
//! the first loop is a chain of vectors if `a[i+1]` is read before `a[i]` is written, since only a
//! later iteration writes it; the second one is two, one behind the other, if the statement is cut
//! in two.
//!
//! # Rules
//! * *Early reads*, the node splitting of [Allen1987]: reads of a statement come before its writes,
//!   but for those of what it has written itself.
//! * *Fission*: a statement becomes one for each of its writes, in an order that has reads of an
//!   array where they were, before or behind its writes. Each reads and computes again what its
//!   write needs; or, if that is not what it was any more, it reads what an earlier one has stored.
//!
//! # Legality
//! As everywhere in [`super`], each change is a proposal, kept if every read gets its value from
//! where the read of the same instance got it, and the memory left behind is the same
//! ([`super::flow`]).
//!
//! Whether that pays is not decided here: the driver compares the best schedules with and without.

use std::collections::BTreeSet;

use poly_dependence::Dependence;
use poly_presburger::{Budget, DimKind, Stop, Tuple};

use super::dead::compact_accesses;
use super::flow::{self, AccessKey, Flow, Session, Sources};
use super::forward::is_expensive;
use crate::{Access, AccessId, AccessKind, ArrayId, Instr, InstrKind, Operand, OperandKind, Scop, Statement, ValueId};

/// Most statements that one becomes.
const MAX_PARTS: usize = 16;

/// All parts together have at most so many times the instructions of the whole.
const MAX_COPIES: usize = 3;

/// The SCoP with early reads; `None` if they are early already.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn with_early_reads(scop: &Scop, budget: &mut Budget) -> Result<Option<Scop>, Stop> {
    let mut session = Session::default();
    let mut found: Option<Scop> = None;
    for number in 0..scop.statements.len() {
        let current = found.as_ref().unwrap_or(scop);
        let Some(statement) = early(&current.statements[number]) else { continue };
        let mut proposal = current.clone();
        proposal.statements[number] = statement;
        let before = session.analyse(current, budget)?;
        let after = session.analyse(&proposal, budget)?;
        if flow::preserves(&before, &after, budget)? {
            found = Some(proposal);
        }
    }
    Ok(found)
}

/// The statement with all reads that may be early before its first write; those of which the
/// address or the condition is computed stay where they are.
fn early(statement: &Statement) -> Option<Statement> {
    let is_write = |instr: &Instr| matches!(instr.kind, InstrKind::Write(_));
    let first = statement.body.iter().position(is_write)?;
    let written: Vec<&Access> = statement.accesses.iter().filter(|a| a.kind != AccessKind::Read).collect();
    let may_move = |instr: &Instr| match instr.kind {
        InstrKind::Read(access) => {
            let access = &statement.accesses[access.index()];
            let is_own = |write: &&Access| write.array == access.array && write.relation == access.relation;
            instr.predicate.is_none() && access.exact && !written.iter().any(is_own)
        }
        _ => false,
    };
    let (moved, rest): (Vec<Instr>, Vec<Instr>) = statement.body[first..].iter().cloned().partition(|i| may_move(i));
    if moved.is_empty() {
        return None;
    }
    let mut result = statement.clone();
    result.body.truncate(first);
    result.body.extend(moved.into_iter().chain(rest));
    compact_accesses(&mut result);
    Some(result)
}

/// The SCoP with statements that write one thing each, as far as that is right and may free some of
/// the writes from a cycle of dependences; `None` if there are none. `dependences` are those of the
/// SCoP.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn fissioned(scop: &Scop, dependences: &[Dependence], budget: &mut Budget) -> Result<Option<Scop>, Stop> {
    let mut session = Session::default();
    let mut found: Option<Scop> = None;
    let names: Vec<String> = scop.statements.iter().map(|statement| statement.name.clone()).collect();
    for (original, name) in names.into_iter().enumerate() {
        if !may_come_apart(scop, original, dependences) {
            continue;
        }
        let current = found.as_ref().unwrap_or(scop);
        let Some(number) = current.statements.iter().position(|statement| statement.name == name) else { continue };
        for shared in [Shared::Computed, Shared::Loaded] {
            let Some(parts) = parts_of(current, number, shared) else { continue };
            let before = session.analyse(current, budget)?;
            let Some(expected) = expected(&before, &current.statements[number], &parts) else { continue };
            let Some(proposal) = in_parts(current, number, parts) else { continue };
            let after = session.analyse(&proposal, budget)?;
            let kept = flow::preserves(&expected, &after, budget)?;
            tracing::debug!(statement = name, ?shared, kept, "fission");
            if kept {
                found = Some(proposal);
                break;
            }
        }
    }
    Ok(found)
}

/// Whether some part of a statement may be free of a cycle of dependences that the whole is on.
///
/// In several loops, what is carried by an outer one does not bind the parts inside, so these are
/// always worth a look. In one loop, the parts are nodes of a graph with the other statements, and
/// dependences are edges between those that have their accesses. If the whole is on no cycle, the
/// loop has no order that fission could free it from; if all parts are on one, neither.
fn may_come_apart(scop: &Scop, number: usize, dependences: &[Dependence]) -> bool {
    let whole = &scop.statements[number];
    let made = [Shared::Computed, Shared::Loaded].into_iter().find_map(|shared| parts_of(scop, number, shared));
    let Some(parts) = made else { return false };
    if whole.loops.len() > 1 {
        return true;
    }
    // Parts come first, then the other statements.
    let nodes_of = |(statement, access): (usize, usize)| -> Vec<usize> {
        if statement != number {
            return vec![parts.len() + statement];
        }
        let access = AccessId::from(access);
        let value = whole.value_of(access);
        let is_read = whole.accesses[access.index()].kind == AccessKind::Read;
        let has = |part: &Part| match is_read {
            true => part.statement.body.iter().any(|i| i.value == value && matches!(i.kind, InstrKind::Read(_))),
            false => matches!(whole.body[part.place].kind, InstrKind::Write(own) if own == access),
        };
        (0..parts.len()).filter(|&part| has(&parts[part])).collect()
    };
    let mut edges = Vec::new();
    for dependence in dependences.iter().filter(|d| d.is_ordering()) {
        for from in nodes_of(dependence.source) {
            edges.extend(nodes_of(dependence.sink).into_iter().map(|to| (from, to)));
        }
    }
    let nodes = parts.len() + scop.statements.len();
    if !(0..parts.len()).any(|part| reached(part, nodes, &edges)[..parts.len()].contains(&true)) {
        return false;
    }
    let loaded = parts.iter().enumerate().flat_map(|(to, part)| part.loaded.iter().map(move |&(_, from)| (from, to)));
    edges.extend(loaded);
    let forward: Vec<Vec<bool>> = (0..parts.len()).map(|part| reached(part, nodes, &edges)).collect();
    (1..parts.len()).any(|part| !forward[0][part] || !forward[part][0])
}

/// The nodes that one or more edges lead to from a node.
fn reached(from: usize, nodes: usize, edges: &[(usize, usize)]) -> Vec<bool> {
    let mut seen = vec![false; nodes];
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for &(_, to) in edges.iter().filter(|(source, _)| *source == node) {
            if !std::mem::replace(&mut seen[to], true) {
                open.push(to);
            }
        }
    }
    seen
}

/// What a part does with a value that an earlier one has stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shared {
    /// It computes it again.
    Computed,
    /// It reads what was stored.
    Loaded,
}

/// The parts of a statement, in the order of its writes; `None` if it has one write, or would
/// become too much code.
fn parts_of(scop: &Scop, number: usize, shared: Shared) -> Option<Vec<Part>> {
    let whole = &scop.statements[number];
    let writes: Vec<usize> = (0..whole.body.len()).filter(|&at| whole.body[at].has_effect()).collect();
    let is_plain = |&at: &usize| matches!(whole.body[at].kind, InstrKind::Write(_));
    if writes.len() < 2 || writes.len() > MAX_PARTS || !writes.iter().all(is_plain) {
        return None;
    }
    let mut parts: Vec<Part> = Vec::new();
    for &write in &writes {
        parts.push(part_of(scop, whole, write, (shared, &writes), parts.len())?);
    }
    let instructions: usize = parts.iter().map(|part| part.statement.body.len()).sum();
    (instructions <= MAX_COPIES * whole.body.len()).then_some(parts)
}

/// The SCoP with a statement in parts.
fn in_parts(scop: &Scop, number: usize, parts: Vec<Part>) -> Option<Scop> {
    let whole = &scop.statements[number];
    let mut proposal = scop.clone();
    let (depth, at) = (whole.loops.len(), whole.position[whole.loops.len()]);
    let mut parts = in_order(whole, parts)?;
    for (index, part) in parts.iter_mut().enumerate() {
        part.statement.position[depth] += index;
    }
    for other in &mut proposal.statements {
        let is_beside = other.loops.starts_with(&whole.loops) && other.position[..depth] == whole.position[..depth];
        if is_beside && other.position[depth] > at {
            other.position[depth] += parts.len() - 1;
        }
    }
    proposal.statements.splice(number..=number, parts.into_iter().map(|part| part.statement));
    Some(proposal)
}

/// One of the statements that a statement becomes.
struct Part {
    statement: Statement,
    /// What it writes.
    written: AccessKey,
    /// The array of that, and where in the body of the whole it is written.
    array: ArrayId,
    place: usize,
    /// Values that it reads where earlier parts have stored them, with the part.
    loaded: Vec<(ValueId, usize)>,
}

/// The part that executes one write.
fn part_of(
    scop: &Scop,
    whole: &Statement,
    write: usize,
    (shared, writes): (Shared, &[usize]),
    index: usize,
) -> Option<Part> {
    // What earlier parts have stored, always and in memory.
    let stored = |value: ValueId| {
        let find = |&place: &usize| match whole.body[writes[place]].kind {
            InstrKind::Write(access) => {
                let access = &whole.accesses[access.index()];
                let operand = whole.body[writes[place]].operands.first();
                let is_it = operand.is_some_and(|o| o.kind == OperandKind::Local && o.value == value);
                let same_type = !scop.arrays[access.array.index()].element.is_mixed();
                is_it && same_type && access.exact && access.kind == AccessKind::MustWrite
            }
            _ => false,
        };
        (0..index).rev().find(find).filter(|_| shared == Shared::Loaded)
    };
    let is_read = |value: ValueId| {
        whole.body.iter().any(|instr| instr.value == value && matches!(instr.kind, InstrKind::Read(_)))
    };
    let (mut body, mut loaded, mut needed) = (Vec::new(), Vec::new(), BTreeSet::new());
    let mut accesses = whole.accesses.clone();
    for (at, instr) in whole.body.iter().enumerate().take(write + 1).rev() {
        if at != write && (instr.has_effect() || !needed.contains(&instr.value)) {
            continue;
        }
        if at != write
            && !is_read(instr.value)
            && let Some(place) = stored(instr.value)
        {
            let InstrKind::Write(access) = whole.body[writes[place]].kind else { return None };
            let read = Access { kind: AccessKind::Read, ..whole.accesses[access.index()].clone() };
            let kind = InstrKind::Read(AccessId::from(accesses.len()));
            accesses.push(read);
            body.push(Instr { kind, value: instr.value, operands: Vec::<Operand>::new(), predicate: None });
            loaded.push((instr.value, place));
            continue;
        }
        let repeated = match instr.kind {
            InstrKind::Loop { .. } | InstrKind::Result | InstrKind::Stop { .. } => return None,
            InstrKind::Compute { errno: None, .. } => !is_expensive(instr),
            InstrKind::Compute { .. } => false,
            _ => true,
        };
        if !repeated && writes.iter().filter(|&&w| uses(whole, w, instr.value)).count() > 1 {
            return None;
        }
        needed.extend(instr.locals());
        body.push(instr.clone());
    }
    body.reverse();
    let name = format!("{}_{index}", whole.name);
    if scop.statements.iter().any(|statement| statement.name == name) {
        return None;
    }
    let tuple = Tuple::named(&*name, whole.loops.len());
    for access in &mut accesses {
        access.relation = access.relation.set_tuple(DimKind::In, tuple.clone());
    }
    let domain = whole.domain.set_tuple(tuple);
    let mut statement = Statement { name: name.clone(), domain, accesses, body, ..whole.clone() };
    compact_accesses(&mut statement);
    let InstrKind::Write(access) = whole.body[write].kind else { return None };
    let written = AccessKey { statement: name, value: whole.value_of(access), write: true };
    let array = whole.accesses[access.index()].array;
    Some(Part { statement, written, array, place: write, loaded })
}

/// The parts in an order in which each reads an array before or behind those that write it as the
/// whole does, as near to that of the writes as possible; `None` if there is none. Different
/// elements are not told apart here.
fn in_order(whole: &Statement, parts: Vec<Part>) -> Option<Vec<Part>> {
    let place = |value: ValueId| {
        whole.body.iter().position(|instr| instr.value == value && matches!(instr.kind, InstrKind::Read(_)))
    };
    // Array and place of what a part reads as the whole does.
    let reads = |part: &Part| -> Vec<(ArrayId, usize)> {
        let of = |instr: &Instr| match instr.kind {
            InstrKind::Read(access) => Some((part.statement.accesses[access.index()].array, place(instr.value)?)),
            _ => None,
        };
        part.statement.body.iter().filter_map(of).collect()
    };
    let read: Vec<Vec<(ArrayId, usize)>> = parts.iter().map(reads).collect();
    let is_before = |a: usize, b: usize| {
        let goes_first = |&(array, place): &(ArrayId, usize)| array == parts[b].array && place < parts[b].place;
        let goes_last = |&(array, place): &(ArrayId, usize)| array == parts[a].array && place > parts[a].place;
        read[a].iter().any(goes_first)
            || read[b].iter().any(goes_last)
            || parts[b].loaded.iter().any(|&(_, from)| from == a)
    };
    let (mut left, mut order): (Vec<usize>, Vec<usize>) = ((0..parts.len()).collect(), Vec::new());
    while !left.is_empty() {
        let first = left.iter().position(|&b| !left.iter().any(|&a| a != b && is_before(a, b)))?;
        order.push(left.remove(first));
    }
    let mut parts: Vec<Option<Part>> = parts.into_iter().map(Some).collect();
    order.into_iter().map(|index| parts[index].take()).collect()
}

/// Whether what is written somewhere in the body is computed from a value.
fn uses(statement: &Statement, write: usize, value: ValueId) -> bool {
    let mut needed: BTreeSet<ValueId> = statement.body[write].locals().collect();
    for instr in statement.body[..write].iter().rev() {
        if needed.contains(&instr.value) {
            needed.extend(instr.locals());
        }
    }
    needed.contains(&value)
}

/// The dataflow of the whole, said of its parts; `None` if it is not known which part a value comes
/// from.
fn expected(before: &Flow, whole: &Statement, parts: &[Part]) -> Option<Flow> {
    let writer = |value: ValueId| {
        let mut writers = parts.iter().filter(move |part| part.written.value == value);
        let first = writers.next();
        first.filter(|_| writers.next().is_none())
    };
    let name = |part: &Part| part.statement.domain.tuple_name().cloned();
    let sources_of = |sources: &Sources| {
        let mut result = Sources { initial: sources.initial.clone(), ..Sources::default() };
        let lists = [(&sources.writes, &mut result.writes), (&sources.overlapping, &mut result.overlapping)];
        for (all, result) in lists {
            for (key, map) in all {
                if key.statement == whole.name {
                    let part = writer(key.value)?;
                    flow::add(result, part.written.clone(), map.set_tuple_name(DimKind::Out, name(part)));
                } else {
                    flow::add(result, key.clone(), map.clone());
                }
            }
        }
        Some(result)
    };
    let mut result = Flow::default();
    for (key, sources) in &before.reads {
        let sources = sources_of(sources)?;
        if key.statement != whole.name {
            result.reads.insert(key.clone(), sources);
        }
    }
    for part in parts {
        for instr in part.statement.body.iter().filter(|instr| matches!(instr.kind, InstrKind::Read(_))) {
            let key = AccessKey { statement: part.statement.name.clone(), value: instr.value, write: false };
            let own = match part.loaded.iter().find(|(value, _)| *value == instr.value) {
                Some(&(_, place)) => from_part(part, &parts[place]),
                None => {
                    let original = AccessKey { statement: whole.name.clone(), ..key.clone() };
                    let sources = sources_of(before.reads.get(&original)?)?;
                    renamed(&sources, part)
                }
            };
            result.reads.insert(key, own);
        }
    }
    for ((key, array), map) in &before.survivors {
        if key.statement != whole.name {
            result.survivors.insert((key.clone(), array.clone()), map.clone());
            continue;
        }
        let part = writer(key.value)?;
        result.survivors.insert((part.written.clone(), array.clone()), map.set_tuple_name(DimKind::In, name(part)));
    }
    Some(result)
}

/// The same instance of another part.
fn from_part(part: &Part, stored: &Part) -> Sources {
    let domain = &part.statement.domain;
    let same = domain.identity().set_tuple_name(DimKind::Out, stored.statement.domain.tuple_name().cloned());
    let mut sources = Sources { initial: None, ..Sources::default() };
    sources.writes.insert(stored.written.clone(), same);
    sources
}

/// The sources of a read of the whole, for the same read of a part.
fn renamed(sources: &Sources, part: &Part) -> Sources {
    let name = || part.statement.domain.tuple_name().cloned();
    let of = |all: &std::collections::BTreeMap<AccessKey, poly_presburger::Map>| {
        all.iter().map(|(key, map)| (key.clone(), map.set_tuple_name(DimKind::In, name()))).collect()
    };
    Sources {
        writes: of(&sources.writes),
        overlapping: of(&sources.overlapping),
        initial: sources.initial.as_ref().map(|set| set.set_tuple_name(name())),
    }
}
