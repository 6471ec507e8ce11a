//! `poly eq COMMAND FILE [ARGUMENT]...`: systems of recurrence equations.
//!
//! A command reads the system of a file and prints what it found, or the system as the command
//! leaves it. `script` runs the commands of another file one after the other on the same system.

mod bodies;
mod input;
pub(crate) mod program;
pub(crate) mod session;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use poly_equations::System;
use poly_equations::dataflow::{self, Known};
use poly_exchange::{Format, ScopText};
use poly_presburger::Budget;
use session::{COMMANDS, Session};

/// Options of `poly eq`.
#[derive(Debug, clap::Args)]
#[command(after_help = COMMANDS)]
pub(crate) struct Options {
    /// What is to be done; see below.
    pub(crate) command: String,
    /// The file with the equations.
    pub(crate) file: PathBuf,
    /// What the command needs; for `from FILE.c`, flags for the compiler behind `--`.
    pub(crate) arguments: Vec<String>,
    /// Value of a parameter: `N=5`.
    #[arg(short = 'p', long = "param")]
    pub(crate) params: Vec<String>,
    /// Values of an input, in the order of its points: `A=3,1,4` or the name of a file, `A=a.txt`.
    #[arg(short = 'i', long = "input")]
    pub(crate) inputs: Vec<String>,
    /// When values are computed, as for the command `schedule`: `steps`, or functions.
    #[arg(long, default_value = "")]
    pub(crate) order: String,
    /// The system, if it is not the last one of the file.
    #[arg(long)]
    pub(crate) system: Option<String>,
    /// The file to write to, instead of standard output.
    #[arg(short = 'o', long)]
    pub(crate) output: Option<PathBuf>,
    /// Steps that one command may take.
    #[arg(long, default_value_t = 1_000_000_000)]
    pub(crate) operations: u64,
}

impl Options {
    /// A command on a file, and nothing else.
    pub(crate) fn new(command: &str, file: &std::path::Path) -> Self {
        Self {
            command: command.to_owned(),
            file: file.to_owned(),
            arguments: Vec::new(),
            params: Vec::new(),
            inputs: Vec::new(),
            order: String::new(),
            system: None,
            output: None,
            operations: 0,
        }
    }
}

/// Runs `poly eq`: exit status 0 if all went well, 1 if something is wrong with the equations, 2 if
/// a file cannot be read.
pub(crate) fn main(options: &Options) -> ExitCode {
    if options.command == "from" && program::is_program(&options.file) {
        return match program::equations(options) {
            Ok(printed) => finished(Ok(Some(printed)), options),
            Err(failure) => failure.report(),
        };
    }
    let name = options.file.display().to_string();
    let text = match fs::read_to_string(&options.file) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{name}: {error}");
            return ExitCode::from(2);
        }
    };
    if options.command == "from" {
        let system = equations(&name, &text, |_| Known::default(), options.operations);
        return finished(system.map(|system| Some(system.to_string())), options);
    }
    let session = Session::open(&name, &text, options);
    let printed = session.and_then(|mut session| {
        session.command(&options.command, &options.arguments.join(" "))?;
        Ok(session.printed())
    });
    finished(printed, options)
}

/// The equations of a SCoP in a file of another tool.
fn equations(
    name: &str,
    text: &str,
    known: impl FnOnce(&ScopText) -> Known,
    operations: u64,
) -> Result<System, String> {
    let budget = &mut Budget::new(operations);
    let format = Format::of(text).ok_or_else(|| format!("{name}: this is neither JSCoP nor OpenScop"))?;
    let scop = ScopText::read(text, format, budget).map_err(|error| format!("{name}: {error}"))?;
    let problem = scop.problem(budget).map_err(|error| format!("{name}: {error}"))?;
    // A schedule that nobody has changed is the original order.
    let problem = match problem {
        Some(problem) => problem,
        None => {
            let mut original = scop.clone();
            for statement in &mut original.statements {
                statement.original = Some(statement.schedule.clone());
            }
            let problem = original.problem(budget).map_err(|error| format!("{name}: {error}"))?;
            problem.ok_or_else(|| format!("{name}: the order of the statements is not known"))?
        }
    };
    dataflow::equations(&scop.name, &problem, &known(&scop), budget)
}

/// Prints or writes what a command has found.
fn finished(printed: Result<Option<String>, String>, options: &Options) -> ExitCode {
    match (printed, &options.output) {
        (Err(message), _) => {
            eprintln!("{}", message.trim_end());
            ExitCode::from(1)
        }
        (Ok(None), _) => ExitCode::SUCCESS,
        (Ok(Some(printed)), None) => {
            print!("{printed}");
            ExitCode::SUCCESS
        }
        (Ok(Some(printed)), Some(file)) => match fs::write(file, printed) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{}: {error}", file.display());
                ExitCode::from(2)
            }
        },
    }
}
