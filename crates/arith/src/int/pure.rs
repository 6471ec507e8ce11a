//! Integers of any size in Rust alone: the part of rug's `Integer` that [`Int`](super::Int) uses,
//! over dashu's `IBig`.
//!
//! So that nothing else knows which of both it is. Where rug returns a computation that is not yet
//! done, here is its result.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Rem, Sub, SubAssign};
use std::str::FromStr;

use dashu_int::ops::{Abs, BitTest, DivRem, ExtendedGcd, Gcd};
use dashu_int::{IBig, Sign, UBig};

/// An integer of any size.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Integer(IBig);

/// `base` to the power `exponent`.
pub(crate) fn power(base: &Integer, exponent: u32) -> Integer {
    Integer(base.0.pow(usize::try_from(exponent).expect("exponents are small")))
}

impl Integer {
    pub(crate) fn new() -> Integer {
        Integer(IBig::ZERO)
    }

    pub(crate) fn to_i64(&self) -> Option<i64> {
        i64::try_from(&self.0).ok()
    }

    pub(crate) fn to_i128(&self) -> Option<i128> {
        i128::try_from(&self.0).ok()
    }

    pub(crate) fn to_u64(&self) -> Option<u64> {
        u64::try_from(&self.0).ok()
    }

    /// The comparison with 0.
    pub(crate) fn cmp0(&self) -> Ordering {
        if self.0.is_zero() {
            return Ordering::Equal;
        }
        match self.0.sign() {
            Sign::Positive => Ordering::Greater,
            Sign::Negative => Ordering::Less,
        }
    }

    pub(crate) fn cmp_abs(&self, other: &Integer) -> Ordering {
        self.magnitude().cmp(&other.magnitude())
    }

    fn magnitude(&self) -> UBig {
        self.0.clone().into_parts().1
    }

    /// The number of bits of the absolute value.
    pub(crate) fn significant_bits(&self) -> u32 {
        u32::try_from(self.magnitude().bit_len()).expect("integers have less than 2^32 bits")
    }

    pub(crate) fn abs(self) -> Integer {
        Integer(self.0.abs())
    }

    pub(crate) fn abs_ref(&self) -> Integer {
        Integer(self.0.clone().abs())
    }

    /// The quotient rounded down, and the remainder, which has the sign of the divisor.
    pub(crate) fn div_rem_floor(self, divisor: Integer) -> (Integer, Integer) {
        let (quotient, remainder) = (&self.0).div_rem(&divisor.0);
        if remainder.is_zero() || remainder.sign() == divisor.0.sign() {
            return (Integer(quotient), Integer(remainder));
        }
        (Integer(quotient - IBig::ONE), Integer(remainder + divisor.0))
    }

    /// The quotient of a division without remainder.
    pub(crate) fn div_exact(self, divisor: &Integer) -> Integer {
        self.div_exact_ref(divisor)
    }

    pub(crate) fn div_exact_ref(&self, divisor: &Integer) -> Integer {
        Integer(&self.0 / &divisor.0)
    }

    pub(crate) fn is_divisible(&self, divisor: &Integer) -> bool {
        if divisor.0.is_zero() { self.0.is_zero() } else { (&self.0 % &divisor.0).is_zero() }
    }

    pub(crate) fn gcd_ref(&self, other: &Integer) -> Integer {
        // The greatest common divisor of 0 and 0 is 0 here.
        if self.0.is_zero() {
            return other.abs_ref();
        }
        Integer(IBig::from((&self.0).gcd(&other.0)))
    }

    /// The greatest common divisor `g` with `g = self * x + other * y`; the last argument is
    /// storage that is not needed.
    pub(crate) fn extended_gcd(self, other: Integer, _: Integer) -> (Integer, Integer, Integer) {
        if self.0.is_zero() && other.0.is_zero() {
            return (Integer::new(), Integer::new(), Integer::new());
        }
        let (gcd, x, y) = (&self.0).gcd_ext(&other.0);
        (Integer(IBig::from(gcd)), Integer(x), Integer(y))
    }
}

macro_rules! from {
    ($($ty:ty),*) => {$(
        impl From<$ty> for Integer {
            fn from(value: $ty) -> Integer {
                Integer(IBig::from(value))
            }
        }
    )*};
}
from!(i64, u64, isize, usize, i128, u128);

macro_rules! operator {
    ($Op:ident $op:ident $OpAssign:ident $op_assign:ident) => {
        impl $Op<&Integer> for &Integer {
            type Output = Integer;

            fn $op(self, other: &Integer) -> Integer {
                Integer((&self.0).$op(&other.0))
            }
        }

        impl $Op<i64> for &Integer {
            type Output = Integer;

            fn $op(self, other: i64) -> Integer {
                Integer((&self.0).$op(IBig::from(other)))
            }
        }

        impl $Op<&Integer> for i64 {
            type Output = Integer;

            fn $op(self, other: &Integer) -> Integer {
                Integer(IBig::from(self).$op(&other.0))
            }
        }

        impl $OpAssign<&Integer> for Integer {
            fn $op_assign(&mut self, other: &Integer) {
                self.0.$op_assign(&other.0);
            }
        }

        impl $OpAssign<i64> for Integer {
            fn $op_assign(&mut self, other: i64) {
                self.0.$op_assign(IBig::from(other));
            }
        }
    };
}
operator!(Add add AddAssign add_assign);
operator!(Sub sub SubAssign sub_assign);
operator!(Mul mul MulAssign mul_assign);

impl Rem<u64> for &Integer {
    type Output = Integer;

    /// The remainder, which has the sign of the dividend.
    fn rem(self, divisor: u64) -> Integer {
        Integer(&self.0 % IBig::from(divisor))
    }
}

impl Neg for Integer {
    type Output = Integer;

    fn neg(self) -> Integer {
        Integer(-self.0)
    }
}

impl Neg for &Integer {
    type Output = Integer;

    fn neg(self) -> Integer {
        Integer(-&self.0)
    }
}

impl PartialEq<i64> for Integer {
    fn eq(&self, other: &i64) -> bool {
        self.to_i64() == Some(*other)
    }
}

impl PartialEq<Integer> for i64 {
    fn eq(&self, other: &Integer) -> bool {
        other == self
    }
}

impl PartialOrd<i64> for Integer {
    fn partial_cmp(&self, other: &i64) -> Option<Ordering> {
        Some(self.0.cmp(&IBig::from(*other)))
    }
}

impl PartialOrd<Integer> for i64 {
    fn partial_cmp(&self, other: &Integer) -> Option<Ordering> {
        Some(IBig::from(*self).cmp(&other.0))
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for Integer {
    type Err = <IBig as FromStr>::Err;

    fn from_str(text: &str) -> Result<Integer, Self::Err> {
        text.parse().map(Integer)
    }
}
