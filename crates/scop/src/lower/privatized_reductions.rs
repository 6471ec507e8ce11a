//! Privatized reductions: threads for loops in which only updates of reductions depend on each
//! other.
//!
//! # Problem
//! The iterations of a loop update one element, `x = x op e`, in an order that is free, and do not
//! depend on each other otherwise. Threads can share them if each has a value of its own instead of
//! `x` ([`Sharing::reductions`]).
//!
//! # Algorithm
//! Where no loop is shared by threads yet, the outermost loop of a nest is looked at, for given
//! values of the loops around it. The pairs that it carries must all be those of reductions. For
//! each of these reductions,
//!
//! 1. all instances of the loop update the same element: from the values of the loops around it to
//!    elements, the access is a function;
//! 2. nothing else in the loop touches that element.
//!
//! Both are decided exactly. Whether threads pay is decided by the number of instances.

use poly_dependence::Dependence;
use poly_presburger::{Budget, Id, Map, Space, Stop, Tuple};
use poly_schedule_tree::{AccessOf, Band, Mark, NodeKind, Sharing, Tree, Trend};
use poly_transform::rewrite::Signs;
use poly_transform::value_map;

use super::Lowering;
use crate::AccessId;
use crate::cost::{Place, Spent, member_of, members_of};
use crate::reduction::updates;

