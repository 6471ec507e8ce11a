//! Oracles for tests: isl behind a string interface, enumeration, and random input.
//!
//! Nothing that is shipped depends on this crate. [`isl`] wraps functions of libisl; values go in
//! and out as text, so that no representation is shared with the library under test. [`model`] has
//! random conditions that are decided point by point, [`function`] random piecewise functions that
//! are evaluated without any library. [`checks`] has a check for every operation, which draws its
//! inputs from a [`case`] and compares results. [`clock`] measures. [`quality`] says what a
//! schedule is good for. [`fuzzing`] has what fuzz targets do with the bytes they get, [`runner`]
//! runs many cases in processes of their own.

pub mod case;
pub mod checks;
pub mod clock;
pub mod function;
pub mod fuzzing;
pub mod generate;
pub mod isl;
pub mod model;
pub mod quality;
pub mod random;
pub mod runner;
