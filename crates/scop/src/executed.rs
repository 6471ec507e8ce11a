//! About how many operations the loops of a SCoP execute when they run once.
//!
//! # Problem
//! How long it may take to look for a better order goes with what a better order can save. That has
//! to be known before anything is looked for, dependences included, and must cost next to nothing.
//!
//! # Algorithm
//! 1. Parameters have the usual sizes ([`Sizes::usual`]).
//! 2. Each statement executes as many operations as its body has instructions and accesses, and
//!    those of loops that it executes as wholes, at each of its points.
//! 3. A domain whose points cannot be estimated has the usual number of them for each loop.
//!
//! # Invariants
//! The number decides how much work is done, never what is legal.

use poly_presburger::{Budget, Stop};

use crate::facts::{estimates, points};
use crate::sizes::Sizes;
use crate::{InstrKind, Scop, Statement};

/// About how many operations the original order executes at the usual sizes.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn executed(scop: &Scop, budget: &mut Budget) -> Result<f64, Stop> {
    let sizes = Sizes::usual(scop, budget)?;
    let values = estimates(scop, &sizes, budget)?;
    let mut sum = 0.0;
    for statement in &scop.statements {
        let unknown = (sizes.usual as f64).powi(i32::try_from(statement.loops.len()).unwrap_or(i32::MAX));
        sum += points(&statement.domain, &values, budget)?.unwrap_or(unknown) * operations(statement);
    }
    Ok(sum)
}

/// Operations of one instance.
fn operations(statement: &Statement) -> f64 {
    let of_instruction = |kind: &InstrKind| match kind {
        InstrKind::Loop { operations, .. } => f64::from(*operations),
        _ => 1.0,
    };
    statement.body.iter().map(|instr| of_instruction(&instr.kind)).sum::<f64>().max(1.0)
}
