//! Systems in several files.
//!
//! # Problem
//! `use "other.eq";` makes the systems, constants and functions of another file known, as if they
//! stood before. What is wrong with them has a place in their own file.
//!
//! # Definitions
//! The names of files are relative to the file that uses them. A file counts once, however often it
//! is used. The texts of all files stand behind each other in one space of *positions*, the first
//! file at 0; spans are ranges of these. So nothing but reading and rendering knows of files.
//!
//! # Invariants
//! Files do not use each other in a circle.

use std::fmt;
use std::path::{Component, Path, PathBuf};

use ariadne::{CharSet, Config, IndexType, Label, Report, ReportKind, sources};
use poly_presburger::Budget;

use crate::diagnostic::{Diagnostic, Flaw, Span};
use crate::program::System;
use crate::syntax::parser;
use crate::syntax::tree::{File, Name};

/// How many files may use each other in a chain.
const DEPTH: usize = 100;

/// A file.
#[derive(Clone, Debug)]
struct Text {
    name: String,
    text: String,
    /// The position of its first byte.
    start: usize,
}

/// The files that a system is made of, in the order in which they were first used.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Text>,
}

impl Sources {
    /// One file.
    pub fn of(name: &str, text: &str) -> Self {
        let mut sources = Self::default();
        sources.add(name, text);
        sources
    }

    /// Adds a file; the result is its first position.
    fn add(&mut self, name: &str, text: &str) -> usize {
        // The end of a text is a position, too.
        let start = self.files.last().map_or(0, |last| last.start + last.text.len() + 1);
        self.files.push(Text { name: name.to_owned(), text: text.to_owned(), start });
        start
    }

    /// The file of a span, and the part of its text.
    fn place(&self, span: &Span) -> (String, Span) {
        let at = self.files.iter().rposition(|file| file.start <= span.start).unwrap_or(0);
        let Some(file) = self.files.get(at) else { return (String::new(), 0..0) };
        let within = |position: usize| position.saturating_sub(file.start).min(file.text.len());
        (file.name.clone(), within(span.start)..within(span.end))
    }

    /// The text of a span.
    pub fn excerpt(&self, span: &Span) -> &str {
        let file = self.files.iter().rfind(|file| file.start <= span.start);
        file.and_then(|file| file.text.get(span.start - file.start..span.end - file.start)).unwrap_or_default()
    }

    /// A flaw beside the lines that it is in.
    pub fn render(&self, flaw: &Diagnostic) -> String {
        let config = Config::default().with_color(false).with_char_set(CharSet::Ascii).with_index_type(IndexType::Byte);
        let label = flaw.witness.as_ref().map_or_else(|| "here".to_owned(), |witness| format!("at {witness}"));
        let place = self.place(&flaw.span);
        let mut report =
            Report::build(ReportKind::Error, place.clone()).with_config(config).with_message(flaw.to_string());
        let mut labels = vec![(place.clone(), label)];
        for (span, note) in &flaw.notes {
            match span {
                Some(span) => labels.push((self.place(span), note.clone())),
                None => report = report.with_note(note),
            }
        }
        // Line by line, so that no file is shown twice.
        labels.sort_by_key(|((file, span), _)| (*file != place.0, file.clone(), span.start));
        for (place, text) in labels {
            report = report.with_label(Label::new(place).with_message(text));
        }
        let mut bytes = Vec::new();
        let texts = self.files.iter().map(|file| (file.name.clone(), file.text.clone()));
        match report.finish().write(sources(texts), &mut bytes) {
            Ok(()) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(_) => format!("{}: {flaw}\n", place.0),
        }
    }
}

/// What is wrong with some files.
#[derive(Clone, Debug)]
pub struct Flaws {
    /// The files.
    pub sources: Sources,
    /// The flaws, at least one.
    pub flaws: Vec<Diagnostic>,
}

impl fmt::Display for Flaws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> = self.flaws.iter().map(|flaw| self.sources.render(flaw)).collect();
        f.write_str(&all.join("\n"))
    }
}

impl std::error::Error for Flaws {}

/// What reads a file, by its name.
pub type Reader<'a> = &'a mut dyn FnMut(&str) -> Result<String, String>;

/// The systems of a file and of those that it uses, if they mean something; its own are the last
/// ones.
///
/// # Errors
/// Everything that is wrong.
pub fn load_file(name: &str, text: &str, read: Reader<'_>, budget: &mut Budget) -> Result<Vec<System>, Flaws> {
    let mut loader = Loader { sources: Sources::default(), done: Vec::new(), whole: File::default(), read };
    let loaded = loader.file(&normal(Path::new(name)), name, text, &mut Vec::new());
    let Loader { sources, whole, .. } = loader;
    let systems = loaded.and_then(|()| crate::elaborate::elaborate(&whole, budget));
    match systems.map_err(|flaw| vec![flaw]).and_then(|systems| crate::checked(systems, budget)) {
        Ok(systems) => Ok(systems),
        Err(flaws) => Err(Flaws { sources, flaws }),
    }
}

struct Loader<'a> {
    sources: Sources,
    /// The files that have been read, with the constants that they know.
    done: Vec<(PathBuf, Vec<(Name, String)>)>,
    whole: File,
    read: Reader<'a>,
}

impl Loader<'_> {
    /// Adds a file behind those that it uses. The recursion is bounded by [`DEPTH`].
    fn file(
        &mut self,
        path: &Path,
        name: &str,
        text: &str,
        chain: &mut Vec<(PathBuf, String)>,
    ) -> Result<(), Diagnostic> {
        let start = self.sources.add(name, text);
        let mut file = parser::parse_at(text, start)?;
        let mut constants: Vec<(Name, String)> = Vec::new();
        chain.push((path.to_owned(), name.to_owned()));
        for used in &file.uses {
            let folder = Path::new(name).parent().unwrap_or(Path::new(""));
            let name = folder.join(&used.text).display().to_string();
            let path = normal(Path::new(&name));
            if let Some(first) = chain.iter().position(|(other, _)| *other == path) {
                let names = chain[first..].iter().skip(1).map(|(_, name)| format!("`{name}`, which uses "));
                let message = format!("`{}` uses {}itself", chain[first].1, names.collect::<String>());
                return Err(Diagnostic::new(Flaw::FileCircle, used.span.clone(), message));
            }
            if !self.done.iter().any(|(other, _)| *other == path) {
                if chain.len() >= DEPTH {
                    let message = format!("{DEPTH} files use each other in a chain, which is too long");
                    return Err(Diagnostic::new(Flaw::FileChain, used.span.clone(), message));
                }
                let text = (self.read)(&name);
                let text = text
                    .map_err(|error| Diagnostic::new(Flaw::NoFile, used.span.clone(), format!("`{name}`: {error}")))?;
                self.file(&path, &name, &text, chain)?;
            }
            // One constant may come along several ways.
            let known = self.done.iter().filter(|(other, _)| *other == path).flat_map(|(_, known)| known);
            for constant in known {
                if !constants.contains(constant) {
                    constants.push(constant.clone());
                }
            }
        }
        chain.pop();
        file.share_constants(&constants);
        constants.extend(file.constants.iter().cloned());
        self.done.push((path.to_owned(), constants));
        self.whole.externs.extend(file.externs);
        self.whole.systems.extend(file.systems);
        Ok(())
    }
}

/// The path without `.` and without `..` behind a name.
fn normal(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(result.components().next_back(), Some(Component::Normal(_))) => {
                result.pop();
            }
            other => result.push(other),
        }
    }
    result
}

#[cfg(test)]
mod tests;
