//! Feautrier's schedules: the example of the literature, and minimal latency by brute force.

mod common;

use common::programs::{program, statement};
use common::run;
use expect_test::{Expect, expect};
use poly_arith::Int;
use poly_dependence::Problem;
use poly_presburger::DimKind;
use poly_presburger::budget::Budget;
use poly_scheduler::{Algorithm, Options};

fn options() -> Options {
    Options { algorithm: Algorithm::Feautrier, ..Options::default() }
}

fn check(problem: &Problem, expected: Expect) {
    let scheduled = run(problem, &options(), false);
    scheduled.assert_legal(false);
    let text = scheduled.tree.to_string();
    let (_, below) = text.split_once('\n').unwrap_or(("", ""));
    expected.assert_eq(below);
}

/// `for i { y[i] = 0; for j y[i] += A[i][j] * x[j] }`: `theta(S1, i) = 0`,
/// `theta(S2, i, j) = j + 1`.
#[test]
fn product_of_matrix_and_vector() {
    let problem = program(
        "[n] -> { : n >= 1 }",
        vec![
            statement("[n] -> { S1[i] : 0 <= i < n }", "{ S1[i] -> [i, 0, 0] }", &["write { S1[i] -> y[i] }"]),
            statement(
                "[n] -> { S2[i, j] : 0 <= i < n and 0 <= j < n }",
                "{ S2[i, j] -> [i, 1, j] }",
                &[
                    "read { S2[i, j] -> y[i] }",
                    "read { S2[i, j] -> A[i, j] }",
                    "read { S2[i, j] -> x[j] }",
                    "write { S2[i, j] -> y[i] }",
                ],
            ),
        ],
    );
    check(
        &problem,
        expect![[r#"
        child:
          schedule: "[n] -> [{ S1[i] -> [(0)]; S2[i, j] -> [(1 + j)] }]"
          permutable: 1
          child:
            sequence:
            - filter: "[n] -> { S1[i] }"
              child:
                schedule: "[n] -> [{ S1[i] -> [(i)] }]"
                permutable: 1
                coincident: [ 1 ]
            - filter: "[n] -> { S2[i, j] }"
              child:
                schedule: "[n] -> [{ S2[i, j] -> [(i)] }]"
                permutable: 1
                coincident: [ 1 ]
    "#]],
    );
}

/// `for i for j { S: s = s + a[i][j] }` has no one-dimensional schedule with a latency that is
/// affine in `n`.
#[test]
fn a_sum_over_two_dimensions_takes_two() {
    let problem = program(
        "[n] -> { : n >= 1 }",
        vec![statement(
            "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }",
            "{ S[i, j] -> [i, j] }",
            &["read { S[i, j] -> s[] }", "read { S[i, j] -> a[i, j] }", "write { S[i, j] -> s[] }"],
        )],
    );
    check(
        &problem,
        expect![[r#"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(i)] }]"
          permutable: 1
          child:
            schedule: "[n] -> [{ S[i, j] -> [(j)] }]"
            permutable: 1
    "#]],
    );
}

/// Independent statements and parallel loops take no time at all.
#[test]
fn nothing_to_wait_for() {
    let problem = program(
        "[n] -> { : n >= 1 }",
        vec![
            statement("[n] -> { A[i] : 0 <= i < n }", "{ A[i] -> [0, i] }", &["write { A[i] -> x[i] }"]),
            statement("[n] -> { B[i] : 0 <= i < n }", "{ B[i] -> [1, i] }", &["write { B[i] -> y[i] }"]),
        ],
    );
    check(
        &problem,
        expect![[r#"
        child:
          sequence:
          - filter: "[n] -> { A[i] }"
            child:
              schedule: "[n] -> [{ A[i] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
          - filter: "[n] -> { B[i] }"
            child:
              schedule: "[n] -> [{ B[i] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
    "#]],
    );
}

/// One statement in a box of 5 x 4 with uniform dependences: `A[i, j] = f(A[i - a, j - b], ..)`.
fn stencil(vectors: &[(i64, i64)]) -> Problem {
    let reads: Vec<String> =
        vectors.iter().map(|(a, b)| format!("read {{ S[i, j] -> A[i - {a}, j - {b}] }}")).collect();
    let mut accesses: Vec<&str> = reads.iter().map(String::as_str).collect();
    accesses.push("write { S[i, j] -> A[i, j] }");
    program("{ : }", vec![statement("{ S[i, j] : 0 <= i < 5 and 0 <= j < 4 }", "{ S[i, j] -> [i, j] }", &accesses)])
}

/// The least number of steps between first and last instance over all functions with coefficients
/// up to 5.
fn least_latency(vectors: &[(i64, i64)]) -> i64 {
    let legal = |c: i64, d: i64| vectors.iter().all(|(a, b)| c * a + d * b >= 1);
    let latency = |c: i64, d: i64| 4 * c.abs() + 3 * d.abs();
    let all = (-5..=5).flat_map(|c| (-5..=5).map(move |d| (c, d)));
    all.filter(|&(c, d)| legal(c, d)).map(|(c, d)| latency(c, d)).min().expect("there is a legal one")
}

#[test]
fn latency_is_minimal() {
    for vectors in [
        &[(1, 0)][..],
        &[(0, 1)],
        &[(1, 0), (0, 1)],
        &[(1, -1), (0, 1)],
        &[(1, -2), (0, 1)],
        &[(1, 1), (1, -1)],
        &[(2, -1), (1, 2)],
        &[(1, -1), (1, 0), (0, 2)],
    ] {
        let scheduled = run(&stencil(vectors), &options(), false);
        scheduled.assert_legal(false);
        let mut times: Vec<Int> = Vec::new();
        for map in scheduled.tree.schedule_map().iter() {
            let n = map.space().dim(DimKind::In);
            let pairs = map.wrap().enumerate(&[], &mut Budget::unlimited()).expect("no limit");
            times.extend(pairs.iter().map(|pair| pair[n].clone()));
        }
        let (first, last) = (times.iter().min().expect("not empty"), times.iter().max().expect("not empty"));
        assert_eq!(last - first, Int::from(least_latency(vectors)), "{vectors:?}\n{}", scheduled.tree);
    }
}
