//! `cargo xtask demo`: kernels with and without Poly, side by side.
//!
//! Each kernel of `test/kernels` is compiled by `clang -O3 -march=native` three times: as it is,
//! with Poly, and with Poly and its parallel option. The programs run in turn, several rounds, and
//! the smallest time that the kernel itself took counts. All must print the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::build::{self, Profile};
use crate::command::{self, Output};
use crate::llvm::{self, Llvm};
use crate::packages::{self, Purpose};
use crate::progress::Step;
use crate::remarks::{self, Kind, Remark};
use crate::table::{Align, Table};
use crate::workspace;

/// Options of `cargo xtask demo`.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The LLVM version whose clang is used
    #[arg(long, default_value = "19")]
    llvm: Llvm,
    /// The kernels to run, by the names of their files in test/kernels; `all` for every one
    #[arg(long, value_delimiter = ',', default_value = "gemm,2mm,3mm,syrk,jacobi-2d,mvt,lu")]
    kernels: Vec<String>,
    /// Problem size: MINI, SMALL, MEDIUM, LARGE or EXTRALARGE
    #[arg(long, default_value = "LARGE", value_parser = ["MINI", "SMALL", "MEDIUM", "LARGE", "EXTRALARGE"])]
    size: String,
    /// How often each program runs at least
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Use this plugin instead of building one
    #[arg(long)]
    plugin: Option<PathBuf>,
}

/// The flags of both sides.
const FLAGS: [&str; 2] = ["-O3", "-march=native"];

/// Longer than any kernel takes.
const LIMIT: Duration = Duration::from_secs(600);

/// Short kernels run more often, until they have run for this long in sum (and no more often than
/// [`MOST_ROUNDS`]).
const ENOUGH_SECONDS: f64 = 0.5;
const MOST_ROUNDS: u32 = 25;

/// One of the programs made from a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variant {
    /// clang alone
    Plain,
    /// with Poly
    Poly,
    /// with Poly, parallel, two threads
    Parallel,
}

impl Variant {
    const ALL: [Variant; 3] = [Variant::Plain, Variant::Poly, Variant::Parallel];

    fn name(self) -> &'static str {
        match self {
            Variant::Plain => "clang",
            Variant::Poly => "poly",
            Variant::Parallel => "poly-parallel",
        }
    }

    fn threads(self) -> &'static str {
        if self == Variant::Parallel { "2" } else { "1" }
    }
}

/// Runs `cargo xtask demo`.
pub(crate) fn main(options: &Options) -> Result<ExitCode> {
    packages::require(Purpose::Run, &[options.llvm])?;
    let plugin = match &options.plugin {
        Some(given) => given.clone(),
        None => build::plugin(options.llvm, Profile::Release)?,
    };
    let mut table = Table::new(&[
        ("kernel", Align::Left),
        ("loops", Align::Right),
        ("clang", Align::Right),
        ("Poly", Align::Right),
        ("speedup", Align::Right),
        ("2 threads", Align::Right),
        ("speedup", Align::Right),
        ("output", Align::Left),
        ("what Poly did", Align::Left),
    ]);
    let mut all_same = true;
    for name in kernels(&options.kernels)? {
        let step = Step::begin(format!("{name}, {} size", options.size));
        let measured = Kernel { name: &name, options, plugin: &plugin }.measure(&step)?;
        step.end(if measured.same { "done" } else { "the outputs differ" });
        all_same &= measured.same;
        table.push(measured.row(&name));
    }
    let flags = FLAGS.join(" ");
    println!(
        "\nclang-{} {flags}, {} size, seconds in the kernel, best of several rounds\n",
        options.llvm, options.size
    );
    println!("{}", table.render());
    if !all_same {
        bail!("a program printed something else with Poly than without");
    }
    println!("Every program printed the same, bit for bit, with Poly as without.");
    Ok(ExitCode::SUCCESS)
}

