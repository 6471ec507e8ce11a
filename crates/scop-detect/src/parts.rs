//! What the blocks of a region do, and how a block is cut into statements.
//!
//! # Definitions
//! A *node* is one thing that a block does: a load, a store, a computation, or a write to a scalar at its end. A *part* of a block is a set of nodes; it becomes a statement.
//!
//! # Algorithm
//! 1. Nodes that are connected by values belong to one part (union-find). Scalars that a part reads are read by every part for itself.
//! 2. If two parts access the same array or scalar, one of them writing, then the part with the earlier access must come first. Parts that would have to come
//!    before each other are one part.
//! 3. The parts are put into an order that satisfies these constraints, as near to the program's as possible.
//!
//! So executing the parts one after the other does what the block does. Different elements of an array are not told apart here.

use std::collections::BTreeSet;

use poly_shim::ValueRef;
use poly_shim::ir::Opcode;

use crate::access::Accesses;
use crate::cfg::BlockId;
use crate::needs::{Needs, Source, data_operands};
use crate::values::Origins;

/// Blocks with more parts than this stay in one piece.
const MAX_PARTS: usize = 48;

/// What a node does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    /// Read memory.
    Load,
    /// Write memory.
    Store,
    /// Compute.
    Compute,
    /// Write the scalar that carries a value.
    Carry,
    /// Write the scalar of a PHI node.
    Phi,
    /// Write the scalar of a PHI node of the exit.
    ExitPhi,
}

/// One thing that a block does.
#[derive(Clone, Debug)]
pub(crate) struct Node<'c> {
    /// What.
    pub(crate) kind: NodeKind,
    /// The instruction; for scalars the value carried or the PHI node.
    pub(crate) value: ValueRef<'c>,
    /// Data operands and where they come from.
    pub(crate) operands: Vec<(ValueRef<'c>, Source<'c>)>,
}

/// A statement to be: nodes in order.
pub(crate) type Part<'c> = Vec<Node<'c>>;

/// The order number of reads of scalars (before everything else) and writes of scalars (after everything else).
const AT_BEGIN: usize = 0;
const AT_END: usize = usize::MAX;

/// Something that is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target<'c> {
    Memory(usize),
    Carried(ValueRef<'c>),
    Phi(ValueRef<'c>),
    ExitPhi(ValueRef<'c>),
}

#[derive(Clone, Copy, Debug)]
struct Touch<'c> {
    target: Target<'c>,
    order: usize,
    writes: bool,
}

/// The parts of a block in order.
pub(crate) fn of_block<'c>(
    origins: Origins<'_, 'c>,
    needs: &Needs<'c>,
    accesses: &Accesses<'c>,
    block: BlockId,
) -> Vec<Part<'c>> {
    let nodes = nodes(origins, needs, block);
    let groups = connected(&nodes);
    let touches: Vec<Vec<Touch<'c>>> =
        nodes.iter().enumerate().map(|(order, node)| touches(accesses, node, order + 1)).collect();
    let ordered = ordered(&groups, &touches);
    ordered.into_iter().map(|group| group.into_iter().map(|n| nodes[n].clone()).collect()).collect()
}

/// What a block does, in order.
fn nodes<'c>(origins: Origins<'_, 'c>, needs: &Needs<'c>, block: BlockId) -> Vec<Node<'c>> {
    let handle = origins.cfg.blocks[block];
    let with_source = |value: ValueRef<'c>| (value, origins.source(value, block));
    let mut result = Vec::new();
    for instruction in handle.instructions() {
        let kind = match instruction.opcode() {
            Some(Opcode::Phi) => continue,
            Some(Opcode::Load) => NodeKind::Load,
            Some(Opcode::Store) => NodeKind::Store,
            _ => NodeKind::Compute,
        };
        if needs.instructions.contains(&instruction) {
            let operands = data_operands(instruction).into_iter().map(with_source).collect();
            result.push(Node { kind, value: instruction, operands });
        }
    }
    for &value in needs.carried.keys().filter(|&&v| origins.defining_block(v) == Some(block)) {
        result.push(Node { kind: NodeKind::Carry, value, operands: vec![with_source(value)] });
    }
    for &successor in &origins.cfg.successors[block] {
        let leaves = successor == origins.region.exit;
        let kind = if leaves { NodeKind::ExitPhi } else { NodeKind::Phi };
        for phi in origins.cfg.blocks[successor].phis() {
            let is_modelled = if leaves { needs.exit_phis.contains(&phi) } else { needs.instructions.contains(&phi) };
            let incoming = phi.incoming().into_iter().find(|(from, _)| *from == handle);
            if let (true, Some((_, value))) = (is_modelled, incoming) {
                result.push(Node { kind, value: phi, operands: vec![with_source(value)] });
            }
        }
    }
    result
}

