//! Schedules of random programs against the definition, instance by instance.
//!
//! Legal: of any two accesses of one element, at least one of them a write, that one comes first which came first in the
//! original program. Permutable: in no member of a band does such a pair go backwards when everything outside of the band is
//! equal. Coincident: it does not move at all. All statements are scheduled, each instance once.

mod common;

use std::collections::BTreeMap;

use common::programs::random::random_program;
use common::programs::trace::{Event, trace};
use common::run;
use poly_arith::Int;
use poly_dependence::{AccessKind, Problem};
use poly_presburger::DimKind;
use poly_presburger::budget::Budget;
use poly_schedule_tree::{NodeKind, ScheduleTree};
use poly_scheduler::{Algorithm, Fusion, Options};

type Instance = (String, Vec<Int>);

/// The times of all instances.
fn times(tree: &ScheduleTree, params: &[Int]) -> BTreeMap<Instance, Vec<Int>> {
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

/// A band: the statements below it, number of time dimensions outside, and its members' flags.
struct Bands(Vec<(Vec<String>, usize, Vec<bool>)>);

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
        let names = node.domain().iter().filter_map(|s| s.tuple_name().map(ToString::to_string)).collect();
        result.push((names, outside, band.coincident.clone()));
    }
    Bands(result)
}

fn instance(problem: &Problem, event: &Event) -> Instance {
    let name = problem.statements[event.statement].domain.tuple_name().expect("named").to_string();
    (name, event.instance.clone())
}

fn check(seed: u64, options: &Options) {
    let problem = random_program(seed);
    let scheduled = run(&problem, options, false);
    scheduled.assert_legal(false);
    let bands = bands(&scheduled.tree);
    for n in 0..4 {
        let params = [Int::from(n)];
        let events = trace(&problem, &params);
        let times = times(&scheduled.tree, &params);
        for (p, a) in events.iter().enumerate() {
            for b in &events[p + 1..] {
                let conflict = a.element == b.element && (a.kind != AccessKind::Read || b.kind != AccessKind::Read);
                if !conflict || a.time == b.time {
                    continue;
                }
                let (x, y) = (instance(&problem, a), instance(&problem, b));
                let (from, to) = (&times[&x], &times[&y]);
                let context = || format!("seed {seed}, n = {n}: {x:?} -> {y:?}\n{problem:#?}\n{}", scheduled.tree);
                assert!(from < to, "order: {}", context());
                for (names, outside, coincident) in &bands.0 {
                    if from[..*outside] != to[..*outside] || !names.contains(&x.0) || !names.contains(&y.0) {
                        continue;
                    }
                    for (member, &coincident) in coincident.iter().enumerate() {
                        let (s, t) = (&from[outside + member], &to[outside + member]);
                        assert!(s <= t, "permutable: {}", context());
                        assert!(!coincident || s == t, "coincident: {}", context());
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
}

#[test]
fn smart_fusion() {
    for seed in 0..100 {
        check(seed, &Options::default());
    }
}

#[test]
fn maximal_fusion() {
    for seed in 0..60 {
        check(seed, &Options { fusion: Fusion::Max, ..Options::default() });
    }
}

#[test]
fn no_fusion_and_no_negative_coefficients() {
    for seed in 0..60 {
        check(seed, &Options { fusion: Fusion::None, negative_coefficients: false, ..Options::default() });
    }
}

#[test]
fn least_latency() {
    for seed in 0..40 {
        check(seed, &Options { algorithm: Algorithm::Feautrier, ..Options::default() });
    }
}
