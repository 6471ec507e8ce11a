//! Known numbers of points, as text.

use expect_test::{Expect, expect};
use poly_counting::{Card, union_map_card};
use poly_presburger::{Budget, Map, Set, Stop, UnionMap, UnionSet};

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
    check(
        "[n] -> { [i, j] : 0 <= i and 0 <= j and 2i + 3j <= n }",
        expect![
            "[n] -> { 1 - 1/12 * n + 1/2 * floor((n)/2) + 2/3 * floor((n)/3) + 1/3 * floor((1 + n)/3) + 1/12 * n^2 : n >= 0 }"
        ],
    );
    check(
        "[n] -> { [i, j, k] : 0 <= i <= j and j <= k < n }",
        expect!["[n] -> { 1/3 * n + 1/2 * n^2 + 1/6 * n^3 : n > 0 }"],
    );
}

#[test]
fn remainders() {
    check("[n] -> { [i] : 0 <= i < n and i mod 3 = 1 }", expect!["[n] -> { floor((1 + n)/3) : n >= 2 }"]);
    check("[n] -> { [i] : 0 <= 2i <= n }", expect!["[n] -> { 1 + floor((n)/2) : n >= 0 }"]);
    check(
        "[n] -> { [i] : 0 <= i <= floor(n/2) and exists a : i = 2a }",
        expect!["[n] -> { 1 + floor((n)/4) : n >= 0 }"],
    );
    check("[n] -> { [i] : n = 2i }", expect!["[n] -> { 1 : (n) mod 2 = 0 }"]);
}

#[test]
fn chambers() {
    check(
        "[n, m] -> { [i, j] : 0 <= i <= n and 0 <= j <= m and i + j <= n }",
        expect![
            "[n, m] -> { 1 + n + 1/2 * m + n * m - 1/2 * m^2 : 0 <= m <= n; 1 + 3/2 * n + 1/2 * n^2 : n >= 0 and m > n }"
        ],
    );
    check(
        "[n, m] -> { [i] : 0 <= i <= n and i <= m }",
        expect!["[n, m] -> { 1 + n : n >= 0 and m >= n; 1 + m : 0 <= m < n }"],
    );
    check(
        "[p, q] -> { [i, j] : 0 <= i <= p and j >= 0 and 2i - 4j + q >= 0 }",
        expect![
            "[p, q] -> { 1 + p - 1/8 * q + 3/4 * floor((q)/2) + p * floor((2p + q)/4) - 1/2 * q * floor((q)/2) + 1/8 * q^2 + floor((q)/2) * floor((q)/4) + floor((q)/2) * floor((2p + q)/4) - floor((q)/4)^2 - floor((2p + q)/4)^2 : p >= 0 and q >= 0; 1 + p + floor((q)/2) + p * floor((2p + q)/4) + floor((q)/2) * floor((2p + q)/4) - floor((2p + q)/4)^2 : -2p <= q < 0 }"
        ],
    );
    check("[n] -> { [i] : 0 <= i <= n and i <= 10 }", expect!["[n] -> { 1 + n : 0 <= n <= 10; 11 : n >= 11 }"]);
}

#[test]
fn constants() {
    check("{ [i, j] : 0 <= i < 1000000 and 0 <= j < 1000000 }", expect!["1000000000000"]);
    check("{ [i, j, k] : 0 <= i <= j <= k <= 1000000000000 }", expect!["166666666667666666666668500000000001"]);
    check("{ [i] : 0 <= i < 0 }", expect!["0"]);
    check("{ [] }", expect!["1"]);
}

