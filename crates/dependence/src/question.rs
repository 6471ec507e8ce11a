//! What the answer for an access follows from.
//!
//! # Problem
//! Many accesses of a program ask the same: reads of one element in one statement, copies of an access in an unrolled loop, and accesses that are still the same after a small change of
//! the program. One answer does for all of them.
//!
//! # Definition
//! A *question* is the shape of the subject (see [`crate::shape`]) with its domain and time, and the same of each candidate that may touch one of its elements, in their order, with its
//! *distance*: its offset minus that of the subject.
//!
//! # Why equal questions have equal answers
//! Elements enter an answer only by being equal to each other. All offsets of a question moved by one vector rename the elements and nothing else. The answer names instances of
//! the subject and of the candidates, except for pairs of instance and element, as some subjects are: these have the offset zero, so nothing is renamed.

use poly_arith::Int;

use crate::nearest::{Candidate, Towards};
use crate::prepare::Program;
use crate::shape::distance;

/// A question; candidates are named by their position in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    towards: Towards,
    /// [`crate::prepare::Access::number`] of the subject.
    subject: u32,
    candidates: Vec<Part>,
}

/// What matters of a candidate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Part {
    number: u32,
    hides: bool,
    side: Side,
    distance: Vec<Int>,
}

/// Where a candidate stands in the statement of the subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Side {
    Elsewhere,
    Before,
    Itself,
    After,
}

impl Question {
    /// The question that a subject asks of candidates in the order of statements and accesses.
    pub(crate) fn new(
        program: &Program,
        towards: Towards,
        subject: (usize, usize),
        candidates: &[Candidate],
    ) -> Question {
        let own = program.access(subject);
        let part = |candidate: &Candidate| {
            let side = match candidate.access {
                (statement, _) if statement != subject.0 => Side::Elsewhere,
                (_, access) if access < subject.1 => Side::Before,
                (_, access) if access == subject.1 => Side::Itself,
                _ => Side::After,
            };
            let access = program.access(candidate.access);
            let distance = distance(&own.offset, &access.offset);
            Part { number: access.number, hides: candidate.hides, side, distance }
        };
        Question { towards, subject: own.number, candidates: candidates.iter().map(part).collect() }
    }
}
