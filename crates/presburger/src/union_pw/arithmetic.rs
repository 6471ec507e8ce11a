//! Arithmetic, comparison and choice of union functions, tuple by tuple.

use poly_arith::Int;

use crate::budget::{Budget, Stop};
use crate::pw::PwAff;
use crate::set::Set;
use crate::space::merge_params;
use crate::union::UnionSet;
use crate::union_pw::{MultiUnionPwAff, UnionPwAff};
use crate::union_pw_multi::UnionPwMultiAff;

impl UnionPwAff {
    /// The negation.
    pub fn neg(&self) -> UnionPwAff {
        self.map_members(PwAff::neg)
    }

    /// The function times an integer.
    pub fn scale(&self, factor: impl Into<Int>) -> UnionPwAff {
        let factor = factor.into();
        self.map_members(|m| m.scale(&factor))
    }

    /// The function divided (as a rational) by a nonzero integer.
    pub fn scale_down(&self, divisor: impl Into<Int>) -> UnionPwAff {
        let divisor = divisor.into();
        self.map_members(|m| m.scale_down(&divisor))
    }

    /// The function plus an integer.
    pub fn add_constant(&self, value: impl Into<Int>) -> UnionPwAff {
        let value = value.into();
        self.map_members(|m| m.add_constant(&value))
    }

    /// The largest integer not above the value.
    pub fn floor(&self) -> UnionPwAff {
        self.map_members(PwAff::floor)
    }

    /// The smallest integer not below the value.
    pub fn ceil(&self) -> UnionPwAff {
        self.map_members(PwAff::ceil)
    }

    /// The nonnegative remainder of the division by a positive integer.
    pub fn mod_val(&self, modulus: impl Into<Int>) -> UnionPwAff {
        let modulus = modulus.into();
        self.map_members(|m| m.mod_val(&modulus))
    }

    /// The smaller value, on the tuples and points where both are defined.
    pub fn min(&self, other: &UnionPwAff) -> UnionPwAff {
        self.zip_with(other, PwAff::min)
    }

    /// The larger value, on the tuples and points where both are defined.
    pub fn max(&self, other: &UnionPwAff) -> UnionPwAff {
        self.zip_with(other, PwAff::max)
    }

    /// `both` on the tuples that both have, and the one there elsewhere.
    fn union_with(
        &self,
        other: &UnionPwAff,
        both: impl Fn(&PwAff, &PwAff, &mut Budget) -> Result<PwAff, Stop>,
        budget: &mut Budget,
    ) -> Result<UnionPwAff, Stop> {
        let mut result = UnionPwAff::empty(merge_params(&self.params, &other.params));
        for (tuple, a) in &self.members {
            result.add(match other.members.get(tuple) {
                Some(b) => both(a, b, budget)?,
                None => a.clone(),
            });
        }
        let only_there = other.members.iter().filter(|(tuple, _)| !self.members.contains_key(tuple));
        only_there.for_each(|(_, b)| result.add(b.clone()));
        Ok(result)
    }

    /// The sum, an undefined value counting as zero unless both are undefined. Cost: that of
    /// [`Map::subtract`](crate::Map::subtract) for the domains of each pair of pieces.
    pub fn union_add(&self, other: &UnionPwAff, budget: &mut Budget) -> Result<UnionPwAff, Stop> {
        self.union_with(other, PwAff::union_add, budget)
    }

    /// The smaller value, or the one that is defined. Cost: that of
    /// [`Map::subtract`](crate::Map::subtract) for the domains of each pair of pieces.
    pub fn union_min(&self, other: &UnionPwAff, budget: &mut Budget) -> Result<UnionPwAff, Stop> {
        self.union_with(other, PwAff::union_min, budget)
    }

    /// The larger value, or the one that is defined. Cost: that of
    /// [`Map::subtract`](crate::Map::subtract) for the domains of each pair of pieces.
    pub fn union_max(&self, other: &UnionPwAff, budget: &mut Budget) -> Result<UnionPwAff, Stop> {
        self.union_with(other, PwAff::union_max, budget)
    }

    fn compare(&self, other: &UnionPwAff, relation: impl Fn(&PwAff, &PwAff) -> Set) -> UnionSet {
        let mut result = UnionSet::empty(merge_params(&self.params, &other.params));
        for (tuple, a) in &self.members {
            if let Some(b) = other.members.get(tuple) {
                result.add(relation(a, b));
            }
        }
        result
    }

    /// The points where both are defined and equal.
    pub fn eq_set(&self, other: &UnionPwAff) -> UnionSet {
        self.compare(other, PwAff::eq_set)
    }

    /// The points where both are defined and `self >= other`.
    pub fn ge_set(&self, other: &UnionPwAff) -> UnionSet {
        self.compare(other, PwAff::ge_set)
    }

