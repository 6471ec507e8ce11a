//! Candidates of other programs that execute the same: with scalars expanded, loops of their own
//! for pieces of domains and of subscripts, fewer operations, other bodies of statements, writes
//! without conditions, contracted arrays.
//!
//! Each function gets what was found without, and gives that or its own best candidate. Their own
//! must be predicted to be clearly faster, as it is predicted with what it adds: more memory, more
//! statements. Each has half of the budget that is left; if that is not enough, what was found
//! stays.

use poly_arith::Int;
use poly_dependence::{Options as DependenceOptions, Precision};
use poly_presburger::{Budget, Stop};
use poly_reductions::Shifts;
use poly_schedule_tree::{Mark, NodeKind, Tree};

use super::{Analysis, CLEAR_GAIN, Found, Reason, SPLITTING_GAIN, during, schedule, within_part};
use crate::config::{Config, Fusion, Parallelism, Profitability};
use crate::contraction;
use crate::inspection;
use crate::isomorphic::merge_isomorphic;
use crate::lower::{Candidate, lower};
use crate::memo::Variant;
use crate::order::original_tree;
use crate::problem::dependence_problem;
use crate::reduce::Choice;
use crate::simplify::borders::Loops;
use crate::simplify::expand::Expanded;
use crate::simplify::{borders, expand, fields, fission, if_conversion, pieces};
use crate::{Scop, lanes, temporaries};

/// The best candidate of the SCoP, or of the one with scalars expanded if that is predicted to be
/// clearly faster. The best one may be one of other dependences than those of the SCoP, which are
/// given then.
pub(super) fn with_or_without_expansion(
    (analysis, live): (Analysis, Option<Analysis>),
    plain: Result<Candidate, Reason>,
    original: f64,
    config: &Config,
    budget: &mut Budget,
) -> Result<(Analysis, Candidate), Reason> {
    let in_few = limit(plain.as_ref(), CONTRACTION_GAIN, original, config).unwrap_or(0.0);
    let has_blends = config.machine.vectors.blend_operations <= 1.0;
    let is_wanted = config.profitability == Profitability::Ignored || has_blends;
    let in_few = if is_wanted { in_few } else { in_few.min(HANDED_GAIN * original) };
    let limit = limit(plain.as_ref(), EXPANSION_GAIN, original, config);
    if let Some(limit) = limit.filter(|_| config.expansion)
        && let Some(found) = within_part(budget, |part| expanded_candidate(&analysis, config, (limit, in_few), part))
    {
        return Ok(found);
    }
    Ok((live.unwrap_or(analysis), plain?))
}

/// The cycles that a candidate of another SCoP must be below, to be taken in place of what was
/// found; `None` if that has failed.
fn limit(found: Result<&Candidate, &Reason>, gain: f64, original: f64, config: &Config) -> Option<f64> {
    match found {
        Ok(candidate) if config.profitability == Profitability::Ignored => Some(candidate.cycles),
        Ok(candidate) => Some(gain * candidate.cycles),
        Err(Reason::NotProfitable(_)) => Some(CLEAR_GAIN * original),
        Err(_) => None,
    }
}

/// What was found, or the best candidate of the SCoP in which pieces of domains have nests of their
/// own, if that is predicted to be clearly faster.
pub(super) fn with_or_without_pieces_apart(
    analysis: &Analysis,
    found: Result<Found, Reason>,
    original: f64,
    config: &Config,
    budget: &mut Budget,
) -> Result<Found, Reason> {
    let limit = match &found {
        // As at split points, also where it need not pay: this is no other order, only more code.
        Ok(found) => SPLITTING_GAIN * found.candidate.cycles,
        Err(Reason::NotProfitable(_)) => CLEAR_GAIN * original,
        Err(_) => return found,
    };
    if !config.splitting || config.fusion_member.is_some() || !config.scheduler.is_search() {
        return found;
    }
    with_or_without(analysis, found, limit, config, budget, |part| {
        analysis.memo.variant(Variant::PiecesApart, &analysis.scop, pieces::apart, part)
    })
}

