//! Scheduling a group of statements, from the outside in.
//!
//! A group is cut into clusters (see [`crate::cluster`]), which become a sequence. Every cluster
//! gets its band; below the band, the same statements are a group again, with the edges that are
//! still at equal time. Where a cluster has no band:
//!
//! * if its statements are complete and there is only one, it is done;
//! * else one dimension that carries some edges ([`crate::carry`]);
//! * else, or if that is not found within its part of the effort ([`crate::effort`]), one level of
//!   the original order ([`crate::original`]).
//!
//! Every step makes some statement more complete, removes edges or splits the group, so the
//! recursion ends; its depth is bounded by statements, iterators and edges of the group.

use poly_presburger::budget::{Budget, Stop};

use crate::band::{Member, is_coincident};
use crate::carry::carry;
use crate::cluster::{Cluster, clusters};
use crate::context::Context;
use crate::edge::{Edges, Rows};
use crate::effort::search;
use crate::independence::{History, Region, extended};
use crate::original::{original, original_places, original_rows};
use crate::plan::Plan;
use crate::web;
use crate::web::inside;

/// The schedule of a sorted list of statements. `edges` are those within the list.
pub(crate) fn schedule_group(
    context: &Context,
    statements: &[usize],
    edges: &Edges,
    history: &History,
    budget: &mut Budget,
) -> Result<Plan, Stop> {
    budget.spend(1)?;
    let mut children = Vec::new();
    for cluster in clusters(context, statements, edges, history, budget)? {
        let inner = inside(edges, &cluster.statements);
        let plan = schedule_cluster(context, &cluster, &inner, history, budget)?;
        children.push((cluster.statements, plan));
    }
    Ok(Plan::sequence(children))
}

fn schedule_cluster(
    context: &Context,
    cluster: &Cluster,
    edges: &Edges,
    history: &History,
    budget: &mut Budget,
) -> Result<Plan, Stop> {
    let statements = &cluster.statements;
    let parallel = cluster.band.members.first().is_none_or(|m| m.coincident);
    if context.options.outer_coincidence
        && !parallel
        && let Some(rows) = search(budget, |part| carry(context, statements, edges, part)).flatten()
    {
        let coincident = is_coincident(edges, &rows, budget)?;
        return below(context, statements, vec![Member { rows, coincident }], edges, history, budget);
    }
    if cluster.band.depth() > 0 {
        let mut members = cluster.band.members.clone();
        if context.options.single_outer_members {
            let after = extended(history, members.iter().map(|m| &m.rows));
            if statements.iter().any(|s| Region::new(*s, &after[s]).missing() > 0) {
                members.truncate(1);
            }
        }
        return below(context, statements, members, edges, history, budget);
    }
    let complete = statements.iter().all(|s| Region::new(*s, &history[s]).missing() == 0);
    let ordered = edges.iter().any(|e| e.is_ordering());
    if complete && statements.len() == 1 && !ordered {
        return Ok(Plan::Leaf);
    }
    let carried = if cluster.given_up { None } else { search(budget, |part| carry(context, statements, edges, part)) };
    if let Some(rows) = carried.flatten() {
        let coincident = is_coincident(edges, &rows, budget)?;
        return below(context, statements, vec![Member { rows, coincident }], edges, history, budget);
    }
    by_original_level(context, statements, edges, history, budget)
}

/// The outermost level of the original order that orders an edge; below it the statements are
/// groups again. All edges that are left are edges of the original program and at equal time
/// outside of that level, so none of them goes backwards in it.
fn by_original_level(
    context: &Context,
    statements: &[usize],
    edges: &Edges,
    history: &History,
    budget: &mut Budget,
) -> Result<Plan, Stop> {
    for level in 0.. {
        let Some(rows) = original_rows(context, statements, level) else { break };
        if is_coincident(edges, &rows, budget)? {
            continue;
        }
        if let Some(groups) = original_places(&rows) {
            let mut children = Vec::new();
            for group in groups {
                let inner = inside(edges, &group);
                let plan = schedule_group(context, &group, &inner, history, budget)?;
                children.push((group, plan));
            }
            return Ok(Plan::sequence(children));
        }
        return below(context, statements, vec![Member { rows, coincident: false }], edges, history, budget);
    }
    original(context, statements, edges, 0, budget)
}

/// A band with what comes below it.
fn below(
    context: &Context,
    statements: &[usize],
    members: Vec<Member>,
    edges: &Edges,
    history: &History,
    budget: &mut Budget,
) -> Result<Plan, Stop> {
    let dimensions = || members.iter().map(|m| &m.rows);
    let edges = restricted(edges, &dimensions().collect::<Vec<_>>(), budget)?;
    let history = extended(history, dimensions());
    let child = schedule_group(context, statements, &edges, &history, budget)?;
    Ok(Plan::Band { members, child: Box::new(child) })
}

/// The edges that are still at equal time after some dimensions.
pub(crate) fn restricted(edges: &Edges, dimensions: &[&Rows], budget: &mut Budget) -> Result<Edges, Stop> {
    let mut result = Edges::new();
    for edge in web::below(edges, dimensions, budget)? {
        result.extend(edge.restrict(dimensions.iter().copied(), budget)?);
    }
    Ok(result)
}