/// The kernels asked for, or every one.
pub(crate) fn kernels(asked: &[String]) -> Result<Vec<String>> {
    let folder = workspace::root().join("test/kernels");
    let mut known = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", workspace::shown(&folder)))? {
        let path = entry?.path();
        if let (Some(stem), Some("c")) = (path.file_stem(), path.extension().and_then(|e| e.to_str())) {
            known.push(stem.to_string_lossy().into_owned());
        }
    }
    known.sort();
    if asked == ["all"] {
        return Ok(known);
    }
    match asked.iter().find(|name| !known.contains(name)) {
        Some(unknown) => bail!("there is no kernel `{unknown}`; there are {}", known.join(", ")),
        None => Ok(asked.to_vec()),
    }
}

/// A kernel that is measured.
#[derive(Debug)]
struct Kernel<'a> {
    name: &'a str,
    options: &'a Options,
    plugin: &'a Path,
}

impl Kernel<'_> {
    fn measure(&self, step: &Step) -> Result<Measured> {
        let folder = workspace::target().join(format!("demo-llvm{}", self.options.llvm));
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let binary = |variant: Variant| folder.join(format!("{}-{}", self.name, variant.name()));
        for variant in Variant::ALL {
            step.note(&format!("compiling, {}", variant.name()));
            self.compile(variant, &binary(variant))?;
        }
        let record = remarks::read(&binary(Variant::Poly).with_extension("yaml"));

        let mut seconds = [f64::INFINITY; 3];
        let mut spent = 0.0;
        let mut expected: Option<Vec<u8>> = None;
        let mut same = true;
        for round in 1..=MOST_ROUNDS.max(self.options.rounds) {
            for variant in Variant::ALL {
                step.note(&format!("round {round}, {}", variant.name()));
                let output = run(&binary(variant), variant)?;
                let took = kernel_seconds(&output).with_context(|| format!("{} does not print its time", self.name))?;
                seconds[variant as usize] = seconds[variant as usize].min(took);
                spent += took;
                same &= *expected.get_or_insert_with(|| output.stdout.clone()) == output.stdout;
            }
            if round >= self.options.rounds && spent >= ENOUGH_SECONDS {
                break;
            }
        }
        let [plain, poly, parallel] = seconds;
        let function = format!("kernel_{}", self.name.replace('-', "_"));
        let remarks = record.into_iter().filter(|remark| remark.function == function).collect();
        Ok(Measured { plain, poly, parallel, same, remarks })
    }

    fn compile(&self, variant: Variant, binary: &Path) -> Result<()> {
        let source = workspace::root().join("test/kernels").join(format!("{}.c", self.name));
        let mut command = Command::new(self.options.llvm.tool("clang"));
        command.env_remove("POLY_OPTS").env_remove("CCC_OVERRIDE_OPTIONS");
        command.args(FLAGS).arg(format!("-DSIZE={}", self.options.size)).arg(source);
        command.arg("-o").arg(binary).arg("-lm");
        if variant != Variant::Plain {
            let record = binary.with_extension("yaml");
            let _ = fs::remove_file(&record);
            command.arg(format!("-fpass-plugin={}", self.plugin.display()));
            command.args(remarks::record_arguments(&record));
        }
        if variant == Variant::Parallel {
            command.env("POLY_OPTS", "parallel;num-threads=2").args(llvm::openmp_arguments());
        }
        let output = command::capture(&mut command, LIMIT)?;
        if !output.end.success() {
            let log = command::excerpt(&output.text(), 12);
            bail!(
                "{} ({}) does not compile: {}\n{log}\n    {}",
                self.name,
                variant.name(),
                output.end,
                command::shown(&command)
            );
        }
        Ok(())
    }
}

fn run(binary: &Path, variant: Variant) -> Result<Output> {
    let mut command = Command::new(binary);
    command.env("OMP_NUM_THREADS", variant.threads());
    let output = command::capture(&mut command, LIMIT)?;
    if !output.end.success() {
        bail!("{} ends with {}", workspace::shown(binary), output.end);
    }
    Ok(output)
}

/// The time that a kernel says it took, in a line `seconds: N` on standard error.
fn kernel_seconds(output: &Output) -> Option<f64> {
    let text = output.error_text();
    text.lines().find_map(|line| line.strip_prefix("seconds: ")).and_then(|number| number.trim().parse().ok())
}

/// What came of a kernel.
#[derive(Debug)]
struct Measured {
    plain: f64,
    poly: f64,
    parallel: f64,
    same: bool,
    remarks: Vec<Remark>,
}

