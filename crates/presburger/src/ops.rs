//! Operations on unions of basic relations that need a solver.

mod coalesce;
mod common;
mod divs;
mod enumerate;
mod farkas;
mod functions;
mod gist;
mod hull;
mod optimum;
mod subtract;

pub use farkas::farkas_coefficients;

#[cfg(test)]
mod tests;
