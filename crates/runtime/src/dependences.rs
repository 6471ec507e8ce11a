//! Which iterations have to wait for which.
//!
//! # Algorithm
//! Memory from the first to the last written address is divided into cells of the size of the
//! smallest write. The iterations tell their accesses in the original order, and each cell knows
//! the last iteration that wrote it and those that have read it since:
//!
//! 1. a read depends on the last write (flow);
//! 2. a write depends on the last write (output) and on the reads since then (anti); then these are
//!    forgotten.
//!
//! Most loops write each cell in one iteration. Then nobody has to know who has read it behind
//! that, and it is not written down, until a cell is written by a second iteration: then
//! the accesses have to be told once more ([`Recorder::is_twice`]).
//!
//! An access that covers a part of a cell counts for all of it: there may be more dependences than
//! there are, never fewer. Accesses outside of what is written depend on nothing.
//!
//! The level of an iteration is 0 if it depends on nothing, else one more than the highest level of
//! those that it depends on: iterations of one level are independent.

use crate::memory::{Buffer, Exhausted, Fallible, Plain, at, part};
use crate::records::Written;

/// Estimated cycles of an access, with what is computed from it. (Only how the work of iterations
/// is divided depends on this and the next number.)
const ACCESS: u32 = 4;

/// Estimated cycles of an iteration besides.
const ITERATION: u32 = 8;

/// How many of an iteration's predecessors are looked at before another one is written down.
const RECENT: usize = 8;

/// Cells for each iteration beyond which a table would cost more than the loop.
const CELLS_PER_ITERATION: u64 = 256;

/// So many are never too many.
const CELLS: u64 = 1 << 12;

/// A graph on iterations.
#[derive(Debug, Default)]
pub struct Dependences {
    /// Where the predecessors of each iteration begin, and the end of the last.
    pub starts: Buffer<u32>,
    /// Iterations that come earlier.
    pub predecessors: Buffer<u32>,
    /// Levels of the iterations.
    pub levels: Buffer<u32>,
    /// Estimated cycles of the iterations.
    pub weights: Buffer<u32>,
    /// Number of levels.
    pub depth: u32,
    /// Cycles of all.
    pub total: u64,
}

impl Dependences {
    /// Number of iterations.
    pub fn count(&self) -> u32 {
        self.levels.len() as u32
    }

    /// The iterations that an iteration depends on.
    pub fn of(&self, iteration: u32) -> &[u32] {
        let next = iteration.saturating_add(1);
        part(&self.predecessors, at(&self.starts, iteration), at(&self.starts, next))
    }
}

/// What is known of a cell.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// One more than the iteration that wrote it last, or 0.
    writer: u32,
    /// One more than the first element of the list of those that have read it since, or 0.
    readers: u32,
}

// SAFETY: integers.
unsafe impl Plain for Cell {}

/// An element of a list of iterations that have read a cell.
#[derive(Clone, Copy, Debug)]
struct Reader {
    iteration: u32,
    /// One more than the next element, or 0.
    next: u32,
}

// SAFETY: integers.
unsafe impl Plain for Reader {}

/// Reads accesses, and makes the graph.
#[derive(Debug)]
pub struct Recorder {
    written: Written,
    shift: u32,
    /// Each cell is written by one iteration.
    is_once: bool,
    cells: Buffer<Cell>,
    readers: Buffer<Reader>,
    /// One more than the first of the elements that are in no list any more, or 0.
    free: u32,
    /// The iteration that is being told, one more.
    current: u32,
    level: u32,
    /// Where its predecessors begin.
    first: u32,
    /// Some cell was written by two iterations.
    is_twice: bool,
    result: Dependences,
}

impl Recorder {
    /// For so many iterations, which write within these addresses.
    ///
    /// `is_once`: each cell is supposed to be written by one iteration.
    pub fn new(iterations: u32, written: Written, is_once: bool) -> Fallible<Self> {
        let shift = written.size.clamp(1, 8).ilog2();
        let cells = (written.high.saturating_sub(written.low) >> shift).saturating_add(1);
        if cells > CELLS + u64::from(iterations).saturating_mul(CELLS_PER_ITERATION) || iterations == u32::MAX {
            return Err(Exhausted);
        }
        let cells = cells as usize;
        let result = Dependences {
            starts: Buffer::with_capacity(iterations as usize + 1)?,
            levels: Buffer::with_capacity(iterations as usize)?,
            weights: Buffer::with_capacity(iterations as usize)?,
            ..Dependences::default()
        };
        let mut recorder = Self {
            written,
            shift,
            is_once,
            is_twice: false,
            cells: Buffer::zeroed(cells)?,
            readers: Buffer::new(),
            free: 0,
            current: 1,
            level: 0,
            first: 0,
            result,
        };
        recorder.start()?;
        Ok(recorder)
    }

