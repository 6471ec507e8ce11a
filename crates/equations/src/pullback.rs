//! Expressions at functions of another scope: rules 1, 3, 5, 8, 10 and 11 of normalization.

use poly_presburger::{Aff, DimKind, Id, MultiAff, Set, Space, Tuple};

use crate::domain::preimage;
use crate::program::{Branch, Expr, ExprKind, Reduce, distinct, scope};

/// The expression at `map`, which leads from a scope with names `dims` to that of the expression.
///
/// 1. `f @ (a op b)` is `f @ a op f @ b`, and so for all operations;
/// 3. `f @ X[g]` is `X[g f]`;
/// 5. `f @ (D : e)` is `f^-1(D) : f @ e`, and 8. so for every branch of a case;
/// 10. `f @ val[g]` is `val[g f]`;
/// 11. a reduction keeps its own dimensions, under names that the new scope does not have.
///
/// The recursion is bounded by the depth of the expression.
pub(crate) fn pullback(expr: &Expr, map: &MultiAff, dims: &[String], params: &[Id]) -> Expr {
    let inner = |e: &Expr| Box::new(pullback(e, map, dims, params));
    let kind = match &expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) => expr.kind.clone(),
        ExprKind::Index(aff) => ExprKind::Index(aff.pullback(map)),
        ExprKind::Read(variable, access) => ExprKind::Read(*variable, after(access, map)),
        ExprKind::Unary(operator, e) => ExprKind::Unary(*operator, inner(e)),
        ExprKind::Binary(operator, a, b) => ExprKind::Binary(*operator, inner(a), inner(b)),
        ExprKind::Call(external, values) => {
            ExprKind::Call(*external, values.iter().map(|e| pullback(e, map, dims, params)).collect())
        }
        ExprKind::If(a, b, c) => ExprKind::If(inner(a), inner(b), inner(c)),
        ExprKind::Case(branches) => {
            let space = scope(params, dims);
            let branch = |b: &Branch| Branch { domain: set_at(&b.domain, map, &space), body: *inner(&b.body) };
            ExprKind::Case(branches.iter().map(branch).collect())
        }
        ExprKind::At { map: own, dims: names, body } => {
            ExprKind::At { map: after(own, map), dims: names.clone(), body: body.clone() }
        }
        ExprKind::Reduce(reduce) => {
            let names = distinct(&reduce.dims, dims);
            let all: Vec<String> = dims.iter().chain(&names).cloned().collect();
            let longer = extended(map, &all, params);
            let domain = set_at(&reduce.domain, &longer, &scope(params, &all));
            let body = pullback(&reduce.body, &longer, &all, params);
            ExprKind::Reduce(Box::new(Reduce { operator: reduce.operator, dims: names, domain, body }))
        }
    };
    Expr::new(kind, &expr.span)
}

/// `f` after `map`.
pub(crate) fn after(f: &MultiAff, map: &MultiAff) -> MultiAff {
    f.pullback(map).set_range_tuple(Tuple::anonymous(f.n_out()))
}

fn set_at(set: &Set, map: &MultiAff, space: &Space) -> Set {
    preimage(set, map, space)
}

/// The function that also keeps the dimensions behind those that it is of; `all` are the names of
/// all.
pub(crate) fn extended(map: &MultiAff, all: &[String], params: &[Id]) -> MultiAff {
    let space = scope(params, all);
    let n = map.domain_space().dim(DimKind::Out);
    let first = MultiAff::projection(&space, 0, n).set_range_tuple(Tuple::anonymous(n));
    let mut affs: Vec<Aff> = after(map, &first).affs().to_vec();
    affs.extend((n..all.len()).map(|i| Aff::var(space.clone(), DimKind::Out, i)));
    let count = affs.len();
    MultiAff::into_tuple(&space, Tuple::anonymous(count), affs)
}
