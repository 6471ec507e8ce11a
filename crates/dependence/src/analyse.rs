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

use std::collections::{BTreeMap, HashMap};

use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{DimKind, Map, Tuple};

use crate::constraints::{Placed, Sign, constant_sign, difference, positive, zero};
use crate::dataflow::writers;
use crate::dependence::{Dependence, DependenceKind, Dependences};
use crate::nearest::{Candidate, Towards, nearest};
use crate::neighbours::Neighbours;
use crate::overlap;
use crate::parallel::run_all;
use crate::prepare::Program;
use crate::problem::{AccessKind, Problem};
use crate::question::Question;

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

impl Task {
    fn towards(self) -> Towards {
        match self.kind {
            DependenceKind::Flow | DependenceKind::Input => Towards::Past,
            DependenceKind::Anti | DependenceKind::Output => Towards::Future,
        }
    }
}

/// A task with the accesses among which the nearest are looked for.
#[derive(Debug)]
struct Ask {
    task: Task,
    candidates: Vec<Candidate>,
    question: Question,
}

impl Ask {
    fn new(program: &Program, task: Task, candidates: Vec<Candidate>) -> Ask {
        let question = Question::new(program, task.towards(), task.subject, &candidates);
        Ask { task, candidates, question }
    }

    /// The dependence on a candidate; the relation leads from its source to its sink.
    fn dependence(&self, index: usize, relation: Map) -> Dependence {
        let Task { kind, subject } = self.task;
        let candidate = self.candidates[index].access;
        let (source, sink) = match self.task.towards() {
            Towards::Past => (candidate, subject),
            Towards::Future => (subject, candidate),
        };
        Dependence { kind, source, sink, relation, reduction: false, conditional: false }
    }
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
    /// The class of the update that an access belongs to.
    classes: BTreeMap<(usize, usize), usize>,
    problem: &'a Problem,
}

impl Apart<'_> {
    fn new<'a>(reductions: &[Update], problem: &'a Problem) -> Apart<'a> {
        let mut classes = BTreeMap::new();
        for update in reductions {
            for access in [update.read, update.write] {
                classes.entry((update.statement, access)).or_insert(update.class);
            }
        }
        Apart { classes, problem }
    }

    /// The candidates that a subject conflicts with. Behind the updates of reductions nothing is hidden.
    fn conflicting(&self, subject: (usize, usize), mut candidates: Vec<Candidate>) -> Vec<Candidate> {
        let own = self.classes.get(&subject);
        let in_own = |access| own.is_some() && self.classes.get(&access) == own;
        candidates.retain(|c| !in_own(c.access) && !self.are_of_one_group(c.access, subject));
        for candidate in &mut candidates {
            candidate.hides &= !self.classes.contains_key(&candidate.access);
        }
        candidates
    }

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
    let asks = asks(&program, &Apart::new(&reductions, problem), &tasks);
    let mut dependences = answers(&program, &asks, budget)?;
    for source in &reductions {
        for sink in reductions.iter().filter(|sink| sink.class == source.class) {
            dependences.extend(conflicts(&program, source, sink, budget)?);
        }
    }
    overlap::add(&program, &mut dependences, budget)?;
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

/// What the tasks ask, in their order.
fn asks(program: &Program, apart: &Apart<'_>, tasks: &[Task]) -> Vec<Ask> {
    let writes = Neighbours::new(program, writers(program));
    let is_asked = tasks.iter().any(|task| task.kind == DependenceKind::Input);
    let reads = program.accesses(|kind| is_asked && kind == AccessKind::Read);
    let reads = Neighbours::new(program, reads.into_iter().map(|access| Candidate { access, hides: true }));
    let mut asks = Vec::with_capacity(tasks.len());
    for &task in tasks {
        if task.kind == DependenceKind::Input {
            // The nearest earlier reads of the same element, per other statement.
            let others = reads.of(task.subject).into_iter().filter(|read| read.access.0 != task.subject.0);
            asks.extend(others.map(|read| Ask::new(program, task, vec![read])));
        } else {
            asks.push(Ask::new(program, task, apart.conflicting(task.subject, writes.of(task.subject))));
        }
    }
    asks
}

/// The instances that an ask is about, per candidate, if there are any: from subjects to candidates.
fn solve(program: &Program, ask: &Ask, budget: &mut Budget) -> Result<Vec<(usize, Map)>, Stop> {
    let nearest = nearest(program, ask.task.subject, &ask.candidates, ask.task.towards(), budget)?;
    let mut result = Vec::new();
    for index in 0..ask.candidates.len() {
        let parts = nearest.found.iter().filter(|f| f.candidate == index && !f.same_instance);
        let Some(relation) = parts.map(|f| f.relation.clone()).reduce(|a, b| a.union(&b)) else { continue };
        let relation = relation.coalesce(budget)?.remove_redundancies(budget)?;
        result.push((index, if ask.task.towards() == Towards::Past { relation.reverse() } else { relation }));
    }
    Ok(result)
}

/// The dependences of all asks, in their order. What several ask is answered once.
fn answers(program: &Program, asks: &[Ask], budget: &mut Budget) -> Result<Vec<Dependence>, Stop> {
    let mut numbers: HashMap<&Question, usize> = HashMap::new();
    let mut first: Vec<&Ask> = Vec::new();
    let mut of_asks = Vec::with_capacity(asks.len());
    for ask in asks {
        let number = *numbers.entry(&ask.question).or_insert(first.len());
        if number == first.len() {
            first.push(ask);
        }
        of_asks.push(number);
    }
    tracing::debug!(asks = asks.len(), questions = first.len(), "questions");
    let answers = run_all(&first, |ask, budget| solve(program, ask, budget), budget)?;
    let mut result = Vec::new();
    for (ask, number) in asks.iter().zip(of_asks) {
        result.extend(answers[number].iter().map(|(index, relation)| ask.dependence(*index, relation.clone())));
    }
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
