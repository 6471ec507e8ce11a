//! Rows for statements that share a loop.
//!
//! # Problem
//! Given statements and the dependences among them that are not yet satisfied: is there one
//! schedule dimension in which no dependence goes backwards, every statement with loops left
//! advances, and any two of these overlap ([`overlap`](super::overlap)) unless they are in one
//! component? If there is, which is the best?
//!
//! # Bounds
//! Coefficients of iterators are between 0 and the greatest one of [`crate::Options`] (with
//! negative ones also below 0), constants between 0 and the same number, and there are no
//! parameters: loops that are merely put behind each other by a shift share nothing.
//!
//! # Algorithm
//! 1. *Permutations*: one of its own iterators for each statement. Whether two statements with
//!    given iterators respect the dependences between them, and overlap, concerns nobody else, so
//!    the answers are kept, and any choice in which all pairs fit is a loop for all of them. This
//!    is where fusability is transitive: if pairs fit with the same choice for each statement, so
//!    do all together [Pouchet2011].
//! 2. The integer program of the scheduler over Farkas multipliers, without an objective; first
//!    with non-negative coefficients.
//! 3. With negative ones: the legal rows are a convex set, so if some statement cannot advance in
//!    any of them, there is no loop. That takes one program for each direction of each statement;
//!    only if every statement can advance alone, the programs for all of them together are tried.
//! 4. Where the statements of a solution do not overlap, the program branches over what makes them
//!    overlap, without what no legal row has.

use std::collections::BTreeMap;

use poly_arith::Int;
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::solver::{LexOutcome, System, ilp_lexmin};

use super::overlap::{Order, Overlaps};
use crate::affine::Affine;
use crate::constraints::Collector;
use crate::context::Context;
use crate::edge::{Edge, Edges, Role, Rows};
use crate::independence::{History, Region};
use crate::layout::{Layout, Shape, Unknown};
use crate::row::{Alternative, best_rows_where, form};

/// Most choices of iterators that are tried for one group.
const MAX_CHOICES: usize = 200;

/// A statement with an iterator.
type Choice = (usize, usize);

/// Finds rows for groups of the statements of one level.
#[derive(Debug)]
pub(super) struct RowSearch {
    /// The statements, sorted.
    regions: BTreeMap<usize, Region>,
    edges: Edges,
    /// The component of each statement.
    components: BTreeMap<usize, usize>,
    overlaps: Overlaps,
    /// Whether two choices respect the edges between them and overlap.
    fits: BTreeMap<(Choice, Choice), bool>,
}

impl RowSearch {
    /// Rows for the statements of components, below the loops `outer`.
    pub(super) fn new(components: &[Vec<usize>], edges: &Edges, history: &History, outer: Vec<Rows>) -> RowSearch {
        let regions = components.iter().flatten().map(|&s| (s, Region::new(s, &history[&s]))).collect();
        let numbered = components.iter().enumerate();
        let components = numbered.flat_map(|(c, statements)| statements.iter().map(move |&s| (s, c))).collect();
        let overlaps = Overlaps::new(outer);
        RowSearch { regions, edges: edges.clone(), components, overlaps, fits: BTreeMap::new() }
    }

    /// Whether a statement has no loops left.
    pub(super) fn is_complete(&self, statement: usize) -> bool {
        self.regions[&statement].missing() == 0
    }

    fn within(&self, statements: &[usize]) -> Edges {
        self.edges.iter().filter(|e| e.is_within(statements)).cloned().collect()
    }

    fn incomplete(&self, statements: &[usize]) -> Vec<Region> {
        statements.iter().filter(|&&s| !self.is_complete(s)).map(|s| self.regions[s].clone()).collect()
    }

    /// What has to occur for the statements to overlap.
    fn orders(&self, statements: &[usize]) -> Vec<Order> {
        let mut orders = Vec::new();
        for (at, &b) in statements.iter().enumerate() {
            for &a in &statements[..at] {
                if self.must_overlap(a, b) {
                    orders.extend(Order::both(a, b));
                }
            }
        }
        orders
    }

    /// Whether two statements share a loop only if they overlap in it.
    fn must_overlap(&self, a: usize, b: usize) -> bool {
        self.components[&a] != self.components[&b] && !self.is_complete(a) && !self.is_complete(b)
    }

