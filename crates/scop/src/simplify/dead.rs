//! Removal of what has no effect: write-backs, overwritten writes, scalars without readers,
//! instructions without users, statements without effects.

use std::collections::BTreeSet;

use poly_presburger::{Budget, Set, Stop};

use super::expand::reads_what_was_before;
use super::flow::{self, AccessKey, Flow, Session};
use crate::{Access, AccessId, AccessKind, ArrayId, Instr, InstrKind, OperandKind, Scop, Statement, ValueId};

/// So many instructions that are looked at cost a step.
const INSTRUCTIONS_PER_STEP: u64 = 64;

/// Removes dead parts until there are none.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn remove(scop: &mut Scop, budget: &mut Budget) -> Result<(), Stop> {
    loop {
        let instructions: usize = scop.statements.iter().map(|s| s.body.len()).sum();
        budget.spend(scop.statements.len() as u64 + 1 + instructions as u64 / INSTRUCTIONS_PER_STEP)?;
        let mut changed = false;
        let unread = unread_scalars(scop);
        for statement in &mut scop.statements {
            changed |= remove_write_backs(statement);
            changed |= remove_overwritten(statement, &scop.unchecked, budget)?;
            changed |= remove_unread(statement, &unread);
            changed |= remove_unused(statement);
        }
        let count = scop.statements.len();
        scop.statements.retain(|s| s.body.iter().any(Instr::has_effect));
        if !changed && scop.statements.len() == count {
            return Ok(());
        }
    }
}

/// Removes writes that are always overwritten before anybody reads them: they are the source of no
/// read and survive nowhere, or only in an array of which nobody sees what it contains behind the
/// SCoP. The next execution of the SCoP sees what a local array contains if it reads elements that
/// it has not written.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn remove_overwritten_everywhere(scop: &mut Scop, session: &mut Session, budget: &mut Budget) -> Result<(), Stop> {
    let flow = session.analyse(scop, budget)?;
    let mut live: Vec<AccessKey> =
        flow.reads.values().flat_map(|r| r.writes.keys().chain(r.overlapping.keys()).cloned()).collect();
    let users: Vec<&Statement> = scop.statements.iter().collect();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for (number, array) in scop.arrays.iter().enumerate() {
        if !array.local || reads_what_was_before(&flow, &users, ArrayId::from(number), budget)? {
            seen.insert(&array.name);
        }
    }
    for ((key, name), survivors) in &flow.survivors {
        if seen.contains(name.as_str()) && !survivors.is_empty(budget)? {
            live.push(key.clone());
        }
    }
    for statement in &mut scop.statements {
        let is_dead: Vec<bool> = (0..statement.accesses.len())
            .map(|a| {
                let key = flow::key(statement, AccessId::from(a));
                key.write && !live.contains(&key)
            })
            .collect();
        retain_instrs(statement, |_, instr| match instr.kind {
            InstrKind::Write(access) => !is_dead[access.index()],
            _ => true,
        });
    }
    remove(scop, budget)
}

/// Leaves statements that only hand scalars on the instances whose writes are read or survive. The
/// value that a loop leaves to what is behind it is copied in each iteration of the loops around
/// it, and only the last of these copies is seen; the others would order the iterations.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn remove_unseen_instances(scop: &mut Scop, session: &mut Session, budget: &mut Budget) -> Result<(), Stop> {
    for number in 0..scop.statements.len() {
        let statement = &scop.statements[number];
        if !hands_on(scop, statement) || statement.loops.is_empty() {
            continue;
        }
        let before = session.analyse(scop, budget)?;
        let Some(seen) = seen_instances(statement, &before, budget)? else { continue };
        if statement.domain.is_subset(&seen, budget)? {
            continue;
        }
        let expected = without_instances(&before, &statement.name, &seen);
        let mut proposal = scop.clone();
        proposal.statements[number].domain = seen;
        let after = session.analyse(&proposal, budget)?;
        if flow::preserves(&expected, &after, budget)? {
            tracing::debug!(statement = scop.statements[number].name, "instances that nobody sees");
            *scop = proposal;
        }
    }
    Ok(())
}

