use poly_machine::Cache;

use super::*;
use crate::cost::Divisions;
use crate::machine::tests::{usual, wide};

/// The tiles if nothing is said of the budget.
fn tiles_of(band: &SkewedBand, tiling: &TilingChoice, machine: &Machine) -> Option<TimeTiles> {
    time_tiles(band, tiling, machine, &mut Budget::unlimited()).expect("the budget is unlimited")
}

/// `B[i][j] = f(A[i +- 1][j +- 1])` and back, members `t`, `2t + i`, `2t + j`.
fn jacobi(steps: f64, n: f64) -> SkewedBand {
    let access = |array: usize, write: bool, offset: f64| ShapedAccess {
        array,
        bytes: 8.0,
        write,
        subscripts: vec![
            Subscript { slopes: vec![-2.0, 1.0, 0.0], offsets: (offset, offset), range: n },
            Subscript { slopes: vec![-2.0, 0.0, 1.0], offsets: (offset, offset), range: n },
        ],
    };
    let statement = |from: usize, to: usize| ShapedStatement {
        accesses: [-1.0, 0.0, 1.0].map(|d| access(from, false, d)).into_iter().chain([access(to, true, 0.0)]).collect(),
        work: Work { simple: 5.0, ..Work::default() },
        instances: steps * n * n,
        ranges: vec![steps, n + 2.0 * steps, n + 2.0 * steps],
        rows: vec![steps, n, n],
    };
    SkewedBand {
        statements: vec![statement(0, 1), statement(1, 0)],
        members: 3,
        threads: false,
        rows: vec![RowChoice { member: 2, rows: Rows::Distributed, free: vec![true, true], parting: None }],
    }
}

/// The same in three dimensions with seven points.
fn heat(steps: f64, n: f64) -> SkewedBand {
    let mut band = jacobi(steps, n);
    band.members = 4;
    band.rows[0].member = 3;
    for statement in &mut band.statements {
        statement.instances *= n;
        statement.work.simple = 13.0;
        statement.ranges.push(n + 2.0 * steps);
        statement.rows.push(n);
        for access in &mut statement.accesses {
            for subscript in &mut access.subscripts {
                subscript.slopes.push(0.0);
            }
            let offsets = access.subscripts[0].offsets;
            access.subscripts.push(Subscript { slopes: vec![-2.0, 0.0, 0.0, 1.0], offsets, range: n });
        }
    }
    band
}

/// Vectors of 64 bytes everywhere.
fn all_wide() -> Machine {
    let mut machine = wide();
    machine.vectors.loop_bytes = 64;
    machine
}

/// Caches of which the first one has 48 KiB.
fn large_first() -> Vec<Cache> {
    let mut caches = usual().caches;
    caches[0].bytes = 48 << 10;
    caches
}

#[test]
fn three_dimensions_are_tiled_too() {
    let gains = |n: f64, machine: &Machine, most: f64| {
        let band = heat(500.0, n);
        let plain = predict_tiles(&band, &band.rows[0], &[0, 1, 2, 3], &[0; 4], machine);
        let tiles = tiles_of(&band, &TilingChoice::Model, machine).expect("there are candidates");
        assert!(tiles.sizes[0] >= 4 && tiles.sizes[1] > 0, "{tiles:?}");
        assert!(tiles.cost.cycles() < most * plain.cycles(), "{tiles:?} against {plain:?}");
    };
    let wide = all_wide();
    gains(118.0, &wide, 0.6);
    gains(118.0, &usual(), 0.8);
    // Arrays beyond all caches.
    gains(250.0, &usual(), 0.6);
}

#[test]
fn statements_part_where_their_rows_stay_in_the_first_cache_then() {
    let mut band = heat(500.0, 118.0);
    let parted = RowChoice { parting: Some(Parting { shared: 1, parts: vec![0, 1] }), ..band.rows[0].clone() };
    band.rows.push(parted);
    let large = Machine { caches: large_first(), ..wide() };
    let transfer = |rows: usize, sizes: &[u64]| {
        Prepared::new(&band, &band.rows[rows], &[0, 1, 2, 3], (&large, 48 << 10)).predict(sizes).transfer
    };
    assert!(transfer(1, &[16, 16, 8, 0]) < 0.8 * transfer(0, &[16, 16, 8, 0]));
    assert!(tiles_of(&band, &TilingChoice::Model, &large).is_some_and(|tiles| tiles.rows == 1));
}

