//! Two relations whose union is their convex hull.
//!
//! # Problem
//! Relaxing the constraints of two relations finds their union only if its facets are parallel to
//! theirs. `{ [0, 0]; [1, 1] }` is `{ [i, i] : 0 <= i <= 1 }`, whose equality neither of them has
//! in this form, and `1 <= i < n or 2 <= i <= n` needs `n >= 2`, a facet wrapped around both.
//!
//! # Algorithm
//! 1. Look for integer points on segments between points of both: a point that is in neither shows
//!    that the union is not convex.
//! 2. Find out what the equalities say about divs ([`super::reconcile`]); maybe one relation is
//!    seen to be a part of the other, or relaxed constraints do.
//! 3. The candidate is the closed convex hull, by double description within a small budget. All
//!    wrapped constraints of \[Verdoolaege2015\] hold on it, so whatever they find it finds, too.
//! 4. It is taken if it has no points outside of both and at most as many constraints as they have
//!    together.
//! 5. Divisions by the same number with other offsets are replaced by common ones
//!    ([`super::align`]), for another candidate. Points between both do not speak against it, as
//!    another division makes another convex set of the same points.

use std::sync::Arc;

use poly_arith::Int;

use super::align::{aligned, may_align};
use super::reconcile::{Strong, reconciled};
use super::{Position, classify, cutting, has_plain_point_outside, relaxed};
use crate::basic::{BasicMap, Row};
use crate::budget::{Budget, Stop};
use crate::ops::common::Common;
use crate::ops::subtract::is_covered;
use crate::row;
use crate::solver::sample::greedy;
use crate::solver::{System, cone, ilp_is_empty};
use crate::space::DimKind;

/// Steps for the double description of a candidate. It has few generators if it is to have few
/// constraints.
const HULL_STEPS: u64 = 2_000;

/// No hull is computed of relations over so many columns.
const MAX_COLUMNS: usize = 24;

/// So many points of each relation are looked at, at most.
const MAX_POINTS: usize = 6;

/// So many points on a segment are looked at, at most.
const MAX_ON_SEGMENT: i64 = 8;

/// One basic relation for both, if the convex hull is one or if divs that depend on others hide it.
/// `cuts` are the negations of the constraints of each that do not hold for the other.
pub(super) fn joined(
    a: &Arc<BasicMap>,
    b: &Arc<BasicMap>,
    common: &Common,
    cuts: &[Vec<Row>; 2],
    budget: &mut Budget,
) -> Result<Option<Arc<BasicMap>>, Stop> {
    if common.base.n_col() > MAX_COLUMNS {
        return Ok(None);
    }
    let parts = [a, b];
    let between = has_point_between(common, cuts, budget)?;
    if between && !may_align(common) {
        return Ok(None);
    }
    let strong = [Strong::of(common, 0, budget)?, Strong::of(common, 1, budget)?];
    if !between && let Some(found) = joined_over_common(parts, common, &strong, budget)? {
        return Ok(Some(found));
    }
    let Some(aligned) = aligned(common, &strong, budget)? else { return Ok(None) };
    candidate(parts, &aligned.common, &(aligned.strong, aligned.used), budget)
}

/// Steps 2 to 4 over the divs that the relations have.
fn joined_over_common(
    parts: [&Arc<BasicMap>; 2],
    common: &Common,
    strong: &[Strong; 2],
    budget: &mut Budget,
) -> Result<Option<Arc<BasicMap>>, Stop> {
    if strong[0].is_stronger(common, 0) || strong[1].is_stronger(common, 1) {
        let all = vec![true; common.base.n_div()];
        let rows = [strong[0].as_ineqs(), strong[1].as_ineqs()];
        for (i, other) in [(0, 1), (1, 0)] {
            match classify(&rows[i], &strong[other].system(common, &all), budget)? {
                Position::Contains => return Ok(Some(Arc::clone(parts[i]))),
                // Relations that are apart in terms of one div may be neighbours in terms of
                // another.
                Position::Separate | Position::Meets(_) => {}
            }
        }
    }
    let first = reconciled(common, strong, 1);
    if let Some(found) = candidate(parts, common, &first, budget)? {
        return Ok(Some(found));
    }
    let second = reconciled(common, strong, 0);
    if second == first { Ok(None) } else { candidate(parts, common, &second, budget) }
}

/// Steps 2 and 3 over certain divs.
fn candidate(
    parts: [&Arc<BasicMap>; 2],
    common: &Common,
    (strong, used): &([Strong; 2], Vec<bool>),
    budget: &mut Budget,
) -> Result<Option<Arc<BasicMap>>, Stop> {
    let systems = [strong[0].system(common, used), strong[1].system(common, used)];
    if let Some(found) = relaxed_candidate(parts, common, strong, &systems, budget)? {
        return Ok(Some(found));
    }
    let is_short = budget.remaining() < HULL_STEPS;
    let mut part = budget.sub(HULL_STEPS);
    let rows = hull(&systems, &mut part);
    budget.absorb(&part);
    let Ok((eqs, ineqs)) = rows else {
        // Running out of these steps means that there is no candidate, running out of all is
        // another thing.
        return if is_short { Err(budget.spend(HULL_STEPS).err().unwrap_or(Stop)) } else { Ok(None) };
    };
    accepted(parts, common.build(eqs, ineqs), budget)
}

