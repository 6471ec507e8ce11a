//! Statements whose values are in their cells already.
//!
//! # Problem
//! A fixed border, `X[t, i] = X[t - 1, i]` for `i = 0`, is copied in every step where a stencil
//! keeps two steps: between the two buffers, although after two steps both have it.
//!
//! # Definitions
//! Elements of `X` are kept modulo a constant `m` in one dimension, and in full in the others. `D`
//! are the elements that are copies of the one before them in that dimension. Element `y` is *idle*
//! if `y`, `y - 1`, .., `y - m + 1` are in `D`: then it has the value of `y - m`, which has its
//! cell.
//!
//! # Invariants
//! Nothing is idle unless all elements of one cell are written one after the other in the order of
//! that dimension, so that before `y` the cell has the value of `y - m`, written or idle itself.

use poly_arith::Int;
use poly_presburger::{Aff, Budget, DimKind, Map, MultiAff, Set, Stop, Tuple, UnionSet};
use poly_schedule_tree::ScheduleTree;

use crate::memory::Storage;
use crate::pieces::{Action, Pieces, Statement};
use crate::program::ExprKind;

/// Operations that the search may take.
pub(super) const EFFORT: u64 = 5_000_000;

/// The tree without idle instances. Where the question is too hard, all of them stay.
pub(crate) fn without_idle(
    pieces: &Pieces,
    tree: &ScheduleTree,
    storage: &[Storage],
    budget: &mut Budget,
) -> ScheduleTree {
    let mut part = budget.sub(EFFORT);
    let found = busy(pieces, tree, storage, &mut part);
    budget.absorb(&part);
    match found {
        Ok(Some(domain)) => ScheduleTree::new(domain, tree.tree().child().clone()),
        _ => tree.clone(),
    }
}

/// All instances that are not idle, if some are.
fn busy(
    pieces: &Pieces,
    tree: &ScheduleTree,
    storage: &[Storage],
    budget: &mut Budget,
) -> Result<Option<UnionSet>, Stop> {
    let mut domains: Vec<Set> = pieces.statements.iter().map(|s| s.domain.clone()).collect();
    let mut is_changed = false;
    for (variable, own) in storage.iter().enumerate() {
        let is_alone = storage.iter().all(|other| other.host != Some(variable)) && own.host.is_none();
        let Some((dim, modulus)) = only_modulus(own).filter(|_| is_alone) else { continue };
        let copies: Vec<usize> =
            (0..pieces.statements.len()).filter(|&s| is_copy(&pieces.statements[s], variable, dim)).collect();
        if copies.is_empty() || !is_written_in_order(pieces, tree, variable, dim, &modulus, budget)? {
            continue;
        }
        let targets = copies.iter().map(|&s| elements(&pieces.statements[s]));
        let Some(copied) = targets.reduce(|a, b| a.union(&b)) else { continue };
        let mut idle = copied.clone();
        let mut by = Int::ONE;
        while by < modulus {
            idle = idle.intersect(&shifted(&copied, dim, &by));
            by = &by + &Int::ONE;
        }
        let idle = idle.compute_divs(budget)?.coalesce(budget)?;
        if idle.is_empty(budget)? {
            continue;
        }
        for s in copies {
            let statement = &pieces.statements[s];
            let instances = statement.relation(&statement.target).intersect_range(&idle).domain();
            let left = domains[s].subtract(&instances, budget)?;
            domains[s] = left.compute_divs(budget)?.coalesce(budget)?.compute_divs(budget)?;
            is_changed = true;
        }
    }
    Ok(is_changed.then(|| UnionSet::from_members(domains)))
}

/// The dimension that has a modulus, which is a constant, if there is one such dimension only.
pub(crate) fn only_modulus(storage: &Storage) -> Option<(usize, Int)> {
    let mut with = storage.moduli.iter().enumerate().filter_map(|(k, modulus)| Some((k, modulus.as_ref()?)));
    let (dim, modulus) = with.next()?;
    if with.next().is_some() || modulus.n_piece() != 1 {
        return None;
    }
    Some((dim, modulus.constant_value()?.to_int()?))
}

