//! Difference, complement, inclusion and equality.
//!
//! For basic relations `A` and `B`, all divs of `B` known, with the constraints `c_1, ..., c_n` of
//! `B` that `A` does not imply:
//!
//! ```text
//! A \ B  =  union over i of  A and c_1 and ... and c_(i-1) and not c_i
//! ```
//!
//! an equality counting as two inequalities. The divs of `B` are functions of the point, so they
//! can be added to each piece without changing it. One tableau holds `A` and the constraints passed
//! so far; constraints implied by them, or by all others together, are skipped; a constraint that
//! excludes `A` altogether ends the work (the difference is `A`). For unions the basic relations of
//! the subtrahend are taken one after the other, depth first, so that an inclusion test stops at
//! the first point found outside. Relations with opposite constraints that exclude each other need
//! no tableau. Pieces without integer points are dropped at the end.

use std::sync::Arc;

use poly_arith::{Coeff, Int};

use crate::basic::{BasicMap, BasicSet, Row};
use crate::budget::{Budget, Stop};
use crate::map::{Collection, Map};
use crate::ops::common::{Common, charge_comparison, plainly_disjoint};
use crate::row;
use crate::set::Set;
use crate::solver::lp::Grid;
use crate::solver::{IneqType, Interrupt, System, Tableau, widen};
use crate::trace;
use crate::union::{UnionMap, UnionSet};

/// How a difference falls into pieces.
enum Plan {
    /// The relations are disjoint: all of the minuend is left.
    All,
    /// Piece `k` satisfies the constraints of the list before `k` and violates constraint `k`.
    Pieces(Vec<usize>),
}

fn plan<T: Coeff>(minuend: &System, constraints: &[Row], budget: &mut Budget) -> Result<Plan, Interrupt> {
    let mut tableau = Tableau::<T>::from_system(minuend, Grid::Integer, budget)?;
    if tableau.is_empty() {
        return Ok(Plan::Pieces(Vec::new()));
    }
    let mut cuts = Vec::new();
    for (i, r) in constraints.iter().enumerate() {
        let form = T::row_from_ints(r)?;
        match tableau.ineq_type(&form, budget)? {
            IneqType::Redundant => {}
            IneqType::Cut => cuts.push((i, form)),
            IneqType::Separate | IneqType::AdjEq | IneqType::AdjIneq => return Ok(Plan::All),
        }
    }
    let Some(needed) = needed_for(&tableau, &cuts, budget)? else { return Ok(Plan::All) };
    let mut pieces: Vec<usize> = Vec::new();
    for ((i, form), _) in cuts.into_iter().zip(needed).filter(|(_, needed)| *needed) {
        let first = pieces.is_empty();
        let kind = if first { IneqType::Cut } else { tableau.ineq_type(&form, budget)? };
        if kind == IneqType::Redundant {
            continue;
        }
        pieces.push(i);
        if kind != IneqType::Cut {
            break;
        }
        tableau.add_ineq(&form, budget)?;
        if tableau.is_empty() {
            break;
        }
    }
    Ok(Plan::Pieces(pieces))
}

/// Which of the constraints do not follow from the others and the tableau; `None` if they exclude
/// each other.
fn needed_for<T: Coeff>(
    tableau: &Tableau<T>,
    constraints: &[(usize, Vec<T>)],
    budget: &mut Budget,
) -> Result<Option<Vec<bool>>, Interrupt> {
    if constraints.len() <= 1 {
        return Ok(Some(vec![true; constraints.len()]));
    }
    let mut all = tableau.clone();
    let mut ids = Vec::with_capacity(constraints.len());
    for (_, form) in constraints {
        ids.push(all.add_ineq(form, budget)?);
        if all.is_empty() {
            return Ok(None);
        }
    }
    let mut needed = vec![true; ids.len()];
    for (con, needed) in ids.into_iter().zip(&mut needed) {
        *needed = !all.detect_redundant_con(con, budget)?;
    }
    Ok(Some(needed))
}

