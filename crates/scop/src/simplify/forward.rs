//! Operand trees copied into their users: a value that another statement computed from loads and
//! pure operations is computed where it is needed. Where that would read other scalars in its
//! place, and the value is stored anyway, it is read from there instead.

use poly_presburger::{Budget, Map, Stop};

use super::accumulate::prefix_map;
use super::dead::compact_accesses;
use super::flow::{self, Flow, Session, Sources};
use super::reload;
use crate::{Access, AccessId, AccessKind, ArrayId, ArrayKind, Instr, InstrKind, ScalarKind, Scop, Statement, ValueId};

/// Longest operand tree that is copied.
const MAX_TREE: usize = 24;

/// Forwards values into their users where that is possible and does not repeat expensive operations
/// in deeper loops.
///
/// # Errors
/// [`Stop`] when the budget runs out; what has been forwarded until then stays.
pub fn forward_trees(scop: &mut Scop, session: &mut Session, budget: &mut Budget) -> Result<(), Stop> {
    let outcome = forward_reads(scop, session, budget);
    for statement in &mut scop.statements {
        compact_accesses(statement);
    }
    outcome
}

/// The same with redirected accesses left where they were.
fn forward_reads(scop: &mut Scop, session: &mut Session, budget: &mut Budget) -> Result<(), Stop> {
    let mut current: Option<Flow> = None;
    for (user, access) in scalar_reads(scop) {
        let Some(proposal) = propose(scop, user, access) else {
            continue;
        };
        let mut before = match current.take() {
            Some(flow) => flow,
            None => session.analyse(scop, budget)?,
        };
        if proposal.copies_scalars && reload::reload_stored(scop, session, &mut before, (user, access), budget)? {
            current = Some(before);
            continue;
        }
        let after = proposal.flow(scop, session, budget)?;
        if is_valid(scop, &proposal, &before, &after, budget)? {
            if proposal.only_reads(scop) {
                before.reads.remove(&proposal.removed);
                before.reads.extend(after.reads);
                current = Some(before);
            } else {
                current = Some(after);
            }
            *scop = proposal.scop;
        } else {
            current = Some(before);
        }
    }
    Ok(())
}

/// Reads of value scalars, by statement and access index. Redirected accesses keep their index
/// while proposals are made.
fn scalar_reads(scop: &Scop) -> Vec<(usize, AccessId)> {
    let mut result = Vec::new();
    for (index, statement) in scop.statements.iter().enumerate() {
        for (access, info) in statement.accesses.iter().enumerate() {
            let value =
                matches!(scop.arrays[info.array.index()].kind, ArrayKind::Scalar { kind: ScalarKind::Value, .. });
            if value && info.kind == AccessKind::Read {
                result.push((index, AccessId::from(access)));
            }
        }
    }
    result
}

/// A SCoP in which one scalar read has been replaced by the computation of the value.
struct Proposal {
    scop: Scop,
    user: usize,
    definition: usize,
    /// Values whose reads were copied from the definition to the user.
    copied_reads: Vec<ValueId>,
    /// Some of them are reads of scalars.
    copies_scalars: bool,
    /// Key of the scalar read that has gone.
    removed: flow::AccessKey,
}

impl Proposal {
    /// Whether all other accesses are executed in the same order as before. Then they get and leave
    /// what they did, as the copied ones only read.
    fn only_reads(&self, scop: &Scop) -> bool {
        let after = &self.scop.statements[self.user];
        let is_gone = (0..after.accesses.len()).all(|a| flow::key(after, AccessId::from(a)) != self.removed);
        is_gone && is_in_order(&scop.statements[self.user])
    }

