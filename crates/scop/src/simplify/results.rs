//! Arrays that hold the result of the last iteration, with a row for each iteration.
//!
//! # Problem
//! A program may keep what every iteration of a loop computes anew in memory that is its caller's,
//! not its own: only what the last iteration leaves there is seen after the region. (`sum` in
//! `doitgen` is of this kind, and scratch memory for recurrences.) The iterations share that
//! memory, so threads cannot share the iterations, and these cannot be lanes.
//!
//! # Method
//! Expansion as in [`super::expand`], by the outermost loop that all accesses are in, with a copy
//! behind the new code [Tu1993]. The array `X[e]` becomes a temporary `T[i, e]`, where `i` counts
//! that loop; what the last row contains at the end is copied to `X` ([`ArrayKind::Temporary`]).
//! That is right if
//!
//! 1. every read gets its value from the same write instance as before, and never from before the
//!    region;
//! 2. every element of `X` that is written at all is written by the last iteration: the writes that
//!    survive are all in it;
//! 3. these elements are a box of whole rows that begins with `X`, and a store of one of them
//!    writes all of its bytes, so that a copy of the row touches nothing else.
//!
//! All three are decided exactly, the box for parameters for which anything is written; for others
//! the original runs ([`written`]). From 2 it follows that the last write to `T[last, e]` is the
//! last write to `X[e]`: both are the last one in the same iteration.
//!
//! That nothing else touches `X` is what the run-time check of the SCoP before says; it stays as it
//! is.
//!
//! # Rows that are handed on
//! A table of dynamic programming of which only two rows are kept, or one that is updated in place,
//! has every iteration read what the one before has left. It gets a row for each iteration and one
//! before: iteration `i` writes row `i + 1`, and a read is one of row `i + 1` or of row `i`,
//! whichever iteration its values come from ([`Lag`]); that must be the same one in all instances
//! of the read. What was there before the region is read in the first iteration only, as row 0, to
//! which `X` is copied before the new code: all of the box, which the last iteration writes and so
//! may be read.

use std::collections::BTreeMap;

use poly_arith::Int;
use poly_presburger::{Aff, BasicMap, BasicSet, Budget, DimKind, Map, PwAff, Set, SolveError, Space, Stop, Tuple};

use super::expand::{common_loops, own_size};
use super::flow::{self, Flow, Session, Sources};
use super::speculate;
use crate::check::known_to_hold;
use crate::{
    AccessId, AccessKind, Array, ArrayId, ArrayKind, Beginning, BeginningRows, LastRow, LoopId, Scop, Statement,
    ValueId,
};

/// Most dimensions of an array that gets one more.
const MAX_RANK: usize = 3;

/// The parameters for which every array that takes a result is written; `None` if there is none.
pub fn written(scop: &Scop) -> Option<Set> {
    let takes_result = |array: &Array| matches!(array.kind, ArrayKind::Temporary { result: Some(_), .. });
    let temporaries = (0..scop.arrays.len()).map(ArrayId::from).filter(|id| takes_result(&scop.arrays[id.index()]));
    temporaries.map(|id| writing(scop, id)).reduce(|all, next| all.intersect(&next))
}

/// Whether a statement writes an array.
fn writes(statement: &Statement, array: ArrayId) -> bool {
    statement.accesses.iter().any(|a| a.array == array && a.kind != AccessKind::Read)
}

/// The parameters for which an array is written.
fn writing(scop: &Scop, array: ArrayId) -> Set {
    let params = scop.statements.iter().filter(|s| writes(s, array)).map(|s| s.domain.params());
    params.fold(Set::empty(scop.context.space().clone()), |all, next| all.union(&next))
}

/// Which iteration of the outermost loop the values of a read come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lag {
    /// Its own.
    Same,
    /// The one before; in the first one from before the region.
    Before,
    /// From before the region, read outside of the loop.
    Outside,
}

/// Whether rows may be handed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handing {
    /// They may not.
    Refused,
    /// An iteration may read the row of the one before.
    Allowed,
}

/// The lags of the reads of an array, by statement and access; `None` if one has none.
type Lags = BTreeMap<(usize, usize), Lag>;

