//! The operations of real compilations, timed in Poly and in libisl side by side.
//!
//! # Problem
//! How long do the set operations take that compiling a program performs, and how does that compare
//! with isl, operation by operation?
//!
//! # Definitions
//! A *case* is one line of a trace (see `poly_presburger`'s module `trace`): the name of an
//! operation and the texts of its operands, separated by tabs. Equal lines are one case with a
//! *weight*, the number of lines. The *class* of a case is the name of its operation.
//!
//! # Algorithm
//! 1. Read the traces; lines that are no operation are passed over.
//! 2. For each case, several rounds: read the operands twice in Poly, run the operation on the
//!    first copies, so that its code is in the caches as it is in a compilation, then on the second
//!    ones, and take the time of this alone; the same in isl, in the same process. Operands are
//!    read anew each time because isl keeps what it found out about a set with the set. The
//!    smallest time of each side counts.
//! 3. For each class the ratio of isl's time to Poly's: of the sums (each case once, and weighted),
//!    and the geometric mean of the cases' own ratios. The last line has the geometric mean over
//!    all cases.
//! 4. With `--check`, results that are determined by the operands are compared by isl.
//! 5. With `--only poly` or `--only isl`, everything is run once in one library; the largest
//!    resident set from the moment when the traces are in memory is printed, and how much more it
//!    is than at this moment.

#![deny(unsafe_op_in_unsafe_fn)]

mod class;
mod hard;
mod isl;
mod memory;
mod poly;
mod report;
mod trace;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};

use crate::report::Report;

/// One of the two libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Library {
    /// `poly_presburger`.
    Poly,
    /// libisl.
    Isl,
}

/// Time the operations of traces in Poly and in isl.
#[derive(Debug, Parser)]
struct Arguments {
    /// Files written with POLY_LOG=poly::trace=trace.
    traces: Vec<PathBuf>,
    /// How often each case runs in each library.
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Only classes whose name contains this.
    #[arg(long, default_value = "")]
    class: String,
    /// Compare the results too.
    #[arg(long)]
    check: bool,
    /// Add hard parametric integer programs made here.
    #[arg(long)]
    hard: bool,
    /// Print the table in Markdown.
    #[arg(long)]
    markdown: bool,
    /// How many of the slowest cases in comparison with isl to print.
    #[arg(long, default_value_t = 0)]
    slowest: usize,
    /// Run everything once in this library only, and print the largest resident set in KiB.
    #[arg(long)]
    only: Option<Library>,
    /// With `--only poly`, run each operation this often before it counts; for profilers.
    #[arg(long, default_value_t = 0)]
    warm_up: u32,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all results agree.
fn run(arguments: &Arguments) -> Result<bool, String> {
    let mut cases = trace::read(&arguments.traces)?;
    if arguments.hard {
        cases.extend(hard::programs());
    }
    cases.retain(|case| case.class.contains(&arguments.class));
    if let Some(library) = arguments.only {
        let before = memory::Before::now()?;
        run_once(library, &cases, arguments.warm_up);
        let (peak, more) = before.peak()?;
        println!("{peak} KiB, {more} of them for the operations");
        return Ok(true);
    }
    let mut report = Report::default();
    let context = isl::Context::new();
    for case in &cases {
        let Some(theirs) = isl::Operation::find(&case.class) else {
            report.without_counterpart(case);
            continue;
        };
        report.add(case, &measure(case, theirs, &context, arguments)?);
    }
    print!("{}", if arguments.markdown { report.markdown() } else { report.render(arguments.slowest) });
    Ok(report.all_agree())
}

/// What one case showed.
#[derive(Clone, Copy, Debug)]
struct Measured {
    /// Nanoseconds in Poly and in isl.
    nanoseconds: [u64; 2],
    /// Whether the results are the same, if that was asked and can be told.
    same: Option<bool>,
}

fn measure(
    case: &trace::Case,
    theirs: isl::Operation,
    context: &isl::Context,
    arguments: &Arguments,
) -> Result<Measured, String> {
    let failed = |what: &str| format!("{what}: {}", case.line());
    let mut nanoseconds = [u64::MAX; 2];
    let mut same = None;
    for round in 0..arguments.rounds.max(1) {
        let (ours, time) = poly::time(case).map_err(|why| failed(&why))?;
        nanoseconds[0] = nanoseconds[0].min(time);
        let (result, time) = theirs.time(case, context).ok_or_else(|| failed("isl fails"))?;
        nanoseconds[1] = nanoseconds[1].min(time);
        if round == 0 && arguments.check {
            same = result.same_as(&ours, context);
        }
    }
    Ok(Measured { nanoseconds, same })
}

/// Runs everything once in one library; nothing of the other one is touched.
fn run_once(library: Library, cases: &[trace::Case], warm_up: u32) {
    let context = (library == Library::Isl).then(isl::Context::new);
    for case in cases {
        let Some(theirs) = isl::Operation::find(&case.class) else { continue };
        match &context {
            None => poly::run(case, warm_up),
            Some(context) => theirs.run_once(case, context),
        }
    }
}
