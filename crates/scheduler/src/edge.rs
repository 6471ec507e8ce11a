//! Edges of the dependence graph.
//!
//! An edge is one conjunction of a dependence, from the instances of one statement to those of
//! another. Dependences of equal meaning between two statements are united first, so that what flow
//! and output dependences have in common is constrained once. As the schedule grows, an edge keeps
//! only the pairs that are still at equal schedule time; an edge without pairs disappears.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use poly_arith::{Int, Rational};
use poly_dependence::{Dependence, DependenceKind};
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::solver::{Optimum, System, lp_max};
use poly_presburger::{BasicMap, Map, Row, Space};
use rustc_hash::FxHashSet;

use crate::affine::{Affine, distance};
use crate::problem::{Options, Proximity};
use crate::web::Webs;

/// What an edge asks of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Role {
    /// The source must come first.
    Order,
    /// The source must come first, unless the web is local to the band ([`crate::web`]).
    Conditional,
    /// Any order, but not at the same time.
    Conflict,
    /// Nothing; the nearer, the better.
    Reuse,
}

/// An edge.
#[derive(Debug)]
pub(crate) struct Edge {
    pub(crate) source: usize,
    pub(crate) sink: usize,
    pub(crate) role: Role,
    /// Its distances are to be short.
    pub(crate) near: bool,
    /// The web of live ranges that it is a part of: those of a conditional edge, or those that an
    /// edge of flow dependences is the condition of.
    pub(crate) web: Option<usize>,
    pub(crate) relation: BasicMap,
    cone: OnceLock<System>,
}

/// All of an edge but its relation.
#[derive(Clone, Copy, Debug)]
struct Kind {
    source: usize,
    sink: usize,
    role: Role,
    near: bool,
    web: Option<usize>,
}

/// Dependences with equal keys are united: source, sink, role, whether they are to be short, web.
type Key = (usize, usize, Role, bool, Option<usize>);

/// The part of the budget (one in so many) for the divs of one dependence.
const DIVS_PART: u64 = 64;

/// Edges are shared between the attempts of the scheduler.
pub(crate) type Edges = Vec<Arc<Edge>>;

/// The rows of one schedule dimension, by statement.
pub(crate) type Rows = BTreeMap<usize, Affine>;

/// The relation with a definition for every div, if a part of the budget does for that. Existential
/// ones say the same, in fewer and often longer pieces.
fn with_divs(relation: Map, budget: &mut Budget) -> Map {
    let mut part = budget.sub(budget.remaining() / DIVS_PART);
    let known = relation.clone().compute_divs(&mut part);
    budget.absorb(&part);
    known.unwrap_or(relation)
}

/// The union of relations, where there is one.
fn united_in_order(relations: Vec<Map>) -> Option<Map> {
    let mut relations = relations.into_iter();
    let first = relations.next()?;
    Some(first.union_all(relations))
}

/// The edges of a list of dependences.
pub(crate) fn edges(
    dependences: &[Dependence],
    options: &Options,
    params: &Space,
    budget: &mut Budget,
) -> Result<Edges, Stop> {
    let mut united: BTreeMap<Key, Vec<Map>> = BTreeMap::new();
    let webs = if options.live_ranges { Webs::of(dependences) } else { Webs::default() };
    // The accesses of an unrolled loop have equal dependences.
    #[allow(
        clippy::mutable_key_type,
        reason = "what a relation remembers of itself is no part of its hash or equality"
    )]
    let mut seen: FxHashSet<(Key, &Map)> = FxHashSet::default();
    for dependence in dependences {
        let role = match dependence.kind {
            DependenceKind::Input => Role::Reuse,
            _ if dependence.reduction && options.relax_reductions => Role::Conflict,
            _ if dependence.conditional && options.live_ranges => Role::Conditional,
            _ => Role::Order,
        };
        let near = match options.proximity {
            Proximity::All => true,
            Proximity::Flow => matches!(dependence.kind, DependenceKind::Flow | DependenceKind::Input),
        };
        let web = webs.of_dependence(dependence);
        let key = (dependence.source.0, dependence.sink.0, role, near, web);
        if !seen.insert((key, &dependence.relation)) {
            continue;
        }
        let relation = with_divs(dependence.relation.align_params(params), budget);
        united.entry(key).or_default().push(relation);
    }
    let mut edges = Edges::new();
    for ((source, sink, role, near, web), relations) in united {
        let Some(relation) = united_in_order(relations) else { continue };
        for basic in relation.coalesce(budget)?.basics() {
            let kind = Kind { source, sink, role, near, web };
            edges.extend(Edge::new(kind, BasicMap::clone(basic), budget)?);
        }
    }
    Ok(edges)
}

impl Edge {
    /// The edge, unless it is empty.
    fn new(kind: Kind, mut relation: BasicMap, budget: &mut Budget) -> Result<Option<Arc<Edge>>, Stop> {
        let Kind { source, sink, role, near, web } = kind;
        relation.simplify(budget)?;
        if relation.is_empty(budget)? {
            return Ok(None);
        }
        Ok(Some(Arc::new(Edge { source, sink, role, near, web, relation, cone: OnceLock::new() })))
    }

