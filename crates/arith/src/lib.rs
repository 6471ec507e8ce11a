//! Exact arithmetic: integers of any size with a 64-bit fast path, rationals, and the coefficient
//! types that solver kernels are generic over.
//!
//! Three layers:
//!
//! 1. [`Int`]: an integer at rest. Sixteen bytes, inline while the value fits an `i64`, an integer
//!    of GMP, or of dashu (features `gmp` and `pure`), otherwise. The representation is canonical,
//!    so equality and hashing are structural.
//! 2. [`Rational`]: a reduced fraction of two [`Int`]s with a positive denominator.
//! 3. [`Coeff`]: what a solver kernel computes with. It is implemented by `i64`, where every
//!    operation reports [`Overflow`], and by [`Int`], which never overflows. A kernel is run on
//!    `i64` first and, on overflow, once more on [`Int`] from the same immutable input
//!    (transprecision, \[Pitchanathan2021\]).
//!
//! Nothing here wraps around silently: an operation gives the mathematical result or [`Overflow`].

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod coeff;
#[cfg_attr(
    not(feature = "gmp"),
    allow(clippy::useless_conversion, reason = "what rug computes is not done until it is converted")
)]
mod int;
mod rational;

pub use coeff::{Coeff, Overflow};
pub use int::{Int, ParseIntError};
pub use rational::Rational;

/// The examples of the package's README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