    /// What the accesses get that are not as before; all accesses where it is not known which these
    /// are.
    fn flow(&self, scop: &Scop, session: &mut Session, budget: &mut Budget) -> Result<Flow, Stop> {
        if !self.only_reads(scop) {
            return session.analyse(&self.scop, budget);
        }
        let user = &self.scop.statements[self.user];
        let is_copied = |&access: &usize| {
            let is_read = user.accesses[access].kind == AccessKind::Read;
            is_read && self.copied_reads.contains(&user.value_of(AccessId::from(access)))
        };
        let copied: Vec<(usize, usize)> =
            (0..user.accesses.len()).filter(is_copied).map(|access| (self.user, access)).collect();
        session.sources_of(&self.scop, &copied, budget)
    }
}

/// Whether the accesses are numbered as the body executes them.
fn is_in_order(statement: &Statement) -> bool {
    let mut compact = statement.clone();
    compact_accesses(&mut compact);
    compact.body == statement.body
}

fn propose(scop: &Scop, user: usize, access: AccessId) -> Option<Proposal> {
    let target = &scop.statements[user];
    let read = target.accesses.get(access.index())?;
    let definition = only_writer(scop, read.array)?;
    let source = &scop.statements[definition];
    if definition == user || !target.loops.starts_with(&source.loops) {
        return None;
    }
    let writing = source.accesses.iter().position(|a| a.array == read.array)?;
    let written = source.value_of(AccessId::from(writing));
    let tree = operand_tree(source, written)?;
    let deeper = target.loops.len() > source.loops.len();
    if deeper && tree.iter().any(|&i| is_expensive(&source.body[i])) {
        return None;
    }
    let to_source = prefix_map(target, source, source.loops.len());
    let reads_scalar = |&i: &usize| match source.body[i].kind {
        InstrKind::Read(read) => scop.arrays[source.accesses[read.index()].array.index()].is_scalar(),
        _ => false,
    };
    let copies_scalars = tree.iter().any(reads_scalar);
    let mut result = scop.clone();
    let statement = &mut result.statements[user];
    let copied_reads = splice(statement, source, &tree, access, &to_source)?;
    Some(Proposal { removed: flow::key(target, access), scop: result, user, definition, copied_reads, copies_scalars })
}

fn only_writer(scop: &Scop, array: ArrayId) -> Option<usize> {
    let mut writers = scop
        .statements
        .iter()
        .enumerate()
        .filter(|(_, s)| s.accesses.iter().any(|a| a.array == array && a.kind == AccessKind::MustWrite));
    let first = writers.next()?.0;
    writers.next().is_none().then_some(first)
}

/// Positions in the body of `source` that compute `value`, in order; `None` when one of them cannot
/// be repeated.
pub(crate) fn operand_tree(source: &Statement, value: ValueId) -> Option<Vec<usize>> {
    let mut wanted = vec![value];
    let mut tree = Vec::new();
    for (position, instr) in source.body.iter().enumerate().rev() {
        if matches!(instr.kind, InstrKind::Write(_)) || !wanted.contains(&instr.value) {
            continue;
        }
        if matches!(instr.kind, InstrKind::Compute { speculatable: false, .. } | InstrKind::Loop { .. }) {
            return None;
        }
        wanted.extend(instr.locals());
        tree.push(position);
    }
    tree.reverse();
    (!tree.is_empty() && tree.len() <= MAX_TREE).then_some(tree)
}

pub(super) fn is_expensive(instr: &Instr) -> bool {
    match &instr.kind {
        InstrKind::Compute { opcode, .. } => {
            matches!(opcode.as_str(), "fdiv" | "frem" | "sdiv" | "udiv" | "srem" | "urem")
                || !(opcode.starts_with("llvm.fmuladd") || opcode.starts_with("llvm.fma."))
                    && (opcode.contains('.') || opcode.starts_with("call"))
        }
        _ => false,
    }
}

