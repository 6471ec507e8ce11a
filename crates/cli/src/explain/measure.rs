//! What Poly gains, measured: the program is compiled with and without it, and both are run in
//! turn.
//!
//! Runs in turn meet the same disturbances of the machine. The fastest run of each is the one that
//! was disturbed least.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::inspect::Input;
use crate::inspect::compile::{self, Failure, Scratch};

/// What was measured.
#[derive(Debug)]
pub(crate) struct Measured {
    /// Times without Poly, sorted.
    pub(crate) without: Vec<Duration>,
    /// Times with Poly, sorted.
    pub(crate) with: Vec<Duration>,
    /// All runs have written the same and ended in the same way.
    pub(crate) is_same_output: bool,
}

/// Compiles and runs.
///
/// # Errors
/// A program that does not compile or cannot be run.
pub(crate) fn measure(input: &Input, repeat: u32, arguments: &[OsString]) -> Result<Measured, Failure> {
    let scratch = Scratch::new()?;
    let programs = [("without", &["disable".to_owned()][..]), ("with", &[])];
    for (name, words) in programs {
        compile::run(&mut compile::command(input, &scratch.path().join(name), &[], words)?)?;
    }
    let mut times = [Vec::new(), Vec::new()];
    let mut first: Option<Output> = None;
    let mut is_same_output = true;
    for _ in 0..repeat {
        for ((name, _), times) in programs.iter().zip(&mut times) {
            let (output, time) = run(&scratch.path().join(name), arguments)?;
            times.push(time);
            match &first {
                None => first = Some(output),
                Some(known) => is_same_output &= known.status == output.status && known.stdout == output.stdout,
            }
        }
    }
    let [mut without, mut with] = times;
    without.sort();
    with.sort();
    Ok(Measured { without, with, is_same_output })
}

fn run(program: &Path, arguments: &[OsString]) -> Result<(Output, Duration), Failure> {
    let start = Instant::now();
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output();
    let output = output.map_err(|error| Failure::Request(format!("the program cannot be run: {error}")))?;
    Ok((output, start.elapsed()))
}
