//! The parameters of a region: integers that are the same in all of it.
//!
//! Each parameter is the value of one expression of scalar evolution, read as signed or as unsigned
//! number, whichever its uses in the function suggest; in modular arithmetic both readings are the
//! same, and where the difference matters the translation asks for the range.
//!
//! Parameters of 64 bits get a `Range` assumption of absolute value at most 2^50, unless that is
//! known: code generation computes with 64 bits.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use poly_arith::Int;
use poly_presburger::{Budget, DimKind, Id, Set, Space};
use poly_scop::{AssumptionKind, Param, ParamId};
use poly_shim::ir::Opcode;
use poly_shim::scev::Sign;
use poly_shim::{PassContext, ScevRef, ValueRef};

use crate::facts::{Facts, Reason};
use crate::names::{self, Names};
use crate::reject::{Blocker, RejectKind};

/// Widest parameter.
const MAX_BITS: u32 = 64;
/// Generated arithmetic cannot overflow if parameters stay below 2 to this power.
pub(crate) const SAFE_BITS: u32 = 50;
/// Largest number of parameters of a region.
const MAX_PARAMS: usize = 64;

/// One parameter.
#[derive(Clone, Debug)]
pub(crate) struct Entry<'c> {
    /// The expression.
    pub(crate) scev: ScevRef<'c>,
    /// As the model has it.
    pub(crate) param: Param,
    /// Smallest and largest value, by the context and the range assumptions.
    pub(crate) min: Int,
    pub(crate) max: Int,
}

/// The parameters found so far. Copies share what they have in common until one of them is changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Params<'c> {
    entries: Rc<Vec<Entry<'c>>>,
    numbers: Rc<HashMap<ScevRef<'c>, ParamId>>,
    read_as_unsigned: Rc<HashSet<ScevRef<'c>>>,
}

impl<'c> Params<'c> {
    /// All parameters.
    pub(crate) fn entries(&self) -> &[Entry<'c>] {
        &self.entries
    }

