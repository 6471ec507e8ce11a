//! Commands that change a system and keep the values of its outputs.
//!
//! Each has a condition, which is decided exactly; if it does not hold, a sentence says so, with a
//! point.

mod basis;
mod inline;
mod reduction;
mod serialize;
mod split;

#[cfg(test)]
mod tests;

pub use basis::change_basis;
pub(crate) use basis::function;
pub use inline::{inline, outline, propagate, remove_unused};
pub use reduction::{compose, decompose, distribute, factor_out, join, permute_case, split_body, split_points};
pub use serialize::serialize;
pub(crate) use split::without;
pub use split::{merge, split};

use poly_presburger::{Budget, MultiAff, PwMultiAff, Set, Stop};

use crate::domain::named;
use crate::program::{Expr, Role, System};

/// Why a command is not possible.
pub type Refusal = String;

pub(crate) type Transformed = Result<System, Refusal>;

pub(crate) fn stopped(stop: Stop) -> Refusal {
    stop.to_string()
}

/// The variable of a name.
pub(crate) fn variable(system: &System, name: &str) -> Result<usize, Refusal> {
    system.find(name).ok_or_else(|| format!("no variable is called `{name}`"))
}

/// A variable that nobody sees from outside.
pub(crate) fn local(system: &System, name: &str) -> Result<usize, Refusal> {
    let found = variable(system, name)?;
    if system.variables[found].role == Role::Let {
        Ok(found)
    } else {
        Err(format!("`{name}` is seen from outside: only variables declared with `let` can be changed so"))
    }
}

/// The domain of the variable under the names of its equation.
pub(crate) fn context_of(system: &System, equation: usize) -> Set {
    let equation = &system.equations[equation];
    named(&system.variables[equation.variable].domain, &system.scope(&equation.dims))
}

/// What takes the place of a read: of a variable, at a function, in a scope with names.
pub(crate) type Reader<'a> = dyn FnMut(&System, usize, &MultiAff, &[String], &crate::Span) -> Option<Expr> + 'a;

/// Rewrites all reads of all equations. `f` gets the variable, the access, and the names of the
/// scope. The recursion is bounded by the depth of expressions.
pub(crate) fn rewrite_reads(system: &mut System, f: &mut Reader<'_>) {
    let before = system.clone();
    for equation in &mut system.equations {
        let dims = equation.dims.clone();
        rewrite(&before, &mut equation.body, &dims, f);
    }
}

pub(crate) fn rewrite(system: &System, expr: &mut Expr, dims: &[String], f: &mut Reader<'_>) {
    use crate::program::ExprKind;
    match &mut expr.kind {
        ExprKind::Read(variable, access) => {
            if let Some(new) = f(system, *variable, access, dims, &expr.span) {
                *expr = new;
            }
        }
        ExprKind::Reduce(reduce) => {
            let all: Vec<String> = dims.iter().chain(&reduce.dims).cloned().collect();
            rewrite(system, &mut reduce.body, &all, f);
        }
        ExprKind::At { dims: inner, body, .. } => {
            let inner = inner.clone();
            rewrite(system, body, &inner, f);
        }
        _ => expr.children_mut().into_iter().for_each(|child| rewrite(system, child, dims, f)),
    }
}

/// A function as pieces of domain and plain function, the pieces being over a scope.
pub(crate) fn pieces(
    function: &PwMultiAff,
    scope: &poly_presburger::Space,
    budget: &mut Budget,
) -> Result<Vec<(Set, MultiAff)>, Stop> {
    let function = function.coalesce(budget)?.drop_empty_pieces(budget)?;
    let mut all = Vec::new();
    for (domain, map) in function.pieces() {
        all.push((named(&domain.clone().compute_divs(budget)?, scope), map.clone()));
    }
    Ok(all)
}
