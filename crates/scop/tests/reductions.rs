//! Which updates of a statement are reductions, and what becomes of their dependences.

mod support;

use poly_dependence::ReductionOperator;
use poly_presburger::Budget;
use poly_scop::{Config, InstrKind, Outcome, Profitability, Scop, analyse, dependence_problem, schedule};
use support::{Builder, invariant, local};

/// `S[0] = S[0] op A[i, j]`, with the element as the operand at a place; more is done by `more`.
fn update(opcode: &str, place: usize, more: impl FnOnce(&mut support::Updates<'_, '_>)) -> Scop {
    let mut builder = Builder::new("{ : }");
    let [sum, input, other] = [("S", &[][..]), ("A", &[100][..]), ("B", &[][..])].map(|(n, e)| builder.array(n, e));
    let loops = builder.loops(&[0, 1]);
    let mut statement = builder.statement("{ S0[i, j] : 0 <= i, j < 100 }", &loops, &[0, 0, 0]);
    let element = statement.read(sum, "{ S0[i, j] -> S[0] }");
    let value = statement.read(input, "{ S0[i, j] -> A[i, j] }");
    let operands = if place == 0 { [local(element), local(value)] } else { [local(value), local(element)] };
    let result = statement.compute(opcode, &operands);
    more(&mut support::Updates { statement: &mut statement, element, result, sum, other });
    statement.write(sum, "{ S0[i, j] -> S[0] }", local(result));
    statement.done();
    let mut scop = builder.finish();
    for instr in &mut scop.statements[0].body {
        if let InstrKind::Compute { reassociable, .. } = &mut instr.kind {
            *reassociable = true;
        }
    }
    scop
}

fn operators(scop: &Scop) -> Vec<ReductionOperator> {
    dependence_problem(scop).statements[0].reductions.iter().map(|r| r.operator).collect()
}

#[test]
fn operators_of_reductions() {
    use ReductionOperator::{Add, And, Max, Min, Mul, Or, Xor};
    let expected = [
        ("add", Add),
        ("fadd", Add),
        ("mul", Mul),
        ("fmul", Mul),
        ("and", And),
        ("or", Or),
        ("xor", Xor),
        ("llvm.smin.i32", Min),
        ("llvm.umax.i64", Max),
    ];
    for (opcode, operator) in expected {
        for place in [0, 1] {
            assert_eq!(operators(&update(opcode, place, |_| {})), [operator], "{opcode}, operand {place}");
        }
    }
    // S - A is S + (-A); A - S is not.
    assert_eq!(operators(&update("sub", 0, |_| {})), [Add]);
    for (opcode, place) in [("sub", 1), ("fsub", 1), ("shl", 0), ("fdiv", 0), ("llvm.pow.f64", 0)] {
        assert_eq!(operators(&update(opcode, place, |_| {})), [], "{opcode}, operand {place}");
    }
}

#[test]
fn what_is_seen_elsewhere_is_no_reduction() {
    // The new value is stored a second time.
    let stored = update("add", 0, |u| {
        u.statement.write(u.other, "{ S0[i, j] -> B[i] }", local(u.result));
    });
    assert_eq!(operators(&stored), []);
    // The old one is.
    let seen = update("add", 0, |u| {
        u.statement.write(u.other, "{ S0[i, j] -> B[i] }", local(u.element));
    });
    assert_eq!(operators(&seen), []);
    // Another element is written than read.
    let mut moved = update("add", 0, |_| {});
    moved.statements[0].accesses[0].relation = "{ S0[i, j] -> S[1] }".parse().expect("a relation");
    assert_eq!(operators(&moved), []);
    // Something else beside the update does not matter.
    let beside = update("add", 0, |u| {
        let one = invariant(u.element);
        u.statement.write(u.other, "{ S0[i, j] -> B[i] }", one);
    });
    assert_eq!(operators(&beside), [ReductionOperator::Add]);
}

