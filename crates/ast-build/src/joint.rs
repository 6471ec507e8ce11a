//! Several basic sets over one list of columns, for questions to the solver.
//!
//! Basic sets over a common prefix of dimensions have the same columns for the constant, the
//! parameters and the dimensions, but each has its own divs. A [`Joint`] gives equal divs one
//! column and collects constraints of several sets, so that rows of one can be tested against the
//! constraints of others. Nothing is rewritten: a row keeps its coefficients, only div columns move.
//!
//! Div definitions are compared as they are; the canonical form of basic sets makes equal divs look
//! equal. A missed pair costs precision of rational tests only: the bounds of every known div are
//! constraints of the system.

use poly_arith::{Coeff, Int};
use poly_presburger::solver::lp::{ConId, Grid};
use poly_presburger::solver::{
    IntOptimum, Interrupt, Optimum, System, Tableau, ilp_is_empty, ilp_min, lp_min, widen,
};
use poly_presburger::{BasicSet, Budget, Div, Row, Stop};

/// The constraints of several basic sets over common columns.
#[derive(Clone, Debug)]
pub(crate) struct Joint {
    /// Columns of the constant, the parameters and the dimensions.
    n_fixed: usize,
    /// The divs, behind the fixed columns; `None` is an existential without definition.
    divs: Vec<Option<Div>>,
    eqs: Vec<Row>,
    ineqs: Vec<Row>,
}

/// What a redundancy test found out about candidate rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The row says something.
    Needed,
    /// The row is implied.
    Implied,
    /// The row holds with equality only.
    Equality,
}

impl Joint {
    /// No constraints over `n_fixed` columns (counting the constant).
    pub(crate) fn new(n_fixed: usize) -> Joint {
        Joint { n_fixed, divs: Vec::new(), eqs: Vec::new(), ineqs: Vec::new() }
    }

    fn n_col(&self) -> usize {
        self.n_fixed + self.divs.len()
    }

    /// Add the constraints of `set`; returns where its columns are.
    pub(crate) fn constrain(&mut self, set: &BasicSet) -> Vec<usize> {
        let map = self.columns(set);
        self.constrain_at(set, &map);
        map
    }

    /// Add the constraints of `set`, whose columns are at `map`.
    pub(crate) fn constrain_at(&mut self, set: &BasicSet, map: &[usize]) {
        let eqs: Vec<Row> = set.eqs().iter().map(|r| self.place(r, map)).collect();
        let ineqs: Vec<Row> = set.ineqs().iter().map(|r| self.place(r, map)).collect();
        self.eqs.extend(eqs);
        self.ineqs.extend(ineqs);
    }

    /// Columns for the divs of `set`, without its constraints; returns where its columns are.
    pub(crate) fn columns(&mut self, set: &BasicSet) -> Vec<usize> {
        let n_var = set.n_var();
        assert!(n_var < self.n_fixed, "the set has more dimensions than the columns");
        let mut map: Vec<usize> = (0..=n_var).collect();
        for div in set.divs() {
            let moved = div.as_ref().map(|d| Div { denom: d.denom.clone(), num: self.place(&d.num[..map.len()], &map) });
            map.push(self.div_column(moved));
        }
        map
    }

    fn div_column(&mut self, div: Option<Div>) -> usize {
        let same = |known: &Option<Div>| match (known, &div) {
            (Some(a), Some(b)) => a.denom == b.denom && equal_up_to_zeros(&a.num, &b.num),
            _ => false,
        };
        let at = self.divs.iter().position(same).unwrap_or_else(|| {
            self.divs.push(div.clone());
            self.divs.len() - 1
        });
        self.n_fixed + at
    }

    /// A row of a set whose columns are at `map`.
    pub(crate) fn place(&self, row: &[Int], map: &[usize]) -> Row {
        let mut placed = vec![Int::ZERO; self.n_col()];
        for (value, &col) in row.iter().zip(map) {
            if !value.is_zero() {
                placed[col] = value.clone();
            }
        }
        placed
    }

    /// Add `row = 0`.
    pub(crate) fn add_eq(&mut self, row: Row) {
        self.eqs.push(row);
    }

    /// Add `row >= 0`.
    pub(crate) fn add_ineq(&mut self, row: Row) {
        self.ineqs.push(row);
    }

