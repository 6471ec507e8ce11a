//! The original order, where nothing better is known.
//!
//! Level by level of the original times: where all statements have a constant, they are put in sequence by it; else the
//! level becomes a band of one member. All edges that are left are edges of the original program, so this is always legal.

use std::collections::BTreeMap;

use poly_arith::Int;
use poly_presburger::budget::{Budget, Stop};

use crate::affine::Affine;
use crate::band::{Member, is_coincident};
use crate::context::Context;
use crate::edge::{Edges, Rows};
use crate::group::restricted;
use crate::plan::Plan;

/// The original order of some statements from a level on. The recursion is bounded by the number of levels.
pub(crate) fn original(
    context: &Context,
    statements: &[usize],
    edges: &Edges,
    level: usize,
    budget: &mut Budget,
) -> Result<Plan, Stop> {
    let rows: Rows = statements.iter().filter_map(|&s| Some((s, row(context, s, level)?))).collect();
    if rows.is_empty() {
        return Ok(Plan::Leaf);
    }
    assert_eq!(rows.len(), statements.len(), "statements that are never executed are in no cycle of dependences");
    let constant = |affine: &Affine| {
        let invariant = affine.is_invariant() && affine.parameters.iter().all(Int::is_zero);
        invariant.then(|| affine.constant.clone())
    };
    let places: Option<Vec<Int>> = rows.values().map(constant).collect();
    if let Some(places) = places {
        let mut groups: BTreeMap<Int, Vec<usize>> = BTreeMap::new();
        for (&statement, place) in statements.iter().zip(places) {
            groups.entry(place).or_default().push(statement);
        }
        let mut children = Vec::new();
        for group in groups.into_values() {
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

fn row(context: &Context, statement: usize, level: usize) -> Option<Affine> {
    let row = context.statements[statement].time.get(level)?;
    Some(Affine::from_row(row, context.n_params()))
}
