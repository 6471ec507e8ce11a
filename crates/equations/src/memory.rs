//! Where values are kept: storage mappings for a schedule.
//!
//! Element `x` of a variable is kept in cell `x mod m`, component by component, with the moduli
//! that [`poly_storage`] finds for the values that are live at once under a schedule. A value is
//! live from the time when it is computed (its first value, for a reduction) to its last use.
//!
//! A modulus of a few constants is the greatest of them: a number that compilers can fold. One that
//! saves less than half of a dimension is not worth its divisions.
//!
//! A reduction that is an operand of one equation only is accumulated in the cells of that
//! equation's variable ([`host`]), unless these are used again.
//!
//! # Invariants
//! The moduli of a variable get a bounded number of operations ([`EFFORT`]); without an answer, all
//! its elements are kept. Inputs and outputs have all their elements, in the box of their domain.
//! An instance reads before it writes, so the last use of a value may overwrite it. Where two
//! instances may have one time, they count as overlapping.

use poly_arith::Int;
use poly_presburger::{Budget, DimKind, Map, PwAff, Set, SolveError, Stop, UnionMap};
use poly_schedule_tree::ScheduleTree;
use poly_storage::{Differences, Life, Order, Ties, conflicts};

use crate::pieces::{Action, Pieces, Statement};
use crate::program::{Role, System};

mod host;

pub use host::accumulate_in_place;
pub(crate) use host::hosts;

/// Operations that the live ranges of one variable may take.
const EFFORT: u64 = 5_000_000;

/// Parameters from which on an array is large.
const LARGE: i64 = 1_000;

/// The range of one dimension of an array.
#[derive(Clone, Debug)]
pub struct Extent {
    /// The first subscript, a function of the parameters.
    pub lower: PwAff,
    /// The last one.
    pub upper: PwAff,
}

/// How the elements of a variable are kept.
#[derive(Clone, Debug)]
pub struct Storage {
    /// The box of the domain; of a domain without points there is none.
    pub extents: Vec<Extent>,
    /// Per dimension: how many cells there are, if they are used again.
    pub moduli: Vec<Option<PwAff>>,
    /// The variable in whose cells the elements are kept, under their own subscripts.
    pub host: Option<usize>,
}

impl Storage {
    /// Whether cells are used for several elements.
    pub fn is_contracted(&self) -> bool {
        self.moduli.iter().any(Option::is_some)
    }
}

impl Storage {
    /// The number of cells for large parameters; a guest has none.
    pub(crate) fn cells_of(&self, system: &System) -> Int {
        let params = vec![Int::from(LARGE); system.params.len()];
        let value = |function: &PwAff| function.eval(&params, &[]).map_or(Int::from(LARGE), |value| value.floor());
        let sizes = self.extents.iter().zip(&self.moduli).map(|(extent, modulus)| match modulus {
            Some(modulus) => value(modulus),
            None => &(&value(&extent.upper) - &value(&extent.lower)) + &Int::ONE,
        });
        if self.host.is_some() { Int::ZERO } else { sizes.fold(Int::ONE, |all, size| &all * &size) }
    }
}

/// The storage of every variable, with all elements of each.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn full(system: &System, budget: &mut Budget) -> Result<Vec<Storage>, Stop> {
    system.variables.iter().map(|v| extents(system, &v.domain, budget)).collect()
}

fn extents(system: &System, domain: &Set, budget: &mut Budget) -> Result<Storage, Stop> {
    let mut extents = Vec::new();
    for i in 0..domain.n_dim() {
        let tidy = |function: Result<PwAff, SolveError>, budget: &mut Budget| {
            let function = function.map_err(Stop::from)?;
            function.gist_params(&system.context, budget)?.coalesce(budget)
        };
        let lower = tidy(domain.dim_min(i, budget), budget)?;
        let upper = tidy(domain.dim_max(i, budget), budget)?;
        extents.push(Extent { lower, upper });
    }
    let moduli = vec![None; extents.len()];
    Ok(Storage { extents, moduli, host: None })
}

/// The storage of every variable for an order of execution: local ones use cells again.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn contracted(pieces: &Pieces, tree: &ScheduleTree, budget: &mut Budget) -> Result<Vec<Storage>, Stop> {
    let mut all = full(&pieces.system, budget)?;
    accumulate_in_place(pieces, &mut all, budget)?;
    let times = tree.schedule_map();
    // Do different instances always have different times?
    let mut part = budget.sub(EFFORT);
    let distinct_times = times.reverse().is_single_valued(&mut part).unwrap_or(false);
    budget.absorb(&part);
    let ties = if distinct_times { Ties::ReadFirst } else { Ties::Unordered };
    let times: Vec<Option<Map>> = pieces.statements.iter().map(|statement| time(&times, statement)).collect();
    let length = times.iter().flatten().map(|time| time.dim(DimKind::Out)).max().unwrap_or(0);
    let order = Order { ties, ..Order::sequential(length) };
    contract(pieces, &times, &order, &mut all, budget);
    Ok(all)
}

/// Cells are used again under times of the instances of statements. Guests of variables whose cells
/// are used again get cells of their own.
pub(crate) fn contract(
    pieces: &Pieces,
    times: &[Option<Map>],
    order: &Order,
    all: &mut [Storage],
    budget: &mut Budget,
) {
    // Hosts first: guests of those that are contracted have cells of their own.
    let mut locals: Vec<usize> =
        (0..all.len()).filter(|&number| pieces.system.variables[number].role == Role::Let).collect();
    locals.sort_by_key(|&number| all[number].host.is_some());
    for number in locals {
        if all[number].host.is_some() {
            continue;
        }
        // Where the question is too hard, all elements are kept.
        let mut part = budget.sub(EFFORT);
        let found = differences(pieces, number, times, order, &mut part).and_then(|differences| match differences {
            Some(differences) => moduli(&pieces.system, &differences, &all[number], &mut part).map(Some),
            None => Ok(None),
        });
        budget.absorb(&part);
        if let Ok(Some(moduli)) = found {
            all[number].moduli = moduli;
            if all[number].is_contracted() {
                all.iter_mut().filter(|storage| storage.host == Some(number)).for_each(|storage| storage.host = None);
            }
        }
    }
}

