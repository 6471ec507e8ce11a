//! The pure part of the work, contained.
//!
//! Nothing of LLVM is touched there. It has a stack that is large enough for deep data: passes run
//! on a thread of their own (`poly_shim::plugin`).

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::panics;

/// Does `work`. The error describes a panic.
pub(crate) fn run<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| panics::describe(payload.as_ref()))
}
