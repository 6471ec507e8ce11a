//! Ranges of integers, for proving that generated arithmetic does not overflow.
//!
//! An [`Interval`] is a nonempty set `{ x : lo <= x <= hi }`. The operations return an interval
//! that contains every result, exactly the least one for a single operation, and `None` when a
//! bound leaves 128 bits.

/// All integers from `lo` to `hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) lo: i128,
    pub(crate) hi: i128,
}

impl Interval {
    /// `{ value }`.
    pub(crate) fn point(value: i128) -> Self {
        Self { lo: value, hi: value }
    }

    /// The values of a `bits` wide integer (`bits` <= 64).
    pub(crate) fn of_bits(bits: u32, unsigned: bool) -> Self {
        assert!(bits <= 64, "integers wider than 64 bits have no interval");
        if unsigned {
            Self { lo: 0, hi: (1i128 << bits) - 1 }
        } else if bits == 0 {
            Self::point(0)
        } else {
            Self { lo: -(1i128 << (bits - 1)), hi: (1i128 << (bits - 1)) - 1 }
        }
    }

    /// The common values; `None` if there are none.
    pub(crate) fn intersect(self, other: Self) -> Option<Self> {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        (lo <= hi).then_some(Self { lo, hi })
    }

    pub(crate) fn add(self, other: Self) -> Option<Self> {
        Some(Self { lo: self.lo.checked_add(other.lo)?, hi: self.hi.checked_add(other.hi)? })
    }

    /// `factor * self`.
    pub(crate) fn scale(self, factor: i128) -> Option<Self> {
        let (a, b) = (self.lo.checked_mul(factor)?, self.hi.checked_mul(factor)?);
        Some(Self { lo: a.min(b), hi: a.max(b) })
    }

    /// `floor(self / divisor)` for a positive divisor.
    pub(crate) fn floor_div(self, divisor: i128) -> Self {
        Self { lo: self.lo.div_euclid(divisor), hi: self.hi.div_euclid(divisor) }
    }

    /// `self mod divisor` in `0..divisor`.
    pub(crate) fn modulo(self, divisor: i128) -> Self {
        if self.lo.div_euclid(divisor) == self.hi.div_euclid(divisor) {
            Self { lo: self.lo.rem_euclid(divisor), hi: self.hi.rem_euclid(divisor) }
        } else {
            Self { lo: 0, hi: divisor - 1 }
        }
    }

    pub(crate) fn min(self, other: Self) -> Self {
        Self { lo: self.lo.min(other.lo), hi: self.hi.min(other.hi) }
    }

    pub(crate) fn max(self, other: Self) -> Self {
        Self { lo: self.lo.max(other.lo), hi: self.hi.max(other.hi) }
    }

    /// Whether every value is a signed integer of this width.
    /// The smallest range that contains both.
    pub(crate) fn hull(self, other: Self) -> Self {
        Self { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    pub(crate) fn fits(self, bits: u32) -> bool {
        match bits {
            128.. => true,
            0 => self.lo == 0 && self.hi == 0,
            _ => self.lo >= -(1i128 << (bits - 1)) && self.hi < (1i128 << (bits - 1)),
        }
    }

    pub(crate) fn is_nonnegative(self) -> bool {
        self.lo >= 0
    }
}
