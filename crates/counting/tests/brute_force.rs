//! Random sets and relations, counted and enumerated.
//!
//! Every dimension is bounded by constants, parameters or earlier dimensions such that all points
//! are in a box known here; for each parameter value in a grid the points of the box are tested one
//! by one. `POLY_COUNTING_CASES` sets the number of cases of each test.

use poly_arith::Int;
use poly_counting::{Card, Cardinality, Count};
use poly_oracle::generate::{Random, Shape, condition};
use poly_presburger::{Budget, Map, Set};

/// Values of the parameters.
const GRID: std::ops::RangeInclusive<i64> = -2..=7;

fn n_cases(default: u64) -> u64 {
    std::env::var("POLY_COUNTING_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

fn ints(values: &[i64]) -> Vec<Int> {
    values.iter().map(|&x| Int::from(x)).collect()
}

/// All points of `low..=high` in `n` dimensions.
fn points(n: usize, low: i64, high: i64) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        all = all.iter().flat_map(|p| (low..=high).map(move |x| [&p[..], &[x]].concat())).collect();
    }
    all
}

/// Bounds of dimension `k`, between -7 and 12 on the grid.
fn bounds(r: &mut Random, params: &[&str], dims: &[&str], k: usize) -> String {
    let v = dims[k];
    let param = r.pick(params).to_string();
    let earlier =
        if k == 0 { "0".to_owned() } else { dims[usize::try_from(r.range(0, k as i64 - 1)).unwrap()].to_owned() };
    let low = match r.range(0, 4) {
        0 => "0".to_owned(),
        1 => r.range(-4, 3).to_string(),
        2 => format!("-{param}"),
        3 => format!("{earlier} and {v} >= -4"),
        _ => format!("floor(({param} + {})/{})", r.range(-4, 4), r.range(2, 3)),
    };
    let high = match r.range(0, 5) {
        0 => r.range(0, 6).to_string(),
        1 => format!("{param} + {}", r.range(-3, 4)),
        2 => format!("{earlier} and {v} <= {param}"),
        3 => format!("floor(({param} + {})/{})", r.range(-4, 4), r.range(2, 3)),
        4 => format!("{} - {param}", r.range(0, 7)),
        _ => format!("9 and 2{v} <= 3{param} + {}", r.range(-3, 3)),
    };
    format!("{v} >= {low} and {v} <= {high}")
}

/// A random bounded condition.
fn bounded(r: &mut Random, params: &[&str], inputs: &[&str], dims: &[&str], disjuncts: i64) -> String {
    let shape = Shape { divisions: true, boxed: None, max_disjuncts: 1 };
    let all: Vec<&str> = inputs.iter().chain(dims).copied().collect();
    let mut parts = Vec::new();
    for _ in 0..r.range(1, disjuncts) {
        let mut atoms: Vec<String> = (0..dims.len()).map(|k| bounds(r, params, dims, k)).collect();
        if !r.one_in(3) {
            atoms.push(condition(r, params, &all, shape));
        }
        if r.one_in(3) {
            atoms.push(format!("{} + {} >= 2{}", r.pick(&all), r.pick(params), r.pick(&all)));
        }
        parts.push(format!("({})", atoms.join(" and ")));
    }
    parts.join(" or ")
}

fn check(card: &Cardinality, text: &str, at: &[i64], found: usize) {
    assert_eq!(card.at(&ints(at)), Count::Finite(Int::from(found)), "{text}\nat {at:?}\n{card}");
}

/// Counts a set and compares for all parameter values.
fn check_set(text: &str, n_param: usize, n_dim: usize) {
    let set: Set = text.parse().unwrap_or_else(|e| panic!("{text}: {e:?}"));
    let card = set.card(&mut Budget::new(1 << 32)).unwrap();
    let known = set.compute_divs(&mut Budget::unlimited()).unwrap();
    let (low, high) = (*GRID.start(), *GRID.end());
    let box_points: Vec<Vec<Int>> = points(n_dim, -8, 13).iter().map(|p| ints(p)).collect();
    for params in points(n_param, low, high) {
        let values = ints(&params);
        let found = box_points.iter().filter(|p| known.contains(&values, p)).count();
        check(&card, text, &params, found);
    }
}

fn random_sets(seed: u64, cases: u64, params: &[&str], dims: &[&str], disjuncts: i64) {
    for case in 0..n_cases(cases) {
        let mut r = Random::new(seed + case);
        let text = format!(
            "[{}] -> {{ [{}] : {} }}",
            params.join(", "),
            dims.join(", "),
            bounded(&mut r, params, &[], dims, disjuncts)
        );
        check_set(&text, params.len(), dims.len());
    }
}

#[test]
fn one_dimension_one_parameter() {
    random_sets(10_000, 120, &["n"], &["i"], 3);
}

#[test]
fn one_dimension_two_parameters() {
    random_sets(20_000, 60, &["n", "m"], &["i"], 2);
}

#[test]
fn two_dimensions_one_parameter() {
    random_sets(30_000, 60, &["n"], &["i", "j"], 2);
}

#[test]
fn two_dimensions_two_parameters() {
    random_sets(40_000, 25, &["n", "m"], &["i", "j"], 2);
}

#[test]
fn three_dimensions_one_parameter() {
    random_sets(50_000, 15, &["n"], &["i", "j", "k"], 1);
}

#[test]
fn relations() {
    for case in 0..n_cases(40) {
        let mut r = Random::new(60_000 + case);
        let text = format!("[n] -> {{ S[x] -> A[i, j] : {} }}", bounded(&mut r, &["n"], &["x"], &["i", "j"], 2));
        let map: Map = text.parse().unwrap();
        let card = map.card(&mut Budget::new(1 << 32)).unwrap();
        let known = map.compute_divs(&mut Budget::unlimited()).unwrap();
        for at in points(2, -2, 6) {
            let images = points(2, -8, 13);
            let related = |p: &&Vec<i64>| known.contains(&ints(&at[..1]), &ints(&[at[1], p[0], p[1]]));
            check(&card, &text, &at, images.iter().filter(related).count());
        }
    }
}

/// Sets that may be unbounded: infinite exactly where some direction goes on.
#[test]
fn unbounded_sets() {
    for case in 0..n_cases(60) {
        let mut r = Random::new(70_000 + case);
        let shape = Shape { divisions: true, boxed: None, max_disjuncts: 2 };
        let text = format!("[n] -> {{ [i, j] : {} }}", condition(&mut r, &["n"], &["i", "j"], shape));
        let set: Set = text.parse().unwrap();
        let card = set.card(&mut Budget::new(1 << 32)).unwrap();
        for n in GRID {
            let fixed =
                set.fix(poly_presburger::DimKind::Param, 0, n).remove_empty_parts(&mut Budget::unlimited()).unwrap();
            let budget = &mut Budget::unlimited();
            let expected = if fixed.is_bounded(budget).unwrap() {
                Count::Finite(Int::from(fixed.enumerate(&ints(&[n]), budget).unwrap().len()))
            } else {
                Count::Infinite
            };
            assert_eq!(card.at(&ints(&[n])), expected, "{text}\nat {n}\n{card}");
        }
    }
}