/// What was found, or the best candidate of the SCoP in which loops are cut where subscripts
/// change, if that is predicted to be clearly faster.
pub(super) fn with_or_without_borders_apart(
    analysis: &Analysis,
    found: Result<Found, Reason>,
    original: f64,
    config: &Config,
    budget: &mut Budget,
) -> Result<Found, Reason> {
    let Some(limit) = limit_if_asked(config.splitting, &found, SPLITTING_GAIN, original, config) else { return found };
    with_or_without(analysis, found, limit, config, budget, |part| {
        let cut = |loops, budget: &mut Budget| {
            let make = |scop: &Scop, budget: &mut Budget| borders::cut(scop, loops, budget);
            analysis.memo.variant(Variant::CutAtBorders(loops), &analysis.scop, make, budget)
        };
        // Where there would be too many parts, the innermost loops alone are cut.
        match cut(Loops::All, part)? {
            Some(scop) => Ok(Some(scop)),
            None => cut(Loops::Innermost, part),
        }
    })
}

/// What a candidate of another SCoP has to be below, if a search is asked for that may look at
/// such.
fn limit_if_asked(
    is_on: bool,
    found: &Result<Found, Reason>,
    gain: f64,
    original: f64,
    config: &Config,
) -> Option<f64> {
    let is_asked = is_on && config.fusion_member.is_none() && config.scheduler.is_search();
    let limit = limit(found.as_ref().map(|found| &found.candidate), gain, original, config);
    limit.filter(|_| is_asked)
}

/// What was found, or the best candidate of another SCoP, if there is one and it takes less than so
/// many cycles.
fn with_or_without(
    analysis: &Analysis,
    found: Result<Found, Reason>,
    limit: f64,
    config: &Config,
    budget: &mut Budget,
    other: impl FnOnce(&mut Budget) -> Result<Option<Scop>, Stop>,
) -> Result<Found, Reason> {
    let best = within_part(budget, |part| {
        let Some(scop) = other(part).map_err(during("simplification"))? else { return Ok(None) };
        with_memory(analysis, scop, config, limit, part)
    });
    match best {
        Some((_, (analysis, candidate))) => Ok(Found { analysis, candidate, in_subdomains: None }),
        None => found,
    }
}

/// What was found, or the best candidate of the SCoP in which reductions take fewer operations, if
/// that is predicted to be clearly faster.
pub(super) fn with_or_without_fewer_operations(
    analysis: &Analysis,
    found: Result<Found, Reason>,
    original: f64,
    config: &Config,
    budget: &mut Budget,
) -> Result<Found, Reason> {
    let limit = match &found {
        Ok(_) if config.profitability == Profitability::Ignored => f64::INFINITY,
        Ok(found) => REDUCTION_GAIN * found.candidate.cycles,
        Err(Reason::NotProfitable(_)) => CLEAR_GAIN * original,
        Err(_) => return found,
    };
    if !config.simplify_reductions || !analysis.reductions || !config.scheduler.is_search() {
        return found;
    }
    // Systems may differ in what their recurrences run along: what that costs is only known here.
    let mut best: Option<Priced> = None;
    let mut known: Vec<Scop> = Vec::new();
    let apart = within_part(budget, |part| {
        let scalars = config.expansion.then(|| expanded(analysis, &analysis.scop, Expanded::Scalars, part));
        scalars.transpose().map(Option::flatten).map_err(during("the expansion of scalars"))
    });
    for choice in Choice::ALL {
        // A scalar that takes the answers one after the other makes them wait as a recurrence does.
        let scop = apart.as_ref().filter(|_| choice.shifts == Shifts::BetweenRows).unwrap_or(&analysis.scop);
        let limit = best.as_ref().map_or(limit, |(cycles, _)| cycles / ALIKE);
        // Answers of a row that wait for each other do so in a cache, too: if others do not, that
        // is not looked at.
        let contracts = config.contraction && (choice.shifts == Shifts::BetweenRows || best.is_none());
        let other = within_part(budget, |part| {
            let reduced = analysis.memo.reduced(scop, choice, &config.sizes, part);
            let reduced = reduced.map_err(during("simplification"))?;
            let Some(scop) = reduced.filter(|scop| !known.contains(scop)) else { return Ok(None) };
            known.push(scop.clone());
            with_few_rows_or_all(analysis, scop, contracts, config, limit, part)
        });
        best = match (best, other) {
            (Some(one), Some(other)) => Some(better_of_systems(one, other)),
            (one, other) => other.or(one),
        };
    }
    match best {
        Some((_, (analysis, candidate))) => Ok(Found { analysis, candidate, in_subdomains: None }),
        None => found,
    }
}

