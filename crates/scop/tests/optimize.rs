//! The whole pipeline on models.

mod support;

use poly_scop::{Config, Outcome, Profitability, Reason, Scheduler, Tiling, optimize};
use support::{handed_on, hoisted_product, lu, promoted_matmul};

#[test]
fn a_large_matrix_product_is_interchanged_and_tiled() {
    let Outcome::Optimized(plan) = optimize(promoted_matmul(1000), &Config::standard()) else {
        panic!("a matrix product of 1000 pays");
    };
    let update = plan.report.bands.iter().find(|b| b.depth == 3).expect("there is a band of three loops");
    assert!(!update.tile.is_empty(), "{:?}", plan.report);
    assert!(update.vector && update.reordered, "{:?}", plan.report);
}

#[test]
fn a_nest_that_is_fine_is_left_alone_unless_forced() {
    let mut config = Config::standard();
    let Outcome::Unchanged(reason) = optimize(hoisted_product(10), &config) else {
        panic!("there is nothing to gain");
    };
    assert!(matches!(reason, Reason::NotProfitable(_)), "{reason}");
    config.profitability = Profitability::Ignored;
    config.tiling = Tiling::Sizes(vec![4]);
    let Outcome::Optimized(plan) = optimize(hoisted_product(10), &config) else {
        panic!("losses are ignored");
    };
    assert_eq!(plan.report.bands[0].tile, [4, 4]);
}

#[test]
fn the_original_order_is_tiled_but_not_changed() {
    let config = Config {
        scheduler: Scheduler::Original,
        profitability: Profitability::Ignored,
        tiling: Tiling::Sizes(vec![4]),
        ..Config::standard()
    };
    let Outcome::Optimized(plan) = optimize(hoisted_product(10), &config) else {
        panic!("losses are ignored");
    };
    let tiled: Vec<_> = plan.report.bands.iter().filter(|band| !band.tile.is_empty()).collect();
    assert!(!tiled.is_empty() && tiled.iter().all(|band| !band.reordered), "{:?}", plan.report);
    let untiled = Config { tiling: Tiling::Off, ..config };
    let Outcome::Optimized(plan) = optimize(promoted_matmul(1000), &untiled) else {
        panic!("losses are ignored");
    };
    assert!(plan.report.bands.iter().all(|band| !band.reordered), "{:?}", plan.report);
}

/// LLVM makes vectors of it, which nothing beats that has the scalar in memory.
#[test]
fn a_fixed_order_recurrence_is_vector_code_in_the_original() {
    let Outcome::Unchanged(reason) = optimize(handed_on(1000, 1000, false), &Config::standard()) else {
        panic!("there is nothing to gain");
    };
    let Reason::NotProfitable(prediction) = &reason else { panic!("{reason}") };
    assert!(prediction.original < 1e6, "{reason}");
    // What each iteration computes from what the one before has computed is a chain.
    let predicted = match optimize(handed_on(1000, 1000, true), &Config::standard()) {
        Outcome::Optimized(plan) => plan.report.prediction.expect("it was predicted").original,
        Outcome::Unchanged(Reason::NotProfitable(prediction)) => prediction.original,
        Outcome::Unchanged(reason) => panic!("{reason}"),
    };
    assert!(predicted > 3e6, "{predicted}");
}

#[test]
fn too_small_a_budget_leaves_the_program_alone() {
    let mut config = Config::standard();
    config.budget = 10;
    let Outcome::Unchanged(reason) = optimize(promoted_matmul(1000), &config) else { panic!("the budget is tiny") };
    assert!(matches!(reason, Reason::Budget(_)), "{reason}");
}

#[test]
fn the_same_model_gives_the_same_plan() {
    let text = || match optimize(promoted_matmul(500), &Config::standard()) {
        Outcome::Optimized(plan) => format!("{}\n{}\n{}", plan.scop, plan.tree, plan.ast),
        Outcome::Unchanged(reason) => panic!("{reason}"),
    };
    assert_eq!(text(), text());
}

/// Large constant bounds must not make scheduling expensive.
#[test]
fn lu_is_tiled_within_a_small_budget() {
    let mut config = Config::standard();
    config.budget = 50_000_000;
    let Outcome::Optimized(plan) = optimize(lu(2000), &config) else { panic!("an LU factorization of 2000 rows pays") };
    assert!(plan.report.bands.iter().any(|b| b.depth == 3 && !b.tile.is_empty()), "{:?}", plan.report);
}
