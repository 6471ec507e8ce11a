//! Algebra of unions: each operation relates the members whose tuples fit.

use crate::map::Map;
use crate::set::Set;
use crate::space::{DimKind, Space};
use crate::trace;
use crate::union::{UnionMap, UnionSet};
use crate::union_pw_multi::UnionPwMultiAff;

impl UnionSet {
    /// The identity relation on the points.
    pub fn identity(&self) -> UnionMap {
        self.to_maps(Set::identity)
    }

    fn to_maps(&self, f: impl Fn(&Set) -> Map) -> UnionMap {
        let mut result = UnionMap::empty(self.params.clone());
        self.iter().for_each(|s| result.add(f(s)));
        result
    }

    /// The image under a relation.
    pub fn apply(&self, map: &UnionMap) -> UnionSet {
        let _running = trace::operation("apply", &[self, map]);
        map.intersect_domain(self).range()
    }

    /// The relations wrapped by the members; members that wrap nothing are left out.
    pub fn unwrap(&self) -> UnionMap {
        let mut result = UnionMap::empty(self.params.clone());
        let wrapping = self.iter().filter(|s| s.space().is_wrapping());
        wrapping.for_each(|s| result.add(s.unwrap()));
        result
    }

    /// All pairs of a point here and a point of `range`.
    pub fn to_map(&self, range: &UnionSet) -> UnionMap {
        let mut result = UnionMap::empty(self.params.clone()).align_params(&range.params_space());
        for a in self.iter() {
            range.iter().for_each(|b| result.add(a.to_map(b)));
        }
        result
    }

    /// The universe sets over the same tuples.
    pub fn universe(&self) -> UnionSet {
        self.map_members(|s| Set::universe(s.space().clone()))
    }

    /// All wrapped pairs.
    pub fn product(&self, other: &UnionSet) -> UnionSet {
        let mut result = self.rebuilt([]).align_params(&other.params_space());
        for a in self.iter() {
            other.iter().for_each(|b| result.add(a.product(b)));
        }
        result
    }

    /// All pairs, in flat anonymous tuples.
    pub fn flat_product(&self, other: &UnionSet) -> UnionSet {
        let mut result = self.rebuilt([]).align_params(&other.params_space());
        for a in self.iter() {
            other.iter().for_each(|b| result.add(a.flat_product(b)));
        }
        result
    }
}

impl UnionMap {
    /// The universe relations over the same tuples.
    pub fn universe(&self) -> UnionMap {
        self.map_members(|m| Map::universe(m.space().clone()))
    }

    /// Exchange domain and range.
    pub fn reverse(&self) -> UnionMap {
        self.map_members(Map::reverse)
    }

    fn to_sets(&self, f: impl Fn(&Map) -> Set) -> UnionSet {
        let mut result = UnionSet::empty(self.params.clone());
        self.iter().for_each(|m| result.add(f(m)));
        result
    }

    /// The points that are related to something.
    pub fn domain(&self) -> UnionSet {
        let _running = trace::operation("domain", &[self]);
        self.to_sets(Map::domain)
    }

    /// The points that something is related to.
    pub fn range(&self) -> UnionSet {
        let _running = trace::operation("range", &[self]);
        self.to_sets(Map::range)
    }

    /// The sets of pairs.
    pub fn wrap(&self) -> UnionSet {
        self.to_sets(Map::wrap)
    }

    /// The differences of related points, for members with equal tuples on both sides.
    pub fn deltas(&self) -> UnionSet {
        let _running = trace::operation("deltas", &[self]);
        let same = self.filter(|m| m.space().domain == m.space().range);
        same.to_sets(Map::deltas)
    }

    /// `[x -> y] -> x`.
    pub fn domain_map(&self) -> UnionMap {
        self.map_members(Map::domain_map)
    }

    /// `[x -> y] -> y`.
    pub fn range_map(&self) -> UnionMap {
        self.map_members(Map::range_map)
    }

    /// Combine pairs of members for which `fits` holds.
    fn pairs(
        &self,
        other: &UnionMap,
        fits: impl Fn(&Space, &Space) -> bool,
        f: impl Fn(&Map, &Map) -> Map,
    ) -> UnionMap {
        let mut result = self.rebuilt([]).align_params(&other.params_space());
        for a in self.iter() {
            let fitting = other.iter().filter(|b| fits(a.space(), b.space()));
            fitting.for_each(|b| result.add(f(a, b)));
        }
        result
    }

