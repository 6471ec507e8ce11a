//! All legal schedules of a number of dimensions with bounded coefficients, as the integer points
//! of one convex set [Pouchet2011, Lemma 3].
//!
//! # Problem
//! [`crate::fusion`] goes level by level. Here the coefficients of all dimensions of all statements
//! are variables of one system of linear constraints, so that any linear objective can be minimized
//! over all dimensions at once, or the schedules enumerated.
//!
//! # Encoding
//! For each dependence `D` (one conjunction) and each dimension `d` a binary variable says whether
//! `d` is where `D` is satisfied; one of them is 1. With `t_d` the time of the sink minus that of
//! the source in dimension `d`, for each pair of `D`
//!
//! ```text
//! t_d >= satisfied_d - (sum of satisfied_k for k < d) * K(n)
//! ```
//!
//! Before the dimension that satisfies `D` no pair goes backwards, in it all advance, and behind it
//! nothing is asked: `K(n)` is a function of the parameters that no distance exceeds, of any
//! schedule within the bounds. That the constraint holds for all pairs means that its form is in
//! the cone of forms that are not negative on `D`, so at every vertex and along every ray of `D`,
//! which are finitely many linear constraints on the variables.
//!
//! # What it contains
//! Every integer point is a legal schedule. A schedule that satisfies some pairs of a conjunction
//! in one dimension, and others in another, is legal, too, but not in the set.

use std::collections::BTreeSet;
use std::fmt;

use poly_arith::Int;
use poly_dependence::Dependence;
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::solver::{LexOutcome, System, ilp_lexmin};
use poly_presburger::{BasicSet, DimKind, Id, Row, Set, Space, Tuple};

use crate::context::Context;
use crate::edge::{Edge, Edges, Role, edges};
use crate::problem::{Options, Problem};

/// Greatest constant of a row where none is given.
const MAX_CONSTANT: u32 = 8;

/// The convex set of the legal schedules of a program.
#[derive(Clone, Debug)]
pub struct ScheduleSpace {
    layout: Variables,
    /// Constraints `row >= 0` and `row = 0` over `[const | variables]`.
    ineqs: Vec<Row>,
    eqs: Vec<Row>,
}

/// Why there is no such set.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoSpace {
    /// The budget ran out.
    Stop,
    /// The iterators of a dependence between these two statements have no bound that is affine in
    /// the parameters, so that no later dimension can be free of it.
    Unbounded(usize, usize),
}

impl From<Stop> for NoSpace {
    fn from(_: Stop) -> NoSpace {
        NoSpace::Stop
    }
}

impl fmt::Display for NoSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoSpace::Stop => Stop.fmt(f),
            NoSpace::Unbounded(a, b) => write!(f, "the dependences from S{a} to S{b} have no bounds"),
        }
    }
}

impl std::error::Error for NoSpace {}

impl ScheduleSpace {
    /// The schedules of so many dimensions, with coefficients as the options say; those of
    /// parameters are not negative. Reductions and live ranges are kept in order.
    ///
    /// # Errors
    /// [`NoSpace`].
    pub fn new(
        problem: &Problem<'_>,
        dimensions: usize,
        options: &Options,
        budget: &mut Budget,
    ) -> Result<ScheduleSpace, NoSpace> {
        let context = Context::new(problem, options, budget)?;
        let in_order = Options { live_ranges: false, relax_reductions: false, ..*options };
        let known = |d: &Dependence| Dependence { relation: d.relation.intersect_params(problem.context), ..d.clone() };
        let dependences: Vec<Dependence> = problem.dependences.iter().map(known).collect();
        let mut edges = edges(&dependences, &in_order, &context.params, budget)?;
        edges.retain(|edge| edge.role == Role::Order);
        let layout = Variables::new(&context, &edges, dimensions);
        let mut found = Constraints::default();
        layout.bound(options, &mut found);
        for (number, edge) in edges.iter().enumerate() {
            layout.add_edge(number, edge, options, &mut found, budget)?;
        }
        let (ineqs, eqs) = (found.ineqs.into_iter().collect(), found.eqs.into_iter().collect());
        Ok(ScheduleSpace { layout, ineqs, eqs })
    }

    /// Number of variables.
    #[must_use]
    pub fn variables(&self) -> usize {
        self.layout.count
    }

    /// Number of constraints.
    #[must_use]
    pub fn constraints(&self) -> usize {
        self.ineqs.len() + self.eqs.len()
    }

