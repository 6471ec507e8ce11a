//! The best row for every statement of a group.
//!
//! # Problem
//! Minimize the variables of a [`Layout`] lexicographically, subject to linear constraints and to
//! *non-triviality*: the rows of some statements must lie in their [`Region`]s.
//!
//! # Algorithm
//! Regions that one constraint describes are added to the constraints. For the others, branch and
//! bound: solve without them; take the first statement whose row is outside its region; for each
//! row `K_i` of the region continue with `K_i c >= 1` and with `K_i c <= -1`, both with `K_j c = 0`
//! for `j < i`. A branch is given up when what it minimizes, up to the objectives, is not better
//! than the best row known. The first solution found among equally good ones is kept. Where
//! distances grow with the parameters, it is taken without shifts if they then grow no faster.
//!
//! # Invariants
//! A branch contains constraints for each statement at most once, so the depth is at most the
//! number of statements, and what else is violated ([`Violated`]). After [`MAX_BRANCHES`] programs
//! the search ends with what it has.

use poly_arith::Int;
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::solver::{LexOutcome, System, ilp_lexmin};

use crate::edge::Rows;
use crate::independence::Region;
use crate::layout::{DISTANCES, Layout, SUM_K, SUM_U, Unknown};

/// Number of integer programs after which a search that has a solution ends.
const MAX_BRANCHES: usize = 64;

/// So many entries of constraints count as one operation.
const CONSTRAINTS: u64 = 8;

/// Rows with what they cost.
#[derive(Clone, Debug)]
pub(crate) struct Solution {
    pub(crate) rows: Rows,
    /// Sum of `u`, `w`, sum of `v`, `x`.
    pub(crate) distances: Vec<Int>,
}

/// Constraints `row >= 0` on the variables of a layout.
pub(crate) type Alternative = Vec<Vec<Int>>;

/// What rows violate: constraints of which one alternative has to hold. With any of them it is not
/// violated any more.
pub(crate) type Violated<'a> = dyn FnMut(&Rows, &mut Budget) -> Result<Option<Vec<Alternative>>, Stop> + 'a;

/// The best rows, or `None` if there are none.
pub(crate) fn best_rows(
    layout: &Layout,
    system: System,
    regions: &[Region],
    budget: &mut Budget,
) -> Result<Option<Solution>, Stop> {
    best_rows_where(layout, system, regions, &mut |_, _| Ok(None), budget)
}

/// The best rows that violate nothing, or `None` if there are none. What is asked for must not
/// depend on constants.
pub(crate) fn best_rows_where(
    layout: &Layout,
    mut system: System,
    regions: &[Region],
    violated: &mut Violated<'_>,
    budget: &mut Budget,
) -> Result<Option<Solution>, Stop> {
    let mut branching = Vec::new();
    for region in regions {
        if !layout.shape.signed && region.is_non_negative() {
            system.add_ineq(sum_constraint(layout, region));
        } else {
            branching.push(region);
        }
    }
    let mut best: Option<Vec<Int>> = None;
    let mut open = vec![Branch::default()];
    let mut solved = 0;
    while let Some(branch) = open.pop() {
        solved += 1;
        if best.is_some() && solved > MAX_BRANCHES {
            break;
        }
        // What it costs to look at the constraints at all.
        budget.spend((system.n * (system.eqs.len() + system.ineqs.len())) as u64 / CONSTRAINTS)?;
        let mut program = system.clone();
        for side in &branch.sides {
            side.constrain(layout, branching[side.region], &mut program);
        }
        program.ineqs.extend(branch.alternatives.iter().cloned());
        let LexOutcome::Point(point) = lexmin(layout, &program, budget)? else { continue };
        if best.as_ref().is_some_and(|best| layout.objectives(&point) >= layout.objectives(best)) {
            continue;
        }
        let rows = layout.rows(&point);
        let outside = (0..branching.len()).find(|&r| {
            let region = branching[r];
            !region.contains(&rows[&region.statement].iterators)
        });
        match outside {
            None => match violated(&rows, budget)? {
                None => best = Some(point),
                Some(alternatives) => open.extend(alternatives.into_iter().rev().map(|more| branch.with(more))),
            },
            Some(region) => {
                // The last one pushed is tried first.
                for row in (0..branching[region].rows.len()).rev() {
                    for positive in [false, true] {
                        let mut next = branch.clone();
                        next.sides.push(Side { region, row, positive });
                        open.push(next);
                    }
                }
            }
        }
    }
    let Some(mut point) = best else { return Ok(None) };
    if point[SUM_U].is_pos() && point[SUM_K].is_pos() {
        point = without_shifts(layout, system, &point, budget)?.unwrap_or(point);
    }
    Ok(Some(Solution { rows: layout.rows(&point), distances: point[..DISTANCES].to_vec() }))
}

