//! `cargo xtask bench sparse`: solvers with sparse matrices, with Poly's inspectors and without.
//!
//! `test/sparse/solvers.c` makes the matrices: grids of two and three dimensions, and random
//! columns. Each loop is executed 200 and 2000 times with the same matrix, by clang's program on
//! one thread and by Poly's with several, in turn; what inspections take is part of the time. The
//! hash of all results must be the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use super::chart::Bars;
use super::kernels::{self, Pair, Pairs};
use super::markdown::{markdown, mean_text};
use super::polybench::machine;
use crate::build::{self, Profile};
use crate::llvm::Llvm;
use crate::packages::{self, Purpose};
use crate::workspace;

/// Options of `cargo xtask bench sparse`.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// The LLVM version whose clang is used
    #[arg(long, default_value = "19")]
    llvm: Llvm,
    /// The processor that code is generated for
    #[arg(long, default_value = "native")]
    march: String,
    /// Only names with this in them, such as lower/square-512/200
    #[arg(long, default_value = "")]
    filter: String,
    /// How many threads Poly's programs may use
    #[arg(long, default_value_t = 2)]
    threads: u32,
    /// How often each program runs
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Use this plugin instead of building one
    #[arg(long)]
    plugin: Option<PathBuf>,
    /// Options for Poly, as in POLY_OPTS
    #[arg(long, default_value = "")]
    poly_options: String,
    /// The file that the report is written to
    #[arg(long, default_value = "docs/benchmarks/sparse.md")]
    out: PathBuf,
    /// Print the table without writing a report
    #[arg(long)]
    dry: bool,
}

/// Runs `cargo xtask bench sparse`.
pub(super) fn main(options: &Options) -> Result<ExitCode> {
    packages::require(Purpose::Run, &[options.llvm])?;
    let plugin = match &options.plugin {
        Some(given) => given.canonicalize()?,
        None => build::plugin(options.llvm, Profile::Release)?,
    };
    let measured = Pairs {
        llvm: options.llvm,
        plugin: &plugin,
        march: &options.march,
        poly_options: &options.poly_options,
        threads: options.threads,
        filter: &options.filter,
        rounds: options.rounds,
    };
    let pairs = kernels::pairs(&measured, &workspace::root().join("test/sparse/solvers.c"))?;
    if pairs.is_empty() {
        bail!("nothing has \"{}\" in its name", options.filter);
    }
    let table = table(&pairs);
    println!("\n{table}");
    if !options.dry {
        let file = workspace::root().join(&options.out);
        let figure = file.with_extension("svg");
        let name = figure.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for (file, text) in [(&file, report(options, &name, &table)), (&figure, bars(&pairs).svg())] {
            fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
            println!("{}", workspace::shown(file));
        }
    }
    if pairs.iter().any(|pair| !pair.is_same) {
        bail!("a program computed something else with Poly than without, or did not end");
    }
    Ok(ExitCode::SUCCESS)
}

/// A line for each loop and matrix, with columns for each number of executions, and the means.
fn table(pairs: &[Pair]) -> String {
    let mut numbers: Vec<u64> = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    let mut cells: BTreeMap<(&str, u64), &Pair> = BTreeMap::new();
    for pair in pairs {
        let Some((line, number)) = pair.name.rsplit_once('/') else { continue };
        let Ok(number) = number.parse() else { continue };
        if !numbers.contains(&number) {
            numbers.push(number);
        }
        if lines.iter().all(|known| known != line) {
            lines.push(line.to_owned());
        }
        cells.insert((line, number), pair);
    }
    let mut titles = vec!["loop".to_owned(), "matrix".to_owned()];
    titles.extend(numbers.iter().flat_map(|n| [format!("{n} times, ms"), "Poly, ms".to_owned(), "ratio".to_owned()]));
    let mut rows: Vec<Vec<String>> = Vec::new();
    for line in &lines {
        let (of, matrix) = line.split_once('/').unwrap_or((line, ""));
        let mut row = vec![of.to_owned(), matrix.to_owned()];
        row.extend(numbers.iter().flat_map(|&n| cells.get(&(line.as_str(), n)).map_or_else(empty, |pair| times(pair))));
        rows.push(row);
    }
    let mean = |n: u64| mean_text(cells.iter().filter(|(key, _)| key.1 == n).filter_map(|(_, pair)| ratio(pair)));
    let mut row = vec!["geometric mean".to_owned(), String::new()];
    row.extend(numbers.iter().flat_map(|&n| [String::new(), String::new(), mean(n)]));
    rows.push(row);
    markdown(&titles, &rows)
}

