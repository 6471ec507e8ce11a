//! What a program executes, by user nodes: the relation from the counters of the loops around to
//! instances and their times.
//!
//! # Definitions
//! Counters are numbered by depth, so that all sets of counters are in one space. A *place* is a
//! node of the program with the set of counters that reach it. An *execution* is a user node with
//! one piece ([`Piece`]) of its statement: the counters for which the node executes an instance of
//! that piece, the instance and its time as functions of the counters.
//!
//! # Algorithm
//! Places are made from the root down. At a user node the domains of the statement's pieces are
//! pulled back to counters; what reaches the node and is in none of them is an instance that the
//! tree does not have. Times are functions of the instance, hence of the counters. Where one is the
//! counter of a loop for all that reaches the place, and its form does not show it (the number of a
//! tile is the counter of the loop over tiles, `floor(c3 / 32) = c0`), this is proven and the time
//! is the counter from there on: orders can then be read off in most cases.
//!
//! The time of a place is that of its executions, as far as they agree and loops inside of it do
//! not matter.

use std::ops::Range;
use std::sync::Arc;

use poly_ast_build::{Ast, Node};
use poly_presburger::{Aff, Budget, DimKind, Id, MultiAff, Set, Space, Tuple};
use rustc_hash::FxHashMap;

use crate::expression::Scope;
use crate::schedule::{Piece, Time};
use crate::witness::{Executed, Violation, point};
use crate::{Error, Reason};

/// A node of the program, or an execution of one.
pub(crate) struct Place {
    pub(crate) kind: Kind,
    /// Number of loops around.
    pub(crate) depth: usize,
    /// The counters that reach it.
    pub(crate) set: Set,
    /// The place around it, but for the root, ...
    pub(crate) parent: Option<usize>,
    /// ... and which of the counters that reach that one reach this one, if not all.
    pub(crate) condition: Option<Set>,
    pub(crate) children: Vec<usize>,
    pub(crate) executions: Range<usize>,
    /// The entries of the time that all executions have in common.
    pub(crate) times: Vec<Option<Time>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Children one after the other.
    Sequence,
    /// At most one of the children is executed.
    Branches,
    /// One child, the body.
    Loop,
    /// An execution.
    Leaf,
}

/// Instances of one piece that a user node executes.
pub(crate) struct Execution {
    pub(crate) piece: usize,
    pub(crate) statement: Id,
    pub(crate) arity: usize,
    pub(crate) set: Set,
    /// The instance, with the coordinates for grids.
    pub(crate) coordinates: Vec<Aff>,
    pub(crate) times: Vec<Time>,
    /// Where it is in the program.
    pub(crate) path: Vec<Step>,
}

/// A step on the way from the root of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Child(usize),
    /// Into the loop with the counter of this depth.
    Iteration(usize),
}

/// The places of a program; the first one is the root.
pub(crate) struct Program {
    pub(crate) places: Vec<Place>,
    pub(crate) executions: Vec<Execution>,
    pub(crate) space: Arc<Space>,
    /// Greatest number of loops in each other.
    pub(crate) depth: usize,
}

/// The loops around a place while places are made.
#[derive(Clone)]
struct Around {
    scope: Scope,
    set: Set,
    parent: Option<usize>,
    condition: Option<Set>,
    depth: usize,
    path: Vec<Step>,
    /// For each loop: its number among all bodies, what reaches the body, and its grid.
    bodies: Vec<(usize, Set, Option<Id>)>,
}

struct Maker<'a> {
    pieces: &'a [Piece],
    program: Program,
    n_body: usize,
    /// Whether a function is the counter of a loop, in the body of a loop.
    known: FxHashMap<(usize, Aff, usize), bool>,
    budget: &'a mut Budget,
}

