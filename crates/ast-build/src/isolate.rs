//! Isolation: a set of counter values, full tiles above all, gets a loop of its own.
//!
//! A band may say which part of its schedule space is to be generated apart from the rest (isl's
//! option `isolate`). At one level this is a list of convex sets over the outer dimensions and the
//! counter `t`. Each consists of conditions `g` on the outer dimensions, lower bounds with maximum
//! `L` and upper bounds with minimum `U` on `t`. Where `g` holds, the range is cut into
//!
//! * the prologue `t <= L - 1`,
//! * the isolated range `L <= t <= U`,
//! * the epilogue `t >= max(L, U + 1)`,
//!
//! which leave no gap and do not overlap, also if the isolated range is empty. Where no `g` holds,
//! the level is cut as it would be without isolation. Constraints that hold for all polyhedra are
//! left out first, so that in the usual case (tiles that are full in all outer dimensions) neither
//! prologue nor epilogue is left.
//!
//! A second set ([`poly_schedule_tree::ISOLATE_REST`]) may say what is isolated where no `g` of the
//! first one holds: tiles that are not full.
//!
//! What is isolated changes the form of the program, never what it runs: every polyhedron is
//! scanned in each of the ranges.

use poly_presburger::{BasicSet, Budget, DimKind, Row, Stop};

use crate::atomic::{self, Hull, inequalities};
use crate::constraint_system::{ConstraintSystem, complement};
use crate::context::Context;
use crate::core::outer_part;
use crate::interval::{Interval, Polyhedron, restrict_polyhedron};
use crate::partition::{LevelOptions, partition};
use crate::refine::{refine, without_constraints};
use crate::shadow::{Shadow, value_equality};

/// More isolated sets than these are not worth the code.
const MAX_SETS: usize = 4;

/// An isolated set by kind of constraint.
struct Region {
    /// Constraints on outer dimensions only.
    conditions: BasicSet,
    lower: Vec<Row>,
    upper: Vec<Row>,
}

/// The intervals of a level some values of which are isolated, in order for all values of the outer
/// dimensions.
pub(crate) fn intervals(
    context: &Context,
    polyhedra: Vec<Polyhedron>,
    isolated: &[BasicSet],
    options: &LevelOptions<'_>,
    budget: &mut Budget,
) -> Result<Vec<Interval>, Stop> {
    let domains: Vec<&BasicSet> = polyhedra.iter().map(|p| &p.shadow.domain).collect();
    let whole = atomic::hull(context, &domains, budget)?;
    let mut intervals = Vec::new();
    let mut done: Vec<BasicSet> = Vec::new();
    for set in isolated.iter().filter(|set| set.divs().is_empty()).take(MAX_SETS) {
        let Some(region) = region(context, &whole.convex, set, budget)? else { continue };
        let Some(mut own) = region.intervals(context, &polyhedra, &whole, options, budget)? else { continue };
        own.iter_mut().for_each(|interval| interval.unless.extend(done.iter().cloned()));
        intervals.extend(own);
        let everywhere = region.conditions.ineqs().is_empty();
        done.push(outer_part(&region.conditions));
        if everywhere {
            return Ok(intervals);
        }
    }
    let mut rest = partition(context, polyhedra, options, budget)?;
    rest.iter_mut().for_each(|interval| interval.unless.extend(done.iter().cloned()));
    intervals.extend(rest);
    Ok(intervals)
}

/// The constraints of an isolated set that do not hold everywhere; `None` if there is no point of
/// it.
fn region(context: &Context, whole: &BasicSet, set: &BasicSet, budget: &mut Budget) -> Result<Option<Region>, Stop> {
    let mut system = ConstraintSystem::new(1 + set.n_var());
    system.constrain(&context.generated);
    system.constrain(whole);
    let mut inside = system.clone();
    inside.constrain(set);
    if inside.is_empty(budget)? {
        return Ok(None);
    }
    let map = system.columns(set);
    let col = set.offset(DimKind::Div) - 1;
    let mut rows = inequalities(set);
    rows.sort_by_key(|row| !row[col].is_zero());
    let mut region = Region { conditions: without_constraints(set), lower: Vec::new(), upper: Vec::new() };
    for row in rows {
        let placed = system.place(&row, &map);
        if system.implies(&placed, budget)? {
            continue;
        }
        system.add_ineq(placed);
        match row[col].signum() {
            0 => region.conditions.add_ineq(row),
            1 => region.lower.push(row),
            _ => region.upper.push(row),
        }
    }
    let mut known = ConstraintSystem::new(1 + set.n_var());
    known.constrain(&context.generated);
    known.constrain(whole);
    known.constrain(&region.conditions);
    let map = known.columns(set);
    region.lower = tightest(&known, &map, region.lower, budget)?;
    region.upper = tightest(&known, &map, region.upper, budget)?;
    Ok(Some(region))
}

