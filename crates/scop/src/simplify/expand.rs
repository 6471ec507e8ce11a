//! Expansion: scalars and local arrays that get memory for each of their live ranges
//! [Feautrier1988b].
//!
//! # Problem
//! A temporary that every iteration of some loops writes before it reads it has one place in the
//! source. Its anti and output dependences keep the iterations in order, although no value goes
//! from one to another: the loops can neither be distributed nor interchanged nor shared by
//! threads. (The sum in the middle of `symm` is of this kind.)
//!
//! # Method
//! Expansion [Feautrier1988b]: the scalar becomes an array with a dimension for each of the
//! outermost loops that all of its accesses are in; an array that nothing but the region touches
//! ([`Array::local`]) gets these dimensions before its own. It is a proposal as those of [`super`]:
//! kept if every read still gets its value from the same instance. The deepest array for which that
//! is true is taken; if it is read without having been written, or used after the region, there is
//! none. The new array lives on the heap while the new code runs; without memory, the original
//! runs.
//!
//! Whether that pays is not decided here: the driver compares the best schedules with and without.

use poly_arith::Int;
use poly_presburger::{Aff, BasicMap, Budget, DimKind, Map, PwAff, Set, SolveError, Space, Stop, Tuple};

use super::flow::{self, Flow, Session};
use super::results::Handing;
use super::speculate::{self, Reach};
use super::{dead, joined, partial, reload, results};
use crate::{AccessId, AccessKind, Array, ArrayId, ArrayKind, Scop, Statement, ValueId};

/// Most dimensions of a new array.
const MAX_RANK: usize = 4;

/// Most loops that a new array has a dimension for.
const MAX_DEPTH: usize = 3;

/// What is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expanded {
    /// Scalars.
    Scalars,
    /// Scalars, and arrays that are [local](Array::local).
    Arrays,
    /// These, and arrays of which only what the last iteration of the outermost loop writes is seen
    /// ([`super::results`]).
    Results,
    /// Scalars that statements keep an extreme in ([`super::partial`]), if there are any.
    Extremes,
    /// Arrays whose rows one iteration of the outermost loop hands on to the next, if there are
    /// any, these, and scalars.
    Rows,
}

/// The SCoP with everything expanded for which that is right; `None` if there is nothing.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn expanded(scop: &Scop, what: Expanded, budget: &mut Budget) -> Result<Option<Scop>, Stop> {
    let mut session = Session::default();
    match what {
        Expanded::Rows => {
            let apart = partial::with_partial_extremes(scop, budget)?;
            return with_rows(apart.as_ref().unwrap_or(scop), &mut session, budget);
        }
        Expanded::Extremes => return partial::with_partial_extremes(scop, budget),
        Expanded::Scalars | Expanded::Arrays | Expanded::Results => {}
    }
    let mut result: Option<Scop> = None;
    for array in (0..scop.arrays.len()).map(ArrayId::from) {
        if scop.arrays[array.index()].local && what == Expanded::Scalars {
            continue;
        }
        let current = result.as_ref().unwrap_or(scop);
        let mut next = expand(current, array, &mut session, budget)?;
        if next.is_none() && what == Expanded::Results {
            next = results::with_rows(current, array, Handing::Refused, &mut session, budget)?;
        }
        if let Some(next) = next {
            result = Some(next);
        }
    }
    Ok(result)
}

/// The SCoP with rows for the iterations of the outermost loop of arrays that hold results, if some
/// are handed on; one for two arrays if rows are copied from the one to the other. What is carried
/// from one iteration of an inner loop to another only because it is overwritten in memory is read
/// from there again, and scalars are expanded.
fn with_rows(scop: &Scop, session: &mut Session, budget: &mut Budget) -> Result<Option<Scop>, Stop> {
    let mut result: Option<Scop> = None;
    for array in (0..scop.arrays.len()).map(ArrayId::from) {
        let current = result.as_ref().unwrap_or(scop);
        if let Some(next) = results::with_rows(current, array, Handing::Allowed, session, budget)? {
            result = Some(next);
        }
    }
    if let Some(current) = &result
        && let Some(next) = joined::joined(current, session, budget)?
    {
        result = Some(next);
    }
    let hands_on = |array: &Array| matches!(array.kind, ArrayKind::Temporary { begins_with: Some(_), .. });
    let Some(mut scop) = result.filter(|scop| scop.arrays.iter().any(hands_on)) else { return Ok(None) };
    reload::reload_carried(&mut scop, session, budget)?;
    dead::remove(&mut scop, budget)?;
    speculate::speculate(&mut scop, Reach::Elements, budget)?;
    for array in (0..scop.arrays.len()).map(ArrayId::from) {
        if scop.arrays[array.index()].is_scalar()
            && let Some(next) = expand(&scop, array, session, budget)?
        {
            scop = next;
        }
    }
    Ok(Some(scop))
}

