//! The tableau against the enumeration of vertices.

use poly_arith::{Coeff, Int, Rational};
use poly_linalg::{Matrix, inverse_rational};

use super::*;
use crate::solver::testing::*;
use crate::solver::{eval, redundancy};

/// The value of a form at a rational point.
fn rational_value(row: &[Int], point: &[Rational]) -> Rational {
    row[1..].iter().zip(point).fold(Rational::from(&row[0]), |sum, (a, x)| &sum + &(x * &Rational::from(a)))
}

fn satisfies(system: &System, point: &[Rational]) -> bool {
    system.eqs.iter().all(|row| rational_value(row, point).is_zero())
        && system.ineqs.iter().all(|row| !rational_value(row, point).is_neg())
}

/// All vertices: solutions of `n` constraints taken as equalities that satisfy all others.
fn vertices(system: &System) -> Vec<Vec<Rational>> {
    let rows: Vec<&Vec<Int>> = system.eqs.iter().chain(&system.ineqs).collect();
    let mut result = Vec::new();
    let n = system.n;
    for mask in 0u32..1 << rows.len() {
        if mask.count_ones() as usize != n {
            continue;
        }
        let chosen: Vec<&Vec<Int>> = (0..rows.len()).filter(|i| mask >> i & 1 == 1).map(|i| rows[i]).collect();
        let matrix = Matrix::from_rows(chosen.iter().map(|row| row[1..].to_vec()).collect(), n);
        let Some((inverse, denominator)) = inverse_rational(&matrix) else {
            continue;
        };
        let rhs: Vec<Int> = chosen.iter().map(|row| -&row[0]).collect();
        let point: Vec<Rational> =
            inverse.mul_vec(&rhs).into_iter().map(|value| Rational::new(value, denominator.clone())).collect();
        if satisfies(system, &point) {
            result.push(point);
        }
    }
    result
}

#[test]
fn optima_are_attained_at_vertices() {
    let mut sampler = Sampler::new(10);
    for round in 0..300 {
        let n = 1 + round % 3;
        let system = sampler.boxed_system(n, 5);
        let objective = sampler.row(n, 4, 4);
        let vertices = vertices(&system);
        let values = || vertices.iter().map(|vertex| rational_value(&objective, vertex));
        let budget = &mut Budget::unlimited();
        let bounded = |value: Option<Rational>| value.map_or(Optimum::Empty, Optimum::Bounded);
        assert_eq!(lp_min(&system, &objective, budget), Ok(bounded(values().min())), "{system}");
        assert_eq!(lp_max(&system, &objective, budget), Ok(bounded(values().max())), "{system}");
        for (_, factor) in disguises() {
            let scaled = disguise(&system, &Int::ZERO, &factor);
            assert_eq!(lp_min(&scaled, &objective, budget), Ok(bounded(values().min())));
        }
    }
}

#[test]
fn unbounded_objectives() {
    let wedge = system(2, &[], &[&[0, 1, -1], &[0, 1, 1]]);
    let budget = &mut Budget::unlimited();
    assert_eq!(lp_max(&wedge, &ints(&[0, 1, 0]), budget), Ok(Optimum::Unbounded));
    let zero = Ok(Optimum::Bounded(Rational::ZERO));
    assert_eq!(lp_min(&wedge, &ints(&[0, 1, 0]), budget), zero);
    assert_eq!(lp_min(&wedge, &ints(&[0, 0, 1]), budget), Ok(Optimum::Unbounded));
    assert_eq!(lp_min(&System::new(1), &ints(&[5, 0]), budget), Ok(Optimum::Bounded(5.into())));
}

fn narrow(row: &[Int]) -> Vec<i64> {
    i64::row_from_ints(row).unwrap()
}

#[test]
fn samples_snapshots_and_invariants() {
    let mut sampler = Sampler::new(11);
    for round in 0..200 {
        let n = 1 + round % 4;
        let system = sampler.system(n);
        let budget = &mut Budget::unlimited();
        let mut tableau = Tableau::<i64>::from_system(&system, Grid::Rational, budget).unwrap();
        tableau.check_invariants();
        let before = tableau.sample();
        if let Some(sample) = &before {
            assert!(satisfies(&system, sample), "{system}");
        }
        let snapshot = tableau.snapshot();
        let extra = sampler.row(n, 3, 5);
        tableau.add_ineq(&narrow(&extra), budget).unwrap();
        tableau.add_eq(&narrow(&sampler.row(n, 3, 5)), budget).unwrap();
        tableau.check_invariants();
        if let Some(sample) = tableau.sample() {
            assert!(satisfies(&system, &sample));
            assert!(!rational_value(&extra, &sample).is_neg());
        }
        tableau.rollback(&snapshot);
        assert_eq!(tableau.sample(), before);
    }
}