/// The bounds on one side without those that follow from others.
fn tightest(known: &ConstraintSystem, map: &[usize], bounds: Vec<Row>, budget: &mut Budget) -> Result<Vec<Row>, Stop> {
    let placed: Vec<Row> = bounds.iter().map(|row| known.place(row, map)).collect();
    let Some(redundant) = known.redundant(&placed, budget)? else { return Ok(bounds) };
    Ok(bounds.into_iter().zip(redundant).filter(|(_, redundant)| !redundant).map(|(row, _)| row).collect())
}

impl Region {
    fn with(&self, rows: impl IntoIterator<Item = Row>) -> BasicSet {
        let mut set = self.conditions.clone();
        rows.into_iter().for_each(|row| set.add_ineq(row));
        set
    }

    /// Only the constraint `row >= 0`.
    fn half(&self, row: Row) -> BasicSet {
        let mut set = without_constraints(&self.conditions);
        set.add_ineq(row);
        set
    }

    /// Prologue, isolated range and epilogue, where the conditions hold. `None` where a loop with
    /// bounds by cases would be needed but the counter has one value only, so that there would be
    /// no loop.
    fn intervals(
        &self,
        context: &Context,
        polyhedra: &[Polyhedron],
        whole: &Hull,
        options: &LevelOptions<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Vec<Interval>>, Stop> {
        let guarded = Hull { convex: whole.convex.intersect(&self.conditions), ..whole.clone() };
        let by_cases =
            |hull: Hull| Interval { hull, polyhedra: polyhedra.to_vec(), restrict: false, unless: Vec::new() };
        let before: Vec<BasicSet> = self.lower.iter().map(|row| self.half(complement(row))).collect();
        let after: Vec<BasicSet> = self.upper.iter().map(|row| self.half(complement(row))).collect();
        if self.lower.len() > 1 || self.upper.len() > 1 || (!self.lower.is_empty() && !self.upper.is_empty()) {
            let known = refine(&context.generated, &guarded.convex, budget)?;
            if known.is_none_or(|set| value_equality(&set, context.depth()).is_some()) {
                return Ok(None);
            }
        }
        let mut intervals = Vec::new();
        match &self.lower[..] {
            [] => {}
            [only] => intervals.extend(within(context, polyhedra, &self.with([complement(only)]), options, budget)?),
            _ => {
                let mut prologue = guarded.clone();
                prologue.upper.push(before);
                intervals.push(by_cases(prologue));
            }
        }
        let all = self.lower.iter().chain(&self.upper).cloned();
        intervals.extend(within(context, polyhedra, &self.with(all), options, budget)?);
        match (&self.lower[..], &self.upper[..]) {
            (_, []) => {}
            ([], [only]) => {
                intervals.extend(within(context, polyhedra, &self.with([complement(only)]), options, budget)?)
            }
            _ => {
                let mut epilogue = guarded;
                epilogue.lower.extend(self.lower.iter().map(|row| vec![self.half(row.clone())]));
                epilogue.lower.push(after);
                intervals.push(by_cases(epilogue));
            }
        }
        Ok(Some(intervals))
    }
}

/// The intervals of the polyhedra within a convex range.
fn within(
    context: &Context,
    polyhedra: &[Polyhedron],
    range: &BasicSet,
    options: &LevelOptions<'_>,
    budget: &mut Budget,
) -> Result<Vec<Interval>, Stop> {
    let mut restricted = Vec::new();
    for polyhedron in polyhedra {
        let polyhedron = restrict_polyhedron(polyhedron, range);
        if let Some(domain) = refine(&context.generated, &polyhedron.shadow.domain, budget)? {
            restricted.push(Polyhedron { shadow: Shadow { domain, ..polyhedron.shadow }, ..polyhedron });
        }
    }
    if restricted.is_empty() { Ok(Vec::new()) } else { partition(context, restricted, options, budget) }
}
