//! What loads and stores touch.
//!
//! # Problem
//! An address is a base pointer, the same in the whole region, plus an offset in bytes that is a polynomial in counters and parameters. All accesses of one base
//! form an array; its shape and the subscripts are recovered from the offsets ([`poly_scop::shape`]), never from types, which say nothing reliable.
//!
//! # Algorithm
//! 1. Offsets become polynomials and are divided by the element size, which must be the same for all accesses of a base.
//! 2. No offset may wrap around in address arithmetic: proven by flags, intervals or sets; for products of parameters by `Range` assumptions that
//!    are generous for any array that fits into memory. Flags of the address computation itself count too: where the access is executed its address is
//!    not poison, so nothing that it was computed from has overflowed a flag ([`is_exact_address`]).
//! 3. For every candidate shape, every access is split into subscripts so that `0 <= x_k < e_k` for all but the outermost dimension; the first candidate for which that
//!    can be proven everywhere is taken, else one for which the parameter values without violation can be assumed (`InBounds`): one that excludes fewer values before one that excludes more.
//! 4. An access whose subscripts are not affine (`A[B[i]]`) may touch any element of its array; its address is data then.
//! 5. One-dimensional arrays need no such check.

use std::collections::HashMap;

use indexmap::{IndexMap, IndexSet};
use poly_arith::Int;
use poly_presburger::{Aff, BasicMap, Budget, DimKind, Map, MultiAff, PwAff, Set, Space, Tuple};
use poly_scop::shape::{self, Polynomial, Shape, Symbol};
use poly_scop::{AssumptionKind, ElementType, Place};
use poly_shim::ir::{Opcode, TypeKind};
use poly_shim::{ScevKind, ScevRef, TypeRef, ValueRef};

use crate::affine::{Translator, Use};
use crate::cfg::{BlockId, LoopIndex};
use crate::domains::Domains;
use crate::facts::Reason;
use crate::names;
use crate::params::window;
use crate::reject::{Blocker, RejectKind};

/// Offsets in bytes stay below 2 to this power.
const OFFSET_BITS: u32 = 62;
/// How many operations an address may consist of.
const MAX_ADDRESS_PARTS: usize = 64;
/// Coefficients of at most this size are those of the program, not their representatives modulo 2^64.
const SMALL_BITS: u32 = 40;

/// One load or store, by base and offset.
#[derive(Debug)]
struct Site<'c> {
    instruction: ValueRef<'c>,
    loops: Vec<LoopIndex>,
    block: BlockId,
    place: Option<Place>,
    /// In elements.
    offset: Polynomial,
    /// The polynomial is the offset and not only congruent to it.
    is_exact: bool,
}

/// An array of the region: what is reached from one base pointer.
#[derive(Debug)]
pub(crate) struct FoundArray<'c> {
    /// The base pointer.
    pub(crate) base: ValueRef<'c>,
    /// Its unique name.
    pub(crate) name: String,
    /// Its element type.
    pub(crate) element: ElementType,
    /// Sizes of the dimensions but the outermost.
    pub(crate) extents: Vec<Polynomial>,
    /// Loads and stores.
    pub(crate) instructions: Vec<ValueRef<'c>>,
}

/// All memory accesses of a region.
#[derive(Debug, Default)]
pub(crate) struct Accesses<'c> {
    /// The arrays, in order of first access.
    pub(crate) arrays: Vec<FoundArray<'c>>,
    /// By load or store of which no more is known than its array: the array and the relation to its elements from instances without a name.
    anywhere: HashMap<ValueRef<'c>, (usize, Map)>,
    /// By load or store: the array (position above) and the subscripts as functions of the counters around it.
    pub(crate) subscripts: HashMap<ValueRef<'c>, (usize, Vec<PwAff>)>,
}

impl<'c> Accesses<'c> {
    /// The array of a load or store.
    pub(crate) fn array_of(&self, instruction: ValueRef<'c>) -> usize {
        self.subscripts.get(&instruction).map_or_else(|| self.anywhere[&instruction].0, |known| known.0)
    }

