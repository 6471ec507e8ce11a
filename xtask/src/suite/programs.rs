//! End-to-end programs: compiled with and without Poly, run, and compared byte for byte.
//!
//! Each program of `test/e2e`, `test/fields` and `test/kernels` is compiled in several
//! configurations. What it prints and its exit status with Poly must be what they are without, with
//! the same flags; for one configuration the reference is the program as written, compiled at
//! `-O0`. Each configuration of each program is one test.
//!
//! A program that Poly declines would pass without having tested anything. So a line
//! `// poly: optimizes NAME` in it demands a remark that function NAME was optimized in the
//! configurations that force it. Remarks that report an internal error fail every configuration;
//! one of these is that a loop has no remark, or several. With debug information every remark must
//! have a place, and no array may be called unnamed.
//!
//! A line `// poly: one scop NAME` demands that all loops of function NAME are in one SCoP, also if
//! the sizes are symbolic (`-DSYMBOLIC`), which is one more test.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::Tally;
use crate::command::{self, End, Output};
use crate::llvm::{self, Llvm};
use crate::progress::Step;
use crate::remarks::{self, Kind, Remark};
use crate::workspace;

/// Promised: compilation ends. Generous, because tests share the machine.
const COMPILE_LIMIT: Duration = Duration::from_secs(180);

/// Promised: compiling takes at most twice as long as without Poly, and this.
const COMPILE_SLACK: Duration = Duration::from_secs(1);

/// A program runs for milliseconds; one whose loops no longer end is stopped.
const RUN_LIMIT: Duration = Duration::from_secs(60);

/// How the program is compiled without Poly to know what it should print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reference {
    /// `-O3`
    Optimized,
    /// `-O3 -march=native`
    Native,
    /// `-O3 -march=x86-64-v3`
    Avx2,
    /// `-O0 -ffp-contract=off`: the program as written
    AsWritten,
}

impl Reference {
    fn flags(self) -> &'static [&'static str] {
        match self {
            Reference::Optimized => &["-O3"],
            Reference::Native => &["-O3", "-march=native"],
            Reference::Avx2 => &["-O3", "-march=x86-64-v3"],
            Reference::AsWritten => &["-O0", "-ffp-contract=off"],
        }
    }
}

/// A way to compile a program with Poly.
#[derive(Debug)]
struct Configuration {
    name: &'static str,
    flags: &'static [&'static str],
    /// The value of `POLY_OPTS`.
    options: Option<&'static str>,
    /// Whether Poly must change what the program says it optimizes.
    forced: bool,
    openmp: bool,
    reference: Reference,
}

/// The value of `POLY_OPTS` that makes Poly transform whatever it can.
const FORCE: &str = "force;process-unprofitable";

const CONFIGURATIONS: [Configuration; 6] = [
    Configuration {
        name: "default",
        flags: &["-O3"],
        options: None,
        forced: false,
        openmp: false,
        reference: Reference::Optimized,
    },
    Configuration {
        name: "force",
        flags: &["-O3", "-march=native"],
        options: Some(FORCE),
        forced: true,
        openmp: false,
        reference: Reference::Native,
    },
    Configuration {
        name: "small-tiles",
        flags: &["-O3", "-g"],
        options: Some("force;process-unprofitable;tile-sizes=5,3,7;register-tile-sizes=3,2;block-size=6"),
        forced: true,
        openmp: false,
        reference: Reference::Optimized,
    },
    Configuration {
        name: "parallel",
        flags: &["-O3", "-march=native"],
        options: Some("parallel;force;process-unprofitable;block-size=24"),
        forced: true,
        openmp: true,
        reference: Reference::Native,
    },
    Configuration {
        name: "as-written",
        flags: &["-O3", "-ffp-contract=off"],
        options: Some(FORCE),
        forced: true,
        openmp: false,
        reference: Reference::AsWritten,
    },
    Configuration {
        name: AVX2,
        flags: &["-O3", "-march=x86-64-v3"],
        options: Some(FORCE),
        forced: true,
        openmp: false,
        reference: Reference::Avx2,
    },
];

/// The configuration for vectors of 32 bytes without masks. Only some hosts can run them, and on
/// those without wider ones `-march=native` has made them already.
const AVX2: &str = "avx2";

/// The configurations that programs can be run in here, by their places among all.
fn usual_configurations() -> Vec<usize> {
    #[cfg(target_arch = "x86_64")]
    let with_avx2 = std::is_x86_feature_detected!("avx512f");
    #[cfg(not(target_arch = "x86_64"))]
    let with_avx2 = false;
    (0..CONFIGURATIONS.len()).filter(|&k| with_avx2 || CONFIGURATIONS[k].name != AVX2).collect()
}

