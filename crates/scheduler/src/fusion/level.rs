//! One level of the fusion space: which statements share a loop, in all legal ways.
//!
//! # Definitions
//! A level has statements with the dependences among them that the loops outside do not satisfy.
//! Its strongly connected components stay together. A *class* is a set of components that share a
//! loop at this level; a component whose statements have no loops left is a class of its own. A
//! *point* is an ordered partition of the components into classes such that no dependence leads to
//! an earlier class and every class has a loop ([`RowSearch`]); single components are classes in
//! any case.
//!
//! # Algorithm
//! 1. Components in topological order, with all that must come before each.
//! 2. Points class by class: a class is grown component by component, and as soon as it has no loop
//!    no more components are added, since a loop for more would be a loop for fewer. Parts that no
//!    dependence connects are looked at on their own first. So every class that is looked at
//!    contains, with two components, all that lie on paths of dependences between them (*path-wise*
//!    fusability).
//! 3. Number of points: over the sets of components that come first, each counted once.
//! 4. The classes that were given up are the least ones without a loop. A class contains such a set
//!    iff it contains its first and last components; so "those are not all together" is what
//!    distinguishes the points from all total preorders ([`PreorderSet`]).
//!
//! # Invariant
//! Sets of components are bits of a number; there are at most [`MAX_COMPONENTS`]. With more, a
//! level has the one point in which [`crate::group`] puts its loops.

use std::collections::{BTreeMap, BTreeSet};

use poly_arith::Int;
use poly_presburger::budget::{Budget, Stop};

use super::PreorderSet;
use super::class::Class;
use super::rows::RowSearch;
use crate::cluster::components;
use crate::context::Context;
use crate::edge::{Edges, Role, Rows};
use crate::group::schedule_group;
use crate::independence::History;
use crate::plan::Plan;
use crate::scc;

/// Most components of a level whose classes are searched.
pub(super) const MAX_COMPONENTS: usize = 16;

/// What looking at one more class costs, in operations.
const CANDIDATE: u64 = 30;

/// A set of components.
pub(super) type Mask = u64;

/// What is around a level.
#[derive(Clone, Debug, Default)]
pub(super) struct Outer {
    /// The loops.
    pub(super) loops: Vec<Rows>,
    /// The dependences that reach the band in which these statements are, if all of them are and it
    /// may be extended.
    pub(super) band: Option<Edges>,
}

/// A level, explored as far as it was asked for.
#[derive(Debug)]
pub(super) struct Level {
    /// Sorted.
    pub(super) statements: Vec<usize>,
    /// The dependences among them that are left.
    pub(super) edges: Edges,
    pub(super) history: History,
    pub(super) outer: Outer,
    /// In topological order.
    components: Vec<Vec<usize>>,
    /// Those without loops left.
    complete: Mask,
    /// What must come before each component.
    before: Vec<Mask>,
    /// The components that dependences lead to and come from.
    linked: Vec<Mask>,
    search: RowSearch,
    /// Whether sets of components have a loop.
    fusable: BTreeMap<Mask, bool>,
    /// Least classes without a loop.
    cuts: BTreeSet<Mask>,
    /// The classes that may come next after a set of components.
    following: BTreeMap<Mask, Vec<Mask>>,
    classes: BTreeMap<Mask, Class>,
}

impl Level {
    pub(super) fn new(
        statements: Vec<usize>,
        edges: Edges,
        history: History,
        outer: Outer,
        budget: &mut Budget,
    ) -> Result<Level, Stop> {
        budget.spend(1)?;
        let unordered = components(&statements, &edges);
        let search = RowSearch::new(&unordered, &edges, &history, outer.loops.clone());
        let of = |s: usize| unordered.iter().position(|c| c.contains(&s)).expect("every statement is in a component");
        let ordered = edges.iter().filter(|e| e.role == Role::Order);
        let graph: BTreeSet<(usize, usize)> =
            ordered.map(|e| (of(e.source), of(e.sink))).filter(|(a, b)| a != b).collect();
        let order = scc::topological_order(unordered.len(), &graph);
        let n = order.len();
        let mut level = Level {
            statements,
            edges,
            history,
            outer,
            components: order.iter().map(|&c| unordered[c].clone()).collect(),
            complete: 0,
            before: vec![0; n],
            linked: vec![0; n],
            search,
            fusable: BTreeMap::new(),
            cuts: BTreeSet::new(),
            following: BTreeMap::new(),
            classes: BTreeMap::new(),
        };
        if level.is_too_large() {
            return Ok(level);
        }
        let place = |c: usize| order.iter().position(|&x| x == c).expect("the order has all components");
        let mut links: Vec<(usize, usize)> = graph.into_iter().map(|(a, b)| (place(a), place(b))).collect();
        links.sort_by_key(|&(_, sink)| sink);
        for (a, b) in links {
            level.before[b] |= level.before[a] | (1 << a);
            level.linked[a] |= 1 << b;
            level.linked[b] |= 1 << a;
        }
        for c in 0..n {
            if level.components[c].iter().all(|&s| level.search.is_complete(s)) {
                level.complete |= 1 << c;
            }
        }
        Ok(level)
    }

