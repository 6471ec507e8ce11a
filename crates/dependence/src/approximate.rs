//! Dependences when exact ones cost too much.
//!
//! # Problem
//! Exact dataflow may exceed what compiling may cost. A schedule that respects more pairs than
//! necessary is still right, so a relation that contains the exact dependences will do. There are
//! three levels ([`Precision`]); each is tried with a part of what is left.
//!
//! # Algorithm
//! For two accesses one of which writes, in tuples with the same name, at each level of time at
//! which the first one may come earlier:
//!
//! * *order*: all pairs of instances in domains and context in this order, "all before all";
//! * *distances*: of these pairs those whose differences in the loops that both statements have lie
//!   between the least and the greatest difference of pairs that touch the same element. The bounds
//!   are linear programs over each disjunct; what is not bounded, or not by a number, stays open.
//!
//! # Invariants
//! Nothing kills anything, so the pairs of both levels contain all pairs that the exact analysis
//! could find. Reductions are ordinary statements here.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use poly_arith::Int;
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::solver::{Optimum, lp_max};
use poly_presburger::{BasicMap, DimKind, Map, Row, Set, Space};
use rustc_hash::FxHashMap;

use crate::analyse::{Options, analyse};
use crate::constraints::{Placed, Sign, constant_sign, difference, positive, zero};
use crate::dependence::{Dependence, DependenceKind, Dependences};
use crate::nearest::both;
use crate::prepare::Program;
use crate::problem::{AccessKind, Problem};

/// How exact dependences are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precision {
    /// All pairs are dependences.
    Exact,
    /// All pairs whose distances in the common loops are possible.
    Distances,
    /// All pairs in the original order of statements that touch the same array.
    Order,
}

/// The part of what is left that an attempt may spend.
const PART: u64 = 2;

/// The most exact dependences that can be had for half of the budget; after that, for half of the
/// rest, and so on.
///
/// # Errors
/// [`Stop`] when the budget does not even do for the last level.
pub fn analyse_within(
    problem: &Problem,
    options: &Options,
    budget: &mut Budget,
) -> Result<(Dependences, Precision), Stop> {
    let mut part = budget.sub(budget.remaining() / PART);
    let exact = analyse(problem, options, &mut part);
    budget.absorb(&part);
    if let Ok(dependences) = exact {
        return Ok((dependences, Precision::Exact));
    }
    let mut part = budget.sub(budget.remaining() / PART);
    let near = approximate(problem, Precision::Distances, &mut part);
    budget.absorb(&part);
    if let Ok(dependences) = near {
        return Ok((dependences, Precision::Distances));
    }
    Ok((approximate(problem, Precision::Order, budget)?, Precision::Order))
}

/// Dependences of a level; for [`Precision::Exact`] all pairs that touch the same element, whatever
/// lies between them. Input dependences are none.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn approximate(problem: &Problem, precision: Precision, budget: &mut Budget) -> Result<Dependences, Stop> {
    let program = Program::new(problem, budget)?;
    let all = program.accesses(|_| true);
    let mut orders = Orders::new(&program, &all);
    let mut dependences = Vec::new();
    for (from, &source) in all.iter().enumerate() {
        for (to, &sink) in all.iter().enumerate() {
            budget.spend(1)?;
            let kind = match (program.access(source).kind, program.access(sink).kind) {
                (AccessKind::Read, AccessKind::Read) => continue,
                (_, AccessKind::Read) => DependenceKind::Flow,
                (AccessKind::Read, _) => DependenceKind::Anti,
                _ => DependenceKind::Output,
            };
            let precision = match program.may_overlap(source, sink) {
                true => Precision::Order,
                false if !meet(&program, source, sink) => continue,
                false => precision,
            };
            let ordered = orders.of(from, to, budget)?;
            let relation = pairs(&program, source, sink, ordered, precision, budget)?;
            if !relation.is_empty(budget)? {
                dependences.push(Dependence { kind, source, sink, relation, reduction: false, conditional: false });
            }
        }
    }
    dependences.sort_by_key(|d| d.kind);
    Ok(Dependences { dependences })
}

/// Whether two accesses may touch the same element.
fn meet(program: &Program, source: (usize, usize), sink: (usize, usize)) -> bool {
    let (from, to) = (program.access(source), program.access(sink));
    from.relation.space().range == to.relation.space().range && !from.is_plainly_elsewhere(to)
}

/// Pairs of instances in their original order. The accesses of a statement mostly have the same
/// instances, so the pairs of one source with all sinks are kept, until the instances of the source
/// are others.
struct Orders<'a> {
    program: &'a Program,
    /// By access: the statement and its instances.
    places: Vec<(usize, Set)>,
    /// By access: the first one with the same instances.
    firsts: Vec<usize>,
    /// The access that stands for the source.
    source: usize,
    /// By the access that stands for the sink: the pairs for each level of time that the source may
    /// come earlier at.
    known: BTreeMap<usize, Vec<Map>>,
}

