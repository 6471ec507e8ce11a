//! Compiling a file with the plugin, for what the plugin says of it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicU32, Ordering};

use poly_cli::cc::{self, Compiler};

use super::Input;
use super::record::{self, Function};

/// Why nothing can be said.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The request is wrong: a sentence.
    Request(String),
    /// The compiler refused the program: what it said.
    Compiler(String),
}

impl Failure {
    /// Says it on the error stream.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Failure::Request(what) => eprintln!("error: {what}"),
            Failure::Compiler(said) => eprintln!("{}\nerror: the program does not compile", said.trim_end()),
        }
        ExitCode::FAILURE
    }
}

/// A folder for temporary files, removed in the end.
#[derive(Debug)]
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// A new one.
    ///
    /// # Errors
    /// A sentence if it cannot be made, or has a name that an option of Poly cannot have.
    pub(crate) fn new() -> Result<Scratch, Failure> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("poly-{}-{number}", std::process::id()));
        let text = path.display().to_string();
        if text.contains(|c: char| c.is_whitespace() || ";>,()".contains(c)) {
            return Err(Failure::Request(format!(
                "the folder for temporary files, {text}, has a character that options of Poly cannot have: set TMPDIR to another one"
            )));
        }
        fs::create_dir(&path).map_err(|error| Failure::Request(format!("{text} cannot be made: {error}")))?;
        Ok(Scratch(path))
    }

    /// Its path.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left in a folder for temporary files does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The kind of a program, by the name of its file.
fn compiler_for(file: &Path) -> Result<(Compiler, bool), String> {
    cc::compiler_of(file).ok_or_else(|| {
        format!(
            "{}: its name does not end as those of C (.c), C++ (.cpp), Fortran (.f90) or LLVM IR (.ll) do",
            file.display()
        )
    })
}

/// Whether a file has the name of a program.
pub(crate) fn is_program(file: &Path) -> bool {
    compiler_for(file).is_ok()
}

/// The command that compiles the input to a file; `last` are further flags.
///
/// # Errors
/// What is wrong with the request.
pub(crate) fn command(input: &Input, output: &Path, last: &[&str], options: &[String]) -> Result<Command, Failure> {
    let (compiler, is_ir) = compiler_for(&input.file).map_err(Failure::Request)?;
    let name = input.file.display();
    match fs::metadata(&input.file) {
        Err(error) => return Err(Failure::Request(format!("{name} cannot be read: {error}"))),
        Ok(data) if data.is_dir() => return Err(Failure::Request(format!("{name} is a folder"))),
        Ok(_) => {}
    }
    let has_level = input.flags.iter().any(|flag| flag.to_str().is_some_and(|flag| flag.starts_with("-O")));
    let mut arguments: Vec<OsString> = Vec::new();
    if !has_level {
        arguments.push("-O3".into());
    }
    if !is_ir {
        arguments.push("-g".into());
    }
    arguments.extend(input.flags.iter().cloned());
    arguments.extend(last.iter().map(OsString::from));
    arguments.extend([input.file.clone().into_os_string(), "-o".into(), output.into()]);
    cc::command(compiler, arguments, options).map_err(Failure::Request)
}

/// Compiles and says what became of the loops of each function, in the order of the source.
///
/// # Errors
/// Why nothing can be said.
pub(crate) fn functions(input: &Input) -> Result<Vec<Function>, Failure> {
    functions_by(input, |command, _| run(command))
}

/// The same, with a compiler that is run in another way: with a command, and a folder for temporary
/// files.
///
/// # Errors
/// Why nothing can be said.
pub(crate) fn functions_by(
    input: &Input,
    run: impl FnOnce(&mut Command, &Path) -> Result<(), Failure>,
) -> Result<Vec<Function>, Failure> {
    reported(input, &[], run)
}

/// The same as [`functions`], with more options for Poly.
///
/// # Errors
/// Why nothing can be said.
pub(crate) fn functions_with(input: &Input, words: &[String]) -> Result<Vec<Function>, Failure> {
    reported(input, words, |command, _| run(command))
}

fn reported(
    input: &Input,
    words: &[String],
    run: impl FnOnce(&mut Command, &Path) -> Result<(), Failure>,
) -> Result<Vec<Function>, Failure> {
    let scratch = Scratch::new()?;
    let folder = scratch.path().join("report");
    fs::create_dir(&folder)
        .map_err(|error| Failure::Request(format!("{} cannot be made: {error}", folder.display())))?;
    let mut options = words.to_vec();
    options.push(format!("report={}", folder.display()));
    let mut command = command(input, &scratch.path().join("object.o"), &["-c"], &options)?;
    run(&mut command, scratch.path())?;
    record::read_folder(&folder).map_err(Failure::Request)
}

/// Keeps the functions with a text in their name, in the source or in the object file.
///
/// # Errors
/// A sentence if there is none.
pub(crate) fn only(functions: &mut Vec<Function>, part: &str) -> Result<(), String> {
    functions.retain(|function| function.name.contains(part) || function.shown.contains(part));
    if functions.is_empty() {
        return Err(format!("no function with loops has a name that contains '{part}'"));
    }
    Ok(())
}

/// Runs a compiler.
///
/// # Errors
/// What it said, if it failed.
pub(crate) fn run(command: &mut Command) -> Result<(), Failure> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output =
        command.output().map_err(|error| Failure::Request(format!("{program} cannot be executed: {error}")))?;
    if output.status.success() {
        return Ok(());
    }
    Err(Failure::Compiler(String::from_utf8_lossy(&output.stderr).into_owned()))
}