impl Lowering<'_> {
    /// The lowered tree with marks above further loops that threads can share. The recursion is
    /// bounded by the height of the tree.
    pub(super) fn with_privatized_reductions(
        &mut self,
        node: &Tree,
        place: &Place,
        budget: &mut Budget,
    ) -> Result<Tree, Stop> {
        if self.threads().is_none() || place.active.is_empty() {
            return Ok(node.clone());
        }
        budget.spend(1)?;
        match node.kind() {
            NodeKind::Band(band) => {
                if !has_mark(node)
                    && let Some(private) = self.private_updates(band, place, budget)?
                {
                    let sharing = Sharing { work: Trend::Even, reductions: private };
                    return Ok(Tree::mark(Mark::Parallel(sharing), node.clone()));
                }
                let mut below = place.clone();
                // Instances of one tile of a size that is a parameter do not agree in anything.
                if !band.has_grid() {
                    below.outer.push(band.clone());
                }
                Ok(node.with_child(self.with_privatized_reductions(node.child(), &below, budget)?))
            }
            NodeKind::Filter(filter) => {
                let reaches = |&&s: &&usize| filter.get_named(&self.analysis.scop.statements[s].name).is_some();
                let active = place.active.iter().filter(reaches).copied().collect();
                let place = Place { active, ..place.clone() };
                Ok(node.with_child(self.with_privatized_reductions(node.child(), &place, budget)?))
            }
            NodeKind::Sequence | NodeKind::Set => {
                let children =
                    node.children().iter().map(|child| self.with_privatized_reductions(child, place, budget));
                Ok(node.with_children(children.collect::<Result<Vec<Tree>, Stop>>()?))
            }
            _ => Ok(node.clone()),
        }
    }

    /// The writes of the updates that threads must have values of their own for to share the
    /// outermost loop of a band; `None` if that is not possible, does not pay, or if there is
    /// nothing in the way.
    fn private_updates(
        &mut self,
        band: &Band,
        place: &Place,
        budget: &mut Budget,
    ) -> Result<Option<Vec<AccessOf>>, Stop> {
        let (spent, forks) = self.share_of(place);
        if band.n_member() == 0 || !self.may_fork(place) || !self.threads_gain(spent, forks) {
            return Ok(None);
        }
        let mut private: Vec<AccessOf> = Vec::new();
        for (number, dependence) in self.analysis.dependences.dependences.iter().enumerate() {
            let ends = [dependence.source.0, dependence.sink.0];
            if !dependence.is_ordering() || !ends.iter().all(|s| place.active.contains(s)) {
                continue;
            }
            if !self.is_carried_outermost(number, band, place, budget)? {
                continue;
            }
            match self.private_update(dependence, place, budget)? {
                Some(update) if private.contains(&update) => {}
                Some(update) => private.push(update),
                None => return Ok(None),
            }
        }
        if private.is_empty() {
            return Ok(None);
        }
        self.state.cycles += self.with_threads(spent, forks) - spent.cycles;
        Ok(Some(private))
    }

    /// The predicted cycles of the statements at a place, by their number of instances, and how
    /// often the loops around it come to it.
    fn share_of(&self, place: &Place) -> (Spent, f64) {
        let all: f64 = self.facts.iter().map(|s| s.instances).sum();
        let own: f64 = place.active.iter().map(|&s| self.facts[s].instances).sum();
        let above: usize = place.outer.iter().map(Band::n_member).sum();
        let forks = place.active.first().map_or(1.0, |&s| self.facts[s].extents.iter().take(above).product());
        let part = own / all.max(1.0);
        (Spent { cycles: self.state.cycles * part, memory: self.state.memory * part }, forks)
    }

    /// Whether there are pairs at equal values of the loops around a band, and at different ones of
    /// its first member.
    fn is_carried_outermost(
        &self,
        dependence: usize,
        band: &Band,
        place: &Place,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        let signs = self.signs_inside(dependence, members_of(&place.outer), band.schedule.get(0), budget)?;
        Ok(signs.is_some_and(Signs::any))
    }

    /// The write of the update whose pairs a dependence has, if threads can have values of their
    /// own.
    fn private_update(
        &self,
        dependence: &Dependence,
        place: &Place,
        budget: &mut Budget,
    ) -> Result<Option<AccessOf>, Stop> {
        let (s, write) = dependence.source;
        let found = updates(&self.analysis.scop.statements[s]).into_iter().find(|u| u.write.index() == write);
        let Some(update) = found.filter(|_| dependence.reduction && dependence.source == dependence.sink) else {
            return Ok(None);
        };
        let Some(own) = self.elements(s, update.write, place) else { return Ok(None) };
        if !own.is_single_valued(budget)? {
            return Ok(None);
        }
        let array = self.analysis.scop.statements[s].accesses[write].array;
        for &other in &place.active {
            for (number, access) in self.analysis.scop.statements[other].accesses.iter().enumerate() {
                let number = AccessId::from(number);
                if access.array != array || (other == s && (number == update.read || number == update.write)) {
                    continue;
                }
                let Some(touched) = self.elements(other, number, place) else { return Ok(None) };
                if !touched.intersect(&own).is_empty(budget)? {
                    return Ok(None);
                }
            }
        }
        if update.steps.is_empty() {
            return Ok(None);
        }
        let statement = Id::new(&self.analysis.scop.statements[s].name);
        Ok(Some(AccessOf { statement, access: write }))
    }

    /// From the values of the loops around a place to the elements that the instances of a
    /// statement access there; `None` if a loop does not schedule it.
    fn elements(&self, statement: usize, access: AccessId, place: &Place) -> Option<Map> {
        let model = &self.analysis.scop.statements[statement];
        let space = model.domain.space();
        let instances = Tuple::named(&*model.name, model.loops.len());
        let mut times = Map::universe(Space::map(space.params.clone(), instances, Tuple::anonymous(0)));
        for above in &place.outer {
            for member in 0..above.n_member() {
                times = times.flat_range_product(&value_map(member_of(above, member, &model.name)?));
            }
        }
        let relation = &model.accesses[access.index()].relation;
        Some(times.intersect_domain(&model.domain).reverse().apply_range(relation))
    }
}

/// A loop below is marked: threads share it, or it is written in a special way.
fn has_mark(node: &Tree) -> bool {
    node.child().marks().into_iter().any(|mark| matches!(mark, Mark::Parallel(_) | Mark::Doacross))
}
