//! Lexicographic minima against enumeration.

use super::*;
use crate::solver::testing::*;
use crate::solver::{IntOptimum, ilp_max, ilp_min};

fn lexmin(system: &System) -> LexOutcome {
    ilp_lexmin(system, &mut Budget::unlimited()).unwrap()
}

fn outcome(point: Option<&Vec<Int>>) -> LexOutcome {
    point.map_or(LexOutcome::Empty, |point| LexOutcome::Point(point.clone()))
}

#[test]
fn bounded_systems_agree_with_enumeration() {
    let mut sampler = Sampler::new(20);
    for round in 0..1500 {
        let n = round % 5;
        let system = sampler.boxed_system(n, 3);
        let expected = points_of(&system, 3);
        assert_eq!(lexmin(&system), outcome(expected.first()), "{system}");
        let largest = ilp_lexmax(&system, &mut Budget::unlimited()).unwrap();
        assert_eq!(largest, outcome(expected.last()), "{system}");
        let slow = lexmin_by_coordinates(&system, &mut Budget::unlimited()).unwrap();
        assert_eq!(slow, outcome(expected.first()), "{system}");
    }
}

#[test]
fn huge_numbers_do_not_change_the_answer() {
    let mut sampler = Sampler::new(21);
    for round in 0..150 {
        let n = 1 + round % 3;
        let system = sampler.boxed_system(n, 3);
        let expected = lexmin(&system);
        for (shift, factor) in disguises() {
            let shifted = match &expected {
                LexOutcome::Point(point) => LexOutcome::Point(point.iter().map(|value| value + &shift).collect()),
                other => other.clone(),
            };
            assert_eq!(lexmin(&disguise(&system, &shift, &factor)), shifted);
        }
    }
}

#[test]
fn both_methods_agree_on_unbounded_systems() {
    let mut sampler = Sampler::new(22);
    let (mut unbounded, mut points) = (0, 0);
    for round in 0..600 {
        let n = 1 + round % 3;
        let mut system = sampler.system(n);
        for var in 0..n {
            if sampler.range(0, 3) > 0 {
                let mut row = vec![Int::ZERO; n + 1];
                row[0] = Int::from(sampler.range(-5, 5));
                row[var + 1] = Int::ONE;
                system.add_ineq(row);
            }
        }
        let fast = lexmin(&system);
        let slow = lexmin_by_coordinates(&system, &mut Budget::unlimited()).unwrap();
        assert_eq!(fast, slow, "{system}");
        unbounded += usize::from(fast == LexOutcome::Unbounded);
        points += usize::from(matches!(fast, LexOutcome::Point(_)));
    }
    assert!(unbounded > 50 && points > 100, "lopsided: {unbounded} unbounded, {points} points");
}

#[test]
fn optima_agree_with_enumeration() {
    let mut sampler = Sampler::new(23);
    for round in 0..600 {
        let n = 1 + round % 3;
        let system = sampler.boxed_system(n, 4);
        let objective = sampler.row(n, 5, 5);
        let values: Vec<Int> =
            points_of(&system, 4).iter().map(|point| super::super::eval(&objective, point)).collect();
        let expected =
            |value: Option<&Int>| value.map_or(IntOptimum::Empty, |value| IntOptimum::Bounded(value.clone()));
        let budget = &mut Budget::unlimited();
        assert_eq!(ilp_min(&system, &objective, budget), Ok(expected(values.iter().min())));
        assert_eq!(ilp_max(&system, &objective, budget), Ok(expected(values.iter().max())));
    }
}

#[test]
fn optima_may_be_unbounded() {
    // 0 <= 2 x - 3 y <= 1
    let strip = system(2, &[], &[&[0, 2, -3], &[1, -2, 3]]);
    let budget = &mut Budget::unlimited();
    assert_eq!(ilp_min(&strip, &ints(&[0, 1, 0]), budget), Ok(IntOptimum::Unbounded));
    assert_eq!(ilp_max(&strip, &ints(&[3, 2, -3]), budget), Ok(IntOptimum::Bounded(4.into())));
    assert_eq!(lexmin(&strip), LexOutcome::Unbounded);
}

#[test]
fn infeasible_unbounded_systems_terminate() {
    // 2 x - 2 y = 1 in disguise: 1 <= 2 x - 2 y + 4 z <= 1 with x, y, z >= 0.
    let parity = system(3, &[&[-1, 2, -2, 4]], &[&[0, 1, 0, 0], &[0, 0, 1, 0], &[0, 0, 0, 1]]);
    assert_eq!(lexmin(&parity), LexOutcome::Empty);
    // 3 x + 6 y - 9 z + w = 1 with w a multiple of 3.
    let modulo = system(
        5,
        &[&[-1, 3, 6, -9, 1, 0], &[0, 0, 0, 0, 1, -3]],
        &[&[0, 1, 0, 0, 0, 0], &[0, 0, 1, 0, 0, 0], &[0, 0, 0, 1, 0, 0], &[0, 0, 0, 0, 1, 0]],
    );
    assert_eq!(lexmin(&modulo), LexOutcome::Empty);
}

/// A system of the shape that Farkas constraints give a scheduler: nonnegative variables, sparse
/// rows with small coefficients, most of them homogeneous, and sums that are to be positive.
fn scheduler_like(n: usize, n_row: usize, seed: u64) -> System {
    let mut sampler = Sampler::new(seed);
    let mut result = System::new(n);
    for var in 0..n {
        let mut row = vec![Int::ZERO; n + 1];
        row[var + 1] = Int::ONE;
        result.add_ineq(row);
    }
    for index in 0..n_row {
        let mut row = vec![Int::ZERO; n + 1];
        for _ in 0..6 {
            row[sampler.range(1, n as i64) as usize] = Int::from(sampler.range(-1, 2));
        }
        if index % 10 == 0 {
            row[0] = Int::NEG_ONE;
            row[1..].iter_mut().for_each(|value| *value = value.abs());
        }
        result.add_ineq(row);
    }
    result
}

#[test]
fn large_sparse_systems_are_solved_within_few_steps() {
    for seed in 0..5 {
        let system = scheduler_like(60, 300, seed);
        let mut budget = Budget::new(400_000);
        let LexOutcome::Point(point) = ilp_lexmin(&system, &mut budget).expect("few steps") else {
            continue;
        };
        assert!(system.contains(&point));
    }
}
