//! Algebra of reductions: splitting, composing, factoring out.

use poly_presburger::{Aff, Budget, DimKind, MultiAff, Set, Tuple};
use poly_reductions::Operator;

use super::{Refusal, Transformed, context_of, stopped, variable};
use crate::check::{Class, class};
use crate::domain::{answers, body_context, has_neutral, named};
use crate::normalize::identity_read;
use crate::program::{Binary, Branch, Equation, Expr, ExprKind, Reduce, Role, Scalar, System, Variable, operation};
use crate::range::sums_fit;

/// The reduction that a variable is, and the position of its equation.
fn reduction(system: &System, name: &str) -> Result<(usize, Reduce), Refusal> {
    let target = variable(system, name)?;
    let position = system.equations.iter().position(|e| e.variable == target).ok_or("it is an input")?;
    match &system.equations[position].body.kind {
        ExprKind::Reduce(reduce) => Ok((position, (**reduce).clone())),
        _ => Err(format!("`{name}` is no reduction (`normalize` gives reductions variables of their own)")),
    }
}

fn with_body(system: &System, position: usize, kind: ExprKind) -> System {
    let mut result = system.clone();
    let span = result.equations[position].body.span.clone();
    result.equations[position].body = Expr::new(kind, &span);
    result
}

/// `sum (a + b)` as `sum a + sum b`, for every operator.
///
/// # Errors
/// Why it is not possible.
pub fn split_body(system: &System, name: &str) -> Transformed {
    let (position, reduce) = reduction(system, name)?;
    let (sign, a, b) = match &reduce.body.kind {
        ExprKind::Binary(operator, a, b) if *operator == operation(reduce.operator) => (*operator, a, b),
        // Differences of sums are sums of differences.
        ExprKind::Binary(Binary::Sub, a, b) if reduce.operator == Operator::Add => (Binary::Sub, a, b),
        _ => return Err(format!("the body is not combined by `{}`", crate::program::reduction_word(reduce.operator))),
    };
    let part = |body: &Expr| {
        Box::new(Expr::new(ExprKind::Reduce(Box::new(Reduce { body: body.clone(), ..reduce.clone() })), &body.span))
    };
    Ok(with_body(system, position, ExprKind::Binary(sign, part(a), part(b))))
}

/// Whether an operation of two parts may be inside of a reduction as well as outside.
fn distributes(system: &System, operator: Operator, times: Binary, parts: [&Expr; 2]) -> bool {
    match (operator, times) {
        (Operator::Add, Binary::Mul) => true,
        // Sums that wrap would change the order of values.
        (Operator::Min | Operator::Max, Binary::Add) => {
            parts.iter().any(|part| class(system, part) == Class::Float) || sums_fit(system, &parts)
        }
        (Operator::Min, Binary::Max) | (Operator::Max, Binary::Min) => true,
        (Operator::Or | Operator::Xor, Binary::BitAnd) | (Operator::And, Binary::BitOr) => true,
        _ => false,
    }
}

/// `sum a + sum b` over the same points as `sum (a + b)`, for every operator; also `sum a - sum b`.
///
/// # Errors
/// Why it is not possible.
pub fn join(system: &System, name: &str, budget: &mut Budget) -> Transformed {
    let target = variable(system, name)?;
    let position = system.equations.iter().position(|e| e.variable == target).ok_or("it is an input")?;
    let wrong = || Err(format!("`{name}` is no combination of two reductions"));
    let ExprKind::Binary(sign, a, b) = &system.equations[position].body.kind else { return wrong() };
    let (ExprKind::Reduce(a), ExprKind::Reduce(b)) = (&a.kind, &b.kind) else { return wrong() };
    let is_difference = *sign == Binary::Sub && a.operator == Operator::Add;
    if a.operator != b.operator || !(*sign == operation(a.operator) || is_difference) {
        return Err("the operators differ".to_owned());
    }
    if a.dims.len() != b.dims.len() {
        return Err("the reductions have different numbers of dimensions".to_owned());
    }
    let context = context_of(system, position);
    let points = [a, b].map(|part| body_context(part, &context));
    let other = named(&points[1], points[0].space());
    if !points[0].is_equal(&other, budget).map_err(stopped)? {
        return Err("the reductions have different points".to_owned());
    }
    let dims: Vec<String> = system.equations[position].dims.iter().chain(&a.dims).cloned().collect();
    let scope = system.scope(&dims);
    let same = MultiAff::identity(&scope).set_range_tuple(Tuple::anonymous(dims.len()));
    let second = crate::pullback::pullback(&b.body, &same, &dims, &system.params);
    let span = &system.equations[position].body.span;
    let body = Expr::new(ExprKind::Binary(*sign, Box::new(a.body.clone()), Box::new(second)), span);
    // The points are those of both bodies.
    let reduce = Reduce { body, domain: named(&points[0], a.domain.space()), ..(**a).clone() };
    Ok(with_body(system, position, ExprKind::Reduce(Box::new(reduce))))
}

