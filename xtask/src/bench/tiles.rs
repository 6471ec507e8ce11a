//! `cargo xtask bench tiles`: tile sizes that the model chooses beside random ones.
//!
//! 1. Each kernel of `test/kernels`, or of files of `test/fields`, is compiled once, with sizes
//!    that the running program reads (`parametric-tiles;force`), and linked with a tuner
//!    (`tiles.c`) that sets them before it begins.
//! 2. It runs with the sizes of the model, and with random ones of fixed seeds; the least time of a
//!    few rounds counts. All programs must print the same bytes.
//! 3. The best of the random ones are measured again, in turn with those of the model: the best of
//!    many times is too good by chance.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::kernels::measure;
use super::markdown::markdown;
use super::polybench::machine;
use crate::build::{self, Profile};
use crate::command;
use crate::llvm::Llvm;
use crate::packages::{self, Purpose};
use crate::progress::Step;
use crate::workspace;

/// Options of `cargo xtask bench tiles`.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// The LLVM version whose clang is used
    #[arg(long, default_value = "19")]
    llvm: Llvm,
    /// The processor that code is generated for
    #[arg(long, default_value = "native")]
    march: String,
    /// Only kernels with this in their names
    #[arg(long, default_value = "")]
    filter: String,
    /// The problem size of the kernels of test/kernels
    #[arg(long, default_value = "MEDIUM")]
    size: String,
    /// Kernels of these fields, by the names of their files in test/fields, and not those of
    /// test/kernels
    #[arg(long, value_delimiter = ',')]
    fields: Vec<String>,
    /// How many random size vectors there are
    #[arg(long, default_value_t = 200)]
    vectors: u64,
    /// How often a program repeats its kernel
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Use this plugin instead of building one
    #[arg(long)]
    plugin: Option<PathBuf>,
    /// The file that the report is written to
    #[arg(long, default_value = "docs/benchmarks/tile-sizes.md")]
    out: PathBuf,
    /// Print the table without writing a report
    #[arg(long)]
    dry: bool,
}

/// Longer than a program takes with any sizes.
const LIMIT: Duration = Duration::from_secs(120);

/// How many of the best random sizes are measured again, and how often.
const FINALISTS: usize = 3;
const FINALS: u32 = 7;

/// The number that leaves the sizes as they are.
const CHOSEN: u64 = 0;

/// What a run of a program said.
struct Run {
    seconds: f64,
    sizes: String,
    count: u64,
    printed: Vec<u8>,
}

/// A program of one kernel.
struct Program {
    path: PathBuf,
    /// The kernel's name, if the program asks for it.
    kernel: Option<String>,
}

/// What is known of a kernel.
struct Measured {
    name: String,
    chosen: Run,
    random: Run,
}

impl Measured {
    /// How much longer the chosen sizes take than the best random ones.
    fn gap(&self) -> f64 {
        self.chosen.seconds / self.random.seconds - 1.0
    }
}

/// Runs `cargo xtask bench tiles`.
pub(super) fn main(options: &Options) -> Result<ExitCode> {
    packages::require(Purpose::Run, &[options.llvm])?;
    let plugin = match &options.plugin {
        Some(given) => given.canonicalize()?,
        None => build::plugin(options.llvm, Profile::Release)?,
    };
    let mut results = Vec::new();
    for (source, kernel) in kernels(options)? {
        let name = kernel.clone().unwrap_or_else(|| name_of(&source));
        let step = Step::begin(&name);
        let measured = measure(options, &plugin, (&source, kernel), name)?;
        step.end(&measured.as_ref().map_or("no tiles".to_owned(), |m| format!("{:+.1}%", 100.0 * m.gap())));
        results.extend(measured);
    }
    if results.is_empty() {
        bail!("no kernel with tiles has \"{}\" in its name", options.filter);
    }
    let table = table(&results);
    println!("\n{table}");
    if !options.dry {
        let file = workspace::root().join(&options.out);
        fs::write(&file, report(options, &table)).with_context(|| format!("cannot write {}", file.display()))?;
        println!("{}", workspace::shown(&file));
    }
    Ok(ExitCode::SUCCESS)
}

