//! Coarse separation: a loop without conditions where all polyhedra have points, loops with
//! conditions around it.
//!
//! Let polyhedron `e` have points for the counter values `max(l_e) <= t <= min(u_e)` (each a list
//! of bounds) if a condition `g_e` on outer dimensions holds. With `L` the greatest of all lower
//! bounds and `U` the least of all upper bounds, the range of the counter is cut, whatever the
//! outer values are, into
//!
//! * the prologue `t <= L - 1`,
//! * the core `L <= t <= U`,
//! * the epilogue `t >= max(L, U + 1)`.
//!
//! These are disjoint and leave no gap, also if the core is empty. Where all `g_e` hold the core
//! has no conditions inside; where some do not hold it is run by a copy with conditions. Prologue
//! and epilogue have conditions inside. So there are at most four copies of every polyhedron, for
//! any number of bounds.

use poly_arith::Int;
use poly_presburger::{BasicSet, Budget, DimKind, Row, Stop};

use crate::atomic::{self, Hull, inequalities};
use crate::constraint_system::ConstraintSystem;
use crate::context::Context;
use crate::interval::{Interval, Polyhedron};
use crate::refine::{refine, without_constraints, without_implied};
use crate::shadow::value_equality;

/// The intervals, in order; `None` if there is no core or the counter has only one value.
pub(crate) fn intervals(
    context: &Context,
    polyhedra: &[Polyhedron],
    budget: &mut Budget,
) -> Result<Option<Vec<Interval>>, Stop> {
    let domains: Vec<&BasicSet> = polyhedra.iter().map(|p| &p.shadow.domain).collect();
    let (bounds, conditions) = common_constraints(&domains);
    let both = bounds.intersect(&conditions);
    let mut system = ConstraintSystem::new(1 + both.n_var());
    system.constrain(&context.generated);
    system.constrain(&both);
    if system.is_empty(budget)? {
        return Ok(None);
    }
    let Some(bounds) = without_implied(&context.generated, &bounds, budget)? else { return Ok(None) };
    let col = bounds.offset(DimKind::Div) - 1;
    let rows = inequalities(&bounds);
    let (lower, upper): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|r| r[col].is_pos());
    if lower.is_empty() || upper.is_empty() {
        return Ok(None);
    }
    let half = |rows: Vec<Row>| {
        let mut set = without_constraints(&bounds);
        rows.into_iter().for_each(|row| set.add_ineq(row));
        set
    };
    let before: Vec<BasicSet> = lower.iter().map(|row| half(vec![crate::constraint_system::complement(row)])).collect();
    let after: Vec<BasicSet> = upper.iter().map(|row| half(vec![crate::constraint_system::complement(row)])).collect();
    let whole = atomic::hull(context, &domains, budget)?;
    let known = refine(&context.generated, &whole.convex, budget)?;
    if known.is_none_or(|set| value_equality(&set, context.depth()).is_some()) {
        return Ok(None);
    }
    let interval = |hull: Hull, unless: Vec<BasicSet>, restrict: bool| Interval {
        hull,
        polyhedra: polyhedra.to_vec(),
        restrict,
        unless,
    };
    let mut prologue = whole.clone();
    prologue.upper.push(before);
    let mut epilogue = whole;
    epilogue.lower.extend(lower.iter().map(|row| vec![half(vec![row.clone()])]));
    epilogue.lower.push(after);
    let outer = outer_part(&conditions);
    Ok(Some(vec![
        interval(prologue, Vec::new(), false),
        interval(Hull::convex(bounds.intersect(&conditions)), Vec::new(), true),
        interval(Hull::convex(bounds), vec![outer], true),
        interval(epilogue, Vec::new(), false),
    ]))
}

/// All constraints on the counter, and all constraints on outer dimensions only. The rows are as
/// they are in the domains: simplification could turn a constraint on the counter into one on outer
/// dimensions, and then the range would not be cut in the same place for all outer values.
fn common_constraints(domains: &[&BasicSet]) -> (BasicSet, BasicSet) {
    let mut system = ConstraintSystem::new(1 + domains[0].n_var());
    let maps: Vec<Vec<usize>> = domains.iter().map(|d| system.columns(d)).collect();
    let carrier = system.carrier(domains[0].space());
    let col = domains[0].offset(DimKind::Div) - 1;
    let (mut bounds, mut conditions) = (carrier.clone(), carrier);
    for (domain, map) in domains.iter().zip(&maps) {
        for row in inequalities(domain) {
            let side = if row[col].is_zero() { &mut conditions } else { &mut bounds };
            side.add_ineq(system.place(&row, map));
        }
    }
    (bounds, conditions)
}

/// The conditions as a set over the outer dimensions.
pub(crate) fn outer_part(conditions: &BasicSet) -> BasicSet {
    let last = conditions.n_dim() - 1;
    debug_assert!(
        conditions.ineqs().iter().all(|r| r[conditions.offset(DimKind::Out) + last] == Int::ZERO),
        "only outer dimensions occur"
    );
    conditions.project_out(DimKind::Out, last, 1)
}