/// The places of a program for the parameters in `context`.
pub(crate) fn program(
    ast: &Ast,
    pieces: &[Piece],
    params: &[Id],
    context: &Set,
    budget: &mut Budget,
) -> Result<Program, Error> {
    let depth = loops_in_each_other(&ast.root);
    let space = Arc::new(Space::set(params.to_vec(), Tuple::anonymous(depth)));
    let set = Set::universe(Arc::clone(&space)).intersect_params(context);
    let scope = Scope::new(Arc::clone(&space), ast.iterators.len());
    let program = Program { places: Vec::new(), executions: Vec::new(), space, depth };
    let mut maker = Maker { pieces, program, n_body: 0, known: FxHashMap::default(), budget };
    let around = Around { scope, set, parent: None, condition: None, depth: 0, path: Vec::new(), bodies: Vec::new() };
    maker.place(&ast.root, &around)?;
    let mut program = maker.program;
    program.summarize();
    Ok(program)
}

/// Recursion is bounded by the height of the program.
fn loops_in_each_other(node: &Node) -> usize {
    match node {
        Node::Block(nodes) => nodes.iter().map(loops_in_each_other).max().unwrap_or(0),
        Node::For(of) => 1 + loops_in_each_other(&of.body),
        Node::If { then, otherwise, .. } => {
            loops_in_each_other(then).max(otherwise.as_ref().map_or(0, |node| loops_in_each_other(node)))
        }
        Node::Mark { body, .. } => loops_in_each_other(body),
        Node::User { .. } => 0,
    }
}

