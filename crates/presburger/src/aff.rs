//! Quasi-affine expressions.
//!
//! An [`Aff`] maps the points of a domain (a set or parameter space) to the rational
//! `(row . [1, params, dims, divs]) / denom`, where the divs are integer divisions with
//! definitions. Its column layout is that of a basic set over the domain space, so affine forms and
//! constraints can be exchanged: several forms over common divs are carried by a basic set without
//! constraints.
//!
//! Canonical form: divs are canonical and in use, the denominator is positive and has no common
//! factor with all coefficients. Equal canonical forms denote equal functions; the converse fails
//! only where different divisions have equal values.

use std::sync::Arc;

use poly_arith::{Int, Rational};

use crate::basic::{BasicMap, BasicSet, Div, Row};
use crate::row;
use crate::space::{DimKind, Space, merge_params};

mod integer;
mod pullback;
mod substitute;

/// A quasi-affine expression over a set or parameter space.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct Aff {
    pub(crate) space: Arc<Space>,
    pub(crate) divs: Vec<Div>,
    pub(crate) denom: Int,
    pub(crate) row: Row,
}

impl Aff {
    /// The constant zero over a domain space.
    pub fn zero(space: impl Into<Arc<Space>>) -> Aff {
        let space = space.into();
        assert!(!space.is_map(), "the domain of an expression is a set, not {space}");
        let row = row::zeros(1 + space.n_var());
        Aff { space, divs: Vec::new(), denom: Int::ONE, row }
    }

    /// An integer constant.
    pub fn constant(space: impl Into<Arc<Space>>, value: impl Into<Int>) -> Aff {
        let mut aff = Aff::zero(space);
        aff.row[0] = value.into();
        aff
    }

    /// A rational constant.
    pub fn rational(space: impl Into<Arc<Space>>, value: &Rational) -> Aff {
        let mut aff = Aff::constant(space, value.num());
        aff.denom = value.den().clone();
        aff
    }

    /// A parameter (`Param`) or a dimension of the domain (`In` or `Out`).
    pub fn var(space: impl Into<Arc<Space>>, kind: DimKind, i: usize) -> Aff {
        let mut aff = Aff::zero(space);
        let col = aff.column(kind, i);
        aff.row[col] = Int::ONE;
        aff
    }

    /// The parameter called `name`, which the space must have.
    pub fn param(space: impl Into<Arc<Space>>, name: &str) -> Aff {
        let space = space.into();
        let i = space.find_param(name);
        let i = i.unwrap_or_else(|| panic!("{space} has no parameter {name}"));
        Aff::var(space, DimKind::Param, i)
    }

    /// The form given by a row `[const | params | dims]` (shorter rows are padded) over a
    /// denominator.
    pub fn from_row(space: impl Into<Arc<Space>>, mut coefficients: Row, denom: Int) -> Aff {
        let mut aff = Aff::zero(space);
        assert!(coefficients.len() <= aff.row.len(), "the row does not fit {}", aff.space);
        assert!(denom.is_pos(), "the denominator must be positive");
        coefficients.resize(aff.row.len(), Int::ZERO);
        aff.row = coefficients;
        aff.denom = denom;
        aff.canonical()
    }

    /// The form given by a row over the columns of a basic set with known divs.
    pub(crate) fn from_carrier(carrier: &BasicMap, coefficients: &[Int], denom: Int) -> Aff {
        let known = |d: &Option<Div>| d.clone().expect("divs of an expression have definitions");
        let aff = Aff {
            space: carrier.space_arc(),
            divs: carrier.divs.iter().map(known).collect(),
            denom,
            row: coefficients.to_vec(),
        };
        aff.canonical()
    }

    /// Canonical divs, without unused ones, and a reduced denominator.
    fn canonical(mut self) -> Aff {
        if !self.divs.is_empty() {
            let mut carrier = self.carrier_base();
            carrier.ineqs.push(std::mem::take(&mut self.row));
            carrier.canonicalize_divs();
            carrier.drop_unused_divs();
            self.row = carrier.ineqs.pop().expect("the carrier keeps its row");
            let known = |d: Option<Div>| d.expect("canonicalization keeps definitions");
            self.divs = carrier.divs.into_iter().map(known).collect();
        }
        let g = row::gcd(&self.row).gcd(&self.denom);
        if !g.is_one() {
            row::div_exact(&mut self.row, &g);
            self.denom = self.denom.div_exact(&g);
        }
        self
    }

