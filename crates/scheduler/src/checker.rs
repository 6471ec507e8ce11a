//! Legality of a schedule tree, decided from the schedule alone.
//!
//! # Problem
//! A schedule is *legal* when every dependence leads forward: for each pair of instances `x -> y` the time of `x` is
//! lexicographically smaller than the time of `y`. Updates of one reduction ([`Dependence::reduction`]) may be in any order: their times must differ. A loop of the tree is *coincident* when no dependence is carried by it:
//! pairs that are at equal time in everything outside are at equal time in it.
//!
//! # Algorithm
//! Time dimension by time dimension, with the pairs whose times have been equal so far: those that go backwards in this
//! dimension are violations; those that are equal are kept. Pairs that are left after the last dimension are violations.
//! So is a pair one of whose ends has no time at all. Pairs of a reduction that go backwards are no violations, and like those that go forward need not be
//! looked at again.
//!
//! # Tiles of parametric sizes
//! The time in a dimension with a grid ([`poly_schedule_tree::Band::grids`]) is that of the function rounded down to a multiple of the size, which is no affine
//! relation. What is known of it for all sizes: of two instances, the one with the smaller value of the function has not the larger time, and there are sizes for which the
//! times are equal, and, where the values differ, others for which they are not. So pairs that go backwards in the function are violations, and all pairs are kept as equal ones. The verdict is about all
//! sizes: legal for each of them.
//!
//! # Live ranges
//! A conditional dependence ([`Dependence::conditional`]) may run backwards where the live ranges at its ends do not overlap: see `overlap`. With the dependences of
//! [`poly_dependence::with_live_ranges`] an order is legal exactly if every read sees the value of the same instance as in the original order and the same writes are the last ones.
//! A loop that is coincident has no distances of conditional dependences either. Where tiles have parametric sizes, conditional dependences are ordinary ones.
//!
//! Nothing of the scheduler is used here; a mistake there cannot hide itself.

mod overlap;
mod turns;

pub use turns::check_turns;

use std::collections::BTreeMap;
use std::sync::Arc;

use poly_arith::Int;
use poly_dependence::{Dependence, DependenceKind};
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{DimKind, Id, Map, Set, Space, Tuple, UnionSet};
use poly_schedule_tree::{AccessOf, Mark, Node, NodeKind, ScheduleTree};

/// Values below this are tried for the parameters and the source of an example.
const SMALL: i64 = 16;

/// The verdict on a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Legality {
    /// Every dependence leads forward, or is one of a reduction whose ends have different times.
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
    let mut times = Times::new(tree, budget)?;
    for (index, dependence) in dependences.iter().enumerate() {
        if dependence.kind == DependenceKind::Input {
            continue;
        }
        let bad = match dependence.conditional && !times.has_grids() {
            true => times.overlap(dependence, dependences, budget)?,
            false => times.violation(&dependence.relation, dependence.reduction, budget)?,
        };
        if let Some(bad) = bad {
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
    check_loops(tree, &coincident_loops(tree), dependences, |_| true, budget)
}

/// Decides whether any loop that threads share ([`Mark::Parallel`]) carries a dependence other than those of the reductions of which every thread has a part of its own. Input dependences do not count.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn check_shared_loops(
    tree: &ScheduleTree,
    dependences: &[Dependence],
    budget: &mut Budget,
) -> Result<Coincidence, Stop> {
    let of = |mark: &Mark| if let Mark::Parallel(sharing) = mark { Some(sharing.reductions.clone()) } else { None };
    let counts = |reductions: &Vec<AccessOf>, d: &Dependence| {
        let tuple = d.relation.space().domain.as_ref().and_then(Tuple::name_str);
        let is_private = |update: &AccessOf| tuple == Some(update.statement.as_str()) && update.access == d.source.1;
        !(d.reduction && d.source == d.sink && reductions.iter().any(is_private))
    };
    check_marked(tree, of, counts, dependences, budget)
}

/// Decides whether any loop that is free of dependences where statements are distributed to different loops ([`Mark::VectorIfDistributed`]) carries a dependence between others than the pairs that the
/// mark names. Input dependences do not count.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn check_distributed_loops(
    tree: &ScheduleTree,
    dependences: &[Dependence],
    budget: &mut Budget,
) -> Result<Coincidence, Stop> {
    let of = |mark: &Mark| if let Mark::VectorIfDistributed(pairs) = mark { Some(pairs.clone()) } else { None };
    let counts = |pairs: &Vec<(Id, Id)>, d: &Dependence| {
        let space = d.relation.space();
        let [source, sink] = [&space.domain, &space.range].map(|tuple| tuple.as_ref().and_then(Tuple::name_str));
        let names = |pair: [&Id; 2]| source == Some(pair[0].as_str()) && sink == Some(pair[1].as_str());
        !pairs.iter().any(|(a, b)| names([a, b]) || names([b, a]))
    };
    check_marked(tree, of, counts, dependences, budget)
}