/// The best candidate of a SCoP with temporaries that takes less than so many cycles, with all rows
/// of these, or also with few.
fn with_few_rows_or_all(
    analysis: &Analysis,
    scop: Scop,
    contracts: bool,
    config: &Config,
    limit: f64,
    budget: &mut Budget,
) -> Result<Option<Priced>, Reason> {
    let with_temporaries = with_temporaries(analysis, scop, budget)?;
    // What is compared with knows of the inspections that were there before.
    let looked_at = if with_temporaries.scop.inspections.len() > analysis.scop.inspections.len() {
        let step = during("cost prediction");
        inspection::cycles(&with_temporaries, config, budget).map_err(&step)?
            - inspection::cycles(analysis, config, budget).map_err(&step)?
    } else {
        0.0
    };
    let limit = limit - looked_at;
    let ((cycles, known), bytes) = priced(with_temporaries.clone(), config, budget)?;
    tracing::debug!(cycles, limit, bytes, looked_at, "with fewer operations");
    let with_inspections = |(analysis, mut candidate): (Analysis, Candidate)| {
        candidate.cycles += looked_at;
        (candidate.cycles, (analysis, candidate))
    };
    let all = (cycles < limit && bytes < MAX_TEMPORARY_BYTES).then(|| (cycles, known.clone()));
    if !contracts {
        return Ok(all.map(|(_, found)| with_inspections(found)));
    }
    let limit = all.as_ref().map_or(limit, |(cycles, _)| CONTRACTION_GAIN * cycles);
    let few = within_part(budget, |part| {
        Ok(contraction::best_candidate(&with_temporaries, Some(known), config, limit, part))
    });
    Ok(few.or(all.map(|(_, found)| found)).map(with_inspections))
}

/// The better one of two systems of equations. Of predictions that are as good as equal, it is the
/// one with more loops of vector code: recurrences along loops further out leave the inner ones
/// free.
fn better_of_systems(one: Priced, other: Priced) -> Priced {
    let vectors = |(_, (_, candidate)): &Priced| {
        let mut vectors = 0;
        candidate.tree.tree().for_each(&mut |node| {
            vectors += usize::from(matches!(node.kind(), NodeKind::Mark(Mark::Vector)));
        });
        vectors
    };
    let are_alike = one.0.min(other.0) >= ALIKE * one.0.max(other.0);
    let is_other_better = if are_alike { vectors(&other) > vectors(&one) } else { other.0 < one.0 };
    if is_other_better { other } else { one }
}

/// Predictions of which one is at least this part of the other say nothing about which is better: a
/// tenth is what is asked for elsewhere before one structure takes the place of another.
const ALIKE: f64 = 0.9;

/// What was found, or the best candidate of the SCoP in which fields of structures have arrays of
/// their own and scalars are expanded, if that is predicted to be clearly faster.
pub(super) fn with_or_without_fields_apart(
    analysis: &Analysis,
    found: Result<Found, Reason>,
    original: f64,
    config: &Config,
    budget: &mut Budget,
) -> Result<Found, Reason> {
    let Some(limit) = limit_if_asked(config.expansion, &found, EXPANSION_GAIN, original, config) else { return found };
    with_or_without(analysis, found, limit, config, budget, |part| {
        let apart = analysis.memo.variant(Variant::FieldsApart, &analysis.scop, fields::apart, part)?;
        let Some(apart) = apart else { return Ok(None) };
        Ok(Some(expanded(analysis, &apart, Expanded::Scalars, part)?.unwrap_or(apart)))
    })
}

/// Whether vectors are stored under conditions. What that takes depends on the data; vectors that
/// are stored in every case compute no more, and are preferred if they are no slower.
fn stores_in_vectors_under_conditions(found: &Found) -> bool {
    let scop = &found.analysis.scop;
    let mut has_vectors = false;
    found.candidate.tree.tree().for_each(&mut |node| {
        has_vectors |= matches!(node.kind(), NodeKind::Mark(Mark::Vector));
    });
    has_vectors && scop.statements.iter().any(|statement| lanes::stores_under_conditions(scop, statement).is_some())
}

