//! Feautrier's schedules: as few time steps as possible.
//!
//! # Problem
//! Find for every statement an affine function `theta(i) = c . i + p . n + k` of its instances, not
//! negative on the domain, so that every dependence takes at least one step,
//! `theta(sink) - theta(source) >= 1`, and the *latency*, a bound `u . n + w` on all of them, is as
//! small as possible [Feautrier1992a]. Where one dimension does not do, several do: the first
//! carries as many dependences as possible and turns none back, the next one those that are left,
//! and so on [Feautrier1992b]. What is not ordered by time at all is parallel.
//!
//! # Algorithm
//! 1. Statements without a path of dependences between them, in whatever direction, are scheduled
//!    apart.
//! 2. Every condition is that an affine form is not negative on a polyhedron. By the affine form of
//!    Farkas' lemma these are linear constraints on the unknown coefficients (see
//!    [`poly_presburger::farkas_cone`]).
//! 3. One integer program per dimension, lexicographically: the number of dependences that are not
//!    carried, the sum of `u`, `w`, the sum of absolute values of `c`, of `p` and of `k`.
//! 4. When no dependence is left, the statements run one after the other in each time step, with
//!    what is missing of their iterators as parallel loops.
//!
//! # Invariants
//! Each dimension carries a dependence entirely, so there are at most as many as dependences. Where
//! none can be carried, the original order is kept. Coefficients are integers: the latency is
//! minimal among integral schedules.

use std::collections::BTreeSet;

use poly_arith::Int;
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::solver::{LexOutcome, System, ilp_lexmin};
use poly_presburger::{BasicMap, DimKind, farkas_cone};

use crate::affine::Affine;
use crate::band::{Member, is_coincident};
use crate::context::Context;
use crate::edge::{Edge, Edges, Role, Rows};
use crate::group::{restricted, schedule_group};
use crate::independence::{History, extended};
use crate::original::original;
use crate::plan::Plan;
use crate::scc;

/// `w` may be this much below zero.
const LOWEST_CONSTANT: i64 = 64;

/// The schedule of a sorted list of statements. `edges` are those within the list.
pub(crate) fn feautrier(
    context: &Context,
    statements: &[usize],
    edges: &Edges,
    history: &History,
    budget: &mut Budget,
) -> Result<Plan, Stop> {
    let mut children = Vec::new();
    for component in components(statements, edges) {
        let inner: Edges = edges.iter().filter(|e| e.is_within(&component)).cloned().collect();
        let plan = schedule_component(context, &component, &inner, history, budget)?;
        children.push((component, plan));
    }
    Ok(Plan::sequence(children))
}

/// Statements that are connected by edges, in the order of their first ones.
fn components(statements: &[usize], edges: &Edges) -> Vec<Vec<usize>> {
    let place = |s: usize| statements.binary_search(&s).expect("edges are within the statements");
    let mut links = BTreeSet::new();
    for edge in edges.iter().filter(|e| e.role != Role::Reuse) {
        let (a, b) = (place(edge.source), place(edge.sink));
        links.extend([(a, b), (b, a)]);
    }
    let parts = scc::components(statements.len(), &links);
    parts.into_iter().map(|part| part.into_iter().map(|i| statements[i]).collect()).collect()
}

/// The dimensions of a component, outermost first. The recursion is bounded by the number of edges.
fn schedule_component(
    context: &Context,
    statements: &[usize],
    edges: &Edges,
    history: &History,
    budget: &mut Budget,
) -> Result<Plan, Stop> {
    budget.spend(1)?;
    let ordered: Vec<&Edge> = edges.iter().filter(|e| e.role != Role::Reuse).map(|e| &**e).collect();
    if ordered.is_empty() {
        return schedule_group(context, statements, &Edges::new(), history, budget);
    }
    let Some(rows) = time_step(context, statements, &ordered, budget)? else {
        return original(context, statements, edges, 0, budget);
    };
    let coincident = is_coincident(edges, &rows, budget)?;
    let left = restricted(edges, &[&rows], budget)?;
    let history = extended(history, std::iter::once(&rows));
    let child = feautrier(context, statements, &left, &history, budget)?;
    Ok(Plan::Band { members: vec![Member { rows, coincident }], child: Box::new(child) })
}

