//! Coalescing: fewer disjuncts for the same set.
//!
//! Two basic relations `A` and `B` are replaced by one if that changes nothing. On common divs,
//! each constraint of one is classified against the other by linear programming:
//!
//! 1. all constraints of `A` hold on `B`: `B` is a subset, `A` stays (or the other way round);
//! 2. some constraint of one excludes the other by more than one step of the integer grid: the pair
//!    is left alone;
//! 3. one constraint of each is not valid for the other, and these are `f >= 0` and `-f - 1 >= 0`:
//!    both are dropped and the rest is the union;
//! 4. otherwise the candidate is the simple hull of both: constraints valid for both, and the
//!    others relaxed by the least amount that makes them valid. It covers extension by adjacent
//!    inequalities and equalities as well as pairs whose cut facets lie inside the other. The
//!    candidate replaces the pair if its difference with both has no integer points.
//!
//! Before all that, relations that differ only in the bounds of one form are seen to be one without
//! linear programming (`interval.rs`). Of many disjuncts, such pairs are joined first.
//!
//! Most candidates of step 4 are wrong, and a guess at a point of the candidate outside both shows
//! it. Then the convex hull of both is another candidate, and divs that depend on each other are
//! brought together (`hull.rs`, `reconcile.rs`, `align.rs`). Before that, bounds are rounded to the
//! points that the equalities leave (`tighten.rs`).
//!
//! Step 4 decides by an exact test, so every replacement is right; only completeness depends on the
//! choice of the candidate. Cases and terms are those of \[Verdoolaege2015\].

use std::sync::Arc;

use poly_arith::{Coeff, Int};

use crate::basic::{BasicMap, Row};
use crate::budget::{Budget, Stop};
use crate::map::Map;
use crate::ops::common::{Common, charge_comparison, plainly_disjoint};
use crate::ops::subtract::is_covered;
use crate::pw::PwAff;
use crate::pw_multi::PwMultiAff;
use crate::row;
use crate::set::Set;
use crate::solver::lp::Grid;
use crate::solver::sample::greedy;
use crate::solver::{IneqType, Interrupt, Optimum, System, Tableau, widen};
use crate::space::DimKind;
use crate::trace;
use crate::union::{UnionMap, UnionSet};

mod align;
mod hull;
mod interval;
mod reconcile;
mod tighten;

/// How much work is done to see that disjuncts are one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Coalescing {
    /// Subsets, neighbours, and constraints that are relaxed: what pays inside of other operations.
    #[default]
    Relaxed,
    /// Convex hulls, too, and divs that depend on each other: as much as isl finds, mostly.
    Hulls,
}

/// How the constraints of one relation lie towards another.
enum Position {
    /// All are valid for it.
    Contains,
    /// One excludes it by more than one step.
    Separate,
    /// They cut it or are adjacent to it: the least value of each on it, where there is one.
    Meets(Vec<Option<Int>>),
}

fn position<T: Coeff>(constraints: &[Row], system: &System, budget: &mut Budget) -> Result<Position, Interrupt> {
    let mut tableau = Tableau::<T>::from_system(system, Grid::Integer, budget)?;
    if tableau.is_empty() {
        return Ok(Position::Contains);
    }
    let one = T::row_from_ints(&[Int::ONE])?;
    let mut valid = vec![false; constraints.len()];
    let mut forms = Vec::with_capacity(constraints.len());
    for (r, valid) in constraints.iter().zip(&mut valid) {
        let mut form = T::row_from_ints(r)?;
        match tableau.ineq_type(&form, budget)? {
            IneqType::Redundant => *valid = true,
            IneqType::Cut | IneqType::AdjEq | IneqType::AdjIneq => {}
            IneqType::Separate => {
                form[0] = form[0].add(&one[0])?;
                if tableau.ineq_type(&form, budget)? == IneqType::Separate {
                    return Ok(Position::Separate);
                }
                form[0] = form[0].sub(&one[0])?;
            }
        }
        forms.push(form);
    }
    if valid.iter().all(|v| *v) {
        return Ok(Position::Contains);
    }
    let mut minima = Vec::with_capacity(forms.len());
    for (form, valid) in forms.iter().zip(valid) {
        minima.push(if valid {
            Some(Int::ZERO)
        } else {
            match tableau.minimize(form, budget)? {
                Optimum::Bounded(value) => Some(value.ceil()),
                Optimum::Unbounded | Optimum::Empty => None,
            }
        });
    }
    Ok(Position::Meets(minima))
}

