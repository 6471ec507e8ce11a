//! Scalars that LLVM's passes introduced disappear again, and only where that changes nothing.

mod support;

use poly_presburger::Budget;
use poly_scop::simplify::{dead, simplify};
use poly_scop::{ArrayId, ArrayKind, InstrKind, ScalarKind, Scop};
use support::{
    Builder, carried_gauss_seidel, half_promoted_matmul, hoisted_product, invariant, local, promoted_matmul,
    two_products,
};

fn simplified(mut scop: Scop) -> Scop {
    simplify(&mut scop, &mut Budget::unlimited()).expect("the budget is unlimited");
    scop
}

fn scalars_in_use(scop: &Scop) -> Vec<String> {
    let used = |index: usize| scop.statements.iter().any(|s| s.accesses.iter().any(|a| a.array.index() == index));
    (0..scop.arrays.len())
        .filter(|&a| scop.arrays[a].is_scalar() && used(a))
        .map(|a| scop.arrays[a].name.clone())
        .collect()
}

#[test]
fn a_promoted_sum_goes_back_to_its_array_element() {
    let scop = simplified(promoted_matmul(20));
    assert_eq!(scalars_in_use(&scop), Vec::<String>::new(), "{scop}");
    // The store behind the loop has become a write-back and is gone.
    let names: Vec<&str> = scop.statements.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["Init", "Update"]);
}

#[test]
fn a_sum_that_is_stored_in_every_iteration_is_read_back() {
    let scop = simplified(half_promoted_matmul(20));
    assert_eq!(scalars_in_use(&scop), Vec::<String>::new(), "{scop}");
}

#[test]
fn two_products_one_after_the_other() {
    let scop = simplified(two_products());
    assert_eq!(scalars_in_use(&scop), Vec::<String>::new(), "{scop}");
    assert_eq!(scop.statements.len(), 4, "{scop}");
}

#[test]
fn a_hoisted_product_is_computed_where_it_is_used() {
    let scop = simplified(hoisted_product(20));
    assert_eq!(scalars_in_use(&scop), Vec::<String>::new(), "{scop}");
    assert_eq!(scop.statements.len(), 1, "{scop}");
}

/// `for i { s = 0; for k { s += A[k]; C[0] = k } C[i] = s }`: the element is overwritten while the
/// sum is alive.
#[test]
fn a_sum_stays_in_its_scalar_when_its_element_is_used_meanwhile() {
    let mut b = Builder::new("{ : }");
    let c = b.array("C", &[]);
    let a = b.array("A", &[]);
    let (phi, phi_value) = b.scalar("s_phi", poly_scop::ScalarKind::Phi);
    let loops = b.loops(&[0, 1]);
    let zero = b.value();
    let mut s = b.statement("{ Init[i] : 0 <= i < 9 }", &loops[..1], &[0, 0]);
    s.write(phi, "{ Init[i] -> s_phi[] }", invariant(zero));
    s.done();
    let mut s = b.statement("{ Update[i, k] : 0 <= i < 9 and 0 <= k < 9 }", &loops, &[0, 1, 0]);
    let old = s.read_as(phi, "{ Update[i, k] -> s_phi[] }", phi_value);
    let x = s.read(a, "{ Update[i, k] -> A[k] }");
    let new = s.compute("fadd", &[local(old), local(x)]);
    s.write(phi, "{ Update[i, k] -> s_phi[] }", local(new));
    s.write(c, "{ Update[i, k] -> C[0] }", invariant(zero));
    s.done();
    let mut s = b.statement("{ Store[i] : 0 <= i < 9 }", &loops[..1], &[0, 2]);
    let last = s.read_as(phi, "{ Store[i] -> s_phi[] }", phi_value);
    s.write(c, "{ Store[i] -> C[i] }", local(last));
    s.done();
    let scop = simplified(b.finish());
    assert_eq!(scalars_in_use(&scop), ["s_phi"], "{scop}");
    assert!(scop.arrays.iter().any(|a| matches!(a.kind, ArrayKind::Scalar { .. })));
}