/// One dimension, or `None` if no edge can be carried.
fn time_step(
    context: &Context,
    statements: &[usize],
    edges: &[&Edge],
    budget: &mut Budget,
) -> Result<Option<Rows>, Stop> {
    let mut program = Program::new(context, statements, edges.len());
    for (index, edge) in edges.iter().enumerate() {
        program.add_edge(edge, index, budget)?;
    }
    for &statement in statements {
        for domain in context.statements[statement].domain.as_map().basics() {
            program.add_domain(statement, domain, budget)?;
        }
    }
    match ilp_lexmin(&program.system, budget)? {
        LexOutcome::Point(point) => Ok(Some(program.rows(&point))),
        _ => Ok(None),
    }
}

/// The integer program of one dimension. Its variables, all of them not negative, in the order in
/// which they are minimized:
///
/// ```text
/// [ edges not carried, sum u, w + LOWEST_CONSTANT, sum |c|, sum |p|, sum |k|, u,
///   per statement: the positive and negative parts of c_d .. c_1, of p and of k,
///   per edge: 1 if it is carried ]
/// ```
struct Program<'a> {
    context: &'a Context,
    statements: &'a [usize],
    params: usize,
    /// First variable of each statement.
    blocks: Vec<usize>,
    /// First flag.
    flags: usize,
    system: System,
}

const NOT_CARRIED: usize = 0;
const SUM_U: usize = 1;
const W: usize = 2;
const SUM_C: usize = 3;
const SUM_P: usize = 4;
const SUM_K: usize = 5;
const FIRST_U: usize = 6;