    /// Rows of a loop for a sorted list of statements, if there is any.
    pub(super) fn any(
        &mut self,
        context: &Context,
        statements: &[usize],
        budget: &mut Budget,
    ) -> Result<Option<Rows>, Stop> {
        if let Some(rows) = self.permutation(context, statements, budget)? {
            return Ok(Some(rows));
        }
        let edges = self.within(statements);
        let regions = self.incomplete(statements);
        let program = Program::new(context, statements, &edges, Distances::Any, false, budget)?;
        if let Some(rows) = self.solve(context, &program, statements, budget)? {
            return Ok(Some(rows));
        }
        if !context.options.negative_coefficients {
            return Ok(None);
        }
        let program = Program::new(context, statements, &edges, Distances::Any, true, budget)?;
        for region in &regions {
            if !program.can_advance(region, budget)? {
                return Ok(None);
            }
        }
        self.solve(context, &program, statements, budget)
    }

    /// The best rows of a program.
    fn solve(
        &mut self,
        context: &Context,
        program: &Program,
        statements: &[usize],
        budget: &mut Budget,
    ) -> Result<Option<Rows>, Stop> {
        let regions = self.incomplete(statements);
        let orders = self.orders(statements);
        let overlaps = &mut self.overlaps;
        let mut known: BTreeMap<Order, Vec<Alternative>> = BTreeMap::new();
        let mut violated = |rows: &Rows, budget: &mut Budget| {
            for &order in &orders {
                if overlaps.occurs(context, order, rows, budget)? {
                    continue;
                }
                if let Some(found) = known.get(&order) {
                    return Ok(Some(found.clone()));
                }
                let mut found = overlaps.alternatives(context, &program.layout, order, budget)?;
                program.keep_possible(&mut found, budget)?;
                known.insert(order, found.clone());
                return Ok(Some(found));
            }
            Ok(None)
        };
        let best = best_rows_where(&program.layout, program.system.clone(), &regions, &mut violated, budget)?;
        Ok(best.map(|solution| solution.rows))
    }

    /// The best rows of a loop for a sorted list of statements that have one; with whether no
    /// dependence of `band` goes backwards either.
    pub(super) fn best(
        &mut self,
        context: &Context,
        statements: &[usize],
        band: Option<&Edges>,
        budget: &mut Budget,
    ) -> Result<Option<(Rows, bool)>, Stop> {
        let inner = self.within(statements);
        let attempts = band.map(|edges| (edges, true)).into_iter().chain([(&inner, false)]);
        for (edges, extends) in attempts {
            for (distances, signed) in [(Distances::Bounded, false), (Distances::Constant, true)] {
                if signed && !context.options.negative_coefficients {
                    continue;
                }
                let program = Program::new(context, statements, edges, distances, signed, budget)?;
                if let Some(rows) = self.solve(context, &program, statements, budget)? {
                    return Ok(Some((rows, extends)));
                }
            }
        }
        Ok(self.any(context, statements, budget)?.map(|rows| (rows, false)))
    }

    /// One of its own iterators for each statement, such that all pairs fit.
    fn permutation(
        &mut self,
        context: &Context,
        statements: &[usize],
        budget: &mut Budget,
    ) -> Result<Option<Rows>, Stop> {
        let candidates: Vec<Vec<usize>> = statements.iter().map(|&s| self.candidates(context, s)).collect();
        if candidates.iter().any(Vec::is_empty) {
            return Ok(None);
        }
        // The choice so far; `next[i]` is the candidate that is tried next for statement `i`.
        let mut next = vec![0];
        let mut chosen: Vec<Choice> = Vec::new();
        for _ in 0..MAX_CHOICES {
            let at = chosen.len();
            if at == statements.len() {
                let row = |&(s, i): &Choice| (s, iterator(context, s, i));
                return Ok(Some(chosen.iter().map(row).collect()));
            }
            let Some(&candidate) = candidates[at].get(next[at]) else {
                next.pop();
                if chosen.pop().is_none() {
                    return Ok(None);
                }
                continue;
            };
            next[at] += 1;
            let choice = (statements[at], candidate);
            if self.fits_all(context, &chosen, choice, budget)? {
                chosen.push(choice);
                next.push(0);
            }
        }
        Ok(None)
    }

    /// The iterators in which a statement advances.
    fn candidates(&self, context: &Context, statement: usize) -> Vec<usize> {
        let region = &self.regions[&statement];
        let advances = |&i: &usize| region.contains(&iterator(context, statement, i).iterators);
        (0..context.statements[statement].dims).filter(advances).collect()
    }

