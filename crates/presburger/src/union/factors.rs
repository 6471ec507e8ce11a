//! Parts of nested tuples, pairs in lexicographic order, and pointwise arithmetic on unions of
//! functions.

use crate::map::Map;
use crate::set::Set;
use crate::space::{Space, Tuple};
use crate::union::{UnionMap, UnionSet};
use crate::union_pw_multi::UnionPwMultiAff;

fn wraps(tuple: &Option<Tuple>) -> bool {
    tuple.as_ref().is_some_and(|t| t.nested.is_some())
}

impl Map {
    /// The pairs of the range as a relation `[B -> C]`.
    fn range_pairs(&self) -> Map {
        Set::universe(self.space().range_space()).unwrap()
    }

    /// `A -> B` of `A -> [B -> C]`: the other factor is existentially quantified.
    ///
    /// # Panics
    /// If the range is not a pair.
    pub fn range_factor_domain(&self) -> Map {
        self.apply_range(&self.range_pairs().domain_map())
    }

    /// `A -> C` of `A -> [B -> C]`: the other factor is existentially quantified.
    ///
    /// # Panics
    /// If the range is not a pair.
    pub fn range_factor_range(&self) -> Map {
        self.apply_range(&self.range_pairs().range_map())
    }

    /// `A -> C` of `[A -> B] -> C`: the other factor is existentially quantified.
    ///
    /// # Panics
    /// If the domain is not a pair.
    pub fn domain_factor_domain(&self) -> Map {
        self.reverse().range_factor_domain().reverse()
    }

    /// `B -> C` of `[A -> B] -> C`: the other factor is existentially quantified.
    ///
    /// # Panics
    /// If the domain is not a pair.
    pub fn domain_factor_range(&self) -> Map {
        self.reverse().range_factor_range().reverse()
    }
}

impl UnionSet {
    /// The pairs of points here and in `other`, in the same space, for which an order holds.
    fn ordered_pairs(&self, other: &UnionSet, order: fn(&Space) -> Map) -> UnionMap {
        let mut result = UnionMap::empty(crate::space::merge_params(self.param_ids(), other.param_ids()));
        for a in self.iter() {
            if let Some(b) = other.get(a.space()) {
                result.add(order(a.space()).intersect_domain(a).intersect_range(b));
            }
        }
        result
    }

    /// The pairs of a point here and a lexicographically larger one in `other`, in the same space.
    pub fn lex_lt_pairs(&self, other: &UnionSet) -> UnionMap {
        self.ordered_pairs(other, Map::lex_lt)
    }

    /// The pairs of a point here and an equal or lexicographically larger one in `other`, in the
    /// same space.
    pub fn lex_le_pairs(&self, other: &UnionSet) -> UnionMap {
        self.ordered_pairs(other, Map::lex_le)
    }

    /// The pairs of a point here and a lexicographically smaller one in `other`, in the same space.
    pub fn lex_gt_pairs(&self, other: &UnionSet) -> UnionMap {
        self.ordered_pairs(other, Map::lex_gt)
    }

    /// The pairs of a point here and an equal or lexicographically smaller one in `other`, in the
    /// same space.
    pub fn lex_ge_pairs(&self, other: &UnionSet) -> UnionMap {
        self.ordered_pairs(other, Map::lex_ge)
    }
}

impl UnionMap {
    /// `[x -> y] -> y - x`, for members with equal tuples on both sides.
    pub fn deltas_map(&self) -> UnionMap {
        self.filter(|m| m.space().domain == m.space().range).map_members(Map::deltas_map)
    }

    /// `A -> C` of the members `[A -> B] -> [C -> D]`, projecting out the second factor.
    pub fn factor_domain(&self) -> UnionMap {
        let nested = |m: &Map| wraps(&m.space().domain) && wraps(&m.space().range);
        self.filter(nested).map_members(Map::factor_domain)
    }

    /// `A -> B` of the members `A -> [B -> C]`.
    pub fn range_factor_domain(&self) -> UnionMap {
        self.filter(|m| wraps(&m.space().range)).map_members(Map::range_factor_domain)
    }

