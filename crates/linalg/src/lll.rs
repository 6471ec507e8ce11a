//! Lattice basis reduction.
//!
//! **Problem.** Given linearly independent integer vectors, find a basis of the lattice they
//! generate that has short and nearly orthogonal vectors, the shorter ones first.
//!
//! **Definition.** With `b*_i` the part of `b_i` orthogonal to the vectors before it and
//! `mu_ij = (b_i . b*_j) / (b*_j . b*_j)`, a basis is *reduced* if `|mu_ij| <= 1/2` for all `j < i`
//! and `|b*_i + mu_i,i-1 b*_i-1|^2 >= 3/4 |b*_i-1|^2`.
//!
//! **Algorithm** of Lenstra, Lenstra and Lovász without fractions, \[Cohen1993\], algorithm 2.6.7:
//! the Gram determinants `d_i` of the first vectors and `lambda_ij = d_j mu_ij` are integers, and
//! stay so.
//!
//! 1. Bring `b_k` into the picture: compute `lambda_kj` and `d_k`.
//! 2. Subtract the multiple of `b_k-1` that makes `|mu_k,k-1| <= 1/2`. If then the condition fails,
//!    exchange both and step back to `k - 1`. Otherwise do the same with all earlier vectors, and
//!    step forward.
//!
//! Each exchange makes a determinant smaller by a quarter; so the number of steps is polynomial.

use poly_arith::Int;

use crate::matrix::Matrix;
use crate::vector;

/// A reduced basis and how it was obtained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// The vectors of the reduced basis.
    pub basis: Matrix,
    /// The unimodular `T` with `basis = T * given`.
    pub transform: Matrix,
    /// The transposed inverse of `T`.
    pub cotransform: Matrix,
    /// How many steps it took.
    pub steps: u64,
}

/// The state of the algorithm; see the module documentation.
struct State {
    result: Reduction,
    /// `d[i]` is the Gram determinant of the first `i` vectors, `d[0] = 1`.
    d: Vec<Int>,
    /// `lambda[i][j]` for `j < i`.
    lambda: Vec<Vec<Int>>,
}

/// Reduces a basis given by its vectors, the rows of the matrix.
///
/// # Panics
/// If the rows are linearly dependent.
pub fn reduce(given: &Matrix) -> Reduction {
    let n = given.rows();
    let identity = Matrix::identity(n);
    let result = Reduction { basis: given.clone(), transform: identity.clone(), cotransform: identity, steps: 0 };
    let mut state = State { result, d: vec![Int::ONE], lambda: Vec::with_capacity(n) };
    let mut k = 0;
    while k < n {
        if k == state.lambda.len() {
            state.take_up(k);
        }
        state.result.steps += 1;
        if k > 0 {
            state.shorten(k, k - 1);
            if state.must_exchange(k) {
                state.exchange(k);
                k = (k - 1).max(1);
                continue;
            }
            (0..k - 1).rev().for_each(|l| state.shorten(k, l));
        }
        k += 1;
    }
    state.result
}

impl State {
    /// Step 1.
    fn take_up(&mut self, k: usize) {
        let mut row: Vec<Int> = Vec::with_capacity(k);
        for j in 0..=k {
            let mut u = vector::dot(self.result.basis.row(k), self.result.basis.row(j));
            let others = if j == k { &row } else { &self.lambda[j] };
            for (i, (own, other)) in row.iter().zip(others).enumerate() {
                u = (&self.d[i + 1] * &u - own * other).div_exact(&self.d[i]);
            }
            if j == k {
                assert!(!u.is_zero(), "the vectors of a basis are linearly independent");
                self.d.push(u);
            } else {
                row.push(u);
            }
        }
        self.lambda.push(row);
    }

    /// Subtracts the multiple of vector `l` from vector `k` that makes it shortest.
    fn shorten(&mut self, k: usize, l: usize) {
        let d = &self.d[l + 1];
        // The nearest integer to lambda / d.
        let q = (&self.lambda[k][l] * 2 + d).div_floor(&(d * 2));
        if q.is_zero() {
            return;
        }
        let back = -&q;
        self.result.basis.add_row_multiple(k, &back, l);
        self.result.transform.add_row_multiple(k, &back, l);
        self.result.cotransform.add_row_multiple(l, &q, k);
        self.lambda[k][l] -= &(&q * &self.d[l + 1]);
        let (before, rest) = self.lambda.split_at_mut(k);
        for (x, y) in rest[0].iter_mut().zip(&before[l]) {
            *x -= &(&q * y);
        }
    }

