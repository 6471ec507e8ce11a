//! Tiles of sizes that are parameters: with all of them every instance is executed once, and memory
//! ends up as in the original order.

mod support;

use indexmap::IndexMap;
use poly_arith::Int;
use poly_presburger::Id;
use poly_scop::{Config, Outcome, Parallelism, Plan, Profitability, Scop, Tiling, WHOLE, optimize};
use support::execution::{assert_same_results_with, order_with};
use support::{jacobi_1d, jacobi_2d, lu, promoted_matmul, two_products};

fn config(tiling: Tiling) -> Config {
    Config { profitability: Profitability::Ignored, tiling, parametric_tiles: true, ..Config::standard() }
}

fn plan(scop: Scop, config: &Config) -> Plan {
    match optimize(scop, config) {
        Outcome::Optimized(plan) => *plan,
        Outcome::Unchanged(reason) => panic!("{reason}"),
    }
}

/// Values for all tile sizes of a plan, the same ones over and over.
fn sizes(plan: &Plan, values: &[i64]) -> IndexMap<Id, Int> {
    let names = plan.nests.iter().flat_map(|nest| &nest.sizes).map(|size| size.param.clone());
    names.zip(values.iter().cycle().map(|&value| Int::from(value))).collect()
}

fn assert_same_results_with_all_sizes(plan: &Plan, instances: usize) {
    assert!(!plan.nests.is_empty(), "{}", plan.tree);
    let whole = i64::try_from(WHOLE).expect("it is small");
    for values in [&[1][..], &[2, 3, 5], &[7, 1, 2], &[1, 4], &[64, 3], &[3, 64, 1], &[whole], &[1, whole, 6]] {
        assert_same_results_with(plan, instances, &sizes(plan, values));
    }
}

#[test]
fn every_kind_of_nest_can_be_tiled_by_all_sizes() {
    assert_same_results_with_all_sizes(&plan(promoted_matmul(7), &config(Tiling::Model)), 7 * 7 + 7 * 7 * 7);
    assert_same_results_with_all_sizes(&plan(jacobi_1d(5, 14), &config(Tiling::Model)), 2 * 5 * 14);
    assert_same_results_with_all_sizes(&plan(jacobi_2d(4, 6), &config(Tiling::Model)), 2 * 4 * 6 * 6);
    let factors = plan(lu(9), &config(Tiling::Model));
    let instances = order_with(&factors, &sizes(&factors, &[4])).len();
    assert_same_results_with_all_sizes(&factors, instances);
}

#[test]
fn parts_of_a_factorization_in_which_nothing_waits_are_vectors() {
    let factors = plan(lu(9), &config(Tiling::Model));
    let text = factors.ast.to_string();
    // Divisions come before the loop over columns, which is one of updates alone.
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let vector = lines.iter().position(|line| line.starts_with("// vector")).expect("there are vectors");
    assert!(lines[vector + 1].starts_with("for") && lines[vector + 1].contains("tile"), "{text}");
    assert!(factors.report.bands.iter().any(|band| band.vector && band.nest.is_some()), "{:?}", factors.report);
}

#[test]
fn threads_share_tiles() {
    let threads = Config { parallelism: Parallelism::Threads { expected: 2 }, ..config(Tiling::Model) };
    let plan = plan(promoted_matmul(8), &threads);
    assert!(plan.report.bands.iter().any(|band| band.parallel && band.nest.is_some()), "{:?}", plan.report);
    assert_same_results_with_all_sizes(&plan, 8 * 8 + 8 * 8 * 8);
}

#[test]
fn full_tiles_have_loops_without_further_bounds() {
    let plan = plan(promoted_matmul(100), &config(Tiling::Sizes(vec![8, 9])));
    let defaults: Vec<u64> = plan.nests[0].sizes.iter().map(|size| size.default).collect();
    assert!(defaults.iter().all(|size| [8, 9].contains(size)), "{defaults:?}");
    let text = plan.ast.to_string();
    let innermost = text.lines().filter(|line| line.contains("for") && !line.contains("ceild"));
    assert!(innermost.clone().any(|line| !line.contains("min") && line.contains("tile")), "{text}");
    assert!(innermost.clone().any(|line| line.contains("min")), "{text}");
}

#[test]
fn names_of_sizes_are_not_those_of_parameters() {
    let mut scop = two_products();
    let name = |scop: &Scop| plan(scop.clone(), &config(Tiling::Model)).nests[0].sizes[0].param.to_string();
    assert_eq!(name(&scop), "tile0");
    scop.params.push(poly_scop::Param { name: "tile0".to_string(), bits: 64, unsigned: false });
    assert_eq!(name(&scop), "tile0_");
}
