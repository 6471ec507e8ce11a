//! Control flow that depends on data: groups of blocks that are modelled like one block.
//!
//! # Definitions
//! A *unit* is a set of blocks without a loop among them, in one and the same innermost loop, that
//! is entered at its *head* only. Whether the blocks between the head and its immediate post
//! dominator, the *join*, run is not modelled: statements made from the unit run whenever the head
//! does, and what belongs to a block that does not always run is guarded by the conditions that
//! lead to it. The join belongs to the unit, so that the values it chooses are computed there, if
//! it runs exactly when the head does; then the unit may go on with a condition at its end. A loop
//! that is executed as a whole ([`crate::non_affine`]) is one of these blocks.
//!
//! Every other block is a unit of its own, with itself as head.

use std::collections::{BTreeMap, BTreeSet};

use poly_shim::ir::Opcode;
use poly_shim::{BlockRef, ValueRef};

use crate::cfg::{BlockId, Cfg};
use crate::regions::Region;

/// Largest number of blocks of a unit.
const MAX_BLOCKS: usize = 32;

/// Whether the terminator is a branch, or a switch whose cases are numbers of the model.
fn chooses_by_value(terminator: ValueRef<'_>) -> bool {
    match terminator.opcode() {
        Some(Opcode::Br) => true,
        Some(Opcode::Switch) => terminator.switch_cases().iter().all(|(case, _)| case.constant_int().is_some()),
        _ => false,
    }
}

/// The cases of a switch that lead to the block, or those that do not and `true` if it is where all
/// others go.
pub(crate) fn cases_to<'c>(cfg: &Cfg<'c>, terminator: ValueRef<'c>, to: BlockId) -> (Vec<i128>, bool) {
    let from = terminator.block().expect("terminators stand in blocks");
    let is_default = from.successors().first().and_then(|&b| cfg.number(b)) == Some(to);
    let chosen = |target: BlockRef<'c>| (cfg.number(target) == Some(to)) != is_default;
    let cases = terminator.switch_cases().into_iter().filter(|(_, target)| chosen(*target));
    let value = |case: ValueRef<'_>| i128::from(case.constant_int().expect("the cases of units are numbers"));
    (cases.map(|(case, _)| value(case)).collect(), is_default)
}

/// The units of a region.
#[derive(Clone, Debug, Default)]
pub(crate) struct Units {
    /// The heads of blocks that are not heads themselves.
    heads: BTreeMap<BlockId, BlockId>,
    /// Blocks whose terminators choose by data.
    choosing: BTreeSet<BlockId>,
}

/// A way into a block inside of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Edge {
    /// Where it comes from.
    pub(crate) from: BlockId,
    /// What leads from there to here.
    pub(crate) way: Way,
}

/// Under which condition, at the end of the block where it begins, an edge is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Way {
    /// There is no choice.
    Always,
    /// The condition of the branch has this value.
    Truth(bool),
    /// The switch chooses this block.
    Switch(BlockId),
}

impl Units {
    /// The first block of the unit that a block belongs to.
    pub(crate) fn head(&self, block: BlockId) -> BlockId {
        self.heads.get(&block).copied().unwrap_or(block)
    }

    /// Whether the block belongs to the unit of another one.
    pub(crate) fn is_inner(&self, block: BlockId) -> bool {
        self.heads.contains_key(&block)
    }

    /// Whether what follows the block depends on data.
    pub(crate) fn chooses(&self, block: BlockId) -> bool {
        self.choosing.contains(&block)
    }

    /// The blocks of the unit with this head, in an order in which they can run.
    pub(crate) fn blocks(&self, head: BlockId) -> Vec<BlockId> {
        let inner = self.heads.iter().filter(|(_, h)| **h == head).map(|(&block, _)| block);
        std::iter::once(head).chain(inner).collect()
    }

