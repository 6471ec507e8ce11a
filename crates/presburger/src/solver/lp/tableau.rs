//! The incremental simplex tableau.
//!
//! **Unknowns.** The *unknowns* are the variables of the system and one unknown per constraint, the
//! value of its affine form. Constraint unknowns are either nonnegative, free (objectives), or
//! fixed to 0.
//!
//! **Tableau.** At any time each unknown is in a *row* or in a *column*. A row
//! `[d, c, a_1, .., a_k]` with `d > 0` says that the unknown of the row equals
//! `(c + a_1 y_1 + .. + a_k y_k) / d`, where `y_j` is the unknown of column `j`. The *sample* is
//! the point where all column unknowns are 0, so the unknown of a row has the value `c / d`.
//!
//! For example, with variables `x, y` in columns, the constraint `2x - 3y + 4 >= 0` is the row
//! `[1, 4, 2, -3]`. Its sample value is 4. If it is exchanged with `x`, the row of `x` becomes
//! `[2, -4, 1, 3]`: `x = (-4 + s + 3y) / 2`, where `s` is the unknown of the constraint.
//!
//! **Invariants.** (1) Unless the tableau is marked empty, all nonnegative unknowns have
//! nonnegative sample values. (2) The gcd of the elements of a row is 1.
//!
//! **Operations.**
//!
//! 1. *Pivot*: exchange a row with a column in which it is not zero.
//! 2. *Adding an inequality*: add the row; while its sample value is negative, pivot so that it
//!    grows and (1) keeps holding for the others. If no pivot makes it grow, the system is empty.
//! 3. *Adding an equality*: the same until the value is exactly 0, then exchange the row into a
//!    column, which is dropped: from then on the unknown is the constant 0.
//! 4. *Optimizing*: add the objective as a free row and pivot while it can grow.
//!
//! Which pivot is taken is decided in [`super::pivoting`]. As dropped columns never come back,
//! undoing is done by copying: a [`Snapshot`] is a copy of the tableau, which for the sizes that
//! occur costs less than a pivot.
//!
//! Reference: \[DetlefsNelsonSaxe2005\], section 8.

use poly_arith::{Coeff, Int, Rational};

use super::super::{Interrupt, Optimum, System};
use super::elimination::{add_scaled_row, solve_for, substitute};
use super::pivoting::Step;
use crate::budget::Budget;

/// The number of row elements before the columns: denominator and constant.
pub(super) const OFF: usize = 2;

/// Which points count: this decides what makes a constraint redundant or an implicit equality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// All rational points.
    Rational,
    /// Only integer points. An affine form with integer coefficients that is known to be above -1
    /// is then nonnegative, and one known to be below 1 is not positive. (The tableau itself still
    /// describes the rational polyhedron.)
    Integer,
}

/// The number of a constraint: the how-manieth was added, counting equalities and inequalities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConId(pub usize);

/// The direction in which the value of an unknown is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Towards larger values.
    Up,
    /// Towards smaller values.
    Down,
}

impl Direction {
    /// The sign of a step in this direction.
    pub(super) fn sign(self) -> i32 {
        match self {
            Direction::Up => 1,
            Direction::Down => -1,
        }
    }

    pub(super) fn opposite(self) -> Direction {
        match self {
            Direction::Up => Direction::Down,
            Direction::Down => Direction::Up,
        }
    }
}

/// A variable or a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    Var(usize),
    Con(usize),
}

/// Where an unknown is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Row(usize),
    Col(usize),
    /// The unknown is the constant 0; its column has been dropped.
    Zero,
    /// The constraint is implied by others; its row has been dropped.
    Redundant,
}

/// What values a constraint unknown may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConKind {
    /// An inequality.
    NonNeg,
    /// An objective or a row under inspection.
    Free,
    /// An equality whose column is kept, so that its dual value can be read. It stays in its
    /// column for ever.
    Fixed,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Con {
    pub(super) place: Place,
    pub(super) kind: ConKind,
}

/// A copy of a tableau to go back to.
#[derive(Clone, Debug)]
pub struct Snapshot<T>(Tableau<T>);

