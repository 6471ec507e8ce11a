//! The commands of the person who tunes: building, running, looking at what was printed.
//!
//! # Method
//! 1. A profile is written to a folder for temporary files and named in `POLY_OPTS`, as is a folder
//!    for reports; so every compiler that the commands start uses both.
//! 2. The report says what became of the loops. If it is empty, or about other functions than the
//!    first one, nothing was compiled anew, and nothing could be learned: an error.
//! 3. What a run prints, without lines that shall be ignored, and its exit status are compared with
//!    the first run without Poly.
//! 4. The time is what the program prints behind a text, or else that of the whole command.
//!
//! # Invariants
//! A subject that is run is built: the files that were named as products are kept for each subject,
//! everything else is built again when the subject changes.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::bench::{Bench, Halt, Look, Run, Subject};
use super::variant::profile;
use crate::inspect::compile::{Failure, Scratch};
use crate::inspect::record::{self, Function};
use crate::process::{self, Ended};

/// What is built and run, and how it is judged.
#[derive(Clone, Debug, Default)]
pub(super) struct Commands {
    /// For a shell; without it, the other command builds, too.
    pub(super) build: Option<String>,
    /// The program and its arguments.
    pub(super) run: Vec<OsString>,
    /// What the lines begin with that have the time.
    pub(super) time_after: Option<String>,
    /// Lines with one of these texts are not compared.
    pub(super) ignored: Vec<String>,
    /// Files that the build makes and the run needs.
    pub(super) products: Vec<PathBuf>,
    /// What `POLY_OPTS` says already.
    pub(super) options: Option<String>,
}

/// What a run printed, as far as it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Output {
    status: Option<i32>,
    text: Vec<u8>,
}

/// The commands, and what is known of them.
pub(super) struct Workshop {
    commands: Commands,
    scratch: Scratch,
    /// What was built last.
    built: Option<Subject>,
    /// What the folder for reports is about.
    reported: Option<Subject>,
    kept: Vec<Kept>,
    /// The functions that the first report was about.
    functions: Option<BTreeSet<String>>,
    /// What every run has to print.
    expected: Option<Output>,
    /// A run that was made to build its subject.
    early: Option<(Subject, Run)>,
    /// The longest run that was not stopped.
    longest: Duration,
    runs: u64,
    /// How often products were kept.
    builds: u64,
}

/// The products of a subject.
struct Kept {
    subject: Subject,
    folder: PathBuf,
    /// How often they were needed.
    uses: u64,
}

/// How much longer than all before a run may take: times so much, and so much more.
const PATIENCE: (u32, Duration) = (10, Duration::from_secs(10));

/// How many subjects have their products kept: both sides of a race, those of the first one, and
/// some.
const MOST_KEPT: usize = 6;

impl Workshop {
    pub(super) fn new(commands: Commands) -> Result<Self, String> {
        let scratch = Scratch::new().map_err(|failure| match failure {
            Failure::Request(what) | Failure::Compiler(what) => what,
        })?;
        Ok(Self {
            commands,
            scratch,
            built: None,
            reported: None,
            kept: Vec::new(),
            functions: None,
            expected: None,
            early: None,
            longest: Duration::ZERO,
            runs: 0,
            builds: 0,
        })
    }

    /// Builds the program as the cost model wants it, and says what became of its loops.
    pub(super) fn functions(&mut self) -> Result<Vec<Function>, String> {
        let model = Subject::Profile(String::new());
        if self.commands.build.is_none() {
            // The first run says what is right.
            self.expect()?;
        }
        self.build(&model)
            .map_err(Halt::sentence)?
            .map_err(|said| format!("{said}\nerror: the build command fails"))?;
        let functions = record::read_folder(&self.reports())?;
        if functions.is_empty() {
            let what = if self.commands.build.is_some() { "the build command" } else { "the command" };
            return Err(format!(
                "{what} has compiled no loops with Poly. It has to compile everything each time (make -B), with polycc or \
                 with a compiler that loads the plugin, and with optimization (-O2, -O3)"
            ));
        }
        self.functions = Some(functions.iter().map(|function| function.name.clone()).collect());
        Ok(functions)
    }

    fn reports(&self) -> PathBuf {
        self.scratch.path().join("report")
    }

    /// The value of `POLY_OPTS` for a subject, whose profile and folder for reports are there then.
    fn options(&self, subject: &Subject) -> Result<String, String> {
        let cannot = |error: std::io::Error| format!("{} cannot be written: {error}", self.scratch.path().display());
        let mut words: Vec<String> = self.commands.options.iter().cloned().collect();
        match subject {
            Subject::Original => words.push("disable".to_owned()),
            Subject::Profile(lines) => {
                let file = self.scratch.path().join("profile");
                fs::write(&file, profile(&[], lines)).map_err(cannot)?;
                let reports = self.reports();
                let _ = fs::remove_dir_all(&reports);
                fs::create_dir(&reports).map_err(cannot)?;
                words.push(format!("profile={};report={}", file.display(), reports.display()));
            }
        }
        Ok(words.join(";"))
    }

