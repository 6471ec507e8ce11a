//! Packing: local copies of what one iteration of outer loops touches of an array.
//!
//! # Problem
//! A block of columns of a matrix stays in a cache while other loops pass over it, but its rows are
//! as far apart as those of the matrix: every row is a page of its own, and one pass over the block
//! needs more pages than the processor knows the addresses of. A single column is a cache line for
//! each element.
//!
//! # Definitions
//! Let `p` be the values of all loops down to some place of the schedule tree. The *footprint* of
//! an array at that place relates `p` to the elements that the statements below touch. A *local
//! buffer* is a box of constant sizes (but for the outermost one, which is a function of the
//! parameters) at an origin that is an affine function of `p` and the parameters, and contains the
//! footprint.
//!
//! # Method
//! 1. [`LocalBuffer::of`] computes the footprint from the access relations and the functions of the
//!    loops, exactly, and looks for the box among the constraints of its simple hull, which hold
//!    for all of the footprint.
//! 2. Lowering decides whether that pays (`lower/packing.rs`) and puts a mark
//!    ([`poly_schedule_tree::Mark::Pack`]) above the place.
//! 3. When the tree is final, [`insert()`] puts statements around what is below the mark: one says
//!    where the local buffer is, one copies what is touched into a temporary array, and one copies
//!    what is written back. In the statements below, the temporary takes the place of the array.
//!    Its elements have the subscripts of the array: code generation subtracts the origin.
//!
//! # Legality
//! That the copies run at the right times is judged with everything else: [`mod@order`] says what
//! they must be ordered with. That they copy the right elements:
//!
//! * All accesses below are to one element each, unconditional, and either reads or certain writes.
//!   So exactly the elements of the footprint are accessed by the original as well, in a part of
//!   the same loops, and copying them reads nothing that the program does not touch; exactly those
//!   that it writes are written back.
//! * No other array shares bytes with one that is written: that is proven or tested at run time
//!   (arrays for which it is neither have no local buffers). Below the place, only the local buffer
//!   is accessed, so it holds what the array would hold.
//! * Two elements of the footprint have different places in the local buffer, as it is in the box.
//! * Threads have local buffers of their own. What depends on each other in loops that they share
//!   is in one iteration, or, in DOACROSS loops, in iterations that wait for each other: below the
//!   point of waiting nothing changes, as a local buffer is filled behind it. Above that point an
//!   array has a local buffer only if no iteration touches what an earlier one writes.
//!
//! Reference: the panels of [GotoVanDeGeijn2008]; copies of tiles after [TemamGranstonJalby1993].

mod insert;
mod order;
mod waits;

use poly_arith::Int;
use poly_machine::Machine;
use poly_presburger::{Aff, BasicMap, Budget, DimKind, Map, Space, Stop, Tuple, UnionPwAff};
use poly_transform::value_map;

pub(crate) use insert::{Inserted, What, insert};
pub(crate) use order::{Order, order};
pub(crate) use waits::waits;

use crate::cost::quotient_map;
use crate::{AccessKind, ArrayId, ArrayKind, InstrKind, Scop, Statement, ValueId};

/// A local buffer.
#[derive(Clone, Debug)]
pub(crate) struct LocalBuffer {
    /// What it is a copy of.
    pub(crate) array: ArrayId,
    /// From the values of the loops around to all elements that are touched.
    pub(crate) touched: Map,
    /// The same for those that are written; `None` if nothing is.
    pub(crate) written: Option<Map>,
    /// Rows over `[const | params | loops around | subscripts]` that are zero at the origin, one
    /// for each subscript.
    pub(crate) origin: Vec<Vec<Int>>,
    /// Size of the outermost dimension.
    pub(crate) rows: Aff,
    /// Sizes of the others.
    pub(crate) sizes: Vec<u64>,
    /// A value of the elements' type.
    pub(crate) value: ValueId,
}

