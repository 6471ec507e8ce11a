//! The two questions about a schedule without marks, each on its own: is the order legal, and do
//! the members that are flagged coincident carry nothing?

use poly_arith::Int;
use poly_dependence::Dependence;
use poly_presburger::budget::{Budget, Stop};
use poly_schedule_tree::ScheduleTree;

use crate::loops::coincident_loops;
use crate::order::{Times, Witness};

/// The verdict on an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Legality {
    /// Every dependence leads forward, or is one of a reduction whose ends have different times.
    Legal,
    /// A dependence does not.
    Violated {
        /// Its position in the list.
        dependence: usize,
        /// An instance of the source statement ...
        source: Vec<Int>,
        /// ... and one of the sink statement that is executed at the same time or earlier, or one
        /// of them is never executed,
        sink: Vec<Int>,
        /// for these values of the parameters, in the order of the dependence's relation.
        params: Vec<Int>,
    },
}

/// The verdict on the loops that are said to be coincident.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coincidence {
    /// None of them carries a dependence.
    Kept,
    /// One of them does.
    Violated {
        /// Position of the band's member in the schedule: number of time dimensions outside of it.
        dimension: usize,
        /// The position of the dependence in the list.
        dependence: usize,
        /// An instance of the source statement ...
        source: Vec<Int>,
        /// ... and one of the sink statement at another time,
        sink: Vec<Int>,
        /// for these values of the parameters, in the order of the dependence's relation.
        params: Vec<Int>,
    },
}

/// Decides whether every dependence leads forward. Input dependences do not count.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn check(tree: &ScheduleTree, dependences: &[Dependence], budget: &mut Budget) -> Result<Legality, Stop> {
    let witness = Times::new(tree, budget)?.misordered(dependences, budget)?;
    Ok(witness.map_or(Legality::Legal, |Witness { dependence, source, sink, params }| Legality::Violated {
        dependence,
        source,
        sink,
        params,
    }))
}

/// Decides whether any member of a band that is flagged coincident carries a dependence. Input
/// dependences do not count.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn check_coincidence(
    tree: &ScheduleTree,
    dependences: &[Dependence],
    budget: &mut Budget,
) -> Result<Coincidence, Stop> {
    let loops = coincident_loops(tree);
    if loops.is_empty() {
        return Ok(Coincidence::Kept);
    }
    let found = Times::new(tree, budget)?.carried_by(&loops, dependences, |_| true, budget)?;
    Ok(found.map_or(Coincidence::Kept, |(dimension, Witness { dependence, source, sink, params })| {
        Coincidence::Violated { dimension, dependence, source, sink, params }
    }))
}
