//! Changed trees against their definitions, instance by instance.

use std::cmp::Ordering;

use poly_arith::Int;
use poly_presburger::{Budget, UnionMap, UnionPwMultiAff, UnionSet};
use poly_schedule_tree::{Node, NodeKind, ScheduleTree, Tree};

const TREE: &str = r#"
domain: "{ S[i, j] : 0 <= i <= 5 and 0 <= j <= i; T[i] : 0 <= i <= 5 }"
child:
  schedule: "[{ S[i, j] -> [(i)]; T[i] -> [(i)] }, { S[i, j] -> [(i + j)]; T[i] -> [(2i)] }]"
  permutable: 1
  coincident: [ 1, 0 ]
  child:
    sequence:
    - filter: "{ T[i] : i <= 40 }"
    - filter: "{ S[i, j] }"
      child:
        filter: "{ S[i, j] : j >= -1 }"
        child:
          schedule: "[{ S[i, j] -> [(-j)] }]"
"#;

fn tree() -> ScheduleTree {
    TREE.parse().expect("the tree can be read")
}

fn budget() -> Budget {
    Budget::unlimited()
}

/// Time of every instance, by the text of the instance.
fn times(tree: &ScheduleTree) -> Vec<(String, Vec<Int>)> {
    let mut result = Vec::new();
    for map in tree.schedule_map().iter() {
        let name = map.space().domain_space().to_string();
        for point in map.domain().enumerate(&[], &mut budget()).expect("the domain is finite") {
            let mut images = map.clone();
            for (i, x) in point.iter().enumerate() {
                images = images.fix(poly_presburger::DimKind::In, i, x.clone());
            }
            let images = images.range().enumerate(&[], &mut budget()).expect("it is a function");
            assert_eq!(images.len(), 1, "{name} {point:?} has one time");
            result.push((format!("{name}{point:?}"), images.into_iter().next().expect("there is one")));
        }
    }
    result.sort();
    result
}

/// Whether all pairs of instances are ordered in the same way.
fn same_order(a: &ScheduleTree, b: &ScheduleTree) -> bool {
    let (a, b) = (times(a), times(b));
    let names = |times: &[(String, Vec<Int>)]| times.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&a), names(&b), "the instances are the same");
    let order = |times: &[(String, Vec<Int>)], i: usize, k: usize| -> Ordering { times[i].1.cmp(&times[k].1) };
    (0..a.len()).all(|i| (0..a.len()).all(|k| order(&a, i, k) == order(&b, i, k)))
}

fn band(tree: &ScheduleTree) -> Node {
    tree.root().child(0)
}

fn ints(values: [i64; 2]) -> [Int; 2] {
    values.map(Int::from)
}

fn schedule_of(node: &Node) -> UnionMap {
    node.band().expect("it is a band").schedule.to_union_map()
}

#[test]
fn scaling_keeps_the_order() {
    for factors in [[1, 1], [3, 7], [1000, 2]] {
        let scaled = band(&tree()).band_scale(&ints(factors));
        assert!(same_order(&scaled.tree(), &tree()), "{factors:?}");
        assert!(scaled.band().expect("it is a band").permutable, "a scaled band is as permutable");
    }
}

#[test]
fn quotients_and_remainders_are_those_of_the_members() {
    let node = band(&tree());
    let (down, rest) = (node.band_scale_down(&ints([2, 3])), node.band_mod(&ints([2, 3])));
    let quotients =
        "{ S[i, j] -> [floor(i/2), floor((i + j)/3)] : 0 <= i <= 5; T[i] -> [floor(i/2), floor(2i/3)] : 0 <= i <= 5 }";
    let remainders =
        "{ S[i, j] -> [i mod 2, (i + j) mod 3] : 0 <= i <= 5; T[i] -> [i mod 2, (2i) mod 3] : 0 <= i <= 5 }";
    let of = |map: UnionMap| map.intersect_domain(tree().domain());
    for (found, expected) in [(&down, quotients), (&rest, remainders)] {
        let expected: UnionMap = expected.parse().expect("the relation can be read");
        assert_eq!(of(schedule_of(found)).is_equal(&of(expected), &mut budget()), Ok(true), "{}", found.tree());
    }
    assert!(!rest.band().expect("it is a band").permutable, "remainders are not");
    // Quotients followed by remainders are the members again.
    let inner = node.band().expect("it is a band").modulo(&ints([2, 3]));
    let both = down.child(0).insert_band(inner).tree();
    let first = times(&both);
    assert_eq!(first.len(), times(&tree()).len(), "no instance is lost");
}

