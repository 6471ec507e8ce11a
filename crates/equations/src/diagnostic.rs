//! What is wrong with a text, where, and at which point.

use std::fmt;
use std::ops::Range;

use poly_presburger::Stop;

use crate::modules::Sources;

/// A range of bytes of the source text; of several files, see [`crate::modules`].
pub type Span = Range<usize>;

/// A flaw of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// A point at which it is so: `i = 0 when N = 3`.
    pub witness: Option<String>,
    /// What else belongs to it, with the place if it has one.
    pub notes: Vec<(Option<Span>, String)>,
}

impl Diagnostic {
    /// A flaw.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), witness: None, notes: Vec::new() }
    }

    /// The same at a point.
    #[must_use]
    pub fn at(mut self, witness: impl Into<String>) -> Self {
        self.witness = Some(witness.into());
        self
    }

    /// The same with another place that it is about.
    #[must_use]
    pub fn with_place(mut self, span: Span, note: impl Into<String>) -> Self {
        self.notes.push((Some(span), note.into()));
        self
    }

    /// The same with an explanation.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push((None, note.into()));
        self
    }

    /// The flaw beside the lines that it is in.
    pub fn render(&self, file: &str, source: &str) -> String {
        Sources::of(file, source).render(self)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.witness {
            Some(witness) => write!(f, " at {witness}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Diagnostic {}

impl From<Stop> for Diagnostic {
    fn from(_: Stop) -> Self {
        Self::new(0..0, "the question is too hard: the limit of operations is reached")
    }
}

impl From<poly_presburger::SolveError> for Diagnostic {
    fn from(error: poly_presburger::SolveError) -> Self {
        Self::new(0..0, error.to_string())
    }
}
