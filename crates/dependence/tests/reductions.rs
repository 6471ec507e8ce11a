//! Reductions: what may be reordered once their dependences are ignored, instance by instance.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::loops::loops;
use common::trace::{Event, trace};
use poly_arith::Int;
use poly_dependence::{AccessKind, Options, Problem, analyse};
use poly_presburger::DimKind;
use poly_presburger::budget::Budget;

type Instance = (usize, Vec<Int>);

/// Everything that must come after each instance when reductions are ignored: the closure of the other dependences.
fn followers(problem: &Problem, params: &[Int]) -> BTreeMap<Instance, BTreeSet<Instance>> {
    let mut budget = Budget::unlimited();
    let dependences = analyse(problem, &Options { reductions: true, input: false }, &mut budget).expect("no limit");
    let mut next: BTreeMap<Instance, BTreeSet<Instance>> = BTreeMap::new();
    for dependence in dependences.dependences.iter().filter(|d| !d.reduction) {
        let n = dependence.relation.space().dim(DimKind::In);
        for pair in dependence.relation.wrap().enumerate(params, &mut budget).expect("no limit") {
            let (x, y) = pair.split_at(n);
            next.entry((dependence.source.0, x.to_vec())).or_default().insert((dependence.sink.0, y.to_vec()));
        }
    }
    let mut closure = BTreeMap::new();
    for start in next.keys() {
        let mut seen = BTreeSet::new();
        let mut work: Vec<Instance> = next[start].iter().cloned().collect();
        while let Some(instance) = work.pop() {
            work.extend(next.get(&instance).into_iter().flatten().filter(|i| !seen.contains(*i)).cloned());
            seen.insert(instance);
        }
        closure.insert(start.clone(), seen);
    }
    closure
}

fn is_update(problem: &Problem, event: &Event) -> bool {
    let mut reductions = problem.statements[event.statement].reductions.iter();
    reductions.any(|r| r.read == event.access || r.write == event.access)
}

/// All conflicts are ordered but those of a reduction with itself. Returns how many pairs of updates are free.
fn check(text: &str) -> usize {
    let problem = loops("[n] -> { : n >= 1 }", text);
    let mut free = 0;
    for n in 1..5 {
        let params = [Int::from(n)];
        let events = trace(&problem, &params);
        let followers = followers(&problem, &params);
        for (p, a) in events.iter().enumerate() {
            for b in &events[p + 1..] {
                let conflict = a.element == b.element && (a.kind != AccessKind::Read || b.kind != AccessKind::Read);
                if !conflict || a.time == b.time {
                    continue;
                }
                let (x, y) = ((a.statement, a.instance.clone()), (b.statement, b.instance.clone()));
                let ordered = followers.get(&x).is_some_and(|f| f.contains(&y));
                let same_reduction = a.statement == b.statement && is_update(&problem, a) && is_update(&problem, b);
                if same_reduction {
                    free += usize::from(!ordered);
                } else {
                    assert!(ordered, "{x:?} -> {y:?} is not ordered in {text}");
                }
            }
        }
    }
    free
}

#[test]
fn a_sum_is_free() {
    assert!(check("S: s[] = ; for i in 0..n { T: s[] += A[i]; } U: x[] = s[];") > 0);
    assert!(check("for i in 0..n { S: C[i] = ; for j in 0..n { T: C[i] += A[i, j]; } U: D[i] = C[i]; }") > 0);
    assert!(check("for i in 0..n { for j in 0..n { T: C[i + j] += A[i, j]; } } for i in 0..n { U: D[i] = C[i]; }") > 0);
}

#[test]
fn what_comes_between_is_kept_in_order() {
    check("S: s[] = ; for i in 0..n { T: s[] += A[i]; U: B[i] = s[]; }");
    check("for i in 0..n { T: s[] += A[i]; } for i in 0..n { U: B[i] = s[]; V: s[] = B[i]; }");
    check("for i in 0..n { for j in 0..n { T: s[i] += A[i, j]; } U: s[i + 1] = s[i]; }");
}

#[test]
fn the_last_reader_waits_for_all() {
    // Only the last iteration reads: all updates must be done by then.
    check("for i in 0..n { T: s[] += A[i]; for j in n - 1..=i { U: x[] = s[]; } }");
}

#[test]
fn two_reductions_of_one_element_are_kept_in_order() {
    check("for i in 0..n { T: s[] += A[i]; U: s[] += B[i]; }");
    check("for i in 0..n { T: s[] += A[i]; } for i in 0..n { U: s[] += B[i]; }");
}
