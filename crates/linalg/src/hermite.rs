//! The left Hermite normal form and what follows from it.
//!
//! **Definition.** For an `m x n` integer matrix `M` of rank `r` there is a unimodular `U` with
//! `M U = [H 0]`, where `H` has `r` columns and is in column echelon form: column `k` is zero above
//! its pivot row `p_k`, `p_0 < p_1 < ...`, pivots are positive, and elements of a pivot row left of
//! the pivot are in `0..pivot`. `H` is unique. `Q` denotes the inverse of `U`.
//!
//! **Algorithm.** Row by row, Euclid's algorithm among the columns not yet used: subtract multiples
//! of the column with the smallest element from the others until one non-zero element is left; it
//! becomes the pivot, and the earlier columns are reduced by it. Every column operation on `M` is
//! done on `U` too, and its inverse as a row operation on `Q`. Internally `M` and `U` are kept
//! transposed, so that column operations touch contiguous memory.
//!
//! **Consequences.** The last `n - r` columns of `U` are a basis of the integer kernel of `M`.
//! `M x = b` has an integer solution iff forward substitution in `H y = b` divides evenly
//! (\[Schrijver1986\], section 4.1).

use poly_arith::Int;

use crate::matrix::Matrix;
use crate::vector;

/// The left Hermite normal form `M U = [H 0]`, see the module documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hermite {
    /// `M U`: the echelon columns, then zero columns. Same size as `M`.
    pub h: Matrix,
    /// The unimodular transformation.
    pub u: Matrix,
    /// The inverse of `u`.
    pub q: Matrix,
    /// The rank of `M`, the number of non-zero columns of `h`.
    pub rank: usize,
    /// For each of the first `rank` columns of `h` the row of its pivot, increasing.
    pub pivot_rows: Vec<usize>,
}

/// The state of the elimination: `M` and `U` transposed, and `Q`.
struct Columns {
    m: Matrix,
    u: Matrix,
    q: Matrix,
}

impl Columns {
    /// `column(target) += factor * column(source)`
    fn add(&mut self, target: usize, factor: &Int, source: usize) {
        self.m.add_row_multiple(target, factor, source);
        self.u.add_row_multiple(target, factor, source);
        self.q.add_row_multiple(source, &-factor, target);
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.m.swap_rows(a, b);
        self.u.swap_rows(a, b);
        self.q.swap_rows(a, b);
    }

    fn negate(&mut self, column: usize) {
        vector::negate(self.m.row_mut(column));
        vector::negate(self.u.row_mut(column));
        vector::negate(self.q.row_mut(column));
    }

    /// The column from `first` on whose element in `row` is non-zero and smallest in magnitude.
    fn smallest(&self, row: usize, first: usize) -> Option<usize> {
        (first..self.m.rows()).filter(|&j| !self.m.get(j, row).is_zero()).min_by_key(|&j| self.m.get(j, row).abs())
    }

    /// Makes `row` zero in all columns after `first`; false if it is zero in `first` too.
    fn eliminate(&mut self, row: usize, first: usize) -> bool {
        while let Some(pivot) = self.smallest(row, first) {
            self.swap(first, pivot);
            let mut clean = true;
            for j in first + 1..self.m.rows() {
                if self.m.get(j, row).is_zero() {
                    continue;
                }
                let quotient = self.m.get(j, row).div_floor(self.m.get(first, row));
                self.add(j, &-quotient, first);
                clean &= self.m.get(j, row).is_zero();
            }
            if clean {
                return true;
            }
        }
        false
    }

    /// Makes the pivot positive and reduces the earlier columns by it.
    fn reduce(&mut self, row: usize, pivot: usize) {
        if self.m.get(pivot, row).is_neg() {
            self.negate(pivot);
        }
        for j in 0..pivot {
            let quotient = self.m.get(j, row).div_floor(self.m.get(pivot, row));
            if !quotient.is_zero() {
                self.add(j, &-quotient, pivot);
            }
        }
    }
}

/// The left Hermite normal form of a matrix.
pub fn left_hermite(matrix: &Matrix) -> Hermite {
    let n = matrix.cols();
    let mut columns = Columns { m: matrix.transpose(), u: Matrix::identity(n), q: Matrix::identity(n) };
    let mut pivot_rows = Vec::new();
    for row in 0..matrix.rows() {
        let rank = pivot_rows.len();
        if rank == n {
            break;
        }
        if columns.eliminate(row, rank) {
            columns.reduce(row, rank);
            pivot_rows.push(row);
        }
    }
    Hermite { h: columns.m.transpose(), u: columns.u.transpose(), q: columns.q, rank: pivot_rows.len(), pivot_rows }
}

impl Hermite {
    /// A basis of the integer kernel of the matrix, one vector per row.
    pub fn kernel(&self) -> Matrix {
        let n = self.u.rows();
        self.u.submatrix(0, n, self.rank, n - self.rank).transpose()
    }

    /// An integer `x` with `M x = rhs`, if there is one.
    pub fn particular_solution(&self, rhs: &[Int]) -> Option<Vec<Int>> {
        assert_eq!(rhs.len(), self.h.rows(), "one right-hand side per row");
        let mut y: Vec<Int> = Vec::with_capacity(self.rank);
        for (row, value) in rhs.iter().enumerate() {
            let known = vector::dot(&self.h.row(row)[..y.len()], &y);
            let rest = value - known;
            if self.pivot_rows.get(y.len()) == Some(&row) {
                let pivot = self.h.get(row, y.len());
                if !rest.is_divisible_by(pivot) {
                    return None;
                }
                y.push(rest.div_exact(pivot));
            } else if !rest.is_zero() {
                return None;
            }
        }
        y.resize(self.u.cols(), Int::ZERO);
        Some(self.u.mul_vec(&y))
    }
}

