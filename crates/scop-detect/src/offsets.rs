//! Offsets of addresses, and whether they are exact.
//!
//! # Problem
//! Scalar evolution's expression of an address is right modulo 2^64, and has lost most flags
//! (`nsw`, `inbounds`) of the instructions that compute it. But where an access is executed, its
//! address is not poison, and so none of these flags has been violated: in `a[i * n + j]` with
//! numbers of 32 bits, neither product nor sum has overflowed, whatever `i` and `n` are.
//!
//! # Algorithm
//! The instructions between base and address are followed. Those that cannot overflow without
//! making the address poison are arithmetic of integers on their operands; other operands are left
//! to scalar evolution, and must be known exactly.

use poly_presburger::Budget;
use poly_scop::shape::Polynomial;
use poly_shim::ir::Opcode;
use poly_shim::{ScevRef, ValueRef};

use crate::affine::{Translator, Use};
use crate::params::type_range;
use crate::reject::{Blocker, RejectKind};

/// How many operations an address may consist of.
const MAX_ADDRESS_PARTS: usize = 64;
/// How deep they may be nested.
const MAX_DEPTH: usize = 24;

/// Whether the address is computed from its base by operations that cannot overflow without making
/// it poison, on operands that are exact themselves.
pub(crate) fn is_exact_address<'c>(
    translator: &mut Translator<'_, 'c>,
    (address, base): (ValueRef<'c>, ValueRef<'c>),
    at: &Use<'_>,
    budget: &mut Budget,
) -> Result<bool, Blocker> {
    let mut todo = vec![address];
    for _ in 0..MAX_ADDRESS_PARTS {
        let Some(value) = todo.pop() else { return Ok(true) };
        if translator.origins.loads.representative(value) == base {
            continue;
        }
        match value.opcode() {
            Some(Opcode::GetElementPtr) if value.is_inbounds() => todo.extend(value.operands()),
            Some(Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Shl) if value.has_nsw() => {
                todo.extend(value.operands())
            }
            Some(Opcode::SExt) => todo.extend(value.operands()),
            _ => {
                // A pointer that is no address computation is only exact as a base.
                if value.ty().integer_bits().is_none() || translator.exact_leaf(value, at, budget)?.is_none() {
                    return Ok(false);
                }
            }
        }
    }
    Ok(false)
}

/// Whether the address is computed from its base by steps each of which stays inside of one object,
/// or else is poison.
pub(crate) fn is_inside_object<'c>(mut address: ValueRef<'c>, is_base: impl Fn(ValueRef<'c>) -> bool) -> bool {
    for _ in 0..MAX_DEPTH {
        if is_base(address) {
            return true;
        }
        if address.opcode() != Some(Opcode::GetElementPtr) || !address.is_inbounds() {
            return false;
        }
        address = address.operand(0);
    }
    false
}

impl<'c> Translator<'_, 'c> {
    /// The offset of an address as a polynomial that is congruent to it, and whether it is equal.
    pub(crate) fn offset(
        &mut self,
        distance: ScevRef<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<(Polynomial, bool), Blocker> {
        let bits = self.origins.ctx.scev_bits(distance);
        let (polynomial, is_exact) = self.congruent(distance, at, budget)?;
        Ok((if is_exact { polynomial } else { polynomial.reduce(bits) }, is_exact))
    }

    /// The offset of an address from its base, from instructions that cannot overflow without
    /// making the address poison; nothing if there are others.
    pub(crate) fn exact_offset(
        &mut self,
        address: ValueRef<'c>,
        base: ValueRef<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Polynomial>, Blocker> {
        match self.exact(address, Some(base), at, MAX_DEPTH, budget) {
            Err(blocker) if blocker.kind != RejectKind::Complexity => Ok(None),
            result => result,
        }
    }

    /// The signed value of an integer, or the distance of an address from the base.
    fn exact(
        &mut self,
        value: ValueRef<'c>,
        base: Option<ValueRef<'c>>,
        at: &Use<'_>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Option<Polynomial>, Blocker> {
        if depth == 0 {
            return Ok(None);
        }
        if value.ty().is_pointer() {
            if Some(self.origins.loads.representative(value)) == base {
                return Ok(Some(Polynomial::zero()));
            }
            if value.opcode() != Some(Opcode::GetElementPtr) || !value.is_inbounds() {
                return Ok(None);
            }
            let start = self.exact(value.operand(0), base, at, depth - 1, budget)?;
            let distance = self.indexed(value, at, depth - 1, budget)?;
            return Ok(start.zip(distance).map(|(start, distance)| start.add(&distance)));
        }
        let is_defined_inside = self.origins.defining_block(value).is_some();
        let combine: fn(&Polynomial, &Polynomial) -> Polynomial = match value.opcode() {
            Some(Opcode::SExt) if is_defined_inside => {
                return self.exact(value.operand(0), None, at, depth - 1, budget);
            }
            Some(Opcode::Add) if is_defined_inside && value.has_nsw() => |a, b| a.add(b),
            Some(Opcode::Sub) if is_defined_inside && value.has_nsw() => |a, b| a.sub(b),
            Some(Opcode::Mul) if is_defined_inside && value.has_nsw() => |a, b| a.mul(b),
            _ => return self.exact_leaf(value, at, budget),
        };
        let left = self.exact(value.operand(0), None, at, depth - 1, budget)?;
        let right = self.exact(value.operand(1), None, at, depth - 1, budget)?;
        Ok(left.zip(right).map(|(left, right)| combine(&left, &right)))
    }

    /// What an address computation adds to its pointer.
    fn indexed(
        &mut self,
        gep: ValueRef<'c>,
        at: &Use<'_>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Option<Polynomial>, Blocker> {
        let indices = &gep.operands()[1..];
        if indices.iter().all(|index| index.constant_int().is_some()) {
            let ctx = self.origins.ctx;
            let (Some(end), Some(start)) = (ctx.scev(gep), ctx.scev(gep.operand(0))) else { return Ok(None) };
            let distance = ctx.scev_minus(end, start).constant();
            return Ok(distance.map(|distance| Polynomial::constant(poly_arith::Int::from(distance))));
        }
        let mut ty = gep.gep_source_type();
        let mut sum = Polynomial::zero();
        for (position, &index) in indices.iter().enumerate() {
            if position > 0 {
                ty = ty.and_then(|ty| ty.array_parts()).map(|(element, _)| element);
            }
            let Some(bytes) = ty.and_then(|ty| self.origins.ctx.alloc_size(ty)) else { return Ok(None) };
            let Some(number) = self.exact(index, None, at, depth, budget)? else { return Ok(None) };
            sum = sum.add(&number.scale(&poly_arith::Int::from(bytes)));
        }
        Ok(Some(sum))
    }

    /// The signed value of an integer that scalar evolution knows exactly.
    fn exact_leaf(
        &mut self,
        value: ValueRef<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Polynomial>, Blocker> {
        let Some(scev) = self.origins.scev_in(value, at.block) else { return Ok(None) };
        let (polynomial, is_exact) = self.congruent(scev, at, budget)?;
        let (min, max) = type_range(self.origins.ctx.scev_bits(scev), false);
        Ok((is_exact || self.interval(&polynomial, at.loops).is_within(&min, &max)).then_some(polynomial))
    }
}
