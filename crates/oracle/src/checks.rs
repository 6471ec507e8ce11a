//! Random checks of every operation against enumeration, isl and algebraic laws.
//!
//! A [`Check`] is about one operation of one type. It draws inputs from a [`Case`], runs the
//! operation and panics where the result is wrong; it gives up (`None`) where Poly's budget or
//! isl's limit is exhausted. The checks share no code with the operations: enumeration decides
//! conditions point by point on the [model](crate::model) that was printed, isl gets the printed
//! results. One case in ten has a very small budget: there, most operations stop, and what does not
//! stop has to be right.
//!
//! A failing case is run again with fewer and smaller choices until nothing simpler fails
//! ([`crate::random::smaller`]).

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::case::Case;
use crate::isl;
use crate::random::{Random, smaller};

mod boxes;
mod counting;
mod descriptions;
mod functions;
mod lattices;
mod maps;
mod optima;
mod sets;
mod tests;
mod texts;
mod union_functions;
mod unions;

/// The property of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Type and operation.
    pub name: &'static str,
    /// Runs one case; `None` if one side gave up.
    pub run: fn(&mut Case<'_>) -> Option<()>,
}

/// All checks.
pub fn all() -> Vec<Check> {
    [
        texts::CHECKS,
        sets::CHECKS,
        descriptions::CHECKS,
        boxes::CHECKS,
        tests::CHECKS,
        maps::CHECKS,
        unions::CHECKS,
        optima::CHECKS,
        functions::CHECKS,
        union_functions::CHECKS,
        lattices::CHECKS,
        counting::CHECKS,
    ]
    .concat()
}

/// A case in which the sides did not agree.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The seed of the case.
    pub seed: u64,
    /// What differs, and the inputs, made smaller.
    pub message: String,
}

/// What came of some cases of a check.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Cases in which all sides agreed.
    pub agreed: u64,
    /// Cases with a very small budget that stopped.
    pub cut: u64,
    /// Cases in which Poly's budget was exhausted.
    pub stopped: u64,
    /// Cases in which isl's limit was reached.
    pub unknown: u64,
    /// Cases in which the sides did not agree.
    pub failed: Vec<Failure>,
}

impl Tally {
    /// All cases.
    pub fn n(&self) -> u64 {
        self.agreed + self.cut + self.stopped + self.unknown + self.failed.len() as u64
    }

    /// Counts the cases of another tally too.
    pub fn add(&mut self, other: Tally) {
        self.agreed += other.agreed;
        self.cut += other.cut;
        self.stopped += other.stopped;
        self.unknown += other.unknown;
        self.failed.extend(other.failed);
    }
}

/// isl gives up after this many of its steps.
const ISL_OPERATIONS: u64 = 300_000;

/// How many times a failing case is tried with smaller choices.
const TRIALS: usize = 400;

enum Outcome {
    Agreed,
    Cut,
    Stopped,
    Unknown,
    Failed(String),
}

/// The seed of case number `i` of a run.
pub fn case_seed(seed: u64, i: u64) -> u64 {
    seed.wrapping_mul(1_000_003).wrapping_add(i)
}

/// Run one case of a check.
pub fn run_case(check: &Check, seed: u64, context: &isl::Context, tally: &mut Tally) {
    let (outcome, draws) = attempt(check, Random::new(seed), context);
    match outcome {
        Outcome::Agreed => tally.agreed += 1,
        Outcome::Cut => tally.cut += 1,
        Outcome::Stopped => tally.stopped += 1,
        Outcome::Unknown => tally.unknown += 1,
        Outcome::Failed(first) => {
            let rerun = |draws: &[u64]| attempt(check, Random::replay(draws.to_vec()), context).0;
            let draws = smaller(draws, TRIALS, |draws| matches!(rerun(draws), Outcome::Failed(_)));
            let message = match rerun(&draws) {
                Outcome::Failed(message) => message,
                _ => format!("(this failure was not repeated by the same choices)\n{first}"),
            };
            tally.failed.push(Failure { seed, message });
        }
    }
}

/// Run one case of a check and panic where something is wrong, with the inputs.
pub fn run_or_panic(check: &Check, random: Random, context: &isl::Context) {
    if let (Outcome::Failed(message), _) = attempt(check, random, context) {
        panic!("{}: {message}", check.name);
    }
}

fn attempt(check: &Check, random: Random, context: &isl::Context) -> (Outcome, Vec<u64>) {
    context.set_max_operations(ISL_OPERATIONS);
    let mut case = Case::new(random, context);
    let result = catch_unwind(AssertUnwindSafe(|| (check.run)(&mut case)));
    let draws = case.random.drawn().to_vec();
    let problem = match result {
        Ok(Some(())) => return (Outcome::Agreed, draws),
        Ok(None) if context.limit_was_reached() => return (Outcome::Unknown, draws),
        Ok(None) => match context.error() {
            None if case.is_cut() => return (Outcome::Cut, draws),
            None => return (Outcome::Stopped, draws),
            Some(error) => format!("isl fails: {error}"),
        },
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            text.unwrap_or_else(|| "a panic without a message".to_owned())
        }
    };
    let inputs: String = case.inputs().iter().map(|text| format!("\n  input: {text}")).collect();
    (Outcome::Failed(format!("{problem}{inputs}")), draws)
}
