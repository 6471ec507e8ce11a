//! `cargo xtask campaign DIR`: the C and C++ programs of a folder, which nobody wrote for Poly,
//! compiled and run with and without it.
//!
//! # Definitions
//! A program is a file `*.c`, `*.C`, `*.cc` or `*.cpp` that is complete by itself. Flags that
//! change what it means are taken from the directives of gcc's tests in it. It *passes* in a
//! configuration if it compiles without an internal error of Poly's, and prints and returns what it
//! does without Poly with the same flags ([`crate::suite::programs`]). One without `main` is only
//! compiled. One that does not compile
//! without Poly, or ends with a signal or not at all, is *skipped*: it says nothing about Poly. It
//! is *slow* if compiling takes more than twice as long as without Poly, and a second: by the
//! clock, so on a busy machine it may be another's fault.
//!
//! With `--csmith COUNT` the folder is first filled with programs of csmith (Debian's packages
//! `csmith` and `libcsmith-dev`), one for each seed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::build::{self, Profile};
use crate::command;
use crate::llvm::Llvm;
use crate::packages::{self, Purpose};
use crate::progress::Step;
use crate::suite::Tally;
use crate::suite::programs::{Bench, Program, WithoutMain};
use crate::workspace;

/// Options of `cargo xtask campaign`.
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
    /// More flags for the compiler, separated by blanks
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    flags: String,
    /// Which configurations, separated by commas
    #[arg(long, default_value = "default,force", value_delimiter = ',')]
    configurations: Vec<String>,
    /// Let random rewrites take the place of the search; which ones depends on this number
    #[arg(long, value_name = "SEED")]
    rewrites: Option<u64>,
    /// Make so many programs by csmith first
    #[arg(long, default_value = "0")]
    csmith: u64,
    /// The seed of the first one
    #[arg(long, default_value = "1")]
    seed: u64,
    /// A folder; those inside it are looked through as well
    dir: PathBuf,
}

/// csmith needs a moment for a program; some seeds take it very long.
const CSMITH_LIMIT: Duration = Duration::from_secs(30);

