//! From scalar evolution expressions to instructions, with new loop counters.
//!
//! LLVM's own expander computes an expression with the loops of the original code. New code has other loops: there `{start,+,step}<L>` is
//! `start + step * i` where `i` is the coordinate of the instance that stands for the iteration number of `L`. Expressions are computed in their
//! own type without wrap flags: the original value is the same modulo 2^bits, and so is this one.
//!
//! Largest subexpressions that do not change in the region are expanded by LLVM before it ([`crate::prepare`] collects them): only LLVM can compute
//! recurrences of the loops around the region.

use std::collections::HashSet;

use poly_shim::scev::ScevKind;
use poly_shim::{BlockRef, LoopRef, ScevRef, ValueRef};

use crate::CodegenError;
use crate::builder::{Compare, Op, Value};
use crate::generator::Generator;
use crate::statement::Instance;

/// Computing it takes instructions.
pub(crate) fn needs_expansion(scev: ScevRef<'_>) -> bool {
    !matches!(scev.kind(), ScevKind::Constant | ScevKind::Unknown)
}

/// Nothing in the expression changes while the region runs.
pub(crate) fn is_region_invariant<'c>(
    scev: ScevRef<'c>,
    region: &HashSet<BlockRef<'c>>,
    in_region: &dyn Fn(LoopRef<'c>) -> bool,
) -> bool {
    let own = match scev.kind() {
        ScevKind::AddRec => !scev.addrec_loop().is_some_and(in_region),
        ScevKind::Unknown => {
            let block = scev.unknown_value().and_then(ValueRef::block);
            !block.is_some_and(|b| region.contains(&b))
        }
        ScevKind::CouldNotCompute | ScevKind::Other => false,
        _ => true,
    };
    own && scev.operands().into_iter().all(|operand| is_region_invariant(operand, region, in_region))
}

