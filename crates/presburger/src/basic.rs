//! Basic relations: conjunctions of affine constraints with existential integer divisions.
//!
//! A [`BasicMap`] is the set of integer points that satisfy
//!
//! ```text
//! exists q_1, ..., q_k :  eqs = 0  and  ineqs >= 0  and  q_i = floor(num_i / denom_i) for known q_i
//! ```
//!
//! over the columns `[const | params | in | out | divs]`. A div is *known* when it has a defining
//! expression over the columns before it, and *unknown* (a plain existential) otherwise. The
//! definition of a known div is part of the meaning of the relation: its two bounds
//! `0 <= num - denom * q <= denom - 1` need not be (and after simplification never are) among
//! `ineqs`; [`BasicMap::to_system`] adds them.
//!
//! A [`BasicSet`] is a basic map without domain tuple.
//!
//! Invariants (checked by `check_invariants` in debug builds):
//! * every row has one entry per column, divisions have a positive denominator;
//! * a definition only uses columns before its own.

use std::ops::Deref;
use std::sync::Arc;

use poly_arith::Int;

use crate::row;
pub use crate::row::Row;
use crate::solver::System;
use crate::space::{DimKind, Space, Tuple};

mod algebra;
mod certain;
pub(crate) mod columns;
pub(crate) mod congruences;
mod divs;
pub(crate) mod edit;
mod memo;
mod query;
mod reduce;
mod simplify;

/// The definition `floor(num / denom)` of an integer division.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Div {
    /// Positive denominator.
    pub denom: Int,
    /// Numerator over all columns; entries of its own column and of later ones are zero.
    pub num: Row,
}

/// A conjunction of affine constraints over a space, with existential integer divisions.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct BasicMap {
    pub(crate) space: Arc<Space>,
    pub(crate) divs: Vec<Option<Div>>,
    pub(crate) eqs: Vec<Row>,
    pub(crate) ineqs: Vec<Row>,
    memo: memo::Memo,
}

/// A basic relation without domain: a conjunction over one tuple (or over parameters only). It
/// shares its constraints with the set it is a disjunct of, and with its copies, until one of them
/// is changed.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct BasicSet(pub(crate) Arc<BasicMap>);

/// Equality or inequality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintKind {
    /// The form is zero.
    Eq,
    /// The form is not negative.
    Ineq,
}

/// View of one constraint of a basic relation.
#[derive(Clone, Copy, Debug)]
pub struct Constraint<'a> {
    /// Equality or inequality.
    pub kind: ConstraintKind,
    /// The coefficients over all columns.
    pub row: &'a [Int],
    space: &'a Space,
}

impl<'a> Constraint<'a> {
    /// The coefficient of dimension `i` of a kind.
    pub fn coefficient(&self, kind: DimKind, i: usize) -> &'a Int {
        &self.row[self.space.offset(kind) + i]
    }

    /// The constant term.
    pub fn constant(&self) -> &'a Int {
        &self.row[0]
    }

    /// Whether this is an equality.
    pub fn is_equality(&self) -> bool {
        self.kind == ConstraintKind::Eq
    }

    /// Whether any of `n` dimensions of a kind from `first` on occurs.
    pub fn involves(&self, kind: DimKind, first: usize, n: usize) -> bool {
        let at = self.space.offset(kind) + first;
        !row::is_zero(&self.row[at..at + n])
    }
}

impl BasicMap {
    /// The relation without constraints (same as [`BasicMap::universe`]).
    pub fn new(space: impl Into<Arc<Space>>) -> BasicMap {
        BasicMap::universe(space)
    }

    /// All points of the space.
    pub fn universe(space: impl Into<Arc<Space>>) -> BasicMap {
        BasicMap::from_parts(space.into(), Vec::new(), Vec::new(), Vec::new())
    }

    pub(crate) fn from_parts(space: Arc<Space>, divs: Vec<Option<Div>>, eqs: Vec<Row>, ineqs: Vec<Row>) -> BasicMap {
        BasicMap { space, divs, eqs, ineqs, memo: memo::Memo::default() }
    }

    /// No point of the space.
    pub fn empty(space: impl Into<Arc<Space>>) -> BasicMap {
        let mut map = BasicMap::universe(space);
        map.set_to_empty();
        map
    }

    /// The space of the relation.
    pub fn space(&self) -> &Space {
        &self.space
    }

    pub(crate) fn space_arc(&self) -> Arc<Space> {
        Arc::clone(&self.space)
    }

