//! The pipeline on one SCoP: model in, plan out.
//!
//! # Steps
//! 1. [`analyse`]: simplify scalars away, compute dependences, build the tree of the original
//!    order.
//! 2. [`schedule`]: new bands from the scheduler, or the original order. Where dependences point
//!    both ways over long distances, or between one iteration of a loop and all others, also those
//!    of statements split into subdomains ([`crate::index_set_splitting`]); where they only keep
//!    live ranges apart, also without them ([`crate::live_ranges`]).
//! 3. transform: loop order, tiles and marks, each candidate with a predicted cost; the original
//!    order is a candidate. Where sizes are known only when the program runs, also from which ones
//!    on the best candidate is to be used ([`crate::sizes`]).
//! 4. packing: statements that copy what blocks touch, and those that wait, are put into the tree.
//! 5. check: legality of the final tree and of all that its marks promise, by a crate that shares
//!    nothing with those who made it.
//! 6. AST and run-time check; another such crate judges the AST against the tree.
//!
//! Every step is pure and runs under one [`Budget`]; when it is exhausted, or anything is predicted
//! not to pay, the outcome is [`Outcome::Unchanged`] with a reason for people.

mod alternatives;

use std::collections::BTreeSet;
use std::fmt;

use poly_ast_build::AstOptions;
use poly_dependence::{Dependences, Options as DependenceOptions, Precision, ReductionOperator};
use poly_exchange::{ScopText, TextError};
use poly_presburger::{Budget, DimKind, Map, Set, Stop};
use poly_schedule_tree::ScheduleTree;
use poly_scheduler as scheduler;
use poly_transform::rewrite;

use self::alternatives::{
    with_or_without_borders_apart, with_or_without_contraction, with_or_without_expansion,
    with_or_without_fewer_operations, with_or_without_fields_apart, with_or_without_fission,
    with_or_without_if_conversion, with_or_without_pieces_apart,
};
use crate::check::{CheckFailure, runtime_check};
use crate::config::{Config, Fusion, Parallelism, Profitability, Rewriting, Scheduler, Tiling};
use crate::contraction::{ContractedArray, in_few_rows, rows_of_strips};
use crate::distribution;
use crate::exchange::{Given, scop_text};
use crate::fusion;
use crate::index_set_splitting::{InSubdomains, folded_candidate, split_point_candidate};
use crate::inspection;
use crate::isomorphic::merge_isomorphic;
use crate::live_ranges;
use crate::lower::{Candidate, lower, lower_in_tiles};
use crate::memo::Memo;
use crate::order::{domains, original_tree, time_map};
use crate::packing::{self, Inserted, Order, What};
use crate::plan::{Plan, RuntimeCheck};
use crate::problem::dependence_problem;
use crate::reduce;
use crate::reduction::updates;
use crate::report::{Prediction, Report};
use crate::residence;
use crate::rewriting::rewritten;
use crate::row_checks;
use crate::row_spacing;
use crate::search::search;
use crate::simplify::{results, simplify};
use crate::sizes::{Data, Replacement, Sizes};
use crate::verify;
use crate::{ArrayId, InstrKind, Nest, Scop, StmtId, ValueId};

/// Why a SCoP is left as it is.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The operation budget ran out in the step that is named.
    Budget(&'static str),
    /// There is no loop with an effect.
    Nothing,
    /// The best candidate is not predicted to be clearly faster.
    NotProfitable(Prediction),
    /// The assumptions can never hold together.
    AssumptionsFail,
    /// Nothing bounds the accessed part of an array that needs an alias check; its name.
    UnboundedArray(String),
    /// The rows of the array that are accessed are not every so many of its table.
    UnknownRows(String),
    /// A schedule that was given is illegal, or is one of other instances.
    Refused(String),
    /// A rewrite that was given is not legal, or not possible.
    Rewrite {
        /// The step.
        step: String,
        /// Why.
        why: String,
    },
    /// There are not so many fusion structures.
    NoFusion(u64),
    /// The checker refused the schedule: a bug of the scheduler, reported and contained.
    IllegalSchedule(String),
    /// The checker refused the generated program: a bug of code generation, reported and contained.
    WrongProgram(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Budget(step) => {
                write!(f, "the operation budget ran out during {step}; raise it with the option 'budget'")
            }
            Self::Nothing => write!(f, "there is nothing to reorder"),
            Self::NotProfitable(prediction) => write!(f, "no profitable transformation was found ({prediction})"),
            Self::AssumptionsFail => write!(f, "the conditions under which the model is true contradict each other"),
            Self::UnboundedArray(name) => {
                write!(f, "the accessed part of '{name}' is not bounded by values known before the loops")
            }
            Self::UnknownRows(name) => {
                write!(
                    f,
                    "whether the rows of {name} overlap would have to be checked, but it is not known before which of them are accessed"
                )
            }
            Self::Refused(what) => write!(f, "the given schedule was refused: {what}"),
            Self::Rewrite { step, why } => write!(f, "the rewrite {step} was refused: {why}"),
            Self::NoFusion(number) => write!(f, "there is no fusion structure with number {number}"),
            Self::WrongProgram(what) => {
                write!(f, "internal error: the generated loops were refused by the checker ({what})")
            }
            Self::IllegalSchedule(what) => {
                write!(f, "internal error: the new order was refused by the checker ({what})")
            }
        }
    }
}

