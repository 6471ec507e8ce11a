//! Scalars that become one, and scalars that are expanded.

mod support;

use poly_presburger::Budget;
use poly_scop::simplify::expand::Expanded;
use poly_scop::simplify::{expand, results, simplify};
use poly_scop::{
    ArrayKind, Config, ElementType, Outcome, Parallelism, Profitability, ReductionOperator, ScalarKind, Scop, analyse,
    dependence_problem, optimize,
};
use support::{Builder, invariant, local};

/// `for i { for j s += A[j, i] } B[0] = s` as LLVM has it: a PHI node for each loop, and a name for
/// the last value.
fn sum_over_two_loops() -> Scop {
    let mut b = Builder::new("{ : }");
    let [a, out] = [("A", &[50][..]), ("B", &[][..])].map(|(name, extents)| b.array(name, extents));
    let (outer, outer_value) = b.scalar("outer", ScalarKind::Phi);
    let (inner, inner_value) = b.scalar("inner", ScalarKind::Phi);
    let (last, last_value) = b.scalar("last", ScalarKind::Value);
    let loops = b.loops(&[0, 1]);
    let zero = b.value();
    let mut s = b.statement("{ First[] }", &[], &[0]);
    s.write(outer, "{ First[] -> outer[] }", invariant(zero));
    s.done();
    let mut s = b.statement("{ Down[i] : 0 <= i < 50 }", &loops[..1], &[1, 0]);
    let value = s.read_as(outer, "{ Down[i] -> outer[] }", outer_value);
    s.write(inner, "{ Down[i] -> inner[] }", local(value));
    s.done();
    let mut s = b.statement("{ Add[i, j] : 0 <= i, j < 50 }", &loops, &[1, 1, 0]);
    let old = s.read_as(inner, "{ Add[i, j] -> inner[] }", inner_value);
    let term = s.read(a, "{ Add[i, j] -> A[j, i] }");
    let new = s.compute("add", &[local(old), local(term)]);
    s.write(last, "{ Add[i, j] -> last[] }", local(new));
    s.write(inner, "{ Add[i, j] -> inner[] }", local(new));
    s.done();
    let mut s = b.statement("{ Up[i] : 0 <= i < 50 }", &loops[..1], &[1, 2]);
    let value = s.read_as(last, "{ Up[i] -> last[] }", last_value);
    s.write(outer, "{ Up[i] -> outer[] }", local(value));
    s.done();
    let mut s = b.statement("{ Store[] }", &[], &[2]);
    let value = s.read_as(outer, "{ Store[] -> outer[] }", outer_value);
    s.write(out, "{ Store[] -> B[0] }", local(value));
    s.done();
    b.finish()
}

#[test]
fn a_sum_over_two_loops_is_one_update() {
    let mut scop = sum_over_two_loops();
    simplify(&mut scop, &mut Budget::unlimited()).expect("no limit");
    let names: Vec<&str> = scop.statements.iter().map(|s| s.name.as_str()).collect();
    assert!(!names.contains(&"Down") && !names.contains(&"Up"), "{scop}");
    let problem = dependence_problem(&scop);
    let updates: Vec<ReductionOperator> =
        problem.statements.iter().flat_map(|s| &s.reductions).map(|r| r.operator).collect();
    assert_eq!(updates, [ReductionOperator::Add], "{scop}");
}

/// `for i, j { t = 0; for k t += A[k, j] * D[i, k]; C[i, j] = B * C[i, j] + t }`, without the first
/// assignment if it is not `initialized`.
fn sum_in_the_middle(initialized: bool) -> Scop {
    let mut b = Builder::new("{ : }");
    let [a, c, d] = ["A", "C", "D"].map(|name| b.array(name, &[1000]));
    let (t, t_value) = b.scalar("t", ScalarKind::Phi);
    let loops = b.loops(&[0, 1, 2]);
    let zero = b.value();
    let range = "0 <= i, j < 1000";
    if initialized {
        let mut s = b.statement(&format!("{{ Set[i, j] : {range} }}"), &loops[..2], &[0, 0, 0]);
        s.write(t, "{ Set[i, j] -> t[] }", invariant(zero));
        s.done();
    }
    let mut s = b.statement(&format!("{{ Add[i, j, k] : {range} and 0 <= k < 1000 }}"), &loops, &[0, 0, 1, 0]);
    let old = s.read_as(t, "{ Add[i, j, k] -> t[] }", t_value);
    let x = s.read(a, "{ Add[i, j, k] -> A[k, j] }");
    let y = s.read(d, "{ Add[i, j, k] -> D[i, k] }");
    let product = s.compute("fmul", &[local(x), local(y)]);
    let new = s.compute("fadd", &[local(old), local(product)]);
    s.write(t, "{ Add[i, j, k] -> t[] }", local(new));
    s.done();
    let mut s = b.statement(&format!("{{ Use[i, j] : {range} }}"), &loops[..2], &[0, 0, 2]);
    let sum = s.read_as(t, "{ Use[i, j] -> t[] }", t_value);
    let before = s.read(c, "{ Use[i, j] -> C[i, j] }");
    let scaled = s.compute("fmul", &[local(before), invariant(zero)]);
    let after = s.compute("fadd", &[local(scaled), local(sum)]);
    s.write(c, "{ Use[i, j] -> C[i, j] }", local(after));
    s.done();
    b.finish()
}

