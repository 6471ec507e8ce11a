//! Fusion: the bands of two neighbouring nests as one.
//!
//! # Problem
//! `fuse(S[0])` turns `for i A; for i B;` into `for i { A; B; }`, where `A` has the statement `S`:
//! the band of `S` and that of the next nest of the sequence, of as many loops, become one around a
//! sequence of what they had inside.
//!
//! # Legality
//! Only pairs with ends in both nests change their order. At equal times above the sequence, those
//! from the first nest to the second one must not go backwards in the loops that they share now,
//! and those that have gone the other way round, which only conditional dependences allow, must
//! still do so. Updates of a reduction stay apart.

use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{DimKind, MultiUnionPwAff, Tuple, UnionPwAff};
use poly_schedule_tree::{Band, Node, NodeKind, Tree};

use super::distribute::filter_of;
use super::oracle::{against, between_sets};
use super::{Context, Failure, Located, NONE, Rewrite, without_arguments};
use crate::pairs::Sign;
use crate::refusal::Refusal;

pub(super) struct Fuse;

const BELOW: &str = "the next nest of a sequence does not begin with a band of as many loops";

impl Rewrite for Fuse {
    fn name(&self) -> &'static str {
        "fuse"
    }

    fn arguments(&self) -> &'static str {
        NONE
    }

    fn parameters(&self, at: &Located) -> Vec<Vec<i64>> {
        if next_nest(at).is_some() { vec![Vec::new()] } else { Vec::new() }
    }

    fn apply(
        &self,
        context: &mut Context<'_>,
        at: &Located,
        arguments: &[i64],
        budget: &mut Budget,
    ) -> Result<Node, Failure> {
        without_arguments(at, arguments)?;
        let next = next_nest(at).ok_or(Refusal::Below(BELOW))?;
        let fused = united(at, &next, budget)?;
        // What is around both nests reaches both.
        let around = Located { reach: at.reach.union(&next.reach), is_cut: true, ..at.clone() };
        for (number, pairs) in context.oracle.reaching(&around, budget)? {
            let dependence = &context.oracle.dependences()[number];
            if dependence.reduction {
                continue;
            }
            let ends = [(&at.reach, &next.reach, Sign::Negative), (&next.reach, &at.reach, Sign::Positive)];
            for (source, sink, wrong) in ends {
                let Some(between) = between_sets(&pairs, source, sink) else { continue };
                let left = against(&between, fused.schedule.members(), wrong, budget)?;
                left.map_err(|member| Refusal::Order { dependence: number, member })?;
            }
        }
        let fused = context.oracle.with_flags(&around, fused, budget)?;
        Ok(together(at, &next, fused))
    }
}

/// The band of the next nest, if both are the first nodes of neighbouring children of a sequence.
fn next_nest(at: &Located) -> Option<Located> {
    let filter = at.node.parent().filter(|filter| matches!(filter.kind(), NodeKind::Filter(_)))?;
    if !filter.parent().is_some_and(|sequence| matches!(sequence.kind(), NodeKind::Sequence)) {
        return None;
    }
    let next = filter.next_sibling()?.child(0);
    let has_as_many = next.band().is_some_and(|band| band.n_member() == at.band().n_member() && !band.has_grid());
    if !has_as_many || at.band().has_grid() { None } else { Located::at(next, &at.statement) }
}

/// One band of two for different instances: each has functions for those that reach it only.
fn united(first: &Located, second: &Located, budget: &mut Budget) -> Result<Band, Stop> {
    let own = |at: &Located, member: usize| {
        let function = at.band().schedule.get(member);
        let mut own = UnionPwAff::empty(function.param_ids().to_vec());
        for f in function.iter() {
            let tuple = f.domain_space().tuple(DimKind::Out).expect("functions of instances have a tuple");
            let Some(reach) = at.reach.get_tuple(tuple) else { continue };
            let is_in_both = first.executes(tuple) && second.executes(tuple);
            own.add(if is_in_both { f.intersect_domain(reach) } else { f.clone() });
        }
        own
    };
    let members = 0..first.band().n_member();
    let functions = members.map(|member| own(first, member).union_add(&own(second, member), budget));
    let functions: Vec<UnionPwAff> = functions.collect::<Result<_, _>>()?;
    let schedule = MultiUnionPwAff::new(Tuple::anonymous(functions.len()), functions);
    Ok(Band { schedule, isolate: None, ..first.band().clone() })
}

