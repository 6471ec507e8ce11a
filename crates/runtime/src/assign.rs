//! Tiles get threads: list scheduling by the longest way to the end.
//!
//! # Algorithm
//! 1. The *priority* of a tile is the cost of the most expensive chain of tiles that begins with
//!    it.
//! 2. Of the tiles of which all predecessors have a thread, the one with the highest priority comes
//!    next. It goes to the thread that can begin it first; what comes from another thread arrives a
//!    wait later, and takes as long again to be fetched. Among equals, the thread that had the tile
//!    of the same block before has the data.
//! 3. A tile waits for the last of its predecessors on each other thread, unless its thread has
//!    already waited for that one or a later one.
//!
//! The order in which tiles are chosen is a legal one, and every thread executes its tiles in that
//! order, so waits end.
//!
//! Reference: [Adam1974].

use crate::memory::{Buffer, Fallible, at, part, set};
use crate::schedule::{Threads, Wait};

/// The most threads: what is known of them has so many places.
pub const MAX_THREADS: u32 = 64;

/// What depends on what.
#[derive(Debug, Default)]
pub struct Graph {
    /// Costs of the vertices.
    pub costs: Buffer<u64>,
    /// What belongs together.
    pub blocks: Buffer<u32>,
    /// Where the predecessors of each vertex begin, and the end of the last.
    pub starts: Buffer<u32>,
    /// Vertices with lower numbers.
    pub predecessors: Buffer<u32>,
}

impl Graph {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.costs.shorten(0);
        self.blocks.shorten(0);
        self.starts.shorten(0);
        self.predecessors.shorten(0);
    }

    fn count(&self) -> u32 {
        self.costs.len() as u32
    }

    fn of(&self, vertex: u32) -> &[u32] {
        part(&self.predecessors, at(&self.starts, vertex), at(&self.starts, vertex + 1))
    }

    fn cost(&self, vertex: u32) -> u64 {
        self.costs.get(vertex as usize).copied().unwrap_or(0)
    }
}

/// Who does what, and when.
#[derive(Debug, Default)]
pub struct Assignment {
    /// By vertex.
    pub thread_of: Buffer<u32>,
    /// The vertices in the order in which they were chosen.
    pub order: Buffer<u32>,
    /// Where the waits of each vertex of `order` begin, and the end of the last.
    pub wait_starts: Buffer<u32>,
    /// Waits.
    pub waits: Buffer<Wait>,
    /// When everything is finished.
    pub cycles: u64,
}

/// What is known while threads are assigned.
#[derive(Debug)]
struct State {
    /// When each thread is free, and the last block that it worked on.
    free: [u64; MAX_THREADS as usize],
    last: [u32; MAX_THREADS as usize],
    /// How many tiles each thread has.
    lengths: [u32; MAX_THREADS as usize],
    /// When vertices are finished, and their places among those of their threads.
    ends: Buffer<u64>,
    places: Buffer<u32>,
    /// For each thread, how many tiles of each other thread it has waited for.
    known: Buffer<u32>,
}

/// Gives every vertex a thread.
pub fn threads(graph: &Graph, threads: Threads) -> Fallible<Assignment> {
    let count = graph.count();
    let workers = threads.count.clamp(1, MAX_THREADS);
    let mut ready = Ready { heap: Buffer::with_capacity(count as usize)?, priorities: priorities(graph)? };
    let (successor_starts, successors) = successors(graph)?;
    let mut missing = Buffer::with_capacity(count as usize)?;
    for vertex in 0..count {
        missing.push(graph.of(vertex).len() as u32)?;
        if graph.of(vertex).is_empty() {
            ready.push(vertex)?;
        }
    }
    let mut state = State {
        free: [0; MAX_THREADS as usize],
        last: [u32::MAX; MAX_THREADS as usize],
        lengths: [0; MAX_THREADS as usize],
        ends: Buffer::filled(count as usize, 0)?,
        places: Buffer::filled(count as usize, 0)?,
        known: Buffer::filled((workers * workers) as usize, 0)?,
    };
    let mut result = Assignment { thread_of: Buffer::filled(count as usize, 0)?, ..Assignment::default() };
    while let Some(vertex) = ready.pop() {
        place(graph, vertex, Threads { count: workers, ..threads }, &mut state, &mut result)?;
        let next = part(&successors, at(&successor_starts, vertex), at(&successor_starts, vertex + 1));
        for &successor in next {
            let left = at(&missing, successor) - 1;
            set(&mut missing, successor, left);
            if left == 0 {
                ready.push(successor)?;
            }
        }
    }
    result.wait_starts.push(result.waits.len() as u32)?;
    Ok(result)
}

