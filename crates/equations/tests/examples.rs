//! The examples under `examples/equations`: values, degrees, schedules, storage, and compiled code.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use expect_test::expect;
use poly_equations::code::{CodeOptions, compile, generate};
use poly_equations::mpi::{self, TileOptions};
use poly_equations::pieces::Pieces;
use poly_equations::realize::{Realization, Wanted, realize};
use poly_equations::schedule::{Aim, automatic};
use poly_equations::{
    Machine, System, Tables, Value, cost, degree, known_functions, load, memory, points, schedule, simplify,
};
use poly_presburger::Budget;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/equations")
}

fn example(name: &str) -> System {
    let text = std::fs::read_to_string(folder().join(format!("{name}.eq"))).expect("the example is there");
    let loaded = load(&text, &mut Budget::unlimited());
    let mut systems = loaded.unwrap_or_else(|flaws| panic!("{}", flaws[0].render(name, &text)));
    systems.pop().expect("there is a system")
}

fn names() -> Vec<String> {
    let files = std::fs::read_dir(folder()).expect("the folder is there");
    let mut names: Vec<String> = files
        .filter_map(|file| file.ok()?.path().file_stem()?.to_str().map(ToString::to_string))
        .filter(|name| folder().join(format!("{name}.eq")).is_file())
        .collect();
    assert!(names.len() >= 53, "{names:?}");
    names.sort();
    names
}

/// The values of an output.
fn values(name: &str, params: &[i64], inputs: &[(&str, &[f64])], output: &str) -> Vec<f64> {
    let system = example(name);
    let budget = &mut Budget::unlimited();
    let mut tables: Tables = BTreeMap::new();
    for (name, values) in inputs {
        let variable = &system.variables[system.find(name).expect("it is declared")];
        let points = points(&variable.domain, params, budget).expect("it is finite");
        assert_eq!(points.len(), values.len(), "{name}");
        let stored = values.iter().map(|x| Value::Float(*x).stored(variable.scalar));
        tables.insert((*name).to_owned(), points.into_iter().zip(stored).collect());
    }
    let machine = Machine::new(&system, budget).expect("it is small");
    let results = machine.run(params, &tables, &known_functions(), budget).unwrap_or_else(|error| panic!("{error}"));
    results[output].values().map(|value| value.to_f64()).collect()
}

/// Letters of a sequence as numbers.
fn letters(text: &str) -> Vec<f64> {
    text.bytes().map(f64::from).collect()
}

#[test]
fn sums_and_products() {
    assert_eq!(values("scan", &[5], &[("A", &[3.0, 1.0, 4.0, 1.0, 5.0])], "C"), [3.0, 4.0, 8.0, 9.0, 14.0]);
    let matrices: &[(&str, &[f64])] = &[("A", &[1.0, 2.0, 3.0, 4.0]), ("B", &[5.0, 6.0, 7.0, 8.0])];
    assert_eq!(values("gemm", &[2, 2, 2], matrices, "C"), [19.0, 22.0, 43.0, 50.0]);
    assert_eq!(values("checksum", &[2], matrices, "total"), [134.0]);
    assert_eq!(
        values("convolution", &[3], &[("p", &[1.0, 2.0, 3.0]), ("q", &[4.0, 5.0, 6.0])], "r"),
        [4.0, 13.0, 28.0, 27.0, 18.0]
    );
    assert_eq!(values("pascal", &[4], &[], "C")[10..], [1.0, 4.0, 6.0, 4.0, 1.0]);
    assert_eq!(values("sliding_sum", &[3, 2], &[("A", &[1.0, 2.0, 3.0, 4.0])], "Y"), [3.0, 5.0, 7.0]);
    let fibonacci: &[(&str, &[f64])] = &[("A", &[1.0, 1.0, 1.0, 0.0]), ("x", &[1.0, 0.0])];
    assert_eq!(values("power_iteration", &[2, 10], fibonacci, "y"), [89.0, 55.0]);
}

#[test]
fn factorizations() {
    let a: &[(&str, &[f64])] = &[("A", &[2.0, 1.0, 1.0, 4.0, 3.0, 3.0, 8.0, 7.0, 9.0])];
    assert_eq!(values("lu", &[3], a, "L"), [1.0, 2.0, 1.0, 4.0, 3.0, 1.0]);
    assert_eq!(values("lu", &[3], a, "U"), [2.0, 1.0, 1.0, 1.0, 1.0, 2.0]);
    assert_eq!(values("lu_packed", &[3], a, "F"), [2.0, 1.0, 1.0, 2.0, 1.0, 1.0, 4.0, 3.0, 2.0]);
    let a: &[(&str, &[f64])] = &[("A", &[4.0, 12.0, 37.0, -16.0, -43.0, 98.0])];
    assert_eq!(values("cholesky", &[3], a, "L"), [2.0, 6.0, 1.0, -8.0, 5.0, 3.0]);
    let l: &[(&str, &[f64])] = &[("L", &[2.0, 1.0, 4.0]), ("b", &[6.0, 11.0])];
    assert_eq!(values("trisolve", &[2], l, "x"), [3.0, 2.0]);
}

