//! The original execution order of a SCoP, as time maps and as a schedule tree.
//!
//! A statement's [`Statement::position`] and its loop counters give a vector
//! `[p0, i0, p1, i1, .., pd]`; the original program executes instances in the lexicographic order
//! of these vectors. Padded with zeros to a common length they form an injective map from instances
//! to time, and grouping statements by equal prefixes gives the loops of the original program back.

use poly_arith::Int;
use poly_presburger::{Aff, BasicMap, DimKind, Map, MultiAff, MultiUnionPwAff, Set, Space, Tuple, UnionSet};
use poly_schedule_tree::{Band, ScheduleTree, Tree};

use crate::{Scop, Statement};

/// Number of time dimensions that all statements of a SCoP share.
pub(crate) fn time_dimensions(scop: &Scop) -> usize {
    scop.statements.iter().map(|s| 2 * s.loops.len() + 1).max().unwrap_or(0)
}

/// `{ S[i, j] -> [p0, i, p1, j, p2, 0, ...] }`, restricted to the domain.
pub fn time_map(scop: &Scop, statement: &Statement) -> Map {
    let length = time_dimensions(scop);
    let domain_space = statement.domain.space();
    let params = domain_space.params.clone();
    let depth = statement.loops.len();
    let tuple = Tuple::named(&*statement.name, depth);
    let space = Space::map(params.clone(), tuple, Tuple::anonymous(length));
    let columns = 1 + params.len() + depth + length;
    let mut basic = BasicMap::universe(space);
    for time in 0..length {
        let mut row = vec![Int::ZERO; columns];
        row[1 + params.len() + depth + time] = Int::NEG_ONE;
        if time % 2 == 0 {
            row[0] = Int::from(statement.position.get(time / 2).copied().unwrap_or(0));
        } else if time / 2 < depth {
            row[1 + params.len() + time / 2] = Int::ONE;
        }
        basic.add_eq(row);
    }
    Map::from_basic(basic).intersect_domain(&statement.domain)
}

/// Statements below a common prefix of positions: the original program as a tree of loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OriginalNode {
    /// A statement, by its index.
    Statement(usize),
    /// A loop around what follows; `members` are all statements inside.
    Loop {
        /// Indices of the statements inside.
        members: Vec<usize>,
        /// How many loops are around it.
        depth: usize,
        /// Its content in order.
        body: Vec<OriginalNode>,
    },
}

/// The loops of the original program in textual order.
pub(crate) fn original_nodes(scop: &Scop) -> Vec<OriginalNode> {
    let mut order: Vec<usize> = (0..scop.statements.len()).collect();
    order.sort_by(|&a, &b| scop.statements[a].position.cmp(&scop.statements[b].position));
    group(scop, &order, 0)
}

/// Groups statements that agree in everything before `position[depth]`. Recursion is bounded by the
/// deepest loop nest.
fn group(scop: &Scop, members: &[usize], depth: usize) -> Vec<OriginalNode> {
    let mut result = Vec::new();
    let mut rest = members;
    while let Some(&first) = rest.first() {
        let place = scop.statements[first].position[depth];
        let count = rest.iter().take_while(|&&s| scop.statements[s].position[depth] == place).count();
        let (same, others) = rest.split_at(count);
        rest = others;
        if scop.statements[first].loops.len() > depth {
            result.push(OriginalNode::Loop { members: same.to_vec(), depth, body: group(scop, same, depth + 1) });
        } else {
            result.extend(same.iter().map(|&s| OriginalNode::Statement(s)));
        }
    }
    result
}

/// The union of the domains restricted to the parameter values of `context`, one set a statement.
pub fn domains(scop: &Scop) -> Vec<Set> {
    scop.statements.iter().map(|s| s.domain.clone()).collect()
}

/// The original order as a schedule tree: one band of one member per loop, sequences in between.
pub fn original_tree(scop: &Scop) -> ScheduleTree {
    let domain = UnionSet::from_members(domains(scop));
    ScheduleTree::new(domain, tree_of(scop, &original_nodes(scop)))
}

/// Recursion is bounded by the deepest loop nest.
fn tree_of(scop: &Scop, nodes: &[OriginalNode]) -> Tree {
    let mut children: Vec<(UnionSet, Tree)> =
        nodes.iter().map(|node| (filter(scop, node), subtree(scop, node))).collect();
    match children.len() {
        0 => Tree::leaf(),
        1 => children.remove(0).1,
        _ => Tree::sequence(children),
    }
}

/// The instances below a node.
pub(crate) fn filter(scop: &Scop, node: &OriginalNode) -> UnionSet {
    let members: &[usize] = match node {
        OriginalNode::Statement(statement) => std::slice::from_ref(statement),
        OriginalNode::Loop { members, .. } => members,
    };
    UnionSet::from_members(members.iter().map(|&s| scop.statements[s].domain.clone()))
}

fn subtree(scop: &Scop, node: &OriginalNode) -> Tree {
    match node {
        OriginalNode::Statement(_) => Tree::leaf(),
        OriginalNode::Loop { members, depth, body } => {
            Tree::band(counter_band(scop, members, *depth, 0), tree_of(scop, body))
        }
    }
}

/// The loop of some statements with so many loops around it, its iterations shifted.
pub(crate) fn counter_band(scop: &Scop, members: &[usize], depth: usize, shift: i64) -> Band {
    let parts = members.iter().map(|&s| {
        let space = scop.statements[s].domain.space().clone();
        let counter = Aff::var(space.clone(), DimKind::Out, depth).add_constant(shift);
        MultiAff::into_tuple(&space, Tuple::anonymous(1), vec![counter])
    });
    Band::new(MultiUnionPwAff::from_multi_affs(Tuple::anonymous(1), parts))
}