    /// The points where both are defined and `self > other`.
    pub fn gt_set(&self, other: &UnionPwAff) -> UnionSet {
        self.compare(other, PwAff::gt_set)
    }

    /// The points where both are defined and `self <= other`.
    pub fn le_set(&self, other: &UnionPwAff) -> UnionSet {
        self.compare(other, PwAff::le_set)
    }

    /// The points where both are defined and `self < other`.
    pub fn lt_set(&self, other: &UnionPwAff) -> UnionSet {
        self.compare(other, PwAff::lt_set)
    }

    /// The points where both are defined and different.
    pub fn ne_set(&self, other: &UnionPwAff) -> UnionSet {
        self.compare(other, PwAff::ne_set)
    }

    /// A function with simpler domains, equal on the context; members and pieces outside of it are
    /// dropped. Cost: a linear program for each constraint, and an integer program to drop what is
    /// outside of the context \[Verdoolaege2010\].
    pub fn gist(&self, context: &UnionSet, budget: &mut Budget) -> Result<UnionPwAff, Stop> {
        let mut result = UnionPwAff::empty(merge_params(&self.params, context.param_ids()));
        for member in self.iter() {
            if let Some(set) = context.get(member.space()) {
                result.add(member.gist(set, budget)?);
            }
        }
        Ok(result)
    }

    /// The points where the value is zero.
    pub fn zero_set(&self) -> UnionSet {
        let mut result = UnionSet::empty(self.params.clone());
        self.iter().for_each(|m| result.add(m.zero_set()));
        result
    }

    /// The function outside of a set.
    /// Cost: that of [`Map::subtract`](crate::Map::subtract).
    pub fn subtract_domain(&self, domain: &UnionSet, budget: &mut Budget) -> Result<UnionPwAff, Stop> {
        let mut result = UnionPwAff::empty(merge_params(&self.params, domain.param_ids()));
        for member in self.iter() {
            result.add(match domain.get(member.space()) {
                Some(set) => member.subtract_domain(set, budget)?,
                None => member.clone(),
            });
        }
        Ok(result)
    }

    /// Restrict the function to parameter values.
    pub fn intersect_params(&self, params: &Set) -> UnionPwAff {
        self.map_members(|m| m.intersect_params(params)).align_params(params.space())
    }