#[test]
fn stencils() {
    let a: &[(&str, &[f64])] = &[("A", &[0.0, 0.0, 12.0, 0.0, 0.0, 6.0])];
    assert_eq!(values("jacobi1d", &[5, 2], a, "B"), [0.0, 24.0, 36.0, 30.0, 24.0, 6.0]);
    let square: Vec<f64> = (0..9).map(f64::from).collect();
    assert_eq!(values("seidel", &[2, 1], &[("A", &square)], "B")[4], 1.0 + 3.0 + 4.0 + 7.0 + 5.0);
    assert_eq!(values("sor", &[2, 2], &[("A", &square)], "B")[4], 1.0 + 3.0 + 5.0 + 7.0);
    assert!((values("jacobi2d", &[2, 1], &[("A", &square)], "B")[4] - 4.0).abs() < 1e-12);
    let cube: Vec<f64> = vec![8.0; 27];
    assert_eq!(values("heat3d", &[2, 3], &[("A", &cube)], "B"), cube);
    assert_eq!(values("fdtd", &[2, 1], &[("e0", &[0.0, 1.0, 0.0]), ("h0", &[0.5, 0.25])], "e1"), [0.0, 1.125, 0.0]);
}

#[test]
fn dynamic_programming() {
    let (a, b) = (letters("TGTTACGG"), letters("GGTTGACTA"));
    let pair: &[(&str, &[f64])] = &[("a", &a), ("b", &b)];
    assert_eq!(values("smith_waterman", &[8, 9], pair, "best"), [13.0]);
    assert_eq!(values("smith_waterman", &[8, 9], pair, "total"), [293.0]);
    assert_eq!(values("affine_gaps", &[8, 9], pair, "best"), [10.0]);
    let (a, b) = (letters("GATTACA"), letters("GCATGCU"));
    assert_eq!(values("needleman_wunsch", &[7, 7], &[("a", &a), ("b", &b)], "score"), [0.0]);
    let (a, b) = (letters("ABCBDAB"), letters("BDCABA"));
    assert_eq!(values("lcs", &[7, 6], &[("a", &a), ("b", &b)], "length"), [4.0]);
    let chain = values("parenthesization", &[6], &[("d", &[30.0, 35.0, 15.0, 5.0, 10.0, 20.0, 25.0])], "M");
    assert_eq!((chain[5], chain[9]), (15125.0, 7125.0));
    // Bases 0 to 3, of which 0 and 3, and 1 and 2, are pairs: G C A C G.
    assert_eq!(values("nussinov", &[5], &[("s", &[2.0, 1.0, 0.0, 1.0, 2.0])], "pairs"), [2.0]);
    let far = 1000.0;
    let graph: &[(&str, &[f64])] = &[("W", &[0.0, 3.0, far, 1.0, 0.0, 2.0, 4.0, far, 0.0])];
    assert_eq!(values("floyd_warshall", &[3], graph, "D"), [0.0, 3.0, 5.0, 1.0, 0.0, 2.0, 4.0, 7.0, 0.0]);
}

#[test]
fn signals_and_models() {
    assert_eq!(values("fir", &[3, 2], &[("x", &[1.0, 2.0, 3.0, 4.0]), ("c", &[10.0, 1.0])], "y"), [12.0, 23.0, 34.0]);
    assert_eq!(values("iir", &[4], &[("x", &[1.0, 0.0, 0.0, 0.0])], "y"), [1.0, 0.5, 0.0, -0.125]);
    let model: &[(&str, &[f64])] =
        &[("start", &[0.5, 0.5]), ("move", &[0.75, 0.25, 0.25, 0.75]), ("emit", &[1.0, 0.0, 0.0, 1.0])];
    assert_eq!(values("forward", &[2, 2], model, "p"), [0.125]);
    let model: &[(&str, &[f64])] =
        &[("start", &[-1.0, -2.0]), ("move", &[-1.0, -3.0, -2.0, -1.0]), ("emit", &[0.0, -4.0, -5.0, 0.0])];
    assert_eq!(values("viterbi", &[2, 2], model, "best"), [-4.0]);
}