#[test]
fn a_temporary_has_an_element_for_each_of_its_lives() {
    let scop = sum_in_the_middle(true);
    let found = expand::expanded(&scop, Expanded::Arrays, &mut Budget::unlimited())
        .expect("no limit")
        .expect("it is set in every iteration");
    found.check_invariants();
    let array = found.arrays.iter().find(|array| array.is_temporary()).expect("there is one");
    let ArrayKind::Temporary { rows, .. } = &array.kind else { unreachable!("it is a temporary") };
    assert_eq!((array.rank, rows.to_string(), array.extents.len()), (2, "{ [(1000)] }".to_string(), 1));
    let add = &found.statements[1].accesses[0].relation;
    assert_eq!(add.to_string(), "{ Add[i0, i1, i2] -> T_t[i0, i1] }");
}

#[test]
fn what_goes_from_iteration_to_iteration_is_no_temporary() {
    // A running sum: its first value is from before, and each iteration continues that of the one
    // before.
    assert!(
        expand::expanded(&sum_in_the_middle(false), Expanded::Arrays, &mut Budget::unlimited())
            .expect("no limit")
            .is_none()
    );
    let mut used_later = sum_in_the_middle(true);
    for array in &mut used_later.arrays {
        if let ArrayKind::Scalar { live_out, .. } = &mut array.kind {
            *live_out = true;
        }
    }
    assert!(expand::expanded(&used_later, Expanded::Arrays, &mut Budget::unlimited()).expect("no limit").is_none());
}

/// The sum becomes a product of matrices on its own, which is tiled.
#[test]
fn a_product_is_found_behind_a_temporary() {
    let plan = |expansion| {
        let config = Config { expansion, profitability: Profitability::Required, ..Config::standard() };
        match optimize(sum_in_the_middle(true), &config) {
            Outcome::Optimized(plan) => Some(plan),
            Outcome::Unchanged(_) => None,
        }
    };
    let with = plan(true).expect("it pays");
    assert_eq!(with.report.temporaries, 1, "{}", with.report);
    assert!(with.report.bands.iter().any(|band| band.depth == 3), "{}", with.report);
    assert!(plan(false).is_none_or(|plan| plan.report.bands.iter().all(|band| band.depth < 3)));
}

/// `for i: { for j: { row[j] = A[j, i]; A[j, i] += A[j, i] } for j: B[i, j] = sqrt(sqrt(..(row[199 - j] + row[j]))) }`,
/// where `row` is the region's own. Its rows are too short for threads to share one, and there is
/// enough to do for a thread.
fn row_of_iteration(is_local: bool) -> Scop {
    let mut b = Builder::new("{ : }");
    let (a, c) = (b.array("A", &[20000]), b.array("B", &[200]));
    let row = b.array("row", &[]);
    b.set_local(row, is_local);
    let loops = b.loops(&[0, 1, 1]);
    let range = "0 <= i < 20000 and 0 <= j < 200";
    let mut s = b.statement(&format!("{{ Fill[i, j] : {range} }}"), &loops[..2], &[0, 0, 0]);
    let x = s.read(a, "{ Fill[i, j] -> A[j, i] }");
    s.write(row, "{ Fill[i, j] -> row[j] }", local(x));
    let y = s.compute("fadd", &[local(x), local(x)]);
    s.write(a, "{ Fill[i, j] -> A[j, i] }", local(y));
    s.done();
    let mut s = b.statement(&format!("{{ Use[i, j] : {range} }}"), &[loops[0], loops[2]], &[0, 1, 0]);
    let x = s.read(row, "{ Use[i, j] -> row[199 - j] }");
    let y = s.read(row, "{ Use[i, j] -> row[j] }");
    let mut value = s.compute("fadd", &[local(x), local(y)]);
    for _ in 0..8 {
        value = s.compute("sqrt", &[local(value)]);
    }
    s.write(c, "{ Use[i, j] -> B[i, j] }", local(value));
    s.done();
    b.finish()
}

