//! DOACROSS loops.
//!
//! # Problem
//! Threads take the iterations of a loop one after the other, although they depend on each other
//! ([`Mark::Doacross`]). Inside of the loop another one goes through *stages*: before an iteration
//! enters stage `k`, it waits until all earlier iterations of the loop with numbers up to `k` are
//! finished. That orders exactly the pairs whose source is in an iteration with a number not larger
//! than the stage of the sink.
//!
//! # Condition
//! Of two instances that depend on each other and differ in the loop, but not in those outside of
//! it, the one in the earlier iteration is in one with a number not larger than the stage of the
//! other. The loop has to be a band of its own below its mark, the stages the next band on the way
//! to the sink, with [`Mark::Wait`] below it: then nothing of an iteration that the sink depends on
//! comes before its first stage, and the number of a stage is the value of that band's member.
//! Between the two there may be sequences: parts of an iteration that are executed before and
//! behind all of its stages, as copies of data are. An instance in a part without stages waits for
//! nothing.
//!
//! Reference: [Cytron1986].

use std::sync::Arc;

use poly_arith::Int;
use poly_dependence::{Dependence, DependenceKind};
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{Map, Space, Tuple, UnionSet};
use poly_schedule_tree::{Mark, Node, NodeKind, ScheduleTree, Tree};

use crate::loops::{Loop, instances, marks_above, time_dimensions_above};
use crate::order::{Comparison, Times, Witness, witness};

/// A DOACROSS loop.
struct Doacross {
    this: Loop,
    parts: Vec<Part>,
}

/// A part of an iteration.
struct Part {
    /// Its instances, as far as filters on the way say.
    instances: UnionSet,
    /// The time dimension of its stages, if it has some.
    stages: Option<usize>,
}

impl Doacross {
    fn of(node: &Node) -> Doacross {
        let dimension = time_dimensions_above(node);
        let this = Loop { dimension, domain: Arc::new(instances(node)) };
        let mut parts = Vec::new();
        if node.band().is_some_and(|band| band.n_member() == 1) {
            collect(node.subtree().child(), &this.domain, dimension + 1, &mut parts);
        }
        Doacross { this, parts }
    }

    /// The time dimension of the stages of all instances of a statement, if it is the same.
    fn stages(&self, tuple: &Tuple) -> Option<usize> {
        let mut own =
            self.parts.iter().filter(|part| part.instances.get_tuple(tuple).is_some()).map(|part| part.stages);
        let first = own.next()??;
        own.all(|other| other == Some(first)).then_some(first)
    }
}

/// The parts of an iteration, below a node in which time dimension `dimension` begins. Recursion is
/// bounded by the height of the tree.
fn collect(node: &Tree, reaching: &UnionSet, dimension: usize, parts: &mut Vec<Part>) {
    match node.kind() {
        NodeKind::Mark(_) => collect(node.child(), reaching, dimension, parts),
        NodeKind::Filter(filter) => collect(node.child(), &reaching.intersect(filter), dimension, parts),
        NodeKind::Sequence => node.children().iter().for_each(|child| collect(child, reaching, dimension + 1, parts)),
        kind => {
            let is_single = matches!(kind, NodeKind::Band(band) if band.n_member() == 1 && !band.has_grid());
            let waits = is_single && matches!(node.child().kind(), NodeKind::Mark(Mark::Wait));
            parts.push(Part { instances: reaching.clone(), stages: waits.then_some(dimension) });
        }
    }
}

impl Times {
    /// A pair of instances of which the second one does not wait for the first one in a DOACROSS
    /// loop, with the time dimension of that. Input dependences do not count.
    ///
    /// A loop without stages, as they have to be, is treated as one that has to be free of
    /// dependences.
    pub(crate) fn not_waited_for(
        &mut self,
        tree: &ScheduleTree,
        dependences: &[Dependence],
        budget: &mut Budget,
    ) -> Result<Option<(usize, Witness)>, Stop> {
        let marked = tree.band_nodes().into_iter().filter(|node| marks_above(node).contains(&&Mark::Doacross));
        let loops: Vec<Doacross> = marked.map(|node| Doacross::of(&node)).collect();
        if loops.is_empty() {
            return Ok(None);
        }
        for (index, dependence) in dependences.iter().enumerate() {
            if dependence.kind == DependenceKind::Input {
                continue;
            }
            let any_order = dependence.reduction || dependence.conditional;
            let backward = any_order.then(|| dependence.relation.reverse());
            for relation in std::iter::once(&dependence.relation).chain(&backward) {
                if let Some((dimension, bad)) = self.late(relation, &loops, budget)? {
                    return Ok(Some((dimension, Witness::new(index, &bad, relation.space()))));
                }
            }
        }
        Ok(None)
    }

    /// A pair whose sink does not wait for its source, with the time dimension of the loop.
    fn late(
        &mut self,
        relation: &Map,
        loops: &[Doacross],
        budget: &mut Budget,
    ) -> Result<Option<(usize, Vec<Int>)>, Stop> {
        let Some(ends) = self.ends(relation) else { return Ok(None) };
        let tuples = [ends.0, ends.1].map(|s| self.statements[s].tuple.clone());
        let mut equal = relation.clone();
        for dimension in 0..self.dimensions {
            for doacross in loops.iter().filter(|doacross| doacross.this.dimension == dimension) {
                let this = &doacross.this;
                let (Some(source), Some(sink)) = (this.instances(&tuples[0]), this.instances(&tuples[1])) else {
                    continue;
                };
                let inside = equal.intersect_domain(source).intersect_range(sink);
                // Those the other way around are violations of order, or have been reversed.
                let mut carried = self.restrict(&inside, ends, dimension, Comparison::Before);
                if let Some(stages) = doacross.stages(&tuples[1]) {
                    carried = carried.intersect(&self.later_than_stage(ends, dimension, stages));
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

    /// The pairs of which the source's time in a dimension is larger than the sink's in that of the
    /// stages.
    fn later_than_stage(&self, (source, sink): (usize, usize), dimension: usize, stages: usize) -> Map {
        let time = Space::set(Vec::new(), Tuple::anonymous(1));
        let of = |statement: usize, dimension: usize| {
            let statement = &self.statements[statement];
            statement.levels[dimension].to_map(statement)
        };
        of(source, dimension).apply_range(&Map::lex_gt(&time)).apply_range(&of(sink, stages).reverse())
    }
}
