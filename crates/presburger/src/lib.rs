//! Integer sets and relations defined by affine constraints (Presburger sets).

#![forbid(unsafe_code)]

pub mod budget;
pub mod solver;

pub mod aff;
pub mod basic;
pub mod map;
pub mod multi;
mod ops;
pub mod parse;
mod print;
pub mod pw;
pub mod pw_multi;
mod row;
pub mod set;
pub mod space;
mod trace;
pub mod union;
pub mod union_pw;
pub mod union_pw_multi;
pub mod zpoly;

pub use aff::Aff;
pub use basic::{BasicMap, BasicSet, Constraint, ConstraintKind, Div, Row};
pub use budget::{Budget, Stop};
pub use map::Map;
pub use multi::MultiAff;
pub use ops::{Stride, farkas_coefficients, farkas_cone};
pub use parse::ParseError;
pub use print::affine_text;
pub use pw::PwAff;
pub use pw_multi::PwMultiAff;
pub use set::Set;
pub use space::{DimKind, Id, Space, Tuple};
pub use union::{UnionMap, UnionSet};
pub use union_pw::{MultiUnionPwAff, UnionPwAff};
pub use union_pw_multi::{MultiPwAff, UnionPwMultiAff};

#[cfg(test)]
mod testing;
