//! Hulls: single basic relations that contain a union.
//!
//! * *Simple hull*: every constraint of every disjunct, relaxed by the least amount that makes it valid
//!   for all disjuncts (linear programming, rounded to the integer grid); those that no finite
//!   amount makes valid are dropped.
//! * *Unshifted simple hull*: only the constraints that are valid as they are.
//! * *Affine hull*: all equalities that hold on all integer points, after \[Karr1976\]: keep points of the
//!   set; for an equality that all of them satisfy look for a point of the set off it; either the
//!   point is added (which raises the dimension) or the equality is proven.
//! * *Box hull*: constant bounds on each dimension.

use poly_arith::{Coeff, Int};
use poly_linalg::Matrix;

use crate::basic::{BasicMap, BasicSet, Row};
use crate::budget::{Budget, Stop};
use crate::map::Map;
use crate::ops::common::Common;
use crate::row;
use crate::set::Set;
use crate::solver::lp::Grid;
use crate::solver::{Interrupt, Optimum, System, Tableau, widen};
use crate::space::DimKind;
use crate::trace;

/// The least integer values of affine forms over the points of a system: `None` where there is no
/// bound. The outer `None` means that the system has no rational point.
fn minima_on<T: Coeff>(
    system: &System,
    forms: &[Row],
    budget: &mut Budget,
) -> Result<Option<Vec<Option<Int>>>, Interrupt> {
    let mut tableau = Tableau::<T>::from_system(system, Grid::Integer, budget)?;
    if tableau.is_empty() {
        return Ok(None);
    }
    let mut minima = Vec::with_capacity(forms.len());
    for form in forms {
        match tableau.minimize(&T::row_from_ints(form)?, budget)? {
            Optimum::Empty => return Ok(None),
            Optimum::Unbounded => minima.push(None),
            Optimum::Bounded(value) => minima.push(Some(value.ceil())),
        }
    }
    Ok(Some(minima))
}

/// Lower bounds of integer affine forms on a system, by linear programming; see `minima_on`.
pub(crate) fn minima(system: &System, forms: &[Row], budget: &mut Budget) -> Result<Option<Vec<Option<Int>>>, Stop> {
    widen(budget, |budget| minima_on::<i64>(system, forms, budget), |budget| minima_on::<Int>(system, forms, budget))
}

/// Whether a constraint may be relaxed to become valid.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shift {
    Allowed,
    Forbidden,
}

impl Map {
    /// A basic relation that contains all disjuncts, made of their constraints, each relaxed as
    /// far as necessary.
    pub fn simple_hull(&self, budget: &mut Budget) -> Result<BasicMap, Stop> {
        let _running = trace::operation("simple_hull", &[self]);
        self.hull_of_constraints(Shift::Allowed, budget)
    }

    /// A basic relation that contains all disjuncts, made of those of their constraints that hold
    /// on all of them.
    pub fn unshifted_simple_hull(&self, budget: &mut Budget) -> Result<BasicMap, Stop> {
        let _running = trace::operation("unshifted_simple_hull", &[self]);
        self.hull_of_constraints(Shift::Forbidden, budget)
    }

    fn hull_of_constraints(&self, shift: Shift, budget: &mut Budget) -> Result<BasicMap, Stop> {
        if let [one] = &self.basics[..] {
            return Ok(BasicMap::clone(one));
        }
        let map = self.compute_divs(budget)?.remove_empty_parts(budget)?;
        match &map.basics[..] {
            [] => return Ok(BasicMap::empty(self.space_arc())),
            [one] => return Ok(BasicMap::clone(one)),
            _ => {}
        }
        let common = Common::of(&map.basics.iter().map(|b| &**b).collect::<Vec<_>>());
        let mut forms: Vec<Row> = common.parts.iter().flat_map(|p| p.as_ineqs()).collect();
        forms.sort_by(|a, b| (&a[1..], &b[0]).cmp(&(&b[1..], &a[0])));
        forms.dedup_by(|later, kept| later[1..] == kept[1..]);
        let mut relaxed: Vec<Option<Int>> = vec![Some(Int::ZERO); forms.len()];
        for i in 0..common.parts.len() {
            let Some(minima) = minima(&common.system(i), &forms, budget)? else { continue };
            for (relax, minimum) in relaxed.iter_mut().zip(minima) {
                *relax = match (relax.take(), minimum) {
                    (Some(r), Some(m)) => Some(r.min(m)),
                    _ => None,
                };
            }
        }
        let mut ineqs = Vec::new();
        for (mut form, relax) in forms.into_iter().zip(relaxed) {
            let Some(by) = relax else { continue };
            if shift == Shift::Allowed || by.is_zero() {
                form[0] -= &by;
                ineqs.push(form);
            }
        }
        let mut hull = common.build(Vec::new(), ineqs);
        hull.remove_redundancies(budget)?;
        Ok(hull)
    }

