//! Arrays of structures, with an array for each field while the new code runs.
//!
//! # Problem
//! In an array of structures, neighbouring elements of a field are as far apart as a structure is
//! long: `A[2 (i n + k)]` and `A[2 (i n + k) + 1]` are parts of complex numbers. No loop over them
//! is vector code, and no register tile has them as rows or columns. Where each element is used
//! many times, as in products of complex matrices, it pays to have the fields one by one.
//!
//! # Definitions
//! The *period* of an array is the greatest number that the coefficients of the last subscript of
//! all its accesses are multiples of. The constant of a subscript modulo the period is its *field*.
//! No access touches elements of two fields.
//!
//! # Method
//! The layout transformation of [AndersonAmarasingheLam1995]: the last dimension is strip-mined by
//! the period, and the inner part becomes the outermost dimension; here an array of its own for
//! each value of it that occurs. `A[e, p x + f]` becomes `A_f[e, x]`, a temporary. It is filled
//! before everything else with the elements that are read, if some are read before they are
//! written, and what is written goes back after everything else. That is right, as
//!
//! 1. all accesses of the array are exact and happen whatever the data are: what is filled is
//!    there, what goes back has been written, and is what the last write has left;
//! 2. what is filled is read in the program, and nothing but the accesses of the region touches the
//!    array meanwhile, by the run-time check of the SCoP before;
//! 3. a store of an element writes all of its bytes.
//!
//! Whether that pays is not decided here: the driver compares the best schedules with and without.
//! Arrays are left alone whose elements no statement uses again: it has no more loops than the
//! array has dimensions.

use poly_arith::Int;
use poly_presburger::{Aff, BasicMap, Budget, DimKind, Map, Set, Space, Stop, Tuple};

use super::expand::{reads_what_was_before, size};
use super::flow::Session;
use crate::elements::subscript;
use crate::{
    Access, AccessId, AccessKind, Array, ArrayId, ArrayKind, Instr, InstrKind, LoopId, Operand, OperandKind, Scop,
    Statement, ValueId,
};

/// Most convex sets of elements of a field.
const MAX_PIECES: usize = 4;

/// The SCoP with all arrays split for which that is right; `None` if there is none.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn apart(scop: &Scop, budget: &mut Budget) -> Result<Option<Scop>, Stop> {
    let mut wanted: Vec<(ArrayId, Int)> = Vec::new();
    for array in (0..scop.arrays.len()).map(ArrayId::from) {
        if let Some(period) = period(scop, array) {
            wanted.push((array, period));
        }
    }
    if wanted.is_empty() {
        return Ok(None);
    }
    let flow = Session::default().analyse(scop, budget)?;
    let mut split = Split { scop: scop.clone(), before: Vec::new(), after: Vec::new() };
    for (array, period) in &wanted {
        let is_read = reads_what_was_before(&flow, &users(scop, *array), *array, budget)?;
        if !split.array(scop, (*array, period), is_read, budget)? {
            return Ok(None);
        }
    }
    Ok(Some(split.finished()))
}

fn users(scop: &Scop, array: ArrayId) -> Vec<&Statement> {
    scop.statements.iter().filter(|s| s.accesses.iter().any(|a| a.array == array)).collect()
}

fn accesses(scop: &Scop, array: ArrayId) -> impl Iterator<Item = (&Statement, &Access)> {
    scop.statements.iter().flat_map(move |s| s.accesses.iter().filter(move |a| a.array == array).map(move |a| (s, a)))
}

/// The period of an array that may be split, and is used again.
fn period(scop: &Scop, id: ArrayId) -> Option<Int> {
    let array = &scop.arrays[id.index()];
    let is_hoisted = scop.loads.iter().any(|load| load.array == id);
    let is_plain = matches!(array.kind, ArrayKind::Memory { .. }) && !array.local && array.rank > 0;
    if !is_plain
        || is_hoisted
        || !array.element.has_no_padding()
        || array.element.is_mixed()
        || scop.rows_of(id).is_some()
        || scop.is_unchecked(id)
    {
        return None;
    }
    if scop.statements.iter().any(|statement| is_read_under_conditions(statement, id)) {
        return None;
    }
    let mut common = Int::ZERO;
    for (_, access) in accesses(scop, id) {
        let [relation] = access.relation.basics() else { return None };
        if !access.exact || access.kind == AccessKind::MayWrite {
            return None;
        }
        common = common.gcd(&subscript(relation, array.rank - 1)?.0);
    }
    let is_used_again = accesses(scop, id).any(|(statement, _)| statement.loops.len() > array.rank);
    (is_used_again && common > Int::ONE).then_some(common)
}

