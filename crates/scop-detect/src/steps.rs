//! Loops whose step is a parameter: `for (i = a; i < b; i += s)`.
//!
//! # Problem
//! How often such a loop runs is a quotient of parameters, `ceil((b - a) / s)`, which is no affine
//! function. But it is a number that is the same in the whole region if start, bound and step are:
//! one more parameter, computed before the loops.
//!
//! # Definitions
//! The loop goes on while `x < b` for `x = a + s * k` in iteration `k` (`x <= b` is `x < b + 1`;
//! for loops that count down everything is mirrored). Values are read as signed or unsigned
//! numbers, whichever the comparison does.
//!
//! # Algorithm
//! If `s >= 1` and `max(a, b) - 1 + s` does not exceed the integers of the counter's width, no `x`
//! up to the first one that is not below `b` wraps around, and that is in iteration
//! `(max(a, b) - a + s - 1) / s`, rounded down. Both conditions are assumed. The quotient is
//! computed in 64 bits with `max(s, 1)` for `s`: parameters are computed before the assumptions are
//! tested, and a division by zero would end the program.
//!
//! The counter's own values, and those an iteration before (loops compare the next one), are then
//! known not to wrap around either.
//!
//! The values of the counter are products of a parameter and a loop counter. In subscripts the
//! recovery of array shapes makes dimensions of them (`A[s * k]` is `A'[k][0]` with rows of `s`
//! elements); elsewhere they are not affine.

use poly_arith::Int;
use poly_presburger::{Budget, PwAff};
use poly_scop::AssumptionKind;
use poly_scop::shape::{Polynomial, Symbol};
use poly_shim::ir::{Opcode, Predicate};
use poly_shim::{LoopRef, PassContext, ScevKind, ScevRef};

use crate::affine::{Products, Sign, Translator, Use};
use crate::cfg::{BlockId, LoopIndex};
use crate::facts::Reason;
use crate::params::type_range;
use crate::reject::Blocker;
use crate::values::{Origins, condition_of};

/// The width in which the number of iterations is computed.
const COUNT_BITS: u32 = 64;

/// A counter on its way to a bound, all in the width of the comparison.
#[derive(Clone, Debug)]
pub(crate) struct Walk<'c> {
    of: LoopRef<'c>,
    /// What it grows by in an iteration.
    growth: ScevRef<'c>,
    /// Its value in the first iteration in which it is compared.
    start: ScevRef<'c>,
    /// How much it comes nearer to the bound in an iteration.
    step: ScevRef<'c>,
    bound: ScevRef<'c>,
    /// The loop also goes on where the counter is equal to the bound.
    includes_bound: bool,
    is_down: bool,
    sign: Sign,
    bits: u32,
}

impl<'c> Walk<'c> {
    /// The way of the counter that the condition of `exiting` compares, if its step is not constant
    /// and nothing of it changes in the region.
    pub(crate) fn of(origins: Origins<'_, 'c>, l: LoopIndex, exiting: BlockId) -> Option<Self> {
        let cfg = origins.cfg;
        let terminator = cfg.blocks[exiting].terminator();
        let comparison = condition_of(terminator).filter(|c| c.opcode() == Some(Opcode::ICmp))?;
        let goes_on = cfg.number(cfg.blocks[exiting].successors()[0]).is_some_and(|b| cfg.loop_contains(l, b));
        let predicate = comparison.predicate()?;
        let predicate = if goes_on { predicate } else { predicate.inverse() };
        comparison.operand(0).ty().integer_bits().filter(|&bits| bits <= COUNT_BITS)?;
        let left = origins.scev_in(comparison.operand(0), exiting)?;
        let right = origins.scev_in(comparison.operand(1), exiting)?;
        let counts = |scev: ScevRef<'c>| scev.addrec_loop().is_some_and(|of| cfg.loop_number(of) == Some(l));
        let (counter, bound, predicate) = match (counts(left), counts(right)) {
            (true, false) => (left, right, predicate),
            (false, true) => (right, left, predicate.swapped()),
            _ => return None,
        };
        let is_down = match predicate {
            Predicate::Eq | Predicate::Ne => return None,
            Predicate::Ult | Predicate::Ule | Predicate::Slt | Predicate::Sle => false,
            Predicate::Ugt | Predicate::Uge | Predicate::Sgt | Predicate::Sge => true,
        };
        let operands = counter.operands();
        let &[start, growth] = operands.as_slice() else { return None };
        let is_fixed = [start, growth, bound].into_iter().all(|part| origins.is_invariant(part));
        if !is_fixed || growth.kind() == ScevKind::Constant {
            return None;
        }
        let ctx = origins.ctx;
        let minus_one = ctx.scev_int(growth.ty()?, -1);
        Some(Self {
            of: cfg.loops[l].handle,
            growth,
            start,
            step: if is_down { ctx.scev_mul(minus_one, growth) } else { growth },
            bound,
            includes_bound: matches!(predicate, Predicate::Ule | Predicate::Sle | Predicate::Uge | Predicate::Sge),
            is_down,
            sign: if predicate.is_unsigned() { Sign::Unsigned } else { Sign::Signed },
            bits: ctx.scev_bits(counter),
        })
    }

