//! Generalized basis reduction.
//!
//! Let `P` be a bounded polyhedron and `b_1, .., b_n` a lattice basis. The *width* of `P` along a
//! vector `b`, modulo the first `i - 1` basis vectors, is
//!
//! ```text
//! F_i(b) = max { b . (x - y) : x, y in P, b_j . (x - y) = 0 for all j < i }
//! ```
//!
//! The basis is *reduced* if for all `i`
//!
//! * `F_i(b_{i+1} + u b_i) >= F_i(b_{i+1})` for all integers `u`, and
//! * `F_i(b_{i+1}) >= 3/4 F_i(b_i)`.
//!
//! Then `F_1(b_1)` is within a factor, depending on the dimension only, of the smallest width along
//! any lattice vector, and a polyhedron without integer points has a small smallest width.
//!
//! **Algorithm**, for a position `i` that starts at the first vector:
//!
//! 1. Find the integer `u` minimizing `F_i(b_{i+1} - u b_i)`. This function of `u` is convex, and
//!    its rational minimizer is the dual value of the constraint `b_i . (x - y) = 0` in the program
//!    for `F_{i+1}(b_{i+1})`; so `u` is one of the neighbouring integers. Subtract `u b_i`.
//! 2. If now `F_i(b_{i+1}) < 3/4 F_i(b_i)`, exchange the two vectors and step back; otherwise step
//!    forward. Each exchange shrinks a width by a constant factor, hence termination.
//!
//! The difference `x - y` of two copies of `P` is represented by one tableau over both copies.
//!
//! Reference: \[CookRutherford1993\].

use poly_arith::{Coeff, Rational};

use crate::budget::Budget;
use crate::solver::lp::{ConId, Direction, Grid, Snapshot};
use crate::solver::{Interrupt, Optimum, Tableau};

/// Reduces the part of a lattice basis after its first `fixed.len()` vectors for the bounded
/// polyhedron where `rows >= 0` and `fixed = 0`; the forms `fixed` are the first vectors up to
/// constants.
///
/// Basis vectors are affine forms with constant 0.
pub(super) fn reduce<T: Coeff>(
    rows: &[Vec<T>],
    fixed: &[&[T]],
    basis: &mut [Vec<T>],
    budget: &mut Budget,
) -> Result<(), Interrupt> {
    let level = fixed.len();
    let mut widths = Widths::new(basis.len(), rows, fixed, budget)?;
    // `known[i - level]` is `F_i(b_i)`.
    let mut known: Vec<Rational> = vec![widths.width(&basis[level], budget)?];
    let mut i = level;
    while i + 1 < basis.len() {
        let (next_width, candidate) = widths.reduced(&basis[i], &basis[i + 1], budget)?;
        let width = candidate.width;
        basis[i + 1] = candidate.vector;
        let here = &known[i - level];
        let shrinks = &width * &Rational::from(4) < here * &Rational::from(3);
        if !shrinks {
            known.truncate(i - level + 1);
            known.push(next_width);
            widths.push(&basis[i], budget)?;
            i += 1;
            continue;
        }
        basis.swap(i, i + 1);
        known.truncate(i - level);
        known.push(width);
        if i > level {
            widths.pop();
            known.pop();
            i -= 1;
        }
    }
    Ok(())
}

/// A vector and its width.
struct Candidate<T> {
    vector: Vec<T>,
    width: Rational,
}

/// The programs for the widths, modulo a growing and shrinking list of vectors.
struct Widths<T> {
    /// Over the variables of both copies.
    tableau: Tableau<T>,
    /// The states before each vector of the list was added.
    states: Vec<Snapshot<T>>,
}

impl<T: Coeff> Widths<T> {
    fn new(n: usize, rows: &[Vec<T>], fixed: &[&[T]], budget: &mut Budget) -> Result<Widths<T>, Interrupt> {
        let mut tableau = Tableau::new(2 * n, Grid::Rational);
        for row in fixed {
            for copy in [0, 1] {
                tableau.add_eq(&of_copy(row, copy), budget)?;
            }
        }
        for row in rows {
            for copy in [0, 1] {
                tableau.add_ineq(&of_copy(row, copy), budget)?;
            }
        }
        Ok(Widths { tableau, states: Vec::new() })
    }

    /// The width along a vector.
    fn width(&mut self, vector: &[T], budget: &mut Budget) -> Result<Rational, Interrupt> {
        Ok(self.width_and_dual(vector, None, budget)?.0)
    }

    fn width_and_dual(
        &mut self,
        vector: &[T],
        con: Option<ConId>,
        budget: &mut Budget,
    ) -> Result<(Rational, Rational), Interrupt> {
        let form = difference(vector);
        match self.tableau.optimize_with_dual(&form, Direction::Up, con, budget)? {
            (Optimum::Bounded(width), dual) => Ok((width, dual)),
            _ => unreachable!("the polyhedron is bounded and not empty"),
        }
    }

    /// Demands that differences are 0 along one more vector.
    fn push(&mut self, vector: &[T], budget: &mut Budget) -> Result<(), Interrupt> {
        self.states.push(self.tableau.snapshot());
        self.tableau.add_eq(&difference(vector), budget)?;
        Ok(())
    }

    /// Takes back the last [`Widths::push`].
    fn pop(&mut self) {
        let state = self.states.pop().expect("one state per pushed vector");
        self.tableau.rollback(&state);
    }

    /// The width of `next` modulo `vector` too, and the vector `next - u * vector`, for integer
    /// `u`, that has the smallest width.
    fn reduced(
        &mut self,
        vector: &[T],
        next: &[T],
        budget: &mut Budget,
    ) -> Result<(Rational, Candidate<T>), Interrupt> {
        let state = self.tableau.snapshot();
        let con = self.tableau.add_eq_with_dual(&difference(vector), budget)?;
        let (next_width, dual) = self.width_and_dual(next, Some(con), budget)?;
        self.tableau.rollback(&state);
        let mut best = self.candidate(vector, next, &dual.floor(), budget)?;
        if !dual.is_integer() {
            let other = self.candidate(vector, next, &dual.ceil(), budget)?;
            if other.width < best.width {
                best = other;
            }
        }
        Ok((next_width, best))
    }

    fn candidate(
        &mut self,
        vector: &[T],
        next: &[T],
        multiple: &poly_arith::Int,
        budget: &mut Budget,
    ) -> Result<Candidate<T>, Interrupt> {
        let mut result = next.to_vec();
        T::row_combine(&mut result, &T::one(), vector, &T::from_int(&-multiple)?)?;
        let width = self.width(&result, budget)?;
        Ok(Candidate { vector: result, width })
    }
}

/// A form over one of the two copies as a form over both.
fn of_copy<T: Coeff>(form: &[T], copy: usize) -> Vec<T> {
    let n = form.len() - 1;
    let mut result = vec![T::zero(); 1 + 2 * n];
    result[0] = form[0].clone();
    result[1 + copy * n..][..n].clone_from_slice(&form[1..]);
    result
}

/// The form `b . (x - y)` over the variables of both copies.
fn difference<T: Coeff>(vector: &[T]) -> Vec<T> {
    let mut form = vector.to_vec();
    form.extend(vector[1..].iter().map(T::neg));
    form
}
