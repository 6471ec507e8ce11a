//! SCoPs with statements in pieces.
//!
//! # Problem
//! Where dependences point both ways over long distances, as on periodic domains, statements are cut in pieces with schedules of their own ([`poly_scheduler::split`]); where they all have
//! one iteration of a loop at one end, loops of a schedule are cut there ([`poly_scheduler::pivoted`]).
//! Lowering needs a model of the pieces, code generation one of the statements.
//!
//! # Method
//! 1. A copy of each statement for each of its pieces: the same accesses and instructions on a part of the domain.
//! 2. The schedule of pieces that are folded is used if its bands are deeper or it has more parallel loops than that of the statements; one with loops cut at pivots has more.
//! 3. It is lowered as any other. In the tree that comes out, the pieces become parts of their statements again, so that the checker, the generator of
//!    loops and code generation see the statements that they know.
//!
//! What is said about statements beside the tree, registers, values of threads and what depends on what, would have to be true of all of their pieces. Register tiles are not made, and
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

/// A candidate with statements in pieces, and the SCoP of the pieces, which it was lowered from.
pub(crate) type InPieces = (Candidate, Analysis);

/// The best candidate with statements in pieces that are folded; `None` if nothing has to be cut or it does not make the schedule better than `whole`, that of the statements.
pub(crate) fn folded_candidate(
    analysis: &Analysis,
    config: &Config,
    whole: &ScheduleTree,
    budget: &mut Budget,
) -> Result<Option<InPieces>, Reason> {
    let domains = domains(&analysis.scop);
    let found = with_problem(analysis, &domains, |problem| scheduler::split(problem, budget));
    let Some(folding) = found.map_err(during("the splitting of index sets"))? else { return Ok(None) };
    let options = scheduler_options(analysis, config);
    let tree = folding.schedule(&options, budget).map_err(during("scheduling"))?;
    if !folding.improves(&tree, whole, &domains) {
        return Ok(None);
    }
    lowered(analysis, config, (folding.pieces(), &tree), &domains, budget)
}

/// The best candidate with the loops of a schedule of the statements cut at pivots; `None` if there are none.
pub(crate) fn pivoted_candidate(
    analysis: &Analysis,
    config: &Config,
    whole: &ScheduleTree,
    budget: &mut Budget,
) -> Result<Option<InPieces>, Reason> {
    let domains = domains(&analysis.scop);
    let found = with_problem(analysis, &domains, |problem| scheduler::pivoted(problem, whole, budget));
    let Some(pivoted) = found.map_err(during("the splitting of index sets"))? else { return Ok(None) };
    lowered(analysis, config, (&pivoted.pieces, &pivoted.tree), &domains, budget)
}

/// The candidate that a schedule of pieces becomes.
fn lowered(
    analysis: &Analysis,
    config: &Config,
    (pieces, tree): (&scheduler::Pieces, &ScheduleTree),
    domains: &[Set],
    budget: &mut Budget,
) -> Result<Option<InPieces>, Reason> {
    let in_pieces = analysis_of(analysis, pieces);
    let config = Config { register: RegisterChoice::Off, ..config.clone() };
    let candidate = lower(&in_pieces, tree, &config, budget).map_err(during("transformation"))?;
    // Marks would speak of pieces, which nobody knows afterwards.
    if candidate.names_statements() {
        return Ok(None);
    }
    let tree = pieces.joined(&candidate.tree, domains, budget).map_err(during("transformation"))?;
    Ok(Some((Candidate { tree, ..candidate }, in_pieces)))
}

fn with_problem<T>(analysis: &Analysis, domains: &[Set], ask: impl FnOnce(&scheduler::Problem<'_>) -> T) -> T {
    let scop = &analysis.scop;
    let times: Vec<Map> = scop.statements.iter().map(|s| time_map(scop, s)).collect();
    let dependences = &analysis.dependences.dependences;
    ask(&scheduler::Problem { context: &scop.context, domains, times: &times, dependences })
}

/// The SCoP with a statement for each piece. Its original order is that of the statements, which nothing here asks for.
fn analysis_of(analysis: &Analysis, pieces: &scheduler::Pieces) -> Analysis {
    let statement = |piece: &scheduler::Piece| {
        let whole = &analysis.scop.statements[piece.statement];
        let name = piece.domain.tuple_name().cloned();
        let mut accesses = whole.accesses.clone();
        for access in &mut accesses {
            access.relation = access.relation.set_tuple_name(DimKind::In, name.clone());
        }
        let name = name.map_or_else(String::new, |name| name.as_str().to_string());
        Statement { name, domain: piece.domain.clone(), accesses, ..whole.clone() }
    };
    let statements = pieces.pieces().iter().map(statement).collect();
    let scop = Scop { statements, ..analysis.scop.clone() };
    let dependences = poly_dependence::Dependences { dependences: pieces.dependences().to_vec() };
    Analysis { scop, dependences, ..analysis.clone() }
}
