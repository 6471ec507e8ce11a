//! Judging schedules in files, for `poly check` and `poly-check`.
//!
//! Schedule trees have the dependences with them. For JSCoP and OpenScop the dependences are
//! computed from the accesses and the original order, which Poly's files say; those of other tools
//! need a file of the same program with its original schedule.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use poly_exchange::{Format, ScopText};
use poly_presburger::Budget;
use poly_scheduler::{ScheduleFile, ScheduleFileError, why_illegal};

/// Operations for one file.
pub const BUDGET: u64 = 1_000_000_000;

/// The verdict on a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All dependences go forward.
    Legal,
    /// A pair of instances that it runs in the wrong order, as a sentence.
    Illegal(String),
    /// The file is none with a schedule: a sentence.
    Unreadable(String),
}

impl Verdict {
    /// The exit status: 0 if it is legal, 1 if it is not, 2 if it cannot be read.
    pub fn status(&self) -> u8 {
        match self {
            Verdict::Legal => 0,
            Verdict::Illegal(_) => 1,
            Verdict::Unreadable(_) => 2,
        }
    }

    /// Says it of something with this name: what cannot be read on the error stream.
    pub fn say(&self, name: &str) {
        match self {
            Verdict::Legal => println!("{name}: legal"),
            Verdict::Illegal(what) => println!("{name}: illegal: {what}"),
            Verdict::Unreadable(what) => eprintln!("{name}: {what}"),
        }
    }
}

/// Says the verdict on each file; the status is the worst of all.
pub fn say_all(paths: &[impl AsRef<Path>], original: Option<&Path>) -> ExitCode {
    let mut status = 0;
    for path in paths {
        let verdict = judge(path.as_ref(), original);
        verdict.say(&path.as_ref().display().to_string());
        status = status.max(verdict.status());
    }
    ExitCode::from(status)
}

/// Reads and judges a file; `original` is a file with the original order, for texts that do not say
/// it.
pub fn judge(path: &Path, original: Option<&Path>) -> Verdict {
    let budget = &mut Budget::new(BUDGET);
    let verdict = read(path).and_then(|text| match Format::of(&text) {
        None => judge_tree(&text, budget),
        Some(_) => {
            let scop = scop(&text, original, budget)?;
            poly_exchange::why_illegal(&scop, budget).map_err(|error| error.to_string())
        }
    });
    match verdict {
        Ok(None) => Verdict::Legal,
        Ok(Some(what)) => Verdict::Illegal(what),
        Err(what) => Verdict::Unreadable(what),
    }
}

/// A text file.
///
/// # Errors
/// Why it cannot be read.
pub fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| error.to_string())
}

/// What is wrong with a schedule tree in Poly's own form.
fn judge_tree(text: &str, budget: &mut Budget) -> Result<Option<String>, String> {
    let file = tree(text)?;
    why_illegal(&file.tree, &file.dependences, budget).map_err(|_| "the question is too hard".to_string())
}

/// A schedule tree with dependences in Poly's own form.
///
/// # Errors
/// What is wrong with the text.
pub fn tree(text: &str) -> Result<ScheduleFile, String> {
    text.parse().map_err(|error: ScheduleFileError| error.to_string())
}

/// A SCoP in a format of other tools, with the original order of another file if there is one.
///
/// # Errors
/// What is wrong with one of the texts.
pub fn scop(text: &str, original: Option<&Path>, budget: &mut Budget) -> Result<ScopText, String> {
    let neither = || "it is neither JSCoP nor OpenScop".to_owned();
    let format = Format::of(text).ok_or_else(neither)?;
    let mut scop = ScopText::read(text, format, budget).map_err(|error| error.to_string())?;
    if let Some(path) = original {
        let shown = path.display();
        let text = read(path).map_err(|error| format!("{shown}: {error}"))?;
        let format = Format::of(&text).ok_or_else(|| format!("{shown}: {}", neither()))?;
        let other = ScopText::read(&text, format, budget).map_err(|error| format!("{shown}: {error}"))?;
        scop.set_original(&other, budget).map_err(|error| error.to_string())?;
    }
    Ok(scop)
}