/// A basis of the integer kernel `{ x : M x = 0 }`: one basis vector per row. Every integer vector
/// of the kernel is an integer combination of the rows.
pub fn kernel(matrix: &Matrix) -> Matrix {
    left_hermite(matrix).kernel()
}

/// All integer solutions of a system of linear equations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntegerSolution {
    /// One solution.
    pub particular: Vec<Int>,
    /// A basis of the solutions of the homogeneous system, one vector per row.
    pub kernel: Matrix,
}

/// The integer solutions of `M x = rhs`, or `None` if there are none.
pub fn solve_integer(matrix: &Matrix, rhs: &[Int]) -> Option<IntegerSolution> {
    let hermite = left_hermite(matrix);
    let particular = hermite.particular_solution(rhs)?;
    Some(IntegerSolution { particular, kernel: hermite.kernel() })
}

/// A unimodular matrix whose first rows are the rows of `matrix`; `None` if there is none, that
/// is, if the rows are linearly dependent or do not generate all integer points of their span.
pub fn unimodular_complete(matrix: &Matrix) -> Option<Matrix> {
    let hermite = left_hermite(matrix);
    let k = matrix.rows();
    if hermite.rank < k || !hermite.h.submatrix(0, k, 0, k).is_identity() {
        return None;
    }
    Some(hermite.q)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gauss;
    use proptest::prelude::*;

    fn matrix(rows: &[&[i64]]) -> Matrix {
        let cols = rows.first().map_or(0, |row| row.len());
        let rows = rows.iter().map(|row| row.iter().map(|&x| Int::from(x)).collect()).collect();
        Matrix::from_rows(rows, cols)
    }

    fn ints(values: &[i64]) -> Vec<Int> {
        values.iter().map(|&x| Int::from(x)).collect()
    }

    #[test]
    fn hermite_form_of_a_known_matrix() {
        let hermite = left_hermite(&matrix(&[&[2, 4, 6], &[1, 1, 5]]));
        assert_eq!(hermite.h, matrix(&[&[2, 0, 0], &[0, 1, 0]]));
        assert_eq!(hermite.pivot_rows, [0, 1]);
    }

    #[test]
    fn integer_solutions() {
        let m = matrix(&[&[6, 10, 15]]);
        let solution = solve_integer(&m, &ints(&[1])).unwrap();
        assert_eq!(m.mul_vec(&solution.particular), ints(&[1]));
        assert_eq!(solution.kernel.rows(), 2);
        assert!(solve_integer(&matrix(&[&[2, 4]]), &ints(&[3])).is_none());
        assert!(solve_integer(&matrix(&[&[1, 1], &[1, 1]]), &ints(&[3, 4])).is_none());
    }

    #[test]
    fn completion_needs_primitive_rows() {
        let m = matrix(&[&[2, 3, 0], &[0, 1, 1]]);
        let complete = unimodular_complete(&m).unwrap();
        assert_eq!(complete.submatrix(0, 2, 0, 3), m);
        assert!(gauss::det(&complete).abs().is_one());
        assert!(unimodular_complete(&matrix(&[&[2, 4]])).is_none());
        assert!(unimodular_complete(&matrix(&[&[1, 2], &[2, 4]])).is_none());
    }

    fn any_matrix() -> impl Strategy<Value = Matrix> {
        let element = prop_oneof![
            8 => -4i128..5,
            1 => Just((1 << 31) - 1),
            1 => Just(-(1 << 63) - 1),
        ];
        (0usize..5, 1usize..5).prop_flat_map(move |(rows, cols)| {
            proptest::collection::vec(element.clone(), rows * cols).prop_map(move |data| {
                let data: Vec<Int> = data.into_iter().map(Int::from).collect();
                Matrix::from_rows(data.chunks(cols).map(<[Int]>::to_vec).collect(), cols)
            })
        })
    }

    proptest! {
        #[test]
        fn hermite_form_has_its_defining_properties(m in any_matrix()) {
            let hermite = left_hermite(&m);
            prop_assert_eq!(&m.mul(&hermite.u), &hermite.h);
            prop_assert!(hermite.u.mul(&hermite.q).is_identity());
            prop_assert_eq!(hermite.rank, gauss::rank(&m));
            for (k, &row) in hermite.pivot_rows.iter().enumerate() {
                let pivot = hermite.h.get(row, k);
                prop_assert!(pivot.is_pos());
                prop_assert!((0..row).all(|i| hermite.h.get(i, k).is_zero()));
                for j in 0..k {
                    let left = hermite.h.get(row, j);
                    prop_assert!(!left.is_neg() && left < pivot);
                }
            }
            for j in hermite.rank..m.cols() {
                prop_assert!(vector::is_zero(&hermite.h.col(j)));
            }
        }

        #[test]
        fn every_reachable_right_hand_side_is_solved(m in any_matrix(), seed in -3i64..4) {
            let x: Vec<Int> = (0..m.cols() as i64).map(|i| Int::from(i * seed + 1)).collect();
            let rhs = m.mul_vec(&x);
            let solution = solve_integer(&m, &rhs).expect("x is a solution");
            prop_assert_eq!(m.mul_vec(&solution.particular), rhs);
            for vector in solution.kernel.iter_rows() {
                prop_assert!(vector::is_zero(&m.mul_vec(vector)));
            }
            let difference: Vec<Int> = x.iter().zip(&solution.particular).map(|(a, b)| a - b).collect();
            prop_assert!(solve_integer(&solution.kernel.transpose(), &difference).is_some());
        }
    }
}