/// An SSA value of the elements' type, if the array may be expanded as far as is known without
/// dataflow.
fn value_of(scop: &Scop, array: ArrayId) -> Option<ValueId> {
    let mut accesses = scop.statements.iter().flat_map(|s| s.accesses.iter().filter(|a| a.array == array));
    match scop.arrays[array.index()].kind {
        ArrayKind::Scalar { live_out: false, value, .. } => {
            accesses.any(|a| a.kind == AccessKind::Read).then_some(value)
        }
        ArrayKind::Memory { .. } if scop.arrays[array.index()].local => {
            let is_hoisted = scop.loads.iter().any(|load| load.array == array);
            let is_checked = scop.may_alias.iter().any(|&(a, b)| a == array || b == array);
            let is_alone = !is_checked && !scop.is_unchecked(array);
            let is_exact = accesses.clone().all(|a| a.exact && a.kind != AccessKind::MayWrite);
            let read = accesses.find(|a| a.kind == AccessKind::Read);
            read.filter(|_| is_alone && is_exact && !is_hoisted).map(|read| read.value)
        }
        _ => None,
    }
}

fn expand(scop: &Scop, id: ArrayId, session: &mut Session, budget: &mut Budget) -> Result<Option<Scop>, Stop> {
    let Some(value) = value_of(scop, id) else { return Ok(None) };
    let old = &scop.arrays[id.index()];
    let users: Vec<&Statement> = scop.statements.iter().filter(|s| s.accesses.iter().any(|a| a.array == id)).collect();
    let depth = common_loops(&users).min(MAX_DEPTH).min(MAX_RANK.saturating_sub(old.rank));
    if depth == 0 {
        return Ok(None);
    }
    let mut before = session.analyse(scop, budget)?;
    before.survivors.retain(|(_, name), _| *name != old.name);
    if reads_what_was_before(&before, &users, id, budget)? {
        return Ok(None);
    }
    let Some(own_size) = own_size(scop, id, &users, budget)? else { return Ok(None) };
    for depth in (1..=depth).rev() {
        let Some(mut sizes) = sizes(scop, &users, depth, budget)? else { continue };
        sizes.extend(own_size.iter().chain(&old.extents).cloned());
        let mut proposal = scop.clone();
        let rows = sizes.remove(0);
        let array = &mut proposal.arrays[id.index()];
        let name = format!("T_{}", array.name);
        let kind = ArrayKind::Temporary { value, rows, result: None, begins_with: None, in_use: None };
        let (element, rank) = (array.element.clone(), depth + array.rank);
        *array = Array { name: name.clone(), kind, extents: sizes, rank, element, local: old.local };
        for statement in &mut proposal.statements {
            let lives = life(statement, &name, depth);
            for access in statement.accesses.iter_mut().filter(|a| a.array == id) {
                access.relation = match old.rank {
                    0 => lives.clone(),
                    _ => {
                        let own = access.relation.align_params(lives.space());
                        lives.flat_range_product(&own).set_tuple(DimKind::Out, Tuple::named(&*name, rank))
                    }
                };
                access.exact = true;
            }
        }
        let after = session.analyse(&proposal, budget)?;
        if flow::preserves(&before, &after, budget)? {
            tracing::debug!(array = name, depth, "expanded");
            return Ok(Some(proposal));
        }
    }
    Ok(None)
}

