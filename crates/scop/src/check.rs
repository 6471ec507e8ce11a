//! The run-time check: under which parameter values, and for which places of the arrays in memory,
//! the optimized code may run.
//!
//! # Method
//! 1. The condition is the intersection of all assumptions, simplified with what the context
//!    already guarantees.
//! 2. For each array of a may-alias pair, the first and the last element that is accessed
//!    ([`ends`]): one interval of bytes per array. Inner subscripts lie in their extents (proven or
//!    assumed). An interval that is too large only makes the check fail more often.
//! 3. Two arrays of a pair need a test only if both are accessed and one of them is written. What a
//!    hoisted load reads is accessed by the load, `errno` is written by calls.
//! 4. The table of an array with rows is accessed where rows are. Rows have one interval each, from
//!    the ends of what is accessed in any row, and the rows of an array that is written must not
//!    share a byte with each other. To find out, the pointers to the rows are loaded; so it must be
//!    exactly known which ones the original loads: every so many from the first to the last.

mod ends;

use poly_arith::Int;
use poly_presburger::solver::{System, fm};
use poly_presburger::{Aff, Budget, DimKind, MultiAff, PwAff, Set, Stop};

use crate::plan::{ArrayRange, End, RowRange, RuntimeCheck};
use crate::{AccessKind, ArrayId, Scop};
use ends::Ends;

/// Why no run-time check can be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckFailure {
    /// The assumptions contradict each other or the context: the optimized code would never run.
    NeverHolds,
    /// An array has no bounds that are functions of the parameters.
    Unbounded(ArrayId),
    /// It is not known which rows of an array are accessed.
    Rows(ArrayId),
}

/// Parts of what is known of the parameters where only bounds are asked for.
const MOST_PARTS: usize = 16;

/// Builds the check of a SCoP.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn runtime_check(scop: &Scop, budget: &mut Budget) -> Result<Result<RuntimeCheck, CheckFailure>, Stop> {
    let mut condition = Set::universe(scop.context.space().clone());
    for assumption in &scop.assumptions {
        condition.charge_intersection(&assumption.holds, budget)?;
        condition = condition.intersect(&assumption.holds);
    }
    if condition.intersect(&scop.context).is_empty(budget)? {
        return Ok(Err(CheckFailure::NeverHolds));
    }
    let known = scop.context.intersect(&condition);
    let condition = condition.coalesce(budget)?.gist(&scop.context, budget)?;
    let pairs: Vec<(ArrayId, ArrayId)> =
        scop.may_alias.iter().copied().filter(|&(a, b)| is_needed(scop, a, b)).collect();
    let arrays = (0..scop.arrays.len()).map(ArrayId::from);
    let with_rows: Vec<ArrayId> =
        arrays.filter(|&a| scop.arrays[a.index()].table().is_some() && is_accessed(scop, a, true)).collect();
    let mut ranges: Vec<(ArrayId, ArrayRange)> = Vec::new();
    for &array in pairs.iter().flat_map(|(a, b)| [a, b]).chain(&with_rows) {
        if ranges.iter().all(|(known, _)| *known != array) {
            match array_range(scop, array, &known, budget)? {
                Ok(range) => ranges.push((array, range)),
                Err(failure) => return Ok(Err(failure)),
            }
        }
    }
    let range_of = |array: ArrayId| {
        let found = ranges.iter().find(|(known, _)| *known == array);
        found.expect("the ranges of all arrays have just been made").1.clone()
    };
    let disjoint = pairs.iter().map(|&(a, b)| (range_of(a), range_of(b))).collect();
    let distinct_rows = with_rows.iter().map(|&array| range_of(array)).collect();
    Ok(Ok(RuntimeCheck { condition, sizes: None, disjoint, distinct_rows }))
}