    /// Does the condition on vector `k` and the one before fail?
    fn must_exchange(&self, k: usize) -> bool {
        let lambda = &self.lambda[k][k - 1];
        let here = &self.d[k + 1] * &self.d[k - 1] + lambda * lambda;
        let before = &self.d[k] * &self.d[k];
        here * 4 < before * 3
    }

    /// Exchanges vector `k` and the one before.
    fn exchange(&mut self, k: usize) {
        self.result.basis.swap_rows(k, k - 1);
        self.result.transform.swap_rows(k, k - 1);
        self.result.cotransform.swap_rows(k, k - 1);
        let lambda = self.lambda[k][k - 1].clone();
        let (before, rest) = self.lambda.split_at_mut(k);
        before[k - 1].swap_with_slice(&mut rest[0][..k - 1]);
        let middle = (&self.d[k - 1] * &self.d[k + 1] + &lambda * &lambda).div_exact(&self.d[k]);
        for row in &mut self.lambda[k + 1..] {
            let old = row[k].clone();
            row[k] = (&self.d[k + 1] * &row[k - 1] - &lambda * &old).div_exact(&self.d[k]);
            row[k - 1] = (&middle * &old + &lambda * &row[k]).div_exact(&self.d[k + 1]);
        }
        self.d[k] = middle;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use poly_arith::Rational;

    fn matrix(rows: &[&[i64]]) -> Matrix {
        let width = rows[0].len();
        Matrix::from_rows(rows.iter().map(|row| row.iter().map(|&x| Int::from(x)).collect()).collect(), width)
    }

    fn dot(a: &[Rational], b: &[Rational]) -> Rational {
        a.iter().zip(b).fold(Rational::ZERO, |sum, (x, y)| &sum + &(x * y))
    }

    /// Checks the definition with fractions.
    fn check(given: &Matrix) -> Reduction {
        let reduction = reduce(given);
        let basis = &reduction.basis;
        assert_eq!(*basis, reduction.transform.mul(given));
        let n = given.rows();
        assert!(reduction.transform.mul(&reduction.cotransform.transpose()).is_identity());
        let mut stars: Vec<Vec<Rational>> = Vec::new();
        for i in 0..n {
            let b: Vec<Rational> = basis.row(i).iter().map(Rational::from).collect();
            let mut star = b.clone();
            let mut last = Rational::ZERO;
            for other in &stars {
                let mu = &dot(&b, other) / &dot(other, other);
                assert!(mu.abs() <= Rational::new(Int::ONE, Int::from(2)), "{basis:?}");
                star = star.iter().zip(other).map(|(x, y)| x - &(&mu * y)).collect();
                last = mu;
            }
            if let Some(before) = stars.last() {
                let bound = &(&Rational::new(Int::from(3), Int::from(4)) - &(&last * &last)) * &dot(before, before);
                assert!(dot(&star, &star) >= bound, "{basis:?}");
            }
            stars.push(star);
        }
        reduction
    }

    #[test]
    fn a_known_basis() {
        let reduction = check(&matrix(&[&[1, 1, 1], &[-1, 0, 2], &[3, 5, 6]]));
        assert_eq!(reduction.basis, matrix(&[&[0, 1, 0], &[1, 0, 1], &[-2, 0, 1]]));
    }

    #[test]
    fn random_bases_are_reduced() {
        let mut state = 5u64;
        let mut next = |bound: i64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as i64 % bound - bound / 2
        };
        for round in 0..200 {
            let (n, m) = (1 + round % 4, 1 + round % 4 + round / 100);
            let bound = [9, 1000, 1 << 30][round % 3];
            let given =
                Matrix::from_rows((0..n).map(|_| (0..m).map(|_| Int::from(next(bound))).collect()).collect(), m);
            if crate::rank(&given) == n {
                check(&given);
            }
        }
    }

    #[test]
    fn a_basis_with_huge_numbers() {
        let big = Int::from(3).pow(200);
        let given = Matrix::from_rows(vec![vec![big.clone(), Int::ONE], vec![&big * &big, Int::from(7)]], 2);
        let reduction = check(&given);
        assert!(reduction.basis.row(0).iter().all(|x| x.bits() < 330), "{:?}", reduction.basis);
    }
}
