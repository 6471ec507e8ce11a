//! The pass tests: text files with commands and what FileCheck must find in their output.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::Tally;
use crate::build;
use crate::command;
use crate::llvm::{self, Llvm};
use crate::progress::Step;
use crate::workspace;

/// How much of a failed test's output is shown.
const SHOWN_LINES: usize = 40;

/// Runs the pass tests with one LLVM version and the plugin built for it.
pub(crate) fn run(llvm: Llvm, plugin: &Path, filter: Option<&str>) -> Result<Tally> {
    let polycc = build::program("polycc")?;
    let poly = build::program("poly")?;
    let step = Step::begin(format!("pass tests, LLVM {llvm}"));
    let lit = llvm::lit().context("lit is missing: install llvm-19-tools")?;
    let mut command = Command::new("python3");
    command.arg(lit).arg("-v").arg(workspace::root().join("test"));
    for (name, value) in [
        ("llvm", llvm.prefix().display().to_string()),
        ("llvm_version", llvm.to_string()),
        ("plugin", plugin.display().to_string()),
        ("polycc", polycc.display().to_string()),
        ("poly", poly.display().to_string()),
        ("exec_root", workspace::target().join(format!("lit-llvm{llvm}")).display().to_string()),
    ] {
        command.arg(format!("-D{name}={value}"));
    }
    if let Some(filter) = filter {
        command.args(["--filter", filter, "--allow-empty-runs"]);
    }
    command.env_remove("FILECHECK_OPTS").env_remove("LIT_OPTS");

    let mut report = Report::default();
    let end = command::stream(&mut command, |line| {
        step.note(line);
        report.line(line);
    })?;
    let mut tally = report.tally;
    if !end.success() && tally.failed == 0 {
        // lit itself could not run: its configuration is wrong, or it found no test.
        tally += Tally::one(false);
        println!("FAILED: lit for LLVM {llvm}:\n{}", command::excerpt(&report.other, 12));
    }
    step.end(&tally.to_string());
    print!("{}", report.failures);
    Ok(tally)
}

/// What lit's output says.
#[derive(Debug, Default)]
struct Report {
    tally: Tally,
    /// The output of failed tests, shortened.
    failures: String,
    /// Lines that belong to no test.
    other: String,
    /// Lines of the failed test whose output is being read.
    in_failure: Option<usize>,
}

impl Report {
    fn line(&mut self, line: &str) {
        if let Some((result, test)) = line.split_once(": ").filter(|(_, test)| test.starts_with("poly :: ")) {
            self.in_failure = None;
            match result {
                "PASS" | "XFAIL" | "FLAKYPASS" => self.tally.passed += 1,
                "FAIL" | "XPASS" | "UNRESOLVED" | "TIMEOUT" => {
                    self.tally.failed += 1;
                    self.failures.push_str(&format!("FAILED: {test}\n"));
                }
                _ => {} // UNSUPPORTED, EXCLUDED, SKIPPED: neither
            }
        } else if line.starts_with("******************** TEST '") {
            self.in_failure = Some(0);
        } else if line.starts_with("****") {
            self.in_failure = None;
        } else if let Some(lines) = &mut self.in_failure {
            *lines += 1;
            if *lines <= SHOWN_LINES {
                self.failures.push_str(&format!("    {line}\n"));
            } else if *lines == SHOWN_LINES + 1 {
                self.failures.push_str("    ...\n");
            }
        } else {
            self.other.push_str(line);
            self.other.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_counted_and_failures_shown() {
        let output = "\
-- Testing: 4 tests, 2 workers --
PASS: poly :: plugin/load.ll (1 of 4)
FAIL: poly :: ast/loop.ll (2 of 4)
******************** TEST 'poly :: ast/loop.ll' FAILED ********************
Exit Code: 1
********************
UNSUPPORTED: poly :: plugin/omp.ll (3 of 4)
XFAIL: poly :: plugin/later.ll (4 of 4)
";
        let mut report = Report::default();
        output.lines().for_each(|line| report.line(line));
        assert_eq!(report.tally, Tally { passed: 2, failed: 1 });
        assert_eq!(report.failures, "FAILED: poly :: ast/loop.ll (2 of 4)\n    Exit Code: 1\n");
    }
}
