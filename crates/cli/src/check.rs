//! `poly-check [--original=FILE] FILE...`: judges schedules in files, as `-poly-export` writes them in any of its formats.
//!
//! Schedule trees have the dependences with them. For JSCoP and OpenScop the dependences are computed from the accesses and the original order, which
//! Poly's files say; those of other tools need `--original`, a file of the same program with its original schedule.
//!
//! For each file one line: that the schedule is legal, or which pair of instances it runs in the wrong order. Exit status 0 if all are
//! legal, 1 if one is not, 2 if one cannot be read.
#![forbid(unsafe_code)]

use std::fs;
use std::process::ExitCode;

use poly_exchange::{Format, ScopText};
use poly_presburger::Budget;
use poly_scheduler::{ScheduleFile, ScheduleFileError, why_illegal};

/// Operations for one file.
const BUDGET: u64 = 1_000_000_000;

/// The verdict on a file.
enum Verdict {
    Legal,
    Illegal(String),
    Unreadable(String),
}

/// Reads and judges a file; `original` is a file with the original order, for texts that do not say it.
fn judge(path: &str, original: Option<&str>) -> Verdict {
    let budget = &mut Budget::new(BUDGET);
    let verdict = read(path).and_then(|text| match Format::of(&text) {
        None => judge_tree(&text, budget),
        Some(format) => judge_text(&text, format, original, budget),
    });
    match verdict {
        Ok(None) => Verdict::Legal,
        Ok(Some(what)) => Verdict::Illegal(what),
        Err(what) => Verdict::Unreadable(what),
    }
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| error.to_string())
}

/// What is wrong with a schedule tree in Poly's own form.
fn judge_tree(text: &str, budget: &mut Budget) -> Result<Option<String>, String> {
    let file: ScheduleFile = text.parse().map_err(|error: ScheduleFileError| error.to_string())?;
    why_illegal(&file.tree, &file.dependences, budget).map_err(|_| "the question is too hard".to_string())
}

/// What is wrong with the schedule of a SCoP in a format of other tools.
fn judge_text(
    text: &str,
    format: Format,
    original: Option<&str>,
    budget: &mut Budget,
) -> Result<Option<String>, String> {
    let mut scop = ScopText::read(text, format, budget).map_err(|error| error.to_string())?;
    if let Some(path) = original {
        let text = read(path).map_err(|error| format!("{path}: {error}"))?;
        let format = Format::of(&text).ok_or_else(|| format!("{path}: it is neither JSCoP nor OpenScop"))?;
        let other = ScopText::read(&text, format, budget).map_err(|error| format!("{path}: {error}"))?;
        scop.set_original(&other, budget).map_err(|error| error.to_string())?;
    }
    poly_exchange::why_illegal(&scop, budget).map_err(|error| error.to_string())
}

fn main() -> ExitCode {
    let mut paths: Vec<String> = std::env::args().skip(1).collect();
    let given = paths.iter().position(|path| path.starts_with("--original="));
    let original = given.map(|at| paths.remove(at)["--original=".len()..].to_string());
    if paths.is_empty() || paths.iter().any(|path| path.starts_with('-')) {
        eprintln!("usage: poly-check [--original=FILE] FILE...   (schedules as written by -poly-export=FOLDER)");
        return ExitCode::from(2);
    }
    let mut status = 0;
    for path in &paths {
        match judge(path, original.as_deref()) {
            Verdict::Legal => println!("{path}: legal"),
            Verdict::Illegal(what) => {
                println!("{path}: illegal: {what}");
                status = status.max(1);
            }
            Verdict::Unreadable(what) => {
                eprintln!("{path}: {what}");
                status = 2;
            }
        }
    }
    ExitCode::from(status)
}
