//! Rows that compare execution times.
//!
//! The time of a statement at one level is a row over `[const | params | instance]`. In a relation
//! the instance sits at some columns; [`Placed`] says where. All comparisons of times are built
//! from the difference of two placed rows.

use poly_arith::Int;
use poly_presburger::{BasicMap, Map, Row, Space};

/// Times of a statement whose instance occupies the columns from `at` on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed<'a> {
    /// One row over `[const | params | instance]` per level.
    pub(crate) time: &'a [Row],
    /// First column of the instance.
    pub(crate) at: usize,
}

/// The sign of a difference of times, as far as the rows alone tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// Always negative.
    Negative,
    /// Always zero.
    Zero,
    /// Always positive.
    Positive,
    /// Depends on the instances or parameters.
    Unknown,
}

/// `later.time[level] - earlier.time[level]` as a row over `columns` columns.
pub(crate) fn difference(later: Placed<'_>, earlier: Placed<'_>, level: usize, n_params: usize, columns: usize) -> Row {
    let mut row = vec![Int::ZERO; columns];
    for (placed, sign) in [(later, Int::ONE), (earlier, Int::NEG_ONE)] {
        let time = &placed.time[level];
        let (invariant, instance) = time.split_at(1 + n_params);
        for (column, value) in invariant.iter().enumerate() {
            row[column] += &(value * &sign);
        }
        for (dimension, value) in instance.iter().enumerate() {
            row[placed.at + dimension] += &(value * &sign);
        }
    }
    row
}

/// The sign of an affine form when it is constant.
pub(crate) fn constant_sign(row: &Row) -> Sign {
    if row[1..].iter().any(|x| !x.is_zero()) {
        return Sign::Unknown;
    }
    match row[0].signum() {
        0 => Sign::Zero,
        1 => Sign::Positive,
        _ => Sign::Negative,
    }
}

/// The relation `row = 0`.
pub(crate) fn zero(space: &Space, row: Row) -> Map {
    let mut basic = BasicMap::universe(space.clone());
    basic.add_eq(row);
    Map::from(basic)
}

/// The relation `row > 0`.
pub(crate) fn positive(space: &Space, mut row: Row) -> Map {
    row[0] -= Int::ONE;
    let mut basic = BasicMap::universe(space.clone());
    basic.add_ineq(row);
    Map::from(basic)
}

/// The relation `row < 0`.
pub(crate) fn negative(space: &Space, row: Row) -> Map {
    positive(space, negated(row))
}

/// `-row`.
pub(crate) fn negated(row: Row) -> Row {
    row.iter().map(|x| -x).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(values: &[i64]) -> Row {
        values.iter().map(|&x| Int::from(x)).collect()
    }

    #[test]
    fn differences_are_placed() {
        // [const | n | x | y]: (n + 2y) - (3x + 1)
        let earlier = [row(&[1, 0, 3])];
        let later = [row(&[0, 1, 2])];
        let difference = difference(Placed { time: &later, at: 3 }, Placed { time: &earlier, at: 2 }, 0, 1, 4);
        assert_eq!(difference, row(&[-1, 1, -3, 2]));
        assert_eq!(constant_sign(&difference), Sign::Unknown);
        assert_eq!(constant_sign(&row(&[-2, 0])), Sign::Negative);
        assert_eq!(constant_sign(&row(&[0, 0])), Sign::Zero);
    }
}
