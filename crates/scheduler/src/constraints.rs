//! Constraints of edges on the unknown coefficients of one schedule dimension.
//!
//! With the cone of an edge (see [`crate::cone`]) and `d = sink row - source row`:
//!
//! * legality: `d >= 0`;
//! * bound: `u . n + w - d >= 0`, and for edges without order also `u . n + w + d >= 0`; reuse
//!   edges have a bound of their own, so that reuse does not cost parallelism, unless fusion is all
//!   that counts;
//! * carrying: `d - e >= 0` with `e` in `[0, 1]`.
//!
//! Where all pairs of an edge within one statement have the same distance vector `t`, `d = c . t`
//! and no lemma is needed.

use std::collections::BTreeSet;

use poly_arith::Int;
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::solver::System;
use poly_presburger::{BasicMap, DimKind};

use crate::edge::{Edge, Role};
use crate::layout::{Layout, SUM_U, SUM_V, Unknown, W, X};

/// So many entries of rows that are read or written count as one operation.
const ENTRIES: usize = 8;

/// The form `scale * (sink row - source row) + extra` that has to be non-negative.
struct Form<'a> {
    /// 1 or -1.
    scale: Int,
    /// Variables with the factor 1 or -1 that are added to the constant.
    constants: Vec<(usize, Int)>,
    /// The variables that are added to the coefficient of each parameter.
    parameters: Option<&'a dyn Fn(usize) -> usize>,
}

/// Collects constraints without repetition.
#[derive(Debug)]
pub(crate) struct Collector<'a> {
    pub(crate) layout: &'a Layout,
    eqs: BTreeSet<Vec<Int>>,
    ineqs: BTreeSet<Vec<Int>>,
}

