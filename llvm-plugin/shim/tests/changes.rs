//! Changes to functions given as text, and the way back.
#![cfg(llvm_linked)]

use poly_shim::expand::Expander;
use poly_shim::testing::with_function;
use poly_shim::{BlockRef, PassContext, PassHost, ValueRef};

const IR: &str = include_str!("gemm.ll");

fn value<'c>(cx: PassContext<'c>, name: &str) -> ValueRef<'c> {
    let mut all = cx.blocks().into_iter().flat_map(BlockRef::instructions);
    all.find(|value| value.name() == name).expect("a value of the test")
}

/// Breaks the function beyond what the verifier accepts.
fn destroy(host: &mut PassHost) {
    let cx = host.context();
    let j = value(cx, "j.next").clone_instruction();
    j.insert_before(cx.blocks()[0].terminator());
    cx.function().set_function_attribute("broken", "yes");
    assert!(cx.function().verify().expect_err("j.next is not available there").contains("does not dominate"));
}

/// Without the comments about predecessors: their order is that of use lists, which mean nothing.
fn code(text: &str) -> Vec<&str> {
    text.lines().map(|line| line.split("; preds").next().unwrap_or_default().trim_end()).collect()
}

#[test]
fn restoring_brings_back_the_text() {
    let (_, before) = with_function(IR, "nest", |_| ());
    let (_, after) = with_function(IR, "nest", |host| {
        let backup = host.backup().expect("no address of a block is taken");
        destroy(host);
        host.restore(backup);
        assert_eq!(host.context().function().verify(), Ok(()));
        assert_eq!(host.context().top_level_loops().len(), 1);
    });
    assert_eq!(code(&before), code(&after));
}

#[test]
fn restoring_keeps_debug_information() {
    let ir = include_str!("described.ll");
    let (_, before) = with_function(ir, "fill", |_| ());
    let (_, after) = with_function(ir, "fill", |host| {
        let backup = host.backup().expect("no address of a block is taken");
        let cx = host.context();
        value(cx, "i.next").clone_instruction().insert_before(cx.blocks()[0].terminator());
        host.restore(backup);
    });
    assert_eq!(code(&before), code(&after));
}

#[test]
fn discarding_keeps_the_change() {
    let (_, after) = with_function(IR, "nest", |host| {
        let backup = host.backup().expect("no address of a block is taken");
        host.context().function().set_function_attribute("changed", "yes");
        backup.discard();
    });
    assert!(after.contains("\"changed\"=\"yes\""));
    assert_eq!(after.matches("define void").count(), 1);
}

#[test]
fn metadata_nodes() {
    let (_, after) = with_function(IR, "nest", |host| {
        let cx = host.context();
        let group = cx.access_group();
        value(cx, "a").set_metadata("llvm.access.group", group);
        let parallel = cx.md_property("llvm.loop.parallel_accesses", &[group]);
        let latch = cx.top_level_loops()[0].subloops()[0].latch().expect("loops are simplified");
        latch.terminator().set_metadata("llvm.loop", cx.loop_id(&[parallel]));
        let domain = cx.alias_domain("arrays");
        let (a, b) = (cx.alias_scope(domain, "A"), cx.alias_scope(domain, "B"));
        value(cx, "a").set_metadata("alias.scope", cx.md_node(&[a]));
        value(cx, "a").append_metadata_list("noalias", cx.md_node(&[b]));
        assert!(value(cx, "a").metadata("noalias").is_some() && value(cx, "b").metadata("noalias").is_none());
    });
    for line in ["= distinct !{}", "!{!\"llvm.loop.parallel_accesses\", !"] {
        assert!(after.contains(line), "{line} in\n{after}");
    }
    assert_eq!(after.matches("= distinct !{").count(), 5, "{after}");
}