/// Literature: Ehrhart polynomials of the Birkhoff polytopes (magic squares with sum r) and of
/// rational triangles.
#[test]
fn ehrhart() {
    let squares_3 = "0 <= a,b,c,d,e,f,g,h,i and a+b+c=r and d+e+f=r and g+h+i=r and a+d+g=r and b+e+h=r and c+f+i=r";
    check(
        &format!("[r] -> {{ [a,b,c,d,e,f,g,h,i] : {squares_3} }}"),
        expect!["[r] -> { 1 + 9/4 * r + 15/8 * r^2 + 3/4 * r^3 + 1/8 * r^4 : r >= 0 }"],
    );
    let rows = "a+b+c+d=r and e+f+g+h=r and i+j+k+l=r and m+n+o+p=r";
    let columns = "a+e+i+m=r and b+f+j+n=r and c+g+k+o=r and d+h+l+p=r";
    check(
        &format!(
            "[r] -> {{ [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p] : 0 <= a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p and {rows} and {columns} }}"
        ),
        expect![
            "[r] -> { 1 + 65/18 * r + 379/63 * r^2 + 35117/5670 * r^3 + 43/10 * r^4 + 1109/540 * r^5 + 2/3 * r^6 + 19/135 * r^7 + 11/630 * r^8 + 11/11340 * r^9 : r >= 0 }"
        ],
    );
    check(
        "[t] -> { [x, y] : 0 <= x, y and 2x + 2y <= t }",
        expect!["[t] -> { 1 + 1/8 * t + 5/4 * floor((t)/2) + 1/2 * t * floor((t)/2) - 1/8 * t^2 : t >= 0 }"],
    );
    check(
        "[t] -> { [x, y, z] : 0 <= x, y, z and x + y + z <= t }",
        expect!["[t] -> { 1 + 11/6 * t + t^2 + 1/6 * t^3 : t >= 0 }"],
    );
    check(
        "[t] -> { [x, y] : 0 <= 2x <= t and 0 <= 3y <= t }",
        expect!["[t] -> { 1 + floor((t)/2) + floor((t)/3) + floor((t)/2) * floor((t)/3) : t >= 0 }"],
    );
}

/// Coefficients, dimensions and counts that enumeration cannot cope with.
#[test]
fn hard_constants() {
    let cube = "0 <= a,b,c,d,e,f,g,h <= 100 and a+b+c+d+e+f+g+h <= 350";
    check(&format!("{{ [a,b,c,d,e,f,g,h] : {cube} }}"), expect!["3005243055761496"]);
    // The largest number that is no sum of these coins, and the next one.
    for (sum, expected) in [(89_643_481, expect!["0"]), (89_643_482, expect!["1"])] {
        let coins = format!("12223a+12224b+36674c+61119d+85569e = {sum}");
        check(&format!("{{ [a,b,c,d,e] : a >= 0 and b >= 0 and c >= 0 and d >= 0 and e >= 0 and {coins} }}"), expected);
    }
    check(
        "{ [x, y] : 0 <= x <= 9223372036854775807 and 0 <= 3y <= 2x }",
        expect!["28356863910078205291689007964932276224"],
    );
}

#[test]
fn unions() {
    check(
        "[n] -> { [i] : 0 <= i <= n or 5 <= i <= n + 5 }",
        expect!["[n] -> { 2 + 2 * n : 0 <= n <= 4; 6 + n : n >= 5 }"],
    );
    check(
        "[n, m] -> { [i] : 0 <= i < n or 0 <= i < m }",
        expect![
            "[n, m] -> { m : (n > 0 and m > n) or (n < 0 and m > 0); n : n > 0 and m <= n; -n + m : n = 0 and m > 0 }"
        ],
    );
    check(
        "[n] -> { [i] : 0 <= i < n and (i mod 2 = 0 or i mod 3 = 0) }",
        expect!["[n] -> { n - floor((n)/2) + floor((2 + n)/6) : n >= 4; n - floor((n)/2) : 0 < n <= 3 }"],
    );
}

