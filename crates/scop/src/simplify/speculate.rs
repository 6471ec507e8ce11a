//! Reads that data decide about become reads that always happen, where other instances read the
//! element anyway.
//!
//! # Problem
//! In `r[i][j] = r[i][j] || (r[i][k] && r[k][j])` the language asks for two branches. A statement
//! with branches that depend on data is executed point by point: no vectors are made of a load that
//! may not happen, since its address might be none. But every element of `r` is read, or written,
//! by some instance that no data decide about; so all of the addresses are good, and the loads may
//! happen everywhere.
//!
//! # Definitions
//! An access is *certain* if it is exact and its instruction has no predicate: every instance of
//! its domain executes it. A *group* is the instructions of a statement with one predicate.
//!
//! # Method
//! 1. By array: the elements of all certain accesses.
//! 2. A group loses its predicate if it consists of exact reads of memory whose elements, over the
//!    whole domain, are all among these, and of operations that may be executed where the original
//!    does not execute them. Groups with anything else stay whole: their branch stays, too.
//!
//! # Why it is right
//! The new code executes all instances of all statements, so a certain access of an element is
//! executed in every run of it, and nothing in the SCoP allocates or frees memory: the element is
//! there, whenever it is read. What is read where the predicate is false is chosen by nobody
//! ([`InstrKind::Choose`] and the other kinds that combine truth values ask nothing of values that
//! were not computed). What metadata of the load promise about its value holds only where the
//! predicate is true: code generation leaves it out
//! ([`Access::speculated`](crate::Access::speculated)). Local arrays are left alone, whose elements
//! exist between marks only; temporaries are there as a whole while the new code runs.

use std::collections::BTreeMap;

use poly_presburger::{Budget, DimKind, Map, MultiAff, PwAff, Set, Space, Stop};

use crate::{Access, AccessId, Array, ArrayId, ArrayKind, Instr, InstrKind, Scop, Statement, ValueId};

/// What is known to be there beside the elements that are accessed for certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Nothing.
    Elements,
    /// What lies between them, or between them and the base pointer.
    Objects,
}

/// What may be read everywhere.
struct Certain {
    /// By array of memory the elements.
    elements: BTreeMap<ArrayId, Set>,
    /// The parameters for which this is asked, if not all: those for which the model is true.
    valid: Option<Set>,
}

/// Takes predicates from reads as described.
///
/// # Errors
/// [`Stop`] when the budget runs out; the SCoP may then have lost some predicates, all of them
/// rightly.
pub fn speculate(scop: &mut Scop, reach: Reach, budget: &mut Budget) -> Result<(), Stop> {
    if !scop.statements.iter().any(|s| s.body.iter().any(|instr| instr.predicate.is_some())) {
        return Ok(());
    }
    let mut certain = Certain { elements: certain_elements(scop, |_| true, budget)?, valid: None };
    add_temporaries(scop, &mut certain.elements);
    if reach == Reach::Objects && !scop.sanitized {
        add_objects(scop, &mut certain.elements, budget)?;
        certain.valid = Some(scop.assumptions.iter().fold(scop.context.clone(), |all, a| all.intersect(&a.holds)));
    }
    for index in 0..scop.statements.len() {
        for predicate in predicates(&scop.statements[index]) {
            let statement = &scop.statements[index];
            let group = || statement.body.iter().filter(|instr| instr.predicate == Some(predicate));
            let mut may_lose = true;
            for instr in group() {
                may_lose = may_lose && is_harmless(instr, statement, &certain, budget)?;
            }
            if may_lose {
                release(&mut scop.statements[index], predicate);
            }
        }
    }
    Ok(())
}

/// The elements of an array that may be read before the region as well, where the model is true:
/// what is accessed whatever the data are, and what belongs to one object with it. `None` if there
/// are none.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(super) fn readable(scop: &Scop, array: ArrayId, budget: &mut Budget) -> Result<Option<Set>, Stop> {
    let mut elements = certain_elements(scop, |access| access.array == array, budget)?;
    if !scop.sanitized {
        add_objects(scop, &mut elements, budget)?;
    }
    Ok(elements.remove(&array))
}

/// The predicates of a statement, in the order of their first use.
fn predicates(statement: &Statement) -> Vec<ValueId> {
    let mut result = Vec::new();
    for predicate in statement.body.iter().filter_map(|instr| instr.predicate) {
        if !result.contains(&predicate) {
            result.push(predicate);
        }
    }
    result
}

/// By array of memory: the elements that accesses of a kind access whatever the data are.
fn certain_elements(
    scop: &Scop,
    is_of_kind: impl Fn(&Access) -> bool,
    budget: &mut Budget,
) -> Result<BTreeMap<ArrayId, Set>, Stop> {
    let mut result: BTreeMap<ArrayId, Set> = BTreeMap::new();
    for statement in &scop.statements {
        for instr in statement.body.iter().filter(|instr| instr.predicate.is_none()) {
            let (InstrKind::Read(id) | InstrKind::Write(id)) = instr.kind else { continue };
            let access = &statement.accesses[id.index()];
            if !access.exact || !is_lasting(scop, access.array) || !is_of_kind(access) {
                continue;
            }
            let elements = elements(statement, access);
            let known = match result.get(&access.array) {
                Some(known) => known.union(&elements).coalesce(budget)?,
                None => elements,
            };
            result.insert(access.array, known);
        }
    }
    Ok(result)
}

