//! Redundant constraints, implicit equalities and the position of an inequality relative to a
//! polyhedron.
//!
//! Let `f` be the affine form of a constraint.
//!
//! * `f >= 0` is *redundant* if it follows from the other constraints: minimize `f` with its own
//!   restriction lifted.
//! * `f >= 0` is an *implicit equality* if `f` cannot be positive: maximize `f`.
//!
//! On the integer grid the thresholds are -1 and 1 instead of 0, as `f` takes integer values at
//! integer points.

use poly_arith::Coeff;

use super::super::Interrupt;
use super::pivoting::Step;
use super::tableau::{ConId, ConKind, Direction, Grid, OFF, Place, Tableau};
use crate::budget::Budget;

/// The position of an inequality `f >= 0` relative to a polyhedron.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IneqType {
    /// All points satisfy it.
    Redundant,
    /// No point satisfies it.
    Separate,
    /// Some points satisfy it and others do not.
    Cut,
    /// No point satisfies it, because `f` is the constant -1: the equality `f + 1 = 0` of the
    /// polyhedron is adjacent to the inequality.
    AdjEq,
    /// No point satisfies it, because `f = -g - 1` for an inequality `g >= 0` of the polyhedron.
    AdjIneq,
}

/// What a row is compared with on a grid.
impl Grid {
    /// Is `c / d` far enough below 0 to violate the constraint?
    fn violates<T: Coeff>(self, row: &[T]) -> bool {
        match self {
            Grid::Rational => row[1].sign() < 0,
            Grid::Integer => row[1].sign() < 0 && row[1].neg() >= row[0],
        }
    }

    /// Is `c / d` far enough above 0 to keep the constraint from being an equality?
    fn exceeds<T: Coeff>(self, row: &[T]) -> bool {
        match self {
            Grid::Rational => row[1].sign() > 0,
            Grid::Integer => row[1] >= row[0],
        }
    }
}

impl<T: Coeff> Tableau<T> {
    /// Is the constraint an equality, given or detected?
    pub fn is_equality(&self, con: ConId) -> bool {
        self.cons[con.0].place == Place::Zero
    }

    /// Was the constraint marked redundant by [`Tableau::detect_redundant`]?
    pub fn is_marked_redundant(&self, con: ConId) -> bool {
        self.cons[con.0].place == Place::Redundant
    }

    /// Does the constraint follow from the others? The tableau must not be empty. Equalities are
    /// not considered redundant.
    /// Cost: a linear program, beginning at the present basis.
    pub fn is_redundant(&mut self, con: ConId, budget: &mut Budget) -> Result<bool, Interrupt> {
        assert!(!self.empty, "an empty polyhedron has no redundant constraints");
        let row = match self.cons[con.0].place {
            Place::Redundant => return Ok(true),
            Place::Zero => return Ok(false),
            Place::Row(row) => row,
            Place::Col(col) => match self.find_row(col, Direction::Down, None) {
                None => return Ok(false),
                Some(row) => {
                    self.pivot(row, col, budget)?;
                    row
                }
            },
        };
        let redundant = self.stays_above(row, budget)?;
        if !redundant && self.row_sign(row) < 0 {
            let restored = self.restore(con, budget)?;
            assert!(restored, "the constraint was satisfiable before");
        }
        Ok(redundant)
    }

    /// Is the minimum of a row, whose own restriction is lifted, not below the threshold?
    fn stays_above(&mut self, row: usize, budget: &mut Budget) -> Result<bool, Interrupt> {
        while !self.grid.violates(self.row(row)) {
            match self.next_step(row, Direction::Down) {
                Step::Optimal => return Ok(true),
                Step::Unbounded(_) => return Ok(false),
                Step::Pivot(blocking, col) => self.pivot(blocking, col, budget)?,
            }
        }
        Ok(false)
    }

    /// Drops every inequality that follows from the rest, later ones first.
    /// Cost: a linear program for each inequality, beginning at the present basis.
    pub fn detect_redundant(&mut self, budget: &mut Budget) -> Result<(), Interrupt> {
        if self.empty {
            return Ok(());
        }
        for con in (0..self.cons.len()).rev().map(ConId) {
            if self.cons[con.0].kind == ConKind::NonNeg {
                self.detect_redundant_con(con, budget)?;
            }
        }
        Ok(())
    }

    /// Drops an inequality if it follows from the rest; is it dropped?
    /// Cost: a linear program, beginning at the present basis.
    pub fn detect_redundant_con(&mut self, con: ConId, budget: &mut Budget) -> Result<bool, Interrupt> {
        let redundant = self.is_redundant(con, budget)?;
        if redundant && let Some(row) = self.con_row(con) {
            self.drop_row(row, Place::Redundant);
        }
        Ok(redundant)
    }

