//! From schedule trees to loops: exact generation of an imperative program that runs every
//! statement instance of a schedule tree once, in the order of the schedule \[Grosser2015\],
//! \[Quillere2000\], \[Bastoul2004\].
//!
//! * [`build`]: generates the program.
//! * [`Ast`], [`Node`], [`Expr`], [`Cond`]: the program, printed in C syntax by `Display`.
//! * [`CStyle`], [`AstVisitor`]: how it is written in C, and what others put in the place of its
//!   nodes.
//! * [`interpret`]: runs an [`Ast`] for given parameter values; the definition of its meaning.
//! * [`Statistics`]: how many loops, conditions, minima and maxima a program has.
//!
//! How generation works: `build.rs` walks the tree, `level.rs` makes the loops of one schedule
//! dimension, `grid.rs` says what loops over tiles of parametric sizes are, `shadow.rs` finds the
//! values of a counter, `partition.rs` cuts them into ranges, `refine.rs` finds out which
//! conditions are still to be tested, `graft.rs` moves conditions outwards. `simplify.rs` then
//! leaves out what makes no difference in the program as a whole.

#![forbid(unsafe_code)]

mod ast;
mod atomic;
mod build;
mod c_style;
mod columns;
mod constraint_system;
mod context;
mod core;
mod facts;
mod form;
mod graft;
mod grid;
mod interpret;
mod interval;
mod isolate;
mod level;
mod options;
mod order;
mod partition;
mod place;
mod print;
mod refine;
mod same;
mod separate;
mod shadow;
mod shift;
mod simplify;
mod statistics;

pub use ast::{Ast, BandInfo, Cond, Expr, For, IterId, LoopIterator, Node};
pub use build::build;
pub use c_style::CStyle;
pub use interpret::{evaluate, holds, interpret, interpret_within};
pub use options::AstOptions;
pub use place::{AstVisitor, Place};
pub use statistics::Statistics;

/// The examples of the package's README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
