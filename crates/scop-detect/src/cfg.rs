//! The control flow graph of a function, by numbers.
//!
//! Blocks are numbered in reverse post order and loops in program order (a loop before those inside
//! it), so that everything built from them is deterministic and can be kept in vectors. Unreachable
//! blocks do not exist here, nor do those from which the function does not return.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use poly_shim::ir::Opcode;
use poly_shim::{BlockRef, LoopRef, PassContext, ValueRef};

use crate::ends;
use crate::expressions::Expressions;
use crate::non_affine::Subregion;

/// A block: its position in reverse post order.
pub(crate) type BlockId = usize;
/// A loop: its position in program order.
pub(crate) type LoopIndex = usize;

/// A loop of the function.
#[derive(Clone, Debug)]
pub(crate) struct CfgLoop<'c> {
    /// LLVM's loop.
    pub(crate) handle: LoopRef<'c>,
    /// The block through which it is entered.
    pub(crate) header: BlockId,
    /// The loop directly around it.
    pub(crate) parent: Option<LoopIndex>,
    /// Its blocks, ascending, with those of inner loops.
    pub(crate) blocks: Vec<BlockId>,
}

/// The control flow graph.
#[derive(Clone, Debug)]
pub(crate) struct Cfg<'c> {
    /// LLVM's blocks.
    pub(crate) blocks: Vec<BlockRef<'c>>,
    numbers: HashMap<BlockRef<'c>, BlockId>,
    /// By block: its instructions.
    code: Rc<Vec<Vec<ValueRef<'c>>>>,
    /// What scalar evolution says of its values.
    pub(crate) expressions: Rc<Expressions<'c>>,
    /// Successors in the order of the terminator's operands, without duplicates.
    pub(crate) successors: Vec<Vec<BlockId>>,
    /// Predecessors, ascending, without duplicates.
    pub(crate) predecessors: Vec<Vec<BlockId>>,
    /// Immediate dominators.
    pub(crate) dominator: Vec<Option<BlockId>>,
    /// By block: the numbers, in a walk over the dominator tree, of what it dominates, itself
    /// first.
    spans: Vec<Range<usize>>,
    /// Blocks on paths that end the program ([`crate::ends`]): no part of the graph.
    pub(crate) dead_ends: Vec<BlockRef<'c>>,
    /// Blocks that are assumed not to run ([`crate::error_blocks`]), each with what that says: no
    /// part of the graph.
    error_blocks: BTreeMap<BlockId, String>,
    /// The loops among dead ends.
    pub(crate) dead_loops: Vec<LoopRef<'c>>,
    /// Immediate post dominators that are blocks.
    pub(crate) post_dominator: Vec<Option<BlockId>>,
    /// The innermost loop around each block.
    pub(crate) loop_of: Vec<Option<LoopIndex>>,
    /// The loops.
    pub(crate) loops: Vec<CfgLoop<'c>>,
    /// By header: non-affine subregions. Only their headers are blocks of the graph.
    subregions: BTreeMap<BlockId, Subregion<'c>>,
    /// By block of such a part: the innermost loop around it.
    inner_loops: HashMap<BlockRef<'c>, Option<LoopIndex>>,
}

/// The value of a PHI node that has one only, such as one behind a loop in which the value was
/// computed.
pub(crate) fn only_incoming(phi: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let incoming = phi.incoming();
    let (_, first) = *incoming.first()?;
    incoming.iter().all(|(_, value)| *value == first).then_some(first)
}