/// Whether the accessed part of an array in memory has bounds that are functions of the parameters.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(crate) fn is_bounded(scop: &Scop, array: ArrayId, budget: &mut Budget) -> Result<bool, Stop> {
    let known = known_to_hold(scop);
    for statement in scop.statements.iter().chain(&scop.inspections) {
        for access in statement.accesses.iter().filter(|a| a.array == array) {
            let rank = scop.arrays[array.index()].rank;
            let domain = statement.domain.intersect_params(&known);
            let elements = access.relation.intersect_domain(&domain).range();
            if !elements.project_out(DimKind::Out, 1, rank - 1).is_bounded(budget)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The parameter values for which the new code may run, or more.
pub(crate) fn known_to_hold(scop: &Scop) -> Set {
    met_where_few(scop.context.clone(), scop.assumptions.iter().map(|assumption| &assumption.holds))
}

/// What is in all sets, or more: sets of many parts are left out, as each would multiply the parts
/// of what is known.
fn met_where_few<'a>(context: Set, sets: impl Iterator<Item = &'a Set>) -> Set {
    let few = |known: &Set, next: &Set| known.n_basic() * next.n_basic() <= MOST_PARTS;
    sets.fold(context, |known, next| if few(&known, next) { known.intersect(next) } else { known })
}

pub(crate) fn is_needed(scop: &Scop, a: ArrayId, b: ArrayId) -> bool {
    is_accessed(scop, a, false)
        && is_accessed(scop, b, false)
        && (is_accessed(scop, a, true) || is_accessed(scop, b, true))
}

/// Whether a statement accesses or writes the array, or reads it as a table of rows; what a load
/// before the region reads is accessed, too, and `errno` is written.
pub(crate) fn is_accessed(scop: &Scop, array: ArrayId, written: bool) -> bool {
    let is_it = |of: ArrayId| of == array || (!written && scop.arrays[of.index()].table() == Some(array));
    let mut accesses = scop.statements.iter().chain(&scop.inspections).flat_map(|s| &s.accesses);
    accesses.any(|access| is_it(access.array) && (!written || access.kind != AccessKind::Read))
        || (!written && scop.load_of(array).is_some())
        || scop.arrays[array.index()].is_errno_object()
}

/// The part of an array, or of its rows, that is accessed, and which rows these are.
fn array_range(
    scop: &Scop,
    array: ArrayId,
    known: &Set,
    budget: &mut Budget,
) -> Result<Result<ArrayRange, CheckFailure>, Stop> {
    if scop.load_of(array).is_some() || scop.arrays[array.index()].is_errno_object() {
        let only = || vec![End { outermost: Aff::constant(scop.context.space().clone(), 0), inner: None }];
        return Ok(Ok(ArrayRange { array, first: only(), last: only(), rows: None }));
    }
    // A table is accessed at the numbers of rows.
    let accessed = scop.rows_of(array).unwrap_or(array);
    let outermost = if accessed == array { scop.arrays[array.index()].row_subscripts() } else { 0 };
    let rank = scop.arrays[accessed.index()].rank;
    let extents = &scop.arrays[array.index()].extents;
    let mut ends = Ends::default();
    let mut rows: Option<Set> = None;
    for statement in scop.statements.iter().chain(&scop.inspections) {
        for access in statement.accesses.iter().filter(|a| a.array == accessed) {
            let domain = statement.domain.intersect_params(known);
            let elements = access.relation.intersect_domain(&domain).range().set_tuple_name(None);
            if elements.is_empty(budget)? {
                continue;
            }
            if outermost > 0 {
                let numbers = elements.project_out(DimKind::Out, 1, rank - 1);
                rows = Some(rows.map_or(numbers.clone(), |so_far| so_far.union(&numbers)));
            }
            let subscripts = outermost + 1 + extents.len();
            let elements = elements.project_out(DimKind::Out, subscripts, rank - subscripts);
            let elements = elements.project_out(DimKind::Out, 0, outermost);
            match Ends::of(&elements, extents, budget)? {
                Some(more) => ends.merge(more),
                None => return Ok(Err(CheckFailure::Unbounded(array))),
            }
        }
    }
    let rows = match rows.map(|rows| row_range(&rows, budget)).transpose()? {
        None => None,
        Some(Some(rows)) => Some(rows),
        Some(None) => return Ok(Err(CheckFailure::Rows(array))),
    };
    let Ends { first, last } = ends;
    let is_bounded = !first.is_empty() && !last.is_empty();
    Ok(if is_bounded { Ok(ArrayRange { array, first, last, rows }) } else { Err(CheckFailure::Unbounded(array)) })
}

/// The numbers as a range with a step, if they are one.
fn row_range(rows: &Set, budget: &mut Budget) -> Result<Option<RowRange>, Stop> {
    if !rows.is_bounded(budget)? {
        return Ok(None);
    }
    let rows = rows.clone().coalesce(budget)?;
    let used = rows.params().coalesce(budget)?;
    let (first, last) = (rows.dim_min(0, budget)?, rows.dim_max(0, budget)?);
    let alone = |function: &PwAff, budget: &mut Budget| {
        let function = function.coalesce(budget)?;
        Ok::<_, Stop>(match function.pieces() {
            [(_, only)] => Some(only.clone()),
            _ => None,
        })
    };
    let (Some(first), Some(last)) = (alone(&first, budget)?, alone(&last, budget)?) else { return Ok(None) };
    let step = rows.stride(0, budget)?;
    let step = if step.is_zero() { Int::ONE } else { step };
    let space = rows.space().clone();
    let number = PwAff::var(space.clone(), DimKind::Out, 0);
    let over = |function: &Aff| PwAff::from_aff(function.clone()).pullback(&MultiAff::projection(&space, 0, 0));
    let distance = number.sub(&over(&first));
    let zero = PwAff::constant(space.clone(), 0);
    let between = distance.ge_set(&zero).intersect(&number.le_set(&over(&last)));
    let expected = between.intersect(&distance.mod_val(step.clone()).eq_set(&zero)).intersect_params(&used);
    let others = expected.subtract(&rows, budget)?;
    Ok(others.is_empty(budget)?.then_some(RowRange { used, first, last, step }))
}

/// What bounds one variable: rows over `[const | params | variable]` that are not negative.
pub(crate) struct BoundingRows {
    /// Those with a positive coefficient of the variable ...
    pub(crate) lower: Vec<Vec<Int>>,
    /// ... and with a negative one.
    pub(crate) upper: Vec<Vec<Int>>,
}

/// The rows that bound a dimension behind the parameters in the rational points of a system.
pub(crate) fn bounding_rows(
    system: &System,
    params: usize,
    dimension: usize,
    budget: &mut Budget,
) -> Result<BoundingRows, Stop> {
    let keep: Vec<usize> = (0..params).chain([params + dimension]).collect();
    let system = fm::project(system, &keep, budget)?;
    let opposite = |row: &Vec<Int>| row.iter().map(|x| -x).collect();
    let equalities = system.eqs.iter().flat_map(|row| [row.clone(), opposite(row)]);
    let rows: Vec<Vec<Int>> = system.ineqs.iter().cloned().chain(equalities).collect();
    let of_sign = |sign: i32| rows.iter().filter(|row| row[1 + params].signum() == sign).cloned().collect();
    Ok(BoundingRows { lower: of_sign(1), upper: of_sign(-1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn set(text: &str) -> Set {
        text.parse().expect("the set can be read")
    }

    pub(super) fn value(bounds: &[Aff], params: &[i64]) -> Vec<Int> {
        let params: Vec<Int> = params.iter().map(|&p| Int::from(p)).collect();
        bounds.iter().map(|bound| bound.eval(&params, &[]).floor()).collect()
    }

    #[test]
    fn parts_of_assumptions_do_not_multiply() {
        let apart = |k: i32| set(&format!("[n, m] -> {{ : n < {k} or n > {k} + 1 or m > {k} }}"));
        let assumptions: Vec<Set> = (0..40).map(|k| apart(10 * k)).chain([set("[n, m] -> { : n >= 7 }")]).collect();
        let known = met_where_few(set("[n, m] -> { : }"), assumptions.iter());
        assert!(known.n_basic() <= MOST_PARTS, "{known}");
        assert!(known.is_subset(&assumptions[0], &mut Budget::unlimited()).unwrap());
        assert!(known.is_subset(&assumptions[40], &mut Budget::unlimited()).unwrap());
    }

    #[test]
    fn rows_are_a_range_or_nothing() {
        let range = |text: &str| row_range(&set(text), &mut Budget::unlimited()).unwrap();
        let all = range("[n, m] -> { [x] : 0 <= x < n and m > 0; [x] : 1 <= x <= n and m > 0 }").expect("a range");
        let single = std::slice::from_ref;
        for n in 1..5 {
            assert_eq!(value(single(&all.first), &[n, 1]), vec![Int::ZERO]);
            assert_eq!(value(single(&all.last), &[n, 1]), vec![Int::from(n)]);
        }
        assert_eq!(all.step, Int::ONE);
        assert!(all.used.is_equal(&set("[n, m] -> { : n > 0 and m > 0 }"), &mut Budget::unlimited()).unwrap());
        let third = range("[n, m] -> { [x] : exists k : x = 3k + m and 0 <= k < n }").expect("a range");
        assert_eq!((third.step, value(single(&third.last), &[4, 5])), (Int::from(3), vec![Int::from(14)]));
        assert!(range("[n, m] -> { [x] : 0 <= x < n or x = n + 5 }").is_none(), "there is a gap");
        assert!(range("[n, m] -> { [x] : 0 <= x < n or 0 <= x < m }").is_none(), "the last one is none of one form");
        assert!(range("[n, m] -> { [x] : x >= n }").is_none());
    }
}
