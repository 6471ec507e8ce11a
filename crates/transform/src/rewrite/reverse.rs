//! Reversal: a loop of a band from its last iteration to its first one.
//!
//! `reverse(S[0], 1)` turns the second loop round.

use poly_arith::Int;
use poly_presburger::budget::Budget;
use poly_schedule_tree::{Band, Node};

use super::{Context, Failure, Located, Rewrite, members, replaced};
use crate::refusal::Refusal;

pub(super) struct Reverse;

const ARGUMENTS: &str = "the position of one loop of the band";

impl Rewrite for Reverse {
    fn name(&self) -> &'static str {
        "reverse"
    }

    fn arguments(&self) -> &'static str {
        ARGUMENTS
    }

    fn parameters(&self, at: &Located) -> Vec<Vec<i64>> {
        (0..at.band().n_member() as i64).map(|member| vec![member]).collect()
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
        let [reversed] = members(at, arguments, ARGUMENTS)?[..] else {
            return Err(Refusal::Arguments(ARGUMENTS).into());
        };
        let band = at.band();
        let schedule = band.schedule.map_members(|member, function| match member == reversed {
            true => function.scale(Int::NEG_ONE),
            false => function.clone(),
        });
        let band = replaced(context, at, Band { schedule, isolate: None, ..band.clone() }, budget)?;
        Ok(at.node.set_band(band))
    }
}

#[cfg(test)]
mod tests {
    use super::super::step::tests::{applied, refused};

    #[test]
    fn a_loop_without_distances_can_be_turned_round() {
        let along = "[n] -> { S[t, i] -> S[t + 1, i] : 0 <= t < n and 0 <= i < n }";
        let tree = applied(along, "reverse(S[0], 1)");
        assert!(tree.contains("S[t, i] -> [(-i)]"), "{tree}");
        assert_eq!(refused(along, "reverse(S[0], 0)"), "dependence 0 would go backwards in loop 0 of the new band");
        assert!(refused(along, "reverse(S[0], 0, 1)").starts_with("the arguments are to be"));
    }
}
