//! Piecewise quasi-affine expressions.
//!
//! A [`PwAff`] is a partial function: a list of pieces (domain, expression) with pairwise disjoint
//! domains. Arithmetic intersects the domains of the operands; it is syntactic, pieces whose domain
//! is empty for a reason that needs a solver stay until `coalesce` or `drop_empty_pieces`.

use std::sync::Arc;

use poly_arith::{Int, Rational};

use crate::aff::Aff;
use crate::set::Set;
use crate::space::{DimKind, Id, Space, merge_params};

mod compare;

/// A piecewise quasi-affine expression over a set or parameter space.
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct PwAff {
    pub(crate) space: Arc<Space>,
    pub(crate) pieces: Vec<(Set, Aff)>,
}

impl From<Aff> for PwAff {
    fn from(aff: Aff) -> PwAff {
        PwAff::from_aff(aff)
    }
}

impl PwAff {
    /// The function that is defined nowhere.
    pub fn empty(space: impl Into<Arc<Space>>) -> PwAff {
        let space = space.into();
        assert!(!space.is_map(), "the domain of a function is a set, not {space}");
        PwAff { space, pieces: Vec::new() }
    }

    /// An expression on its whole domain space.
    pub fn from_aff(aff: Aff) -> PwAff {
        let domain = Set::universe(Arc::clone(&aff.space));
        PwAff { space: Arc::clone(&aff.space), pieces: vec![(domain, aff)] }
    }

    /// An expression on a set.
    pub fn new(domain: Set, aff: Aff) -> PwAff {
        PwAff::from_pieces(aff.space.clone(), vec![(domain, aff)])
    }

    /// A function from pieces with pairwise disjoint domains over `space`.
    pub fn from_pieces(space: impl Into<Arc<Space>>, pieces: Vec<(Set, Aff)>) -> PwAff {
        let mut space: Arc<Space> = space.into();
        for (set, aff) in &pieces {
            space = Arc::new(space.align(set.space()).align(aff.space()));
        }
        let mut result = PwAff::empty(Arc::clone(&space));
        for (set, aff) in pieces {
            let aff = aff.over_params(&space.params);
            result.push(Set(set.0.over_params(&space.params)), aff);
        }
        result
    }

    /// Add a piece over the same space, joining it with one of the same expression.
    fn push(&mut self, domain: Set, aff: Aff) {
        assert!(
            domain.space() == &*self.space && *aff.space == *self.space,
            "a piece over {} does not fit a function over {}",
            domain.space(),
            self.space
        );
        if domain.plain_is_empty() {
            return;
        }
        match self.pieces.iter_mut().find(|(_, a)| *a == aff) {
            Some((set, _)) => *set = set.union(&domain),
            None => self.pieces.push((domain, aff)),
        }
    }

    /// An integer constant on the whole space.
    pub fn constant(space: impl Into<Arc<Space>>, value: impl Into<Int>) -> PwAff {
        PwAff::from_aff(Aff::constant(space, value))
    }

    /// A parameter or dimension of the domain.
    pub fn var(space: impl Into<Arc<Space>>, kind: DimKind, i: usize) -> PwAff {
        PwAff::from_aff(Aff::var(space, kind, i))
    }

    /// 1 on a set and 0 elsewhere need a complement; this is 1 on the set, undefined elsewhere.
    pub fn one_on(domain: &Set) -> PwAff {
        PwAff::new(domain.clone(), Aff::constant(domain.space_arc(), 1))
    }

    /// The domain space.
    pub fn domain_space(&self) -> &Space {
        &self.space
    }

    /// The domain space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The pieces: domains, pairwise disjoint, and expressions.
    pub fn pieces(&self) -> &[(Set, Aff)] {
        &self.pieces
    }

    /// Number of pieces.
    pub fn n_piece(&self) -> usize {
        self.pieces.len()
    }

    /// Where the function is defined.
    pub fn domain(&self) -> Set {
        let empty = Set::empty(Arc::clone(&self.space));
        self.pieces.iter().fold(empty, |all, (set, _)| all.union(set))
    }

    /// The expression, if there is only one piece and it covers the whole space.
    pub fn as_aff(&self) -> Option<&Aff> {
        match &self.pieces[..] {
            [(set, aff)] if set.plain_is_universe() => Some(aff),
            _ => None,
        }
    }

    /// The expression, if there is only one piece, whatever its domain.
    pub fn single_aff(&self) -> Option<&Aff> {
        match &self.pieces[..] {
            [(_, aff)] => Some(aff),
            _ => None,
        }
    }

