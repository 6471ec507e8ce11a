//! Schedules against the definition, instance by instance.
//!
//! Legal: of any two accesses of one element, at least one of them a write, that one comes first
//! which came first in the original program. Permutable: in no member of a band does such a pair go
//! backwards when everything outside of the band is equal. Coincident: it does not move at all. All
//! statements are scheduled, each instance once. Where reductions are relaxed, two updates of one
//! element by the same reduction, in one statement or in two, may come in any order, but not at the
//! same time, and not in two iterations of a parallel loop.

use std::collections::BTreeMap;

use poly_arith::Int;
use poly_dependence::{AccessKind, Problem};
use poly_presburger::budget::Budget;
use poly_presburger::{DimKind, UnionSet};
use poly_schedule_tree::{NodeKind, ScheduleTree};

use super::programs::trace::{Event, trace};

/// Name of a statement and the values of its iterators.
pub type Instance = (String, Vec<Int>);

/// The times of all instances, for a value of the only parameter `n`. Panics if an instance is
/// executed twice.
pub fn times(tree: &ScheduleTree, params: &[Int]) -> BTreeMap<Instance, Vec<Int>> {
    let mut times = BTreeMap::new();
    for map in tree.schedule_map().iter() {
        let map = map.with_exact_params(&["n".into()]);
        let name = map.space().tuple_name(DimKind::In).expect("statements have names").to_string();
        let n = map.space().dim(DimKind::In);
        for pair in map.wrap().enumerate(params, &mut Budget::unlimited()).expect("no limit") {
            let (instance, time) = pair.split_at(n);
            let before = times.insert((name.clone(), instance.to_vec()), time.to_vec());
            assert!(before.is_none(), "an instance of {name} is executed twice");
        }
    }
    times
}

/// A band: the instances that reach it, number of time dimensions outside, and its members' flags.
struct Bands(Vec<(UnionSet, usize, Vec<bool>)>);

fn bands(tree: &ScheduleTree) -> Bands {
    let mut result = Vec::new();
    for node in tree.band_nodes() {
        let outside = node.ancestor_kinds().map(|kind| match kind {
            NodeKind::Band(band) => band.n_member(),
            NodeKind::Sequence => 1,
            _ => 0,
        });
        let outside = outside.sum();
        let band = node.band().expect("a band");
        assert!(band.permutable);
        let reached = node.domain().with_exact_params(&["n".into()]);
        result.push((reached, outside, band.coincident.clone()));
    }
    Bands(result)
}

fn instance(problem: &Problem, event: &Event) -> Instance {
    let name = problem.statements[event.statement].domain.tuple_name().expect("named").to_string();
    (name, event.instance.clone())
}

/// The group of the update that an access belongs to, if it may be reordered.
fn group(problem: &Problem, event: &Event) -> Option<usize> {
    let mut reductions = problem.statements[event.statement].reductions.iter();
    let own = reductions.find(|r| r.reassociable && (r.read == event.access || r.write == event.access));
    own.map(|r| r.group)
}

/// Panics unless a schedule is right, for a few values of the only parameter. How many pairs of
/// updates go backwards.
pub fn assert_right(problem: &Problem, tree: &ScheduleTree, relaxed: bool, name: &str) -> usize {
    let bands = bands(tree);
    let mut backwards = 0;
    for n in 0..4 {
        let params = [Int::from(n)];
        let events = trace(problem, &params);
        let times = times(tree, &params);
        for (p, a) in events.iter().enumerate() {
            for b in &events[p + 1..] {
                let conflict = a.element == b.element && (a.kind != AccessKind::Read || b.kind != AccessKind::Read);
                if !conflict || a.time == b.time {
                    continue;
                }
                let (x, y) = (instance(problem, a), instance(problem, b));
                let (from, to) = (&times[&x], &times[&y]);
                let context = || format!("{name}, n = {n}: {x:?} -> {y:?}\n{problem:#?}\n{tree}");
                let free = relaxed && group(problem, a).is_some() && group(problem, a) == group(problem, b);
                assert!(if free { from != to } else { from < to }, "order: {}", context());
                backwards += usize::from(from > to);
                for (reached, outside, coincident) in &bands.0 {
                    let reaches = |(name, point): &Instance| {
                        reached.get_named(name).is_some_and(|set| set.as_map().contains(&params, point))
                    };
                    if from[..*outside] != to[..*outside] || !reaches(&x) || !reaches(&y) {
                        continue;
                    }
                    for (member, &coincident) in coincident.iter().enumerate() {
                        let (s, t) = (&from[outside + member], &to[outside + member]);
                        assert!(free || s <= t, "permutable: {}", context());
                        // Iterations of a parallel loop at equal time in the loops around it.
                        let outer = from[..outside + member] == to[..outside + member];
                        let apart_anyway = free && !outer;
                        assert!(!coincident || apart_anyway || s == t, "coincident: {}", context());
                    }
                }
            }
        }
        for statement in &problem.statements {
            let name = statement.domain.tuple_name().expect("named").to_string();
            for point in statement.domain.enumerate(&params, &mut Budget::unlimited()).expect("no limit") {
                assert!(times.contains_key(&(name.clone(), point)), "an instance of {name} is lost");
            }
        }
    }
    backwards
}