/// What became of a SCoP.
#[derive(Debug)]
pub enum Outcome {
    /// A plan for code generation.
    Optimized(Box<Plan>),
    /// Leave it.
    Unchanged(Reason),
}

/// A SCoP after simplification, with its dependences.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The simplified SCoP.
    pub scop: Scop,
    /// How many scalars simplification removed.
    pub scalars_removed: usize,
    /// Its dependences, statements in the order of the SCoP.
    pub dependences: Dependences,
    /// The original order.
    pub original: ScheduleTree,
    /// Some statements have the instances of others that did the same. The original order is that
    /// of the statements before, and these cannot be scheduled again.
    pub joined: bool,
    /// Updates of reductions may change their order.
    pub reductions: bool,
    /// How exact the dependences are.
    pub precision: Precision,
    /// Arrays of the SCoP that have fewer cells than elements. In the original order they would be
    /// too few.
    pub contracted: Vec<ContractedArray>,
    /// Names of arrays of the program that the SCoP does not need: their values are computed where
    /// they were read.
    pub inlined: Vec<String>,
    /// What is known already of this SCoP and of others that do the same.
    pub(crate) memo: Memo,
}

/// Simplifies a SCoP and computes its dependences, those of reductions apart if their order is
/// free.
///
/// # Errors
/// The step in which the budget ran out.
pub fn analyse(scop: Scop, reductions: bool, budget: &mut Budget) -> Result<Analysis, Reason> {
    analyse_watched(scop, reductions, &mut |_, _| (), budget)
}

fn analyse_watched(
    mut scop: Scop,
    reductions: bool,
    watch: &mut Watch<'_>,
    budget: &mut Budget,
) -> Result<Analysis, Reason> {
    scop.check_invariants();
    watch("simplification", budget.spent());
    let scalars_removed = simplify(&mut scop, budget).map_err(during("simplification"))?;
    inspection::simplify(&mut scop, budget).map_err(during("simplification"))?;
    watch("dependence analysis", budget.spent());
    let problem = dependence_problem(&scop);
    let options = DependenceOptions { reductions, input: false };
    let (dependences, precision) =
        dependences_within(&scop, &problem, &options, budget).map_err(during("dependence analysis"))?;
    tracing::debug!(?precision, "dependences");
    let original = original_tree(&scop);
    Ok(Analysis {
        scop,
        scalars_removed,
        dependences,
        original,
        joined: false,
        reductions,
        precision,
        contracted: Vec::new(),
        inlined: Vec::new(),
        memo: Memo::default(),
    })
}

/// Exact dependences of several nests may cost one of so many shares of the budget.
const SHARES_OF_NESTS: u64 = 4;

/// The dependences of a SCoP. Several nests of which the exact ones cost too much are not worth
/// others: what is not exact hardly lets nests be fused, and they are looked at one by one if
/// nothing is done for them together.
fn dependences_within(
    scop: &Scop,
    problem: &poly_dependence::Problem,
    options: &DependenceOptions,
    budget: &mut Budget,
) -> Result<(Dependences, Precision), Stop> {
    if scop.loops.iter().filter(|l| l.depth == 0).count() < 2 {
        return poly_dependence::analyse_within(problem, options, budget);
    }
    let mut part = budget.sub(budget.remaining() / SHARES_OF_NESTS);
    let exact = poly_dependence::analyse(problem, options, &mut part);
    budget.absorb(&part);
    Ok((exact?, Precision::Exact))
}

/// The tree that the configured scheduler makes.
///
/// # Errors
/// The step in which the budget ran out.
pub fn schedule(analysis: &Analysis, config: &Config, budget: &mut Budget) -> Result<ScheduleTree, Reason> {
    if config.scheduler == Scheduler::Original {
        let dependences = &analysis.dependences.dependences;
        return scheduler::with_properties(&analysis.original, dependences, budget).map_err(during("scheduling"));
    }
    if config.scheduler == Scheduler::Given {
        return given(analysis, config, budget);
    }
    if config.scheduler == Scheduler::Pluto {
        match (config.fusion_member, config.fusion) {
            (Some(number), _) => return fusion::member(analysis, number, budget),
            (None, Fusion::Search) => return fusion::search(analysis, config, budget),
            (None, _) => {}
        }
    }
    schedule_with(analysis, config, &scheduler_options(analysis, config), budget)
}

fn schedule_with(
    analysis: &Analysis,
    config: &Config,
    options: &scheduler::Options,
    budget: &mut Budget,
) -> Result<ScheduleTree, Reason> {
    let domains = domains(&analysis.scop);
    let times: Vec<Map> = analysis.scop.statements.iter().map(|s| time_map(&analysis.scop, s)).collect();
    let mut dependences = analysis.dependences.dependences.clone();
    if config.reuse {
        let options = DependenceOptions { reductions: analysis.reductions, input: true };
        let all = analysis.memo.dependences(dependence_problem(&analysis.scop), options, budget);
        let all = all.map_err(during("dependence analysis"))?.dependences;
        dependences.extend(all.into_iter().filter(|d| !d.is_ordering()));
    }
    let problem = scheduler::Problem {
        context: &analysis.scop.context,
        domains: &domains,
        times: &times,
        dependences: &dependences,
    };
    analysis.memo.schedule(&problem, options, budget).map_err(during("scheduling"))
}

