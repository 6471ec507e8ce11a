//! From a conjunction with known divisions to a full-dimensional parametric polytope without
//! equalities.
//!
//! Let `P` be the parameters (for a relation also the dimensions of the domain) and `X` what is
//! counted.
//!
//! 1. Every known division has one value for each point, so it can be counted along: the number of
//!    points is that of the integer points over all columns. Divisions of parameters only join `P`,
//!    the others `X`.
//! 2. The integer solutions of the equalities, the implicit ones included, are an affine lattice.
//!    In Hermite normal form, `P` before `X`, its basis has the shape `[B 0; * C]`: the coordinates
//!    `t` of the columns with a pivot in `P` are functions of `P` alone, and those of the others,
//!    `z`, are free for each `t`. So for the values of `P` in the lattice `{ o + B t }` the number
//!    sought is that of the integer points `z`, and zero for all other values.
//! 3. The inequalities over `(t, z)` are divided by the gcd of their coefficients, constants
//!    rounded down, and redundant ones go. If this makes an inequality an implicit equality, step 2
//!    is repeated with a lattice of lower rank.
//!
//! Steps 2 and 3 are the canonical form of a Z-polyhedron (`poly_presburger::zpoly`). What remains
//! has interior points, over the rationals, and no equality relates the coordinates
//! \[Verdoolaege2007\].

use std::sync::Arc;

use poly_arith::Int;
use poly_linalg::vector;
use poly_presburger::solver::System;
use poly_presburger::zpoly::ZPolyhedron;
use poly_presburger::zpoly::lattice::Fraction;
use poly_presburger::{BasicMap, BasicSet, Budget, DimKind, Row, Set, Space, Stop};

use crate::polynomial::Polynomial;
use crate::quasi::QuasiPolynomial;
use crate::quasi::floors::Floors;

/// A parametric polytope `{ z : rows . [1, t, z] >= 0 }` with interior points in the space of
/// `(t, z)`.
#[derive(Clone, Debug)]
pub(crate) struct Parametric {
    /// Number of parameters `t`.
    pub(crate) n_param: usize,
    /// Number of variables `z`.
    pub(crate) n_var: usize,
    /// The constraints over `[1 | t | z]`.
    pub(crate) rows: Vec<Row>,
}

/// What the parameters `t` are in terms of the columns `P`.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// The set or parameter space whose dimensions are the first columns of `P`.
    space: Arc<Space>,
    /// The divisions that follow them: denominator, and numerator over `[1 | P]`.
    divs: Vec<(Int, Row)>,
    /// The parameters as affine forms over `[1 | P]`, integer on the lattice.
    forms: Vec<Fraction>,
    /// The equations over `[1 | P]` of the space that the lattice spans.
    span: Vec<Row>,
}

/// The columns of a basic map in the order `[P | X]`.
struct Order {
    /// The old columns (from 0, without the constant) in their new order.
    columns: Vec<usize>,
    /// Number of divisions of parameters only.
    n_param_div: usize,
}

impl Order {
    fn of(basic: &BasicMap) -> Order {
        let first_out = basic.offset(DimKind::Out) - 1;
        let first_div = basic.offset(DimKind::Div) - 1;
        let mut is_param: Vec<bool> = (0..basic.n_col() - 1).map(|column| column < first_out).collect();
        for (k, div) in basic.divs().iter().enumerate() {
            let div = div.as_ref().expect("divisions have definitions");
            is_param[first_div + k] =
                div.num[1..].iter().zip(&is_param[..]).all(|(x, is_param)| x.is_zero() || *is_param);
        }
        let param_divs = (first_div..is_param.len()).filter(|&column| is_param[column]);
        let n_param_div = param_divs.clone().count();
        let others = (first_out..is_param.len()).filter(|&column| !is_param[column]);
        Order { columns: (0..first_out).chain(param_divs).chain(others).collect(), n_param_div }
    }

    fn row(&self, row: &[Int]) -> Row {
        std::iter::once(0).chain(self.columns.iter().map(|column| column + 1)).map(|i| row[i].clone()).collect()
    }
}

