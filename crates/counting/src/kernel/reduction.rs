//! Reduced lattice bases, after Lenstra, Lenstra and Lovász.
//!
//! The rows of a basis are *size-reduced* (projections on earlier rows of at most one half) and satisfy Lovász's
//! condition with factor 3/4; the first of them is then short. All numbers are integers: the Gram-Schmidt
//! coefficients are kept multiplied by the Gram determinants `d_j`, \[Cohen1993\], algorithm 2.6.7, in a form
//! that computes them anew after each exchange of rows.

use poly_arith::Int;
use poly_linalg::{Matrix, vector};
use poly_presburger::{Budget, Stop};

/// Gram determinants `d_0 = 1, d_1, ...` and coefficients `lambda[i][j] = d_(j+1) mu_(i,j)` for `j < i`.
struct Gram {
    dets: Vec<Int>,
    lambda: Vec<Vec<Int>>,
}

impl Gram {
    fn of(basis: &Matrix) -> Gram {
        let n = basis.rows();
        let mut gram = Gram { dets: vec![Int::ONE], lambda: Vec::with_capacity(n) };
        for k in 0..n {
            let mut row: Vec<Int> = Vec::with_capacity(k);
            for j in 0..=k {
                let mut u = vector::dot(basis.row(k), basis.row(j));
                let others = if j == k { &row } else { &gram.lambda[j] };
                for (i, (own, other)) in row.iter().zip(others).enumerate() {
                    u = (&(&gram.dets[i + 1] * &u) - &(own * other)).div_exact(&gram.dets[i]);
                }
                if j == k { gram.dets.push(u) } else { row.push(u) }
            }
            gram.lambda.push(row);
        }
        gram
    }

    /// Whether rows `k - 1` and `k` satisfy Lovász's condition.
    fn is_ordered(&self, k: usize) -> bool {
        let lambda = &self.lambda[k][k - 1];
        let left = &(&(&self.dets[k + 1] * &self.dets[k - 1]) + &(lambda * lambda)) * 4;
        left >= &(&self.dets[k] * &self.dets[k]) * 3
    }
}

/// Subtracts from row `k` the multiple of row `j` that makes its projection on it small.
fn size_reduce(basis: &mut Matrix, gram: &mut Gram, k: usize, j: usize) {
    let det = &gram.dets[j + 1];
    let quotient = (&(&gram.lambda[k][j] * 2) + det).div_floor(&(det * 2));
    if quotient.is_zero() {
        return;
    }
    let det = det.clone();
    basis.add_row_multiple(k, &-&quotient, j);
    let earlier = gram.lambda[j].clone();
    gram.lambda[k][j] -= &quotient * &det;
    vector::add_multiple(&mut gram.lambda[k][..j], &-&quotient, &earlier);
}

/// Replaces the rows, which must be linearly independent, by a reduced basis of the lattice that they generate.
pub(crate) fn reduce(basis: &mut Matrix, budget: &mut Budget) -> Result<(), Stop> {
    let n = basis.rows();
    let mut gram = Gram::of(basis);
    let mut k = 1;
    while k < n {
        budget.spend(n as u64)?;
        size_reduce(basis, &mut gram, k, k - 1);
        if gram.is_ordered(k) {
            (0..k - 1).rev().for_each(|j| size_reduce(basis, &mut gram, k, j));
            k += 1;
        } else {
            budget.spend((n * n) as u64)?;
            basis.swap_rows(k, k - 1);
            gram = Gram::of(basis);
            k = (k - 1).max(1);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use poly_linalg::hermite;
    use proptest::prelude::*;

    #[test]
    fn a_long_basis_becomes_short() {
        let rows = [[1, 0, 10_007], [0, 1, 4_099], [0, 0, 20_011]];
        let rows = rows.iter().map(|row| row.iter().map(|&x| Int::from(x)).collect()).collect();
        let mut basis = Matrix::from_rows(rows, 3);
        reduce(&mut basis, &mut Budget::unlimited()).unwrap();
        assert!(basis.iter_rows().flatten().all(|x| x.abs() < 100), "{basis}");
    }

    proptest! {
        #[test]
        fn the_lattice_stays_the_same(data in proptest::collection::vec(-40i64..40, 16)) {
            let data: Vec<Int> = data.into_iter().map(Int::from).collect();
            let before = Matrix::from_rows(data.chunks(4).map(<[Int]>::to_vec).collect(), 4);
            prop_assume!(!poly_linalg::det(&before).is_zero());
            let mut after = before.clone();
            reduce(&mut after, &mut Budget::unlimited()).unwrap();
            let form = |m: &Matrix| hermite::left_hermite(&m.transpose()).h;
            prop_assert_eq!(form(&before), form(&after));
            let gram = Gram::of(&after);
            for k in 1..4 {
                prop_assert!(gram.is_ordered(k));
                for j in 0..k {
                    prop_assert!(&gram.lambda[k][j].abs() * 2 <= gram.dets[j + 1]);
                }
            }
        }
    }
}