    /// The constraints as a system, with the bounds of the known divs.
    pub(crate) fn system(&self) -> System {
        let n_col = self.n_col();
        let padded = |row: &Row| {
            let mut row = row.clone();
            row.resize(n_col, Int::ZERO);
            row
        };
        let mut system = System::new(n_col - 1);
        system.eqs = self.eqs.iter().map(padded).collect();
        system.ineqs = self.ineqs.iter().map(padded).collect();
        for (i, div) in self.divs.iter().enumerate() {
            let Some(div) = div else { continue };
            let mut upper = padded(&div.num);
            upper[self.n_fixed + i] = -&div.denom;
            let mut lower: Row = upper.iter().map(|x| -x).collect();
            lower[0] += &(&div.denom - &Int::ONE);
            system.ineqs.extend([upper, lower]);
        }
        system
    }

    fn padded(&self, row: &[Int]) -> Row {
        let mut row = row.to_vec();
        row.resize(self.n_col(), Int::ZERO);
        row
    }

    /// Is there no integer point?
    pub(crate) fn is_empty(&self, budget: &mut Budget) -> Result<bool, Stop> {
        ilp_is_empty(&self.system(), budget)
    }

    /// The rational minimum of a form.
    pub(crate) fn minimum(&self, row: &[Int], budget: &mut Budget) -> Result<Optimum, Stop> {
        lp_min(&self.system(), &self.padded(row), budget)
    }

    /// The integer minimum of a form.
    pub(crate) fn integer_minimum(&self, row: &[Int], budget: &mut Budget) -> Result<IntOptimum, Stop> {
        ilp_min(&self.system(), &self.padded(row), budget)
    }

    /// Is `row >= 0` at all integer points?
    pub(crate) fn implies(&self, row: &[Int], budget: &mut Budget) -> Result<bool, Stop> {
        match self.minimum(row, budget)? {
            Optimum::Empty => return Ok(true),
            Optimum::Bounded(value) if value.ceil() >= Int::ZERO => return Ok(true),
            Optimum::Bounded(_) | Optimum::Unbounded => {}
        }
        let mut violated = self.clone();
        violated.add_ineq(complement(row));
        violated.is_empty(budget)
    }

    /// Is `row = 0` at all integer points?
    pub(crate) fn implies_zero(&self, row: &[Int], budget: &mut Budget) -> Result<bool, Stop> {
        let negated: Row = row.iter().map(|x| -x).collect();
        Ok(self.implies(row, budget)? && self.implies(&negated, budget)?)
    }

    /// Test inequalities (`rows`, to be considered together with the constraints here) from the
    /// first to the last: an implied one is taken out before the next is tested. `None` if
    /// constraints and rows have no (rational) point.
    pub(crate) fn test_rows(&self, rows: &[Row], budget: &mut Budget) -> Result<Option<Vec<Fate>>, Stop> {
        let system = self.system();
        let rows: Vec<Row> = rows.iter().map(|r| self.padded(r)).collect();
        widen(
            budget,
            |budget| test_rows::<i64>(&system, &rows, budget),
            |budget| test_rows::<Int>(&system, &rows, budget),
        )
    }
}

fn test_rows<T: Coeff>(system: &System, rows: &[Row], budget: &mut Budget) -> Result<Option<Vec<Fate>>, Interrupt> {
    let mut tableau = Tableau::<T>::from_system(system, Grid::Integer, budget)?;
    let mut ids: Vec<ConId> = Vec::with_capacity(rows.len());
    for row in rows {
        ids.push(tableau.add_ineq(&T::row_from_ints(row)?, budget)?);
    }
    tableau.detect_implicit_equalities(budget)?;
    if tableau.is_empty() {
        return Ok(None);
    }
    let mut fates = Vec::with_capacity(rows.len());
    for con in ids {
        fates.push(if tableau.is_equality(con) {
            Fate::Equality
        } else if tableau.detect_redundant_con(con, budget)? {
            Fate::Implied
        } else {
            Fate::Needed
        });
    }
    Ok(Some(fates))
}

/// `-row - 1`: holds (as `>= 0`) where `row >= 0` does not.
pub(crate) fn complement(row: &[Int]) -> Row {
    let mut row: Row = row.iter().map(|x| -x).collect();
    row[0] -= &Int::ONE;
    row
}

fn equal_up_to_zeros(a: &[Int], b: &[Int]) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    short == &long[..short.len()] && long[short.len()..].iter().all(Int::is_zero)
}
