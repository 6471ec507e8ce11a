//! Tuples of quasi-affine expressions: functions between tuples.
//!
//! A [`MultiAff`] `{ S[i, j] -> T[(i + j), (j)] }` has the space of the relation it is the graph of
//! and one expression per range dimension. Its domain may be a parameter space; its own space is
//! then the set space of the range.

use std::sync::Arc;

use poly_arith::{Int, Rational};

use crate::aff::Aff;
use crate::basic::BasicMap;
use crate::map::Map;
use crate::row;
use crate::set::Set;
use crate::space::{DimKind, Id, Space, Tuple, merge_params};

mod arithmetic;

/// A tuple of quasi-affine expressions over one domain.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct MultiAff {
    pub(crate) space: Arc<Space>,
    pub(crate) affs: Vec<Aff>,
}

impl MultiAff {
    /// The function with these expressions; `space` is a map space, or the set space of the range
    /// if the domain is a parameter space.
    pub fn new(space: impl Into<Arc<Space>>, affs: Vec<Aff>) -> MultiAff {
        let mut space: Arc<Space> = space.into();
        assert_eq!(affs.len(), space.dim(DimKind::Out), "{space} needs one expression per dimension");
        if affs.iter().any(|a| a.space.params != space.params) {
            let params = affs.iter().fold(space.params.clone(), |all, a| merge_params(&all, &a.space.params));
            space = Arc::new(space.with_params(params));
        }
        let domain = space.domain_space();
        for aff in &affs {
            assert!(
                aff.space.has_equal_tuples(&domain),
                "an expression over {} does not fit the domain {domain}",
                aff.space
            );
        }
        let affs = affs.iter().map(|a| a.over_params(&space.params)).collect();
        MultiAff { space, affs }
    }

    /// The function with expressions over a domain, into a tuple.
    pub fn into_tuple(domain: &Space, range: Tuple, affs: Vec<Aff>) -> MultiAff {
        let range = Space::set(domain.params.clone(), range);
        MultiAff::new(Space::from_domain_and_range(domain, &range), affs)
    }

    /// The identity function of a set space.
    pub fn identity(space: &Space) -> MultiAff {
        let map_space = if space.is_set() { space.map_from_set() } else { space.clone() };
        assert_eq!(map_space.dim(DimKind::In), map_space.dim(DimKind::Out), "{space} is no identity");
        let domain = Arc::new(map_space.domain_space());
        let var = |i| Aff::var(Arc::clone(&domain), DimKind::Out, i);
        let affs = (0..map_space.dim(DimKind::Out)).map(var).collect();
        MultiAff::new(map_space, affs)
    }

    /// The function that is zero in every dimension.
    pub fn zero(space: impl Into<Arc<Space>>) -> MultiAff {
        let space = space.into();
        let domain = Arc::new(space.domain_space());
        let affs = (0..space.dim(DimKind::Out)).map(|_| Aff::zero(Arc::clone(&domain))).collect();
        MultiAff { space, affs }
    }

    /// The constant function with integer values.
    pub fn constant(space: impl Into<Arc<Space>>, values: &[Int]) -> MultiAff {
        let zero = MultiAff::zero(space);
        assert_eq!(values.len(), zero.affs.len(), "one value per dimension");
        let affs = zero.affs.iter().zip(values).map(|(a, v)| a.add_constant(v)).collect();
        MultiAff { space: zero.space, affs }
    }

    /// The space of the graph: a map space, or a set space if the domain is a parameter space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The space of the domain.
    pub fn domain_space(&self) -> Space {
        self.space.domain_space()
    }

    /// The space of the range.
    pub fn range_space(&self) -> Space {
        self.space.range_space()
    }

    /// The expressions.
    pub fn affs(&self) -> &[Aff] {
        &self.affs
    }

    /// Number of expressions.
    pub fn n_out(&self) -> usize {
        self.affs.len()
    }

