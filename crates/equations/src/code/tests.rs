//! Code, compiled and compared with the interpreter.

use std::sync::atomic::{AtomicU64, Ordering};

use poly_presburger::Budget;

use super::compile::batch::{Member, verify_all};
use super::compile::verify;
use super::*;
use crate::memory::{contracted, full};
use crate::random::{self, Numbers};
use crate::realize::{Realization, Wanted, realize};
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
    compared(&system, &pieces, &storage, &code, params)
}

/// The same for the order and storage that are found for code.
fn verified_realization(text: &str, parallel: bool, params: &[Vec<i64>]) -> (Realization, Code, usize) {
    let system = system(text);
    let budget = &mut Budget::unlimited();
    let found = realize(&system, Wanted::Any, parallel, budget).unwrap_or_else(|why| panic!("{why}\n{system}"));
    let options = CodeOptions { parallel };
    let code = generate(&found.pieces, &found.tree, &found.storage, options, budget).unwrap();
    let count = compared(&system, &found.pieces, &found.storage, &code, params);
    (found, code, count)
}

fn compared(system: &System, pieces: &Pieces, storage: &[Storage], code: &Code, params: &[Vec<i64>]) -> usize {
    let mut numbers = Numbers::new(3);
    let mut values = |scalar: Scalar| match scalar.is_float() {
        true => Value::Float(numbers.within(-1000, 1000) as f64 / 8.0),
        false => Value::Int(numbers.within(-100, 100)),
    };
    let budget = &mut Budget::unlimited();
    let compared = verify(pieces, storage, code, system, params, &mut values, budget);
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
    // N answers for random inputs, and, up to five inputs, for all inputs of -1, 0 and 1.
    let all_small: usize = (1..=5).map(|n| n as usize * 3usize.pow(n)).sum();
    assert_eq!(verified(SCAN, Aim::Pluto, true, &sizes), 28 + all_small);
    let mixed = "extern f64 sqrt(f64); system s[N] where N >= 1 { in f64 x : [1..N]; in i32 k : [1..N, -1..1]; out f32 y : [1..N]; out i8 z : { [] };
        let f64 m : [1..N]; m[i] = max[j : 1 <= j <= i] x[j] * k[j, 0];
        y[i] = if m[i] > 3 and not (k[i, 1] = 4) then sqrt(x[i] * x[i]) / 2 else i - k[i, -1]; z = min[i : 1 <= i <= N] (k[i, 0] * 1000 / 7 % 5 << 2); }";
    assert!(verified(mixed, Aim::Pluto, true, &sizes) > 28);
    let thirds = "system z[N] where N >= 1 { out i64 X : { [i] : 0 <= i < N and i mod 2 = 0 } or { [i] : 0 <= i < N and i mod 3 = 0 };
        X[i] = case { i mod 6 = 3 : X[i-1] + 1; i mod 6 = 4 : X[i-1] * 2; else : i; }; }";
    verified(thirds, Aim::Feautrier, true, &sizes);
}

#[test]
fn conversions_are_those_of_the_equations() {
    let all: Vec<String> = crate::program::Scalar::ALL.iter().map(|scalar| format!("{scalar}")).collect();
    let sum = |value: &str| all.iter().map(|scalar| format!("{scalar}({value})")).collect::<Vec<_>>().join(" + ");
    let text = format!(
        "system s[N] where N >= 1 {{ in f64 x : [1..N]; in i64 k : [1..N]; out f64 y, z : [1..N]; out i64 w : [1..N];
        y[i] = {} + {}; z[i] = {} + f32(k[i] / 3); w[i] = i16(k[i] * k[i] * 12345) + i64(x[i] * 1e300) % 7 + u8(0.0 / (x[i] - x[i])); }}",
        sum("x[i] * 100"),
        sum("(x[i] + 1000) * (x[i] + 3)"),
        sum("k[i] * 77777777")
    );
    let sizes: Vec<Vec<i64>> = (1..6).map(|n| vec![n]).collect();
    assert_eq!(verified(&text, Aim::Pluto, true, &sizes), 45);
    assert_eq!(
        crate::tests::system(&text).to_string(),
        crate::tests::system(&crate::tests::system(&text).to_string()).to_string()
    );
}

