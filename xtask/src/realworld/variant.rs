//! A package built with Poly or without, its tests, and its benchmark.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::description::Package;
use super::outcome::Outcome;
use super::wrapper::{self, Compiled};
use crate::command::{self, End, Output};
use crate::llvm::Llvm;
use crate::progress::Step;

/// A script takes at most this long.
const LIMIT: Duration = Duration::from_secs(7200);

/// With Poly or without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// clang alone.
    Without,
    /// Poly is switched on for every file.
    With,
}

impl Kind {
    /// The name of its folder.
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Without => "without",
            Kind::With => "with",
        }
    }
}

/// How one variant of a package is built.
#[derive(Debug)]
pub(super) struct Setting<'a> {
    pub(super) package: &'a Package,
    pub(super) kind: Kind,
    /// The unpacked source, which stays as it is.
    pub(super) source: &'a Path,
    /// Where logs go, and the copy of the source that is built.
    pub(super) folder: PathBuf,
    pub(super) plugin: &'a Path,
    pub(super) llvm: Llvm,
    pub(super) flags: String,
    /// The value of POLY_OPTS.
    pub(super) options: &'a str,
    pub(super) jobs: usize,
}

/// A variant that was built, and what its tests said.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) compiled: Compiled,
    /// Bytes of code in all object files.
    pub(super) code: u64,
    pub(super) outcome: Outcome,
    /// Processor time of the tests.
    pub(super) test_seconds: f64,
    /// What must be the same.
    pub(super) printed: String,
}

/// What a script printed, and how long it took.
#[derive(Debug)]
struct Ran {
    output: Output,
    seconds: f64,
}