/// The order of the updates is free unless that is switched off.
#[test]
fn reductions_can_be_switched_off() {
    let scop = update("add", 0, |_| {});
    let marked = |reductions| {
        let analysis = analyse(scop.clone(), reductions, &mut Budget::unlimited()).expect("no limit");
        analysis.dependences.dependences.iter().filter(|d| d.reduction).count()
    };
    assert_eq!((marked(true), marked(false)), (1, 0));
}

/// A sum over columns of what is stored by rows is interchanged.
#[test]
fn a_sum_is_interchanged() {
    let mut scop = update("add", 0, |_| {});
    scop.statements[0].accesses[1].relation = "{ S0[i, j] -> A[j, i] }".parse().expect("a relation");
    let config = Config { profitability: Profitability::Ignored, ..Config::standard() };
    let depth = |reductions| {
        let config = Config { reductions, ..config.clone() };
        let budget = &mut Budget::unlimited();
        let analysis = analyse(scop.clone(), reductions, budget).expect("no limit");
        let tree = schedule(&analysis, &config, budget).expect("no limit");
        tree.band_nodes().iter().map(|n| n.band().expect("a band").n_member()).max()
    };
    assert_eq!((depth(true), depth(false)), (Some(2), Some(1)));
}

/// `Y[i, j] = sum of A[i + a, j + b]` over offsets, written out; those of a second list are taken
/// out.
fn written_out(offsets: &[(i64, i64)], out: &[(i64, i64)]) -> Scop {
    let mut builder = Builder::new("{ : }");
    let (y, a) = (builder.array("Y", &[64]), builder.array("A", &[80]));
    let loops = builder.loops(&[0, 1]);
    let mut statement = builder.statement("{ S0[i, j] : 0 <= i, j < 64 }", &loops, &[0, 0, 0]);
    let mut sum = None;
    for ((x, y), opcode) in offsets.iter().map(|at| (at, "add")).chain(out.iter().map(|at| (at, "sub"))) {
        let value = statement.read(a, &format!("{{ S0[i, j] -> A[i + {x}, j + {y}] }}"));
        sum = Some(match sum {
            Some(sum) => statement.compute(opcode, &[local(sum), local(value)]),
            None => value,
        });
    }
    let sum = sum.expect("there is something to add");
    statement.write(y, "{ S0[i, j] -> Y[i, j] }", local(sum));
    statement.done();
    let mut scop = builder.finish();
    for instr in &scop.statements[0].body {
        if matches!(instr.kind, InstrKind::Compute { .. }) {
            scop.integers.insert(instr.value, 32);
        }
    }
    scop
}

/// Operations of all reductions, before and after.
fn fewer_operations(scop: Scop) -> Vec<(String, String)> {
    let config = Config { profitability: Profitability::Ignored, ..Config::standard() };
    match poly_scop::optimize(scop, &config) {
        Outcome::Optimized(plan) => plan.report.reduced.into_iter().map(|reduced| reduced.operations).collect(),
        Outcome::Unchanged(reason) => panic!("{reason}"),
    }
}

fn square(from: i64, to: i64) -> Vec<(i64, i64)> {
    (from..to).flat_map(|a| (from..to).map(move |b| (a, b))).collect()
}

#[test]
fn windows_that_are_written_out() {
    let operations = |before: &str, after: &str| (before.to_string(), after.to_string());
    // Columns from the row before (two operations), rows from eight columns.
    assert_eq!(fewer_operations(written_out(&square(0, 8), &[])), [operations("258048", "38115")]);
    // The order of the terms does not matter, nor what else is added.
    let mut shuffled = square(2, 8);
    shuffled.reverse();
    shuffled.swap(3, 17);
    shuffled.insert(5, (0, 0));
    assert_eq!(fewer_operations(written_out(&shuffled, &[])), [operations("143360", "29519")]);
    // Terms that are taken out are no part of the same sum.
    assert_eq!(fewer_operations(written_out(&square(0, 6), &[(3, 3)])).len(), 1);
    // A pair of pairs is as it was.
    assert_eq!(fewer_operations(written_out(&square(0, 2), &[])), []);
}
