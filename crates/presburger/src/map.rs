//! Relations: finite unions of basic relations over one space.
//!
//! A [`Map`] is a list of [`BasicMap`]s, its *disjuncts*, over the same space; they may overlap.
//! The operations in this file are syntactic: they distribute over the disjuncts, simplify each and
//! drop those that are empty on the face of it. Whatever needs a solver (emptiness, difference,
//! comparison, optimization, reduction of the number of disjuncts) is in `ops/` and takes a budget.
//!
//! A [`Set`] is a map without domain tuple. It dereferences to the map it is, so the operations
//! that do not construct a relation of the same shape are shared.

use std::sync::Arc;

use poly_arith::Int;
use smallvec::SmallVec;

use crate::basic::{BasicMap, BasicSet, Row};
use crate::row;
use crate::set::Set;
use crate::space::{DimKind, Id, Space, Tuple, merge_params};
use crate::trace;
pub(crate) use collect::Collection;

mod charged;
mod collect;
mod factors;
mod lex_order;
mod product;
mod query;

/// The disjuncts of a relation; usually there is one.
pub(crate) type Disjuncts = SmallVec<[Arc<BasicMap>; 1]>;

/// A finite union of basic relations over one space.
#[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct Map {
    pub(crate) space: Arc<Space>,
    /// Shared, so that a copy of a relation copies no constraint.
    pub(crate) basics: Disjuncts,
}

impl Clone for Map {
    fn clone(&self) -> Map {
        let basics = match &self.basics[..] {
            [one] => Disjuncts::from_buf([Arc::clone(one)]),
            more => more.iter().cloned().collect(),
        };
        Map { space: Arc::clone(&self.space), basics }
    }
}

/// The space with the parameters of another one added.
fn aligned_space(space: &Arc<Space>, other: &Space) -> Arc<Space> {
    if space.params == other.params { Arc::clone(space) } else { Arc::new(space.align(other)) }
}

impl Map {
    /// The relation without any pair.
    pub fn empty(space: impl Into<Arc<Space>>) -> Map {
        Map { space: space.into(), basics: Disjuncts::new() }
    }

    /// All pairs of the space.
    pub fn universe(space: impl Into<Arc<Space>>) -> Map {
        Map::from_basic(BasicMap::universe(space))
    }

    /// The relation with one disjunct.
    pub fn from_basic(basic: impl Into<Arc<BasicMap>>) -> Map {
        let basic = basic.into();
        let mut map = Map { space: basic.space_arc(), basics: Disjuncts::new() };
        map.push(basic);
        map
    }

    /// The union of basic relations over `space`.
    pub fn from_basics<B: Into<Arc<BasicMap>>>(space: impl Into<Arc<Space>>, basics: Vec<B>) -> Map {
        let space = space.into();
        let mut map = Map { space: Arc::clone(&space), basics: Disjuncts::with_capacity(basics.len()) };
        for basic in basics {
            let basic: Arc<BasicMap> = basic.into();
            assert!(basic.space == space, "{} is not over the space {space}", basic.space);
            map.push(basic);
        }
        map
    }

    /// Add a disjunct unless it is plainly empty or already there.
    pub(crate) fn push(&mut self, basic: impl Into<Arc<BasicMap>>) {
        let basic: Arc<BasicMap> = basic.into();
        debug_assert!(basic.space == self.space, "{} is not over {}", basic.space, self.space);
        if basic.is_plainly_empty() || self.basics.contains(&basic) {
            return;
        }
        if basic.is_universe() && basic.n_div() == 0 {
            self.basics.clear();
        }
        self.append(basic);
    }

    /// Adds a disjunct that is not there.
    fn append(&mut self, mut basic: Arc<BasicMap>) {
        if let Some(basic) = Arc::get_mut(&mut basic) {
            basic.space = Arc::clone(&self.space);
        }
        self.basics.push(basic);
    }

    /// Apply an operation to each disjunct; the results are over `space`.
    pub(crate) fn lift(&self, space: impl Into<Arc<Space>>, f: impl Fn(&BasicMap) -> BasicMap) -> Map {
        let mut result = Collection::new(Map::empty(space), self.basics.len());
        for basic in &self.basics {
            result.push(f(basic));
        }
        result.into_map()
    }