/// What was found, or the best candidate in which statements write in every case what they wrote
/// under conditions, if that is predicted to be clearly faster.
pub(super) fn with_or_without_if_conversion(
    analysis: &Analysis,
    found: Result<Found, Reason>,
    original: f64,
    config: &Config,
    budget: &mut Budget,
) -> Result<Found, Reason> {
    let gain = if found.as_ref().is_ok_and(stores_in_vectors_under_conditions) { 1.0 } else { FISSION_GAIN };
    let Some(limit) = limit_if_asked(config.if_conversion, &found, gain, original, config) else {
        return found;
    };
    with_or_without(analysis, found, limit, config, budget, |part| {
        analysis.memo.variant(Variant::IfConverted, &analysis.scop, if_conversion::if_converted, part)
    })
}

/// What was found, or the best candidate in which statements read early, or write one thing each,
/// if that is predicted to be clearly faster.
pub(super) fn with_or_without_fission(
    analysis: &Analysis,
    found: Result<Found, Reason>,
    original: f64,
    config: &Config,
    budget: &mut Budget,
) -> Result<Found, Reason> {
    let Some(limit) = limit_if_asked(config.fission, &found, FISSION_GAIN, original, config) else { return found };
    match within_part(budget, |part| fissioned_candidate(analysis, config, limit, part)) {
        Some((analysis, candidate)) => Ok(Found { analysis, candidate, in_subdomains: None }),
        None => found,
    }
}

/// The best candidate of other bodies that takes less than so many cycles: with early reads, with
/// one write each, and that with scalars expanded.
fn fissioned_candidate(
    analysis: &Analysis,
    config: &Config,
    mut limit: f64,
    budget: &mut Budget,
) -> Result<Option<(Analysis, Candidate)>, Reason> {
    let step = during("the fission of statements");
    let (memo, scop) = (&analysis.memo, &analysis.scop);
    let early = memo.variant(Variant::EarlyReads, scop, fission::with_early_reads, budget).map_err(&step)?;
    let cut = |scop: &Scop, budget: &mut Budget| fission::fissioned(scop, &analysis.dependences.dependences, budget);
    let fissioned = memo.variant(Variant::Fissioned, scop, cut, budget).map_err(&step)?;
    let expanded = match fissioned.as_ref().filter(|_| config.expansion) {
        Some(scop) => expanded(analysis, scop, Expanded::Scalars, budget).map_err(&step)?,
        None => None,
    };
    let mut best = None;
    for scop in [early, fissioned, expanded].into_iter().flatten() {
        if let Some((cycles, found)) = with_memory(analysis, scop, config, limit, budget)? {
            (limit, best) = (FISSION_GAIN * cycles, Some(found));
        }
    }
    Ok(best)
}

/// What was found, or the best candidate in which arrays that only the region sees have few rows,
/// if that is predicted to be clearly faster.
pub(super) fn with_or_without_contraction(
    analysis: &Analysis,
    found: Result<Found, Reason>,
    original: f64,
    config: &Config,
    budget: &mut Budget,
) -> Result<Found, Reason> {
    let limit = limit(found.as_ref().map(|found| &found.candidate), CONTRACTION_GAIN, original, config);
    let Some(limit) = limit else { return found };
    if !config.contraction || !config.scheduler.is_search() {
        return found;
    }
    let known = found.as_ref().ok().filter(|found| found.in_subdomains.is_none());
    let known = known.map(|found| (found.analysis.clone(), found.candidate.clone()));
    let find = |part: &mut Budget| Ok(contraction::best_candidate(analysis, known, config, limit, part));
    match within_part(budget, find) {
        Some((analysis, candidate)) => Ok(Found { analysis, candidate, in_subdomains: None }),
        None => found,
    }
}