    /// The equalities that hold on all integer points.
    pub fn affine_hull(&self, budget: &mut Budget) -> Result<BasicMap, Stop> {
        let _running = trace::operation("affine_hull", &[self]);
        let map = self.compute_divs(budget)?;
        if let [one] = &map.basics[..] {
            return one.affine_hull(budget);
        }
        let mut parts = Vec::new();
        for basic in &map.basics {
            let mut basic = BasicMap::clone(basic);
            basic.detect_equalities(budget)?;
            parts.push(basic);
        }
        if parts.is_empty() {
            return Ok(BasicMap::empty(self.space_arc()));
        }
        let common = Common::of(&parts.iter().collect::<Vec<_>>());
        let n = common.base.n_col();
        let mut directions = Matrix::new(0, n);
        for i in 0..common.parts.len() {
            let system = common.system(i);
            if let Some(point) = crate::solver::ilp_sample(&system, budget)? {
                let eqs = integer_equalities(&system, point, budget)?;
                push_kernel(&mut directions, &eqs, n);
            }
        }
        if directions.rows() == 0 {
            return Ok(BasicMap::empty(self.space_arc()));
        }
        let eqs = kernel_rows(&directions);
        Ok(common.build(eqs, Vec::new()))
    }
}

/// Append a basis of the vectors that all rows annihilate.
fn push_kernel(directions: &mut Matrix, rows: &[Row], n: usize) {
    let matrix = Matrix::from_rows(rows.to_vec(), n);
    for vector in kernel_rows(&matrix) {
        directions.push_row(&vector);
    }
}

/// A basis of the kernel of a matrix, as rows.
fn kernel_rows(matrix: &Matrix) -> Vec<Row> {
    let kernel = poly_linalg::hermite::kernel(matrix);
    (0..kernel.rows()).map(|i| kernel.row(i).to_vec()).collect()
}

impl BasicMap {
    /// The equalities that hold on all integer points.
    pub fn affine_hull(&self, budget: &mut Budget) -> Result<BasicMap, Stop> {
        let _running = trace::operation("affine_hull", &[self]);
        let mut basic = self.clone();
        basic.detect_equalities(budget)?;
        let system = basic.to_system();
        let Some(point) = crate::solver::ilp_sample(&system, budget)? else {
            return Ok(BasicMap::empty(self.space_arc()));
        };
        let eqs = integer_equalities(&system, point, budget)?;
        basic.ineqs.clear();
        basic.eqs = eqs;
        Ok(basic.normalized())
    }
}