/// The tree with a band around what is in two neighbouring nests.
fn together(at: &Located, next: &Located, fused: Band) -> Node {
    let filters = [&at.node, &next.node].map(|node| {
        let filter = node.parent().expect("a filter is above");
        let NodeKind::Filter(instances) = filter.kind() else { unreachable!("a filter is above") };
        (instances.clone(), node.subtree().child().clone())
    });
    let sequence = at.node.ancestor(2).expect("a sequence is above");
    let position = at.node.parent().expect("a filter is above").position();
    let both = filters[0].0.union(&filters[1].0);
    // What was a sequence already becomes a part of the new one.
    let nests = filters.into_iter().flat_map(|(instances, tree)| match tree.kind() {
        NodeKind::Sequence => {
            let part = |child: &Tree| Some((filter_of(child)?.intersect(&instances), child.child().clone()));
            tree.children().iter().filter_map(part).collect()
        }
        _ => vec![(instances, tree)],
    });
    let nest = Tree::band(fused, Tree::sequence(nests));
    if sequence.n_children() == 2 {
        return sequence.replace(nest);
    }
    let mut children = sequence.subtree().children().to_vec();
    children.splice(position..position + 2, [Tree::filter(both, nest)]);
    sequence.replace(sequence.subtree().with_children(children))
}

#[cfg(test)]
mod tests {
    use super::super::step::tests::{applied_to, refused_by};

    const TWO: &str = r#"
        domain: "{ S[i] : 0 <= i < 9; T[i] : 0 <= i < 9; U[i] : 0 <= i < 9 }"
        child:
          sequence:
          - filter: "{ S[i] }"
            child:
              schedule: "[{ S[i] -> [(i)] }]"
          - filter: "{ T[i] }"
            child:
              schedule: "[{ T[i] -> [(i)] }]"
          - filter: "{ U[i] }"
    "#;

    #[test]
    fn nests_share_loops_where_no_pair_turns_round() {
        let tree = applied_to(TWO, &["{ S[i] -> T[i] : 0 <= i < 9 }"], "fuse(S[0])");
        assert_eq!((tree.matches("schedule").count(), tree.matches("sequence").count()), (1, 2), "{tree}");
        assert!(tree.contains("coincident: [ 1 ]"), "{tree}");
        let later = "{ S[i] -> T[i - 1] : 0 < i < 9 }";
        assert_eq!(
            refused_by(TWO, &[later], "fuse(S[0])"),
            "dependence 0 would go backwards in loop 0 of the new band"
        );
        assert!(applied_to(TWO, &[later], "shift(T[0], 0, 1); fuse(S[0])").contains("T[i] -> [(1 + i)]"));
        assert!(refused_by(TWO, &[], "fuse(T[0])").starts_with("the next nest"));
    }

    #[test]
    fn what_was_distributed_is_fused_again() {
        let before = applied_to(TWO, &["{ S[i] -> T[i] : 0 <= i < 9 }"], "fuse(S[0])");
        let again = applied_to(TWO, &["{ S[i] -> T[i] : 0 <= i < 9 }"], "fuse(S[0]); distribute(S[0]); fuse(S[0])");
        assert_eq!(before, again);
    }

    #[test]
    fn pieces_of_a_statement_keep_their_functions() {
        let cut = r#"
            domain: "[n] -> { S[i] : 0 <= i < n; T[i, j] : 0 <= i, j < n }"
            child:
              schedule: "[n] -> [{ S[i] -> [(i)]; T[i, j] -> [(j)] }]"
              child:
                schedule: "[n] -> [{ S[i] -> [(2i)]; T[i, j] -> [(1)] }]"
                child:
                  sequence:
                  - filter: "{ S[i] }"
                  - filter: "{ T[i, j] }"
        "#;
        let tree = applied_to(cut, &[], "cut(S[1], 0, 5); fuse(S[1])");
        assert!(tree.contains("T[i, j] -> [(1)]"), "{tree}");
        assert_eq!(tree.matches("schedule").count(), 2, "{tree}");
    }
}
