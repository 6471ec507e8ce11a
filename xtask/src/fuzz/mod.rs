//! `cargo xtask fuzz`: random inputs, compared with what must come out.
//!
//! `fuzz programs` makes C programs with affine loops ([`generate`]), `fuzz traps` such with all
//! that makes loops hard ([`traps`]). They are compiled in every configuration of the program
//! tests, and what they print with and without Poly is compared. A program that fails is made
//! smaller ([`reduce`]) and kept. `fuzz core` runs random cases of every operation of the integer
//! core against isl, enumeration and algebraic laws; that work is done by the program
//! `poly-fuzz-core`, which links isl, so that this one does not have to.

pub(crate) mod generate;
mod random;
mod reduce;
mod syntax;
mod traps;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::build::{self, Profile};
use crate::command;
use crate::llvm::Llvm;
use crate::packages::{self, Purpose};
use crate::progress::Step;
use crate::suite::Tally;
use crate::suite::programs::{Bench, Program, Verdict};
use crate::workspace;

pub(crate) use syntax::Program as Affine;
pub(crate) use traps::Program as Traps;

/// Options of `cargo xtask fuzz`.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// What to make
    kind: Kind,
    /// How many; 200 programs or 10000 cases by default
    #[arg(long, visible_alias = "cases")]
    count: Option<u64>,
    /// The seed of the first program, the next has the next seed; the seed of all cases
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Of the core: only operations whose name contains this
    #[arg(long, default_value = "")]
    op: String,
    /// Of the core: only the case with this seed
    #[arg(long)]
    case: Option<u64>,
    /// The LLVM version to test with
    #[arg(long, default_value = "19")]
    llvm: Llvm,
    /// Stop after this many failures
    #[arg(long, default_value_t = 5)]
    most_failures: usize,
    /// Only seeds of programs in which loops depend on data
    #[arg(long)]
    irregular: bool,
    /// Only seeds of programs with subscripts from a table, tiles made by hand, or what happens
    /// rarely
    #[arg(long)]
    special: bool,
    /// Let random rewrites take the place of the search; which ones depends on this number
    #[arg(long, value_name = "SEED")]
    rewrites: Option<u64>,
    /// Only print the program of the seed
    #[arg(long)]
    print: bool,
    /// Use the plugin with debug assertions
    #[arg(long)]
    debug: bool,
    /// Use this plugin instead of building one
    #[arg(long)]
    plugin: Option<PathBuf>,
}

/// What can be made at random.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// C programs with affine loops, and some that depend on data
    Programs,
    /// C programs with counters that wrap around, aliases, calls, exits, inline assembly
    Traps,
    /// Sets, relations and functions, for every operation of the integer core
    Core,
}

/// A kind of generated programs.
pub(crate) trait Generated: Sized + Sync {
    /// What the programs must be compiled with.
    const FLAGS: &'static [&'static str];
    /// What their files are called, with the seed behind it.
    const NAME: &'static str;
    /// The program of a seed.
    fn of_seed(seed: u64) -> Self;
    /// The program as C.
    fn text(&self) -> String;
    /// Programs that are a little simpler, the simplest first. Some may not compile.
    fn simpler(&self) -> Vec<Self>;
}

/// How many smaller programs are tried for a failure.
const MOST_TRIALS: usize = 400;

/// How many programs are tested before failures are looked at.
const BATCH: usize = 16;

