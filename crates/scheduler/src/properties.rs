//! What the dependences allow in the bands of a given schedule.
//!
//! # Problem
//! A legal schedule tree that does not come from the scheduler (the original order, a schedule read
//! from a file) says nothing about tiling and parallelism. Find out: which members of bands are
//! coincident, which bands are permutable, and which bands that stand directly below each other are
//! one permutable band.
//!
//! # Definitions
//! A pair of a dependence *reaches* a node if both instances do, at equal time in everything above.
//! A member is *coincident* if all pairs that reach its band have distance zero in it, and a band
//! is *permutable* if none has a negative distance in any member [Bondhugula2008], except for pairs
//! of a reduction, which may be in any order.
//!
//! # Algorithm
//! From the root down, with the pairs that reach the node. At a band: as long as the child is a
//! band all members of which have no negative distance for the pairs that reach *this* band, and
//! the same holds for the members so far, the child's members are appended. Below, the pairs with
//! distance zero in all members are left.
//!
//! # Invariant
//! The order of the instances is not changed: bands are only appended to the one above.

use poly_dependence::Dependence;
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{DimKind, Map, Space, Tuple, UnionPwAff, UnionSet};
use poly_schedule_tree::{NodeKind, ScheduleTree, Tree};

/// The tree with bands joined where that makes a permutable one, and with `permutable` and
/// `coincident` as the dependences allow. Input dependences do not count. Below expansions and
/// extensions nothing is changed.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn with_properties(
    tree: &ScheduleTree,
    dependences: &[Dependence],
    budget: &mut Budget,
) -> Result<ScheduleTree, Stop> {
    let ordering = dependences.iter().filter(|d| d.is_ordering());
    let pairs: Vec<Pairs> = ordering.map(|d| Pairs { relation: d.relation.clone(), any_order: d.reduction }).collect();
    let child = walk(tree.tree().child(), &pairs, budget)?;
    Ok(ScheduleTree::new(tree.domain().clone(), child))
}

/// Pairs of a dependence.
#[derive(Clone, Debug)]
struct Pairs {
    relation: Map,
    /// Those of a reduction, which may go backwards.
    any_order: bool,
}

/// The recursion is bounded by the height of the tree.
fn walk(tree: &Tree, pairs: &[Pairs], budget: &mut Budget) -> Result<Tree, Stop> {
    budget.spend(1)?;
    match tree.kind() {
        NodeKind::Leaf | NodeKind::Expansion { .. } | NodeKind::Extension(_) => Ok(tree.clone()),
        NodeKind::Band(_) => walk_band(tree, pairs, budget),
        NodeKind::Filter(filter) => {
            let inside = within(pairs, filter, budget)?;
            Ok(tree.with_child(walk(tree.child(), &inside, budget)?))
        }
        _ => {
            let children = tree.children().iter().map(|child| walk(child, pairs, budget));
            let children = children.collect::<Result<Vec<Tree>, Stop>>()?;
            Ok(tree.with_children(children))
        }
    }
}

fn walk_band(tree: &Tree, pairs: &[Pairs], budget: &mut Budget) -> Result<Tree, Stop> {
    let mut band = tree.as_band().expect("the node is a band").clone();
    let mut coincident = Vec::new();
    let mut permutable = true;
    for member in band.schedule.members() {
        let distances = Distances::of(pairs, member, budget)?;
        coincident.push(distances == Distances::Zero);
        permutable &= distances != Distances::Negative;
    }
    let mut child = tree.child();
    while permutable && let Some(inner) = child.as_band() {
        let mut found = Vec::new();
        for member in inner.schedule.members() {
            found.push(Distances::of(pairs, member, budget)?);
        }
        if found.contains(&Distances::Negative) {
            break;
        }
        band = if band.n_member() == 0 { inner.clone() } else { band.concat(inner) };
        coincident.extend(found.iter().map(|d| *d == Distances::Zero));
        child = child.child();
    }
    band.permutable = permutable;
    band.coincident = coincident;
    let mut equal = pairs.to_vec();
    for member in band.schedule.members() {
        let mut left = Vec::new();
        for pair in &equal {
            let relation = compared(&pair.relation, member, Map::identity);
            if !relation.is_empty(budget)? {
                left.push(Pairs { relation, any_order: pair.any_order });
            }
        }
        equal = left;
    }
    Ok(Tree::band(band, walk(child, &equal, budget)?))
}

/// The pairs both ends of which are in a set of instances.
fn within(pairs: &[Pairs], filter: &UnionSet, budget: &mut Budget) -> Result<Vec<Pairs>, Stop> {
    let mut inside = Vec::new();
    for pair in pairs {
        let end = |kind| pair.relation.space().tuple(kind).and_then(|tuple| filter.get_tuple(tuple));
        if let (Some(source), Some(sink)) = (end(DimKind::In), end(DimKind::Out)) {
            let relation = pair.relation.intersect_domain(source).intersect_range(sink);
            if !relation.is_empty(budget)? {
                inside.push(Pairs { relation, any_order: pair.any_order });
            }
        }
    }
    Ok(inside)
}

/// What distances pairs have in a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Distances {
    Zero,
    /// Others, but none negative, except where any order will do.
    Positive,
    Negative,
}

impl Distances {
    fn of(pairs: &[Pairs], member: &UnionPwAff, budget: &mut Budget) -> Result<Distances, Stop> {
        let mut result = Distances::Zero;
        for pair in pairs {
            let relation = &pair.relation;
            if !compared(relation, member, Map::lex_gt).is_empty(budget)? {
                if !pair.any_order {
                    return Ok(Distances::Negative);
                }
                result = Distances::Positive;
            }
            if result == Distances::Zero && !compared(relation, member, Map::lex_lt).is_empty(budget)? {
                result = Distances::Positive;
            }
        }
        Ok(result)
    }
}

/// The pairs whose values in a member are related, source to sink, by a relation between times.
fn compared(pairs: &Map, member: &UnionPwAff, relation: fn(&Space) -> Map) -> Map {
    let value = |kind| {
        let tuple: &Tuple = pairs.space().tuple(kind).expect("a relation has both sides");
        member.get(tuple).expect("a band schedules the instances that reach it").to_map()
    };
    let (source, sink) = (value(DimKind::In), value(DimKind::Out));
    let times = relation(&Space::set(Vec::new(), Tuple::anonymous(1)));
    pairs.intersect(&source.apply_range(&times).apply_range(&sink.reverse()))
}
