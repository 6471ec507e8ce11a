//! Whether two bodies compute the same, as far as that takes no sets.

use std::collections::BTreeSet;

use crate::{Access, AccessKind, Instr, InstrKind, OperandKind, Scop, Statement, ValueId};

/// Accesses that have to touch the same elements for two bodies to do the same.
#[derive(Debug)]
pub(super) struct Matched {
    /// Numbers of accesses of the one and of the other statement, each access at least once.
    pub(super) accesses: BTreeSet<(usize, usize)>,
}

/// What has to be the same in two statements; `None` if they do different things. Recursion is not
/// needed: pairs of values wait in a list, each once.
pub(super) fn matched(scop: &Scop, (kept, merged): (usize, usize)) -> Option<Matched> {
    let statements = [&scop.statements[kept], &scop.statements[merged]];
    let [kept_writes, merged_writes] = statements.map(|statement| writes(scop, statement));
    let (kept_writes, merged_writes) = (kept_writes?, merged_writes?);
    if kept_writes.len() != merged_writes.len() {
        return None;
    }
    let mut comparison = Comparison { scop, statements, accesses: BTreeSet::new(), equal: BTreeSet::new() };
    let mut open: Vec<(ValueId, ValueId)> = Vec::new();
    for (kept, merged) in kept_writes.into_iter().zip(merged_writes) {
        comparison.accesses_match(kept.kind.clone(), merged.kind.clone())?;
        comparison.operations_match(kept, merged)?;
        comparison.operands_match(kept, merged, &mut open)?;
    }
    while let Some(pair) = open.pop() {
        if comparison.equal.insert(pair) {
            comparison.values_match(pair, &mut open)?;
        }
    }
    let is_matched =
        |access: usize, side: fn(&(usize, usize)) -> usize| comparison.accesses.iter().any(|pair| side(pair) == access);
    let all = (0..statements[0].accesses.len()).all(|access| is_matched(access, |pair| pair.0))
        && (0..statements[1].accesses.len()).all(|access| is_matched(access, |pair| pair.1));
    all.then_some(Matched { accesses: comparison.accesses })
}

/// The writes of a statement, if it only reads, computes and then writes, always, elements that its
/// accesses name.
fn writes<'a>(scop: &Scop, statement: &'a Statement) -> Option<Vec<&'a Instr>> {
    let is_plain = |access: &Access| {
        let array = &scop.arrays[access.array.index()];
        access.exact && access.kind != AccessKind::MayWrite && !array.is_scalar() && !scop.is_unchecked(access.array)
    };
    let first_write = statement.body.iter().position(|instr| matches!(instr.kind, InstrKind::Write(_)))?;
    let (before, writes) = statement.body.split_at(first_write);
    let computes = |instr: &Instr| match instr.kind {
        InstrKind::Read(_) => true,
        InstrKind::Compute { .. } => !instr.sets_errno(),
        _ => false,
    };
    let is_right = before.iter().all(computes)
        && writes.iter().all(|instr| matches!(instr.kind, InstrKind::Write(_)))
        && statement.body.iter().all(|instr| instr.predicate.is_none())
        && statement.accesses.iter().all(is_plain);
    is_right.then(|| writes.iter().collect())
}

/// What is known of two bodies.
struct Comparison<'a> {
    scop: &'a Scop,
    statements: [&'a Statement; 2],
    accesses: BTreeSet<(usize, usize)>,
    /// Values that are the same if the accesses are.
    equal: BTreeSet<(ValueId, ValueId)>,
}

impl Comparison<'_> {
    /// Both are reads, or both are writes, of one array.
    fn accesses_match(&mut self, kept: InstrKind, merged: InstrKind) -> Option<()> {
        let (kept, merged) = match (kept, merged) {
            (InstrKind::Read(kept), InstrKind::Read(merged)) | (InstrKind::Write(kept), InstrKind::Write(merged)) => {
                (kept.index(), merged.index())
            }
            _ => return None,
        };
        let array = |side: usize, access: usize| self.statements[side].accesses[access].array;
        (array(0, kept) == array(1, merged)).then(|| self.accesses.insert((kept, merged)))?;
        Some(())
    }

    fn operations_match(&self, kept: &Instr, merged: &Instr) -> Option<()> {
        let operation = |instr: &Instr| self.scop.operations.get(&instr.value);
        (operation(kept)? == operation(merged)?).then_some(())
    }

    /// Operands are values of the bodies, which are still to be compared, or the same value from
    /// outside.
    fn operands_match(&self, kept: &Instr, merged: &Instr, open: &mut Vec<(ValueId, ValueId)>) -> Option<()> {
        if kept.operands.len() != merged.operands.len() {
            return None;
        }
        for (kept, merged) in kept.operands.iter().zip(&merged.operands) {
            match (kept.kind, merged.kind) {
                (OperandKind::Local, OperandKind::Local) => open.push((kept.value, merged.value)),
                (OperandKind::Constant, OperandKind::Constant) | (OperandKind::Invariant, OperandKind::Invariant)
                    if kept.value == merged.value => {}
                _ => return None,
            }
        }
        Some(())
    }

    fn values_match(&mut self, (kept, merged): (ValueId, ValueId), open: &mut Vec<(ValueId, ValueId)>) -> Option<()> {
        let defining = |side: usize, value: ValueId| {
            let body = &self.statements[side].body;
            body.iter().find(|instr| instr.value == value && !matches!(instr.kind, InstrKind::Write(_)))
        };
        let (kept, merged) = (defining(0, kept)?, defining(1, merged)?);
        self.operations_match(kept, merged)?;
        match (&kept.kind, &merged.kind) {
            (InstrKind::Read(_), InstrKind::Read(_)) => self.accesses_match(kept.kind.clone(), merged.kind.clone()),
            (InstrKind::Compute { .. }, InstrKind::Compute { .. }) => self.operands_match(kept, merged, open),
            _ => None,
        }
    }
}
