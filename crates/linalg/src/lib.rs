//! Exact linear algebra over the integers: dense matrices, Hermite normal form and what follows
//! from it (kernels, integer solutions, unimodular completion), lattice reduction, and Gaussian
//! elimination over the rationals (rank, determinant, inverse, row span).
//!
//! Vectors of this crate are slices of [`Int`](poly_arith::Int). A basis is returned as a
//! [`Matrix`] whose *rows* are the basis vectors, whatever side the vectors multiply from.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod gauss;
pub mod hermite;
pub mod lll;
mod matrix;
pub mod vector;

pub use gauss::{Echelon, det, inverse_rational, is_in_row_span, rank, row_echelon};
pub use hermite::{Hermite, IntegerSolution, kernel, left_hermite, solve_integer, unimodular_complete};
pub use matrix::Matrix;

/// The examples of the package's README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