/// Those that show what an LLVM version makes of programs and of Poly's code: its own optimization,
/// debug information, wide vectors and OpenMP. The others differ in what Poly does, which the first
/// version shows.
pub(crate) const WITH_EACH_VERSION: [&str; 3] = ["default", "small-tiles", "parallel"];

/// What a program does without Poly.
#[derive(Debug)]
struct Expected {
    /// What it prints; nothing if it has no `main`.
    output: Option<Output>,
    /// The compiler's own warnings, which are not Poly's.
    compiler_said: String,
    /// How long compiling took.
    time: Duration,
    /// The object file.
    object: PathBuf,
}

/// A program to test.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    /// What it is called in reports.
    pub(crate) name: String,
    /// Its C source.
    pub(crate) source: PathBuf,
    /// Flags that it needs.
    pub(crate) flags: Vec<String>,
    /// The functions that Poly must optimize when forced.
    pub(crate) optimized: Vec<String>,
    /// The functions all loops of which must be in one SCoP.
    pub(crate) joined: Vec<String>,
}

/// Compiles and runs every program.
pub(crate) fn run(bench: &Bench, filter: Option<&str>) -> Result<Tally> {
    let mut programs = discover()?;
    programs.retain(|program| filter.is_none_or(|part| program.name.contains(part)));
    let step = Step::begin_counted(format!("programs, LLVM {}", bench.llvm), programs.len());
    let verdicts = command::in_parallel(&programs, |program| {
        step.note(&program.name);
        let verdict = bench.test(program);
        if let Ok(verdict) = &verdict {
            print!("{}", verdict.failures());
        }
        step.advance();
        verdict
    });
    let mut tally = Tally::default();
    for verdict in verdicts {
        tally += verdict?.tally();
    }
    step.end(&tally.to_string());
    Ok(tally)
}

/// The programs in the repository, by name.
fn discover() -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    for (folder, flags) in [("e2e", &[][..]), ("fields", &["-DTEST"]), ("kernels", &["-DSIZE=SMALL"])] {
        let path = workspace::root().join("test").join(folder);
        for entry in fs::read_dir(&path).with_context(|| format!("cannot read {}", workspace::shown(&path)))? {
            let source = entry?.path();
            if source.extension().is_some_and(|extension| extension == "c" || extension == "cpp") {
                programs.push(Program::read(folder, source, flags)?);
            }
        }
    }
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(programs)
}

impl Program {
    fn read(folder: &str, source: PathBuf, flags: &[&str]) -> Result<Program> {
        let text = fs::read_to_string(&source).with_context(|| format!("cannot read {}", workspace::shown(&source)))?;
        let stem = source.file_stem().expect("a file with an extension has a stem").to_string_lossy().into_owned();
        let demanded = |what: &str| -> Vec<String> {
            let demands = text.lines().filter_map(|line| line.trim().strip_prefix("// poly: ")?.strip_prefix(what));
            demands.flat_map(str::split_whitespace).map(str::to_owned).collect()
        };
        Ok(Program {
            name: format!("{folder}/{stem}"),
            optimized: demanded("optimizes "),
            joined: demanded("one scop "),
            flags: flags.iter().map(|&flag| flag.to_owned()).collect(),
            source,
        })
    }
}

/// What came of the tests of one program.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    /// Who it is about.
    title: String,
    /// How many configurations were right.
    passed: usize,
    /// What is wrong in the others.
    problems: Vec<Problem>,
    /// Whether Poly changed anything in some configuration.
    pub(crate) changed: bool,
    /// Whether the program has no `main` and was only compiled.
    pub(crate) only_compiled: bool,
    /// The configuration in which compiling takes more than what is promised, and how long without
    /// Poly and with it.
    pub(crate) slow: Option<(&'static str, Duration, Duration)>,
}

/// Something wrong with a program.
#[derive(Debug)]
struct Problem {
    /// The configuration, by its place among all; none if it fails without Poly, or with other
    /// sizes.
    configuration: Option<usize>,
    /// What is wrong.
    text: String,
    /// The command that shows it.
    again: String,
}

impl Verdict {
    /// Passed and failed configurations.
    pub(crate) fn tally(&self) -> Tally {
        Tally { passed: self.passed, failed: self.problems.len() }
    }

