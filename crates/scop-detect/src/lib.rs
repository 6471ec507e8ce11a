//! Finds static control parts in LLVM functions and models them.
//!
//! [`detect`] looks for regions of a function whose control flow and memory accesses are affine,
//! and makes each a [`poly_scop::Scop`] with the [`Bindings`] that connect it with LLVM's objects.
//! Nothing is changed. Every loop is inside exactly one SCoP or has exactly one [`Rejection`].
//!
//! # The way of a region
//! 1. `regions`: candidates, grown from every possible entry as far as possible; `validity`: what
//!    no SCoP can contain.
//! 2. `context`: what is known when the region is entered. `affine`: expressions of scalar
//!    evolution as quasi-affine functions, exactly or under assumptions, which `facts` keeps.
//!    `domains`: when blocks run. `steps`: loops with symbolic steps; `tiles`: such loops over
//!    tiles. `conditions`: branches. `merges`: what depends on the way that control has taken.
//!    `error_blocks`: branches to what cannot be modelled, assumed not taken. `loads`: what is
//!    loaded inside but known before; `hoist`: when that may be loaded before. `plausible`: whether
//!    what would have to be assumed holds for useful sizes. `expressions`: what scalar evolution
//!    says, asked once for the function. `naturals`: what is known not to be negative.
//! 3. `needs`: what has to be computed. `access`: arrays, shapes and subscripts. `rows`: arrays
//!    that are reached through tables of pointers. `parts`: blocks cut into statements. `initial`:
//!    what PHI nodes hold at first.
//! 4. `inspect`: conditions on data that must be looked at before. `build`: the model. `alias`:
//!    what may overlap.
//!
//! Larger regions are possible if the branches of the blocks for which [`is_head`] holds have been
//! split off before all that.
//!
//! Loops whose pointers change places ([`rotations`]) can be modelled if so many of their
//! iterations have been made one.
//!
//! Loops that are in no SCoP, or in one for which nothing was done, may be run by an inspector and
//! an executor ([`irregular_nest`]). Those that look for extremes may have lanes
//! ([`extreme_loop`]).
//!
//! A region that cannot be modelled is tried again without the block at fault, and after that other
//! entries are tried.

mod access;
mod affine;
mod alias;
mod assembly;
mod build;
mod cfg;
mod conditions;
mod context;
mod counters;
mod domains;
mod ends;
mod errno;
mod error_blocks;
mod expressions;
mod extremes;
mod facts;
mod heads;
mod hoist;
mod initial;
mod inspect;
mod irregular;
mod lane_loops;
mod lifetimes;
mod loads;
mod merges;
mod names;
mod naturals;
mod needs;
mod non_affine;
mod offsets;
mod operations;
mod params;
mod parts;
mod plausible;
mod products;
mod regions;
mod reject;
mod rotation;
mod rows;
mod steps;
mod tiles;
mod units;
mod validity;
mod values;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;

use poly_presburger::Budget;
use poly_scop::Scop;
use poly_shim::ir::Opcode;
use poly_shim::llvm_sys::prelude::LLVMBasicBlockRef;
use poly_shim::{Bindings, BlockRef, PassContext};

pub use extremes::extreme_loop;
pub use heads::is_head;
pub use irregular::irregular_nest;
pub use reject::{RejectKind, Rejection};
pub use rotation::{Rotation, rotations};

use cfg::{BlockId, Cfg, LoopIndex};
use error_blocks::ErrorBlocks;
use regions::Region;
use reject::Blocker;

/// How to look.
#[derive(Clone, Debug)]
pub struct DetectOptions {
    /// Operations on sets that one region may cost.
    pub steps_per_region: u64,
    /// The same by its size; if there is none, only the bound for all regions holds.
    pub steps_by_size: Option<StepsBySize>,
    /// Attempts to model a region in one function.
    pub max_attempts: usize,
    /// Mathematical functions leave their errors in `errno`, which counts as a write to memory.
    pub math_errno: bool,
    /// Entries of regions that hold one nest of loops at most.
    pub apart: HashSet<LLVMBasicBlockRef>,
    /// Code generation has lanes for loops that look for extremes.
    pub extremes: bool,
    /// Loops that cannot be modelled may be executed by statements as a whole.
    pub whole_loops: bool,
    /// Entries of regions in which no loop is executed as a whole: it is modelled, or the region is
    /// not. Nor is anything assumed not to run in regions with such blocks because it cannot be
    /// modelled.
    pub open: HashSet<LLVMBasicBlockRef>,
    /// The blocks of which regions may consist; if there is none, any.
    pub within: Option<HashSet<LLVMBasicBlockRef>>,
    /// Regions in which no loop holds another are left to others, and not modelled.
    pub nests_only: bool,
    /// Regions begin in front of what fills arrays that the function has just allocated, and not
    /// at their loops: these may overwrite all of it.
    pub with_fills: bool,
    /// What earlier detections in the function have found.
    pub reasons: Reasons,
}

