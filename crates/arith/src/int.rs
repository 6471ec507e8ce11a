//! Integers of any size, inline while they fit 64 bits.
//!
//! **Representation.** [`Int`] is either a small value (`i64`) or a boxed integer of GMP
//! (`int/big.rs`). *Invariant (canonical form):* the boxed form is used only for values that do not
//! fit an `i64`. Hence two equal values have equal representations, and `Eq` and `Hash` are
//! derived.
//!
//! **Operations.** Each operation first tries the checked 64-bit instruction and falls back to GMP
//! on overflow or if an operand is boxed; the result of the fallback is brought back to canonical
//! form. The operator traits are in `int/ops.rs`, divisibility in `int/division.rs`.

mod big;
mod division;
pub(crate) use division::gcd_u64;
mod ops;
#[cfg(any(not(feature = "gmp"), all(test, feature = "pure")))]
mod pure;

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use big::Integer;

/// An exact integer of any size.
///
/// ```
/// use poly_arith::Int;
///
/// let a = Int::from(i64::MAX);
/// let b = &a + &Int::ONE;
/// assert_eq!(b.to_string(), "9223372036854775808");
/// assert_eq!(&b - &Int::ONE, a);
/// assert_eq!(Int::from(-7).div_floor(&Int::from(2)), Int::from(-4));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Int(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    Big(Box<Integer>),
}

impl Int {
    /// The integer 0.
    pub const ZERO: Int = Int(Repr::Small(0));
    /// The integer 1.
    pub const ONE: Int = Int(Repr::Small(1));
    /// The integer -1.
    pub const NEG_ONE: Int = Int(Repr::Small(-1));

    #[inline]
    const fn small(value: i64) -> Int {
        Int(Repr::Small(value))
    }

    /// The canonical form of a big integer.
    fn from_big(value: Integer) -> Int {
        match value.to_i64() {
            Some(small) => Int::small(small),
            None => Int(Repr::Big(Box::new(value))),
        }
    }

    /// The value as a big integer.
    fn to_big(&self) -> Integer {
        match &self.0 {
            Repr::Small(value) => Integer::from(*value),
            Repr::Big(value) => (**value).clone(),
        }
    }

    /// The value, if it fits 64 bits.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small(value) => Some(*value),
            Repr::Big(_) => None,
        }
    }

    /// The value, if it fits 128 bits.
    pub fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Repr::Small(value) => Some(i128::from(*value)),
            Repr::Big(value) => value.to_i128(),
        }
    }

    /// Is the value 0?
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0))
    }

    /// Is the value 1?
    #[inline]
    pub fn is_one(&self) -> bool {
        matches!(self.0, Repr::Small(1))
    }

    /// Is the value -1?
    #[inline]
    pub fn is_neg_one(&self) -> bool {
        matches!(self.0, Repr::Small(-1))
    }

    /// Is the sum of both 0?
    #[inline]
    pub fn is_opposite_of(&self, other: &Int) -> bool {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a.checked_add(*b) == Some(0),
            _ => *self == -other,
        }
    }

    /// Is the value negative?
    #[inline]
    pub fn is_neg(&self) -> bool {
        self.signum() < 0
    }

    /// Is the value positive?
    #[inline]
    pub fn is_pos(&self) -> bool {
        self.signum() > 0
    }

    /// The sign: -1, 0 or 1.
    #[inline]
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Repr::Small(value) => value.signum() as i32,
            Repr::Big(value) => match value.cmp0() {
                Ordering::Less => -1,
                Ordering::Equal => 0,
                Ordering::Greater => 1,
            },
        }
    }

    /// The absolute value.
    pub fn abs(&self) -> Int {
        if self.is_neg() { -self } else { self.clone() }
    }

    /// Compares the absolute values.
    pub fn cmp_abs(&self, other: &Int) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a.unsigned_abs().cmp(&b.unsigned_abs()),
            _ => self.to_big().cmp_abs(&other.to_big()),
        }
    }

    /// `self` to the power `exponent`; `x.pow(0)` is 1.
    pub fn pow(&self, exponent: u32) -> Int {
        if let Repr::Small(value) = self.0
            && let Some(result) = value.checked_pow(exponent)
        {
            return Int::small(result);
        }
        Int::from_big(big::power(&self.to_big(), exponent))
    }

    /// The number of bits of the absolute value: 0 for 0, 1 for 1 and -1, 2 for 2 and 3.
    pub fn bits(&self) -> u32 {
        match &self.0 {
            Repr::Small(value) => u64::BITS - value.unsigned_abs().leading_zeros(),
            Repr::Big(value) => value.significant_bits(),
        }
    }

    /// Checks the canonical form; for debug assertions.
    #[cfg(test)]
    fn is_canonical(&self) -> bool {
        match &self.0 {
            Repr::Small(_) => true,
            Repr::Big(value) => value.to_i64().is_none(),
        }
    }
}

impl Default for Int {
    fn default() -> Int {
        Int::ZERO
    }
}

impl PartialOrd for Int {
    #[inline]
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Int {
    #[inline]
    fn cmp(&self, other: &Int) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a.cmp(b),
            (Repr::Big(a), Repr::Big(b)) => a.cmp(b),
            (Repr::Small(a), Repr::Big(b)) => a.partial_cmp(&**b).expect("integers are ordered"),
            (Repr::Big(a), Repr::Small(b)) => (**a).partial_cmp(b).expect("integers are ordered"),
        }
    }
}

impl PartialEq<i64> for Int {
    #[inline]
    fn eq(&self, other: &i64) -> bool {
        self.to_i64() == Some(*other)
    }
}

impl PartialOrd<i64> for Int {
    #[inline]
    fn partial_cmp(&self, other: &i64) -> Option<Ordering> {
        Some(self.cmp(&Int::small(*other)))
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(value) => fmt::Display::fmt(value, f),
            Repr::Big(value) => fmt::Display::fmt(value, f),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a decimal integer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseIntError;

impl fmt::Display for ParseIntError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a decimal integer")
    }
}

impl std::error::Error for ParseIntError {}

impl FromStr for Int {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Int, ParseIntError> {
        if let Ok(value) = text.parse::<i64>() {
            return Ok(Int::small(value));
        }
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(ParseIntError);
        }
        text.parse::<Integer>().map(Int::from_big).map_err(|_| ParseIntError)
    }
}

macro_rules! from_small {
    ($($ty:ty),*) => {$(
        impl From<$ty> for Int {
            #[inline]
            fn from(value: $ty) -> Int {
                Int::small(i64::from(value))
            }
        }
    )*};
}
from_small!(i8, u8, i16, u16, i32, u32, i64, bool);

macro_rules! from_wide {
    ($($ty:ty),*) => {$(
        impl From<$ty> for Int {
            fn from(value: $ty) -> Int {
                match i64::try_from(value) {
                    Ok(small) => Int::small(small),
                    Err(_) => Int(Repr::Big(Box::new(Integer::from(value)))),
                }
            }
        }
    )*};
}
from_wide!(u64, usize, i128, u128, isize);

impl From<&Int> for Int {
    fn from(value: &Int) -> Int {
        value.clone()
    }
}

#[cfg(all(test, feature = "gmp", feature = "pure"))]
mod pure_tests;
#[cfg(test)]
mod tests;
