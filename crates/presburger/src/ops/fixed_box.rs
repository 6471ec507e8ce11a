//! Boxes and lattice tiles with an offset that is a function and a size that is constant: isl's
//! `isl_fixed_box`.
//!
//! # Problem
//! The elements that an iteration accesses lie in a box of constant size at a place that depends on
//! the iteration; that box is what is copied to fast memory. Find, for each output dimension, an
//! affine lower bound `o` of the parameters and the input and a number `s` with `o <= x < o + s`.
//!
//! # Algorithm
//! For each output dimension alone, on the simple hull: every lower bound `a x + r >= 0`, `a > 0`,
//! is a candidate with the offset `ceil(-r / a)`. If `M` is the greatest value of `a x + r` over
//! the integer points, all values are less than the offset plus `floor(M / a) + 1`. The candidate
//! of the least size is taken.

use std::sync::Arc;

use poly_arith::Int;

use crate::aff::Aff;
use crate::basic::{BasicMap, Row};
use crate::budget::{Budget, Stop};
use crate::map::Map;
use crate::multi::MultiAff;
use crate::rational::RationalSet;
use crate::set::Set;
use crate::solver::{IntOptimum, ilp_max};
use crate::space::DimKind;

/// A box of constant size, or the tile of a lattice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedBox {
    /// Its least element, as a function of the parameters and the input dimensions.
    pub offset: MultiAff,
    /// Its size in each dimension.
    pub size: Vec<Int>,
}

impl Map {
    /// A box of constant size that contains the images of each domain element: isl's
    /// `get_range_simple_fixed_box_hull`. `None` if none is found; of a relation without pairs,
    /// too.
    /// Cost: a projection of the hull, and an integer program for each lower bound of each
    /// dimension.
    ///
    /// ```
    /// use poly_presburger::{Budget, Map};
    /// let accesses: Map = "[n] -> { S[i] -> A[j, k] : 2i <= j <= 2i + 3 and n <= 2k <= n + 9 and 0 <= i < n }".parse()?;
    /// let found = accesses.range_simple_fixed_box_hull(&mut Budget::unlimited())?.unwrap();
    /// assert_eq!(found.offset.to_string(), "[n] -> { S[i] -> A[(2i), (n - floor((n)/2))] }");
    /// assert_eq!(found.size, [4, 5].map(poly_arith::Int::from));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn range_simple_fixed_box_hull(&self, budget: &mut Budget) -> Result<Option<FixedBox>, Stop> {
        let hull = self.clone().simple_hull(budget)?;
        if hull.is_empty(budget)? {
            return Ok(None);
        }
        let (mut offsets, mut size) = (Vec::new(), Vec::new());
        for i in 0..self.dim(DimKind::Out) {
            let Some((offset, extent)) = extent(&hull, i, budget)? else { return Ok(None) };
            offsets.push(offset);
            size.push(extent);
        }
        Ok(Some(FixedBox { offset: MultiAff::new(self.space_arc(), offsets), size }))
    }

    /// The tile of a lattice with the values of each output dimension: `offset` plus multiples of
    /// `size`, which is their stride and 0 if the offset is the only value: isl's
    /// `get_range_lattice_tile`.
    /// Cost: that of [`Map::lattice_hull`] for each dimension.
    ///
    /// ```
    /// # use poly_presburger::{Budget, Map};
    /// let map: Map = "{ A[i] -> B[j, k] : exists (a: j = i + 4a) and k >= 0 }".parse()?;
    /// let tile = map.range_lattice_tile(&mut Budget::unlimited())?;
    /// assert_eq!((tile.offset.to_string(), tile.size), ("{ A[i] -> B[(i), (0)] }".to_string(), vec![4.into(), 1.into()]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn range_lattice_tile(&self, budget: &mut Budget) -> Result<FixedBox, Stop> {
        let (mut offsets, mut size) = (Vec::new(), Vec::new());
        for i in 0..self.dim(DimKind::Out) {
            let stride = self.range_stride_info(i, budget)?;
            offsets.push(stride.offset);
            size.push(stride.stride);
        }
        Ok(FixedBox { offset: MultiAff::new(self.space_arc(), offsets), size })
    }
}

impl Set {
    /// A box of constant size that contains the set for each value of the parameters
    /// ([`Map::range_simple_fixed_box_hull`]).
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn simple_fixed_box_hull(&self, budget: &mut Budget) -> Result<Option<FixedBox>, Stop> {
        self.as_map().range_simple_fixed_box_hull(budget)
    }