impl LocalBuffer {
    /// The local buffer of an array for one iteration of loops with these functions, with which
    /// these statements are inside, and for the caches of a machine; `None` if there is none.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub(crate) fn of(
        scop: &Scop,
        array: ArrayId,
        statements: &[usize],
        (loops, machine): (&[&UnionPwAff], &Machine),
        budget: &mut Budget,
    ) -> Result<Option<Self>, Stop> {
        let statements: Vec<&Statement> = statements.iter().map(|&s| &scop.statements[s]).collect();
        let Some(value) = value_of(scop, array, &statements) else { return Ok(None) };
        let (mut touched, mut written) = (None, None);
        for statement in statements {
            let Some(place) = place_of(statement, loops) else { return Ok(None) };
            for access in statement.accesses.iter().filter(|a| a.array == array) {
                let elements = access.relation.intersect_domain(&statement.domain).apply_domain(&place);
                let elements = elements.intersect_params(&scop.context).with_exact_params(&scop.context.space().params);
                if access.kind != AccessKind::Read {
                    written = Some(joined(written, &elements));
                }
                touched = Some(joined(touched, &elements));
            }
        }
        let Some(touched) = touched.map(|map: Map| map.coalesce(budget)).transpose()? else { return Ok(None) };
        let written = written.map(|map: Map| map.coalesce(budget)).transpose()?;
        if touched.is_empty(budget)?
            || !touched.has_known_divs()
            || written.as_ref().is_some_and(|w| !w.has_known_divs())
        {
            return Ok(None);
        }
        let Some(found) = enclosing(&touched, budget)? else { return Ok(None) };
        let bytes = u64::from(scop.arrays[array.index()].element.bytes);
        let Box { origin, rows, sizes } =
            found.with_lines(&touched, bytes, (machine.memory.line_bytes, machine.first().way_bytes()));
        Ok(Some(Self { array, touched, written, origin, rows, sizes, value }))
    }

    /// Whether an element is written in one iteration of a loop, given by the number of loops
    /// outside of it, and touched in a later one, with equal values of those outside.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub(crate) fn is_handed_on(&self, first: usize, budget: &mut Budget) -> Result<bool, Stop> {
        let Some(written) = &self.written else { return Ok(false) };
        let pairs = written.apply_range(&self.touched.reverse());
        let later = Map::lex_lt_at(self.touched.domain().space(), first);
        Ok(!pairs.intersect(&later).is_empty(budget)?)
    }
}

fn joined(all: Option<Map>, next: &Map) -> Map {
    all.map_or_else(|| next.clone(), |all| all.union(next))
}

/// A value of the elements' type, if the accesses of the statements are such that a copy can take
/// the place of the array.
fn value_of(scop: &Scop, id: ArrayId, statements: &[&Statement]) -> Option<ValueId> {
    let array = &scop.arrays[id.index()];
    let is_hoisted = scop.loads.iter().any(|load| load.array == id);
    let is_plain = matches!(array.kind, ArrayKind::Memory { .. }) && !array.element.is_mixed() && array.rank >= 2;
    if !is_plain || is_hoisted || scop.rows_of(id).is_some() || scop.is_unchecked(id) {
        return None;
    }
    let mut value = None;
    for statement in statements {
        for (number, access) in statement.accesses.iter().enumerate().filter(|(_, a)| a.array == id) {
            let is_certain = access.kind != AccessKind::MayWrite && !statement.is_conditional(number.into());
            if !access.exact || !is_certain {
                return None;
            }
            let read = |i: &&crate::Instr| i.kind == InstrKind::Read(number.into());
            value = value.or(statement.body.iter().find(read).map(|instr| instr.value));
        }
    }
    value
}

/// From the instances of a statement to the values of loops.
pub(crate) fn place_of(statement: &Statement, loops: &[&UnionPwAff]) -> Option<Map> {
    let mut place: Option<Map> = None;
    for function in loops {
        let function = function.get_named(&statement.name)?;
        let value = quotient_map(function).unwrap_or_else(|| value_map(function));
        place = Some(match place {
            Some(place) => place.flat_range_product(&value),
            None => value,
        });
    }
    place
}

/// A box around the elements that a relation has for each of its sources.
struct Box {
    origin: Vec<Vec<Int>>,
    rows: Aff,
    sizes: Vec<u64>,
}

