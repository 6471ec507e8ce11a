//! The pairs of instances whose order matters.
//!
//! Every access asks for its nearest conflicting accesses: a read for its sources (flow) and for the writes that overwrite
//! what it has read (anti), a write for those that overwrite it (output). What lies behind a must-write is ordered by
//! transitivity.
//!
//! Reductions are treated after [Doerfert2015]. Updates of the same reduction may change places, but no two of one element may run at the same
//! time: a marked dependence relates each update to *all* later ones of its element, because in another order others are the nearest. Everything else does not
//! see that updates hide anything, neither those of its own reduction nor those of others, and is so related to every single
//! update, as if the dependences on the first and the last of them had been extended to all (privatization dependences).

use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{DimKind, Map};

use crate::constraints::{Placed, Sign, constant_sign, difference, positive, zero};
use crate::dataflow::writers;
use crate::dependence::{Dependence, DependenceKind, Dependences};
use crate::nearest::{Candidate, Towards, nearest};
use crate::parallel::run_all;
use crate::prepare::Program;
use crate::problem::{AccessKind, Problem};

/// What to compute. By default neither.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Mark dependences of reassociable reductions with themselves, and relate everything else to all updates. Without, reductions
    /// are ordinary statements, which needs fewer dependences: right for whoever keeps their order.
    pub reductions: bool,
    /// Input dependences between different statements.
    pub input: bool,
}

/// One question: the dependences of a kind that one access is the subject of.
#[derive(Clone, Copy, Debug)]
struct Task {
    kind: DependenceKind,
    subject: (usize, usize),
}

/// Reassociable reductions: (statement, read, write).
type Reductions = Vec<(usize, usize, usize)>;

/// Which conflicts are none.
struct Apart<'a> {
    reductions: &'a Reductions,
    problem: &'a Problem,
}

impl Apart<'_> {
    /// Whether both accesses are may-writes of one group.
    fn are_of_one_group(&self, a: (usize, usize), b: (usize, usize)) -> bool {
        let group = |(statement, access): (usize, usize)| {
            let info = &self.problem.statements[statement].accesses[access];
            info.group.filter(|_| info.kind == AccessKind::MayWrite)
        };
        group(a).is_some() && group(a) == group(b)
    }
}

/// All dependences of a program.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn analyse(problem: &Problem, options: &Options, budget: &mut Budget) -> Result<Dependences, Stop> {
    let program = Program::new(problem, budget)?;
    let reductions = if options.reductions { reductions_of(problem) } else { Vec::new() };
    let tasks = tasks(&program, options);
    tracing::debug!(statements = program.statements.len(), tasks = tasks.len(), "dependence analysis");
    let apart = Apart { reductions: &reductions, problem };
    let run = |task: &Task, budget: &mut Budget| solve(&program, &apart, *task, budget);
    let mut dependences: Vec<Dependence> = run_all(&tasks, run, budget)?.into_iter().flatten().collect();
    for &(statement, _, write) in &reductions {
        dependences.extend(conflicts(&program, (statement, write), budget)?);
    }
    Ok(Dependences { dependences })
}

fn reductions_of(problem: &Problem) -> Reductions {
    let mut result = Reductions::new();
    for (s, statement) in problem.statements.iter().enumerate() {
        for reduction in statement.reductions.iter().filter(|r| r.reassociable) {
            result.push((s, reduction.read, reduction.write));
        }
    }
    result
}

/// The reduction that an access belongs to.
fn reduction_of(reductions: &Reductions, access: (usize, usize)) -> Option<usize> {
    reductions.iter().position(|&(s, read, write)| s == access.0 && (read == access.1 || write == access.1))
}

fn tasks(program: &Program, options: &Options) -> Vec<Task> {
    let reads = program.accesses(|kind| kind == AccessKind::Read);
    let all = program.accesses(|_| true);
    let mut tasks = Vec::new();
    let mut add = |kind: DependenceKind, subject: (usize, usize)| {
        tasks.push(Task { kind, subject });
    };
    for &read in &reads {
        add(DependenceKind::Flow, read);
    }
    for &access in &all {
        let is_read = program.access(access).kind == AccessKind::Read;
        add(if is_read { DependenceKind::Anti } else { DependenceKind::Output }, access);
    }
    if options.input {
        for &read in &reads {
            add(DependenceKind::Input, read);
        }
    }
    tasks
}

