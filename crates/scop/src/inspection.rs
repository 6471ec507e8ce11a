//! Inspections: conditions on data that are looked at, for all iterations, before new code runs.
//!
//! # Problem
//! `if (x[i] < 0) abort();` ends the program by data. A model in which it does not is right if the
//! condition holds in no iteration; nothing but a look at all of them tells.
//!
//! # Method
//! An inspection ([`Scop::inspections`](crate::Scop::inspections)) is a statement that reads what
//! the condition depends on and says whether it holds. All instances of all inspections are
//! executed in the order of the source, before anything else but the other checks; the first one
//! that says so lets the original run.
//!
//! # Why that is right
//! Nothing that inspections read is written by the region (no statement writes those arrays, and
//! the check of overlaps comes before), so they read what the original reads. Before the first
//! instance that stops, the original comes to every instance that is executed here, as all else
//! that its control flow depends on has been checked; so nothing is read that it would not read,
//! and nothing is divided by zero that it would not divide. If none stops the model is right.
//!
//! # Iterations that are left out
//! A condition that does not depend on the counter of a loop is looked at in the first of its
//! iterations only, for each value of the other counters: later instances read the same and are not
//! the first to stop.
//!
//! # Cost
//! The cost model takes the inspections for loops in the order of the source, whose time is added
//! to that of the new code.

use poly_arith::Int;
use poly_ast_build::{Ast, AstOptions};
use poly_dependence::{Options, Precision};
use poly_presburger::{BasicMap, Budget, DimKind, Map, Set, Space, Stop};

use crate::config::Config;
use crate::driver::{Analysis, Reason, during};
use crate::lower::lower;
use crate::order::original_tree;
use crate::problem::dependence_problem;
use crate::verify;
use crate::{Access, OperandKind, Scop, Statement};

/// The SCoP of the inspections; nothing if there are none.
fn scop_of_inspections(scop: &Scop) -> Option<Scop> {
    let statements: Vec<Statement> = scop.inspections.clone();
    (!statements.is_empty()).then(|| Scop { statements, inspections: Vec::new(), ..scop.clone() })
}

/// Leaves instances of inspections out that come behind others which look at the same.
pub(crate) fn simplify(scop: &mut Scop, budget: &mut Budget) -> Result<(), Stop> {
    for inspection in &mut scop.inspections {
        let mut operands = inspection.body.iter().flat_map(|step| &step.operands);
        if operands.any(|operand| operand.kind == OperandKind::Synthesized) {
            // It is not known of which counters it is a function.
            continue;
        }
        let is_exact = inspection.accesses.iter().all(|access| access.exact);
        for counter in (0..inspection.loops.len()).filter(|_| is_exact) {
            let depends = |access: &Access| access.relation.involves_dims(DimKind::In, counter, 1);
            if !inspection.accesses.iter().any(depends) {
                let later = inspection.domain.apply(&greater(&inspection.domain, counter));
                inspection.domain = inspection.domain.subtract(&later, budget)?.coalesce(budget)?;
            }
        }
    }
    Ok(())
}

/// From the points of the space of a set to those with a greater value of one counter and the same
/// ones of the others.
fn greater(set: &Set, counter: usize) -> Map {
    let space = set.space();
    let (params, n) = (space.params.len(), set.n_dim());
    let tuple = set.tuple().expect("a domain has a tuple").clone();
    let mut basic = BasicMap::universe(Space::map(space.params.clone(), tuple.clone(), tuple));
    for position in 0..n {
        let mut row = vec![Int::ZERO; 1 + params + 2 * n];
        row[1 + params + position] = Int::NEG_ONE;
        row[1 + params + n + position] = Int::ONE;
        if position == counter {
            row[0] = Int::NEG_ONE;
            basic.add_ineq(row);
        } else {
            basic.add_eq(row);
        }
    }
    Map::from_basic(basic)
}

/// The program that executes the inspections.
pub(crate) fn ast(scop: &Scop, context: &Set, budget: &mut Budget) -> Result<Option<Ast>, Reason> {
    let Some(scop) = scop_of_inspections(scop) else { return Ok(None) };
    let tree = original_tree(&scop);
    let ast = poly_ast_build::build(&tree, context, &AstOptions::default(), budget);
    let ast = ast.map_err(during("the inspection of data"))?;
    verify::program(&ast, &tree, context)?;
    Ok(Some(ast))
}

/// Predicted cycles of all inspections.
pub(crate) fn cycles(analysis: &Analysis, config: &Config, budget: &mut Budget) -> Result<f64, Stop> {
    let Some(scop) = scop_of_inspections(&analysis.scop) else { return Ok(0.0) };
    let options = Options { reductions: false, input: false };
    let dependences = analysis.memo.dependences(dependence_problem(&scop), options, budget)?;
    let original = original_tree(&scop);
    let inspected = Analysis {
        scop,
        dependences,
        original,
        scalars_removed: 0,
        joined: false,
        reductions: false,
        precision: Precision::Exact,
        contracted: Vec::new(),
        inlined: Vec::new(),
        memo: analysis.memo.clone(),
    };
    Ok(lower(&inspected, &inspected.original, &config.plain(), budget)?.cycles)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The points of a set that do not come behind others that differ in one counter only.
    fn first(set: &str, counter: usize) -> Set {
        let set: Set = set.parse().expect("the set can be read");
        let later = set.apply(&greater(&set, counter));
        set.subtract(&later, &mut Budget::unlimited()).unwrap()
    }

    #[test]
    fn first_iterations_are_kept() {
        for (all, counter, wanted) in [
            ("[n, m] -> { I[i, j] : 0 <= i < n and 0 <= j < m }", 0, "[n, m] -> { I[0, j] : n > 0 and 0 <= j < m }"),
            ("[n] -> { I[i, j] : 0 <= j <= i < n }", 0, "[n] -> { I[i, i] : 0 <= i < n }"),
            ("[n] -> { I[i, j] : 0 <= j <= i < n }", 1, "[n] -> { I[i, 0] : 0 <= i < n }"),
            ("[n] -> { I[i] : 3 <= i < n }", 0, "[n] -> { I[3] : n > 3 }"),
        ] {
            let wanted: Set = wanted.parse().expect("the set can be read");
            assert!(first(all, counter).is_equal(&wanted, &mut Budget::unlimited()).unwrap(), "{all}, {counter}");
        }
    }
}
