//! Which iterations have to wait for which.
//!
//! # Algorithm
//! Memory from the first to the last written address is divided into cells of the size of the
//! smallest write. The iterations tell their accesses in the original order, and each cell knows
//! the last iteration that wrote it and those that have read it since:
//!
//! 1. a read depends on the last write (flow);
//! 2. a write depends on the last write (output) and on the reads since then (anti); then these are forgotten.
//!
//! An access that covers a part of a cell counts for all of it: there may be more dependences than
//! there are, never fewer. Accesses outside of what is written depend on nothing.
//!
//! The level of an iteration is 0 if it depends on nothing, else one more than the highest level of
//! those that it depends on: iterations of one level are independent.

use crate::memory::{Buffer, Exhausted, Fallible, at, part, set};
use crate::records::Written;

/// Estimated cycles of an access, with what is computed from it. (Only how the work of iterations
/// is divided depends on this and the next number.)
const ACCESS: u32 = 4;

/// Estimated cycles of an iteration besides.
const ITERATION: u32 = 8;

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
    /// Cycles of the longest chain of iterations of which each depends on the one before.
    pub longest: u64,
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

/// Reads accesses, and makes the graph.
#[derive(Debug)]
pub struct Recorder {
    written: Written,
    shift: u32,
    /// One more than the iteration that wrote the cell last, or 0.
    writers: Buffer<u32>,
    /// One more than the first element of the list of those that have read the cell since, or 0.
    readers: Buffer<u32>,
    /// Elements of lists: an iteration, and one more than the next element.
    read_by: Buffer<u32>,
    next: Buffer<u32>,
    /// One more than the iteration that has the iteration among its predecessors already.
    known: Buffer<u32>,
    /// Cycles of the longest chain that ends with the iteration.
    chains: Buffer<u64>,
    /// The iteration that is being told, one more; 0 before the first.
    current: u32,
    level: u32,
    chain: u64,
    weight: u32,
    result: Dependences,
}

impl Recorder {
    /// For so many iterations, which write within these addresses.
    pub fn new(iterations: u32, written: Written) -> Fallible<Self> {
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
        Ok(Self {
            written,
            shift,
            writers: Buffer::filled(cells, 0)?,
            readers: Buffer::filled(cells, 0)?,
            read_by: Buffer::new(),
            next: Buffer::new(),
            known: Buffer::filled(iterations as usize, 0)?,
            chains: Buffer::with_capacity(iterations as usize)?,
            current: 0,
            level: 0,
            chain: 0,
            weight: 0,
            result,
        })
    }

    /// The next iteration begins.
    pub fn begin(&mut self) -> Fallible<()> {
        self.end()?;
        self.current = self.current.checked_add(1).ok_or(Exhausted)?;
        (self.level, self.chain, self.weight) = (0, 0, ITERATION);
        let start = u32::try_from(self.result.predecessors.len()).map_err(|_| Exhausted)?;
        self.result.starts.push(start)
    }

    /// The current iteration is complete.
    fn end(&mut self) -> Fallible<()> {
        if self.current == 0 {
            return Ok(());
        }
        let chain = self.chain + u64::from(self.weight);
        self.chains.push(chain)?;
        self.result.levels.push(self.level)?;
        self.result.weights.push(self.weight)?;
        self.result.depth = self.result.depth.max(self.level.saturating_add(1));
        self.result.total += u64::from(self.weight);
        self.result.longest = self.result.longest.max(chain);
        Ok(())
    }

    /// An access that is not looked at has its cost.
    #[inline]
    pub fn count(&mut self) {
        self.weight = self.weight.saturating_add(ACCESS);
    }

    /// The current iteration reads.
    pub fn read(&mut self, address: u64, size: u64) -> Fallible<()> {
        self.count();
        let Some((first, last)) = self.cells(address, size) else { return Ok(()) };
        for cell in first..=last {
            self.depend(at(&self.writers, cell))?;
            let head = at(&self.readers, cell);
            if head != 0 && at(&self.read_by, head - 1) == self.current - 1 {
                continue;
            }
            self.read_by.push(self.current - 1)?;
            self.next.push(head)?;
            let element = u32::try_from(self.next.len()).map_err(|_| Exhausted)?;
            set(&mut self.readers, cell, element);
        }
        Ok(())
    }

    /// The current iteration writes.
    pub fn write(&mut self, address: u64, size: u64) -> Fallible<()> {
        self.count();
        let Some((first, last)) = self.cells(address, size) else { return Ok(()) };
        for cell in first..=last {
            self.depend(at(&self.writers, cell))?;
            let mut element = at(&self.readers, cell);
            while element != 0 {
                self.depend(at(&self.read_by, element - 1) + 1)?;
                element = at(&self.next, element - 1);
            }
            set(&mut self.readers, cell, 0);
            set(&mut self.writers, cell, self.current);
        }
        Ok(())
    }

    /// The cells of an access, if any of it is written; an iteration must have begun.
    #[inline]
    fn cells(&self, address: u64, size: u64) -> Option<(u32, u32)> {
        let end = address.saturating_add(size);
        if self.current == 0 || address >= self.written.high || end <= self.written.low {
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
        if at(&self.known, on) == self.current {
            return Ok(());
        }
        set(&mut self.known, on, self.current);
        self.level = self.level.max(at(&self.result.levels, on).saturating_add(1));
        self.chain = self.chain.max(self.chains.get(on as usize).copied().unwrap_or(0));
        self.result.predecessors.push(on)
    }

    /// The graph.
    pub fn finish(mut self) -> Fallible<Dependences> {
        self.end()?;
        let end = u32::try_from(self.result.predecessors.len()).map_err(|_| Exhausted)?;
        self.result.starts.push(end)?;
        Ok(self.result)
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
        let mut recorder = Recorder::new(count, Written { low, high, size: 8 }).expect("there is memory");
        for accesses in iterations {
            recorder.begin().expect("there is memory");
            for &(at, writes) in accesses {
                let done = if writes { recorder.write(at * 8, 8) } else { recorder.read(at * 8, 8) };
                done.expect("there is memory");
            }
        }
        recorder.finish().expect("there is memory")
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
        let mut recorder = Recorder::new(3, Written { low: 16, high: 48, size: 8 }).expect("there is memory");
        for (address, size, writes) in [(16, 8, true), (20, 8, false), (30, 18, true)] {
            recorder.begin().expect("there is memory");
            let done = if writes { recorder.write(address, size) } else { recorder.read(address, size) };
            done.expect("there is memory");
        }
        let found = recorder.finish().expect("there is memory");
        assert_eq!(found.of(1), [0]);
        assert_eq!(found.of(2), [1], "both touch the second cell");
    }

    #[test]
    fn a_table_that_is_too_large_is_refused() {
        assert!(Recorder::new(10, Written { low: 0, high: 1 << 40, size: 8 }).is_err());
    }
}
