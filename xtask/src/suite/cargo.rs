//! The Rust tests, and the checks of style that CI makes.

use std::fs;
use std::process::Command;

use anyhow::Result;

use super::Tally;
use crate::command;
use crate::llvm::Llvm;
use crate::packages;
use crate::progress::Step;
use crate::workspace;

/// The crates that link LLVM and their folders; they are checked once for each version.
const LLVM_CRATES: [(&str, &str); 4] = [
    ("poly-shim", "llvm-plugin/shim"),
    ("poly-scop-detect", "crates/scop-detect"),
    ("poly-irgen", "crates/irgen"),
    ("poly-plugin", "llvm-plugin"),
];

/// The crates that are libraries for others: they can be packaged.
const PACKAGES: [&str; 9] =
    ["arith", "linalg", "presburger", "counting", "schedule-tree", "dependence", "checker", "scheduler", "ast-build"];

/// Those whose own tests need nothing that brings GMP.
const WITHOUT_GMP: [&str; 8] =
    ["arith", "linalg", "presburger", "schedule-tree", "dependence", "checker", "scheduler", "ast-build"];

/// Big integers in Rust in the place of GMP.
const PURE: [&str; 3] = ["--no-default-features", "--features", "pure"];

/// How much of a failed test's output is shown.
const SHOWN_LINES: usize = 30;

/// Runs every Rust test: those of the crates that do not link LLVM, those of the libraries without
/// GMP, then the others with each version.
pub(crate) fn tests(versions: &[Llvm]) -> Result<Tally> {
    let mut tally = test("Rust tests", &[])?;
    tally += test("integers in Rust beside GMP's", &["--package", "poly-arith", "--features", "pure"])?;
    let libraries = packages_of(&WITHOUT_GMP);
    let selection: Vec<&str> = PURE.into_iter().chain(["--lib"]).chain(libraries.iter().map(String::as_str)).collect();
    tally += test("Rust tests without GMP", &selection)?;
    for &llvm in versions {
        // A test program is no plugin: nobody but itself brings LLVM. Crates that have such tests
        // say so by this feature.
        let feature = format!("{}-link", llvm.feature());
        let crates: Vec<&str> =
            LLVM_CRATES.iter().filter(|(_, folder)| has_feature(folder, &feature)).map(|(name, _)| *name).collect();
        if crates.is_empty() {
            continue;
        }
        let mut selection = vec!["--no-default-features", "--features", &feature];
        selection.extend(crates.iter().flat_map(|name| ["--package", name]));
        tally += test(&format!("Rust tests, LLVM {llvm}"), &selection)?;
    }
    Ok(tally)
}

fn has_feature(folder: &str, feature: &str) -> bool {
    let manifest = fs::read_to_string(workspace::root().join(folder).join("Cargo.toml"));
    let defines = |line: &str| line.split_once('=').is_some_and(|(key, _)| key.trim() == feature);
    manifest.is_ok_and(|text| text.lines().any(defines))
}

/// Compiles and runs the tests of a selection of crates.
fn test(name: &str, selection: &[&str]) -> Result<Tally> {
    let step = Step::begin(format!("compiling {name}"));
    let output = command::logged(&step, cargo(&[&["test", "--no-run"], selection].concat()), |_| ())?;
    if !output.success {
        step.end("failed");
        let log = command::excerpt(&output.log, SHOWN_LINES);
        println!("FAILED: {name} do not compile:\n{log}");
        return Ok(Tally::one(false));
    }
    step.end("done");

    let step = Step::begin(name);
    let mut report = Report::default();
    let command = cargo(&[&["test", "--no-fail-fast"], selection].concat());
    let output = command::logged(&step, command, |line| report.line(line))?;
    if !output.success && report.tally.failed == 0 {
        // A test program that crashed counts none of its tests.
        report.tally += Tally::one(false);
        let log = command::excerpt(&output.log, SHOWN_LINES);
        report.failures.push_str(&format!("FAILED: {name}:\n{log}\n"));
    }
    step.end(&report.tally.to_string());
    print!("{}", report.failures);
    Ok(report.tally)
}

/// Checks formatting, clippy's lints and that there is no warning, and that libraries can be
/// packaged; each check is one test.
pub(crate) fn style(versions: &[Llvm]) -> Result<Tally> {
    packages::require_rust_components()?;
    let mut tally = check("rustfmt", cargo(&["fmt", "--all", "--check"]))?;
    tally += check("clippy", deny_warnings(cargo(&["clippy", "--all-targets"])))?;
    for &llvm in versions {
        let feature = llvm.feature();
        let mut command = cargo(&["clippy", "--no-default-features", "--features", &feature]);
        command.args(LLVM_CRATES.iter().flat_map(|(name, _)| ["--package", name]));
        tally += check(&format!("clippy, LLVM {llvm}"), deny_warnings(command))?;
    }
    let mut command = cargo(&[&["clippy"], &PURE[..]].concat());
    command.args(packages_of(&PACKAGES));
    tally += check("clippy without GMP", deny_warnings(command))?;
    tally += check("packages", packaging())?;
    Ok(tally)
}

