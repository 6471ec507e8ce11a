//! Equal quotients.
//!
//! # Problem
//! `d u <= f <= d u + d - 1` and `d v <= f <= d v + d - 1` say that `u` and `v` are both
//! `floor(f / d)`: they are equal. Over the rationals they are not, so no linear algebra finds out.
//! The values of tile loops are defined like this, more than once where loops are functions of the
//! same tiles. So are existential divisions, whose definitions say the same.
//!
//! # Method
//! The sum of two inequalities whose coefficients have a common factor `g` and whose constant is in
//! `0 .. g` can be tightened to `L >= 0` with the coefficients divided by `g` and no constant.
//! Where two sums give `L >= 0` and `-L >= 0`, `L = 0` holds for all integer points.

use std::collections::BTreeSet;

use poly_arith::Int;

use crate::basic::{BasicMap, BasicSet, Row};

impl BasicMap {
    /// The same points, with the equalities of equal quotients; see the module documentation.
    pub fn equate_quotients(&self) -> BasicMap {
        let two = Int::from(2);
        let scaled = |row: &&Row| row[1..].iter().any(|x| x.abs() >= two);
        let bounds: Vec<Row> = (0..self.n_div()).filter_map(|div| self.div_bounds(div)).flatten().collect();
        let rows: Vec<&Row> = self.ineqs().iter().chain(&bounds).filter(scaled).collect();
        let mut tightened: BTreeSet<Row> = BTreeSet::new();
        let mut result = self.clone();
        for (index, a) in rows.iter().enumerate() {
            for b in &rows[index + 1..] {
                let Some(row) = tightened_sum(a, b) else { continue };
                let negative: Row = row.iter().map(|x| -x).collect();
                if tightened.contains(&negative) {
                    result.add_eq(row.clone());
                }
                tightened.insert(row);
            }
        }
        if result.eqs().len() > self.eqs().len() { result.normalized() } else { result }
    }
}

impl BasicSet {
    /// The same points, with the equalities of equal quotients; see the module documentation.
    pub fn equate_quotients(&self) -> BasicSet {
        BasicSet::from_basic_map(self.as_basic_map().equate_quotients())
    }
}

/// The sum of two inequalities without its constant, if that is what integers allow.
fn tightened_sum(a: &[Int], b: &[Int]) -> Option<Row> {
    let constant = &a[0] + &b[0];
    if constant.is_neg() {
        return None;
    }
    let mut row: Row = a.iter().zip(b).map(|(x, y)| x + y).collect();
    let gcd = row[1..].iter().fold(Int::ZERO, |g, x| g.gcd(x));
    if gcd <= constant {
        return None;
    }
    row[0] = Int::ZERO;
    for x in &mut row[1..] {
        *x = x.div_exact(&gcd);
    }
    Some(row)
}

#[cfg(test)]
mod tests {
    use crate::{Budget, Set};

    fn equated(text: &str) -> (Set, Set) {
        let set: Set = text.parse().expect("the text is in isl syntax");
        (set.clone(), Set::from_basics(set.space().clone(), set.basic_sets().map(|b| b.equate_quotients()).collect()))
    }

    #[test]
    fn two_names_for_a_quotient() {
        let (before, after) = equated("{ [u, v, f] : 32u <= f <= 32u + 31 and 32v <= f <= 32v + 31 and 0 <= f <= 99 }");
        assert!(after.basic_sets().all(|b| b.as_basic_map().eqs().len() == 1), "{after}");
        assert!(before.is_equal(&after, &mut Budget::unlimited()).expect("the budget is unlimited"));
    }

    #[test]
    fn a_division_is_a_name_for_a_quotient() {
        let (before, after) =
            equated("{ [u, v, f] : 32u <= f <= 32u + 31 and f - 3 floor(f/32) >= v and 0 <= f <= 999 }");
        assert!(before.basic_sets().all(|b| !b.divs().is_empty()), "{before}");
        assert!(after.basic_sets().all(|b| b.divs().is_empty() || b.eqs().len() == 1), "{after}");
        assert!(before.is_equal(&after, &mut Budget::unlimited()).expect("the budget is unlimited"));
    }

    #[test]
    fn different_quotients_stay_apart() {
        for text in [
            "{ [u, v, f] : 32u <= f <= 32u + 31 and 32v <= f + 1 <= 32v + 31 }",
            "{ [u, v, f] : 32u <= f <= 32u + 32 and 32v <= f <= 32v + 31 }",
            "{ [u, v, f] : 32u <= f <= 32u + 31 and 16v <= f <= 16v + 15 }",
        ] {
            let (before, after) = equated(text);
            assert!(before.is_equal(&after, &mut Budget::unlimited()).expect("the budget is unlimited"));
            assert!(after.basic_sets().all(|b| b.as_basic_map().eqs().is_empty()), "{after}");
        }
    }
}
