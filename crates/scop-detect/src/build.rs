//! From a region to the model.
//!
//! The steps, each in its own module: context, domains, needs, accesses, parts; `assembly` puts
//! them together into a [`Scop`] and the [`Bindings`] that say what its indices mean. They are
//! taken again where a step finds that what was assumed about loads, tiles or overlaps does not
//! hold.

use std::collections::{BTreeSet, HashSet};

use poly_presburger::{Budget, Set};
use poly_scop::{ArrayId, Scop};
use poly_shim::ir::Opcode;
use poly_shim::{Bindings, PassContext, ValueRef};

use crate::access::{self, Accesses, Addressed};
use crate::affine::Translator;
use crate::assembly::Assembly;
use crate::cfg::{BlockId, Cfg, LoopIndex};
use crate::domains::{self, Domains};
use crate::needs::{self, Needs};
use crate::non_affine::Subregion;
use crate::regions::{Item, Region};
use crate::reject::{Blocker, RejectKind};
use crate::tiles::{self, Tiles, Unfit};
use crate::values::Origins;
use crate::{DetectOptions, context, errno, inspect, lifetimes, loads};

/// How often addresses that depend on other accesses are followed.
const MAX_ROUNDS: usize = 16;

/// Why a region was not modelled.
pub(crate) enum Failure<'c> {
    /// It cannot be.
    Blocked(Blocker),
    /// The loads of these classes cannot be executed before the region.
    Refused(Vec<ValueRef<'c>>),
    /// The last tile of this loop reaches beyond the loop's bound.
    Open(LoopIndex),
}

impl From<Unfit> for Failure<'_> {
    fn from(unfit: Unfit) -> Self {
        match unfit {
            Unfit::Blocked(blocker) => Self::Blocked(blocker),
            Unfit::Open(l) => Self::Open(l),
        }
    }
}

impl From<Blocker> for Failure<'_> {
    fn from(blocker: Blocker) -> Self {
        Self::Blocked(blocker)
    }
}

impl From<poly_presburger::Stop> for Failure<'_> {
    fn from(stop: poly_presburger::Stop) -> Self {
        Self::Blocked(stop.into())
    }
}

/// Largest number of loops of a region that are executed as a whole.
const MAX_SUBREGIONS: usize = 16;

/// Models the region. Loops that cannot be modelled iteration by iteration are executed as a whole,
/// if they may be (`closes`) and others are around them.
pub(crate) fn build<'c>(
    ctx: PassContext<'c>,
    cfg: &Cfg<'c>,
    region: &Region,
    (options, closes): (&DetectOptions, bool),
    budget: &mut Budget,
) -> Result<(Scop, Bindings<'c>), Blocker> {
    let mut parts: Vec<Subregion<'c>> = Vec::new();
    loop {
        let result = match parts.as_slice() {
            [] => with_loads(ctx, cfg, region, options, budget),
            parts => with_loads(ctx, &cfg.with_subregions(parts), &region.with_subregions(parts), options, budget),
        };
        let blocker = match result {
            Err(blocker) if closes && parts.len() < MAX_SUBREGIONS => blocker,
            other => return other,
        };
        // If its exits leave the loop around too, that one may be a part.
        let loops = blocker.in_loop.into_iter().flat_map(|l| cfg.around(l)).take_while(|&l| region.has_loop(l));
        let mut found = loops.map(|l| Subregion::find(ctx, cfg, region, l).transpose());
        let part = match found.find_map(|part| part) {
            Some(Ok(part)) => part,
            None => return Err(blocker),
            Some(Err(why)) => {
                return Err(Blocker { message: format!("{}; {}", blocker.message, why.message), ..blocker });
            }
        };
        tracing::debug!(reason = %blocker.message, "a loop is executed as a whole");
        parts.retain(|inner| !part.blocks.contains(&inner.header));
        if parts.iter().any(|other| other.blocks.iter().any(|b| part.blocks.contains(b))) {
            return Err(blocker);
        }
        parts.push(part);
    }
}

