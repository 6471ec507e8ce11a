//! Tile sizes of three classical problems: the models of the literature on tiling as geometric
//! programs, with optima that were found by other means.

use poly_geometric::{Accuracy, Descended, Monomial, Posynomial, Program, Solution, descend};

fn x(index: usize) -> Posynomial {
    Posynomial::variable(index)
}

fn number(value: f64) -> Posynomial {
    Posynomial::constant(value)
}

/// The monomial with these exponents.
fn term(coefficient: f64, exponents: &[f64]) -> Posynomial {
    Monomial { coefficient, exponents: exponents.to_vec() }.into()
}

#[track_caller]
fn solved(program: &Program) -> Solution {
    program.minimize(Accuracy::default()).expect("there is an optimum")
}

#[track_caller]
fn assert_near(found: &[f64], expected: &[f64]) {
    let near = found.iter().zip(expected).all(|(a, b)| (a / b - 1.0).abs() < 1e-5);
    assert!(near && found.len() == expected.len(), "{found:?} is not {expected:?}");
}

/// All sizes at least 1.
fn positive(program: &mut Program) {
    (0..program.variables).for_each(|size| program.constraints.push(&number(1.0) / &Monomial::variable(size)));
}

/// The best integer point of a program near its optimum.
fn rounded(program: &Program, from: &[f64]) -> Descended {
    let cost = |at: &[u64]| {
        let at: Vec<f64> = at.iter().map(|&size| size as f64).collect();
        program.is_feasible(&at).then(|| program.objective.value(&at))
    };
    descend(from, &vec![1; from.len()], 10_000, cost).expect("some point is feasible")
}

/// Cycles for an iteration in the cache, for a word from memory, for the test of a loop.
const ITERATION: f64 = 4.0;
const WORD: f64 = 40.0;
const TEST: f64 = 2.0;

/// Iterations along a side, and words of the cache.
const SIDE: f64 = 4000.0;
const CACHE: f64 = 4096.0;

/// Tiles of `s x t` iterations of a skewed Gauss-Seidel method: what is loaded are two facets.
fn facets() -> Posynomial {
    x(0) + x(1)
}

/// Tests of the loops over tiles and of those in them.
fn loop_tests() -> Posynomial {
    let tiles = term(SIDE * SIDE, &[-1.0, -1.0]);
    &(&tiles * &(x(0) + term(1.0, &[1.0, 1.0])) + term(SIDE, &[-1.0]) + tiles) * TEST
}

#[test]
fn a_stencil_in_a_cache_has_tiles_that_fill_it() {
    let tiles = term(SIDE * SIDE, &[-1.0, -1.0]);
    let tile = term(ITERATION, &[1.0, 1.0]) + &facets() * WORD;
    let mut program = Program { variables: 2, objective: &tiles * &tile + loop_tests(), constraints: vec![] };
    program.bound(&facets(), &Monomial::constant(CACHE));
    positive(&mut program);
    let solution = solved(&program);
    assert_near(&solution.at, &[2023.03, 2072.97]);
    assert_near(&[solution.value], &[96_640_541.4]);
    let best = rounded(&program, &solution.at);
    assert_eq!(best.at, [2023, 2073]);
    let all = (1..CACHE as u64).map(|s| program.objective.value(&[s as f64, CACHE - s as f64]));
    assert_eq!(best.cost, all.fold(f64::INFINITY, f64::min));
    assert_near(&[program.objective.value(&[32.0, 32.0])], &[137_031_500.0]);
}

#[test]
fn overlapped_loads_make_the_optimum_flat() {
    // The third variable is the time of a tile: what is longer, its iterations or its words.
    let tiles = term(SIDE * SIDE, &[-1.0, -1.0, 1.0]);
    let mut program = Program { variables: 3, objective: tiles + loop_tests(), constraints: vec![] };
    program.bound(&term(ITERATION, &[1.0, 1.0]), &Monomial::variable(2));
    program.bound(&(&facets() * WORD), &Monomial::variable(2));
    program.bound(&facets(), &Monomial::constant(CACHE));
    positive(&mut program);
    assert_near(&[solved(&program).value], &[96_008_166.0]);
}

