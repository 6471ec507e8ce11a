//! Values of the region: their numbers, and where an operand comes from.
//!
//! # Definitions
//! A value is *invariant* if it is a constant, an argument, defined before the region or loaded
//! before it ([`crate::loads`]). It is *synthesizable* at a block if scalar evolution writes it as
//! an expression over invariants and the counters of the loops around that block: code generation
//! computes it again from its own counters. Everything else is computed by statements.

use std::collections::HashMap;

use poly_scop::{OperandKind, ValueId};
use poly_shim::ir::Opcode;
use poly_shim::{BlockRef, LoopRef, PassContext, ScevKind, ScevRef, ValueRef};

use crate::cfg::{BlockId, Cfg, only_incoming};
use crate::loads::Loads;
use crate::regions::Region;

/// Largest expression that is considered synthesizable.
const MAX_NODES: usize = 200;

/// Something that a body computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Name<'c> {
    /// A value of the program.
    Value(ValueRef<'c>),
    /// Whether the block with this terminator runs.
    Runs(ValueRef<'c>),
    /// Whether the block with this terminator runs and its condition has the given value.
    Takes(ValueRef<'c>, bool),
    /// Whether the block with this switch runs and it chooses the given block.
    Goes(ValueRef<'c>, BlockId),
    /// What the call sees of an array (by its number).
    Seen(ValueRef<'c>, usize),
    /// What the PHI node, in a block outside of the unit, gets from the unit.
    Chosen(ValueRef<'c>),
    /// The execution of the part with this terminator at the end of its header.
    Loop(ValueRef<'c>),
    /// What the PHI node gets from the non-affine subregion before it.
    Left(ValueRef<'c>),
}

impl<'c> Name<'c> {
    /// The value, or the terminator that stands for one that the program does not have.
    pub(crate) fn ir(self) -> ValueRef<'c> {
        match self {
            Self::Value(value)
            | Self::Runs(value)
            | Self::Takes(value, _)
            | Self::Goes(value, _)
            | Self::Seen(value, _)
            | Self::Chosen(value)
            | Self::Loop(value)
            | Self::Left(value) => value,
        }
    }
}

/// Hands out the numbers of values.
#[derive(Debug, Default)]
pub(crate) struct Values<'c> {
    table: Vec<ValueRef<'c>>,
    numbers: HashMap<Name<'c>, ValueId>,
}

impl<'c> Values<'c> {
    /// The number of a value.
    pub(crate) fn id(&mut self, value: ValueRef<'c>) -> ValueId {
        self.name(Name::Value(value))
    }

    /// The number of anything that a body computes.
    pub(crate) fn name(&mut self, name: Name<'c>) -> ValueId {
        *self.numbers.entry(name).or_insert_with(|| {
            self.table.push(name.ir());
            ValueId::from(self.table.len() - 1)
        })
    }

    /// The value, or the terminator that stands for one.
    pub(crate) fn of(&self, id: ValueId) -> ValueRef<'c> {
        self.table[id.index()]
    }

    /// The values by number.
    pub(crate) fn into_table(self) -> Vec<ValueRef<'c>> {
        self.table
    }
}

/// The value that a terminator decides by.
pub(crate) fn condition_of<'c>(terminator: ValueRef<'c>) -> Option<ValueRef<'c>> {
    match terminator.opcode() {
        Some(Opcode::Switch) => Some(terminator.operand(0)),
        Some(Opcode::Br) => terminator.condition(),
        _ => None,
    }
}

/// What can be asked about values of one region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origins<'a, 'c> {
    /// The analyses.
    pub(crate) ctx: PassContext<'c>,
    /// The function.
    pub(crate) cfg: &'a Cfg<'c>,
    /// The region.
    pub(crate) region: &'a Region,
    /// What is loaded inside of it but counts as known before.
    pub(crate) loads: &'a Loads<'c>,
}

