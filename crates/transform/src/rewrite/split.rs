//! Splitting a band in two, one inside of the other.
//!
//! `split(S[0], 1)` makes the first loop a band of its own. The order stays as it is.

use poly_presburger::budget::Budget;
use poly_schedule_tree::{Node, Tree};

use super::{Context, Failure, Located, Rewrite, finished, members};
use crate::refusal::Refusal;

pub(super) struct Split;

const ARGUMENTS: &str = "how many loops the outer band gets, at least one and not all";

impl Rewrite for Split {
    fn name(&self) -> &'static str {
        "split"
    }

    fn arguments(&self) -> &'static str {
        ARGUMENTS
    }

    fn parameters(&self, at: &Located) -> Vec<Vec<i64>> {
        (1..at.band().n_member() as i64).map(|count| vec![count]).collect()
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
        let [count] = members(at, arguments, ARGUMENTS)?[..] else { return Err(Refusal::Arguments(ARGUMENTS).into()) };
        if count == 0 {
            return Err(Refusal::Arguments(ARGUMENTS).into());
        }
        finished(at)?;
        let (outer, inner) = at.band().split(count);
        let outer = context.oracle.with_flags(at, outer, budget)?;
        let below = at.node.subtree().child().clone();
        let node = at.node.replace(Tree::band(outer.clone(), Tree::band(inner.clone(), below.clone())));
        let inside = Located::at(node.child(0), &at.statement).expect("the band was there before");
        let inner = context.oracle.with_flags(&inside, inner, budget)?;
        Ok(at.node.replace(Tree::band(outer, Tree::band(inner, below))))
    }
}

#[cfg(test)]
mod tests {
    use super::super::step::tests::{applied, refused};

    const ALONG: &str = "[n] -> { S[t, i] -> S[t + 1, i - 1] : 0 <= t < n and 0 <= i < n }";

    #[test]
    fn inside_of_the_outer_loop_the_inner_one_is_free() {
        let tree = applied(ALONG, "split(S[0], 1)");
        assert_eq!(tree.matches("schedule:").count(), 2, "{tree}");
        assert!(tree.contains("coincident: [ 1 ]"), "{tree}");
        for wrong in ["split(S[0], 0)", "split(S[0], 2)", "split(S[0])"] {
            assert!(refused(ALONG, wrong).starts_with("the arguments are to be"), "{wrong}");
        }
    }
}