    /// The value of the counter an iteration before it is compared for the first time.
    pub(crate) fn before(&self, ctx: PassContext<'c>) -> ScevRef<'c> {
        ctx.scev_minus(self.start, self.growth)
    }

    /// Whether the counter goes down.
    pub(crate) fn is_down(&self) -> bool {
        self.is_down
    }

    /// How its values are read.
    pub(crate) fn sign(&self) -> Sign {
        self.sign
    }

    /// How far the values that go on reach beyond the bound: 1 where the bound is one of them.
    pub(crate) fn reach(&self) -> i64 {
        i64::from(self.includes_bound)
    }

    /// The way of all iterations that go on, in [`COUNT_BITS`] bits: a multiple of the step.
    pub(crate) fn length(&self, origins: Origins<'_, 'c>) -> ScevRef<'c> {
        let ctx = origins.ctx;
        ctx.scev_mul(self.count(origins), self.wide(ctx, self.step))
    }

    fn wide(&self, ctx: PassContext<'c>, scev: ScevRef<'c>) -> ScevRef<'c> {
        let ty = ctx.integer_type(COUNT_BITS);
        match self.sign {
            Sign::Signed => ctx.scev_sext(scev, ty),
            Sign::Unsigned => ctx.scev_zext(scev, ty),
        }
    }

    /// Whether the values of the recurrence are those of the counter, or those that it has an
    /// iteration before.
    fn has(&self, ctx: PassContext<'c>, recurrence: ScevRef<'c>) -> bool {
        let operands = recurrence.operands();
        let &[start, growth] = operands.as_slice() else { return false };
        recurrence.addrec_loop() == Some(self.of)
            && growth == self.growth
            && (start == self.start || ctx.scev_add(start, growth) == self.start)
    }

    /// The number of iterations that go on, as expression of [`COUNT_BITS`] bits.
    fn count(&self, origins: Origins<'_, 'c>) -> ScevRef<'c> {
        let ctx = origins.ctx;
        let ty = ctx.integer_type(COUNT_BITS);
        let number = |value: i64| ctx.scev_int(ty, value);
        let wide = |scev: ScevRef<'c>| self.wide(ctx, scev);
        let (start, bound) = (wide(self.start), wide(self.bound));
        let behind =
            |bound: ScevRef<'c>, by: i64| if self.includes_bound { ctx.scev_add(bound, number(by)) } else { bound };
        let distance = match self.is_down {
            false => ctx.scev_minus(ctx.scev_smax(behind(bound, 1), start), start),
            true => ctx.scev_minus(start, ctx.scev_smin(behind(bound, -1), start)),
        };
        let step = ctx.scev_smax(wide(self.step), number(1));
        ctx.scev_udiv(ctx.scev_add(distance, ctx.scev_add(step, number(-1))), step)
    }
}

