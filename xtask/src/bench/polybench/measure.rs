//! Compiling a kernel in every configuration, running the programs in turn, and comparing what they
//! print.
//!
//! The time of a run is what the program says its kernel took. On one thread the smaller of the
//! time that passed and of the processor's time counts: each is at least what the kernel needs, and
//! other programs disturb the one less, the clock's own cost the other. On several threads the time
//! that passed counts. Short kernels run several times in one program. A program that is clang's,
//! byte for byte, does not run again: its time is clang's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::configuration::{Configuration, Peer};
use crate::command::{self, End, Output};
use crate::llvm::Llvm;
use crate::progress::Step;
use crate::remarks::{self, Remark};
use crate::workspace;

/// What is measured, and how.
#[derive(Debug)]
pub(super) struct Bench<'a> {
    pub(super) llvm: Llvm,
    pub(super) plugin: &'a Path,
    pub(super) poly_options: &'a str,
    pub(super) march: &'a str,
    pub(super) size: &'a str,
    pub(super) symbolic: bool,
    pub(super) rounds: u32,
    pub(super) configurations: &'a [Configuration],
}

/// How a program's output compares with that of clang's program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Agreement {
    /// The same bytes.
    Same,
    /// Numbers differ by at most this part of the largest, as other orders of rounding make them.
    Close(f64),
    /// It printed something else.
    Different,
}

/// What came of a kernel in a configuration.
#[derive(Debug, Clone)]
pub(super) enum Outcome {
    /// The library does not have this kernel.
    Missing,
    /// It could not be compiled or run to its end within the limit.
    Failed(&'static str),
    /// The same machine code as clang's.
    SameCode,
    /// The seconds of every run, sorted.
    Ran { seconds: Vec<f64>, agreement: Agreement },
}

/// A kernel that was measured.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) name: String,
    /// One for each configuration.
    pub(super) outcomes: Vec<Outcome>,
    /// Seconds of processor time that compiling took, the least of several; one for each
    /// configuration.
    pub(super) compiling: Vec<Option<f64>>,
    /// What the kernel says about its work.
    pub(super) operations: f64,
    pub(super) bytes: f64,
    /// What Poly said about the kernel on one thread.
    pub(super) remarks: Vec<Remark>,
}

impl Measured {
    /// The sorted times of a configuration; those of clang for the same code.
    fn seconds(&self, place: usize) -> &[f64] {
        match &self.outcomes[place] {
            Outcome::Ran { seconds, .. } => seconds,
            Outcome::SameCode => self.seconds(0),
            Outcome::Missing | Outcome::Failed(_) => &[],
        }
    }

    /// The least time of a run.
    pub(super) fn least(&self, place: usize) -> Option<f64> {
        self.seconds(place).first().copied()
    }

    /// The time in the middle.
    pub(super) fn median(&self, place: usize) -> Option<f64> {
        let seconds = self.seconds(place);
        seconds.get(seconds.len() / 2).copied()
    }

    /// In one line: each configuration's least time.
    pub(super) fn summary(&self, configurations: &[Configuration]) -> String {
        let base = self.least(0);
        let each = configurations.iter().enumerate().map(|(place, configuration)| {
            let name = configuration.name();
            match (self.least(place), base) {
                _ if matches!(self.outcomes[place], Outcome::SameCode) => format!("{name} the same"),
                (Some(time), Some(base)) => format!("{name} {} ({:.2}x)", duration(time), base / time),
                _ => format!("{name} -"),
            }
        });
        each.collect::<Vec<_>>().join(", ")
    }
}

/// A time with three digits and a unit.
pub(super) fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        1e-1.. => (seconds, "s"),
        1e-4.. => (seconds * 1e3, "ms"),
        _ => (seconds * 1e6, "us"),
    };
    let digits = if value >= 100.0 {
        0
    } else if value >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.digits$} {unit}")
}

const COMPILE_LIMIT: Duration = Duration::from_secs(300);
/// A program that needs so much longer than clang's (and than [`LEAST_LIMIT`]) is stopped.
const MOST_SLOWDOWN: f64 = 8.0;
const LEAST_LIMIT: f64 = 60.0;
/// Programs of short kernels run more often, until all have run for this long in sum.
const ENOUGH_SECONDS: f64 = 1.0;
const MOST_ROUNDS: u32 = 25;
const COMPILE_ROUNDS: u32 = 3;

