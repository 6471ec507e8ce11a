//! Sizes that are more than nothing.
//!
//! # Problem
//! Where an array has `n` rows, Fortran has `max(n, 0)`: none if `n` is negative. Products of a
//! counter with it, as in the place of a column, are no polynomials.
//!
//! # Algorithm
//! A factor in an address that is the greater one of a constant and a value from before the region
//! is assumed to be that value, and not the constant, unless that is known. Factors are the steps
//! of recurrences and the operands of products; elsewhere both values can be told apart.

use poly_presburger::{Budget, PwAff};
use poly_scop::AssumptionKind;
use poly_shim::{ScevKind, ScevRef};

use super::{Sign, Translator, Use};
use crate::facts::Reason;
use crate::reject::{Blocker, RejectKind};

/// How many parts of an address are looked at.
const MAX_PARTS: usize = 64;

impl<'c> Translator<'_, 'c> {
    /// Assumes that maxima with a constant in the factors of an address are not the constant.
    pub(crate) fn assume_sizes(
        &mut self,
        address: ScevRef<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<(), Blocker> {
        let mut todo = vec![(address, false)];
        for _ in 0..MAX_PARTS {
            let Some((part, is_factor)) = todo.pop() else { break };
            let operands = part.operands();
            match part.kind() {
                ScevKind::SMax if is_factor => self.assume_size(part, at, budget)?,
                ScevKind::AddRec => todo.extend((0..).zip(operands).map(|(k, operand)| (operand, is_factor || k > 0))),
                ScevKind::Mul => {
                    let is_product = operands.iter().filter(|o| o.kind() != ScevKind::Constant).count() > 1;
                    todo.extend(operands.into_iter().map(|operand| (operand, is_factor || is_product)));
                }
                ScevKind::Add | ScevKind::SExt | ScevKind::ZExt => {
                    todo.extend(operands.into_iter().map(|operand| (operand, is_factor)));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Assumes that a maximum with a constant is the other value; nothing if that is not possible.
    fn assume_size(&mut self, maximum: ScevRef<'c>, at: &Use<'_>, budget: &mut Budget) -> Result<(), Blocker> {
        let &[least, size] = maximum.operands().as_slice() else { return Ok(()) };
        let Some(least) = least.constant_i64().filter(|_| self.origins.is_invariant(size)) else { return Ok(()) };
        let before = self.snapshot();
        match self.assume_more_than(size, least, at, budget) {
            Err(blocker) if blocker.kind != RejectKind::Complexity => {
                self.restore(before);
                Ok(())
            }
            result => result,
        }
    }

    fn assume_more_than(
        &mut self,
        size: ScevRef<'c>,
        least: i64,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<(), Blocker> {
        let size = self.viewed(size, Sign::Signed, at, 0, budget)?;
        let Some(size) = self.to_function(&size, 0) else { return Ok(()) };
        let smaller = size.le_set(&PwAff::constant(size.space().clone(), least));
        let text = format!("a size in {} is more than {least}", at.what);
        let reason = Reason { kind: AssumptionKind::NonNegative, text, place: at.place.cloned() };
        self.facts.exclude(&smaller.params(), &reason, budget)
    }
}
