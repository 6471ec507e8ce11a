//! Redundant constraints and implicit equalities, by linear programming on the integer grid.
//!
//! Both add the bounds of known divs to the tableau but never drop them, as they are part of the
//! definitions. A bound that turns out to be an equality joins the constraints: what is redundant may
//! be so because of it.

use poly_arith::{Coeff, Int};

use super::{BasicMap, BasicSet};
use crate::budget::{Budget, Stop};
use crate::solver::lp::{ConId, Grid};
use crate::solver::{Interrupt, System, Tableau, widen};
use crate::trace;

/// What the tableau says about an inequality.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Keep,
    Drop,
    Equality,
}

/// Fates of the inequalities of a system, the first `n` of which may be dropped; `None` if the system has no
/// rational point.
fn fates<T: Coeff>(system: &System, n: usize, budget: &mut Budget) -> Result<Option<Vec<Fate>>, Interrupt> {
    let mut tableau = Tableau::<T>::from_system(system, Grid::Integer, budget)?;
    tableau.detect_implicit_equalities(budget)?;
    if tableau.is_empty() {
        return Ok(None);
    }
    let first = system.eqs.len();
    let mut fates = vec![Fate::Keep; system.ineqs.len()];
    for (i, fate) in fates.iter_mut().enumerate().rev() {
        let con = ConId(first + i);
        if tableau.is_equality(con) {
            *fate = Fate::Equality;
        } else if i < n && tableau.detect_redundant_con(con, budget)? {
            *fate = Fate::Drop;
        }
    }
    Ok(Some(fates))
}

impl BasicMap {
    /// Remove constraints that others imply and make equalities of pairs of inequalities that
    /// leave no room. The set of integer points stays the same.
    pub fn remove_redundancies(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let _running = trace::operation("remove_redundancies", &[&*self]);
        self.reduce(true, budget)
    }

    /// Make equalities of inequalities that always hold with equality. The set of integer points
    /// stays the same.
    pub fn detect_equalities(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let _running = trace::operation("detect_equalities", &[&*self]);
        self.reduce(false, budget)
    }

    fn reduce(&mut self, drop_redundant: bool, budget: &mut Budget) -> Result<(), Stop> {
        self.normalize();
        while !self.is_plainly_empty() && self.ineqs.len() + self.n_div() > 1 {
            let system = self.to_system();
            let n = self.ineqs.len();
            let fates =
                widen(budget, |budget| fates::<i64>(&system, n, budget), |budget| fates::<Int>(&system, n, budget))?;
            let Some(fates) = fates else {
                self.set_to_empty();
                return Ok(());
            };
            let before = (self.eqs.len(), n, self.n_div());
            self.ineqs.clear();
            for (i, (row, fate)) in system.ineqs.into_iter().zip(fates).enumerate() {
                match fate {
                    Fate::Equality => self.eqs.push(row),
                    Fate::Drop if drop_redundant => {}
                    Fate::Keep | Fate::Drop if i < n => self.ineqs.push(row),
                    Fate::Keep | Fate::Drop => {}
                }
            }
            self.normalize();
            if before == (self.eqs.len(), self.ineqs.len(), self.n_div()) {
                break;
            }
        }
        Ok(())
    }
}

impl BasicSet {
    /// Remove constraints that others imply; see the basic map operation.
    pub fn remove_redundancies(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        self.0.remove_redundancies(budget)
    }

    /// Make equalities of inequalities that always hold with equality.
    pub fn detect_equalities(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        self.0.detect_equalities(budget)
    }
}
