//! Sets of rational points: finite unions of closed polyhedra.
//!
//! # Problem
//! Everywhere else in this crate a set has integer points, and bounds are rounded to them. The
//! relaxation of a set, a cone of schedule coefficients, or a hull are polyhedra of rational
//! points, where `0 <= x <= 2 or 1 <= x <= 3` is `0 <= x <= 3`, and `0 <= x <= 1 or 2 <= x <= 3` is
//! not. isl marks such sets with `rat:`.
//!
//! # Algorithm
//! * *Inclusion*: a polyhedron minus another one is the union of the parts outside of each
//!   constraint, which are open there. A system with strict inequalities `f > 0` has a point if the
//!   maximum of `t` under `f >= t` is positive, a linear program \[Schrijver1986\].
//! * *Projection*: Fourier-Motzkin elimination, which is exact for rational points.
//! * *Coalescing*: if the union of two polyhedra is convex, it is their closed convex hull, by
//!   double description \[Motzkin1953\]; whether the hull has other points is asked for.
//!
//! Parameters are dimensions like the others. Strict comparisons, divisions with rounding and
//! negations of formulas are not closed, or not linear, and cannot be read.

use std::fmt;
use std::sync::Arc;

use poly_arith::{Int, Rational};

use crate::basic::Row;
use crate::budget::{Budget, Stop};
use crate::print::rational_condition;
use crate::row;
use crate::set::Set;
use crate::solver::{Optimum, System, cone, fm, lp_max, lp_min, redundancy};
use crate::space::{DimKind, Space};

/// A finite union of closed polyhedra of rational points over a set space.
///
/// ```
/// use poly_presburger::{Budget, RationalSet};
/// let budget = &mut Budget::unlimited();
/// let two: RationalSet = "{ rat: [x] : 0 <= x <= 2; rat: [x] : 1 <= x <= 3 }".parse()?;
/// let one = two.coalesce(budget).unwrap();
/// assert_eq!(one.to_string(), "{ rat: [x] : x >= 0 and 3 - x >= 0 }");
/// // There are points between 1 and 2.
/// let apart: RationalSet = "{ rat: [x] : 0 <= x <= 1; rat: [x] : 2 <= x <= 3 }".parse()?;
/// assert_eq!(apart.coalesce(budget).unwrap().systems().len(), 2);
/// # Ok::<(), poly_presburger::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct RationalSet {
    space: Arc<Space>,
    parts: Vec<System>,
}

impl RationalSet {
    /// No point of a space.
    pub fn empty(space: impl Into<Arc<Space>>) -> RationalSet {
        RationalSet::from_systems(space, Vec::new())
    }

    /// All points of a space.
    pub fn universe(space: impl Into<Arc<Space>>) -> RationalSet {
        let space = space.into();
        let all = System::new(space.n_var());
        RationalSet::from_systems(space, vec![all])
    }

    /// The points that satisfy one of some systems over `[params | dims]`.
    ///
    /// # Panics
    /// For the space of a relation, and systems over another number of variables.
    pub fn from_systems(space: impl Into<Arc<Space>>, systems: Vec<System>) -> RationalSet {
        let space = space.into();
        assert!(!space.is_map(), "{space} is not the space of a set");
        assert!(
            systems.iter().all(|s| s.n == space.n_var()),
            "a system has one variable for each dimension of {space}"
        );
        RationalSet { space, parts: systems }
    }

    /// The relaxation of a set of integer points: what its constraints say of rational ones,
    /// integer divisions being any number within their bounds.
    /// Cost: Fourier-Motzkin elimination of the divisions, exponential at worst \[Schrijver1986\].
    ///
    /// ```
    /// # use poly_presburger::{Budget, RationalSet, Set};
    /// let set: Set = "{ [x, y] : 0 <= 2x <= 3y and y <= 5 }".parse().unwrap();
    /// let relaxed = RationalSet::from_set(&set, &mut Budget::unlimited()).unwrap();
    /// assert!(relaxed.contains(&[poly_arith::Rational::new(3.into(), 2.into()), 1.into()]));
    /// ```
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn from_set(set: &Set, budget: &mut Budget) -> Result<RationalSet, Stop> {
        let space = set.space_arc();
        let visible: Vec<usize> = (0..space.n_var()).collect();
        let mut parts = Vec::new();
        for basic in set.basics() {
            parts.push(fm::project(&basic.to_system(), &visible, budget)?);
        }
        Ok(RationalSet::from_systems(space, parts))
    }

