//! Distances between rows at which blocks of rows disturb each other.
//!
//! # Problem
//! Tiles in time execute several neighbouring rows together: each step loads and stores a vector of
//! every row. Where rows are almost a multiple of a page apart, as in matrices of 512 or 1024
//! columns, these vectors agree in the low bits of their addresses. A processor compares a load
//! with the stores before it by these bits first, so that loads of one row wait for stores to
//! another one; and the lines of all rows compete for the same sets of a cache. A sweep along
//! single rows has one such neighbour, a block has one for each of its rows: it can take several
//! times as long as the original order.
//!
//! # Definitions
//! The *spacing* of an array is the number of bytes from a row to the next one: its last extent
//! times the size of an element. Two rows *collide* if their addresses differ by at most a vector
//! and a line modulo [`alias_bytes`](poly_transform::Core::alias_bytes). A spacing is *crowded* if
//! every row of a block collides with the next one or with the next but one. (Collisions over
//! longer distances leave most rows of a block free of them.)
//!
//! # Method
//! With `v` bytes of a vector and a line and a modulus of `p`, a spacing `s` is not crowded if `v <
//! s mod p < p - v` and `v < 2s mod p < p - v`. Both together are two intervals of `s mod p`; a
//! constant spacing is looked up, one of parameters becomes a condition for the new order, which is
//! tested before it runs.
//!
//! None of this is about legality.

use poly_arith::Int;
use poly_presburger::{Aff, Set};
use poly_transform::Machine;

use crate::{Array, Scop};

/// The bytes from a row of an array to the next one; none for arrays of one dimension and tables of
/// rows.
fn spacing(array: &Array) -> Option<Aff> {
    let extent = array.extents.last().filter(|_| array.table().is_none() && !array.is_temporary())?;
    Some(extent.scale(array.element.bytes))
}

/// The residues of spacings that are not crowded, as intervals with both ends.
fn free_residues(machine: &Machine) -> [(i64, i64); 2] {
    let alias_bytes = alias_bytes(machine);
    // No vector is as long as a page.
    let bytes = ((machine.vectors.bytes + machine.memory.line_bytes) as i64).min(alias_bytes / 8);
    let half = alias_bytes / 2;
    let (near, middle) = (bytes + 1, bytes / 2 + 1);
    [(near, half - middle), (half + middle, alias_bytes - near)]
}

fn alias_bytes(machine: &Machine) -> i64 {
    i64::try_from(machine.core.alias_bytes).unwrap_or(i64::MAX)
}

/// Whether the rows of some of these arrays are crowded whatever the parameters are.
pub(crate) fn are_crowded<'a>(mut arrays: impl Iterator<Item = &'a Array>, machine: &Machine) -> bool {
    let residues = free_residues(machine);
    let is_crowded = |bytes: Int| {
        let rest = bytes.mod_floor(&Int::from(alias_bytes(machine)));
        !residues.iter().any(|&(from, to)| rest >= from && rest <= to)
    };
    arrays.any(|array| {
        let bytes = spacing(array).and_then(|spacing| spacing.constant_value());
        bytes.is_some_and(|bytes| bytes.is_integer() && is_crowded(bytes.num().clone()))
    })
}

/// The parameters for which the rows of none of these arrays are crowded; `None` if that is all.
pub(crate) fn uncrowded<'a>(scop: &Scop, arrays: impl Iterator<Item = &'a Array>, machine: &Machine) -> Option<Set> {
    let mut spacings: Vec<Aff> = Vec::new();
    for spacing in arrays.filter_map(spacing).filter(|spacing| !spacing.is_constant()) {
        if !spacings.contains(&spacing) {
            spacings.push(spacing);
        }
    }
    let condition = |spacing: &Aff| {
        let rest = spacing.mod_val(alias_bytes(machine));
        let between = |(from, to): (i64, i64)| {
            let above = rest.add_constant(-from).nonneg_basic_set();
            Set::from_basic(above.intersect(&rest.neg().add_constant(to).nonneg_basic_set()))
        };
        let [low, high] = free_residues(machine).map(between);
        low.union(&high)
    };
    let conditions = spacings.iter().map(|spacing| condition(spacing).align_params(scop.context.space()));
    conditions.reduce(|all, next| all.intersect(&next))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALIAS_BYTES: i64 = 4096;

    fn is_free(spacing: i64) -> bool {
        let mut machine = Machine::default();
        (machine.core.alias_bytes, machine.vectors.bytes, machine.memory.line_bytes) = (ALIAS_BYTES as u64, 64, 64);
        free_residues(&machine).iter().any(|&(from, to)| from <= spacing % ALIAS_BYTES && spacing % ALIAS_BYTES <= to)
    }

    #[test]
    fn rows_near_a_multiple_of_half_a_page_collide() {
        let crowded = [4096, 4096 + 16, 4096 - 64, 4096 + 128, 2048, 3 * 2048 + 16, 8192 + 64];
        assert!(crowded.iter().all(|&spacing| !is_free(spacing)));
        let free = [1024, 3072, 4096 + 136, 4096 - 136, 2048 - 72, 10_400, 8000];
        assert!(free.iter().all(|&spacing| is_free(spacing)));
    }

    #[test]
    fn the_definition_by_pairs_is_the_same() {
        let near = |bytes: i64| bytes % ALIAS_BYTES <= 128 || bytes % ALIAS_BYTES >= ALIAS_BYTES - 128;
        for spacing in 0..3 * ALIAS_BYTES {
            assert_eq!(is_free(spacing), !near(spacing) && !near(2 * spacing), "{spacing}");
        }
    }
}
