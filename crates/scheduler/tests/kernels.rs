//! Schedules of well-known kernels, as text.

mod common;

use common::programs::{program, statement, with_reduction};
use common::run;
use expect_test::{Expect, expect};
use poly_dependence::Problem;
use poly_scheduler::{Fusion, Options, Preference, Proximity};

fn check_with(problem: &Problem, options: Options, input: bool, expected: Expect) {
    let scheduled = run(problem, &options, input);
    scheduled.assert_legal(options.relax_reductions);
    // Without the line of the domain.
    let text = scheduled.tree.to_string();
    let (_, below) = text.split_once('\n').unwrap_or(("", ""));
    expected.assert_eq(below);
}

fn check(problem: &Problem, expected: Expect) {
    check_with(problem, Options::default(), false, expected);
}

fn max_fusion() -> Options {
    Options { fusion: Fusion::Max, ..Options::default() }
}

fn matmul(order: &str) -> Problem {
    program(
        "[n] -> { : n >= 1 }",
        vec![statement(
            "[n] -> { S[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }",
            &format!("{{ S[i, j, k] -> [{order}] }}"),
            &[
                "read { S[i, j, k] -> C[i, j] }",
                "read { S[i, j, k] -> A[i, k] }",
                "read { S[i, j, k] -> B[k, j] }",
                "write { S[i, j, k] -> C[i, j] }",
            ],
        )],
    )
}

