//! Separation: disjoint regions in each of which the same sets are present.
//!
//! Given convex sets over the outer dimensions and the counter, the union is cut into disjoint
//! convex regions such that each set contains each region or does not meet it. Sets are added one
//! by one: every region is split into what lies inside the new set and what lies outside, and what
//! remains of the new set is added. The outside of a convex set is cut along its constraints one
//! after the other, those on outer dimensions first; so a condition on outer dimensions is decided
//! before ranges of the counter are told apart, and ends up around the loops.
//!
//! The number of regions is bounded; beyond the bound the caller does without separation.

use poly_presburger::{BasicSet, Budget, DimKind, Row, Stop};

use crate::constraint_system::{ConstraintSystem, complement};
use crate::context::Context;
use crate::refine::{refine, without_constraints};

/// A convex region and the numbers of the sets that contain it.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    pub(crate) domain: BasicSet,
    pub(crate) active: Vec<usize>,
}

/// The parts of a region inside and outside a convex set.
struct Split {
    inside: Option<BasicSet>,
    outside: Vec<BasicSet>,
}

/// The regions; `None` if there would be more than `limit`.
pub(crate) fn regions(
    context: &Context,
    sets: &[&BasicSet],
    limit: usize,
    budget: &mut Budget,
) -> Result<Option<Vec<Region>>, Stop> {
    let mut regions: Vec<Region> = Vec::new();
    for (k, set) in sets.iter().enumerate() {
        let mut rest = vec![(*set).clone()];
        let mut next = Vec::new();
        for region in regions {
            let Split { inside: Some(inside), outside } = split(context, &region.domain, set, budget)? else {
                next.push(region);
                continue;
            };
            let active = |extra: Option<usize>| region.active.iter().copied().chain(extra).collect();
            next.extend(outside.into_iter().map(|domain| Region { domain, active: active(None) }));
            next.push(Region { domain: inside, active: active(Some(k)) });
            rest = subtract(context, rest, &region.domain, budget)?;
        }
        next.extend(rest.into_iter().map(|domain| Region { domain, active: vec![k] }));
        regions = merge(context, next, budget)?;
        if regions.len() > limit {
            return Ok(None);
        }
    }
    Ok(Some(regions))
}

fn subtract(
    context: &Context,
    sets: Vec<BasicSet>,
    minus: &BasicSet,
    budget: &mut Budget,
) -> Result<Vec<BasicSet>, Stop> {
    let mut rest = Vec::new();
    for set in sets {
        match split(context, &set, minus, budget)? {
            Split { inside: None, .. } => rest.push(set),
            Split { outside, .. } => rest.extend(outside),
        }
    }
    Ok(rest)
}

/// Is there no point of the set in the context?
fn is_empty(context: &Context, set: &BasicSet, budget: &mut Budget) -> Result<bool, Stop> {
    if set.is_plainly_empty() {
        return Ok(true);
    }
    let mut system = ConstraintSystem::new(1 + set.n_var());
    system.constrain(&context.generated);
    system.constrain(set);
    system.is_empty(budget)
}

/// The constraints of a set as inequalities, those without the last dimension first.
fn cutting_rows(set: &BasicSet) -> Vec<Row> {
    let last = set.offset(DimKind::Div) - 1;
    let both = |row: &Row| [row.clone(), row.iter().map(|x| -x).collect()];
    let mut rows: Vec<Row> = set.eqs().iter().flat_map(both).chain(set.ineqs().iter().cloned()).collect();
    rows.sort_by_key(|row| !row[last].is_zero());
    rows
}

/// Over the divs of `set`: only the constraint `row >= 0`.
fn half_space(set: &BasicSet, row: Row) -> BasicSet {
    let mut half = without_constraints(set);
    half.add_ineq(row);
    half
}

fn split(context: &Context, region: &BasicSet, set: &BasicSet, budget: &mut Budget) -> Result<Split, Stop> {
    let mut inside = region.clone();
    let mut outside = Vec::new();
    if is_empty(context, &region.intersect(set), budget)? {
        return Ok(Split { inside: None, outside: vec![inside] });
    }
    for row in cutting_rows(set) {
        let violated = inside.intersect(&half_space(set, complement(&row)));
        if is_empty(context, &violated, budget)? {
            continue;
        }
        if let Some(refined) = refine(&context.generated, &violated, budget)? {
            outside.push(refined);
        }
        inside = inside.intersect(&half_space(set, row));
    }
    Ok(Split { inside: Some(inside), outside })
}

/// Join regions of the same sets whose union is convex.
fn merge(context: &Context, mut regions: Vec<Region>, budget: &mut Budget) -> Result<Vec<Region>, Stop> {
    let mut at = 0;
    while at < regions.len() {
        let candidates = (at + 1..regions.len()).filter(|&k| regions[k].active == regions[at].active);
        let mut joined = None;
        for k in candidates.collect::<Vec<usize>>() {
            if let Some(union) = convex_union(context, &regions[at].domain, &regions[k].domain, budget)? {
                joined = Some((k, union));
                break;
            }
        }
        match joined {
            Some((k, union)) => {
                regions[at].domain = union;
                regions.remove(k);
            }
            None => at += 1,
        }
    }
    Ok(regions)
}

/// The union of two sets, if it is convex (in the context).
fn convex_union(context: &Context, a: &BasicSet, b: &BasicSet, budget: &mut Budget) -> Result<Option<BasicSet>, Stop> {
    let hull = valid_rows(context, a, b, budget)?.intersect(&valid_rows(context, b, a, budget)?);
    let rest = subtract_all(context, hull.clone(), &[a, b], budget)?;
    if rest { Ok(None) } else { refine(&context.generated, &hull, budget) }
}

/// Is anything of `set` outside all of `minus`?
fn subtract_all(context: &Context, set: BasicSet, minus: &[&BasicSet], budget: &mut Budget) -> Result<bool, Stop> {
    let mut rest = vec![set];
    for m in minus {
        rest = subtract(context, rest, m, budget)?;
    }
    for r in &rest {
        if !is_empty(context, r, budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The constraints of `a` that hold on `b`.
fn valid_rows(context: &Context, a: &BasicSet, b: &BasicSet, budget: &mut Budget) -> Result<BasicSet, Stop> {
    let mut system = ConstraintSystem::new(1 + a.n_var());
    system.constrain(&context.generated);
    system.constrain(b);
    let map = system.columns(a);
    let mut result = without_constraints(a);
    for row in cutting_rows(a) {
        if system.implies(&system.place(&row, &map), budget)? {
            result.add_ineq(row);
        }
    }
    result.simplify(budget)?;
    Ok(result)
}
