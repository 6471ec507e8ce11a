//! Runs the input files of isl's own tests through Poly and scores the results by their meaning.
//!
//! # Problem
//! isl comes with a folder `test_inputs` of integer programs, sets, accesses, schedules and
//! programs to generate. Given such a folder, find out for how many of its files Poly's result
//! means the same as isl's. Texts are never compared: sets and functions are compared as sets, in
//! both libraries; programs by the instances that they run.
//!
//! # Definitions
//! A *suite* is a list of *cases*, one per file. A case passes, or fails with one sentence that
//! says why. A file that cannot be read fails. Some suites also count things beside isl's, such as
//! loops; these *measures* are printed but do not decide, except that the programs of the suite
//! `codegen` may not have more loops, conditions, minima and maxima in sum than isl's.
//!
//! # Algorithm
//! [`run`] runs every case in a thread of its own with a large stack and a budget of operations, so
//! that neither a panic nor a hard problem ends the run. Each suite has a module that reads its
//! files; [`text`], [`polylib`] and [`fields`] are the readers that they share.
//!
//! The last line is `N passed, N failed`; the exit status is 1 if something failed.

#![forbid(unsafe_code)]

mod codegen;
mod fields;
mod flow;
mod folder;
mod pip;
mod polylib;
mod run;
mod same;
mod schedule;
mod sets;
mod tables;
mod text;
mod valuations;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};

/// What to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Suite {
    /// Programs generated from schedules: `codegen/**/*.st`, `*.in`.
    Codegen,
    /// Schedules computed from dependences: `schedule/*.sc`.
    Schedule,
    /// Dependences computed from accesses: `flow/*.ai`.
    Flow,
    /// Parametric integer programs: `*.pip`.
    Pip,
    /// Operations on sets: `*.polylib`, `*.omega`, `*.pwqp`.
    Sets,
    /// How much unions of sets are coalesced: tables of `isl_test.c`.
    Coalesce,
    /// How much is left of sets in contexts: tables of `isl_test.c`.
    Gist,
    /// How large hulls are, and how many constraints they have: tables of `isl_test.c`.
    Hull,
}

/// Run the files of isl's own tests and score the results by their meaning.
#[derive(Debug, Parser)]
struct Arguments {
    /// The part of the files to run.
    #[arg(long)]
    suite: Suite,
    /// Only files whose name contains this.
    #[arg(long, default_value = "")]
    filter: String,
    /// A line for every file, not only for those that fail.
    #[arg(long)]
    verbose: bool,
    /// A table of the files whose numbers differ from isl's, those with most in excess first.
    #[arg(long)]
    table: bool,
    /// Suite `codegen`: print Poly's programs, too. Suite `pip`: only print the problems, one
    /// operation on a line as in a trace of Poly.
    #[arg(long)]
    print: bool,
    /// A folder in the layout of isl's `test_inputs`; for tables, the folder of `isl_test.c` or one
    /// in it.
    dir: PathBuf,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.print && arguments.suite == Suite::Pip {
        return print(&arguments);
    }
    let cases = match arguments.suite {
        Suite::Pip => pip::cases(&arguments.dir),
        Suite::Sets => sets::cases(&arguments.dir),
        Suite::Flow => flow::cases(&arguments.dir),
        Suite::Codegen => codegen::cases(&arguments.dir, arguments.print),
        Suite::Schedule => schedule::cases(&arguments.dir),
        Suite::Coalesce => tables::coalesce_cases(&arguments.dir),
        Suite::Gist => tables::gist_cases(&arguments.dir),
        Suite::Hull => tables::hull_cases(&arguments.dir),
    };
    let cases = match cases {
        Ok(cases) => cases,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::FAILURE;
        }
    };
    let chosen = cases.into_iter().filter(|case| case.name.contains(&arguments.filter));
    let report = run::Report {
        verbose: arguments.verbose,
        table: arguments.table,
        bounded: arguments.suite == Suite::Codegen && arguments.filter.is_empty(),
    };
    if run::run(chosen, report) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints the problems of the suite `pip`.
fn print(arguments: &Arguments) -> ExitCode {
    let problems = pip::problems(&arguments.dir);
    match problems {
        Ok(problems) => {
            problems.iter().for_each(|problem| println!("{problem}"));
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
