//! Arrays that hold the result of the last iteration, with a row for each iteration.
//!
//! # Problem
//! A program may keep what every iteration of a loop computes anew in memory that is its caller's, not its own: only what the last iteration leaves there is seen after the region.
//! (`sum` in `doitgen` is of this kind.) The iterations share that memory, so threads cannot share the iterations.
//!
//! # Method
//! Expansion as in [`super::expand`], by the outermost loop that all accesses are in, with a copy behind the new code [Tu1993]. The array `X[e]` becomes a temporary `T[i, e]`, where `i` counts
//! that loop; what the last row contains at the end is copied to `X` ([`ArrayKind::Temporary`]). That is right if
//!
//! 1. every read gets its value from the same write instance as before, and never from before the region;
//! 2. every element of `X` that is written at all is written by the last iteration: the writes that survive are all in it;
//! 3. these elements are a box of whole rows that begins with `X`, and a store of one of them writes all of its bytes, so that a copy of the row touches nothing else.
//!
//! All three are decided exactly, the box for parameters for which anything is written; for others the original runs ([`written`]). From 2 it follows that the last write to `T[last, e]` is
//! the last write to `X[e]`: both are the last one in the same iteration.
//!
//! That nothing else touches `X` is what the run-time check of the SCoP before says; it stays as it is.

use poly_arith::Int;
use poly_presburger::{Aff, BasicSet, Budget, DimKind, Map, Set, Space, Stop, Tuple};

use super::expand::{common_loops, life, own_size, reads_what_was_before, sizes};
use super::flow::{self, Flow, Session};
use crate::check::known_to_hold;
use crate::{AccessKind, Array, ArrayId, ArrayKind, Scop, Statement, ValueId};

/// Most dimensions of an array that gets one more.
const MAX_RANK: usize = 3;

/// The parameters for which every array that takes a result is written; `None` if there is none.
pub fn written(scop: &Scop) -> Option<Set> {
    let takes_result = |array: &Array| matches!(array.kind, ArrayKind::Temporary { result: Some(_), .. });
    let temporaries = (0..scop.arrays.len()).map(ArrayId::from).filter(|id| takes_result(&scop.arrays[id.index()]));
    temporaries.map(|id| writing(scop, id)).reduce(|all, next| all.intersect(&next))
}

/// The parameters for which an array is written.
fn writing(scop: &Scop, array: ArrayId) -> Set {
    let writes = |s: &&Statement| s.accesses.iter().any(|a| a.array == array && a.kind != AccessKind::Read);
    let params = scop.statements.iter().filter(writes).map(|s| s.domain.params());
    params.fold(Set::empty(scop.context.space().clone()), |all, next| all.union(&next))
}

/// The SCoP with a row of an array for each iteration of the outermost loop; `None` if that is not right.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn with_rows(scop: &Scop, id: ArrayId, session: &mut Session, budget: &mut Budget) -> Result<Option<Scop>, Stop> {
    let Some(value) = value_of(scop, id) else { return Ok(None) };
    let old = &scop.arrays[id.index()];
    let users: Vec<&Statement> = scop.statements.iter().filter(|s| s.accesses.iter().any(|a| a.array == id)).collect();
    if common_loops(&users) == 0 {
        return Ok(None);
    }
    let mut before = session.analyse(scop, budget)?;
    if reads_what_was_before(&before, &users, id, budget)? {
        return Ok(None);
    }
    let Some(rows) = sizes(scop, &users, 1, budget)?.and_then(|mut sizes| sizes.pop()) else { return Ok(None) };
    let Some(own_size) = own_size(scop, id, &users, budget)? else { return Ok(None) };
    let extents: Vec<Aff> = own_size.into_iter().chain(old.extents.iter().cloned()).collect();
    if !is_left_by_last_iteration(scop, (id, &before), &rows, &extents, budget)? {
        return Ok(None);
    }
    let proposal = proposal(scop, id, ArrayKind::Temporary { value, rows, result: Some(id) }, extents);
    before.survivors.retain(|(_, name), _| *name != old.name);
    let after = session.analyse(&proposal, budget)?;
    let is_right = flow::preserves(&before, &after, budget)?;
    if is_right {
        tracing::debug!(array = old.name, "expanded, with a copy of the last row");
    }
    Ok(is_right.then_some(proposal))
}

