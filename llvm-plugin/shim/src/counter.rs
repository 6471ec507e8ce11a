//! Counters of loops as expressions.

use std::ffi::c_void;

use crate::ffi::RawContext;
use crate::handles::found;
use crate::{LoopRef, PassContext, ScevRef};

unsafe extern "C" {
    fn poly_scev_counter(c: *mut RawContext, l: *const c_void, like: *const c_void) -> *const c_void;
}

impl<'c> PassContext<'c> {
    /// The number of iterations of the loop that have been finished, with the width of another
    /// expression, which may not be [`crate::ScevKind::CouldNotCompute`].
    pub fn loop_counter(self, l: LoopRef<'c>, like: ScevRef<'c>) -> ScevRef<'c> {
        // SAFETY: as for `shim!`.
        let raw = unsafe { poly_scev_counter(self.raw(), l.raw(), like.raw()) };
        found!(ScevRef, raw)
    }
}
