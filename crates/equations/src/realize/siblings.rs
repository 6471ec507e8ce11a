//! Reductions that are parts of one.
//!
//! # Problem
//! The factors of a matrix in one array have two equations, above the diagonal and below it, with
//! sums of the same products: `sum[k : k < i] F[i, k] * F[k, j]` and `sum[k : k < j] ..`. As two
//! statements they are two loops, each with ends of its own, where one is enough.
//!
//! # Definitions
//! Two local reductions are *siblings* if
//! 1. they have one operator, one type, and the same body;
//! 2. they have no element in common, and are read by one variable only, which is the same;
//! 3. the points of both together are one basic set.
//!
//! # Algorithm
//! Siblings become one variable with the elements and points of both, until there are none.
//!
//! # Invariants
//! Every element has the points that it had, so values and what they depend on stay.

use poly_presburger::{Budget, MultiAff, Set, Stop, Tuple};

use crate::domain::{body_context, named};
use crate::print::expr_text;
use crate::program::{Equation, Expr, ExprKind, Reduce, Role, System};
use crate::pullback::pullback;
use crate::transform::{context_of, rewrite_reads, without};

/// The system, which is in normal form, without siblings.
pub(super) fn joined(system: &System, budget: &mut Budget) -> Result<System, Stop> {
    let mut system = system.clone();
    while let Some(pair) = siblings(&system, budget)? {
        system = as_one(&system, &pair);
    }
    Ok(system)
}

/// Two variables, and what they are together.
struct Siblings {
    first: usize,
    second: usize,
    elements: Set,
    points: Set,
}

fn siblings(system: &System, budget: &mut Budget) -> Result<Option<Siblings>, Stop> {
    let sums: Vec<usize> = (0..system.equations.len()).filter(|&at| reduction(system, at).is_some()).collect();
    for (number, &first) in sums.iter().enumerate() {
        for &second in &sums[number + 1..] {
            if let Some(pair) = together(system, first, second, budget)? {
                return Ok(Some(pair));
            }
        }
    }
    Ok(None)
}

/// The equation at a position, if it is a reduction that only other equations see.
fn reduction(system: &System, at: usize) -> Option<(&Equation, &Reduce)> {
    let equation = &system.equations[at];
    match &equation.body.kind {
        ExprKind::Reduce(reduce) if system.variables[equation.variable].role == Role::Let => Some((equation, reduce)),
        _ => None,
    }
}

/// The only variable that reads this one.
fn only_reader(system: &System, variable: usize) -> Option<usize> {
    let mut readers = system.equations.iter().filter(|equation| equation.body.reads().contains(&variable));
    let reader = readers.next()?.variable;
    readers.next().is_none().then_some(reader)
}

fn together(system: &System, first: usize, second: usize, budget: &mut Budget) -> Result<Option<Siblings>, Stop> {
    let (Some((a, one)), Some((b, two))) = (reduction(system, first), reduction(system, second)) else {
        return Ok(None);
    };
    let (x, y) = (&system.variables[a.variable], &system.variables[b.variable]);
    let reader = only_reader(system, a.variable);
    let is_alike = one.operator == two.operator
        && x.scalar == y.scalar
        && x.dims() == y.dims()
        && one.dims.len() == two.dims.len()
        && reader.is_some()
        && reader == only_reader(system, b.variable);
    if !is_alike {
        return Ok(None);
    }
    let names: Vec<String> = a.dims.iter().chain(&one.dims).cloned().collect();
    let rename = MultiAff::identity(&system.scope(&names)).set_range_tuple(Tuple::anonymous(names.len()));
    let renamed = pullback(&two.body, &rename, &names, &system.params);
    if expr_text(system, &one.body, &names) != expr_text(system, &renamed, &names) {
        return Ok(None);
    }
    let others = named(&y.domain, x.domain.space());
    if !x.domain.intersect(&others).is_empty(budget)? {
        return Ok(None);
    }
    let points = body_context(one, &context_of(system, first));
    let other_points = named(&body_context(two, &context_of(system, second)), points.space());
    let points = points.union(&other_points).compute_divs(budget)?.coalesce(budget)?.compute_divs(budget)?;
    let elements = x.domain.union(&others).compute_divs(budget)?.coalesce(budget)?.compute_divs(budget)?;
    let is_one = points.basics().len() == 1;
    Ok(is_one.then_some(Siblings { first: a.variable, second: b.variable, elements, points }))
}

fn as_one(system: &System, pair: &Siblings) -> System {
    let mut result = system.clone();
    result.variables[pair.first].domain = pair.elements.clone();
    for equation in result.equations.iter_mut().filter(|equation| equation.variable == pair.first) {
        if let ExprKind::Reduce(reduce) = &mut equation.body.kind {
            reduce.domain = named(&pair.points, reduce.domain.space());
        }
    }
    rewrite_reads(&mut result, &mut |_, read, access, _, span| {
        (read == pair.second).then(|| Expr::new(ExprKind::Read(pair.first, access.clone()), span))
    });
    without(&result, pair.second)
}