#[test]
fn expressions_become_instructions() {
    let (_, after) = with_function(IR, "nest", |host| {
        let cx = host.context();
        let count = cx.backedge_taken_count(cx.top_level_loops()[0]);
        let at = cx.blocks()[0].terminator();
        let mut expander = Expander::new(cx);
        assert!(expander.is_safe_at(count, at));
        let made = expander.expand_own(count, at);
        assert_eq!(made.print().trim(), "%0 = add i64 %n, -1");
        assert!(!expander.is_safe_at(cx.scev(value(cx, "b").operand(0)).expect("an address"), at));
    });
    assert!(after.contains("%0 = add i64 %n, -1"));
}

#[test]
fn splitting_keeps_loops_and_dominance() {
    with_function(IR, "nest", |host| {
        let cx = host.context();
        let outer = cx.top_level_loops()[0];
        let latch = outer.latch().expect("loops are simplified");
        let tail = cx.split_block(latch.terminator(), "tail");
        assert_eq!(cx.loop_for(tail), Some(outer));
        assert_eq!(outer.latch(), Some(tail));
        assert_eq!(cx.idom(tail), Some(latch));
        let exit = cx.split_edge(tail, outer.exit_blocks()[0], "exit");
        assert_eq!((cx.loop_for(exit), exit.name().as_str()), (None, "exit"));
        assert!(cx.dominates(tail, exit));
    });
}

#[test]
fn attributes_of_outlined_functions() {
    let (_, after) = with_function(IR, "choose", |host| {
        let cx = host.context();
        let nest = value_of_function(cx, "nest");
        cx.function().copy_codegen_attributes(nest);
        cx.function().drop_inferred_effects();
    });
    assert!(after.contains("attributes #1 = { nounwind \"target-cpu\"=\"znver4\" }"), "{after}");
    assert!(!after.contains("norecurse"), "{after}");
}

fn value_of_function<'c>(cx: PassContext<'c>, name: &str) -> ValueRef<'c> {
    let name = std::ffi::CString::new(name).expect("no zero in names");
    // SAFETY: the module is alive, the name terminated, and the function exists in the test.
    unsafe { ValueRef::new(poly_shim::llvm_sys::core::LLVMGetNamedFunction(cx.module(), name.as_ptr())) }
}

#[test]
fn cleaning_up_leaves_canonical_loops() {
    let (_, after) = with_function(IR, "nest", |host| {
        value(host.context(), "sum").clone_instruction().insert_before(value(host.context(), "j.next"));
        host.clean_up();
        let cx = host.context();
        assert!(cx.top_level_loops()[0].is_simplified());
    });
    assert_eq!(after.matches("fadd reassoc").count(), 1, "{after}");
}

#[test]
fn requests_that_cannot_be_met_are_withdrawn() {
    let own = ", !2";
    for (first, condition, mark, remains) in [
        ("%n", "%more", own, true),
        ("%n", "true", own, false),
        ("%n", "%is_first", own, false),
        ("%n", "%is_first", "", true),
        // Three and four iterations.
        ("97", "%more", own, false),
        ("97", "%more", "", true),
        ("96", "%more", own, true),
    ] {
        let ir = format!(
            "define void @f(ptr %p, i64 %n) {{\nentry:\n  br label %loop\n\
             loop:\n  %i = phi i64 [ {first}, %entry ], [ %next, %loop ]\n  %place = getelementptr double, ptr %p, i64 %i\n  \
             store double 1.0, ptr %place\n  %next = add nuw nsw i64 %i, 1\n  %more = icmp ult i64 %next, 100\n  \
             %is_first = icmp eq i64 %i, 0\n  br i1 {condition}, label %loop, label %exit, !llvm.loop !0\n\
             exit:\n  ret void\n}}\n\
             !0 = distinct !{{!0, !1{mark}}}\n!1 = !{{!\"llvm.loop.vectorize.enable\", i1 true}}\n!2 = !{{!\"poly.vector\"}}\n"
        );
        let (_, after) = with_function(&ir, "f", PassHost::clean_up);
        assert_eq!(after.contains("llvm.loop.vectorize.enable"), remains, "{first} {condition}{mark}: {after}");
    }
}