    /// Whether the function is constant (with one value on all pieces), and the value.
    pub fn constant_value(&self) -> Option<Rational> {
        let first = self.pieces.first()?.1.constant_value()?;
        let same = |(_, a): &(Set, Aff)| a.constant_value().as_ref() == Some(&first);
        self.pieces.iter().all(same).then_some(first)
    }

    /// Whether every piece is constant.
    pub fn is_constant(&self) -> bool {
        self.pieces.iter().all(|(_, a)| a.is_constant())
    }

    /// Whether any piece (domain or expression) depends on `n` dimensions of a kind from `first`
    /// on.
    pub fn involves_dims(&self, kind: DimKind, first: usize, n: usize) -> bool {
        let set_kind = if kind == DimKind::In { DimKind::Out } else { kind };
        let uses =
            |(set, aff): &(Set, Aff)| set.involves_dims(set_kind, first, n) || aff.involves_dims(set_kind, first, n);
        self.pieces.iter().any(uses)
    }

    pub(crate) fn over_params(&self, params: &[Id]) -> PwAff {
        if self.space.params == params {
            return self.clone();
        }
        let space = Arc::new(self.space.with_params(params.to_vec()));
        let piece = |(s, a): &(Set, Aff)| (Set(s.0.over_params(params)), a.over_params(params));
        PwAff { space, pieces: self.pieces.iter().map(piece).collect() }
    }

    /// The function over its parameters and those of `other`.
    pub fn align_params(&self, other: &Space) -> PwAff {
        self.over_params(&merge_params(&self.space.params, &other.params))
    }

    fn aligned(&self, other: &PwAff) -> (PwAff, PwAff) {
        assert!(
            self.space.has_equal_tuples(&other.space),
            "functions over {} and {} cannot be combined",
            self.space,
            other.space
        );
        let params = merge_params(&self.space.params, &other.space.params);
        (self.over_params(&params), other.over_params(&params))
    }

    /// The same rows over another domain space of the same shape.
    pub(crate) fn with_space(&self, space: Space) -> PwAff {
        let space = Arc::new(space);
        let piece = |(s, a): &(Set, Aff)| (Set(s.0.with_space((*space).clone())), a.with_space(Arc::clone(&space)));
        PwAff { pieces: self.pieces.iter().map(piece).collect(), space }
    }

    /// The same function over a domain tuple of another name.
    pub fn set_domain_tuple_name(&self, name: Option<Id>) -> PwAff {
        self.with_space(self.space.with_tuple_name(DimKind::Out, name))
    }

    /// Change the expression of every piece.
    pub(crate) fn map_affs(&self, f: impl Fn(&Aff) -> Aff) -> PwAff {
        let mut result = PwAff::empty(Arc::clone(&self.space));
        self.pieces.iter().for_each(|(s, a)| result.push(s.clone(), f(a)));
        result
    }

    /// Combine the expressions where both functions are defined.
    fn combine(&self, other: &PwAff, f: impl Fn(&Aff, &Aff) -> Aff) -> PwAff {
        let (x, y) = self.aligned(other);
        let mut result = PwAff::empty(Arc::clone(&x.space));
        for (s, a) in &x.pieces {
            for (t, b) in &y.pieces {
                result.push(s.intersect(t), f(a, b));
            }
        }
        result
    }

    /// The sum, where both are defined.
    pub fn add(&self, other: &PwAff) -> PwAff {
        self.combine(other, Aff::add)
    }

    /// The difference, where both are defined.
    pub fn sub(&self, other: &PwAff) -> PwAff {
        self.combine(other, Aff::sub)
    }

    /// The negation.
    pub fn neg(&self) -> PwAff {
        self.map_affs(Aff::neg)
    }

    /// The product, where both are defined; `None` if on some pair of pieces that overlap neither
    /// side is constant.
    pub fn mul(&self, other: &PwAff) -> Option<PwAff> {
        let (x, y) = self.aligned(other);
        let mut result = PwAff::empty(Arc::clone(&x.space));
        for (s, a) in &x.pieces {
            for (t, b) in &y.pieces {
                let common = s.intersect(t);
                match a.mul(b) {
                    Some(product) => result.push(common, product),
                    None if common.plain_is_empty() => {}
                    None => return None,
                }
            }
        }
        Some(result)
    }

    /// The function times an integer.
    pub fn scale(&self, factor: impl Into<Int>) -> PwAff {
        let factor = factor.into();
        self.map_affs(|a| a.scale(&factor))
    }