    /// The expression of a range dimension.
    pub fn get(&self, i: usize) -> &Aff {
        &self.affs[i]
    }

    pub(crate) fn over_params(&self, params: &[Id]) -> MultiAff {
        if self.space.params == params {
            return self.clone();
        }
        let space = Arc::new(self.space.with_params(params.to_vec()));
        MultiAff { space, affs: self.affs.iter().map(|a| a.over_params(params)).collect() }
    }

    /// The function over its parameters and those of `other`.
    pub fn align_params(&self, other: &Space) -> MultiAff {
        self.over_params(&merge_params(&self.space.params, &other.params))
    }

    fn zip_with(&self, other: &MultiAff, f: impl Fn(&Aff, &Aff) -> Aff) -> MultiAff {
        assert!(self.space.has_equal_tuples(&other.space), "{} and {} cannot be combined", self.space, other.space);
        let affs = self.affs.iter().zip(&other.affs).map(|(a, b)| f(a, b)).collect();
        MultiAff::new(Arc::clone(&self.space), affs).align_params(&other.space)
    }

    /// The sum, dimension by dimension.
    pub fn add(&self, other: &MultiAff) -> MultiAff {
        self.zip_with(other, Aff::add)
    }

    /// The difference, dimension by dimension.
    pub fn sub(&self, other: &MultiAff) -> MultiAff {
        self.zip_with(other, Aff::sub)
    }

    /// Change every expression.
    pub fn map_affs(&self, f: impl Fn(&Aff) -> Aff) -> MultiAff {
        MultiAff::new(Arc::clone(&self.space), self.affs.iter().map(f).collect())
    }

    /// `A -> [B, C]` of `A -> B` and `A -> C`, with a flat anonymous range.
    pub fn flat_range_product(&self, other: &MultiAff) -> MultiAff {
        self.range_product_in(other, Space::flat_range_product)
    }

    /// `A -> [B -> C]` of `A -> B` and `A -> C`.
    pub fn range_product(&self, other: &MultiAff) -> MultiAff {
        self.range_product_in(other, Space::range_product)
    }

    fn range_product_in(&self, other: &MultiAff, f: fn(&Space, &Space) -> Space) -> MultiAff {
        let affs = self.affs.iter().chain(&other.affs).cloned().collect();
        MultiAff::new(f(&self.space, &other.space), affs)
    }

    /// The expressions `first..first + n` only, into an anonymous tuple.
    pub fn slice(&self, first: usize, n: usize) -> MultiAff {
        let affs = self.affs[first..first + n].to_vec();
        MultiAff::into_tuple(&self.domain_space(), Tuple::anonymous(n), affs)
    }

    /// The same function into another tuple of the same arity.
    pub fn set_range_tuple(&self, tuple: Tuple) -> MultiAff {
        assert_eq!(tuple.n(), self.n_out(), "{tuple} has another arity than {}", self.space);
        let space = Arc::new(self.space.with_tuple(DimKind::Out, tuple));
        MultiAff { space, affs: self.affs.clone() }
    }

    /// `self` after `by`: the domain dimensions replaced by the expressions of `by`.
    pub fn pullback(&self, by: &MultiAff) -> MultiAff {
        assert!(self.space.domain == by.space.range, "{} cannot be applied after {}", self.space, by.space);
        let domain = Arc::new(by.domain_space().align(&self.space));
        let affs: Vec<Aff> = by.affs.iter().map(|a| a.over_params(&domain.params)).collect();
        let refs: Vec<&Aff> = affs.iter().collect();
        let new = self.affs.iter().map(|a| a.substitute(&domain, &refs)).collect();
        let range = Space { domain: None, ..(*self.space).clone() };
        MultiAff::new(Space::from_domain_and_range(&domain, &range), new)
    }

    /// The values at a point.
    pub fn eval(&self, params: &[Int], point: &[Int]) -> Vec<Rational> {
        self.affs.iter().map(|a| a.eval(params, point)).collect()
    }