#[test]
fn a_local_array_has_a_row_for_each_iteration() {
    let budget = &mut Budget::unlimited();
    let scop = row_of_iteration(true);
    let found = expand::expanded(&scop, Expanded::Arrays, budget).expect("no limit").expect("every iteration fills it");
    found.check_invariants();
    let array = found.arrays.iter().find(|array| array.is_temporary()).expect("there is one");
    assert_eq!(array.to_string(), "temporary double T_row[{ [(20000)] }][{ [(200)] }]");
    assert_eq!(found.statements[1].accesses[0].relation.to_string(), "{ Use[i0, i1] -> T_row[i0, 199 - i1] }");
    assert!(expand::expanded(&scop, Expanded::Scalars, budget).expect("no limit").is_none());
    let of_others = row_of_iteration(false);
    assert!(expand::expanded(&of_others, Expanded::Arrays, budget).expect("no limit").is_none());
}

/// Rows of their own let the iterations run side by side.
#[test]
fn iterations_with_a_local_array_are_shared_by_threads() {
    let plan = |expansion| {
        let parallelism = Parallelism::Threads { expected: 4 };
        let config = Config { expansion, parallelism, splitting: false, fission: false, ..Config::standard() };
        match optimize(row_of_iteration(true), &config) {
            Outcome::Optimized(plan) => plan.report.to_string(),
            Outcome::Unchanged(reason) => reason.to_string(),
        }
    };
    expect_test::expect!["3 loops, 2 statements; band of 2 tiled by 8x64, parallel; band of 2, parallel, vector; 1 array expanded; predicted 6.51e7 cycles against 1.81e8 of the original"].assert_eq(&plan(true));
    expect_test::expect![
        "no profitable transformation was found (predicted 1.81e8 cycles against 1.81e8 of the original)"
    ]
    .assert_eq(&plan(false));
}

/// As [`row_of_iteration`], with a row that is somebody else's, of these elements.
fn result_of_iteration(context: &str, range: &str) -> Scop {
    let mut b = Builder::new(context);
    let params = if context.starts_with('[') { "[n] -> " } else { "" };
    let a = b.array("A", &[1000]);
    let row = b.array("row", &[]);
    let loops = b.loops(&[0, 1, 1]);
    let mut s = b.statement(&format!("{params}{{ Fill[i, j] : {range} }}"), &loops[..2], &[0, 0, 0]);
    let x = s.read(a, &format!("{params}{{ Fill[i, j] -> A[i, j] }}"));
    s.write(row, &format!("{params}{{ Fill[i, j] -> row[j] }}"), local(x));
    s.done();
    let mut s = b.statement(&format!("{params}{{ Use[i, j] : {range} }}"), &[loops[0], loops[2]], &[0, 1, 0]);
    let x = s.read(row, &format!("{params}{{ Use[i, j] -> row[j] }}"));
    let y = s.compute("fadd", &[local(x), local(x)]);
    s.write(a, &format!("{params}{{ Use[i, j] -> A[i, j] }}"), local(y));
    s.done();
    b.finish()
}

#[test]
fn what_the_last_iteration_leaves_is_copied() {
    let found = |context: &str, range: &str| {
        let scop = result_of_iteration(context, range);
        let budget = &mut Budget::unlimited();
        assert!(expand::expanded(&scop, Expanded::Arrays, budget).expect("no limit").is_none());
        expand::expanded(&scop, Expanded::Results, budget).expect("no limit")
    };
    let whole = found("{ : }", "0 <= i < 500 and 0 <= j < 800").expect("the last iteration writes all");
    whole.check_invariants();
    let array = whole.arrays.iter().find(|array| array.is_temporary()).expect("there is one");
    assert_eq!(array.to_string(), "temporary double T_row[{ [(500)] }][{ [(800)] }] -> array 1");
    assert_eq!(whole.statements[1].accesses[0].relation.to_string(), "{ Use[i0, i1] -> T_row[i0, i1] }");
    assert!(found("{ : }", "0 <= i < 500 and 0 <= j <= i").is_some(), "the last iteration writes most");
    assert!(found("{ : }", "0 <= i < 500 and i <= j < 800").is_none(), "the first iteration writes most");
    assert!(found("{ : }", "0 <= i < 500 and 1 <= j < 800").is_none(), "the first element is not written");
    assert!(found("{ : }", "0 <= i < 500 and 0 <= j < 800 and (i + j) mod 2 = 0").is_none(), "there are gaps");
}