    /// The variable that is the coefficient of an iterator in a dimension of the schedule of a
    /// statement.
    #[must_use]
    pub fn iterator(&self, dimension: usize, statement: usize, iterator: usize) -> usize {
        self.layout.iterator(dimension, statement, iterator)
    }

    /// The variable that is the coefficient of a parameter.
    #[must_use]
    pub fn parameter(&self, dimension: usize, statement: usize, parameter: usize) -> usize {
        self.layout.iterator(dimension, statement, self.layout.dims[statement]) + parameter
    }

    /// The variable that is the constant.
    #[must_use]
    pub fn constant(&self, dimension: usize, statement: usize) -> usize {
        self.parameter(dimension, statement, self.layout.params.len())
    }

    /// The set. `d0_1` says whether dependence 0 is satisfied in dimension 1; `S0_1_i0`, `S0_1_n`
    /// and `S0_1` are the coefficients of an iterator and a parameter and the constant in dimension
    /// 1 of the schedule of `S0`.
    pub fn to_set(&self) -> Set {
        let dims = self.layout.names().into_iter().map(|name| Some(Id::from(name))).collect();
        let tuple = Tuple { dims, ..Tuple::anonymous(self.layout.count) };
        let mut set = BasicSet::universe(Space::set(Vec::new(), tuple));
        self.eqs.iter().for_each(|row| set.add_eq(row.clone()));
        self.ineqs.iter().for_each(|row| set.add_ineq(row.clone()));
        Set::from_basic(set)
    }
}

/// Constraints without repetition.
#[derive(Debug, Default)]
struct Constraints {
    ineqs: BTreeSet<Row>,
    eqs: BTreeSet<Row>,
}

/// Where the variables are: for each dimension the binary ones of all edges, then the coefficients
/// of each statement.
#[derive(Clone, Debug)]
struct Variables {
    dimensions: usize,
    edges: usize,
    /// The number of iterators of each statement.
    dims: Vec<usize>,
    params: Vec<Id>,
    /// The variables of one dimension.
    width: usize,
    count: usize,
}

impl Variables {
    fn new(context: &Context, edges: &Edges, dimensions: usize) -> Variables {
        let dims: Vec<usize> = context.statements.iter().map(|s| s.dims).collect();
        let params = context.params.params.clone();
        let width = edges.len() + dims.iter().map(|d| d + params.len() + 1).sum::<usize>();
        Variables { dimensions, edges: edges.len(), dims, params, width, count: dimensions * width }
    }

    fn satisfied(&self, dimension: usize, edge: usize) -> usize {
        dimension * self.width + edge
    }

    fn iterator(&self, dimension: usize, statement: usize, iterator: usize) -> usize {
        let before: usize = self.dims[..statement].iter().map(|d| d + self.params.len() + 1).sum();
        dimension * self.width + self.edges + before + iterator
    }

    fn names(&self) -> Vec<String> {
        let mut names = Vec::with_capacity(self.count);
        for d in 0..self.dimensions {
            names.extend((0..self.edges).map(|e| format!("d{e}_{d}")));
            for (s, &dims) in self.dims.iter().enumerate() {
                names.extend((0..dims).map(|i| format!("S{s}_{d}_i{i}")));
                names.extend(self.params.iter().map(|p| format!("S{s}_{d}_{p}")));
                names.push(format!("S{s}_{d}"));
            }
        }
        names
    }

    fn zero_row(&self) -> Row {
        vec![Int::ZERO; 1 + self.count]
    }

    /// The bounds of all variables.
    fn bound(&self, options: &Options, found: &mut Constraints) {
        let mut between = |variable: usize, least: &Int, most: &Int| {
            for (sign, bound) in [(Int::ONE, -least), (Int::NEG_ONE, most.clone())] {
                let mut row = self.zero_row();
                row[0] = bound;
                row[1 + variable] = sign;
                found.ineqs.insert(row);
            }
        };
        let max = Int::from(options.max_coefficient);
        let least = if options.negative_coefficients { -&max } else { Int::ZERO };
        for d in 0..self.dimensions {
            (0..self.edges).for_each(|e| between(self.satisfied(d, e), &Int::ZERO, &Int::ONE));
            for (s, &dims) in self.dims.iter().enumerate() {
                let first = self.iterator(d, s, 0);
                (first..first + dims).for_each(|v| between(v, &least, &max));
                let behind = first + dims + self.params.len();
                (first + dims..behind).for_each(|v| between(v, &Int::ZERO, &max));
                between(behind, &Int::ZERO, &max_constant(options));
            }
        }
    }

