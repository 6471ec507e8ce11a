//! Values may be sent to other threads and be used by several at once, with the same results.

use std::thread;

use poly_presburger::zpoly::{Lattice, ZPolyhedron, ZUnion};
use poly_presburger::{
    Aff, BasicMap, BasicSet, Budget, Div, Id, Map, MultiAff, MultiPwAff, MultiUnionPwAff, ParseError, PwAff,
    PwMultiAff, Set, SolveError, Space, Stop, Tuple, UnionMap, UnionPwAff, UnionPwMultiAff, UnionSet, solver::System,
};

/// Fails to compile for a type that is not.
const fn shared_between_threads<T: Send + Sync + 'static>() {}

const _: () = {
    shared_between_threads::<(Id, Tuple, Space, Budget, Stop, SolveError, ParseError)>();
    shared_between_threads::<(Div, BasicSet, BasicMap, Set, Map, UnionSet, UnionMap, System)>();
    shared_between_threads::<(Aff, MultiAff, PwAff, PwMultiAff, MultiPwAff)>();
    shared_between_threads::<(UnionPwAff, UnionPwMultiAff, MultiUnionPwAff)>();
    shared_between_threads::<(Lattice, ZPolyhedron, ZUnion)>();
};

/// Questions about the same values, in an order that depends on `first`; the answers and their
/// costs in one order.
fn answers(sets: &[Set], first: usize) -> Vec<String> {
    let mut answers = vec![String::new(); sets.len()];
    for k in 0..sets.len() {
        let at = (first + k) % sets.len();
        let (set, next) = (&sets[at], &sets[(at + 1) % sets.len()]);
        let mut budget = Budget::unlimited();
        let empty = set.is_empty(&mut budget).unwrap();
        let difference = set.subtract(next, &mut budget).unwrap();
        let joined = set.union(next).coalesce(&mut budget).unwrap();
        let least = set.lexmin(&mut budget).unwrap();
        answers[at] = format!("{empty}, {difference}, {joined}, {least}: {} steps", budget.spent());
    }
    answers
}

#[test]
fn many_threads_get_the_answers_of_one() {
    let texts = [
        "[n] -> { [i, j] : 0 <= i <= n and i <= 2j <= i + 7 }",
        "[n] -> { [i, j] : 3 <= i <= 9 and exists (e : i = 3e and j <= 5e <= j + 2) }",
        "[n] -> { [i, j] : 0 <= i, j <= 6 and (i + 2j + n) mod 5 = 1 }",
        "[n] -> { [i, j] : 1 <= 6i - 10j <= 1 and 0 <= i <= n }",
        "[n] -> { [i, j] : 5 <= 7i + 3j <= 6 and 0 <= i <= 20 and j >= -50 or i = j and 0 <= j <= n }",
    ];
    let read = || -> Vec<Set> { texts.iter().map(|text| text.parse().unwrap()).collect() };
    let expected = answers(&read(), 0);
    let shared = read();
    thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|i| {
                scope.spawn({
                    let shared = &shared;
                    move || answers(shared, i)
                })
            })
            .collect();
        for thread in threads {
            assert_eq!(thread.join().expect("a thread does not panic"), expected);
        }
    });
}
