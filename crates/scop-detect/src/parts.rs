//! What the units of a region do, and how a unit is cut into statements.
//!
//! # Definitions
//! A *node* is one thing that a unit ([`crate::units`]; mostly a single block) does: a load, a
//! store, a computation, or a write to a scalar at its end. A *part* of a unit is a set of nodes;
//! it becomes a statement.
//!
//! # Algorithm
//! 1. Nodes that are connected by values belong to one part (union-find). Scalars that a part reads
//!    are read by every part for itself.
//! 2. If two parts access the same array or scalar, or arrays that may overlap in a way that nobody
//!    checks, one of them writing, then the part with the earlier access must come first. Parts
//!    that would have to come before each other are one part.
//! 3. The parts are put into an order that satisfies these constraints, as near to the program's as
//!    possible.
//!
//! So executing the parts one after the other does what the unit does. Different elements of an
//! array are not told apart here.

use std::collections::{BTreeSet, HashSet};

use poly_scop::OperandKind;
use poly_shim::ir::Opcode;
use poly_shim::{BlockRef, ValueRef};

use crate::access::{self, Accesses, Role, Transfer, transfer};
use crate::cfg::BlockId;
use crate::domains::Domains;
use crate::errno;
use crate::needs::{Needs, Source};
use crate::units::{Edge, Units, Way};
use crate::values::{Name, Origins, condition_of};

/// Units with more parts than this stay in one piece.
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
    /// Find out whether the last operand is true, or false, and the one before it true.
    Holds {
        /// False.
        inverted: bool,
    },
    /// Find out whether one of the operands is true.
    Any,
    /// Find out whether the last operand is what makes the switch choose the block, and the one
    /// before it true.
    Matches {
        /// The block.
        to: BlockId,
    },
    /// Choose a value by conditions: those of a PHI node, or what a PHI node outside gets.
    Choose,
    /// Execute all that the block stands for.
    Loop {
        /// The block.
        header: BlockId,
    },
    /// The value as the loop that is the only operand leaves it.
    Result,
    /// Write the scalar that carries a value.
    Carry,
    /// Write the scalar of a PHI node.
    Phi,
    /// Write the scalar of a PHI node of the exit.
    ExitPhi,
    /// Let the original run if the operand is true, or false ([`crate::inspect`]).
    Stop {
        /// False.
        inverted: bool,
    },
}

/// One thing that a unit does.
#[derive(Clone, Debug)]
pub(crate) struct Node<'c> {
    /// What.
    pub(crate) kind: NodeKind,
    /// The instruction; for scalars the value carried or the PHI node.
    pub(crate) value: Name<'c>,
    /// Data operands and where they come from.
    pub(crate) operands: Vec<(Name<'c>, Source<'c>)>,
    /// What must be true for it to be done.
    pub(crate) predicate: Option<Name<'c>>,
}

impl Node<'_> {
    /// Whether the node has a result that others use by its name.
    fn computes(&self) -> bool {
        !matches!(self.kind, NodeKind::Store | NodeKind::Carry | NodeKind::Phi | NodeKind::ExitPhi)
    }
}

/// A statement to be: nodes in order.
pub(crate) type Part<'c> = Vec<Node<'c>>;

/// The order number of reads of scalars (before everything else) and writes of scalars (after
/// everything else).
const AT_BEGIN: usize = 0;
const AT_END: usize = usize::MAX;

/// Something that is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target<'c> {
    Memory(usize),
    Carried(ValueRef<'c>),
    Phi(ValueRef<'c>),
    ExitPhi(ValueRef<'c>),
    Errno,
}

#[derive(Clone, Copy, Debug)]
struct Touch<'c> {
    target: Target<'c>,
    order: usize,
    writes: bool,
}

/// The parts of the unit with the given head, in order. Calls that set `errno` stay in order if
/// asked to (`ordered_errno`).
pub(crate) fn of_unit<'c>(
    origins: Origins<'_, 'c>,
    domains: &Domains,
    needs: &Needs<'c>,
    accesses: &Accesses<'c>,
    ordered_errno: bool,
    head: BlockId,
) -> Vec<Part<'c>> {
    let (nodes, known) = (Vec::new(), HashSet::new());
    let mut unit = Unit { origins, units: &domains.units, needs, repeats: false, nodes, known };
    unit.nodes(head);
    let nodes = unit.nodes;
    let groups = connected(&nodes);
    let of_node = |(position, node): (usize, &Node<'c>)| {
        let order = position + 1;
        let mut touches = touches(origins, accesses, node, order);
        if ordered_errno && sets_errno(origins, node) {
            touches.push(Touch { target: Target::Errno, order, writes: true });
        }
        touches
    };
    let touches: Vec<Vec<Touch<'c>>> = nodes.iter().enumerate().map(of_node).collect();
    let ordered = ordered(&groups, &touches, accesses);
    ordered.into_iter().map(|group| group.into_iter().map(|n| nodes[n].clone()).collect()).collect()
}