/// The best candidate with scalars expanded, or local arrays too, if it takes less than so many
/// cycles; the other limit is for those with few rows of what is expanded.
fn expanded_candidate(
    analysis: &Analysis,
    config: &Config,
    (mut limit, in_few): (f64, f64),
    budget: &mut Budget,
) -> Result<Option<(Analysis, Candidate)>, Reason> {
    let mut best = None;
    for what in [Expanded::Scalars, Expanded::Arrays, Expanded::Results, Expanded::Extremes, Expanded::Rows] {
        let is_another = match what {
            Expanded::Scalars | Expanded::Extremes | Expanded::Results => true,
            // Without few rows, there would be more memory than the program has for its tables.
            Expanded::Rows => config.contraction,
            Expanded::Arrays => analysis.scop.arrays.iter().any(|array| array.local),
        };
        if !is_another {
            continue;
        }
        let found = expanded(analysis, &analysis.scop, what, budget).map_err(during("the expansion of scalars"))?;
        let Some(scop) = found else { continue };
        let priced = match what {
            Expanded::Rows => {
                let limit = if best.is_some() { limit } else { in_few };
                with_handed_rows(analysis, scop, config, limit, budget)?
            }
            Expanded::Results => match with_memory(analysis, scop, config, limit, budget)? {
                Some(found) => Some(with_few_rows(found, config, budget)?),
                None => None,
            },
            _ => with_memory(analysis, scop, config, limit, budget)?,
        };
        if let Some((cycles, found)) = priced {
            limit = cycles;
            best = Some(found);
        }
    }
    Ok(best)
}

/// The best candidate of a SCoP in which iterations hand rows on, with its cycles, if few rows are
/// enough and it takes less than so many.
fn with_handed_rows(
    analysis: &Analysis,
    scop: Scop,
    config: &Config,
    limit: f64,
    budget: &mut Budget,
) -> Result<Option<Priced>, Reason> {
    // Threads cannot share rows of which few are in use.
    let alone = Config { parallelism: Parallelism::Sequential, ..config.clone() };
    let (mut expanded, mut candidate) = scheduled(with_temporaries(analysis, scop, budget)?, &alone, budget)?;
    if candidate.cycles >= limit {
        return Ok(None);
    }
    let before = budget.spent();
    let found = contraction::handed_rows(&expanded, &candidate.tree, budget).map_err(during("contraction"))?;
    tracing::debug!(steps = budget.spent() - before, "rows that are handed on");
    let Some((scop, tree)) = found else { return Ok(None) };
    (expanded.scop, candidate.tree) = (scop, tree);
    let bytes = temporaries::bytes(&expanded.scop, &config.sizes, budget).map_err(during("cost prediction"))?;
    candidate.cycles += temporaries::cycles(bytes, config);
    let cycles = candidate.cycles;
    tracing::debug!(cycles, limit, bytes, "with rows that are handed on");
    Ok((cycles < limit && bytes < MAX_TEMPORARY_BYTES).then_some((cycles, (expanded, candidate))))
}

/// A candidate with rows for the iterations, with as few rows in memory as are in use if these are
/// few.
fn with_few_rows((cycles, found): Priced, config: &Config, budget: &mut Budget) -> Result<Priced, Reason> {
    let (analysis, candidate) = &found;
    if !config.contraction || config.parallelism != Parallelism::Sequential {
        return Ok((cycles, found));
    }
    let few = contraction::handed_rows(analysis, &candidate.tree, budget).map_err(during("contraction"))?;
    let Some((scop, tree)) = few else { return Ok((cycles, found)) };
    let bytes = |scop: &Scop, budget: &mut Budget| {
        temporaries::bytes(scop, &config.sizes, budget).map_err(during("cost prediction"))
    };
    let [before, after] = [bytes(&analysis.scop, budget)?, bytes(&scop, budget)?];
    let cycles = cycles - temporaries::cycles(before, config) + temporaries::cycles(after, config);
    tracing::debug!(cycles, bytes = after, "with few rows");
    let analysis = Analysis { scop, ..analysis.clone() };
    let candidate = Candidate { tree, cycles, ..candidate.clone() };
    Ok((cycles, (analysis, candidate)))
}

/// A SCoP with everything expanded for which that is right; `None` if there is nothing.
fn expanded(analysis: &Analysis, scop: &Scop, what: Expanded, budget: &mut Budget) -> Result<Option<Scop>, Stop> {
    let make = |scop: &Scop, budget: &mut Budget| expand::expanded(scop, what, budget);
    analysis.memo.variant(Variant::Expanded(what), scop, make, budget)
}

/// Predicted cycles, and what they are of.
type Priced = (f64, (Analysis, Candidate));

/// The best candidate of a SCoP with temporaries, with its cycles, if it takes less than so many.
fn with_memory(
    analysis: &Analysis,
    scop: Scop,
    config: &Config,
    limit: f64,
    budget: &mut Budget,
) -> Result<Option<Priced>, Reason> {
    let expanded = with_temporaries(analysis, scop, budget)?;
    let (found, bytes) = priced(expanded, config, budget)?;
    tracing::debug!(cycles = found.0, limit, bytes, "with memory");
    let is_better = found.0 < limit && bytes < MAX_TEMPORARY_BYTES;
    Ok(is_better.then_some(found))
}