    /// Turns every inequality whose form cannot be positive into an equality. On the integer grid
    /// this may reveal that there are no integer points, which marks the tableau empty. Cost: a
    /// linear program for each inequality, on the integer grid again for all after one was found.
    pub fn detect_implicit_equalities(&mut self, budget: &mut Budget) -> Result<(), Interrupt> {
        let mut changed = true;
        while changed && !self.empty {
            changed = false;
            for con in (0..self.cons.len()).map(ConId) {
                if self.cons[con.0].kind != ConKind::NonNeg || self.can_exceed(con, budget)? {
                    continue;
                }
                changed |= self.grid == Grid::Integer;
                if !self.descend_to_zero(con, budget)? {
                    self.empty = true;
                    return Ok(());
                }
                self.drop_zero(con, budget)?;
            }
        }
        Ok(())
    }

    /// Can the form of an inequality reach the threshold? True also for dropped constraints.
    fn can_exceed(&mut self, con: ConId, budget: &mut Budget) -> Result<bool, Interrupt> {
        let row = match self.cons[con.0].place {
            Place::Redundant | Place::Zero => return Ok(true),
            Place::Row(row) => row,
            Place::Col(col) => match self.find_row(col, Direction::Up, None) {
                None => return Ok(true),
                Some(row) => {
                    self.pivot(row, col, budget)?;
                    row
                }
            },
        };
        while !self.grid.exceeds(self.row(row)) {
            match self.next_step(row, Direction::Up) {
                Step::Optimal => return Ok(false),
                Step::Unbounded(_) => return Ok(true),
                Step::Pivot(blocking, col) => self.pivot(blocking, col, budget)?,
            }
        }
        Ok(true)
    }

    /// Moves the value of a satisfied inequality down to 0; false if it cannot reach 0.
    fn descend_to_zero(&mut self, con: ConId, budget: &mut Budget) -> Result<bool, Interrupt> {
        while let Some(row) = self.con_row(con)
            && self.row_sign(row) > 0
        {
            match self.next_step(row, Direction::Down) {
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

    /// The position of the inequality `form >= 0` relative to the polyhedron, which must not be
    /// empty. The tableau describes the same polyhedron afterwards.
    /// Cost: two linear programs, beginning at the present basis.
    pub fn ineq_type(&mut self, form: &[T], budget: &mut Budget) -> Result<IneqType, Interrupt> {
        assert!(!self.empty, "an empty polyhedron has no position");
        let con = self.add_con(form, ConKind::Free)?;
        let row = self.con_row(con).expect("a new constraint is in a row");
        let result = self.row_type(row, budget);
        if result.is_ok() {
            self.drop_row(row, Place::Redundant);
            self.cons.pop();
        }
        result
    }

    fn row_type(&mut self, row: usize, budget: &mut Budget) -> Result<IneqType, Interrupt> {
        let value_sign = self.row_sign(row);
        if value_sign >= 0 {
            let redundant = self.stays_above(row, budget)?;
            return Ok(if redundant { IneqType::Redundant } else { IneqType::Cut });
        }
        while self.row_sign(row) < 0 {
            match self.next_step(row, Direction::Up) {
                Step::Optimal => return Ok(self.separation(row)),
                Step::Unbounded(_) => return Ok(IneqType::Cut),
                Step::Pivot(blocking, col) => self.pivot(blocking, col, budget)?,
            }
        }
        // It was negative at one point and is not at another: on the integer grid the negative
        // point may still be above -1.
        if self.grid == Grid::Integer && self.stays_above(row, budget)? {
            return Ok(IneqType::Redundant);
        }
        Ok(IneqType::Cut)
    }

    /// The kind of separation of a row whose maximum, attained at the sample, is negative.
    fn separation(&self, row: usize) -> IneqType {
        let elements = self.row(row);
        if self.grid == Grid::Rational || !elements[0].is_one() {
            return IneqType::Separate;
        }
        let mut nonzero = (OFF..elements.len()).filter(|&j| !elements[j].is_zero());
        match (nonzero.next(), nonzero.next()) {
            (None, _) if elements[1].neg().is_one() => IneqType::AdjEq,
            (Some(j), None) if elements[1] == elements[j] && self.is_restricted(self.col_unknown[j - OFF]) => {
                IneqType::AdjIneq
            }
            _ => IneqType::Separate,
        }
    }
}
