//! Hulls: single basic relations that contain a union.
//!
//! * *Simple hull*: every constraint of every disjunct, relaxed by the least amount that makes it
//!   valid for all disjuncts (linear programming, rounded to the integer grid); those that no
//!   finite amount makes valid are dropped.
//! * *Unshifted simple hull*: only the constraints that are valid as they are.
//! * *Affine hull*: all equalities and congruences that hold on all integer points, that is the
//!   smallest affine lattice around them ([`Lattice::hull`], after \[Karr1976\]). One disjunct
//!   without divs needs no more than a point, if steps from it lead to points along every direction
//!   that the equalities allow.
//! * *Box hull*: constant bounds on each dimension.

use std::ops::Range;
use std::sync::Arc;

use poly_arith::{Coeff, Int};

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
use crate::zpoly::Lattice;

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
    /// A basic relation that contains all disjuncts, made of their constraints, each relaxed as far
    /// as necessary. The relation is taken over: a single disjunct is the hull, and remains shared.
    /// Cost: nothing for one disjunct; otherwise a linear program for each constraint and disjunct
    /// \[Verdoolaege2010\].
    #[inline]
    pub fn simple_hull(self, budget: &mut Budget) -> Result<Arc<BasicMap>, Stop> {
        let _running = trace::operation("simple_hull", &[&self]);
        self.hull_of_constraints(Shift::Allowed, budget)
    }

    /// A basic relation that contains all disjuncts, made of those of their constraints that hold
    /// on all of them. The relation is taken over: a single disjunct is the hull, and remains
    /// shared. Cost: nothing for one disjunct; otherwise a linear program for each constraint and
    /// disjunct \[Verdoolaege2010\].
    #[inline]
    pub fn unshifted_simple_hull(self, budget: &mut Budget) -> Result<Arc<BasicMap>, Stop> {
        let _running = trace::operation("unshifted_simple_hull", &[&self]);
        self.hull_of_constraints(Shift::Forbidden, budget)
    }

    #[inline]
    fn hull_of_constraints(mut self, shift: Shift, budget: &mut Budget) -> Result<Arc<BasicMap>, Stop> {
        match self.basics.pop() {
            Some(one) if self.basics.is_empty() => Ok(one),
            last => {
                self.basics.extend(last);
                self.hull_of_disjuncts(shift, budget)
            }
        }
    }

    #[inline(never)]
    fn hull_of_disjuncts(self, shift: Shift, budget: &mut Budget) -> Result<Arc<BasicMap>, Stop> {
        let mut map = self.compute_divs(budget)?.remove_empty_parts(budget)?;
        if map.n_basic() > 1 {
            return Ok(Arc::new(map.hull_of_several(shift, budget)?));
        }
        Ok(map.basics.pop().unwrap_or_else(|| Arc::new(BasicMap::empty(map.space))))
    }

    /// The hull of disjuncts that are not empty and have explicit divs.
    fn hull_of_several(&self, shift: Shift, budget: &mut Budget) -> Result<BasicMap, Stop> {
        let common = Common::of(&self.basics.iter().map(|b| &**b).collect::<Vec<_>>());
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

    /// The smallest affine lattice that contains all integer points: the equalities and congruences
    /// that hold on all of them. Parameters are dimensions like the others. The same points give
    /// the same text. Cost: see [`Map::lattice_hull`].
    pub fn affine_hull(&self, budget: &mut Budget) -> Result<BasicMap, Stop> {
        let _running = trace::operation("affine_hull", &[self]);
        if let [one] = &self.basics[..] {
            return one.affine_hull(budget);
        }
        let mut hull = BasicMap::universe(self.space_arc());
        match self.lattice_hull(budget)? {
            Some(lattice) => hull.add_lattice(&lattice),
            None => hull.set_to_empty(),
        }
        Ok(hull.normalized())
    }
}

impl BasicMap {
    /// The smallest affine lattice that contains all integer points; see [`Map::affine_hull`].
    /// Cost: that of [`Map::lattice_hull`] \[Karr1976\].
    pub fn affine_hull(&self, budget: &mut Budget) -> Result<BasicMap, Stop> {
        let _running = trace::operation("affine_hull", &[self]);
        let mut basic = self.clone().normalized();
        if basic.is_plainly_full() {
            budget.spend(1)?;
            basic.ineqs.clear();
            return Ok(basic);
        }
        basic.detect_equalities(budget)?;
        let system = basic.to_system();
        let Some(point) = crate::solver::ilp_sample(&system, budget)? else {
            return Ok(BasicMap::empty(self.space_arc()));
        };
        let n = basic.n_var();
        if basic.n_div() == 0 && Lattice::is_all_near(&system, &point) {
            basic.ineqs.clear(); // steps from the point reach all solutions of the equalities
            return Ok(basic.normalized());
        }
        let lattice = Lattice::hull(n, &[system], budget)?.expect("there is a point");
        let mut hull = BasicMap::universe(self.space_arc());
        hull.add_lattice(&lattice);
        Ok(hull.normalized())
    }

    /// Add the constraint that `[params | in | out]` is in a lattice.
    pub(crate) fn add_lattice(&mut self, lattice: &Lattice) {
        lattice.span().into_iter().for_each(|r| self.add_eq(r));
        for form in lattice.coordinate_forms().into_iter().filter(|form| !form.denom.is_one()) {
            let column = self.add_div(form.denom.clone(), form.row.clone());
            let mut stride = form.row;
            stride.resize(self.n_col(), Int::ZERO);
            stride[column] = -&form.denom;
            self.add_eq(stride);
        }
    }
}