/// A conjunction as a polytope.
#[derive(Clone, Debug)]
pub(crate) struct Lifted {
    /// The polytope.
    pub(crate) polytope: Parametric,
    /// What its parameters are.
    pub(crate) origin: Origin,
    /// The columns of the conjunction after the constant, as integer forms over `[1 | t | z]`.
    pub(crate) columns: Vec<Row>,
}

/// Steps 1 to 3 for a basic map with known divisions; `None` if it has no point.
pub(crate) fn lift(basic: &BasicMap, space: &Arc<Space>, budget: &mut Budget) -> Result<Option<Lifted>, Stop> {
    let order = Order::of(basic);
    let plain = basic.to_system();
    let system = System {
        n: plain.n,
        eqs: plain.eqs.iter().map(|row| order.row(row)).collect(),
        ineqs: plain.ineqs.iter().map(|row| order.row(row)).collect(),
    };
    let n_plain = space.n_var();
    let n_p = n_plain + order.n_param_div;
    let definition = |column: &usize| {
        let div = basic.divs()[column + 1 - basic.offset(DimKind::Div)].as_ref().expect("divisions have definitions");
        (div.denom.clone(), order.row(&div.num)[..=n_p].to_vec())
    };
    let divs = order.columns[n_plain..n_p].iter().map(definition).collect();
    budget.spend((system.n * system.n) as u64)?;
    let Some(points) = ZPolyhedron::from_system(&system, budget)? else { return Ok(None) };
    let parameters = points.lattice().project(0, n_p);
    let (forms, span) = (parameters.coordinate_forms(), parameters.span());
    let (n_param, n_var) = (forms.len(), points.lattice().rank() - forms.len());
    let origin = Origin { space: Arc::clone(space), divs, forms, span };
    let mut columns = vec![Row::new(); system.n];
    for (position, &column) in order.columns.iter().enumerate() {
        let basis = points.lattice().basis().iter().map(|vector| vector[position].clone());
        columns[column] = std::iter::once(points.lattice().origin()[position].clone()).chain(basis).collect();
    }
    let polytope = Parametric { n_param, n_var, rows: points.ineqs().to_vec() };
    Ok(Some(Lifted { polytope, origin, columns }))
}

/// A row over coordinates as a row over the original columns, multiplied by a positive integer.
fn substitute(row: &[Int], forms: &[Fraction], n: usize) -> (Row, Int) {
    let used = row[1..].iter().zip(forms).filter(|(x, _)| !x.is_zero());
    let denom = used.clone().fold(Int::ONE, |denom, (_, form)| denom.lcm(&form.denom));
    let mut result = vec![Int::ZERO; n + 1];
    result[0] = &row[0] * &denom;
    for (x, form) in used {
        vector::add_multiple(&mut result, &(x * &denom.div_exact(&form.denom)), &form.row);
    }
    (result, denom)
}

impl Parametric {
    /// Whether for all parameters there are finitely many integer points: the recession cone is
    /// trivial.
    pub(crate) fn is_bounded(&self, budget: &mut Budget) -> Result<bool, Stop> {
        let normals: Vec<Row> = self.rows.iter().map(|row| row[1 + self.n_param..].to_vec()).collect();
        let cone = poly_presburger::solver::cone::generators(self.n_var, &[], &normals, budget)?;
        Ok(cone.lines.is_empty() && cone.rays.is_empty())
    }

    /// Polytopes of which this one is the product for each value of the parameters: variables that
    /// no chain of constraints connects are independent. Constraints on the parameters alone belong
    /// to each of them.
    pub(crate) fn factors(&self) -> Vec<Parametric> {
        let first = 1 + self.n_param;
        // The factor of each variable, named by one of its variables.
        let mut factor_of: Vec<usize> = (0..self.n_var).collect();
        for row in &self.rows {
            let used: Vec<usize> = (0..self.n_var).filter(|&i| !row[first + i].is_zero()).collect();
            let Some(&one) = used.first() else { continue };
            let (name, joined): (usize, Vec<usize>) = (factor_of[one], used.iter().map(|&i| factor_of[i]).collect());
            factor_of.iter_mut().filter(|name| joined.contains(name)).for_each(|other| *other = name);
        }
        let mut names = factor_of.clone();
        names.sort_unstable();
        names.dedup();
        if names.len() <= 1 {
            return vec![self.clone()];
        }
        names.into_iter().map(|name| self.factor(|i| factor_of[i] == name)).collect()
    }

