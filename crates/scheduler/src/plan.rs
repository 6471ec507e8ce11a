//! The schedule as the scheduler builds it, before it becomes a tree.

use poly_schedule_tree::ScheduleTree;

use crate::band::Member;
use crate::context::Context;
use crate::tree::to_tree;

/// A schedule of some statements.
#[derive(Clone, Debug)]
pub(crate) enum Plan {
    /// Nothing is left to be ordered.
    Leaf,
    /// A permutable band.
    Band {
        /// Its members, outermost first.
        members: Vec<Member>,
        /// What comes below.
        child: Box<Plan>,
    },
    /// One after the other; each with its sorted statements.
    Sequence(Vec<(Vec<usize>, Plan)>),
}

impl Plan {
    /// Children one after the other; sequences among them become part of this one.
    pub(crate) fn sequence(children: Vec<(Vec<usize>, Plan)>) -> Plan {
        let mut flat = Vec::with_capacity(children.len());
        for (statements, plan) in children {
            match plan {
                Plan::Sequence(inner) => flat.extend(inner),
                other => flat.push((statements, other)),
            }
        }
        if flat.len() == 1 {
            return flat.remove(0).1;
        }
        Plan::Sequence(flat)
    }

    /// The plan for all statements as a tree.
    pub(crate) fn to_tree(&self, context: &Context) -> ScheduleTree {
        to_tree(context, self)
    }
}