    /// Sees to it that the subject is what is built; if that fails, gives what the compiler said.
    fn build(&mut self, subject: &Subject) -> Result<Result<(), String>, Halt> {
        if self.built.as_ref() == Some(subject) {
            return Ok(Ok(()));
        }
        self.built = None;
        if let Some(kept) = self.kept.iter_mut().find(|kept| kept.subject == *subject) {
            kept.uses += 1;
            copy_products(&self.commands.products, &kept.folder, Direction::Back).map_err(Halt::Error)?;
            self.built = Some(subject.clone());
            return Ok(Ok(()));
        }
        self.reported = None;
        let options = self.options(subject).map_err(Halt::Error)?;
        let Some(build) = self.commands.build.clone() else {
            let run = self.execute(subject, &options)?;
            self.early = Some((subject.clone(), run));
            (self.built, self.reported) = (Some(subject.clone()), Some(subject.clone()));
            return Ok(Ok(()));
        };
        let mut command = Command::new("sh");
        command.args(["-c", &build]).env("POLY_OPTS", options).env("CCACHE_DISABLE", "1");
        let done = process::run(&mut command, self.scratch.path(), None).map_err(Halt::Error)?;
        if done.ended != Ended::Status(Some(0)) {
            return Ok(Err(String::from_utf8_lossy(&done.errors).trim_end().to_owned()));
        }
        self.keep(subject).map_err(Halt::Error)?;
        (self.built, self.reported) = (Some(subject.clone()), Some(subject.clone()));
        Ok(Ok(()))
    }

    /// Keeps what was built.
    fn keep(&mut self, subject: &Subject) -> Result<(), String> {
        if self.commands.products.is_empty() {
            return Ok(());
        }
        if self.kept.len() >= MOST_KEPT {
            // The champion of a search is needed more often than what is tried once.
            let least = (0..self.kept.len()).min_by_key(|&position| self.kept[position].uses);
            self.forget(least);
        }
        let folder = self.scratch.path().join(format!("kept{}", self.builds));
        self.builds += 1;
        fs::create_dir(&folder).map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
        copy_products(&self.commands.products, &folder, Direction::Away)?;
        self.kept.push(Kept { subject: subject.clone(), folder, uses: 0 });
        Ok(())
    }

    fn forget(&mut self, position: Option<usize>) {
        if let Some(position) = position {
            // The whole folder for temporary files is removed in the end.
            let _ = fs::remove_dir_all(self.kept.remove(position).folder);
        }
    }

    /// Runs what is built, and compares.
    fn execute(&mut self, subject: &Subject, options: &str) -> Result<Run, Halt> {
        let limit = (self.longest > Duration::ZERO).then(|| self.longest * PATIENCE.0 + PATIENCE.1);
        let mut command = Command::new(&self.commands.run[0]);
        command.args(&self.commands.run[1..]);
        if self.commands.build.is_none() {
            command.env("POLY_OPTS", options).env("CCACHE_DISABLE", "1");
        }
        self.runs += 1;
        let done = process::run(&mut command, self.scratch.path(), limit).map_err(Halt::Error)?;
        let Ended::Status(status) = done.ended else { return Ok(Run::TooLong) };
        let output = Output { status, text: self.counted_lines(&done.output) };
        match &self.expected {
            None if *subject == Subject::Original => self.expected = Some(output),
            Some(expected) if *expected == output => {}
            _ => return Ok(Run::Wrong),
        }
        self.longest = self.longest.max(done.time);
        let Some(text) = &self.commands.time_after else { return Ok(Run::Time(done.time.as_secs_f64())) };
        let printed = [done.output, done.errors].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let times: Vec<f64> = printed.iter().flat_map(|printed| times_after(printed, text)).collect();
        if times.is_empty() {
            return Err(Halt::Error(format!("the command prints no line that begins with '{text}' and a number")));
        }
        Ok(Run::Time(times.iter().sum()))
    }

    /// What is compared of what a run printed.
    fn counted_lines(&self, output: &[u8]) -> Vec<u8> {
        let counts = |line: &&[u8]| {
            let line = String::from_utf8_lossy(line);
            let has_time = self.commands.time_after.as_ref().is_some_and(|text| line.trim_start().starts_with(text));
            !has_time && !self.commands.ignored.iter().any(|text| line.contains(text))
        };
        output.split_inclusive(|&byte| byte == b'\n').filter(counts).flatten().copied().collect()
    }

