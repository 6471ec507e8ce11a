//! What a user says about the form of programs.

/// Limits of code size, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AstOptions {
    /// Greatest number of intervals that separation may split one loop into.
    pub max_intervals: usize,
    /// Greatest number of values that an unrolled band member may have.
    pub max_unroll: u32,
    /// A schedule dimension without upper bound becomes a loop without end, and is not an error.
    pub endless: bool,
}

impl Default for AstOptions {
    fn default() -> AstOptions {
        AstOptions { max_intervals: 12, max_unroll: 64, endless: false }
    }
}
