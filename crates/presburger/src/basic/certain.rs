//! What can be told about constraints by looking at a few points, without linear programming.
//!
//! The answers are for relations without divs whose equalities each have a unit coefficient at a
//! *pivot*, a variable that occurs nowhere else: the other variables may then have any integer
//! values. They are certain if they are positive; otherwise nothing is known.
//!
//! * *Full dimension*: there are no equalities on the integer points but those that are given. From
//!   a point that is easily seen, walk one step along each variable that is no pivot, in either
//!   direction and any order; if all steps stay inside, the points passed are affinely independent
//!   and as many as the dimension of the space that the equalities leave.
//! * *Needed inequalities*: from both ends of this walk, move along each variable that is no pivot
//!   in either direction until an inequality is violated. If it is the only one then there is an
//!   integer point that violates this one and no other: it does not follow from the others.

use std::sync::Arc;

use smallvec::SmallVec;

use super::BasicMap;
use crate::budget::{Budget, Stop};
use crate::row::{self, Row};
use crate::solver::pip;
use crate::space::DimKind;

/// What a few points show about a relation that has one.
#[derive(Debug, Default)]
pub(super) struct Certain {
    /// The integer points satisfy no equality but combinations of those given.
    pub(super) full: bool,
    /// Which inequalities do not follow from all other constraints.
    pub(super) needed: SmallVec<[bool; 32]>,
}

impl BasicMap {
    /// Whether it is easily seen that there are integer points and that they satisfy no equality
    /// but combinations of those given. The relation must be simplified.
    pub(crate) fn is_plainly_full(&self) -> bool {
        let look = || {
            let free = self.free_columns()?;
            let mut values = self.values_of_ineqs(&self.plain_point()?)?;
            self.walk(&free, &mut values)
        };
        look() == Some(true)
    }

    /// What a few points show; nothing if no point is easily seen.
    pub(super) fn certain(&self) -> Option<Certain> {
        let free = self.free_columns()?;
        let mut values = self.values_of_ineqs(&self.plain_point()?)?;
        let mut needed = SmallVec::from_elem(false, self.ineqs.len());
        self.shoot(&free, &values, &mut needed)?;
        let full = self.walk(&free, &mut values)?;
        if !needed.iter().all(|needed| *needed) {
            self.shoot(&free, &values, &mut needed)?;
        }
        Some(Certain { full, needed })
    }

    /// What parametric integer programming need not find out again. The relation must be
    /// simplified, and the context may only have constraints of the relation.
    pub(crate) fn known_to_pip(&self) -> pip::Known {
        let Certain { full, needed } = self.certain().unwrap_or_default();
        pip::Known { full, irredundant: full && needed.iter().all(|needed| *needed) }
    }

