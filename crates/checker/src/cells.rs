//! Cells that hold one element after the other.
//!
//! # Problem
//! An array has fewer cells than elements. An order of execution that is right for the array is
//! right for the cells if no cell is overwritten while the value in it is still to be read.
//!
//! # Definitions
//! `w` writes a value, `u` is `w` or reads that value, `y` writes another element to the same cell.
//! One instance is *surely before* another one if its time is smaller, and the first dimension in
//! which their times differ is not one in which iterations may come in any order: a loop that is
//! flagged coincident, or one below a mark of threads.
//!
//! # Algorithm
//! `y` must be surely before `w`, or `u` surely before `y`. For each flow dependence from `w` to
//! `u`, and for `w` itself, the pairs of `w` and `y` are computed for which neither holds for some
//! `u`, by composition. There must be none. Instances at the same time are those of one statement,
//! of which nothing is assumed.
//!
//! # Invariants
//! Nothing is known here of how cells were assigned. Where tiles have parametric sizes, nothing is
//! surely before anything that it is not outside of them.

use poly_dependence::{Dependence, DependenceKind};
use poly_presburger::Map;
use poly_presburger::budget::{Budget, Stop};
use poly_schedule_tree::{Mark, ScheduleTree};

use crate::loops::{Loop, coincident_loops, loops_below};
use crate::order::{Comparison, Times, Witness, witness};

/// An access of an array whose elements share cells.
#[derive(Clone, Debug)]
pub struct CellAccess {
    /// Statement and access, as dependences name them.
    pub place: (usize, usize),
    /// It writes.
    pub write: bool,
    /// From instances of its domain to elements.
    pub elements: Map,
    /// From instances of its domain to cells.
    pub cells: Map,
}

/// A write that perhaps destroys a value which is still to be read: `source` has written the value,
/// `sink` writes another element to its cell; nothing if there is none. The number in the witness
/// is that of a flow dependence from the value, or the number of dependences if nobody has to read
/// it.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn overwritten(
    tree: &ScheduleTree,
    accesses: &[CellAccess],
    dependences: &[Dependence],
    budget: &mut Budget,
) -> Result<Option<Witness>, Stop> {
    let times = Times::new(tree, budget)?;
    let threads = |mark: &Mark| matches!(mark, Mark::Parallel(_) | Mark::Doacross).then_some(());
    let shared = loops_below(tree, threads).into_iter().map(|(this, ())| this);
    let loops: Vec<Loop> = coincident_loops(tree).into_iter().chain(shared).collect();
    let mut judge = Judge { times, loops };
    for value in accesses.iter().filter(|access| access.write) {
        for other in accesses.iter().filter(|access| access.write) {
            let early = judge.not_surely_before(&sharing(other, value), budget)?.reverse();
            if early.is_empty(budget)? {
                continue;
            }
            let late = judge.not_surely_before(&early, budget)?;
            if let Some(bad) = witness(&late, budget)? {
                return Ok(Some(Witness::new(dependences.len(), &bad, late.space())));
            }
            for (number, dependence) in dependences.iter().enumerate() {
                let is_flow = dependence.kind == DependenceKind::Flow || dependence.reduction;
                let used = accesses.iter().find(|access| access.place == dependence.sink);
                let Some(used) = used.filter(|_| is_flow && dependence.source == value.place) else { continue };
                let late = judge.not_surely_before(&sharing(used, other), budget)?;
                let bad = dependence.relation.apply_range(&late).intersect(&early);
                if let Some(point) = witness(&bad, budget)? {
                    return Ok(Some(Witness::new(number, &point, bad.space())));
                }
            }
        }
    }
    Ok(None)
}

/// The pairs of instances that access different elements in the same cell.
fn sharing(one: &CellAccess, other: &CellAccess) -> Map {
    let space = one.elements.space().range_space();
    let different = Map::lex_lt(&space).union(&Map::lex_gt(&space));
    let elements = one.elements.apply_range(&different).apply_range(&other.elements.reverse());
    one.cells.apply_range(&other.cells.reverse()).intersect(&elements)
}

struct Judge {
    times: Times,
    /// Whose iterations may come in any order.
    loops: Vec<Loop>,
}

