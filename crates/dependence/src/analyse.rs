//! The pairs of instances whose order matters.
//!
//! Every access asks for its nearest conflicting accesses: a read for its sources (flow) and for the writes that overwrite
//! what it has read (anti), a write for those that overwrite it (output). What lies behind a must-write is ordered by
//! transitivity.
//!
//! Reductions are treated after [Doerfert2015], but are not bound to one statement. Updates of the same reduction, in one statement or in several ([`ReductionInfo::group`]), may change
//! places, but no two of one element may run at the same
//! time: a marked dependence relates each update to *all* later ones of its element, because in another order others are the nearest. Everything else does not
//! see that updates hide anything, neither those of its own reduction nor those of others, and is so related to every single
//! update, as if the dependences on the first and the last of them had been extended to all (privatization dependences). What an update reads or writes besides its element
//! is something else in this sense, even if it is an element of the same array.
//!
//! Why that is right: in every order that keeps the dependences without mark, each element sees the accesses that are no updates of the reduction in their order, and between two
//! of them the same updates as before, in any order. Their operands are values that were read in the right order; so the element has the same value after the last of them.

use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{DimKind, Map, Tuple};

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
    /// Mark dependences between the updates of reassociable reductions, and relate everything else to all updates. Without, reductions
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

/// A reassociable update.
#[derive(Clone, Copy, Debug)]
struct Update {
    statement: usize,
    read: usize,
    write: usize,
    /// Equal for updates that may change places with each other where they are of one element.
    class: usize,
}

/// Reductions with more updates in the text are a reduction for each of them: pairs are as many as the square.
const MAX_UPDATES: usize = 16;

/// Which conflicts are none.
struct Apart<'a> {
    reductions: &'a [Update],
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
    for source in &reductions {
        for sink in reductions.iter().filter(|sink| sink.class == source.class) {
            dependences.extend(conflicts(&program, source, sink, budget)?);
        }
    }
    Ok(Dependences { dependences })
}

fn reductions_of(problem: &Problem) -> Vec<Update> {
    let mut result: Vec<Update> = Vec::new();
    // Updates of one group, of one array.
    let mut classes: Vec<(usize, Option<&Tuple>)> = Vec::new();
    for (s, statement) in problem.statements.iter().enumerate() {
        for reduction in statement.reductions.iter().filter(|r| r.reassociable) {
            let key = (reduction.group, statement.accesses[reduction.write].relation.space().range.as_ref());
            let class = classes.iter().position(|known| *known == key).unwrap_or_else(|| {
                classes.push(key);
                classes.len() - 1
            });
            result.push(Update { statement: s, read: reduction.read, write: reduction.write, class });
        }
    }
    for class in 0..classes.len() {
        if result.iter().filter(|update| update.class == class).count() > MAX_UPDATES {
            for (number, update) in result.iter_mut().enumerate().filter(|(_, update)| update.class == class) {
                update.class = classes.len() + number;
            }
        }
    }
    result
}

/// The class of the update that an access belongs to.
fn class_of(reductions: &[Update], (statement, access): (usize, usize)) -> Option<usize> {
    let own = |update: &&Update| update.statement == statement && (update.read == access || update.write == access);
    reductions.iter().find(own).map(|update| update.class)
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
    let own = class_of(reductions, task.subject);
    let in_own = |access| own.is_some() && class_of(reductions, access) == own;
    let mut candidates = writers(program);
    candidates.retain(|c| !in_own(c.access) && !apart.are_of_one_group(c.access, task.subject));
    for candidate in &mut candidates {
        candidate.hides &= class_of(reductions, candidate.access).is_none();
    }
    let mut result = Vec::new();
    collect(program, task.kind, task.subject, &candidates, budget, &mut result)?;
    Ok(result)
}

/// All pairs of updates of the same element, the first one of which comes earlier.
fn conflicts(
    program: &Program,
    source: &Update,
    sink: &Update,
    budget: &mut Budget,
) -> Result<Option<Dependence>, Stop> {
    let places = [source, sink].map(|update| (update.statement, update.write));
    let [from, to] = places.map(|place| program.access(place));
    if from.is_plainly_elsewhere(to) {
        return Ok(None);
    }
    let mut equal = from.relation.apply_range(&to.relation.reverse());
    let space = equal.space().clone();
    let times = places.map(|place| &program.statements[place.0].time);
    let earlier = Placed { time: times[0], at: space.offset(DimKind::In) };
    let later = Placed { time: times[1], at: space.offset(DimKind::Out) };
    let mut relation = Map::empty(space.clone());
    for level in 0..times[0].len().min(times[1].len()) {
        let row = difference(later, earlier, level, program.params.len(), 1 + space.n_var());
        match constant_sign(&row) {
            Sign::Zero => continue,
            Sign::Negative => break,
            Sign::Positive => {
                relation = relation.union(&equal);
                break;
            }
            Sign::Unknown => {
                relation = relation.union(&equal.intersect(&positive(&space, row.clone())));
                equal = equal.intersect(&zero(&space, row));
            }
        }
    }
    let relation = relation.coalesce(budget)?.remove_redundancies(budget)?;
    if relation.is_empty(budget)? {
        return Ok(None);
    }
    let [source, sink] = places;
    Ok(Some(Dependence { kind: DependenceKind::Output, source, sink, relation, reduction: true, conditional: false }))
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