impl Bench<'_> {
    /// Measures one kernel.
    pub(super) fn kernel(&self, name: &str, step: &Step) -> Result<Measured> {
        let folder = self.folder()?;
        let mut binaries = Vec::new();
        let mut compiling = Vec::new();
        for &configuration in self.configurations {
            step.note(&format!("compiling, {}", configuration.name()));
            let binary = folder.join(format!("{name}-{}", configuration.name()));
            let compiled = self.compile(configuration, name, &binary)?;
            compiling.push(compiled);
            binaries.push(compiled.map(|_| binary));
        }
        let mut measured = Measured {
            name: name.to_owned(),
            outcomes: vec![Outcome::Missing; self.configurations.len()],
            compiling,
            operations: 0.0,
            bytes: 0.0,
            remarks: self.remarks(name, &folder)?,
        };
        let object = |place: usize| fs::read(binaries[place].as_ref()?.with_extension("o")).ok();
        let plain = object(0);
        for (place, &configuration) in self.configurations.iter().enumerate().skip(1) {
            if binaries[place].is_none() && configuration.source(name).is_some() {
                measured.outcomes[place] = Outcome::Failed("does not compile");
            } else if configuration.threads == 1 && plain.is_some() && object(place) == plain {
                measured.outcomes[place] = Outcome::SameCode;
            }
        }
        self.run(&binaries, &mut measured, step)?;
        Ok(measured)
    }

    fn folder(&self) -> Result<PathBuf> {
        let symbolic = if self.symbolic { "-symbolic" } else { "" };
        let folder = workspace::target()
            .join("polybench")
            .join(format!("llvm{}-{}{symbolic}-{}", self.llvm, self.size, self.march));
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(folder)
    }

    fn compiler(&self, configuration: Configuration, source: &Path) -> Command {
        let mut command = configuration.compiler(self.llvm, self.plugin, self.poly_options);
        command.arg(format!("-march={}", self.march));
        command.arg(format!("-DSIZE={}", self.size)).arg(format!("-DROUNDS={}", self.repeats()));
        if self.symbolic {
            command.arg("-DSYMBOLIC");
        }
        command.arg(source);
        command
    }

    /// How often a program runs its kernel.
    fn repeats(&self) -> u32 {
        match self.size {
            "MINI" => 200,
            "SMALL" => 40,
            "MEDIUM" => 5,
            _ => 1,
        }
    }

    /// Makes the program and returns how long its compilation took; none if that is not possible.
    fn compile(&self, configuration: Configuration, name: &str, binary: &Path) -> Result<Option<f64>> {
        let Some(source) = configuration.source(name) else {
            return Ok(None);
        };
        let object = binary.with_extension("o");
        let mut least = f64::INFINITY;
        for _ in 0..COMPILE_ROUNDS {
            let mut compile = self.compiler(configuration, &source);
            compile.arg("-c").arg("-o").arg(&object);
            let (output, seconds) = timed(&compile)?;
            if !output.end.success() {
                if matches!(configuration.peer, Peer::Clang | Peer::Poly) {
                    bail!("{name} does not compile: {}\n{}", output.end, command::excerpt(&output.text(), 12));
                }
                return Ok(None);
            }
            least = least.min(seconds);
        }
        let program = configuration.compiler(self.llvm, self.plugin, "").get_program().to_owned();
        let mut link = Command::new(program);
        link.arg(&object).arg("-o").arg(binary).args(configuration.libraries(self.plugin));
        let output = command::capture(&mut link, COMPILE_LIMIT)?;
        if !output.end.success() {
            bail!("{name}-{} does not link:\n{}", configuration.name(), command::excerpt(&output.text(), 12));
        }
        Ok(Some(least))
    }

    /// What Poly says about the kernel's function.
    fn remarks(&self, name: &str, folder: &Path) -> Result<Vec<Remark>> {
        let poly = Configuration { peer: Peer::Poly, threads: 1 };
        let Some(source) = poly.source(name) else {
            return Ok(Vec::new());
        };
        let record = folder.join(format!("{name}.yaml"));
        let _ = fs::remove_file(&record);
        let mut command = self.compiler(poly, &source);
        command.args(remarks::record_arguments(&record)).args(["-c", "-o", "/dev/null"]);
        command::capture(&mut command, COMPILE_LIMIT)?;
        let function = format!("kernel_{}", name.replace('-', "_"));
        Ok(remarks::read(&record).into_iter().filter(|remark| remark.function == function).collect())
    }

    /// Runs the programs in turn.
    fn run(&self, binaries: &[Option<PathBuf>], measured: &mut Measured, step: &Step) -> Result<()> {
        let mut expected: Option<Vec<u8>> = None;
        let mut limit = COMPILE_LIMIT;
        let mut spent = 0.0;
        for round in 1..=MOST_ROUNDS.max(self.rounds) {
            for (place, &configuration) in self.configurations.iter().enumerate() {
                let settled = matches!(measured.outcomes[place], Outcome::Failed(_) | Outcome::SameCode);
                let (Some(binary), false) = (&binaries[place], settled) else {
                    continue;
                };
                step.note(&format!("round {round}, {}", configuration.name()));
                let output = execute(binary, configuration, limit)?;
                if !output.end.success() {
                    let why = if output.end == End::TimeLimit { "time limit" } else { "crash" };
                    measured.outcomes[place] = Outcome::Failed(why);
                    continue;
                }
                let times = kernel_seconds(&output, configuration.threads == 1);
                let least = times.iter().copied().fold(f64::INFINITY, f64::min);
                if !least.is_finite() {
                    bail!("{} does not print its time", measured.name);
                }
                spent += times.iter().sum::<f64>();
                if place == 0 {
                    limit = Duration::from_secs_f64((MOST_SLOWDOWN * least).max(LEAST_LIMIT));
                    measured.operations = number_after(&output, "operations: ").unwrap_or(0.0);
                    measured.bytes = number_after(&output, "bytes: ").unwrap_or(0.0);
                }
                let reference = expected.get_or_insert_with(|| output.stdout.clone());
                note(&mut measured.outcomes[place], least, agreement(reference, &output.stdout));
            }
            if round >= self.rounds && spent >= ENOUGH_SECONDS {
                break;
            }
        }
        Ok(())
    }
}