    /// As [`Map::lift`], for an operation that is given the space of its result.
    fn lift_to(&self, space: impl Into<Arc<Space>>, f: impl Fn(&BasicMap, Arc<Space>) -> BasicMap) -> Map {
        let space = space.into();
        let mut result = Collection::new(Map::empty(Arc::clone(&space)), self.basics.len());
        for basic in &self.basics {
            result.push(f(basic, Arc::clone(&space)));
        }
        result.into_map()
    }

    /// Apply an operation to each pair of disjuncts; the results are over `space`.
    pub(crate) fn lift2(
        &self,
        other: &Map,
        space: impl Into<Arc<Space>>,
        f: impl Fn(&BasicMap, &BasicMap) -> BasicMap,
    ) -> Map {
        let mut result = Collection::new(Map::empty(space), self.basics.len() * other.basics.len());
        for a in &self.basics {
            for b in &other.basics {
                result.push(f(a, b));
            }
        }
        result.into_map()
    }

    /// The space of the relation.
    pub fn space(&self) -> &Space {
        &self.space
    }

    pub(crate) fn space_arc(&self) -> Arc<Space> {
        Arc::clone(&self.space)
    }

    /// The disjuncts.
    #[inline]
    pub fn basics(&self) -> &[Arc<BasicMap>] {
        &self.basics
    }

    /// Number of disjuncts.
    #[inline]
    pub fn n_basic(&self) -> usize {
        self.basics.len()
    }

    /// Number of dimensions of a kind.
    pub fn dim(&self, kind: DimKind) -> usize {
        self.space.dim(kind)
    }

    /// Whether there is no disjunct (each is known not to be plainly empty).
    pub fn plain_is_empty(&self) -> bool {
        self.basics.is_empty()
    }

    /// Whether some disjunct has no constraint.
    pub fn plain_is_universe(&self) -> bool {
        self.basics.iter().any(|b| b.is_universe())
    }

    /// Whether every div of every disjunct has a definition.
    #[inline]
    pub fn has_known_divs(&self) -> bool {
        self.basics.iter().all(|b| b.has_known_divs())
    }

    /// Whether any of `n` dimensions of a kind from `first` on occurs in a constraint.
    pub fn involves_dims(&self, kind: DimKind, first: usize, n: usize) -> bool {
        self.basics.iter().any(|b| b.involves_dims(kind, first, n))
    }

    /// The relation as a set; it must not have a domain.
    pub fn into_set(self) -> Set {
        Set::from_map(self)
    }

    /// The same relation over the parameters `params`, which must include its own.
    pub(crate) fn over_params(&self, params: &[Id]) -> Map {
        if self.space.params == params {
            return self.clone();
        }
        let space = Arc::new(self.space.with_params(params.to_vec()));
        let over = |b: &Arc<BasicMap>| Arc::new(b.over_params_in(Arc::clone(&space)));
        let basics = self.basics.iter().map(over).collect();
        Map { space, basics }
    }

    /// The same relation with its parameters and those of `other`, its own first.
    pub fn align_params(&self, other: &Space) -> Map {
        self.over_params(&merge_params(&self.space.params, &other.params))
    }

    /// Both relations over common parameters.
    pub(crate) fn aligned(&self, other: &Map) -> (Map, Map) {
        if self.space.params == other.space.params {
            return (self.clone(), other.clone());
        }
        let params = merge_params(&self.space.params, &other.space.params);
        (self.over_params(&params), other.over_params(&params))
    }

    fn assert_same_tuples(&self, other: &Map, what: &str) {
        assert!(
            self.space.has_equal_tuples(&other.space),
            "the {what} of {} and {} is not defined",
            self.space,
            other.space
        );
    }

    /// All pairs of either.
    pub fn union(&self, other: &Map) -> Map {
        let _running = trace::operation("union", &[self, other]);
        self.assert_same_tuples(other, "union");
        let (a, b) = self.aligned(other);
        let mut result = Collection::new(a, b.basics.len());
        b.basics.into_iter().for_each(|basic| result.push(basic));
        result.into_map()
    }

