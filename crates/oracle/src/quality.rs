//! What a schedule is good for, statement by statement, from definitions alone.
//!
//! # Definitions
//! A member of a band is a *loop* of a statement if its value is not determined by the parameters
//! and the members outside of it. The *depth* of a band is the number of loops in it, 1 at most if
//! it is not permutable. Loops are *parallel* if no pair of the relation `coincidence` that reaches
//! the band has a distance in them. A relation is *carried* if none of its pairs is left at equal
//! time behind the outermost bands and what stands before them: what is inside is free of it.
//!
//! Flags about parallelism are not looked at; permutable bands are tested.

use std::collections::BTreeMap;
use std::fmt;

use poly_presburger::{Budget, DimKind, Map, Set, Stop, Tuple, UnionMap, UnionSet};
use poly_schedule_tree::{Band, Node, NodeKind, ScheduleTree};

/// What a schedule does for a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quality {
    /// Depth of the deepest band.
    pub depth: usize,
    /// Number of parallel loops.
    pub parallel: usize,
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "band depth {}, {} parallel", self.depth, self.parallel)
    }
}

/// By the name of the statement.
pub type Qualities = BTreeMap<String, Quality>;

fn stopped(stop: Stop) -> String {
    stop.to_string()
}

/// What a schedule does for each statement.
///
/// # Errors
/// A sentence if a permutable band is not permutable, or if the budget runs out.
pub fn qualities(
    tree: &ScheduleTree,
    domain: &UnionSet,
    validity: &UnionMap,
    coincidence: &UnionMap,
    budget: &mut Budget,
) -> Result<Qualities, String> {
    let name = |set: &Set| set.tuple().and_then(Tuple::name_str).unwrap_or("").to_owned();
    let mut result: Qualities = domain.iter().map(|set| (name(set), Quality::default())).collect();
    for node in tree.band_nodes() {
        let band = node.band().expect("these are the nodes with bands");
        if band.permutable {
            check_permutable(&node, band, validity, budget)?;
        }
        let pairs = reaching(coincidence, &node);
        let mut coincident = Vec::new();
        for i in 0..band.n_member() {
            coincident
                .push(!has_distance(&pairs, band, i, &[Sign::Positive, Sign::Negative], budget).map_err(stopped)?);
        }
        for set in node.domain().iter() {
            let loops = loops(&node, band, set, budget).map_err(stopped)?;
            let depth = loops.iter().filter(|l| **l).count();
            let quality = result.entry(name(set)).or_default();
            quality.depth = quality.depth.max(if band.permutable { depth } else { depth.min(1) });
            quality.parallel += loops.iter().zip(&coincident).filter(|(l, c)| **l && **c).count();
        }
    }
    Ok(result)
}

/// Which members of a band are loops of a statement.
fn loops(node: &Node, band: &Band, domain: &Set, budget: &mut Budget) -> Result<Vec<bool>, Stop> {
    let only = UnionSet::from_members([domain.clone()]);
    let mut outside = node.prefix_schedule_map().intersect_domain(&only);
    let mut result = Vec::new();
    for member in band.schedule.members() {
        let value = member.to_union_map().intersect_domain(&only);
        result.push(!outside.reverse().apply_range(&value).is_single_valued(budget)?);
        outside = outside.flat_range_product(&value);
    }
    Ok(result)
}

/// The pairs of instances that reach a node at equal times.
fn reaching(pairs: &UnionMap, node: &Node) -> UnionMap {
    let prefix = node.prefix_schedule_map();
    let domain = prefix.domain();
    let inside = pairs.intersect_domain(&domain).intersect_range(&domain);
    inside.intersect(&prefix.apply_range(&prefix.reverse()))
}

#[derive(Clone, Copy, Debug)]
enum Sign {
    Positive,
    Negative,
}