/// The times of a statement's instances.
fn time(times: &UnionMap, statement: &Statement) -> Option<Map> {
    times
        .iter()
        .find(|m| m.space().tuple_name(DimKind::In) == Some(&statement.name))
        .map(|m| m.intersect_domain(&statement.domain))
}

fn joined(all: Vec<Map>) -> Option<Map> {
    all.into_iter().reduce(|a, b| a.union(&b))
}

/// Differences of subscripts of values of a variable that are live at once; none if a time is not
/// known.
fn differences(
    pieces: &Pieces,
    variable: usize,
    times: &[Option<Map>],
    order: &Order,
    budget: &mut Budget,
) -> Result<Option<Differences>, Stop> {
    let (mut first, mut uses) = (Vec::new(), Vec::new());
    for (statement, time) in pieces.statements.iter().zip(times) {
        let Some(time) = time else { return Ok(None) };
        let at = |function: &poly_presburger::MultiAff| statement.relation(function).reverse().apply_range(time);
        if statement.variable == variable {
            let own = at(&statement.target);
            if !matches!(statement.action, Action::Update(_)) {
                first.push(own.clone());
            }
            uses.push(own);
        }
        for (read, access) in statement.reads() {
            if read == variable {
                uses.push(at(&access));
            }
        }
    }
    let (Some(written), Some(used)) = (joined(first), joined(uses)) else { return Ok(None) };
    let found = conflicts(&[Life { written, used }], &|_, _| order.clone(), budget)?;
    found.map(|conflicts| Differences::of(&conflicts, &pieces.system.context, budget)).transpose()
}

/// The moduli; none where they would not be less than the extent.
fn moduli(
    system: &System,
    differences: &Differences,
    storage: &Storage,
    budget: &mut Budget,
) -> Result<Vec<Option<PwAff>>, Stop> {
    let mut result = Vec::new();
    let mut rest = differences.clone();
    for k in 0..differences.n_dim() {
        let unit: Vec<Int> = (0..differences.n_dim()).map(|i| if i == k { Int::ONE } else { Int::ZERO }).collect();
        let modulus = rest.modulus(&unit, budget)?;
        rest = rest.on(&unit);
        let extent = &storage.extents[k];
        let whole = extent.upper.sub(&extent.lower).add_constant(1);
        result.push(match modulus {
            Some(modulus) if saves(system, &modulus, &whole, budget)? => Some(rounded(modulus)),
            _ => None,
        });
    }
    Ok(result)
}

/// Whether a modulus is at most half of the extent for some large parameters, and never more than
/// it.
fn saves(system: &System, modulus: &PwAff, whole: &PwAff, budget: &mut Budget) -> Result<bool, Stop> {
    let mut large = system.context.clone();
    for i in 0..large.dim(DimKind::Param) {
        large = large.lower_bound(DimKind::Param, i, LARGE);
    }
    // There may be no large parameters.
    let large = if large.is_empty(budget)? { system.context.clone() } else { large };
    let half = modulus.add(modulus).le_set(whole).intersect(&large);
    let more = modulus.gt_set(whole).intersect(&system.context);
    Ok(!half.is_empty(budget)? && more.is_empty(budget)?)
}

/// The greatest of its values where all are constants; a greater modulus keeps apart what a smaller
/// one does.
fn rounded(modulus: PwAff) -> PwAff {
    let constants = modulus.pieces().iter().map(|(_, aff)| aff.constant_value()?.to_int());
    let greatest = constants.collect::<Option<Vec<Int>>>().and_then(|values| values.into_iter().max());
    greatest.map_or_else(|| modulus.clone(), |value| PwAff::constant(modulus.domain().space().clone(), value))
}

/// The storage of every variable in words: `Y: N + 1 x 2`.
pub fn text(system: &System, storage: &[Storage]) -> String {
    let mut lines = String::new();
    for (variable, storage) in system.variables.iter().zip(storage) {
        if let Some(host) = storage.host {
            lines.push_str(&format!("{}: in the cells of {}\n", variable.name, system.variables[host].name));
            continue;
        }
        let sizes: Vec<String> = storage
            .extents
            .iter()
            .zip(&storage.moduli)
            .map(|(extent, modulus)| match modulus {
                Some(modulus) => value_text(modulus),
                None => value_text(&extent.upper.sub(&extent.lower).add_constant(1)),
            })
            .collect();
        let sizes = if sizes.is_empty() { "1".to_owned() } else { sizes.join(" x ") };
        let note = if storage.is_contracted() { " cells, used again" } else { " elements" };
        lines.push_str(&format!("{}: {sizes}{note}\n", variable.name));
    }
    lines
}

/// A function of the parameters; only its value where it is one.
fn value_text(function: &PwAff) -> String {
    let text = function.to_string();
    let inner = text.split_once("{ ").map_or(text.as_str(), |(_, rest)| rest).trim_end_matches(" }");
    let inner = inner.trim_start_matches('[');
    match function.n_piece() {
        1 => inner
            .split("] : ")
            .next()
            .unwrap_or(inner)
            .trim_end_matches(']')
            .trim_start_matches('(')
            .trim_end_matches(')')
            .to_owned(),
        _ => format!("{{ [{inner} }}"),
    }
}

#[cfg(test)]
mod tests;