/// Models the region, with as many loads before it as possible, or with none if that is not
/// possible.
fn with_loads<'c>(
    ctx: PassContext<'c>,
    cfg: &Cfg<'c>,
    region: &Region,
    options: &DetectOptions,
    budget: &mut Budget,
) -> Result<(Scop, Bindings<'c>), Blocker> {
    budget.spend(reading(cfg, region))?;
    let items = region.tree(cfg);
    let mut refused: HashSet<ValueRef<'c>> = HashSet::new();
    let mut first = None;
    loop {
        let loads = loads::find(ctx, cfg, region, &items, &refused);
        let result = attempt(Origins { ctx, cfg, region, loads: &loads }, options, &items, budget);
        let blocker = match result {
            Ok(found) => return Ok(found),
            Err(Failure::Refused(classes)) => {
                tracing::debug!(?classes, "loads cannot be executed before the region");
                refused.extend(classes);
                continue;
            }
            Err(Failure::Open(_)) => unreachable!("regions are modelled without tiles in the end"),
            Err(Failure::Blocked(blocker)) => blocker,
        };
        if loads.classes.is_empty() || first.is_some() {
            return Err(first.unwrap_or(blocker));
        }
        // Perhaps there is a model in which they are data.
        refused.extend(loads.classes.iter().flat_map(|class| &class.sites).map(|(_, load)| *load));
        first = Some(blocker);
    }
}

/// Models the region with loops over tiles made by hand, or if that is not possible without.
fn attempt<'c>(
    origins: Origins<'_, 'c>,
    options: &DetectOptions,
    items: &[Item],
    budget: &mut Budget,
) -> Result<(Scop, Bindings<'c>), Failure<'c>> {
    let candidates = tiles::candidates(origins);
    if candidates.is_empty() {
        return keeping_order(origins, options, items, &Tiles::default(), budget);
    }
    let mut part = budget.sub(options.steps_per_region / 2);
    let result = with_tiles(origins, options, items, &candidates, &mut part);
    budget.absorb(&part);
    let reason = match result {
        Err(Failure::Blocked(reason)) => reason,
        other => return other,
    };
    tracing::debug!(reason = %reason.message, "a region has no model with tiles");
    let result = keeping_order(origins, options, items, &Tiles::default(), budget);
    result.map_err(|failure| match failure {
        Failure::Blocked(blocker) => {
            Failure::Blocked(Blocker { block: blocker.block, in_loop: blocker.in_loop, ..reason })
        }
        other => other,
    })
}

/// Models the region with loops over tiles.
fn with_tiles<'c>(
    origins: Origins<'_, 'c>,
    options: &DetectOptions,
    items: &[Item],
    candidates: &BTreeSet<LoopIndex>,
    budget: &mut Budget,
) -> Result<(Scop, Bindings<'c>), Failure<'c>> {
    let mut open = BTreeSet::new();
    loop {
        match keeping_order(origins, options, items, &Tiles::new(candidates.clone(), open.clone()), budget) {
            Err(Failure::Open(l)) => {
                if !open.insert(l) {
                    let message = "it is not known where the last of the tiles made by hand ends";
                    return Err(Blocker::new(RejectKind::Structure, message).into());
                }
            }
            other => return other,
        }
    }
}

/// Models the region; pairs of arrays that may overlap and cannot be checked keep the order of
/// their accesses. Which these are is known when there is a model; then blocks are cut in
/// statements again.
fn keeping_order<'c>(
    origins: Origins<'_, 'c>,
    options: &DetectOptions,
    items: &[Item],
    tiles: &Tiles,
    budget: &mut Budget,
) -> Result<(Scop, Bindings<'c>), Failure<'c>> {
    let analysis = analyse(origins, options, items, tiles, budget)?;
    let found = analysis.clone().model(origins, options, items, &[], budget)?;
    let unchecked = poly_scop::uncheckable_pairs(&found.0, budget)?;
    if unchecked.is_empty() {
        return Ok(found);
    }
    if !tiles.is_empty() {
        let message = "the order of tiles made by hand matters, as arrays may overlap in ways that cannot be checked";
        return Err(Blocker::new(RejectKind::Structure, message).into());
    }
    tracing::debug!(pairs = unchecked.len(), "arrays that may overlap in any way");
    let again = analysis.model(origins, options, items, &unchecked, budget)?;
    // The arrays in memory are the first ones, in the order of the analysis.
    let kind = |scop: &Scop, id: ArrayId| scop.arrays[id.index()].kind.clone();
    debug_assert!(
        unchecked.iter().flat_map(|&(a, b)| [a, b]).all(|id| kind(&found.0, id) == kind(&again.0, id)),
        "arrays are numbered alike"
    );
    Ok(again)
}

/// Operations for asking LLVM about an instruction.
const PER_INSTRUCTION: usize = 8;

/// Operations for reading the region.
fn reading(cfg: &Cfg<'_>, region: &Region) -> u64 {
    let instructions: usize = region.blocks.iter().map(|&block| cfg.instructions(block).len()).sum();
    (PER_INSTRUCTION * instructions) as u64
}

/// What is found out about a region before it is cut in statements.
#[derive(Clone)]
struct Analysis<'a, 'c> {
    lifetimes: Vec<(ValueRef<'c>, Option<ValueRef<'c>>)>,
    translator: Translator<'a, 'c>,
    domains: Domains,
    needs: Needs<'c>,
    accesses: Accesses<'c>,
    errno_calls: Vec<ValueRef<'c>>,
    entries: Vec<(LoopIndex, Set)>,
}

/// Analyses the region, with these loops over tiles.
fn analyse<'a, 'c>(
    origins: Origins<'a, 'c>,
    options: &DetectOptions,
    items: &[Item],
    tiles: &Tiles,
    budget: &mut Budget,
) -> Result<Analysis<'a, 'c>, Failure<'c>> {
    budget.spend(reading(origins.cfg, origins.region))?;
    let lifetimes = lifetimes::of_region(origins)?;
    let mut translator = Translator::new(origins);
    translator.tiles = tiles.clone();
    context::learn(&mut translator, budget)?;
    let domains = domains::compute(&mut translator, items, budget)?;
    if !tiles.is_empty() {
        translator.check_tiles(&domains, budget)?;
    }
    let entries = translator.entries(&domains);
    let errno_calls = if options.math_errno { errno::calls(origins, &domains) } else { Vec::new() };
    let mut needs = needs::find(origins, &domains, &errno_calls)?;
    let accesses = accesses(&mut translator, &domains, &mut needs, budget)?;
    Ok(Analysis { lifetimes, translator, domains, needs, accesses, errno_calls, entries })
}