/// What the scheduler is asked for.
pub(crate) fn scheduler_options(analysis: &Analysis, config: &Config) -> scheduler::Options {
    scheduler::Options {
        algorithm: match config.scheduler {
            Scheduler::Feautrier => scheduler::Algorithm::Feautrier,
            Scheduler::Pluto | Scheduler::Original | Scheduler::Given => scheduler::Algorithm::Pluto,
        },
        fusion: match config.fusion {
            Fusion::Max => scheduler::Fusion::Max,
            Fusion::Smart | Fusion::Search => scheduler::Fusion::Smart,
            Fusion::No => scheduler::Fusion::None,
        },
        live_ranges: config.live_ranges,
        relax_reductions: analysis.reductions,
        proximity: config.proximity,
        preference: config.preference,
        ..scheduler::Options::default()
    }
}

/// The schedule that was given, if it orders the instances of the SCoP legally; with what the
/// dependences allow in its bands.
fn given(analysis: &Analysis, config: &Config, budget: &mut Budget) -> Result<ScheduleTree, Reason> {
    let tree = &match &config.given {
        None => return Err(Reason::Refused("there is none for these loops".to_string())),
        Some(Given::Tree(tree)) => tree.clone(),
        Some(Given::Text(text)) => given_tree(analysis, text, budget).map_err(|error| match error {
            TextError::Wrong(what) => Reason::Refused(what),
            TextError::Stop => Reason::Budget("reading the schedule"),
        })?,
    };
    let dependences = &analysis.dependences.dependences;
    let domains = domains(&analysis.scop);
    for domain in &domains {
        let tuple = domain.tuple().expect("a domain has a tuple");
        let name = tuple.name_str().unwrap_or("");
        let Some(other) = tree.domain().get_tuple(tuple) else {
            return Err(Reason::Refused(format!("it has no statement {name}")));
        };
        if !domain.is_equal(other, budget).map_err(during("reading the schedule"))? {
            return Err(Reason::Refused(format!("its instances of {name} are not those of the program")));
        }
    }
    if tree.domain().len() > domains.len() {
        return Err(Reason::Refused("it has statements that the program has not".to_string()));
    }
    if let Some(what) = scheduler::ill_formed(tree, budget).map_err(during("reading the schedule"))? {
        return Err(Reason::Refused(what));
    }
    let unmarked = scheduler::with_properties(tree, dependences, budget).map_err(during("reading the schedule"))?;
    match scheduler::violation(&unmarked, dependences, budget).map_err(during("the legality check"))? {
        Some(what) => Err(Reason::Refused(what)),
        None => Ok(unmarked),
    }
}

/// The schedule of a text, if it is one of the same program.
fn given_tree(analysis: &Analysis, text: &ScopText, budget: &mut Budget) -> Result<ScheduleTree, TextError> {
    text.check_same_program(&scop_text(&analysis.scop, &analysis.original), budget)?;
    text.tree(budget)
}

/// Is told which step begins, when so many operations have been spent.
pub type Watch<'a> = dyn FnMut(&'static str, u64) + 'a;

/// Runs the whole pipeline.
pub fn optimize(scop: Scop, config: &Config) -> Outcome {
    optimize_within(scop, config, &mut |_, _| (), &mut Budget::new(config.budget))
}

/// Runs the whole pipeline with what is left of the budget, instead of that of the configuration.
pub fn optimize_within(scop: Scop, config: &Config, watch: &mut Watch<'_>, budget: &mut Budget) -> Outcome {
    let (name, loops, statements) = (scop.name.clone(), scop.loops.len(), scop.statements.len());
    let before = budget.spent();
    let found = run(scop, config, watch, budget);
    let operations = budget.spent() - before;
    tracing::debug!(name, loops, statements, operations, optimized = found.is_ok(), "the SCoP is done");
    match found {
        Ok(plan) => Outcome::Optimized(Box::new(plan)),
        Err(reason) => Outcome::Unchanged(reason),
    }
}