impl<'a> Collector<'a> {
    /// Nothing collected yet.
    pub(crate) fn new(layout: &'a Layout) -> Collector<'a> {
        Collector { layout, eqs: BTreeSet::new(), ineqs: BTreeSet::new() }
    }

    /// The system of the layout with everything that was collected.
    pub(crate) fn finish(self) -> System {
        let mut system = self.layout.system();
        system.eqs.extend(self.eqs);
        system.ineqs.extend(self.ineqs);
        system
    }

    /// Sources do not come after their sinks.
    pub(crate) fn add_legality(&mut self, edge: &Edge, budget: &mut Budget) -> Result<(), Stop> {
        if edge.is_ordering() {
            self.add(edge, &Form { scale: Int::ONE, constants: Vec::new(), parameters: None }, budget)?;
        }
        Ok(())
    }

    /// Sinks do not come after their sources either.
    pub(crate) fn add_zero(&mut self, edge: &Edge, budget: &mut Budget) -> Result<(), Stop> {
        self.add(edge, &Form { scale: Int::NEG_ONE, constants: Vec::new(), parameters: None }, budget)
    }

    /// Sources come before their sinks if the variable `carried` is 1, and not after them if it is
    /// 0.
    pub(crate) fn add_carrying(&mut self, edge: &Edge, carried: usize, budget: &mut Budget) -> Result<(), Stop> {
        let constants = vec![(carried, Int::NEG_ONE)];
        self.add(edge, &Form { scale: Int::ONE, constants, parameters: None }, budget)
    }

    /// Distances are bounded where they are to be short.
    pub(crate) fn add_bounds(&mut self, edge: &Edge, budget: &mut Budget) -> Result<(), Stop> {
        if !edge.near {
            return Ok(());
        }
        let layout = self.layout;
        let (u, v) = (|p: usize| layout.u(p), |p: usize| layout.v(p));
        let (parameters, constant): (&dyn Fn(usize) -> usize, usize) =
            if edge.role == Role::Reuse && !layout.shape.reuse_counts { (&v, X) } else { (&u, W) };
        self.add_bound(edge, Int::NEG_ONE, constant, parameters, budget)?;
        if !edge.is_ordering() {
            self.add_bound(edge, Int::ONE, constant, parameters, budget)?;
        }
        Ok(())
    }

    fn add_bound(
        &mut self,
        edge: &Edge,
        scale: Int,
        constant: usize,
        parameters: &dyn Fn(usize) -> usize,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        debug_assert!(constant == SUM_U + 1 || constant == SUM_V + 1, "w and x follow the sums of u and v");
        let form = Form { scale, constants: vec![(constant, Int::ONE)], parameters: Some(parameters) };
        self.add(edge, &form, budget)
    }

    fn add(&mut self, edge: &Edge, form: &Form<'_>, budget: &mut Budget) -> Result<(), Stop> {
        let width = self.layout.zero_row().len();
        let known = edge.relation.eqs().len() * edge.relation.n_col();
        budget.spend(((width + known) / ENTRIES) as u64)?;
        if edge.source == edge.sink
            && let Some(vector) = uniform_distance(&edge.relation)
        {
            self.add_uniform(edge.source, &vector, form);
            return Ok(());
        }
        let cone = edge.cone(budget)?;
        budget.spend(((cone.eqs.len() + cone.ineqs.len()) * width / ENTRIES) as u64)?;
        for (rows, equalities) in [(&cone.eqs, true), (&cone.ineqs, false)] {
            for row in rows {
                let constraint = self.fill(edge, form, row);
                self.insert(constraint, equalities);
            }
        }
        Ok(())
    }

    /// A row of the cone over `[0 | c0 | cp | cx | cy]` with the unknowns filled in.
    fn fill(&self, edge: &Edge, form: &Form<'_>, row: &[Int]) -> Vec<Int> {
        let scaled: Vec<Int> = row.iter().map(|x| x * &form.scale).collect();
        let mut constraint = distance_form(self.layout, edge, &scaled);
        for (variable, factor) in &form.constants {
            constraint[1 + variable] += &(&row[1] * factor);
        }
        if let Some(variable) = form.parameters {
            for p in 0..self.layout.params {
                constraint[1 + variable(p)] += &row[2 + p];
            }
        }
        constraint
    }

    fn add_uniform(&mut self, statement: usize, vector: &[Int], form: &Form<'_>) {
        let mut constraint = self.layout.zero_row();
        for (i, distance) in vector.iter().enumerate() {
            self.layout.add(&mut constraint, Unknown::Iterator(statement, i), &(distance * &form.scale));
        }
        for (variable, factor) in &form.constants {
            constraint[1 + variable] += factor;
        }
        self.insert(constraint, false);
    }

    fn insert(&mut self, mut row: Vec<Int>, equality: bool) {
        let gcd = gcd_of(&row[1..]);
        if gcd.is_zero() {
            // A constant: kept only if it is false.
            let holds = if equality { row[0].is_zero() } else { !row[0].is_neg() };
            if holds {
                return;
            }
        } else if !gcd.is_one() && row[0].is_divisible_by(&gcd) {
            for x in &mut row {
                *x = x.div_exact(&gcd);
            }
        } else if !gcd.is_one() && !equality {
            row[0] = row[0].div_floor(&gcd);
            for x in &mut row[1..] {
                *x = x.div_exact(&gcd);
            }
        }
        if equality {
            self.eqs.insert(row);
        } else {
            self.ineqs.insert(row);
        }
    }
}

/// The value of the form `sink row - source row` at a generator of an edge, a row over
/// `[0 | c0 | cp | cx | cy]`.
pub(crate) fn distance_form(layout: &Layout, edge: &Edge, generator: &[Int]) -> Vec<Int> {
    let mut form = layout.zero_row();
    let mut add = |unknown: [Unknown; 2], factor: &Int| {
        layout.add(&mut form, unknown[0], &-factor);
        layout.add(&mut form, unknown[1], factor);
    };
    add([Unknown::Constant(edge.source), Unknown::Constant(edge.sink)], &generator[1]);
    for p in 0..layout.params {
        add([Unknown::Parameter(edge.source, p), Unknown::Parameter(edge.sink, p)], &generator[2 + p]);
    }
    let (n_in, n_out) = (edge.relation.dim(DimKind::In), edge.relation.dim(DimKind::Out));
    let (source, sink) = generator[2 + layout.params..].split_at(n_in);
    for (i, factor) in source.iter().enumerate() {
        layout.add(&mut form, Unknown::Iterator(edge.source, i), &-factor);
    }
    for (i, factor) in sink[..n_out].iter().enumerate() {
        layout.add(&mut form, Unknown::Iterator(edge.sink, i), factor);
    }
    form
}

/// The greatest common divisor; most rows have a coefficient that is a unit.
fn gcd_of(coefficients: &[Int]) -> Int {
    if coefficients.iter().any(|x| x.is_one() || x.is_neg_one()) {
        return Int::ONE;
    }
    coefficients.iter().filter(|x| !x.is_zero()).fold(Int::ZERO, |g, x| g.gcd(x))
}

/// The common difference of all pairs of a relation within one statement, if its equalities fix it.
pub(crate) fn uniform_distance(relation: &BasicMap) -> Option<Vec<Int>> {
    let n = relation.dim(DimKind::In);
    let (x, y) = (relation.offset(DimKind::In), relation.offset(DimKind::Out));
    let others = |row: &[Int], keep: [usize; 2]| {
        row.iter().enumerate().skip(1).all(|(c, value)| value.is_zero() || keep.contains(&c))
    };
    let eqs = reduced(relation);
    (0..n)
        .map(|i| {
            let fixed = eqs.iter().find(|row| {
                others(row, [x + i, y + i]) && !row[y + i].is_zero() && (&row[x + i] + &row[y + i]).is_zero()
            })?;
            // a (y - x) + constant = 0
            fixed[0].is_divisible_by(&fixed[y + i]).then(|| -&fixed[0].div_exact(&fixed[y + i]))
        })
        .collect()
}

/// The equalities over `[const | params | x | y - x]`, solved for the differences, back over the
/// columns of the relation.
fn reduced(relation: &BasicMap) -> Vec<Vec<Int>> {
    let n = relation.dim(DimKind::In);
    let (x, y) = (relation.offset(DimKind::In), relation.offset(DimKind::Out));
    let mut rows: Vec<Vec<Int>> = relation.eqs().to_vec();
    for row in &mut rows {
        for i in 0..n {
            // a x + b y = (a + b) x + b (y - x)
            let b = row[y + i].clone();
            row[x + i] += &b;
        }
    }
    // Everything that is not a difference or the constant is eliminated as far as possible.
    let mut used = vec![false; rows.len()];
    let foreign: Vec<usize> = (1..relation.n_col()).filter(|c| !(y..y + n).contains(c)).collect();
    for column in foreign.into_iter().chain(y..y + n) {
        let Some(pivot) = (0..rows.len()).find(|&r| !used[r] && !rows[r][column].is_zero()) else { continue };
        used[pivot] = true;
        let by = rows[pivot].clone();
        for (r, row) in rows.iter_mut().enumerate() {
            if r != pivot && !row[column].is_zero() {
                let (keep, add) = (by[column].clone(), row[column].clone());
                for (value, other) in row.iter_mut().zip(&by) {
                    *value = &(&*value * &keep) - &(other * &add);
                }
            }
        }
    }
    for row in &mut rows {
        for i in 0..n {
            let b = row[y + i].clone();
            row[x + i] -= &b;
        }
    }
    rows
}