#[test]
fn matmul_ijk() {
    check(
        &matmul("i, j, k"),
        expect![[r#"
        child:
          schedule: "[n] -> [{ S[i, j, k] -> [(i)] }, { S[i, j, k] -> [(j)] }, { S[i, j, k] -> [(k)] }]"
          permutable: 1
          coincident: [ 1, 1, 0 ]
    "#]],
    );
}

#[test]
fn matmul_kij() {
    check(
        &matmul("k, i, j"),
        expect![[r#"
        child:
          schedule: "[n] -> [{ S[i, j, k] -> [(i)] }, { S[i, j, k] -> [(j)] }, { S[i, j, k] -> [(k)] }]"
          permutable: 1
          coincident: [ 1, 1, 0 ]
    "#]],
    );
}

#[test]
fn matmul_with_reduction() {
    let mut problem = matmul("i, j, k");
    problem.statements[0] =
        with_reduction(problem.statements[0].clone(), poly_dependence::ReductionOperator::Add, 0, 3);
    check_with(
        &problem,
        Options { relax_reductions: true, ..Options::default() },
        false,
        expect![[r#"
        child:
          schedule: "[n] -> [{ S[i, j, k] -> [(i)] }, { S[i, j, k] -> [(j)] }, { S[i, j, k] -> [(k)] }]"
          permutable: 1
          coincident: [ 1, 1, 0 ]
    "#]],
    );
}

fn gemm_nest(
    init: &str,
    update: &str,
    place: usize,
    out: &str,
    a: &str,
    b: &str,
) -> Vec<poly_dependence::StatementInfo> {
    vec![
        statement(
            &format!("[n] -> {{ {init}[i, j] : 0 <= i < n and 0 <= j < n }}"),
            &format!("{{ {init}[i, j] -> [{place}, i, 0, j, 0, 0, 0] }}"),
            &[&format!("write {{ {init}[i, j] -> {out}[i, j] }}")],
        ),
        statement(
            &format!("[n] -> {{ {update}[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }}"),
            &format!("{{ {update}[i, j, k] -> [{place}, i, 0, j, 1, k, 0] }}"),
            &[
                &format!("read {{ {update}[i, j, k] -> {out}[i, j] }}"),
                &format!("read {{ {update}[i, j, k] -> {a}[i, k] }}"),
                &format!("read {{ {update}[i, j, k] -> {b}[k, j] }}"),
                &format!("write {{ {update}[i, j, k] -> {out}[i, j] }}"),
            ],
        ),
    ]
}

fn two_mm() -> Problem {
    let mut statements = gemm_nest("S0", "S1", 0, "tmp", "A", "B");
    statements.extend(gemm_nest("S2", "S3", 1, "D", "tmp", "C"));
    program("[n] -> { : n >= 1 }", statements)
}

#[test]
fn two_mm_smart() {
    check(
        &two_mm(),
        expect![[r#"
        child:
          sequence:
          - filter: "[n] -> { S0[i, j] }"
            child:
              schedule: "[n] -> [{ S0[i, j] -> [(i)] }, { S0[i, j] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
          - filter: "[n] -> { S1[i, j, k] }"
            child:
              schedule: "[n] -> [{ S1[i, j, k] -> [(i)] }, { S1[i, j, k] -> [(j)] }, { S1[i, j, k] -> [(k)] }]"
              permutable: 1
              coincident: [ 1, 1, 0 ]
          - filter: "[n] -> { S2[i, j] }"
            child:
              schedule: "[n] -> [{ S2[i, j] -> [(i)] }, { S2[i, j] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
          - filter: "[n] -> { S3[i, j, k] }"
            child:
              schedule: "[n] -> [{ S3[i, j, k] -> [(i)] }, { S3[i, j, k] -> [(j)] }, { S3[i, j, k] -> [(k)] }]"
              permutable: 1
              coincident: [ 1, 1, 0 ]
    "#]],
    );
}

#[test]
fn two_mm_max() {
    check_with(
        &two_mm(),
        max_fusion(),
        false,
        expect![[r#"
        child:
          schedule: "[n] -> [{ S0[i, j] -> [(i)]; S1[i, j, k] -> [(i)]; S2[i, j] -> [(i)]; S3[i, j, k] -> [(i)] }, { S0[i, j] -> [(j)]; S1[i, j, k] -> [(j)]; S2[i, j] -> [(0)]; S3[i, j, k] -> [(k)] }]"
          permutable: 1
          coincident: [ 1, 0 ]
          child:
            sequence:
            - filter: "[n] -> { S0[i, j]; S1[i, j, k] }"
              child:
                schedule: "[n] -> [{ S0[i, j] -> [(0)]; S1[i, j, k] -> [(k)] }]"
                permutable: 1
                child:
                  sequence:
                  - filter: "[n] -> { S0[i, j] }"
                  - filter: "[n] -> { S1[i, j, k] }"
            - filter: "[n] -> { S2[i, j]; S3[i, j, k] }"
              child:
                schedule: "[n] -> [{ S2[i, j] -> [(j)]; S3[i, j, k] -> [(j)] }]"
                permutable: 1
                coincident: [ 1 ]
                child:
                  sequence:
                  - filter: "[n] -> { S2[i, j] }"
                  - filter: "[n] -> { S3[i, j, k] }"
    "#]],
    );
}

#[test]
fn lu() {
    let problem = program(
        "[n] -> { : n >= 1 }",
        vec![
            statement(
                "[n] -> { S[k, i] : 0 <= k < n and k < i < n }",
                "{ S[k, i] -> [k, 0, i, 0] }",
                &["read { S[k, i] -> A[i, k] }", "read { S[k, i] -> A[k, k] }", "write { S[k, i] -> A[i, k] }"],
            ),
            statement(
                "[n] -> { T[k, i, j] : 0 <= k < n and k < i < n and k < j < n }",
                "{ T[k, i, j] -> [k, 1, i, j] }",
                &[
                    "read { T[k, i, j] -> A[i, j] }",
                    "read { T[k, i, j] -> A[i, k] }",
                    "read { T[k, i, j] -> A[k, j] }",
                    "write { T[k, i, j] -> A[i, j] }",
                ],
            ),
        ],
    );
    check(
        &problem,
        expect![[r#"
        child:
          schedule: "[n] -> [{ S[k, i] -> [(k)]; T[k, i, j] -> [(k)] }, { S[k, i] -> [(i)]; T[k, i, j] -> [(i)] }, { S[k, i] -> [(k)]; T[k, i, j] -> [(j)] }]"
          permutable: 1
          child:
            sequence:
            - filter: "[n] -> { S[k, i] }"
            - filter: "[n] -> { T[k, i, j] }"
    "#]],
    );
}

fn jacobi_1d() -> Problem {
    let domain = |s: &str| format!("[t, n] -> {{ {s}[k, i] : 0 <= k < t and 1 <= i < n - 1 }}");
    let reads = |s: &str, a: &str| [-1, 0, 1].map(|d| format!("read {{ {s}[k, i] -> {a}[i + {d}] }}"));
    let accesses = |s: &str, from: &str, to: &str| {
        let mut all = reads(s, from).to_vec();
        all.push(format!("write {{ {s}[k, i] -> {to}[i] }}"));
        all
    };
    let make = |s: &str, place: usize, from: &str, to: &str| {
        let accesses = accesses(s, from, to);
        let accesses: Vec<&str> = accesses.iter().map(String::as_str).collect();
        statement(&domain(s), &format!("{{ {s}[k, i] -> [k, {place}, i] }}"), &accesses)
    };
    program("[t, n] -> { : t >= 1 and n >= 3 }", vec![make("S", 0, "A", "B"), make("T", 1, "B", "A")])
}

#[test]
fn jacobi_1d_is_skewed() {
    check(
        &jacobi_1d(),
        expect![[r#"
        child:
          schedule: "[t, n] -> [{ S[k, i] -> [(k)]; T[k, i] -> [(k)] }, { S[k, i] -> [(2k + i)]; T[k, i] -> [(1 + 2k + i)] }]"
          permutable: 1
          child:
            sequence:
            - filter: "[t, n] -> { S[k, i] }"
            - filter: "[t, n] -> { T[k, i] }"
    "#]],
    );
}

#[test]
fn jacobi_2d_is_skewed() {
    let domain = |s: &str| format!("[t, n] -> {{ {s}[k, i, j] : 0 <= k < t and 1 <= i < n - 1 and 1 <= j < n - 1 }}");
    let make = |s: &str, place: usize, from: &str, to: &str| {
        let mut accesses: Vec<String> = [(0, 0), (0, -1), (0, 1), (1, 0), (-1, 0)]
            .iter()
            .map(|(a, b)| format!("read {{ {s}[k, i, j] -> {from}[i + {a}, j + {b}] }}"))
            .collect();
        accesses.push(format!("write {{ {s}[k, i, j] -> {to}[i, j] }}"));
        let accesses: Vec<&str> = accesses.iter().map(String::as_str).collect();
        statement(&domain(s), &format!("{{ {s}[k, i, j] -> [k, {place}, i, j] }}"), &accesses)
    };
    let problem = program("[t, n] -> { : t >= 1 and n >= 3 }", vec![make("S", 0, "A", "B"), make("T", 1, "B", "A")]);
    check(
        &problem,
        expect![[r#"
        child:
          schedule: "[t, n] -> [{ S[k, i, j] -> [(k)]; T[k, i, j] -> [(k)] }, { S[k, i, j] -> [(2k + i)]; T[k, i, j] -> [(1 + 2k + i)] }, { S[k, i, j] -> [(2k + j)]; T[k, i, j] -> [(1 + 2k + j)] }]"
          permutable: 1
          child:
            sequence:
            - filter: "[t, n] -> { S[k, i, j] }"
            - filter: "[t, n] -> { T[k, i, j] }"
    "#]],
    );
}

#[test]
fn seidel_2d_is_skewed() {
    let mut accesses = Vec::new();
    for a in -1..=1 {
        for b in -1..=1 {
            accesses.push(format!("read {{ S[k, i, j] -> A[i + {a}, j + {b}] }}"));
        }
    }
    accesses.push("write { S[k, i, j] -> A[i, j] }".to_string());
    let accesses: Vec<&str> = accesses.iter().map(String::as_str).collect();
    let problem = program(
        "[t, n] -> { : t >= 1 and n >= 3 }",
        vec![statement(
            "[t, n] -> { S[k, i, j] : 0 <= k < t and 1 <= i < n - 1 and 1 <= j < n - 1 }",
            "{ S[k, i, j] -> [k, i, j] }",
            &accesses,
        )],
    );
    check(
        &problem,
        expect![[r#"
        child:
          schedule: "[t, n] -> [{ S[k, i, j] -> [(k)] }, { S[k, i, j] -> [(k + i)] }, { S[k, i, j] -> [(2k + i + j)] }]"
          permutable: 1
    "#]],
    );
}

#[test]
fn fdtd_1d_is_skewed_and_shifted() {
    let problem = program(
        "[t, n] -> { : t >= 1 and n >= 3 }",
        vec![
            statement(
                "[t, n] -> { E[k, i] : 0 <= k < t and 1 <= i < n }",
                "{ E[k, i] -> [k, 0, i] }",
                &[
                    "read { E[k, i] -> e[i] }",
                    "read { E[k, i] -> h[i] }",
                    "read { E[k, i] -> h[i - 1] }",
                    "write { E[k, i] -> e[i] }",
                ],
            ),
            statement(
                "[t, n] -> { H[k, i] : 0 <= k < t and 0 <= i < n - 1 }",
                "{ H[k, i] -> [k, 1, i] }",
                &[
                    "read { H[k, i] -> h[i] }",
                    "read { H[k, i] -> e[i] }",
                    "read { H[k, i] -> e[i + 1] }",
                    "write { H[k, i] -> h[i] }",
                ],
            ),
        ],
    );
    check(
        &problem,
        expect![[r#"
        child:
          schedule: "[t, n] -> [{ E[k, i] -> [(k)]; H[k, i] -> [(k)] }, { E[k, i] -> [(k + i)]; H[k, i] -> [(1 + k + i)] }]"
          permutable: 1
          child:
            sequence:
            - filter: "[t, n] -> { E[k, i] }"
            - filter: "[t, n] -> { H[k, i] }"
    "#]],
    );
}

fn mvt() -> Problem {
    let make = |s: &str, place: usize, x: &str, a: &str| {
        statement(
            &format!("[n] -> {{ {s}[i, j] : 0 <= i < n and 0 <= j < n }}"),
            &format!("{{ {s}[i, j] -> [{place}, i, j] }}"),
            &[
                &format!("read {{ {s}[i, j] -> {x}[i] }}"),
                &format!("read {{ {s}[i, j] -> A[{a}] }}"),
                &format!("write {{ {s}[i, j] -> {x}[i] }}"),
            ],
        )
    };
    program("[n] -> { : n >= 1 }", vec![make("S", 0, "x", "i, j"), make("T", 1, "y", "j, i")])
}

#[test]
fn mvt_keeps_its_parallel_loops() {
    check_with(
        &mvt(),
        Options::default(),
        true,
        expect![[r#"
        child:
          sequence:
          - filter: "[n] -> { S[i, j] }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 0 ]
          - filter: "[n] -> { T[i, j] }"
            child:
              schedule: "[n] -> [{ T[i, j] -> [(i)] }, { T[i, j] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 0 ]
    "#]],
    );
}

#[test]
fn mvt_is_fused_transposed() {
    check_with(
        &mvt(),
        max_fusion(),
        true,
        expect![[r#"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j] -> [(j)] }, { S[i, j] -> [(j)]; T[i, j] -> [(i)] }]"
          permutable: 1
          child:
            sequence:
            - filter: "[n] -> { S[i, j] }"
            - filter: "[n] -> { T[i, j] }"
    "#]],
    );
}

#[test]
fn trisolv() {
    let problem = program(
        "[n] -> { : n >= 1 }",
        vec![
            statement(
                "[n] -> { S[i] : 0 <= i < n }",
                "{ S[i] -> [i, 0, 0] }",
                &["read { S[i] -> b[i] }", "write { S[i] -> x[i] }"],
            ),
            statement(
                "[n] -> { T[i, j] : 0 <= i < n and 0 <= j < i }",
                "{ T[i, j] -> [i, 1, j] }",
                &["read { T[i, j] -> x[i] }", "read { T[i, j] -> x[j] }", "write { T[i, j] -> x[i] }"],
            ),
            statement(
                "[n] -> { U[i] : 0 <= i < n }",
                "{ U[i] -> [i, 2, 0] }",
                &["read { U[i] -> x[i] }", "write { U[i] -> x[i] }"],
            ),
        ],
    );
    check(
        &problem,
        expect![[r#"
        child:
          sequence:
          - filter: "[n] -> { S[i] }"
            child:
              schedule: "[n] -> [{ S[i] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
          - filter: "[n] -> { T[i, j]; U[i] }"
            child:
              schedule: "[n] -> [{ T[i, j] -> [(j)]; U[i] -> [(i)] }, { T[i, j] -> [(i)]; U[i] -> [(i)] }]"
              permutable: 1
              child:
                sequence:
                - filter: "[n] -> { T[i, j] }"
                - filter: "[n] -> { U[i] }"
    "#]],
    );
}

#[test]
fn wavefront() {
    let problem = program(
        "[n] -> { : n >= 1 }",
        vec![statement(
            "[n] -> { S[i, j] : 1 <= i < n and 1 <= j < n }",
            "{ S[i, j] -> [i, j] }",
            &["read { S[i, j] -> A[i - 1, j] }", "read { S[i, j] -> A[i, j - 1] }", "write { S[i, j] -> A[i, j] }"],
        )],
    );
    check(
        &problem,
        expect![[r#"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
          permutable: 1
    "#]],
    );
}

fn gemver() -> Problem {
    program(
        "[n] -> { : n >= 1 }",
        vec![
            statement(
                "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }",
                "{ S[i, j] -> [0, i, j] }",
                &["read { S[i, j] -> A[i, j] }", "write { S[i, j] -> A[i, j] }"],
            ),
            statement(
                "[n] -> { T[i, j] : 0 <= i < n and 0 <= j < n }",
                "{ T[i, j] -> [1, i, j] }",
                &["read { T[i, j] -> A[j, i] }", "read { T[i, j] -> x[i] }", "write { T[i, j] -> x[i] }"],
            ),
            statement(
                "[n] -> { U[i] : 0 <= i < n }",
                "{ U[i] -> [2, i, 0] }",
                &["read { U[i] -> x[i] }", "write { U[i] -> x[i] }"],
            ),
            statement(
                "[n] -> { V[i, j] : 0 <= i < n and 0 <= j < n }",
                "{ V[i, j] -> [3, i, j] }",
                &[
                    "read { V[i, j] -> A[i, j] }",
                    "read { V[i, j] -> x[j] }",
                    "read { V[i, j] -> w[i] }",
                    "write { V[i, j] -> w[i] }",
                ],
            ),
        ],
    )
}

#[test]
fn fusion_that_costs_parallel_loops_can_be_forbidden() {
    let options = Options { maximize_coincidence: true, ..Options::default() };
    let scheduled = run(&gemver(), &options, false);
    scheduled.assert_legal(false);
    let bands = scheduled.tree.band_nodes();
    let coincident: Vec<Vec<bool>> =
        bands.iter().filter_map(|node| node.band()).map(|band| band.coincident.clone()).collect();
    assert_eq!(coincident, [vec![true, true], vec![true, false], vec![true], vec![true, false]]);
}

#[test]
fn gemver_fuses_the_transposed_product() {
    check(
        &gemver(),
        expect![[r#"
        child:
          sequence:
          - filter: "[n] -> { S[i, j]; T[i, j] }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(j)]; T[i, j] -> [(i)] }, { S[i, j] -> [(i)]; T[i, j] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 0 ]
              child:
                sequence:
                - filter: "[n] -> { S[i, j] }"
                - filter: "[n] -> { T[i, j] }"
          - filter: "[n] -> { U[i] }"
            child:
              schedule: "[n] -> [{ U[i] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
          - filter: "[n] -> { V[i, j] }"
            child:
              schedule: "[n] -> [{ V[i, j] -> [(i)] }, { V[i, j] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 0 ]
    "#]],
    );
}

#[test]
fn a_stencil_chain_stays_parallel() {
    let make = |s: &str, place: usize, from: &str, to: &str| {
        statement(
            &format!("[n] -> {{ {s}[i] : 1 <= i < n - 1 }}"),
            &format!("{{ {s}[i] -> [{place}, i] }}"),
            &[
                &format!("read {{ {s}[i] -> {from}[i - 1] }}"),
                &format!("read {{ {s}[i] -> {from}[i + 1] }}"),
                &format!("write {{ {s}[i] -> {to}[i] }}"),
            ],
        )
    };
    let problem = program("[n] -> { : n >= 3 }", vec![make("S", 0, "A", "B"), make("T", 1, "B", "C")]);
    check(
        &problem,
        expect![[r#"
        child:
          sequence:
          - filter: "[n] -> { S[i] }"
            child:
              schedule: "[n] -> [{ S[i] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
          - filter: "[n] -> { T[i] }"
            child:
              schedule: "[n] -> [{ T[i] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
    "#]],
    );
    check_with(
        &problem,
        max_fusion(),
        false,
        expect![[r#"
        child:
          schedule: "[n] -> [{ S[i] -> [(i)]; T[i] -> [(1 + i)] }]"
          permutable: 1
          child:
            sequence:
            - filter: "[n] -> { S[i] }"
            - filter: "[n] -> { T[i] }"
    "#]],
    );
}

#[test]
fn pointwise_producers_and_consumers_are_fused() {
    let make = |s: &str, place: usize, from: &str, to: &str| {
        statement(
            &format!("[n] -> {{ {s}[i, j] : 0 <= i < n and 0 <= j < n }}"),
            &format!("{{ {s}[i, j] -> [{place}, i, j] }}"),
            &[&format!("read {{ {s}[i, j] -> {from}[i, j] }}"), &format!("write {{ {s}[i, j] -> {to}[i, j] }}")],
        )
    };
    let problem =
        program("[n] -> { : n >= 1 }", vec![make("S", 0, "A", "B"), make("T", 1, "B", "C"), make("U", 2, "C", "D")]);
    check(
        &problem,
        expect![[r#"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j] -> [(i)]; U[i, j] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j] -> [(j)]; U[i, j] -> [(j)] }]"
          permutable: 1
          coincident: [ 1, 1 ]
          child:
            sequence:
            - filter: "[n] -> { S[i, j] }"
            - filter: "[n] -> { T[i, j] }"
            - filter: "[n] -> { U[i, j] }"
    "#]],
    );
    check_with(
        &problem,
        Options { fusion: Fusion::None, ..Options::default() },
        false,
        expect![[r#"
        child:
          sequence:
          - filter: "[n] -> { S[i, j] }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
          - filter: "[n] -> { T[i, j] }"
            child:
              schedule: "[n] -> [{ T[i, j] -> [(i)] }, { T[i, j] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
          - filter: "[n] -> { U[i, j] }"
            child:
              schedule: "[n] -> [{ U[i, j] -> [(i)] }, { U[i, j] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
    "#]],
    );
}

#[test]
fn a_reversed_consumer_is_fused_by_reversal() {
    let problem = program(
        "[n] -> { : n >= 1 }",
        vec![
            statement("[n] -> { S[i] : 0 <= i < n }", "{ S[i] -> [0, i] }", &["write { S[i] -> A[i] }"]),
            statement(
                "[n] -> { T[i] : 0 <= i < n }",
                "{ T[i] -> [1, i] }",
                &["read [n] -> { T[i] -> A[n - 1 - i] }", "write { T[i] -> B[i] }"],
            ),
        ],
    );
    check(
        &problem,
        expect![[r#"
        child:
          schedule: "[n] -> [{ S[i] -> [(1 + i)]; T[i] -> [(n - i)] }]"
          permutable: 1
          coincident: [ 1 ]
          child:
            sequence:
            - filter: "[n] -> { S[i] }"
            - filter: "[n] -> { T[i] }"
    "#]],
    );
    check_with(
        &problem,
        Options { negative_coefficients: false, ..Options::default() },
        false,
        expect![[r#"
        child:
          sequence:
          - filter: "[n] -> { S[i] }"
            child:
              schedule: "[n] -> [{ S[i] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
          - filter: "[n] -> { T[i] }"
            child:
              schedule: "[n] -> [{ T[i] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
    "#]],
    );
}

#[test]
fn only_the_original_order() {
    // Every instance reads what all earlier ones have written to the same scalar.
    let problem = program(
        "[n] -> { : n >= 1 }",
        vec![
            statement(
                "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }",
                "{ S[i, j] -> [i, 0, j] }",
                &["read { S[i, j] -> s[] }", "write { S[i, j] -> s[] }"],
            ),
            statement(
                "[n] -> { T[i, j] : 0 <= i < n and 0 <= j < n }",
                "{ T[i, j] -> [i, 1, j] }",
                &["read { T[i, j] -> s[] }", "write { T[i, j] -> s[] }"],
            ),
        ],
    );
    check(
        &problem,
        expect![[r#"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j] -> [(i)] }]"
          permutable: 1
          child:
            sequence:
            - filter: "[n] -> { S[i, j] }"
              child:
                schedule: "[n] -> [{ S[i, j] -> [(j)] }]"
                permutable: 1
            - filter: "[n] -> { T[i, j] }"
              child:
                schedule: "[n] -> [{ T[i, j] -> [(j)] }]"
                permutable: 1
    "#]],
    );
}

#[test]
fn a_descending_loop_is_kept() {
    // for i descending: A[i] = A[i + 1]
    let problem = program(
        "[n] -> { : n >= 1 }",
        vec![statement(
            "[n] -> { S[i] : 0 <= i < n }",
            "{ S[i] -> [-i] }",
            &["read { S[i] -> A[i + 1] }", "write { S[i] -> A[i] }"],
        )],
    );
    check(
        &problem,
        expect![[r#"
        child:
          schedule: "[n] -> [{ S[i] -> [(-i)] }]"
          permutable: 1
    "#]],
    );
}

#[test]
fn a_descending_loop_without_negative_coefficients_stays_as_it_is() {
    let problem = program(
        "[n] -> { : n >= 1 }",
        vec![statement(
            "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }",
            "{ S[i, j] -> [1, -i, 3, j] }",
            &["read { S[i, j] -> A[i + 1, j + 1] }", "write { S[i, j] -> A[i, j] }"],
        )],
    );
    check_with(
        &problem,
        Options { negative_coefficients: false, ..Options::default() },
        false,
        expect![[r#"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(-i)] }]"
          permutable: 1
          child:
            schedule: "[n] -> [{ S[i, j] -> [(j)] }]"
            permutable: 1
            coincident: [ 1 ]
    "#]],
    );
}

#[test]
fn unbounded_negative_distances_are_carried() {
    // for i descending: for j: A[i, j] = all A[k, j + 1] with k > i
    let problem = program(
        "[n] -> { : n >= 1 }",
        vec![statement(
            "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }",
            "{ S[i, j] -> [-i, j] }",
            &[
                "read [n] -> { S[i, j] -> A[k, j + 1] : i < k < n }",
                "read [n] -> { S[i, j] -> A[k, j - 1] : i < k < n }",
                "write { S[i, j] -> A[i, j] }",
            ],
        )],
    );
    check(
        &problem,
        expect![[r#"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(-i)] }]"
          permutable: 1
          child:
            schedule: "[n] -> [{ S[i, j] -> [(j)] }]"
            permutable: 1
            coincident: [ 1 ]
    "#]],
    );
}

#[test]
fn reversed_loops_with_long_distances_are_permutable() {
    // for i descending: for j descending: A[i, j] = all A[k, l] with k >= i, l >= j
    let problem = program(
        "[n] -> { : n >= 1 }",
        vec![statement(
            "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }",
            "{ S[i, j] -> [-i, -j] }",
            &["read [n] -> { S[i, j] -> A[k, l] : i <= k < n and j <= l < n }", "write { S[i, j] -> A[i, j] }"],
        )],
    );
    check(
        &problem,
        expect![[r#"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(-i)] }, { S[i, j] -> [(-j)] }]"
          permutable: 1
    "#]],
    );
}

#[test]
fn equal_inputs_give_equal_schedules() {
    let texts: Vec<String> = (0..3).map(|_| run(&two_mm(), &max_fusion(), true).tree.to_string()).collect();
    assert_eq!(texts[0], texts[1]);
    assert_eq!(texts[1], texts[2]);
}

/// Three loops over one array, the second one in an order that shifts the data: all of them share a
/// loop.
#[test]
fn maximal_fusion_takes_loops_that_only_reuse_far_data() {
    let problem = program(
        "[n] -> { : n >= 1 }",
        vec![
            statement("[n] -> { A[i] : 0 <= i < n }", "{ A[i] -> [0, i] }", &["write { A[i] -> x[i] }"]),
            statement(
                "[n] -> { B[i] : 0 <= i < n }",
                "{ B[i] -> [1, i] }",
                &["read { B[i] -> x[0] }", "write { B[i] -> y[i] }"],
            ),
            statement("[n] -> { C[i] : 0 <= i < n }", "{ C[i] -> [2, i] }", &["write { C[i] -> z[i] }"]),
        ],
    );
    check_with(
        &problem,
        max_fusion(),
        false,
        expect![[r#"
        child:
          schedule: "[n] -> [{ A[i] -> [(i)]; B[i] -> [(i)]; C[i] -> [(i)] }]"
          permutable: 1
          child:
            sequence:
            - filter: "[n] -> { A[i] }"
            - filter: "[n] -> { B[i] }"
            - filter: "[n] -> { C[i] }"
    "#]],
    );
}

#[test]
fn a_consumer_of_every_second_element_is_fused_by_scaling() {
    let problem = program(
        "[n] -> { : n >= 1 }",
        vec![
            statement(
                "[n] -> { S[i] : 0 <= i < 2n }",
                "{ S[i] -> [0, i] }",
                &["read { S[i] -> X[i] }", "write { S[i] -> A[i] }"],
            ),
            statement(
                "[n] -> { T[j] : 0 <= j < n }",
                "{ T[j] -> [1, j] }",
                &["read { T[j] -> A[2j] }", "write { T[j] -> B[j] }"],
            ),
        ],
    );
    check(
        &problem,
        expect![[r#"
        child:
          schedule: "[n] -> [{ S[i] -> [(i)]; T[j] -> [(2j)] }]"
          permutable: 1
          coincident: [ 1 ]
          child:
            sequence:
            - filter: "[n] -> { S[i] }"
            - filter: "[n] -> { T[j] }"
    "#]],
    );
}

/// `A[i][j] = A[i - 1][j] + A[i][j + 1]`: values move along `i`, elements are protected along `j`.
fn values_along_one_loop() -> Problem {
    program(
        "[n] -> { : n >= 1 }",
        vec![statement(
            "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }",
            "{ S[i, j] -> [i, j] }",
            &["read { S[i, j] -> A[i - 1, j] }", "read { S[i, j] -> A[i, j + 1] }", "write { S[i, j] -> A[i, j] }"],
        )],
    )
}

#[test]
fn all_dependences_are_to_be_short() {
    check(
        &values_along_one_loop(),
        expect![[r#"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
          permutable: 1
    "#]],
    );
}

#[test]
fn only_values_are_to_be_near() {
    let options = Options { proximity: Proximity::Flow, ..Options::default() };
    check_with(
        &values_along_one_loop(),
        options,
        false,
        expect![[r#"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(j)] }, { S[i, j] -> [(i)] }]"
          permutable: 1
    "#]],
    );
}

#[test]
fn locality_may_cost_parallel_loops() {
    let options = Options { preference: Preference::Locality, ..Options::default() };
    check_with(
        &mvt(),
        options,
        true,
        expect![[r#"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j] -> [(j)] }, { S[i, j] -> [(j)]; T[i, j] -> [(i)] }]"
          permutable: 1
          child:
            sequence:
            - filter: "[n] -> { S[i, j] }"
            - filter: "[n] -> { T[i, j] }"
    "#]],
    );
}
