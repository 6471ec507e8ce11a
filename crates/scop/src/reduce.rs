//! Reductions that are computed with fewer operations.
//!
//! # Problem
//! `for j: y[i] += x[i + j]` adds up as many elements for each `y[i]` as the window is wide, although neighbouring windows share all but two. `poly-reductions` finds such sharing; here is what it takes to use it in
//! a SCoP: to say which statement is a reduction of what, and to write the equations that come back as statements.
//!
//! # Which statements
//! One that does nothing but update an element by one operation on integers, and one whose value is
//! a sum over a window that is written out ([`candidate`]). The values that are combined are read at the place of the
//! answers, or further outside where nothing writes the arrays that they come from; the new
//! statements stand right before what is at that level.
//!
//! # Why it is right
//! 1. That all answers of the equations are those of the reduction is proven by [`poly_reductions::verify`].
//! 2. The values that new statements read are elements that nothing writes between where the old statement read them and where the new ones do: the level is chosen so.
//! 3. All that a new statement reads of a temporary has been written before, and nothing is written
//!    to it later: this is decided exactly on the finished model ([`order`]). Temporaries share
//!    memory afterwards ([`share`]).
//! 4. Operations are those on numbers modulo a power of two, without promises about overflow; minima and maxima have none.
//!
//! Everything behind this, dependences, schedule and its check, sees statements like others.

mod boxes;
mod candidate;
mod order;
mod share;
mod singles;
mod windows;
mod write;

use poly_arith::Int;
use poly_presburger::{Budget, Stop};
use poly_reductions::{Cost, Options, Shifts, Source, System, Tie, Verdict};

use self::candidate::{Candidate, candidates};
use crate::config::Config;
use crate::driver::Analysis;
use crate::facts::estimates;
use crate::sizes::Sizes;
use crate::{Reduced, Scop, StmtId};

/// Which systems of equations are taken: what a system costs is only known when it has been scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// Of systems with as many operations.
    pub(crate) tie: Tie,
    /// Which recurrences are tried.
    pub(crate) shifts: Shifts,
}

impl Choice {
    /// Those of fewest operations.
    pub(crate) const FEWEST: Self = Self { tie: Tie::First, shifts: Shifts::All };

    /// All that are worth being priced, those first that leave rows to vectors.
    pub(crate) const ALL: [Self; 3] = [
        Self { tie: Tie::First, shifts: Shifts::BetweenRows },
        Self::FEWEST,
        Self { tie: Tie::Last, shifts: Shifts::All },
    ];
}

/// Whether a reduction of a SCoP has equations with fewer operations, if that is asked for.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(crate) fn may_have_fewer_operations(
    analysis: &Analysis,
    config: &Config,
    budget: &mut Budget,
) -> Result<bool, Stop> {
    let is_asked = config.simplify_reductions && analysis.reductions && config.scheduler.is_search();
    Ok(is_asked && analysis.memo.reduced(&analysis.scop, Choice::FEWEST, &config.sizes, budget)?.is_some())
}

/// The SCoP with fewer operations for every reduction for which that is so; `None` if there is none.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(crate) fn reduced(scop: &Scop, choice: Choice, sizes: &Sizes, budget: &mut Budget) -> Result<Option<Scop>, Stop> {
    let mut result: Option<Scop> = None;
    let names: Vec<String> = scop.statements.iter().map(|statement| statement.name.clone()).collect();
    for name in names {
        // What windows leave of a statement may be a reduction, too.
        for _ in 0..REDUCTIONS_OF_STATEMENT {
            let current = result.as_ref().unwrap_or(scop);
            match reduced_once(current, &name, choice, sizes, budget)? {
                Some(next) => result = Some(next),
                None => break,
            }
        }
    }
    Ok(result)
}