    /// Composition: `x -> z` for `x -> y` here and `y -> z` in `other`.
    pub fn apply_range(&self, other: &UnionMap) -> UnionMap {
        let _running = trace::operation("apply_range", &[self, other]);
        self.pairs(other, |a, b| a.range == b.domain, Map::apply_range)
    }

    /// Apply `other` to the domain.
    pub fn apply_domain(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |a, b| a.domain == b.domain, Map::apply_domain)
    }

    /// `A -> [B -> C]` for `A -> B` and `A -> C`.
    pub fn range_product(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |a, b| a.domain == b.domain, Map::range_product)
    }

    /// As [`UnionMap::range_product`], with a flat anonymous range.
    pub fn flat_range_product(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |a, b| a.domain == b.domain, Map::flat_range_product)
    }

    /// `[A -> B] -> C` for `A -> C` and `B -> C`.
    pub fn domain_product(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |a, b| a.range == b.range, Map::domain_product)
    }

    /// As [`UnionMap::domain_product`], with a flat anonymous domain.
    pub fn flat_domain_product(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |a, b| a.range == b.range, Map::flat_domain_product)
    }

    /// As [`UnionMap::product`], with flat anonymous tuples on both sides.
    pub fn flat_product(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |_, _| true, Map::flat_product)
    }

    /// The relation with its domain pulled back: `x -> z` for `by(x) -> z` here.
    pub fn preimage_domain(&self, by: &UnionPwMultiAff) -> UnionMap {
        by.to_union_map().apply_range(self)
    }

    /// The relation with its range pulled back: `x -> y` for `x -> by(y)` here.
    pub fn preimage_range(&self, by: &UnionPwMultiAff) -> UnionMap {
        self.apply_range(&by.to_union_map().reverse())
    }

    /// `[A -> C] -> [B -> D]` for `A -> B` and `C -> D`.
    pub fn product(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |_, _| true, Map::product)
    }

    fn restrict(&self, set: &UnionSet, kind: DimKind, f: impl Fn(&Map, &Set) -> Map) -> UnionMap {
        let result = self.align_params(&set.params_space());
        let fitting = |m: &Map| {
            let tuple = m.space().tuple(kind)?.clone();
            Some(f(m, set.get_tuple(&tuple)?))
        };
        result.rebuilt(self.iter().filter_map(fitting))
    }

    /// Restrict the domain.
    pub fn intersect_domain(&self, domain: &UnionSet) -> UnionMap {
        let _running = trace::operation("intersect_domain", &[self, domain]);
        self.restrict(domain, DimKind::In, Map::intersect_domain)
    }

    /// Restrict the range.
    pub fn intersect_range(&self, range: &UnionSet) -> UnionMap {
        let _running = trace::operation("intersect_range", &[self, range]);
        self.restrict(range, DimKind::Out, Map::intersect_range)
    }

    /// `A -> [B -> C]` of `[A -> B] -> C`, for the members of that form.
    pub fn curry(&self) -> UnionMap {
        let nested = |m: &Map| m.space().domain.as_ref().is_some_and(|t| t.nested.is_some());
        self.filter(nested).map_members(Map::curry)
    }

    /// `[A -> B] -> C` of `A -> [B -> C]`, for the members of that form.
    pub fn uncurry(&self) -> UnionMap {
        let nested = |m: &Map| m.space().range.as_ref().is_some_and(|t| t.nested.is_some());
        self.filter(nested).map_members(Map::uncurry)
    }

    /// `[A -> C] -> [B -> D]` of `[A -> B] -> [C -> D]`, for the members of that form.
    pub fn zip(&self) -> UnionMap {
        let wraps = |t: &Option<crate::space::Tuple>| t.as_ref().is_some_and(|t| t.nested.is_some());
        let nested = |m: &Map| wraps(&m.space().domain) && wraps(&m.space().range);
        self.filter(nested).map_members(Map::zip)
    }

    /// `B -> D` of the members `[A -> B] -> [C -> D]`, projecting out the first factor.
    pub fn factor_range(&self) -> UnionMap {
        let wraps = |t: &Option<crate::space::Tuple>| t.as_ref().is_some_and(|t| t.nested.is_some());
        let nested = |m: &Map| wraps(&m.space().domain) && wraps(&m.space().range);
        self.filter(nested).map_members(Map::factor_range)
    }
}
