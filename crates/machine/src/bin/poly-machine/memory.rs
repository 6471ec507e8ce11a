//! Throughput of the levels of memory, for one thread and for two.

use std::hint::black_box;
use std::mem::MaybeUninit;
use std::thread;

use crate::Lines;
use crate::clock::{Clock, shortest_ns};
use crate::system::System;

/// Bytes of the largest array at most.
const MOST_BYTES: usize = 512 << 20;

/// Writes what was measured.
pub(crate) fn write(clock: &Clock, system: &System, lines: &mut Lines) {
    let sizes: Vec<usize> = system.caches.iter().map(|cache| cache.bytes as usize).collect();
    let mut before = 0.0;
    let mut last = (0.0, 0);
    for (level, &size) in sizes.iter().enumerate() {
        // An array of the level behind: half of it, but much more than what is before it. Behind
        // the last one is main memory.
        let next = sizes.get(level + 1).map_or(4 * size, |&next| next / 2).max(2 * size).min(MOST_BYTES);
        let line = cycles_per_line(clock, next, system.line_bytes);
        // The model adds what a line costs at each level.
        lines.push(&format!("l{}.fill_cycles", level + 1), (line - before).max(0.25));
        before = line;
        last = (line, next);
    }
    let (line, bytes) = last;
    lines.push("memory.scattered_factor", (scattered(clock, bytes, system.line_bytes) / line).max(1.0));
    pages(clock, system.page_bytes.unwrap_or(4096), system.line_bytes, lines);
    lines.push("memory.small_allocation_cycles", small_allocation_cycles(clock));
    lines.push("memory.new_byte_cycles", new_byte_cycles(clock));
    if thread::available_parallelism().is_ok_and(|threads| threads.get() > 1) {
        let further = two_threads(bytes) - 1.0;
        lines.push("threads.bandwidth", further.clamp(0.05, 1.0));
    }
}

/// Sum of all elements.
fn sum(elements: &[u64]) -> u64 {
    elements.iter().fold(0, |all, element| all ^ element)
}

/// Cycles to read a line of an array of so many bytes that is read again and again.
fn cycles_per_line(clock: &Clock, bytes: usize, line: u64) -> f64 {
    let elements = vec![1u64; bytes / 8];
    // One piece after the other, so that none of what is measured takes long.
    let mut pieces = elements.chunks_exact((16 << 10) / 8).cycle();
    let piece = clock.cycles(|times| {
        for piece in pieces.by_ref().take(times as usize) {
            black_box(sum(black_box(piece)));
        }
    });
    piece / ((16 << 10) as f64 / line as f64)
}

/// The same for lines in an order that nothing foresees, which do not wait for each other.
fn scattered(clock: &Clock, bytes: usize, line: u64) -> f64 {
    let per_line = line as usize / 8;
    let lines = bytes / line as usize;
    let elements = vec![1u64; lines * per_line];
    let pass = clock.cycles(|times| {
        let (mut place, mut all) = (1usize, 0);
        for _ in 0..times {
            for _ in 0..4096 {
                place = place.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                all ^= elements[(place >> 24) % lines * per_line];
            }
        }
        black_box(all);
    });
    pass / 4096.0
}

/// How many pages have their addresses kept, and what it costs to find those of others.
fn pages(clock: &Clock, bytes: u64, line: u64, lines: &mut Lines) {
    let visit = |pages: usize| visit_cycles(clock, pages, bytes as usize, line as usize);
    let (few, many) = (visit(FEW_PAGES), visit(MANY_PAGES));
    // Large pages leave nothing to be seen.
    let walk = many - few;
    if walk < 1.0 {
        return;
    }
    let counts = (1..).map(|steps| FEW_PAGES + steps * PAGE_STEP).take_while(|&pages| pages < MANY_PAGES);
    let kept = counts.take_while(|&pages| visit(pages) < few + 0.25 * walk).last().unwrap_or(FEW_PAGES);
    lines.push("pages.kept", kept as f64);
    lines.push("pages.walk_cycles", walk);
}

/// Pages that every processor keeps, and that none does; those between are tried in steps.
const FEW_PAGES: usize = 512;
const MANY_PAGES: usize = 16 << 10;
const PAGE_STEP: usize = 256;

/// Cycles to read a line of each of so many pages, one after the other, again and again.
fn visit_cycles(clock: &Clock, pages: usize, bytes: usize, line: usize) -> f64 {
    let step = (bytes + line) / 8;
    let elements = vec![1u64; pages * step];
    let mut places = (0..pages).cycle();
    clock.cycles(|times| {
        let mut all = 0;
        for page in places.by_ref().take(times as usize) {
            all ^= elements[page * step];
        }
        black_box(all);
    })
}

/// Cycles to allocate and free a block that the program has had before, and to touch the lines at
/// its ends.
fn small_allocation_cycles(clock: &Clock) -> f64 {
    const BYTES: usize = 16 << 10;
    let block = clock.cycles(|times| {
        for _ in 0..times {
            let mut block: Vec<u8> = Vec::with_capacity(black_box(BYTES));
            let places = block.spare_capacity_mut();
            (places[0], places[BYTES - 1]) = (MaybeUninit::new(1), MaybeUninit::new(1));
            black_box(block);
        }
    });
    // Between other code, what the allocator touches is not at hand.
    ALLOCATOR_COLD * block
}

/// How many times as long a call of the allocator takes that does not come right behind the last
/// one.
const ALLOCATOR_COLD: f64 = 4.0;

/// Cycles to touch a byte of new memory.
fn new_byte_cycles(clock: &Clock) -> f64 {
    const BYTES: usize = 32 << 20;
    let pass = clock.cycles(|times| {
        for _ in 0..times {
            black_box(vec![black_box(1u8); BYTES]);
        }
    });
    pass / BYTES as f64
}

/// How many times as much two threads read as one, each an array of its own.
fn two_threads(bytes: usize) -> f64 {
    let arrays = [vec![1u64; bytes / 16], vec![1u64; bytes / 16]];
    let read = |array: &[u64]| {
        for _ in 0..2 {
            black_box(sum(black_box(array)));
        }
    };
    let one = shortest_ns(|times| (0..times).for_each(|_| arrays.iter().for_each(|array| read(array))));
    let both = shortest_ns(|times| {
        for _ in 0..times {
            thread::scope(|scope| arrays.iter().for_each(|array| _ = scope.spawn(|| read(array))));
        }
    });
    one / both
}