    /// All pairs of a relation between two statements, in any order.
    pub(crate) fn all_pairs(
        (source, sink): (usize, usize),
        relation: &Map,
        budget: &mut Budget,
    ) -> Result<Edges, Stop> {
        let kind = Kind { source, sink, role: Role::Reuse, near: false, web: None };
        let mut edges = Edges::new();
        for basic in relation.basics() {
            edges.extend(Edge::new(kind, BasicMap::clone(basic), budget)?);
        }
        Ok(edges)
    }

    /// The same pairs, in order whatever is local.
    pub(crate) fn ordered(&self) -> Arc<Edge> {
        let Edge { source, sink, near, ref relation, ref cone, .. } = *self;
        let (relation, cone) = (relation.clone(), cone.clone());
        Arc::new(Edge { source, sink, role: Role::Order, near, web: None, relation, cone })
    }

    /// Whether the source comes first, in bands that live ranges are not local to at least.
    pub(crate) fn is_ordering(&self) -> bool {
        matches!(self.role, Role::Order | Role::Conditional)
    }

    /// Whether an end is in a sorted list of statements.
    pub(crate) fn touches(&self, statements: &[usize]) -> bool {
        statements.binary_search(&self.source).is_ok() || statements.binary_search(&self.sink).is_ok()
    }

    /// Whether both ends are in a sorted list of statements.
    pub(crate) fn is_within(&self, statements: &[usize]) -> bool {
        statements.binary_search(&self.source).is_ok() && statements.binary_search(&self.sink).is_ok()
    }

    /// The affine forms that are not negative on the edge; see [`crate::cone`].
    pub(crate) fn cone(&self, budget: &mut Budget) -> Result<&System, Stop> {
        if let Some(cone) = self.cone.get() {
            return Ok(cone);
        }
        let cone = poly_presburger::farkas_cone(&self.relation, budget)?;
        Ok(self.cone.get_or_init(|| cone))
    }

    /// Sink minus source in one schedule dimension, as a row of the relation without divs.
    pub(crate) fn distance(&self, rows: &Rows) -> Row {
        distance(&rows[&self.source], &rows[&self.sink], self.relation.space())
    }

    /// Whether all pairs are at equal time in one schedule dimension.
    pub(crate) fn is_coincident(&self, rows: &Rows, budget: &mut Budget) -> Result<bool, Stop> {
        let mut forward = self.distance(rows);
        let mut backward: Row = forward.iter().map(|x| -x).collect();
        forward[0] -= Int::ONE;
        backward[0] -= Int::ONE;
        Ok(self.relation.with_ineq(forward).is_empty(budget)? && self.relation.with_ineq(backward).is_empty(budget)?)
    }

    /// Whether the distance in one schedule dimension is at most `bound` in both directions, for
    /// all parameter values.
    pub(crate) fn is_within_distance(&self, rows: &Rows, bound: i64, budget: &mut Budget) -> Result<bool, Stop> {
        let system = self.relation.to_system();
        let bound = Rational::from(bound);
        let mut forward = self.distance(rows);
        forward.resize(1 + system.n, Int::ZERO);
        let backward: Row = forward.iter().map(|x| -x).collect();
        for row in [forward, backward] {
            match lp_max(&system, &row, budget)? {
                Optimum::Unbounded => return Ok(false),
                Optimum::Bounded(value) if value > bound => return Ok(false),
                Optimum::Bounded(_) | Optimum::Empty => {}
            }
        }
        Ok(true)
    }

    /// How many dimensions of source and sink are tied to each other by equalities.
    pub(crate) fn alignment(&self) -> usize {
        use poly_presburger::DimKind::{In, Out};
        let involves = |row: &Row, kind| {
            let at = self.relation.offset(kind);
            row[at..at + self.relation.dim(kind)].iter().any(|x| !x.is_zero())
        };
        self.relation.eqs().iter().filter(|row| involves(row, In) && involves(row, Out)).count()
    }

    /// The pairs at equal time in all given schedule dimensions.
    pub(crate) fn restrict<'a>(
        &self,
        dimensions: impl Iterator<Item = &'a Rows>,
        budget: &mut Budget,
    ) -> Result<Option<Arc<Edge>>, Stop> {
        let mut relation = self.relation.clone();
        for rows in dimensions {
            relation = relation.with_eq(self.distance(rows));
        }
        let kind = Kind { source: self.source, sink: self.sink, role: self.role, near: self.near, web: self.web };
        Edge::new(kind, relation, budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dependence(access: usize) -> Dependence {
        Dependence {
            kind: DependenceKind::Flow,
            source: (0, access),
            sink: (1, access),
            relation: "[n] -> { S[i] -> T[j] : j >= i and 0 <= i < n and j < n; S[i] -> T[0] : i > n }"
                .parse()
                .expect("the test's map parses"),
            reduction: false,
            conditional: false,
        }
    }

    /// The edges of equal dependences between so many accesses, and the operations for them.
    fn counted(accesses: usize) -> (Vec<String>, u64) {
        let dependences: Vec<Dependence> = (0..accesses).map(dependence).collect();
        let params = dependences[0].relation.space().params_space();
        let mut budget = Budget::unlimited();
        let edges = edges(&dependences, &Options::default(), &params, &mut budget).expect("no limit");
        (edges.iter().map(|edge| Map::from_basic(edge.relation.clone()).to_string()).collect(), budget.spent())
    }

    #[test]
    fn equal_dependences_are_one() {
        let (one, cost) = counted(1);
        assert_eq!(one.len(), 2, "{one:?}");
        assert_eq!(counted(200), (one, cost));
    }
}