    /// The current iteration, which has accessed so much, is complete, and the next one begins.
    pub fn end(&mut self, accesses: u64) -> Fallible<()> {
        let weight = u32::try_from(accesses).unwrap_or(u32::MAX).saturating_mul(ACCESS).saturating_add(ITERATION);
        self.result.levels.push(self.level)?;
        self.result.weights.push(weight)?;
        self.result.depth = self.result.depth.max(self.level.saturating_add(1));
        self.result.total += u64::from(weight);
        self.current = self.current.checked_add(1).ok_or(Exhausted)?;
        self.level = 0;
        self.start()
    }

    /// The predecessors of the next iteration begin here.
    fn start(&mut self) -> Fallible<()> {
        let start = u32::try_from(self.result.predecessors.len()).map_err(|_| Exhausted)?;
        self.first = start;
        self.result.starts.push(start)
    }

    /// The current iteration reads.
    pub fn read(&mut self, address: u64, size: u64) -> Fallible<()> {
        let Some((first, last)) = self.cells(address, size) else { return Ok(()) };
        for cell in first..=last {
            let Some(&Cell { writer, readers: head }) = self.cells.get(cell as usize) else { continue };
            self.depend(writer)?;
            if self.is_once && writer != 0 {
                continue;
            }
            let latest = head.checked_sub(1).and_then(|element| self.readers.get(element as usize));
            if latest.is_some_and(|latest| latest.iteration == self.current - 1) {
                continue;
            }
            let element = self.add_reader(Reader { iteration: self.current - 1, next: head })?;
            if let Some(cell) = self.cells.get_mut(cell as usize) {
                cell.readers = element;
            }
        }
        Ok(())
    }

    /// An element of a list, one more than its place.
    #[inline]
    fn add_reader(&mut self, reader: Reader) -> Fallible<u32> {
        let place = self.free;
        if let Some(free) = place.checked_sub(1).and_then(|element| self.readers.get_mut(element as usize)) {
            self.free = free.next;
            *free = reader;
            return Ok(place);
        }
        self.readers.push(reader)?;
        u32::try_from(self.readers.len()).map_err(|_| Exhausted)
    }

    /// The current iteration writes.
    pub fn write(&mut self, address: u64, size: u64) -> Fallible<()> {
        let Some((first, last)) = self.cells(address, size) else { return Ok(()) };
        for cell in first..=last {
            let Some(&Cell { writer, readers }) = self.cells.get(cell as usize) else { continue };
            self.depend(writer)?;
            if self.is_once && writer != 0 && writer != self.current {
                self.is_twice = true;
                return Err(Exhausted);
            }
            let mut element = readers;
            while let Some(&Reader { iteration, next }) =
                element.checked_sub(1).and_then(|element| self.readers.get(element as usize))
            {
                self.depend(iteration + 1)?;
                if next == 0
                    && let Some(last) = self.readers.get_mut(element as usize - 1)
                {
                    // All elements of the list are free.
                    last.next = self.free;
                    self.free = readers;
                }
                element = next;
            }
            if let Some(cell) = self.cells.get_mut(cell as usize) {
                *cell = Cell { writer: self.current, readers: 0 };
            }
        }
        Ok(())
    }

    /// The cells of an access, if any of it is written.
    #[inline]
    fn cells(&self, address: u64, size: u64) -> Option<(u32, u32)> {
        let end = address.saturating_add(size);
        if address >= self.written.high || end <= self.written.low {
            return None;
        }
        let first = address.max(self.written.low) - self.written.low;
        let last = end.min(self.written.high) - 1 - self.written.low;
        Some(((first >> self.shift) as u32, (last >> self.shift) as u32))
    }

    /// The current iteration depends on the one before this number (0: on none).
    #[inline]
    fn depend(&mut self, one_more: u32) -> Fallible<()> {
        let Some(on) = one_more.checked_sub(1).filter(|_| one_more != self.current) else { return Ok(()) };
        // Most of those that come again have come just before; the others do no harm.
        let own = self.result.predecessors.get(self.first as usize..).unwrap_or(&[]);
        if own.iter().rev().take(RECENT).any(|&known| known == on) {
            return Ok(());
        }
        self.level = self.level.max(at(&self.result.levels, on) + 1);
        self.result.predecessors.push(on)
    }

    /// The graph.
    pub fn finish(self) -> Dependences {
        self.result
    }

