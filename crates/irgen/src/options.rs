//! What the caller chooses and what it gets.

use poly_machine::Machine;
use poly_shim::ValueRef;

/// How the iterations of a parallel loop are given to threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// Static where iterations have about the same work, else in portions, the longest iterations
    /// first.
    #[default]
    ByWork,
    /// Each thread gets one block of iterations, all of the same length.
    Static,
    /// Whoever is free gets the next iterations.
    Dynamic,
    /// The same in portions that become smaller.
    Guided,
}

/// The library that runs threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Runtime {
    /// LLVM's, by its own interface (`__kmpc_..`).
    #[default]
    Llvm,
    /// GNU's (`GOMP_..`), or any other one with its interface.
    Gnu,
}

/// Options of [`crate::generate`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CodegenOptions {
    /// Loops marked `parallel` are run by OpenMP threads.
    pub parallel: bool,
    /// Number of threads to ask the runtime for; its own choice if absent.
    pub num_threads: Option<u32>,
    /// Who gets which iterations.
    pub schedule: Schedule,
    /// The fewest iterations that a thread gets at a time, where not each gets one block of them.
    pub chunk: u32,
    /// The library that the program is linked with.
    pub runtime: Runtime,
    /// Loops with less work than this, in instructions of the model, are run by the thread that
    /// comes to them alone.
    pub threshold: u64,
    /// Bytes of the vectors that register tiles are made of; 0 for none.
    pub tile_vector_bytes: u32,
    /// Their number.
    pub tile_registers: u32,
    /// What register tiles load may be copied to a buffer from `malloc`.
    pub pack: bool,
    /// The processor.
    pub machine: Machine,
    /// The new code is to become a function of its own at the end of the pipeline.
    pub outline: bool,
    /// Count how often which version of a nest runs, and which part of its check fails first.
    pub trace_versions: bool,
}

/// What was written.
#[derive(Clone, Debug)]
pub struct Generated<'c> {
    /// The original code stays beside the new code, behind a run-time check.
    pub versioned: bool,
    /// New functions that hold the bodies of parallel loops; they carry the attribute `poly.subfn`.
    pub outlined: Vec<ValueRef<'c>>,
}
