//! Legality of a schedule tree, decided from the schedule alone.
//!
//! # Problem
//! A schedule is *legal* when every dependence leads forward: for each pair of instances `x -> y`
//! the time of `x` is lexicographically smaller than the time of `y`. Updates of one reduction
//! ([`Dependence::reduction`]) may be in any order: their times must differ. A loop of the tree is
//! *coincident* when no dependence is carried by it: pairs that are at equal time in everything
//! outside are at equal time in it.
//!
//! # Algorithm
//! Time dimension by time dimension, with the pairs whose times have been equal so far: those that
//! go backwards in this dimension are violations; those that are equal are kept. Pairs that are
//! left after the last dimension are violations. So is a pair one of whose ends has no time at all.
//! Pairs of a reduction that go backwards are no violations, and like those that go forward need
//! not be looked at again.
//!
//! # Tiles of parametric sizes
//! The time in a dimension with a grid ([`poly_schedule_tree::Band::grids`]) is that of the
//! function rounded down to a multiple of the size, which is no affine relation. What is known of
//! it for all sizes: of two instances, the one with the smaller value of the function has not the
//! larger time, and there are sizes for which the times are equal, and, where the values differ,
//! others for which they are not. So pairs that go backwards in the function are violations, and
//! all pairs are kept as equal ones. The verdict is about all sizes: legal for each of them.
//!
//! # Live ranges
//! A conditional dependence ([`Dependence::conditional`]) may run backwards where the live ranges
//! at its ends do not overlap: see `overlap`. With the dependences of
//! [`poly_dependence::with_live_ranges`] an order is legal exactly if every read sees the value of
//! the same instance as in the original order and the same writes are the last ones. A loop that is
//! coincident has no distances of conditional dependences either. Where tiles have parametric
//! sizes, conditional dependences are ordinary ones.
//!
//! The relations of comparisons are computed once for each pair of statements and time dimension,
//! for all questions about a tree.

use std::collections::BTreeMap;

use poly_arith::Int;
use poly_dependence::{Dependence, DependenceKind};
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{DimKind, Id, Map, Set, Space, Tuple};
use poly_schedule_tree::ScheduleTree;

use crate::loops::{Loop, loops_with_grid};

/// Values below this are tried for the parameters and the source of an example.
const SMALL: i64 = 16;

/// An instance that is executed too early, too late or together with another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The position of the dependence in the list.
    pub dependence: usize,
    /// An instance of the source statement ...
    pub source: Vec<Int>,
    /// ... and one of the sink statement,
    pub sink: Vec<Int>,
    /// for these values of the parameters, in the order of the dependence's relation.
    pub params: Vec<Int>,
}

impl Witness {
    /// A point of a relation as a witness for a dependence.
    pub(crate) fn new(dependence: usize, point: &[Int], space: &Space) -> Witness {
        let params = space.dim(DimKind::Param);
        let (params, rest) = point.split_at(params);
        let (source, sink) = rest.split_at(space.dim(DimKind::In));
        let sink = &sink[..space.dim(DimKind::Out)];
        Witness { dependence, source: source.to_vec(), sink: sink.to_vec(), params: params.to_vec() }
    }
}

impl Times {
    /// A pair of a dependence that does not lead forward. Input dependences do not count.
    pub(crate) fn misordered(
        &mut self,
        dependences: &[Dependence],
        budget: &mut Budget,
    ) -> Result<Option<Witness>, Stop> {
        for (index, dependence) in dependences.iter().enumerate() {
            if dependence.kind == DependenceKind::Input {
                continue;
            }
            let bad = match dependence.conditional && !self.has_grids() {
                true => self.overlap(dependence, dependences, budget)?,
                false => self.violation(&dependence.relation, dependence.reduction, budget)?,
            };
            if let Some(bad) = bad {
                return Ok(Some(Witness::new(index, &bad, dependence.relation.space())));
            }
        }
        Ok(None)
    }

    /// A pair that one of the loops carries, with the time dimension of that, of a dependence that
    /// counts.
    pub(crate) fn carried_by(
        &mut self,
        loops: &[Loop],
        dependences: &[Dependence],
        counts: impl Fn(&Dependence) -> bool,
        budget: &mut Budget,
    ) -> Result<Option<(usize, Witness)>, Stop> {
        if loops.is_empty() {
            return Ok(None);
        }
        for (index, dependence) in dependences.iter().enumerate() {
            if dependence.kind == DependenceKind::Input || !counts(dependence) {
                continue;
            }
            if let Some((dimension, bad)) = self.carried(&dependence.relation, loops, budget)? {
                return Ok(Some((dimension, Witness::new(index, &bad, dependence.relation.space()))));
            }
        }
        Ok(None)
    }
}

/// One time dimension of one statement.
#[derive(Debug)]
pub(crate) enum Level {
    /// The same for all instances.
    Constant(Int),
    /// From instances to the time.
    Relation(Map),
}

/// How times in one dimension compare: source to sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Comparison {
    Before,
    Equal,
    After,
}

/// The pairs that compare in a certain way.
pub(crate) enum Compared {
    All,
    None,
    Some(Map),
}

/// The schedule of one statement.
pub(crate) struct StatementTimes {
    pub(crate) tuple: Tuple,
    scheduled: Set,
    pub(crate) levels: Vec<Level>,
    /// By dimension: the parameter that times are multiples of.
    grids: Vec<Option<Id>>,
}

/// A schedule, dimension by dimension.
pub(crate) struct Times {
    pub(crate) statements: Vec<StatementTimes>,
    pub(crate) dimensions: usize,
    /// Pairs of statements with a dimension and a comparison that were asked for.
    known: BTreeMap<(usize, usize, usize, Comparison), Map>,
}

impl Times {
    pub(crate) fn new(tree: &ScheduleTree, budget: &mut Budget) -> Result<Times, Stop> {
        let mut statements = Vec::new();
        let mut dimensions = 0;
        for map in tree.schedule_map().iter() {
            let n = map.space().dim(DimKind::Out);
            dimensions = dimensions.max(n);
            let tuple = map.space().domain.clone().expect("a schedule map has a domain");
            let mut levels = Vec::new();
            for l in 0..n {
                let level = map.project_out(DimKind::Out, l + 1, n - l - 1).project_out(DimKind::Out, 0, l);
                // A function by pieces in one dimension cuts the relations of all of them in
                // pieces.
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
    pub(crate) fn ends(&self, relation: &Map) -> Option<(usize, usize)> {
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
    pub(crate) fn restrict(
        &mut self,
        pairs: &Map,
        ends: (usize, usize),
        dimension: usize,
        comparison: Comparison,
    ) -> Map {
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
pub(crate) fn unscheduled(
    relation: &Map,
    source: &StatementTimes,
    sink: &StatementTimes,
    budget: &mut Budget,
) -> Result<Option<Vec<Int>>, Stop> {
    // What is subtracted has the divs of the schedule only: those of a dependence may be
    // existential, and costly to define.
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

    pub(crate) fn to_map(&self, statement: &StatementTimes) -> Map {
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

/// The only value in the range of a relation to one dimension, if an equality of every disjunct
/// says so.
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

/// A pair of a relation, if there is one. It is for people to look at: parameters and source are
/// small if they can be.
pub(crate) fn witness(pairs: &Map, budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
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