/// Seconds of a wavefront of tiles on so many processors, each with columns of its own: a message
/// for every tile.
fn wavefront(processors: f64) -> Program {
    let (side, iteration, message, word) = (20_000.0, 2e-9, 2e-5, 8e-9);
    let tile = term(iteration, &[1.0, 1.0]) + number(2.0 * message) + &x(1) * (2.0 * word);
    let waiting = &(term(1.0, &[1.0, -1.0]) + number(1.0)) * (processors - 1.0);
    let own = term(side * side / processors, &[-1.0, -1.0]);
    let mut program = Program { variables: 2, objective: &(waiting + own) * &tile, constraints: vec![] };
    // Nobody is idle once all have begun, and everyone has a column.
    program.bound(&(&(x(0) + x(1)) * (processors - 1.0)), &Monomial::constant(side));
    program.bound(&(&x(0) * processors), &Monomial::constant(side));
    positive(&mut program);
    program
}

#[test]
fn a_wavefront_has_tiles_that_are_worth_their_messages() {
    let expected = [
        (4.0, [509.54, 1596.16], 0.214755285, [510, 1595], 0.214755292),
        (16.0, [186.88, 966.65], 0.065136046, [187, 966], 0.065136048),
        (64.0, [107.95, 209.51], 0.032936591, [108, 209], 0.032957067),
    ];
    for (processors, at, seconds, sizes, rounded_seconds) in expected {
        let program = wavefront(processors);
        let solution = solved(&program);
        // The table has five digits and more.
        let near = solution.at.iter().zip(at).all(|(a, b)| (a - b).abs() < 0.01 + 1e-5 * b);
        assert!(near, "{processors}: {solution:?}");
        assert_near(&[solution.value], &[seconds]);
        let best = rounded(&program, &solution.at);
        assert_eq!(best.at, sizes, "{processors}");
        assert!((best.cost - rounded_seconds).abs() < 1e-9, "{processors}: {best:?}");
    }
}

#[test]
fn a_matrix_product_is_close_to_the_lower_bound_in_the_best_order() {
    let (n, words) = (1000.0_f64, 4096.0_f64);
    let sides = [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0]].map(|exponents| term(1.0, &exponents));
    let footprint = sides.into_iter().fold(Posynomial::default(), |sum, side| sum + side);
    let program = |objective: Posynomial| {
        let mut program = Program { variables: 3, objective, constraints: vec![] };
        program.bound(&footprint, &Monomial::constant(words));
        positive(&mut program);
        (0..3).for_each(|size| program.bound(&x(size), &Monomial::constant(n)));
        program
    };
    let operands = term(n.powi(3), &[-1.0]) + term(n.powi(3), &[0.0, -1.0]);
    // Nothing stays from one tile to the next but what is loaded for it.
    let solution = solved(&program(operands.clone() + term(2.0 * n.powi(3), &[0.0, 0.0, -1.0])));
    let near = solution.at.iter().zip([31.10, 31.10, 50.31]).all(|(a, b)| (a - b).abs() < 0.006);
    assert!(near, "{solution:?}");
    assert!((solution.value * words.sqrt() / n.powi(3) - 6.66).abs() < 0.006);
    // The result stays while the products are summed up.
    let results = number(2.0 * n * n);
    let staying = program(operands + results);
    let solution = solved(&staying);
    let near = solution.at.iter().zip([63.01, 63.01, 1.0]).all(|(a, b)| (a - b).abs() < 0.006);
    assert!(near, "{solution:?}");
    let best = rounded(&staying, &solution.at);
    assert_eq!(best.at, [63, 63, 1]);
    // 2 n^3 / sqrt(S) words have to be moved.
    let (moved, bound) = (best.cost - 2.0 * n * n, 2.0 * n.powi(3) / words.sqrt());
    assert_eq!((moved.round(), bound), (31_746_032.0, 31_250_000.0));
    assert!(moved / bound < 1.016);
}
