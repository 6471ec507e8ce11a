//! Temporaries that are in use one behind the other, in one.
//!
//! # Problem
//! A system of equations has a temporary for each equation, and of most of them nothing is needed
//! any more when the next but one is computed. Each is memory of its own, which must be had from
//! the system and goes through the caches.
//!
//! # Definitions
//! A temporary is *in use* from the first nest that writes it to the last one that reads it. Two
//! *fit* if they have elements of one type, as many dimensions, and extents that differ by numbers.
//!
//! # Algorithm
//! Temporaries are gone through in the order in which they are first written. Each takes the place
//! of the first one that fits and is not in use any more, which gets the larger extents of the two:
//! that is the colouring of intervals [PolettoSarkar1999].
//!
//! # Invariants
//! Exact dataflow says that every read still sees what it saw ([`Session::preserves`]); else all
//! stay as they are.

use poly_presburger::{Aff, Budget, DimKind, Stop, Tuple};

use crate::simplify::flow::Session;
use crate::{AccessKind, ArrayId, ArrayKind, Scop};

/// A temporary, with the nests between which it is in use.
struct Use {
    array: usize,
    first: usize,
    last: usize,
}

/// The SCoP with the temporaries from number `from` on in as few as possible. They are used in
/// nests around which there are so many loops.
pub(super) fn shared(scop: Scop, from: usize, outside: usize, budget: &mut Budget) -> Result<Scop, Stop> {
    let Some(mut uses) = uses(&scop, from, outside) else { return Ok(scop) };
    uses.sort_by_key(|used| (used.first, used.array));
    let mut arrays = scop.arrays.clone();
    // The place of each temporary: itself, or an earlier one.
    let mut places: Vec<usize> = (0..arrays.len()).collect();
    let mut free: Vec<Use> = Vec::new();
    for used in uses {
        let place = free.iter_mut().find_map(|kept| {
            let kept = (kept.last < used.first).then_some(kept)?;
            let (rows, extents) = larger(&arrays, kept.array, used.array)?;
            Some((kept, rows, extents))
        });
        let Some((kept, larger_rows, extents)) = place else {
            free.push(used);
            continue;
        };
        places[used.array] = kept.array;
        kept.last = used.last;
        let array = &mut arrays[kept.array];
        array.extents = extents;
        if let ArrayKind::Temporary { rows, .. } = &mut array.kind {
            *rows = larger_rows;
        }
    }
    if places.iter().enumerate().all(|(array, place)| array == *place) {
        return Ok(scop);
    }
    let proposal = moved(&scop, arrays, &places);
    let is_right = Session::default().preserves(&scop, &proposal, budget)?;
    Ok(if is_right { proposal } else { scop })
}

/// When temporaries are in use; `None` if a nest that uses one has others around it, or one is not
/// written and read.
fn uses(scop: &Scop, from: usize, outside: usize) -> Option<Vec<Use>> {
    let mut result = Vec::new();
    for array in from..scop.arrays.len() {
        let (mut first, mut last) = (None, None);
        for statement in &scop.statements {
            let nest = *statement.position.get(outside)?;
            for access in statement.accesses.iter().filter(|access| access.array.index() == array) {
                if access.kind == AccessKind::Read {
                    last = last.max(Some(nest));
                } else {
                    first = Some(first.map_or(nest, |first: usize| first.min(nest)));
                }
            }
        }
        result.push(Use { array, first: first?, last: last? });
    }
    Some(result)
}

/// The larger extents of two temporaries, if they fit.
fn larger(arrays: &[crate::Array], a: usize, b: usize) -> Option<(Aff, Vec<Aff>)> {
    let (a, b) = (&arrays[a], &arrays[b]);
    let (ArrayKind::Temporary { rows: of_a, .. }, ArrayKind::Temporary { rows: of_b, .. }) = (&a.kind, &b.kind) else {
        return None;
    };
    if a.element != b.element || a.rank != b.rank {
        return None;
    }
    let extents = a.extents.iter().zip(&b.extents).map(|(a, b)| larger_extent(a, b)).collect::<Option<_>>()?;
    Some((larger_extent(of_a, of_b)?, extents))
}

fn larger_extent(a: &Aff, b: &Aff) -> Option<Aff> {
    let (of_a, of_b) = (a.row(), b.row());
    let differ_by_number = a.is_integral_affine() && b.is_integral_affine() && of_a[1..] == of_b[1..];
    differ_by_number.then(|| if of_a[0] >= of_b[0] { a.clone() } else { b.clone() })
}

/// The accesses at their places, without the temporaries that nobody uses any more.
fn moved(scop: &Scop, arrays: Vec<crate::Array>, places: &[usize]) -> Scop {
    let kept: Vec<usize> = (0..arrays.len()).filter(|&array| places[array] == array).collect();
    let number = |array: usize| kept.iter().position(|&kept| kept == places[array]).expect("a place is kept");
    let mut result = scop.clone();
    for access in result.statements.iter_mut().flat_map(|statement| &mut statement.accesses) {
        let array = &arrays[places[access.array.index()]];
        if places[access.array.index()] != access.array.index() {
            let tuple = Tuple::named(&*array.name, array.rank);
            access.relation = access.relation.set_tuple(DimKind::Out, tuple);
        }
        access.array = ArrayId::from(number(access.array.index()));
    }
    result.arrays = kept.iter().map(|&array| arrays[array].clone()).collect();
    result
}