    /// Whether the program fails without Poly, too: it says nothing about Poly.
    pub(crate) fn says_nothing(&self) -> bool {
        self.passed == 0 && self.problems.iter().all(|problem| problem.configuration.is_none())
    }

    /// The first configuration that is wrong.
    pub(crate) fn first_failure(&self) -> Option<usize> {
        self.problems.iter().find_map(|problem| problem.configuration)
    }

    /// A paragraph for each problem; the same one in several configurations is told once.
    pub(crate) fn failures(&self) -> String {
        let mut text = String::new();
        for (k, problem) in self.problems.iter().enumerate() {
            if self.problems[..k].iter().any(|earlier| earlier.text == problem.text) {
                continue;
            }
            let same = self.problems[k..].iter().filter(|other| other.text == problem.text);
            let name = |problem: &Problem| problem.configuration.map_or("no configuration", |k| CONFIGURATIONS[k].name);
            let names: Vec<&str> = same.map(name).collect();
            let Problem { text: what, again, .. } = problem;
            text.push_str(&format!("FAILED: {} ({}): {what}\n    {again}\n", self.title, names.join(", ")));
        }
        text
    }
}

/// What programs are tested with.
#[derive(Debug)]
pub(crate) struct Bench {
    llvm: Llvm,
    plugin: PathBuf,
    folder: PathBuf,
    /// The configurations, by their places among all.
    configurations: Vec<usize>,
    /// Where transformation is forced, random rewrites take the place of the search; which ones
    /// depends on this and the program's name.
    rewrites: Option<u64>,
    /// What becomes of a program without `main`.
    without_main: WithoutMain,
}

/// What becomes of a program without `main`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WithoutMain {
    /// It is wrong.
    Refused,
    /// It is compiled, and not run.
    Compiled,
}

impl Bench {
    /// A bench for one LLVM version and its plugin that builds in `folder`.
    pub(crate) fn new(llvm: Llvm, plugin: &Path, folder: &Path) -> Bench {
        let configurations = usual_configurations();
        let (plugin, folder) = (plugin.to_path_buf(), folder.to_path_buf());
        Bench { llvm, plugin, folder, configurations, rewrites: None, without_main: WithoutMain::Refused }
    }

    /// The same where this becomes of programs without `main`.
    pub(crate) fn without_main(self, without_main: WithoutMain) -> Bench {
        Bench { without_main, ..self }
    }

    /// The same with the configurations of these names only.
    ///
    /// # Errors
    /// A name that no configuration has.
    pub(crate) fn only(mut self, names: &[impl AsRef<str>]) -> Result<Bench> {
        let number = |name: &str| {
            let found = CONFIGURATIONS.iter().position(|configuration| configuration.name == name);
            let known: Vec<&str> = CONFIGURATIONS.iter().map(|configuration| configuration.name).collect();
            found.with_context(|| format!("there is no configuration '{name}'; there are {}", known.join(", ")))
        };
        self.configurations = names.iter().map(|name| number(name.as_ref())).collect::<Result<_>>()?;
        Ok(self)
    }

    /// The same with random rewrites in place of the search, if there is a seed for them.
    pub(crate) fn with_rewrites(self, seed: Option<u64>) -> Bench {
        Bench { rewrites: seed, ..self }
    }

