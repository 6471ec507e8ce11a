//! Iterations become tasks.
//!
//! # Definitions
//! Two functions of an iteration do not decrease along a dependence: its place in the original
//! order, and its level. *Blocks* are pieces of the original order with about the same work,
//! *groups* are levels that follow each other. The iterations of a block that are in one group are
//! a *tile*. Block and group of a tile are at least those of the tiles that it depends on, so the
//! tiles, sorted by group and block, are in a legal order; inside of a tile the original order is
//! one.
//!
//! # Algorithm
//! 1. For several numbers of blocks and groups ([`crate::shape`]), make the tiles and what each
//!    depends on.
//! 2. Give them to threads ([`crate::assign`]), and estimate how long that takes: a wait costs, and
//!    so does every jump in the original order, which is that of the data.
//! 3. The best one is written down, if it is better than one thread, each tile in an order in which
//!    iterations that follow each other do not wait for each other ([`crate::interleave`]).
//!
//! Wavefronts on a grid in the usual numbering become skewed tiles that way, matrices with few
//! levels are executed level by level, and loops without dependences in one piece for each thread.

use crate::assign::{self, Assignment, Graph, MAX_THREADS};
use crate::dependences::Dependences;
use crate::interleave::interleave;
use crate::memory::{Buffer, Exhausted, Fallible, Plain, at, part, set};
use crate::shape::{Shape, climb};
use crate::system;

/// How much faster than one thread a schedule has to be, in percent.
const WORTH: u64 = 115;

/// What waiting costs, and how many threads there are.
#[derive(Clone, Copy, Debug)]
pub struct Threads {
    /// Their number.
    pub count: u32,
    /// Cycles until one has seen that another one has finished something.
    pub wait: u32,
    /// Cycles of a jump in the original order.
    pub jump: u32,
    /// Chains of iterations that take turns inside of a tile ([`crate::interleave`]).
    pub chains: u32,
    /// They are to be used whether that pays or not, with as many waits as possible: for tests.
    pub is_forced: bool,
}

/// Iterations that follow each other: `first`, and how many.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The first.
    pub first: u32,
    /// How many.
    pub count: u32,
}

// SAFETY: integers.
unsafe impl Plain for Run {}

/// Iterations that one thread executes without waiting.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// The first of its runs.
    pub first_run: u32,
    /// How many it has.
    pub runs: u32,
    /// The first of its waits.
    pub first_wait: u32,
    /// How many it has.
    pub waits: u32,
}

// SAFETY: integers.
unsafe impl Plain for Task {}

/// Before a task begins, a thread must have finished its first `count` tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The thread.
    pub thread: u32,
    /// How many.
    pub count: u32,
}

// SAFETY: integers.
unsafe impl Plain for Wait {}

/// Who executes what.
#[derive(Debug, Default)]
pub struct Schedule {
    /// Where the tasks of each thread begin, and the end of the last.
    pub threads: Buffer<u32>,
    /// Tasks, thread by thread, each in its order.
    pub tasks: Buffer<Task>,
    /// Runs of tasks.
    pub runs: Buffer<Run>,
    /// Waits of tasks.
    pub waits: Buffer<Wait>,
    /// Estimated cycles.
    pub cycles: u64,
}

impl Schedule {
    /// The tasks of a thread.
    pub fn of(&self, thread: u32) -> &[Task] {
        part(&self.tasks, at(&self.threads, thread), at(&self.threads, thread + 1))
    }

    /// The number of threads.
    pub fn thread_count(&self) -> u32 {
        (self.threads.len() as u32).saturating_sub(1)
    }
}

/// The iterations, divided into tiles.
#[derive(Debug, Default)]
pub(crate) struct Tiles {
    /// The tile of each iteration.
    tile_of: Buffer<u32>,
    /// How many iterations each tile has.
    lengths: Buffer<u32>,
    /// What the tiles cost, depend on, and which block they belong to.
    pub(crate) graph: Graph,
}

/// Edges of tiles that are known to have been found, a power of two.
const RECENT: usize = 1024;