/// `c * sum e` as `sum (c * e)`: the other direction of [`factor_out`].
///
/// # Errors
/// Why it is not possible.
pub fn distribute(system: &System, name: &str) -> Transformed {
    let target = variable(system, name)?;
    let position = system.equations.iter().position(|e| e.variable == target).ok_or("it is an input")?;
    let equation = &system.equations[position];
    let wrong = || Err(format!("`{name}` is no product of a reduction and something else"));
    let ExprKind::Binary(times, a, b) = &equation.body.kind else { return wrong() };
    let (reduce, factor, is_left) = match (&a.kind, &b.kind) {
        (ExprKind::Reduce(_), ExprKind::Reduce(_)) => return wrong(),
        (_, ExprKind::Reduce(reduce)) => (reduce, a, true),
        (ExprKind::Reduce(reduce), _) => (reduce, b, false),
        _ => return wrong(),
    };
    if !distributes(system, reduce.operator, *times, [factor, &reduce.body]) {
        return Err("one operation does not distribute over the other, or sums may wrap".to_owned());
    }
    let dims: Vec<String> = equation.dims.iter().chain(&reduce.dims).cloned().collect();
    let n = equation.dims.len();
    let outer = MultiAff::projection(&system.scope(&dims), 0, n).set_range_tuple(Tuple::anonymous(n));
    let factor = Box::new(crate::pullback::pullback(factor, &outer, &dims, &system.params));
    let rest = Box::new(reduce.body.clone());
    let (a, b) = if is_left { (factor, rest) } else { (rest, factor) };
    let body = Expr::new(ExprKind::Binary(*times, a, b), &equation.body.span);
    Ok(with_body(system, position, ExprKind::Reduce(Box::new(Reduce { body, ..(**reduce).clone() }))))
}

/// `sum (c * e)` as `c * sum e`, where `c` is the same for all points of an answer: the left or the
/// right operand.
///
/// # Errors
/// Why it is not possible.
pub fn factor_out(system: &System, name: &str, budget: &mut Budget) -> Transformed {
    let (position, reduce) = reduction(system, name)?;
    let dims = system.equations[position].dims.len();
    let ExprKind::Binary(times, a, b) = &reduce.body.kind else { return Err("the body is no product".to_owned()) };
    let is_float = class(system, &reduce.body) == Class::Float;
    let fits = distributes(system, reduce.operator, *times, [a, b]);
    if !fits {
        return Err("one operation does not distribute over the other, or sums may wrap".to_owned());
    }
    let scope = reduce.domain.space().clone();
    let outside = |e: &Expr| !e.all().iter().any(|part| moves(part, dims));
    let (factor, rest, left) = match (outside(a), outside(b)) {
        (true, _) => (a, b, true),
        (_, true) => (b, a, false),
        _ => return Err("both operands depend on the dimensions that are reduced".to_owned()),
    };
    // A point of the reduction for every answer is not needed: the factor does not look at it.
    let equation = &system.equations[position];
    let outer = system.scope(&equation.dims);
    let zero = |i: usize| if i < dims { Aff::var(outer.clone(), DimKind::Out, i) } else { Aff::zero(outer.clone()) };
    let section = MultiAff::into_tuple(
        &outer,
        Tuple::anonymous(scope.dim(DimKind::Out)),
        (0..scope.dim(DimKind::Out)).map(zero).collect(),
    );
    let factor = crate::pullback::pullback(factor, &section, &equation.dims, &system.params);
    let rest = Expr::new(ExprKind::Reduce(Box::new(Reduce { body: (**rest).clone(), ..reduce.clone() })), &rest.span);
    let (a, b) = if left { (factor.clone(), rest) } else { (rest, factor.clone()) };
    let product = ExprKind::Binary(*times, Box::new(a), Box::new(b));
    let context = context_of(system, position);
    // Where there are no points, the factor may have no value.
    let points = body_context(&reduce, &context);
    let some = answers(&points, context.space());
    let none = context.subtract(&some, budget).map_err(stopped)?;
    if none.is_empty(budget).map_err(stopped)? {
        return Ok(with_body(system, position, product));
    }
    let Some(value) = crate::value::neutral(reduce.operator, is_float) else {
        return Err("an answer has no points".to_owned());
    };
    let empty = match value {
        crate::Value::Float(value) => ExprKind::Float(value),
        crate::Value::Int(value) => ExprKind::Int(value),
        crate::Value::Bool(_) => return Err("an answer has no points".to_owned()),
    };
    let span = equation.span.clone();
    let tidy = |set: Set, budget: &mut Budget| set.compute_divs(budget)?.coalesce(budget)?.compute_divs(budget);
    let branches = vec![
        Branch { domain: named(&tidy(some, budget).map_err(stopped)?, &outer), body: Expr::new(product, &span) },
        Branch { domain: named(&tidy(none, budget).map_err(stopped)?, &outer), body: Expr::new(empty, &span) },
    ];
    Ok(with_body(system, position, ExprKind::Case(branches)))
}

