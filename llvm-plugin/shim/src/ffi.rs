//! The C interface of `cpp/*.cpp`, as declared there.

use std::ffi::{c_char, c_uint, c_void};

use inkwell::llvm_sys::prelude::{
    LLVMBasicBlockRef, LLVMContextRef, LLVMMetadataRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef,
};

/// `PolyContext` of shim.h.
#[repr(C)]
pub(crate) struct RawContext {
    _opaque: [u8; 0],
}

/// `Expander` of expand.cpp.
#[repr(C)]
pub(crate) struct RawExpander {
    _opaque: [u8; 0],
}

/// `Backup` of cleanup.cpp.
#[repr(C)]
pub(crate) struct RawBackup {
    _opaque: [u8; 0],
}

pub(crate) type ScevPtr = *const c_void;
pub(crate) type LoopPtr = *const c_void;
pub(crate) type TextSink = unsafe extern "C" fn(*mut c_void, *const c_char, usize);
pub(crate) type PointerSink = unsafe extern "C" fn(*mut c_void, *const c_void);

/// `PolyText` of shim.h.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Text {
    pub(crate) data: *const c_char,
    pub(crate) length: usize,
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self { data: text.as_ptr().cast(), length: text.len() }
    }
}

/// `PolyInt128` of shim.h.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(crate) struct Int128 {
    low: u64,
    high: u64,
}

impl Int128 {
    pub(crate) fn value(self) -> i128 {
        ((u128::from(self.high) << 64) | u128::from(self.low)).cast_signed()
    }
}

/// `PolyTarget` of target.cpp.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(crate) struct RawTarget {
    pub(crate) vector_bits: u32,
    pub(crate) vector_registers: u32,
    pub(crate) cache_line_bytes: u32,
    pub(crate) l1_bytes: u32,
    pub(crate) l1_ways: u32,
    pub(crate) l2_bytes: u32,
    pub(crate) l2_ways: u32,
    pub(crate) max_interleave: u32,
}

/// `RemarkPart` of remarks.cpp.
#[repr(C)]
pub(crate) struct RawRemarkPart {
    pub(crate) key: Text,
    pub(crate) text: Text,
}

/// `OptionText` of plugin.cpp.
#[repr(C)]
pub(crate) struct RawOption {
    pub(crate) name: Text,
    pub(crate) help: Text,
    pub(crate) value_name: Text,
    pub(crate) value_required: bool,
    pub(crate) hidden: bool,
}

/// `PluginTable` of plugin.cpp.
#[repr(C)]
pub(crate) struct RawPluginTable {
    pub(crate) parse_pass: unsafe extern "C" fn(Text, *mut *mut c_void) -> u32,
    pub(crate) pipeline_pass: unsafe extern "C" fn(u32) -> *mut c_void,
    pub(crate) run: unsafe extern "C" fn(*mut c_void, *mut RawContext) -> bool,
    pub(crate) wants_functions_without_loops: unsafe extern "C" fn(*mut c_void) -> bool,
    pub(crate) print_pipeline: unsafe extern "C" fn(*mut c_void, TextSink, *mut c_void),
    pub(crate) drop_pass: unsafe extern "C" fn(*mut c_void),
}

pub(crate) type ValidateOption = unsafe extern "C" fn(Text, Text, TextSink, *mut c_void);