impl Shape {
    /// Numbers of blocks, and of levels in a group.
    fn sizes(self, of: &Dependences, threads: Threads) -> (u32, u32) {
        let (count, depth) = (of.count(), of.depth.max(1));
        if threads.is_forced {
            return (threads.count.saturating_mul(4).min(count), 1);
        }
        let work = of.total / u64::from(threads.wait.max(1));
        // So many tiles that each takes as long as so many waits.
        let wanted = (work / u64::from(self.waits.max(1))).min(u64::from(count));
        let (blocks, groups) = self.numbers(wanted, threads.count);
        (blocks.min(u64::from(count)) as u32, depth.div_ceil(groups.min(u64::from(depth)) as u32))
    }
}

/// The best schedule, and the shape of its tiles; none if none is worth it. The search begins with
/// the preferred shape, which was best for a part of the iterations, and ends with what it has
/// found when it is too late for more.
pub fn best(
    of: &Dependences,
    threads: Threads,
    preferred: Option<Shape>,
    until: u64,
) -> Fallible<Option<(Schedule, Shape)>> {
    let count = threads.count.min(MAX_THREADS);
    let is_serial = u64::from(of.depth) * WORTH > u64::from(of.count()) * 100;
    let is_forced = threads.is_forced;
    if count < 2 || of.count() < 2 || is_serial && !is_forced {
        return Ok(None);
    }
    let threads = Threads { count, ..threads };
    let mut tiles = Tiles::for_iterations(of.count())?;
    let mut found: Option<(Assignment, Shape)> = None;
    let mut divided = None;
    let mut cost = |shape: Shape| {
        if found.is_some() && system::now() > until {
            return Err(Exhausted);
        }
        divided = Some(shape);
        if !tiles.divide(of, shape.sizes(of, threads), threads.jump)? {
            return Ok(u64::MAX);
        }
        let assigned = assign::threads(&tiles.graph, threads)?;
        let cycles = assigned.cycles;
        if found.as_ref().is_none_or(|(known, _)| cycles < known.cycles) {
            found = Some((assigned, shape));
        }
        Ok(cycles)
    };
    let first = preferred.unwrap_or(Shape::FIRST);
    if is_forced {
        cost(first)?;
    } else {
        // What there is when the time is over is used: most has been paid.
        let ended = climb(first, &mut cost);
        if found.is_none() {
            ended?;
        }
    }
    let is_worth = |cycles: u64| is_forced || cycles.saturating_mul(WORTH) < of.total.saturating_mul(100);
    let Some((assigned, shape)) = found.filter(|(found, _)| is_worth(found.cycles)) else { return Ok(None) };
    if divided != Some(shape) {
        // Those of a worse shape are there.
        tiles.divide(of, shape.sizes(of, threads), threads.jump)?;
    }
    write(&tiles, &of.levels, &assigned, threads).map(|schedule| Some((schedule, shape)))
}

impl Tiles {
    /// With room for so many iterations.
    pub(crate) fn for_iterations(count: u32) -> Fallible<Self> {
        Ok(Self { tile_of: Buffer::filled(count as usize, 0)?, ..Self::default() })
    }

    /// Divides the iterations into so many blocks, and groups of so many levels; false if there
    /// would be too many tiles.
    pub(crate) fn divide(&mut self, of: &Dependences, (blocks, group): (u32, u32), jump: u32) -> Fallible<bool> {
        let (count, group, blocks) = (of.count(), group.max(1), blocks.max(1));
        let keys = u64::from(of.depth.div_ceil(group)) * u64::from(blocks);
        if keys > 2 * u64::from(count) + 1024 {
            return Ok(false);
        }
        let mut numbers = Buffer::filled(keys as usize, 0_u32)?;
        let mut block = Block::first(of.total, blocks);
        for ((key, &weight), &level) in self.tile_of.iter_mut().zip(of.weights.iter()).zip(of.levels.iter()) {
            *key = level / group * blocks + block.of(weight);
            if let Some(number) = numbers.get_mut(*key as usize) {
                *number += 1;
            }
        }
        // Keys without iterations are left out.
        self.lengths.shorten(0);
        self.graph.clear();
        for (k, number) in (0..).zip(numbers.iter_mut()) {
            let length = core::mem::replace(number, self.lengths.len() as u32);
            if length > 0 {
                self.lengths.push(length)?;
                self.graph.blocks.push(k % blocks)?;
                self.graph.costs.push(0)?;
            }
        }
        let edges = self.visit(of, &numbers, jump)?;
        self.connect(&edges)?;
        Ok(true)
    }

