//! What tests say, and what is different between two runs of them.

use std::collections::BTreeMap;

use super::description::Results;
use crate::command::End;

/// What a run of tests said: how often each of these lines was there.
///
/// A test's name may occur several times, in different folders; so the lines are counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outcome {
    /// State (`PASS`, `FAIL`, ..) and name of each test.
    tests: BTreeMap<(String, String), usize>,
    end: End,
}

impl Outcome {
    /// That of a package without tests.
    pub(super) fn none() -> Outcome {
        Outcome { tests: BTreeMap::new(), end: End::Exit(0) }
    }

    /// Reads what tests printed.
    pub(super) fn read(results: Results, text: &str, end: End) -> Outcome {
        let mut tests = BTreeMap::new();
        let found: Vec<(String, String)> = match results {
            Results::Automake => text.lines().filter_map(automake).collect(),
            Results::Ctest => text.lines().filter_map(ctest).collect(),
            Results::Tap => text.lines().filter_map(tap).collect(),
            Results::Exit => {
                let state = if end.success() { "PASS" } else { "FAIL" };
                vec![(state.to_owned(), "all".to_owned())]
            }
        };
        for test in found {
            *tests.entry(test).or_default() += 1;
        }
        Outcome { tests, end }
    }

    /// How many tests passed.
    pub(super) fn passed(&self) -> usize {
        self.tests.iter().filter(|((state, _), _)| state == "PASS").map(|(_, count)| count).sum()
    }

    /// How many tests there were.
    pub(super) fn total(&self) -> usize {
        self.tests.values().sum()
    }

    /// What is different in another run.
    pub(super) fn differences(&self, other: &Outcome) -> Vec<String> {
        let count = |outcome: &Outcome, test| outcome.tests.get(test).copied().unwrap_or(0);
        let all = self.tests.keys().chain(other.tests.keys().filter(|test| !self.tests.contains_key(*test)));
        let changed = all.filter(|test| count(self, test) != count(other, test));
        let mut texts: Vec<String> = changed
            .map(|test| format!("{} {}: {} times, with Poly {}", test.0, test.1, count(self, test), count(other, test)))
            .collect();
        if self.end != other.end {
            texts.push(format!("the tests: {}, with Poly {}", self.end, other.end));
        }
        texts
    }
}

fn automake(line: &str) -> Option<(String, String)> {
    let (state, name) = line.split_once(": ")?;
    let known = ["PASS", "FAIL", "XPASS", "XFAIL", "SKIP", "ERROR"].contains(&state);
    known.then(|| (state.to_owned(), name.trim().to_owned()))
}

fn ctest(line: &str) -> Option<(String, String)> {
    let (place, rest) = line.trim_start().split_once(" Test ")?;
    let (first, second) = place.split_once('/')?;
    if first.parse::<u32>().is_err() || second.trim().parse::<u32>().is_err() {
        return None;
    }
    let (_, rest) = rest.split_once(": ")?;
    let name = rest.split_whitespace().next()?;
    let state = if rest.contains(" Passed ") {
        "PASS"
    } else if rest.contains("Not Run") || rest.contains("Skipped") {
        "SKIP"
    } else {
        "FAIL"
    };
    Some((state.to_owned(), name.to_owned()))
}

fn tap(line: &str) -> Option<(String, String)> {
    let (state, rest) = match line.strip_prefix("not ok ") {
        Some(rest) => ("FAIL", rest),
        None => ("PASS", line.strip_prefix("ok ")?),
    };
    Some((state.to_owned(), rest.trim().to_owned()))
}

/// The first line in which two texts differ.
pub(super) fn first_difference(without: &str, with: &str) -> String {
    let (mut left, mut right) = (without.lines(), with.lines());
    loop {
        match (left.next(), right.next()) {
            (None, None) => return "the ends of lines are different".to_owned(),
            (left, right) if left == right => (),
            (left, right) => {
                let shown = |line: Option<&str>| line.map_or("nothing".to_owned(), |line| format!("`{}`", line.trim()));
                return format!("printed {}, with Poly {}", shown(left), shown(right));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_automake_are_counted() {
        let text = "PASS: test\nmake: nothing\nPASS: test\nFAIL: other\n# PASS:  2\n";
        let outcome = Outcome::read(Results::Automake, text, End::Exit(2));
        assert_eq!((outcome.passed(), outcome.total()), (2, 3));
        let worse = Outcome::read(Results::Automake, &text.replacen("PASS: test", "FAIL: test", 1), End::Exit(2));
        let differences = outcome.differences(&worse);
        assert_eq!(differences[0], "PASS test: 2 times, with Poly 1");
        assert_eq!(differences.len(), 2);
        assert!(outcome.differences(&outcome).is_empty());
    }

    #[test]
    fn lines_of_ctest_have_names_and_states() {
        let line = " 3/10 Test  #3: foo-bar ..........   Passed    0.01 sec";
        assert_eq!(ctest(line), Some(("PASS".to_owned(), "foo-bar".to_owned())));
        let line = "10/10 Test #10: foo ..........***Exception: SegFault  0.01 sec";
        assert_eq!(ctest(line), Some(("FAIL".to_owned(), "foo".to_owned())));
        assert_eq!(ctest("      Start  3: foo"), None);
    }

    #[test]
    fn lines_of_tap_may_be_negated() {
        assert_eq!(tap("not ok 3 - x"), Some(("FAIL".to_owned(), "3 - x".to_owned())));
        assert_eq!(tap("ok 3"), Some(("PASS".to_owned(), "3".to_owned())));
        assert_eq!(tap("okay"), None);
    }

    #[test]
    fn an_exit_status_counts_as_one_test() {
        let outcome = Outcome::read(Results::Exit, "", End::Exit(0));
        let crash = Outcome::read(Results::Exit, "", End::Signal(11));
        assert_eq!((outcome.passed(), crash.passed(), crash.total()), (1, 0, 1));
        assert_eq!(outcome.differences(&crash).len(), 3);
    }

    #[test]
    fn the_first_line_that_differs_is_shown() {
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), "printed `b`, with Poly `c`");
        assert_eq!(first_difference("a\n", ""), "printed `a`, with Poly nothing");
    }
}
