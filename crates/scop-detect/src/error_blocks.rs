//! Error blocks: what cannot be modelled but hardly ever runs is assumed not to run.
//!
//! # Problem
//! `if (i == traced) printf(..)` in a nest: a call with unknown effects keeps the loops around it
//! out of every SCoP, although it mostly is not executed. Like a dead end ([`crate::ends`]) it can
//! be left out of the model if a test before the region says that no iteration comes there;
//! otherwise the original runs. Other than a dead end it comes back.
//!
//! # Definitions
//! A block is *at fault* if it cannot be in any SCoP ([`crate::validity`]). It and the blocks that
//! can only be reached by way of it, or from which there is no other way than to it, are *error
//! blocks* (Polly's word) if they can be removed from the control flow graph. That is possible if
//! 1. the branches that lead there belong to a loop (what is executed once may as well be between
//!    two regions), and none is thought to be taken as often as not (branch weights, which
//!    `__builtin_expect`, cold functions and profiles leave behind),
//! 2. every loop is removed as a whole or stays a loop with a way out, and each that is removed has
//!    a block at fault itself: nothing is lost that could be modelled,
//! 3. no header of a loop that stays gets values from removed blocks.
//!
//! PHI nodes elsewhere have what the edges from blocks that are left give them; with one such edge
//! they are only another name for it.
//!
//! A region may have error blocks that are entered from inside of it only and lead back into it, or
//! to its exit.
//!
//! # What counts as rare
//! Whether a branch is rare is seen from the test: that it is not taken must leave parameter values
//! for which the region is worthwhile ([`check_use`]). Of the block with the branch each counter
//! must be able to get, under the assumption, at least half as far as without it; so must the
//! parameters with which the branch compares counters. `if (i % 100 == 0)` is rejected by that, and
//! so is `if (i < n)`; `if (verbose)`, `if (i == traced)` and `if (i > limit)` are not. A branch by
//! data that the region does not write (`if (isnan(x[i]))`) is looked at for all iterations before,
//! as ends of the program by data are ([`crate::inspect`]): where it is not rare, the look ends
//! soon.
//!
//! # Invariants
//! The graph without the error blocks is used for one region only. Everywhere else they are what
//! they are; in front of the region, too, where the original may have executed them in an earlier
//! execution of the region ([`crate::loads`]).

use std::collections::{BTreeMap, BTreeSet};

use poly_arith::Rational;
use poly_presburger::solver::Optimum;
use poly_presburger::{Aff, Budget, DimKind, Set, Stop};
use poly_scop::Assumption;
use poly_shim::ir::Opcode;

use crate::Candidate;
use crate::cfg::{BlockId, Cfg, CfgLoop};
use crate::facts::Reason;
use crate::regions::{self, Region};
use crate::reject::{Blocker, RejectKind};

/// Largest number of blocks that are removed for one at fault.
const MAX_BLOCKS: usize = 64;

/// The blocks of a function that can be error blocks.
#[derive(Debug)]
pub(crate) struct ErrorBlocks<'c> {
    /// Each with what assuming that it does not run says.
    blocks: BTreeMap<BlockId, String>,
    /// The graph without them, if there are any.
    cfg: Option<Cfg<'c>>,
    /// Other blocks that cannot be in any SCoP.
    faults: BTreeSet<BlockId>,
}

impl<'c> ErrorBlocks<'c> {
    /// Finds them; `faults` says which blocks cannot be in any SCoP, and why.
    pub(crate) fn find(cfg: &Cfg<'c>, faults: &[Option<Blocker>]) -> Self {
        let mut blocks: BTreeMap<BlockId, String> = BTreeMap::new();
        for (block, fault) in faults.iter().enumerate() {
            let Some(fault) = fault.as_ref().filter(|_| !blocks.contains_key(&block)) else { continue };
            if fault.kind == RejectKind::Function {
                continue;
            }
            let removed: BTreeSet<BlockId> = blocks.keys().copied().collect();
            if let Some(more) = closure(cfg, &removed, block)
                && can_be_removed(cfg, faults, &removed.union(&more).copied().collect())
            {
                let text = format!("no branch is taken to where {}", fault.message);
                blocks.extend(more.into_iter().map(|b| (b, text.clone())));
            }
        }
        let is_other = |b: &BlockId| faults[*b].is_some() && !blocks.contains_key(b);
        let faults = (0..faults.len()).filter(is_other).collect();
        let cfg = (!blocks.is_empty()).then(|| cfg.without_error_blocks(&blocks));
        Self { blocks, cfg, faults }
    }