fn name_of(source: &Path) -> String {
    source.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The kernels that are asked for: the file, and the name of one of several kernels of a file.
fn kernels(options: &Options) -> Result<Vec<(PathBuf, Option<String>)>> {
    if options.fields.is_empty() {
        return Ok(sources(&options.filter)?.into_iter().map(|source| (source, None)).collect());
    }
    let mut result = Vec::new();
    for source in measure::fields(&options.fields)? {
        let text = fs::read_to_string(&source).with_context(|| format!("cannot read {}", workspace::shown(&source)))?;
        let named = text.lines().filter_map(|line| line.strip_prefix("BENCH(")?.split_once(','));
        let found = named.map(|(kernel, _)| kernel.to_owned()).filter(|kernel| kernel.contains(&options.filter));
        result.extend(found.map(|kernel| (source.clone(), Some(kernel))));
    }
    Ok(result)
}

/// The files of `test/kernels` with this in their names, by name.
fn sources(filter: &str) -> Result<Vec<PathBuf>> {
    let folder = workspace::root().join("test/kernels");
    let mut result = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("{} could not be read", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "c") && name_of(&path).contains(filter) {
            result.push(path);
        }
    }
    result.sort();
    Ok(result)
}

/// The kernel's times; none if it has no tiles.
fn measure(
    options: &Options,
    plugin: &Path,
    (source, kernel): (&Path, Option<String>),
    name: String,
) -> Result<Option<Measured>> {
    let program = Program { path: compile(options, plugin, source, kernel.as_deref())?, kernel };
    let chosen = run(&program, CHOSEN)?;
    if chosen.count == 0 {
        return Ok(None);
    }
    let mut random = Vec::new();
    for seed in 1..=options.vectors {
        random.push((seed, measured_again(&program, seed, &chosen)?.seconds));
    }
    random.sort_by(|a, b| a.1.total_cmp(&b.1));
    random.truncate(FINALISTS);
    let seeds: Vec<u64> = [CHOSEN].into_iter().chain(random.iter().map(|(seed, _)| *seed)).collect();
    let mut best: Vec<Option<Run>> = seeds.iter().map(|_| None).collect();
    for _ in 0..FINALS {
        for (seed, best) in seeds.iter().zip(&mut best) {
            let own = measured_again(&program, *seed, &chosen)?;
            if best.as_ref().is_none_or(|best| own.seconds < best.seconds) {
                *best = Some(own);
            }
        }
    }
    let mut best = best.into_iter().flatten();
    let Some(chosen) = best.next() else { return Ok(None) };
    let random = best.reduce(|best, run| if run.seconds < best.seconds { run } else { best });
    Ok(random.map(|random| Measured { name, chosen, random }))
}

fn measured_again(program: &Program, seed: u64, first: &Run) -> Result<Run> {
    let own = run(program, seed)?;
    if own.printed != first.printed {
        bail!("{} prints something else with the sizes {}", program.path.display(), own.sizes);
    }
    Ok(own)
}

fn compile(options: &Options, plugin: &Path, source: &Path, kernel: Option<&str>) -> Result<PathBuf> {
    let folder = workspace::target().join("bench").join("tiles");
    fs::create_dir_all(&folder).with_context(|| format!("{} could not be made", folder.display()))?;
    let program = folder.join(name_of(source));
    let object = folder.join(name_of(source) + ".o");
    let mut compile = Command::new(options.llvm.tool("clang"));
    compile.arg(format!("-fpass-plugin={}", plugin.display())).args(["-O3", "-c"]).arg(source).arg("-o").arg(&object);
    compile.arg(format!("-march={}", options.march)).arg(format!("-DSIZE={}", options.size));
    let only = kernel.map_or(String::new(), |kernel| format!(";only-func={kernel}"));
    compile.arg(format!("-DROUNDS={}", options.rounds)).env("POLY_OPTS", format!("parametric-tiles;force{only}"));
    let mut link = Command::new(options.llvm.tool("clang"));
    link.arg("-O2").arg("-I").arg(workspace::root().join("include"));
    link.arg(workspace::root().join("xtask/src/bench/tiles.c"))
        .arg(&object)
        .args(["-lm", "-lstdc++", "-o"])
        .arg(&program);
    for mut command in [compile, link] {
        let output = command::capture(&mut command, LIMIT)?;
        if !output.end.success() {
            bail!("{} does not compile: {}", source.display(), command::excerpt(&output.text(), 12));
        }
    }
    Ok(program)
}

