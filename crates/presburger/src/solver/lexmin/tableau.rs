//! The tableau of the lexicographic dual simplex method, with symbolic constants.
//!
//! **Unknowns.** Variables `x_1, .., x_n` and slacks of constraints; *all* are nonnegative. Each is
//! in a row or in a column. A row is
//!
//! ```text
//! [d | c, s_1, .., s_k | a_1, .., a_m]     meaning     (c + s . S + a . y) / d
//! ```
//!
//! with `d > 0`, symbols `S` (parameters; none for plain integer programming) and the unknowns `y`
//! of the columns. The *sample* is the point where all column unknowns are 0; it is a function of
//! the symbols.
//!
//! **Invariant (lexicographic positivity).** For each column the vector of its elements in the rows
//! of `x_1, .., x_n`, in this order, is lexicographically positive, where a variable that is itself
//! in a column counts as its unit row. Hence the sample is lexicographically smaller than every
//! other point with `y >= 0`: it is the lexicographic minimum as soon as it is nonnegative.
//!
//! **Pivot.** For a row with negative sample value the column is chosen among those with a positive
//! element `a_j` such that (column `j`) / `a_j` is lexicographically smallest. This keeps the
//! invariant, and the sample grows lexicographically, hence termination. If no element is positive
//! the row cannot become nonnegative.
//!
//! **Equalities** are eliminated at the start, while all columns belong to variables: the row is
//! exchanged with the *last* variable in it, whose column is then dropped. The other columns keep
//! their leading 1.
//!
//! References: \[Feautrier1988\], \[Gomory1963\].

use std::cmp::Ordering;

use poly_arith::{Coeff, Int};

use super::super::Interrupt;
use super::super::lp::{add_scaled_row, solve_for, substitute};
use crate::budget::Budget;

/// Where a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Row(usize),
    Col(usize),
}

/// A lexicographic tableau; see the module documentation.
#[derive(Clone, Debug)]
pub(crate) struct LexTableau<T> {
    n_symbol: usize,
    n_col: usize,
    /// Length of a row in `data`.
    stride: usize,
    data: Vec<T>,
    /// The variable of each row, `None` for slacks.
    row_var: Vec<Option<usize>>,
    /// The variable of each column, `None` for slacks.
    col_var: Vec<Option<usize>>,
    vars: Vec<Place>,
}

impl<T: Coeff> LexTableau<T> {
    /// A tableau of `n_var` variables in columns, with room for `n_row` rows.
    pub(crate) fn new(n_symbol: usize, n_var: usize, n_row: usize) -> LexTableau<T> {
        let stride = 2 + n_symbol + n_var;
        LexTableau {
            n_symbol,
            n_col: n_var,
            stride,
            data: Vec::with_capacity(stride * (n_row + 8)),
            row_var: Vec::new(),
            col_var: (0..n_var).map(Some).collect(),
            vars: (0..n_var).map(Place::Col).collect(),
        }
    }

    /// The index of the first column element in a row.
    pub(crate) fn first_col(&self) -> usize {
        2 + self.n_symbol
    }

    /// The number of variables.
    pub(crate) fn n_var(&self) -> usize {
        self.vars.len()
    }

    /// The number of rows.
    pub(crate) fn n_row(&self) -> usize {
        self.row_var.len()
    }

    /// A row; see the module documentation for the layout.
    pub(crate) fn row(&self, row: usize) -> &[T] {
        &self.data[row * self.stride..][..2 + self.n_symbol + self.n_col]
    }

    /// A row, to be changed.
    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [T] {
        &mut self.data[row * self.stride..][..2 + self.n_symbol + self.n_col]
    }

    /// The variable of a row, if it belongs to one.
    pub(crate) fn row_var(&self, row: usize) -> Option<usize> {
        self.row_var[row]
    }

    /// The row of a variable, if it is in one; otherwise its sample value is 0.
    pub(crate) fn var_row(&self, var: usize) -> Option<usize> {
        match self.vars[var] {
            Place::Row(row) => Some(row),
            Place::Col(_) => None,
        }
    }

    /// Adds a symbol, after the others, that no row uses yet.
    pub(crate) fn add_symbol(&mut self) {
        let at = 2 + self.n_symbol;
        let mut data = Vec::with_capacity((self.stride + 1) * self.n_row());
        for row in self.data.chunks_exact(self.stride) {
            data.extend_from_slice(&row[..at]);
            data.push(T::zero());
            data.extend_from_slice(&row[at..]);
        }
        self.data = data;
        self.stride += 1;
        self.n_symbol += 1;
    }