/// How constraints lie towards a relation.
fn classify(rows: &[Row], system: &System, budget: &mut Budget) -> Result<Position, Stop> {
    widen(budget, |budget| position::<i64>(rows, system, budget), |budget| position::<Int>(rows, system, budget))
}

/// The negations of the constraints that are not valid for the other relation.
fn cutting(rows: &[Row], minima: &[Option<Int>]) -> Vec<Row> {
    let cuts = |m: &Option<Int>| m.as_ref().is_none_or(Int::is_neg);
    rows.iter().zip(minima).filter(|(_, m)| cuts(m)).map(|(r, _)| row::complemented(r)).collect()
}

/// Whether a point that satisfies `rows` and violates a constraint of each relation is easily seen.
fn has_plain_point_outside(common: &Common, rows: &mut Vec<Row>, cuts: &[Vec<Row>; 2]) -> bool {
    let (first, n) = (common.base.offset(DimKind::Div), common.base.n_col() - 1);
    let definition = |col: usize| {
        let div = common.base.divs.get(col.checked_sub(first)?)?.as_ref()?;
        Some((&div.num[..], &div.denom))
    };
    let [of_a, of_b] = cuts;
    for f in of_a {
        for g in of_b {
            rows.extend([f.clone(), g.clone()]);
            let found = greedy::point(greedy::Rows { n, eqs: &[], ineqs: rows }, definition).is_some();
            rows.truncate(rows.len() - 2);
            if found {
                return true;
            }
        }
    }
    false
}

/// The integer negations of constraints.
fn complements(rows: Vec<Row>) -> Vec<Row> {
    rows.iter().map(|r| row::complemented(r)).collect()
}

/// Whether equalities leave out integer values of a dimension, so that relations may be neighbours
/// with more than one step between them.
fn is_on_grid(basic: &BasicMap) -> bool {
    let is_unit = |x: &Int| x.is_zero() || x.is_one() || x.is_neg_one();
    basic.eqs.iter().any(|eq| !eq[1..].iter().all(is_unit))
}

/// With bounds and divs that are as clear as the equalities make them.
fn with_clear_divs(basic: BasicMap) -> BasicMap {
    let mut basic = tighten::tightened(basic);
    if !basic.has_known_divs() && basic.define_by_bounds() {
        basic.normalize();
    }
    basic.merge_congruences();
    basic
}