    /// Adds up what tiles cost, and finds out what they depend on: pairs of a tile and a
    /// predecessor, some of them more than once.
    fn visit(&mut self, of: &Dependences, numbers: &[u32], jump: u32) -> Fallible<Buffer<u64>> {
        // The same pair comes again and again while the iterations of a tile are visited.
        let mut recent = [u64::MAX; RECENT];
        let mut edges = Buffer::new();
        // One more than the last iteration of each tile.
        let mut last = Buffer::filled(self.lengths.len(), u32::MAX)?;
        for i in 0..of.count() {
            let tile = at(numbers, at(&self.tile_of, i));
            set(&mut self.tile_of, i, tile);
            let follows = at(&last, tile) == i;
            set(&mut last, tile, i + 1);
            if let Some(cost) = self.graph.costs.get_mut(tile as usize) {
                *cost += u64::from(at(&of.weights, i)) + if follows { 0 } else { u64::from(jump) };
            }
            for &p in of.of(i) {
                let other = at(&self.tile_of, p);
                let edge = u64::from(tile) << 32 | u64::from(other);
                let place = (tile.wrapping_mul(31) ^ other) as usize % RECENT;
                if other != tile && recent.get(place).is_some_and(|known| *known != edge) {
                    set(&mut recent, place as u32, edge);
                    edges.push(edge)?;
                }
            }
        }
        Ok(edges)
    }

    /// Keeps each edge once, by tiles.
    fn connect(&mut self, edges: &[u64]) -> Fallible<()> {
        let count = self.lengths.len() as u32;
        let mut places = Buffer::filled(count as usize + 1, 0_u32)?;
        for edge in edges {
            let tile = (edge >> 32) as u32;
            let known = at(&places, tile + 1);
            set(&mut places, tile + 1, known + 1);
        }
        let mut sum = 0;
        for place in places.iter_mut() {
            sum += *place;
            *place = sum;
        }
        let mut sorted = Buffer::filled(edges.len(), 0_u32)?;
        let mut next = Buffer::new();
        next.extend(&places)?;
        for edge in edges {
            let tile = (edge >> 32) as u32;
            let place = at(&next, tile);
            set(&mut sorted, place, *edge as u32);
            set(&mut next, tile, place + 1);
        }
        let mut known = Buffer::filled(count as usize, 0_u32)?;
        for tile in 0..count {
            self.graph.starts.push(self.graph.predecessors.len() as u32)?;
            for &other in part(&sorted, at(&places, tile), at(&places, tile + 1)) {
                if at(&known, other) != tile + 1 {
                    set(&mut known, other, tile + 1);
                    self.graph.predecessors.push(other)?;
                }
            }
        }
        self.graph.starts.push(self.graph.predecessors.len() as u32)
    }

    /// The iterations tile by tile, each in the original order; where each tile begins, and the end
    /// of the last.
    fn order(&self) -> Fallible<(Buffer<u32>, Buffer<u32>)> {
        let mut starts = Buffer::with_capacity(self.lengths.len() + 1)?;
        let mut sum = 0;
        starts.push(0)?;
        for &length in self.lengths.iter() {
            sum += length;
            starts.push(sum)?;
        }
        let mut next = Buffer::new();
        next.extend(&starts)?;
        let mut order = Buffer::filled(self.tile_of.len(), 0)?;
        for (i, &tile) in (0..).zip(self.tile_of.iter()) {
            let place = at(&next, tile);
            set(&mut order, place, i);
            set(&mut next, tile, place + 1);
        }
        Ok((order, starts))
    }
}

