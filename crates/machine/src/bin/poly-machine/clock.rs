//! Time in cycles.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How fast the core runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    /// Cycles per nanosecond.
    pub(crate) cycles_per_ns: f64,
}

/// Repetitions of a measurement; the shortest one counts.
const REPETITIONS: usize = 40;

/// A measurement is repeated until it takes so long: much longer than it takes to look at the
/// clock, and short enough to be rarely interrupted.
const LONG_ENOUGH: Duration = Duration::from_micros(500);

/// Nanoseconds for one call of `work`, which does its work so many times.
pub(crate) fn shortest_ns(mut work: impl FnMut(u64)) -> f64 {
    let mut times = 1;
    let mut timed = |times: u64| {
        let start = Instant::now();
        work(times);
        start.elapsed()
    };
    // Also warms up caches and clock.
    while timed(times) < LONG_ENOUGH {
        times *= 2;
    }
    let runs = (0..REPETITIONS).map(|_| timed(times));
    runs.min().unwrap_or_default().as_nanos() as f64 / times as f64
}

impl Clock {
    /// A rotation and an addition that need each other take two cycles on all processors of the
    /// table.
    pub(crate) fn measure() -> Self {
        let step = shortest_ns(|times| {
            let mut x = black_box(1u64);
            for _ in 0..times {
                for _ in 0..16 {
                    x = x.rotate_left(5).wrapping_add(0x9e37_79b9);
                }
            }
            black_box(x);
        });
        Self { cycles_per_ns: 32.0 / step }
    }

    /// Cycles for one call of `work`.
    pub(crate) fn cycles(&self, work: impl FnMut(u64)) -> f64 {
        shortest_ns(work) * self.cycles_per_ns
    }
}