/// The least point in the order in which the variables are minimized.
fn lexmin(layout: &Layout, program: &System, budget: &mut Budget) -> Result<LexOutcome, Stop> {
    let Some(order) = layout.minimized() else { return ilp_lexmin(program, budget) };
    let sorted =
        |row: &Vec<Int>| std::iter::once(0).chain(order.iter().map(|v| 1 + v)).map(|c| row[c].clone()).collect();
    let sorted = System {
        n: program.n,
        eqs: program.eqs.iter().map(sorted).collect(),
        ineqs: program.ineqs.iter().map(sorted).collect(),
    };
    Ok(match ilp_lexmin(&sorted, budget)? {
        LexOutcome::Point(values) => {
            let mut point = vec![Int::ZERO; program.n];
            order.iter().zip(values).for_each(|(&variable, value)| point[variable] = value);
            LexOutcome::Point(point)
        }
        other => other,
    })
}

/// The same rows but for constants, which are 0, if the bound on the distances grows no faster with
/// the parameters then: where it grows, a few iterations more or less do not matter, while shifted
/// statements do not fill their tiles.
fn without_shifts(
    layout: &Layout,
    mut program: System,
    point: &[Int],
    budget: &mut Budget,
) -> Result<Option<Vec<Int>>, Stop> {
    let mut fix = |variable: usize, value: &Int| {
        let mut row = layout.zero_row();
        row[1 + variable] = Int::NEG_ONE;
        row[0] = value.clone();
        program.add_eq(row);
    };
    fix(SUM_U, &point[SUM_U]);
    fix(SUM_K, &Int::ZERO);
    layout.coefficients().for_each(|variable| fix(variable, &point[variable]));
    match lexmin(layout, &program, budget)? {
        LexOutcome::Point(point) => Ok(Some(point)),
        _ => Ok(None),
    }
}

/// What one branch of the search asks for.
#[derive(Clone, Debug, Default)]
struct Branch {
    sides: Vec<Side>,
    /// Rows that are not negative.
    alternatives: Alternative,
}

impl Branch {
    fn with(&self, more: Alternative) -> Branch {
        let mut branch = self.clone();
        branch.alternatives.extend(more);
        branch
    }
}

/// One half-space of a region.
#[derive(Clone, Copy, Debug)]
struct Side {
    region: usize,
    row: usize,
    positive: bool,
}

impl Side {
    fn constrain(self, layout: &Layout, region: &Region, program: &mut System) {
        for row in &region.rows[..self.row] {
            program.add_eq(form(layout, region.statement, row, &Int::ONE));
        }
        let sign = if self.positive { Int::ONE } else { Int::NEG_ONE };
        let mut constraint = form(layout, region.statement, &region.rows[self.row], &sign);
        constraint[0] -= Int::ONE;
        program.add_ineq(constraint);
    }
}

/// `sign * row . c` of a statement.
pub(crate) fn form(layout: &Layout, statement: usize, row: &[Int], sign: &Int) -> Vec<Int> {
    let mut constraint = layout.zero_row();
    for (i, value) in row.iter().enumerate() {
        layout.add(&mut constraint, Unknown::Iterator(statement, i), &(value * sign));
    }
    constraint
}

/// The sum of the rows of a non-negative region is at least 1.
fn sum_constraint(layout: &Layout, region: &Region) -> Vec<Int> {
    let mut constraint = layout.zero_row();
    for row in &region.rows {
        for (i, value) in row.iter().enumerate() {
            layout.add(&mut constraint, Unknown::Iterator(region.statement, i), value);
        }
    }
    constraint[0] -= Int::ONE;
    constraint
}