    /// The function divided (as a rational) by a nonzero integer.
    pub fn scale_down(&self, divisor: impl Into<Int>) -> PwAff {
        let divisor = divisor.into();
        self.map_affs(|a| a.scale_down(&divisor))
    }

    /// The function plus an integer.
    pub fn add_constant(&self, value: impl Into<Int>) -> PwAff {
        let value = value.into();
        self.map_affs(|a| a.add_constant(&value))
    }

    /// The largest integer not above the value.
    pub fn floor(&self) -> PwAff {
        self.map_affs(Aff::floor)
    }

    /// The smallest integer not below the value.
    pub fn ceil(&self) -> PwAff {
        self.map_affs(Aff::ceil)
    }

    /// `floor(self / divisor)` for a positive integer.
    pub fn floor_div(&self, divisor: impl Into<Int>) -> PwAff {
        self.scale_down(divisor).floor()
    }

    /// The nonnegative remainder of the division by a positive integer.
    pub fn mod_val(&self, modulus: impl Into<Int>) -> PwAff {
        let m = modulus.into();
        self.map_affs(|a| a.mod_val(&m))
    }

    /// The quotient rounded towards zero by a positive integer (as in C).
    pub fn tdiv_q(&self, divisor: impl Into<Int>) -> PwAff {
        let d = divisor.into();
        assert!(d.is_pos(), "the divisor must be positive");
        let zero = PwAff::constant(Arc::clone(&self.space), 0);
        let down = self.floor_div(&d);
        let up = self.scale_down(&d).ceil();
        let nonneg = down.intersect_domain(&self.ge_set(&zero));
        nonneg.union_disjoint(&up.intersect_domain(&self.lt_set(&zero)))
    }

    /// The remainder of [`PwAff::tdiv_q`], with the sign of `self` (as in C).
    pub fn tdiv_r(&self, divisor: impl Into<Int>) -> PwAff {
        let d = divisor.into();
        self.sub(&self.tdiv_q(&d).scale(&d))
    }

    /// Restrict the function to a set.
    pub fn intersect_domain(&self, domain: &Set) -> PwAff {
        let params = merge_params(&self.space.params, &domain.space.params);
        let this = self.over_params(&params);
        let mut result = PwAff::empty(Arc::clone(&this.space));
        this.pieces.iter().for_each(|(s, a)| result.push(s.intersect(domain), a.clone()));
        result
    }

    /// Restrict the function to parameter values.
    pub fn intersect_params(&self, params: &Set) -> PwAff {
        let all = merge_params(&self.space.params, &params.space.params);
        let this = self.over_params(&all);
        let mut result = PwAff::empty(Arc::clone(&this.space));
        this.pieces.iter().for_each(|(s, a)| result.push(s.intersect_params(params), a.clone()));
        result
    }

    /// The pieces of both functions, whose domains must be disjoint (which is not checked).
    pub fn union_disjoint(&self, other: &PwAff) -> PwAff {
        let (mut x, y) = self.aligned(other);
        y.pieces.into_iter().for_each(|(s, a)| x.push(s, a));
        x
    }

    /// The value at a point, `None` where the function is undefined.
    pub fn eval(&self, params: &[Int], point: &[Int]) -> Option<Rational> {
        let piece = self.pieces.iter().find(|(set, _)| set.contains(params, point));
        piece.map(|(_, aff)| aff.eval(params, point))
    }

    /// Replace the dimensions of the domain by those of an expression tuple, see `MultiAff`.
    pub fn pullback(&self, by: &crate::multi::MultiAff) -> PwAff {
        let domain = by.domain_space();
        let space = Arc::new(domain.align(&self.space));
        let affs: Vec<Aff> = by.affs().iter().map(|a| a.over_params(&space.params)).collect();
        let refs: Vec<&Aff> = affs.iter().collect();
        let mut result = PwAff::empty(Arc::clone(&space));
        for (set, aff) in &self.pieces {
            let domain = set.preimage_affs(&space, &refs);
            result.push(domain, aff.substitute(&space, &refs));
        }
        result
    }
}

impl Set {
    /// The points of `space` whose image under `affs` is in this set.
    pub(crate) fn preimage_affs(&self, space: &Arc<Space>, affs: &[&Aff]) -> Set {
        let mut result = crate::map::Map::empty(Arc::clone(space));
        self.basics.iter().for_each(|b| result.push(b.preimage(space, affs)));
        Set(result)
    }
}
