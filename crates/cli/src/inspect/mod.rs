//! Looking at what the plugin does with a program: `poly explain`, `poly ast`, `poly deps`,
//! `poly schedule`.
//!
//! # Method
//! 1. The file is compiled as `polycc` would compile it, to a file that nobody keeps, with the
//!    option `report` of the plugin.
//! 2. The plugin writes what became of the loops of each function; [`record`] reads that.
//! 3. The command says it, in words or as JSON.
//!
//! # Invariants
//! Nothing is written outside of a folder for temporary files, which is removed. What the compiler
//! does is what it does without being watched: only debug information is switched on, for lines and
//! names.

pub(crate) mod compile;
pub(crate) mod legal;
pub(crate) mod names;
pub(crate) mod record;
pub(crate) mod source;
mod text;
pub(crate) mod threads;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use poly_dependence::Dependence;
use poly_exchange::{Format, ScopText};
use poly_presburger::Budget;
use serde_json::{Value, json};

use record::Record;

pub(crate) use poly_cli::judge::BUDGET;

/// What is compiled, and how.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Input {
    /// A program in C, C++, Fortran or LLVM IR; where a stage is printed, also the text of a SCoP
    /// (.jscop, .scop, .poly)
    pub(crate) file: PathBuf,
    /// Flags for the compiler, and words for Poly as polycc knows them (--poly-parallel); -O3
    /// unless there is another -O
    #[arg(last = true)]
    pub(crate) flags: Vec<OsString>,
}

const EXAMPLES: &str = "Examples:
  poly ast kernel.c
  poly schedule kernel.f90 -- -O2 -march=native
  poly deps --json kernel.ll
  poly ast schedules/kernel.0.jscop
Of a text, `ast` shows the loops of the schedule in it, `schedule` the order that the scheduler finds.";

/// Options of the commands that print a stage.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StageOptions {
    #[command(flatten)]
    input: Input,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A stage of the work on a SCoP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// What must stay in order.
    Dependences,
    /// The new order.
    Schedule,
    /// The new loops.
    Loops,
}

/// Runs `poly ast`, `poly deps` and `poly schedule`.
pub(crate) fn stage(options: &StageOptions, stage: Stage) -> ExitCode {
    if text::is_text(&options.input.file) {
        return stage_of_text(options, stage);
    }
    let functions = match compile::functions(&options.input) {
        Ok(functions) => functions,
        Err(failure) => return failure.report(),
    };
    let mut found = Vec::new();
    for function in &functions {
        for record in &function.records {
            match of_record(record, stage) {
                Ok(text) => found.extend(text.map(|text| (function, record, text))),
                Err(what) => {
                    eprintln!("error: {}: {what}", function.shown);
                    return ExitCode::FAILURE;
                }
            }
        }
    }
    if options.json {
        let items = found.iter().map(
            |(function, record, text)| json!({ "function": function.name, "line": record.first_line(), "text": text }),
        );
        println!("{:#}", Value::Array(items.collect()));
    } else if found.is_empty() {
        println!("Poly {} in {}.", stage.nothing(), options.input.file.display());
    } else {
        for (function, record, text) in &found {
            let line = record.first_line().map_or(String::new(), |line| format!(", line {line}"));
            println!("// {}{line}\n{}", function.shown, text.trim_end());
        }
    }
    ExitCode::SUCCESS
}

/// The same of the text of a SCoP.
fn stage_of_text(options: &StageOptions, stage: Stage) -> ExitCode {
    let file = options.input.file.display();
    match text::Text::read(&options.input.file, None).and_then(|text| text.stage(stage)) {
        Ok(text) if options.json => println!("{:#}", json!([{ "file": file.to_string(), "text": text }])),
        Ok(text) => println!("{}", text.trim_end()),
        Err(what) => {
            eprintln!("error: {file}: {what}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

impl Stage {
    /// What is said if there is nothing to show.
    fn nothing(self) -> &'static str {
        match self {
            Stage::Dependences => "has modelled no loops",
            Stage::Schedule | Stage::Loops => "has changed no loops",
        }
    }
}

/// The text of a stage; `None` if the loops did not come so far.
fn of_record(record: &Record, stage: Stage) -> Result<Option<String>, String> {
    let Some(model) = &record.model else { return Ok(None) };
    Ok(match stage {
        Stage::Loops => model.plan.as_ref().map(|plan| plan.loops.clone()),
        Stage::Schedule => model.plan.as_ref().map(|plan| plan.schedule.clone()),
        Stage::Dependences => match &model.scop {
            None => None,
            Some(text) => Some(dependences(text)?),
        },
    })
}

/// The dependences of a SCoP, one a line.
fn dependences(jscop: &str) -> Result<String, String> {
    let budget = &mut Budget::new(BUDGET);
    let scop = ScopText::read(jscop, Format::Jscop, budget).map_err(|error| error.to_string())?;
    let found = scop.dependences(budget).map_err(|error| error.to_string())?.unwrap_or_default();
    Ok(listed(&found))
}

/// Dependences, one a line.
fn listed(found: &[Dependence]) -> String {
    if found.is_empty() {
        return "no dependences".to_owned();
    }
    found.iter().map(|dependence| format!("{dependence}\n")).collect()
}
