//! What the cost model knows of the processor.

/// Sizes and costs of the target. All of them are plain data, given by the caller: the same values give the same decisions on every host.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// Bytes of the data caches, nearest first. The last one is what one core can use of a shared cache.
    pub caches: Vec<u64>,
    /// Bytes of the first cache for tiles in time, which go along whole rows, so that nothing of it is lost to conflicts.
    pub row_cache: u64,
    /// Cycles to bring one line from the level behind each cache (same order; the last one is main memory) when lines are
    /// neighbours and the hardware prefetches: what the throughput of the level allows, not its latency.
    pub line_cycles: Vec<f64>,
    /// Factor on [`Machine::line_cycles`] when consecutive iterations touch lines that are far apart.
    pub scattered_factor: f64,
    /// Bytes of a cache line.
    pub line_bytes: u64,
    /// Bytes of a vector register.
    pub vector_bytes: u64,
    /// Vector registers.
    pub vector_registers: u32,
    /// Bytes of the vectors that register tiles are made of: the widest ones that the target has.
    pub tile_vector_bytes: u64,
    /// Their number.
    pub tile_registers: u32,
    /// Points of an innermost loop that do not fill a vector are one more vector, which is masked, and not executed one by one.
    pub masks: bool,
    /// Floating-point (vector) operations that start per cycle.
    pub flops_per_cycle: f64,
    /// Loads and stores that start per cycle.
    pub accesses_per_cycle: f64,
    /// Cycles until a floating-point add or multiply-add is available to the next one.
    pub flop_latency: f64,
    /// Instructions that are executed side by side at most, as far as they do not depend on each other: short loops overlap with the next ones. 0 if
    /// that is not to be counted on.
    pub window: f64,
    /// Cycles that one scalar division or square root keeps its unit busy.
    pub divide_cycles: f64,
    /// Cycles to enter and leave an innermost loop once.
    pub loop_cycles: f64,
    /// What each further thread adds to the throughput of main memory, as a part of what one thread gets.
    pub thread_bandwidth: f64,
    /// Cycles to start and join the threads of one parallel region.
    pub fork_cycles: f64,
    /// Cycles until there are threads at all, for the first parallel region of a program.
    pub start_cycles: f64,
}

/// Part of a cache that holds what the model sees; the rest is for what it does not see, and for conflicts.
const USABLE: f64 = 0.7;

/// Data of so many times the size of a cache are always gone before they are used again.
const EXCEEDED: f64 = 1.3;

impl Machine {
    /// Part of so many bytes that is no longer in a cache of a size when they are gone through again. Caches do not fail all at once: their policies of
    /// replacement keep some of what is a little too large for them.
    pub(crate) fn lost(bytes: f64, cache: u64) -> f64 {
        ((bytes / cache as f64 - USABLE) / (EXCEEDED - USABLE)).clamp(0.0, 1.0)
    }
}

impl Default for Machine {
    /// A server core of the last years: 32 KiB, 1 MiB and 32 MiB of cache, 256-bit vectors.
    fn default() -> Self {
        Self {
            caches: vec![32 << 10, 1 << 20, 32 << 20],
            row_cache: 32 << 10,
            line_cycles: vec![1.75, 3.0, 16.0],
            scattered_factor: 4.0,
            line_bytes: 64,
            vector_bytes: 32,
            vector_registers: 16,
            tile_vector_bytes: 32,
            tile_registers: 16,
            masks: false,
            flops_per_cycle: 2.0,
            accesses_per_cycle: 2.0,
            flop_latency: 4.0,
            window: 0.0,
            divide_cycles: 5.0,
            loop_cycles: 12.0,
            thread_bandwidth: 0.25,
            fork_cycles: 10_000.0,
            start_cycles: 500_000.0,
        }
    }
}