/// What a region may cost by its size, in operations on sets.
#[derive(Clone, Copy, Debug)]
pub struct StepsBySize {
    /// However small it is.
    pub least: u64,
    /// More for each of its instructions.
    pub per_instruction: u64,
}

/// A region may cost no more than this part of what is left, so that something is left for those
/// behind.
const REGION_PART: u64 = 2;

/// What is said of loops in regions that are left as [`DetectOptions::nests_only`] says.
const SINGLE_LOOP: &str = "it is a single loop, and such loops are not looked at with moderate effort, \
                           which is what -O2 means (-O3 or the option effort=full looks at all loops)";

/// Regions of fewer blocks are tried however large others were.
const SMALL: usize = 16;

/// By header of a loop: why the smallest region with it that was tried is no SCoP.
#[derive(Clone, Debug, Default)]
pub struct Reasons(HashMap<LLVMBasicBlockRef, Reason>);

impl Default for DetectOptions {
    fn default() -> Self {
        Self {
            steps_per_region: 20_000_000,
            steps_by_size: None,
            max_attempts: 400,
            math_errno: true,
            extremes: false,
            apart: HashSet::new(),
            whole_loops: true,
            open: HashSet::new(),
            within: None,
            nests_only: false,
            with_fills: false,
            reasons: Reasons::default(),
        }
    }
}

/// What was found in a function.
#[derive(Debug, Default)]
pub struct Detection<'c> {
    /// The SCoPs, in reverse post order of their entries, and what their indices mean.
    pub scops: Vec<(Scop, Bindings<'c>)>,
    /// Loops that are not inside a SCoP, in program order, each with the first reason why.
    pub rejections: Vec<Rejection<'c>>,
    /// Why regions that were tried, now or earlier, are no SCoPs.
    pub reasons: Reasons,
}

impl fmt::Display for Detection<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (scop, _) in &self.scops {
            write!(f, "{scop}")?;
        }
        for rejection in &self.rejections {
            writeln!(f, "{rejection}")?;
        }
        Ok(())
    }
}

/// Finds the SCoPs of the context's function. A used-up budget makes rejections, not errors.
pub fn detect<'c>(ctx: &PassContext<'c>, options: &DetectOptions, budget: &mut Budget) -> Detection<'c> {
    Detector::new(ctx, options.math_errno).detect(options, budget)
}

/// What is the same each time that SCoPs are looked for in a function, as long as that is not
/// changed.
#[derive(Debug)]
pub struct Detector<'c> {
    ctx: PassContext<'c>,
    /// Nothing in a function without loops.
    known: Option<Known<'c>>,
}

#[derive(Debug)]
struct Known<'c> {
    cfg: Cfg<'c>,
    /// By block: why it cannot be in any SCoP.
    faults: Vec<Option<Blocker>>,
    rare: ErrorBlocks<'c>,
}

impl<'c> Detector<'c> {
    /// Reads the function. `math_errno` as in [`DetectOptions`].
    pub fn new(ctx: &PassContext<'c>, math_errno: bool) -> Self {
        let known = ctx.has_loops().then(|| {
            let cfg = Cfg::new(*ctx);
            let fault = |&b: &BlockRef<'c>| match b.is_settled() {
                true => Some(Blocker::new(RejectKind::Function, "it has been optimized already")),
                false => validity::block_fault(*ctx, b, math_errno),
            };
            let faults: Vec<Option<Blocker>> = cfg.blocks.iter().map(fault).collect();
            let rare = ErrorBlocks::find(&cfg, &faults);
            Known { cfg, faults, rare }
        });
        Self { ctx: *ctx, known }
    }

    /// Finds the SCoPs. A used-up budget makes rejections, not errors.
    pub fn detect(&self, options: &DetectOptions, budget: &mut Budget) -> Detection<'c> {
        let Some(known) = &self.known else { return Detection::default() };
        let mut search = Search {
            ctx: self.ctx,
            cfg: &known.cfg,
            rare: &known.rare,
            faults: &known.faults,
            options,
            reasons: BTreeMap::new(),
            starts: HashMap::new(),
            scops: Vec::new(),
            attempts: 0,
            too_large: None,
        };
        search.run(budget);
        search.finish()
    }
}