    /// The relation from the instances of a statement called `statement` to the elements accessed.
    pub(crate) fn relation(&self, instruction: ValueRef<'c>, statement: &str) -> Map {
        if let Some((array, relation)) = self.anywhere.get(&instruction) {
            let name = Some(self.arrays[*array].name.as_str().into());
            return relation.set_tuple_name(DimKind::In, Some(statement.into())).set_tuple_name(DimKind::Out, name);
        }
        let (array, subscripts) = &self.subscripts[&instruction];
        relation(subscripts, statement, &self.arrays[*array].name)
    }
}

/// `{ statement[i] -> array[f(i)] }`.
fn relation(subscripts: &[PwAff], statement: &str, array: &str) -> Map {
    let first = subscripts.first().expect("arrays have dimensions");
    let mut space = first.space().clone();
    for subscript in subscripts {
        space = space.align(subscript.space());
    }
    let mut combined: Vec<(Set, Vec<Aff>)> = vec![(Set::universe(space.clone()), Vec::new())];
    for subscript in subscripts {
        let subscript = subscript.align_params(&space);
        let mut next = Vec::new();
        for (domain, affs) in &combined {
            for (set, aff) in subscript.pieces() {
                let affs = affs.iter().cloned().chain([aff.clone()]).collect();
                next.push((domain.intersect(set), affs));
            }
        }
        combined = next;
    }
    let depth = space.dim(DimKind::Out);
    let target =
        Space::map(space.params.clone(), Tuple::named(statement, depth), Tuple::named(array, subscripts.len()));
    let mut result = Map::empty(target);
    for (domain, affs) in combined {
        let function = MultiAff::into_tuple(&space, Tuple::named(array, subscripts.len()), affs).to_map();
        let function = function.intersect_domain(&domain).set_tuple_name(DimKind::In, Some(statement.into()));
        result = result.union(&function);
    }
    result
}

/// Analyses the given loads and stores, which are in program order with their blocks. Of those in `addressed` only the array is looked for. If others turn out to be
/// of this kind they are added, and there is no result.
pub(crate) fn analyse<'c>(
    translator: &mut Translator<'_, 'c>,
    domains: &Domains,
    instructions: &[(BlockId, ValueRef<'c>)],
    addressed: &mut IndexSet<ValueRef<'c>>,
    budget: &mut Budget,
) -> Result<Option<Accesses<'c>>, Blocker> {
    let known = addressed.len();
    let mut by_base: IndexMap<ValueRef<'c>, Vec<Site<'c>>> = IndexMap::new();
    let mut anywhere: Vec<(ValueRef<'c>, ValueRef<'c>, usize)> = Vec::new();
    let mut elements: HashMap<ValueRef<'c>, (u64, TypeRef<'c>)> = HashMap::new();
    for &(block, instruction) in instructions {
        let place = names::place(instruction);
        let fail = |b: Blocker| b.at(place.clone()).in_block(block);
        let address = address_of(translator, block, instruction).map_err(fail)?;
        let base = address.base;
        if addressed.contains(&instruction) {
            let depth = translator.origins.region.loops_around(translator.origins.cfg, block).len();
            anywhere.push((base, instruction, depth));
            continue;
        }
        let site = match locate(translator, domains, block, &address, budget) {
            Ok(site) => site,
            Err(blocker) if blocker.kind == RejectKind::Complexity => return Err(fail(blocker)),
            Err(blocker) => {
                tracing::debug!(reason = %blocker.message, "the address becomes data");
                addressed.insert(instruction);
                continue;
            }
        };
        let (bytes, ty) = type_of(translator, instruction);
        let (known, _) = *elements.entry(base).or_insert((bytes, ty));
        if known != bytes {
            let message = format!("{} is accessed as elements of {known} and of {bytes} bytes", names::quoted(base));
            return Err(Blocker::new(RejectKind::ElementSize, message).at(names::place(instruction)).in_block(block));
        }
        by_base.entry(base).or_default().push(site);
    }
    for &(base, instruction, _) in &anywhere {
        by_base.entry(base).or_default();
        elements.entry(base).or_insert_with(|| type_of(translator, instruction));
    }
    let mut result = Accesses::default();
    for (base, mut sites) in by_base {
        let (bytes, ty) = elements[&base];
        divide_by_element_size(&mut sites, bytes, addressed);
        limit_offsets(translator, domains, base, &sites, bytes, budget)?;
        let (shape, subscripts) = match recover(translator, domains, base, &sites, budget) {
            Err(blocker) if blocker.kind == RejectKind::NonAffineAccess => {
                let is_affine = |site: &Site<'c>| translator.to_function(&site.offset, site.loops.len()).is_some();
                addressed.extend(sites.iter().filter(|site| !is_affine(site)).map(|site| site.instruction));
                if addressed.len() == known {
                    return Err(blocker);
                }
                continue;
            }
            other => other?,
        };
        let number = result.arrays.len();
        for (site, functions) in sites.iter().zip(subscripts) {
            result.subscripts.insert(site.instruction, (number, functions));
        }
        let extents = shape.extents();
        let mut instructions: Vec<ValueRef<'c>> = sites.iter().map(|s| s.instruction).collect();
        for &(_, instruction, depth) in anywhere.iter().filter(|(of, ..)| *of == base) {
            result.anywhere.insert(instruction, (number, all_elements(translator, depth, &extents)));
            instructions.push(instruction);
        }
        let name = translator.names.unique(&names::source_name(base), "M");
        let bytes = u32::try_from(bytes).expect("elements are small");
        let element = ElementType { name: ty.print(), bytes, float: ty.is_float() };
        result.arrays.push(FoundArray { base, name, element, extents, instructions });
    }
    Ok((addressed.len() == known).then_some(result))
}

