//! Joining a band with the one directly below it.
//!
//! `join(S[0])` makes one band of the two, the loops of the outer one first. The order stays as it
//! is.

use poly_presburger::budget::Budget;
use poly_schedule_tree::{Node, Tree};

use super::{Context, Failure, Located, NONE, Rewrite, without_arguments};
use crate::refusal::Refusal;

pub(super) struct Join;

impl Rewrite for Join {
    fn name(&self) -> &'static str {
        "join"
    }

    fn arguments(&self) -> &'static str {
        NONE
    }

    fn parameters(&self, at: &Located) -> Vec<Vec<i64>> {
        if at.node.subtree().child().as_band().is_some() { vec![Vec::new()] } else { Vec::new() }
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
        without_arguments(at, arguments)?;
        let below = at.node.subtree().child();
        let inner = below.as_band().ok_or(Refusal::Below("there is no band directly below the band"))?;
        let joined = at.band().concat(inner);
        let joined = context.oracle.with_flags(at, joined, budget)?;
        Ok(at.node.replace(Tree::band(joined, below.child().clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::super::step::tests::{applied, refused};

    #[test]
    fn what_was_split_is_joined_again() {
        let along = "[n] -> { S[t, i] -> S[t + 1, i] : 0 <= t < n and 0 <= i < n }";
        assert_eq!(
            applied(along, "split(S[0], 1); join(S[0])"),
            applied(along, "skew(S[0], 1, 0, 1); skew(S[0], 1, 0, -1)")
        );
        assert_eq!(refused(along, "join(S[0])"), "there is no band directly below the band");
    }
}