/// Gives a vertex of which all predecessors have one a thread.
fn place(graph: &Graph, vertex: u32, threads: Threads, state: &mut State, result: &mut Assignment) -> Fallible<()> {
    let block = at(&graph.blocks, vertex);
    let mut chosen = (u64::MAX, true, 0);
    for thread in 0..threads.count {
        let mut start = state.free.get(thread as usize).copied().unwrap_or(0);
        for &p in graph.of(vertex) {
            let end = state.ends.get(p as usize).copied().unwrap_or(0);
            let far = if at(&result.thread_of, p) == thread { 0 } else { u64::from(threads.wait) };
            start = start.max(end + far);
        }
        chosen = chosen.min((start, at(&state.last, thread) != block, thread));
    }
    let (start, _, thread) = chosen;
    let is_far = |&p: &u32| at(&result.thread_of, p) != thread;
    let fetched = if graph.of(vertex).iter().any(is_far) { u64::from(threads.wait) } else { 0 };
    let end = start + graph.cost(vertex) + fetched;
    result.wait_starts.push(result.waits.len() as u32)?;
    let mut needed = [0_u32; MAX_THREADS as usize];
    for &p in graph.of(vertex) {
        let other = at(&result.thread_of, p);
        if other != thread {
            let known = at(&needed, other);
            set(&mut needed, other, known.max(at(&state.places, p) + 1));
        }
    }
    for other in 0..threads.count {
        let (count, pair) = (at(&needed, other), thread * threads.count + other);
        if count > at(&state.known, pair) {
            set(&mut state.known, pair, count);
            result.waits.push(Wait { thread: other, count })?;
        }
    }
    let length = at(&state.lengths, thread);
    set(&mut state.lengths, thread, length + 1);
    set(&mut state.places, vertex, length);
    set(&mut state.free, thread, end);
    set(&mut state.last, thread, block);
    set(&mut state.ends, vertex, end);
    set(&mut result.thread_of, vertex, thread);
    result.order.push(vertex)?;
    result.cycles = result.cycles.max(end);
    Ok(())
}

/// By vertex, the cost of the most expensive chain that begins there.
fn priorities(graph: &Graph) -> Fallible<Buffer<u64>> {
    let mut result = Buffer::filled(graph.count() as usize, 0_u64)?;
    for vertex in (0..graph.count()).rev() {
        let own = result.get(vertex as usize).copied().unwrap_or(0) + graph.cost(vertex);
        set(&mut result, vertex, own);
        for &p in graph.of(vertex) {
            let known = result.get(p as usize).copied().unwrap_or(0);
            set(&mut result, p, known.max(own));
        }
    }
    Ok(result)
}

/// The edges the other way round: where they begin, and where they lead to.
fn successors(graph: &Graph) -> Fallible<(Buffer<u32>, Buffer<u32>)> {
    let count = graph.count();
    let mut starts = Buffer::filled(count as usize + 2, 0_u32)?;
    for &p in graph.predecessors.iter() {
        let known = at(&starts, p + 2);
        set(&mut starts, p + 2, known + 1);
    }
    let mut sum = 0;
    for start in starts.iter_mut() {
        sum += *start;
        *start = sum;
    }
    let mut result = Buffer::filled(graph.predecessors.len(), 0_u32)?;
    for vertex in 0..count {
        for &p in graph.of(vertex) {
            let place = at(&starts, p + 1);
            set(&mut result, place, vertex);
            set(&mut starts, p + 1, place + 1);
        }
    }
    Ok((starts, result))
}

