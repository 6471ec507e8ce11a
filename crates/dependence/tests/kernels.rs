//! Dependences of small programs, as text.

mod common;

use common::{program, statement, with_reduction};
use expect_test::{Expect, expect};
use poly_dependence::{Options, Problem, ReductionOperator, analyse, dataflow, live_out};
use poly_presburger::budget::Budget;

fn check(problem: &Problem, options: Options, expected: Expect) {
    let mut budget = Budget::unlimited();
    let dependences = analyse(problem, &options, &mut budget).expect("no limit");
    let mut text = String::new();
    for dependence in &dependences.dependences {
        let distance = dependence.distance(&mut budget).expect("no limit");
        text += &format!("{dependence} {distance}\n");
    }
    expected.assert_eq(&text);
}

fn matmul() -> Problem {
    program(
        "[n] -> { : n >= 1 }",
        vec![
            statement(
                "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }",
                "{ S[i, j] -> [0, i, 0, j, 0, 0, 0] }",
                &["write { S[i, j] -> C[i, j] }"],
            ),
            statement(
                "[n] -> { T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }",
                "{ T[i, j, k] -> [0, i, 0, j, 1, k, 0] }",
                &[
                    "read { T[i, j, k] -> C[i, j] }",
                    "read { T[i, j, k] -> A[i, k] }",
                    "read { T[i, j, k] -> B[k, j] }",
                    "write { T[i, j, k] -> C[i, j] }",
                ],
            ),
        ],
    )
}

