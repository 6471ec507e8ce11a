//! From the user's options and LLVM's target to the configurations of the stages.

use poly_irgen::CodegenOptions;
use poly_scop::{Config, Fusion, Parallelism, Profitability, Scheduler as Order, Tiling};
use poly_scop_detect::DetectOptions;
use poly_shim::target::Target;
use poly_transform::Machine;

use crate::options::{Fuse, Options, Scheduler};

/// The configuration of the driver.
pub(crate) fn driver(options: &Options, target: Target) -> Config {
    Config {
        scheduler: match options.scheduler {
            Scheduler::Pluto => Order::Pluto,
            Scheduler::Original => Order::Original,
        },
        fusion: match options.fuse {
            Fuse::Max => Fusion::Max,
            Fuse::Smart => Fusion::Smart,
            Fuse::No => Fusion::No,
        },
        tiling: match (options.tile, options.tile_sizes.as_slice()) {
            (false, _) => Tiling::Off,
            (true, []) => Tiling::Model,
            (true, sizes) => Tiling::Sizes(sizes.to_vec()),
        },
        time_tiling: options.time_tile,
        wavefront: options.wavefront,
        diamond: options.diamond,
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
        machine: machine(target),
        budget: options.budget,
    }
}

/// What LLVM knows for sure about the target, in a machine of the usual kind. Its cache sizes are guesses; ours are newer ones.
fn machine(target: Target) -> Machine {
    let usual = Machine::default();
    let has_vectors = target.vector_bits >= 128;
    Machine {
        vector_bytes: if has_vectors { u64::from(target.vector_bits / 8) } else { usual.vector_bytes },
        vector_registers: if has_vectors { target.vector_registers } else { usual.vector_registers },
        line_bytes: target.cache_line_bytes.map_or(usual.line_bytes, u64::from),
        ..usual
    }
}

/// The configuration of detection.
pub(crate) fn detection(options: &Options) -> DetectOptions {
    DetectOptions { math_errno: options.math_errno, ..DetectOptions::default() }
}

/// The configuration of code generation.
pub(crate) fn codegen(options: &Options) -> CodegenOptions {
    CodegenOptions { parallel: options.parallel, num_threads: None }
}
