//! What loads and stores touch.
//!
//! # Problem
//! An address is a base pointer, the same in the whole region or the pointer to a row that is
//! loaded from a table of such pointers ([`crate::rows`]), plus an offset in bytes that is a
//! polynomial in counters and parameters. All accesses of one base form an array; its shape and the
//! subscripts are recovered from the offsets ([`poly_scop::shape`]), never from types, which say
//! nothing reliable.
//!
//! # Algorithm
//! 1. Offsets become polynomials and are divided by the element size, that of the smallest access
//!    of the base. A larger access touches several elements.
//! 2. No offset may wrap around in address arithmetic: proven by flags, intervals or sets; for
//!    products of parameters by `Range` assumptions that are generous for any array that fits into
//!    memory. Flags of the address computation itself count too: where the access is executed its
//!    address is not poison, so nothing that it was computed from has overflowed a flag
//!    ([`crate::offsets`]).
//! 3. For every candidate shape, every access is split into subscripts so that `0 <= x_k < e_k` for
//!    all but the outermost dimension; the first candidate for which that can be proven everywhere
//!    is taken, else one for which the parameter values without violation can be assumed
//!    (`InBounds`): one that excludes fewer values before one that excludes more.
//! 4. An access whose subscripts are not affine (`A[B[i]]`) may touch any element of its array, or
//!    of the part that the range of the subscript leaves over (256 elements if `B` has bytes); its
//!    address is data then.
//! 5. A block of memory that is filled or copied at once (`memset`, `memcpy`) is a range of the
//!    innermost dimension, or of the outermost one with all that is inside.
//! 6. One-dimensional arrays need no such check.

mod address;
mod beside;
mod fit;
mod tested;
mod transfer;

use std::collections::HashMap;

use indexmap::{IndexMap, IndexSet};
use poly_arith::Int;
use poly_presburger::{Aff, BasicMap, Budget, DimKind, Map, MultiAff, PwAff, Set, Space, Tuple};
use poly_scop::shape::{Polynomial, Symbol};
use poly_scop::{ArrayId, ElementType, Place};
use poly_shim::ValueRef;
use poly_shim::ir::Opcode;

use address::Address;
pub(crate) use address::{OFFSET_BITS, address_of, limit_offsets, locate, variant_base};
pub(crate) use transfer::{Role, Transfer, of_instructions, sees_memory, transfer};

use address::{assume_whole_elements, divide_by_element_size};
use beside::Ends;
use fit::{Found, Recovered, recover};
use tested::Tested;
use transfer::{addresses, transferred};

use crate::affine::Translator;
use crate::cfg::{BlockId, LoopIndex};
use crate::domains::{self, Domains};
use crate::names;
use crate::reject::{Blocker, RejectKind};
use crate::rows::{self, Base, Rows};

/// One load or store, by base and offset.
#[derive(Clone, Debug)]
pub(crate) struct Site<'c> {
    pub(crate) instruction: ValueRef<'c>,
    /// Loops of a non-affine subregion, if it is in one, come last.
    pub(crate) loops: Vec<LoopIndex>,
    /// How many of the loops are not of this kind.
    depth: usize,
    /// The values that the counters may have.
    domain: Set,
    block: BlockId,
    place: Option<Place>,
    /// The number of the row, if the array has rows.
    pub(crate) row: Option<Polynomial>,
    /// In elements.
    pub(crate) offset: Polynomial,
    /// The polynomial is the offset and not only congruent to it.
    is_exact: bool,
    /// Which of the addresses of the instruction it is.
    role: Role,
    /// How many elements are touched from the offset on, if not one: by a transfer, or by an access
    /// that is larger than the elements.
    length: Option<Polynomial>,
}

