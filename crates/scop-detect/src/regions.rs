//! Single-entry single-exit regions: candidates for SCoPs.
//!
//! # Definitions
//! The *region* of an entry block `e` and an exit block `x` that post-dominates it is the set of
//! blocks that can be reached from `e` without passing `x`. It is *well-formed* if `e` dominates
//! all of them (so nothing jumps into its middle) and if every loop whose header it contains is
//! inside as a whole. The exit block does not belong to the region. Several edges may enter at `e`
//! and several may leave to `x`.
//!
//! # Algorithm
//! For one entry the exits are tried along the chain of post dominators, so regions grow. Growing
//! stops at the first block that cannot be in any SCoP or that the entry does not dominate: all
//! larger regions contain it too. A region that holds part of a loop only is skipped, a larger one
//! may hold it all. Of regions with the same loops the smallest is kept.
//!
//! Every way from the entry to behind an exit passes the exit, so a region is the one before and
//! what can be reached from that one's exit: each block is looked at once for an entry.
//!
//! # Order
//! [`Region::tree`] lists blocks and loops in an order in which every loop is contiguous and every
//! block comes after those that can run before it in the same iterations: the textual order of the
//! statements. (Reverse post order alone may put a block behind a loop into the middle of it.)

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::cfg::{BlockId, Cfg, LoopIndex};
use crate::non_affine::Subregion;

/// Longest chain of exits that is tried for one entry.
const MAX_EXITS: usize = 512;
/// Largest number of blocks of a region.
const MAX_BLOCKS: usize = 2048;

/// A well-formed region.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    /// First block inside.
    pub(crate) entry: BlockId,
    /// First block behind.
    pub(crate) exit: BlockId,
    /// The blocks inside, ascending.
    pub(crate) blocks: Vec<BlockId>,
    /// The loops inside, in program order.
    pub(crate) loops: Vec<LoopIndex>,
    /// Blocks of non-affine subregions, without their headers.
    subregion_blocks: Vec<BlockId>,
    /// The loops of these parts.
    subregion_loops: Vec<LoopIndex>,
}

/// A part of a region or of a loop, in textual order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    /// A block.
    Block(BlockId),
    /// A loop and what it contains.
    Loop(LoopIndex, Vec<Item>),
}

