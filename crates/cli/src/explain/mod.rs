//! `poly explain FILE`: what becomes of the loops of a program, in the words of its source.
//!
//! # Method
//! 1. `inspect` compiles the file and reads what the plugin says of each loop nest.
//! 2. [`words`] makes sentences of it: what was done, when the new loops run, what it is predicted
//!    to gain, or why nothing was done; [`advice`] says what to change then.
//! 3. With `--run`, [`measure`] compiles the program with and without Poly and runs both in turn.

pub(crate) mod advice;
mod json;
mod measure;
pub(crate) mod words;

use std::io::IsTerminal;
use std::process::ExitCode;

use crate::inspect::source::Sources;
use crate::inspect::{Input, compile};
use words::Paint;

const EXAMPLES: &str = "Examples:
  poly explain kernel.c
  poly explain kernel.cpp -- -O2 -march=native --poly-parallel
  poly explain --function init solver.f90
  poly explain --json kernel.ll
  poly explain --run program.c -- -march=native -lm";

/// Options of `poly explain`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    #[command(flatten)]
    input: Input,
    /// Only functions whose name contains this
    #[arg(long)]
    function: Option<String>,
    /// Print JSON
    #[arg(long, conflicts_with = "run")]
    json: bool,
    /// Run the program with and without Poly, several times in turn, and compare output and time
    #[arg(long)]
    run: bool,
    /// How many times each is run
    #[arg(long, default_value_t = 5, requires = "run", value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// An argument for the program that is run; may be repeated
    #[arg(long = "argument", requires = "run", allow_hyphen_values = true)]
    arguments: Vec<std::ffi::OsString>,
}

/// Runs `poly explain`.
pub(crate) fn main(options: &Options) -> ExitCode {
    let mut functions = match compile::functions(&options.input) {
        Ok(functions) => functions,
        Err(failure) => return failure.report(),
    };
    if let Some(part) = &options.function
        && let Err(what) = compile::only(&mut functions, part)
    {
        eprintln!("error: {what}");
        return ExitCode::FAILURE;
    }
    let sources = &mut Sources::near(&options.input.file);
    if options.json {
        println!("{:#}", json::of_functions(&functions, sources));
        return ExitCode::SUCCESS;
    }
    let is_colourful = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let paint = Paint { is_colourful };
    print!("{}", words::explanation(&options.input.file, &functions, sources, paint));
    if !options.run {
        return ExitCode::SUCCESS;
    }
    match measure::measure(&options.input, options.repeat, &options.arguments) {
        Ok(measured) => {
            print!("\n{}", words::measured(&measured, paint));
            if measured.is_same_output { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(failure) => failure.report(),
    }
}
