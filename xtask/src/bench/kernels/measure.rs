//! Compiling the file of a field in every configuration, and running its kernels in turn.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::{Options, is_held_out};
use crate::bench::polybench::configuration::{Configuration, Peer};
use crate::command;
use crate::progress::Step;
use crate::remarks::{self, Remark};
use crate::workspace;

/// What is measured, and how.
#[derive(Debug)]
pub(super) struct Bench<'a> {
    pub(super) options: &'a Options,
    pub(super) plugin: &'a Path,
    pub(super) configurations: &'a [Configuration],
}

/// A kernel that was measured.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) field: String,
    pub(super) name: String,
    /// What class of loops it is.
    pub(super) class: String,
    pub(super) held_out: bool,
    /// One for each configuration.
    pub(super) outcomes: Vec<Outcome>,
    /// What Poly said about the kernel's function on one thread.
    pub(super) remarks: Vec<Remark>,
}

/// What came of a kernel in a configuration.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Outcome {
    /// It could not be compiled or run to its end within the limit.
    Failed(&'static str),
    /// The least time of all runs in seconds, and the hash of the results.
    Ran { seconds: f64, hash: String },
}

impl Outcome {
    pub(super) fn seconds(&self) -> Option<f64> {
        match self {
            Self::Ran { seconds, .. } => Some(*seconds),
            Self::Failed(_) => None,
        }
    }

    pub(super) fn hash(&self) -> Option<&str> {
        match self {
            Self::Ran { hash, .. } => Some(hash),
            Self::Failed(_) => None,
        }
    }
}

/// The file of a field, compiled.
struct Field {
    name: String,
    /// One for each configuration; none if it does not compile.
    programs: Vec<Option<PathBuf>>,
    remarks: Vec<Remark>,
}

const COMPILE_LIMIT: Duration = Duration::from_secs(300);
const RUN_LIMIT: Duration = Duration::from_secs(60);

/// The files of `test/fields` that are asked for.
pub(in crate::bench) fn fields(asked: &[String]) -> Result<Vec<PathBuf>> {
    let folder = workspace::root().join("test/fields");
    let mut known = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", workspace::shown(&folder)))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "c" || extension == "cpp") {
            known.push(path);
        }
    }
    known.sort();
    if asked == ["all"] {
        return Ok(known);
    }
    let find = |name: &String| {
        let found = known.iter().find(|path| stem(path) == *name);
        found.cloned().with_context(|| format!("there is no field {name} in test/fields"))
    };
    asked.iter().map(find).collect()
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

impl Bench<'_> {
    /// Measures the kernels of a field.
    pub(super) fn field(&self, source: &Path) -> Result<Vec<Measured>> {
        let field = self.compiled(source)?;
        let Some(Some(plain)) = field.programs.first() else {
            bail!("{} does not compile with clang alone", workspace::shown(source));
        };
        let list = command::capture(Command::new(plain).arg("--list"), RUN_LIMIT)?.text();
        let mut results = Vec::new();
        for line in list.lines() {
            let Some((name, class)) = line.split_once(": ") else { continue };
            let held_out = is_held_out(name);
            if !name.contains(&self.options.filter) || (held_out && self.options.tuning) {
                continue;
            }
            let step = Step::begin(format!("{}, {name}", field.name));
            let outcomes = self.run(&field, name)?;
            step.end(&self.summary(&outcomes));
            let is_own = |remark: &&Remark| is_function(&remark.function, name);
            results.push(Measured {
                field: field.name.clone(),
                name: name.to_owned(),
                class: class.to_owned(),
                held_out,
                outcomes,
                remarks: field.remarks.iter().filter(is_own).cloned().collect(),
            });
        }
        Ok(results)
    }

    fn compiled(&self, source: &Path) -> Result<Field> {
        let name = stem(source);
        let folder = workspace::target().join("fields").join(format!("llvm{}", self.options.llvm));
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let step = Step::begin(format!("compiling {name}"));
        let record = folder.join(format!("{name}.yaml"));
        let _ = fs::remove_file(&record);
        let mut programs = Vec::new();
        for &configuration in self.configurations {
            let program = folder.join(format!("{name}-{}", configuration.name()));
            let mut compile = configuration.compiler(self.options.llvm, self.plugin, &self.options.poly_options);
            compile.arg(format!("-march={}", self.options.march)).arg(source).arg("-o").arg(&program);
            if configuration == (Configuration { peer: Peer::Poly, threads: 1 }) {
                compile.args(remarks::record_arguments(&record));
            }
            compile.args(configuration.libraries(self.plugin)).arg("-lstdc++");
            let output = command::capture(&mut compile, COMPILE_LIMIT)?;
            let is_needed = matches!(configuration.peer, Peer::Clang | Peer::Poly);
            if is_needed && !output.end.success() {
                step.end("failed");
                bail!("{name} does not compile: {}\n{}", output.end, command::excerpt(&output.text(), 12));
            }
            programs.push(output.end.success().then_some(program));
        }
        step.end("done");
        Ok(Field { name, programs, remarks: remarks::read(&record) })
    }

    /// Runs a kernel in all configurations in turn.
    fn run(&self, field: &Field, name: &str) -> Result<Vec<Outcome>> {
        let mut outcomes: Vec<Option<Outcome>> = vec![None; self.configurations.len()];
        for _ in 0..self.options.rounds.max(1) {
            for (place, &configuration) in self.configurations.iter().enumerate() {
                let outcome = match &field.programs[place] {
                    None => Outcome::Failed("does not compile"),
                    Some(program) => execute(program, name, configuration)?,
                };
                outcomes[place] = Some(match (outcomes[place].take(), outcome) {
                    (None, now) => now,
                    (Some(before), now) => better(before, now),
                });
            }
        }
        Ok(outcomes.into_iter().map(|outcome| outcome.unwrap_or(Outcome::Failed("never ran"))).collect())
    }

    fn summary(&self, outcomes: &[Outcome]) -> String {
        let base = outcomes.first().and_then(Outcome::seconds);
        let each =
            self.configurations.iter().zip(outcomes).map(|(configuration, outcome)| match (outcome.seconds(), base) {
                (Some(time), Some(base)) => format!("{} {:.2}x", configuration.name(), base / time),
                _ => format!("{} -", configuration.name()),
            });
        each.skip(1).collect::<Vec<_>>().join(", ")
    }
}

