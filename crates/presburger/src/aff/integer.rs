//! Rounding: floor, ceiling and remainder of quasi-affine expressions.

use poly_arith::Int;

use crate::aff::Aff;
use crate::row;

impl Aff {
    /// The largest integer not above the expression.
    pub fn floor(&self) -> Aff {
        if self.denom.is_one() {
            return self.clone();
        }
        let mut carrier = self.carrier_base();
        let col = carrier.add_div(self.denom.clone(), self.row.clone());
        let unit = row::unit(carrier.n_col(), col);
        Aff::from_carrier(&carrier, &unit, Int::ONE)
    }

    /// The smallest integer not below the expression.
    pub fn ceil(&self) -> Aff {
        self.neg().floor().neg()
    }

    /// The remainder `self - m * floor(self / m)` for a positive `m`.
    pub fn mod_val(&self, modulus: impl Into<Int>) -> Aff {
        let m = modulus.into();
        assert!(m.is_pos(), "the modulus must be positive");
        self.sub(&self.scale_down(&m).floor().scale(&m))
    }

    /// `floor(self / divisor)` for a positive integer.
    pub fn floor_div(&self, divisor: impl Into<Int>) -> Aff {
        self.scale_down(divisor).floor()
    }

    /// Whether the expression only takes integer values for syntactic reasons.
    pub fn is_plainly_integer(&self) -> bool {
        self.denom.is_one()
    }
}
