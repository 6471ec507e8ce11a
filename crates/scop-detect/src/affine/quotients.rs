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

use poly_arith::Int;
use poly_presburger::{Budget, PwAff};
use poly_scop::AssumptionKind;
use poly_scop::shape::{Monomial, Polynomial, Symbol};

use super::type_range::constant;
use super::{Translator, Use};
use crate::facts::Reason;
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
        let function = |this: &Self, symbol| this.to_function(&Polynomial::symbol(Symbol::Param(symbol)), 0);
        let (Some(whole), Some(part)) = (function(self, param), function(self, quotient)) else { return Ok(None) };
        let name = self.params.entry(param).param.name.clone();
        let reason = |kind, text| Reason { kind, text, place: at.place.cloned() };
        let zero: PwAff = constant(&whole, &Int::ZERO);
        let negative = reason(AssumptionKind::NonNegative, format!("'{name}' is not negative"));
        self.facts.exclude(&whole.lt_set(&zero), &negative, budget)?;
        let rest = reason(AssumptionKind::InBounds, format!("'{name}' is a multiple of {divisor}"));
        self.facts.exclude(&whole.sub(&part.scale(divisor.clone())).non_zero_set(), &rest, budget)?;
        Ok(Some(quotient))
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
