//! Live-range reordering: schedules in which live ranges of scalars and temporaries change places.
//!
//! # Problem
//! A scalar or a row that some iterations write and read again has one place for all of them, so
//! its anti and output dependences keep these iterations in order although no value goes from one
//! to another. Loops around them cannot be tiled or interchanged.
//!
//! # Method
//! Where the ordinary schedule has a band that is not as deep as its statements, the SCoP is
//! scheduled again with dependences some of which are conditional
//! ([`poly_dependence::with_live_ranges`], [Verdoolaege2016]): the same memory is used, by one live
//! range after the other in a new order. The better candidate is taken. Loops across which a live
//! range would have to be kept apart from others are not parallel; where that is wanted, scalars
//! are expanded ([`crate::simplify::expand`]).
//!
//! # Invariants
//! What a scalar that is used after the region, or memory, holds at the end is the same: the last
//! write of each element stays the last one. The candidate is not used unless the checker accepts
//! it.

use poly_dependence::{Precision, with_live_ranges};
use poly_presburger::{Budget, Stop, Tuple};
use poly_schedule_tree::ScheduleTree;

use crate::config::Config;
use crate::driver::{Analysis, Reason, during, schedule};
use crate::isomorphic::merge_isomorphic;
use crate::lower::{Candidate, lower};
use crate::packing::Order;
use crate::problem::dependence_problem;
use crate::verify;
use crate::{Array, ArrayKind};

impl Analysis {
    /// The same with dependences that only keep live ranges apart as conditional ones; `None` if
    /// there are none of them, or if dependences are not exact.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn with_live_ranges(&self, budget: &mut Budget) -> Result<Option<Analysis>, Stop> {
        if self.precision != Precision::Exact {
            return Ok(None);
        }
        let arrays = &self.scop.arrays;
        let is_temporary = |array: &Tuple| {
            let name = array.name_str();
            arrays.iter().any(|array| Some(array.name.as_str()) == name && is_dead_afterwards(array))
        };
        let problem = dependence_problem(&self.scop);
        let mark = |known: &_, budget: &mut _| with_live_ranges(&problem, known, &is_temporary, budget);
        let dependences = self.memo.live_ranges(&self.scop, &self.dependences, mark, budget)?;
        Ok(dependences.map(|dependences| Analysis { dependences, ..self.clone() }))
    }
}

/// Nobody sees what the array holds after the region.
fn is_dead_afterwards(array: &Array) -> bool {
    match array.kind {
        ArrayKind::Temporary { ref result, .. } => result.is_none(),
        ArrayKind::Scalar { live_out, .. } => !live_out,
        ArrayKind::Memory { .. } | ArrayKind::Rows { .. } => array.local,
        ArrayKind::Errno { .. } => false,
    }
}

/// The best candidate in which live ranges may change places, if it takes less than so many cycles.
/// `tree` is the schedule in which they do not.
pub(crate) fn reordered(
    analysis: &Analysis,
    tree: &ScheduleTree,
    config: &Config,
    limit: f64,
    budget: &mut Budget,
) -> Result<Option<(Analysis, Candidate)>, Reason> {
    if !has_shallow_bands(analysis, tree) {
        return Ok(None);
    }
    let Some(live) = analysis.with_live_ranges(budget).map_err(during("dependence analysis"))? else { return Ok(None) };
    let new = schedule(&live, config, budget)?;
    if new == *tree {
        return Ok(None);
    }
    let joined = merge_isomorphic(&live, &new, budget).map_err(during("scheduling"))?;
    let (live, new) = joined.unwrap_or((live, new));
    let candidate = lower(&live, &new, config, budget).map_err(during("transformation"))?;
    tracing::debug!(cycles = candidate.cycles, limit, "live ranges in another order");
    if candidate.cycles >= limit {
        return Ok(None);
    }
    if let Err(Reason::IllegalSchedule(what)) =
        verify::tree(&live.dependences.dependences, &Order::default(), &candidate.tree, budget)
    {
        tracing::warn!(what, "a candidate with live ranges in another order was refused");
        return Ok(None);
    }
    Ok(Some((live, candidate)))
}

/// Whether some statement has more loops than any permutable band above it.
fn has_shallow_bands(analysis: &Analysis, tree: &ScheduleTree) -> bool {
    let mut deepest = vec![0; analysis.scop.statements.len()];
    for node in tree.band_nodes() {
        let Some(band) = node.band().filter(|band| band.permutable) else { continue };
        let reaching = node.domain();
        for (deepest, statement) in deepest.iter_mut().zip(&analysis.scop.statements) {
            if reaching.get_named(&statement.name).is_some() {
                *deepest = band.n_member().max(*deepest);
            }
        }
    }
    analysis.scop.statements.iter().zip(deepest).any(|(statement, deepest)| statement.loops.len() > deepest)
}
