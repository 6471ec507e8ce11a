//! Running many cases in processes of their own, so that no case can take the others down.
//!
//! # Problem
//! A wrong answer is found in the process that computed it. A case that needs all memory, overflows
//! the stack or does not end is not: it takes the process with it, or the machine. Such a case has
//! to be found and named, and the others have to be run all the same.
//!
//! # Protocol
//! The driver starts one process per thread, the same program with `--worker`, under the shell's
//! limit of address space. It writes one line `CHECK SEED` for a case, the worker answers with one
//! line ([`Answer`]). When the worker ends instead of answering, or does not answer within the time
//! for one case, the case has failed and a new worker is started. The time is no part of any result
//! but this one: it is far above what Poly's budget and isl's limit of steps allow.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::checks::{self, Check, Failure, Tally};
use crate::isl;

/// A case of a check, by its number among all checks.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// The place of the check in [`checks::all`].
    pub check: usize,
    /// The seed of the case.
    pub seed: u64,
}

/// What a case may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Address space of a worker, in MiB.
    pub memory: u64,
    /// Seconds for one case.
    pub seconds: u64,
}

/// The option that makes the program a worker.
pub const WORKER: &str = "--worker";

/// Stack of the threads that run cases.
const STACK: usize = 32 << 20;

/// Answer cases read from standard input until it ends.
pub fn worker() {
    let work = || {
        let checks = checks::all();
        let context = isl::Context::new();
        for line in std::io::stdin().lines() {
            let line = line.expect("the driver writes text");
            let (check, seed) = line.split_once(' ').expect("a line has two numbers");
            let check: usize = check.parse().expect("the driver writes numbers");
            let seed = seed.parse().expect("the driver writes numbers");
            let mut tally = Tally::default();
            checks::run_case(&checks[check], seed, &context, &mut tally);
            println!("{}", answer(&tally));
        }
    };
    std::panic::set_hook(Box::new(|_| {})); // panics are answers
    let thread = thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread can be started");
    thread.join().expect("panics are caught");
}

/// The line for the tally of one case.
fn answer(tally: &Tally) -> String {
    match tally {
        Tally { failed, .. } if !failed.is_empty() => {
            format!("failed {}", failed[0].message.replace('\\', "\\\\").replace('\n', "\\n"))
        }
        Tally { agreed: 1, .. } => "agreed".to_owned(),
        Tally { cut: 1, .. } => "cut".to_owned(),
        Tally { stopped: 1, .. } => "stopped".to_owned(),
        _ => "unknown".to_owned(),
    }
}

/// The tally that a line is for.
fn tally_of(line: &str, seed: u64) -> Tally {
    let mut tally = Tally::default();
    match line {
        "agreed" => tally.agreed = 1,
        "cut" => tally.cut = 1,
        "stopped" => tally.stopped = 1,
        "unknown" => tally.unknown = 1,
        _ => {
            let text = line.strip_prefix("failed ").unwrap_or(line);
            let parts: Vec<String> = text.split("\\\\").map(|part| part.replace("\\n", "\n")).collect();
            tally.failed.push(Failure { seed, message: parts.join("\\") });
        }
    }
    tally
}

/// A worker and the two ends of the conversation with it.
struct Worker {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
}

impl Worker {
    fn start(limits: Limits) -> Worker {
        let program = std::env::current_exe().expect("the running program has a path");
        let limited = format!("ulimit -v {} && exec \"$0\" {WORKER}", limits.memory * 1024);
        let mut command = Command::new("sh");
        command.args(["-c", &limited]).arg(program).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("a process can be started");
        let input = child.stdin.take().expect("standard input is a pipe");
        let output = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
        let (send, answers) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Worker { child, input, answers }
    }

    /// The answer for a case, or what became of the worker, which has ended then.
    fn ask(&mut self, task: Task, limits: Limits) -> Result<String, String> {
        let written = writeln!(self.input, "{} {}", task.check, task.seed);
        let answer = self.answers.recv_timeout(Duration::from_secs(limits.seconds));
        match (written, answer) {
            (Ok(()), Ok(line)) => Ok(line),
            (_, Err(RecvTimeoutError::Timeout)) => {
                self.end();
                Err(format!("no end after {} seconds", limits.seconds))
            }
            _ => Err(format!("the process ended ({}); it had {} MiB of memory", self.end(), limits.memory)),
        }
    }

    fn end(&mut self) -> String {
        let _ = self.child.kill(); // it may have ended already
        self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string())
    }
}

/// Run all cases in this many workers; the tallies are those of [`checks::all`], the same for any
/// number of workers.
pub fn run(tasks: &[Task], workers: usize, limits: Limits) -> Vec<Tally> {
    let checks = checks::all();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut tallies = vec![Tally::default(); checks.len()];
        let mut worker = Worker::start(limits);
        while let Some(&task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let tally = match worker.ask(task, limits) {
                Ok(line) => tally_of(&line, task.seed),
                Err(message) => {
                    worker = Worker::start(limits);
                    Tally { failed: vec![Failure { seed: task.seed, message }], ..Tally::default() }
                }
            };
            report(&checks[task.check], &tally);
            tallies[task.check].add(tally);
        }
        drop(worker.input);
        let _ = worker.child.wait(); // it has answered everything
        tallies
    };
    let mut sums = vec![Tally::default(); checks.len()];
    thread::scope(|scope| {
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        for handle in handles {
            let tallies = handle.join().expect("a driver does not panic");
            sums.iter_mut().zip(tallies).for_each(|(sum, tally)| sum.add(tally));
        }
    });
    sums.iter_mut().for_each(|sum| sum.failed.sort_by_key(|failure| failure.seed));
    sums
}

/// Say at once what failed.
fn report(check: &Check, tally: &Tally) {
    for failure in &tally.failed {
        eprintln!("failed: --op '{}' --case {}: {}", check.name, failure.seed, failure.message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_survive_the_pipe() {
        for text in ["differs", "a\nb", "a\\b\n\\n c \\\\n", "\\"] {
            let failure = Failure { seed: 7, message: text.to_owned() };
            let line = answer(&Tally { failed: vec![failure], ..Tally::default() });
            assert!(!line.contains('\n'));
            assert_eq!(tally_of(&line, 7).failed[0].message, text);
        }
        for line in ["agreed", "cut", "stopped", "unknown"] {
            let tally = tally_of(line, 0);
            assert_eq!((tally.n(), answer(&tally).as_str()), (1, line));
        }
    }
}
