//! The core step: an answer from its neighbour.
//!
//! # Definitions
//! Let `rho` be a reuse vector, `s = f(rho)` other than zero, `D' = D + rho`. The values at `x` and
//! `x - rho` are the same, so what `D'` contributes to `z` is what `D` contributes to `z - s`.
//! `D \ D'` is what comes in, `D' \ D` what goes out, and `f(D n D')` are the answers that share a
//! point with their neighbour.
//!
//! # Rule \[GautamRajopadhye2006, theorem 5\]
//! `Y[z]` is, for answers that share, `Y[z - s]` with what comes in at `z` and without what goes
//! out at `z`; for the others, what comes in at `z` is all there is. The five branches of the
//! theorem are the cases in which one or the other part is empty; terms that are empty at an answer
//! do not contribute, so that they need not be told apart here.
//!
//! # Invariants
//! Without an inverse, nothing may go out of an answer that shares: the step is refused. What comes
//! in and goes out has a thickness of as many points as `rho` goes through a facet, which is why
//! `rho` is short.

use poly_arith::Int;
use poly_presburger::{Budget, Map, Set, Space, Stop, Tuple};

use crate::{Factor, Function, Reduction, Source, Term};

/// A reduction as a recurrence.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The neighbour's answer.
    pub(crate) carry: Term,
    /// What comes in: polyhedra that have nothing in common.
    pub(crate) incoming: Vec<Set>,
    /// What goes out.
    pub(crate) outgoing: Vec<Set>,
}

/// The step along a reuse vector; `None` if it is none, goes back in time, nothing is shared, or
/// something would have to be taken out and cannot.
pub(crate) fn step(reduction: &Reduction, rho: &[Int], budget: &mut Budget) -> Result<Option<Step>, Stop> {
    let params = &reduction.params;
    let s = reduction.projection.direction(rho);
    if s.iter().all(Int::is_zero) {
        return Ok(None);
    }
    if s[..reduction.forward].iter().find(|x| !x.is_zero()).is_some_and(Int::is_neg) {
        return Ok(None);
    }
    let domain = &reduction.domain;
    let shifted = translated(domain, rho);
    let common = domain.intersect(&shifted).remove_empty_parts(budget)?;
    if common.is_empty(budget)? {
        return Ok(None);
    }
    let sharing = reduction.projection.image(&common, params).coalesce(budget)?;
    let incoming = pieces(&domain.subtract(&shifted, budget)?, budget)?;
    let projection = reduction.projection.to_map(params);
    let of_sharing = sharing.apply(&projection.reverse());
    let outgoing = shifted.subtract(domain, budget)?.intersect(&of_sharing);
    let outgoing = pieces(&outgoing, budget)?;
    if !outgoing.is_empty() && !reduction.operator.has_inverse() {
        return Ok(None);
    }
    let answers = s.len();
    let back: Vec<Int> = s.iter().map(|x| -x).collect();
    let factor = Factor { source: Source::Itself, access: Function::shift(params.len(), &back) };
    let projection = Function::identity(params.len(), answers);
    let carry = Term { domain: sharing, projection, factors: vec![factor], inverse: false };
    Ok(Some(Step { carry, incoming, outgoing }))
}

/// `{ x + by : x in set }`.
fn translated(set: &Set, by: &[Int]) -> Set {
    let space = Space::set(set.space().params.clone(), Tuple::anonymous(by.len()));
    set.apply(&Map::translation(&space, by))
}

/// The parts of a set, each a polyhedron, without points in common.
pub(crate) fn pieces(set: &Set, budget: &mut Budget) -> Result<Vec<Set>, Stop> {
    let set = set.clone().compute_divs(budget)?.remove_empty_parts(budget)?.coalesce(budget)?.make_disjoint(budget)?;
    let mut result = Vec::new();
    for basic in set.basic_sets() {
        let piece = plain(&Set::from_basic(basic), budget)?;
        if !piece.is_empty(budget)? {
            result.push(piece);
        }
    }
    Ok(result)
}

/// The same set with all equalities known and no constraint that follows from others.
pub(crate) fn plain(set: &Set, budget: &mut Budget) -> Result<Set, Stop> {
    set.detect_equalities(budget)?.remove_redundancies(budget)
}