/// Whether data decide about a read: nobody knows then whether all elements are there.
fn is_read_under_conditions(statement: &Statement, array: ArrayId) -> bool {
    let mut conditional = statement.body.iter().filter(|instr| instr.predicate.is_some());
    conditional.any(|instr| match instr.kind {
        InstrKind::Read(access) => statement.accesses[access.index()].array == array,
        _ => false,
    })
}

/// A SCoP whose arrays are being split.
struct Split {
    scop: Scop,
    /// What fills the fields, and what brings them back.
    before: Vec<Statement>,
    after: Vec<Statement>,
}

/// What is copied of a field.
struct Copied<'a> {
    array: &'a Array,
    field: &'a Array,
    /// From the field to the array.
    origin: &'a Map,
    /// From array to array.
    from: ArrayId,
    to: ArrayId,
    value: ValueId,
}

impl Split {
    /// Splits an array; false if some field has elements that are no few convex sets, or whose
    /// bounds are no affine functions of the parameters.
    fn array(
        &mut self,
        scop: &Scop,
        (id, period): (ArrayId, &Int),
        is_read: bool,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        let array = &scop.arrays[id.index()];
        let field_of = |access: &Access| {
            let subscript = access.relation.basics().first().and_then(|relation| subscript(relation, array.rank - 1));
            subscript.map(|(_, constant)| constant.mod_floor(period))
        };
        let mut fields: Vec<Int> = accesses(scop, id).filter_map(|(_, access)| field_of(access)).collect();
        fields.sort();
        fields.dedup();
        for (number, field) in fields.iter().enumerate() {
            let of_field = || accesses(scop, id).filter(|(_, access)| field_of(access).as_ref() == Some(field));
            let name = format!("F{number}_{}", array.name);
            let origin = origin(scop, array, (&name, field, period));
            let mut sets: [Option<Set>; 2] = [None, None];
            let mut touched: Vec<Set> = Vec::new();
            for (statement, access) in of_field() {
                let domain = statement.domain.intersect_params(&scop.context);
                let elements = access.relation.align_params(domain.space()).intersect_domain(&domain).range();
                let elements = elements.apply(&origin.reverse());
                let set = &mut sets[usize::from(access.kind != AccessKind::Read)];
                *set = Some(set.take().map_or(elements.clone(), |known| known.union(&elements)));
                touched.push(elements.set_tuple(Tuple::anonymous(array.rank)));
            }
            let Some(mut sizes) = sizes(&touched, array.rank, budget)? else { return Ok(false) };
            let [read, written] = sets;
            let Some(read) = pieces(read.filter(|_| is_read), budget)? else { return Ok(false) };
            let Some(written) = pieces(written, budget)? else { return Ok(false) };
            let value = of_field().find(|(_, access)| access.kind == AccessKind::Read).or_else(|| of_field().next());
            let Some((_, Access { value, .. })) = value else { return Ok(false) };
            let kind = ArrayKind::Temporary {
                value: *value,
                rows: sizes.remove(0),
                result: None,
                begins_with: None,
                in_use: None,
            };
            let element = array.element.clone();
            let new = Array { name, kind, element, extents: sizes, rank: array.rank, local: true };
            let to = ArrayId::from(self.scop.arrays.len());
            let copied = Copied { array, field: &new, origin: &origin, from: id, to, value: *value };
            for elements in &read {
                self.before.push(copied.statement(elements, self.before.len()));
            }
            for elements in &written {
                self.after.push(copied.statement_back(elements, self.after.len()));
            }
            self.redirect((id, to), &|access| field_of(access).as_ref() == Some(field), &origin);
            self.scop.arrays.push(new);
        }
        Ok(true)
    }

    /// Makes all statements access the field.
    fn redirect(&mut self, (from, to): (ArrayId, ArrayId), is_of_field: &dyn Fn(&Access) -> bool, origin: &Map) {
        for access in self.scop.statements.iter_mut().flat_map(|s| &mut s.accesses) {
            if access.array == from && is_of_field(access) {
                let relation = access.relation.align_params(origin.space());
                access.relation = relation.apply_range(&origin.align_params(relation.space()).reverse());
                access.array = to;
            }
        }
    }

    /// The SCoP with the copies before and behind all other statements.
    fn finished(mut self) -> Scop {
        let first = self.before.len();
        for statement in &mut self.scop.statements {
            statement.position[0] += first;
        }
        let last = self.scop.statements.iter().map(|s| s.position[0] + 1).max().unwrap_or(0);
        let copies = self.before.into_iter().enumerate();
        let copies = copies.chain(self.after.into_iter().enumerate().map(|(number, s)| (last + number, s)));
        for (place, mut statement) in copies {
            statement.position[0] = place;
            self.scop.statements.push(statement);
        }
        self.scop
    }
}

