//! Rows that are copied from one iteration to the next, and extremes that statements keep.

mod support;

use poly_presburger::Budget;
use poly_scop::simplify::expand::Expanded;
use poly_scop::simplify::{expand, simplify};
use poly_scop::{ArrayKind, InstrKind, ScalarKind, Scop};
use support::{Builder, local};

fn expanded(scop: &Scop, what: Expanded) -> Option<Scop> {
    let found = expand::expanded(scop, what, &mut Budget::unlimited()).expect("no limit");
    found.inspect(Scop::check_invariants)
}

fn names(scop: &Scop) -> Vec<&str> {
    scop.statements.iter().map(|statement| statement.name.as_str()).collect()
}

/// `for i { cur[0] = prev[0]; for j cur[j] = cur[j - 1] + prev[j]; for .. prev[..] = cur[..] }`.
fn copied(elements: &str, to: &str) -> Scop {
    let mut b = Builder::new("{ : }");
    let [prev, cur] = ["prev", "cur"].map(|name| b.array(name, &[]));
    let loops = b.loops(&[0, 1]);
    let mut s = b.statement("{ Set[i] : 0 <= i < 500 }", &loops[..1], &[0, 0]);
    let x = s.read(prev, "{ Set[i] -> prev[0] }");
    s.write(cur, "{ Set[i] -> cur[0] }", local(x));
    s.done();
    let mut s = b.statement("{ Step[i, j] : 0 <= i < 500 and 1 <= j < 800 }", &loops, &[0, 1, 0]);
    let x = s.read(cur, "{ Step[i, j] -> cur[j - 1] }");
    let y = s.read(prev, "{ Step[i, j] -> prev[j] }");
    let z = s.compute("fadd", &[local(x), local(y)]);
    s.write(cur, "{ Step[i, j] -> cur[j] }", local(z));
    s.done();
    let mut s = b.statement(&format!("{{ Copy[i, j] : 0 <= i < 500 and {elements} }}"), &loops, &[0, 2, 0]);
    let x = s.read(cur, "{ Copy[i, j] -> cur[j] }");
    s.write(prev, &format!("{{ Copy[i, j] -> prev[{to}] }}"), local(x));
    s.done();
    b.finish()
}