fn type_of<'c>(translator: &Translator<'_, 'c>, instruction: ValueRef<'c>) -> (u64, TypeRef<'c>) {
    let ty = instruction.access_type().expect("loads and stores have a type");
    (translator.origins.ctx.alloc_size(ty).expect("types of accesses have a size"), ty)
}

/// `{ [i] -> [x0, x1, ..] : 0 <= x1 < e1 and .. }`: every element of an array with these extents.
fn all_elements(translator: &Translator<'_, '_>, depth: usize, extents: &[Polynomial]) -> Map {
    let params = translator.space(0).params;
    let rank = extents.len() + 1;
    let columns = 1 + params.len() + depth + rank;
    let mut basic = BasicMap::universe(Space::map(params, Tuple::anonymous(depth), Tuple::anonymous(rank)));
    for (k, extent) in extents.iter().enumerate() {
        let subscript = columns - rank + 1 + k;
        let mut low = vec![Int::ZERO; columns];
        low[subscript] = Int::ONE;
        basic.add_ineq(low);
        let mut high = vec![Int::ZERO; columns];
        for (monomial, coefficient) in extent.terms() {
            match monomial.symbols() {
                [] => high[0] = coefficient.clone(),
                [Symbol::Param(p)] => high[1 + *p as usize] = coefficient.clone(),
                _ => unreachable!("extents are affine in the parameters"),
            }
        }
        high[0] = &high[0] - &Int::ONE;
        high[subscript] = Int::NEG_ONE;
        basic.add_ineq(high);
    }
    Map::from_basic(basic)
}

/// An address as a base pointer and a distance from it.
struct Address<'c> {
    instruction: ValueRef<'c>,
    base: ValueRef<'c>,
    distance: ScevRef<'c>,
}