/// One basic relation for both, if the constraints of the two show one.
fn coalesce_pair(
    a: &Arc<BasicMap>,
    b: &Arc<BasicMap>,
    mode: Coalescing,
    budget: &mut Budget,
) -> Result<Option<Arc<BasicMap>>, Stop> {
    charge_comparison(a, b, budget)?;
    if !a.has_known_divs() || !b.has_known_divs() {
        return Ok((a == b).then(|| a.clone()));
    }
    let on_grid = mode == Coalescing::Hulls && (is_on_grid(a) || is_on_grid(b));
    if a.divs == b.divs {
        if !on_grid && plainly_disjoint(a, b, &Int::ONE) {
            return Ok(None);
        }
        if let Some(joined) = interval::joined(a, b) {
            return Ok(Some(Arc::new(joined)));
        }
    }
    let common = Common::of(&[a, b]);
    let on_grid = on_grid || (mode == Coalescing::Hulls && align::may_align(&common));
    if !on_grid && a.divs != b.divs && plainly_disjoint(&common.basic(0), &common.basic(1), &Int::ONE) {
        return Ok(None);
    }
    let (rows_a, rows_b) = (common.parts[0].as_ineqs(), common.parts[1].as_ineqs());
    let minima_a = match classify(&rows_a, &common.system(1), budget)? {
        Position::Contains => return Ok(Some(a.clone())),
        Position::Separate if on_grid => {
            return hull::joined(a, b, &common, &[rows_a, rows_b].map(complements), budget);
        }
        Position::Separate => return Ok(None),
        Position::Meets(minima) => minima,
    };
    let minima_b = match classify(&rows_b, &common.system(0), budget)? {
        Position::Contains => return Ok(Some(b.clone())),
        Position::Separate if on_grid => {
            return hull::joined(a, b, &common, &[rows_a, rows_b].map(complements), budget);
        }
        Position::Separate => return Ok(None),
        Position::Meets(minima) => minima,
    };
    if let Some(rows) = only_one_facet_between(&rows_a, &minima_a, &rows_b, &minima_b) {
        let whole = Arc::new(common.build(Vec::new(), rows));
        return Ok(Some(if mode == Coalescing::Hulls { BasicMap::irredundant(whole, budget)? } else { whole }));
    }
    let cuts = [cutting(&rows_a, &minima_a), cutting(&rows_b, &minima_b)];
    let mut rows = relaxed(rows_a, minima_a);
    rows.extend(relaxed(rows_b, minima_b));
    if !has_plain_point_outside(&common, &mut rows, &cuts) {
        let mut candidate = common.build(Vec::new(), rows);
        candidate.remove_redundancies(budget)?;
        let candidate = Arc::new(candidate);
        if is_covered(&candidate, &[Arc::clone(a), Arc::clone(b)], budget)? {
            return Ok(Some(candidate));
        }
    }
    if mode == Coalescing::Hulls { hull::joined(a, b, &common, &cuts, budget) } else { Ok(None) }
}

/// One basic relation for both, if that shows without a solver.
fn plainly_joined(a: &Arc<BasicMap>, b: &Arc<BasicMap>, budget: &mut Budget) -> Joined {
    charge_comparison(a, b, budget)?;
    let is_possible = a.has_known_divs() && a.divs == b.divs;
    Ok(if is_possible { interval::joined(a, b).map(Arc::new) } else { None })
}

/// So many disjuncts are first joined where that shows without a solver.
const MANY: usize = 16;

/// What two disjuncts make together, if they are one.
type Joined = Result<Option<Arc<BasicMap>>, Stop>;

/// The disjuncts, the first one last, with pairs joined until there are none left to join.
fn merged(
    mut work: Vec<Arc<BasicMap>>,
    join: impl Fn(&Arc<BasicMap>, &Arc<BasicMap>, &mut Budget) -> Joined,
    budget: &mut Budget,
) -> Result<Vec<Arc<BasicMap>>, Stop> {
    let mut done: Vec<Arc<BasicMap>> = Vec::new();
    'next: while let Some(basic) = work.pop() {
        for i in 0..done.len() {
            if let Some(joined) = join(&done[i], &basic, budget)? {
                done.remove(i);
                work.push(joined);
                continue 'next;
            }
        }
        done.push(basic);
    }
    Ok(done)
}

/// If each relation has one constraint that is not valid for the other, and these are `f >= 0` and
/// `-f - 1 >= 0`, then the union is what the other constraints say.
fn only_one_facet_between(
    rows_a: &[Row],
    minima_a: &[Option<Int>],
    rows_b: &[Row],
    minima_b: &[Option<Int>],
) -> Option<Vec<Row>> {
    let invalid = |minima: &[Option<Int>]| {
        let is_invalid = |m: &Option<Int>| m.as_ref().is_none_or(Int::is_neg);
        let mut found = minima.iter().enumerate().filter(|(_, m)| is_invalid(m));
        let first = found.next().map(|(i, _)| i)?;
        found.next().is_none().then_some(first)
    };
    let (i, j) = (invalid(minima_a)?, invalid(minima_b)?);
    if row::opposite(&rows_a[i], &rows_b[j])? != -1 {
        return None;
    }
    let without = |rows: &[Row], skip: usize| -> Vec<Row> {
        rows.iter().enumerate().filter(|(k, _)| *k != skip).map(|(_, r)| r.clone()).collect()
    };
    Some([without(rows_a, i), without(rows_b, j)].concat())
}