impl<'a, 'c> Analysis<'a, 'c> {
    /// The model in which accesses of these pairs of arrays keep their order.
    fn model(
        mut self,
        origins: Origins<'a, 'c>,
        options: &DetectOptions,
        items: &[Item],
        unchecked: &[(ArrayId, ArrayId)],
        budget: &mut Budget,
    ) -> Result<(Scop, Bindings<'c>), Failure<'c>> {
        self.accesses.unchecked = unchecked.to_vec();
        let found = (self.translator, self.domains, self.needs);
        let assembly = Assembly::new(origins, options, found, self.accesses, (self.errno_calls, self.entries));
        let (scop, mut bindings) = assembly.run(items, budget)?;
        bindings.lifetimes = self.lifetimes;
        Ok((scop, bindings))
    }
}

/// Analyses the accesses. Those with addresses that are not affine make the addresses data, and
/// with them perhaps other loads.
fn accesses<'c>(
    translator: &mut Translator<'_, 'c>,
    domains: &Domains,
    needs: &mut Needs<'c>,
    budget: &mut Budget,
) -> Result<Accesses<'c>, Blocker> {
    let origins = translator.origins;
    let mut addressed = Addressed::default();
    for _ in 0..MAX_ROUNDS {
        let before = translator.snapshot();
        let inspected = inspect::instructions(origins, domains, needs)?;
        let instructions = accesses_of(origins, domains, needs, &inspected);
        if let Some(accesses) = access::analyse(translator, domains, &instructions, &mut addressed, budget)? {
            return Ok(accesses);
        }
        translator.restore(before);
        needs.add_addresses(origins, domains, &addressed)?;
    }
    Err(Blocker::new(RejectKind::Complexity, "the addresses of accesses depend on too many other accesses"))
}

/// The loads and stores that matter, in program order.
fn accesses_of<'c>(
    origins: Origins<'_, 'c>,
    domains: &Domains,
    needs: &Needs<'c>,
    inspected: &HashSet<ValueRef<'c>>,
) -> Vec<(BlockId, ValueRef<'c>)> {
    let mut result = Vec::new();
    for &block in origins.region.blocks.iter().filter(|&&b| domains.runs(b)) {
        for instruction in origins.cfg.instructions(block) {
            let is_access = matches!(instruction.opcode(), Some(Opcode::Load | Opcode::Store))
                || access::transfer(instruction).is_some()
                || access::sees_memory(instruction);
            if is_access && (needs.instructions.contains(&instruction) || inspected.contains(&instruction)) {
                result.push((block, instruction));
            }
        }
    }
    result
}
