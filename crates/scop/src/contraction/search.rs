//! Orders in which few rows of an array are enough, and the best one.
//!
//! # Orders that are tried
//! 1. the one that is best without contraction;
//! 2. nests as [pipelines](super::pipeline), which share a loop over rows;
//! 3. nests fused where that is legal, with short distances: their innermost loop is shared, too.
//!
//! They are tried for the SCoP as it is, and for the one without the arrays that are only [passed
//! on](super::inline).
//!
//! Each is lowered as any schedule is, with the arrays as they are: the prediction of what is fused
//! does not know yet what contraction will gain. Then arrays are contracted, and what comes out is
//! predicted anew ([`crate::cost::predict`]): along the loop over rows a contracted array comes
//! back to the same rows, which are in a cache, and of its elements nothing goes to the memory. The
//! memory for the rows is part of the price.

use poly_dependence::Options as DependenceOptions;
use poly_presburger::Budget;
use poly_schedule_tree::ScheduleTree;

use super::inline::{Inlined, inlined};
use super::{contracted, contractible, pipeline};
use crate::config::{Config, Fusion, Parallelism, Scheduler};
use crate::cost::{Price, predict};
use crate::driver::{Analysis, Reason, during, schedule};
use crate::facts::estimates;
use crate::lower::{Candidate, Maker, lower};
use crate::order::original_tree;
use crate::problem::dependence_problem;
use crate::{ArrayId, Scop, ValueId, temporaries};

/// The best candidate with contracted arrays that is found within the budget, if it takes less than
/// so many cycles. One candidate without them may be known.
pub(crate) fn best_candidate(
    analysis: &Analysis,
    known: Option<(Analysis, Candidate)>,
    config: &Config,
    limit: f64,
    budget: &mut Budget,
) -> Option<(Analysis, Candidate)> {
    if !analysis.scop.arrays.iter().any(|array| array.local) {
        return None;
    }
    let mut best = Best { limit, found: None };
    let mut part = budget.sub(budget.remaining() / BASES);
    let without = without_passed_on(analysis, config, &mut part);
    budget.absorb(&part);
    let mut bases = vec![(analysis.clone(), known)];
    if let Ok(Some((without, candidate))) = without {
        best.look_at(without.clone(), candidate.clone());
        bases.insert(0, (without.clone(), Some((without, candidate))));
    }
    for (analysis, known) in bases {
        if let Err(reason) = with_contraction(&analysis, known, config, &mut best, budget) {
            tracing::debug!(%reason, "contraction");
        }
    }
    best.found
}

/// The best candidate so far.
struct Best {
    /// Cycles that another one must be below.
    limit: f64,
    found: Option<(Analysis, Candidate)>,
}

impl Best {
    fn look_at(&mut self, analysis: Analysis, candidate: Candidate) {
        tracing::debug!(cycles = candidate.cycles, limit = self.limit, "with fewer elements");
        if candidate.cycles < self.limit {
            self.limit = candidate.cycles;
            self.found = Some((analysis, candidate));
        }
    }
}

/// The SCoP without arrays that are only passed on, with the candidate of its usual schedule.
fn without_passed_on(
    analysis: &Analysis,
    config: &Config,
    budget: &mut Budget,
) -> Result<Option<(Analysis, Candidate)>, Reason> {
    if analysis.joined {
        return Ok(None);
    }
    let Some(Inlined { scop, arrays }) = inlined(&analysis.scop, budget).map_err(during(STEP))? else {
        return Ok(None);
    };
    scop.check_invariants();
    let options = DependenceOptions { reductions: analysis.reductions, input: false };
    let problem = dependence_problem(&scop);
    let (dependences, precision) =
        poly_dependence::analyse_within(&problem, &options, budget).map_err(during("dependence analysis"))?;
    let original = original_tree(&scop);
    let analysis = Analysis { scop, dependences, original, precision, inlined: arrays, ..analysis.clone() };
    let tree = schedule(&analysis, config, budget)?;
    let candidate = lower(&analysis, &tree, config, budget).map_err(during("transformation"))?;
    Ok(Some((analysis, candidate)))
}

