//! Code on several ranks against the interpreter, and what ranks send against what they need.
//!
//! Without MPI these tests say that they were skipped; what does not run programs is always tested.

use std::collections::BTreeSet;

use poly_arith::Int;
use poly_presburger::{Budget, Map};

use super::blocks::Blocks;
use super::predict::{Network, measure, predict};
use super::{TileOptions, generate};
use crate::code::compile::{Compared, has_mpi, verify_mpi};
use crate::pieces::{Action, Pieces};
use crate::program::{Role, Scalar, System};
use crate::random::{self, Numbers};
use crate::schedule::{Aim, automatic, given};
use crate::tests::system;
use crate::value::Value;

const LCS: &str = "system lcs[N, M] where N >= 1 and M >= 1 { in u8 a : [1..N]; in u8 b : [1..M]; out i64 length : { [] };
    let i64 L : [0..N, 0..M]; length = L[N, M];
    L[i, j] = case { i = 0 or j = 0 : 0; else : if a[i] = b[j] then L[i-1, j-1] + 1 else max(L[i-1, j], L[i, j-1]); }; }";

const JACOBI: &str = "system jacobi[N, T] where N >= 2 and T >= 0 { in i64 A : [0..N]; out i64 B : [0..N]; let i64 X : [0..T, 0..N];
    B[i] = X[T, i];
    X[t, i] = case { t = 0 : A[i]; t > 0 and (i = 0 or i = N) : A[i]; else : X[t-1, i-1] + X[t-1, i] + X[t-1, i+1]; }; }";

const GEMM: &str = "system gemm[N] where N >= 1 { in i64 A, B : [0..N-1, 0..N-1]; out i64 C : [0..N-1, 0..N-1];
    C[i, j] = sum[k : 0 <= k < N] A[i, k] * B[k, j]; }";

const LU: &str = "system lu[N] where N >= 1 { in f64 A : [0..N-1, 0..N-1]; out f64 L : { [i, j] : 0 <= j <= i < N };
    out f64 U : { [i, j] : 0 <= i <= j < N };
    U[i, j] = A[i, j] - sum[k : 0 <= k < i] L[i, k] * U[k, j];
    L[i, j] = case { i = j : 1.0; else : (A[i, j] - sum[k : 0 <= k < j] L[i, k] * U[k, j]) / U[j, j]; }; }";

fn options(sizes: &[i64], grid: usize) -> TileOptions {
    TileOptions { sizes: sizes.to_vec(), grid }
}

/// Runs a system in an order on some numbers of ranks; nothing without MPI.
fn on_ranks(
    system: &System,
    order: &str,
    options: &TileOptions,
    ranks: &[usize],
    params: &[Vec<i64>],
) -> Option<Vec<Compared>> {
    let budget = &mut Budget::unlimited();
    let pieces = Pieces::new(system, budget).unwrap();
    let tree = match order {
        "" => super::order(&pieces, options, budget),
        "pluto" => automatic(&pieces, Aim::Pluto, budget),
        text => given(&pieces, text, budget),
    };
    let tree = tree.unwrap_or_else(|why| panic!("{why}\n{system}"));
    let code = generate(&pieces, &tree, options, false, budget).unwrap_or_else(|why| panic!("{why}\n{system}"));
    if !has_mpi() {
        eprintln!("skipped: there is no mpicc or no mpirun");
        return None;
    }
    let mut numbers = Numbers::new(3);
    let mut values = |scalar: Scalar| match scalar.is_float() {
        true => Value::Float(numbers.within(-1000, 1000) as f64 / 8.0 + 0.0625),
        false => Value::Int(numbers.within(-3, 3)),
    };
    let found = verify_mpi(&pieces, &code, system, ranks, params, &mut values, budget);
    Some(found.unwrap_or_else(|why| panic!("{why}\n{system}\n{}", code.source)))
}