/// The basic relations that make up `a \ b`; `b` must have known divs and the same space. Pieces
/// may turn out to be without integer points.
fn subtract_basic(a: &Arc<BasicMap>, b: &Arc<BasicMap>, budget: &mut Budget) -> Result<Vec<Arc<BasicMap>>, Stop> {
    if a == b {
        return Ok(Vec::new());
    }
    charge_comparison(a, b, budget)?;
    if a.divs == b.divs && a.has_known_divs() && plainly_disjoint(a, b, &Int::ZERO) {
        return Ok(vec![a.clone()]);
    }
    let common = Common::of(&[a, b]);
    let constraints = common.parts[1].as_ineqs();
    let system = common.system(0);
    let plan = widen(
        budget,
        |budget| plan::<i64>(&system, &constraints, budget),
        |budget| plan::<Int>(&system, &constraints, budget),
    )?;
    let Plan::Pieces(list) = plan else { return Ok(vec![a.clone()]) };
    let mut pieces = Vec::new();
    let mut passed = common.basic(0);
    for i in list {
        let mut piece = passed.clone();
        piece.ineqs.push(row::complemented(&constraints[i]));
        piece.normalize();
        if !piece.is_plainly_empty() {
            pieces.push(Arc::new(piece));
        }
        passed.ineqs.push(constraints[i].clone());
    }
    Ok(pieces)
}

/// Append the parts of `a` outside all of `subtrahend` to `out`.
fn subtract_all(
    a: &Arc<BasicMap>,
    subtrahend: &[Arc<BasicMap>],
    out: &mut Collection,
    budget: &mut Budget,
) -> Result<(), Stop> {
    let mut work = vec![(a.clone(), 0)];
    while let Some((piece, next)) = work.pop() {
        budget.spend(1)?;
        let Some(b) = subtrahend.get(next) else {
            if subtrahend.is_empty() || !piece.is_empty_shared(budget)? {
                out.push(piece);
            }
            continue;
        };
        let parts = subtract_basic(&piece, b, budget)?;
        work.extend(parts.into_iter().rev().map(|p| (p, next + 1)));
    }
    Ok(())
}

/// Whether all points of `a` are in the union.
pub(crate) fn is_covered(a: &Arc<BasicMap>, cover: &[Arc<BasicMap>], budget: &mut Budget) -> Result<bool, Stop> {
    let mut work = vec![(Arc::clone(a), 0)];
    while let Some((piece, next)) = work.pop() {
        budget.spend(1)?;
        let Some(b) = cover.get(next) else {
            if piece.is_empty_shared(budget)? {
                continue;
            }
            return Ok(false);
        };
        let parts = subtract_basic(&piece, b, budget)?;
        work.extend(parts.into_iter().rev().map(|p| (p, next + 1)));
    }
    Ok(true)
}

impl Map {
    /// The pairs here that are not in `other`. Cost: an integer program for each piece; their
    /// number is exponential in the number of disjuncts of the subtrahend, with its constraints as
    /// base, in the worst case \[Verdoolaege2010\].
    pub fn subtract(&self, other: &Map, budget: &mut Budget) -> Result<Map, Stop> {
        let _running = trace::operation("subtract", &[self, other]);
        let (a, b) = self.paired(other, "difference");
        let b = b.compute_divs(budget)?;
        let mut result = Collection::new(Map::empty(a.space_arc()), a.n_basic());
        for basic in &a.basics {
            subtract_all(basic, &b.basics, &mut result, budget)?;
        }
        Ok(result.into_map())
    }

    /// All pairs of the space that are not in the relation.
    /// Cost: that of [`Map::subtract`] from the universe.
    pub fn complement(&self, budget: &mut Budget) -> Result<Map, Stop> {
        let _running = trace::operation("complement", &[self]);
        Map::universe(self.space_arc()).subtract(self, budget)
    }

