//! Non-affine subregions: loops that a statement executes as a whole.
//!
//! # Problem
//! How often `while (x > 1)` runs, or `for (k = row[i]; k < row[i + 1]; k++)`, depends on data: its
//! iterations are no instances of the model. The loops around it are modelled all the same if the
//! loop is a *non-affine subregion* [Grosser2012]: one instance of a statement executes all of it.
//!
//! # Definitions
//! A subregion is the set of blocks from the header of a loop to the *join*, the nearest block
//! behind the loop that all ways out of it come to: the loop, what is inside of it, and what is on
//! the ways from its exits to the join. It is entered at the header only, from one place.
//!
//! # What may be a subregion
//! 1. The loop around contains the part and the join, so that every iteration of it that comes to
//!    the header comes to the join.
//! 2. All loops of the part end: that is known of their number of iterations, or the language
//!    promises it (`mustprogress`; nothing in a SCoP is an effect that an endless loop may have).
//!    Otherwise what is behind an endless loop, or in later iterations, could be executed although
//!    the program never comes there.
//! 3. It has no marks of lifetimes, no calls that look at memory, and no way to an end of the
//!    program: those need more than a copy.
//!
//! # Effect
//! [`Cfg::closing`] makes a graph in which the header stands for all of the part, with the join as
//! its only successor. All other modules look at that graph. Instructions of the part are in no
//! loop there but those around it; counters of its loops are unknown numbers, from 0 to a bound if
//! there is one ([`crate::domains`]).

use std::collections::BTreeSet;

use poly_scop::LaneLoop;
use poly_shim::ir::Opcode;
use poly_shim::{BlockRef, PassContext, ValueRef};

use crate::access;
use crate::cfg::{BlockId, Cfg, LoopIndex};
use crate::lane_loops;
use crate::lifetimes;
use crate::regions::Region;
use crate::reject::{Blocker, RejectKind};
use crate::validity;

/// Largest number of blocks of a part.
const MAX_BLOCKS: usize = 64;
/// Largest number of instructions of a part.
const MAX_INSTRUCTIONS: usize = 600;
/// Deepest nest in a part: more are worth a model of their own.
const MAX_DEPTH: usize = 2;
/// How often a loop is thought to run of which nothing is known: one that looks for something, or
/// waits for something to become small.
const ITERATIONS: u32 = 8;
/// How often a loop is thought to run that counts up to what is only known when it begins: mostly
/// to the end of a row of data.
const COUNTED_ITERATIONS: u32 = 32;
/// More operations are not counted.
const MAX_OPERATIONS: u32 = 100_000;

/// A non-affine subregion: a part of a function that one statement executes as a whole.
#[derive(Clone, Debug)]
pub(crate) struct Subregion<'c> {
    /// Where it is entered.
    pub(crate) header: BlockId,
    /// Where it is left to.
    pub(crate) join: BlockId,
    /// Its blocks, ascending.
    pub(crate) blocks: Vec<BlockId>,
    /// Its loops in program order, each with the blocks that can leave it and that every iteration
    /// comes to.
    pub(crate) loops: Vec<(LoopIndex, Vec<BlockId>)>,
    /// What it uses of the rest: arguments and instructions, also those that PHI nodes of the join
    /// get from it.
    pub(crate) inputs: Vec<ValueRef<'c>>,
    /// Instructions of it that are used elsewhere.
    pub(crate) results: Vec<ValueRef<'c>>,
    /// PHI nodes of the join that get different values from it.
    pub(crate) chosen: Vec<ValueRef<'c>>,
    /// About how many operations it takes.
    pub(crate) operations: u32,
    /// How several instances can execute it at once, if they can.
    pub(crate) lanes: Option<LaneLoop>,
}

impl<'c> Subregion<'c> {
    /// The part that begins with the loop; the reason if it may not be a subregion, or nothing if
    /// the loop has no such part.
    pub(crate) fn find(
        ctx: PassContext<'c>,
        cfg: &Cfg<'c>,
        region: &Region,
        l: LoopIndex,
    ) -> Result<Option<Self>, Blocker> {
        let header = cfg.loops[l].header;
        let Some(around) = cfg.loops[l].parent.filter(|&around| region.has_loop(around)) else { return Ok(None) };
        let Some(join) = join(cfg, l, around) else { return Ok(None) };
        let Some(blocks) = reach(cfg, header, join) else { return Ok(None) };
        let is_inside = |b: BlockId| blocks.binary_search(&b).is_ok();
        let loops: Vec<LoopIndex> = (0..cfg.loops.len()).filter(|&n| is_inside(cfg.loops[n].header)).collect();
        let is_whole = |&n: &LoopIndex| cfg.loops[n].blocks.iter().all(|&b| is_inside(b));
        if !loops.iter().all(is_whole) || !is_entered_once(cfg, header, &is_inside) {
            return Ok(None);
        }
        let own = |n: LoopIndex| cfg.around(n).take_while(|outer| loops.contains(outer));
        let iterations = |n: LoopIndex| match ctx.backedge_taken_count(cfg.loops[n].handle).is_could_not_compute() {
            true => ITERATIONS,
            false => COUNTED_ITERATIONS,
        };
        let times = |n: LoopIndex| own(n).map(iterations).fold(1, u32::saturating_mul);
        let instructions: Vec<ValueRef<'c>> = blocks.iter().flat_map(|&b| cfg.blocks[b].instructions()).collect();
        if loops.iter().any(|&n| own(n).count() > MAX_DEPTH) || instructions.len() > MAX_INSTRUCTIONS {
            return Ok(None);
        }
        if !instructions.iter().all(|&i| may_be_copied(i)) {
            return Ok(None);
        }
        for &n in &loops {
            let handle = cfg.loops[n].handle;
            if !handle.must_progress() && ctx.constant_max_backedge_taken_count(handle).is_could_not_compute() {
                let message = "nor is it known whether the loop ends";
                return Err(Blocker::new(RejectKind::UnknownTripCount, message));
            }
        }
        let mut part = Self {
            header,
            join,
            loops: loops.iter().map(|&n| (n, bounding(cfg, n))).collect(),
            inputs: Vec::new(),
            results: Vec::new(),
            chosen: Vec::new(),
            operations: operations(cfg, &blocks, &times),
            lanes: None,
            blocks,
        };
        part.connect(cfg, &instructions);
        match lane_loops::lanes(ctx, cfg, &part, iterations(l)) {
            Ok(lanes) => part.lanes = Some(lanes),
            Err(refusal) => tracing::debug!(%refusal, "a whole loop has no lanes"),
        }
        Ok(Some(part))
    }