macro_rules! declare {
    ($($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        unsafe extern "C" {
            $(pub(crate) fn $name($($argument: $type),*) $(-> $result)?;)*
        }
    };
}

type Cx = *mut RawContext;
type Value = LLVMValueRef;
type Block = LLVMBasicBlockRef;
type Type = LLVMTypeRef;
type Data = *mut c_void;
type Md = LLVMMetadataRef;

// context.cpp
declare! {
    poly_context_function(c: Cx) -> Value;
    poly_context_module(c: Cx) -> LLVMModuleRef;
    poly_context_has_loops(c: Cx) -> bool;
    poly_context_reload(c: Cx);
    poly_type_store_size(c: Cx, t: Type, out: *mut u64) -> bool;
    poly_type_alloc_size(c: Cx, t: Type, out: *mut u64) -> bool;
    poly_type_bits(c: Cx, t: Type, out: *mut u64) -> bool;
    poly_type_abi_alignment(c: Cx, t: Type) -> c_uint;
    poly_pointer_bits(c: Cx, address_space: c_uint) -> c_uint;
    poly_index_bits(c: Cx, address_space: c_uint) -> c_uint;
    poly_is_non_integral(c: Cx, address_space: c_uint) -> bool;
}

// loops.cpp
declare! {
    poly_top_level_loops(c: Cx, sink: PointerSink, into: Data);
    poly_loop_subloops(l: LoopPtr, sink: PointerSink, into: Data);
    poly_loop_for(c: Cx, b: Block) -> LoopPtr;
    poly_loop_parent(l: LoopPtr) -> LoopPtr;
    poly_loop_depth(l: LoopPtr) -> c_uint;
    poly_loop_header(l: LoopPtr) -> Block;
    poly_loop_preheader(l: LoopPtr) -> Block;
    poly_loop_latch(l: LoopPtr) -> Block;
    poly_loop_exit_block(l: LoopPtr) -> Block;
    poly_loop_exiting_block(l: LoopPtr) -> Block;
    poly_loop_blocks(l: LoopPtr, sink: PointerSink, into: Data);
    poly_loop_latches(l: LoopPtr, sink: PointerSink, into: Data);
    poly_loop_exit_blocks(l: LoopPtr, sink: PointerSink, into: Data);
    poly_loop_exiting_blocks(l: LoopPtr, sink: PointerSink, into: Data);
    poly_loop_contains_block(l: LoopPtr, b: Block) -> bool;
    poly_loop_contains_loop(l: LoopPtr, inner: LoopPtr) -> bool;
    poly_loop_is_simplified(l: LoopPtr) -> bool;
    poly_loop_has_property(l: LoopPtr, name: Text) -> bool;
    poly_loop_must_progress(l: LoopPtr) -> bool;
    poly_block_dominates(c: Cx, a: Block, b: Block) -> bool;
    poly_block_post_dominates(c: Cx, a: Block, b: Block) -> bool;
    poly_value_dominates(c: Cx, definition: Value, user: Value) -> bool;
    poly_immediate_dominator(c: Cx, b: Block) -> Block;
    poly_immediate_post_dominator(c: Cx, b: Block) -> Block;
    poly_common_dominator(c: Cx, a: Block, b: Block) -> Block;
    poly_is_reachable(c: Cx, b: Block) -> bool;
    poly_block_predecessors(b: Block, sink: PointerSink, into: Data);
    poly_block_successors(b: Block, sink: PointerSink, into: Data);
    poly_switch_cases(v: Value, sink: PointerSink, into: Data);
    poly_block_label(b: Block, sink: TextSink, into: Data);
    poly_reverse_post_order(c: Cx, sink: PointerSink, into: Data);
}

// scev.cpp
declare! {
    poly_scev_of(c: Cx, v: Value) -> ScevPtr;
    poly_scev_at_scope(c: Cx, s: ScevPtr, l: LoopPtr) -> ScevPtr;
    poly_backedge_taken_count(c: Cx, l: LoopPtr) -> ScevPtr;
    poly_constant_max_backedge_taken_count(c: Cx, l: LoopPtr) -> ScevPtr;
    poly_exit_count(c: Cx, l: LoopPtr, exiting: Block) -> ScevPtr;
    poly_scev_kind(s: ScevPtr) -> u32;
    poly_scev_operands(s: ScevPtr, sink: PointerSink, into: Data);
    poly_scev_addrec_loop(s: ScevPtr) -> LoopPtr;
    poly_scev_wrap_flags(s: ScevPtr) -> u32;
    poly_scev_constant(s: ScevPtr, out: *mut Int128) -> bool;
    poly_scev_unknown_value(s: ScevPtr) -> Value;
    poly_scev_type(s: ScevPtr) -> Type;
    poly_scev_bits(c: Cx, s: ScevPtr) -> c_uint;
    poly_scev_print(s: ScevPtr, sink: TextSink, into: Data);
    poly_scev_is_invariant(c: Cx, s: ScevPtr, l: LoopPtr) -> bool;
    poly_scev_dominates(c: Cx, s: ScevPtr, b: Block) -> bool;
    poly_scev_pointer_base(c: Cx, s: ScevPtr) -> ScevPtr;
    poly_scev_range(c: Cx, s: ScevPtr, signed: bool, min: *mut Int128, max: *mut Int128, fits: *mut bool);
    poly_scev_is_known(c: Cx, predicate: u32, a: ScevPtr, b: ScevPtr) -> bool;
    poly_scev_is_known_at(c: Cx, predicate: u32, a: ScevPtr, b: ScevPtr, at: Value) -> bool;
    poly_scev_is_entry_guarded(c: Cx, l: LoopPtr, predicate: u32, a: ScevPtr, b: ScevPtr) -> bool;
    poly_scev_apply_guards(c: Cx, s: ScevPtr, l: LoopPtr) -> ScevPtr;
    poly_scev_add(c: Cx, a: ScevPtr, b: ScevPtr) -> ScevPtr;
    poly_scev_mul(c: Cx, a: ScevPtr, b: ScevPtr) -> ScevPtr;
    poly_scev_replace(c: Cx, s: ScevPtr, from: *const LLVMValueRef, to: *const LLVMValueRef, count: usize) -> ScevPtr;
    poly_scev_with_recurrence(c: Cx, s: ScevPtr, phi: LLVMValueRef) -> ScevPtr;
    poly_scev_minus(c: Cx, a: ScevPtr, b: ScevPtr) -> ScevPtr;
    poly_scev_udiv(c: Cx, a: ScevPtr, b: ScevPtr) -> ScevPtr;
    poly_scev_smax(c: Cx, a: ScevPtr, b: ScevPtr) -> ScevPtr;
    poly_scev_smin(c: Cx, a: ScevPtr, b: ScevPtr) -> ScevPtr;
    poly_scev_umax(c: Cx, a: ScevPtr, b: ScevPtr) -> ScevPtr;
    poly_scev_umin(c: Cx, a: ScevPtr, b: ScevPtr) -> ScevPtr;
    poly_scev_int(c: Cx, t: Type, value: i64) -> ScevPtr;
    poly_scev_zext(c: Cx, s: ScevPtr, t: Type) -> ScevPtr;
    poly_scev_sext(c: Cx, s: ScevPtr, t: Type) -> ScevPtr;
    poly_scev_trunc(c: Cx, s: ScevPtr, t: Type) -> ScevPtr;
}

// memory.cpp
declare! {
    poly_alias_objects(c: Cx, a: Value, b: Value) -> u32;
    poly_alias_accesses(c: Cx, a: Value, b: Value) -> u32;
    poly_alias_typed_accesses(c: Cx, a: Value, b: Value) -> u32;
    poly_may_see(c: Cx, call: Value, pointer: Value) -> bool;
    poly_is_identified_object(v: Value) -> bool;
    poly_underlying_object(v: Value) -> Value;
    poly_points_to_constant(c: Cx, v: Value) -> bool;
    poly_is_dereferenceable(c: Cx, v: Value, bytes: u64, at: Value) -> bool;
    poly_opcode(v: Value) -> u32;
    poly_name_of_opcode(opcode: u32) -> *const c_char;
    poly_opcode_name(i: Value) -> *const c_char;
    poly_instruction_effects(i: Value) -> u32;
    poly_is_speculatable(c: Cx, i: Value, at: Value) -> bool;
    poly_is_never_poison(c: Cx, v: Value, at: Value) -> bool;
    poly_call_properties(v: Value) -> u32;
    poly_is_number_by_type(v: Value) -> bool;
    poly_same_operation(a: Value, b: Value) -> bool;
    poly_call_callee(v: Value) -> Value;
    poly_intrinsic_name(v: Value, sink: TextSink, into: Data);
    poly_is_mark(v: Value) -> bool;
}

// debug.cpp
declare! {
    poly_instruction_place(i: Value, sink: TextSink, into: Data, line: *mut c_uint, column: *mut c_uint) -> bool;
    poly_loop_place(l: LoopPtr, sink: TextSink, into: Data, line: *mut c_uint, column: *mut c_uint) -> bool;
    poly_loop_last_line(l: LoopPtr) -> c_uint;
    poly_function_place(f: Value, sink: TextSink, into: Data, line: *mut c_uint) -> bool;
    poly_variable_name(v: Value, sink: TextSink, into: Data) -> bool;
    poly_describe_function(parent: Value, made: Value) -> bool;
    poly_copy_place(i: Value, like: Value);
    poly_set_artificial_place(i: Value);
}

// target.cpp
declare! {
    poly_target(c: Cx, out: *mut RawTarget);
    poly_function_properties(f: Value) -> u32;
    poly_function_attribute(f: Value, name: Text, sink: TextSink, into: Data) -> bool;
    poly_function_annotations(f: Value, sink: TextSink, into: Data);
    poly_set_function_attribute(f: Value, name: Text, value: Text);
}

// library.cpp
declare! {
    poly_library_function(c: Cx, v: Value, sink: TextSink, into: Data);
    poly_may_allocate(c: Cx) -> bool;
    poly_errno_location(c: Cx, sink: TextSink, into: Data);
}

// write.cpp
declare! {
    poly_md_node(c: LLVMContextRef, operands: *mut Md, count: usize) -> Md;
    poly_md_distinct(c: LLVMContextRef, operands: *mut Md, count: usize) -> Md;
    poly_md_self_reference(c: LLVMContextRef, operands: *mut Md, count: usize) -> Md;
    poly_md_string(c: LLVMContextRef, text: Text) -> Md;
    poly_md_int(c: LLVMContextRef, bits: c_uint, value: u64) -> Md;
    poly_set_metadata(i: Value, kind: Text, node: Md);
    poly_mark_new(branch: Value);
    poly_get_metadata(i: Value, kind: Text) -> Md;
    poly_append_metadata_list(i: Value, kind: Text, node: Md);
    poly_clone_instruction(i: Value) -> Value;
    poly_masked_load(b: inkwell::llvm_sys::prelude::LLVMBuilderRef, of: Type, from: Value, mask: Value, alignment: c_uint) -> Value;
    poly_masked_store(b: inkwell::llvm_sys::prelude::LLVMBuilderRef, what: Value, to: Value, mask: Value, alignment: c_uint) -> Value;
    poly_masked_gather(b: inkwell::llvm_sys::prelude::LLVMBuilderRef, of: Type, from: Value, mask: Value, alignment: c_uint) -> Value;
    poly_masked_scatter(b: inkwell::llvm_sys::prelude::LLVMBuilderRef, what: Value, to: Value, mask: Value, alignment: c_uint) -> Value;
    poly_widen_instruction(b: inkwell::llvm_sys::prelude::LLVMBuilderRef, i: Value, operands: *const Value, count: usize, lanes: u32) -> Value;
    poly_insert_at_end(i: Value, b: Block);
    poly_insert_before(i: Value, before: Value);
    poly_drop_poison_flags(i: Value);
    poly_copy_codegen_attributes(from: Value, to: Value);
    poly_drop_inferred_effects(f: Value);
    poly_verify_function(f: Value, sink: TextSink, into: Data) -> bool;
    poly_erase_function(f: Value);
    poly_split_edge(c: Cx, from: Block, to: Block, name: Text) -> Block;
    poly_split_block(c: Cx, at: Value, name: Text) -> Block;
}

// expand.cpp
declare! {
    poly_expander_new(c: Cx) -> *mut RawExpander;
    poly_expander_delete(e: *mut RawExpander);
    poly_is_safe_to_expand(e: *mut RawExpander, s: ScevPtr, at: Value) -> bool;
    poly_expand(e: *mut RawExpander, s: ScevPtr, t: Type, at: Value) -> Value;
}

// remarks.cpp
declare! {
    poly_remarks_wanted(c: Cx) -> bool;
    poly_instruction_location(i: Value) -> Md;
    poly_loop_location(l: LoopPtr) -> Md;
    poly_remark(c: Cx, kind: u32, name: Text, location: Md, parts: *const RawRemarkPart, count: usize);
    poly_warn(f: Value, message: Text);
    poly_error(f: Value, message: Text);
    poly_print_error_stream(text: Text);
}

// cleanup.cpp
declare! {
    poly_clean_up(c: Cx, f: Value);
    poly_backup(c: Cx) -> *mut RawBackup;
    poly_backup_discard(b: *mut RawBackup);
    poly_backup_restore(c: Cx, b: *mut RawBackup);
}

// interleaved.cpp
declare! {
    poly_mark_interleaved(c: Cx);
}

// plugin.cpp
declare! {
    poly_plugin_info(out: *mut c_void, table: *const RawPluginTable, name: *const c_char, version: *const c_char);
    poly_register_options(options: *const RawOption, count: usize, validate: ValidateOption);
    poly_option_value(number: usize, sink: TextSink, into: Data) -> bool;
}

// testing.cpp
#[cfg(llvm_linked)]
declare! {
    poly_test_function(
        ir: Text,
        name: Text,
        pipeline: Text,
        body: unsafe extern "C" fn(Data, Cx),
        data: Data,
        sink: TextSink,
        into: Data
    ) -> bool;
}
