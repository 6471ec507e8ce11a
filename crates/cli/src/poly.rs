//! `poly eq COMMAND FILE`: systems of recurrence equations; see `eq`.
//!
//! `poly calc [FILE]...`: a calculator for sets, relations, quasi-polynomials, schedules and programs.
//!
//! With files it runs their statements, with `-` or a pipe those of standard input; otherwise people write them, with history and completion. Exit status 0 if all went well, 1
//! if a statement failed, 2 if a file cannot be read.
#![forbid(unsafe_code)]

mod calc;
mod eq;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Exact integer sets, schedules and programs.
#[derive(Debug, Parser)]
#[command(name = "poly", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// A calculator for sets, relations, quasi-polynomials, schedules and programs.
    Calc(calc::Options),
    /// Systems of recurrence equations: check, run, transform, schedule, compile.
    Eq(eq::Options),
}

fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Calc(options) => calc::main(&options),
        Command::Eq(options) => eq::main(&options),
    }
}
