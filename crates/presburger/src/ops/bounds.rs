//! The least and the largest value of each dimension: one number or function per dimension, each
//! for itself.
//!
//! Unlike lexicographic optima these are not values of one point. Each is a parametric integer
//! program in one dimension.

use crate::budget::{Budget, SolveError};
use crate::map::Map;
use crate::pw::PwAff;
use crate::space::DimKind;
use crate::union_pw_multi::MultiPwAff;

impl Map {
    fn only_out(&self, i: usize) -> Map {
        let n = self.dim(DimKind::Out);
        self.project_out(DimKind::Out, i + 1, n - i - 1).project_out(DimKind::Out, 0, i)
    }

    /// The smallest value of output dimension `i` among the images of each domain element. Cost: a
    /// parametric integer program for each disjunct \[Feautrier1988\], and the comparison of their
    /// values.
    ///
    /// # Errors
    /// [`SolveError::Unbounded`] if for some element there is no smallest value.
    pub fn dim_min(&self, i: usize, budget: &mut Budget) -> Result<PwAff, SolveError> {
        Ok(self.only_out(i).lexmin(budget)?.get(0))
    }

    /// The largest value of output dimension `i` among the images of each domain element. Cost: a
    /// parametric integer program for each disjunct \[Feautrier1988\], and the comparison of their
    /// values.
    ///
    /// # Errors
    /// [`SolveError::Unbounded`] if for some element there is no largest value.
    pub fn dim_max(&self, i: usize, budget: &mut Budget) -> Result<PwAff, SolveError> {
        Ok(self.only_out(i).lexmax(budget)?.get(0))
    }

    /// The smallest values of all output dimensions, for each domain element (of a set: for each
    /// value of the parameters). Cost: that of [`Map::dim_min`] for each dimension.
    ///
    /// # Errors
    /// [`SolveError::Unbounded`] if for some element and some dimension there is no smallest value.
    pub fn min_multi(&self, budget: &mut Budget) -> Result<MultiPwAff, SolveError> {
        self.each_dimension(|i| self.dim_min(i, budget))
    }

    /// The largest values of all output dimensions, for each domain element (of a set: for each
    /// value of the parameters). Cost: that of [`Map::dim_min`] for each dimension.
    ///
    /// # Errors
    /// [`SolveError::Unbounded`] if for some element and some dimension there is no largest value.
    pub fn max_multi(&self, budget: &mut Budget) -> Result<MultiPwAff, SolveError> {
        self.each_dimension(|i| self.dim_max(i, budget))
    }

    fn each_dimension(
        &self,
        optimum: impl FnMut(usize) -> Result<PwAff, SolveError>,
    ) -> Result<MultiPwAff, SolveError> {
        let n = self.dim(DimKind::Out);
        let members: Result<Vec<PwAff>, SolveError> = (0..n).map(optimum).collect();
        let result = MultiPwAff::new(self.space().clone(), members?);
        if n > 0 {
            return Ok(result);
        }
        let domain = if self.space().is_map() { self.domain() } else { self.params() };
        Ok(result.intersect_domain(&domain))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::Set;
    use expect_test::expect;

    #[test]
    fn each_dimension_for_itself() {
        let budget = &mut Budget::unlimited();
        let triangle: Set = "[n] -> { S[i, j] : 0 <= i <= j and i + j <= n }".parse().unwrap();
        let most = triangle.max_multi(budget).unwrap().to_pw_multi_aff().coalesce(budget).unwrap();
        expect!["[n] -> { S[(floor((n)/2)), (n)] : n >= 0 }"].assert_eq(&most.to_string());
        let least = triangle.min_multi(budget).unwrap().to_pw_multi_aff().coalesce(budget).unwrap();
        expect!["[n] -> { S[(0), (0)] : n >= 0 }"].assert_eq(&least.to_string());
    }

    #[test]
    fn images_and_unbounded_dimensions() {
        let budget = &mut Budget::unlimited();
        let map: Map = "{ A[i] -> B[j, k] : 0 <= 2j <= i and k >= j }".parse().unwrap();
        expect!["{ A[i] -> [(floor((i)/2))] : i >= 0 }"].assert_eq(&map.dim_max(0, budget).unwrap().to_string());
        assert_eq!(map.dim_max(1, budget), Err(SolveError::Unbounded));
        assert_eq!(map.max_multi(budget).err(), Some(SolveError::Unbounded));
        let point: Set = "[n] -> { P[] : n >= 3 }".parse().unwrap();
        assert!(point.min_multi(budget).unwrap().domain().is_equal(&point.params(), budget).unwrap());
    }
}
