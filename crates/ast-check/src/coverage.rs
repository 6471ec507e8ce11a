//! That every instance of the tree is executed.
//!
//! # Algorithm
//! For each piece of a statement the instances of its domain are sent through the program, as a
//! machine would go through it: a condition divides them, a block keeps what its children do not
//! execute, a user node executes those that are its own. In a loop, an instance is executed in at
//! most one iteration, whose counter is a function of the instance: it is found in the coordinates
//! or times of the executions inside, which are functions of the counters. A time `T(instance) =
//! c3` says that `c3` is `T` of the instance. So bounds become conditions on instances, and no
//! quantifier has to be eliminated. What reaches the end without having been executed is missing.
//!
//! Where the executions in a loop give its counter by different functions, each one is sent for
//! alone; where an execution gives none, what it executes is computed by projection and subtracted.

use std::sync::Arc;

use poly_ast_build::{For, Node};
use poly_presburger::{Aff, Budget, DimKind, MultiAff, Set, Tuple};

use crate::Error;
use crate::expression::Scope;
use crate::program::{Execution, Place, Program};
use crate::schedule::{Piece, Time};

/// The instances of a piece that are not executed.
pub(crate) fn missing(
    root: &Node,
    counters: usize,
    program: &Program,
    (number, piece): (usize, &Piece),
    budget: &mut Budget,
) -> Result<Set, Error> {
    let wanted = |&i: &usize| program.executions[i].piece == number;
    let executions: Vec<usize> = (0..program.executions.len()).filter(wanted).collect();
    let space = Arc::new(piece.domain.space().clone());
    let start = Sent { set: piece.domain.clone(), scope: Scope::new(space, counters), values: Vec::new() };
    Coverage { program, piece, budget }.rest(root, 0, &executions, start)
}

struct Coverage<'a> {
    program: &'a Program,
    piece: &'a Piece,
    budget: &'a mut Budget,
}

/// Instances on their way through the program.
struct Sent {
    set: Set,
    /// The counters as functions of the instance.
    scope: Scope,
    /// The same, by depth.
    values: Vec<Aff>,
}