/// Whether an expression itself looks at dimensions from `dims` on.
fn moves(expr: &Expr, dims: usize) -> bool {
    let looks = |aff: &Aff| {
        let n = aff.domain_space().dim(DimKind::Out);
        aff.involves_dims(DimKind::Out, dims, n - dims)
    };
    match &expr.kind {
        ExprKind::Index(aff) => looks(aff),
        ExprKind::Read(_, map) => map.affs().iter().any(looks),
        // Branches and other scopes are looked at as a whole by nobody here: they stay inside.
        ExprKind::Case(_) | ExprKind::Reduce(_) | ExprKind::At { .. } => true,
        _ => false,
    }
}

/// A reduction of a case as a combination of one reduction for each branch; for operators that have
/// a value for nothing.
///
/// # Errors
/// Why it is not possible.
pub fn permute_case(system: &System, name: &str) -> Transformed {
    let (position, reduce) = reduction(system, name)?;
    let ExprKind::Case(branches) = &reduce.body.kind else { return Err("the body is no case".to_owned()) };
    if !has_neutral(reduce.operator) {
        return Err("a part may have no points, and a minimum of nothing has no value".to_owned());
    }
    let span = &system.equations[position].body.span;
    let part = |branch: &Branch| {
        let domain = reduce.domain.intersect(&branch.domain);
        let inner = Reduce { domain, body: branch.body.clone(), ..reduce.clone() };
        Expr::new(ExprKind::Reduce(Box::new(inner)), span)
    };
    let combined = branches
        .iter()
        .map(part)
        .reduce(|a, b| Expr::new(ExprKind::Binary(operation(reduce.operator), Box::new(a), Box::new(b)), span));
    Ok(with_body(system, position, combined.expect("a case has a branch").kind))
}

/// A reduction over a union of polyhedra as a combination of one for each; for operators that have
/// a value for nothing.
///
/// # Errors
/// Why it is not possible.
pub fn split_points(system: &System, name: &str, budget: &mut Budget) -> Transformed {
    let (position, reduce) = reduction(system, name)?;
    if !has_neutral(reduce.operator) {
        return Err("a part may have no points, and a minimum of nothing has no value".to_owned());
    }
    let points = body_context(&reduce, &context_of(system, position));
    let parts =
        points.compute_divs(budget).and_then(|set| set.coalesce(budget)).and_then(|set| set.make_disjoint(budget));
    let parts: Vec<Set> = parts.map_err(stopped)?.basic_sets().map(Set::from_basic).collect();
    if parts.len() < 2 {
        return Err("its points are one polyhedron".to_owned());
    }
    let span = &system.equations[position].body.span;
    let part = |domain: Set| {
        let domain = named(&domain, reduce.domain.space());
        Expr::new(ExprKind::Reduce(Box::new(Reduce { domain, ..reduce.clone() })), span)
    };
    let combined = parts
        .into_iter()
        .map(part)
        .reduce(|a, b| Expr::new(ExprKind::Binary(operation(reduce.operator), Box::new(a), Box::new(b)), span));
    Ok(with_body(system, position, combined.expect("there are parts").kind))
}

