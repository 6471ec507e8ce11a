//! Whether a piecewise quasi-polynomial is zero everywhere.
//!
//! # Problem
//! On `{ [i, j] : i = j }` the function `i - j` is zero, although its polynomial is not. Such
//! pieces are normal where counts of different unions are compared: chambers meet in faces.
//!
//! # Algorithm
//! For every piece, with its domain as a union of Z-polyhedra:
//! 1. the points of a Z-polyhedron are `origin + basis t` for integer vectors `t` with interior
//!    points among them;
//! 2. variables are replaced by these forms, in the divisions first: equalities and congruences of
//!    the domain are gone;
//! 3. the canonical form of the result is the zero polynomial, or the function is taken to differ
//!    from zero.
//!
//! # Invariants
//! A positive answer is exact. A negative one may be wrong where zero is no polynomial identity: a
//! product that vanishes on each of finitely many layers (`x * (x - 1)` on `0 <= x <= 1`), or
//! divisions by large numbers whose canonical forms differ.

use poly_arith::Int;
use poly_presburger::zpoly::{ZPolyhedron, ZUnion};
use poly_presburger::{Budget, Stop};

use crate::piecewise::PwQuasiPolynomial;
use crate::polynomial::Polynomial;
use crate::quasi::QuasiPolynomial;
use crate::quasi::floors::Floors;

impl PwQuasiPolynomial {
    /// Whether the value is shown to be zero at all points, see the [module documentation](self).
    ///
    /// ```
    /// use poly_counting::PwQuasiPolynomial;
    /// use poly_presburger::Budget;
    ///
    /// let function: PwQuasiPolynomial = "[n] -> { [i, j] -> i - j : i = j and 0 <= i < n }".parse()?;
    /// assert!(function.vanishes(&mut Budget::new(10_000))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn vanishes(&self, budget: &mut Budget) -> Result<bool, Stop> {
        for (domain, function) in self.pieces() {
            for part in ZUnion::from_set(domain, budget)?.pieces() {
                if !function.on_lattice(part, budget)?.is_zero() {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

impl QuasiPolynomial {
    /// The function of the coordinates of a Z-polyhedron over the same variables.
    fn on_lattice(&self, points: &ZPolyhedron, budget: &mut Budget) -> Result<Polynomial, Stop> {
        let lattice = points.lattice();
        let mut floors = Floors::new(lattice.rank());
        let mut images: Vec<Vec<Int>> = vec![floors.unit(0)];
        for variable in 0..self.space.n_var() {
            let basis = lattice.basis().iter().map(|vector| vector[variable].clone());
            images.push(std::iter::once(lattice.origin()[variable].clone()).chain(basis).collect());
        }
        for floor in self.floors.list() {
            budget.spend(images.len() as u64)?;
            let num = Floors::translate(&floor.num, &images);
            images.push(floors.floor(&num, &floor.denom));
        }
        let images: Vec<Polynomial> = images[1..].iter().map(|row| Polynomial::affine(row, &Int::ONE)).collect();
        let polynomial = self.polynomial.substitute(&images, budget)?;
        crate::quasi::linearize(&mut floors, polynomial, budget)
    }
}

#[cfg(test)]
mod tests {
    use poly_presburger::Budget;

    use super::PwQuasiPolynomial;

    fn vanishes(text: &str) -> bool {
        let function: PwQuasiPolynomial = text.parse().expect("the function can be read");
        function.vanishes(&mut Budget::unlimited()).expect("no budget")
    }

    #[test]
    fn equalities_and_congruences_are_used() {
        assert!(vanishes("[n] -> { [i, j] -> i - j : i = j and 0 <= i < n }"));
        assert!(vanishes("[n] -> { [i, j] -> n * i - 2 * n * j : i = 2j and 0 <= i < n }"));
        assert!(vanishes("[n] -> { [i] -> i - 2 * floor((i)/2) : i mod 2 = 0 and 0 <= i < n }"));
        assert!(vanishes("[n] -> { [i] -> n - 3 : 0 <= i < n and n >= 3 and n <= 3 }"));
    }

    #[test]
    fn other_values_are_found() {
        assert!(!vanishes("[n] -> { [i, j] -> i - j : i = j + 1 and 0 <= i < n }"));
        assert!(!vanishes("[n] -> { [i, j] -> i - j : i >= j and 0 <= i < n }"));
        assert!(!vanishes("[n] -> { [i] -> i - 2 * floor((i)/2) : (i - 1) mod 2 = 0 and 0 <= i < n }"));
        assert!(!vanishes("[n] -> { [i] -> 1 : i = -1 }"));
    }
}
