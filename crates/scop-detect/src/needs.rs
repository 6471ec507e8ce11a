//! Which instructions a region's effect depends on, and which values are carried from one block to
//! another.
//!
//! # Algorithm
//! Roots are the stores, the values used behind the region, and the PHI nodes of the exit block
//! that tell several edges from the region apart. From there operands are followed. Addresses, trip
//! counts and branch conditions are not: the model has them. Values that code generation computes
//! again from counters and invariants end the search. What is not reached is dead and dropped.
//!
//! A value that is used in another block than its own, or behind the region, is carried by a scalar
//! ([`ScalarKind::Value`]). A PHI node is read from a scalar by its own block
//! ([`ScalarKind::Phi`]). A PHI node with one incoming edge (as loops in LCSSA form end with) is
//! only another name.
//!
//! [`ScalarKind::Value`]: poly_scop::ScalarKind::Value
//! [`ScalarKind::Phi`]: poly_scop::ScalarKind::Phi

use std::collections::HashSet;

use indexmap::IndexMap;
use poly_scop::OperandKind;
use poly_shim::ValueRef;
use poly_shim::ir::Opcode;

use crate::access::{Addressed, Transfer, transfer};
use crate::cfg::BlockId;
use crate::domains::Domains;
use crate::reject::{Blocker, RejectKind};
use crate::units::{Edge, Units, Way};
use crate::validity;
use crate::values::{Origins, condition_of};

/// How a use gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source<'c> {
    /// The same in the whole region.
    Invariant,
    /// Computed again from counters and invariants.
    Synthesized,
    /// Computed by the same unit.
    Local,
    /// A PHI node at the beginning of the same unit: read from its scalar.
    Phi,
    /// Read from the scalar that carries the given value.
    Carried(ValueRef<'c>),
}

/// What the statements have to compute.
#[derive(Clone, Debug, Default)]
pub(crate) struct Needs<'c> {
    /// Instructions (also PHI nodes) that are reached.
    pub(crate) instructions: HashSet<ValueRef<'c>>,
    /// Values carried between blocks or behind the region, and whether they are used behind it; in
    /// order of discovery.
    pub(crate) carried: IndexMap<ValueRef<'c>, bool>,
    /// PHI nodes of the exit block with several edges from the region.
    pub(crate) exit_phis: Vec<ValueRef<'c>>,
    /// Loads and stores whose addresses are computed by the program's own instructions.
    pub(crate) addressed: HashSet<ValueRef<'c>>,
    /// Those of them, and transfers, of which no more is known than the array.
    pub(crate) anywhere: HashSet<ValueRef<'c>>,
    /// non-affine subregions and that are reached.
    subregions: HashSet<BlockId>,
    /// Blocks of units for which it is known what decides whether they run.
    decided: HashSet<BlockId>,
    todo: Vec<ValueRef<'c>>,
}

