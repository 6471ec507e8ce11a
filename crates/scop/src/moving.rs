//! The loops along which addresses change that are not affine.
//!
//! # Problem
//! Nobody knows how far the address of `b[l + j * k]` moves where the sum may wrap around, or that
//! of `x[index[l]]`. But along a loop in which `l` is the same it stays where it is:
//!
//! ```text
//! for l:  t = alpha * b[l + j * k];   for i:  c[i] += t * a[i + l * m]
//! ```
//!
//! When `t` is computed again in the loop over `i`, that loop loads the same element all the time,
//! as compilers know. Who takes it for an access that goes anywhere prices the loop as one that
//! waits for memory, and any other order as a gain.
//!
//! # Rule
//! Values of the body one after the other, by iterator of the statement:
//! 1. A value computed again from counters changes along the loops that detection has found
//!    ([`Scop::moving`]).
//! 2. What is read changes along the iterators of its subscripts, or with its address; what the
//!    SCoP itself writes may change along all.
//! 3. Everything else changes with its operands.
//!
//! These are estimates: nothing here decides legality.

use poly_presburger::DimKind;
use rustc_hash::FxHashMap;

use crate::{AccessId, AccessKind, Instr, InstrKind, Operand, OperandKind, Scop, Statement, ValueId};

/// By iterator of the statement: whether the address of an access that is not affine may change
/// along it.
pub(crate) fn address_moves(scop: &Scop, statement: &Statement, access: AccessId) -> Vec<bool> {
    let mut body = Body { scop, statement, known: FxHashMap::default() };
    for instr in &statement.body {
        if instr.executes(access) {
            return body.address(instr);
        }
        let own = body.result(instr);
        body.known.insert(instr.value, own);
    }
    body.anywhere()
}

struct Body<'a> {
    scop: &'a Scop,
    statement: &'a Statement,
    /// By value of the body, whether it may change along each iterator.
    known: FxHashMap<ValueId, Vec<bool>>,
}

impl Body<'_> {
    fn anywhere(&self) -> Vec<bool> {
        vec![true; self.statement.loops.len()]
    }

    /// What the address of an access changes with.
    fn address(&self, instr: &Instr) -> Vec<bool> {
        match (&instr.kind, instr.operands.last()) {
            (InstrKind::Read(_) | InstrKind::Write(_), Some(address)) => self.operand(address),
            _ => self.anywhere(),
        }
    }

    /// What the result of an instruction changes with.
    fn result(&self, instr: &Instr) -> Vec<bool> {
        match instr.kind {
            InstrKind::Loop { .. } => self.anywhere(),
            InstrKind::Read(access) => self.content(instr, access),
            _ => {
                let predicate = instr.predicate.map(|value| Operand { value, kind: OperandKind::Local });
                let none = vec![false; self.statement.loops.len()];
                let operands = instr.operands.iter().chain(&predicate).map(|operand| self.operand(operand));
                operands.fold(none, |all, own| all.iter().zip(own).map(|(all, own)| *all || own).collect())
            }
        }
    }

    /// What the content of the element changes with that an access reads.
    fn content(&self, instr: &Instr, access: AccessId) -> Vec<bool> {
        let access = &self.statement.accesses[access.index()];
        let mut others = self.scop.statements.iter().flat_map(|statement| &statement.accesses);
        if others.any(|other| other.kind != AccessKind::Read && other.array == access.array) {
            return self.anywhere();
        }
        if !access.exact {
            return self.address(instr);
        }
        let moves = |iterator| access.relation.involves_dims(DimKind::In, iterator, 1);
        (0..self.statement.loops.len()).map(moves).collect()
    }

    fn operand(&self, operand: &Operand) -> Vec<bool> {
        match operand.kind {
            OperandKind::Constant | OperandKind::Invariant => vec![false; self.statement.loops.len()],
            OperandKind::Local => self.known.get(&operand.value).cloned().unwrap_or_else(|| self.anywhere()),
            OperandKind::Synthesized => match self.scop.moving.get(&operand.value) {
                Some(along) => self.statement.loops.iter().map(|l| along.contains(l)).collect(),
                None => self.anywhere(),
            },
        }
    }
}