#[test]
fn descriptions_of_outlined_functions() {
    let (_, after) = with_function(include_str!("described.ll"), "fill", |host| {
        let cx = host.context();
        let made = value_of_function(cx, "made");
        assert!(poly_shim::debug::describe_function(cx.function(), made));
        let call = value(cx, "i.next");
        assert_eq!(call.place().map(|place| (place.file, place.line, place.column)), Some(("fill.c".into(), 4, 3)));
        assert_eq!(cx.function().function_place().map(|place| place.line), Some(1));
        // SAFETY: arguments of the function are alive.
        let p = unsafe { ValueRef::new(poly_shim::llvm_sys::core::LLVMGetParam(cx.function().raw(), 0)) };
        assert_eq!(p.variable_name().as_deref(), Some("array"));
    });
    assert_eq!(after.matches("distinct !DISubprogram(").count(), 2, "{after}");
    assert!(after.contains("name: \"made\""), "{after}");
}

/// A loop in which a constant stands for `i + 1` on the way on which `i` is `known`.
fn folded(known: u64, next: u64) -> String {
    format!(
        "define void @count(i64 %n, ptr %a) {{
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %first = icmp eq i64 %i, {known}
  br i1 %first, label %special, label %inner
special:
  store i64 7, ptr %a
  br label %latch
inner:
  %j = phi i64 [ 0, %head ], [ %j.next, %inner ]
  %p = getelementptr i64, ptr %a, i64 %j
  store i64 %i, ptr %p
  %j.next = add i64 %j, 1
  %done = icmp eq i64 %j.next, %n
  br i1 %done, label %behind, label %inner
behind:
  %sum = add nuw nsw i64 %i, 1
  br label %latch
latch:
  %next = phi i64 [ {next}, %special ], [ %sum, %behind ]
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %head
exit:
  ret void
}}
"
    )
}

#[test]
fn counters_are_sums_again() {
    let counts = |cx: PassContext<'_>| {
        let outer = cx.top_level_loops()[0];
        !cx.backedge_taken_count(outer).is_could_not_compute()
    };
    let (_, before) = with_function(&folded(3, 4), "count", |host| assert!(!counts(host.context())));
    let (_, after) = with_function(&folded(3, 4), "count", |host| {
        let unfolded = host.unfold_counters();
        assert_eq!(host.context().function().verify(), Ok(()));
        assert!(counts(host.context()), "the outer loop has a number of iterations");
        assert!(value(host.context(), "poly.next").print().contains("add nuw nsw i64 %i, 1"));
        host.fold_counters(unfolded);
        assert!(!counts(host.context()));
    });
    assert_eq!(code(&before), code(&after));
}

#[test]
fn a_constant_that_may_be_another_value_stays() {
    with_function(&folded(3, 1), "count", |host| {
        let unfolded = host.unfold_counters();
        assert_eq!(host.context().top_level_loops().len(), 1);
        assert!(host.context().backedge_taken_count(host.context().top_level_loops()[0]).is_could_not_compute());
        host.fold_counters(unfolded);
    });
}

/// Roots of the elements of an array, or of what is computed from them.
fn roots(argument: &str) -> String {
    format!(
        r"
declare double @sqrt(double) memory(write)
define void @roots(ptr %a, i64 %n) {{
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %head ]
  %p = getelementptr double, ptr %a, i64 %i
  %x = load double, ptr %p
  %square = fmul double %x, %x
  %sum = fadd double %square, 1.0
  %root = call double @sqrt(double {argument})
  store double %root, ptr %p
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %head
exit:
  ret void
}}
"
    )
}

#[test]
fn roots_of_what_is_not_negative_set_no_errno() {
    let is_intrinsic = |cx: PassContext<'_>| value(cx, "root").intrinsic_name().is_some();
    let (_, before) = with_function(&roots("%sum"), "roots", |host| assert!(!is_intrinsic(host.context())));
    let (_, after) = with_function(&roots("%sum"), "roots", |host| {
        let cleared = host.clear_roots();
        assert_eq!(host.context().function().verify(), Ok(()));
        assert!(is_intrinsic(host.context()));
        host.restore_roots(cleared);
        assert!(!is_intrinsic(host.context()));
    });
    assert_eq!(code(&before), code(&after));
    let (_, kept) = with_function(&roots("%sum"), "roots", |host| {
        let cleared = host.clear_roots();
        host.keep_roots(cleared);
    });
    assert!(kept.contains("%root = call double @llvm.sqrt.f64(double %sum)"), "{kept}");
}

