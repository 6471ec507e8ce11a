//! Arrays that may overlap and cannot be checked.
//!
//! # Problem
//! Where two arrays, one of which is written, cannot be told apart, the run-time check compares the
//! bytes that are accessed of each. Of `x` in `y[i] += x[col[k]]` nobody knows which these are.
//! Such a pair is no reason to leave the loops alone: it is enough that its accesses keep their
//! order.
//!
//! # Definition
//! A pair of [`Scop::unchecked`] may share bytes in any way, also with elements that lie across
//! each other. Its arrays are memory with a base pointer, no tables of rows and nothing that is
//! loaded or looked at ([`Scop::inspections`]) before the loops: of these, it must be known that
//! nobody writes them.
//!
//! # Method
//! 1. [`pairs`] finds the pairs of [`Scop::may_alias`] of which an array has no bounds. Detection
//!    makes the model again with them, as the parts of a block that become statements must keep the
//!    order of these accesses, too.
//! 2. Dependence analysis relates all accesses of the one to all of the other
//!    ([`poly_dependence::Problem::overlaps`]), for simplification as well: a write of the one may
//!    be what a read of the other sees.
//! 3. What goes beyond order, and is true only of memory that nothing else touches, is not done
//!    with these arrays ([`Scop::is_unchecked`]): scalars do not move into them, their updates are
//!    no reductions, they have no local buffers, no rows for each iteration, no live ranges in
//!    another order, no results in registers. Code generation asks for the pairs that may overlap
//!    at each such place.

use poly_presburger::{Budget, Stop};

use crate::check::{is_bounded, is_needed};
use crate::{ArrayId, ArrayKind, Scop};

/// The pairs that have to be checked and cannot be, because nothing bounds one of the two arrays.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn pairs(scop: &Scop, budget: &mut Budget) -> Result<Vec<(ArrayId, ArrayId)>, Stop> {
    let mut bounded: Vec<Option<bool>> = vec![None; scop.arrays.len()];
    let mut result = Vec::new();
    for &(a, b) in scop.may_alias.iter().filter(|&&(a, b)| is_needed(scop, a, b) && may_stay(scop, (a, b))) {
        for array in [a, b] {
            if bounded[array.index()].is_none() {
                bounded[array.index()] = Some(is_bounded(scop, array, budget)?);
            }
        }
        if bounded[a.index()] == Some(false) || bounded[b.index()] == Some(false) {
            result.push((a, b));
        }
    }
    Ok(result)
}

/// Whether it is enough that the accesses of a pair keep their order.
pub(crate) fn may_stay(scop: &Scop, (a, b): (ArrayId, ArrayId)) -> bool {
    let is_plain = |array: ArrayId| {
        let is_memory = matches!(scop.arrays[array.index()].kind, ArrayKind::Memory { .. });
        let is_inspected = scop.inspections.iter().flat_map(|i| &i.accesses).any(|access| access.array == array);
        is_memory && scop.rows_of(array).is_none() && scop.load_of(array).is_none() && !is_inspected
    };
    is_plain(a) && is_plain(b)
}
