//! `cargo xtask bench`: how fast parts of Poly, and the programs that it makes, are beside others.
//!
//! [`polybench`], [`kernels`], [`sparse`] and [`tiles`] measure programs, [`scheduler`] schedules.
//! The rest is `cargo xtask bench core`: the set operations of compilations, in Poly and in libisl.
//!
//! Every kernel of `test/kernels` is compiled with Poly, once for one thread and once parallel,
//! with the log of set operations on; the logs are the traces that the program `poly-bench` runs in
//! both libraries. Further cases are parametric integer programs: hard ones made by `poly-bench`,
//! and those of isl's own tests if a folder with them is given.

pub(crate) mod chart;
mod kernels;
mod markdown;
mod polybench;
mod scheduler;
mod sparse;
mod tiles;

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
use crate::workspace;

/// Options of `cargo xtask bench`.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// The integer core, operation by operation, beside libisl
    Core(Core),
    /// The kernels of PolyBench's list, with Poly and with what else makes loops faster
    Polybench(polybench::Options),
    /// Kernels of many fields, written as people write them, with Poly and other compilers
    Kernels(kernels::Options),
    /// Solvers with sparse matrices, executed again and again, with Poly's inspectors
    Sparse(sparse::Options),
    /// Tile sizes of the model beside random ones, set while the program runs
    Tiles(tiles::Options),
    /// The schedulers of Poly and isl on the dependences of the kernels, and large problems
    Scheduler(scheduler::Options),
}

/// Options of `cargo xtask bench core`.
#[derive(Debug, clap::Args)]
struct Core {
    /// The LLVM version whose clang compiles the kernels
    #[arg(long, default_value = "19")]
    llvm: Llvm,
    /// How often each operation runs in each library
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Only operations whose name contains this
    #[arg(long, default_value = "")]
    class: String,
    /// Print so many of the operations in which most time is lost against isl
    #[arg(long, default_value_t = 0)]
    slowest: usize,
    /// A folder in the layout of isl's `test_inputs`, for its parametric integer programs
    #[arg(long)]
    pip: Option<PathBuf>,
    /// Write the table to this file, in Markdown; Poly's own is docs/benchmarks/core.md
    #[arg(long)]
    report: Option<PathBuf>,
    /// Use these traces instead of compiling the kernels
    #[arg(long)]
    traces: Option<PathBuf>,
    /// Use this plugin instead of building one
    #[arg(long)]
    plugin: Option<PathBuf>,
}

/// Longer than compiling any kernel takes.
const LIMIT: Duration = Duration::from_secs(600);

/// Runs `cargo xtask bench`.
pub(crate) fn main(options: &Options) -> Result<ExitCode> {
    match &options.what {
        What::Core(core) => run_core(core),
        What::Kernels(options) => kernels::main(options),
        What::Polybench(options) => polybench::main(options),
        What::Scheduler(options) => scheduler::main(options),
        What::Sparse(options) => sparse::main(options),
        What::Tiles(options) => tiles::main(options),
    }
}

