//! Piecewise expressions over several domain tuples, and tuples of them.
//!
//! A [`UnionPwAff`] has one [`PwAff`] per domain tuple; a [`MultiUnionPwAff`] is a tuple of those,
//! the form of the partial schedule of a band:
//! `[{ S[i, j] -> [(i)]; T[i] -> [(i)] }, { S[i, j] -> [(j)]; T[i] -> [(0)] }]`.

use std::collections::BTreeMap;
use std::sync::Arc;

use poly_arith::Int;

use crate::aff::Aff;
use crate::map::Map;
use crate::multi::MultiAff;
use crate::pw::PwAff;
use crate::pw_multi::PwMultiAff;
use crate::set::Set;
use crate::space::{Id, Space, Tuple, merge_params};
use crate::union::{UnionMap, UnionSet};

mod arithmetic;

/// Piecewise expressions over different domain tuples, with common parameters.
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct UnionPwAff {
    pub(crate) params: Vec<Id>,
    pub(crate) members: BTreeMap<Option<Tuple>, PwAff>,
}

impl UnionPwAff {
    /// The function that is defined nowhere.
    pub fn empty(params: Vec<Id>) -> UnionPwAff {
        UnionPwAff { params, members: BTreeMap::new() }
    }

    /// The function made of several, whose domains must be disjoint.
    pub fn from_members(members: impl IntoIterator<Item = PwAff>) -> UnionPwAff {
        let mut result = UnionPwAff::empty(Vec::new());
        members.into_iter().for_each(|m| result.add(m));
        result
    }

    /// The constant on each set of a union.
    pub fn constant_on(domain: &UnionSet, value: impl Into<Int>) -> UnionPwAff {
        let value = value.into();
        let mut result = UnionPwAff::empty(domain.param_ids().to_vec());
        for set in domain.iter() {
            result.add(PwAff::new(set.clone(), Aff::constant(set.space_arc(), &value)));
        }
        result
    }

    /// Add the pieces of a function whose domain is disjoint from those there.
    pub fn add(&mut self, member: PwAff) {
        self.extend_params(&member.space.params);
        let member = member.over_params(&self.params);
        let key = member.space.range.clone();
        let joined = match self.members.get(&key) {
            Some(old) => old.union_disjoint(&member),
            None => member,
        };
        self.members.insert(key, joined);
    }

    fn extend_params(&mut self, params: &[Id]) {
        let all = merge_params(&self.params, params);
        if all != self.params {
            for member in self.members.values_mut() {
                *member = member.over_params(&all);
            }
            self.params = all;
        }
    }

    /// The common parameters.
    pub fn param_ids(&self) -> &[Id] {
        &self.params
    }

    /// The members, in the order of their domain tuples.
    pub fn iter(&self) -> impl Iterator<Item = &PwAff> + '_ {
        self.members.values()
    }

    /// The function on a domain tuple.
    pub fn get(&self, tuple: &Tuple) -> Option<&PwAff> {
        self.members.get(&Some(tuple.clone()))
    }

    /// The function on the first domain tuple of this name.
    pub fn get_named(&self, name: &str) -> Option<&PwAff> {
        let named = |t: &Option<Tuple>| t.as_ref().and_then(Tuple::name_str) == Some(name);
        self.members.iter().find(|(t, _)| named(t)).map(|(_, m)| m)
    }

    /// The function over its parameters and those of `other`.
    pub fn align_params(&self, other: &Space) -> UnionPwAff {
        let mut result = self.clone();
        result.extend_params(&other.params);
        result
    }

    /// Where the function is defined.
    pub fn domain(&self) -> UnionSet {
        let mut result = UnionSet::empty(self.params.clone());
        self.iter().for_each(|m| result.add(m.domain()));
        result
    }

    /// Change every member.
    pub fn map_members(&self, f: impl Fn(&PwAff) -> PwAff) -> UnionPwAff {
        let mut result = UnionPwAff::empty(self.params.clone());
        self.iter().for_each(|m| result.add(f(m)));
        result
    }

    /// Restrict the domain.
    pub fn intersect_domain(&self, domain: &UnionSet) -> UnionPwAff {
        let mut result = UnionPwAff::empty(self.params.clone());
        for member in self.iter() {
            if let Some(set) = domain.get(member.space()) {
                result.add(member.intersect_domain(set));
            }
        }
        result.align_params(&domain.params_space())
    }

    /// The graph: each point to its value in an anonymous one-dimensional tuple.
    pub fn to_union_map(&self) -> UnionMap {
        MultiUnionPwAff::new(Tuple::anonymous(1), vec![self.clone()]).to_union_map()
    }

    /// The sum, on the tuples and points where both are defined.
    pub fn add_pointwise(&self, other: &UnionPwAff) -> UnionPwAff {
        self.zip_with(other, PwAff::add)
    }

    /// The difference, on the tuples and points where both are defined.
    pub fn sub_pointwise(&self, other: &UnionPwAff) -> UnionPwAff {
        self.zip_with(other, PwAff::sub)
    }

    fn zip_with(&self, other: &UnionPwAff, f: impl Fn(&PwAff, &PwAff) -> PwAff) -> UnionPwAff {
        let mut result = UnionPwAff::empty(merge_params(&self.params, &other.params));
        for (tuple, a) in &self.members {
            if let Some(b) = other.members.get(tuple) {
                result.add(f(a, b));
            }
        }
        result
    }
}