/// The constraints, relaxed until they are valid; those without bound are dropped.
fn relaxed(rows: Vec<Row>, minima: Vec<Option<Int>>) -> Vec<Row> {
    let relax = |(mut r, m): (Row, Option<Int>)| {
        let m = m?;
        if m.is_neg() {
            r[0] -= &m;
        }
        Some(r)
    };
    rows.into_iter().zip(minima).filter_map(relax).collect()
}

impl Map {
    /// The same relation with fewer disjuncts, where pairs of them can be replaced by one. Empty
    /// ones are dropped.
    ///
    /// The relation is taken over, as most often nothing has to be done; a copy costs next to
    /// nothing. Cost: some linear programs for each pair of disjuncts, again after each success
    /// \[Verdoolaege2015\].
    #[inline]
    pub fn coalesce(self, budget: &mut Budget) -> Result<Map, Stop> {
        self.coalesce_with(Coalescing::Relaxed, budget)
    }

    /// As [`Map::coalesce`], with more or less work. Cost: with hulls, a double description of
    /// bounded size, too, for each pair of disjuncts \[Verdoolaege2015\], \[Motzkin1953\].
    ///
    /// ```
    /// use poly_presburger::{Budget, Coalescing, Set};
    /// let budget = &mut Budget::unlimited();
    /// let two: Set = "{ [0, 0]; [1, 1] }".parse().unwrap();
    /// let one = two.coalesce_with(Coalescing::Hulls, budget).unwrap();
    /// assert_eq!(one.to_string(), "{ [i0, i1 = i0] : 0 <= i0 <= 1 }");
    /// ```
    #[inline]
    pub fn coalesce_with(self, mode: Coalescing, budget: &mut Budget) -> Result<Map, Stop> {
        let _running = trace::operation("coalesce", &[&self]);
        if let [one] = &self.basics[..]
            && (mode == Coalescing::Relaxed || one.n_div() == 0)
            && one.has_plain_point()
        {
            budget.spend(1)?;
            return Ok(self);
        }
        self.coalesce_disjuncts(mode, budget)
    }

    /// As [`Map::coalesce`], where something may have to be done.
    #[inline(never)]
    fn coalesce_disjuncts(self, mode: Coalescing, budget: &mut Budget) -> Result<Map, Stop> {
        if self.n_basic() <= 1 && mode == Coalescing::Relaxed {
            return self.remove_empty_parts(budget);
        }
        let mut work: Vec<Arc<BasicMap>> = Vec::new();
        for basic in self.basics.iter().rev() {
            if basic.is_empty_shared(budget)? {
                continue;
            }
            let mut basic = Arc::clone(basic);
            if mode == Coalescing::Hulls && basic.n_div() > 0 {
                basic = Arc::new(with_clear_divs(BasicMap::clone(&basic)));
            }
            work.push(BasicMap::irredundant(basic, budget)?);
        }
        if work.len() >= MANY {
            work = merged(work, plainly_joined, budget)?;
            work.reverse();
        }
        let done = merged(work, |a, b, budget| coalesce_pair(a, b, mode, budget), budget)?;
        let mut result = Map::empty(self.space);
        done.into_iter().for_each(|b| result.push(b));
        Ok(result)
    }

    /// The same relation: no disjunct is empty or has a constraint that follows from its others.
    ///
    /// The relation is taken over; disjuncts that are so already are not copied. Cost: a linear
    /// program for each inequality, beginning where the last one ended \[DetlefsNelsonSaxe2005\].
    pub fn remove_redundancies(self, budget: &mut Budget) -> Result<Map, Stop> {
        let _running = trace::operation("remove_redundancies", &[&self]);
        let mut result = Map::empty(self.space);
        for basic in self.basics {
            let seen = basic.has_plain_point();
            let basic = BasicMap::irredundant(basic, budget)?;
            if seen || !basic.is_empty(budget)? {
                result.push(basic);
            }
        }
        Ok(result)
    }
}

impl Set {
    /// The same set with fewer disjuncts, where pairs of them can be replaced by one. Cost: some
    /// linear programs for each pair of disjuncts, again after each success \[Verdoolaege2015\].
    #[inline]
    pub fn coalesce(self, budget: &mut Budget) -> Result<Set, Stop> {
        Ok(Set(self.0.coalesce(budget)?))
    }