impl<'c> Origins<'_, 'c> {
    /// The value that a PHI node with one incoming edge, inside the region, stands for; followed
    /// through several of them.
    fn renamed(&self, phi: ValueRef<'c>) -> Option<ValueRef<'c>> {
        let mut value = phi;
        loop {
            let mut incoming = value.incoming();
            incoming.retain(|(from, _)| self.cfg.error_block(*from).is_none());
            let [(from, next)] = incoming.as_slice() else { break };
            let definition = self.defining_block(value).filter(|&block| self.cfg.subregion_at(block).is_none());
            if !self.is_inside(*from) || definition.is_none() {
                break;
            }
            value = *next;
        }
        (value != phi && self.defining_block(value).is_some()).then_some(value)
    }

    /// How a use of the value in `block` (at its end, for incoming values of PHI nodes) gets it.
    pub(crate) fn source(&self, units: &Units, value: ValueRef<'c>, block: BlockId) -> Source<'c> {
        match self.operand_kind(value, block) {
            OperandKind::Constant | OperandKind::Invariant => return Source::Invariant,
            OperandKind::Synthesized => return Source::Synthesized,
            OperandKind::Local => {}
        }
        let definition = self.defining_block(value).expect("other values are defined in the region");
        let is_local = units.head(definition) == units.head(block);
        if is_local && self.cfg.subregion_at(definition).is_some() {
            return Source::Local;
        }
        let is_phi = value.opcode() == Some(Opcode::Phi);
        if is_local && is_phi && units.is_inner(definition) {
            return Source::Local;
        }
        match self.renamed(value) {
            Some(original) => Source::Carried(original),
            None if is_local && is_phi => Source::Phi,
            None if is_local => Source::Local,
            None => Source::Carried(value),
        }
    }
}

/// Finds what the region has to compute: what it writes, the calls `effects`, and what is used
/// behind it. Blocks that never run need nothing.
pub(crate) fn find<'c>(
    origins: Origins<'_, 'c>,
    domains: &Domains,
    effects: &[ValueRef<'c>],
) -> Result<Needs<'c>, Blocker> {
    let mut needs = Needs::default();
    effects.iter().for_each(|&call| needs.define(call));
    for &block in origins.region.blocks.iter().filter(|&&b| domains.runs(b)) {
        for instruction in origins.cfg.instructions(block) {
            if instruction.opcode() == Some(Opcode::Store) || transfer(instruction).is_some() {
                needs.define(instruction);
            }
            if !origins.loads.contains(instruction) && is_used_behind(origins, instruction) {
                let carried = origins.renamed(instruction).unwrap_or(instruction);
                needs.carry(origins, carried, true);
            }
        }
    }
    needs.exit_phis(origins, domains);
    needs.follow(origins, domains)?;
    Ok(needs)
}

/// Whether the value is used outside of the region, other than by a PHI node of the exit that is
/// modelled itself.
fn is_used_behind<'c>(origins: Origins<'_, 'c>, value: ValueRef<'c>) -> bool {
    let exit = origins.cfg.blocks[origins.region.exit];
    value.users().into_iter().any(|user| match user.block() {
        Some(block) if origins.is_inside(block) => false,
        // Only the original code comes there.
        Some(block) if origins.cfg.number(block).is_none() => false,
        Some(block) if block == exit && user.opcode() == Some(Opcode::Phi) => {
            edges_from_region(origins, user) <= 1
                || user.incoming().iter().any(|(from, v)| *v == value && !origins.is_inside(*from))
        }
        _ => true,
    })
}

/// The number of blocks of the region from which the PHI node of the exit is reached.
fn edges_from_region<'c>(origins: Origins<'_, 'c>, phi: ValueRef<'c>) -> usize {
    let blocks: HashSet<_> =
        phi.incoming().into_iter().map(|(from, _)| from).filter(|&b| origins.is_inside(b)).collect();
    blocks.len()
}

impl<'c> Needs<'c> {
    fn define(&mut self, instruction: ValueRef<'c>) {
        if self.instructions.insert(instruction) {
            self.todo.push(instruction);
        }
    }

    /// The value must be written to a scalar by its block.
    fn carry(&mut self, origins: Origins<'_, 'c>, value: ValueRef<'c>, live_out: bool) {
        *self.carried.entry(value).or_insert(false) |= live_out;
        let block = origins.defining_block(value).expect("carried values are defined inside the region");
        if !origins.is_synthesizable(value, block) {
            self.define(value);
        }
    }

    /// The addresses of these accesses are data from now on.
    pub(crate) fn add_addresses(
        &mut self,
        origins: Origins<'_, 'c>,
        domains: &Domains,
        accesses: &Addressed<'c>,
    ) -> Result<(), Blocker> {
        self.anywhere.extend(accesses.anywhere.iter().copied());
        for &access in &accesses.all {
            // What only inspections read concerns them.
            if self.addressed.insert(access) && self.instructions.contains(&access) {
                self.todo.push(access);
            }
        }
        self.follow(origins, domains)
    }

    fn follow(&mut self, origins: Origins<'_, 'c>, domains: &Domains) -> Result<(), Blocker> {
        while let Some(instruction) = self.todo.pop() {
            self.operands(origins, domains, instruction)?;
        }
        Ok(())
    }