/// A tuple of [`UnionPwAff`]s.
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct MultiUnionPwAff {
    /// The space of the range tuple.
    pub(crate) space: Space,
    pub(crate) members: Vec<UnionPwAff>,
    /// The explicit domain; needed when there are no members.
    pub(crate) domain: Option<UnionSet>,
}

impl MultiUnionPwAff {
    /// The function into `range` with one member per dimension.
    pub fn new(range: Tuple, members: Vec<UnionPwAff>) -> MultiUnionPwAff {
        assert_eq!(range.n(), members.len(), "{range} needs one member per dimension");
        let params = members.iter().fold(Vec::new(), |all, m| merge_params(&all, &m.params));
        let space = Space::set(params, range);
        let members = members.iter().map(|m| m.align_params(&space)).collect();
        MultiUnionPwAff { space, members, domain: None }
    }

    /// The function into a tuple without dimensions, on a domain.
    pub fn zero_dim_on(range: Tuple, domain: UnionSet) -> MultiUnionPwAff {
        assert!(range.is_empty(), "{range} has dimensions");
        let space = Space::set(domain.param_ids().to_vec(), range);
        MultiUnionPwAff { space, members: Vec::new(), domain: Some(domain) }
    }

    /// The function made of one function per statement, all into the same tuple.
    pub fn from_multi_affs(range: Tuple, parts: impl IntoIterator<Item = MultiAff>) -> MultiUnionPwAff {
        let parts: Vec<MultiAff> = parts.into_iter().collect();
        let member = |i: usize| {
            let affs = parts.iter().map(|p| PwAff::from_aff(p.get(i).clone()));
            UnionPwAff::from_members(affs)
        };
        if range.is_empty() {
            let domains = parts.iter().map(|p| Set::universe(p.domain_space()));
            return MultiUnionPwAff::zero_dim_on(range, UnionSet::from_members(domains));
        }
        let members = (0..range.n()).map(member).collect();
        MultiUnionPwAff::new(range, members)
    }

    /// The space of the range tuple.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The range tuple.
    pub fn tuple(&self) -> &Tuple {
        self.space.range.as_ref().expect("the space of the range is a set space")
    }

    /// Number of members.
    pub fn dim(&self) -> usize {
        self.members.len()
    }

    /// The member of a dimension.
    pub fn get(&self, i: usize) -> &UnionPwAff {
        &self.members[i]
    }

    /// The members.
    pub fn members(&self) -> &[UnionPwAff] {
        &self.members
    }

    /// The function over its parameters and those of `other`.
    pub fn align_params(&self, other: &Space) -> MultiUnionPwAff {
        MultiUnionPwAff {
            space: self.space.align(other),
            members: self.members.iter().map(|m| m.align_params(other)).collect(),
            domain: self.domain.as_ref().map(|d| d.align_params(other)),
        }
    }

    /// Where all members are defined.
    pub fn domain(&self) -> UnionSet {
        let mut domains = self.members.iter().map(UnionPwAff::domain).chain(self.domain.clone());
        let first = domains.next().unwrap_or_else(|| UnionSet::empty(Vec::new()));
        domains.fold(first, |all, d| all.intersect(&d))
    }