/// Where an access goes; the base pointer must be the same in the whole region.
fn address_of<'c>(
    translator: &Translator<'_, 'c>,
    block: BlockId,
    instruction: ValueRef<'c>,
) -> Result<Address<'c>, Blocker> {
    let origins = translator.origins;
    let pointer = instruction.pointer_operand().expect("loads and stores have an address");
    let address = origins.scev_in(pointer, block).expect("pointers have expressions");
    let base_scev = origins.ctx.pointer_base(address);
    let base = base_scev.unknown_value().filter(|_| base_scev.kind() == ScevKind::Unknown);
    let base = base.filter(|b| matches!(b.ty().kind(), TypeKind::Pointer(0)) && !b.is_undef() && !b.is_zero());
    let base =
        base.ok_or_else(|| Blocker::new(RejectKind::VariantBase, "an address is computed from several pointers"))?;
    if origins.defining_block(base).is_some() {
        let message =
            format!("the base address of an access is {}, which changes inside the region", names::quoted(base));
        return Err(Blocker::new(RejectKind::VariantBase, message));
    }
    Ok(Address { instruction, base, distance: origins.ctx.scev_minus(address, base_scev) })
}

/// The offset (still in bytes) of an access.
fn locate<'c>(
    translator: &mut Translator<'_, 'c>,
    domains: &Domains,
    block: BlockId,
    address: &Address<'c>,
    budget: &mut Budget,
) -> Result<Site<'c>, Blocker> {
    let origins = translator.origins;
    let &Address { instruction, base, distance } = address;
    let pointer = instruction.pointer_operand().expect("loads and stores have an address");
    let loops = origins.region.loops_around(origins.cfg, block);
    let place = names::place(instruction);
    let what = format!("a subscript of {}", names::quoted(base));
    let mut at = Use {
        block,
        loops: &loops,
        domain: domains.of(block),
        what: &what,
        place: place.as_ref(),
        kind: RejectKind::NonAffineAccess,
        may_assume: true,
        products: true,
    };
    if distance.is_could_not_compute() {
        return Err(Blocker::new(RejectKind::NonAffineAccess, format!("{what} is not affine")));
    }
    let before = translator.snapshot();
    let (offset, is_exact) = match translator.offset(distance, &at, budget) {
        Ok(offset) => offset,
        Err(_) => {
            // Perhaps the products are parameters.
            translator.restore(before);
            at.products = false;
            translator.offset(distance, &at, budget)?
        }
    };
    let coefficients_are_small = offset.terms().all(|(_, c)| c.bits() <= SMALL_BITS);
    let is_exact = is_exact || (coefficients_are_small && is_exact_address(translator, (pointer, base), &at, budget)?);
    Ok(Site { instruction, loops, block, place, offset, is_exact })
}

/// Offsets in elements. Accesses that may begin in the middle of one are put with those of which only the array is known.
fn divide_by_element_size<'c>(sites: &mut Vec<Site<'c>>, bytes: u64, addressed: &mut IndexSet<ValueRef<'c>>) {
    let bytes = Int::from(bytes);
    sites.retain_mut(|site| match site.offset.div_int(&bytes) {
        Some(offset) => {
            site.offset = offset;
            true
        }
        None => {
            addressed.insert(site.instruction);
            false
        }
    });
}

/// Sees to it that offsets are what their polynomials say and not only congruent to them.
fn limit_offsets(
    translator: &mut Translator<'_, '_>,
    domains: &Domains,
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
            let outside = outside.intersect(domains.of(site.block));
            translator.facts.exclude(&outside, &reason(format!("{why} are in the range of addresses")), budget)?;
            continue;
        }
        let limited = translator.limit(&site.offset, OFFSET_BITS - Int::from(bytes).bits(), &site.loops, &why, budget);
        limited.map_err(|b| b.at(site.place.clone()).in_block(site.block))?;
    }
    Ok(())
}

/// One access in a shape: its subscripts and what is outside of the bounds.
struct Fit {
    subscripts: Vec<PwAff>,
    outside: Set,
    is_proven: bool,
}

type Recovered = (Shape, Vec<Vec<PwAff>>);

