//! The analyses of one function, and what the data layout says about its types.

use std::fmt;
use std::marker::PhantomData;

use inkwell::llvm_sys::core::{LLVMGetModuleContext, LLVMGetModuleIdentifier};
use inkwell::llvm_sys::prelude::{LLVMContextRef, LLVMModuleRef};

use crate::ffi::{RawBackup, RawContext};
use crate::handles::found;
use crate::{TypeRef, ValueRef};

/// The function that the pass was called for, with access to its analyses.
#[derive(Debug)]
pub struct PassHost {
    raw: *mut RawContext,
}

impl PassHost {
    /// # Safety
    /// `raw` comes from the shim and outlives the host.
    pub(crate) unsafe fn new(raw: *mut RawContext) -> Self {
        Self { raw }
    }

    /// The analyses as they are now.
    pub fn context(&self) -> PassContext<'_> {
        PassContext { raw: self.raw, life: PhantomData }
    }

    /// Drops every analysis, because the function was changed; the next question computes it anew.
    pub fn reload(&mut self) {
        shim!(poly_context_reload(self.raw));
    }

    /// Lets the lanes of vectors of interleaved data have another order, at the end of the
    /// pipeline.
    pub fn mark_interleaved(&mut self) {
        shim!(poly_mark_interleaved(self.raw));
    }

    /// Runs the passes that generated code needs before the vectorizer sees it, on the function
    /// itself.
    pub fn clean_up(&mut self) {
        shim!(poly_clean_up(self.raw, self.context().function().raw()));
    }

    /// Keeps a copy of the function's body, to come back to. `None` for the few functions that
    /// cannot be restored (the address of one of their blocks is taken).
    pub fn backup(&self) -> Option<Backup> {
        let raw = shim!(poly_backup(self.raw));
        (!raw.is_null()).then_some(Backup { raw })
    }

    /// The function gets back the body that was copied; what was made since then is deleted,
    /// functions and global variables that were added to the module included.
    pub fn restore(&mut self, backup: Backup) {
        shim!(poly_backup_restore(self.raw, backup.raw));
    }
}

/// A copy of the function's body. It must go back through [`PassHost::restore`] or
/// [`Backup::discard`]: otherwise the copy stays in the module as a function of its own.
#[must_use]
#[derive(Debug)]
pub struct Backup {
    raw: *mut RawBackup,
}

impl Backup {
    /// The new body stays.
    pub fn discard(self) {
        shim!(poly_backup_discard(self.raw));
    }
}

/// Opaque access to the analyses of one function.
///
/// The other modules add the questions: loops and dominance ([`crate::cfg`]), expressions
/// ([`crate::scev`]), memory ([`crate::memory`]), debug information ([`crate::debug`]), target
/// ([`crate::target`]), remarks ([`crate::remarks`]), writing ([`crate::write`],
/// [`crate::expand`]).
#[derive(Clone, Copy)]
pub struct PassContext<'c> {
    raw: *mut RawContext,
    life: PhantomData<&'c PassHost>,
}

impl<'c> PassContext<'c> {
    pub(crate) fn raw(self) -> *mut RawContext {
        self.raw
    }

    /// The function.
    pub fn function(self) -> ValueRef<'c> {
        found!(ValueRef, shim!(poly_context_function(self.raw)))
    }

    /// Its module. Wrap it for inkwell in `ManuallyDrop`: dropping inkwell's `Module` frees the
    /// host's module.
    pub fn module(self) -> LLVMModuleRef {
        shim!(poly_context_module(self.raw))
    }

    /// The LLVM context of the module.
    pub fn llvm_context(self) -> LLVMContextRef {
        llvm!(LLVMGetModuleContext(self.module()))
    }

    /// Name of the module, usually the source file.
    pub fn module_name(self) -> String {
        let mut length = 0;
        let data = llvm!(LLVMGetModuleIdentifier(self.module(), &raw mut length));
        // SAFETY: the module owns a text of this length.
        let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), length) };
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// Whether the function has any loop.
    pub fn has_loops(self) -> bool {
        shim!(poly_context_has_loops(self.raw))
    }

    /// Bytes that a store of the type writes; `None` for types of unknown size.
    pub fn store_size(self, ty: TypeRef<'c>) -> Option<u64> {
        let mut size = 0;
        shim!(poly_type_store_size(self.raw, ty.raw(), &raw mut size)).then_some(size)
    }

    /// Bytes between neighbouring elements of an array; `None` for types of unknown size.
    pub fn alloc_size(self, ty: TypeRef<'c>) -> Option<u64> {
        let mut size = 0;
        shim!(poly_type_alloc_size(self.raw, ty.raw(), &raw mut size)).then_some(size)
    }

    /// Size without padding; `None` for types of unknown size.
    pub fn size_in_bits(self, ty: TypeRef<'c>) -> Option<u64> {
        let mut size = 0;
        shim!(poly_type_bits(self.raw, ty.raw(), &raw mut size)).then_some(size)
    }

    /// ABI alignment of a sized type in bytes.
    pub fn abi_alignment(self, ty: TypeRef<'c>) -> u32 {
        shim!(poly_type_abi_alignment(self.raw, ty.raw()))
    }

    /// Bits of a pointer.
    pub fn pointer_bits(self, address_space: u32) -> u32 {
        shim!(poly_pointer_bits(self.raw, address_space))
    }

    /// Bits that address arithmetic uses.
    pub fn index_bits(self, address_space: u32) -> u32 {
        shim!(poly_index_bits(self.raw, address_space))
    }

    /// Pointers of this address space have no stable integer value.
    pub fn is_non_integral(self, address_space: u32) -> bool {
        shim!(poly_is_non_integral(self.raw, address_space))
    }
}

impl fmt::Debug for PassContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PassContext({})", self.function().name())
    }
}
