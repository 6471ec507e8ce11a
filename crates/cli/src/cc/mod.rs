//! Compilers with Poly switched on: `polycc`, `poly++` and `polyfc`.
//!
//! # Problem
//! To use Poly one has to find the plugin that fits the compiler, load it in two places, hand
//! options over in a way that neither the assembler nor the linker complains of, and link the
//! OpenMP runtime when loops are shared by threads. Build systems want one word for the compiler
//! instead.
//!
//! # Method
//! 1. The name of the program says which compiler is meant: clang, clang++ or flang.
//! 2. [`arguments`] takes the `--poly-...` words out of the command line; all other arguments are
//!    the compiler's, in their order.
//! 3. [`find`] looks for the plugin, beside the program as it is installed or built, and for the
//!    compiler of its LLVM version.
//! 4. The compiler takes the place of this process, so its messages, its exit status and signals
//!    are its own.
//!
//! Options for Poly go into `POLY_OPTS`, behind those that are there: they reach every language,
//! and nobody warns that they are not used when a file is only assembled. The plugin is named in a
//! configuration file of clang for the same reason.
//!
//! # Invariants
//! Nothing is written. An unknown `--poly-...` word is an error, before anything is compiled.

mod arguments;
mod find;
mod page;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use arguments::{Request, Show};
use find::{Host, Machine};

/// A compiler that Poly is a plugin of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    /// For C.
    Clang,
    /// For C++.
    ClangPlusPlus,
    /// For Fortran.
    Flang,
}

impl Compiler {
    /// The one that a program of this name stands for.
    fn of(program: &Path) -> Compiler {
        match program.file_stem().and_then(|stem| stem.to_str()) {
            Some("poly++") => Compiler::ClangPlusPlus,
            Some("polyfc") => Compiler::Flang,
            _ => Compiler::Clang,
        }
    }

    /// The names of its program, the best one first.
    fn programs(self) -> &'static [&'static str] {
        match self {
            Compiler::Clang => &["clang"],
            Compiler::ClangPlusPlus => &["clang++"],
            Compiler::Flang => &["flang-new", "flang"],
        }
    }
}

/// The compiler for a program with this name, and whether it is LLVM IR.
pub fn compiler_of(file: &Path) -> Option<(Compiler, bool)> {
    Some(match file.extension()?.to_str()? {
        "c" | "i" => (Compiler::Clang, false),
        "ll" | "bc" => (Compiler::Clang, true),
        "cpp" | "cc" | "cxx" | "c++" | "C" | "ii" => (Compiler::ClangPlusPlus, false),
        "f" | "for" | "f90" | "f95" | "f03" | "f08" | "f18" | "F" | "F90" | "F95" | "F03" | "F08" => {
            (Compiler::Flang, false)
        }
        _ => return None,
    })
}

/// The plugins that are installed beside this program, newest first, with their LLVM versions.
pub fn plugins() -> Vec<(u32, PathBuf)> {
    find::plugins(&Machine)
}

/// What is executed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Invocation {
    program: PathBuf,
    arguments: Vec<OsString>,
    /// The value of `POLY_OPTS`; `None` leaves it as it is.
    options: Option<String>,
}

/// Compiles, or says why not.
pub fn main(mut arguments: Vec<OsString>) -> ExitCode {
    let program = if arguments.is_empty() { PathBuf::from("polycc") } else { PathBuf::from(arguments.remove(0)) };
    let name = program.file_name().map_or_else(|| "polycc".to_owned(), |name| name.to_string_lossy().into_owned());
    let fail = |message: String| {
        eprintln!("{name}: error: {message}");
        ExitCode::FAILURE
    };
    let request = match arguments::split(arguments) {
        Ok(request) => request,
        Err(message) => return fail(message),
    };
    match request.show {
        Show::Help => {
            print!("{}", arguments::help(&name));
            return ExitCode::SUCCESS;
        }
        Show::Manual => {
            print!("{}", arguments::manual());
            return ExitCode::SUCCESS;
        }
        Show::Version => {
            println!("{name} (Poly) {}", env!("CARGO_PKG_VERSION"));
            return ExitCode::SUCCESS;
        }
        Show::Nothing => {}
    }
    if let Some(file) = &request.report
        && let Err(message) = page::write(&request, file, Machine.own_folder())
    {
        return fail(message);
    }
    let known = std::env::var("POLY_OPTS").ok();
    match invocation(Compiler::of(&program), &request, known.as_deref(), &Machine) {
        Ok(invocation) => fail(replace_process(&invocation)),
        Err(message) => fail(message),
    }
}

/// The command that compiles with these arguments, among them words for Poly, and with more options
/// than those of the environment.
///
/// # Errors
/// A sentence about a word that is not understood, or about what is not there.
pub fn command(compiler: Compiler, arguments: Vec<OsString>, options: &[String]) -> Result<Command, String> {
    let mut request = arguments::split(arguments)?;
    if request.show != Show::Nothing {
        return Err("the flags ask for help or a version; there is nothing to compile".to_owned());
    }
    request.words.extend(options.iter().cloned());
    let known = std::env::var("POLY_OPTS").ok();
    let invocation = invocation(compiler, &request, known.as_deref(), &Machine)?;
    Ok(invocation.command())
}

impl Invocation {
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        if let Some(options) = &self.options {
            command.env("POLY_OPTS", options);
        }
        command
    }
}

/// Executes the compiler in place of this program; if it comes back, it says why it could not.
fn replace_process(invocation: &Invocation) -> String {
    use std::os::unix::process::CommandExt;
    let error = invocation.command().exec();
    format!("{} cannot be executed: {error}", invocation.program.display())
}