impl Region {
    /// The region in the graph in which each of the parts is one block.
    pub(crate) fn with_subregions(&self, parts: &[Subregion<'_>]) -> Self {
        let mut result = self.clone();
        for part in parts {
            let inner: Vec<BlockId> = part.blocks.iter().copied().filter(|&b| b != part.header).collect();
            result.blocks.retain(|b| !inner.contains(b));
            result.loops.retain(|l| part.loops.iter().all(|(own, _)| own != l));
            result.subregion_blocks.extend(inner);
            result.subregion_loops.extend(part.loops.iter().map(|(own, _)| *own));
        }
        result
    }

    /// All blocks, ascending, also those of non-affine subregions.
    pub(crate) fn all_blocks(&self) -> Vec<BlockId> {
        let mut result: Vec<BlockId> = self.blocks.iter().chain(&self.subregion_blocks).copied().collect();
        result.sort_unstable();
        result
    }

    /// All loops, in program order, also those of such parts.
    pub(crate) fn all_loops(&self) -> Vec<LoopIndex> {
        let mut result: Vec<LoopIndex> = self.loops.iter().chain(&self.subregion_loops).copied().collect();
        result.sort_unstable();
        result
    }

    /// Whether the block is inside.
    pub(crate) fn contains(&self, block: BlockId) -> bool {
        self.blocks.binary_search(&block).is_ok()
    }

    /// Whether the loop is inside.
    pub(crate) fn has_loop(&self, l: LoopIndex) -> bool {
        self.loops.binary_search(&l).is_ok()
    }

    /// The loops inside the region that are around the block, outermost first.
    pub(crate) fn loops_around(&self, cfg: &Cfg<'_>, block: BlockId) -> Vec<LoopIndex> {
        let mut result: Vec<LoopIndex> = cfg.loops_around(block).filter(|&l| self.has_loop(l)).collect();
        result.reverse();
        result
    }

    /// The number of loops inside that are in no other loop inside.
    pub(crate) fn nests(&self, cfg: &Cfg<'_>) -> usize {
        self.loops.iter().filter(|&&l| cfg.loops[l].parent.is_none_or(|around| !self.has_loop(around))).count()
    }

    /// Whether a loop of the region is in another one of it.
    pub(crate) fn has_nest(&self, cfg: &Cfg<'_>) -> bool {
        self.nests(cfg) < self.loops.len()
    }

    /// The blocks from which the region is entered.
    pub(crate) fn entering(&self, cfg: &Cfg<'_>) -> Vec<BlockId> {
        cfg.predecessors[self.entry].iter().copied().filter(|&b| !self.contains(b)).collect()
    }

    /// Blocks and loops in textual order.
    pub(crate) fn tree(&self, cfg: &Cfg<'_>) -> Vec<Item> {
        let mut levels: BTreeMap<Option<LoopIndex>, Level> = BTreeMap::new();
        for &block in &self.blocks {
            for scope in self.loops_around(cfg, block).into_iter().map(Some).chain([None]) {
                levels.entry(scope).or_default().nodes.insert(self.head(cfg, block, scope));
            }
            for &to in cfg.successors[block].iter().filter(|&&to| self.contains(to)) {
                for scope in self.loops_around(cfg, block).into_iter().map(Some).chain([None]) {
                    let start = scope.map_or(self.entry, |l| cfg.loops[l].header);
                    let is_inside = scope.is_none_or(|l| cfg.loop_contains(l, to));
                    if is_inside && self.head(cfg, to, scope) != start {
                        levels
                            .entry(scope)
                            .or_default()
                            .connect(self.head(cfg, block, scope), self.head(cfg, to, scope));
                    }
                }
            }
        }
        self.items(cfg, None, &levels)
    }

    /// What represents the block in what the loop (the region for none) contains: the header of the
    /// outermost loop there that it is in, or itself.
    fn head(&self, cfg: &Cfg<'_>, block: BlockId, scope: Option<LoopIndex>) -> BlockId {
        let around = cfg.loops_around(block).take_while(|&l| Some(l) != scope && self.has_loop(l));
        around.last().map_or(block, |l| cfg.loops[l].header)
    }

    /// What the loop (the region itself for none) contains. Recursion is as deep as the nest.
    fn items(&self, cfg: &Cfg<'_>, scope: Option<LoopIndex>, levels: &BTreeMap<Option<LoopIndex>, Level>) -> Vec<Item> {
        let item = |h: BlockId| match cfg.loop_of[h] {
            Some(l) if Some(l) != scope && self.has_loop(l) && cfg.loops[l].header == h => {
                Item::Loop(l, self.items(cfg, Some(l), levels))
            }
            _ => Item::Block(h),
        };
        levels[&scope].in_order().into_iter().map(item).collect()
    }
}

/// What a loop or a region directly contains: blocks, and the headers of loops for what these
/// contain.
#[derive(Debug, Default)]
struct Level {
    nodes: BTreeSet<BlockId>,
    edges: BTreeSet<(BlockId, BlockId)>,
}

impl Level {
    fn connect(&mut self, from: BlockId, to: BlockId) {
        if from != to {
            self.edges.insert((from, to));
        }
    }