/// How many times faster Poly's programs are, one group for each loop and matrix.
fn bars(pairs: &[Pair]) -> Bars {
    let mut series: Vec<String> = Vec::new();
    let mut groups: Vec<(String, Vec<Option<f64>>)> = Vec::new();
    for pair in pairs {
        let Some((line, number)) = pair.name.rsplit_once('/') else { continue };
        let number = format!("{number} times");
        let place = series.iter().position(|known| *known == number).unwrap_or(series.len());
        if place == series.len() {
            series.push(number);
        }
        if groups.iter().all(|(known, _)| known != line) {
            groups.push((line.to_owned(), Vec::new()));
        }
        let Some((_, values)) = groups.iter_mut().find(|(known, _)| known == line) else { continue };
        values.resize(values.len().max(place + 1), None);
        values[place] = ratio(pair);
    }
    for (_, values) in &mut groups {
        values.resize(series.len(), None);
    }
    Bars { title: "How many times faster than clang -O3".to_owned(), series, groups }
}

fn empty() -> [String; 3] {
    [const { String::new() }; 3]
}

/// How many times faster Poly's program is.
fn ratio(pair: &Pair) -> Option<f64> {
    let [clang, poly] = pair.seconds;
    clang.zip(poly).filter(|_| pair.is_same).map(|(clang, poly)| clang / poly)
}

fn times(pair: &Pair) -> [String; 3] {
    let [clang, poly] = pair.seconds.map(|seconds| seconds.map_or("-".to_owned(), |s| format!("{:.1}", s * 1e3)));
    [clang, poly, ratio(pair).map_or("-".to_owned(), |ratio| format!("{ratio:.2}"))]
}

fn report(options: &Options, figure: &str, table: &str) -> String {
    format!(
        "# Solvers with sparse matrices\n\n\
         `cargo xtask bench sparse --threads {} --rounds {}`, {}.\n\n\
         Total times of so many executions with the same matrix, the least of all rounds: clang -O3 on one\n\
         thread, and Poly with the option `parallel`, inspections included. Results have the same bits. What\n\
         the loops and matrices are: `test/sparse/solvers.c`; how it works: [irregular.md](../irregular.md).\n\n\
         ![ratios]({figure})\n\n{table}",
        options.threads,
        options.rounds,
        machine::processor(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(name: &str, seconds: [Option<f64>; 2]) -> Pair {
        Pair { name: name.to_owned(), seconds, is_same: seconds[1].is_some() }
    }

    #[test]
    fn loops_are_groups_of_bars() {
        let pairs = [
            pair("lower/square/200", [Some(0.002), Some(0.001)]),
            pair("ilu0/cube/200", [Some(0.002), None]),
            pair("lower/square/2000", [Some(0.02), Some(0.005)]),
        ];
        let bars = bars(&pairs);
        assert_eq!(bars.series, ["200 times", "2000 times"]);
        let groups = [("lower/square", vec![Some(2.0), Some(4.0)]), ("ilu0/cube", vec![None, None])];
        assert_eq!(bars.groups, groups.map(|(name, values)| (name.to_owned(), values)));
    }

    #[test]
    fn executions_are_columns() {
        let pairs = [
            pair("lower/square/200", [Some(0.002), Some(0.001)]),
            pair("ilu0/cube/200", [Some(0.002), None]),
            pair("lower/square/2000", [Some(0.02), Some(0.005)]),
        ];
        let text = table(&pairs);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "| loop | matrix | 200 times, ms | Poly, ms | ratio | 2000 times, ms | Poly, ms | ratio |"
        );
        assert_eq!(lines[2], "| lower | square | 2.0 | 1.0 | 2.00 | 20.0 | 5.0 | 4.00 |");
        assert_eq!(lines[3], "| ilu0 | cube | 2.0 | - | - |  |  |  |");
        assert_eq!(lines[4], "| geometric mean |  |  |  | 2.00 (1) |  |  | 4.00 (1) |");
    }
}
