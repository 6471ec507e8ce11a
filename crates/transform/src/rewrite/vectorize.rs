//! Vector code of an innermost loop.
//!
//! `vectorize(S[0])` gives the last loop of the band, which must be innermost and free of
//! dependences, the mark [`Mark::Vector`].

use poly_presburger::budget::Budget;
use poly_schedule_tree::{Mark, Node, Tree};

use super::{Context, Failure, Located, NONE, Rewrite, carried, without_arguments};
use crate::refusal::Refusal;

pub(super) struct Vectorize;

impl Rewrite for Vectorize {
    fn name(&self) -> &'static str {
        "vectorize"
    }

    fn arguments(&self) -> &'static str {
        NONE
    }

    fn finishes(&self) -> bool {
        true
    }

    fn parameters(&self, at: &Located) -> Vec<Vec<i64>> {
        if is_innermost(at) { vec![Vec::new()] } else { Vec::new() }
    }

    fn apply(
        &self,
        context: &mut Context<'_>,
        at: &Located,
        arguments: &[i64],
        budget: &mut Budget,
    ) -> Result<Node, Failure> {
        without_arguments(at, arguments)?;
        if !is_innermost(at) || at.band().n_member() == 0 {
            return Err(Refusal::Below("the band is not innermost").into());
        }
        let (outer, mut inner) = at.band().split(at.band().n_member() - 1);
        if let Some(dependence) = carried(context, at, outer.n_member(), budget)? {
            return Err(Refusal::Carried { dependence }.into());
        }
        inner.coincident = vec![true];
        let marked = Tree::mark(Mark::Vector, Tree::band(inner, at.node.subtree().child().clone()));
        Ok(at.node.replace(if outer.n_member() == 0 { marked } else { Tree::band(outer, marked) }))
    }
}

/// There is no band below.
fn is_innermost(at: &Located) -> bool {
    at.node.subtree().child().bands().is_empty()
}

#[cfg(test)]
mod tests {
    use super::super::step::tests::{applied, refused};

    #[test]
    fn the_innermost_loop_must_carry_nothing() {
        let outer = "[n] -> { S[t, i] -> S[t + 1, i - 1] : 0 <= t < n and 0 <= i < n }";
        let tree = applied(outer, "vectorize(S[0])");
        assert!(tree.contains("mark: \"vector\"") && tree.matches("schedule:").count() == 2, "{tree}");
        let inner = "[n] -> { S[t, i] -> S[t, i + 1] : 0 <= t < n and 0 <= i < n }";
        assert_eq!(refused(inner, "vectorize(S[0])"), "the loop carries dependence 0");
        assert_eq!(refused(outer, "split(S[0], 1); vectorize(S[0])"), "the band is not innermost");
        assert!(refused(outer, "vectorize(S[0]); reverse(S[1], 0)").starts_with("the band has a mark"));
    }
}