/// Whether a statement copies the element before its own one in a dimension.
fn is_copy(statement: &Statement, variable: usize, dim: usize) -> bool {
    let Some(ExprKind::Read(read, access)) = statement.body.as_ref().map(|body| &body.kind) else { return false };
    let is_before = |(k, (target, access)): (usize, (&Aff, &Aff))| {
        let gap = target.sub(access);
        gap.constant_value().is_some_and(|gap| gap == poly_arith::Rational::from(i64::from(k == dim)))
    };
    statement.action == Action::Assign
        && statement.variable == variable
        && *read == variable
        && statement.target.affs().iter().zip(access.affs()).enumerate().all(is_before)
}

fn elements(statement: &Statement) -> Set {
    statement.relation(&statement.target).range()
}

/// The elements whose predecessor by a number of places is in a set.
fn shifted(set: &Set, dim: usize, by: &Int) -> Set {
    let space = set.space().clone();
    let affs = (0..set.n_dim()).map(|d| {
        let var = Aff::var(space.clone(), DimKind::Out, d);
        if d == dim { var.add_constant(-by) } else { var }
    });
    let back = MultiAff::into_tuple(&space, space.range.clone().expect("a set has a tuple"), affs.collect());
    set.preimage(&back)
}

/// Whether the elements of every cell are written in the order of a dimension.
pub(crate) fn is_written_in_order(
    pieces: &Pieces,
    tree: &ScheduleTree,
    variable: usize,
    dim: usize,
    modulus: &Int,
    budget: &mut Budget,
) -> Result<bool, Stop> {
    let times = tree.schedule_map();
    let mut written: Option<Map> = None;
    for statement in pieces.statements.iter().filter(|s| s.variable == variable) {
        let own = times.iter().find(|m| m.space().tuple_name(DimKind::In) == Some(&statement.name));
        let Some(own) = own else { return Ok(false) };
        let time =
            statement.relation(&statement.target).reverse().apply_range(&own.intersect_domain(&statement.domain));
        written = Some(match written {
            Some(all) => all.union(&time),
            None => time,
        });
    }
    let Some(written) = written else { return Ok(false) };
    // From an element to later ones in its cell that are not written later.
    let n = pieces.system.variables[variable].dims();
    let same = later_in_cell(&written.domain(), n, dim, modulus);
    let time = written.range().space().clone();
    let not_later = Map::lex_ge(&time);
    let wrong = written.apply_range(&not_later).apply_range(&written.reverse()).intersect(&same);
    wrong.is_empty(budget)
}

/// From elements to those further on in a dimension by multiples of the modulus.
fn later_in_cell(domain: &Set, n: usize, dim: usize, modulus: &Int) -> Map {
    let params: Vec<&str> = domain.space().params.iter().map(poly_presburger::Id::as_str).collect();
    let names = |letter: &str| (0..n).map(|d| format!("{letter}{d}")).collect::<Vec<_>>();
    let (from, to) = (names("a"), names("b"));
    let others = (0..n).filter(|&d| d != dim).map(|d| format!("b{d} = a{d}"));
    let own = [format!("b{dim} > a{dim}"), format!("(b{dim} - a{dim}) mod {modulus} = 0")];
    let all: Vec<String> = others.chain(own).collect();
    let text = format!(
        "[{}] -> {{ [{}] -> [{}] : {} }}",
        params.join(", "),
        from.join(", "),
        to.join(", "),
        all.join(" and ")
    );
    let map: Map = text.parse().expect("the text is a relation");
    let tuple = domain.space().range.clone().unwrap_or_else(|| Tuple::anonymous(n));
    map.set_tuple(DimKind::In, tuple.clone()).set_tuple(DimKind::Out, tuple)
}
