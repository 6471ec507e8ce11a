//! Linear systems over integer variables: linear programming, integer points, integer and
//! parametric optimization, projection. This layer knows rows of numbers only, no spaces.
//!
//! **Rows.** A row over `n` variables has length `1 + n`: `[c, a_1, .., a_n]` is the affine form
//! `c + a_1 x_1 + .. + a_n x_n`; as a constraint it means that the form is `= 0` or `>= 0`.
//!
//! **Widths.** Every kernel is generic over the coefficient type `T`. The entry points run it on
//! `i64` and, after an overflow, once more on [`Int`] from the same immutable input ([`widen`]).
//!
//! **Map of the modules.**
//!
//! | module | question |
//! |---|---|
//! | [`lp`] | rational feasibility and optima: the [`lp::Tableau`] |
//! | [`redundancy`] | which constraints are implied, which are equalities |
//! | [`sample`] | an integer point, or the proof that there is none |
//! | [`ilp`] | the minimum of an affine form over the integer points |
//! | [`lexmin`] | the lexicographically smallest integer point |
//! | [`pip`] | the same as a function of parameters |
//! | [`fm`] | rational projection |
//! | [`cone`] | generators of a polyhedral cone |
//! | [`farkas`] | all affine forms that are nonnegative on a polyhedron |

pub mod cone;
pub mod farkas;
pub mod fm;
pub mod ilp;
pub mod lexmin;
pub mod lp;
pub mod pip;
pub mod redundancy;
pub mod sample;
#[cfg(test)]
pub(crate) mod testing;

use std::fmt;

use poly_arith::{Int, Overflow, Rational};

use crate::budget::{Budget, Stop};

pub use ilp::{ilp_max, ilp_min};
pub use lexmin::{ilp_lexmax, ilp_lexmin};
pub use lp::{IneqType, Tableau, lp_max, lp_min};
pub use pip::PipPiece;
pub use redundancy::{implicit_equalities, remove_redundant};
pub use sample::{ilp_is_empty, ilp_sample};

/// A conjunction of linear constraints over `n` integer variables.
///
/// Each row is `[c, a_1, .., a_n]`; see the [module documentation](self).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct System {
    /// The number of variables.
    pub n: usize,
    /// Rows whose affine form is 0.
    pub eqs: Vec<Vec<Int>>,
    /// Rows whose affine form is not negative.
    pub ineqs: Vec<Vec<Int>>,
}

impl System {
    /// The system without constraints over `n` variables.
    pub fn new(n: usize) -> System {
        System { n, eqs: Vec::new(), ineqs: Vec::new() }
    }

    /// Adds an equality.
    pub fn add_eq(&mut self, row: Vec<Int>) {
        assert_eq!(row.len(), self.n + 1, "a row has one element per variable and a constant");
        self.eqs.push(row);
    }

    /// Adds an inequality.
    pub fn add_ineq(&mut self, row: Vec<Int>) {
        assert_eq!(row.len(), self.n + 1, "a row has one element per variable and a constant");
        self.ineqs.push(row);
    }

    /// Does the point satisfy all constraints?
    pub fn contains(&self, point: &[Int]) -> bool {
        self.eqs.iter().all(|row| eval(row, point).is_zero()) && self.ineqs.iter().all(|row| !eval(row, point).is_neg())
    }

    /// Checks that all rows have the right length.
    pub(crate) fn check(&self) {
        let fits = |row: &Vec<Int>| row.len() == self.n + 1;
        assert!(self.eqs.iter().chain(&self.ineqs).all(fits), "a row has one element per variable and a constant");
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.eqs {
            writeln!(f, "{row:?} = 0")?;
        }
        for row in &self.ineqs {
            writeln!(f, "{row:?} >= 0")?;
        }
        Ok(())
    }
}

/// The value of the affine form `row` at a point.
pub fn eval(row: &[Int], point: &[Int]) -> Int {
    poly_linalg::vector::dot(&row[1..], point) + &row[0]
}

/// The optimum of an affine form over a rational polyhedron.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Optimum {
    /// The polyhedron has no point.
    Empty,
    /// The form is unbounded in the direction asked for.
    Unbounded,
    /// The optimum, which is attained.
    Bounded(Rational),
}

/// The optimum of an affine form over the integer points of a polyhedron.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntOptimum {
    /// The polyhedron has no integer point.
    Empty,
    /// The form is unbounded in the direction asked for.
    Unbounded,
    /// The optimum, which is attained.
    Bounded(Int),
}

/// The lexicographic optimum over the integer points of a polyhedron.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LexOutcome {
    /// The polyhedron has no integer point.
    Empty,
    /// Some coordinate is unbounded where all earlier ones have their optimum.
    Unbounded,
    /// The lexicographically optimal integer point.
    Point(Vec<Int>),
}

/// Why a kernel did not finish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// A number did not fit the coefficient type: repeat on a wider one.
    Overflow,
    /// The budget is used up.
    Stop,
}

impl From<Overflow> for Interrupt {
    fn from(_: Overflow) -> Interrupt {
        Interrupt::Overflow
    }
}

impl From<Stop> for Interrupt {
    fn from(_: Stop) -> Interrupt {
        Interrupt::Stop
    }
}

/// Runs a kernel on the narrow coefficient type and, if that overflows, on the wide one.
/// Cost: that of the kernel, at worst of both.
///
/// ```
/// use poly_presburger::budget::Budget;
/// use poly_presburger::solver::{Interrupt, widen};
///
/// let mut budget = Budget::unlimited();
/// let answer = widen(&mut budget, |_| Err(Interrupt::Overflow), |_| Ok("wide"));
/// assert_eq!(answer, Ok("wide"));
/// ```
pub fn widen<R>(
    budget: &mut Budget,
    narrow: impl FnOnce(&mut Budget) -> Result<R, Interrupt>,
    wide: impl FnOnce(&mut Budget) -> Result<R, Interrupt>,
) -> Result<R, Stop> {
    match narrow(budget) {
        Ok(result) => return Ok(result),
        Err(Interrupt::Stop) => return Err(Stop),
        Err(Interrupt::Overflow) => {}
    }
    match wide(budget) {
        Ok(result) => Ok(result),
        Err(Interrupt::Stop) => Err(Stop),
        Err(Interrupt::Overflow) => unreachable!("the wide coefficient type never overflows"),
    }
}