/// Adds a run to an outcome.
fn note(outcome: &mut Outcome, time: f64, agreement: Agreement) {
    match outcome {
        Outcome::Ran { seconds, agreement: known } => {
            seconds.push(time);
            seconds.sort_by(f64::total_cmp);
            if rank(agreement) > rank(*known) {
                *known = agreement;
            }
        }
        _ => *outcome = Outcome::Ran { seconds: vec![time], agreement },
    }
}

fn rank(agreement: Agreement) -> f64 {
    match agreement {
        Agreement::Same => -1.0,
        Agreement::Close(by) => by,
        Agreement::Different => f64::INFINITY,
    }
}

/// Runs a compiler and says how many seconds of processor time it and what it started took.
fn timed(compile: &Command) -> Result<(Output, f64)> {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "\"$@\"; code=$?; times >&2; exit $code", "sh"]);
    shell.arg(compile.get_program()).args(compile.get_args());
    for (key, value) in compile.get_envs() {
        match value {
            Some(value) => shell.env(key, value),
            None => shell.env_remove(key),
        };
    }
    let output = command::capture(&mut shell, COMPILE_LIMIT)?;
    let seconds =
        children_seconds(&output.error_text()).context("the shell does not say how long a compilation took")?;
    Ok((output, seconds))
}

/// The sum in the last line that `times` prints, such as `0m0.123000s 0m0.012000s`: those of the
/// shell's children.
fn children_seconds(text: &str) -> Option<f64> {
    let mut sum = 0.0;
    for word in text.lines().last()?.split_whitespace() {
        let (minutes, seconds) = word.strip_suffix('s')?.split_once('m')?;
        sum += 60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?;
    }
    Some(sum)
}

fn execute(binary: &Path, configuration: Configuration, limit: Duration) -> Result<Output> {
    let threads = configuration.threads.to_string();
    let mut command = Command::new(binary);
    command.env("OMP_NUM_THREADS", &threads).env("OPENBLAS_NUM_THREADS", &threads);
    command::capture(&mut command, limit)
}

