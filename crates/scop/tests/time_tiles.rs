//! Stencils in time: legal, complete, and with the results of the original order.

mod support;

use poly_presburger::Budget;
use poly_scop::simplify::simplify;
use poly_scop::{Config, Outcome, Parallelism, Plan, Profitability, Scop, TileShape, Tiling, optimize};
use poly_transform::{Machine, RegisterChoice};
use support::execution::{assert_same_results, new_order};
use support::{carried_gauss_seidel, jacobi_1d, jacobi_2d, lu, mirror, ring, sweep};

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

#[test]
fn large_stencils_are_tiled_in_time_with_vector_rows() {
    let plan = plan(jacobi_2d(200, 2000), &Config::standard());
    let band = &plan.report.bands[0];
    assert!(band.tile.len() >= 2 && band.tile[0] >= 4 && band.vector, "{:?}", plan.report);
}

#[test]
fn small_stencils_are_left_alone() {
    let Outcome::Unchanged(_) = optimize(jacobi_2d(20, 9), &Config::standard()) else {
        panic!("the arrays are in the nearest cache, and rows are short")
    };
}

#[test]
fn tiles_in_time_have_the_same_results() {
    let plan = plan(jacobi_2d(7, 12), &forced(Tiling::Sizes(vec![3, 4, 5])));
    assert_eq!(plan.report.bands[0].tile, [3, 4, 5], "{:?}", plan.report);
    assert!(plan.report.bands[0].vector, "{}", plan.tree);
    assert_same_results(&plan, 2 * 7 * 12 * 12);
}

/// The usual machine with masks and vectors of 64 bytes.
fn wide() -> Machine {
    let mut machine = Machine::default();
    (machine.vectors.bytes, machine.vectors.masks) = (64, true);
    machine
}

/// Each statement goes through its part of a tile in one step of time before the next one does, so
/// that what it needs stays in the first cache.
#[test]
fn statements_part_inside_of_the_time_loop() {
    let machine = wide();
    for (steps, n, sizes) in
        [(7, 12, vec![3, 4, 5]), (5, 11, vec![2, 8, 32]), (1, 9, vec![4, 8, 8]), (3, 1, vec![4, 8, 8])]
    {
        let config = forced(Tiling::Sizes(sizes)).for_machine(machine.clone());
        let plan = plan(jacobi_2d(steps, n), &config);
        let code = plan.ast.to_string();
        if n > 1 {
            assert_eq!(code.matches("// vector").count(), 2, "{code}");
        }
        assert_same_results(&plan, 2 * (steps * n * n) as usize);
    }
}

#[test]
fn wavefronts_of_tiles_run_in_parallel() {
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
fn without_diamonds_and_wavefronts_nothing_is_parallel() {
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
fn sweeps_in_place_have_lanes_of_every_width() {
    let sizes = Tiling::Sizes(vec![3, 8, 400]);
    let with = |lanes: bool| Config { lanes, ..forced(sizes.clone()).for_machine(wide()) };
    let lanes = plan(sweep(4, 40, 100), &with(true));
    assert!(lanes.ast.to_string().contains("// simd-wavefront"), "{}", lanes.ast);
    assert_same_results(&lanes, 4 * 40 * 100);
    let without = plan(sweep(4, 40, 100), &with(false));
    assert!(!without.ast.to_string().contains("// simd-wavefront"), "{}", without.ast);
    assert_same_results(&without, 4 * 40 * 100);
    for bytes in [16, 32] {
        let mut machine = Machine::default();
        (machine.vectors.bytes, machine.vectors.loop_bytes) = (bytes, bytes);
        let narrow = plan(sweep(4, 40, 100), &with(true).for_machine(machine));
        assert!(narrow.ast.to_string().contains("// simd-wavefront"), "{}", narrow.ast);
        assert_same_results(&narrow, 4 * 40 * 100);
    }
}

#[test]
fn a_folded_ring_is_tiled_in_time() {
    for n in [24, 25] {
        let sizes = Tiling::Sizes(vec![3, 4]);
        let folded = plan(ring(9, n), &forced(sizes.clone()));
        assert_eq!((folded.report.subdomains, folded.report.bands.len()), (8, 1), "{:?}", folded.report);
        assert_eq!(folded.report.bands[0].tile, [3, 4], "{:?}", folded.report);
        assert_same_results(&folded, 2 * 9 * n as usize);
        let whole = plan(ring(9, n), &Config { splitting: false, ..forced(sizes) });
        assert_eq!((whole.report.subdomains, whole.report.bands[0].depth), (0, 1), "{:?}", whole.report);
        assert_same_results(&whole, 2 * 9 * n as usize);
    }
}

#[test]
fn a_folded_ring_has_wavefronts_and_diamonds() {
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
    assert!(plan.report.subdomains == 8 && plan.report.bands[0].tile.len() == 2, "{:?}", plan.report);
}

#[test]
fn the_halves_of_a_mirrored_row_are_free_of_dependences() {
    for n in [40, 41] {
        let plan = plan(mirror(n), &forced(Tiling::Off));
        assert!(plan.report.subdomains == 2 && plan.report.bands.iter().all(|band| band.vector), "{:?}", plan.report);
        assert_same_results(&plan, n as usize);
    }
}

/// A factorization has no loop without dependences; blocks of its rows and columns run in
/// wavefronts, where no size is a multiple of rows and columns of a tile.
#[test]
fn register_tiles_of_factorizations_run_in_wavefronts() {
    let register = RegisterChoice::Sizes { rows: 3, vectors: 1, blocks: Some((4, 4)) };
    for expected in [2, 4] {
        let config = threads(Config { register: register.clone(), ..forced(Tiling::Model) }, expected);
        let plan = plan(lu(19), &config);
        let band = plan.report.bands.iter().find(|band| band.register.is_some()).expect("it contracts");
        assert_eq!((band.parallel, band.shape), (true, TileShape::Wavefront), "{:?}", plan.report);
        assert!(plan.ast.to_string().contains("// parallel"), "{}", plan.ast);
        let instances = new_order(&plan).len();
        assert_same_results(&plan, instances);
        let off = Config { wavefront: false, ..config };
        let plan = self::plan(lu(19), &off);
        assert!(!plan.report.bands.iter().any(|band| band.register.is_some() && band.parallel), "{:?}", plan.report);
    }
}

/// Tiles that are small beside the blocks: those below and to the right of the diagonal are free of
/// each other, and so is the rest.
#[test]
fn blocks_of_factorizations_run_in_phases() {
    let register = RegisterChoice::Sizes { rows: 2, vectors: 1, blocks: Some((4, 4)) };
    for (n, expected) in [(19, 2), (40, 2), (33, 3)] {
        let config = threads(Config { register: register.clone(), ..forced(Tiling::Model) }, expected);
        let plan = plan(lu(n), &config);
        let band = plan.report.bands.iter().find(|band| band.register.is_some()).expect("it contracts");
        assert_eq!((band.parallel, band.shape), (true, TileShape::PanelUpdate), "{:?}", plan.report);
        assert_eq!(plan.ast.to_string().matches("// parallel").count(), 3, "two panels and the rest: {}", plan.ast);
        let instances = new_order(&plan).len();
        assert_same_results(&plan, instances);
    }
}
