//! Values that are affine functions of loop counters.
//!
//! # Problem
//! `if (class[j] == c)` uses a counter as a value. Code generation computes it again from the
//! expression of scalar evolution, which nothing else can look into: where it does not change, for
//! example.
//!
//! # Method
//! The expression of an integer is taken apart into constants, sums, multiples, and recurrences of
//! constant steps of the region's loops. All of these, and what is cut off by `trunc`, are right
//! modulo a power of two, so nothing has to be assumed. Whatever else is in the expression makes
//! the value unknown.

use std::collections::BTreeMap;

use poly_scop::{CounterValue, LoopId};
use poly_shim::{LoopRef, ScevKind, ScevRef};

/// Deeper expressions are not looked into: bounds the recursion, and nobody writes them.
const MAX_DEPTH: usize = 16;

/// The function of counters that an expression is, if it is one. Recursion is bounded by `depth`.
pub(crate) fn value<'c>(
    scev: ScevRef<'c>,
    number: &impl Fn(LoopRef<'c>) -> Option<LoopId>,
    depth: usize,
) -> Option<CounterValue> {
    let depth = depth.checked_sub(1)?;
    let operands = || scev.operands().into_iter().map(|operand| value(operand, number, depth));
    match scev.kind() {
        ScevKind::Constant => Some(CounterValue { constant: scev.constant()?, steps: BTreeMap::new() }),
        ScevKind::AddRec => {
            let [start, step] = operands().collect::<Option<Vec<_>>>()?.try_into().ok()?;
            let own =
                CounterValue { constant: 0, steps: BTreeMap::from([(number(scev.addrec_loop()?)?, constant(&step)?)]) };
            sum(start, &own)
        }
        ScevKind::Add => operands().try_fold(CounterValue::default(), |all, part| sum(all, &part?)),
        ScevKind::Mul => {
            let parts = operands().collect::<Option<Vec<_>>>()?;
            let (numbers, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| constant(part).is_some());
            let factor = numbers.iter().filter_map(constant).try_fold(1i128, i128::checked_mul)?;
            match <[CounterValue; 1]>::try_from(others) {
                Ok([other]) => times(&other, factor),
                Err(others) => others.is_empty().then_some(CounterValue { constant: factor, steps: BTreeMap::new() }),
            }
        }
        ScevKind::Trunc => operands().next()?,
        _ => None,
    }
}

/// The function of counters that an expression is, if it is one.
pub(crate) fn of<'c>(scev: ScevRef<'c>, number: &impl Fn(LoopRef<'c>) -> Option<LoopId>) -> Option<CounterValue> {
    value(scev, number, MAX_DEPTH)
}

/// The number that a function is always.
fn constant(value: &CounterValue) -> Option<i128> {
    value.steps.values().all(|step| *step == 0).then_some(value.constant)
}

fn sum(mut value: CounterValue, other: &CounterValue) -> Option<CounterValue> {
    value.constant = value.constant.checked_add(other.constant)?;
    for (number, step) in &other.steps {
        let own = value.steps.entry(*number).or_default();
        *own = own.checked_add(*step)?;
    }
    Some(value)
}

fn times(value: &CounterValue, factor: i128) -> Option<CounterValue> {
    let steps = value.steps.iter().map(|(number, step)| Some((*number, step.checked_mul(factor)?)));
    Some(CounterValue { constant: value.constant.checked_mul(factor)?, steps: steps.collect::<Option<_>>()? })
}