    /// The union of relations that have no pair in common (which is not checked).
    pub fn union_disjoint(&self, other: &Map) -> Map {
        self.union(other)
    }

    /// The pairs of both.
    pub fn intersect(&self, other: &Map) -> Map {
        let _running = trace::operation("intersect", &[self, other]);
        self.assert_same_tuples(other, "intersection");
        let (a, b) = self.aligned(other);
        if b.plain_is_universe() || a == b {
            return a;
        }
        if a.plain_is_universe() {
            return Map { space: a.space_arc(), basics: Disjuncts::new() }.union(&b);
        }
        a.lift2(&b, a.space_arc(), BasicMap::intersect)
    }

    /// Restrict to the parameter values in a parameter set.
    pub fn intersect_params(&self, params: &Set) -> Map {
        let _running = trace::operation("intersect_params", &[self, params]);
        if params.plain_is_universe() {
            return self.align_params(params.space());
        }
        let space = aligned_space(&self.space, params.space());
        self.lift2(params, space, BasicMap::intersect_params)
    }

    /// Restrict the domain to a set.
    pub fn intersect_domain(&self, domain: &Set) -> Map {
        let _running = trace::operation("intersect_domain", &[self, domain]);
        if domain.plain_is_universe() && self.space.domain == domain.space.range {
            return self.align_params(domain.space());
        }
        let space = aligned_space(&self.space, domain.space());
        self.lift2(domain, space, BasicMap::intersect_domain)
    }

    /// Restrict the range to a set.
    pub fn intersect_range(&self, range: &Set) -> Map {
        let _running = trace::operation("intersect_range", &[self, range]);
        if range.plain_is_universe() && self.space.range == range.space.range {
            return self.align_params(range.space());
        }
        let space = aligned_space(&self.space, range.space());
        self.lift2(range, space, BasicMap::intersect_range)
    }

    /// Exchange domain and range.
    pub fn reverse(&self) -> Map {
        self.lift_to(self.space.reverse(), BasicMap::reverse_in)
    }

    /// The points that are related to something.
    pub fn domain(&self) -> Set {
        let _running = trace::operation("domain", &[self]);
        self.lift_to(self.space.domain_space(), BasicMap::domain_in).into_set()
    }

    /// The points that something is related to.
    pub fn range(&self) -> Set {
        let _running = trace::operation("range", &[self]);
        self.lift_to(self.space.range_space(), BasicMap::range_in).into_set()
    }

    /// The parameter values for which there is any pair (any point, for a set).
    pub fn params(&self) -> Set {
        let _running = trace::operation("params", &[self]);
        self.lift_to(self.space.params_space(), BasicMap::params_in).into_set()
    }

    /// The set of pairs.
    pub fn wrap(&self) -> Set {
        self.lift(self.space.wrap(), |b| b.wrap().into()).into_set()
    }

    /// Composition: `x -> z` for `x -> y` here and `y -> z` in `other`.
    pub fn apply_range(&self, other: &Map) -> Map {
        let _running = trace::operation("apply_range", &[self, other]);
        assert!(
            self.space.tuple_is_equal(DimKind::Out, &other.space, DimKind::In),
            "{} cannot be composed with {}",
            self.space,
            other.space
        );
        let space = Space {
            params: merge_params(&self.space.params, &other.space.params),
            domain: self.space.domain.clone(),
            range: other.space.range.clone(),
        };
        let space = Arc::new(space);
        self.lift2(other, Arc::clone(&space), |a, b| a.apply_range_in(b, &space))
    }

    /// Apply `other` to the domain: `y -> z` for `x -> z` here and `x -> y` in `other`.
    pub fn apply_domain(&self, other: &Map) -> Map {
        other.reverse().apply_range(self)
    }

    /// The differences `y - x` for `x -> y`.
    pub fn deltas(&self) -> Set {
        let _running = trace::operation("deltas", &[self]);
        self.lift(self.space.range_space(), |b| b.deltas().into()).into_set()
    }

