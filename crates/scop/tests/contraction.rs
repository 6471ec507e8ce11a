//! Arrays that only the SCoP sees keep the rows that are in use, or none.

mod support;

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use poly_arith::Int;
use poly_presburger::{Budget, Set};
use poly_scop::{ArrayId, Config, Outcome, Plan, Profitability, Reason, Scop, Statement, ValueId, optimize};
use proptest::prelude::*;
use support::execution::{Element, Instance, execute, new_order, original_order};
use support::{Builder, invariant, local};

/// A nest `for i, j: TARGET[i][j] = f(SOURCE[i + a][j + b], ..)` over these rows and columns.
#[derive(Clone, Debug)]
struct Stage {
    rows: (i64, i64),
    columns: (i64, i64),
    reads: Vec<(usize, i64, i64)>,
    /// A second nest adds the negative of an element of image 0 to each element, in any order.
    is_updated: bool,
}

/// Nests of which number `k` writes image `k + 1`; image 0 and the last one are seen by others. All
/// of them are executed so many times.
fn pipeline(stages: &[Stage], times: i64) -> Scop {
    let mut b = Builder::new("{ : }");
    let images: Vec<ArrayId> = (0..=stages.len()).map(|k| b.array(&format!("I{k}"), &[WIDTH])).collect();
    images[1..stages.len()].iter().for_each(|&image| b.set_local(image, true));
    let outermost = b.loops(&[0])[0];
    let mut position = 0;
    for (k, stage) in stages.iter().enumerate() {
        let ((first, end), (left, right)) = (stage.rows, stage.columns);
        let domain = format!("0 <= c < {times} and {first} <= i < {end} and {left} <= j < {right}");
        let loops = [vec![outermost], b.loops(&[1, 2])].concat();
        let mut s = b.statement(&format!("{{ S{k}[c, i, j] : {domain} }}"), &loops, &[0, position, 0, 0]);
        let mut sum = None;
        for (source, row, column) in &stage.reads {
            let element = format!("{{ S{k}[c, i, j] -> I{source}[i + {row}, j + {column}] }}");
            let value = s.read(images[*source], &element);
            sum = Some(match sum {
                None => s.compute("fneg", &[local(value)]),
                Some(sum) => s.compute("fadd", &[local(sum), local(value)]),
            });
        }
        let sum = sum.map_or(invariant(ValueId(1000)), local);
        s.write(images[k + 1], &format!("{{ S{k}[c, i, j] -> I{}[i, j] }}", k + 1), sum);
        s.done();
        position += 1;
        if stage.is_updated {
            let loops = [vec![outermost], b.loops(&[1, 2])].concat();
            let mut s = b.statement(&format!("{{ U{k}[c, i, j] : {domain} }}"), &loops, &[0, position, 0, 0]);
            let element = format!("{{ U{k}[c, i, j] -> I{}[i, j] }}", k + 1);
            let (old, more) =
                (s.read(images[k + 1], &element), s.read(images[0], &format!("{{ U{k}[c, i, j] -> I0[i, j] }}")));
            let new = s.compute("add", &[local(old), local(more)]);
            s.write(images[k + 1], &element, local(new));
            s.done();
            position += 1;
        }
    }
    b.finish()
}

const WIDTH: i64 = 1000;

/// A stage whose reads stay inside of what the images before have.
fn stage(rows: (i64, i64), columns: (i64, i64), reads: &[(usize, i64, i64)]) -> Stage {
    Stage { rows, columns, reads: reads.to_vec(), is_updated: false }
}

fn plan(scop: &Scop, profitability: Profitability) -> Option<Plan> {
    match optimize(scop.clone(), &Config { profitability, ..Config::standard() }) {
        Outcome::Optimized(plan) => Some(*plan),
        Outcome::Unchanged(Reason::IllegalSchedule(what) | Reason::WrongProgram(what)) => panic!("{what}"),
        Outcome::Unchanged(_) => None,
    }
}

/// What the plan says of arrays of the program.
fn kept(plan: &Plan) -> String {
    let rows = plan.report.contracted.iter().map(|(array, rows)| format!("{array}: {rows}"));
    rows.chain(plan.report.inlined.iter().map(|array| format!("{array}: -"))).collect::<Vec<_>>().join(", ")
}

/// The elements that others see at the end.
fn seen(memory: BTreeMap<Element, u64>, scop: &Scop) -> BTreeMap<Element, u64> {
    let is_seen = |element: &Element| !scop.arrays[element.0 as usize].local;
    memory.into_iter().filter(|(element, _)| is_seen(element)).collect()
}

/// Every instance of the original writes what it wrote, if new loops are executed on the cells that
/// they have.
fn assert_same(scop: &Scop, plan: &Plan) {
    let points = |domain: &Set| domain.enumerate(&[], &mut Budget::unlimited()).expect("boxes are finite");
    let small = |point: Vec<Int>| point.iter().map(|x| x.to_i64().expect("small numbers")).collect();
    let instances_of =
        |s: &Statement| points(&s.domain).into_iter().map(|point| (s.name.clone(), small(point))).collect();
    let instances: Vec<Instance> = scop.statements.iter().flat_map(|s| -> Vec<Instance> { instances_of(s) }).collect();
    let expected = seen(execute(scop, &original_order(scop, instances)), scop);
    assert!(seen(execute(&plan.scop, &new_order(plan)), scop) == expected, "{}\n{}", kept(plan), plan.ast);
}

fn check(stages: &[Stage], expected: Expect) {
    let plan = plan(&pipeline(stages, 1), Profitability::Required);
    expected.assert_eq(&plan.as_ref().map_or("unchanged".to_string(), kept));
}

