//! Piecewise tuples of quasi-affine expressions.

use std::sync::Arc;

use poly_arith::{Int, Rational};

use crate::aff::Aff;
use crate::map::Map;
use crate::multi::MultiAff;
use crate::pw::PwAff;
use crate::set::Set;
use crate::space::{DimKind, Id, Space, Tuple, merge_params};

mod arithmetic;

/// A partial function between tuples: pieces with pairwise disjoint domains.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct PwMultiAff {
    pub(crate) space: Arc<Space>,
    pub(crate) pieces: Vec<(Set, MultiAff)>,
}

impl From<MultiAff> for PwMultiAff {
    fn from(ma: MultiAff) -> PwMultiAff {
        let domain = Set::universe(ma.domain_space());
        PwMultiAff { space: Arc::clone(&ma.space), pieces: vec![(domain, ma)] }
    }
}

impl PwMultiAff {
    /// The function that is defined nowhere. `space` is a map space, or the set space of the range
    /// if the domain is a parameter space.
    pub fn empty(space: impl Into<Arc<Space>>) -> PwMultiAff {
        PwMultiAff { space: space.into(), pieces: Vec::new() }
    }

    /// The function `ma` on a set.
    pub fn new(domain: Set, ma: MultiAff) -> PwMultiAff {
        PwMultiAff::from_pieces(Arc::clone(&ma.space), vec![(domain, ma)])
    }

    /// A function from pieces with pairwise disjoint domains.
    pub fn from_pieces(space: impl Into<Arc<Space>>, pieces: Vec<(Set, MultiAff)>) -> PwMultiAff {
        let space: Arc<Space> = space.into();
        let params = pieces.iter().fold(space.params.clone(), |all, (s, m)| {
            merge_params(&merge_params(&all, &s.space.params), &m.space.params)
        });
        let mut result = PwMultiAff::empty(space.with_params(params.clone()));
        for (set, ma) in pieces {
            result.push(Set(set.0.over_params(&params)), ma.over_params(&params));
        }
        result
    }

    /// Add a piece over the same space, joining it with one of the same expressions.
    pub(crate) fn push(&mut self, domain: Set, ma: MultiAff) {
        assert!(
            *ma.space == *self.space && *domain.space() == self.space.domain_space(),
            "a piece {} on {} does not fit a function over {}",
            ma.space,
            domain.space(),
            self.space
        );
        if domain.plain_is_empty() {
            return;
        }
        match self.pieces.iter_mut().find(|(_, m)| *m == ma) {
            Some((set, _)) => *set = set.union(&domain),
            None => self.pieces.push((domain, ma)),
        }
    }

    /// The identity function of a set space.
    pub fn identity(space: &Space) -> PwMultiAff {
        MultiAff::identity(space).into()
    }

    /// The space of the graph: a map space, or a set space if the domain is a parameter space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The space of the domain.
    pub fn domain_space(&self) -> Space {
        self.space.domain_space()
    }

    /// The pieces: domains, pairwise disjoint, and functions.
    pub fn pieces(&self) -> &[(Set, MultiAff)] {
        &self.pieces
    }

    /// Number of pieces.
    pub fn n_piece(&self) -> usize {
        self.pieces.len()
    }

    /// Number of expressions of each piece.
    pub fn n_out(&self) -> usize {
        self.space.dim(DimKind::Out)
    }

    /// Where the function is defined.
    pub fn domain(&self) -> Set {
        let empty = Set::empty(self.domain_space());
        self.pieces.iter().fold(empty, |all, (set, _)| all.union(set))
    }

    /// The function, if there is only one piece and it covers the whole space.
    pub fn as_multi_aff(&self) -> Option<&MultiAff> {
        match &self.pieces[..] {
            [(set, ma)] if set.plain_is_universe() => Some(ma),
            _ => None,
        }
    }

    /// The expression of one range dimension.
    pub fn get(&self, i: usize) -> PwAff {
        let pieces = self.pieces.iter().map(|(s, m)| (s.clone(), m.get(i).clone())).collect();
        PwAff::from_pieces(self.domain_space(), pieces)
    }

    pub(crate) fn over_params(&self, params: &[Id]) -> PwMultiAff {
        if self.space.params == params {
            return self.clone();
        }
        let piece = |(s, m): &(Set, MultiAff)| (Set(s.0.over_params(params)), m.over_params(params));
        let space = Arc::new(self.space.with_params(params.to_vec()));
        PwMultiAff { space, pieces: self.pieces.iter().map(piece).collect() }
    }

    /// The function over its parameters and those of `other`.
    pub fn align_params(&self, other: &Space) -> PwMultiAff {
        self.over_params(&merge_params(&self.space.params, &other.params))
    }

    /// Restrict the function to a set.
    pub fn intersect_domain(&self, domain: &Set) -> PwMultiAff {
        let this = self.align_params(domain.space());
        let mut result = PwMultiAff::empty(Arc::clone(&this.space));
        this.pieces.iter().for_each(|(s, m)| result.push(s.intersect(domain), m.clone()));
        result
    }