impl<'a> Program<'a> {
    fn new(context: &'a Context, statements: &'a [usize], edges: usize) -> Program<'a> {
        let params = context.n_params();
        let mut n = FIRST_U + params;
        let mut blocks = Vec::new();
        for &statement in statements {
            blocks.push(n);
            n += 2 * (context.statements[statement].dims + params + 1);
        }
        let flags = n;
        n += edges;
        let mut system = System { n, eqs: Vec::new(), ineqs: Vec::new() };
        for variable in 0..n {
            let mut row = vec![Int::ZERO; 1 + n];
            row[1 + variable] = Int::ONE;
            system.add_ineq(row);
        }
        let mut program = Program { context, statements, params, blocks, flags, system };
        program.define_objectives(edges);
        program
    }

    fn zero_row(&self) -> Vec<Int> {
        vec![Int::ZERO; 1 + self.system.n]
    }

    /// The variables `positive part, negative part` of coefficient `index` of a statement:
    /// `c_1 .. c_d, p, k`.
    fn parts(&self, statement: usize, index: usize) -> (usize, usize) {
        let block = self.statements.binary_search(&statement).expect("the statement is scheduled");
        let dims = self.context.statements[statement].dims;
        // Inner iterators come first, so that the outer ones are taken among equals.
        let place = if index < dims { dims - 1 - index } else { index };
        let first = self.blocks[block] + 2 * place;
        (first, first + 1)
    }

    /// Adds `factor` times a coefficient of a statement to a row.
    fn add(&self, row: &mut [Int], statement: usize, index: usize, factor: &Int) {
        let (positive, negative) = self.parts(statement, index);
        row[1 + positive] += factor;
        row[1 + negative] -= factor;
    }

    fn define_objectives(&mut self, edges: usize) {
        let mut sums: [Vec<usize>; 4] = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
        sums[0].extend(FIRST_U..FIRST_U + self.params);
        for &statement in self.statements {
            let dims = self.context.statements[statement].dims;
            for index in 0..dims + self.params + 1 {
                let kind = if index < dims { 1 } else { 2 + usize::from(index == dims + self.params) };
                let (positive, negative) = self.parts(statement, index);
                sums[kind].extend([positive, negative]);
            }
        }
        for (sum, parts) in [SUM_U, SUM_C, SUM_P, SUM_K].into_iter().zip(&sums) {
            let mut row = self.zero_row();
            row[1 + sum] = Int::NEG_ONE;
            parts.iter().for_each(|&part| row[1 + part] = Int::ONE);
            self.system.add_eq(row);
        }
        let max = Int::from(i64::from(self.context.options.max_coefficient));
        for &part in sums[1].iter().chain(&sums[2]) {
            self.add_upper_bound(part, &max);
        }
        // not carried = edges - sum of flags, and not all of them.
        let mut row = self.zero_row();
        row[0] = -&Int::from(edges);
        row[1 + NOT_CARRIED] = Int::ONE;
        (0..edges).for_each(|edge| row[1 + self.flags + edge] = Int::ONE);
        self.system.add_eq(row);
        (0..edges).for_each(|edge| self.add_upper_bound(self.flags + edge, &Int::ONE));
        self.add_upper_bound(NOT_CARRIED, &(&Int::from(edges) - &Int::ONE));
    }

    fn add_upper_bound(&mut self, variable: usize, max: &Int) {
        let mut row = self.zero_row();
        row[0] = max.clone();
        row[1 + variable] = Int::NEG_ONE;
        self.system.add_ineq(row);
    }

    /// `theta(sink) - theta(source) >= carried`.
    fn add_edge(&mut self, edge: &Edge, index: usize, budget: &mut Budget) -> Result<(), Stop> {
        let cone = edge.cone(budget)?;
        let (n_in, n_out) = (edge.relation.dim(DimKind::In), edge.relation.dim(DimKind::Out));
        for (rows, equalities) in [(&cone.eqs, true), (&cone.ineqs, false)] {
            for row in rows {
                // Over [0 | constant | params | in | out].
                let mut constraint = self.zero_row();
                for (statement, dims, at, sign) in [
                    (edge.source, n_in, 2 + self.params, Int::NEG_ONE),
                    (edge.sink, n_out, 2 + self.params + n_in, Int::ONE),
                ] {
                    self.add_theta(&mut constraint, statement, dims, row, at, &sign);
                }
                constraint[1 + self.flags + index] -= &row[1];
                self.insert(constraint, equalities);
            }
        }
        Ok(())
    }

    /// `theta >= 0` and `u . n + w - theta >= 0` on the domain.
    fn add_domain(&mut self, statement: usize, domain: &BasicMap, budget: &mut Budget) -> Result<(), Stop> {
        let cone = farkas_cone(domain, budget)?;
        let dims = domain.dim(DimKind::Out);
        for (rows, equalities) in [(&cone.eqs, true), (&cone.ineqs, false)] {
            for row in rows {
                let mut lower = self.zero_row();
                self.add_theta(&mut lower, statement, dims, row, 2 + self.params, &Int::ONE);
                self.insert(lower, equalities);
                let mut upper = self.zero_row();
                self.add_theta(&mut upper, statement, dims, row, 2 + self.params, &Int::NEG_ONE);
                upper[0] -= &(&row[1] * &Int::from(LOWEST_CONSTANT));
                upper[1 + W] += &row[1];
                for p in 0..self.params {
                    upper[1 + FIRST_U + p] += &row[2 + p];
                }
                self.insert(upper, equalities);
            }
        }
        Ok(())
    }

    /// Adds `sign * theta` of a statement, applied to a row of a cone whose entries for its
    /// iterators begin at `at`.
    fn add_theta(&self, constraint: &mut [Int], statement: usize, dims: usize, row: &[Int], at: usize, sign: &Int) {
        for i in 0..dims {
            self.add(constraint, statement, i, &(&row[at + i] * sign));
        }
        for p in 0..self.params {
            self.add(constraint, statement, dims + p, &(&row[2 + p] * sign));
        }
        self.add(constraint, statement, dims + self.params, &(&row[1] * sign));
    }

    fn insert(&mut self, row: Vec<Int>, equality: bool) {
        if row[1..].iter().all(Int::is_zero) && (if equality { row[0].is_zero() } else { !row[0].is_neg() }) {
            return;
        }
        if equality {
            self.system.add_eq(row);
        } else {
            self.system.add_ineq(row);
        }
    }

    fn rows(&self, point: &[Int]) -> Rows {
        let mut rows = Rows::new();
        for &statement in self.statements {
            let dims = self.context.statements[statement].dims;
            let coefficient = |index: usize| {
                let (positive, negative) = self.parts(statement, index);
                &point[positive] - &point[negative]
            };
            rows.insert(
                statement,
                Affine {
                    iterators: (0..dims).map(coefficient).collect(),
                    parameters: (dims..dims + self.params).map(coefficient).collect(),
                    constant: coefficient(dims + self.params),
                },
            );
        }
        rows
    }
}