impl<'c> Origins<'_, 'c> {
    /// The block of the region that defines the value, if one does. What is loaded before the
    /// region is not defined by it.
    pub(crate) fn defining_block(&self, value: ValueRef<'c>) -> Option<BlockId> {
        if self.loads.contains(value) {
            return None;
        }
        let block = self.cfg.number(value.block()?)?;
        self.region.contains(block).then_some(block)
    }

    /// Whether the block is in the region.
    pub(crate) fn is_inside(&self, block: BlockRef<'c>) -> bool {
        self.cfg.number(block).is_some_and(|b| self.region.contains(b))
    }

    /// Whether the block stands for a non-affine subregion.
    pub(crate) fn is_subregion(&self, block: BlockId) -> bool {
        self.cfg.subregion_at(block).is_some()
    }

    /// How a use in `block` gets the value.
    pub(crate) fn operand_kind(&self, value: ValueRef<'c>, block: BlockId) -> OperandKind {
        if self.defining_block(value).is_none() {
            OperandKind::Invariant
        } else if self.is_synthesizable(value, block) {
            OperandKind::Synthesized
        } else {
            OperandKind::Local
        }
    }

    /// The expression of an integer or pointer as seen from the block.
    pub(crate) fn scev_in(&self, value: ValueRef<'c>, block: BlockId) -> Option<ScevRef<'c>> {
        // A value of a non-affine subregion is looked at where it is computed.
        let scope = self.cfg.inner_loop(value, block).or(self.cfg.loop_of[block]);
        let scev = self.cfg.expressions.at((value, scope), || {
            let scope = scope.map(|l| self.cfg.loops[l].handle);
            self.ctx.scev(value).map(|scev| self.ctx.scev_at_scope(scev, scope))
        });
        scev.map(|scev| self.canonical(scev))
    }

    /// The expression with the representative of each class of loads for all others.
    pub(crate) fn canonical(&self, scev: ScevRef<'c>) -> ScevRef<'c> {
        self.loads.canonical(self.ctx, &self.cfg.expressions, scev)
    }

    /// What a PHI node behind a loop of a non-affine subregion takes out of it, in the loop's
    /// counter.
    pub(crate) fn left_behind(&self, phi: ValueRef<'c>, block: BlockId) -> Option<ScevRef<'c>> {
        let is_own = self.is_subregion(block) && phi.block().and_then(|b| self.cfg.number(b)) == Some(block);
        let left = only_incoming(phi).filter(|_| is_own)?;
        self.scev_in(left, block)
    }

    /// Whether the value can be computed again in the block from counters and invariants.
    pub(crate) fn is_synthesizable(&self, value: ValueRef<'c>, block: BlockId) -> bool {
        self.scev_in(value, block).is_some_and(|scev| self.is_expandable(scev, Some(block)))
    }

    /// Whether the expression has the same value in the whole region.
    pub(crate) fn is_invariant(&self, scev: ScevRef<'c>) -> bool {
        self.is_expandable(scev, None)
    }

    /// Whether some part of the expression is computed in the region by an instruction that no
    /// translation looks into: no assumption helps to say what the expression is.
    pub(crate) fn depends_on_data(&self, scev: ScevRef<'c>) -> bool {
        let is_data = |value: &ValueRef<'c>| {
            let is_opaque = !matches!(
                value.opcode(),
                Some(Opcode::Freeze | Opcode::SDiv | Opcode::SRem | Opcode::AShr | Opcode::Select | Opcode::Phi)
            );
            is_opaque && self.defining_block(*value).is_some()
        };
        !scev.is_could_not_compute() && self.cfg.expressions.values(scev).iter().any(is_data)
    }

    /// Whether the expression can be computed from invariants and the counters of the region's
    /// loops around `block` (none: invariants only).
    fn is_expandable(&self, scev: ScevRef<'c>, block: Option<BlockId>) -> bool {
        let mut todo = vec![scev];
        for _ in 0..MAX_NODES {
            let Some(part) = todo.pop() else { return true };
            let fine = match part.kind() {
                ScevKind::Constant => true,
                ScevKind::Unknown => {
                    part.unknown_value().is_some_and(|v| !v.is_undef() && self.defining_block(v).is_none())
                }
                ScevKind::AddRec => {
                    part.operands().len() == 2 && part.addrec_loop().is_some_and(|l| self.counts_around(l, block))
                }
                ScevKind::UDiv => part.operands()[1].constant().is_some_and(|divisor| divisor != 0),
                ScevKind::Add
                | ScevKind::Mul
                | ScevKind::SMax
                | ScevKind::SMin
                | ScevKind::UMax
                | ScevKind::UMin
                | ScevKind::SequentialUMin
                | ScevKind::ZExt
                | ScevKind::SExt
                | ScevKind::Trunc
                | ScevKind::PtrToInt => true,
                ScevKind::VScale | ScevKind::CouldNotCompute | ScevKind::Other => false,
            };
            if !fine {
                return false;
            }
            todo.extend(part.operands());
        }
        false
    }

    /// Whether the loop's counter is known at the block: it is around the whole region, or inside
    /// it and around the block.
    fn counts_around(&self, l: LoopRef<'c>, block: Option<BlockId>) -> bool {
        let Some(number) = self.cfg.loop_number(l) else { return false };
        if self.region.has_loop(number) {
            block.is_some_and(|b| self.cfg.loop_contains(number, b))
        } else {
            self.cfg.loop_contains(number, self.region.entry)
        }
    }
}