impl Maker<'_> {
    /// Makes the place of a node, and those below. Recursion is bounded by the height of the
    /// program.
    fn place(&mut self, node: &Node, around: &Around) -> Result<usize, Error> {
        self.budget.spend(1)?;
        let first = self.program.executions.len();
        let id = self.add(Kind::Sequence, around);
        let around = &Around { parent: Some(id), condition: None, ..around.clone() };
        match node {
            Node::Mark { body, .. } => {
                let child = self.place(body, around)?;
                self.program.places[id].children.push(child);
            }
            Node::Block(nodes) => {
                for (number, node) in nodes.iter().enumerate() {
                    let mut inner = around.clone();
                    inner.path.push(Step::Child(number));
                    let child = self.place(node, &inner)?;
                    self.program.places[id].children.push(child);
                }
            }
            Node::If { condition, then, otherwise } => {
                self.program.places[id].kind = Kind::Branches;
                let inner = around.restricted(&around.scope.holds(condition)?);
                let mut children = vec![self.place(then, &inner)?];
                if let Some(otherwise) = otherwise {
                    let inner = around.restricted(&around.scope.fails(condition)?);
                    children.push(self.place(otherwise, &inner)?);
                }
                self.program.places[id].children = children;
            }
            Node::For(of) => {
                self.program.places[id].kind = Kind::Loop;
                let counter = Aff::var(Arc::clone(&self.program.space), DimKind::Out, around.depth);
                let mut inner = around.restricted(&around.scope.inside(of, &counter)?);
                inner.scope = inner.scope.with(of.iterator, counter);
                inner.path.push(Step::Iteration(inner.depth));
                inner.depth += 1;
                inner.bodies.push((self.n_body, inner.set.clone(), of.grid.clone()));
                self.n_body += 1;
                let child = self.place(&of.body, &inner)?;
                self.program.places[id].children.push(child);
            }
            Node::User { statement, coordinates } => {
                let coordinates = coordinates.iter().map(|c| around.scope.value(c)).collect::<Result<Vec<_>, _>>()?;
                let executions = self.executions(statement, &coordinates, around)?;
                for execution in executions {
                    let number = self.program.executions.len();
                    let set = execution.set.clone();
                    let condition = (set != around.set).then(|| set.clone());
                    self.program.executions.push(execution);
                    let child = self.add(Kind::Leaf, &Around { set, condition, ..around.clone() });
                    self.program.places[child].executions = number..number + 1;
                    self.program.places[id].children.push(child);
                }
            }
        }
        self.program.places[id].executions = first..self.program.executions.len();
        Ok(id)
    }

    fn add(&mut self, kind: Kind, around: &Around) -> usize {
        let place = Place {
            kind,
            depth: around.depth,
            set: around.set.clone(),
            parent: around.parent,
            condition: around.condition.clone(),
            children: Vec::new(),
            executions: 0..0,
            times: Vec::new(),
        };
        self.program.places.push(place);
        self.program.places.len() - 1
    }

    /// The executions of a user node, one for each piece of the statement that it executes
    /// something of.
    fn executions(&mut self, statement: &Id, own: &[Aff], around: &Around) -> Result<Vec<Execution>, Error> {
        let is_own = |piece: &Piece| piece.statement == *statement && piece.arity == own.len();
        let candidates: Vec<usize> = (0..self.pieces.len()).filter(|&number| is_own(&self.pieces[number])).collect();
        let mut result = Vec::new();
        let (mut rest, mut free) = (around.set.clone(), Vec::new());
        for &number in &candidates {
            let piece = &self.pieces[number];
            let coordinates = around.with_grids(own, piece, &self.program.space)?;
            let space = piece.domain.space();
            let instance = MultiAff::into_tuple(&self.program.space, space.range.clone().expect("a set"), coordinates);
            let executed = piece.domain.preimage(&instance);
            if candidates.len() > 1 && piece.allowed.is_none() && rest.is_disjoint(&executed, self.budget)? {
                continue;
            }
            let others = rest.subtract(&executed, self.budget)?;
            if let Some(allowed) = &piece.allowed {
                free.push(allowed.preimage(&instance));
            }
            let set = match others.is_empty(self.budget)? {
                true => rest.clone(),
                false => rest.intersect(&executed).remove_empty_parts(self.budget)?,
            };
            rest = others;
            if set.plain_is_empty() {
                continue;
            }
            let times = piece.times.iter().map(|time| match time {
                Time::Value(value) => Time::Value(value.pullback(&instance)),
                Time::Child { .. } => time.clone(),
            });
            let times = self.with_counters(times.collect(), around, &set)?;
            let (statement, path) = (statement.clone(), around.path.clone());
            let coordinates = instance.affs().to_vec();
            result.push(Execution { piece: number, statement, arity: own.len(), set, coordinates, times, path });
            if rest.is_empty(self.budget)? {
                break;
            }
        }
        for instances in free {
            rest = rest.subtract(&instances, self.budget)?;
        }
        if let Some(values) = point(&rest, self.budget)? {
            if candidates.iter().any(|&number| !self.pieces[number].grids.is_empty()) {
                return Err(Error::NotJudged(Reason::Grid));
            }
            let executed = Executed::foreign(statement, own, &around.path, &values, &self.program.space);
            return Err(Violation::foreign(executed, &values, &self.program.space).into());
        }
        Ok(result)
    }

    /// The times with counters in place of functions that have the same values. As a rule, the
    /// loops around are those of the entries that are not fixed by outer ones, in their order.
    fn with_counters(&mut self, mut times: Vec<Time>, around: &Around, reached: &Set) -> Result<Vec<Time>, Error> {
        let mut candidates: Vec<(usize, usize)> = Vec::new();
        for (entry, time) in times.iter().enumerate() {
            let next = candidates.len();
            let Time::Value(value) = time else { continue };
            if next < around.depth && value.involves_dims(DimKind::Out, next, around.depth - next) {
                candidates.push((entry, next));
            }
        }
        // The numbers of tiles in a skewed band are sums of others.
        candidates.sort_by_key(|&(entry, _)| times[entry].n_div());
        let mut known: Vec<(Aff, Aff)> = Vec::new();
        for (entry, at) in candidates {
            let Time::Value(value) = &times[entry] else { continue };
            let value = with_known(value, &known);
            let counter = Aff::var(Arc::clone(&self.program.space), DimKind::Out, at);
            let is_plain =
                value.divs().is_empty() && !value.involves_dims(DimKind::Out, at + 1, self.program.depth - at - 1);
            times[entry] = Time::Value(value.clone());
            if !is_plain && self.is_counter(&value, at, &counter, (around, reached))? {
                times[entry] = Time::Value(counter.clone());
                known.push((value, counter));
            }
        }
        Ok(times)
    }

    /// Whether a function has the values of a counter: in the innermost loop that it depends on, or
    /// else for what the execution reaches.
    fn is_counter(
        &mut self,
        value: &Aff,
        at: usize,
        counter: &Aff,
        (around, reached): (&Around, &Set),
    ) -> Result<bool, Error> {
        let depends = |depth: &usize| value.involves_dims(DimKind::Out, *depth, 1);
        let innermost = (0..around.depth).rev().find(depends).unwrap_or(at).max(at);
        let (body, set, _) = &around.bodies[innermost];
        let key = (*body, value.clone(), at);
        let in_loop = match self.known.get(&key) {
            Some(known) => *known,
            None => self.are_same(value, counter, set)?,
        };
        self.known.insert(key, in_loop);
        Ok(in_loop || (reached != set && self.are_same(value, counter, reached)?))
    }

    fn are_same(&mut self, value: &Aff, counter: &Aff, within: &Set) -> Result<bool, Error> {
        for different in [value.gt_basic_set(counter), counter.gt_basic_set(value)] {
            if !within.intersect(&Set::from_basic(different)).is_empty(self.budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// A function with counters in place of the functions that are known to be the same, where that
/// leaves fewer divisions.
fn with_known(value: &Aff, known: &[(Aff, Aff)]) -> Aff {
    let mut value = value.clone();
    for (same, counter) in known {
        let (less, more) = (value.sub(same).add(counter), value.add(same).sub(counter));
        for other in [less, more] {
            if other.divs().len() < value.divs().len() {
                value = other;
            }
        }
    }
    value
}

impl Around {
    fn restricted(&self, to: &Set) -> Around {
        Around { set: self.set.intersect(to), condition: Some(to.clone()), ..self.clone() }
    }

    /// The coordinates of an instance, with the counters of the loops that have the grids of a
    /// piece.
    fn with_grids(&self, own: &[Aff], piece: &Piece, space: &Arc<Space>) -> Result<Vec<Aff>, Error> {
        let mut coordinates = own.to_vec();
        let mut loops = self.bodies.iter().enumerate();
        for size in &piece.grids {
            let found = loops.find(|(_, (_, _, grid))| grid.as_ref() == Some(size));
            let (depth, _) = found.ok_or(Error::NotJudged(Reason::Grid))?;
            coordinates.push(Aff::var(Arc::clone(space), DimKind::Out, depth));
        }
        Ok(coordinates)
    }
}

impl Program {
    /// Fills in what is common to the times of each place. Children have larger numbers than their
    /// parents.
    fn summarize(&mut self) {
        for id in (0..self.places.len()).rev() {
            let place = &self.places[id];
            let times = match place.kind {
                Kind::Leaf => {
                    let execution = &self.executions[place.executions.start];
                    execution.times.iter().cloned().map(Some).collect()
                }
                _ => self.common(place),
            };
            self.places[id].times = times;
        }
    }

    fn common(&self, place: &Place) -> Vec<Option<Time>> {
        let mut children = place.children.iter().map(|&c| &self.places[c]).filter(|c| !c.executions.is_empty());
        let Some(first) = children.next() else { return Vec::new() };
        let mut times = first.times.clone();
        for child in children {
            let longest = times.len().max(child.times.len());
            times.resize(longest, None);
            for (at, time) in times.iter_mut().enumerate() {
                if child.times.get(at) != Some(time) {
                    *time = None;
                }
            }
        }
        if place.kind == Kind::Loop {
            let inside = |value: &Aff| value.involves_dims(DimKind::Out, place.depth, self.depth - place.depth);
            for time in &mut times {
                if matches!(time, Some(Time::Value(value)) if inside(value)) {
                    *time = None;
                }
            }
        }
        times
    }

    /// Whether a statement is executed in both places.
    pub(crate) fn have_common_statement(&self, a: &Place, b: &Place) -> bool {
        let names = |place: &Place| self.executions[place.executions.clone()].iter().map(|e| &e.statement);
        names(a).any(|name| names(b).any(|other| other == name))
    }
}
