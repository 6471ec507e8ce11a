//! Division, divisibility and common divisors of [`Int`].
//!
//! Two roundings are offered and no operator `/`: which one is meant is always written out.
//! `div_floor` and `mod_floor` belong together (`a = b * div_floor(a, b) + mod_floor(a, b)`), the
//! remainder having the sign of the divisor.

use super::big::Integer;
use super::{Int, Repr};

/// The floored quotient, or `None` on overflow (`i64::MIN / -1`).
#[inline]
fn small_div_floor(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    let inexact = quotient * b != a;
    Some(if inexact && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

/// The remainder of the floored division, which has the sign of `b`.
#[inline]
fn small_mod_floor(a: i64, b: i64) -> i64 {
    let remainder = a.wrapping_rem(b);
    if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder }
}

/// The greatest common divisor of two magnitudes by Stein's method; `gcd(0, x) = x`. Which of two
/// odd numbers is the larger one cannot be predicted, so nothing branches on it.
pub(crate) fn gcd_u64(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    b >>= b.trailing_zeros();
    while a != b {
        let difference = a.abs_diff(b);
        b = a.min(b);
        a = difference >> difference.trailing_zeros();
    }
    a << shift
}

/// The floored quotient and the remainder, which has the sign of `b`, of numbers that are not both
/// the extremes.
fn div_mod_floor_i128(a: i128, b: i128) -> (i128, i128) {
    let (quotient, remainder) = (a / b, a % b);
    if remainder != 0 && (remainder < 0) != (b < 0) { (quotient - 1, remainder + b) } else { (quotient, remainder) }
}

/// Both numbers if they fit 128 bits and can be divided there: numbers that solvers meet hardly
/// ever have more.
fn both_i128(a: &Int, b: &Int) -> Option<(i128, i128)> {
    let (a, b) = (a.to_i128()?, b.to_i128()?);
    (a != i128::MIN).then_some((a, b))
}

impl Int {
    fn assert_divisor(divisor: &Int) {
        assert!(!divisor.is_zero(), "division by zero");
    }

    /// The quotient rounded towards negative infinity.
    ///
    /// # Panics
    /// If `divisor` is 0.
    pub fn div_floor(&self, divisor: &Int) -> Int {
        Int::assert_divisor(divisor);
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &divisor.0)
            && let Some(quotient) = small_div_floor(*a, *b)
        {
            return Int::small(quotient);
        }
        if let Some((a, b)) = both_i128(self, divisor) {
            return Int::from(div_mod_floor_i128(a, b).0);
        }
        Int::from_big(self.to_big().div_rem_floor(divisor.to_big()).0)
    }

    /// The quotient rounded towards positive infinity.
    ///
    /// # Panics
    /// If `divisor` is 0.
    pub fn div_ceil(&self, divisor: &Int) -> Int {
        let quotient = self.div_floor(divisor);
        if self.is_divisible_by(divisor) { quotient } else { quotient + Int::ONE }
    }

    /// The remainder of the floored division: `self - divisor * self.div_floor(divisor)`. It is 0
    /// or has the sign of the divisor.
    ///
    /// # Panics
    /// If `divisor` is 0.
    pub fn mod_floor(&self, divisor: &Int) -> Int {
        Int::assert_divisor(divisor);
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &divisor.0) {
            return Int::small(small_mod_floor(*a, *b));
        }
        if let Some((a, b)) = both_i128(self, divisor) {
            return Int::from(div_mod_floor_i128(a, b).1);
        }
        Int::from_big(self.to_big().div_rem_floor(divisor.to_big()).1)
    }

    /// The quotient of a division known to leave no remainder.
    ///
    /// # Panics
    /// If `divisor` is 0; in debug builds also if there is a remainder.
    pub fn div_exact(&self, divisor: &Int) -> Int {
        Int::assert_divisor(divisor);
        debug_assert!(self.is_divisible_by(divisor), "{self} is not a multiple of {divisor}");
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &divisor.0)
            && let Some(quotient) = a.checked_div(*b)
        {
            return Int::small(quotient);
        }
        if let Some((a, b)) = both_i128(self, divisor) {
            return Int::from(a / b);
        }
        match (&self.0, &divisor.0) {
            (Repr::Big(a), Repr::Big(b)) => Int::from_big(Integer::from(a.div_exact_ref(b))),
            _ => Int::from_big(self.to_big().div_exact(&divisor.to_big())),
        }
    }

    /// Is `self` a multiple of `divisor`? Only 0 is a multiple of 0.
    pub fn is_divisible_by(&self, divisor: &Int) -> bool {
        match (&self.0, &divisor.0) {
            (_, Repr::Small(0)) => self.is_zero(),
            (Repr::Small(a), Repr::Small(b)) => a.wrapping_rem(*b) == 0,
            (Repr::Big(a), Repr::Big(b)) => a.is_divisible(b),
            _ => match both_i128(self, divisor) {
                Some((a, b)) => a % b == 0,
                None => self.to_big().is_divisible(&divisor.to_big()),
            },
        }
    }

    /// The greatest common divisor, never negative; `gcd(0, 0)` is 0.
    pub fn gcd(&self, other: &Int) -> Int {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => Int::from(gcd_u64(a.unsigned_abs(), b.unsigned_abs())),
            (Repr::Big(a), Repr::Big(b)) => Int::from_big(Integer::from(a.gcd_ref(b))),
            (Repr::Small(small), Repr::Big(big)) | (Repr::Big(big), Repr::Small(small)) => {
                if *small == 0 {
                    return Int::from_big(Integer::from(big.abs_ref()));
                }
                let small = small.unsigned_abs();
                let rest = match big.to_i128() {
                    Some(big) => u64::try_from(big.unsigned_abs() % u128::from(small)).ok(),
                    None => Integer::from(&**big % small).abs().to_u64(),
                };
                Int::from(gcd_u64(small, rest.expect("a remainder is smaller than the divisor")))
            }
        }
    }

    /// The least common multiple, never negative; 0 if an operand is 0.
    pub fn lcm(&self, other: &Int) -> Int {
        if self.is_zero() || other.is_zero() {
            return Int::ZERO;
        }
        (self.div_exact(&self.gcd(other)) * other).abs()
    }

    /// `(g, x, y)` with `g = gcd(self, other) = self * x + other * y` and `g >= 0`.
    pub fn ext_gcd(&self, other: &Int) -> (Int, Int, Int) {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0) {
            let (g, x, y) = ext_gcd_i128(i128::from(*a), i128::from(*b));
            return (Int::from(g), Int::from(x), Int::from(y));
        }
        let (g, x, y) = self.to_big().extended_gcd(other.to_big(), Integer::new());
        (Int::from_big(g), Int::from_big(x), Int::from_big(y))
    }
}

/// Euclid's extended algorithm; no intermediate value exceeds the larger magnitude by more than
/// one bit, so 64-bit inputs are safe.
fn ext_gcd_i128(a: i128, b: i128) -> (i128, i128, i128) {
    let (mut r0, mut r1) = (a, b);
    let (mut x0, mut x1) = (1, 0);
    let (mut y0, mut y1) = (0, 1);
    while r1 != 0 {
        let quotient = r0 / r1;
        (r0, r1) = (r1, r0 - quotient * r1);
        (x0, x1) = (x1, x0 - quotient * x1);
        (y0, y1) = (y1, y0 - quotient * y1);
    }
    if r0 < 0 { (-r0, -x0, -y0) } else { (r0, x0, y0) }
}
