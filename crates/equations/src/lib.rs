//! Systems of affine recurrence equations over Z-polyhedra, with reductions: a language, and what
//! is done with its systems.
//!
//! # Problem
//! A system says which values depend on which: no memory, no order \[Mauras1989\], \[LeVerge1991\].
//! Whether all values are defined is a question about sets; how to compute them fast is one of
//! schedules, storage and code.
//!
//! # A tour
//! ```
//! use poly_presburger::Budget;
//!
//! let budget = &mut Budget::unlimited();
//! let text = "system scan[N] where N >= 1 {
//!     in i64 A : [0..N-1];
//!     out i64 C : [0..N-1];
//!     C[i] = sum[j : 0 <= j <= i] A[j];
//! }";
//! let systems = poly_equations::load(text, budget).expect("the text is a system without flaws");
//! assert_eq!(systems[0].variables.len(), 2);
//! let flaws = poly_equations::load(&text.replace("j <= i", "j <= i + 1"), budget).unwrap_err();
//! assert_eq!(flaws[0].to_string(), "`A` is read where it is not defined, at i = 0, j = 1 when N = 1");
//! ```
//!
//! # Modules, in the order of the way
//! * [`modules`] reads the files that use each other; `syntax` makes tokens and a tree, `elaborate`
//!   a [`System`] of sets and functions; `print` writes it again;
//! * [`check`] decides whether every value is defined, with witnesses ([`Diagnostic`]);
//! * [`normalize`] brings a system into normal form; [`transform`] has commands that keep what a
//!   system computes;
//! * [`cost`] counts operations exactly, [`simplify`](crate::simplify()) finds reductions that need
//!   fewer;
//! * [`pieces`] makes statements of equations, over coordinates of lattices; [`schedule`] orders
//!   them, [`memory`] says where values are kept, [`realize`] puts the three together, [`mod@code`]
//!   writes C;
//! * [`Machine`] computes values on demand: the meaning of a system, and the oracle of all that
//!   changes one.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod affine;
mod check;
pub mod code;
mod cost;
pub mod dataflow;
pub mod diagnostic;
mod domain;
pub mod draw;
mod elaborate;
mod interpret;
pub mod memory;
pub mod modules;
pub mod mpi;
mod normalize;
pub mod pieces;
mod polynomial;
mod print;
pub mod program;
mod pullback;
#[cfg(test)]
mod random;
mod range;
pub mod realize;
pub mod schedule;
mod simplify;
mod syntax;
pub mod transform;
mod value;
mod witness;

#[cfg(test)]
mod tests;

pub use check::check;
pub use cost::{Cost, cost, degree};
pub use diagnostic::{Diagnostic, Flaw, Span};
pub use interpret::{Function, Machine, RunError, Table, Tables, known_functions};
pub use normalize::normalize;
pub use poly_picture::points;
pub use print::{equation_text, expr_text};
pub use program::System;
pub use simplify::{Note, simplify};
pub use value::Value;

use poly_presburger::{Budget, Stop};

/// The systems of a text that uses no other files.
///
/// # Errors
/// What the text lacks to be one of the language.
pub fn parse(text: &str, budget: &mut Budget) -> Result<Vec<System>, Diagnostic> {
    let file = syntax::parser::parse(text)?;
    if let Some(used) = file.uses.first() {
        return Err(Diagnostic::new(Flaw::NoFile, used.span.clone(), "this text is in no file and cannot use one"));
    }
    elaborate::elaborate(&file, budget)
}

/// The systems of a text that mean something; [`modules::load_file`] knows other files, too.
///
/// # Errors
/// Everything that is wrong.
pub fn load(text: &str, budget: &mut Budget) -> Result<Vec<System>, Vec<Diagnostic>> {
    let systems = parse(text, budget).map_err(|flaw| vec![flaw])?;
    checked(systems, budget)
}

/// The systems, if they have no flaws.
fn checked(systems: Vec<System>, budget: &mut Budget) -> Result<Vec<System>, Vec<Diagnostic>> {
    let mut flaws = Vec::new();
    for system in &systems {
        flaws.extend(check::flaws(system, budget));
    }
    if flaws.is_empty() { Ok(systems) } else { Err(flaws) }
}

/// Values of the parameters that a system allows, small ones if there are some; `None` if it allows
/// none.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn allowed_params(system: &System, budget: &mut Budget) -> Result<Option<Vec<i64>>, Stop> {
    let point = witness::point(&system.context, budget)?;
    Ok(point.and_then(|point| point.iter().map(poly_arith::Int::to_i64).collect()))
}
