//! The table of processors.
//!
//! # Sources
//! * *LLVM*: the scheduling models of LLVM 19, as `llvm-mca -mcpu=NAME` prints latencies and
//!   reciprocal throughputs (for Apple's processors there is only the model of a predecessor,
//!   Cyclone).
//! * *Optimization manuals* of the vendors: sizes and ways of caches, loads and stores per cycle,
//!   entries of buffers: [Intel2024], [AMD2024], [Arm2024], [Fujitsu2020]; Apple has none, its
//!   numbers are those that [Johnson2021] measured.
//! * [Fog2024]: instruction tables: operations on integer vectors per cycle, and all where LLVM's
//!   models are known to be copies of those of other processors (Zen 5).
//! * *Estimates*: the throughput of the levels behind the first cache, threads, the costs of code
//!   and of the system. They were measured on a server with Zen 4 and are taken for the others
//!   where nothing is said; `poly-machine` measures them on others.
//!
//! Sizes of last caches are those of common models of a family. Numbers that are not given are
//! those of [`generic`].

use crate::{Cache, Code, Core, Divider, Latency, Machine, Memory, Pages, Prefetch, Threads, Vectors};

/// An entry of the table.
#[derive(Clone, Copy, Debug)]
pub struct Processor {
    /// Its name, as `-march` or `-mcpu` has it.
    pub name: &'static str,
    /// Other processors that are the same as far as the model knows.
    pub aliases: &'static [&'static str],
    describe: fn(&mut Machine),
}

impl Processor {
    /// What the model knows of it.
    pub fn machine(&self) -> Machine {
        let mut machine = generic();
        self.name.clone_into(&mut machine.name);
        (self.describe)(&mut machine);
        machine
    }

    /// The entry with this name, which may be that of an alias.
    ///
    /// # Errors
    /// The names that there are.
    pub fn named(name: &str) -> Result<&'static Processor, String> {
        Self::find(name).ok_or_else(|| {
            let names: Vec<&str> = PROCESSORS.iter().map(|processor| processor.name).collect();
            format!("there is no processor '{name}'; there are {}", names.join(", "))
        })
    }

    /// The same, if there is one.
    pub(crate) fn find(name: &str) -> Option<&'static Processor> {
        PROCESSORS.iter().find(|processor| processor.name == name || processor.aliases.contains(&name))
    }
}