    /// The tile of a lattice with the values of each dimension ([`Map::range_lattice_tile`]).
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn lattice_tile(&self, budget: &mut Budget) -> Result<FixedBox, Stop> {
        self.as_map().range_lattice_tile(budget)
    }
}

/// The offset and the size of output dimension `i`, of the least size.
fn extent(hull: &BasicMap, i: usize, budget: &mut Budget) -> Result<Option<(Aff, Int)>, Stop> {
    let space = hull.space();
    let domain = Arc::new(if space.is_map() { space.domain_space() } else { space.params_space() });
    let mut best: Option<(Aff, Int)> = None;
    for row in lower_bounds(hull, i, budget)? {
        let (rest, a) = row.split_at(row.len() - 1);
        let mut form: Row = vec![Int::ZERO; hull.n_col()];
        form[..rest.len()].clone_from_slice(rest);
        form[hull.column(DimKind::Out, i)] = a[0].clone();
        let IntOptimum::Bounded(greatest) = ilp_max(&hull.to_system(), &form, budget)? else { continue };
        let size = &greatest.div_floor(&a[0]) + &Int::ONE;
        if best.as_ref().is_none_or(|(_, least)| size < *least) {
            let negated: Row = rest.iter().map(|x| -x).collect();
            best = Some((Aff::from_row(Arc::clone(&domain), negated, a[0].clone()).ceil(), size));
        }
    }
    Ok(best)
}

/// The constraints `[1 | params | in | out i]` with a positive factor of output dimension `i`, and
/// of no other.
fn lower_bounds(hull: &BasicMap, i: usize, budget: &mut Budget) -> Result<Vec<Row>, Stop> {
    let n = hull.dim(DimKind::Out);
    let flat =
        if hull.space().is_map() { Set::from(hull.wrap()).flatten() } else { Set::from(hull.clone().into_basic_set()) };
    let first = flat.n_dim() - n;
    let relaxed = RationalSet::from_set(&flat, budget)?;
    let alone = relaxed.project_out(DimKind::Out, first + i + 1, n - i - 1, budget)?;
    let alone = alone.project_out(DimKind::Out, first, i, budget)?;
    let mut rows = Vec::new();
    for system in alone.systems() {
        let eqs = system.eqs.iter().flat_map(|row| [row.clone(), row.iter().map(|x| -x).collect()]);
        rows.extend(eqs.chain(system.ineqs.iter().cloned()).filter(|row| row[row.len() - 1].is_pos()));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<String> {
        let map: Map = text.parse().expect("the relation can be read");
        let found = map.range_simple_fixed_box_hull(&mut Budget::unlimited()).expect("no limit")?;
        let size: Vec<String> = found.size.iter().map(Int::to_string).collect();
        Some(format!("{} of {}", found.offset, size.join(", ")))
    }

    #[test]
    fn offsets_are_the_tightest_bounds() {
        let expect = |text: &str, expected: Option<&str>| assert_eq!(found(text).as_deref(), expected, "{text}");
        expect("{ S[i] -> A[i - 1]; S[i] -> A[i + 1] }", Some("{ S[i] -> A[(-1 + i)] } of 3"));
        expect(
            "{ S[i] -> A[j, k] : i <= j + k <= i + 1 and 0 <= j <= 1 }",
            Some("{ S[i] -> A[(0), (-1 + i)] } of 2, 3"),
        );
        expect("{ S[i] -> A[j] : 32i <= j <= 32i + 31 and 0 <= j <= 40 }", Some("{ S[i] -> A[(32i)] } of 32"));
        expect("{ S[i] -> A[j] : j >= i }", None);
        expect("{ S[i] -> A[j] : 1 = 0 }", None);
        expect("[n] -> { S[i] -> A[j] : 0 <= j <= n }", None);
    }

    #[test]
    fn sets_have_offsets_in_the_parameters() {
        let set: Set = "[n] -> { A[i, j] : n <= i <= n + 3 and i <= j <= i + 1 }".parse().expect("the set can be read");
        let found = set.simple_fixed_box_hull(&mut Budget::unlimited()).expect("no limit").expect("there is one");
        assert_eq!(found.size, [Int::from(4), Int::from(5)]);
        assert_eq!(found.offset.to_string(), "[n] -> { A[(n), (n)] }");
    }
}