    /// Finds out which values come from elsewhere, and which are used there.
    fn connect(&mut self, cfg: &Cfg<'c>, instructions: &[ValueRef<'c>]) {
        let number = |block: BlockRef<'c>| cfg.number(block).filter(|b| self.blocks.binary_search(b).is_ok());
        let is_own = |value: ValueRef<'c>| value.block().and_then(number).is_some();
        let mut used: Vec<ValueRef<'c>> = instructions.iter().flat_map(|i| i.operands()).collect();
        for phi in cfg.blocks[self.join].phis() {
            let mut incoming = phi.incoming();
            incoming.retain(|(from, _)| number(*from).is_some());
            if incoming.iter().any(|(_, value)| *value != incoming[0].1) {
                self.chosen.push(phi);
            }
            used.extend(incoming.into_iter().map(|(_, value)| value));
        }
        let mut seen = BTreeSet::new();
        used.retain(|value| (value.is_instruction() || value.is_argument()) && !is_own(*value));
        used.retain(|value| seen.insert(value.raw()));
        let leaves = |value: &ValueRef<'c>| value.users().into_iter().any(|user| !is_own(user));
        self.results = instructions.iter().copied().filter(leaves).collect();
        self.inputs = used;
    }
}

/// The nearest block behind the loop that all ways out of it come to, if it is inside of the loop
/// around, and not its next iteration.
fn join(cfg: &Cfg<'_>, l: LoopIndex, around: LoopIndex) -> Option<BlockId> {
    let behind = |b: Option<BlockId>| b.and_then(|b| cfg.post_dominator[b]);
    let mut block = behind(Some(cfg.loops[l].header));
    while block.is_some_and(|b| cfg.loop_contains(l, b)) {
        block = behind(block);
    }
    block.filter(|&b| cfg.loop_of[b] == Some(around) && b != cfg.loops[around].header)
}

/// The blocks from the header to the join; nothing if they can be entered elsewhere, if there is
/// another way out, or if there are too many.
fn reach(cfg: &Cfg<'_>, header: BlockId, join: BlockId) -> Option<Vec<BlockId>> {
    let mut seen = BTreeSet::from([header]);
    let mut todo = vec![header];
    while let Some(block) = todo.pop() {
        let goes_on = cfg.blocks[block].successors().into_iter().all(|next| cfg.number(next).is_some());
        let is_simple = matches!(cfg.blocks[block].terminator().opcode(), Some(Opcode::Br | Opcode::Switch));
        if !goes_on || !is_simple || !cfg.dominates(header, block) || seen.len() > MAX_BLOCKS {
            return None;
        }
        todo.extend(cfg.successors[block].iter().copied().filter(|&next| next != join && seen.insert(next)));
    }
    Some(seen.into_iter().collect())
}

/// Whether one edge leads to the header from elsewhere.
fn is_entered_once(cfg: &Cfg<'_>, header: BlockId, is_inside: &dyn Fn(BlockId) -> bool) -> bool {
    let outside: Vec<BlockId> = cfg.predecessors[header].iter().copied().filter(|&b| !is_inside(b)).collect();
    let [from] = outside.as_slice() else { return false };
    let edges = cfg.blocks[*from].successors().into_iter().filter(|&next| cfg.number(next) == Some(header));
    edges.count() == 1
}

fn may_be_copied(instruction: ValueRef<'_>) -> bool {
    lifetimes::marked(instruction).is_none()
        && !access::sees_memory(instruction)
        // Results of marks are part of what they say.
        && (!validity::is_dropped_mark(instruction) || instruction.users().is_empty())
}

/// The blocks that can leave the loop and that every iteration comes to.
fn bounding(cfg: &Cfg<'_>, l: LoopIndex) -> Vec<BlockId> {
    let latches = cfg.latches(l);
    let mut exiting = cfg.exiting_blocks(l);
    exiting.retain(|&block| latches.iter().all(|&latch| cfg.dominates(block, latch)));
    exiting
}

/// About how many operations the blocks take, if every loop runs as often as `times` says, those
/// around a block multiplied.
fn operations(cfg: &Cfg<'_>, blocks: &[BlockId], times: &dyn Fn(LoopIndex) -> u32) -> u32 {
    let of_block = |&block: &BlockId| {
        let computes = |i: &ValueRef<'_>| !matches!(i.opcode(), Some(Opcode::Phi | Opcode::Br | Opcode::Switch));
        let count = cfg.blocks[block].instructions().into_iter().filter(computes).count();
        u32::try_from(count).unwrap_or(MAX_OPERATIONS).saturating_mul(cfg.loop_of[block].map_or(1, times))
    };
    blocks.iter().map(of_block).fold(0, u32::saturating_add).min(MAX_OPERATIONS)
}
