//! Gaussian elimination over the rationals with integer rows.
//!
//! Rows are combined without fractions (`row = a * row - b * pivot_row`) and divided by their
//! greatest common divisor, which keeps numbers small. The determinant uses Bareiss' exact
//! divisions instead, as it must not lose factors (\[Bareiss1968\]).

use poly_arith::Int;

use crate::matrix::Matrix;
use crate::vector;

/// A reduced row echelon form over the rationals, scaled to primitive integer rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Echelon {
    /// The non-zero rows: each primitive, with a positive pivot that is the only non-zero element
    /// of its column.
    pub rows: Matrix,
    /// The pivot column of each row, increasing.
    pub pivot_cols: Vec<usize>,
}

/// `row = |p| * row - s * row[col] * pivot_row`, divided by the gcd, where `p = pivot_row[col]`;
/// clears column `col` of `row` and keeps the sign of what it was in other columns.
fn clear(row: &mut [Int], pivot_row: &[Int], col: usize) {
    let (pivot, value) = (&pivot_row[col], row[col].clone());
    if value.is_zero() {
        return;
    }
    let gcd = pivot.gcd(&value);
    let scale = pivot.div_exact(&gcd);
    let factor = -value.div_exact(&gcd);
    let (scale, factor) = if scale.is_neg() { (-scale, -factor) } else { (scale, factor) };
    vector::combine(row, &scale, pivot_row, &factor);
    vector::normalize(row);
}

/// The reduced row echelon form, zero rows dropped.
pub fn row_echelon(matrix: &Matrix) -> Echelon {
    let mut rows = matrix.clone();
    let mut pivot_cols = Vec::new();
    for col in 0..matrix.cols() {
        let rank = pivot_cols.len();
        let Some(pivot) = (rank..rows.rows()).find(|&i| !rows.get(i, col).is_zero()) else {
            continue;
        };
        rows.swap_rows(rank, pivot);
        vector::normalize(rows.row_mut(rank));
        if rows.get(rank, col).is_neg() {
            vector::negate(rows.row_mut(rank));
        }
        for i in (0..rows.rows()).filter(|&i| i != rank) {
            let (row, pivot_row) = rows.two_rows(i, rank);
            clear(row, pivot_row, col);
        }
        pivot_cols.push(col);
    }
    rows.truncate_rows(pivot_cols.len());
    Echelon { rows, pivot_cols }
}

impl Echelon {
    /// Is `vector` a rational combination of the rows?
    pub fn spans(&self, vector: &[Int]) -> bool {
        let mut rest = vector.to_vec();
        for (row, &col) in self.rows.iter_rows().zip(&self.pivot_cols) {
            clear(&mut rest, row, col);
        }
        vector::is_zero(&rest)
    }
}

/// The rank.
pub fn rank(matrix: &Matrix) -> usize {
    row_echelon(matrix).pivot_cols.len()
}

/// Is `vector` a rational combination of the rows of `matrix`?
pub fn is_in_row_span(matrix: &Matrix, vector: &[Int]) -> bool {
    row_echelon(matrix).spans(vector)
}

/// The determinant of a square matrix; 1 for the empty matrix.
///
/// # Panics
/// If the matrix is not square.
pub fn det(matrix: &Matrix) -> Int {
    let n = matrix.rows();
    assert_eq!(n, matrix.cols(), "only a square matrix has a determinant");
    let mut m = matrix.clone();
    let mut previous = Int::ONE;
    let mut negate = false;
    for k in 0..n {
        let Some(pivot) = (k..n).find(|&i| !m.get(i, k).is_zero()) else {
            return Int::ZERO;
        };
        if pivot != k {
            m.swap_rows(pivot, k);
            negate = !negate;
        }
        for i in k + 1..n {
            let (row, pivot_row) = m.two_rows(i, k);
            let factor = -row[k].clone();
            vector::combine(row, &pivot_row[k], pivot_row, &factor);
            for value in row.iter_mut() {
                *value = value.div_exact(&previous);
            }
        }
        previous = m.get(k, k).clone();
    }
    if negate { -previous } else { previous }
}

/// The inverse as an integer matrix and a positive common denominator; `None` if the matrix is
/// singular.
///
/// # Panics
/// If the matrix is not square.
pub fn inverse_rational(matrix: &Matrix) -> Option<(Matrix, Int)> {
    let n = matrix.rows();
    assert_eq!(n, matrix.cols(), "only a square matrix has an inverse");
    let mut augmented = Matrix::new(n, 2 * n);
    for i in 0..n {
        augmented.row_mut(i)[..n].clone_from_slice(matrix.row(i));
        augmented.row_mut(i)[n + i] = Int::ONE;
    }
    let echelon = row_echelon(&augmented);
    if echelon.pivot_cols.iter().any(|&col| col >= n) {
        return None;
    }
    let denominator = (0..n).fold(Int::ONE, |lcm, i| lcm.lcm(echelon.rows.get(i, i)));
    let mut inverse = echelon.rows.submatrix(0, n, n, n);
    for i in 0..n {
        let scale = denominator.div_exact(echelon.rows.get(i, i));
        for value in inverse.row_mut(i) {
            *value *= &scale;
        }
    }
    Some((inverse, denominator))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matrix(rows: &[&[i64]]) -> Matrix {
        let cols = rows.first().map_or(0, |row| row.len());
        let rows = rows.iter().map(|row| row.iter().map(|&x| Int::from(x)).collect()).collect();
        Matrix::from_rows(rows, cols)
    }

    #[test]
    fn echelon_form() {
        let echelon = row_echelon(&matrix(&[&[0, 2, 4], &[-3, 0, 3], &[-3, 2, 7]]));
        assert_eq!(echelon.rows, matrix(&[&[1, 0, -1], &[0, 1, 2]]));
        assert_eq!(echelon.pivot_cols, [0, 1]);
        let v: Vec<Int> = [2, 3, 4].map(Int::from).to_vec();
        assert!(echelon.spans(&v));
        let w: Vec<Int> = [2, 3, 5].map(Int::from).to_vec();
        assert!(!echelon.spans(&w));
    }

    #[test]
    fn determinants() {
        assert_eq!(det(&Matrix::new(0, 0)), Int::ONE);
        assert_eq!(det(&matrix(&[&[0, 2], &[3, 4]])), Int::from(-6));
        assert_eq!(det(&matrix(&[&[2, 0, 1], &[1, 3, 2], &[1, 1, 1]])), Int::ZERO);
        assert_eq!(det(&matrix(&[&[2, 0, 1], &[1, 3, 2], &[1, 1, 2]])), Int::from(6));
    }

    proptest! {
        #[test]
        fn inverse_times_matrix_is_the_denominator(
            data in proptest::collection::vec(prop_oneof![6 => -3i64..4, 1 => any::<i64>()], 9)
        ) {
            let rows = data.chunks(3).map(|r| r.iter().map(|&x| Int::from(x)).collect()).collect();
            let m = Matrix::from_rows(rows, 3);
            match inverse_rational(&m) {
                None => prop_assert!(det(&m).is_zero() && rank(&m) < 3),
                Some((inverse, denominator)) => {
                    prop_assert!(denominator.is_pos() && !det(&m).is_zero());
                    let product = inverse.mul(&m);
                    for i in 0..3 {
                        for j in 0..3 {
                            let expected = if i == j { denominator.clone() } else { Int::ZERO };
                            prop_assert_eq!(product.get(i, j), &expected);
                        }
                    }
                }
            }
        }
    }
}
