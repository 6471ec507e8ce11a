//! The points outside of a lattice, as lattices with at most one inequality.
//!
//! Row by row of the Hermite normal form, the rows above being right: at a pivot `p` the remainders
//! `1, ..., p - 1` are wrong, each of which is a lattice in which the later rows are free; at a row
//! without pivot the value is too small or too large. The pieces are disjoint, and their number is
//! bounded by the sum, not the product, of the pivots.

use poly_arith::Int;

use super::lattice::Lattice;
use crate::basic::Row;
use crate::budget::{Budget, Stop};
use crate::row;

impl Lattice {
    /// The integer points that are not in the lattice: disjoint lattices, each with an inequality
    /// over `[1 | point]` or none. Cost: a Hermite normal form for each piece; there are as many as
    /// the pivots are large, all together \[GautamRajopadhye2007\].
    pub fn complement(&self, budget: &mut Budget) -> Result<Vec<(Lattice, Option<Row>)>, Stop> {
        let price = (1 + self.n() as u64).pow(2);
        let forms = self.coordinate_forms();
        let mut pieces = Vec::new();
        let mut above = 0;
        for i in 0..self.n() {
            if self.pivots().get(above) == Some(&i) {
                let pivot = &self.basis()[above][i];
                above += 1;
                let mut remainder = Int::ONE;
                while remainder < *pivot {
                    budget.spend(price)?;
                    pieces.push((self.free_from(i + 1, above, &remainder), None));
                    remainder += &Int::ONE;
                }
                continue;
            }
            let excess = self.remainder_form(i, &forms[..above]);
            for mut form in [row::negated(&excess.row), excess.row] {
                form[0] -= &excess.denom;
                budget.spend(price)?;
                pieces.push((self.free_from(i, above, &Int::ZERO), Some(form)));
            }
        }
        Ok(pieces)
    }

    /// The lattice of the points that are right in the rows before `first`, which the first
    /// `n_column` columns determine, and anything from there on; the row before `first` is moved by
    /// `shift`.
    fn free_from(&self, first: usize, n_column: usize, shift: &Int) -> Lattice {
        let cut = |v: &Vec<Int>| -> Vec<Int> {
            v.iter().enumerate().map(|(i, x)| if i < first { x.clone() } else { Int::ZERO }).collect()
        };
        let mut origin = cut(&self.origin().to_vec());
        if !shift.is_zero() {
            origin[first - 1] += shift;
        }
        let units = (first..self.n()).map(|i| row::unit(self.n(), i));
        let generators: Vec<Vec<Int>> = self.basis()[..n_column].iter().map(cut).chain(units).collect();
        Lattice::generated(origin, &generators)
    }
}
