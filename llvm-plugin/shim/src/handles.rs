//! Copyable handles of LLVM objects.
//!
//! Equality and hashing are those of the address. There is no order: addresses change from run to
//! run, and so would results.

use std::fmt;
use std::marker::PhantomData;

use inkwell::basic_block::BasicBlock;
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMTypeRef, LLVMValueRef};
use inkwell::types::AsTypeRef;
use inkwell::values::AsValueRef;

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident($raw:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name<'c> {
            raw: $raw,
            life: PhantomData<&'c ()>,
        }

        impl<'c> $name<'c> {
            /// A handle of what `raw` refers to.
            ///
            /// # Safety
            /// `raw` is not null and refers to an object of this kind that lives during `'c`.
            pub unsafe fn new(raw: $raw) -> Self {
                Self { raw, life: PhantomData }
            }

            /// The same for a reference that may be null.
            ///
            /// # Safety
            /// As for `new`, unless `raw` is null.
            pub unsafe fn new_or_none(raw: $raw) -> Option<Self> {
                // SAFETY: the caller's promise.
                (!raw.is_null()).then(|| unsafe { Self::new(raw) })
            }

            /// The reference for llvm-sys, or for inkwell's constructors.
            pub fn raw(self) -> $raw {
                self.raw
            }
        }
    };
}
pub(crate) use handle;

handle! {
    /// A value: an instruction, argument, constant, global or function.
    ValueRef(LLVMValueRef)
}
handle! {
    /// A basic block.
    BlockRef(LLVMBasicBlockRef)
}
handle! {
    /// A type.
    TypeRef(LLVMTypeRef)
}

/// The handle of a reference that LLVM or the shim returned and that is never null.
macro_rules! found {
    ($name:ident, $raw:expr) => {{
        let raw = $raw;
        debug_assert!(!raw.is_null(), "LLVM returned no object");
        // SAFETY: it comes from LLVM, about an object of the same context.
        unsafe { $name::new(raw) }
    }};
}
pub(crate) use found;

/// The handle of a reference that LLVM or the shim returned, null meaning none.
macro_rules! found_or_none {
    ($name:ident, $raw:expr) => {{
        let raw = $raw;
        // SAFETY: it comes from LLVM, about an object of the same context.
        unsafe { $name::new_or_none(raw) }
    }};
}
pub(crate) use found_or_none;

/// The handles of the pointers that the shim sent.
macro_rules! found_list {
    ($name:ident, $send:expr) => {
        $crate::sinks::pointers($send)
            .into_iter()
            .map(|raw| {
                // SAFETY: as above.
                unsafe { $name::new(raw.cast_mut().cast()) }
            })
            .collect()
    };
}
pub(crate) use found_list;

impl ValueRef<'_> {
    /// The handle of a value that inkwell knows.
    pub fn of(value: &impl AsValueRef) -> Self {
        found!(ValueRef, value.as_value_ref())
    }
}

impl BlockRef<'_> {
    /// The handle of a block that inkwell knows.
    pub fn of(block: BasicBlock<'_>) -> Self {
        found!(BlockRef, block.as_mut_ptr())
    }
}

impl TypeRef<'_> {
    /// The handle of a type that inkwell knows.
    pub fn of(ty: &impl AsTypeRef) -> Self {
        found!(TypeRef, ty.as_type_ref())
    }
}

impl fmt::Debug for ValueRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.print().trim())
    }
}

impl fmt::Debug for BlockRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.name())
    }
}

impl fmt::Debug for TypeRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.print())
    }
}