/// How many elements have to be sent: pairs of a value and a rank other than the one that has it,
/// which reads it. For systems without reductions.
fn needed(system: &System, options: &TileOptions, ranks: &[i64], params: &[i64]) -> i64 {
    let budget = &mut Budget::unlimited();
    let pieces = Pieces::new(system, budget).unwrap();
    let tree = super::order(&pieces, options, budget).unwrap();
    let blocks = Blocks::new(&pieces, &tree, options, budget).unwrap();
    let exact: Vec<Int> = params.iter().map(|&p| p.into()).collect();
    // Statements with places as (statement, instance, rank).
    let rank = |block: usize, place: &[i64]| {
        let at = |d: usize| blocks.all[block].grid.get(d).map_or(0, |&k| place[k].rem_euclid(ranks[d]));
        ranks.iter().enumerate().fold(0, |all, (d, extent)| all * extent + at(d))
    };
    let pairs = |map: &Map| {
        let n = map.dim(poly_presburger::DimKind::In);
        let flat = map.wrap().flatten();
        let points = crate::points(
            &flat.set_tuple(poly_presburger::Tuple::anonymous(flat.n_dim())),
            params,
            &mut Budget::unlimited(),
        );
        points.unwrap().into_iter().map(move |p| (p[..n].to_vec(), p[n..].to_vec())).collect::<Vec<_>>()
    };
    let (mut owners, mut uses) = (BTreeSet::new(), BTreeSet::new());
    for (s, statement) in pieces.statements.iter().enumerate() {
        assert_eq!(statement.action, Action::Assign, "the system has no reductions");
        for (instance, place) in pairs(&blocks.places[s]) {
            let rank = rank(blocks.of[s], &place);
            let instance: Vec<Int> = instance.iter().map(|&x| x.into()).collect();
            let element = |f: &poly_presburger::MultiAff| {
                f.eval(&exact, &instance).iter().map(|v| v.to_string()).collect::<Vec<_>>()
            };
            owners.insert((statement.variable, element(&statement.target), rank));
            if pieces.system.variables[statement.variable].role == Role::Out {
                uses.insert((statement.variable, element(&statement.target), 0));
            }
            for (variable, access) in statement.reads() {
                if pieces.system.variables[variable].role != Role::In {
                    uses.insert((variable, element(&access), rank));
                }
            }
        }
    }
    uses.difference(&owners).count() as i64
}

#[test]
fn stencils_products_and_dynamic_programs_on_ranks() {
    let square: Vec<Vec<i64>> = [1, 2, 5, 8].iter().flat_map(|&n| [1, 4, 9].map(|m| vec![n, m])).collect();
    on_ranks(&system(LCS), "", &options(&[3], 1), &[1, 2, 4, 7], &square);
    let steps: Vec<Vec<i64>> = [2, 5, 12].iter().flat_map(|&n| [0, 1, 6].map(|t| vec![n, t])).collect();
    on_ranks(&system(JACOBI), "", &options(&[2, 3], 1), &[1, 2, 4, 7], &steps);
    let sizes: Vec<Vec<i64>> = [1, 2, 6, 9].iter().map(|&n| vec![n]).collect();
    on_ranks(&system(GEMM), "", &options(&[2], 1), &[1, 2, 4, 7], &sizes);
    on_ranks(&system(LU), "", &options(&[2], 1), &[1, 2, 4, 7], &sizes);
}

/// The storage of a variable in an order, as the code has it.
fn macro_of(system: &System, name: &str, tree: impl Fn(&Pieces) -> poly_schedule_tree::ScheduleTree) -> String {
    let budget = &mut Budget::unlimited();
    let pieces = Pieces::new(system, budget).unwrap();
    let code = generate(&pieces, &tree(&pieces), &options(&[2, 3], 1), false, budget).unwrap();
    let is_it = |line: &&str| line.starts_with(&format!("#define {name}("));
    code.source.lines().find(is_it).unwrap().to_owned()
}

