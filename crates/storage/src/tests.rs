//! The worked examples of docs/design/storage.md: sizes as expressions, found from schedules or
//! from conflict sets of the literature, and mappings that are executed.

use std::collections::BTreeMap;

use poly_arith::Int;
use poly_presburger::{Budget, Map, Set};

use super::*;

/// A program in which each element is written once.
struct Example {
    context: &'static str,
    /// From elements to the times of their writes.
    written: &'static str,
    /// From elements to the times of their reads.
    read: &'static str,
    parallel: &'static [usize],
}

impl Example {
    fn life(&self) -> (Life, Order) {
        let (written, read): (Map, Map) = (self.written.parse().unwrap(), self.read.parse().unwrap());
        let mut order = Order::sequential(written.space().range_space().n_var() - written.space().params.len());
        self.parallel.iter().for_each(|&dimension| order.dimensions[dimension] = Progress::Unordered);
        (Life::new(written, Some(&read)), order)
    }

    fn differences(&self) -> Differences {
        let budget = &mut Budget::unlimited();
        let (life, order) = self.life();
        let conflicts = conflicts(&[life], &|_, _| order.clone(), budget).unwrap().unwrap();
        Differences::of(&conflicts, &self.context.parse().unwrap(), budget).unwrap()
    }

    /// Executes it with the cells of a mapping: whether every read finds the value of its element.
    /// With parallel dimensions, in the order of times and in that with these dimensions reversed.
    fn runs(&self, mapping: &Mapping, params: &[i64]) -> bool {
        let params: Vec<Int> = params.iter().map(|&p| Int::from(p)).collect();
        let (written, read) = (events(self.written, &params), events(self.read, &params));
        [1, -1].into_iter().all(|direction| {
            let mut all: BTreeMap<Vec<Int>, Vec<(bool, Vec<Int>)>> = BTreeMap::new();
            for (is_write, list) in [(false, &read), (true, &written)] {
                for (element, time) in list {
                    let mut time = time.clone();
                    self.parallel.iter().for_each(|&d| time[d] = &time[d] * &Int::from(direction));
                    all.entry(time).or_default().push((is_write, element.clone()));
                }
            }
            let mut memory: BTreeMap<Vec<Int>, Vec<Int>> = BTreeMap::new();
            all.values().flatten().all(|(is_write, element)| {
                let cell = mapping.cell_at(&params, element).unwrap();
                if *is_write {
                    memory.insert(cell, element.clone());
                    return true;
                }
                // What is read before it is written is from before.
                !written.iter().any(|(own, _)| own == element) || memory.get(&cell) == Some(element)
            })
        })
    }
}

/// The pairs of a relation for parameter values.
fn events(text: &str, params: &[Int]) -> Vec<(Vec<Int>, Vec<Int>)> {
    let map: Map = text.parse().unwrap();
    let n = map.space().domain_space().n_var() - map.space().params.len();
    let points = map.wrap().enumerate(params, &mut Budget::unlimited()).unwrap();
    let split = |point: Vec<Int>| (point[..n].to_vec(), point[n..].to_vec());
    points.into_iter().map(split).collect()
}

fn ints(values: &[i64]) -> Vec<Int> {
    values.iter().map(|&value| Int::from(value)).collect()
}

/// The unit vectors in their order, and the smallest of all candidates at these parameters.
fn sizes(differences: &Differences, params: &[i64]) -> String {
    let budget = &mut Budget::unlimited();
    let units = Candidates { given: Vec::new(), largest: 0, dimensions: 0 };
    let own = smallest(differences, &units, &ints(params), budget);
    let best = smallest(differences, &Candidates::default(), &ints(params), budget);
    let line = |mapping: Option<Mapping>| {
        let Some(mapping) = mapping else { return "none".to_owned() };
        assert_eq!(is_legal(&mapping, differences, &mut Budget::unlimited()), Ok(Verdict::Legal));
        let cells = mapping.cells(differences.context(), &mut Budget::unlimited()).unwrap();
        format!("{mapping}: {cells}")
    };
    format!("{}\n{}\n", line(own), line(best))
}

fn given(conflicts: &[&str], context: &str) -> Differences {
    let budget = &mut Budget::unlimited();
    let context: Set = context.parse().unwrap();
    let mut all: Option<Map> = None;
    for text in conflicts {
        let map: Map = text.parse().unwrap();
        all = Some(all.map_or(map.clone(), |all| all.union(&map)));
    }
    Differences::of(&all.unwrap(), &context, budget).unwrap()
}

