//! The arithmetic of tableau rows `[d, c, a_1, ..]`, which stand for `(c + a_1 y_1 + ..) / d`,
//! `d > 0`.
//!
//! All results are divided by the gcd of their elements.

use poly_arith::{Coeff, Overflow};

/// Solves the equation of a row for the unknown at position `at`: from `d y = c + a x + ..` follows
/// `a x = -c + d y - ..`.
pub(crate) fn solve_for<T: Coeff>(row: &mut [T], at: usize) {
    row.swap(0, at);
    if row[0].sign() < 0 {
        row[0] = row[0].neg();
        row[at] = row[at].neg();
    } else {
        for (index, value) in row.iter_mut().enumerate().skip(1) {
            if index != at {
                *value = value.neg();
            }
        }
    }
    T::row_normalize(row);
}

/// Replaces the unknown at position `at` of a row by its equation `pivot_row`.
pub(crate) fn substitute<T: Coeff>(row: &mut [T], pivot_row: &[T], at: usize) -> Result<(), Overflow> {
    let element = std::mem::replace(&mut row[at], T::zero());
    let gcd = element.gcd(&pivot_row[0]);
    let (factor, scale) = (element.div_exact(&gcd), pivot_row[0].div_exact(&gcd));
    row[0] = row[0].mul(&scale)?;
    T::row_combine(&mut row[1..], &scale, &pivot_row[1..], &factor)?;
    T::row_normalize(row);
    Ok(())
}

/// `row += value * other`
pub(crate) fn add_scaled_row<T: Coeff>(row: &mut [T], value: &T, other: &[T]) -> Result<(), Overflow> {
    let gcd = row[0].gcd(&other[0]);
    let scale = other[0].div_exact(&gcd);
    let factor = row[0].div_exact(&gcd).mul(value)?;
    row[0] = row[0].mul(&scale)?;
    T::row_combine(&mut row[1..], &scale, &other[1..], &factor)?;
    T::row_normalize(row);
    Ok(())
}