#[test]
fn names_of_the_code_are_free() {
    // Names of the system, of C's library, and of what the code has for arrays.
    for name in ["s", "printf", "exit", "sqrt", "int64_t", "INT64_MAX", "A_", "A_n1", "A_l0", "c0", "B_b0"] {
        let parameter = format!(
            "system s[N, {name}] where N >= 1 and {name} >= 1 {{ in i64 A : [1..N, 1..{name}]; out i64 B : [1..N];
            B[i] = {name} + sum[j : 1 <= j <= {name}] A[i, j]; }}"
        );
        assert!(verified(&parameter, Aim::Pluto, true, &[vec![2, 1], vec![3, 4]]) > 0);
        let variable = format!(
            "system {name}[N] where N >= 1 {{ in i64 A : [1..N, 1..N]; out i64 B : [1..N]; let i64 {name} : [1..N];
            {name}[i] = sum[j : 1 <= j <= N] A[i, j]; B[i] = {name}[i] + {name}[1]; }}"
        );
        assert!(verified(&variable, Aim::Pluto, true, &[vec![1], vec![3]]) > 0);
    }
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

#[test]
fn fixed_borders_are_copied_until_all_buffers_have_them() {
    let heat = "system s[N, T] where N >= 2 and T >= 0 { in i64 A : [0..N, 0..N]; out i64 B : [0..N, 0..N]; let i64 X : [0..T, 0..N, 0..N];
        X[t, i, j] = case { t = 0 : A[i, j]; t > 0 and (i = 0 or i = N or j = 0 or j = N) : X[t-1, i, j];
            else : X[t-1, i, j] + X[t-1, i-1, j] + X[t-1, i+1, j] + 3 * X[t-1, i, j-1] - X[t-1, i, j+1]; };
        B[i, j] = X[T, i, j]; }";
    let sizes: Vec<Vec<i64>> = (2..5).flat_map(|n| (0..6).map(move |t| vec![n, t])).collect();
    let (_, code, _) = verified_realization(heat, false, &sizes);
    let source = code.source.split_once("int s(").unwrap().1;
    assert!(source.contains("X_b1(0, c1) = X_b0(0, c1);"), "{source}");
    assert!(source.contains("c0 += 2") && !source.contains("X_b0(0, c1) = X_b1(0, c1);"), "{source}");
    // Three steps at once, and a border that is written anew in every fifth of them: nothing is
    // idle.
    let waves = "system s[N, T] where N >= 2 and T >= 0 { in i64 A : [0..N]; out i64 B : [0..N]; let i64 X : [0..T, 0..N];
        X[t, i] = case { t <= 1 : A[i] + t; t > 1 and i = 0 and t mod 5 = 0 : t; t > 1 and i = 0 and t mod 5 != 0 : X[t-1, i];
            t > 1 and i = N : X[t-1, i]; else : X[t-1, i-1] + X[t-2, i] - X[t-1, i+1]; };
        B[i] = X[T, i]; }";
    let sizes: Vec<Vec<i64>> = (2..5).flat_map(|n| (0..14).map(move |t| vec![n, t])).collect();
    verified_realization(waves, false, &sizes);
}

/// A stencil of two steps with an output `B`, whose domain is given, and more equations.
fn steps(domain: &str, equations: &str) -> String {
    format!(
        "system s[N, T] where N >= 2 and T >= 1 {{ in i64 A : [0..N]; let i64 X : [0..T, 0..N]; out i64 B : {domain};
        X[t, i] = case {{ t = 0 : A[i]; t > 0 and (i = 0 or i = N) : X[t-1, i] + t; else : X[t-1, i-1] + X[t-1, i+1]; }}; {equations} }}"
    )
}