/// A server core of the last years with vectors of 256 bits. Estimates where nothing is said.
pub(crate) fn generic() -> Machine {
    Machine {
        name: "generic".to_owned(),
        caches: vec![cache(32 << 10, 8, 1, 1.75), cache(1 << 20, 8, 1, 3.0), cache(32 << 20, 16, 8, 16.0)],
        memory: Memory {
            line_bytes: 64,
            scattered_factor: 4.0,
            near_scattered_factor: 1.08,
            // Zen 5, columns of 256 rows of 1024 and 4096 bytes: 3 and 8 cycles a load, 20 and 34 a
            // store; with rows of 1088 bytes 0.6 and 1.2.
            crowded_load_cycles: 4.0,
            crowded_store_cycles: 20.0,
            copy_line_cycles: 8.0,
            small_allocation_cycles: 200.0,
            // The threshold of glibc's allocator.
            mapped_bytes: 128 << 10,
            allocation_cycles: 30_000.0,
            new_byte_cycles: 0.3,
        },
        // 64 entries: all x86 processors of the table but Zen 4 and 5, which have 72 and 96. The
        // second buffer has as many as those of Zen 2 and 3 and of Ice Lake.
        pages: Pages { bytes: 4096, at_hand: 64, visit_cycles: 5.0, kept: 2048, walk_cycles: 20.0 },
        // [Intel2024]: the streamer follows 32 streams, one forward and one backward in a page.
        prefetch: Prefetch { streams: 16, start_lines: 4.0, ahead_bytes: 512, ahead_iterations: 8 },
        vectors: Vectors {
            bytes: 32,
            registers: 16,
            loop_bytes: 32,
            interleaved: 4.0,
            masks: false,
            masked_accesses: false,
            gathers: false,
            slow_gathers: false,
            blend_operations: 1.0,
            minimum_operations: 1.0,
            fused: true,
            embedded_broadcast: false,
            passes: 1.0,
            loop_passes: 1.0,
            // AVX2 on Zen 2 to 5: 12 to 14 for 256 bits, in microcode; on Intel's a store and an
            // operation.
            masked_load_cycles: 0.0,
            masked_store_cycles: 12.0,
            least_masked_store_cycles: 0.5,
            gather_cycles: 0.7,
            scatter_cycles: 1.4,
            shift_cycles: 2.0,
        },
        // The divider is that of Zen 3. Intel's take 4 and 8 cycles for one number and for 256
        // bits.
        core: Core {
            flops_per_cycle: 2.0,
            integers_per_cycle: 2.0,
            accesses_per_cycle: 2.0,
            loads_per_cycle: 2.0,
            stores_per_cycle: 1.0,
            width: 4.0,
            cycles_per_nanosecond: 3.0,
            window: 512.0,
            waiting: 0.5,
            integer_registers: 16,
            // The low twelve bits, in which virtual and physical addresses agree.
            alias_bytes: 4096,
        },
        divider: Divider {
            double_cycles: 5.0,
            float_cycles: 3.0,
            double_root_cycles: 9.0,
            float_root_cycles: 5.0,
            integer_cycles: 13.0,
            vector_bytes: 32,
        },
        latency: Latency {
            flop: 4.0,
            divide: 13.0,
            root: 16.0,
            call: 20.0,
            multiply: 3.0,
            simple: 1.0,
            // [Fog2024]: Zen 1 to 4; Intel's take 3 or 4.
            extreme: 1.0,
            // Zen 1: a first place of a minimum takes 2.3 to 2.6 cycles an iteration.
            flags: 2.0,
            memory: 5.0,
            demoted: 5.0,
            masked_memory: 28.0,
            lanes_in_memory: 40.0,
            shift: 3.0,
        },
        code: Code {
            loop_cycles: 12.0,
            row_cycles: 24.0,
            block_row_cycles: 3.0,
            restart_cycles: 20.0,
            foreseen_iterations: 16.0,
            mask_lane_cycles: 1.3,
            check_cycles: 100.0,
            check_row_cycles: 4.0,
        },
        threads: Threads { bandwidth: 0.25, fork_cycles: 10_000.0, start_cycles: 500_000.0, wait_cycles: 300.0 },
    }
}

const fn cache(bytes: u64, ways: u64, sharers: u64, fill_cycles: f64) -> Cache {
    Cache { bytes, ways, sharers, fill_cycles }
}

/// The same without what SSE4.1 has brought.
fn sse2(m: &mut Machine) {
    sse(m);
    without_blends(&mut m.vectors);
}

/// SSE2: lanes are chosen by two conjunctions and their union, a minimum is so chosen behind its
/// comparison.
pub(crate) fn without_blends(vectors: &mut Vectors) {
    (vectors.blend_operations, vectors.minimum_operations) = (3.0, 4.0);
}

/// Vectors of 128 bits without multiply-add.
fn sse(m: &mut Machine) {
    (m.vectors.bytes, m.vectors.loop_bytes) = (16, 16);
    m.vectors.interleaved = 2.0;
    m.vectors.fused = false;
}

/// AVX2 and FMA.
fn avx2(m: &mut Machine) {
    (m.vectors.masked_accesses, m.vectors.gathers) = (true, true);
}

/// AVX-512, of which LLVM makes loops with vectors of `loop_bytes`.
fn avx512(m: &mut Machine, loop_bytes: u64) {
    let vectors = Vectors { bytes: 64, registers: 32, loop_bytes, masks: true, gathers: true, ..m.vectors };
    m.vectors = Vectors { masked_accesses: true, embedded_broadcast: true, ..vectors };
}

/// Advanced SIMD: 32 registers of 128 bits. Multiplications by a lane of a register need no
/// broadcast, but one register for some of them.
fn neon(m: &mut Machine) {
    (m.vectors.bytes, m.vectors.loop_bytes, m.vectors.registers) = (16, 16, 32);
    m.core.integer_registers = 31;
    // LLVM, Neoverse N1: a comparison and a choice by its flags; no instruction is `a < b ? a : b`.
    m.latency.extreme = 4.0;
    m.divider = divider([7.0, 7.0], [7.0, 7.0], 5.0, 16);
}

