//! Judges schedule trees: whether an order is legal, and whether everything that the tree's marks
//! promise is true.
//!
//! # Problem
//! A scheduler and twenty transformations propose orders. A mistake in one of them must not become
//! a wrong program. So the tree that code is generated from is judged once more, by code that
//! shares nothing with those who made it: only sets and relations, the tree, and the dependences of
//! the program come in, and the verdict follows from these alone.
//!
//! # What is judged
//! [`judge`] decides exactly, for all values of the parameters,
//!
//! 1. [`Promise::Order`]: every dependence leads forward in the order of the tree (see
//!    [`order`](self)), live ranges do not overlap;
//! 2. [`Promise::Coincident`]: no member of a band that is flagged coincident carries a dependence;
//! 3. [`Promise::Parallel`]: no loop that threads share ([`Mark::Parallel`]) carries one, other
//!    than those of the reductions of which every thread has a value of its own;
//! 4. [`Promise::Doacross`]: DOACROSS loops ([`Mark::Doacross`]) wait for everything that they
//!    need;
//! 5. [`Promise::Distribution`]: loops with [`Mark::VectorIfDistributed`] carry no other
//!    dependences than those between the pairs of statements that the mark names.
//!
//! [`overwritten`] decides of an array with fewer cells than elements that no cell is written while
//! its value is still to be read.
//!
//! A promise that is broken has a [`Witness`]: two instances and the parameters. Statements without
//! dependences, as those that copy data or wait, may stand anywhere.
//!
//! Marks that say what code generation is to do, or how ([`Mark::Vector`], [`Mark::NoVector`],
//! [`Mark::SimdWavefront`], [`Mark::Pack`]), promise nothing that is not said by a flag or decided
//! there. What [`Mark::RegisterTile`] and [`Mark::Panel`] promise is about elements of arrays,
//! which dependences do not name; it is not judged here.
//!
//! # Invariants
//! * Nothing here depends on the scheduler, on transformations or on code generation.
//! * Costs are counted by the budget; when it runs out, there is no verdict.

#![forbid(unsafe_code)]

mod cells;
mod doacross;
mod loops;
mod order;
mod overlap;
mod schedule;

use std::fmt;

use poly_dependence::Dependence;
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{Id, Tuple};
use poly_schedule_tree::{AccessOf, Mark, ScheduleTree};

use loops::{coincident_loops, loops_below};
use order::Times;

pub use cells::{CellAccess, out_of_order, overwritten};
pub use order::Witness;
pub use schedule::{Coincidence, Legality, check, check_coincidence};

/// The judgement of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Its order is legal, and it keeps all promises.
    Legal,
    /// It does not.
    Violated(Promise, Witness),
}

/// Something that has to be true of a tree. Loops are given by the number of time dimensions
/// outside of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Every dependence leads forward, or is one of a reduction whose ends have different times;
    /// every instance is executed.
    Order,
    /// A member of a band that is flagged coincident carries no dependence.
    Coincident {
        /// The loop.
        dimension: usize,
    },
    /// A loop that threads share carries none but those of its reductions.
    Parallel {
        /// The loop.
        dimension: usize,
    },
    /// In a DOACROSS loop, instances wait for those that they depend on.
    Doacross {
        /// The loop.
        dimension: usize,
    },
    /// A loop is free of dependences if the statements that its mark names are distributed.
    Distribution {
        /// The loop.
        dimension: usize,
    },
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Promise::Order => write!(f, "a dependence does not lead forward"),
            Promise::Coincident { dimension } => write!(f, "the coincident loop {dimension} carries a dependence"),
            Promise::Parallel { dimension } => write!(f, "loop {dimension}, which threads share, carries a dependence"),
            Promise::Doacross { dimension } => {
                write!(f, "DOACROSS loop {dimension} does not wait for a dependence")
            }
            Promise::Distribution { dimension } => {
                write!(f, "loop {dimension} carries a dependence between statements that its mark does not name")
            }
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Legal => write!(f, "legal"),
            Verdict::Violated(promise, Witness { dependence, source, sink, params }) => {
                write!(f, "{promise}: number {dependence}, from {source:?} to {sink:?}, parameters {params:?}")
            }
        }
    }
}

/// Judges a tree: its order, and all that its flags and marks promise. Input dependences do not
/// count.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn judge(tree: &ScheduleTree, dependences: &[Dependence], budget: &mut Budget) -> Result<Verdict, Stop> {
    let mut times = Times::new(tree, budget)?;
    if let Some(witness) = times.misordered(dependences, budget)? {
        return Ok(Verdict::Violated(Promise::Order, witness));
    }
    if let Some((dimension, witness)) = times.carried_by(&coincident_loops(tree), dependences, |_| true, budget)? {
        return Ok(Verdict::Violated(Promise::Coincident { dimension }, witness));
    }
    let shared = |mark: &Mark| if let Mark::Parallel(sharing) = mark { Some(sharing.reductions.clone()) } else { None };
    for (this, reductions) in loops_below(tree, shared) {
        let counts = |d: &Dependence| !is_private(d, &reductions);
        if let Some((dimension, witness)) = times.carried_by(&[this], dependences, counts, budget)? {
            return Ok(Verdict::Violated(Promise::Parallel { dimension }, witness));
        }
    }
    if let Some((dimension, witness)) = times.not_waited_for(tree, dependences, budget)? {
        return Ok(Verdict::Violated(Promise::Doacross { dimension }, witness));
    }
    let named = |mark: &Mark| if let Mark::VectorIfDistributed(pairs) = mark { Some(pairs.clone()) } else { None };
    for (this, pairs) in loops_below(tree, named) {
        let counts = |d: &Dependence| !is_between(d, &pairs);
        if let Some((dimension, witness)) = times.carried_by(&[this], dependences, counts, budget)? {
            return Ok(Verdict::Violated(Promise::Distribution { dimension }, witness));
        }
    }
    Ok(Verdict::Legal)
}

/// The names of the statements of a dependence.
fn names(dependence: &Dependence) -> [Option<&str>; 2] {
    let space = dependence.relation.space();
    [&space.domain, &space.range].map(|tuple| tuple.as_ref().and_then(Tuple::name_str))
}

/// Whether the pairs of a dependence are those of a reduction of which every thread has a value of
/// its own.
fn is_private(dependence: &Dependence, reductions: &[AccessOf]) -> bool {
    let [source, _] = names(dependence);
    let is_own = |of: &AccessOf| source == Some(of.statement.as_str()) && of.access == dependence.source.1;
    dependence.reduction && dependence.source == dependence.sink && reductions.iter().any(is_own)
}

/// Whether a dependence is one between the statements of a pair.
fn is_between(dependence: &Dependence, pairs: &[(Id, Id)]) -> bool {
    let ends = names(dependence);
    let has = |a: &Id, b: &Id| ends == [Some(a.as_str()), Some(b.as_str())];
    pairs.iter().any(|(a, b)| has(a, b) || has(b, a))
}

/// The examples of the package's README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
