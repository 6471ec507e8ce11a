//! Distinct lines that the accesses of a nest touch, inside each of its loops.
//!
//! # Problem
//! The model asks how many lines an access touches in the loops inside of each level, for its misses and for the footprints of all levels, and many loop
//! structures are judged. So all levels are counted at once.
//!
//! # Algorithm
//! From the innermost loop outwards: each loop along which the access moves is put in its place among the inner ones, by its stride, and the pieces of neighbouring bytes
//! are counted from the smallest stride to the largest.

use super::{AccessModel, Machine, Nest};

/// A reference of a nest.
pub(super) struct Moved<'a> {
    /// One of the accesses that make it.
    pub(super) access: &'a AccessModel,
    /// Some of them writes.
    pub(super) write: bool,
    /// The most that a statement with it has.
    pub(super) instances: f64,
    /// Lines by level, see [`lines`].
    pub(super) lines: Vec<f64>,
}

/// The references of a nest. A line that one statement has brought is there for the others, too.
pub(super) fn moved<'a>(nest: &'a Nest, machine: &Machine) -> Vec<Moved<'a>> {
    let mut result: Vec<Moved<'a>> = Vec::new();
    for statement in &nest.statements {
        for access in distinct(&statement.accesses) {
            match result.iter_mut().find(|other| other.access.is_same(access)) {
                Some(other) => {
                    other.write |= access.write();
                    other.instances = other.instances.max(statement.instances);
                }
                None => result.push(Moved {
                    access,
                    write: access.write(),
                    instances: statement.instances,
                    lines: lines(access, &nest.trips, machine),
                }),
            }
        }
    }
    result
}

/// Accesses of one statement without repetitions of the same reference; a reference that is read and written counts as written.
fn distinct(accesses: &[AccessModel]) -> Vec<&AccessModel> {
    let mut result: Vec<&AccessModel> = Vec::with_capacity(accesses.len());
    for access in accesses {
        match result.iter_mut().find(|other| other.is_same(access)) {
            Some(other) if access.write() => *other = access,
            Some(_) => {}
            None => result.push(access),
        }
    }
    result
}

/// Per loop level `l` (0 = all loops .. n = none): bytes touched by the loops inside level `l`.
pub(super) fn footprints(moved: &[Moved<'_>], depth: usize, machine: &Machine) -> Vec<f64> {
    let mut arrays: Vec<usize> = moved.iter().map(|reference| reference.access.reference.array).collect();
    arrays.sort_unstable();
    arrays.dedup();
    let mut result = vec![0.0; depth + 1];
    for array in arrays {
        let own = || moved.iter().filter(move |reference| reference.access.reference.array == array);
        let most = own().map(|reference| reference.lines[0]).fold(0.0, f64::max);
        for (level, lines) in result.iter_mut().enumerate() {
            *lines += own().map(|reference| reference.lines[level]).sum::<f64>().min(most);
        }
    }
    result.iter_mut().for_each(|lines| *lines *= machine.memory.line_bytes as f64);
    result
}

/// Loops whose strides differ by at most this factor go over the same dimension of an array. Larger factors are those of its rows, also where trip
/// counts are larger than the array, as those of skewed loops.
const SAME_ROWS: f64 = 8.0;

/// Distinct lines that an access touches in the loops `level..`, for each level: pieces of neighbouring bytes, as many as its larger strides count.
pub(super) fn lines(access: &AccessModel, trips: &[f64], machine: &Machine) -> Vec<f64> {
    let mut result = vec![0.0; trips.len() + 1];
    // Sorted by stride; of equal ones, the outer loop comes first.
    let mut moving: Vec<(f64, f64)> = Vec::with_capacity(trips.len());
    result[trips.len()] = pieces(access, &moving, machine);
    for (level, (&stride, &trip)) in access.strides.iter().zip(trips).enumerate().rev() {
        let moves = stride != 0.0 && trip > 1.0;
        if moves {
            let place = moving.partition_point(|inner| inner.0 < stride);
            moving.insert(place, (stride, trip));
        }
        result[level] = if moves { pieces(access, &moving, machine) } else { result[level + 1] };
    }
    result
}

/// Lines of loops with these strides and trip counts, by stride. Two loops over the same dimension meet again what the other one has touched.
fn pieces(access: &AccessModel, moving: &[(f64, f64)], machine: &Machine) -> f64 {
    let line = machine.memory.line_bytes as f64;
    let mut piece = access.bytes();
    let mut pieces = 1.0;
    // The last stride that made pieces, and how many.
    let mut row = (f64::INFINITY, 1.0);
    for &(stride, trip) in moving {
        let steps = stride / row.0;
        if stride < line {
            piece += stride * (trip - 1.0);
        } else if steps >= 1.0 && steps.fract() == 0.0 && steps <= SAME_ROWS.min(row.1) {
            pieces *= (row.1 + steps * (trip - 1.0)) / row.1;
            row.1 += steps * (trip - 1.0);
        } else {
            pieces *= trip;
            row = (stride, trip);
        }
    }
    pieces * (piece / line).max(1.0)
}
