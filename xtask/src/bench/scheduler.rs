//! `cargo xtask bench scheduler`: the schedulers of Poly and of isl on the same dependences.
//!
//! 1. Every kernel of `test/kernels` is compiled with Poly twice, with constant sizes and with
//!    sizes that the compiler does not know. Poly writes the dependences and the original order of
//!    its SCoPs to files (`-poly-export`).
//! 2. The program `poly-bench-scheduler`, which never loads the plugin, schedules them with Poly
//!    and with libisl, and says what either schedule is good for and how long it took. Kernels are
//!    independent and run side by side; what counts is processor time.
//! 3. The same program makes large problems and schedules them with Poly.
//! 4. Large programs in C are compiled with Poly and without ([`programs`]).
//! 5. The lines that it prints, and the times, become tables and figures.

mod programs;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use super::chart::Lines;
use super::{LIMIT, built};
use crate::build::{self, Profile};
use crate::command;
use crate::demo;
use crate::llvm::Llvm;
use crate::packages::{self, Purpose};
use crate::progress::Step;
use crate::workspace;

/// Options of `cargo xtask bench scheduler`.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// The LLVM version whose clang compiles the kernels
    #[arg(long, default_value = "19")]
    llvm: Llvm,
    /// How often each problem is scheduled by either
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// The kernels, by the names of their files in test/kernels; `all` for every one
    #[arg(long, value_delimiter = ',', default_value = "all")]
    kernels: Vec<String>,
    /// Numbers of statements of the problems that are made
    #[arg(long, value_delimiter = ',', default_value = "25,50,100,150,200")]
    statements: Vec<usize>,
    /// Take what earlier runs have found out about kernels and problems as far as there is
    /// something; without, everything is measured anew
    #[arg(long)]
    resume: bool,
    /// isl gives up after so many of its steps
    #[arg(long, default_value_t = 100_000)]
    isl_operations: u64,
    /// Use this plugin instead of building one
    #[arg(long)]
    plugin: Option<PathBuf>,
    /// The folder that the report is written to
    #[arg(long, default_value = "docs/benchmarks")]
    out: PathBuf,
    /// Print the tables without writing a report
    #[arg(long)]
    dry: bool,
}

/// The two ways to compile a kernel: name, option for clang, title.
const SIZES: [(&str, Option<&str>, &str); 2] = [
    ("constant", None, "Sizes that the compiler knows"),
    ("symbolic", Some("-DSYMBOLIC"), "Sizes that the compiler does not know"),
];

/// Runs `cargo xtask bench scheduler`.
pub(super) fn main(options: &Options) -> Result<ExitCode> {
    packages::require(Purpose::Run, &[options.llvm])?;
    let plugin = match &options.plugin {
        Some(given) => given.canonicalize().with_context(|| format!("{} cannot be found", given.display()))?,
        None => build::plugin(options.llvm, Profile::Release)?,
    };
    let program = built()?.join("poly-bench-scheduler");
    let kernels = demo::kernels(&options.kernels)?;
    let mut report = String::from(HEAD);
    let mut below = 0;
    let (rounds, limit) = (options.rounds.to_string(), options.isl_operations.to_string());
    for (name, define, title) in SIZES {
        let folders = exported(options, &plugin, &kernels, name, define)?;
        let step = Step::begin(format!("schedules of {} kernels, {name} sizes", kernels.len()));
        let job = |folder: &PathBuf| {
            let kernel = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            kept(options, &format!("{name}-{kernel}"), || {
                run(&program, &["--rounds", &rounds, "--isl-operations", &limit], std::slice::from_ref(folder))
            })
        };
        let rows = together(command::in_parallel(&folders, job))?;
        step.end("compared");
        let table = kernel_table(&rows)?;
        below += table.below;
        let _ = write!(report, "\n## {title}\n\n{}", table.text);
    }
    let step = Step::begin("large problems");
    let job = |statements: &usize| {
        let number = statements.to_string();
        kept(options, &number, || run(&program, &["--rounds", "1", "--statements", &number], &[]))
    };
    let mut rows = together(command::in_parallel(&options.statements, job))?;
    // By shape; within a shape they are in order already.
    rows.sort_by(|a, b| a[1].cmp(&b[1]));
    step.end("scheduled");
    let (table, figure) = large_problems(&rows)?;
    let _ = write!(report, "\n## Large problems\n\n![time](scheduler-statements.svg)\n\n{table}");
    let (table, compilation) = compile_times(options, &plugin)?;
    let _ = write!(report, "\n## Compiling large programs\n\n![time](scheduler-compilation.svg)\n\n{table}");
    println!("{report}");
    if !options.dry {
        let folder = workspace::root().join(&options.out);
        let figures = [("scheduler-statements.svg", &figure), ("scheduler-compilation.svg", &compilation)];
        for (name, text) in [("scheduler.md", &report)].into_iter().chain(figures) {
            let file = folder.join(name);
            fs::write(&file, text).with_context(|| format!("{} could not be written", file.display()))?;
            println!("{}", workspace::shown(&file));
        }
    }
    println!("{below} statements or kernels below isl");
    Ok(ExitCode::SUCCESS)
}