/// An SSA value of the elements' type, if the array may get rows as far as is known without dataflow.
fn value_of(scop: &Scop, id: ArrayId) -> Option<ValueId> {
    let array = &scop.arrays[id.index()];
    let is_hoisted = scop.loads.iter().any(|load| load.array == id);
    let is_plain = matches!(array.kind, ArrayKind::Memory { .. }) && !array.local && array.rank <= MAX_RANK;
    if !is_plain
        || !array.element.has_no_padding()
        || is_hoisted
        || scop.load_of(id).is_some()
        || scop.rows_of(id).is_some()
        || scop.is_unchecked(id)
    {
        return None;
    }
    let mut accesses = scop.statements.iter().flat_map(|s| s.accesses.iter().filter(|a| a.array == id));
    if !accesses.clone().all(|a| a.exact && a.kind != AccessKind::MayWrite) {
        return None;
    }
    accesses.find(|a| a.kind == AccessKind::Read).map(|read| read.value)
}

/// Whether all writes of an array that survive are in the last iteration of the outermost loop, and fill the box of these sizes.
fn is_left_by_last_iteration(
    scop: &Scop,
    (array, flow): (ArrayId, &Flow),
    rows: &Aff,
    sizes: &[Aff],
    budget: &mut Budget,
) -> Result<bool, Stop> {
    let name = &scop.arrays[array.index()].name;
    let known = known_to_hold(scop);
    let mut left: Option<Set> = None;
    for (_, survivors) in flow.survivors.iter().filter(|((_, of), _)| of == name) {
        let survivors = survivors.intersect_params(&known);
        // No iteration is behind the last one.
        let others = survivors.domain().with_ineq(up_to(survivors.domain().space(), 0, rows, 2));
        if !others.is_empty(budget)? {
            return Ok(false);
        }
        let elements = survivors.range();
        left = Some(left.map_or(elements.clone(), |left| left.union(&elements)));
    }
    let Some(left) = left else { return Ok(false) };
    let mut whole = BasicSet::universe(left.space().clone());
    for (dimension, size) in sizes.iter().enumerate() {
        let mut row = vec![Int::ZERO; 1 + left.space().n_var()];
        row[left.space().offset(DimKind::Out) + dimension] = Int::ONE;
        whole.add_ineq(row);
        whole.add_ineq(up_to(left.space(), dimension, size, 1));
    }
    let whole = Set::from_basic(whole).intersect_params(&known.intersect(&writing(scop, array)));
    left.is_equal(&whole, budget)
}

/// `dimension <= size - less`, for a set.
fn up_to(space: &Space, dimension: usize, size: &Aff, less: i64) -> Vec<Int> {
    let mut row = vec![Int::ZERO; 1 + space.n_var()];
    let params = 1 + space.dim(DimKind::Param);
    row[..params].clone_from_slice(&size.row()[..params]);
    row[0] -= &Int::from(less);
    row[space.offset(DimKind::Out) + dimension] = Int::NEG_ONE;
    row
}

/// The SCoP with an array in place of another one, with one more dimension.
fn proposal(scop: &Scop, id: ArrayId, kind: ArrayKind, extents: Vec<Aff>) -> Scop {
    let mut proposal = scop.clone();
    let old = &scop.arrays[id.index()];
    let (name, rank) = (format!("T_{}", old.name), 1 + old.rank);
    let new = ArrayId::from(proposal.arrays.len());
    let element = old.element.clone();
    proposal.arrays.push(Array { name: name.clone(), kind, extents, rank, element, local: true });
    for statement in &mut proposal.statements {
        let lives = life(statement, &name, 1);
        for access in statement.accesses.iter_mut().filter(|a| a.array == id) {
            let own = access.relation.align_params(lives.space());
            let relation: Map = lives.flat_range_product(&own);
            access.relation = relation.set_tuple(DimKind::Out, Tuple::named(&*name, rank));
            access.array = new;
        }
    }
    proposal
}
