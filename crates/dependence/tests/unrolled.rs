//! Unrolled loops: accesses that differ by a constant are analysed together.

mod common;

use common::{program, statement};
use poly_dependence::{Dependences, Options, Problem, analyse, dataflow};
use poly_presburger::budget::Budget;

/// `A[i][k] += A[i - 1][k] * B[k]` in a loop over `i` that is repeated, unrolled over `count`
/// values of `k`.
fn rows(count: usize) -> Problem {
    let of = |k: usize| {
        [
            format!("read {{ S[t, i] -> A[i - 1, {k}] }}"),
            format!("read {{ S[t, i] -> A[i, {k}] }}"),
            format!("read {{ S[t, i] -> B[{k}] }}"),
            format!("write {{ S[t, i] -> A[i, {k}] }}"),
        ]
    };
    let accesses: Vec<String> = (0..count).flat_map(of).collect();
    let accesses: Vec<&str> = accesses.iter().map(String::as_str).collect();
    let statement = statement(
        "[n] -> { S[t, i] : 0 <= t < n and 0 < i < n }",
        "[n] -> { S[t, i] -> [t, i] : 0 <= t < n and 0 < i < n }",
        &accesses,
    );
    program("[n] -> { : n > 3 }", vec![statement])
}

/// The dependences, and what they cost.
fn counted(problem: &Problem) -> (Dependences, u64) {
    let mut budget = Budget::unlimited();
    let dependences = analyse(problem, &Options::default(), &mut budget).expect("no limit");
    (dependences, budget.spent())
}

#[test]
fn more_copies_cost_no_more_set_operations() {
    let (one, cost_of_one) = counted(&rows(1));
    let (many, cost_of_many) = counted(&rows(100));
    assert_eq!(many.dependences.len(), 100 * one.dependences.len());
    assert!(cost_of_many <= cost_of_one + 1000, "{cost_of_many} operations instead of {cost_of_one}");
    let cost_of_flow = |problem: &Problem| {
        let mut budget = Budget::unlimited();
        dataflow(problem, &mut budget).expect("no limit");
        budget.spent()
    };
    assert!(cost_of_flow(&rows(100)) <= cost_of_flow(&rows(1)) + 1000);
}

#[test]
fn copies_have_the_dependences_of_one() {
    let (one, _) = counted(&rows(1));
    let (many, _) = counted(&rows(7));
    for dependence in &many.dependences {
        let (copy, own) = (dependence.source.1 / 4, dependence.sink.1 / 4);
        assert_eq!(copy, own, "{dependence}");
        let mut first = dependence.clone();
        first.source.1 %= 4;
        first.sink.1 %= 4;
        assert!(one.dependences.contains(&first), "{dependence} is not among\n{one}");
    }
}

/// Where other accesses are not as far away from each copy, copies have dependences of their own.
#[test]
fn distances_count() {
    let accesses =
        ["write { S[t] -> A[3] }", "write { S[t] -> A[4] }", "read { S[t] -> A[3] }", "read { S[t] -> A[4] }"];
    let copies = statement("{ S[t] : 0 <= t < 9 }", "{ S[t] -> [t, 0, 0] }", &accesses);
    let row = statement(
        "{ T[t, i] : 0 <= t < 9 and 0 <= i < 4 }",
        "{ T[t, i] -> [t, 1, i] }",
        &["write { T[t, i] -> A[i] }"],
    );
    let (dependences, _) = counted(&program("{ : }", vec![copies, row]));
    let from_row = |sink: usize| {
        let of = dependences.dependences.iter().filter(|d| d.source.0 == 1 && d.sink == (0, sink));
        of.map(|d| d.relation.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(from_row(0), ["{ T[t, i = 3] -> S[1 + t] : 0 <= t <= 7 }"]);
    assert_eq!(from_row(1), Vec::<String>::new());
}

/// All elements of a matrix are written one by one, and read in a loop: what a read sees, and what
/// overwrites it, is one of them.
#[test]
fn elements_that_are_written_one_by_one_are_one_box() {
    let cost = |rows: usize| {
        let elements = (0..rows).flat_map(|row| (0..10).map(move |column| (row, column)));
        let writes: Vec<String> =
            elements.map(|(row, column)| format!("write {{ S[t] -> A[{row}, {column}] }}")).collect();
        let writes: Vec<&str> = writes.iter().map(String::as_str).collect();
        let unrolled = statement("{ S[t] : 0 <= t < 20 }", "{ S[t] -> [t, 0, 0, 0] }", &writes);
        let reader = statement(
            &format!("{{ T[t, i, j] : 0 <= t < 20 and 0 <= i < {rows} and 0 <= j < 10 }}"),
            "{ T[t, i, j] -> [t, 1, i, j] }",
            &["read { T[t, i, j] -> A[i, j] }"],
        );
        let (dependences, cost) = counted(&program("{ : }", vec![unrolled, reader]));
        // Each write has its reads in the same iteration, and is overwritten and follows reads in
        // the next one.
        assert_eq!(dependences.dependences.len(), 3 * 10 * rows);
        cost
    };
    let (few, many) = (cost(4), cost(40));
    assert!(many <= 16 * few, "{many} operations for 400 elements, {few} for 40");
}