/// Whether a read of the array sees what was there before the SCoP.
pub(crate) fn reads_what_was_before(
    flow: &Flow,
    users: &[&Statement],
    array: ArrayId,
    budget: &mut Budget,
) -> Result<bool, Stop> {
    for user in users {
        for (number, access) in user.accesses.iter().enumerate() {
            let is_read = access.array == array && access.kind == AccessKind::Read;
            let sources = is_read.then(|| flow.reads.get(&flow::key(user, AccessId::from(number)))).flatten();
            if let Some(initial) = sources.and_then(|sources| sources.initial.as_ref())
                && !initial.is_empty(budget)?
            {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Number of outermost loops that all statements are in.
pub(crate) fn common_loops(users: &[&Statement]) -> usize {
    let Some((first, others)) = users.split_first() else { return 0 };
    let common = |other: &&Statement| first.loops.iter().zip(&other.loops).take_while(|(a, b)| a == b).count();
    others.iter().map(common).min().unwrap_or(first.loops.len())
}

/// The numbers of iterations of the outermost loops, over all statements; `None` if they are no
/// affine functions of the parameters.
pub(super) fn sizes(
    scop: &Scop,
    users: &[&Statement],
    depth: usize,
    budget: &mut Budget,
) -> Result<Option<Vec<Aff>>, Stop> {
    let domains: Vec<Set> = users.iter().map(|user| user.domain.intersect_params(&scop.context)).collect();
    let mut result = Vec::new();
    for dimension in 0..depth {
        let Some(size) = size(&domains, dimension, budget)? else { return Ok(None) };
        result.push(size);
    }
    Ok(Some(result))
}

/// The size of an array in its first dimension, nothing for scalars; `None` if it is no affine
/// function of the parameters.
pub(super) fn own_size(
    scop: &Scop,
    array: ArrayId,
    users: &[&Statement],
    budget: &mut Budget,
) -> Result<Option<Vec<Aff>>, Stop> {
    if scop.arrays[array.index()].rank == 0 {
        return Ok(Some(Vec::new()));
    }
    let mut touched: Vec<Set> = Vec::new();
    for user in users {
        let domain = user.domain.intersect_params(&scop.context);
        for access in user.accesses.iter().filter(|a| a.array == array) {
            let elements = access.relation.align_params(domain.space()).intersect_domain(&domain).range();
            let elements = elements.set_tuple(Tuple::anonymous(scop.arrays[array.index()].rank));
            let mut below = vec![Int::ZERO; 1 + elements.space().n_var()];
            below[elements.space().offset(DimKind::Out)] = Int::NEG_ONE;
            below[0] = Int::NEG_ONE;
            if !elements.with_ineq(below).is_empty(budget)? {
                return Ok(None);
            }
            touched.push(elements);
        }
    }
    Ok(size(&touched, 0, budget)?.map(|size| vec![size]))
}

/// The first function of the parameters, one more than the largest value of a dimension in a part
/// of one of some sets, that is larger than all values in all sets. (The larger of two bounds need
/// not be one function; either of them is enough.) The dimension begins at 0.
pub(super) fn size(sets: &[Set], dimension: usize, budget: &mut Budget) -> Result<Option<Aff>, Stop> {
    for set in sets {
        for own in beyond(set, dimension, budget)? {
            if exceeds_all(&own, sets, dimension, budget)? {
                return Ok(Some(own));
            }
        }
    }
    Ok(None)
}

/// Whether a function of the parameters is larger than all values of a dimension in all sets.
fn exceeds_all(own: &Aff, sets: &[Set], dimension: usize, budget: &mut Budget) -> Result<bool, Stop> {
    for other in sets {
        // Values that are not smaller.
        let space = other.space();
        let params = 1 + space.dim(DimKind::Param);
        let mut row = vec![Int::ZERO; 1 + space.n_var()];
        for (target, value) in row.iter_mut().zip(&own.row()[..params]) {
            *target = -value;
        }
        row[space.offset(DimKind::Out) + dimension] = Int::ONE;
        if !other.with_ineq(row).is_empty(budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The functions that are one more than the largest value of a dimension, each for some parameters.
fn beyond(set: &Set, dimension: usize, budget: &mut Budget) -> Result<Vec<Aff>, Stop> {
    let last: PwAff = match set.dim_max(dimension, budget) {
        Ok(last) => last,
        Err(SolveError::Unbounded) => return Ok(Vec::new()),
        Err(SolveError::Stop) => return Err(Stop),
    };
    let mut result: Vec<Aff> = Vec::new();
    for (_, last) in last.pieces().iter().filter(|(_, last)| last.is_integral_affine()) {
        let mut row = last.row().to_vec();
        row[0] += &Int::ONE;
        let own = Aff::from_row(last.space().clone(), row, Int::ONE);
        if !result.contains(&own) {
            result.push(own);
        }
    }
    Ok(result)
}

/// `{ S[i, j, k] -> T[i, j] }`.
pub(crate) fn life(statement: &Statement, array: &str, depth: usize) -> Map {
    let params = statement.domain.space().params.clone();
    let (first, from) = (1 + params.len(), statement.loops.len());
    let space = Space::map(params, Tuple::named(&*statement.name, from), Tuple::named(array, depth));
    let mut basic = BasicMap::universe(space);
    for dimension in 0..depth.min(from) {
        let mut row = vec![Int::ZERO; first + from + depth];
        row[first + dimension] = Int::ONE;
        row[first + from + dimension] = Int::NEG_ONE;
        basic.add_eq(row);
    }
    Map::from_basic(basic)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(sets: &[&str]) -> Option<String> {
        let sets: Vec<Set> = sets.iter().map(|set| set.parse().expect("the set can be read")).collect();
        let size = size(&sets, 0, &mut Budget::unlimited()).expect("no budget");
        size.map(|size| PwAff::from_aff(size).to_string())
    }

    #[test]
    fn either_of_two_bounds_is_a_size() {
        let both = "[n, m] -> { S[i] : 0 <= i < n and i < m }";
        assert!(of(&[both]).is_some());
        assert_eq!(of(&[both, "[n, m] -> { T[i] : 0 <= i < m }"]), of(&["[n, m] -> { T[i] : 0 <= i < m }"]));
        assert_eq!(of(&["[n, m] -> { S[i] : 0 <= i < n }", "[n, m] -> { T[i] : 0 <= i < m }"]), None);
        assert_eq!(of(&["[n] -> { S[i] : 0 <= 2i < n }"]), None, "no integer coefficients");
    }
}
