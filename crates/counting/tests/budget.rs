//! Counting with every budget that is too small stops, and with the smallest that is not gives what
//! it gives without a limit.

use poly_counting::{Card, PwQuasiPolynomial, union_map_card};
use poly_presburger::{Budget, Map, Set, Stop, UnionMap};

/// Budgets below the cost are all tried up to this many, and beyond it as many spread evenly.
const EVERY: u64 = 300;

fn check(name: &str, run: impl Fn(&mut Budget) -> Result<String, Stop>) {
    let mut budget = Budget::unlimited();
    let expected = run(&mut budget).unwrap_or_else(|Stop| panic!("{name} stops without a limit"));
    let cost = budget.spent();
    let step = usize::try_from(cost.div_ceil(EVERY).max(1)).expect("a step is small");
    for limit in (0..cost.min(EVERY)).chain((EVERY..cost).step_by(step)) {
        assert_eq!(run(&mut Budget::new(limit)), Err(Stop), "{name} costs {cost} steps, not {limit}");
    }
    assert_eq!(run(&mut Budget::new(cost)).as_ref(), Ok(&expected), "{name} with the {cost} steps that it needs");
}

#[test]
fn every_smaller_budget_stops() {
    for text in [
        "{ [i, j, k] : 0 <= i <= 20 and 0 <= 3j <= 2i + 1 and k >= j and k + i <= 25 }",
        "[n] -> { [i, j] : 0 <= i <= n and i <= 2j <= i + 7 }",
        "[n, m] -> { [i, j] : 0 <= i <= n and 0 <= j <= m and i + 2j <= n + 3 }",
        "[n] -> { [i] : 0 <= i <= n and (exists (e : i = 3e) or i mod 4 = 1) }",
        "[n] -> { [i] : i >= n and n >= 0 }",
    ] {
        let set: Set = text.parse().unwrap();
        check(text, |u| Ok(set.card(u)?.to_string()));
        assert_eq!(set, text.parse().unwrap(), "the operand is what it was");
    }
    let reads: Map = "[n] -> { S[i] -> A[j] : i <= j < n and j <= i + 2 }".parse().unwrap();
    check("the images of a relation", |u| Ok(reads.card(u)?.to_string()));
    let union: UnionMap = "[n] -> { S[i] -> A[j] : 0 <= i, j < n; S[i] -> B[j] : 0 <= 3j <= i < n }".parse().unwrap();
    check("the images of a union", |u| {
        let parts = union_map_card(&union, u)?;
        Ok(parts.iter().map(|(space, card)| format!("{space}: {card}; ")).collect())
    });
}

#[test]
fn every_smaller_budget_stops_the_arithmetic() {
    let f: PwQuasiPolynomial = "[n] -> { 1/2 * n^2 + 1/2 * n : n > 0 }".parse().unwrap();
    let g: PwQuasiPolynomial = "[n] -> { 3 - floor((n)/2) : n <= 10; 5 * n : n > 10 }".parse().unwrap();
    let part: Set = "[n] -> { : 3 <= n <= 20 }".parse().unwrap();
    check("add", |u| Ok(f.add(&g, u)?.to_string()));
    check("sub", |u| Ok(f.sub(&g, u)?.to_string()));
    check("mul", |u| Ok(f.mul(&g, u)?.to_string()));
    check("intersect_domain", |u| Ok(g.intersect_domain(&part, u)?.to_string()));
    check("subtract_domain", |u| Ok(g.subtract_domain(&part, u)?.to_string()));
    check("coalesce", |u| Ok(g.coalesce(u)?.to_string()));
}