/// Loads and stores whose addresses the program's own instructions compute.
#[derive(Clone, Debug, Default)]
pub(crate) struct Addressed<'c> {
    /// All of them.
    pub(crate) all: IndexSet<ValueRef<'c>>,
    /// Those of which no more is known than the array, and transfers of this kind.
    pub(crate) anywhere: IndexSet<ValueRef<'c>>,
    /// Those of them whose offsets are no affine functions.
    unknown: IndexSet<ValueRef<'c>>,
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

/// An access of which no more is known than the array, and perhaps which part of it.
#[derive(Debug)]
struct Anywhere<'c> {
    base: Base<'c>,
    instruction: ValueRef<'c>,
    role: Role,
    /// Loops around it.
    depth: usize,
    /// The bytes that it can touch, as distances from the base: the first one and the one behind
    /// the last one.
    bytes: Option<(i64, i64)>,
    /// What branches before say about it.
    tested: Option<Tested>,
    /// Its offset in bytes, where that is known and only no shape explains it.
    site: Option<Site<'c>>,
}

/// An array of the region: what is reached from one base pointer.
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug, Default)]
pub(crate) struct Accesses<'c> {
    /// The arrays, in order of first access.
    pub(crate) arrays: Vec<FoundArray<'c>>,
    /// By address that is not one element: the array and the relation to its elements from
    /// instances without a name.
    several: HashMap<(ValueRef<'c>, Role), (usize, Map)>,
    /// By call that reads memory: the arrays of which it may see any element, of those that are
    /// written.
    seen: HashMap<ValueRef<'c>, Vec<(usize, Map)>>,
    /// By load or store: the array (position above) and the subscripts as functions of the counters
    /// around it.
    pub(crate) subscripts: HashMap<ValueRef<'c>, (usize, Vec<PwAff>)>,
    /// Pairs of arrays that may overlap in a way that nobody checks, the smaller number first.
    pub(crate) unchecked: Vec<(ArrayId, ArrayId)>,
}

impl<'c> Accesses<'c> {
    /// The array of a load, store or transfer.
    pub(crate) fn array_of(&self, instruction: ValueRef<'c>, role: Role) -> usize {
        match self.several.get(&(instruction, role)) {
            Some((array, _)) => *array,
            None => self.subscripts[&instruction].0,
        }
    }

    /// Whether two arrays, by position, are the same one or may overlap in a way that nobody
    /// checks.
    pub(crate) fn may_share_bytes(&self, one: usize, other: usize) -> bool {
        let pair = (ArrayId::from(one.min(other)), ArrayId::from(one.max(other)));
        one == other || self.unchecked.contains(&pair)
    }

    /// Whether calls read memory on their own.
    pub(crate) fn have_observers(&self) -> bool {
        !self.seen.is_empty()
    }

