//! The LLVM-free side of Poly: the model of a static control part, its simplifications and the
//! driver that takes a model to a plan for code generation.
//!
//! Nothing here links LLVM. Objects of the compiler are referred to by index newtypes
//! ([`ValueId`], [`LoopId`], ...) whose meaning only the two LLVM-facing crates know.
#![forbid(unsafe_code)]

mod model;

pub use model::*;
