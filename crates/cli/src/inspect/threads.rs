//! Whether threads are worth being proposed for loops that are left as they are.
//!
//! # Method
//! 1. An outermost loop may be shared by threads if no dependence leads from one of its iterations
//!    to another one.
//! 2. Two threads save half of the predicted cycles, and starting them costs
//!    [`Machine::fork_cycles`](super::record::Machine). They are proposed if that is less.

use poly_exchange::{Format, ScopText};
use poly_presburger::{Budget, DimKind, Map, Stop};

use super::BUDGET;
use super::record::{Model, Record};

/// Threads would have enough work, and may share it.
pub(crate) fn may_pay(record: &Record) -> bool {
    let Some(model) = &record.model else { return false };
    let (Some((original, _)), Some(machine)) = (model.predicted, &model.machine) else { return false };
    let saved = original / 2.0;
    // What cannot be found out is not proposed.
    !machine.has_threads && saved > machine.fork_cycles && has_parallel_loop(model).unwrap_or(false)
}

/// True if an outermost loop of a SCoP carries no dependence; `None` if that is not known.
fn has_parallel_loop(model: &Model) -> Option<bool> {
    let budget = &mut Budget::new(BUDGET);
    let scop = ScopText::read(model.scop.as_ref()?, Format::Jscop, budget).ok()?;
    let dependences = scop.dependences(budget).ok()??;
    let outermost: Vec<Option<u64>> = model.statements.iter().map(|s| s.loops.first().copied()).collect();
    if outermost.len() != scop.statements.len() {
        return None;
    }
    let mut candidates: Vec<u64> = outermost.iter().flatten().copied().collect();
    candidates.sort_unstable();
    candidates.dedup();
    for candidate in candidates {
        let is_inside = |statement: usize| outermost[statement] == Some(candidate);
        let inner = dependences.iter().filter(|d| d.is_ordering() && is_inside(d.source.0) && is_inside(d.sink.0));
        let mut is_carried = false;
        for dependence in inner {
            is_carried |= is_carried_by_first(&dependence.relation, budget).ok()?;
        }
        if !is_carried {
            return Some(true);
        }
    }
    Some(false)
}

/// True if the relation has a pair with different first iterations.
fn is_carried_by_first(relation: &Map, budget: &mut Budget) -> Result<bool, Stop> {
    let forward = relation.order_gt(DimKind::Out, 0, DimKind::In, 0);
    let backward = relation.order_gt(DimKind::In, 0, DimKind::Out, 0);
    Ok(!forward.is_empty(budget)? || !backward.is_empty(budget)?)
}