/// The command for a request, with the options of the environment.
fn invocation(
    compiler: Compiler,
    request: &Request,
    known: Option<&str>,
    host: &dyn Host,
) -> Result<Invocation, String> {
    let tools = find::tools(compiler, request, host)?;
    let is_inner = request.rest.first().is_some_and(|first| first.to_str().is_some_and(|s| s.starts_with("-cc1")));
    if is_inner {
        // A part of the compiler that its driver calls: all flags are there.
        return Ok(Invocation { program: tools.compiler, arguments: request.rest.clone(), options: None });
    }
    let mut arguments: Vec<OsString> = match compiler {
        Compiler::Flang if is_link_only(&request.rest) => Vec::new(),
        Compiler::Flang => vec![joined("-fpass-plugin=", &tools.plugin)],
        _ => vec![joined("--config=", &tools.plugin.with_file_name("poly.cfg"))],
    };
    if request.explain {
        let remarks = ["-Rpass=poly", "-Rpass-missed=poly", "-Rpass-analysis=poly"];
        arguments.extend(remarks.iter().map(OsString::from));
    }
    arguments.extend(request.rest.iter().cloned());
    let words: Vec<&str> = known.into_iter().chain(request.words.iter().map(String::as_str)).collect();
    if (wants_threads(&words) || profile_wants_threads(&words, host)) && links(&request.rest) {
        arguments.extend(runtime(tools.libraries.as_deref()));
        arguments.extend(inspectors(&tools.plugin, host));
    }
    let options = (!request.words.is_empty()).then(|| words.join(";"));
    Ok(Invocation { program: tools.compiler, arguments, options })
}

fn joined(flag: &str, path: &Path) -> OsString {
    let mut argument = OsString::from(flag);
    argument.push(path);
    argument
}

/// Whether the last word about threads asks for them, for some function at least.
fn wants_threads(words: &[&str]) -> bool {
    let separated = words.iter().flat_map(|text| text.split([';', ' ', '\t', '\n']));
    let value = |word: &str| match word.rsplit('/').next().unwrap_or(word) {
        "parallel" | "parallel=true" => Some(true),
        "no-parallel" | "parallel=false" if !word.contains('/') => Some(false),
        _ => None,
    };
    separated.filter_map(value).next_back().unwrap_or(false)
}

/// Whether the profile asks for threads for some nest.
fn profile_wants_threads(words: &[&str], host: &dyn Host) -> bool {
    let separated = words.iter().flat_map(|text| text.split([';', ' ', '\t', '\n']));
    let Some(file) = separated.filter_map(|word| word.strip_prefix("profile=")).next_back() else { return false };
    let text = host.text(Path::new(file)).unwrap_or_default();
    let options = text.lines().filter(|line| line.starts_with("nest ")).filter_map(|line| line.rsplit_once(": "));
    options.into_iter().any(|(_, options)| options.split(';').any(|word| matches!(word, "parallel" | "parallel=true")))
}

/// The OpenMP runtime, which becomes part of a program only if something in it calls it.
fn runtime(libraries: Option<&Path>) -> Vec<OsString> {
    let mut flags = vec![OsString::from("-Wl,--push-state,--as-needed")];
    if let Some(folder) = libraries {
        flags.push(joined("-L", folder));
        flags.push(joined("-Wl,-rpath,", folder));
    }
    flags.extend(["-lomp", "-Wl,--pop-state"].map(OsString::from));
    flags
}

/// Poly's own run-time library, if it is beside the plugin or where an installation has it. New
/// code refers to it by weak symbols, for which linkers do not look into archives.
fn inspectors(plugin: &Path, host: &dyn Host) -> Vec<OsString> {
    let beside = plugin.with_file_name("libpoly_rt.a");
    let installed = plugin.ancestors().nth(3).map(|folder| folder.join("libpoly_rt.a"));
    let found = [Some(beside), installed].into_iter().flatten().find(|file| host.has(file));
    found.map_or_else(Vec::new, |file| vec![OsString::from("-Wl,-u,poly_rt_enter"), file.into()])
}

/// Flags with which no program is linked.
const NO_LINK: &[&str] = &[
    "-c",
    "-S",
    "-E",
    "-M",
    "-MM",
    "-r",
    "-fsyntax-only",
    "--analyze",
    "--precompile",
    "-emit-ast",
    "--version",
    "-dumpversion",
    "-dumpmachine",
    "-fopenmp",
    "-fopenmp=libomp",
    "--help",
    "-h",
];

/// Whether a program or library is linked to which the runtime is not added anyway.
fn links(arguments: &[OsString]) -> bool {
    let texts: Vec<&str> = arguments.iter().filter_map(|argument| argument.to_str()).collect();
    let stops = |text: &&str| NO_LINK.contains(text) || text.starts_with("-print-") || text.starts_with("--print-");
    let has_input = texts.iter().any(|text| !text.starts_with('-') || *text == "-");
    has_input && !texts.iter().any(stops)
}

/// Whether all inputs are compiled already.
fn is_link_only(arguments: &[OsString]) -> bool {
    let compiled = ["o", "a", "so"];
    let inputs = arguments.iter().map(Path::new).filter(|path| !path.to_string_lossy().starts_with('-'));
    let mut extensions = inputs.filter_map(|path| path.extension()).peekable();
    extensions.peek().is_some() && extensions.all(|extension| compiled.iter().any(|known| extension == *known))
}

#[cfg(test)]
mod tests;
