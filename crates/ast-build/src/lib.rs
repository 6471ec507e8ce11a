//! From schedule trees to loops: exact generation of an imperative program that runs every
//! statement instance of a schedule tree once, in the order of the schedule.
//!
//! * [`Ast`], [`Node`], [`Expr`], [`Cond`]: the generated program, printed in C syntax by `Display`.
//! * [`interpret`]: runs an [`Ast`] for given parameter values; the definition of its meaning.
//! * [`Statistics`]: how many loops, conditions, minima and maxima a program has.

#![forbid(unsafe_code)]

mod ast;
mod interpret;
mod print;
mod statistics;

pub use ast::{Ast, BandInfo, Cond, Expr, For, IterId, LoopIterator, Node};
pub use interpret::{evaluate, holds, interpret};
pub use statistics::Statistics;