/// A reduction as an outer one over a new variable, in which the last `inner` dimensions are
/// reduced.
///
/// # Errors
/// Why it is not possible.
pub fn decompose(system: &System, name: &str, inner: usize, budget: &mut Budget) -> Transformed {
    let (position, reduce) = reduction(system, name)?;
    if reduce.dims.len() < 2 {
        return Err("it reduces one dimension only".to_owned());
    }
    if inner == 0 || inner >= reduce.dims.len() {
        return Err(format!("between 1 and {} dimensions can be reduced first", reduce.dims.len() - 1));
    }
    let context = context_of(system, position);
    let equation = &system.equations[position];
    let points = body_context(&reduce, &context);
    let keep = reduce.dims.len() - inner;
    let dims: Vec<String> = equation.dims.iter().chain(&reduce.dims[..keep]).cloned().collect();
    let scope = system.scope(&dims);
    let tidy = |set: Set, budget: &mut Budget| set.compute_divs(budget)?.coalesce(budget)?.compute_divs(budget);
    let domain = tidy(answers(&points, &scope), budget).map_err(stopped)?;
    let domain = named(&domain, &scope);
    let float = class(system, &reduce.body) == Class::Float;
    let span = equation.span.clone();
    let mut result = system.clone();
    let new = Variable {
        name: system.fresh_name(&format!("{name}_in")),
        role: Role::Let,
        scalar: if float { Scalar::F64 } else { Scalar::I64 },
        domain: domain.clone(),
        span: span.clone(),
    };
    let number = result.variables.len();
    result.variables.push(new);
    let first = Reduce { dims: reduce.dims[keep..].to_vec(), ..reduce.clone() };
    let body = Expr::new(ExprKind::Reduce(Box::new(first)), &span);
    result.equations.push(Equation { variable: number, dims: dims.clone(), body, span: span.clone() });
    let read = identity_read(system, number, &dims, &span);
    let outer = Reduce { operator: reduce.operator, dims: reduce.dims[..keep].to_vec(), domain, body: read };
    result.equations[position].body = Expr::new(ExprKind::Reduce(Box::new(outer)), &span);
    Ok(result)
}

/// A reduction of a reduction by the same operator as one: the body reads nothing but a local
/// variable that is such a reduction, at its own point or another one.
///
/// # Errors
/// Why it is not possible.
pub fn compose(system: &System, name: &str) -> Transformed {
    let (position, reduce) = reduction(system, name)?;
    let equation = &system.equations[position];
    let all: Vec<String> = equation.dims.iter().chain(&reduce.dims).cloned().collect();
    let inner = match &reduce.body.kind {
        ExprKind::Read(read, access) => {
            let Some(definition) = system.equation(*read) else { return Err("the body reads an input".to_owned()) };
            let variable = &system.variables[*read];
            if !matches!(variable.scalar, Scalar::I64 | Scalar::F64) {
                return Err(format!("`{}` wraps or rounds its values", variable.name));
            }
            crate::pullback::pullback(&definition.body, access, &all, &system.params)
        }
        _ => reduce.body.clone(),
    };
    let ExprKind::Reduce(inner) = inner.kind else { return Err("the body is no reduction".to_owned()) };
    if inner.operator != reduce.operator {
        return Err("the operators differ".to_owned());
    }
    let outer = reduce.domain.add_dims(DimKind::Out, inner.dims.len());
    let domain = named(&outer, inner.domain.space()).intersect(&inner.domain);
    let dims = reduce.dims.iter().chain(&inner.dims).cloned().collect();
    let body = Reduce { operator: reduce.operator, dims, domain, body: inner.body.clone() };
    Ok(with_body(system, position, ExprKind::Reduce(Box::new(body))))
}
