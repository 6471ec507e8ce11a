//! Short loops that join a neighbouring nest which threads share.
//!
//! # Problem
//! Threads are started for nests with enough work. A loop between them that initializes a vector,
//! divides it or sets a diagonal often has too little, and one thread runs it while the others
//! wait; where it touches memory for the first time, longer than any model says. Where it has
//! enough, threads are started once more.
//!
//! # Method
//! Such a loop becomes a part of the iterations of the nest before or after it: every thread that
//! takes an iteration (a tile) of the nest's outermost loop first or then executes what belongs to
//! the same value (strip of values) of the loop.
//!
//! 1. *Hosts*: nests of several loops, the outermost of which threads share. *Guests*: nests of one
//!    loop that is free of dependences, with threads of its own or without.
//! 2. *Legality*: no dependence among guests and host connects different iterations of the common
//!    loop. Decided exactly for every dependence.
//! 3. *Cost*: nothing, if strips are long enough for the guest's vectors, or the guest's instances
//!    are few beside those of the host.
//!
//! # Invariants
//! The loops around every statement of the host and their order stay the same. Guests stay in their
//! order before or after the host.

use poly_presburger::{Budget, Stop};
use poly_schedule_tree::{Band, Mark, NodeKind, Sharing, Tree, Trend};
use poly_transform::rewrite::Signs;

use super::Lowering;
use super::strip_mined_fusion::{Head, alternating, filter_of, strip_band};
use crate::config::Profitability;
use crate::cost::{Place, points_of};

/// Instances of the host for each of a guest, where the guest's loop is not cut into strips that
/// are vectors.
const FEW: f64 = 32.0;

/// Strips that are long enough for vectors.
const LONG: i64 = 32;

/// A nest that may take in others.
struct Host {
    /// Its own head, and those of the guests, in the order of the program.
    heads: Vec<Head>,
    /// Which of them is its own.
    own: usize,
    /// How threads share its outermost loop.
    sharing: Sharing,
}

/// A child of a sequence.
enum Child {
    Host(Host),
    Guest(Tree, Box<Head>),
    Other(Tree),
}

impl Lowering<'_> {
    /// The children of a sequence, short loops among them joined to neighbours that threads share.
    pub(super) fn joined(&self, children: Vec<Tree>, place: &Place, budget: &mut Budget) -> Result<Vec<Tree>, Stop> {
        if self.threads().is_none() || place.parallel || self.config.parametric_tiles || self.keeps_order() {
            return Ok(children);
        }
        let mut done: Vec<Child> = Vec::new();
        for tree in children {
            budget.spend(1)?;
            match self.classify(tree, place) {
                Child::Guest(tree, head) => match done.last_mut() {
                    Some(Child::Host(host)) if self.admits(host, &head, place, budget)? => host.heads.push(*head),
                    _ => done.push(Child::Guest(tree, head)),
                },
                Child::Host(mut host) => {
                    while let Some(Child::Guest(_, head)) = done.last()
                        && self.admits(&host, head, place, budget)?
                        && let Some(Child::Guest(_, head)) = done.pop()
                    {
                        host.heads.insert(0, *head);
                        host.own += 1;
                    }
                    done.push(Child::Host(host));
                }
                other => done.push(other),
            }
        }
        Ok(done.into_iter().map(Child::tree).collect())
    }

    fn classify(&self, tree: Tree, place: &Place) -> Child {
        let NodeKind::Filter(filter) = tree.kind() else { return Child::Other(tree) };
        let (sharing, inner) = match tree.child().kind() {
            NodeKind::Mark(Mark::Parallel(sharing)) => (Some(sharing), tree.child().child()),
            _ => (None, tree.child()),
        };
        let Some(head) = self.head(&Tree::filter(filter.clone(), inner.clone()), place) else {
            return Child::Other(tree);
        };
        let is_even = sharing.is_none_or(|sharing| sharing.work == Trend::Even);
        let free = head.single.as_ref().map(|single| single.is_free);
        match (sharing, free) {
            (Some(sharing), None) => Child::Host(Host { heads: vec![head], own: 0, sharing: sharing.clone() }),
            (_, Some(true)) if is_even && self.may_join(&head, place) => Child::Guest(tree, Box::new(head)),
            _ => Child::Other(tree),
        }
    }

    /// Whether any thread may execute the nest.
    fn may_join(&self, guest: &Head, place: &Place) -> bool {
        self.may_fork(&Place { active: guest.statements.clone(), ..place.clone() })
    }

    /// Whether a guest may join the nest, and costs nothing there.
    fn admits(&self, host: &Host, guest: &Head, place: &Place, budget: &mut Budget) -> Result<bool, Stop> {
        let own = &host.heads[host.own];
        let instances = |head: &Head| head.statements.iter().map(|&s| self.facts[s].instances).sum::<f64>();
        let costs_nothing = own.size >= LONG
            || FEW * instances(guest) <= instances(own)
            || self.config.profitability == Profitability::Ignored;
        if !guest.size.is_one() || !costs_nothing {
            return Ok(false);
        }
        let strips = strip_band(host.heads.iter().chain([guest]), &own.size);
        let ours: Vec<usize> = host.heads.iter().flat_map(|head| head.statements.iter().copied()).collect();
        for (number, dependence) in self.analysis.dependences.dependences.iter().enumerate() {
            let ends = [dependence.source.0, dependence.sink.0];
            let touches = ends.iter().any(|s| guest.statements.contains(s));
            let among = ends.iter().all(|s| guest.statements.contains(s) || ours.contains(s));
            if !touches || !among || !dependence.is_ordering() {
                continue;
            }
            let signs = self.signs_inside(number, points_of(&place.outer), strips.schedule.get(0), budget)?;
            if signs.is_some_and(Signs::any) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Child {
    fn tree(self) -> Tree {
        match self {
            Child::Host(host) => host.tree(),
            Child::Guest(tree, _) | Child::Other(tree) => tree,
        }
    }
}

impl Host {
    /// The tree of the host and its guests.
    fn tree(self) -> Tree {
        let size = self.heads[self.own].size.clone();
        let tree = if let [alone] = &self.heads[..] {
            Tree::band(alone.band.clone(), alone.rest.clone())
        } else {
            let strips = Band { coincident: vec![true], ..strip_band(&self.heads, &size) };
            alternating(strips, &self.heads, &size)
        };
        let filter = filter_of(&self.heads);
        Tree::filter(filter, Tree::mark(Mark::Parallel(self.sharing), tree))
    }
}
