//! Nests in a row as a pipeline: they share a loop over rows, in which each works on the rows that
//! the ones before it have just made.
//!
//! # Problem
//! Every nest of a pipeline of images reads a few rows of the image that another one has written.
//! Common loops over rows *and* columns carry dependences in both where a nest reads columns on
//! both sides, and then no loop is free of them. With a common loop over rows alone, the loops over
//! columns stay as they are.
//!
//! # Definitions
//! The outermost loop of nest `k` counts `x_k`. The nests of a *group* get one loop, in which nest
//! `k` is in iteration `x_k + s_k`; its *shift* is `s_k`. In an iteration the nests come in their
//! order.
//!
//! # Algorithm
//! For the nests at one place of the program, in their order:
//!
//! 1. From nest `i` to nest `k` leads a *link* if there are dependences, of the distance `max { x_i
//!    - x_k }` over their pairs and over all parameters.
//! 2. A group is the longest run of nests of which all distances are numbers, up to the last one
//!    that reads an array of a list which another one writes; the first one has to write such an
//!    array, too.
//! 3. The shift of a nest is the largest `s_i` and distance of a link to it, 0 if there are none;
//!    then that of each nest without such links is made as large as the nests permit that wait for
//!    it.
//! 4. The same is done with what is inside of the nests' outermost loops.
//!
//! # Invariants
//! The result is legal: pairs in one nest keep their order, those between two nests are in
//! different iterations or in the order of the nests. Dependences count only between instances in
//! the same iterations of the loops around.

use poly_dependence::{Dependence, DependenceKind};
use poly_presburger::{Budget, DimKind, Map, Stop, UnionSet};
use poly_schedule_tree::{Band, ScheduleTree, Tree};

use crate::driver::Analysis;
use crate::order::{OriginalNode, counter_band, domains, filter, original_nodes};
use crate::{ArrayId, Scop};

/// The original order with pipelines; `None` if there are none.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(super) fn pipelined(
    analysis: &Analysis,
    arrays: &[ArrayId],
    budget: &mut Budget,
) -> Result<Option<ScheduleTree>, Stop> {
    let scop = &analysis.scop;
    let mut maker = Maker { scop, dependences: &analysis.dependences.dependences, arrays, groups: 0 };
    let tree = maker.tree_of(&original_nodes(scop), 0, budget)?;
    Ok((maker.groups > 0).then(|| ScheduleTree::new(UnionSet::from_members(domains(scop)), tree)))
}

struct Maker<'a> {
    scop: &'a Scop,
    dependences: &'a [Dependence],
    arrays: &'a [ArrayId],
    /// How many groups have several nests.
    groups: usize,
}

/// A nest with its shift.
struct Stage<'n> {
    node: &'n OriginalNode,
    shift: i64,
}

/// What the dependences from one nest to a later one ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Link {
    /// There are none.
    None,
    /// The second one is at least so many iterations behind.
    Near {
        distance: i64,
        /// One of them is that of a value in an array of the list.
        feeds: bool,
    },
    /// There is no number of them.
    Far,
}

