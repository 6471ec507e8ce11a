//! The run-time check: under which parameter values, and for which places of the arrays in memory, the optimized code may run.
//!
//! # Method
//! 1. The condition is the intersection of all assumptions, simplified with what the context already guarantees.
//! 2. For each array of a may-alias pair, bounds of its outermost subscript over all accesses: the piecewise minimum and maximum over the domains.
//!    Inner subscripts lie in their extents (proven or assumed), so the bounds give one interval of bytes per array.
//! 3. Two arrays of a pair need a test only if both are accessed and one of them is written.

use poly_presburger::{Aff, Budget, DimKind, PwAff, Set, Stop};

use crate::plan::{ArrayRange, RuntimeCheck};
use crate::{AccessKind, ArrayId, Scop};

/// Why no run-time check can be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckFailure {
    /// The assumptions contradict each other or the context: the optimized code would never run.
    NeverHolds,
    /// An array has no bounds that are functions of the parameters.
    Unbounded(ArrayId),
}

/// Builds the check of a SCoP.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn runtime_check(scop: &Scop, budget: &mut Budget) -> Result<Result<RuntimeCheck, CheckFailure>, Stop> {
    let mut condition = Set::universe(scop.context.space().clone());
    for assumption in &scop.assumptions {
        condition = condition.intersect(&assumption.holds);
    }
    if condition.intersect(&scop.context).is_empty(budget)? {
        return Ok(Err(CheckFailure::NeverHolds));
    }
    let known = scop.context.intersect(&condition);
    let condition = condition.coalesce(budget)?.gist(&scop.context, budget)?;
    let mut ranges: Vec<(ArrayId, ArrayRange)> = Vec::new();
    let mut disjoint = Vec::new();
    for &(a, b) in &scop.may_alias {
        if !is_needed(scop, a, b) {
            continue;
        }
        for array in [a, b] {
            if ranges.iter().any(|(known, _)| *known == array) {
                continue;
            }
            match array_range(scop, array, &known, budget)? {
                Some(range) => ranges.push((array, range)),
                None => return Ok(Err(CheckFailure::Unbounded(array))),
            }
        }
        let range_of = |array: ArrayId| {
            let found = ranges.iter().find(|(known, _)| *known == array);
            found.expect("the ranges of both arrays have just been made").1.clone()
        };
        disjoint.push((range_of(a), range_of(b)));
    }
    Ok(Ok(RuntimeCheck { condition, disjoint }))
}

fn is_needed(scop: &Scop, a: ArrayId, b: ArrayId) -> bool {
    let accessed = |array: ArrayId, written: bool| {
        scop.statements
            .iter()
            .flat_map(|s| &s.accesses)
            .any(|access| access.array == array && (!written || access.kind != AccessKind::Read))
    };
    accessed(a, false) && accessed(b, false) && (accessed(a, true) || accessed(b, true))
}

/// Bounds of the outermost subscript of an array; `None` when it is not bounded by functions of the parameters.
fn array_range(scop: &Scop, array: ArrayId, known: &Set, budget: &mut Budget) -> Result<Option<ArrayRange>, Stop> {
    let mut range = ArrayRange { array, min: Vec::new(), max: Vec::new() };
    for statement in &scop.statements {
        for access in statement.accesses.iter().filter(|a| a.array == array) {
            let domain = statement.domain.intersect_params(known);
            let elements = access.relation.intersect_domain(&domain).range();
            if elements.is_empty(budget)? {
                continue;
            }
            let inner = scop.arrays[array.index()].rank - 1;
            let outermost = elements.project_out(DimKind::Out, 1, inner);
            if !outermost.is_bounded(budget)? {
                return Ok(None);
            }
            add_bounds(&mut range.min, outermost.dim_min(0, budget)?);
            add_bounds(&mut range.max, outermost.dim_max(0, budget)?);
        }
    }
    Ok((!range.min.is_empty() && !range.max.is_empty()).then_some(range))
}

/// Adds the pieces of a bound. Where a piece is evaluated outside its domain the interval only gets wider.
fn add_bounds(bounds: &mut Vec<Aff>, bound: PwAff) {
    for (_, piece) in bound.pieces() {
        if !bounds.contains(piece) {
            bounds.push(piece.clone());
        }
    }
}
