//! Cycles to issue the instructions of a nest.
//!
//! # Chains
//! Where the innermost loop carries a chain, an iteration waits for the one before. A loop that is
//! so short that the processor has begun the next execution of it before its chain ends overlaps
//! with that one. (Where the next one goes on with the same sum, as in sums over `h` and `w`, it
//! does not. To price the original so was tried, and is wrong as long as candidates are not.)

use super::{AccessModel, Nest, Operands, StatementModel, Work, is_vectorizable, lane_by_lane, whole_loops};
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
    iterations_with_room(all, waiting, machine)
}

/// How many iterations of so many instructions, of which so many wait, the processor has room for.
pub(super) fn iterations_with_room(instructions: f64, waiting: f64, machine: &Machine) -> f64 {
    let core = &machine.core;
    (core.window / instructions.max(1.0)).min(core.waiting * core.window / waiting.max(1.0))
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
    let passes = if lanes > 1.0 { machine.vectors.loop_passes } else { 1.0 };
    let unforeseen = if lanes > 1.0 { 0.0 } else { UNFORESEEN * changing(&statement.work.branches, statement) };
    let branches = unforeseen * machine.code.restart_cycles;
    (passes * operations.max(accesses) + statement.work.divisions.busy(lanes, machine)) / lanes + branches
}

/// Part of the branches on data that are not foreseen, where nothing is known of these.
const UNFORESEEN: f64 = 0.5;

/// Whether the processor has vectors of a statement's loads: those under conditions need masks.
fn has_loads(statement: &StatementModel, machine: &Machine) -> bool {
    let has_masks = machine.vectors.masks || machine.vectors.masked_accesses;
    has_masks || changing(&statement.work.masked_loads, statement) == 0.0
}

/// How many of these values change along the innermost loop. A condition that does not is decided
/// in front of it.
fn changing(values: &[Operands], statement: &StatementModel) -> f64 {
    let accesses = &statement.accesses;
    let changes = |value: &&Operands| {
        let mut operands = value.positions(accesses.len());
        **value == Operands::ANYTHING || operands.any(|access| accesses[access].strides.last() != Some(&0.0))
    };
    values.iter().filter(changes).count() as f64
}

/// LLVM unrolls loops of the original order that are so many vectors: nothing is entered or left,
/// and the rows overlap. Of less than two vectors it makes others.
const UNROLLED: (f64, f64) = (2.0, 3.0);

/// LLVM takes several vectors at a time in loops with less than so many instructions: its option
/// `small-loop-cost`.
const INTERLEAVED: f64 = 20.0;

/// From so many lanes on, LLVM makes a second loop of vectors for what the first one leaves: its
/// option `epilogue-vectorization-minimum-VF`.
const EPILOGUE_LANES: f64 = 16.0;

/// How many vectors of so many lanes are executed at a time of the innermost loop with a statement.
/// Points that do not fill so many are executed one by one.
fn vectors_at_a_time(statement: &StatementModel, lanes: f64, machine: &Machine) -> f64 {
    let instructions = statement.work.simple + statement.accesses.len() as f64;
    let is_small = statement.work.by_llvm && instructions < INTERLEAVED && lanes < EPILOGUE_LANES;
    if is_small { machine.vectors.interleaved.max(1.0) } else { 1.0 }
}

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
    let lanes = statement.lanes(machine);
    let together = lanes * vectors_at_a_time(statement, lanes, machine);
    let by_loop = is_vectorizable(statement) && has_loads(statement, machine) && inner_trip >= together;
    let vector = by_loop || alike as f64 >= lanes;
    let width = if vector { lanes } else { 1.0 };
    let mut cycles = point_cycles(statement, width, machine);
    if by_loop {
        let vectors = &machine.vectors;
        let loads = if vectors.masks {
            0.0
        } else {
            changing(&statement.work.masked_loads, statement) * vectors.masked_load_cycles
        };
        cycles += (statement.work.masked_stores * vectors.masked_store_cycles + loads) / lanes;
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
    let remainder = match (by_loop, machine.vectors.masks && together == lanes) {
        (false, _) => 0.0,
        (true, true) => machine.code.mask_lane_cycles * lanes,
        // Points that do not fill a vector, or the vectors at a time, are executed one by one.
        (true, false) => (inner_trip % together) * point_cycles(statement, 1.0, machine),
    };
    let execution = inner_trip * cycles + machine.code.loop_cycles + remainder;
    let is_handed_on = by_loop && statement.handed_on && statement.work.stored > 0.0;
    let waits = if is_handed_on { hand_on_cycles(&statement.work, 1.0, machine) } else { 0.0 };
    statement.instances / inner_trip * execution.max(waits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::{Reference, estimate};
    use crate::machine::tests::usual;

    /// Cycles to issue a point of rows of so many integers, which are read and written.
    fn cycles(row: f64, work: Work, machine: &Machine) -> f64 {
        let access = |write: bool, array: usize| AccessModel {
            strides: vec![4.0 * row, 4.0],
            reference: Reference { bytes: 4.0, write, array, group: array, kept: None },
        };
        let statement = StatementModel {
            accesses: vec![access(false, 0), access(true, 1)],
            work,
            instances: 100.0 * row,
            cut: 0.0,
            parallel: true,
            recurrence: false,
            handed_on: false,
        };
        let nest = Nest { trips: vec![100.0, row], statements: vec![statement], interleaved: false, prefetches: false };
        estimate(&nest, machine).issue / (100.0 * row)
    }

    #[test]
    fn what_does_not_fill_several_vectors_is_scalar_where_llvm_takes_them_together() {
        let machine = usual();
        assert_eq!((machine.vectors.loop_bytes, machine.vectors.interleaved), (32, 4.0));
        let of = |row: f64, by_llvm: bool| cycles(row, Work { simple: 4.0, by_llvm, ..Work::default() }, &machine);
        assert!(of(30.0, true) > 1.5 * of(30.0, false));
        assert!(of(63.0, true) > 1.5 * of(63.0, false));
        assert_eq!(of(64.0, true), of(64.0, false));
    }

    #[test]
    fn branches_that_the_source_has_not_are_not_foreseen() {
        let machine = usual();
        // Rows of fewer points than a vector has lanes are scalar code.
        let of = |branches: Vec<Operands>| cycles(6.0, Work { simple: 4.0, branches, ..Work::default() }, &machine);
        let one = UNFORESEEN * machine.code.restart_cycles;
        assert_eq!(of(vec![Operands(1)]), of(Vec::new()) + one);
        assert_eq!(of(vec![Operands(0)]), of(Vec::new()), "nothing changes along the row");
    }

    #[test]
    fn loads_under_conditions_need_masks() {
        let mut machine = usual();
        let of = |machine: &Machine| {
            cycles(800.0, Work { simple: 4.0, masked_loads: vec![Operands(1)], ..Work::default() }, machine)
        };
        machine.vectors.masked_accesses = true;
        let masked = of(&machine);
        machine.vectors.masked_load_cycles = 6.0;
        assert!((of(&machine) - masked - 6.0 / 8.0).abs() < 0.01);
        machine.vectors.masked_accesses = false;
        assert!(of(&machine) > 4.0 * masked);
    }

    #[test]
    fn vectors_that_enter_their_units_twice_take_twice_as_long() {
        let mut machine = usual();
        let of = |machine: &Machine| cycles(800.0, Work { simple: 40.0, ..Work::default() }, machine);
        let once = of(&machine);
        machine.vectors.loop_passes = 2.0;
        assert!(of(&machine) > 1.9 * once);
    }
}
