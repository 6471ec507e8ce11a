//! Finite unions of Z-polyhedra over a set or parameter space.
//!
//! A [`ZUnion`] is over the columns `[params | dims]` of a space. Its pieces may overlap.
//!
//! **From sets.** Divisions without definition are made explicit. Then the points of a disjunct,
//! with the values of its divisions, are a Z-polyhedron; it is one of the points alone if the
//! equalities determine every division as an affine form of the point. A division
//! `q = floor(e / d)` that they do not determine is split by the remainder, `e - d q = r` for
//! `r = 0, ..., d - 1`, which determines it. So divisions that only express strides need one piece,
//! others up to `d`.
//!
//! **Images.** The image of a piece on whose lattice the function is injective is a Z-polyhedron
//! again. Otherwise the directions that the function maps to zero are existentially quantified, and
//! quantifier elimination gives several pieces.

use std::fmt;
use std::sync::Arc;

use poly_arith::Int;
use poly_linalg::Matrix;

use super::lattice::Lattice;
use super::polyhedron::ZPolyhedron;
use crate::basic::{BasicMap, BasicSet, Row};
use crate::budget::{Budget, Stop};
use crate::multi::MultiAff;
use crate::row;
use crate::set::Set;
use crate::solver::System;
use crate::space::{DimKind, Space};

/// A finite union of Z-polyhedra.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ZUnion {
    space: Arc<Space>,
    pieces: Vec<ZPolyhedron>,
}

impl ZUnion {
    /// The union without points.
    pub fn empty(space: impl Into<Arc<Space>>) -> ZUnion {
        let space = space.into();
        assert!(!space.is_map(), "{space} is not the space of a set");
        ZUnion { space, pieces: Vec::new() }
    }

    /// The union of Z-polyhedra over `[params | dims]` of a space.
    pub fn from_pieces(space: impl Into<Arc<Space>>, pieces: Vec<ZPolyhedron>) -> ZUnion {
        let mut result = ZUnion::empty(space);
        for piece in pieces {
            assert_eq!(piece.n(), result.space.n_var(), "a piece does not fit {}", result.space);
            result.push(piece);
        }
        result
    }

    fn push(&mut self, piece: ZPolyhedron) {
        if !self.pieces.contains(&piece) {
            self.pieces.push(piece);
        }
    }

    /// The space of the points.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The Z-polyhedra; they may overlap.
    pub fn pieces(&self) -> &[ZPolyhedron] {
        &self.pieces
    }

    /// The points of a set. Divisions that are more than strides are split by their remainders.
    /// Cost: that of [`Map::compute_divs`](crate::Map::compute_divs); a piece for each remainder of
    /// a division that is more than a stride.
    pub fn from_set(set: &Set, budget: &mut Budget) -> Result<ZUnion, Stop> {
        let mut result = ZUnion::empty(set.space_arc());
        for basic in set.clone().compute_divs(budget)?.basics() {
            let mut work = vec![basic.to_system()];
            while let Some(system) = work.pop() {
                budget.spend((system.n * system.n) as u64 + 1)?;
                let Some(lifted) = ZPolyhedron::from_system(&system, budget)? else { continue };
                match undetermined_div(basic, lifted.lattice()) {
                    Some(k) => work.extend(split(basic, &system, k, budget)?),
                    None => result.add_projected(&lifted, budget)?,
                }
            }
        }
        Ok(result)
    }

    /// Adds the points of a Z-polyhedron over points and divisions, which the points determine.
    fn add_projected(&mut self, lifted: &ZPolyhedron, budget: &mut Budget) -> Result<(), Stop> {
        let n = self.space.n_var();
        let select = Matrix::from_rows((0..n).map(|i| row::unit(lifted.n(), i)).collect(), lifted.n());
        let piece = lifted.injective_image(&select, &row::zeros(n), budget)?;
        let piece = piece.expect("the points determine the divisions, and the polyhedron has rational points");
        if !piece.is_empty(budget)? {
            self.push(piece);
        }
        Ok(())
    }

    /// The set of the points.
    pub fn to_set(&self) -> Set {
        let basics = self.pieces.iter().map(|piece| self.basic_set(piece)).collect();
        Set::from_basics(Arc::clone(&self.space), basics)
    }

    fn basic_set(&self, piece: &ZPolyhedron) -> BasicSet {
        let mut basic = BasicMap::universe(Arc::clone(&self.space));
        basic.add_lattice(piece.lattice());
        piece.point_ineqs().into_iter().for_each(|r| basic.add_ineq(r));
        basic.normalized().into_basic_set()
    }

    /// Whether a point belongs to the union.
    pub fn contains(&self, params: &[Int], point: &[Int]) -> bool {
        let all = [params, point].concat();
        self.pieces.iter().any(|piece| piece.contains(&all))
    }

