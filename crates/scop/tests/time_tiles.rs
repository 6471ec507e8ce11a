//! Stencils in time: legal, complete, and with the results of the original order.

mod support;

use std::collections::BTreeMap;

use indexmap::IndexMap;
use poly_arith::Int;
use poly_presburger::{Budget, DimKind};
use poly_scop::simplify::simplify;
use poly_scop::{
    Access, AccessId, Config, InstrKind, Outcome, Parallelism, Plan, Profitability, Scop, Statement, TileShape, Tiling,
    ValueId, optimize,
};
use support::{carried_gauss_seidel, jacobi_1d, jacobi_2d, mirror, ring};

/// Statement and coordinates.
type Instance = (String, Vec<i64>);
/// Array and subscripts.
type Element = (u32, Vec<i64>);

fn forced(tiling: Tiling) -> Config {
    Config { profitability: Profitability::Ignored, tiling, ..Config::standard() }
}

fn threads(config: Config, expected: u32) -> Config {
    Config { parallelism: Parallelism::Threads { expected }, ..config }
}

fn plan(scop: Scop, config: &Config) -> Plan {
    match optimize(scop, config) {
        Outcome::Optimized(plan) => *plan,
        Outcome::Unchanged(reason) => panic!("{reason}"),
    }
}

/// The instances in the order of the new loops.
fn new_order(plan: &Plan) -> Vec<Instance> {
    let mut order = Vec::new();
    poly_ast_build::interpret(&plan.ast, &IndexMap::new(), &mut |statement, point| {
        let point = point.iter().map(|x| x.to_i64().expect("small numbers"));
        order.push((statement.as_str().to_string(), point.collect()));
    });
    order
}

fn statement<'a>(scop: &'a Scop, name: &str) -> &'a Statement {
    scop.statements.iter().find(|s| s.name == name).expect("the statement exists")
}

/// The same instances in the original order.
fn original_order(scop: &Scop, mut instances: Vec<Instance>) -> Vec<Instance> {
    instances.sort_by_key(|(name, point)| {
        let position = &statement(scop, name).position;
        let mut time = vec![position[0] as i64];
        point.iter().zip(&position[1..]).for_each(|(x, p)| time.extend([*x, *p as i64]));
        time
    });
    instances
}

fn element(access: &Access, point: &[i64]) -> Element {
    let basic = &access.relation.basics()[0];
    let (from, to) = (basic.offset(DimKind::In), basic.offset(DimKind::Out));
    let subscripts = (0..basic.dim(DimKind::Out)).map(|d| {
        let row = basic.eqs().iter().find(|row| !row[to + d].is_zero()).expect("every subscript is defined");
        let sum: Int = point.iter().enumerate().map(|(i, x)| &row[from + i] * &Int::from(*x)).sum();
        let value = &(&row[0] + &sum) * &-&row[to + d];
        value.to_i64().expect("small numbers")
    });
    (access.array.0, subscripts.collect())
}

