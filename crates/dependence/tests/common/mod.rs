//! Programs as text, for the tests.

#![allow(dead_code, unreachable_pub, reason = "every test file uses a part of this")]

pub mod loops;
pub mod polybench;
pub mod random;
pub mod trace;

use poly_dependence::{AccessInfo, AccessKind, Problem, ReductionInfo, ReductionOperator, StatementInfo};

/// A statement with its domain, its time and accesses such as `"read { S[i] -> A[i] }"`,
/// `"write ..."`, `"may ..."`.
pub fn statement(domain: &str, time: &str, accesses: &[&str]) -> StatementInfo {
    let access = |text: &&str| {
        let (kind, relation) = text.split_once(' ').expect("an access is a kind and a relation");
        let kind = match kind {
            "read" => AccessKind::Read,
            "write" => AccessKind::MustWrite,
            "may" => AccessKind::MayWrite,
            other => panic!("{other} is no kind of access"),
        };
        AccessInfo { kind, relation: relation.parse().expect("the access parses"), group: None }
    };
    StatementInfo {
        domain: domain.parse().expect("the domain parses"),
        time: time.parse().expect("the time parses"),
        accesses: accesses.iter().map(access).collect(),
        reductions: Vec::new(),
    }
}

/// The same statement with a reassociable sum or product over the given read and write; updates by
/// the same operator are one group.
pub fn with_reduction(
    mut statement: StatementInfo,
    operator: ReductionOperator,
    read: usize,
    write: usize,
) -> StatementInfo {
    let group = usize::from(operator != ReductionOperator::Add);
    statement.reductions.push(ReductionInfo { read, write, operator, reassociable: true, group });
    statement
}

/// A program.
pub fn program(context: &str, statements: Vec<StatementInfo>) -> Problem {
    Problem { context: context.parse().expect("the context parses"), statements, overlaps: Vec::new() }
}
