//! `cargo xtask robustness DIR`: LLVM's whole `-O3` pipeline with the plugin, on every `.ll` file
//! of a folder.
//!
//! # Definitions
//! A file *passes* if `opt -passes='default<O3>'` with the plugin ends well, within the limits of
//! time and memory, with code that LLVM's verifier accepts, and without an internal error of
//! Poly's. A file with which `opt` fails without the plugin as well (it is no complete program, or
//! is meant to be wrong) is *skipped*: it says nothing about Poly.
//!
//! Everything that can be transformed is, whether it pays or not: what is not done cannot go wrong.
//! The kinds of test of LLVM itself are good food for it (`apt-get source llvm-toolchain-19`:
//! `polly/test`, `llvm/test/Transforms`).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::build::{self, Profile};
use crate::command::{self, End, Output};
use crate::llvm::Llvm;
use crate::packages::{self, Purpose};
use crate::progress::Step;
use crate::remarks::{self, Kind};
use crate::suite::Tally;
use crate::workspace;

/// Options of `cargo xtask robustness`.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The LLVM version
    #[arg(long, default_value = "19")]
    llvm: Llvm,
    /// Use this plugin instead of building one
    #[arg(long)]
    plugin: Option<PathBuf>,
    /// Only files with this in their paths
    #[arg(long)]
    filter: Option<String>,
    /// Time limit of one file, in seconds
    #[arg(long, default_value = "60")]
    seconds: u64,
    /// Memory limit of one file, in megabytes
    #[arg(long, default_value = "4096")]
    megabytes: u64,
    /// The value of POLY_OPTS
    #[arg(long, default_value = "force;process-unprofitable;warn-internal")]
    options: String,
    /// A folder; those inside it are looked through as well
    dir: PathBuf,
}

/// What became of one file.
#[derive(Debug)]
enum Verdict {
    /// Everything is as it should be; the numbers of remarks by their names.
    Passed { remarks: BTreeMap<String, usize>, time: Duration },
    /// `opt` cannot process it.
    Skipped,
    /// What is wrong, and the command that shows it.
    Failed { what: String, again: String },
}

/// Runs `cargo xtask robustness`.
pub(crate) fn main(options: &Options) -> Result<ExitCode> {
    packages::require(Purpose::Run, &[options.llvm])?;
    let plugin = match &options.plugin {
        Some(given) => given.clone(),
        None => build::plugin(options.llvm, Profile::Release)?,
    };
    let mut files = Vec::new();
    collect(&options.dir, &mut files)?;
    files.retain(|file| options.filter.as_ref().is_none_or(|part| file.display().to_string().contains(part)));
    files.sort();
    let records = workspace::target().join("robustness");
    fs::create_dir_all(&records).with_context(|| format!("cannot make {}", records.display()))?;
    let numbered: Vec<(usize, PathBuf)> = files.into_iter().enumerate().collect();
    let step = Step::begin_counted(format!("files of {}", options.dir.display()), numbered.len());
    let verdicts = command::in_parallel(&numbered, |(number, file)| {
        step.note(&file.display().to_string());
        let verdict = test(file, &plugin, &records.join(format!("{number}.yaml")), options);
        if let Ok(Verdict::Failed { what, again }) = &verdict {
            println!("FAILED: {}: {what}\n    {again}", file.display());
        }
        step.advance();
        verdict
    });
    step.end("done");
    let mut files = numbered.iter().map(|(_, file)| file);
    let verdicts = verdicts.into_iter().collect::<Result<Vec<Verdict>>>()?;
    let tally = summary(&verdicts, &mut files);
    println!("{tally}");
    Ok(if tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The `.ll` files of a folder and those inside it.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if !folder.is_dir() {
        bail!("{} is not a folder", folder.display());
    }
    let mut todo = vec![folder.to_path_buf()];
    while let Some(folder) = todo.pop() {
        let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() && !path.is_symlink() {
                todo.push(path);
            } else if path.extension().is_some_and(|extension| extension == "ll") {
                files.push(path);
            }
        }
    }
    Ok(())
}

