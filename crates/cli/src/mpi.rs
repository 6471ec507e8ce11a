//! `poly mpi FILE`: the loops of a program as C with MPI.
//!
//! # Method
//! 1. The loops become equations, as for `poly eq from` ([`crate::eq::program`]): values are read
//!    from where they come from, whatever order the program has. Variables that are one value of
//!    another one go.
//! 2. The equations are scheduled, cut into tiles and printed, as for `poly eq mpi`.
//!
//! Nothing is taken for granted that the plugin has not proven: what it assumes of the program is a
//! comment of the code.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::eq;
use crate::eq::program::{Found, systems};
use crate::eq::session::Session;
use crate::inspect::Input;
use crate::inspect::compile::Failure;

const EXAMPLES: &str = "Examples:
  poly mpi kernel.c -o kernel_mpi.c
  poly mpi --function=jacobi --tile=64,64 --grid=2 solver.c -- -DN=4000
  poly mpi --ranks=4 --tile=2 kernel.c";

/// Options of `poly mpi`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    #[command(flatten)]
    input: Input,
    /// The function with the loops, if there are several; of several parts of a function, the
    /// system that `poly eq from` prints
    #[arg(long)]
    function: Option<String>,
    /// Lengths of tiles, outermost loop first, the last one for all that follow
    #[arg(long, value_delimiter = ',', default_value = "32")]
    tile: Vec<i64>,
    /// Dimensions of the grid of processes: 1 or 2
    #[arg(long, default_value_t = 1)]
    grid: usize,
    /// Let threads (OpenMP) share the loops of a tile
    #[arg(long)]
    parallel: bool,
    /// Print nothing: run the code on so many ranks of this machine, for small parameters, and
    /// compare it with the equations
    #[arg(long)]
    ranks: Option<usize>,
    /// The C file to write, with its header beside it; standard output, without header, if it is
    /// not given
    #[arg(short = 'o', long)]
    output: Option<PathBuf>,
    /// Steps that all of it may take
    #[arg(long, default_value_t = 1_000_000_000)]
    operations: u64,
}

/// Runs `poly mpi`: exit status 0 if there is code.
pub(crate) fn main(options: &Options) -> ExitCode {
    match run(options) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(failure) => failure.report(),
    }
}

fn run(options: &Options) -> Result<String, Failure> {
    let (found, failed) = systems(&options.input, None, options.operations)?;
    let file = &options.input.file;
    let found = only(found, &failed, options.function.as_deref(), file).map_err(Failure::Request)?;
    distributed(&found, options).map_err(|why| Failure::Request(format!("{}: {why}", found.place)))
}

/// The code, or how its test has ended.
fn distributed(found: &Found, options: &Options) -> Result<String, String> {
    let own = eq::Options { operations: options.operations, ..eq::Options::new("mpi", &options.input.file) };
    let mut session = Session::of(found.system.clone(), &own);
    session.change("propagate")?;
    session.change("clean")?;
    let tile: Vec<String> = options.tile.iter().map(i64::to_string).collect();
    let threads = if options.parallel { " parallel" } else { "" };
    let words = format!("tile={} grid={}{threads}", tile.join(","), options.grid);
    if let Some(ranks) = options.ranks {
        session.command("verify", &format!("{words} mpi={ranks}"))?;
        return Ok(session.printed().unwrap_or_default());
    }
    let system = session.system().name.clone();
    session.command("mpi", &words)?;
    let source = session.printed().unwrap_or_default();
    let mut comment = format!("/* The loops of {} ({}).", found.place, options.input.file.display());
    for assumption in &found.assumptions {
        comment.push_str(&format!("\n   True if: {}.", assumption.replace("*/", "* /")));
    }
    comment.push_str("\n   X_in is what the array X holds before, X what it holds afterwards. */\n");
    let source = comment + &source;
    let Some(output) = &options.output else { return Ok(source) };
    let mut session = Session::of(found.system.clone(), &own);
    session.change("propagate")?;
    session.change("clean")?;
    session.command("mpi", &format!("{words} header"))?;
    let header = session.printed().unwrap_or_default();
    write(&output.with_file_name(format!("{system}_mpi.h")), &header)?;
    write(output, &source)?;
    Ok(String::new())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The system that is asked for.
fn only(found: Vec<Found>, failed: &[String], function: Option<&str>, file: &Path) -> Result<Found, String> {
    let names: Vec<String> = found.iter().map(|found| found.system.name.clone()).collect();
    let is_wanted = |found: &Found| function.is_none_or(|name| found.function == name || found.system.name == name);
    let mut wanted: Vec<Found> = found.into_iter().filter(is_wanted).collect();
    // The name of a system says more than that of a function with several.
    if wanted.len() > 1 && wanted.iter().any(|found| Some(found.system.name.as_str()) == function) {
        wanted.retain(|found| Some(found.system.name.as_str()) == function);
    }
    match (wanted.pop(), wanted.is_empty()) {
        (Some(one), true) => Ok(one),
        (Some(_), false) => Err(format!("say with --function which one: {}", names.join(", "))),
        (None, _) if !failed.is_empty() => Err(failed.join("\n")),
        (None, _) if names.is_empty() => Err(format!("Poly has modelled no loops in {}", file.display())),
        (None, _) => {
            let name = function.unwrap_or_default();
            Err(format!("no loops of `{name}` are equations; those of these are: {}", names.join(", ")))
        }
    }
}
