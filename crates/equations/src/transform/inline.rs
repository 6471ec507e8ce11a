//! Definitions at the places where they are used, and the other way round.

use poly_presburger::{Budget, Set};

use super::split::without;
use super::{Refusal, Transformed, context_of, rewrite, stopped, variable};
use crate::check::{Class, class};
use crate::domain::{body_context, named};
use crate::normalize::identity_read;
use crate::program::{Equation, Expr, ExprKind, Role, Scalar, System, Variable};
use crate::pullback::pullback;

/// Puts the definition of a variable at all places that read it. The variable must not read itself;
/// if nobody sees it from outside, it is gone.
///
/// # Errors
/// Why it is not possible.
pub fn inline(system: &System, name: &str) -> Transformed {
    let target = variable(system, name)?;
    let Some(equation) = system.equation(target).cloned() else { return Err(format!("`{name}` is an input")) };
    if equation.body.reads().contains(&target) {
        return Err(format!("`{name}` depends on itself"));
    }
    let scalar = system.variables[target].scalar;
    let exact = match class(system, &equation.body) {
        Class::Float => scalar == Scalar::F64,
        _ => scalar == Scalar::I64,
    };
    if !exact {
        return Err(format!("values are rounded or wrapped when `{name}` gets them, which an expression cannot say"));
    }
    let mut result = system.clone();
    for other in result.equations.iter_mut().filter(|e| e.variable != target) {
        let dims = other.dims.clone();
        rewrite(system, &mut other.body, &dims, &mut |system, read, access, dims, _| {
            (read == target).then(|| pullback(&equation.body, access, dims, &system.params))
        });
        if depth(&other.body) > crate::program::DEPTH {
            return Err("the expression would be nested too deep".to_owned());
        }
    }
    Ok(if system.variables[target].role == Role::Let { without(&result, target) } else { result })
}

fn depth(expr: &Expr) -> usize {
    let (mut deepest, mut stack) = (0, vec![(expr, 1)]);
    while let Some((expr, depth)) = stack.pop() {
        deepest = deepest.max(depth);
        stack.extend(expr.children().into_iter().map(|child| (child, depth + 1)));
    }
    deepest
}

/// Makes a part of the definition of `name` a variable of its own, called `new`. Parts are numbered
/// from 0, the whole, in the order in which they are written.
///
/// # Errors
/// Why it is not possible.
pub fn outline(system: &System, name: &str, part: usize, new: &str, budget: &mut Budget) -> Transformed {
    let target = variable(system, name)?;
    let position = system.equations.iter().position(|e| e.variable == target).ok_or("it is an input")?;
    if system.fresh_name(new) != new {
        return Err(format!("`{new}` is already the name of something"));
    }
    let mut result = system.clone();
    let mut body = system.equations[position].body.clone();
    let context = context_of(system, position);
    let dims = system.equations[position].dims.clone();
    let mut number = part;
    let found =
        extract(system, &mut body, &context, &dims, &mut number, system.variables.len(), budget).map_err(stopped)?;
    let Some((dims, context, part)) = found else { return Err(format!("`{name}` has no part {part}")) };
    let scalar = match class(system, &part) {
        Class::Integer => Scalar::I64,
        Class::Float => Scalar::F64,
        Class::Condition => return Err("a condition is no value of a variable".to_owned()),
    };
    let domain = context.compute_divs(budget).and_then(|set| set.coalesce(budget)).map_err(stopped)?;
    let domain = domain.compute_divs(budget).map_err(stopped)?;
    let span = part.span.clone();
    result.equations[position].body = body;
    let variable = Variable { name: new.to_owned(), role: Role::Let, scalar, domain, span: span.clone() };
    result.variables.push(variable);
    result.equations.push(Equation { variable: system.variables.len(), dims, body: part, span });
    Ok(result)
}

type Part = (Vec<String>, Set, Expr);

/// Replaces the part of a number by a read. The recursion is bounded by the depth of the
/// expression.
fn extract(
    system: &System,
    expr: &mut Expr,
    context: &Set,
    dims: &[String],
    number: &mut usize,
    variable: usize,
    budget: &mut Budget,
) -> Result<Option<Part>, poly_presburger::Stop> {
    if *number == 0 {
        let read = identity_read(system, variable, dims, &expr.span);
        return Ok(Some((dims.to_vec(), context.clone(), std::mem::replace(expr, read))));
    }
    *number -= 1;
    match &mut expr.kind {
        ExprKind::Case(branches) => {
            for branch in branches {
                let own = context.intersect(&branch.domain);
                let found = extract(system, &mut branch.body, &own, dims, number, variable, budget)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
            Ok(None)
        }
        ExprKind::Reduce(reduce) => {
            let points = body_context(reduce, context);
            let all: Vec<String> = dims.iter().chain(&reduce.dims).cloned().collect();
            extract(system, &mut reduce.body, &points, &all, number, variable, budget)
        }
        ExprKind::At { map, dims: inner, body } => {
            let graph = map.to_map().intersect_domain(&named(context, &map.domain_space()));
            let image = named(&graph.range(), &system.scope(inner)).compute_divs(budget)?;
            let inner = inner.clone();
            extract(system, body, &image, &inner, number, variable, budget)
        }
        _ => {
            for child in expr.children_mut() {
                let found = extract(system, child, context, dims, number, variable, budget)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
            Ok(None)
        }
    }
}

/// Puts in all local variables whose definition is a number or one value of another variable.
///
/// # Errors
/// Why it is not possible.
pub fn propagate(system: &System) -> Transformed {
    let mut result = system.clone();
    loop {
        let simple = |e: &&Equation| {
            let own = &result.variables[e.variable];
            let is_simple = match &e.body.kind {
                ExprKind::Read(read, _) => *read != e.variable && result.variables[*read].scalar == own.scalar,
                ExprKind::Int(_) => own.scalar == Scalar::I64,
                ExprKind::Float(_) => own.scalar == Scalar::F64,
                _ => false,
            };
            own.role == Role::Let && is_simple
        };
        let Some(found) = result.equations.iter().find(simple).map(|e| e.variable) else { return Ok(result) };
        result = replaced(&result, found)?;
    }
}

/// A variable that is another one's value, whatever its type.
fn replaced(system: &System, target: usize) -> Transformed {
    let equation = system.equation(target).cloned().ok_or_else(|| Refusal::from("it is an input"))?;
    let mut result = system.clone();
    for other in result.equations.iter_mut().filter(|e| e.variable != target) {
        let dims = other.dims.clone();
        rewrite(system, &mut other.body, &dims, &mut |system, read, access, dims, _| {
            (read == target).then(|| pullback(&equation.body, access, dims, &system.params))
        });
    }
    Ok(without(&result, target))
}

/// The system without local variables that no output needs.
pub fn remove_unused(system: &System) -> System {
    let mut needed: Vec<bool> = system.variables.iter().map(|v| v.role != Role::Let).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for equation in system.equations.iter().filter(|e| needed[e.variable]).collect::<Vec<_>>() {
            for read in equation.body.reads() {
                changed |= !needed[read];
                needed[read] = true;
            }
        }
    }
    let unused: Vec<usize> = (0..needed.len()).rev().filter(|&i| !needed[i]).collect();
    unused.into_iter().fold(system.clone(), |system, variable| without(&system, variable))
}