/// What finds out, by computing `steps` again, whether the branch at the end of the block, if the
/// program comes to it, goes the way that ends the program. What belongs to a block that does not
/// always run is predicated like in a unit.
pub(crate) fn of_inspection<'c>(
    origins: Origins<'_, 'c>,
    domains: &Domains,
    needs: &Needs<'c>,
    steps: &[ValueRef<'c>],
    (block, if_true): (BlockId, bool),
) -> Vec<Node<'c>> {
    let (nodes, known) = (Vec::new(), HashSet::new());
    let mut unit = Unit { origins, units: &domains.units, needs, repeats: true, nodes, known };
    for &step in steps {
        let block = origins.defining_block(step).expect("what is computed again is computed in the region");
        let predicate = unit.predicate(block);
        let kind = if step.opcode() == Some(Opcode::Load) { NodeKind::Load } else { NodeKind::Compute };
        let operands = needs.data_operands(step).into_iter().map(|value| unit.with_source(value, block)).collect();
        unit.nodes.push(Node { kind, value: Name::Value(step), operands, predicate });
    }
    let terminator = origins.cfg.blocks[block].terminator();
    let condition = condition_of(terminator).expect("the block decides by a condition");
    let (operand, inverted) = match unit.predicate(block) {
        None => (unit.with_source(condition, block), !if_true),
        Some(_) => {
            let way = Way::Truth(if_true);
            let taken = unit.edge(Edge { from: block, way }).expect("a branch that may be taken has a condition");
            ((taken, Source::Local), false)
        }
    };
    let kind = NodeKind::Stop { inverted };
    unit.nodes.push(Node { kind, value: Name::Value(terminator), operands: vec![operand], predicate: None });
    unit.nodes
}