    /// The space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The polyhedra, as systems over `[params | dims]`.
    pub fn systems(&self) -> &[System] {
        &self.parts
    }

    fn expect_same_space(&self, other: &RationalSet) {
        assert_eq!(self.space, other.space, "rational sets are combined in one space");
    }

    /// All points of either.
    ///
    /// # Panics
    /// For sets in different spaces.
    pub fn union(&self, other: &RationalSet) -> RationalSet {
        self.expect_same_space(other);
        let parts = self.parts.iter().chain(&other.parts).cloned().collect();
        RationalSet { space: Arc::clone(&self.space), parts }
    }

    /// The points in both: one polyhedron for each pair.
    ///
    /// # Panics
    /// For sets in different spaces.
    pub fn intersect(&self, other: &RationalSet) -> RationalSet {
        self.expect_same_space(other);
        let pairs = self.parts.iter().flat_map(|a| other.parts.iter().map(move |b| both(a, b)));
        RationalSet { space: Arc::clone(&self.space), parts: pairs.collect() }
    }

    /// Whether a point `[params | dims]` is in the set.
    pub fn contains(&self, point: &[Rational]) -> bool {
        assert_eq!(point.len(), self.space.n_var(), "a point has one coordinate for each dimension of {}", self.space);
        let value = |form: &Row| {
            let terms = form[1..].iter().zip(point).map(|(a, x)| &Rational::from(a) * x);
            terms.fold(Rational::from(&form[0]), |sum, term| &sum + &term)
        };
        let holds = |part: &System| {
            part.eqs.iter().all(|r| value(r).signum() == 0) && part.ineqs.iter().all(|r| value(r).signum() >= 0)
        };
        self.parts.iter().any(holds)
    }

