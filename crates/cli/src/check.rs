//! `poly-check FILE...`: judges schedules in files, as `-poly-export` writes them.
//!
//! For each file one line: that the schedule is legal, or which pair of instances it runs in the wrong order. Exit status 0 if all are
//! legal, 1 if one is not, 2 if one cannot be read.
#![forbid(unsafe_code)]

use std::fs;
use std::process::ExitCode;

use poly_presburger::Budget;
use poly_scheduler::{ScheduleFile, objection};

/// Operations for one file.
const BUDGET: u64 = 1_000_000_000;

/// The verdict on a file.
enum Verdict {
    Legal,
    Illegal(String),
    Unreadable(String),
}

fn judge(path: &str) -> Verdict {
    let file = fs::read_to_string(path).map_err(|error| error.to_string());
    let file = match file.and_then(|text| text.parse::<ScheduleFile>().map_err(|error| error.to_string())) {
        Ok(file) => file,
        Err(what) => return Verdict::Unreadable(what),
    };
    match objection(&file.tree, &file.dependences, &mut Budget::new(BUDGET)) {
        Ok(None) => Verdict::Legal,
        Ok(Some(what)) => Verdict::Illegal(what),
        Err(_) => Verdict::Unreadable("the question is too hard".to_string()),
    }
}

fn main() -> ExitCode {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    if paths.is_empty() || paths.iter().any(|path| path.starts_with('-')) {
        eprintln!("usage: poly-check FILE...   (schedules as written by -poly-export=FOLDER)");
        return ExitCode::from(2);
    }
    let mut status = 0;
    for path in &paths {
        match judge(path) {
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
