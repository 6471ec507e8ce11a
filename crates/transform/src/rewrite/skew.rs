//! Skewing: a multiple of one loop is added to another one.
//!
//! `skew(S[0], 1, 0, 2)` adds twice the first loop to the second one [WolfLam1991].

use poly_arith::Int;
use poly_presburger::budget::Budget;
use poly_schedule_tree::Node;

use super::{Context, Failure, Located, Rewrite, members, replaced};
use crate::refusal::Refusal;

pub(super) struct Skew;

const ARGUMENTS: &str = "a loop, another loop that is added to it, and how often";

impl Rewrite for Skew {
    fn name(&self) -> &'static str {
        "skew"
    }

    fn arguments(&self) -> &'static str {
        ARGUMENTS
    }

    /// Each loop added once and twice to each one inside.
    fn parameters(&self, at: &Located) -> Vec<Vec<i64>> {
        let count = at.band().n_member() as i64;
        let pairs = (0..count).flat_map(|outer| (outer + 1..count).map(move |inner| (inner, outer)));
        pairs.flat_map(|(inner, outer)| [1, 2].map(|factor| vec![inner, outer, factor])).collect()
    }

    fn apply(
        &self,
        context: &mut Context<'_>,
        at: &Located,
        arguments: &[i64],
        budget: &mut Budget,
    ) -> Result<Node, Failure> {
        let [ref loops @ .., factor] = arguments[..] else { return Err(Refusal::Arguments(ARGUMENTS).into()) };
        let [target, source] = members(at, loops, ARGUMENTS)?[..] else {
            return Err(Refusal::Arguments(ARGUMENTS).into());
        };
        if target == source || factor == 0 {
            return Err(Refusal::Arguments(ARGUMENTS).into());
        }
        let skewed = at.band().skew(target, source, &Int::from(factor));
        let band = replaced(context, at, skewed, budget)?;
        Ok(at.node.set_band(band))
    }
}

#[cfg(test)]
mod tests {
    use super::super::step::tests::{applied, refused};

    const DIAGONAL: &str = "[n] -> { S[t, i] -> S[t + 1, i - 1] : 0 <= t < n and 0 <= i < n }";

    #[test]
    fn a_skewed_band_becomes_permutable() {
        let tree = applied(DIAGONAL, "skew(S[0], 1, 0, 1)");
        assert!(tree.contains("S[t, i] -> [(t + i)]") && tree.contains("permutable: 1"), "{tree}");
        assert!(applied(DIAGONAL, "skew(S[0], 1, 0, 2); interchange(S[0], 1, 0)").contains("permutable: 1"));
    }

    #[test]
    fn a_loop_is_not_added_to_itself() {
        for wrong in ["skew(S[0], 1, 1, 1)", "skew(S[0], 0, 1)", "skew(S[0], 0, 1, 0)", "skew(S[0])"] {
            assert!(refused(DIAGONAL, wrong).starts_with("the arguments are to be"), "{wrong}");
        }
        assert_eq!(
            refused(DIAGONAL, "skew(S[0], 0, 1, 2)"),
            "dependence 0 would go backwards in loop 0 of the new band"
        );
    }
}
