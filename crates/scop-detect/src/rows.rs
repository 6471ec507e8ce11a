//! Arrays whose rows are reached through a table of pointers: `double **A`, vectors of vectors.
//!
//! # Definitions
//! An access goes to a *row* if its base pointer is loaded inside the region from an address with
//! an affine offset from a base that is the same in the whole region, the *table*. The *number* of
//! the row is that offset in elements of the table: pointers, or structures that begin with one, as
//! vectors do. All accesses of rows of one table form an array, whose first subscript is the number
//! of the row.
//!
//! # Why that is a model
//! If nothing in the region writes the table, a row's number determines its address, and if rows
//! share no byte, different subscripts are different elements. The first is required here as far as
//! the region's own accesses of the table are concerned; that other writes do not reach it, and
//! that rows that are written do not overlap, is tested before the region
//! (`poly_scop::runtime_check`). As long as the program has written nothing into the table, all its
//! writes go where the model says; so none of them is the first to change the table.
//!
//! To test it, the pointers must be loaded before the region. The original loads the pointer to
//! every row that it accesses: the load dominates the access, runs in every iteration of the loops
//! around it in which the access does, and stands under no condition on data.
//!
//! # Rows that are handed on
//! Optimizers load a pointer once where several iterations need it: `A[i - 1]`, `A[i]` and
//! `A[i + 1]` become one load of `A[i + 1]` and two PHI nodes of the loop. A PHI node that gets row
//! `f(i)` from iteration `i` is row `f(i - 1)` in iteration `i`, if `f(-1)` is the row that the
//! loop begins with. That one may have been loaded before the region, if nothing is written in
//! between.

use std::collections::HashMap;

use indexmap::IndexMap;
use poly_arith::Int;
use poly_presburger::Budget;
use poly_scop::ElementType;
use poly_scop::shape::{Polynomial, Symbol};
use poly_shim::ir::Opcode;
use poly_shim::{BlockRef, ValueRef};

use crate::access::{self, FoundArray, Role, Site};
use crate::affine::{FIRST_QUASI, Translator};
use crate::cfg::{BlockId, LoopIndex};
use crate::domains::Domains;
use crate::loads;
use crate::names;
use crate::reject::{Blocker, RejectKind};
use crate::values::Origins;

/// How often a pointer is handed on.
const MAX_HANDED_ON: usize = 8;
/// How many blocks before the region are looked at.
const MAX_BLOCKS_BEFORE: usize = 8;
/// Elements of tables with more pointers are not looked at as a whole.
const MAX_POINTERS: u32 = 1 << 10;
/// Bytes of a pointer.
const POINTER_BYTES: u32 = 8;

/// What accesses of one array have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Base<'c> {
    /// The base pointer, or that of the table.
    pub(crate) pointer: ValueRef<'c>,
    /// The array consists of the rows of the table.
    pub(crate) has_rows: bool,
}

/// The rows of a region.
#[derive(Debug, Default)]
pub(crate) struct Rows<'c> {
    /// By load of a row: the table and the number.
    known: HashMap<ValueRef<'c>, (ValueRef<'c>, Polynomial)>,
    /// By table the loads from it, with offsets in bytes.
    tables: IndexMap<ValueRef<'c>, Vec<Site<'c>>>,
}

