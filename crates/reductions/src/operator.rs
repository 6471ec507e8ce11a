//! Operators of reductions and what is known about them.

/// An associative and commutative operator on numbers modulo a power of two, or on their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// Sum.
    Add,
    /// Product.
    Mul,
    /// Minimum.
    Min,
    /// Maximum.
    Max,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
}

impl Operator {
    /// What was combined can be taken out again: `(a + b) - b = a`.
    pub fn has_inverse(self) -> bool {
        matches!(self, Self::Add | Self::Xor)
    }

    /// Combining a value with itself changes nothing.
    pub fn is_idempotent(self) -> bool {
        matches!(self, Self::Min | Self::Max | Self::And | Self::Or)
    }

    /// Whether `c times (a op b)` is `(c times a) op (c times b)` for all values. Sums over minima
    /// and maxima are meant without overflow: whoever says that they are combined so has to know
    /// that.
    pub fn is_distributed_over(self, times: Self) -> bool {
        matches!(
            (self, times),
            (Self::Add, Self::Mul)
                | (Self::Min | Self::Max, Self::Add)
                | (Self::Min, Self::Max)
                | (Self::Max, Self::Min)
                | (Self::Or | Self::Xor, Self::And)
                | (Self::And, Self::Or)
        )
    }

    /// The result of two values.
    pub fn combine(self, a: i64, b: i64) -> i64 {
        match self {
            Self::Add => a.wrapping_add(b),
            Self::Mul => a.wrapping_mul(b),
            Self::Min => a.min(b),
            Self::Max => a.max(b),
            Self::And => a & b,
            Self::Or => a | b,
            Self::Xor => a ^ b,
        }
    }

    /// `a` without `b`, if there is an inverse.
    pub fn remove(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Self::Add => Some(a.wrapping_sub(b)),
            Self::Xor => Some(a ^ b),
            _ => None,
        }
    }

    /// A value combined with itself, so many times in all.
    pub fn repeat(self, value: i64, times: u64) -> i64 {
        match self {
            Self::Add => value.wrapping_mul(times as i64),
            Self::Mul => (0..times).fold(1, |product: i64, _| product.wrapping_mul(value)),
            Self::Min | Self::Max | Self::And | Self::Or => value,
            Self::Xor => value & 0i64.wrapping_sub((times & 1) as i64),
        }
    }
}
