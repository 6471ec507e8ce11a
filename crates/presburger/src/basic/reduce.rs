//! Redundant constraints and implicit equalities, by linear programming on the integer grid.
//!
//! Both add the bounds of known divs to the tableau but never drop them, as they are part of the
//! definitions. A bound that turns out to be an equality joins the constraints: what is redundant
//! may be so because of it.

use poly_arith::{Coeff, Int};
use smallvec::SmallVec;

use super::certain::Certain;
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

/// What is to be found out.
#[derive(Clone, Copy)]
struct Query<'a> {
    system: &'a System,
    /// Whether to look for inequalities that are equalities.
    equalities: bool,
    /// The inequalities, the first ones of the system, of which some may be dropped: those that are
    /// not known to be needed.
    needed: &'a [bool],
}

/// Fates of the inequalities of a system; `None` if it has no rational point.
fn fates<T: Coeff>(query: Query<'_>, budget: &mut Budget) -> Result<Option<Vec<Fate>>, Interrupt> {
    let system = query.system;
    let mut tableau = Tableau::<T>::from_system(system, Grid::Integer, budget)?;
    if query.equalities {
        tableau.detect_implicit_equalities(budget)?;
    }
    if tableau.is_empty() {
        return Ok(None);
    }
    let first = system.eqs.len();
    let mut fates = vec![Fate::Keep; system.ineqs.len()];
    for (i, fate) in fates.iter_mut().enumerate().rev() {
        let con = ConId(first + i);
        if tableau.is_equality(con) {
            *fate = Fate::Equality;
        } else if query.needed.get(i) == Some(&false) && tableau.detect_redundant_con(con, budget)? {
            *fate = Fate::Drop;
        }
    }
    Ok(Some(fates))
}

impl BasicMap {
    /// Remove constraints that others imply and make equalities of pairs of inequalities that leave
    /// no room. The set of integer points stays the same. Cost: a linear program for each
    /// inequality, beginning where the last one ended \[DetlefsNelsonSaxe2005\].
    pub fn remove_redundancies(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let _running = trace::operation("remove_redundancies", &[&*self]);
        self.reduce(true, budget)
    }

    /// Make equalities of inequalities that always hold with equality. The set of integer points
    /// stays the same. Cost: a linear program for each inequality, again for all after one was
    /// found \[DetlefsNelsonSaxe2005\].
    pub fn detect_equalities(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let _running = trace::operation("detect_equalities", &[&*self]);
        self.reduce(false, budget)
    }

    fn reduce(&mut self, drop_redundant: bool, budget: &mut Budget) -> Result<(), Stop> {
        self.normalize();
        while !self.is_plainly_empty() && self.ineqs.len() + self.n_div() > 1 {
            budget.spend(1)?;
            let Certain { full, needed } = self.seen(drop_redundant);
            if full && needed.iter().all(|needed| *needed) {
                return Ok(());
            }
            let system = self.to_system();
            let query = Query { system: &system, equalities: !full, needed: &needed };
            let fates = widen(budget, |budget| fates::<i64>(query, budget), |budget| fates::<Int>(query, budget))?;
            let Some(fates) = fates else {
                self.set_to_empty();
                return Ok(());
            };
            if !self.apply(system, &fates) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// What is seen without linear programming; all inequalities count as needed if none is to be
    /// dropped.
    fn seen(&self, drop_redundant: bool) -> Certain {
        if drop_redundant {
            let nothing = || Certain { full: false, needed: SmallVec::from_elem(false, self.ineqs.len()) };
            return self.certain().unwrap_or_else(nothing);
        }
        Certain { full: self.is_plainly_full(), needed: SmallVec::from_elem(true, self.ineqs.len()) }
    }

    /// Gives the inequalities of the system, the relation's own first, their fates. Returns whether
    /// another look is worthwhile.
    fn apply(&mut self, system: System, fates: &[Fate]) -> bool {
        let has = |fate| fates.contains(&fate);
        if !has(Fate::Equality) && !has(Fate::Drop) {
            return false;
        }
        let before = (self.eqs.len(), self.ineqs.len(), self.n_div());
        self.ineqs.clear();
        for (i, (row, fate)) in system.ineqs.into_iter().zip(fates).enumerate() {
            match fate {
                Fate::Equality => self.eqs.push(row),
                Fate::Keep if i < before.1 => self.ineqs.push(row),
                Fate::Keep | Fate::Drop => {}
            }
        }
        if !has(Fate::Equality) && self.n_div() == 0 {
            // The rows that are left are as simple as before.
            return false;
        }
        self.normalize();
        before != (self.eqs.len(), self.ineqs.len(), self.n_div())
    }
}

impl BasicSet {
    /// Remove constraints that others imply; see the basic map operation. Cost: a linear program
    /// for each inequality, beginning where the last one ended \[DetlefsNelsonSaxe2005\].
    pub fn remove_redundancies(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        self.to_mut().remove_redundancies(budget)
    }

    /// Make equalities of inequalities that always hold with equality. Cost: a linear program for
    /// each inequality, again for all after one was found \[DetlefsNelsonSaxe2005\].
    pub fn detect_equalities(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        self.to_mut().detect_equalities(budget)
    }
}
