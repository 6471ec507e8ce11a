//! The worked examples of the simplification of reductions: degrees before and after, and the same
//! values.

use poly_arith::Int;
use poly_presburger::Budget;

use super::simplify;
use crate::interpret::tests::run;
use crate::program::Role;
use crate::random::{Numbers, text};
use crate::tests::{SCAN, system};
use crate::{System, Tables, Value, check, cost, degree, points};

fn inputs(system: &System, params: &[i64]) -> Tables {
    let mut numbers = Numbers::new(7);
    let mut tables = Tables::new();
    for variable in system.variables.iter().filter(|v| v.role == Role::In) {
        let points = points(&variable.domain, params, &mut Budget::unlimited()).unwrap();
        let value = |n: i64| Value::Int(n).stored(variable.scalar);
        tables.insert(variable.name.clone(), points.into_iter().map(|p| (p, value(numbers.within(-9, 9)))).collect());
    }
    tables
}

fn simplified(old: &System, sizes: &[i64]) -> (System, Vec<String>) {
    let budget = &mut Budget::unlimited();
    let (new, notes) = simplify(old, sizes, &mut |_, _| false, budget).unwrap();
    let flaws = check(&new, budget).unwrap();
    assert!(flaws.is_empty(), "{}\n{new}", flaws[0]);
    for small in 1..5 {
        let params: Vec<i64> = (0..sizes.len()).map(|i| small + i as i64).collect();
        let exact: Vec<Int> = params.iter().map(|&p| p.into()).collect();
        if old.context.contains(&exact, &[]) {
            let values = inputs(old, &params);
            assert_eq!(run(&new, &params, &values), run(old, &params, &values), "{params:?}\n{new}");
        }
    }
    (new, notes.into_iter().map(|note| note.what).collect())
}

/// Degrees before and after.
fn degrees(text: &str, sizes: &[i64]) -> (u32, u32) {
    let budget = &mut Budget::unlimited();
    let old = system(text);
    let (new, notes) = simplified(&old, sizes);
    let of = |system: &System, budget: &mut Budget| degree(&cost(system, budget).unwrap().1);
    let result = (of(&old, budget), of(&new, budget));
    assert!(result.0 >= result.1, "{notes:?} {new}");
    result
}

fn operations(system: &System, sizes: &[i64]) -> i64 {
    let (_, total) = cost(system, &mut Budget::unlimited()).unwrap();
    let sizes: Vec<Int> = sizes.iter().map(|&n| n.into()).collect();
    total.eval(&sizes).to_int().and_then(|n| n.to_i64()).unwrap()
}

#[test]
fn prefix_sum() {
    let old = system(SCAN);
    let (new, _) = simplified(&old, &[100]);
    assert_eq!((operations(&old, &[100]), operations(&new, &[100])), (4950, 99));
    expect_test::expect![[r#"
        system scan[N] where N > 0 {
          in i64 A : { [i0] : 0 <= i0 < N };
          out i64 C : { [i] : 0 <= i < N };
          C[i] = case {
            i > 0 : C[-1 + i] + A[i];
            i = 0 : A[i];
          };
        }
    "#]]
    .assert_eq(&new.to_string());
}

#[test]
fn windows_and_filters() {
    let sliding = "system s[N, W] where N >= 1 and W >= 1 { in i64 A : [0..N+W-2]; out i64 Y : [0..N-1];
        Y[i] = sum[j : 0 <= j < W] A[i + j]; }";
    assert_eq!(degrees(sliding, &[100, 16]), (2, 1));
    let blur = "system s[N, R] where N >= 1 and R >= 1 { in i64 A : [0..N+R-2, 0..N+R-2]; out i64 Y : [0..N-1, 0..N-1];
        Y[i, j] = sum[y, x : 0 <= y, x < R] A[i + y, j + x]; }";
    assert_eq!(degrees(blur, &[24, 6]), (4, 2));
    let sweep = "system s[N] where N >= 2 { in i64 A : [0..N-1]; out i64 Y : [0..N-1];
        Y[i] = sum[j : 0 <= j < N and j != i] A[j]; }";
    assert_eq!(degrees(sweep, &[64]), (2, 1));
}

#[test]
fn triangles_and_checksums() {
    let handbook =
        "system s[N] where N >= 1 { in i64 A : [0..N-1, 0..2*N-2]; in i64 B : [0..N-1, 0..N-1]; out i64 Y : [0..N-1];
        Y[i] = sum[j, k : 0 <= j, k <= i] A[i, j + k] * B[k, j]; }";
    assert_eq!(degrees(handbook, &[24]), (3, 2));
    let constant = "system s[N] where N >= 1 { in i64 A : [0..N-1]; out i64 Y : [0..N-1];
        Y[i] = sum[j, k : 0 <= j, k <= i] A[k]; }";
    assert_eq!(degrees(constant, &[60]), (3, 1));
    let checksum = "system s[N] where N >= 1 { in i64 A, B : [0..N-1, 0..N-1]; out i64 Y : { [] };
        Y = sum[i, j, k : 0 <= i, j, k < N] A[i, k] * B[k, j]; }";
    assert_eq!(degrees(checksum, &[20]), (3, 2));
    let old = system(checksum);
    assert_eq!(operations(&simplified(&old, &[20]).0, &[2]), 7);
    let maximum = "system s[N] where N >= 1 { in i64 A : [0..N-1]; out i64 Y : [0..N-1];
        Y[i] = max[j : 0 <= j <= i] A[j] * A[j] + 3; }";
    assert_eq!(degrees(maximum, &[60]), (2, 1));
}

#[test]
fn sums_of_different_terms_are_split() {
    let mixed = "system s[N] where N >= 1 { in i64 A, B : [0..N-1]; out i64 Y : [0..N-1];
        Y[i] = sum[j : 0 <= j <= i] (A[j] + B[i - j] * B[i - j]); }";
    assert_eq!(degrees(mixed, &[60]), (2, 1));
    let cases = "system s[N] where N >= 1 { in i64 A : [0..N-1]; out i64 Y : [0..N-1];
        Y[i] = sum[j : 0 <= j <= i] case { 2j <= N : A[j]; else : A[j] * 3; }; }";
    assert_eq!(degrees(cases, &[60]), (2, 1));
}

#[test]
fn what_is_left_alone_has_a_reason() {
    let chain = system(
        "system s[N] where N >= 1 { in i64 d : [0..N]; out i64 M : { [i, j] : 1 <= i <= j <= N };
            M[i, j] = case { i = j : 0; else : min[k : i <= k < j] M[i, k] + M[k+1, j] + d[i-1] * d[k] * d[j]; }; }",
    );
    let (_, notes) = simplified(&chain, &[20]);
    assert_eq!(notes, ["no sharing between its answers saves operations"]);
    let floats = system(
        "system s[N, W] where N >= 1 and W >= 1 { in f64 A : [0..N+W-2]; out f64 Y : [0..N-1]; Y[i] = sum[j : 0 <= j < W] A[i + j]; }",
    );
    assert_eq!(simplified(&floats, &[100, 16]).1, ["floating-point values would have to be subtracted again"]);
    let dependent = system(
        "system s[N] where N >= 1 { in i64 A : [0..N-1]; out i64 Y : [0..N-1]; Y[i] = A[i] + sum[j : 0 <= j < i] Y[j]; }",
    );
    assert_eq!(
        simplified(&dependent, &[50]).1,
        ["its values depend on its own answers, in an order that sharing would break"]
    );
}

#[test]
fn random_systems_keep_their_values() {
    for seed in crate::random::seeds(60) {
        simplified(&system(&text(seed)), &[4]);
    }
}
