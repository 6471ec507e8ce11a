//! Indices that a branch has tested.
//!
//! `if (k >= size) abort(); .. x[k]`, where `k` is data: that the program does not end is looked at
//! before ([`crate::inspect`]), so that the access touches one of the first `size` elements of `x`,
//! as far as the model counts. Without that nothing would bound the part of `x` that is accessed,
//! and it could not be told apart from other arrays.

use poly_presburger::{Budget, DimKind, Map, PwAff, Set};
use poly_scop::AssumptionKind;
use poly_scop::shape::{Polynomial, Symbol};
use poly_shim::ir::{Opcode, Predicate};
use poly_shim::{ScevKind, ScevRef, ValueRef};

use super::relation;
use crate::affine::{Products, Sign, Translator, Use};
use crate::cfg::BlockId;
use crate::domains::Domains;
use crate::facts::Reason;
use crate::reject::RejectKind;
use crate::values::condition_of;

/// What is known of a distance in bytes: it is `factor * k + offset` for some `0 <= k < end`.
#[derive(Clone, Debug)]
pub(super) struct Tested {
    factor: i64,
    offset: i64,
    end: Polynomial,
}

impl Tested {
    /// What inspected branches, of blocks that are always executed before, say about a distance in
    /// this block.
    pub(super) fn find<'c>(
        translator: &mut Translator<'_, 'c>,
        domains: &Domains,
        block: BlockId,
        distance: ScevRef<'c>,
        budget: &mut Budget,
    ) -> Option<Self> {
        let origins = translator.origins;
        let (factor, offset, index) = linear(distance)?;
        let loops = origins.region.loops_around(origins.cfg, block);
        let is_before = |&before: &BlockId| {
            before != block
                && origins.cfg.dominates(before, block)
                && loops.starts_with(&origins.region.loops_around(origins.cfg, before))
        };
        let before: Vec<BlockId> = domains.ends_by_data.keys().copied().filter(is_before).collect();
        for before in before {
            let Some((tested, bound, is_strict)) = comparison(origins.cfg.blocks[before].terminator(), domains, before)
            else {
                continue;
            };
            let (Some(tested), Some(bound)) = (origins.scev_in(tested, before), origins.scev_in(bound, before)) else {
                continue;
            };
            let Some(ty) = index.ty() else { continue };
            let is_narrow = origins.ctx.scev_bits(tested) < origins.ctx.scev_bits(index);
            let is_signed = is_narrow && origins.ctx.scev_sext(tested, ty) == index;
            let is_same = is_signed
                || (!is_narrow && tested == index)
                || (is_narrow && origins.ctx.scev_zext(tested, ty) == index);
            if !is_same || !origins.is_invariant(bound) {
                continue;
            }
            let snapshot = translator.snapshot();
            let at = Use {
                block: before,
                loops: &loops,
                domain: domains.of(block),
                what: "the bound of an index",
                place: None,
                kind: RejectKind::NonAffineAccess,
                may_assume: false,
                products: Products::Refused,
            };
            // What is below a number that is not negative, as unsigned numbers, is not negative
            // either.
            let sign = if is_signed { Sign::Signed } else { Sign::Unsigned };
            let bound = translator.integer(bound, sign, &at, budget).ok().filter(|bound| {
                let function = translator.to_function(bound, loops.len());
                function.is_some_and(|f| !is_signed || is_never_negative(translator, &f, at.domain, budget))
            });
            match bound {
                Some(bound) => {
                    let end = if is_strict { bound } else { bound.add(&Polynomial::constant(1)) };
                    return Some(Self { factor, offset, end });
                }
                None => translator.restore(snapshot),
            }
        }
        None
    }

    /// From instances to the elements of an array of one dimension that an access of one element
    /// can touch; nothing if these are others than those between `k` and the next one.
    pub(super) fn elements(&self, translator: &Translator<'_, '_>, depth: usize, bytes: i64) -> Option<Map> {
        if self.factor != bytes || self.offset % bytes != 0 {
            return None;
        }
        let space = || translator.space(depth + 1);
        let index = PwAff::var(space(), DimKind::Out, depth);
        let zero = PwAff::constant(space(), 0);
        let end = translator.to_function(&self.end, depth + 1)?;
        let domain: Set = index.ge_set(&zero).intersect(&index.lt_set(&end)).set_tuple_name(Some("S".into()));
        let counter = Symbol::Variable(u32::try_from(depth).expect("nests are not deep"));
        let element = Polynomial::symbol(counter).add(&Polynomial::constant(self.offset / bytes));
        let elements = relation(&[translator.to_function(&element, depth + 1)?], "S", "A");
        Some(elements.intersect_domain(&domain).project_out(DimKind::In, depth, 1))
    }
}

/// Sees to it that the function is not negative on the domain, if that can be checked.
fn is_never_negative(translator: &mut Translator<'_, '_>, function: &PwAff, domain: &Set, budget: &mut Budget) -> bool {
    let text = "the bound of an index is not negative".to_string();
    let reason = Reason { kind: AssumptionKind::NonNegative, text, place: None };
    translator.facts.exclude(&domain.intersect(&function.neg().pos_set()), &reason, budget).is_ok()
}

/// `factor * index + offset`, with a positive factor.
fn linear(distance: ScevRef<'_>) -> Option<(i64, i64, ScevRef<'_>)> {
    let (offset, rest) = match (distance.kind(), distance.operands().as_slice()) {
        (ScevKind::Add, &[first, second]) if first.constant_i64().is_some() => (first.constant_i64()?, second),
        _ => (0, distance),
    };
    let (factor, index) = match (rest.kind(), rest.operands().as_slice()) {
        (ScevKind::Mul, &[first, second]) if first.constant_i64().is_some() => (first.constant_i64()?, second),
        _ => (1, rest),
    };
    (factor > 0 && matches!(index.kind(), ScevKind::Unknown | ScevKind::ZExt | ScevKind::SExt))
        .then_some((factor, offset, index))
}

/// The smaller and the larger number, as unsigned ones, if the program does not end at the branch,
/// and whether they differ.
fn comparison<'c>(
    terminator: ValueRef<'c>,
    domains: &Domains,
    block: BlockId,
) -> Option<(ValueRef<'c>, ValueRef<'c>, bool)> {
    let condition = condition_of(terminator).filter(|condition| condition.opcode() == Some(Opcode::ICmp))?;
    let predicate = condition.predicate()?;
    let holds = if domains.ends_by_data[&block].if_true { predicate.inverse() } else { predicate };
    let (first, second) = (condition.operand(0), condition.operand(1));
    match holds {
        Predicate::Ult => Some((first, second, true)),
        Predicate::Ule => Some((first, second, false)),
        Predicate::Ugt => Some((second, first, true)),
        Predicate::Uge => Some((second, first, false)),
        _ => None,
    }
}