    /// The nodes, every one after its predecessors, the smallest possible number first.
    fn in_order(&self) -> Vec<BlockId> {
        let mut missing: HashMap<BlockId, usize> = self.nodes.iter().map(|&node| (node, 0)).collect();
        for (_, to) in &self.edges {
            *missing.get_mut(to).expect("edges lead to nodes") += 1;
        }
        let mut ready: BTreeSet<BlockId> = self.nodes.iter().copied().filter(|node| missing[node] == 0).collect();
        let mut order = Vec::new();
        while let Some(node) = ready.pop_first() {
            order.push(node);
            for (_, to) in self.edges.range((node, 0)..(node + 1, 0)) {
                let left = missing.get_mut(to).expect("edges lead to nodes");
                *left -= 1;
                if *left == 0 {
                    ready.insert(*to);
                }
            }
        }
        order
    }
}

/// The well-formed regions that begin at `entry`, ascending, each with more loops than the one
/// before. `fault` says which blocks cannot be in any SCoP, `accepts` which regions count.
pub(crate) fn regions_from(
    cfg: &Cfg<'_>,
    entry: BlockId,
    fault: &dyn Fn(BlockId) -> bool,
    accepts: &dyn Fn(&Region) -> bool,
) -> Vec<Region> {
    let mut result: Vec<Region> = Vec::new();
    let mut growth = Growth::default();
    let (mut next, mut exit) = (entry, cfg.post_dominator[entry]);
    for _ in 0..MAX_EXITS {
        let Some(x) = exit else { break };
        if growth.blocks.contains(&x) || !growth.extend(cfg, (entry, next, x), fault) {
            break;
        }
        (next, exit) = (x, cfg.post_dominator[x]);
        let known = result.last().map_or(0, |r| r.loops.len());
        if growth.missing == 0 && growth.loops.len() > known {
            let region = growth.region(entry, x);
            if accepts(&region) {
                result.push(region);
            }
        }
    }
    result
}

/// A region that grows from exit to exit: what can be reached from the entry without passing the
/// exit.
#[derive(Debug, Default)]
struct Growth {
    blocks: HashSet<BlockId>,
    /// The loops whose headers are inside.
    loops: BTreeSet<LoopIndex>,
    /// The number of blocks of these loops that are outside.
    missing: usize,
}

impl Growth {
    /// Adds what can be reached from `next`, the exit until now or the entry, without passing the
    /// new exit. False if that, and with it all larger regions, has a block that is at fault, is
    /// not dominated by the entry or lies on a cycle without header of a loop.
    fn extend(
        &mut self,
        cfg: &Cfg<'_>,
        (entry, next, exit): (BlockId, BlockId, BlockId),
        fault: &dyn Fn(BlockId) -> bool,
    ) -> bool {
        let mut todo = vec![next];
        self.blocks.insert(next);
        while let Some(block) = todo.pop() {
            if fault(block) || !cfg.dominates(entry, block) || self.blocks.len() > MAX_BLOCKS {
                return false;
            }
            self.count(cfg, block);
            for &to in &cfg.successors[block] {
                if to != exit && self.blocks.insert(to) {
                    todo.push(to);
                }
            }
            let leaves = cfg.successors[block].iter().map(|&to| (block, to));
            let enters = cfg.predecessors[block].iter().map(|&from| (from, block));
            if leaves.chain(enters).any(|edge| self.is_irreducible(cfg, edge)) {
                return false;
            }
        }
        true
    }

    /// Whether an edge inside closes a cycle that is no loop. One against the reverse post order is
    /// a back edge of the depth first search.
    fn is_irreducible(&self, cfg: &Cfg<'_>, (from, to): (BlockId, BlockId)) -> bool {
        to <= from
            && self.blocks.contains(&from)
            && self.blocks.contains(&to)
            && cfg.loops_around(from).all(|l| cfg.loops[l].header != to)
    }

    /// Counts the block where its loops are whole. Blocks of a loop with its header inside come
    /// behind that.
    fn count(&mut self, cfg: &Cfg<'_>, block: BlockId) {
        for l in cfg.loops_around(block) {
            if cfg.loops[l].header == block {
                self.loops.insert(l);
                self.missing += cfg.loops[l].blocks.len() - 1;
            } else if self.loops.contains(&l) {
                self.missing -= 1;
            }
        }
    }

    fn region(&self, entry: BlockId, exit: BlockId) -> Region {
        let mut blocks: Vec<BlockId> = self.blocks.iter().copied().collect();
        blocks.sort_unstable();
        let loops = self.loops.iter().copied().collect();
        Region { entry, exit, blocks, loops, subregion_blocks: Vec::new(), subregion_loops: Vec::new() }
    }
}
