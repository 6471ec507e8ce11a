//! Points of sets for given parameters, the order in which a schedule tree visits them, and where
//! they are in a picture.
//!
//! * [`points`], [`Loops`]: the points of a set, all or until told to stop.
//! * [`time`], [`TileSizes`]: when and in which tile a schedule tree executes an instance.
//! * [`Projection`]: from points of one, two or three dimensions to the plane.
//! * [`svg`]: pictures of sets, relations and schedules.
//!
//! Everything here is exact: what a picture leaves out is its maker's choice, not an approximation.

#![forbid(unsafe_code)]

mod order;
mod points;
mod projection;
pub mod svg;

pub use order::{Instance, TileSizes, Time, time};
pub use points::{Loops, points};
pub use projection::{Projection, arrow};
