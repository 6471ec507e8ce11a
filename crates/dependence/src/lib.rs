//! Exact dependence analysis of static control programs.
//!
//! # Problem
//! A program is a set of statements. Each statement has a *domain* (its instances), a *time* (an
//! affine function of the instance; instances run in the lexicographic order of their times) and
//! *accesses* (relations from instances to elements of arrays). The questions:
//!
//! * [`dataflow`]: which write produced the value that a read sees (value-based dataflow,
//!   [Feautrier1991]);
//! * [`live_out`]: which writes are still there at the end;
//! * [`UnionAccessInfo`]: the same for unions of accesses, in the order of a schedule tree, with
//!   kills;
//! * [`analyse`]: which pairs of instances must keep their order.
//!
//! # Definitions
//! A *must-write* writes every element it is related to and so *kills* whatever was there. A
//! *may-write* writes some of them: a read may see it, but also what was there before. Accesses of
//! one instance are executed in the order in which they are listed.
//!
//! A *flow* dependence leads from a write to a read that may see its value, an *anti* dependence
//! from a read to a write of the same element that no must-write separates from it, an *output*
//! dependence likewise from write to write, an *input* dependence from a read to the next read in
//! another statement. The transitive closure of flow, anti and output dependences orders all
//! conflicting pairs of instances.
//!
//! # Reductions
//! Dependences between updates `x = x op e`, where `op` may be reassociated, of one statement or of
//! several with the same `op` ([`ReductionInfo::group`]), are marked [`Dependence::reduction`] and
//! relate all pairs of updates of one element. Whoever ignores their order may execute the updates
//! in any order, one at a time; so every other access that conflicts with one update is related to
//! all of them, not only to the nearest ([Doerfert2015]).
//!
//! # Live ranges
//! Where live ranges of an element may change places as a whole, anti and output dependences are
//! [`Dependence::conditional`]: see [`with_live_ranges`].
//!
//! # Overlaps
//! Arrays of which nobody knows where they lie may share bytes: [`Problem::overlaps`]. Their
//! accesses conflict whatever elements they name; see the module `overlap`.
//!
//! # Method
//! See the module `nearest`: for each access, candidates are searched from the deepest common level
//! of time outwards, at each level by a parametric lexicographic optimum, until every instance of
//! the access has been served. Questions that are equal but for where the elements lie are asked
//! once: see the module `question`.
//!
//! Where that costs too much, relations that contain the dependences take their place: see the
//! module `approximate`. Questions about programs that differ little are answered together by
//! [`Memo`].

#![forbid(unsafe_code)]

mod analyse;
mod approximate;
mod constraints;
mod dataflow;
mod dependence;
mod distance;
mod flow;
mod live_range;
mod memo;
mod nearest;
mod neighbours;
mod overlap;
mod parallel;
mod prepare;
mod problem;
mod shape;
mod signature;
mod span;

pub use analyse::{Options, analyse};
pub use approximate::{Precision, analyse_within, approximate};
pub use dataflow::{ReadSource, Survivor, WriteSource, dataflow, live_out};
pub use dependence::{Dependence, DependenceKind, Dependences};
pub use distance::{Depth, Direction, Distance};
pub use flow::{FlowError, UnionAccessInfo, UnionFlow};
pub use live_range::with_live_ranges;
pub use memo::Memo;
pub use prepare::time_rows;
pub use problem::{AccessInfo, AccessKind, Problem, ReductionInfo, ReductionOperator, StatementInfo};

/// The examples of the package's README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
