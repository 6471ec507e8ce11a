//! The original order, where nothing better is known.
//!
//! Level by level of the original times: where all statements have a constant, they are put in
//! sequence by it; else the level becomes a band of one member. All edges that are left are edges
//! of the original program, so this is always legal.

use std::collections::BTreeMap;

use poly_arith::Int;
use poly_presburger::budget::{Budget, Stop};

use crate::affine::Affine;
use crate::band::{Member, is_coincident};
use crate::context::Context;
use crate::edge::{Edges, Rows};
use crate::group::restricted;
use crate::plan::Plan;

/// The original order of some statements from a level on. The recursion is bounded by the number of
/// levels.
pub(crate) fn original(
    context: &Context,
    statements: &[usize],
    edges: &Edges,
    level: usize,
    budget: &mut Budget,
) -> Result<Plan, Stop> {
    let Some(rows) = original_rows(context, statements, level) else { return Ok(Plan::Leaf) };
    if let Some(groups) = original_places(&rows) {
        let mut children = Vec::new();
        for group in groups {
            let inner: Edges = edges.iter().filter(|e| e.is_within(&group)).cloned().collect();
            let plan = original(context, &group, &inner, level + 1, budget)?;
            children.push((group, plan));
        }
        return Ok(Plan::sequence(children));
    }
    let coincident = is_coincident(edges, &rows, budget)?;
    let inner = restricted(edges, &[&rows], budget)?;
    let child = original(context, statements, &inner, level + 1, budget)?;
    Ok(Plan::Band { members: vec![Member { rows, coincident }], child: Box::new(child) })
}

/// The original times of all statements at one level; `None` if there are no more levels. A
/// statement that is never executed has none, whatever it gets.
pub(crate) fn original_rows(context: &Context, statements: &[usize], level: usize) -> Option<Rows> {
    let mut rows = Rows::new();
    let mut exists = false;
    for &statement in statements {
        let row = context.statements[statement].time.get(level);
        exists |= row.is_some();
        let affine = match row {
            Some(row) => Affine::from_row(row, context.n_params()),
            None => Affine {
                iterators: vec![Int::ZERO; context.statements[statement].dims],
                parameters: vec![Int::ZERO; context.n_params()],
                constant: Int::ZERO,
            },
        };
        rows.insert(statement, affine);
    }
    exists.then_some(rows)
}

/// The statements by their times, if these are constants for all of them.
pub(crate) fn original_places(rows: &Rows) -> Option<Vec<Vec<usize>>> {
    let mut groups: BTreeMap<Int, Vec<usize>> = BTreeMap::new();
    for (&statement, affine) in rows {
        if !affine.is_invariant() || !affine.parameters.iter().all(Int::is_zero) {
            return None;
        }
        groups.entry(affine.constant.clone()).or_default().push(statement);
    }
    Some(groups.into_values().collect())
}
