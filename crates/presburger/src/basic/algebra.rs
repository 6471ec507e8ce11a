//! Algebra of basic relations: conjunction, composition, products, domain and range.
//!
//! All of it is one pattern: make a universe over the result space with some unknown divs for what
//! is quantified away, absorb the operands with their columns mapped, simplify.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::{BasicMap, BasicSet};
use crate::space::{DimKind, Space, merge_params};
use crate::trace;

/// The columns of each group in some layout, to build column maps from.
#[derive(Clone)]
struct Groups {
    params: Range<usize>,
    input: Range<usize>,
    output: Range<usize>,
}

impl Groups {
    fn of(space: &Space) -> Groups {
        let range = |kind| {
            let at = space.offset(kind);
            at..at + space.dim(kind)
        };
        Groups { params: range(DimKind::Param), input: range(DimKind::In), output: range(DimKind::Out) }
    }

    /// The map from the columns `[1 | params | in | out]` to these groups.
    fn map(&self) -> SmallVec<[usize; 32]> {
        let tail = self.params.clone().chain(self.input.clone()).chain(self.output.clone());
        std::iter::once(0).chain(tail).collect()
    }
}

/// Both relations over common parameters.
pub(crate) fn align_pair<'a>(a: &'a BasicMap, b: &'a BasicMap) -> (Cow<'a, BasicMap>, Cow<'a, BasicMap>) {
    if a.space.params == b.space.params {
        return (Cow::Borrowed(a), Cow::Borrowed(b));
    }
    let params = merge_params(&a.space.params, &b.space.params);
    (Cow::Owned(a.over_params(&params)), Cow::Owned(b.over_params(&params)))
}

impl BasicMap {
    /// Relate what both relate.
    pub fn intersect(&self, other: &BasicMap) -> BasicMap {
        let _running = trace::operation("intersect", &[self, other]);
        let (a, b) = align_pair(self, other);
        assert!(a.space.has_equal_tuples(&b.space), "the intersection of {} and {} is not defined", a.space, b.space);
        let map: SmallVec<[usize; 32]> = (0..1 + b.n_var()).collect();
        a.joined(&b, &map).normalized()
    }

    /// Restrict to the parameter values in a parameter set.
    pub fn intersect_params(&self, params: &BasicMap) -> BasicMap {
        let _running = trace::operation("intersect_params", &[self, params]);
        assert!(params.space.is_params(), "{} is not the space of a parameter set", params.space);
        let (a, b) = align_pair(self, params);
        a.joined(&b, &Groups::of(&b.space).map()).normalized()
    }

    /// Restrict the domain to a set.
    pub fn intersect_domain(&self, domain: &BasicMap) -> BasicMap {
        let _running = trace::operation("intersect_domain", &[self, domain]);
        self.intersect_side(domain, DimKind::In)
    }

    /// Restrict the range to a set.
    pub fn intersect_range(&self, range: &BasicMap) -> BasicMap {
        let _running = trace::operation("intersect_range", &[self, range]);
        self.intersect_side(range, DimKind::Out)
    }

    fn intersect_side(&self, set: &BasicMap, kind: DimKind) -> BasicMap {
        assert!(
            self.space.tuple_is_equal(kind, &set.space, DimKind::Out) && !set.space.is_map(),
            "{} cannot be restricted to {}",
            self.space,
            set.space
        );
        let (a, b) = align_pair(self, set);
        let groups = Groups::of(&a.space);
        let output = if kind == DimKind::In { groups.input } else { groups.output };
        a.joined(&b, &Groups { params: groups.params, input: 0..0, output }.map()).normalized()
    }

    /// Exchange domain and range.
    pub fn reverse(&self) -> BasicMap {
        self.reverse_in(Arc::new(self.space.reverse()))
    }

    pub(crate) fn reverse_in(&self, space: Arc<Space>) -> BasicMap {
        let new = Groups::of(&space);
        let map = Groups { params: new.params, input: new.output, output: new.input }.map();
        self.relayout_vars(space, map.into_vec()).normalized()
    }

