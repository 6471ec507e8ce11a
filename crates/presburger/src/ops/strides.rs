//! Strides: the congruences that the points of a set satisfy.
//!
//! The smallest affine lattice around a set (see [`crate::zpoly::lattice`]), with the dimension
//! asked for as its last row, says everything: the pivot of that row is the stride, and the entries
//! left of it, times the coordinates that the other dimensions determine, the offset.

use std::sync::Arc;

use poly_arith::{Int, Rational};

use crate::aff::Aff;
use crate::basic::BasicMap;
use crate::budget::{Budget, Stop};
use crate::map::Map;
use crate::set::Set;
use crate::space::{DimKind, Space};
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
    /// Cost: a few integer programs for each disjunct and step towards the lattice \[Karr1976\].
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

/// The stride of the coordinate `at` of the points of a lattice, the offset being an expression
/// over `space`. The variables of the space are the other coordinates, at the places that `column`
/// gives.
fn stride_within(hull: &Lattice, at: usize, space: &Arc<Space>, column: impl Fn(usize) -> usize) -> Stride {
    let n = hull.n();
    let order: Vec<usize> = (0..n).filter(|&c| c != at).chain([at]).collect();
    let permuted = |v: &[Int]| -> Vec<Int> { order.iter().map(|&c| v[c].clone()).collect() };
    let columns: Vec<Vec<Int>> = hull.basis().iter().map(|c| permuted(c)).collect();
    let last = Lattice::generated(permuted(hull.origin()), &columns);
    let mut offset = Aff::constant(Arc::clone(space), &last.origin()[n - 1]);
    let mut stride = Int::ZERO;
    let forms = last.coordinate_forms();
    for (k, basis) in last.basis().iter().enumerate() {
        if last.pivots()[k] == n - 1 {
            stride = basis[n - 1].clone();
            continue;
        }
        let mut row = vec![Int::ZERO; 1 + space.n_var()];
        row[0] = forms[k].row[0].clone();
        for (position, &c) in order.iter().enumerate().take(n - 1) {
            row[1 + column(c)] = forms[k].row[1 + position].clone();
        }
        let t = Aff::from_row(Arc::clone(space), row, forms[k].denom.clone());
        offset = offset.add(&t.scale_rational(&Rational::from(&basis[n - 1])));
    }
    if !offset.is_plainly_integer() {
        offset = offset.floor();
    }
    Stride { stride, offset }
}

impl Set {
    /// The stride of dimension `i` and its offset in terms of the parameters and the other
    /// dimensions. For an empty set the stride is 1. Cost: see [`Map::lattice_hull`].
    pub fn stride_info(&self, i: usize, budget: &mut Budget) -> Result<Stride, Stop> {
        let space = self.space_arc();
        let at = space.offset(DimKind::Out) - 1 + i;
        Ok(match self.lattice_hull(budget)? {
            Some(hull) => stride_within(&hull, at, &space, |c| c),
            None => Stride { stride: Int::ONE, offset: Aff::zero(space) },
        })
    }

    /// The stride of dimension `i`: the largest number modulo which the dimension is an affine
    /// expression of the parameters and the other dimensions on the whole set; 0 if it is such an
    /// expression itself. Cost: that of [`Map::lattice_hull`].
    pub fn stride(&self, i: usize, budget: &mut Budget) -> Result<Int, Stop> {
        Ok(self.stride_info(i, budget)?.stride)
    }
}

impl Map {
    /// The stride of output dimension `i` and its offset in terms of the parameters and the domain;
    /// the other output dimensions do not matter. For an empty relation the stride is 1. Cost: see
    /// [`Map::lattice_hull`].
    pub fn range_stride_info(&self, i: usize, budget: &mut Budget) -> Result<Stride, Stop> {
        let n = self.dim(DimKind::Out);
        let alone = self.project_out(DimKind::Out, i + 1, n - i - 1).project_out(DimKind::Out, 0, i);
        let space = Arc::new(self.space().domain_space());
        Ok(match alone.lattice_hull(budget)? {
            Some(hull) => stride_within(&hull, hull.n() - 1, &space, |c| c),
            None => Stride { stride: Int::ONE, offset: Aff::zero(space) },
        })
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
    fn strides_of_ranges() {
        let info = |text: &str, i: usize| {
            let map: Map = text.parse().unwrap();
            let info = map.range_stride_info(i, &mut Budget::unlimited()).unwrap();
            format!("{} {}", info.stride, info.offset)
        };
        let map = "[n] -> { A[i] -> B[j, k] : exists (a, b: j = n + i + 4a and k = j + 6b and 0 <= i <= k) }";
        expect!["4 [n] -> { A[i] -> [(n + i)] }"].assert_eq(&info(map, 0));
        expect!["2 [n] -> { A[i] -> [(n + i)] }"].assert_eq(&info(map, 1));
        expect!["0 { A[i, j] -> [(i + 2j)] }"].assert_eq(&info("{ A[i, j] -> B[i, i + 2j] }", 1));
        expect!["1 { A[i] -> [(0)] }"].assert_eq(&info("{ A[i] -> B[j] : 2i = 2j + 1 }", 0));
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
