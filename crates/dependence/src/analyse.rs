//! The pairs of instances whose order matters.
//!
//! Every access asks for its nearest conflicting accesses: a read for its sources (flow) and for
//! the writes that overwrite what it has read (anti), a write for those that overwrite it (output).
//! What lies behind a must-write is ordered by transitivity.
//!
//! Reductions are treated after [Doerfert2015], but are not bound to one statement. Updates of the
//! same reduction, in one statement or in several ([`ReductionInfo::group`]), may change places,
//! but no two of one element may run at the same time: a marked dependence relates each update to
//! *all* later ones of its element, because in another order others are the nearest. Everything
//! else does not see that updates kill anything, neither those of its own reduction nor those of
//! others, and is so related to every single update, as if the dependences on the first and the
//! last of them had been extended to all (privatization dependences). What an update reads or
//! writes besides its element is something else in this sense, even if it is an element of the same
//! array.
//!
//! Why that is right: in every order that keeps the dependences without mark, each element sees the
//! accesses that are no updates of the reduction in their order, and between two of them the same
//! updates as before, in any order. Their operands are values that were read in the right order; so
//! the element has the same value after the last of them.

use std::collections::BTreeMap;

use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{DimKind, Map, Tuple};
use rustc_hash::FxHashMap;

use crate::constraints::{Placed, Sign, constant_sign, difference, positive, zero};
use crate::dataflow::writers;
use crate::dependence::{Dependence, DependenceKind, Dependences};
use crate::nearest::{Candidate, Towards, nearest};
use crate::neighbours::Neighbours;
use crate::overlap;
use crate::parallel::run_all;
use crate::prepare::Program;
use crate::problem::{AccessKind, Problem};
use crate::signature::Signature;

/// What to compute. By default neither.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Mark dependences between the updates of reassociable reductions, and relate everything else
    /// to all updates. Without, reductions are ordinary statements, which needs fewer dependences:
    /// right for whoever keeps their order.
    pub reductions: bool,
    /// Input dependences between different statements.
    pub input: bool,
}

/// What is to be found: the dependences of a kind at one access, the query.
#[derive(Clone, Copy, Debug)]
struct Task {
    kind: DependenceKind,
    query: (usize, usize),
}

impl Task {
    fn towards(self) -> Towards {
        match self.kind {
            DependenceKind::Flow | DependenceKind::Input => Towards::Past,
            DependenceKind::Anti | DependenceKind::Output => Towards::Future,
        }
    }
}

/// A task with the accesses among which the nearest are looked for (isl's *access info*).
#[derive(Debug)]
struct Lookup {
    task: Task,
    candidates: Vec<Candidate>,
    signature: Signature,
}

impl Lookup {
    fn new(program: &Program, task: Task, candidates: Vec<Candidate>) -> Lookup {
        let signature = Signature::new(program, task.towards(), task.query, &candidates);
        Lookup { task, candidates, signature }
    }

    /// The dependence on a candidate; the relation leads from its source to its sink.
    fn dependence(&self, index: usize, relation: Map) -> Dependence {
        let Task { kind, query } = self.task;
        let candidate = self.candidates[index].access;
        let (source, sink) = match self.task.towards() {
            Towards::Past => (candidate, query),
            Towards::Future => (query, candidate),
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

/// Reductions with more updates in the text are a reduction for each of them: pairs are as many as
/// the square.
const MAX_UPDATES: usize = 16;

/// Which conflicts are none.
struct Conflicts<'a> {
    /// The class of the update that an access belongs to.
    classes: BTreeMap<(usize, usize), usize>,
    problem: &'a Problem,
}

impl Conflicts<'_> {
    fn new<'a>(reductions: &[Update], problem: &'a Problem) -> Conflicts<'a> {
        let mut classes = BTreeMap::new();
        for update in reductions {
            for access in [update.read, update.write] {
                classes.entry((update.statement, access)).or_insert(update.class);
            }
        }
        Conflicts { classes, problem }
    }

    /// The candidates that a query conflicts with. Behind the updates of reductions nothing is
    /// killed.
    fn conflicting(&self, query: (usize, usize), mut candidates: Vec<Candidate>) -> Vec<Candidate> {
        let own = self.classes.get(&query);
        let in_own = |access| own.is_some() && self.classes.get(&access) == own;
        candidates.retain(|c| !in_own(c.access) && !self.are_of_one_group(c.access, query));
        for candidate in &mut candidates {
            candidate.kills &= !self.classes.contains_key(&candidate.access);
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
    let lookups = lookups(&program, &Conflicts::new(&reductions, problem), &tasks);
    let mut dependences = answers(&program, &lookups, budget)?;
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
    let mut add = |kind: DependenceKind, query: (usize, usize)| {
        tasks.push(Task { kind, query });
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

/// The accesses that concern the tasks, in their order.
fn lookups(program: &Program, conflicts: &Conflicts<'_>, tasks: &[Task]) -> Vec<Lookup> {
    let writes = Neighbours::new(program, writers(program));
    let is_wanted = tasks.iter().any(|task| task.kind == DependenceKind::Input);
    let reads = program.accesses(|kind| is_wanted && kind == AccessKind::Read);
    let reads = Neighbours::new(program, reads.into_iter().map(|access| Candidate { access, kills: true }));
    let mut lookups = Vec::with_capacity(tasks.len());
    for &task in tasks {
        if task.kind == DependenceKind::Input {
            // The nearest earlier reads of the same element, per other statement.
            let others = reads.of(task.query).into_iter().filter(|read| read.access.0 != task.query.0);
            lookups.extend(others.map(|read| Lookup::new(program, task, vec![read])));
        } else {
            lookups.push(Lookup::new(program, task, conflicts.conflicting(task.query, writes.of(task.query))));
        }
    }
    lookups
}

/// The instances that a task is about, per candidate, if there are any: from queries to candidates.
fn solve(program: &Program, lookup: &Lookup, budget: &mut Budget) -> Result<Vec<(usize, Map)>, Stop> {
    let nearest = nearest(program, lookup.task.query, &lookup.candidates, lookup.task.towards(), budget)?;
    let mut result = Vec::new();
    for index in 0..lookup.candidates.len() {
        let parts = nearest.found.iter().filter(|f| f.candidate == index && !f.same_instance);
        let Some(relation) = parts.map(|f| f.relation.clone()).reduce(|a, b| a.union(&b)) else { continue };
        let relation = relation.coalesce(budget)?.remove_redundancies(budget)?;
        result.push((index, if lookup.task.towards() == Towards::Past { relation.reverse() } else { relation }));
    }
    Ok(result)
}

/// The dependences of all tasks, in their order. Those of equal signatures are computed once.
fn answers(program: &Program, lookups: &[Lookup], budget: &mut Budget) -> Result<Vec<Dependence>, Stop> {
    let mut numbers: FxHashMap<&Signature, usize> = FxHashMap::default();
    let mut first: Vec<&Lookup> = Vec::new();
    let mut of_lookups = Vec::with_capacity(lookups.len());
    for lookup in lookups {
        let number = *numbers.entry(&lookup.signature).or_insert(first.len());
        if number == first.len() {
            first.push(lookup);
        }
        of_lookups.push(number);
    }
    tracing::debug!(lookups = lookups.len(), signatures = first.len(), "signatures");
    let answers = run_all(&first, |lookup, budget| solve(program, lookup, budget), budget)?;
    let mut result = Vec::new();
    for (lookup, number) in lookups.iter().zip(of_lookups) {
        result.extend(answers[number].iter().map(|(index, relation)| lookup.dependence(*index, relation.clone())));
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