    /// As [`Set::coalesce`], with more or less work; see [`Map::coalesce_with`].
    #[inline]
    pub fn coalesce_with(self, mode: Coalescing, budget: &mut Budget) -> Result<Set, Stop> {
        Ok(Set(self.0.coalesce_with(mode, budget)?))
    }
}

impl UnionMap {
    /// The same union with fewer disjuncts. Cost: some linear programs for each pair of disjuncts,
    /// again after each success \[Verdoolaege2015\].
    pub fn coalesce(&self, budget: &mut Budget) -> Result<UnionMap, Stop> {
        let _running = trace::operation("coalesce", &[self]);
        let members: Result<Vec<Map>, Stop> = self.iter().map(|m| m.clone().coalesce(budget)).collect();
        Ok(self.rebuilt(members?))
    }

    /// As [`UnionMap::coalesce`], with more or less work; see [`Map::coalesce_with`].
    pub fn coalesce_with(&self, mode: Coalescing, budget: &mut Budget) -> Result<UnionMap, Stop> {
        let members: Result<Vec<Map>, Stop> = self.iter().map(|m| m.clone().coalesce_with(mode, budget)).collect();
        Ok(self.rebuilt(members?))
    }
}

impl UnionSet {
    /// The same union with fewer disjuncts. Cost: some linear programs for each pair of disjuncts,
    /// again after each success \[Verdoolaege2015\].
    pub fn coalesce(&self, budget: &mut Budget) -> Result<UnionSet, Stop> {
        let _running = trace::operation("coalesce", &[self]);
        let members: Result<Vec<Set>, Stop> = self.iter().map(|m| m.clone().coalesce(budget)).collect();
        Ok(self.rebuilt(members?))
    }

    /// As [`UnionSet::coalesce`], with more or less work; see [`Map::coalesce_with`].
    pub fn coalesce_with(&self, mode: Coalescing, budget: &mut Budget) -> Result<UnionSet, Stop> {
        let members: Result<Vec<Set>, Stop> = self.iter().map(|m| m.clone().coalesce_with(mode, budget)).collect();
        Ok(self.rebuilt(members?))
    }
}

impl PwAff {
    /// The same function without empty pieces and with coalesced domains. Cost: some linear
    /// programs for each pair of disjuncts, again after each success \[Verdoolaege2015\].
    pub fn coalesce(&self, budget: &mut Budget) -> Result<PwAff, Stop> {
        let mut pieces = Vec::new();
        for (set, aff) in &self.pieces {
            pieces.push((set.clone().coalesce(budget)?, aff.clone()));
        }
        Ok(PwAff::from_pieces(self.space.clone(), pieces))
    }

    /// The same function without pieces whose domain is empty.
    /// Cost: an integer program for each disjunct of a domain \[CookRutherford1993\].
    pub fn drop_empty_pieces(&self, budget: &mut Budget) -> Result<PwAff, Stop> {
        let mut pieces = Vec::new();
        for (set, aff) in &self.pieces {
            pieces.push((set.remove_empty_parts(budget)?, aff.clone()));
        }
        Ok(PwAff::from_pieces(self.space.clone(), pieces))
    }

    /// Whether both functions have the same domain and the same values.
    /// Cost: that of [`Map::is_subset`] in both directions, unless the descriptions are the same.
    pub fn is_equal(&self, other: &PwAff, budget: &mut Budget) -> Result<bool, Stop> {
        if !self.domain().is_equal(&other.domain(), budget)? {
            return Ok(false);
        }
        self.ne_set(other).is_empty(budget)
    }
}

impl PwMultiAff {
    /// The same function without empty pieces and with coalesced domains. Cost: some linear
    /// programs for each pair of disjuncts, again after each success \[Verdoolaege2015\].
    pub fn coalesce(&self, budget: &mut Budget) -> Result<PwMultiAff, Stop> {
        let mut pieces = Vec::new();
        for (set, ma) in &self.pieces {
            pieces.push((set.clone().coalesce(budget)?, ma.clone()));
        }
        Ok(PwMultiAff::from_pieces(self.space.clone(), pieces))
    }

