//! Programs for the trees of well-known kernels: text, and exactness by interpretation.

mod common;

use common::{check, context, tree};
use expect_test::{Expect, expect};
use poly_arith::Int;
use poly_schedule_tree::ScheduleTree;

fn shows(tree: &ScheduleTree, assumed: &str, range: std::ops::RangeInclusive<i64>, expected: Expect) {
    let ast = check(tree, &context(assumed), range);
    expected.assert_eq(&ast.to_string());
}

fn tiled(tree: &ScheduleTree, sizes: &[i64]) -> ScheduleTree {
    let sizes: Vec<Int> = sizes.iter().map(|&s| Int::from(s)).collect();
    tree.band_nodes()[0].band_tile(&sizes).tree()
}

const GEMM: &str = r#"
domain: "[n, m] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < m }"
child:
  schedule: "[{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }, { S[i, j] -> [(0)]; T[i, j, k] -> [(k)] }]"
  permutable: 1
  coincident: [ 1, 1, 0 ]
  child:
    sequence:
    - filter: "{ S[i, j] }"
    - filter: "{ T[i, j, k] }"
"#;

#[test]
fn gemm() {
    shows(
        &tree(GEMM),
        "[n, m] -> { : }",
        -1..=4,
        expect![[r#"
        for (int c0 = 0; c0 < n; c0 += 1)
          for (int c1 = 0; c1 < n; c1 += 1) {
            S(c0, c1);
            for (int c2 = 0; c2 < m; c2 += 1)
              T(c0, c1, c2);
          }
    "#]],
    );
}

#[test]
fn gemm_tiled() {
    shows(
        &tiled(&tree(GEMM), &[4, 3, 2]),
        "[n, m] -> { : n >= 1 and m >= 1 }",
        0..=7,
        expect![[r#"
        for (int c0 = 0; c0 <= floord(n - 1, 4); c0 += 1)
          for (int c1 = 0; c1 <= floord(n - 1, 3); c1 += 1)
            for (int c2 = 0; c2 <= floord(m - 1, 2); c2 += 1)
              for (int c3 = 4 * c0; c3 <= min(n - 1, 4 * c0 + 3); c3 += 1)
                for (int c4 = 3 * c1; c4 <= min(n - 1, 3 * c1 + 2); c4 += 1) {
                  if (c2 == 0)
                    S(c3, c4);
                  for (int c5 = 2 * c2; c5 <= min(m - 1, 2 * c2 + 1); c5 += 1)
                    T(c3, c4, c5);
                }
    "#]],
    );
}

const LU: &str = r#"
domain: "[n] -> { S[k, i] : 0 <= k < n and k < i < n; T[k, i, j] : 0 <= k < n and k < i < n and k < j < n }"
child:
  schedule: "[{ S[k, i] -> [(k)]; T[k, i, j] -> [(k)] }, { S[k, i] -> [(i)]; T[k, i, j] -> [(i)] }, { S[k, i] -> [(k)]; T[k, i, j] -> [(j)] }]"
  permutable: 1
  child:
    sequence:
    - filter: "{ S[k, i] }"
    - filter: "{ T[k, i, j] }"
"#;

#[test]
fn lu() {
    shows(
        &tree(LU),
        "[n] -> { : }",
        -1..=6,
        expect![[r#"
        for (int c0 = 0; c0 <= n - 2; c0 += 1)
          for (int c1 = c0 + 1; c1 < n; c1 += 1) {
            S(c0, c1);
            for (int c2 = c0 + 1; c2 < n; c2 += 1)
              T(c0, c1, c2);
          }
    "#]],
    );
}

#[test]
fn lu_tiled() {
    shows(
        &tiled(&tree(LU), &[3, 3, 3]),
        "[n] -> { : n >= 1 }",
        0..=8,
        expect![[r#"
        for (int c0 = 0; c0 <= floord(n - 2, 3); c0 += 1)
          for (int c1 = c0; c1 <= floord(n - 1, 3); c1 += 1)
            for (int c2 = c0; c2 <= floord(n - 1, 3); c2 += 1)
              for (int c3 = 3 * c0; c3 <= min(n - 2, min(3 * c1 + 1, 3 * c0 + 2)); c3 += 1)
                for (int c4 = max(c3 + 1, 3 * c1); c4 <= min(n - 1, 3 * c1 + 2); c4 += 1) {
                  if (c0 == c2)
                    S(c3, c4);
                  for (int c5 = max(c3 + 1, 3 * c2); c5 <= min(n - 1, 3 * c2 + 2); c5 += 1)
                    T(c3, c4, c5);
                }
    "#]],
    );
}

const JACOBI: &str = r#"
domain: "[n, steps] -> { S[t, i] : 0 <= t < steps and 1 <= i < n - 1; T[t, i] : 0 <= t < steps and 1 <= i < n - 1 }"
child:
  schedule: "[{ S[t, i] -> [(t)]; T[t, i] -> [(t)] }, { S[t, i] -> [(2t + i)]; T[t, i] -> [(2t + i + 1)] }]"
  permutable: 1
  child:
    sequence:
    - filter: "{ S[t, i] }"
    - filter: "{ T[t, i] }"
"#;

#[test]
fn jacobi_skewed() {
    shows(
        &tree(JACOBI),
        "[n, steps] -> { : n >= 3 and steps >= 1 }",
        0..=6,
        expect![[r#"
        for (int c0 = 0; c0 < steps; c0 += 1) {
          S(c0, 1);
          for (int c1 = 2 * c0 + 2; c1 <= 2 * c0 + n - 2; c1 += 1) {
            S(c0, c1 - 2 * c0);
            T(c0, c1 - 2 * c0 - 1);
          }
          T(c0, n - 2);
        }
    "#]],
    );
}

#[test]
fn jacobi_skewed_and_tiled() {
    shows(
        &tiled(&tree(JACOBI), &[4, 4]),
        "[n, steps] -> { : n >= 3 and steps >= 1 }",
        0..=9,
        expect![[r#"
        for (int c0 = 0; c0 <= floord(steps - 1, 4); c0 += 1)
          for (int c1 = 2 * c0; c1 <= min(floord(n + 2 * steps - 3, 4), floord(8 * c0 + n + 5, 4)); c1 += 1)
            for (int c2 = max(floord(4 * c1 + 2 - n, 2), 4 * c0); c2 <= min(steps - 1, min(2 * c1 + 1, 4 * c0 + 3)); c2 += 1) {
              if (c2 >= 2 * c1)
                S(c2, 1);
              for (int c3 = max(2 * c2 + 2, 4 * c1); c3 <= min(2 * c2 + n - 2, 4 * c1 + 3); c3 += 1) {
                S(c2, c3 - 2 * c2);
                T(c2, c3 - 2 * c2 - 1);
              }
              if (4 * c1 + 4 >= 2 * c2 + n)
                T(c2, n - 2);
            }
    "#]],
    );
}

#[test]
fn seidel_skewed_and_tiled() {
    let seidel = tree(
        r#"
domain: "[n, steps] -> { S[t, i, j] : 0 <= t < steps and 1 <= i < n - 1 and 1 <= j < n - 1 }"
child:
  schedule: "[{ S[t, i, j] -> [(t)] }, { S[t, i, j] -> [(t + i)] }, { S[t, i, j] -> [(2t + i + j)] }]"
  permutable: 1
"#,
    );
    shows(
        &tiled(&seidel, &[2, 3, 4]),
        "[n, steps] -> { : n >= 3 and steps >= 1 }",
        0..=6,
        expect![[r#"
        for (int c0 = 0; c0 <= floord(steps - 1, 2); c0 += 1)
          for (int c1 = floord(2 * c0 + 1, 3); c1 <= min(floord(n + steps - 3, 3), floord(2 * c0 + n - 1, 3)); c1 += 1)
            for (int c2 = max(floord(6 * c1 + 3 - n, 4), floord(2 * c0 + 3 * c1 + 1, 4)); c2 <= min(floord(n + steps - 3, 2), min(floord(2 * c0 + n - 1, 2), min(floord(3 * c1 + n + steps - 1, 4), min(floord(6 * c1 + n + 1, 4), floord(2 * c0 + 3 * c1 + n + 1, 4))))); c2 += 1)
              for (int c3 = max(3 * c1 + 2 - n, max(2 * c2 + 2 - n, max(2 * c0, 4 * c2 - 3 * c1 - n))); c3 <= min(steps - 1, min(2 * c2, min(3 * c1 + 1, min(2 * c0 + 1, 4 * c2 + 2 - 3 * c1)))); c3 += 1)
                for (int c4 = max(4 * c2 + 2 - c3 - n, max(c3 + 1, 3 * c1)); c4 <= min(c3 + n - 2, min(4 * c2 + 2 - c3, 3 * c1 + 2)); c4 += 1)
                  for (int c5 = max(c3 + c4 + 1, 4 * c2); c5 <= min(c3 + c4 + n - 2, 4 * c2 + 3); c5 += 1)
                    S(c3, c4 - c3, c5 - c3 - c4);
    "#]],
    );
}

#[test]
fn triangle() {
    let triangle = tree(
        r#"
domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }"
child:
  schedule: "[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
  permutable: 1
"#,
    );
    shows(
        &triangle,
        "[n] -> { : }",
        -1..=6,
        expect![[r#"
        for (int c0 = 0; c0 < n; c0 += 1)
          for (int c1 = 0; c1 <= c0; c1 += 1)
            S(c0, c1);
    "#]],
    );
    shows(
        &tiled(&triangle, &[4, 2]),
        "[n] -> { : n >= 0 }",
        0..=9,
        expect![[r#"
        for (int c0 = 0; c0 <= floord(n - 1, 4); c0 += 1)
          for (int c1 = 0; c1 <= min(floord(n - 1, 2), 2 * c0 + 1); c1 += 1)
            for (int c2 = max(4 * c0, 2 * c1); c2 <= min(n - 1, 4 * c0 + 3); c2 += 1)
              for (int c3 = 2 * c1; c3 <= min(c2, 2 * c1 + 1); c3 += 1)
                S(c2, c3);
    "#]],
    );
}
