//! Parametric minima against enumeration.

use super::*;
use crate::solver::testing::*;
use crate::solver::{LexOutcome, eval, ilp_lexmin};
use expect_test::{Expect, expect};

fn solve(dom: &System, context: &System) -> Vec<PipPiece> {
    lexmin(dom, context, context.n, &mut Budget::unlimited()).unwrap()
}

/// The values of the divs of a piece at a point.
fn with_divs(piece: &PipPiece, params: &[Int]) -> Vec<Int> {
    let mut point = params.to_vec();
    for (denominator, numerator) in &piece.divs {
        point.push(eval(numerator, &point).div_floor(denominator));
    }
    point
}

/// What the pieces say at a point: `None` if no piece, or more than one, contains it.
fn evaluate(pieces: &[PipPiece], params: &[Int]) -> Option<LexOutcome> {
    let mut found = None;
    for piece in pieces {
        let point = with_divs(piece, params);
        if !piece.domain.contains(&point) {
            continue;
        }
        assert!(found.is_none(), "two pieces contain {params:?}");
        found = Some(match &piece.solution {
            Some(rows) => LexOutcome::Point(rows.iter().map(|row| eval(row, &point)).collect()),
            None if piece.unbounded => LexOutcome::Unbounded,
            None => LexOutcome::Empty,
        });
    }
    found
}

/// The system with parameters replaced by numbers.
fn specialize(dom: &System, params: &[Int]) -> System {
    let np = params.len();
    let fix = |row: &Vec<Int>| {
        let mut result = vec![eval(&row[..=np], params)];
        result.extend_from_slice(&row[1 + np..]);
        result
    };
    System { n: dom.n - np, eqs: dom.eqs.iter().map(fix).collect(), ineqs: dom.ineqs.iter().map(fix).collect() }
}

/// Compares the pieces with the nonparametric solution at all parameter values in a box.
fn check_pointwise(dom: &System, context: &System, size: i64) {
    let pieces = solve(dom, context);
    for params in points(context.n, size) {
        let expected =
            context.contains(&params).then(|| ilp_lexmin(&specialize(dom, &params), &mut Budget::unlimited()).unwrap());
        let found = evaluate(&pieces, &params);
        assert_eq!(found, expected, "at {params:?} in context\n{context}of\n{dom}");
    }
}

#[test]
fn boxed_variables() {
    let mut sampler = Sampler::new(60);
    for round in 0..400 {
        let (np, nv) = (1 + round % 2, round % 4);
        let mut dom = sampler.system(np + nv);
        for var in np..np + nv {
            for sign in [1, -1] {
                let mut row = vec![Int::ZERO; np + nv + 1];
                row[0] = Int::from(3);
                row[1 + var] = Int::from(sign);
                dom.add_ineq(row);
            }
        }
        check_pointwise(&dom, &System::new(np), if np == 1 { 12 } else { 6 });
    }
}

#[test]
fn unbounded_variables_and_contexts() {
    let mut sampler = Sampler::new(61);
    let mut kinds = [0; 3];
    for round in 0..400 {
        let (np, nv) = (1 + round % 2, 1 + round / 2 % 2);
        let dom = sampler.system(np + nv);
        let mut context = System::new(np);
        for _ in 0..sampler.range(0, 2) {
            context.add_ineq(sampler.row(np, 2, 4));
        }
        check_pointwise(&dom, &context, if np == 1 { 12 } else { 5 });
        for piece in solve(&dom, &context) {
            kinds[usize::from(piece.unbounded) + 2 * usize::from(piece.solution.is_some())] += 1;
        }
    }
    assert!(kinds.iter().all(|&count| count > 50), "lopsided: {kinds:?}");
}

#[test]
fn strides() {
    let mut sampler = Sampler::new(62);
    for _ in 0..150 {
        // m x + k y = p + c with x in a box, and a bound that depends on the parameter.
        let m = sampler.range(2, 7);
        let k = sampler.range(2, 9);
        let mut dom = system(3, &[], &[&[5, 0, 1, 0], &[9, 0, -1, 0]]);
        dom.add_eq(ints(&[sampler.range(-3, 3), -1, m, k]));
        if sampler.range(0, 1) == 0 {
            dom.add_ineq(sampler.row(3, 3, 9));
        }
        check_pointwise(&dom, &System::new(1), 25);
    }
}

#[test]
fn largest_points() {
    let mut sampler = Sampler::new(63);
    for round in 0..60 {
        let mut dom = sampler.boxed_system(3, 4);
        let pieces = lexmax(&dom, &System::new(1), 1, &mut Budget::unlimited()).unwrap();
        if round % 2 == 0 {
            dom.ineqs.reverse();
        }
        for params in points(1, 6) {
            let inside = points_of(&specialize(&dom, &params), 4);
            let expected = inside.last().map_or(LexOutcome::Empty, |p| LexOutcome::Point(p.clone()));
            assert_eq!(evaluate(&pieces, &params), Some(expected), "{params:?} of\n{dom}");
        }
    }
}

