//! From scalar evolution back to instructions.

use std::marker::PhantomData;

use crate::ffi::RawExpander;
use crate::handles::found;
use crate::{PassContext, ScevRef, TypeRef, ValueRef};

/// Writes instructions that compute expressions. What one expander has written it uses again where
/// it is available.
#[derive(Debug)]
pub struct Expander<'c> {
    raw: *mut RawExpander,
    life: PhantomData<&'c ()>,
}

impl<'c> Expander<'c> {
    /// A new expander.
    pub fn new(context: PassContext<'c>) -> Self {
        Self { raw: shim!(poly_expander_new(context.raw())), life: PhantomData }
    }

    /// All values are available at the instruction, and computing them there cannot fault.
    pub fn is_safe_at(&self, scev: ScevRef<'c>, at: ValueRef<'c>) -> bool {
        shim!(poly_is_safe_to_expand(self.raw, scev.raw(), at.raw()))
    }

    /// The value of the expression at the instruction `before`; needed instructions are inserted
    /// there (or, where that is right, further out). `ty` has the width of the expression's type.
    pub fn expand(&mut self, scev: ScevRef<'c>, ty: TypeRef<'c>, before: ValueRef<'c>) -> ValueRef<'c> {
        found!(ValueRef, shim!(poly_expand(self.raw, scev.raw(), ty.raw(), before.raw())))
    }

    /// The same in the expression's own type.
    pub fn expand_own(&mut self, scev: ScevRef<'c>, before: ValueRef<'c>) -> ValueRef<'c> {
        let ty = scev.ty().expect("only expressions that could be computed are expanded");
        self.expand(scev, ty, before)
    }
}

impl Drop for Expander<'_> {
    fn drop(&mut self) {
        shim!(poly_expander_delete(self.raw));
    }
}