    /// One parameter.
    pub(crate) fn entry(&self, id: u32) -> &Entry<'c> {
        &self.entries[id as usize]
    }

    /// If the expression becomes a parameter, it shall be read as an unsigned number.
    pub(crate) fn prefer_unsigned(&mut self, scev: ScevRef<'c>) {
        if !self.read_as_unsigned.contains(&scev) {
            Rc::make_mut(&mut self.read_as_unsigned).insert(scev);
        }
    }

    /// The names, in order.
    pub(crate) fn ids(&self) -> Vec<Id> {
        self.entries.iter().map(|e| Id::new(&e.param.name)).collect()
    }

    /// The parameter set `min <= p <= max`, each side only if given, as an assumption.
    fn assume_range(
        name: &str,
        (min, max): (Option<&Int>, Option<&Int>),
        why: &str,
        facts: &mut Facts,
        budget: &mut Budget,
    ) -> Result<(), Blocker> {
        let text = format!("{name} is small enough for {why}");
        let reason = Reason { kind: AssumptionKind::Range, text, place: None };
        facts.assume_range(name, Self::interval(name, min, max), &reason, budget)
    }

    /// The parameter set `min <= p <= max`, each side only if given.
    fn interval(name: &str, min: Option<&Int>, max: Option<&Int>) -> Set {
        let mut map = poly_presburger::Map::universe(Space::params(vec![Id::new(name)]));
        if let Some(min) = min {
            map = map.lower_bound(DimKind::Param, 0, min.clone());
        }
        if let Some(max) = max {
            map = map.upper_bound(DimKind::Param, 0, max.clone());
        }
        map.into_set()
    }

    /// The parameter for an expression that is the same in the whole region.
    pub(crate) fn get(
        &mut self,
        ctx: PassContext<'c>,
        scev: ScevRef<'c>,
        facts: &mut Facts,
        names: &mut Names,
        budget: &mut Budget,
    ) -> Result<ParamId, Blocker> {
        if let Some(&id) = self.numbers.get(&scev) {
            return Ok(id);
        }
        let bits = ctx.scev_bits(scev);
        if bits == 0 || bits > MAX_BITS {
            return Err(Blocker::new(
                RejectKind::Type,
                format!("an integer of {bits} bits decides about the control flow or an address"),
            ));
        }
        if self.entries.len() >= MAX_PARAMS {
            return Err(Blocker::new(RejectKind::Complexity, "there are too many parameters"));
        }
        let unsigned =
            bits == 1 || self.read_as_unsigned.contains(&scev) || scev.unknown_value().is_some_and(prefers_unsigned);
        let sign = if unsigned { Sign::Unsigned } else { Sign::Signed };
        let (type_min, type_max) = type_range(bits, unsigned);
        let (mut min, mut max) = (type_min, type_max);
        if let Some(range) = ctx.frozen_range(scev, sign) {
            min = min.max(Int::from(range.min));
            max = max.min(Int::from(range.max));
        }
        let name = names.unique(&names::expression_name(scev), "p");
        let safe = Int::from(2).pow(SAFE_BITS);
        let (low_is_safe, high_is_safe) = (min >= -&safe, max <= safe);
        facts.learn(&Self::interval(&name, low_is_safe.then_some(&min), high_is_safe.then_some(&max)));
        if !low_is_safe || !high_is_safe {
            let (low, high) = (-&safe, safe);
            let bounds = ((!low_is_safe).then_some(&low), (!high_is_safe).then_some(&high));
            Self::assume_range(&name, bounds, "loop counters of 64 bits", facts, budget)?;
            min = min.max(low);
            max = max.min(high);
        }
        let id = ParamId::from(self.entries.len());
        Rc::make_mut(&mut self.entries).push(Entry { scev, param: Param { name, bits, unsigned }, min, max });
        Rc::make_mut(&mut self.numbers).insert(scev, id);
        Ok(id)
    }

    /// Restricts the parameter to at most 2 to the given power in absolute value.
    pub(crate) fn limit(
        &mut self,
        id: u32,
        bits: u32,
        why: &str,
        facts: &mut Facts,
        budget: &mut Budget,
    ) -> Result<(), Blocker> {
        let entry = &self.entries[id as usize];
        let limit = Int::from(2).pow(bits);
        let (low, high) = (-&limit, limit);
        let (low_is_known, high_is_known) = (entry.min >= low, entry.max <= high);
        if low_is_known && high_is_known {
            return Ok(());
        }
        let bounds = ((!low_is_known).then_some(&low), (!high_is_known).then_some(&high));
        Self::assume_range(&entry.param.name, bounds, why, facts, budget)?;
        let entry = &mut Rc::make_mut(&mut self.entries)[id as usize];
        entry.min = entry.min.clone().max(low);
        entry.max = entry.max.clone().min(high);
        Ok(())
    }
}

/// Smallest and largest number of a width.
pub(crate) fn type_range(bits: u32, unsigned: bool) -> (Int, Int) {
    if unsigned {
        (Int::ZERO, Int::from(2).pow(bits) - Int::ONE)
    } else {
        let half = Int::from(2).pow(bits - 1);
        (-&half, &half - &Int::ONE)
    }
}

/// Whether the function treats the value as an unsigned number: it is zero extended or compared so,
/// and nowhere treated as signed.
fn prefers_unsigned(value: ValueRef<'_>) -> bool {
    let mut unsigned = false;
    for user in value.users() {
        match user.opcode() {
            Some(Opcode::SExt | Opcode::SDiv | Opcode::SRem | Opcode::AShr | Opcode::SIToFP) => return false,
            Some(Opcode::ZExt | Opcode::UDiv | Opcode::URem | Opcode::UIToFP) => unsigned = true,
            Some(Opcode::ICmp) => match user.predicate() {
                Some(p) if p.is_signed() => return false,
                Some(p) => unsigned |= p.is_unsigned(),
                None => {}
            },
            _ => {}
        }
    }
    unsigned
}
