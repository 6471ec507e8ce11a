//! Writes under conditions become one write of a choice, where one of them happens in every case
//! and nobody looks in between; reads whose addresses are good lose their conditions.

mod support;

use poly_presburger::Budget;
use poly_scop::simplify::if_conversion::if_converted;
use poly_scop::{AccessKind, InstrKind, Scop, Statement, ValueId};
use support::{Builder, StatementBuilder, local};

fn converted(scop: &Scop) -> Option<Scop> {
    let found = if_converted(scop, &mut Budget::unlimited()).expect("the budget is unlimited");
    if let Some(scop) = &found {
        scop.check_invariants();
    }
    found
}

/// `if (a[i] == b[j]) L[i][j] = L[i-1][j-1] + 1; else L[i][j] = max(L[i-1][j], L[i][j-1]);` for
/// rows and columns from 1 on.
fn table(from_base: bool) -> Scop {
    let mut b = Builder::new("{ : }");
    let (l, x, y) = (b.array("L", &[10]), b.array("X", &[]), b.array("Y", &[]));
    let loops = b.loops(&[0, 1]);
    let mut s = b.statement("{ S[i, j] : 0 <= i < 8 and 0 <= j < 9 }", &loops, &[0, 0, 0]);
    let (left, right) = (s.read(x, "{ S[i, j] -> X[i] }"), s.read(y, "{ S[i, j] -> Y[j] }"));
    let same = s.compute("icmp", &[local(left), local(right)]);
    let other = s.holds(&[], same, true);
    let up = s.read(l, "{ S[i, j] -> L[i, j + 1] }");
    s.under(other);
    let before = s.read(l, "{ S[i, j] -> L[i + 1, j] }");
    s.under(other);
    let larger = s.compute("llvm.smax.i32", &[local(up), local(before)]);
    s.under(other);
    s.write(l, "{ S[i, j] -> L[i + 1, j + 1] }", local(larger)).under(other).operation(7);
    if from_base {
        s.based();
    }
    let corner = s.read(l, "{ S[i, j] -> L[i, j] }");
    s.under(same);
    let next = s.compute("add", &[local(corner)]);
    s.under(same);
    s.write(l, "{ S[i, j] -> L[i + 1, j + 1] }", local(next)).under(same).operation(7);
    if from_base {
        s.based();
    }
    s.done();
    b.finish()
}

fn conditions(statement: &Statement) -> usize {
    statement.body.iter().filter(|instr| instr.predicate.is_some()).count()
}

fn writes(statement: &Statement) -> Vec<AccessKind> {
    statement.accesses.iter().map(|access| access.kind).filter(|&kind| kind != AccessKind::Read).collect()
}

#[test]
fn a_table_is_written_and_read_in_every_case() {
    let scop = converted(&table(true)).expect("one of the writes happens");
    let statement = &scop.statements[0];
    assert_eq!(writes(statement), [AccessKind::MustWrite], "{scop}");
    assert_eq!(conditions(statement), 0, "{scop}");
    let speculated = statement.accesses.iter().filter(|access| access.speculated).count();
    assert_eq!(speculated, 3, "{scop}");
}

/// Nothing says that there is a row above the first one that is written.
#[test]
fn a_row_that_nothing_writes_is_read_under_the_condition() {
    let scop = converted(&table(false)).expect("one of the writes happens");
    assert_eq!(writes(&scop.statements[0]), [AccessKind::MustWrite], "{scop}");
    assert_eq!(conditions(&scop.statements[0]), 5, "{scop}");
    let mut watched = table(true);
    watched.sanitized = true;
    assert_eq!(conditions(&converted(&watched).expect("one of the writes happens").statements[0]), 5);
}

/// What a read touches between two rows that are accessed for certain: columns of their rows, or
/// beyond.
fn between(columns: &str) -> Scop {
    let mut b = Builder::new("{ : }");
    let (l, x) = (b.array("L", &[10]), b.array("X", &[]));
    let loops = b.loops(&[0, 1]);
    let mut s = b.statement("{ Ends[i] : 0 <= i < 2 }", &loops[..1], &[0, 0]);
    let end = s.read(l, "{ Ends[i] -> L[7i, 4] }");
    s.write(x, "{ Ends[i] -> X[i] }", local(end));
    s.done();
    let mut s = b.statement("{ S[i, j] : 1 <= i < 7 and 0 <= j < 9 }", &loops, &[1, 0, 0]);
    let condition = s.read(x, "{ S[i, j] -> X[i] }");
    let condition = s.compute("icmp", &[local(condition)]);
    let inner = s.read(l, &format!("{{ S[i, j] -> L[i, {columns}] }}"));
    s.under(condition);
    let chosen = s.decide(InstrKind::Choose, &[condition, inner, inner]);
    s.write(x, "{ S[i, j] -> X[i + 9] }", local(chosen));
    s.done();
    b.finish()
}

#[test]
fn what_lies_between_elements_of_an_object_is_there() {
    assert_eq!(conditions(&converted(&between("j")).expect("rows lie between").statements[1]), 0);
    // The last column is none of the row.
    assert!(converted(&between("j + 2")).is_none());
}

