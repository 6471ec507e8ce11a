//! Scheduling in Poly and in libisl, problem by problem.
//!
//! # Problem
//! How good are Poly's schedules beside those of isl for the same dependences, and how long does
//! either take? How does Poly's time grow with the number of statements?
//!
//! # Definitions
//! A *problem* has the domains, dependences and original order of a SCoP. Real ones are files as
//! `-poly-export` writes them, in a folder for each kernel; others are made here ([`generated`]).
//! What a schedule is good for is defined in [`poly_oracle::quality`]; of a problem the sums over
//! its statements are printed, and it *falls below* isl's if some statement has less than in isl's
//! schedule, or fewer relations are carried.
//!
//! # Algorithm
//! 1. Both schedule in the same process, in several rounds; the smallest processor time of each
//!    counts (neither uses threads). Poly gets the dependences as values, isl as text that is read
//!    anew each time; reading is not timed. isl gets all dependences as validity, coincidence and
//!    proximity.
//! 2. isl runs with its default options, and with bounded coefficients and bands as deep as
//!    possible. It gives up after a number of its own steps.
//! 3. Poly's schedule is judged by the independent checker; permutable bands of all schedules are
//!    tested.
//!
//! # Output
//! Lines of fields separated by tabs: `kernel`, name, SCoPs, statements, loops at most, then depth,
//! parallel, carried of Poly and of isl (where isl ends; its default options if they do),
//! microseconds of Poly and of isl both ways, the SCoPs for which isl gave up in the one way, in
//! the other, in both, what falls below; `generated`, shape, statements, dependences, microseconds,
//! operations, depth, parallel, and for isl microseconds or `-`.

#![forbid(unsafe_code)]

mod compare;
mod generated;
mod problem;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use compare::How;

/// Compare schedulers.
#[derive(Debug, Parser)]
struct Arguments {
    /// Folders with files written by -poly-export, one folder for each kernel.
    kernels: Vec<PathBuf>,
    /// How often each problem is scheduled by either.
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Schedule generated problems with these numbers of statements.
    #[arg(long, value_delimiter = ',')]
    statements: Vec<usize>,
    /// Let isl schedule the generated problems too, up to this number of statements.
    #[arg(long, default_value_t = 0)]
    isl_up_to: usize,
    /// Let isl give up after this number of its steps; 0 for never.
    #[arg(long, default_value_t = 0)]
    isl_operations: u64,
    /// Print all schedules.
    #[arg(long)]
    trees: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let how = How { rounds: arguments.rounds, isl_operations: arguments.isl_operations, trees: arguments.trees };
    for folder in &arguments.kernels {
        let problems = problem::folder(folder)?;
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let compared = compare::kernel(&problems, how)?;
        println!("kernel\t{name}\t{compared}");
    }
    for shape in generated::SHAPES {
        for &statements in &arguments.statements {
            let problem = shape.problem(statements)?;
            let with_isl = statements <= arguments.isl_up_to;
            let measured = compare::scaling(&problem, how, with_isl)?;
            println!("generated\t{}\t{statements}\t{measured}", shape.name());
        }
    }
    Ok(())
}