#[test]
fn cells_are_used_again() {
    let budget = || Budget::unlimited();
    let found = |text: &str, name: &str| {
        macro_of(&system(text), name, |pieces| super::order(pieces, &options(&[2, 3], 1), &mut budget()).unwrap())
    };
    // A step and the one before it; rows of two tiles, and the row before them.
    let fixed = JACOBI.replace("(i = 0 or i = N) : A[i]", "(i = 0 or i = N) : X[t-1, i]");
    assert_eq!(found(&fixed, "X"), "#define X(i0, i1) X_[(((i0) & 1) * X_n1 + (i1))]");
    assert_eq!(found(LCS, "L"), "#define L(i0, i1) L_[(((i0) & 3) * L_n1 + (i1))]");
    // All first values are computed before: all are live at once.
    let pluto = |pieces: &Pieces| automatic(pieces, Aim::Pluto, &mut budget()).unwrap();
    assert_eq!(macro_of(&system(LCS), "L", pluto), "#define L(i0, i1) L_[((i0) * L_n1 + (i1))]");
    // Every row is read again in the end.
    let kept = LCS.replace("length = L[N, M]", "length = sum[i, j : 0 <= i <= N and 0 <= j <= M] L[i, j]");
    assert_eq!(found(&kept, "L"), "#define L(i0, i1) L_[((i0) * L_n1 + (i1))]");
}

#[test]
fn values_stay_as_long_as_ranks_need_them() {
    // Reads of several rows before, by tiles of other ranks, in one and two dimensions.
    let far =
        "system far[N, M] where N >= 1 and M >= 1 { in i64 a : [0..N]; out i64 best : { [] }; let i64 L : [0..N, 0..M];
        L[i, j] = case { i <= 2 or j <= 1 : a[i]; else : L[i-3, j] + 2 * L[i-1, j-2] - L[i, j-1]; }; best = L[N, M]; }";
    let two = "system two[N, T] where N >= 2 and T >= 0 { in i64 A : [0..N, 0..N]; out i64 B : [0..N, 0..N];
        let i64 X : [0..T, 0..N, 0..N]; B[i, j] = X[T, i, j];
        X[t, i, j] = case { t = 0 or i = 0 or j = 0 or i = N or j = N : A[i, j];
            else : X[t-1, i-1, j] + 3 * X[t-1, i+1, j] - X[t-1, i, j-1] + 5 * X[t-1, i, j+1]; }; }";
    for (text, params) in [(far, [13, 9]), (far, [6, 14]), (two, [7, 5]), (two, [4, 9])] {
        for grid in [1, 2] {
            on_ranks(&system(text), "", &options(&[2, 3], grid), &[3, 4], &[params.to_vec()]);
        }
    }
}

#[test]
fn sums_of_floating_point_numbers_have_one_order_on_all_ranks() {
    let found = on_ranks(&system(LU), "", &options(&[2, 3], 2), &[1, 4, 7], &[vec![9], vec![13]]);
    for other in found.iter().flatten() {
        assert!(other.outputs.len() > 100);
        assert_eq!(other.outputs, found.as_ref().unwrap()[0].outputs);
    }
}

#[test]
fn orders_that_people_give() {
    let square: Vec<Vec<i64>> = [4, 9].iter().flat_map(|&n| [1, 8].map(|m| vec![n, m])).collect();
    let found =
        on_ranks(&system(LCS), "L: (i, j) -> (j, i); length: () -> (N + M, N + M)", &options(&[2], 1), &[3], &square);
    assert!(found.is_none_or(|found| found[0].sent.iter().sum::<i64>() > 0));
    let steps: Vec<Vec<i64>> = [2, 9].iter().map(|&n| vec![n, 5]).collect();
    on_ranks(&system(JACOBI), "X: (t, i) -> (t, t + i); B: (i) -> (T + 1, T + 1 + i)", &options(&[2], 1), &[3], &steps);
    // Not skewed, so it has no tiles.
    let budget = &mut Budget::unlimited();
    let pieces = Pieces::new(&system(JACOBI), budget).unwrap();
    let tree = given(&pieces, "X: (t, i) -> (t, i); B: (i) -> (T + 1, i)", budget).unwrap();
    let why = generate(&pieces, &tree, &options(&[2], 1), false, budget).unwrap_err();
    assert!(why.starts_with("no band of the schedule can be distributed"), "{why}");
}