/// Runs `cargo xtask campaign`.
pub(crate) fn main(options: &Options) -> Result<ExitCode> {
    packages::require(Purpose::Run, &[options.llvm])?;
    let plugin = match &options.plugin {
        Some(given) => given.clone(),
        None => build::plugin(options.llvm, Profile::Release)?,
    };
    let mut flags: Vec<String> = vec!["-w".to_owned()];
    flags.extend(options.flags.split_whitespace().map(str::to_owned));
    if options.csmith > 0 {
        make_programs(options)?;
        flags.push("-I/usr/include/csmith".to_owned());
    }
    let files = files(&options.dir)?.into_iter();
    let is_wanted =
        |file: &PathBuf| options.filter.as_ref().is_none_or(|part| file.display().to_string().contains(part));
    let programs: Vec<Program> =
        files.filter(is_wanted).enumerate().map(|(number, source)| program(number, source, &flags)).collect();
    let bench = Bench::new(options.llvm, &plugin, &workspace::target().join("campaign"));
    let bench =
        bench.only(&options.configurations)?.with_rewrites(options.rewrites).without_main(WithoutMain::Compiled);
    let step = Step::begin_counted(format!("programs of {}", options.dir.display()), programs.len());
    let verdicts = command::in_parallel(&programs, |program| {
        step.note(&program.source.display().to_string());
        let verdict = bench.test(program);
        if let Ok(verdict) = &verdict
            && !verdict.says_nothing()
        {
            print!("{}", verdict.failures());
        }
        step.advance();
        verdict
    });
    step.end("done");
    let (mut tally, mut skipped, mut changed, mut slow, mut compiled) = (Tally::default(), 0, 0, 0, 0);
    for (verdict, program) in verdicts.into_iter().zip(&programs) {
        let verdict = verdict?;
        if let Some((configuration, without, with)) = verdict.slow {
            slow += 1;
            let (without, with) = (without.as_secs_f64(), with.as_secs_f64());
            println!("slow: {} ({configuration}): {with:.1} s, {without:.1} s without Poly", program.source.display());
        }
        if verdict.says_nothing() {
            skipped += 1;
        } else {
            tally += verdict.tally();
            changed += usize::from(verdict.changed);
            compiled += usize::from(verdict.only_compiled);
        }
    }
    println!(
        "{} programs: Poly changed {changed}, {compiled} have no main and were only compiled, {skipped} fail without Poly and were skipped, {slow} slow to compile",
        programs.len()
    );
    println!("{tally}");
    Ok(if tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn program(number: usize, source: PathBuf, flags: &[String]) -> Program {
    let stem = source.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let mut flags = flags.to_vec();
    flags.extend(source.parent().map(|folder| format!("-I{}", folder.display())));
    let text = fs::read(&source).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    flags.extend(demanded_flags(&text));
    Program { name: format!("{number}-{stem}"), flags, optimized: Vec::new(), joined: Vec::new(), source }
}

/// The flags that directives of gcc's tests (`dg-options "..."`, `dg-additional-options "..."`)
/// demand, of those that change what a program means.
fn demanded_flags(text: &str) -> Vec<String> {
    let known = ["-fwrapv", "-fno-strict-aliasing", "-ffast-math", "-funsafe-math-optimizations", "-fgnu89-inline"];
    let known = |flag: &&str| known.contains(flag) || ["-std=", "-D"].iter().any(|start| flag.starts_with(start));
    let directives = text.lines().filter(|line| line.contains("dg-options") || line.contains("dg-additional-options"));
    // Those with a condition are for other processors.
    let quoted = directives.filter(|line| !line.contains("target")).filter_map(|line| line.split('"').nth(1));
    quoted.flat_map(str::split_whitespace).filter(known).map(str::to_owned).collect()
}

/// The programs of a folder and those inside it, in the order of their paths.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        bail!("{} is not a folder", folder.display());
    }
    let mut files = Vec::new();
    let mut todo = vec![folder.to_path_buf()];
    while let Some(folder) = todo.pop() {
        let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() && !path.is_symlink() {
                todo.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| ["c", "C", "cc", "cpp"].iter().any(|known| extension == *known))
            {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Fills the folder with programs of csmith. A seed for which it takes too long has none.
fn make_programs(options: &Options) -> Result<()> {
    fs::create_dir_all(&options.dir).with_context(|| format!("cannot make {}", options.dir.display()))?;
    let seeds: Vec<u64> = (options.seed..options.seed + options.csmith).collect();
    let step = Step::begin_counted("programs of csmith".to_owned(), seeds.len());
    let made = command::in_parallel(&seeds, |seed| -> Result<()> {
        let name = format!("csmith-{seed}.c");
        let file = options.dir.join(&name);
        if !file.exists() {
            let mut csmith = Command::new("csmith");
            // It also writes a file of its own where it runs.
            csmith.current_dir(&options.dir).args(["--seed", &seed.to_string(), "--output", &name]);
            let output = command::capture(&mut csmith, CSMITH_LIMIT)
                .context("csmith cannot be run: install the packages csmith and libcsmith-dev")?;
            if !output.end.success() {
                let _ = fs::remove_file(&file);
            }
        }
        step.advance();
        Ok(())
    });
    step.end("done");
    made.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_that_change_the_meaning_are_taken_from_directives() {
        let text = "/* { dg-do run } */\n/* { dg-options \"-O2 -fwrapv -std=c99 -fdump-tree-vect\" } */\n\
            /* { dg-additional-options \"-DN=3\" } */\n/* { dg-options \"-fno-strict-aliasing\" { target sparc*-*-* } } */\n";
        assert_eq!(demanded_flags(text), ["-fwrapv", "-std=c99", "-DN=3"]);
        assert!(demanded_flags("int main(void) { return 0; }").is_empty());
    }
}
