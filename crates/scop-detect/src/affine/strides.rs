//! Strides that a descriptor of an array holds.
//!
//! # Problem
//! Where an array comes with a descriptor, the place of an element is `s * i + t * j + u * k` with
//! a stride for each dimension, all of them values from memory. Nothing in the program says that
//! `u` is a multiple of `t`, as it is where rows of `t` elements fill a plane of `u`; no shape
//! explains the offsets without that.
//!
//! # Algorithm
//! 1. The parameters that are factors of counters in the offsets, and are loaded from places whose
//!    distance is constant, are the strides of one descriptor. Fortran's descriptors have those of
//!    inner dimensions first. If they stand otherwise in memory, what is assumed next fails, and
//!    nothing is lost but new code.
//! 2. Of neighbours `t` and `u`, `u / t` is a parameter `m` of its own. It is assumed that `t` is
//!    positive and that nothing is left over; then `m * t` takes the place of `u`.
//!
//! The product does not wrap around: it is at most the dividend. It is a parameter, too, so that
//! what is assumed is affine.

use poly_arith::Int;
use poly_presburger::{Budget, PwAff, Set};
use poly_scop::AssumptionKind;
use poly_scop::shape::{Polynomial, Symbol};
use poly_shim::ir::Opcode;
use poly_shim::{ScevKind, ScevRef, ValueRef};

use super::type_range::constant;
use super::{Products, Translator, Use};
use crate::facts::Reason;
use crate::reject::{Blocker, RejectKind};

/// A stride of a descriptor.
struct Stride<'c> {
    param: u32,
    /// Where it is loaded from.
    address: ScevRef<'c>,
}

/// A stride that a descriptor holds, as it may be for useful sizes.
#[derive(Clone, Debug)]
pub(crate) struct DescribedStride<'c> {
    /// The value that is loaded.
    pub(crate) leaf: ScevRef<'c>,
    /// The unit that it is counted in: this part of an element.
    pub(crate) unit: Int,
    /// The number of dimensions inside.
    pub(crate) level: u32,
}

impl<'c> Translator<'_, 'c> {
    /// The offsets with products in place of the strides of outer dimensions, which is what these
    /// are assumed to be; nothing if there is no descriptor with several strides, or that never
    /// holds.
    pub(crate) fn with_nested_strides(
        &mut self,
        offsets: &[&Polynomial],
        budget: &mut Budget,
    ) -> Result<Option<Vec<Polynomial>>, Blocker> {
        let strides = self.described_strides(offsets);
        if strides.len() < 2 {
            return Ok(None);
        }
        let before = self.snapshot();
        let mut result: Vec<Polynomial> = offsets.iter().map(|&offset| offset.clone()).collect();
        for pair in (0..strides.len() - 1).rev() {
            let (inner, outer) = (strides[pair].param, strides[pair + 1].param);
            match self.multiple_of(outer, inner, budget) {
                Ok(product) => {
                    let replaced = result.iter().map(|offset| offset.replace(Symbol::Param(outer), &product));
                    result = replaced.collect();
                }
                Err(blocker) if blocker.kind == RejectKind::Complexity => return Err(blocker),
                Err(_) => {
                    self.restore(before);
                    return Ok(None);
                }
            }
        }
        for (level, stride) in (1..).zip(&strides) {
            let scev = self.params.entry(stride.param).scev;
            let (leaf, unit) = without_division(scev);
            if !self.strides.iter().any(|known| known.leaf == leaf) {
                self.strides.push(DescribedStride { leaf, unit, level });
            }
        }
        Ok(Some(result))
    }

    /// The strides of one descriptor among the factors of counters, innermost first.
    fn described_strides(&self, offsets: &[&Polynomial]) -> Vec<Stride<'c>> {
        let mut found: Vec<Stride<'c>> = Vec::new();
        for (monomial, _) in offsets.iter().flat_map(|offset| offset.terms()) {
            let ([Symbol::Param(param), Symbol::Variable(_)] | [Symbol::Variable(_), Symbol::Param(param)]) =
                *monomial.symbols()
            else {
                continue;
            };
            if found.iter().any(|stride| stride.param == param) {
                continue;
            }
            let (leaf, _) = without_division(self.params.entry(param).scev);
            let load = leaf.unknown_value().filter(|value| value.opcode() == Some(Opcode::Load));
            let Some(address) = load.and_then(|load: ValueRef<'c>| self.origins.ctx.scev(load.operand(0))) else {
                return Vec::new();
            };
            let Some(place) = self.place_among(&found, address) else { return Vec::new() };
            found.insert(place, Stride { param, address });
        }
        found
    }

    /// Before which stride the one that is loaded from this address stands in memory; nothing if
    /// that is not known.
    fn place_among(&self, strides: &[Stride<'c>], address: ScevRef<'c>) -> Option<usize> {
        for (place, stride) in strides.iter().enumerate() {
            let distance = self.origins.ctx.scev_minus(stride.address, address);
            if distance.constant()? > 0 {
                return Some(place);
            }
        }
        Some(strides.len())
    }

    /// The outer stride as a product of the inner one and a parameter, which it is assumed to be.
    fn multiple_of(&mut self, outer: u32, inner: u32, budget: &mut Budget) -> Result<Polynomial, Blocker> {
        let everywhere = Set::universe(self.space(0));
        let at = Use {
            block: self.origins.region.entry,
            loops: &[],
            domain: &everywhere,
            what: "a stride",
            place: None,
            kind: RejectKind::NonAffineAccess,
            may_assume: true,
            products: Products::Assumed,
        };
        let ctx = self.origins.ctx;
        let [whole, part] = [outer, inner].map(|param| self.params.entry(param).scev);
        let many = ctx.scev_udiv(whole, part);
        let many_param = self.param(many, &at, budget)?.0;
        let product = self.param(ctx.scev_mul(many, part), &at, budget)?.0;
        let names = [outer, inner].map(|param| self.params.entry(param).param.name.clone());
        let function = |this: &Self, param| {
            this.to_function(&Polynomial::symbol(Symbol::Param(param)), 0).expect("a parameter is affine")
        };
        let [whole, part, product] = [outer, inner, product].map(|param| function(self, param));
        let reason = |kind, text| Reason { kind, text, place: None };
        let [zero, one]: [PwAff; 2] = [Int::ZERO, Int::ONE].map(|number| constant(&whole, &number));
        let positive = reason(AssumptionKind::NonNegative, format!("'{}' is positive", names[1]));
        self.facts.exclude(&part.lt_set(&one), &positive, budget)?;
        let negative = reason(AssumptionKind::NonNegative, format!("'{}' is not negative", names[0]));
        self.facts.exclude(&whole.lt_set(&zero), &negative, budget)?;
        let multiple = reason(AssumptionKind::InBounds, format!("'{}' is a multiple of '{}'", names[0], names[1]));
        self.facts.exclude(&whole.sub(&product).non_zero_set(), &multiple, budget)?;
        let [many, part] = [many_param, inner].map(|param| Polynomial::symbol(Symbol::Param(param)));
        let product = many.mul(&part);
        self.pin(&product);
        Ok(product)
    }
}

/// What a value is a quotient of, and the divisor, if that is constant.
fn without_division(scev: ScevRef<'_>) -> (ScevRef<'_>, Int) {
    if scev.kind() == ScevKind::UDiv
        && let [value, divisor] = *scev.operands()
        && let Some(divisor) = divisor.constant()
    {
        return (value, Int::from(divisor));
    }
    (scev, Int::ONE)
}