/// An incremental rational simplex tableau; see the module documentation.
#[derive(Clone, Debug)]
pub struct Tableau<T> {
    pub(super) grid: Grid,
    /// Length of a row in `data`.
    stride: usize,
    /// The rows, one after the other.
    data: Vec<T>,
    pub(super) row_unknown: Vec<Unknown>,
    pub(super) col_unknown: Vec<Unknown>,
    pub(super) vars: Vec<Place>,
    pub(super) cons: Vec<Con>,
    pub(super) empty: bool,
}

impl<T: Coeff> Tableau<T> {
    /// The tableau of `n` unconstrained variables.
    pub fn new(n: usize, grid: Grid) -> Tableau<T> {
        Tableau {
            grid,
            stride: OFF + n,
            data: Vec::new(),
            row_unknown: Vec::new(),
            col_unknown: (0..n).map(Unknown::Var).collect(),
            vars: (0..n).map(Place::Col).collect(),
            cons: Vec::new(),
            empty: false,
        }
    }

    /// The tableau of a system. Constraint `i` is equality `i`, and the inequalities follow.
    /// Cost: a pivot for each equality, and a linear program for a vertex.
    pub fn from_system(system: &System, grid: Grid, budget: &mut Budget) -> Result<Tableau<T>, Interrupt> {
        system.check();
        let mut tableau = Tableau::new(system.n, grid);
        let n_con = system.eqs.len() + system.ineqs.len();
        tableau.data.reserve((system.ineqs.len() + system.n) * tableau.stride);
        tableau.cons.reserve(n_con + 1);
        tableau.row_unknown.reserve(n_con + 1);
        let mut form = Vec::with_capacity(system.n + 1);
        for (i, row) in system.eqs.iter().chain(&system.ineqs).enumerate() {
            form.clear();
            for value in row {
                form.push(T::from_int(value)?);
            }
            if i < system.eqs.len() {
                tableau.add_eq(&form, budget)?;
            } else {
                tableau.add_ineq(&form, budget)?;
            }
        }
        Ok(tableau)
    }

    /// Is the rational polyhedron empty?
    pub fn is_empty(&self) -> bool {
        self.empty
    }

    /// Marks the tableau as having no points, for callers who know so by other means.
    pub fn mark_empty(&mut self) {
        self.empty = true;
    }

    /// The number of variables.
    pub fn n_var(&self) -> usize {
        self.vars.len()
    }

    /// The number of constraints added so far.
    pub fn n_con(&self) -> usize {
        self.cons.len()
    }

    /// Remembers the present state.
    pub fn snapshot(&self) -> Snapshot<T> {
        Snapshot(self.clone())
    }

    /// Goes back to a remembered state.
    pub fn rollback(&mut self, snapshot: &Snapshot<T>) {
        self.clone_from(&snapshot.0);
    }

    /// Adds the constraint that the affine form `[c, a_1, .., a_n]` is not negative.
    /// Cost: pivots until the constraint is satisfied.
    pub fn add_ineq(&mut self, form: &[T], budget: &mut Budget) -> Result<ConId, Interrupt> {
        let con = self.add_con(form, ConKind::NonNeg)?;
        if !self.empty && !self.restore(con, budget)? {
            self.empty = true;
        }
        Ok(con)
    }

    /// Adds the constraint that the affine form `[c, a_1, .., a_n]` is 0.
    /// Cost: pivots until the constraint is satisfied.
    pub fn add_eq(&mut self, form: &[T], budget: &mut Budget) -> Result<ConId, Interrupt> {
        let con = self.add_con(form, ConKind::NonNeg)?;
        if !self.empty && self.settle_at_zero(con, budget)?.is_some() {
            self.drop_zero(con, budget)?;
        }
        Ok(con)
    }

