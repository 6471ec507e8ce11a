//! Known numbers of points, as text.

use expect_test::{Expect, expect};
use poly_counting::Card;
use poly_presburger::{Budget, Map, Set, UnionSet};

fn check(set: &str, expected: Expect) {
    let set: Set = set.parse().unwrap();
    expected.assert_eq(&set.card(&mut Budget::new(50_000_000)).unwrap().to_string());
}

fn check_map(map: &str, expected: Expect) {
    let map: Map = map.parse().unwrap();
    expected.assert_eq(&map.card(&mut Budget::new(50_000_000)).unwrap().to_string());
}

#[test]
fn triangles() {
    check("[n] -> { [i, j] : 0 <= i < n and 0 <= j <= i }", expect!["[n] -> { 1/2 * n + 1/2 * n^2 : n > 0 }"]);
    check("[n] -> { [i, j] : 0 <= i and 0 <= j and 2i + 3j <= n }", expect!["[n] -> { 1 + 3/4 * n + 1/2 * floor((n)/2) - 3/2 * floor((2 + n)/3) - n * floor((2 + n)/3) + 1/4 * n^2 + 3/2 * floor((2 + n)/3)^2 : n >= 0 }"]);
    check("[n] -> { [i, j, k] : 0 <= i <= j and j <= k < n }", expect!["[n] -> { 1/3 * n + 1/2 * n^2 + 1/6 * n^3 : n > 0 }"]);
}

#[test]
fn remainders() {
    check("[n] -> { [i] : 0 <= i < n and i mod 3 = 1 }", expect!["[n] -> { floor((1 + n)/3) : n >= 2 }"]);
    check("[n] -> { [i] : 0 <= 2i <= n }", expect!["[n] -> { 1 + floor((n)/2) : n >= 0 }"]);
    check("[n] -> { [i] : 0 <= i <= floor(n/2) and exists a : i = 2a }", expect!["[n] -> { 1 + floor((n)/4) : n >= 0 }"]);
    check("[n] -> { [i] : n = 2i }", expect!["[n] -> { 1 : (n) mod 2 = 0 }"]);
}

#[test]
fn chambers() {
    check("[n, m] -> { [i, j] : 0 <= i <= n and 0 <= j <= m and i + j <= n }", expect!["[n, m] -> { 1 + n + 1/2 * m + n * m - 1/2 * m^2 : 0 <= m <= n; 1 + 3/2 * n + 1/2 * n^2 : n >= 0 and m > n }"]);
    check("[n, m] -> { [i] : 0 <= i <= n and i <= m }", expect!["[n, m] -> { 1 + n : n >= 0 and m >= n; 1 + m : 0 <= m < n }"]);
    check("[p, q] -> { [i, j] : 0 <= i <= p and j >= 0 and 2i - 4j + q >= 0 }", expect!["[p, q] -> { 1 + p - 1/8 * q + 3/4 * floor((q)/2) + p * floor((2p + q)/4) - 1/2 * q * floor((q)/2) + 1/8 * q^2 + floor((q)/2) * floor((q)/4) + floor((q)/2) * floor((2p + q)/4) - floor((q)/4)^2 - floor((2p + q)/4)^2 : p >= 0 and q >= 0; 1 + p + floor((q)/2) + p * floor((2p + q)/4) + floor((q)/2) * floor((2p + q)/4) - floor((2p + q)/4)^2 : -2p <= q < 0 }"]);
    check("[n] -> { [i] : 0 <= i <= n and i <= 10 }", expect!["[n] -> { 1 + n : 0 <= n <= 10; 11 : n >= 11 }"]);
}

#[test]
fn constants() {
    check("{ [i, j] : 0 <= i < 1000000 and 0 <= j < 1000000 }", expect!["1000000000000"]);
    check("{ [i, j, k] : 0 <= i <= j <= k <= 1000000000000 }", expect!["166666666667666666666668500000000001"]);
    check("{ [i] : 0 <= i < 0 }", expect!["0"]);
    check("{ [] }", expect!["1"]);
    check("{ [i] : i >= 0 }", expect!["infinite on { : }, elsewhere { 0 }"]);
}

#[test]
fn infinite() {
    check("[n] -> { [i] : i >= n and n >= 0; [i] : 0 <= i <= 5 and n < 10 }", expect!["infinite on [n] -> { : n >= 0 }, elsewhere [n] -> { 6 : n < 0 }"]);
}

#[test]
fn maps() {
    check_map("[n] -> { S[i] -> A[j] : 0 <= j < i and i < n }", expect!["[n] -> { S[i] -> i : 0 < i < n }"]);
    check_map("{ S[i] -> A[j] : 0 <= 3j < i }", expect!["{ S[i] -> floor((2 + i)/3) : i > 0 }"]);
}

#[test]
fn union_sets() {
    let set: UnionSet = "[n] -> { A[i] : 0 <= i < n; B[i, j] : 0 <= i, j < n }".parse().unwrap();
    expect!["[n] -> { n + n^2 : n > 0 }"].assert_eq(&set.card(&mut Budget::unlimited()).unwrap().to_string());
}
