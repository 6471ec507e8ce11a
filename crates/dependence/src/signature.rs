//! The key by which answers are kept: what the answer for an access follows from.
//!
//! # Problem
//! Many accesses of a program have the same answer: reads of one element in one statement, copies
//! of an access in an unrolled loop, and accesses that are still the same after a small change of
//! the program. One answer does for all of them.
//!
//! # Definition
//! A *signature* is the shape of the query (see [`crate::shape`]) with its domain and time, and the
//! same of each candidate that may touch one of its elements, in their order, with its *distance*:
//! its offset minus that of the query.
//!
//! # Why equal signatures have equal answers
//! Elements enter an answer only by being equal to each other. All offsets of a signature moved by
//! one vector rename the elements and nothing else. The answer names instances of the query and of
//! the candidates, except for pairs of instance and element, as some queries are: these have the
//! offset zero, so nothing is renamed.

use poly_arith::Int;

use crate::nearest::{Candidate, Towards};
use crate::prepare::Program;
use crate::shape::distance;

/// A signature; candidates are named by their position in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Signature {
    towards: Towards,
    /// [`crate::prepare::Access::number`] of the query.
    query: u32,
    candidates: Vec<CandidateSignature>,
}

/// What matters of a candidate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct CandidateSignature {
    number: u32,
    kills: bool,
    side: Side,
    distance: Vec<Int>,
}

/// Where a candidate stands in the statement of the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Side {
    Elsewhere,
    Before,
    Itself,
    After,
}

impl Signature {
    /// The signature of a query with candidates in the order of statements and accesses.
    pub(crate) fn new(
        program: &Program,
        towards: Towards,
        query: (usize, usize),
        candidates: &[Candidate],
    ) -> Signature {
        let own = program.access(query);
        let of_candidate = |candidate: &Candidate| {
            let side = match candidate.access {
                (statement, _) if statement != query.0 => Side::Elsewhere,
                (_, access) if access < query.1 => Side::Before,
                (_, access) if access == query.1 => Side::Itself,
                _ => Side::After,
            };
            let access = program.access(candidate.access);
            let distance = distance(&own.offset, &access.offset);
            CandidateSignature { number: access.number, kills: candidate.kills, side, distance }
        };
        Signature { towards, query: own.number, candidates: candidates.iter().map(of_candidate).collect() }
    }
}
