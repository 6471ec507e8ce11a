//! Random cases of every operation of the integer core against enumeration, isl and algebraic laws.
//!
//! `cargo xtask fuzz core` builds and starts this. Prints one line per operation and ends with
//! `N passed, N failed`; the exit status is 1 if any case failed. The same seed makes the same
//! cases, in any number of processes ([`poly_oracle::runner`]).

#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::thread;

use clap::Parser;
use poly_oracle::case;
use poly_oracle::checks::{self, Check, Tally};
use poly_oracle::isl;
use poly_oracle::runner::{self, Limits, Task};

/// Random cases of every operation.
#[derive(Debug, Parser)]
struct Arguments {
    /// How many cases, divided among the operations.
    #[arg(long, default_value_t = 10_000)]
    cases: u64,
    /// The seed of the run.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only operations whose name contains this, or is this.
    #[arg(long, default_value = "")]
    op: String,
    /// Only the case with this seed, as printed for a failure; shows the inputs.
    #[arg(long)]
    case: Option<u64>,
    /// How many cases are run side by side; as many as there are cores by default.
    #[arg(long)]
    threads: Option<usize>,
    /// MiB of address space that the cases of one process may use.
    #[arg(long, default_value_t = 4000)]
    memory: u64,
    /// Seconds after which a case has failed.
    #[arg(long, default_value_t = 300)]
    seconds: u64,
    /// Only print the names of the operations.
    #[arg(long)]
    list: bool,
    /// Answer cases that another process writes.
    #[arg(long, hide = true)]
    worker: bool,
}

/// The checks to run, with their places among all.
fn selected(arguments: &Arguments) -> Vec<(usize, Check)> {
    let all = checks::all();
    let exact = all.iter().any(|check| check.name == arguments.op);
    let wanted = |name: &str| if exact { name == arguments.op } else { name.contains(&arguments.op) };
    all.into_iter().enumerate().filter(|(_, check)| wanted(check.name)).collect()
}

fn tasks(arguments: &Arguments, checks: &[(usize, Check)]) -> Vec<Task> {
    let n = checks.len() as u64;
    let mut tasks = Vec::new();
    for (k, &(check, _)) in (0..).zip(checks) {
        let share = arguments.cases / n + u64::from(k < arguments.cases % n);
        tasks.extend((0..share).map(|i| Task { check, seed: checks::case_seed(arguments.seed, i) }));
    }
    tasks
}

/// One case of each check, in this process, so that a debugger or a limit of the shell can be used.
fn run_here(checks: &[(usize, Check)], seed: u64) -> Vec<Tally> {
    case::show_inputs(true);
    let context = isl::Context::new();
    let mut tallies = vec![Tally::default(); checks::all().len()];
    for (at, check) in checks {
        checks::run_case(check, seed, &context, &mut tallies[*at]);
    }
    tallies
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.worker {
        runner::worker();
        return ExitCode::SUCCESS;
    }
    let checks = selected(&arguments);
    if arguments.list || checks.is_empty() {
        checks::all().iter().for_each(|check| println!("{}", check.name));
        return if arguments.list { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let tallies = match arguments.case {
        Some(seed) => run_here(&checks, seed),
        None => {
            let cores = || thread::available_parallelism().map_or(1, usize::from);
            let limits = Limits { memory: arguments.memory, seconds: arguments.seconds };
            runner::run(&tasks(&arguments, &checks), arguments.threads.unwrap_or_else(cores), limits)
        }
    };
    println!("{:52} {:>7} {:>7} {:>7} {:>7} {:>7}", "operation", "agreed", "cut", "stopped", "unknown", "failed");
    let mut sum = Tally::default();
    for (at, check) in &checks {
        let Tally { agreed, cut, stopped, unknown, failed } = &tallies[*at];
        println!("{:52} {agreed:7} {cut:7} {stopped:7} {unknown:7} {:7}", check.name, failed.len());
        for failure in failed.iter().take(3) {
            println!("  --op '{}' --case {}: {}", check.name, failure.seed, failure.message);
        }
        sum.add(tallies[*at].clone());
    }
    println!();
    println!("cut: a very small budget was exhausted, as it should be: {}", sum.cut);
    let share = |n: u64| 100.0 * n as f64 / (sum.n() - sum.cut).max(1) as f64;
    println!("stopped: the usual budget was exhausted: {} ({:.2} %)", sum.stopped, share(sum.stopped));
    println!("unknown: isl's limit was reached: {} ({:.2} %)", sum.unknown, share(sum.unknown));
    println!("{} passed, {} failed", sum.agreed, sum.failed.len());
    if sum.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
