//! The accesses that may touch an element of another one, without a look at all of them.
//!
//! # Problem
//! Each access of a program asks for those that touch the same elements. In an unrolled loop with a
//! thousand accesses to one array these are a few; a look at each of the others is a million looks.
//!
//! # Algorithm
//! Per array:
//!
//! 1. The dimension is taken in which most accesses begin at different places ([`crate::span`]).
//! 2. The accesses are sorted by where they begin there, those without a bound first. Each entry
//!    knows how far it and all before it reach.
//! 3. A query goes back from the last entry that begins before its own end, until none of the rest
//!    reaches to its own beginning. What it meets on the way is compared in all dimensions.
//!
//! # Invariant
//! The answer is that of a comparison with every access, in the order of statements and accesses.

use poly_arith::Int;
use poly_presburger::Tuple;
use rustc_hash::FxHashMap;

use crate::nearest::Candidate;
use crate::prepare::{Access, Program};
use crate::span::Span;

/// Some accesses of a program.
pub(crate) struct Neighbours<'a> {
    program: &'a Program,
    arrays: FxHashMap<Option<&'a Tuple>, Line<'a>>,
}

/// Accesses to one array in a row.
struct Line<'a> {
    dimension: usize,
    /// By least element of the dimension.
    entries: Vec<Candidate>,
    /// The greatest element of each entry and all before it; without a bound there is none.
    reach: Vec<Option<&'a Int>>,
}

impl<'a> Neighbours<'a> {
    /// Puts accesses in order.
    pub(crate) fn new(program: &'a Program, accesses: impl IntoIterator<Item = Candidate>) -> Neighbours<'a> {
        let mut arrays: FxHashMap<Option<&Tuple>, Vec<Candidate>> = FxHashMap::default();
        for candidate in accesses {
            let array = program.access(candidate.access).relation.space().range.as_ref();
            arrays.entry(array).or_default().push(candidate);
        }
        let lines = arrays.into_iter().map(|(array, entries)| (array, Line::new(program, entries)));
        Neighbours { program, arrays: lines.collect() }
    }

    /// The accesses that may touch an element of this one, in the order of statements and accesses.
    pub(crate) fn of(&self, query: (usize, usize)) -> Vec<Candidate> {
        let query = self.program.access(query);
        let Some(line) = self.arrays.get(&query.relation.space().range.as_ref()) else { return Vec::new() };
        let own = query.span(line.dimension);
        let end = line.entries.partition_point(|entry| {
            let span = self.program.access(entry.access).span(line.dimension);
            match (least(span), greatest(own)) {
                (Some(least), Some(greatest)) => least <= greatest,
                _ => true,
            }
        });
        let reaches = |reach: &Option<&Int>| match (reach, least(own)) {
            (Some(reach), Some(least)) => *reach >= least,
            _ => true,
        };
        let ahead = line.entries[..end].iter().zip(&line.reach[..end]).rev().take_while(|(_, reach)| reaches(reach));
        let near = ahead.map(|(entry, _)| *entry);
        let mut near: Vec<Candidate> =
            near.filter(|entry| !query.is_plainly_elsewhere(self.program.access(entry.access))).collect();
        near.sort_unstable_by_key(|entry| entry.access);
        near
    }
}

impl<'a> Line<'a> {
    fn new(program: &'a Program, mut entries: Vec<Candidate>) -> Line<'a> {
        let first = |entry: &Candidate, dimension| least(program.access(entry.access).span(dimension));
        let dimensions = entries.iter().map(|entry| program.access(entry.access).dimensions()).max().unwrap_or(0);
        let places = |dimension: usize| {
            let mut places: Vec<&Int> = entries.iter().filter_map(|entry| first(entry, dimension)).collect();
            places.sort_unstable();
            places.dedup();
            places.len()
        };
        // The first one of several.
        let dimension = (0..dimensions).rev().max_by_key(|&dimension| places(dimension)).unwrap_or(0);
        entries.sort_by_key(|entry| first(entry, dimension));
        let mut reach: Vec<Option<&Int>> = Vec::with_capacity(entries.len());
        for entry in &entries {
            let own = greatest(program.access(entry.access).span(dimension));
            reach.push(match reach.last() {
                Some(before) => before.and_then(|before| own.map(|own| before.max(own))),
                None => own,
            });
        }
        Line { dimension, entries, reach }
    }
}

fn least(span: Option<&Span>) -> Option<&Int> {
    span.and_then(Span::least)
}

fn greatest(span: Option<&Span>) -> Option<&Int> {
    span.and_then(Span::greatest)
}

impl Access {
    /// Between which values the elements are in a dimension; unknown where there are no elements.
    fn span(&self, dimension: usize) -> Option<&Span> {
        self.spans().get(dimension)
    }

    fn dimensions(&self) -> usize {
        self.spans().len()
    }
}

#[cfg(test)]
mod tests {
    use poly_presburger::budget::Budget;

    use super::*;
    use crate::problem::{AccessInfo, AccessKind, Problem, StatementInfo};

    /// One statement that reads these elements.
    fn reading(subscripts: &[String]) -> Program {
        let access = |subscript: &String| AccessInfo {
            kind: AccessKind::Read,
            relation: format!("[n] -> {{ S[i] -> A[{subscript}] }}").parse().expect("the test's map parses"),
            group: None,
        };
        let statement = StatementInfo {
            domain: "[n] -> { S[i] : 0 <= i < 10 }".parse().expect("the test's set parses"),
            time: "{ S[i] -> [i] }".parse().expect("the test's map parses"),
            accesses: subscripts.iter().map(access).collect(),
            reductions: Vec::new(),
        };
        let context = "[n] -> { : }".parse().expect("the test's set parses");
        Program::new(&Problem { context, statements: vec![statement], overlaps: Vec::new() }, &mut Budget::unlimited())
            .expect("no limit")
    }

    #[test]
    fn neighbours_are_those_of_all_pairs() {
        let mut subscripts: Vec<String> = (0..40).map(|k| format!("3, {}", k * 7 % 40)).collect();
        let others = ["i, i + 5", "i, 2i - 8", "i, n", "3, 30 - i", "4, i", "i + 30, 9", "3, -100", "3, 2i + 20"];
        subscripts.extend(others.map(str::to_owned));
        let program = reading(&subscripts);
        let all = || (0..subscripts.len()).map(|a| Candidate { access: (0, a), kills: false });
        let neighbours = Neighbours::new(&program, all());
        for query in all() {
            let own = program.access(query.access);
            let expected = all().map(|c| c.access).filter(|&a| !own.is_plainly_elsewhere(program.access(a)));
            let found: Vec<_> = neighbours.of(query.access).iter().map(|c| c.access).collect();
            assert_eq!(found, expected.collect::<Vec<_>>(), "{}", subscripts[query.access.1]);
        }
    }
}