    /// Whether there is no integer point.
    /// Cost: an integer program for each piece, until one has a point \[CookRutherford1993\].
    pub fn is_empty(&self, budget: &mut Budget) -> Result<bool, Stop> {
        for piece in &self.pieces {
            if !piece.is_empty(budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn assert_same_space(&self, other: &ZUnion) {
        assert!(self.space == other.space, "{} and {} are different spaces", self.space, other.space);
    }

    /// The points of either; both must be over the same space.
    pub fn union(&self, other: &ZUnion) -> ZUnion {
        self.assert_same_space(other);
        let mut result = self.clone();
        other.pieces.iter().for_each(|piece| result.push(piece.clone()));
        result
    }

    /// The points of both; both must be over the same space.
    /// Cost: that of [`ZPolyhedron::intersect`] for each pair of pieces \[GautamRajopadhye2007\].
    pub fn intersect(&self, other: &ZUnion, budget: &mut Budget) -> Result<ZUnion, Stop> {
        self.assert_same_space(other);
        let mut result = ZUnion::empty(Arc::clone(&self.space));
        for a in &self.pieces {
            for b in &other.pieces {
                let Some(piece) = a.intersect(b, budget)? else { continue };
                if !piece.is_empty(budget)? {
                    result.push(piece);
                }
            }
        }
        Ok(result)
    }

    /// The points here that are not in `other`; both must be over the same space.
    /// Cost: that of [`ZPolyhedron::subtract`] for each pair of pieces \[GautamRajopadhye2007\].
    pub fn subtract(&self, other: &ZUnion, budget: &mut Budget) -> Result<ZUnion, Stop> {
        self.assert_same_space(other);
        let mut pieces = self.pieces.clone();
        for b in &other.pieces {
            let mut rest = Vec::new();
            for a in &pieces {
                budget.spend(1)?;
                rest.extend(a.subtract(b, budget)?);
            }
            pieces = rest;
        }
        Ok(ZUnion::from_pieces(Arc::clone(&self.space), pieces))
    }

    /// The points of the domain of an affine function whose image is in the union.
    /// Cost: that of [`ZPolyhedron::preimage`] for each piece \[GautamRajopadhye2007\].
    ///
    /// # Panics
    /// If the function has divisions or denominators, other parameters, or another range.
    pub fn preimage(&self, by: &MultiAff, budget: &mut Budget) -> Result<ZUnion, Stop> {
        assert!(self.space.range == by.space().range, "{} is not the range of {}", self.space, by.space());
        let (matrix, offset) = linear_part(&self.space, by);
        let mut result = ZUnion::empty(by.domain_space());
        for piece in &self.pieces {
            let Some(piece) = piece.preimage(&matrix, &offset, budget)? else { continue };
            if !piece.is_empty(budget)? {
                result.push(piece);
            }
        }
        Ok(result)
    }

    /// The image under an affine function, whether or not it is injective. Cost: Hermite normal
    /// forms; where the function is not injective, elimination as in
    /// [`Map::compute_divs`](crate::Map::compute_divs) \[GautamRajopadhye2007\].
    ///
    /// # Panics
    /// If the function has divisions or denominators, other parameters, or another domain.
    pub fn image(&self, by: &MultiAff, budget: &mut Budget) -> Result<ZUnion, Stop> {
        assert!(*self.space == by.domain_space(), "{} is not the domain of {}", self.space, by.space());
        let (matrix, offset) = linear_part(&self.space, by);
        let mut result = ZUnion::empty(by.range_space());
        for piece in &self.pieces {
            if let Some(piece) = piece.injective_image(&matrix, &offset, budget)? {
                result.push(piece);
                continue;
            }
            let alone = Set::from_basic(self.basic_set(piece));
            let image = alone.apply(&by.to_map());
            result = result.union(&ZUnion::from_set(&image, budget)?);
        }
        Ok(result)
    }
}

/// The function from `[params | domain]` to `[params | range]` of an affine function.
fn linear_part(space: &Space, by: &MultiAff) -> (Matrix, Vec<Int>) {
    assert!(space.params == by.space().params, "{} has other parameters than {space}", by.space());
    let rows = by.plain_rows().expect("the function is affine with integer coefficients");
    let (n_param, n) = (space.params.len(), by.domain_space().n_var());
    let params = (0..n_param).map(|i| row::unit(n, i));
    let matrix = Matrix::from_rows(params.chain(rows.iter().map(|r| r[1..].to_vec())).collect(), n);
    let offset = row::zeros(n_param).into_iter().chain(rows.into_iter().map(|r| r[0].clone())).collect();
    (matrix, offset)
}

/// The first division that is not an affine form of the point on the lattice of points and
/// divisions.
fn undetermined_div(basic: &BasicMap, lattice: &Lattice) -> Option<usize> {
    let n = basic.n_var();
    lattice.pivots().iter().copied().filter(|&pivot| pivot >= n).map(|pivot| pivot - n).min()
}

/// The parts of a system over points and divisions by the remainder of division `k`.
fn split(basic: &BasicMap, system: &System, k: usize, budget: &mut Budget) -> Result<Vec<System>, Stop> {
    let div = basic.divs()[k].as_ref().expect("all divisions have definitions");
    let mut eq: Row = div.num.clone();
    eq[basic.offset(DimKind::Div) + k] = -&div.denom;
    let mut parts = Vec::new();
    let mut remainder = Int::ZERO;
    while remainder < div.denom {
        budget.spend(1)?;
        let mut part = system.clone();
        part.eqs.push(eq.clone());
        parts.push(part);
        eq[0] -= &Int::ONE;
        remainder += &Int::ONE;
    }
    parts.reverse();
    Ok(parts)
}

impl fmt::Display for ZUnion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces: Vec<String> = self.pieces.iter().map(|piece| piece.to_string()).collect();
        write!(f, "{{ {} }}", pieces.join("; "))
    }
}

impl fmt::Debug for ZUnion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
