//! Functions from several domain tuples into several range tuples.
//!
//! A [`UnionPwMultiAff`] has one [`PwMultiAff`] per pair of tuples, with pairwise disjoint domains:
//! it is the single-valued [`UnionMap`] in explicit form.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::budget::{Budget, SolveError, Stop};
use crate::pw::PwAff;
use crate::pw_multi::PwMultiAff;
use crate::set::Set;
use crate::space::{DimKind, Id, Space, Tuple, merge_params};
use crate::union::{UnionMap, UnionSet};

mod arithmetic;

/// Piecewise functions between different tuples, with common parameters.
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct UnionPwMultiAff {
    params: Vec<Id>,
    members: BTreeMap<(Option<Tuple>, Option<Tuple>), PwMultiAff>,
}

impl UnionPwMultiAff {
    /// The function that is defined nowhere.
    pub fn empty(params: Vec<Id>) -> UnionPwMultiAff {
        UnionPwMultiAff { params, members: BTreeMap::new() }
    }

    /// The function made of several, whose domains must be disjoint.
    pub fn from_members(members: impl IntoIterator<Item = PwMultiAff>) -> UnionPwMultiAff {
        let mut result = UnionPwMultiAff::empty(Vec::new());
        members.into_iter().for_each(|m| result.add(m));
        result
    }

    /// The function of which a single-valued relation is the graph. Of several images in one space
    /// the smallest is taken. Cost: that of [`Map::lexmin`](crate::Map::lexmin) for each member.
    ///
    /// # Errors
    /// [`SolveError::Unbounded`] if there is an element with several images and no smallest one.
    pub fn from_union_map(map: &UnionMap, budget: &mut Budget) -> Result<UnionPwMultiAff, SolveError> {
        let mut result = UnionPwMultiAff::empty(map.param_ids().to_vec());
        for member in map.iter() {
            result.add(PwMultiAff::from_map(member, budget)?);
        }
        Ok(result)
    }

    /// The identity on each set of a union.
    pub fn identity_on(domain: &UnionSet) -> UnionPwMultiAff {
        let mut result = UnionPwMultiAff::empty(domain.param_ids().to_vec());
        for set in domain.iter() {
            result.add(PwMultiAff::identity(set.space()).intersect_domain(set));
        }
        result
    }

    /// Add the pieces of a function whose domain is disjoint from those there.
    pub fn add(&mut self, member: PwMultiAff) {
        let all = merge_params(&self.params, &member.space().params);
        if all != self.params {
            self.members.values_mut().for_each(|m| *m = m.over_params(&all));
            self.params = all;
        }
        let member = member.over_params(&self.params);
        let key = (member.space().domain.clone(), member.space().range.clone());
        let joined = match self.members.get(&key) {
            Some(old) => old.union_disjoint(&member),
            None => member,
        };
        self.members.insert(key, joined);
    }

    /// The common parameters.
    pub fn param_ids(&self) -> &[Id] {
        &self.params
    }

