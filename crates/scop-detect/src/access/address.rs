//! Addresses of accesses: base pointers, and offsets in bytes that are exact.
//!
//! # Problem
//! The address of a load or store is an expression of scalar evolution, modulo 2^64. What is wanted
//! is a base pointer and a polynomial whose value is the offset from it.
//!
//! # Algorithm
//! 1. The base is what all operands of the expression are relative to; PHI nodes that merge
//!    addresses in one array are looked through, and those that move by the same distance in every
//!    iteration, also in inner loops, are recurrences.
//! 2. The distance becomes a polynomial, by as few assumptions as possible: what is known not to
//!    wrap around comes before what must be tested.
//! 3. Offsets that are only congruent to their polynomials are limited, by `Range` assumptions that
//!    are generous for any array that fits into memory.

use poly_arith::Int;
use poly_presburger::{Budget, PwAff};
use poly_scop::AssumptionKind;
use poly_scop::shape::Polynomial;
use poly_shim::ir::{Opcode, TypeKind};
use poly_shim::{ScevKind, ScevRef, ValueRef};

use super::transfer::{Role, transfer};
use super::{Addressed, Site};
use crate::affine::{Products, Sign, Translator, Use};
use crate::cfg::BlockId;
use crate::domains::Domains;
use crate::facts::Reason;
use crate::merges;
use crate::names;
use crate::offsets::is_exact_address;
use crate::reject::{Blocker, RejectKind};

/// Offsets in bytes stay below 2 to this power.
pub(crate) const OFFSET_BITS: u32 = 62;
/// Coefficients of at most this size are those of the program, not their representatives modulo
/// 2^64.
const SMALL_BITS: u32 = 40;

/// An address as a base pointer and a distance from it.
pub(crate) struct Address<'c> {
    instruction: ValueRef<'c>,
    pointer: ValueRef<'c>,
    pub(crate) base: ValueRef<'c>,
    /// The distance from the base, or from the merged address in between.
    distance: ScevRef<'c>,
    /// The PHI node that merges several addresses relative to the base.
    merged: Option<ValueRef<'c>>,
    /// The base pointer is loaded in the region, or handed on by the iterations of a loop.
    pub(crate) is_row: bool,
}

/// Where an access goes; the base pointer must be the same in the whole region, or a load.
pub(crate) fn address_of<'c>(
    translator: &Translator<'_, 'c>,
    block: BlockId,
    instruction: ValueRef<'c>,
    pointer: ValueRef<'c>,
) -> Result<Address<'c>, Blocker> {
    let origins = translator.origins;
    let address = origins.scev_in(pointer, block).expect("pointers have expressions");
    let address = with_recurrences(translator, address);
    let base_scev = origins.ctx.pointer_base(address);
    let base = base_scev.unknown_value().filter(|_| base_scev.kind() == ScevKind::Unknown);
    let base = base.filter(|b| matches!(b.ty().kind(), TypeKind::Pointer(0)) && !b.is_undef() && !b.is_zero());
    let base =
        base.ok_or_else(|| Blocker::new(RejectKind::VariantBase, "an address is computed from several pointers"))?;
    let distance = origins.ctx.scev_minus(address, base_scev);
    if let Some(common) = merges::common_base(origins, base) {
        return Ok(Address { instruction, pointer, base: common, distance, merged: Some(base), is_row: false });
    }
    let is_variant = origins.defining_block(base).is_some();
    let is_row = is_variant && matches!(base.opcode(), Some(Opcode::Load | Opcode::Phi));
    if is_variant && !is_row {
        return Err(variant_base(base));
    }
    Ok(Address { instruction, pointer, base, distance, merged: None, is_row })
}

/// Parts that are larger, in bytes, are hardly ever apart from other arrays. (What has 16 bits can
/// choose among as many elements of 16 bytes.)
const MAX_PART: i64 = 1 << 20;

impl<'c> Address<'c> {
    /// The distance from the base, if it is that of one load or store from it.
    pub(super) fn plain_distance(&self) -> Option<ScevRef<'c>> {
        let is_known = self.merged.is_none() && !self.is_row && transfer(self.instruction).is_none();
        Some(self.distance).filter(|distance| is_known && !distance.is_could_not_compute())
    }

    /// The bytes that a load or store can touch, as distances from the base: the first one and the
    /// one behind the last one. An access with a poisoned address is not executed, so what is
    /// promised of its parts counts.
    pub(super) fn possible_bytes(&self, translator: &Translator<'_, '_>) -> Option<(i64, i64)> {
        let ctx = translator.origins.ctx;
        let distance = self.plain_distance()?;
        let range = ctx.scev_range(distance, Sign::Signed)?;
        let size = ctx.store_size(self.instruction.access_type()?)?;
        let (first, last) = (i64::try_from(range.min).ok()?, i64::try_from(range.max).ok()?);
        let behind = last.checked_add(i64::try_from(size).ok()?)?;
        (first >= -MAX_PART && behind <= MAX_PART).then_some((first, behind))
    }
}

