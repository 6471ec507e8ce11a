//! Sizes of the worked examples.

use poly_presburger::Budget;

use super::*;
use crate::schedule::given;
use crate::tests::system;

fn sizes(text: &str, order: &str) -> String {
    let budget = &mut Budget::unlimited();
    let pieces = Pieces::new(&system(text), budget).unwrap();
    let tree = given(&pieces, order, budget).unwrap_or_else(|why| panic!("{why}"));
    super::text(&pieces.system, &contracted(&pieces, &tree, budget).unwrap())
}

#[test]
fn two_values_back() {
    let fibonacci = "system s[N] where N >= 4 { out i64 F : { [] }; let i64 f : [0..N]; F = f[N];
        f[i] = case { i <= 1 : 1; else : f[i-1] + f[i-2]; }; }";
    expect_test::expect![[r#"
        F: 1 elements
        f: 2 cells, used again
    "#]]
    .assert_eq(&sizes(fibonacci, "f: (i) -> (i); F: () -> (N + 1)"));
}

#[test]
fn rows_of_a_stencil() {
    let jacobi = "system s[N, T] where N >= 3 and T >= 3 { in i64 A : [0..N]; out i64 B : [0..N]; let i64 X : [0..T, 0..N];
        B[i] = X[T, i];
        X[t, i] = case { t = 0 : A[i]; t > 0 and (i = 0 or i = N) : A[i]; else : X[t-1, i-1] + X[t-1, i] + X[t-1, i+1]; }; }";
    expect_test::expect![[r#"
        A: 1 + N elements
        B: 1 + N elements
        X: 2 x 1 + N cells, used again
    "#]]
    .assert_eq(&sizes(jacobi, "X: (t, i) -> (t, i); B: (i) -> (T + 1, i)"));
}

#[test]
fn diagonals_of_an_alignment() {
    let align =
        "system s[N] where N >= 3 { in i64 a : [1..N]; out i64 best : { [] }; let i64 H : [0..N, 0..N]; best = H[N, N];
        H[i, j] = case { i = 0 or j = 0 : 0; else : max(H[i-1, j-1] + a[i], H[i-1, j], H[i, j-1]); }; }";
    expect_test::expect![[r#"
        a: N elements
        best: 1 elements
        H: 2 x 1 + N cells, used again
    "#]]
    .assert_eq(&sizes(align, "H: (i, j) -> (i, j); best: () -> (N + 1)"));
}

#[test]
fn what_is_seen_from_outside_is_kept() {
    let scan = "system s[N] where N >= 3 { in i64 a : [0..N]; out i64 Y : [0..N]; let i64 dead : [0..N];
        Y[i] = case { i = 0 : a[0]; else : Y[i-1] + a[i]; }; dead[i] = a[i]; }";
    expect_test::expect![[r#"
        a: 1 + N elements
        Y: 1 + N elements
        dead: 1 cells, used again
    "#]]
    .assert_eq(&sizes(scan, "Y: (i) -> (i, 0); dead: (i) -> (i, 1)"));
}
