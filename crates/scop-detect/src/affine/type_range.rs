//! From a polynomial modulo `2^N` to the value that is meant.

use poly_arith::Int;
use poly_presburger::{Budget, PwAff, Set};
use poly_scop::AssumptionKind;
use poly_scop::shape::{Polynomial, Symbol};
use poly_shim::ScevRef;

use super::{Interval, Products, Sign, Translator, Use};
use crate::facts::Reason;
use crate::params::type_range;
use crate::reject::{Blocker, RejectKind};

/// Integers of at most this width wrap around exactly, by a remainder.
const NARROW_BITS: u32 = 16;
/// Products of integers of at most this width are compared with the ends of a range.
const WIDEST_PRODUCT: u32 = 32;
/// Integers of this width are limited instead.
const WORD_BITS: u32 = 64;
/// Deepest expression.
const MAX_DEPTH: usize = 48;

impl<'c> Translator<'_, 'c> {
    /// The signed or unsigned value of an expression.
    pub(super) fn viewed(
        &mut self,
        scev: ScevRef<'c>,
        sign: Sign,
        at: &Use<'_>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Polynomial, Blocker> {
        if depth > MAX_DEPTH {
            return Err(Blocker::new(RejectKind::Complexity, "an expression is too deep")
                .at(at.place.cloned())
                .in_block(at.block));
        }
        if let Some(value) = self.walked(scev, sign, at, budget)? {
            return Ok(value);
        }
        let bits = self.origins.ctx.scev_bits(scev);
        let (polynomial, is_signed_value) = self.ring(scev, at, depth + 1, budget)?;
        if is_signed_value && sign == Sign::Signed {
            return Ok(polynomial);
        }
        let polynomial = if is_signed_value { polynomial } else { polynomial.reduce(bits) };
        if is_signed_value && self.is_never_negative(&polynomial, at, budget)? {
            return Ok(polynomial);
        }
        self.placed_in_type_range(polynomial, bits, sign, at, budget)
    }

    /// Whether the value is at least 0 wherever it is looked at. A signed value that is, is the
    /// unsigned value, too.
    pub(crate) fn is_never_negative(
        &self,
        value: &Polynomial,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<bool, Blocker> {
        if self.interval(value, at.loops).min.is_some_and(|min| !min.is_neg()) {
            return Ok(true);
        }
        let Some(function) = self.to_function(value, at.depth()) else { return Ok(false) };
        let negative = at.domain.intersect_within(&function.lt_set(&constant(&function, &Int::ZERO)), budget)?;
        Ok(self.facts.is_impossible(&negative, budget)?)
    }

    /// The number of the range of `bits` that is congruent to the polynomial.
    fn placed_in_type_range(
        &mut self,
        polynomial: Polynomial,
        bits: u32,
        sign: Sign,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Polynomial, Blocker> {
        let (min, max) = type_range(bits, sign == Sign::Unsigned);
        if self.interval(&polynomial, at.loops).is_within(&min, &max) {
            return Ok(polynomial);
        }
        let opposite = polynomial.with_halves_negated(bits);
        if self.interval(&opposite, at.loops).is_within(&min, &max) {
            return Ok(opposite);
        }
        let Some(value) = self.to_function(&polynomial, at.depth()) else {
            let may_assume = at.may_assume && at.products == Products::Assumed;
            let is_inside = may_assume && self.assume_product_in_type_range(&polynomial, bits, sign, at, budget)?;
            let unknown = || at.blocker(format!("{} may wrap around and is not affine", at.what));
            return is_inside.then_some(polynomial).ok_or_else(unknown);
        };
        let low = at.domain.intersect_within(&value.lt_set(&constant(&value, &min)), budget)?;
        let high = at.domain.intersect_within(&value.gt_set(&constant(&value, &max)), budget)?;
        let low_is_impossible = self.facts.is_impossible(&low, budget)?;
        let high_is_impossible = self.facts.is_impossible(&high, budget)?;
        if low_is_impossible && high_is_impossible {
            return Ok(polynomial);
        }
        if bits <= NARROW_BITS {
            let reduced = value.add_constant(-&min).mod_val(Int::from(2).pow(bits)).add_constant(min.clone());
            return self.polynomial_of(&reduced, Interval { min: Some(min), max: Some(max) }, at, budget);
        }
        let modulus = Int::from(2).pow(bits);
        let wraps_once = self.interval(&polynomial, at.loops).is_within(&(&min - &modulus), &(&max + &modulus));
        let varies = polynomial.symbols().iter().any(|s| matches!(s, Symbol::Variable(_)));
        let is_range_test = at.kind == RejectKind::NonAffineCondition && sign == Sign::Unsigned && varies;
        if at.may_assume && !(is_range_test && wraps_once) {
            let before = self.snapshot();
            match self.assume_type_range(&low, &high, bits, sign, at, budget) {
                Err(blocker) if blocker.kind == RejectKind::NeverHolds && wraps_once => self.restore(before),
                result => return result.map(|()| polynomial),
            }
        } else if !wraps_once {
            return Err(at.blocker(format!("{} may wrap around", at.what)));
        }
        let (low, high) = (value.lt_set(&constant(&value, &min)), value.gt_set(&constant(&value, &max)));
        let inside =
            value.ge_set(&constant(&value, &min)).intersect_within(&value.le_set(&constant(&value, &max)), budget)?;
        let moved = |set: &Set, by: Int| value.intersect_domain(set).add_constant(by);
        let placed = moved(&inside, Int::ZERO)
            .union_disjoint(&moved(&low, modulus.clone()))
            .union_disjoint(&moved(&high, -&modulus));
        self.polynomial_of(&placed, Interval { min: Some(min), max: Some(max) }, at, budget)
    }

    /// Sees to it that a value that is not affine lies in the range, by a test that is sufficient;
    /// false if there is none.
    fn assume_product_in_type_range(
        &mut self,
        polynomial: &Polynomial,
        bits: u32,
        sign: Sign,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<bool, Blocker> {
        let text = format!("{} is in the range of the integers of {bits} bits", at.what);
        let reason = Reason { kind: AssumptionKind::NoWrap, text, place: at.place.cloned() };
        if bits == WORD_BITS {
            // What is small enough is its own value.
            if self.limit(polynomial, WORD_BITS - 2, at.loops, at.what, budget).is_err() {
                return Ok(false);
            }
            self.pin(polynomial);
            return match sign {
                Sign::Signed => Ok(true),
                Sign::Unsigned => self.ensure_not_negative(polynomial, &reason, at, budget),
            };
        }
        if bits > WIDEST_PRODUCT {
            return Ok(false);
        }
        let (min, max) = type_range(bits, sign == Sign::Unsigned);
        let above = polynomial.sub(&Polynomial::constant(min));
        let below = Polynomial::constant(max).sub(polynomial);
        let is_inside = self.ensure_not_negative(&above, &reason, at, budget)?
            && self.ensure_not_negative(&below, &reason, at, budget)?;
        self.pin(polynomial);
        Ok(is_inside)
    }

    fn assume_type_range(
        &mut self,
        low: &Set,
        high: &Set,
        bits: u32,
        sign: Sign,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<(), Blocker> {
        let reason = |kind, text| Reason { kind, text, place: at.place.cloned() };
        let (low_kind, low_text) = match sign {
            Sign::Unsigned => (AssumptionKind::NonNegative, format!("{} is not negative", at.what)),
            Sign::Signed => {
                (AssumptionKind::NoWrap, format!("{} does not fall below the integers of {bits} bits", at.what))
            }
        };
        let high_text = format!("{} does not exceed the integers of {bits} bits", at.what);
        let exclude = |facts: &mut crate::facts::Facts, set: &Set, reason: Reason, budget: &mut Budget| {
            facts.exclude(set, &reason, budget).map_err(|b| b.in_block(at.block))
        };
        exclude(&mut self.facts, low, reason(low_kind, low_text), budget)?;
        exclude(&mut self.facts, high, reason(AssumptionKind::NoWrap, high_text), budget)
    }
}

/// The constant function on the same space.
pub(super) fn constant(like: &PwAff, value: &Int) -> PwAff {
    PwAff::constant(like.space().clone(), value.clone())
}
