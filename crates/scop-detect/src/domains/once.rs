//! Loops of which it is not known that their size is not zero.
//!
//! # Problem
//! A loop that tests at its end runs `max(n, 1)` times. Mostly the program has made sure before
//! that `n > 0`, but in a way that is not seen: by comparing two pointers (`begin != end`), or in
//! the caller. The domain then has a part of its own for `n <= 1`, which doubles with every loop of
//! a nest, and whatever is bounded by the last iteration has a maximum in it.
//!
//! # Algorithm
//! The last iteration is 0 in one part of the parameters and an affine function in the other one.
//! If the function is never greater than 0 in the first part, the last iteration is the larger one
//! of both. That the function is not negative is assumed, and the last iteration is the function.
//!
//! # What is lost
//! The original runs if the assumption fails, that is if such a loop runs once although its size is
//! zero.

use poly_presburger::{Aff, Budget, DimKind, PwAff};
use poly_scop::AssumptionKind;
use poly_scop::shape::Polynomial;

use super::Builder;
use crate::affine::Use;
use crate::facts::Reason;
use crate::reject::{Blocker, RejectKind};

impl Builder<'_, '_, '_> {
    /// The last iteration of a loop without the part for a size of zero, which is assumed not to be
    /// there.
    pub(super) fn with_size(
        &mut self,
        last: Polynomial,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Polynomial, Blocker> {
        let Some(function) = self.translator.to_function(&last, at.depth()) else { return Ok(last) };
        let [one, other] = function.pieces() else { return Ok(last) };
        let ((once, _), (_, size)) = match (is_zero(&one.1), is_zero(&other.1)) {
            (true, false) => (one, other),
            (false, true) => (other, one),
            _ => return Ok(last),
        };
        let depends =
            once.involves_dims(DimKind::Out, 0, at.depth()) || size.involves_dims(DimKind::Out, 0, at.depth());
        let Some(without) = self.translator.plain_polynomial(size).filter(|_| !depends) else { return Ok(last) };
        let size = PwAff::from_aff(size.clone());
        let zero = PwAff::constant(size.space().clone(), 0);
        let once = at.domain.intersect(once);
        if !self.translator.facts.is_impossible(&once.intersect(&size.gt_set(&zero)), budget)? {
            return Ok(last);
        }
        let before = self.translator.snapshot();
        let text = "a loop that runs at least once has a size of at least one".to_string();
        let reason = Reason { kind: AssumptionKind::NonNegative, text, place: at.place.cloned() };
        match self.translator.facts.exclude(&once.intersect(&size.lt_set(&zero)), &reason, budget) {
            Ok(()) => Ok(without),
            Err(blocker) if blocker.kind == RejectKind::NeverHolds => {
                self.translator.restore(before);
                Ok(last)
            }
            Err(blocker) => Err(blocker.in_block(at.block)),
        }
    }
}

fn is_zero(value: &Aff) -> bool {
    value.constant_value().is_some_and(|value| value.is_zero())
}
