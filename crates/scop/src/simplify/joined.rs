//! Rows of two arrays of which every iteration copies the one to the other.
//!
//! # Problem
//! A table of dynamic programming may be kept in two rows, where the one that has just been
//! computed becomes the one before by a copy: `for i { cur[j] = f(prev, cur); prev = cur; }`. With
//! a row of its own for each iteration ([`super::results`]), row `i + 1` of `prev` is a copy of row
//! `i` of `cur`. The copy is one more statement of the loops over rows, and what an iteration reads
//! of the one before is handed on through it.
//!
//! # Method
//! One array of rows serves both: row `i` of `cur` is row `i + 1` of `prev`. The copies write back
//! what they have read, and go.
//!
//! 1. Two temporaries are a candidate if both have results, their rows have the same sizes, the
//!    last
//!    row of the one is one behind the last of the other, only the former begins with something (in
//!    its first row), and a statement reads the latter and writes the former.
//! 2. The accesses of the latter become accesses of the row behind, in the former; write-backs are
//!    taken out ([`super::copies`]).
//! 3. That is right if every read gets what it got before, and the rows contain at the end what the
//!    rows of the latter contained. So the last row is right for both results.

use poly_arith::Int;
use poly_presburger::{BasicMap, Budget, DimKind, Map, Space, Stop, Tuple};

use super::copies;
use super::flow::{Flow, Session};
use crate::{AccessKind, Array, ArrayId, ArrayKind, BeginningRows, LastRow, Scop, Statement};

/// The SCoP with one array of rows in place of two; `None` if there are no such arrays.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn joined(scop: &Scop, session: &mut Session, budget: &mut Budget) -> Result<Option<Scop>, Stop> {
    for to in (0..scop.arrays.len()).map(ArrayId::from) {
        for from in (0..scop.arrays.len()).map(ArrayId::from) {
            if may_join(scop, to, from)
                && let Some(joined) = join(scop, to, from, session, budget)?
            {
                return Ok(Some(joined));
            }
        }
    }
    Ok(None)
}

/// Where the last row of a temporary goes.
fn result_of(array: &Array) -> Option<&LastRow> {
    match &array.kind {
        ArrayKind::Temporary { result, .. } => result.as_deref(),
        ArrayKind::Memory { .. } | ArrayKind::Rows { .. } | ArrayKind::Scalar { .. } | ArrayKind::Errno { .. } => None,
    }
}

/// What the rows of a temporary begin with, if they begin with something.
fn beginning(array: &Array) -> Option<BeginningRows> {
    match array.kind {
        ArrayKind::Temporary { begins_with, .. } => begins_with.map(|from| from.rows),
        ArrayKind::Memory { .. } | ArrayKind::Rows { .. } | ArrayKind::Scalar { .. } | ArrayKind::Errno { .. } => None,
    }
}

/// Whether one array may hold copies of the rows of another one, as far as is known without
/// dataflow.
fn may_join(scop: &Scop, to: ArrayId, from: ArrayId) -> bool {
    let [target, source] = [to, from].map(|id| &scop.arrays[id.index()]);
    let (Some(last), Some(other)) = (result_of(target), result_of(source)) else { return false };
    to != from
        && beginning(target) == Some(BeginningRows::First)
        && beginning(source).is_none()
        && target.element == source.element
        && target.extents == source.extents
        && last.elements == other.elements
        && last.row == other.row.add_constant(1)
        && scop.statements.iter().any(|statement| copies(statement, to, from))
}

/// Whether a statement may copy from one array to another one.
fn copies(statement: &Statement, to: ArrayId, from: ArrayId) -> bool {
    let has =
        |array, is_read| statement.accesses.iter().any(|a| a.array == array && (a.kind == AccessKind::Read) == is_read);
    has(to, false) && has(from, true)
}

fn join(
    scop: &Scop,
    to: ArrayId,
    from: ArrayId,
    session: &mut Session,
    budget: &mut Budget,
) -> Result<Option<Scop>, Stop> {
    let further = row_behind(scop, to, from);
    let mut proposal = scop.clone();
    for statement in &mut proposal.statements {
        let written = statement.accesses.iter().find(|a| a.array == to && a.kind != AccessKind::Read);
        let written = written.map(|a| a.relation.clone());
        for access in statement.accesses.iter_mut().filter(|a| a.array == from) {
            let relation = access.relation.align_params(further.space()).apply_range(&further);
            // What is written back is to be seen at once.
            let is_written_back = match &written {
                Some(written) => relation.is_subset(written, budget)? && written.is_subset(&relation, budget)?,
                None => false,
            };
            access.relation = if is_written_back { written.clone().unwrap_or(relation) } else { relation };
            access.array = to;
        }
    }
    let (target, source) = (&scop.arrays[to.index()], &scop.arrays[from.index()]);
    let Some(other) = result_of(source).map(|last| last.array) else { return Ok(None) };
    if let ArrayKind::Temporary { result: Some(last), .. } = &mut proposal.arrays[to.index()].kind {
        last.also.push(other);
        last.also.extend(result_of(source).into_iter().flat_map(|last| &last.also));
    }
    // What was the other temporary is accessed no more.
    let unused = Array { name: source.name.clone(), ..scop.arrays[other.index()].clone() };
    proposal.arrays[from.index()] = unused;
    let mut before = session.analyse(scop, budget)?;
    rename_survivors(&mut before, (&target.name, &source.name), &further);
    let result = copies::shortened_from(&before, proposal, session, budget)?;
    if result.is_some() {
        tracing::debug!(to = target.name, from = source.name, "rows of two arrays, one of them copied, are joined");
    }
    Ok(result)
}

/// `{ from[r, e] -> to[r + 1, e] }`.
fn row_behind(scop: &Scop, to: ArrayId, from: ArrayId) -> Map {
    let [to, from] = [to, from].map(|id| &scop.arrays[id.index()]);
    let tuples = [from, to].map(|array| Tuple::named(&*array.name, array.rank));
    let params = scop.context.space().params.clone();
    let [input, output] = tuples;
    let mut basic = BasicMap::universe(Space::map(params, input, output));
    let (inputs, outputs) = (basic.space().offset(DimKind::In), basic.space().offset(DimKind::Out));
    for dimension in 0..from.rank {
        let mut row = vec![Int::ZERO; 1 + basic.space().n_var()];
        row[0] = if dimension == 0 { Int::ONE } else { Int::ZERO };
        row[inputs + dimension] = Int::ONE;
        row[outputs + dimension] = Int::NEG_ONE;
        basic.add_eq(row);
    }
    Map::from_basic(basic)
}

/// What is expected of the rows at the end: what was in those of the array that goes. What was in
/// the other one is the same, which is what is proven.
fn rename_survivors(flow: &mut Flow, (to, from): (&str, &str), further: &Map) {
    let all = std::mem::take(&mut flow.survivors);
    for ((key, array), elements) in all {
        if array == from {
            let elements = elements.align_params(further.space()).apply_range(further);
            flow.survivors.insert((key, to.to_owned()), elements);
        } else {
            flow.survivors.insert((key, array), elements);
        }
    }
}