/// A piece of the original order; all have about the same work.
struct Block {
    number: u32,
    blocks: u32,
    total: u64,
    /// The work before the next iteration, and where the block ends.
    before: u64,
    end: u64,
}

impl Block {
    fn first(total: u64, blocks: u32) -> Self {
        let mut first = Self { number: 0, blocks, total, before: 0, end: 0 };
        first.end = first.end_of(0);
        first
    }

    fn end_of(&self, block: u32) -> u64 {
        (u128::from(self.total) * u128::from(block + 1) / u128::from(self.blocks)) as u64
    }

    /// The block of the next iteration, which has so much work.
    fn of(&mut self, weight: u32) -> u32 {
        while self.before >= self.end && self.number + 1 < self.blocks {
            self.number += 1;
            self.end = self.end_of(self.number);
        }
        self.before += u64::from(weight);
        self.number
    }
}

/// Writes down what each thread does.
fn write(tiles: &Tiles, levels: &[u32], assigned: &Assignment, threads: Threads) -> Fallible<Schedule> {
    let (mut order, starts) = tiles.order()?;
    let mut room = Buffer::new();
    for (&first, &end) in starts.iter().zip(starts.iter().skip(1)) {
        let Some(tile) = order.get_mut(first as usize..end as usize) else { continue };
        interleave(tile, levels, threads.chains, &mut room)?;
    }
    let mut result = Schedule { cycles: assigned.cycles, ..Schedule::default() };
    for thread in 0..threads.count {
        result.threads.push(result.tasks.len() as u32)?;
        for position in 0..assigned.order.len() as u32 {
            let tile = at(&assigned.order, position);
            if at(&assigned.thread_of, tile) != thread {
                continue;
            }
            let (first_run, first_wait) = (result.runs.len() as u32, result.waits.len() as u32);
            for wait in
                part(&assigned.waits, at(&assigned.wait_starts, position), at(&assigned.wait_starts, position + 1))
            {
                result.waits.push(*wait)?;
            }
            write_runs(part(&order, at(&starts, tile), at(&starts, tile + 1)), &mut result.runs)?;
            let (runs, waits) = (result.runs.len() as u32 - first_run, result.waits.len() as u32 - first_wait);
            result.tasks.push(Task { first_run, runs, first_wait, waits })?;
        }
    }
    result.threads.push(result.tasks.len() as u32)?;
    Ok(result)
}

