//! Where values come from and which of them survive.

use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{Map, Set};

use crate::memo::Memo;
use crate::nearest::Candidate;
use crate::prepare::Program;
use crate::problem::{AccessKind, Problem};

/// A write whose value a read may see.
#[derive(Clone, Debug, PartialEq)]
pub struct WriteSource {
    /// Statement of the write.
    pub statement: usize,
    /// Its position among the accesses.
    pub access: usize,
    /// From writing instances to reading instances. Pairs within one instance are included.
    pub relation: Map,
}

/// Where a read gets its values from.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadSource {
    /// Statement of the read.
    pub statement: usize,
    /// Its position among the accesses.
    pub access: usize,
    /// The writes, in the order of statements and accesses; none of them is empty. A must-write
    /// contributes the last write before the read; may-writes contribute what they have written
    /// since.
    pub sources: Vec<WriteSource>,
    /// The writes to arrays that may overlap that of the read ([`Problem::overlaps`]): all that are
    /// executed before it.
    pub overlapping: Vec<WriteSource>,
    /// Reading instances that may see what was there before the program began: no must-write
    /// reaches them.
    pub uninitialized: Set,
}

/// What survives of a write.
#[derive(Clone, Debug, PartialEq)]
pub struct Survivor {
    /// Statement of the write.
    pub statement: usize,
    /// Its position among the accesses.
    pub access: usize,
    /// From writing instances to elements that no later must-write overwrites. May be empty.
    pub relation: Map,
}

/// The value-based sources of every read, in the order of statements and accesses.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn dataflow(problem: &Problem, budget: &mut Budget) -> Result<Vec<ReadSource>, Stop> {
    Memo::default().dataflow(problem, budget)
}

/// The pairs of writing instance and element that hold at the end, for every write in the order of
/// statements and accesses.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn live_out(problem: &Problem, budget: &mut Budget) -> Result<Vec<Survivor>, Stop> {
    Memo::default().live_out(problem, budget)
}

/// All writes; must-writes kill.
pub(crate) fn writers(program: &Program) -> Vec<Candidate> {
    let writes = program.accesses(|kind| kind != AccessKind::Read);
    let kills = |&access: &(usize, usize)| program.access(access).kind == AccessKind::MustWrite;
    writes.iter().map(|access| Candidate { access: *access, kills: kills(access) }).collect()
}
