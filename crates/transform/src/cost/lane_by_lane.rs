//! Vectors of loops that read what is not contiguous.
//!
//! # Problem
//! LLVM makes vectors of a loop without dependences also where some of its reads jump, as that of
//! every other element does in
//!
//! ```text
//! for i: v[i] = max(p * v[i + 1] + q * v[i], x[2 * i])
//! ```
//!
//! It loads these lane by lane, if its cost model says that the rest of the loop is worth it. An
//! original that is priced as scalar code is then thought to be slower than it is, and new code
//! that has no better vectors takes its place.
//!
//! # Rule
//! All writes are contiguous, and the loop is free of dependences. The vector code needs what the
//! operations and the contiguous accesses need, for a vector in place of a point, and
//! `vectors.gather_cycles` for each lane of each read that jumps. The code is the faster one of
//! this and the scalar code. Reads whose subscripts change in some iterations jump, too. (Reads in
//! descending order are a load and a permutation, which this overestimates.)

use super::{StatementModel, point_cycles_with};
use crate::Machine;

/// Cycles to issue one instance of a statement in such vectors; `None` where LLVM makes none.
pub(super) fn point_cycles(statement: &StatementModel, inner_trip: f64, machine: &Machine) -> Option<f64> {
    let lanes = statement.lanes(machine);
    let work = &statement.work;
    if !work.lane_by_lane || !statement.parallel || work.whole_loops.is_some() || lanes < 2.0 || inner_trip < lanes {
        return None;
    }
    let (mut contiguous, mut jumping) = (0.0, 0.0);
    for (number, access) in statement.accesses.iter().enumerate() {
        let stride = access.strides.last().copied()?;
        let is_bent = work.is_bent(number);
        match stride == access.bytes() && !is_bent {
            true => contiguous += 1.0,
            false if access.write() => return None,
            false => jumping += f64::from(is_bent || stride != 0.0),
        }
    }
    Some(point_cycles_with(statement, contiguous, lanes, machine) + jumping * machine.vectors.gather_cycles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::{AccessModel, Nest, Reference, Work, estimate};
    use crate::machine::tests::usual;

    /// Cycles of `operations` on each point of a row of doubles, which reads another one with a
    /// stride and is a chain as scalar code.
    fn cycles(stride: f64, operations: f64, lane_by_lane: bool) -> f64 {
        let access = |strides: f64, write: bool, array: usize| AccessModel {
            strides: vec![0.0, strides],
            reference: Reference { bytes: 8.0, write, array, group: array, kept: None },
        };
        let statement = StatementModel {
            accesses: vec![access(stride, false, 0), access(8.0, true, 1)],
            work: Work { simple: operations, lane_by_lane, ..Work::default() },
            instances: 100_000.0,
            cut: 0.0,
            parallel: true,
            recurrence: false,
            handed_on: false,
        };
        let nest =
            Nest { trips: vec![1000.0, 100.0], statements: vec![statement], interleaved: false, prefetches: false };
        estimate(&nest, &usual()).issue / 100_000.0
    }

    #[test]
    fn much_work_is_worth_loads_of_single_lanes() {
        assert!(cycles(16.0, 8.0, true) < 0.6 * cycles(16.0, 8.0, false));
        assert!(cycles(16.0, 8.0, true) > 1.2 * cycles(8.0, 8.0, true), "contiguous loads are faster");
        assert!(cycles(16.0, 0.5, true) > 0.8 * cycles(16.0, 0.5, false), "a copy hardly gains");
    }
}
