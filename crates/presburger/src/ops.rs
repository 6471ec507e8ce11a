//! Operations on unions of basic relations that need a solver.

mod bounds;
mod closure;
mod coalesce;
mod common;
mod convex_hull;
mod divs;
mod enumerate;
mod extrema;
mod farkas;
mod functions;
mod gist;
mod hull;
mod optimum;
mod quotients;
mod strides;
mod subtract;

pub use closure::{Containing, Exactness};
pub use coalesce::Coalescing;
pub use farkas::{farkas_coefficients, farkas_cone};
pub use hull::Bounds;
pub use strides::Stride;

#[cfg(test)]
mod tests;