/// The conditions that decide whether a block of a unit runs, with the blocks that they stand at
/// the end of, each behind those that decide about its own block.
pub(crate) fn deciding<'c>(origins: Origins<'_, 'c>, units: &Units, block: BlockId) -> Vec<(ValueRef<'c>, BlockId)> {
    let cfg = origins.cfg;
    let mut result: Vec<(ValueRef<'c>, BlockId)> = Vec::new();
    let mut seen: Vec<BlockId> = Vec::new();
    // Blocks, and whether those before them have been visited.
    let mut todo = vec![(block, None)];
    while let Some((block, edge)) = todo.pop() {
        if let Some(Edge { from, way }) = edge {
            let condition = condition_of(cfg.blocks[from].terminator()).filter(|_| way != Way::Always);
            result.extend(condition.map(|condition| (condition, from)));
            continue;
        }
        let block = units.equivalent(cfg, block);
        if !units.is_inner(block) || seen.contains(&block) {
            continue;
        }
        seen.push(block);
        for edge in units.edges(cfg, block) {
            todo.push((block, Some(edge)));
            todo.push((edge.from, None));
        }
    }
    result
}

/// Lists what a unit does.
struct Unit<'a, 'c> {
    origins: Origins<'a, 'c>,
    units: &'a Units,
    needs: &'a Needs<'c>,
    /// Everything is computed here, what other units have computed, too.
    repeats: bool,
    nodes: Vec<Node<'c>>,
    /// Conditions that have a node.
    known: HashSet<Name<'c>>,
}

impl<'c> Unit<'_, 'c> {
    fn nodes(&mut self, head: BlockId) {
        let blocks = self.units.blocks(head);
        for &block in &blocks {
            self.instructions(block);
        }
        let defined = |v: &ValueRef<'c>| self.origins.defining_block(*v).is_some_and(|b| blocks.contains(&b));
        let carried: Vec<ValueRef<'c>> = self.needs.carried.keys().copied().filter(defined).collect();
        for value in carried {
            let block = self.origins.defining_block(value).expect("carried values are defined in the region");
            let operand = self.with_source(value, block);
            self.nodes.push(Node {
                kind: NodeKind::Carry,
                value: Name::Value(value),
                operands: vec![operand],
                predicate: None,
            });
        }
        let mut behind: Vec<BlockId> = Vec::new();
        for &next in blocks.iter().flat_map(|&b| &self.origins.cfg.successors[b]) {
            let stays = self.units.is_inner(next) && blocks.contains(&next);
            if !stays && !behind.contains(&next) {
                behind.push(next);
            }
        }
        for next in behind {
            self.phis_behind(next, &blocks);
        }
    }

    fn with_source(&self, value: ValueRef<'c>, block: BlockId) -> (Name<'c>, Source<'c>) {
        (Name::Value(value), self.source(value, block))
    }

    fn source(&self, value: ValueRef<'c>, block: BlockId) -> Source<'c> {
        if !self.repeats {
            return self.origins.source(self.units, value, block);
        }
        match self.origins.operand_kind(value, block) {
            OperandKind::Constant | OperandKind::Invariant => Source::Invariant,
            OperandKind::Synthesized => Source::Synthesized,
            OperandKind::Local => Source::Local,
        }
    }

    fn instructions(&mut self, block: BlockId) {
        if self.origins.cfg.subregion_at(block).is_some() {
            self.subregion(block);
            return;
        }
        let is_inner = self.units.is_inner(block);
        for instruction in self.origins.cfg.instructions(block) {
            if !self.needs.instructions.contains(&instruction) {
                continue;
            }
            let kind = match instruction.opcode() {
                Some(Opcode::Phi) if is_inner => NodeKind::Choose,
                Some(Opcode::Phi) => continue,
                Some(Opcode::Load) => NodeKind::Load,
                Some(Opcode::Store) => NodeKind::Store,
                Some(Opcode::Call) if transfer(instruction).is_some() => NodeKind::Store,
                _ => NodeKind::Compute,
            };
            let predicate = self.predicate(block);
            let operands = match kind {
                NodeKind::Choose => {
                    let edges = self.units.edges(self.origins.cfg, block);
                    self.choice(instruction, &edges)
                }
                _ => {
                    let operands = self.needs.data_operands(instruction);
                    operands.into_iter().map(|value| self.with_source(value, block)).collect()
                }
            };
            self.nodes.push(Node { kind, value: Name::Value(instruction), operands, predicate });
        }
    }

    /// All that a non-affine subregion does, and what it leaves behind.
    fn subregion(&mut self, header: BlockId) {
        let cfg = self.origins.cfg;
        let part = cfg.subregion_at(header).expect("the block stands for several");
        let terminator = cfg.blocks[header].terminator();
        if !self.needs.instructions.contains(&terminator) {
            return;
        }
        let predicate = self.predicate(header);
        let operands = part.inputs.iter().map(|&input| self.with_source(input, header)).collect();
        let execution = Name::Loop(terminator);
        self.nodes.push(Node { kind: NodeKind::Loop { header }, value: execution, operands, predicate });
        let results = part.results.iter().map(|&result| Name::Value(result));
        for value in results.chain(part.chosen.iter().map(|&phi| Name::Left(phi))) {
            let operands = vec![(execution, Source::Local)];
            self.nodes.push(Node { kind: NodeKind::Result, value, operands, predicate });
        }
    }

    /// Writes the scalars of the PHI nodes of a block that the unit is left to.
    fn phis_behind(&mut self, next: BlockId, blocks: &[BlockId]) {
        if self.origins.cfg.subregion_at(next).is_some() {
            // It gets initial values as they are used, like others.
            return;
        }
        let leaves = next == self.origins.region.exit;
        let kind = if leaves { NodeKind::ExitPhi } else { NodeKind::Phi };
        let from = self.origins.cfg.predecessors[next].iter().filter(|b| blocks.contains(b));
        let edges: Vec<Edge> = from.map(|&from| self.units.edge(self.origins.cfg, from, next)).collect();
        for phi in self.origins.cfg.phis(next) {
            let is_modelled =
                if leaves { self.needs.exit_phis.contains(&phi) } else { self.needs.instructions.contains(&phi) };
            if !is_modelled {
                continue;
            }
            let mut operands = self.choice(phi, &edges);
            if operands.len() > 1 {
                let value = Name::Chosen(phi);
                self.nodes.push(Node { kind: NodeKind::Choose, value, operands, predicate: None });
                operands = vec![(value, Source::Local)];
            }
            self.nodes.push(Node { kind, value: Name::Value(phi), operands, predicate: None });
        }
    }

    /// What a PHI node gets over the edges: operands of [`NodeKind::Choose`].
    fn choice(&mut self, phi: ValueRef<'c>, edges: &[Edge]) -> Vec<(Name<'c>, Source<'c>)> {
        let incoming = phi.incoming();
        let mut operands = Vec::new();
        for (position, &edge) in edges.iter().enumerate() {
            let comes_from = |block: BlockRef<'c>| self.origins.cfg.number(block) == Some(edge.from);
            let Some(&(_, value)) = incoming.iter().find(|(block, _)| comes_from(*block)) else { continue };
            if position + 1 < edges.len()
                && let Some(condition) = self.edge(edge)
            {
                operands.push((condition, self.condition_source(condition, edge.from)));
            }
            let part = self.origins.cfg.subregion_at(edge.from).filter(|part| part.chosen.contains(&phi));
            operands.push(match part {
                Some(_) => (Name::Left(phi), Source::Local),
                None => self.with_source(value, edge.from),
            });
        }
        operands
    }

    fn condition_source(&self, condition: Name<'c>, from: BlockId) -> Source<'c> {
        match condition {
            Name::Value(value) => self.source(value, from),
            _ => Source::Local,
        }
    }

    /// What must be true for the block to run; nothing if it always does. Recursion is as deep as a
    /// unit has blocks.
    fn predicate(&mut self, block: BlockId) -> Option<Name<'c>> {
        let block = self.units.equivalent(self.origins.cfg, block);
        if !self.units.is_inner(block) {
            return None;
        }
        let edges = self.units.edges(self.origins.cfg, block);
        if let [only] = edges.as_slice() {
            return self.edge(*only);
        }
        let name = Name::Runs(self.origins.cfg.blocks[block].terminator());
        if self.known.insert(name) {
            let mut operands = Vec::new();
            for edge in edges {
                let condition = self.edge(edge).expect("a block with several edges does not run always by one of them");
                operands.push((condition, self.condition_source(condition, edge.from)));
            }
            self.nodes.push(Node { kind: NodeKind::Any, value: name, operands, predicate: None });
        }
        Some(name)
    }

    /// What must be true for the edge to be taken.
    fn edge(&mut self, edge: Edge) -> Option<Name<'c>> {
        let before = self.predicate(edge.from);
        if edge.way == Way::Always {
            return before;
        }
        let terminator = self.origins.cfg.blocks[edge.from].terminator();
        let condition = condition_of(terminator).expect("a block that chooses has a condition");
        let operand = self.with_source(condition, edge.from);
        let is_there = operand.1 == Source::Local;
        if edge.way == Way::Truth(true) && before.is_none() && is_there {
            return Some(operand.0);
        }
        let (name, kind) = match edge.way {
            Way::Truth(truth) => (Name::Takes(terminator, truth), NodeKind::Holds { inverted: !truth }),
            Way::Switch(to) => (Name::Goes(terminator, to), NodeKind::Matches { to }),
            Way::Always => unreachable!("handled above"),
        };
        if self.known.insert(name) {
            let mut operands: Vec<(Name<'c>, Source<'c>)> = Vec::new();
            if let Some(before) = before {
                operands.push((before, Source::Local));
            }
            operands.push(operand);
            self.nodes.push(Node { kind, value: name, operands, predicate: None });
        }
        Some(name)
    }
}