fn run(scop: Scop, config: &Config, watch: &mut Watch<'_>, budget: &mut Budget) -> Result<Plan, Reason> {
    let analysis = analyse_watched(scop, config.reductions, watch, budget)?;
    if analysis.scop.statements.iter().all(|s| s.loops.is_empty()) {
        return Err(Reason::Nothing);
    }
    watch("run-time check", budget.spent());
    let check = runtime_check(&analysis.scop, budget).map_err(during("the run-time check"))?;
    let check = check.map_err(|failure| explain(&analysis.scop, &failure))?;
    watch("search", budget.spent());
    let Best { analysis, candidate, in_subdomains, original, inspected, condition } =
        if config.rewriting == Rewriting::Search {
            best_for_sizes(analysis, config, budget)?
        } else {
            by_rewrites(analysis, config, budget)?
        };
    let analysis = in_few_rows(analysis);
    watch("packing", budget.spent());
    let check = match &condition {
        Some(sizes) => {
            let condition = check.condition.intersect(sizes);
            RuntimeCheck { condition, sizes: Some(sizes.clone()), ..check }
        }
        None => check,
    };
    let check = with_results(check, &analysis.scop, budget).map_err(during("the run-time check"))?;
    let context = with_tile_sizes(&analysis.scop.context.intersect(&check.condition), &candidate.nests);
    let (with_packing, order) = with_packing(&analysis, &candidate.tree, config, budget)?;
    // Nothing changes the tree from here on.
    watch("legality check", budget.spent());
    verify::tree(&analysis.dependences.dependences, &order, &with_packing.tree, budget)?;
    verify::cells(&analysis, &with_packing.scop, &with_packing.tree, budget)?;
    watch("loops", budget.spent());
    let ast = poly_ast_build::build(&with_packing.tree, &context, &AstOptions::default(), budget)
        .map_err(during("code generation"))?;
    let ast = distribution::decided(ast);
    verify::program(&ast, &with_packing.tree, &context)?;
    let inspection = inspection::ast(&analysis.scop, &context, budget)?;
    let privatized = candidate.n_reductions();
    let of_program = analysis.contracted.iter().filter(|array| array.of_program);
    let report = Report {
        scop: analysis.scop.name.clone(),
        place: analysis.scop.place.clone(),
        loops: analysis.scop.loops.len(),
        statements: analysis.scop.statements.len(),
        bands: candidate.bands,
        subdomains: in_subdomains.map_or(0, |analysis| analysis.scop.statements.len()),
        scalars_removed: analysis.scalars_removed,
        packed_arrays: with_packing.buffers.len(),
        privatized,
        temporaries: analysis.scop.arrays.iter().filter(|array| array.is_temporary() && !array.local).count(),
        expanded_arrays: analysis.scop.arrays.iter().filter(|array| array.is_temporary() && array.local).count()
            - analysis.scop.reduced.iter().map(|reduced| reduced.temporaries).sum::<usize>()
            - of_program.clone().count(),
        inlined: analysis.inlined.clone(),
        contracted: of_program.map(|array| (array.name.clone(), array.rows)).collect(),
        reduced: analysis.scop.reduced.clone(),
        checks: check.disjoint.len() + check.distinct_rows.len() + analysis.scop.assumptions.len(),
        inspections: analysis.scop.inspections.len(),
        condition: condition.map(|condition| condition.to_string()),
        threads_left_out: candidate.threads_left_out,
        prediction: candidate.unpredicted.is_none().then_some(Prediction {
            original,
            candidate: candidate.cycles + inspected,
            precision: analysis.precision,
        }),
        unpredicted: candidate.unpredicted.map(|unknown| unknown.to_string()),
        rewrites: candidate.log,
    };
    let nests = candidate.nests;
    let reassociated = reassociated(&analysis);
    let first_of_buffers = StmtId::from(analysis.scop.statements.len());
    let Inserted { mut scop, tree, buffers, waits, .. } = with_packing;
    scop.statements.append(&mut scop.inspections);
    Ok(Plan { scop, check, tree, ast, inspection, reassociated, nests, buffers, waits, first_of_buffers, report })
}

/// The candidate that rewrites make of the schedule, whatever is predicted of it.
fn by_rewrites(analysis: Analysis, config: &Config, budget: &mut Budget) -> Result<Best, Reason> {
    let sizes = Sizes::usual(&analysis.scop, budget).map_err(during("cost prediction"))?;
    let config = &Config { sizes, ..config.clone() };
    let tree = schedule(&analysis, config, budget)?;
    let candidate = rewritten(&analysis, &tree, config, budget)?;
    let original = lower(&analysis, &analysis.original, &config.plain(), budget).map_err(during("cost prediction"))?;
    let inspected = looked_at_before(&analysis, config, budget).map_err(during("cost prediction"))?;
    let original = original.cycles;
    Ok(Best { analysis, candidate, in_subdomains: None, original, inspected, condition: None })
}

/// The model and the tree with local buffers, or without them if the budget is not enough; with
/// what the copies must be ordered with.
fn with_packing(
    analysis: &Analysis,
    tree: &ScheduleTree,
    config: &Config,
    budget: &mut Budget,
) -> Result<(Inserted, Order), Reason> {
    let insert = |buffers, budget: &mut Budget| {
        let inserted = packing::insert(&analysis.scop, tree, What { buffers, machine: &config.machine }, budget)?;
        let known = &analysis.dependences.dependences;
        let order = packing::order(&inserted.scop, known, &inserted.copies, budget)?;
        Ok(order.map(|order| (inserted, order)))
    };
    match within_part(budget, |part| insert(true, part).map_err(during("packing"))) {
        Some(packed) => Ok(packed),
        None => insert(false, budget).and_then(|packed| packed.ok_or(Stop)).map_err(during("packing")),
    }
}

/// The check of code that copies results: only where the original writes them.
fn with_results(check: RuntimeCheck, scop: &Scop, budget: &mut Budget) -> Result<RuntimeCheck, Stop> {
    let Some(written) = results::written(scop) else { return Ok(check) };
    let condition = check.condition.intersect(&written).coalesce(budget)?.gist(&scop.context, budget)?;
    Ok(RuntimeCheck { condition, ..check })
}

/// The context with what is known of tile sizes that are parameters.
fn with_tile_sizes(context: &Set, nests: &[Nest]) -> Set {
    let mut params = context.space().params.clone();
    let first = params.len();
    params.extend(nests.iter().flat_map(|nest| &nest.sizes).map(|size| size.param.clone()));
    let all = params.len();
    let context = context.with_exact_params(&params);
    (first..all).fold(context, |context, param| context.lower_bound(DimKind::Param, param, 1))
}

