//! The normal form of systems.
//!
//! # Definitions
//! In normal form an equation is `V = case { D1 : e1; .. }` or one reduction
//! `V = sum[x : D] case { .. }`; branches have operations on variables at functions, and nothing
//! else. There is no case and no reduction inside of an operation.
//!
//! # Algorithm
//! 1. A reduction inside of an expression becomes a variable of its own, defined where it is
//!    needed.
//! 2. Functions are pushed to the leaves ([`crate::pullback`]: rules 1, 3, 5, 8, 10, 11 and, for
//!    functions that nobody wrote, 14).
//! 3. From the leaves to the root an expression becomes a list of branches without cases:
//!    2. `(D : a) op b` is `D : (a op b)`, for operands at all places;
//!    4. `D : (E : e)` is `(D and E) : e`; 6. and 9. so is a case inside of a branch;
//!    7. `(case a; b) op c` is `case a op c; b op c`;
//!    12. branches that are never needed are dropped, conditions that hold anyway, too;
//!    13. a condition around the body of a reduction is one on its points.
//!
//! # Invariants
//! What is needed of an expression is its context domain, from the root down; branches cover it.
//! The number of branches is bounded by [`BRANCHES`].

use poly_presburger::{Budget, Set, Stop};

use crate::domain::{body_context, named};
use crate::program::{Branch, Equation, Expr, ExprKind, Reduce, Role, System, Variable};
use crate::pullback::pullback;

/// Most branches of one equation.
const BRANCHES: usize = 4096;

/// The system in normal form. Its new variables are called `X_red1`, after the equation that they
/// come from.
///
/// # Errors
/// [`Stop`] when the budget runs out, or an equation has too many branches.
pub fn normalize(system: &System, budget: &mut Budget) -> Result<System, Stop> {
    let mut result = System { equations: Vec::new(), ..system.clone() };
    // Equations of new variables come behind.
    let mut pending: Vec<Equation> = system.equations.iter().rev().cloned().collect();
    while let Some(equation) = pending.pop() {
        budget.spend(1)?;
        let space = system.scope(&equation.dims);
        let variable = result.variables[equation.variable].clone();
        let context = named(&variable.domain, &space);
        let flat = without_functions(&equation.body, &equation.dims, system);
        // What is narrower than the sum gets it when it is complete.
        let float = crate::check::class(&result, &flat) == crate::check::Class::Float;
        let natural = if float { crate::program::Scalar::F64 } else { crate::program::Scalar::I64 };
        let mut lift = Lift { system: &mut result, name: &variable.name, lifted: Vec::new() };
        let body = match flat.kind {
            ExprKind::Reduce(reduce) if variable.scalar == natural => {
                let points = body_context(&reduce, &context);
                let inner: Vec<String> = equation.dims.iter().chain(&reduce.dims).cloned().collect();
                let lifted = lift.expr(&reduce.body, &points, &inner, budget)?;
                let found = reduction(*reduce, lifted, &points, &context, &flat.span, budget)?;
                Expr::new(found, &flat.span)
            }
            kind => {
                let flat = Expr::new(kind, &flat.span);
                let lifted = lift.expr(&flat, &context, &equation.dims, budget)?;
                let parts = branches(&lifted, &context, budget)?;
                assembled(parts, &context, &flat.span, budget)?
            }
        };
        pending.extend(lift.lifted.into_iter().rev());
        result.equations.push(Equation { body, ..equation });
    }
    Ok(result)
}

/// A reduction in normal form: a condition of its whole body is one on its points.
fn reduction(
    reduce: Reduce,
    body: Expr,
    points: &Set,
    context: &Set,
    span: &crate::Span,
    budget: &mut Budget,
) -> Result<ExprKind, Stop> {
    let parts = branches(&body, points, budget)?;
    let mut domain = reduce.domain.clone();
    let body = match <[_; 1]>::try_from(parts) {
        // The body has a value at every point, so a single condition says nothing new there.
        Ok([one]) => one.body,
        Err(parts) => assembled(parts, points, span, budget)?,
    };
    let around = named(&context.add_dims(poly_presburger::DimKind::Out, reduce.dims.len()), domain.space());
    domain = named(&domain.gist(&around, budget)?.compute_divs(budget)?, &domain.space().clone());
    Ok(ExprKind::Reduce(Box::new(Reduce { domain, body, ..reduce })))
}

/// The expression without functions that are not at a variable. The recursion is bounded by its
/// depth.
pub(crate) fn without_functions(expr: &Expr, dims: &[String], system: &System) -> Expr {
    match &expr.kind {
        ExprKind::At { map, dims: inner, body } => {
            let body = without_functions(body, inner, system);
            pullback(&body, map, dims, &system.params)
        }
        ExprKind::Reduce(reduce) => {
            let all: Vec<String> = dims.iter().chain(&reduce.dims).cloned().collect();
            let body = without_functions(&reduce.body, &all, system);
            Expr::new(ExprKind::Reduce(Box::new(Reduce { body, ..(**reduce).clone() })), &expr.span)
        }
        _ => {
            let mut result = expr.clone();
            for child in result.children_mut() {
                *child = without_functions(child, dims, system);
            }
            result
        }
    }
}

