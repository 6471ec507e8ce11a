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
mod fixed_box;
mod functions;
mod gist;
mod hull;
mod optimum;
mod quotients;
mod strides;
mod subtract;
mod vertices;

pub use closure::{Containing, Exactness};
pub use coalesce::Coalescing;
pub use farkas::{farkas_coefficients, farkas_cone};
pub use fixed_box::FixedBox;
pub use hull::Bounds;
pub use strides::Stride;
pub use vertices::Vertex;

#[cfg(test)]
mod tests;
