//! Dataflow of many programs that differ little.
//!
//! # Problem
//! Whoever tries small changes of a program (other elements for some accesses, values computed
//! again elsewhere) asks for the dataflow after each of them. Large programs cannot be analysed
//! from the beginning each time.
//!
//! # Method
//! What a read sees follows from the read itself and the writes that may touch the same elements:
//! their domains, times, kinds, relations and order. What survives of a write follows from it and
//! the writes that may kill it. This is the [`Signature`]; equal signatures have equal answers,
//! which are kept, also if others could not be had. Prepared statements are kept, too, and how many
//! steps were not enough for an answer: it is not computed again with as many or fewer.
//!
//! # Invariant
//! Everything that is kept belongs to one context and one list of parameters.

use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{Id, Map, Set};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::dataflow::{ReadSource, Survivor, WriteSource};
use crate::nearest::{Candidate, Towards, nearest, uncovered};
use crate::neighbours::Neighbours;
use crate::overlap::Earlier;
use crate::parallel::try_all;
use crate::prepare::{Prepared, Program};
use crate::problem::{AccessKind, Problem};
use crate::signature::Signature;

/// What is known from earlier programs.
#[derive(Debug, Default)]
pub struct Memo {
    /// Context and parameters.
    frame: Option<(Set, Vec<Id>)>,
    prepared: Prepared,
    answers: FxHashMap<Signature, Answer>,
    /// Signatures without an answer, and how many steps there were for them and those computed with
    /// them.
    unanswered: FxHashMap<Signature, u64>,
    earlier: Earlier,
}

/// An answer; candidates by their position in the signature.
#[derive(Clone, Debug)]
struct Answer {
    found: Vec<(usize, Map)>,
    /// Queries without a candidate that kills.
    rest: Set,
}

/// A query with the accesses among which the nearest are looked for.
struct Task {
    signature: Signature,
    query: (usize, usize),
    candidates: Vec<Candidate>,
}

/// So many candidates of a signature cost a step.
const CANDIDATES_PER_STEP: u64 = 16;