fn run(program: &Program, seed: u64) -> Result<Run> {
    let mut command = Command::new(&program.path);
    // As many repetitions as there must be at least.
    command.args(program.kernel.iter()).args(program.kernel.iter().map(|_| "0"));
    let output = command::capture(command.env("POLY_TILES", seed.to_string()), LIMIT)?;
    let said = output.error_text();
    let after =
        |name: &'static str| said.lines().filter_map(move |line| Some(line.strip_prefix(name)?.trim().to_owned()));
    if !output.end.success() {
        bail!("{} ended with {} for {seed}", program.path.display(), output.end);
    }
    // Programs of fields print the kernel's name, two times, and a hash of the results.
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let words: Vec<&str> = if program.kernel.is_some() { text.split_whitespace().collect() } else { Vec::new() };
    // A round that was interrupted has less processor time than time.
    let own = words.iter().skip(1).take(2).map(|word| (*word).to_owned());
    let times = after("seconds:").chain(after("processor seconds:")).chain(own);
    let times = times.filter_map(|text| text.parse::<f64>().ok());
    Ok(Run {
        seconds: times.fold(f64::INFINITY, f64::min).max(1e-9),
        sizes: after("sizes:").next().unwrap_or_default(),
        count: after("number of sizes:").next().and_then(|text| text.parse().ok()).unwrap_or(0),
        printed: words.last().map_or_else(|| output.stdout.clone(), |hash| hash.as_bytes().to_vec()),
    })
}

/// A line for each kernel, and the mean.
fn table(results: &[Measured]) -> String {
    let titles = ["kernel", "chosen, ms", "best random, ms", "gap", "chosen sizes", "best random sizes"];
    let sizes = |run: &Run| run.sizes.trim_end_matches(';').to_owned();
    let mut rows: Vec<Vec<String>> = Vec::new();
    for measured in results {
        let ms = |run: &Run| format!("{:.3}", 1e3 * run.seconds);
        rows.push(vec![
            measured.name.clone(),
            ms(&measured.chosen),
            ms(&measured.random),
            format!("{:+.1}%", 100.0 * measured.gap()),
            sizes(&measured.chosen),
            sizes(&measured.random),
        ]);
    }
    let mean = results.iter().map(|measured| measured.gap().ln_1p()).sum::<f64>() / results.len() as f64;
    let worst = results.iter().map(Measured::gap).fold(f64::NEG_INFINITY, f64::max);
    let summary = [("geometric mean", mean.exp_m1()), ("worst", worst)];
    for (name, gap) in summary {
        let gap = format!("{:+.1}%", 100.0 * gap);
        rows.push(vec![name.to_owned(), String::new(), String::new(), gap, String::new(), String::new()]);
    }
    markdown(&titles.map(str::to_owned), &rows)
}

fn report(options: &Options, table: &str) -> String {
    format!(
        "# Tile sizes of the model beside random ones\n\n\
         `cargo xtask bench tiles --size {} --vectors {}`, {}, one thread.\n\n\
         Every kernel is compiled once, with tiles whose sizes the running program reads\n\
         ([tile-sizes.md](../tile-sizes.md)). *Chosen* are the sizes that the model gives them at first, *random* the\n\
         best of {} vectors of a fixed seed, between 2 and 1024 by logarithm. Times are the least of {} rounds in {FINALS}\n\
         runs; the gap is how much longer the chosen sizes take. Kernels without such tiles have no line. Sizes of one\n\
         nest are given from the outermost loop over tiles to the innermost; nests are separated by semicolons.\n\n\
         {table}",
        options.size,
        options.vectors,
        machine::processor(),
        options.vectors,
        options.rounds,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_beside_the_best_random_sizes() {
        let run = |seconds: f64| Run { seconds, sizes: "8 64;".to_owned(), count: 2, printed: Vec::new() };
        let measured =
            |name: &str, chosen: f64| Measured { name: name.to_owned(), chosen: run(chosen), random: run(0.001) };
        let text = table(&[measured("a", 0.00121), measured("b", 0.001)]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2], "| a | 1.210 | 1.000 | +21.0% | 8 64 | 8 64 |");
        assert_eq!(lines[4..], ["| geometric mean |  |  | +10.0% |  |  |", "| worst |  |  | +21.0% |  |  |"]);
    }
}
