//! Shifting: the instances of one statement some iterations later.
//!
//! `shift(S[0], 1, 2)` adds two to the second loop for `S`; the other statements of the band stay
//! where they are.

use poly_arith::Int;
use poly_presburger::budget::Budget;
use poly_presburger::{DimKind, Tuple};
use poly_schedule_tree::{Band, Node};

use super::{Context, Failure, Located, Rewrite, flagged_below, members, replaced};
use crate::refusal::Refusal;

pub(super) struct Shift;

const ARGUMENTS: &str = "a loop and a number of iterations";

impl Rewrite for Shift {
    fn name(&self) -> &'static str {
        "shift"
    }

    fn arguments(&self) -> &'static str {
        ARGUMENTS
    }

    /// By one iteration, where another statement stays behind.
    fn parameters(&self, at: &Located) -> Vec<Vec<i64>> {
        if at.statements().len() < 2 {
            return Vec::new();
        }
        (0..at.band().n_member() as i64).flat_map(|member| [1, -1].map(|by| vec![member, by])).collect()
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
        let [ref loops @ .., by] = arguments[..] else { return Err(Refusal::Arguments(ARGUMENTS).into()) };
        let [shifted] = members(at, loops, ARGUMENTS)?[..] else { return Err(Refusal::Arguments(ARGUMENTS).into()) };
        let band = at.band();
        let schedule = band.schedule.map_members(|member, function| match member == shifted {
            true => function.map_members(|f| {
                let name = f.domain_space().tuple(DimKind::Out).and_then(Tuple::name_str);
                if name == Some(at.statement.as_str()) { f.add_constant(Int::from(by)) } else { f.clone() }
            }),
            false => function.clone(),
        });
        let band = replaced(context, at, Band { schedule, isolate: None, ..band.clone() }, budget)?;
        // Other pairs than before may be at equal times in the loops further inside.
        flagged_below(context, at.node.set_band(band), &at.statement, budget)
    }
}

#[cfg(test)]
mod tests {
    use super::super::step::tests::{TWO, applied_to, refused_by};

    #[test]
    fn a_statement_runs_later_if_nobody_waits_for_it() {
        let tree = applied_to(TWO, &["{ S[i] -> T[i + 1] : 0 <= i < 8 }"], "shift(S[0], 0, 1)");
        assert!(tree.contains("S[i] -> [(1 + i)]") && tree.contains("T[i] -> [(i)]"), "{tree}");
        let why = refused_by(TWO, &["{ S[i] -> T[i + 1] : 0 <= i < 8 }"], "shift(S[0], 0, 2)");
        assert_eq!(why, "dependence 0 would go backwards in loop 0 of the new band");
    }

    /// A loop inside that is free of dependences before the shift, and not behind it.
    const INSIDE: &str = r#"
        domain: "{ S[i, j] : 0 <= i, j < 9; T[i, j] : 0 <= i, j < 9 }"
        child:
          schedule: "[{ S[i, j] -> [(i)]; T[i, j] -> [(i)] }]"
          child:
            schedule: "[{ S[i, j] -> [(j)]; T[i, j] -> [(j)] }]"
            permutable: 1
            coincident: [ 1 ]
            child:
              sequence:
              - filter: "{ S[i, j] }"
              - filter: "{ T[i, j] }"
    "#;

    #[test]
    fn loops_inside_lose_flags_that_are_not_true_any_more() {
        let next = "{ S[i, j] -> T[i + 1, j + 1] : 0 <= i, j < 8 }";
        let tree = applied_to(INSIDE, &[next], "shift(S[0], 0, 1)");
        assert!(tree.contains("coincident: [ 1 ]") && tree.matches("coincident").count() == 1, "{tree}");
        let why = refused_by(INSIDE, &[next], "vectorize(S[1]); shift(S[0], 0, 1)");
        assert_eq!(why, "a loop below that has a mark would carry a dependence");
    }
}
