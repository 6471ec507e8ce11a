//! Distribution: a band around each child of a sequence instead of one around the sequence.
//!
//! # Problem
//! `distribute(S[0])` turns `for i { A; B; }` into `for i A; for i B;`, also for more loops and
//! whole nests, so that each gets an order of its own.
//!
//! # Legality
//! Only pairs with ends in two children change their order: they get that of the children. A pair
//! whose source is in a later child than its sink, at equal times above the band, forbids it
//! [Allen1987]; updates of a reduction may be in any order; pairs of a conditional dependence must
//! have the order of the children already.

use poly_dependence::Dependence;
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{DimKind, Map, MultiUnionPwAff, Tuple, UnionSet};
use poly_schedule_tree::{Band, Node, NodeKind, Tree};

use super::oracle::{between_sets, directions_of};
use super::{Context, Failure, Located, NONE, Rewrite, without_arguments};
use crate::refusal::Refusal;

pub(super) struct Distribute;

const BELOW: &str = "there is no sequence directly below the band";

impl Rewrite for Distribute {
    fn name(&self) -> &'static str {
        "distribute"
    }

    fn arguments(&self) -> &'static str {
        NONE
    }

    fn parameters(&self, at: &Located) -> Vec<Vec<i64>> {
        match at.node.subtree().child().kind() {
            NodeKind::Sequence => vec![Vec::new()],
            _ => Vec::new(),
        }
    }

    fn apply(
        &self,
        context: &mut Context<'_>,
        at: &Located,
        arguments: &[i64],
        budget: &mut Budget,
    ) -> Result<Node, Failure> {
        without_arguments(at, arguments)?;
        let sequence = at.node.subtree().child();
        if !matches!(sequence.kind(), NodeKind::Sequence) {
            return Err(Refusal::Below(BELOW).into());
        }
        let filters: Vec<&UnionSet> = sequence.children().iter().filter_map(filter_of).collect();
        for (number, pairs) in context.oracle.reaching(at, budget)? {
            let dependence = &context.oracle.dependences()[number];
            if goes_back(dependence, &pairs, (at.band(), &filters), budget)? {
                return Err(Refusal::Order { dependence: number, member: 0 }.into());
            }
        }
        let around = |child: &Tree| {
            let filter = filter_of(child).expect("the children of a sequence are filters");
            child.with_child(Tree::band(within(at.band(), filter), child.child().clone()))
        };
        let mut node = at.node.replace(sequence.with_children(sequence.children().iter().map(around).collect()));
        for position in 0..node.n_children() {
            let cursor = node.child(position).child(0);
            let statement = at.statement.clone();
            let inside = Located::at(cursor.clone(), &statement).expect("the band was there before");
            let flagged = context.oracle.with_flags(&inside, inside.band().clone(), budget)?;
            node = cursor.set_band(flagged).ancestor(2).expect("the sequence is above");
        }
        Ok(node)
    }
}

pub(super) fn filter_of(child: &Tree) -> Option<&UnionSet> {
    if let NodeKind::Filter(filter) = child.kind() { Some(filter) } else { None }
}

/// Whether some pair between two children would change its order in a way that is not allowed.
pub(super) fn goes_back(
    dependence: &Dependence,
    pairs: &Map,
    (band, filters): (&Band, &[&UnionSet]),
    budget: &mut Budget,
) -> Result<bool, Stop> {
    if dependence.reduction {
        return Ok(false);
    }
    for (from, source) in filters.iter().enumerate() {
        for (to, sink) in filters.iter().enumerate().filter(|(to, _)| *to != from) {
            let some = between_sets(pairs, source, sink).filter(|_| from > to || dependence.conditional);
            let Some(some) = some else { continue };
            if !dependence.conditional {
                if !some.is_empty(budget)? {
                    return Ok(true);
                }
                continue;
            }
            // At equal times of the band, the children order them already.
            let [forward, backward, _] = directions_of(some, band.schedule.members(), budget)?;
            let turned = if from < to { backward } else { forward };
            if !turned.is_empty() {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// A band for the statements of a filter only.
fn within(band: &Band, filter: &UnionSet) -> Band {
    let is_here = |f: &poly_presburger::PwAff| {
        f.domain_space().tuple(DimKind::Out).is_some_and(|tuple| filter.get_tuple(tuple).is_some())
    };
    let functions = band.schedule.members().iter().map(|function| {
        let mut own = poly_presburger::UnionPwAff::empty(function.param_ids().to_vec());
        function.iter().filter(|f| is_here(f)).for_each(|f| own.add(f.clone()));
        own
    });
    let schedule = MultiUnionPwAff::new(Tuple::anonymous(band.n_member()), functions.collect());
    Band { schedule, isolate: None, ..band.clone() }
}

#[cfg(test)]
mod tests {
    use super::super::step::tests::{TWO, applied_to, refused_by};

    #[test]
    fn each_child_gets_loops_of_its_own() {
        let tree = applied_to(TWO, &["{ S[i] -> T[i + 1] : 0 <= i < 8 }"], "distribute(S[0])");
        assert!(tree.find("sequence").expect("it has one") < tree.find("schedule").expect("it has one"), "{tree}");
        assert_eq!(tree.matches("coincident: [ 1 ]").count(), 2, "{tree}");
    }

    #[test]
    fn a_pair_from_a_later_child_forbids_it() {
        let back = "{ T[i] -> S[i + 1] : 0 <= i < 8 }";
        assert_eq!(
            refused_by(TWO, &[back], "distribute(S[0])"),
            "dependence 0 would go backwards in loop 0 of the new band"
        );
        let tree = applied_to(TWO, &[&format!("reduction {back}")], "distribute(T[0])");
        assert!(!tree.is_empty());
        // At the time of the sink's iteration, the source has not been executed: it stays behind
        // it.
        let conditional = "conditional { T[i] -> S[i - 1] : 0 < i < 9 }";
        assert!(!applied_to(TWO, &[conditional], "distribute(S[0])").is_empty());
        assert!(!refused_by(TWO, &["conditional { T[i] -> S[i + 1] : 0 <= i < 8 }"], "distribute(S[0])").is_empty());
    }
}