/// Executes instances on memory whose values are hashes of what they were computed from.
fn execute(scop: &Scop, order: &[Instance]) -> BTreeMap<Element, u64> {
    let mix = |hash: u64, value: u64| (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    let mut memory: BTreeMap<Element, u64> = BTreeMap::new();
    for (name, point) in order {
        let statement = statement(scop, name);
        let element = |access: AccessId| element(&statement.accesses[access.index()], point);
        let mut values: BTreeMap<ValueId, u64> = BTreeMap::new();
        for instr in &statement.body {
            let mut operands =
                instr.operands.iter().map(|o| values.get(&o.value).copied().unwrap_or(u64::from(o.value.0)));
            match instr.kind {
                InstrKind::Read(access) => {
                    let element = element(access);
                    let initial = mix(u64::from(element.0), element.1.iter().fold(7, |h, x| mix(h, *x as u64)));
                    let value = *memory.get(&element).unwrap_or(&initial);
                    values.insert(instr.value, value);
                }
                InstrKind::Write(access) => {
                    let value = operands.next_back().expect("a write has an operand");
                    memory.insert(element(access), value);
                }
                _ => {
                    let value = operands.fold(u64::from(instr.value.0), mix);
                    values.insert(instr.value, value);
                }
            }
        }
    }
    memory
}

/// Every instance is executed once, and memory ends up as in the original order.
fn assert_same_results(plan: &Plan, instances: usize) {
    let order = new_order(plan);
    let mut unique = order.clone();
    unique.sort();
    unique.dedup();
    assert_eq!((order.len(), unique.len()), (instances, instances), "{}", plan.ast);
    let expected = execute(&plan.scop, &original_order(&plan.scop, unique));
    assert!(execute(&plan.scop, &order) == expected, "{}", plan.ast);
}

#[test]
fn large_stencils_are_tiled_in_time_with_vector_rows() {
    let plan = plan(jacobi_2d(200, 2000), &Config::standard());
    let band = &plan.report.bands[0];
    assert!(band.tile.len() >= 2 && band.tile[0] >= 4 && band.vector, "{:?}", plan.report);
}

#[test]
fn small_stencils_are_left_alone() {
    let Outcome::Unchanged(_) = optimize(jacobi_2d(20, 30), &Config::standard()) else {
        panic!("the arrays are in the nearest cache")
    };
}

#[test]
fn tiles_in_time_have_the_same_results() {
    let plan = plan(jacobi_2d(7, 12), &forced(Tiling::Sizes(vec![3, 4, 5])));
    assert_eq!(plan.report.bands[0].tile, [3, 4, 5], "{:?}", plan.report);
    assert!(plan.report.bands[0].vector, "{}", plan.tree);
    assert_same_results(&plan, 2 * 7 * 12 * 12);
}

#[test]
fn waves_of_tiles_run_in_parallel() {
    let config = threads(forced(Tiling::Sizes(vec![2, 8, 4])), 2);
    let plan = plan(jacobi_2d(6, 14), &Config { diamond: false, ..config });
    let band = &plan.report.bands[0];
    assert_eq!((band.shape, band.parallel), (TileShape::Wavefront, true), "{:?}", plan.report);
    assert_same_results(&plan, 2 * 6 * 14 * 14);
}

#[test]
fn diamonds_start_together() {
    let config = threads(forced(Tiling::Sizes(vec![4, 8])), 4);
    let plan = plan(jacobi_1d(20, 40), &Config { wavefront: false, ..config });
    let band = &plan.report.bands[0];
    assert_eq!((band.shape, band.parallel), (TileShape::Diamond, true), "{:?}", plan.report);
    assert_same_results(&plan, 2 * 20 * 40);
}

#[test]
fn without_diamonds_and_waves_nothing_is_parallel() {
    let config = threads(forced(Tiling::Sizes(vec![4, 8])), 4);
    let plan = plan(jacobi_1d(20, 40), &Config { wavefront: false, diamond: false, ..config });
    assert!(plan.report.bands.iter().all(|band| !band.parallel && band.shape == TileShape::Box), "{:?}", plan.report);
}

#[test]
fn recurrences_in_all_directions_run_along_diagonals() {
    let mut scop = carried_gauss_seidel(40, 60);
    simplify(&mut scop, &mut Budget::unlimited()).expect("the budget is unlimited");
    let plan = plan(scop, &forced(Tiling::Sizes(vec![32])));
    assert!(plan.report.bands[0].vector, "{:?}", plan.report);
    assert_same_results(&plan, 40 * 60);
}

#[test]
fn a_folded_ring_is_tiled_in_time() {
    for n in [24, 25] {
        let sizes = Tiling::Sizes(vec![3, 4]);
        let folded = plan(ring(9, n), &forced(sizes.clone()));
        assert_eq!((folded.report.pieces, folded.report.bands.len()), (8, 1), "{:?}", folded.report);
        assert_eq!(folded.report.bands[0].tile, [3, 4], "{:?}", folded.report);
        assert_same_results(&folded, 2 * 9 * n as usize);
        let whole = plan(ring(9, n), &Config { splitting: false, ..forced(sizes) });
        assert_eq!((whole.report.pieces, whole.report.bands[0].depth), (0, 1), "{:?}", whole.report);
        assert_same_results(&whole, 2 * 9 * n as usize);
    }
}

#[test]
fn a_folded_ring_has_waves_and_diamonds() {
    for (diamond, shape) in [(false, TileShape::Wavefront), (true, TileShape::Diamond)] {
        let config = threads(forced(Tiling::Sizes(vec![4, 8])), 4);
        let plan = plan(ring(20, 41), &Config { diamond, wavefront: !diamond, ..config });
        let band = &plan.report.bands[0];
        assert_eq!((band.shape, band.parallel), (shape, true), "{:?}", plan.report);
        assert_same_results(&plan, 2 * 20 * 41);
    }
}

#[test]
fn large_rings_pay_to_be_folded() {
    let plan = plan(ring(1000, 1_000_000), &Config::standard());
    assert!(plan.report.pieces == 8 && plan.report.bands[0].tile.len() == 2, "{:?}", plan.report);
}

#[test]
fn the_halves_of_a_mirrored_row_are_free_of_dependences() {
    for n in [40, 41] {
        let plan = plan(mirror(n), &forced(Tiling::Off));
        assert!(plan.report.pieces == 2 && plan.report.bands.iter().all(|band| band.vector), "{:?}", plan.report);
        assert_same_results(&plan, n as usize);
    }
}