/// `for i { t = A[i]; for j { A[j] = 0; B[i][j] = t } }`: the load cannot move behind the stores.
#[test]
fn a_load_is_not_repeated_behind_a_store_to_its_element() {
    let mut b = Builder::new("{ : }");
    let a = b.array("A", &[]);
    let out = b.array("B", &[9]);
    let (t, _) = b.scalar("t", poly_scop::ScalarKind::Value);
    let loops = b.loops(&[0, 1]);
    let zero = b.value();
    let mut s = b.statement("{ Load[i] : 0 <= i < 9 }", &loops[..1], &[0, 0]);
    let load = s.read(a, "{ Load[i] -> A[i] }");
    s.write(t, "{ Load[i] -> t[] }", local(load));
    s.done();
    let mut s = b.statement("{ Use[i, j] : 0 <= i < 9 and 0 <= j < 9 }", &loops, &[0, 1, 0]);
    s.write(a, "{ Use[i, j] -> A[j] }", invariant(zero));
    let value = s.read_as(t, "{ Use[i, j] -> t[] }", load);
    s.write(out, "{ Use[i, j] -> B[i, j] }", local(value));
    s.done();
    let scop = simplified(b.finish());
    assert_eq!(scalars_in_use(&scop), ["t"], "{scop}");
}

#[test]
fn carried_loads_are_loaded_again() {
    let scop = simplified(carried_gauss_seidel(9, 20));
    assert_eq!(scalars_in_use(&scop), Vec::<String>::new(), "{scop}");
    let names: Vec<&str> = scop.statements.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["Step"]);
}

/// `p = A[0]; for j { B[j] = p; p = A[j + 1]; A[j + 1] = 0 }`: what `p` carries is no longer in
/// memory.
#[test]
fn a_carried_load_stays_when_its_element_is_overwritten() {
    let mut b = Builder::new("{ : }");
    let a = b.array("A", &[]);
    let c = b.array("B", &[]);
    let (phi, phi_value) = b.scalar("p", poly_scop::ScalarKind::Phi);
    let loops = b.loops(&[0]);
    let zero = b.value();
    let mut s = b.statement("{ Init[] }", &[], &[0]);
    let x = s.read(a, "{ Init[] -> A[0] }");
    s.write(phi, "{ Init[] -> p[] }", local(x));
    s.done();
    let mut s = b.statement("{ Step[j] : 0 <= j < 20 }", &loops, &[1, 0]);
    let x = s.read_as(phi, "{ Step[j] -> p[] }", phi_value);
    s.write(c, "{ Step[j] -> B[j] }", local(x));
    let y = s.read(a, "{ Step[j] -> A[j + 1] }");
    s.write(phi, "{ Step[j] -> p[] }", local(y));
    s.write(a, "{ Step[j] -> A[j + 1] }", invariant(zero));
    s.done();
    let scop = simplified(b.finish());
    assert_eq!(scalars_in_use(&scop), ["p"], "{scop}");
}

/// What is left of the body of the only statement, without what has no effect.
fn body_without_dead_parts(mut scop: Scop) -> Vec<InstrKind> {
    dead::remove(&mut scop, &mut Budget::unlimited()).expect("the budget is unlimited");
    scop.check_invariants();
    scop.statements.iter().flat_map(|s| &s.body).map(|instr| instr.kind.clone()).collect()
}

#[test]
fn a_write_back_behind_a_loop_that_may_write_stays() {
    let body = |loop_writes: bool| {
        let mut b = Builder::new("{ : }");
        let a = b.array("A", &[]);
        let loops = b.loops(&[0]);
        let mut s = b.statement("{ S[i] : 0 <= i < 100 }", &loops, &[0, 0]);
        let old = s.read(a, "{ S[i] -> A[i] }");
        let written: &[(ArrayId, &str)] = &[(a, "{ S[i] -> A[x] }")];
        s.whole_loop(&[], if loop_writes { written } else { &[] });
        s.write(a, "{ S[i] -> A[i] }", local(old));
        s.done();
        body_without_dead_parts(b.finish())
    };
    assert_eq!(body(true).len(), 3, "the loop may have changed the element");
    assert!(body(false).is_empty(), "it is written back, and the loop has no effect");
}

