//! What the programs of this package share: the compilers with Poly switched on.
#![forbid(unsafe_code)]

pub mod cc;
