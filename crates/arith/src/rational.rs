//! Reduced fractions.
//!
//! *Invariants:* the denominator is positive, numerator and denominator have no common divisor,
//! and 0 is `0/1`. Equality and hashing are therefore structural.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::Int;

/// An exact rational number.
///
/// ```
/// use poly_arith::{Int, Rational};
///
/// let half = Rational::new(Int::from(-2), Int::from(-4));
/// assert_eq!(half.to_string(), "1/2");
/// assert_eq!((&half + &half), Rational::from(Int::ONE));
/// assert_eq!((-&half).floor(), Int::from(-1));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational {
    num: Int,
    den: Int,
}

impl Rational {
    /// The rational 0.
    pub const ZERO: Rational = Rational { num: Int::ZERO, den: Int::ONE };
    /// The rational 1.
    pub const ONE: Rational = Rational { num: Int::ONE, den: Int::ONE };

    /// `num / den` in reduced form.
    ///
    /// # Panics
    /// If `den` is 0.
    pub fn new(num: Int, den: Int) -> Rational {
        assert!(!den.is_zero(), "a rational needs a non-zero denominator");
        let gcd = num.gcd(&den);
        let gcd = if den.is_neg() { -gcd } else { gcd };
        if gcd.is_one() {
            return Rational { num, den };
        }
        Rational { num: num.div_exact(&gcd), den: den.div_exact(&gcd) }
    }

    /// The numerator; it has the sign of the number.
    pub fn num(&self) -> &Int {
        &self.num
    }

    /// The denominator, positive.
    pub fn den(&self) -> &Int {
        &self.den
    }

    /// Is the number 0?
    pub fn is_zero(&self) -> bool {
        self.num.is_zero()
    }

    /// Is the number negative?
    pub fn is_neg(&self) -> bool {
        self.num.is_neg()
    }

    /// Is the number positive?
    pub fn is_pos(&self) -> bool {
        self.num.is_pos()
    }

    /// The sign: -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        self.num.signum()
    }

    /// Is the number an integer?
    pub fn is_integer(&self) -> bool {
        self.den.is_one()
    }

    /// The integer value, if the number is an integer.
    pub fn to_int(&self) -> Option<Int> {
        self.is_integer().then(|| self.num.clone())
    }

    /// The largest integer not above the number.
    pub fn floor(&self) -> Int {
        self.num.div_floor(&self.den)
    }

    /// The smallest integer not below the number.
    pub fn ceil(&self) -> Int {
        self.num.div_ceil(&self.den)
    }

    /// The absolute value.
    pub fn abs(&self) -> Rational {
        Rational { num: self.num.abs(), den: self.den.clone() }
    }

    /// The reciprocal.
    ///
    /// # Panics
    /// If the number is 0.
    pub fn recip(&self) -> Rational {
        Rational::new(self.den.clone(), self.num.clone())
    }
}

impl Default for Rational {
    fn default() -> Rational {
        Rational::ZERO
    }
}

impl From<Int> for Rational {
    fn from(num: Int) -> Rational {
        Rational { num, den: Int::ONE }
    }
}

impl From<&Int> for Rational {
    fn from(num: &Int) -> Rational {
        Rational::from(num.clone())
    }
}

impl From<i64> for Rational {
    fn from(num: i64) -> Rational {
        Rational::from(Int::from(num))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        if self.den == other.den {
            return self.num.cmp(&other.num);
        }
        (&self.num * &other.den).cmp(&(&other.num * &self.den))
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Add<&Rational> for &Rational {
    type Output = Rational;

    fn add(self, other: &Rational) -> Rational {
        Rational::new(&self.num * &other.den + &other.num * &self.den, &self.den * &other.den)
    }
}

impl Sub<&Rational> for &Rational {
    type Output = Rational;

    fn sub(self, other: &Rational) -> Rational {
        Rational::new(&self.num * &other.den - &other.num * &self.den, &self.den * &other.den)
    }
}

impl Mul<&Rational> for &Rational {
    type Output = Rational;

    fn mul(self, other: &Rational) -> Rational {
        Rational::new(&self.num * &other.num, &self.den * &other.den)
    }
}

/// # Panics
/// Division panics if the divisor is 0.
impl Div<&Rational> for &Rational {
    type Output = Rational;

    fn div(self, other: &Rational) -> Rational {
        Rational::new(&self.num * &other.den, &self.den * &other.num)
    }
}

impl Neg for &Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        Rational { num: -&self.num, den: self.den.clone() }
    }
}

impl Neg for Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        -&self
    }
}

macro_rules! forward_by_value {
    ($($Op:ident $op:ident),*) => {$(
        impl $Op<Rational> for Rational {
            type Output = Rational;

            fn $op(self, other: Rational) -> Rational {
                (&self).$op(&other)
            }
        }

        impl $Op<&Rational> for Rational {
            type Output = Rational;

            fn $op(self, other: &Rational) -> Rational {
                (&self).$op(other)
            }
        }

        impl $Op<Rational> for &Rational {
            type Output = Rational;

            fn $op(self, other: Rational) -> Rational {
                self.$op(&other)
            }
        }
    )*};
}
forward_by_value!(Add add, Sub sub, Mul mul, Div div);

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_integer() { fmt::Display::fmt(&self.num, f) } else { write!(f, "{}/{}", self.num, self.den) }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(num: i64, den: i64) -> Rational {
        Rational::new(Int::from(num), Int::from(den))
    }

    #[test]
    fn reduced_with_positive_denominator() {
        assert_eq!(ratio(6, -4).to_string(), "-3/2");
        assert_eq!(ratio(0, -4), Rational::ZERO);
        assert_eq!(ratio(i64::MIN, -1).to_string(), "9223372036854775808");
    }

    #[test]
    fn arithmetic_and_order() {
        assert_eq!(ratio(1, 2) + ratio(1, 3), ratio(5, 6));
        assert_eq!(ratio(1, 2) - ratio(1, 3), ratio(1, 6));
        assert_eq!(ratio(2, 3) * ratio(3, 4), ratio(1, 2));
        assert_eq!(ratio(2, 3) / ratio(-4, 3), ratio(-1, 2));
        assert!(ratio(-1, 2) < ratio(-1, 3));
        assert!(ratio(7, 3) > ratio(2, 1));
    }

    #[test]
    fn rounding() {
        assert_eq!((ratio(-7, 2).floor(), ratio(-7, 2).ceil()), (Int::from(-4), Int::from(-3)));
        assert_eq!((ratio(6, 2).floor(), ratio(6, 2).ceil()), (Int::from(3), Int::from(3)));
    }
}
