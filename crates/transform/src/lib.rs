//! Transformations of schedule trees after scheduling, each with a cost decision: loop order within permutable bands, tiling,
//! marks for parallel and vector loops.
#![forbid(unsafe_code)]

mod choose;
mod cost;
mod directions;
mod machine;

pub use choose::{BandFacts, BandStatement, Choice, LoopFacts, choose, predict};
pub use cost::{AccessModel, Cost, Nest, StatementModel, Work, estimate, is_vectorizable};
pub use directions::directions;
pub use machine::Machine;

/// Tiling as far as one band is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TilingChoice {
    /// Never.
    Off,
    /// Where the model predicts a gain.
    Model,
    /// These sizes by position in the loop order; the last one is repeated.
    Sizes(Vec<u64>),
}