    /// Like [`Tableau::add_eq`], but keeps the column of the constraint so that [`Tableau::dual`]
    /// can be asked for it.
    pub(crate) fn add_eq_with_dual(&mut self, form: &[T], budget: &mut Budget) -> Result<ConId, Interrupt> {
        let con = self.add_con(form, ConKind::NonNeg)?;
        if self.empty {
            return Ok(con);
        }
        let Some(negated) = self.settle_at_zero(con, budget)? else {
            return Ok(con);
        };
        if let Some(row) = self.con_row(con)
            && !self.move_to_column(row, budget)?
        {
            self.drop_row(row, Place::Zero);
        }
        self.cons[con.0].kind = ConKind::Fixed;
        if let Place::Col(col) = self.cons[con.0].place
            && negated
        {
            self.negate_col(col);
        }
        Ok(con)
    }

    /// The minimum of an affine form.
    /// Cost: a linear program, beginning at the present basis.
    pub fn minimize(&mut self, form: &[T], budget: &mut Budget) -> Result<Optimum, Interrupt> {
        self.optimize(form, Direction::Down, budget)
    }

    /// The maximum of an affine form.
    /// Cost: a linear program, beginning at the present basis.
    pub fn maximize(&mut self, form: &[T], budget: &mut Budget) -> Result<Optimum, Interrupt> {
        self.optimize(form, Direction::Up, budget)
    }

    pub(crate) fn optimize(
        &mut self,
        form: &[T],
        direction: Direction,
        budget: &mut Budget,
    ) -> Result<Optimum, Interrupt> {
        self.optimize_with_dual(form, direction, None, budget).map(|(optimum, _)| optimum)
    }

    /// The optimum of an affine form, and the dual value of a constraint added by
    /// [`Tableau::add_eq_with_dual`]: the number `u` such that the optimum of `form - u * g`, where
    /// `g` is the form of the constraint, is the same without the constraint.
    pub(crate) fn optimize_with_dual(
        &mut self,
        form: &[T],
        direction: Direction,
        con: Option<ConId>,
        budget: &mut Budget,
    ) -> Result<(Optimum, Rational), Interrupt> {
        if self.empty {
            return Ok((Optimum::Empty, Rational::ZERO));
        }
        let objective = self.add_con(form, ConKind::Free)?;
        let row = self.con_row(objective).expect("a new constraint is in a row");
        let mut optimum = Optimum::Unbounded;
        loop {
            match self.next_step(row, direction) {
                Step::Pivot(blocking, col) => self.pivot(blocking, col, budget)?,
                Step::Unbounded(_) => break,
                Step::Optimal => {
                    optimum = Optimum::Bounded(self.row_value(row));
                    break;
                }
            }
        }
        let dual = match con.map(|con| self.cons[con.0].place) {
            Some(Place::Col(col)) => {
                let row = self.row(row);
                Rational::new(row[OFF + col].to_int(), row[0].to_int())
            }
            _ => Rational::ZERO,
        };
        self.drop_row(row, Place::Redundant);
        self.cons.pop();
        Ok((optimum, dual))
    }

    /// The sample point: a rational point of the polyhedron, unless it is empty.
    pub fn sample(&self) -> Option<Vec<Rational>> {
        if self.empty {
            return None;
        }
        let value = |place: &Place| match *place {
            Place::Row(row) => self.row_value(row),
            _ => Rational::ZERO,
        };
        Some(self.vars.iter().map(value).collect())
    }

    /// The sample point, if it happens to be integer.
    pub fn integer_sample(&self) -> Option<Vec<Int>> {
        if self.empty {
            return None;
        }
        let value = |place: &Place| match *place {
            Place::Row(row) => {
                let row = self.row(row);
                let integer = row[1].mod_floor(&row[0]).is_zero();
                integer.then(|| row[1].div_exact(&row[0]).to_int())
            }
            _ => Some(Int::ZERO),
        };
        self.vars.iter().map(value).collect()
    }

    /// The value of an affine form at the sample point.
    pub fn sample_value(&self, form: &[T]) -> Result<Rational, Interrupt> {
        let mut row = vec![T::zero(); OFF + self.col_unknown.len()];
        self.express(form, &self.data, &mut row)?;
        Ok(Rational::new(row[1].to_int(), row[0].to_int()))
    }

    /// Row `row` of the tableau: denominator, constant, live columns.
    pub(super) fn row(&self, row: usize) -> &[T] {
        &self.data[row * self.stride..][..OFF + self.col_unknown.len()]
    }