    /// Whether both functions have the same domain and the same values. Cost: that of
    /// [`Map::is_subset`](crate::Map::is_subset) in both directions, unless the descriptions are
    /// the same.
    pub fn is_equal(&self, other: &UnionPwAff, budget: &mut Budget) -> Result<bool, Stop> {
        if !self.domain().is_equal(&other.domain(), budget)? {
            return Ok(false);
        }
        for (tuple, a) in &self.members {
            if let Some(b) = other.members.get(tuple)
                && !a.ne_set(b).is_empty(budget)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `self` after the partial function `by`.
    pub fn pullback(&self, by: &UnionPwMultiAff) -> UnionPwAff {
        let mut result = UnionPwAff::empty(merge_params(&self.params, by.param_ids()));
        for function in by.iter() {
            if let Some(member) = self.members.get(&function.space().range) {
                result.add(member.pullback_pw(function));
            }
        }
        result
    }
}

impl MultiUnionPwAff {
    fn zip(&self, other: &MultiUnionPwAff, f: impl Fn(&UnionPwAff, &UnionPwAff) -> UnionPwAff) -> MultiUnionPwAff {
        assert_eq!(self.tuple(), other.tuple(), "only functions into the same tuple can be combined");
        if self.dim() == 0 {
            return MultiUnionPwAff::zero_dim_on(self.tuple().clone(), self.domain().intersect(&other.domain()));
        }
        let members = self.members().iter().zip(other.members()).map(|(a, b)| f(a, b)).collect();
        MultiUnionPwAff::new(self.tuple().clone(), members)
    }

    /// The sum, dimension by dimension, where both are defined.
    pub fn add(&self, other: &MultiUnionPwAff) -> MultiUnionPwAff {
        self.zip(other, UnionPwAff::add_pointwise)
    }

    /// The difference, dimension by dimension, where both are defined.
    pub fn sub(&self, other: &MultiUnionPwAff) -> MultiUnionPwAff {
        self.zip(other, UnionPwAff::sub_pointwise)
    }

    /// The smaller values, dimension by dimension, where both are defined.
    pub fn min(&self, other: &MultiUnionPwAff) -> MultiUnionPwAff {
        self.zip(other, UnionPwAff::min)
    }

    /// The larger values, dimension by dimension, where both are defined.
    pub fn max(&self, other: &MultiUnionPwAff) -> MultiUnionPwAff {
        self.zip(other, UnionPwAff::max)
    }

    /// The negation.
    pub fn neg(&self) -> MultiUnionPwAff {
        self.map_members(|_, m| m.neg())
    }

    /// Every dimension times an integer.
    pub fn scale(&self, factor: impl Into<Int>) -> MultiUnionPwAff {
        let factor = factor.into();
        self.map_members(|_, m| m.scale(&factor))
    }

    /// Every dimension divided (as a rational) by a nonzero integer.
    pub fn scale_down(&self, divisor: impl Into<Int>) -> MultiUnionPwAff {
        let divisor = divisor.into();
        self.map_members(|_, m| m.scale_down(&divisor))
    }

    /// Every dimension rounded down.
    pub fn floor(&self) -> MultiUnionPwAff {
        self.map_members(|_, m| m.floor())
    }

    /// The nonnegative remainders of the division by a positive integer.
    pub fn mod_val(&self, modulus: impl Into<Int>) -> MultiUnionPwAff {
        let modulus = modulus.into();
        self.map_members(|_, m| m.mod_val(&modulus))
    }

    /// `self` after the partial function `by`.
    pub fn pullback(&self, by: &UnionPwMultiAff) -> MultiUnionPwAff {
        if self.dim() == 0 {
            let domain = by.preimage(&self.domain());
            return MultiUnionPwAff::zero_dim_on(self.tuple().clone(), domain);
        }
        self.map_members(|_, m| m.pullback(by)).align_params(&crate::space::Space::params(by.param_ids().to_vec()))
    }

    /// Whether both functions have the same domain and the same values. Cost: that of
    /// [`Map::is_subset`](crate::Map::is_subset) in both directions, unless the descriptions are
    /// the same.
    pub fn is_equal(&self, other: &MultiUnionPwAff, budget: &mut Budget) -> Result<bool, Stop> {
        self.to_union_map().is_equal(&other.to_union_map(), budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f(text: &str) -> UnionPwAff {
        text.parse().unwrap()
    }

    fn same(a: &UnionPwAff, b: &str) {
        assert!(a.is_equal(&f(b), &mut Budget::unlimited()).unwrap(), "{a} is not {b}");
    }

    #[test]
    fn tuple_by_tuple() {
        let a = f("[n] -> { S[i] -> [(i)] : i >= 0; T[] -> [(n)] }");
        let b = f("[n] -> { S[i] -> [(5)] : i <= 9; U[] -> [(1)] }");
        let budget = &mut Budget::unlimited();
        same(&a.min(&b), "[n] -> { S[i] -> [(i)] : 0 <= i <= 5; S[i] -> [(5)] : 6 <= i <= 9 }");
        let sum = "[n] -> { S[i] -> [(i + 5)] : 0 <= i <= 9; S[i] -> [(5)] : i < 0; S[i] -> [(i)] : i > 9;
                   T[] -> [(n)]; U[] -> [(1)] }";
        same(&a.union_add(&b, budget).unwrap(), sum);
        let most = "[n] -> { S[i] -> [(5)] : i <= 5; S[i] -> [(i)] : i >= 6; T[] -> [(n)]; U[] -> [(1)] }";
        same(&a.union_max(&b, budget).unwrap(), most);
        same(&a.scale_down(2).floor(), "[n] -> { S[i] -> [(floor(i/2))] : i >= 0; T[] -> [(floor(n/2))] }");
        let by: UnionPwMultiAff = "[n] -> { A[x, y] -> S[(x - y)] : x > 7; B[] -> T[] : n = 4 }".parse().unwrap();
        same(&a.pullback(&by), "[n] -> { A[x, y] -> [(x - y)] : x > 7 and x >= y; B[] -> [(n)] : n = 4 }");
        let where_equal: UnionSet = "[n] -> { S[i] : i = 5 }".parse().unwrap();
        assert!(a.eq_set(&b).is_equal(&where_equal, budget).unwrap());
        let outside: UnionSet = "[n] -> { S[i] : i <= 100; T[] : n > 3 }".parse().unwrap();
        let rest = "[n] -> { S[i] -> [(i)] : i > 100; T[] -> [(n)] : n <= 3 }";
        same(&a.subtract_domain(&outside, budget).unwrap(), rest);
    }

    #[test]
    fn schedules_are_tuples_of_union_functions() {
        let a: MultiUnionPwAff =
            "[{ S[i, j] -> [(i)]; T[i] -> [(i)] }, { S[i, j] -> [(j)]; T[i] -> [(0)] }]".parse().unwrap();
        let twice = a.add(&a);
        let budget = &mut Budget::unlimited();
        assert!(twice.is_equal(&a.scale(2), budget).unwrap());
        assert!(twice.sub(&a).scale_down(3).floor().is_equal(&a.scale_down(3).floor(), budget).unwrap());
        let by: UnionPwMultiAff = "{ X[k] -> S[(k), (2 * k)] }".parse().unwrap();
        let expected: MultiUnionPwAff = "[{ X[k] -> [(k)] }, { X[k] -> [(2k)] }]".parse().unwrap();
        assert!(a.pullback(&by).is_equal(&expected, budget).unwrap());
    }
}
