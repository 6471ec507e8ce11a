//! Strides: the congruences that the points of a set satisfy.
//!
//! The smallest affine lattice around a set (see [`crate::zpoly::lattice`]), with the dimension asked for
//! as its last row, says everything: the pivot of that row is the stride, and the entries left of
//! it, times the coordinates that the other dimensions determine, the offset.

use poly_arith::{Int, Rational};

use crate::aff::Aff;
use crate::basic::BasicMap;
use crate::budget::{Budget, Stop};
use crate::map::Map;
use crate::set::Set;
use crate::space::DimKind;
use crate::zpoly::Lattice;

/// What the values of a dimension have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stride {
    /// All values are `offset` plus a multiple of this. 1 says nothing; 0 means that the value is
    /// `offset`.
    pub stride: Int,
    /// An expression of the parameters and the other dimensions that is integer on the set.
    pub offset: Aff,
}

impl Map {
    /// The smallest affine lattice that contains all points `[params | in | out]`; `None` for an
    /// empty relation. A few integer programs per disjunct and per step towards the lattice.
    pub fn lattice_hull(&self, budget: &mut Budget) -> Result<Option<Lattice>, Stop> {
        let mut systems = Vec::with_capacity(self.basics().len());
        for basic in self.basics() {
            let mut basic = BasicMap::clone(basic);
            basic.detect_equalities(budget)?;
            systems.push(basic.to_system());
        }
        Lattice::hull(self.space().n_var(), &systems, budget)
    }
}

impl Set {
    /// The stride of dimension `i` and its offset in terms of the parameters and the other
    /// dimensions. For an empty set the stride is 1.
    pub fn stride_info(&self, i: usize, budget: &mut Budget) -> Result<Stride, Stop> {
        let free = Stride { stride: Int::ONE, offset: Aff::zero(self.space_arc()) };
        let Some(hull) = self.lattice_hull(budget)? else { return Ok(free) };
        let n = hull.n();
        let at = self.space().offset(DimKind::Out) - 1 + i;
        let order: Vec<usize> = (0..n).filter(|&c| c != at).chain([at]).collect();
        let permuted = |v: &[Int]| -> Vec<Int> { order.iter().map(|&c| v[c].clone()).collect() };
        let columns: Vec<Vec<Int>> = hull.basis().iter().map(|c| permuted(c)).collect();
        let last = Lattice::generated(permuted(hull.origin()), &columns);
        let mut offset = Aff::constant(self.space_arc(), &last.origin()[n - 1]);
        let mut stride = Int::ZERO;
        let forms = last.coordinate_forms();
        for (k, column) in last.basis().iter().enumerate() {
            if last.pivots()[k] == n - 1 {
                stride = column[n - 1].clone();
                continue;
            }
            let mut row = vec![Int::ZERO; n + 1];
            row[0] = forms[k].row[0].clone();
            for (position, &c) in order.iter().enumerate() {
                row[1 + c] = forms[k].row[1 + position].clone();
            }
            let t = Aff::from_row(self.space_arc(), row, forms[k].denom.clone());
            offset = offset.add(&t.scale_rational(&Rational::from(&column[n - 1])));
        }
        if !offset.is_plainly_integer() {
            offset = offset.floor();
        }
        Ok(Stride { stride, offset })
    }

    /// The stride of dimension `i`: the largest number that divides all differences of its values
    /// at points that agree elsewhere, 0 if there are no differences.
    pub fn stride(&self, i: usize, budget: &mut Budget) -> Result<Int, Stop> {
        Ok(self.stride_info(i, budget)?.stride)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn info(text: &str, i: usize) -> String {
        let set: Set = text.parse().unwrap();
        let info = set.stride_info(i, &mut Budget::unlimited()).unwrap();
        format!("{} {}", info.stride, info.offset)
    }

    #[test]
    fn strides_and_offsets() {
        expect!["4 { [i] -> [(2)] }"].assert_eq(&info("{ [i] : exists a: i = 4a + 2 }", 0));
        expect!["2 { [i] -> [(1)] }"].assert_eq(&info("{ [i] : i mod 4 = 1 or i mod 6 = 3 }", 0));
        expect!["3 [n] -> { [i, j] -> [(n + i)] }"]
            .assert_eq(&info("[n] -> { [i, j] : exists a: j = n + i + 3a and 0 <= i }", 1));
        expect!["0 [n] -> { [i, j] -> [(n + 2i)] }"].assert_eq(&info("[n] -> { [i, j] : j = n + 2i }", 1));
        expect!["1 { [i] -> [(0)] }"].assert_eq(&info("{ [i] : 0 <= i <= 7 }", 0));
        expect!["7 { [i] -> [(1)] }"].assert_eq(&info("{ [i] : i = 1 or i = 8 or i = 29 }", 0));
    }
}