const HEAD: &str = "# Schedules of Poly and of isl

Written by `cargo xtask bench scheduler`; what is measured and how is said in
[performance-scheduler.md](../performance-scheduler.md). Numbers of Poly stand before those of isl. Times are in microseconds.
";

/// Compiles the kernels; for each the folder with its files.
fn exported(
    options: &Options,
    plugin: &Path,
    kernels: &[String],
    sizes: &str,
    define: Option<&str>,
) -> Result<Vec<PathBuf>> {
    let step = Step::begin(format!("the dependences of {} kernels, {sizes} sizes", kernels.len()));
    let mut folders = Vec::new();
    for kernel in kernels {
        let folder = workspace::target().join("bench").join("scheduler").join(sizes).join(kernel);
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| format!("{} could not be emptied", folder.display()))?;
        }
        fs::create_dir_all(&folder).with_context(|| format!("{} could not be made", folder.display()))?;
        let source = workspace::root().join("test/kernels").join(format!("{kernel}.c"));
        let mut clang = Command::new(options.llvm.tool("clang"));
        clang.arg(format!("-fpass-plugin={}", plugin.display())).args(["-O3", "-march=native", "-c"]).args(define);
        clang.arg(&source).arg("-o").arg(folder.join("kernel.o"));
        clang.env("POLY_OPTS", format!("scheduler=original;no-reductions;export={}", folder.display()));
        let output = command::capture(&mut clang, LIMIT)?;
        if !output.end.success() {
            bail!("{} does not compile: {}", source.display(), command::excerpt(&output.text(), 12));
        }
        folders.push(folder);
    }
    step.end("written");
    Ok(folders)
}

/// The lines of a run: those of an earlier one if they are to be used and there are some. They are
/// written to a file.
fn kept(options: &Options, name: &str, run: impl FnOnce() -> Result<Vec<Vec<String>>>) -> Result<Vec<Vec<String>>> {
    let folder = workspace::target().join("bench").join("scheduler").join("rows");
    let file = folder.join(name).with_extension("tsv");
    if options.resume
        && let Ok(text) = fs::read_to_string(&file)
    {
        return Ok(fields(&text));
    }
    let rows = run()?;
    let text: String = rows.iter().map(|row| row.join("\t") + "\n").collect();
    fs::create_dir_all(&folder).with_context(|| format!("{} could not be made", folder.display()))?;
    fs::write(&file, text).with_context(|| format!("{} could not be written", file.display()))?;
    Ok(rows)
}

