//! What the caller chooses and what it gets.

use poly_shim::ValueRef;

/// Options of [`crate::generate`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodegenOptions {
    /// Loops marked `parallel` are run by OpenMP threads.
    pub parallel: bool,
    /// Number of threads to ask the runtime for; its own choice if absent.
    pub num_threads: Option<u32>,
    /// Bytes of the vectors that register tiles are made of; 0 for none.
    pub tile_vector_bytes: u32,
    /// What register tiles load may be copied to a buffer from `malloc`.
    pub pack: bool,
}

/// What was written.
#[derive(Clone, Debug)]
pub struct Generated<'c> {
    /// The original code stays beside the new code, behind a run-time check.
    pub versioned: bool,
    /// New functions that hold the bodies of parallel loops; they carry the attribute `poly.subfn`.
    pub outlined: Vec<ValueRef<'c>>,
}
