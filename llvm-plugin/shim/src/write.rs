//! Writing IR beyond the C API: metadata, attributes, cloned instructions, split blocks,
//! verification.
//!
//! All functions change the module at once. Dominator tree and loops are kept right where a
//! function says so; scalar evolution does not know of changes: finish all questions first, or
//! [`crate::PassHost::reload`].

use std::ffi::c_void;
use std::marker::PhantomData;

use inkwell::llvm_sys::LLVMOpaqueMetadata;
use inkwell::llvm_sys::prelude::LLVMBuilderRef;

use crate::handles::{found, found_or_none, handle};
use crate::{BlockRef, PassContext, TypeRef, ValueRef, sinks};

handle! {
    /// A metadata node or string.
    MetadataRef(*mut LLVMOpaqueMetadata)
}

impl std::fmt::Debug for MetadataRef<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Metadata({:p})", self.raw().cast::<c_void>())
    }
}

/// Metadata.
impl<'c> PassContext<'c> {
    fn node(
        self,
        operands: &[MetadataRef<'c>],
        make: impl FnOnce(*mut *mut LLVMOpaqueMetadata, usize) -> *mut LLVMOpaqueMetadata,
    ) -> MetadataRef<'c> {
        let mut raw: Vec<_> = operands.iter().map(|operand| operand.raw()).collect();
        found!(MetadataRef, make(raw.as_mut_ptr(), raw.len()))
    }