#[test]
fn a_blur_keeps_as_many_rows_as_its_second_stage_reads() {
    let first = stage((0, 900), (1, 999), &[(0, 0, -1), (0, 0, 0), (0, 0, 1)]);
    let second = stage((1, 899), (1, 999), &[(1, -1, 0), (1, 0, 0), (1, 1, 0)]);
    check(&[first.clone(), second], expect!["I1: 4"]);
    // Of five rows it needs eight: a power of two.
    let second = stage((2, 898), (1, 999), &[(1, -2, 0), (1, 2, 0)]);
    check(&[first.clone(), second], expect!["I1: 8"]);
    // Of squares, too.
    let second = stage((1, 899), (2, 998), &[(1, -1, 1), (1, 0, 0), (1, 1, -1)]);
    check(&[first, second], expect!["I1: 4"]);
}

#[test]
fn an_image_that_is_read_once_is_computed_there() {
    let stages = [
        stage((0, 900), (1, 999), &[(0, 0, -1), (0, 0, 1)]),
        stage((0, 900), (1, 999), &[(1, 0, 0)]),
        stage((0, 900), (1, 999), &[(2, 0, 0), (0, 0, 0)]),
    ];
    check(&stages, expect!["I1: -, I2: -"]);
}

#[test]
fn what_was_there_before_and_what_others_see_stays() {
    // The first row is not written here.
    let first = stage((1, 900), (0, 1000), &[(0, 0, 0)]);
    let second = stage((1, 900), (0, 1000), &[(1, -1, 0), (1, 0, 0)]);
    check(&[first, second], expect!["unchanged"]);
    let mut scop =
        pipeline(&[stage((0, 900), (0, 1000), &[(0, 0, 0)]), stage((1, 900), (0, 1000), &[(1, -1, 0), (1, 0, 0)])], 1);
    scop.arrays[1].local = false;
    assert_eq!(plan(&scop, Profitability::Ignored).map_or(String::new(), |plan| kept(&plan)), "");
}

/// `for c` around two nests, which write and read an image in each iteration.
#[test]
fn every_iteration_has_values_of_its_own() {
    let mut b = Builder::new("{ : }");
    let (input, output) = (b.array("In", &[900, 1000]), b.array("Out", &[900, 1000]));
    let image = b.array("Image", &[1000]);
    b.set_local(image, true);
    let loops = b.loops(&[0, 1, 2, 1, 2]);
    let domain = |name: &str, rows: &str| format!("{{ {name}[c, i, j] : 0 <= c < 40 and {rows} and 0 <= j < 1000 }}");
    let mut s = b.statement(&domain("W", "0 <= i < 900"), &loops[..3], &[0, 0, 0, 0]);
    let x = s.read(input, "{ W[c, i, j] -> In[c, i, j] }");
    let y = s.compute("fneg", &[local(x)]);
    s.write(image, "{ W[c, i, j] -> Image[i, j] }", local(y));
    s.done();
    let mut s = b.statement(&domain("R", "1 <= i < 900"), &[loops[0], loops[3], loops[4]], &[0, 1, 0, 0]);
    let x = s.read(image, "{ R[c, i, j] -> Image[i - 1, j] }");
    let y = s.read(image, "{ R[c, i, j] -> Image[i, j] }");
    let z = s.compute("fadd", &[local(x), local(y)]);
    s.write(output, "{ R[c, i, j] -> Out[c, i, j] }", local(z));
    s.done();
    let plan = plan(&b.finish(), Profitability::Required);
    expect!["Image: 2"].assert_eq(&plan.as_ref().map_or("unchanged".to_string(), kept));
}

/// Updates of an image in any order, in each of several iterations, which are executed side by
/// side, each a row behind the one before: as many rows are in use as there are iterations, and the
/// one before.
#[test]
fn updates_are_seen_by_all_iterations_side_by_side() {
    let of = |rows: i64, times: i64| {
        let mut first = stage((0, rows), (0, 1000), &[(0, 0, 0)]);
        first.is_updated = true;
        let second = stage((1, rows), (0, 1000), &[(1, -1, 0), (1, 0, 0)]);
        let scop = pipeline(&[first, second], times);
        let plan = plan(&scop, Profitability::Ignored).expect("it is forced");
        (scop, plan)
    };
    let (_, large) = of(900, 30);
    expect!["I1: 32"].assert_eq(&kept(&large));
    let (scop, small) = of(20, 3);
    expect!["I1: 2"].assert_eq(&kept(&small));
    assert_same(&scop, &small);
}

/// Up to four stages with reads at small distances, inside of what was written.
fn stages() -> impl Strategy<Value = Vec<Stage>> {
    let read = |k: usize| (0..=k, -2i64..=2, -2i64..=2);
    let stage = move |k: usize| (proptest::collection::vec(read(k), 1..4), Just(k), proptest::bool::weighted(0.2));
    (2usize..=4).prop_flat_map(move |n| (0..n).map(stage).collect::<Vec<_>>()).prop_map(|drawn| {
        let all = |k: i64| ((2 * k, 23 - 2 * k), (2 * k, 25 - 2 * k));
        let of = |(reads, k, is_updated): (Vec<(usize, i64, i64)>, usize, bool)| {
            let (rows, columns) = all(i64::try_from(k).expect("few"));
            Stage { rows, columns, reads, is_updated }
        };
        drawn.into_iter().map(of).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn cells_hold_what_is_read(stages in stages(), times in 1i64..3) {
        let scop = pipeline(&stages, times);
        if let Some(plan) = plan(&scop, Profitability::Ignored) {
            assert_same(&scop, &plan);
        }
    }
}