    /// The relation from wrapped pairs `[x -> y]` to their differences `y - x`.
    pub fn deltas_map(&self) -> Map {
        let n = self.dim(DimKind::Out);
        assert_eq!(self.dim(DimKind::In), n, "differences need equal arities, not {}", self.space);
        let wrapped = self.wrap();
        let range = self.space.range.clone().expect("a map has a range");
        let tuple = wrapped.space().range.clone().expect("a wrapped map is a set");
        let space = Space::map(self.space.params.clone(), tuple, range);
        let mut delta = BasicMap::universe(space);
        for i in 0..n {
            let mut r = row::zeros(delta.n_col());
            r[delta.column(DimKind::In, n + i)] = Int::ONE;
            r[delta.column(DimKind::In, i)] = Int::NEG_ONE;
            r[delta.column(DimKind::Out, i)] = Int::NEG_ONE;
            delta.add_eq(r);
        }
        Map::from_basic(delta.normalized()).intersect_domain(&wrapped)
    }

    /// The relation with the constraint `row = 0` over `[const | params | in | out]`.
    pub fn with_eq(&self, row: Row) -> Map {
        self.lift(self.space_arc(), |b| b.with_eq(row.clone()))
    }

    /// The relation with the constraint `row >= 0` over `[const | params | in | out]`.
    pub fn with_ineq(&self, row: Row) -> Map {
        self.lift(self.space_arc(), |b| b.with_ineq(row.clone()))
    }

    /// The part where dimension `i` of a kind has this value.
    pub fn fix(&self, kind: DimKind, i: usize, value: impl Into<Int>) -> Map {
        let value = value.into();
        self.lift(self.space_arc(), |b| b.fix(kind, i, &value))
    }

    /// The part where dimension `i` of a kind is at least `value`.
    pub fn lower_bound(&self, kind: DimKind, i: usize, value: impl Into<Int>) -> Map {
        let value = value.into();
        self.lift(self.space_arc(), |b| b.lower_bound(kind, i, &value))
    }

    /// The part where dimension `i` of a kind is at most `value`.
    pub fn upper_bound(&self, kind: DimKind, i: usize, value: impl Into<Int>) -> Map {
        let value = value.into();
        self.lift(self.space_arc(), |b| b.upper_bound(kind, i, &value))
    }

    /// The part where two dimensions are equal.
    pub fn equate(&self, kind_a: DimKind, a: usize, kind_b: DimKind, b: usize) -> Map {
        self.lift(self.space_arc(), |basic| basic.equate(kind_a, a, kind_b, b))
    }

    /// The part where the first dimension is at least the second.
    pub fn order_ge(&self, kind_a: DimKind, a: usize, kind_b: DimKind, b: usize) -> Map {
        self.lift(self.space_arc(), |basic| basic.order_ge(kind_a, a, kind_b, b))
    }

    /// The part where the first dimension is greater than the second.
    pub fn order_gt(&self, kind_a: DimKind, a: usize, kind_b: DimKind, b: usize) -> Map {
        self.lift(self.space_arc(), |basic| basic.order_gt(kind_a, a, kind_b, b))
    }

    /// Exact projection of `n` dimensions of a kind from `first` on.
    pub fn project_out(&self, kind: DimKind, first: usize, n: usize) -> Map {
        let _running = trace::operation("project_out", &[self, &kind, &first, &n]);
        if n == 0 {
            return self.clone();
        }
        let space = crate::basic::columns::space_without(&self.space, kind, first, n);
        self.lift_to(space, |b, space| b.project_out_in(space, kind, first, n))
    }

    /// A superset: every constraint that uses the dimensions is dropped.
    pub fn drop_constraints_involving(&self, kind: DimKind, first: usize, n: usize) -> Map {
        self.lift(self.space_arc(), |b| b.drop_constraints_involving(kind, first, n))
    }

    /// A superset: every constraint that does not use any of the dimensions is dropped.
    pub fn drop_constraints_not_involving(&self, kind: DimKind, first: usize, n: usize) -> Map {
        self.lift(self.space_arc(), |b| b.drop_constraints_not_involving(kind, first, n))
    }