    /// Whether it has failed because some cell was written by two iterations.
    pub fn is_twice(&self) -> bool {
        self.is_twice
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An access: where (in elements of 8 bytes), and whether it writes.
    pub(crate) type Access = (u64, bool);

    pub(crate) fn record(iterations: &[Vec<Access>]) -> Dependences {
        let written = iterations.iter().flatten().filter(|a| a.1).map(|a| a.0 * 8);
        let (low, high) = (written.clone().min().unwrap_or(0), written.max().map_or(0, |last| last + 8));
        let count = u32::try_from(iterations.len()).expect("few");
        let graph = |is_once: bool| {
            let mut recorder = Recorder::new(count, Written { low, high, size: 8 }, is_once).expect("there is memory");
            for accesses in iterations {
                for &(at, writes) in accesses {
                    let done = if writes { recorder.write(at * 8, 8) } else { recorder.read(at * 8, 8) };
                    if recorder.is_twice() {
                        return None;
                    }
                    done.expect("there is memory");
                }
                recorder.end(accesses.len() as u64).expect("there is memory");
            }
            Some(recorder.finish())
        };
        let found = graph(false).expect("nothing is supposed");
        if let Some(other) = graph(true) {
            assert_eq!((&other.predecessors[..], &other.levels[..]), (&found.predecessors[..], &found.levels[..]));
        } else {
            let writers = |cell: u64| iterations.iter().filter(|i| i.contains(&(cell, true))).count();
            assert!(iterations.iter().flatten().any(|access| writers(access.0) > 1));
        }
        found
    }

    /// Pairs of iterations that access the same element, one of them to write it.
    pub(crate) fn conflicts(iterations: &[Vec<Access>]) -> Vec<(u32, u32)> {
        let mut found = Vec::new();
        for (later, b) in iterations.iter().enumerate() {
            for (earlier, a) in iterations[..later].iter().enumerate() {
                if a.iter().any(|x| b.iter().any(|y| x.0 == y.0 && (x.1 || y.1))) {
                    found.push((earlier as u32, later as u32));
                }
            }
        }
        found
    }

    /// Random accesses of various shapes.
    pub(crate) fn random_iterations(seed: u64) -> Vec<Vec<Access>> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut below = move |n: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) % n
        };
        let (count, cells) = (below(60), 1 + below(80));
        let (longest, far) = (1 + below(6), 1 + below(cells));
        let in_place = below(2) == 0;
        (0..count)
            .map(|i| {
                let mut accesses: Vec<Access> = Vec::new();
                for _ in 0..below(longest) {
                    accesses.push(((i + below(far)) % cells, !in_place && below(4) == 0));
                }
                if in_place {
                    accesses.push((i % cells, true));
                }
                accesses
            })
            .collect()
    }

    #[test]
    fn every_conflict_has_a_path() {
        for seed in 0..400 {
            let iterations = random_iterations(seed);
            let found = record(&iterations);
            let n = iterations.len();
            assert_eq!(found.count() as usize, n);
            // What is reached from each iteration, backwards.
            let mut reached = vec![vec![false; n]; n];
            for i in 0..n {
                for &p in found.of(i as u32) {
                    assert!((p as usize) < i, "predecessors come earlier");
                    let of_p = reached[p as usize].clone();
                    reached[i].iter_mut().zip(of_p).for_each(|(a, b)| *a |= b);
                    reached[i][p as usize] = true;
                    assert!(found.levels[p as usize] < found.levels[i]);
                }
            }
            let all = conflicts(&iterations);
            for &(a, b) in &all {
                assert!(reached[b as usize][a as usize], "seed {seed}: {b} must wait for {a}");
            }
            // Nothing is there that is not needed.
            for i in 0..n as u32 {
                assert!(found.of(i).iter().all(|&p| all.contains(&(p, i))), "seed {seed}");
            }
        }
    }

    #[test]
    fn levels_are_those_of_the_handbook() {
        // Rows of a lower triangle: {}, {0}, {}, {1,2}, {2}, {3}, {4}, {5,6}.
        let rows: [&[u64]; 8] = [&[], &[0], &[], &[1, 2], &[2], &[3], &[4], &[5, 6]];
        let iterations: Vec<Vec<Access>> = rows
            .iter()
            .enumerate()
            .map(|(i, row)| row.iter().map(|&j| (j, false)).chain([(i as u64, true)]).collect())
            .collect();
        let found = record(&iterations);
        assert_eq!(found.levels[..], [0, 1, 0, 2, 1, 3, 2, 4]);
        assert_eq!(found.depth, 5);
    }

    #[test]
    fn accesses_that_overlap_in_part_conflict() {
        let mut recorder = Recorder::new(3, Written { low: 16, high: 48, size: 8 }, false).expect("there is memory");
        for (address, size, writes) in [(16, 8, true), (20, 8, false), (30, 18, true)] {
            let done = if writes { recorder.write(address, size) } else { recorder.read(address, size) };
            done.expect("there is memory");
            recorder.end(1).expect("there is memory");
        }
        let found = recorder.finish();
        assert_eq!(found.of(1), [0]);
        assert_eq!(found.of(2), [1], "both touch the second cell");
    }

    #[test]
    fn a_table_that_is_too_large_is_refused() {
        assert!(Recorder::new(10, Written { low: 0, high: 1 << 40, size: 8 }, true).is_err());
    }
}
