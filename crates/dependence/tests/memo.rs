//! What is kept from earlier programs changes no answer.

mod common;

use common::random::random_program;
use poly_dependence::{Memo, Problem, dataflow, live_out};
use poly_presburger::budget::Budget;

/// The memo's answers are those that are computed from the beginning.
fn check(memo: &mut Memo, problem: &Problem) {
    let budget = &mut Budget::unlimited();
    assert_eq!(memo.dataflow(problem, budget), dataflow(problem, budget), "{problem:#?}");
    let survivors = live_out(problem, budget).expect("no limit");
    if let Some(one) = survivors.last() {
        let found = memo.live_out_of(problem, &[(one.statement, one.access)], budget);
        assert_eq!(found.as_deref(), Ok(std::slice::from_ref(one)), "{problem:#?}");
    }
    assert_eq!(memo.live_out(problem, budget), Ok(survivors), "{problem:#?}");
}

#[test]
fn answers_of_similar_programs() {
    let mut memo = Memo::default();
    for seed in 0..60 {
        let mut problem = random_program(seed);
        check(&mut memo, &problem);
        // A statement less, an access less, other accesses in a statement of the same name, and the
        // first program again.
        let original = problem.clone();
        if problem.statements.len() > 1 {
            problem.statements.remove(0);
            check(&mut memo, &problem);
        }
        problem = original.clone();
        let last = problem.statements.last_mut().expect("a program has statements");
        last.accesses.reverse();
        check(&mut memo, &problem);
        let last = problem.statements.last_mut().expect("a program has statements");
        last.accesses.pop();
        check(&mut memo, &problem);
        check(&mut memo, &original);
    }
}

/// A budget that was not enough is not spent again, and what was found out with it is kept.
#[test]
fn what_a_budget_was_not_enough_for_is_not_asked_again() {
    let mut stopped = 0;
    for seed in 0..60 {
        let problem = random_program(seed);
        let mut all = Budget::unlimited();
        if dataflow(&problem, &mut all).is_err() || all.spent() < 2_000 {
            continue;
        }
        let (mut memo, few) = (Memo::default(), all.spent() / 2);
        let mut first = Budget::new(few);
        if memo.dataflow(&problem, &mut first).is_ok() {
            continue;
        }
        stopped += 1;
        // The second time, statements need not be prepared, so there is more for questions.
        for _ in 0..2 {
            _ = memo.dataflow(&problem, &mut Budget::new(few));
        }
        let mut last = Budget::new(few);
        if memo.dataflow(&problem, &mut last).is_err() {
            assert!(last.remaining() > few / 2, "{seed}: {last:?}");
        }
        check(&mut memo, &problem);
    }
    assert!(stopped > 10, "only {stopped} programs");
}
