//! Integer sampling against enumeration.

use super::*;
use crate::solver::testing::*;

fn sample(system: &System) -> Option<Vec<Int>> {
    ilp_sample(system, &mut Budget::unlimited()).unwrap()
}

#[test]
fn bounded_systems_agree_with_enumeration() {
    let mut sampler = Sampler::new(1);
    let mut empty = 0;
    for round in 0..1500 {
        let n = 1 + round % 4;
        let system = sampler.boxed_system(n, 4);
        let expected = points_of(&system, 4);
        empty += usize::from(expected.is_empty());
        match sample(&system) {
            Some(point) => assert!(expected.contains(&point), "{point:?}\n{system}"),
            None => assert!(expected.is_empty(), "{:?} in\n{system}", expected[0]),
        }
    }
    assert!((200..1300).contains(&empty), "the generator is lopsided: {empty}");
}

#[test]
fn unbounded_systems_agree_with_enumeration() {
    let mut sampler = Sampler::new(2);
    for round in 0..1500 {
        let n = 1 + round % 4;
        let system = sampler.system(n);
        match sample(&system) {
            Some(point) => assert!(system.contains(&point), "{point:?}\n{system}"),
            None => {
                let found = points(n, 7).find(|point| system.contains(point));
                assert!(found.is_none(), "{found:?} in\n{system}");
            }
        }
    }
}

#[test]
fn huge_numbers_do_not_change_the_answer() {
    let mut sampler = Sampler::new(3);
    for round in 0..200 {
        let n = 1 + round % 3;
        let system = sampler.boxed_system(n, 3);
        let expected = sample(&system).is_some();
        for (shift, factor) in disguises() {
            let disguised = disguise(&system, &shift, &factor);
            let found = sample(&disguised);
            assert_eq!(found.is_some(), expected, "{disguised}");
            assert!(found.is_none_or(|point| disguised.contains(&point)));
        }
    }
}

#[test]
fn thin_skewed_polygons_agree_with_enumeration() {
    let mut sampler = Sampler::new(4);
    let mut empty = 0;
    for _ in 0..60 {
        let (a, b) = (sampler.range(20, 99), sampler.range(-99, -20));
        let (c, d) = (sampler.range(1, 3000), sampler.range(1, 60));
        let mut strip = system(2, &[], &[&[-c, a, b], &[c + d, -a, -b], &[-c, 7, 3]]);
        add_box(&mut strip, 60);
        let found = sample(&strip);
        let expected = points(2, 60).find(|point| strip.contains(point));
        empty += usize::from(expected.is_none());
        assert_eq!(found.is_some(), expected.is_some(), "{expected:?}\n{strip}");
    }
    assert!((10..58).contains(&empty), "the generator is lopsided: {empty}");
}

/// `coefficients . x = total` with nonnegative `x`.
fn knapsack(coefficients: &[i64], total: i64) -> System {
    let n = coefficients.len();
    let mut result = System::new(n);
    result.add_eq(std::iter::once(&-total).chain(coefficients).map(|&a| Int::from(a)).collect());
    for var in 0..n {
        let mut row = vec![Int::ZERO; n + 1];
        row[var + 1] = Int::ONE;
        result.add_ineq(row);
    }
    result
}

#[test]
fn knapsack_equalities() {
    // The totals are Frobenius numbers: the largest without a solution. Branch and bound needs
    // millions of nodes for them.
    let coefficients = [12223, 12224, 36674, 61119, 85569];
    assert_eq!(sample(&knapsack(&coefficients, 89_643_481)), None);
    assert!(sample(&knapsack(&coefficients, 89_643_482)).is_some());
    let coefficients = [12228, 36679, 36682, 48908, 61139, 73365];
    assert_eq!(sample(&knapsack(&coefficients, 89_716_838)), None);
    assert!(sample(&knapsack(&coefficients, 89_716_839)).is_some());
}

#[test]
fn unbounded_and_empty_because_of_parity() {
    // 2 x - 4 y = 1; then the same within 1 <= 2 x - 4 y <= 1 as inequalities.
    assert_eq!(sample(&system(2, &[&[-1, 2, -4]], &[])), None);
    assert_eq!(sample(&system(2, &[], &[&[-1, 2, -4], &[1, -2, 4]])), None);
    // An unbounded strip 1 <= 3 x - 6 y + z <= 2 with 3 | z.
    let strip = system(3, &[], &[&[-1, 3, -6, 3], &[2, -3, 6, -3]]);
    assert_eq!(sample(&strip), None);
}

#[test]
fn the_budget_stops_the_search() {
    let mut budget = Budget::new(20);
    let hard = knapsack(&[12223, 12224, 36674, 61119, 85569], 89_643_481);
    assert_eq!(ilp_sample(&hard, &mut budget), Err(Stop));
}

#[test]
fn systems_without_variables() {
    assert_eq!(sample(&system(0, &[], &[&[0], &[3]])), Some(Vec::new()));
    assert_eq!(sample(&system(0, &[], &[&[-1]])), None);
    assert_eq!(sample(&system(0, &[&[2]], &[])), None);
}
