//! Every command keeps the values of outputs: on examples and on random systems.

use poly_presburger::Budget;

use super::*;
use crate::interpret::tests::run;
use crate::normalize::normalize;
use crate::random::{Numbers, text};
use crate::tests::{SCAN, system};
use crate::value::Value;
use crate::{Tables, check, points};

/// Random numbers for all inputs.
fn inputs(system: &System, params: &[i64], seed: u64) -> Tables {
    let mut numbers = Numbers::new(seed);
    let mut tables = Tables::new();
    for variable in system.variables.iter().filter(|v| v.role == Role::In) {
        let points = points(&variable.domain, params, &mut Budget::unlimited()).unwrap();
        let table = points.into_iter().map(|p| (p, Value::Int(numbers.within(-20, 20)))).collect();
        tables.insert(variable.name.clone(), table);
    }
    tables
}

/// The outputs of both systems, which must be the same, and no flaw in the new one.
fn same(old: &System, new: &System, params: &[i64], seed: u64) {
    let flaws = check(new, &mut Budget::unlimited()).unwrap();
    assert!(flaws.is_empty(), "{}\n{old}\n{new}", flaws[0]);
    let values = inputs(old, params, seed);
    assert_eq!(run(new, params, &values), run(old, params, &values), "{params:?}\n{old}\n{new}");
}

#[test]
fn normal_forms_of_random_systems() {
    for seed in crate::random::seeds(150) {
        let text = text(seed);
        let old = system(&text);
        let new = normalize(&old, &mut Budget::unlimited()).unwrap();
        same(&old, &new, &[1 + (seed % 3) as i64], seed);
        let again = normalize(&new, &mut Budget::unlimited()).unwrap();
        assert_eq!(again.to_string(), new.to_string(), "{text}");
        for equation in &new.equations {
            let inner = match &equation.body.kind {
                crate::program::ExprKind::Reduce(reduce) => &reduce.body,
                _ => &equation.body,
            };
            let branches = match &inner.kind {
                crate::program::ExprKind::Case(branches) => branches.iter().map(|b| &b.body).collect(),
                _ => vec![inner],
            };
            use crate::program::ExprKind::{At, Case, Reduce};
            let bad = |e: &&crate::program::Expr| matches!(e.kind, Case(_) | Reduce(_) | At { .. });
            assert!(!branches.iter().flat_map(|b| b.all()).any(|e| bad(&e)), "{new}");
        }
    }
}

#[test]
fn commands_on_random_systems() {
    let budget = &mut Budget::unlimited();
    let mut done = [0; 8];
    for seed in crate::random::seeds(120) {
        let old = normalize(&system(&text(seed)), budget).unwrap();
        let params = [1 + (seed % 4) as i64];
        for variable in old.variables.iter().filter(|v| v.role != Role::In) {
            let name = &variable.name;
            let map = if variable.dims() == 1 { "(i) -> (2i + 3)" } else { "(i, j) -> (j, i + j)" };
            let tries = [
                if variable.dims() <= 2 { change_basis(&old, name, map, budget) } else { Err(String::new()) },
                split(&old, name, "N >= 2", budget),
                inline(&old, name),
                serialize(&old, name, seed % 2 == 0, budget),
                permute_case(&old, name),
                factor_out(&old, name, budget),
                split_body(&old, name),
                split_points(&old, name, budget),
            ];
            for (count, found) in done.iter_mut().zip(tries) {
                if let Ok(new) = found {
                    *count += 1;
                    same(&old, &new, &params, seed);
                }
            }
        }
    }
    assert!(done[..7].iter().all(|&count| count > 0), "{done:?}");
}

#[test]
fn change_of_basis_keeps_lattices() {
    let budget = &mut Budget::unlimited();
    let old = system(
        "system s[N] where N >= 2 { in i64 A : [0..N]; out i64 X : { [] }; let i64 Y : [0..N]; X = Y[N];
            Y[i] = case { i = 0 : A[0]; else : Y[i-1] * 3 + A[i]; }; }",
    );
    let new = change_basis(&old, "Y", "(i) -> (3i + 1, N - i)", budget).unwrap();
    expect_test::expect![[r#"
        system s[N] where N >= 2 {
          in i64 A : { [i0] : 0 <= i0 <= N };
          out i64 X : { [] };
          let i64 Y : { [t0, t1] : 3t1 = 1 + 3N - t0 and 0 < t0 <= 1 + 3N };
          X[] = Y[1 + 3N, 0];
          Y[t0, t1] = case {
            -1 <= t0 <= 1 : A[0];
            t0 <= -2 or t0 >= 2 : Y[-2 + 3*floor((1 + t0)/3), 1 + N - floor((1 + t0)/3)] * 3 + A[floor((1 + t0)/3)];
          };
        }
    "#]]
    .assert_eq(&new.to_string());
    same(&old, &new, &[6], 1);
    let refused = change_basis(&old, "Y", "(i) -> (floor(i/2))", budget).unwrap_err();
    assert_eq!(refused, "two points of `Y` get the same subscripts: (0) and (1) when N = 2");
    assert!(change_basis(&old, "X", "() -> (1)", budget).unwrap_err().contains("seen from outside"));
}

#[test]
fn split_and_merge_are_inverse() {
    let budget = &mut Budget::unlimited();
    let old = system(
        "system s[N] where N >= 4 { in i64 A : [0..N]; out i64 X : [0..N]; let i64 Y : [0..N]; X[i] = Y[N - i];
            Y[i] = case { i = 0 : A[0]; else : Y[i-1] + A[i]; }; }",
    );
    let two = split(&old, "Y", "i mod 2 = 0", budget).unwrap();
    same(&old, &two, &[5], 2);
    let one = merge(&two, "Y_1", "Y_2", budget).unwrap();
    same(&old, &one, &[5], 3);
    assert_eq!(one.variables.len(), old.variables.len());
    assert!(split(&old, "Y", "i >= 0", budget).unwrap_err().contains("everywhere or nowhere"));
    assert_eq!(
        merge(&old, "Y", "Y", budget).unwrap_err(),
        "two different variables of one type and number of dimensions are needed"
    );
}