/// A region that may be a SCoP.
#[derive(Clone, Debug)]
struct Candidate {
    region: Region,
    /// What is assumed not to run, with what that says.
    error_blocks: BTreeMap<BlockId, String>,
}

/// A reason for a loop, and the number of blocks of the region in which it was found.
type Reason = (usize, Blocker);

struct Search<'s, 'c> {
    ctx: PassContext<'c>,
    cfg: &'s Cfg<'c>,
    rare: &'s ErrorBlocks<'c>,
    options: &'s DetectOptions,
    /// By block: why it cannot be in any SCoP.
    faults: &'s [Option<Blocker>],
    /// By loop: why the smallest region with it is no SCoP.
    reasons: BTreeMap<LoopIndex, Reason>,
    /// By block: the loops of the regions that begin there.
    starts: HashMap<BlockId, Starts>,
    scops: Vec<(Region, Scop, Bindings<'c>)>,
    attempts: usize,
    /// The last region that has needed more operations than it may.
    too_large: Option<TooLarge>,
}

/// A region that has needed more operations than it may. Regions inside of at least half as many
/// blocks are not tried, so that the largest one that can be afforded is found after few that
/// cannot.
struct TooLarge {
    region: Region,
    /// So many blocks are too many.
    blocks: usize,
    blocker: Blocker,
}

impl TooLarge {
    /// Whether the other region is not tried.
    fn has(&self, region: &Region) -> bool {
        region.blocks.len() >= self.blocks && self.region.contains(region.entry)
    }
}

/// The loops of the regions that begin at a block, those of regions with error blocks separately:
/// each region has the loops of the one before.
#[derive(Debug, Default)]
struct Starts([Nested; 2]);

/// Sets of loops, each with those of the one before.
#[derive(Debug, Default)]
struct Nested {
    /// The place of each loop in the order in which they join.
    places: HashMap<LoopIndex, usize>,
    /// How many loops the sets have.
    sizes: BTreeSet<usize>,
}

impl Starts {
    fn of(candidates: &[Candidate]) -> Self {
        let mut result = Self::default();
        for candidate in candidates {
            let nested = &mut result.0[usize::from(candidate.error_blocks.is_empty())];
            for &l in &candidate.region.loops {
                let place = nested.places.len();
                nested.places.entry(l).or_insert(place);
            }
            assert_eq!(nested.places.len(), candidate.region.loops.len(), "a region has the loops of smaller ones");
            nested.sizes.insert(nested.places.len());
        }
        result
    }

    /// Whether a region has just these loops.
    fn has(&self, loops: &[LoopIndex]) -> bool {
        let is_inside = |nested: &Nested, l| nested.places.get(l).is_some_and(|&place| place < loops.len());
        self.0.iter().any(|n| n.sizes.contains(&loops.len()) && loops.iter().all(|l| is_inside(n, l)))
    }
}

impl<'c> Search<'_, 'c> {
    fn run(&mut self, budget: &mut Budget) {
        let mut covered = vec![false; self.cfg.blocks.len()];
        for entry in 0..self.cfg.blocks.len() {
            if covered[entry] || !self.is_within(entry) || !self.is_possible_entry(entry) {
                continue;
            }
            if let Some(region) = self.region_at(entry, budget) {
                for &block in &region.region.blocks {
                    covered[block] = true;
                }
                for &block in region.error_blocks.keys() {
                    covered[block] = true;
                }
            }
        }
    }

    /// Whether regions may have the block.
    fn is_within(&self, block: BlockId) -> bool {
        let block = self.cfg.blocks[block].raw();
        self.options.within.as_ref().is_none_or(|within| within.contains(&block))
    }

