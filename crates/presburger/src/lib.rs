//! Integer sets and relations defined by affine constraints (Presburger sets).

#![forbid(unsafe_code)]

pub mod budget;
pub mod solver;

pub mod basic;
pub mod map;
mod row;
pub mod set;
pub mod space;

pub use basic::{BasicMap, BasicSet, Constraint, ConstraintKind, Div, Row};
pub use budget::{Budget, Stop};
pub use map::Map;
pub use set::Set;
pub use space::{DimKind, Id, Space, Tuple};