impl<'c> Translator<'_, 'c> {
    /// The last iteration of a loop that `exiting` leaves when a counter with a step that is a
    /// parameter has come to its bound; nothing for other loops.
    pub(crate) fn last_by_step(
        &mut self,
        (l, exiting): (LoopIndex, BlockId),
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Polynomial>, Blocker> {
        let Some(walk) = Walk::of(self.origins, l, exiting) else { return Ok(None) };
        if self.way(&walk, at, budget)?.is_none() {
            return Ok(None);
        }
        let count = walk.count(self.origins);
        self.params.prefer_unsigned(count);
        let last = self.congruent_param(count, at, budget)?.0;
        self.walks.push(walk);
        Ok(Some(last))
    }

    /// Bound and step of a way, if they are affine. That it leads to the bound without leaving the
    /// integers is assumed.
    pub(crate) fn way(
        &mut self,
        walk: &Walk<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Option<(Polynomial, Polynomial)>, Blocker> {
        let mut parts = Vec::new();
        for part in [walk.start, walk.bound, walk.step] {
            let value = self.integer(part, walk.sign, at, budget)?;
            // That the quotient is exact depends on their ranges.
            self.pin(&value);
            parts.push(value);
        }
        let function = |value: &Polynomial| self.to_function(value, at.depth());
        let [_, bound_value, step_value] = parts.as_slice() else { unreachable!("a way has three parts") };
        let (Some(bound), Some(step)) = (function(bound_value), function(step_value)) else { return Ok(None) };
        let constant = |value: Int| PwAff::constant(step.space().clone(), value);
        let place = at.place.cloned();
        let text = "the step of the loop leads to its bound".to_string();
        let reason = Reason { kind: AssumptionKind::FiniteLoop, text, place: place.clone() };
        self.facts.exclude(&step.lt_set(&constant(Int::ONE)), &reason, budget).map_err(|b| b.in_block(at.block))?;
        // The value with which the loop ends is the nearest to the end of the integers; where it is
        // the first one it is one by definition.
        let rest = Int::from(i64::from(walk.includes_bound)) - Int::ONE;
        let (min, max) = type_range(walk.bits, walk.sign == Sign::Unsigned);
        let beyond = match walk.is_down {
            false => bound.add(&step).add_constant(rest).gt_set(&constant(max)),
            true => bound.sub(&step).add_constant(-&rest).lt_set(&constant(min)),
        };
        let text = format!("the counter does not leave the integers of {} bits where the loop ends", walk.bits);
        let reason = Reason { kind: AssumptionKind::NoWrap, text, place };
        self.facts.exclude(&beyond, &reason, budget).map_err(|b| b.in_block(at.block))?;
        Ok(Some((bound_value.clone(), step_value.clone())))
    }

    /// The value of a counter that is known not to wrap around on its way to a bound; nothing for
    /// other expressions.
    pub(crate) fn walked(
        &mut self,
        scev: ScevRef<'c>,
        sign: Sign,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Polynomial>, Blocker> {
        if scev.kind() != ScevKind::AddRec || at.products == Products::Refused {
            return Ok(None);
        }
        let ctx = self.origins.ctx;
        let Some(walk) = self.walks.iter().find(|walk| walk.has(ctx, scev)).cloned() else { return Ok(None) };
        if walk.sign != sign && !self.is_never_negative_on(&walk, scev, at, budget)? {
            return Ok(None);
        }
        let number = scev.addrec_loop().and_then(|l| self.origins.cfg.loop_number(l));
        let Some(position) = at.loops.iter().position(|&around| Some(around) == number) else { return Ok(None) };
        let counter = Polynomial::symbol(Symbol::Variable(u32::try_from(position).expect("nests are not deep")));
        let start = self.integer(scev.operands()[0], walk.sign, at, budget)?;
        let way = self.integer(walk.step, walk.sign, at, budget)?.mul(&counter);
        Ok(Some(if walk.is_down { start.sub(&way) } else { start.add(&way) }))
    }

    /// Whether no value of a recurrence that goes the way is negative.
    fn is_never_negative_on(
        &mut self,
        walk: &Walk<'c>,
        recurrence: ScevRef<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<bool, Blocker> {
        // On its way down the counter itself comes below the bound; the value before it was not
        // compared, or did not end the loop.
        let first = recurrence.operands()[0];
        if walk.sign == Sign::Unsigned || (walk.is_down && first == walk.start) {
            return Ok(false);
        }
        let ends = if walk.is_down { vec![first, walk.bound] } else { vec![first] };
        for end in ends {
            let value = self.integer(end, walk.sign, at, budget)?;
            if !self.is_never_negative(&value, at, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
