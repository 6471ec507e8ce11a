//! What a user says about the form of programs.

use poly_presburger::Id;

/// Limits of code size, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AstOptions {
    /// Greatest number of intervals that separation may split one loop into.
    pub max_intervals: usize,
    /// Greatest number of values that an unrolled band member may have.
    pub max_unroll: u32,
    /// A schedule dimension without upper bound becomes a loop without end, and is not an error.
    pub endless: bool,
    /// Names of the counters by schedule dimension, instead of `c0`, `c1`, .. They have to be
    /// different from each other, from those of dimensions without a name here, and from
    /// parameters. isl's `isl_ast_build_set_iterators`.
    pub iterators: Vec<Id>,
    /// Conditions may have an `else`. isl's `ast_build_allow_else`.
    pub allow_else: bool,
    /// Conditions may be disjunctions. Without, what is tested is copied. isl's
    /// `ast_build_allow_or`.
    pub allow_or: bool,
}

impl Default for AstOptions {
    fn default() -> AstOptions {
        AstOptions {
            max_intervals: 12,
            max_unroll: 64,
            endless: false,
            iterators: Vec::new(),
            allow_else: true,
            allow_or: true,
        }
    }
}