impl Copied<'_> {
    /// What copies elements of the array to the field.
    fn statement(&self, elements: &Set, number: usize) -> Statement {
        let name = format!("Gather{number}");
        self.copy(name, elements, [(self.from, true), (self.to, false)])
    }

    /// What copies elements of the field to the array.
    fn statement_back(&self, elements: &Set, number: usize) -> Statement {
        let name = format!("Scatter{number}");
        self.copy(name, elements, [(self.to, false), (self.from, true)])
    }

    fn copy(&self, name: String, elements: &Set, [from, to]: [(ArrayId, bool); 2]) -> Statement {
        let rank = self.field.rank;
        let domain = elements.set_tuple(Tuple::named(&*name, rank));
        let identity = identity(&domain, &name, self.field);
        let relation = |is_array: bool| match is_array {
            true => {
                let origin = self.origin.align_params(identity.space());
                identity.apply_range(&origin).set_tuple(DimKind::Out, Tuple::named(&*self.array.name, rank))
            }
            false => identity.clone(),
        };
        let access = |(array, is_array): (ArrayId, bool), kind: AccessKind| Access {
            kind,
            array,
            relation: relation(is_array),
            exact: true,
            // What the program's load promises is for the elements of that load.
            speculated: kind == AccessKind::Read,
            demoted: false,
            from_base: false,
            value: self.value,
            place: None,
        };
        let local = Operand { value: self.value, kind: OperandKind::Local };
        let instr = |kind, operands| Instr { kind, value: self.value, operands, predicate: None };
        let accesses = vec![access(from, AccessKind::Read), access(to, AccessKind::MustWrite)];
        let body =
            vec![instr(InstrKind::Read(AccessId(0)), Vec::new()), instr(InstrKind::Write(AccessId(1)), vec![local])];
        // None of the loops of the source: nothing is computed from their counters.
        let loops = vec![LoopId(0); rank];
        Statement { name, domain, loops, position: vec![0; rank + 1], accesses, body, place: None }
    }
}

/// `{ F[e, x] -> A[e, period x + field] }`.
fn origin(scop: &Scop, array: &Array, (name, field, period): (&str, &Int, &Int)) -> Map {
    let params = scop.context.space().params.clone();
    let (first, rank) = (1 + params.len(), array.rank);
    let space = Space::map(params, Tuple::named(name, rank), Tuple::named(&*array.name, rank));
    let mut basic = BasicMap::universe(space);
    for dimension in 0..rank {
        let is_last = dimension + 1 == rank;
        let mut row = vec![Int::ZERO; first + 2 * rank];
        row[0] = if is_last { field.clone() } else { Int::ZERO };
        row[first + dimension] = if is_last { period.clone() } else { Int::ONE };
        row[first + rank + dimension] = Int::NEG_ONE;
        basic.add_eq(row);
    }
    Map::from_basic(basic)
}

/// `{ Copy[e] -> F[e] }`.
fn identity(domain: &Set, name: &str, field: &Array) -> Map {
    let (copy, field_tuple) = (Tuple::named(name, field.rank), Tuple::named(&*field.name, field.rank));
    let space = Space::map(domain.space().params.clone(), copy, field_tuple);
    (0..field.rank).fold(Map::universe(space), |map, d| map.equate(DimKind::In, d, DimKind::Out, d))
}

/// The convex sets that a set consists of; `None` if they are too many, or not only bounds. An
/// element that is in two of them is copied twice.
fn pieces(set: Option<Set>, budget: &mut Budget) -> Result<Option<Vec<Set>>, Stop> {
    let Some(set) = set else { return Ok(Some(Vec::new())) };
    let set = set.coalesce(budget)?;
    let hull = Set::from_map(Map::from_basic(set.as_map().clone().simple_hull(budget)?));
    let set = if hull.is_subset(&set, budget)? { hull } else { set };
    let is_plain = set.basics().len() <= MAX_PIECES && set.basics().iter().all(|piece| piece.n_div() == 0);
    Ok(is_plain.then(|| set.basics().iter().map(|piece| Set::from_map(Map::from_basic(piece.clone()))).collect()))
}

/// The sizes of the smallest box at the origin around some sets; `None` if they are no affine
/// functions of the parameters.
fn sizes(touched: &[Set], rank: usize, budget: &mut Budget) -> Result<Option<Vec<Aff>>, Stop> {
    let mut sizes = Vec::new();
    for dimension in 0..rank {
        for set in touched {
            let mut below = vec![Int::ZERO; 1 + set.space().n_var()];
            below[set.space().offset(DimKind::Out) + dimension] = Int::NEG_ONE;
            below[0] = Int::NEG_ONE;
            if !set.with_ineq(below).is_empty(budget)? {
                return Ok(None);
            }
        }
        match size(touched, dimension, budget)? {
            Some(size) => sizes.push(size),
            None => return Ok(None),
        }
    }
    Ok(Some(sizes))
}
