//! `poly-check [--original FILE] FILE...`: judges schedules in files, as `-poly-export` writes them
//! in any of its formats.
//!
//! For each file one line: that the schedule is legal, or which pair of instances it runs in the
//! wrong order. Exit status 0 if all are legal, 1 if one is not, 2 if one cannot be read.
//! `poly check` does the same, and more.
#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

/// Judges schedules in files, as the option export=FOLDER of Poly writes them.
#[derive(Debug, Parser)]
#[command(
    name = "poly-check",
    version,
    after_help = "Examples:
  poly-check schedules/kernel.0.poly
  poly-check --original exported.jscop changed.jscop"
)]
struct Arguments {
    /// The schedules
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// A file of the same program with its original schedule, for files that do not say what that
    /// was
    #[arg(long, value_name = "FILE")]
    original: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    poly_cli::judge::say_all(&arguments.files, arguments.original.as_deref())
}