/// What the fields of [`Core`] are that differ between processors: operations, accesses, loads and
/// stores per cycle, width, window. Processors whose manuals have more loads and stores together
/// than loads have as many as loads here, which is what loops were seen to sustain.
fn core(m: &mut Machine, [flops, accesses, loads, stores]: [f64; 4], width: f64, window: f64) {
    let integers_per_cycle = flops;
    let counts = Core {
        flops_per_cycle: flops,
        integers_per_cycle,
        accesses_per_cycle: accesses,
        loads_per_cycle: loads,
        ..m.core
    };
    m.core = Core { stores_per_cycle: stores, width, window, ..counts };
}

/// The divider of Intel's processors since Skylake; LLVM: vectors of 256 bits, and those of 512,
/// take two and four times as long as those of 128.
fn intel_divider(m: &mut Machine) {
    (m.latency.divide, m.latency.root) = (14.0, 18.0);
    // LLVM: minima and maxima are additions.
    m.latency.extreme = 4.0;
    m.divider = divider([4.0, 3.0], [6.0, 3.0], 16.5, 16);
}

/// Masked stores with AVX2 on Zen 2 to 5.
fn zen_masked_stores(m: &mut Machine) {
    (m.vectors.masked_store_cycles, m.vectors.least_masked_store_cycles) = (12.0, 12.0);
}

/// The divider of Zen 3 and 4, of 256 bits. LLVM: 13 and every 5, 21 and every 9, and half as often
/// for vectors of 512 bits.
fn zen_divider(m: &mut Machine) {
    m.latency.root = 21.0;
    m.divider = divider([5.0, 3.0], [9.0, 5.0], 13.0, 32);
}

/// A divider: cycles for divisions of eight and four bytes, for square roots of them, for integers
/// of four bytes; and the bytes of its vectors.
const fn divider([double, float]: [f64; 2], root: [f64; 2], integer: f64, bytes: u64) -> Divider {
    Divider {
        double_cycles: double,
        float_cycles: float,
        double_root_cycles: root[0],
        float_root_cycles: root[1],
        integer_cycles: integer,
        vector_bytes: bytes,
    }
}