#[test]
fn redundancy_and_equalities_keep_the_points() {
    let mut sampler = Sampler::new(12);
    for round in 0..400 {
        let n = 1 + round % 3;
        let original = sampler.boxed_system(n, 3);
        let expected = points_of(&original, 3);
        let budget = &mut Budget::unlimited();
        let mut reduced = original.clone();
        redundancy::remove_redundant(&mut reduced, budget).unwrap();
        assert_eq!(points_of(&reduced, 3), expected, "{original}");
        // Each remaining inequality is needed rationally: dropping it enlarges the polyhedron.
        for i in 0..reduced.ineqs.len() {
            let mut without = reduced.clone();
            let row = without.ineqs.remove(i);
            if let Optimum::Bounded(min) = lp_min(&without, &row, budget).unwrap() {
                assert!(min <= Rational::from(-1), "{row:?} is redundant in\n{reduced}");
            }
        }
        let mut explicit = original.clone();
        redundancy::implicit_equalities(&mut explicit, budget).unwrap();
        assert_eq!(points_of(&explicit, 3), expected, "{original}");
        for row in &explicit.ineqs {
            let Ok(Optimum::Bounded(max)) = lp_max(&explicit, row, budget) else {
                continue;
            };
            assert!(max >= Rational::ONE, "{row:?} is an equality in\n{explicit}");
        }
        let mut rational = original.clone();
        redundancy::remove_redundant_rational(&mut rational, budget).unwrap();
        for row in &original.ineqs {
            match lp_min(&rational, row, budget).unwrap() {
                Optimum::Bounded(min) => assert!(!min.is_neg(), "{row:?} lost from\n{original}"),
                Optimum::Empty => {}
                Optimum::Unbounded => panic!("{row:?} lost from\n{original}"),
            }
        }
    }
}

#[test]
fn position_of_inequalities() {
    // The triangle 0 <= y <= x <= 5.
    let triangle = system(2, &[], &[&[0, 0, 1], &[0, 1, -1], &[5, -1, 0]]);
    let budget = &mut Budget::unlimited();
    let mut tableau = Tableau::<i64>::from_system(&triangle, Grid::Integer, budget).unwrap();
    for (row, expected) in [
        ([1, 1, 0], IneqType::Redundant),
        ([-5, 1, 0], IneqType::Cut),
        ([-6, 1, 0], IneqType::AdjIneq),
        ([-7, 1, 0], IneqType::Separate),
        ([-1, 0, -1], IneqType::AdjIneq),
        ([-1, -1, 1], IneqType::AdjIneq),
        ([-7, 1, 1], IneqType::Cut),
    ] {
        assert_eq!(tableau.ineq_type(&row, budget), Ok(expected), "{row:?}");
        tableau.check_invariants();
    }
    let line = system(2, &[&[-3, 1, 0]], &[&[0, 0, 1]]);
    let mut tableau = Tableau::<i64>::from_system(&line, Grid::Integer, budget).unwrap();
    assert_eq!(tableau.ineq_type(&[2, -1, 0], budget), Ok(IneqType::AdjEq));
    assert_eq!(tableau.ineq_type(&[1, -1, 0], budget), Ok(IneqType::Separate));
}

#[test]
fn position_agrees_with_enumeration() {
    let mut sampler = Sampler::new(13);
    for round in 0..400 {
        let n = 1 + round % 3;
        let system = sampler.boxed_system(n, 3);
        let budget = &mut Budget::unlimited();
        let mut tableau = Tableau::<i64>::from_system(&system, Grid::Integer, budget).unwrap();
        if tableau.is_empty() {
            continue;
        }
        let points = points_of(&system, 3);
        for _ in 0..4 {
            let row = sampler.row(n, 2, 5);
            let inside = points.iter().filter(|point| !eval(&row, point).is_neg()).count();
            match tableau.ineq_type(&narrow(&row), budget).unwrap() {
                IneqType::Redundant => assert_eq!(inside, points.len(), "{row:?}\n{system}"),
                IneqType::Cut => {}
                IneqType::Separate => assert_eq!(inside, 0, "{row:?}\n{system}"),
                IneqType::AdjEq => {
                    assert!(points.iter().all(|point| eval(&row, point).is_neg_one()));
                }
                IneqType::AdjIneq => {
                    assert_eq!(inside, 0);
                    let opposite = |other: &Vec<Int>| other[1..].iter().zip(&row[1..]).all(|(a, b)| a == &-b);
                    let _ = system.ineqs.iter().any(opposite);
                }
            }
            tableau.check_invariants();
        }
    }
}
