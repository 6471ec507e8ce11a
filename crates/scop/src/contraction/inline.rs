//! Values of an array computed where they are read.
//!
//! # Problem
//! Expressions of vectors (`c = a * b + d * e` of whole arrays in Fortran, or of overloaded
//! operators in C++) put every operation into a loop of its own and its result into an array, of
//! which each element is read once. Not even a row of such an array is needed.
//!
//! # Definitions
//! An array is *passed on* if only the region sees what it contains ([`crate::Array::local`]) and
//! it has one access that writes and one that reads. The *tree* of the value that is written are
//! the loads and operations that compute it.
//!
//! # Algorithm
//! For each such array:
//!
//! 1. From instances of the reader to those of the writer leads the relation of the elements that
//!    both access in the same iterations of the loops that they have in common. It must be a
//!    function, and no two instances of the reader may share one of the writer: nothing is computed
//!    twice.
//! 2. The tree, if it is made of loads and of operations that may be repeated anywhere, takes the
//!    place of the read in the reader, with its loads at the elements of the writer's instance.
//! 3. The write goes, and with it all of the writer that has no other effect.
//!
//! # Invariants
//! The result is used only if exact dataflow says that each read sees the same write as before,
//! those of the tree what they saw in the writer's instance that the reader read from, and that
//! memory ends up the same but for the array.

use poly_presburger::{Budget, DimKind, Map, Stop};

use super::{is_alone, users};
use crate::simplify::expand::common_loops;
use crate::simplify::flow::{self, AccessKey, Flow, Session};
use crate::simplify::{dead, forward};
use crate::{
    AccessId, AccessKind, ArrayId, ArrayKind, Instr, InstrKind, Operand, OperandKind, Scop, Statement, ValueId,
};

/// A program without some arrays.
pub(super) struct Inlined {
    pub(super) scop: Scop,
    /// Their names.
    pub(super) arrays: Vec<String>,
}

/// The program without all arrays that are passed on, as far as that is right; `None` if there are
/// none.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(super) fn inlined(scop: &Scop, budget: &mut Budget) -> Result<Option<Inlined>, Stop> {
    let mut result = Inlined { scop: scop.clone(), arrays: Vec::new() };
    let mut session = Session::default();
    for id in (0..scop.arrays.len()).map(ArrayId::from) {
        let Some(passed) = Passed::on(&result.scop, id) else { continue };
        if let Some(proposal) = passed.proposal(&result.scop, &mut session, budget)? {
            result.scop = proposal;
            dead::remove(&mut result.scop, budget)?;
            let name = &scop.arrays[id.index()].name;
            tracing::debug!(array = name, "computed where it is read");
            result.arrays.push(name.clone());
        }
    }
    Ok((!result.arrays.is_empty()).then_some(result))
}

/// An array that is passed on.
struct Passed {
    array: ArrayId,
    /// Statement and access.
    write: (usize, AccessId),
    read: (usize, AccessId),
    /// Positions in the body of the writer.
    tree: Vec<usize>,
}

impl Passed {
    fn on(scop: &Scop, id: ArrayId) -> Option<Passed> {
        let array = &scop.arrays[id.index()];
        if !matches!(array.kind, ArrayKind::Memory { .. }) || !array.local || !is_alone(scop, id) {
            return None;
        }
        let of_kind = |kind| {
            let number = |s: &Statement| scop.statements.iter().position(|other| other.name == s.name);
            let mut found = users(scop, id).flat_map(move |s| {
                let accesses = s.accesses.iter().enumerate();
                let own = accesses
                    .filter(move |(_, a)| a.array == id && (a.kind == AccessKind::Read) == (kind == AccessKind::Read));
                own.map(move |(position, access)| (number(s), AccessId::from(position), access))
            });
            let (statement, position, access) = found.next()?;
            let is_only = found.next().is_none() && access.kind == kind && access.exact && !access.speculated;
            Some((statement?, position)).filter(|_| is_only)
        };
        let (write, read) = (of_kind(AccessKind::MustWrite)?, of_kind(AccessKind::Read)?);
        if write.0 == read.0 {
            return None;
        }
        let (source, user) = (&scop.statements[write.0], &scop.statements[read.0]);
        let body = |s: &'_ Statement, kind: InstrKind| s.body.iter().filter(|i| i.kind == kind).count() == 1;
        let is_plain = |s: &Statement, kind: InstrKind| {
            body(s, kind.clone()) && s.body.iter().all(|i| i.kind != kind || i.predicate.is_none())
        };
        if !is_plain(source, InstrKind::Write(write.1)) || !is_plain(user, InstrKind::Read(read.1)) {
            return None;
        }
        let tree = forward::operand_tree(source, source.value_of(write.1))?;
        let movable = tree.iter().all(|&i| is_movable(scop, source, &source.body[i]));
        let is_new = |&i: &usize| user.body.iter().all(|other| other.value != source.body[i].value);
        (movable && tree.iter().all(is_new)).then_some(Passed { array: id, write, read, tree })
    }