fn run_core(core: &Core) -> Result<ExitCode> {
    let folder = match &core.traces {
        Some(folder) => folder.canonicalize().with_context(|| format!("{} cannot be found", folder.display()))?,
        None => collect(core)?,
    };
    let mut traces = traces_in(&folder)?;
    if let Some(dir) = &core.pip {
        traces.push(programs(dir, &folder)?);
    }
    if traces.is_empty() {
        bail!("there are no files *.trace in {}", folder.display());
    }
    let program = built_program()?;
    let mut memory = Vec::new();
    for library in ["poly", "isl"] {
        let output = Command::new(&program).args(["--only", library]).args(&traces).output();
        let output = output.with_context(|| format!("{} could not be started", program.display()))?;
        memory.push(String::from_utf8_lossy(&output.stdout).trim().to_owned());
        println!("largest resident set, {library}: {}", memory[memory.len() - 1]);
    }
    let mut command = Command::new(&program);
    command.args(["--check", "--hard", "--rounds", &core.rounds.to_string(), "--class", &core.class]);
    command.args(["--slowest", &core.slowest.to_string()]).args(&traces);
    let Some(file) = &core.report else {
        let status = command.status().with_context(|| format!("{} could not be started", program.display()))?;
        if !status.success() {
            bail!("Poly and isl disagree");
        }
        return Ok(ExitCode::SUCCESS);
    };
    let output = command.arg("--markdown").output();
    let output = output.with_context(|| format!("{} could not be started", program.display()))?;
    if !output.status.success() {
        bail!("Poly and isl disagree: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let table = String::from_utf8_lossy(&output.stdout);
    print!("{table}");
    let text = core_report(core, &memory, &table);
    fs::write(file, text).with_context(|| format!("{} could not be written", file.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// The report on the core: how it was made, memory, times.
fn core_report(core: &Core, memory: &[String], table: &str) -> String {
    let mut command = format!("cargo xtask bench core --rounds {}", core.rounds);
    if core.pip.is_some() {
        command += " --pip DIR";
    }
    format!(
        "# The integer core beside libisl\n\n\
         `{command}`, {}. How it is measured: [performance-core.md](../performance-core.md).\n\n\
         ## Memory\n\n\
         Largest resident set with the traces in memory, and how much of it came with the operations:\n\n\
         | Poly | isl |\n|---|---|\n| {} | {} |\n\n\
         ## Times\n\n\
         isl's time divided by Poly's: above 1, Poly is faster. *Ratio* is that of the sums, *weighted* counts each operation as often as it occurs,\n\
         *geomean* is the geometric mean over the distinct operations, *least ratio* the worst of those that take 20 µs or more in one of both.\n\n\
         {table}",
        polybench::machine::processor(),
        memory[0],
        memory[1],
    )
}

/// Compiles the kernels with the log on; the folder of the logs.
fn collect(core: &Core) -> Result<PathBuf> {
    packages::require(Purpose::Run, &[core.llvm])?;
    let plugin = match &core.plugin {
        Some(given) => given.clone(),
        None => build::plugin(core.llvm, Profile::Release)?,
    };
    let folder = workspace::target().join("bench").join("core");
    fs::create_dir_all(&folder).with_context(|| format!("{} could not be made", folder.display()))?;
    let kernels = workspace::root().join("test").join("kernels");
    let step = Step::begin("the operations that compiling the kernels performs");
    let mut compiled = 0;
    for entry in fs::read_dir(&kernels).with_context(|| format!("{} could not be read", kernels.display()))? {
        let source = entry?.path();
        if source.extension().is_some_and(|extension| extension == "c") {
            for options in ["no-parallel", "parallel"] {
                trace(core.llvm, &plugin, &source, options, &folder)?;
            }
            compiled += 1;
        }
    }
    step.end(&format!("{compiled} kernels"));
    Ok(folder)
}

/// Compiles one kernel and keeps the log.
fn trace(llvm: Llvm, plugin: &Path, source: &Path, options: &str, folder: &Path) -> Result<()> {
    let name = source.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name = format!("{name}-{}", options);
    let mut command = Command::new(llvm.tool("clang"));
    command.arg(format!("-fpass-plugin={}", plugin.display())).args(["-O3", "-march=native", "-c"]).arg(source);
    command.arg("-o").arg(folder.join(format!("{name}.o")));
    command.env("POLY_OPTS", options).env("POLY_LOG", "poly::trace=trace");
    let output = command::capture(&mut command, LIMIT)?;
    if !output.end.success() {
        bail!("{} does not compile: {}", source.display(), command::excerpt(&output.text(), 12));
    }
    let file = folder.join(format!("{name}.trace"));
    fs::write(&file, &output.stderr).with_context(|| format!("{} could not be written", file.display()))
}

fn traces_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("{} could not be read", folder.display()))?;
    let mut traces = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "trace") {
            traces.push(path);
        }
    }
    traces.sort();
    Ok(traces)
}

/// isl's parametric integer programs as a trace.
fn programs(dir: &Path, folder: &Path) -> Result<PathBuf> {
    let dir = dir.canonicalize().with_context(|| format!("{} cannot be found", dir.display()))?;
    let mut command = Command::new(packages::cargo());
    command.current_dir(workspace::root());
    command.args(["run", "--release", "--quiet", "--package", "poly-conformance", "--", "--suite", "pip", "--print"]);
    let output = command.arg(dir).output().context("cargo could not be started")?;
    if !output.status.success() {
        bail!("isl's programs could not be read: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    // Not among the traces that are found in the folder, so that the next run without --pip does
    // not have them.
    let file = folder.join("isl.programs");
    fs::write(&file, output.stdout).with_context(|| format!("{} could not be written", file.display()))?;
    Ok(file)
}

/// Builds the programs of the benchmarks; that of operations.
fn built_program() -> Result<PathBuf> {
    Ok(built()?.join("poly-bench"))
}

/// Builds the programs of the benchmarks; their folder.
fn built() -> Result<PathBuf> {
    packages::require(Purpose::Compare, &[])?;
    let step = Step::begin("the benchmark");
    let mut command = Command::new(packages::cargo());
    command.current_dir(workspace::root()).args(["build", "--release", "--quiet", "--package", "poly-bench"]);
    let output = command::capture(&mut command, LIMIT)?;
    if !output.end.success() {
        step.end("failed");
        bail!("the benchmark could not be built: {}", command::excerpt(&output.text(), 12));
    }
    step.end("built");
    Ok(workspace::target().join("release"))
}