impl<'c> Cfg<'c> {
    /// Reads the graph of the context's function.
    pub(crate) fn new(ctx: PassContext<'c>) -> Self {
        let blocks = ctx.reverse_post_order();
        let dead_ends = dead_ends(&blocks);
        let (dead_ends, blocks): (Vec<_>, Vec<_>) = blocks.into_iter().partition(|b| dead_ends.contains(b));
        let numbers: HashMap<BlockRef<'c>, BlockId> = blocks.iter().enumerate().map(|(i, &b)| (b, i)).collect();
        let number = |b: BlockRef<'c>| numbers.get(&b).copied();
        let successors: Vec<Vec<BlockId>> = blocks
            .iter()
            .map(|&b| {
                let mut result = Vec::new();
                for next in b.successors().into_iter().filter_map(number) {
                    if !result.contains(&next) {
                        result.push(next);
                    }
                }
                result
            })
            .collect();
        let mut predecessors = vec![Vec::new(); blocks.len()];
        for (block, next) in successors.iter().enumerate() {
            for &successor in next {
                predecessors[successor].push(block);
            }
        }
        let dominator: Vec<Option<BlockId>> = blocks.iter().map(|&b| ctx.idom(b).and_then(number)).collect();
        let post_dominator = ends::post_dominators(&successors, &predecessors);
        let mut cfg = Self {
            loop_of: vec![None; blocks.len()],
            code: Rc::new(blocks.iter().map(|b| b.instructions()).collect()),
            expressions: Rc::default(),
            blocks,
            dead_ends,
            error_blocks: BTreeMap::new(),
            dead_loops: Vec::new(),
            numbers,
            successors,
            predecessors,
            spans: spans(&dominator),
            dominator,
            post_dominator,
            loops: Vec::new(),
            subregions: BTreeMap::new(),
            inner_loops: HashMap::new(),
        };
        cfg.read_loops(ctx);
        cfg
    }

    /// The graph in which each of the subregions, which have no block in common, is one block: its
    /// header. Numbers stay.
    pub(crate) fn with_subregions(&self, parts: &[Subregion<'c>]) -> Self {
        let mut cfg = self.clone();
        for part in parts {
            let is_inside = |b: &BlockId| part.blocks.binary_search(b).is_ok();
            let inner = |b: Option<BlockId>| b.map(|b| if is_inside(&b) { part.header } else { b });
            for &block in &part.blocks {
                cfg.inner_loops.insert(self.blocks[block], self.loop_of[block]);
                cfg.numbers.insert(self.blocks[block], part.header);
            }
            cfg.loop_of[part.header] = self.loop_of[part.join];
            cfg.successors[part.header] = vec![part.join];
            cfg.predecessors[part.header].retain(|b| !is_inside(b));
            cfg.predecessors[part.join].retain(|b| !is_inside(b));
            cfg.predecessors[part.join].push(part.header);
            cfg.predecessors[part.join].sort_unstable();
            for block in (0..cfg.blocks.len()).filter(|b| !is_inside(b)) {
                cfg.dominator[block] = inner(cfg.dominator[block]);
                cfg.post_dominator[block] = inner(cfg.post_dominator[block]);
            }
            cfg.post_dominator[part.header] = Some(part.join);
            cfg.subregions.insert(part.header, part.clone());
        }
        cfg.spans = spans(&cfg.dominator);
        cfg
    }

    /// The graph without these blocks, each with what assuming that it does not run says. Numbers
    /// stay; none of the blocks that are left may be dominated by one of them.
    pub(crate) fn without_error_blocks(&self, error_blocks: &BTreeMap<BlockId, String>) -> Self {
        let mut cfg = self.clone();
        for &block in error_blocks.keys() {
            cfg.numbers.remove(&self.blocks[block]);
            cfg.successors[block].clear();
            cfg.predecessors[block].clear();
        }
        for edges in cfg.successors.iter_mut().chain(&mut cfg.predecessors) {
            edges.retain(|b| !error_blocks.contains_key(b));
        }
        for l in &mut cfg.loops {
            l.blocks.retain(|b| !error_blocks.contains_key(b));
        }
        cfg.post_dominator = ends::post_dominators(&cfg.successors, &cfg.predecessors);
        cfg.error_blocks.extend(error_blocks.iter().map(|(&block, text)| (block, text.clone())));
        cfg
    }

    /// What assuming that the block does not run says, if it is an error block.
    pub(crate) fn error_block(&self, block: BlockRef<'c>) -> Option<&String> {
        self.error_blocks.iter().find(|(number, _)| self.blocks[**number] == block).map(|(_, text)| text)
    }

    /// All error blocks, ascending.
    pub(crate) fn all_error_blocks(&self) -> impl Iterator<Item = BlockId> {
        self.error_blocks.keys().copied()
    }

    /// the non-affine subregion for which the block stands.
    pub(crate) fn subregion_at(&self, block: BlockId) -> Option<&Subregion<'c>> {
        self.subregions.get(&block)
    }

