//! Arrays that may overlap in a way that nobody knows.

mod common;

use common::{program, statement};
use expect_test::{Expect, expect};
use poly_dependence::{Options, Precision, Problem, analyse, approximate, dataflow, with_live_ranges};
use poly_presburger::Id;
use poly_presburger::budget::Budget;

/// `for i { S: a[i] = b[i]; T: c[*] = .. }`, then `U: a[i] = a[i]`.
fn problem(overlaps: &[(&str, &str)]) -> Problem {
    let statements = vec![
        statement(
            "[n] -> { S[i] : 0 <= i < n }",
            "{ S[i] -> [0, i, 0] }",
            &["read { S[i] -> b[i] }", "write { S[i] -> a[i] }"],
        ),
        statement("[n] -> { T[i] : 0 <= i < n }", "{ T[i] -> [0, i, 1] }", &["may { T[i] -> c[x] }"]),
        statement(
            "[n] -> { U[i] : 0 <= i < n }",
            "{ U[i] -> [1, i, 0] }",
            &["read { U[i] -> a[i] }", "write { U[i] -> a[i] }"],
        ),
    ];
    let overlaps = overlaps.iter().map(|(a, b)| (Id::new(a), Id::new(b))).collect();
    Problem { overlaps, ..program("[n] -> { : n > 3 }", statements) }
}

fn check(overlaps: &[(&str, &str)], expected: Expect) {
    let found = analyse(&problem(overlaps), &Options::default(), &mut Budget::unlimited()).expect("no limit");
    expected.assert_eq(&found.to_string());
}

#[test]
fn all_instances_keep_their_order() {
    check(
        &[],
        expect![[r#"
        flow 0.1 -> 2.0: [n] -> { S[i] -> U[i] : n >= 4 and 0 <= i < n }
        output 0.1 -> 2.1: [n] -> { S[i] -> U[i] : n >= 4 and 0 <= i < n }
        output 1.0 -> 1.0: [n] -> { T[i] -> T[i'] : n >= 4 and i >= 0 and i < i' < n }
    "#]],
    );
    check(
        &[("b", "c")],
        expect![[r#"
        flow 0.1 -> 2.0: [n] -> { S[i] -> U[i] : n >= 4 and 0 <= i < n }
        flow 1.0 -> 0.0: [n] -> { T[i] -> S[i'] : n >= 4 and i >= 0 and i < i' < n }
        output 0.1 -> 2.1: [n] -> { S[i] -> U[i] : n >= 4 and 0 <= i < n }
        output 1.0 -> 1.0: [n] -> { T[i] -> T[i'] : n >= 4 and i >= 0 and i < i' < n }
        anti 0.0 -> 1.0: [n] -> { S[i] -> T[i'] : n >= 4 and i >= 0 and i <= i' < n }
    "#]],
    );
    // Of two accesses that read, the order does not matter.
    check(
        &[("a", "b"), ("c", "a")],
        expect![[r#"
        flow 0.1 -> 2.0: [n] -> { S[i] -> U[i] : n >= 4 and 0 <= i < n }
        flow 0.1 -> 0.0: [n] -> { S[i] -> S[i'] : n >= 4 and i >= 0 and i < i' < n }
        flow 1.0 -> 2.0: [n] -> { T[i] -> U[i'] : n >= 4 and 0 <= i < n and 0 <= i' < n }
        output 0.1 -> 2.1: [n] -> { S[i] -> U[i] : n >= 4 and 0 <= i < n }
        output 1.0 -> 1.0: [n] -> { T[i] -> T[i'] : n >= 4 and i >= 0 and i < i' < n }
        anti 0.0 -> 0.1: [n] -> { S[i] -> S[i'] : n >= 4 and i >= 0 and i < i' < n }
        output 0.1 -> 1.0: [n] -> { S[i] -> T[i'] : n >= 4 and i >= 0 and i <= i' < n }
        anti 0.0 -> 2.1: [n] -> { S[i] -> U[i'] : n >= 4 and 0 <= i < n and 0 <= i' < n }
        output 1.0 -> 0.1: [n] -> { T[i] -> S[i'] : n >= 4 and i >= 0 and i < i' < n }
        output 1.0 -> 2.1: [n] -> { T[i] -> U[i'] : n >= 4 and 0 <= i < n and 0 <= i' < n }
    "#]],
    );
}

#[test]
fn earlier_writes_are_what_a_read_may_see() {
    let sources = |overlaps: &[(&str, &str)]| {
        let reads = dataflow(&problem(overlaps), &mut Budget::unlimited()).expect("no limit");
        let lines = reads.iter().flat_map(|read| {
            read.overlapping.iter().map(|s| {
                format!("{}.{} sees {}.{}: {}\n", read.statement, read.access, s.statement, s.access, s.relation)
            })
        });
        lines.collect::<String>()
    };
    assert_eq!(sources(&[]), "");
    expect![[r#"
        0.0 sees 1.0: [n] -> { T[i] -> S[i'] : n >= 4 and i >= 0 and i < i' < n }
    "#]]
    .assert_eq(&sources(&[("b", "c")]));
    expect![[r#"
        0.0 sees 0.1: [n] -> { S[i] -> S[i'] : n >= 4 and i >= 0 and i < i' < n }
    "#]]
    .assert_eq(&sources(&[("a", "b")]));
}

#[test]
fn approximations_contain_them() {
    let problem = problem(&[("a", "c"), ("a", "b")]);
    let mut budget = Budget::unlimited();
    let exact = analyse(&problem, &Options::default(), &mut budget).expect("no limit").dependences;
    for precision in [Precision::Exact, Precision::Distances, Precision::Order] {
        let found = approximate(&problem, precision, &mut budget).expect("no limit").dependences;
        for own in &exact {
            let pairs = found.iter().filter(|d| (d.source.0, d.sink.0) == (own.source.0, own.sink.0));
            let pairs =
                pairs.map(|d| d.relation.clone()).reduce(|a, b| a.union(&b)).expect("they depend on each other");
            assert!(own.relation.is_subset(&pairs, &mut budget).expect("no limit"), "{own} at {precision:?}");
        }
    }
}

#[test]
fn lives_do_not_change_places_with_what_may_overlap() {
    let has_conditional = |overlaps: &[(&str, &str)]| {
        let domain = |name: &str| format!("[n] -> {{ {name}[i] : 0 <= i < n }}");
        let statements = vec![
            statement(&domain("S"), "{ S[i] -> [i, 0] }", &["write { S[i] -> t[0] }"]),
            statement(&domain("T"), "{ T[i] -> [i, 1] }", &["read { T[i] -> t[0] }", "write { T[i] -> c[i] }"]),
        ];
        let overlaps = overlaps.iter().map(|(a, b)| (Id::new(a), Id::new(b))).collect();
        let problem = Problem { overlaps, ..program("[n] -> { : n > 3 }", statements) };
        let mut budget = Budget::unlimited();
        let dependences = analyse(&problem, &Options::default(), &mut budget).expect("no limit");
        with_live_ranges(&problem, &dependences, &|_| true, &mut budget).expect("no limit").is_some()
    };
    assert!(has_conditional(&[]));
    assert!(!has_conditional(&[("c", "t")]));
}
