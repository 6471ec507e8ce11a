//! `cargo xtask coverage`: which shapes of loops Poly accepts, beside the Polly that Debian's clang
//! contains.
//!
//! # Definitions
//! A *shape* is one small function in `test/coverage` under a line `// shape: what it is`. For each
//! optimizer a loop of it is *modelled* if it is in a SCoP, and the function is *optimized* if new
//! code was made for one of them.
//!
//! # Algorithm
//! Each file is brought to the place of clang's `-O3` pipeline at which both optimizers run, where
//! the loops are counted. Poly then runs in clang, by default and with `force`, and says in its
//! remarks which loops it modelled and what it did. Polly runs in `opt`, by default and with every
//! switch that makes it accept more; its printed SCoPs name the blocks of their statements, which
//! tell the loops, and its code has blocks of known names.
//!
//! It is a measuring instrument: what it prints is no test, and it fails only if it cannot measure.

mod polly;
mod shapes;

use std::collections::BTreeMap;
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
use crate::remarks::{self, Kind};
use crate::table::{Align, Table};
use crate::workspace;
use shapes::{Shape, Source};

/// The version whose clang contains Polly.
const LLVM: Llvm = Llvm::V19;

/// Far more than a small file needs.
const LIMIT: Duration = Duration::from_secs(300);

/// Options of `cargo xtask coverage`.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Only shapes with this in the name of their file or function
    #[arg(long)]
    filter: Option<String>,
    /// Only shapes that Poly does not model completely
    #[arg(long)]
    missing: bool,
    /// Use this plugin instead of building one
    #[arg(long)]
    plugin: Option<PathBuf>,
}

/// What an optimizer made of a function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Verdict {
    /// The number of loops that are in a SCoP.
    modelled: usize,
    /// New code was made.
    optimized: bool,
    /// The first reason for not doing something.
    reason: Option<String>,
}

impl Verdict {
    /// What the table shows, given how many loops there are.
    fn shown(&self, loops: usize) -> String {
        let word = if self.optimized { "optimized" } else { "modelled" };
        match self.modelled {
            0 => "rejected".to_owned(),
            some if some < loops => format!("{word} {some}/{loops}"),
            _ => word.to_owned(),
        }
    }

    fn is_complete(&self, loops: usize) -> bool {
        self.modelled >= loops
    }
}

/// What every optimizer made of a shape.
#[derive(Debug)]
struct Row {
    shape: Shape,
    file: String,
    loops: usize,
    poly: Verdict,
    forced: Verdict,
    polly: Verdict,
    polly_switches: Verdict,
}

/// Runs `cargo xtask coverage`.
pub(crate) fn main(options: &Options) -> Result<ExitCode> {
    packages::require(Purpose::Run, &[LLVM])?;
    let plugin = match &options.plugin {
        Some(given) => given.clone(),
        None => build::plugin(LLVM, Profile::Release)?,
    };
    let folder = workspace::target().join("coverage");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let wanted = |source: &Source, shape: &Shape| {
        let has = |part: &String| source.name.contains(part) || shape.function.contains(part);
        options.filter.as_ref().is_none_or(has)
    };
    let mut sources = shapes::read(&workspace::root().join("test/coverage"))?;
    sources.retain(|source| source.shapes.iter().any(|shape| wanted(source, shape)));
    let step = Step::begin_counted("shapes of loops", sources.len());
    let results = command::in_parallel(&sources, |source| {
        let rows = measure(source, &plugin, &folder);
        step.advance();
        rows
    });
    step.end("measured");
    let mut rows = Vec::new();
    for (source, result) in sources.iter().zip(results) {
        rows.extend(result?.into_iter().filter(|row| wanted(source, &row.shape)));
    }
    print!("{}", table(rows.iter().filter(|row| !(options.missing && row.poly.is_complete(row.loops)))));
    print!("{}", summary(&rows));
    Ok(ExitCode::SUCCESS)
}

