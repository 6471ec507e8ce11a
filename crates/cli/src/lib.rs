//! What the programs of this package share: the compilers with Poly switched on, and judging
//! schedules.
#![forbid(unsafe_code)]

pub mod cc;
pub mod judge;