/// Reductions that become variables.
struct Lift<'a> {
    system: &'a mut System,
    name: &'a str,
    lifted: Vec<Equation>,
}

impl Lift<'_> {
    /// The expression without reductions. The recursion is bounded by its depth.
    fn expr(&mut self, expr: &Expr, context: &Set, dims: &[String], budget: &mut Budget) -> Result<Expr, Stop> {
        match &expr.kind {
            ExprKind::Reduce(reduce) => self.variable(reduce, expr, context, dims, budget),
            ExprKind::Case(parts) => {
                let mut result = Vec::new();
                for part in parts {
                    let own = context.intersect(&part.domain).remove_empty_parts(budget)?;
                    if !own.plain_is_empty() {
                        let body = self.expr(&part.body, &own, dims, budget)?;
                        result.push(Branch { domain: part.domain.clone(), body });
                    }
                }
                Ok(Expr::new(ExprKind::Case(result), &expr.span))
            }
            _ => {
                let mut result = expr.clone();
                for child in result.children_mut() {
                    *child = self.expr(child, context, dims, budget)?;
                }
                Ok(result)
            }
        }
    }

    fn variable(
        &mut self,
        reduce: &Reduce,
        expr: &Expr,
        context: &Set,
        dims: &[String],
        budget: &mut Budget,
    ) -> Result<Expr, Stop> {
        let domain = context.clone().compute_divs(budget)?.coalesce(budget)?.compute_divs(budget)?;
        let name = self.system.fresh_name(&format!("{}_red{}", self.name, self.lifted.len() + 1));
        let float = crate::check::class(self.system, expr) == crate::check::Class::Float;
        let scalar = if float { crate::program::Scalar::F64 } else { crate::program::Scalar::I64 };
        let number = self.system.variables.len();
        self.system.variables.push(Variable { name, role: Role::Let, scalar, domain, span: expr.span.clone() });
        let body = Expr::new(ExprKind::Reduce(Box::new(reduce.clone())), &expr.span);
        self.lifted.push(Equation { variable: number, dims: dims.to_vec(), body, span: expr.span.clone() });
        Ok(identity_read(self.system, number, dims, &expr.span))
    }
}

/// The variable at the point itself.
pub(crate) fn identity_read(system: &System, variable: usize, dims: &[String], span: &crate::Span) -> Expr {
    let identity = poly_presburger::MultiAff::identity(&system.scope(dims));
    let identity = identity.set_range_tuple(poly_presburger::Tuple::anonymous(dims.len()));
    Expr::new(ExprKind::Read(variable, identity), span)
}

/// An expression as disjoint branches without cases, which together have the points of the context.
/// The recursion is bounded by the depth of the expression.
pub(crate) fn branches(expr: &Expr, context: &Set, budget: &mut Budget) -> Result<Vec<Branch>, Stop> {
    budget.spend(1)?;
    if let ExprKind::Case(parts) = &expr.kind {
        let mut all = Vec::new();
        for part in parts {
            let own = context.intersect(&part.domain).remove_empty_parts(budget)?;
            if !own.plain_is_empty() {
                all.extend(branches(&part.body, &own, budget)?);
            }
        }
        return if all.len() > BRANCHES { Err(Stop) } else { Ok(all) };
    }
    let mut found = vec![Branch { domain: context.clone(), body: expr.clone() }];
    for position in 0..expr.children().len() {
        let mut next = Vec::new();
        for branch in found {
            let child = branch.body.children()[position].clone();
            for part in branches(&child, &branch.domain, budget)? {
                let mut body = branch.body.clone();
                *body.children_mut()[position] = part.body;
                next.push(Branch { domain: part.domain, body });
            }
        }
        if next.len() > BRANCHES {
            return Err(Stop);
        }
        found = next;
    }
    Ok(found)
}

/// Branches as an expression: their conditions without what holds anyway.
pub(crate) fn assembled(
    parts: Vec<Branch>,
    context: &Set,
    span: &crate::Span,
    budget: &mut Budget,
) -> Result<Expr, Stop> {
    let space = context.space().clone();
    let mut result: Vec<Branch> = Vec::new();
    for part in parts {
        // Equal bodies are one branch.
        match result.iter_mut().find(|other| other.body.kind == part.body.kind) {
            Some(other) => other.domain = other.domain.union(&part.domain),
            None => result.push(part),
        }
    }
    if let [one] = result.as_slice()
        && context.is_subset(&one.domain, budget)?
    {
        return Ok(one.body.clone());
    }
    for part in &mut result {
        let domain = std::mem::replace(&mut part.domain, Set::empty(space.clone()));
        let domain = domain.compute_divs(budget)?.coalesce(budget)?;
        let domain = domain.gist(context, budget)?.coalesce(budget)?;
        part.domain = named(&domain.compute_divs(budget)?, &space);
    }
    Ok(Expr::new(ExprKind::Case(result), span))
}