/// The processors that the model knows.
pub const PROCESSORS: &[Processor] = &[
    Processor { name: "generic", aliases: &[], describe: |_| {} },
    // The levels of the x86-64 ABI: usual server cores with their vectors.
    Processor { name: "x86-64", aliases: &["k8", "core2", "nocona"], describe: sse2 },
    Processor {
        name: "x86-64-v2",
        aliases: &["nehalem", "westmere", "sandybridge", "ivybridge", "silvermont"],
        describe: sse,
    },
    Processor { name: "x86-64-v3", aliases: &[], describe: avx2 },
    Processor {
        name: "x86-64-v4",
        aliases: &[],
        describe: |m| {
            // As Ice Lake and Zen 5 have it.
            m.caches[0] = cache(48 << 10, 12, 1, 1.75);
            avx512(m, 64);
        },
    },
    // [Intel2024]; LLVM: multiply-add 5, division every 14 cycles, of 256 bits every 28.
    Processor {
        name: "haswell",
        aliases: &["broadwell", "core-avx2"],
        describe: |m| {
            avx2(m);
            m.vectors.masked_store_cycles = 0.5;
            m.pages.kept = 1024;
            m.caches[1] = cache(256 << 10, 8, 1, 6.0);
            m.caches[2] = cache(32 << 20, 16, 12, 16.0);
            core(m, [2.0, 2.0, 2.0, 1.0], 4.0, 192.0);
            (m.latency.flop, m.latency.divide, m.latency.extreme) = (5.0, 20.0, 3.0);
            m.divider = divider([14.0, 7.0], [14.0, 7.0], 16.5, 16);
        },
    },
    // [Intel2024]; LLVM: 4, 14 and every 4.
    Processor {
        name: "skylake",
        aliases: &["kabylake", "coffeelake", "cometlake"],
        describe: |m| {
            avx2(m);
            m.vectors.masked_store_cycles = 0.5;
            m.pages.kept = 1536;
            m.caches[1] = cache(256 << 10, 4, 1, 4.0);
            m.caches[2] = cache(8 << 20, 16, 4, 10.0);
            core(m, [2.0, 2.0, 2.0, 1.0], 4.0, 224.0);
            m.core.integers_per_cycle = 3.0;
            intel_divider(m);
        },
    },
    // [Intel2024]: 1.375 MiB of the last cache for each of up to 28 cores.
    Processor {
        name: "skylake-avx512",
        aliases: &["skx", "cascadelake", "cooperlake"],
        describe: |m| {
            avx512(m, 32);
            m.vectors.masked_store_cycles = 0.5;
            m.pages.kept = 1536;
            m.caches[1] = cache(1 << 20, 16, 1, 6.0);
            m.caches[2] = cache(38 << 20, 11, 28, 16.0);
            core(m, [2.0, 2.0, 2.0, 1.0], 4.0, 224.0);
            intel_divider(m);
        },
    },
    // [Intel2024]: 1.5 MiB of the last cache for each of up to 40 cores, two stores per cycle (one
    // of 512 bits), five instructions.
    Processor {
        name: "icelake-server",
        aliases: &["icelake-client", "tigerlake", "rocketlake"],
        describe: |m| {
            avx512(m, 32);
            m.vectors.masked_store_cycles = 0.5;
            m.caches = vec![cache(48 << 10, 12, 1, 1.75), cache(1280 << 10, 20, 1, 6.0), cache(60 << 20, 12, 40, 16.0)];
            core(m, [2.0, 2.0, 2.0, 1.0], 5.0, 352.0);
            intel_divider(m);
        },
    },
    // [Intel2024]: 1.875 MiB of the last cache for each of up to 56 cores; three loads per cycle,
    // two of 512 bits.
    Processor {
        name: "sapphirerapids",
        aliases: &["emeraldrapids", "graniterapids", "alderlake", "raptorlake"],
        describe: |m| {
            avx512(m, 32);
            m.vectors.masked_store_cycles = 0.5;
            m.caches = vec![cache(48 << 10, 12, 1, 1.75), cache(2 << 20, 16, 1, 6.0), cache(105 << 20, 15, 56, 16.0)];
            m.pages.at_hand = 96;
            core(m, [2.0, 2.0, 2.0, 1.0], 6.0, 512.0);
            intel_divider(m);
        },
    },
    // [AMD2024] for family 17h, models 00h to 2Fh: units, loads (two) and stores (one) of 128 bits,
    // which vectors of 256 bits enter twice; four cores share 8 MiB. Masked loads are microcode:
    // measured 7 cycles. LLVM: multiply-add 5; measured: divisions every 4.5, of 256 bits every 9.
    Processor {
        name: "znver1",
        aliases: &[],
        describe: |m| {
            avx2(m);
            zen_masked_stores(m);
            (m.vectors.passes, m.vectors.loop_passes) = (2.0, 2.0);
            m.vectors.masked_load_cycles = 6.0;
            // Measured at 16 MB, where all pages are kept: 5.4 ns a line along rows, 12 along columns.
            m.memory.scattered_factor = 2.2;
            m.pages.kept = 1536;
            m.caches[1] = cache(512 << 10, 8, 1, 3.0);
            m.caches[2] = cache(8 << 20, 16, 4, 16.0);
            core(m, [2.0, 2.0, 2.0, 1.0], 5.0, 192.0);
            m.core.integers_per_cycle = 3.0;
            (m.latency.flop, m.latency.root) = (5.0, 20.0);
            m.divider = divider([4.5, 3.0], [8.0, 5.0], 14.0, 16);
        },
    },
    // [AMD2024] for family 17h: four cores share 16 MiB. LLVM: multiply-add 5, division every 6
    // cycles, also of 256 bits.
    Processor {
        name: "znver2",
        aliases: &[],
        describe: |m| {
            avx2(m);
            zen_masked_stores(m);
            m.caches[1] = cache(512 << 10, 8, 1, 3.0);
            m.caches[2] = cache(16 << 20, 16, 4, 16.0);
            core(m, [2.0, 2.0, 2.0, 1.0], 6.0, 224.0);
            m.core.integers_per_cycle = 3.0;
            (m.latency.flop, m.latency.root) = (5.0, 20.0);
            m.divider = divider([6.0, 5.0], [10.0, 7.0], 25.0, 32);
        },
    },
    // [AMD2024] for family 19h: eight cores share 32 MiB; three loads per cycle, two of vectors.
    // LLVM: 4, 13 and every 5.
    Processor {
        name: "znver3",
        aliases: &[],
        describe: |m| {
            avx2(m);
            zen_masked_stores(m);
            m.caches[1] = cache(512 << 10, 8, 1, 3.0);
            core(m, [2.0, 2.0, 2.0, 1.0], 6.0, 256.0);
            m.core.integers_per_cycle = 4.0;
            zen_divider(m);
        },
    },
    // The same for models 10h and later: units of 256 bits, which vectors of 512 bits enter twice.
    // Predictions of loops were compared with measurements as if they did so once.
    Processor {
        name: "znver4",
        aliases: &[],
        describe: |m| {
            avx512(m, 64);
            zen_masked_stores(m);
            m.vectors.passes = 2.0;
            // Microcode. Measured: 1.4 cycles a lane for the same addresses again and again, 1.8 in
            // a product of a matrix of 31 rows and a vector; 0.7 with a load for each lane.
            m.vectors.slow_gathers = true;
            (m.pages.at_hand, m.pages.kept) = (72, 3072);
            core(m, [2.0, 2.0, 2.0, 1.0], 6.0, 320.0);
            m.core.integers_per_cycle = 4.0;
            zen_divider(m);
        },
    },
    // [AMD2024] for family 1Ah, [Fog2024]: 48 KiB, units, loads (two) and stores (one) of 512 bits.
    Processor {
        name: "znver5",
        aliases: &[],
        describe: |m| {
            avx512(m, 64);
            zen_masked_stores(m);
            m.caches[0] = cache(48 << 10, 12, 1, 1.75);
            m.caches[1] = cache(1 << 20, 16, 1, 3.0);
            (m.pages.at_hand, m.pages.kept) = (96, 4096);
            core(m, [2.0, 2.0, 2.0, 1.0], 8.0, 448.0);
            m.core.integers_per_cycle = 4.0;
            zen_divider(m);
        },
    },
    // The usual server core with Advanced SIMD.
    Processor { name: "aarch64", aliases: &["armv8-a", "cortex-a72"], describe: neon },
    // [Arm2024]: two vector pipes, two loads or stores per cycle; LLVM: 4, 15 and every 7, of 128
    // bits as well.
    Processor {
        name: "neoverse-n1",
        aliases: &["cortex-a76", "ampere1"],
        describe: |m| {
            neon(m);
            m.caches = vec![cache(64 << 10, 4, 1, 2.0), cache(1 << 20, 8, 1, 4.0), cache(32 << 20, 16, 64, 10.0)];
            (m.pages.at_hand, m.pages.kept) = (48, 1280);
            core(m, [2.0, 2.0, 2.0, 1.0], 4.0, 128.0);
            (m.latency.divide, m.latency.root) = (15.0, 17.0);
        },
    },
    // [Arm2024]: four vector pipes, three loads, two stores. LLVM: 4, 15 and every 3.5.
    Processor {
        name: "neoverse-v1",
        aliases: &["cortex-x1", "neoverse-n2"],
        describe: |m| {
            neon(m);
            m.caches = vec![cache(64 << 10, 4, 1, 2.0), cache(1 << 20, 8, 1, 4.0), cache(32 << 20, 16, 64, 8.0)];
            m.pages.at_hand = 48;
            core(m, [4.0, 3.0, 3.0, 2.0], 8.0, 256.0);
            m.latency.divide = 15.0;
            m.divider = divider([3.5, 3.5], [3.5, 3.5], 5.0, 16);
        },
    },
    // The same with a window of 320 instructions and 2 MiB; divisions of 128 bits take twice as
    // long as those of 64.
    Processor {
        name: "neoverse-v2",
        aliases: &["grace", "cortex-x3"],
        describe: |m| {
            neon(m);
            m.caches = vec![cache(64 << 10, 4, 1, 2.0), cache(2 << 20, 8, 1, 4.0), cache(32 << 20, 16, 64, 6.0)];
            m.pages.at_hand = 48;
            core(m, [4.0, 3.0, 3.0, 2.0], 8.0, 320.0);
            m.latency.divide = 15.0;
            m.divider = divider([4.0, 2.5], [4.0, 2.5], 12.0, 8);
        },
    },
    // [Johnson2021] measured M1; the others are estimates. No third cache but one that the whole
    // chip shares, which is left out.
    Processor { name: "apple-m1", aliases: &["apple-a14", "apple-latest"], describe: |m| apple(m, 12 << 20, 630.0) },
    Processor { name: "apple-m2", aliases: &["apple-a15"], describe: |m| apple(m, 16 << 20, 630.0) },
    Processor { name: "apple-m3", aliases: &["apple-a16", "apple-a17"], describe: |m| apple(m, 16 << 20, 670.0) },
    Processor { name: "apple-m4", aliases: &["apple-a18"], describe: |m| apple(m, 16 << 20, 670.0) },
    // [Fujitsu2020]: lines of 256 bytes, twelve cores share 8 MiB, latencies of 9. Its 512-bit
    // vectors are SVE, which Poly makes no code for.
    Processor {
        name: "a64fx",
        aliases: &[],
        describe: |m| {
            neon(m);
            m.memory.line_bytes = 256;
            m.caches = vec![cache(64 << 10, 4, 1, 4.0), cache(8 << 20, 16, 12, 16.0)];
            m.pages = Pages { bytes: 64 << 10, at_hand: 16, kept: 1024, ..m.pages };
            core(m, [2.0, 2.0, 2.0, 1.0], 4.0, 128.0);
            (m.latency.flop, m.latency.divide, m.latency.root) = (9.0, 43.0, 43.0);
            m.latency.multiply = 5.0;
            m.divider = divider([43.0, 29.0], [43.0, 29.0], 39.0, 64);
        },
    },
];