/// A candidate that is predicted to pay.
struct Best {
    analysis: Analysis,
    candidate: Candidate,
    /// The SCoP with statements split into subdomains, if they are cut.
    in_subdomains: Option<Analysis>,
    /// Predicted cycles of the original order.
    original: f64,
    /// Predicted cycles of inspections.
    inspected: f64,
    /// The parameters for which it is to be used, if not for all.
    condition: Option<Set>,
}

impl Best {
    /// What the candidate's tree orders the instances of.
    fn priced(&self) -> &Analysis {
        self.in_subdomains.as_ref().unwrap_or(&self.analysis)
    }
}

/// The best candidate for the usual sizes, or else for large ones, and from which sizes on it is to
/// be used.
fn best_for_sizes(analysis: Analysis, config: &Config, budget: &mut Budget) -> Result<Best, Reason> {
    let usual = Sizes::usual(&analysis.scop, budget).map_err(during("cost prediction"))?;
    let large = usual.large(&analysis.scop).filter(|_| config.size_checks);
    let usual = Config { sizes: usual, ..config.clone() };
    match best_for(&analysis, &usual, budget) {
        Err(reason @ Reason::NotProfitable(_)) => {
            let large = large.map(|sizes| Config { sizes, ..config.clone() });
            let found =
                large.and_then(|config| within_part(budget, |part| best_for(&analysis, &config, part).map(Some)));
            let found = found.or_else(|| within_part(budget, |part| best_in_a_cache(&analysis, &usual, part)));
            found.ok_or(reason)
        }
        Ok(best) if best.analysis.scop.reduced.is_empty() => {
            if !usual.simplify_reductions || !usual.scheduler.is_search() {
                return Ok(best);
            }
            let at = |sizes| Config { sizes, ..config.clone() };
            let with_fewer =
                large.and_then(|sizes| within_part(budget, |part| with_fewer_operations(&analysis, &at(sizes), part)));
            let longer = usual.sizes.longer().filter(|_| with_fewer.is_none() && config.size_checks);
            let with_fewer = with_fewer.or_else(|| {
                let wide = at(longer?);
                within_part(budget, |part| wide_and_narrow(&analysis, &usual, &wide, part))
            });
            Ok(with_fewer.unwrap_or(best))
        }
        found => found,
    }
}

/// The best candidate for some sizes, if it has reductions with fewer operations: what they save
/// grows faster than the sizes, so that larger ones may tell another tale.
fn with_fewer_operations(analysis: &Analysis, config: &Config, budget: &mut Budget) -> Result<Option<Best>, Reason> {
    if !reduce::may_have_fewer_operations(analysis, config, budget).map_err(during("simplification"))? {
        return Ok(None);
    }
    let best = best_for(analysis, config, budget)?;
    Ok((!best.analysis.scop.reduced.is_empty()).then_some(best))
}

/// The best candidate for wide windows, if it has reductions with fewer operations and pays for
/// narrow ones as well, which are the usual ones; it is used for both.
fn wide_and_narrow(
    analysis: &Analysis,
    usual: &Config,
    wide: &Config,
    budget: &mut Budget,
) -> Result<Option<Best>, Reason> {
    let Some(best) = with_fewer_operations(analysis, wide, budget)? else { return Ok(None) };
    let (priced, candidate) = (best.priced(), &best.candidate);
    let new = Replacement { original: analysis, analysis: priced, candidate, config: usual, data: Data::InMemory };
    let step = during("cost prediction");
    if !new.pays_at(&usual.sizes, budget).map_err(&step)? {
        return Ok(None);
    }
    let condition = new.worthwhile(budget).map_err(&step)?;
    let condition = both(condition, uncrowded(&best.analysis.scop, &best.candidate, usual));
    Ok(Some(Best { condition, ..best }))
}

/// The best candidate for data that stay in a cache, if it is no worse where they come from memory.
fn best_in_a_cache(analysis: &Analysis, config: &Config, budget: &mut Budget) -> Result<Option<Best>, Reason> {
    let warm = residence::in_a_cache(analysis, config, CLEAR_GAIN, budget).map_err(during("cost prediction"))?;
    let Some(warm) = warm else { return Ok(None) };
    let found = best_for(analysis, &warm, budget)?;
    // Of these sizes, all data come to the cache once and stay there, in whatever order.
    if analysis.scop.context.space().params.is_empty() {
        return Ok(Some(found));
    }
    let original = lower(analysis, &analysis.original, &config.plain(), budget).map_err(during("cost prediction"))?;
    let is_no_slower = residence::is_no_slower_in_memory(
        (found.priced(), &found.candidate),
        original.cycles - found.inspected,
        config,
        budget,
    );
    Ok(is_no_slower.map_err(during("cost prediction"))?.then_some(found))
}

