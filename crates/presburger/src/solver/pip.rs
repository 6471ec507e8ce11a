//! Parametric integer programming: the lexicographically smallest integer point of a polyhedron as
//! a function of parameters.
//!
//! **Problem.** Given a system over parameters `p` and variables `x`, and a *context*, a system
//! over `p` alone, describe for each integer point `p` of the context the lexicographically
//! smallest integer `x` with `(p, x)` in the system, or that there is none.
//!
//! **Answer.** A decision tree: inner nodes ask for the sign of an affine form over the parameters
//! and *divs*, integer divisions `floor(form / d)` introduced on the way; leaves hold the solution
//! as affine forms over parameters and divs. It is returned as a list of [`PipPiece`]s, one per
//! leaf.
//!
//! **Algorithm** \[Feautrier1988\]: the method of [`super::lexmin`] with symbolic constants.
//!
//! 1. Variables have to be nonnegative. One with a constant lower bound is shifted by it. For the
//!    others, `x = x' - M` with a *big parameter* `M`: larger than any number that occurs, and
//!    divisible by any. Signs are decided by the coefficient of `M` first, and `M` plays no role
//!    for divisibility. If `M` does not cancel in a solution, that variable has no lower bound.
//! 2. The sample value of each tableau row is an affine form over the symbols. Its sign over the
//!    context is *nonnegative*, *negative*, or *any*.
//! 3. For a negative row, pivot; without a possible pivot there is no solution.
//! 4. If no row is negative but some may be, split the context: where the form is nonnegative, and
//!    where it is negative.
//! 5. If all rows are nonnegative, look for the first variable that is not always an integer,
//!    `d x = n(p) + sum a_j y_j`. With `r(p) = -n(p) mod d = n'(p) - d q`, where
//!    `q = floor(n' / d)` is a div added to the context:
//!    * if `r` is always 0, rewrite `n` with the help of `q` such that `d` divides its
//!      coefficients;
//!    * if all `a_j` are divisible by `d`, split the context into `r = 0` and `r >= 1`; in the
//!      latter there is no solution;
//!    * otherwise add the cut `sum (a_j mod d) y_j >= r(p)` and go to 2.
//! 6. If all variables are integers, a leaf is reached.
//!
//! Without parameters the method is that of [`super::lexmin`].
//!
//! Pending branches are kept on an explicit stack. Cuts may go on for ever on a branch without
//! integer points, so that a branch with many cuts is tested for integer points from time to time.
//! When the tree is complete, splits are undone where one solution holds on both sides.

mod context;
mod solve;
mod tree;

#[cfg(test)]
mod tests;

use poly_arith::Int;

use super::{LexOutcome, System, ilp_lexmin, ilp_sample, implicit_equalities, remove_redundant, widen};
use crate::budget::{Budget, Stop};

/// A part of the context with one solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipPiece {
    /// Integer divisions: denominator, and numerator over `[1, params, earlier divs]`.
    pub divs: Vec<(Int, Vec<Int>)>,
    /// Where this piece is valid, over `[params, divs]`. The constraints that make each div the
    /// floor of its quotient are included.
    pub domain: System,
    /// The smallest point: for each variable a row over `[1, params, divs]`. `None` if there is no
    /// smallest point.
    pub solution: Option<Vec<Vec<Int>>>,
    /// In a piece without smallest point: are there points, without lower bound? Otherwise there
    /// are none.
    pub unbounded: bool,
}

/// The lexicographically smallest integer values of the variables of `dom`, a system over
/// `[params, variables]` with `np` parameters, for each integer point of `context`, a system over
/// the parameters. The pieces partition the integer points of the context.
pub fn lexmin(dom: &System, context: &System, np: usize, budget: &mut Budget) -> Result<Vec<PipPiece>, Stop> {
    lexmin_of(dom, context, np, Known::default(), budget)
}

/// What is known about a system and its context.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Known {
    /// The system has an integer point, and its integer points satisfy no equalities but those
    /// given.
    pub(crate) full: bool,
    /// That, and each inequality of the system is violated by an integer point that satisfies all
    /// others, no row occurs twice or has a common divisor, and the context says nothing that the
    /// system does not say.
    pub(crate) irredundant: bool,
}

/// As [`lexmin`], without finding out again what is known.
pub(crate) fn lexmin_of(
    dom: &System,
    context: &System,
    np: usize,
    known: Known,
    budget: &mut Budget,
) -> Result<Vec<PipPiece>, Stop> {
    dom.check();
    context.check();
    assert_eq!(context.n, np, "the context is over the parameters");
    assert!(np <= dom.n, "the parameters are the first variables of the system");
    let Some(witness) = ilp_sample(context, budget)? else {
        return Ok(Vec::new());
    };
    if np == 0 {
        return Ok(vec![without_parameters(dom, budget)?]);
    }
    let mut combined = dom.clone();
    debug_assert!(known.full || !known.irredundant, "what is irredundant has points");
    if !known.irredundant {
        extend_rows(&mut combined, context);
        if !known.full {
            implicit_equalities(&mut combined, budget)?;
        }
        remove_redundant(&mut combined, budget)?;
    }
    if !known.full && ilp_sample(&combined, budget)?.is_none() {
        return Ok(vec![PipPiece { divs: Vec::new(), domain: context.clone(), solution: None, unbounded: false }]);
    }
    let problem = solve::Problem { system: combined, context, np, witness };
    let tree =
        widen(budget, |budget| solve::run::<i64>(&problem, budget), |budget| solve::run::<Int>(&problem, budget))?;
    tree.into_pieces(context, budget)
}

/// The one piece that there is without parameters.
fn without_parameters(dom: &System, budget: &mut Budget) -> Result<PipPiece, Stop> {
    let (solution, unbounded) = match ilp_lexmin(dom, budget)? {
        LexOutcome::Point(point) => (Some(point.into_iter().map(|value| vec![value]).collect()), false),
        LexOutcome::Unbounded => (None, true),
        LexOutcome::Empty => (None, false),
    };
    Ok(PipPiece { divs: Vec::new(), domain: System::new(0), solution, unbounded })
}

/// The lexicographically largest integer values; otherwise like [`lexmin`].
pub fn lexmax(dom: &System, context: &System, np: usize, budget: &mut Budget) -> Result<Vec<PipPiece>, Stop> {
    lexmax_of(dom, context, np, Known::default(), budget)
}

/// As [`lexmax`], without finding out again what is known.
pub(crate) fn lexmax_of(
    dom: &System,
    context: &System,
    np: usize,
    known: Known,
    budget: &mut Budget,
) -> Result<Vec<PipPiece>, Stop> {
    let mut mirrored = dom.clone();
    for row in mirrored.eqs.iter_mut().chain(&mut mirrored.ineqs) {
        poly_linalg::vector::negate(&mut row[1 + np..]);
    }
    let mut pieces = lexmin_of(&mirrored, context, np, known, budget)?;
    for row in pieces.iter_mut().flat_map(|piece| piece.solution.iter_mut().flatten()) {
        poly_linalg::vector::negate(row);
    }
    Ok(pieces)
}

/// Adds the constraints of `other`, whose variables are the first ones of `system`.
fn extend_rows(system: &mut System, other: &System) {
    let width = system.n + 1;
    let extend = |row: &Vec<Int>| {
        let mut row = row.clone();
        row.resize(width, Int::ZERO);
        row
    };
    system.eqs.extend(other.eqs.iter().map(extend));
    system.ineqs.extend(other.ineqs.iter().map(extend));
}
