//! Contexts of several disjuncts.
//!
//! # Problem
//! The simple hull of a context knows less than its disjuncts. If all of them imply a constraint,
//! together with what is left of the relation, then it is not needed, and if the whole context is a
//! part of the relation, then nothing is.
//!
//! # Algorithm
//! 1. Whether the context is a part of the relation is found out with a bounded number of steps, as
//!    it is exponential in the worst case.
//! 2. For what the hull has left of a disjunct of the relation: one constraint after the other, the
//!    last one first, is left out if, by linear programming, every disjunct of the context and the
//!    other constraints imply it.

use poly_arith::Int;

use crate::basic::{BasicMap, Row};
use crate::budget::{Budget, Stop};
use crate::map::Map;
use crate::ops::common::Common;
use crate::ops::hull::minima;
use crate::row;

/// Steps to find out whether the context is a part of the relation. That is exponential in the
/// number of disjuncts, and a gist is right without it.
const INCLUSION_STEPS: u64 = 4_000;

/// Whether the context is seen to be a part of the relation. Not to know it is no reason to stop,
/// unless all of the budget is used up.
pub(super) fn is_seen_to_include(map: &Map, context: &Map, budget: &mut Budget) -> Result<bool, Stop> {
    let is_short = budget.remaining() < INCLUSION_STEPS;
    let mut part = budget.sub(INCLUSION_STEPS);
    let found = context.is_subset(map, &mut part);
    budget.absorb(&part);
    match found {
        Ok(includes) => Ok(includes),
        // All of the budget is used up, not only this part of it.
        Err(Stop) if is_short => Err(budget.spend(INCLUSION_STEPS).err().unwrap_or(Stop)),
        Err(Stop) => Ok(false),
    }
}

/// Without the constraints that every disjunct of the context implies, given the others.
pub(super) fn without_implied(basic: BasicMap, context: &Map, budget: &mut Budget) -> Result<BasicMap, Stop> {
    if basic.is_universe() || basic.is_plainly_empty() {
        return Ok(basic);
    }
    let all: Vec<&BasicMap> = std::iter::once(&basic).chain(context.basics.iter().map(|b| &**b)).collect();
    let common = Common::of(&all);
    let (mut eqs, mut ineqs) = (common.parts[0].eqs.clone(), common.parts[0].ineqs.clone());
    let before = eqs.len() + ineqs.len();
    for i in (0..ineqs.len()).rev() {
        let row = ineqs.remove(i);
        if !are_implied(&common, std::slice::from_ref(&row), &eqs, &ineqs, budget)? {
            ineqs.insert(i, row);
        }
    }
    for i in (0..eqs.len()).rev() {
        let row = eqs.remove(i);
        if !are_implied(&common, &[row.clone(), row::negated(&row)], &eqs, &ineqs, budget)? {
            eqs.insert(i, row);
        }
    }
    Ok(if eqs.len() + ineqs.len() == before { basic } else { common.build(eqs, ineqs) })
}

/// Whether inequalities follow from others in every disjunct of the context.
fn are_implied(common: &Common, forms: &[Row], eqs: &[Row], ineqs: &[Row], budget: &mut Budget) -> Result<bool, Stop> {
    for i in 1..common.parts.len() {
        let mut system = common.system(i);
        system.eqs.extend_from_slice(eqs);
        system.ineqs.extend_from_slice(ineqs);
        let holds = |least: &Option<Int>| least.as_ref().is_some_and(|least| !least.is_neg());
        if minima(&system, forms, budget)?.is_some_and(|least| !least.iter().all(holds)) {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use crate::budget::Budget;
    use crate::set::Set;

    fn gist(set: &str, context: &str) -> String {
        let [set, context]: [Set; 2] = [set, context].map(|text| text.parse().expect("the test's set parses"));
        let gist = set.gist(&context, &mut Budget::unlimited()).expect("no limit");
        let same = gist.intersect(&context).is_equal(&set.intersect(&context), &mut Budget::unlimited());
        assert_eq!(same, Ok(true), "{gist} is {set} in {context}");
        gist.to_string()
    }

    #[test]
    fn a_context_that_is_a_part_leaves_nothing() {
        assert_eq!(gist("{ [i] : 0 <= i <= 5 or 8 <= i <= 9 }", "{ [i] : 2 <= i <= 3 or i = 9 }"), "{ [i] }");
        assert_eq!(
            gist("{ [i, j] : i <= j or i >= j + 3 }", "{ [i, j] : j = 7 and (i <= 4 or i >= 20) }"),
            "{ [i, j] }"
        );
    }

    #[test]
    fn what_every_disjunct_implies_is_left_out() {
        let context = "[n] -> { [i, j] : (i >= 1 and j >= 1 and i + j <= n) or (j = 0 and 2 <= 2i <= n) }";
        assert_eq!(gist("[n] -> { [i, j] : i <= n }", context), "[n] -> { [i, j] }");
        // In one disjunct because of the other constraint, in the other one anyway.
        assert_eq!(gist("{ [i, j] : j >= 5 and i >= 5 }", "{ [i, j] : i = j or i >= 9 }"), "{ [i, j] : j >= 5 }");
    }
}
