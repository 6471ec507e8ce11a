//! The LLVM-free side of Poly: the model of a static control part, its simplifications and the
//! driver that takes a model to a plan for code generation.
//!
//! Nothing here links LLVM. Objects of the compiler are referred to by index newtypes
//! ([`ValueId`], [`LoopId`], ...) whose meaning only the two LLVM-facing crates know.
//!
//! * [`Scop`] and its parts: the model; [`std::fmt::Display`] gives its text form.
//! * [`optimize`]: the pipeline; [`Plan`]: what comes out of it.
//! * [`simplify`]: scalars mapped back to memory, values forwarded, dead parts removed.
#![forbid(unsafe_code)]

mod basis;
mod chain;
mod check;
mod config;
mod contraction;
mod cost;
mod distances;
mod distribution;
mod driver;
mod elements;
mod exchange;
mod executed;
mod facts;
mod fingerprint;
mod fusion;
mod index_set_splitting;
mod inspection;
pub mod lanes;
mod live_ranges;
mod lower;
mod memo;
mod model;
mod moving;
mod operations;
mod order;
mod plan;
mod print;
mod problem;
mod reduce;
mod reduction;
mod register;

mod isomorphic;
mod packing;
mod report;
mod residence;
mod rewriting;
mod row_checks;
mod row_spacing;
mod search;
pub mod shape;
pub mod simplify;
mod sizes;
mod temporaries;
mod tiles;
mod unchecked;
mod verify;
mod windows;

pub use check::{CheckFailure, runtime_check};
pub use config::{Blocks, Config, Fusion, Parallelism, Profitability, Rewriting, Scheduler, Tiling};
pub use contraction::ContractedArray;
pub use cost::{Price, Spent, Unknown, predict};
pub use distances::describe_dependences;
pub use driver::{Analysis, CLEAR_GAIN, Outcome, Reason, Watch, analyse, optimize, optimize_within, schedule};
pub use exchange::{ExchangeFormat, Given, export, original_text, plan_text};
pub use executed::executed;
pub use fingerprint::{Fingerprint, fingerprint};
pub use fusion::describe_fusions;
pub use lower::{Candidate, KeptTile, KeptTimeTiles, lower};
pub use model::*;
pub use order::{domains, original_tree, time_map};
pub use plan::{ArrayRange, BufferOrigin, End, Nest, Plan, PrivateUpdate, RowRange, RuntimeCheck, TileSize, WHOLE};
pub use poly_dependence::ReductionOperator;
pub use poly_scheduler::{Preference, Proximity};
pub use poly_transform::{ALIGNED_VECTORS, JammedLoads, UNROLL_FACTORS};
pub use problem::dependence_problem;
pub use report::{BandReport, Prediction, Report, TileShape};
pub use sizes::Sizes;
pub use tiles::{TileLoop, judge_tiles};
pub use unchecked::pairs as uncheckable_pairs;