    fn fits_all(
        &mut self,
        context: &Context,
        chosen: &[Choice],
        choice: Choice,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        for &other in chosen.iter().chain([&choice]) {
            let fits = match self.fits.get(&(other, choice)) {
                Some(&fits) => fits,
                None => {
                    let fits = self.compute_fit(context, other, choice, budget)?;
                    self.fits.insert((other, choice), fits);
                    fits
                }
            };
            if !fits {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn compute_fit(&mut self, context: &Context, a: Choice, b: Choice, budget: &mut Budget) -> Result<bool, Stop> {
        let rows: Rows = [a, b].map(|(s, i)| (s, iterator(context, s, i))).into();
        let between = |edge: &&Edge| (edge.source, edge.sink) == (a.0, b.0) || (edge.source, edge.sink) == (b.0, a.0);
        for edge in self.edges.iter().map(|e| &**e).filter(|e| e.role == Role::Order).filter(between) {
            budget.spend(1)?;
            let mut backward: poly_presburger::Row = edge.distance(&rows).iter().map(|x| -x).collect();
            backward[0] -= &Int::ONE;
            if !edge.relation.with_ineq(backward).is_empty(budget)? {
                return Ok(false);
            }
        }
        if a.0 != b.0 && self.must_overlap(a.0, b.0) {
            for order in Order::both(a.0, b.0) {
                if !self.overlaps.occurs(context, order, &rows, budget)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// The row that is one iterator.
fn iterator(context: &Context, statement: usize, i: usize) -> Affine {
    let mut iterators = vec![Int::ZERO; context.statements[statement].dims];
    iterators[i] = Int::ONE;
    Affine { iterators, parameters: vec![Int::ZERO; context.n_params()], constant: Int::ZERO }
}

/// What is asked of distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Distances {
    /// That they are not negative.
    Any,
    /// And have a bound that is as small as possible.
    Bounded,
    /// And a bound without parameters.
    Constant,
}

/// The integer program of one dimension.
struct Program {
    layout: Layout,
    system: System,
}

impl Program {
    fn new(
        context: &Context,
        statements: &[usize],
        edges: &Edges,
        distances: Distances,
        signed: bool,
        budget: &mut Budget,
    ) -> Result<Program, Stop> {
        let shape = Shape {
            signed,
            parametric: false,
            constant_distance: distances == Distances::Constant,
            reuse_counts: false,
            max_coefficient: context.options.max_coefficient,
            max_constant: context.options.max_constant,
        };
        let dims = statements.iter().map(|&s| (s, context.statements[s].dims));
        let layout = Layout::new(dims, context.n_params(), shape);
        let mut collector = Collector::new(&layout);
        for edge in edges {
            collector.add_legality(edge, budget)?;
            if distances != Distances::Any {
                collector.add_bounds(edge, budget)?;
            }
        }
        let mut system = collector.finish();
        for &statement in statements {
            let mut row = layout.zero_row();
            row[0] = Int::from(i64::from(context.options.max_coefficient));
            layout.add(&mut row, Unknown::Constant(statement), &Int::NEG_ONE);
            system.add_ineq(row);
        }
        Ok(Program { layout, system })
    }

    /// Drops the alternatives that no point satisfies.
    fn keep_possible(&self, alternatives: &mut Vec<Alternative>, budget: &mut Budget) -> Result<(), Stop> {
        let mut kept = Vec::new();
        for alternative in alternatives.drain(..) {
            let mut program = self.system.clone();
            program.ineqs.extend(alternative.iter().cloned());
            if matches!(ilp_lexmin(&program, budget)?, LexOutcome::Point(_)) {
                kept.push(alternative);
            }
        }
        *alternatives = kept;
        Ok(())
    }

    /// Whether there are rows with which one statement advances, whatever the others do.
    fn can_advance(&self, region: &Region, budget: &mut Budget) -> Result<bool, Stop> {
        for row in &region.rows {
            for sign in [Int::ONE, Int::NEG_ONE] {
                let mut constraint = form(&self.layout, region.statement, row, &sign);
                constraint[0] -= &Int::ONE;
                let mut program = self.system.clone();
                program.add_ineq(constraint);
                if matches!(ilp_lexmin(&program, budget)?, LexOutcome::Point(_)) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