    /// A superset without unknown divs.
    pub fn drop_unknown_divs(&self) -> Map {
        self.lift(self.space_arc(), BasicMap::drop_unknown_divs)
    }

    /// Insert `n` unconstrained dimensions before dimension `pos` of a tuple.
    pub fn insert_dims(&self, kind: DimKind, pos: usize, n: usize) -> Map {
        let tuple = self.space.tuple(kind).expect("dimensions are inserted into a tuple");
        let space = self.space.with_tuple(kind, tuple.with_inserted(pos, n));
        self.lift(space, |b| b.insert_dims(kind, pos, n))
    }

    /// Append `n` unconstrained dimensions to a tuple.
    pub fn add_dims(&self, kind: DimKind, n: usize) -> Map {
        self.insert_dims(kind, self.dim(kind), n)
    }

    /// Move dimensions between kinds, see [`BasicMap::move_dims`].
    pub fn move_dims(&self, dst: DimKind, dst_pos: usize, src: DimKind, src_pos: usize, n: usize) -> Map {
        let space = crate::basic::columns::moved_space(&self.space, dst, dst_pos, src, src_pos, n);
        self.lift(space, |b| b.move_dims(dst, dst_pos, src, src_pos, n))
    }

    /// The same rows over a space of the same shape.
    pub(crate) fn with_space(&self, space: Space) -> Map {
        let space = Arc::new(space);
        let basics = self.basics.iter().map(|b| Arc::new(BasicMap::clone(b).with_space(Arc::clone(&space)))).collect();
        Map { space, basics }
    }

    /// The same relation with another tuple of the same arity.
    pub fn set_tuple(&self, kind: DimKind, tuple: Tuple) -> Map {
        assert_eq!(tuple.n(), self.dim(kind), "{tuple} has another arity than the tuple replaced");
        self.with_space(self.space.with_tuple(kind, tuple))
    }

    /// The same relation with another name for a tuple.
    pub fn set_tuple_name(&self, kind: DimKind, name: Option<Id>) -> Map {
        self.with_space(self.space.with_tuple_name(kind, name))
    }

    /// Name a dimension, for printing; parameters are renamed.
    pub fn set_dim_name(&self, kind: DimKind, i: usize, name: impl Into<Id>) -> Map {
        let mut space = (*self.space).clone();
        match kind {
            DimKind::Param => space.params[i] = name.into(),
            _ => {
                let mut tuple = space.tuple(kind).expect("the dimension is in a tuple").clone();
                tuple.dims[i] = Some(name.into());
                space = space.with_tuple(kind, tuple);
            }
        }
        self.with_space(space)
    }

    /// The same relation without the parameters that no constraint uses.
    pub fn drop_unused_params(&self) -> Map {
        let mut result = self.clone();
        for i in (0..self.dim(DimKind::Param)).rev() {
            if !result.involves_dims(DimKind::Param, i, 1) {
                result = result.project_out(DimKind::Param, i, 1);
            }
        }
        result
    }

    /// Exactly the parameters `params`, in this order; those not among them are projected out.
    pub fn with_exact_params(&self, params: &[Id]) -> Map {
        let mut result = self.clone();
        for i in (0..self.dim(DimKind::Param)).rev() {
            if !params.contains(&self.space.params[i]) {
                result = result.project_out(DimKind::Param, i, 1);
            }
        }
        result.over_params(params)
    }

    /// The union of the disjuncts that satisfy a predicate.
    pub fn filter_basics(&self, keep: impl Fn(&BasicMap) -> bool) -> Map {
        let basics = self.basics.iter().filter(|b| keep(b)).cloned().collect();
        Map { space: self.space_arc(), basics }
    }
}

impl From<BasicMap> for Map {
    fn from(basic: BasicMap) -> Map {
        Map::from_basic(basic)
    }
}

impl From<BasicSet> for Map {
    fn from(basic: BasicSet) -> Map {
        Map::from_basic(BasicMap::from(basic))
    }
}
