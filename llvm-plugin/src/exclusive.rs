//! Nests of which only one is executed.
//!
//! # Problem
//! Compilers make two copies of a nest behind a test of a stride or of a size, one for the usual
//! case. A SCoP that holds both has no dependence between them, but all that cannot be said about
//! the other copy: its accesses, its shapes, the conditions of its loops. One schedule for both is
//! no better than two, and is harder to find.
//!
//! # Algorithm
//! The parameter values for which the nests below the outermost loops are executed are
//! disjoint, each two of them.

use std::collections::BTreeMap;

use poly_presburger::{Budget, Set, Stop};
use poly_scop::{LoopId, Scop};

/// Whether there are several nests and at most one of them is executed. False if statements are
/// outside of loops.
pub(crate) fn are_exclusive(scop: &Scop, budget: &mut Budget) -> Result<bool, Stop> {
    let mut nests: BTreeMap<LoopId, Set> = BTreeMap::new();
    for statement in &scop.statements {
        let Some(&outermost) = statement.loops.first() else { return Ok(false) };
        let executed = statement.domain.params();
        let nest = nests.remove(&outermost).map_or(executed.clone(), |others| others.union(&executed));
        nests.insert(outermost, nest);
    }
    let nests: Vec<Set> = nests.into_values().collect();
    for (number, nest) in nests.iter().enumerate() {
        for other in &nests[..number] {
            if !nest.intersect(other).is_empty(budget)? {
                return Ok(false);
            }
        }
    }
    Ok(nests.len() > 1)
}