/// Holes: not every value between the bounds is taken.
#[test]
fn projections() {
    check(
        "[n] -> { [i] : exists a, b : i = 3a + 5b and 0 <= a and 0 <= b and i <= n }",
        expect![
            "[n] -> { 1 - 1/30 * n + 2/3 * floor((n)/3) + 1/3 * floor((1 + n)/3) + 2/5 * floor((n)/5) - 1/5 * floor((1 + n)/5) + 1/5 * floor((2 + n)/5) - 2/5 * floor((3 + n)/5) + 1/30 * n^2 : 0 <= n <= 12; -3 + n : n >= 13 }"
        ],
    );
    check("[n] -> { [i] : exists a : 0 <= a < n and i = 2a }", expect!["[n] -> { n : n > 0 }"]);
}

#[test]
fn equalities() {
    check(
        "[n, m] -> { [i, j] : 2i + 3j = n and 0 <= i and 0 <= j and m = 2n }",
        expect!["[n, m] -> { 1 + floor((n)/2) - floor((2 + n)/3) : m = 2n and n >= 0 }"],
    );
    check("[n, m] -> { [i, j] : i = n and j = m and n <= m }", expect!["[n, m] -> { 1 : m >= n }"]);
    check(
        "[n, m] -> { [i, j] : 2i = n and 3j = m and n + m = 6 }",
        expect!["[n, m] -> { 1 : m = 6 - n and (n) mod 6 = 0 }"],
    );
}

#[test]
fn infinite() {
    check("{ [i] : i >= 0 }", expect!["infinite on { : }, elsewhere { 0 }"]);
    check("{ [i, j] : i = 2j }", expect!["infinite on { : }, elsewhere { 0 }"]);
    check("{ [i] : exists a : i = 2a and 1 <= i <= 9 }", expect!["4"]);
    check(
        "[n] -> { [i] : i >= n and n >= 0; [i] : 0 <= i <= 5 and n < 10 }",
        expect!["infinite on [n] -> { : n >= 0 }, elsewhere [n] -> { 6 : n < 0 }"],
    );
}

#[test]
fn maps() {
    check_map("[n] -> { S[i] -> A[j] : 0 <= j < i and i < n }", expect!["[n] -> { S[i] -> i : 0 < i < n }"]);
    check_map("{ S[i] -> A[j] : 0 <= 3j < i }", expect!["{ S[i] -> floor((2 + i)/3) : i > 0 }"]);
}

/// The work is counted: whatever the budget, the answer is right or `Stop`.
#[test]
fn budgets() {
    let set: Set = "[n, m] -> { [i, j, k] : 0 <= i <= n and 0 <= 2j <= m + i and j <= 3k <= n + m }".parse().unwrap();
    let mut whole = Budget::unlimited();
    let expected = set.card(&mut whole).unwrap();
    let mut stops = 0;
    for part in 0..40 {
        let mut budget = Budget::new(whole.spent() * part / 36);
        match set.card(&mut budget) {
            Ok(card) => assert_eq!(card, expected),
            Err(Stop) => stops += 1,
        }
    }
    assert_eq!(stops, 36, "only budgets below {} are too small", whole.spent());
}

#[test]
fn union_maps() {
    let map: UnionMap =
        "[n] -> { S[i] -> A[j] : 0 <= j < i; S[i] -> B[j] : 0 <= j < n; T[i] -> A[i] }".parse().unwrap();
    let cards = union_map_card(&map, &mut Budget::unlimited()).unwrap();
    let texts: Vec<String> = cards.iter().map(|(space, card)| format!("{}: {card}", space.tuples_text())).collect();
    expect![[r#"
        S[i]: [n] -> { S[i] -> n + i : n > 0 and i > 0; S[i] -> i : n <= 0 and i > 0; S[i] -> n : n > 0 and i <= 0 }
        T[i]: [n] -> { T[i] -> 1 }"#]]
    .assert_eq(&texts.join("\n"));
}

#[test]
fn union_sets() {
    let set: UnionSet = "[n] -> { A[i] : 0 <= i < n; B[i, j] : 0 <= i, j < n }".parse().unwrap();
    expect!["[n] -> { n + n^2 : n > 0 }"].assert_eq(&set.card(&mut Budget::unlimited()).unwrap().to_string());
}
