//! Dataflow of many programs that differ little.
//!
//! # Problem
//! Whoever tries small changes of a program (other elements for some accesses, values computed again elsewhere) asks for the dataflow after each of them.
//! Large programs cannot be analysed from the beginning each time.
//!
//! # Method
//! What a read sees follows from the read itself and the writes that may touch the same elements: their domains, times, kinds, relations and order.
//! What survives of a write follows from it and the writes that may hide it. This is the [`Question`]; equal questions have equal answers, which are
//! kept. Prepared statements are kept, too.
//!
//! # Invariant
//! Everything that is kept belongs to one context and one list of parameters.

use std::collections::HashMap;

use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{Id, Map, Set};

use crate::dataflow::{ReadSource, Survivor, WriteSource};
use crate::nearest::{Candidate, Towards, nearest, uncovered};
use crate::neighbours::Neighbours;
use crate::overlap::Earlier;
use crate::parallel::run_all;
use crate::prepare::{Prepared, Program};
use crate::problem::{AccessKind, Problem};
use crate::question::Question;

/// What is known from earlier programs.
#[derive(Debug, Default)]
pub struct Memo {
    /// Context and parameters.
    frame: Option<(Set, Vec<Id>)>,
    prepared: Prepared,
    answers: HashMap<Question, Answer>,
    earlier: Earlier,
}

/// An answer; candidates by their position in the question.
#[derive(Clone, Debug)]
struct Answer {
    found: Vec<(usize, Map)>,
    /// Subjects without a candidate that hides.
    rest: Set,
}

/// A question with the accesses that it is about.
struct Task {
    question: Question,
    subject: (usize, usize),
    candidates: Vec<Candidate>,
}

impl Memo {
    /// The value-based sources of every read, in the order of statements and accesses.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn dataflow(&mut self, problem: &Problem, budget: &mut Budget) -> Result<Vec<ReadSource>, Stop> {
        let program = self.program(problem, budget)?;
        let reads = program.accesses(|kind| kind == AccessKind::Read);
        let tasks = tasks(&program, &reads, Towards::Past);
        self.answer(&program, &tasks, Towards::Past, budget)?;
        let mut sources: Vec<ReadSource> = tasks.iter().map(|task| self.read_source(task)).collect();
        for source in &mut sources {
            source.overlapping = self.earlier.writes(&program, (source.statement, source.access), budget)?;
        }
        Ok(sources)
    }

    /// The pairs of writing instance and element that hold at the end, for every write in the order of statements and accesses.
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
        let tasks = tasks(program, writes, Towards::Future);
        self.answer(program, &tasks, Towards::Future, budget)?;
        let mut result = Vec::with_capacity(tasks.len());
        for task in &tasks {
            let rest = &self.answers[&task.question].rest;
            let access = program.access(task.subject);
            let relation = if access.paired { rest.clone().unwrap() } else { access.relation.intersect_domain(rest) };
            let relation = relation.coalesce(budget)?;
            result.push(Survivor { statement: task.subject.0, access: task.subject.1, relation });
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

    /// Answers the questions that are new.
    fn answer(&mut self, program: &Program, tasks: &[Task], towards: Towards, budget: &mut Budget) -> Result<(), Stop> {
        let mut open: Vec<&Task> = tasks.iter().filter(|task| !self.answers.contains_key(&task.question)).collect();
        // Equal questions of one program, as reads of one element in one statement have them, are asked once.
        let mut asked = std::collections::HashSet::new();
        open.retain(|task| asked.insert(&task.question));
        let ask = |task: &&Task, budget: &mut Budget| -> Result<Answer, Stop> {
            if towards == Towards::Future {
                let rest = uncovered(program, task.subject, &task.candidates, towards, budget)?;
                return Ok(Answer { found: Vec::new(), rest });
            }
            let nearest = nearest(program, task.subject, &task.candidates, towards, budget)?;
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
        let answers = run_all(&open, ask, budget)?;
        for (task, answer) in open.into_iter().zip(answers) {
            self.answers.insert(task.question.clone(), answer);
        }
        Ok(())
    }

    fn read_source(&self, task: &Task) -> ReadSource {
        let answer = &self.answers[&task.question];
        let source = |(index, relation): &(usize, Map)| {
            let (statement, access) = task.candidates[*index].access;
            WriteSource { statement, access, relation: relation.clone() }
        };
        ReadSource {
            statement: task.subject.0,
            access: task.subject.1,
            sources: answer.found.iter().map(source).collect(),
            overlapping: Vec::new(),
            uninitialized: answer.rest.clone(),
        }
    }
}

/// The questions about some accesses. Reads ask for all writes, writes for those that hide them.
fn tasks(program: &Program, subjects: &[(usize, usize)], towards: Towards) -> Vec<Task> {
    let wanted = |&access: &(usize, usize)| {
        let hides = program.access(access).kind == AccessKind::MustWrite;
        (hides || towards == Towards::Past).then_some(Candidate { access, hides })
    };
    let writes = program.accesses(|kind| kind != AccessKind::Read);
    let writes = Neighbours::new(program, writes.iter().filter_map(wanted));
    let task = |&subject: &(usize, usize)| {
        let candidates = writes.of(subject);
        Task { question: Question::new(program, towards, subject, &candidates), subject, candidates }
    };
    subjects.iter().map(task).collect()
}
