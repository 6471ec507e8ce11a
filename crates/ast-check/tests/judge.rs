//! Programs written by hand: right ones are accepted, wrong ones are refused with a witness.

use expect_test::{Expect, expect};
use poly_arith::Int;
use poly_ast_build::{Ast, Cond, Expr, For, IterId, LoopIterator, Node};
use poly_ast_check::judge;
use poly_presburger::{Budget, Id, Set, Stop};
use poly_schedule_tree::{Mark, ScheduleTree};

fn n() -> Expr {
    Expr::Param(Id::new("n"))
}

fn c(number: usize) -> Expr {
    Expr::Iter(IterId(number))
}

fn plus(expr: Expr, value: i64) -> Expr {
    Expr::sum([expr, Expr::int(value)])
}

fn minus(a: Expr, b: Expr) -> Expr {
    Expr::sum([a, b.times(&Int::NEG_ONE)])
}

fn loop_from(number: usize, lower: Expr, upper: Expr, body: Node) -> Node {
    stepping(number, (lower, upper), 1, body)
}

fn stepping(number: usize, (lower, upper): (Expr, Expr), step: i64, body: Node) -> Node {
    let (iterator, step) = (IterId(number), Int::from(step));
    Node::For(Box::new(For {
        iterator,
        lower,
        upper: Some(upper),
        step,
        grid: None,
        coincident: false,
        band: None,
        body,
    }))
}

fn user<const N: usize>(statement: &str, coordinates: [Expr; N]) -> Node {
    Node::User { statement: Id::new(statement), coordinates: coordinates.to_vec() }
}

fn when(condition: Cond, node: Node) -> Node {
    Node::If { condition, then: Box::new(node), otherwise: None }
}

/// The verdict on a program with up to four counters.
fn verdict(tree: &str, root: Node) -> String {
    let tree: ScheduleTree = tree.parse().expect("the tree can be read");
    let iterators = (0..4).map(|i| LoopIterator { name: Id::new(&format!("c{i}")) }).collect();
    let context: Set = "[n] -> { : n >= 1 }".parse().expect("the context can be read");
    let judged = judge(&Ast { root, iterators }, &tree, &context, &mut Budget::new(1_000_000));
    judged.expect("the budget is enough").to_string()
}

fn shows(tree: &str, root: Node, expected: Expect) {
    expected.assert_eq(&verdict(tree, root));
}

/// for i: S[i], then T[i]
const PAIR: &str = r#"
domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }"
child:
  schedule: "[{ S[i] -> [(i)]; T[i] -> [(i)] }]"
  child:
    sequence:
    - filter: "{ S[i] }"
    - filter: "{ T[i] }"
"#;

/// Both loops in one, over a range.
fn pair(lower: Expr, upper: Expr) -> Node {
    loop_from(0, lower, upper, Node::Block(vec![user("S", [c(0)]), user("T", [c(0)])]))
}

/// The example of docs/design/checker.md.
#[test]
fn the_example_of_the_design_page() {
    shows(PAIR, pair(Expr::int(0), plus(n(), -1)), expect!["right"]);
    let distributed = |first, second| {
        let alone = |number, name| loop_from(number, Expr::int(0), plus(n(), -1), user(name, [c(number)]));
        Node::Block(vec![alone(0, first), alone(1, second)])
    };
    shows(
        PAIR,
        distributed("S", "T"),
        expect!["S[1] at (0, 1) is executed before T[0] at (1, 0), but their times are (1, 0) and (0, 1), for n = 2"],
    );
    shows(PAIR, pair(Expr::int(0), plus(n(), -2)), expect!["S[0] is not executed, for n = 1"]);
    shows(PAIR, pair(Expr::int(0), n()), expect!["S[1] at (1, 0) is executed and is no instance, for n = 1"]);
}

#[test]
fn loops_that_begin_too_late_or_too_early() {
    shows(PAIR, pair(Expr::int(1), plus(n(), -1)), expect!["S[0] is not executed, for n = 1"]);
    shows(
        PAIR,
        pair(Expr::int(-1), plus(n(), -1)),
        expect!["S[-1] at (-1, 0) is executed and is no instance, for n = 1"],
    );
}

#[test]
fn statements_in_the_wrong_order_of_a_sequence() {
    let swapped = loop_from(0, Expr::int(0), plus(n(), -1), Node::Block(vec![user("T", [c(0)]), user("S", [c(0)])]));
    shows(
        PAIR,
        swapped,
        expect!["T[0] at (0, 0) is executed before S[0] at (0, 1), but their times are (0, 1) and (0, 0), for n = 1"],
    );
}

