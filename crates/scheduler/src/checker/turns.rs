//! Loops that threads share in turn.
//!
//! # Problem
//! Threads take the iterations of a loop one after the other, although they depend on each other. Inside of the loop another one goes through *stages*: before an iteration enters stage `k`, it waits until
//! all earlier iterations of the loop with numbers up to `k` are finished. That orders exactly the pairs whose source is in an iteration with a number not larger than the stage of the sink.
//!
//! # Condition
//! Of two instances that depend on each other and differ in the loop, but not in those outside of it, the one in the earlier iteration is in one with a number not larger than the stage of the other.
//! The loop has to be a band of its own below its mark, the stages the next band, with the other mark below it: then nothing of an iteration comes before its first stage, and the number of
//! a stage is the value of that band's member.

use poly_dependence::{Dependence, DependenceKind};
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{Map, Space, Tuple};
use poly_schedule_tree::{Mark, Node, NodeKind, ScheduleTree, Tree};

use super::{Coincidence, Comparison, Loop, Times, instances, marks_above, split, time_dimensions_above, witness};

/// Decides whether waiting in stages is enough for all dependences that are carried by loops which threads share in turn. Input dependences do not count.
///
/// A loop without stages, as they have to be, is treated as one that has to be free of dependences.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn check_turns(tree: &ScheduleTree, dependences: &[Dependence], budget: &mut Budget) -> Result<Coincidence, Stop> {
    let turns = turns(tree);
    if turns.is_empty() {
        return Ok(Coincidence::Kept);
    }
    let mut times = Times::new(tree, budget)?;
    for (index, dependence) in dependences.iter().enumerate() {
        if dependence.kind == DependenceKind::Input {
            continue;
        }
        let any_order = dependence.reduction || dependence.conditional;
        let backward = any_order.then(|| dependence.relation.reverse());
        for relation in std::iter::once(&dependence.relation).chain(&backward) {
            if let Some((dimension, bad)) = times.not_waited_for(relation, &turns, budget)? {
                let (params, source, sink) = split(&bad, relation.space());
                return Ok(Coincidence::Violated { dimension, dependence: index, source, sink, params });
            }
        }
    }
    Ok(Coincidence::Kept)
}

/// A loop that is taken in turn.
struct Turns {
    this: Loop,
    /// The loop inside has its stages.
    has_stages: bool,
}

fn turns(tree: &ScheduleTree) -> Vec<Turns> {
    let marked = tree.band_nodes().into_iter().filter(|node| marks_above(node).contains(&&Mark::Doacross));
    let of = |node: Node| Turns {
        this: Loop { dimension: time_dimensions_above(&node), domain: instances(&node).into() },
        has_stages: node.band().is_some_and(|band| band.n_member() == 1) && has_stages(node.subtree().child()),
    };
    marked.map(of).collect()
}

/// The next band has one member, and the mark below it.
fn has_stages(below: &Tree) -> bool {
    let mut node = below;
    while matches!(node.kind(), NodeKind::Mark(_)) {
        node = node.child();
    }
    let is_single = node.as_band().is_some_and(|band| band.n_member() == 1 && !band.has_grid());
    is_single && matches!(node.child().kind(), NodeKind::Mark(Mark::Wait))
}

impl Times {
    /// A pair whose sink does not wait for its source, with the time dimension of the loop.
    fn not_waited_for(
        &mut self,
        relation: &Map,
        turns: &[Turns],
        budget: &mut Budget,
    ) -> Result<Option<(usize, Vec<poly_arith::Int>)>, Stop> {
        let Some(ends) = self.ends(relation) else { return Ok(None) };
        let tuples = [ends.0, ends.1].map(|s| self.statements[s].tuple.clone());
        let mut equal = relation.clone();
        for dimension in 0..self.dimensions {
            for Turns { this, has_stages } in turns.iter().filter(|turns| turns.this.dimension == dimension) {
                let (Some(source), Some(sink)) = (this.instances(&tuples[0]), this.instances(&tuples[1])) else {
                    continue;
                };
                let inside = equal.intersect_domain(source).intersect_range(sink);
                // Those the other way around are violations of order, or have been reversed.
                let mut carried = self.restrict(&inside, ends, dimension, Comparison::Before);
                if *has_stages {
                    carried = carried.intersect(&self.later_than_stage(ends, dimension));
                }
                if let Some(bad) = witness(&carried, budget)? {
                    return Ok(Some((dimension, bad)));
                }
            }
            equal = self.restrict(&equal, ends, dimension, Comparison::Equal);
            if equal.is_empty(budget)? {
                break;
            }
        }
        Ok(None)
    }

    /// The pairs of which the source's time in a dimension is larger than the sink's in the next one.
    fn later_than_stage(&self, (source, sink): (usize, usize), dimension: usize) -> Map {
        let time = Space::set(Vec::new(), Tuple::anonymous(1));
        let of = |statement: usize, dimension: usize| {
            let statement = &self.statements[statement];
            statement.levels[dimension].to_map(statement)
        };
        of(source, dimension).apply_range(&Map::lex_gt(&time)).apply_range(&of(sink, dimension + 1).reverse())
    }
}
