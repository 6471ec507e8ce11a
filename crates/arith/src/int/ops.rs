//! The operator traits of [`Int`], for every combination of values and references.

use std::iter::{Product, Sum};
use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use rug::Integer;

use super::{Int, Repr};

/// Both operands as GMP integers, combined by `op`, in canonical form.
#[cold]
fn via_big(a: &Int, b: &Int, op: impl FnOnce(Integer, Integer) -> Integer) -> Int {
    Int::from_big(op(a.to_big(), b.to_big()))
}

macro_rules! binary_operator {
    ($Op:ident $op:ident $OpAssign:ident $op_assign:ident $checked:ident $big:expr) => {
        impl $Op<&Int> for &Int {
            type Output = Int;

            #[inline]
            fn $op(self, other: &Int) -> Int {
                if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
                    && let Some(result) = a.$checked(*b)
                {
                    return Int::small(result);
                }
                via_big(self, other, $big)
            }
        }

        impl $Op<Int> for &Int {
            type Output = Int;

            #[inline]
            fn $op(self, other: Int) -> Int {
                self.$op(&other)
            }
        }

        impl $Op<&Int> for Int {
            type Output = Int;

            #[inline]
            fn $op(self, other: &Int) -> Int {
                (&self).$op(other)
            }
        }

        impl $Op<Int> for Int {
            type Output = Int;

            #[inline]
            fn $op(self, other: Int) -> Int {
                (&self).$op(&other)
            }
        }

        impl $Op<i64> for &Int {
            type Output = Int;

            #[inline]
            fn $op(self, other: i64) -> Int {
                self.$op(&Int::small(other))
            }
        }

        impl $Op<i64> for Int {
            type Output = Int;

            #[inline]
            fn $op(self, other: i64) -> Int {
                (&self).$op(&Int::small(other))
            }
        }

        impl $OpAssign<&Int> for Int {
            #[inline]
            fn $op_assign(&mut self, other: &Int) {
                *self = (&*self).$op(other);
            }
        }

        impl $OpAssign<Int> for Int {
            #[inline]
            fn $op_assign(&mut self, other: Int) {
                *self = (&*self).$op(&other);
            }
        }

        impl $OpAssign<i64> for Int {
            #[inline]
            fn $op_assign(&mut self, other: i64) {
                *self = (&*self).$op(&Int::small(other));
            }
        }
    };
}

binary_operator!(Add add AddAssign add_assign checked_add |a, b| a + b);
binary_operator!(Sub sub SubAssign sub_assign checked_sub |a, b| a - b);
binary_operator!(Mul mul MulAssign mul_assign checked_mul |a, b| a * b);

impl Neg for &Int {
    type Output = Int;

    #[inline]
    fn neg(self) -> Int {
        match &self.0 {
            Repr::Small(value) => match value.checked_neg() {
                Some(result) => Int::small(result),
                None => Int::from_big(-Integer::from(*value)),
            },
            Repr::Big(value) => Int::from_big(Integer::from(-&**value)),
        }
    }
}

impl Neg for Int {
    type Output = Int;

    #[inline]
    fn neg(self) -> Int {
        -&self
    }
}

impl Sum for Int {
    fn sum<I: Iterator<Item = Int>>(iter: I) -> Int {
        iter.fold(Int::ZERO, |acc, item| acc + item)
    }
}

impl<'a> Sum<&'a Int> for Int {
    fn sum<I: Iterator<Item = &'a Int>>(iter: I) -> Int {
        iter.fold(Int::ZERO, |acc, item| acc + item)
    }
}

impl Product for Int {
    fn product<I: Iterator<Item = Int>>(iter: I) -> Int {
        iter.fold(Int::ONE, |acc, item| acc * item)
    }
}
