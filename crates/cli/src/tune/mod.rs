//! `poly tune -- COMMAND`: options with which a program is faster than with those that the cost
//! model chooses.
//!
//! # Method
//! 1. [`command`] builds and runs what the person wants to be fast, with and without Poly, and
//!    compares what it prints.
//! 2. The plugin reports the loop nests with their fingerprints ([`variant`]); [`space`] lists what
//!    could be chosen for each.
//! 3. [`search`] goes from better to better, by races whose winner must be better beyond noise
//!    ([`sample`]).
//! 4. [`journal`] writes down what was measured, so that an interrupted search goes on.
//! 5. What was found is written as a profile, which the option `profile` of the plugin reads.
//!
//! # Invariants
//! Legality is no question here: every variant is a list of options, and Poly's result is right
//! with all of them. A profile is written as a whole or not at all.

mod bench;
mod command;
mod journal;
mod sample;
mod search;
mod space;
mod variant;
mod words;

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::{Value, json};

use command::{Commands, Workshop};
use journal::{Journal, write_atomically};
use search::{Search, Settings};
use variant::Nest;

const EXAMPLES: &str = "Examples:
  poly tune --build 'polycc -O3 -march=native kernel.c -o kernel' -- ./kernel
  poly tune --build 'make -B CC=polycc' --product solver --budget 300 -- ./solver input.txt
  poly tune --time-after seconds: --build 'polycc -O3 kernel.c -o kernel' -- ./kernel
  poly tune --function gemm -o gemm.profile -- sh -c 'make -sB CC=polycc && ./test'
then compile with the profile:
  polycc --poly-profile=poly.profile -O3 -march=native kernel.c -o kernel";

/// Options of `poly tune`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The command that is to be fast; without --build, it compiles the program, too
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
    /// A shell command that compiles everything anew with Poly; its time does not count
    #[arg(long, value_name = "COMMAND")]
    build: Option<String>,
    /// A file that --build makes and the command needs; kept for both sides of a comparison instead
    /// of being built each time. May be repeated
    #[arg(long = "product", value_name = "FILE", requires = "build")]
    products: Vec<PathBuf>,
    /// The profile to write
    #[arg(short, long, value_name = "FILE", default_value = "poly.profile")]
    output: PathBuf,
    /// How often the command may be run
    #[arg(long, value_name = "RUNS", default_value_t = 200)]
    budget: u64,
    /// How often each side of a comparison is run
    #[arg(long, value_name = "RUNS", default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..=1000))]
    repeat: u32,
    /// What must be gained at least, in percent of the time
    #[arg(long, value_name = "PERCENT", default_value_t = 1.0, value_parser = percent)]
    least_gain: f64,
    /// The time is the number in the lines that begin with this, on either stream; their sum, if
    /// there are several
    #[arg(long, value_name = "TEXT")]
    time_after: Option<String>,
    /// Leave lines that contain this out of the comparison of what the command prints; may be
    /// repeated
    #[arg(long = "ignore-lines", value_name = "TEXT")]
    ignored: Vec<String>,
    /// Only functions whose name contains this; may be repeated
    #[arg(long = "function", value_name = "NAME")]
    functions: Vec<String>,
    /// Try threads, too, where they are not asked for anyway; the program has to be linked with
    /// OpenMP, as polycc does
    #[arg(long)]
    threads: bool,
    /// Where measurements are kept, to go on from; by default, the name of the profile with .state
    /// behind it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Forget what was measured before
    #[arg(long)]
    restart: bool,
}

fn percent(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| (0.0..100.0).contains(number));
    number.ok_or_else(|| "a number from 0 to 100 is expected".to_owned())
}

/// Runs `poly tune`.
pub(crate) fn main(options: &Options) -> ExitCode {
    match tune(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            eprintln!("error: {what}");
            ExitCode::FAILURE
        }
    }
}

fn tune(options: &Options) -> Result<(), String> {
    let settings = Settings {
        repeat: options.repeat as usize,
        least_gain: options.least_gain / 100.0,
        may_thread: options.threads,
    };
    let least = 2 * settings.reserve();
    if options.budget < least {
        return Err(format!(
            "--budget={}: with --repeat={}, at least {least} runs are needed, of which the last comparison has {}",
            options.budget,
            options.repeat,
            settings.reserve()
        ));
    }
    let state = options.state.clone().unwrap_or_else(|| {
        let mut name = options.output.clone().into_os_string();
        name.push(".state");
        PathBuf::from(name)
    });
    if options.restart && state.exists() {
        fs::remove_file(&state).map_err(|error| format!("{} cannot be removed: {error}", state.display()))?;
    }
    let mut workshop = Workshop::new(commands(options))?;
    let functions = workshop.functions()?;
    workshop.expect()?;
    let mut nests = variant::nests(&functions);
    nests.retain(|nest| {
        options.functions.is_empty() || options.functions.iter().any(|part| nest.shown.contains(part.as_str()))
    });
    // The work of a nest is more than what can be gained there.
    let all: f64 = nests.iter().map(|nest| nest.weight).sum();
    nests.retain(|nest| nest.weight >= settings.least_gain * all);
    if nests.is_empty() {
        return Err("there is no loop nest that Poly could change; `poly explain` says why".to_owned());
    }
    let budget = options.budget - settings.reserve();
    let mut journal = Journal::open(workshop, Some(state), about(options, &nests), budget)?;
    eprint!("{}", words::start(&nests, journal.known_runs()));
    let mut say = |event: search::Event<'_>| eprint!("{}", words::event(&event, budget));
    let found = Search::new(&mut journal, &nests, settings, &mut say).run()?;
    let comments = words::comments(&found, &nests);
    write_atomically(&options.output, &variant::profile(&comments, &found.best.lines(&nests)))?;
    print!("{}", words::result(&found, &nests, &options.output));
    Ok(())
}

fn commands(options: &Options) -> Commands {
    Commands {
        build: options.build.clone(),
        run: options.command.clone(),
        time_after: options.time_after.clone(),
        ignored: options.ignored.clone(),
        products: options.products.clone(),
        options: std::env::var("POLY_OPTS").ok(),
    }
}

/// What measurements are about: with another one, they say nothing.
fn about(options: &Options, nests: &[Nest]) -> Value {
    let nests = nests.iter().map(|nest| json!([nest.function, nest.fingerprint]));
    let command = options.command.iter().map(|word| word.to_string_lossy());
    json!({
        "command": command.collect::<Vec<_>>(),
        "build command": options.build,
        "POLY_OPTS": std::env::var("POLY_OPTS").ok(),
        "--repeat": options.repeat,
        "--least-gain": options.least_gain,
        "--time-after": options.time_after,
        "--function": options.functions,
        "--threads": options.threads,
        "source or flags (the loop nests have changed)": nests.collect::<Vec<_>>(),
    })
}
