//! Cycles to issue the instructions of a nest.
//!
//! # Chains
//! Where the innermost loop carries a chain, an iteration waits for the one before. A loop that is
//! so short that the processor has begun the next execution of it before its chain ends overlaps
//! with that one. (Where the next one goes on with the same sum, as in sums over `h` and `w`, it
//! does not. To price the original so was tried, and is wrong as long as candidates are not.)

use super::{AccessModel, Nest, StatementModel, Work, is_vectorizable, lane_by_lane, whole_loops};
use crate::Machine;

/// How many executions of the innermost loop are under way at a time where all of them wait for
/// chains.
fn loops_in_flight(statement: &StatementModel, nest: &Nest, machine: &Machine) -> f64 {
    (iterations_in_flight(nest, machine) / nest.inner_trip(statement)).max(1.0)
}

/// How many iterations of the innermost loop are under way at a time where all of them wait for
/// chains: as many as the processor has room for their instructions, and for those that wait.
pub(crate) fn iterations_in_flight(nest: &Nest, machine: &Machine) -> f64 {
    // What stays where it is is in a register.
    let moving = |s: &StatementModel| s.accesses.iter().filter(|access| access.strides.last() != Some(&0.0)).count();
    let instructions = |s: &StatementModel| s.work.simple + s.work.divisions.count() + moving(s) as f64;
    let all: f64 = nest.statements.iter().map(instructions).sum();
    let waiting = nest.statements.iter().filter(|s| s.recurrence).count() as f64;
    (machine.core.window / all.max(1.0)).min(machine.core.waiting * machine.core.window / waiting.max(1.0))
}

/// How many statements of a nest are as this one, but for the place of the elements that they
/// access.
fn side_by_side(statement: &StatementModel, nest: &Nest) -> usize {
    let alike = |other: &&StatementModel| {
        let same = |(a, b): (&AccessModel, &AccessModel)| a == b;
        other.work == statement.work
            && other.instances == statement.instances
            && other.accesses.len() == statement.accesses.len()
            && other.accesses.iter().zip(&statement.accesses).all(same)
    };
    nest.statements.iter().filter(alike).count()
}

/// Cycles to issue one instance of a statement that is executed in vectors of so many lanes (1 for
/// none), as long as nothing waits.
pub(crate) fn point_cycles(statement: &StatementModel, lanes: f64, machine: &Machine) -> f64 {
    let moves = |a: &&AccessModel| a.strides.last() != Some(&0.0) || a.write();
    point_cycles_with(statement, statement.accesses.iter().filter(moves).count() as f64, lanes, machine)
}

/// The same with a number of loads and stores for each point.
pub(crate) fn point_cycles_with(statement: &StatementModel, accesses: f64, lanes: f64, machine: &Machine) -> f64 {
    let simple = if lanes > 1.0 { statement.work.in_vectors(machine) } else { statement.work.simple };
    let operations = simple / machine.core.flops_per_cycle;
    let accesses = accesses / machine.core.accesses_per_cycle;
    (operations.max(accesses) + statement.work.divisions.busy(lanes, machine)) / lanes
}

/// LLVM unrolls loops of the original order that are so many vectors: nothing is entered or left,
/// and the rows overlap. Of less than two vectors it makes others.
const UNROLLED: (f64, f64) = (2.0, 3.0);

/// Cycles from the beginning of a loop to that of the next one, which begins with what this one has
/// stored after so many steps of a chain; where there are masks, its end is stored under one.
pub(crate) fn hand_on_cycles(work: &Work, steps: f64, machine: &Machine) -> f64 {
    let forwarded = if machine.vectors.masks { machine.latency.masked_memory } else { work.stored };
    forwarded + steps * work.chain
}

/// Cycles to issue all instances of a statement of a nest.
pub(crate) fn issue_cycles(statement: &StatementModel, nest: &Nest, machine: &Machine) -> f64 {
    if let Some(loops) = statement.work.whole_loops {
        return whole_loops::cycles(statement, loops, nest, machine);
    }
    let inner_trip = nest.inner_trip(statement);
    let alike = side_by_side(statement, nest);
    let bytes = statement.accesses.iter().map(AccessModel::bytes).fold(1.0, f64::max);
    let lanes = machine.vectors.loop_bytes as f64 / bytes;
    let by_loop = is_vectorizable(statement) && inner_trip >= lanes;
    let vector = by_loop || alike as f64 >= lanes;
    let width = if vector { lanes } else { 1.0 };
    let mut cycles = point_cycles(statement, width, machine);
    if by_loop {
        cycles += statement.work.masked_stores * machine.vectors.masked_store_cycles / lanes;
    }
    if !by_loop && statement.recurrence {
        let chain = statement.work.chain_cycles(machine);
        cycles = cycles.max(chain / (width * loops_in_flight(statement, nest, machine)));
    }
    if !vector && let Some(lane_by_lane) = lane_by_lane::point_cycles(statement, inner_trip, machine) {
        cycles = cycles.min(lane_by_lane);
    }
    let is_unrolled =
        by_loop && machine.core.window > 0.0 && (UNROLLED.0 * lanes..=UNROLLED.1 * lanes).contains(&inner_trip);
    if is_unrolled {
        // Halves and quarters of vectors for the points that are left.
        let pieces = f64::from(((inner_trip % lanes) as u32).count_ones());
        return statement.instances * (cycles * ((inner_trip / lanes).floor() + pieces) * lanes / inner_trip);
    }
    let remainder = match (by_loop, machine.vectors.masks) {
        (false, _) => 0.0,
        (true, true) => machine.code.mask_lane_cycles * lanes,
        // Points that do not fill a vector are executed one by one.
        (true, false) => (inner_trip % lanes) * point_cycles(statement, 1.0, machine),
    };
    let execution = inner_trip * cycles + machine.code.loop_cycles + remainder;
    let is_handed_on = by_loop && statement.handed_on && statement.work.stored > 0.0;
    let waits = if is_handed_on { hand_on_cycles(&statement.work, 1.0, machine) } else { 0.0 };
    statement.instances / inner_trip * execution.max(waits)
}