impl Judge {
    /// The pairs of which the first instance is not surely before the second one.
    fn not_surely_before(&mut self, pairs: &Map, budget: &mut Budget) -> Result<Map, Stop> {
        let Some(ends) = self.times.ends(pairs) else { return Ok(pairs.clone()) };
        let tuples = [ends.0, ends.1].map(|s| self.times.statements[s].tuple.clone());
        let mut result = Map::empty(pairs.space().clone());
        let mut equal = pairs.clone();
        for dimension in 0..self.times.dimensions {
            let mut add = |late: Map, budget: &mut Budget| {
                if !late.is_empty(budget)? {
                    result = result.union(&late);
                }
                Ok::<(), Stop>(())
            };
            add(self.times.restrict(&equal, ends, dimension, Comparison::After), budget)?;
            for this in self.loops.iter().filter(|this| this.dimension == dimension) {
                let (Some(first), Some(second)) = (this.instances(&tuples[0]), this.instances(&tuples[1])) else {
                    continue;
                };
                let inside = equal.intersect_domain(first).intersect_range(second);
                add(self.times.restrict(&inside, ends, dimension, Comparison::Before), budget)?;
            }
            equal = self.times.restrict(&equal, ends, dimension, Comparison::Equal);
            if equal.is_empty(budget)? {
                return Ok(result);
            }
        }
        Ok(result.union(&equal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows: `T[i]` written by `P[i]` and read by `Q[i], Q[i + 1]`; the instances that destroy a
    /// value where rows have so many cells.
    fn verdict(coincident: u32, modulus: i64) -> Option<(Vec<String>, Vec<String>)> {
        let text = format!(
            "domain: \"[n] -> {{ P[i] : 0 <= i < n; Q[i] : 1 <= i < n }}\"\nchild:\n  \
             schedule: \"[n] -> [{{ P[i] -> [(i)]; Q[i] -> [(i)] }}]\"\n  coincident: [ {coincident} ]\n  child:\n    \
             sequence:\n    - filter: \"[n] -> {{ P[i] }}\"\n    - filter: \"[n] -> {{ Q[i] }}\"\n"
        );
        let tree: ScheduleTree = text.parse().expect("the tree can be read");
        let map = |text: &str| text.parse::<Map>().expect("the relation can be read");
        let access = |place, write, statement: &str, domain: &str, element: &str| CellAccess {
            place,
            write,
            elements: map(&format!("[n] -> {{ {statement}[i] -> T[{element}] : {domain} }}")),
            cells: map(&format!(
                "[n] -> {{ {statement}[i] -> [{element} - {modulus}*floor(({element})/{modulus})] : {domain} }}"
            )),
        };
        let accesses = [
            access((0, 0), true, "P", "0 <= i < n", "i"),
            access((1, 0), false, "Q", "1 <= i < n", "i"),
            access((1, 1), false, "Q", "1 <= i < n", "i - 1"),
        ];
        let flow = |sink, relation: &str| Dependence {
            kind: DependenceKind::Flow,
            source: (0, 0),
            sink,
            relation: map(relation),
            reduction: false,
            conditional: false,
        };
        let flows = [
            flow((1, 0), "[n] -> { P[i] -> Q[i] : 1 <= i < n }"),
            flow((1, 1), "[n] -> { P[i] -> Q[i + 1] : 0 <= i < n - 1 }"),
        ];
        let found = overwritten(&tree, &accesses, &flows, &mut Budget::unlimited()).expect("no limit");
        let names = |values: &[poly_arith::Int]| values.iter().map(ToString::to_string).collect();
        found.map(|witness| (names(&witness.source), names(&witness.sink)))
    }

    #[test]
    fn a_cell_is_free_behind_the_last_read_of_its_value() {
        assert_eq!(verdict(0, 2), None);
        assert_eq!(verdict(0, 3), None);
        let (source, sink) = verdict(0, 1).expect("the row before is needed");
        assert_eq!((source, sink), (vec!["0".to_string()], vec!["1".to_string()]));
    }

    #[test]
    fn iterations_in_any_order_have_cells_of_their_own() {
        assert!(verdict(1, 2).is_some() && verdict(1, 64).is_some());
    }
}
