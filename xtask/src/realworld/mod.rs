//! `cargo xtask realworld [NAME...]`: packages of Debian, built with and without Poly, with their
//! own tests.
//!
//! # Definitions
//! A *package* is a description in `test/realworld/packages.toml` ([`description`]): where its
//! source is, how it is configured, built, tested, and measured. A *variant* is a copy of the
//! source that is built with clang alone (`without`) or with Poly switched on for every file
//! (`with`), both with the same flags ([`variant`]).
//!
//! A package is *skipped* if its source cannot be had or it does not build without Poly: that says
//! nothing about Poly. It *fails* if it does not build with Poly, if Poly reports an internal
//! error, if a test ends differently ([`outcome`]), or if something that it prints is different.
//! Otherwise it *passes*.
//!
//! # Numbers
//! Times are user and system time of processes, so that what runs beside them counts little. The
//! compiler's is summed over all files ([`wrapper`]). A benchmark is run in pairs, one of each
//! variant after the other, and the least times are compared.

mod description;
mod outcome;
mod page;
mod source;
mod variant;
mod wrapper;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::build::{self, Profile};
use crate::llvm::Llvm;
use crate::packages::{self, Purpose};
use crate::suite::Tally;
use crate::workspace;
use description::Package;
use page::{Row, Verdict};
use variant::{Built, Kind, Setting};

/// Options of `cargo xtask realworld`.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The packages; all of them without a name
    names: Vec<String>,
    /// The LLVM version
    #[arg(long, default_value = "19")]
    llvm: Llvm,
    /// Use this plugin instead of building one
    #[arg(long)]
    plugin: Option<PathBuf>,
    /// Print the packages that are described, and do nothing
    #[arg(long)]
    list: bool,
    /// The folder for sources and builds
    #[arg(long)]
    dir: Option<PathBuf>,
    /// The compiler's flags, for packages that have none of their own
    #[arg(long, default_value = "-O2", allow_hyphen_values = true)]
    flags: String,
    /// The value of POLY_OPTS
    #[arg(long, default_value = "warn-internal")]
    options: String,
    /// How many jobs a build may run side by side; as many as there are cores without a number
    #[arg(long)]
    jobs: Option<usize>,
    /// How often a benchmark is run with and without Poly
    #[arg(long, default_value_t = 5)]
    pairs: usize,
    /// A command that runs benchmarks, such as `taskset -c 1`
    #[arg(long, default_value = "")]
    runner: String,
    /// Keep what an earlier run built without Poly with the same flags
    #[arg(long)]
    reuse: bool,
    /// The page whose table gets the results
    #[arg(long)]
    report: Option<PathBuf>,
}

/// Runs `cargo xtask realworld`.
pub(crate) fn main(options: &Options) -> Result<ExitCode> {
    let described = description::read(&workspace::root().join("test/realworld/packages.toml"))?;
    let wanted = description::chosen(&described, &options.names)?;
    if options.list {
        for package in &wanted {
            println!("{:<16} {}", package.name, package.what);
        }
        return Ok(ExitCode::SUCCESS);
    }
    packages::require(Purpose::Run, &[options.llvm])?;
    packages::require_named(&["dpkg-dev".to_owned()])?;
    let plugin = match &options.plugin {
        Some(given) => given.canonicalize().with_context(|| format!("{} cannot be found", given.display()))?,
        None => build::plugin(options.llvm, Profile::Release)?,
    };
    let folder = options.dir.clone().unwrap_or_else(|| workspace::target().join("realworld"));
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let folder = folder.canonicalize()?;
    let report = options.report.clone().unwrap_or_else(|| workspace::root().join("docs/realworld.md"));
    let names: Vec<&str> = described.iter().map(|package| package.name.as_str()).collect();
    let (mut rows, mut tally) = (Vec::new(), Tally::default());
    for package in wanted {
        let row = run(package, options, &plugin, &folder)?;
        println!("{}", row.line());
        match row.verdict {
            Verdict::Passed => tally.passed += 1,
            Verdict::Failed(_) => tally.failed += 1,
            Verdict::Skipped(_) => (),
        }
        // After each package, so that an interrupted run has its results.
        page::update(&report, &names, &row)?;
        rows.push(row);
    }
    println!("\n{}", page::table(&rows));
    println!("{tally}");
    Ok(if tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Fetches, builds, tests and measures one package.
fn run(package: &Package, options: &Options, plugin: &Path, folder: &Path) -> Result<Row> {
    let mut row = Row::new(&package.name, package.flags.as_deref().unwrap_or(&options.flags));
    if let Err(reason) = packages::require_named(&package.needs) {
        row.verdict = Verdict::Skipped(format!("build dependencies: {reason:#}"));
        return Ok(row);
    }
    let folder = folder.join(&package.name);
    let source = match source::fetch(&package.source, &folder) {
        Ok(source) => source,
        Err(reason) => {
            eprintln!("{}: {reason:#}", package.name);
            row.verdict = Verdict::Skipped("no source".to_owned());
            return Ok(row);
        }
    };
    row.version = source.version.clone();
    let setting = |kind| Setting {
        package,
        kind,
        source: &source.folder,
        folder: folder.join(Kind::name(kind)),
        plugin,
        llvm: options.llvm,
        flags: row.flags.clone(),
        options: &options.options,
        jobs: options.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
    };
    let (without, with) = (setting(Kind::Without), setting(Kind::With));
    let kept = if options.reuse { without.kept() } else { None };
    let plain = match kept.map_or_else(|| without.build(), Ok) {
        Ok(built) => built,
        Err(reason) => {
            row.verdict = Verdict::Skipped(format!("without Poly: {reason:#}"));
            return Ok(row);
        }
    };
    let poly = match with.build() {
        Ok(built) => built,
        Err(reason) => {
            row.verdict = Verdict::Failed(vec![format!("with Poly: {reason:#}")]);
            return Ok(row);
        }
    };
    compare(&mut row, &plain, &poly);
    row.benchmark = variant::benchmark(&without, &with, options.pairs, &options.runner)?;
    Ok(row)
}

/// Fills a row with what two builds have and do.
fn compare(row: &mut Row, plain: &Built, poly: &Built) {
    let mut wrong = plain.outcome.differences(&poly.outcome);
    if plain.printed != poly.printed {
        wrong.push(outcome::first_difference(&plain.printed, &poly.printed));
    }
    wrong.extend(poly.compiled.internal_errors.iter().map(|error| format!("internal error: {error}")));
    row.tests = Some((plain.outcome.passed(), plain.outcome.total(), poly.outcome.passed(), poly.outcome.total()));
    row.loops = Some((poly.compiled.loops, poly.compiled.optimized));
    row.compile = ratio(plain.compiled.seconds, poly.compiled.seconds);
    row.code = ratio(plain.code as f64, poly.code as f64);
    // Shorter ones say nothing.
    row.test_time = ratio(plain.test_seconds, poly.test_seconds).filter(|_| plain.test_seconds >= 1.0);
    row.slow = wrapper::slow(&plain.compiled, &poly.compiled);
    for slow in &row.slow {
        println!("slow to compile: {slow}");
    }
    row.verdict = if wrong.is_empty() { Verdict::Passed } else { Verdict::Failed(wrong) };
}

fn ratio(without: f64, with: f64) -> Option<f64> {
    (without > 0.0 && with > 0.0).then(|| with / without)
}
