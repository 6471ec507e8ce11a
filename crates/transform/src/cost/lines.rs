//! Distinct lines that the accesses of a nest touch, inside each of its loops.
//!
//! # Problem
//! The model asks how many lines an access touches in the loops inside of each level, for its
//! misses and for the footprints of all levels, and many loop structures are judged. So all levels
//! are counted at once.
//!
//! # Algorithm
//! From the innermost loop outwards: each loop along which the access moves is put in its place
//! among the inner ones, by its stride, and the pieces of neighbouring bytes are counted from the
//! smallest stride to the largest. A stride that is some steps along dimensions that smaller ones
//! have made adds to these; another one makes a new dimension.
//!
//! # Crowded lines
//! A cache keeps a line in one of the places of its index, which is the address modulo the bytes of
//! a way. Pieces of `p` bytes that are apart by `s` reach a part `p / gcd(s, w)` of the indices of
//! a way of `w` bytes, and can use that part of the cache: in it they take as much room as
//! `gcd(s, w) / p` times as many lines with addresses of their own.

use smallvec::SmallVec;

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
    /// How many times more room they take in the first cache, by level, if that is asked for.
    pub(super) crowding: Vec<f64>,
}

/// The references of a nest, and the crowding of the lines of some. A line that one statement has
/// brought is there for the others, too.
pub(super) fn moved<'a>(
    nest: &'a Nest,
    machine: &Machine,
    is_crowded: impl Fn(&AccessModel) -> bool,
) -> Vec<Moved<'a>> {
    let mut result: Vec<Moved<'a>> = Vec::new();
    for statement in &nest.statements {
        for access in distinct(&statement.accesses) {
            match result.iter_mut().find(|other| other.access.is_same(access)) {
                Some(other) => {
                    other.write |= access.write();
                    other.instances = other.instances.max(statement.instances);
                }
                None => {
                    let way = is_crowded(access).then(|| machine.first().way_bytes());
                    let (lines, crowding) = lines_and_crowding(access, &nest.trips, machine.memory.line_bytes, way);
                    let (write, instances) = (access.write(), statement.instances);
                    result.push(Moved { access, write, instances, lines, crowding });
                }
            }
        }
    }
    result
}

/// Accesses of one statement without repetitions of the same reference; a reference that is read
/// and written counts as written.
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

/// Per loop level `l` (0 = all loops .. n = none): lines touched by the loops inside level `l`, of
/// which each reference touches so many by itself.
pub(super) fn footprints<'a>(moved: &[Moved<'_>], lines: impl Fn(usize) -> &'a [f64], depth: usize) -> Vec<f64> {
    let mut arrays: Vec<usize> = moved.iter().map(|reference| reference.access.reference.array).collect();
    arrays.sort_unstable();
    arrays.dedup();
    let mut result = vec![0.0; depth + 1];
    for array in arrays {
        let own = || (0..moved.len()).filter(|&index| moved[index].access.reference.array == array).map(&lines);
        let most = own().map(|lines| lines[0]).fold(0.0, f64::max);
        for (level, all) in result.iter_mut().enumerate() {
            *all += own().map(|lines| lines[level]).sum::<f64>().min(most);
        }
    }
    result
}

/// Loops whose strides differ by at most this factor go over the same dimension of an array. Larger
/// factors are those of its rows, also where trip counts are larger than the array, as those of
/// skewed loops.
pub(crate) const SAME_ROWS: f64 = 8.0;

/// Distinct lines of so many bytes that an access touches in the loops `level..`, for each level:
/// pieces of neighbouring bytes, as many as its larger strides count. Pages are lines, too.
pub(super) fn lines(access: &AccessModel, trips: &[f64], line_bytes: u64) -> Vec<f64> {
    lines_and_crowding(access, trips, line_bytes, None).0
}

/// The same, and for each level, how many times more room the lines take in a cache with ways of so
/// many bytes than others with addresses of their own.
fn lines_and_crowding(
    access: &AccessModel,
    trips: &[f64],
    line_bytes: u64,
    way_bytes: Option<u64>,
) -> (Vec<f64>, Vec<f64>) {
    // Loops along which it moves, sorted by stride; of equal ones, the outer loop comes first.
    let mut moving: SmallVec<[(f64, f64); 8]> = SmallVec::new();
    let mut places = places(access, &moving, line_bytes as f64);
    let mut lines = vec![places.lines(); trips.len() + 1];
    let mut crowding = way_bytes.map_or_else(Vec::new, |way| vec![places.crowding(way); trips.len() + 1]);
    for (level, (&stride, &trip)) in access.strides.iter().zip(trips).enumerate().rev() {
        if stride != 0.0 && trip > 1.0 {
            let place = moving.partition_point(|inner| inner.0 < stride);
            moving.insert(place, (stride, trip));
            places = self::places(access, &moving, line_bytes as f64);
        }
        lines[level] = places.lines();
        if let Some(way) = way_bytes {
            crowding[level] = places.crowding(way);
        }
    }
    (lines, crowding)
}

/// Where the lines of loops with these strides and trip counts are, by stride. Two loops over the
/// same dimension meet again what the other one has touched.
fn places(access: &AccessModel, moving: &[(f64, f64)], line: f64) -> Places {
    let mut places = Places { line, piece: access.bytes(), rows: SmallVec::new() };
    for &(stride, trip) in moving {
        if stride < line {
            places.piece += stride * (trip - 1.0);
            continue;
        }
        match places.along(stride, trip) {
            Some(met) if met.lines() <= places.lines() * trip => places = met,
            _ => places.rows.push((stride, trip)),
        }
    }
    places
}