/// Vertices that can be executed: a heap, the highest priority first, then the lowest number.
#[derive(Debug)]
struct Ready {
    heap: Buffer<u32>,
    priorities: Buffer<u64>,
}

impl Ready {
    fn key(&self, place: usize) -> (u64, core::cmp::Reverse<u32>) {
        let vertex = self.heap.get(place).copied().unwrap_or(u32::MAX);
        (self.priorities.get(vertex as usize).copied().unwrap_or(0), core::cmp::Reverse(vertex))
    }

    fn exchange(&mut self, a: usize, b: usize) {
        let (one, other) = (at(&self.heap, a as u32), at(&self.heap, b as u32));
        set(&mut self.heap, a as u32, other);
        set(&mut self.heap, b as u32, one);
    }

    fn push(&mut self, vertex: u32) -> Fallible<()> {
        self.heap.push(vertex)?;
        let mut place = self.heap.len() - 1;
        while place > 0 && self.key((place - 1) / 2) < self.key(place) {
            self.exchange(place, (place - 1) / 2);
            place = (place - 1) / 2;
        }
        Ok(())
    }

    fn pop(&mut self) -> Option<u32> {
        let first = self.heap.first().copied()?;
        let last = self.heap.len() - 1;
        self.exchange(0, last);
        self.heap.shorten(last);
        let mut place = 0;
        loop {
            let mut largest = place;
            for child in [2 * place + 1, 2 * place + 2] {
                if child < last && self.key(largest) < self.key(child) {
                    largest = child;
                }
            }
            if largest == place {
                return Some(first);
            }
            self.exchange(place, largest);
            place = largest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(costs: &[u64], edges: &[&[u32]]) -> Graph {
        let mut made = Graph::default();
        for (cost, from) in costs.iter().zip(edges) {
            made.costs.push(*cost).expect("there is memory");
            made.blocks.push(0).expect("there is memory");
            made.starts.push(made.predecessors.len() as u32).expect("there is memory");
            from.iter().for_each(|p| made.predecessors.push(*p).expect("there is memory"));
        }
        made.starts.push(made.predecessors.len() as u32).expect("there is memory");
        made
    }

    #[test]
    fn the_longest_chain_comes_first() {
        // 0 -> 3 -> 4 is the longest chain; 1 and 2 are free.
        let graph = graph(&[5, 1, 1, 5, 5], &[&[], &[], &[], &[0], &[3]]);
        let found = threads(&graph, Threads { count: 2, wait: 1, jump: 0, chains: 4, is_forced: false })
            .expect("there is memory");
        assert_eq!(found.cycles, 15);
        assert_eq!(found.order[0], 0);
        assert!(found.waits.is_empty(), "a chain stays on its thread");
    }

    #[test]
    fn a_thread_does_not_wait_twice_for_the_same() {
        // 0 and 1 run at the same time; what follows needs both.
        let graph = graph(&[5, 5, 5, 5, 5], &[&[], &[], &[0, 1], &[0, 1], &[0, 1, 2, 3]]);
        let found = threads(&graph, Threads { count: 2, wait: 1, jump: 0, chains: 4, is_forced: false })
            .expect("there is memory");
        assert_eq!(found.cycles, 19);
        assert_eq!(found.waits.len(), 3, "{found:?}");
    }

    #[test]
    fn the_heap_is_one() {
        let mut priorities = Buffer::new();
        [3, 9, 1, 9, 4].iter().for_each(|p| priorities.push(*p).expect("there is memory"));
        let mut ready = Ready { heap: Buffer::new(), priorities };
        (0..5).for_each(|v| ready.push(v).expect("there is memory"));
        let order: Vec<u32> = std::iter::from_fn(|| ready.pop()).collect();
        assert_eq!(order, [1, 3, 4, 0, 2]);
    }
}
