//! One range around several convex sets of counter values.
//!
//! The hull of some sets consists of
//!
//! * the constraints of any of them that hold for all, or hold for all when they are relaxed by at
//!   most one step of the counter;
//! * where these leave a side of the range looser than the sets are, a bound by cases: the minimum
//!   over the sets of their lower bounds (or the maximum of their upper bounds).
//!
//! The first kind is convex and simple to know about inside the loop, the second is tight but only
//! a bound. A side is *tight* if for one of the sets all constraints on that side are in the first
//! list: then no value before its first one is run in vain.

use poly_arith::Int;
use poly_presburger::solver::Optimum;
use poly_presburger::{BasicSet, Budget, DimKind, Row, Stop};

use crate::constraint_system::ConstraintSystem;
use crate::context::Context;
use crate::refine::without_constraints;

/// A range around sets of counter values.
#[derive(Clone, Debug)]
pub(crate) struct Hull {
    /// Constraints that all values satisfy.
    pub(crate) convex: BasicSet,
    /// Lists of sets: the least lower bound of each list bounds the range.
    pub(crate) lower: Vec<Vec<BasicSet>>,
    /// Lists of sets: the greatest upper bound of each list bounds the range.
    pub(crate) upper: Vec<Vec<BasicSet>>,
}

impl Hull {
    /// A convex range.
    pub(crate) fn convex(convex: BasicSet) -> Hull {
        Hull { convex, lower: Vec::new(), upper: Vec::new() }
    }

    /// Whether there are no bounds by cases.
    pub(crate) fn is_convex(&self) -> bool {
        self.lower.is_empty() && self.upper.is_empty()
    }
}

/// The hull of sets over the outer dimensions of `context` and the counter.
pub(crate) fn hull(context: &Context, sets: &[&BasicSet], budget: &mut Budget) -> Result<Hull, Stop> {
    let mut distinct: Vec<&BasicSet> = Vec::new();
    for &set in sets {
        if !distinct.contains(&set) {
            distinct.push(set);
        }
    }
    if let [only] = distinct[..] {
        return Ok(Hull::convex(only.clone()));
    }
    let mut convex = BasicSet::universe(distinct[0].space().clone());
    let mut tight = [false, false];
    for (k, set) in distinct.iter().enumerate() {
        let others: Vec<&BasicSet> = distinct.iter().enumerate().filter(|(i, _)| *i != k).map(|(_, s)| *s).collect();
        let (rows, sides) = common_rows(context, set, &others, budget)?;
        convex = convex.intersect(&rows);
        tight[0] |= sides[0];
        tight[1] |= sides[1];
    }
    let cases =
        |is_tight: bool| if is_tight { Vec::new() } else { vec![distinct.iter().map(|s| (*s).clone()).collect()] };
    Ok(Hull { convex, lower: cases(tight[0]), upper: cases(tight[1]) })
}

/// The rows of `set` that hold (relaxed by at most a step) on the others, and whether those contain
/// all its lower and all its upper bounds on the counter.
fn common_rows(
    context: &Context,
    set: &BasicSet,
    others: &[&BasicSet],
    budget: &mut Budget,
) -> Result<(BasicSet, [bool; 2]), Stop> {
    let col = set.offset(DimKind::Div) - 1;
    let mut result = without_constraints(set);
    let mut found = [0, 0];
    let mut all = [0, 0];
    for row in inequalities(set) {
        let side = if row[col].is_neg() { 1 } else { 0 };
        let bounds = usize::from(!row[col].is_zero());
        all[side] += bounds;
        let mut shift = Some(Int::ZERO);
        for other in others {
            shift = match shift {
                Some(s) => shift_for(context, set, &row, other, budget)?.map(|t| s.max(t)),
                None => None,
            };
        }
        if let Some(shift) = shift.filter(|s| *s <= row[col].abs()) {
            let mut row = row;
            row[0] += &shift;
            result.add_ineq(row);
            found[side] += bounds;
        }
    }
    result.simplify(budget)?;
    Ok((result, [0, 1].map(|side| all[side] > 0 && found[side] == all[side])))
}

/// All constraints as inequalities.
pub(crate) fn inequalities(set: &BasicSet) -> Vec<Row> {
    let both = |row: &Row| [row.clone(), row.iter().map(|x| -x).collect()];
    set.eqs().iter().flat_map(both).chain(set.ineqs().iter().cloned()).collect()
}

/// By how much the row of `set` has to be relaxed to hold on `other`; `None` if nothing is enough.
fn shift_for(
    context: &Context,
    set: &BasicSet,
    row: &Row,
    other: &BasicSet,
    budget: &mut Budget,
) -> Result<Option<Int>, Stop> {
    let mut system = ConstraintSystem::new(1 + set.n_var());
    system.constrain(&context.generated);
    system.constrain(other);
    let map = system.columns(set);
    Ok(match system.minimum(&system.place(row, &map), budget)? {
        Optimum::Empty => Some(Int::ZERO),
        Optimum::Unbounded => None,
        Optimum::Bounded(value) => Some((-&value.ceil()).max(Int::ZERO)),
    })
}