/// Looks at the orders in which arrays of a SCoP can be contracted.
fn with_contraction(
    analysis: &Analysis,
    known: Option<(Analysis, Candidate)>,
    config: &Config,
    best: &mut Best,
    budget: &mut Budget,
) -> Result<(), Reason> {
    let arrays = contractible(&analysis.scop, budget).map_err(during(STEP))?;
    if arrays.is_empty() {
        return Ok(());
    }
    let mut candidates = Vec::from_iter(known);
    for tree in orders(analysis, &arrays, config, budget)? {
        let alone = Config { parallelism: Parallelism::Sequential, ..config.clone() };
        let for_threads = (config.parallelism != Parallelism::Sequential).then_some(config);
        for config in for_threads.into_iter().chain([&alone]) {
            let candidate = lower(analysis, &tree, config, budget).map_err(during("transformation"))?;
            candidates.push((analysis.clone(), candidate));
        }
    }
    for candidate in candidates {
        // What costs too much for one order does not for another one.
        let mut part = budget.sub(budget.remaining() / ORDERS);
        let found = with_few_rows(&analysis.scop, candidate, &arrays, config, &mut part);
        tracing::debug!(spent = part.spent(), "an order for contraction");
        budget.absorb(&part);
        if let Ok(Some((analysis, candidate))) = found {
            best.look_at(analysis, candidate);
        }
    }
    Ok(())
}

const STEP: &str = "the contraction of arrays";

/// The SCoP without arrays that are passed on may cost one of so many shares of the budget.
const BASES: u64 = 3;

/// One order may spend one of so many shares of what is left of the budget.
const ORDERS: u64 = 3;

/// The orders that are tried, if nobody says which nests are to be fused.
fn orders(
    analysis: &Analysis,
    arrays: &[(ArrayId, ValueId)],
    config: &Config,
    budget: &mut Budget,
) -> Result<Vec<ScheduleTree>, Reason> {
    let is_free = config.fusion == Fusion::Smart && config.fusion_member.is_none();
    if config.scheduler != Scheduler::Pluto || !is_free {
        return Ok(Vec::new());
    }
    let arrays: Vec<ArrayId> = arrays.iter().map(|&(array, _)| array).collect();
    let mut result = Vec::from_iter(pipeline::pipelined(analysis, &arrays, budget).map_err(during(STEP))?);
    result.push(schedule(analysis, &Config { fusion: Fusion::Max, ..config.clone() }, budget)?);
    Ok(result)
}

/// A candidate with arrays of a SCoP contracted, with what is predicted of it; `None` if no array
/// can have few rows in its order.
fn with_few_rows(
    scop: &Scop,
    (analysis, candidate): (Analysis, Candidate),
    arrays: &[(ArrayId, ValueId)],
    config: &Config,
    budget: &mut Budget,
) -> Result<Option<(Analysis, Candidate)>, Reason> {
    // Those that have been expanded are other arrays now.
    let is_the_same = |&(id, _): &(ArrayId, ValueId)| analysis.scop.arrays[id.index()] == scop.arrays[id.index()];
    let arrays: Vec<(ArrayId, ValueId)> = arrays.iter().copied().filter(is_the_same).collect();
    let predicted = during("cost prediction");
    let values = estimates(&analysis.scop, &config.sizes, budget).map_err(&predicted)?;
    let dependences = &analysis.dependences.dependences;
    let found = contracted(&analysis.scop, &analysis.memo, &candidate.tree, &arrays, &values, dependences, budget);
    let found = found.map_err(during(STEP))?;
    let Some(found) = found else { return Ok(None) };
    let analysis = Analysis { scop: found.scop, contracted: found.arrays, ..analysis };
    let Price::Known(spent) = predict(&analysis, &found.tree, config, budget).map_err(&predicted)? else {
        return Ok(None);
    };
    let bytes = temporaries::bytes(&analysis.scop, &config.sizes, budget).map_err(&predicted)?;
    let cycles = spent.cycles + temporaries::cycles(bytes, config);
    Ok(Some((analysis, Candidate { cycles, tree: found.tree, maker: Maker::Rewrites, ..candidate })))
}
