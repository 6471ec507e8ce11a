//! Whether a condition on the parameters can hold for sizes that programs have.
//!
//! # Problem
//! `n * n` is a parameter of its own to the model, and that it is at most `n` an assumption like
//! others; but the new code would run for nothing but `n = 1`. An assumption that no useful size
//! fulfils only hides that the loops are left as they are.
//!
//! # Definitions
//! The parameters are expressions of *leaves*: values that scalar evolution does not look into. A
//! *pattern* gives every leaf a number, and with it every parameter that is computed from leaves:
//! what is a product of two of them gets the product. The stride of an array in a descriptor is as
//! if all dimensions inside had that number of elements. Other parameters may have any value.
//!
//! # Algorithm
//! All leaves are equal in the first patterns; in the others one is much larger or much smaller
//! than the rest. A pattern that contradicts what is known says nothing, and a leaf that cannot
//! have its number has one that is possible. A condition is plausible if it holds in one of the
//! patterns, or if none of them is possible.
//!
//! Nothing here decides about correctness: whether something is worth assuming is a guess.

use std::collections::HashMap;

use poly_arith::Int;
use poly_presburger::{Budget, DimKind, Set, Stop};
use poly_shim::{ScevKind, ScevRef};

use crate::affine::Translator;

/// What all leaves are in the first patterns.
const EQUAL: [i64; 3] = [9, 64, 1000];
/// More leaves are not singled out.
const MAX_SINGLE: usize = 8;
/// How many parts of an expression are looked at.
const MAX_PARTS: usize = 64;

/// Numbers for the leaves: one for all but perhaps one of them.
#[derive(Clone, Copy)]
struct Pattern {
    usual: i64,
    own: Option<(usize, i64)>,
}

impl Pattern {
    fn of(self, leaf: usize) -> i64 {
        self.own.filter(|(own, _)| *own == leaf).map_or(self.usual, |(_, value)| value)
    }

    fn all(leaves: usize) -> Vec<Self> {
        let equal = EQUAL.into_iter().map(|usual| Self { usual, own: None });
        let single = (0..leaves.min(MAX_SINGLE)).flat_map(|leaf| {
            let [small, _, large] = EQUAL;
            [(small, large), (large, small)].map(|(usual, other)| Self { usual, own: Some((leaf, other)) })
        });
        equal.chain(single).collect()
    }
}

impl<'c> Translator<'_, 'c> {
    /// Whether some useful sizes are in the set `possible` and not in the set `fails`, both of
    /// parameters.
    pub(crate) fn is_plausible(&self, possible: &Set, fails: &Set, budget: &mut Budget) -> Result<bool, Stop> {
        self.some_sizes(possible, |sizes, budget| Ok(!sizes.is_subset(fails, budget)?), budget)
    }

    /// Whether some useful sizes of those that are possible are in the set `holds`.
    pub(crate) fn may_hold(&self, possible: &Set, holds: &Set, budget: &mut Budget) -> Result<bool, Stop> {
        self.some_sizes(possible, |sizes, budget| Ok(!sizes.intersect(holds).is_empty(budget)?), budget)
    }

    /// Whether what is asked of sizes is true for some pattern, or none is possible.
    fn some_sizes(
        &self,
        possible: &Set,
        ask: impl Fn(&Set, &mut Budget) -> Result<bool, Stop>,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        let leaves = self.leaves();
        let mut is_known = false;
        for pattern in Pattern::all(leaves.len()) {
            let Some(sizes) = self.with_sizes(possible, &leaves, pattern, budget)? else { continue };
            if ask(&sizes, budget)? {
                return Ok(true);
            }
            is_known = true;
        }
        Ok(!is_known)
    }

    /// Whether a parameter is a product of values that are not constant.
    pub(crate) fn has_product(&self) -> bool {
        self.params.entries().iter().any(|entry| is_product(entry.scev))
    }

    /// The leaves of all parameters, in the order of the parameters.
    fn leaves(&self) -> Vec<ScevRef<'c>> {
        let mut result: Vec<ScevRef<'c>> = Vec::new();
        for entry in self.params.entries() {
            let mut todo = vec![entry.scev];
            for _ in 0..MAX_PARTS {
                let Some(part) = todo.pop() else { break };
                match part.kind() {
                    ScevKind::Unknown if !result.contains(&part) => result.push(part),
                    ScevKind::Unknown | ScevKind::AddRec => {}
                    _ => todo.extend(part.operands().into_iter().rev()),
                }
            }
        }
        result
    }

    /// The part of the set in which the parameters are what follows from the pattern; nothing if
    /// there is none.
    fn with_sizes(
        &self,
        possible: &Set,
        leaves: &[ScevRef<'c>],
        pattern: Pattern,
        budget: &mut Budget,
    ) -> Result<Option<Set>, Stop> {
        let mut rest = possible.clone();
        let mut values: HashMap<ScevRef<'c>, Int> = HashMap::new();
        for (number, &leaf) in leaves.iter().enumerate() {
            let mut value = Int::from(pattern.of(number));
            if let Some(stride) = self.strides.iter().find(|stride| stride.leaf == leaf) {
                value = value.pow(stride.level) * stride.unit.clone();
            }
            let own = self.params.entries().iter().find(|entry| without_casts(entry.scev) == leaf);
            if let Some(index) = own.and_then(|entry| rest.space().find_param(&entry.param.name)) {
                let mut fixed = rest.fix(DimKind::Param, index, value.clone());
                if fixed.is_empty(budget)? {
                    let Some(sample) = rest.sample(budget)? else { return Ok(None) };
                    value = sample[index].clone();
                    fixed = rest.fix(DimKind::Param, index, value.clone());
                }
                rest = fixed;
            }
            values.insert(leaf, value);
        }
        for entry in self.params.entries() {
            let index = rest.space().find_param(&entry.param.name);
            let Some((index, value)) = index.zip(evaluate(entry.scev, &values, MAX_PARTS)) else { continue };
            rest = rest.fix(DimKind::Param, index, value);
            if rest.is_empty(budget)? {
                return Ok(None);
            }
        }
        Ok(Some(rest))
    }
}