    /// The columns that are no pivots, last ones first; none if there are divs or if some equality
    /// has no pivot, a unit coefficient at its last column, where all other constraints are zero.
    fn free_columns(&self) -> Option<SmallVec<[usize; 32]>> {
        if self.n_div() > 0 {
            return None;
        }
        let pivots: SmallVec<[usize; 8]> = self.eqs.iter().map(|eq| row::last_column(eq)).collect();
        for (i, &col) in pivots.iter().enumerate() {
            let others = self.eqs.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, r)| r);
            let is_unit = self.eqs[i][col].is_one() || self.eqs[i][col].is_neg_one();
            if col == 0 || !is_unit || others.chain(&self.ineqs).any(|r| !r[col].is_zero()) {
                return None;
            }
        }
        Some((1..self.offset(DimKind::Div)).rev().filter(|col| !pivots.contains(col)).collect())
    }

    /// The values of the inequalities at a point of the relation.
    fn values_of_ineqs(&self, point: &[i64]) -> Option<SmallVec<[i64; 32]>> {
        let mut values = SmallVec::new();
        for r in &self.ineqs {
            let mut value = 0i64;
            for (x, at) in r.iter().zip(point).filter(|(x, _)| !x.is_zero()) {
                value = value.checked_add(x.to_i64()?.checked_mul(*at)?)?;
            }
            values.push(value);
        }
        Some(values)
    }

    /// Takes a step along each of the columns, if that is possible without leaving the
    /// inequalities, whose values are given and change; what is not possible at first may be after
    /// other steps. Whether all steps were possible.
    fn walk(&self, free: &[usize], values: &mut [i64]) -> Option<bool> {
        let mut left: SmallVec<[usize; 32]> = SmallVec::from_slice(free);
        while !left.is_empty() {
            let before = left.len();
            let mut still = SmallVec::new();
            for col in left {
                match [1, -1].into_iter().find(|&step| self.may_step(col, step, values)) {
                    Some(step) => {
                        for (r, v) in self.ineqs.iter().zip(&mut *values) {
                            *v += r[col].to_i64()? * step;
                        }
                    }
                    None => still.push(col),
                }
            }
            if still.len() == before {
                return Some(false);
            }
            left = still;
        }
        Some(true)
    }

    /// Whether inequalities with these values hold one step further along a column.
    fn may_step(&self, col: usize, step: i64, values: &[i64]) -> bool {
        let after = |(r, v): (&Row, &i64)| v.checked_add(r[col].to_i64()?.checked_mul(step)?);
        self.ineqs.iter().zip(values).map(after).all(|v| v.is_some_and(|v| v >= 0))
    }

    /// Marks the inequalities that are the only ones to be violated first on the way from a point,
    /// where the inequalities have these values, along one of the columns.
    fn shoot(&self, free: &[usize], values: &[i64], needed: &mut [bool]) -> Option<()> {
        for &col in free {
            // For each direction the fewest steps that violate something, and what that is if it is
            // one inequality.
            let mut first: [(i64, Option<usize>); 2] = [(i64::MAX, None); 2];
            for (i, (r, value)) in self.ineqs.iter().zip(values).enumerate() {
                let x = &r[col];
                if x.is_zero() {
                    continue;
                }
                let x = x.to_i64()?;
                let steps = (value / x.checked_abs()?).checked_add(1)?;
                let (least, which) = &mut first[usize::from(x < 0)];
                match steps.cmp(least) {
                    std::cmp::Ordering::Less => (*least, *which) = (steps, Some(i)),
                    std::cmp::Ordering::Equal => *which = None,
                    std::cmp::Ordering::Greater => {}
                }
            }
            for (_, which) in first {
                if let Some(i) = which {
                    needed[i] = true;
                }
            }
        }
        Some(())
    }

    /// Whether it is easily seen that the relation is not empty and that no constraint follows from
    /// the others.
    fn is_plainly_irredundant(&self) -> bool {
        let is_primitive = |r: &Row| row::gcd(&r[1..]).is_one();
        self.n_div() == 0
            && self.eqs.iter().chain(&self.ineqs).all(is_primitive)
            && self.certain().is_some_and(|c| c.full && c.needed.iter().all(|needed| *needed))
    }

    /// The same relation without constraints that follow from others; not copied if that is easily
    /// seen to be so already.
    pub(crate) fn irredundant(basic: Arc<BasicMap>, budget: &mut Budget) -> Result<Arc<BasicMap>, Stop> {
        if basic.is_plainly_irredundant() {
            budget.spend(1)?;
            return Ok(basic);
        }
        let mut basic = Arc::unwrap_or_clone(basic);
        basic.remove_redundancies(budget)?;
        Ok(Arc::new(basic))
    }
}

#[cfg(test)]
mod tests {
    use poly_arith::Int;

    use super::*;

    fn basic(text: &str) -> BasicMap {
        let set: crate::BasicSet = text.parse().expect("the text is a basic set");
        set.into_basic_map()
    }

    #[test]
    fn full_dimension_is_seen() {
        assert!(basic("[n] -> { [i, j] : 0 <= i < j <= n }").is_plainly_full());
        assert!(basic("[n] -> { [i, j] : j = i + n and 0 <= i <= n }").is_plainly_full());
        assert!(!basic("{ [i, j] : 0 <= i <= j and i + j <= 0 }").is_plainly_full(), "i = j = 0");
        assert!(!basic("{ [i, j] : 3 <= 2i + 4j <= 5 }").is_plainly_full(), "i + 2j = 2");
        assert!(
            !basic("{ [i, j] : 2 <= 2i - 3j <= 3 and 0 <= i <= 1 }").is_plainly_full(),
            "j = -1 if i = 0, 0 if i = 1"
        );
    }