/// The SCoP with fewer operations for one reduction of a statement.
fn reduced_once(
    scop: &Scop,
    name: &str,
    choice: Choice,
    sizes: &Sizes,
    budget: &mut Budget,
) -> Result<Option<Scop>, Stop> {
    let Some(number) = scop.statements.iter().position(|statement| statement.name == name) else { return Ok(None) };
    let found = candidates(scop, StmtId::from(number), budget)?;
    for candidate in found.iter().take(CANDIDATES) {
        let share = budget.remaining() / SHARE;
        let mut part = budget.sub(share);
        let found = with_system(scop, candidate, choice, sizes, &mut part);
        budget.absorb(&part);
        match found {
            Ok(Some(next)) => return Ok(Some(next)),
            Ok(None) => {}
            Err(Stop) => tracing::debug!(name, "no budget for the simplification of a reduction"),
        }
    }
    Ok(None)
}

/// So many reductions of one statement get equations, one after the other.
const REDUCTIONS_OF_STATEMENT: usize = 8;

/// So many reductions of one statement are tried until there are equations for one.
const CANDIDATES: usize = 4;

/// One statement may take one of so many parts of the budget.
const SHARE: u64 = 4;

fn with_system(
    scop: &Scop,
    candidate: &Candidate,
    choice: Choice,
    sizes: &Sizes,
    budget: &mut Budget,
) -> Result<Option<Scop>, Stop> {
    let values = estimates(scop, sizes, budget)?;
    let reduction = &candidate.reduction;
    let Choice { tie, shifts } = choice;
    // Levels are equations of their own, more than a row of vectors is worth.
    let levels = if shifts == Shifts::All { LEVELS } else { 0 };
    // Numbers of points are no values of a SCoP, and the number of blocks is no affine function, as sizes of temporaries are.
    let options = Options { repeats: false, blocks: false, levels, tie, shifts, ..Options::at(values.clone()) };
    let Some(system) = poly_reductions::simplify(reduction, &options, budget)? else {
        return Ok(None);
    };
    let before = poly_reductions::cost(reduction, &values, budget)?;
    let after = system.cost(&values, budget)?;
    tracing::debug!(?before, ?after, "a reduction with fewer operations");
    if !is_clearly_less(&before, &after) {
        return Ok(None);
    }
    match poly_reductions::verify(&system, reduction, budget)? {
        Verdict::Proven => {}
        Verdict::Refuted(what) => {
            tracing::debug!(what, "a simplification is not proven");
            return Ok(None);
        }
    }
    let Some(proposal) = write::written(scop, candidate, &system, budget)? else { return Ok(None) };
    if !order::is_right(scop, &proposal, candidate.reduction.fixed, budget)? {
        tracing::debug!("the order of a simplification is not right");
        return Ok(None);
    }
    let (first, outside) = (scop.arrays.len(), candidate.reduction.fixed);
    let mut proposal = share::shared(proposal, first, outside, budget)?;
    proposal.reduced.push(Reduced {
        array: scop.arrays[candidate.array.index()].name.clone(),
        degrees: (before.degree, after.degree),
        operations: (before.operations.to_string(), after.operations.to_string()),
        temporaries: proposal.arrays.len() - scop.arrays.len(),
    });
    proposal.check_invariants();
    Ok(Some(proposal))
}

/// Most levels of intervals: wider ones than four thousand elements take one operation for each four thousand more.
const LEVELS: u32 = 12;

/// The degree falls, or at least this many times fewer operations are left.
const CLEARLY: i64 = 2;

fn is_clearly_less(before: &Cost, after: &Cost) -> bool {
    after.degree < before.degree
        || (after.degree == before.degree && &after.operations * &Int::from(CLEARLY) <= before.operations)
}

/// What the statements of a system are made from.
fn is_recurrent(system: &System) -> bool {
    let last = system.equations.last();
    last.is_some_and(|equation| {
        equation
            .terms
            .iter()
            .any(|term| term.factors.iter().any(|factor| factor.source == Source::Itself) || term.inverse)
    })
}
