//! Scheduling a group of statements, from the outside in.
//!
//! A group is cut into clusters (see [`crate::cluster`]), which become a sequence. Every cluster gets its band; below the band,
//! the same statements are a group again, with the edges that are still at equal time. Where a cluster has no band:
//!
//! * if its statements are complete and there is only one, it is done;
//! * else one dimension that carries some edges ([`crate::carry`]);
//! * else the original order ([`crate::original`]).
//!
//! Every step makes some statement more complete, removes edges or splits the group, so the recursion ends; its depth is
//! bounded by statements, iterators and edges of the group.

use poly_presburger::budget::{Budget, Stop};

use crate::band::{Member, is_coincident};
use crate::carry::carry;
use crate::cluster::{Cluster, clusters};
use crate::context::Context;
use crate::edge::{Edges, Role, Rows};
use crate::independence::{History, Region, extended};
use crate::original::original;
use crate::plan::Plan;

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
        let inner: Edges = edges.iter().filter(|e| e.is_within(&cluster.statements)).cloned().collect();
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
    if cluster.band.depth() > 0 {
        return below(context, statements, cluster.band.members.clone(), edges, history, budget);
    }
    let complete = statements.iter().all(|s| Region::new(*s, &history[s]).missing() == 0);
    let ordered = edges.iter().any(|e| e.role == Role::Order);
    if complete && statements.len() == 1 && !ordered {
        return Ok(Plan::Leaf);
    }
    if let Some(rows) = carry(context, statements, edges, budget)? {
        let coincident = is_coincident(edges, &rows, budget)?;
        return below(context, statements, vec![Member { rows, coincident }], edges, history, budget);
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
    for edge in edges {
        result.extend(edge.restrict(dimensions.iter().copied(), budget)?);
    }
    Ok(result)
}
