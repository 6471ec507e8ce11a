//! What can be told about constraints by looking at a few points, without linear programming.
//!
//! Both answers are for relations without divs, and are certain if they are positive; otherwise nothing is known.
//!
//! * *Full dimension*: there are no equalities on the integer points but those that are given. From a point that is easily
//!   seen, walk one step along each variable that no equality determines, in either direction and any order; if all steps stay inside,
//!   the points passed are affinely independent and as many as the dimension of the space that the equalities leave.
//! * *Needed inequalities*: if a variable that occurs in no equality is bounded on one side by one inequality only, then
//!   moving far enough to this side violates this inequality and no other: it does not follow from the others.

use poly_arith::Int;
use smallvec::SmallVec;

use super::BasicMap;
use crate::row::{self, Row};
use crate::space::DimKind;

impl BasicMap {
    /// Whether it is easily seen that there are integer points and that they satisfy no equality but combinations of those
    /// given. The relation must be simplified.
    pub(crate) fn is_plainly_full(&self) -> bool {
        if self.n_div() > 0 || !self.has_unit_pivots() {
            return false;
        }
        let Some(point) = self.plain_point() else { return false };
        self.walks_from(&point).is_some()
    }

    /// Whether each equality has a unit coefficient at its last column, where all other constraints are zero: whatever
    /// integer values the other variables have, that variable has one.
    fn has_unit_pivots(&self) -> bool {
        self.eqs.iter().enumerate().all(|(i, eq)| {
            let col = row::last_column(eq);
            let others = self.eqs.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, r)| r);
            (eq[col].is_one() || eq[col].is_neg_one()) && others.chain(&self.ineqs).all(|r| r[col].is_zero())
        })
    }

    /// Takes a step along each variable that is no pivot, if that is possible without leaving the inequalities, in which
    /// pivots do not occur; what is not possible at first may be after other steps.
    fn walks_from(&self, point: &[i64]) -> Option<()> {
        let mut values: SmallVec<[i64; 32]> = SmallVec::new();
        for r in &self.ineqs {
            let mut value = 0i64;
            for (x, at) in r.iter().zip(point).filter(|(x, _)| !x.is_zero()) {
                value = value.checked_add(x.to_i64()?.checked_mul(*at)?)?;
            }
            values.push(value);
        }
        let pivot = |col: &usize| self.eqs.iter().any(|eq| row::last_column(eq) == *col);
        let mut left: SmallVec<[usize; 32]> = (1..self.n_col()).rev().filter(|col| !pivot(col)).collect();
        while !left.is_empty() {
            let before = left.len();
            let mut still = SmallVec::new();
            for col in left {
                match [1, -1].into_iter().find(|&step| self.may_step(col, step, &values)) {
                    Some(step) => {
                        for (r, v) in self.ineqs.iter().zip(&mut values) {
                            *v += r[col].to_i64()? * step;
                        }
                    }
                    None => still.push(col),
                }
            }
            if still.len() == before {
                return None;
            }
            left = still;
        }
        Some(())
    }

    /// Whether inequalities with these values hold one step further along a column.
    fn may_step(&self, col: usize, step: i64, values: &[i64]) -> bool {
        let after = |(r, v): (&Row, &i64)| v.checked_add(r[col].to_i64()?.checked_mul(step)?);
        self.ineqs.iter().zip(values).map(after).all(|v| v.is_some_and(|v| v >= 0))
    }

    /// Which inequalities are easily seen not to follow from all other constraints. There must be a point.
    pub(super) fn plainly_needed(&self) -> Vec<bool> {
        debug_assert_eq!(self.n_div(), 0, "the definition of a div bounds more than what is looked at");
        let mut needed = vec![false; self.ineqs.len()];
        for col in 1..self.offset(DimKind::Div) {
            if self.eqs.iter().any(|eq| !eq[col].is_zero()) {
                continue;
            }
            for on_side in [Int::is_pos, Int::is_neg] {
                let mut bounds = (0..needed.len()).filter(|&i| on_side(&self.ineqs[i][col]));
                if let (Some(only), None) = (bounds.next(), bounds.next()) {
                    needed[only] = true;
                }
            }
        }
        needed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

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

    #[test]
    fn the_only_bound_on_a_side_is_needed() {
        assert_eq!(basic("[n] -> { [i] : 0 <= i <= n and i <= 10 }").plainly_needed(), [true, true, false]);
        assert_eq!(
            basic("[n] -> { [i] : 0 <= i <= n and n >= -2 }").plainly_needed().iter().filter(|n| **n).count(),
            2
        );
    }

    #[test]
    fn agrees_with_linear_programming() {
        let mut state = 7u64;
        let mut next = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % bound
        };
        let mut seen = 0;
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
            if set.is_plainly_full() {
                seen += 1;
                let mut exact = system.clone();
                crate::solver::implicit_equalities(&mut exact, &mut Budget::unlimited()).expect("no limit");
                assert_eq!(exact.eqs.len(), system.eqs.len(), "{set:?}");
                let needed = set.plainly_needed();
                for i in (0..needed.len()).filter(|&i| needed[i]) {
                    let mut without = system.clone();
                    let opposite = row::complemented(&without.ineqs.remove(i));
                    without.ineqs.push(opposite);
                    let empty = crate::solver::lp_min(&without, &row::zeros(4), &mut Budget::unlimited());
                    assert_ne!(empty, Ok(crate::solver::Optimum::Empty), "{set:?}: {i}");
                }
            }
        }
        assert!(seen > 50, "only {seen} of the sets are seen to be full");
    }
}