/// Whether a pair has a distance of one of the signs in a member.
fn has_distance(
    pairs: &UnionMap,
    band: &Band,
    member: usize,
    signs: &[Sign],
    budget: &mut Budget,
) -> Result<bool, Stop> {
    let value = band.schedule.get(member).to_union_map();
    for sign in signs {
        for times in value.range().iter() {
            let order = match sign {
                Sign::Positive => Map::lex_lt(times.space()),
                Sign::Negative => Map::lex_gt(times.space()),
            };
            let order = UnionMap::from_members([order]);
            let apart = pairs.intersect(&value.apply_range(&order).apply_range(&value.reverse()));
            if !apart.is_empty(budget)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn check_permutable(node: &Node, band: &Band, validity: &UnionMap, budget: &mut Budget) -> Result<(), String> {
    let pairs = reaching(validity, node);
    for i in 0..band.n_member() {
        if has_distance(&pairs, band, i, &[Sign::Negative], budget).map_err(stopped)? {
            return Err(format!("a band is not permutable: member {i} of {}", band.schedule));
        }
    }
    Ok(())
}

/// How many of some relations are carried. They must be forward in the schedule.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn carried(tree: &ScheduleTree, relations: &[Map], budget: &mut Budget) -> Result<usize, Stop> {
    let outermost: Vec<Node> = tree.band_nodes().into_iter().filter(is_outermost).collect();
    let reached: Vec<UnionSet> = outermost.iter().map(Node::domain).collect();
    let place = |tuple: Option<&Tuple>| {
        tuple.and_then(|tuple| reached.iter().position(|domain| domain.get_tuple(tuple).is_some()))
    };
    let mut count = 0;
    for relation in relations {
        let ends = [DimKind::In, DimKind::Out].map(|kind| place(relation.space().tuple(kind)));
        // Without a common band it is a sequence that separates them.
        let (Some(source), true) = (ends[0], ends[0] == ends[1]) else {
            count += 1;
            continue;
        };
        let band = outermost[source].band().expect("these are the nodes with bands");
        let times = band.schedule.to_union_map();
        let pairs = UnionMap::from_members([relation.clone()]);
        let equal = pairs.intersect(&times.apply_range(&times.reverse()));
        count += usize::from(equal.is_empty(budget)?);
    }
    Ok(count)
}

/// Whether no band stands above.
fn is_outermost(node: &Node) -> bool {
    !node.ancestor_kinds().any(|kind| matches!(kind, NodeKind::Band(band) if band.n_member() > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(schedule: &str, permutable: bool) -> ScheduleTree {
        let flag = if permutable { ", permutable: 1" } else { "" };
        let text = format!(
            "{{ domain: \"[n] -> {{ S[t, i] : 0 <= t, i < n }}\", child: {{ schedule: \"{schedule}\"{flag} }} }}"
        );
        text.parse().expect("the tree can be read")
    }

    fn stencil(schedule: &str, permutable: bool) -> Result<Quality, String> {
        let tree = tree(schedule, permutable);
        let pairs: UnionMap =
            "{ S[t, i] -> S[t + 1, i']: i - 1 <= i' <= i + 1 }".parse().expect("the relation can be read");
        qualities(&tree, tree.domain(), &pairs, &pairs, &mut Budget::unlimited()).map(|all| all["S"])
    }

    #[test]
    fn qualities_follow_from_the_definitions() {
        let straight = "[n] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(i)] }]";
        assert_eq!(stencil(straight, false), Ok(Quality { depth: 1, parallel: 0 }));
        assert!(stencil(straight, true).is_err_and(|reason| reason.contains("not permutable")));
        let skewed = "[n] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] }]";
        assert_eq!(stencil(skewed, true), Ok(Quality { depth: 2, parallel: 0 }));
        // What is determined by outer members is not a loop.
        let more = "[n] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] }, { S[t, i] -> [(2t + i)] }]";
        assert_eq!(stencil(more, true), Ok(Quality { depth: 2, parallel: 0 }));
    }

    #[test]
    fn what_the_outermost_band_leaves_is_not_carried() {
        let relations: Vec<Map> = ["{ S[t, i] -> S[t + 1, i] }", "{ S[t, i] -> S[t, i + 1] }"]
            .map(|text| text.parse().expect("the relation can be read"))
            .to_vec();
        let carried = |schedule| carried(&tree(schedule, false), &relations, &mut Budget::unlimited());
        assert_eq!(carried("[n] -> [{ S[t, i] -> [(t)] }]"), Ok(1));
        assert_eq!(carried("[n] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(i)] }]"), Ok(2));
        assert_eq!(carried("[n] -> [{ S[t, i] -> [(0)] }]"), Ok(0));
    }
}
