//! Iterations become tasks.
//!
//! # Definitions
//! Two functions of an iteration do not decrease along a dependence: its place in the original
//! order, and its level. *Blocks* are pieces of the original order with about the same work,
//! *groups* are levels that follow each other. The iterations of a block that are in one group are
//! a *tile*. Block and group of a tile are at least those of the tiles that it depends on, so the
//! tiles, sorted by group and block, are in a legal order; inside of a tile the original order is
//! kept.
//!
//! # Algorithm
//! 1. For several numbers of blocks and groups (from levels as they are, over tiles of a size that
//!    is worth a wait, to few large ones), make the tiles and what each depends on.
//! 2. Give them to threads ([`crate::assign`]), and estimate how long that takes: a wait costs, and
//!    so does every jump in the original order, which is that of the data.
//! 3. The best one is written down, if it is better than one thread.
//!
//! Wavefronts on a grid in the usual numbering become skewed tiles that way, matrices with few
//! levels are executed level by level, and loops without dependences in one piece for each thread.

use crate::assign::{self, Assignment, Graph, MAX_THREADS};
use crate::dependences::Dependences;
use crate::memory::{Buffer, Fallible, Plain, at, part, set};

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

/// The iterations, sorted into tiles.
#[derive(Debug, Default)]
pub(crate) struct Tiles {
    /// The iterations, tile by tile.
    pub(crate) order: Buffer<u32>,
    /// Where each tile begins, and the end of the last.
    pub(crate) starts: Buffer<u32>,
    /// What the tiles cost, depend on, and which block they belong to.
    pub(crate) graph: Graph,
}

/// The best schedule; none if none is worth it.
pub fn best(of: &Dependences, threads: Threads) -> Fallible<Option<Schedule>> {
    let count = threads.count.min(MAX_THREADS);
    let is_serial = of.longest.saturating_mul(WORTH) > of.total.saturating_mul(100);
    let is_forced = threads.is_forced;
    if count < 2 || of.count() < 2 || is_serial && !is_forced {
        return Ok(None);
    }
    let threads = Threads { count, ..threads };
    let mut best: Option<(Tiles, Assignment)> = None;
    for shape in shapes(of, threads) {
        let Some(tiles) = tiles(of, shape, threads.jump)? else { continue };
        let assigned = assign::threads(&tiles.graph, threads)?;
        if best.as_ref().is_none_or(|(_, known)| assigned.cycles < known.cycles) {
            best = Some((tiles, assigned));
        }
        if is_forced {
            break;
        }
    }
    let is_worth = |cycles: u64| is_forced || cycles.saturating_mul(WORTH) < of.total.saturating_mul(100);
    match best.filter(|(_, found)| is_worth(found.cycles)) {
        Some((tiles, assigned)) => write(&tiles, &assigned, count).map(Some),
        None => Ok(None),
    }
}

/// Numbers of blocks, and of levels in a group, to try.
fn shapes(of: &Dependences, threads: Threads) -> impl Iterator<Item = (u32, u32)> {
    let (count, depth) = (of.count(), of.depth.max(1));
    let work = of.total / u64::from(threads.wait.max(1));
    let made = move |waits: u64, blocks: u32| {
        // So many tiles that each takes as long as so many waits.
        let wanted = (work / waits.max(1)).min(u64::from(count)).max(1);
        let blocks = threads.count.saturating_mul(blocks).min(count);
        let groups = (wanted / u64::from(blocks.max(1))).min(u64::from(depth)).max(1) as u32;
        (blocks, depth.div_ceil(groups.max(1)))
    };
    let mut seen = [(0, 0); 8];
    let levels = (threads.count.saturating_mul(4).min(count), 1);
    let tried = [(16, 4), (16, 16), (64, 16), (64, 64), (256, 16), (256, 64)];
    let all = tried.into_iter().map(move |(waits, blocks)| made(waits, blocks));
    let first = if threads.is_forced { Some(levels) } else { None };
    first.into_iter().chain(all).enumerate().filter_map(move |(k, shape)| {
        let is_new = !seen.contains(&shape);
        set(&mut seen, k as u32, shape);
        is_new.then_some(shape)
    })
}

