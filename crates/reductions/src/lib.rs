//! Simplification of reductions: the same answers with fewer operations.
//!
//! # Problem
//! `for i: y[i] = sum of a[0..i]` adds `n (n - 1) / 2` times, although `y[i]` is `y[i - 1] + a[i]`.
//! Neighbouring answers share most of what they combine. This crate finds such sharing in
//! reductions over sets of integer points, and writes the same answers as a small system of
//! equations.
//!
//! # Definitions
//! A *reduction* is `Y[f(x)] = (+) over x in D of E(x)`: the *body domain* `D` is a polyhedron of
//! integer points with parameters, the *projection* `f` is affine and says which answer a point
//! contributes to, `E(x)` is a product of *factors*, each of which reads a value at an affine
//! function of `x`, and `(+)` is associative and commutative ([`Operator`]). The *accumulation
//! space* is the kernel of `f`: directions in which the answer stays. The *reuse space* is the
//! common kernel of all factors: directions in which the value stays.
//!
//! # Algorithm \[GautamRajopadhye2006\]
//! 1. *Recurrence* ([`recurrence`]): along a reuse vector `rho` with `s = f(rho)` other than zero,
//!    `Y[z]` is `Y[z - s]` with what the shift of `D` by `rho` brings and without what it loses.
//! 2. *Decomposition* ([`decompose`]): the reduction becomes an inner one, and an outer one over
//!    its answers. Factors that do not move with the inner one stay outside (distributivity), an
//!    inner one of equal values is a number of points, and inner answers that are all equal along
//!    some direction are one answer.
//! 3. *Blocks* ([`blocks`]): where nothing can be taken out, windows of constant width are cut into
//!    suffixes and prefixes of blocks.
//! 4. *Doubling* ([`doubling`]): intervals of any width are two overlapping ones whose width is a
//!    power of two.
//! 5. *Search* ([`simplify`]): all are applied recursively, to residues and parts; the best system
//!    has the lowest degree, then the fewest operations, counted exactly at given sizes.
//! 6. *Coordinates* ([`basis`]) of answers may be others afterwards, as a caller likes.
//!
//! # Invariants
//! Nothing of this has to be believed: [`verify`] proves for the finished system that every answer
//! combines the same values as before, each as often as before, by code that shares nothing with
//! the search.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod basis;
mod blocks;
mod count;
mod decompose;
mod directions;
mod doubling;
mod function;
mod interpret;
mod operator;
mod recurrence;
mod reduction;
mod simplify;
mod system;
mod verify;

#[cfg(test)]
mod tests;

pub use count::{Cost, cost};
pub use function::Function;
pub use interpret::{Leaves, evaluate};
pub use operator::Operator;
pub use reduction::{AnswerId, Factor, LeafId, Reduction, Source};
pub use simplify::{Options, Shifts, Tie, simplify};
pub use system::{Equation, System, Term};
pub use verify::{Verdict, verify};