#[test]
fn a_last_step_is_the_output() {
    let sizes: Vec<Vec<i64>> = (2..5).flat_map(|n| (1..6).map(move |t| vec![n, t])).collect();
    let source = |text: &str| verified_realization(text, false, &sizes).1.source;
    let plain = source(&steps("[0..N]", "B[i] = X[T, i];"));
    assert!(plain.contains("X_b0_ = X_last ? X_ : B_;") && !plain.contains("B(c"), "{plain}");
    // Both may be written from the end, and in two parts.
    let parts = "B[i] = case { i < 2 : X[T, i]; else : X[T, i]; };";
    assert!(source(&steps("[0..N]", parts)).contains("X_b0_ ="));
    // A step before the last, one that is mirrored or of other values, a smaller domain, another
    // type, an output that is read, a step that is read twice, and names that are taken.
    let others = [
        steps("[0..N]", "B[i] = X[T-1, i];"),
        steps("[0..N]", "B[i] = X[T, N-i];"),
        steps("[0..N]", "B[i] = X[T, i] + 1;"),
        steps("[0..N]", "B[i] = case { i = 0 : 7; else : X[T, i]; };"),
        steps("[0..N-1]", "B[i] = X[T, i];"),
        steps("[0..N]", "B[i] = X[T, i];").replace("out i64 B", "out i32 B"),
        steps("[0..N]", "B[i] = X[T, i]; C[i] = B[i] + X[T-1, i];").replace("out i64 B", "out i64 C, B"),
        steps("[0..N]", "B[i] = X[T, i]; C[i] = X[T, i];").replace("out i64 B", "out i64 C, B"),
        steps("[0..N]", "B[i] = X[T, i]; X_b1[i] = 5;").replace("out i64 B", "out i64 X_b1, B"),
    ];
    for text in others {
        let source = source(&text);
        assert!(!source.contains("X_b0_ ="), "{source}");
    }
}

#[test]
fn sums_of_one_kind_are_one() {
    let text = |second: &str| {
        format!(
            "system s[N] where N >= 1 {{ in i64 A : [0..N-1, 0..N-1]; out i64 F : [0..N-1, 0..N-1];
            F[i, j] = case {{ i <= j : A[i, j] - sum[k : 0 <= k < i] F[i, k] * F[k, j];
                else : (A[i, j] - sum[k : 0 <= k < j] {second}) * F[j, j]; }}; }}"
        )
    };
    let sizes: Vec<Vec<i64>> = (1..6).map(|n| vec![n]).collect();
    let (_, one, _) = verified_realization(&text("F[i, k] * F[k, j]"), false, &sizes);
    assert_eq!(one.source.matches("-= F(").count(), 1, "{}", one.source);
    // Other products, and sums whose points are no convex set together.
    let (_, two, _) = verified_realization(&text("F[k, j] * F[i, k]"), false, &sizes);
    assert_eq!(two.source.matches("-= F(").count(), 2, "{}", two.source);
    let apart = "system s[N] where N >= 1 { in i64 A : [0..N-1]; out i64 F : [0..N-1];
        F[i] = case { i mod 2 = 0 : sum[k : 0 <= k < i] A[k]; else : 1 + sum[k : i <= k < N] A[k]; }; }";
    let (_, two, _) = verified_realization(apart, false, &sizes);
    assert_eq!(two.source.matches("+= A(").count(), 2, "{}", two.source);
}

#[test]
fn outputs_take_the_place_of_what_they_copy() {
    let text = "system s[N] where N >= 1 { in i64 A : [1..N]; let i64 X : [0..N]; out i64 Y, Z : [0..N]; out i32 V : [0..N]; out i64 W : [1..N];
        X[i] = case { i = 0 : 0; else : X[i-1] * 3 + A[i]; }; Y[i] = X[i]; Z[i] = X[i]; V[i] = X[i]; W[i] = X[i]; }";
    let sizes: Vec<Vec<i64>> = (1..6).map(|n| vec![n]).collect();
    let (_, code, _) = verified_realization(text, false, &sizes);
    assert!(!code.source.contains("X(") && !code.source.contains("malloc("), "{}", code.source);
    // Parts, mirrors and more elements stay copies.
    for wrong in ["Y[i] = case { i = 0 : 5; else : X[i]; };", "Y[i] = X[N-i];"] {
        let text = format!(
            "system s[N] where N >= 1 {{ in i64 A : [0..N]; let i64 X : [0..N]; out i64 Y : [0..N]; X[i] = A[i] * 2; {wrong} }}"
        );
        let (_, code, _) = verified_realization(&text, false, &sizes);
        assert!(code.source.contains("X("), "{}", code.source);
    }
    let text = "system s[N] where N >= 1 { in i64 A : [0..N]; let i64 X : [0..N]; out i64 Y : [1..N]; X[i] = A[i] * 2; Y[i] = X[i]; }";
    let (_, code, _) = verified_realization(text, false, &sizes);
    assert!(code.source.contains("X("), "{}", code.source);
}

