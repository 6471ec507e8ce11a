//! Sets: finite unions of basic sets over one set or parameter space.
//!
//! A [`Set`] wraps the [`Map`] without domain that it is and dereferences to it; this file only has
//! what gives a set back or is particular to sets.

use std::ops::Deref;
use std::sync::Arc;

use poly_arith::Int;

use crate::basic::edit::delegate_same_shape;
use crate::basic::{BasicMap, BasicSet, Row};
use crate::map::Map;
use crate::space::{DimKind, Id, Space, Tuple};
use crate::trace;

/// A finite union of basic sets over one space.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct Set(pub(crate) Map);

impl Deref for Set {
    type Target = Map;

    fn deref(&self) -> &Map {
        &self.0
    }
}

impl From<Set> for Map {
    fn from(set: Set) -> Map {
        set.0
    }
}

impl From<BasicSet> for Set {
    fn from(basic: BasicSet) -> Set {
        Set::from_basic(basic)
    }
}

impl Set {
    /// The set without points.
    pub fn empty(space: impl Into<Arc<Space>>) -> Set {
        Set::from_map(Map::empty(space))
    }

    /// All points of a set or parameter space.
    pub fn universe(space: impl Into<Arc<Space>>) -> Set {
        Set::from_map(Map::universe(space))
    }

    /// The set with one disjunct.
    pub fn from_basic(basic: BasicSet) -> Set {
        Set(Map::from_basic(basic.0))
    }

    /// The union of basic sets over `space`.
    pub fn from_basics(space: impl Into<Arc<Space>>, basics: Vec<BasicSet>) -> Set {
        let basics = basics.into_iter().map(|basic| basic.0).collect::<Vec<_>>();
        Set::from_map(Map::from_basics(space, basics))
    }

    /// A map without domain, seen as a set.
    pub fn from_map(map: Map) -> Set {
        assert!(!map.space.is_map(), "{} is not the space of a set", map.space);
        Set(map)
    }

    /// The set as a map without domain.
    pub fn as_map(&self) -> &Map {
        &self.0
    }

    /// The disjuncts, as basic sets; they share their constraints with this set.
    pub fn basic_sets(&self) -> impl Iterator<Item = BasicSet> + '_ {
        self.basics.iter().map(|b| BasicSet(Arc::clone(b)))
    }

    /// The tuple of the set, unless it is a parameter set.
    pub fn tuple(&self) -> Option<&Tuple> {
        self.space.range.as_ref()
    }

    /// Name of the tuple, if it has one.
    pub fn tuple_name(&self) -> Option<&Id> {
        self.space.tuple_name(DimKind::Out)
    }

    /// Number of set dimensions.
    pub fn n_dim(&self) -> usize {
        self.dim(DimKind::Out)
    }

    /// All points of either.
    pub fn union(&self, other: &Set) -> Set {
        Set(self.0.union(&other.0))
    }

    /// All points of this set and of the others: what [`Set::union`] gives with one after the
    /// other, in less time.
    pub fn union_all(self, others: impl IntoIterator<Item = Set>) -> Set {
        Set(self.0.union_all(others.into_iter().map(|set| set.0)))
    }

    /// The union of sets that have no point in common (which is not checked).
    pub fn union_disjoint(&self, other: &Set) -> Set {
        Set(self.0.union_disjoint(&other.0))
    }

    /// The points in both.
    pub fn intersect(&self, other: &Set) -> Set {
        Set(self.0.intersect(&other.0))
    }

    /// The points of a set whose parameter values are in a parameter set.
    pub fn from_params(params: &Set, tuple: Tuple) -> Set {
        let space = Space::set(params.space.params.clone(), tuple);
        Set::universe(space).intersect_params(params)
    }

    /// The identity relation on the points of the set.
    pub fn identity(&self) -> Map {
        Map::identity(&self.space).intersect_domain(self)
    }

    /// The image under a relation.
    pub fn apply(&self, map: &Map) -> Set {
        let _running = trace::operation("apply", &[self, map]);
        map.intersect_domain(self).range()
    }

    /// The relation that a set of pairs wraps.
    pub fn unwrap(&self) -> Map {
        self.0.with_space(self.space.unwrap())
    }

    /// The set of wrapped pairs `[A -> B]`.
    pub fn product(&self, other: &Set) -> Set {
        Set(self.0.product(&other.0))
    }

    /// The set of concatenated points.
    pub fn flat_product(&self, other: &Set) -> Set {
        Set(self.0.flat_product(&other.0))
    }

    /// The relation from every point here to every point of `range`.
    pub fn to_map(&self, range: &Set) -> Map {
        let space = Space::from_domain_and_range(&self.space, &range.space);
        Map::universe(space).intersect_domain(self).intersect_range(range)
    }

    /// The relation from the set of parameter values (no domain dimensions, tuple `domain`) to
    /// the points of the set.
    pub fn as_range_of(&self, domain: Tuple) -> Map {
        assert!(domain.is_empty(), "the domain {domain} must have no dimensions");
        let range = self.space.range.clone().expect("the set has a tuple");
        self.0.with_space(Space::map(self.space.params.clone(), domain, range))
    }

    /// The same set with a flat tuple of the same dimensions.
    pub fn flatten(&self) -> Set {
        Set(self.0.with_space(self.space.flatten()))
    }

    /// The same set with another tuple of the same arity.
    pub fn set_tuple(&self, tuple: Tuple) -> Set {
        Set(self.0.set_tuple(DimKind::Out, tuple))
    }

    /// The same set with another tuple name.
    pub fn set_tuple_name(&self, name: Option<Id>) -> Set {
        Set(self.0.set_tuple_name(DimKind::Out, name))
    }

    /// The relation between points of this set in lexicographic order, strictly increasing.
    pub fn lex_lt_pairs(&self) -> Map {
        Map::lex_lt(&self.space).intersect_domain(self).intersect_range(self)
    }
}

