//! Permutable bands.
//!
//! A *band* is a list of schedule dimensions (*members*) in each of which no dependence goes
//! backwards, so that the members may be permuted and tiled [Bondhugula2008]. It is grown one
//! member at a time: the best row for all statements, linearly independent of what each statement
//! already has, until every statement is complete or there is no further row.
//!
//! Which rows are searched:
//!
//! 1. non-negative coefficients, every incomplete statement advances; or, if that gives shorter
//!    distances, only statements advance that could otherwise not be completed within the members
//!    that the deepest statement still needs;
//! 2. if there are none, and it is allowed: coefficients of any sign and shifts by parameters, with
//!    distances that are bounded by constants;
//! 3. if there are none: loops as they are or reversed, with distances of any length.
//!
//! A member is *coincident* when no dependence that reaches the band has a distance in it; that
//! does not depend on the order of the members.

use std::collections::BTreeSet;

use poly_presburger::budget::{Budget, Stop};

use crate::affine::Affine;
use crate::constraints::Collector;
use crate::context::Context;
use crate::edge::{Edge, Edges, Role, Rows};
use crate::independence::{History, Region, extended};
use crate::layout::{Layout, Shape};
use crate::problem::{Fusion, Preference};
use crate::row::{Solution, best_rows};

/// One dimension of a band.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) rows: Rows,
    pub(crate) coincident: bool,
}

/// A band over some statements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Band {
    pub(crate) members: Vec<Member>,
}

impl Band {
    /// The rows of the members.
    pub(crate) fn dimensions(&self) -> impl Iterator<Item = &Rows> {
        self.members.iter().map(|m| &m.rows)
    }

    /// Number of members.
    pub(crate) fn depth(&self) -> usize {
        self.members.len()
    }

    /// Number of coincident members.
    pub(crate) fn coincident(&self) -> usize {
        self.members.iter().filter(|m| m.coincident).count()
    }
}

/// What is done about conditional edges ([`crate::web`]).
#[derive(Clone, Debug)]
pub(crate) enum LiveRanges {
    /// They are kept in order.
    Ordered,
    /// Those of these webs are ignored, and the webs are local to the band.
    Local(BTreeSet<usize>),
    /// Those of these webs are ignored, and the webs may be local or not: no legal band, but one
    /// that shows which of them could be.
    Ignored(BTreeSet<usize>),
}

impl LiveRanges {
    /// Whether an edge constrains nothing.
    fn ignores(&self, edge: &Edge) -> bool {
        let (Self::Local(webs) | Self::Ignored(webs)) = self else { return false };
        edge.role == Role::Conditional && edge.web.is_some_and(|web| webs.contains(&web))
    }

    /// Whether an edge is to have no distances.
    fn binds(&self, edge: &Edge) -> bool {
        let Self::Local(webs) = self else { return false };
        edge.role == Role::Order && edge.web.is_some_and(|web| webs.contains(&web))
    }
}

/// The statements that a row is searched for, and what constrains it.
#[derive(Debug)]
struct Growth<'a> {
    context: &'a Context,
    statements: &'a [usize],
    edges: &'a Edges,
    live_ranges: &'a LiveRanges,
    /// Per shape that was used: the constraints that are the same for all members.
    prepared: Vec<(Layout, poly_presburger::solver::System)>,
}

/// Grows a band over a sorted list of statements. `edges` are those within the list.
pub(crate) fn grow(
    context: &Context,
    statements: &[usize],
    edges: &Edges,
    history: &History,
    live_ranges: &LiveRanges,
    budget: &mut Budget,
) -> Result<Band, Stop> {
    let mut growth = Growth { context, statements, edges, live_ranges, prepared: Vec::new() };
    let mut band = Band { members: Vec::new() };
    let mut history = history.clone();
    loop {
        let regions: Vec<Region> = statements.iter().map(|&s| Region::new(s, &history[&s])).collect();
        if regions.iter().all(|r| r.missing() == 0) {
            break;
        }
        let Some(rows) = growth.next(&regions, budget)? else { break };
        history = extended(&history, std::iter::once(&rows));
        let coincident = is_coincident(edges, &rows, budget)?;
        band.members.push(Member { rows, coincident });
    }
    Ok(band)
}

/// Whether at most one iterator occurs.
fn is_plain(row: &Affine) -> bool {
    row.iterators.iter().filter(|c| !c.is_zero()).count() <= 1
}

/// Whether no edge has a distance in one dimension.
pub(crate) fn is_coincident(edges: &Edges, rows: &Rows, budget: &mut Budget) -> Result<bool, Stop> {
    for edge in edges.iter().filter(|e| e.role != Role::Reuse) {
        if !edge.is_coincident(rows, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Growth<'_> {
    fn next(&mut self, regions: &[Region], budget: &mut Budget) -> Result<Option<Rows>, Stop> {
        let incomplete: Vec<Region> = regions.iter().filter(|r| r.missing() > 0).cloned().collect();
        let left = incomplete.iter().map(Region::missing).max().unwrap_or(0);
        let urgent: Vec<Region> = incomplete.iter().filter(|r| r.missing() == left).cloned().collect();
        let options = &self.context.options;
        let plain = Shape {
            signed: false,
            parametric: false,
            constant_distance: false,
            reuse_counts: options.fusion == Fusion::Max || options.preference == Preference::Locality,
            max_coefficient: options.max_coefficient,
            max_constant: options.max_constant,
        };
        let mut best = self.search(plain, &incomplete, budget)?;
        if urgent.len() < incomplete.len()
            && let Some(lazy) = self.search(plain, &urgent, budget)?
            && best.as_ref().is_none_or(|eager| lazy.distances < eager.distances)
        {
            best = Some(lazy);
        }
        if best.is_none() && options.negative_coefficients {
            let parametric = self.statements.len() > 1;
            let free = Shape { signed: true, parametric, constant_distance: true, ..plain };
            best = self.search(free, &incomplete, budget)?;
            if best.is_none() {
                // Reversed loops with long distances still make a band deeper. Skewed ones would
                // cost the parallel loops that are found below a band without them.
                let long = Shape { parametric: false, constant_distance: false, ..free };
                let reversed = self.search(long, &incomplete, budget)?;
                best = reversed.filter(|solution| solution.rows.values().all(is_plain));
            }
        }
        Ok(best.map(|solution| solution.rows))
    }

    fn search(&mut self, shape: Shape, regions: &[Region], budget: &mut Budget) -> Result<Option<Solution>, Stop> {
        let index = match self.prepared.iter().position(|(layout, _)| layout.shape == shape) {
            Some(index) => index,
            None => {
                let prepared = self.prepare(shape, budget)?;
                self.prepared.push(prepared);
                self.prepared.len() - 1
            }
        };
        let (layout, system) = &self.prepared[index];
        best_rows(layout, system.clone(), regions, budget)
    }

    fn prepare(&self, shape: Shape, budget: &mut Budget) -> Result<(Layout, poly_presburger::solver::System), Stop> {
        let dims = self.statements.iter().map(|&s| (s, self.context.statements[s].dims));
        let layout = Layout::new(dims, self.context.n_params(), shape).with_costs(&self.context.costs);
        let mut collector = Collector::new(&layout);
        for edge in self.edges {
            if self.live_ranges.ignores(edge) {
                continue;
            }
            collector.add_legality(edge, budget)?;
            if self.live_ranges.binds(edge) {
                collector.add_zero(edge, budget)?;
            }
            collector.add_bounds(edge, budget)?;
        }
        let system = collector.finish();
        Ok((layout, system))
    }
}
