//! The tests of the Python package: its wheel is built and installed, and used beside islpy.

use std::process::Command;

use anyhow::Result;

use super::Tally;
use crate::build::Profile;
use crate::command;
use crate::progress::Step;
use crate::wheel;
use crate::workspace;

/// What results are compared with.
const ISLPY: &str = "islpy==2026.2.2";

/// How much of the output of failed tests is shown.
const SHOWN_LINES: usize = 60;

/// Runs the tests of the package.
pub(crate) fn run() -> Result<Tally> {
    let installed = wheel::wheel(Profile::Debug).and_then(|wheel| {
        let environment = wheel::environment("tests", &[ISLPY])?;
        wheel::install(&wheel, &environment).map(|()| environment)
    });
    let environment = match installed {
        Ok(environment) => environment,
        Err(error) => {
            println!("FAILED: {error:#}");
            return Ok(Tally::one(false));
        }
    };
    let step = Step::begin("Python tests");
    let mut command = Command::new(environment.join("bin/python"));
    command.args(["-I", "-B", "-W", "error", "-m", "unittest", "discover", "--start-directory", "crates/python/tests"]);
    command.current_dir(workspace::root());
    let mut log = String::new();
    let end = command::stream(&mut command, |line| {
        step.note(line);
        log.push_str(line);
        log.push('\n');
    })?;
    let mut tally = tally(&log);
    if !end.success() && tally.failed == 0 {
        // A crash counts none of the tests.
        tally += Tally::one(false);
    }
    step.end(&tally.to_string());
    if tally.failed > 0 {
        println!("FAILED: Python tests:\n{}", first_failures(&log));
    }
    Ok(tally)
}

/// What the last lines of unittest's output say.
fn tally(log: &str) -> Tally {
    let count = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0);
    let ran: usize = log.lines().filter_map(|line| line.strip_prefix("Ran ")).map(count).sum();
    let verdict = log.lines().rev().find(|line| line.starts_with("FAILED (")).unwrap_or_default();
    let of = |name: &str| verdict.split_once(name).map_or(0, |(_, rest)| count(rest));
    let failed: usize = of("failures=") + of("errors=");
    Tally { passed: ran.saturating_sub(failed), failed }
}

/// The output from the first test that failed on.
fn first_failures(log: &str) -> String {
    let from = log.find("\n=====").map_or(log, |at| &log[at..]);
    let lines: Vec<String> = from.lines().take(SHOWN_LINES).map(|line| format!("    {line}")).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_counted_and_failures_shown() {
        let good = "......\n----\nRan 6 tests in 0.312s\n\nOK (skipped=1)\n";
        assert_eq!(tally(good), Tally { passed: 6, failed: 0 });
        let bad =
            "..F.E\n======\nFAIL: test_a\nTraceback\n----\nRan 5 tests in 1.0s\n\nFAILED (failures=1, errors=1)\n";
        assert_eq!(tally(bad), Tally { passed: 3, failed: 2 });
        assert!(first_failures(bad).starts_with("    \n    ======\n    FAIL: test_a"));
    }
}
