//! Schedule trees: a structured form of execution orders [Verdoolaege2014].
//!
//! * [`ScheduleTree`]: a tree with its domain at the root; read and written as isl's YAML text.
//! * [`Tree`]: a subtree, made by constructors such as [`Tree::band`] and [`Tree::sequence`].
//! * [`Node`]: a cursor into a tree, for changes in place.
//! * [`Band`]: a permutable (or not) group of schedule functions, with its operations.
//! * [`Mark`]: what a tree says about a subtree beyond its order.

#![forbid(unsafe_code)]

mod band;
mod cursor;
mod edit;
mod group;
mod mark;
mod read;
mod schedule;
mod text;
mod tree;

mod yaml;

pub use band::{Band, ISOLATE, ISOLATE_REST, LoopType};
pub use cursor::Node;
pub use mark::{AccessOf, Foreign, Mark, PartialBlock, RegisterTile, Sharing, Trend};
pub use schedule::ScheduleTree;
pub use tree::{MAX_HEIGHT, NodeKind, Tree};
pub use yaml::{Place, TreeParseError};

#[cfg(test)]
mod tests;

/// The examples of the package's README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