impl Memo {
    /// The value-based sources of every read, in the order of statements and accesses.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn dataflow(&mut self, problem: &Problem, budget: &mut Budget) -> Result<Vec<ReadSource>, Stop> {
        let program = self.program(problem, budget)?;
        let reads = program.accesses(|kind| kind == AccessKind::Read);
        self.sources(&program, &reads, budget)
    }

    /// The value-based sources of the reads that are named by statement and access.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn dataflow_of(
        &mut self,
        problem: &Problem,
        reads: &[(usize, usize)],
        budget: &mut Budget,
    ) -> Result<Vec<ReadSource>, Stop> {
        let program = self.program(problem, budget)?;
        self.sources(&program, reads, budget)
    }

    fn sources(
        &mut self,
        program: &Program,
        reads: &[(usize, usize)],
        budget: &mut Budget,
    ) -> Result<Vec<ReadSource>, Stop> {
        let tasks = tasks(program, reads, Towards::Past, budget)?;
        self.answer(program, &tasks, Towards::Past, budget)?;
        let mut sources: Vec<ReadSource> = tasks.iter().map(|task| self.read_source(task)).collect();
        for source in &mut sources {
            source.overlapping = self.earlier.writes(program, (source.statement, source.access), budget)?;
        }
        Ok(sources)
    }

    /// The pairs of writing instance and element that hold at the end, for every write in the order
    /// of statements and accesses.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn live_out(&mut self, problem: &Problem, budget: &mut Budget) -> Result<Vec<Survivor>, Stop> {
        let program = self.program(problem, budget)?;
        let writes = program.accesses(|kind| kind != AccessKind::Read);
        self.survivors(&program, &writes, budget)
    }

    /// What holds at the end of the writes that are named by statement and access.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn live_out_of(
        &mut self,
        problem: &Problem,
        writes: &[(usize, usize)],
        budget: &mut Budget,
    ) -> Result<Vec<Survivor>, Stop> {
        let program = self.program(problem, budget)?;
        self.survivors(&program, writes, budget)
    }

    fn survivors(
        &mut self,
        program: &Program,
        writes: &[(usize, usize)],
        budget: &mut Budget,
    ) -> Result<Vec<Survivor>, Stop> {
        let tasks = tasks(program, writes, Towards::Future, budget)?;
        self.answer(program, &tasks, Towards::Future, budget)?;
        let mut result = Vec::with_capacity(tasks.len());
        for task in &tasks {
            let rest = &self.answers[&task.signature].rest;
            let access = program.access(task.query);
            let relation = if access.paired { rest.clone().unwrap() } else { access.relation.intersect_domain(rest) };
            let relation = relation.coalesce(budget)?;
            result.push(Survivor { statement: task.query.0, access: task.query.1, relation });
        }
        Ok(result)
    }

    fn program(&mut self, problem: &Problem, budget: &mut Budget) -> Result<Program, Stop> {
        let frame = (problem.context.clone(), Program::params(problem));
        if self.frame.as_ref() != Some(&frame) {
            *self = Memo { frame: Some(frame), ..Memo::default() };
        }
        Program::prepared(problem, &mut self.prepared, budget)
    }

    /// Computes the answers for signatures that are new.
    fn answer(&mut self, program: &Program, tasks: &[Task], towards: Towards, budget: &mut Budget) -> Result<(), Stop> {
        let mut open: Vec<&Task> = tasks.iter().filter(|task| !self.answers.contains_key(&task.signature)).collect();
        // Equal signatures of one program, as reads of one element in one statement have them, are
        // answered once.
        let mut asked = FxHashSet::default();
        open.retain(|task| asked.insert(&task.signature));
        let left = budget.remaining();
        let is_hopeless = |task: &&Task| self.unanswered.get(&task.signature).is_some_and(|steps| left <= *steps);
        if open.iter().any(is_hopeless) {
            return Err(Stop);
        }
        let ask = |task: &&Task, budget: &mut Budget| -> Result<Answer, Stop> {
            if towards == Towards::Future {
                let rest = uncovered(program, task.query, &task.candidates, towards, budget)?;
                return Ok(Answer { found: Vec::new(), rest });
            }
            let nearest = nearest(program, task.query, &task.candidates, towards, budget)?;
            let mut found = Vec::new();
            for index in 0..task.candidates.len() {
                let parts = nearest.found.iter().filter(|found| found.candidate == index);
                let all = parts.map(|found| found.relation.reverse()).reduce(|a, b| a.union(&b));
                if let Some(relation) = all {
                    found.push((index, relation.coalesce(budget)?));
                }
            }
            Ok(Answer { found, rest: nearest.rest })
        };
        let mut is_complete = true;
        for (task, answer) in open.iter().zip(try_all(&open, ask, budget)) {
            match answer {
                Ok(answer) => _ = self.answers.insert(task.signature.clone(), answer),
                Err(Stop) => {
                    is_complete = false;
                    self.unanswered.insert(task.signature.clone(), left);
                }
            }
        }
        if is_complete { Ok(()) } else { Err(Stop) }
    }

    fn read_source(&self, task: &Task) -> ReadSource {
        let answer = &self.answers[&task.signature];
        let source = |(index, relation): &(usize, Map)| {
            let (statement, access) = task.candidates[*index].access;
            WriteSource { statement, access, relation: relation.clone() }
        };
        ReadSource {
            statement: task.query.0,
            access: task.query.1,
            sources: answer.found.iter().map(source).collect(),
            overlapping: Vec::new(),
            uninitialized: answer.rest.clone(),
        }
    }
}

/// The tasks of some accesses. Candidates of reads are all writes, of writes those that kill them.
///
/// # Errors
/// [`Stop`] when the budget runs out: the signatures of many accesses to one array are long, and
/// compared as a whole.
fn tasks(
    program: &Program,
    queries: &[(usize, usize)],
    towards: Towards,
    budget: &mut Budget,
) -> Result<Vec<Task>, Stop> {
    let wanted = |&access: &(usize, usize)| {
        let kills = program.access(access).kind == AccessKind::MustWrite;
        (kills || towards == Towards::Past).then_some(Candidate { access, kills })
    };
    let writes = program.accesses(|kind| kind != AccessKind::Read);
    let writes = Neighbours::new(program, writes.iter().filter_map(wanted));
    let task = |&query: &(usize, usize)| {
        let candidates = writes.of(query);
        budget.spend(candidates.len() as u64 / CANDIDATES_PER_STEP)?;
        Ok(Task { signature: Signature::new(program, towards, query, &candidates), query, candidates })
    };
    queries.iter().map(task).collect()
}
