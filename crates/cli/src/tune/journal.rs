//! A list of everything that was measured, in a file, from which a search goes on that was
//! interrupted.
//!
//! # Method
//! A search decides by nothing but what it was told. So it is begun anew, and as long as there are
//! entries in the list, it is told what it was told before; then it measures. The file is written
//! after each entry, beside its place, and then renamed.
//!
//! # Invariants
//! Whenever the program ends, the file is whole. A list that is not about the same command, options
//! and loops is not used.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::bench::{Bench, Halt, Look, Run, Subject};

/// The version of the form.
const VERSION: u64 = 1;

/// What a bench said.
#[derive(Clone, Debug, PartialEq)]
enum Said {
    Look(Look),
    Run(Run),
}

/// What a bench said of a subject, and how many runs it took to know.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    subject: Subject,
    said: Said,
    runs: u64,
}

/// A bench with a memory and a budget.
pub(super) struct Journal<B> {
    bench: B,
    /// Where the list is kept; nowhere in tests.
    file: Option<PathBuf>,
    /// What the list is about.
    about: Value,
    entries: Vec<Entry>,
    /// How many of the entries have been told.
    told: usize,
    /// Runs in the entries that have been told.
    used: u64,
    budget: u64,
}

impl<B: Bench> Journal<B> {
    /// Goes on with the list in a file, if there is one.
    ///
    /// # Errors
    /// A sentence about a file that cannot be used.
    pub(super) fn open(bench: B, file: Option<PathBuf>, about: Value, budget: u64) -> Result<Self, String> {
        let entries = match &file {
            Some(file) if file.exists() => read(file, &about)?,
            _ => Vec::new(),
        };
        Ok(Self { bench, file, about, entries, told: 0, used: 0, budget })
    }

    /// How many runs are known from before.
    pub(super) fn known_runs(&self) -> u64 {
        self.entries.iter().map(|entry| entry.runs).sum()
    }

    /// How many runs were used so far.
    pub(super) fn used(&self) -> u64 {
        self.used
    }

    /// What measures, without memory and budget.
    pub(super) fn bench(&mut self) -> &mut B {
        &mut self.bench
    }

    /// Whether the search is told what was measured before.
    pub(super) fn is_replay(&self) -> bool {
        self.told < self.entries.len()
    }

    fn ask(
        &mut self,
        subject: &Subject,
        is_fitting: impl Fn(&Said) -> bool,
        measure: impl FnOnce(&mut B) -> Result<Said, Halt>,
    ) -> Result<Said, Halt> {
        if self.used >= self.budget {
            return Err(Halt::Budget);
        }
        if let Some(entry) = self.entries.get(self.told) {
            if entry.subject != *subject || !is_fitting(&entry.said) {
                return Err(Halt::Error(self.unfit()));
            }
            self.told += 1;
            self.used += entry.runs;
            return Ok(entry.said.clone());
        }
        let before = self.bench.runs();
        let said = measure(&mut self.bench)?;
        let runs = self.bench.runs() - before;
        self.entries.push(Entry { subject: subject.clone(), said: said.clone(), runs });
        self.told += 1;
        self.used += runs;
        self.save().map_err(Halt::Error)?;
        Ok(said)
    }

    fn unfit(&self) -> String {
        let file = self.file.as_deref().unwrap_or(Path::new("the list"));
        format!("{} was written by another version of this program: --restart begins anew", file.display())
    }

    fn save(&self) -> Result<(), String> {
        let Some(file) = &self.file else { return Ok(()) };
        let entries: Vec<Value> = self.entries.iter().map(entry_to_json).collect();
        write_atomically(
            file,
            &format!("{:#}\n", json!({ "version": VERSION, "about": self.about, "entries": entries })),
        )
    }
}

impl<B: Bench> Bench for Journal<B> {
    fn look(&mut self, subject: &Subject) -> Result<Look, Halt> {
        let is_look = |said: &Said| matches!(said, Said::Look(_));
        match self.ask(subject, is_look, |bench| bench.look(subject).map(Said::Look))? {
            Said::Look(look) => Ok(look),
            Said::Run(_) => Err(Halt::Error(self.unfit())),
        }
    }

    fn run(&mut self, subject: &Subject) -> Result<Run, Halt> {
        let is_run = |said: &Said| matches!(said, Said::Run(_));
        match self.ask(subject, is_run, |bench| bench.run(subject).map(Said::Run))? {
            Said::Run(run) => Ok(run),
            Said::Look(_) => Err(Halt::Error(self.unfit())),
        }
    }

    fn runs(&self) -> u64 {
        self.used
    }
}

/// Writes a file, all or nothing.
///
/// # Errors
/// A sentence about the file.
pub(super) fn write_atomically(file: &Path, text: &str) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{} cannot be written: {error}", file.display());
    let mut name = file.file_name().ok_or_else(|| format!("{} is no file", file.display()))?.to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = file.with_file_name(name);
    fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, file)).map_err(|error| {
        // There may be no such file.
        let _ = fs::remove_file(&temporary);
        failed(error)
    })
}