/// The times of the kernel's runs, as a program prints them.
fn kernel_seconds(output: &Output, sequential: bool) -> Vec<f64> {
    let text = output.error_text();
    let numbers = |prefix: &str| -> Vec<f64> {
        text.lines().filter_map(|line| line.strip_prefix(prefix)?.trim().parse().ok()).collect()
    };
    let (passed, used) = (numbers("seconds: "), numbers("processor seconds: "));
    passed.iter().zip(&used).map(|(&passed, &used)| if sequential { passed.min(used) } else { passed }).collect()
}

fn number_after(output: &Output, prefix: &str) -> Option<f64> {
    output.error_text().lines().find_map(|line| line.strip_prefix(prefix)?.trim().parse().ok())
}

/// A relative difference that other orders of rounding explain.
const CLOSE: f64 = 1e-6;

/// Compares two outputs: bytes first, then the numbers in lines `name[i] = value`.
fn agreement(expected: &[u8], got: &[u8]) -> Agreement {
    if expected == got {
        return Agreement::Same;
    }
    let (expected, got) = (String::from_utf8_lossy(expected), String::from_utf8_lossy(got));
    let (left, right) = (values(&expected), values(&got));
    if left.len() != right.len() || left.iter().zip(&right).any(|((a, _), (b, _))| a != b) {
        return Agreement::Different;
    }
    let largest = left.iter().map(|(_, value)| value.abs()).fold(f64::MIN_POSITIVE, f64::max);
    let by = left.iter().zip(&right).map(|((_, a), (_, b))| (a - b).abs() / largest).fold(0.0, f64::max);
    if by <= CLOSE { Agreement::Close(by) } else { Agreement::Different }
}

fn values(text: &str) -> Vec<(&str, f64)> {
    let value = |line| -> Option<(&str, f64)> {
        let (name, value): (&str, &str) = str::split_once(line, " = ")?;
        Some((name, hexadecimal(value).or_else(|| value.parse().ok())?))
    };
    text.lines().filter_map(value).collect()
}

/// A number as `%a` prints it: `-0x1.8p+1`.
fn hexadecimal(text: &str) -> Option<f64> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (mantissa, exponent) = text.strip_prefix("0x")?.split_once('p')?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut value = i64::from_str_radix(whole, 16).ok()? as f64;
    let mut weight = 1.0;
    for digit in fraction.chars() {
        weight /= 16.0;
        value += weight * f64::from(digit.to_digit(16)?);
    }
    let value = value * 2f64.powi(exponent.parse().ok()?);
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shell_s_times_are_added() {
        assert_eq!(children_seconds("note\n0m0.00s 0m0.00s\n1m2.50s 0m0.25s\n"), Some(62.75));
        assert_eq!(children_seconds("nothing"), None);
    }

    #[test]
    fn hexadecimal_numbers_are_read() {
        assert_eq!(hexadecimal("-0x1.8p+1"), Some(-3.0));
        assert_eq!(hexadecimal("0x0p+0"), Some(0.0));
        assert_eq!(hexadecimal("12"), None);
    }

    #[test]
    fn outputs_are_the_same_close_or_different() {
        let text = b"A: 8 bytes, hash 1\nA[0] = 0x1p+0\n";
        assert_eq!(agreement(text, text), Agreement::Same);
        let near = b"A: 8 bytes, hash 2\nA[0] = 0x1.0000000000001p+0\n";
        assert!(matches!(agreement(text, near), Agreement::Close(by) if by > 0.0));
        assert_eq!(agreement(text, b"A: 8 bytes, hash 3\nA[0] = 0x1p+1\n"), Agreement::Different);
        assert_eq!(agreement(text, b""), Agreement::Different);
    }

    #[test]
    fn times_have_three_digits() {
        assert_eq!([1.2345, 0.012345, 0.0001, 2.5e-6].map(duration), ["1.23 s", "12.3 ms", "0.10 ms", "2.50 us"]);
    }

    #[test]
    fn one_thread_counts_the_smaller_time() {
        let stderr = b"seconds: 2.0\nprocessor seconds: 1.5\nseconds: 1.0\nprocessor seconds: 3.0\n".to_vec();
        let output = Output { end: End::Exit(0), stdout: Vec::new(), stderr };
        assert_eq!(kernel_seconds(&output, true), [1.5, 1.0]);
        assert_eq!(kernel_seconds(&output, false), [2.0, 1.0]);
    }
}
