//! Non-affine subregions: loops that a statement executes as a whole.
//!
//! # Algorithm
//! All blocks of the loop, and of the ways out of it up to where they meet, are copied; the copies
//! are connected with each other as the originals are. The one edge into the header comes from the
//! builder's place, all edges to the join lead to a new block, where the builder goes on. What is
//! used of the rest is the operands of the instruction. PHI nodes of the join that get several
//! values from the loop get copies in the new block.
//!
//! Copies keep their flags and what metadata says about their own results: they see the values that
//! the originals see. Marks for the optimizer are left out.

use std::collections::HashMap;

use poly_scop::{Instr, InstrKind};
use poly_shim::NonAffineSubregion;
use poly_shim::ir::Opcode;

use crate::alias;
use crate::builder::{self, Block, Value};
use crate::generator::Generator;
use crate::statement::Instance;

/// The loop that an instruction of the model stands for.
pub(crate) fn of<'p, 'c>(
    subregions: &'p [NonAffineSubregion<'c>],
    terminator: Value<'c>,
) -> Option<&'p NonAffineSubregion<'c>> {
    subregions.iter().find(|part| Some(part.header) == terminator.block())
}

/// A loop that has been copied.
#[derive(Debug)]
pub(crate) struct Copied<'c> {
    part: NonAffineSubregion<'c>,
    values: HashMap<Value<'c>, Value<'c>>,
    blocks: HashMap<Block<'c>, Block<'c>>,
    /// Where the builder goes on.
    behind: Block<'c>,
}

impl<'c> Generator<'c, '_> {
    /// Copies the loop.
    pub(crate) fn emit_subregion(&mut self, instr: &Instr, instance: &Instance<'c, '_>) -> Copied<'c> {
        let terminator = self.prepared.value(instr.value);
        let part = of(&self.prepared.bindings.subregions, terminator).expect("preparation has found the loop").clone();
        let mut values: HashMap<Value<'c>, Value<'c>> = HashMap::new();
        for &operand in &instr.operands {
            let value = self.emit_operand(operand, instance);
            values.insert(self.prepared.value(operand.value), value);
        }
        let function = self.frame.function;
        let blocks: HashMap<Block<'c>, Block<'c>> =
            part.blocks.iter().map(|&b| (b, self.b.append_block(function, "poly.whole"))).collect();
        let behind = self.b.append_block(function, "poly.left");
        let before = self.b.block();
        self.b.branch(blocks[&part.header]);
        let mut copies: Vec<Value<'c>> = Vec::new();
        for block in &part.blocks {
            self.b.at_end(blocks[block]);
            for original in block.instructions().into_iter().filter(|i| !is_left_out(*i)) {
                let copy = self.copy(original);
                self.mark_whole(instr, original, copy, instance);
                values.insert(original, copy);
                copies.push(copy);
            }
        }
        let mut copied = Copied { part, values, blocks, behind };
        for copy in copies {
            self.connect(copy, &mut copied, before);
        }
        self.b.at_end(behind);
        copied
    }

    /// Gives a copy the operands that it has where it is.
    fn connect(&mut self, copy: Value<'c>, copied: &mut Copied<'c>, before: Block<'c>) {
        for (position, operand) in copy.operands().into_iter().enumerate() {
            if operand.as_block().is_none()
                && let Some(value) = self.value_inside(operand, copied)
            {
                builder::set_operand(copy, position, value);
            }
        }
        if copy.opcode() == Some(Opcode::Phi) {
            for (position, (from, _)) in copy.incoming().into_iter().enumerate() {
                copy.set_incoming_block(position, copied.blocks.get(&from).copied().unwrap_or(before));
            }
        }
        let Some(own) = copy.block().filter(|_| matches!(copy.opcode(), Some(Opcode::Br | Opcode::Switch))) else {
            return;
        };
        for next in own.successors() {
            builder::redirect(own, next, copied.blocks.get(&next).copied().unwrap_or(copied.behind));
        }
    }

    /// What a value of the original code is in the copy; nothing if it is the same.
    fn value_inside(&mut self, original: Value<'c>, copied: &Copied<'c>) -> Option<Value<'c>> {
        match copied.values.get(&original) {
            Some(&value) => Some(value),
            None if original.is_constant() && !original.is_function() => Some(self.import(original)),
            None => None,
        }
    }

    /// What the loop leaves as the value.
    pub(crate) fn emit_left(&mut self, instr: &Instr, instance: &Instance<'c, '_>) -> Value<'c> {
        let of = instr.operands.first().expect("results are of a loop").value;
        let found = instance.copied.iter().rev().find(|(known, _)| *known == of);
        let copied = &found.expect("a loop comes before its results").1;
        let original = self.prepared.value(instr.value);
        if let Some(&value) = copied.values.get(&original).filter(|_| original.block() != Some(copied.part.join)) {
            return value;
        }
        let phi = self.b.phi(original.ty(), &original.name());
        for (from, value) in original.incoming() {
            if let Some(&from) = copied.blocks.get(&from) {
                let value = self.value_inside(value, copied).unwrap_or(value);
                builder::add_incoming(phi, value, from);
            }
        }
        phi
    }

    /// Which array a load or store is about.
    fn mark_whole(&self, instr: &Instr, original: Value<'c>, copy: Value<'c>, instance: &Instance<'c, '_>) {
        if !matches!(original.opcode(), Some(Opcode::Load | Opcode::Store)) {
            return;
        }
        let InstrKind::Loop { reads, writes, .. } = &instr.kind else { return };
        let accesses = &self.prepared.scop.statements[instance.statement].accesses;
        let all = reads.iter().chain(writes).map(|a| &accesses[a.index()]);
        let mut found = all.filter(|access| self.prepared.value(access.value) == original);
        match found.next() {
            Some(access) => self.mark_access(copy, access.array.index()),
            None => alias::mark_groups(self.prepared.cx, copy, &self.groups),
        }
    }
}

/// Marks that say something to the optimizer about a place.
fn is_left_out(instruction: Value<'_>) -> bool {
    instruction.is_call() && instruction.is_mark()
}