#[test]
fn a_write_that_a_loop_may_read_stays() {
    let body = |loop_reads: bool| {
        let mut b = Builder::new("{ : }");
        let (a, c) = (b.array("A", &[]), b.array("C", &[]));
        let loops = b.loops(&[0]);
        let mut s = b.statement("{ S[i] : 0 <= i < 100 }", &loops, &[0, 0]);
        let value = s.read(c, "{ S[i] -> C[i] }");
        s.write(a, "{ S[i] -> A[i] }", local(value));
        let read: &[(ArrayId, &str)] = &[(a, "{ S[i] -> A[x] }")];
        let execution = s.whole_loop(if loop_reads { read } else { &[] }, &[]);
        let left = s.result(execution);
        s.write(a, "{ S[i] -> A[i] }", local(left));
        s.done();
        body_without_dead_parts(b.finish())
    };
    let writes = |body: &[InstrKind]| body.iter().filter(|kind| matches!(kind, InstrKind::Write(_))).count();
    assert_eq!(writes(&body(true)), 2, "the loop may read the first one");
    assert_eq!(writes(&body(false)), 1, "it is overwritten");
}

#[test]
fn a_loop_is_not_executed_again_for_its_users() {
    let mut b = Builder::new("{ : }");
    let a = b.array("A", &[]);
    let (scalar, value) = b.scalar("x", ScalarKind::Value);
    let loops = b.loops(&[0, 1]);
    let mut s = b.statement("{ S[i] : 0 <= i < 100 }", &loops[..1], &[0, 0]);
    let execution = s.whole_loop(&[], &[]);
    let left = s.result(execution);
    s.write(scalar, "{ S[i] -> x[] }", local(left));
    s.done();
    let mut s = b.statement("{ T[i, j] : 0 <= i < 100 and 0 <= j < 100 }", &loops, &[0, 1, 0]);
    let read = s.read_as(scalar, "{ T[i, j] -> x[] }", value);
    s.write(a, "{ T[i, j] -> A[j] }", local(read));
    s.done();
    let scop = simplified(b.finish());
    let executed =
        |s: &poly_scop::Statement| s.body.iter().filter(|i| matches!(i.kind, InstrKind::Loop { .. })).count();
    assert_eq!(scop.statements.iter().map(executed).collect::<Vec<_>>(), [1, 0]);
}

/// `for i in 0..20 { if (i < 7) x = A[i] + A[i]; else x = B[i] * B[i]; C[i] = C[i] + x }`; with
/// `overwritten`, an element that the first value is computed from is overwritten before `x` is
/// read.
fn chosen_by_place(overwritten: bool) -> Scop {
    let mut b = Builder::new("{ : }");
    let [a, other, result] = ["A", "B", "C"].map(|name| b.array(name, &[]));
    let (phi, phi_value) = b.scalar("x", ScalarKind::Phi);
    let loops = b.loops(&[0]);
    let zero = b.value();
    for (position, name, opcode, array, part) in
        [(0, "Low", "fadd", a, "0 <= i < 7"), (1, "High", "fmul", other, "7 <= i < 20")]
    {
        let array_name = if position == 0 { "A" } else { "B" };
        let mut s = b.statement(&format!("{{ {name}[i] : {part} }}"), &loops, &[0, position]);
        let x = s.read(array, &format!("{{ {name}[i] -> {array_name}[i] }}"));
        let y = s.compute(opcode, &[local(x), local(x)]);
        s.write(phi, &format!("{{ {name}[i] -> x[] }}"), local(y));
        s.done();
    }
    if overwritten {
        let mut s = b.statement("{ Clear[i] : 0 <= i < 20 }", &loops, &[0, 2]);
        s.write(a, "{ Clear[i] -> A[i] }", invariant(zero));
        s.done();
    }
    let mut s = b.statement("{ Use[i] : 0 <= i < 20 }", &loops, &[0, 3]);
    let x = s.read_as(phi, "{ Use[i] -> x[] }", phi_value);
    let old = s.read(result, "{ Use[i] -> C[i] }");
    let new = s.compute("fadd", &[local(old), local(x)]);
    s.write(result, "{ Use[i] -> C[i] }", local(new));
    s.done();
    b.finish()
}

#[test]
fn a_reader_of_two_blocks_becomes_two_statements() {
    let scop = simplified(chosen_by_place(false));
    scop.check_invariants();
    assert_eq!(scalars_in_use(&scop), Vec::<String>::new(), "{scop}");
    let uses: Vec<String> = scop.statements.iter().map(|s| s.domain.to_string()).collect();
    assert_eq!(uses, ["{ Use_0[i0] : 7 <= i0 <= 19 }", "{ Use_1[i0] : 0 <= i0 <= 6 }"], "{scop}");
}