/// Every mapping that `smallest` finds for an example is executed at these sizes.
fn executed(example: &Example, sizes: &[&[i64]]) {
    let differences = example.differences();
    for params in sizes {
        for largest in [0, 2] {
            let candidates = Candidates { largest, ..Candidates::default() };
            let mapping = smallest(&differences, &candidates, &ints(params), &mut Budget::unlimited()).unwrap();
            assert!(example.runs(&mapping, params), "{mapping} for {params:?}");
        }
    }
}

const FIBONACCI: Example = Example {
    context: "[N] -> { : N >= 3 }",
    written: "[N] -> { f[i] -> [i, 1] : 0 <= i < N }",
    read: "[N] -> { f[i] -> [i + 1, 0] : 0 <= i < N - 1; f[i] -> [i + 2, 0] : 0 <= i < N - 2 }",
    parallel: &[],
};

#[test]
fn m1_two_values_back() {
    expect_test::expect![[r#"
        [x0 mod 2]: [N] -> { 2 : N >= 3 }
        [x0 mod 2]: [N] -> { 2 : N >= 3 }
    "#]]
    .assert_eq(&sizes(&FIBONACCI.differences(), &[12]));
    executed(&FIBONACCI, &[&[3], &[12]]);
}

const JACOBI: Example = Example {
    context: "[N, T] -> { : N >= 3 and T >= 3 }",
    written: "[N, T] -> { A[t, i] -> [t, i, 1] : 0 <= t < T and 0 <= i < N }",
    read: "[N, T] -> { A[t, i] -> [t + 1, k, 0] : 0 <= t < T - 1 and 0 <= i, k < N and i - 1 <= k <= i + 1 }",
    parallel: &[],
};

#[test]
fn m2_rows_of_a_stencil() {
    expect_test::expect![[r#"
        [x0 mod 2, x1 mod N]: [N, T] -> { 2 * N : N >= 3 and T >= 3 }
        [(-x0 + x1) mod (1 + N)]: [N, T] -> { 1 + N : N >= 3 and T >= 3 }
    "#]]
    .assert_eq(&sizes(&JACOBI.differences(), &[8, 6]));
    executed(&JACOBI, &[&[5, 4], &[8, 6]]);
}

/// Six steps, the last of which is stored elsewhere. The instances of a front run together: all
/// read before one of them writes.
const FRONTS: Example = Example {
    context: "[N] -> { : N >= 8 }",
    written: "[N] -> { A[t, i] -> [2t + i, 1, t] : 0 <= t < 5 and 0 <= i < N }",
    read: "[N] -> { A[t, i] -> [d, 0, t + 1] : 0 <= t < 5 and 0 <= i, d - 2t - 2 < N and i - 1 <= d - 2t - 2 <= i + 1 }",
    parallel: &[2],
};

/// The same for threads that share a front: one may write before another one reads.
const SHARED_FRONTS: Example = Example {
    context: "[N] -> { : N >= 8 }",
    written: "[N] -> { A[t, i] -> [2t + i, t, 1] : 0 <= t < 5 and 0 <= i < N }",
    read: "[N] -> { A[t, i] -> [d, t + 1, 0] : 0 <= t < 5 and 0 <= i, d - 2t - 2 < N and i - 1 <= d - 2t - 2 <= i + 1 }",
    parallel: &[1],
};

#[test]
fn m3_fronts_in_parallel() {
    expect_test::expect![[r#"
        [x0 mod 5, x1 mod 3]: [N] -> { 15 : N >= 8 }
        [x0 mod 5, x1 mod 3]: [N] -> { 15 : N >= 8 }
    "#]]
    .assert_eq(&sizes(&FRONTS.differences(), &[12]));
    expect_test::expect![[r#"
        [x0 mod 5, x1 mod 4]: [N] -> { 20 : N >= 8 }
        [(-x0 + x1) mod { [(16)] : N >= 12; [(15)] : N = 11; [(4 + N)] : N <= 10 }]: [N] -> { 16 : N >= 12; 15 : N = 11; 4 + N : 8 <= N <= 10 }
    "#]].assert_eq(&sizes(&SHARED_FRONTS.differences(), &[12]));
    executed(&FRONTS, &[&[8], &[12]]);
    executed(&SHARED_FRONTS, &[&[8], &[12]]);
}

/// `tmp[i][j]`, then `out[i][j]` from `tmp[i][j - 1 .. j + 1]` so many columns later; the position
/// of the producer and of the consumer among what is executed at one date.
fn filter(shift: i64, producer: i64) -> Differences {
    let budget = &mut Budget::unlimited();
    let written: Map =
        format!("[N, M] -> {{ t[i, j] -> [i, j, {producer}] : 0 <= i < N and 0 <= j < M }}").parse().unwrap();
    let read: Map = format!(
        "[N, M] -> {{ t[i, j] -> [i, d, {}] : 0 <= i < N and 0 <= j < M and 1 <= d - {shift} < M - 1 and j - 1 <= d - {shift} <= j + 1 }}",
        1 - producer
    )
    .parse()
    .unwrap();
    let life = Life::new(written, Some(&read));
    let context: Set = "[N, M] -> { : N >= 6 and M >= 10 }".parse().unwrap();
    let found = conflicts(&[life], &|_, _| Order::sequential(3), budget).unwrap().unwrap();
    Differences::of(&found, &context, budget).unwrap()
}

#[test]
fn m4_the_order_within_a_date_counts() {
    let columns = |shift, producer| {
        let mapping = smallest(
            &filter(shift, producer),
            &Candidates { largest: 0, ..Candidates::default() },
            &ints(&[6, 10]),
            &mut Budget::unlimited(),
        );
        mapping.unwrap().to_string()
    };
    // Producer first: a shift of one or two; consumer first.
    assert_eq!(columns(1, 0), "[x1 mod 3]");
    assert_eq!(columns(2, 0), "[x1 mod 4]");
    assert_eq!(columns(2, 1), "[x1 mod 3]");
}

/// The conflict sets of SMO's examples [BhaskaracharyaBondhugulaCohen2016].
#[test]
fn m5_interleaved_blur() {
    let space = "0 <= i, k, j, l < N";
    let conflicts = [
        format!("[N] -> {{ A[i, j] -> A[k, l] : 0 <= k - i <= 1 and j < l and {space} }}"),
        format!("[N] -> {{ A[i, j] -> A[k, l] : 1 <= k - i <= 2 and j >= l and {space} }}"),
    ];
    let differences = given(&[&conflicts[0], &conflicts[1]], "[N] -> { : N >= 4 }");
    expect_test::expect![[r#"
        [x0 mod 3, x1 mod N]: [N] -> { 3 * N : N >= 4 }
        [(-x0 + 2x1) mod (1 + 2N)]: [N] -> { 1 + 2 * N : N >= 4 }
    "#]]
    .assert_eq(&sizes(&differences, &[10]));
}

#[test]
fn m6_parallelogram() {
    let space = "0 <= i < N and 0 <= i + j < N and 0 <= k < N and 0 <= k + l < N";
    let conflicts = [
        format!("[N] -> {{ A[i, j] -> A[k, l] : i = k and j > l and {space} }}"),
        format!("[N] -> {{ A[i, j] -> A[k, l] : i = k + 1 and j <= l and {space} }}"),
        format!("[N] -> {{ A[i, j] -> A[k, l] : i >= k + 2 and N - 2 <= k + l <= N - 1 and {space} }}"),
    ];
    let differences = given(&conflicts.each_ref().map(String::as_str), "[N] -> { : N >= 4 }");
    expect_test::expect![[r#"
        [x0 mod N, x1 mod N]: [N] -> { N^2 : N >= 4 }
        [(-x0 + x1) mod (-2 + 3N)]: [N] -> { -2 + 3 * N : N >= 4 }
    "#]]
    .assert_eq(&sizes(&differences, &[10]));
}

#[test]
fn m7_lattice_boltzmann() {
    let space = "0 <= a, b, c, x, y, z < N";
    let conflicts = [
        format!("[N] -> {{ A[a, b, c] -> A[x, y, z] : a = x and b = y and z > c and {space} }}"),
        format!("[N] -> {{ A[a, b, c] -> A[x, y, z] : a = x and y > b and {space} }}"),
        format!("[N] -> {{ A[a, b, c] -> A[x, y, z] : x = a + 1 and y <= b and {space} }}"),
        format!("[N] -> {{ A[a, b, c] -> A[x, y, z] : x = a + 1 and y = b + 1 and z <= c and {space} }}"),
    ];
    let differences = given(&conflicts.each_ref().map(String::as_str), "[N] -> { : N >= 3 }");
    expect_test::expect![[r#"
        [x0 mod 2, x1 mod N, x2 mod N]: [N] -> { 2 * N^2 : N >= 3 }
        [(-2x0 + x1) mod (2 + N), x2 mod N]: [N] -> { 2 * N + N^2 : N >= 3 }
    "#]]
    .assert_eq(&sizes(&differences, &[8]));
}

#[test]
fn m8_diamond() {
    let inside = |a: &str, b: &str| {
        format!("{a} >= {b} - N + 1 and {a} >= -{b} + N - 1 and {a} <= {b} + N - 1 and {a} <= -{b} + 3N - 3")
    };
    let space = format!("{} and {}", inside("i", "j"), inside("k", "l"));
    let conflicts = [
        format!("[N] -> {{ A[i, j] -> A[k, l] : i = k and l >= j + 1 and {space} }}"),
        format!("[N] -> {{ A[i, j] -> A[k, l] : k = i + 1 and l <= j and {space} }}"),
        format!(
            "[N] -> {{ A[i, j] -> A[k, l] : k >= i + 2 and N - 1 <= i <= 2N - 2 and 3N - i - 4 <= j <= 3N - i - 3 and {space} }}"
        ),
        format!(
            "[N] -> {{ A[i, j] -> A[k, l] : l >= j + 1 and k >= i + 1 and N - 1 <= i <= 2N - 2 and i - N + 1 <= j <= i - N + 2 and {space} }}"
        ),
    ];
    let differences = given(&conflicts.each_ref().map(String::as_str), "[N] -> { : N >= 4 }");
    expect_test::expect![[r#"
        [x0 mod N, x1 mod (-1 + 2N)]: [N] -> { -N + 2 * N^2 : N >= 4 }
        [x1 mod (-1 + 2N), x0 mod 2]: [N] -> { -2 + 4 * N : N >= 4 }
    "#]]
    .assert_eq(&sizes(&differences, &[8]));
}

/// One array for two: the number of the array is the first subscript, and the columns of the second
/// one come first.
#[test]
fn m9_two_arrays_in_one() {
    let space = "0 <= t, u < T and 0 <= i, k < N";
    let conflicts = [
        format!("[N, T] -> {{ M[0, t, i] -> M[0, u, k] : t = u and i < k and {space} }}"),
        format!("[N, T] -> {{ M[0, t, i] -> M[1, u, k] : t = u and i > k and {space} }}"),
        format!("[N, T] -> {{ M[1, t, i] -> M[1, u, k] : t = u and i < k and {space} }}"),
        format!("[N, T] -> {{ M[1, t, i] -> M[0, u, k] : t = u - 1 and i >= k and {space} }}"),
    ];
    let differences = given(&conflicts.each_ref().map(String::as_str), "[N, T] -> { : N >= 3 and T >= 3 }");
    expect_test::expect![[r#"
        [x0 mod 2, x2 mod N]: [N, T] -> { 2 * N : N >= 3 and T >= 3 }
        [(-x0 - 2x1 + x2) mod (1 + N)]: [N, T] -> { 1 + N : N >= 3 and T >= 3 }
    "#]]
    .assert_eq(&sizes(&differences, &[8, 6]));
}

#[test]
fn m10_nothing_is_gained_where_all_is_live() {
    let solution = Example {
        context: "[N] -> { : N >= 3 }",
        written: "[N] -> { y[i] -> [i, 1] : 0 <= i < N }",
        read: "[N] -> { y[i] -> [k, 0] : 0 <= i < k < N; y[i] -> [N, 0] : 0 <= i < N }",
        parallel: &[],
    };
    expect_test::expect![[r#"
        [x0 mod N]: [N] -> { N : N >= 3 }
        [x0 mod N]: [N] -> { N : N >= 3 }
    "#]]
    .assert_eq(&sizes(&solution.differences(), &[9]));
}

#[test]
fn double_buffers_are_universal() {
    let budget = &mut Budget::unlimited();
    let three_points = [vec![1, -1], vec![1, 0], vec![1, 1]];
    assert_eq!(universal_occupancy_vector(&three_points, 3, budget), Ok(Some(vec![2, 0])));
    let sweep = [vec![1, 0], vec![1, 1]];
    assert_eq!(universal_occupancy_vector(&sweep, 3, budget), Ok(Some(vec![2, 1])));
    let jacobi = JACOBI.differences();
    assert_eq!(is_occupancy_vector(&jacobi, &ints(&[2, 0]), budget), Ok(true));
    assert_eq!(is_occupancy_vector(&jacobi, &ints(&[1, 0]), budget), Ok(false));
    // Not universal, but right in this order: the last reader of an element writes the next one on
    // its diagonal.
    assert_eq!(is_occupancy_vector(&jacobi, &ints(&[1, 1]), budget), Ok(true));
    assert_eq!(is_occupancy_vector(&jacobi, &ints(&[1, -1]), budget), Ok(false));
}