    /// The graph as a basic relation: pairs of a point and its (integer) image.
    pub fn to_basic_map(&self) -> BasicMap {
        let domain = Arc::new(self.domain_space());
        let refs: Vec<&Aff> = self.affs.iter().collect();
        let (mut carrier, rows) = Aff::carrier(&domain, &refs);
        carrier.ineqs = rows;
        let at = 1 + domain.n_var();
        let mut graph = carrier.insert_columns(Arc::clone(&self.space), at, self.n_out());
        let rows = std::mem::take(&mut graph.ineqs);
        for (i, (mut r, aff)) in rows.into_iter().zip(&self.affs).enumerate() {
            r[at + i] = -&aff.denom;
            graph.eqs.push(r);
        }
        graph.normalized()
    }

    /// The graph as a relation.
    pub fn to_map(&self) -> Map {
        Map::from_basic(self.to_basic_map())
    }

    /// Where the function is lexicographically not larger than `other`.
    pub(crate) fn lex_le_set(&self, other: &MultiAff) -> Set {
        self.lex_compare(other, true)
    }

    /// Where the function is lexicographically smaller than `other`.
    pub(crate) fn lex_lt_set(&self, other: &MultiAff) -> Set {
        self.lex_compare(other, false)
    }

    fn lex_compare(&self, other: &MultiAff, or_equal: bool) -> Set {
        let domain = Arc::new(self.domain_space().align(&other.space));
        let mut result = Set::empty(Arc::clone(&domain));
        let mut equal_so_far = Set::universe(Arc::clone(&domain));
        for (a, b) in self.affs.iter().zip(&other.affs) {
            let less = Set::from_basic(b.gt_basic_set(a));
            result = result.union(&equal_so_far.intersect(&less));
            equal_so_far = equal_so_far.intersect(&Set::from_basic(a.eq_basic_set(b)));
        }
        if or_equal { result.union(&equal_so_far) } else { result }
    }

    /// The projection of a wrapped or flat tuple on `n` dimensions from `first` on.
    pub fn projection(space: &Space, first: usize, n: usize) -> MultiAff {
        let domain = Arc::new(space.clone());
        let affs = (first..first + n).map(|i| Aff::var(Arc::clone(&domain), DimKind::Out, i)).collect();
        MultiAff::into_tuple(space, Tuple::anonymous(n), affs)
    }

    /// The linear part as rows `[const | params | dims]`, if no expression has divs or a
    /// denominator.
    pub fn plain_rows(&self) -> Option<Vec<crate::basic::Row>> {
        let plain = self.affs.iter().all(Aff::is_integral_affine);
        plain.then(|| self.affs.iter().map(|a| a.row.clone()).collect())
    }

    /// The function with rows `[const | params | dims]` over a domain.
    pub fn from_rows(domain: &Space, range: Tuple, rows: &[crate::basic::Row]) -> MultiAff {
        let space = Arc::new(domain.clone());
        let aff = |r: &crate::basic::Row| Aff::from_row(Arc::clone(&space), r.clone(), Int::ONE);
        MultiAff::into_tuple(domain, range, rows.iter().map(aff).collect())
    }

    /// Whether all expressions are zero.
    pub fn is_zero(&self) -> bool {
        self.affs.iter().all(|a| row::is_zero(&a.row))
    }
}

impl Set {
    /// The points of the domain of `by` whose image is in this set.
    pub fn preimage(&self, by: &MultiAff) -> Set {
        assert!(self.space.range == by.space.range, "{} is not the range of {}", self.space, by.space);
        let space = Arc::new(by.domain_space().align(&self.space));
        let affs: Vec<Aff> = by.affs.iter().map(|a| a.over_params(&space.params)).collect();
        let refs: Vec<&Aff> = affs.iter().collect();
        self.preimage_affs(&space, &refs)
    }
}
