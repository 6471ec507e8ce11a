//! Skewing: a multiple of one loop is added to another one.
//!
//! `skew(S[0], 1, 0, 2)` adds twice the first loop to the second one [WolfLam1991].
//! `skew(S[0], 1, -1, 2)` adds twice the loop directly around the band, -2 names the one around
//! that, and so on.

use poly_arith::Int;
use poly_presburger::UnionPwAff;
use poly_presburger::budget::Budget;
use poly_schedule_tree::{Band, Node};

use super::{Context, Failure, Located, Rewrite, members, replaced};
use crate::refusal::Refusal;

pub(super) struct Skew;

const ARGUMENTS: &str = "a loop, another loop that is added to it (-1 for the one around the band), and how often";

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
        let &[target, source] = loops else { return Err(Refusal::Arguments(ARGUMENTS).into()) };
        if target == source || factor == 0 {
            return Err(Refusal::Arguments(ARGUMENTS).into());
        }
        let added = if source < 0 { around(at, source) } else { Some(at.band().schedule.get(member(at, source)?)) };
        let added = added.ok_or(Refusal::Arguments(ARGUMENTS))?.map_members(|f| f.scale(Int::from(factor)));
        let target = member(at, target)?;
        let skewed =
            |m, function: &UnionPwAff| if m == target { function.add_pointwise(&added) } else { function.clone() };
        let skewed = Band { schedule: at.band().schedule.map_members(skewed), isolate: None, ..at.band().clone() };
        let band = replaced(context, at, skewed, budget)?;
        Ok(at.node.set_band(band))
    }
}

fn member(at: &Located, argument: i64) -> Result<usize, Refusal> {
    Ok(members(at, &[argument], ARGUMENTS)?[0])
}

/// The loop around the band with this number: -1 for the innermost one.
fn around(at: &Located, number: i64) -> Option<&UnionPwAff> {
    let number = usize::try_from(-1 - number).ok()?;
    at.outer.iter().flat_map(|band| band.schedule.members()).rev().nth(number)
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
