//! Reductions: what may be reordered once their dependences are ignored, instance by instance.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::loops::loops;
use common::trace::{Event, trace};
use poly_arith::Int;
use poly_dependence::{AccessKind, Options, Problem, ReductionOperator, analyse};
use poly_presburger::DimKind;
use poly_presburger::budget::Budget;

type Instance = (usize, Vec<Int>);

/// Everything that must come after each instance when reductions are ignored: the closure of the
/// other dependences.
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

/// The group of the update that an access belongs to.
fn group(problem: &Problem, event: &Event) -> Option<usize> {
    let mut reductions = problem.statements[event.statement].reductions.iter();
    reductions.find(|r| r.read == event.access || r.write == event.access).map(|r| r.group)
}

/// All conflicts are ordered but those of a reduction with itself, in one statement or in several.
/// Returns how many pairs of updates are free.
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
                let same_reduction = group(&problem, a).is_some() && group(&problem, a) == group(&problem, b);
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
fn updates_of_several_statements_are_free() {
    assert!(check("for i in 0..n { T: s[] += A[i]; U: s[] += B[i]; }") > 0);
    assert!(check("for i in 0..n { T: s[] += A[i]; } for i in 0..n { U: s[] += B[i]; } V: x[] = s[];") > 0);
    assert!(check("for i in 0..n { T: x[i] += x[i - 1]; for k in 0..i { U: x[i] += x[k]; } }") > 0);
}

#[test]
fn updates_by_different_operators_are_kept_in_order() {
    check("for i in 0..n { T: s[] += A[i]; U: s[] *= B[i]; }");
    check("for i in 0..n { T: s[] += A[i]; } U: s[] *= b[]; for i in 0..n { V: s[] += B[i]; }");
    check("for i in 0..n { T: s[] += A[i]; U: s[] = s[], B[i]; V: s[] += A[i]; }");
}

/// A generator of random numbers.
fn below(state: &mut u64, n: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    usize::try_from((*state >> 11) % n as u64).expect("it is below n")
}

/// A program in which sums, products and other writes go to the same few elements.
fn random_updates(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut text = String::new();
    let elements = ["x[i]", "x[j]", "x[i + 1]", "x[i + j]", "x[0]", "x[n - j]", "y[i]"];
    for name in ["S", "T", "U"].iter().take(2 + below(&mut state, 2)) {
        let operator = ["+=", "+=", "+=", "*=", "="][below(&mut state, 5)];
        let mut element = || elements[below(&mut state, elements.len())];
        let (target, read) = (element(), element());
        let bound = ["0..n", "0..=i", "i..n"][below(&mut state, 3)];
        text += &format!("for i in 0..n {{ for j in {bound} {{ {name}: {target} {operator} {read}; }} }} ");
        if below(&mut state, 3) > 0 {
            // Into the loops of the one before.
            text = text.replacen("} } for i in 0..n { for j in 0..n {", "", 1);
        }
    }
    text
}

/// What is in memory after the instances were executed in an order: sums, products, and values that
/// depend on everything that is read.
fn execute(problem: &Problem, accesses: &BTreeMap<Instance, Vec<Event>>, order: &[Instance]) -> BTreeMap<Element, u64> {
    let mut memory: BTreeMap<Element, u64> = BTreeMap::new();
    let initial = |element: &Element| {
        element.1.iter().fold(3, |hash: u64, x| hash.wrapping_mul(31).wrapping_add(x.to_i64().expect("small") as u64))
    };
    for instance in order {
        let events = &accesses[instance];
        let (write, reads) = events.split_last().expect("there is a write");
        let read = |event: &Event| *memory.get(&event.element).unwrap_or(&initial(&event.element));
        let reduction = problem.statements[instance.0].reductions.first();
        let mix = |all: &[Event]| {
            let own = instance.1.iter().fold(instance.0 as u64 + 7, |hash, x| {
                hash.wrapping_mul(37).wrapping_add(x.to_i64().expect("small") as u64)
            });
            all.iter().fold(own, |hash, event| (hash ^ read(event)).wrapping_mul(0x0100_0000_01B3))
        };
        let value = match reduction.map(|r| r.operator) {
            Some(ReductionOperator::Add) => read(&reads[0]).wrapping_add(mix(&reads[1..])),
            Some(_) => read(&reads[0]).wrapping_mul(mix(&reads[1..]) | 1),
            None => mix(reads),
        };
        memory.insert(write.element.clone(), value);
    }
    memory
}

type Element = (String, Vec<Int>);

#[test]
fn any_order_that_is_left_computes_the_same() {
    let mut changed = 0;
    for seed in 0..60 {
        let text = random_updates(seed);
        let problem = loops("[n] -> { : n >= 1 }", &text);
        let params = [Int::from(3)];
        let mut accesses: BTreeMap<Instance, Vec<Event>> = BTreeMap::new();
        let mut original: Vec<Instance> = Vec::new();
        for event in trace(&problem, &params) {
            let instance = (event.statement, event.instance.clone());
            if !accesses.contains_key(&instance) {
                original.push(instance.clone());
            }
            accesses.entry(instance).or_default().push(event);
        }
        let expected = execute(&problem, &accesses, &original);
        let followers = followers(&problem, &params);
        let mut state = seed | 1;
        for _ in 0..8 {
            let mut left = original.clone();
            let mut order = Vec::new();
            while !left.is_empty() {
                let waits = |x: &Instance| left.iter().any(|y| followers.get(y).is_some_and(|after| after.contains(x)));
                let ready: Vec<usize> = (0..left.len()).filter(|&p| !waits(&left[p])).collect();
                order.push(left.remove(ready[below(&mut state, ready.len())]));
            }
            changed += usize::from(order != original);
            assert_eq!(execute(&problem, &accesses, &order), expected, "{text}\n{order:?}");
        }
    }
    assert!(changed > 100, "only {changed} orders were different");
}
