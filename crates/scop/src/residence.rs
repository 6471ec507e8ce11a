//! Data that stay in a cache from one execution of the loops to the next.
//!
//! # Problem
//! Predictions have all data come from memory. What is executed once is so; but loops that run
//! again and again over data that a cache holds find them there, and what does not matter behind a
//! wait for memory, such as vectors, is most of their time. Nobody says which of the two a program
//! does.
//!
//! # Method
//! Where nothing is gained with data in memory, and all data of the loops have room in one of the
//! caches, the search is made again for a processor that finds them there
//! ([`Machine::with_data_in`]). What gains there clearly is better also if they come from memory:
//! they do so once, in the new order as in the original one, and stay. Where sizes are known only
//! when the program runs, the data may have no room: then the new order must need no more time with
//! data in memory than the original one.
//!
//! The other way round, a candidate that gains with data in memory must need no more time where all
//! data have room in a cache of one core and are found there: what is executed once over so few
//! data is over at once.

use poly_presburger::{Budget, Stop};
use poly_transform::{Machine, USABLE};

use crate::config::Config;
use crate::cost::{Model, Price, Unmarked};
use crate::driver::Analysis;
use crate::facts::{StatementFacts, facts};
use crate::lower::{Candidate, lower_in_tiles};
use crate::{reduce, temporaries};

/// The configuration for data in the smallest cache that holds them; `None` where none does, or
/// where the whole work in vectors would not be below this part of the original order there and no
/// reduction makes it less.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(crate) fn in_a_cache(
    analysis: &Analysis,
    config: &Config,
    gain: f64,
    budget: &mut Budget,
) -> Result<Option<Config>, Stop> {
    let facts = facts(&analysis.scop, &config.sizes, &config.machine, budget)?;
    let Some(level) = holding(&facts, &config.machine) else { return Ok(None) };
    let warm = with_data_in(config, level);
    let original = crate::lower(analysis, &analysis.original, &warm.plain(), budget)?.cycles;
    let may_gain = least_cycles(&facts, &warm.machine) < gain * original
        || reduce::may_have_fewer_operations(analysis, config, budget)?;
    Ok(may_gain.then_some(warm))
}

/// The configuration for data in the smallest cache that holds them, if that belongs to one core:
/// loops over so few data take long only if they run again and again.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(crate) fn in_an_own_cache(
    analysis: &Analysis,
    config: &Config,
    budget: &mut Budget,
) -> Result<Option<Config>, Stop> {
    let facts = facts(&analysis.scop, &config.sizes, &config.machine, budget)?;
    let level = holding(&facts, &config.machine).filter(|&level| config.machine.caches[level].sharers == 1);
    Ok(level.map(|level| with_data_in(config, level)))
}

/// The smallest cache that holds the data of some statements.
fn holding(facts: &[StatementFacts], machine: &Machine) -> Option<usize> {
    let bytes = bytes(facts);
    machine.caches.iter().position(|cache| bytes <= USABLE * cache.counted_bytes() as f64)
}

fn with_data_in(config: &Config, level: usize) -> Config {
    Config {
        machine: config.machine.with_data_in(level),
        original_machine: config.original_machine.with_data_in(level),
        ..config.clone()
    }
}

/// Whether a candidate needs no more time than the original order does where data come from memory.
/// Of marks with models of their own only lowering knows that, if it makes the same of the
/// schedule.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(crate) fn is_no_slower_in_memory(
    (analysis, candidate): (&Analysis, &Candidate),
    original: f64,
    config: &Config,
    budget: &mut Budget,
) -> Result<bool, Stop> {
    let price = Model::new(analysis, config, budget)?.cost(&candidate.tree, Unmarked::AsItIs, budget)?;
    Ok(match price {
        Price::Known(spent) => spent.cycles <= original,
        Price::Unknown(_) => made_again(analysis, candidate, config, budget)?.is_some_and(|cycles| cycles <= original),
    })
}

/// The cycles of a candidate with data in memory, if lowering makes the same tree for them.
fn made_again(
    analysis: &Analysis,
    candidate: &Candidate,
    config: &Config,
    budget: &mut Budget,
) -> Result<Option<f64>, Stop> {
    let again = lower_in_tiles(analysis, &candidate.source, candidate.around.as_ref(), config, budget)?;
    let bytes = temporaries::bytes(&analysis.scop, &config.sizes, budget)?;
    Ok((again.tree == candidate.tree).then(|| again.cycles + temporaries::cycles(bytes, config)))
}

/// Bytes between the first and the last element of each array, for all accesses as if they began at
/// the same element.
fn bytes(facts: &[StatementFacts]) -> f64 {
    let mut arrays: Vec<(usize, f64)> = Vec::new();
    for statement in facts {
        for access in &statement.accesses {
            let moved = access.steps.iter().zip(&statement.extents).map(|(step, extent)| step.abs() * (extent - 1.0));
            let bytes = access.bytes + moved.sum::<f64>();
            match arrays.iter_mut().find(|(array, _)| *array == access.array) {
                Some((_, most)) => *most = most.max(bytes),
                None => arrays.push((access.array, bytes)),
            }
        }
    }
    arrays.into_iter().map(|(_, bytes)| bytes).sum()
}

/// Cycles of all operations as vectors.
fn least_cycles(facts: &[StatementFacts], machine: &Machine) -> f64 {
    let of = |statement: &StatementFacts| {
        let bytes = statement.accesses.iter().map(|access| access.bytes).fold(1.0, f64::max);
        let lanes = machine.lanes(bytes as u64) as f64;
        statement.instances * statement.work.simple / machine.core.flops_per_cycle / lanes
    };
    facts.iter().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use poly_transform::Work;

    use crate::facts::AccessFacts;

    fn access(array: usize, steps: &[f64]) -> AccessFacts {
        AccessFacts { steps: steps.to_vec(), bytes: 8.0, write: false, group: 0, array, subscripts: None, kept: None }
    }

    #[test]
    fn arrays_count_once() {
        let accesses = vec![access(0, &[80.0, 8.0]), access(0, &[8.0, 80.0]), access(1, &[0.0, -8.0])];
        let work = Work::default();
        let statement =
            StatementFacts { extents: vec![10.0, 10.0], instances: 100.0, accesses, work, conditional_chain: false };
        assert_eq!(bytes(&[statement.clone(), statement]), 800.0 + 80.0);
    }
}
