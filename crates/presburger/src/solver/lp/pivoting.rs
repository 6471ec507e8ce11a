//! The choice of pivots.
//!
//! To move the value of a row up or down, some column unknown is moved in a direction that it may
//! take, until the unknown of another row would become negative; that row and the column are then
//! exchanged.
//!
//! **Rule.** Among the columns take the one that moves the value furthest. This costs more than
//! looking at one column, but takes far fewer pivots and keeps numbers small. Ties are broken by
//! the smallest index, for columns and for rows.
//!
//! **Termination.** A pivot that moves the value never returns to the same tableau. If no column
//! moves the value, the choice is Bland's smallest-index rule, which does not cycle; hence there is
//! no infinite sequence of pivots that do not move the value either.

use std::cmp::Ordering;

use poly_arith::Coeff;

use super::super::Interrupt;
use super::tableau::{ConId, Direction, OFF, Tableau, Unknown};
use crate::budget::Budget;

/// What to do next to move the value of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The value cannot be moved.
    Optimal,
    /// The unknown of this column can be moved without limit, and the value with it.
    Unbounded(usize),
    /// Exchange this row and this column.
    Pivot(usize, usize),
}

impl<T: Coeff> Tableau<T> {
    /// The order of unknowns that breaks ties.
    fn rank(&self, unknown: Unknown) -> usize {
        match unknown {
            Unknown::Var(var) => var,
            Unknown::Con(con) => self.vars.len() + con,
        }
    }

    /// The next step to move the value of `row`, whose own restriction is not considered, in the
    /// given direction.
    pub(super) fn next_step(&self, row: usize, direction: Direction) -> Step {
        let mut best: Option<(usize, usize)> = None;
        for col in 0..self.col_unknown.len() {
            let Some(step) = self.useful_step(row, col, direction) else { continue };
            let Some(blocking) = self.find_row(col, step, Some(row)) else {
                return Step::Unbounded(col);
            };
            if best.is_none_or(|best| self.cmp_moves(row, (blocking, col), best).is_gt()) {
                best = Some((blocking, col));
            }
        }
        best.map_or(Step::Optimal, |(blocking, col)| Step::Pivot(blocking, col))
    }

    /// The direction in which the unknown of a column has to move, and may, for the value of `row`
    /// to move in the given direction.
    fn useful_step(&self, row: usize, col: usize, direction: Direction) -> Option<Direction> {
        let step = match self.row(row)[OFF + col].sign() {
            0 => return None,
            1 => direction,
            _ => direction.opposite(),
        };
        let unknown = self.col_unknown[col];
        let allowed = !self.is_fixed(unknown) && (step == Direction::Up || !self.is_restricted(unknown));
        allowed.then_some(step)
    }

    /// Compares how far two pivots move the value of `row`: a pivot on a row with constant `c` and
    /// element `a` moves it by a multiple of `|e| c / |a|`, where `e` is the element of `row`. If
    /// the distances are equal, or a product overflows, the smaller column is the greater one.
    fn cmp_moves(&self, row: usize, (r1, c1): (usize, usize), (r2, c2): (usize, usize)) -> Ordering {
        let (row, row1, row2) = (self.row(row), self.row(r1), self.row(r2));
        let by_rank = self.rank(self.col_unknown[c2]).cmp(&self.rank(self.col_unknown[c1]));
        let (move1, move2) = (row[OFF + c1].abs().mul(&row1[1]), row[OFF + c2].abs().mul(&row2[1]));
        match (move1, move2) {
            (Ok(move1), Ok(move2)) => {
                T::cmp_products(&move1, &row2[OFF + c2].abs(), &move2, &row1[OFF + c1].abs()).then(by_rank)
            }
            (Err(_), Ok(move2)) if move2.is_zero() => Ordering::Greater,
            (Ok(move1), Err(_)) if move1.is_zero() => Ordering::Less,
            _ => by_rank,
        }
    }

    /// The row of a nonnegative unknown that first becomes 0 when the unknown of column `col` is
    /// moved; `skip` is not considered.
    pub(super) fn find_row(&self, col: usize, step: Direction, skip: Option<usize>) -> Option<usize> {
        let mut best: Option<usize> = None;
        for (row, &unknown) in self.row_unknown.iter().enumerate() {
            let elements = self.row(row);
            if elements[OFF + col].sign() * step.sign() >= 0 || Some(row) == skip || !self.is_restricted(unknown) {
                continue;
            }
            if best.is_none_or(|best| self.cmp_limits(row, best, col).is_lt()) {
                best = Some(row);
            }
        }
        best
    }

    /// Compares how far the unknown of `col` can move before the unknowns of two rows become 0,
    /// `c / |a|` for a row with constant `c` and element `a`, and then the ranks of the rows.
    fn cmp_limits(&self, r1: usize, r2: usize, col: usize) -> Ordering {
        let (row1, row2) = (self.row(r1), self.row(r2));
        T::cmp_products(&row1[1], &row2[OFF + col].abs(), &row2[1], &row1[OFF + col].abs())
            .then_with(|| self.rank(self.row_unknown[r1]).cmp(&self.rank(self.row_unknown[r2])))
    }

    /// Makes the value of a constraint nonnegative; false if it cannot be.
    pub(super) fn restore(&mut self, con: ConId, budget: &mut Budget) -> Result<bool, Interrupt> {
        while let Some(row) = self.con_row(con)
            && self.row_sign(row) < 0
        {
            match self.next_step(row, Direction::Up) {
                Step::Optimal => return Ok(false),
                Step::Unbounded(col) => self.pivot(row, col, budget)?,
                Step::Pivot(blocking, col) if self.reaches_zero_first(row, blocking, col) => {
                    self.pivot(row, col, budget)?;
                }
                Step::Pivot(blocking, col) => self.pivot(blocking, col, budget)?,
            }
        }
        Ok(true)
    }

    /// Does a row become 0 before, or when, the blocking one does, if the unknown of `col` is moved
    /// such that the value of the former moves towards 0?
    pub(super) fn reaches_zero_first(&self, row: usize, blocking: usize, col: usize) -> bool {
        let (own, other) = (self.row(row), self.row(blocking));
        T::cmp_products(&own[1].abs(), &other[OFF + col].abs(), &other[1], &own[OFF + col].abs()).is_le()
    }
}