    /// All non-affine subregions.
    pub(crate) fn subregions(&self) -> impl Iterator<Item = &Subregion<'c>> {
        self.subregions.values()
    }

    /// What a block, or all of what it stands for, consists of.
    pub(crate) fn instructions(&self, block: BlockId) -> Vec<ValueRef<'c>> {
        match self.subregion_at(block) {
            Some(part) => part.blocks.iter().flat_map(|&b| self.code[b].iter().copied()).collect(),
            None => self.code[block].clone(),
        }
    }

    /// The PHI nodes of a block.
    pub(crate) fn phis(&self, block: BlockId) -> impl Iterator<Item = ValueRef<'c>> + '_ {
        self.code[block].iter().copied().take_while(|instruction| instruction.opcode() == Some(Opcode::Phi))
    }

    /// For an instruction of a non-affine subregion: the loops around it, or around what PHI nodes
    /// of its block take out of a loop that has been left, outermost first, that belong to the
    /// part.
    pub(crate) fn subregion_loops_around(&self, instruction: ValueRef<'c>) -> Vec<LoopIndex> {
        let Some(part) = instruction.block().and_then(|b| self.number(b)).and_then(|b| self.subregion_at(b)) else {
            return Vec::new();
        };
        let loop_of = |b: BlockRef<'c>| self.inner_loops.get(&b).copied().flatten();
        let phis = instruction.block().into_iter().flat_map(|b| b.phis());
        let left = phis.filter_map(|phi| only_incoming(phi)?.block());
        let innermost = instruction.block().into_iter().chain(left).filter_map(loop_of);
        let mut result: Vec<LoopIndex> = innermost
            .max_by_key(|&l| self.around(l).count())
            .into_iter()
            .flat_map(|l| self.around(l))
            .take_while(|l| part.loops.iter().any(|(own, _)| own == l))
            .collect();
        result.reverse();
        result
    }

    /// The innermost loop around the instruction, if it belongs to the part that the block stands
    /// for.
    pub(crate) fn inner_loop(&self, instruction: ValueRef<'c>, block: BlockId) -> Option<LoopIndex> {
        let own = instruction.block().filter(|&b| self.number(b) == Some(block))?;
        self.inner_loops.get(&own).copied().flatten()
    }

    /// Loops in program order: by header, outer before inner.
    fn read_loops(&mut self, ctx: PassContext<'c>) {
        let mut todo: Vec<(LoopRef<'c>, Option<LoopIndex>)> =
            ctx.top_level_loops().into_iter().rev().map(|l| (l, None)).collect();
        while let Some((handle, parent)) = todo.pop() {
            let number = self.loops.len();
            if self.number(handle.header()).is_none() {
                self.dead_loops.push(handle);
                todo.extend(handle.subloops().into_iter().rev().map(|l| (l, None)));
                continue;
            }
            let mut blocks: Vec<BlockId> = handle.blocks().into_iter().filter_map(|b| self.number(b)).collect();
            blocks.sort_unstable();
            for &block in &blocks {
                // Inner loops come later and overwrite this.
                self.loop_of[block] = Some(number);
            }
            let header = self.number(handle.header()).expect("the header of a loop is reachable");
            self.loops.push(CfgLoop { handle, header, parent, blocks });
            todo.extend(handle.subloops().into_iter().rev().map(|l| (l, Some(number))));
        }
    }

    /// The number of a block; nothing if it is unreachable.
    pub(crate) fn number(&self, block: BlockRef<'c>) -> Option<BlockId> {
        self.numbers.get(&block).copied()
    }

    /// The number of a loop.
    pub(crate) fn loop_number(&self, handle: LoopRef<'c>) -> Option<LoopIndex> {
        self.loops.iter().position(|l| l.handle == handle)
    }

    /// Whether every path to `b` passes `a` (which may be `b`).
    pub(crate) fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        self.spans[a].contains(&self.spans[b].start)
    }

    /// Whether every path from `b` to the function's end passes `a` (which may be `b`).
    pub(crate) fn post_dominates(&self, a: BlockId, b: BlockId) -> bool {
        chain(&self.post_dominator, b).any(|d| d == a)
    }

    /// The block and those that every path to it passes, the nearest first.
    pub(crate) fn dominators(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        chain(&self.dominator, block)
    }

    /// The nearest block that every path to either block passes.
    pub(crate) fn common_dominator(&self, a: BlockId, b: BlockId) -> BlockId {
        self.dominators(a).find(|&d| self.dominates(d, b)).expect("the function's entry dominates every block")
    }

    /// The loops around a block, innermost first.
    pub(crate) fn loops_around(&self, block: BlockId) -> impl Iterator<Item = LoopIndex> + '_ {
        let mut next = self.loop_of[block];
        std::iter::from_fn(move || {
            let current = next?;
            next = self.loops[current].parent;
            Some(current)
        })
    }

    /// The loop and those around it, innermost first.
    pub(crate) fn around(&self, l: LoopIndex) -> impl Iterator<Item = LoopIndex> + '_ {
        std::iter::successors(Some(l), |&l| self.loops[l].parent)
    }

    /// Whether the loop contains the block.
    pub(crate) fn loop_contains(&self, l: LoopIndex, block: BlockId) -> bool {
        self.loops[l].blocks.binary_search(&block).is_ok()
    }

    /// The blocks of the loop from which it is left.
    pub(crate) fn exiting_blocks(&self, l: LoopIndex) -> Vec<BlockId> {
        let leaves = |&b: &BlockId| self.successors[b].iter().any(|&s| !self.loop_contains(l, s));
        self.loops[l].blocks.iter().copied().filter(leaves).collect()
    }

    /// The blocks of the loop that jump to its header.
    pub(crate) fn latches(&self, l: LoopIndex) -> Vec<BlockId> {
        let header = self.loops[l].header;
        self.predecessors[header].iter().copied().filter(|&b| self.loop_contains(l, b)).collect()
    }
}