/// Decides whether any loop with a mark of which `of` gives data carries a dependence that counts for these data.
fn check_marked<T>(
    tree: &ScheduleTree,
    of: impl Fn(&Mark) -> Option<T>,
    counts: impl Fn(&T, &Dependence) -> bool,
    dependences: &[Dependence],
    budget: &mut Budget,
) -> Result<Coincidence, Stop> {
    for (this, data) in loops_below(tree, of) {
        let verdict = check_loops(tree, &[this], dependences, |d| counts(&data, d), budget)?;
        if verdict != Coincidence::Kept {
            return Ok(verdict);
        }
    }
    Ok(Coincidence::Kept)
}

/// Decides whether any of the loops carries one of the dependences that count.
fn check_loops(
    tree: &ScheduleTree,
    loops: &[Loop],
    dependences: &[Dependence],
    counts: impl Fn(&Dependence) -> bool,
    budget: &mut Budget,
) -> Result<Coincidence, Stop> {
    if loops.is_empty() {
        return Ok(Coincidence::Kept);
    }
    let mut times = Times::new(tree, budget)?;
    for (index, dependence) in dependences.iter().enumerate() {
        if dependence.kind == DependenceKind::Input || !counts(dependence) {
            continue;
        }
        if let Some((dimension, bad)) = times.carried(&dependence.relation, loops, budget)? {
            let (params, source, sink) = split(&bad, dependence.relation.space());
            return Ok(Coincidence::Violated { dimension, dependence: index, source, sink, params });
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

/// One time dimension of one statement.
#[derive(Debug)]
enum Level {
    /// The same for all instances.
    Constant(Int),
    /// From instances to the time.
    Relation(Map),
}

/// How times in one dimension compare: source to sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Comparison {
    Before,
    Equal,
    After,
}

/// The pairs that compare in a certain way.
enum Compared {
    All,
    None,
    Some(Map),
}

/// The schedule of one statement.
struct StatementTimes {
    tuple: Tuple,
    scheduled: Set,
    levels: Vec<Level>,
    /// By dimension: the parameter that times are multiples of.
    grids: Vec<Option<Id>>,
}

/// A schedule, dimension by dimension.
struct Times {
    statements: Vec<StatementTimes>,
    dimensions: usize,
    /// Pairs of statements with a dimension and a comparison that were asked for.
    known: BTreeMap<(usize, usize, usize, Comparison), Map>,
}

impl Times {
    fn new(tree: &ScheduleTree, budget: &mut Budget) -> Result<Times, Stop> {
        let mut statements = Vec::new();
        let mut dimensions = 0;
        for map in tree.schedule_map().iter() {
            let n = map.space().dim(DimKind::Out);
            dimensions = dimensions.max(n);
            let tuple = map.space().domain.clone().expect("a schedule map has a domain");
            let mut levels = Vec::new();
            for l in 0..n {
                let level = map.project_out(DimKind::Out, l + 1, n - l - 1).project_out(DimKind::Out, 0, l);
                // A function by pieces in one dimension cuts the relations of all of them in pieces.
                levels.push(Level::new(level.coalesce(budget)?));
            }
            let scheduled = map.domain().coalesce(budget)?;
            statements.push(StatementTimes { tuple, scheduled, levels, grids: vec![None; n] });
        }
        for (this, grid) in loops_with_grid(tree) {
            let inside = statements.iter_mut().filter(|statement| this.instances(&statement.tuple).is_some());
            inside.for_each(|statement| statement.grids[this.dimension] = Some(grid.clone()));
        }
        Ok(Times { statements, dimensions, known: BTreeMap::new() })
    }

    fn position(&self, tuple: Option<&Tuple>) -> Option<usize> {
        self.statements.iter().position(|s| Some(&s.tuple) == tuple)
    }

    /// The statements of a relation.
    fn ends(&self, relation: &Map) -> Option<(usize, usize)> {
        let space = relation.space();
        Some((self.position(space.domain.as_ref())?, self.position(space.range.as_ref())?))
    }

    /// A pair that does not lead forward, or, if any order will do, whose times are equal.
    fn violation(&mut self, relation: &Map, any_order: bool, budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
        let Some(ends) = self.ends(relation) else { return witness(relation, budget) };
        let (source, sink) = (&self.statements[ends.0], &self.statements[ends.1]);
        if let Some(bad) = unscheduled(relation, source, sink, budget)? {
            return Ok(Some(bad));
        }
        let mut equal = relation.clone();
        for dimension in 0..self.dimensions {
            if !any_order
                && let Some(bad) = witness(&self.restrict(&equal, ends, dimension, Comparison::After), budget)?
            {
                return Ok(Some(bad));
            }
            equal = self.restrict(&equal, ends, dimension, Comparison::Equal);
            if equal.is_empty(budget)? {
                return Ok(None);
            }
        }
        witness(&equal, budget)
    }

    /// Whether a dimension has a grid.
    fn has_grids(&self) -> bool {
        self.statements.iter().any(|statement| statement.grids.iter().any(Option::is_some))
    }

    /// A pair carried by one of some loops, with the time dimension of that.
    fn carried(
        &mut self,
        relation: &Map,
        loops: &[Loop],
        budget: &mut Budget,
    ) -> Result<Option<(usize, Vec<Int>)>, Stop> {
        let Some(ends) = self.ends(relation) else { return Ok(None) };
        let tuples = [ends.0, ends.1].map(|s| self.statements[s].tuple.clone());
        let mut equal = relation.clone();
        for dimension in 0..self.dimensions {
            for this in loops.iter().filter(|l| l.dimension == dimension) {
                let (Some(source), Some(sink)) = (this.instances(&tuples[0]), this.instances(&tuples[1])) else {
                    continue;
                };
                let inside = equal.intersect_domain(source).intersect_range(sink);
                for comparison in [Comparison::Before, Comparison::After] {
                    if let Some(bad) = witness(&self.restrict(&inside, ends, dimension, comparison), budget)? {
                        return Ok(Some((dimension, bad)));
                    }
                }
            }
            equal = self.restrict(&equal, ends, dimension, Comparison::Equal);
            if equal.is_empty(budget)? {
                break;
            }
        }
        Ok(None)
    }

    /// The pairs whose times compare in a certain way.
    fn restrict(&mut self, pairs: &Map, ends: (usize, usize), dimension: usize, comparison: Comparison) -> Map {
        match self.compared(ends, dimension, comparison) {
            Compared::All => pairs.clone(),
            Compared::None => Map::empty(pairs.space().clone()),
            Compared::Some(map) => pairs.intersect(&map),
        }
    }

    fn compared(&mut self, (source, sink): (usize, usize), dimension: usize, comparison: Comparison) -> Compared {
        let [own, other] = [source, sink].map(|statement| &self.statements[statement].grids[dimension]);
        if own != other || (own.is_some() && comparison == Comparison::Equal) {
            return Compared::All;
        }
        let levels = (&self.statements[source].levels[dimension], &self.statements[sink].levels[dimension]);
        if let (Level::Constant(a), Level::Constant(b)) = levels {
            let holds = match comparison {
                Comparison::Before => a < b,
                Comparison::Equal => a == b,
                Comparison::After => a > b,
            };
            return if holds { Compared::All } else { Compared::None };
        }
        let key = (source, sink, dimension, comparison);
        if let Some(map) = self.known.get(&key) {
            return Compared::Some(map.clone());
        }
        let time = Space::set(Vec::new(), Tuple::anonymous(1));
        let order = match comparison {
            Comparison::Before => Map::lex_lt(&time),
            Comparison::Equal => Map::identity(&time),
            Comparison::After => Map::lex_gt(&time),
        };
        let (a, b) = (levels.0.to_map(&self.statements[source]), levels.1.to_map(&self.statements[sink]));
        let map = a.apply_range(&order).apply_range(&b.reverse());
        self.known.insert(key, map.clone());
        Compared::Some(map)
    }
}

/// A pair of a relation one end of which has no time.
fn unscheduled(
    relation: &Map,
    source: &StatementTimes,
    sink: &StatementTimes,
    budget: &mut Budget,
) -> Result<Option<Vec<Int>>, Stop> {
    // What is subtracted has the divs of the schedule only: those of a dependence may be existential, and costly to define.
    let all = Map::universe(relation.space().clone());
    for scheduled in [all.intersect_domain(&source.scheduled), all.intersect_range(&sink.scheduled)] {
        if let Some(bad) = witness(&relation.subtract(&scheduled, budget)?, budget)? {
            return Ok(Some(bad));
        }
    }
    Ok(None)
}

impl Level {
    fn new(map: Map) -> Level {
        match constant(&map) {
            Some(value) => Level::Constant(value),
            None => Level::Relation(map),
        }
    }

    fn to_map(&self, statement: &StatementTimes) -> Map {
        match self {
            Level::Relation(map) => map.clone(),
            Level::Constant(value) => {
                let space = Space::from_domain_and_range(
                    statement.scheduled.space(),
                    &Space::set(Vec::new(), Tuple::anonymous(1)),
                );
                Map::universe(space).fix(DimKind::Out, 0, value).intersect_domain(&statement.scheduled)
            }
        }
    }
}

/// The only value in the range of a relation to one dimension, if an equality of every disjunct says so.
fn constant(map: &Map) -> Option<Int> {
    let column = map.space().offset(DimKind::Out);
    let mut value = None;
    for basic in map.basics() {
        let fixed = basic.eqs().iter().find_map(|row| {
            let only = row.iter().enumerate().skip(1).all(|(c, x)| (c == column) != x.is_zero());
            (only && row[0].is_divisible_by(&row[column])).then(|| -&row[0].div_exact(&row[column]))
        })?;
        if value.get_or_insert_with(|| fixed.clone()) != &fixed {
            return None;
        }
    }
    value
}

/// A member of a band.
struct Loop {
    /// Number of time dimensions outside of it.
    dimension: usize,
    /// The instances that reach it.
    domain: Arc<UnionSet>,
}

impl Loop {
    fn instances(&self, tuple: &Tuple) -> Option<&Set> {
        self.domain.get_tuple(tuple)
    }
}

/// The members of bands that are flagged coincident.
fn coincident_loops(tree: &ScheduleTree) -> Vec<Loop> {
    let mut loops = Vec::new();
    for node in tree.band_nodes() {
        let outside = time_dimensions_above(&node);
        let band = node.band().expect("these are the nodes with bands");
        if !band.coincident.contains(&true) {
            continue;
        }
        let domain = Arc::new(instances(&node));
        for (member, _) in band.coincident.iter().enumerate().filter(|(_, coincident)| **coincident) {
            loops.push(Loop { dimension: outside + member, domain: Arc::clone(&domain) });
        }
    }
    loops
}

/// The members of bands that have a grid.
fn loops_with_grid(tree: &ScheduleTree) -> Vec<(Loop, Id)> {
    let mut loops = Vec::new();
    for node in tree.band_nodes() {
        let band = node.band().expect("these are the nodes with bands");
        if !band.has_grid() {
            continue;
        }
        let (outside, domain) = (time_dimensions_above(&node), Arc::new(instances(&node)));
        for (member, grid) in band.grids.iter().enumerate() {
            let this = || Loop { dimension: outside + member, domain: Arc::clone(&domain) };
            loops.extend(grid.iter().map(|grid| (this(), grid.clone())));
        }
    }
    loops
}

/// The first members of the bands that stand directly below a mark, or below several ones, with what is known of the mark.
fn loops_below<T>(tree: &ScheduleTree, of: impl Fn(&Mark) -> Option<T>) -> Vec<(Loop, T)> {
    let mut loops = Vec::new();
    for node in tree.band_nodes() {
        for data in marks_above(&node).iter().filter_map(|mark| of(mark)) {
            let this = Loop { dimension: time_dimensions_above(&node), domain: Arc::new(instances(&node)) };
            loops.push((this, data));
        }
    }
    loops
}

/// The marks directly above a node.
fn marks_above(node: &Node) -> Vec<&Mark> {
    let mut marks = Vec::new();
    for kind in node.ancestor_kinds() {
        match kind {
            NodeKind::Mark(mark) => marks.push(mark),
            _ => marks.clear(),
        }
    }
    marks
}

/// The instances that reach a node.
fn instances(node: &Node) -> UnionSet {
    let mut domain = UnionSet::empty(Vec::new());
    for kind in node.ancestor_kinds() {
        match kind {
            NodeKind::Domain(all) => domain = all.clone(),
            NodeKind::Filter(filter) => domain = domain.intersect(filter),
            NodeKind::Expansion { .. } => return node.domain(),
            _ => {}
        }
    }
    domain
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

/// A pair of a relation, if there is one. It is for people to look at: parameters and source are small if they can be.
fn witness(pairs: &Map, budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
    if pairs.is_empty(budget)? {
        return Ok(None);
    }
    let mut pairs = pairs.clone();
    let places = [DimKind::Param, DimKind::In].map(|kind| (0..pairs.dim(kind)).map(move |i| (kind, i)));
    for (kind, i) in places.into_iter().flatten() {
        for value in 0..SMALL {
            let fixed = pairs.fix(kind, i, value);
            if !fixed.is_empty(budget)? {
                pairs = fixed;
                break;
            }
        }
    }
    pairs.sample(budget)
}
