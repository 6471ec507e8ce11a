//! The checker on legal and illegal schedules.

#[path = "../../dependence/tests/common/mod.rs"]
mod programs;

use expect_test::{Expect, expect};
use poly_checker::{Legality, Promise, Verdict, check, check_coincidence, judge};
use poly_dependence::{Dependence, Options, analyse};
use poly_presburger::budget::Budget;
use poly_schedule_tree::ScheduleTree;
use programs::loops::loops;

/// for i: for j: A[i, j] = A[i - 1, j + 1]
fn skewed() -> Vec<Dependence> {
    let problem = loops("[n] -> { : n >= 3 }", "for i in 1..n { for j in 0..n - 1 { S: A[i, j] = A[i - 1, j + 1]; } }");
    analyse(&problem, &Options::default(), &mut Budget::unlimited()).expect("no limit").dependences
}

/// A producer and a consumer.
fn pair() -> Vec<Dependence> {
    let problem = loops("[n] -> { : n >= 3 }", "for i in 0..n { S: A[i] = ; } for i in 0..n { T: B[i] = A[i]; }");
    analyse(&problem, &Options::default(), &mut Budget::unlimited()).expect("no limit").dependences
}

const DOMAIN: &str = "domain: \"[n] -> { S[i, j] : 1 <= i < n and 0 <= j <= n - 2 }\"\nchild:\n";
const PAIR: &str = "domain: \"[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }\"\nchild:\n";

fn assert_verdict(tree: &str, dependences: &[Dependence], expected: Expect) {
    let tree: ScheduleTree = tree.parse().expect("the tree parses");
    let mut budget = Budget::unlimited();
    let legality = check(&tree, dependences, &mut budget).expect("no limit");
    let coincidence = check_coincidence(&tree, dependences, &mut budget).expect("no limit");
    expected.assert_eq(&format!("{legality:?}\n{coincidence:?}\n"));
}

fn band(members: &str, coincident: &str) -> String {
    format!("{DOMAIN}  schedule: \"[{members}]\"\n  coincident: [ {coincident} ]\n")
}