    /// The basic set over the domain that has the divs of the expression and no constraint.
    fn carrier_base(&self) -> BasicMap {
        let mut carrier = BasicMap::universe(Arc::clone(&self.space));
        carrier.divs = self.divs.iter().cloned().map(Some).collect();
        carrier
    }

    /// A basic set without constraints that has the divs of all the expressions, which must be
    /// over the same space, and their numerators as rows over it.
    pub(crate) fn carrier(space: &Arc<Space>, affs: &[&Aff]) -> (BasicMap, Vec<Row>) {
        let mut carrier = BasicMap::universe(Arc::clone(space));
        let plain: Vec<usize> = (0..1 + space.n_var()).collect();
        for aff in affs {
            debug_assert!(*aff.space == **space, "{} is not {space}", aff.space);
            let mut part = aff.carrier_base();
            part.ineqs.push(aff.row.clone());
            carrier.absorb(&part, &plain);
        }
        carrier.canonicalize_divs();
        let rows = std::mem::take(&mut carrier.ineqs);
        (carrier, rows)
    }

    /// The domain space.
    pub fn domain_space(&self) -> &Space {
        &self.space
    }

    /// The domain space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The divisions in use; a definition is over `[const | params | dims | divs]`.
    pub fn divs(&self) -> &[Div] {
        &self.divs
    }

    /// The common denominator.
    pub fn denom(&self) -> &Int {
        &self.denom
    }

    /// The numerator over `[const | params | dims | divs]`.
    pub fn row(&self) -> &[Int] {
        &self.row
    }

    fn column(&self, kind: DimKind, i: usize) -> usize {
        let kind = if kind == DimKind::In { DimKind::Out } else { kind };
        let n = if kind == DimKind::Div { self.divs.len() } else { self.space.dim(kind) };
        assert!(i < n, "there is no {kind:?} dimension {i} in {}", self.space);
        self.space.offset(kind) + i
    }

    /// The coefficient of a parameter, domain dimension or div.
    pub fn coefficient(&self, kind: DimKind, i: usize) -> Rational {
        Rational::new(self.row[self.column(kind, i)].clone(), self.denom.clone())
    }

    /// The constant term.
    pub fn constant_term(&self) -> Rational {
        Rational::new(self.row[0].clone(), self.denom.clone())
    }

    /// Whether the expression does not depend on anything.
    pub fn is_constant(&self) -> bool {
        row::is_zero(&self.row[1..])
    }

    /// The value, if the expression is constant.
    pub fn constant_value(&self) -> Option<Rational> {
        self.is_constant().then(|| self.constant_term())
    }

    /// Whether the expression has neither divs nor a denominator.
    pub fn is_integral_affine(&self) -> bool {
        self.divs.is_empty() && self.denom.is_one()
    }

    /// Whether the expression depends on any of `n` dimensions of a kind from `first` on, also
    /// through its divs.
    pub fn involves_dims(&self, kind: DimKind, first: usize, n: usize) -> bool {
        if n == 0 {
            return false;
        }
        let at = self.column(kind, first);
        let uses = |r: &Row| !row::is_zero(&r[at..at + n]);
        uses(&self.row) || self.divs.iter().any(|d| uses(&d.num))
    }

    /// The expression over more parameters.
    pub(crate) fn over_params(&self, params: &[crate::space::Id]) -> Aff {
        if self.space.params == params {
            return self.clone();
        }
        let mut carrier = self.carrier_base();
        carrier.ineqs.push(self.row.clone());
        let mut carrier = carrier.over_params(params);
        let row = carrier.ineqs.pop().expect("the carrier keeps its row");
        Aff::from_carrier(&carrier, &row, self.denom.clone())
    }

    /// The expression over its parameters and those of `other`.
    pub fn align_params(&self, other: &Space) -> Aff {
        self.over_params(&merge_params(&self.space.params, &other.params))
    }

    /// The same rows over another domain space of the same shape.
    pub(crate) fn with_space(&self, space: Arc<Space>) -> Aff {
        assert_eq!(space.n_var(), self.space.n_var(), "{space} and {} differ", self.space);
        Aff { space, ..self.clone() }
    }

    fn aligned(&self, other: &Aff) -> (Aff, Aff) {
        assert!(
            self.space.has_equal_tuples(&other.space),
            "expressions over {} and {} cannot be combined",
            self.space,
            other.space
        );
        let params = merge_params(&self.space.params, &other.space.params);
        (self.over_params(&params), other.over_params(&params))
    }

