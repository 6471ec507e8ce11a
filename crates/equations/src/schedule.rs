//! When values are computed.
//!
//! # Problem
//! An order of all statement instances ([`crate::pieces`]) in which every value is computed before
//! it is read \[Feautrier1992a\], \[Feautrier1992b\], \[Bondhugula2008\]. A legal one proves that
//! no value depends on itself.
//!
//! # Method
//! [`automatic`] asks the scheduler, [`given`] takes functions of the points from people. Both are
//! judged by `poly_checker`, which shares nothing with them; what is wrong has a witness: two
//! values and the parameters.

use poly_checker::{Verdict, judge};
use poly_presburger::{Aff, Budget, DimKind, Map, MultiAff, MultiUnionPwAff, Set, Stop, Tuple, UnionSet};
use poly_schedule_tree::{Band, ScheduleTree, Tree};
use poly_scheduler::{Algorithm, Fusion, Options, Problem};

use crate::pieces::{Action, Pieces};
use crate::pullback::after;
use crate::transform::Refusal;

/// Operations that the search may take; what is not found within them has no order.
const EFFORT: u64 = 100_000_000;

/// What a schedule is to be good at.
pub use poly_scheduler::Algorithm as Aim;

/// A legal schedule.
///
/// # Errors
/// Why none was found.
pub fn automatic(pieces: &Pieces, aim: Aim, budget: &mut Budget) -> Result<ScheduleTree, Refusal> {
    let first = attempt(pieces, aim, Fusion::Smart, budget)?;
    match why_illegal(pieces, &first, budget)? {
        None => return Ok(first),
        Some(_) if aim == Algorithm::Feautrier => {}
        Some(_) => {
            let second = attempt(pieces, Algorithm::Feautrier, Fusion::Smart, budget)?;
            if why_illegal(pieces, &second, budget)?.is_none() {
                return Ok(second);
            }
        }
    }
    let why = why_illegal(pieces, &first, budget)?.unwrap_or_default();
    Err(format!("no affine schedule was found: in the order of the text, {why}"))
}

/// A legal schedule in which all statements that can share loops do: first values and borders are
/// computed where they are needed.
///
/// # Errors
/// Why none was found.
pub fn fused(pieces: &Pieces, budget: &mut Budget) -> Result<ScheduleTree, Refusal> {
    let tree = attempt(pieces, Algorithm::Pluto, Fusion::Max, budget)?;
    match why_illegal(pieces, &tree, budget)? {
        None => Ok(tree),
        Some(why) => Err(why),
    }
}

fn attempt(
    pieces: &Pieces,
    algorithm: Algorithm,
    fusion: Fusion,
    budget: &mut Budget,
) -> Result<ScheduleTree, Refusal> {
    let domains: Vec<Set> = pieces.statements.iter().map(|s| s.domain.clone()).collect();
    let times: Vec<Map> = original_times(pieces);
    let context = pieces.system.context.clone();
    let problem = Problem { context: &context, domains: &domains, times: &times, dependences: &pieces.dependences };
    let options =
        Options { algorithm, fusion, relax_reductions: true, live_ranges: false, effort: EFFORT, ..Options::default() };
    poly_scheduler::schedule(&problem, &options, budget).map_err(|stop: Stop| stop.to_string())
}

/// The order of the text: equation by equation, point by point. Nothing says that it is legal.
fn original_times(pieces: &Pieces) -> Vec<Map> {
    let deepest = pieces.statements.iter().map(|s| s.dims.len()).max().unwrap_or(0);
    let time = |(i, statement): (usize, &crate::pieces::Statement)| {
        let space = statement.domain.space().clone();
        let mut affs = vec![Aff::constant(space.clone(), i as i64)];
        for d in 0..deepest {
            let own = d < statement.dims.len();
            affs.push(if own { Aff::var(space.clone(), DimKind::Out, d) } else { Aff::zero(space.clone()) });
        }
        MultiAff::into_tuple(&space, Tuple::anonymous(1 + deepest), affs).to_map().intersect_domain(&statement.domain)
    };
    pieces.statements.iter().enumerate().map(time).collect()
}

/// What is wrong with an order, in words; nothing if it is legal.
///
/// # Errors
/// When the budget runs out.
pub fn why_illegal(pieces: &Pieces, tree: &ScheduleTree, budget: &mut Budget) -> Result<Option<String>, Refusal> {
    let verdict = judge(tree, &pieces.dependences, budget).map_err(|stop| stop.to_string())?;
    let Verdict::Violated(promise, witness) = verdict else { return Ok(None) };
    let dependence = &pieces.dependences[witness.dependence];
    let source = pieces.instance(dependence.source.0, &witness.params, &witness.source);
    let sink = pieces.instance(dependence.sink.0, &witness.params, &witness.sink);
    let params: Vec<String> =
        pieces.system.params.iter().zip(&witness.params).map(|(name, value)| format!("{name} = {value}")).collect();
    let when = if params.is_empty() { String::new() } else { format!(" when {}", params.join(", ")) };
    Ok(Some(match promise {
        poly_checker::Promise::Order => format!("{sink} needs {source}, which is not earlier{when}"),
        _ => format!("a parallel loop has {source} and {sink} in different iterations{when}"),
    }))
}