#[test]
fn loops_that_run_the_wrong_way() {
    let from_the_end = |number| minus(plus(n(), -1), c(number));
    let reversed = loop_from(
        0,
        Expr::int(0),
        plus(n(), -1),
        Node::Block(vec![user("S", [from_the_end(0)]), user("T", [from_the_end(0)])]),
    );
    shows(
        PAIR,
        reversed,
        expect!["S[1] at (0, 0) is executed before S[0] at (1, 0), but their times are (1, 0) and (0, 0), for n = 2"],
    );
}

#[test]
fn an_instance_in_two_pieces_of_a_loop() {
    let whole = |number, lower, upper| loop_from(number, lower, upper, user("T", [c(number)]));
    let first = loop_from(0, Expr::int(0), plus(n(), -1), user("S", [c(0)]));
    let tree = r#"
domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }"
child:
  sequence:
  - filter: "{ S[i] }"
    child:
      schedule: "[{ S[i] -> [(i)] }]"
  - filter: "{ T[i] }"
    child:
      schedule: "[{ T[i] -> [(i)] }]"
"#;
    let in_pieces = |last: i64, next: i64| {
        let end = Expr::min(vec![plus(n(), -1), Expr::int(last)]);
        Node::Block(vec![first.clone(), whole(1, Expr::int(0), end), whole(2, Expr::int(next), plus(n(), -1))])
    };
    shows(tree, in_pieces(4, 5), expect!["right"]);
    shows(tree, in_pieces(5, 5), expect!["T[5] is executed twice, at (1, 5) and at (2, 5), for n = 6"]);
    shows(tree, in_pieces(4, 6), expect!["T[5] is not executed, for n = 6"]);
}

/// Every third one, from `n` on.
const STRIDED: &str = r#"
domain: "[n] -> { S[i] : n <= i <= n + 20 and (i - n) mod 3 = 0 }"
child:
  schedule: "[{ S[i] -> [(i)] }]"
"#;

#[test]
fn strides() {
    let every = |step, offset| stepping(0, (plus(n(), offset), plus(n(), 20)), step, user("S", [c(0)]));
    shows(STRIDED, every(3, 0), expect!["right"]);
    shows(STRIDED, every(6, 0), expect!["S[4] is not executed, for n = 1"]);
    shows(STRIDED, every(2, 0), expect!["S[3] at (3) is executed and is no instance, for n = 1"]);
    shows(STRIDED, every(3, 1), expect!["S[2] at (2) is executed and is no instance, for n = 1"]);
    let guarded =
        loop_from(0, n(), plus(n(), 20), when(Cond::Zero(minus(c(0), n()).modulo(&Int::from(3))), user("S", [c(0)])));
    shows(STRIDED, guarded, expect!["right"]);
    // Strides from a maximum on.
    let start = Expr::max(vec![n(), Expr::int(1)]);
    shows(STRIDED, stepping(0, (start, plus(n(), 20)), 3, user("S", [c(0)])), expect!["right"]);
    let start = Expr::max(vec![n(), Expr::int(2)]);
    let late = stepping(0, (start, plus(n(), 20)), 3, user("S", [c(0)]));
    shows(STRIDED, late, expect!["S[2] at (2) is executed and is no instance, for n = 1"]);
}

/// Tiles of 4, in which `i` runs.
const TILES: &str = r#"
domain: "[n] -> { S[i] : 0 <= i < n }"
child:
  schedule: "[{ S[i] -> [(floor((i)/4))] }, { S[i] -> [(i)] }]"
"#;

#[test]
fn tiles() {
    let tiles = |size: i64, last: i64| {
        let end = Expr::min(vec![plus(n(), -1), plus(c(0).times(&Int::from(size)), last)]);
        let points = loop_from(1, c(0).times(&Int::from(size)), end, user("S", [c(1)]));
        loop_from(0, Expr::int(0), plus(n(), -1).floor_div(&Int::from(size)), points)
    };
    shows(TILES, tiles(4, 3), expect!["right"]);
    // The same order, by other tiles.
    shows(TILES, tiles(6, 5), expect!["right"]);
    shows(TILES, tiles(4, 2), expect!["S[3] is not executed, for n = 4"]);
    shows(TILES, tiles(4, 4), expect!["S[4] is executed twice, at (0, 4) and at (1, 4), for n = 5"]);
}

#[test]
fn conditions_with_alternatives() {
    let parted = |otherwise: Node| {
        let condition = Cond::any([Cond::NonNegative(plus(c(0), -3)), Cond::Zero(c(0))]);
        let both = Node::Block(vec![user("S", [c(0)]), user("T", [c(0)])]);
        let body = Node::If { condition, then: Box::new(both), otherwise: Some(Box::new(otherwise)) };
        loop_from(0, Expr::int(0), plus(n(), -1), body)
    };
    shows(PAIR, parted(Node::Block(vec![user("S", [c(0)]), user("T", [c(0)])])), expect!["right"]);
    shows(PAIR, parted(user("S", [c(0)])), expect!["T[1] is not executed, for n = 2"]);
    shows(PAIR, parted(user("R", [c(0)])), expect!["R[1] at (1) is executed and is no instance, for n = 2"]);
}

