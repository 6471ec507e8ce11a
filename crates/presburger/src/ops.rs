//! Operations on unions of basic relations that need a solver.

mod coalesce;
mod common;
mod divs;
mod enumerate;
mod gist;
mod hull;
mod optimum;
mod subtract;

#[cfg(test)]
mod tests;
