//! Dense integer matrices in row-major order.

use std::fmt;

use poly_arith::Int;

use crate::vector;

/// A dense matrix of integers, stored row by row.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Matrix {
    rows: usize,
    cols: usize,
    data: Vec<Int>,
}

impl Matrix {
    /// The zero matrix.
    pub fn new(rows: usize, cols: usize) -> Matrix {
        Matrix { rows, cols, data: vec![Int::ZERO; rows * cols] }
    }

    /// The identity matrix.
    pub fn identity(n: usize) -> Matrix {
        let mut result = Matrix::new(n, n);
        for i in 0..n {
            result.row_mut(i)[i] = Int::ONE;
        }
        result
    }

    /// A matrix with the given rows, each of length `cols`.
    pub fn from_rows(rows: Vec<Vec<Int>>, cols: usize) -> Matrix {
        let mut result = Matrix { rows: 0, cols, data: Vec::with_capacity(rows.len() * cols) };
        for row in rows {
            result.push_row(&row);
        }
        result
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The element in row `i` and column `j`.
    pub fn get(&self, i: usize, j: usize) -> &Int {
        &self.row(i)[j]
    }

    /// Sets the element in row `i` and column `j`.
    pub fn set(&mut self, i: usize, j: usize, value: Int) {
        self.row_mut(i)[j] = value;
    }

    /// Row `i`.
    pub fn row(&self, i: usize) -> &[Int] {
        assert!(i < self.rows, "row {i} of a matrix with {} rows", self.rows);
        &self.data[i * self.cols..(i + 1) * self.cols]
    }

    /// Row `i`, to be changed.
    pub fn row_mut(&mut self, i: usize) -> &mut [Int] {
        assert!(i < self.rows, "row {i} of a matrix with {} rows", self.rows);
        &mut self.data[i * self.cols..(i + 1) * self.cols]
    }

    /// Rows `target` (to be changed) and `source`, which must differ.
    pub fn two_rows(&mut self, target: usize, source: usize) -> (&mut [Int], &[Int]) {
        assert!(target != source, "a row cannot be combined with itself");
        let cols = self.cols;
        if target < source {
            let (head, tail) = self.data.split_at_mut(source * cols);
            (&mut head[target * cols..(target + 1) * cols], &tail[..cols])
        } else {
            let (head, tail) = self.data.split_at_mut(target * cols);
            (&mut tail[..cols], &head[source * cols..(source + 1) * cols])
        }
    }

    /// The rows in order.
    pub fn iter_rows(&self) -> impl Iterator<Item = &[Int]> {
        (0..self.rows).map(|i| self.row(i))
    }

    /// The rows as vectors of their own.
    pub fn to_rows(&self) -> Vec<Vec<Int>> {
        self.iter_rows().map(<[Int]>::to_vec).collect()
    }

    /// A copy of column `j`.
    pub fn col(&self, j: usize) -> Vec<Int> {
        (0..self.rows).map(|i| self.get(i, j).clone()).collect()
    }

    /// Appends a row.
    pub fn push_row(&mut self, row: &[Int]) {
        assert_eq!(row.len(), self.cols, "the row does not have the width of the matrix");
        self.data.extend_from_slice(row);
        self.rows += 1;
    }

    /// Drops all rows from `rows` on.
    pub fn truncate_rows(&mut self, rows: usize) {
        self.rows = self.rows.min(rows);
        self.data.truncate(self.rows * self.cols);
    }

    /// Exchanges two rows.
    pub fn swap_rows(&mut self, a: usize, b: usize) {
        if a != b {
            for j in 0..self.cols {
                self.data.swap(a * self.cols + j, b * self.cols + j);
            }
        }
    }

    /// Exchanges two columns.
    pub fn swap_cols(&mut self, a: usize, b: usize) {
        if a != b {
            for i in 0..self.rows {
                self.data.swap(i * self.cols + a, i * self.cols + b);
            }
        }
    }

    /// `row(target) += factor * row(source)`
    pub fn add_row_multiple(&mut self, target: usize, factor: &Int, source: usize) {
        let (dst, src) = self.two_rows(target, source);
        vector::add_multiple(dst, factor, src);
    }

    /// The matrix product.
    ///
    /// # Panics
    /// If the inner dimensions differ.
    pub fn mul(&self, other: &Matrix) -> Matrix {
        assert_eq!(self.cols, other.rows, "the inner dimensions of a product must agree");
        let mut result = Matrix::new(self.rows, other.cols);
        for i in 0..self.rows {
            for k in 0..self.cols {
                vector::add_multiple(result.row_mut(i), self.get(i, k), other.row(k));
            }
        }
        result
    }

    /// The product with a column vector.
    pub fn mul_vec(&self, vector: &[Int]) -> Vec<Int> {
        self.iter_rows().map(|row| vector::dot(row, vector)).collect()
    }

    /// The product of a row vector with this matrix.
    pub fn vec_mul(&self, vector: &[Int]) -> Vec<Int> {
        assert_eq!(vector.len(), self.rows, "the inner dimensions of a product must agree");
        let mut result = vec![Int::ZERO; self.cols];
        for (factor, row) in vector.iter().zip(self.iter_rows()) {
            vector::add_multiple(&mut result, factor, row);
        }
        result
    }

    /// The transposed matrix.
    pub fn transpose(&self) -> Matrix {
        let mut result = Matrix::new(self.cols, self.rows);
        for i in 0..self.rows {
            for j in 0..self.cols {
                result.set(j, i, self.get(i, j).clone());
            }
        }
        result
    }

    /// The block of `n_rows` rows from `row` on and `n_cols` columns from `col` on.
    pub fn submatrix(&self, row: usize, n_rows: usize, col: usize, n_cols: usize) -> Matrix {
        let rows = (row..row + n_rows).map(|i| self.row(i)[col..col + n_cols].to_vec()).collect();
        Matrix::from_rows(rows, n_cols)
    }

    /// Is this the identity matrix?
    pub fn is_identity(&self) -> bool {
        self.rows == self.cols && *self == Matrix::identity(self.rows)
    }
}

impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.iter_rows() {
            writeln!(f, "{row:?}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Matrix {}x{}", self.rows, self.cols)?;
        fmt::Display::fmt(self, f)
    }
}