/// The fields of lines.
fn fields(text: &str) -> Vec<Vec<String>> {
    text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// The lines of several runs.
fn together(runs: Vec<Result<Vec<Vec<String>>>>) -> Result<Vec<Vec<String>>> {
    Ok(runs.into_iter().collect::<Result<Vec<_>>>()?.concat())
}

/// The fields of the lines that the program prints.
fn run(program: &Path, arguments: &[&str], folders: &[PathBuf]) -> Result<Vec<Vec<String>>> {
    let mut command = Command::new(program);
    command.args(arguments).args(folders);
    let output = command::capture(&mut command, 6 * LIMIT)?;
    if !output.end.success() {
        bail!("{} failed: {}", program.display(), command::excerpt(&output.text(), 12));
    }
    Ok(fields(&String::from_utf8_lossy(&output.stdout)))
}

/// A table of kernels, and how many things fall below isl's.
struct Kernels {
    text: String,
    below: usize,
}

/// How many numbers a line of a kernel has.
const NUMBERS: usize = 15;
/// Where times begin: of Poly, of isl, of isl with bounds.
const TIMES: usize = 9;
/// Where the numbers of SCoPs begin for which isl gave up: in either way, in both.
const STOPPED: usize = 12;

fn kernel_table(rows: &[Vec<String>]) -> Result<Kernels> {
    let mut text = String::from(
        "| kernel | SCoPs | statements | band depth | parallel | carried | Poly, µs | isl, µs | isl bounded, µs |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    let mut sums = [0.0; NUMBERS];
    let mut longest: f64 = 0.0;
    let mut below = Vec::new();
    for row in rows.iter().filter(|row| row[0] == "kernel") {
        let numbers = numbers(&row[2..2 + NUMBERS])?;
        sums.iter_mut().zip(&numbers).for_each(|(sum, number)| *sum += number);
        longest = longest.max(numbers[TIMES]);
        text += &kernel_row(&row[1], &numbers);
        let what = &row[2 + NUMBERS];
        if !what.is_empty() {
            below.extend(what.split("; ").map(|what| format!("- {}: {what}\n", row[1])));
        }
    }
    text += &kernel_row("**all**", &sums);
    let _ = write!(text, "\nThe longest time of a kernel in Poly is {:.1} ms. ", longest / 1e3);
    if sums[STOPPED + 2] > 0.0 {
        let _ =
            write!(text, "For {} SCoPs isl gave up either way; they are not among the numbers. ", sums[STOPPED + 2]);
    }
    if below.is_empty() {
        text += "No statement has less than in isl's schedules, and no fewer relations are carried.\n";
    } else {
        let _ = write!(text, "Less than in isl's schedules:\n\n{}", below.concat());
    }
    Ok(Kernels { text, below: below.len() })
}

/// One line: SCoPs, statements, loops, three numbers of Poly, three of isl, times, SCoPs without a
/// schedule. The time of who gave up is a lower bound.
fn kernel_row(name: &str, numbers: &[f64]) -> String {
    let pair = |place: usize| format!("{} / {}", numbers[place], numbers[place + 3]);
    let time = |variant: usize| {
        let more = if numbers[STOPPED + variant] > 0.0 { "> " } else { "" };
        format!("{more}{:.0}", numbers[TIMES + 1 + variant])
    };
    format!(
        "| {name} | {} | {} | {} | {} | {} | {:.0} | {} | {} |\n",
        numbers[0],
        numbers[1],
        pair(3),
        pair(4),
        pair(5),
        numbers[TIMES],
        time(0),
        time(1)
    )
}

fn numbers(fields: &[String]) -> Result<Vec<f64>> {
    let number = |field: &String| field.parse().with_context(|| format!("'{field}' is no number"));
    fields.iter().map(number).collect()
}

/// The table of the problems that were made, and the figure.
fn large_problems(rows: &[Vec<String>]) -> Result<(String, String)> {
    let mut text = String::from(
        "| shape | statements | dependences | Poly, ms | operations | band depth | parallel |\n|---|---:|---:|---:|---:|---:|---:|\n",
    );
    let mut series: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
    for row in rows.iter().filter(|row| row[0] == "generated") {
        let numbers = numbers(&row[2..8])?;
        let milliseconds = numbers[2] / 1e3;
        let (shape, [statements, dependences, _, operations, depth, parallel]) = (&row[1], &numbers[..]) else {
            bail!("a line has too few fields");
        };
        let _ = writeln!(
            text,
            "| {shape} | {statements} | {dependences} | {milliseconds:.1} | {operations} | {depth} | {parallel} |"
        );
        match series.last_mut().filter(|(name, _)| name == shape) {
            Some((_, points)) => points.push((*statements, milliseconds)),
            None => series.push((shape.clone(), vec![(*statements, milliseconds)])),
        }
    }
    let title = "Poly's time for a schedule".to_owned();
    Ok((text, Lines { title, axes: ("statements", "milliseconds"), series }.svg()))
}

/// The table of the times of compilation, and the figure.
fn compile_times(options: &Options, plugin: &Path) -> Result<(String, String)> {
    let folder = workspace::target().join("bench").join("scheduler").join("programs");
    fs::create_dir_all(&folder).with_context(|| format!("{} could not be made", folder.display()))?;
    let clang = options.llvm.tool("clang");
    let mut text = String::from("| shape | statements | clang, s | with Poly, s |\n|---|---:|---:|---:|\n");
    let mut series = Vec::new();
    let step = Step::begin("compiling large programs");
    for shape in programs::SHAPES {
        let mut points = Vec::new();
        for &statements in &options.statements {
            let [without, with] = programs::compile_times(&clang, plugin, &folder, shape, statements)?;
            let _ = writeln!(text, "| {} | {statements} | {without:.2} | {with:.2} |", shape.name());
            points.push((statements as f64, with));
        }
        series.push((shape.name().to_owned(), points));
    }
    step.end("compiled");
    let title = "Processor time of clang -O3 with Poly".to_owned();
    Ok((text, Lines { title, axes: ("statements", "seconds"), series }.svg()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(line: &str) -> Vec<String> {
        super::fields(line).concat()
    }

    #[test]
    fn kernels_are_summed_and_shortcomings_listed() {
        let rows = [
            fields("kernel\tgemm\t1\t2\t3\t5\t4\t2\t5\t4\t1\t259.9\t1656.5\t70.0\t0\t0\t0\t"),
            fields("kernel\tlu\t1\t1\t3\t3\t0\t2\t3\t1\t1\t40.1\t50.0\t30.0\t1\t0\t0\tS0: less; S1: less"),
        ];
        let table = kernel_table(&rows).unwrap();
        assert_eq!(table.below, 2);
        // The loops are counted in the fields, not in the table.
        assert!(table.text.contains("| gemm | 1 | 2 |"), "{}", table.text);
        assert!(table.text.contains("- lu: S1: less\n"));
        assert!(table.text.contains("| 300 | > 1706 | 100 |"), "{}", table.text);
    }

    #[test]
    fn a_line_of_the_figure_is_a_shape() {
        let rows = [
            fields("generated\tchain\t50\t7\t2000.0\t9\t100\t50\t-"),
            fields("generated\tchain\t100\t14\t4000.0\t20\t200\t100\t-"),
        ];
        let (table, figure) = large_problems(&rows).unwrap();
        assert!(table.contains("| chain | 100 | 14 | 4.0 | 20 | 200 | 100 |"), "{table}");
        assert_eq!(figure.matches("<circle").count(), 2);
    }
}
