use expect_test::{Expect, expect};

use super::*;
use crate::budget::Budget;

fn check_set(text: &str, expected: Expect) {
    let set: Set = text.parse().expect("the text is a set");
    expected.assert_eq(&set.to_string());
    let again: Set = set.to_string().parse().expect("what is printed can be parsed");
    assert!(set.is_equal(&again, &mut Budget::unlimited()).unwrap(), "{set} is not {again}");
}

fn check_map(text: &str, expected: Expect) {
    let map: Map = text.parse().expect("the text is a relation");
    expected.assert_eq(&map.to_string());
    let again: Map = map.to_string().parse().expect("what is printed can be parsed");
    assert!(map.is_equal(&again, &mut Budget::unlimited()).unwrap(), "{map} is not {again}");
}

#[test]
fn sets() {
    check_set("{ [i] : 0 <= i < 10 }", expect!["{ [i] : 0 <= i <= 9 }"]);
    check_set(
        "[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }",
        expect!["[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }"],
    );
    check_set("[n] -> { S[i, j] : 0 <= i, j < n }", expect!["[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }"]);
    check_set("{ [i] : i % 2 = 0 and 0 <= i <= 9 }", expect!["{ [i] : (i) mod 2 = 0 and 0 <= i <= 9 }"]);
    check_set("{ [i] : exists (k: i = 2k + 1) }", expect!["{ [i] : (1 + i) mod 2 = 0 }"]);
    check_set(
        "{ [i] : exists (k: i = 3k or i = 3k + 1) and i > 0 }",
        expect!["{ [i] : ((i) mod 3 = 0 and i > 0) or ((2 + i) mod 3 = 0 and i > 0) }"],
    );
    check_set("{ [i] : not (i >= 3 and i <= 5) }", expect!["{ [i] : i <= 2 or i >= 6 }"]);
    check_set("{ [i] : not (exists k : i = 3k) }", expect!["{ [i] : i > 3*floor((i)/3) }"]);
    check_set("{ [y] : Exists ( a : 2a = y) }", expect!["{ [y] : (y) mod 2 = 0 }"]);
    check_set("[n] -> { S[0:3, j = 1:n - 1] }", expect!["[n] -> { S[i0, j] : 0 <= i0 <= 3 and 0 < j < n }"]);
    check_set("[n] -> { : n > 3 }", expect!["[n] -> { : n >= 4 }"]);
    check_set("{ : }", expect!["{ : }"]);
    check_set(
        "{ A[[B[i] -> C[j]] -> D[k]] : i = j and k >= 2i }",
        expect!["{ A[[B[i] -> C[j = i]] -> D[k]] : k >= 2i }"],
    );
    check_set("{ [i] : 1 = 0 }", expect!["{ [i] : false }"]);
    check_set("{ [i, j = i + 1] : i >= 0 }", expect!["{ [i, j = 1 + i] : i >= 0 }"]);
    check_set("{ [i] : floor(i/4) >= 2 and floor((i + 3)/4) <= 7 }", expect!["{ [i] : 8 <= i <= 28 }"]);
    check_set("{ [i, j] : j = floor(i/2) }", expect!["{ [i, j] : -1 + i <= 2j <= i }"]);
    check_set("{ [i] : min(i, 5) >= 3 and (i >= 7 ? i : 0) = 0 }", expect!["{ [i] : 3 <= i <= 5; [i = 6] }"]);
    check_set("{ [i, j] : 2i + 3j = 7 and i mod 5 = 3 }", expect!["{ [i, j] : 3j = 7 - 2i and (i) mod 5 = 3 }"]);
}

#[test]
fn relations_print_and_parse() {
    check_map("{ S[i] -> T[i + 1] }", expect!["{ S[i] -> T[1 + i] }"]);
    check_map(
        "[n] -> { S[i, j] -> S[j, i] : 0 <= i < n; S[i, j] -> S[i, j] : j > i }",
        expect!["[n] -> { S[i, j] -> S[j, i] : 0 <= i < n; S[i, j] -> S[i, j] : j > i }"],
    );
    check_map("{ [i] -> [o] : 2o <= i <= 2o + 1 }", expect!["{ [i] -> [o] : -1 + i <= 2o <= i }"]);
    check_map(
        "{ [i] -> [floor(i/2), i mod 2] }",
        expect!["{ [i] -> [o0, o1] : 2*floor((i)/2) = i - o1 and -1 + i <= 2o0 <= i }"],
    );
    check_map("{ S[i] -> [i', j] : i' > i and j = 3i' }", expect!["{ S[i] -> [i', 3i'] : i' > i }"]);
    check_map("[n] -> { [[i] -> [j]] -> [n] : i != j }", expect!["[n] -> { [[i] -> [j]] -> [n] : j > i or j < i }"]);
}

fn check_round_trip<T>(text: &str, expected: Expect)
where
    T: FromStr<Err = ParseError> + fmt::Display + PartialEq + fmt::Debug,
{
    let value: T = text.parse().expect("the text can be parsed");
    expected.assert_eq(&value.to_string());
    let again: T = value.to_string().parse().expect("what is printed can be parsed");
    assert_eq!(value, again);
}

