//! Code, compiled and compared with the interpreter.

use poly_presburger::Budget;

use super::compile::verify;
use super::*;
use crate::memory::{contracted, full};
use crate::random::{self, Numbers};
use crate::schedule::{Aim, automatic};
use crate::tests::{SCAN, system};
use crate::value::Value;

fn code(system: &System, aim: Aim, contract: bool, parallel: bool) -> (Pieces, Vec<Storage>, Code) {
    let budget = &mut Budget::unlimited();
    let pieces = Pieces::new(system, budget).unwrap();
    let tree = automatic(&pieces, aim, budget).unwrap_or_else(|why| panic!("{why}\n{system}"));
    let storage = if contract { contracted(&pieces, &tree, budget) } else { full(&pieces.system, budget) }.unwrap();
    let code = generate(&pieces, &tree, &storage, CodeOptions { parallel }, budget).unwrap();
    (pieces, storage, code)
}

fn verified(text: &str, aim: Aim, contract: bool, params: &[Vec<i64>]) -> usize {
    let system = system(text);
    let (pieces, storage, code) = code(&system, aim, contract, false);
    let mut numbers = Numbers::new(3);
    let mut values = |scalar: Scalar| match scalar.is_float() {
        true => Value::Float(numbers.within(-1000, 1000) as f64 / 8.0),
        false => Value::Int(numbers.within(-100, 100)),
    };
    let budget = &mut Budget::unlimited();
    let compared = verify(&pieces, &storage, &code, &system, params, &mut values, budget);
    compared.unwrap_or_else(|why| panic!("{why}\n{system}\n{}", code.source))
}

#[test]
fn prefix_sums_as_c() {
    let (_, _, code) = code(&system(SCAN), Aim::Pluto, true, false);
    let body = code.source.split_once("int scan(").unwrap().1;
    expect_test::expect![[r#"
        int64_t N, const int64_t *restrict A_, int64_t *restrict C_) {
        #define A(i0) A_[(i0)]
        #define C(i0) C_[(i0)]

          for (int64_t c0 = 0; c0 <= N - 1; c0++) {
            C(c0) = 0;
          }
          for (int64_t c0 = 0; c0 <= N - 1; c0++) {
            for (int64_t c1 = 0; c1 <= c0; c1++) {
              C(c0) += A(c1);
            }
          }

          return 0;
        }
    "#]]
    .assert_eq(body);
    expect_test::expect![[r##"
        #ifndef SCAN_H
        #define SCAN_H
        #include <stdint.h>

        /* Computes the outputs; returns 0, or 1 if there is no memory. Arrays hold the box of their domain, the last subscript fastest:
           in A[0 .. N - 1]
           out C[0 .. N - 1]
        */
        #ifdef __cplusplus
        extern "C"
        #endif
        int scan(int64_t N, const int64_t *A_, int64_t *C_);

        #endif
    "##]].assert_eq(&code.header);
}

#[test]
fn compiled_code_is_what_the_equations_say() {
    let sizes: Vec<Vec<i64>> = (1..8).map(|n| vec![n]).collect();
    assert_eq!(verified(SCAN, Aim::Pluto, true, &sizes), 28);
    let mixed = "extern f64 sqrt(f64); system s[N] where N >= 1 { in f64 x : [1..N]; in i32 k : [1..N, -1..1]; out f32 y : [1..N]; out i8 z : { [] };
        let f64 m : [1..N]; m[i] = max[j : 1 <= j <= i] x[j] * k[j, 0];
        y[i] = if m[i] > 3 and not (k[i, 1] = 4) then sqrt(x[i] * x[i]) / 2 else i - k[i, -1]; z = min[i : 1 <= i <= N] (k[i, 0] * 1000 / 7 % 5 << 2); }";
    assert!(verified(mixed, Aim::Pluto, true, &sizes) > 28);
    let thirds = "system z[N] where N >= 1 { out i64 X : { [i] : 0 <= i < N and i mod 2 = 0 } or { [i] : 0 <= i < N and i mod 3 = 0 };
        X[i] = case { i mod 6 = 3 : X[i-1] + 1; i mod 6 = 4 : X[i-1] * 2; else : i; }; }";
    verified(thirds, Aim::Feautrier, true, &sizes);
}

#[test]
fn cells_are_used_again() {
    let jacobi = "system s[N, T] where N >= 2 and T >= 1 { in i64 A : [0..N]; out i64 B : [0..N]; let i64 X : [0..T, 0..N];
        B[i] = X[T, i];
        X[t, i] = case { t = 0 : A[i]; t > 0 and (i = 0 or i = N) : A[i]; else : X[t-1, i-1] + X[t-1, i] + X[t-1, i+1]; }; }";
    let sizes: Vec<Vec<i64>> = (2..6).flat_map(|n| (1..5).map(move |t| vec![n, t])).collect();
    for aim in [Aim::Pluto, Aim::Feautrier] {
        verified(jacobi, aim, true, &sizes);
    }
}

/// Random systems have integers only: every value is compared bit for bit.
fn random_systems(seeds: std::ops::Range<u64>) -> usize {
    let compared = seeds.map(|seed| {
        let aim = if seed % 2 == 0 { Aim::Pluto } else { Aim::Feautrier };
        verified(&random::text(seed), aim, seed % 3 != 0, &[vec![1], vec![2], vec![4]])
    });
    compared.sum()
}

#[test]
fn random_systems_compiled() {
    assert!(random_systems(crate::random::seeds(40)) > 0);
}

#[test]
#[ignore = "takes some minutes: cargo test --release -p poly-equations a_thousand_random_systems -- --ignored"]
fn a_thousand_random_systems() {
    assert!(random_systems(0..1000) > 5_000);
}

#[test]
fn threads_share_loops_without_dependences() {
    let text = "system s[N] where N >= 1 { in i64 A, B : [0..N-1, 0..N-1]; out i64 C : [0..N-1, 0..N-1];
        C[i, j] = sum[k : 0 <= k < N] A[i, k] * B[k, j]; }";
    let (_, _, code) = code(&system(text), Aim::Pluto, false, true);
    // One nest gives first values, the other one sums.
    assert_eq!(code.source.matches("#pragma omp parallel for\n  for").count(), 2, "{}", code.source);
    assert_eq!(code.source.matches("#pragma omp").count(), 2, "{}", code.source);
}

#[test]
fn prefix_sums_as_a_python_module() {
    let (pieces, storage, _) = code(&system(SCAN), Aim::Pluto, true, false);
    let module = python::module(&pieces, &storage, "libscan.so");
    let function = module.split_once("def scan").unwrap().1;
    expect_test::expect![[r#"
        (N, A):
            """The outputs of the equations, in this order; index 0 of an array is its lowest subscript.

            in A[0 .. N - 1]: int64
            out C[0 .. N - 1]: int64
            """
            N = _integer("N", N)
            if not (N - 1 >= 0):
                raise ValueError(f"scan is for N > 0, not for N = {N}")
            A = _array("A", A, "int64", (max(0, N),))
            C = np.zeros((max(0, N),), dtype="int64")
            if _function(N, _pointer(A), _pointer(C)) != 0:
                raise MemoryError("scan: there is no memory for local variables")
            return C
    "#]]
    .assert_eq(function);
}
