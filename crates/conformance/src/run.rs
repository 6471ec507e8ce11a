//! Running cases one by one, whatever happens in them.
//!
//! Each case runs in a thread of its own: a panic ends the thread and becomes the reason of the
//! failure. The stack is large because deep recursion, unlike a panic, could not be survived.
//! Nothing hangs because every operation of a case draws on the budget that it is given; isl has a
//! limit of the same kind.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic;
use std::thread;

use poly_presburger::Budget;

/// Steps that one case may spend.
const BUDGET: u64 = 100_000_000;

const STACK_BYTES: usize = 1 << 30;

/// A number of Poly's beside isl's, such as loops in generated programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Measure {
    /// What is counted.
    pub(crate) what: &'static str,
    /// In Poly's result.
    pub(crate) ours: usize,
    /// In isl's result.
    pub(crate) theirs: usize,
}

/// What a case that passes says about itself.
pub(crate) type Outcome = Result<Vec<Measure>, String>;

type Body = Box<dyn FnOnce(&mut Budget) -> Outcome + Send>;

/// One file.
pub(crate) struct Case {
    /// The file, relative to the folder.
    pub(crate) name: String,
    body: Body,
}

impl Case {
    /// A case that runs `body`.
    pub(crate) fn new(name: String, body: impl FnOnce(&mut Budget) -> Outcome + Send + 'static) -> Case {
        Case { name, body: Box::new(body) }
    }
}

/// The sentence for a used up budget.
pub(crate) fn stopped(stop: impl std::error::Error) -> String {
    stop.to_string()
}

/// What is printed, and what counts as a failure.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Report {
    /// A line for every file.
    pub(crate) verbose: bool,
    /// A table of the files whose numbers differ from isl's.
    pub(crate) table: bool,
    /// No sum over all files may be greater than isl's.
    pub(crate) bounded: bool,
}

/// Runs the cases, prints a line per failure and the score. True if all passed.
pub(crate) fn run(cases: impl Iterator<Item = Case>, report: Report) -> bool {
    panic::set_hook(Box::new(|_| {}));
    let (mut passed, mut failed) = (0usize, 0usize);
    let mut totals: BTreeMap<&'static str, (usize, usize)> = BTreeMap::new();
    let mut rows: Vec<(String, Vec<Measure>)> = Vec::new();
    for case in cases {
        let name = case.name.clone();
        match outcome(case) {
            Ok(measures) => {
                passed += 1;
                if report.verbose {
                    println!("pass {name}{}", listed(&measures));
                }
                for m in &measures {
                    let total = totals.entry(m.what).or_default();
                    *total = (total.0 + m.ours, total.1 + m.theirs);
                }
                rows.push((name, measures));
            }
            Err(reason) => {
                failed += 1;
                println!("FAIL {name}: {}", one_line(&reason));
            }
        }
    }
    if report.table {
        print!("{}", table(rows));
    }
    for (what, (ours, theirs)) in totals {
        println!("{what}: {ours} (isl: {theirs})");
        if report.bounded && ours > theirs {
            failed += 1;
            println!("FAIL sum of {what}: greater than isl's");
        }
    }
    println!("{passed} passed, {failed} failed");
    failed == 0
}

/// A line for each case whose numbers differ from isl's, those with most in excess first.
fn table(mut rows: Vec<(String, Vec<Measure>)>) -> String {
    let total = |measures: &[Measure], of: fn(&Measure) -> usize| measures.iter().map(of).sum::<usize>();
    rows.retain(|(_, measures)| measures.iter().any(|m| m.ours != m.theirs));
    rows.sort_by_key(|(name, measures)| {
        let (ours, theirs) = (total(measures, |m| m.ours), total(measures, |m| m.theirs));
        (std::cmp::Reverse(ours.saturating_sub(theirs)), theirs.saturating_sub(ours), name.clone())
    });
    rows.iter().map(|(name, measures)| format!("{name}{}\n", listed(measures))).collect()
}

fn outcome(case: Case) -> Outcome {
    let body = case.body;
    let work = move || body(&mut Budget::new(BUDGET));
    let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
    let thread = thread.map_err(|error| format!("no thread could be started: {error}"))?;
    thread.join().unwrap_or_else(|panic| Err(format!("panic: {}", message(&*panic))))
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}

fn listed(measures: &[Measure]) -> String {
    measures.iter().map(|m| format!("  {} {}/{}", m.what, m.ours, m.theirs)).collect()
}

/// The text in one line of bounded length.
fn one_line(text: &str) -> String {
    const LONGEST: usize = 400;
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} ...", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_failure_with_a_reason() {
        let case = Case::new("x".to_owned(), |_| panic!("no {}", "way"));
        assert_eq!(outcome(case), Err("panic: no way".to_owned()));
    }

    #[test]
    fn the_budget_of_a_case_ends() {
        let spend = |budget: &mut Budget| loop {
            budget.spend(1 << 20).map_err(stopped)?;
        };
        let case = Case::new("x".to_owned(), spend);
        assert_eq!(outcome(case), Err("the budget of operations is used up".to_owned()));
    }

    #[test]
    fn the_greatest_excess_comes_first() {
        let row = |name: &str, ours, theirs| (name.to_owned(), vec![Measure { what: "loops", ours, theirs }]);
        let rows = vec![row("a", 1, 4), row("b", 2, 2), row("c", 3, 2), row("d", 1, 2), row("e", 7, 2)];
        assert_eq!(table(rows), "e  loops 7/2\nc  loops 3/2\nd  loops 1/2\na  loops 1/4\n");
    }

    #[test]
    fn sums_can_be_bounded() {
        let case = |ours| Case::new("x".to_owned(), move |_| Ok(vec![Measure { what: "loops", ours, theirs: 2 }]));
        let bounded = Report { bounded: true, ..Report::default() };
        assert!(run([case(3), case(1)].into_iter(), bounded));
        assert!(!run([case(3), case(2)].into_iter(), bounded));
        assert!(run([case(3), case(2)].into_iter(), Report::default()));
    }

    #[test]
    fn reasons_are_short_lines() {
        assert_eq!(one_line("a\n  b"), "a b");
        assert_eq!(one_line(&"x".repeat(500)).len(), 404);
    }
}
