//! Steps that multiply and add at once, as a product and a sum.
//!
//! # Problem
//! `sum += a[i] * b[j]` is one instruction where products and sums may be contracted
//! (`llvm.fmuladd`, or `llvm.fma`). A part of the product cannot leave the sum, and its operands
//! are no value that is combined.
//!
//! # Why it is right
//! Only instructions that may be reassociated are taken apart. `llvm.fmuladd` may be a product and
//! a sum anyway, each rounded; the sum of `llvm.fma` may be taken with other operands than the
//! product that it is written with, which are rounded, too.

use crate::{Combination, Instr, InstrKind, Operand, OperandKind, Scop, StmtId};

/// The SCoP in which a statement has a product and a sum for each such step; nothing if it has
/// none.
pub(super) fn apart(scop: &Scop, number: StmtId) -> Option<Scop> {
    if !scop.statements[number.index()].body.iter().any(is_fused) {
        return None;
    }
    let mut result = scop.clone();
    let body = std::mem::take(&mut result.statements[number.index()].body);
    let mut next = scop.unused_value().0;
    let mut apart: Vec<Instr> = Vec::new();
    let mut renamed: Vec<(Operand, Operand)> = Vec::new();
    for mut instr in body {
        for operand in &mut instr.operands {
            if let Some((_, new)) = renamed.iter().find(|(old, _)| old == operand) {
                *operand = *new;
            }
        }
        let [a, b, c] = match instr.operands[..] {
            [a, b, c] if is_fused(&instr) => [a, b, c],
            _ => {
                apart.push(instr);
                continue;
            }
        };
        let original = result.original_value(instr.value);
        let mut combined = |combination: Combination, operands: [Operand; 2]| {
            let value = crate::ValueId(next);
            next += 1;
            result.copies.insert(value, original);
            let kind = InstrKind::Combine(combination);
            apart.push(Instr { kind, value, operands: operands.to_vec(), predicate: instr.predicate });
            Operand { value, kind: OperandKind::Local }
        };
        let product = combined(Combination::FloatMultiply, [a, b]);
        let sum = combined(Combination::FloatAdd, [c, product]);
        renamed.push((Operand { value: instr.value, kind: OperandKind::Local }, sum));
    }
    result.statements[number.index()].body = apart;
    Some(result)
}

/// Whether an instruction multiplies and adds at once, and may be reassociated.
fn is_fused(instr: &Instr) -> bool {
    match &instr.kind {
        InstrKind::Compute { opcode, reassociable: true, .. } => {
            opcode.starts_with("llvm.fmuladd.") || opcode.starts_with("llvm.fma.")
        }
        _ => false,
    }
}
