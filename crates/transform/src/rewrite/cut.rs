//! Index-set splitting: a band once for the iterations of a loop before a value, and once for those
//! from it on.
//!
//! `cut(S[0], 1, 8)` executes the instances for which the second loop is less than 8 first, then
//! the others [Griebl2000]. Cutting the outermost loop changes no order.
//!
//! # Legality
//! A pair from the second part to the first one, at equal times above the band, forbids it.

use poly_arith::Int;
use poly_presburger::budget::Budget;
use poly_presburger::{DimKind, Map, UnionPwAff, UnionSet};
use poly_schedule_tree::{Node, Tree};

use super::distribute::goes_back;
use super::{Context, Failure, Located, Rewrite, finished, members};
use crate::pairs::value_map;
use crate::refusal::Refusal;

pub(super) struct Cut;

const ARGUMENTS: &str = "a loop, and a value that the second part begins with";

impl Rewrite for Cut {
    fn name(&self) -> &'static str {
        "cut"
    }

    fn arguments(&self) -> &'static str {
        ARGUMENTS
    }

    /// Near the beginning of each loop.
    fn parameters(&self, at: &Located) -> Vec<Vec<i64>> {
        (0..at.band().n_member() as i64).flat_map(|member| [1, 5].map(|value| vec![member, value])).collect()
    }

    fn moves(&self, _: &Located) -> Vec<Vec<i64>> {
        Vec::new()
    }

    fn apply(
        &self,
        context: &mut Context<'_>,
        at: &Located,
        arguments: &[i64],
        budget: &mut Budget,
    ) -> Result<Node, Failure> {
        let [ref loops @ .., value] = arguments[..] else { return Err(Refusal::Arguments(ARGUMENTS).into()) };
        let [member] = members(at, loops, ARGUMENTS)?[..] else { return Err(Refusal::Arguments(ARGUMENTS).into()) };
        if at.band().has_grid() {
            return Err(Refusal::Below("the sizes of the band's tiles are known only when the program runs").into());
        }
        finished(at)?;
        let function = at.band().schedule.get(member);
        let before = part(function, |values| values.upper_bound(DimKind::Out, 0, Int::from(value - 1)));
        let behind = part(function, |values| values.lower_bound(DimKind::Out, 0, Int::from(value)));
        for (number, pairs) in context.oracle.reaching(at, budget)? {
            let dependence = &context.oracle.dependences()[number];
            if goes_back(dependence, &pairs, (at.band(), &[&before, &behind]), budget)? {
                return Err(Refusal::Order { dependence: number, member }.into());
            }
        }
        let nest = at.node.subtree();
        Ok(at.node.replace(Tree::sequence([(before, nest.clone()), (behind, nest.clone())])))
    }
}

/// The instances for which the values of a function are in a set.
fn part(function: &UnionPwAff, of: impl Fn(Map) -> Map) -> UnionSet {
    UnionSet::from_members(function.iter().map(|f| of(value_map(f)).domain()))
}

#[cfg(test)]
mod tests {
    use super::super::step::tests::{applied, refused};

    #[test]
    fn the_first_part_must_not_wait_for_the_second_one() {
        let along = "[n] -> { S[t, i] -> S[t + 1, i] : 0 <= t < n and 0 <= i < n }";
        let tree = applied(along, "cut(S[0], 1, 4)");
        assert!(tree.contains("i <= 3") && tree.contains("i >= 4"), "{tree}");
        assert_eq!(tree.matches("schedule").count(), 2, "{tree}");
        let back = "[n] -> { S[t, i] -> S[t + 1, i - 1] : 0 <= t < n and 0 <= i < n }";
        assert_eq!(refused(back, "cut(S[0], 1, 4)"), "dependence 0 would go backwards in loop 1 of the new band");
        assert!(!applied(back, "cut(S[0], 0, 4)").is_empty(), "the outermost loop");
    }
}