#[test]
fn marks_change_nothing_and_sets_have_no_order() {
    let marked = Node::Mark { mark: Mark::parallel(), body: Box::new(pair(Expr::int(0), plus(n(), -1))) };
    shows(PAIR, marked, expect!["right"]);
    let swapped = loop_from(0, Expr::int(0), plus(n(), -1), Node::Block(vec![user("T", [c(0)]), user("S", [c(0)])]));
    shows(&PAIR.replace("sequence", "set"), swapped, expect!["right"]);
}

#[test]
fn instances_without_order_are_executed_once() {
    let tree =
        "domain: \"[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }\"\nchild:\n  schedule: \"[{ S[i, j] -> [(i)] }]\"\n";
    let rows = |inner| loop_from(0, Expr::int(0), plus(n(), -1), inner);
    shows(tree, rows(loop_from(1, Expr::int(0), c(0), user("S", [c(0), c(1)]))), expect!["right"]);
    shows(tree, rows(loop_from(1, Expr::int(0), c(0), user("S", [c(0), minus(c(0), c(1))]))), expect!["right"]);
    shows(
        tree,
        rows(loop_from(1, Expr::int(0), c(0), user("S", [c(0), c(1).floor_div(&Int::from(2))]))),
        expect!["S[1, 0] is executed twice, at (1, 0) and at (1, 1), for n = 2"],
    );
}

#[test]
fn what_is_not_judged_says_why() {
    let tree =
        "domain: \"[n] -> { S[i] : 0 <= i < n }\"\nchild:\n  extension: \"[n] -> { [] -> T[i] : 0 <= i < n }\"\n";
    shows(tree, user("S", [Expr::int(0)]), expect!["not judged: the tree has an extension"]);
    let remainder = Expr::min(vec![n(), Expr::int(7)]).modulo(&Int::from(3));
    shows(PAIR, pair(Expr::int(0), remainder), expect!["not judged: the remainder of a minimum or maximum"]);
    let tree: ScheduleTree = PAIR.parse().expect("the tree can be read");
    let context: Set = "[n] -> { : }".parse().expect("the context can be read");
    let ast = Ast { root: pair(Expr::int(0), n()), iterators: vec![LoopIterator { name: Id::new("c0") }] };
    assert_eq!(judge(&ast, &tree, &context, &mut Budget::new(5)), Err(Stop));
}

/// Only what holds in the context has to hold.
#[test]
fn the_context_is_known() {
    let guarded = |bound: i64| {
        let body = pair(Expr::int(0), plus(n(), -1));
        when(Cond::NonNegative(plus(n(), -bound)), body)
    };
    shows(PAIR, guarded(1), expect!["right"]);
    shows(PAIR, guarded(2), expect!["S[0] is not executed, for n = 1"]);
}

/// What a context in the tree excludes may or may not be executed, what a guard excludes must not.
#[test]
fn contexts_and_guards_of_trees() {
    let tree = |kind: &str| {
        let domain = "domain: \"[n] -> { S[i] : 0 <= i < n }\"\nchild:\n  schedule: \"[{ S[i] -> [(i)] }]\"\n";
        format!("{domain}  child:\n    {kind}: \"[n] -> {{ [i] : i >= 1 }}\"\n")
    };
    let from = |first| loop_from(0, Expr::int(first), plus(n(), -1), user("S", [c(0)]));
    shows(&tree("context"), from(0), expect!["right"]);
    shows(&tree("context"), from(1), expect!["right"]);
    shows(&tree("context"), from(2), expect!["S[1] is not executed, for n = 2"]);
    shows(&tree("context"), from(-1), expect!["S[-1] at (-1) is executed and is no instance, for n = 1"]);
    shows(&tree("guard"), from(0), expect!["S[0] at (0) is executed and is no instance, for n = 1"]);
    shows(&tree("guard"), from(1), expect!["right"]);
}

/// The judge must not ask those who make programs for help.
#[test]
fn only_the_type_of_programs_is_imported() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = std::fs::read_dir(folder).expect("the sources are there");
    for file in files.map(|file| file.expect("it can be read").path()) {
        let text = std::fs::read_to_string(&file).expect("it is text");
        for line in text.lines().filter(|line| line.contains("poly_ast_build::")) {
            let names = line.trim_end_matches(['}', ';']).rsplit(['{', ':']).next().unwrap_or("");
            let allowed = ["Ast", "Cond", "Expr", "For", "IterId", "Node"];
            assert!(names.split(", ").all(|name| allowed.contains(&name)), "{}: {line}", file.display());
        }
    }
}