    /// That an edge is satisfied.
    fn add_edge(
        &self,
        number: usize,
        edge: &Edge,
        options: &Options,
        found: &mut Constraints,
        budget: &mut Budget,
    ) -> Result<(), NoSpace> {
        let mut once = self.zero_row();
        once[0] = Int::NEG_ONE;
        (0..self.dimensions).for_each(|d| once[1 + self.satisfied(d, number)] = Int::ONE);
        found.eqs.insert(once);
        let cone = edge.cone(budget)?;
        let longest = longest_distance(edge, cone, self.params.len(), options, budget)?;
        for d in 0..self.dimensions {
            for (generators, equality) in [(&cone.ineqs, false), (&cone.eqs, true)] {
                for generator in generators {
                    budget.spend(1 + self.count as u64 / 8)?;
                    let row = self.constraint(d, number, edge, generator, &longest);
                    if row.iter().all(Int::is_zero) {
                        continue;
                    }
                    (if equality { &mut found.eqs } else { &mut found.ineqs }).insert(row);
                }
            }
        }
        Ok(())
    }

    /// The constraint of a dimension at a generator of the edge.
    fn constraint(&self, d: usize, number: usize, edge: &Edge, generator: &[Int], longest: &[Int]) -> Row {
        let mut row = self.zero_row();
        let params = self.params.len();
        let (invariant, iterators) = generator[1..].split_at(1 + params);
        let (source, sink) = iterators.split_at(edge.relation.dim(DimKind::In));
        for (statement, values, sign) in [(edge.source, source, Int::NEG_ONE), (edge.sink, sink, Int::ONE)] {
            let values = &values[..self.dims[statement]];
            let first = 1 + self.iterator(d, statement, 0);
            let behind = invariant[1..].iter().chain(&invariant[..1]);
            for (column, value) in (first..).zip(values.iter().chain(behind)) {
                row[column] += &(value * &sign);
            }
        }
        row[1 + self.satisfied(d, number)] -= &invariant[0];
        let reach = invariant.iter().zip(longest).fold(Int::ZERO, |sum, (a, b)| sum + a * b);
        (0..d).for_each(|k| row[1 + self.satisfied(k, number)] += &reach);
        row
    }
}

fn max_constant(options: &Options) -> Int {
    Int::from(options.max_constant.unwrap_or(MAX_CONSTANT))
}

/// A form over `[const | params]` that no difference of times on an edge exceeds, but for
/// parameters without a bound: they are left out, so that in all dimensions the coefficients of
/// source and sink do not differ in the direction in which there is none.
fn longest_distance(
    edge: &Edge,
    cone: &System,
    params: usize,
    options: &Options,
    budget: &mut Budget,
) -> Result<Row, NoSpace> {
    let max = Int::from(options.max_coefficient);
    let mut longest = vec![Int::ZERO; 1 + params];
    longest[0] = max_constant(options);
    let variables = params + edge.relation.dim(DimKind::In) + edge.relation.dim(DimKind::Out);
    for variable in 0..variables {
        let Some(bound) = bound_of(cone, variable, params, budget)? else {
            if variable < params {
                continue;
            }
            return Err(NoSpace::Unbounded(edge.source, edge.sink));
        };
        longest.iter_mut().zip(bound).for_each(|(sum, value)| *sum += value * &max);
    }
    Ok(longest)
}

/// The least form over `[const | params]`, without negative coefficients, that the absolute value
/// of a variable of an edge does not exceed.
fn bound_of(cone: &System, variable: usize, params: usize, budget: &mut Budget) -> Result<Option<Row>, Stop> {
    // [const | sum of the coefficients of parameters, constant, coefficients]
    let mut program = System::new(2 + params);
    let mut sum = vec![Int::ZERO; 3 + params];
    sum[1] = Int::NEG_ONE;
    sum[3..].fill(Int::ONE);
    program.add_eq(sum);
    for unknown in 1..3 + params {
        let mut row = vec![Int::ZERO; 3 + params];
        row[unknown] = Int::ONE;
        program.add_ineq(row);
    }
    for (generators, equality) in [(&cone.ineqs, false), (&cone.eqs, true)] {
        for generator in generators {
            for sign in [Int::ONE, Int::NEG_ONE] {
                let mut row = vec![Int::ZERO; 3 + params];
                row[0] = &generator[2 + variable] * &sign;
                row[2..].clone_from_slice(&generator[1..2 + params]);
                if equality { program.add_eq(row) } else { program.add_ineq(row) }
            }
        }
    }
    Ok(match ilp_lexmin(&program, budget)? {
        LexOutcome::Point(point) => Some(point[1..].to_vec()),
        _ => None,
    })
}
