//! What the independent checkers say about a plan: about its tree, and about the program that was
//! generated from it.
//!
//! A plan that is refused is an internal error, which is reported and contained: the loops stay as
//! they are. The judgement of the program is bounded by steps of its own, so that it does not
//! change what else the budget is enough for; a program that there is no time for is used without
//! it.

use poly_ast_build::Ast;
use poly_checker::{CellAccess, Legality, Witness};
use poly_dependence::Dependence;
use poly_presburger::{Budget, Map, Set, Stop};
use poly_schedule_tree::ScheduleTree;

use crate::driver::{Analysis, Reason, during};
use crate::packing::Order;
use crate::{AccessKind, Scop};

/// The steps that judging a program may take.
const PROGRAM_STEPS: u64 = if cfg!(debug_assertions) { 20_000_000 } else { 200_000 };

/// Has the checker judge a tree: with the dependences of the program, and those of the copies in
/// it.
pub(crate) fn tree(
    dependences: &[Dependence],
    copies: &Order,
    tree: &ScheduleTree,
    budget: &mut Budget,
) -> Result<(), Reason> {
    let all: Vec<Dependence> = dependences.iter().chain(&copies.values).cloned().collect();
    let verdict = poly_checker::judge(tree, &all, budget).map_err(during("the legality check"))?;
    if verdict != poly_checker::Verdict::Legal {
        return Err(Reason::IllegalSchedule(verdict.to_string()));
    }
    let verdict = poly_checker::check(tree, &copies.places, budget).map_err(during("the legality check"))?;
    match verdict {
        Legality::Legal => Ok(()),
        violated => Err(Reason::IllegalSchedule(format!("copies: {violated:?}"))),
    }
}

/// Has the checker judge the contracted arrays of a program: no cell is written while its value is
/// still to be read.
pub(crate) fn cells(analysis: &Analysis, scop: &Scop, tree: &ScheduleTree, budget: &mut Budget) -> Result<(), Reason> {
    for array in &analysis.contracted {
        let accesses: Vec<CellAccess> = array.elements.iter().map(|of| cell_access(scop, of)).collect();
        let dependences = &analysis.dependences.dependences;
        let before = budget.spent();
        let found = match array.rises {
            true => poly_checker::out_of_order(tree, &accesses, dependences.len(), budget),
            false => poly_checker::overwritten(tree, &accesses, dependences, budget),
        };
        tracing::debug!(array = array.name, steps = budget.spent() - before, "cells");
        if let Some(witness) = found.map_err(during("the legality check"))? {
            let Witness { source, sink, params, .. } = witness;
            let name = &array.name;
            tracing::debug!(%tree, "cells of {name} are overwritten");
            let what = format!("cells of {name}: {source:?} is overwritten by {sink:?}, parameters {params:?}");
            return Err(Reason::IllegalSchedule(what));
        }
    }
    Ok(())
}

/// What an access of an array with fewer cells touches.
pub(crate) fn cell_access(scop: &Scop, (place, elements): &((usize, usize), Map)) -> CellAccess {
    let statement = &scop.statements[place.0];
    let access = &statement.accesses[place.1];
    let domain = statement.domain.intersect_params(&scop.context);
    let inside = |relation: &Map| relation.align_params(domain.space()).intersect_domain(&domain);
    CellAccess {
        place: *place,
        write: access.kind != AccessKind::Read,
        elements: inside(elements),
        cells: inside(&access.relation),
    }
}

/// Has the checker of programs judge what was generated from a tree.
pub(crate) fn program(ast: &Ast, tree: &ScheduleTree, context: &Set) -> Result<(), Reason> {
    let mut budget = Budget::new(PROGRAM_STEPS);
    let verdict = poly_ast_check::judge(ast, tree, context, &mut budget);
    match &verdict {
        Ok(verdict) => tracing::debug!(steps = budget.spent(), %verdict, "the program"),
        Err(Stop) => tracing::debug!(steps = budget.spent(), "the program is not judged: too much work"),
    }
    match verdict {
        Ok(verdict @ poly_ast_check::Verdict::Wrong(_)) => Err(Reason::WrongProgram(verdict.to_string())),
        Ok(_) | Err(Stop) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use poly_ast_build::{AstOptions, Node, build};

    #[test]
    fn a_wrong_program_is_an_internal_error() {
        let text = "domain: \"[n] -> { S[i] : 0 <= i < n }\"\nchild:\n  schedule: \"[{ S[i] -> [(i)] }]\"\n";
        let tree: ScheduleTree = text.parse().expect("the tree can be read");
        let context: Set = "[n] -> { : n >= 1 }".parse().expect("the context can be read");
        let mut ast = build(&tree, &context, &AstOptions::default(), &mut Budget::unlimited()).expect("no limit");
        assert_eq!(program(&ast, &tree, &context), Ok(()));
        let Node::For(of) = &mut ast.root else { panic!("{ast}") };
        of.step = poly_arith::Int::from(2);
        let refused = program(&ast, &tree, &context).expect_err("every other instance is missing");
        assert_eq!(
            refused.to_string(),
            "internal error: the generated loops were refused by the checker (S[1] is not executed, for n = 2)"
        );
    }
}
