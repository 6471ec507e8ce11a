//! What is legal: `poly check`, `poly fusion-space`, `poly apply`.
//!
//! # Method
//! A program is compiled with the options that people would give to the plugin: `export`,
//! `debug-dump=fusion-space`, or `scheduler=original;rewrites=...`. Texts of SCoPs are answered by
//! [`super::text`] alone. `poly check` judges the schedules that the compiler has written with a
//! checker that shares nothing with what made them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use poly_cli::judge::{Verdict, judge};
use poly_transform::rewrite::Log;
use serde_json::{Value, json};

use super::compile::{self, Failure, Scratch};
use super::text::{Text, is_text};
use super::{Input, Stage};

/// Options of `poly check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  poly check kernel.c
  poly check kernel.f90 -- -O2 --poly-opts=fuse=max
  poly check --original exported.jscop changed.jscop
Exit status: 0 if all schedules are legal, 1 if one is not, 2 if there is none that can be read.")]
pub(crate) struct CheckOptions {
    #[command(flatten)]
    input: Input,
    /// A file of the same SCoP with its original schedule, for JSCoP and OpenScop files that do not
    /// say what that was
    #[arg(long, value_name = "FILE")]
    original: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Options of `poly fusion-space`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  poly fusion-space kernel.c
  poly fusion-space --limit 100 kernel.jscop
then compile with one of them:
  polycc --poly-opts=fusion-member=3 -O3 -c kernel.c")]
pub(crate) struct FusionOptions {
    #[command(flatten)]
    input: Input,
    /// How many structures to list
    #[arg(long, value_name = "NUMBER", default_value_t = 16)]
    limit: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Options of `poly apply`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  poly apply 'tile(S0[0], 32, 64); vectorize(S0[1])' kernel.c
  poly apply 'interchange(S0[0], 1, 0)' kernel.ll -- -O2
  poly apply 'skew(S0[0], 1, 0, 1)' kernel.jscop
Exit status: 0 if the steps were applied somewhere, 1 if they are not legal or fit nowhere.")]
pub(crate) struct ApplyOptions {
    /// The steps, separated by semicolons, as docs/rewrites.md has them
    steps: String,
    #[command(flatten)]
    input: Input,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `poly check`.
pub(crate) fn check(options: &CheckOptions) -> ExitCode {
    let verdicts = if is_text(&options.input.file) {
        let name = options.input.file.display().to_string();
        vec![(name, judge(&options.input.file, options.original.as_deref()))]
    } else {
        match exported(&options.input) {
            Ok(verdicts) => verdicts,
            Err(failure) => {
                failure.report();
                return ExitCode::from(2);
            }
        }
    };
    let status = verdicts.iter().map(|(_, verdict)| verdict.status()).max().unwrap_or(0);
    if options.json {
        let item = |(name, verdict): &(String, Verdict)| {
            let (word, why) = match verdict {
                Verdict::Legal => ("legal", None),
                Verdict::Illegal(why) => ("illegal", Some(why)),
                Verdict::Unreadable(why) => ("unreadable", Some(why)),
            };
            json!({ "schedule": name, "verdict": word, "why": why })
        };
        println!("{:#}", Value::Array(verdicts.iter().map(item).collect()));
    } else if verdicts.is_empty() {
        println!("Poly has modelled no loops in {}.", options.input.file.display());
    } else {
        verdicts.iter().for_each(|(name, verdict)| verdict.say(name));
    }
    ExitCode::from(status)
}

/// The schedules of a program, judged; named after the function and the number of the SCoP.
fn exported(input: &Input) -> Result<Vec<(String, Verdict)>, Failure> {
    let scratch = Scratch::new()?;
    let folder = scratch.path().join("schedules");
    fs::create_dir(&folder)
        .map_err(|error| Failure::Request(format!("{} cannot be made: {error}", folder.display())))?;
    let words = [format!("export={}", folder.display()), "exchange-format=poly".to_owned()];
    let mut command = compile::command(input, &scratch.path().join("object.o"), &["-c"], &words)?;
    compile::run(&mut command)?;
    let unreadable = |error: std::io::Error| Failure::Request(format!("{}: {error}", folder.display()));
    let entries = fs::read_dir(&folder).map_err(unreadable)?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let name = |file: &Path| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(files.iter().map(|file| (name(file), judge(file, None))).collect())
}

/// Runs `poly fusion-space`.
pub(crate) fn fusion_space(options: &FusionOptions) -> ExitCode {
    let file = &options.input.file;
    let found = if is_text(file) {
        let space = Text::read(file, None).and_then(|text| text.fusion_space(options.limit));
        space.map_err(|what| Failure::Request(format!("{}: {what}", file.display())))
    } else {
        dumped(&options.input, options.limit)
    };
    match found {
        Err(failure) => failure.report(),
        Ok(text) => {
            if options.json {
                println!("{:#}", json!({ "file": file.display().to_string(), "text": text }));
            } else if text.is_empty() {
                println!("Poly has modelled no loops in {}.", file.display());
            } else {
                print!("{text}");
            }
            ExitCode::SUCCESS
        }
    }
}

/// What the plugin prints of the space while it compiles.
fn dumped(input: &Input, limit: u64) -> Result<String, Failure> {
    let scratch = Scratch::new()?;
    let words = ["debug-dump=fusion-space".to_owned(), format!("fusion-limit={limit}")];
    let mut command = compile::command(input, &scratch.path().join("object.o"), &["-c", "-w"], &words)?;
    said(&mut command)
}

/// Runs a compiler for what it writes to its error stream.
fn said(command: &mut Command) -> Result<String, Failure> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output =
        command.output().map_err(|error| Failure::Request(format!("{program} cannot be executed: {error}")))?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(text) } else { Err(Failure::Compiler(text)) }
}

/// Runs `poly apply`.
pub(crate) fn apply(options: &ApplyOptions) -> ExitCode {
    let applied = options.steps.parse::<Log>().map_err(|error| error.to_string()).and_then(|log| {
        if log.steps.is_empty() {
            return Err("there are no steps".to_owned());
        }
        Ok(log)
    });
    let log = match applied {
        Ok(log) => log,
        Err(what) => return Failure::Request(what).report(),
    };
    let file = &options.input.file;
    let results = if is_text(file) {
        let done = Text::read(file, None).and_then(|text| text.apply(&log));
        done.map(|(schedule, loops)| vec![Applied { place: file.display().to_string(), schedule, loops }])
            .map_err(|what| Failure::Request(format!("{}: {what}", file.display())))
    } else {
        rewritten(&options.input, &log)
    };
    let results = match results {
        Ok(results) => results,
        Err(failure) => return failure.report(),
    };
    if options.json {
        let item = |one: &Applied| json!({ "place": one.place, "schedule": one.schedule, "loops": one.loops });
        println!("{:#}", Value::Array(results.iter().map(item).collect()));
    } else {
        for Applied { place, schedule, loops } in &results {
            println!("// {place}\n{}\n\n{}", schedule.trim_end(), loops.trim_end());
        }
    }
    ExitCode::SUCCESS
}

/// A SCoP after the steps.
struct Applied {
    place: String,
    schedule: String,
    loops: String,
}

/// The SCoPs of a program that the steps fit.
fn rewritten(input: &Input, log: &Log) -> Result<Vec<Applied>, Failure> {
    let words = ["scheduler=original".to_owned(), format!("rewrites={}", log.compact()), "force".to_owned()];
    let functions = compile::functions_with(input, &words)?;
    let (mut done, mut refused) = (Vec::new(), Vec::new());
    for function in &functions {
        for record in &function.records {
            let line = record.first_line().map_or(String::new(), |line| format!(", line {line}"));
            let place = format!("{}{line}", function.shown);
            let text = |stage| super::of_record(record, stage).ok().flatten();
            match (record.is_optimized, text(Stage::Schedule), text(Stage::Loops)) {
                (true, Some(schedule), Some(loops)) => done.push(Applied { place, schedule, loops }),
                _ => refused.push(format!("{place}: {}", record.reason.as_deref().unwrap_or(&record.text))),
            }
        }
    }
    if done.is_empty() {
        let why = if refused.is_empty() { "Poly has modelled no loops".to_owned() } else { refused.join("\n  ") };
        return Err(Failure::Request(format!("the steps were applied nowhere\n  {why}")));
    }
    Ok(done)
}
