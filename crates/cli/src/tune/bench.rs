//! What a search asks of the world, and what it gets to know.

/// What is built and run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Subject {
    /// The program without Poly.
    Original,
    /// With a profile of these lines.
    Profile(String),
}

/// What became of the loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// They are those with this hash: equal hashes, equal loops.
    Loops(u64),
    /// It cannot be built, and why.
    Impossible(String),
}

/// What became of a run.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Run {
    /// It printed what it should; the time in seconds.
    Time(f64),
    /// It printed something else, or ended in another way.
    Wrong,
    /// It took so long that it was stopped.
    TooLong,
}

/// Why a search ends before it has seen everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// All runs that it may have are used.
    Budget,
    /// A sentence.
    Error(String),
}

impl Halt {
    /// What is wrong, as a sentence.
    pub(super) fn sentence(self) -> String {
        match self {
            Halt::Budget => "all runs are used".to_owned(),
            Halt::Error(what) => what,
        }
    }
}

/// Something that can be built and run in variants.
pub(super) trait Bench {
    /// Builds a subject and says what became of its loops.
    ///
    /// # Errors
    /// What makes going on useless.
    fn look(&mut self, subject: &Subject) -> Result<Look, Halt>;

    /// Runs a subject.
    ///
    /// # Errors
    /// What makes going on useless.
    fn run(&mut self, subject: &Subject) -> Result<Run, Halt>;

    /// How often something was run.
    fn runs(&self) -> u64;
}
