//! Statements that execute loops as wholes, which run as often as data say, alone or in lanes.

use super::{AccessModel, LaneWork, Nest, StatementModel, WholeLoops, is_vectorizable, point_cycles};
use crate::Machine;

/// How much longer the loop of the longest of so many lanes is than that of a lane in the mean, if
/// every iteration is the last one with the same probability: nothing is known of the numbers of
/// iterations, and these differ as those of a search do. It is the harmonic number (the mean of the
/// greatest of so many exponential variables).
fn divergence(lanes: f64) -> f64 {
    (1..=lanes as u32).map(|lane| 1.0 / f64::from(lane)).sum()
}

/// Cycles to issue all instances of a statement with whole loops.
pub(super) fn cycles(statement: &StatementModel, loops: WholeLoops, nest: &Nest, machine: &Machine) -> f64 {
    let inner_trip = nest.inner_trip(statement);
    let rows = statement.instances / inner_trip;
    let operations = point_cycles(statement, 1.0, machine);
    let alone = operations.max(loops.chain);
    let Some(LaneWork { bytes, mask_operations }) = loops.lanes else {
        return rows * (inner_trip * alone + machine.code.loop_cycles);
    };
    let bytes = statement.accesses.iter().map(AccessModel::bytes).fold(bytes.max(4.0), f64::max);
    let lanes = machine.vectors.bytes as f64 / bytes;
    if !is_vectorizable(statement) || lanes < 2.0 || inner_trip < lanes {
        return rows * (inner_trip * alone + machine.code.loop_cycles);
    }
    let masks = mask_operations / machine.core.flops_per_cycle;
    let vector = ((operations + masks) * machine.vectors.passes).max(loops.chain);
    // The last vector of a row takes as long as all others.
    let vectors = (inner_trip / lanes).ceil();
    let ends = machine.code.loop_cycles + machine.code.mask_lane_cycles * lanes;
    rows * (vectors * vector * divergence(lanes) + ends)
}
