//! Reductions that are computed with fewer operations.
//!
//! # Problem
//! `for j: y[i] += x[i + j]` adds up as many elements for each `y[i]` as the window is wide,
//! although neighbouring windows share all but two. `poly-reductions` finds such sharing; here is
//! what it takes to use it in a SCoP: to say which statement is a reduction of what, and to write
//! the equations that come back as statements.
//!
//! # Which statements
//! One that does nothing but update an element by one operation on integers, or a sum or product of
//! floating-point numbers that may be reassociated, and one whose value is a sum of integers over a
//! window that is written out ([`candidate`]). The values that are combined are read at the place
//! of the answers, or further outside where nothing writes the arrays that they come from, or where
//! each element means one value ([`sweep`]); the new statements stand right before what is at that
//! level.
//!
//! # Why it is right
//! 1. That all answers of the equations are those of the reduction is proven by
//!    [`poly_reductions::verify`].
//! 2. The values that new statements read are elements that nothing writes between where the old
//!    statement read them and where the new ones do: the level is chosen so.
//! 3. All that a new statement reads of a temporary has been written before, and nothing is written
//!    to it later: this is decided exactly on the finished model ([`order`]). Temporaries share
//!    memory afterwards ([`share`]).
//! 4. Operations are those on numbers modulo a power of two, without promises about overflow;
//!    minima and maxima have none. Sums under minima and maxima are those of numbers that are
//!    looked at before: none overflows ([`ranges`]).
//!
//! Everything behind this, dependences, schedule and its check, sees statements like others.

mod boxes;
mod candidate;
mod fused;
mod guarded;
mod layout;
mod order;
mod ranges;
mod share;
mod singles;
mod sweep;
mod windows;
mod write;

use poly_arith::Int;
use poly_presburger::{Budget, Stop};
use poly_reductions::{Cost, Options, Shifts, Source, System, Tie, Verdict};

use self::candidate::{Candidate, candidates};
use crate::config::Config;
use crate::driver::Analysis;
use crate::facts::estimates;
use crate::reduction::updates;
use crate::simplify::pieces;
use crate::sizes::Sizes;
use crate::{ArrayId, Reduced, Scop, Statement, StmtId};

/// Which systems of equations are taken: what a system costs is only known when it has been
/// scheduled.
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

/// The SCoP with fewer operations for every reduction for which that is so; `None` if there is
/// none.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(crate) fn reduced(scop: &Scop, choice: Choice, sizes: &Sizes, budget: &mut Budget) -> Result<Option<Scop>, Stop> {
    let apart = if are_pieces_apart(scop) { pieces::apart(scop, budget)? } else { None };
    let scop = apart.as_ref().unwrap_or(scop);
    let mut result: Option<Scop> = None;
    let mut is_cut_short = false;
    let names: Vec<String> = scop.statements.iter().map(|statement| statement.name.clone()).collect();
    for name in names {
        // What windows leave of a statement may be a reduction, too.
        for _ in 0..REDUCTIONS_OF_STATEMENT {
            let current = result.as_ref().unwrap_or(scop);
            match reduced_once(current, &name, choice, sizes, budget)? {
                Once::Reduced(next) => result = Some(*next),
                Once::AsItWas { too_much } => {
                    is_cut_short |= too_much;
                    break;
                }
            }
        }
    }
    // With more of the budget there may be one.
    if result.is_none() && is_cut_short { Err(Stop) } else { Ok(result) }
}

/// The SCoP in which a statement that is an update in other words is one; nothing if it stays as it
/// is.
fn as_plain_update(scop: &Scop, number: StmtId) -> Option<Scop> {
    let apart = fused::apart(scop, number);
    guarded::updated_always(apart.as_ref().unwrap_or(scop), number).or(apart)
}

/// What became of a statement.
enum Once {
    /// One of its reductions has equations with fewer operations.
    Reduced(Box<Scop>),
    /// None has; with more of the budget one may.
    AsItWas { too_much: bool },
}

/// The SCoP with fewer operations for one reduction of a statement. Of an update there are several
/// readings, of which the one with the lowest degree is taken; of windows it is the first one.
fn reduced_once(scop: &Scop, name: &str, choice: Choice, sizes: &Sizes, budget: &mut Budget) -> Result<Once, Stop> {
    let mut too_much = false;
    let Some(number) = scop.statements.iter().position(|statement| statement.name == name) else {
        return Ok(Once::AsItWas { too_much });
    };
    let plain = as_plain_update(scop, StmtId::from(number));
    let scop = plain.as_ref().unwrap_or(scop);
    let found = candidates(scop, StmtId::from(number), budget)?;
    tracing::trace!(name, candidates = found.len(), "reductions of a statement");
    let mut best: Option<(Cost, Scop)> = None;
    for candidate in found.iter().take(CANDIDATES) {
        if best.is_some() && !candidate.is_update() {
            break;
        }
        let share = budget.remaining() / SHARE;
        let mut part = budget.sub(share);
        let found = with_system(scop, candidate, choice, sizes, &mut part);
        tracing::debug!(name, apart = ?candidate.apart, spent = part.spent(), of = share, "a reduction");
        budget.absorb(&part);
        match found {
            Ok(Some(found)) if best.as_ref().is_none_or(|(cost, _)| found.0.degree < cost.degree) => best = Some(found),
            Ok(_) => {}
            Err(Stop) => {
                too_much = true;
                tracing::debug!(name, "no budget for the simplification of a reduction");
            }
        }
        if best.is_some() && !candidate.is_update() {
            break;
        }
    }
    Ok(best.map_or(Once::AsItWas { too_much }, |(_, next)| Once::Reduced(Box::new(next))))
}