    /// The written arrays that a call may see, with the relation from instances without a name to
    /// all elements.
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

/// Analyses the given loads and stores, which are in program order with their blocks. Of those in
/// `addressed` only the array is looked for. If others turn out to be of this kind they are added,
/// and there is no result.
pub(crate) fn analyse<'c>(
    translator: &mut Translator<'_, 'c>,
    domains: &Domains,
    instructions: &[(BlockId, ValueRef<'c>)],
    addressed: &mut Addressed<'c>,
    budget: &mut Budget,
) -> Result<Option<Accesses<'c>>, Blocker> {
    let known = addressed.count();
    let (calls, instructions): (Vec<_>, Vec<_>) = instructions.iter().copied().partition(|(_, i)| sees_memory(*i));
    let mut located = Located::default();
    for at in instructions {
        located.add(translator, domains, at, addressed, budget)?;
    }
    // All of it is done again without them: no shape need be looked for now.
    if addressed.count() != known {
        return Ok(None);
    }
    let mut result = Accesses::default();
    for (base, mut sites) in std::mem::take(&mut located.sites) {
        let element = located.elements.remove(&base).unwrap_or_else(|| largest_element(&sites));
        widen(translator, &mut sites, &element, addressed);
        assume_whole_elements(translator, &mut sites, u64::from(element.bytes), budget)?;
        divide_by_element_size(&mut sites, u64::from(element.bytes), addressed);
        limit_offsets(translator, base.pointer, &sites, u64::from(element.bytes), budget)?;
        let shaped = match recover(translator, base.pointer, &mut sites, budget) {
            Err(blocker) if blocker.kind == RejectKind::NonAffineAccess => {
                if !add_unknown_places(translator, &sites, addressed) {
                    return Err(blocker);
                }
                continue;
            }
            other => other?,
        };
        let shaped = match shaped {
            Found::Shape(shaped) => shaped,
            Found::Beside(misfits) => {
                misfits.into_iter().for_each(|k| addressed.add_anywhere(sites[k].instruction));
                continue;
            }
        };
        let pointers = rows::count_by_elements(&mut sites);
        result.add_array(translator, base, (&sites, shaped), element, &located.anywhere, budget)?;
        if base.has_rows {
            let table = located.rows.table(translator, (base.pointer, pointers), budget)?;
            result.arrays.push(table);
        }
    }
    rows::check_unwritten(&result.arrays)?;
    calls.into_iter().for_each(|(block, call)| result.add_observer(translator, block, call));
    Ok((addressed.count() == known).then_some(result))
}

/// Loads and stores by what they are relative to.
#[derive(Default)]
struct Located<'c> {
    sites: IndexMap<Base<'c>, Vec<Site<'c>>>,
    anywhere: Vec<Anywhere<'c>>,
    elements: HashMap<Base<'c>, ElementType>,
    rows: Rows<'c>,
}

impl<'c> Located<'c> {
    /// Adds what an instruction accesses. If its place cannot be said, its address becomes data.
    fn add(
        &mut self,
        translator: &mut Translator<'_, 'c>,
        domains: &Domains,
        (block, instruction): (BlockId, ValueRef<'c>),
        addressed: &mut Addressed<'c>,
        budget: &mut Budget,
    ) -> Result<(), Blocker> {
        let place = names::place(instruction);
        let fail = |b: Blocker| b.at(place.clone()).in_block(block);
        for (role, pointer) in addresses(instruction) {
            let address = address_of(translator, block, instruction, pointer).map_err(fail)?;
            if address.is_row && translator.origins.is_subregion(block) {
                return Err(fail(rows::unknown_place(address.base)));
            }
            let (base, row) = match address.is_row {
                true => self.rows.row(translator, domains, (block, address.base), budget).map_err(fail)?,
                false => (Base { pointer: address.base, has_rows: false }, None),
            };
            if transfer(instruction).is_none() {
                self.add_element(base, element_of(translator, instruction));
            }
            if addressed.anywhere.contains(&instruction) {
                if row.is_some() {
                    return Err(fail(rows::unknown_place(address.base)));
                }
                let depth = translator.origins.region.loops_around(translator.origins.cfg, block).len();
                let bytes = address.possible_bytes(translator);
                let distance = address.plain_distance();
                let tested = distance.and_then(|d| Tested::find(translator, domains, block, d, budget));
                let site = match addressed.unknown.contains(&instruction) {
                    true => None,
                    false => site_without_assumptions(translator, domains, block, (&address, role), budget),
                };
                self.anywhere.push(Anywhere { base, instruction, role, depth, bytes, tested, site });
                self.sites.entry(base).or_default();
                continue;
            }
            match locate(translator, domains, block, (&address, role), budget) {
                Ok(site) => self.sites.entry(base).or_default().push(Site { row, ..site }),
                Err(blocker) if blocker.kind == RejectKind::Complexity => return Err(fail(blocker)),
                Err(blocker) => {
                    tracing::debug!(reason = %blocker.message, "the address becomes data");
                    if blocker.kind == RejectKind::NonAffineAccess {
                        addressed.unknown.insert(instruction);
                    }
                    addressed.add_anywhere(instruction);
                }
            }
        }
        Ok(())
    }

    fn add_element(&mut self, base: Base<'c>, element: ElementType) {
        let known = self.elements.entry(base).or_insert_with(|| element.clone());
        if *known != element {
            // The smallest; sizes are powers of two.
            *known = ElementType::mixed(known.bytes.min(element.bytes));
        }
    }
}

/// Where an access goes, if nothing has to be assumed to say so.
fn site_without_assumptions<'c>(
    translator: &mut Translator<'_, 'c>,
    domains: &Domains,
    block: BlockId,
    (address, role): (&Address<'c>, Role),
    budget: &mut Budget,
) -> Option<Site<'c>> {
    let before = translator.snapshot();
    let site = locate(translator, domains, block, (address, role), budget).ok();
    let is_free = translator.facts.assumptions().len() == before.facts().assumptions().len();
    let site = site.filter(|site| is_free && site.length.is_none());
    if site.is_none() {
        translator.restore(before);
    }
    site
}

