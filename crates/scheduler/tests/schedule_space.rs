//! The convex set of all legal schedules, against an enumeration of all coefficients.

use std::collections::BTreeSet;

use poly_arith::Int;
use poly_dependence::{Dependence, DependenceKind};
use poly_presburger::{Budget, DimKind, Map, Set};
use poly_scheduler::{NoSpace, Options, Problem, ScheduleSpace};

struct Program {
    context: Set,
    domains: Vec<Set>,
    times: Vec<Map>,
    dependences: Vec<Dependence>,
}

impl Program {
    /// Statements with one loop over `0 <= x < bound`, or two with the same bounds, one after the
    /// other.
    fn new(context: &str, dims: &[usize], bound: &str, arcs: &[(usize, usize, &str)]) -> Program {
        let names = |dims: usize| ["x", "y"][..dims].join(", ");
        let inside = |dims: usize| {
            let bounds: Vec<String> = ["x", "y"][..dims].iter().map(|x| format!("0 <= {x} < {bound}")).collect();
            bounds.join(" and ")
        };
        let domain = |(s, &d): (usize, &usize)| {
            format!("[n] -> {{ S{s}[{}] : {} }}", names(d), inside(d)).parse().expect("parses")
        };
        let time = |(s, &d): (usize, &usize)| {
            let zero = if d < 2 { ", 0" } else { "" };
            format!("[n] -> {{ S{s}[{0}] -> [{s}, {0}{zero}] }}", names(d)).parse().expect("parses")
        };
        let dependence = |&(source, sink, text): &(usize, usize, &str)| Dependence {
            kind: DependenceKind::Flow,
            source: (source, 0),
            sink: (sink, 0),
            relation: text.parse().expect("the relation parses"),
            reduction: false,
            conditional: false,
        };
        Program {
            context: context.parse().expect("parses"),
            domains: dims.iter().enumerate().map(domain).collect(),
            times: dims.iter().enumerate().map(time).collect(),
            dependences: arcs.iter().map(dependence).collect(),
        }
    }

    fn space(&self, dimensions: usize, options: &Options) -> Result<ScheduleSpace, NoSpace> {
        let problem = Problem {
            context: &self.context,
            domains: &self.domains,
            times: &self.times,
            dependences: &self.dependences,
        };
        ScheduleSpace::new(&problem, dimensions, options, &mut Budget::unlimited())
    }

    /// The pairs of each dependence for some sizes: parameter, source, sink.
    fn pairs(&self, sizes: std::ops::Range<i64>) -> Vec<Vec<Pair>> {
        let small = |values: &[Int]| values.iter().map(|v| v.to_i64().expect("small")).collect::<Vec<i64>>();
        let of = |dependence: &Dependence| {
            let depth = dependence.relation.space().dim(DimKind::In);
            let mut found = Vec::new();
            for n in sizes.clone() {
                let points = dependence.relation.wrap().enumerate(&[Int::from(n)], &mut Budget::unlimited());
                found.extend(points.expect("bounded").iter().map(|p| (n, small(&p[..depth]), small(&p[depth..]))));
            }
            found
        };
        self.dependences.iter().map(of).collect()
    }
}

/// The parameter, a source and a sink.
type Pair = (i64, Vec<i64>, Vec<i64>);

/// A dimension of the schedule of a statement: coefficients of iterators, of `n`, and the constant.
type AnyRow = (Vec<i64>, i64, i64);

fn value((c, p, k): &AnyRow, n: i64, x: &[i64]) -> i64 {
    c.iter().zip(x).map(|(c, x)| c * x).sum::<i64>() + p * n + k
}

/// Every row within the bounds.
fn rows(dims: usize, options: &Options) -> Vec<AnyRow> {
    let max = i64::from(options.max_coefficient);
    let least = if options.negative_coefficients { -max } else { 0 };
    let mut found = vec![Vec::new()];
    for _ in 0..dims {
        found = found.iter().flat_map(|c| (least..=max).map(move |x| [&c[..], &[x]].concat())).collect();
    }
    let constants = i64::from(options.max_constant.expect("it is given"));
    let more = |c: &Vec<i64>| {
        (0..=max).flat_map(|p| (0..=constants).map(move |k| (p, k))).map(|(p, k)| (c.clone(), p, k)).collect::<Vec<_>>()
    };
    found.iter().flat_map(more).collect()
}