    /// The equalities, as rows over all columns.
    pub fn eqs(&self) -> &[Row] {
        &self.eqs
    }

    /// The inequalities, as rows over all columns, without the bounds of known divs.
    pub fn ineqs(&self) -> &[Row] {
        &self.ineqs
    }

    /// The divs; `None` is an unknown existential.
    pub fn divs(&self) -> &[Option<Div>] {
        &self.divs
    }

    /// Number of divs.
    pub fn n_div(&self) -> usize {
        self.divs.len()
    }

    /// Number of parameters and tuple dimensions, that is, of columns that are neither the
    /// constant nor divs.
    pub fn n_var(&self) -> usize {
        self.space.n_var()
    }

    /// Number of columns of a row: the constant, all dimensions and all divs.
    pub fn n_col(&self) -> usize {
        1 + self.n_var() + self.n_div()
    }

    /// Number of dimensions of a kind.
    pub fn dim(&self, kind: DimKind) -> usize {
        match kind {
            DimKind::Div => self.n_div(),
            _ => self.space.dim(kind),
        }
    }

    /// First column of a kind.
    pub fn offset(&self, kind: DimKind) -> usize {
        self.space.offset(kind)
    }

    /// The column of dimension `i` of a kind.
    pub fn column(&self, kind: DimKind, i: usize) -> usize {
        assert!(i < self.dim(kind), "there is no {kind:?} dimension {i} in {}", self.space);
        self.offset(kind) + i
    }

    /// All constraints, equalities first.
    pub fn constraints(&self) -> impl Iterator<Item = Constraint<'_>> {
        let space = &*self.space;
        let eqs = self.eqs.iter().map(move |row| Constraint { kind: ConstraintKind::Eq, row, space });
        let ineqs = self.ineqs.iter().map(move |row| Constraint { kind: ConstraintKind::Ineq, row, space });
        eqs.chain(ineqs)
    }

    /// Whether the constraints are false on the face of it. Emptiness in general: `is_empty`.
    pub fn is_plainly_empty(&self) -> bool {
        let contradiction = |r: &Row| !r[0].is_zero() && row::is_zero(&r[1..]);
        self.eqs.iter().any(contradiction) || self.ineqs.iter().any(|r| r[0].is_neg() && row::is_zero(&r[1..]))
    }

    /// Whether there is no constraint at all.
    pub fn is_universe(&self) -> bool {
        self.eqs.is_empty() && self.ineqs.is_empty()
    }

    /// Whether every div has a definition.
    #[inline]
    pub fn has_known_divs(&self) -> bool {
        self.divs.iter().all(Option::is_some)
    }

    pub(crate) fn set_to_empty(&mut self) {
        self.memo.forget();
        self.divs.clear();
        self.ineqs.clear();
        self.eqs = vec![row::unit(1 + self.n_var(), 0)];
    }

    fn padded(&self, mut row: Row) -> Row {
        assert!(row.len() <= self.n_col(), "a row of {} entries is too long", row.len());
        row.resize(self.n_col(), Int::ZERO);
        row
    }

    /// Add `row = 0`; missing trailing entries are zero.
    pub fn add_eq(&mut self, row: Row) {
        let row = self.padded(row);
        self.memo.forget();
        self.eqs.push(row);
    }

    /// Add `row >= 0`; missing trailing entries are zero.
    pub fn add_ineq(&mut self, row: Row) {
        let row = self.padded(row);
        self.memo.forget();
        self.ineqs.push(row);
    }

    /// Add the div `floor(num / denom)` and return its column.
    pub fn add_div(&mut self, denom: Int, num: Row) -> usize {
        assert!(denom.is_pos(), "the denominator of a div must be positive");
        let mut num = self.padded(num);
        num.push(Int::ZERO);
        self.push_div_column(Some(Div { denom, num }))
    }

    /// Add an unknown existential and return its column.
    pub fn add_unknown_div(&mut self) -> usize {
        self.push_div_column(None)
    }

    fn push_div_column(&mut self, div: Option<Div>) -> usize {
        for row in self.eqs.iter_mut().chain(&mut self.ineqs) {
            row.push(Int::ZERO);
        }
        for d in self.divs.iter_mut().flatten() {
            d.num.push(Int::ZERO);
        }
        self.memo.forget();
        self.divs.push(div);
        self.n_col() - 1
    }

    /// The bounds `num - d q >= 0` and `d q - num + d - 1 >= 0` of known div `i`.
    pub(crate) fn div_bounds(&self, i: usize) -> Option<[Row; 2]> {
        let div = self.divs[i].as_ref()?;
        let col = self.offset(DimKind::Div) + i;
        let mut upper = div.num.clone();
        upper[col] = -&div.denom;
        let mut lower = row::negated(&upper);
        lower[0] += &(&div.denom - &Int::ONE);
        Some([upper, lower])
    }

    /// The constraints, with the bounds of known divs, as a system over all columns but the
    /// constant.
    pub fn to_system(&self) -> System {
        let mut ineqs = self.ineqs.clone();
        for i in 0..self.n_div() {
            ineqs.extend(self.div_bounds(i).into_iter().flatten());
        }
        System { n: self.n_col() - 1, eqs: self.eqs.clone(), ineqs }
    }

    /// Panic unless the invariants of the representation hold.
    pub fn check_invariants(&self) {
        let n = self.n_col();
        for row in self.eqs.iter().chain(&self.ineqs) {
            assert_eq!(row.len(), n, "a row does not fit the columns of {}", self.space);
        }
        for (i, div) in self.divs.iter().enumerate() {
            let Some(div) = div else { continue };
            assert_eq!(div.num.len(), n, "a div does not fit the columns of {}", self.space);
            assert!(div.denom.is_pos(), "a denominator is not positive");
            let own = self.offset(DimKind::Div) + i;
            assert!(row::is_zero(&div.num[own..]), "a div is defined by a later one");
        }
    }

    /// This basic map as a basic set; it must not have a domain.
    pub fn into_basic_set(self) -> BasicSet {
        BasicSet::from_basic_map(self)
    }
}

