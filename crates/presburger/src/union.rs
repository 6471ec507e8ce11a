//! Unions of sets or relations over different spaces.
//!
//! A [`UnionSet`] has one [`Set`] per tuple, a [`UnionMap`] one [`Map`] per pair of tuples; all are
//! over the same parameters. Members are kept and visited in the order of their tuples, whatever
//! the order of insertion. Members that are plainly empty are not kept.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::basic::BasicMap;
use crate::map::Map;
use crate::set::Set;
use crate::space::{DimKind, Id, Space, Tuple, merge_params};
use crate::trace;

mod factors;
mod relations;
mod solving;

/// The order of members: that of their tuples.
fn compare(a: &Space, b: &Space) -> Ordering {
    (&a.domain, &a.range).cmp(&(&b.domain, &b.range))
}

/// Sets over different tuples, with common parameters.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct UnionSet {
    pub(crate) params: Vec<Id>,
    /// In the order of their tuples.
    pub(crate) members: Vec<Set>,
}

/// Relations between different tuples, with common parameters.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct UnionMap {
    pub(crate) params: Vec<Id>,
    /// In the order of their tuples.
    pub(crate) members: Vec<Map>,
}

/// The operations both kinds of union have.
macro_rules! union_operations {
    ($union:ident, $member:ident, $singular:literal) => {
        impl $union {
            #[doc = concat!("The union without any ", $singular, ".")]
            pub fn empty(params: Vec<Id>) -> $union {
                $union { params, members: Vec::new() }
            }

            #[doc = concat!("The union of several ", $singular, "s.")]
            pub fn from_members(members: impl IntoIterator<Item = $member>) -> $union {
                let mut result = $union::empty(Vec::new());
                members.into_iter().for_each(|m| result.add(m));
                result
            }

            #[doc = concat!("Add the points of a ", $singular, ".")]
            pub fn add(&mut self, member: $member) {
                self.extend_params(&member.space().params);
                if member.plain_is_empty() {
                    return;
                }
                let member = if member.space().params == self.params {
                    member
                } else {
                    $member::from(member.with_params_of(&self.params))
                };
                match self.position(member.space()) {
                    Ok(at) => self.members[at] = self.members[at].union(&member),
                    Err(at) => self.members.insert(at, member),
                }
            }

            /// Where the member over the tuples of `space` is, or would be.
            fn position(&self, space: &Space) -> Result<usize, usize> {
                match self.members.last() {
                    Some(last) if compare(last.space(), space).is_lt() => Err(self.members.len()),
                    _ => self.members.binary_search_by(|m| compare(m.space(), space)),
                }
            }

            fn extend_params(&mut self, params: &[Id]) {
                if self.params == params {
                    return;
                }
                let all = merge_params(&self.params, params);
                if all == self.params {
                    return;
                }
                for member in &mut self.members {
                    *member = member.with_params_of(&all);
                }
                self.params = all;
            }

            /// Rebuild from changed members; plainly empty ones go.
            pub(crate) fn rebuilt(&self, members: impl IntoIterator<Item = $member>) -> $union {
                let mut result = $union::empty(self.params.clone());
                members.into_iter().for_each(|m| result.add(m));
                result
            }

            /// The common parameters.
            pub fn param_ids(&self) -> &[Id] {
                &self.params
            }

            /// The parameter space.
            pub fn params_space(&self) -> Space {
                Space::params(self.params.clone())
            }

            /// The members, in the order of their tuples.
            pub fn iter(&self) -> impl DoubleEndedIterator<Item = &$member> + '_ {
                self.members.iter()
            }

            /// Number of members.
            #[expect(
                clippy::len_without_is_empty,
                reason = "emptiness of the points needs a solver; `plain_is_empty` is about members"
            )]
            pub fn len(&self) -> usize {
                self.members.len()
            }

            /// Whether there is no member (see `is_empty` for emptiness of the points).
            pub fn plain_is_empty(&self) -> bool {
                self.members.is_empty()
            }

            /// The member over the tuples of `space`, if there is one.
            pub fn get(&self, space: &Space) -> Option<&$member> {
                self.position(space).ok().map(|at| &self.members[at])
            }

            /// The member over the tuples of `space`, over the common parameters; empty if there
            /// is none.
            pub fn extract(&self, space: &Space) -> $member {
                let empty = || $member::empty(space.with_params(self.params.clone()));
                self.get(space).cloned().unwrap_or_else(empty)
            }

            /// The same union with its parameters and those of `other`.
            pub fn align_params(&self, other: &Space) -> $union {
                let mut result = self.clone();
                result.extend_params(&other.params);
                result
            }

            /// The points of either.
            pub fn union(&self, other: &$union) -> $union {
                let _running = trace::operation("union", &[self, other]);
                let mut result = self.clone();
                result.extend_params(&other.params);
                other.iter().for_each(|m| result.add(m.clone()));
                result
            }

            /// The points of both.
            pub fn intersect(&self, other: &$union) -> $union {
                let _running = trace::operation("intersect", &[self, other]);
                let aligned = self.align_params(&other.params_space());
                let pairs = self.iter().filter_map(|m| Some((m, other.get(m.space())?)));
                aligned.rebuilt(pairs.map(|(a, b)| a.intersect(b)))
            }

            /// Restrict to the parameter values in a parameter set.
            pub fn intersect_params(&self, params: &Set) -> $union {
                let _running = trace::operation("intersect_params", &[self, params]);
                let aligned = self.align_params(params.space());
                aligned.rebuilt(self.iter().map(|m| m.intersect_params(params)))
            }

            /// The parameter values for which there is any point.
            pub fn params(&self) -> Set {
                let _running = trace::operation("params", &[self]);
                let empty = Set::empty(self.params_space());
                self.iter().fold(empty, |all, m| all.union(&m.params()))
            }

            /// The same union without the parameters that no constraint uses.
            pub fn drop_unused_params(&self) -> $union {
                let trimmed: Vec<$member> = self.iter().map(|m| m.drop_unused_params()).collect();
                let used = |p: &&Id| trimmed.iter().any(|m| m.space().params.contains(p));
                let params = self.params.iter().filter(used).cloned().collect();
                let mut result = $union::empty(params);
                trimmed.into_iter().for_each(|m| result.add(m));
                result
            }

            /// Exactly the parameters `params`, in this order; others are projected out.
            pub fn with_exact_params(&self, params: &[Id]) -> $union {
                let mut result = $union::empty(params.to_vec());
                self.iter().for_each(|m| result.add(m.with_exact_params(params)));
                result
            }

            /// The members that satisfy a predicate.
            pub fn filter(&self, keep: impl Fn(&$member) -> bool) -> $union {
                self.rebuilt(self.iter().filter(|m| keep(m)).cloned())
            }

            /// Change every member; the results are united.
            pub fn map_members(&self, f: impl Fn(&$member) -> $member) -> $union {
                self.rebuilt(self.iter().map(f))
            }

            /// All disjuncts of all members.
            pub fn basics(&self) -> impl Iterator<Item = &Arc<BasicMap>> + '_ {
                self.members.iter().flat_map(|m| m.basics().iter())
            }
        }

        impl From<$member> for $union {
            fn from(member: $member) -> $union {
                $union::from_members([member])
            }
        }

        impl FromIterator<$member> for $union {
            fn from_iter<I: IntoIterator<Item = $member>>(members: I) -> $union {
                $union::from_members(members)
            }
        }
    };
}

