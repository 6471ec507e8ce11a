//! What a solver kernel computes with: [`Coeff`], its two implementations, and row kernels.
//!
//! A kernel is written once, generic over `T: Coeff`, and returns `Result<_, Overflow>` (or an
//! error that [`Overflow`] converts to). It is run with `T = i64` first; if any operation overflows
//! the whole kernel is repeated with `T = Int` from the same input. Widths are never mixed inside a
//! kernel, so the narrow path is plain 64-bit arithmetic on contiguous rows.
//!
//! Values of type `i64` that take part are never `i64::MIN`: producing it counts as overflow. That
//! makes negation and absolute values total.

use std::cmp::Ordering;
use std::fmt::{Debug, Display};
use std::hash::Hash;

use crate::Int;
use crate::int::gcd_u64;

/// The result of an operation does not fit the coefficient type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;

impl Display for Overflow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the result does not fit the coefficient type")
    }
}

impl std::error::Error for Overflow {}

/// A coefficient of a solver kernel: an integer ring with exact division, where each operation may
/// report [`Overflow`] instead of giving a wrong result.
pub trait Coeff: Clone + Eq + Ord + Hash + Debug + Display + Send + Sync + 'static {
    /// The value 0.
    fn zero() -> Self;
    /// The value 1.
    fn one() -> Self;
    /// A small constant.
    fn from_i32(value: i32) -> Self;
    /// Converts from an integer at rest.
    fn from_int(value: &Int) -> Result<Self, Overflow>;
    /// Converts to an integer at rest.
    fn to_int(&self) -> Int;

    /// The sign: -1, 0 or 1.
    fn sign(&self) -> i32;
    /// Is the value 0?
    fn is_zero(&self) -> bool {
        self.sign() == 0
    }
    /// Is the value 1?
    fn is_one(&self) -> bool;

    /// `self + other`
    fn add(&self, other: &Self) -> Result<Self, Overflow>;
    /// `self - other`
    fn sub(&self, other: &Self) -> Result<Self, Overflow>;
    /// `self * other`
    fn mul(&self, other: &Self) -> Result<Self, Overflow>;
    /// `-self`
    fn neg(&self) -> Self;
    /// `|self|`
    fn abs(&self) -> Self {
        if self.sign() < 0 { self.neg() } else { self.clone() }
    }
    /// `self / other`, known to leave no remainder; `other` is not 0.
    fn div_exact(&self, other: &Self) -> Self;
    /// The quotient rounded down; `other` is not 0.
    fn div_floor(&self, other: &Self) -> Self;
    /// `self - other * self.div_floor(other)`; `other` is not 0.
    fn mod_floor(&self, other: &Self) -> Self;
    /// The greatest common divisor, not negative.
    fn gcd(&self, other: &Self) -> Self;
    /// Compares `a * b` with `c * d`; never overflows.
    fn cmp_products(a: &Self, b: &Self, c: &Self, d: &Self) -> Ordering;

    /// `dst = a * dst + b * src`, element by element. After an overflow `dst` holds an unspecified
    /// mixture.
    fn row_combine(dst: &mut [Self], a: &Self, src: &[Self], b: &Self) -> Result<(), Overflow>;

    /// The greatest common divisor of a row, 0 for a row of zeros.
    fn row_gcd(row: &[Self]) -> Self {
        let mut gcd = Self::zero();
        for value in row {
            if !value.is_zero() {
                gcd = gcd.gcd(value);
                if gcd.is_one() {
                    break;
                }
            }
        }
        gcd
    }

    /// How many times longer an operation on the elements of a row takes than one on machine
    /// integers, roughly.
    fn row_weight(_row: &[Self]) -> u64 {
        1
    }

    /// Divides a row by the greatest common divisor of its elements, which is returned.
    fn row_normalize(row: &mut [Self]) -> Self {
        let gcd = Self::row_gcd(row);
        if !gcd.is_zero() && !gcd.is_one() {
            for value in row {
                *value = value.div_exact(&gcd);
            }
        }
        gcd
    }

    /// The scalar product of two rows of equal length.
    fn dot(a: &[Self], b: &[Self]) -> Result<Self, Overflow> {
        debug_assert_eq!(a.len(), b.len());
        let mut sum = Self::zero();
        for (x, y) in a.iter().zip(b) {
            if !x.is_zero() && !y.is_zero() {
                sum = sum.add(&x.mul(y)?)?;
            }
        }
        Ok(sum)
    }

    /// Converts a row of integers at rest.
    fn row_from_ints(row: &[Int]) -> Result<Vec<Self>, Overflow> {
        row.iter().map(Self::from_int).collect()
    }
}