    /// The function's own entry keeps the stack variables: it must be no more than a branch. A
    /// block with one successor that is no loop is better left outside, but for fills that are
    /// wanted.
    fn is_possible_entry(&self, block: BlockId) -> bool {
        let cfg = self.cfg;
        let is_header = cfg.loop_of[block].is_some_and(|l| cfg.loops[l].header == block);
        let redirectable =
            |&p: &BlockId| matches!(cfg.blocks[p].terminator().opcode(), Some(Opcode::Br | Opcode::Switch));
        (block != 0 || cfg.blocks[block].instructions().len() == 1)
            && self.faults[block].is_none()
            && (is_header
                || cfg.successors[block].len() > 1
                || (self.options.with_fills && self.fills_own_array(block)))
            && cfg.predecessors[block].iter().all(redirectable)
    }

    fn regions_from(&self, entry: BlockId) -> Vec<Candidate> {
        let regions = regions::regions_from(self.cfg, entry, &|b| self.faults[b].is_some(), &|_| true);
        let mut result = self.rare.regions_from(self.cfg, entry);
        let is_open = |&b: &BlockId| self.options.open.contains(&self.cfg.blocks[b].raw());
        result.retain(|candidate| !candidate.region.blocks.iter().any(is_open));
        result.extend(regions.into_iter().map(|region| Candidate { region, error_blocks: BTreeMap::new() }));
        // Of those with the same loops one without assumptions is tried first.
        result.sort_by_key(|candidate| (candidate.region.loops.len(), candidate.error_blocks.is_empty()));
        result
    }

    /// Whether a region with the same loops begins further inside: what is decided before it is
    /// better known than modelled, but for what fills arrays, if that is wanted.
    fn has_smaller_start(&mut self, candidate: &Candidate, with_fills: bool) -> bool {
        let (cfg, region) = (self.cfg, &candidate.region);
        let headers = region.loops.iter().map(|&l| cfg.loops[l].header);
        let common = headers.reduce(|a, b| cfg.common_dominator(a, b)).expect("regions have loops");
        let fills: Vec<BlockId> = match with_fills {
            true => region.blocks.iter().copied().filter(|&block| self.fills_own_array(block)).collect(),
            false => Vec::new(),
        };
        let mut inside = cfg.dominators(common).take_while(|&block| block != region.entry);
        inside.any(|block| {
            fills.iter().all(|&fill| cfg.dominates(block, fill))
                && self.is_possible_entry(block)
                && self.starts_at(block).has(&region.loops)
        })
    }

    /// Whether the block fills an array that the function has allocated.
    fn fills_own_array(&self, block: BlockId) -> bool {
        self.cfg.instructions(block).iter().any(|&instruction| {
            access::transfer(instruction) == Some(access::Transfer::Set)
                && self.ctx.is_allocation(instruction.operand(0).underlying_object())
        })
    }

    fn starts_at(&mut self, block: BlockId) -> &Starts {
        if !self.starts.contains_key(&block) {
            let starts = Starts::of(&self.regions_from(block));
            self.starts.insert(block, starts);
        }
        &self.starts[&block]
    }