/// Whether [`Generator::emit_scev`] can compute the operation at the root of the expression.
pub(crate) fn check<'c>(
    scev: ScevRef<'c>,
    loops: &[LoopRef<'c>],
    is_available: &dyn Fn(ValueRef<'c>) -> bool,
) -> Result<(), CodegenError> {
    let fine = match scev.kind() {
        ScevKind::Constant => scev.constant().is_some(),
        ScevKind::Unknown => scev.unknown_value().is_some_and(is_available),
        ScevKind::AddRec => scev.operands().len() == 2 && scev.addrec_loop().is_some_and(|l| loops.contains(&l)),
        ScevKind::VScale | ScevKind::CouldNotCompute | ScevKind::Other => false,
        _ => true,
    };
    if fine {
        return Ok(());
    }
    Err(CodegenError::Unavailable { value: scev.print(), place: "from loop counters".to_owned() })
}

/// The operands that [`Generator::emit_scev`] computes for the operation at the root.
pub(crate) fn evaluated_operands(scev: ScevRef<'_>) -> Vec<ScevRef<'_>> {
    match scev.kind() {
        ScevKind::Constant | ScevKind::Unknown => Vec::new(),
        _ => scev.operands(),
    }
}

/// Expressions.
impl<'c> Generator<'c, '_> {
    /// The value of an expression for an instance.
    pub(crate) fn emit_scev(&mut self, scev: ScevRef<'c>, instance: &Instance<'c, '_>) -> Value<'c> {
        if let Some(&value) = self.expansions.get(&scev.raw()) {
            return self.import(value);
        }
        let ty = scev.ty().expect("preparation has refused what cannot be computed");
        match scev.kind() {
            ScevKind::Constant => {
                let bits = ty.integer_bits().expect("constant expressions are integers");
                self.b.int(bits, scev.constant().expect("preparation has checked the size"))
            }
            ScevKind::Unknown => self.import(scev.unknown_value().expect("unknowns have a value")),
            ScevKind::AddRec => self.emit_recurrence(scev, instance),
            ScevKind::Add => self.emit_fold(scev, instance, Self::emit_add),
            ScevKind::Mul => self.emit_fold(scev, instance, |g, a, b| g.b.arithmetic(Op::Mul, a, b, false)),
            ScevKind::UDiv => self.emit_fold(scev, instance, |g, a, b| g.b.arithmetic(Op::UDiv, a, b, false)),
            ScevKind::SMax => self.emit_fold(scev, instance, |g, a, b| g.emit_choice(Compare::LLVMIntSGT, a, b)),
            ScevKind::SMin => self.emit_fold(scev, instance, |g, a, b| g.emit_choice(Compare::LLVMIntSLT, a, b)),
            ScevKind::UMax => self.emit_fold(scev, instance, |g, a, b| g.emit_choice(Compare::LLVMIntUGT, a, b)),
            ScevKind::UMin => self.emit_fold(scev, instance, |g, a, b| g.emit_choice(Compare::LLVMIntULT, a, b)),
            ScevKind::SequentialUMin => self.emit_fold(scev, instance, Self::emit_sequential_minimum),
            ScevKind::ZExt | ScevKind::SExt | ScevKind::Trunc => {
                let inner = self.emit_only_operand(scev, instance);
                self.b.int_cast(inner, ty, scev.kind() == ScevKind::SExt)
            }
            ScevKind::PtrToInt => {
                let inner = self.emit_only_operand(scev, instance);
                self.b.ptr_to_int(inner, ty)
            }
            ScevKind::VScale | ScevKind::CouldNotCompute | ScevKind::Other => {
                unreachable!("preparation has refused {scev}")
            }
        }
    }

    fn emit_only_operand(&mut self, scev: ScevRef<'c>, instance: &Instance<'c, '_>) -> Value<'c> {
        self.emit_scev(scev.operands()[0], instance)
    }

    fn emit_fold(
        &mut self,
        scev: ScevRef<'c>,
        instance: &Instance<'c, '_>,
        combine: impl Fn(&mut Self, Value<'c>, Value<'c>) -> Value<'c>,
    ) -> Value<'c> {
        let mut result = None;
        for operand in scev.operands() {
            let operand = self.emit_scev(operand, instance);
            result = Some(match result {
                None => operand,
                Some(so_far) => combine(self, so_far, operand),
            });
        }
        result.expect("expressions with operands have at least one")
    }

    /// `start + step * i`.
    fn emit_recurrence(&mut self, scev: ScevRef<'c>, instance: &Instance<'c, '_>) -> Value<'c> {
        let (start, step) = (scev.operands()[0], scev.operands()[1]);
        let dimension = instance.dimension(scev.addrec_loop().expect("recurrences have a loop"));
        let (start, step) = (self.emit_scev(start, instance), self.emit_scev(step, instance));
        let iteration = self.b.int_cast(instance.coordinates[dimension], step.ty(), true);
        let distance = self.b.arithmetic(Op::Mul, step, iteration, false);
        self.emit_add(start, distance)
    }

    /// The sum of two integers, or of a pointer and bytes.
    fn emit_add(&mut self, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        match (a.ty().is_pointer(), b.ty().is_pointer()) {
            (true, _) => self.b.offset(self.b.int_type(8), a, b),
            (false, true) => self.b.offset(self.b.int_type(8), b, a),
            (false, false) => self.b.arithmetic(Op::Add, a, b, false),
        }
    }

    fn emit_choice(&mut self, predicate: Compare, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        let condition = self.b.compare(predicate, a, b);
        self.b.select(condition, a, b)
    }

    /// `a` if it is 0, else the unsigned minimum: `b` may be poison when `a` is 0.
    fn emit_sequential_minimum(&mut self, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        let minimum = self.emit_choice(Compare::LLVMIntULT, a, b);
        let zero = self.b.null(a.ty());
        let is_zero = self.b.compare(Compare::LLVMIntEQ, a, zero);
        self.b.select(is_zero, zero, minimum)
    }
}