/// The initial values of the PHI nodes at the beginning of the region. Those for which `is_loaded`
/// holds are elements that accesses are known for.
pub(crate) fn at_entry<'c>(
    origins: Origins<'_, 'c>,
    needs: &Needs<'c>,
    mut is_loaded: impl FnMut(ValueRef<'c>) -> bool,
) -> Part<'c> {
    let mut result: Part<'c> = Vec::new();
    for phi in origins.cfg.blocks[origins.region.entry].phis().into_iter().filter(|p| needs.instructions.contains(p)) {
        let outside = phi.incoming().into_iter().find(|(from, _)| !origins.is_inside(*from));
        if let Some((_, value)) = outside {
            let name = Name::Value(value);
            let source = if is_loaded(value) { Source::Local } else { Source::Invariant };
            if source == Source::Local && result.iter().all(|node| node.value != name) {
                result.push(Node { kind: NodeKind::Load, value: name, operands: Vec::new(), predicate: None });
            }
            let operands = vec![(name, source)];
            result.push(Node { kind: NodeKind::Phi, value: Name::Value(phi), operands, predicate: None });
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
        let locals = node.operands.iter().filter(|(_, source)| *source == Source::Local).map(|(name, _)| *name);
        for used in locals.chain(node.predicate) {
            if let Some(definition) = nodes.iter().position(|n| n.value == used && n.computes()) {
                let (a, b) = (root(&parent, definition), root(&parent, user));
                parent[a.max(b)] = a.min(b);
            }
        }
    }
    let roots: BTreeSet<usize> = (0..nodes.len()).map(|n| root(&parent, n)).collect();
    roots.into_iter().map(|r| (0..nodes.len()).filter(|&n| root(&parent, n) == r).collect()).collect()
}