/// Sorts the iterations into tiles; none if there would be too many.
pub(crate) fn tiles(of: &Dependences, (blocks, group): (u32, u32), jump: u32) -> Fallible<Option<Tiles>> {
    let (count, group, blocks) = (of.count(), group.max(1), blocks.max(1));
    let groups = of.depth.div_ceil(group);
    let keys = u64::from(groups) * u64::from(blocks);
    if keys > 2 * u64::from(count) + 1024 {
        return Ok(None);
    }
    let block_of = blocks_of(of, blocks)?;
    let key = |i: u32| at(&of.levels, i) / group * blocks + at(&block_of, i);
    // Counting sort; places of keys without iterations are left out.
    let mut numbers = Buffer::filled(keys as usize, 0_u32)?;
    for i in 0..count {
        let k = key(i);
        let known = at(&numbers, k);
        set(&mut numbers, k, known + 1);
    }
    let mut result = Tiles { order: Buffer::filled(count as usize, 0)?, ..Tiles::default() };
    let mut places = Buffer::new();
    let mut sum = 0;
    for k in 0..keys as u32 {
        let length = at(&numbers, k);
        set(&mut numbers, k, places.len() as u32);
        if length > 0 {
            result.starts.push(sum)?;
            places.push(sum)?;
            result.graph.blocks.push(k % blocks)?;
            sum += length;
        }
    }
    result.starts.push(sum)?;
    let mut tile_of = Buffer::filled(count as usize, 0_u32)?;
    for i in 0..count {
        let tile = at(&numbers, key(i));
        let place = at(&places, tile);
        set(&mut result.order, place, i);
        set(&mut places, tile, place + 1);
        set(&mut tile_of, i, tile);
    }
    connect(of, &tile_of, jump, &mut result)?;
    Ok(Some(result))
}

/// The block of each iteration: pieces of the original order of about the same work.
fn blocks_of(of: &Dependences, blocks: u32) -> Fallible<Buffer<u32>> {
    let mut result = Buffer::with_capacity(of.count() as usize)?;
    let (mut before, mut block) = (0_u64, 0_u32);
    let end_of = |block: u32| (u128::from(of.total) * u128::from(block + 1) / u128::from(blocks.max(1))) as u64;
    let mut end = end_of(0);
    for &weight in of.weights.iter() {
        while before >= end && block + 1 < blocks {
            block += 1;
            end = end_of(block);
        }
        result.push(block)?;
        before += u64::from(weight);
    }
    Ok(result)
}

/// Costs of tiles, and what they depend on.
fn connect(of: &Dependences, tile_of: &[u32], jump: u32, tiles: &mut Tiles) -> Fallible<()> {
    let count = tiles.starts.len() as u32 - 1;
    let mut known = Buffer::filled(count as usize, 0_u32)?;
    for tile in 0..count {
        tiles.graph.starts.push(tiles.graph.predecessors.len() as u32)?;
        let mut cost = 0;
        let mut expected = u32::MAX;
        for &i in part(&tiles.order, at(&tiles.starts, tile), at(&tiles.starts, tile + 1)) {
            cost += u64::from(at(&of.weights, i));
            cost += if i == expected { 0 } else { u64::from(jump) };
            expected = i + 1;
            for &p in of.of(i) {
                let other = at(tile_of, p);
                if other != tile && at(&known, other) != tile + 1 {
                    set(&mut known, other, tile + 1);
                    tiles.graph.predecessors.push(other)?;
                }
            }
        }
        tiles.graph.costs.push(cost)?;
    }
    tiles.graph.starts.push(tiles.graph.predecessors.len() as u32)
}

/// Writes down what each thread does.
fn write(tiles: &Tiles, assigned: &Assignment, threads: u32) -> Fallible<Schedule> {
    let mut result = Schedule { cycles: assigned.cycles, ..Schedule::default() };
    for thread in 0..threads {
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
            write_runs(part(&tiles.order, at(&tiles.starts, tile), at(&tiles.starts, tile + 1)), &mut result.runs)?;
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
                    let threads = Threads { count, wait: 10, jump: 16, is_forced: false };
                    let Some(tiles) = tiles(&of, shape, 16).expect("there is memory") else { continue };
                    let assigned = assign::threads(&tiles.graph, threads).expect("there is memory");
                    check(&iterations, &write(&tiles, &assigned, count).expect("there is memory"));
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
            let schedule = best(&of, Threads { count, wait: 100, jump: 16, is_forced: false })
                .expect("there is memory")
                .expect("it pays");
            simulate(&schedule, iterations.len());
            assert!(schedule.cycles * 100 < of.total * percent, "{} of {}", schedule.cycles, of.total);
        }
    }

    #[test]
    fn what_is_independent_does_not_wait() {
        let iterations: Vec<Vec<Access>> = (0..300).map(|i| vec![(i, true)]).collect();
        let schedule = best(&record(&iterations), Threads { count: 2, wait: 100, jump: 16, is_forced: false })
            .expect("there is memory");
        let schedule = schedule.expect("it pays");
        assert!(schedule.tasks.len() <= 8);
        assert!(schedule.waits.is_empty());
        check(&iterations, &schedule);
    }

    #[test]
    fn a_chain_is_left_alone() {
        let iterations: Vec<Vec<Access>> = (0..300).map(|i| vec![(i, false), (i + 1, true)]).collect();
        assert!(
            best(&record(&iterations), Threads { count: 2, wait: 100, jump: 16, is_forced: false })
                .expect("there is memory")
                .is_none()
        );
        assert!(
            best(&record(&[]), Threads { count: 2, wait: 100, jump: 16, is_forced: false })
                .expect("there is memory")
                .is_none()
        );
    }
}
