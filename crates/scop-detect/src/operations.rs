//! Which instructions of the statements do the same.
//!
//! # Problem
//! Statements that do the same work on different instances, such as those of the two halves of a matrix, can be one statement later. The model only names what they
//! compute.
//!
//! # Method
//! Instructions are compared with one of each kind that is known so far, those of another opcode left aside. A PHI node is the value of a scalar for the body that reads it: of it only
//! the type counts.

use std::collections::BTreeMap;

use poly_scop::{InstrKind, OperationId, Statement, ValueId};
use poly_shim::ValueRef;
use poly_shim::ir::Opcode;

use crate::values::Values;

/// Numbers for what the bodies of statements read, compute and write. Values that are no instructions have none.
pub(crate) fn of_bodies(statements: &[Statement], values: &Values<'_>) -> BTreeMap<ValueId, OperationId> {
    let mut known: Vec<(OperationId, ValueRef<'_>)> = Vec::new();
    let mut result = BTreeMap::new();
    for instr in statements.iter().flat_map(|statement| &statement.body) {
        let is_plain = matches!(instr.kind, InstrKind::Read(_) | InstrKind::Write(_) | InstrKind::Compute { .. });
        let value = values.of(instr.value);
        if !is_plain || !value.is_instruction() || result.contains_key(&instr.value) {
            continue;
        }
        let found = known.iter().find(|(_, other)| is_same(value, *other));
        let operation = found.map_or_else(|| OperationId::from(known.len()), |(operation, _)| *operation);
        if found.is_none() {
            known.push((operation, value));
        }
        result.insert(instr.value, operation);
    }
    result
}

fn is_same<'c>(a: ValueRef<'c>, b: ValueRef<'c>) -> bool {
    match (a.opcode(), b.opcode()) {
        (Some(Opcode::Phi), Some(Opcode::Phi)) => a.ty() == b.ty(),
        (of_a, of_b) => of_a == of_b && a.does_the_same(b),
    }
}
