//! Outputs that are copies of local variables.
//!
//! # Problem
//! `Y[i] = X[i]` for all elements of a local `X` costs an array and a pass over it, where a person
//! writes the values of `X` into the array of `Y`.
//!
//! # Algorithm
//! Where an output is a local variable of its type at each of its points, and has no fewer
//! elements, it takes over that variable's equation, and all that read the local variable read the
//! output.
//!
//! # Invariants
//! All values stay. An output takes over one variable; others that copy the same one copy the
//! output.

use poly_presburger::{Budget, Stop};

use crate::domain::named;
use crate::normalize::identity_read;
use crate::program::{Equation, Expr, ExprKind, Role, System};
use crate::transform::{rewrite_reads, without};

/// The system without local variables that outputs are copies of.
pub(super) fn without_copies(system: &System, budget: &mut Budget) -> Result<System, Stop> {
    let mut system = system.clone();
    while let Some((output, local)) = copy(&system, budget)? {
        system = taken_over(&system, output, local);
    }
    Ok(system)
}

/// An output, and the local variable that it is a copy of.
fn copy(system: &System, budget: &mut Budget) -> Result<Option<(usize, usize)>, Stop> {
    for equation in &system.equations {
        let ExprKind::Read(local, _) = equation.body.kind else { continue };
        let (own, from) = (&system.variables[equation.variable], &system.variables[local]);
        let fits = own.role == Role::Out && from.role == Role::Let && own.scalar == from.scalar;
        let same = identity_read(system, local, &equation.dims, &equation.body.span);
        if fits && equation.body == same && named(&from.domain, own.domain.space()).is_subset(&own.domain, budget)? {
            return Ok(Some((equation.variable, local)));
        }
    }
    Ok(None)
}

fn taken_over(system: &System, output: usize, local: usize) -> System {
    let mut result = system.clone();
    result.equations.retain(|equation| equation.variable != output);
    if let Some(own) = result.equations.iter_mut().find(|equation| equation.variable == local) {
        *own = Equation { variable: output, ..own.clone() };
    }
    rewrite_reads(&mut result, &mut |_, read, access, _, span| {
        (read == local).then(|| Expr::new(ExprKind::Read(output, access.clone()), span))
    });
    without(&result, local)
}