/// Whether a statement does nothing but write scalars.
fn hands_on(scop: &Scop, statement: &Statement) -> bool {
    let is_plain = |instr: &Instr| match instr.kind {
        InstrKind::Write(access) => {
            let access = &statement.accesses[access.index()];
            scop.arrays[access.array.index()].is_scalar() && access.kind == AccessKind::MustWrite && access.exact
        }
        InstrKind::Read(_) => true,
        InstrKind::Compute { errno, .. } => errno.is_none(),
        _ => false,
    };
    statement.body.iter().all(is_plain) && statement.body.iter().any(Instr::has_effect)
}

/// The instances of a statement whose writes are read or survive, if these are those of one
/// iteration of some loop.
fn seen_instances(statement: &Statement, flow: &Flow, budget: &mut Budget) -> Result<Option<Set>, Stop> {
    let mut seen: Option<Set> = None;
    let mut add = |part: Set| seen = Some(seen.take().map_or(part.clone(), |seen| seen.union(&part)));
    let is_own = |key: &AccessKey| key.write && key.statement == statement.name;
    for sources in flow.reads.values() {
        if sources.overlapping.keys().any(is_own) {
            return Ok(None);
        }
        sources.writes.iter().filter(|(key, _)| is_own(key)).for_each(|(_, map)| add(map.range()));
    }
    flow.survivors.iter().filter(|((key, _), _)| is_own(key)).for_each(|(_, map)| add(map.domain()));
    let Some(seen) = seen else { return Ok(None) };
    let seen = seen.intersect(&statement.domain).coalesce(budget)?;
    let equalities = |set: &Set| set.basics().iter().map(|basic| basic.eqs().len()).min().unwrap_or(0);
    let is_simple = seen.basics().len() == 1 && seen.basics()[0].n_div() == 0;
    Ok((is_simple && equalities(&seen) > equalities(&statement.domain)).then_some(seen))
}

/// The flow without what instances of a statement read that are in no set.
fn without_instances(flow: &Flow, name: &str, left: &Set) -> Flow {
    let mut result = flow.clone();
    for (_, sources) in result.reads.iter_mut().filter(|(key, _)| key.statement == name) {
        sources.writes.values_mut().for_each(|map| *map = map.intersect_domain(left));
        sources.initial = sources.initial.take().map(|initial| initial.intersect(left));
    }
    result
}

/// Per array: it is a scalar that nobody reads, in the SCoP or after it.
fn unread_scalars(scop: &Scop) -> Vec<bool> {
    let accesses = scop.statements.iter().flat_map(|s| &s.accesses);
    let read: BTreeSet<ArrayId> = accesses.filter(|a| a.kind == AccessKind::Read).map(|a| a.array).collect();
    let is_unread = |(index, array): (usize, &crate::Array)| match array.kind {
        crate::ArrayKind::Scalar { live_out, .. } => !live_out && !read.contains(&ArrayId::from(index)),
        crate::ArrayKind::Memory { .. }
        | crate::ArrayKind::Rows { .. }
        | crate::ArrayKind::Temporary { .. }
        | crate::ArrayKind::Errno { .. } => false,
    };
    scop.arrays.iter().enumerate().map(is_unread).collect()
}

/// Removes writes of a value to the very element it was read from, when the instance has not
/// written in between.
fn remove_write_backs(statement: &mut Statement) -> bool {
    take_write_back(statement).is_some()
}

/// A write of a value to the element it was read from.
pub(super) struct WriteBack {
    /// The name of the write.
    pub(super) write: AccessKey,
    /// The name of the read.
    pub(super) read: AccessKey,
    /// The array of both.
    pub(super) array: ArrayId,
}

/// Removes one such write.
pub(super) fn take_write_back(statement: &mut Statement) -> Option<WriteBack> {
    let position = write_back(statement)?;
    let InstrKind::Write(write) = statement.body[position].kind else { return None };
    let value = statement.body[position].operands.first()?.value;
    let key = |write| AccessKey { statement: statement.name.clone(), value, write };
    let taken = WriteBack { write: key(true), read: key(false), array: statement.accesses[write.index()].array };
    retain_instrs(statement, |index, _| index != position);
    Some(taken)
}

/// Whether there is such a write.
pub(super) fn has_write_back(statement: &Statement) -> bool {
    write_back(statement).is_some()
}

