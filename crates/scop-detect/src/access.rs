//! What loads and stores touch.
//!
//! # Problem
//! An address is a base pointer, the same in the whole region or the pointer to a row that is loaded from a table of such pointers ([`crate::rows`]), plus an offset in bytes that is a polynomial in counters and parameters. All accesses of one base
//! form an array; its shape and the subscripts are recovered from the offsets ([`poly_scop::shape`]), never from types, which say nothing reliable.
//!
//! # Algorithm
//! 1. Offsets become polynomials and are divided by the element size, that of the smallest access of the base. A larger access touches several elements.
//! 2. No offset may wrap around in address arithmetic: proven by flags, intervals or sets; for products of parameters by `Range` assumptions that
//!    are generous for any array that fits into memory. Flags of the address computation itself count too: where the access is executed its address is
//!    not poison, so nothing that it was computed from has overflowed a flag ([`crate::offsets`]).
//! 3. For every candidate shape, every access is split into subscripts so that `0 <= x_k < e_k` for all but the outermost dimension; the first candidate for which that
//!    can be proven everywhere is taken, else one for which the parameter values without violation can be assumed (`InBounds`): one that excludes fewer values before one that excludes more.
//! 4. An access whose subscripts are not affine (`A[B[i]]`) may touch any element of its array; its address is data then.
//! 5. A block of memory that is filled or copied at once (`memset`, `memcpy`) is a range of the innermost dimension, or of the outermost one with all that is inside.
//! 6. One-dimensional arrays need no such check.

use std::collections::HashMap;

use indexmap::{IndexMap, IndexSet};
use poly_arith::Int;
use poly_presburger::{Aff, BasicMap, Budget, DimKind, Map, MultiAff, PwAff, Set, Space, Tuple};
use poly_scop::shape::{self, Polynomial, Shape, Symbol};
use poly_scop::{AssumptionKind, ElementType, Place};
use poly_shim::ir::{Opcode, TypeKind};
use poly_shim::{ScevKind, ScevRef, ValueRef};

use crate::affine::{Products, Sign, Translator, Use};
use crate::cfg::{BlockId, LoopIndex};
use crate::domains::{self, Domains};
use crate::facts::Reason;
use crate::merges;
use crate::names;
use crate::offsets::is_exact_address;
use crate::reject::{Blocker, RejectKind};
use crate::rows::{self, Base, Rows};

/// Offsets in bytes stay below 2 to this power.
const OFFSET_BITS: u32 = 62;
/// Coefficients of at most this size are those of the program, not their representatives modulo 2^64.
const SMALL_BITS: u32 = 40;

/// Dimensions of which only every so many-th element is used are not assumed.
const LONGEST_STEP: i64 = 64;
/// The part of the budget (one in so many) for putting possible shapes in order.
const ORDER_PART: u64 = 16;

/// One load or store, by base and offset.
#[derive(Debug)]
pub(crate) struct Site<'c> {
    pub(crate) instruction: ValueRef<'c>,
    /// Loops of a part that is executed as a whole, if it is in one, come last.
    pub(crate) loops: Vec<LoopIndex>,
    /// How many of the loops are not of this kind.
    depth: usize,
    /// The values that the counters may have.
    domain: Set,
    block: BlockId,
    place: Option<Place>,
    /// The number of the row, if the array has rows.
    row: Option<Polynomial>,
    /// In elements.
    pub(crate) offset: Polynomial,
    /// The polynomial is the offset and not only congruent to it.
    is_exact: bool,
    /// Which of the addresses of the instruction it is.
    role: Role,
    /// How many elements are touched from the offset on, if not one: by a transfer, or by an access that is larger than the elements.
    length: Option<Polynomial>,
}

/// Loads and stores whose addresses the program's own instructions compute.
#[derive(Clone, Debug, Default)]
pub(crate) struct Addressed<'c> {
    /// All of them.
    pub(crate) all: IndexSet<ValueRef<'c>>,
    /// Those of which no more is known than the array, and transfers of this kind.
    pub(crate) anywhere: IndexSet<ValueRef<'c>>,
}

impl<'c> Addressed<'c> {
    fn count(&self) -> usize {
        self.all.len() + self.anywhere.len()
    }