fn best_for(analysis: &Analysis, config: &Config, budget: &mut Budget) -> Result<Best, Reason> {
    let baseline = lower(analysis, &analysis.original, &config.plain(), budget).map_err(during("cost prediction"))?;
    let original = baseline.cycles;
    tracing::debug!(sizes = ?config.sizes, original, "the original order");
    let inspected = looked_at_before(analysis, config, budget).map_err(during("cost prediction"))?;
    // What is clearly faster than this is so with inspections, too.
    let bar = (original - inspected / CLEAR_GAIN).max(0.0);
    let found = best_of_all(analysis.clone(), bar, config, budget);
    let found = with_or_without_pieces_apart(analysis, found, bar, config, budget);
    let found = with_or_without_borders_apart(analysis, found, bar, config, budget);
    let found = with_or_without_fewer_operations(analysis, found, bar, config, budget);
    let found = with_or_without_contraction(analysis, found, bar, config, budget);
    let found = with_or_without_fission(analysis, found, bar, config, budget);
    let found = with_or_without_if_conversion(analysis, found, bar, config, budget);
    let found = with_or_without_fields_apart(analysis, found, bar, config, budget);
    let found = found.map_err(|reason| match reason {
        Reason::NotProfitable(Prediction { candidate, precision, .. }) => {
            Reason::NotProfitable(Prediction { original, candidate: candidate + inspected, precision })
        }
        other => other,
    })?;
    let new = Replacement {
        original: analysis,
        analysis: found.in_subdomains.as_ref().unwrap_or(&found.analysis),
        candidate: &found.candidate,
        config,
        data: Data::InMemory,
    };
    let is_known = analysis.scop.context.space().params.is_empty() && config.profitability == Profitability::Required;
    let keeps_pace = |part: &mut Budget| new.keeps_pace_in_a_cache(part).map(Some).map_err(during("cost prediction"));
    if is_known && within_part(budget, keeps_pace) == Some(false) {
        let (candidate, precision) = (found.candidate.cycles + inspected, analysis.precision);
        return Err(Reason::NotProfitable(Prediction { original, candidate, precision }));
    }
    let condition = if config.size_checks && config.profitability == Profitability::Required {
        let asked = |part: &mut Budget| new.worthwhile(part).map_err(during("cost prediction"));
        let worthwhile = within_part(budget, asked);
        let apart = uncrowded(&found.analysis.scop, &found.candidate, config);
        both(both(worthwhile, apart), rows_of_strips(&found.analysis.scop))
    } else {
        None
    };
    let Found { analysis, candidate, in_subdomains } = found;
    Ok(Best { analysis, candidate, in_subdomains, original, inspected, condition })
}

/// Predicted cycles of what is looked at before the new code runs and grows with the sizes:
/// inspections, and pointers to rows.
fn looked_at_before(analysis: &Analysis, config: &Config, budget: &mut Budget) -> Result<f64, Stop> {
    Ok(inspection::cycles(analysis, config, budget)? + row_checks::cycles(&analysis.scop, config, budget)?)
}

/// The parameters for which rows that are executed in blocks do not disturb each other.
fn uncrowded(scop: &Scop, candidate: &Candidate, config: &Config) -> Option<Set> {
    let arrays = candidate.unrolled_and_jammed.iter().map(|&array| &scop.arrays[array]);
    row_spacing::uncrowded(scop, arrays, &config.machine)
}

/// What holds where both conditions do; `None` holds everywhere.
fn both(one: Option<Set>, other: Option<Set>) -> Option<Set> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.intersect(&other)),
        (one, other) => one.or(other),
    }
}

/// A candidate with what it is a candidate for.
struct Found {
    analysis: Analysis,
    candidate: Candidate,
    /// The SCoP with statements split into subdomains, if they are cut.
    in_subdomains: Option<Analysis>,
}

/// The best candidate of the SCoP as it is, with scalars expanded, or with statements split into
/// subdomains.
fn best_of_all(analysis: Analysis, original: f64, config: &Config, budget: &mut Budget) -> Result<Found, Reason> {
    let tree = schedule(&analysis, config, budget)?;
    let merged = within_part(budget, |part| merge_isomorphic(&analysis, &tree, part).map_err(during("scheduling")));
    let joined = merged.and_then(|(joined, tree)| {
        let found = best_candidate(&joined, &tree, original, config, budget).ok()?;
        Some((joined, found))
    });
    let (joined, plain) = match joined {
        Some((joined, found)) => (Some(joined), Ok(found)),
        None => (None, best_candidate(&analysis, &tree, original, config, budget).map(|found| explained(found, &tree))),
    };
    let by_search = searched(&analysis, &tree, &plain, original, config, budget);
    let (joined, plain) = by_search.map_or((joined, plain), |found| (None, Ok(found)));
    if !config.scheduler.is_search() {
        return Ok(Found { analysis: joined.unwrap_or(analysis), candidate: plain?, in_subdomains: None });
    }
    let limit = |gain| match &plain {
        Ok(_) if config.profitability == Profitability::Ignored => Some(f64::INFINITY),
        Ok(candidate) => Some(gain * candidate.cycles),
        Err(Reason::NotProfitable(_)) => Some(CLEAR_GAIN * original),
        Err(_) => None,
    };
    let splits = config.splitting && config.fusion_member.is_none();
    if let Some(limit) = limit(SPLITTING_GAIN).filter(|_| splits)
        && let Some(found) = within_part(budget, |part| folded_candidate(&analysis, config, &tree, part))
        && found.0.cycles < limit
    {
        return Ok(in_subdomains(analysis, found));
    }
    let split_at_point =
        if splits { split_point_candidate_of(&analysis, config, (&tree, &plain), budget) } else { None };
    let in_order = match &plain {
        Ok(candidate) if config.profitability == Profitability::Ignored => Some(candidate.cycles),
        _ => limit(LIVE_RANGE_GAIN),
    };
    let in_another_order = in_order
        .filter(|_| config.live_ranges)
        .and_then(|limit| within_part(budget, |part| live_ranges::reordered(&analysis, &tree, config, limit, part)));
    let (live, plain) = match in_another_order {
        Some((live, candidate)) => (Some(live), Ok(candidate)),
        None => (joined, plain),
    };
    let rest = with_or_without_expansion((analysis.clone(), live), plain, original, config, budget);
    match split_at_point {
        Some(found) if is_better(&found.0, &rest, original, config) => Ok(in_subdomains(analysis, found)),
        _ => rest.map(|(analysis, candidate)| Found { analysis, candidate, in_subdomains: None }),
    }
}