    /// The affine form `[c, symbols, variables]` as a row over the present columns.
    pub(crate) fn express(&self, form: &[T]) -> Result<Vec<T>, Interrupt> {
        debug_assert_eq!(form.len(), 1 + self.n_symbol + self.vars.len());
        let first_col = self.first_col();
        let mut row = vec![T::zero(); first_col + self.n_col];
        row[0] = T::one();
        row[1..first_col].clone_from_slice(&form[..first_col - 1]);
        for (value, place) in form[first_col - 1..].iter().zip(&self.vars) {
            if value.is_zero() {
                continue;
            }
            match *place {
                Place::Col(col) => {
                    let scaled = row[0].mul(value)?;
                    row[first_col + col] = row[first_col + col].add(&scaled)?;
                }
                Place::Row(other) => add_scaled_row(&mut row, value, self.row(other))?,
            }
        }
        T::row_normalize(&mut row);
        Ok(row)
    }

    /// Appends the row of a constraint.
    pub(crate) fn push_row(&mut self, row: Vec<T>) {
        debug_assert_eq!(row.len(), 2 + self.n_symbol + self.n_col);
        let index = self.row_var.len();
        self.data.extend(row);
        self.data.resize((index + 1) * self.stride, T::zero());
        self.row_var.push(None);
        T::row_normalize(self.row_mut(index));
    }

    /// Drops the row of a constraint that is known to stay satisfied.
    pub(crate) fn drop_row(&mut self, row: usize) {
        debug_assert!(self.row_var[row].is_none(), "variables are not dropped");
        let last = self.row_var.len() - 1;
        if row != last {
            let (head, tail) = self.data.split_at_mut(last * self.stride);
            head[row * self.stride..(row + 1) * self.stride].swap_with_slice(&mut tail[..self.stride]);
            self.row_var.swap(row, last);
            if let Some(var) = self.row_var[row] {
                self.vars[var] = Place::Row(row);
            }
        }
        self.row_var.pop();
        self.data.truncate(last * self.stride);
    }

    /// The column of the last variable that occurs in a row over the present columns. All columns
    /// must still belong to variables.
    pub(crate) fn last_var_col(&self, row: &[T]) -> Option<usize> {
        let first_col = self.first_col();
        (0..self.n_col)
            .filter(|&col| !row[first_col + col].is_zero())
            .max_by_key(|&col| self.col_var[col].expect("no slack has entered a column yet"))
    }

    /// Makes the row 0 by eliminating the variable of `col`, given by
    /// [`LexTableau::last_var_col`].
    pub(crate) fn eliminate_equality(&mut self, row: Vec<T>, col: usize, budget: &mut Budget) -> Result<(), Interrupt> {
        self.push_row(row);
        self.pivot(self.n_row() - 1, col, budget)?;
        debug_assert!(self.col_var[col].is_none(), "the slack of the equality is in the column");
        self.drop_col(col);
        Ok(())
    }

    /// Drops a column, whose unknown, a slack, is 0 from now on.
    fn drop_col(&mut self, col: usize) {
        let last = self.n_col - 1;
        let first_col = self.first_col();
        for row in self.data.chunks_exact_mut(self.stride) {
            row.swap(first_col + col, first_col + last);
        }
        self.col_var.swap_remove(col);
        self.n_col = last;
        if let Some(Some(var)) = self.col_var.get(col) {
            self.vars[*var] = Place::Col(col);
        }
        for row in 0..self.n_row() {
            T::row_normalize(self.row_mut(row));
        }
    }

    /// Among the rows with a negative sample value (without symbols) the one whose pivot makes the
    /// sample grow most, lexicographically, and the column to pivot with. The column is `None` if
    /// some row cannot become nonnegative; the result is `None` if no row is negative.
    ///
    /// Any negative row would do. Large steps take several times fewer pivots than the first or the
    /// most negative row.
    pub(crate) fn steepest_row(&self) -> Option<(usize, Option<usize>)> {
        let mut best: Option<(usize, usize)> = None;
        for row in 0..self.n_row() {
            if self.row(row)[1].sign() >= 0 {
                continue;
            }
            let Some(col) = self.lex_pivot_col(row) else {
                return Some((row, None));
            };
            if best.is_none_or(|best| self.is_larger_step((row, col), best)) {
                best = Some((row, col));
            }
        }
        best.map(|(row, col)| (row, Some(col)))
    }

