//! A reduction as a recurrence: its points one after the other.

use poly_presburger::{Budget, DimKind, Map, MultiAff, PwMultiAff, Set, Space, Stop, Tuple};

use super::{Transformed, context_of, pieces, stopped, variable};
use crate::check::{Class, class};
use crate::domain::{answers, body_context, has_neutral, named};
use crate::normalize::without_functions;
use crate::program::{Branch, Equation, Expr, ExprKind, Reduce, Role, Scalar, System, Variable, operation};
use crate::value::{Value, neutral};

/// Accumulates the reduction that a variable is in lexicographic order of its points, or backwards:
/// `X_acc[z, x]` is what has been combined up to the point `x`.
///
/// # Errors
/// Why it is not possible.
pub fn serialize(system: &System, name: &str, backwards: bool, budget: &mut Budget) -> Transformed {
    let target = variable(system, name)?;
    let position = system.equations.iter().position(|e| e.variable == target).ok_or("it is an input")?;
    let equation = &system.equations[position];
    let flat = without_functions(&equation.body, &equation.dims, system);
    let ExprKind::Reduce(reduce) = flat.kind else {
        return Err(format!("`{name}` is no reduction (`normalize` gives reductions variables of their own)"));
    };
    let context = context_of(system, position);
    accumulated(system, position, &reduce, &context, backwards, budget).map_err(stopped)
}

fn accumulated(
    system: &System,
    position: usize,
    reduce: &Reduce,
    context: &Set,
    backwards: bool,
    budget: &mut Budget,
) -> Result<System, Stop> {
    let equation = &system.equations[position];
    let target = &system.variables[equation.variable];
    let points = body_context(reduce, context).compute_divs(budget)?.coalesce(budget)?.compute_divs(budget)?;
    let scope = points.space().clone();
    let n = equation.dims.len();
    let is_float = class(system, &reduce.body) == Class::Float;
    let mut result = system.clone();
    let acc = result.variables.len();
    let fresh = system.fresh_name(&format!("{}_acc", target.name));
    let scalar = if is_float { Scalar::F64 } else { Scalar::I64 };
    let span = equation.span.clone();
    result.variables.push(Variable {
        name: fresh,
        role: Role::Let,
        scalar,
        domain: points.clone(),
        span: span.clone(),
    });
    let read = |map: &MultiAff| {
        Expr::new(ExprKind::Read(acc, map.set_range_tuple(Tuple::anonymous(scope.dim(DimKind::Out)))), &span)
    };
    let combined = |a: Expr| {
        let kind = ExprKind::Binary(operation(reduce.operator), Box::new(a), Box::new(reduce.body.clone()));
        Expr::new(kind, &span)
    };
    let zero = neutral(reduce.operator, is_float).map(|value| constant(value, &span));
    // From a point to the one before it.
    let mut branches = Vec::new();
    let mut first = points.clone();
    for (domain, map) in pieces(&neighbour(&points, n, backwards, budget)?, &scope, budget)? {
        first = first.subtract(&domain, budget)?;
        branches.push(Branch { domain, body: combined(read(&map)) });
    }
    let start = match (&zero, is_float) {
        // `0.0 + x` is not `x` for a negative zero, and the interpreter begins so.
        (Some(zero), true) => combined(zero.clone()),
        _ => reduce.body.clone(),
    };
    let first = first.compute_divs(budget)?.coalesce(budget)?.compute_divs(budget)?;
    branches.insert(0, Branch { domain: named(&first, &scope), body: start });
    let dims: Vec<String> = equation.dims.iter().chain(&reduce.dims).cloned().collect();
    let body = crate::normalize::assembled(branches, &points, &span, budget)?;
    result.equations.push(Equation { variable: acc, dims, body, span: span.clone() });
    // The answer is what has been combined up to the last point.
    let mut ends = Vec::new();
    for (domain, map) in pieces(&last(&points, context.space(), n, backwards, budget)?, context.space(), budget)? {
        ends.push(Branch { domain, body: read(&map) });
    }
    if has_neutral(reduce.operator) {
        let none = context.subtract(&answers(&points, context.space()), budget)?.compute_divs(budget)?;
        if let (false, Some(zero)) = (none.is_empty(budget)?, zero) {
            ends.push(Branch { domain: named(&none, context.space()), body: zero });
        }
    }
    result.equations[position].body = crate::normalize::assembled(ends, context, &span, budget)?;
    Ok(result)
}

fn constant(value: Value, span: &crate::Span) -> Expr {
    match value {
        Value::Float(value) => Expr::new(ExprKind::Float(value), span),
        Value::Int(value) => Expr::new(ExprKind::Int(value), span),
        Value::Bool(value) => Expr::new(ExprKind::Int(i64::from(value)), span),
    }
}

/// From each point to the one that is combined before it.
fn neighbour(points: &Set, n: usize, backwards: bool, budget: &mut Budget) -> Result<PwMultiAff, Stop> {
    let space = points.space();
    let same = Map::equal_prefix(space, n);
    let earlier = if backwards { Map::lex_lt(space) } else { Map::lex_gt(space) };
    let pairs = earlier.intersect(&same).intersect_domain(points).intersect_range(points);
    Ok(if backwards { pairs.lexmin(budget)? } else { pairs.lexmax(budget)? })
}

/// From each answer to the point that is combined last.
fn last(points: &Set, scope: &Space, n: usize, backwards: bool, budget: &mut Budget) -> Result<PwMultiAff, Stop> {
    let whole = points.space();
    let names = scope.range.clone().expect("a scope has a tuple");
    let projection = MultiAff::projection(whole, 0, n).set_range_tuple(names);
    let pairs = projection.to_map().intersect_domain(points).reverse();
    Ok(if backwards { pairs.lexmin(budget)? } else { pairs.lexmax(budget)? })
}
