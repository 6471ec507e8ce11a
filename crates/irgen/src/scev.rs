//! From scalar evolution expressions to instructions, with new loop counters.
//!
//! LLVM's own expander computes an expression with the loops of the original code. New code has
//! other loops: there `{start,+,step}<L>` is `start + step * i` where `i` is the coordinate of the
//! instance that stands for the iteration number of `L`. Expressions are computed in their own type
//! without wrap flags: the original value is the same modulo 2^bits, and so is this one.
//!
//! Divisions by values that are not constant are computed so that they have a result whatever these
//! values are: by 1 instead of 0, and with frozen operands.
//!
//! Largest subexpressions that do not change in the region are expanded by LLVM before it
//! ([`crate::prepare`] collects them): only LLVM can compute recurrences of the loops around the
//! region.

use std::collections::HashSet;

use indexmap::IndexMap;
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

/// A division by a value that is not constant. New code computes it itself: LLVM's expander does
/// not care for poison in divisors.
pub(crate) fn is_quotient(scev: ScevRef<'_>) -> bool {
    scev.kind() == ScevKind::UDiv && scev.operands()[1].kind() != ScevKind::Constant
}

/// Whether such a division is in the expression.
pub(crate) fn has_quotient(scev: ScevRef<'_>) -> bool {
    let mut todo = vec![scev];
    let mut seen = HashSet::new();
    while let Some(part) = todo.pop() {
        if is_quotient(part) {
            return true;
        }
        if seen.insert(part) {
            todo.extend(part.operands());
        }
    }
    false
}

/// What a quotient consists of: everything that is not computed from other expressions here.
pub(crate) fn is_leaf(scev: ScevRef<'_>) -> bool {
    matches!(scev.kind(), ScevKind::Constant | ScevKind::Unknown | ScevKind::AddRec)
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

/// By how much an expression changes when loops go on by these numbers of iterations, if that is a
/// constant. Sums are taken modulo the expression's width.
pub(crate) fn distance<'c>(scev: ScevRef<'c>, iterations: &impl Fn(LoopRef<'c>) -> Option<i128>) -> Option<i128> {
    match scev.kind() {
        ScevKind::Constant | ScevKind::Unknown => Some(0),
        ScevKind::AddRec => {
            let [start, step] = scev.operands()[..] else { return None };
            let own = match iterations(scev.addrec_loop()?)? {
                0 => distance(step, iterations).filter(|&moves| moves == 0)?,
                number => step.constant()?.checked_mul(number)?,
            };
            own.checked_add(distance(start, iterations)?)
        }
        ScevKind::Add => {
            let parts = scev.operands().into_iter();
            parts.map(|part| distance(part, iterations)).try_fold(0i128, |sum, part| sum.checked_add(part?))
        }
        _ => scev.operands().into_iter().all(|part| distance(part, iterations) == Some(0)).then_some(0),
    }
}

/// Expressions.
impl<'c> Generator<'c, '_> {
    /// The value of an expression for an instance.
    pub(crate) fn emit_scev(&mut self, scev: ScevRef<'c>, instance: &Instance<'c, '_>) -> Value<'c> {
        if let Some(&value) = self.expansions.get(&scev.raw()) {
            return self.import(value);
        }
        match scev.kind() {
            ScevKind::Constant => {
                let bits = scev.ty().and_then(|ty| ty.integer_bits()).expect("constant expressions are integers");
                self.b.int(bits, scev.constant().expect("preparation has checked the size"))
            }
            ScevKind::Unknown => self.import(scev.unknown_value().expect("unknowns have a value")),
            ScevKind::AddRec => self.emit_recurrence(scev, instance),
            _ if is_quotient(scev) => self.emit_quotient(scev, instance, &mut IndexMap::new()),
            _ => {
                let operands: Vec<Value<'c>> =
                    scev.operands().into_iter().map(|operand| self.emit_scev(operand, instance)).collect();
                self.emit_root(scev, &operands)
            }
        }
    }

    /// A division by a value that is not constant, and what is inside of it. The values that it
    /// depends on are frozen, each once: a division by poison would be undefined where the original
    /// perhaps does not divide at all.
    fn emit_quotient(
        &mut self,
        scev: ScevRef<'c>,
        instance: &Instance<'c, '_>,
        frozen: &mut IndexMap<*const std::ffi::c_void, Value<'c>>,
    ) -> Value<'c> {
        if let Some(&value) = frozen.get(&scev.raw()) {
            return value;
        }
        let value = if is_leaf(scev) {
            let value = self.emit_scev(scev, instance);
            self.emit_frozen(value)
        } else {
            let operands: Vec<Value<'c>> =
                scev.operands().into_iter().map(|operand| self.emit_quotient(operand, instance, frozen)).collect();
            self.emit_root(scev, &operands)
        };
        frozen.insert(scev.raw(), value);
        value
    }

    /// The operation at the root of an expression on values of its operands.
    fn emit_root(&mut self, scev: ScevRef<'c>, operands: &[Value<'c>]) -> Value<'c> {
        let ty = scev.ty().expect("preparation has refused what cannot be computed");
        match scev.kind() {
            ScevKind::Add => self.emit_fold(operands, Self::emit_add),
            ScevKind::Mul => self.emit_fold(operands, |g, a, b| g.b.arithmetic(Op::Mul, a, b, false)),
            ScevKind::UDiv => {
                let is_variable = is_quotient(scev);
                self.emit_fold(operands, |g, a, b| {
                    // What is computed before the check must not end the program.
                    let one = |g: &Self| g.b.int(b.ty().integer_bits().expect("integers are divided"), 1);
                    let b = if is_variable { g.emit_choice(Compare::LLVMIntUGT, b, one(g)) } else { b };
                    g.b.arithmetic(Op::UDiv, a, b, false)
                })
            }
            ScevKind::SMax => self.emit_fold(operands, |g, a, b| g.emit_choice(Compare::LLVMIntSGT, a, b)),
            ScevKind::SMin => self.emit_fold(operands, |g, a, b| g.emit_choice(Compare::LLVMIntSLT, a, b)),
            ScevKind::UMax => self.emit_fold(operands, |g, a, b| g.emit_choice(Compare::LLVMIntUGT, a, b)),
            ScevKind::UMin => self.emit_fold(operands, |g, a, b| g.emit_choice(Compare::LLVMIntULT, a, b)),
            ScevKind::SequentialUMin => self.emit_fold(operands, Self::emit_sequential_minimum),
            ScevKind::ZExt | ScevKind::SExt | ScevKind::Trunc => {
                self.b.int_cast(operands[0], ty, scev.kind() == ScevKind::SExt)
            }
            ScevKind::PtrToInt => self.b.ptr_to_int(operands[0], ty),
            ScevKind::Constant
            | ScevKind::Unknown
            | ScevKind::AddRec
            | ScevKind::VScale
            | ScevKind::CouldNotCompute
            | ScevKind::Other => unreachable!("preparation has refused {scev}"),
        }
    }

    fn emit_fold(
        &mut self,
        operands: &[Value<'c>],
        combine: impl Fn(&mut Self, Value<'c>, Value<'c>) -> Value<'c>,
    ) -> Value<'c> {
        let (first, others) = operands.split_first().expect("expressions with operands have at least one");
        others.iter().fold(*first, |so_far, &operand| combine(self, so_far, operand))
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
