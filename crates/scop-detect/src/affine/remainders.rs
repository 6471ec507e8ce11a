//! Remainders of divisions by values that are the same in the whole region.
//!
//! # Problem
//! Neighbours on periodic domains are `a[(i + 1) % n]` and `a[(i + n - 1) % n]`, places in a ring
//! `a[(start + i) % n]`. A remainder by a parameter is not quasi-affine in general.
//!
//! # Algorithm
//! Where the dividend `p` is more than `-n` and less than `2 n`, the quotient, rounded towards
//! zero, is 0 or 1: the remainder is `p`, or `p - n` from `p = n` on. No divisor that is not
//! positive has such dividends. That the dividend is there wherever the remainder is computed is
//! proven, or assumed. Unsigned remainders are differences in scalar evolution, `p - p / n * n`,
//! and recognized.

use poly_arith::Int;
use poly_presburger::{Budget, Set};
use poly_scop::AssumptionKind;
use poly_scop::shape::Polynomial;
use poly_shim::{ScevKind, ScevRef, ValueRef};

use super::{Interval, Sign, Translator, Use};
use crate::facts::Reason;
use crate::params::type_range;
use crate::reject::Blocker;

impl<'c> Translator<'_, 'c> {
    /// The remainder that an instruction computes, if the divisor is no constant and the same in
    /// the whole region.
    pub(super) fn signed_remainder(
        &mut self,
        value: ValueRef<'c>,
        at: &Use<'_>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Option<Polynomial>, Blocker> {
        let [dividend, divisor] = [0, 1].map(|number| self.origins.scev_in(value.operand(number), at.block));
        let (Some(dividend), Some(divisor)) = (dividend, divisor) else { return Ok(None) };
        if divisor.constant().is_some() || !self.origins.is_invariant(divisor) {
            return Ok(None);
        }
        self.remainder(dividend, divisor, Sign::Signed, at, depth, budget).map(Some)
    }

    /// A sum with an unsigned remainder in it, `c * (p - p / n * n)` with a constant `c`, by a
    /// value that is no constant and the same in the whole region.
    pub(super) fn with_unsigned_remainder(
        &mut self,
        sum: ScevRef<'c>,
        at: &Use<'_>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Option<Polynomial>, Blocker> {
        let ctx = self.origins.ctx;
        let is_quotient = |part: &ScevRef<'c>| part.kind() == ScevKind::UDiv;
        for product in sum.operands().into_iter().filter(|part| part.kind() == ScevKind::Mul) {
            let Some(quotient) = product.operands().into_iter().find(is_quotient) else { continue };
            let [dividend, divisor] = quotient.operands()[..] else { continue };
            let factor = product.operands().iter().find_map(|part| part.constant()).unwrap_or(1);
            let Some(factor) = i64::try_from(factor).ok().and_then(i64::checked_neg) else { continue };
            if divisor.constant().is_some() || !self.origins.is_invariant(divisor) {
                continue;
            }
            let times =
                |factor: i64, scev| ctx.scev_mul(ctx.scev_int(ctx.integer_type(ctx.scev_bits(sum)), factor), scev);
            let multiple = ctx.scev_mul(quotient, divisor);
            if times(-factor, multiple) != product {
                continue;
            }
            let others = ctx.scev_minus(sum, times(factor, ctx.scev_minus(dividend, multiple)));
            let remainder = self.remainder(dividend, divisor, Sign::Unsigned, at, depth, budget)?;
            let (others, _) = self.ring(others, at, depth + 1, budget)?;
            return Ok(Some(others.add(&remainder.scale(&Int::from(factor)))));
        }
        Ok(None)
    }

    fn remainder(
        &mut self,
        dividend: ScevRef<'c>,
        divisor: ScevRef<'c>,
        sign: Sign,
        at: &Use<'_>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Polynomial, Blocker> {
        let bits = self.origins.ctx.scev_bits(dividend);
        let value = self.viewed(dividend, sign, at, depth + 1, budget)?;
        let value = self.function(&value, at)?;
        let divisor = self.viewed(divisor, sign, at, depth + 1, budget)?;
        let largest = self.interval(&divisor, at.loops).max;
        let divisor = self.function(&divisor, at)?;
        let below = at.domain.intersect_within(&value.le_set(&divisor.neg()), budget)?;
        let above = at.domain.intersect_within(&value.ge_set(&divisor.scale(2)), budget)?;
        self.exclude_dividends(&below, &above, at, budget)?;
        let itself = value.intersect_domain(&value.lt_set(&divisor));
        let less = value.sub(&divisor).intersect_domain(&value.ge_set(&divisor));
        let (min, max) = type_range(bits, sign == Sign::Unsigned);
        let max = largest.map_or(max.clone(), |largest| largest.min(max));
        let bounds = Interval { min: Some(min), max: Some(max) };
        self.polynomial_of(&itself.union_disjoint(&less), bounds, at, budget)
    }

    /// Sees to it that no dividend is too small or too large; an error if that is not known, and
    /// not to be assumed because new code would run for no useful sizes.
    fn exclude_dividends(
        &mut self,
        below: &Set,
        above: &Set,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<(), Blocker> {
        let outside = below.union(above);
        if self.facts.is_impossible(&outside, budget)? {
            return Ok(());
        }
        let fails = self.facts.restrict(&outside).params();
        if !at.may_assume || !self.is_plausible(self.facts.known(), &fails, budget)? {
            return Err(at.blocker(format!("{} has a remainder of what may be twice the divisor", at.what)));
        }
        let reason = |text| Reason { kind: AssumptionKind::NoWrap, text, place: at.place.cloned() };
        let low = reason(format!("{} has no remainder of minus the divisor or less", at.what));
        let high = reason(format!("{} has no remainder of twice the divisor or more", at.what));
        for (outside, reason) in [(below, low), (above, high)] {
            self.facts.exclude(outside, &reason, budget).map_err(|b| b.in_block(at.block))?;
        }
        Ok(())
    }
}