fn solve(program: &Program, apart: &Apart<'_>, task: Task, budget: &mut Budget) -> Result<Vec<Dependence>, Stop> {
    let reductions = apart.reductions;
    if task.kind == DependenceKind::Input {
        return input(program, task.subject, budget);
    }
    let own = reduction_of(reductions, task.subject);
    let in_own = |access| own.is_some() && reduction_of(reductions, access) == own;
    let mut candidates = writers(program);
    candidates.retain(|c| !in_own(c.access) && !apart.are_of_one_group(c.access, task.subject));
    for candidate in &mut candidates {
        candidate.hides &= reduction_of(reductions, candidate.access).is_none();
    }
    let mut result = Vec::new();
    collect(program, task.kind, task.subject, &candidates, budget, &mut result)?;
    Ok(result)
}

/// All pairs of updates of the same element, given by the write of a reduction; the earlier one is the source.
fn conflicts(program: &Program, write: (usize, usize), budget: &mut Budget) -> Result<Option<Dependence>, Stop> {
    let access = &program.access(write).relation;
    let mut equal = access.apply_range(&access.reverse());
    let space = equal.space().clone();
    let time = &program.statements[write.0].time;
    let [earlier, later] = [DimKind::In, DimKind::Out].map(|kind| Placed { time, at: space.offset(kind) });
    let mut relation = Map::empty(space.clone());
    for level in 0..time.len() {
        let row = difference(later, earlier, level, program.params.len(), 1 + space.n_var());
        if constant_sign(&row) == Sign::Zero {
            continue;
        }
        relation = relation.union(&equal.intersect(&positive(&space, row.clone())));
        equal = equal.intersect(&zero(&space, row));
    }
    let relation = relation.coalesce(budget)?.remove_redundancies(budget)?;
    if relation.is_empty(budget)? {
        return Ok(None);
    }
    Ok(Some(Dependence {
        kind: DependenceKind::Output,
        source: write,
        sink: write,
        relation,
        reduction: true,
        conditional: false,
    }))
}

/// The nearest earlier reads of the same element, per other statement.
fn input(program: &Program, subject: (usize, usize), budget: &mut Budget) -> Result<Vec<Dependence>, Stop> {
    let mut result = Vec::new();
    for access in program.accesses(|kind| kind == AccessKind::Read) {
        if access.0 != subject.0 {
            let candidates = [Candidate { access, hides: true }];
            collect(program, DependenceKind::Input, subject, &candidates, budget, &mut result)?;
        }
    }
    Ok(result)
}

/// Appends the dependences between a subject and its nearest candidates, by candidate.
fn collect(
    program: &Program,
    kind: DependenceKind,
    subject: (usize, usize),
    candidates: &[Candidate],
    budget: &mut Budget,
    result: &mut Vec<Dependence>,
) -> Result<(), Stop> {
    let towards = match kind {
        DependenceKind::Flow | DependenceKind::Input => Towards::Past,
        DependenceKind::Anti | DependenceKind::Output => Towards::Future,
    };
    let nearest = nearest(program, subject, candidates, towards, budget)?;
    for (index, candidate) in candidates.iter().enumerate() {
        let parts = nearest.found.iter().filter(|f| f.candidate == index && !f.same_instance);
        let Some(relation) = parts.map(|f| f.relation.clone()).reduce(|a, b| a.union(&b)) else { continue };
        let relation = relation.coalesce(budget)?.remove_redundancies(budget)?;
        let (source, sink, relation) = match towards {
            Towards::Past => (candidate.access, subject, relation.reverse()),
            Towards::Future => (subject, candidate.access, relation),
        };
        result.push(Dependence { kind, source, sink, relation, reduction: false, conditional: false });
    }
    Ok(())
}