    fn add_anywhere(&mut self, instruction: ValueRef<'c>) {
        self.all.insert(instruction);
        self.anywhere.insert(instruction);
    }
}

/// The addresses of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    /// That of a load or store, or what a transfer writes.
    Main,
    /// What a transfer reads.
    Source,
}

/// The addresses of a load, store or transfer.
fn addresses<'c>(instruction: ValueRef<'c>) -> Vec<(Role, ValueRef<'c>)> {
    match transfer(instruction) {
        Some(Transfer::Set) => vec![(Role::Main, instruction.operand(0))],
        Some(Transfer::Copy) => vec![(Role::Main, instruction.operand(0)), (Role::Source, instruction.operand(1))],
        None => vec![(Role::Main, instruction.pointer_operand().expect("loads and stores have an address"))],
    }
}

/// The accesses among instructions: the address of which instruction, and whether it is written.
pub(crate) fn of_instructions<'c>(instructions: &[ValueRef<'c>]) -> Vec<(ValueRef<'c>, Role, bool)> {
    let is_access =
        |i: &ValueRef<'c>| matches!(i.opcode(), Some(Opcode::Load | Opcode::Store)) || transfer(*i).is_some();
    let accesses = instructions.iter().copied().filter(is_access);
    let roles = accesses.flat_map(|i| addresses(i).into_iter().map(move |(role, _)| (i, role)));
    roles.map(|(i, role)| (i, role, role == Role::Main && i.opcode() != Some(Opcode::Load))).collect()
}

/// What a call does to a range of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transfer {
    /// All bytes get one value.
    Set,
    /// It gets the content of another range.
    Copy,
}

/// Whether the instruction fills or copies a range of memory: `memset`, `memcpy`, `memmove`.
pub(crate) fn transfer(instruction: ValueRef<'_>) -> Option<Transfer> {
    if instruction.opcode() != Some(Opcode::Call) {
        return None;
    }
    match instruction.intrinsic_name()?.as_str() {
        "llvm.memset" => Some(Transfer::Set),
        "llvm.memcpy" | "llvm.memmove" => Some(Transfer::Copy),
        _ => None,
    }
}

/// Whether the instruction is a call that reads memory and does nothing else but to compute from it.
pub(crate) fn sees_memory(instruction: ValueRef<'_>) -> bool {
    instruction.opcode() == Some(Opcode::Call)
        && instruction.intrinsic_name().is_none()
        && instruction.callee().is_some()
        && instruction.call_properties().is_observer()
}

/// An array of the region: what is reached from one base pointer.
#[derive(Debug)]
pub(crate) struct FoundArray<'c> {
    /// The base pointer, of an array with rows that of the table.
    pub(crate) base: ValueRef<'c>,
    /// The table with the pointers to its rows (its position), if it has rows.
    pub(crate) table: Option<usize>,
    /// Its unique name.
    pub(crate) name: String,
    /// Its element type.
    pub(crate) element: ElementType,
    /// Sizes of the dimensions but the outermost (and the rows).
    pub(crate) extents: Vec<Polynomial>,
    /// Loads, stores and transfers; of a table the loads of rows.
    pub(crate) instructions: Vec<ValueRef<'c>>,
    /// Some of them write it.
    pub(crate) is_written: bool,
}

/// All memory accesses of a region.
#[derive(Debug, Default)]
pub(crate) struct Accesses<'c> {
    /// The arrays, in order of first access.
    pub(crate) arrays: Vec<FoundArray<'c>>,
    /// By address that is not one element: the array and the relation to its elements from instances without a name.
    several: HashMap<(ValueRef<'c>, Role), (usize, Map)>,
    /// By call that reads memory: the arrays of which it may see any element, of those that are written.
    seen: HashMap<ValueRef<'c>, Vec<(usize, Map)>>,
    /// By load or store: the array (position above) and the subscripts as functions of the counters around it.
    pub(crate) subscripts: HashMap<ValueRef<'c>, (usize, Vec<PwAff>)>,
}

