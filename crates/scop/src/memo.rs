//! Answers that several searches for one SCoP share.
//!
//! # Problem
//! The best candidate of a SCoP is looked for at the usual sizes, at large ones, and for data that
//! stay in a cache ([`crate::driver`]). Only lowering and prices depend on sizes. Other programs
//! that do the same, their dependences and schedules do not, and take nearly all of the time.
//!
//! # Method
//! Pure functions of a SCoP are asked through a [`Memo`], which an
//! [`Analysis`](crate::driver::Analysis) shares with all of its copies. A question is kept with
//! everything that its answer follows from, so that it does not matter which analysis asks it. What
//! could not be answered with some number of operations is not tried again with as many or fewer.
//!
//! An answer that is known costs nothing: the budget that a later search has left is larger.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use poly_dependence::{self as dependence, Dependence, Dependences};
use poly_presburger::{Budget, Map, Set, Stop};
use poly_schedule_tree::ScheduleTree;
use poly_scheduler::{self as scheduler, SplitAtPoint, Subdomains};

use crate::reduce::{self, Choice};
use crate::sizes::Sizes;
use crate::{ArrayId, Scop};

/// What is known of a SCoP and of others that do the same.
#[derive(Clone, Default)]
pub(crate) struct Memo(Arc<Tables>);

/// The answers by kind.
#[derive(Default)]
struct Tables {
    dependences: Table<(dependence::Problem, dependence::Options), Dependences>,
    schedules: Table<(Statements, scheduler::Options), ScheduleTree>,
    folded: Table<(Statements, scheduler::Options), Option<Arc<Folded>>>,
    split: Table<(Statements, ScheduleTree), Option<Arc<SplitAtPoint>>>,
    live_ranges: Table<(Scop, Dependences), Option<Dependences>>,
    variants: Table<(Variant, Scop), Option<Scop>>,
    reduced: Table<(Choice, Sizes, Scop), Option<Scop>>,
    rows: Table<(ArrayId, ScheduleTree, Scop), Option<i64>>,
}

/// How a SCoP becomes another one that does the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// See [`crate::simplify::expand`].
    Expanded(crate::simplify::expand::Expanded),
    /// See [`crate::simplify::fission::with_early_reads`].
    EarlyReads,
    /// See [`crate::simplify::fission::fissioned`].
    Fissioned,
    /// See [`crate::simplify::if_conversion`].
    IfConverted,
    /// See [`crate::simplify::fields`].
    FieldsApart,
    /// See [`crate::simplify::pieces`].
    PiecesApart,
    /// See [`crate::simplify::borders`].
    CutAtBorders(crate::simplify::borders::Loops),
}

/// Statements with the dependences between them, as the scheduler sees them.
#[derive(Clone, PartialEq)]
struct Statements {
    context: Set,
    domains: Vec<Set>,
    times: Vec<Map>,
    dependences: Vec<Dependence>,
}

impl Statements {
    fn of(problem: &scheduler::Problem<'_>) -> Statements {
        Statements {
            context: problem.context.clone(),
            domains: problem.domains.to_vec(),
            times: problem.times.to_vec(),
            dependences: problem.dependences.to_vec(),
        }
    }
}

/// Statements split into subdomains that are folded, with a schedule of these that is better than
/// one of the statements.
pub(crate) struct Folded {
    /// The subdomains with their schedule.
    folding: scheduler::Folding,
    tree: ScheduleTree,
}

impl Folded {
    /// The subdomains.
    pub(crate) fn subdomains(&self) -> &Subdomains {
        self.folding.subdomains()
    }

    /// The schedule of the subdomains.
    pub(crate) fn tree(&self) -> &ScheduleTree {
        &self.tree
    }

    /// Whether that is better than a schedule of the statements.
    pub(crate) fn improves(&self, whole: &ScheduleTree, domains: &[Set]) -> bool {
        self.folding.improves(&self.tree, whole, domains)
    }
}

impl fmt::Debug for Memo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Memo")
    }
}

impl Memo {
    /// All exact dependences of a program.
    pub(crate) fn dependences(
        &self,
        problem: dependence::Problem,
        options: dependence::Options,
        budget: &mut Budget,
    ) -> Result<Dependences, Stop> {
        let ask = |(problem, options): &(_, _), budget: &mut _| dependence::analyse(problem, options, budget);
        self.0.dependences.answer((problem, options), ask, budget)
    }

    /// The dependences of a SCoP with those that only keep live ranges apart as conditional ones,
    /// by `mark`.
    pub(crate) fn live_ranges(
        &self,
        scop: &Scop,
        known: &Dependences,
        mark: impl FnOnce(&Dependences, &mut Budget) -> Result<Option<Dependences>, Stop>,
        budget: &mut Budget,
    ) -> Result<Option<Dependences>, Stop> {
        let ask = |(_, known): &(_, _), budget: &mut Budget| mark(known, budget);
        self.0.live_ranges.answer((scop.clone(), known.clone()), ask, budget)
    }

    /// The schedule that the scheduler makes.
    pub(crate) fn schedule(
        &self,
        problem: &scheduler::Problem<'_>,
        options: &scheduler::Options,
        budget: &mut Budget,
    ) -> Result<ScheduleTree, Stop> {
        let ask = |_: &_, budget: &mut _| scheduler::schedule_with_sizes(problem, options, budget);
        self.0.schedules.answer((Statements::of(problem), *options), ask, budget)
    }