    /// The regions that begin at the block and have error blocks. `cfg` is the whole graph.
    pub(crate) fn regions_from(&self, cfg: &Cfg<'c>, entry: BlockId) -> Vec<Candidate> {
        let Some(without) = self.cfg.as_ref().filter(|_| !self.blocks.contains_key(&entry)) else { return Vec::new() };
        let is_possible = |region: &Region| self.error_blocks_of(cfg, region).is_some();
        let regions = regions::regions_from(without, entry, &|b| self.faults.contains(&b), &is_possible);
        let with_error_blocks =
            |region: Region| Some(Candidate { error_blocks: self.error_blocks_of(cfg, &region)?, region });
        regions
            .into_iter()
            .filter_map(with_error_blocks)
            .filter(|candidate| !candidate.error_blocks.is_empty())
            .collect()
    }

    /// The error blocks of the region; nothing if that has other ways in or out.
    fn error_blocks_of(&self, cfg: &Cfg<'c>, region: &Region) -> Option<BTreeMap<BlockId, String>> {
        let mut error_blocks = BTreeMap::new();
        let mut todo: Vec<BlockId> = region.blocks.clone();
        while let Some(block) = todo.pop() {
            for &next in &cfg.successors[block] {
                match self.blocks.get(&next) {
                    Some(text) if !error_blocks.contains_key(&next) => {
                        error_blocks.insert(next, text.clone());
                        todo.push(next);
                    }
                    Some(_) => {}
                    None if next == region.exit || region.contains(next) => {}
                    None => return None,
                }
            }
        }
        let is_inside = |b: &BlockId| region.contains(*b) || error_blocks.contains_key(b);
        let is_entered_inside = error_blocks.keys().all(|&b| cfg.predecessors[b].iter().all(is_inside));
        is_entered_inside.then_some(error_blocks)
    }
}

/// The block, the blocks from which there is no way but to it or to removed ones, and those that
/// can only be reached by way of these; nothing if these are too many.
fn closure(cfg: &Cfg<'_>, removed: &BTreeSet<BlockId>, block: BlockId) -> Option<BTreeSet<BlockId>> {
    let mut result = BTreeSet::from([block]);
    let mut todo = vec![block];
    while let Some(current) = todo.pop() {
        if result.contains(&0) || result.len() > MAX_BLOCKS {
            return None;
        }
        let is_gone = |b: &BlockId| result.contains(b) || removed.contains(b);
        let cannot_go_on = |b: &&BlockId| cfg.successors[**b].iter().all(is_gone);
        let is_unreachable = |b: &&BlockId| cfg.predecessors[**b].iter().all(is_gone);
        let before = cfg.predecessors[current].iter().filter(cannot_go_on);
        let behind = cfg.successors[current].iter().filter(is_unreachable);
        let more: Vec<BlockId> = before.chain(behind).copied().filter(|b| !is_gone(b)).collect();
        for next in more {
            if result.insert(next) {
                todo.push(next);
            }
        }
    }
    Some(result)
}