    /// The largest SCoP that begins at the block.
    fn region_at(&mut self, entry: BlockId, budget: &mut Budget) -> Option<Candidate> {
        let mut regions = self.regions_from(entry);
        let apart = self.options.apart.contains(&self.cfg.blocks[entry].raw());
        regions.retain(|c| c.region.blocks.iter().all(|&block| self.is_within(block)));
        regions.retain(|c| !apart || c.region.nests(self.cfg) <= 1);
        let mut with_fills = self.options.with_fills;
        while let Some(candidate) = regions.pop() {
            if self.has_smaller_start(&candidate, with_fills) {
                continue;
            }
            // With fewer loops it would be in the way of a region with all of them and no fills.
            with_fills = false;
            let region = &candidate.region;
            if self.options.nests_only && !region.has_nest(self.cfg) {
                self.remember(region, &Blocker::new(RejectKind::ModerateEffort, SINGLE_LOOP));
                continue;
            }
            if self.attempts >= self.options.max_attempts {
                self.remember(
                    region,
                    &Blocker::new(RejectKind::Complexity, "too many regions of the function were tried"),
                );
                return None;
            }
            self.attempts += 1;
            if let Some(TooLarge { blocks, blocker, .. }) = self.too_large.as_ref().filter(|large| large.has(region)) {
                tracing::debug!(entry, exit = region.exit, blocks, "region is too large");
                let blocker = blocker.clone();
                self.remember(region, &blocker);
                continue;
            }
            let mut part = budget.sub(self.bound(region).min(budget.remaining() / REGION_PART));
            let closes = self.options.whole_loops && !self.options.open.contains(&self.cfg.blocks[entry].raw());
            let how = (self.options, closes);
            let result = match candidate.error_blocks.is_empty() {
                true => build::build(self.ctx, self.cfg, region, how, &mut part),
                false => build::build(
                    self.ctx,
                    &self.cfg.without_error_blocks(&candidate.error_blocks),
                    region,
                    how,
                    &mut part,
                ),
            };
            budget.absorb(&part);
            match result {
                Ok((scop, bindings)) => {
                    self.scops.push((region.clone(), scop, bindings));
                    return Some(candidate);
                }
                Err(blocker) => {
                    let spent = part.spent();
                    tracing::debug!(entry, exit = region.exit, spent, reason = %blocker.message, "region is no SCoP");
                    if candidate.error_blocks.is_empty() {
                        self.remember(region, &blocker);
                    }
                    if part.remaining() == 0 {
                        let blocks = SMALL.max(region.blocks.len() / 2);
                        self.too_large = Some(TooLarge { region: region.clone(), blocks, blocker });
                        continue;
                    }
                    if let Some(block) = blocker.block {
                        // What goes wrong under assumptions may go well without.
                        let is_weaker = !candidate.error_blocks.is_empty();
                        regions.retain(|c| !c.region.contains(block) || (is_weaker && c.error_blocks.is_empty()));
                    }
                }
            }
        }
        None
    }

    /// What the region may cost.
    fn bound(&self, region: &Region) -> u64 {
        let instructions: usize = region.blocks.iter().map(|&b| self.cfg.blocks[b].instructions().len()).sum();
        let by_size = self.options.steps_by_size.map(|steps| steps.least + steps.per_instruction * instructions as u64);
        by_size.map_or(self.options.steps_per_region, |steps| steps.min(self.options.steps_per_region))
    }

    /// Keeps the reason for the loops in the region, unless one from a smaller region is known.
    fn remember(&mut self, region: &Region, blocker: &Blocker) {
        for &l in &region.loops {
            let size = region.blocks.len();
            if self.reasons.get(&l).is_none_or(|(known, _)| *known > size) {
                self.reasons.insert(l, (size, blocker.clone()));
            }
        }
    }

    fn header(&self, l: LoopIndex) -> LLVMBasicBlockRef {
        self.cfg.blocks[self.cfg.loops[l].header].raw()
    }

    /// The reasons that are known of regions.
    fn all_reasons(&self) -> Reasons {
        let mut all = self.options.reasons.clone();
        for (&l, reason) in &self.reasons {
            let known = all.0.entry(self.header(l)).or_insert_with(|| reason.clone());
            if reason.0 <= known.0 {
                *known = reason.clone();
            }
        }
        all
    }

    fn finish(self) -> Detection<'c> {
        let reasons = self.all_reasons();
        let mut rejections = Vec::new();
        for (number, l) in self.cfg.loops.iter().enumerate() {
            if !self.is_within(l.header) || self.scops.iter().any(|(region, ..)| region.has_loop(number)) {
                continue;
            }
            let fault = l.blocks.iter().find_map(|&b| self.faults[b].clone());
            let reason = self.cfg.around(number).find_map(|l| reasons.0.get(&self.header(l))).map(|(_, b)| b.clone());
            let blocker = fault.or(reason).unwrap_or_else(|| {
                let message = "the loop is not a region with one entry and one exit";
                Blocker::new(RejectKind::Structure, message)
            });
            rejections.push(Rejection {
                kind: blocker.kind,
                message: blocker.message,
                place: blocker.place,
                loop_place: names::loop_place(l.handle),
                header: self.cfg.blocks[l.header],
            });
        }
        let dead = if self.options.within.is_none() { &self.cfg.dead_loops[..] } else { &[] };
        for &l in dead {
            rejections.push(Rejection {
                kind: RejectKind::Terminator,
                message: "the function does not return from here".into(),
                place: None,
                loop_place: names::loop_place(l),
                header: l.header(),
            });
        }
        let scops = self.scops.into_iter().map(|(_, scop, bindings)| (scop, bindings)).collect();
        Detection { scops, rejections, reasons }
    }
}
