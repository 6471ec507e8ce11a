//! Several basic sets over one list of columns, for questions to the solver.
//!
//! Basic sets over a common prefix of dimensions have the same columns for the constant, the
//! parameters and the dimensions, but each has its own divs. A [`ConstraintSystem`] gives equal
//! divs one column and collects constraints of several sets, so that rows of one can be tested
//! against the constraints of others. Nothing is rewritten: a row keeps its coefficients, only div
//! columns move.
//!
//! Div definitions are compared as they are; the canonical form of basic sets makes equal divs look
//! equal. A missed pair costs precision of rational tests only: the bounds of every known div are
//! constraints of the system.

use poly_arith::{Coeff, Int};
use poly_presburger::solver::lp::{ConId, Grid};
use poly_presburger::solver::{IntOptimum, Interrupt, Optimum, System, Tableau, ilp_is_empty, ilp_min, lp_min, widen};
use poly_presburger::{BasicSet, Budget, Div, Row, Space, Stop};

/// The constraints of several basic sets over common columns.
#[derive(Clone, Debug)]
pub(crate) struct ConstraintSystem {
    /// Columns of the constant, the parameters and the dimensions.
    n_fixed: usize,
    /// The divs, behind the fixed columns; `None` is an existential without definition.
    divs: Vec<Option<Div>>,
    eqs: Vec<Row>,
    ineqs: Vec<Row>,
}

/// Asks something about each of the rows of a system; nothing if the system has no points.
type Query = fn(&System, &[Row], &mut Budget) -> Result<Option<Vec<bool>>, Interrupt>;

impl ConstraintSystem {
    /// No constraints over `n_fixed` columns (counting the constant).
    pub(crate) fn new(n_fixed: usize) -> ConstraintSystem {
        ConstraintSystem { n_fixed, divs: Vec::new(), eqs: Vec::new(), ineqs: Vec::new() }
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
        self.columns_at(set, (0..=n_var).collect())
    }

    /// As [`ConstraintSystem::columns`], where the constant, the parameters and the dimensions of
    /// `set` are at the given columns.
    pub(crate) fn columns_at(&mut self, set: &BasicSet, fixed: Vec<usize>) -> Vec<usize> {
        let mut map = fixed;
        for div in set.divs() {
            let moved =
                div.as_ref().map(|d| Div { denom: d.denom.clone(), num: self.place(&d.num[..map.len()], &map) });
            map.push(self.div_column(moved));
        }
        map
    }

    /// The column of a div.
    pub(crate) fn div_column(&mut self, div: Option<Div>) -> usize {
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

    /// A set without constraints that has the columns of this system, all divs of which must be
    /// known.
    pub(crate) fn carrier(&self, space: &Space) -> BasicSet {
        let mut carrier = BasicSet::universe(space.clone());
        assert_eq!(carrier.n_col(), self.n_fixed, "the space has the fixed columns");
        for div in &self.divs {
            let div = div.as_ref().expect("the divs are known");
            carrier.add_div(div.denom.clone(), div.num[..div.num.len().min(carrier.n_col())].to_vec());
        }
        carrier
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

    /// Which of some inequalities, considered together with the constraints here, hold with
    /// equality only. `None` if there are no points.
    pub(crate) fn equalities(&self, rows: &[Row], budget: &mut Budget) -> Result<Option<Vec<bool>>, Stop> {
        self.with_tableau(rows, budget, find_equalities::<i64>, find_equalities::<Int>)
    }

    /// Which of some inequalities are implied by the constraints here and the inequalities that
    /// stay: they are tested from the first to the last, and an implied one is taken out before the
    /// next is tested. `None` if there are no points.
    pub(crate) fn redundant(&self, rows: &[Row], budget: &mut Budget) -> Result<Option<Vec<bool>>, Stop> {
        self.with_tableau(rows, budget, find_redundant::<i64>, find_redundant::<Int>)
    }

    fn with_tableau(
        &self,
        rows: &[Row],
        budget: &mut Budget,
        narrow: Query,
        wide: Query,
    ) -> Result<Option<Vec<bool>>, Stop> {
        let system = self.system();
        let rows: Vec<Row> = rows.iter().map(|r| self.padded(r)).collect();
        widen(budget, |budget| narrow(&system, &rows, budget), |budget| wide(&system, &rows, budget))
    }

    /// The inequalities given, without those that define divs.
    pub(crate) fn given_ineqs(&self) -> &[Row] {
        &self.ineqs
    }
}

/// The tableau of a system and further inequalities, with the numbers of the latter.
fn tableau<T: Coeff>(
    system: &System,
    rows: &[Row],
    budget: &mut Budget,
) -> Result<(Tableau<T>, Vec<ConId>), Interrupt> {
    let mut tableau = Tableau::<T>::from_system(system, Grid::Integer, budget)?;
    let mut ids: Vec<ConId> = Vec::with_capacity(rows.len());
    for row in rows {
        ids.push(tableau.add_ineq(&T::row_from_ints(row)?, budget)?);
    }
    Ok((tableau, ids))
}

fn find_equalities<T: Coeff>(
    system: &System,
    rows: &[Row],
    budget: &mut Budget,
) -> Result<Option<Vec<bool>>, Interrupt> {
    let (mut tableau, ids) = tableau::<T>(system, rows, budget)?;
    tableau.detect_implicit_equalities(budget)?;
    Ok((!tableau.is_empty()).then(|| ids.into_iter().map(|con| tableau.is_equality(con)).collect()))
}

/// Detection of equalities must not come before: on the integer grid it adds to the tableau what
/// only follows from the constraints together.
fn find_redundant<T: Coeff>(
    system: &System,
    rows: &[Row],
    budget: &mut Budget,
) -> Result<Option<Vec<bool>>, Interrupt> {
    let (mut tableau, ids) = tableau::<T>(system, rows, budget)?;
    if tableau.is_empty() {
        return Ok(None);
    }
    let redundant: Result<Vec<bool>, Interrupt> =
        ids.into_iter().map(|con| tableau.detect_redundant_con(con, budget)).collect();
    Ok(Some(redundant?))
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
