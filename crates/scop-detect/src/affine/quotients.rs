//! Values divided by a constant without a rest.
//!
//! # Problem
//! Compilers of languages whose arrays come with strides in bytes write `(stride * j) >> 3` for the
//! place of row `j` in elements, where they know that columns have no gaps. Rounded down, that is
//! no polynomial.
//!
//! # Algorithm
//! If `p = d * q` for a parameter `p`, every multiple of `p` has the quotient with `q` in place of
//! `p`, whichever way the division rounds. `q` is a parameter of its own, `p` divided by `d`; that
//! `p` is not negative and that nothing is left over is assumed. So it is with a sum of such
//! products, `(s * j + t * k) >> 3`, as arrays of three dimensions have it.
//!
//! The length of a block of memory in bytes, which loops over `p / d` elements go with, is assumed
//! to be a number of whole elements in the same way.

use poly_arith::Int;
use poly_presburger::{Budget, PwAff};
use poly_scop::AssumptionKind;
use poly_scop::shape::{Monomial, Polynomial, Symbol};
use poly_shim::ValueRef;
use poly_shim::ir::Opcode;

use super::type_range::constant;
use super::{Translator, Use};
use crate::facts::Reason;
use crate::params::Entry;
use crate::reject::Blocker;

impl Translator<'_, '_> {
    /// The quotient of a value all terms of which the divisor divides, or which is not affine and
    /// has parameters as factors of all other terms: as few as possible are assumed to be multiples
    /// of the divisor.
    pub(super) fn exact_quotient(
        &mut self,
        value: &Polynomial,
        divisor: &Int,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Polynomial>, Blocker> {
        let exact = value.div_int(divisor);
        if exact.is_some() || value.is_affine() || !at.may_assume {
            return Ok(exact);
        }
        let Some(params) = dividing_parameters(value, divisor) else { return Ok(None) };
        let mut value = value.clone();
        for param in params {
            let Some(quotient) = self.quotient_of_parameter(param, divisor, at, budget)? else { return Ok(None) };
            let multiple = Polynomial::symbol(Symbol::Param(quotient)).scale(divisor);
            value = value.replace(Symbol::Param(param), &multiple);
        }
        Ok(value.div_int(divisor))
    }

    /// A length of a block of elements of so many bytes, where it is one of whole elements or, as
    /// the number of elements is a parameter already, is assumed to be.
    pub(crate) fn length_of_elements(
        &mut self,
        length: &Polynomial,
        bytes: &Int,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Polynomial>, Blocker> {
        if length.div_int(bytes).is_some() {
            return Ok(Some(length.clone()));
        }
        let Some(&[param]) = dividing_parameters(length, bytes).as_deref() else { return Ok(None) };
        let Some(quotient) = self.known_quotient(param, bytes) else { return Ok(None) };
        if !self.assume_multiple(param, quotient, bytes, at, budget)? {
            return Ok(None);
        }
        let multiple = Polynomial::symbol(Symbol::Param(quotient)).scale(bytes);
        let replaced = length.replace(Symbol::Param(param), &multiple);
        Ok(replaced.div_int(bytes).is_some().then_some(replaced))
    }

    /// The parameter that is another one divided by a number, if there is one: by a division as
    /// scalar evolution knows it, or by a shift of a signed number.
    fn known_quotient(&self, param: u32, divisor: &Int) -> Option<u32> {
        let (ctx, scev) = (self.origins.ctx, self.params.entry(param).scev);
        let small = divisor.to_i64()?;
        let count = ctx.scev_udiv(scev, ctx.scev_int(ctx.integer_type(ctx.scev_bits(scev)), small));
        let is_shift = |value: ValueRef<'_>| {
            let amount = value.operand(1).constant_int().filter(|&amount| (0..62).contains(&amount));
            amount.is_some_and(|amount| 1 << amount == small) && ctx.scev(value.operand(0)) == Some(scev)
        };
        let is_quotient = |entry: &Entry<'_>| {
            let shifted = entry.scev.unknown_value().filter(|value| value.opcode() == Some(Opcode::AShr));
            entry.scev == count || shifted.is_some_and(is_shift)
        };
        self.params.entries().iter().position(is_quotient).and_then(|found| u32::try_from(found).ok())
    }

    /// The parameter divided by a number that it is assumed to be a multiple of.
    fn quotient_of_parameter(
        &mut self,
        param: u32,
        divisor: &Int,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Option<u32>, Blocker> {
        let ctx = self.origins.ctx;
        let scev = self.params.entry(param).scev;
        let Some(small) = divisor.to_i64() else { return Ok(None) };
        let quotient = ctx.scev_udiv(scev, ctx.scev_int(ctx.integer_type(ctx.scev_bits(scev)), small));
        let quotient = self.param(quotient, at, budget)?.0;
        Ok(self.assume_multiple(param, quotient, divisor, at, budget)?.then_some(quotient))
    }

    /// Assumes that a parameter is another one times a number, and not negative; false if that
    /// cannot be said.
    fn assume_multiple(
        &mut self,
        param: u32,
        quotient: u32,
        divisor: &Int,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<bool, Blocker> {
        let function = |this: &Self, symbol| this.to_function(&Polynomial::symbol(Symbol::Param(symbol)), 0);
        let (Some(whole), Some(part)) = (function(self, param), function(self, quotient)) else { return Ok(false) };
        let name = self.params.entry(param).param.name.clone();
        let reason = |kind, text| Reason { kind, text, place: at.place.cloned() };
        let zero: PwAff = constant(&whole, &Int::ZERO);
        let negative = reason(AssumptionKind::NonNegative, format!("'{name}' is not negative"));
        self.facts.exclude(&whole.lt_set(&zero), &negative, budget)?;
        let rest = reason(AssumptionKind::InBounds, format!("'{name}' is a multiple of {divisor}"));
        self.facts.exclude(&whole.sub(&part.scale(divisor.clone())).non_zero_set(), &rest, budget)?;
        Ok(true)
    }
}

/// Parameters of which one is a factor of each term that the divisor does not divide: one that all
/// of these terms have, if there is one, else the first one of each; nothing if a term has none.
fn dividing_parameters(value: &Polynomial, divisor: &Int) -> Option<Vec<u32>> {
    let open: Vec<&Monomial> =
        value.terms().filter(|(_, c)| !c.is_divisible_by(divisor)).map(|(monomial, _)| monomial).collect();
    let params = |monomial: &Monomial| -> Vec<u32> {
        let param = |symbol: &Symbol| if let Symbol::Param(param) = symbol { Some(*param) } else { None };
        monomial.symbols().iter().filter_map(param).collect()
    };
    let common = params(open.first()?).into_iter().find(|param| open.iter().all(|m| params(m).contains(param)));
    if let Some(common) = common {
        return Some(vec![common]);
    }
    let mut found: Vec<u32> = Vec::new();
    for own in open.into_iter().map(params) {
        if !own.iter().any(|param| found.contains(param)) {
            found.push(*own.first()?);
        }
    }
    Some(found)
}
