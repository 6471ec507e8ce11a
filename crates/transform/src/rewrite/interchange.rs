//! Interchange: the loops of a band in another order.
//!
//! `interchange(S[0], 2, 0, 1)` makes the third loop the outermost one.

use poly_presburger::budget::Budget;
use poly_schedule_tree::Node;

use super::{Context, Failure, Located, Rewrite, members, replaced};
use crate::refusal::Refusal;

pub(super) struct Interchange;

const ARGUMENTS: &str = "the positions of all loops of the band, outermost first";

impl Rewrite for Interchange {
    fn name(&self) -> &'static str {
        "interchange"
    }

    fn arguments(&self) -> &'static str {
        ARGUMENTS
    }

    /// Every loop as the outermost one, and every loop as the innermost one.
    fn parameters(&self, at: &Located) -> Vec<Vec<i64>> {
        let count = at.band().n_member() as i64;
        let without = |loop_: i64| (0..count).filter(move |&other| other != loop_);
        let first = (1..count).map(|l| std::iter::once(l).chain(without(l)).collect());
        let last = (0..count - 1).map(|l| without(l).chain([l]).collect());
        let mut all: Vec<Vec<i64>> = first.chain(last).collect();
        all.sort();
        all.dedup();
        all
    }

    fn apply(
        &self,
        context: &mut Context<'_>,
        at: &Located,
        arguments: &[i64],
        budget: &mut Budget,
    ) -> Result<Node, Failure> {
        let order = members(at, arguments, ARGUMENTS)?;
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(0..at.band().n_member()) {
            return Err(Refusal::Arguments(ARGUMENTS).into());
        }
        let band = replaced(context, at, at.band().permute(&order), budget)?;
        Ok(at.node.set_band(band))
    }
}

#[cfg(test)]
mod tests {
    use super::super::step::tests::{applied, refused};

    const DIAGONAL: &str = "[n] -> { S[t, i] -> S[t + 1, i - 1] : 0 <= t < n and 0 <= i < n }";

    #[test]
    fn loops_change_places_where_no_pair_turns_round() {
        let free = "[n] -> { S[t, i] -> S[t + 1, i] : 0 <= t < n and 0 <= i < n }";
        let tree = applied(free, "interchange(S[0], 1, 0)");
        assert!(tree.contains("{ S[t, i] -> [(i)] }, { S[t, i] -> [(t)] }"), "{tree}");
        assert!(tree.contains("permutable: 1") && tree.contains("coincident: [ 1, 0 ]"), "{tree}");
        let why = refused(DIAGONAL, "interchange(S[0], 1, 0)");
        assert_eq!(why, "dependence 0 would go backwards in loop 0 of the new band");
    }

    #[test]
    fn all_loops_are_named_once() {
        for wrong in
            ["interchange(S[0], 0)", "interchange(S[0], 0, 0)", "interchange(S[0], 0, 2)", "interchange(S[0], 0, -1)"]
        {
            assert!(refused(DIAGONAL, wrong).starts_with("the arguments are to be"), "{wrong}");
        }
    }
}