impl BasicSet {
    /// The smallest affine lattice that contains all integer points; see [`Map::affine_hull`].
    /// Cost: that of [`Map::lattice_hull`] \[Karr1976\].
    pub fn affine_hull(&self, budget: &mut Budget) -> Result<BasicSet, Stop> {
        Ok(BasicSet(self.0.affine_hull(budget)?.into()))
    }
}

impl Set {
    /// A basic set that contains all disjuncts; see the operation on relations. Cost: nothing for
    /// one disjunct; otherwise a linear program for each constraint and disjunct
    /// \[Verdoolaege2010\].
    #[inline]
    pub fn simple_hull(self, budget: &mut Budget) -> Result<BasicSet, Stop> {
        Ok(BasicSet(self.0.simple_hull(budget)?))
    }

    /// A basic set of constraints that hold on all disjuncts. Cost: nothing for one disjunct;
    /// otherwise a linear program for each constraint and disjunct \[Verdoolaege2010\].
    #[inline]
    pub fn unshifted_simple_hull(self, budget: &mut Budget) -> Result<BasicSet, Stop> {
        Ok(BasicSet(self.0.unshifted_simple_hull(budget)?))
    }

    /// The smallest affine lattice that contains all integer points; see [`Map::affine_hull`].
    /// Cost: that of [`Map::lattice_hull`] \[Karr1976\].
    pub fn affine_hull(&self, budget: &mut Budget) -> Result<BasicSet, Stop> {
        Ok(BasicSet(self.0.affine_hull(budget)?.into()))
    }

    /// The smallest box with constant bounds, where there are bounds, that contains the rational
    /// relaxation of the set, parameters being free.
    /// Cost: two linear programs for each dimension and disjunct \[DetlefsNelsonSaxe2005\].
    pub fn box_hull(&self, budget: &mut Budget) -> Result<BasicSet, Stop> {
        let set = self.remove_empty_parts(budget)?;
        let Some(bounds) = set.dim_bounds(0..self.n_dim(), budget)? else {
            return Ok(BasicSet::empty(self.space_arc()));
        };
        let mut hull = BasicMap::universe(self.space_arc());
        for (i, Bounds { least, greatest }) in bounds.into_iter().enumerate() {
            let at = hull.column(DimKind::Out, i);
            let bound = |constant: Int, sign: Int| {
                let mut row = row::zeros(1 + self.space.n_var());
                (row[0], row[at]) = (constant, sign);
                row
            };
            hull.ineqs.extend(least.map(|least| bound(-least, Int::ONE)));
            hull.ineqs.extend(greatest.map(|greatest| bound(greatest, Int::NEG_ONE)));
        }
        Ok(hull.normalized().into_basic_set())
    }

    /// Between which values some dimensions lie on the rational relaxation of the set, parameters
    /// being free, rounded to integers inside; `None` if it has no point. Cost: two linear programs
    /// for each dimension and disjunct \[DetlefsNelsonSaxe2005\].
    ///
    /// ```
    /// use poly_presburger::{Budget, Set};
    /// let set: Set = "{ [i, j] : 0 <= i < 10 and i <= 2j and i + j <= 20; [i, j] : i = 12 and j >= 3 }".parse().unwrap();
    /// let bounds = set.dim_bounds(0..2, &mut Budget::unlimited()).unwrap().unwrap();
    /// assert_eq!((bounds[0].least.clone(), bounds[0].greatest.clone()), (Some(0.into()), Some(12.into())));
    /// assert_eq!((bounds[1].least.clone(), bounds[1].greatest.clone()), (Some(0.into()), None));
    /// ```
    pub fn dim_bounds(&self, dims: Range<usize>, budget: &mut Budget) -> Result<Option<Vec<Bounds>>, Stop> {
        let mut all: Option<Vec<Bounds>> = None;
        for basic in &self.basics {
            let forms = dims.clone().map(|dim| row::unit(basic.n_col(), basic.column(DimKind::Out, dim)));
            let forms: Vec<Row> = forms.flat_map(|form| [row::negated(&form), form]).collect();
            let Some(minima) = minima(&basic.to_system(), &forms, budget)? else { continue };
            let mut minima = minima.into_iter();
            let mut bounds = Vec::new();
            while let (Some(negated), Some(least)) = (minima.next(), minima.next()) {
                bounds.push(Bounds { least, greatest: negated.map(|value| -value) });
            }
            all = Some(match all {
                None => bounds,
                Some(all) => all.into_iter().zip(bounds).map(|(one, other)| one.or(other)).collect(),
            });
        }
        Ok(all)
    }
}

/// Between which values a dimension lies; `None` where there is no bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The least integer value.
    pub least: Option<Int>,
    /// The greatest one.
    pub greatest: Option<Int>,
}

impl Bounds {
    /// The number of integers between them.
    pub fn count(&self) -> Option<Int> {
        let (least, greatest) = (self.least.as_ref()?, self.greatest.as_ref()?);
        Some((greatest - least + 1).max(Int::ZERO))
    }

    /// The bounds of what lies in one of two.
    fn or(self, other: Bounds) -> Bounds {
        let both = |one: Option<Int>, other: Option<Int>, better: fn(Int, Int) -> Int| Some(better(one?, other?));
        Bounds {
            least: both(self.least, other.least, Int::min),
            greatest: both(self.greatest, other.greatest, Int::max),
        }
    }
}