fn test(file: &Path, plugin: &Path, record: &Path, options: &Options) -> Result<Verdict> {
    let _ = fs::remove_file(record);
    let mut with = limited(options);
    with.arg("-load-pass-plugin").arg(plugin).arg(file).env("POLY_OPTS", &options.options);
    with.args(["-pass-remarks-filter=poly".to_owned(), format!("-pass-remarks-output={}", record.display())]);
    let limit = Duration::from_secs(options.seconds);
    let begun = Instant::now();
    let output = command::capture(&mut with, limit)?;
    let time = begun.elapsed();
    let remarks = remarks::read(record);
    let _ = fs::remove_file(record);
    let inside = remarks.iter().find(|remark| remark.name == "InternalError").map(remarks::Remark::message);
    let Some(what) = complaint(&output).or(inside) else {
        let mut names = BTreeMap::new();
        for remark in &remarks {
            let name = if remark.kind == Kind::Passed { "optimized" } else { remark.name.as_str() };
            *names.entry(name.to_owned()).or_insert(0) += 1;
        }
        return Ok(Verdict::Passed { remarks: names, time });
    };
    let mut without = limited(options);
    without.arg(file);
    if complaint(&command::capture(&mut without, limit)?).is_some() {
        return Ok(Verdict::Skipped);
    }
    let again = format!("POLY_OPTS={} {}", command::quoted(&options.options), command::shown(&with));
    Ok(Verdict::Failed { what, again })
}

/// `opt` under a memory limit, without its input.
fn limited(options: &Options) -> Command {
    let mut command = Command::new("/bin/sh");
    let script = format!("ulimit -v {}; exec \"$0\" \"$@\"", options.megabytes * 1024);
    command.env_remove("POLY_OPTS").args(["-c", &script]).arg(options.llvm.tool("opt"));
    command.args(["-passes=default<O3>", "-disable-output"]);
    command
}

/// What is wrong with a run of `opt`.
fn complaint(output: &Output) -> Option<String> {
    if output.end == End::TimeLimit {
        return Some("no end within the time limit".to_owned());
    }
    if !output.end.success() {
        let text = output.error_text();
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        return Some(format!("{}: {first}", output.end));
    }
    output.error_text().lines().find(|line| line.contains("poly: internal error")).map(str::to_owned)
}

/// Prints the counts.
fn summary(verdicts: &[Verdict], files: &mut dyn Iterator<Item = &PathBuf>) -> Tally {
    let mut tally = Tally::default();
    let mut skipped = 0;
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    let mut slowest: Option<(Duration, &PathBuf)> = None;
    for (verdict, file) in verdicts.iter().zip(files) {
        match verdict {
            Verdict::Skipped => skipped += 1,
            Verdict::Failed { .. } => tally += Tally::one(false),
            Verdict::Passed { remarks, time } => {
                tally += Tally::one(true);
                remarks.iter().for_each(|(name, count)| *names.entry(name).or_insert(0) += count);
                if slowest.is_none_or(|(longest, _)| longest < *time) {
                    slowest = Some((*time, file));
                }
            }
        }
    }
    let names: Vec<String> = names.iter().map(|(name, count)| format!("{name} {count}")).collect();
    println!("remarks: {}", names.join(", "));
    if let Some((time, file)) = slowest {
        println!("slowest: {:.1} s, {}", time.as_secs_f64(), file.display());
    }
    println!("{skipped} files skipped: opt fails without Poly, too");
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(end: End, error: &str) -> Output {
        Output { end, stdout: Vec::new(), stderr: error.as_bytes().to_vec() }
    }

    #[test]
    fn crashes_limits_and_internal_errors_are_complaints() {
        assert_eq!(complaint(&output(End::Exit(0), "warning: something")), None);
        assert!(complaint(&output(End::TimeLimit, "")).is_some());
        assert!(complaint(&output(End::Signal(11), "")).unwrap().contains("segmentation fault"));
        assert_eq!(complaint(&output(End::Exit(1), "opt: bad\n")).unwrap(), "exit status 1: opt: bad");
        let inside = "warning: poly: internal error at x; code left as it was";
        assert_eq!(complaint(&output(End::Exit(0), inside)).unwrap(), inside);
    }
}