    /// Does the first pivot increase the sample lexicographically more than the second? The step
    /// of a pivot is the column times `|c| / a`. A comparison that overflows counts as no: this
    /// only guides the choice.
    fn is_larger_step(&self, (r1, c1): (usize, usize), (r2, c2): (usize, usize)) -> bool {
        let first_col = self.first_col();
        let (row1, row2) = (self.row(r1), self.row(r2));
        let scale1 = row1[1].abs().mul(&row2[first_col + c2]);
        let scale2 = row2[1].abs().mul(&row1[first_col + c1]);
        let (Ok(scale1), Ok(scale2)) = (scale1, scale2) else {
            return false;
        };
        self.cmp_columns(c1, &scale2, c2, &scale1).is_gt()
    }

    /// The column to pivot with so that the row grows and the invariant is kept; `None` if the row
    /// has no positive element.
    pub(crate) fn lex_pivot_col(&self, row: usize) -> Option<usize> {
        let elements = &self.row(row)[self.first_col()..];
        let mut best: Option<usize> = None;
        for col in 0..self.n_col {
            if elements[col].sign() <= 0 {
                continue;
            }
            let smaller = best.is_none_or(|best| self.cmp_columns(col, &elements[col], best, &elements[best]).is_lt());
            if smaller {
                best = Some(col);
            }
        }
        best
    }

    /// Compares (column `j`) / `a_j` with (column `k`) / `a_k` lexicographically, for positive
    /// `a_j` and `a_k`.
    fn cmp_columns(&self, j: usize, a_j: &T, k: usize, a_k: &T) -> Ordering {
        if j == k {
            return a_k.cmp(a_j);
        }
        let first_col = self.first_col();
        for place in &self.vars {
            let ordering = match *place {
                Place::Col(col) if col == j => Ordering::Greater,
                Place::Col(col) if col == k => Ordering::Less,
                Place::Col(_) => Ordering::Equal,
                Place::Row(row) => {
                    let row = self.row(row);
                    T::cmp_products(&row[first_col + j], a_k, &row[first_col + k], a_j)
                }
            };
            if ordering != Ordering::Equal {
                return ordering;
            }
        }
        unreachable!("two columns cannot be proportional: the variables determine the unknowns")
    }

    /// Exchanges the unknowns of a row and of a column.
    pub(crate) fn pivot(&mut self, row: usize, col: usize, budget: &mut Budget) -> Result<(), Interrupt> {
        let (at, width) = (self.first_col() + col, self.first_col() + self.n_col);
        let weight = T::row_weight(&self.row(row)[..width]);
        budget.spend((1 + self.n_row() as u64) * weight)?;
        let (before, rest) = self.data.split_at_mut(row * self.stride);
        let (pivot_row, after) = rest.split_at_mut(self.stride);
        let pivot_row = &mut pivot_row[..width];
        solve_for(pivot_row, at);
        for other in before.chunks_exact_mut(self.stride).chain(after.chunks_exact_mut(self.stride)) {
            if !other[at].is_zero() {
                substitute(&mut other[..width], pivot_row, at)?;
            }
        }
        std::mem::swap(&mut self.row_var[row], &mut self.col_var[col]);
        if let Some(var) = self.row_var[row] {
            self.vars[var] = Place::Row(row);
        }
        if let Some(var) = self.col_var[col] {
            self.vars[var] = Place::Col(col);
        }
        Ok(())
    }

    /// The row of the first variable whose sample value, without symbols, is not an integer.
    pub(crate) fn first_fractional_row(&self) -> Option<usize> {
        (0..self.vars.len()).filter_map(|var| self.var_row(var)).find(|&row| {
            let elements = self.row(row);
            !elements[1].mod_floor(&elements[0]).is_zero()
        })
    }

    /// The sample, known to be integer and free of symbols.
    pub(crate) fn integer_point(&self) -> Vec<Int> {
        let value = |var| match self.var_row(var) {
            None => Int::ZERO,
            Some(row) => {
                let elements = self.row(row);
                elements[1].div_exact(&elements[0]).to_int()
            }
        };
        (0..self.vars.len()).map(value).collect()
    }
}