fn read(file: &Path, about: &Value) -> Result<Vec<Entry>, String> {
    let shown = file.display();
    let text = fs::read_to_string(file).map_err(|error| format!("{shown} cannot be read: {error}"))?;
    let begin_anew = "--restart begins anew, --state=FILE takes another file";
    let value: Value = serde_json::from_str(&text)
        .map_err(|error| format!("{shown} is no list of measurements ({error}): {begin_anew}"))?;
    if value["version"].as_u64() != Some(VERSION) {
        return Err(format!("{shown} is of another version: {begin_anew}"));
    }
    if let Some(what) = difference(&value["about"], about) {
        return Err(format!("{shown} has measurements with another {what}: {begin_anew}"));
    }
    let entries = value["entries"].as_array().map(Vec::as_slice).unwrap_or_default();
    let entries: Option<Vec<Entry>> = entries.iter().map(entry_of_json).collect();
    entries.ok_or_else(|| format!("{shown} is damaged: {begin_anew}"))
}

/// The first key in which two objects differ.
fn difference<'k>(known: &'k Value, wanted: &'k Value) -> Option<&'k str> {
    let known = known.as_object()?;
    let wanted = wanted.as_object()?;
    wanted.iter().find(|(key, value)| known.get(*key) != Some(value)).map(|(key, _)| key.as_str())
}

fn entry_to_json(entry: &Entry) -> Value {
    let subject = match &entry.subject {
        Subject::Original => Value::Null,
        Subject::Profile(lines) => json!(lines),
    };
    let said = match &entry.said {
        Said::Look(Look::Loops(hash)) => json!({ "loops": format!("{hash:016x}") }),
        Said::Look(Look::Impossible(why)) => json!({ "impossible": why }),
        Said::Run(Run::Time(seconds)) => json!({ "seconds": seconds }),
        Said::Run(Run::Wrong) => json!({ "run": "wrong" }),
        Said::Run(Run::TooLong) => json!({ "run": "too long" }),
    };
    json!({ "profile": subject, "said": said, "runs": entry.runs })
}

fn entry_of_json(value: &Value) -> Option<Entry> {
    let subject = match &value["profile"] {
        Value::Null => Subject::Original,
        lines => Subject::Profile(lines.as_str()?.to_owned()),
    };
    let said = &value["said"];
    let said = if let Some(hash) = said["loops"].as_str() {
        Said::Look(Look::Loops(u64::from_str_radix(hash, 16).ok()?))
    } else if let Some(why) = said["impossible"].as_str() {
        Said::Look(Look::Impossible(why.to_owned()))
    } else if let Some(seconds) = said["seconds"].as_f64() {
        Said::Run(Run::Time(seconds))
    } else {
        match said["run"].as_str()? {
            "wrong" => Said::Run(Run::Wrong),
            "too long" => Said::Run(Run::TooLong),
            _ => return None,
        }
    };
    Some(Entry { subject, said, runs: value["runs"].as_u64()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts up.
    struct Counter(u64);

    impl Bench for Counter {
        fn look(&mut self, _: &Subject) -> Result<Look, Halt> {
            Ok(Look::Loops(7))
        }

        fn run(&mut self, subject: &Subject) -> Result<Run, Halt> {
            self.0 += 1;
            let seconds = f64::from(u32::try_from(self.0).unwrap_or(0)) / 8.0;
            Ok(if *subject == Subject::Original { Run::Wrong } else { Run::Time(seconds) })
        }

        fn runs(&self) -> u64 {
            self.0
        }
    }

    #[test]
    fn what_was_measured_is_told_again() {
        let folder = std::env::temp_dir().join(format!("poly-journal-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        let file = folder.join("state");
        let open = |about: Value| Journal::open(Counter(0), Some(file.clone()), about, 4);
        let subject = Subject::Profile("nest 1 of f: force\n".to_owned());
        let mut journal = open(json!({ "command": "a" })).unwrap();
        assert_eq!(journal.look(&subject), Ok(Look::Loops(7)));
        assert_eq!(journal.run(&subject), Ok(Run::Time(0.125)));
        assert_eq!(journal.run(&Subject::Original), Ok(Run::Wrong));
        drop(journal);

        let mut journal = open(json!({ "command": "a" })).unwrap();
        assert_eq!((journal.known_runs(), journal.is_replay()), (2, true));
        assert_eq!(journal.look(&subject), Ok(Look::Loops(7)));
        assert_eq!(journal.run(&subject), Ok(Run::Time(0.125)));
        assert_eq!(journal.run(&Subject::Original), Ok(Run::Wrong));
        assert!(!journal.is_replay());
        // From here on it is measured, by a bench that begins at one.
        assert_eq!(journal.run(&subject), Ok(Run::Time(0.125)));
        assert_eq!(journal.run(&subject), Ok(Run::Time(0.25)));
        assert_eq!(journal.run(&subject), Err(Halt::Budget));
        drop(journal);

        let Err(what) = open(json!({ "command": "b" })) else { panic!("the command is another one") };
        assert!(what.contains("measurements with another command: --restart begins anew"), "{what}");
        let mut journal = open(json!({ "command": "a" })).unwrap();
        assert!(matches!(journal.run(&subject), Err(Halt::Error(_))));
        fs::write(&file, "half of a").unwrap();
        assert!(open(json!({})).is_err_and(|what| what.contains("is no list of measurements")));
        let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["state"]);
        fs::remove_dir_all(&folder).unwrap();
    }
}
