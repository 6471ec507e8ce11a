//! Coarse separation: a loop without conditions where all parts run, loops with conditions around it.
//!
//! Let part `e` run for the counter values `max(l_e) <= t <= min(u_e)` (each a list of bounds) if a
//! condition `g_e` on outer dimensions holds. With `L` the greatest of all lower bounds and `U` the least
//! of all upper bounds, the range of the counter is cut, whatever the outer values are, into
//!
//! * the prologue `t <= L - 1`,
//! * the core `L <= t <= U`,
//! * the epilogue `t >= max(L, U + 1)`.
//!
//! These are disjoint and leave no gap, also if the core is empty. Where all `g_e` hold the core has no
//! conditions inside; where some do not hold it is run by a copy with conditions. Prologue and epilogue
//! have conditions inside. So there are at most four copies of every part, for any number of bounds.

use poly_arith::Int;
use poly_presburger::{BasicSet, Budget, DimKind, Row, Stop};

use crate::atomic::{self, Hull, inequalities};
use crate::context::Context;
use crate::joint::Joint;
use crate::piece::{Part, Piece};
use crate::refine::{refine, without_constraints, without_implied};
use crate::shadow::value_equality;

/// The pieces, in order; `None` if there is no core or the counter has only one value.
pub(crate) fn pieces(context: &Context, parts: &[Part], budget: &mut Budget) -> Result<Option<Vec<Piece>>, Stop> {
    let domains: Vec<&BasicSet> = parts.iter().map(|p| &p.shadow.domain).collect();
    let (bounds, conditions) = common_constraints(&domains);
    let both = bounds.intersect(&conditions);
    let mut joint = Joint::new(1 + both.n_var());
    joint.constrain(&context.generated);
    joint.constrain(&both);
    if joint.is_empty(budget)? {
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
    let before: Vec<BasicSet> = lower.iter().map(|row| half(vec![crate::joint::complement(row)])).collect();
    let after: Vec<BasicSet> = upper.iter().map(|row| half(vec![crate::joint::complement(row)])).collect();
    let whole = atomic::hull(context, &domains, budget)?;
    let known = refine(&context.generated, &whole.convex, budget)?;
    if known.is_none_or(|set| value_equality(&set, context.depth()).is_some()) {
        return Ok(None);
    }
    let piece =
        |hull: Hull, unless: Vec<BasicSet>, restrict: bool| Piece { hull, parts: parts.to_vec(), restrict, unless };
    let mut prologue = whole.clone();
    prologue.upper.push(before);
    let mut epilogue = whole;
    epilogue.lower.extend(lower.iter().map(|row| vec![half(vec![row.clone()])]));
    epilogue.lower.push(after);
    let outer = outer_part(&conditions);
    Ok(Some(vec![
        piece(prologue, Vec::new(), false),
        piece(Hull::convex(bounds.intersect(&conditions)), Vec::new(), true),
        piece(Hull::convex(bounds), vec![outer], true),
        piece(epilogue, Vec::new(), false),
    ]))
}

/// All constraints on the counter, and all constraints on outer dimensions only. The rows are as they
/// are in the domains: simplification could turn a constraint on the counter into one on outer
/// dimensions, and then the range would not be cut in the same place for all outer values.
fn common_constraints(domains: &[&BasicSet]) -> (BasicSet, BasicSet) {
    let mut joint = Joint::new(1 + domains[0].n_var());
    let maps: Vec<Vec<usize>> = domains.iter().map(|d| joint.columns(d)).collect();
    let carrier = joint.carrier(domains[0].space());
    let col = domains[0].offset(DimKind::Div) - 1;
    let (mut bounds, mut conditions) = (carrier.clone(), carrier);
    for (domain, map) in domains.iter().zip(&maps) {
        for row in inequalities(domain) {
            let side = if row[col].is_zero() { &mut conditions } else { &mut bounds };
            side.add_ineq(joint.place(&row, map));
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