/// The position of the first such write. It is the first write of all, as nothing may be written
/// before it.
fn write_back(statement: &Statement) -> Option<usize> {
    let writes = |i: &Instr| matches!(i.kind, InstrKind::Write(_) | InstrKind::Loop { .. });
    let position = statement.body.iter().position(writes)?;
    is_write_back(statement, &statement.body[position]).then_some(position)
}

/// Whether an instruction writes what one of the reads has read from the same place.
fn is_write_back(statement: &Statement, instr: &Instr) -> bool {
    let InstrKind::Write(write) = instr.kind else {
        return false;
    };
    let Some(operand) = instr.operands.first().filter(|o| o.kind == OperandKind::Local) else {
        return false;
    };
    let accesses = &statement.accesses;
    statement.body.iter().any(|instr| match instr.kind {
        InstrKind::Read(read) if instr.value == operand.value => {
            same_place(&accesses[read.index()], &accesses[write.index()])
        }
        _ => false,
    })
}

fn same_place(a: &Access, b: &Access) -> bool {
    a.exact && b.exact && a.array == b.array && a.relation == b.relation
}

/// Removes a write when a later one of the same instance overwrites the same element and nothing is
/// read from that array, or from one that may overlap it, in between.
///
/// # Errors
/// [`Stop`] when the budget runs out.
fn remove_overwritten(
    statement: &mut Statement,
    unchecked: &[(ArrayId, ArrayId)],
    budget: &mut Budget,
) -> Result<bool, Stop> {
    let (mut dead, mut looked_at) = (None, 0);
    for (position, instr) in statement.body.iter().enumerate() {
        let InstrKind::Write(first) = instr.kind else {
            continue;
        };
        let first = &statement.accesses[first.index()];
        let is_seen = |array: ArrayId| {
            array == first.array || unchecked.contains(&(array.min(first.array), array.max(first.array)))
        };
        for later in &statement.body[position + 1..] {
            looked_at += 1;
            match later.kind {
                InstrKind::Loop { ref reads, ref writes, .. }
                    if reads.iter().chain(writes).any(|a| is_seen(statement.accesses[a.index()].array)) =>
                {
                    break;
                }
                InstrKind::Read(read) if is_seen(statement.accesses[read.index()].array) => {
                    break;
                }
                InstrKind::Write(write) => {
                    let second = &statement.accesses[write.index()];
                    if second.kind == AccessKind::MustWrite && same_place(first, second) {
                        dead = Some(position);
                        break;
                    }
                }
                _ => {}
            }
        }
    }
    budget.spend(looked_at / INSTRUCTIONS_PER_STEP)?;
    let Some(position) = dead else { return Ok(false) };
    retain_instrs(statement, |index, _| index != position);
    Ok(true)
}

fn remove_unread(statement: &mut Statement, unread: &[bool]) -> bool {
    let count = statement.body.len();
    let arrays: Vec<usize> = statement.accesses.iter().map(|a| a.array.index()).collect();
    retain_instrs(statement, |_, instr| match instr.kind {
        InstrKind::Write(access) => !unread[arrays[access.index()]],
        _ => true,
    });
    statement.body.len() != count
}

/// Removes instructions whose results nobody uses.
pub(crate) fn remove_unused(statement: &mut Statement) -> bool {
    let mut used: BTreeSet<ValueId> = BTreeSet::new();
    let mut keep = vec![false; statement.body.len()];
    for (position, instr) in statement.body.iter().enumerate().rev() {
        keep[position] = instr.has_effect() || used.contains(&instr.value);
        if keep[position] {
            used.extend(instr.locals());
        }
    }
    if keep.iter().all(|&k| k) {
        return false;
    }
    retain_instrs(statement, |index, _| keep[index]);
    true
}

/// Keeps the instructions that `keep` selects, and the accesses that these execute.
pub fn retain_instrs(statement: &mut Statement, keep: impl Fn(usize, &Instr) -> bool) {
    let mut index = 0;
    statement.body.retain(|instr| {
        index += 1;
        keep(index - 1, instr)
    });
    compact_accesses(statement);
}

/// Drops accesses that no instruction executes, and orders the others as the body executes them.
pub fn compact_accesses(statement: &mut Statement) {
    let old = std::mem::take(&mut statement.accesses);
    for instr in &mut statement.body {
        for access in instr.accesses_mut() {
            let moved = old[access.index()].clone();
            *access = AccessId::from(statement.accesses.len());
            statement.accesses.push(moved);
        }
    }
}
