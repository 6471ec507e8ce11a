//! Where an expression has a value.

use poly_presburger::{Budget, DimKind, Map, MultiAff, Set, Space, Stop};
use poly_reductions::Operator;

use crate::program::{Expr, ExprKind, Reduce, System};

/// The points of a scope at which an expression has a value. The recursion is bounded by the depth
/// of the expression.
pub(crate) fn domain(system: &System, expr: &Expr, scope: &Space, budget: &mut Budget) -> Result<Set, Stop> {
    let universe = || Set::universe(scope.clone());
    let all = |parts: &[&Expr], budget: &mut Budget| {
        let mut set = universe();
        for part in parts {
            set = set.intersect(&domain(system, part, scope, budget)?);
        }
        Ok::<Set, Stop>(set)
    };
    let found = match &expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Index(_) => return Ok(universe()),
        ExprKind::Read(variable, access) => preimage(&system.variables[*variable].domain, access, scope),
        ExprKind::Unary(_, e) => return domain(system, e, scope, budget),
        ExprKind::Binary(_, a, b) => all(&[a, b], budget)?,
        ExprKind::Call(_, values) => all(&values.iter().collect::<Vec<_>>(), budget)?,
        ExprKind::If(a, b, c) => all(&[a, b, c], budget)?,
        ExprKind::Case(branches) => {
            let mut union = Set::empty(scope.clone());
            for branch in branches {
                let part = domain(system, &branch.body, scope, budget)?.intersect(&branch.domain);
                union = union.union(&part);
            }
            union
        }
        ExprKind::At { map, body, .. } => {
            let inner = domain(system, body, &map.range_space(), budget)?;
            preimage(&inner, map, scope)
        }
        ExprKind::Reduce(reduce) => {
            let inside = domain(system, &reduce.body, reduce.domain.space(), budget)?;
            let without = answers(&reduce.domain.subtract(&inside, budget)?, scope);
            let complete = without.complement(budget)?;
            if has_neutral(reduce.operator) { complete } else { complete.intersect(&answers(&reduce.domain, scope)) }
        }
    };
    found.compute_divs(budget)?.coalesce(budget)?.compute_divs(budget)
}

/// Whether a reduction of nothing has a value.
pub(crate) fn has_neutral(operator: Operator) -> bool {
    !matches!(operator, Operator::Min | Operator::Max)
}

/// The points that a function maps into a set.
pub(crate) fn preimage(set: &Set, by: &MultiAff, scope: &Space) -> Set {
    let tuple = by.range_space().range.expect("a function has a range");
    named(&set.set_tuple(tuple).preimage(by), scope)
}

/// The set under the names of a scope of as many dimensions.
pub(crate) fn named(set: &Set, scope: &Space) -> Set {
    set.set_tuple(scope.range.clone().expect("a scope has a tuple")).align_params(scope)
}

/// The points of a scope that have a point of a longer one.
pub(crate) fn answers(set: &Set, scope: &Space) -> Set {
    let n = scope.dim(DimKind::Out);
    named(&set.project_out(DimKind::Out, n, set.n_dim() - n), scope)
}

/// The points of the domain of a reduction whose answers are in a set.
pub(crate) fn body_context(reduce: &Reduce, context: &Set) -> Set {
    let extended = context.add_dims(DimKind::Out, reduce.dims.len());
    named(&extended, reduce.domain.space()).intersect(&reduce.domain)
}

/// From answers to the points that contribute.
pub(crate) fn contributions(points: &Set, scope: &Space) -> Map {
    let n = scope.dim(DimKind::Out);
    let range = poly_presburger::Tuple::anonymous(points.n_dim() - n);
    let domain = scope.range.clone().expect("a scope has a tuple");
    let space = Space::map(points.space().params.clone(), domain.clone(), range.clone());
    let pair = poly_presburger::Tuple::wrapping(domain, range);
    debug_assert_eq!(space.n_var(), points.space().n_var(), "only the tuples change");
    points.set_tuple(pair).unwrap()
}