    /// Whether there is no rational point.
    /// Cost: a linear program for each polyhedron.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn is_empty(&self, budget: &mut Budget) -> Result<bool, Stop> {
        for part in &self.parts {
            if !has_no_point(part, &[], budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether every point here is in `other`.
    /// Cost: a linear program for each piece that the polyhedra there cut from those here; their
    /// number is exponential in that of the polyhedra there.
    ///
    /// ```
    /// # use poly_presburger::{Budget, RationalSet};
    /// let [a, b]: [RationalSet; 2] = ["{ rat: [x] : 0 <= x <= 2 }", "{ rat: [x] : x <= 1; rat: [x] : x >= 1 }"].map(|t| t.parse().unwrap());
    /// assert!(a.is_subset(&b, &mut Budget::unlimited()).unwrap());
    /// ```
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    ///
    /// # Panics
    /// For sets in different spaces.
    pub fn is_subset(&self, other: &RationalSet, budget: &mut Budget) -> Result<bool, Stop> {
        self.expect_same_space(other);
        for part in &self.parts {
            if !is_covered(part.clone(), &mut Vec::new(), &other.parts, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether both have the same points.
    /// Cost: that of [`RationalSet::is_subset`] in both directions.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn is_equal(&self, other: &RationalSet, budget: &mut Budget) -> Result<bool, Stop> {
        Ok(self.is_subset(other, budget)? && other.is_subset(self, budget)?)
    }

    /// Exact projection along `n` dimensions, or parameters, from `first` on. Cost: Fourier-Motzkin
    /// elimination with tests for redundancy, exponential at worst \[Schrijver1986\].
    ///
    /// ```
    /// # use poly_presburger::{Budget, DimKind, RationalSet};
    /// let set: RationalSet = "{ rat: [x, y] : x = 2y and 0 <= 3y <= 1 }".parse().unwrap();
    /// let shadow = set.project_out(DimKind::Out, 1, 1, &mut Budget::unlimited()).unwrap();
    /// assert_eq!(shadow.to_string(), "{ rat: [x] : x >= 0 and 2 - 3x >= 0 }");
    /// ```
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn project_out(&self, kind: DimKind, first: usize, n: usize, budget: &mut Budget) -> Result<RationalSet, Stop> {
        let space = crate::basic::columns::space_without(&self.space, kind, first, n);
        let at = self.space.offset(kind) - 1 + first;
        let keep: Vec<usize> = (0..self.space.n_var()).filter(|i| !(at..at + n).contains(i)).collect();
        let mut parts = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            parts.push(fm::project(part, &keep, budget)?);
        }
        Ok(RationalSet::from_systems(space, parts))
    }

    /// The least value of an affine form over `[1 | params | dims]`.
    /// Cost: a linear program for each polyhedron.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn minimum(&self, form: &[Int], budget: &mut Budget) -> Result<Optimum, Stop> {
        let mut least = Optimum::Empty;
        for part in &self.parts {
            least = match (least, lp_min(part, form, budget)?) {
                (Optimum::Unbounded, _) | (_, Optimum::Unbounded) => Optimum::Unbounded,
                (known, Optimum::Empty) => known,
                (Optimum::Empty, found) => found,
                (Optimum::Bounded(a), Optimum::Bounded(b)) => Optimum::Bounded(if b < a { b } else { a }),
            };
        }
        Ok(least)
    }

    /// The smallest closed convex set around all points: a single polyhedron, none if there is no
    /// point. Cost: double description, exponential in the number of dimensions \[Motzkin1953\].
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn convex_hull(&self, budget: &mut Budget) -> Result<RationalSet, Stop> {
        let mut parts = Vec::new();
        for part in &self.parts {
            if !has_no_point(part, &[], budget)? {
                parts.push(part);
            }
        }
        let hull = if parts.is_empty() { None } else { Some(hull(self.space.n_var(), &parts, budget)?) };
        Ok(RationalSet { space: Arc::clone(&self.space), parts: hull.into_iter().collect() })
    }

    /// The same points with fewer polyhedra, where the union of two is convex, and without
    /// redundant constraints. Empty ones are dropped.
    /// Cost: double description for each pair, again after each success, and tests for inclusion
    /// \[Motzkin1953\].
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn coalesce(&self, budget: &mut Budget) -> Result<RationalSet, Stop> {
        let mut work = Vec::new();
        for part in self.parts.iter().rev() {
            if !has_no_point(part, &[], budget)? {
                let mut part = part.clone();
                redundancy::implicit_equalities_rational(&mut part, budget)?;
                redundancy::remove_redundant_rational(&mut part, budget)?;
                work.push(part);
            }
        }
        let mut done: Vec<System> = Vec::new();
        'next: while let Some(part) = work.pop() {
            for i in 0..done.len() {
                let pair = [done[i].clone(), part.clone()];
                let hull = hull(part.n, &[&pair[0], &pair[1]], budget)?;
                if is_covered(hull.clone(), &mut Vec::new(), &pair, budget)? {
                    done.remove(i);
                    work.push(hull);
                    continue 'next;
                }
            }
            done.push(part);
        }
        Ok(RationalSet { space: Arc::clone(&self.space), parts: done })
    }
}

/// The conjunction of two systems.
pub(crate) fn both(a: &System, b: &System) -> System {
    System { n: a.n, eqs: [&a.eqs[..], &b.eqs].concat(), ineqs: [&a.ineqs[..], &b.ineqs].concat() }
}

/// Whether a system has no point at which some forms are positive.
fn has_no_point(part: &System, positive: &[Row], budget: &mut Budget) -> Result<bool, Stop> {
    budget.spend(1)?;
    // One more variable: a positive number that is at most the least of the forms, and at most one.
    let n = part.n + 1;
    let wider = |rows: &[Row], last: Int| -> Vec<Row> {
        rows.iter().map(|r| r.iter().cloned().chain([last.clone()]).collect()).collect()
    };
    let mut system = System { n, eqs: wider(&part.eqs, Int::ZERO), ineqs: wider(&part.ineqs, Int::ZERO) };
    system.ineqs.extend(wider(positive, Int::NEG_ONE));
    let margin = row::unit(n + 1, n);
    let mut bound = row::negated(&margin);
    bound[0] = Int::ONE;
    system.ineqs.push(bound);
    Ok(match lp_max(&system, &margin, budget)? {
        Optimum::Bounded(value) => value.signum() <= 0,
        Optimum::Unbounded => false,
        Optimum::Empty => true,
    })
}

/// Whether all points of a polyhedron at which some forms are positive are in others.
fn is_covered(mut part: System, positive: &mut Vec<Row>, cover: &[System], budget: &mut Budget) -> Result<bool, Stop> {
    if has_no_point(&part, positive, budget)? {
        return Ok(true);
    }
    let Some((first, rest)) = cover.split_first() else { return Ok(false) };
    let opposite = first.eqs.iter().map(|r| row::negated(r));
    for form in first.eqs.iter().cloned().chain(opposite).chain(first.ineqs.iter().cloned()) {
        positive.push(row::negated(&form));
        let covered = is_covered(part.clone(), positive, rest, budget)?;
        positive.pop();
        if !covered {
            return Ok(false);
        }
        part.ineqs.push(form);
    }
    Ok(true)
}

/// The closed convex hull of polyhedra that have points.
fn hull(n: usize, parts: &[&System], budget: &mut Budget) -> Result<System, Stop> {
    let (mut lines, mut rays) = (Vec::new(), Vec::new());
    for part in parts {
        let mut ineqs = part.ineqs.clone();
        ineqs.push(row::unit(n + 1, 0));
        let found = cone::generators(n + 1, &part.eqs, &ineqs, budget)?;
        lines.extend(found.lines);
        rays.extend(found.rays);
    }
    let forms = cone::generators(n + 1, &lines, &rays, budget)?;
    let mut ineqs = forms.rays;
    ineqs.retain(|form| !row::is_zero(&form[1..]));
    Ok(System { n, eqs: forms.lines, ineqs })
}

impl fmt::Display for RationalSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        rational_condition(f, &self.space, &self.parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> RationalSet {
        text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    fn free() -> Budget {
        Budget::unlimited()
    }

    #[test]
    fn texts_are_read_and_written() {
        for text in [
            "{ rat: [x] : x >= 0 and 3 - 2x >= 0 }",
            "[n] -> { rat: S[x, y] : -n + x + y = 0 and x >= 0; rat: S[x, y] : -1 + y >= 0 }",
            "{ rat: [x] }",
        ] {
            assert_eq!(set(text).to_string(), text);
        }
        assert_eq!(
            set("{ rat: [1:3, 2] }").to_string(),
            "{ rat: [i0, i1] : -2 + i1 = 0 and -1 + i0 >= 0 and 3 - i0 >= 0 }"
        );
        let shadow = "{ rat: [x] : exists y : x = 3y and 0 <= y <= 1/2 }";
        assert_eq!(set(shadow).is_equal(&set("{ rat: [x] : 0 <= x <= 3/2 }"), &mut free()), Ok(true));
        for wrong in [
            "{ rat: [x] : x < 1 }",
            "{ rat: [x] : not x >= 1 }",
            "{ rat: [x] : x mod 2 = 0 }",
            "{ [x] : x >= 1 }",
            "{ rat: [x] : x*x >= 1 }",
        ] {
            assert!(wrong.parse::<RationalSet>().is_err(), "{wrong}");
        }
        let error = "{ rat: [x] : x >= 1 }".parse::<Set>().expect_err("it is not a set of integer points");
        assert_eq!(error.position, 2);
    }

    #[test]
    fn unions_that_are_convex_are_joined() {
        let parts = |text: &str| set(text).coalesce(&mut free()).expect("no limit").systems().len();
        assert_eq!(parts("{ rat: [0:2]; rat: [1:3] }"), 1);
        assert_eq!(parts("{ rat: [0:1]; rat: [2:3] }"), 2);
        assert_eq!(
            parts("{ rat: [x, y] : 0 <= x <= 1 and 0 <= y <= x; rat: [x, y] : 0 <= x <= 1 and x <= y <= 1 }"),
            1
        );
        assert_eq!(parts("{ rat: [x, y] : 0 <= x, y <= 1; rat: [x, y] : 1 <= x, y <= 2 }"), 2);
        assert_eq!(parts("{ rat: [x] : x >= 1 and x <= 0 }"), 0);
    }

    #[test]
    fn optima_are_those_of_the_relaxation() {
        let budget = &mut free();
        let form = [Int::ZERO, Int::ONE];
        assert_eq!(
            set("{ rat: [x] : 2x >= 3; rat: [x] : 3x >= 4 }").minimum(&form, budget),
            Ok(Optimum::Bounded(Rational::new(Int::from(4), Int::from(3))))
        );
        assert_eq!(set("{ rat: [x] : x <= 3 }").minimum(&form, budget), Ok(Optimum::Unbounded));
        assert_eq!(RationalSet::empty(set("{ rat: [x] }").space().clone()).minimum(&form, budget), Ok(Optimum::Empty));
    }
}