/// Runs `cargo xtask fuzz`.
pub(crate) fn main(options: &Options) -> Result<ExitCode> {
    if options.kind == Kind::Core {
        return core(options);
    }
    if options.print {
        let text = match options.kind {
            Kind::Traps => Traps::of_seed(options.seed).text(),
            _ => Affine::of_seed(options.seed).text(),
        };
        print!("{text}");
        return Ok(ExitCode::SUCCESS);
    }
    packages::require(Purpose::Run, &[options.llvm])?;
    let profile = if options.debug { Profile::Debug } else { Profile::Release };
    let plugin = match &options.plugin {
        Some(given) => given.clone(),
        None => build::plugin(options.llvm, profile)?,
    };
    let folder = workspace::target().join(format!("fuzz-llvm{}", options.llvm));
    let bench = Bench::new(options.llvm, &plugin, &folder).with_rewrites(options.rewrites);
    let count = options.count.unwrap_or(200);
    let wanted = |seed: &u64| {
        options.kind == Kind::Traps
            || (!options.irregular || generate::is_irregular(*seed))
                && (!options.special || generate::is_special(*seed))
    };
    let seeds: Vec<u64> = (options.seed..).filter(wanted).take(usize::try_from(count).unwrap_or(usize::MAX)).collect();
    let step = Step::begin_counted(format!("generated programs, LLVM {}", options.llvm), seeds.len());
    let outcome = match options.kind {
        Kind::Traps => test_seeds::<Traps>(&bench, &folder, &seeds, options.most_failures, &step)?,
        _ => test_seeds::<Affine>(&bench, &folder, &seeds, options.most_failures, &step)?,
    };
    step.end(&outcome.shown());
    println!("{}", outcome.tally);
    Ok(if outcome.tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Builds and runs `poly-fuzz-core`.
fn core(options: &Options) -> Result<ExitCode> {
    packages::require(Purpose::Compare, &[])?;
    let mut command = Command::new(packages::cargo());
    command.current_dir(workspace::root());
    command.args(["run", "--release", "--quiet", "--package", "poly-oracle", "--bin", "poly-fuzz-core", "--"]);
    command.args(["--cases", &options.count.unwrap_or(10_000).to_string(), "--seed", &options.seed.to_string()]);
    command.args(["--op", &options.op]);
    if let Some(case) = options.case {
        command.args(["--case", &case.to_string()]);
    }
    let status = command.status().context("cargo could not be started")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// What came of some generated programs.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) tally: Tally,
    programs: usize,
    /// How many programs Poly changed in some configuration.
    changed: usize,
}

impl Outcome {
    /// In words.
    pub(crate) fn shown(&self) -> String {
        format!("{}; Poly changed {} of {} programs", self.tally, self.changed, self.programs)
    }
}

/// Tests the programs of some seeds; each configuration of each is one test.
pub(crate) fn test_seeds<G: Generated>(
    bench: &Bench,
    folder: &Path,
    seeds: &[u64],
    most_failures: usize,
    step: &Step,
) -> Result<Outcome> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut outcome = Outcome::default();
    let mut failed_programs = 0;
    for batch in seeds.chunks(BATCH) {
        let verdicts = command::in_parallel(batch, |&seed| {
            let verdict = test_seed::<G>(bench, folder, seed);
            step.advance();
            verdict
        });
        for (&seed, verdict) in batch.iter().zip(verdicts) {
            let verdict = verdict?;
            outcome.programs += 1;
            outcome.changed += usize::from(verdict.changed);
            outcome.tally += verdict.tally();
            if verdict.tally().failed > 0 {
                failed_programs += 1;
            }
            if verdict.tally().failed > 0 && failed_programs <= most_failures {
                report::<G>(bench, folder, seed, &verdict, step)?;
            }
        }
        if failed_programs >= most_failures {
            break;
        }
    }
    Ok(outcome)
}

fn test_seed<G: Generated>(bench: &Bench, folder: &Path, seed: u64) -> Result<Verdict> {
    let name = format!("{}-{seed}", G::NAME);
    let program = written(&G::of_seed(seed), folder, &name)?;
    bench.test(&program)
}

/// Writes a program to a file.
fn written<G: Generated>(program: &G, folder: &Path, name: &str) -> Result<Program> {
    let source = folder.join(format!("{name}.c"));
    fs::write(&source, program.text()).with_context(|| format!("cannot write {}", source.display()))?;
    let flags = G::FLAGS.iter().map(|&flag| flag.to_owned()).collect();
    Ok(Program { name: name.to_owned(), source, flags, optimized: Vec::new(), joined: Vec::new() })
}

/// Makes a failing program smaller and says where it is.
fn report<G: Generated>(bench: &Bench, folder: &Path, seed: u64, verdict: &Verdict, step: &Step) -> Result<()> {
    print!("{}", verdict.failures());
    let Some(configuration) = verdict.first_failure() else {
        return Ok(());
    };
    step.note(&format!("making seed {seed} smaller"));
    let name = format!("{}-{seed}-small", G::NAME);
    let fails = |program: &G| {
        let program = written(program, folder, &name);
        program.and_then(|program| bench.fails(&program, configuration)).unwrap_or(false)
    };
    let small = reduce::reduce(G::of_seed(seed), MOST_TRIALS, fails);
    let small = written(&small, folder, &name)?;
    println!("    made smaller: {}", workspace::shown(&small.source));
    Ok(())
}
