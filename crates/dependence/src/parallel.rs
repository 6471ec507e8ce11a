//! Independent tasks side by side under one budget.
//!
//! Every task first runs with an equal share of the budget; those whose share was too small run
//! again one after the other on what is left. Which tasks these are depends on the shares only, so
//! the result and the steps counted are the same for any number of threads.
//!
//! Tasks are begun one after the other on the thread of the caller. Only when they have spent
//! [`ALONE`] operations are the others run by several threads: most programs never start any, and
//! compilers run side by side already.

use poly_presburger::budget::{Budget, Stop};
use rayon::prelude::*;

/// Operations that are spent before threads are asked for help: some 20 milliseconds, so that what
/// is left may be worth the start of as many threads as there are cores.
const ALONE: u64 = 100_000;

/// The results of `run` for all tasks, in their order.
pub(crate) fn run_all<T, R>(
    tasks: &[T],
    run: impl Fn(&T, &mut Budget) -> Result<R, Stop> + Sync,
    budget: &mut Budget,
) -> Result<Vec<R>, Stop>
where
    T: Sync,
    R: Send,
{
    try_all(tasks, run, budget).into_iter().collect()
}

/// The same, with the results of all tasks that have one, also if the budget is not enough for
/// others.
pub(crate) fn try_all<T, R>(
    tasks: &[T],
    run: impl Fn(&T, &mut Budget) -> Result<R, Stop> + Sync,
    budget: &mut Budget,
) -> Vec<Result<R, Stop>>
where
    T: Sync,
    R: Send,
{
    let share = budget.remaining() / tasks.len().max(1) as u64;
    let first = |task: &T| {
        let mut part = Budget::new(share);
        (run(task, &mut part), part)
    };
    let mut parts: Vec<(Result<R, Stop>, Budget)> = Vec::with_capacity(tasks.len());
    let mut spent = 0;
    while parts.len() < tasks.len() && spent < ALONE {
        let part = first(&tasks[parts.len()]);
        spent += part.1.spent();
        parts.push(part);
    }
    if parts.len() < tasks.len() {
        let others: Vec<_> = tasks[parts.len()..].par_iter().map(first).collect();
        parts.extend(others);
    }
    let mut results = Vec::with_capacity(tasks.len());
    for (result, part) in parts {
        budget.absorb(&part);
        results.push(result.ok());
    }
    let again = |(task, result): (&T, Option<R>)| match result {
        Some(result) => Ok(result),
        None => run(task, budget),
    };
    tasks.iter().zip(results).map(again).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(cost: &u64, budget: &mut Budget) -> Result<u64, Stop> {
        budget.spend(*cost)?;
        Ok(cost * 2)
    }

    #[test]
    fn an_expensive_task_gets_what_is_left() {
        let mut budget = Budget::new(100);
        assert_eq!(run_all(&[1, 40, 2], work, &mut budget), Ok(vec![2, 80, 4]));
        assert_eq!(budget.spent(), 1 + 33 + 2 + 40);
    }

    #[test]
    fn any_number_of_threads_gives_the_same() {
        // So much that threads are asked for help soon.
        let tasks: Vec<u64> = (0..40).map(|i| i * i % 37 * ALONE / 50).collect();
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
            let mut budget = Budget::new(1200 * ALONE / 50);
            (pool.install(|| run_all(&tasks, work, &mut budget)), budget.spent())
        };
        let alone = with(1);
        assert_eq!(alone.0, Ok(tasks.iter().map(|cost| cost * 2).collect()));
        for threads in 2..6 {
            assert_eq!(with(threads), alone);
        }
    }

    #[test]
    fn too_much_work_stops() {
        let mut budget = Budget::new(100);
        assert_eq!(run_all(&[1, 80, 2], work, &mut budget), Err(Stop));
    }

    #[test]
    fn what_there_is_enough_for_is_done() {
        let mut budget = Budget::new(100);
        let results = try_all(&[1, 80, 2, 90], work, &mut budget);
        // Each has 25 at first. That leaves 47 for the second one, and nothing for the last one.
        assert_eq!(results, [Ok(2), Err(Stop), Ok(4), Err(Stop)]);
    }
}