impl Coverage<'_> {
    /// What is left of the instances that are sent to a node, of which only some executions count.
    /// Recursion is bounded by the height of the program.
    fn rest(&mut self, node: &Node, place: usize, wanted: &[usize], sent: Sent) -> Result<Set, Error> {
        self.budget.spend(1)?;
        let inside = &self.program.places[place].executions;
        if sent.set.plain_is_empty() || !wanted.iter().any(|execution| inside.contains(execution)) {
            return Ok(sent.set);
        }
        let children = &self.program.places[place].children;
        match node {
            Node::Mark { body, .. } => self.rest(body, children[0], wanted, sent),
            Node::Block(nodes) => {
                let Sent { mut set, scope, values } = sent;
                for (node, &child) in nodes.iter().zip(children) {
                    let sent = Sent { set, scope: scope.clone(), values: values.clone() };
                    set = self.rest(node, child, wanted, sent)?;
                }
                Ok(set)
            }
            Node::If { condition, then, otherwise } => {
                let not = self.pruned(&sent.set.intersect(&sent.scope.fails(condition)?))?;
                let own =
                    if not.plain_is_empty() { sent.set } else { sent.set.intersect(&sent.scope.holds(condition)?) };
                let branch = |set| Sent { set, scope: sent.scope.clone(), values: sent.values.clone() };
                let left = self.rest(then, children[0], wanted, branch(own))?;
                match otherwise {
                    Some(otherwise) => Ok(left.union(&self.rest(otherwise, children[1], wanted, branch(not))?)),
                    None => Ok(left.union(&not)),
                }
            }
            Node::For(of) => self.rest_of_loop(node, of, place, wanted, sent),
            Node::User { .. } => {
                let mut left = sent.set;
                for &number in wanted.iter().filter(|&execution| inside.contains(execution)) {
                    left = self.not_executed(number, &left, &sent.values)?;
                }
                Ok(left)
            }
        }
    }

    fn rest_of_loop(
        &mut self,
        node: &Node,
        of: &For,
        place: usize,
        wanted: &[usize],
        sent: Sent,
    ) -> Result<Set, Error> {
        let Place { depth, executions, children, .. } = &self.program.places[place];
        let inside: Vec<usize> = wanted.iter().copied().filter(|execution| executions.contains(execution)).collect();
        let executions: Vec<&Execution> = inside.iter().map(|&number| &self.program.executions[number]).collect();
        if let Some(counter) = self.counter(&executions, *depth, &sent) {
            let outside = self.pruned(&sent.set.intersect(&sent.scope.outside(of, &counter)?))?;
            let own = match outside.plain_is_empty() {
                true => sent.set,
                false => sent.set.intersect(&sent.scope.inside(of, &counter)?),
            };
            let scope = sent.scope.with(of.iterator, counter.clone());
            let values = sent.values.iter().cloned().chain([counter]).collect();
            let left = self.rest(&of.body, children[0], wanted, Sent { set: own, scope, values })?;
            return Ok(left.union(&outside));
        }
        let mut left = sent.set;
        if let [only] = inside[..] {
            return Ok(left.subtract(&self.executed(only), self.budget)?);
        }
        for number in inside {
            let one = Sent { set: left, scope: sent.scope.clone(), values: sent.values.clone() };
            left = self.rest(node, place, &[number], one)?;
        }
        Ok(left)
    }

    /// The counter of a loop of some depth as a function of the instance, if all executions say the
    /// same.
    fn counter(&self, executions: &[&Execution], depth: usize, sent: &Sent) -> Option<Aff> {
        let (first, others) = executions.split_first()?;
        let space = self.piece.domain.space();
        let mut equations: Vec<(Aff, &Aff)> = Vec::new();
        for (at, time) in self.piece.times.iter().enumerate() {
            if let (Time::Value(of), Time::Value(value)) = (time, &first.times[at])
                && others.iter().all(|other| other.times[at] == first.times[at])
            {
                equations.push((of.clone(), value));
            }
        }
        for (at, value) in first.coordinates.iter().enumerate() {
            if others.iter().all(|other| other.coordinates[at] == *value) {
                equations.push((Aff::var(Arc::new(space.clone()), DimKind::Out, at), value));
            }
        }
        equations.into_iter().find_map(|(of, value)| self.solved(&of, value, depth, sent))
    }

    /// The counter of some depth from an equation between a function of the instance and one of
    /// counters, in which it has the factor 1 or -1 and no inner one occurs.
    fn solved(&self, of: &Aff, value: &Aff, depth: usize, sent: &Sent) -> Option<Aff> {
        let all = self.program.depth;
        let column = 1 + value.space().params.len() + depth;
        let in_divs = value.divs().iter().any(|div| !div.num[column].is_zero());
        if in_divs || !value.denom().is_one() || value.involves_dims(DimKind::Out, depth + 1, all - depth - 1) {
            return None;
        }
        let factor = value.row()[column].clone();
        if !factor.abs().is_one() {
            return None;
        }
        // What is not known yet does not occur in the rest.
        let space = Arc::new(self.piece.domain.space().clone());
        let zero = Aff::zero(Arc::clone(&space));
        let counters = (0..all).map(|i| sent.values.get(i).unwrap_or(&zero).clone()).collect();
        let counters = MultiAff::into_tuple(&space, Tuple::anonymous(all), counters);
        let rest = value.pullback(&counters);
        Some(of.sub(&rest).scale(factor))
    }

    /// What a user node does not execute of instances that reach it with some values of the
    /// counters.
    fn not_executed(&mut self, number: usize, sent: &Set, values: &[Aff]) -> Result<Set, Error> {
        let execution = &self.program.executions[number];
        let space = Arc::new(self.piece.domain.space().clone());
        let zero = Aff::zero(Arc::clone(&space));
        let all = self.program.depth;
        let counters = (0..all).map(|i| values.get(i).unwrap_or(&zero).clone()).collect();
        let counters = MultiAff::into_tuple(&space, Tuple::anonymous(all), counters);
        let mut others = Set::empty(Arc::clone(&space));
        for (at, value) in execution.coordinates.iter().enumerate() {
            let own = Aff::var(Arc::clone(&space), DimKind::Out, at);
            let executed = value.pullback(&counters);
            if executed != own {
                let differ = [executed.gt_basic_set(&own), own.gt_basic_set(&executed)];
                others =
                    differ.into_iter().fold(others, |all, basic| all.union(&sent.intersect(&Set::from_basic(basic))));
            }
        }
        self.pruned(&others)
    }

    /// The instances of an execution.
    fn executed(&self, number: usize) -> Set {
        let execution = &self.program.executions[number];
        let tuple = self.piece.domain.tuple().expect("it is a set").clone();
        let instance = MultiAff::into_tuple(&self.program.space, tuple, execution.coordinates.clone());
        instance.to_map().intersect_domain(&execution.set).range()
    }

    fn pruned(&mut self, set: &Set) -> Result<Set, Error> {
        Ok(set.remove_empty_parts(self.budget)?)
    }
}
