//! What becomes of reductions whose parts are not only sums: minima of sums, and sweeps.

mod support;

use expect_test::{Expect, expect};
use poly_scop::{AccessKind, Config, ElementType, InstrKind, Outcome, Plan, Profitability, Scop, optimize};
use support::{Builder, local};

/// All elements as integers of 32 bits, or of 16 in arrays named `short`, and all operations in any
/// order.
fn with_integers(mut scop: Scop) -> Scop {
    for array in &mut scop.arrays {
        let bytes = if array.name.starts_with("short") { 2 } else { 4 };
        array.element = ElementType { name: format!("i{}", 8 * bytes), bytes, float: false };
    }
    for instr in scop.statements.iter_mut().flat_map(|statement| &mut statement.body) {
        if let InstrKind::Compute { reassociable, .. } = &mut instr.kind {
            *reassociable = true;
        }
    }
    scop
}

/// `y[i] = opcode(y[i], a[i] op x[j])` for all `j <= i`, with `x` of another width than the sums if
/// it has another name.
fn extremum(opcode: &str, op: &str, x: &str) -> Scop {
    let mut builder = Builder::new("{ : }");
    let [y, a] = ["y", "a"].map(|name| builder.array(name, &[]));
    let b = if x == "y" { y } else { builder.array(x, &[]) };
    let loops = builder.loops(&[0, 1]);
    let mut s = builder.statement("{ S0[i, j] : 0 <= j <= i < 1000 }", &loops, &[0, 0, 0]);
    let element = s.read(y, "{ S0[i, j] -> y[i] }");
    let one = s.read(a, "{ S0[i, j] -> a[i] }");
    let mut other = s.read(b, &format!("{{ S0[i, j] -> {x}[j] }}"));
    if x == "short" {
        other = s.compute("sext", &[local(other)]);
    }
    let sum = s.compute(op, &[local(one), local(other)]);
    let least = s.compute(opcode, &[local(element), local(sum)]);
    s.write(y, "{ S0[i, j] -> y[i] }", local(least));
    s.done();
    with_integers(builder.finish())
}

fn plan(scop: &Scop) -> Option<Plan> {
    match optimize(scop.clone(), &Config { profitability: Profitability::Ignored, ..Config::standard() }) {
        Outcome::Optimized(plan) => Some(*plan),
        Outcome::Unchanged(_) => None,
    }
}

/// Degrees and operations, and what is looked at before.
fn summary(scop: &Scop) -> String {
    let Some(plan) = plan(scop) else { return "unchanged".to_string() };
    let mut lines = Vec::new();
    for reduced in &plan.report.reduced {
        let ((from, to), (before, after)) = (reduced.degrees, &reduced.operations);
        lines.push(format!("{}: degree {from} to {to}, {before} to {after}", reduced.array));
    }
    for inspection in plan.scop.statements.iter().filter(|s| s.name.starts_with('I')) {
        let within = inspection.body.iter().find_map(|instr| match instr.kind {
            InstrKind::Within { bits, signed } => Some((bits, signed)),
            _ => None,
        });
        let reads = inspection.accesses.iter().filter(|access| access.kind == AccessKind::Read);
        let reads: Vec<String> = reads.map(|access| access.relation.to_string()).collect();
        lines.push(format!("{} {} {within:?}", inspection.domain, reads.join(" ")));
    }
    lines.join("\n")
}

fn check(scop: &Scop, expected: &Expect) {
    expected.assert_eq(&summary(scop));
}

#[test]
fn what_is_summed_up_is_looked_at() {
    check(
        &extremum("llvm.smin.i32", "add", "x"),
        &expect![[r#"
        y: degree 0 to 0, 1000000 to 1999
        { I0[i0] : 0 <= i0 <= 999 } { I0[i0] -> a[i0] } Some((31, true))
        { I1[i0] : 0 <= i0 <= 999 } { I1[i0] -> x[i0] } Some((31, true))"#]],
    );
    check(
        &extremum("llvm.smax.i32", "sub", "x"),
        &expect![[r#"
        y: degree 0 to 0, 1000000 to 1999
        { I0[i0] : 0 <= i0 <= 999 } { I0[i0] -> a[i0] } Some((31, true))
        { I1[i0] : 0 <= i0 <= 999 } { I1[i0] -> x[i0] } Some((31, true))"#]],
    );
    check(
        &extremum("llvm.umax.i32", "add", "x"),
        &expect![[r#"
        y: degree 0 to 0, 1000000 to 1999
        { I0[i0] : 0 <= i0 <= 999 } { I0[i0] -> a[i0] } Some((31, false))
        { I1[i0] : 0 <= i0 <= 999 } { I1[i0] -> x[i0] } Some((31, false))"#]],
    );
}

#[test]
fn numbers_of_few_bits_are_not_looked_at() {
    check(
        &extremum("llvm.smin.i32", "sub", "short"),
        &expect![[r#"
        y: degree 0 to 0, 1000000 to 1999
        { I0[i0] : 0 <= i0 <= 999 } { I0[i0] -> a[i0] } Some((31, true))"#]],
    );
}

#[test]
fn differences_of_unsigned_numbers_and_what_is_written_stay() {
    check(&extremum("llvm.umax.i32", "sub", "x"), &expect![[""]]);
    check(&extremum("llvm.smin.i32", "add", "y"), &expect![""]);
}

/// `z[i] += y[j]` for some `j`, then `y[i] = z[i]`, perhaps several times.
fn sweep(domain: &str) -> Scop {
    let mut builder = Builder::new("{ : }");
    let [y, z] = ["y", "z"].map(|name| builder.array(name, &[]));
    let loops = builder.loops(&[0, 1, 2]);
    let mut s = builder.statement(domain, &loops, &[0, 0, 0, 0]);
    let element = s.read(z, "{ S0[t, i, j] -> z[i] }");
    let other = s.read(y, "{ S0[t, i, j] -> y[j] }");
    let sum = s.compute("add", &[local(element), local(other)]);
    s.write(z, "{ S0[t, i, j] -> z[i] }", local(sum));
    s.done();
    let mut s = builder.statement("{ S1[t, i] : 0 <= t < 10 and 0 <= i < 1000 }", &loops[..2], &[0, 0, 1]);
    let sum = s.read(z, "{ S1[t, i] -> z[i] }");
    s.write(y, "{ S1[t, i] -> y[i] }", local(sum));
    s.done();
    with_integers(builder.finish())
}

#[test]
fn sweeps_read_new_values_and_old_ones() {
    let all = "0 <= t < 10 and 0 <= i < 1000 and";
    check(&sweep(&format!("{{ S0[t, i, j] : {all} 0 <= j < i }}")), &expect!["z: degree 0 to 0, 4985010 to 9980"]);
    check(&sweep(&format!("{{ S0[t, i, j] : {all} i < j < 1000 }}")), &expect!["z: degree 0 to 0, 4985010 to 9980"]);
    check(
        &sweep(&format!("{{ S0[t, i, j] : {all} (0 <= j < i or i < j < 1000) }}")),
        &expect![[r#"
        z: degree 0 to 0, 4985010 to 9980
        z: degree 0 to 0, 4985010 to 9980"#]],
    );
}