impl Setting<'_> {
    /// The copy of the source that is built.
    fn place(&self) -> PathBuf {
        self.folder.join("build")
    }

    fn log(&self) -> PathBuf {
        self.folder.join("log")
    }

    /// What a build depends on, apart from Poly.
    fn stamp(&self) -> String {
        let Package { configure, build, .. } = self.package;
        format!("{} {}\n{configure}\n{build}\n", self.llvm, self.flags)
    }

    /// A build of an earlier run with the same flags; its tests run again.
    pub(super) fn kept(&self) -> Option<Built> {
        let stamp = fs::read_to_string(self.folder.join("stamp")).ok()?;
        if stamp != self.stamp() {
            return None;
        }
        self.examined().ok()
    }

    /// Builds it anew and runs its tests.
    pub(super) fn build(&self) -> Result<Built> {
        let step = Step::begin(format!("{} {} Poly", self.package.name, self.kind.name()));
        let made = self.make();
        step.end(if made.is_ok() { "built" } else { "failed" });
        made?;
        fs::write(self.folder.join("stamp"), self.stamp()).context("cannot write a stamp")?;
        self.examined()
    }

    fn make(&self) -> Result<()> {
        let _ = fs::remove_dir_all(&self.folder);
        fs::create_dir_all(self.log()).with_context(|| format!("cannot make {}", self.folder.display()))?;
        let mut copy = Command::new("cp");
        copy.arg("-a").arg(self.source).arg(self.place());
        if !command::capture(&mut copy, LIMIT)?.end.success() {
            bail!("the source cannot be copied");
        }
        let plugin = (self.kind == Kind::With).then_some(self.plugin);
        let bin = self.folder.join("bin");
        fs::create_dir_all(&bin).with_context(|| format!("cannot make {}", bin.display()))?;
        let fortran = ["flang-new", "flang"].map(|name| self.llvm.tool(name)).into_iter().find(|tool| tool.exists());
        wrapper::write(&bin.join("clang"), &self.llvm.tool("clang"), plugin)?;
        wrapper::write(&bin.join("clang++"), &self.llvm.tool("clang++"), plugin)?;
        if let Some(fortran) = fortran {
            wrapper::write(&bin.join("flang"), &fortran, plugin)?;
        }
        for (name, script) in [("configure", &self.package.configure), ("build", &self.package.build)] {
            let ran = self.script(name, &format!("set -e -o pipefail\n{script}"))?;
            if !ran.output.end.success() {
                let text = ran.output.text();
                bail!("{name}: {}: {}", ran.output.end, command::excerpt(&text, 4).trim());
            }
        }
        Ok(())
    }

    /// Runs the tests and collects what the build left.
    fn examined(&self) -> Result<Built> {
        let step = Step::begin(format!("{} {} Poly: tests", self.package.name, self.kind.name()));
        let test = self.script("test", &self.package.test)?;
        let outcome = match self.package.test.as_str() {
            "" => Outcome::none(),
            _ => Outcome::read(self.package.results, &test.output.text(), test.output.end),
        };
        let compare = self.script("compare", &format!("set -e -o pipefail\n{}", self.package.compare))?;
        if !compare.output.end.success() && self.kind == Kind::Without {
            let text = command::excerpt(&compare.output.text(), 3);
            bail!("what is to be compared: {}: {}", compare.output.end, text.trim());
        }
        step.end(&format!("{} of {} passed", outcome.passed(), outcome.total()));
        let mut printed = String::from_utf8_lossy(&compare.output.stdout).into_owned();
        if compare.output.end != End::Exit(0) {
            printed += &format!("{}\n", compare.output.end);
        }
        let compiled = wrapper::read(&self.log(), &self.place())?;
        Ok(Built { compiled, code: self.code()?, outcome, test_seconds: test.seconds, printed })
    }

    /// Runs a script of the package, and keeps what it prints in a file.
    fn script(&self, name: &str, script: &str) -> Result<Ran> {
        let times = self.folder.join(format!("{name}.time"));
        // Bash's own `time` counts all that the script waits for.
        let outer = format!("TIMEFORMAT='%U %S'; {{ time bash -c \"$0\" 2>&3; }} 3>&2 2>{}", quoted_path(&times));
        let mut command = Command::new("bash");
        command.args(["-c", &outer, script]).current_dir(self.place());
        self.environment(&mut command, name);
        let output = command::capture(&mut command, LIMIT)?;
        let file = self.folder.join(format!("{name}.log"));
        fs::write(&file, output.text()).with_context(|| format!("cannot write {}", file.display()))?;
        let text = fs::read_to_string(&times).unwrap_or_default();
        let seconds = text.split_whitespace().filter_map(|word| word.parse::<f64>().ok()).sum();
        Ok(Ran { output, seconds })
    }

    fn environment(&self, command: &mut Command, phase: &str) {
        let bin = self.folder.join("bin");
        command.env("CC", bin.join("clang")).env("CXX", bin.join("clang++")).env("FC", bin.join("flang"));
        for name in ["CFLAGS", "CXXFLAGS", "FFLAGS", "FCFLAGS"] {
            command.env(name, &self.flags);
        }
        command.env("JOBS", self.jobs.to_string()).env("LC_ALL", "C.UTF-8").env("POLY_OPTS", self.options);
        if phase == "build" {
            command.env("REALWORLD_LOG", self.log());
        }
    }

    /// Bytes in sections of code of all object files.
    fn code(&self) -> Result<u64> {
        let size = self.llvm.tool("llvm-size");
        let script = format!("find . -name '*.o' -type f -print0 | xargs -0 -r {} -A", quoted_path(&size));
        let mut command = Command::new("bash");
        command.args(["-c", &script]).current_dir(self.place());
        let output = command::capture(&mut command, LIMIT)?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let code = text.lines().filter(|line| line.starts_with(".text"));
        Ok(code.filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).sum())
    }
}

fn quoted_path(path: &Path) -> String {
    command::quoted(&path.display().to_string())
}

/// Least processor time of the benchmark without and with Poly.
pub(super) fn benchmark(
    without: &Setting<'_>,
    with: &Setting<'_>,
    pairs: usize,
    runner: &str,
) -> Result<Option<(f64, f64)>> {
    let script = &without.package.benchmark;
    if script.is_empty() || pairs == 0 {
        return Ok(None);
    }
    let step = Step::begin(format!("{}: benchmark", without.package.name));
    let script = format!("set -e -o pipefail\n{script}");
    let script = if runner.is_empty() { script } else { format!("{runner} bash -c {}", command::quoted(&script)) };
    let mut least = (f64::INFINITY, f64::INFINITY);
    for _ in 0..pairs {
        for (setting, least) in [(without, &mut least.0), (with, &mut least.1)] {
            let ran = setting.script("benchmark", &script)?;
            if !ran.output.end.success() {
                step.end("failed");
                eprintln!("{}: {}", setting.kind.name(), command::excerpt(&ran.output.text(), 3).trim());
                return Ok(None);
            }
            *least = least.min(ran.seconds);
        }
    }
    step.end(&format!("{:.2} s, with Poly {:.2} s", least.0, least.1));
    Ok(Some(least))
}
