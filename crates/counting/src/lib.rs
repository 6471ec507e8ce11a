//! Numbers of integer points, exactly.

#![forbid(unsafe_code)]

mod cardinality;
mod kernel;
mod piecewise;
mod polynomial;
mod print;
mod quasi;

pub use cardinality::{Card, Cardinality, Count, indicator, union_map_card};
pub use piecewise::PwQuasiPolynomial;
pub use quasi::QuasiPolynomial;
