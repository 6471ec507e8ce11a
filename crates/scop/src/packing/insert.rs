//! The statements that local buffers consist of, in model and tree.
//!
//! # Method
//! The tree is rebuilt from below. At a mark, what is below becomes one of the children of a
//! sequence: the local buffer is opened, filled, used, and written back. The new instances are
//! named by the values of all loops around, followed by subscripts, so their place in a band above
//! is one of their own coordinates, and every filter above lets them through.

use poly_machine::Machine;
use poly_presburger::{
    BasicMap, Budget, DimKind, Map, MultiUnionPwAff, PwAff, Set, Space, Stop, Tuple, UnionPwAff, UnionSet,
};
use poly_schedule_tree::{Band, Mark, NodeKind, ScheduleTree, Tree};

use super::order::{Copies, uses};
use super::{LocalBuffer, instances, place_of, waits};
use crate::plan::BufferOrigin;
use crate::{
    Access, AccessId, AccessKind, Array, ArrayId, ArrayKind, Instr, InstrKind, LoopId, Operand, OperandKind, Scop,
    Statement, StmtId,
};

/// What is to be put into a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct What<'a> {
    /// Local buffers at their marks; else these are ignored.
    pub(crate) buffers: bool,
    /// The processor whose caches they are for.
    pub(crate) machine: &'a Machine,
}

/// A model and a tree with local buffers and statements that wait at all places with marks.
pub(crate) struct Inserted {
    pub(crate) scop: Scop,
    pub(crate) tree: ScheduleTree,
    /// What opens them.
    pub(crate) buffers: Vec<BufferOrigin>,
    /// What waits.
    pub(crate) waits: Vec<StmtId>,
    /// The copies, as statements of the model.
    pub(crate) copies: Vec<Copies>,
}

/// Puts local buffers at all places with marks where there can be one, and statements that wait at
/// all of theirs.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(crate) fn insert(scop: &Scop, tree: &ScheduleTree, what: What<'_>, budget: &mut Budget) -> Result<Inserted, Stop> {
    let mut insertion =
        Insertion { scop: scop.clone(), what, buffers: Vec::new(), waits: Vec::new(), copies: Vec::new() };
    let place = Place { loops: Vec::new(), active: tree.domain().clone(), doacross: None, private: 0 };
    let (below, new) = insertion.walk(tree.tree().child(), &place, budget)?;
    let tree = ScheduleTree::new(with_instances(tree.domain(), &new), below);
    let Insertion { scop, buffers, waits, copies, .. } = insertion;
    Ok(Inserted { scop, tree, buffers, waits, copies })
}

/// Where a node stands.
struct Place {
    /// The functions of all loops around it, outermost first.
    loops: Vec<UnionPwAff>,
    /// The instances that reach it.
    active: UnionSet,
    /// In a DOACROSS loop, above its point of waiting: the number of loops outside of it.
    doacross: Option<usize>,
    /// The number of loops down to the innermost DOACROSS one.
    private: usize,
}

struct Insertion<'a> {
    scop: Scop,
    what: What<'a>,
    buffers: Vec<BufferOrigin>,
    waits: Vec<StmtId>,
    copies: Vec<Copies>,
}

fn with_instances(domain: &UnionSet, new: &[Set]) -> UnionSet {
    new.iter().fold(domain.clone(), |mut all, set| {
        all.add(set.clone());
        all
    })
}