impl Maker<'_> {
    /// Recursion is bounded by the deepest loop nest.
    fn tree_of(&mut self, nodes: &[OriginalNode], depth: usize, budget: &mut Budget) -> Result<Tree, Stop> {
        let mut children: Vec<(UnionSet, Tree)> = Vec::new();
        let mut rest = nodes;
        while !rest.is_empty() {
            let stages = self.group(rest, depth, budget)?;
            rest = &rest[stages.len()..];
            let own = stages[1..]
                .iter()
                .fold(filter(self.scop, stages[0].node), |all, stage| all.union(&filter(self.scop, stage.node)));
            children.push((own, self.pipeline(&stages, depth, budget)?));
        }
        Ok(match children.len() {
            0 => Tree::leaf(),
            1 => children.remove(0).1,
            _ => Tree::sequence(children),
        })
    }

    /// The first group of some nests.
    fn group<'n>(&self, nodes: &'n [OriginalNode], depth: usize, budget: &mut Budget) -> Result<Vec<Stage<'n>>, Stop> {
        let is_loop = |node: &&OriginalNode| matches!(node, OriginalNode::Loop { .. });
        let run = nodes.iter().take_while(is_loop).count();
        let mut links: Vec<Vec<Link>> = Vec::new();
        for sink in 0..run {
            let mut own = Vec::new();
            for source in 0..sink {
                own.push(self.link([&nodes[source], &nodes[sink]], depth, budget)?);
            }
            if own.iter().any(|link| matches!(link, Link::Far)) {
                break;
            }
            links.push(own);
        }
        let feeds =
            |source: usize, sink: usize| matches!(links[sink].get(source), Some(Link::Near { feeds: true, .. }));
        let last = (0..links.len()).rev().find(|&sink| (0..sink).any(|source| feeds(source, sink)));
        let count = last.filter(|&last| (1..=last).any(|sink| feeds(0, sink))).map_or(1, |last| last + 1);
        links.truncate(count);
        let shifts = shifts(&links);
        if shifts.iter().any(|shift| shift.abs() > MOST) {
            return Ok(vec![Stage { node: &nodes[0], shift: 0 }]);
        }
        let stages = nodes[..count].iter().enumerate();
        Ok(stages.map(|(k, node)| Stage { node, shift: shifts.get(k).copied().unwrap_or(0) }).collect())
    }

    /// What the dependences from one nest to a later one ask for.
    fn link(&self, [from, to]: [&OriginalNode; 2], depth: usize, budget: &mut Budget) -> Result<Link, Stop> {
        let (mut farthest, mut feeds) = (None, false);
        for dependence in self.dependences.iter().filter(|d| d.is_ordering() || d.reduction) {
            if !statements(from).contains(&dependence.source.0) || !statements(to).contains(&dependence.sink.0) {
                continue;
            }
            let pairs = at_once(&dependence.relation, depth);
            if pairs.is_empty(budget)? {
                continue;
            }
            let Some(distance) = self.farthest_back(&pairs, depth, budget)? else { return Ok(Link::Far) };
            farthest = farthest.max(Some(distance));
            let array = self.scop.statements[dependence.sink.0].accesses[dependence.sink.1].array;
            feeds |= dependence.kind == DependenceKind::Flow && self.arrays.contains(&array);
        }
        Ok(farthest.map_or(Link::None, |distance| Link::Near { distance, feeds }))
    }

    /// The largest difference of the counters of a loop in a pair of instances, the first less the
    /// second one, if there is one for all parameters.
    fn farthest_back(&self, pairs: &Map, depth: usize, budget: &mut Budget) -> Result<Option<i64>, Stop> {
        let pairs = pairs.intersect_params(&self.scop.context);
        let (before, after) = (pairs.space().dim(DimKind::In), pairs.space().dim(DimKind::Out));
        let only = pairs.project_out(DimKind::In, depth + 1, before - depth - 1).project_out(DimKind::In, 0, depth);
        let only = only.project_out(DimKind::Out, depth + 1, after - depth - 1).project_out(DimKind::Out, 0, depth);
        let distances = only.reverse().deltas();
        let bounds = distances.compute_divs(budget)?.dim_bounds(0..1, budget)?.and_then(|mut bounds| bounds.pop());
        Ok(bounds.and_then(|bounds| bounds.greatest).and_then(|greatest| greatest.to_i64()))
    }

    /// The loop that the nests of a group share, or the only one of a nest.
    fn pipeline(&mut self, stages: &[Stage<'_>], depth: usize, budget: &mut Budget) -> Result<Tree, Stop> {
        let mut band: Option<Band> = None;
        let mut children = Vec::new();
        for stage in stages {
            let OriginalNode::Loop { members, body, .. } = stage.node else { return Ok(Tree::leaf()) };
            let own = counter_band(self.scop, members, depth, stage.shift);
            band = Some(match band {
                None => own,
                Some(others) => with_others(&others, &own),
            });
            children.push((filter(self.scop, stage.node), self.tree_of(body, depth + 1, budget)?));
        }
        self.groups += usize::from(stages.len() > 1);
        let inside = if children.len() == 1 { children.remove(0).1 } else { Tree::sequence(children) };
        Ok(band.map_or(Tree::leaf(), |band| Tree::band(band, inside)))
    }
}

/// Shifts with which no dependence leads back, by the links of each nest from those before it: the
/// least ones for nests that wait for others, and the largest ones for those that do not.
fn shifts(links: &[Vec<Link>]) -> Vec<i64> {
    let distance = |source: usize, sink: usize| match links[sink][source] {
        Link::Near { distance, .. } => Some(distance),
        Link::None | Link::Far => None,
    };
    let mut shifts: Vec<i64> = Vec::new();
    for sink in 0..links.len() {
        let least = (0..sink).filter_map(|source| Some(shifts[source].saturating_add(distance(source, sink)?)));
        shifts.push(least.max().unwrap_or(0));
    }
    for source in (0..links.len()).rev() {
        let is_first = (0..source).all(|other| distance(other, source).is_none());
        let most =
            (source + 1..links.len()).filter_map(|sink| Some(shifts[sink].saturating_sub(distance(source, sink)?)));
        if let Some(most) = most.min().filter(|_| is_first) {
            shifts[source] = most;
        }
    }
    shifts
}

/// A nest that has to wait for so many iterations of another one has nothing of it.
const MOST: i64 = 64;

fn statements(node: &OriginalNode) -> &[usize] {
    match node {
        OriginalNode::Statement(statement) => std::slice::from_ref(statement),
        OriginalNode::Loop { members, .. } => members,
    }
}

/// The pairs in the same iterations of so many outer loops.
fn at_once(relation: &Map, depth: usize) -> Map {
    (0..depth).fold(relation.clone(), |pairs, k| pairs.equate(DimKind::In, k, DimKind::Out, k))
}

/// A loop of the instances of two.
fn with_others(one: &Band, other: &Band) -> Band {
    let schedule = one.schedule.map_members(|member, functions| {
        let mut all = functions.clone();
        other.schedule.get(member).iter().for_each(|function| all.add(function.clone()));
        all
    });
    Band::new(schedule)
}