/// The candidate with the rewrites that make it of a schedule, if there are any.
fn explained(candidate: Candidate, tree: &ScheduleTree) -> Candidate {
    if candidate.source != *tree {
        return candidate;
    }
    let log = rewrite::explain(&candidate.source, &candidate.tree).unwrap_or_default();
    Candidate { log, ..candidate }
}

/// The best candidate that rewrites make of a schedule, if it is predicted to be clearly faster
/// than the one that is known.
fn searched(
    analysis: &Analysis,
    tree: &ScheduleTree,
    known: &Result<Candidate, Reason>,
    original: f64,
    config: &Config,
    budget: &mut Budget,
) -> Option<Candidate> {
    let limit = match known {
        Ok(candidate) => SEARCH_GAIN * candidate.cycles,
        Err(Reason::NotProfitable(_)) => CLEAR_GAIN * original,
        Err(_) => return None,
    };
    if !config.rewrite_search {
        return None;
    }
    let find = |part: &mut Budget| search(analysis, tree, config, part).map_err(during("the search for rewrites"));
    within_share(budget, SEARCH_SHARE, find).filter(|found| found.unpredicted.is_none() && found.cycles < limit)
}

fn in_subdomains(analysis: Analysis, (candidate, subdomains): InSubdomains) -> Found {
    Found { analysis, candidate, in_subdomains: Some(subdomains) }
}

/// Whether a candidate with loops split at split points is clearly better than what was found
/// without. Subdomains have no register tiles, which are better than loops free of dependences.
fn is_better(
    candidate: &Candidate,
    rest: &Result<(Analysis, Candidate), Reason>,
    original: f64,
    config: &Config,
) -> bool {
    let gain = if config.profitability == Profitability::Ignored { 1.0 } else { SPLITTING_GAIN };
    match rest {
        Ok((_, other)) => !other.has_register_tiles() && candidate.cycles < gain * other.cycles,
        Err(Reason::NotProfitable(_)) => candidate.cycles < CLEAR_GAIN * original,
        Err(_) => false,
    }
}

/// The best candidate with loops split at split points: those of a schedule of the statements, the
/// candidate of which is known, or of the original order.
fn split_point_candidate_of(
    analysis: &Analysis,
    config: &Config,
    (tree, plain): (&ScheduleTree, &Result<Candidate, Reason>),
    budget: &mut Budget,
) -> Option<InSubdomains> {
    if plain.as_ref().is_ok_and(Candidate::has_register_tiles) {
        return None;
    }
    let mut find =
        |tree| within_share(budget, SPLIT_POINT_SHARE, |part| split_point_candidate(analysis, config, tree, part));
    let found = [find(tree), find(&analysis.original)];
    found.into_iter().flatten().min_by(|(a, _), (b, _)| a.cycles.total_cmp(&b.cycles))
}

/// What is found for half of the budget, if anything.
fn within_part<T>(budget: &mut Budget, find: impl FnOnce(&mut Budget) -> Result<Option<T>, Reason>) -> Option<T> {
    within_share(budget, 2, find)
}

/// What is found for one of so many shares of the budget, if anything.
fn within_share<T>(
    budget: &mut Budget,
    shares: u64,
    find: impl FnOnce(&mut Budget) -> Result<Option<T>, Reason>,
) -> Option<T> {
    let mut part = budget.sub(budget.remaining() / shares);
    let found = find(&mut part);
    budget.absorb(&part);
    found.ok().flatten()
}

/// Rewrites are searched with one of so many shares of the budget.
const SEARCH_SHARE: u64 = 8;

/// A candidate made by rewrites must be predicted to need at most this part of the time of the best
/// other one.
const SEARCH_GAIN: f64 = 0.8;

/// Loops are split at split points with one of so many shares of the budget.
const SPLIT_POINT_SHARE: u64 = 8;

/// With statements split into subdomains, a candidate must be predicted to need at most this part
/// of the time of the one without.
const SPLITTING_GAIN: f64 = 0.9;

/// With live ranges in another order, a candidate must be predicted to need at most this part of
/// the time of the one without.
const LIVE_RANGE_GAIN: f64 = 0.9;

/// The steps of the updates whose order is free. Those that only choose one of two values or of
/// their bits compute nothing that another order does not, too.
fn reassociated(analysis: &Analysis) -> Vec<(StmtId, ValueId)> {
    let marked = analysis.dependences.dependences.iter().filter(|d| d.reduction);
    let ends: BTreeSet<(usize, usize)> = marked.flat_map(|d| [d.source, d.sink]).collect();
    let mut result = Vec::new();
    for (statement, write) in ends {
        let updates = updates(&analysis.scop.statements[statement]).into_iter();
        let own = updates.filter(|update| update.write.index() == write);
        let computing = own.filter(|update| matches!(update.operator, ReductionOperator::Add | ReductionOperator::Mul));
        result.extend(computing.flat_map(|update| update.steps).map(|step| (StmtId::from(statement), step)));
    }
    // What is computed again for reductions with fewer operations goes into answers that it did not
    // go into: it must not be poison.
    for (number, statement) in analysis.scop.statements.iter().enumerate() {
        let copied = statement.body.iter().filter(|instr| {
            matches!(instr.kind, InstrKind::Compute { .. }) && analysis.scop.copies.contains_key(&instr.value)
        });
        result.extend(copied.map(|instr| (StmtId::from(number), instr.value)));
    }
    result
}