    /// `!{...}`; equal nodes are one node.
    pub fn md_node(self, operands: &[MetadataRef<'c>]) -> MetadataRef<'c> {
        self.node(operands, |data, count| shim!(poly_md_node(self.llvm_context(), data, count)))
    }

    /// `distinct !{...}`.
    pub fn md_distinct(self, operands: &[MetadataRef<'c>]) -> MetadataRef<'c> {
        self.node(operands, |data, count| shim!(poly_md_distinct(self.llvm_context(), data, count)))
    }

    /// A distinct node whose first operand is itself; `operands` follow.
    pub fn md_self_reference(self, operands: &[MetadataRef<'c>]) -> MetadataRef<'c> {
        self.node(operands, |data, count| shim!(poly_md_self_reference(self.llvm_context(), data, count)))
    }

    /// A string.
    pub fn md_string(self, text: &str) -> MetadataRef<'c> {
        found!(MetadataRef, shim!(poly_md_string(self.llvm_context(), text.into())))
    }

    /// An integer constant.
    pub fn md_int(self, bits: u32, value: u64) -> MetadataRef<'c> {
        found!(MetadataRef, shim!(poly_md_int(self.llvm_context(), bits, value)))
    }

    /// An access group, for `llvm.access.group` of accesses and `llvm.loop.parallel_accesses` of
    /// loops.
    pub fn access_group(self) -> MetadataRef<'c> {
        self.md_distinct(&[])
    }

    /// A loop id with properties, each from [`PassContext::md_property`]; set it as `llvm.loop` of
    /// the latch's branch.
    pub fn loop_id(self, properties: &[MetadataRef<'c>]) -> MetadataRef<'c> {
        self.md_self_reference(properties)
    }

    /// A property: its name and what it is about.
    pub fn md_property(self, name: &str, about: &[MetadataRef<'c>]) -> MetadataRef<'c> {
        let mut operands = vec![self.md_string(name)];
        operands.extend_from_slice(about);
        self.md_node(&operands)
    }

    /// A domain of alias scopes.
    pub fn alias_domain(self, name: &str) -> MetadataRef<'c> {
        self.md_self_reference(&[self.md_string(name)])
    }

    /// A scope of the domain. Lists of scopes ([`PassContext::md_node`]) are set as `alias.scope`
    /// and `noalias`.
    pub fn alias_scope(self, domain: MetadataRef<'c>, name: &str) -> MetadataRef<'c> {
        self.md_self_reference(&[domain, self.md_string(name)])
    }
}

/// Instructions.
impl<'c> ValueRef<'c> {
    /// Sets metadata by name.
    pub fn set_metadata(self, kind: &str, node: MetadataRef<'_>) {
        self.assert_instruction();
        shim!(poly_set_metadata(self.raw(), kind.into(), node.raw()));
    }

    /// Says that a conditional branch leads to new code, or to a further check, if its condition
    /// holds.
    pub fn mark_new_code(self) {
        self.assert_instruction();
        shim!(poly_mark_new(self.raw()));
    }

    /// Removes metadata by name.
    pub fn remove_metadata(self, kind: &str) {
        self.assert_instruction();
        shim!(poly_set_metadata(self.raw(), kind.into(), std::ptr::null_mut()));
    }

    /// Metadata by name.
    pub fn metadata(self, kind: &str) -> Option<MetadataRef<'c>> {
        self.assert_instruction();
        found_or_none!(MetadataRef, shim!(poly_get_metadata(self.raw(), kind.into())))
    }

    /// Adds the nodes of the list `nodes` to the list that the instruction has (`noalias`,
    /// `alias.scope`).
    pub fn append_metadata_list(self, kind: &str, nodes: MetadataRef<'_>) {
        self.assert_instruction();
        shim!(poly_append_metadata_list(self.raw(), kind.into(), nodes.raw()));
    }

    /// A copy with the same operands, flags and metadata, in no block yet.
    pub fn clone_instruction(self) -> ValueRef<'c> {
        self.assert_instruction();
        found!(ValueRef, shim!(poly_clone_instruction(self.raw())))
    }

    /// Writes the instruction for several lanes at once at the place of `builder`: operands are
    /// vectors, flags are kept. `None` if it has no such form.
    ///
    /// # Safety
    /// `builder` is a builder of the same context that stands at some place.
    pub unsafe fn widen(self, builder: LLVMBuilderRef, operands: &[ValueRef<'c>], lanes: u32) -> Option<ValueRef<'c>> {
        self.assert_instruction();
        let raw: Vec<_> = operands.iter().map(|o| o.raw()).collect();
        found_or_none!(ValueRef, shim!(poly_widen_instruction(builder, self.raw(), raw.as_ptr(), raw.len(), lanes)))
    }

    /// Writes a load of the lanes for which `mask` is true (the others are zero) from this address
    /// at the place of `builder`.
    ///
    /// # Safety
    /// `builder` is a builder of the same context that stands at some place.
    pub unsafe fn masked_load(
        self,
        builder: LLVMBuilderRef,
        of: TypeRef<'c>,
        mask: ValueRef<'c>,
        alignment: u32,
    ) -> ValueRef<'c> {
        found!(ValueRef, shim!(poly_masked_load(builder, of.raw(), self.raw(), mask.raw(), alignment)))
    }

    /// Writes a store of the lanes of this value for which `mask` is true at the place of
    /// `builder`.
    ///
    /// # Safety
    /// `builder` is a builder of the same context that stands at some place.
    pub unsafe fn masked_store(
        self,
        builder: LLVMBuilderRef,
        to: ValueRef<'c>,
        mask: ValueRef<'c>,
        alignment: u32,
    ) -> ValueRef<'c> {
        found!(ValueRef, shim!(poly_masked_store(builder, self.raw(), to.raw(), mask.raw(), alignment)))
    }

    /// Writes a load of the lanes for which `mask` is true (the others are zero) from this vector
    /// of addresses at the place of `builder`.
    ///
    /// # Safety
    /// `builder` is a builder of the same context that stands at some place.
    pub unsafe fn masked_gather(
        self,
        builder: LLVMBuilderRef,
        of: TypeRef<'c>,
        mask: ValueRef<'c>,
        alignment: u32,
    ) -> ValueRef<'c> {
        found!(ValueRef, shim!(poly_masked_gather(builder, of.raw(), self.raw(), mask.raw(), alignment)))
    }

    /// Writes a store of the lanes of this value for which `mask` is true, to a vector of
    /// addresses, at the place of `builder`.
    ///
    /// # Safety
    /// `builder` is a builder of the same context that stands at some place.
    pub unsafe fn masked_scatter(
        self,
        builder: LLVMBuilderRef,
        to: ValueRef<'c>,
        mask: ValueRef<'c>,
        alignment: u32,
    ) -> ValueRef<'c> {
        found!(ValueRef, shim!(poly_masked_scatter(builder, self.raw(), to.raw(), mask.raw(), alignment)))
    }

    /// Puts an instruction that is in no block at the end of one.
    pub fn insert_at_end(self, block: BlockRef<'_>) {
        self.assert_instruction();
        shim!(poly_insert_at_end(self.raw(), block.raw()));
    }

    /// Puts an instruction that is in no block before another one.
    pub fn insert_before(self, position: ValueRef<'_>) {
        self.assert_instruction();
        shim!(poly_insert_before(self.raw(), position.raw()));
    }

    /// Removes flags and metadata whose violation is poison: `nsw`, `inbounds`, `!range`, `nnan`,
    /// ...
    pub fn drop_poison_flags(self) {
        self.assert_instruction();
        shim!(poly_drop_poison_flags(self.raw()));
    }

    fn assert_instruction(self) {
        assert!(self.is_instruction(), "not an instruction: {self:?}");
    }
}

/// Functions.
impl ValueRef<'_> {
    /// Gives the function `to` what it needs so that code of this one means and costs the same in
    /// it: target, floating-point and stack protection attributes, nounwind. Nothing that says what
    /// the function does.
    pub fn copy_codegen_attributes(self, to: ValueRef<'_>) {
        assert!(self.is_function() && to.is_function(), "not functions");
        shim!(poly_copy_codegen_attributes(self.raw(), to.raw()));
    }

    /// Removes `memory`, `nosync`, `nofree`, `norecurse`, `willreturn`, `speculatable`: facts
    /// inferred from the old body.
    pub fn drop_inferred_effects(self) {
        assert!(self.is_function(), "not a function");
        shim!(poly_drop_inferred_effects(self.raw()));
    }

    /// Checks a function; the error is the verifier's text.
    pub fn verify(self) -> Result<(), String> {
        assert!(self.is_function(), "not a function");
        let (right, text) = sinks::text(|sink, into| shim!(poly_verify_function(self.raw(), sink, into)));
        if right { Ok(()) } else { Err(text) }
    }

    /// Deletes a function that nothing refers to.
    pub fn erase_function(self) {
        assert!(self.is_function(), "not a function");
        shim!(poly_erase_function(self.raw()));
    }
}

/// Blocks.
impl<'c> PassContext<'c> {
    /// Puts a new block on the edge and returns it; dominator tree and loops are kept right.
    pub fn split_edge(self, from: BlockRef<'c>, to: BlockRef<'c>, name: &str) -> BlockRef<'c> {
        found!(BlockRef, shim!(poly_split_edge(self.raw(), from.raw(), to.raw(), name.into())))
    }

    /// Moves `at` and what follows in its block to a new block, which is returned; dominator tree
    /// and loops are kept right.
    pub fn split_block(self, at: ValueRef<'c>, name: &str) -> BlockRef<'c> {
        at.assert_instruction();
        found!(BlockRef, shim!(poly_split_block(self.raw(), at.raw(), name.into())))
    }
}