#[test]
fn one_array_has_the_rows_of_two() {
    let found = expanded(&copied("0 <= j < 800", "j"), Expanded::Rows).expect("all of a row is copied");
    assert_eq!(names(&found), ["Set", "Step"], "{found}");
    let array = found.arrays.iter().find(|array| array.is_temporary()).expect("there is one");
    let text = array.to_string();
    assert_eq!(text, "temporary double T_prev[{ [(501)] }][{ [(800)] }] <- array 0 -> array 0, array 1");
    let relations: Vec<String> = found.statements[1].accesses.iter().map(|a| a.relation.to_string()).collect();
    expect_test::expect![[r#"
        { Step[i0, i1] -> T_prev[1 + i0, -1 + i1] }
        { Step[i0, i1] -> T_prev[i0, i1] }
        { Step[i0, i1] -> T_prev[1 + i0, i1] }"#]]
    .assert_eq(&relations.join("\n"));
}

#[test]
fn other_copies_stay() {
    for (elements, to) in [("0 <= j < 799", "j"), ("0 <= j < 799", "j + 1"), ("0 <= j < 800", "799 - j")] {
        if let Some(found) = expanded(&copied(elements, to), Expanded::Rows) {
            assert!(names(&found).contains(&"Copy"), "{elements} to {to}: {found}");
        }
    }
}

/// `for i, j { h[i + 1][j] = h[i][j] + h[i + 1][j - 1]; best = op(best, ..) }`, and perhaps a look
/// at it in every iteration of `i`.
fn kept(operation: &str, is_seen: bool) -> Scop {
    let mut b = Builder::new("{ : }");
    let [h, out] = [("h", &[900][..]), ("out", &[][..])].map(|(name, extents)| b.array(name, extents));
    let (best, value) = b.scalar("best", ScalarKind::Phi);
    let loops = b.loops(&[0, 1]);
    let mut s = b.statement("{ First[] }", &[], &[0]);
    let x = s.read(h, "{ First[] -> h[0, 0] }");
    s.write(best, "{ First[] -> best[] }", local(x));
    s.done();
    let mut s = b.statement("{ Step[i, j] : 0 <= i < 500 and 1 <= j < 800 }", &loops, &[1, 0, 0]);
    let old = s.read_as(best, "{ Step[i, j] -> best[] }", value);
    let x = s.read(h, "{ Step[i, j] -> h[i, j] }");
    let y = s.read(h, "{ Step[i, j] -> h[i + 1, j - 1] }");
    let z = s.compute("add", &[local(x), local(y)]);
    s.write(h, "{ Step[i, j] -> h[i + 1, j] }", local(z));
    let new = s.compute(operation, &[local(old), local(z)]);
    s.write(best, "{ Step[i, j] -> best[] }", local(new));
    s.done();
    if is_seen {
        let mut s = b.statement("{ See[i] : 0 <= i < 500 }", &loops[..1], &[1, 1]);
        let x = s.read_as(best, "{ See[i] -> best[] }", value);
        s.write(out, "{ See[i] -> out[i] }", local(x));
        s.done();
    }
    let mut s = b.statement("{ Last[] }", &[], &[2]);
    let x = s.read_as(best, "{ Last[] -> best[] }", value);
    s.write(out, "{ Last[] -> out[0] }", local(x));
    s.done();
    let mut scop = b.finish();
    for instr in scop.statements.iter_mut().flat_map(|statement| &mut statement.body) {
        if let InstrKind::Compute { reassociable, .. } = &mut instr.kind {
            *reassociable = true;
        }
    }
    scop
}

#[test]
fn each_iteration_has_an_extreme() {
    let found = expanded(&kept("llvm.smax.i32", false), Expanded::Extremes).expect("it is kept in a scalar");
    assert_eq!(names(&found), ["First", "Step_begin", "Step", "Step_end", "Last"]);
    let accesses = |name: &str| -> Vec<String> {
        let statement = found.statements.iter().find(|s| s.name == name).expect("it is there");
        statement.accesses.iter().map(|access| access.relation.to_string()).collect()
    };
    assert_eq!(accesses("Step_begin"), ["{ Step_begin[i0] -> best[] }", "{ Step_begin[i0] -> P_best_Step[i0] }"]);
    assert_eq!(accesses("Step")[0], "{ Step[i0, i1] -> P_best_Step[i0] }");
    assert_eq!(accesses("Step_end")[1], "{ Step_end[i0] -> P_best_Step[i0] }");
    let order: Vec<usize> = found.statements.iter().map(|statement| statement.position[0]).collect();
    assert_eq!(order, [0, 1, 2, 3, 4]);
}

#[test]
fn what_may_not_be_done_twice_stays() {
    for operation in ["add", "mul", "xor"] {
        assert!(expanded(&kept(operation, false), Expanded::Extremes).is_none(), "{operation}");
    }
    assert!(expanded(&kept("llvm.smax.i32", true), Expanded::Extremes).is_none(), "it is looked at in between");
}

#[test]
fn only_the_last_copy_is_seen() {
    let mut b = Builder::new("{ : }");
    let a = b.array("A", &[900]);
    let (sum, value) = b.scalar("sum", ScalarKind::Phi);
    let (last, _) = b.scalar("last", ScalarKind::Value);
    let loops = b.loops(&[0, 1]);
    let mut s = b.statement("{ Add[i, j] : 0 <= i < 500 and 0 <= j < 800 }", &loops, &[0, 0, 0]);
    let old = s.read_as(sum, "{ Add[i, j] -> sum[] }", value);
    let x = s.read(a, "{ Add[i, j] -> A[i, j] }");
    let new = s.compute("add", &[local(old), local(x)]);
    s.write(sum, "{ Add[i, j] -> sum[] }", local(new));
    s.done();
    let mut s = b.statement("{ Up[i] : 0 <= i < 500 }", &loops[..1], &[0, 1]);
    let x = s.read_as(sum, "{ Up[i] -> sum[] }", value);
    s.write(last, "{ Up[i] -> last[] }", local(x));
    s.done();
    let mut scop = b.finish();
    for array in &mut scop.arrays {
        if let ArrayKind::Scalar { live_out, .. } = &mut array.kind {
            *live_out = true;
        }
    }
    simplify(&mut scop, &mut Budget::unlimited()).expect("no limit");
    let up = scop.statements.iter().find(|s| s.name == "Up").expect("what it writes is used");
    assert_eq!(up.domain.to_string(), "{ Up[i = 499] }", "{scop}");
}