    /// The program with the tree in place of the read and without the write, if that is right.
    fn proposal(&self, scop: &Scop, session: &mut Session, budget: &mut Budget) -> Result<Option<Scop>, Stop> {
        let (source, user) = (&scop.statements[self.write.0], &scop.statements[self.read.0]);
        let Some(to_source) = self.to_source(scop, budget)? else { return Ok(None) };
        let mut proposal = scop.clone();
        let statement = &mut proposal.statements[self.read.0];
        rename(statement, self.read.1, (user.value_of(self.read.1), source.value_of(self.write.1)));
        let Some(copied) = forward::splice(statement, source, &self.tree, self.read.1, &to_source) else {
            return Ok(None);
        };
        proposal.statements[self.write.0].body.retain(|instr| instr.kind != InstrKind::Write(self.write.1));
        dead::compact_accesses(&mut proposal.statements[self.write.0]);
        let before = session.analyse(scop, budget)?;
        let possible = to_source.intersect_domain(&user.domain.intersect_params(&scop.context));
        let (write, read) = (flow::key(source, self.write.1), flow::key(user, self.read.1));
        let Some(expected) = self.expected(scop, before, (&write, &read), &possible, &copied, budget)? else {
            return Ok(None);
        };
        let after = session.analyse(&proposal, budget)?;
        Ok(flow::preserves(&expected, &after, budget)?.then_some(proposal))
    }

    /// From instances of the reader to those of the writer: those in the same iterations of as many
    /// common loops as possible.
    fn to_source(&self, scop: &Scop, budget: &mut Budget) -> Result<Option<Map>, Stop> {
        let (source, user) = (&scop.statements[self.write.0], &scop.statements[self.read.0]);
        let written = &source.accesses[self.write.1.index()].relation;
        let read = &user.accesses[self.read.1.index()].relation;
        let read = read.align_params(written.space());
        let map = read.apply_range(&written.align_params(read.space()).reverse()).compute_divs(budget)?;
        let common = common_loops(&[source, user]);
        let map = (0..common).fold(map, |map, k| map.equate(DimKind::In, k, DimKind::Out, k));
        let inside = map.intersect_domain(&user.domain.intersect_params(&scop.context));
        let is_function = map.is_single_valued(budget)? && inside.reverse().is_single_valued(budget)?;
        Ok(is_function.then_some(map))
    }

    /// The dataflow that has to be there afterwards; `None` if the reader does not see what the
    /// function says.
    fn expected(
        &self,
        scop: &Scop,
        before: Flow,
        (write, read): (&AccessKey, &AccessKey),
        to_source: &Map,
        copied: &[ValueId],
        budget: &mut Budget,
    ) -> Result<Option<Flow>, Stop> {
        let mut expected = before.clone();
        let Some(sources) = expected.reads.remove(read) else { return Ok(None) };
        let is_initial = match &sources.initial {
            Some(initial) => !initial.is_empty(budget)?,
            None => false,
        };
        if is_initial || !flow::same_map(sources.writes.get(write), Some(to_source), budget)? {
            return Ok(None);
        }
        let name = &scop.arrays[self.array.index()].name;
        expected.survivors.retain(|(_, array), _| array != name);
        for &value in copied {
            let original = AccessKey { statement: write.statement.clone(), value, write: false };
            let Some(sources) = before.reads.get(&original) else { return Ok(None) };
            let copy = AccessKey { statement: read.statement.clone(), value, write: false };
            expected.reads.insert(copy, forward::through(sources, to_source, budget)?);
        }
        Ok(Some(expected))
    }
}

/// Lets a load read `to`, of which `from`, what it has read so far, is a copy.
fn rename(statement: &mut Statement, access: AccessId, (from, to): (ValueId, ValueId)) {
    let Some(position) = statement.body.iter().position(|instr| instr.kind == InstrKind::Read(access)) else { return };
    statement.body[position].value = to;
    statement.accesses[access.index()].value = to;
    let operands = vec![Operand { value: to, kind: OperandKind::Local }];
    let copy = Instr { kind: InstrKind::Choose, value: from, operands, predicate: None };
    statement.body.insert(position + 1, copy);
}

/// Whether an instruction may be executed in another statement, with loads at other elements.
fn is_movable(scop: &Scop, statement: &Statement, instr: &Instr) -> bool {
    let is_possible = match &instr.kind {
        InstrKind::Read(access) => {
            let access = &statement.accesses[access.index()];
            access.exact
                && !access.speculated
                && matches!(scop.arrays[access.array.index()].kind, ArrayKind::Memory { .. })
        }
        InstrKind::Compute { speculatable, errno, .. } => *speculatable && errno.is_none(),
        InstrKind::Choose => instr.operands.len() == 1,
        _ => false,
    };
    // What is computed from the counters of the writer's loops means nothing elsewhere.
    let is_free = instr.operands.iter().all(|operand| operand.kind != OperandKind::Synthesized);
    is_possible && is_free && instr.predicate.is_none()
}
