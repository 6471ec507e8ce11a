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
    let mut judge = Judge::new(tree, budget)?;
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

/// A write to a cell that belongs to a greater element already, or still to a smaller one; nothing
/// if every cell is used by elements in rising order: `source` has written the greater one, or is
/// still to read the smaller one, `sink` writes to its cell. Then every read sees what was written
/// to its element, or what was there before, and at the end cells contain their greatest elements.
/// The number in the witness is the one that is given.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn out_of_order(
    tree: &ScheduleTree,
    accesses: &[CellAccess],
    number: usize,
    budget: &mut Budget,
) -> Result<Option<Witness>, Stop> {
    let mut judge = Judge::new(tree, budget)?;
    for used in accesses {
        for other in accesses.iter().filter(|access| access.write) {
            let space = used.elements.space().range_space();
            let same = used.cells.apply_range(&other.cells.reverse());
            let pairs =
                |order: Map| used.elements.apply_range(&order).apply_range(&other.elements.reverse()).intersect(&same);
            // Greater elements are written after all uses, smaller ones before the write.
            let late = judge.not_surely_before(&pairs(Map::lex_lt(&space)), budget)?;
            let early = match used.write {
                true => judge.not_surely_before(&pairs(Map::lex_gt(&space)).reverse(), budget)?.reverse(),
                false => Map::empty(late.space().clone()),
            };
            for bad in [late, early] {
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
    fn new(tree: &ScheduleTree, budget: &mut Budget) -> Result<Self, Stop> {
        let times = Times::new(tree, budget)?;
        let threads = |mark: &Mark| matches!(mark, Mark::Parallel(_) | Mark::Doacross).then_some(());
        let shared = loops_below(tree, threads).into_iter().map(|(this, ())| this);
        Ok(Self { times, loops: coincident_loops(tree).into_iter().chain(shared).collect() })
    }

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

    /// `P[i]` writes `T[i]` in iteration `i` of a loop, `Q[i]` reads `T[i + r]` for the offsets `r`
    /// in iteration `i + shift`, before or behind `P`; element `x` is in cell `x mod modulus`.
    struct Rows {
        offsets: Vec<i64>,
        shift: i64,
        reader_first: bool,
        coincident: bool,
        modulus: i64,
    }

    /// `0 <= i < n` for `P`.
    const N: i64 = 9;

    impl Rows {
        fn readers(&self) -> std::ops::Range<i64> {
            let (least, most) = (self.offsets.iter().min(), self.offsets.iter().max());
            -least.expect("there are some").min(&0)..N - most.expect("there are some").max(&0)
        }

        fn tree(&self) -> ScheduleTree {
            let (from, to) = (self.readers().start, self.readers().end);
            let [p, q] = [format!("P[i] : 0 <= i < {N}"), format!("Q[i] : {from} <= i < {to}")];
            let order = if self.reader_first { [&q, &p] } else { [&p, &q] };
            let text = format!(
                "domain: \"{{ {p}; {q} }}\"\nchild:\n  schedule: \"[{{ P[i] -> [(i)]; Q[i] -> [({} + i)] }}]\"\n  \
                 coincident: [ {} ]\n  child:\n    sequence:\n    - filter: \"{{ {} }}\"\n    - filter: \"{{ {} }}\"\n",
                self.shift,
                u32::from(self.coincident),
                order[0],
                order[1]
            );
            text.parse().expect("the tree can be read")
        }

        fn accesses(&self) -> (Vec<CellAccess>, Vec<Dependence>) {
            let map = |text: &str| text.parse::<Map>().expect("the relation can be read");
            let access = |place, write, statement: &str, range: std::ops::Range<i64>, offset: i64| {
                let domain = format!("{} <= i < {}", range.start, range.end);
                let cell = format!("i + {offset} - {0}*floor((i + {offset})/{0})", self.modulus);
                CellAccess {
                    place,
                    write,
                    elements: map(&format!("{{ {statement}[i] -> T[i + {offset}] : {domain} }}")),
                    cells: map(&format!("{{ {statement}[i] -> [{cell}] : {domain} }}")),
                }
            };
            let mut accesses = vec![access((0, 0), true, "P", 0..N, 0)];
            let mut flows = Vec::new();
            for (number, offset) in self.offsets.iter().enumerate() {
                accesses.push(access((1, number), false, "Q", self.readers(), *offset));
                let (from, to) = (self.readers().start, self.readers().end);
                flows.push(Dependence {
                    kind: DependenceKind::Flow,
                    source: (0, 0),
                    sink: (1, number),
                    relation: map(&format!("{{ P[i + {offset}] -> Q[i] : {from} <= i < {to} }}")),
                    reduction: false,
                    conditional: false,
                });
            }
            (accesses, flows)
        }

        fn verdict(&self) -> Option<(Vec<String>, Vec<String>)> {
            let (accesses, flows) = self.accesses();
            let found = overwritten(&self.tree(), &accesses, &flows, &mut Budget::unlimited()).expect("no limit");
            let names = |values: &[poly_arith::Int]| values.iter().map(ToString::to_string).collect();
            found.map(|witness| (names(&witness.source), names(&witness.sink)))
        }

        fn time(&self, i: i64, is_reader: bool) -> (i64, bool) {
            (if is_reader { i + self.shift } else { i }, is_reader != self.reader_first)
        }

        fn is_before(&self, a: (i64, bool), b: (i64, bool)) -> bool {
            if self.coincident { a.0 == b.0 && !a.1 && b.1 } else { a < b }
        }

        fn is_out_of_order(&self) -> bool {
            let (accesses, _) = self.accesses();
            out_of_order(&self.tree(), &accesses, 0, &mut Budget::unlimited()).expect("no limit").is_some()
        }

        /// Whether cells are not used by elements in rising order, by looking at all uses and all
        /// writes.
        fn falls(&self) -> bool {
            let written = (0..N).map(|i| (i, self.time(i, false), true));
            let read = |&offset: &i64| self.readers().map(move |i| (i + offset, self.time(i, true), false));
            let uses: Vec<_> = written.chain(self.offsets.iter().flat_map(read)).collect();
            let clash = |element: i64, time: (i64, bool), is_write: bool, y: i64| {
                let other = self.time(y, false);
                let is_wrong = match y > element {
                    true => !self.is_before(time, other),
                    false => is_write && !self.is_before(other, time),
                };
                y != element && (y - element) % self.modulus == 0 && is_wrong
            };
            uses.iter().any(|&(element, time, is_write)| (0..N).any(|y| clash(element, time, is_write, y)))
        }

        /// Whether values are destroyed, by looking at all pairs of writes and at all reads.
        fn destroys(&self) -> bool {
            let time = |i: i64, is_reader: bool| self.time(i, is_reader);
            let before = |a: (i64, bool), b: (i64, bool)| self.is_before(a, b);
            let uses = |w: i64| {
                let reads = self.offsets.iter().map(move |offset| w - offset).filter(|i| self.readers().contains(i));
                reads.map(|i| time(i, true)).chain([time(w, false)]).collect::<Vec<_>>()
            };
            let clash = |w: i64, y: i64| {
                let is_shared = w != y && (w - y) % self.modulus == 0;
                let (first, other) = (time(w, false), time(y, false));
                is_shared && !before(other, first) && uses(w).into_iter().any(|used| !before(used, other))
            };
            (0..N).any(|w| (0..N).any(|y| clash(w, y)))
        }

        /// Every value is there when it is read.
        fn is_in_order(&self) -> bool {
            let late = |offset: &i64| self.shift > *offset || (self.shift == *offset && !self.reader_first);
            self.offsets.iter().all(late)
        }
    }

    /// `Q[i]` reads `T[i]` and `T[i - 1]`, right behind `P[i]`.
    fn verdict(coincident: bool, modulus: i64) -> Option<(Vec<String>, Vec<String>)> {
        Rows { offsets: vec![0, -1], shift: 0, reader_first: false, coincident, modulus }.verdict()
    }

    #[test]
    fn it_is_what_all_pairs_say() {
        let mut counts = [0, 0];
        for offsets in [vec![0], vec![0, -1], vec![-2, 1], vec![2, 0, 1]] {
            for (shift, modulus) in (0..4).flat_map(|shift| (1..7).map(move |modulus| (shift, modulus))) {
                for (reader_first, coincident) in [(false, false), (true, false), (false, true), (true, true)] {
                    let offsets = offsets.clone();
                    let rows = Rows { offsets, shift, reader_first, coincident, modulus };
                    if !rows.is_in_order() {
                        continue;
                    }
                    let what = format!("{:?}, shift {shift}, {reader_first}, {coincident}, {modulus}", rows.offsets);
                    assert_eq!(rows.verdict().is_some(), rows.destroys(), "{what}");
                    assert_eq!(rows.is_out_of_order(), rows.falls(), "rising order: {what}");
                    assert!(rows.is_out_of_order() || !rows.destroys(), "rising order is enough: {what}");
                    counts[usize::from(rows.destroys())] += 1;
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 30), "{counts:?}");
    }

    #[test]
    fn a_cell_is_free_behind_the_last_read_of_its_value() {
        assert_eq!(verdict(false, 2), None);
        assert_eq!(verdict(false, 3), None);
        let (source, sink) = verdict(false, 1).expect("the row before is needed");
        assert_eq!((source, sink), (vec!["0".to_string()], vec!["1".to_string()]));
    }

    #[test]
    fn iterations_in_any_order_have_cells_of_their_own() {
        assert!(verdict(true, 2).is_some() && verdict(true, 8).is_some());
    }
}