    /// The same function without pieces whose domain is empty.
    /// Cost: an integer program for each disjunct of a domain \[CookRutherford1993\].
    pub fn drop_empty_pieces(&self, budget: &mut Budget) -> Result<PwMultiAff, Stop> {
        let mut pieces = Vec::new();
        for (set, ma) in &self.pieces {
            pieces.push((set.remove_empty_parts(budget)?, ma.clone()));
        }
        Ok(PwMultiAff::from_pieces(self.space.clone(), pieces))
    }

    /// Whether both functions have the same domain and the same values.
    /// Cost: that of [`Map::is_subset`] in both directions, unless the descriptions are the same.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_lose_empty_pieces() {
        let budget = &mut Budget::unlimited();
        let text = "{ [x, y] -> [(x)] : x >= 0 and y >= 0 and x + y < 0; [x, y] -> [(y)] : x > 5 }";
        let function: PwAff = text.parse().expect("the function can be read");
        assert_eq!(function.n_piece(), 2, "the domain is not plainly empty");
        assert_eq!(function.coalesce(budget).expect("no limit").n_piece(), 1);
        let function: PwMultiAff = text.parse().expect("the function can be read");
        assert_eq!(function.coalesce(budget).expect("no limit").n_piece(), 1);
    }

    #[test]
    fn many_points_are_joined_without_a_solver() {
        let points: Vec<String> = (0..400).map(|i| format!("i = {} and j = {}", i / 20, i % 20)).collect();
        let set: Set = format!("[n] -> {{ [k, i, j] : 0 <= k < n and ({}) }}", points.join(" or "))
            .parse()
            .expect("the set can be read");
        assert_eq!(set.n_basic(), 400);
        let mut budget = Budget::unlimited();
        let box_: Set = set.coalesce(&mut budget).expect("no limit");
        assert_eq!(box_.to_string(), "[n] -> { [k, i, j] : 0 <= k < n and 0 <= i <= 19 and 0 <= j <= 19 }");
        assert!(budget.spent() < 400 * 100, "{} steps", budget.spent());
    }

    /// What is left of a set, as text.
    fn coalesced(text: &str) -> String {
        let set: Set = text.parse().expect("the set can be read");
        let result = set.clone().coalesce_with(Coalescing::Hulls, &mut Budget::unlimited()).expect("no limit");
        assert_eq!(result.is_equal(&set, &mut Budget::unlimited()), Ok(true), "{text} became {result}");
        result.to_string()
    }

    #[test]
    fn hulls_are_found() {
        assert_eq!(
            coalesced("[n] -> { [i] : 1 <= i <= n - 1 or 2 <= i <= n }"),
            "[n] -> { [i] : n >= 2 and 0 < i <= n }"
        );
        assert_eq!(coalesced("{ [0, 0]; [1, 1] }"), "{ [i0, i1 = i0] : 0 <= i0 <= 1 }");
        assert_eq!(
            coalesced("{ [x, y] : 0 < x <= 2 and 0 < y <= 2; [1, 3] }"),
            "{ [x, y] : 0 < x <= 2 and 0 < y <= 4 - x }"
        );
    }

    #[test]
    fn divs_that_depend_on_each_other_are_brought_together() {
        assert_eq!(coalesced("{ [x, y] : 3y = x and 0 <= x <= 6; [-3, -1] }").matches(';').count(), 0);
        assert_eq!(coalesced("{ [t] : 12 <= t <= 15 or (t mod 2 = 1 and 13 <= t <= 16) }"), "{ [t] : 12 <= t <= 15 }");
        assert_eq!(
            coalesced("{ [x, y] : x mod 2 = 0 and y mod 2 = 0; [x, x] : x mod 2 = 0 }"),
            "{ [x, y] : (x) mod 2 = 0 and (y) mod 2 = 0 }"
        );
    }

    #[test]
    fn an_empty_disjunct_is_dropped_even_if_it_is_the_only_one() {
        let set: Set = "{ [x, y] : x >= 0 and y >= 0 and x + y < 0 }".parse().expect("the set can be read");
        assert!(!set.plain_is_empty());
        assert!(set.coalesce(&mut Budget::unlimited()).expect("no limit").plain_is_empty());
    }
}
