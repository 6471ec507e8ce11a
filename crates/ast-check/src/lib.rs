//! Judges generated programs against the trees that they were generated from: the same instances,
//! each once, in an order that the tree allows.
//!
//! # Problem
//! Between the tree that has been proven legal and the code there is the generation of loops:
//! bounds by projection, pieces of loops, strides, guards that are moved, conditions that are left
//! out since something else implies them. A mistake in one of them is a wrong program from a right
//! schedule. As the verdict on a tree ([`judge` of trees](../poly_checker/fn.judge.html)) is
//! independent of who made it, this one is independent of how the program was made: it reads the
//! program as whoever executes it would, and compares what it does with the tree, exactly and for
//! all parameters [Courant2021].
//!
//! # What is judged
//! For all values of the parameters in the context,
//!
//! 1. every instance of the tree is executed (`coverage`);
//! 2. nothing else is (`program`), and no instance twice (`order`);
//! 3. no two instances are executed in the opposite order of their times in the tree (`order`).
//!    Instances with equal times, and those of different children of a set node, may be in any
//!    order. Marks change nothing: what they allow, they allow for this order.
//!
//! A difference has a witness ([`Violation`]).
//!
//! # What is not
//! Trees with extensions and expansions, and remainders of minima, are [`Verdict::NotJudged`] with
//! a [`Reason`]. Loops over tiles of parametric sizes are proven for all sizes by what is affine in
//! the first value of a tile; where that does not suffice, they are not judged either.
//!
//! # Invariants
//! * Of `poly-ast-build` only the type of programs is used (a test of this crate looks at its
//!   imports).
//! * Costs are counted by the budget; when it runs out, there is no verdict.

#![forbid(unsafe_code)]

mod coverage;
mod expression;
mod order;
mod program;
mod schedule;
mod witness;

use std::fmt;

use poly_ast_build::Ast;
use poly_presburger::{Budget, Set, Stop};
use poly_schedule_tree::ScheduleTree;

pub use witness::{Difference, Executed, Instance, Violation};

/// The judgement of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It executes what its tree says.
    Right,
    /// It does not.
    Wrong(Box<Violation>),
    /// Nothing is known.
    NotJudged(Reason),
}

/// Why a program is not judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The tree adds instances to those of its domain.
    Extension,
    /// The tree replaces instances by groups of others.
    Expansion,
    /// A remainder, or a coordinate, is one of a minimum or maximum.
    Extremum,
    /// What is to be shown about tiles of parametric sizes may follow from the sizes only.
    Grid,
    /// Program and tree speak of different parameters, counters or statements.
    Unknown,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Extension => "the tree has an extension",
            Reason::Expansion => "the tree has an expansion",
            Reason::Extremum => "the remainder of a minimum or maximum",
            Reason::Grid => "tiles of parametric sizes",
            Reason::Unknown => "a name that the tree does not have",
        })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Right => write!(f, "right"),
            Verdict::Wrong(violation) => write!(f, "{violation}"),
            Verdict::NotJudged(reason) => write!(f, "not judged: {reason}"),
        }
    }
}

/// Why judging ends early.
#[derive(Debug)]
enum Error {
    Stop,
    NotJudged(Reason),
    Wrong(Box<Violation>),
}

impl From<Stop> for Error {
    fn from(_: Stop) -> Error {
        Error::Stop
    }
}

impl From<Violation> for Error {
    fn from(violation: Violation) -> Error {
        Error::Wrong(Box::new(violation))
    }
}

/// Judges a program for a tree, for all parameter values in `context`, a set of parameters.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn judge(ast: &Ast, tree: &ScheduleTree, context: &Set, budget: &mut Budget) -> Result<Verdict, Stop> {
    match differences(ast, tree, context, budget) {
        Ok(()) => Ok(Verdict::Right),
        Err(Error::Wrong(violation)) => Ok(Verdict::Wrong(violation)),
        Err(Error::NotJudged(reason)) => Ok(Verdict::NotJudged(reason)),
        Err(Error::Stop) => Err(Stop),
    }
}

fn differences(ast: &Ast, tree: &ScheduleTree, context: &Set, budget: &mut Budget) -> Result<(), Error> {
    let params = schedule::parameters(tree, context);
    let context = context.with_exact_params(&params);
    let pieces = schedule::pieces(tree, &context, &params, budget)?;
    let program = program::program(ast, &pieces, &params, &context, budget)?;
    let has_grids = pieces.iter().any(|piece| !piece.grids.is_empty());
    order::check(&program, has_grids, budget)?;
    for (number, piece) in pieces.iter().enumerate() {
        let missing = coverage::missing(&ast.root, ast.iterators.len(), &program, (number, piece), budget)?;
        let Some(point) = witness::point(&missing, budget)? else { continue };
        if !piece.grids.is_empty() {
            return Err(Error::NotJudged(Reason::Grid));
        }
        let space = missing.space();
        return Err(Violation::missing(&piece.statement, piece.arity, &point, space).into());
    }
    Ok(())
}
