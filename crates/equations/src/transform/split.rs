//! One variable as two, two variables as one.

use poly_presburger::{Budget, Set};

use super::{Transformed, local, rewrite_reads, stopped, variable};
use crate::domain::{named, preimage};
use crate::normalize::identity_read;
use crate::program::{Branch, Equation, Expr, ExprKind, Role, System, Variable};

/// Splits a variable by a condition on the names of its equation, such as `i < j`: the part where
/// it holds is called `X_1`, the rest `X_2`. What is seen from outside keeps its name and is put
/// together of both.
///
/// # Errors
/// Why it is not possible.
pub fn split(system: &System, name: &str, condition: &str, budget: &mut Budget) -> Transformed {
    let old = variable(system, name)?;
    let equation = system.equations.iter().position(|e| e.variable == old).ok_or("an input cannot be split")?;
    let dims = system.equations[equation].dims.clone();
    let params: Vec<&str> = system.params.iter().map(|p| p.as_str()).collect();
    let text = format!("[{}] -> {{ [{}] : {condition} }}", params.join(", "), dims.join(", "));
    let holds: Set =
        text.parse().map_err(|error: poly_presburger::ParseError| format!("`{condition}`: {}", error.message))?;
    let scope = system.scope(&dims);
    let domain = named(&system.variables[old].domain, &scope);
    let tidy = |set: Set, budget: &mut Budget| {
        let set = set.compute_divs(budget)?.coalesce(budget)?.compute_divs(budget)?;
        set.remove_empty_parts(budget)
    };
    let first = tidy(domain.intersect(&named(&holds, &scope)), budget).map_err(stopped)?;
    let second = domain.subtract(&first, budget).and_then(|set| tidy(set, budget)).map_err(stopped)?;
    if first.plain_is_empty() || second.plain_is_empty() {
        return Err(format!("`{condition}` holds everywhere or nowhere in `{name}`"));
    }
    let mut result = system.clone();
    let mut parts = Vec::new();
    for (i, part) in [first, second].into_iter().enumerate() {
        let fresh = result.fresh_name(&format!("{name}_{}", i + 1));
        let Variable { scalar, span, .. } = system.variables[old].clone();
        parts.push((result.variables.len(), part.clone()));
        result.variables.push(Variable { name: fresh, role: Role::Let, scalar, domain: part, span });
        let own = Equation { variable: parts[i].0, ..system.equations[equation].clone() };
        result.equations.push(own);
    }
    rewrite_reads(&mut result, &mut |system, read, access, dims, span| {
        if read != old {
            return None;
        }
        let space = system.scope(dims);
        let branch = |(variable, part): &(usize, Set)| Branch {
            domain: preimage(part, access, &space),
            body: Expr::new(ExprKind::Read(*variable, access.clone()), span),
        };
        Some(Expr::new(ExprKind::Case(parts.iter().map(branch).collect()), span))
    });
    if system.variables[old].role == Role::Let {
        return Ok(without(&result, old));
    }
    let branches = parts.iter().map(|(variable, part)| {
        let body = identity_read(&result, *variable, &dims, &system.equations[equation].span);
        Branch { domain: named(part, &scope), body }
    });
    let body = ExprKind::Case(branches.collect());
    result.equations[equation].body = Expr::new(body, &system.equations[equation].span);
    Ok(result)
}

/// Makes the second variable a part of the first one. Both are local, of one type and number of
/// dimensions, and have no point in common.
///
/// # Errors
/// Why it is not possible.
pub fn merge(system: &System, first: &str, second: &str, budget: &mut Budget) -> Transformed {
    let (a, b) = (local(system, first)?, local(system, second)?);
    let (x, y) = (&system.variables[a], &system.variables[b]);
    if a == b || x.dims() != y.dims() || x.scalar != y.scalar {
        return Err("two different variables of one type and number of dimensions are needed".to_owned());
    }
    let common = x.domain.intersect(&named(&y.domain, x.domain.space()));
    if let Some(witness) = crate::witness::described(&common, budget).map_err(stopped)? {
        return Err(format!("both are defined at {witness}"));
    }
    let mut result = system.clone();
    let of = |v: usize| system.equations.iter().find(|e| e.variable == v).cloned().ok_or("it has no equation");
    let (one, two) = (of(a)?, of(b)?);
    let scope = system.scope(&one.dims);
    let rename =
        poly_presburger::MultiAff::identity(&scope).set_range_tuple(poly_presburger::Tuple::anonymous(one.dims.len()));
    let body_two = crate::pullback::pullback(&two.body, &rename, &one.dims, &system.params);
    let branches = vec![
        Branch { domain: named(&x.domain, &scope), body: one.body.clone() },
        Branch { domain: named(&y.domain, &scope), body: body_two },
    ];
    let all = x.domain.union(&named(&y.domain, x.domain.space())).coalesce(budget).map_err(stopped)?;
    result.variables[a].domain = all.compute_divs(budget).map_err(stopped)?;
    for equation in &mut result.equations {
        if equation.variable == a {
            equation.body = Expr::new(ExprKind::Case(branches.clone()), &one.span);
        }
    }
    rewrite_reads(&mut result, &mut |_, read, access, _, span| {
        (read == b).then(|| Expr::new(ExprKind::Read(a, access.clone()), span))
    });
    Ok(without(&result, b))
}

/// The system without a variable that nobody reads.
pub(crate) fn without(system: &System, variable: usize) -> System {
    let mut result = system.clone();
    result.equations.retain(|e| e.variable != variable);
    result.variables.remove(variable);
    for equation in &mut result.equations {
        equation.variable -= usize::from(equation.variable > variable);
    }
    rewrite_reads(&mut result, &mut |_, read, access, _, span| {
        (read > variable).then(|| Expr::new(ExprKind::Read(read - 1, access.clone()), span))
    });
    result
}