/// Excludes `i64::MIN`, so that negation is total.
#[inline]
fn in_range(value: Option<i64>) -> Result<i64, Overflow> {
    match value {
        Some(value) if value != i64::MIN => Ok(value),
        _ => Err(Overflow),
    }
}

/// An upper bound of the bit length of every magnitude in the row.
#[inline]
fn magnitude_bits(row: &[i64]) -> u32 {
    let mut any = 0u64;
    for &value in row {
        any |= (value ^ (value >> 63)) as u64;
    }
    // `x ^ (x >> 63)` is `-x - 1` for negative x; one more bit covers the difference.
    (u64::BITS - any.leading_zeros()) + 1
}

impl Coeff for i64 {
    #[inline]
    fn zero() -> i64 {
        0
    }

    #[inline]
    fn one() -> i64 {
        1
    }

    #[inline]
    fn from_i32(value: i32) -> i64 {
        i64::from(value)
    }

    #[inline]
    fn from_int(value: &Int) -> Result<i64, Overflow> {
        in_range(value.to_i64())
    }

    #[inline]
    fn to_int(&self) -> Int {
        Int::from(*self)
    }

    #[inline]
    fn sign(&self) -> i32 {
        self.signum() as i32
    }

    #[inline]
    fn is_zero(&self) -> bool {
        *self == 0
    }

    #[inline]
    fn is_one(&self) -> bool {
        *self == 1
    }

    #[inline]
    fn add(&self, other: &i64) -> Result<i64, Overflow> {
        in_range(self.checked_add(*other))
    }

    #[inline]
    fn sub(&self, other: &i64) -> Result<i64, Overflow> {
        in_range(self.checked_sub(*other))
    }

    #[inline]
    fn mul(&self, other: &i64) -> Result<i64, Overflow> {
        in_range(self.checked_mul(*other))
    }

    #[inline]
    fn neg(&self) -> i64 {
        debug_assert_ne!(*self, i64::MIN, "i64::MIN is not a coefficient");
        self.wrapping_neg()
    }

    #[inline]
    fn div_exact(&self, other: &i64) -> i64 {
        debug_assert_eq!(self % other, 0, "{self} is not a multiple of {other}");
        self / other
    }

    #[inline]
    fn div_floor(&self, other: &i64) -> i64 {
        let quotient = self / other;
        if quotient * other != *self && (*self < 0) != (*other < 0) { quotient - 1 } else { quotient }
    }

    #[inline]
    fn mod_floor(&self, other: &i64) -> i64 {
        let remainder = self % other;
        if remainder != 0 && (remainder < 0) != (*other < 0) { remainder + other } else { remainder }
    }

    #[inline]
    fn gcd(&self, other: &i64) -> i64 {
        gcd_u64(self.unsigned_abs(), other.unsigned_abs()) as i64
    }

    #[inline]
    fn cmp_products(a: &i64, b: &i64, c: &i64, d: &i64) -> Ordering {
        (i128::from(*a) * i128::from(*b)).cmp(&(i128::from(*c) * i128::from(*d)))
    }

    fn row_combine(dst: &mut [i64], a: &i64, src: &[i64], b: &i64) -> Result<(), Overflow> {
        debug_assert_eq!(dst.len(), src.len());
        let bits = |value: &i64| u64::BITS - value.unsigned_abs().leading_zeros();
        let left = magnitude_bits(dst) + bits(a);
        let right = magnitude_bits(src) + bits(b);
        if left.max(right) < 62 {
            for (x, y) in dst.iter_mut().zip(src) {
                *x = x.wrapping_mul(*a).wrapping_add(y.wrapping_mul(*b));
            }
            return Ok(());
        }
        for (x, y) in dst.iter_mut().zip(src) {
            let wide = i128::from(*x) * i128::from(*a) + i128::from(*y) * i128::from(*b);
            *x = in_range(i64::try_from(wide).ok())?;
        }
        Ok(())
    }
}

impl Coeff for Int {
    fn row_weight(row: &[Int]) -> u64 {
        /// Words from which on products and divisors take time with the square of the length, less
        /// is mostly the calls.
        const LONG: u64 = 8;
        const CALLS: u64 = 16;
        let bits = row.iter().map(Int::bits).max().unwrap_or(0);
        match u64::from(bits.div_ceil(63)) {
            0 | 1 => 1,
            words => CALLS * words * words.div_ceil(LONG),
        }
    }

