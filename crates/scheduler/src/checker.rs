//! Legality of a schedule tree, decided from the schedule alone.
//!
//! # Problem
//! A schedule is *legal* when every dependence leads forward: for each pair of instances `x -> y` the time of `x` is
//! lexicographically smaller than the time of `y`. A loop of the tree is *coincident* when no dependence is carried by it:
//! pairs that are at equal time in everything outside are at equal time in it.
//!
//! # Algorithm
//! Time dimension by time dimension, with the pairs whose times have been equal so far: those that go backwards in this
//! dimension are violations; those that are equal are kept. Pairs that are left after the last dimension are violations.
//! So is a pair one of whose ends has no time at all.
//!
//! Nothing of the scheduler is used here; a mistake there cannot hide itself.

use poly_arith::Int;
use poly_dependence::{Dependence, DependenceKind};
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{DimKind, Map, Space, Tuple, UnionMap};
use poly_schedule_tree::{Node, NodeKind, ScheduleTree};

/// The verdict on a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Legality {
    /// Every dependence leads forward.
    Legal,
    /// A dependence does not.
    Violated {
        /// Its position in the list.
        dependence: usize,
        /// An instance of the source statement ...
        source: Vec<Int>,
        /// ... and one of the sink statement that is executed at the same time or earlier, or one of them is never executed,
        sink: Vec<Int>,
        /// for these values of the parameters, in the order of the dependence's relation.
        params: Vec<Int>,
    },
}

/// The verdict on the loops that are said to be coincident.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coincidence {
    /// None of them carries a dependence.
    Kept,
    /// One of them does.
    Violated {
        /// Position of the band's member in the schedule: number of time dimensions outside of it.
        dimension: usize,
        /// The position of the dependence in the list.
        dependence: usize,
        /// An instance of the source statement ...
        source: Vec<Int>,
        /// ... and one of the sink statement at another time,
        sink: Vec<Int>,
        /// for these values of the parameters, in the order of the dependence's relation.
        params: Vec<Int>,
    },
}

/// Decides whether every dependence leads forward. Input dependences do not count.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn check(tree: &ScheduleTree, dependences: &[Dependence], budget: &mut Budget) -> Result<Legality, Stop> {
    let times = Times::new(&tree.schedule_map());
    for (index, dependence) in dependences.iter().enumerate() {
        if dependence.kind == DependenceKind::Input {
            continue;
        }
        if let Some(bad) = times.violation(&dependence.relation, budget)? {
            let (params, source, sink) = split(&bad, dependence.relation.space());
            return Ok(Legality::Violated { dependence: index, source, sink, params });
        }
    }
    Ok(Legality::Legal)
}

/// Decides whether any member of a band that is flagged coincident carries a dependence. Input dependences do not count.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn check_coincidence(
    tree: &ScheduleTree,
    dependences: &[Dependence],
    budget: &mut Budget,
) -> Result<Coincidence, Stop> {
    let times = Times::new(&tree.schedule_map());
    for (index, dependence) in dependences.iter().enumerate() {
        if dependence.kind == DependenceKind::Input {
            continue;
        }
        for loops in coincident_loops(tree) {
            let carried = times.carried(&dependence.relation, &loops, budget)?;
            if let Some(bad) = carried {
                let (params, source, sink) = split(&bad, dependence.relation.space());
                let dimension = loops.dimension;
                return Ok(Coincidence::Violated { dimension, dependence: index, source, sink, params });
            }
        }
    }
    Ok(Coincidence::Kept)
}

/// A point of a relation as parameters, source and sink.
fn split(point: &[Int], space: &Space) -> (Vec<Int>, Vec<Int>, Vec<Int>) {
    let params = space.dim(DimKind::Param);
    let (params, rest) = point.split_at(params);
    let (source, sink) = rest.split_at(space.dim(DimKind::In));
    (params.to_vec(), source.to_vec(), sink[..space.dim(DimKind::Out)].to_vec())
}

/// A schedule, one relation to a single time dimension per statement and dimension.
struct Times {
    statements: Vec<(Tuple, Map, Vec<Map>)>,
    dimensions: usize,
}

