//! Elements that PHI nodes at the beginning of a region hold at first.
//!
//! # Problem
//! LLVM loads what one iteration leaves to the next once, and what the first iteration needs in
//! front of the loop: of `for (k = row[i]; k < row[i + 1]; k++)` inside a loop over `i` it makes a
//! PHI node that is `row[0]`, loaded before, and then what has been loaded as `row[i + 1]`. The
//! model can only see that the PHI node is `row[i]` everywhere, so that iterations do not depend on
//! each other, if it knows what the first value is.
//!
//! # Algorithm
//! The initial value is taken for a read of the array at the beginning of the region, if
//! 1. it is a simple load, and nothing that is executed between it and the region may write memory:
//!    so the read gives the same, and may be executed;
//! 2. its address has the base of an array whose elements have its type, and a constant or affine
//!    distance from it that does not wrap around. In an array of several dimensions the distance is
//!    a constant, and the sizes of the inner dimensions are, or the element is the first one.
//!
//! From then on it is one of the accesses of the array, also when it comes to overlap.

use poly_arith::Int;
use poly_presburger::{Budget, PwAff, Set};
use poly_scop::shape::Polynomial;
use poly_shim::ir::Opcode;
use poly_shim::{ScevKind, ValueRef};

use crate::access::{Accesses, OFFSET_BITS, element_of};
use crate::affine::{Products, Translator, Use};
use crate::cfg::BlockId;
use crate::names;
use crate::reject::RejectKind;
use crate::values::Origins;

/// How many blocks may lie between the load and the region.
const MAX_BLOCKS: usize = 8;

/// Takes the initial value of a PHI node at the beginning of the region for a read of an array, if
/// it is one; true if it is.
pub(crate) fn is_element<'c>(
    translator: &mut Translator<'_, 'c>,
    accesses: &mut Accesses<'c>,
    value: ValueRef<'c>,
    budget: &mut Budget,
) -> bool {
    if accesses.subscripts.contains_key(&value) {
        return true;
    }
    if value.opcode() != Some(Opcode::Load) || !is_same_at_entry(translator.origins, value) {
        return false;
    }
    let before = translator.snapshot();
    match element(translator, accesses, value, budget) {
        Some((array, subscripts)) => {
            accesses.subscripts.insert(value, (array, subscripts));
            accesses.arrays[array].instructions.push(value);
            true
        }
        None => {
            translator.restore(before);
            false
        }
    }
}

/// Whether a load has been executed when the region begins, and would give the same result there.
fn is_same_at_entry<'c>(origins: Origins<'_, 'c>, load: ValueRef<'c>) -> bool {
    let effects = load.effects();
    let writes = |i: &ValueRef<'c>| i.effects().may_write();
    let (cfg, Some(home)) = (origins.cfg, load.block().and_then(|b| origins.cfg.number(b))) else { return false };
    if effects.is_volatile() || effects.is_atomic() || origins.region.contains(home) {
        return false;
    }
    let entering: Vec<BlockId> = origins.region.entering(cfg);
    let &[mut block] = entering.as_slice() else { return false };
    for _ in 0..MAX_BLOCKS {
        let instructions = cfg.blocks[block].instructions();
        if block == home {
            return !instructions.iter().rev().take_while(|i| **i != load).any(writes);
        }
        let [before] = cfg.predecessors[block].as_slice() else { return false };
        if instructions.iter().any(writes) {
            return false;
        }
        block = *before;
    }
    false
}

/// The array that is loaded from, and the element.
fn element<'c>(
    translator: &mut Translator<'_, 'c>,
    accesses: &Accesses<'c>,
    load: ValueRef<'c>,
    budget: &mut Budget,
) -> Option<(usize, Vec<PwAff>)> {
    let origins = translator.origins;
    let address = origins.ctx.scev(load.pointer_operand()?)?;
    let base = origins.ctx.pointer_base(address);
    let pointer = base.unknown_value().filter(|_| base.kind() == ScevKind::Unknown)?;
    let element = element_of(translator, load);
    let number = accesses
        .arrays
        .iter()
        .position(|array| array.base == pointer && array.table.is_none() && array.element == element)?;
    let what = format!("a subscript of {}", names::quoted(pointer));
    let domain = Set::universe(translator.space(0));
    let place = names::place(load);
    let at = Use {
        block: origins.region.entry,
        loops: &[],
        domain: &domain,
        what: &what,
        place: place.as_ref(),
        kind: RejectKind::NonAffineAccess,
        may_assume: false,
        products: Products::Refused,
    };
    let distance = origins.ctx.scev_minus(address, base);
    if distance.is_could_not_compute() || !origins.is_invariant(distance) {
        return None;
    }
    let (offset, is_exact) = translator.offset(distance, &at, budget).ok()?;
    let limit = Int::from(2).pow(OFFSET_BITS);
    if !is_exact && !translator.interval(&offset, &[]).is_within(&-&limit, &limit) {
        return None;
    }
    let offset = offset.div_int(&Int::from(i64::from(element.bytes)))?;
    let subscripts = subscripts(&offset, &accesses.arrays[number].extents)?;
    let functions: Option<Vec<PwAff>> = subscripts.iter().map(|s| translator.to_function(s, 0)).collect();
    Some((number, functions?))
}

/// The subscripts of the element at a distance from the first one in an array with inner dimensions
/// of these sizes.
fn subscripts(offset: &Polynomial, extents: &[Polynomial]) -> Option<Vec<Polynomial>> {
    if extents.is_empty() {
        return Some(vec![offset.clone()]);
    }
    let mut rest = offset.as_constant()?;
    if rest.is_zero() {
        return Some(vec![offset.clone(); 1 + extents.len()]);
    }
    let mut found = Vec::new();
    for extent in extents.iter().rev() {
        let extent = extent.as_constant().filter(Int::is_pos)?;
        found.push(Polynomial::constant(rest.mod_floor(&extent)));
        rest = rest.div_floor(&extent);
    }
    found.push(Polynomial::constant(rest));
    found.reverse();
    Some(found)
}