#[test]
fn sums_begin_with_what_they_are_added_to() {
    let text = "system s[N] where N >= 1 { in i64 A, B : [0..N, 0..N]; out i64 C, D, E : [0..N, 0..N]; let i64 F : [0..N, 0..N];
        C[i, j] = A[i, j] - sum[k : 0 <= k < i] A[i, k] * B[k, j];
        D[i, j] = case { i = j : 7; else : (B[i, j] + sum[k : 0 <= k < j] D[i, k] * A[k, j]) * 3; };
        F[i, j] = min(A[i, j] * 2, min[k : 0 <= k <= i] B[k, j]) + 1;
        E[i, j] = (sum[k : 0 <= k <= j] F[i, k]) - F[i, j]; }";
    for parallel in [false, true] {
        let (found, code, _) = verified_realization(text, parallel, &[vec![1], vec![2], vec![5]]);
        let hosted = found.storage.iter().filter(|storage| storage.host.is_some()).count();
        assert_eq!(hosted, 4, "{}", code.source);
        assert!(code.source.contains("C_red1(c0, c1) = A(c0, c1);"), "{}", code.source);
        assert!(code.source.contains("-= A(c0, c"), "{}", code.source);
        assert!(!code.source.contains(" C(c0, c1) ="), "{}", code.source);
    }
}

/// The code of a random system: in the orders of both algorithms and with all kinds of storage by
/// turns, and every other time as it is found for code.
fn random_member(seed: u64) -> Member {
    let original = system(&random::text(seed));
    let budget = &mut Budget::unlimited();
    if seed.is_multiple_of(2) {
        let parallel = seed.is_multiple_of(8);
        let found = realize(&original, Wanted::Any, parallel, budget).unwrap_or_else(|why| panic!("{why}\n{original}"));
        let Realization { pieces, tree, storage } = found;
        let code = generate(&pieces, &tree, &storage, CodeOptions { parallel }, budget).unwrap();
        return Member { original, pieces, storage, code };
    }
    let aim = if seed % 4 == 1 { Aim::Pluto } else { Aim::Feautrier };
    let (pieces, storage, code) = code(&original, aim, !seed.is_multiple_of(3), false);
    Member { original, pieces, storage, code }
}

/// Random systems have integers only: every value is compared bit for bit. Threads share them.
fn random_systems(seeds: std::ops::Range<u64>) -> usize {
    let (next, end) = (AtomicU64::new(seeds.start), seeds.end);
    let work = || {
        let mut count = 0;
        loop {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= end {
                return count;
            }
            let members: Vec<Member> = (first..end.min(first + BATCH)).map(random_member).collect();
            let mut numbers = Numbers::new(first);
            let mut values = |_: Scalar| Value::Int(numbers.within(-100, 100));
            // Optimization takes longer than all the rest: a part of the programs has it.
            let level = if (first / BATCH).is_multiple_of(5) { "-O2" } else { "-O0" };
            let params = [vec![1 + (first / BATCH % 3) as i64], vec![4]];
            let compared = verify_all(&members, &params, level, &mut values);
            count += compared.unwrap_or_else(|why| panic!("of the seeds from {first} on: {why}"));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(8);
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        all.into_iter().map(|thread| thread.join().expect("no thread panics")).sum()
    })
}

/// How many systems one program has.
const BATCH: u64 = 50;

#[test]
fn a_thousand_random_systems() {
    assert!(random_systems(crate::random::seeds(1000)) > 0);
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