union_operations!(UnionSet, Set, "set");
union_operations!(UnionMap, Map, "map");

impl Map {
    pub(crate) fn with_params_of(&self, params: &[Id]) -> Map {
        self.over_params(params)
    }
}

impl Set {
    pub(crate) fn with_params_of(&self, params: &[Id]) -> Set {
        Set(self.0.over_params(params))
    }
}

impl UnionSet {
    /// The member over a tuple.
    pub fn get_tuple(&self, tuple: &Tuple) -> Option<&Set> {
        let at =
            self.members.binary_search_by(|m| (&m.space.domain, m.space.range.as_ref()).cmp(&(&None, Some(tuple))));
        at.ok().map(|at| &self.members[at])
    }

    /// The first member whose tuple has this name.
    pub fn get_named(&self, name: &str) -> Option<&Set> {
        self.iter().find(|s| s.tuple_name().is_some_and(|id| id.as_str() == name))
    }
}

impl UnionMap {
    /// The first member between tuples of these names.
    pub fn get_named(&self, domain: &str, range: &str) -> Option<&Map> {
        let is = |m: &Map, kind, name| m.space().tuple_name(kind).is_some_and(|id| id.as_str() == name);
        self.iter().find(|m| is(m, DimKind::In, domain) && is(m, DimKind::Out, range))
    }
}