/// How many loops move a pointer.
const MAX_RECURRENCES: usize = 6;

/// An address with the base pointers that move in inner loops as functions of the iterations of
/// outer loops.
fn with_recurrences<'c>(translator: &Translator<'_, 'c>, mut address: ScevRef<'c>) -> ScevRef<'c> {
    let origins = translator.origins;
    for _ in 0..MAX_RECURRENCES {
        let base = origins.ctx.pointer_base(address);
        let phi = base.unknown_value().filter(|value| {
            // What is executed as a whole has counters of its own.
            let block = origins.defining_block(*value).filter(|_| value.opcode() == Some(Opcode::Phi));
            block.is_some_and(|block| !origins.is_subregion(block))
        });
        let Some(next) = phi.and_then(|phi| origins.ctx.scev_with_recurrence(address, phi)) else { break };
        if origins.ctx.pointer_base(next) == base {
            break;
        }
        address = next;
    }
    address
}

/// The rejection of a base pointer that changes.
pub(crate) fn variant_base(base: ValueRef<'_>) -> Blocker {
    let message = format!("the base address of an access is {}, which changes inside the region", names::quoted(base));
    Blocker::new(RejectKind::VariantBase, message)
}

/// The offset (still in bytes) of an access.
pub(crate) fn locate<'c>(
    translator: &mut Translator<'_, 'c>,
    domains: &Domains,
    block: BlockId,
    (address, role): (&Address<'c>, Role),
    budget: &mut Budget,
) -> Result<Site<'c>, Blocker> {
    let origins = translator.origins;
    let &Address { instruction, pointer, base, distance, merged, .. } = address;
    let mut loops = origins.region.loops_around(origins.cfg, block);
    let outer = loops.len();
    loops.extend(origins.cfg.subregion_loops_around(instruction));
    let domain = domains.subregion_domain(translator, block, &loops);
    let place = names::place(instruction);
    let what = format!("a subscript of {}", names::quoted(base));
    let mut at = Use {
        block,
        loops: &loops,
        domain: &domain,
        what: &what,
        place: place.as_ref(),
        kind: RejectKind::NonAffineAccess,
        may_assume: true,
        products: Products::Proven,
    };
    if distance.is_could_not_compute() {
        return Err(Blocker::new(RejectKind::NonAffineAccess, format!("{what} is not affine")));
    }
    let (offset, is_exact) = offset_of(translator, address, &mut at, budget)?;
    let (offset, is_exact) = match merged {
        Some(phi) => (translator.merged_offset(phi, base, &at, budget)?.add(&offset), false),
        None => (offset, is_exact),
    };
    let coefficients_are_small = offset.terms().all(|(_, c)| c.bits() <= SMALL_BITS);
    let is_exact = is_exact || (coefficients_are_small && is_exact_address(translator, (pointer, base), &at, budget)?);
    let length = match transfer(instruction) {
        Some(_) => {
            let length = origins.scev_in(instruction.operand(2), block);
            let length = length.ok_or_else(|| Blocker::new(RejectKind::NonAffineAccess, "a length is not affine"))?;
            at.what = "the length of a block of memory";
            Some(length_of(translator, length, &at, budget)?)
        }
        None => None,
    };
    let site = Site {
        instruction,
        depth: outer,
        domain: domain.clone(),
        loops: loops.clone(),
        block,
        place: place.clone(),
        row: None,
        offset,
        is_exact,
        role,
        length,
    };
    if site.is_unbounded(translator) {
        return Err(Blocker::new(RejectKind::NonAffineAccess, format!("{what} has no bound")));
    }
    Ok(site)
}