/// The operand of extensions and truncations.
fn without_casts(mut scev: ScevRef<'_>) -> ScevRef<'_> {
    for _ in 0..MAX_PARTS {
        match scev.kind() {
            ScevKind::SExt | ScevKind::ZExt | ScevKind::Trunc => scev = scev.operands()[0],
            _ => break,
        }
    }
    scev
}

/// Whether two values that are not constant are multiplied in the expression.
pub(crate) fn is_product(scev: ScevRef<'_>) -> bool {
    let mut todo = vec![scev];
    for _ in 0..MAX_PARTS {
        let Some(part) = todo.pop() else { return false };
        let operands = part.operands();
        if part.kind() == ScevKind::Mul && operands.iter().filter(|o| o.kind() != ScevKind::Constant).count() > 1 {
            return true;
        }
        if part.kind() != ScevKind::AddRec {
            todo.extend(operands);
        }
    }
    false
}

/// The value of an expression of integers that do not wrap around. Recursion is as deep as `depth`.
fn evaluate<'c>(scev: ScevRef<'c>, leaves: &HashMap<ScevRef<'c>, Int>, depth: usize) -> Option<Int> {
    if let Some(value) = leaves.get(&scev) {
        return Some(value.clone());
    }
    let depth = depth.checked_sub(1)?;
    let of = |operand: &ScevRef<'c>| evaluate(*operand, leaves, depth);
    let operands = scev.operands();
    let all = || operands.iter().map(of).collect::<Option<Vec<Int>>>();
    match scev.kind() {
        ScevKind::Constant => scev.constant().map(Int::from),
        ScevKind::SExt | ScevKind::ZExt | ScevKind::Trunc => of(&operands[0]),
        ScevKind::Add => Some(all()?.iter().fold(Int::ZERO, |sum, x| &sum + x)),
        ScevKind::Mul => Some(all()?.iter().fold(Int::ONE, |product, x| &product * x)),
        ScevKind::UDiv => {
            let (dividend, divisor) = (of(&operands[0])?, of(&operands[1])?);
            (!divisor.is_zero() && !divisor.is_neg()).then(|| dividend.div_floor(&divisor))
        }
        ScevKind::SMax | ScevKind::UMax => all()?.into_iter().max(),
        ScevKind::SMin | ScevKind::UMin | ScevKind::SequentialUMin => all()?.into_iter().min(),
        _ => None,
    }
}
