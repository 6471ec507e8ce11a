//! A guess at an integer point, without any solving.
//!
//! Most relations that a compiler asks about are not empty, and a point is found by looking:
//! variables get their values in the order of their columns, each the least value (or, in a second
//! attempt, the greatest) that the constraints between it and the earlier ones allow. If some
//! variable was free when it got its value, such as a parameter that other variables are bounded
//! by, a third attempt gives it a large one. Whatever comes out is a point, since every constraint
//! has been checked at its last variable; if nothing comes out nothing is known.
//!
//! All numbers are 64 bits wide; an overflow is a failure of the guess.

use poly_arith::Int;
use smallvec::SmallVec;

/// Constraints over columns `1..=n` (column 0 is the constant), as seen by the guess.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'a> {
    /// The number of variables.
    pub(crate) n: usize,
    /// Forms that are zero.
    pub(crate) eqs: &'a [Vec<Int>],
    /// Forms that are not negative.
    pub(crate) ineqs: &'a [Vec<Int>],
}

/// Which end of a range is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Least,
    Greatest,
    /// The least one, and a large value for variables without any bound.
    Far,
}

/// What a variable without bounds gets in the third attempt.
const FAR: i64 = 1000;

/// An integer point `[1, x_1, .., x_n]`, if it is easily seen. `definition(c)` is the numerator and
/// the denominator of a column that is an integer division of earlier ones.
pub(crate) fn point<'d>(
    rows: Rows<'_>,
    definition: impl Fn(usize) -> Option<(&'d [Int], &'d Int)>,
) -> Option<Vec<i64>> {
    let order = by_last_columns(rows)?;
    let mut free = false;
    for end in [End::Least, End::Greatest, End::Far] {
        if end == End::Far && !free {
            break;
        }
        let found = attempt(rows, &order, end, &mut free, &definition);
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The constraints, equalities first, in the order of their last columns, which come with them.
fn by_last_columns(rows: Rows<'_>) -> Option<SmallVec<[(u32, u32); 32]>> {
    let mut order = SmallVec::new();
    for (which, row) in (0..).zip(rows.eqs.iter().chain(rows.ineqs)) {
        let last = row.iter().rposition(|x| !x.is_zero()).unwrap_or(0);
        order.push((u32::try_from(last).ok()?, which));
    }
    order.sort_unstable();
    Some(order)
}

fn attempt<'d>(
    rows: Rows<'_>,
    order: &[(u32, u32)],
    end: End,
    free: &mut bool,
    definition: &impl Fn(usize) -> Option<(&'d [Int], &'d Int)>,
) -> Option<Vec<i64>> {
    let mut values: Vec<i64> = Vec::with_capacity(1 + rows.n);
    values.push(1);
    let mut left = order.iter().peekable();
    for col in 0..=rows.n {
        let mut range = if col == 0 { (Some(1), Some(1)) } else { (None, None) };
        if let Some((numerator, denominator)) = definition(col) {
            let value = before(numerator, &values)?.div_euclid(denominator.to_i64()?);
            range = (Some(value), Some(value));
        }
        while let Some(&(_, which)) = left.next_if(|(last, _)| *last as usize == col) {
            let which = which as usize;
            let (row, equality) = match which.checked_sub(rows.eqs.len()) {
                None => (&rows.eqs[which], true),
                Some(which) => (&rows.ineqs[which], false),
            };
            restrict(row, col, &values, equality, &mut range)?;
        }
        let value = match (end, range) {
            (End::Least | End::Far, (Some(value), _) | (None, Some(value))) => value,
            (End::Greatest, (_, Some(value)) | (Some(value), None)) => value,
            (End::Far, (None, None)) => FAR,
            (_, (None, None)) => {
                *free = true;
                0
            }
        };
        if col > 0 {
            values.push(value);
        }
    }
    Some(values)
}

/// The value of the terms of a row up to the last column that has a value.
fn before(row: &[Int], values: &[i64]) -> Option<i64> {
    let mut sum = 0i64;
    for (x, value) in row.iter().zip(values) {
        if !x.is_zero() {
            sum = sum.checked_add(x.to_i64()?.checked_mul(*value)?)?;
        }
    }
    Some(sum)
}

/// Narrow the range of a column by a constraint whose last column it is; `None` if nothing is left.
fn restrict(
    row: &[Int],
    col: usize,
    values: &[i64],
    equality: bool,
    range: &mut (Option<i64>, Option<i64>),
) -> Option<()> {
    let coefficient = if col == 0 { 0 } else { row[col].to_i64()? };
    let rest = before(&row[..col.max(1)], values)?;
    if coefficient == 0 {
        return if equality { rest == 0 } else { rest >= 0 }.then_some(());
    }
    let negated = rest.checked_neg()?;
    // The least value with coefficient * value >= -rest, or the greatest one.
    let size = coefficient.checked_abs()?;
    if equality && negated.checked_rem(size)? != 0 {
        return None;
    }
    let lower = || Some(negated.checked_add(size - 1)?.div_euclid(size));
    let upper = || Some(rest.div_euclid(size));
    let tighten_lower = |range: &mut (Option<i64>, Option<i64>), value: i64| {
        range.0 = Some(range.0.map_or(value, |old| old.max(value)));
    };
    let tighten_upper = |range: &mut (Option<i64>, Option<i64>), value: i64| {
        range.1 = Some(range.1.map_or(value, |old| old.min(value)));
    };
    match (equality, coefficient > 0) {
        (true, positive) => {
            let value = if positive { negated / size } else { rest / size };
            tighten_lower(range, value);
            tighten_upper(range, value);
        }
        (false, true) => tighten_lower(range, lower()?),
        (false, false) => tighten_upper(range, upper()?),
    }
    match *range {
        (Some(lower), Some(upper)) if lower > upper => None,
        _ => Some(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(list: &[&[i64]]) -> Vec<Vec<Int>> {
        list.iter().map(|row| row.iter().map(|&x| Int::from(x)).collect()).collect()
    }

    #[test]
    fn bounds_are_met_in_order() {
        let eqs = rows(&[&[0, -2, 1]]);
        let ineqs = rows(&[&[-3, 2, 0], &[9, 0, -1]]);
        let found = point(Rows { n: 2, eqs: &eqs, ineqs: &ineqs }, |_| None);
        assert_eq!(found, Some(vec![1, 2, 4]));
    }

    #[test]
    fn the_other_end_is_tried() {
        // x <= y <= 5, y >= 4 - x, 0 <= x <= 4: fails with x = 0 only if y < 4 as well.
        let ineqs = rows(&[&[0, 1, 0], &[4, -1, 0], &[-8, 1, 1], &[4, 0, -1]]);
        let found = point(Rows { n: 2, eqs: &[], ineqs: &ineqs }, |_| None);
        assert_eq!(found, Some(vec![1, 4, 4]));
    }

    #[test]
    fn free_variables_are_large_in_the_end() {
        // 0 <= x < y <= n, with n first.
        let ineqs = rows(&[&[0, 0, 1, 0], &[-1, 0, -1, 1], &[0, 1, 0, -1]]);
        let found = point(Rows { n: 3, eqs: &[], ineqs: &ineqs }, |_| None);
        assert_eq!(found, Some(vec![1, FAR, 0, 1]));
    }

    #[test]
    fn definitions_are_values() {
        let eqs = rows(&[&[-3, 0, 1]]);
        let ineqs = rows(&[&[-6, 1, 0]]);
        let numerator: Vec<Int> = vec![Int::ZERO, Int::ONE, Int::ZERO];
        let two = Int::from(2);
        let definition = |col: usize| (col == 2).then_some((&numerator[..], &two));
        assert_eq!(point(Rows { n: 2, eqs: &eqs, ineqs: &ineqs }, definition), Some(vec![1, 6, 3]));
    }

    #[test]
    fn an_empty_set_has_no_point() {
        let ineqs = rows(&[&[-1, 0]]);
        assert_eq!(point(Rows { n: 1, eqs: &[], ineqs: &ineqs }, |_| None), None);
        let eqs = rows(&[&[-1, 2]]);
        assert_eq!(point(Rows { n: 1, eqs: &eqs, ineqs: &[] }, |_| None), None);
    }

    #[test]
    fn overflow_is_a_failure_of_the_guess() {
        let ineqs = rows(&[&[-i64::MAX, 1, 0], &[0, -4, 1]]);
        assert_eq!(point(Rows { n: 2, eqs: &[], ineqs: &ineqs }, |_| None), None);
    }
}
