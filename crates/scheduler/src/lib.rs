//! Scheduling: new execution orders for static control programs.
//!
//! # Problem
//! Given statements with their domains and dependences, find a schedule tree that executes the
//! source of every dependence before its sink, in which dependences are short (locality) and as
//! many outer loops as possible are parallel and permutable (tilable).
//!
//! # Method
//! Pluto's [Bondhugula2008]: schedules are affine; a dimension is found by integer programming,
//! minimizing a bound `u . n + w` on the distance of all dependences, so that dimensions without
//! distance (parallel loops) come first, then short ones; dimensions in which no dependence goes
//! backwards are collected into permutable bands. The modules in the order of the way:
//! [`edge`](self) (the dependence graph), `constraints` and `layout` (the integer program),
//! `independence`, `row` (one dimension), `band`, `cluster` (fusion), `carry` (Feautrier's step),
//! `original`, `group` (all together), `tree`.
//!
//! Or Feautrier's ([`Algorithm::Feautrier`]): as few time steps as possible, see `feautrier`.
//!
//! Large programs: no search spends more than a part of [`Options::effort`], see `effort`. A search
//! that is not finished has no result: clusters stay apart, and a component without a band keeps
//! its original order.
//!
//! Linear algebra is over the rationals: a dependence is relaxed to its polyhedron when constraints
//! are derived, which can only exclude schedules. What is satisfied, coincident or left is decided
//! exactly over the integers.
//!
//! Dependences that only keep live ranges apart are left out of bands that the live ranges are
//! local to, see `web`.
//!
//! [`fusion`]: all legal ways in which statements can share loops, each with its schedule.
//!
//! [`ScheduleConstraints`]: the same from relations between instances, as in isl, with a given
//! outer schedule and costs.
//!
//! [`schedule_with_sizes`] treats large constants as parameters, which the integer programs are
//! quicker with.
//!
//! [`split`] cuts statements split into subdomains where dependences point both ways over long
//! distances, [`split_at_point`] loops around an iteration that all others depend on.
//!
//! [`with_properties`] finds out what a schedule from elsewhere allows: permutable bands and
//! coincident members.
//!
//! Legality of schedule trees is decided by another crate, `poly-checker`, from the tree alone;
//! [`violation`] says it in words.

#![forbid(unsafe_code)]

mod affine;
mod band;
mod carry;
mod cluster;
mod constraints;
mod context;
mod cost;
mod edge;
mod effort;
mod equalities;
mod exchange;
mod feautrier;
pub mod fusion;
mod group;
mod independence;
mod layout;
mod original;
mod plan;
mod problem;
mod properties;
mod row;
mod scc;
mod schedule_constraints;
mod schedule_space;
pub mod sizes;
mod split;
mod split_point;
mod subdomains;
mod tree;
mod web;

use poly_arith::Int;
use poly_presburger::budget::{Budget, Stop};
use poly_schedule_tree::ScheduleTree;

pub use cost::{Cost, CostOrder};
pub use exchange::{ScheduleFile, ScheduleFileError, ill_formed, violation, why_illegal};
pub use problem::{Algorithm, Fusion, Options, Preference, Problem, Proximity};
pub use properties::with_properties;
pub use schedule_constraints::{ScheduleConstraints, ScheduleError};
pub use schedule_space::{NoSpace, ScheduleSpace};
pub use sizes::schedule_with_sizes;
pub use split::{Folding, is_free, split};
pub use split_point::{SplitAtPoint, split_at_point};
pub use subdomains::{Subdomain, Subdomains};

/// A schedule tree for all statements: sequences by dependence, bands with `permutable` and
/// `coincident` flags.
///
/// # Errors
/// [`Stop`] when the budget runs out. That [`Options::effort`] is used up is no error; the original
/// order takes the place of what was not found.
pub fn schedule(problem: &Problem<'_>, options: &Options, budget: &mut Budget) -> Result<ScheduleTree, Stop> {
    schedule_below(problem, &[], &[], options, budget)
}

/// As [`schedule`], below given rows of the iterators of each statement, and with costs of the
/// dimensions of bands.
fn schedule_below(
    problem: &Problem<'_>,
    given: &[Vec<Vec<Int>>],
    costs: &[cost::NumberedCost],
    options: &Options,
    budget: &mut Budget,
) -> Result<ScheduleTree, Stop> {
    let context = context::Context::new(problem, options, budget)?.below(given).with_costs(costs);
    let live_ranges = options.live_ranges && options.algorithm == Algorithm::Pluto;
    let edges = edge::edges(problem.dependences, &Options { live_ranges, ..*options }, &context.params, budget)?;
    let history = context.initial_history();
    let statements: Vec<usize> = (0..context.statements.len()).collect();
    tracing::debug!(statements = statements.len(), edges = edges.len(), "scheduling");
    let searched = effort::within(options.effort, budget, |part| match options.algorithm {
        Algorithm::Pluto => group::schedule_group(&context, &statements, &edges, &history, part),
        Algorithm::Feautrier => feautrier::feautrier(&context, &statements, &edges, &history, part),
    });
    let plan = match searched {
        Some(plan) => plan,
        None => original::original(&context, &statements, &edges, 0, budget)?,
    };
    Ok(plan.to_tree(&context))
}

/// The examples of the package's README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