    /// What decides whether an inner block of a unit runs.
    fn conditions(&mut self, origins: Origins<'_, 'c>, domains: &Domains, block: BlockId) {
        let block = domains.units.equivalent(origins.cfg, block);
        if domains.units.is_inner(block) && self.decided.insert(block) {
            for edge in domains.units.edges(origins.cfg, block) {
                self.edge(origins, domains, edge);
            }
        }
    }

    /// What decides whether an edge is taken. Recursion is as deep as a unit has blocks.
    fn edge(&mut self, origins: Origins<'_, 'c>, domains: &Domains, edge: Edge) {
        self.conditions(origins, domains, edge.from);
        if edge.way != Way::Always {
            let terminator = origins.cfg.blocks[edge.from].terminator();
            let condition = condition_of(terminator).expect("a block that chooses has a condition");
            self.use_of(origins, domains, condition, edge.from);
        }
    }

    fn exit_phis(&mut self, origins: Origins<'_, 'c>, domains: &Domains) {
        for phi in origins.cfg.blocks[origins.region.exit].phis() {
            if edges_from_region(origins, phi) > 1 {
                self.exit_phis.push(phi);
                for (from, value) in phi.incoming() {
                    if let Some(block) = origins.cfg.number(from).filter(|&b| origins.region.contains(b)) {
                        self.use_of(origins, domains, value, block);
                    }
                }
            }
        }
    }

    fn use_of(&mut self, origins: Origins<'_, 'c>, domains: &Domains, value: ValueRef<'c>, block: BlockId) {
        match origins.source(&domains.units, value, block) {
            Source::Invariant | Source::Synthesized => {}
            Source::Local | Source::Phi => self.define(value),
            Source::Carried(original) => self.carry(origins, original, false),
        }
    }

    /// The operands that are data: not the address of an access that the model knows, nor the
    /// function of a call.
    pub(crate) fn data_operands(&self, instruction: ValueRef<'c>) -> Vec<ValueRef<'c>> {
        let mut operands = instruction.operands();
        match instruction.opcode() {
            Some(Opcode::Load | Opcode::Store) if self.addressed.contains(&instruction) => {}
            Some(Opcode::Load) => operands.clear(),
            Some(Opcode::Store) => operands.truncate(1),
            Some(Opcode::Call) => {
                operands.pop();
                if transfer(instruction) == Some(Transfer::Set) {
                    // What is written comes first.
                    operands.swap(0, 1);
                }
            }
            _ => {}
        }
        operands
    }

    /// Follows the operands of a needed instruction.
    fn operands(
        &mut self,
        origins: Origins<'_, 'c>,
        domains: &Domains,
        instruction: ValueRef<'c>,
    ) -> Result<(), Blocker> {
        let block = origins.defining_block(instruction).expect("needed instructions are inside the region");
        if let Some(part) = origins.cfg.subregion_at(block) {
            if self.subregions.insert(block) {
                self.conditions(origins, domains, block);
                self.instructions.extend(origins.cfg.instructions(block));
                part.inputs.iter().for_each(|&input| self.use_of(origins, domains, input, block));
            }
            return Ok(());
        }
        if instruction.opcode() == Some(Opcode::Phi) {
            for (from, value) in instruction.incoming() {
                if let Some(from) = origins.cfg.number(from).filter(|&b| origins.region.contains(b) && domains.runs(b))
                {
                    match origins.cfg.subregion_at(from).is_some_and(|part| part.chosen.contains(&instruction)) {
                        // Which of its values it gets is known to what is executed as a whole only,
                        // even where each could be computed again.
                        true => self.define(origins.cfg.blocks[from].terminator()),
                        false => self.use_of(origins, domains, value, from),
                    }
                    self.edge(origins, domains, domains.units.edge(origins.cfg, from, block));
                }
            }
            return Ok(());
        }
        self.conditions(origins, domains, block);
        if validity::is_dropped_mark(instruction) {
            return Err(
                Blocker::new(RejectKind::Instruction, "a mark for the optimizer is used as a value").in_block(block)
            );
        }
        for operand in self.data_operands(instruction) {
            self.use_of(origins, domains, operand, block);
        }
        Ok(())
    }
}