#[test]
fn the_original_order_is_legal() {
    assert_verdict(
        &band("{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }", "0, 1"),
        &skewed(),
        expect![[r#"
        Legal
        Kept
    "#]],
    );
}

#[test]
fn interchange_is_not() {
    assert_verdict(
        &band("{ S[i, j] -> [(j)] }, { S[i, j] -> [(i)] }", "0, 0"),
        &skewed(),
        expect![[r#"
        Violated { dependence: 0, source: [1, 1], sink: [2, 0], params: [3] }
        Kept
    "#]],
    );
}

#[test]
fn equal_times_are_not() {
    assert_verdict(
        &band("{ S[i, j] -> [(i + j)] }", "1"),
        &skewed(),
        expect![[r#"
        Violated { dependence: 0, source: [1, 1], sink: [2, 0], params: [3] }
        Kept
    "#]],
    );
}

#[test]
fn a_carrying_loop_is_not_coincident() {
    assert_verdict(
        &band("{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }", "1, 1"),
        &skewed(),
        expect![[r#"
        Legal
        Violated { dimension: 0, dependence: 0, source: [1, 1], sink: [2, 0], params: [3] }
    "#]],
    );
}

#[test]
fn rectangular_tiles_of_a_skewed_dependence() {
    let tiles =
        "{ S[i, j] -> [(floor((i)/4))] }, { S[i, j] -> [(floor((j)/4))] }, { S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }";
    assert_verdict(
        &band(tiles, "0, 0, 0, 0"),
        &skewed(),
        expect![[r#"
        Violated { dependence: 0, source: [1, 4], sink: [2, 3], params: [6] }
        Kept
    "#]],
    );
}

#[test]
fn tiles_after_skewing() {
    let tiles = "{ S[i, j] -> [(floor((i)/4))] }, { S[i, j] -> [(floor((i + j)/4))] }, { S[i, j] -> [(i)] }, { S[i, j] -> [(i + j)] }";
    assert_verdict(
        &band(tiles, "0, 1, 0, 1"),
        &skewed(),
        expect![[r#"
        Legal
        Kept
    "#]],
    );
}

#[test]
fn sequences() {
    let tree = |first: &str, second: &str| {
        format!(
            "{PAIR}  sequence:\n  - filter: \"{{ {first}[i] }}\"\n    child:\n      schedule: \"[{{ {first}[i] -> [(i)] }}]\"\n      coincident: [ 1 ]\n  - filter: \"{{ {second}[i] }}\"\n    child:\n      schedule: \"[{{ {second}[i] -> [(-i)] }}]\"\n      coincident: [ 1 ]\n"
        )
    };
    assert_verdict(
        &tree("S", "T"),
        &pair(),
        expect![[r#"
        Legal
        Kept
    "#]],
    );
    assert_verdict(
        &tree("T", "S"),
        &pair(),
        expect![[r#"
        Violated { dependence: 0, source: [0], sink: [0], params: [3] }
        Kept
    "#]],
    );
}

#[test]
fn a_statement_that_is_never_executed() {
    let tree = format!("{PAIR}  filter: \"{{ S[i] }}\"\n  child:\n    schedule: \"[{{ S[i] -> [(i)] }}]\"\n");
    assert_verdict(
        &tree,
        &pair(),
        expect![[r#"
        Violated { dependence: 0, source: [0], sink: [0], params: [3] }
        Kept
    "#]],
    );
}

#[test]
fn instances_that_are_never_executed() {
    let tree = format!("{PAIR}  sequence:\n  - filter: \"{{ S[i] }}\"\n  - filter: \"{{ T[i] : i >= 2 }}\"\n");
    assert_verdict(
        &tree,
        &pair(),
        expect![[r#"
        Violated { dependence: 0, source: [0], sink: [0], params: [3] }
        Kept
    "#]],
    );
}

#[test]
fn only_the_instances_that_reach_a_loop_count() {
    // The first iteration of i is peeled into a loop of its own. Of the two loops over i only the
    // peeled one is coincident.
    let loops = |coincident: &str| {
        format!(
            "{DOMAIN}  sequence:\n  - filter: \"{{ S[i, j] : i <= 1 }}\"\n    child:\n      schedule: \"[{{ S[i, j] -> [(i)] }}]\"\n      coincident: [ 1 ]\n      child:\n        schedule: \"[{{ S[i, j] -> [(j)] }}]\"\n  - filter: \"{{ S[i, j] : i >= 2 }}\"\n    child:\n      schedule: \"[{{ S[i, j] -> [(i)] }}]\"\n      coincident: [ {coincident} ]\n      child:\n        schedule: \"[{{ S[i, j] -> [(j)] }}]\"\n"
        )
    };
    assert_verdict(
        &loops("0"),
        &skewed(),
        expect![[r#"
        Legal
        Kept
    "#]],
    );
    assert_verdict(
        &loops("1"),
        &skewed(),
        expect![[r#"
        Legal
        Violated { dimension: 1, dependence: 0, source: [2, 1], sink: [3, 0], params: [4] }
    "#]],
    );
}

/// `band` in tiles whose sizes are parameters.
fn tiled(members: &str, tile_coincident: &str) -> String {
    format!(
        "{DOMAIN}  schedule: \"[{members}]\"\n  coincident: [ {tile_coincident} ]\n  multiples_of: [ p, q ]\n  child:\n    schedule: \"[{members}]\"\n"
    )
}

#[test]
fn tiles_of_parametric_sizes_are_legal_where_no_distance_is_negative() {
    assert_verdict(
        &tiled("{ S[i, j] -> [(i)] }, { S[i, j] -> [(i + j)] }", "0, 1"),
        &skewed(),
        expect![[r#"
            Legal
            Kept
        "#]],
    );
    // Legal with tiles of one row, but not with all sizes.
    assert_verdict(
        &tiled("{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }", "0, 0"),
        &skewed(),
        expect![[r#"
        Violated { dependence: 0, source: [1, 1], sink: [2, 0], params: [3] }
        Kept
    "#]],
    );
    assert_verdict(
        &tiled("{ S[i, j] -> [(i)] }, { S[i, j] -> [(2i + j)] }", "0, 1"),
        &skewed(),
        expect![[r#"
            Legal
            Violated { dimension: 1, dependence: 0, source: [1, 1], sink: [2, 0], params: [3] }
        "#]],
    );
}

/// Existential divs with many bounds on each other: to define them takes a great number of pieces.
fn tangled() -> Vec<Dependence> {
    let mut dependences = pair();
    dependences.truncate(1);
    let relation = "[n] -> { S[i] -> T[j] : 0 <= i <= j < n and exists (a, b, c, d: \
        0 <= a, b, c, d < n and 3a + 5b - 7c + 2d >= i and 4a - 3b + 9c - 5d <= j and 11a - 2b - 3c + 7d <= i + j and \
        5a + 8b - 3c - 4d >= j - i and 6a - 7b + 5c + 3d <= 2i + 3j) }";
    dependences[0].relation = relation.parse().expect("the relation parses");
    dependences
}

#[test]
fn existential_divs_need_no_definitions() {
    let dependences = tangled();
    let steps = 1000;
    let defined = dependences[0].relation.clone().compute_divs(&mut Budget::new(steps));
    assert!(defined.is_err(), "definitions take more");

    let sequence = |first: &str, second: &str| -> ScheduleTree {
        let tree = format!("{PAIR}  sequence:\n  - filter: \"{{ {first}[i] }}\"\n  - filter: \"{{ {second}[i] }}\"\n");
        tree.parse().expect("the tree parses")
    };
    assert_eq!(check(&sequence("S", "T"), &dependences, &mut Budget::new(steps)), Ok(Legality::Legal));
    let backward = check(&sequence("T", "S"), &dependences, &mut Budget::new(steps)).expect("the budget is enough");
    assert_ne!(backward, Legality::Legal);
}

/// The promise that a tree breaks.
fn broken(tree: &ScheduleTree, dependences: &[Dependence]) -> Option<Promise> {
    match judge(tree, dependences, &mut Budget::unlimited()).expect("no limit") {
        Verdict::Legal => None,
        Verdict::Violated(promise, _) => Some(promise),
    }
}

/// Whether the loop of threads below the mark keeps its promise; nothing else is broken.
fn is_shared(tree: &ScheduleTree, dependences: &[Dependence]) -> bool {
    let promise = broken(tree, dependences);
    assert!(matches!(promise, None | Some(Promise::Parallel { dimension: 0 })), "{promise:?}");
    promise.is_none()
}

#[test]
fn loops_of_threads_carry_nothing_but_private_reductions() {
    let below = |members: &str, reductions: &str| -> ScheduleTree {
        let text = format!("{DOMAIN}  mark: parallel{reductions}\n  child:\n    schedule: \"[{members}]\"\n");
        text.parse().expect("the tree parses")
    };
    let problem = loops("[n] -> { : n >= 3 }", "for i in 1..n { for j in 0..n - 1 { S: A[i] += B[j]; } }");
    let options = Options { reductions: true, ..Options::default() };
    let sums = analyse(&problem, &options, &mut Budget::unlimited()).expect("no limit").dependences;
    assert!(sums.iter().any(|d| d.reduction));
    let shared = |members: &str, dependences: &[Dependence], private: &[(usize, usize)]| {
        let reductions: Vec<String> = private.iter().map(|(_, write)| format!("reduction S.{write}")).collect();
        let reductions = if private.is_empty() { String::new() } else { format!("({})", reductions.join(", ")) };
        is_shared(&below(members, &reductions), dependences)
    };
    let (rows, columns) = ("{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }", "{ S[i, j] -> [(j)] }, { S[i, j] -> [(i)] }");
    let write = sums[0].source;
    assert!(shared(rows, &sums, &[]));
    assert!(!shared(columns, &sums, &[]));
    assert!(shared(columns, &sums, &[write]));
    assert!(!shared(columns, &sums, &[(write.0, write.1 + 5)]), "another write");
    // Only updates have parts of their own.
    assert!(!shared(rows, &skewed(), &[skewed()[0].source]));
}

#[test]
fn loops_are_free_without_some_statements() {
    // Along j, T waits for S of another iteration; neither waits for itself.
    let problem = loops(
        "[n] -> { : n >= 3 }",
        "for k in 0..n { for j in 1..n { S: A[k, j] = B[k, j]; T: C[k, j] = A[k, j - 1]; } }",
    );
    let dependences = analyse(&problem, &Options::default(), &mut Budget::unlimited()).expect("no limit").dependences;
    let below = |outer: &str, inner: &str, pairs: &str| -> ScheduleTree {
        let of = |i: &str| format!("[{{ S[k, j] -> [({i})]; T[k, j] -> [({i})] }}]");
        let domain = "domain: \"[n] -> { S[k, j] : 0 <= k < n and 1 <= j < n; T[k, j] : 0 <= k < n and 1 <= j < n }\"";
        let (outer, inner) = (of(outer), of(inner));
        let text = format!(
            "{domain}\nchild:\n  schedule: \"{outer}\"\n  child:\n    mark: \"vector-if-distributed{pairs}\"\n    child:\n      schedule: \"{inner}\"\n"
        );
        text.parse().expect("the tree parses")
    };
    let free = |tree: &ScheduleTree| {
        let promise = broken(tree, &dependences);
        assert!(matches!(promise, None | Some(Promise::Distribution { dimension: 1 })), "{promise:?}");
        promise.is_none()
    };
    assert!(!free(&below("k", "j", "")), "both may be in the loop");
    assert!(free(&below("k", "j", "(S -> T)")));
    assert!(free(&below("k", "j", "(T -> S)")));
    assert!(!free(&below("k", "j", "(S -> S, T -> T)")));
    assert!(free(&below("j", "k", "")), "what is outside carries it");
}

#[test]
fn iterations_that_threads_take_in_turn_are_waited_for() {
    // Column j is changed by all columns k before it.
    let problem = loops("[n] -> { : n >= 20 }", "for k in 0..n { for j in k + 1..n { S: A[j] += A[k]; } }");
    let options = Options { reductions: true, ..Options::default() };
    let exact = analyse(&problem, &Options::default(), &mut Budget::unlimited()).expect("no limit").dependences;
    let with_sums = analyse(&problem, &options, &mut Budget::unlimited()).expect("no limit").dependences;
    let domain = "domain: \"[n] -> { S[k, j] : 0 <= k < n and k < j < n }\"\nchild:\n";
    let band = |depth: usize, function: &str, child: &str| {
        let indent = "  ".repeat(depth);
        format!("{indent}schedule: \"[{{ S[k, j] -> [({function})] }}]\"\n{indent}child:\n{child}")
    };
    let last = |depth: usize| {
        let indent = "  ".repeat(depth);
        format!("{indent}schedule: \"[{{ S[k, j] -> [(k)] }}, {{ S[k, j] -> [(j)] }}]\"\n")
    };
    let kept = |tree: &str, dependences: &[Dependence]| {
        let tree: ScheduleTree = tree.parse().expect("the tree parses");
        let legality = check(&tree, dependences, &mut Budget::unlimited()).expect("no limit");
        assert_eq!(legality, Legality::Legal);
        let promise = broken(&tree, dependences);
        assert!(matches!(promise, None | Some(Promise::Doacross { dimension: 0 })), "{promise:?}");
        promise.is_none()
    };
    let in_stages = |stage: &str| {
        let stages = band(3, stage, &format!("        mark: wait\n        child:\n{}", last(5)));
        format!("{domain}  mark: doacross\n  child:\n{}", band(2, "floor(j/4)", &stages))
    };
    for dependences in [&exact, &with_sums] {
        assert!(kept(&in_stages("floor(k/4)"), dependences));
        assert!(kept(&in_stages("floor((k + 3)/4)"), dependences), "earlier than needed");
        assert!(!kept(&in_stages("floor((k - 1)/4)"), dependences), "the last column of a block is not waited for");
        assert!(!kept(&in_stages("floor(k/8)"), dependences));
    }
    let without = band(2, "floor(j/4)", &last(3));
    assert!(!kept(&format!("{domain}  mark: doacross\n  child:\n{without}"), &exact), "nobody waits");
    let no_mark = band(2, "floor(j/4)", &band(3, "floor(k/4)", &last(4)));
    assert!(!kept(&format!("{domain}  mark: doacross\n  child:\n{no_mark}"), &exact));
    let deeper = band(
        2,
        "floor(j/4)",
        &band(3, "0", &band(4, "floor(k/4)", &format!("          mark: wait\n          child:\n{}", last(6)))),
    );
    assert!(!kept(&format!("{domain}  mark: doacross\n  child:\n{deeper}"), &exact), "other loops have no stages");
    // Columns that do not depend on each other need no stages.
    let free = loops("[n] -> { : n >= 20 }", "for k in 0..n { for j in k + 1..n { S: A[j] += B[k]; } }");
    let free = analyse(&free, &Options::default(), &mut Budget::unlimited()).expect("no limit").dependences;
    assert!(kept(&format!("{domain}  mark: doacross\n  child:\n{without}"), &free));
}

#[test]
fn the_example_of_the_design_page() {
    let page = include_str!("../../../docs/design/checker.md");
    let verdict = |first: &str, second: &str| {
        let tree = format!(
            "{DOMAIN}  mark: \"parallel\"\n  child:\n    schedule: \"[{{ S[i, j] -> [({first})] }}, {{ S[i, j] -> [({second})] }}]\"\n"
        );
        let tree: ScheduleTree = tree.parse().expect("the tree parses");
        judge(&tree, &skewed(), &mut Budget::unlimited()).expect("no limit").to_string()
    };
    assert_eq!(verdict("i + j", "i"), "legal");
    for (first, second) in [("j", "i"), ("i", "j")] {
        let text = verdict(first, second);
        assert!(page.contains(&format!("    {text}\n")), "{text}");
    }
}

#[test]
fn copies_before_the_stages_wait_for_nothing() {
    let problem = loops("[n] -> { : n >= 20 }", "for k in 0..n { for j in k + 1..n { S: A[j] += A[k]; } }");
    let dependences = analyse(&problem, &Options::default(), &mut Budget::unlimited()).expect("no limit").dependences;
    let tree = |copies: &str, rest: &str| -> ScheduleTree {
        let text = format!(
            r#"
domain: "[n] -> {{ S[k, j] : 0 <= k < n and k < j < n; Fill[t] : 0 <= 4t < n }}"
child:
  mark: "doacross"
  child:
    schedule: "[{{ S[k, j] -> [(floor(j/4))]; Fill[t] -> [(t)] }}]"
    child:
      sequence:
      - filter: "[n] -> {{ {copies} }}"
      - filter: "[n] -> {{ {rest} }}"
        child:
          schedule: "[{{ S[k, j] -> [(floor(k/4))] }}]"
          child:
            mark: "wait"
            child:
              schedule: "[{{ S[k, j] -> [(k)] }}, {{ S[k, j] -> [(j)] }}]"
"#
        );
        text.parse().expect("the tree parses")
    };
    assert_eq!(broken(&tree("Fill[t]", "S[k, j]"), &dependences), None);
    let early = tree("Fill[t]; S[k, j] : k = 3 and j = 4", "S[k, j] : k != 3 or j != 4");
    assert_ne!(broken(&early, &dependences), None, "an instance that others wait for is not in the stages");
}