#[test]
fn grids_with_two_dimensions() {
    let square: Vec<Vec<i64>> = [1, 5, 8].iter().flat_map(|&n| [4, 9].map(|m| vec![n, m])).collect();
    on_ranks(&system(LCS), "", &options(&[2], 2), &[4, 7], &square);
    let sizes: Vec<Vec<i64>> = [1, 6, 9].iter().map(|&n| vec![n]).collect();
    on_ranks(&system(GEMM), "", &options(&[2], 2), &[4, 6], &sizes);
}

#[test]
fn every_element_goes_to_a_rank_once_and_none_in_vain() {
    for (text, params) in [(LCS, [9, 7]), (LCS, [4, 12]), (JACOBI, [11, 5])] {
        let system = system(text);
        for (grid, shape) in [(1, vec![3]), (2, vec![2, 2]), (2, vec![3, 2])] {
            let options = options(&[2, 3], grid);
            let expected = needed(&system, &options, &shape, &params);
            assert!(expected > 0);
            let ranks = shape.iter().product::<i64>() as usize;
            if let Some(found) = on_ranks(&system, "", &options, &[ranks], &[params.to_vec()]) {
                assert_eq!(found[0].sent, [expected], "{} on {shape:?}", system.name);
            }
        }
    }
}

#[test]
fn sums_travel_through_ranks() {
    // The tiles of one answer are at several grid points: a wavefront along the reduction.
    let text = "system sums[N] where N >= 1 { in i64 A : [0..N-1, 0..N-1]; out i64 C : [0..N-1]; let i64 D : [0..N-1];
        D[i] = sum[j : 0 <= j < N] A[i, j] + (if i > 0 then 1 else 2);
        C[i] = sum[j : 0 <= j <= i] A[j, i] * D[j]; }";
    let sizes: Vec<Vec<i64>> = [1, 2, 6, 9].iter().map(|&n| vec![n]).collect();
    let system = system(text);
    let budget = &mut Budget::unlimited();
    let pieces = Pieces::new(&system, budget).unwrap();
    // Rows of D in turn, columns distributed: the parallel loop is said to be the second one.
    let tree = automatic(&pieces, Aim::Pluto, budget).unwrap();
    let mut moved = 0;
    let turned = tree.map_bottom_up(&mut |node| match node.as_band() {
        Some(band) if band.permutable && band.n_member() == 2 => {
            moved += 1;
            let mut band = band.permute(&[1, 0]);
            band.coincident = vec![false, false];
            poly_schedule_tree::Tree::band(band, node.child().clone())
        }
        _ => node,
    });
    assert!(moved > 0);
    let code = generate(&pieces, &turned, &options(&[2], 2), false, budget).unwrap();
    if !has_mpi() {
        eprintln!("skipped: there is no mpicc or no mpirun");
        return;
    }
    let mut values = |_: Scalar| Value::Int(3);
    let found = verify_mpi(&pieces, &code, &system, &[1, 4, 6], &sizes, &mut values, budget).unwrap();
    assert!(found[1].sent.iter().sum::<i64>() > 0);
}

#[test]
fn random_systems_on_ranks() {
    let mut distributed = 0;
    for seed in crate::random::seeds(5) {
        let system = system(&random::text(seed));
        let budget = &mut Budget::unlimited();
        let pieces = Pieces::new(&system, budget).unwrap();
        let grid = 1 + (seed % 2) as usize;
        let tree = super::order(&pieces, &options(&[2], grid), budget).unwrap();
        if generate(&pieces, &tree, &options(&[2], grid), false, budget).is_ok() {
            distributed += 1;
            on_ranks(&system, "", &options(&[2], grid), &[4], &[vec![1], vec![2], vec![4]]);
        }
    }
    assert!(distributed > 1, "{distributed}");
}