/// The shape of an array and the subscripts of its accesses.
fn recover(
    translator: &mut Translator<'_, '_>,
    domains: &Domains,
    base: ValueRef<'_>,
    sites: &[Site<'_>],
    budget: &mut Budget,
) -> Result<Recovered, Blocker> {
    if sites.is_empty() {
        return Ok((Shape::flat(), Vec::new()));
    }
    let mut offsets: Vec<Polynomial> = sites.iter().map(|s| s.offset.clone()).collect();
    // The pieces of an offset with a minimum or maximum in it show strides that the whole hides.
    offsets.extend(sites.iter().flat_map(|s| translator.pieces(&s.offset, s.loops.len())));
    let (flat, shapes): (Vec<Shape>, Vec<Shape>) =
        shape::candidates(&offsets).into_iter().partition(|s| *s == Shape::flat());
    let mut possible: Vec<(Shape, Vec<Fit>)> = Vec::new();
    for shape in shapes {
        let Some(fits) = fit_all(translator, domains, sites, &shape, budget)? else { continue };
        if fits.iter().all(|f| f.is_proven) {
            return Ok((shape, fits.into_iter().map(|f| f.subscripts).collect()));
        }
        if is_plausible(&shape, &fits) {
            possible.push((shape, fits));
        }
    }
    let mut failure = None;
    for (shape, fits) in by_assumptions(possible, budget)? {
        let before = translator.snapshot();
        match assume_bounds(translator, base, sites, &fits, budget) {
            Ok(()) => return Ok((shape, fits.into_iter().map(|f| f.subscripts).collect())),
            Err(blocker) => {
                tracing::debug!(reason = %blocker.message, rank = shape.rank(), "the shape is not possible");
                translator.restore(before);
                failure.get_or_insert(blocker);
            }
        }
    }
    for shape in flat {
        if let Some(fits) = fit_all(translator, domains, sites, &shape, budget)? {
            return Ok((shape, fits.into_iter().map(|f| f.subscripts).collect()));
        }
    }
    Err(failure.unwrap_or_else(|| {
        let message = format!("a subscript of {} is not affine and no array shape explains it", names::quoted(base));
        Blocker::new(RejectKind::NonAffineAccess, message).at(sites[0].place.clone()).in_block(sites[0].block)
    }))
}

/// Whether it is worth to assume that subscripts are inside the shape. Constant strides can as well belong to a one-dimensional array that is accessed in steps,
/// unless one access walks in both dimensions.
fn is_plausible(shape: &Shape, fits: &[Fit]) -> bool {
    let extents = shape.extents();
    let walks = |subscript: &PwAff| subscript.involves_dims(DimKind::Out, 0, subscript.space().dim(DimKind::Out));
    (1..shape.rank())
        .filter(|k| extents[k - 1].as_constant().is_some())
        .all(|k| fits.iter().any(|fit| walks(&fit.subscripts[k]) && fit.subscripts[..k].iter().any(walks)))
}

/// The possible shapes, those that leave more parameter values first where one set of values contains the other.
fn by_assumptions(
    mut possible: Vec<(Shape, Vec<Fit>)>,
    budget: &mut Budget,
) -> Result<Vec<(Shape, Vec<Fit>)>, Blocker> {
    let mut excluded = Vec::new();
    for (_, fits) in &possible {
        let sets = fits.iter().map(|fit| fit.outside.params());
        excluded.push(sets.reduce(|a, b| a.union(&b)).expect("arrays have accesses"));
    }
    let mut result = Vec::new();
    while !possible.is_empty() {
        let mut best = 0;
        for k in 1..possible.len() {
            if excluded[k].is_strict_subset(&excluded[best], budget)? {
                best = k;
            }
        }
        excluded.remove(best);
        result.push(possible.remove(best));
    }
    Ok(result)
}

/// All accesses in the shape; nothing if one does not fit.
fn fit_all(
    translator: &mut Translator<'_, '_>,
    domains: &Domains,
    sites: &[Site<'_>],
    shape: &Shape,
    budget: &mut Budget,
) -> Result<Option<Vec<Fit>>, Blocker> {
    let mut result = Vec::new();
    for site in sites {
        match fit(translator, domains, site, shape, budget)? {
            Some(fit) => result.push(fit),
            None => return Ok(None),
        }
    }
    Ok(Some(result))
}

/// The best way to write one offset in the shape: the first one inside the bounds, else the first one.
fn fit(
    translator: &mut Translator<'_, '_>,
    domains: &Domains,
    site: &Site<'_>,
    shape: &Shape,
    budget: &mut Budget,
) -> Result<Option<Fit>, Blocker> {
    let depth = site.loops.len();
    let mut first = None;
    for split in shape::splits(&site.offset, shape) {
        let subscripts: Option<Vec<PwAff>> = split.iter().map(|s| translator.to_function(s, depth)).collect();
        let extents: Option<Vec<PwAff>> = shape.extents().iter().map(|e| translator.to_function(e, depth)).collect();
        let (Some(subscripts), Some(extents)) = (subscripts, extents) else { continue };
        let domain = domains.of(site.block);
        let mut outside = Set::empty(domain.space().clone());
        for (subscript, extent) in subscripts[1..].iter().zip(&extents) {
            let zero = PwAff::constant(subscript.space().clone(), 0);
            let bad = subscript.lt_set(&zero).union(&subscript.ge_set(extent));
            outside = outside.union(&bad.intersect(domain));
        }
        let is_proven = translator.facts.is_impossible(&outside, budget)?;
        let fit = Fit { subscripts, outside, is_proven };
        if is_proven {
            return Ok(Some(fit));
        }
        first.get_or_insert(fit);
    }
    Ok(first)
}

fn assume_bounds(
    translator: &mut Translator<'_, '_>,
    base: ValueRef<'_>,
    sites: &[Site<'_>],
    fits: &[Fit],
    budget: &mut Budget,
) -> Result<(), Blocker> {
    for (site, fit) in sites.iter().zip(fits).filter(|(_, fit)| !fit.is_proven) {
        let text = format!("subscripts of {} are inside its inner dimensions", names::quoted(base));
        let reason = Reason { kind: AssumptionKind::InBounds, text, place: site.place.clone() };
        translator.facts.exclude(&fit.outside, &reason, budget).map_err(|b| b.in_block(site.block))?;
    }
    Ok(())
}

/// Whether the address is computed from its base by operations that cannot overflow without making it poison, on operands that are exact themselves.
fn is_exact_address<'c>(
    translator: &mut Translator<'_, 'c>,
    (address, base): (ValueRef<'c>, ValueRef<'c>),
    at: &Use<'_>,
    budget: &mut Budget,
) -> Result<bool, Blocker> {
    let mut todo = vec![address];
    for _ in 0..MAX_ADDRESS_PARTS {
        let Some(value) = todo.pop() else { return Ok(true) };
        if value == base {
            continue;
        }
        match value.opcode() {
            Some(Opcode::GetElementPtr) if value.is_inbounds() => todo.extend(value.operands()),
            Some(Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Shl) if value.has_nsw() => {
                todo.extend(value.operands())
            }
            Some(Opcode::SExt) => todo.extend(value.operands()),
            _ => {
                // A pointer that is no address computation is only exact as a base.
                let scev = translator.origins.scev_in(value, at.block).filter(|_| value.ty().integer_bits().is_some());
                let Some(scev) = scev else { return Ok(false) };
                let (polynomial, is_exact) = translator.congruent(scev, at, budget)?;
                let (min, max) = window(translator.origins.ctx.scev_bits(scev), false);
                if !is_exact && !translator.interval(&polynomial, at.loops).is_within(&min, &max) {
                    return Ok(false);
                }
            }
        }
    }
    Ok(false)
}

impl<'c> Translator<'_, 'c> {
    /// The offset of an address as a polynomial that is congruent to it, and whether it is equal.
    fn offset(
        &mut self,
        distance: ScevRef<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<(Polynomial, bool), Blocker> {
        let bits = self.origins.ctx.scev_bits(distance);
        let (polynomial, is_exact) = self.congruent(distance, at, budget)?;
        Ok((if is_exact { polynomial } else { polynomial.reduce(bits) }, is_exact))
    }
}
