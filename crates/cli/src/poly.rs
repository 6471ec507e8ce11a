//! `poly eq COMMAND FILE`: systems of recurrence equations; see `eq`.
//!
//! `poly calc [FILE]...`: a calculator for sets, relations, quasi-polynomials, schedules and
//! programs.
//!
//! With files it runs their statements, with `-` or a pipe those of standard input; otherwise
//! people write them, with history and completion. Exit status 0 if all went well, 1 if a statement
//! failed, 2 if a file cannot be read.
//!
//! `poly mpi FILE`: the loops of a program as C with MPI; see `mpi`.
//!
//! `poly explain FILE`: what Poly does with the loops of a program, and why; see `explain`.
//! `poly report FILE`: the same as a page with pictures; see `report`.
//!
//! `poly ast|deps|schedule FILE`: the stages of that. `poly check|fusion-space|apply`: what is
//! legal, of programs and texts.
//!
//! `poly tune -- COMMAND`: options with which a program is faster than with those of the cost
//! model; see `tune`.
//!
//! `poly view FILE`: the page of `poly report` beside an editor, for a browser on this machine; see
//! `view`.
//!
//! `poly completions SHELL`, `poly manual [COMMAND]`: what shells and `man` have to know of these.
#![forbid(unsafe_code)]

mod calc;
mod eq;
mod explain;
mod inspect;
mod mpi;
mod process;
mod report;
mod tune;
mod view;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

/// Looks inside of Poly, and calculates with what it is made of.
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
    /// Writes the loops of a program as C with MPI, for many machines.
    Mpi(mpi::Options),
    /// Says of each loop nest of a program what was found, what was done, or why nothing was.
    Explain(explain::Options),
    /// Writes a page with pictures about what was done with the loops of a program.
    Report(report::Options),
    /// Looks for options with which a program is faster, by running it.
    Tune(tune::Options),
    /// Shows a program and what is done with its loops in a browser, while one types.
    View(view::Options),
    /// Prints the new loops of a program.
    Ast(inspect::StageOptions),
    /// Prints the dependences of the loops of a program.
    Deps(inspect::StageOptions),
    /// Prints the new order of the loops of a program as schedule trees.
    Schedule(inspect::StageOptions),
    /// Judges the schedules of a program or in a file: whether all dependences go forward.
    Check(inspect::legal::CheckOptions),
    /// Lists the legal ways in which the statements of a program can share loops.
    FusionSpace(inspect::legal::FusionOptions),
    /// Applies rewrites to the loops of a program, step by step, where they are legal.
    Apply(inspect::legal::ApplyOptions),
    /// Prints what a shell needs to complete the words of `poly`.
    #[command(after_help = "Examples:
  poly completions bash > ~/.local/share/bash-completion/completions/poly
  poly completions fish > ~/.config/fish/completions/poly.fish")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Prints a manual page.
    #[command(after_help = "Examples:
  poly manual | man -l -
  poly manual tune | man -l -")]
    Manual {
        /// The command that it is about, or all of `poly`
        command: Option<String>,
    },
}

fn main() -> ExitCode {
    // It is read as long as the process lives.
    let version: &'static str = version().leak();
    let matches = Arguments::command().version(version).get_matches();
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match arguments.command {
        Command::Calc(options) => calc::main(&options),
        Command::Eq(options) => eq::main(&options),
        Command::Mpi(options) => mpi::main(&options),
        Command::Explain(options) => explain::main(&options),
        Command::Report(options) => report::main(&options),
        Command::Tune(options) => tune::main(&options),
        Command::View(options) => view::main(&options),
        Command::Ast(options) => inspect::stage(&options, inspect::Stage::Loops),
        Command::Deps(options) => inspect::stage(&options, inspect::Stage::Dependences),
        Command::Schedule(options) => inspect::stage(&options, inspect::Stage::Schedule),
        Command::Check(options) => inspect::legal::check(&options),
        Command::FusionSpace(options) => inspect::legal::fusion_space(&options),
        Command::Apply(options) => inspect::legal::apply(&options),
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Arguments::command(), "poly", &mut std::io::stdout());
            ExitCode::SUCCESS
        }
        Command::Manual { command } => manual(command.as_deref()),
    }
}

/// The version of this program, and for which LLVM there are plugins.
fn version() -> String {
    let plugins = poly_cli::cc::plugins();
    let own = env!("CARGO_PKG_VERSION");
    let mut text = format!("{own}\ncore: poly-presburger {own}, integers by GMP");
    if plugins.is_empty() {
        text.push_str("\nplugin: none beside this program");
    }
    for (llvm, file) in plugins {
        text.push_str(&format!("\nplugin for LLVM {llvm}: {}", file.display()));
    }
    text
}

/// Prints the page about a command, or about all.
fn manual(command: Option<&str>) -> ExitCode {
    let mut all = Arguments::command();
    all.build();
    let page = match command {
        None => all,
        Some(name) => match all.find_subcommand(name) {
            Some(found) => found.clone(),
            None => {
                eprintln!("error: there is no command `poly {name}`");
                return ExitCode::FAILURE;
            }
        },
    };
    match clap_mangen::Man::new(page).render(&mut std::io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: the page cannot be written: {error}");
            ExitCode::FAILURE
        }
    }
}