#[test]
fn parts_find_what_those_before_them_have_left() {
    let band = jacobi(100.0, 500.0);
    let parts: Vec<Vec<ShapedAccess>> = (0..2).map(|s| distinct(&band, &[s])).collect();
    let machine = usual();
    // Two arrays of 8 rows of 128: 16 KiB.
    assert_eq!(lost_between(&parts, &[1.0, 8.0, 128.0], 32 << 10, &machine), 0.0);
    assert_eq!(lost_between(&parts, &[1.0, 64.0, 128.0], 32 << 10, &machine), 1.0);
    let some = lost_between(&parts, &[1.0, 16.0, 96.0], 32 << 10, &machine);
    assert!(some > 0.0 && some < 1.0, "{some}");
}

#[test]
fn blocks_of_rows_end_where_tiles_do() {
    assert_eq!(in_blocks(16.0, 0.0, 8.0), 1.0);
    assert_eq!(in_blocks(20.0, 0.0, 8.0), 0.8);
    // Tiles of one block: it is cut in two at seven of eight places.
    assert_eq!(in_blocks(8.0, 8.0, 8.0), 0.125);
    assert!(in_blocks(118.0, 8.0, 8.0) > 0.93 && in_blocks(118.0, 8.0, 8.0) == in_blocks(118.0, 32.0, 8.0));
    assert_eq!(in_blocks(5.0, 4.0, 8.0), 0.0);
}

#[test]
fn rows_that_read_what_they_write_end_with_several_vectors() {
    let narrow = usual();
    assert!(lanes_at_end((18.0, true), 4.0, &narrow) < lanes_at_end((18.0, false), 4.0, &narrow));
    // Nothing overlaps in a row that is shorter than a vector.
    assert_eq!(lanes_at_end((3.0, true), 4.0, &narrow), lanes_at_end((3.0, false), 4.0, &narrow));
    assert_eq!(lanes_at_end((18.0, true), 4.0, &narrow), lanes_at_end((18.0, false), 4.0, &all_wide()));
    // One statement of each array may be repeated alone, but not beside the other one.
    let band = jacobi(100.0, 88.0);
    let rows = |rows: Rows| RowChoice { rows, ..band.rows[0].clone() };
    assert!(rows(Rows::Distributed).may_repeat(&band, 0) && !rows(Rows::Shared).may_repeat(&band, 0));
}

#[test]
fn masks_make_short_rows_cheap() {
    let band = jacobi(100.0, 88.0);
    let wide = all_wide();
    let issue = |machine: &Machine| predict_tiles(&band, &band.rows[0], &[0, 1, 2], &[8, 8, 0], machine).issue;
    // Half as many vectors, a part of the last one masked, and a row to begin.
    assert!(issue(&wide) < 0.6 * issue(&usual()));
}

fn best(steps: f64, n: f64) -> (TimeTiles, Cost) {
    let band = jacobi(steps, n);
    let machine = usual();
    let plain = predict_tiles(&band, &band.rows[0], &[0, 1, 2], &[0, 0, 0], &machine);
    (tiles_of(&band, &TilingChoice::Model, &machine).expect("there are candidates"), plain)
}

