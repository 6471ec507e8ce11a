//! Values of the worked examples, cycles, and depth.

use std::collections::BTreeMap;

use poly_presburger::Budget;

use super::{Machine, RunError, Tables, known_functions, points};
use crate::program::{Role, System};
use crate::tests::{SCAN, system};
use crate::value::Value;

/// Inputs as lists in the order of their points.
pub(crate) fn tables(system: &System, params: &[i64], inputs: &[(&str, &[f64])]) -> Tables {
    let mut tables = BTreeMap::new();
    for (name, values) in inputs {
        let variable = &system.variables[system.find(name).expect("the input is declared")];
        let points = points(&variable.domain, params, &mut Budget::unlimited()).expect("the domain is finite");
        assert_eq!(points.len(), values.len(), "{name}");
        let value = |x: &f64| Value::Float(*x).stored(variable.scalar);
        tables.insert((*name).to_owned(), points.into_iter().zip(values.iter().map(value)).collect());
    }
    tables
}

pub(crate) fn run(system: &System, params: &[i64], inputs: &Tables) -> Result<Tables, RunError> {
    let budget = &mut Budget::new(50_000_000);
    Machine::new(system, budget)?.run(params, inputs, &known_functions(), budget)
}

/// The values of an output, in the order of its points.
fn values(text: &str, params: &[i64], inputs: &[(&str, &[f64])], output: &str) -> Vec<f64> {
    let system = system(text);
    let tables = tables(&system, params, inputs);
    let results = run(&system, params, &tables).unwrap_or_else(|error| panic!("{error}"));
    results[output].values().map(|value| value.to_f64()).collect()
}

#[test]
fn prefix_sum() {
    let input: &[(&str, &[f64])] = &[("A", &[3.0, 1.0, 4.0, 1.0, 5.0])];
    assert_eq!(values(SCAN, &[5], input, "C"), [3.0, 4.0, 8.0, 9.0, 14.0]);
}

#[test]
fn all_operators_of_reductions() {
    let text = "system s[N] where N >= 1 { in i64 A : [0..N-1]; out i64 R : [0..6];
        R[i] = case { i = 0 : sum[k : 0 <= k < N] A[k]; i = 1 : prod[k : 0 <= k < N] A[k]; i = 2 : min[k : 0 <= k < N] A[k];
            i = 3 : max[k : 0 <= k < N] A[k]; i = 4 : and[k : 0 <= k < N] A[k]; i = 5 : or[k : 0 <= k < N] A[k];
            else : xor[k : 0 <= k < N] A[k]; }; }";
    let input: &[(&str, &[f64])] = &[("A", &[6.0, 3.0, 7.0])];
    assert_eq!(values(text, &[3], input, "R"), [16.0, 126.0, 3.0, 7.0, 2.0, 7.0, 2.0]);
}

#[test]
fn integers_wrap_and_divide_downwards() {
    let text = "system s { out i8 w : { [] }; out i64 q : [0..3]; w = 100 + 100;
        q[i] = case { i = 0 : -7 / 2; i = 1 : -7 % 2; i = 2 : 7 / -2; else : -9223372036854775807 - 2; }; }";
    assert_eq!(values(text, &[], &[], "w"), [-56.0]);
    assert_eq!(values(text, &[], &[], "q"), [-4.0, 1.0, -4.0, 9223372036854775807i64 as f64]);
}

#[test]
fn conversions_keep_what_a_type_can_hold() {
    let text = "system s[N] where N >= 1 { in f64 x : [0..N-1]; out f64 y : [0..6, 0..N-1];
        y[k, i] = case { k = 0 : i8(i64(x[i])); k = 1 : u8(x[i]); k = 2 : u32(i64(x[i])) + 0.5; k = 3 : f32(x[i] / 3);
            k = 4 : i64(x[i]) / 2; k = 5 : f64(i32(x[i] * 2)) / 4; else : i16(if x[i] > 0 then 70000 else -1); }; }";
    let found = values(text, &[2], &[("x", &[-2.75, 300.5])], "y");
    let thirds = [-2.75_f64, 300.5].map(|x| f64::from((x / 3.0) as f32));
    let expected =
        [-2.0, 44.0, 254.0, 44.0, 4294967294.5, 300.5, thirds[0], thirds[1], -1.0, 150.0, -1.25, 150.25, -1.0, 4464.0];
    assert_eq!(found, expected);
}