    /// Restrict the function to parameter values.
    pub fn intersect_params(&self, params: &Set) -> PwMultiAff {
        let this = self.align_params(params.space());
        let mut result = PwMultiAff::empty(Arc::clone(&this.space));
        this.pieces.iter().for_each(|(s, m)| result.push(s.intersect_params(params), m.clone()));
        result
    }

    /// The pieces of both functions, whose domains must be disjoint (which is not checked).
    pub fn union_disjoint(&self, other: &PwMultiAff) -> PwMultiAff {
        let params = merge_params(&self.space.params, &other.space.params);
        let mut result = self.over_params(&params);
        other.over_params(&params).pieces.into_iter().for_each(|(s, m)| result.push(s, m));
        result
    }

    /// `A -> [B -> C]` of `A -> B` and `A -> C`.
    pub fn range_product(&self, other: &PwMultiAff) -> PwMultiAff {
        self.combine(other, self.space.range_product(&other.space), MultiAff::range_product)
    }

    /// As [`PwMultiAff::range_product`], with a flat anonymous range.
    pub fn flat_range_product(&self, other: &PwMultiAff) -> PwMultiAff {
        self.combine(other, self.space.flat_range_product(&other.space), MultiAff::flat_range_product)
    }

    /// The sum, where both are defined.
    pub fn add(&self, other: &PwMultiAff) -> PwMultiAff {
        self.combine(other, self.space.align(&other.space), MultiAff::add)
    }

    /// The difference, where both are defined.
    pub fn sub(&self, other: &PwMultiAff) -> PwMultiAff {
        self.combine(other, self.space.align(&other.space), MultiAff::sub)
    }

    fn combine(&self, other: &PwMultiAff, space: Space, f: impl Fn(&MultiAff, &MultiAff) -> MultiAff) -> PwMultiAff {
        let (x, y) = (self.over_params(&space.params), other.over_params(&space.params));
        let mut result = PwMultiAff::empty(space);
        for (s, a) in &x.pieces {
            y.pieces.iter().for_each(|(t, b)| result.push(s.intersect(t), f(a, b)));
        }
        result
    }

    /// `self` after the total function `by`.
    pub fn pullback(&self, by: &MultiAff) -> PwMultiAff {
        let range = Space { domain: None, ..(*self.space).clone() };
        let space = Space::from_domain_and_range(&by.domain_space(), &range);
        let mut result = PwMultiAff::empty(space.clone());
        for (set, ma) in &self.pieces {
            let ma = ma.pullback(by).over_params(&space.params);
            result.push(Set(set.preimage(by).0.over_params(&space.params)), ma);
        }
        result
    }

    /// `self` after the partial function `by`.
    pub fn pullback_pw(&self, by: &PwMultiAff) -> PwMultiAff {
        let range = Space { domain: None, ..(*self.space).clone() };
        let space = Space::from_domain_and_range(&by.domain_space(), &range);
        let mut result = PwMultiAff::empty(space.clone());
        for (domain, ma) in &by.pieces {
            let part = self.pullback(ma).intersect_domain(domain).over_params(&space.params);
            part.pieces.into_iter().for_each(|(s, m)| result.push(s, m));
        }
        result
    }

    /// The values at a point, `None` where the function is undefined.
    pub fn eval(&self, params: &[Int], point: &[Int]) -> Option<Vec<Rational>> {
        let piece = self.pieces.iter().find(|(set, _)| set.contains(params, point));
        piece.map(|(_, ma)| ma.eval(params, point))
    }

    /// The graph of the function.
    pub fn to_map(&self) -> Map {
        let mut result = Map::empty(Arc::clone(&self.space));
        for (set, ma) in &self.pieces {
            let graph = ma.to_map();
            let part = match self.space.is_map() {
                true => graph.intersect_domain(set),
                false => graph.intersect_params(set),
            };
            result = result.union(&part);
        }
        result
    }

    /// The graph of a function on parameters, as a set.
    pub fn to_set(&self) -> Set {
        self.to_map().into_set()
    }

    /// The same function into another tuple of the same arity.
    pub fn set_range_tuple(&self, tuple: Tuple) -> PwMultiAff {
        let space = self.space.with_tuple(DimKind::Out, tuple.clone());
        let piece = |(s, m): &(Set, MultiAff)| (s.clone(), m.set_range_tuple(tuple.clone()));
        PwMultiAff { space: space.into(), pieces: self.pieces.iter().map(piece).collect() }
    }

    /// Change the function of every piece into one over `space`.
    pub fn map_pieces(&self, space: Space, f: impl Fn(&MultiAff) -> MultiAff) -> PwMultiAff {
        let pieces = self.pieces.iter().map(|(s, m)| (s.clone(), f(m))).collect();
        PwMultiAff::from_pieces(space, pieces)
    }

    /// Only the expressions of the first `n` range dimensions, into an anonymous tuple.
    pub fn first_dims(&self, n: usize) -> PwMultiAff {
        let space = self.space.with_tuple(DimKind::Out, Tuple::anonymous(n));
        let pieces = self.pieces.iter().map(|(s, m)| {
            let affs: Vec<Aff> = m.affs()[..n].to_vec();
            (s.clone(), MultiAff::new(space.clone(), affs))
        });
        PwMultiAff::from_pieces(space.clone(), pieces.collect())
    }
}
