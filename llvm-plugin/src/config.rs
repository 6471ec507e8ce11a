//! From the user's options and LLVM's target to the configurations of the stages.

use poly_irgen::CodegenOptions;
use poly_scop::{Blocks, Config, Fusion, Parallelism, Profitability, Scheduler as Order, Tiling};
use poly_scop_detect::DetectOptions;
use poly_shim::PassContext;
use poly_transform::{Machine, RegisterChoice};

use crate::options::{Fuse, Options, Prefer, Proximity, Scheduler};

/// The configuration of the driver.
pub(crate) fn driver(options: &Options, cx: PassContext<'_>) -> Config {
    Config {
        scheduler: match options.scheduler {
            Scheduler::Pluto => Order::Pluto,
            Scheduler::Feautrier => Order::Feautrier,
            Scheduler::Original => Order::Original,
            Scheduler::File => Order::Given,
        },
        given: None,
        fusion: match options.fuse {
            Fuse::Max => Fusion::Max,
            Fuse::Smart => Fusion::Smart,
            Fuse::No => Fusion::No,
            Fuse::Search => Fusion::Search,
        },
        fusion_member: options.fusion_member.map(|number| number.0),
        fusion_limit: options.fusion_limit,
        reductions: options.reductions,
        proximity: match options.proximity {
            Proximity::All => poly_scop::Proximity::All,
            Proximity::Flow => poly_scop::Proximity::Flow,
        },
        preference: match options.prefer {
            Prefer::Parallel => poly_scop::Preference::Parallel,
            Prefer::Locality => poly_scop::Preference::Locality,
        },
        reuse: options.reuse,
        splitting: options.splitting,
        live_ranges: options.live_ranges,
        simplify_reductions: options.simplify_reductions && cx.function().function_attribute("no-builtins").is_none(),
        expansion: options.expansion && cx.function().function_attribute("no-builtins").is_none(),
        tiling: match (options.tile, options.tile_sizes.as_slice()) {
            (false, _) => Tiling::Off,
            (true, []) => Tiling::Model,
            (true, sizes) => Tiling::Sizes(sizes.to_vec()),
        },
        parametric_tiles: options.parametric_tiles,
        blocks: match (options.block, options.block_size) {
            (false, _) => Blocks::Off,
            (true, Some(size)) if size.0 > 0 => Blocks::Size(size.0),
            (true, _) => Blocks::Model,
        },
        windows: options.pack_blocks && poly_irgen::may_allocate(cx),
        time_tiling: options.time_tile,
        wavefront: options.wavefront,
        lanes: options.lanes,
        strip_fusion: options.strip_fusion,
        diamond: options.diamond,
        register: match (options.register_tile, options.register_tile_sizes.as_slice()) {
            (false, _) => RegisterChoice::Off,
            (true, []) => RegisterChoice::Model,
            (true, &[rows, ref more @ ..]) => {
                let blocks = options.tile_sizes.first().zip(options.tile_sizes.get(1)).map(|(&a, &b)| (a, b));
                RegisterChoice::Sizes { rows, vectors: more.first().copied().unwrap_or(1), blocks }
            }
        },
        parallelism: if options.parallel {
            Parallelism::Threads { expected: options.num_threads }
        } else {
            Parallelism::Sequential
        },
        profitability: if options.force || options.process_unprofitable {
            Profitability::Ignored
        } else {
            Profitability::Required
        },
        sizes: poly_scop::Sizes::default(),
        time_tiles: Vec::new(),
        size_checks: options.size_checks,
        machine: machine(cx),
        budget: options.budget,
    }
}

/// Bytes of the first cache of processors with vectors of 512 bits, as most of them have it.
const WIDE_ROW_CACHE: u64 = 48 << 10;

/// What LLVM knows for sure about the target, in a machine of the usual kind. Its cache sizes are guesses; ours are newer ones.
fn machine(cx: PassContext<'_>) -> Machine {
    let target = cx.target();
    let usual = Machine::default();
    let has_vectors = target.vector_bits >= 128;
    let vector_bytes = if has_vectors { u64::from(target.vector_bits / 8) } else { usual.vector_bytes };
    let vector_registers = if has_vectors { target.vector_registers } else { usual.vector_registers };
    let is_wide = has_wide_vectors(cx);
    Machine {
        vector_bytes,
        vector_registers,
        tile_vector_bytes: if is_wide { 64 } else { vector_bytes },
        tile_registers: if is_wide { 32 } else { vector_registers },
        masks: is_wide,
        row_cache: if is_wide { WIDE_ROW_CACHE } else { usual.row_cache },
        line_bytes: target.cache_line_bytes.map_or(usual.line_bytes, u64::from),
        ..usual
    }
}

/// The function may use vectors of 512 bits. LLVM prefers shorter ones for some of these processors, with regard to loops that use few of them;
/// a register tile uses them all the time. What the user says is respected.
fn has_wide_vectors(cx: PassContext<'_>) -> bool {
    let function = cx.function();
    let features = function.function_attribute("target-features").unwrap_or_default();
    let has_feature = features.split(',').any(|feature| feature == "+avx512f");
    has_feature && function.function_attribute("prefer-vector-width").is_none()
}

/// The configuration of detection.
pub(crate) fn detection(options: &Options) -> DetectOptions {
    DetectOptions { math_errno: options.math_errno, whole_loops: options.whole_loops, ..DetectOptions::default() }
}

/// Bytes of temporaries that go with as much work as pays for allocating them.
const LEAST_TEMPORARIES: u64 = 16 << 10;

/// The configuration of code generation.
pub(crate) fn codegen(options: &Options, config: &Config) -> CodegenOptions {
    let tile_vector_bytes = u32::try_from(config.machine.tile_vector_bytes).unwrap_or(0);
    let forced = config.profitability == Profitability::Ignored;
    CodegenOptions {
        parallel: options.parallel,
        num_threads: None,
        schedule: options.omp_schedule,
        chunk: options.omp_chunk,
        runtime: options.omp_runtime,
        threshold: if forced { 0 } else { options.parallel_threshold },
        least_temporaries: if forced { 0 } else { LEAST_TEMPORARIES },
        tile_vector_bytes,
        tile_registers: config.machine.tile_registers,
        pack: options.pack,
    }
}