/// Whether a remark's function is the kernel: its name as C or as C++ mangles it.
fn is_function(function: &str, kernel: &str) -> bool {
    let mangled = format!("_Z{}{kernel}", kernel.len());
    function == kernel || function.starts_with(&mangled)
}

/// Of two runs of one program: a failure or another result counts, then the shorter time.
fn better(before: Outcome, now: Outcome) -> Outcome {
    match (&before, &now) {
        (Outcome::Ran { hash: one, .. }, Outcome::Ran { hash: other, .. }) if one != other => {
            Outcome::Failed("results change")
        }
        (Outcome::Ran { seconds: one, .. }, Outcome::Ran { seconds: other, .. }) if other < one => now,
        (Outcome::Ran { .. }, Outcome::Failed(_)) => now,
        _ => before,
    }
}

fn execute(program: &Path, kernel: &str, configuration: Configuration) -> Result<Outcome> {
    let mut command = Command::new(program);
    command.arg(kernel).env("OMP_NUM_THREADS", configuration.threads.to_string());
    let output = command::capture(&mut command, RUN_LIMIT)?;
    if !output.end.success() {
        return Ok(Outcome::Failed("does not end"));
    }
    let text = output.text();
    let words: Vec<&str> = text.split_whitespace().collect();
    let [_, passed, processor, hash] = words[..] else {
        bail!("{} printed `{}`", workspace::shown(program), text.trim());
    };
    let (passed, processor): (f64, f64) = (passed.parse()?, processor.parse()?);
    // Each is at least what the kernel needs: other programs disturb the one, the clock's own cost
    // the other.
    let seconds = if configuration.threads == 1 { passed.min(processor) } else { passed };
    Ok(Outcome::Ran { seconds, hash: hash.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(seconds: f64, hash: &str) -> Outcome {
        Outcome::Ran { seconds, hash: hash.to_owned() }
    }

    #[test]
    fn the_shortest_of_equal_runs_counts() {
        assert_eq!(better(ran(2.0, "a"), ran(1.0, "a")), ran(1.0, "a"));
        assert_eq!(better(ran(2.0, "a"), ran(1.0, "b")), Outcome::Failed("results change"));
        assert_eq!(better(ran(2.0, "a"), Outcome::Failed("does not end")), Outcome::Failed("does not end"));
    }

    #[test]
    fn functions_have_mangled_names() {
        assert!(is_function("chain", "chain") && is_function("_Z5chainRSt6vector", "chain"));
        assert!(!is_function("chained", "chain") && !is_function("_Z7chainedv", "chain"));
    }

    #[test]
    fn about_a_quarter_is_held_out() {
        let names = (0..400).map(|i| format!("kernel{i}"));
        let held_out = names.filter(|name| is_held_out(name)).count();
        assert!((70..=130).contains(&held_out), "{held_out}");
    }
}
