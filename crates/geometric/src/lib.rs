//! Geometric programs, and the integer points around their optima.
//!
//! # Definitions
//! A *monomial* is `c x_1^a_1 .. x_n^a_n` with `c > 0` and real `a_i`, over variables `x > 0`. A
//! *posynomial* is a sum of monomials. A *geometric program* asks for the least value of a
//! posynomial `f_0` where posynomials `f_i` are at most 1. With `y = log x` every posynomial
//! becomes `log sum exp(a_k y + b_k)`, which is convex: a local optimum is a global one
//! \[BoydEtAl2007\].
//!
//! Sizes of tiles are such variables: what a tile touches, how many tiles there are and what they
//! cost are sums of products of sizes \[RenganarayananRajopadhye2008\].
//!
//! # Parts
//! 1. [`Posynomial`]: arithmetic, evaluation.
//! 2. [`Program`]: the problem, and [`Program::minimize`], a barrier method with damped Newton
//!    steps.
//! 3. [`descend`]: from a real optimum to an integer one, ranked by any exact cost.
//!
//! # Guarantees
//! The same input gives the same output: sums have a fixed order, and no clock ends the search but
//! a number of steps. Among equal optima the one is found that is nearest to all ones, by
//! logarithm. These are floating-point numbers: nothing that must be exact may depend on them.
#![forbid(unsafe_code)]

mod descent;
mod newton;
mod posynomial;
mod program;

pub use descent::{Descended, descend};
pub use posynomial::{Monomial, Posynomial};
pub use program::{Accuracy, Program, Solution, Unsolved};