    /// The members, in the order of their tuples.
    pub fn iter(&self) -> impl Iterator<Item = &PwMultiAff> + '_ {
        self.members.values()
    }

    /// The function between the tuples of a space.
    pub fn get(&self, space: &Space) -> Option<&PwMultiAff> {
        self.members.get(&(space.domain.clone(), space.range.clone()))
    }

    /// Where the function is defined.
    pub fn domain(&self) -> UnionSet {
        let mut result = UnionSet::empty(self.params.clone());
        self.iter().for_each(|m| result.add(m.domain()));
        result
    }

    /// The graph of the function.
    pub fn to_union_map(&self) -> UnionMap {
        let mut result = UnionMap::empty(self.params.clone());
        self.iter().for_each(|m| result.add(m.to_map()));
        result
    }

    /// Restrict the domain.
    pub fn intersect_domain(&self, domain: &UnionSet) -> UnionPwMultiAff {
        let mut result = UnionPwMultiAff::empty(merge_params(&self.params, domain.param_ids()));
        for member in self.iter() {
            if let Some(set) = domain.get(&member.domain_space()) {
                result.add(member.intersect_domain(set));
            }
        }
        result
    }

    /// The function outside of a set.
    /// Cost: that of [`Map::subtract`](crate::Map::subtract).
    pub fn subtract_domain(&self, domain: &UnionSet, budget: &mut Budget) -> Result<UnionPwMultiAff, Stop> {
        let mut result = UnionPwMultiAff::empty(merge_params(&self.params, domain.param_ids()));
        for member in self.iter() {
            result.add(match domain.get(&member.domain_space()) {
                Some(set) => member.subtract_domain(set, budget)?,
                None => member.clone(),
            });
        }
        Ok(result)
    }

    /// The points whose image is in a set.
    pub fn preimage(&self, set: &UnionSet) -> UnionSet {
        let mut result = UnionSet::empty(merge_params(&self.params, set.param_ids()));
        for member in self.iter() {
            let range = Space { domain: None, ..member.space().clone() };
            if let Some(part) = set.get(&range) {
                result.add(part.preimage_pw(member));
            }
        }
        result
    }

    /// `self` after the partial function `by`.
    pub fn pullback(&self, by: &UnionPwMultiAff) -> UnionPwMultiAff {
        let mut result = UnionPwMultiAff::empty(merge_params(&self.params, &by.params));
        for inner in by.iter() {
            for outer in self.iter().filter(|m| m.space().domain == inner.space().range) {
                result.add(outer.pullback_pw(inner));
            }
        }
        result
    }

    /// Both functions where one of them is defined, the sum where both are. Where the range tuples
    /// differ the domains must be disjoint. Cost: that of [`Map::subtract`](crate::Map::subtract)
    /// for the domains of each pair of pieces.
    pub fn union_add(&self, other: &UnionPwMultiAff, budget: &mut Budget) -> Result<UnionPwMultiAff, Stop> {
        let mut result = UnionPwMultiAff::empty(merge_params(&self.params, &other.params));
        for (key, a) in &self.members {
            result.add(match other.members.get(key) {
                Some(b) => a.union_add(b, budget)?,
                None => a.clone(),
            });
        }
        let only_there = other.members.iter().filter(|(key, _)| !self.members.contains_key(key));
        only_there.for_each(|(_, b)| result.add(b.clone()));
        Ok(result)
    }

    /// The same function without empty pieces and with coalesced domains. Cost: some linear
    /// programs for each pair of disjuncts, again after each success \[Verdoolaege2015\].
    pub fn coalesce(&self, budget: &mut Budget) -> Result<UnionPwMultiAff, Stop> {
        let mut result = UnionPwMultiAff::empty(self.params.clone());
        for member in self.iter() {
            result.add(member.coalesce(budget)?);
        }
        Ok(result)
    }

    /// Whether both functions have the same domain and the same values. Cost: that of
    /// [`Map::is_subset`](crate::Map::is_subset) in both directions, unless the descriptions are
    /// the same.
    pub fn is_equal(&self, other: &UnionPwMultiAff, budget: &mut Budget) -> Result<bool, Stop> {
        self.to_union_map().is_equal(&other.to_union_map(), budget)
    }
}

impl From<PwMultiAff> for UnionPwMultiAff {
    fn from(member: PwMultiAff) -> UnionPwMultiAff {
        UnionPwMultiAff::from_members([member])
    }
}

impl fmt::Display for UnionPwMultiAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::print::write_functions(f, &self.params, self.iter())
    }
}

impl fmt::Debug for UnionPwMultiAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A tuple of piecewise expressions, one per range dimension, each with pieces of its own.
///
/// It is defined where all of its members are; a tuple without members has an explicit domain.
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct MultiPwAff {
    space: Arc<Space>,
    domain: Set,
    members: Vec<PwAff>,
}

impl MultiPwAff {
    /// The tuple with these members; `space` is a map space, or the set space of the range if the
    /// domain is a parameter space.
    pub fn new(space: Space, members: Vec<PwAff>) -> MultiPwAff {
        assert_eq!(members.len(), space.dim(DimKind::Out), "{space} needs one member per dimension");
        let space = members.iter().fold(space, |s, m| s.align(m.space()));
        let members = members.iter().map(|m| m.over_params(&space.params)).collect();
        MultiPwAff { domain: Set::universe(space.domain_space()), space: Arc::new(space), members }
    }

    /// The space of the graph.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The members.
    pub fn members(&self) -> &[PwAff] {
        &self.members
    }

    /// The member of a range dimension.
    pub fn get(&self, i: usize) -> &PwAff {
        &self.members[i]
    }

    /// Where all members are defined.
    pub fn domain(&self) -> Set {
        self.members.iter().fold(self.domain.clone(), |all, m| all.intersect(&m.domain()))
    }

    /// Restrict the domain.
    pub fn intersect_domain(&self, domain: &Set) -> MultiPwAff {
        let members = self.members.iter().map(|m| m.intersect_domain(domain)).collect();
        let mut result = MultiPwAff::new(self.space.align(domain.space()), members);
        result.domain = self.domain.intersect(domain);
        result
    }

    /// Change every member.
    pub fn map_members(&self, f: impl Fn(&PwAff) -> PwAff) -> MultiPwAff {
        MultiPwAff { members: self.members.iter().map(f).collect(), ..self.clone() }
    }

