//! Cells that are used again on a rank.
//!
//! # Problem
//! A system keeps every value: a loop over time steps has all of them. Most are dead after a few
//! tiles.
//!
//! # Method
//! A value is live from the tile that computes it to the last tile, of any rank, that reads it, in
//! the order of places. Values that are live in one tile at once have different cells. Nothing is
//! used again inside of a tile, whose values are sent when all of it is done, and whose threads
//! have no order.
//!
//! That is right on every rank. A rank does its tiles in the order of places, and writes what comes
//! with a message into its cells right before a tile that reads of it. This is behind the rank's
//! last tile, and behind the place of the tile that has sent it. So a value is never live on a rank
//! where it is not live in the order of all tiles.
//!
//! The numbers of tiles would have divisions; the loops that are cut are compared instead, as far
//! apart as two tiles may be ([`Progress::Coarse`]). This finds more values in conflict, which is
//! safe.
//!
//! Moduli that are numbers become powers of two, which need no division, and rows stay whole: the
//! last subscript goes through memory.

use poly_arith::Int;
use poly_presburger::{Budget, Map, MultiAff, PwAff, Space, Stop, Tuple};
use poly_storage::{Order, Progress, Ties};

use super::blocks::{Blocks, Entry};
use crate::memory::{self, Storage};
use crate::pieces::Pieces;
use crate::program::{Role, System};

/// Where the values of a system are kept on a rank.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(crate) fn cells(pieces: &Pieces, blocks: &Blocks, budget: &mut Budget) -> Result<Vec<Storage>, Stop> {
    let mut all = memory::full(&pieces.system, budget)?;
    let numbers: Vec<Number> = (0..blocks.length).map(|k| Number::of(blocks, k)).collect();
    let times: Vec<Option<Map>> = (0..pieces.statements.len()).map(|s| time(pieces, blocks, s, &numbers)).collect();
    let dimensions = numbers.iter().map(|number| number.progress).collect();
    let order = Order { dimensions, ties: Ties::Unordered };
    memory::contract(pieces, &times, &order, &mut all, budget);
    for storage in &mut all {
        if let Some(row) = storage.moduli.last_mut() {
            *row = None;
        }
        for modulus in storage.moduli.iter_mut().flatten() {
            *modulus = rounded(&pieces.system, modulus, budget)?;
        }
    }
    Ok(all)
}

/// How the numbers at one position of places are compared.
#[derive(Clone, Copy)]
struct Number {
    progress: Progress,
    /// What values that are no tiles are multiplied by, so that different ones do not seem to be in
    /// one tile.
    scale: i64,
}

impl Number {
    fn of(blocks: &Blocks, k: usize) -> Self {
        let (mut equal, mut later) = (0, 1);
        for block in &blocks.all {
            let (own_equal, own_later) = match block.entries.get(k) {
                Some(Entry::Tile(_, size)) => (size - 1, 1),
                Some(Entry::Front(a, b)) => {
                    let (a, b) = (size(&block.entries[*a]), size(&block.entries[*b]));
                    // Of `b x + a y`, if the sum of `x / a` and `y / b`, rounded down, is the
                    // number.
                    let within = b * (a - 1) + a * (b - 1);
                    (within, a * b - within)
                }
                _ => (0, 1),
            };
            equal = equal.max(own_equal);
            later = later.min(own_later);
        }
        let progress = if equal == 0 { Progress::Ordered } else { Progress::Coarse { equal, later } };
        Self { progress, scale: if equal == 0 { 1 } else { 1 + equal.max(-later) } }
    }
}

/// The length of tiles.
fn size(entry: &Entry) -> i64 {
    if let Entry::Tile(_, size) = entry { *size } else { 1 }
}

/// From the instances of a statement to what is compared in place of their places; none if it is
/// not known.
fn time(pieces: &Pieces, blocks: &Blocks, statement: usize, numbers: &[Number]) -> Option<Map> {
    let domain = &pieces.statements[statement].domain;
    let space = domain.space();
    let entries = &blocks.all[blocks.of[statement]].entries;
    let mut time: Option<Map> = None;
    for (k, number) in numbers.iter().enumerate() {
        let value = value(entries, k, number.scale, space)?;
        let own = graph(&value, space);
        time = Some(time.map_or_else(|| own.clone(), |time| time.flat_range_product(&own)));
    }
    time.map(|time| time.intersect_domain(domain))
}

fn value(entries: &[Entry], k: usize, scale: i64, space: &Space) -> Option<PwAff> {
    let tuple = space.range.as_ref()?;
    let constant = |value: i64| PwAff::constant(space.clone(), value);
    Some(match entries.get(k) {
        None => constant(0),
        Some(Entry::Position(position)) => constant(position.checked_mul(scale)?),
        Some(Entry::Value(function)) => function.get(tuple)?.scale(scale),
        Some(Entry::Tile(function, _)) => function.get(tuple)?.clone(),
        Some(Entry::Front(a, b)) => {
            let of = |k: &usize, other: &usize| {
                let Entry::Tile(function, _) = &entries[*k] else { return None };
                Some(function.get(tuple)?.scale(size(&entries[*other])))
            };
            of(a, b)?.add(&of(b, a)?)
        }
    })
}

/// From instances to the value of a function.
fn graph(function: &PwAff, space: &Space) -> Map {
    let tuple = space.range.clone().expect("a set has a tuple");
    let empty = Map::empty(Space::map(space.params.clone(), tuple, Tuple::anonymous(1)));
    function.pieces().iter().fold(empty, |all, (domain, aff)| {
        let value = MultiAff::into_tuple(aff.domain_space(), Tuple::anonymous(1), vec![aff.clone()]);
        all.union(&value.to_map().align_params(space).intersect_domain(&domain.align_params(space)))
    })
}

/// The next power of two, if the modulus is a number or never more than one.
fn rounded(system: &System, modulus: &PwAff, budget: &mut Budget) -> Result<PwAff, Stop> {
    let numbers = modulus.pieces().iter().filter_map(|(_, aff)| aff.constant_value()?.to_int()?.to_i64());
    let power = numbers.max().and_then(|number| u64::try_from(number).ok()?.checked_next_power_of_two());
    let Some(power) = power.filter(|&power| power <= 1 << 40) else { return Ok(modulus.clone()) };
    let power = PwAff::constant(modulus.domain().space().clone(), Int::from(power as i64));
    let more = modulus.gt_set(&power).intersect(&system.context);
    Ok(if more.is_empty(budget)? { power } else { modulus.clone() })
}

/// The number of cells of local variables, and of all others, for large parameters.
pub(crate) fn count(system: &System, storage: &[Storage]) -> (Int, Int) {
    let of = |is_local: bool| {
        let own = system.variables.iter().zip(storage).filter(|(v, _)| (v.role == Role::Let) == is_local);
        own.fold(Int::ZERO, |all, (_, storage)| &all + &storage.cells_of(system))
    };
    (of(true), of(false))
}