/// The order that people give: `X: (i, j) -> (i + j, i); Y: (i) -> (2i)`, one function for every
/// variable that is no input, of the points of its equation, with those of a reduction behind.
/// First values of reductions come before everything else.
///
/// # Errors
/// What cannot be read, or two values in the wrong order.
pub fn given(pieces: &Pieces, text: &str, budget: &mut Budget) -> Result<ScheduleTree, Refusal> {
    let system = &pieces.system;
    let mut functions: Vec<Option<MultiAff>> = vec![None; system.variables.len()];
    for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        let Some((name, map)) = part.split_once(':') else {
            return Err(format!("`{part}` is no `X: (i) -> (i)`"));
        };
        let variable = crate::transform::variable(system, name.trim())?;
        let is_own = |s: &&crate::pieces::Statement| s.variable == variable && !matches!(s.action, Action::Begin(_));
        let Some(statement) = pieces.statements.iter().find(is_own) else { continue };
        functions[variable] = Some(crate::transform::function(system, map.trim(), statement.scope.len())?.0);
    }
    let longest = functions.iter().flatten().map(MultiAff::n_out).max().unwrap_or(0);
    let n = 1 + longest.max(system.variables.iter().map(|v| v.dims()).max().unwrap_or(0));
    let mut all = Vec::new();
    for statement in &pieces.statements {
        let space = statement.domain.space().clone();
        let to_scope = after(&statement.point, &coordinates_of(statement));
        let mut affs = match (statement.action, &functions[statement.variable]) {
            (Action::Begin(_), _) => {
                let mut affs = vec![Aff::zero(space.clone())];
                affs.extend(after(&statement.target, &coordinates_of(statement)).affs().iter().cloned());
                affs
            }
            (_, Some(function)) => {
                let mut affs = vec![Aff::constant(space.clone(), 1)];
                affs.extend(after(function, &to_scope).affs().iter().cloned());
                affs
            }
            (_, None) => {
                let name = &system.variables[statement.variable].name;
                return Err(format!("`{name}` needs a function: `{name}: (i) -> (i)`"));
            }
        };
        affs.resize(n, Aff::zero(space.clone()));
        all.push(MultiAff::into_tuple(&space, Tuple::anonymous(n), affs));
    }
    let domain = UnionSet::from_members(pieces.statements.iter().map(|s| s.domain.clone()));
    let schedule = MultiUnionPwAff::from_multi_affs(Tuple::anonymous(n), all);
    let tree = ScheduleTree::new(domain, Tree::band(Band::new(schedule), Tree::leaf()));
    match why_illegal(pieces, &tree, budget)? {
        None => Ok(tree),
        Some(why) => Err(why),
    }
}

/// The identity from the statement's tuple to its anonymous coordinates.
fn coordinates_of(statement: &crate::pieces::Statement) -> MultiAff {
    let space = statement.domain.space().clone();
    let n = statement.dims.len();
    let var = |i| Aff::var(space.clone(), DimKind::Out, i);
    MultiAff::into_tuple(&space, Tuple::anonymous(n), (0..n).map(var).collect())
}

/// The times of all statements as text, one line each.
pub fn text(pieces: &Pieces, tree: &ScheduleTree) -> String {
    let map = tree.schedule_map();
    let mut lines = String::new();
    for (i, statement) in pieces.statements.iter().enumerate() {
        let own = map.iter().find(|m| m.space().tuple_name(DimKind::In) == Some(&statement.name));
        let time = own.and_then(|m| poly_presburger::PwMultiAff::from_map(m, &mut Budget::new(1_000_000)).ok());
        let time = time.and_then(|f| f.pieces().first().map(|(_, map)| map.clone()));
        let Some(time) = time else { continue };
        let time = after(&time, &time_scope(statement));
        let parts: Vec<String> =
            time.affs().iter().map(|aff| crate::print::aff_text(aff, &statement.dims, &pieces.system)).collect();
        lines.push_str(&format!("{}\n    at ({})\n", pieces.statement_text(i), parts.join(", ")));
    }
    lines
}

/// From anonymous coordinates to the statement's tuple.
fn time_scope(statement: &crate::pieces::Statement) -> MultiAff {
    let named = statement.domain.space().clone();
    let anonymous = poly_presburger::Space::set(named.params.clone(), Tuple::anonymous(statement.dims.len()));
    let affs = (0..statement.dims.len()).map(|i| Aff::var(anonymous.clone(), DimKind::Out, i)).collect();
    MultiAff::into_tuple(&anonymous, named.range.expect("a set has a tuple"), affs)
}

#[cfg(test)]
mod tests;