#[test]
fn chains_are_refused() {
    let system = system(
        "system chain[N] where N >= 1 { in i64 A : { [] }; out i64 X : [0..N];
        X[i] = case { i = 0 : A; else : X[i-1] * 3; }; }",
    );
    let budget = &mut Budget::unlimited();
    let pieces = Pieces::new(&system, budget).unwrap();
    let tree = automatic(&pieces, Aim::Pluto, budget).unwrap();
    let refused =
        |options: &TileOptions| generate(&pieces, &tree, options, false, &mut Budget::unlimited()).unwrap_err();
    assert_eq!(
        refused(&options(&[8], 1)),
        "no band of the schedule can be distributed: none has a parallel loop, or two loops that may be interchanged"
    );
    assert_eq!(refused(&options(&[0], 1)), "tiles have a length of at least 1");
    let order = super::order(&pieces, &options(&[0], 1), budget).unwrap_err();
    assert_eq!(order, "tiles have a length of at least 1");
    assert_eq!(refused(&options(&[8], 3)), "a process grid has 1 or 2 dimensions");
}

#[test]
fn threads_inside_of_a_rank() {
    let system = system(GEMM);
    let budget = &mut Budget::unlimited();
    let pieces = Pieces::new(&system, budget).unwrap();
    let tree = automatic(&pieces, Aim::Pluto, budget).unwrap();
    let code = generate(&pieces, &tree, &options(&[4], 1), true, budget).unwrap();
    assert_eq!(code.source.matches("#pragma omp parallel for\n").count(), 2, "{}", code.source);
    if has_mpi() {
        let mut values = |_: Scalar| Value::Int(3);
        verify_mpi(&pieces, &code, &system, &[2], &[vec![9]], &mut values, budget).unwrap();
    }
}

/// What is simulated: the messages and bytes are those of MPI, and no number of ranks is faster
/// than the work, or slower than one rank without a network.
#[test]
fn simulations_send_what_ranks_send() {
    let quick = Network { latency: 0.0, bandwidth: f64::INFINITY, overhead: 0.0 };
    let slow = Network { latency: 1.0, bandwidth: 1e3, overhead: 0.25 };
    for (text, params, size) in [(LCS, vec![9, 7], 8), (JACOBI, vec![11, 5], 8), (LU, vec![13], 8), (GEMM, vec![9], 8)]
    {
        let system = system(text);
        let budget = &mut Budget::unlimited();
        let pieces = Pieces::new(&system, budget).unwrap();
        let options = options(&[2, 3], 2);
        let tree = super::order(&pieces, &options, budget).unwrap();
        let at = |network, ranks: &[usize], budget: &mut Budget| {
            predict(&pieces, &tree, &options, &params, (network, ranks), budget).unwrap()
        };
        let found = at(quick, &[1, 2, 4, 6, 1000], budget);
        assert!(found.tiles > 4 && found.work > 0.0);
        let (one, rest) = found.expected.split_first().unwrap();
        assert_eq!((one.messages, one.bytes), (0, 0));
        assert!((one.seconds - found.work).abs() <= 1e-6 * found.work, "{found:?}");
        for expected in rest {
            let least = found.work / expected.ranks as f64;
            assert!(expected.seconds >= 0.999_999 * least && expected.seconds <= 1.000_001 * found.work, "{found:?}");
            assert!(expected.messages > 0 && expected.bytes >= size * expected.messages);
        }
        // Each message takes at least the overhead, and the last one the latency.
        let found = at(slow, &[4], budget).expected[0];
        assert!(found.seconds > 1.25 + 0.25 * found.messages as f64 / 4.0, "{found:?}");
        if let Some(sent) = on_ranks(&system, "", &options, &[4, 6], std::slice::from_ref(&params)) {
            let found = at(quick, &[4, 6], budget);
            let elements: Vec<i64> = found.expected.iter().map(|e| (e.bytes / size) as i64).collect();
            assert_eq!(elements, sent.iter().flat_map(|compared| compared.sent.clone()).collect::<Vec<_>>(), "{text}");
        }
    }
}

#[test]
fn measurements_run() {
    if has_mpi() {
        let system = system(JACOBI);
        let budget = &mut Budget::unlimited();
        let pieces = Pieces::new(&system, budget).unwrap();
        let tree = automatic(&pieces, Aim::Pluto, budget).unwrap();
        let found = measure(&pieces, &tree, &options(&[8], 1), &[40, 20], &[1, 2], budget).unwrap();
        assert!(found.len() == 2 && found.iter().all(|seconds| *seconds > 0.0), "{found:?}");
    }
}