impl<'c> Accesses<'c> {
    /// The array of a load, store or transfer.
    pub(crate) fn array_of(&self, instruction: ValueRef<'c>, role: Role) -> usize {
        match self.several.get(&(instruction, role)) {
            Some((array, _)) => *array,
            None => self.subscripts[&instruction].0,
        }
    }

    /// Whether calls read memory on their own.
    pub(crate) fn have_observers(&self) -> bool {
        !self.seen.is_empty()
    }

    /// The written arrays that a call may see, with the relation from instances without a name to all elements.
    pub(crate) fn seen_by(&self, call: ValueRef<'c>) -> &[(usize, Map)] {
        self.seen.get(&call).map_or(&[], Vec::as_slice)
    }

    /// Whether an instance that executes the access touches exactly one element that is known.
    pub(crate) fn is_one_element(&self, instruction: ValueRef<'c>) -> bool {
        self.subscripts.contains_key(&instruction)
    }

    /// The relation from the instances of a statement called `statement` to the elements accessed.
    pub(crate) fn relation(&self, instruction: ValueRef<'c>, role: Role, statement: &str) -> Map {
        if let Some((array, relation)) = self.several.get(&(instruction, role)) {
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
    addressed: &mut Addressed<'c>,
    budget: &mut Budget,
) -> Result<Option<Accesses<'c>>, Blocker> {
    let known = addressed.count();
    let mut by_base: IndexMap<Base<'c>, Vec<Site<'c>>> = IndexMap::new();
    let mut anywhere: Vec<(Base<'c>, ValueRef<'c>, Role, usize)> = Vec::new();
    let mut elements: HashMap<Base<'c>, ElementType> = HashMap::new();
    let mut rows = Rows::default();
    let (calls, instructions): (Vec<_>, Vec<_>) = instructions.iter().copied().partition(|(_, i)| sees_memory(*i));
    for (block, instruction) in instructions {
        let place = names::place(instruction);
        let fail = |b: Blocker| b.at(place.clone()).in_block(block);
        for (role, pointer) in addresses(instruction) {
            let address = address_of(translator, block, instruction, pointer).map_err(fail)?;
            if address.is_row && translator.origins.is_closed(block) {
                return Err(fail(rows::unknown_place(address.base)));
            }
            let (base, row) = match address.is_row {
                true => rows.row(translator, domains, (block, address.base), budget).map_err(fail)?,
                false => (Base { pointer: address.base, has_rows: false }, None),
            };
            if transfer(instruction).is_none() {
                let element = element_of(translator, instruction);
                let known = elements.entry(base).or_insert_with(|| element.clone());
                if *known != element {
                    // The smallest; sizes are powers of two.
                    *known = ElementType::mixed(known.bytes.min(element.bytes));
                }
            }
            if addressed.anywhere.contains(&instruction) {
                if row.is_some() {
                    return Err(fail(rows::unknown_place(address.base)));
                }
                let depth = translator.origins.region.loops_around(translator.origins.cfg, block).len();
                anywhere.push((base, instruction, role, depth));
                by_base.entry(base).or_default();
                continue;
            }
            match locate(translator, domains, block, (&address, role), budget) {
                Ok(site) => by_base.entry(base).or_default().push(Site { row, ..site }),
                Err(blocker) if blocker.kind == RejectKind::Complexity => return Err(fail(blocker)),
                Err(blocker) => {
                    tracing::debug!(reason = %blocker.message, "the address becomes data");
                    addressed.add_anywhere(instruction);
                }
            }
        }
    }
    let mut result = Accesses::default();
    for (base, mut sites) in by_base {
        let element = elements.remove(&base).unwrap_or_else(|| largest_element(&sites));
        let bytes = u64::from(element.bytes);
        widen(translator, &mut sites, &element, addressed);
        divide_by_element_size(&mut sites, bytes, addressed);
        limit_offsets(translator, base.pointer, &sites, bytes, budget)?;
        let (shape, subscripts) = match recover(translator, base.pointer, &sites, budget) {
            Err(blocker) if blocker.kind == RejectKind::NonAffineAccess => {
                let depth = |site: &Site<'c>| site.loops.len();
                let is_affine = |site: &Site<'c>| {
                    let length = site.length.as_ref().is_none_or(|l| translator.to_function(l, depth(site)).is_some());
                    length && translator.to_function(&site.offset, depth(site)).is_some()
                };
                let before = addressed.count();
                sites.iter().filter(|site| !is_affine(site)).for_each(|site| addressed.add_anywhere(site.instruction));
                if addressed.count() == before {
                    let several = sites.iter().filter(|site| site.length.is_some());
                    several.for_each(|site| addressed.add_anywhere(site.instruction));
                }
                if addressed.count() == before {
                    return Err(blocker);
                }
                continue;
            }
            other => other?,
        };
        let number = result.arrays.len();
        for (site, functions) in sites.iter().zip(subscripts) {
            let row = site.row.as_ref().map(|row| translator.to_function(row, site.loops.len()));
            let functions: Vec<PwAff> =
                row.map(|row| row.expect("rows have affine numbers")).into_iter().chain(functions).collect();
            match &site.length {
                Some(length) => {
                    let relation = transferred(translator, site, length, &shape).expect("the transfer fits the shape");
                    let relation = site.over_instances(translator, relation);
                    result.several.insert((site.instruction, site.role), (number, relation));
                }
                None if translator.origins.is_closed(site.block) => {
                    let relation = site.over_instances(translator, relation(&functions, "S", "A"));
                    result.several.insert((site.instruction, site.role), (number, relation));
                }
                None => {
                    result.subscripts.insert(site.instruction, (number, functions));
                }
            }
        }
        let extents = shape.extents();
        let mut touching: Vec<(ValueRef<'c>, Role)> = sites.iter().map(|s| (s.instruction, s.role)).collect();
        for &(_, instruction, role, depth) in anywhere.iter().filter(|(of, ..)| *of == base) {
            result.several.insert((instruction, role), (number, all_elements(translator, depth, 0, &extents)));
            touching.push((instruction, role));
        }
        let is_written = touching.iter().any(|(i, role)| *role == Role::Main && i.opcode() != Some(Opcode::Load));
        let name = translator.names.unique(&names::source_name(base.pointer), "M");
        let instructions = touching.into_iter().map(|(instruction, _)| instruction).collect();
        let table = base.has_rows.then_some(number + 1);
        result.arrays.push(FoundArray { base: base.pointer, table, name, element, extents, instructions, is_written });
        if base.has_rows {
            let table = rows.table(translator, base.pointer, budget)?;
            result.arrays.push(table);
        }
    }
    rows::check_unwritten(&result.arrays)?;
    for (block, call) in calls {
        let depth = translator.origins.region.loops_around(translator.origins.cfg, block).len();
        let written = result.arrays.iter().enumerate().filter(|(_, array)| array.is_written);
        let is_visible = |array: &FoundArray<'c>| translator.origins.ctx.may_see(call, array.base);
        let visible = written.filter(|(_, array)| array.table.is_some() || is_visible(array));
        let all = |array: &FoundArray<'c>| {
            all_elements(translator, depth, usize::from(array.table.is_some()), &array.extents)
        };
        let seen = visible.map(|(number, array)| (number, all(array))).collect();
        result.seen.insert(call, seen);
    }
    Ok((addressed.count() == known).then_some(result))
}

