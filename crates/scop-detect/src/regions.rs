//! Single-entry single-exit regions: candidates for SCoPs.
//!
//! # Definitions
//! The *region* of an entry block `e` and an exit block `x` that post-dominates it is the set of blocks that can be reached from `e` without
//! passing `x`. It is *well-formed* if `e` dominates all of them (so nothing jumps into its middle) and if every loop whose header it contains is
//! inside as a whole. The exit block does not belong to the region. Several edges may enter at `e` and several may leave to `x`.
//!
//! # Algorithm
//! For one entry the exits are tried along the chain of post dominators, so regions grow. Growing stops at the first block that cannot be
//! in any SCoP or that the entry does not dominate: all larger regions contain it too. A region that holds part of a loop only is skipped, a larger
//! one may hold it all. Of regions with the same loops the smallest is kept.
//!
//! # Order
//! [`Region::tree`] lists blocks and loops in an order in which every loop is contiguous and every block comes after those that can run before it in
//! the same iterations: the textual order of the statements. (Reverse post order alone may put a block behind a loop into the middle of it.)

use std::collections::BTreeSet;

use crate::cfg::{BlockId, Cfg, LoopIndex};
use crate::closed::Closed;

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
    /// Blocks of parts that are executed as a whole, without their headers.
    closed_blocks: Vec<BlockId>,
    /// The loops of these parts.
    closed_loops: Vec<LoopIndex>,
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
    pub(crate) fn closing(&self, parts: &[Closed<'_>]) -> Self {
        let mut result = self.clone();
        for part in parts {
            let inner: Vec<BlockId> = part.blocks.iter().copied().filter(|&b| b != part.header).collect();
            result.blocks.retain(|b| !inner.contains(b));
            result.loops.retain(|l| part.loops.iter().all(|(own, _)| own != l));
            result.closed_blocks.extend(inner);
            result.closed_loops.extend(part.loops.iter().map(|(own, _)| *own));
        }
        result
    }

    /// All blocks, ascending, also those of parts that are executed as a whole.
    pub(crate) fn all_blocks(&self) -> Vec<BlockId> {
        let mut result: Vec<BlockId> = self.blocks.iter().chain(&self.closed_blocks).copied().collect();
        result.sort_unstable();
        result
    }

    /// All loops, in program order, also those of such parts.
    pub(crate) fn all_loops(&self) -> Vec<LoopIndex> {
        let mut result: Vec<LoopIndex> = self.loops.iter().chain(&self.closed_loops).copied().collect();
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

    /// The blocks from which the region is entered.
    pub(crate) fn entering(&self, cfg: &Cfg<'_>) -> Vec<BlockId> {
        cfg.predecessors[self.entry].iter().copied().filter(|&b| !self.contains(b)).collect()
    }

    /// Blocks and loops in textual order.
    pub(crate) fn tree(&self, cfg: &Cfg<'_>) -> Vec<Item> {
        self.items(cfg, None)
    }

    /// What the loop (the region itself for none) contains. Recursion is as deep as the nest.
    fn items(&self, cfg: &Cfg<'_>, scope: Option<LoopIndex>) -> Vec<Item> {
        // Everything inside an inner loop is represented by the loop's header.
        let head = |block: BlockId| {
            let mut inner = None;
            for l in cfg.loops_around(block) {
                if Some(l) == scope || !self.has_loop(l) {
                    break;
                }
                inner = Some(l);
            }
            inner.map_or(block, |l| cfg.loops[l].header)
        };
        let start = scope.map_or(self.entry, |l| cfg.loops[l].header);
        let inside = |b: BlockId| self.contains(b) && scope.is_none_or(|l| cfg.loop_contains(l, b));
        let members: Vec<BlockId> = self.blocks.iter().copied().filter(|&b| inside(b)).collect();
        let heads: BTreeSet<BlockId> = members.iter().map(|&b| head(b)).collect();
        let mut edges: BTreeSet<(BlockId, BlockId)> = BTreeSet::new();
        for &from in &members {
            for &to in cfg.successors[from].iter().filter(|&&to| inside(to)) {
                let (a, b) = (head(from), head(to));
                if a != b && b != head(start) {
                    edges.insert((a, b));
                }
            }
        }
        topological(&heads, &edges)
            .into_iter()
            .map(|h| match cfg.loop_of[h] {
                Some(l) if Some(l) != scope && self.has_loop(l) && cfg.loops[l].header == h => {
                    Item::Loop(l, self.items(cfg, Some(l)))
                }
                _ => Item::Block(h),
            })
            .collect()
    }
}

/// The nodes of an acyclic graph, every one after its predecessors, the smallest possible number first.
fn topological(nodes: &BTreeSet<BlockId>, edges: &BTreeSet<(BlockId, BlockId)>) -> Vec<BlockId> {
    let mut missing: Vec<(BlockId, usize)> =
        nodes.iter().map(|&n| (n, edges.iter().filter(|e| e.1 == n).count())).collect();
    let mut ready: BTreeSet<BlockId> = missing.iter().filter(|m| m.1 == 0).map(|m| m.0).collect();
    let mut order = Vec::new();
    while let Some(node) = ready.pop_first() {
        order.push(node);
        for &(_, to) in edges.range((node, 0)..(node + 1, 0)) {
            let position = missing.binary_search_by_key(&to, |m| m.0).expect("edges lead to nodes");
            missing[position].1 -= 1;
            if missing[position].1 == 0 {
                ready.insert(to);
            }
        }
    }
    order
}

/// The well-formed regions that begin at `entry`, ascending, each with more loops than the one before. `fault` says which blocks cannot be
/// in any SCoP, `accepts` which regions count.
pub(crate) fn regions_from(
    cfg: &Cfg<'_>,
    entry: BlockId,
    fault: &dyn Fn(BlockId) -> bool,
    accepts: &dyn Fn(&Region) -> bool,
) -> Vec<Region> {
    let mut result: Vec<Region> = Vec::new();
    let mut exit = cfg.post_dominator[entry];
    for _ in 0..MAX_EXITS {
        let Some(x) = exit else { break };
        exit = cfg.post_dominator[x];
        let Some(blocks) = reach(cfg, entry, x, fault) else { break };
        let Some(loops) = whole_loops(cfg, &blocks) else { continue };
        let known = result.last().map_or(0, |r| r.loops.len());
        if loops.len() > known && is_acyclic_outside_loops(cfg, &blocks, &loops) {
            let (closed_blocks, closed_loops) = (Vec::new(), Vec::new());
            let region = Region { entry, exit: x, blocks, loops, closed_blocks, closed_loops };
            if accepts(&region) {
                result.push(region);
            }
        }
    }
    result
}

/// What can be reached from `entry` without passing `exit`, ascending; nothing if a block is at fault or not dominated by the entry.
fn reach(cfg: &Cfg<'_>, entry: BlockId, exit: BlockId, fault: &dyn Fn(BlockId) -> bool) -> Option<Vec<BlockId>> {
    let mut seen: BTreeSet<BlockId> = BTreeSet::from([entry]);
    let mut todo = vec![entry];
    while let Some(block) = todo.pop() {
        if fault(block) || !cfg.dominates(entry, block) || seen.len() > MAX_BLOCKS {
            return None;
        }
        for &next in &cfg.successors[block] {
            if next != exit && seen.insert(next) {
                todo.push(next);
            }
        }
    }
    Some(seen.into_iter().collect())
}

/// The loops whose headers are among the blocks, unless part of one of them is outside.
fn whole_loops(cfg: &Cfg<'_>, blocks: &[BlockId]) -> Option<Vec<LoopIndex>> {
    let inside = |b: &BlockId| blocks.binary_search(b).is_ok();
    let mut result = Vec::new();
    for (number, l) in cfg.loops.iter().enumerate() {
        if inside(&l.header) {
            if !l.blocks.iter().all(inside) {
                return None;
            }
            result.push(number);
        }
    }
    Some(result)
}

/// Whether all cycles among the blocks go through headers of the given loops (no irreducible control flow).
fn is_acyclic_outside_loops(cfg: &Cfg<'_>, blocks: &[BlockId], loops: &[LoopIndex]) -> bool {
    let is_back_edge =
        |from: BlockId, to: BlockId| loops.iter().any(|&l| cfg.loops[l].header == to && cfg.loop_contains(l, from));
    let inside = |b: BlockId| blocks.binary_search(&b).is_ok();
    // An edge against the reverse post order is a back edge of the depth first search.
    blocks.iter().all(|&from| cfg.successors[from].iter().all(|&to| !inside(to) || to > from || is_back_edge(from, to)))
}
