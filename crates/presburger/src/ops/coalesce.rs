//! Coalescing: fewer disjuncts for the same set.
//!
//! Two basic relations `A` and `B` are replaced by one if that changes nothing. On common divs, each
//! constraint of one is classified against the other by linear programming:
//!
//! 1. all constraints of `A` hold on `B`: `B` is a subset, `A` stays (or the other way round);
//! 2. some constraint of one excludes the other by more than one step of the integer grid: the pair
//!    is left alone;
//! 3. otherwise the candidate is the simple hull of both: constraints valid for both, and the others
//!    relaxed by the least amount that makes them valid. It covers extension by adjacent
//!    inequalities and equalities as well as pairs whose cut facets lie inside the other. The candidate
//!    replaces the pair if its difference with both has no integer points.
//!
//! Step 3 decides by an exact test, so every replacement is right; only completeness depends on the
//! choice of the candidate. Cases and terms are those of \[Verdoolaege2015\].

use poly_arith::{Coeff, Int};

use crate::basic::{BasicMap, Row};
use crate::budget::{Budget, Stop};
use crate::map::Map;
use crate::ops::common::Common;
use crate::ops::hull::minima;
use crate::ops::subtract::is_covered;
use crate::pw::PwAff;
use crate::pw_multi::PwMultiAff;
use crate::set::Set;
use crate::solver::lp::Grid;
use crate::solver::{IneqType, Interrupt, System, Tableau, widen};
use crate::union::{UnionMap, UnionSet};

/// How the constraints of one relation lie towards another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// All are valid for it.
    Contains,
    /// One excludes it by more than one step.
    Apart,
    /// They cut it or are adjacent to it.
    Meets,
}

fn position<T: Coeff>(
    constraints: &[Row],
    system: &System,
    budget: &mut Budget,
) -> Result<Position, Interrupt> {
    let mut tableau = Tableau::<T>::from_system(system, Grid::Integer, budget)?;
    if tableau.is_empty() {
        return Ok(Position::Contains);
    }
    let mut all_valid = true;
    for r in constraints {
        let mut form = T::row_from_ints(r)?;
        match tableau.ineq_type(&form, budget)? {
            IneqType::Redundant => continue,
            IneqType::Cut | IneqType::AdjEq | IneqType::AdjIneq => all_valid = false,
            IneqType::Separate => {
                form[0] = form[0].add(&T::row_from_ints(&[Int::ONE])?[0])?;
                if tableau.ineq_type(&form, budget)? == IneqType::Separate {
                    return Ok(Position::Apart);
                }
                all_valid = false;
            }
        }
    }
    Ok(if all_valid { Position::Contains } else { Position::Meets })
}

/// Whether opposite constraints show a gap between the relations.
fn plainly_apart(a: &[Row], b: &[Row]) -> bool {
    let opposite = |x: &Row, y: &Row| {
        (&x[0] + &y[0]) < Int::NEG_ONE && x[1..].iter().zip(&y[1..]).all(|(p, q)| *p == -q)
    };
    a.iter().any(|x| b.iter().any(|y| opposite(x, y)))
}

/// One basic relation for both, if the constraints of the two show one.
fn coalesce_pair(
    a: &BasicMap,
    b: &BasicMap,
    budget: &mut Budget,
) -> Result<Option<BasicMap>, Stop> {
    budget.spend(1)?;
    if !a.has_known_divs() || !b.has_known_divs() {
        return Ok((a == b).then(|| a.clone()));
    }
    let common = Common::of(&[a, b]);
    let (rows_a, rows_b) = (common.parts[0].as_ineqs(), common.parts[1].as_ineqs());
    if plainly_apart(&rows_a, &rows_b) {
        return Ok(None);
    }
    let (system_a, system_b) = (common.system(0), common.system(1));
    let mut classify = |rows: &[Row], system: &System| {
        widen(
            budget,
            |budget| position::<i64>(rows, system, budget),
            |budget| position::<Int>(rows, system, budget),
        )
    };
    match classify(&rows_a, &system_b)? {
        Position::Contains => return Ok(Some(a.clone())),
        Position::Apart => return Ok(None),
        Position::Meets => {}
    }
    match classify(&rows_b, &system_a)? {
        Position::Contains => return Ok(Some(b.clone())),
        Position::Apart => return Ok(None),
        Position::Meets => {}
    }
    let mut rows = relaxed(rows_a, &system_b, budget)?;
    rows.extend(relaxed(rows_b, &system_a, budget)?);
    let mut candidate = common.build(Vec::new(), rows);
    candidate.remove_redundancies(budget)?;
    let covered = is_covered(&candidate, &[a.clone(), b.clone()], budget)?;
    Ok(covered.then_some(candidate))
}

