//! Transformations of schedule trees after scheduling, each with a cost decision: loop order within
//! permutable bands, tiling, register tiles, marks for parallel and vector loops; for stencils
//! tiles in time, wavefronts and diamonds.
#![forbid(unsafe_code)]

mod chains;
mod choose;
mod cost;
mod diamond;
mod directions;
mod machine;
mod pairs;
mod panel_update;
mod refusal;
mod register;
pub mod rewrite;
mod rows;
mod steps_in_lanes;
mod time_tile;
mod unroll_and_jam;
mod wavefront;

pub use chains::chains_in_lanes;
pub use choose::{
    BandFacts, BandStatement, Choice, LoopFacts, Purpose, UNEVEN, WHOLE, choose, cut_part, interleave, optimize,
    overlap_chains, predict,
};
pub use cost::{
    AccessModel, Cost, Divisions, LaneWork, Nest, Operands, Operation, Reference, StatementModel, WholeLoops, Work,
    estimate, is_vectorizable,
};
pub use diamond::{Hyperplane, diamond, diamond_by};
pub use directions::{agree, directions};
pub use machine::USABLE;
pub use pairs::{Distances, Pairs, Sign, agreeing, value_map, with_sign};
pub use panel_update::{Blocks, Division, panel_update};
pub use poly_machine::Machine;
pub use refusal::Refusal;
pub use register::{
    MovingSides, OrdinaryCode, PanelUpdate, RegisterChoice, RegisterTile, Sharing, TileSizes, Wavefronts, register_tile,
};
pub use rows::{RowGroup, may_part, restricted, row_groups};
pub use steps_in_lanes::{SteppedBand, StepsInLanes, predicted, steps_in_lanes};
pub use time_tile::{
    ALIGNED_VECTORS, Parting, RowChoice, Rows, ShapedAccess, ShapedStatement, SkewedBand, Subscript, TimeTiles,
    is_skewed, predict_tiles, priced, slanted_cost, time_tiles, wavefront_lanes,
};
pub use unroll_and_jam::{JammedLoads, UNROLL_FACTORS};
pub use wavefront::wavefront;

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