/// Whether the blocks can be removed together.
fn can_be_removed(cfg: &Cfg<'_>, faults: &[Option<Blocker>], removed: &BTreeSet<BlockId>) -> bool {
    let is_left = |l: &CfgLoop<'_>, from: BlockId| {
        let mut targets = cfg.successors[from].iter();
        !removed.contains(&from) && targets.any(|to| l.blocks.binary_search(to).is_err() && !removed.contains(to))
    };
    let keeps_loops = cfg.loops.iter().all(|l| {
        let gone = l.blocks.iter().filter(|b| removed.contains(b)).count();
        let is_lost = gone == l.blocks.len() && l.blocks.iter().all(|&b| faults[b].is_none());
        let loses_backedge = cfg.predecessors[l.header].iter().any(|b| l.blocks.contains(b) && removed.contains(b));
        let loses_exits = !l.blocks.iter().any(|&b| is_left(l, b));
        !is_lost && (gone == l.blocks.len() || !(removed.contains(&l.header) || loses_backedge || loses_exits))
    });
    keeps_loops
        && removed.iter().all(|&block| {
            let is_branch_rare = |&from: &BlockId| removed.contains(&from) || is_rare_branch(cfg, from, removed);
            let is_no_header = |&to: &BlockId| removed.contains(&to) || cfg.loops.iter().all(|l| l.header != to);
            cfg.predecessors[block].iter().all(is_branch_rare) && cfg.successors[block].iter().all(is_no_header)
        })
}

/// Whether the block is in a loop, and goes to one of the removed ones less often than elsewhere,
/// as far as that is said.
fn is_rare_branch(cfg: &Cfg<'_>, from: BlockId, removed: &BTreeSet<BlockId>) -> bool {
    let terminator = cfg.blocks[from].terminator();
    let weights = terminator.branch_weights();
    let successors = cfg.blocks[from].successors();
    let mut share = (0, 0);
    for (next, weight) in successors.into_iter().zip(weights) {
        let is_removed = cfg.number(next).is_some_and(|b| removed.contains(&b));
        let sum = if is_removed { &mut share.0 } else { &mut share.1 };
        *sum = weight.saturating_add(*sum);
    }
    cfg.loop_of[from].is_some() && terminator.opcode() == Some(Opcode::Br) && share.0 <= share.1
}

/// That a branch is not taken must leave something to do: see above. `before` are the iterations of
/// its block that were possible without the assumptions `new`, `taken` those, among others, in
/// which the branch is taken.
pub(crate) fn check_use(
    (before, taken): (&Set, &Set),
    new: &[Assumption],
    reason: &Reason,
    budget: &mut Budget,
) -> Result<(), Blocker> {
    if new.is_empty() {
        return Ok(());
    }
    let after = new.iter().fold(before.clone(), |set, assumption| set.intersect_params(&assumption.holds));
    let space = before.space().clone();
    let mut functions: Vec<Aff> = (0..before.n_dim()).map(|i| Aff::var(space.clone(), DimKind::Out, i)).collect();
    if taken.involves_dims(DimKind::Out, 0, taken.n_dim()) {
        let compared = (0..taken.space().params.len()).filter(|&i| taken.involves_dims(DimKind::Param, i, 1));
        let positions = compared.filter_map(|i| space.find_param(taken.space().params[i].as_str()));
        functions.extend(positions.map(|i| Aff::var(space.clone(), DimKind::Param, i)));
    }
    for function in functions {
        if !keeps_half(before, &after, &function, budget)? {
            let message = format!("it would have to be checked that {}, which would leave little to do", reason.text);
            return Err(Blocker::new(RejectKind::NeverHolds, message).at(reason.place.clone()));
        }
    }
    Ok(())
}

/// Whether the largest value of the function on `after` is at least half of that on `before`.
fn keeps_half(before: &Set, after: &Set, function: &Aff, budget: &mut Budget) -> Result<bool, Stop> {
    Ok(match (before.max_value(function, budget)?, after.max_value(function, budget)?) {
        (_, Optimum::Unbounded) => true,
        (Optimum::Bounded(before), Optimum::Bounded(after)) => {
            let one = Rational::from(1);
            (&after + &one) * Rational::from(2) >= &before + &one
        }
        _ => false,
    })
}