#[test]
fn a_reader_is_not_split_if_a_part_cannot_compute_its_value() {
    let scop = simplified(chosen_by_place(true));
    assert_eq!(scalars_in_use(&scop), ["x"], "{scop}");
    assert_eq!(scop.statements.iter().filter(|s| s.name.starts_with("Use")).count(), 1, "{scop}");
}

/// `s = 0; for i { s = s + A[i]; t = s * A[i]; T[i] = t; for j B[i][j] = t }`, where what is stored
/// is overwritten before it is read if `overwritten`.
fn stored_product(overwritten: bool) -> Scop {
    let mut b = Builder::new("{ : }");
    let [a, stored] = ["A", "T"].map(|name| b.array(name, &[]));
    let out = b.array("B", &[9]);
    let (phi, phi_value) = b.scalar("s", ScalarKind::Phi);
    let (product, _) = b.scalar("t", ScalarKind::Value);
    let loops = b.loops(&[0, 1]);
    let zero = b.value();
    let mut s = b.statement("{ Init[] }", &[], &[0]);
    s.write(phi, "{ Init[] -> s[] }", invariant(zero));
    s.done();
    let mut s = b.statement("{ Add[i] : 0 <= i < 9 }", &loops[..1], &[1, 0]);
    let old = s.read_as(phi, "{ Add[i] -> s[] }", phi_value);
    let x = s.read(a, "{ Add[i] -> A[i] }");
    let new = s.compute("fadd", &[local(old), local(x)]);
    let result = s.compute("fmul", &[local(new), local(x)]);
    s.write(stored, "{ Add[i] -> T[i] }", local(result));
    s.write(product, "{ Add[i] -> t[] }", local(result));
    s.write(phi, "{ Add[i] -> s[] }", local(new));
    s.done();
    let mut s = b.statement("{ Use[i, j] : 0 <= i < 9 and 0 <= j < 9 }", &loops, &[1, 1, 0]);
    if overwritten {
        s.write(stored, "{ Use[i, j] -> T[i] }", invariant(zero));
    }
    let value = s.read_as(product, "{ Use[i, j] -> t[] }", result);
    s.write(out, "{ Use[i, j] -> B[i, j] }", local(value));
    s.done();
    b.finish()
}

#[test]
fn a_stored_value_is_read_from_where_it_is() {
    let scop = simplified(stored_product(false));
    scop.check_invariants();
    assert_eq!(scalars_in_use(&scop), ["s"], "{scop}");
    let reader = scop.statements.iter().find(|s| s.name == "Use").expect("it is there");
    assert_eq!(reader.accesses[0].relation.to_string(), "{ Use[i, j] -> T[i] }", "{scop}");
    let scop = simplified(stored_product(true));
    assert_eq!(scalars_in_use(&scop), ["s", "t"], "{scop}");
}

/// `for i { s0 = A0[i]; B0[i] = s0; s1 = A1[i]; ... }` in one statement: nothing can be removed.
fn long_statement(count: usize) -> Scop {
    let mut b = Builder::new("{ : }");
    let arrays: Vec<_> = (0..count).map(|k| [b.array(&format!("A{k}"), &[]), b.array(&format!("B{k}"), &[])]).collect();
    let loops = b.loops(&[0]);
    let mut s = b.statement("{ Long[i] : 0 <= i < 9 }", &loops, &[0, 0]);
    for (k, [from, to]) in arrays.into_iter().enumerate() {
        let value = s.read(from, &format!("{{ Long[i] -> A{k}[i] }}"));
        s.write(to, &format!("{{ Long[i] -> B{k}[i] }}"), local(value));
    }
    s.done();
    b.finish()
}

/// Looking for writes that are overwritten takes a step for so many pairs of instructions: long
/// statements are not free.
#[test]
fn what_is_looked_at_is_charged() {
    let cost = |count| {
        let (mut scop, mut budget) = (long_statement(count), Budget::unlimited());
        dead::remove(&mut scop, &mut budget).expect("no limit");
        assert_eq!(scop.statements[0].body.len(), 2 * count, "nothing is dead");
        budget.spent()
    };
    assert!(cost(4) < 8, "short ones nearly are: {}", cost(4));
    // Each of the writes is compared with all behind it.
    assert!(cost(200) > 200 * 200 / 64, "{}", cost(200));
    let mut budget = Budget::new(cost(200) - 1);
    assert!(dead::remove(&mut long_statement(200), &mut budget).is_err());
}
