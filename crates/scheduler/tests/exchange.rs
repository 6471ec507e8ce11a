//! Schedule files: written, read back, edited, refused.

mod common;

use common::programs::{program, statement};
use common::run;
use poly_presburger::budget::Budget;
use poly_scheduler::{Options, ScheduleFile, why_illegal};

/// `for i A[i + 1] = f(A[i])`, `for i B[i] = A[i]`.
fn file() -> ScheduleFile {
    let problem = program(
        "[n] -> { : n >= 1 }",
        vec![
            statement(
                "[n] -> { S[i] : 0 <= i < n }",
                "{ S[i] -> [0, i] }",
                &["read { S[i] -> A[i] }", "write { S[i] -> A[i + 1] }"],
            ),
            statement(
                "[n] -> { T[i] : 0 <= i < n }",
                "{ T[i] -> [1, i] }",
                &["read { T[i] -> A[i] }", "write { T[i] -> B[i] }"],
            ),
        ],
    );
    let scheduled = run(&problem, &Options::default(), false);
    ScheduleFile {
        scop: "example".to_string(),
        context: problem.context,
        dependences: scheduled.dependences,
        tree: scheduled.tree,
    }
}

fn judged(text: &str) -> Option<String> {
    let file: ScheduleFile = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
    why_illegal(&file.tree, &file.dependences, &mut Budget::unlimited()).expect("the budget is unlimited")
}

#[test]
fn what_is_written_can_be_read() {
    let file = file();
    let text = file.to_string();
    let again: ScheduleFile = text.parse().expect("it was written by us");
    assert_eq!(again, file);
    assert_eq!(again.to_string(), text);
    assert!(text.contains("\ncontext: [n] -> { : n > 0 }\n"), "{text}");
    assert_eq!(judged(&text), None);
}

#[test]
fn an_illegal_order_is_refused_with_an_example() {
    let text = file().to_string();
    let reversed = text.replace("S[i] -> [(i)]", "S[i] -> [(-i)]").replace("T[i] -> [(i)]", "T[i] -> [(-i)]");
    assert_ne!(reversed, text);
    let what = judged(&reversed).expect("the recurrence runs backwards");
    assert!(what.contains("must run before") && what.contains("flow") && what.contains(" for n = "), "{what}");
}

#[test]
fn a_wrong_claim_of_parallelism_is_refused() {
    let text = "poly-schedule: 1\nscop: x\n# the recurrence\ndependence: flow 0.1 -> 0.0: { S[i] -> S[i + 1] : 0 <= i < 9 }\n\
                schedule:\ndomain: \"{ S[i] : 0 <= i <= 9 }\"\nchild:\n  schedule: \"[{ S[i] -> [(i)] }]\"\n  permutable: 1\n  coincident: [ 1 ]\n";
    let what = judged(text).expect("the loop carries the dependence");
    assert!(what.contains("coincident"), "{what}");
    assert_eq!(judged(&text.replace("[ 1 ]", "[ 0 ]")), None);
}

#[test]
fn every_instance_is_executed_once() {
    let file = |schedule: &str| {
        format!("poly-schedule: 1\nscop: x\nschedule:\ndomain: \"{{ S[i] : 0 <= i <= 9 }}\"\nchild:\n{schedule}")
    };
    let sequence = |first: &str, second: &str| {
        file(&format!("  sequence:\n  - filter: \"{{ S[i] : {first} }}\"\n  - filter: \"{{ S[i] : {second} }}\"\n"))
    };
    assert_eq!(judged(&sequence("i < 5", "i >= 5")), None);
    assert_eq!(judged(&sequence("i < 5", "i >= 6")).as_deref(), Some("it leaves out instances"));
    assert_eq!(judged(&sequence("i < 5", "i >= 4")).as_deref(), Some("it executes instances more than once"));
}

#[test]
fn what_is_wrong_in_a_file_is_said_with_its_line() {
    let error = |text: &str| text.parse::<ScheduleFile>().expect_err("the text is wrong").to_string();
    assert_eq!(error("poly-schedule: 2\n"), "line 1: version 2 is not known, only 1 is");
    assert_eq!(error("poly-schedule: 1\nnonsense: 3\n"), "line 2: 'nonsense' is not known");
    assert_eq!(error("poly-schedule: 1\nscop: x\n"), "line 3: there is no 'schedule:'");
    assert!(error("poly-schedule: 1\ndependence: flow S -> T\n").starts_with("line 2: expected 'kind"));
    let marked = "poly-schedule: 1\nschedule:\ndomain: \"{ S[] }\"\nchild:\n  mark: \"parallel\"\n";
    assert_eq!(error(marked), "line 3: a mark cannot be part of a schedule that is given");
}