/// What every optimizer makes of the functions of a file.
fn measure(source: &Source, plugin: &Path, folder: &Path) -> Result<Vec<Row>> {
    let in_folder = |suffix: &str| folder.join(format!("{}.{suffix}", source.name));
    let (original, prepared) = (in_folder("ll"), in_folder("prepared.ll"));
    let mut compile = compiler(source);
    compile.args(["-fno-discard-value-names", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o"]);
    run(compile.arg(&original))?;
    polly::prepare(&original, &prepared)?;
    let loops = polly::loops(&prepared)?;
    let poly = poly(source, plugin, &in_folder("yaml"), None)?;
    let forced = poly_forced(source, plugin, &in_folder("forced.yaml"))?;
    let polly = polly::verdicts(&original, &prepared, &loops, &[])?;
    let polly_switches = polly::verdicts(&original, &prepared, &loops, &polly::SWITCHES)?;
    let of = |verdicts: &BTreeMap<String, Verdict>, name: &str| verdicts.get(name).cloned().unwrap_or_default();
    let row = |shape: &Shape| {
        let symbol = loops.keys().find(|symbol| shape.is_called(symbol));
        let Some(symbol) = symbol else {
            bail!("{}: {} has no loop where optimizers look at it", source.name, shape.function);
        };
        Ok(Row {
            shape: shape.clone(),
            file: source.name.clone(),
            loops: loops[symbol].len(),
            poly: of(&poly, symbol),
            forced: of(&forced, symbol),
            polly: of(&polly, symbol),
            polly_switches: of(&polly_switches, symbol),
        })
    };
    source.shapes.iter().map(row).collect()
}

fn compiler(source: &Source) -> Command {
    let mut command = Command::new(LLVM.tool(if source.is_cpp() { "clang++" } else { "clang" }));
    command.env_remove("POLY_OPTS").env_remove("CCC_OVERRIDE_OPTIONS");
    command.arg("-O3").args(&source.flags).arg(&source.path);
    command
}

/// Runs a command that must succeed; its output.
fn run(command: &mut Command) -> Result<String> {
    let output = command::capture(command, LIMIT)?;
    if !output.end.success() {
        bail!("{}\n{}", command::shown(command), command::excerpt(&output.text(), 20));
    }
    Ok(output.text())
}

fn poly_forced(source: &Source, plugin: &Path, record: &Path) -> Result<BTreeMap<String, Verdict>> {
    poly(source, plugin, record, Some("force;process-unprofitable"))
}

/// What Poly says that it did, by function.
fn poly(source: &Source, plugin: &Path, record: &Path, options: Option<&str>) -> Result<BTreeMap<String, Verdict>> {
    let _ = fs::remove_file(record);
    let mut compile = compiler(source);
    compile.args(["-c", "-o", "/dev/null"]).arg(format!("-fpass-plugin={}", plugin.display()));
    compile.args(remarks::record_arguments(record));
    if let Some(options) = options {
        compile.env("POLY_OPTS", options);
    }
    run(&mut compile)?;
    let mut result: BTreeMap<String, Verdict> = BTreeMap::new();
    for remark in remarks::read(record) {
        let verdict = result.entry(remark.function.clone()).or_default();
        let modelled = remark.argument("Loops").and_then(|loops| loops.parse().ok()).unwrap_or(0);
        verdict.modelled += modelled;
        match remark.kind {
            Kind::Passed => verdict.optimized = true,
            // Why loops are in no SCoP comes before why others stayed as they are.
            _ if modelled == 0 || verdict.reason.is_none() => verdict.reason = Some(reason(&remark)),
            _ => {}
        }
    }
    Ok(result)
}

fn reason(remark: &remarks::Remark) -> String {
    remark.argument("Reason").map_or_else(|| remark.message(), str::to_owned)
}

fn table<'r>(rows: impl Iterator<Item = &'r Row>) -> String {
    let mut table = Table::new(&[
        ("file", Align::Left),
        ("function", Align::Left),
        ("shape", Align::Left),
        ("Poly", Align::Left),
        ("forced", Align::Left),
        ("Polly", Align::Left),
        ("all switches", Align::Left),
        ("reasons", Align::Left),
    ]);
    for row in rows {
        let loops = row.loops;
        let said = |name: &str, verdict: &Verdict| {
            let reason = verdict.reason.as_ref().filter(|_| !verdict.is_complete(loops))?;
            Some(format!("{name}: {}", reason.split_whitespace().collect::<Vec<_>>().join(" ")))
        };
        let reasons = [said("Poly", &row.poly), said("Polly", &row.polly_switches)];
        table.push(vec![
            row.file.clone(),
            row.shape.function.clone(),
            row.shape.what.clone(),
            row.poly.shown(loops),
            row.forced.shown(loops),
            row.polly.shown(loops),
            row.polly_switches.shown(loops),
            reasons.into_iter().flatten().collect::<Vec<_>>().join("; "),
        ]);
    }
    table.render()
}

fn summary(rows: &[Row]) -> String {
    let mut text = String::new();
    let columns = ["Poly", "Poly, forced", "Polly", "Polly, all switches"];
    for (position, name) in columns.into_iter().enumerate() {
        let verdict = |row: &Row| [&row.poly, &row.forced, &row.polly, &row.polly_switches][position].clone();
        let count = |is: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| is(row)).count();
        let complete = count(&|row| verdict(row).is_complete(row.loops));
        let partly = count(&|row| verdict(row).modelled > 0) - complete;
        let rejected = count(&|row| verdict(row).modelled == 0);
        let optimized = count(&|row| verdict(row).optimized);
        text.push_str(&format!(
            "{name}: {complete} modelled, {partly} partly, {rejected} rejected; {optimized} optimized\n"
        ));
    }
    let behind = rows.iter().filter(|row| {
        let best = row.polly.modelled.max(row.polly_switches.modelled).min(row.loops);
        row.poly.modelled < best
    });
    let behind: Vec<&str> = behind.map(|row| row.shape.function.as_str()).collect();
    let names = if behind.is_empty() { "none".to_owned() } else { behind.join(", ") };
    text.push_str(&format!("{} shapes; Polly models more of: {names}\n", rows.len()));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_tell_how_many_loops_are_missing() {
        let verdict = |modelled, optimized| Verdict { modelled, optimized, reason: None };
        assert_eq!(verdict(0, false).shown(2), "rejected");
        assert_eq!(verdict(1, false).shown(2), "modelled 1/2");
        assert_eq!(verdict(2, false).shown(2), "modelled");
        assert_eq!(verdict(2, true).shown(3), "optimized 2/3");
        assert_eq!(verdict(3, true).shown(3), "optimized");
    }
}