/// The distance of an address from its base, and whether it is exact: in an order in which as
/// little as possible is assumed.
fn offset_of<'c>(
    translator: &mut Translator<'_, 'c>,
    address: &Address<'c>,
    at: &mut Use<'_>,
    budget: &mut Budget,
) -> Result<(Polynomial, bool), Blocker> {
    if translator.origins.depends_on_data(address.distance) {
        at.products = Products::Refused;
        return translator.offset(address.distance, at, budget);
    }
    translator.assume_sizes(address.distance, at, budget)?;
    let before = translator.snapshot();
    if let Ok(offset) = translator.offset(address.distance, at, budget) {
        return Ok(offset);
    }
    translator.restore(before.clone());
    if let Some(offset) = translator.exact_offset(address.pointer, address.base, at, budget)? {
        return Ok((offset, true));
    }
    translator.restore(before.clone());
    at.products = Products::Assumed;
    if let Ok(offset) = translator.offset(address.distance, at, budget) {
        return Ok(offset);
    }
    // Perhaps the products are parameters.
    translator.restore(before);
    at.products = Products::Refused;
    translator.offset(address.distance, at, budget)
}

/// The length of a transfer. No object has 2^63 bytes: a polynomial that is congruent to the length
/// and small is never negative where the transfer is executed.
fn length_of<'c>(
    translator: &mut Translator<'_, 'c>,
    length: ScevRef<'c>,
    at: &Use<'_>,
    budget: &mut Budget,
) -> Result<Polynomial, Blocker> {
    let before = translator.snapshot();
    match translator.integer(length, Sign::Unsigned, at, budget) {
        Err(blocker) if blocker.kind != RejectKind::Complexity => {
            translator.restore(before);
            let (polynomial, _) = translator.congruent(length, at, budget)?;
            let polynomial = polynomial.reduce(translator.origins.ctx.scev_bits(length));
            translator.limit(&polynomial, OFFSET_BITS, at.loops, at.what, budget)?;
            translator.pin(&polynomial);
            Ok(polynomial)
        }
        result => result,
    }
}

/// Sees to it that the lengths of transfers are those of whole elements, where that can be known or
/// assumed.
pub(super) fn assume_whole_elements(
    translator: &mut Translator<'_, '_>,
    sites: &mut [Site<'_>],
    bytes: u64,
    budget: &mut Budget,
) -> Result<(), Blocker> {
    for site in sites {
        let Some(length) = &site.length else { continue };
        let at = Use {
            block: site.block,
            loops: &site.loops,
            domain: &site.domain,
            what: "the length of a block of memory",
            place: site.place.as_ref(),
            kind: RejectKind::NonAffineAccess,
            may_assume: true,
            products: Products::Proven,
        };
        if let Some(whole) = translator.length_of_elements(length, &Int::from(bytes), &at, budget)? {
            site.length = Some(whole);
        }
    }
    Ok(())
}

/// Offsets in elements. Accesses that may begin in the middle of one are put with those of which
/// only the array is known.
pub(super) fn divide_by_element_size<'c>(sites: &mut Vec<Site<'c>>, bytes: u64, addressed: &mut Addressed<'c>) {
    let bytes = Int::from(bytes);
    sites.retain_mut(|site| {
        let length = site.length.as_ref().map(|length| length.div_int(&bytes));
        match (site.offset.div_int(&bytes), length) {
            (None, _) | (_, Some(None)) => {
                addressed.add_anywhere(site.instruction);
                false
            }
            (Some(offset), length) => {
                site.offset = offset;
                site.length = length.flatten();
                true
            }
        }
    });
}

/// Sees to it that offsets are what their polynomials say and not only congruent to them.
pub(crate) fn limit_offsets(
    translator: &mut Translator<'_, '_>,
    base: ValueRef<'_>,
    sites: &[Site<'_>],
    bytes: u64,
    budget: &mut Budget,
) -> Result<(), Blocker> {
    let limit = Int::from(2).pow(OFFSET_BITS).div_floor(&Int::from(bytes));
    for site in sites {
        if site.is_exact || translator.interval(&site.offset, &site.loops).is_within(&-&limit, &limit) {
            continue;
        }
        let why = format!("subscripts of {}", names::quoted(base));
        let reason = |text: String| Reason { kind: AssumptionKind::Range, text, place: site.place.clone() };
        if let Some(value) = translator.to_function(&site.offset, site.loops.len()) {
            let high = PwAff::constant(value.space().clone(), limit.clone());
            let outside = value.gt_set(&high).union(&value.lt_set(&high.neg()));
            let outside = outside.intersect(&site.domain);
            translator.facts.exclude(&outside, &reason(format!("{why} are in the range of addresses")), budget)?;
            continue;
        }
        let limited = translator.limit(&site.offset, OFFSET_BITS - Int::from(bytes).bits(), &site.loops, &why, budget);
        limited.map_err(|b| b.at(site.place.clone()).in_block(site.block))?;
    }
    Ok(())
}