/// By block: the numbers of what it dominates. Every block comes after its dominator.
fn spans(dominator: &[Option<BlockId>]) -> Vec<Range<usize>> {
    let mut sizes = vec![1; dominator.len()];
    for (block, above) in dominator.iter().enumerate().rev() {
        if let Some(above) = *above {
            assert!(above < block, "block {block} comes before its dominator {above}");
            sizes[above] += sizes[block];
        }
    }
    let mut spans: Vec<Range<usize>> = Vec::with_capacity(dominator.len());
    // The next number for a block below each, and for one below none.
    let mut next: Vec<usize> = Vec::with_capacity(dominator.len());
    let mut outermost = 0;
    for (above, size) in dominator.iter().zip(sizes) {
        let free = above.map_or(&mut outermost, |above| &mut next[above]);
        let first = *free;
        *free += size;
        spans.push(first..first + size);
        next.push(first + 1);
    }
    spans
}

/// The blocks from which the function does not return.
fn dead_ends<'c>(blocks: &[BlockRef<'c>]) -> HashSet<BlockRef<'c>> {
    let numbers: HashMap<BlockRef<'c>, BlockId> = blocks.iter().enumerate().map(|(i, &b)| (b, i)).collect();
    let mut predecessors = vec![Vec::new(); blocks.len()];
    for (number, block) in blocks.iter().enumerate() {
        for next in block.successors() {
            if let Some(&next) = numbers.get(&next) {
                predecessors[next].push(number);
            }
        }
    }
    let returns = |b: BlockId| blocks[b].successors().is_empty() && !blocks[b].is_unreachable_end();
    let alive = ends::blocks_that_return(&predecessors, &returns);
    blocks.iter().zip(alive).filter(|(_, alive)| !alive).map(|(&block, _)| block).collect()
}

/// `from` and what is reached from it through `parent`.
fn chain(parent: &[Option<BlockId>], from: BlockId) -> impl Iterator<Item = BlockId> + '_ {
    std::iter::successors(Some(from), |&b| parent[b])
}