    fn relation(text: &str) -> Arc<BasicMap> {
        let map: crate::Map = text.parse().expect("the text is a relation");
        Arc::clone(&map.basics()[0])
    }

    /// How many inequalities there are, and how many are seen to be needed.
    fn needed(text: &str) -> (usize, usize) {
        let relation = relation(text);
        let needed = relation.certain().expect("there is a point").needed;
        (relation.ineqs.len(), needed.iter().filter(|needed| **needed).count())
    }

    #[test]
    fn what_alone_ends_a_way_is_needed() {
        assert_eq!(needed("[n] -> { A[] -> [i] : 0 <= i <= n and n <= 10 }"), (3, 3));
        assert_eq!(needed("{ A[i, j] -> B[i, 5, j + 1] : 0 <= j <= i <= 9 }"), (3, 3), "pivots may have any value");
        assert_eq!(needed("{ A[i] -> [j] : 0 <= i <= j <= 9 and j >= 0 }"), (4, 3), "j >= 0 follows");
    }

    #[test]
    fn values_at_the_limit_show_nothing() {
        let far =
            relation("[n] -> { A[] -> [i] : n >= 1 and i >= 1 and 9223372036854775806n + i >= 0 and i <= 5n + 4 }");
        let values: Vec<i64> = far.values_of_ineqs(&[1, 1, 1]).expect("they fit").to_vec();
        assert!(values.contains(&i64::MAX));
        let mut needed = vec![false; values.len()];
        assert_eq!(far.shoot(&[2, 1], &values, &mut needed), None);
    }

    #[test]
    fn nothing_is_copied_if_nothing_is_redundant() {
        let budget = &mut Budget::unlimited();
        let one = relation("[n] -> { A[i, j] -> B[i, 7] : 0 <= i <= n and 0 <= j <= n }");
        let same = BasicMap::irredundant(Arc::clone(&one), budget).expect("no limit");
        assert!(Arc::ptr_eq(&one, &same));
        let two = relation("{ A[i] -> [j] : 0 <= i <= 9 and 0 <= j <= 9 and i + j <= 20 }");
        let fewer = BasicMap::irredundant(Arc::clone(&two), budget).expect("no limit");
        assert_eq!((two.ineqs.len(), fewer.ineqs.len()), (5, 4));
    }

    #[test]
    fn agrees_with_linear_programming() {
        let mut state = 7u64;
        let mut next = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % bound
        };
        let (mut seen, mut needed_ones) = (0, 0);
        for _ in 0..400 {
            let mut set = basic("{ [x, y, z] }");
            for _ in 0..2 + next(4) {
                let row: Row = (0..4)
                    .map(|c| Int::from(next(if c == 0 { 13 } else { 5 }) as i64 - if c == 0 { 3 } else { 2 }))
                    .collect();
                if next(8) == 0 { set.add_eq(row) } else { set.add_ineq(row) }
            }
            let set = set.normalized();
            let system = set.to_system();
            let Some(certain) = set.certain() else { continue };
            assert_eq!(certain.full, set.is_plainly_full());
            if certain.full {
                seen += 1;
                let mut exact = system.clone();
                crate::solver::implicit_equalities(&mut exact, &mut Budget::unlimited()).expect("no limit");
                assert_eq!(exact.eqs.len(), system.eqs.len(), "{set:?}");
            }
            let needed = certain.needed;
            for i in (0..needed.len()).filter(|&i| needed[i]) {
                needed_ones += 1;
                let mut without = system.clone();
                let opposite = row::complemented(&without.ineqs.remove(i));
                without.ineqs.push(opposite);
                let point = crate::solver::ilp_sample(&without, &mut Budget::unlimited()).expect("no limit");
                assert!(point.is_some(), "{set:?}: {i}");
            }
        }
        assert!(seen > 50, "only {seen} of the sets are seen to be full");
        assert!(needed_ones > 500, "only {needed_ones} inequalities are seen to be needed");
    }
}
