//! Random cases of every operation of the integer core against enumeration, isl and algebraic laws.
//!
//! `cargo xtask fuzz core` builds and starts this. Prints one line per operation and ends with
//! `N passed, N failed`; the exit status is 1 if any case failed. The same seed makes the same cases, on any number of
//! threads.

#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use clap::Parser;
use poly_oracle::checks::{self, Check, Tally};
use poly_oracle::isl;

/// Random cases of every operation.
#[derive(Debug, Parser)]
struct Arguments {
    /// How many cases, divided among the operations.
    #[arg(long, default_value_t = 10_000)]
    cases: u64,
    /// The seed of the run.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only operations whose name contains this.
    #[arg(long, default_value = "")]
    op: String,
    /// Only the case with this seed, as printed for a failure.
    #[arg(long)]
    case: Option<u64>,
    /// How many threads; as many as there are cores by default.
    #[arg(long)]
    threads: Option<usize>,
    /// Only print the names of the operations.
    #[arg(long)]
    list: bool,
}

/// Cases that one thread runs in a row.
const CHUNK: u64 = 64;

/// A part of the cases of a check.
#[derive(Debug)]
struct Part {
    check: usize,
    seeds: Vec<u64>,
}

fn parts(arguments: &Arguments, checks: &[Check]) -> Vec<Part> {
    let n = checks.len() as u64;
    let mut parts = Vec::new();
    for check in 0..checks.len() {
        let seeds: Vec<u64> = match arguments.case {
            Some(seed) => vec![seed],
            None => {
                let share = arguments.cases / n + u64::from((check as u64) < arguments.cases % n);
                (0..share).map(|i| checks::case_seed(arguments.seed, i)).collect()
            }
        };
        let chunk = usize::try_from(CHUNK).expect("the number is small");
        parts.extend(seeds.chunks(chunk).map(|seeds| Part { check, seeds: seeds.to_vec() }));
    }
    parts
}

/// Runs all parts on several threads; the tallies are those of the checks.
fn run(checks: &[Check], parts: &[Part], threads: usize) -> Vec<Tally> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let context = isl::Context::new();
        let mut done = Vec::new();
        while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut tally = Tally::default();
            let check = &checks[part.check];
            part.seeds.iter().for_each(|&seed| checks::run_case(check, seed, &context, &mut tally));
            for failure in &tally.failed {
                eprintln!("failed: --op '{}' --case {}: {}", check.name, failure.seed, failure.message);
            }
            done.push((part.check, tally));
        }
        done
    };
    let mut tallies = vec![Tally::default(); checks.len()];
    thread::scope(|scope| {
        let start = |_| {
            let builder = thread::Builder::new().stack_size(32 << 20);
            builder.spawn_scoped(scope, worker).expect("a thread can be started")
        };
        let workers: Vec<_> = (0..threads).map(start).collect();
        for handle in workers {
            for (check, tally) in handle.join().expect("panics are caught") {
                tallies[check].add(tally);
            }
        }
    });
    tallies
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let checks: Vec<Check> = checks::all().into_iter().filter(|c| c.name.contains(&arguments.op)).collect();
    if arguments.list || checks.is_empty() {
        checks::all().iter().for_each(|check| println!("{}", check.name));
        return if arguments.list { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let main_thread = thread::current().id();
    let show = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if thread::current().id() == main_thread {
            show(panic); // the others are reported as failures
        }
    }));
    let threads = arguments.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    let tallies = run(&checks, &parts(&arguments, &checks), threads);
    println!("{:52} {:>7} {:>7} {:>7} {:>7} {:>7}", "operation", "agreed", "cut", "stopped", "unknown", "failed");
    let mut sum = Tally::default();
    for (check, tally) in checks.iter().zip(tallies) {
        let Tally { agreed, cut, stopped, unknown, failed } = &tally;
        println!("{:52} {agreed:7} {cut:7} {stopped:7} {unknown:7} {:7}", check.name, failed.len());
        for failure in failed.iter().take(3) {
            println!("  --op '{}' --case {}: {}", check.name, failure.seed, failure.message);
        }
        sum.add(tally);
    }
    println!();
    println!("cut: a very small budget was exhausted, as it should be: {}", sum.cut);
    let share = |n: u64| 100.0 * n as f64 / (sum.n() - sum.cut).max(1) as f64;
    println!("stopped: the usual budget was exhausted: {} ({:.2} %)", sum.stopped, share(sum.stopped));
    println!("unknown: isl's limit was reached: {} ({:.2} %)", sum.unknown, share(sum.unknown));
    println!("{} passed, {} failed", sum.agreed, sum.failed.len());
    if sum.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
