//! Relations that differ in the bounds of one affine form.
//!
//! # Problem
//! The accesses of an unrolled loop, and the pieces that differences leave, are mostly neighbours:
//! the same constraints, with other bounds for one form. That they are one shows without a solver.
//!
//! # Method
//! Let `R` be the constraints that both relations have. If all others are bounds of one form `f`,
//! so that the relations are `R` with `f` in intervals `I` and `J`, their union is `R` with `f` in
//! the union of `I` and `J`. As `f` is an integer, that is an interval if no integer lies between
//! `I` and `J`.
//!
//! No constraint becomes redundant by that: without it, the relation that it comes from would have
//! points more, which are not in the union.

use poly_arith::Int;
use smallvec::SmallVec;

use crate::basic::{BasicMap, Row};
use crate::row;

/// The values of a form, where there are bounds.
struct Interval {
    lower: Option<Int>,
    upper: Option<Int>,
}

/// The constraints that only one of two relations has.
struct Extra<'a> {
    eqs: SmallVec<[&'a Row; 2]>,
    ineqs: SmallVec<[&'a Row; 2]>,
}

impl<'a> Extra<'a> {
    /// `None` if there are more than the bounds of one form.
    fn of(basic: &'a BasicMap, other: &BasicMap) -> Option<Self> {
        let missing = |rows: &'a [Row], of_other: &[Row], most: usize| {
            let mut found: SmallVec<[&'a Row; 2]> = SmallVec::new();
            for row in rows.iter().filter(|row| !of_other.contains(row)) {
                if found.len() == most {
                    return None;
                }
                found.push(row);
            }
            Some(found)
        };
        let eqs = missing(&basic.eqs, &other.eqs, 1)?;
        let ineqs = missing(&basic.ineqs, &other.ineqs, 2 - 2 * eqs.len())?;
        Some(Extra { eqs, ineqs })
    }

    fn all(&self) -> impl Iterator<Item = &'a Row> {
        self.eqs.iter().chain(&self.ineqs).copied()
    }

    /// The interval of a form, given without its constant, if there are no other constraints. Each
    /// bound may occur once.
    fn interval(&self, form: &[Int]) -> Option<Interval> {
        let mut result = Interval { lower: None, upper: None };
        let mut bound = |row: &Row, is_eq: bool| {
            let same = row[1..] == *form;
            if !same && !row[1..].iter().zip(form).all(|(x, y)| x.is_opposite_of(y)) {
                return None;
            }
            let value = if same { -&row[0] } else { row[0].clone() };
            let sides = [(is_eq || same, &mut result.lower), (is_eq || !same, &mut result.upper)];
            for (_, side) in sides.into_iter().filter(|(is_bound, _)| *is_bound) {
                if side.replace(value.clone()).is_some() {
                    return None;
                }
            }
            Some(())
        };
        self.eqs.iter().try_for_each(|row| bound(row, true))?;
        self.ineqs.iter().try_for_each(|row| bound(row, false))?;
        Some(result)
    }
}

/// The union of two relations over the same columns, whose divs have the same definitions, if they
/// differ in the bounds of one form.
pub(super) fn joined(a: &BasicMap, b: &BasicMap) -> Option<BasicMap> {
    if a.eqs.len().abs_diff(b.eqs.len()) > 1 || a.ineqs.len().abs_diff(b.ineqs.len()) > 2 {
        return None;
    }
    let (of_a, of_b) = (Extra::of(a, b)?, Extra::of(b, a)?);
    let (Some(first), Some(_)) = (of_a.all().next(), of_b.all().next()) else { return None };
    let form = &first[1..];
    let (i, j) = (of_a.interval(form)?, of_b.interval(form)?);
    let meet = |lower: &Option<Int>, upper: &Option<Int>| match (lower, upper) {
        (Some(lower), Some(upper)) => lower - upper <= Int::ONE,
        _ => true,
    };
    if !meet(&i.lower, &j.upper) || !meet(&j.lower, &i.upper) {
        return None;
    }
    let mut result = a.clone();
    result.eqs.retain(|row| b.eqs.contains(row));
    result.ineqs.retain(|row| b.ineqs.contains(row));
    if let (Some(x), Some(y)) = (i.lower, j.lower) {
        let mut bound = first.clone();
        bound[0] = -x.min(y);
        result.ineqs.push(bound);
    }
    if let (Some(x), Some(y)) = (i.upper, j.upper) {
        let mut bound = row::negated(first);
        bound[0] = x.max(y);
        result.ineqs.push(bound);
    }
    result.normalize();
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::set::Set;

    /// The union of the two disjuncts of a set, if they are neighbours.
    fn check(text: &str, expected: Option<&str>) {
        let set: Set = text.parse().expect("the test's set parses");
        let [a, b] = set.basics() else { panic!("{set} has not two disjuncts") };
        for (a, b) in [(a, b), (b, a)] {
            let found = joined(a, b).map(|basic| Set::from_map(crate::map::Map::from_basic(basic)));
            assert_eq!(found.as_ref().map(Set::to_string).as_deref(), expected, "{text}");
            if let Some(found) = found {
                assert!(found.is_equal(&set, &mut Budget::unlimited()).expect("no limit"), "{found} for {text}");
            }
        }
    }

    #[test]
    fn neighbours_are_one() {
        check("{ [i, j] : i = 3 and j = 4; [i, j] : i = 3 and j = 5 }", Some("{ [i = 3, j] : 4 <= j <= 5 }"));
        check(
            "{ [i, j] : 0 <= i <= 9 and 2 <= j <= 4; [i, j] : 0 <= i <= 9 and j = 5 }",
            Some("{ [i, j] : 0 <= i <= 9 and 2 <= j <= 5 }"),
        );
        check(
            "{ [i, j] : 0 <= i <= 9 and 2 <= j <= 6; [i, j] : 0 <= i <= 9 and 4 <= j <= 8 }",
            Some("{ [i, j] : 0 <= i <= 9 and 2 <= j <= 8 }"),
        );
        check("{ [i] : i <= 4; [i] : 5 <= i <= 8 }", Some("{ [i] : i <= 8 }"));
        check(
            "{ [i, j] : 0 <= 2i + 3j <= 4 and i >= 0; [i, j] : 5 <= 2i + 3j <= 9 and i >= 0 }",
            Some("{ [i, j] : i >= 0 and -2i <= 3j <= 9 - 2i }"),
        );
        check("[n] -> { [i] : 0 <= i < n and i <= 7; [i] : 8 <= i < n }", Some("[n] -> { [i] : 0 <= i < n }"));
        check(
            "{ [i] : i mod 3 = 0 and 0 <= i <= 9; [i] : i mod 3 = 0 and 10 <= i <= 30 }",
            Some("{ [i] : (i) mod 3 = 0 and 0 <= i <= 30 }"),
        );
        check(
            "{ [i, j] : 0 <= i and j = 1; [i, j] : 0 <= i and 0 <= j <= 1 }",
            Some("{ [i, j] : i >= 0 and 0 <= j <= 1 }"),
        );
    }

    #[test]
    fn others_are_not() {
        check("{ [i] : 0 <= i <= 4; [i] : 6 <= i <= 8 }", None);
        check("{ [i, j] : i = 3 and j = 4; [i, j] : i = 4 and j = 5 }", None);
        check("{ [i, j] : 0 <= i <= 9 and 0 <= j <= 4; [i, j] : 0 <= i <= 8 and 5 <= j <= 7 }", None);
        check("{ [i, j] : 0 <= i <= j; [i, j] : 0 <= j <= 7 and i <= 8 }", None);
    }
}