impl<'c> Rows<'c> {
    /// The table and the number of the row to which the pointer leads that is used as a base in the
    /// block.
    pub(crate) fn row(
        &mut self,
        translator: &mut Translator<'_, 'c>,
        domains: &Domains,
        (user, pointer): (BlockId, ValueRef<'c>),
        budget: &mut Budget,
    ) -> Result<(Base<'c>, Option<Polynomial>), Blocker> {
        let around = translator.origins.region.loops_around(translator.origins.cfg, user);
        let (table, number) = self.place(translator, domains, (pointer, &around), 0, budget)?;
        Ok((Base { pointer: table, has_rows: true }, Some(number)))
    }

    /// The same for a pointer that is used inside of these loops.
    fn place(
        &mut self,
        translator: &mut Translator<'_, 'c>,
        domains: &Domains,
        (pointer, around): (ValueRef<'c>, &[LoopIndex]),
        depth: usize,
        budget: &mut Budget,
    ) -> Result<(ValueRef<'c>, Polynomial), Blocker> {
        let origins = translator.origins;
        if depth > MAX_HANDED_ON {
            return Err(access::variant_base(pointer));
        }
        let Some(block) = origins.defining_block(pointer) else {
            let is_same =
                pointer.opcode() == Some(Opcode::Load) && loads::is_simple(pointer) && is_current(origins, pointer);
            return match is_same {
                true => Ok(locate(translator, domains, (origins.region.entry, pointer), budget)?.1),
                false => Err(access::variant_base(pointer)),
            };
        };
        let is_executed = !domains.units.is_inner(block)
            && !origins.is_subregion(block)
            && around.starts_with(&origins.region.loops_around(origins.cfg, block));
        match pointer.opcode() {
            Some(Opcode::Load) if is_executed && loads::is_simple(pointer) => match self.known.get(&pointer) {
                Some(known) => Ok(known.clone()),
                None => {
                    let (site, found) = locate(translator, domains, (block, pointer), budget)?;
                    self.known.insert(pointer, found.clone());
                    self.tables.entry(found.0).or_default().push(site);
                    Ok(found)
                }
            },
            Some(Opcode::Phi) if is_executed => self.handed_on(translator, domains, (block, pointer), depth, budget),
            _ => Err(access::variant_base(pointer)),
        }
    }

    /// The place of a pointer that every iteration of a loop hands on to the next one.
    fn handed_on(
        &mut self,
        translator: &mut Translator<'_, 'c>,
        domains: &Domains,
        (block, phi): (BlockId, ValueRef<'c>),
        depth: usize,
        budget: &mut Budget,
    ) -> Result<(ValueRef<'c>, Polynomial), Blocker> {
        let origins = translator.origins;
        let variant = || access::variant_base(phi);
        let l = origins.cfg.loop_of[block].filter(|&l| origins.cfg.loops[l].header == block).ok_or_else(variant)?;
        let (before, within): (Vec<_>, Vec<_>) = phi
            .incoming()
            .into_iter()
            .partition(|(from, _)| origins.cfg.number(*from).is_none_or(|from| !origins.cfg.loop_contains(l, from)));
        let ([(_, first)], [(_, next)]) = (before.as_slice(), within.as_slice()) else { return Err(variant()) };
        let around = origins.region.loops_around(origins.cfg, block);
        let (outer, counter) = match around.split_last() {
            Some((innermost, outer)) if *innermost == l => (outer, Symbol::Variable(outer.len() as u32)),
            _ => return Err(variant()),
        };
        let place = self.place(translator, domains, (*first, outer), depth + 1, budget);
        let (table, first) = place.map_err(|b| renamed(b, phi))?;
        let place = self.place(translator, domains, (*next, &around), depth + 1, budget);
        let (other, next) = place.map_err(|b| renamed(b, phi))?;
        let before = Polynomial::symbol(counter).sub(&Polynomial::constant(1));
        let number = next.replace(counter, &before);
        let is_plain = |symbol: &Symbol| !matches!(symbol, Symbol::Variable(v) if *v >= FIRST_QUASI);
        let is_same = table == other
            && number.symbols().iter().chain(&first.symbols()).all(is_plain)
            && number.replace(counter, &Polynomial::zero()) == first;
        if is_same { Ok((table, number)) } else { Err(variant()) }
    }

    /// The table as an array of its own, in which no offset wraps around; each of its elements has
    /// the size of so many pointers.
    pub(crate) fn table(
        &self,
        translator: &mut Translator<'_, 'c>,
        (table, pointers): (ValueRef<'c>, u32),
        budget: &mut Budget,
    ) -> Result<FoundArray<'c>, Blocker> {
        let sites = &self.tables[&table];
        access::limit_offsets(translator, table, sites, 1, budget)?;
        let wish = names::source_name(table);
        let wish = if wish.is_empty() { wish } else { format!("{wish}_rows") };
        Ok(FoundArray {
            base: table,
            table: None,
            name: translator.names.unique(&wish, "M"),
            element: ElementType { name: "ptr".into(), bytes: pointers * POINTER_BYTES, float: false },
            extents: Vec::new(),
            instructions: sites.iter().map(|site| site.instruction).collect(),
            is_written: false,
        })
    }
}

/// The same rejection of the pointer that is handed on.
fn renamed(blocker: Blocker, phi: ValueRef<'_>) -> Blocker {
    if blocker.kind == RejectKind::VariantBase { access::variant_base(phi) } else { blocker }
}

/// The load of a row, its table, and the number of the row.
type Located<'c> = (Site<'c>, (ValueRef<'c>, Polynomial));

/// Whether a pointer that was loaded before the region is still in memory when the region begins:
/// it is loaded again there, or nothing has been written since.
fn is_current<'c>(origins: Origins<'_, 'c>, load: ValueRef<'c>) -> bool {
    if origins.loads.contains(load) {
        return true;
    }
    let mut begin = origins.cfg.blocks[origins.region.entry];
    for _ in 0..MAX_BLOCKS_BEFORE {
        let entering: Vec<BlockRef<'c>> = begin.predecessors().into_iter().filter(|b| !origins.is_inside(*b)).collect();
        let [before] = entering.as_slice() else { return false };
        let instructions = before.instructions();
        let position = instructions.iter().position(|i| *i == load);
        if instructions[position.unwrap_or(0)..].iter().any(|i| i.effects().may_write()) {
            return false;
        }
        if position.is_some() {
            return true;
        }
        begin = *before;
    }
    false
}

/// The load of a row as an access of the table, the table, and the number of the row.
fn locate<'c>(
    translator: &mut Translator<'_, 'c>,
    domains: &Domains,
    (block, load): (BlockId, ValueRef<'c>),
    budget: &mut Budget,
) -> Result<Located<'c>, Blocker> {
    let pointer = load.pointer_operand().expect("loads have an address");
    let address = access::address_of(translator, block, load, pointer)?;
    if address.is_row {
        return Err(access::variant_base(load));
    }
    let site = access::locate(translator, domains, block, (&address, Role::Main), budget);
    let site = site.map_err(|blocker| match blocker.kind {
        RejectKind::Complexity => blocker,
        _ => access::variant_base(load),
    })?;
    let number = site.offset.div_int(&Int::from(i64::from(POINTER_BYTES)));
    let number = number.filter(|number| translator.to_function(number, site.loops.len()).is_some());
    let number = number.ok_or_else(|| access::variant_base(load))?;
    Ok((site, (address.base, number)))
}

/// Counts rows by elements of their table: of numbers that are all multiples of one, the quotients;
/// with that number of pointers.
pub(crate) fn count_by_elements(sites: &mut [Site<'_>]) -> u32 {
    let rows = || sites.iter().filter_map(|site| site.row.as_ref());
    let moving = rows().map(|row| row.sub(&Polynomial::constant(row.constant_term())));
    let step = moving.fold(Int::ZERO, |gcd, row| row.terms().fold(gcd, |gcd, (_, factor)| gcd.gcd(factor)));
    // Rows that are always the same ones are not apart in any regular way.
    let is_regular = !step.is_zero();
    let common = rows().fold(step, |gcd, row| gcd.gcd(&row.constant_term())).to_i64().filter(|_| is_regular);
    let pointers = common.and_then(|common| u32::try_from(common).ok());
    let pointers = pointers.filter(|&pointers| (1..=MAX_POINTERS).contains(&pointers)).unwrap_or(1);
    for row in sites.iter_mut().filter_map(|site| site.row.as_mut()) {
        *row = row.div_int(&Int::from(i64::from(pointers))).expect("all terms are multiples");
    }
    pointers
}

/// No table of rows is written under its own name.
pub(crate) fn check_unwritten(arrays: &[FoundArray<'_>]) -> Result<(), Blocker> {
    let tables = || arrays.iter().filter_map(|array| array.table).map(|table| arrays[table].base);
    let is_table = |array: &&FoundArray<'_>| array.table.is_none() && tables().any(|base| base == array.base);
    match arrays.iter().filter(is_table).find(|array| array.is_written) {
        Some(written) => Err(access::variant_base(written.base)),
        None => Ok(()),
    }
}

/// The rejection of an access that may be anywhere in a row.
pub(crate) fn unknown_place(row: ValueRef<'_>) -> Blocker {
    let message = format!(
        "the place of an access in {} is not affine, and other rows change inside the region",
        names::quoted(row)
    );
    Blocker::new(RejectKind::VariantBase, message)
}
