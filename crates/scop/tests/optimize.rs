//! The whole pipeline on models.

mod support;

use poly_presburger::Budget;
use poly_scop::{Config, Outcome, Profitability, Reason, Scheduler, Scop, Tiling, optimize, optimize_within};
use support::{Builder, handed_on, hoisted_product, local, lu, promoted_matmul};

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

/// `for i for j for k C[i][j] += A[i][k] * B[k][j]` for any size, as often as it says.
fn products_of_any_size(count: usize) -> Scop {
    let mut b = Builder::new("[n] -> { : 0 <= n <= 1000 }");
    let [c, a, other] = ["C", "A", "B"].map(|name| b.array(name, &[1000]));
    for nest in 0..count {
        let loops = b.loops(&[0, 1, 2]);
        let name = format!("S{nest}");
        let domain = format!("[n] -> {{ {name}[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }}");
        let mut s = b.statement(&domain, &loops, &[nest, 0, 0, 0]);
        let old = s.read(c, &format!("{{ {name}[i, j, k] -> C[i, j] }}"));
        let x = s.read(a, &format!("{{ {name}[i, j, k] -> A[i, k] }}"));
        let y = s.read(other, &format!("{{ {name}[i, j, k] -> B[k, j] }}"));
        let product = s.compute("fmul", &[local(x), local(y)]);
        let new = s.compute("fadd", &[local(old), local(product)]);
        s.write(c, &format!("{{ {name}[i, j, k] -> C[i, j] }}"), local(new));
        s.done();
    }
    b.finish()
}

/// What comes out for a budget, what had been spent when each step began, and at the end.
fn within(scop: Scop, operations: u64) -> (Outcome, Vec<(&'static str, u64)>, u64) {
    let mut steps = Vec::new();
    let mut watch = |step, spent| steps.push((step, spent));
    let mut budget = Budget::new(operations);
    let outcome = optimize_within(scop, &Config::standard(), &mut watch, &mut budget);
    (outcome, steps, budget.spent())
}

/// At sizes for which nobody can say whether the new order pays, it is taken not to: no plan is
/// lost for that.
#[test]
fn sizes_are_asked_for_what_is_left() {
    let end_of_search = |operations| {
        let (_, steps, _) = within(products_of_any_size(1), operations);
        steps.iter().find(|(step, _)| *step == "packing").map(|&(_, spent)| spent)
    };
    let spent = end_of_search(50_000_000).expect("a product of up to 1000 pays");
    let (outcome, ..) = within(products_of_any_size(1), 50_000_000);
    let Outcome::Optimized(plan) = outcome else { panic!("a product of up to 1000 pays") };
    assert!(plan.report.condition.is_some(), "it does not pay for all sizes");
    let operations = spent * 9 / 10;
    assert!(end_of_search(operations).is_some_and(|less| less <= operations), "the questions cost less then");
}

/// Exact dependences of several nests may cost a quarter, and are not replaced by approximations.
#[test]
fn several_nests_do_not_use_the_budget_of_each_of_them() {
    let operations = 30_000;
    let (outcome, steps, spent) = within(products_of_any_size(3), operations);
    let Outcome::Unchanged(reason) = outcome else { panic!("the budget is small") };
    assert!(matches!(reason, Reason::Budget(_)), "{reason}");
    let before = steps.iter().find(|(step, _)| *step == "dependence analysis").map_or(0, |&(_, spent)| spent);
    assert!(spent <= before + operations / 4, "{spent} operations");
    let (outcome, ..) = within(products_of_any_size(1), 100_000);
    assert!(matches!(outcome, Outcome::Optimized(_)), "one of the nests needs no more");
}