impl<'a> Orders<'a> {
    fn new(program: &'a Program, accesses: &[(usize, usize)]) -> Self {
        let instances = |access: &(usize, usize)| (access.0, program.access(*access).relation.domain());
        let places: Vec<(usize, Set)> = accesses.iter().map(instances).collect();
        #[allow(
            clippy::mutable_key_type,
            reason = "what a relation remembers of itself is no part of its hash or equality"
        )]
        let mut seen: FxHashMap<&(usize, Set), usize> = FxHashMap::default();
        let firsts = places.iter().enumerate().map(|(access, place)| *seen.entry(place).or_insert(access)).collect();
        Orders { program, places, firsts, source: 0, known: BTreeMap::new() }
    }

    /// The pairs of two accesses, by their positions in the list.
    fn of(&mut self, source: usize, sink: usize, budget: &mut Budget) -> Result<&[Map], Stop> {
        let (source, sink) = (self.firsts[source], self.firsts[sink]);
        if source != self.source {
            self.known.clear();
            self.source = source;
        }
        Ok(match self.known.entry(sink) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => {
                free.insert(ordered(self.program, [&self.places[source], &self.places[sink]], budget)?)
            }
        })
    }
}

/// The pairs of instances of two statements, the first one executed before the second one, for each
/// level of time.
fn ordered(program: &Program, [source, sink]: [&(usize, Set); 2], budget: &mut Budget) -> Result<Vec<Map>, Stop> {
    let [tuple, other] = [source, sink].map(|(_, set)| set.tuple().expect("instances have a tuple").clone());
    let space = Space::map(program.params.clone(), tuple, other);
    source.1.charge_intersection(&sink.1, budget)?;
    let mut equal = Map::universe(space.clone()).intersect_domain(&source.1).intersect_range(&sink.1);
    let times = [source.0, sink.0].map(|statement| &program.statements[statement].time);
    let earlier = Placed { time: times[0], at: space.offset(DimKind::In) };
    let later = Placed { time: times[1], at: space.offset(DimKind::Out) };
    let mut result = Vec::new();
    for level in 0..times[0].len().min(times[1].len()) {
        let row = difference(later, earlier, level, program.params.len(), 1 + space.n_var());
        match constant_sign(&row) {
            Sign::Zero => continue,
            Sign::Negative => break,
            Sign::Positive => {
                result.push(equal);
                break;
            }
            Sign::Unknown => {
                result.push(both(&equal, &positive(&space, row.clone()), budget)?);
                equal = both(&equal, &zero(&space, row), budget)?;
            }
        }
    }
    Ok(result)
}

/// Of the pairs in order those that two accesses may make a dependence of.
fn pairs(
    program: &Program,
    source: (usize, usize),
    sink: (usize, usize),
    ordered: &[Map],
    precision: Precision,
    budget: &mut Budget,
) -> Result<Map, Stop> {
    let (from, to) = (program.access(source), program.access(sink));
    let tuples = [from, to].map(|access| access.relation.space().domain.clone().expect("an access has a domain"));
    let [tuple, other] = tuples;
    let none = Map::empty(Space::map(program.params.clone(), tuple, other));
    if precision == Precision::Order {
        return Ok(none.union_all(ordered.iter().cloned()));
    }
    from.relation.charge_intersection(&to.relation, budget)?;
    let touching = from.relation.apply_range(&to.relation.reverse());
    let mut parts = Vec::with_capacity(ordered.len());
    for here in ordered {
        let met = both(here, &touching, budget)?;
        parts.push(if precision == Precision::Exact { met } else { near(here, &met, budget)? });
    }
    Ok(none.union_all(parts))
}

/// Of `ordered` the pairs whose distances lie between those of `touching`.
fn near(ordered: &Map, touching: &Map, budget: &mut Budget) -> Result<Map, Stop> {
    let space = ordered.space().clone();
    let common = space.dim(DimKind::In).min(space.dim(DimKind::Out));
    let mut result = Map::empty(space.clone());
    for basic in touching.basics() {
        let mut bounds = BasicMap::universe(space.clone());
        let mut possible = true;
        for dimension in 0..common {
            for sign in [Int::ONE, Int::NEG_ONE] {
                let mut row: Row = vec![Int::ZERO; 1 + space.n_var()];
                row[space.offset(DimKind::In) + dimension] = -&sign;
                row[space.offset(DimKind::Out) + dimension] = sign;
                match greatest(basic, &row, budget)? {
                    Greatest::Empty => possible = false,
                    Greatest::Open => {}
                    Greatest::Bound(most) => {
                        // most - row >= 0
                        let mut bound: Row = row.iter().map(|x| -x).collect();
                        bound[0] += &most;
                        bounds.add_ineq(bound);
                    }
                }
            }
        }
        if possible {
            result = result.union(&both(ordered, &Map::from_basic(bounds), budget)?);
        }
    }
    Ok(result)
}

enum Greatest {
    Empty,
    Open,
    Bound(Int),
}

/// The greatest integer that a form may reach on a conjunction, over the rationals.
fn greatest(basic: &BasicMap, row: &Row, budget: &mut Budget) -> Result<Greatest, Stop> {
    let system = basic.to_system();
    let mut row = row.clone();
    row.resize(1 + system.n, Int::ZERO);
    Ok(match lp_max(&system, &row, budget)? {
        Optimum::Empty => Greatest::Empty,
        Optimum::Unbounded => Greatest::Open,
        Optimum::Bounded(value) => Greatest::Bound(value.floor()),
    })
}