impl Insertion<'_> {
    /// The node with local buffers, and the instances that are new below it. Recursion is bounded
    /// by the height of the tree.
    fn walk(&mut self, node: &Tree, place: &Place, budget: &mut Budget) -> Result<(Tree, Vec<Set>), Stop> {
        budget.spend(1)?;
        let mut children = Vec::new();
        let mut new = Vec::new();
        let mut below = Place { loops: place.loops.clone(), active: place.active.clone(), ..*place };
        match node.kind() {
            NodeKind::Band(band) => below.loops.extend(band.schedule.members().iter().cloned()),
            NodeKind::Filter(filter) => below.active = place.active.intersect(filter),
            NodeKind::Mark(Mark::Doacross) => {
                (below.doacross, below.private) = (Some(place.loops.len()), place.loops.len() + 1);
            }
            NodeKind::Mark(Mark::Wait) => below.doacross = None,
            _ => {}
        }
        for child in node.children() {
            let (child, added) = self.walk(child, &below, budget)?;
            children.push(child);
            new.extend(added);
        }
        let kind = match node.kind() {
            NodeKind::Mark(mark) => {
                return match mark {
                    Mark::Pack { array } if self.what.buffers => {
                        self.at_mark(ArrayId::from(*array), &children[0], new, place, budget)
                    }
                    Mark::Pack { .. } => Ok((children.remove(0), new)),
                    Mark::Wait => self.at_wait(&children[0], new, place, budget),
                    _ => Ok((node.with_children(children), new)),
                };
            }
            _ if new.is_empty() => return Ok((node.with_children(children), new)),
            NodeKind::Band(band) => NodeKind::Band(with_members(band, place.loops.len(), &new)),
            NodeKind::Filter(filter) => NodeKind::Filter(with_instances(filter, &new)),
            other => other.clone(),
        };
        Ok((Tree::new(kind, children), new))
    }

    /// The statements that reach a place.
    fn active_at(&self, place: &Place) -> Vec<usize> {
        let is_active = |s: &usize| place.active.get_named(&self.scop.statements[*s].name).is_some();
        (0..self.scop.statements.len()).filter(is_active).collect()
    }

    /// What was below a mark, behind a statement that waits.
    fn at_wait(
        &mut self,
        child: &Tree,
        mut new: Vec<Set>,
        place: &Place,
        budget: &mut Budget,
    ) -> Result<(Tree, Vec<Set>), Stop> {
        let loops: Vec<&UnionPwAff> = place.loops.iter().collect();
        // Lowering has asked for the same instances: if they cannot be had here, there is no order
        // that would be right.
        let instances = waits(&self.scop, &self.active_at(place), &loops, budget)?.ok_or(Stop)?;
        let name = format!("Wait{}", self.waits.len());
        let domain = instances.set_tuple(Tuple::named(&*name, loops.len()));
        let waiting = UnionSet::from_members([domain.clone()]);
        let rest = with_instances(&place.active, &new);
        let statement = self.add_statement(name, domain.clone(), Vec::new(), Vec::new());
        self.waits.push(StmtId::from(statement));
        new.push(domain);
        // The mark stays: the checker goes by it.
        let behind = Tree::sequence([(waiting, Tree::leaf()), (rest, child.clone())]);
        Ok((Tree::mark(Mark::Wait, behind), new))
    }

    /// What was below a mark, with a local buffer around it.
    fn at_mark(
        &mut self,
        array: ArrayId,
        child: &Tree,
        mut new: Vec<Set>,
        place: &Place,
        budget: &mut Budget,
    ) -> Result<(Tree, Vec<Set>), Stop> {
        let active = self.active_at(place);
        let loops: Vec<&UnionPwAff> = place.loops.iter().collect();
        for &statement in &active {
            if !self.is_whole(statement, &place.active, budget)? {
                return Ok((child.clone(), new));
            }
        }
        let Some(buffer) = LocalBuffer::of(&self.scop, array, &active, (&loops, self.what.machine), budget)? else {
            return Ok((child.clone(), new));
        };
        if let Some(doacross) = place.doacross
            && buffer.is_handed_on(doacross, budget)?
        {
            return Ok((child.clone(), new));
        }
        let around = place.loops.len();
        let mut places = Vec::new();
        for &statement in &active {
            let place = place_of(&self.scop.statements[statement], &loops).ok_or(Stop)?;
            places.push((statement, place));
        }
        let uses = uses(&self.scop, array, &places);
        let temporary = self.add_array(&buffer);
        let open = self.add_opening(&buffer, temporary);
        let fill = self.add_copy(&buffer, (array, temporary), &buffer.touched);
        let back = buffer.written.as_ref().map(|written| self.add_copy(&buffer, (temporary, array), written));
        let private = place.private;
        self.copies.push(Copies { array, around, private, open, fill, back, uses });
        for &statement in &active {
            self.redirect(statement, array, temporary);
        }
        let domain = |statement: usize, scop: &Scop| scop.statements[statement].domain.clone();
        let alone = |set: &Set| UnionSet::from_members([set.clone()]);
        let rest = with_instances(&place.active, &new);
        let (opened, filled) = (domain(open, &self.scop), domain(fill, &self.scop));
        let mut parts = vec![
            (alone(&opened), Tree::leaf()),
            (alone(&filled), copying(&buffer, around, &filled)),
            (rest, child.clone()),
        ];
        new.extend([opened, filled]);
        if let Some(back) = back {
            let back = domain(back, &self.scop);
            parts.push((alone(&back), copying(&buffer, around, &back)));
            new.push(back);
        }
        Ok((Tree::sequence(parts), new))
    }

    /// All instances of a statement are among these.
    fn is_whole(&self, statement: usize, active: &UnionSet, budget: &mut Budget) -> Result<bool, Stop> {
        let statement = &self.scop.statements[statement];
        let all = statement.domain.intersect_params(&self.scop.context);
        active.get_named(&statement.name).map_or(Ok(false), |active| all.is_subset(active, budget))
    }

    fn add_array(&mut self, buffer: &LocalBuffer) -> ArrayId {
        let id = ArrayId::from(self.scop.arrays.len());
        let old = &self.scop.arrays[buffer.array.index()];
        let params = self.scop.context.space();
        let extents = buffer.sizes.iter().map(|&size| poly_presburger::Aff::constant(params.clone(), size)).collect();
        let array = Array {
            name: format!("W{}_{}", self.buffers.len(), old.name),
            kind: ArrayKind::Temporary {
                value: buffer.value,
                rows: buffer.rows.clone(),
                result: None,
                begins_with: None,
                in_use: None,
            },
            element: old.element.clone(),
            extents,
            rank: old.rank,
            local: true,
        };
        self.scop.arrays.push(array);
        id
    }

    /// The statement that says where the local buffer is: its last coordinates are the subscripts
    /// of the origin.
    fn add_opening(&mut self, buffer: &LocalBuffer, temporary: ArrayId) -> usize {
        let space = buffer.touched.space();
        let mut at = BasicMap::universe(space.clone());
        for row in &buffer.origin {
            at.add_eq(row.clone());
        }
        let name = format!("Open{}", self.buffers.len());
        let instances = Map::from_basic(at).intersect_domain(&buffer.touched.domain());
        let domain = flat(&instances, &name);
        let statement = self.add_statement(name, domain, Vec::new(), Vec::new());
        self.buffers.push(BufferOrigin { statement: StmtId::from(statement), array: temporary });
        statement
    }

    /// The statement that copies elements from one array to the other.
    fn add_copy(&mut self, buffer: &LocalBuffer, (from, to): (ArrayId, ArrayId), elements: &Map) -> usize {
        let what = if to == buffer.array { "Back" } else { "Fill" };
        let name = format!("{what}{}", self.buffers.len() - 1);
        let access = |array: ArrayId, kind: AccessKind| Access {
            kind,
            array,
            relation: elements_of(buffer, &name, &self.scop.arrays[array.index()]),
            exact: true,
            from_base: false,
            speculated: false,
            demoted: false,
            value: buffer.value,
            place: None,
        };
        let accesses = vec![access(from, AccessKind::Read), access(to, AccessKind::MustWrite)];
        let local = Operand { value: buffer.value, kind: OperandKind::Local };
        let instr = |kind, operands| Instr { kind, value: buffer.value, operands, predicate: None };
        let body =
            vec![instr(InstrKind::Read(AccessId(0)), Vec::new()), instr(InstrKind::Write(AccessId(1)), vec![local])];
        let domain = flat(elements, &name);
        self.add_statement(name, domain, accesses, body)
    }

    fn add_statement(&mut self, name: String, domain: Set, accesses: Vec<Access>, body: Vec<Instr>) -> usize {
        let dims = domain.n_dim();
        self.scop.statements.push(Statement {
            name,
            domain,
            // None of them: nothing is computed from loop counters.
            loops: vec![LoopId(0); dims],
            position: vec![0; dims + 1],
            accesses,
            body,
            place: None,
        });
        self.scop.statements.len() - 1
    }

    /// Makes a statement access the local buffer in place of the array.
    fn redirect(&mut self, statement: usize, array: ArrayId, temporary: ArrayId) {
        let tuple = Tuple::named(&*self.scop.arrays[temporary.index()].name, self.scop.arrays[temporary.index()].rank);
        for access in self.scop.statements[statement].accesses.iter_mut().filter(|a| a.array == array) {
            access.array = temporary;
            access.relation = access.relation.set_tuple(DimKind::Out, tuple.clone());
        }
    }
}