    /// Restrict the domain.
    pub fn intersect_domain(&self, domain: &UnionSet) -> MultiUnionPwAff {
        let members: Vec<UnionPwAff> = self.members.iter().map(|m| m.intersect_domain(domain)).collect();
        let explicit = self.domain.as_ref().map(|d| d.intersect(domain));
        let space = self.space.align(&domain.params_space());
        MultiUnionPwAff { space, members, domain: explicit }
    }

    /// The dimensions `first..first + n` only, into an anonymous tuple.
    pub fn slice(&self, first: usize, n: usize) -> MultiUnionPwAff {
        if n == 0 {
            return MultiUnionPwAff::zero_dim_on(Tuple::anonymous(0), self.domain());
        }
        MultiUnionPwAff::new(Tuple::anonymous(n), self.members[first..first + n].to_vec())
    }

    /// The dimensions of both one after the other, in an anonymous tuple.
    pub fn flat_range_product(&self, other: &MultiUnionPwAff) -> MultiUnionPwAff {
        if self.dim() + other.dim() == 0 {
            let domain = self.domain().intersect(&other.domain());
            return MultiUnionPwAff::zero_dim_on(Tuple::anonymous(0), domain);
        }
        let members: Vec<UnionPwAff> = self.members.iter().chain(&other.members).cloned().collect();
        MultiUnionPwAff::new(Tuple::anonymous(members.len()), members)
    }

    /// The same function into another tuple of the same arity.
    pub fn set_tuple(&self, tuple: Tuple) -> MultiUnionPwAff {
        assert_eq!(tuple.n(), self.dim(), "{tuple} has another arity than {}", self.space);
        MultiUnionPwAff { space: Space { range: Some(tuple), ..self.space.clone() }, ..self.clone() }
    }

    /// Change every member.
    pub fn map_members(&self, f: impl Fn(usize, &UnionPwAff) -> UnionPwAff) -> MultiUnionPwAff {
        let members = self.members.iter().enumerate().map(|(i, m)| f(i, m)).collect();
        MultiUnionPwAff { members, ..self.clone() }
    }

    /// The function on a domain tuple, over the common parameters; `None` if any member is missing.
    pub fn extract(&self, tuple: &Tuple) -> Option<PwMultiAff> {
        let domain = Space::set(self.space.params.clone(), tuple.clone());
        let space = Space::from_domain_and_range(&domain, &self.space);
        let parts: Option<Vec<&PwAff>> = self.members.iter().map(|m| m.get(tuple)).collect();
        let mut pieces = vec![(Set::universe(domain), Vec::new())];
        if let Some(explicit) = &self.domain {
            pieces[0].0 = explicit.get_tuple(tuple)?.clone();
        }
        for part in parts? {
            let extended = |(set, affs): &(Set, Vec<Aff>)| -> Vec<(Set, Vec<Aff>)> {
                let piece = |(s, a): &(Set, Aff)| {
                    let mut affs = affs.clone();
                    affs.push(a.clone());
                    (set.intersect(s), affs)
                };
                part.pieces.iter().map(piece).collect()
            };
            pieces = pieces.iter().flat_map(extended).collect();
        }
        let shared = Arc::new(space.clone());
        let build = |(set, affs)| (set, MultiAff::new(Arc::clone(&shared), affs));
        Some(PwMultiAff::from_pieces(space, pieces.into_iter().map(build).collect()))
    }

    /// The domain tuples of the function.
    pub fn domain_tuples(&self) -> Vec<Tuple> {
        match (self.members.first(), &self.domain) {
            (Some(first), _) => first.members.keys().flatten().cloned().collect(),
            (None, Some(domain)) => domain.iter().filter_map(|s| s.tuple().cloned()).collect(),
            (None, None) => Vec::new(),
        }
    }

    /// The graph of the function.
    pub fn to_union_map(&self) -> UnionMap {
        let mut result = UnionMap::empty(self.space.params.clone());
        let parts = self.domain_tuples().into_iter().filter_map(|t| self.extract(&t));
        parts.for_each(|p| result.add(p.to_map()));
        result
    }
}

impl UnionMap {
    /// The graphs of functions, as a union.
    pub fn from_functions(functions: impl IntoIterator<Item = PwMultiAff>) -> UnionMap {
        functions.into_iter().map(|f| -> Map { f.to_map() }).collect()
    }
}