/// The SCoP with a row of an array for each iteration of the outermost loop; `None` if that is not
/// right.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn with_rows(
    scop: &Scop,
    id: ArrayId,
    handing: Handing,
    session: &mut Session,
    budget: &mut Budget,
) -> Result<Option<Scop>, Stop> {
    let Some(value) = value_of(scop, id, handing) else { return Ok(None) };
    let old = &scop.arrays[id.index()];
    let users: Vec<&Statement> = scop.statements.iter().filter(|s| s.accesses.iter().any(|a| a.array == id)).collect();
    let writers: Vec<&Statement> = users.iter().copied().filter(|user| writes(user, id)).collect();
    if common_loops(&writers) == 0 {
        return Ok(None);
    }
    let iterated = writers[0].loops[0];
    let inside: Vec<&Statement> = users.iter().copied().filter(|user| user.loops.first() == Some(&iterated)).collect();
    if handing == Handing::Allowed && writers.iter().any(|writer| moves(writer, id)) {
        return Ok(None);
    }
    let mut before = session.analyse(scop, budget)?;
    let iterations = iterations(scop, &inside);
    let Some(last) = last_of(&iterations, budget)? else { return Ok(None) };
    let Some(own_size) = own_size(scop, id, &users, budget)? else { return Ok(None) };
    let extents: Vec<Aff> = own_size.into_iter().chain(old.extents.iter().cloned()).collect();
    let Some(left) = left_by_last_iteration(scop, (id, &before), &iterations, (&extents, handing), budget)? else {
        return Ok(None);
    };
    let Some(lags) = lags(scop, (id, iterated), (&before, &left.written), budget)? else { return Ok(None) };
    let hands_on = lags.values().any(|&lag| lag == Lag::Before);
    let is_outside = lags.values().any(|&lag| lag == Lag::Outside);
    if (hands_on && handing == Handing::Refused) || (is_outside && !hands_on) {
        return Ok(None);
    }
    let rows = last.add_constant(if hands_on { 2 } else { 1 });
    let begins_with = match &left.elements {
        Some(_) => Some(Beginning { array: id, rows: BeginningRows::All }),
        None => hands_on.then_some(Beginning { array: id, rows: BeginningRows::First }),
    };
    let result =
        Some(Box::new(LastRow { array: id, also: Vec::new(), row: rows.add_constant(-1), elements: left.elements }));
    let kind = ArrayKind::Temporary { value, rows, result, begins_with, in_use: None };
    let proposal = proposal(scop, id, (kind, extents), (&lags, hands_on));
    before.survivors.retain(|(_, name), _| *name != old.name);
    let after = session.analyse(&proposal, budget)?;
    let is_right = flow::preserves(&before, &after, budget)?;
    if is_right {
        tracing::debug!(array = old.name, hands_on, "expanded, with a copy of the last row");
    }
    Ok(is_right.then_some(proposal))
}