/// Puts the tree in place of the scalar read `access`. Returns the values of the copied reads.
pub(crate) fn splice(
    statement: &mut Statement,
    source: &Statement,
    tree: &[usize],
    access: AccessId,
    to_source: &Map,
) -> Option<Vec<ValueId>> {
    let position = statement.body.iter().position(|i| i.kind == InstrKind::Read(access))?;
    let placeholder = statement.body.remove(position);
    let mut copied = Vec::new();
    let mut insert_at = position;
    for &index in tree {
        let mut instr = source.body[index].clone();
        if statement.body[..insert_at].iter().any(|i| i.value == instr.value && !matches!(i.kind, InstrKind::Write(_)))
        {
            continue;
        }
        if let InstrKind::Read(read) = instr.kind {
            let original = &source.accesses[read.index()];
            copied.push(instr.value);
            instr.kind = InstrKind::Read(AccessId::from(statement.accesses.len()));
            statement.accesses.push(Access { relation: to_source.apply_range(&original.relation), ..original.clone() });
        }
        statement.body.insert(insert_at, instr);
        insert_at += 1;
    }
    // What was read under the scalar's name is now computed under the same name.
    let defined = statement.body[..insert_at].iter().any(|i| i.value == placeholder.value);
    remove_later_duplicates(statement, insert_at);
    compact_accesses(statement);
    defined.then_some(copied)
}

/// Drops instructions behind `position` that define what is already defined before it.
fn remove_later_duplicates(statement: &mut Statement, position: usize) {
    let earlier: Vec<ValueId> =
        statement.body[..position].iter().filter(|i| !matches!(i.kind, InstrKind::Write(_))).map(|i| i.value).collect();
    let mut index = 0;
    statement.body.retain(|instr| {
        index += 1;
        index <= position || matches!(instr.kind, InstrKind::Write(_)) || !earlier.contains(&instr.value)
    });
}

/// Whether every read that remains gets what it got, memory ends up the same, and the copied reads
/// see in the user what the original ones saw in the instance of the definition that the user read
/// from.
fn is_valid(scop: &Scop, proposal: &Proposal, before: &Flow, after: &Flow, budget: &mut Budget) -> Result<bool, Stop> {
    let user = &scop.statements[proposal.user];
    let source = &scop.statements[proposal.definition];
    // Dataflow is computed for what the context allows.
    let possible = user.domain.intersect_params(&scop.context);
    let to_source = prefix_map(user, source, source.loops.len()).intersect_domain(&possible);
    // The user must read from the instance that shares its outer iterations, always.
    let Some(read) = before.reads.get(&proposal.removed) else {
        return Ok(false);
    };
    let mut reached: Option<Map> = None;
    for relation in read.writes.values() {
        reached = Some(match reached {
            Some(union) => union.union(relation),
            None => relation.clone(),
        });
    }
    if !flow::same_map(reached.as_ref(), Some(&to_source), budget)? {
        return Ok(false);
    }
    let mut expected = if proposal.only_reads(scop) { Flow::default() } else { before.clone() };
    expected.reads.remove(&proposal.removed);
    for &value in &proposal.copied_reads {
        let original = flow::AccessKey { statement: source.name.clone(), value, write: false };
        let copy = flow::AccessKey { statement: user.name.clone(), value, write: false };
        let Some(sources) = before.reads.get(&original) else {
            return Ok(false);
        };
        expected.reads.insert(copy, through(sources, &to_source, budget)?);
    }
    flow::preserves(&expected, after, budget)
}

/// The sources of a read seen from the instances of `user`.
pub(crate) fn through(sources: &Sources, to_source: &Map, budget: &mut Budget) -> Result<Sources, Stop> {
    budget.spend(1)?;
    Ok(Sources {
        writes: sources.writes.iter().map(|(key, map)| (key.clone(), to_source.apply_range(map))).collect(),
        overlapping: sources.overlapping.iter().map(|(key, map)| (key.clone(), to_source.apply_range(map))).collect(),
        initial: sources.initial.as_ref().map(|set| to_source.intersect_range(set).domain()),
    })
}
