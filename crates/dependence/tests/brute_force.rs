//! Dependences of random programs against the definition, instance by instance.
//!
//! The trace of a program for given parameter values is the list of its accesses in the order of
//! execution. A pair of accesses of one element depends on each other when no must-write of the
//! element lies between.

mod common;

use std::collections::BTreeSet;

use common::random::{random_program, with_groups};
use common::trace::{Event, trace};
use poly_arith::Int;
use poly_dependence::{AccessKind, DependenceKind, Options, Problem, analyse, dataflow, live_out};
use poly_presburger::budget::Budget;

type Place = (usize, usize);
/// Source access and instance, sink access and instance.
type Pair = (Place, Vec<Int>, Place, Vec<Int>);

/// The pairs `(a, b)` of accesses of one element without a must-write between, that are not of one
/// group, by kind, within one instance or not.
fn expected(events: &[Event]) -> BTreeSet<(DependenceKind, bool, Pair)> {
    let mut result = BTreeSet::new();
    for (p, a) in events.iter().enumerate() {
        for b in &events[p + 1..] {
            let is_same_access = a.time == b.time && a.access == b.access;
            let is_same_group = a.group.is_some() && a.group == b.group;
            if a.element != b.element || is_same_access || is_same_group {
                continue;
            }
            let kind = match (a.kind, b.kind) {
                (AccessKind::Read, AccessKind::Read) => continue,
                (_, AccessKind::Read) => DependenceKind::Flow,
                (AccessKind::Read, _) => DependenceKind::Anti,
                _ => DependenceKind::Output,
            };
            let pair = ((a.statement, a.access), a.instance.clone(), (b.statement, b.access), b.instance.clone());
            result.insert((kind, a.time == b.time, pair));
            if b.kind == AccessKind::MustWrite {
                break;
            }
        }
    }
    result
}

/// All pairs of instances in a relation.
fn pairs(relation: &poly_presburger::Map, params: &[Int]) -> Vec<(Vec<Int>, Vec<Int>)> {
    let n = relation.space().dim(poly_presburger::DimKind::In);
    let points = relation.wrap().enumerate(params, &mut Budget::unlimited()).expect("no limit");
    points.into_iter().map(|p| (p[..n].to_vec(), p[n..].to_vec())).collect()
}

fn check(seed: u64, problem: &Problem) {
    let mut budget = Budget::unlimited();
    let dependences = analyse(problem, &Options::default(), &mut budget).expect("no limit");
    let flow = dataflow(problem, &mut budget).expect("no limit");
    let survivors = live_out(problem, &mut budget).expect("no limit");
    for n in 0..4 {
        let params = [Int::from(n)];
        let events = trace(problem, &params);
        let expected = expected(&events);
        let mut actual = BTreeSet::new();
        for d in &dependences.dependences {
            for (x, y) in pairs(&d.relation, &params) {
                actual.insert((d.kind, (d.source, x, d.sink, y)));
            }
        }
        let between: BTreeSet<_> = expected.iter().filter(|e| !e.1).map(|e| (e.0, e.2.clone())).collect();
        let context = || format!("seed {seed}, n = {n}, {problem:#?}\n{dependences}");
        assert_eq!(actual, between, "{}", context());

        let mut values = BTreeSet::new();
        for read in &flow {
            for source in &read.sources {
                for (x, y) in pairs(&source.relation, &params) {
                    values.insert(((source.statement, source.access), x, (read.statement, read.access), y));
                }
            }
            let initial: BTreeSet<Vec<Int>> =
                read.uninitialized.enumerate(&params, &mut budget).expect("no limit").into_iter().collect();
            let reads =
                events.iter().enumerate().filter(|(_, e)| (e.statement, e.access) == (read.statement, read.access));
            let unwritten = reads.filter(|(p, e)| {
                !events[..*p].iter().any(|w| w.kind == AccessKind::MustWrite && w.element == e.element)
            });
            assert_eq!(initial, unwritten.map(|(_, e)| e.instance.clone()).collect(), "{}", context());
        }
        let flows = expected.iter().filter(|e| e.0 == DependenceKind::Flow).map(|e| e.2.clone()).collect();
        assert_eq!(values, flows, "dataflow: {}", context());

        for survivor in &survivors {
            let actual: BTreeSet<(Vec<Int>, Vec<Int>)> = pairs(&survivor.relation, &params).into_iter().collect();
            let place = (survivor.statement, survivor.access);
            let writes = events.iter().enumerate().filter(|(_, e)| (e.statement, e.access) == place);
            let last = writes.filter(|(p, e)| {
                let later = |w: &&Event| (&w.time, w.access) != (&e.time, e.access);
                let mut hiding =
                    events[p + 1..].iter().filter(|w| w.kind == AccessKind::MustWrite && w.element == e.element);
                !hiding.any(|w| later(&w))
            });
            let expected: BTreeSet<(Vec<Int>, Vec<Int>)> =
                last.map(|(_, e)| (e.instance.clone(), e.element.1.clone())).collect();
            assert_eq!(actual, expected, "live out: {}", context());
        }
    }
}

#[test]
fn random_programs() {
    for seed in 0..150 {
        check(seed, &random_program(seed));
        check(seed, &with_groups(random_program(seed)));
    }
}