#[test]
fn functions() {
    check_round_trip::<Aff>(
        "[n] -> { S[i, j] -> [n - 2i + floor((i + j)/3)] }",
        expect!["[n] -> { S[i, j] -> [(n - 2i + floor((i + j)/3))] }"],
    );
    check_round_trip::<Aff>("{ [i] -> [(i + 1)/2] }", expect!["{ [i] -> [((1 + i)/2)] }"]);
    check_round_trip::<Aff>("[n] -> { [n + 1] }", expect!["[n] -> { [(1 + n)] }"]);
    check_round_trip::<PwAff>(
        "[n] -> { [i] -> [i] : i >= n; [i] -> [n] : i < n }",
        expect!["[n] -> { [i] -> [(i)] : i >= n; [i] -> [(n)] : i < n }"],
    );
    check_round_trip::<PwAff>(
        "{ [i, j] -> [max(i, j)] }",
        expect!["{ [i, j] -> [(i)] : j <= i; [i, j] -> [(j)] : j > i }"],
    );
    check_round_trip::<MultiAff>("{ S[i, j] -> [i + j, j, 3] }", expect!["{ S[i, j] -> [(i + j), (j), (3)] }"]);
    check_round_trip::<PwMultiAff>("{ S[i] -> T[i, 0] : i > 0 }", expect!["{ S[i] -> T[(i), (0)] : i > 0 }"]);
    check_round_trip::<MultiUnionPwAff>(
        "[n] -> L[{ S[i] -> [i]; T[i, j] -> [i + n] }, { S[i] -> [0]; T[i, j] -> [j] }]",
        expect!["[n] -> L[{ S[i] -> [(i)]; T[i, j] -> [(n + i)] }, { S[i] -> [(0)]; T[i, j] -> [(j)] }]"],
    );
    check_round_trip::<MultiUnionPwAff>("([] : { S[i] : i > 0 })", expect!["([] : { S[i] : i > 0 })"]);
    check_round_trip::<UnionMap>(
        "[n] -> { S[i] -> A[i]; T[] -> A[n]; }",
        expect!["[n] -> { S[i] -> A[i]; T[] -> A[n] }"],
    );
    check_round_trip::<UnionSet>("{ T[i] : i >= 0; A[]; T[i] : i < -3 }", expect!["{ A[]; T[i] : i >= 0 or i <= -4 }"]);
    check_round_trip::<UnionSet>("{ }", expect!["{ }"]);
}

#[test]
fn errors() {
    let check = |text: &str, expected: Expect| {
        let error = text.parse::<Set>().expect_err("the text is wrong");
        expected.assert_eq(&error.to_string());
    };
    check("{ [i] : i >= m }", expect!["at 13: `m` is not known here"]);
    check("{ [i] : i >= 0", expect!["at 14: `}` is expected here"]);
    check("{ [i] : i * i >= 0 }", expect!["at 10: one factor must be constant"]);
    check("{ [i] -> [j] }", expect!["at 0: this is not a set"]);
    check("{ [i] : (i >= 0 }", expect!["at 16: `)` is expected here"]);
    check("{ [i] : i ~ 0 }", expect!["at 10: unexpected character"]);
    check(
        &format!("{{ [i] : {}i >= 0{} }}", "(".repeat(500), ")".repeat(500)),
        expect!["at 208: this is nested too deeply"],
    );
}

#[test]
fn functions_without_pieces_keep_their_space() {
    let pw: PwAff = "[n] -> { S[i] -> [(i)] : 1 = 0 }".parse().unwrap();
    assert_eq!(pw.n_piece(), 0);
    assert_eq!(pw.to_string(), "[n] -> { S[i] -> [(0)] : false }");
    assert_eq!(pw.to_string().parse::<PwAff>().unwrap(), pw);
    let tuple: PwMultiAff = "{ [A[i] -> B[j]] -> T[(i), (j)] : 1 = 0 }".parse().unwrap();
    assert_eq!(tuple.to_string(), "{ [A[i] -> B[j]] -> T[(0), (0)] : false }");
    assert_eq!(tuple.to_string().parse::<PwMultiAff>().unwrap(), tuple);
}

#[test]
fn long_and_deep_texts_are_read_or_refused() {
    // As many terms as there may be, without recursion.
    let sum = format!("{{ [i] : {} >= 0 }}", vec!["i"; 20_000].join(" + "));
    check_set(&sum, expect!["{ [i] : i >= 0 }"]);
    let long = |operator: &str| format!("{{ [i] -> [(i{})] }}", operator.repeat(100_000));
    for operator in [" * 1", " mod 2", " / 1"] {
        assert!(long(operator).parse::<PwAff>().is_err(), "{operator}");
    }
    let many = format!("{{ [i] -> [(min({}))] }}", vec!["i"; 100_000].join(", "));
    assert!(many.parse::<PwAff>().is_err());
    for open in ["(", "[", "-(", "not (", "floor(", "exists (a: ", "min(", "2 (", "- ", "!", "i >= 0 implies "] {
        for head in ["{ [i] : ", "{ [i] -> [", "{ "] {
            assert!(format!("{head}{}", open.repeat(100_000)).parse::<UnionMap>().is_err(), "{head}{open}");
        }
    }
}

#[test]
fn choices_are_found_behind_parentheses() {
    let choice: PwAff = "{ [i, j] -> [(max(i, j) >= (i > 0 ? 1 : 0) ? (j) : -j)] }".parse().unwrap();
    assert_eq!(choice.eval(&[], &[2.into(), 3.into()]), Some(3.into()));
    let nested: PwAff = "{ [i] -> [(i >= 0 ? i > 5 ? 5 : i : 0)] }".parse().unwrap();
    let values = [-1, 3, 9].map(|i| nested.eval(&[], &[i.into()]));
    assert_eq!(values, [Some(0.into()), Some(3.into()), Some(5.into())]);
}