/// So many reductions of one statement get equations, one after the other: each one is a search,
/// and a statement of hundreds of terms has hundreds of windows.
const REDUCTIONS_OF_STATEMENT: usize = 8;

/// So many reductions of one statement are tried until there are equations for one: those behind
/// have fewer operations, and less to save.
const CANDIDATES: usize = 4;

/// One search may take one of so many parts of what is left of the budget, so that something is
/// left for the other statements and for the order.
const SHARE: u64 = 2;

fn with_system(
    scop: &Scop,
    candidate: &Candidate,
    choice: Choice,
    sizes: &Sizes,
    budget: &mut Budget,
) -> Result<Option<(Cost, Scop)>, Stop> {
    let values = estimates(scop, sizes, budget)?;
    let reduction = &candidate.reduction;
    let Choice { tie, shifts } = choice;
    // Levels are equations of their own, more than a row of vectors is worth.
    let levels = if shifts == Shifts::All { LEVELS } else { 0 };
    let exact = !candidate.combination.is_float();
    // Numbers of points are no values of a SCoP, and the number of blocks is no affine function, as
    // sizes of temporaries are. What is taken out of a rounded sum leaves its rounding error, and a
    // rounded sum of ones is no number.
    let options = Options {
        repeats: false,
        blocks: false,
        inverses: exact,
        numbers: exact,
        levels,
        tie,
        shifts,
        ..Options::at(values.clone())
    };
    let Some(system) = poly_reductions::simplify(reduction, &options, budget)? else {
        return Ok(None);
    };
    let before = poly_reductions::cost(reduction, &values, budget)?;
    let after = system.cost(&values, budget)?;
    tracing::debug!(?before, ?after, "a reduction with fewer operations");
    if !is_clearly_less(&before, &after) {
        return Ok(None);
    }
    let narrow = system.without_wide().map(|narrow| narrow.cost(&values, budget)).transpose()?;
    let narrow = narrow.filter(|narrow| narrow.degree < after.degree);
    let system = layout::arranged(system, candidate);
    match poly_reductions::verify(&system, reduction, budget)? {
        Verdict::Proven => {}
        Verdict::Refuted(what) => {
            tracing::debug!(what, "a simplification is not proven");
            return Ok(None);
        }
    }
    let Some((proposal, reads)) = write::written(scop, candidate, &system, budget)? else { return Ok(None) };
    let kept = (&candidate.kept, &reads[..]);
    if !order::is_right(scop, &proposal, candidate.reduction.fixed, kept, budget)? {
        tracing::debug!("the order of a simplification is not right");
        return Ok(None);
    }
    let (first, outside) = (scop.arrays.len(), candidate.reduction.fixed);
    let mut proposal = share::shared(proposal, first, outside, budget)?;
    proposal.reduced.push(Reduced {
        array: scop.arrays[candidate.array.index()].name.clone(),
        degrees: (before.degree, narrow.as_ref().map_or(after.degree, |narrow| narrow.degree)),
        up_to: narrow.map(|_| (2u64 << LEVELS) - 1),
        operations: (before.operations.to_string(), after.operations.to_string()),
        temporaries: proposal.arrays.len() - scop.arrays.len(),
    });
    proposal.check_invariants();
    tracing::trace!("{proposal}");
    Ok(Some((after, proposal)))
}

/// Most levels of intervals: wider ones than four thousand elements take one operation for each
/// four thousand more.
const LEVELS: u32 = 12;

/// The degree falls, or at least this many times fewer operations are left.
const CLEARLY: i64 = 2;

fn is_clearly_less(before: &Cost, after: &Cost) -> bool {
    after.degree < before.degree
        || (after.degree == before.degree && &after.operations * &Int::from(CLEARLY) <= before.operations)
}

/// Whether an update has a domain of several pieces, none of which has the reuse that each has, or
/// reads an array that it also writes elsewhere, or that others write which it is in a loop with.
fn are_pieces_apart(scop: &Scop) -> bool {
    let writes = |statement: &Statement, array: ArrayId| {
        statement.accesses.iter().any(|access| access.array == array && access.kind != crate::AccessKind::Read)
    };
    let is_in_a_loop =
        |a: &Statement, b: &Statement| !a.loops.is_empty() && !b.loops.is_empty() && a.position[0] == b.position[0];
    let is_update = |number: usize| {
        let plain = as_plain_update(scop, StmtId::from(number));
        !updates(&plain.as_ref().unwrap_or(scop).statements[number]).is_empty()
    };
    scop.statements.iter().enumerate().any(|(number, statement)| {
        let reads = statement.accesses.iter().filter(|access| access.kind == crate::AccessKind::Read);
        let mut arrays = reads.map(|access| access.array);
        let is_read_and_written = |array: ArrayId| {
            let is_memory = !scop.arrays[array.index()].is_scalar();
            is_memory && scop.statements.iter().any(|other| is_in_a_loop(statement, other) && writes(other, array))
        };
        is_update(number) && (statement.domain.n_basic() > 1 || arrays.any(is_read_and_written))
    })
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