#[test]
fn shifts_are_added_where_they_are_defined() {
    let by = "[{ T[i] -> [(10)] }, { T[i] -> [(-i)] }]".parse().expect("the function can be read");
    let shifted = band(&tree()).band_shift(&by, &mut budget()).expect("no limit");
    let expected: UnionMap =
        "{ S[i, j] -> [i, i + j]; T[i] -> [i + 10, i] }".parse().expect("the relation can be read");
    let of = |map: UnionMap| map.intersect_domain(tree().domain());
    assert_eq!(of(schedule_of(&shifted)).is_equal(&of(expected), &mut budget()), Ok(true), "{}", shifted.tree());
    let band = shifted.band().expect("it is a band");
    assert!(!band.permutable && band.coincident == [false, false], "nothing is known of a shifted band");
}

/// Instances in a set run before others, and pairs on the same side as before.
fn check_parts(changed: &ScheduleTree, set: &UnionSet, inside_first: bool) {
    let inside: Vec<String> = times(&tree().intersect_domain(set)).into_iter().map(|(name, _)| name).collect();
    let (old, new) = (times(&tree()), times(changed));
    for (i, (a, old_a)) in old.iter().enumerate() {
        for (k, (b, old_b)) in old.iter().enumerate() {
            let order = new[i].1.cmp(&new[k].1);
            let expected = match (inside.contains(a), inside.contains(b)) {
                (true, false) => {
                    if inside_first {
                        Ordering::Less
                    } else {
                        Ordering::Greater
                    }
                }
                (false, true) => {
                    if inside_first {
                        Ordering::Greater
                    } else {
                        Ordering::Less
                    }
                }
                _ => old_a.cmp(old_b),
            };
            assert_eq!(order, expected, "{a} and {b}");
        }
    }
}

#[test]
fn parts_run_before_and_after() {
    let budget = &mut budget();
    for text in ["{ S[i, j] : i + j >= 4; T[i] : i <= 2 }", "{ T[i] }", "{ S[i, j] : j mod 2 = 0 }"] {
        let set: UnionSet = text.parse().expect("the set can be read");
        check_parts(&band(&tree()).order_before(&set, budget).expect("no limit").tree(), &set, true);
        check_parts(&band(&tree()).order_after(&set, budget).expect("no limit").tree(), &set, false);
    }
    let all = band(&tree()).order_before(tree().domain(), budget).expect("no limit");
    assert_eq!(all.tree(), tree(), "nothing changes if all run before the others");
}

#[test]
fn grafts_stand_beside_what_was_there() {
    let extension: UnionMap = "{ [a, b] -> copy[a, b] }".parse().expect("the relation can be read");
    let below = band(&tree()).child(0);
    let before = below.graft_before(extension.clone(), Tree::leaf());
    assert_eq!((before.path(), before.subtree()), (vec![0, 0, 0, 1, 0], below.subtree()));
    let after = below.graft_after(extension, Tree::leaf());
    assert_eq!((after.path(), after.subtree()), (vec![0, 0, 0, 0, 0], below.subtree()));
    assert_eq!(
        after.parent().and_then(|filter| filter.next_sibling()).map(|graft| graft.subtree().child().is_leaf()),
        Some(true)
    );
}

#[test]
fn trees_are_combined() {
    let other = ScheduleTree::from_domain("{ U[] }".parse().expect("the set can be read"));
    let expected = tree().schedule_map();
    let both = tree().sequence(&other);
    assert_eq!(
        times(&both).iter().max_by_key(|(_, time)| time.clone()).map(|(name, _)| name.contains('U')),
        Some(true)
    );
    assert!(same_order(&both.intersect_domain(tree().domain()), &tree()), "{expected}");
    assert_eq!(times(&tree().set(&other)).len(), times(&tree()).len() + 1);
}

