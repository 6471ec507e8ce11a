//! Which instructions of the statements do the same.
//!
//! # Problem
//! Statements that do the same work on different instances, such as those of the two halves of a
//! matrix, can be one statement later. The model only names what they compute.
//!
//! # Method
//! Instructions are compared with one of each kind of their opcode that is known so far, but with
//! no more than a constant number: code that does many different things once has no such
//! statements. A PHI node is the value of a scalar for the body that reads it: of it only the type
//! counts.

use std::collections::{BTreeMap, HashMap};

use poly_scop::{Instr, InstrKind, OperationId, Statement, ValueId};
use poly_shim::ValueRef;
use poly_shim::ir::Opcode;

use crate::values::Values;

/// So many kinds of an opcode are known at most; instructions of others are all different.
const MAX_KINDS: usize = 64;

/// Numbers for what the bodies of statements read, compute and write. Values that are no
/// instructions have none.
pub(crate) fn of_bodies(statements: &[Statement], values: &Values<'_>) -> BTreeMap<ValueId, OperationId> {
    let mut known: HashMap<Opcode, Vec<(OperationId, ValueRef<'_>)>> = HashMap::new();
    let (mut result, mut count) = (BTreeMap::new(), 0);
    for instr in statements.iter().flat_map(|statement| &statement.body) {
        let is_plain = matches!(instr.kind, InstrKind::Read(_) | InstrKind::Write(_) | InstrKind::Compute { .. });
        let value = values.of(instr.value);
        let Some(opcode) = value.opcode().filter(|_| is_plain && !result.contains_key(&instr.value)) else { continue };
        let kinds = known.entry(opcode).or_default();
        let found = kinds.iter().find(|(_, other)| {
            if opcode == Opcode::Phi { value.ty() == other.ty() } else { value.does_the_same(*other) }
        });
        let operation = found.map_or(OperationId::from(count), |(operation, _)| *operation);
        if found.is_none() {
            count += 1;
            if kinds.len() < MAX_KINDS {
                kinds.push((operation, value));
            }
        }
        result.insert(instr.value, operation);
    }
    result
}

/// Bits of what instructions compute, where these are integers as wide as in memory.
pub(crate) fn integers(statements: &[Statement], values: &Values<'_>) -> BTreeMap<ValueId, u32> {
    let computed = |instr: &&Instr| matches!(instr.kind, InstrKind::Compute { .. });
    let instrs = statements.iter().flat_map(|statement| &statement.body).filter(computed);
    let bits = |instr: &Instr| values.of(instr.value).ty().integer_bits().filter(|bits| BITS.contains(bits));
    instrs.filter_map(|instr| Some((instr.value, bits(instr)?))).collect()
}

/// Integers of so many bits are as wide in memory.
const BITS: [u32; 4] = [8, 16, 32, 64];