delegate_same_shape! { Set,
    /// The set with the constraint `row = 0` over `[const | params | dims]`.
    fn with_eq(row: Row);
    /// The set with the constraint `row >= 0` over `[const | params | dims]`.
    fn with_ineq(row: Row);
    /// Restrict to the parameter values in a parameter set.
    fn intersect_params(params: &Set);
    /// The same set with its parameters and those of `other`, its own first.
    fn align_params(other: &Space);
    /// The part where dimension `i` of a kind has this value.
    fn fix(kind: DimKind, i: usize, value: impl Into<Int>);
    /// The part where dimension `i` of a kind is at least `value`.
    fn lower_bound(kind: DimKind, i: usize, value: impl Into<Int>);
    /// The part where dimension `i` of a kind is at most `value`.
    fn upper_bound(kind: DimKind, i: usize, value: impl Into<Int>);
    /// The part where two dimensions are equal.
    fn equate(kind_a: DimKind, a: usize, kind_b: DimKind, b: usize);
    /// The part where the first dimension is at least the second.
    fn order_ge(kind_a: DimKind, a: usize, kind_b: DimKind, b: usize);
    /// The part where the first dimension is greater than the second.
    fn order_gt(kind_a: DimKind, a: usize, kind_b: DimKind, b: usize);
    /// Exact projection of `n` dimensions of a kind from `first` on.
    fn project_out(kind: DimKind, first: usize, n: usize);
    /// A superset: every constraint that uses the dimensions is dropped.
    fn drop_constraints_involving(kind: DimKind, first: usize, n: usize);
    /// A superset: every constraint that does not use any of the dimensions is dropped.
    fn drop_constraints_not_involving(kind: DimKind, first: usize, n: usize);
    /// A superset without unknown divs.
    fn drop_unknown_divs();
    /// Insert `n` unconstrained dimensions before dimension `pos`.
    fn insert_dims(kind: DimKind, pos: usize, n: usize);
    /// Append `n` unconstrained dimensions.
    fn add_dims(kind: DimKind, n: usize);
    /// Move dimensions between kinds.
    fn move_dims(dst: DimKind, dst_pos: usize, src: DimKind, src_pos: usize, n: usize);
    /// Name a dimension, for printing; parameters are renamed.
    fn set_dim_name(kind: DimKind, i: usize, name: impl Into<Id>);
    /// The same set without the parameters that no constraint uses.
    fn drop_unused_params();
    /// Exactly the parameters `params`, in this order; others are projected out.
    fn with_exact_params(params: &[Id]);
    /// The union of the disjuncts that satisfy a predicate.
    fn filter_basics(keep: impl Fn(&BasicMap) -> bool);
}