/// `A[i][j] = f(A[i +- 1][j +- 1])` in place, members `t`, `t + i`, `2t + i + j`.
fn sweep(steps: f64, n: f64) -> SkewedBand {
    let access = |write: bool, i: f64, j: f64| ShapedAccess {
        array: 0,
        bytes: 8.0,
        write,
        subscripts: vec![
            Subscript { slopes: vec![-1.0, 1.0, 0.0], offsets: (i, i), range: n },
            Subscript { slopes: vec![-1.0, -1.0, 1.0], offsets: (j, j), range: n },
        ],
    };
    let points = [-1.0, 0.0, 1.0].into_iter().flat_map(|i| [-1.0, 0.0, 1.0].map(|j| (i, j)));
    let statement = ShapedStatement {
        accesses: points.map(|(i, j)| access(false, i, j)).chain([access(true, 0.0, 0.0)]).collect(),
        work: Work {
            simple: 8.0,
            divisions: Divisions { quotients: 1.0, ..Divisions::default() },
            chain: 42.0,
            ..Work::default()
        },
        instances: steps * n * n,
        ranges: vec![steps, n + steps, 2.0 * n + 2.0 * steps],
        rows: vec![steps, n, n],
    };
    let rows = |rows: Rows, free: bool| RowChoice { member: 2, rows, free: vec![free], parting: None };
    let lanes = (1..=4).map(|vectors| rows(Rows::SimdWavefront { vectors }, true));
    SkewedBand {
        statements: vec![statement],
        members: 3,
        threads: false,
        rows: [rows(Rows::Shared, false), rows(Rows::Wavefront, true)].into_iter().chain(lanes).collect(),
    }
}

#[test]
fn chains_of_long_latency_are_hidden_by_several_vectors_of_lanes() {
    let band = sweep(500.0, 2000.0);
    let wide = wide();
    let tiles = tiles_of(&band, &TilingChoice::Model, &wide).expect("there are candidates");
    let Rows::SimdWavefront { vectors } = band.rows[tiles.rows].rows else { panic!("{tiles:?}") };
    assert!(vectors >= 2 && tiles.sizes[1].is_multiple_of(8 * u64::from(vectors)), "{tiles:?}");
    let diagonals = SkewedBand { rows: band.rows[..2].to_vec(), ..band.clone() };
    let others = tiles_of(&diagonals, &TilingChoice::Model, &wide).expect("there are candidates");
    assert!(tiles.cost.cycles() < 0.6 * others.cost.cycles(), "{tiles:?} against {others:?}");
}

#[test]
fn lanes_are_as_many_as_vectors_have() {
    let band = sweep(500.0, 2000.0);
    let tiles = |bytes: u64| {
        let mut machine = usual();
        (machine.vectors.bytes, machine.vectors.loop_bytes) = (bytes, bytes);
        tiles_of(&band, &TilingChoice::Model, &machine).expect("there are candidates")
    };
    for (bytes, lanes) in [(16, 2), (32, 4)] {
        let tiles = tiles(bytes);
        let Rows::SimdWavefront { vectors } = band.rows[tiles.rows].rows else { panic!("{tiles:?}") };
        assert!(tiles.sizes[1].is_multiple_of(lanes * u64::from(vectors)), "{tiles:?}");
    }
    assert!(tiles(8).rows < 2, "vectors of one lane");
}

#[test]
fn lanes_without_masks_are_dearer_where_few_have_points() {
    let band = sweep(20.0, 30.0);
    let mut machine = wide();
    let cycles = |machine: &Machine| predict_tiles(&band, &band.rows[3], &[0, 1, 2], &[0; 3], machine).cycles();
    let masked = cycles(&machine);
    machine.vectors.masks = false;
    assert!(cycles(&machine) != masked, "points that fill no vector have a price of their own");
    let long = sweep(20.0, 30_000.0);
    let per_point = |band: &SkewedBand| {
        predict_tiles(band, &band.rows[3], &[0, 1, 2], &[0; 3], &machine).issue / band.statements[0].instances
    };
    assert!(per_point(&long) < 0.5 * per_point(&band));
}

#[test]
fn narrow_domains_have_few_lanes() {
    let band = sweep(20.0, 9.0);
    let wide = wide();
    let cycles = |rows: usize| predict_tiles(&band, &band.rows[rows], &[0, 1, 2], &[0; 3], &wide).cycles();
    assert!(cycles(2) < cycles(5), "a strip of 32 lanes is never full");
}