impl Site<'_> {
    /// The relation from instances to elements, without the counters of loops that are executed as a whole.
    fn over_instances(&self, translator: &Translator<'_, '_>, relation: Map) -> Map {
        let all = self.loops.len();
        let mut possible = Set::universe(translator.space(all));
        for counter in self.depth..all {
            possible = possible.intersect(&domains::counted(translator, &self.loops, all, counter));
        }
        let possible = possible.set_tuple_name(Some("S".into()));
        relation.intersect_domain(&possible).project_out(DimKind::In, self.depth, all - self.depth)
    }

    /// Whether the offset depends on a counter of which nothing is known.
    fn is_unbounded(&self, translator: &Translator<'_, '_>) -> bool {
        let offsets = std::iter::once(&self.offset).chain(&self.length);
        offsets.flat_map(Polynomial::symbols).any(|symbol| match symbol {
            Symbol::Variable(v) => {
                let counter = self.loops.get(v as usize).filter(|_| v as usize >= self.depth);
                counter.is_some_and(|&l| translator.last_iteration_of(l).is_none())
            }
            Symbol::Param(_) => false,
        })
    }
}

/// Gives accesses that are larger than the elements their length. One that does not touch all bytes of its type is only known if all touch the same.
fn widen<'c>(
    translator: &Translator<'_, 'c>,
    sites: &mut Vec<Site<'c>>,
    element: &ElementType,
    addressed: &mut Addressed<'c>,
) {
    let ctx = translator.origins.ctx;
    let touched = |site: &Site<'c>| site.instruction.access_type().and_then(|ty| ctx.store_size(ty));
    let first = sites.first().and_then(touched);
    let are_equal = sites.iter().all(|site| touched(site) == first);
    sites.retain_mut(|site| {
        if transfer(site.instruction).is_some() {
            return true;
        }
        let own = element_of(translator, site.instruction).bytes;
        if !are_equal && touched(site) != Some(u64::from(own)) {
            addressed.add_anywhere(site.instruction);
            return false;
        }
        if own > element.bytes {
            site.length = Some(Polynomial::constant(i64::from(own)));
            addressed.all.insert(site.instruction);
        }
        true
    });
}

