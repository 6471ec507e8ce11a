//! The operator traits of [`Int`], for every combination of values and references.

use std::iter::{Product, Sum};
use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use super::big::Integer;
use super::{Int, Repr};

/// One of the three operations, where the result or an operand does not fit 64 bits. No operand is
/// copied.
macro_rules! wide_operation {
    ($name:ident $op:tt) => {
        #[cold]
        fn $name(a: &Int, b: &Int) -> Int {
            match (&a.0, &b.0) {
                (Repr::Small(a), Repr::Small(b)) => Int::from(i128::from(*a) $op i128::from(*b)),
                (Repr::Small(a), Repr::Big(b)) => Int::from_big(Integer::from(*a $op &**b)),
                (Repr::Big(a), Repr::Small(b)) => Int::from_big(Integer::from(&**a $op *b)),
                (Repr::Big(a), Repr::Big(b)) => Int::from_big(Integer::from(&**a $op &**b)),
            }
        }
    };
}

wide_operation!(wide_add+);
wide_operation!(wide_sub -);
wide_operation!(wide_mul *);

/// The same operations in place.
macro_rules! wide_assignment {
    ($name:ident $wide:ident $op:tt) => {
        #[cold]
        fn $name(a: &mut Int, b: &Int) {
            let Repr::Big(big) = &mut a.0 else {
                *a = $wide(a, b);
                return;
            };
            match &b.0 {
                Repr::Small(b) => **big $op *b,
                Repr::Big(b) => **big $op &**b,
            }
            if let Some(small) = big.to_i64() {
                *a = Int::small(small);
            }
        }
    };
}

wide_assignment!(wide_add_assign wide_add +=);
wide_assignment!(wide_sub_assign wide_sub -=);
wide_assignment!(wide_mul_assign wide_mul *=);

macro_rules! binary_operator {
    ($Op:ident $op:ident $OpAssign:ident $op_assign:ident $checked:ident $wide:ident $wide_assign:ident) => {
        impl $Op<&Int> for &Int {
            type Output = Int;

            #[inline]
            fn $op(self, other: &Int) -> Int {
                if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
                    && let Some(result) = a.$checked(*b)
                {
                    return Int::small(result);
                }
                $wide(self, other)
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
            fn $op(mut self, other: &Int) -> Int {
                self.$op_assign(other);
                self
            }
        }

        impl $Op<Int> for Int {
            type Output = Int;

            #[inline]
            fn $op(mut self, other: Int) -> Int {
                self.$op_assign(&other);
                self
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
            fn $op(mut self, other: i64) -> Int {
                self.$op_assign(&Int::small(other));
                self
            }
        }

        impl $OpAssign<&Int> for Int {
            #[inline]
            fn $op_assign(&mut self, other: &Int) {
                if let (Repr::Small(a), Repr::Small(b)) = (&mut self.0, &other.0)
                    && let Some(result) = a.$checked(*b)
                {
                    *a = result;
                    return;
                }
                $wide_assign(self, other);
            }
        }

        impl $OpAssign<Int> for Int {
            #[inline]
            fn $op_assign(&mut self, other: Int) {
                self.$op_assign(&other);
            }
        }

        impl $OpAssign<i64> for Int {
            #[inline]
            fn $op_assign(&mut self, other: i64) {
                self.$op_assign(&Int::small(other));
            }
        }
    };
}

binary_operator!(Add add AddAssign add_assign checked_add wide_add wide_add_assign);
binary_operator!(Sub sub SubAssign sub_assign checked_sub wide_sub wide_sub_assign);
binary_operator!(Mul mul MulAssign mul_assign checked_mul wide_mul wide_mul_assign);

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