/// A statement with conditions `p` and `q`, and writes as a function adds them.
fn written(add: impl Fn(&mut StatementBuilder<'_>, [ValueId; 2], &dyn Fn(&mut StatementBuilder<'_>, ValueId))) -> Scop {
    let mut b = Builder::new("{ : }");
    let (x, y) = (b.array("X", &[]), b.array("Y", &[]));
    let loops = b.loops(&[0]);
    let mut s = b.statement("{ S[i] : 0 <= i < 9 }", &loops, &[0, 0]);
    let value = s.read(x, "{ S[i] -> X[i] }");
    let p = s.compute("icmp", &[local(value)]);
    let q = s.compute("fcmp", &[local(value)]);
    let write = |s: &mut StatementBuilder<'_>, predicate: ValueId| {
        s.write(y, "{ S[i] -> Y[i] }", local(value)).under(predicate).operation(3);
    };
    add(&mut s, [p, q], &write);
    s.done();
    b.finish()
}

/// How many values there are to choose from, in one choice or in one behind the other.
fn choices(scop: &Scop) -> Option<usize> {
    let choices = scop.statements[0].body.iter().filter(|instr| instr.kind == InstrKind::Choose);
    choices.map(|choice| choice.operands.len() / 2).reduce(|all, more| all + more).map(|decisions| decisions + 1)
}

#[test]
fn nested_conditions_leave_no_case_out() {
    let all =
        |s: &mut StatementBuilder<'_>, [p, q]: [ValueId; 2], write: &dyn Fn(&mut StatementBuilder<'_>, ValueId)| {
            let not = s.holds(&[], p, true);
            let (first, second) = (s.holds(&[not], q, false), s.holds(&[not], q, true));
            [p, first, second].into_iter().for_each(|predicate| write(s, predicate));
        };
    let scop = converted(&written(all)).expect("one of the writes happens");
    assert_eq!((writes(&scop.statements[0]), choices(&scop)), (vec![AccessKind::MustWrite], Some(3)), "{scop}");
    let some =
        |s: &mut StatementBuilder<'_>, [p, q]: [ValueId; 2], write: &dyn Fn(&mut StatementBuilder<'_>, ValueId)| {
            let not = s.holds(&[], p, true);
            let first = s.holds(&[not], q, false);
            [p, first].into_iter().for_each(|predicate| write(s, predicate));
        };
    assert!(converted(&written(some)).is_none());
}

#[test]
fn cases_of_a_switch_leave_none_out() {
    let switch = |last: i128, inverted: bool| {
        written(move |s, [p, _], write| {
            let one = s.decide(InstrKind::Matches { cases: vec![1, 4], inverted: false }, &[p]);
            let two = s.decide(InstrKind::Matches { cases: vec![2], inverted: false }, &[p]);
            let rest = s.decide(InstrKind::Matches { cases: vec![1, 2, last], inverted }, &[p]);
            let any = s.decide(InstrKind::Any, &[one, rest]);
            [two, any].into_iter().for_each(|predicate| write(s, predicate));
        })
    };
    assert!(converted(&switch(4, true)).is_some());
    assert!(converted(&switch(5, true)).is_none());
    assert!(converted(&switch(4, false)).is_none());
}

#[test]
fn writes_that_are_seen_or_differ_stay() {
    let opposite = |between: &dyn Fn(&mut StatementBuilder<'_>, ValueId), operation: u32| {
        let mut b = Builder::new("{ : }");
        let (x, y) = (b.array("X", &[]), b.array("Y", &[]));
        let loops = b.loops(&[0]);
        let mut s = b.statement("{ S[i] : 0 <= i < 9 }", &loops, &[0, 0]);
        let value = s.read(x, "{ S[i] -> X[i] }");
        let p = s.compute("icmp", &[local(value)]);
        let not = s.holds(&[], p, true);
        s.write(y, "{ S[i] -> Y[i] }", local(value)).under(p).operation(3);
        between(&mut s, value);
        s.write(y, "{ S[i] -> Y[i] }", local(value)).under(not).operation(operation);
        s.done();
        converted(&b.finish())
    };
    let y = poly_scop::ArrayId(1);
    let x = poly_scop::ArrayId(0);
    assert!(opposite(&|_, _| (), 3).is_some());
    assert!(opposite(&|_, _| (), 4).is_none());
    let read_own = |s: &mut StatementBuilder<'_>, _| {
        let read = s.read(y, "{ S[i] -> Y[i] }");
        s.write(x, "{ S[i] -> X[i + 20] }", local(read));
    };
    assert!(opposite(&read_own, 3).is_none());
    let write_own = |s: &mut StatementBuilder<'_>, value| {
        s.write(y, "{ S[i] -> Y[8 - i] }", local(value));
    };
    assert!(opposite(&write_own, 3).is_none());
    let read_other = |s: &mut StatementBuilder<'_>, _| {
        let read = s.read(y, "{ S[i] -> Y[i + 9] }");
        s.write(x, "{ S[i] -> X[i + 20] }", local(read));
    };
    assert!(opposite(&read_other, 3).is_some());
}