#[test]
fn matrix_multiplication() {
    check(
        &matmul(),
        Options::default(),
        expect![[r#"
            flow 0.0 -> 1.0: [n] -> { S[i, j] -> T[i, j, 0] : 0 <= i < n and 0 <= j < n } (0, 0)
            flow 1.3 -> 1.0: [n] -> { T[i, j, k] -> T[i, j, 1 + k] : 0 <= i < n and 0 <= j < n and 0 <= k <= -2 + n } (0, 0, 1)
            output 0.0 -> 1.3: [n] -> { S[i, j] -> T[i, j, 0] : 0 <= i < n and 0 <= j < n } (0, 0)
            output 1.3 -> 1.3: [n] -> { T[i, j, k] -> T[i, j, 1 + k] : 0 <= i < n and 0 <= j < n and 0 <= k <= -2 + n } (0, 0, 1)
        "#]],
    );
}

#[test]
fn matrix_multiplication_as_reduction() {
    let mut problem = matmul();
    problem.statements[1] = with_reduction(problem.statements[1].clone(), ReductionOperator::Add, 0, 3);
    check(
        &problem,
        Options { reductions: true, ..Options::default() },
        expect![[r#"
            flow 0.0 -> 1.0: [n] -> { S[i, j] -> T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n } (0, 0)
            output 0.0 -> 1.3: [n] -> { S[i, j] -> T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n } (0, 0)
            output (reduction) 1.3 -> 1.3: [n] -> { T[i, j, k] -> T[i, j, k'] : 0 <= i < n and 0 <= j < n and k >= 0 and k < k' < n } (0, 0, +)
        "#]],
    );
}

#[test]
fn matrix_multiplication_as_ordinary_statement() {
    let mut problem = matmul();
    problem.statements[1] = with_reduction(problem.statements[1].clone(), ReductionOperator::Add, 0, 3);
    let text = |problem: &Problem| {
        analyse(problem, &Options::default(), &mut Budget::unlimited()).expect("no limit").to_string()
    };
    assert_eq!(text(&problem), text(&matmul()));
}

#[test]
fn jacobi_1d() {
    let domain = |s: &str| format!("[t, n] -> {{ {s}[k, i] : 0 <= k < t and 1 <= i < n - 1 }}");
    let problem = program(
        "[t, n] -> { : t >= 1 and n >= 3 }",
        vec![
            statement(
                &domain("S"),
                "{ S[k, i] -> [0, k, 0, i, 0] }",
                &[
                    "read { S[k, i] -> A[i - 1] }",
                    "read { S[k, i] -> A[i] }",
                    "read { S[k, i] -> A[i + 1] }",
                    "write { S[k, i] -> B[i] }",
                ],
            ),
            statement(
                &domain("T"),
                "{ T[k, i] -> [0, k, 1, i, 0] }",
                &["read { T[k, i] -> B[i] }", "write { T[k, i] -> A[i] }"],
            ),
        ],
    );
    check(
        &problem,
        Options::default(),
        expect![[r#"
            flow 1.1 -> 0.0: [t, n] -> { T[k, i] -> S[1 + k, 1 + i] : 0 <= k <= -2 + t and 0 < i <= -3 + n } (1, 1)
            flow 1.1 -> 0.1: [t, n] -> { T[k, i] -> S[1 + k, i] : 0 <= k <= -2 + t and 0 < i <= -2 + n } (1, 0)
            flow 1.1 -> 0.2: [t, n] -> { T[k, i] -> S[1 + k, -1 + i] : 0 <= k <= -2 + t and 2 <= i <= -2 + n } (1, -1)
            flow 0.3 -> 1.0: [t, n] -> { S[k, i] -> T[k, i] : 0 <= k < t and 0 < i <= -2 + n } (0, 0)
            anti 0.0 -> 1.1: [t, n] -> { S[k, i] -> T[k, -1 + i] : 0 <= k < t and 2 <= i <= -2 + n } (0, -1)
            anti 0.1 -> 1.1: [t, n] -> { S[k, i] -> T[k, i] : 0 <= k < t and 0 < i <= -2 + n } (0, 0)
            anti 0.2 -> 1.1: [t, n] -> { S[k, i] -> T[k, 1 + i] : 0 <= k < t and 0 < i <= -3 + n } (0, 1)
            output 0.3 -> 0.3: [t, n] -> { S[k, i] -> S[1 + k, i] : 0 <= k <= -2 + t and 0 < i <= -2 + n } (1, 0)
            anti 1.0 -> 0.3: [t, n] -> { T[k, i] -> S[1 + k, i] : 0 <= k <= -2 + t and 0 < i <= -2 + n } (1, 0)
            output 1.1 -> 1.1: [t, n] -> { T[k, i] -> T[1 + k, i] : 0 <= k <= -2 + t and 0 < i <= -2 + n } (1, 0)
        "#]],
    );
}

#[test]
fn input_dependences_between_statements() {
    let problem = program(
        "[n] -> { : n >= 1 }",
        vec![
            statement(
                "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }",
                "{ S[i, j] -> [0, i, j] }",
                &["read { S[i, j] -> A[i, j] }"],
            ),
            statement(
                "[n] -> { T[i, j] : 0 <= i < n and 0 <= j < n }",
                "{ T[i, j] -> [1, i, j] }",
                &["read { T[i, j] -> A[j, i] }"],
            ),
        ],
    );
    check(&problem, Options::default(), expect![[""]]);
    check(
        &problem,
        Options { input: true, ..Options::default() },
        expect![[r#"
            input 0.0 -> 1.0: [n] -> { S[i, j] -> T[j, i] : 0 <= i < n and 0 <= j < n } (*, *)
        "#]],
    );
}

#[test]
fn values_pass_through_the_instance() {
    // x = ..; A[i] = x; .. = x + s; the may-write does not hide the initial value of s
    let problem = program(
        "[n] -> { : }",
        vec![statement(
            "[n] -> { S[i] : 0 <= i < n }",
            "{ S[i] -> [i] }",
            &["write { S[i] -> x[] }", "read { S[i] -> x[] }", "read { S[i] -> s[] }", "may { S[i] -> s[] }"],
        )],
    );
    let mut budget = Budget::unlimited();
    let mut text = String::new();
    for read in dataflow(&problem, &mut budget).expect("no limit") {
        text += &format!("{}.{}: uninitialized {}\n", read.statement, read.access, read.uninitialized);
        for source in read.sources {
            text += &format!("  {}.{}: {}\n", source.statement, source.access, source.relation);
        }
    }
    for survivor in live_out(&problem, &mut budget).expect("no limit") {
        text += &format!("{}.{} survives: {}\n", survivor.statement, survivor.access, survivor.relation);
    }
    expect![[r#"
        0.1: uninitialized [n] -> { S[i] : false }
          0.0: [n] -> { S[i] -> S[i] : 0 <= i < n }
        0.2: uninitialized [n] -> { S[i] : 0 <= i < n }
          0.3: [n] -> { S[i] -> S[i'] : n > 0 and 0 <= i < n and i < i' < n and i' > 0 }
        0.0 survives: [n] -> { S[i = -1 + n] -> x[] : n > 0 }
        0.3 survives: [n] -> { S[i] -> s[] : 0 <= i < n }
    "#]]
    .assert_eq(&text);
}

#[test]
fn other_orders_than_the_lexicographic_one() {
    // for i from n - 1 down to 0: A[i + 1] = A[i]; both the reversal and the skewing are in the
    // time
    let problem = program(
        "[n] -> { : }",
        vec![statement(
            "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }",
            "[n] -> { S[i, j] -> [i + j, n - i] }",
            &["read { S[i, j] -> A[i + 1] }", "write { S[i, j] -> A[i] }"],
        )],
    );
    check(
        &problem,
        Options::default(),
        expect![[r#"
            flow 0.1 -> 0.0: [n] -> { S[i, j] -> S[-1 + i, 1 + j] : 0 < i < n and 0 <= j <= -2 + n } (-1, 1)
            anti 0.0 -> 0.1: [n] -> { S[i, j] -> S[1 + i, j] : 0 <= i <= -2 + n and 0 <= j < n } (1, 0)
            output 0.1 -> 0.1: [n] -> { S[i, j] -> S[i, 1 + j] : 0 <= i < n and 0 <= j <= -2 + n } (0, 1)
        "#]],
    );
}