fn element_of(translator: &Translator<'_, '_>, instruction: ValueRef<'_>) -> ElementType {
    let ty = instruction.access_type().expect("loads and stores have a type");
    let bytes = translator.origins.ctx.alloc_size(ty).expect("types of accesses have a size");
    ElementType { name: ty.print(), bytes: u32::try_from(bytes).expect("elements are small"), float: ty.is_float() }
}

/// The largest integers that an array consists of which is only transferred as a whole.
fn largest_element(sites: &[Site<'_>]) -> ElementType {
    let fits = |bytes: u32| {
        let divides = |p: &Polynomial| p.div_int(&Int::from(i64::from(bytes))).is_some();
        sites.iter().all(|site| divides(&site.offset) && site.length.as_ref().is_none_or(divides))
    };
    let bytes = [8, 4, 2].into_iter().find(|&bytes| fits(bytes)).unwrap_or(1);
    ElementType { name: format!("i{}", 8 * bytes), bytes, float: false }
}

/// What a transfer covers, in the dimensions of a shape.
enum Covering {
    /// A part of the innermost dimension, of this length.
    Part(Polynomial),
    /// This many of the outermost dimension, with everything that is inside of them.
    Whole(Polynomial),
}

fn covering(length: &Polynomial, shape: &Shape) -> Option<Covering> {
    if shape.rank() == 1 {
        return Some(Covering::Part(length.clone()));
    }
    let splits = shape::splits(length, shape);
    let only = |split: &[Polynomial], kept: usize| split.iter().enumerate().all(|(k, p)| k == kept || p.is_zero());
    if let Some(split) = splits.iter().find(|split| only(split, 0)) {
        return Some(Covering::Whole(split[0].clone()));
    }
    splits
        .iter()
        .find(|split| only(split, shape.rank() - 1))
        .map(|split| Covering::Part(split[shape.rank() - 1].clone()))
}

/// From instances of a transfer to the elements that it touches.
fn transferred(translator: &Translator<'_, '_>, site: &Site<'_>, length: &Polynomial, shape: &Shape) -> Option<Map> {
    let depth = site.loops.len();
    let start = shape::splits(&site.offset, shape).into_iter().next()?;
    // Further counters run over the elements.
    let counter =
        |k: usize| Polynomial::symbol(Symbol::Variable(u32::try_from(depth + k).expect("nests are not deep")));
    let (subscripts, ends): (Vec<Polynomial>, Vec<Polynomial>) = match covering(length, shape)? {
        Covering::Part(length) => {
            let mut subscripts = start;
            let last = subscripts.pop()?;
            subscripts.push(last.add(&counter(0)));
            (subscripts, vec![length])
        }
        Covering::Whole(length) => {
            let first = start[0].add(&counter(0));
            let inner = (1..shape.rank()).map(counter);
            let ends = std::iter::once(length).chain(shape.extents()).collect();
            (std::iter::once(first).chain(inner).collect(), ends)
        }
    };
    let total = depth + ends.len();
    let subscripts = site.row.iter().chain(&subscripts);
    let functions: Option<Vec<PwAff>> = subscripts.map(|s| translator.to_function(s, total)).collect();
    let mut domain = Set::universe(translator.space(total));
    for (k, end) in ends.iter().enumerate() {
        let value = PwAff::var(translator.space(total), DimKind::Out, depth + k);
        let zero = PwAff::constant(value.space().clone(), 0);
        domain = domain.intersect(&value.ge_set(&zero)).intersect(&value.lt_set(&translator.to_function(end, total)?));
    }
    let domain = domain.set_tuple_name(Some("S".into()));
    let relation = relation(&functions?, "S", "A").intersect_domain(&domain);
    Some(relation.project_out(DimKind::In, depth, ends.len()))
}

/// `{ [i] -> [x0, x1, ..] : 0 <= x1 < e1 and .. }`: every element of an array with these extents, behind the subscripts of rows.
fn all_elements(translator: &Translator<'_, '_>, depth: usize, rows: usize, extents: &[Polynomial]) -> Map {
    let params = translator.space(0).params;
    let rank = rows + extents.len() + 1;
    let columns = 1 + params.len() + depth + rank;
    let mut basic = BasicMap::universe(Space::map(params, Tuple::anonymous(depth), Tuple::anonymous(rank)));
    for (k, extent) in extents.iter().enumerate() {
        let subscript = columns - extents.len() + k;
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
pub(crate) struct Address<'c> {
    instruction: ValueRef<'c>,
    pointer: ValueRef<'c>,
    pub(crate) base: ValueRef<'c>,
    /// The distance from the base, or from the merged address in between.
    distance: ScevRef<'c>,
    /// The PHI node that merges several addresses relative to the base.
    merged: Option<ValueRef<'c>>,
    /// The base pointer is loaded in the region.
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
    let is_row = is_variant && base.opcode() == Some(Opcode::Load);
    if is_variant && !is_row {
        return Err(variant_base(base));
    }
    Ok(Address { instruction, pointer, base, distance, merged: None, is_row })
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
    loops.extend(origins.cfg.closed_loops_around(instruction));
    let domain = domains.closed_domain(translator, block, &loops);
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

/// The distance of an address from its base, and whether it is exact: in an order in which as little as possible is assumed.
fn offset_of<'c>(
    translator: &mut Translator<'_, 'c>,
    address: &Address<'c>,
    at: &mut Use<'_>,
    budget: &mut Budget,
) -> Result<(Polynomial, bool), Blocker> {
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

/// The length of a transfer. No object has 2^63 bytes: a polynomial that is congruent to the length and small is never negative where the transfer is executed.
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

/// Offsets in elements. Accesses that may begin in the middle of one are put with those of which only the array is known.
fn divide_by_element_size<'c>(sites: &mut Vec<Site<'c>>, bytes: u64, addressed: &mut Addressed<'c>) {
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
        let Some(fits) = fit_all(translator, sites, &shape, budget)? else { continue };
        if fits.iter().all(|f| f.is_proven) {
            return Ok((shape, fits.into_iter().map(|f| f.subscripts).collect()));
        }
        if is_plausible(&shape, &fits) {
            possible.push((shape, fits));
        }
    }
    let mut failure = None;
    for (shape, fits) in by_assumptions(possible, budget) {
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
        if let Some(fits) = fit_all(translator, sites, &shape, budget)? {
            return Ok((shape, fits.into_iter().map(|f| f.subscripts).collect()));
        }
    }
    Err(failure.unwrap_or_else(|| {
        let message = format!("a subscript of {} is not affine and no array shape explains it", names::quoted(base));
        Blocker::new(RejectKind::NonAffineAccess, message).at(sites[0].place.clone()).in_block(sites[0].block)
    }))
}

/// Whether it is worth to assume that subscripts are inside the shape. Constant strides can as well belong to a one-dimensional array that is accessed in steps,
/// unless one access walks in both dimensions. Where all accesses go through a dimension in large steps, these are the rows of an array and the other stride is something else.
fn is_plausible(shape: &Shape, fits: &[Fit]) -> bool {
    let extents = shape.extents();
    let steps = |k: usize| fits.iter().fold(Int::ZERO, |gcd, fit| gcd.gcd(&content(&fit.subscripts[k])));
    if (1..shape.rank()).any(|k| steps(k) >= LONGEST_STEP) {
        return false;
    }
    let walks = |subscript: &PwAff| subscript.involves_dims(DimKind::Out, 0, subscript.space().dim(DimKind::Out));
    (1..shape.rank())
        .filter(|k| extents[k - 1].as_constant().is_some())
        .all(|k| fits.iter().any(|fit| walks(&fit.subscripts[k]) && fit.subscripts[..k].iter().any(walks)))
}

/// The greatest common divisor of the coefficients of a function.
fn content(function: &PwAff) -> Int {
    let rows = function.pieces().iter().map(|(_, aff)| if aff.is_integral_affine() { Some(aff.row()) } else { None });
    rows.fold(Int::ZERO, |gcd, row| match row {
        Some(row) => row.iter().fold(gcd, |gcd, coefficient| gcd.gcd(coefficient)),
        None => Int::ONE,
    })
}

/// The possible shapes, those that leave more parameter values first where one set of values contains the other. Every order is right, so a part of the
/// budget has to do.
fn by_assumptions(mut possible: Vec<(Shape, Vec<Fit>)>, budget: &mut Budget) -> Vec<(Shape, Vec<Fit>)> {
    let mut part = budget.sub(budget.remaining() / ORDER_PART);
    let mut excluded = Vec::new();
    for (_, fits) in &possible {
        let sets = fits.iter().map(|fit| fit.outside.params());
        excluded.push(sets.reduce(|a, b| a.union(&b)).expect("arrays have accesses"));
    }
    let mut result = Vec::new();
    while !possible.is_empty() {
        let mut best = 0;
        for k in 1..possible.len() {
            if excluded[k].is_strict_subset(&excluded[best], &mut part).unwrap_or(false) {
                best = k;
            }
        }
        excluded.remove(best);
        result.push(possible.remove(best));
    }
    budget.absorb(&part);
    result
}

/// All accesses in the shape; nothing if one does not fit.
fn fit_all(
    translator: &mut Translator<'_, '_>,
    sites: &[Site<'_>],
    shape: &Shape,
    budget: &mut Budget,
) -> Result<Option<Vec<Fit>>, Blocker> {
    let mut result = Vec::new();
    for site in sites {
        match fit(translator, site, shape, budget)? {
            Some(fit) => result.push(fit),
            None => return Ok(None),
        }
    }
    Ok(Some(result))
}

/// The best way to write one offset in the shape: the first one inside the bounds, else the first one.
fn fit(
    translator: &mut Translator<'_, '_>,
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
        let domain = &site.domain;
        let mut outside = Set::empty(domain.space().clone());
        if let Some(length) = &site.length {
            let Some(end) = end_outside(translator, depth, (&split, length), shape) else { continue };
            end.pay_meeting(domain, budget)?;
            outside = end.intersect(domain);
        }
        for (subscript, extent) in subscripts[1..].iter().zip(&extents) {
            let zero = PwAff::constant(subscript.space().clone(), 0);
            let bad = subscript.lt_set(&zero).union(&subscript.ge_set(extent));
            bad.pay_meeting(domain, budget)?;
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

/// The iterations in which a transfer that begins at the given subscripts is not of the form that [`transferred`] takes it for.
fn end_outside(
    translator: &Translator<'_, '_>,
    depth: usize,
    (start, length): (&[Polynomial], &Polynomial),
    shape: &Shape,
) -> Option<Set> {
    let mut outside = Set::empty(translator.space(depth));
    match covering(length, shape)? {
        Covering::Part(length) => {
            if let (Some(extent), Some(last)) = (shape.extents().last(), start.last()) {
                let end = translator.to_function(&last.add(&length), depth)?;
                outside = end.gt_set(&translator.to_function(extent, depth)?);
            }
            translator.to_function(&length, depth)?;
        }
        Covering::Whole(length) => {
            translator.to_function(&length, depth)?;
            for inner in &start[1..] {
                outside = outside.union(&translator.to_function(inner, depth)?.non_zero_set());
            }
        }
    }
    Some(outside)
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