/// Pieces of neighbouring bytes in rows, of rows, and so on.
#[derive(Clone)]
struct Places {
    /// Bytes of a line.
    line: f64,
    /// Bytes of a piece.
    piece: f64,
    /// For each dimension that counts pieces, innermost first: a step along it in bytes, and how
    /// many there are.
    rows: SmallVec<[(f64, f64); 8]>,
}

impl Places {
    fn lines(&self) -> f64 {
        let pieces: f64 = self.rows.iter().map(|(_, count)| count).product();
        pieces * (self.piece / self.line).max(1.0)
    }

    /// How many times more room they take in a cache with ways of so many bytes than lines of which
    /// each has its own index.
    fn crowding(&self, way_bytes: u64) -> f64 {
        let piece = self.piece.max(self.line);
        let apart = self.rows.iter().fold(way_bytes, |apart, (step, _)| gcd(apart, *step as u64));
        match self.rows.is_empty() {
            true => 1.0,
            false => (apart as f64 / piece).max(1.0),
        }
    }

    /// Whether a stride may be some steps along a dimension of these; most are far apart.
    fn may_meet(&self, stride: f64) -> bool {
        self.rows.iter().any(|&(step, count)| stride >= 0.49 * step && stride <= (SAME_ROWS.min(count) + 0.51) * step)
    }

    /// With a loop of which an iteration is some steps along these dimensions, as those of skewed
    /// loops are: `a[i + k][i + l]` has no other rows and columns for `i` than those that `k` and
    /// `l` reach, and some beyond their ends. `None` if it leads elsewhere.
    fn along(&self, stride: f64, trip: f64) -> Option<Self> {
        // A stride is not less than a line: where no dimension takes it, all of it is left.
        if !self.may_meet(stride) {
            return None;
        }
        let mut result = self.clone();
        let mut rest = stride;
        for (step, count) in result.rows.iter_mut().rev() {
            let steps = (rest / *step).round();
            if steps >= 1.0 && steps <= SAME_ROWS.min(*count) {
                rest = (rest - steps * *step).abs();
                *count += steps * (trip - 1.0);
            }
        }
        result.piece += rest * (trip - 1.0);
        (rest < self.line).then_some(result)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Reference;
    use crate::machine::tests::usual;

    #[test]
    fn rows_a_power_of_two_apart_share_few_indices() {
        let reference = Reference { bytes: 4.0, write: false, array: 0, group: 0, kept: None };
        let crowded = |strides: &[f64], trips: &[f64]| {
            lines_and_crowding(&AccessModel { strides: strides.to_vec(), reference }, trips, 64, Some(4096)).1
        };
        // Columns of rows of 1024 bytes: one index of 16, whatever column; whole rows: all indices.
        assert_eq!(crowded(&[4.0, 1024.0], &[256.0, 256.0]), [1.0, 16.0, 1.0]);
        assert_eq!(crowded(&[4096.0, 1024.0], &[16.0, 4.0]), [16.0, 16.0, 1.0]);
        // Rows of an odd number of lines reach all of them, and so do those that begin within
        // lines.
        assert_eq!(crowded(&[4.0, 1088.0], &[256.0, 256.0])[1], 1.0);
        assert_eq!(crowded(&[4.0, 1028.0], &[256.0, 256.0])[1], 1.0);
        // Pieces of 256 bytes reach four times as many as those of a line.
        assert_eq!(crowded(&[1024.0, 4.0], &[256.0, 64.0])[0], 4.0);
    }

    /// Lines of an access to floating-point numbers of eight bytes.
    fn count(strides: &[f64], trips: &[f64]) -> f64 {
        let reference = Reference { bytes: 8.0, write: false, array: 0, group: 0, kept: None };
        lines(&AccessModel { strides: strides.to_vec(), reference }, trips, usual().memory.line_bytes)[0]
    }

    #[test]
    fn skewed_loops_stay_in_the_rows_and_columns_of_the_others() {
        let (n, row) = (100.0, 8000.0);
        // a[i + k][i + l]: 199 rows of 199 elements.
        assert_eq!(count(&[row + 8.0, row, 8.0], &[n; 3]), 199.0 * 199.0 / 8.0);
        // a[i + k][l - i].
        assert_eq!(count(&[row - 8.0, row, 8.0], &[n; 3]), 199.0 * 199.0 / 8.0);
        // The same in tiles of 20 iterations: their columns are pieces, which meet, too.
        let (tiles, size) = (n / 20.0, 20.0);
        let strides = [row + 8.0, row, 8.0].map(|stride| [20.0 * stride, stride]).concat();
        let tiled = count(&strides, &[tiles, size, tiles, size, tiles, size]);
        assert!(tiled < 4.0 * 199.0 * 199.0 / 8.0, "{tiled}");
        // A diagonal alone, and diagonals side by side.
        assert_eq!(count(&[row + 8.0], &[n]), n);
        assert_eq!(count(&[row + 8.0, 8.0], &[n; 2]), n * n / 8.0);
    }

    #[test]
    fn loops_that_lead_elsewhere_do_not_meet() {
        // Steps of two rows and half a row.
        assert_eq!(count(&[20_000.0, 8000.0, 8.0], &[100.0, 100.0, 8.0]), 100.0 * 100.0);
        // More rows than there are in between: each iteration has its own.
        assert_eq!(count(&[9.0 * 8000.0, 8000.0, 8.0], &[100.0, 9.0, 8.0]), 100.0 * 9.0);
        // What meets by chance is not more than what does not.
        assert_eq!(count(&[8008.0, 8000.0], &[2.0, 2.0]), 3.0);
    }
}