/// The constraints, relaxed until they are valid for a system; those without bound are dropped.
fn relaxed(mut rows: Vec<Row>, system: &System, budget: &mut Budget) -> Result<Vec<Row>, Stop> {
    let Some(minima) = minima(system, &rows, budget)? else { return Ok(rows) };
    let mut minima = minima.into_iter();
    rows.retain_mut(|r| match minima.next().expect("one minimum per row") {
        Some(m) => {
            if m.is_neg() {
                r[0] -= &m;
            }
            true
        }
        None => false,
    });
    Ok(rows)
}

impl Map {
    /// The same relation with fewer disjuncts, where pairs of them can be replaced by one.
    pub fn coalesce(&self, budget: &mut Budget) -> Result<Map, Stop> {
        let mut work: Vec<BasicMap> = Vec::new();
        for basic in self.basics.iter().rev() {
            if basic.is_empty(budget)? {
                continue;
            }
            let mut basic = basic.clone();
            if self.n_basic() > 1 {
                basic.remove_redundancies(budget)?;
            }
            work.push(basic);
        }
        let mut done: Vec<BasicMap> = Vec::new();
        'next: while let Some(basic) = work.pop() {
            for i in 0..done.len() {
                if let Some(joined) = coalesce_pair(&done[i], &basic, budget)? {
                    done.remove(i);
                    work.push(joined);
                    continue 'next;
                }
            }
            done.push(basic);
        }
        let mut result = Map::empty(self.space_arc());
        done.into_iter().for_each(|b| result.push(b));
        Ok(result)
    }
}

impl Set {
    /// The same set with fewer disjuncts, where pairs of them can be replaced by one.
    pub fn coalesce(&self, budget: &mut Budget) -> Result<Set, Stop> {
        Ok(Set(self.0.coalesce(budget)?))
    }
}

impl UnionMap {
    /// The same union with fewer disjuncts.
    pub fn coalesce(&self, budget: &mut Budget) -> Result<UnionMap, Stop> {
        let members: Result<Vec<Map>, Stop> = self.iter().map(|m| m.coalesce(budget)).collect();
        Ok(self.rebuilt(members?))
    }
}

impl UnionSet {
    /// The same union with fewer disjuncts.
    pub fn coalesce(&self, budget: &mut Budget) -> Result<UnionSet, Stop> {
        let members: Result<Vec<Set>, Stop> = self.iter().map(|m| m.coalesce(budget)).collect();
        Ok(self.rebuilt(members?))
    }
}

impl PwAff {
    /// The same function without empty pieces and with coalesced domains.
    pub fn coalesce(&self, budget: &mut Budget) -> Result<PwAff, Stop> {
        let mut pieces = Vec::new();
        for (set, aff) in &self.pieces {
            pieces.push((set.coalesce(budget)?, aff.clone()));
        }
        Ok(PwAff::from_pieces(self.space.clone(), pieces))
    }

    /// The same function without pieces whose domain is empty.
    pub fn drop_empty_pieces(&self, budget: &mut Budget) -> Result<PwAff, Stop> {
        let mut pieces = Vec::new();
        for (set, aff) in &self.pieces {
            pieces.push((set.remove_empty_parts(budget)?, aff.clone()));
        }
        Ok(PwAff::from_pieces(self.space.clone(), pieces))
    }

    /// Whether both functions have the same domain and the same values.
    pub fn is_equal(&self, other: &PwAff, budget: &mut Budget) -> Result<bool, Stop> {
        if !self.domain().is_equal(&other.domain(), budget)? {
            return Ok(false);
        }
        self.ne_set(other).is_empty(budget)
    }
}

impl PwMultiAff {
    /// The same function without empty pieces and with coalesced domains.
    pub fn coalesce(&self, budget: &mut Budget) -> Result<PwMultiAff, Stop> {
        let mut pieces = Vec::new();
        for (set, ma) in &self.pieces {
            pieces.push((set.coalesce(budget)?, ma.clone()));
        }
        Ok(PwMultiAff::from_pieces(self.space.clone(), pieces))
    }

    /// The same function without pieces whose domain is empty.
    pub fn drop_empty_pieces(&self, budget: &mut Budget) -> Result<PwMultiAff, Stop> {
        let mut pieces = Vec::new();
        for (set, ma) in &self.pieces {
            pieces.push((set.remove_empty_parts(budget)?, ma.clone()));
        }
        Ok(PwMultiAff::from_pieces(self.space.clone(), pieces))
    }

    /// Whether both functions have the same domain and the same values.
    pub fn is_equal(&self, other: &PwMultiAff, budget: &mut Budget) -> Result<bool, Stop> {
        if !self.domain().is_equal(&other.domain(), budget)? {
            return Ok(false);
        }
        for i in 0..self.n_out() {
            if !self.get(i).ne_set(&other.get(i)).is_empty(budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