/// `row[j] = row[j - 1] + row[j]` over and over again: iterations hand the row on.
fn row_in_place(columns: &str, first: i64) -> Scop {
    let mut b = Builder::new("{ : }");
    let row = b.array("row", &[]);
    let loops = b.loops(&[0, 1]);
    let mut s = b.statement(&format!("{{ Set[i] : 0 <= i < 500 and {first} = 0 }}"), &loops[..1], &[0, 0]);
    let x = s.read(row, "{ Set[i] -> row[0] }");
    s.write(row, "{ Set[i] -> row[0] }", local(x));
    s.done();
    let mut s = b.statement(&format!("{{ Step[i, j] : 0 <= i < 500 and {columns} }}"), &loops, &[0, 1, 0]);
    let x = s.read(row, "{ Step[i, j] -> row[j - 1] }");
    let y = s.read(row, "{ Step[i, j] -> row[j] }");
    let z = s.compute("fadd", &[local(x), local(y)]);
    s.write(row, "{ Step[i, j] -> row[j] }", local(z));
    s.done();
    b.finish()
}

#[test]
fn rows_are_handed_on() {
    let found = |columns: &str, first: i64| {
        let scop = row_in_place(columns, first);
        let budget = &mut Budget::unlimited();
        assert!(expand::expanded(&scop, Expanded::Results, budget).expect("no limit").is_none(), "threads share none");
        expand::expanded(&scop, Expanded::Rows, budget).expect("no limit")
    };
    let text = |scop: &Scop| {
        let array = scop.arrays.iter().find(|array| array.is_temporary()).expect("there is one");
        let step = scop.statements.iter().find(|s| s.name == "Step").expect("it is still there");
        let relations: Vec<String> = step.accesses.iter().map(|access| access.relation.to_string()).collect();
        format!("{array}\n{}", relations.join("\n"))
    };
    let whole = found("1 <= j < 800", 0).expect("every row is written");
    whole.check_invariants();
    expect_test::expect![[r#"
        temporary double T_row[{ [(501)] }][{ [(800)] }] <- array 0 -> array 0
        { Step[i0, i1] -> T_row[1 + i0, -1 + i1] }
        { Step[i0, i1] -> T_row[i0, i1] }
        { Step[i0, i1] -> T_row[1 + i0, i1] }"#]]
    .assert_eq(&text(&whole));
    // Nobody writes the first column: it is the same in all rows.
    let part = found("1 <= j < 800", 1).expect("the rest of every row is written");
    expect_test::expect![[r#"
        temporary double T_row[{ [(501)] }][{ [(800)] }] <- array 0 in all rows -> array 0
        { Step[i0, i1] -> T_row[1 + i0, -1 + i1] }
        { Step[i0, i1] -> T_row[i0, i1] }
        { Step[i0, i1] -> T_row[1 + i0, i1] }"#]]
    .assert_eq(&text(&part));
    assert!(found("1 <= j <= 300 + i", 0).is_none(), "what was there before is read later, too");
    assert!(found("1 <= j <= 800 - i", 0).is_none(), "rows become shorter: what was left is of several iterations");
    assert!(found("1 <= j < 800 and (i + j) mod 2 = 0", 0).is_none(), "values are of several iterations");
}

/// All rows begin with what the array contains: what is read under a condition only may not be
/// there.
#[test]
fn rows_begin_with_what_may_be_read() {
    let found = |is_conditional: bool| {
        let mut b = Builder::new("{ : }");
        let row = b.array("row", &[]);
        let loops = b.loops(&[0, 1]);
        let mut s = b.statement("{ Step[i, j] : 0 <= i < 500 and 1 <= j < 800 }", &loops, &[0, 0, 0]);
        let x = s.read(row, "{ Step[i, j] -> row[j - 1] }");
        let is_less = s.compute("fcmp", &[local(x), local(x)]);
        let next = s.read(row, "{ Step[i, j] -> row[j + 1] }");
        if is_conditional {
            s.under(is_less);
        }
        let z = s.compute("select", &[local(is_less), local(next), local(x)]);
        s.write(row, "{ Step[i, j] -> row[j] }", local(z));
        s.done();
        expand::expanded(&b.finish(), Expanded::Rows, &mut Budget::unlimited()).expect("no limit")
    };
    assert!(found(false).is_some(), "row[800] is read in every iteration");
    assert!(found(true).is_none(), "row[800] may be behind the end of the array");
}

/// What a copy writes is all bytes, and a store of the original may leave some as they are.
#[test]
fn results_with_bytes_between_the_elements_are_not_copied() {
    let of = |name: &str, bytes: u32| {
        let mut scop = result_of_iteration("{ : }", "0 <= i < 500 and 0 <= j < 800");
        let row = scop.arrays.iter_mut().find(|array| array.name == "row").expect("there is one");
        row.element = ElementType { name: name.to_owned(), bytes, float: false };
        expand::expanded(&scop, Expanded::Results, &mut Budget::unlimited()).expect("no limit").is_some()
    };
    for (name, bytes) in [("double", 8), ("float", 4), ("i16", 2), ("b64", 8), ("fp128", 16)] {
        assert!(of(name, bytes), "{name}");
    }
    for (name, bytes) in [("x86_fp80", 16), ("i1", 1), ("i24", 4), ("<3 x float>", 16), ("ptr", 8)] {
        assert!(!of(name, bytes), "{name}");
    }
}

/// The last live range of a result is copied: it stays the last one where live ranges may change
/// places.
#[test]
fn lives_of_results_stay_in_order() {
    let mut b = Builder::new("{ : }");
    let (a, row) = (b.array("A", &[100, 1000]), b.array("row", &[]));
    let loops = b.loops(&[0, 1, 2, 2]);
    let range = "0 <= i < 50 and 0 <= k < 100 and 0 <= j < 1000";
    let mut s = b.statement(&format!("{{ Fill[i, k, j] : {range} }}"), &loops[..3], &[0, 0, 0, 0]);
    let x = s.read(a, "{ Fill[i, k, j] -> A[i, k, j] }");
    s.write(row, "{ Fill[i, k, j] -> row[j] }", local(x));
    s.done();
    let mut s = b.statement(&format!("{{ Use[i, k, j] : {range} }}"), &[loops[0], loops[1], loops[3]], &[0, 0, 1, 0]);
    let x = s.read(row, "{ Use[i, k, j] -> row[j] }");
    let y = s.compute("fadd", &[local(x), local(x)]);
    s.write(a, "{ Use[i, k, j] -> A[i, k, j] }", local(y));
    s.done();
    let scop = b.finish();
    let budget = &mut Budget::unlimited();
    let rows = expand::expanded(&scop, Expanded::Results, budget).expect("no limit").expect("a row for each i");
    assert!(results::written(&rows).is_some(), "there is a result");
    // The write of the last live range comes after the reads of all others.
    let has_last_write = |scop: Scop| {
        let analysis = analyse(scop, true, &mut Budget::unlimited()).expect("no limit");
        let live = analysis
            .with_live_ranges(&mut Budget::unlimited())
            .expect("no limit")
            .expect("live ranges may change places");
        live.dependences.dependences.iter().any(|d| d.source.0 == 1 && d.sink.0 == 0 && !d.conditional)
    };
    assert!(has_last_write(rows.clone()));
    let mut alone = rows;
    for array in &mut alone.arrays {
        if let ArrayKind::Temporary { result, .. } = &mut array.kind {
            *result = None;
        }
    }
    assert!(!has_last_write(alone), "without a result nobody sees which live range is the last one");
}

#[test]
fn results_are_copied_only_where_they_are_written() {
    let scop = result_of_iteration("[n] -> { : }", "0 <= i < 500 and 0 <= j < n");
    let budget = &mut Budget::unlimited();
    let found = expand::expanded(&scop, Expanded::Results, budget).expect("no limit").expect("it fills what it writes");
    let written = results::written(&found).expect("there is a result");
    assert_eq!(written.to_string(), "[n] -> { : n > 0 }");
    assert!(results::written(&scop).is_none());
}

/// Threads can share the iterations; one thread has no use for rows.
#[test]
fn iterations_with_a_result_are_shared_by_threads() {
    let plan = |parallelism| match optimize(
        row_of_iteration(false),
        &Config { parallelism, splitting: false, fission: false, ..Config::standard() },
    ) {
        Outcome::Optimized(plan) => plan.report.to_string(),
        Outcome::Unchanged(reason) => reason.to_string(),
    };
    expect_test::expect!["3 loops, 2 statements; band of 2 tiled by 8x64, parallel; band of 2, parallel, vector; 1 array expanded; predicted 6.51e7 cycles against 1.81e8 of the original"].assert_eq(&plan(Parallelism::Threads { expected: 4 }));
    expect_test::expect![
        "no profitable transformation was found (predicted 1.81e8 cycles against 1.81e8 of the original)"
    ]
    .assert_eq(&plan(Parallelism::Sequential));
}