#[test]
fn reductions_become_recurrences() {
    let budget = &mut Budget::unlimited();
    let old = system(SCAN);
    let new = serialize(&old, "C", false, budget).unwrap();
    expect_test::expect![[r#"
        system scan[N] where N > 0 {
          in i64 A : { [i0] : 0 <= i0 < N };
          out i64 C : { [i] : 0 <= i < N };
          let i64 C_acc : { [i, j] : i < N and 0 <= j <= i };
          C[i] = C_acc[i, i];
          C_acc[i, j] = case {
            j = 0 : A[j];
            j > 0 : C_acc[i, -1 + j] + A[j];
          };
        }
    "#]]
    .assert_eq(&new.to_string());
    same(&old, &new, &[5], 4);
    let product = system(
        "system s[N] where N >= 1 { in i64 A, B : [0..N-1, 0..N-1]; out i64 C : { [] };
            C = sum[i, j, k : 0 <= i, j, k < N] A[i, k] * B[k, j]; }",
    );
    let parts = decompose(&product, "C", 1, budget).unwrap();
    same(&product, &parts, &[3], 5);
    same(&product, &compose(&parts, "C").unwrap(), &[3], 6);
    same(&product, &serialize(&parts, "C_in", true, budget).unwrap(), &[3], 7);
}

#[test]
fn outlined_parts_come_back() {
    let budget = &mut Budget::unlimited();
    let old = system(
        "system s[N] where N >= 1 { in i64 A : [0..N]; out i64 X : [0..N]; let i64 unused : { [] }; let i64 copy : [0..N]; unused = 3;
            copy[i] = A[N - i]; X[i] = case { i = 0 : A[0] * (A[i] + 2); else : copy[i] - 1; }; }",
    );
    for part in 0..8 {
        match outline(&old, "X", part, "New", budget) {
            Ok(new) => {
                same(&old, &new, &[3], 8);
                same(&old, &inline(&new, "New").unwrap(), &[3], 9);
            }
            Err(why) => assert_eq!(why, "`X` has no part 8"),
        }
    }
    let simple = remove_unused(&propagate(&old).unwrap());
    same(&old, &simple, &[3], 10);
    assert_eq!(simple.variables.len(), 2);
    let circle = system("system s { out i64 X : [0..2]; X[i] = case { i = 0 : 1; else : X[i-1]; }; }");
    assert_eq!(inline(&circle, "X").unwrap_err(), "`X` depends on itself");
}

#[test]
fn products_and_sums_go_into_reductions_and_come_out() {
    let budget = &mut Budget::unlimited();
    let text = |body: &str| {
        system(&format!(
            "system s[N] where N >= 1 {{ in i64 A : [0..N-1]; in i32 B : [0..N-1]; out i64 Y : [0..N-1]; Y[i] = {body}; }}"
        ))
    };
    let both = text("(sum[j : 0 <= j < i] A[j]) - (sum[k : 0 <= k <= i - 1] A[i - k] * B[k])");
    let joined = join(&both, "Y", budget).unwrap();
    (1..5).for_each(|n| same(&both, &joined, &[n], 3));
    assert!(joined.to_string().contains("] A[j] - A[i - j] * B[j];"), "{joined}");
    (1..5).for_each(|n| same(&both, &split_body(&joined, "Y").unwrap(), &[n], 3));
    let refused = |body: &str| join(&text(body), "Y", &mut Budget::unlimited()).unwrap_err();
    let minima = "max(min[j : 0 <= j <= i] A[j], min[j : 0 <= j <= i] A[j])";
    assert_eq!(refused(minima), "the operators differ");
    assert_eq!(
        refused("(sum[j : 0 <= j < i] A[j]) + sum[j : 0 <= j <= i] A[j]"),
        "the reductions have different points"
    );
    assert_eq!(refused("A[i]"), "`Y` is no combination of two reductions");

    for body in [
        "(A[i] - 1) * sum[j : 0 <= j < i] A[j]",
        "(min[j : 0 <= j <= i] B[j]) + B[i]",
        "val[i] & or[j : 0 <= j < i] A[j]",
    ] {
        let old = text(body);
        let new = distribute(&old, "Y").unwrap_or_else(|why| panic!("{body}: {why}"));
        (1..5).for_each(|n| same(&old, &new, &[n], 5));
        let back = factor_out(&new, "Y", budget).unwrap_or_else(|why| panic!("{body}: {why}"));
        (1..5).for_each(|n| same(&old, &back, &[n], 5));
    }
    // A sum that may wrap changes which value is the least.
    let wraps = distribute(&text("(min[j : 0 <= j <= i] A[j]) + A[i]"), "Y").unwrap_err();
    assert_eq!(wraps, "one operation does not distribute over the other, or sums may wrap");
    let one = decompose(&text("sum[j : 0 <= j < i] A[j]"), "Y", 1, budget).unwrap_err();
    assert_eq!(one, "it reduces one dimension only");
}