    /// Runs the program without Poly twice, which says what is right.
    ///
    /// # Errors
    /// A sentence if it fails or prints something else each time.
    pub(super) fn expect(&mut self) -> Result<(), String> {
        if self.expected.is_some() {
            return Ok(());
        }
        for _ in 0..2 {
            match self.run(&Subject::Original) {
                Ok(Run::Time(_)) => {}
                Ok(Run::Wrong) => {
                    return Err(
                        "the program prints something else each time, already without Poly: leave lines out of the \
                         comparison with --ignore-lines=TEXT"
                            .to_owned(),
                    );
                }
                Ok(Run::TooLong) => {
                    return Err("the program's second run took far longer than its first one".to_owned());
                }
                Err(halt) => return Err(halt.sentence()),
            }
        }
        match self.expected.as_ref().and_then(|expected| expected.status) {
            Some(0) => Ok(()),
            Some(status) => Err(format!("the command fails without Poly: its exit status is {status}")),
            None => Err("the command ends by a signal without Poly".to_owned()),
        }
    }
}

impl Bench for Workshop {
    fn look(&mut self, subject: &Subject) -> Result<Look, Halt> {
        self.expect().map_err(Halt::Error)?;
        if self.reported.as_ref() != Some(subject) {
            // Only what is built has a report.
            self.forget(self.kept.iter().position(|kept| kept.subject == *subject));
            self.built = None;
        }
        if let Err(said) = self.build(subject)? {
            return Ok(Look::Impossible(format!("the build command fails: {said}")));
        }
        let functions = record::read_folder(&self.reports()).map_err(Halt::Error)?;
        let names: BTreeSet<String> = functions.iter().map(|function| function.name.clone()).collect();
        if functions.is_empty() && matches!(self.early, Some((_, Run::Wrong))) {
            return Ok(Look::Impossible("the command fails".to_owned()));
        }
        if let Some(missing) = self.functions.as_ref().and_then(|known| known.difference(&names).next()) {
            return Err(Halt::Error(format!(
                "the command does not compile {missing} each time: it has to compile everything (make -B)"
            )));
        }
        let Subject::Profile(lines) = subject else { return Ok(Look::Loops(0)) };
        Ok(digest(&functions, lines))
    }

    fn run(&mut self, subject: &Subject) -> Result<Run, Halt> {
        if *subject != Subject::Original {
            self.expect().map_err(Halt::Error)?;
        }
        self.build(subject)?.map_err(|said| Halt::Error(format!("{said}\nerror: the build command fails")))?;
        if let Some((early, run)) = self.early.take()
            && early == *subject
        {
            return Ok(run);
        }
        let options = match &self.commands.build {
            Some(_) => String::new(),
            None => self.options(subject).map_err(Halt::Error)?,
        };
        self.execute(subject, &options)
    }

    fn runs(&self) -> u64 {
        self.runs
    }
}

/// Words that change code but not the plan that reports have.
const CODE_WORDS: &[&str] = &["no-pack", "omp-schedule", "omp-chunk"];

/// What became of the loops, as a hash.
fn digest(functions: &[Function], lines: &str) -> Look {
    let mut text = String::new();
    for function in functions {
        text.push_str(&format!("function {}\n", function.name));
        for record in &function.records {
            let model = record.model.as_ref();
            let fingerprint = model.and_then(|model| model.fingerprint.as_deref()).unwrap_or_default();
            let plan = model.and_then(|model| model.plan.as_ref()).map_or("none", |plan| plan.text.as_str());
            if record.kind == "NoFusion" {
                return Look::Impossible(record.reason.clone().unwrap_or_default());
            }
            // Why nothing was done changes nothing.
            let plan = if record.is_optimized { plan } else { "none" };
            let fingerprint = if record.is_optimized { fingerprint } else { "" };
            text.push_str(&format!("{fingerprint} {} {plan}\n", record.is_optimized));
        }
    }
    for line in lines.lines() {
        let words = line.rsplit(": ").next().unwrap_or_default().split(';');
        for word in words.filter(|word| CODE_WORDS.iter().any(|code| word.starts_with(code))) {
            text.push_str(&format!("{line} has {word}\n"));
        }
    }
    // FNV-1a.
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    Look::Loops(text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}

/// The numbers in the lines that begin with a text.
fn times_after(printed: &str, text: &str) -> Vec<f64> {
    let number = |line: &str| {
        let rest = line.trim_start().strip_prefix(text)?.trim_start_matches([' ', '\t', ':', '=']);
        let end = rest.find(|c: char| !c.is_ascii_digit() && !"+-.eE".contains(c)).unwrap_or(rest.len());
        rest[..end].trim_end_matches(['.', 'e', 'E', '-', '+']).parse().ok()
    };
    printed.lines().filter_map(number).filter(|number: &f64| number.is_finite() && *number >= 0.0).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Away,
    Back,
}

/// Copies products to or from places of their own.
fn copy_products(products: &[PathBuf], folder: &Path, direction: Direction) -> Result<(), String> {
    for (number, product) in products.iter().enumerate() {
        let kept = folder.join(number.to_string());
        let (from, to): (&Path, &Path) = match direction {
            Direction::Away => (product, &kept),
            Direction::Back => (&kept, product),
        };
        if direction == Direction::Back {
            // A program that is still open would be changed; a new file takes its place instead.
            let _ = fs::remove_file(to);
        }
        fs::copy(from, to).map_err(|error| format!("{} cannot be copied: {error}", from.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