/// The initial values of the PHI nodes at the beginning of the region.
pub(crate) fn at_entry<'c>(origins: Origins<'_, 'c>, needs: &Needs<'c>) -> Part<'c> {
    let mut result = Vec::new();
    for phi in origins.cfg.blocks[origins.region.entry].phis().into_iter().filter(|p| needs.instructions.contains(p)) {
        let outside = phi.incoming().into_iter().find(|(from, _)| !origins.is_inside(*from));
        if let Some((_, value)) = outside {
            result.push(Node { kind: NodeKind::Phi, value: phi, operands: vec![(value, Source::Invariant)] });
        }
    }
    result
}

/// Groups of nodes connected by values, each ascending.
fn connected(nodes: &[Node<'_>]) -> Vec<Vec<usize>> {
    let mut parent: Vec<usize> = (0..nodes.len()).collect();
    fn root(parent: &[usize], mut node: usize) -> usize {
        while parent[node] != node {
            node = parent[node];
        }
        node
    }
    for (user, node) in nodes.iter().enumerate() {
        for (operand, source) in &node.operands {
            let defines = |n: &Node<'_>| n.value == *operand && matches!(n.kind, NodeKind::Load | NodeKind::Compute);
            if let Some(definition) = nodes.iter().position(defines).filter(|_| *source == Source::Local) {
                let (a, b) = (root(&parent, definition), root(&parent, user));
                parent[a.max(b)] = a.min(b);
            }
        }
    }
    let roots: BTreeSet<usize> = (0..nodes.len()).map(|n| root(&parent, n)).collect();
    roots.into_iter().map(|r| (0..nodes.len()).filter(|&n| root(&parent, n) == r).collect()).collect()
}

/// What a node reads and writes, with the scalars among its operands.
fn touches<'c>(accesses: &Accesses<'c>, node: &Node<'c>, order: usize) -> Vec<Touch<'c>> {
    let mut result = Vec::new();
    for (operand, source) in &node.operands {
        let target = match source {
            Source::Carried(original) => Target::Carried(*original),
            Source::Local if operand.opcode() == Some(Opcode::Phi) => Target::Phi(*operand),
            _ => continue,
        };
        result.push(Touch { target, order: AT_BEGIN, writes: false });
    }
    let own = match node.kind {
        NodeKind::Load => Some((Target::Memory(accesses.array_of(node.value)), order, false)),
        NodeKind::Store => Some((Target::Memory(accesses.array_of(node.value)), order, true)),
        NodeKind::Compute => None,
        NodeKind::Carry => Some((Target::Carried(node.value), AT_END, true)),
        NodeKind::Phi => Some((Target::Phi(node.value), AT_END, true)),
        NodeKind::ExitPhi => Some((Target::ExitPhi(node.value), AT_END, true)),
    };
    result.extend(own.map(|(target, order, writes)| Touch { target, order, writes }));
    result
}

/// Whether something that `first` does must come before something that `second` does.
fn must_precede(first: &[usize], second: &[usize], touches: &[Vec<Touch<'_>>]) -> bool {
    let all = |group: &[usize]| group.iter().flat_map(|&n| touches[n].iter().copied()).collect::<Vec<_>>();
    let (first, second) = (all(first), all(second));
    first.iter().any(|a| second.iter().any(|b| a.target == b.target && (a.writes || b.writes) && a.order < b.order))
}

/// Merges groups that must come before each other and sorts the rest.
fn ordered(groups: &[Vec<usize>], touches: &[Vec<Touch<'_>>]) -> Vec<Vec<usize>> {
    let all = || {
        let mut all: Vec<usize> = groups.concat();
        all.sort_unstable();
        vec![all]
    };
    if groups.len() < 2 {
        return groups.to_vec();
    }
    if groups.len() > MAX_PARTS {
        return all();
    }
    let n = groups.len();
    let mut before = vec![vec![false; n]; n];
    for (a, row) in before.iter_mut().enumerate() {
        for (b, entry) in row.iter_mut().enumerate() {
            *entry = a != b && must_precede(&groups[a], &groups[b], touches);
        }
    }
    for middle in 0..n {
        for a in 0..n {
            for b in 0..n {
                before[a][b] |= before[a][middle] && before[middle][b];
            }
        }
    }
    // Classes of groups that precede each other, named by their first member.
    let class: Vec<usize> = (0..n)
        .map(|a| (0..n).find(|&b| a == b || (before[a][b] && before[b][a])).expect("a group is in its own class"))
        .collect();
    let mut left: Vec<usize> = (0..n).filter(|&a| class[a] == a).collect();
    let mut result = Vec::new();
    while !left.is_empty() {
        let is_free = |&&a: &&usize| left.iter().all(|&b| a == b || !(before[b][a] && class[b] != class[a]));
        let next = *left.iter().find(is_free).expect("classes of mutual precedence are partially ordered");
        left.retain(|&a| a != next);
        let mut group: Vec<usize> = (0..n).filter(|&a| class[a] == next).flat_map(|a| groups[a].clone()).collect();
        group.sort_unstable();
        result.push(group);
    }
    result
}