    /// Makes what lies between the block, whose terminator chooses by data, and its join a part of
    /// the block's unit. Returns the added blocks; nothing if there is no unit.
    pub(crate) fn extend(&mut self, cfg: &Cfg<'_>, region: &Region, block: BlockId) -> Option<Vec<BlockId>> {
        let join = cfg.post_dominator[block]?;
        let around = cfg.loop_of[block];
        let is_header = |b: BlockId| around.is_some_and(|l| cfg.loops[l].header == b);
        if cfg.loop_of[join] != around || join == region.exit || is_header(join) || !region.contains(join) {
            return None;
        }
        let mut between = BTreeSet::new();
        let mut todo = vec![block];
        while let Some(current) = todo.pop() {
            let is_subregion = cfg.subregion_at(current).is_some();
            if !is_subregion && !chooses_by_value(cfg.blocks[current].terminator()) {
                return None;
            }
            for &next in cfg.successors[current].iter().filter(|&&next| next != join) {
                let fits = cfg.loop_of[next] == around
                    && !is_header(next)
                    && region.contains(next)
                    && cfg.dominates(block, next)
                    && !self.is_inner(next);
                if !fits || between.len() >= MAX_BLOCKS {
                    return None;
                }
                if between.insert(next) {
                    todo.push(next);
                }
            }
        }
        let mut added: Vec<BlockId> = between.iter().copied().collect();
        let enters = |b: &BlockId| *b == block || between.contains(b);
        if cfg.predecessors[join].iter().all(enters) && !self.is_inner(join) {
            added.push(join);
        }
        let head = self.head(block);
        self.choosing.insert(block);
        for &b in &between {
            if cfg.successors[b].len() > 1 {
                self.choosing.insert(b);
            }
        }
        self.heads.extend(added.iter().map(|&b| (b, head)));
        Some(added)
    }

    /// Puts a loop that is executed as a whole together with the blocks directly before and behind
    /// it, if nothing else leads from or to them: they run exactly when it does, and values between
    /// them need no scalars then.
    pub(crate) fn embed(&mut self, cfg: &Cfg<'_>, region: &Region, block: BlockId) {
        let around = cfg.loop_of[block];
        let fits = |b: BlockId| cfg.loop_of[b] == around && region.contains(b) && b != region.exit;
        if let &[before] = cfg.predecessors[block].as_slice()
            && cfg.successors[before].len() == 1
            && fits(before)
            && !self.is_inner(block)
        {
            self.heads.insert(block, self.head(before));
        }
        if let &[behind] = cfg.successors[block].as_slice()
            && cfg.predecessors[behind].len() == 1
            && fits(behind)
            && !self.is_inner(behind)
        {
            self.heads.insert(behind, self.head(block));
        }
    }

    /// The edges into an inner block.
    pub(crate) fn edges(&self, cfg: &Cfg<'_>, block: BlockId) -> Vec<Edge> {
        cfg.predecessors[block].iter().map(|&from| self.edge(cfg, from, block)).collect()
    }

    /// One edge into a block from inside of a unit.
    pub(crate) fn edge(&self, cfg: &Cfg<'_>, from: BlockId, to: BlockId) -> Edge {
        let targets = cfg.blocks[from].successors();
        let is_target = |position: usize| cfg.number(targets[position]) == Some(to);
        let way = if !self.chooses(from) || cfg.successors[from].len() < 2 {
            Way::Always
        } else if cfg.blocks[from].terminator().opcode() == Some(Opcode::Switch) {
            Way::Switch(to)
        } else {
            Way::Truth(is_target(0))
        };
        Edge { from, way }
    }

    /// The outermost block of the unit that runs exactly when the block does.
    pub(crate) fn equivalent(&self, cfg: &Cfg<'_>, block: BlockId) -> BlockId {
        let mut result = block;
        while self.is_inner(result) {
            let dominator = cfg.dominator[result].expect("inner blocks are dominated by their head");
            if !cfg.post_dominates(result, dominator) {
                break;
            }
            result = dominator;
        }
        result
    }
}
