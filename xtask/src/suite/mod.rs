//! `cargo xtask test`: every test there is, and one line with the sum.
//!
//! Five kinds, each in a module of its own: [`cargo`] runs the Rust tests and, where nobody is
//! waiting, the checks of style; [`python`] those of the Python package; [`lit`] the pass tests and
//! [`programs`] the end-to-end programs, both for each LLVM version with the plugin built for it,
//! and so do programs made by [`crate::fuzz`]. A kind that cannot even start (something does not
//! compile) counts as one failed test, and the others still run.

mod cargo;
mod lit;
pub(crate) mod programs;
mod python;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use clap::ValueEnum;

use crate::build::{self, Profile};
use crate::fuzz;
use crate::llvm::Llvm;
use crate::packages::{self, Purpose};
use crate::progress::Step;
use crate::workspace;
use programs::Bench;

/// Options of `cargo xtask test`.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Only with this LLVM version, and programs in all configurations
    #[arg(long)]
    llvm: Option<Llvm>,
    /// Only these kinds of tests
    #[arg(long, value_delimiter = ',')]
    only: Vec<Part>,
    /// Only lit tests and programs with this in their names
    #[arg(long)]
    filter: Option<String>,
    /// Programs with random rewrites in place of the search; which ones depends on this number
    #[arg(long, value_name = "SEED")]
    rewrites: Option<u64>,
    /// Also check the style (rustfmt, clippy, warnings), as when the variable CI is `true`
    #[arg(long)]
    ci: bool,
    /// Use the plugin with debug assertions
    #[arg(long)]
    debug: bool,
    /// Use this plugin instead of building one; needs --llvm
    #[arg(long, requires = "llvm")]
    plugin: Option<PathBuf>,
}

/// A kind of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// rustfmt and clippy
    Style,
    /// The Rust tests
    Cargo,
    /// The tests of the Python package
    Python,
    /// The pass tests
    Lit,
    /// The programs that are compiled and run
    Programs,
    /// The same with programs made at random, always the same ones
    Generated,
}

/// How many generated programs belong to the tests.
const GENERATED: u64 = 50;

/// How many of those with all that makes loops hard; each has several functions.
const TRAPS: u64 = 12;

/// How many tests passed and failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
}

impl Tally {
    /// One test.
    pub(crate) fn one(passed: bool) -> Tally {
        Tally { passed: usize::from(passed), failed: usize::from(!passed) }
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// Runs `cargo xtask test`.
pub(crate) fn main(options: &Options) -> Result<ExitCode> {
    let versions = options.llvm.map_or_else(|| Llvm::TESTED.to_vec(), |llvm| vec![llvm]);
    packages::require(Purpose::Test, &versions)?;
    let in_ci = options.ci || std::env::var_os("CI").is_some_and(|value| value == "true");
    let wanted = |part: Part| {
        let by_default = part != Part::Style || in_ci;
        if options.only.is_empty() { by_default } else { options.only.contains(&part) }
    };

    let mut sum = Tally::default();
    if wanted(Part::Style) {
        sum += cargo::style(&versions)?;
    }
    if wanted(Part::Cargo) {
        sum += cargo::tests(&versions)?;
    }
    if wanted(Part::Python) && options.filter.is_none() {
        sum += python::run()?;
    }
    let need_plugin = [Part::Lit, Part::Programs, Part::Generated];
    if need_plugin.into_iter().any(wanted) {
        for (place, &llvm) in versions.iter().enumerate() {
            let Some(plugin) = plugin(options, llvm) else {
                sum += Tally::one(false);
                continue;
            };
            if wanted(Part::Lit) {
                sum += lit::run(llvm, &plugin, options.filter.as_deref())?;
            }
            if wanted(Part::Programs) {
                let bench = bench("programs", (place, llvm), &plugin)?.0.with_rewrites(options.rewrites);
                sum += programs::run(&bench, options.filter.as_deref())?;
            }
            if wanted(Part::Generated) && options.filter.is_none() {
                sum += generated((place, llvm), &plugin)?;
            }
        }
    }
    println!("{sum}");
    Ok(if sum.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What programs are tested with, and its folder: all configurations with the first version, with
/// others those in which a version may make a difference.
fn bench(name: &str, (place, llvm): (usize, Llvm), plugin: &Path) -> Result<(Bench, PathBuf)> {
    let folder = workspace::target().join(format!("{name}-llvm{llvm}"));
    let bench = Bench::new(llvm, plugin, &folder);
    Ok((if place == 0 { bench } else { bench.only(&programs::WITH_EACH_VERSION)? }, folder))
}

fn generated((place, llvm): (usize, Llvm), plugin: &Path) -> Result<Tally> {
    let (bench, folder) = bench("generated", (place, llvm), plugin)?;
    let seeds: Vec<u64> = (1..=GENERATED).collect();
    let step = Step::begin_counted(format!("generated programs, LLVM {llvm}"), seeds.len());
    let outcome = fuzz::test_seeds::<fuzz::Affine>(&bench, &folder, &seeds, 3, &step)?;
    step.end(&outcome.shown());
    let seeds: Vec<u64> = (1..=TRAPS).collect();
    let step = Step::begin_counted(format!("generated programs with traps, LLVM {llvm}"), seeds.len());
    let traps = fuzz::test_seeds::<fuzz::Traps>(&bench, &folder, &seeds, 3, &step)?;
    step.end(&traps.shown());
    let mut tally = outcome.tally;
    tally += traps.tally;
    Ok(tally)
}

/// The plugin to test; says why there is none.
fn plugin(options: &Options, llvm: Llvm) -> Option<PathBuf> {
    if let Some(given) = &options.plugin {
        return Some(given.clone());
    }
    let profile = if options.debug { Profile::Debug } else { Profile::Release };
    match build::plugin(llvm, profile) {
        Ok(library) => Some(library),
        Err(error) => {
            println!("FAILED: {error:#}");
            None
        }
    }
}