/// Makes the packages of the libraries, without a build and without the registry.
fn packaging() -> Command {
    let mut command = cargo(&["package", "--quiet", "--no-verify", "--allow-dirty", "--offline", "--exclude-lockfile"]);
    command.args(packages_of(&PACKAGES));
    command
}

/// The arguments that select crates.
fn packages_of(names: &[&str]) -> Vec<String> {
    names.iter().flat_map(|name| ["--package".to_owned(), format!("poly-{name}")]).collect()
}

fn deny_warnings(mut command: Command) -> Command {
    command.args(["--", "--deny", "warnings"]);
    command
}

fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(packages::cargo());
    command.current_dir(workspace::root()).args(arguments).env("RUST_BACKTRACE", "0");
    command
}

fn check(name: &str, command: Command) -> Result<Tally> {
    let step = Step::begin(name);
    let shown = command::shown(&command);
    let output = command::logged(&step, command, |_| ())?;
    step.end(if output.success { "passed" } else { "failed" });
    if !output.success {
        println!("FAILED: {name} ({shown}):\n{}", first_complaint(&output.log));
    }
    Ok(Tally::one(output.success))
}

/// The lines of a failed check that say what is wrong: rustfmt prints differences, the others
/// errors.
fn first_complaint(log: &str) -> String {
    match log.find("Diff in ") {
        Some(start) => {
            command::excerpt(&log[start..].lines().take(SHOWN_LINES).collect::<Vec<_>>().join("\n"), SHOWN_LINES)
        }
        None => command::excerpt(log, SHOWN_LINES),
    }
}

/// What the output of `cargo test` says.
#[derive(Debug, Default)]
struct Report {
    tally: Tally,
    /// The output of failed tests, shortened.
    failures: String,
    /// Lines of the failed test whose output is being read.
    in_failure: Option<usize>,
}

impl Report {
    fn line(&mut self, line: &str) {
        if let Some(counts) = line.strip_prefix("test result: ") {
            self.in_failure = None;
            self.tally.passed += count(counts, " passed");
            self.tally.failed += count(counts, " failed");
        } else if let Some(test) = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----")) {
            self.in_failure = Some(0);
            self.failures.push_str(&format!("FAILED: {test}\n"));
        } else if line == "failures:" {
            self.in_failure = None;
        } else if let Some(lines) = &mut self.in_failure {
            let note = line.is_empty() || line.starts_with("note: run with `RUST_BACKTRACE");
            if !note && *lines <= SHOWN_LINES {
                *lines += 1;
                self.failures.push_str(&format!("    {}\n", if *lines > SHOWN_LINES { "..." } else { line }));
            }
        }
    }
}

/// The number before `word` in a line like `ok. 3 passed; 0 failed; ...`.
fn count(line: &str, word: &str) -> usize {
    let before = line.split(word).next().unwrap_or_default();
    before.rsplit([' ', ';']).next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_have_what_people_look_for() {
        for name in PACKAGES {
            let folder = workspace::root().join("crates").join(name);
            let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
            for key in
                ["description", "license.workspace", "rust-version.workspace", "readme", "keywords", "categories"]
            {
                assert!(manifest.lines().any(|line| line.starts_with(key)), "{name}: {key}");
            }
            let readme = fs::read_to_string(folder.join("README.md")).unwrap();
            assert!(readme.starts_with(&format!("# poly-{name}\n")) && readme.contains("```rust"), "{name}");
            let library = fs::read_to_string(folder.join("src/lib.rs")).unwrap();
            assert!(library.contains("include_str!(\"../README.md\")"), "{name}: the examples are tests");
            for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
                let text = fs::read_to_string(folder.join(licence)).unwrap();
                assert_eq!(text, fs::read_to_string(workspace::root().join(licence)).unwrap(), "{name}: {licence}");
            }
        }
    }

    #[test]
    fn results_of_all_programs_are_added() {
        let output = "\
running 2 tests
test a ... ok
test b ... FAILED

failures:

---- b stdout ----

thread 'b' panicked at src/lib.rs:1:
assertion failed
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace


failures:
    b

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

running 1 test
test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
";
        let mut report = Report::default();
        output.lines().for_each(|line| report.line(line));
        assert_eq!(report.tally, Tally { passed: 13, failed: 1 });
        assert_eq!(report.failures, "FAILED: b\n    thread 'b' panicked at src/lib.rs:1:\n    assertion failed\n");
    }
}