    /// Whether every pair here is in `other`.
    /// Cost: that of [`Map::subtract`], which ends with the first piece that is not empty.
    pub fn is_subset(&self, other: &Map, budget: &mut Budget) -> Result<bool, Stop> {
        let _running = trace::operation("is_subset", &[self, other]);
        let (a, b) = self.paired(other, "inclusion");
        if a.basics.iter().all(|x| b.basics.contains(x)) || b.plain_is_universe() {
            return Ok(true);
        }
        let b = b.compute_divs(budget)?;
        for basic in &a.basics {
            if !is_covered(basic, &b.basics, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether both have the same pairs.
    /// Cost: that of [`Map::is_subset`] in both directions, unless the descriptions are the same.
    pub fn is_equal(&self, other: &Map, budget: &mut Budget) -> Result<bool, Stop> {
        let _running = trace::operation("is_equal", &[self, other]);
        Ok(self.is_subset(other, budget)? && other.is_subset(self, budget)?)
    }

    /// Whether every pair here is in `other`, which has more.
    /// Cost: that of [`Map::is_subset`] in both directions.
    pub fn is_strict_subset(&self, other: &Map, budget: &mut Budget) -> Result<bool, Stop> {
        Ok(self.is_subset(other, budget)? && !other.is_subset(self, budget)?)
    }

    /// Whether no pair is in both.
    /// Cost: an integer program for each pair of disjuncts \[CookRutherford1993\].
    pub fn is_disjoint(&self, other: &Map, budget: &mut Budget) -> Result<bool, Stop> {
        let _running = trace::operation("is_disjoint", &[self, other]);
        self.intersect(other).is_empty(budget)
    }

    /// The same relation with disjuncts that have no pair in common. The relation is taken over:
    /// one disjunct stays. Cost: that of [`Map::subtract`] for each disjunct and those before it.
    #[inline]
    pub fn make_disjoint(self, budget: &mut Budget) -> Result<Map, Stop> {
        let _running = trace::operation("make_disjoint", &[&self]);
        if self.n_basic() <= 1 {
            return Ok(self);
        }
        self.make_disjuncts_disjoint(budget)
    }

    #[inline(never)]
    fn make_disjuncts_disjoint(self, budget: &mut Budget) -> Result<Map, Stop> {
        let map = self.compute_divs(budget)?;
        let mut result = Collection::new(Map::empty(map.space_arc()), map.n_basic());
        for (i, basic) in map.basics.iter().enumerate() {
            subtract_all(basic, &map.basics[..i], &mut result, budget)?;
        }
        Ok(result.into_map())
    }

    fn paired(&self, other: &Map, what: &str) -> (Map, Map) {
        assert!(
            self.space.has_equal_tuples(&other.space),
            "the {what} of {} and {} is not defined",
            self.space,
            other.space
        );
        self.aligned(other)
    }
}

impl BasicMap {
    /// Whether every pair here is in `other`.
    /// Cost: that of [`Map::is_subset`] for one disjunct each.
    pub fn is_subset(&self, other: &BasicMap, budget: &mut Budget) -> Result<bool, Stop> {
        let _running = trace::operation("is_subset", &[self, other]);
        Map::from_basic(self.clone()).is_subset(&Map::from_basic(other.clone()), budget)
    }

    /// Whether both have the same pairs.
    /// Cost: that of [`Map::is_equal`] for one disjunct each.
    pub fn is_equal(&self, other: &BasicMap, budget: &mut Budget) -> Result<bool, Stop> {
        let _running = trace::operation("is_equal", &[self, other]);
        Ok(self.is_subset(other, budget)? && other.is_subset(self, budget)?)
    }

    /// Whether no pair is in both.
    /// Cost: an integer program \[CookRutherford1993\].
    pub fn is_disjoint(&self, other: &BasicMap, budget: &mut Budget) -> Result<bool, Stop> {
        let _running = trace::operation("is_disjoint", &[self, other]);
        self.intersect(other).is_empty(budget)
    }
}

impl BasicSet {
    /// Whether no point is in both.
    /// Cost: an integer program \[CookRutherford1993\].
    pub fn is_disjoint(&self, other: &BasicSet, budget: &mut Budget) -> Result<bool, Stop> {
        self.0.is_disjoint(&other.0, budget)
    }
}

impl Set {
    /// The points here that are not in `other`. Cost: an integer program for each piece; their
    /// number is exponential in the number of disjuncts of the subtrahend, with its constraints as
    /// base, in the worst case \[Verdoolaege2010\].
    pub fn subtract(&self, other: &Set, budget: &mut Budget) -> Result<Set, Stop> {
        Ok(Set(self.0.subtract(&other.0, budget)?))
    }

    /// All points of the space that are not in the set.
    /// Cost: that of [`Map::subtract`] from the universe.
    pub fn complement(&self, budget: &mut Budget) -> Result<Set, Stop> {
        Ok(Set(self.0.complement(budget)?))
    }

    /// The same set with disjuncts that have no point in common.
    /// Cost: that of [`Map::subtract`] for each disjunct and those before it.
    #[inline]
    pub fn make_disjoint(self, budget: &mut Budget) -> Result<Set, Stop> {
        Ok(Set(self.0.make_disjoint(budget)?))
    }

    /// The set without the disjuncts that are empty.
    /// Cost: an integer program for each disjunct \[CookRutherford1993\].
    pub fn remove_empty_parts(&self, budget: &mut Budget) -> Result<Set, Stop> {
        Ok(Set(self.0.remove_empty_parts(budget)?))
    }
}

macro_rules! union_comparisons {
    ($union:ident, $member:ident) => {
        impl $union {
            /// The points here that are not in `other`. Cost: an integer program for each piece;
            /// their number is exponential in the number of disjuncts of the subtrahend, with its
            /// constraints as base, in the worst case \[Verdoolaege2010\].
            pub fn subtract(&self, other: &$union, budget: &mut Budget) -> Result<$union, Stop> {
                let _running = trace::operation("subtract", &[self, other]);
                let mut parts = Vec::new();
                for m in self.iter() {
                    parts.push(match other.get(m.space()) {
                        Some(o) => m.subtract(o, budget)?,
                        None => m.clone(),
                    });
                }
                Ok(self.align_params(&other.params_space()).rebuilt(parts))
            }

            /// Whether every point here is in `other`.
            /// Cost: that of [`Map::subtract`], which ends with the first piece that is not empty.
            pub fn is_subset(&self, other: &$union, budget: &mut Budget) -> Result<bool, Stop> {
                let _running = trace::operation("is_subset", &[self, other]);
                for m in self.iter() {
                    let inside = match other.get(m.space()) {
                        Some(o) => m.is_subset(o, budget)?,
                        None => m.is_empty(budget)?,
                    };
                    if !inside {
                        return Ok(false);
                    }
                }
                Ok(true)
            }

            /// Whether both have the same points. Cost: that of [`Map::is_subset`] in both
            /// directions, unless the descriptions are the same.
            pub fn is_equal(&self, other: &$union, budget: &mut Budget) -> Result<bool, Stop> {
                let _running = trace::operation("is_equal", &[self, other]);
                Ok(self.is_subset(other, budget)? && other.is_subset(self, budget)?)
            }

            /// Whether no point is in both.
            /// Cost: an integer program for each pair of disjuncts \[CookRutherford1993\].
            pub fn is_disjoint(&self, other: &$union, budget: &mut Budget) -> Result<bool, Stop> {
                let _running = trace::operation("is_disjoint", &[self, other]);
                self.intersect(other).is_empty(budget)
            }

            /// The same union with disjuncts that have no point in common.
            /// Cost: that of [`Map::subtract`] for each disjunct and those before it.
            pub fn make_disjoint(&self, budget: &mut Budget) -> Result<$union, Stop> {
                let _running = trace::operation("make_disjoint", &[self]);
                let parts: Result<Vec<$member>, Stop> = self.iter().map(|m| m.clone().make_disjoint(budget)).collect();
                Ok(self.rebuilt(parts?))
            }

            /// The same union without the disjuncts that are empty.
            /// Cost: an integer program for each disjunct \[CookRutherford1993\].
            pub fn remove_empty_parts(&self, budget: &mut Budget) -> Result<$union, Stop> {
                let _running = trace::operation("remove_empty_parts", &[self]);
                let parts: Result<Vec<$member>, Stop> = self.iter().map(|m| m.remove_empty_parts(budget)).collect();
                Ok(self.rebuilt(parts?))
            }
        }
    };
}
union_comparisons!(UnionSet, Set);
union_comparisons!(UnionMap, Map);
