//! Statements that write several things become one for each, where that may free some of the
//! writes from a cycle of dependences.

mod support;

use poly_presburger::Budget;
use poly_scop::simplify::fission::fissioned;
use poly_scop::{Scop, analyse};
use support::{Builder, local};

/// `x = b[i] * b[i]; a[i] = f(x, FIRST); d[i] = g(x, SECOND);` for `i` from 1 on, where the
/// operands are elements of `A`, `B` or `D`.
fn two_writes(first: &str, second: &str) -> Scop {
    let mut builder = Builder::new("{ : }");
    let (a, b, d) = (builder.array("A", &[]), builder.array("B", &[]), builder.array("D", &[]));
    let array = |element: &str| match &element[..1] {
        "A" => a,
        "B" => b,
        _ => d,
    };
    let loops = builder.loops(&[0]);
    let mut s = builder.statement("{ S[i] : 1 <= i < 100 }", &loops, &[0, 0]);
    let value = s.read(b, "{ S[i] -> B[i] }");
    let x = s.compute("fmul", &[local(value), local(value)]);
    let early = s.read(array(first), &format!("{{ S[i] -> {first} }}"));
    let late = s.read(array(second), &format!("{{ S[i] -> {second} }}"));
    let one = s.compute("fadd", &[local(x), local(early)]);
    let other = s.compute("fsub", &[local(x), local(late)]);
    s.write(a, "{ S[i] -> A[i] }", local(one));
    s.write(d, "{ S[i] -> D[i] }", local(other));
    s.done();
    builder.finish()
}

fn statements(first: &str, second: &str) -> usize {
    let budget = &mut Budget::unlimited();
    let analysis = analyse(two_writes(first, second), true, budget).expect("the budget is unlimited");
    let dependences = &analysis.dependences.dependences;
    let found = fissioned(&analysis.scop, dependences, budget).expect("the budget is unlimited");
    if let Some(scop) = &found {
        scop.check_invariants();
    }
    found.unwrap_or(analysis.scop).statements.len()
}

#[test]
fn a_recurrence_and_work_beside_it_come_apart() {
    assert_eq!(statements("A[i - 1]", "B[i + 1]"), 2);
    assert_eq!(statements("B[i + 1]", "D[i - 1]"), 2);
}

#[test]
fn a_write_and_its_reader_in_later_iterations_come_apart() {
    assert_eq!(statements("B[i + 1]", "A[i - 1]"), 2);
}

#[test]
fn writes_that_need_each_other_stay_together() {
    assert_eq!(statements("D[i - 1]", "A[i - 1]"), 1);
}

#[test]
fn a_loop_whose_iterations_are_free_stays_one() {
    assert_eq!(statements("B[i + 1]", "B[i - 1]"), 1);
}
