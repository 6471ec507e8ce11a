//! From conditions of branches to sets of iterations.

use poly_arith::Int;
use poly_presburger::{Budget, PwAff, Set};
use poly_shim::ir::{Opcode, Predicate};
use poly_shim::{ScevRef, ValueRef};

use crate::affine::{Sign, Translator, Use};
use crate::names;
use crate::params::type_range;
use crate::reject::Blocker;
use crate::validity;

/// Deepest nesting of `&&` and `||`.
const MAX_DEPTH: usize = 16;

/// The iterations for which a condition holds, and those for which it does not: over the whole
/// space, not only the domain of the use.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    pub(crate) holds: Set,
    pub(crate) fails: Set,
}

impl Split {
    fn inverse(self) -> Self {
        Self { holds: self.fails, fails: self.holds }
    }

    fn and(&self, other: &Self) -> Self {
        Self { holds: self.holds.intersect(&other.holds), fails: self.fails.union(&other.fails) }
    }

    fn or(&self, other: &Self) -> Self {
        Self { holds: self.holds.union(&other.holds), fails: self.fails.intersect(&other.fails) }
    }
}

impl<'c> Translator<'_, 'c> {
    /// The iterations for which a value of type `i1` is true.
    pub(crate) fn condition(
        &mut self,
        value: ValueRef<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Split, Blocker> {
        self.condition_below(value, at, MAX_DEPTH, budget)
    }

    fn condition_below(
        &mut self,
        value: ValueRef<'c>,
        at: &Use<'_>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Split, Blocker> {
        if depth == 0 {
            return Err(not_affine(at, "the condition is nested too deeply"));
        }
        let constant_is = |v: ValueRef<'c>, truth: bool| v.constant_int().is_some_and(|c| (c != 0) == truth);
        if value.constant_int().is_some() {
            return Ok(self.constant_split(constant_is(value, true), at));
        }
        // A part matters only where those before it have not decided.
        let mut below = |part: ValueRef<'c>, relevant: Option<&Set>, this: &mut Self| {
            let domain = relevant.map(|set| at.domain.intersect(set));
            let at = Use { domain: domain.as_ref().unwrap_or(at.domain), ..*at };
            this.condition_below(part, &at, depth - 1, budget)
        };
        match value.opcode() {
            Some(Opcode::ICmp) => self.comparison(value, at, budget),
            Some(Opcode::And) => {
                let left = below(value.operand(0), None, self)?;
                Ok(left.and(&below(value.operand(1), Some(&left.holds), self)?))
            }
            Some(Opcode::Or) => {
                let left = below(value.operand(0), None, self)?;
                Ok(left.or(&below(value.operand(1), Some(&left.fails), self)?))
            }
            Some(Opcode::Xor) if constant_is(value.operand(1), true) => {
                Ok(below(value.operand(0), None, self)?.inverse())
            }
            Some(Opcode::Select) => {
                let chosen = below(value.operand(0), None, self)?;
                let then = below(value.operand(1), Some(&chosen.holds), self)?;
                let otherwise = below(value.operand(2), Some(&chosen.fails), self)?;
                Ok(chosen.and(&then).or(&chosen.clone().inverse().and(&otherwise)))
            }
            Some(Opcode::Freeze) => below(value.operand(0), None, self),
            Some(Opcode::ExtractValue) if validity::is_overflow_test(value.operand(0)) => {
                self.overflow(value.operand(0), at, budget)
            }
            Some(Opcode::Phi) => match self.merged_condition(value, at, budget)? {
                Some(split) => Ok(split),
                None => self.truth(value, at, budget),
            },
            _ => self.truth(value, at, budget),
        }
    }

    /// Whether a sum, difference or product overflows.
    fn overflow(&mut self, test: ValueRef<'c>, at: &Use<'_>, budget: &mut Budget) -> Result<Split, Blocker> {
        let name = test.intrinsic_name().expect("tests of overflow are intrinsics");
        let is_unsigned = name.starts_with("llvm.u");
        let sign = if is_unsigned { Sign::Unsigned } else { Sign::Signed };
        let mut operands = Vec::new();
        for position in 0..2 {
            let scev = self.origins.scev_in(test.operand(position), at.block);
            let scev = scev.ok_or_else(|| not_affine(at, "it asks for an overflow"))?;
            operands.push(self.integer(scev, sign, at, budget)?);
        }
        let [a, b] = operands.as_slice() else { unreachable!("there are two operands") };
        let result = match name.as_str() {
            "llvm.sadd.with.overflow" | "llvm.uadd.with.overflow" => a.add(b),
            "llvm.ssub.with.overflow" | "llvm.usub.with.overflow" => a.sub(b),
            _ => a.mul(b),
        };
        let value = self.to_function(&result, at.depth()).ok_or_else(|| not_affine(at, "it is about a product"))?;
        let bits = test.operand(0).ty().integer_bits().ok_or_else(|| not_affine(at, "it is about vectors"))?;
        let (min, max) = type_range(bits, is_unsigned);
        let constant = |number: Int| PwAff::constant(value.space().clone(), number);
        let (min, max) = (constant(min), constant(max));
        let holds = value.lt_set(&min).union(&value.gt_set(&max));
        Ok(Split { holds, fails: value.ge_set(&min).intersect(&value.le_set(&max)) })
    }

    fn constant_split(&self, truth: bool, at: &Use<'_>) -> Split {
        let space = self.space(at.depth());
        let split = Split { holds: Set::universe(space.clone()), fails: Set::empty(space) };
        if truth { split } else { split.inverse() }
    }

    /// An `i1` that is an integer expression: true is 1.
    fn truth(&mut self, value: ValueRef<'c>, at: &Use<'_>, budget: &mut Budget) -> Result<Split, Blocker> {
        if value.opcode() == Some(Opcode::FCmp) {
            return Err(not_affine(at, "it compares floating-point numbers"));
        }
        let scev = self.origins.scev_in(value, at.block);
        let scev = scev.ok_or_else(|| not_affine(at, &format!("it depends on {}", names::quoted(value))))?;
        let function = self.value(scev, Sign::Unsigned, at, budget)?;
        Ok(Split { holds: function.pos_set(), fails: function.neg().nonneg_set() })
    }

    fn comparison(&mut self, comparison: ValueRef<'c>, at: &Use<'_>, budget: &mut Budget) -> Result<Split, Blocker> {
        let predicate = comparison.predicate().expect("an integer comparison has a predicate");
        let (left, right) = (comparison.operand(0), comparison.operand(1));
        let cause = |v: ValueRef<'c>| not_affine(at, &format!("it depends on {}", names::quoted(v)));
        let a = self.origins.scev_in(left, at.block).ok_or_else(|| cause(left))?;
        let b = self.origins.scev_in(right, at.block).ok_or_else(|| cause(right))?;
        if left.ty().is_pointer() {
            return self.pointer_comparison(predicate, a, b, at, budget);
        }
        self.integer_comparison(predicate, a, b, at, budget)
    }

    /// The iterations for which `a predicate b`.
    pub(crate) fn integer_comparison(
        &mut self,
        predicate: Predicate,
        a: ScevRef<'c>,
        b: ScevRef<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Split, Blocker> {
        if matches!(predicate, Predicate::Eq | Predicate::Ne)
            && let Some(distance) = self.distance(a, b, at, budget)?
        {
            let (equal, differ) = (distance.zero_set(), distance.non_zero_set());
            let split = Split { holds: equal, fails: differ };
            return Ok(if predicate == Predicate::Eq { split } else { split.inverse() });
        }
        let sign = if predicate.is_unsigned() { Sign::Unsigned } else { Sign::Signed };
        let a = self.value(a, sign, at, budget)?;
        let b = self.value(b, sign, at, budget)?;
        let set = |p: Predicate| match p {
            Predicate::Eq => a.eq_set(&b),
            Predicate::Ne => a.ne_set(&b),
            Predicate::Ugt | Predicate::Sgt => a.gt_set(&b),
            Predicate::Uge | Predicate::Sge => a.ge_set(&b),
            Predicate::Ult | Predicate::Slt => a.lt_set(&b),
            Predicate::Ule | Predicate::Sle => a.le_set(&b),
        };
        Ok(Split { holds: set(predicate), fails: set(predicate.inverse()) })
    }

    /// A function that is zero exactly where two integers of one width are equal: their difference
    /// modulo 2 to the width, if it is too small for other multiples.
    fn distance(
        &mut self,
        a: ScevRef<'c>,
        b: ScevRef<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Option<PwAff>, Blocker> {
        let modulus = Int::from(2).pow(self.origins.ctx.scev_bits(a));
        let difference = self.congruent(a, at, budget)?.0.sub(&self.congruent(b, at, budget)?.0);
        let largest = &modulus - &Int::ONE;
        if self.interval(&difference, at.loops).is_within(&-&largest, &largest) {
            return Ok(self.to_function(&difference, at.depth()));
        }
        Ok(None)
    }

    /// Pointers into one object are equal if their distance is 0; more is not known about them.
    fn pointer_comparison(
        &mut self,
        predicate: Predicate,
        a: ScevRef<'c>,
        b: ScevRef<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Split, Blocker> {
        let ctx = self.origins.ctx;
        let distance = ctx.scev_minus(a, b);
        let comparable = matches!(predicate, Predicate::Eq | Predicate::Ne) && !distance.is_could_not_compute();
        let ty = distance.ty().filter(|_| comparable).ok_or_else(|| not_affine(at, "it compares pointers"))?;
        self.integer_comparison(predicate, distance, ctx.scev_int(ty, 0), at, budget)
    }
}

fn not_affine(at: &Use<'_>, why: &str) -> Blocker {
    Blocker::new(at.kind, format!("{} is not affine: {why}", at.what)).at(at.place.cloned()).in_block(at.block)
}