#[test]
fn roots_of_what_may_be_negative_stay() {
    with_function(&roots("%x"), "roots", |host| {
        let cleared = host.clear_roots();
        assert!(value(host.context(), "root").intrinsic_name().is_none());
        host.restore_roots(cleared);
    });
}

/// A stack pointer that is saved and restored around a local array.
fn saved(array: &str) -> String {
    format!(
        r"
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
define void @local(ptr %a, i64 %n) {{
entry:
  br label %body
body:
  %saved = call ptr @llvm.stacksave.p0()
  {array}
  store i64 %n, ptr %a
  call void @llvm.stackrestore.p0(ptr %saved)
  ret void
}}
"
    )
}

#[test]
fn a_stack_pointer_that_does_not_move_needs_no_place() {
    let (_, after) = with_function(&saved(""), "local", |host| assert!(host.remove_stack_saves()));
    assert!(!after.contains("call ptr @llvm.stacksave") && !after.contains("call void @llvm.stackrestore"), "{after}");
    let (_, after) = with_function(&saved("%room = alloca i64, i64 %n"), "local", |host| {
        assert!(!host.remove_stack_saves());
    });
    assert!(after.contains("@llvm.stackrestore.p0(ptr %saved)"), "{after}");
}

/// Sums of products: fused in either operand and in differences, of products with two uses, and
/// without the flag.
const PRODUCTS: &str = r"
define void @products(ptr %a, i64 %n, double %x) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %head ]
  %p = getelementptr double, ptr %a, i64 %i
  %v = load double, ptr %p
  %m1 = fmul contract double %v, %x
  %first = fadd contract double %m1, 1.0
  %m2 = fmul contract double %first, %x
  %second = fadd contract double %v, %m2
  %m3 = fmul contract double %second, %v
  %minus = fsub contract double %m3, %x
  %m4 = fmul contract double %minus, %v
  %from = fsub contract double %x, %m4
  %m5 = fmul contract double %from, %v
  %twice = fadd contract double %m5, %x
  %again = fadd contract double %m5, %twice
  %m6 = fmul contract double %again, %v
  %plain = fadd double %m6, %x
  store double %plain, ptr %p
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %head
exit:
  ret void
}
";

#[test]
fn products_are_fused_as_the_code_generator_would() {
    let (_, before) = with_function(PRODUCTS, "products", |_| ());
    let (_, after) = with_function(PRODUCTS, "products", |host| {
        let fused = host.fuse_products();
        assert_eq!(host.context().function().verify(), Ok(()));
        host.restore_products(fused);
    });
    assert_eq!(code(&before), code(&after));
    let (_, kept) = with_function(PRODUCTS, "products", |host| {
        let fused = host.fuse_products();
        host.keep_products(fused);
    });
    let is_sum =
        |line: &&str| ["call", "fmul", "fadd", "fsub", "fneg"].iter().any(|o| line.contains(&format!("= {o}")));
    let sums: Vec<&str> = kept.lines().map(str::trim).filter(is_sum).collect();
    assert_eq!(
        sums,
        [
            "%first = call contract double @llvm.fmuladd.f64(double %v, double %x, double 1.000000e+00)",
            "%second = call contract double @llvm.fmuladd.f64(double %first, double %x, double %v)",
            "%0 = fneg double %x",
            "%minus = call contract double @llvm.fmuladd.f64(double %second, double %v, double %0)",
            "%1 = fneg double %minus",
            "%from = call contract double @llvm.fmuladd.f64(double %1, double %v, double %x)",
            "%m5 = fmul contract double %from, %v",
            "%twice = fadd double %m5, %x",
            "%again = fadd double %m5, %twice",
            "%m6 = fmul contract double %again, %v",
            "%plain = fadd double %m6, %x",
        ]
    );
}