    /// Whether the classes of this level are not searched.
    pub(super) fn is_too_large(&self) -> bool {
        self.components.len() > MAX_COMPONENTS
    }

    fn everything(&self) -> Mask {
        (1 << self.components.len()) - 1
    }

    /// The statements of a set of components, sorted.
    pub(super) fn statements_of(&self, mask: Mask) -> Vec<usize> {
        let mut result: Vec<usize> = bits(mask).flat_map(|c| self.components[c].iter().copied()).collect();
        result.sort_unstable();
        result
    }

    /// Whether a class has a loop.
    fn is_fusable(&mut self, context: &Context, mask: Mask, budget: &mut Budget) -> Result<bool, Stop> {
        if mask.count_ones() == 1 {
            return Ok(true);
        }
        if mask & self.complete != 0 {
            return Ok(false);
        }
        if self.cuts.iter().any(|&cut| cut & !mask == 0) {
            return Ok(false);
        }
        // Components and parts that have no loop of their own cannot share one, even if nothing
        // connects them with the others.
        for part in bits(mask).map(|c| 1 << c).chain(self.parts(mask)).chain([mask]) {
            if !self.has_loop(context, part, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether there is a loop in which all statements of a set of components advance, and those of
    /// several components overlap.
    fn has_loop(&mut self, context: &Context, mask: Mask, budget: &mut Budget) -> Result<bool, Stop> {
        if let Some(&known) = self.fusable.get(&mask) {
            return Ok(known);
        }
        let statements = self.statements_of(mask);
        let found = self.search.any(context, &statements, budget)?.is_some();
        self.fusable.insert(mask, found);
        Ok(found)
    }

    /// The parts of a set that no dependence connects.
    fn parts(&self, mask: Mask) -> Vec<Mask> {
        let mut parts = Vec::new();
        let mut left = mask;
        while left != 0 {
            let mut part = left & left.wrapping_neg();
            loop {
                let more = bits(part).fold(part, |all, c| all | (self.linked[c] & mask));
                if more == part {
                    break;
                }
                part = more;
            }
            parts.push(part);
            left &= !part;
        }
        parts
    }

    /// The classes that may come next after `done`, the largest first.
    fn candidates(&mut self, context: &Context, done: Mask, budget: &mut Budget) -> Result<Vec<Mask>, Stop> {
        if let Some(found) = self.following.get(&done) {
            return Ok(found.clone());
        }
        let mut found = Vec::new();
        // The classes so far, each with the first component that may be added.
        let mut open = vec![(0, 0)];
        while let Some((class, from)) = open.pop() {
            for c in from..self.components.len() {
                let here = done | class;
                if here & (1 << c) != 0 || self.before[c] & !here != 0 {
                    continue;
                }
                budget.spend(CANDIDATE)?;
                let more = class | (1 << c);
                if self.is_fusable(context, more, budget)? {
                    found.push(more);
                    open.push((more, c + 1));
                } else {
                    self.cut(more);
                }
            }
        }
        found.sort_by_key(|&class| (std::cmp::Reverse(class.count_ones()), self.statements_of(class)));
        self.following.insert(done, found.clone());
        Ok(found)
    }

    /// Remembers a class without a loop if it is among the least.
    fn cut(&mut self, class: Mask) {
        if self.cuts.iter().all(|&cut| cut & !class != 0) {
            self.cuts.retain(|&cut| class & !cut != 0);
            self.cuts.insert(class);
        }
    }

    /// The number of points.
    pub(super) fn points(&mut self, context: &Context, budget: &mut Budget) -> Result<Int, Stop> {
        let mut known = BTreeMap::from([(self.everything(), Int::ONE)]);
        self.count_after(context, 0, Counted::Points, &mut known, budget)
    }

    /// The number of plans.
    pub(super) fn plans(&mut self, context: &Context, budget: &mut Budget) -> Result<Int, Stop> {
        if self.is_too_large() || self.is_straight() {
            return Ok(Int::ONE);
        }
        let mut known = BTreeMap::from([(self.everything(), Int::ONE)]);
        self.count_after(context, 0, Counted::Plans, &mut known, budget)
    }

    /// The number of ways to continue after `done`. The recursion is bounded by the number of
    /// components.
    fn count_after(
        &mut self,
        context: &Context,
        done: Mask,
        counted: Counted,
        known: &mut BTreeMap<Mask, Int>,
        budget: &mut Budget,
    ) -> Result<Int, Stop> {
        if let Some(count) = known.get(&done) {
            return Ok(count.clone());
        }
        let mut count = Int::ZERO;
        for class in self.candidates(context, done, budget)? {
            let ways = match counted {
                Counted::Points => Int::ONE,
                Counted::Plans => self.class(context, class, budget)?.plans(context, budget)?,
            };
            count += &(&ways * &self.count_after(context, done | class, counted, known, budget)?);
        }
        known.insert(done, count.clone());
        Ok(count)
    }

    /// The points as total preorders of the statements. All points have been counted.
    pub(super) fn preorders(&self) -> PreorderSet {
        let mut set = PreorderSet::all(self.statements.len());
        let place = |s: usize| self.statements.binary_search(&s).expect("the statement is one of the level");
        let members = |c: usize| self.components[c].iter().map(move |&s| place(s));
        for c in 0..self.components.len() {
            for a in members(c) {
                members(c).filter(|&b| b > a).for_each(|b| set.together(a, b));
                for before in bits(self.before[c]) {
                    members(before).for_each(|b| set.not_after(b, a));
                }
            }
        }
        for &cut in &self.cuts {
            let ends = self.ends(cut);
            match ends[..] {
                [a, b] => {
                    members(a).for_each(|i| members(b).for_each(|j| set.not_all_together(&[i, j])));
                }
                _ => set.not_all_together(&ends.iter().map(|&c| place(self.components[c][0])).collect::<Vec<_>>()),
            }
        }
        set.close();
        set
    }

    /// The components of a set that come before no other or after no other; what lies between
    /// belongs to every class with these.
    fn ends(&self, mask: Mask) -> Vec<usize> {
        let is_last = |c: usize| bits(mask).all(|other| self.before[other] & (1 << c) == 0);
        bits(mask).filter(|&c| self.before[c] & mask == 0 || is_last(c)).collect()
    }

    /// Whether some of the statements have loops left.
    pub(super) fn has_loops_left(&self, statements: &[usize]) -> bool {
        statements.iter().any(|&s| !self.search.is_complete(s))
    }

    /// Whether no component has a loop left: their order is no choice.
    pub(super) fn is_straight(&self) -> bool {
        self.complete == self.everything()
    }

    /// The plan with a number, in the order in which classes are listed, the first class first;
    /// `None` if there are no more.
    pub(super) fn plan(
        &mut self,
        context: &Context,
        mut number: u64,
        budget: &mut Budget,
    ) -> Result<Option<Planned>, Stop> {
        if self.is_too_large() {
            let plan = schedule_group(context, &self.statements, &self.edges, &self.history, budget)?;
            return Ok((number == 0).then_some(Planned { plan, extends: false }));
        }
        let Some(children) = self.plan_after(context, 0, &mut number, budget)? else { return Ok(None) };
        let extends = matches!(&children[..], [(_, child)] if child.extends);
        let plan = Plan::sequence(children.into_iter().map(|(statements, child)| (statements, child.plan)).collect());
        Ok(Some(Planned { plan, extends }))
    }

    /// What follows after `done` in the plan that comes `number` later. The recursion is bounded by
    /// the number of components.
    fn plan_after(
        &mut self,
        context: &Context,
        done: Mask,
        number: &mut u64,
        budget: &mut Budget,
    ) -> Result<Option<Children>, Stop> {
        budget.spend(1)?;
        if done == self.everything() {
            let found = *number == 0;
            *number = number.saturating_sub(1);
            return Ok(found.then(Vec::new));
        }
        let mut candidates = self.candidates(context, done, budget)?;
        if self.is_straight() {
            candidates.truncate(1);
        }
        for class in candidates {
            for inner in 0.. {
                let Some(planned) = self.class(context, class, budget)?.plan(context, inner, budget)? else { break };
                if let Some(rest) = self.plan_after(context, done | class, number, budget)? {
                    let mut children = vec![(self.statements_of(class), planned)];
                    children.extend(rest);
                    return Ok(Some(children));
                }
            }
        }
        Ok(None)
    }

    fn class(&mut self, context: &Context, mask: Mask, budget: &mut Budget) -> Result<&mut Class, Stop> {
        if !self.classes.contains_key(&mask) {
            let class = Class::new(context, self, mask, budget)?;
            self.classes.insert(mask, class);
        }
        Ok(self.classes.get_mut(&mask).expect("it has just been made"))
    }

    /// The best rows of a class; see [`RowSearch::best`].
    pub(super) fn best_rows(
        &mut self,
        context: &Context,
        mask: Mask,
        budget: &mut Budget,
    ) -> Result<Option<(Rows, bool)>, Stop> {
        let statements = self.statements_of(mask);
        let band = self.outer.band.as_ref().filter(|_| mask == self.everything());
        self.search.best(context, &statements, band, budget)
    }

    /// The levels inside the classes that have been looked into.
    pub(super) fn levels_inside_mut(&mut self) -> impl Iterator<Item = &mut Level> {
        self.classes.values_mut().filter_map(Class::level_mut)
    }
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counted {
    /// Ordered partitions of this level.
    Points,
    /// The same with the choices inside.
    Plans,
}

/// A plan, and whether its outermost band continues the one around it.
#[derive(Clone, Debug)]
pub(super) struct Planned {
    pub(super) plan: Plan,
    pub(super) extends: bool,
}

/// Classes, each with its sorted statements, one after the other.
type Children = Vec<(Vec<usize>, Planned)>;

/// The elements of a set.
fn bits(mask: Mask) -> impl Iterator<Item = usize> {
    (0..Mask::BITS as usize).filter(move |&bit| mask & (1 << bit) != 0)
}