/// What is known of a SCoP with temporaries.
fn with_temporaries(analysis: &Analysis, scop: Scop, budget: &mut Budget) -> Result<Analysis, Reason> {
    scop.check_invariants();
    let options = DependenceOptions { reductions: analysis.reductions, input: false };
    let problem = dependence_problem(&scop);
    let dependences = analysis.memo.dependences(problem, options, budget).map_err(during("dependence analysis"))?;
    let precision = Precision::Exact;
    let mut expanded = Analysis { dependences, original: original_tree(&scop), scop, precision, ..analysis.clone() };
    expanded.scalars_removed +=
        expanded.scop.arrays.iter().filter(|array| array.is_temporary() && !array.local).count();
    Ok(expanded)
}

/// The best candidate of a SCoP with temporaries, and the bytes of these, which are part of the
/// price.
fn priced(analysis: Analysis, config: &Config, budget: &mut Budget) -> Result<(Priced, f64), Reason> {
    // The original order of the SCoP with memory is not what it is measured by.
    let (analysis, mut candidate) = scheduled(analysis, config, budget)?;
    let bytes = temporaries::bytes(&analysis.scop, &config.sizes, budget).map_err(during("cost prediction"))?;
    candidate.cycles += temporaries::cycles(bytes, config);
    Ok(((candidate.cycles, (analysis, candidate)), bytes))
}

/// The best schedule of a SCoP, lowered, with the SCoP that it is of.
fn scheduled(analysis: Analysis, config: &Config, budget: &mut Budget) -> Result<(Analysis, Candidate), Reason> {
    let mut tree = schedule(&analysis, config, budget)?;
    if !analysis.scop.reduced.is_empty() && has_gaps(tree.tree()) {
        tree = schedule(&analysis, &Config { fusion: Fusion::No, ..config.clone() }, budget)?;
    }
    let joined = merge_isomorphic(&analysis, &tree, budget).map_err(during("scheduling"))?;
    let (analysis, tree) = joined.unwrap_or((analysis, tree));
    let candidate = lower(&analysis, &tree, config, budget).map_err(during("transformation"))?;
    Ok((analysis, candidate))
}

/// Whether a loop of several statements has iterations in which one of them has no instance by its
/// stride, as equations of reductions that read every second answer have: what it costs to tell
/// these apart is not predicted.
fn has_gaps(tree: &Tree) -> bool {
    let mut found = false;
    tree.for_each(&mut |node| {
        let members = node.as_band().into_iter().flat_map(|band| band.schedule.members());
        for function in members.filter(|function| function.iter().count() > 1) {
            found |= function.iter().filter_map(|f| f.single_aff()).any(|f| {
                let first = 1 + f.space().params.len();
                let stride = f.row()[first..].iter().fold(Int::ZERO, |stride, x| stride.gcd(x));
                stride > Int::ONE
            });
        }
    });
    found
}

/// With scalars expanded, or arrays split, a candidate must be predicted to need at most this part
/// of the time of the one without.
const EXPANSION_GAIN: f64 = 0.8;

/// With reductions of fewer operations, a candidate must be predicted to need at most this part of
/// the time of the one without.
const REDUCTION_GAIN: f64 = 0.8;

/// With other bodies of statements, a candidate must be predicted to need at most this part of the
/// time of the one without.
const FISSION_GAIN: f64 = 0.9;

/// With arrays contracted, a candidate must be predicted to need at most this part of the time of
/// the one without.
const CONTRACTION_GAIN: f64 = 0.95;

/// The part of the original's time that new code with rows that iterations hand on may need where
/// vectors have no blends. The original keeps in a register what it hands on along a row, and is
/// predicted as if that went through memory: 7 cycles for a table that takes 1.9 (longest common
/// subsequence) to 3.9 (Needleman-Wunsch). Elsewhere new code is predicted to need as much too
/// long; without blends, as long as it does (12 cycles for a step of four lanes, 11 to 15
/// measured).
const HANDED_GAIN: f64 = 0.3;

/// Nobody expects more memory to be used.
const MAX_TEMPORARY_BYTES: f64 = 2e8;