    /// The domain, with the range quantified away.
    pub fn domain(&self) -> BasicSet {
        let _running = trace::operation("domain", &[self]);
        self.domain_in(Arc::new(self.space.domain_space())).into_basic_set()
    }

    pub(crate) fn domain_in(&self, space: Arc<Space>) -> BasicMap {
        self.quantify(space, self.offset(DimKind::Out), self.dim(DimKind::Out)).normalized()
    }

    /// The range, with the domain quantified away.
    pub fn range(&self) -> BasicSet {
        let _running = trace::operation("range", &[self]);
        self.range_in(Arc::new(self.space.range_space())).into_basic_set()
    }

    pub(crate) fn range_in(&self, space: Arc<Space>) -> BasicMap {
        self.quantify(space, self.offset(DimKind::In), self.dim(DimKind::In)).normalized()
    }

    /// The parameter values for which there is any point.
    pub fn params(&self) -> BasicSet {
        let _running = trace::operation("params", &[self]);
        self.params_in(Arc::new(self.space.params_space())).into_basic_set()
    }

    pub(crate) fn params_in(&self, space: Arc<Space>) -> BasicMap {
        let at = self.offset(DimKind::In);
        self.quantify(space, at, self.offset(DimKind::Div) - at).normalized()
    }

    /// The relation as a set of pairs.
    pub fn wrap(&self) -> BasicSet {
        let space = Arc::new(self.space.wrap());
        self.clone().with_space(space).into_basic_set()
    }

    /// Relational composition: `x -> z` for `x -> y` here and `y -> z` in `other`.
    pub fn apply_range(&self, other: &BasicMap) -> BasicMap {
        let _running = trace::operation("apply_range", &[self, other]);
        assert!(
            self.space.tuple_is_equal(DimKind::Out, &other.space, DimKind::In),
            "{} cannot be composed with {}",
            self.space,
            other.space
        );
        let space = Arc::new(Space {
            params: merge_params(&self.space.params, &other.space.params),
            domain: self.space.domain.clone(),
            range: other.space.range.clone(),
        });
        self.apply_range_in(other, &space)
    }

    /// Composition of relations that fit; the result is over `space`.
    pub(crate) fn apply_range_in(&self, other: &BasicMap, space: &Arc<Space>) -> BasicMap {
        let (a, b) = align_pair(self, other);
        let middle = a.dim(DimKind::Out);
        let mut result = BasicMap::from_parts(Arc::clone(space), vec![None; middle], Vec::new(), Vec::new());
        let first = result.offset(DimKind::Div);
        let new = Groups::of(space);
        let quantified = first..first + middle;
        let left = Groups { output: quantified.clone(), ..new.clone() };
        let right = Groups { input: quantified, ..new };
        result.absorb_all(&[(&*a, &left.map()), (&*b, &right.map())]);
        result.normalized()
    }

    /// A basic map over `space` from two operands, each with groups of columns of the result.
    fn join(space: Space, parts: [(&BasicMap, Groups); 2]) -> BasicMap {
        let mut result = BasicMap::universe(space);
        let [(a, left), (b, right)] = parts;
        result.absorb_all(&[(a, &left.map()), (b, &right.map())]);
        result.normalized()
    }

    /// All pairs: `A x B` of two sets, `[A -> C] -> [B -> D]` of two maps.
    pub fn product(&self, other: &BasicMap) -> BasicMap {
        let (a, b) = align_pair(self, other);
        BasicMap::product_in(a.space.product(&b.space), &a, &b)
    }

    /// As [`BasicMap::product`], with flat anonymous tuples.
    pub fn flat_product(&self, other: &BasicMap) -> BasicMap {
        let (a, b) = align_pair(self, other);
        BasicMap::product_in(a.space.flat_product(&b.space), &a, &b)
    }