/// The candidate with the lowest predicted cost; none when nothing is clearly better than the
/// original, unless losses are to be ignored.
fn best_candidate(
    analysis: &Analysis,
    tree: &ScheduleTree,
    original: f64,
    config: &Config,
    budget: &mut Budget,
) -> Result<Candidate, Reason> {
    let best = fastest_candidate(analysis, tree, config, budget)?;
    let best = alone_or_shared(best, analysis, tree, config, budget);
    if config.profitability == Profitability::Required && best.cycles > CLEAR_GAIN * original {
        let precision = analysis.precision;
        return Err(Reason::NotProfitable(Prediction { original, candidate: best.cycles, precision }));
    }
    Ok(best)
}

/// The candidate for threads, or that for one thread if threads are not predicted to be clearly
/// faster: an order that they can share may be more work, and nobody knows how many threads there
/// will be.
fn alone_or_shared(
    shared: Candidate,
    analysis: &Analysis,
    tree: &ScheduleTree,
    config: &Config,
    budget: &mut Budget,
) -> Candidate {
    if config.parallelism == Parallelism::Sequential || config.profitability == Profitability::Ignored {
        return shared;
    }
    let config = Config { parallelism: Parallelism::Sequential, ..config.clone() };
    match within_part(budget, |part| fastest_candidate(analysis, tree, &config, part).map(Some)) {
        Some(alone) if shared.cycles > SHARING_GAIN * alone.cycles => {
            let has_threads = shared.n_reductions() > 0 || shared.bands.iter().any(|band| band.parallel);
            Candidate { threads_left_out: has_threads.then_some(shared.cycles), ..alone }
        }
        _ => shared,
    }
}

/// Threads must be predicted to need at most this part of the time of one thread.
const SHARING_GAIN: f64 = 0.9;

/// The candidate with the lowest predicted cost, of one order by the scheduler and the original
/// one.
fn fastest_candidate(
    analysis: &Analysis,
    tree: &ScheduleTree,
    config: &Config,
    budget: &mut Budget,
) -> Result<Candidate, Reason> {
    let mut best = lower(analysis, tree, config, budget).map_err(during("transformation"))?;
    if analysis.joined {
        return Ok(best);
    }
    if let Some(other) = within_part(budget, |part| candidate_by_single_members(analysis, tree, config, part))
        && other.cycles < SINGLE_MEMBER_GAIN * best.cycles
    {
        best = other;
    }
    if config.parallelism != Parallelism::Sequential {
        // Threads may pay where reordering does not.
        let in_place = lower(analysis, &analysis.original, config, budget).map_err(during("transformation"))?;
        if in_place.cycles < best.cycles && config.profitability == Profitability::Required {
            best = in_place;
        }
    }
    Ok(best)
}

/// The candidate with outer bands of one member, if that is another schedule (the deepest band
/// outside may leave none inside) and nobody says what is to be fused or tiled. Only where
/// statements share a reduction: what their free order is worth shows inside, and elsewhere the
/// first schedule has the same bands there, or blocks.
fn candidate_by_single_members(
    analysis: &Analysis,
    known: &ScheduleTree,
    config: &Config,
    budget: &mut Budget,
) -> Result<Option<Candidate>, Reason> {
    let is_free = config.fusion == Fusion::Smart && config.fusion_member.is_none() && config.tiling == Tiling::Model;
    let is_shared = |d: &poly_dependence::Dependence| d.reduction && d.source.0 != d.sink.0;
    let has_shared = analysis.dependences.dependences.iter().any(is_shared);
    if config.scheduler != Scheduler::Pluto || !is_free || !has_shared {
        return Ok(None);
    }
    let options = scheduler::Options { single_outer_members: true, ..scheduler_options(analysis, config) };
    let tree = schedule_with(analysis, config, &options, budget)?;
    if tree == *known {
        return Ok(None);
    }
    lower_in_tiles(analysis, &tree, Some(known), config, budget).map(Some).map_err(during("transformation"))
}

/// A schedule with outer bands of one member must be predicted to need at most this part of the
/// time of the other one.
const SINGLE_MEMBER_GAIN: f64 = 0.8;

/// A candidate must be predicted to need at most this part of the original's time.
pub const CLEAR_GAIN: f64 = 0.85;

fn explain(scop: &Scop, failure: &CheckFailure) -> Reason {
    match failure {
        CheckFailure::NeverHolds => Reason::AssumptionsFail,
        CheckFailure::Unbounded(array) => Reason::UnboundedArray(name_of(scop, *array)),
        CheckFailure::Rows(array) => Reason::UnknownRows(name_of(scop, *array)),
    }
}

fn name_of(scop: &Scop, array: ArrayId) -> String {
    scop.arrays[array.index()].name.clone()
}

pub(crate) fn during(step: &'static str) -> impl Fn(Stop) -> Reason {
    move |_| Reason::Budget(step)
}