#[test]
fn huge_numbers() {
    let mut sampler = Sampler::new(64);
    for _ in 0..30 {
        let dom = sampler.boxed_system(2, 4);
        let plain = solve(&dom, &System::new(1));
        for (shift, factor) in disguises() {
            let pieces = solve(&disguise(&dom, &shift, &factor), &System::new(1));
            for params in points(1, 6) {
                let moved: Vec<Int> = params.iter().map(|value| value + &shift).collect();
                let expected = match evaluate(&plain, &params) {
                    Some(LexOutcome::Point(point)) => {
                        Some(LexOutcome::Point(point.iter().map(|value| value + &shift).collect()))
                    }
                    other => other,
                };
                assert_eq!(evaluate(&pieces, &moved), expected, "{params:?} of\n{dom}");
            }
        }
    }
}

/// The pieces as text: domain rows, divs and solution rows over `[1, params, divs]`.
fn check(dom: &System, context: &System, expect: Expect) {
    let mut text = String::new();
    for piece in solve(dom, context) {
        let divs: Vec<String> = piece.divs.iter().map(|(d, num)| format!("{num:?}/{d}")).collect();
        let eqs = piece.domain.eqs.iter().map(|row| format!("{row:?} = 0"));
        let ineqs = piece.domain.ineqs.iter().map(|row| format!("{row:?} >= 0"));
        let rows: Vec<String> = eqs.chain(ineqs).collect();
        let solution = match &piece.solution {
            Some(rows) => format!("{rows:?}"),
            None if piece.unbounded => "unbounded".to_owned(),
            None => "none".to_owned(),
        };
        text += &format!("{solution}\n  divs {}\n  if {}\n", divs.join(", "), rows.join(", "));
    }
    expect.assert_eq(&text);
}

#[test]
fn maximum_of_two_bounds() {
    // x >= 0, x >= p
    check(
        &system(2, &[], &[&[0, 0, 1], &[0, -1, 1]]),
        &System::new(1),
        expect![[r#"
        [[0, 0]]
          divs 
          if [0, -1] >= 0
        [[0, 1]]
          divs 
          if [-1, 1] >= 0
    "#]],
    );
}

#[test]
fn rounding_up() {
    // 3 x >= p, from below unbounded without it
    check(
        &system(2, &[], &[&[0, -1, 3]]),
        &System::new(1),
        expect![[r#"
        [[0, 1, -1]]
          divs [0, 2]/3
          if [0, 2, -3] >= 0, [2, -2, 3] >= 0
    "#]],
    );
}

#[test]
fn even_parameters_only() {
    check(
        &system(2, &[&[0, -1, 2]], &[]),
        &System::new(1),
        expect![[r#"
        [[0, 1, -1]]
          divs [0, 1]/2
          if [0, -1, 2] = 0
        none
          divs [0, 1]/2
          if [-1, 1, -2] = 0
    "#]],
    );
}

#[test]
fn no_lower_bound() {
    check(
        &system(2, &[], &[&[0, 1, -1]]),
        &System::new(1),
        expect![[r#"
        unbounded
          divs 
          if 
    "#]],
    );
}

#[test]
fn feautriers_example() {
    // The source of a read in a triangular loop: i + j >= m ... [Feautrier1988], section 4:
    // min (i, j) with 0 <= i <= m, 0 <= j <= n, 2 i + j >= m + n.
    let rows: [&[i64]; 5] =
        [&[0, 0, 0, 1, 0], &[0, 1, 0, -1, 0], &[0, 0, 0, 0, 1], &[0, 0, 1, 0, -1], &[0, -1, -1, 2, 1]];
    let context = system(2, &[], &[&[0, 1, 0], &[0, 0, 1]]);
    check(
        &system(4, &[], &rows),
        &context,
        expect![[r#"
            [[0, 1, 0, -1], [0, -1, 1, 2]]
              divs [0, 1, 0]/2
              if [0, 1, 0, 0] >= 0, [0, 0, 1, 0] >= 0, [0, -1, 1, 2] >= 0, [0, 1, 0, -2] >= 0, [1, -1, 0, 2] >= 0
            [[0, 1, 0, -1], [0, 0, 0, 0]]
              divs [0, 1, 0]/2
              if [0, 1, 0, 0] >= 0, [0, 0, 1, 0] >= 0, [-1, 1, -1, -2] >= 0, [0, 1, 0, -2] >= 0, [1, -1, 0, 2] >= 0
        "#]],
    );
}

#[test]
fn budgets_are_respected() {
    let dom = system(2, &[], &[&[0, -1, 3]]);
    assert_eq!(lexmin(&dom, &System::new(1), 1, &mut Budget::new(3)), Err(Stop));
}

#[test]
fn dense_systems_take_a_bounded_number_of_steps() {
    let rows: [&[i64]; 4] =
        [&[5, 6, 0, 5, 1, -7], &[2, -6, -5, 3, 5, -4], &[3, -5, 4, -7, 3, 7], &[-8, 6, -7, 5, -5, 6]];
    let mut dom = system(5, &[], &rows);
    for var in 2..5 {
        for sign in [1, -1] {
            let mut row = vec![0; 6];
            (row[0], row[1 + var]) = (3, sign);
            dom.add_ineq(ints(&row));
        }
    }
    let pieces = lexmin(&dom, &System::new(2), 2, &mut Budget::new(3_000_000)).expect("few steps");
    assert!(pieces.len() < 80, "{} pieces", pieces.len());
}

#[test]
fn an_empty_context_has_no_pieces() {
    let context = system(1, &[&[-1, 2]], &[]);
    assert!(solve(&System::new(2), &context).is_empty());
}