    fn product_in(space: Space, a: &BasicMap, b: &BasicMap) -> BasicMap {
        let new = Groups::of(&space);
        let (ain, aout) = (a.dim(DimKind::In), a.dim(DimKind::Out));
        let split = |r: &Range<usize>, n: usize| (r.start..r.start + n, r.start + n..r.end);
        let (in_a, in_b) = split(&new.input, ain);
        let (out_a, out_b) = split(&new.output, aout);
        let left = Groups { params: new.params.clone(), input: in_a, output: out_a };
        let right = Groups { params: new.params, input: in_b, output: out_b };
        BasicMap::join(space, [(a, left), (b, right)])
    }

    /// `x -> [y -> z]` for `x -> y` and `x -> z`.
    pub fn range_product(&self, other: &BasicMap) -> BasicMap {
        let (a, b) = align_pair(self, other);
        BasicMap::range_product_in(a.space.range_product(&b.space), &a, &b)
    }

    /// As [`BasicMap::range_product`], with a flat anonymous range.
    pub fn flat_range_product(&self, other: &BasicMap) -> BasicMap {
        let (a, b) = align_pair(self, other);
        BasicMap::range_product_in(a.space.flat_range_product(&b.space), &a, &b)
    }

    fn range_product_in(space: Space, a: &BasicMap, b: &BasicMap) -> BasicMap {
        let new = Groups::of(&space);
        let cut = new.output.start + a.dim(DimKind::Out);
        let left = Groups { output: new.output.start..cut, ..new.clone() };
        let right = Groups { output: cut..new.output.end, ..new };
        BasicMap::join(space, [(a, left), (b, right)])
    }

    /// The relation between points of the tuple of both sides where all dimensions are equal.
    pub fn identity(space: &Space) -> BasicMap {
        assert!(
            space.is_map() && space.dim(DimKind::In) == space.dim(DimKind::Out),
            "{space} is not the space of an identity relation"
        );
        let mut result = BasicMap::universe(space.clone());
        for i in 0..space.dim(DimKind::In) {
            let row = result.difference_row(DimKind::Out, i, DimKind::In, i);
            result.eqs.push(row);
        }
        result
    }

    /// The differences `y - x` for `x -> y`.
    pub fn deltas(&self) -> BasicSet {
        let _running = trace::operation("deltas", &[self]);
        let n = self.dim(DimKind::Out);
        assert_eq!(self.dim(DimKind::In), n, "differences need equal arities, not {}", self.space);
        let space = Arc::new(self.space.range_space());
        let new = Groups::of(&space);
        let mut result = BasicMap::universe(space);
        (0..2 * n).for_each(|_| {
            result.add_unknown_div();
        });
        let first = result.offset(DimKind::Div);
        let groups = Groups { params: new.params, input: first..first + n, output: first + n..first + 2 * n };
        result.absorb(self, &groups.map());
        for i in 0..n {
            let mut row = crate::row::zeros(result.n_col());
            row[new.output.start + i] = poly_arith::Int::NEG_ONE;
            row[first + n + i] = poly_arith::Int::ONE;
            row[first + i] = poly_arith::Int::NEG_ONE;
            result.eqs.push(row);
        }
        result.normalized().into_basic_set()
    }
}

impl BasicSet {
    /// The points in both.
    pub fn intersect(&self, other: &BasicSet) -> BasicSet {
        BasicSet(self.0.intersect(&other.0).into())
    }

    /// Restrict to the parameter values in a parameter set.
    pub fn intersect_params(&self, params: &BasicSet) -> BasicSet {
        BasicSet(self.0.intersect_params(&params.0).into())
    }

    /// The relation that the set of pairs wraps.
    pub fn unwrap(&self) -> BasicMap {
        let space = Arc::new(self.space.unwrap());
        BasicMap::clone(&self.0).with_space(space)
    }

    /// The image under a relation.
    pub fn apply(&self, map: &BasicMap) -> BasicSet {
        map.intersect_domain(self).range()
    }

    /// The set of pairs `A x B`.
    pub fn product(&self, other: &BasicSet) -> BasicSet {
        BasicSet(self.0.product(&other.0).into())
    }

    /// The set of concatenated points.
    pub fn flat_product(&self, other: &BasicSet) -> BasicSet {
        BasicSet(self.0.flat_product(&other.0).into())
    }
}