    /// The polytope of some variables.
    fn factor(&self, is_own: impl Fn(usize) -> bool) -> Parametric {
        let first = 1 + self.n_param;
        let fits = |row: &&Row| (0..self.n_var).all(|i| is_own(i) || row[first + i].is_zero());
        let cut = |row: &Row| -> Row {
            let own = (0..self.n_var).filter(|&i| is_own(i)).map(|i| row[first + i].clone());
            row[..first].iter().cloned().chain(own).collect()
        };
        Parametric {
            n_param: self.n_param,
            n_var: (0..self.n_var).filter(|&i| is_own(i)).count(),
            rows: self.rows.iter().filter(fits).map(cut).collect(),
        }
    }
}

impl Origin {
    /// The space of the domain.
    pub(crate) fn space(&self) -> &Arc<Space> {
        &self.space
    }

    fn n_p(&self) -> usize {
        self.space.n_var() + self.divs.len()
    }

    /// The points where the parameters are in the lattice and satisfy the rows over `[1 | t]`.
    pub(crate) fn domain(&self, rows: &[Row], budget: &mut Budget) -> Result<Set, Stop> {
        let mut domain = BasicSet::universe(Arc::clone(&self.space));
        for (denom, num) in &self.divs {
            let n = domain.n_col();
            domain.add_div(denom.clone(), num[..n].to_vec());
        }
        self.span.iter().for_each(|row| domain.add_eq(row.clone()));
        for row in rows {
            domain.add_ineq(substitute(row, &self.forms, self.n_p()).0);
        }
        for form in self.forms.iter().filter(|form| !form.denom.is_one()) {
            let column = domain.add_div(form.denom.clone(), form.row.clone());
            let mut row = form.row.clone();
            row.resize(domain.n_col(), Int::ZERO);
            row[column] = -&form.denom;
            domain.add_eq(row);
        }
        domain.simplify(budget)?;
        if domain.is_empty(budget)? {
            return Ok(Set::empty(Arc::clone(&self.space)));
        }
        domain.remove_redundancies(budget)?;
        Ok(Set::from_basic(domain))
    }

    /// A polynomial in the parameters `t` and in divisions of them as a quasi-polynomial over the
    /// space.
    pub(crate) fn pull_back(
        &self,
        floors: &Floors,
        polynomial: &Polynomial,
        budget: &mut Budget,
    ) -> Result<QuasiPolynomial, Stop> {
        let mut table = Floors::new(self.space.n_var());
        let mut columns: Vec<Row> = (0..=self.space.n_var()).map(|column| table.unit(column)).collect();
        for (denom, num) in &self.divs {
            let num = Floors::translate(&num[..columns.len()], &columns);
            columns.push(table.floor(&num, denom));
        }
        let mut forms: Vec<Fraction> = Vec::with_capacity(self.forms.len() + floors.list().len());
        for form in &self.forms {
            forms.push(Fraction { row: Floors::translate(&form.row, &columns), denom: form.denom.clone() });
        }
        for floor in floors.list() {
            let n = table.n_col() - 1;
            forms.iter_mut().for_each(|form| form.row.resize(n + 1, Int::ZERO));
            let (num, denom) = substitute(&floor.num, &forms, n);
            let row = table.floor(&num, &(&denom * &floor.denom));
            forms.push(Fraction { row, denom: Int::ONE });
        }
        let images: Vec<Polynomial> = forms.iter().map(|form| Polynomial::affine(&form.row, &form.denom)).collect();
        let polynomial = polynomial.substitute(&images, budget)?;
        QuasiPolynomial { space: Arc::clone(&self.space), floors: table, polynomial }.canonical_within(budget)
    }
}
