//! Unroll-and-jam: blocks of neighbouring rows in the model of tiles in time.
//!
//! # Problem
//! Code generation executes several rows of a band at a time where they do not depend on each
//! other, as one row of vector code: what neighbouring rows load is loaded once, and the beginning
//! and the end of a row are paid once for all of them. How many rows, and how many loads are left
//! for each?
//!
//! # Method
//! For each number of rows, largest first:
//!
//! 1. the loads of a statement in all rows of the block are counted, equal ones once
//!    ([`JammedLoads`]): their addresses must not be too many, and those that are needed at the
//!    same time must fit the registers;
//! 2. a statement that writes what itself or another one touches in another row of the block, some
//!    subscript of which does not keep them apart, forbids the block. Earlier rows of earlier
//!    statements come first in any case.
//!
//! The numbers decide only what is predicted: code generation proves for itself that rows of a
//! block are independent.

use crate::Machine;
use crate::time_tile::{ShapedAccess, ShapedStatement};

/// Numbers of rows that are tried for blocks, best first.
pub const UNROLL_FACTORS: [u32; 3] = [8, 4, 2];
/// Rows whose addresses are made from one register with an index and a scale.
const ROWS_OF_A_REGISTER: u64 = 3;
/// Vector registers that are for other values than those that several rows load: of a row that is
/// being computed, and what is invariant.
const OTHER_REGISTERS: u64 = 6;

/// The different loads of a statement in a block of rows, which is executed row by row.
#[derive(Clone, Debug)]
pub struct JammedLoads<T> {
    n_rows: u32,
    /// Each with the first and the last row that uses it.
    loads: Vec<(T, u32, u32)>,
}

impl<T> JammedLoads<T> {
    /// None of so many rows.
    pub fn new(n_rows: u32) -> Self {
        Self { n_rows, loads: Vec::new() }
    }

    /// A row, none before the last one that was added, uses a load.
    pub fn add(&mut self, row: u32, load: T, is_same: impl Fn(&T, &T) -> bool) {
        match self.loads.iter_mut().find(|(known, ..)| is_same(known, &load)) {
            Some((_, _, last)) => *last = row,
            None => self.loads.push((load, row, row)),
        }
    }

    /// Their number.
    pub fn all(&self) -> usize {
        self.loads.len()
    }

    /// A block may have them on a processor: their addresses have registers, and so have the
    /// vectors that several rows use.
    pub fn are_few(&self, machine: &Machine) -> bool {
        let at_once =
            |row: u32| self.loads.iter().filter(|(_, first, last)| (*first..=*last).contains(&row)).count() as u64;
        let vectors = machine.vectors.registers.saturating_sub(OTHER_REGISTERS);
        let addresses = ROWS_OF_A_REGISTER * machine.core.integer_registers;
        self.all() as u64 <= addresses && (0..self.n_rows).all(|row| at_once(row) <= vectors)
    }
}

/// Rows that are executed together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct UnrollAndJam {
    pub(crate) rows: f64,
    /// The member from row to row.
    pub(crate) member: usize,
    /// By statement: loads for each row.
    pub(crate) loads: Vec<f64>,
    /// The number of rows differs from step to step.
    pub(crate) tapers: bool,
}

/// The blocks of rows of statements that share a loop over rows, which go along `columns`, one
/// after the other along `member`.
pub(crate) fn unroll_and_jam(
    statements: &[&ShapedStatement],
    (member, columns): (usize, usize),
    machine: &Machine,
) -> Option<UnrollAndJam> {
    let loads = |rows: u32| -> Vec<JammedLoads<Load>> { statements.iter().map(|s| loaded(s, member, rows)).collect() };
    let alone = loads(1);
    for rows in UNROLL_FACTORS {
        let together = loads(rows);
        if !together.iter().all(|loads| loads.are_few(machine)) {
            continue;
        }
        let saves = together.iter().zip(&alone).any(|(block, one)| block.all() < rows as usize * one.all());
        if !saves || !are_disjoint(statements, (member, columns), rows) {
            continue;
        }
        let loads = together.iter().map(|loads| loads.all() as f64 / f64::from(rows)).collect();
        return Some(UnrollAndJam { rows: f64::from(rows), member, loads, tapers: false });
    }
    None
}

/// The array, the values of the subscripts where all members are zero, and how they move.
type Load = (usize, Vec<f64>, Vec<f64>);

/// The different loads of so many rows, without those that are the same for all rows: they are no
/// reason to have several rows under way.
fn loaded(statement: &ShapedStatement, member: usize, rows: u32) -> JammedLoads<Load> {
    let mut known = JammedLoads::new(rows);
    for row in 0..rows {
        let moves = |access: &&ShapedAccess| access.subscripts.iter().any(|s| s.slopes[member] != 0.0);
        for access in statement.accesses.iter().filter(|access| !access.write).filter(moves) {
            let at = access.subscripts.iter().map(|s| s.offsets.0 + s.slopes[member] * f64::from(row)).collect();
            let slopes = access.subscripts.iter().flat_map(|s| s.slopes.iter().copied()).collect();
            let is_written = statement.accesses.iter().any(|other| other.write && other.array == access.array);
            known.add(row, (access.array, at, slopes), |a, b| !is_written && a == b);
        }
    }
    known
}

