//! Operations: how many start per cycle, and how long they take.

use std::hint::black_box;

use crate::Lines;
use crate::clock::Clock;

/// Doubles in a vector of the processor that this program was compiled for.
const LANES: usize = if cfg!(target_feature = "avx512f") {
    8
} else if cfg!(target_feature = "avx") {
    4
} else {
    2
};

/// Sums side by side: more than latency times operations per cycle.
const SUMS: usize = 12;

/// Elements that a kernel adds: they stay in the first cache.
const ELEMENTS: usize = 1024;

/// Vectors of these do not lie in two lines.
#[repr(align(128))]
struct Aligned([u64; ELEMENTS]);

/// `a * b + c`, in one operation where the processor has one.
#[inline(always)]
fn multiply_add(a: f64, b: f64, c: f64) -> f64 {
    if cfg!(any(target_feature = "fma", target_arch = "aarch64")) { a.mul_add(b, c) } else { a * b + c }
}

/// Writes what was measured.
pub(crate) fn write(clock: &Clock, lines: &mut Lines) {
    lines.push("vectors.bytes", (8 * LANES) as f64);
    let operations = operations_per_cycle(clock);
    // Nearly one is one; only halves are thought to exist.
    lines.push("core.flops_per_cycle", ((2.0 * operations).round() / 2.0).max(0.5));
    // Counted already.
    lines.push("vectors.passes", 1.0);
    lines.push("vectors.loop_passes", 1.0);
    lines.push("core.loads_per_cycle", (2.0 * loads_per_cycle(clock)).round().max(1.0) / 2.0);
    lines.push("latency.flop", chain(clock, |x| multiply_add(x, 0.5, 1.0)).round());
    lines.push("latency.divide", chain(clock, |x| 3.0 / x).round());
    lines.push("latency.root", chain(clock, f64::sqrt).round());
    let (double, vector) = divider_cycles(clock, |x: f64| 3.0 / x);
    let (float, _) = divider_cycles(clock, |x: f32| 3.0 / x);
    let (double_root, _) = divider_cycles(clock, f64::sqrt);
    let (float_root, _) = divider_cycles(clock, f32::sqrt);
    lines.push("divider.double_cycles", double);
    lines.push("divider.float_cycles", float);
    lines.push("divider.double_root_cycles", double_root);
    lines.push("divider.float_root_cycles", float_root);
    lines.push("divider.integer_cycles", integer_division_cycles(clock));
    lines.push("divider.vector_bytes", vector_bytes(double, vector));
}

/// Operations on vectors that start per cycle.
fn operations_per_cycle(clock: &Clock) -> f64 {
    let factors = black_box([0.5, 1.0]);
    let mut sums = black_box([[1.0; COLUMNS]; SUMS]);
    let step = clock.cycles(|times| {
        for _ in 0..times {
            advance(&mut sums, factors);
        }
    });
    (SUMS * STEPS * COLUMNS / LANES) as f64 / step
}

/// Columns of which neighbours are lanes.
const COLUMNS: usize = 64;

/// Operations of a chain between a load and a store.
const STEPS: usize = 6;

/// Some steps of many chains. The loop over columns is the only one that is left when those over
/// constants are unrolled, and becomes vector code.
#[inline(never)]
fn advance(sums: &mut [[f64; COLUMNS]; SUMS], [a, b]: [f64; 2]) {
    for column in 0..COLUMNS {
        let mut own: [f64; SUMS] = std::array::from_fn(|sum| sums[sum][column]);
        for _ in 0..STEPS {
            own = own.map(|sum| multiply_add(sum, a, b));
        }
        for (all, own) in sums.iter_mut().zip(own) {
            all[column] = own;
        }
    }
}

fn loads_per_cycle(clock: &Clock) -> f64 {
    let elements = black_box(Box::new(Aligned([1; ELEMENTS])));
    let step = clock.cycles(|times| {
        for _ in 0..times {
            // An exclusive or of vectors is cheaper than a load everywhere.
            black_box(black_box(&elements.0).iter().fold(0, |all, element| all ^ element));
        }
    });
    (ELEMENTS / LANES) as f64 / step
}

/// Cycles of an operation that waits for the one before.
fn chain(clock: &Clock, operation: impl Fn(f64) -> f64) -> f64 {
    const STEPS: usize = 16;
    let step = clock.cycles(|times| {
        let mut x = black_box(1.5);
        for _ in 0..times {
            for _ in 0..STEPS {
                x = operation(x);
            }
        }
        black_box(x);
    });
    step / STEPS as f64
}

/// Operations that do not wait for each other.
const DIVISIONS: usize = 64;

/// Cycles of an operation on a number, one at a time, and in vectors as wide as those of the
/// program, for numbers that follow one another.
fn divider_cycles<T: Copy + From<f32>>(clock: &Clock, operation: impl Fn(T) -> T) -> (f64, f64) {
    let numbers = black_box([T::from(1.5); DIVISIONS]);
    let alone = clock.cycles(|times| {
        for _ in 0..times {
            for &number in &numbers {
                black_box(operation(black_box(number)));
            }
        }
    });
    let together = clock.cycles(|times| {
        for _ in 0..times {
            black_box(black_box(&numbers).map(&operation));
        }
    });
    (alone / DIVISIONS as f64, together / DIVISIONS as f64)
}

fn integer_division_cycles(clock: &Clock) -> f64 {
    let step = clock.cycles(|times| {
        for _ in 0..times {
            for _ in 0..DIVISIONS {
                black_box(black_box(1_000_003i32) / black_box(17i32));
            }
        }
    });
    step / DIVISIONS as f64
}

/// The widest vector that takes no longer than a number of eight bytes, where one of those takes so
/// long alone and in a vector.
fn vector_bytes(alone: f64, together: f64) -> f64 {
    let numbers = (alone / together).clamp(1.0, LANES as f64);
    8.0 * numbers.log2().round().exp2()
}