fn write_runs(iterations: &[u32], to: &mut Buffer<Run>) -> Fallible<()> {
    let mut open: Option<Run> = None;
    for &i in iterations {
        match &mut open {
            Some(run) if run.first + run.count == i => run.count += 1,
            _ => {
                if let Some(run) = open {
                    to.push(run)?;
                }
                open = Some(Run { first: i, count: 1 });
            }
        }
    }
    open.map_or(Ok(()), |run| to.push(run))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dependences::tests::{Access, conflicts, random_iterations, record};

    /// When each iteration runs if every task runs as soon as its waits allow: the number of its
    /// step, and its place in that.
    fn simulate(schedule: &Schedule, count: usize) -> Vec<(u32, usize, usize)> {
        let threads = schedule.thread_count();
        let mut done = vec![0_u32; threads as usize];
        let mut when = vec![(u32::MAX, 0, 0); count];
        for step in 0.. {
            let before = done.clone();
            let mut moved = false;
            for thread in 0..threads {
                let Some(task) = schedule.of(thread).get(before[thread as usize] as usize) else { continue };
                let waits = part(&schedule.waits, task.first_wait, task.first_wait + task.waits);
                if waits.iter().any(|wait| before[wait.thread as usize] < wait.count) {
                    continue;
                }
                let mut place = 0;
                for run in part(&schedule.runs, task.first_run, task.first_run + task.runs) {
                    for i in run.first..run.first + run.count {
                        assert_eq!(when[i as usize].0, u32::MAX, "once");
                        when[i as usize] = (step, thread as usize, place);
                        place += 1;
                    }
                }
                done[thread as usize] += 1;
                moved = true;
            }
            if !moved {
                break;
            }
        }
        assert!(when.iter().all(|w| w.0 != u32::MAX), "everything is executed");
        when
    }

    fn check(iterations: &[Vec<Access>], schedule: &Schedule) {
        let when = simulate(schedule, iterations.len());
        for (a, b) in conflicts(iterations) {
            let (first, second) = (when[a as usize], when[b as usize]);
            let in_order = first.0 < second.0 || (first.0, first.1) == (second.0, second.1) && first.2 < second.2;
            assert!(in_order, "{a} {first:?} before {b} {second:?}");
        }
    }

    #[test]
    fn conflicts_keep_their_order_in_every_shape() {
        for seed in 0..300 {
            let iterations = random_iterations(seed);
            let of = record(&iterations);
            for count in [1, 2, 3, 8] {
                for shape in [(1, 1), (2, 1), (3, 2), (7, 3), (60, 1), (5, 100)] {
                    let threads = Threads { count, wait: 10, jump: 16, chains: 4, is_forced: false };
                    let mut tiles = Tiles::for_iterations(of.count()).expect("there is memory");
                    if !tiles.divide(&of, shape, 16).expect("there is memory") {
                        continue;
                    }
                    let assigned = assign::threads(&tiles.graph, threads).expect("there is memory");
                    check(&iterations, &write(&tiles, &of.levels, &assigned, threads).expect("there is memory"));
                }
            }
        }
    }

    /// Rows of a five-point stencil, in place.
    fn grid(side: u64) -> Vec<Vec<Access>> {
        let at = |r: u64, c: u64| r * side + c;
        let mut rows = Vec::new();
        for r in 0..side {
            for c in 0..side {
                let mut row = Vec::new();
                let near = [(r.wrapping_sub(1), c), (r, c.wrapping_sub(1)), (r, c + 1), (r + 1, c)];
                row.extend(near.into_iter().filter(|&(r, c)| r < side && c < side).map(|(r, c)| (at(r, c), false)));
                row.push((at(r, c), true));
                rows.push(row);
            }
        }
        rows
    }

    #[test]
    fn a_grid_gets_nearly_as_much_faster_as_there_are_threads() {
        let iterations = grid(96);
        let of = record(&iterations);
        assert_eq!(of.depth, 191);
        for (count, percent) in [(2, 60), (4, 35)] {
            let (schedule, _) =
                best(&of, Threads { count, wait: 100, jump: 16, chains: 4, is_forced: false }, None, u64::MAX)
                    .expect("there is memory")
                    .expect("it pays");
            simulate(&schedule, iterations.len());
            assert!(schedule.cycles * 100 < of.total * percent, "{} of {}", schedule.cycles, of.total);
        }
    }

    #[test]
    fn what_is_independent_does_not_wait() {
        let iterations: Vec<Vec<Access>> = (0..300).map(|i| vec![(i, true)]).collect();
        let schedule = best(
            &record(&iterations),
            Threads { count: 2, wait: 100, jump: 16, chains: 4, is_forced: false },
            None,
            u64::MAX,
        )
        .expect("there is memory");
        let (schedule, _) = schedule.expect("it pays");
        assert!(schedule.tasks.len() <= 8);
        assert!(schedule.waits.is_empty());
        check(&iterations, &schedule);
    }

    #[test]
    fn a_chain_is_left_alone() {
        let iterations: Vec<Vec<Access>> = (0..300).map(|i| vec![(i, false), (i + 1, true)]).collect();
        assert!(
            best(
                &record(&iterations),
                Threads { count: 2, wait: 100, jump: 16, chains: 4, is_forced: false },
                None,
                u64::MAX
            )
            .expect("there is memory")
            .is_none()
        );
        assert!(
            best(&record(&[]), Threads { count: 2, wait: 100, jump: 16, chains: 4, is_forced: false }, None, u64::MAX)
                .expect("there is memory")
                .is_none()
        );
    }
}