/// A performance core of Apple's: four vector pipes, three loads, two stores.
fn apple(m: &mut Machine, second: u64, window: f64) {
    neon(m);
    m.memory.line_bytes = 128;
    m.caches = vec![cache(128 << 10, 8, 1, 4.0), cache(second, 12, 4, 7.0)];
    m.pages = Pages { bytes: 16 << 10, at_hand: 160, kept: 3072, ..m.pages };
    core(m, [4.0, 4.0, 3.0, 2.0], 8.0, window);
    m.divider = divider([1.0, 1.0], [2.0, 2.0], 2.0, 16);
    m.latency.divide = 10.0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_different() {
        let names = PROCESSORS.iter().flat_map(|p| [p.name].into_iter().chain(p.aliases.iter().copied()));
        let mut names: Vec<&str> = names.collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn descriptions_are_possible() {
        for machine in PROCESSORS.iter().map(Processor::machine) {
            let name = &machine.name;
            assert!(machine.caches.is_sorted_by_key(|cache| cache.bytes), "{name}");
            assert!(machine.caches.is_sorted_by_key(|cache| cache.sharers), "{name}");
            let per_byte = |cache: &Cache| cache.fill_cycles / machine.memory.line_bytes as f64;
            assert!(machine.caches.windows(2).all(|c| per_byte(&c[0]) < per_byte(&c[1])), "{name}");
            assert!(machine.memory.line_bytes.is_power_of_two() && machine.pages.bytes.is_power_of_two(), "{name}");
            assert!(machine.vectors.loop_bytes <= machine.vectors.bytes && machine.vectors.registers >= 16, "{name}");
            assert!(machine.core.loads_per_cycle <= machine.core.accesses_per_cycle, "{name}");
            let divider = machine.divider;
            assert!(divider.vector_bytes.is_power_of_two() && divider.vector_bytes >= 8, "{name}");
            assert!(divider.float_cycles <= divider.double_cycles, "{name}");
            assert!(divider.double_cycles <= divider.double_root_cycles.max(machine.latency.divide), "{name}");
            assert!(machine.core.stores_per_cycle <= machine.core.loads_per_cycle, "{name}");
            assert!(machine.caches.iter().all(|c| c.bytes.is_multiple_of(machine.memory.line_bytes)), "{name}");
        }
    }
}