#[test]
fn cycles_are_named() {
    let one = system("system s { out i64 X : [0..2]; X[i] = X[i]; }");
    let none = Tables::new();
    assert_eq!(run(&one, &[], &none), Err(RunError::Cycle(vec![("X".to_owned(), vec![0])])));
    let two = system(
        "system s { out i64 X : [0..2]; let i64 Y : [0..2]; X[i] = Y[i]; Y[i] = case { i = 1 : X[i]; else : 3; }; }",
    );
    let error = run(&two, &[], &none).unwrap_err();
    assert_eq!(error.to_string(), "values depend on themselves: X[1] needs Y[1] needs X[1]");
    // The rest of what the stack holds is no part of the cycle.
    let far = system(
        "system s[N] where N >= 4 { out i64 X : [0..N]; X[i] = case { i = N : X[0] + X[1] + X[2]; i = 2 : X[3]; i = 3 : X[2]; i = 0 or i = 1 or 4 <= i < N : 1; }; }",
    );
    let error = run(&far, &[6], &none).unwrap_err();
    assert_eq!(error.to_string(), "values depend on themselves: X[2] needs X[3] needs X[2]");
}

#[test]
fn long_chains_need_no_stack() {
    let text = "system s[N] where N >= 1 { out i64 X : { [] }; let i64 Y : [0..N]; X = Y[N]; Y[i] = case { i = 0 : 1; else : Y[i-1] + i; }; }";
    assert_eq!(values(text, &[100_000], &[], "X"), [5_000_050_001.0]);
}

#[test]
fn only_the_branch_that_counts_is_asked_for() {
    let text =
        "system s { out i64 X : [0..3]; X[i] = if val[i] = 0 then 1 else case { i = 0 : X[i]; else : X[i-1] * 2; }; }";
    assert_eq!(values(text, &[], &[], "X"), [1.0, 2.0, 4.0, 8.0]);
}

#[test]
fn faults_name_the_point() {
    let text = system("system s { out i64 X : [0..3]; X[i] = 6 / (i - 2); }");
    assert_eq!(run(&text, &[], &Tables::new()).unwrap_err().to_string(), "X[2]: division by zero");
    let text = system("system s { in i64 A : [0..1]; out i64 X : [0..1]; X[i] = A[i]; }");
    assert_eq!(run(&text, &[], &Tables::new()).unwrap_err().to_string(), "the input A[0] has no value");
    assert_eq!(text.variables.iter().filter(|v| v.role == Role::In).count(), 1);
}

#[test]
fn z_polyhedra_of_the_handbook() {
    // X at multiples of two and of three: chains of three.
    let text = "system z[N] where N >= 1 { out i64 X : { [i] : 0 <= i < N and i mod 2 = 0 } or { [i] : 0 <= i < N and i mod 3 = 0 };
        X[i] = case { i mod 6 = 3 or i mod 6 = 4 : X[i-1] + 1; else : 1; }; }";
    assert_eq!(values(text, &[12], &[], "X"), [1.0, 1.0, 2.0, 3.0, 1.0, 1.0, 2.0, 3.0]);
    let half = "system z[N] where N >= 1 { out i64 X : [1..N]; X[i] = case { i mod 2 = 0 : X[i/2] + 1; else : 0; }; }";
    assert_eq!(values(half, &[12], &[], "X"), [0.0, 1.0, 0.0, 2.0, 0.0, 1.0, 0.0, 3.0, 0.0, 1.0, 0.0, 2.0]);
}

#[test]
fn floats_and_functions() {
    let text = "extern f64 sqrt(f64); system s { in f64 x : [0..1]; out f32 y : [0..1]; y[i] = sqrt(x[i]) + 0.1; }";
    let input: &[(&str, &[f64])] = &[("x", &[4.0, 9.0])];
    assert_eq!(values(text, &[], input, "y"), [f64::from(2.1f32), f64::from(3.1f32)]);
}
