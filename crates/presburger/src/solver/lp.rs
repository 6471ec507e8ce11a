//! Linear programming over the rationals.
//!
//! [`Tableau`] is the incremental solver; [`lp_min`] and [`lp_max`] are one-shot entry points.

mod classify;
mod elimination;
mod pivoting;
mod tableau;

#[cfg(test)]
mod tests;

use poly_arith::{Coeff, Int};

use super::{Interrupt, Optimum, System, widen};
use crate::budget::{Budget, Stop};

pub use classify::IneqType;
pub(crate) use elimination::{add_scaled_row, solve_for, substitute};
pub(crate) use tableau::Direction;
pub use tableau::{ConId, Grid, Snapshot, Tableau};

/// The minimum of the affine form `objective` over the rational points of `system`.
pub fn lp_min(system: &System, objective: &[Int], budget: &mut Budget) -> Result<Optimum, Stop> {
    optimize(system, objective, Direction::Down, budget)
}

/// The maximum of the affine form `objective` over the rational points of `system`.
pub fn lp_max(system: &System, objective: &[Int], budget: &mut Budget) -> Result<Optimum, Stop> {
    optimize(system, objective, Direction::Up, budget)
}

fn optimize(system: &System, objective: &[Int], direction: Direction, budget: &mut Budget) -> Result<Optimum, Stop> {
    fn run<T: Coeff>(
        system: &System,
        objective: &[Int],
        direction: Direction,
        budget: &mut Budget,
    ) -> Result<Optimum, Interrupt> {
        let mut tableau = Tableau::<T>::from_system(system, Grid::Rational, budget)?;
        tableau.optimize(&T::row_from_ints(objective)?, direction, budget)
    }
    widen(
        budget,
        |budget| run::<i64>(system, objective, direction, budget),
        |budget| run::<Int>(system, objective, direction, budget),
    )
}
