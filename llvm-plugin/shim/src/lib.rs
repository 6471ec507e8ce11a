//! What Poly needs of LLVM beyond its C API.
//!
//! The C++ half (`cpp/`) answers questions about one function: its loops, dominance, scalar
//! evolution, alias analysis, target; it also writes what the C API cannot write. The Rust half
//! gives these answers types.
//!
//! # Handles and lifetimes
//! [`ValueRef`], [`BlockRef`], [`TypeRef`], [`LoopRef`] and [`ScevRef`] are copyable handles of
//! LLVM's objects. Their lifetime `'c` is that of the [`PassContext`] they come from; a
//! [`PassHost`] lends one context at a time and takes it back before the analyses are computed anew
//! ([`PassHost::reload`]), so a handle of old analyses cannot be used with new ones. What the
//! lifetime does not say: a value that code generation erases must not be used any more.
//!
//! # Reading and building
//! User code is read through [`ir`]: unlike inkwell it accepts every type. inkwell is re-exported
//! for building.
//!
//! # LLVM versions
//! Cargo features choose one (`llvm19` to `llvm22`); LLVM's symbols are bound in the process that
//! loads the plugin. Test programs link LLVM themselves: features `llvm19-link` to `llvm22-link`,
//! module `testing`.

/// Calls a function of the shim.
macro_rules! shim {
    ($function:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: handles are only made by `unsafe` constructors, whose callers promise a live
        // object of the right kind, and by the shim itself; the other arguments are plain data or
        // point to data that outlives the call.
        unsafe { $crate::ffi::$function($($argument),*) }
    };
}

/// Calls a function of LLVM's C API.
macro_rules! llvm {
    ($function:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: as for `shim!`.
        unsafe { $function($($argument),*) }
    };
}

pub mod bindings;
pub mod cfg;
pub mod context;
pub mod counter;
pub mod debug;
pub mod expand;
pub mod extremes;
mod ffi;
mod handles;
pub mod ir;
pub mod library;
pub mod memory;
pub mod plugin;
pub mod remarks;
pub mod scev;
pub mod settled;
mod sinks;
pub mod surgery;
pub mod target;
#[cfg(llvm_linked)]
pub mod testing;
pub mod write;

pub use bindings::{
    Bindings, Chain, Counter, HoistedLoad, IrregularNest, MovingRead, NonAffineSubregion, Places, Role, Row, RowRead,
    Site, SiteKind, Sweeps,
};
pub use cfg::LoopRef;
pub use context::{PassContext, PassHost};
pub use extremes::{Best, Extreme, ExtremeLoop, Numbers, Stepper};
pub use handles::{BlockRef, TypeRef, ValueRef};
pub use inkwell;
pub use inkwell::llvm_sys;
pub use scev::{ScevKind, ScevRef};
