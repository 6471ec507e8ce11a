//! Index-set splitting: SCoPs with statements split into subdomains.
//!
//! # Problem
//! Where dependences point both ways over long distances, as on periodic domains, statements are
//! split into subdomains with schedules of their own ([`poly_scheduler::split`]); where they all
//! have one iteration of a loop at one end, loops of a schedule are cut there
//! ([`poly_scheduler::split_at_point`]). Lowering needs a model of the subdomains, code generation
//! one of the statements.
//!
//! # Method
//! 1. A copy of each statement for each of its subdomains: the same accesses and instructions on a
//!    part of the domain.
//! 2. The schedule of subdomains that are folded is used if its bands are deeper or it has more
//!    parallel loops than that of the statements; one with loops split at split points has more.
//! 3. It is lowered as any other. In the tree that comes out, the subdomains become parts of their
//!    statements again, so that the checker, the generator of loops and code generation see the
//!    statements that they know.
//!
//! What is said about statements beside the tree, registers, values of threads and what depends on
//! what, would have to be true of all of their subdomains. Register tiles are not made, and
//! candidates whose threads have values of their own are not used.

use poly_presburger::{Budget, DimKind, Map, Set};
use poly_schedule_tree::ScheduleTree;
use poly_scheduler as scheduler;
use poly_transform::RegisterChoice;

use crate::config::Config;
use crate::driver::{Analysis, Reason, during, scheduler_options};
use crate::lower::{Candidate, lower};
use crate::order::{domains, time_map};
use crate::{Scop, Statement};

/// A candidate with statements split into subdomains, and the SCoP of the subdomains, which it was
/// lowered from.
pub(crate) type InSubdomains = (Candidate, Analysis);

/// The best candidate with statements split into subdomains that are folded; `None` if nothing has
/// to be cut or it does not make the schedule better than `whole`, that of the statements.
pub(crate) fn folded_candidate(
    analysis: &Analysis,
    config: &Config,
    whole: &ScheduleTree,
    budget: &mut Budget,
) -> Result<Option<InSubdomains>, Reason> {
    let domains = domains(&analysis.scop);
    if scheduler::is_free(whole, &domains) {
        return Ok(None);
    }
    let options = scheduler_options(analysis, config);
    let found = with_problem(analysis, &domains, |problem| analysis.memo.folded(problem, &options, budget));
    let Some(folded) = found.map_err(during("the splitting of index sets"))? else { return Ok(None) };
    if !folded.improves(whole, &domains) {
        return Ok(None);
    }
    lowered(analysis, config, (folded.subdomains(), folded.tree()), &domains, budget)
}

/// The best candidate with the loops of a schedule of the statements split at split points; `None`
/// if there are none.
pub(crate) fn split_point_candidate(
    analysis: &Analysis,
    config: &Config,
    whole: &ScheduleTree,
    budget: &mut Budget,
) -> Result<Option<InSubdomains>, Reason> {
    let domains = domains(&analysis.scop);
    if scheduler::is_free(whole, &domains) {
        return Ok(None);
    }
    let found = with_problem(analysis, &domains, |problem| analysis.memo.split_at_point(problem, whole, budget));
    let Some(split_at_point) = found.map_err(during("the splitting of index sets"))? else { return Ok(None) };
    lowered(analysis, config, (&split_at_point.subdomains, &split_at_point.tree), &domains, budget)
}

/// The candidate that a schedule of subdomains becomes.
fn lowered(
    analysis: &Analysis,
    config: &Config,
    (subdomains, tree): (&scheduler::Subdomains, &ScheduleTree),
    domains: &[Set],
    budget: &mut Budget,
) -> Result<Option<InSubdomains>, Reason> {
    let in_subdomains = analysis_of(analysis, subdomains);
    let config = Config { register: RegisterChoice::Off, ..config.clone() };
    let candidate = lower(&in_subdomains, tree, &config, budget).map_err(during("transformation"))?;
    // Marks would speak of subdomains, which nobody knows afterwards.
    if candidate.names_statements() {
        return Ok(None);
    }
    let tree = subdomains.joined(&candidate.tree, domains, budget).map_err(during("transformation"))?;
    Ok(Some((Candidate { tree, ..candidate }, in_subdomains)))
}

fn with_problem<T>(analysis: &Analysis, domains: &[Set], ask: impl FnOnce(&scheduler::Problem<'_>) -> T) -> T {
    let scop = &analysis.scop;
    let times: Vec<Map> = scop.statements.iter().map(|s| time_map(scop, s)).collect();
    let dependences = &analysis.dependences.dependences;
    ask(&scheduler::Problem { context: &scop.context, domains, times: &times, dependences })
}

/// The SCoP with a statement for each subdomain. Its original order is that of the statements,
/// which nothing here asks for.
fn analysis_of(analysis: &Analysis, subdomains: &scheduler::Subdomains) -> Analysis {
    let statement = |subdomain: &scheduler::Subdomain| {
        let whole = &analysis.scop.statements[subdomain.statement];
        let name = subdomain.domain.tuple_name().cloned();
        let mut accesses = whole.accesses.clone();
        for access in &mut accesses {
            access.relation = access.relation.set_tuple_name(DimKind::In, name.clone());
        }
        let name = name.map_or_else(String::new, |name| name.as_str().to_string());
        Statement { name, domain: subdomain.domain.clone(), accesses, ..whole.clone() }
    };
    let statements = subdomains.subdomains().iter().map(statement).collect();
    let scop = Scop { statements, ..analysis.scop.clone() };
    let dependences = poly_dependence::Dependences { dependences: subdomains.dependences().to_vec() };
    Analysis { scop, dependences, ..analysis.clone() }
}
