//! Nests of which only one is executed.
//!
//! # Problem
//! Compilers make two copies of a nest behind a test of a stride, one for the usual case. A SCoP
//! that holds both has no dependence between them, but the accesses of the other copy, of which
//! nobody can say where they go. One schedule for both is no better than two, and is harder to
//! find.
//!
//! # Algorithm
//! The parameter values for which the nests below the outermost loops are executed are disjoint,
//! each two of them; some nests have accesses that are not exact, others have none. Copies are
//! equally deep.

use std::collections::BTreeMap;

use poly_presburger::{Budget, Set, Stop};
use poly_scop::{LoopId, Scop};

/// Whether there are several nests of which at most one is executed, and the accesses of some but
/// not of all are exact. False if statements are outside of loops.
pub(crate) fn are_exclusive(scop: &Scop, budget: &mut Budget) -> Result<bool, Stop> {
    let mut nests: BTreeMap<LoopId, (Set, bool)> = BTreeMap::new();
    for statement in &scop.statements {
        let Some(&outermost) = statement.loops.first() else { return Ok(false) };
        let mut nest = (statement.domain.params(), statement.accesses.iter().all(|access| access.exact));
        if let Some((executed, is_exact)) = nests.remove(&outermost) {
            nest = (executed.union(&nest.0), is_exact && nest.1);
        }
        nests.insert(outermost, nest);
    }
    let exact = nests.values().filter(|(_, is_exact)| *is_exact).count();
    if exact == 0 || exact == nests.len() {
        return Ok(false);
    }
    let depths = |nest: &LoopId| {
        let inside = scop.statements.iter().filter(|s| s.loops.first() == Some(nest));
        inside.map(|s| s.loops.len()).max()
    };
    let mut depths = nests.keys().map(depths);
    let first = depths.next();
    if depths.any(|depth| Some(depth) != first) {
        return Ok(false);
    }
    let nests: Vec<Set> = nests.into_values().map(|(executed, _)| executed).collect();
    for (number, nest) in nests.iter().enumerate() {
        for other in &nests[..number] {
            if !nest.intersect(other).is_empty(budget)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