/// The pairs of a relation as instances of a statement.
fn flat(pairs: &Map, name: &str) -> Set {
    let dims = pairs.dim(DimKind::In) + pairs.dim(DimKind::Out);
    pairs.wrap().flatten().set_tuple(Tuple::named(name, dims))
}

/// From the instances of a copy to their element.
fn elements_of(buffer: &LocalBuffer, name: &str, array: &Array) -> Map {
    let source = instances(buffer, name);
    let around = buffer.touched.dim(DimKind::In);
    let space = Space::map(
        source.params.clone(),
        Tuple::named(name, around + array.rank),
        Tuple::named(&*array.name, array.rank),
    );
    (0..array.rank).fold(Map::universe(space), |map, d| map.equate(DimKind::In, around + d, DimKind::Out, d))
}

/// The loops of a copy: over subscripts, the innermost one in vectors if rows are long enough.
fn copying(buffer: &LocalBuffer, around: usize, instances: &Set) -> Tree {
    let rank = buffer.touched.dim(DimKind::Out);
    let members = |first: usize, n: usize| {
        let functions = (first..first + n).map(|d| UnionPwAff::from_members([coordinate(instances, around + d)]));
        let schedule = MultiUnionPwAff::new(Tuple::anonymous(n), functions.collect());
        Band::with_properties(schedule, true, vec![true; n])
    };
    let inner = Tree::band(members(rank - 1, 1), Tree::leaf());
    let is_long = buffer.sizes.last().is_some_and(|&size| size > 1);
    Tree::band(members(0, rank - 1), if is_long { Tree::mark(Mark::Vector, inner) } else { inner })
}

/// A coordinate of instances as a function of them.
fn coordinate(instances: &Set, dimension: usize) -> PwAff {
    PwAff::var(instances.space().clone(), DimKind::Out, dimension)
}

/// The band with its members for new instances, the coordinates of which begin with all members
/// around and of it.
fn with_members(band: &Band, around: usize, new: &[Set]) -> Band {
    let schedule = band.schedule.map_members(|member, function| {
        let mut function = function.clone();
        for set in new {
            function.add(coordinate(set, around + member));
        }
        function
    });
    Band { schedule, ..band.clone() }
}