    /// `A -> C` of the members `A -> [B -> C]`.
    pub fn range_factor_range(&self) -> UnionMap {
        self.filter(|m| wraps(&m.space().range)).map_members(Map::range_factor_range)
    }

    /// `A -> C` of the members `[A -> B] -> C`.
    pub fn domain_factor_domain(&self) -> UnionMap {
        self.filter(|m| wraps(&m.space().domain)).map_members(Map::domain_factor_domain)
    }

    /// `B -> C` of the members `[A -> B] -> C`.
    pub fn domain_factor_range(&self) -> UnionMap {
        self.filter(|m| wraps(&m.space().domain)).map_members(Map::domain_factor_range)
    }
}

impl UnionPwMultiAff {
    /// Combines the values of members in the same space.
    fn pointwise(
        &self,
        other: &UnionPwMultiAff,
        f: impl Fn(&crate::PwMultiAff, &crate::PwMultiAff) -> crate::PwMultiAff,
    ) -> UnionPwMultiAff {
        let params = crate::space::merge_params(self.param_ids(), other.param_ids());
        let mut result = UnionPwMultiAff::empty(params);
        for a in self.iter() {
            let space: &Space = a.space();
            if let Some(b) = other.get(space) {
                result.add(f(a, b));
            }
        }
        result
    }

    /// The sum where both functions are defined and have values in the same space.
    pub fn add_pointwise(&self, other: &UnionPwMultiAff) -> UnionPwMultiAff {
        self.pointwise(other, crate::PwMultiAff::add)
    }

    /// The difference where both functions are defined and have values in the same space.
    pub fn sub_pointwise(&self, other: &UnionPwMultiAff) -> UnionPwMultiAff {
        self.pointwise(other, crate::PwMultiAff::sub)
    }

    /// The negated function.
    pub fn neg(&self) -> UnionPwMultiAff {
        UnionPwMultiAff::from_members(self.iter().map(crate::PwMultiAff::neg))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    fn same(a: &UnionMap, b: &str) {
        assert!(a.is_equal(&b.parse().unwrap(), &mut Budget::unlimited()).unwrap(), "{a} is not {b}");
    }

    #[test]
    fn factors_of_nested_tuples() {
        let map: UnionMap =
            "{ [A[i] -> B[j]] -> [C[k] -> D[l]] : i = k and j < l < 5; E[i] -> [C[i] -> D[2i]] }".parse().unwrap();
        same(&map.factor_domain(), "{ A[i] -> C[i] }");
        same(&map.range_factor_domain(), "{ [A[i] -> B[j]] -> C[i] : j <= 3; E[i] -> C[i] }");
        same(&map.range_factor_range(), "{ [A[i] -> B[j]] -> D[l] : j < l < 5; E[i] -> D[2i] }");
    }

    #[test]
    fn differences_and_orders() {
        let map: UnionMap = "{ S[i] -> S[2i]; S[i] -> T[i] }".parse().unwrap();
        same(&map.deltas_map(), "{ [S[i] -> S[j]] -> S[i] : j = 2i }");
        let set: UnionSet = "{ S[i] : 0 <= i <= 9; T[i, j] }".parse().unwrap();
        let other: UnionSet = "{ S[i] : i <= 3; U[i] }".parse().unwrap();
        same(&set.lex_lt_pairs(&other), "{ S[i] -> S[j] : 0 <= i < j <= 3 }");
    }

    #[test]
    fn arithmetic_needs_the_same_space() {
        let a: UnionPwMultiAff = "{ S[i] -> R[(i)] : i >= 0; T[i] -> R[(1)] }".parse().unwrap();
        let b: UnionPwMultiAff = "{ S[i] -> R[(2i)] : i <= 9; T[i] -> Q[(1)] }".parse().unwrap();
        same(&a.add_pointwise(&b).to_union_map(), "{ S[i] -> R[3i] : 0 <= i <= 9 }");
        same(&a.sub_pointwise(&b).to_union_map(), "{ S[i] -> R[-i] : 0 <= i <= 9 }");
        same(&a.neg().to_union_map(), "{ S[i] -> R[-i] : i >= 0; T[i] -> R[-1] }");
    }
}
