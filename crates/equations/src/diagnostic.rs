//! What is wrong with a text, where, and at which point.

use std::fmt;
use std::ops::Range;

use poly_presburger::{Budget, Set, Stop};

use crate::modules::Sources;
use crate::witness::described;

/// A range of bytes of the source text; of several files, see [`crate::modules`].
pub type Span = Range<usize>;

/// Declares the kinds of flaws, with a list of them.
macro_rules! kinds {
    ($( $(#[$doc:meta])* $name:ident $( ($at:ident) )? ),* $(,)?) => {
        /// What kind of flaw it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Flaw { $( $(#[$doc])* $name, )* }

        impl Flaw {
            /// All kinds.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Whether a flaw of this kind is one of values, and shows itself at a point. Where
            /// words have no meaning, there are no points yet.
            pub fn has_point(self) -> bool {
                match self { $( Self::$name => kinds!(@point $($at)?), )* }
            }
        }
    };
    (@point) => { false };
    (@point point) => { true };
}

kinds! {
    /// A character that begins nothing.
    Character,
    /// Words and signs in an order that means nothing.
    Syntax,
    /// A file that is not there.
    NoFile,
    /// Files that use each other in a circle.
    FileCircle,
    /// Too many files that use each other.
    FileChain,
    /// Two things of one kind with one name.
    Twice,
    /// A name that something of another kind has.
    Taken,
    /// No type has this name.
    UnknownType,
    /// No variable, index, parameter or constant has this name.
    UnknownName,
    /// No function has this name.
    UnknownFunction,
    /// No system has this name.
    UnknownSystem,
    /// Nothing is reduced by this operator.
    UnknownReduction,
    /// A condition or a subscript that is not affine, or more than one function.
    Affine,
    /// Parts of one domain with different numbers of dimensions.
    Parts,
    /// Another number of dimensions than the variable has.
    Dimensions,
    /// Another number of arguments than the function has.
    Arguments,
    /// Another number of parameters, inputs or outputs than the system has.
    Usage,
    /// Systems that use each other in a circle.
    SystemCircle,
    /// A number with too many digits.
    Number,
    /// A case with two branches for the rest.
    Elses,
    /// The limit of operations is reached.
    TooHard,
    /// An equation for an input.
    InputDefined(point),
    /// A variable without an equation.
    NoEquation(point),
    /// A variable with two equations.
    TwoEquations(point),
    /// A system that is used with parameters that it does not allow.
    Parameters(point),
    /// An input, output or local variable with infinitely many values.
    Infinite(point),
    /// A value is read where there is none.
    Undefined(point),
    /// Two branches have a value.
    Overlap(point),
    /// No branch has a value.
    Hole(point),
    /// A reduction of infinitely many points.
    InfiniteReduction(point),
    /// A minimum or maximum of nothing.
    EmptyReduction(point),
    /// A condition where a number is needed.
    NotNumber(point),
    /// A number where a condition is needed.
    NotCondition(point),
    /// A floating-point number where an integer is needed.
    NotInteger(point),
}

/// A flaw of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Of which kind it is.
    pub kind: Flaw,
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
    pub fn new(kind: Flaw, span: Span, message: impl Into<String>) -> Self {
        Self { kind, span, message: message.into(), witness: None, notes: Vec::new() }
    }

    /// The same at a point.
    #[must_use]
    pub fn at(mut self, witness: impl Into<String>) -> Self {
        self.witness = Some(witness.into());
        self
    }

    /// The same at a point of a set, if it has one.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub(crate) fn at_point_of(self, set: &Set, budget: &mut Budget) -> Result<Self, Stop> {
        Ok(match described(set, budget)? {
            Some(witness) => self.at(witness),
            None => self,
        })
    }

    /// The same somewhere in this range, if it has no place of its own.
    #[must_use]
    pub(crate) fn within(mut self, span: &Span) -> Self {
        if self.kind == Flaw::TooHard && self.span.is_empty() {
            self.span = span.clone();
        }
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
        Self::new(Flaw::TooHard, 0..0, "the question is too hard: the limit of operations is reached")
    }
}

#[cfg(test)]
mod tests;
