//! Blocks of neighbouring rows in the model of tiles in time.
//!
//! # Problem
//! Code generation executes several rows of a band at a time where they do not depend on each other, as one row of vector code: what neighbouring rows load is loaded once, and the
//! beginning and the end of a row are paid once for all of them. How many rows, and how many loads are left for each?
//!
//! # Method
//! For each number of rows, largest first:
//!
//! 1. the loads of a statement in all rows of the block are counted, equal ones once; there are at most [`MAX_BLOCK_LOADS`];
//! 2. a statement that writes what itself or another one touches in another row of the block, some subscript of which does not keep them apart, forbids the block. Earlier rows of
//!    earlier statements come first in any case.
//!
//! The numbers decide only what is predicted: code generation proves for itself that rows of a block are independent.

use crate::time_tile::{ShapedAccess, ShapedStatement, SkewedBand};

/// Numbers of rows that are tried for blocks, best first.
pub const BLOCK_ROWS: [u32; 3] = [8, 4, 2];
/// Vectors that the loads of a statement for a block of rows may need, of the 32 that processors with masks have.
pub const MAX_BLOCK_LOADS: usize = 26;

/// Rows that are executed together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RowBlock {
    pub(crate) rows: f64,
    /// The member from row to row.
    pub(crate) member: usize,
    /// By statement: loads for each row.
    pub(crate) loads: Vec<f64>,
}

/// The blocks of rows of a band whose rows go along `columns`, one after the other along `member`.
pub(crate) fn row_block(band: &SkewedBand, member: usize, columns: usize) -> Option<RowBlock> {
    let loads = |rows: u32| -> Vec<usize> { band.statements.iter().map(|s| loaded(s, member, rows)).collect() };
    let alone = loads(1);
    for rows in BLOCK_ROWS {
        let together = loads(rows);
        if together.iter().any(|&loads| loads > MAX_BLOCK_LOADS) {
            continue;
        }
        let saves = together.iter().zip(&alone).any(|(&block, &one)| block < rows as usize * one);
        if !saves || !are_apart(band, (member, columns), rows) {
            continue;
        }
        let loads = together.iter().map(|&loads| loads as f64 / f64::from(rows)).collect();
        return Some(RowBlock { rows: f64::from(rows), member, loads });
    }
    None
}

/// The different loads of so many rows, without those that are the same for all rows: they are no reason to have several rows under way.
fn loaded(statement: &ShapedStatement, member: usize, rows: u32) -> usize {
    let mut known: Vec<(usize, Vec<f64>, Vec<f64>)> = Vec::new();
    let mut again = 0;
    for row in 0..rows {
        let moves = |access: &&ShapedAccess| access.subscripts.iter().any(|s| s.slopes[member] != 0.0);
        for access in statement.accesses.iter().filter(|access| !access.write).filter(moves) {
            let at = access.subscripts.iter().map(|s| s.offsets.0 + s.slopes[member] * f64::from(row)).collect();
            let slopes = access.subscripts.iter().flat_map(|s| s.slopes.iter().copied()).collect();
            let load = (access.array, at, slopes);
            let is_written = statement.accesses.iter().any(|other| other.write && other.array == access.array);
            if is_written {
                again += 1;
            } else if !known.contains(&load) {
                known.push(load);
            }
        }
    }
    known.len() + again
}

/// Whether rows of a block do not depend on each other, as far as their order changes.
fn are_apart(band: &SkewedBand, (member, columns): (usize, usize), rows: u32) -> bool {
    let pairs = |later: usize| (0..=later).map(move |earlier| (earlier, later));
    (0..band.statements.len()).flat_map(pairs).all(|(earlier, later)| {
        band.statements[earlier].accesses.iter().all(|a| {
            band.statements[later].accesses.iter().all(|b| {
                let conflicts = (a.write || b.write) && a.array == b.array;
                !conflicts || differs(a, b, (member, columns), (rows, earlier == later))
            })
        })
    })
}

/// The access `a` of a row and `b` of an earlier row of the block, or of another row if `either`, touch different rows of their array.
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

    fn access(array: usize, write: bool, row: f64, column: f64) -> ShapedAccess {
        let subscript = |slopes: Vec<f64>, offset: f64| Subscript { slopes, offsets: (offset, offset), range: 100.0 };
        let subscripts = vec![subscript(vec![-2.0, 1.0, 0.0], row), subscript(vec![-2.0, 0.0, 1.0], column)];
        ShapedAccess { array, bytes: 8.0, write, subscripts }
    }

    fn band(statements: Vec<Vec<ShapedAccess>>) -> SkewedBand {
        let statement = |accesses| ShapedStatement {
            accesses,
            work: Work::default(),
            instances: 1e6,
            ranges: vec![100.0; 3],
            rows: vec![100.0; 3],
        };
        SkewedBand { statements: statements.into_iter().map(statement).collect(), members: 3, rows: Vec::new() }
    }

    /// Five points of one array, behind by `lag` in both dimensions, for a point of the other one.
    fn five(from: usize, to: usize, lag: f64) -> Vec<ShapedAccess> {
        let points = [(0.0, 0.0), (0.0, -1.0), (0.0, 1.0), (1.0, 0.0), (-1.0, 0.0)];
        let reads = points.map(|(i, j)| access(from, false, i - lag, j - lag));
        reads.into_iter().chain([access(to, true, -lag, -lag)]).collect()
    }

    #[test]
    fn neighbouring_rows_share_loads() {
        let block = row_block(&band(vec![five(0, 1, 0.0), five(1, 0, 1.0)]), 1, 2).expect("rows are independent");
        // Ten rows in the middle, and the neighbours to the left and right in eight.
        assert_eq!((block.rows, block.loads), (8.0, vec![26.0 / 8.0; 2]));
    }

    #[test]
    fn a_statement_that_is_not_behind_the_other_forbids_blocks() {
        assert_eq!(row_block(&band(vec![five(0, 1, 0.0), five(1, 0, 0.0)]), 1, 2), None);
    }

    #[test]
    fn rows_that_depend_on_each_other_are_no_block() {
        assert_eq!(row_block(&band(vec![five(0, 0, 0.0)]), 1, 2), None);
    }

    #[test]
    fn rows_that_share_nothing_are_no_block() {
        let copy = vec![access(0, false, 0.0, 0.0), access(1, true, 0.0, 0.0)];
        assert_eq!(row_block(&band(vec![copy]), 1, 2), None);
    }
}