/// Adds what lies between the elements of an array, or between them and its base, where the model
/// is true.
fn add_objects(scop: &Scop, certain: &mut BTreeMap<ArrayId, Set>, budget: &mut Budget) -> Result<(), Stop> {
    let from_base = certain_elements(scop, |access| access.from_base, budget)?;
    for (id, known) in certain {
        let array = &scop.arrays[id.index()];
        let inside = in_extents(array, known.space());
        let origins = from_base.get(id).map(|from_base| from_base.intersect(&inside).apply(&to_origin(array, known)));
        let ends = origins.iter().fold(known.intersect(&inside), |ends, origins| ends.union(origins));
        let ends = ends.coalesce(budget)?;
        let order = Map::lex_le(known.space());
        let order = if array.row_subscripts() > 0 {
            order.intersect(&Map::equal_prefix(known.space(), array.row_subscripts()))
        } else {
            order
        };
        let (behind, before) = (ends.apply(&order), ends.apply(&order.reverse()));
        let between = behind.intersect(&before).intersect(&inside).coalesce(budget)?;
        *known = known.union(&between).coalesce(budget)?;
    }
    Ok(())
}

/// Adds temporaries: all of them is there while the new code runs. What nobody has written is
/// chosen by nobody, either.
fn add_temporaries(scop: &Scop, certain: &mut BTreeMap<ArrayId, Set>) {
    for statement in &scop.statements {
        for access in &statement.accesses {
            let array = &scop.arrays[access.array.index()];
            let ArrayKind::Temporary { rows, .. } = &array.kind else { continue };
            let own = elements(statement, access);
            let space = own.space();
            let row = PwAff::var(space.clone(), DimKind::Out, 0);
            let rows = PwAff::from_aff(rows.clone()).pullback(&MultiAff::projection(space, 0, 0));
            let there = in_extents(array, space).intersect(&row.ge_set(&PwAff::constant(space.clone(), 0)));
            certain.entry(access.array).or_insert_with(|| there.intersect(&row.lt_set(&rows)));
        }
    }
}

/// The elements of which inner subscripts lie within their extents.
fn in_extents(array: &Array, space: &Space) -> Set {
    let zero = PwAff::constant(space.clone(), 0);
    let first = array.row_subscripts() + 1;
    let mut result = Set::universe(space.clone());
    for (k, extent) in array.extents.iter().enumerate() {
        let subscript = PwAff::var(space.clone(), DimKind::Out, first + k);
        let extent = PwAff::from_aff(extent.clone()).pullback(&MultiAff::projection(space, 0, 0));
        result = result.intersect(&subscript.ge_set(&zero)).intersect(&subscript.lt_set(&extent));
    }
    result
}

/// From an element to the one at the base pointer: of its row, or of the array.
fn to_origin(array: &Array, elements: &Set) -> Map {
    let rows = array.row_subscripts();
    let map = Map::equal_prefix(elements.space(), rows);
    (rows..array.rank).fold(map, |map, dimension| map.fix(DimKind::Out, dimension, 0))
}

/// Memory of the program that is there before and after the SCoP.
fn is_lasting(scop: &Scop, array: ArrayId) -> bool {
    let array = &scop.arrays[array.index()];
    matches!(array.kind, ArrayKind::Memory { .. } | ArrayKind::Rows { .. }) && !array.local
}

fn elements(statement: &Statement, access: &Access) -> Set {
    access.relation.intersect_domain(&statement.domain).range()
}

/// Whether an instruction may be executed where its predicate is false.
fn is_harmless(instr: &Instr, statement: &Statement, certain: &Certain, budget: &mut Budget) -> Result<bool, Stop> {
    match &instr.kind {
        InstrKind::Read(id) => {
            let access = &statement.accesses[id.index()];
            match certain.elements.get(&access.array) {
                Some(known) if access.exact => {
                    let elements = elements(statement, access);
                    let elements = certain.valid.iter().fold(elements, |all, valid| all.intersect_params(valid));
                    elements.is_subset(known, budget)
                }
                _ => Ok(false),
            }
        }
        InstrKind::Compute { speculatable, errno, .. } => Ok(*speculatable && errno.is_none()),
        InstrKind::Holds { .. } | InstrKind::Any | InstrKind::Matches { .. } | InstrKind::Choose => Ok(true),
        InstrKind::Combine(_) | InstrKind::Neutral(_) | InstrKind::Counter(_) | InstrKind::Within { .. } => Ok(true),
        InstrKind::Write(_) | InstrKind::Loop { .. } | InstrKind::Result | InstrKind::Stop { .. } => Ok(false),
    }
}

/// Takes the predicate from its group.
fn release(statement: &mut Statement, predicate: ValueId) {
    let mut reads: Vec<AccessId> = Vec::new();
    for instr in statement.body.iter_mut().filter(|instr| instr.predicate == Some(predicate)) {
        instr.predicate = None;
        if let InstrKind::Read(access) = instr.kind {
            reads.push(access);
        }
    }
    for access in reads {
        statement.accesses[access.index()].speculated = true;
    }
}