    fn row_mut(&mut self, row: usize) -> &mut [T] {
        &mut self.data[row * self.stride..][..OFF + self.col_unknown.len()]
    }

    pub(super) fn row_value(&self, row: usize) -> Rational {
        let row = self.row(row);
        Rational::new(row[1].to_int(), row[0].to_int())
    }

    /// The sign of the sample value of a row.
    pub(super) fn row_sign(&self, row: usize) -> i32 {
        self.row(row)[1].sign()
    }

    /// The row of a constraint, if it is in a row.
    pub(super) fn con_row(&self, con: ConId) -> Option<usize> {
        match self.cons[con.0].place {
            Place::Row(row) => Some(row),
            _ => None,
        }
    }

    /// Expresses an affine form over the variables in the present columns, given the rows of the
    /// tableau; `row` is zero.
    fn express(&self, form: &[T], rows: &[T], row: &mut [T]) -> Result<(), Interrupt> {
        assert_eq!(form.len(), self.vars.len() + 1, "one coefficient per variable and a constant");
        row[0] = T::one();
        row[1] = form[0].clone();
        for (value, place) in form[1..].iter().zip(&self.vars) {
            if value.is_zero() {
                continue;
            }
            match *place {
                Place::Col(col) => {
                    let scaled = row[0].mul(value)?;
                    row[OFF + col] = row[OFF + col].add(&scaled)?;
                }
                Place::Row(other) => {
                    let other = &rows[other * self.stride..][..row.len()];
                    add_scaled_row(row, value, other)?;
                }
                Place::Zero | Place::Redundant => {}
            }
        }
        T::row_normalize(row);
        Ok(())
    }

    /// Adds a constraint unknown in a new row, whatever its sample value.
    pub(super) fn add_con(&mut self, form: &[T], kind: ConKind) -> Result<ConId, Interrupt> {
        let con = ConId(self.cons.len());
        let index = self.row_unknown.len();
        let mut data = std::mem::take(&mut self.data);
        data.resize((index + 1) * self.stride, T::zero());
        let (rows, row) = data.split_at_mut(index * self.stride);
        let expressed = self.express(form, rows, &mut row[..OFF + self.col_unknown.len()]);
        self.data = data;
        expressed?;
        self.row_unknown.push(Unknown::Con(con.0));
        self.cons.push(Con { place: Place::Row(index), kind });
        Ok(con)
    }

    pub(super) fn set_place(&mut self, unknown: Unknown, place: Place) {
        match unknown {
            Unknown::Var(var) => self.vars[var] = place,
            Unknown::Con(con) => self.cons[con].place = place,
        }
    }

    /// Drops a row; its unknown gets the given place.
    pub(super) fn drop_row(&mut self, row: usize, place: Place) {
        let last = self.row_unknown.len() - 1;
        self.set_place(self.row_unknown[row], place);
        if row != last {
            let (head, tail) = self.data.split_at_mut(last * self.stride);
            head[row * self.stride..(row + 1) * self.stride].swap_with_slice(&mut tail[..self.stride]);
            self.row_unknown.swap(row, last);
            self.set_place(self.row_unknown[row], Place::Row(row));
        }
        self.row_unknown.pop();
        self.data.truncate(last * self.stride);
    }

    /// Drops a column, whose unknown is the constant 0 from now on.
    pub(super) fn drop_col(&mut self, col: usize) {
        let last = self.col_unknown.len() - 1;
        self.set_place(self.col_unknown[col], Place::Zero);
        if col != last {
            for row in self.data.chunks_exact_mut(self.stride) {
                row.swap(OFF + col, OFF + last);
            }
            self.col_unknown.swap(col, last);
            self.set_place(self.col_unknown[col], Place::Col(col));
        }
        self.col_unknown.pop();
        for row in 0..self.row_unknown.len() {
            T::row_normalize(self.row_mut(row));
        }
    }

    /// Must the unknown not become negative?
    pub(super) fn is_restricted(&self, unknown: Unknown) -> bool {
        match unknown {
            Unknown::Var(_) => false,
            Unknown::Con(con) => self.cons[con].kind == ConKind::NonNeg,
        }
    }