/// A schedule: the rows of all statements in each dimension.
type Schedule = Vec<Vec<AnyRow>>;

/// Every schedule within the bounds.
fn schedules(dims: &[usize], dimensions: usize, options: &Options) -> Vec<Schedule> {
    let mut found: Vec<Vec<AnyRow>> = vec![Vec::new()];
    for _ in 0..dimensions {
        for &d in dims {
            let rows = rows(d, options);
            found = found
                .iter()
                .flat_map(|s| rows.iter().map(move |r| [&s[..], std::slice::from_ref(r)].concat()))
                .collect();
        }
    }
    found.into_iter().map(|flat| flat.chunks(dims.len()).map(<[AnyRow]>::to_vec).collect()).collect()
}

fn distances(program: &Program, d: usize, rows: &[AnyRow], pairs: &[Pair]) -> Vec<i64> {
    let dependence = &program.dependences[d];
    let (from, to) = (&rows[dependence.source.0], &rows[dependence.sink.0]);
    pairs.iter().map(|(n, x, y)| value(to, *n, y) - value(from, *n, x)).collect()
}

/// The schedules in which a dimension satisfies each dependence as a whole, and no dimension before
/// has it go backwards.
fn expected(program: &Program, dims: &[usize], dimensions: usize, options: &Options) -> BTreeSet<Schedule> {
    let pairs = program.pairs(1..7);
    let mut all = schedules(dims, dimensions, options);
    all.retain(|schedule| {
        (0..pairs.len()).all(|d| {
            for rows in schedule {
                let distances = distances(program, d, rows, &pairs[d]);
                if distances.iter().any(|t| *t < 0) {
                    return false;
                }
                if distances.iter().all(|t| *t > 0) {
                    return true;
                }
            }
            false
        })
    });
    all.into_iter().collect()
}

/// The points of the set, without what says where dependences are satisfied.
fn listed(space: &ScheduleSpace, dims: &[usize], dimensions: usize) -> BTreeSet<Schedule> {
    let points = space.to_set().enumerate(&[], &mut Budget::unlimited()).expect("bounded");
    let rows = |point: &[Int]| {
        let at = |variable: usize| point[variable].to_i64().expect("small");
        let row = |d: usize, s: usize| {
            let iterators = (0..dims[s]).map(|i| at(space.iterator(d, s, i))).collect();
            (iterators, at(space.parameter(d, s, 0)), at(space.constant(d, s)))
        };
        (0..dimensions).map(|d| (0..dims.len()).map(|s| row(d, s)).collect()).collect()
    };
    points.iter().map(|point| rows(point)).collect()
}

fn options(negative_coefficients: bool) -> Options {
    Options { max_coefficient: 1, max_constant: Some(1), negative_coefficients, ..Options::default() }
}

fn compare(program: &Program, dims: &[usize], dimensions: usize, options: &Options) -> usize {
    let space = program.space(dimensions, options).expect("there are bounds");
    let (found, expected) = (listed(&space, dims, dimensions), expected(program, dims, dimensions, options));
    assert_eq!(found, expected, "{}", space.to_set());
    found.len()
}

const ANY: &str = "[n] -> { : n >= 1 }";

#[test]
fn a_producer_and_its_consumer() {
    for text in [
        "[n] -> { S0[x] -> S1[x] : 0 <= x < n }",
        "[n] -> { S0[x] -> S1[n - 1 - x] : 0 <= x < n }",
        "[n] -> { S0[x] -> S1[y] : 0 <= x < n and 0 <= y < n }",
        "[n] -> { S0[x] -> S1[y] : 0 <= x <= y < n }",
    ] {
        let program = Program::new(ANY, &[1, 1], "n", &[(0, 1, text)]);
        for signed in [false, true] {
            assert!(compare(&program, &[1, 1], 1, &options(signed)) > 0, "{text}");
        }
    }
}