    /// The options of a configuration for a program.
    fn options(&self, with: &Configuration, program: &Program) -> Option<String> {
        let seed = self.rewrites.filter(|_| with.forced).map(|seed| {
            let name =
                program.name.bytes().fold(0, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
            format!(";random-rewrites={}", seed.wrapping_add(name % (1 << 32)))
        });
        with.options.map(|options| options.to_owned() + &seed.unwrap_or_default())
    }

    /// Tests a program in every configuration.
    pub(crate) fn test(&self, program: &Program) -> Result<Verdict> {
        let mut verdict = Verdict { title: format!("{}, LLVM {}", program.name, self.llvm), ..Verdict::default() };
        let mut references: BTreeMap<Reference, Expected> = BTreeMap::new();
        let folder = self.folder_of(program)?;
        for &k in &self.configurations {
            let configuration = &CONFIGURATIONS[k];
            let reference = configuration.reference;
            if let Entry::Vacant(entry) = references.entry(reference) {
                match self.reference(program, reference, &folder)? {
                    Ok(expected) => {
                        verdict.only_compiled |= expected.output.is_none();
                        entry.insert(expected);
                    }
                    Err(problem) => {
                        verdict.problems.push(problem);
                        return Ok(verdict);
                    }
                }
            }
            let outcome = self.configuration(program, k, &folder, &references[&reference])?;
            verdict.changed |= outcome.changed;
            let plain = references[&reference].time;
            if outcome.time > 2 * plain + COMPILE_SLACK && verdict.slow.is_none_or(|(.., time)| time < outcome.time) {
                verdict.slow = Some((configuration.name, plain, outcome.time));
            }
            match outcome.problem {
                Some(problem) => verdict.problems.push(problem),
                None => verdict.passed += 1,
            }
        }
        if !program.joined.is_empty() {
            match self.symbolic(program, &folder)? {
                Some(problem) => verdict.problems.push(problem),
                None => verdict.passed += 1,
            }
        }
        Ok(verdict)
    }

    /// What is wrong with the SCoPs of a program with symbolic sizes. It is only compiled.
    fn symbolic(&self, program: &Program, folder: &Path) -> Result<Option<Problem>> {
        let record = folder.join("symbolic.yaml");
        let _ = fs::remove_file(&record);
        let mut compile = self.compiler(program, &folder.join("symbolic.o"));
        compile.args(["-O3", "-DSYMBOLIC", "-c"]).arg(format!("-fpass-plugin={}", self.plugin.display()));
        let again = format!("POLY_OPTS={} {}", command::quoted(FORCE), command::shown(&compile));
        compile.env("POLY_OPTS", FORCE).args(remarks::record_arguments(&record));
        let compiled = command::capture(&mut compile, COMPILE_LIMIT)?;
        let text = match compiled.end.success() {
            true => several_scops(program, &remarks::read(&record)),
            false => Some(format!("compiling ends with {}", compiled.end)),
        };
        let text = text.map(|text| format!("with symbolic sizes, {text}"));
        Ok(text.map(|text| Problem { configuration: None, text, again }))
    }

    /// Whether a program is wrong in one configuration.
    pub(crate) fn fails(&self, program: &Program, configuration: usize) -> Result<bool> {
        let folder = self.folder_of(program)?;
        let Ok(expected) = self.reference(program, CONFIGURATIONS[configuration].reference, &folder)? else {
            return Ok(false);
        };
        Ok(self.configuration(program, configuration, &folder, &expected)?.problem.is_some())
    }

    fn folder_of(&self, program: &Program) -> Result<PathBuf> {
        let folder = self.folder.join(&program.name);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(folder)
    }

    /// What the program does without Poly.
    fn reference(&self, program: &Program, reference: Reference, folder: &Path) -> Result<Result<Expected, Problem>> {
        let binary = folder.join(format!("{reference:?}"));
        let object = folder.join(format!("{reference:?}.o"));
        let mut compile = self.compiler(program, &object);
        compile.args(reference.flags()).arg("-c");
        let again = command::shown(&compile);
        // Whoever asks for a record gets places in the code, too: so that object files can be
        // compared, this one is asked for one.
        compile.args(remarks::record_arguments(&folder.join(format!("{reference:?}.yaml"))));
        let problem = |text: String| Ok(Err(Problem { configuration: None, text, again }));
        let begun = Instant::now();
        let compiled = command::capture(&mut compile, COMPILE_LIMIT)?;
        let time = begun.elapsed();
        if !compiled.end.success() {
            let log = command::excerpt(&compiled.text(), 12);
            return problem(format!("it does not compile: {}\n{log}", compiled.end));
        }
        let linked = command::capture(&mut self.linker(program, &object, &binary), COMPILE_LIMIT)?;
        let expected =
            |output| Ok(Ok(Expected { output, compiler_said: compiled.error_text(), time, object: object.clone() }));
        if self.without_main == WithoutMain::Compiled && lacks_main(&linked) {
            return expected(None);
        }
        if !linked.end.success() {
            return problem(format!("it does not link: {}\n{}", linked.end, command::excerpt(&linked.text(), 12)));
        }
        let output = execute(&binary)?;
        if output.end == End::TimeLimit || matches!(output.end, End::Signal(_)) {
            return problem(format!("it ends with {}", output.end));
        }
        expected(Some(output))
    }

    /// Compiles and runs the program with Poly.
    fn configuration(&self, program: &Program, number: usize, folder: &Path, expected: &Expected) -> Result<Outcome> {
        let with = &CONFIGURATIONS[number];
        let (binary, object) = (folder.join(with.name), folder.join(format!("{}.o", with.name)));
        let record = folder.join(format!("{}.yaml", with.name));
        let _ = fs::remove_file(&record);
        let mut compile = self.compiler(program, &object);
        compile.args(with.flags).arg("-c").arg(format!("-fpass-plugin={}", self.plugin.display()));
        let mut again = command::shown(&compile);
        if let Some(options) = self.options(with, program) {
            compile.env("POLY_OPTS", &options);
            again = format!("POLY_OPTS={} {again}", command::quoted(&options));
        }
        compile.args(remarks::record_arguments(&record));
        let begun = Instant::now();
        let compiled = command::capture(&mut compile, COMPILE_LIMIT)?;
        let time = begun.elapsed();
        let remarks = remarks::read(&record);
        let changed = remarks.iter().any(|remark| remark.kind == Kind::Passed);
        let complaint = complaint(&compiled, expected).or_else(|| broken_promise(program, with, &remarks));
        let text = match (complaint, &expected.output) {
            (Some(text), _) => Some(text),
            (None, None) => None,
            // What is the same does the same.
            (None, Some(_)) if fs::read(&object)? == fs::read(&expected.object)? => None,
            (None, Some(expected)) => {
                let mut link = self.linker(program, &object, &binary);
                if with.openmp {
                    link.args(llvm::openmp_arguments());
                    // What is weak is only linked if somebody asks for it.
                    link.arg("-Wl,-u,poly_rt_enter").arg(self.plugin.with_file_name("libpoly_rt.a"));
                }
                let linked = command::capture(&mut link, COMPILE_LIMIT)?;
                match linked.end.success() {
                    true => difference(expected, &execute(&binary)?),
                    false => Some(format!("it does not link\n{}", command::excerpt(&linked.text(), 12))),
                }
            }
        };
        let problem = text.map(|text| Problem { configuration: Some(number), text, again });
        Ok(Outcome { changed, problem, time })
    }

    /// The command that compiles a program to an object file, without what makes the configurations
    /// differ.
    fn compiler(&self, program: &Program, object: &Path) -> Command {
        let mut command = Command::new(self.llvm.tool("clang"));
        command.env_remove("POLY_OPTS").env_remove("CCC_OVERRIDE_OPTIONS");
        command.args(&program.flags).arg(&program.source).arg("-o").arg(object);
        command
    }

    /// The command that makes a program of an object file. The host's compiler starts the linker
    /// three times as fast as clang, which is asked where its own libraries may be needed.
    fn linker(&self, program: &Program, object: &Path, binary: &Path) -> Command {
        let flags: Vec<&String> = program.flags.iter().filter(|flag| concerns_linker(flag)).collect();
        let mut command = Command::new(if flags.is_empty() { PathBuf::from("cc") } else { self.llvm.tool("clang") });
        command.args(flags).arg(object).arg("-o").arg(binary).args(["-lm", "-lstdc++"]);
        command
    }
}

/// Whether a flag of the compiler must be the linker's, too.
fn concerns_linker(flag: &str) -> bool {
    ["-flto", "-fsanitize", "-fuse-ld", "-m32"].iter().any(|start| flag.starts_with(start))
}

/// Whether linking ended as there is no function `main`.
fn lacks_main(linked: &Output) -> bool {
    let text = linked.text();
    !linked.end.success()
        && ["undefined reference to `main'", "undefined symbol: main"].iter().any(|said| text.contains(said))
}

/// What came of one configuration.
#[derive(Debug)]
struct Outcome {
    changed: bool,
    problem: Option<Problem>,
    /// How long compiling took.
    time: Duration,
}

/// What is wrong with how a compilation with Poly went.
fn complaint(compiled: &Output, expected: &Expected) -> Option<String> {
    if !compiled.end.success() {
        let log = command::excerpt(&compiled.text(), 12);
        return Some(format!("compiling ends with {}\n{log}", compiled.end));
    }
    let news = lines_not_in(&compiled.error_text(), &expected.compiler_said);
    (!news.is_empty()).then(|| format!("compiling prints\n{}", command::excerpt(&news, 12)))
}

/// What the remarks say that must not be: an error inside Poly, or a function left alone that must
/// not be.
fn broken_promise(program: &Program, with: &Configuration, remarks: &[Remark]) -> Option<String> {
    if let Some(remark) = remarks.iter().find(|remark| remark.message().contains("internal error")) {
        return Some(format!("in {}: {}", remark.function, remark.message()));
    }
    if with.flags.contains(&"-g") {
        let is_vague = |remark: &&Remark| !remark.has_place || remark.message().contains("unnamed");
        if let Some(remark) = remarks.iter().find(is_vague) {
            return Some(format!("in {}, a remark without place or name: {}", remark.function, remark.message()));
        }
    }
    if !with.forced {
        return None;
    }
    if let Some(text) = several_scops(program, remarks) {
        return Some(text);
    }
    let is_about = |remark: &&Remark, name: &str| remark.function == name;
    let left_alone = |name: &&String| {
        let mut own = remarks.iter().filter(|remark| is_about(remark, name));
        own.all(|remark| remark.kind != Kind::Passed)
    };
    let name = program.optimized.iter().find(left_alone)?;
    let own = remarks.iter().filter(|remark| is_about(remark, name));
    let reasons = own.take(4).map(|remark| format!("\n    {}", remark.message()));
    Some(format!("{name} is not optimized{}", reasons.collect::<String>()))
}

/// A function that must be one SCoP and is not: every loop has one remark, so it must have just
/// one, which is about a SCoP.
fn several_scops(program: &Program, remarks: &[Remark]) -> Option<String> {
    let own = |name: &str| remarks.iter().filter(move |remark| remark.function == name).collect::<Vec<_>>();
    let is_joined = |name: &&String| matches!(own(name).as_slice(), [only] if only.argument("Loops").is_some());
    let name = program.joined.iter().find(|name| !is_joined(name))?;
    let messages = own(name).into_iter().take(4).map(|remark| format!("\n    {}", remark.message()));
    Some(format!("{name} is not one SCoP{}", messages.collect::<String>()))
}

/// The lines of `text` that are not among those of `known`.
fn lines_not_in(text: &str, known: &str) -> String {
    let is_new = |line: &&str| !known.lines().any(|other| other == *line);
    text.lines().filter(is_new).collect::<Vec<_>>().join("\n")
}

fn execute(binary: &Path) -> Result<Output> {
    let mut command = Command::new(binary);
    // Two threads, which sleep when they wait: several programs run side by side.
    command.env("OMP_NUM_THREADS", "2").env("OMP_WAIT_POLICY", "passive").env("KMP_BLOCKTIME", "0");
    command::capture(&mut command, RUN_LIMIT)
}

/// What differs between two runs, in a sentence and the first line that differs.
fn difference(expected: &Output, got: &Output) -> Option<String> {
    if expected.end != got.end {
        return Some(format!("it ends with {}, without Poly with {}", got.end, expected.end));
    }
    if expected.stdout == got.stdout {
        return None;
    }
    let (expected, got) = (String::from_utf8_lossy(&expected.stdout), String::from_utf8_lossy(&got.stdout));
    let (mut left, mut right) = (expected.lines(), got.lines());
    for line in 1.. {
        match (left.next(), right.next()) {
            (None, None) => break,
            (a, b) if a == b => {}
            (a, b) => {
                let shown = |text: Option<&str>| text.map_or_else(|| "(nothing)".to_owned(), shortened);
                let (a, b) = (shown(a), shown(b));
                return Some(format!("output differs in line {line}:\n    without Poly: {a}\n    with Poly:    {b}"));
            }
        }
    }
    Some("output differs in how its lines end".to_owned())
}

fn shortened(line: &str) -> String {
    if line.chars().count() <= 100 { line.to_owned() } else { line.chars().take(100).chain("...".chars()).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(text: &str, end: End) -> Output {
        Output { end, stdout: text.as_bytes().to_vec(), stderr: Vec::new() }
    }

    #[test]
    fn the_first_line_that_differs_is_shown() {
        let expected = output("a 1\nb 2\n", End::Exit(0));
        assert_eq!(difference(&expected, &output("a 1\nb 2\n", End::Exit(0))), None);
        let text = difference(&expected, &output("a 1\nb 3\n", End::Exit(0))).unwrap();
        assert_eq!(text, "output differs in line 2:\n    without Poly: b 2\n    with Poly:    b 3");
        let text = difference(&expected, &output("a 1\n", End::Exit(0))).unwrap();
        assert!(text.contains("with Poly:    (nothing)"));
        let text = difference(&expected, &output("a 1\nb 2", End::Exit(0))).unwrap();
        assert!(text.contains("how its lines end"));
    }

    #[test]
    fn the_way_a_program_ends_counts() {
        let text = difference(&output("", End::Exit(0)), &output("", End::Signal(11))).unwrap();
        assert_eq!(text, "it ends with a crash (segmentation fault), without Poly with exit status 0");
    }
}