impl Times {
    fn new(schedule: &UnionMap) -> Times {
        let mut statements = Vec::new();
        let mut dimensions = 0;
        for map in schedule.iter() {
            let n = map.space().dim(DimKind::Out);
            dimensions = dimensions.max(n);
            let tuple = map.space().domain.clone().expect("a schedule map has a domain");
            let levels = (0..n).map(|l| map.project_out(DimKind::Out, l + 1, n - l - 1).project_out(DimKind::Out, 0, l));
            statements.push((tuple, map.clone(), levels.collect()));
        }
        Times { statements, dimensions }
    }

    fn of(&self, tuple: Option<&Tuple>) -> Option<&(Tuple, Map, Vec<Map>)> {
        self.statements.iter().find(|(t, _, _)| Some(t) == tuple)
    }

    /// A pair that does not lead forward.
    fn violation(&self, relation: &Map, budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
        if let Some(bad) = self.unscheduled(relation, budget)? {
            return Ok(Some(bad));
        }
        let mut equal = relation.clone();
        for dimension in 0..self.dimensions {
            if equal.is_empty(budget)? {
                return Ok(None);
            }
            let backward = equal.intersect(&self.related(relation, dimension, Map::lex_gt));
            if let Some(bad) = backward.sample(budget)? {
                return Ok(Some(bad));
            }
            equal = equal.intersect(&self.related(relation, dimension, Map::identity));
        }
        equal.sample(budget)
    }

    /// A pair of which one end has no time.
    fn unscheduled(&self, relation: &Map, budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
        let space = relation.space();
        let (Some(source), Some(sink)) = (self.of(space.domain.as_ref()), self.of(space.range.as_ref())) else {
            return relation.sample(budget);
        };
        let scheduled = relation.intersect_domain(&source.1.domain()).intersect_range(&sink.1.domain());
        relation.subtract(&scheduled, budget)?.sample(budget)
    }

    /// Pairs `x -> y` of the statements of a relation whose times in one dimension are related.
    fn related(&self, relation: &Map, dimension: usize, order: fn(&Space) -> Map) -> Map {
        let space = relation.space();
        let (Some(source), Some(sink)) = (self.of(space.domain.as_ref()), self.of(space.range.as_ref())) else {
            return Map::empty(space.clone());
        };
        let order = order(&Space::set(Vec::new(), Tuple::anonymous(1)));
        source.2[dimension].apply_range(&order).apply_range(&sink.2[dimension].reverse())
    }

    /// A pair carried by a loop.
    fn carried(&self, relation: &Map, loops: &Loop, budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
        let space = relation.space();
        if !loops.contains(space.domain.as_ref()) || !loops.contains(space.range.as_ref()) {
            return Ok(None);
        }
        let mut equal = relation.clone();
        for dimension in 0..loops.dimension {
            equal = equal.intersect(&self.related(relation, dimension, Map::identity));
            if equal.is_empty(budget)? {
                return Ok(None);
            }
        }
        let backward = equal.intersect(&self.related(relation, loops.dimension, Map::lex_gt));
        if let Some(bad) = backward.sample(budget)? {
            return Ok(Some(bad));
        }
        equal.intersect(&self.related(relation, loops.dimension, Map::lex_lt)).sample(budget)
    }
}

/// A member of a band.
struct Loop {
    /// Number of time dimensions outside of it.
    dimension: usize,
    /// The statements that reach it.
    statements: Vec<Tuple>,
}

impl Loop {
    fn contains(&self, tuple: Option<&Tuple>) -> bool {
        self.statements.iter().any(|t| Some(t) == tuple)
    }
}

/// The members of bands that are flagged coincident.
fn coincident_loops(tree: &ScheduleTree) -> Vec<Loop> {
    let mut loops = Vec::new();
    for node in tree.band_nodes() {
        let outside = time_dimensions_above(&node);
        let band = node.band().expect("these are the nodes with bands");
        let statements: Vec<Tuple> = node.domain().iter().filter_map(|set| set.tuple().cloned()).collect();
        for (member, _) in band.coincident.iter().enumerate().filter(|(_, coincident)| **coincident) {
            loops.push(Loop { dimension: outside + member, statements: statements.clone() });
        }
    }
    loops
}

/// Number of time dimensions that the nodes above append: one per member of a band, one per sequence or set.
fn time_dimensions_above(node: &Node) -> usize {
    let dimensions = |kind: &NodeKind| match kind {
        NodeKind::Band(band) => band.n_member(),
        NodeKind::Sequence | NodeKind::Set => 1,
        _ => 0,
    };
    node.ancestor_kinds().map(dimensions).sum()
}