/// The smallest box among the constraints of the hull.
fn enclosing(touched: &Map, budget: &mut Budget) -> Result<Option<Box>, Stop> {
    let hull = touched.clone().simple_hull(budget)?;
    let space = touched.space();
    let (mut origin, mut rows, mut sizes) = (Vec::new(), None, Vec::new());
    for subscript in 0..space.dim(DimKind::Out) {
        let Some((lower, distance)) = narrowest(&hull, subscript) else { return Ok(None) };
        let params = 1 + space.dim(DimKind::Param);
        if subscript == 0 {
            let mut size = distance[..params].to_vec();
            size[0] += &Int::ONE;
            rows = Some(Aff::from_row(space.params_space(), size, Int::ONE));
        } else {
            let Some(size) = distance[0].to_i64().and_then(|d| u64::try_from(d + 1).ok()) else { return Ok(None) };
            sizes.push(size);
        }
        origin.push(lower);
    }
    Ok(rows.map(|rows| Box { origin, rows, sizes }))
}

/// The lower bound of a subscript, and the distance of the upper one from it, for which that is
/// smallest: a constant, of the outermost subscript perhaps a function of the parameters.
fn narrowest(hull: &BasicMap, subscript: usize) -> Option<(Vec<Int>, Vec<Int>)> {
    let (first, all) = (hull.offset(DimKind::Out), hull.offset(DimKind::Out) + hull.dim(DimKind::Out));
    let own = first + subscript;
    let is_alone = |row: &Vec<Int>| (first..row.len()).all(|column| column == own || row[column].is_zero());
    let opposite = |row: &[Int]| row.iter().map(|x| -x).collect::<Vec<Int>>();
    let rows = hull.ineqs().iter().map(|row| row.to_vec());
    let rows = rows.chain(hull.eqs().iter().flat_map(|row| [row.to_vec(), opposite(row)]));
    let rows: Vec<Vec<Int>> = rows.filter(is_alone).map(|row| row[..all].to_vec()).collect();
    let of = |sign: Int| rows.iter().filter(move |row| row[own] == sign);
    let mut best: Option<(Vec<Int>, Vec<Int>)> = None;
    for lower in of(Int::ONE) {
        for upper in of(Int::NEG_ONE) {
            let distance: Vec<Int> = lower.iter().zip(upper).map(|(a, b)| a + b).collect();
            let fixed = if subscript == 0 { 1 + hull.dim(DimKind::Param) } else { 1 };
            if distance[fixed..].iter().any(|x| !x.is_zero()) {
                continue;
            }
            let terms = |distance: &[Int]| distance[1..].iter().filter(|x| !x.is_zero()).count();
            let key = |distance: &[Int]| (terms(distance), distance[0].clone());
            if best.as_ref().is_none_or(|(_, known)| key(&distance) < key(known)) {
                best = Some((lower.clone(), distance));
            }
        }
    }
    best
}

impl Box {
    /// A larger box in which elements begin lines that do so in the array, if the first ones of
    /// rows do, and in which rows do not all lie in the same places of a cache, as those do that
    /// are a way apart.
    fn with_lines(mut self, touched: &Map, bytes: u64, (line, way): (u64, u64)) -> Self {
        let (Some(row), Some(last)) = (self.origin.last_mut(), self.sizes.last_mut()) else { return self };
        if bytes == 0 || !line.is_multiple_of(bytes) || *last * bytes < line {
            return self;
        }
        let line = line / bytes;
        let subscripts = touched.space().offset(DimKind::Out);
        let elements = Int::from(line);
        if row[1..subscripts].iter().all(|x| x.is_divisible_by(&elements)) {
            // The origin is what has to be added to the subscript to make zero.
            let before = (-&row[0]).mod_floor(&elements);
            row[0] += &before;
            *last += before.to_i64().and_then(|before| u64::try_from(before).ok()).unwrap_or(0);
        }
        *last = last.next_multiple_of(line);
        if (*last * bytes).is_multiple_of(way) {
            *last += line;
        }
        self
    }
}