/// What a node reads and writes, with the scalars among its operands.
fn touches<'c>(origins: Origins<'_, 'c>, accesses: &Accesses<'c>, node: &Node<'c>, order: usize) -> Vec<Touch<'c>> {
    let mut result = Vec::new();
    for (operand, source) in &node.operands {
        let target = match source {
            Source::Carried(original) => Target::Carried(*original),
            Source::Phi => Target::Phi(operand.ir()),
            _ => continue,
        };
        result.push(Touch { target, order: AT_BEGIN, writes: false });
    }
    let own = match node.kind {
        NodeKind::Load => Some((Target::Memory(accesses.array_of(node.value.ir(), Role::Main)), order, false)),
        NodeKind::Store => Some((Target::Memory(accesses.array_of(node.value.ir(), Role::Main)), order, true)),
        NodeKind::Loop { header } => {
            let all = access::of_instructions(&origins.cfg.instructions(header));
            result.extend(all.into_iter().map(|(instruction, role, writes)| Touch {
                target: Target::Memory(accesses.array_of(instruction, role)),
                order,
                writes,
            }));
            None
        }
        NodeKind::Compute
        | NodeKind::Holds { .. }
        | NodeKind::Any
        | NodeKind::Matches { .. }
        | NodeKind::Choose
        | NodeKind::Result
        | NodeKind::Stop { .. } => None,
        NodeKind::Carry => Some((Target::Carried(node.value.ir()), AT_END, true)),
        NodeKind::Phi => Some((Target::Phi(node.value.ir()), AT_END, true)),
        NodeKind::ExitPhi => Some((Target::ExitPhi(node.value.ir()), AT_END, true)),
    };
    if node.kind == NodeKind::Store && transfer(node.value.ir()) == Some(Transfer::Copy) {
        let target = Target::Memory(accesses.array_of(node.value.ir(), Role::Source));
        result.push(Touch { target, order, writes: false });
    }
    if node.kind == NodeKind::Compute {
        let seen = accesses.seen_by(node.value.ir()).iter();
        result.extend(seen.map(|&(array, _)| Touch { target: Target::Memory(array), order, writes: false }));
    }
    result.extend(own.map(|(target, order, writes)| Touch { target, order, writes }));
    result
}

fn sets_errno(origins: Origins<'_, '_>, node: &Node<'_>) -> bool {
    match node.kind {
        NodeKind::Compute => errno::is_set_by(origins.ctx, node.value.ir()),
        NodeKind::Loop { header } => {
            origins.cfg.instructions(header).into_iter().any(|i| errno::is_set_by(origins.ctx, i))
        }
        _ => false,
    }
}

/// Whether something that `first` does must come before something that `second` does.
fn must_precede(first: &[usize], second: &[usize], touches: &[Vec<Touch<'_>>], accesses: &Accesses<'_>) -> bool {
    let is_same = |a: Target<'_>, b: Target<'_>| match (a, b) {
        (Target::Memory(a), Target::Memory(b)) => accesses.may_share_bytes(a, b),
        _ => a == b,
    };
    let all = |group: &[usize]| group.iter().flat_map(|&n| touches[n].iter().copied()).collect::<Vec<_>>();
    let (first, second) = (all(first), all(second));
    let conflict = |a: &Touch<'_>, b: &Touch<'_>| (a.writes || b.writes) && a.order < b.order;
    first.iter().any(|a| second.iter().any(|b| conflict(a, b) && is_same(a.target, b.target)))
}

/// Merges groups that must come before each other and sorts the rest.
fn ordered(groups: &[Vec<usize>], touches: &[Vec<Touch<'_>>], accesses: &Accesses<'_>) -> Vec<Vec<usize>> {
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
            *entry = a != b && must_precede(&groups[a], &groups[b], touches, accesses);
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