impl Measured {
    fn row(&self, name: &str) -> Vec<String> {
        vec![
            name.to_owned(),
            loops(&self.remarks),
            seconds(self.plain),
            seconds(self.poly),
            format!("{:.2}x", self.plain / self.poly),
            seconds(self.parallel),
            format!("{:.2}x", self.plain / self.parallel),
            if self.same { "same" } else { "DIFFERENT" }.to_owned(),
            deeds(&self.remarks),
        ]
    }
}

/// Enough digits to tell times apart.
fn seconds(time: f64) -> String {
    match time {
        0.0..0.001 => format!("{time:.6}"),
        0.001..0.1 => format!("{time:.4}"),
        _ => format!("{time:.3}"),
    }
}

/// How many loops Poly looked at, as its remarks say.
fn loops(remarks: &[Remark]) -> String {
    let counts: Vec<u32> = remarks.iter().filter_map(|remark| remark.argument("Loops")?.parse().ok()).collect();
    if counts.is_empty() { "-".to_owned() } else { counts.iter().sum::<u32>().to_string() }
}

/// What was done, or the first reason why nothing was, without the words that the table's titles
/// say.
pub(crate) fn deeds(remarks: &[Remark]) -> String {
    let is_done = |remark: &&Remark| remark.kind == Kind::Passed;
    let done: Vec<String> = remarks.iter().filter(is_done).map(|remark| core(&remark.message())).collect();
    if !done.is_empty() {
        return counted(&done.join("; "));
    }
    match remarks.first() {
        Some(remark) => format!("nothing: {}", core(&remark.message())),
        None => "nothing".to_owned(),
    }
}

/// Deeds that occur several times once, with their number; without predictions.
fn counted(deeds: &str) -> String {
    let mut all: Vec<(&str, usize)> = Vec::new();
    for deed in deeds.split("; ").filter(|deed| !deed.starts_with("predicted ")) {
        match all.iter_mut().find(|(known, _)| *known == deed) {
            Some((_, count)) => *count += 1,
            None => all.push((deed, 1)),
        }
    }
    let text = |(deed, count): &(&str, usize)| match count {
        1 => (*deed).to_owned(),
        _ => format!("{count} x {deed}"),
    };
    all.iter().map(text).collect::<Vec<_>>().join("; ")
}

/// A message without how it begins, `optimized 3 loops, 2 statements;` and
/// `3 loops not optimized:`, and without the list of rewrites at its end.
fn core(message: &str) -> String {
    let (message, _steps) = message.split_once("; rewrites: ").unwrap_or((message, ""));
    let counts = message.strip_prefix("optimized ").and_then(|rest| rest.split_once("; "));
    if let Some((_, rest)) = counts.filter(|(counts, _)| counts.contains(" loop")) {
        return rest.to_owned();
    }
    message.split_once(" not optimized: ").map_or(message, |(_, reason)| reason).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::End;

    #[test]
    fn the_kernel_s_own_time_is_read() {
        let stderr = b"note\nseconds: 0.125\n".to_vec();
        let output = Output { end: End::Exit(0), stdout: Vec::new(), stderr };
        assert_eq!(kernel_seconds(&output), Some(0.125));
    }

    #[test]
    fn a_kernel_left_alone_shows_the_first_reason() {
        let arguments = vec![("String".to_owned(), "too small".to_owned())];
        let remark =
            Remark { kind: Kind::Missed, name: "Cost".into(), function: "kernel_a".into(), has_place: true, arguments };
        assert_eq!(deeds(&[remark]), "nothing: too small");
        assert_eq!(deeds(&[]), "nothing");
    }

    #[test]
    fn messages_are_shortened() {
        let message = "optimized 4 loops, 2 statements; band of 2, vector; 2 run-time checks";
        assert_eq!(core(message), "band of 2, vector; 2 run-time checks");
        assert_eq!(counted("a; b; a"), "2 x a; b");
        assert_eq!(core("optimized 1 loop, 1 statement; a; rewrites: tile(S[0], 4); vectorize(S[1])"), "a");
        assert_eq!(core("5 loops not optimized: no gain"), "no gain");
        assert_eq!(core("optimized something"), "optimized something");
    }
}
