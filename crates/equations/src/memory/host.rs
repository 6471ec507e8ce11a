//! Reductions that are accumulated where their answer goes.
//!
//! # Problem
//! In `U[i, j] = A[i, j] - sum[k : ..] ..` the sum is a variable of its own in normal form. An
//! array of its own costs memory, cache and a pass over it.
//!
//! # Definitions
//! A reduction `R` is a *guest* of a variable `X`, its *host*, if
//! 1. only equations of `X` read `R`, and all do so at the point that they compute;
//! 2. at every point at which `R` has a value such an equation of `X` holds;
//! 3. `X` is no input and no reduction, and both have one type;
//! 4. no other guest of `X` has an element in common with `R`.
//!
//! # Invariants
//! Element `x` of a guest is kept in the cell of element `x` of its host. This is right in every
//! legal order: all partial values of `R[x]` come before `X[x]`, which reads the last one, and all
//! that read `X[x]` come after it; nothing else is kept in the cell, as all elements of a host have
//! cells of their own.

use poly_presburger::{Budget, Set, Stop};

use super::Storage;
use crate::pieces::{Action, Pieces};
use crate::program::Role;

/// Keeps reductions in the cells of those that read them, where that is right.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn accumulate_in_place(pieces: &Pieces, storage: &mut [Storage], budget: &mut Budget) -> Result<(), Stop> {
    for (own, host) in storage.iter_mut().zip(hosts(pieces, budget)?) {
        own.host = host;
    }
    Ok(())
}

/// The host of every variable that is a guest.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(crate) fn hosts(pieces: &Pieces, budget: &mut Budget) -> Result<Vec<Option<usize>>, Stop> {
    let n = pieces.system.variables.len();
    let (mut all, mut taken): (Vec<Option<usize>>, Vec<Option<Set>>) = (vec![None; n], vec![None; n]);
    for (guest, own) in all.iter_mut().enumerate() {
        let Some(host) = host(pieces, guest, budget)? else { continue };
        let elements = &pieces.system.variables[guest].domain;
        if let Some(others) = &taken[host]
            && !others.intersect(elements).is_empty(budget)?
        {
            continue;
        }
        taken[host] = Some(match &taken[host] {
            Some(others) => others.union(elements),
            None => elements.clone(),
        });
        *own = Some(host);
    }
    Ok(all)
}

/// The host of a variable, by the first three conditions.
fn host(pieces: &Pieces, guest: usize, budget: &mut Budget) -> Result<Option<usize>, Stop> {
    let variables = &pieces.system.variables;
    let of = |variable: usize| pieces.statements.iter().filter(move |s| s.variable == variable);
    let is_reduction = |variable: usize| of(variable).any(|s| !matches!(s.action, Action::Assign));
    if variables[guest].role != Role::Let || !is_reduction(guest) {
        return Ok(None);
    }
    let (mut found, mut reached): (Option<usize>, Option<Set>) = (None, None);
    for statement in &pieces.statements {
        let mut reads = statement.reads().into_iter().filter(|(variable, _)| *variable == guest).peekable();
        if reads.peek().is_none() {
            continue;
        }
        let is_other = found.is_some_and(|host| host != statement.variable);
        if is_other || reads.any(|(_, access)| access != statement.target) {
            return Ok(None);
        }
        found = Some(statement.variable);
        let here = statement.relation(&statement.target).range();
        reached = Some(match reached {
            Some(points) => points.union(&here),
            None => here,
        });
    }
    let (Some(host), Some(reached)) = (found, reached) else { return Ok(None) };
    let fits = variables[host].scalar == variables[guest].scalar && !is_reduction(host);
    if !fits {
        return Ok(None);
    }
    let elements = &variables[guest].domain;
    let tuple = elements.space().range.clone().expect("a set has a tuple");
    let left = elements.subtract(&reached.set_tuple(tuple), budget)?;
    Ok(left.is_empty(budget)?.then_some(host))
}