#[test]
fn two_dimensions_of_which_each_satisfies_a_dependence() {
    let carried = "[n] -> { S0[x] -> S0[x + 1] : 0 <= x < n - 1 }";
    let between = "[n] -> { S0[x] -> S1[x] : 0 <= x < n }";
    let program = Program::new(ANY, &[1, 1], "n", &[(0, 0, carried), (0, 1, between)]);
    assert!(compare(&program, &[1, 1], 2, &options(false)) > 0);
    assert_eq!(compare(&Program::new(ANY, &[1], "n", &[(0, 0, carried)]), &[1], 1, &options(true)), 4);
}

#[test]
fn a_nest_with_distances_that_ask_for_skewing() {
    let arcs = [(0, 0, "[n] -> { S0[x, y] -> S0[x + 1, y - 1] : 0 <= x < 3 and 0 < y < 4 }")];
    let program = Program::new(ANY, &[2], "4", &arcs);
    assert!(compare(&program, &[2], 2, &options(true)) > 0);
}

/// The dependence does not mention `n`, of which nothing is known: its coefficients are equal in
/// all rows.
#[test]
fn parameters_without_bounds() {
    let text = "[n] -> { S0[x] -> S1[x] : 0 <= x < 4 }";
    let program = Program::new("[n] -> { : }", &[1, 1], "4", &[(0, 1, text)]);
    let space = program.space(2, &options(false)).expect("iterators have bounds");
    let found = listed(&space, &[1, 1], 2);
    let mut expected = expected(&program, &[1, 1], 2, &options(false));
    assert!(expected.is_superset(&found));
    expected.retain(|schedule| schedule.iter().all(|rows| rows[0].1 == rows[1].1));
    assert_eq!(found, expected);
}

#[test]
fn every_point_is_legal() {
    let carried = "[n] -> { S0[x] -> S0[x + 1] : 0 <= x < n - 1 }";
    let between = "[n] -> { S0[x] -> S1[n - 1 - x] : 0 <= x < n }";
    let program = Program::new(ANY, &[1, 1], "n", &[(0, 0, carried), (0, 1, between)]);
    let pairs = program.pairs(1..7);
    let space = program.space(2, &options(false)).expect("there are bounds");
    for schedule in listed(&space, &[1, 1], 2) {
        for (d, pairs) in pairs.iter().enumerate() {
            let times: Vec<Vec<i64>> = schedule.iter().map(|rows| distances(&program, d, rows, pairs)).collect();
            for pair in 0..pairs.len() {
                let first = times.iter().map(|t| t[pair]).find(|t| *t != 0);
                assert!(first.is_some_and(|t| t > 0), "{schedule:?}");
            }
        }
    }
}

#[test]
fn what_it_looks_like() {
    let program = Program::new(ANY, &[1], "n", &[(0, 0, "[n] -> { S0[x] -> S0[x + 1] : 0 <= x < n - 1 }")]);
    let space = program.space(1, &options(false)).expect("there are bounds");
    assert_eq!(space.variables(), 4);
    let expected =
        "{ [d0_0, S0_0_i0, S0_0_n, S0_0] : d0_0 = 1 and S0_0_i0 = 1 and 0 <= S0_0_n <= 1 and 0 <= S0_0 <= 1 }";
    let expected: Set = expected.parse().expect("parses");
    assert_eq!(space.to_set().is_equal(&expected, &mut Budget::unlimited()), Ok(true), "{}", space.to_set());
    assert!(space.to_set().to_string().contains("S0_0_i0"), "{}", space.to_set());
}

#[test]
fn without_bounds_there_is_no_space() {
    let program = Program::new("[n] -> { : }", &[1, 1], "n", &[(0, 1, "[n] -> { S0[x] -> S1[x] : x >= 0 }")]);
    assert_eq!(program.space(1, &options(true)).err(), Some(NoSpace::Unbounded(0, 1)));
    let mut budget = Budget::new(3);
    let problem = Problem {
        context: &program.context,
        domains: &program.domains,
        times: &program.times,
        dependences: &program.dependences,
    };
    assert_eq!(ScheduleSpace::new(&problem, 1, &options(true), &mut budget).err(), Some(NoSpace::Stop));
}
