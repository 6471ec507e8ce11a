//! From the user's options and LLVM's target to the configurations of the stages.

use poly_irgen::CodegenOptions;
use poly_machine::{Machine, Target};
use poly_scop::{Blocks, Config, Fusion, Parallelism, Profitability, Rewriting, Scheduler as Order, Tiling};
use poly_scop_detect::{DetectOptions, StepsBySize};
use poly_shim::PassContext;
use poly_transform::RegisterChoice;

use crate::expenses::PER_SCOP;
use crate::options::{Fuse, Options, Prefer, Proximity, Scheduler};

/// The configuration of the driver.
pub(crate) fn driver(options: &Options, cx: PassContext<'_>) -> Config {
    let config = Config {
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
        fusion_schedules: options.fusion_schedules.map(|number| number.0),
        rewriting: match (options.rewrites.steps.as_slice(), options.random_rewrites) {
            (_, Some(seed)) => Rewriting::Random { seed: seed.0 },
            ([], None) => Rewriting::Search,
            (_, None) => Rewriting::Given(options.rewrites.clone()),
        },
        rewrite_limit: options.rewrite_limit.map(|limit| limit.0),
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
        live_ranges: options.live_ranges && !options.is_moderate(),
        fission: options.fission,
        if_conversion: options.if_conversion,
        simplify_reductions: options.simplify_reductions && cx.function().function_attribute("no-builtins").is_none(),
        expansion: options.expansion && cx.function().function_attribute("no-builtins").is_none(),
        contraction: options.contraction && cx.function().function_attribute("no-builtins").is_none(),
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
        pack_blocks: options.pack_blocks && poly_irgen::may_allocate(cx),
        time_tiling: options.time_tile,
        wavefront: options.wavefront,
        lanes: options.lanes,
        strip_fusion: options.strip_fusion,
        rewrite_search: options.rewrite_search,
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
        register_tiles: None,
        size_checks: options.size_checks,
        budget: options.budget.unwrap_or(PER_SCOP),
        ..Config::standard()
    };
    config.for_machine(machine(options, cx))
}

/// What the model knows of the processor that the function is compiled for, or what the user says.
pub(crate) fn machine(options: &Options, cx: PassContext<'_>) -> Machine {
    let (known, function) = (cx.target(), cx.function());
    let attribute = |name: &str| function.function_attribute(name).unwrap_or_default();
    let target = Target {
        cpu: attribute("target-cpu"),
        features: attribute("target-features"),
        limits_vectors: function.function_attribute("prefer-vector-width").is_some(),
        vector_bits: known.vector_bits,
        vector_registers: known.vector_registers,
        line_bytes: known.cache_line_bytes,
    };
    options.machine.machine(&target)
}

/// Operations of detection for a region, unless the option `budget` says what is allowed.
const STEPS: StepsBySize = StepsBySize { least: 300_000, per_instruction: 500 };

/// The same with moderate effort.
const MODERATE_STEPS: StepsBySize = StepsBySize { least: 30_000, per_instruction: 50 };

/// The configuration of detection.
pub(crate) fn detection(options: &Options) -> DetectOptions {
    DetectOptions {
        math_errno: options.math_errno,
        extremes: options.extremes,
        whole_loops: options.whole_loops,
        nests_only: options.is_moderate(),
        steps_by_size: options.budget.is_none().then_some(if options.is_moderate() { MODERATE_STEPS } else { STEPS }),
        ..DetectOptions::default()
    }
}

/// The configuration of code generation.
pub(crate) fn codegen(options: &Options, config: &Config) -> CodegenOptions {
    let number = |number: u64| u32::try_from(number).unwrap_or(0);
    let machine = config.processor();
    let forced = config.profitability == Profitability::Ignored;
    CodegenOptions {
        parallel: options.parallel,
        num_threads: None,
        schedule: options.omp_schedule,
        chunk: options.omp_chunk,
        runtime: options.omp_runtime,
        threshold: if forced { 0 } else { options.parallel_threshold },
        tile_vector_bytes: number(machine.vectors.bytes),
        tile_registers: number(machine.vectors.registers),
        pack: options.pack,
        machine,
        outline: options.outline,
        trace_versions: options.trace_versions,
    }
}
