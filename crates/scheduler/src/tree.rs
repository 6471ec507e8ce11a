//! Plans as schedule trees.

use poly_arith::Int;
use poly_presburger::{Aff, MultiAff, MultiUnionPwAff, Set, Tuple, UnionSet};
use poly_schedule_tree::{Band, ScheduleTree, Tree};

use crate::affine::Affine;
use crate::band::Member;
use crate::context::Context;
use crate::plan::Plan;

/// The schedule tree of a plan for all statements.
pub(crate) fn to_tree(context: &Context, plan: &Plan) -> ScheduleTree {
    let domain = UnionSet::from_members(context.statements.iter().map(|s| s.domain.clone()));
    ScheduleTree::new(domain, subtree(context, plan))
}

/// The recursion is bounded by the height of the plan.
fn subtree(context: &Context, plan: &Plan) -> Tree {
    match plan {
        Plan::Leaf => Tree::leaf(),
        Plan::Band { members, child } => Tree::band(band(context, members), subtree(context, child)),
        Plan::Sequence(children) => {
            let filtered =
                |(statements, plan): &(Vec<usize>, Plan)| (filter(context, statements), subtree(context, plan));
            Tree::sequence(children.iter().map(filtered))
        }
    }
}

fn filter(context: &Context, statements: &[usize]) -> UnionSet {
    let all = |&s: &usize| Set::universe(context.statements[s].domain.space().clone());
    UnionSet::from_members(statements.iter().map(all))
}

fn band(context: &Context, members: &[Member]) -> Band {
    let statements: Vec<usize> = members[0].rows.keys().copied().collect();
    let range = Tuple::anonymous(members.len());
    let functions = statements.iter().map(|&s| {
        let space = context.statements[s].domain.space();
        let affs = members.iter().map(|m| Aff::from_row(space.clone(), row(&m.rows[&s]), Int::ONE)).collect();
        MultiAff::into_tuple(space, range.clone(), affs)
    });
    let schedule = MultiUnionPwAff::from_multi_affs(range.clone(), functions);
    Band::with_properties(schedule, true, members.iter().map(|m| m.coincident).collect())
}

fn row(affine: &Affine) -> Vec<Int> {
    std::iter::once(&affine.constant).chain(&affine.parameters).chain(&affine.iterators).cloned().collect()
}
