//! Schedules of the worked examples, given ones that are wrong, and random systems.

use poly_presburger::Budget;

use super::*;
use crate::random;
use crate::tests::{SCAN, system};

fn pieces(text: &str) -> Pieces {
    Pieces::new(&system(text), &mut Budget::unlimited()).unwrap()
}

fn steps(text: &str) -> String {
    let pieces = pieces(text);
    let tree = automatic(&pieces, Aim::Feautrier, &mut Budget::unlimited()).unwrap_or_else(|why| panic!("{why}"));
    super::text(&pieces, &tree)
}

#[test]
fn z_polyhedra_of_the_handbook() {
    // Three classes modulo 6 in one, two and three steps: no time depends on N.
    let thirds = "system z[N] where N >= 12 { out i64 X : { [i] : 0 <= i < N and i mod 2 = 0 } or { [i] : 0 <= i < N and i mod 3 = 0 };
        X[i] = case { i mod 6 = 3 : X[i-1] + 1; i mod 6 = 4 : X[i-1] * 2; else : 1; }; }";
    expect_test::expect![[r#"
        S0: X[3 + 6t0] = X[2 + 6t0] + 1 for N >= 12 and 6t0 <= -4 + N and t0 >= 0
            at (1, 0, t0)
        S1: X[4 + 6t0] = X[3 + 6t0] * 2 for N >= 12 and 6t0 <= -5 + N and t0 >= 0
            at (2, 1, t0)
        S2: X[i] = 1 for (i) mod 2 = 0 and N >= 12 and 0 <= i < N and i <= 2 + 6*floor((i)/6)
            at (0, 2, i)
    "#]]
    .assert_eq(&steps(thirds));
    // The same as one branch, whose remainders are the two of a division.
    let joined = "system z[N] where N >= 12 { out i64 X : { [i] : 0 <= i < N and i mod 2 = 0 } or { [i] : 0 <= i < N and i mod 3 = 0 };
        X[i] = case { i mod 6 = 3 or i mod 6 = 4 : X[i-1] + 1; else : 1; }; }";
    expect_test::expect![[r#"
        S0: X[3 + 6t0] = X[2 + 6t0] + 1 for N >= 12 and 6t0 <= -4 + N and t0 >= 0
            at (1, 0, t0)
        S1: X[4 + 6t0] = X[3 + 6t0] + 1 for N >= 12 and 6t0 <= -5 + N and t0 >= 0
            at (2, 1, t0)
        S2: X[i] = 1 for (i) mod 2 = 0 and N >= 12 and 0 <= i < N and i <= 2 + 6*floor((i)/6)
            at (0, 2, i)
    "#]]
    .assert_eq(&steps(joined));
    // Every remainder is there: the division is a bound.
    let half_rows = "system z[N] where N >= 1 { out i64 X : { [i, j] : 0 <= i <= N and 0 <= j <= floor(i / 2) };
        X[i, j] = case { i = 0 : 0; i > 0 and 2 * j > i - 1 : 1; else : X[i-1, j] + 1; }; }";
    assert_eq!(pieces(half_rows).statements.len(), 3);
    let half = "system z[N] where N >= 1 { out i64 X : [1..N]; X[i] = case { i mod 2 = 0 : X[i/2] + 1; else : 0; }; }";
    expect_test::expect![[r#"
        S0: X[2t0] = X[t0] + 1 for t0 > 0 and 2t0 <= N
            at (t0, 0, 0)
        S1: X[1 + 2t0] = 0 for 2t0 < N and t0 >= 0
            at (0, 1, t0)
    "#]]
    .assert_eq(&steps(half));
    let red_black = "system sor[N, T] where N >= 2 and T >= 1 { in i64 A : [0..N, 0..N]; out i64 X : [0..T, 0..N, 0..N];
        X[t, i, j] = case {
            t = 0 or i = 0 or j = 0 or i = N or j = N : A[i, j];
            t > 0 and 0 < i < N and 0 < j < N and (i + j) mod 2 = 0 : X[t-1, i-1, j] + X[t-1, i+1, j] + X[t-1, i, j-1] + X[t-1, i, j+1];
            t > 0 and 0 < i < N and 0 < j < N and (i + j) mod 2 = 1 : X[t, i-1, j] + X[t, i+1, j] + X[t, i, j-1] + X[t, i, j+1];
        }; }";
    let text = steps(red_black);
    assert!(text.contains("at (2t") || text.contains("at (t"), "{text}");
}

#[test]
fn wavefronts() {
    let align = "system s[N] where N >= 1 { in i64 a : [1..N]; out i64 H : [0..N, 0..N];
        H[i, j] = case { i = 0 or j = 0 : 0; else : max(H[i-1, j-1] + a[i], H[i-1, j], H[i, j-1]); }; }";
    expect_test::expect![[r#"
        S0: H[0, j] = 0 for N > 0 and 0 <= j <= N
            at (0, 0, j)
        S1: H[i, 0] = 0 for 0 < i <= N
            at (0, 1, i)
        S2: H[i, j] = max(max(H[-1 + i, -1 + j] + a[i], H[-1 + i, j]), H[i, -1 + j]) for N > 0 and 0 < i <= N and 0 < j <= N
            at (-1 + i + j, 2, i)
    "#]].assert_eq(&steps(align));
}

#[test]
fn given_schedules_are_verified() {
    let budget = &mut Budget::unlimited();
    let pieces = pieces(
        "system s[N] where N >= 1 { in i64 a : [1..N]; out i64 H : [0..N, 0..N];
            H[i, j] = case { i = 0 or j = 0 : 0; else : max(H[i-1, j-1] + a[i], H[i-1, j], H[i, j-1]); }; }",
    );
    assert!(given(&pieces, "H: (i, j) -> (i + j, i)", budget).is_ok());
    assert!(given(&pieces, "H: (i, j) -> (i, j)", budget).is_ok());
    let wrong = given(&pieces, "H: (i, j) -> (i, -j)", budget).unwrap_err();
    assert_eq!(wrong, "H[1, 1] needs H[1, 0], which is not earlier when N = 1");
    assert_eq!(given(&pieces, "", budget).unwrap_err(), "`H` needs a function: `H: (i) -> (i)`");
    let sums = Pieces::new(&system(SCAN), budget).unwrap();
    assert!(given(&sums, "C: (i, j) -> (i, -j)", budget).is_ok(), "the points of a reduction have no order");
    let same = given(&sums, "C: (i, j) -> (i)", budget).unwrap_err();
    assert!(same.contains("which is not earlier"), "{same}");
}

#[test]
fn what_depends_on_itself_has_no_schedule() {
    let budget = &mut Budget::unlimited();
    let circle = Pieces::new(&system("system s { out i64 X, Y : [0..2]; X[i] = Y[i]; Y[i] = X[i]; }"), budget).unwrap();
    let why = automatic(&circle, Aim::Pluto, budget).unwrap_err();
    assert_eq!(why, "no affine schedule was found: in the order of the text, X[0] needs Y[0], which is not earlier");
}

#[test]
fn random_systems_have_legal_schedules() {
    let budget = &mut Budget::unlimited();
    for seed in crate::random::seeds(40) {
        let pieces = Pieces::new(&system(&random::text(seed)), budget).unwrap();
        for aim in [Aim::Pluto, Aim::Feautrier] {
            let _ = automatic(&pieces, aim, budget).unwrap_or_else(|why| panic!("{seed}: {why}"));
        }
    }
}
