//! Oracles for tests: isl behind a string interface, and random input.
//!
//! Nothing that is shipped depends on this crate. [`isl`] wraps a few functions of libisl; values go
//! in and out as text, so that no representation is shared with the library under test.
//! [`generate`] writes random sets, relations and functions as text that both sides parse.

pub mod generate;
pub mod isl;
