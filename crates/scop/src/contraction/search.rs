//! Orders in which few rows of an array are enough, and the best one.
//!
//! # Orders that are tried
//! 1. the one that is best without contraction;
//! 2. nests as [pipelines](super::pipeline), which share a loop over rows;
//! 3. nests fused where that is legal, with short distances: their innermost loop is shared, too.
//!
//! Each is lowered as any schedule is, with the arrays as they are: the prediction of what is fused does not know yet what contraction will gain. Then arrays are contracted, and what comes out is predicted anew
//! ([`crate::cost::predict`]): along the loop over rows a contracted array comes back to the same rows, which are in a cache, and of its elements nothing goes to the memory.
//! The memory for the rows is part of the price.

use poly_presburger::Budget;
use poly_schedule_tree::ScheduleTree;

use super::{contracted, contractible, pipeline};
use crate::config::{Config, Fusion, Parallelism, Scheduler};
use crate::cost::{Price, predict};
use crate::driver::{Analysis, Reason, during, schedule};
use crate::facts::estimates;
use crate::lower::{Candidate, Maker, lower};
use crate::{ArrayId, ValueId, temporaries};

/// The best candidate with contracted arrays, if it takes less than so many cycles. One candidate without them may be known.
///
/// # Errors
/// The step in which the budget ran out.
pub(crate) fn best_candidate(
    analysis: &Analysis,
    known: Option<(Analysis, Candidate)>,
    config: &Config,
    limit: f64,
    budget: &mut Budget,
) -> Result<Option<(Analysis, Candidate)>, Reason> {
    let arrays = contractible(&analysis.scop, budget).map_err(during(STEP))?;
    if arrays.is_empty() {
        return Ok(None);
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
    let (mut limit, mut best) = (limit, None);
    for candidate in candidates {
        // What costs too much for one order does not for another one.
        let mut part = budget.sub(budget.remaining() / ORDERS);
        let found = with_few_rows(candidate, &arrays, config, &mut part);
        tracing::debug!(spent = part.spent(), "an order for contraction");
        budget.absorb(&part);
        if let Ok(Some(found)) = found {
            tracing::debug!(cycles = found.1.cycles, limit, "with contracted arrays");
            if found.1.cycles < limit {
                limit = found.1.cycles;
                best = Some(found);
            }
        }
    }
    Ok(best)
}

const STEP: &str = "the contraction of arrays";

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

/// A candidate with arrays contracted, with what is predicted of it; `None` if no array can have few rows in its order.
fn with_few_rows(
    (analysis, candidate): (Analysis, Candidate),
    arrays: &[(ArrayId, ValueId)],
    config: &Config,
    budget: &mut Budget,
) -> Result<Option<(Analysis, Candidate)>, Reason> {
    // Those that have been expanded are other arrays now.
    let is_memory = |&(id, _): &(ArrayId, ValueId)| !analysis.scop.arrays[id.index()].is_temporary();
    let arrays: Vec<(ArrayId, ValueId)> = arrays.iter().copied().filter(is_memory).collect();
    let predicted = during("cost prediction");
    let values = estimates(&analysis.scop, &config.sizes, budget).map_err(&predicted)?;
    let found = contracted(&analysis.scop, &candidate.tree, &arrays, &values, budget).map_err(during(STEP))?;
    let Some(found) = found else { return Ok(None) };
    let analysis = Analysis { scop: found.scop, contracted: found.arrays, ..analysis };
    let Price::Known(spent) = predict(&analysis, &found.tree, config, budget).map_err(&predicted)? else {
        return Ok(None);
    };
    let bytes = temporaries::bytes(&analysis.scop, &config.sizes, budget).map_err(&predicted)?;
    let cycles = spent.cycles + temporaries::cycles(bytes, config);
    Ok(Some((analysis, Candidate { cycles, tree: found.tree, maker: Maker::Rewrites, ..candidate })))
}