#[test]
fn arrays_in_far_memory_are_tiled_in_time() {
    let (tiles, plain) = best(500.0, 2000.0);
    assert!(tiles.sizes[0] >= 4, "{tiles:?}");
    assert!(tiles.cost.cycles() < 0.5 * plain.cycles(), "{tiles:?} against {plain:?}");
}

#[test]
fn arrays_in_the_nearest_cache_are_not() {
    let (tiles, plain) = best(40.0, 30.0);
    assert!(tiles.cost.cycles() > 0.85 * plain.cycles(), "{tiles:?} against {plain:?}");
}

#[test]
fn lanes_of_large_domains_are_wide_for_small_ones() {
    let mut wide = usual();
    wide.vectors.masks = true;
    let (large, small) = (sweep(500.0, 2000.0), sweep(20.0, 40.0));
    let tiles = tiles_of(&large, &TilingChoice::Model, &wide).expect("tiles");
    assert!(matches!(large.rows[tiles.rows].rows, Rows::SimdWavefront { .. }));
    let there = priced(&tiles, &small, &wide).expect("the same rows");
    let best = tiles_of(&small, &TilingChoice::Model, &wide).expect("tiles");
    assert!(there.cost.cycles() > 1.2 * best.cost.cycles(), "{} {}", there.cost.cycles(), best.cost.cycles());
    let box_tiles = TimeTiles { rows: 0, ..tiles };
    assert!(priced(&box_tiles, &small, &wide).is_none(), "they end with the domain");
}

#[test]
fn given_sizes_are_taken_in_the_order_of_the_loops() {
    let band = jacobi(100.0, 500.0);
    let tiles = tiles_of(&band, &TilingChoice::Sizes(vec![8, 24]), &usual()).expect("one candidate");
    assert_eq!(tiles.sizes, vec![8, 24, 24]);
}

#[test]
fn skewed_bands_are_told_from_others() {
    let mut band = jacobi(10.0, 10.0);
    assert!(is_skewed(&band.statements));
    for subscript in band.statements.iter_mut().flat_map(|s| &mut s.accesses).flat_map(|a| &mut a.subscripts) {
        subscript.slopes[0] = 0.0;
    }
    assert!(!is_skewed(&band.statements));
}

#[test]
fn threads_have_many_narrow_tiles_where_rows_are_counted_by_another_loop() {
    let band = SkewedBand { threads: true, ..heat(500.0, 118.0) };
    let wide = Machine { caches: large_first(), ..wide() };
    let tiles = tiles_of(&band, &TilingChoice::Model, &wide).expect("there are candidates");
    assert_eq!(tiles.sizes[1], 8, "{tiles:?}");
    assert_eq!(executed(&band, &[0, 1, 2, 3], &[16, 8, 8, 0]), [16, 32, 8, 0]);
    let plane = SkewedBand { threads: true, ..jacobi(100.0, 500.0) };
    assert_eq!(executed(&plane, &[0, 1, 2], &[16, 8, 0]), [16, 8, 0]);
}

#[test]
fn sizes_to_try_do_not_grow_without_bound_with_the_depth_of_a_band() {
    let count = |members: usize| {
        let band = SkewedBand { members, ..jacobi(100.0, 500.0) };
        candidates(&band, &band.rows[0], &TilingChoice::Model, &usual()).len()
    };
    assert_eq!(count(4), 1 + 5 * 5 * 5 * 6);
    // Loops over tiles beyond the fourth one take the size of that one.
    assert_eq!(count(5), 1 + 5 * 5 * 5 * 5 * 6);
    assert_eq!(count(12), count(5));
}

#[test]
fn sizes_of_tiles_cost_steps() {
    let (band, machine) = (jacobi(100.0, 2000.0), usual());
    let mut budget = Budget::unlimited();
    let tiles = time_tiles(&band, &TilingChoice::Model, &machine, &mut budget).expect("the budget is unlimited");
    assert!(tiles.is_some());
    // Sizes for eight accesses in six loops.
    assert!(budget.spent() > 151, "{}", budget.spent());
    assert!(time_tiles(&band, &TilingChoice::Model, &machine, &mut Budget::new(100)).is_err());
}
