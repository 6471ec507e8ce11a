//! A loop that threads share.
//!
//! `parallelize(S[0])` gives the first loop of the band, which must be free of dependences, the
//! mark [`Mark::Parallel`].

use poly_presburger::budget::Budget;
use poly_schedule_tree::{Mark, Node, NodeKind};

use super::{Context, Failure, Located, NONE, Rewrite, carried, without_arguments};
use crate::refusal::Refusal;

pub(super) struct Parallelize;

impl Rewrite for Parallelize {
    fn name(&self) -> &'static str {
        "parallelize"
    }

    fn arguments(&self) -> &'static str {
        NONE
    }

    fn finishes(&self) -> bool {
        true
    }

    fn parameters(&self, at: &Located) -> Vec<Vec<i64>> {
        if at.band().n_member() == 0 { Vec::new() } else { vec![Vec::new()] }
    }

    fn apply(
        &self,
        context: &mut Context<'_>,
        at: &Located,
        arguments: &[i64],
        budget: &mut Budget,
    ) -> Result<Node, Failure> {
        without_arguments(at, arguments)?;
        if at.band().n_member() == 0 {
            return Err(Refusal::Below("the band has no loop").into());
        }
        let unshared = context.unshared.ok_or(Refusal::Below("there are no threads: the option 'parallel' is off"))?;
        if let Some(own) = at.statements().into_iter().find(|s| unshared.contains(s)) {
            return Err(Refusal::OwnThread(own).into());
        }
        let is_shared = |kind: &NodeKind| matches!(kind, NodeKind::Mark(Mark::Parallel(_) | Mark::Doacross));
        let shared_below =
            at.node.subtree().marks().into_iter().any(|m| matches!(m, Mark::Parallel(_) | Mark::Doacross));
        if shared_below || at.node.ancestor_kinds().any(is_shared) {
            return Err(Refusal::Below("threads share a loop around or inside the band already").into());
        }
        if let Some(dependence) = carried(context, at, 0, budget)? {
            return Err(Refusal::Carried { dependence }.into());
        }
        let mut band = at.band().clone();
        band.coincident[0] = true;
        Ok(at.node.set_band(band).insert_mark(Mark::parallel()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::step::tests::{applied, refused};

    #[test]
    fn the_outermost_loop_must_carry_nothing() {
        let inner = "[n] -> { S[t, i] -> S[t, i + 1] : 0 <= t < n and 0 <= i < n }";
        assert!(applied(inner, "parallelize(S[0])").contains("mark: \"parallel\""));
        assert!(applied(inner, "tile(S[0], 4); parallelize(S[0])").contains("mark: \"parallel\""));
        let outer = "[n] -> { S[t, i] -> S[t + 1, i - 1] : 0 <= t < n and 0 <= i < n }";
        assert_eq!(refused(outer, "parallelize(S[0])"), "the loop carries dependence 0");
        let twice = refused(inner, "split(S[0], 1); parallelize(S[0]); parallelize(S[1])");
        assert_eq!(twice, "threads share a loop around or inside the band already");
    }
}
