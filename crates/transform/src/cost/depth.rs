//! Cycles that iterations take because each of them is a long path of operations.
//!
//! # Problem
//! An iteration of the innermost loop that waits for no other one still takes as long as the
//! longest path through its operations. Usually that is no matter: the processor executes many
//! iterations at a time. It has room for a number of instructions only, though. Where several
//! loops, one of which reads what another one writes, become one, its iterations have longer paths,
//! and fewer of them have room.
//!
//! # Method
//! 1. The path of an iteration: statements in their order, each behind those that write what it
//!    reads, as accesses of one array and group do.
//! 2. The iterations under way at a time: as many as have room for their instructions, and for the
//!    operations that wait in the schedulers. At least one is.
//! 3. Each iteration takes its path divided by their number; one of vectors stands for as many
//!    points as they have lanes.

use super::issue::iterations_with_room;
use super::{Nest, StatementModel, is_vectorizable};
use crate::Machine;

/// Cycles of all iterations of a nest, if nothing but the length of their paths counts.
pub(super) fn cycles(nest: &Nest, machine: &Machine) -> f64 {
    // A processor that overlaps nothing waits for chains only, of which `issue` knows.
    if machine.core.window == 0.0 {
        return 0.0;
    }
    let at_a_time = iterations_at_a_time(nest, machine).max(1.0);
    let points = |s: &StatementModel| s.instances / if is_vectorizable(s) { s.lanes(machine) } else { 1.0 };
    let iterations = nest.statements.iter().map(points).fold(0.0, f64::max);
    iterations * path(nest) / at_a_time
}

/// Cycles of the longest path through all statements of an iteration.
fn path(nest: &Nest) -> f64 {
    // By array and group, when its element has been written.
    let mut written: Vec<((usize, usize), f64)> = Vec::new();
    let mut longest = 0.0f64;
    for statement in &nest.statements {
        let mut ends = 0.0f64;
        for (access, path) in statement.accesses.iter().zip(&statement.work.paths) {
            let at = (access.reference.array, access.reference.group);
            let begins = written.iter().filter(|(key, _)| *key == at && !access.reference.write);
            ends = ends.max(begins.map(|(_, cycles)| *cycles).fold(0.0, f64::max) + path);
        }
        longest = longest.max(ends);
        let writes = statement.accesses.iter().map(|access| access.reference).filter(|reference| reference.write);
        written.extend(writes.map(|reference| ((reference.array, reference.group), ends)));
    }
    longest
}

/// How many iterations the processor has room for.
fn iterations_at_a_time(nest: &Nest, machine: &Machine) -> f64 {
    let operations = |s: &StatementModel| s.work.simple + s.work.divisions.count();
    let waiting: f64 = nest.statements.iter().map(operations).sum();
    let accesses: f64 = nest.statements.iter().map(|s| s.accesses.len() as f64).sum();
    iterations_with_room(waiting + accesses, waiting, machine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::{AccessModel, Reference, Work, estimate};

    /// A statement that reads an array and writes another one, in so many operations one behind the
    /// other.
    fn stage(from: usize, to: usize, operations: f64) -> StatementModel {
        let access = |write: bool, array: usize| AccessModel {
            // No vectors are made of it.
            strides: vec![16.0],
            reference: Reference { bytes: 8.0, write, array, group: array, kept: None },
        };
        let work = Work { simple: operations, paths: vec![4.0 * operations, 0.0], ..Work::default() };
        StatementModel {
            accesses: vec![access(false, from), access(true, to)],
            work,
            instances: 1000.0,
            cut: 0.0,
            parallel: true,
            recurrence: false,
            handed_on: false,
        }
    }

    fn nest(statements: Vec<StatementModel>) -> Nest {
        Nest { trips: vec![1000.0], statements, interleaved: false, prefetches: false }
    }

    #[test]
    fn stages_one_behind_the_other_wait_for_each_other() {
        let machine = Machine::default();
        let stages = |steps: usize, apart: usize| {
            nest((0..5).map(|k| stage(apart * k, apart * k + steps, 60.0)).collect::<Vec<_>>())
        };
        let (chained, apart) = (stages(1, 1), stages(1, 2));
        assert_eq!((path(&chained), path(&apart)), (5.0 * 240.0, 240.0));
        assert!(estimate(&chained, &machine).issue > 2.0 * estimate(&apart, &machine).issue);
        // Loops of their own overlap their iterations.
        let alone: f64 = (0..5).map(|k| estimate(&nest(vec![stage(k, k + 1, 60.0)]), &machine).issue).sum();
        assert!(estimate(&chained, &machine).issue > 2.0 * alone);
    }

    #[test]
    fn what_does_not_overlap_waits_for_chains_only() {
        let machine = Machine::default();
        let chained = nest((0..5).map(|k| stage(k, k + 1, 60.0)).collect());
        assert!(cycles(&chained, &machine) > 0.0);
        assert_eq!(cycles(&chained, &machine.without_overlap()), 0.0);
    }
}