/// An SSA value of the elements' type, if the array may get rows as far as is known without
/// dataflow.
fn value_of(scop: &Scop, id: ArrayId, handing: Handing) -> Option<ValueId> {
    let array = &scop.arrays[id.index()];
    let may_be_local = handing == Handing::Allowed;
    let is_hoisted = scop.loads.iter().any(|load| load.array == id);
    let is_plain =
        matches!(array.kind, ArrayKind::Memory { .. }) && (may_be_local || !array.local) && array.rank <= MAX_RANK;
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

/// The iterations of the outermost loop in which statements have instances.
fn iterations(scop: &Scop, users: &[&Statement]) -> Set {
    let own = users.iter().map(|user| outermost(&user.domain.intersect_params(&scop.context)));
    own.reduce(|all, own| all.union(&own)).expect("an array that is read has users")
}

/// The values of the first dimension.
pub(super) fn outermost(domain: &Set) -> Set {
    let count = domain.n_dim();
    domain.set_tuple(Tuple::anonymous(count)).project_out(DimKind::Out, 1, count - 1)
}

/// The last iteration, a function of the parameters; `None` if it is not one that is the same
/// everywhere.
pub(super) fn last_of(iterations: &Set, budget: &mut Budget) -> Result<Option<Aff>, Stop> {
    match iterations.clone().coalesce(budget)?.dim_max(0, budget) {
        Ok(last) => Ok(last.single_aff().filter(|last| last.denom() == &Int::ONE).cloned()),
        Err(SolveError::Unbounded) => Ok(None),
        Err(SolveError::Stop) => Err(Stop),
    }
}

/// Whether the outermost loop moves the elements that a statement writes.
fn moves(statement: &Statement, array: ArrayId) -> bool {
    let mut writes = statement.accesses.iter().filter(|a| a.array == array && a.kind != AccessKind::Read);
    writes.any(|access| access.relation.involves_dims(DimKind::In, 0, 1))
}

/// What the last iteration leaves behind.
struct Left {
    /// The elements.
    written: Set,
    /// The first one and the one behind the last, if it is not all of the box.
    elements: Option<[Aff; 2]>,
}

/// What is left, if all writes of an array that survive are in the last iteration of the outermost
/// loop, and fill the box of these sizes. Where rows may be handed on, they may also fill a part of
/// a box of one dimension, all of which may be read.
fn left_by_last_iteration(
    scop: &Scop,
    (array, flow): (ArrayId, &Flow),
    iterations: &Set,
    (sizes, handing): (&[Aff], Handing),
    budget: &mut Budget,
) -> Result<Option<Left>, Stop> {
    let name = &scop.arrays[array.index()].name;
    let known = known_to_hold(scop);
    let mut left: Option<Set> = None;
    for (_, survivors) in flow.survivors.iter().filter(|((_, of), _)| of == name) {
        let survivors = survivors.intersect_params(&known);
        // No iteration is behind the last one.
        let own = outermost(&survivors.domain());
        let later = Map::lex_lt(own.space()).intersect_domain(&own).intersect_range(iterations);
        if !later.is_empty(budget)? {
            return Ok(None);
        }
        let elements = survivors.range();
        left = Some(left.map_or(elements.clone(), |left| left.union(&elements)));
    }
    let Some(left) = left else { return Ok(None) };
    let given = known.intersect(&writing(scop, array));
    let mut whole = BasicSet::universe(left.space().clone());
    for (dimension, size) in sizes.iter().enumerate() {
        let mut row = vec![Int::ZERO; 1 + left.space().n_var()];
        row[left.space().offset(DimKind::Out) + dimension] = Int::ONE;
        whole.add_ineq(row);
        whole.add_ineq(up_to(left.space(), dimension, size, 1));
    }
    let whole = Set::from_basic(whole).intersect_params(&given);
    if left.is_equal(&whole, budget)? {
        return Ok(Some(Left { written: left, elements: None }));
    }
    if handing == Handing::Refused || sizes.len() != 1 {
        return Ok(None);
    }
    let Some(readable) = speculate::readable(scop, array, budget)? else { return Ok(None) };
    if !whole.set_tuple(Tuple::anonymous(1)).is_subset(&readable.set_tuple(Tuple::anonymous(1)), budget)? {
        return Ok(None);
    }
    let Some([first, last]) = ends(&left, budget)? else { return Ok(None) };
    let end = last.add_constant(1);
    let mut part = BasicSet::universe(left.space().clone());
    part.add_ineq(up_to(left.space(), 0, &end, 1));
    let mut from_first = up_to(left.space(), 0, &first, 0);
    from_first.iter_mut().for_each(|x| *x = -&*x);
    part.add_ineq(from_first);
    let is_part = left.is_equal(&Set::from_basic(part).intersect_params(&given), budget)?;
    Ok(is_part.then(|| Left { written: left, elements: Some([first, end]) }))
}

/// The least and the greatest element of a set of one dimension, if they are affine functions.
fn ends(set: &Set, budget: &mut Budget) -> Result<Option<[Aff; 2]>, Stop> {
    let set = set.clone().coalesce(budget)?;
    let (least, greatest) = match (set.dim_min(0, budget), set.dim_max(0, budget)) {
        (Ok(least), Ok(greatest)) => (least, greatest),
        (Err(SolveError::Stop), _) | (_, Err(SolveError::Stop)) => return Err(Stop),
        _ => return Ok(None),
    };
    let affine = |end: &PwAff| end.single_aff().filter(|aff| aff.is_integral_affine()).cloned();
    Ok(affine(&least).zip(affine(&greatest)).map(|(least, greatest)| [least, greatest]))
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

/// The iterations that the reads of an array get their values from; `None` if one gets them from
/// several, or from further away.
fn lags(
    scop: &Scop,
    (id, iterated): (ArrayId, LoopId),
    (flow, written): (&Flow, &Set),
    budget: &mut Budget,
) -> Result<Option<Lags>, Stop> {
    let mut lags = Lags::new();
    for (number, statement) in scop.statements.iter().enumerate() {
        for (position, access) in statement.accesses.iter().enumerate() {
            if access.array != id || access.kind != AccessKind::Read {
                continue;
            }
            let sources = flow.reads.get(&flow::key(statement, AccessId::from(position)));
            let lag = match sources {
                Some(sources) if statement.loops.first() == Some(&iterated) => {
                    lag(sources, (&access.relation, written), budget)?
                }
                Some(sources) => is_from_before(sources, budget)?.then_some(Lag::Outside),
                None => None,
            };
            let Some(lag) = lag else { return Ok(None) };
            lags.insert((number, position), lag);
        }
    }
    Ok(Some(lags))
}

/// Whether a read sees nothing but what was there before the region.
fn is_from_before(sources: &Sources, budget: &mut Budget) -> Result<bool, Stop> {
    for pairs in sources.writes.values().chain(sources.overlapping.values()) {
        if !pairs.is_empty(budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn lag(sources: &Sources, (relation, written): (&Map, &Set), budget: &mut Budget) -> Result<Option<Lag>, Stop> {
    if !sources.overlapping.is_empty() {
        return Ok(None);
    }
    let rank = written.n_dim();
    let is_from = |lag: Lag, budget: &mut Budget| {
        for pairs in sources.writes.values() {
            // The iteration of the write is that of the read, or the one before.
            let mut row = vec![Int::ZERO; 1 + pairs.space().n_var()];
            row[0] = if lag == Lag::Before { Int::NEG_ONE } else { Int::ZERO };
            row[pairs.space().offset(DimKind::In)] = Int::ONE;
            row[pairs.space().offset(DimKind::Out)] = Int::NEG_ONE;
            if !pairs.is_subset(&pairs.with_eq(row), budget)? {
                return Ok(false);
            }
        }
        let Some(initial) = &sources.initial else { return Ok(true) };
        let seen = match lag {
            Lag::Same | Lag::Outside => initial.clone(),
            Lag::Before => initial.lower_bound(DimKind::Out, 0, 1),
        };
        // What is never written is the same in all rows.
        let elements = seen.apply(&relation.align_params(seen.space())).set_tuple(Tuple::anonymous(rank));
        elements.intersect(&written.set_tuple(Tuple::anonymous(rank))).is_empty(budget)
    };
    for lag in [Lag::Same, Lag::Before] {
        if is_from(lag, budget)? {
            return Ok(Some(lag));
        }
    }
    Ok(None)
}

/// `{ S[i, j, k] -> T[i + ahead] }`, or the first row.
pub(super) fn row_of(domain: &Set, array: &str, ahead: Option<i64>) -> Map {
    let params = domain.space().params.clone();
    let (first, from) = (1 + params.len(), domain.n_dim());
    let name = domain.tuple_name().expect("domains are those of statements").clone();
    let mut basic = BasicMap::universe(Space::map(params, Tuple::named(name, from), Tuple::named(array, 1)));
    let mut row = vec![Int::ZERO; first + from + 1];
    row[first + from] = Int::NEG_ONE;
    if let Some(ahead) = ahead {
        (row[0], row[first]) = (Int::from(ahead), Int::ONE);
    }
    basic.add_eq(row);
    Map::from_basic(basic)
}

/// The SCoP with an array in place of another one, with one more dimension.
fn proposal(scop: &Scop, id: ArrayId, (kind, extents): (ArrayKind, Vec<Aff>), (lags, hands_on): (&Lags, bool)) -> Scop {
    let mut proposal = scop.clone();
    let old = &scop.arrays[id.index()];
    let (name, rank) = (format!("T_{}", old.name), 1 + old.rank);
    let new = ArrayId::from(proposal.arrays.len());
    let element = old.element.clone();
    proposal.arrays.push(Array { name: name.clone(), kind, extents, rank, element, local: true });
    for (number, statement) in proposal.statements.iter_mut().enumerate() {
        let domain = statement.domain.clone();
        for (position, access) in statement.accesses.iter_mut().enumerate().filter(|(_, a)| a.array == id) {
            let ahead = match lags.get(&(number, position)) {
                Some(Lag::Outside) => None,
                Some(Lag::Before) => Some(0),
                Some(Lag::Same) | None => Some(i64::from(hands_on)),
            };
            let lives = row_of(&domain, &name, ahead);
            let own = access.relation.align_params(lives.space());
            let relation: Map = lives.flat_range_product(&own);
            access.relation = relation.set_tuple(DimKind::Out, Tuple::named(&*name, rank));
            access.array = new;
        }
    }
    proposal
}