/// The space of instances that are named by the values of loops and by subscripts.
fn instances(buffer: &LocalBuffer, name: &str) -> Space {
    let space = buffer.touched.space();
    let dims = space.dim(DimKind::In) + space.dim(DimKind::Out);
    Space::set(space.params.clone(), Tuple::named(name, dims))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn box_of(touched: &str) -> Option<(String, Vec<u64>)> {
        let touched: Map = touched.parse().expect("the relation can be read");
        let found = enclosing(&touched, &mut Budget::unlimited()).expect("no limit");
        found.map(|found| (found.rows.to_string(), found.sizes))
    }

    #[test]
    fn boxes_are_as_large_as_blocks() {
        let block = "[m] -> { [b] -> A[i, j] : 0 <= i < m and 64b <= j <= 64b + 63 and 0 <= j <= 1199 }";
        assert_eq!(box_of(block), Some(("[m] -> { [(m)] }".to_owned(), vec![64])));
        let column = "{ [b, k] -> A[i, k] : 0 <= i <= 99 and 8b <= k }";
        assert_eq!(box_of(column), Some(("{ [(100)] }".to_owned(), vec![1])));
        let short = "{ [b] -> A[i, j] : 0 <= i <= 9 and 64b <= j <= 64b + 63 and 0 <= j <= 15 }";
        assert_eq!(box_of(short), Some(("{ [(10)] }".to_owned(), vec![16])));
        // As many columns as there are iterations before.
        assert_eq!(box_of("{ [b] -> A[i, j] : 0 <= i <= 9 and 0 <= j <= b }"), None);
        assert_eq!(box_of("[n] -> { [b] -> A[i, j] : 0 <= i <= 9 and 0 <= j < n }"), None);
    }

    #[test]
    fn rows_begin_with_lines() {
        let lines = |touched: &str| {
            let touched: Map = touched.parse().expect("the relation can be read");
            let found = enclosing(&touched, &mut Budget::unlimited()).expect("no limit").expect("there is a box");
            let found = found.with_lines(&touched, 8, (64, 4096));
            (found.origin.last().expect("there is a subscript")[0].to_i64(), found.sizes)
        };
        let block = |first: i64, size: i64| {
            format!("{{ [b] -> A[i, j] : 0 <= i <= 9 and 64b + {first} <= j < 64b + {} }}", first + size)
        };
        assert_eq!(lines(&block(0, 64)), (Some(0), vec![64]));
        // From 64b - 8 on.
        assert_eq!(lines(&block(-1, 65)), (Some(8), vec![72]));
        assert_eq!(lines(&block(9, 61)), (Some(-8), vec![64]));
        assert_eq!(lines(&block(5, 1)), (Some(-5), vec![1]));
        assert_eq!(lines(&block(0, 512)), (Some(0), vec![520]));
        assert_eq!(lines("{ [b] -> A[i, j] : 0 <= i <= 9 and 5b - 1 <= j <= 5b + 8 }"), (Some(1), vec![16]));
    }

    #[test]
    fn what_an_earlier_iteration_writes_is_handed_on() {
        let map = |text: &str| -> Map { text.parse().expect("the relation can be read") };
        let is_handed_on = |touched: &str, written: Option<&str>, first: usize| {
            let touched = map(touched);
            let rows = Aff::constant(touched.space().params_space(), 10);
            let buffer = LocalBuffer {
                array: ArrayId::from(0),
                written: written.map(map),
                origin: Vec::new(),
                rows,
                sizes: vec![16],
                value: ValueId(0),
                touched,
            };
            buffer.is_handed_on(first, &mut Budget::unlimited()).expect("no limit")
        };
        let own = "{ [b] -> A[i, j] : 0 <= i <= 9 and 16b <= j <= 16b + 15 }";
        let with_last = "{ [b] -> A[i, j] : 0 <= i <= 9 and 16b - 1 <= j <= 16b + 15 }";
        let with_next = "{ [b] -> A[i, j] : 0 <= i <= 9 and 16b <= j <= 16b + 16 }";
        assert!(is_handed_on(with_last, Some(own), 0));
        assert!(!is_handed_on(own, Some(own), 0));
        assert!(!is_handed_on(with_last, None, 0));
        assert!(!is_handed_on(with_next, Some(own), 0), "the next iteration writes later");
        let rows = "{ [t, b] -> A[i, j] : i = t and 16b - 1 <= j <= 16b + 15 }";
        assert!(is_handed_on(rows, Some(rows), 1));
        assert!(!is_handed_on(rows, Some(rows), 0), "every iteration has a row of its own");
    }
}
