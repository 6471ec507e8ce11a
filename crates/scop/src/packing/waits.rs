//! Where an iteration of a DOACROSS loop waits for earlier ones.
//!
//! # Definitions
//! Let `j` be the value of a DOACROSS loop, and `k` that of its stages, the loop directly inside of
//! it. An instance `[.., j, k]` of a statement that *waits* stands at the beginning of stage `k`
//! and waits until iteration `k` is finished.
//!
//! # Method
//! There is an instance for every pair of iterations `k < j`, whatever stages the statements have.
//! So before anything of stage `s`, all earlier iterations up to `s` have been waited for. The set
//! of iterations is enlarged to one without integer divisions: an iteration without statements is
//! finished at once.

use poly_presburger::{Budget, DimKind, Set, Stop, Tuple, UnionPwAff};

use super::place_of;
use crate::{Scop, Statement};

/// The instances that wait, as values of loops with these functions, the last two of which are
/// those over iterations and stages; `None` if they cannot be written down.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(crate) fn waits(
    scop: &Scop,
    statements: &[usize],
    loops: &[&UnionPwAff],
    budget: &mut Budget,
) -> Result<Option<Set>, Stop> {
    let Some(doacross) = loops.len().checked_sub(2) else { return Ok(None) };
    let mut iterations: Option<Set> = None;
    for statement in statements.iter().map(|&s| &scop.statements[s]) {
        let Some(own) = iterations_of(scop, statement, &loops[..=doacross]) else { return Ok(None) };
        iterations = Some(iterations.map_or_else(|| own.clone(), |all| all.union(&own)));
    }
    let Some(iterations) = iterations else { return Ok(None) };
    let all = Set::from_basic(iterations.coalesce(budget)?.simple_hull(budget)?);
    if !all.has_known_divs() {
        return Ok(None);
    }
    let later = all.insert_dims(DimKind::Out, doacross + 1, 1);
    let earlier = all.insert_dims(DimKind::Out, doacross, 1);
    let pairs =
        later.set_tuple(Tuple::anonymous(doacross + 2)).intersect(&earlier.set_tuple(Tuple::anonymous(doacross + 2)));
    Ok(Some(pairs.order_gt(DimKind::Out, doacross, DimKind::Out, doacross + 1)))
}

fn iterations_of(scop: &Scop, statement: &Statement, loops: &[&UnionPwAff]) -> Option<Set> {
    let iterations = place_of(statement, loops)?.intersect_domain(&statement.domain).range();
    Some(iterations.intersect_params(&scop.context).with_exact_params(&scop.context.space().params))
}