    /// Combine the members of both, dimension by dimension; minimum, maximum and arithmetic are
    /// those of [`crate::PwAff`].
    pub fn zip_with(&self, other: &MultiPwAff, f: impl Fn(&PwAff, &PwAff) -> PwAff) -> MultiPwAff {
        assert!(self.space.has_equal_tuples(&other.space), "{} and {} cannot be combined", self.space, other.space);
        let members = self.members.iter().zip(&other.members).map(|(a, b)| f(a, b)).collect();
        let mut result = MultiPwAff::new(self.space.align(&other.space), members);
        result.domain = self.domain.intersect(&other.domain);
        result
    }

    /// The sum, where both are defined.
    pub fn add(&self, other: &MultiPwAff) -> MultiPwAff {
        self.zip_with(other, PwAff::add)
    }

    /// The difference, where both are defined.
    pub fn sub(&self, other: &MultiPwAff) -> MultiPwAff {
        self.zip_with(other, PwAff::sub)
    }

    /// `self` after the partial function `by`.
    pub fn pullback(&self, by: &PwMultiAff) -> MultiPwAff {
        let range = Space { domain: None, ..(*self.space).clone() };
        let space = Space::from_domain_and_range(&by.domain_space().align(&self.space), &range.align(by.space()));
        let mut result = MultiPwAff::new(space, self.members.iter().map(|m| m.pullback_pw(by)).collect());
        result.domain = self.domain.preimage_pw(by);
        result
    }

    /// The same function as pieces with one expression for each dimension.
    pub fn to_pw_multi_aff(&self) -> PwMultiAff {
        PwMultiAff::from_pw_affs((*self.space).clone(), &self.members).intersect_domain(&self.domain)
    }

    /// Whether both functions have the same domain and the same values. Cost: that of
    /// [`Map::is_subset`](crate::Map::is_subset) in both directions, unless the descriptions are
    /// the same.
    pub fn is_equal(&self, other: &MultiPwAff, budget: &mut Budget) -> Result<bool, Stop> {
        self.to_pw_multi_aff().is_equal(&other.to_pw_multi_aff(), budget)
    }
}

impl From<&PwMultiAff> for MultiPwAff {
    fn from(function: &PwMultiAff) -> MultiPwAff {
        let members = (0..function.n_out()).map(|i| function.get(i)).collect();
        let mut result = MultiPwAff::new(function.space().clone(), members);
        result.domain = function.domain();
        result
    }
}

impl fmt::Display for MultiPwAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_pw_multi_aff(), f)
    }
}

impl fmt::Debug for MultiPwAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f(text: &str) -> UnionPwMultiAff {
        text.parse().unwrap()
    }

    #[test]
    fn graphs_and_composition() {
        let budget = &mut Budget::unlimited();
        let a = f("[n] -> { S[i] -> A[(i + n)] : i > 0; S[i] -> B[] : i < 0; T[] -> A[(0)] }");
        let text = a.to_string();
        assert!(f(&text).is_equal(&a, budget).unwrap(), "{text}");
        let map = a.to_union_map();
        assert!(UnionPwMultiAff::from_union_map(&map, budget).unwrap().is_equal(&a, budget).unwrap());
        let by = f("{ X[k] -> S[(-k)]; Y[] -> T[] }");
        let composed = by.to_union_map().apply_range(&map);
        assert!(a.pullback(&by).to_union_map().is_equal(&composed, budget).unwrap());
        let wanted: UnionSet = "[n] -> { A[x] : x >= 5 }".parse().unwrap();
        let expected = map.intersect_range(&wanted).domain();
        assert!(a.preimage(&wanted).is_equal(&expected, budget).unwrap());
        let sum = a.union_add(&f("[n] -> { S[i] -> A[(7)] : i < 3 and i > 0; U[] -> B[] }"), budget).unwrap();
        let expected =
            f("[n] -> { S[i] -> A[(i + n + 7)] : 0 < i < 3; S[i] -> A[(i + n)] : i >= 3; S[i] -> B[] : i < 0;
                          T[] -> A[(0)]; U[] -> B[] }");
        assert!(sum.is_equal(&expected, budget).unwrap(), "{sum}");
    }

    #[test]
    fn members_with_pieces_of_their_own() {
        let budget = &mut Budget::unlimited();
        let function: PwMultiAff = "[n] -> { [i] -> [(i), (n)] : i >= 0; [i] -> [(-i), (n)] : i < 0 }".parse().unwrap();
        let multi = MultiPwAff::from(&function);
        assert_eq!(multi.get(1).n_piece(), 1, "the pieces of equal expressions are joined");
        assert!(multi.to_pw_multi_aff().is_equal(&function, budget).unwrap());
        let zero = multi.sub(&multi);
        assert!(zero.members().iter().all(|m| m.constant_value() == Some(0.into())));
        let by: PwMultiAff = "[n] -> { [a, b] -> [(a - b)] : a <= n }".parse().unwrap();
        assert!(multi.pullback(&by).to_pw_multi_aff().is_equal(&function.pullback_pw(&by), budget).unwrap());
    }
}