/// Generators of the equalities that hold on all integer points of a system, given one of them.
fn integer_equalities(system: &System, point: Vec<Int>, budget: &mut Budget) -> Result<Vec<Row>, Stop> {
    let homogeneous = |p: Vec<Int>| -> Row { std::iter::once(Int::ONE).chain(p).collect() };
    let mut points = Matrix::new(0, system.n + 1);
    points.push_row(&homogeneous(point.clone()));
    // Steps from the point along the equalities usually show that there are no others.
    let directions = kernel_rows(&Matrix::from_rows(system.eqs.iter().map(|r| r[1..].to_vec()).collect(), system.n));
    for direction in &directions {
        let step = |sign: &Int| -> Row { point.iter().zip(direction).map(|(p, d)| p + &(sign * d)).collect() };
        let near = [step(&Int::ONE), step(&Int::NEG_ONE)].into_iter().find(|p| system.contains(p));
        near.into_iter().for_each(|p| points.push_row(&homogeneous(p)));
    }
    if points.rows() == directions.len() + 1 {
        return Ok(system.eqs.clone());
    }
    let mut proven = system.clone();
    'grow: loop {
        let satisfied = kernel_rows(&points);
        for eq in &satisfied {
            if poly_linalg::gauss::is_in_row_span(&Matrix::from_rows(proven.eqs.clone(), system.n + 1), eq) {
                continue;
            }
            if let Some(off) = point_off(&proven, eq, budget)? {
                points.push_row(&homogeneous(off));
                continue 'grow;
            }
            proven.eqs.push(eq.clone());
        }
        return Ok(proven.eqs);
    }
}

/// A point of the system that does not satisfy an equality.
fn point_off(system: &System, eq: &Row, budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
    for side in [eq.clone(), row::negated(eq)] {
        let mut off = system.clone();
        let mut ineq = side;
        ineq[0] -= &Int::ONE;
        off.ineqs.push(ineq);
        if let Some(point) = crate::solver::ilp_sample(&off, budget)? {
            return Ok(Some(point));
        }
    }
    Ok(None)
}

impl BasicSet {
    /// The equalities that hold on all integer points.
    pub fn affine_hull(&self, budget: &mut Budget) -> Result<BasicSet, Stop> {
        Ok(BasicSet(self.0.affine_hull(budget)?))
    }
}

impl Set {
    /// A basic set that contains all disjuncts; see the operation on relations.
    pub fn simple_hull(&self, budget: &mut Budget) -> Result<BasicSet, Stop> {
        Ok(BasicSet(self.0.simple_hull(budget)?))
    }

    /// A basic set of constraints that hold on all disjuncts.
    pub fn unshifted_simple_hull(&self, budget: &mut Budget) -> Result<BasicSet, Stop> {
        Ok(BasicSet(self.0.unshifted_simple_hull(budget)?))
    }

    /// The equalities that hold on all integer points.
    pub fn affine_hull(&self, budget: &mut Budget) -> Result<BasicSet, Stop> {
        Ok(BasicSet(self.0.affine_hull(budget)?))
    }

    /// The smallest box with constant bounds, where there are bounds, that contains the rational
    /// relaxation of the set, parameters being free.
    pub fn box_hull(&self, budget: &mut Budget) -> Result<BasicSet, Stop> {
        let set = self.remove_empty_parts(budget)?;
        if set.plain_is_empty() {
            return Ok(BasicSet::empty(self.space_arc()));
        }
        let mut hull = BasicMap::universe(self.space_arc());
        for i in 0..self.n_dim() {
            for negative in [false, true] {
                hull.ineqs.extend(set.constant_bound(i, negative, budget)?);
            }
        }
        Ok(hull.normalized().into_basic_set())
    }

    /// The tightest constant lower (or, negated, upper) bound on a dimension.
    fn constant_bound(&self, i: usize, negative: bool, budget: &mut Budget) -> Result<Option<Row>, Stop> {
        let sign = if negative { Int::NEG_ONE } else { Int::ONE };
        let mut least: Option<Int> = None;
        for basic in &self.basics {
            let mut form = row::zeros(basic.n_col());
            form[basic.column(DimKind::Out, i)] = sign.clone();
            let Some(found) = minima(&basic.to_system(), &[form], budget)? else { continue };
            let Some(m) = found.into_iter().next().flatten() else { return Ok(None) };
            least = Some(least.map_or(m.clone(), |l| l.min(m)));
        }
        Ok(least.map(|m| {
            let mut bound = row::zeros(1 + self.space.n_var());
            bound[0] = -m;
            bound[self.space.offset(DimKind::Out) + i] = sign;
            bound
        }))
    }
}
