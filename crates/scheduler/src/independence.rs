//! Linear independence of the rows of one statement.
//!
//! Let `H` be the rows found so far (only their iterator parts), together with the equalities that
//! hold on the domain. A new row `c` is independent of them iff `K c != 0`, where the rows of `K`
//! span the orthogonal complement of `H`. This is a union of half-spaces, a *non-triviality
//! region*. Where all entries of `K` are non-negative and so is `c`, one constraint says it: the
//! sum of `K c` is at least 1.

use std::collections::BTreeMap;

use poly_arith::Int;
use poly_linalg::{Matrix, hermite, vector};

/// The iterator parts of all rows of every statement, outermost first.
pub(crate) type History = BTreeMap<usize, Matrix>;

/// The rows of `K` for one statement; empty if its schedule is complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) statement: usize,
    pub(crate) rows: Vec<Vec<Int>>,
}

impl Region {
    /// The region for a statement with the given rows.
    pub(crate) fn new(statement: usize, history: &Matrix) -> Region {
        let mut rows = hermite::kernel(history).to_rows();
        for row in &mut rows {
            let leading_negative = row.iter().find(|x| !x.is_zero()).is_some_and(Int::is_neg);
            if leading_negative {
                vector::negate(row);
            }
        }
        // Rows that touch outer iterators first.
        rows.sort_by(|a, b| b.cmp(a));
        Region { statement, rows }
    }

    /// How many independent rows are missing.
    pub(crate) fn missing(&self) -> usize {
        self.rows.len()
    }

    /// Whether one constraint describes the region for non-negative coefficients.
    pub(crate) fn is_non_negative(&self) -> bool {
        self.rows.iter().flatten().all(|x| !x.is_neg())
    }

    /// Whether a row is independent.
    pub(crate) fn contains(&self, iterators: &[Int]) -> bool {
        self.rows.iter().any(|row| !vector::dot(row, iterators).is_zero())
    }
}

/// The history with the rows of a band appended.
pub(crate) fn extended<'a>(history: &History, dimensions: impl Iterator<Item = &'a crate::edge::Rows>) -> History {
    let mut history = history.clone();
    for rows in dimensions {
        for (statement, affine) in rows {
            let matrix = history.get_mut(statement).expect("every statement has a history");
            if !affine.is_invariant() {
                matrix.push_row(&affine.iterators);
            }
        }
    }
    history
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(rows: &[&[i64]], dims: usize) -> Region {
        let rows = rows.iter().map(|r| r.iter().map(|&x| Int::from(x)).collect()).collect();
        Region::new(0, &Matrix::from_rows(rows, dims))
    }

    #[test]
    fn regions() {
        let none = region(&[], 2);
        assert_eq!(none.missing(), 2);
        assert!(none.is_non_negative());
        let skewed = region(&[&[1, 1]], 2);
        assert!(!skewed.is_non_negative());
        assert!(skewed.contains(&[Int::ONE, Int::ZERO]));
        assert!(!skewed.contains(&[Int::from(2), Int::from(2)]));
        assert_eq!(region(&[&[1, 1], &[0, 2]], 2).missing(), 0);
    }
}