    /// The statements split into subdomains that are folded, with their schedule; `None` if nothing
    /// has to be cut.
    pub(crate) fn folded(
        &self,
        problem: &scheduler::Problem<'_>,
        options: &scheduler::Options,
        budget: &mut Budget,
    ) -> Result<Option<Arc<Folded>>, Stop> {
        let ask = |_: &_, budget: &mut Budget| {
            let Some(folding) = scheduler::split(problem, budget)? else { return Ok(None) };
            let tree = folding.schedule(options, budget)?;
            Ok(Some(Arc::new(Folded { folding, tree })))
        };
        self.0.folded.answer((Statements::of(problem), *options), ask, budget)
    }

    /// The schedule with its loops split at split points; `None` if there are none.
    pub(crate) fn split_at_point(
        &self,
        problem: &scheduler::Problem<'_>,
        whole: &ScheduleTree,
        budget: &mut Budget,
    ) -> Result<Option<Arc<SplitAtPoint>>, Stop> {
        let ask = |_: &_, budget: &mut _| Ok(scheduler::split_at_point(problem, whole, budget)?.map(Arc::new));
        self.0.split.answer((Statements::of(problem), whole.clone()), ask, budget)
    }

    /// Another SCoP that does the same, made in a way that `variant` names.
    pub(crate) fn variant(
        &self,
        variant: Variant,
        scop: &Scop,
        make: impl FnOnce(&Scop, &mut Budget) -> Result<Option<Scop>, Stop>,
        budget: &mut Budget,
    ) -> Result<Option<Scop>, Stop> {
        self.0.variants.answer((variant, scop.clone()), |(_, scop), budget| make(scop, budget), budget)
    }

    /// The SCoP with fewer operations, counted at these sizes.
    pub(crate) fn reduced(
        &self,
        scop: &Scop,
        choice: Choice,
        sizes: &Sizes,
        budget: &mut Budget,
    ) -> Result<Option<Scop>, Stop> {
        let ask = |(choice, sizes, scop): &(Choice, Sizes, Scop), budget: &mut Budget| {
            reduce::reduced(scop, *choice, sizes, budget)
        };
        self.0.reduced.answer((choice, sizes.clone(), scop.clone()), ask, budget)
    }

    /// The rows of an array that are in use at a time in the order of a tree.
    pub(crate) fn rows(
        &self,
        scop: &Scop,
        tree: &ScheduleTree,
        array: ArrayId,
        find: impl FnOnce(&mut Budget) -> Result<Option<i64>, Stop>,
        budget: &mut Budget,
    ) -> Result<Option<i64>, Stop> {
        self.0.rows.answer((array, tree.clone(), scop.clone()), |_, budget| find(budget), budget)
    }
}

/// Questions of one kind with their answers.
struct Table<K, V>(Mutex<Vec<(K, Known<V>)>>);

/// What is known of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Known<V> {
    Answer(V),
    /// So many operations were not enough.
    TooMuch(u64),
}

impl<K, V> Default for Table<K, V> {
    fn default() -> Table<K, V> {
        Table(Mutex::new(Vec::new()))
    }
}

impl<K: PartialEq, V: Clone> Table<K, V> {
    /// The answer that is known, or the one that `ask` gives now.
    fn answer(
        &self,
        question: K,
        ask: impl FnOnce(&K, &mut Budget) -> Result<V, Stop>,
        budget: &mut Budget,
    ) -> Result<V, Stop> {
        let left = budget.remaining();
        match self.known(&question) {
            Some(Known::Answer(answer)) => return Ok(answer),
            Some(Known::TooMuch(operations)) if left <= operations => return Err(Stop),
            _ => {}
        }
        // Answers ask other questions: nothing is locked while one is looked for.
        let answer = ask(&question, budget);
        let known = answer.clone().map_or(Known::TooMuch(left), Known::Answer);
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        table.retain(|(other, _)| *other != question);
        table.push((question, known));
        answer
    }

    fn known(&self, question: &K) -> Option<Known<V>> {
        let table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        table.iter().find(|(other, _)| other == question).map(|(_, known)| known.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_looked_for_once_and_then_costs_nothing() {
        let table: Table<u32, u32> = Table::default();
        let mut budget = Budget::new(10);
        let double = |x: &u32, budget: &mut Budget| budget.spend(4).map(|()| 2 * x);
        assert_eq!(table.answer(3, double, &mut budget), Ok(6));
        assert_eq!(table.answer(3, |_, _| panic!("it is known"), &mut budget), Ok(6));
        assert_eq!(table.answer(5, double, &mut budget), Ok(10));
        assert_eq!(budget.spent(), 8);
    }

    #[test]
    fn what_was_too_much_is_tried_again_with_more_only() {
        let table: Table<u32, u32> = Table::default();
        let triple = |x: &u32, budget: &mut Budget| budget.spend(6).map(|()| 3 * x);
        assert_eq!(table.answer(2, triple, &mut Budget::new(5)), Err(Stop));
        assert_eq!(table.answer(2, |_, _| panic!("it is hopeless"), &mut Budget::new(5)), Err(Stop));
        assert_eq!(table.answer(2, triple, &mut Budget::new(6)), Ok(6));
        assert_eq!(table.answer(2, |_, _| panic!("it is known"), &mut Budget::new(0)), Ok(6));
    }
}