#[test]
fn filters_and_transforms() {
    // The discrete Fourier transform of 1, 2, 3, 4: from its definition, and from two of half the
    // length.
    let x = [1.0, 2.0, 3.0, 4.0];
    let c = [1.0, 1.0, 1.0, 1.0, 1.0, 0.0, -1.0, 0.0, 1.0, -1.0, 1.0, -1.0, 1.0, 0.0, -1.0, 0.0];
    let s = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0];
    let whole: &[(&str, &[f64])] = &[("x", &x), ("y", &[0.0; 4]), ("c", &c), ("s", &s)];
    let half: &[(&str, &[f64])] =
        &[("x", &x), ("c", &[1.0, 1.0, 1.0, -1.0]), ("s", &[0.0; 4]), ("wc", &[1.0, 0.0]), ("ws", &[0.0, 1.0])];
    for (output, expected) in [("re", [10.0, -2.0, -2.0, -2.0]), ("im", [0.0, 2.0, 0.0, -2.0])] {
        assert_eq!(values("dft", &[4], whole, output), expected);
        assert_eq!(values("fft_step", &[2], half, output), expected);
    }
    assert_eq!(values("haar", &[2], &[("x", &[1.0, 4.0, 2.0, 2.0])], "y"), [5.0, -3.0, 4.0, 0.0]);
    let weights: &[(&str, &[f64])] = &[("A", &[1.0, 2.0, 3.0, 4.0]), ("u", &[1.0, 10.0]), ("v", &[1.0, 100.0])];
    assert_eq!(values("separable", &[1, 2], weights, "Y"), [4231.0]);
    assert_eq!(values("sliding_max", &[3, 2], &[("A", &[1.0, 3.0, 2.0, 5.0])], "Y"), [3.0, 3.0, 5.0]);
    assert_eq!(values("repeated_sum", &[3], &[("x", &[5.0, 1.0, 4.0])], "Y"), [5.0, 12.0, 30.0]);
    let hill: Vec<f64> = (0..18).map(|i| f64::from(if i == 1 { 9 } else { i % 5 })).collect();
    assert_eq!(values("peaks", &[3], &[("A", &hill)], "Y"), [9.0, 9.0, 4.0]);
    assert_eq!(values("growing_window", &[3], &[("x", &[5.0, 1.0, 4.0, 2.0, 0.0, 6.0])], "Y"), [5.0, 4.0, 6.0]);
    assert_eq!(values("rows_and_columns", &[2], &[("A", &[1.0, 5.0, 3.0, 2.0])], "Y"), [5.0, 3.0]);
    let matrices: &[(&str, &[f64])] = &[("A", &[1.0, 2.0, 3.0, 4.0]), ("B", &[5.0, 6.0, 7.0, 8.0])];
    assert_eq!(values("weighted_blocks", &[2], matrices, "Y"), [5.0, 93.0]);
    assert_eq!(values("heat1d", &[2, 1], &[("A", &[0.0, 8.0, 0.0])], "B"), [0.0, 6.0, 0.0]);
    let plate: &[(&str, &[f64])] = &[("A", &[4.0, 4.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])];
    assert_eq!(values("heat2d", &[2, 1], plate, "B"), [4.0, 4.0, 4.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn sweeps_and_mixtures() {
    assert_eq!(values("sweep", &[3], &[("x", &[2.0, 4.0, 6.0])], "y"), [7.0, 10.0, 14.0]);
    assert_eq!(values("gibbs", &[2, 2], &[("x", &[3.0, 5.0]), ("before", &[1.0, 0.0])], "after"), [1.0, 0.0]);
    // With equal densities every point belongs to both distributions by half.
    let equal: &[(&str, &[f64])] = &[("x", &[1.0, 3.0]), ("weight", &[0.5, 0.5]), ("mean", &[0.0, 0.0])];
    assert_eq!(values("mixture", &[2, 2], equal, "weight1"), [0.5, 0.5]);
    assert_eq!(values("mixture", &[2, 2], equal, "mean1"), [2.0, 2.0]);
}

#[test]
fn choices() {
    let items: &[(&str, &[f64])] = &[("weight", &[1.0, 3.0, 4.0, 5.0]), ("value", &[1.0, 4.0, 5.0, 7.0])];
    assert_eq!(values("knapsack", &[4, 7], items, "best"), [0.0, 1.0, 1.0, 4.0, 5.0, 7.0, 8.0, 9.0]);
    let prices: &[(&str, &[f64])] = &[("price", &[1.0, 5.0, 8.0, 9.0, 10.0, 17.0, 17.0, 20.0])];
    assert_eq!(values("rod_cutting", &[8], prices, "best"), [0.0, 1.0, 5.0, 8.0, 10.0, 13.0, 17.0, 18.0, 22.0]);
    assert_eq!(values("catalan", &[5], &[], "C"), [1.0, 1.0, 2.0, 5.0, 14.0, 42.0]);
    let (a, b) = (letters("KITTEN"), letters("SITTING"));
    assert_eq!(values("edit_distance", &[6, 7], &[("a", &a), ("b", &b)], "distance"), [3.0]);
    let far = 1000.0;
    let graph: &[(&str, &[f64])] = &[("W", &[0.0, 4.0, 1.0, far, 0.0, far, far, 2.0, 0.0])];
    assert_eq!(values("bellman_ford", &[3, 2], graph, "D"), [0.0, 3.0, 1.0]);
    // One loop: the pair (1, 4) around the pair (2, 3), nothing between them.
    let loops: &[(&str, &[f64])] = &[
        ("outer", &[0.0, 0.0, 10.0, 0.0, 0.0, 0.0]),
        ("inner", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
        ("size", &[100.0, 0.0, 0.0, 0.0, 0.0]),
        ("asym", &[0.0, 0.0, 0.0, 0.0, 1000.0, 0.0, 0.0, 0.0, 0.0]),
    ];
    assert_eq!(values("internal_loops", &[4], loops, "V"), [1111.0]);
}

/// Whether a system has a legal schedule.
fn has_order(system: &System, budget: &mut Budget) -> bool {
    Pieces::new(system, budget).is_ok_and(|pieces| automatic(&pieces, Aim::Feautrier, budget).is_ok())
}

#[test]
fn reductions_reach_their_degrees() {
    let expected = [
        ("scan", 2, 1),
        ("sliding_sum", 2, 1),
        ("blur", 4, 2),
        ("repeated_sum", 3, 1),
        ("handbook", 3, 2),
        ("weighted_blocks", 3, 2),
        ("rows_and_columns", 3, 2),
        ("internal_loops", 4, 3),
        ("checksum", 3, 2),
        ("sweep", 2, 1),
        ("gibbs", 3, 2),
        ("separable", 4, 3),
    ];
    let budget = &mut Budget::unlimited();
    for (name, before, after) in expected {
        let system = example(name);
        let sizes = vec![40; system.params.len()];
        let (simple, _) = simplify(&system, &sizes, &mut has_order, budget).expect("it is small");
        let of = |system: &System, budget: &mut Budget| degree(&cost(system, budget).expect("it is small").1);
        assert_eq!((of(&system, budget), of(&simple, budget)), (before, after), "{name}\n{simple}");
    }
}

/// Operations at the sizes of the published examples: what simplification leaves of them.
#[test]
fn operations_of_the_worked_examples() {
    let at = |name: &str, sizes: &[i64]| {
        let budget = &mut Budget::unlimited();
        let system = example(name);
        let (simple, _) = simplify(&system, sizes, &mut has_order, budget).expect("it is small");
        let exact: Vec<poly_arith::Int> = sizes.iter().map(|&size| size.into()).collect();
        [&system, &simple].map(|system| cost(system, budget).expect("it is small").1.eval(&exact).to_string())
    };
    let text: String = [
        ("R1", "scan", &[100][..]),
        ("R2", "sliding_sum", &[100, 16]),
        ("R2b", "peaks", &[100]),
        ("R3", "blur", &[24, 6]),
        ("R4", "handbook", &[24]),
        ("R5", "weighted_blocks", &[24]),
        ("R6", "repeated_sum", &[60]),
        ("R7", "rows_and_columns", &[24]),
        ("R8", "growing_window", &[200]),
        ("R9", "internal_loops", &[40]),
        ("R10", "checksum", &[16]),
        ("R11", "sweep", &[64]),
        ("R12", "gibbs", &[48, 5]),
    ]
    .iter()
    .map(|(number, name, sizes)| {
        let [before, after] = at(name, sizes);
        format!("{number} {name}: {before} -> {after}\n")
    })
    .collect();
    expect![[r#"
        R1 scan: 4950 -> 99
        R2 sliding_sum: 1500 -> 213
        R2b peaks: 1500 -> 284
        R3 blur: 20160 -> 2703
        R4 handbook: 9776 -> 1657
        R5 weighted_blocks: 9776 -> 1128
        R6 repeated_sum: 73750 -> 179
        R7 rows_and_columns: 2576 -> 552
        R8 growing_window: 20100 -> 20100
        R9 internal_loops: 364857 -> 52059
        R10 checksum: 8191 -> 511
        R11 sweep: 4098 -> 316
        R12 gibbs: 34330 -> 2360
    "#]]
    .assert_eq(&text);
}

/// Degrees before and after simplification, times with as few steps as possible, and storage in
/// that order.
fn facts(name: &str) -> String {
    let budget = &mut Budget::unlimited();
    let system = example(name);
    let sizes = vec![40; system.params.len()];
    let before = degree(&cost(&system, budget).expect("it is small").1);
    let (simple, _) = simplify(&system, &sizes, &mut |_, _| false, budget).expect("it is small");
    let after = degree(&cost(&simple, budget).expect("it is small").1);
    let pieces = Pieces::new(&system, budget).expect("it is small");
    let tree = automatic(&pieces, Aim::Feautrier, budget).unwrap_or_else(|why| panic!("{name}: {why}"));
    let storage = memory::contracted(&pieces, &tree, budget).expect("it is small");
    let mut text = format!("{name}: degree {before}, simplified {after}\n");
    for line in schedule::text(&pieces, &tree).lines() {
        let head = line.trim_start();
        let short = if line.starts_with(' ') {
            head.to_owned()
        } else {
            head.split(" = ").next().unwrap_or(head).split("= ").next().unwrap_or(head).to_owned()
        };
        let _ = if line.starts_with(' ') { writeln!(text, " {short}") } else { write!(text, "  {short}") };
    }
    for line in memory::text(&pieces.system, &storage).lines().filter(|line| line.contains("cells")) {
        let _ = writeln!(text, "  {line}");
    }
    text
}

#[test]
fn degrees_schedules_and_storage() {
    let all: String = names().iter().map(|name| facts(name)).collect();
    expect![[r#"
        affine_gaps: degree 2, simplified 2
          S0: E[i, 0] at (0, 0, i)
          S1: E[i, j] at (-1 + 2i + 2j, 1, i)
          S2: F[0, j] at (0, 2, j)
          S3: F[i, j] at (-1 + 2i + 2j, 3, i)
          S4: H[0, j] at (0, 4, j)
          S5: H[i, 0] at (0, 5, i)
          S6: H[i, j] at (2i + 2j, 6, i)
          S7: best[] at (0, 7, 0)
          S8: best[] max at (1 + N + 2M + i, 8, j)
          E: 1 + N x 1 cells, used again
          F: { [(1 + N)] : N = 1 or (N >= 2 and M >= N); [(1 + M)] : M < N } x 1 + M cells, used again
        bellman_ford: degree 3, simplified 3
          S0: P[0, 0] at (0, 0, 0, 0)
          S1: P[0, v] at (0, 1, v, 0)
          S2: P[t, v] at (2t, 2, v, 0)
          S3: P_red1[t, v] at (0, 3, t, v)
          S4: P_red1[t, v] min at (-1 + 2t, 4, u, v)
          S5: D[v] at (1 + 2T, 5, v, 0)
          P: 2 x N cells, used again
        blur: degree 4, simplified 2
          S0: Y[i, j] at (0, 0, i, j, 0)
          S1: Y[i, j] sum at (1 + y, 1, x, i, j)
        catalan: degree 2, simplified 2
          S0: C[0] at (0, 0, 0)
          S1: C[n] at (2n, 1, 0)
          S2: C_red1[n] at (0, 2, n)
          S3: C_red1[n] sum at (-1 + 2n, 3, k)
          C_red1: in the cells of C
        checksum: degree 3, simplified 2
          S0: total[] at (0, 0, 0, 0)
          S1: total[] sum at (1 + i, 1, j, k)
        cholesky: degree 3, simplified 3
          S0: L[i, i] at (1 + 3i, 0, 0, 0)
          S1: L[i, j] at (1 + i + 2j, 1, i, 0)
          S2: L_red1[i, i] at (0, 2, i, 0)
          S3: L_red1[i, i] sum at (1 + 2i + k, 3, i, 0)
          S4: L_red2[i, j] at (0, 4, i, j)
          S5: L_red2[i, j] sum at (1 + i + j + k, 5, i, j)
          L_red1: in the cells of L
          L_red2: in the cells of L
        convolution: degree 2, simplified 2
          S0: r[n] at (0, 0, n)
          S1: r[n] sum at (1 + i, 1, n)
        dft: degree 2, simplified 2
          S0: re[k] at (0, 0, 0, k)
          S1: re[k] sum at (0, 1 + n, 1, k)
          S2: im[k] at (1, 0, 0, k)
          S3: im[k] sum at (1, 1 + n, 1, k)
        edit_distance: degree 2, simplified 2
          S0: D[0, j] at (0, 0, j)
          S1: D[i, 0] at (0, 1, i)
          S2: D[i, j] at (-1 + i + j, 2, i)
          S3: distance[] at (N + M, 3, 0)
        fdtd: degree 2, simplified 2
          S0: E[0, i] at (0, 0, i)
          S1: E[t, 0] at (t, 1, 0)
          S2: E[t, N] at (t, 2, 0)
          S3: E[t, i] at (2t, 3, i)
          S4: H[0, i] at (0, 4, i)
          S5: H[t, i] at (1 + 2t, 5, i)
          S6: e1[i] at (1 + 2T, 6, i)
          H: 2 x N cells, used again
        fft_step: degree 2, simplified 2
          S0: use1_x[i0] at (0, 0, i0, 0)
          S1: use1_c[i0, i1] at (0, 1, i0, i1)
          S2: use1_s[i0, i1] at (0, 2, i0, i1)
          S3: er[i0] at (1 + N, 3, i0, 0)
          S4: ei[i0] at (2 + N, 4, i0, 0)
          S5: use1_re[k] at (0, 5, k, 0)
          S6: use1_re[k] sum at (1 + n, 6, k, 0)
          S7: use1_im[k] at (1 + N, 7, k, 0)
          S8: use1_im_red1[k] at (0, 8, k, 0)
          S9: use1_im_red1[k] sum at (1 + n, 9, k, 0)
          S10: use2_x[i0] at (0, 10, i0, 0)
          S11: use2_c[i0, i1] at (0, 11, i0, i1)
          S12: use2_s[i0, i1] at (0, 12, i0, i1)
          S13: or_[i0] at (1 + N, 13, i0, 0)
          S14: oi[i0] at (2 + N, 14, i0, 0)
          S15: use2_re[k] at (0, 15, k, 0)
          S16: use2_re[k] sum at (1 + n, 16, k, 0)
          S17: use2_im[k] at (1 + N, 17, k, 0)
          S18: use2_im_red1[k] at (0, 18, k, 0)
          S19: use2_im_red1[k] sum at (1 + n, 19, k, 0)
          S20: tr[k] at (3 + N, 20, k, 0)
          S21: ti[k] at (3 + N, 21, k, 0)
          S22: re[k] at (4 + N, 22, k, 0)
          S23: re[k] at (4 + N, 23, k, 0)
          S24: im[k] at (4 + N, 24, k, 0)
          S25: im[k] at (4 + N, 25, k, 0)
          use1_re: in the cells of er
          use2_re: in the cells of or_
          use1_im_red1: in the cells of use1_im
          use2_im_red1: in the cells of use2_im
        fir: degree 2, simplified 2
          S0: y[i] at (0, 0, i)
          S1: y[i] sum at (1 + k, 1, i)
        floyd_warshall: degree 3, simplified 3
          S0: P[0, i, j] at (0, 0, i, j)
          S1: P[k, i, j] at (k, 1, i, j)
          S2: D[i, j] at (1 + N, 2, i, j)
          P: 2 x N x N cells, used again
        forward: degree 3, simplified 3
          S0: a[0, s] at (0, 0, s, 0)
          S1: a[t, s] at (2t, 1, s, 0)
          S2: a_red1[t, s] at (0, 2, t, s)
          S3: a_red1[t, s] sum at (-1 + 2t, 3, r, s)
          S4: p[] at (0, 4, 0, 0)
          S5: p[] sum at (-1 + 2T + s, 5, 0, 0)
          a: 1 x S cells, used again
        gemm: degree 3, simplified 3
          S0: C[i, j] at (0, 0, i, j)
          S1: C[i, j] sum at (1 + k, 1, i, j)
        gibbs: degree 3, simplified 3
          S0: S[i, k] at (N + 4i, 0, k, 0)
          S1: S_red1[i, k] at (0, 1, i, k)
          S2: S_red1[i, k] sum at (N + 3i + j, 2, i, k)
          S3: S_red2[i, k] at (0, 3, i, k)
          S4: S_red2[i, k] sum at (j, 4, i, k)
          S5: after[i] at (2 + N + 4i, 5, 0, 0)
          S6: after_red1[i] at (0, 6, i, 0)
          S7: after_red1[i] sum at (1 + N + 4i, 7, k, 0)
          S: 1 x K cells, used again
          after_red1: in the cells of after
        growing_window: degree 2, simplified 2
          S0: Y[i] at (0, 0, i)
          S1: Y[i] max at (1 - i + j, 1, i)
        haar: degree 1, simplified 1
          S0: y[2t0] at (0, t0)
          S1: y[1 + 2t0] at (1, t0)
        halves: degree 1, simplified 1
          S0: X[2t0] at (t0, 0, 0)
          S1: X[1 + 2t0] at (0, 1, t0)
        handbook: degree 3, simplified 2
          S0: Y[i] at (0, 0, i, 0)
          S1: Y[i] sum at (1 + j, 1, k, i)
        heat1d: degree 2, simplified 2
          S0: X[0, i] at (0, 0, i)
          S1: X[t, 0] at (t, 1, 0)
          S2: X[t, N] at (t, 2, 0)
          S3: X[t, i] at (t, 3, i)
          S4: B[i] at (1 + T, 4, i)
          X: 2 x 1 + N cells, used again
        heat2d: degree 3, simplified 3
          S0: X[0, i, j] at (0, 0, i, j)
          S1: X[t, 0, j] at (t, 1, j, 0)
          S2: X[t, N, j] at (t, 2, j, 0)
          S3: X[t, i, 0] at (t, 3, i, 0)
          S4: X[t, i, N] at (t, 4, i, 0)
          S5: X[t, i, j] at (t, 5, i, j)
          S6: B[i, j] at (1 + T, 6, i, j)
          X: 2 x 1 + N x 1 + N cells, used again
        heat3d: degree 4, simplified 4
          S0: X[0, i, j, k] at (0, 0, i, j, k)
          S1: X[t, 0, j, k] at (t, 1, j, k, 0)
          S2: X[t, N, j, k] at (t, 2, j, k, 0)
          S3: X[t, i, 0, k] at (t, 3, i, k, 0)
          S4: X[t, i, N, k] at (t, 4, i, k, 0)
          S5: X[t, i, j, 0] at (t, 5, i, j, 0)
          S6: X[t, i, j, N] at (t, 6, i, j, 0)
          S7: X[t, i, j, k] at (t, 7, i, j, k)
          S8: B[i, j, k] at (1 + T, 8, i, j, k)
          X: 2 x 1 + N x 1 + N x 1 + N cells, used again
        iir: degree 1, simplified 1
          S0: y[0] at (0, 0)
          S1: y[1] at (1, 1)
          S2: y[i] at (i, 2)
        internal_loops: degree 4, simplified 3
          S0: V[i, j] at (0, 0, i, j, 0)
          S1: V[i, j] min at (-1 + p, 1, -3 + q, i, j)
        jacobi1d: degree 2, simplified 2
          S0: X[0, i] at (0, 0, i)
          S1: X[t, 0] at (t, 1, 0)
          S2: X[t, N] at (t, 2, 0)
          S3: X[t, i] at (t, 3, i)
          S4: B[i] at (1 + T, 4, i)
          X: 2 x 1 + N cells, used again
        jacobi2d: degree 3, simplified 3
          S0: X[0, i, j] at (0, 0, i, j)
          S1: X[t, 0, j] at (t, 1, j, 0)
          S2: X[t, N, j] at (t, 2, j, 0)
          S3: X[t, i, 0] at (t, 3, i, 0)
          S4: X[t, i, N] at (t, 4, i, 0)
          S5: X[t, i, j] at (t, 5, i, j)
          S6: B[i, j] at (1 + T, 6, i, j)
          X: 2 x 1 + N x 1 + N cells, used again
        knapsack: degree 3, simplified 3
          S0: K[0, c] at (0, 0, c, 0)
          S1: K[n, c] at (2n, 1, c, 0)
          S2: K_red1[n, c] at (0, 2, n, c)
          S3: K_red1[n, c] max at (-1 + 2n, 3, w, c)
          S4: best[c] at (1 + 2N, 4, c, 0)
          K: 1 x 1 + C cells, used again
        lcs: degree 2, simplified 2
          S0: L[0, j] at (0, 0, j)
          S1: L[i, 0] at (0, 1, i)
          S2: L[i, j] at (-1 + i + j, 2, i)
          S3: length[] at (N + M, 3, 0)
        lu: degree 3, simplified 3
          S0: U[i, j] at (0, 1 + 3i, 0, j, 0)
          S1: U_red1[i, j] at (0, 0, 1, i, j)
          S2: U_red1[i, j] sum at (0, 1 + 2i + k, 2, i, j)
          S3: L[i, i] at (1, i, 0, 0, 0)
          S4: L[i, j] at (0, 1 + i + 2j, 3, i, 0)
          S5: L_red1[i, j] at (0, 0, 4, i, j)
          S6: L_red1[i, j] sum at (0, 1 + i + j + k, 5, i, j)
          U_red1: in the cells of U
          L_red1: in the cells of L
        lu_packed: degree 3, simplified 3
          S0: F[i, j] at (1 + 3i, 0, j, 0)
          S1: F[i, j] at (1 + i + 2j, 1, i, 0)
          S2: F_red1[i, j] at (0, 2, i, j)
          S3: F_red1[i, j] sum at (1 + 2i + k, 3, i, j)
          S4: F_red2[i, j] at (0, 4, i, j)
          S5: F_red2[i, j] sum at (1 + i + j + k, 5, i, j)
          F_red1: in the cells of F
          F_red2: in the cells of F
        mixture: degree 2, simplified 2
          S0: density[n, k] at (0, 0, n, k)
          S1: total[n] at (0, 1, n, 0)
          S2: total[n] sum at (1 + k, 2, n, 0)
          S3: share[k] at (0, 3, k, 0)
          S4: share[k] sum at (1 + K + n, 4, k, 0)
          S5: weight1[k] at (1 + N + K, 5, k, 0)
          S6: mean1[k] at (1 + N + K, 6, k, 0)
          S7: mean1_red1[k] at (0, 7, k, 0)
          S8: mean1_red1[k] sum at (1 + K + n, 8, k, 0)
          mean1_red1: in the cells of mean1
        needleman_wunsch: degree 2, simplified 2
          S0: F[0, j] at (0, 0, j)
          S1: F[i, 0] at (0, 1, i)
          S2: F[i, j] at (-1 + i + j, 2, i)
          S3: score[] at (N + M, 3, 0)
        nussinov: degree 3, simplified 3
          S0: P[i, j] at (0, 0, i, j)
          S1: P[i, j] at (-3i + 3j, 1, i, 0)
          S2: P_red1[i, j] at (0, 2, i, j)
          S3: P_red1[i, j] max at (-2 - 3i + 3j, 3, i, 0)
          S4: P_red1[i, j] max at (-1 - 3i + 3j, 4, -1 + k, i)
          S5: pairs[] at (-2 + 3N, 5, 0, 0)
          P_red1: in the cells of P
        parenthesization: degree 3, simplified 3
          S0: M[i, i] at (0, 0, i, 0)
          S1: M[i, j] at (-2i + 2j, 1, i, 0)
          S2: M_red1[i, j] at (0, 2, i, j)
          S3: M_red1[i, j] min at (-1 - 2i + 2j, 3, -1 + k, i)
          M_red1: in the cells of M
        pascal: degree 2, simplified 2
          S0: C[n, 0] at (0, 0, n)
          S1: C[n, n] at (0, 1, n)
          S2: C[n, k] at (n, 2, k)
        peaks: degree 1, simplified 1
          S0: Y[i] at (0, 0, i)
          S1: Y[i] max at (1 + j, 1, i)
        power_iteration: degree 3, simplified 3
          S0: V[0, i] at (0, 0, i, 0)
          S1: V[t, i] at (2t, 1, i, 0)
          S2: V_red1[t, i] at (0, 2, t, i)
          S3: V_red1[t, i] sum at (-1 + 2t, 3, j, i)
          S4: y[i] at (1 + 2T, 4, i, 0)
          V: 1 x N cells, used again
        repeated_sum: degree 3, simplified 1
          S0: Y[i] at (0, 0, i, 0)
          S1: Y[i] sum at (1 + j, 1, k, i)
        rod_cutting: degree 2, simplified 2
          S0: best[0] at (0, 0, 0)
          S1: best[n] at (2n, 1, 0)
          S2: best_red1[n] at (0, 2, n)
          S3: best_red1[n] max at (-1 + 2n, 3, -1 + k)
          best_red1: in the cells of best
        rows_and_columns: degree 3, simplified 2
          S0: Y[i] at (0, 0, i, 0)
          S1: Y[i] max at (1 + j, 1, k, i)
        scan: degree 2, simplified 1
          S0: C[i] at (0, 0, i)
          S1: C[i] sum at (1 + j, 1, i)
        seidel: degree 3, simplified 3
          S0: X[0, i, j] at (0, 0, i, j)
          S1: X[t, 0, j] at (t, 1, j, 0)
          S2: X[t, N, j] at (t, 2, j, 0)
          S3: X[t, i, 0] at (t, 3, i, 0)
          S4: X[t, i, N] at (t, 4, i, 0)
          S5: X[t, i, j] at (-2 + 2t + i + j, 5, t, i)
          S6: B[i, j] at (-3 + 2N + 2T, 6, i, j)
        separable: degree 4, simplified 3
          S0: Y[i, j] at (0, 0, i, j, 0)
          S1: Y[i, j] sum at (1 + y, 1, x, i, j)
        sliding_max: degree 2, simplified 2
          S0: Y[i] at (0, 0, i)
          S1: Y[i] max at (1 + j, 1, i)
        sliding_sum: degree 2, simplified 1
          S0: Y[i] at (0, 0, i)
          S1: Y[i] sum at (1 + j, 1, i)
        smith_waterman: degree 2, simplified 2
          S0: H[0, j] at (0, 0, j)
          S1: H[i, 0] at (0, 1, i)
          S2: H[i, j] at (-1 + i + j, 2, i)
          S3: best[] at (0, 3, 0)
          S4: best[] max at (M + i, 4, j)
          S5: total[] at (0, 5, 0)
          S6: total[] sum at (M + i, 6, j)
        sor: degree 3, simplified 3
          S0: X[0, i, j] at (0, 0, i, j)
          S1: X[t, 0, j] at (t, 1, j, 0)
          S2: X[t, N, j] at (t, 2, j, 0)
          S3: X[t, i, 0] at (t, 3, i, 0)
          S4: X[t, i, N] at (t, 4, i, 0)
          S5: X[t, i, i + 2t2] at (-1 + 2t, 5, i, t2)
          S6: X[t, i, 1 + i + 2t2] at (2t, 6, i, t2)
          S7: B[i, j] at (1 + 2T, 7, i, j)
        sweep: degree 2, simplified 2
          S0: y[i] at (N + 2i, 0, 0)
          S1: y_red1[i] at (0, 1, i)
          S2: y_red1[i] sum at (N + i + j, 2, i)
          S3: y_red2[i] at (0, 3, i)
          S4: y_red2[i] sum at (j, 4, i)
          y_red1: in the cells of y
        thirds: degree 1, simplified 1
          S0: X[3 + 6t0] at (1, 0, t0)
          S1: X[4 + 6t0] at (2, 1, t0)
          S2: X[i] at (0, 2, i)
        trisolve: degree 2, simplified 2
          S0: x[i] at (1 + 2i, 0, 0)
          S1: x_red1[i] at (0, 1, i)
          S2: x_red1[i] sum at (1 + i + j, 2, i)
          x_red1: in the cells of x
        viterbi: degree 3, simplified 3
          S0: V[0, s] at (0, 0, s, 0)
          S1: V[t, s] at (2t, 1, s, 0)
          S2: V_red1[t, s] at (0, 2, t, s)
          S3: V_red1[t, s] max at (-1 + 2t, 3, p, s)
          S4: best[] at (0, 4, 0, 0)
          S5: best[] max at (-1 + 2T + s, 5, 0, 0)
          V: 1 x S cells, used again
        weighted_blocks: degree 3, simplified 2
          S0: Y[i] at (0, 0, i, 0)
          S1: Y[i] sum at (1 + j, 1, k, i)
    "#]]
    .assert_eq(&all);
}

#[test]
fn compiled_examples_have_the_values_of_the_equations() {
    let budget = &mut Budget::unlimited();
    let mut seed = 7u64;
    let mut random = |scalar: poly_equations::program::Scalar| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = ((seed >> 33) % 9) as i64;
        if scalar.is_float() { Value::Float(1.0 + number as f64) } else { Value::Int(number) }
    };
    for name in names() {
        let system = example(&name);
        let pieces = Pieces::new(&system, budget).expect("it is small");
        // Both kinds of orders, with cells used again.
        for aim in [Aim::Pluto, Aim::Feautrier] {
            let tree = automatic(&pieces, aim, budget).unwrap_or_else(|why| panic!("{name}: {why}"));
            let storage = memory::contracted(&pieces, &tree, budget).expect("it is small");
            let code = generate(&pieces, &tree, &storage, CodeOptions::default(), budget).expect("it has code");
            let sizes: Vec<Vec<i64>> = [2, 3, 4].iter().map(|&n| vec![n; system.params.len()]).collect();
            let compared = compile::verify(&pieces, &storage, &code, &system, &sizes, &mut random, budget);
            assert!(compared.unwrap_or_else(|why| panic!("{name}: {why}\n{}", code.source)) > 0, "{name}");
        }
        // What `poly eq c` writes.
        for parallel in [false, true] {
            let found = realize(&system, Wanted::Any, parallel, budget).unwrap_or_else(|why| panic!("{name}: {why}"));
            let Realization { pieces, tree, storage } = &found;
            let code = generate(pieces, tree, storage, CodeOptions { parallel }, budget).expect("it has code");
            let sizes: Vec<Vec<i64>> = [2, 3, 5].iter().map(|&n| vec![n; system.params.len()]).collect();
            let compared = compile::verify(pieces, storage, &code, &system, &sizes, &mut random, budget);
            assert!(compared.unwrap_or_else(|why| panic!("{name}: {why}\n{}", code.source)) > 0, "{name}");
        }
    }
}

/// All examples on 1, 2, 4 and 7 ranks, or the reason why there is no code for ranks.
#[test]
fn examples_on_ranks() {
    let budget = &mut Budget::unlimited();
    let has_mpi = compile::has_mpi();
    if !has_mpi {
        eprintln!("skipped in part: there is no mpicc or no mpirun, so code for ranks is written but does not run");
    }
    let mut seed = 11u64;
    let mut random = |scalar: poly_equations::program::Scalar| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = ((seed >> 33) % 9) as i64;
        if scalar.is_float() { Value::Float(1.0 + number as f64) } else { Value::Int(number) }
    };
    let mut refused = Vec::new();
    for (number, name) in names().into_iter().enumerate() {
        let system = example(&name);
        let pieces = Pieces::new(&system, budget).expect("it is small");
        let options = TileOptions { sizes: vec![2, 3], grid: 1 };
        let tree = mpi::order(&pieces, &options, budget).unwrap_or_else(|why| panic!("{name}: {why}"));
        let code = match mpi::generate(&pieces, &tree, &options, number % 3 == 0, budget) {
            Ok(code) => code,
            Err(why) => {
                refused.push(format!("{name}: {why}"));
                continue;
            }
        };
        // A few kinds of programs on all numbers of ranks, the others on one number.
        let ranks: &[usize] = match name.as_str() {
            "jacobi2d" | "lcs" | "gemm" | "lu" | "lu_packed" | "nussinov" => &[1, 2, 4, 7],
            _ => &[3],
        };
        let sizes: Vec<Vec<i64>> = [2, 5, 7].iter().map(|&n| vec![n; system.params.len()]).collect();
        let sizes: Vec<Vec<i64>> = sizes.into_iter().filter(|params| is_meant(&system, params)).collect();
        if has_mpi {
            let found = compile::verify_mpi(&pieces, &code, &system, ranks, &sizes, &mut random, budget);
            let found = found.unwrap_or_else(|why| panic!("{name}: {why}\n{}", code.source));
            assert!(found.iter().all(|compared| compared.values > 0), "{name}");
        }
    }
    let reason = "none has a parallel loop, or two loops that may be interchanged";
    assert_eq!(refused, [format!("iir: no band of the schedule can be distributed: {reason}")]);
}

fn is_meant(system: &System, params: &[i64]) -> bool {
    let exact: Vec<poly_arith::Int> = params.iter().map(|&p| p.into()).collect();
    system.context.contains(&exact, &[])
}
