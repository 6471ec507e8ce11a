//! Dependences when exact ones cost too much.
//!
//! # Problem
//! Exact dataflow may exceed what compiling may cost. A schedule that respects more pairs than necessary is still right, so a relation that contains
//! the exact dependences will do. There are three levels ([`Precision`]); each is tried with a part of what is left.
//!
//! # Algorithm
//! For two accesses one of which writes, in tuples with the same name, at each level of time at which the first one may come earlier:
//!
//! * *order*: all pairs of instances in domains and context in this order, "all before all";
//! * *distances*: of these pairs those whose differences in the loops that both statements have lie between the least and the greatest
//!   difference of pairs that touch the same element. The bounds are linear programs over each disjunct; what is not bounded, or not by a number, stays open.
//!
//! # Invariants
//! Nothing hides anything, so the pairs of both levels contain all pairs that the exact analysis could find. Reductions are ordinary statements here.

use poly_arith::Int;
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::solver::{Optimum, lp_max};
use poly_presburger::{BasicMap, DimKind, Map, Row, Space};

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

/// The most exact dependences that can be had for half of the budget; after that, for half of the rest, and so on.
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

/// Dependences of a level; for [`Precision::Exact`] all pairs that touch the same element, whatever lies between them. Input dependences are none.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn approximate(problem: &Problem, precision: Precision, budget: &mut Budget) -> Result<Dependences, Stop> {
    let program = Program::new(problem, budget)?;
    let all = program.accesses(|_| true);
    let mut dependences = Vec::new();
    for &source in &all {
        for &sink in &all {
            budget.spend(1)?;
            let kind = match (program.access(source).kind, program.access(sink).kind) {
                (AccessKind::Read, AccessKind::Read) => continue,
                (_, AccessKind::Read) => DependenceKind::Flow,
                (AccessKind::Read, _) => DependenceKind::Anti,
                _ => DependenceKind::Output,
            };
            let relation = pairs(&program, source, sink, precision, budget)?;
            if !relation.is_empty(budget)? {
                dependences.push(Dependence { kind, source, sink, relation, reduction: false, conditional: false });
            }
        }
    }
    dependences.sort_by_key(|d| d.kind);
    Ok(Dependences { dependences })
}

/// The pairs of instances of two accesses, the first one executed before the second one.
fn pairs(
    program: &Program,
    source: (usize, usize),
    sink: (usize, usize),
    precision: Precision,
    budget: &mut Budget,
) -> Result<Map, Stop> {
    let (from, to) = (program.access(source), program.access(sink));
    let (first, second) = (from.relation.domain(), to.relation.domain());
    let tuples = [&first, &second].map(|set| set.tuple().expect("instances have a tuple").clone());
    let [tuple, other] = tuples;
    let space = Space::map(program.params.clone(), tuple, other);
    let mut result = Map::empty(space.clone());
    let is_elsewhere = from.relation.space().range != to.relation.space().range || from.is_plainly_elsewhere(to);
    let precision = match program.may_overlap(source, sink) {
        true => Precision::Order,
        false if is_elsewhere => return Ok(result),
        false => precision,
    };
    first.pay_meeting(&second, budget)?;
    let mut equal = Map::universe(space.clone()).intersect_domain(&first).intersect_range(&second);
    let touching = match precision {
        Precision::Order => None,
        Precision::Exact | Precision::Distances => {
            from.relation.pay_meeting(&to.relation, budget)?;
            Some(from.relation.apply_range(&to.relation.reverse()))
        }
    };
    let times = [source.0, sink.0].map(|statement| &program.statements[statement].time);
    let earlier = Placed { time: times[0], at: space.offset(DimKind::In) };
    let later = Placed { time: times[1], at: space.offset(DimKind::Out) };
    for level in 0..times[0].len().min(times[1].len()) {
        let row = difference(later, earlier, level, program.params.len(), 1 + space.n_var());
        let here = match constant_sign(&row) {
            Sign::Zero => continue,
            Sign::Negative => break,
            Sign::Positive => equal.clone(),
            Sign::Unknown => both(&equal, &positive(&space, row.clone()), budget)?,
        };
        let here = match (&touching, precision) {
            (Some(touching), Precision::Exact) => both(&here, touching, budget)?,
            (Some(touching), _) => near(&here, &both(&here, touching, budget)?, budget)?,
            (None, _) => here,
        };
        result = result.union(&here);
        if constant_sign(&row) == Sign::Positive {
            break;
        }
        equal = both(&equal, &zero(&space, row), budget)?;
    }
    Ok(result)
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