/// Whether rows of a block do not depend on each other, as far as their order changes.
fn are_disjoint(statements: &[&ShapedStatement], (member, columns): (usize, usize), rows: u32) -> bool {
    let pairs = |later: usize| (0..=later).map(move |earlier| (earlier, later));
    (0..statements.len()).flat_map(pairs).all(|(earlier, later)| {
        statements[earlier].accesses.iter().all(|a| {
            statements[later].accesses.iter().all(|b| {
                let conflicts = (a.write || b.write) && a.array == b.array;
                !conflicts || differs(a, b, (member, columns), (rows, earlier == later))
            })
        })
    })
}

/// The access `a` of a row and `b` of an earlier row of the block, or of another row if `either`,
/// touch different rows of their array.
fn differs(a: &ShapedAccess, b: &ShapedAccess, (member, columns): (usize, usize), (rows, either): (u32, bool)) -> bool {
    a.subscripts.iter().zip(&b.subscripts).any(|(a, b)| {
        let (slope, distance) = (a.slopes[member], b.offsets.0 - a.offsets.0);
        let meets = |k: f64| distance == k * slope || (either && distance == -k * slope);
        a.slopes == b.slopes && a.slopes[columns] == 0.0 && !(1..rows).any(|k| meets(f64::from(k)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Work;
    use crate::time_tile::Subscript;

    fn with_registers(vectors: u64) -> Machine {
        let mut machine = Machine::default();
        machine.vectors.registers = vectors;
        machine
    }

    fn access(array: usize, write: bool, row: f64, column: f64) -> ShapedAccess {
        let subscript = |slopes: Vec<f64>, offset: f64| Subscript { slopes, offsets: (offset, offset), range: 100.0 };
        let subscripts = vec![subscript(vec![-2.0, 1.0, 0.0], row), subscript(vec![-2.0, 0.0, 1.0], column)];
        ShapedAccess { array, bytes: 8.0, write, subscripts }
    }

    fn block(statements: Vec<Vec<ShapedAccess>>) -> Option<UnrollAndJam> {
        let statement = |accesses| ShapedStatement {
            accesses,
            work: Work::default(),
            instances: 1e6,
            ranges: vec![100.0; 3],
            rows: vec![100.0; 3],
        };
        let statements: Vec<ShapedStatement> = statements.into_iter().map(statement).collect();
        unroll_and_jam(&statements.iter().collect::<Vec<_>>(), (1, 2), &with_registers(32))
    }

    /// Five points of one array, behind by `lag` in both dimensions, for a point of the other one.
    fn five(from: usize, to: usize, lag: f64) -> Vec<ShapedAccess> {
        let points = [(0.0, 0.0), (0.0, -1.0), (0.0, 1.0), (1.0, 0.0), (-1.0, 0.0)];
        let reads = points.map(|(i, j)| access(from, false, i - lag, j - lag));
        reads.into_iter().chain([access(to, true, -lag, -lag)]).collect()
    }

    #[test]
    fn neighbouring_rows_share_loads() {
        let block = block(vec![five(0, 1, 0.0), five(1, 0, 1.0)]).expect("rows are independent");
        // Ten rows in the middle, and the neighbours to the left and right in eight.
        assert_eq!((block.rows, block.loads), (8.0, vec![26.0 / 8.0; 2]));
    }

    #[test]
    fn loads_of_a_few_rows_are_in_registers_at_once() {
        let loads = |n_rows: u32, kept: u32, own: u32| {
            let mut loads = JammedLoads::new(n_rows);
            for row in 0..n_rows {
                (0..kept).for_each(|load| loads.add(row, (0, load), |a, b| a == b));
                (0..own).for_each(|load| loads.add(row, (row + 1, load), |a, b| a == b));
            }
            loads
        };
        // Seven points in three dimensions: two rows of other planes and two neighbours for each
        // row.
        assert!(loads(8, 2, 5).are_few(&with_registers(32)) && loads(8, 2, 5).all() == 42);
        assert!(!loads(8, 2, 6).are_few(&with_registers(32)), "too many addresses");
        assert!(
            loads(4, 20, 6).are_few(&with_registers(32)) && !loads(4, 21, 6).are_few(&with_registers(32)),
            "too many registers"
        );
        assert!(
            loads(4, 4, 6).are_few(&with_registers(16)) && !loads(4, 5, 6).are_few(&with_registers(16)),
            "fewer registers"
        );
    }

    #[test]
    fn a_statement_that_is_not_behind_the_other_forbids_blocks() {
        assert_eq!(block(vec![five(0, 1, 0.0), five(1, 0, 0.0)]), None);
    }

    #[test]
    fn rows_that_depend_on_each_other_are_no_block() {
        assert_eq!(block(vec![five(0, 0, 0.0)]), None);
    }

    #[test]
    fn rows_that_share_nothing_are_no_block() {
        let copy = vec![access(0, false, 0.0, 0.0), access(1, true, 0.0, 0.0)];
        assert_eq!(block(vec![copy]), None);
    }
}