    /// `a * self + b * other`.
    fn combination(&self, a: &Int, other: &Aff, b: &Int) -> Aff {
        let (x, y) = self.aligned(other);
        let denom = x.denom.lcm(&y.denom);
        let fx = a * &denom.div_exact(&x.denom);
        let fy = b * &denom.div_exact(&y.denom);
        if x.divs == y.divs {
            let row = row::combination(&fx, &x.row, &fy, &y.row);
            return Aff { denom, row, ..x }.canonical();
        }
        let (carrier, rows) = Aff::carrier(&x.space, &[&x, &y]);
        let row = row::combination(&fx, &rows[0], &fy, &rows[1]);
        Aff::from_carrier(&carrier, &row, denom)
    }

    /// The sum.
    pub fn add(&self, other: &Aff) -> Aff {
        self.combination(&Int::ONE, other, &Int::ONE)
    }

    /// The difference.
    pub fn sub(&self, other: &Aff) -> Aff {
        self.combination(&Int::ONE, other, &Int::NEG_ONE)
    }

    /// The negation.
    pub fn neg(&self) -> Aff {
        Aff { row: row::negated(&self.row), ..self.clone() }
    }

    /// The expression times an integer.
    pub fn scale(&self, factor: impl Into<Int>) -> Aff {
        let mut row = self.row.clone();
        row::scale(&mut row, &factor.into());
        Aff { row, ..self.clone() }.canonical()
    }

    /// The expression times a rational.
    pub fn scale_rational(&self, factor: &Rational) -> Aff {
        self.scale(factor.num()).scale_down(factor.den())
    }

    /// The expression divided (exactly, as a rational) by a nonzero integer.
    pub fn scale_down(&self, divisor: impl Into<Int>) -> Aff {
        let divisor = divisor.into();
        assert!(!divisor.is_zero(), "an expression cannot be divided by zero");
        let aff = if divisor.is_neg() { self.neg() } else { self.clone() };
        Aff { denom: &aff.denom * &divisor.abs(), ..aff }.canonical()
    }

    /// The expression plus an integer.
    pub fn add_constant(&self, value: impl Into<Int>) -> Aff {
        let mut row = self.row.clone();
        row[0] += &(&value.into() * &self.denom);
        Aff { row, ..self.clone() }.canonical()
    }

    /// The product, if one of both is constant.
    pub fn mul(&self, other: &Aff) -> Option<Aff> {
        let (x, y) = self.aligned(other);
        if let Some(value) = y.constant_value() {
            return Some(x.scale_rational(&value));
        }
        x.constant_value().map(|value| y.scale_rational(&value))
    }

    /// The value at a point of the domain, parameters given by position.
    pub fn eval(&self, params: &[Int], point: &[Int]) -> Rational {
        assert_eq!(params.len(), self.space.dim(DimKind::Param), "one value per parameter");
        assert_eq!(point.len(), self.space.dim(DimKind::Out), "one value per dimension");
        let mut values: Row = params.iter().chain(point).cloned().collect();
        for div in &self.divs {
            let value = row::evaluate(&div.num, &values).div_floor(&div.denom);
            values.push(value);
        }
        Rational::new(row::evaluate(&self.row, &values), self.denom.clone())
    }

    /// The points where `self >= 0`.
    pub fn nonneg_basic_set(&self) -> BasicSet {
        let mut set = self.carrier_base();
        set.ineqs.push(self.row.clone());
        set.normalized().into_basic_set()
    }

    /// The points where `self = 0`.
    pub fn zero_basic_set(&self) -> BasicSet {
        let mut set = self.carrier_base();
        set.eqs.push(self.row.clone());
        set.normalized().into_basic_set()
    }

    /// The points where `self >= other`.
    pub fn ge_basic_set(&self, other: &Aff) -> BasicSet {
        self.sub(other).nonneg_basic_set()
    }

    /// The points where `self > other`.
    pub fn gt_basic_set(&self, other: &Aff) -> BasicSet {
        let mut diff = self.sub(other);
        diff.row[0] -= &Int::ONE;
        diff.nonneg_basic_set()
    }

    /// The points where `self = other`.
    pub fn eq_basic_set(&self, other: &Aff) -> BasicSet {
        self.sub(other).zero_basic_set()
    }
}
