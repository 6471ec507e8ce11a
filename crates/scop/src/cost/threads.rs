//! What threads gain.
//!
//! # Problem
//! Threads have operations and caches of their own, but there is one main memory. A nest that waits
//! for memory does not become faster in proportion to the number of threads, and an order in which
//! threads can share a loop may have to bring the same data twice where one thread brings them
//! once.
//!
//! # Model
//! Of the predicted cycles, those in which main memory is busy are counted apart
//! ([`Spent::memory`]). `n` threads need `1/n` of all cycles, but at least those of main memory,
//! divided by what `n` threads get of it: `1 + (n - 1) b` times what one gets, with
//! [`Threads::bandwidth`] as `b`.
//!
//! [`Threads::bandwidth`]: poly_machine::Threads::bandwidth

use std::ops::{Add, Sub};

use poly_schedule_tree::Band;
use poly_transform::Cost;

use super::{Model, Place};
use crate::config::{Parallelism, Profitability};

/// Predicted cycles of one thread.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// All.
    pub cycles: f64,
    /// Those in which main memory is busy.
    pub memory: f64,
}

impl Spent {
    pub(crate) fn of(cost: Cost) -> Self {
        Self { cycles: cost.cycles(), memory: cost.memory }
    }
}

impl Add for Spent {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { cycles: self.cycles + other.cycles, memory: self.memory + other.memory }
    }
}

impl Sub for Spent {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { cycles: self.cycles - other.cycles, memory: self.memory - other.memory }
    }
}

impl Model<'_> {
    /// Whether loops may be shared among threads at a place. (Every thread has an `errno` of its
    /// own; code generation sees to domain errors.)
    pub(crate) fn may_fork(&self, place: &Place) -> bool {
        let statements = &self.analysis.scop.statements;
        self.threads().is_some() && !place.parallel && !place.active.iter().any(|&s| statements[s].needs_own_thread())
    }

    pub(crate) fn threads(&self) -> Option<f64> {
        match self.config.parallelism {
            Parallelism::Sequential => None,
            Parallelism::Threads { expected } => Some(f64::from(expected.max(1))),
        }
    }

    /// Cycles when so many threads are at work.
    pub(crate) fn among(&self, spent: Spent, threads: f64) -> f64 {
        let streams = 1.0 + (threads - 1.0) * self.config.machine.threads.bandwidth;
        (spent.cycles / threads).max(spent.memory / streams)
    }

    /// Cycles when threads share the work of `forks` parallel regions.
    pub(crate) fn with_threads(&self, spent: Spent, forks: f64) -> f64 {
        let threads = self.threads().unwrap_or(1.0);
        self.among(spent, threads) + forks * self.config.machine.threads.fork_cycles
    }

    pub(crate) fn threads_gain(&self, spent: Spent, forks: f64) -> bool {
        self.config.profitability == Profitability::Ignored
            || self.with_threads(spent, forks) + self.config.machine.threads.start_cycles < 0.9 * spent.cycles
    }

    /// Whether an outer band has enough work below it; counted roughly by instances.
    pub(crate) fn pays_for_threads(&self, place: &Place) -> bool {
        let cycles: f64 = place.active.iter().map(|&s| self.facts[s].instances).sum();
        let forks: f64 = place.active.first().map_or(1.0, |&s| {
            let above: usize = place.outer.iter().map(Band::n_member).sum();
            self.facts[s].extents.iter().take(above).product()
        });
        self.threads_gain(Spent { cycles, memory: 0.0 }, forks)
    }
}
