//! Answers about functions given as text.
#![cfg(llvm_linked)]

use poly_shim::ir::{Opcode, Predicate, TypeKind};
use poly_shim::memory::AliasKind;
use poly_shim::scev::{Range, Sign};
use poly_shim::testing::with_function;
use poly_shim::{BlockRef, LoopRef, PassContext, ScevKind, ValueRef};

const IR: &str = include_str!("gemm.ll");

fn block<'c>(cx: PassContext<'c>, name: &str) -> BlockRef<'c> {
    cx.blocks().into_iter().find(|block| block.name() == name).expect("a block of the test")
}

fn value<'c>(cx: PassContext<'c>, name: &str) -> ValueRef<'c> {
    let mut all = cx.blocks().into_iter().flat_map(BlockRef::instructions);
    all.find(|value| value.name() == name).expect("a value of the test")
}

fn inner(cx: PassContext<'_>) -> LoopRef<'_> {
    cx.top_level_loops()[0].subloops()[0]
}

fn names(blocks: &[BlockRef<'_>]) -> Vec<String> {
    blocks.iter().map(|block| block.name()).collect()
}

#[test]
fn loops_and_dominance() {
    with_function(IR, "nest", |host| {
        let cx = host.context();
        assert!(cx.has_loops());
        let outer = cx.top_level_loops()[0];
        assert_eq!(outer.header().name(), "outer");
        assert_eq!(names(&inner(cx).blocks()), ["inner"]);
        assert_eq!(names(&outer.exit_blocks()), ["end.loopexit"]);
        assert_eq!(outer.exiting_block().map(BlockRef::name).as_deref(), Some("outer.latch"));
        assert_eq!(outer.latch(), outer.exiting_block());
        assert_eq!(inner(cx).preheader().map(BlockRef::name).as_deref(), Some("outer"));
        assert_eq!((outer.depth(), inner(cx).depth()), (1, 2));
        assert_eq!(inner(cx).parent(), Some(outer));
        assert!(outer.contains_loop(inner(cx)) && !inner(cx).contains(block(cx, "outer")));
        assert_eq!(cx.loop_for(block(cx, "end")), None);
        assert!(outer.is_simplified() && !outer.has_property("llvm.loop.unroll.disable"));
        assert!(cx.dominates(block(cx, "entry"), block(cx, "end")));
        assert!(!cx.dominates(block(cx, "outer"), block(cx, "end")));
        assert!(cx.post_dominates(block(cx, "end"), block(cx, "outer")));
        assert_eq!(cx.idom(block(cx, "end")), Some(block(cx, "entry")));
        assert_eq!(cx.ipdom(block(cx, "entry")), Some(block(cx, "end")));
        assert_eq!(cx.ipdom(block(cx, "end")), None);
        let order = ["entry", "outer.preheader", "outer", "inner", "outer.latch", "end.loopexit", "end"];
        assert_eq!(names(&cx.reverse_post_order()), order);
    });
}

#[test]
fn expressions() {
    with_function(IR, "nest", |host| {
        let cx = host.context();
        let outer = cx.top_level_loops()[0];
        assert_eq!(cx.backedge_taken_count(outer).print(), "(-1 + %n)");
        assert_eq!(cx.backedge_taken_count(inner(cx)).constant(), Some(511));
        assert_eq!(cx.exit_count(outer, block(cx, "outer.latch")), cx.backedge_taken_count(outer));
        let address = cx.scev(value(cx, "A.ij")).expect("a pointer");
        assert_eq!(address.kind(), ScevKind::AddRec);
        assert_eq!(address.addrec_loop(), Some(inner(cx)));
        let base = cx.pointer_base(address);
        assert_eq!(base.unknown_value().map(|base| base.name()).as_deref(), Some("A"));
        let offset = cx.scev_minus(address, base);
        assert_eq!(offset.print().replace(' ', ""), "{{0,+,4096}<nuw><nsw><%outer>,+,8}<nuw><nsw><%inner>");
        assert_eq!(offset.operands()[1].constant_i64(), Some(8));
        assert!(cx.is_invariant(base, outer) && !cx.is_invariant(offset, outer) && !cx.is_invariant(offset, inner(cx)));
        let j = cx.scev(value(cx, "j")).expect("an integer");
        assert!(j.wrap_flags().no_signed_wrap && j.wrap_flags().no_unsigned_wrap);
        assert_eq!(cx.scev_range(j, Sign::Signed), Some(Range { min: 0, max: 511 }));
        let n = cx.scev(value(cx, "guard").operand(0)).expect("an integer");
        let zero = cx.scev_int(n.ty().expect("n has a type"), 0);
        assert!(cx.is_entry_guarded(outer, Predicate::Sgt, n, zero));
        assert!(!cx.is_known(Predicate::Sgt, n, zero));
        assert_eq!(cx.scev_range(n, Sign::Unsigned), Some(Range { min: 0, max: u64::MAX.into() }));
        assert_eq!(cx.scev_bits(n), 64);
        assert!(cx.scev(value(cx, "sum")).is_none());
        assert!(cx.scev_add(n, cx.scev_mul(zero, n)) == n);
        let after = cx.scev_at_scope(cx.scev(value(cx, "i")).expect("an integer"), None);
        assert_eq!(after.print(), "(-1 + %n)");
    });
}

#[test]
fn negative_constants_of_more_than_64_bits() {
    with_function(IR, "choose", |host| {
        let cx = host.context();
        let sum = cx.scev(value(cx, "w")).expect("an integer");
        assert_eq!(sum.kind(), ScevKind::Add);
        assert_eq!(sum.operands()[0].constant(), Some(-5));
        assert_eq!(sum.operands()[0].constant_i64(), Some(-5));
        assert_eq!(cx.scev_range(sum, Sign::Unsigned), None);
        assert_eq!(cx.scev_range(sum, Sign::Signed), Some(Range { min: i128::MIN, max: i128::MAX }));
    });
}

#[test]
fn memory() {
    with_function(IR, "nest", |host| {
        let cx = host.context();
        let object = |name: &str| value(cx, name).underlying_object();
        let (a, b) = (object("A.ij"), object("B.j"));
        assert_eq!((a.name(), b.name()), ("A".into(), "B".into()));
        assert_eq!(cx.alias(a, b), AliasKind::No);
        assert_eq!(cx.alias(b, b), AliasKind::Must);
        // SAFETY: arguments of the function are alive.
        let c = unsafe { ValueRef::new(poly_shim::llvm_sys::core::LLVMGetParam(cx.function().raw(), 3)) };
        assert_eq!((cx.alias(b, c), cx.alias(a, c)), (AliasKind::May, AliasKind::No));
        assert_eq!(cx.alias_accesses(value(cx, "a"), value(cx, "b")), AliasKind::No);
        assert!(a.is_identified_object() && !b.is_identified_object());
        let load = value(cx, "b");
        assert!(load.effects().may_read() && !load.effects().may_write() && !load.effects().is_volatile());
        assert_eq!(load.pointer_operand(), Some(value(cx, "B.j")));
        assert!(!cx.is_speculatable(load, None) && cx.is_speculatable(value(cx, "sum"), None));
        let opaque = value(cx, "x");
        assert!(!opaque.call_properties().is_pure() && opaque.callee().is_some_and(|f| f.name() == "opaque"));
        assert_eq!(opaque.intrinsic_name(), None);
        let fma = value(cx, "y");
        assert!(fma.call_properties().is_pure());
        assert_eq!(fma.intrinsic_name().as_deref(), Some("llvm.fmuladd"));
    });
}

#[test]
fn instructions_and_types() {
    with_function(IR, "nest", |host| {
        let cx = host.context();
        let sum = value(cx, "sum");
        assert_eq!(sum.opcode(), Some(Opcode::FAdd));
        assert!(sum.allows_reassociation() && sum.ty().is_float());
        assert_eq!(cx.store_size(sum.ty()), Some(8));
        assert_eq!(value(cx, "j.next").opcode(), Some(Opcode::Add));
        assert!(value(cx, "j.next").has_nsw() && value(cx, "j.next").has_nuw());
        let address = value(cx, "A.ij");
        assert!(address.is_inbounds());
        let row = address.gep_source_type().expect("a type");
        assert_eq!((row.print().as_str(), row.array_parts().expect("an array").1), ("[512 x double]", 512));
        assert_eq!(value(cx, "guard").predicate(), Some(Predicate::Sgt));
        assert_eq!(value(cx, "guard").operand(1).constant_int(), Some(0));
        assert_eq!(value(cx, "j").incoming().len(), 2);
        assert!(block(cx, "inner").terminator().is_conditional_branch());
        assert_eq!(block(cx, "inner").terminator().condition(), Some(value(cx, "inner.more")));
        assert_eq!(value(cx, "a").users(), [sum]);
        assert_eq!(value(cx, "a").ty().kind(), TypeKind::Float);
        assert_eq!(address.ty().kind(), TypeKind::Pointer(0));
        assert_eq!(cx.pointer_bits(0), 64);
        assert!(cx.target().vector_bits >= 32);
    });
}

#[test]
fn switches_and_attributes() {
    with_function(IR, "choose", |host| {
        let cx = host.context();
        let cases = block(cx, "entry").terminator().switch_cases();
        let shown: Vec<_> = cases.iter().map(|(value, block)| (value.constant_int(), block.name())).collect();
        assert_eq!(shown, [(Some(-3), "one".to_owned()), (Some(7), "other".to_owned())]);
        assert_eq!(names(&block(cx, "entry").successors()), ["other", "one", "other"]);
        let f = cx.function();
        assert_eq!(f.function_attribute("target-cpu").as_deref(), Some("znver4"));
        assert_eq!(f.function_attribute("poly"), None);
        assert!(!f.function_properties().optnone() && f.function_properties().no_free());
    });
}