    pub(super) fn is_fixed(&self, unknown: Unknown) -> bool {
        matches!(unknown, Unknown::Con(con) if self.cons[con].kind == ConKind::Fixed)
    }

    /// Makes the value of a constraint that was just added exactly 0 and tells whether its form was
    /// negated for that. If it is impossible the tableau is marked empty and the result is `None`.
    fn settle_at_zero(&mut self, con: ConId, budget: &mut Budget) -> Result<Option<bool>, Interrupt> {
        let row = self.con_row(con).expect("a new constraint is in a row");
        let negate = self.row_sign(row) > 0;
        if negate {
            for value in &mut self.row_mut(row)[1..] {
                *value = value.neg();
            }
        }
        if !self.restore(con, budget)? {
            self.empty = true;
            return Ok(None);
        }
        Ok(Some(negate))
    }

    /// Replaces the unknown of a column by its negative.
    fn negate_col(&mut self, col: usize) {
        for row in self.data.chunks_exact_mut(self.stride) {
            row[OFF + col] = row[OFF + col].neg();
        }
    }

    /// Moves the unknown of a row with value 0 into a column; false if the row is zero in all
    /// columns that it could be exchanged with.
    pub(super) fn move_to_column(&mut self, row: usize, budget: &mut Budget) -> Result<bool, Interrupt> {
        debug_assert_eq!(self.row_sign(row), 0, "the sample would change");
        let usable = |col: &usize| !self.row(row)[OFF + col].is_zero() && !self.is_fixed(self.col_unknown[*col]);
        let Some(col) = (0..self.col_unknown.len()).find(usable) else {
            return Ok(false);
        };
        self.pivot(row, col, budget)?;
        Ok(true)
    }

    /// Turns a constraint whose value is 0 into the constant 0.
    pub(super) fn drop_zero(&mut self, con: ConId, budget: &mut Budget) -> Result<(), Interrupt> {
        if let Some(row) = self.con_row(con)
            && !self.move_to_column(row, budget)?
        {
            self.drop_row(row, Place::Zero);
            return Ok(());
        }
        if let Place::Col(col) = self.cons[con.0].place {
            self.drop_col(col);
        }
        Ok(())
    }

    /// Exchanges the unknowns of a row and of a column.
    ///
    /// From `d y = c + a x + ..` follows `a x = -c + d y - ..`; that new row is inserted into every
    /// other row that uses `x`.
    pub(super) fn pivot(&mut self, row: usize, col: usize, budget: &mut Budget) -> Result<(), Interrupt> {
        let width = OFF + self.col_unknown.len();
        let weight = T::row_weight(&self.row(row)[..width]);
        budget.spend((1 + self.row_unknown.len() as u64) * weight)?;
        let (before, rest) = self.data.split_at_mut(row * self.stride);
        let (pivot_row, after) = rest.split_at_mut(self.stride);
        let pivot_row = &mut pivot_row[..width];
        solve_for(pivot_row, OFF + col);
        for other in before.chunks_exact_mut(self.stride).chain(after.chunks_exact_mut(self.stride)) {
            if !other[OFF + col].is_zero() {
                substitute(&mut other[..width], pivot_row, OFF + col)?;
            }
        }
        let (leaving, entering) = (self.row_unknown[row], self.col_unknown[col]);
        self.row_unknown[row] = entering;
        self.col_unknown[col] = leaving;
        self.set_place(entering, Place::Row(row));
        self.set_place(leaving, Place::Col(col));
        Ok(())
    }

    /// Checks the invariants; for debug assertions and tests.
    #[cfg(test)]
    pub(super) fn check_invariants(&self) {
        for (row, &unknown) in self.row_unknown.iter().enumerate() {
            assert!(self.row(row)[0].sign() > 0, "denominators are positive");
            let place = match unknown {
                Unknown::Var(var) => self.vars[var],
                Unknown::Con(con) => self.cons[con].place,
            };
            assert_eq!(place, Place::Row(row));
            if !self.empty && self.is_restricted(unknown) {
                assert!(self.row_sign(row) >= 0, "a nonnegative unknown is negative");
            }
        }
    }
}