impl BasicSet {
    /// The set without constraints (same as [`BasicSet::universe`]).
    pub fn new(space: impl Into<Arc<Space>>) -> BasicSet {
        BasicSet::universe(space)
    }

    /// All points of a set (or parameter) space.
    pub fn universe(space: impl Into<Arc<Space>>) -> BasicSet {
        BasicSet::from_basic_map(BasicMap::universe(space))
    }

    /// No point of a set (or parameter) space.
    pub fn empty(space: impl Into<Arc<Space>>) -> BasicSet {
        BasicSet::from_basic_map(BasicMap::empty(space))
    }

    /// A basic map without domain, seen as a set.
    pub fn from_basic_map(map: impl Into<Arc<BasicMap>>) -> BasicSet {
        let map = map.into();
        assert!(!map.space.is_map(), "{} is not the space of a set", map.space);
        BasicSet(map)
    }

    /// The set as a basic map without domain.
    pub fn as_basic_map(&self) -> &BasicMap {
        &self.0
    }

    /// The set as a basic map without domain.
    pub fn into_basic_map(self) -> BasicMap {
        let mut map = Arc::unwrap_or_clone(self.0);
        map.memo.forget();
        map
    }

    /// The constraints, to be changed: no longer shared, and what was remembered about them is
    /// forgotten.
    pub(crate) fn to_mut(&mut self) -> &mut BasicMap {
        let map = Arc::make_mut(&mut self.0);
        map.memo.forget();
        map
    }

    /// Add `row = 0`; missing trailing entries are zero.
    pub fn add_eq(&mut self, row: Row) {
        self.to_mut().add_eq(row);
    }

    /// Add `row >= 0`; missing trailing entries are zero.
    pub fn add_ineq(&mut self, row: Row) {
        self.to_mut().add_ineq(row);
    }

    /// Add the div `floor(num / denom)` and return its column.
    pub fn add_div(&mut self, denom: Int, num: Row) -> usize {
        self.to_mut().add_div(denom, num)
    }

    /// Add an unknown existential and return its column.
    pub fn add_unknown_div(&mut self) -> usize {
        self.to_mut().add_unknown_div()
    }

    /// The tuple of the set, unless it is a parameter set.
    pub fn tuple(&self) -> Option<&Tuple> {
        self.0.space.range.as_ref()
    }

    /// Number of set dimensions.
    pub fn n_dim(&self) -> usize {
        self.0.dim(DimKind::Out)
    }
}

impl Deref for BasicSet {
    type Target = BasicMap;

    fn deref(&self) -> &BasicMap {
        &self.0
    }
}

impl From<BasicSet> for BasicMap {
    fn from(set: BasicSet) -> BasicMap {
        set.into_basic_map()
    }
}

impl From<BasicMap> for BasicSet {
    fn from(map: BasicMap) -> BasicSet {
        BasicSet::from_basic_map(map)
    }
}