/// Adds the accesses whose places are no affine functions, or else those of several elements, to
/// those of which only the array is known; false if there are none.
fn add_unknown_places<'c>(translator: &Translator<'_, 'c>, sites: &[Site<'c>], addressed: &mut Addressed<'c>) -> bool {
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
    addressed.count() > before
}

impl<'c> Accesses<'c> {
    /// Adds an array of this shape with its accesses.
    fn add_array(
        &mut self,
        translator: &mut Translator<'_, 'c>,
        base: Base<'c>,
        (sites, (shape, subscripts)): (&[Site<'c>], Recovered),
        element: ElementType,
        anywhere: &[Anywhere<'c>],
        budget: &mut Budget,
    ) -> Result<(), Blocker> {
        let number = self.arrays.len();
        for (site, functions) in sites.iter().zip(subscripts) {
            let row = site.row.as_ref().map(|row| translator.to_function(row, site.loops.len()));
            let functions: Vec<PwAff> =
                row.map(|row| row.expect("rows have affine numbers")).into_iter().chain(functions).collect();
            let relation = match &site.length {
                Some(length) => transferred(translator, site, length, &shape).expect("the transfer fits the shape"),
                None if translator.origins.is_subregion(site.block) => relation(&functions, "S", "A"),
                None => {
                    self.subscripts.insert(site.instruction, (number, functions));
                    continue;
                }
            };
            let relation = site.over_instances(translator, relation);
            self.several.insert((site.instruction, site.role), (number, relation));
        }
        let extents = shape.extents();
        let mut touching: Vec<(ValueRef<'c>, Role)> = sites.iter().map(|s| (s.instruction, s.role)).collect();
        for access in anywhere.iter().filter(|access| access.base == base) {
            let elements = all_elements(translator, access.depth, 0, &extents, &Ends::default());
            let bytes = element.bytes;
            // Transfers have no type.
            let is_whole =
                || transfer(access.instruction).is_none() && element_of(translator, access.instruction).bytes == bytes;
            let tested = access.tested.as_ref().filter(|_| extents.is_empty() && is_whole());
            let elements =
                match (&access.bytes, tested.and_then(|t| t.elements(translator, access.depth, bytes.into()))) {
                    (_, Some(tested)) => tested,
                    (Some(range), None) if extents.is_empty() => within(&elements, range, u64::from(bytes)),
                    _ => {
                        let rows = access.rows(translator, &shape, &element, budget)?;
                        all_elements(translator, access.depth, 0, &extents, &rows)
                    }
                };
            self.several.insert((access.instruction, access.role), (number, elements));
            touching.push((access.instruction, access.role));
        }
        let is_written = touching.iter().any(|(i, role)| *role == Role::Main && i.opcode() != Some(Opcode::Load));
        let name = translator.names.unique(&names::source_name(base.pointer), "M");
        let instructions = touching.into_iter().map(|(instruction, _)| instruction).collect();
        let table = base.has_rows.then_some(number + 1);
        self.arrays.push(FoundArray { base: base.pointer, table, name, element, extents, instructions, is_written });
        Ok(())
    }

    /// Adds a call that reads memory on its own: it may see any element of some of the written
    /// arrays.
    fn add_observer(&mut self, translator: &Translator<'_, 'c>, block: BlockId, call: ValueRef<'c>) {
        let depth = translator.origins.region.loops_around(translator.origins.cfg, block).len();
        let written = self.arrays.iter().enumerate().filter(|(_, array)| array.is_written);
        let is_visible = |array: &FoundArray<'c>| translator.origins.ctx.may_see(call, array.base);
        let visible = written.filter(|(_, array)| array.table.is_some() || is_visible(array));
        let all = |array: &FoundArray<'c>| {
            all_elements(translator, depth, usize::from(array.table.is_some()), &array.extents, &Ends::default())
        };
        let seen = visible.map(|(number, array)| (number, all(array))).collect();
        self.seen.insert(call, seen);
    }
}

impl Site<'_> {
    /// The relation from instances to elements, without the counters of loops that are executed as
    /// a whole.
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

/// Gives accesses that are larger than the elements their length. One that does not touch all bytes
/// of its type is only known if all touch the same.
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

/// What an array consists of that the instruction loads from or stores to.
pub(crate) fn element_of(translator: &Translator<'_, '_>, instruction: ValueRef<'_>) -> ElementType {
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

/// The elements of an array of one dimension that have bytes in this range.
fn within(elements: &Map, (first, behind): &(i64, i64), bytes: u64) -> Map {
    let bytes = Int::from(bytes);
    let last = (&Int::from(*behind) - &Int::ONE).div_floor(&bytes);
    let elements = elements.lower_bound(DimKind::Out, 0, Int::from(*first).div_floor(&bytes));
    elements.upper_bound(DimKind::Out, 0, last)
}

/// `{ [i] -> [x0, x1, ..] : 0 <= x1 < e1 and .. }`: every element of an array with these extents,
/// behind the subscripts of rows, whose outermost subscript is between these ends.
fn all_elements(
    translator: &Translator<'_, '_>,
    depth: usize,
    rows: usize,
    extents: &[Polynomial],
    outermost: &Ends,
) -> Map {
    let params = translator.space(0).params;
    let rank = rows + extents.len() + 1;
    let columns = 1 + params.len() + depth + rank;
    let mut basic = BasicMap::universe(Space::map(params, Tuple::anonymous(depth), Tuple::anonymous(rank)));
    let row_of = |value: &Polynomial| {
        let mut row = vec![Int::ZERO; columns];
        for (monomial, coefficient) in value.terms() {
            match monomial.symbols() {
                [] => row[0] = coefficient.clone(),
                [Symbol::Param(p)] => row[1 + *p as usize] = coefficient.clone(),
                _ => unreachable!("extents are affine in the parameters"),
            }
        }
        row
    };
    for (k, extent) in extents.iter().enumerate() {
        let subscript = columns - extents.len() + k;
        let mut low = vec![Int::ZERO; columns];
        low[subscript] = Int::ONE;
        basic.add_ineq(low);
        let mut high = row_of(&extent.sub(&Polynomial::constant(1)));
        high[subscript] = Int::NEG_ONE;
        basic.add_ineq(high);
    }
    let subscript = columns - extents.len() - 1;
    if let Some(first) = &outermost.first {
        let mut low = row_of(&first.scale(&Int::NEG_ONE));
        low[subscript] = Int::ONE;
        basic.add_ineq(low);
    }
    if let Some(last) = &outermost.last {
        let mut high = row_of(last);
        high[subscript] = Int::NEG_ONE;
        basic.add_ineq(high);
    }
    Map::from_basic(basic)
}
