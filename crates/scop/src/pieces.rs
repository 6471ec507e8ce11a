//! SCoPs with statements in pieces.
//!
//! # Problem
//! Where dependences point both ways over long distances, as on periodic domains, statements are cut in pieces with schedules of their own ([`poly_scheduler::split`]).
//! Lowering needs a model of the pieces, code generation one of the statements.
//!
//! # Method
//! 1. A copy of each statement for each of its pieces: the same accesses and instructions on a part of the domain.
//! 2. The schedule of the pieces is used if its bands are deeper or it has more parallel loops than that of the statements.
//! 3. It is lowered as any other. In the tree that comes out, the pieces become parts of their statements again, so that the checker, the generator of
//!    loops and code generation see the statements that they know.
//!
//! What is said about statements beside the tree, registers, values of threads and what depends on what, would have to be true of all of their pieces. Register tiles are not made, and
//! candidates whose threads have values of their own are not used.

use poly_presburger::{Budget, DimKind, Map, Set, Stop};
use poly_scheduler as scheduler;
use poly_transform::RegisterChoice;

use crate::config::Config;
use crate::driver::{Analysis, Reason, during, scheduler_options};
use crate::lower::{Candidate, lower};
use crate::order::{domains, time_map};
use crate::{Scop, Statement};

/// The best candidate with statements in pieces, and the SCoP of the pieces, which it was lowered from; `None` if nothing has to be cut or it does not make the schedule better than `whole` makes it.
pub(crate) fn candidate_in_pieces(
    analysis: &Analysis,
    config: &Config,
    whole: impl FnOnce(&mut Budget) -> Result<poly_schedule_tree::ScheduleTree, Reason>,
    budget: &mut Budget,
) -> Result<Option<(Candidate, Analysis)>, Reason> {
    let domains = domains(&analysis.scop);
    let Some(pieces) = split(analysis, &domains, budget).map_err(during("the splitting of index sets"))? else {
        return Ok(None);
    };
    let options = scheduler_options(analysis, config);
    let tree = pieces.schedule(&options, budget).map_err(during("scheduling"))?;
    if !pieces.improves(&tree, &whole(budget)?, &domains) {
        return Ok(None);
    }
    let in_pieces = analysis_of(analysis, &pieces);
    let config = Config { register: RegisterChoice::Off, ..config.clone() };
    let candidate = lower(&in_pieces, &tree, &config, budget).map_err(during("transformation"))?;
    let has_registers = !candidate.in_registers.is_empty() || !candidate.in_partial_tiles.is_empty();
    if !candidate.private.is_empty() || !candidate.bound.is_empty() || has_registers {
        return Ok(None);
    }
    let tree = pieces.joined(&candidate.tree, &domains);
    Ok(Some((Candidate { tree, ..candidate }, in_pieces)))
}

fn split(analysis: &Analysis, domains: &[Set], budget: &mut Budget) -> Result<Option<scheduler::Pieces>, Stop> {
    let scop = &analysis.scop;
    let times: Vec<Map> = scop.statements.iter().map(|s| time_map(scop, s)).collect();
    let dependences = &analysis.dependences.dependences;
    scheduler::split(&scheduler::Problem { context: &scop.context, domains, times: &times, dependences }, budget)
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
