//! Where values come from and which of them survive.

use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{DimKind, Map, Set};

use crate::nearest::{Candidate, Towards, nearest, uncovered};
use crate::parallel::run_all;
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
    /// The writes, in the order of statements and accesses; none of them is empty. A must-write contributes the last write
    /// before the read; may-writes contribute what they have written since.
    pub sources: Vec<WriteSource>,
    /// Reading instances that may see what was there before the program began: no must-write reaches them.
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
    let program = Program::new(problem, budget)?;
    let reads = program.accesses(|kind| kind == AccessKind::Read);
    let writes = writers(&program);
    run_all(&reads, |&read, budget| read_source(&program, read, &writes, budget), budget)
}

/// The pairs of writing instance and element that hold at the end, for every write in the order of statements and accesses.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn live_out(problem: &Problem, budget: &mut Budget) -> Result<Vec<Survivor>, Stop> {
    let program = Program::new(problem, budget)?;
    let writes = program.accesses(|kind| kind != AccessKind::Read);
    let killers: Vec<Candidate> = writers(&program).into_iter().filter(|w| w.hides).collect();
    let survivor = |&write: &(usize, usize), budget: &mut Budget| -> Result<Survivor, Stop> {
        let rest = uncovered(&program, write, &killers, Towards::Future, budget)?;
        let access = program.access(write);
        let relation = if access.paired { rest.unwrap() } else { access.relation.intersect_domain(&rest) };
        Ok(Survivor { statement: write.0, access: write.1, relation: relation.coalesce(budget)? })
    };
    run_all(&writes, survivor, budget)
}

/// All writes; must-writes hide.
pub(crate) fn writers(program: &Program) -> Vec<Candidate> {
    let writes = program.accesses(|kind| kind != AccessKind::Read);
    let hides = |&access: &(usize, usize)| program.access(access).kind == AccessKind::MustWrite;
    writes.iter().map(|access| Candidate { access: *access, hides: hides(access) }).collect()
}

fn read_source(
    program: &Program,
    read: (usize, usize),
    writes: &[Candidate],
    budget: &mut Budget,
) -> Result<ReadSource, Stop> {
    let nearest = nearest(program, read, writes, Towards::Past, budget)?;
    let mut sources = Vec::new();
    for (index, write) in writes.iter().enumerate() {
        let parts = nearest.found.iter().filter(|found| found.candidate == index);
        let Some(relation) = parts.map(|found| found.relation.reverse()).reduce(|a, b| a.union(&b)) else { continue };
        debug_assert_eq!(relation.space().dim(DimKind::In), program.statements[write.access.0].tuple.n());
        let relation = relation.coalesce(budget)?;
        sources.push(WriteSource { statement: write.access.0, access: write.access.1, relation });
    }
    Ok(ReadSource { statement: read.0, access: read.1, sources, uninitialized: nearest.rest })
}