/// The candidate of relaxed constraints, from the stronger descriptions.
fn relaxed_candidate(
    parts: [&Arc<BasicMap>; 2],
    common: &Common,
    strong: &[Strong; 2],
    systems: &[System; 2],
    budget: &mut Budget,
) -> Result<Option<Arc<BasicMap>>, Stop> {
    let mut rows = Vec::new();
    let mut cuts = [Vec::new(), Vec::new()];
    for (i, other) in [(0, 1), (1, 0)] {
        let own = strong[i].as_ineqs();
        match classify(&own, &systems[other], budget)? {
            Position::Contains => rows.extend(own),
            Position::Separate => return Ok(None),
            Position::Meets(minima) => {
                cuts[i] = cutting(&own, &minima);
                rows.extend(relaxed(own, minima));
            }
        }
    }
    if has_plain_point_outside(common, &mut rows, &cuts) {
        return Ok(None);
    }
    accepted(parts, common.build(Vec::new(), rows), budget)
}

/// The candidate, if it is right and not longer than both relations.
fn accepted(
    parts: [&Arc<BasicMap>; 2],
    mut candidate: BasicMap,
    budget: &mut Budget,
) -> Result<Option<Arc<BasicMap>>, Stop> {
    candidate.remove_redundancies(budget)?;
    let size = |basic: &BasicMap| basic.eqs.len() + basic.ineqs.len();
    if size(&candidate) > size(parts[0]) + size(parts[1]) || candidate.n_div() > parts[0].n_div() + parts[1].n_div() {
        return Ok(None);
    }
    let candidate = Arc::new(candidate);
    if !is_covered(&candidate, &parts.map(Arc::clone), budget)? {
        return Ok(None);
    }
    Ok(Some(Arc::new(without_integer_redundancies(&candidate, budget)?)))
}

/// Without inequalities that follow from the others for integer points only.
fn without_integer_redundancies(basic: &BasicMap, budget: &mut Budget) -> Result<BasicMap, Stop> {
    let mut result = basic.clone();
    for i in (0..result.ineqs.len()).rev() {
        let mut system = result.to_system();
        system.ineqs[i] = row::complemented(&system.ineqs[i]);
        if ilp_is_empty(&system, budget)? {
            result.ineqs.remove(i);
        }
    }
    Ok(result.normalized())
}

/// Points of a relation, divs included, that violate constraints of the other one, if they are
/// easily seen.
fn points(common: &Common, i: usize, cuts: &[Row]) -> Vec<Vec<Int>> {
    let (first, n) = (common.base.offset(DimKind::Div), common.base.n_col() - 1);
    let definition = |col: usize| {
        let div = common.base.divs.get(col.checked_sub(first)?)?.as_ref()?;
        Some((&div.num[..], &div.denom))
    };
    let part = &common.parts[i];
    let mut found: Vec<Vec<Int>> = Vec::new();
    for cut in cuts.iter().take(MAX_POINTS) {
        let mut ineqs = part.ineqs.clone();
        ineqs.push(cut.clone());
        if let Some(point) = greedy::point(greedy::Rows { n, eqs: &part.eqs, ineqs: &ineqs }, definition) {
            let point: Vec<Int> = point[1..].iter().map(|&x| Int::from(x)).collect();
            if !found.contains(&point) {
                found.push(point);
            }
        }
    }
    found
}

/// Whether an integer point between points of both is in neither.
fn has_point_between(common: &Common, cuts: &[Vec<Row>; 2], budget: &mut Budget) -> Result<bool, Stop> {
    let [of_a, of_b] = [points(common, 0, &cuts[1]), points(common, 1, &cuts[0])];
    budget.spend((of_a.len() * of_b.len()) as u64)?;
    Ok(of_a.iter().any(|p| of_b.iter().any(|q| is_outside_between(common, p, q))))
}

fn is_outside_between(common: &Common, p: &[Int], q: &[Int]) -> bool {
    let step: Vec<Int> = p.iter().zip(q).map(|(x, y)| y - x).collect();
    let g = row::gcd(&step);
    let Some(n) = g.to_i64() else { return false };
    let stride = (n / MAX_ON_SEGMENT).max(1);
    let mut at = stride;
    while at < n {
        let k = Int::from(at);
        // Divs are floors of their forms there, too, as their bounds are those of a convex set.
        let point: Row = p.iter().zip(&step).map(|(x, s)| x + &(&s.div_exact(&g) * &k)).collect();
        let holds = |i: usize| {
            let part = &common.parts[i];
            part.eqs.iter().all(|r| row::evaluate(r, &point).is_zero())
                && part.ineqs.iter().all(|r| !row::evaluate(r, &point).is_neg())
        };
        if !holds(0) && !holds(1) {
            return true;
        }
        at += stride;
    }
    false
}

/// The constraints of the closed convex hull of two polyhedra.
fn hull(systems: &[System; 2], budget: &mut Budget) -> Result<(Vec<Row>, Vec<Row>), Stop> {
    let n = systems[0].n + 1;
    let (mut lines, mut rays) = (Vec::new(), Vec::new());
    for system in systems {
        let mut ineqs = system.ineqs.clone();
        ineqs.push(row::unit(n, 0));
        let found = cone::generators(n, &system.eqs, &ineqs, budget)?;
        lines.extend(found.lines);
        rays.extend(found.rays);
    }
    let mut forms = cone::generators(n, &lines, &rays, budget)?;
    forms.rays.retain(|form| !row::is_zero(&form[1..]));
    Ok((forms.lines, forms.rays))
}