#[test]
fn preimages_run_as_their_images() {
    let by: UnionPwMultiAff =
        "{ A[x] -> S[(x), (x)] : x >= 1; B[y, z] -> T[(y + 2z)] }".parse().expect("it can be read");
    let pulled = tree().pullback(&by);
    let expected = by.to_union_map().apply_range(&tree().schedule_map());
    assert_eq!(pulled.schedule_map().is_equal(&expected, &mut budget()), Ok(true), "{pulled}");
}

#[test]
fn known_conditions_are_left_out() {
    let shorter = tree().gist(&mut budget()).expect("no limit");
    assert!(same_order(&shorter, &tree()), "{shorter}");
    assert!(!shorter.to_string().contains("40") && !shorter.to_string().contains("-1"), "{shorter}");
    assert_eq!(shorter.tree().height() + 1, tree().tree().height(), "a filter that lets everything through is gone");
}

/// Number of points.
fn count(set: &UnionSet) -> usize {
    set.iter().map(|set| set.enumerate(&[], &mut budget()).expect("the set is finite").len()).sum()
}

/// All places below the root where other nodes than filters may stand.
fn places(tree: &ScheduleTree) -> Vec<Node> {
    let below_order =
        |node: &Node| matches!(node.ancestor_kinds().next_back(), None | Some(NodeKind::Sequence | NodeKind::Set));
    tree.nodes().into_iter().filter(|node| !below_order(node)).collect()
}

#[test]
fn groups_keep_the_order() {
    for place in places(&tree()) {
        let grouped = place.group("G".into(), &mut budget()).expect("no limit");
        assert!(same_order(&grouped.tree(), &tree()), "{}", grouped.tree());
        assert_eq!(grouped.subtree(), place.subtree(), "the cursor stays where it was");
        let groups: UnionSet =
            grouped.tree().domain().filter(|set| set.tuple_name().is_some_and(|n| n.as_str() == "G"));
        let expected = place.prefix_schedule_map().range();
        assert_eq!(count(&groups), count(&expected), "one for each prefix");
    }
}

#[test]
fn instances_are_put_in_the_place_of_groups() {
    let outer = r#"{ domain: "{ G[a, b] : 0 <= a, b <= 5 }", child: { schedule: "[{ G[a, b] -> [(b)] }, { G[a, b] -> [(-a)] }]" } }"#;
    let outer: ScheduleTree = outer.parse().expect("the tree can be read");
    let contraction: UnionPwMultiAff =
        "{ S[i, j] -> G[(i), (floor(j/2))]; T[i] -> G[(i), (i)] }".parse().expect("it can be read");
    let expanded = outer.expand(&contraction, &tree());
    let position = |map: UnionMap| map.intersect_domain(tree().domain());
    let expected = position("{ S[i, j] -> [floor(j/2), -i]; T[i] -> [i, -i] }".parse().expect("it can be read"));
    let expected = expected.flat_range_product(&tree().schedule_map());
    assert_eq!(expanded.schedule_map().is_equal(&expected, &mut budget()), Ok(true), "{expanded}");
}

#[test]
fn groups_of_added_instances_are_added() {
    let extension: UnionMap = "{ [a, b] -> copy[a, b, c] : 0 <= c <= a }".parse().expect("the relation can be read");
    let graft = band(&tree()).child(0).graft_before(extension, Tree::leaf()).parent().expect("it is below a filter");
    let graft = graft.parent().expect("it is below a sequence").child(0).child(0);
    let grouped = graft.group("G".into(), &mut budget()).expect("no limit");
    assert_eq!(grouped.tree().domain(), tree().domain(), "the domain has none of them");
    let extension = grouped.ancestor_kinds().find_map(|kind| match kind {
        NodeKind::Extension(extension) => Some(extension.clone()),
        _ => None,
    });
    let expected: UnionMap = "{ [a, b] -> G[a, b] : 0 <= a <= 5 }".parse().expect("the relation can be read");
    let found = extension.expect("the extension is above");
    assert_eq!(found.intersect_domain(&expected.domain()).is_equal(&expected, &mut budget()), Ok(true), "{found}");
}