    fn zero() -> Int {
        Int::ZERO
    }

    fn one() -> Int {
        Int::ONE
    }

    fn from_i32(value: i32) -> Int {
        Int::from(value)
    }

    fn from_int(value: &Int) -> Result<Int, Overflow> {
        Ok(value.clone())
    }

    fn to_int(&self) -> Int {
        self.clone()
    }

    fn sign(&self) -> i32 {
        self.signum()
    }

    fn is_one(&self) -> bool {
        Int::is_one(self)
    }

    fn add(&self, other: &Int) -> Result<Int, Overflow> {
        Ok(self + other)
    }

    fn sub(&self, other: &Int) -> Result<Int, Overflow> {
        Ok(self - other)
    }

    fn mul(&self, other: &Int) -> Result<Int, Overflow> {
        Ok(self * other)
    }

    fn neg(&self) -> Int {
        -self
    }

    fn div_exact(&self, other: &Int) -> Int {
        Int::div_exact(self, other)
    }

    fn div_floor(&self, other: &Int) -> Int {
        Int::div_floor(self, other)
    }

    fn mod_floor(&self, other: &Int) -> Int {
        Int::mod_floor(self, other)
    }

    fn gcd(&self, other: &Int) -> Int {
        Int::gcd(self, other)
    }

    fn cmp_products(a: &Int, b: &Int, c: &Int, d: &Int) -> Ordering {
        match (a.to_i64(), b.to_i64(), c.to_i64(), d.to_i64()) {
            (Some(a), Some(b), Some(c), Some(d)) => i64::cmp_products(&a, &b, &c, &d),
            _ => (a * b).cmp(&(c * d)),
        }
    }

    fn row_combine(dst: &mut [Int], a: &Int, src: &[Int], b: &Int) -> Result<(), Overflow> {
        debug_assert_eq!(dst.len(), src.len());
        let (keep, take) = (a.is_one(), !b.is_zero());
        for (x, y) in dst.iter_mut().zip(src) {
            if !keep && !x.is_zero() {
                *x *= a;
            }
            if take && !y.is_zero() {
                *x += y * b;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_operations_report_overflow() {
        assert_eq!(Coeff::add(&i64::MAX, &1), Err(Overflow));
        assert_eq!(Coeff::sub(&-i64::MAX, &1), Err(Overflow), "i64::MIN is excluded");
        assert_eq!(Coeff::mul(&(1 << 32), &(1 << 31)), Err(Overflow));
        assert_eq!(Coeff::mul(&(1 << 31), &(1 << 31)), Ok(1 << 62));
        assert_eq!(i64::from_int(&Int::from(i64::MIN)), Err(Overflow));
    }

    #[test]
    fn row_combine_agrees_between_widths_near_the_limit() {
        let magnitudes = [0, 1, 3, (1 << 30) - 1, 1 << 31, 1 << 32, (1 << 61) + 5, i64::MAX - 1, i64::MAX];
        let values: Vec<i64> = magnitudes.iter().flat_map(|&m| [m, -m]).collect();
        for &a in &values {
            for &b in &values {
                for &x in &values {
                    for &y in &values {
                        let mut narrow = [x, 1];
                        let mut wide = [Int::from(x), Int::ONE];
                        let result = i64::row_combine(&mut narrow, &a, &[y, 0], &b);
                        let src = [Int::from(y), Int::ZERO];
                        Int::row_combine(&mut wide, &Int::from(a), &src, &Int::from(b)).unwrap();
                        let fits = wide.iter().all(|v| i64::from_int(v).is_ok());
                        assert_eq!(result.is_ok(), fits, "{a} * {x} + {b} * {y}");
                        if fits {
                            assert_eq!(narrow.map(Int::from), wide);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn products_are_compared_exactly() {
        let big = i64::MAX;
        assert_eq!(i64::cmp_products(&big, &big, &(big - 1), &big), Ordering::Greater);
        assert_eq!(i64::cmp_products(&big, &-big, &-big, &big), Ordering::Equal);
    }

    #[test]
    fn rows_are_normalized_by_their_gcd() {
        let mut row = [6i64, -9, 0, 12];
        assert_eq!(i64::row_normalize(&mut row), 3);
        assert_eq!(row, [2, -3, 0, 4]);
        let mut zeros = [0i64; 3];
        assert_eq!(i64::row_normalize(&mut zeros), 0);
        assert_eq!(i64::dot(&row, &[1, 1, 1, 1]), Ok(3));
    }
}
