//! What is known about the parameters of a region, and what has to be assumed.
//!
//! # Definitions
//! The *context* is what holds whenever the region is entered. An *assumption* is a set of
//! parameter values that is tested before the optimized code runs. *Known* is the context together
//! with assumptions made so far: a later question may use it, because all assumptions are tested
//! together.
//!
//! # Why an assumption cannot vanish
//! The values for which an assumption fails are computed from the domain as it is without that
//! assumption: `fails = { p : some point of the domain lies outside of what is assumed }`. It is
//! never intersected into a domain. So it cannot happen that the assumption empties a domain and
//! then seems to hold because an empty domain has no bad points.

use std::collections::BTreeSet;
use std::rc::Rc;

use poly_arith::Int;
use poly_presburger::{Budget, DimKind, Set, Space, Stop};
use poly_scop::{Assumption, AssumptionKind, Place};

use crate::reject::{Blocker, RejectKind};

/// Largest number of assumptions of a region.
const MAX_ASSUMPTIONS: usize = 64;
/// Largest number of disjuncts of an assumption.
const MAX_DISJUNCTS: usize = 8;
/// What finding out the parameter values for which an assumption holds may cost.
const COMPLEMENT_STEPS: u64 = 100_000;

/// Knowledge about parameters. Copies share what they have in common until one of them is changed.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    context: Set,
    known: Set,
    assumptions: Rc<Vec<Assumption>>,
    /// Parameters whose ranges must not be forgotten.
    pinned: Rc<BTreeSet<String>>,
}

/// Why something is assumed, for the report.
#[derive(Clone, Debug)]
pub(crate) struct Reason {
    pub(crate) kind: AssumptionKind,
    pub(crate) text: String,
    pub(crate) place: Option<Place>,
}

impl Facts {
    /// Nothing is known.
    pub(crate) fn new() -> Self {
        let universe = Set::universe(Space::params(Vec::new()));
        Self { context: universe.clone(), known: universe, assumptions: Rc::default(), pinned: Rc::default() }
    }

    /// What is assumed depends on the range of the parameter.
    pub(crate) fn pin(&mut self, name: &str) {
        if !self.pinned.contains(name) {
            Rc::make_mut(&mut self.pinned).insert(name.to_owned());
        }
    }

    /// What holds whenever the region is entered.
    pub(crate) fn context(&self) -> &Set {
        &self.context
    }

    /// The assumptions made.
    pub(crate) fn assumptions(&self) -> &[Assumption] {
        &self.assumptions
    }

    /// Adds a fact to the context; disjunctions are left out.
    pub(crate) fn learn(&mut self, holds: &Set) {
        if holds.n_basic() == 1 {
            self.context = self.context.intersect(holds);
            self.known = self.known.intersect(holds);
        }
    }

    /// Adds what follows from the context and the assumptions made so far; disjunctions are left
    /// out.
    pub(crate) fn follow(&mut self, holds: &Set) {
        if holds.n_basic() == 1 {
            self.known = self.known.intersect(holds);
        }
    }

    /// What is known: the context and the assumptions.
    pub(crate) fn known(&self) -> &Set {
        &self.known
    }

    /// Whether no parameter values that are known to be possible are in the set (a parameter set,
    /// or one over loop counters).
    pub(crate) fn is_impossible(&self, set: &Set, budget: &mut Budget) -> Result<bool, Stop> {
        if set.plain_is_empty() {
            return Ok(true);
        }
        self.restrict(set).is_empty(budget)
    }

    /// The part of the set that is possible.
    pub(crate) fn restrict(&self, set: &Set) -> Set {
        set.intersect_params(&self.known)
    }

    /// Sees to it that no point of `outside` is executed: proves it, or records the assumption.
    ///
    /// `outside` must be computed from the domain in which the points are executed, without the
    /// assumption itself.
    pub(crate) fn exclude(&mut self, outside: &Set, reason: &Reason, budget: &mut Budget) -> Result<(), Blocker> {
        if self.is_impossible(outside, budget)? {
            return Ok(());
        }
        let fails = self.restrict(outside).params();
        let too_complicated = || {
            let message = format!("what must be checked at run time is too complicated: that {}", reason.text);
            Blocker::new(RejectKind::Complexity, message)
        };
        // The complement may have exponentially many disjuncts; none that is usable costs so much.
        let mut part = budget.sub(COMPLEMENT_STEPS);
        let holds = self.complement(&fails, &mut part);
        budget.absorb(&part);
        let holds = holds.map_err(|Stop| too_complicated())?;
        for known in self.assumptions.iter().filter(|a| a.holds.n_basic() > 1) {
            if known.holds.is_subset(&holds, budget)? {
                return Ok(());
            }
        }
        if holds.n_basic() > MAX_DISJUNCTS || self.assumptions.len() >= MAX_ASSUMPTIONS {
            return Err(too_complicated());
        }
        self.assume(holds, reason, budget)
    }

    /// The possible parameter values that are not in the set.
    fn complement(&self, fails: &Set, budget: &mut Budget) -> Result<Set, Stop> {
        fails.complement(budget)?.gist(&self.known, budget)?.coalesce(budget)
    }

    /// Records an assumption.
    pub(crate) fn assume(&mut self, holds: Set, reason: &Reason, budget: &mut Budget) -> Result<(), Blocker> {
        let together = self.known.intersect(&holds);
        if together.is_empty(budget)? {
            let message = format!("it would have to be checked that {}, which is never the case", reason.text);
            return Err(Blocker::new(RejectKind::NeverHolds, message).at(reason.place.clone()));
        }
        if together.n_basic() == 1 {
            self.known = together;
        }
        let Reason { kind, text, place } = reason.clone();
        Rc::make_mut(&mut self.assumptions).push(Assumption { kind, holds, reason: text, place });
        Ok(())
    }

    /// Records bounds of one parameter, in place of those that were recorded before.
    pub(crate) fn assume_range(
        &mut self,
        name: &str,
        holds: Set,
        reason: &Reason,
        budget: &mut Budget,
    ) -> Result<(), Blocker> {
        let is_range_of = |a: &Assumption| {
            a.kind == AssumptionKind::Range && a.holds.space().params.len() == 1 && involves(&a.holds, name)
        };
        let before = self.assumptions.iter().position(is_range_of);
        self.assume(holds, reason, budget)?;
        if let Some(before) = before {
            let assumptions = Rc::make_mut(&mut self.assumptions);
            let weaker = assumptions.remove(before);
            let stronger = assumptions.last_mut().expect("an assumption was just recorded");
            stronger.holds = stronger.holds.intersect(&weaker.holds).coalesce(budget)?;
        }
        Ok(())
    }

    /// The set without constraints that follow from what is known. For the finished model:
    /// everything in it holds only under its assumptions.
    pub(crate) fn simplified(&self, set: &Set, budget: &mut Budget) -> Result<Set, Stop> {
        self.restrict(set).coalesce(budget)?.gist_params(&self.known, budget)
    }

    /// Drops assumptions that follow from others that are tested no later; `stages` says of each
    /// when it is.
    pub(crate) fn drop_implied(&mut self, stages: &[usize], budget: &mut Budget) -> Result<(), Stop> {
        let mut stages = stages.to_vec();
        let mut position = 0;
        while position < self.assumptions.len() {
            let mut others = self.context.clone();
            for (other, assumption) in self.assumptions.iter().enumerate() {
                if other != position && assumption.holds.n_basic() == 1 && stages[other] <= stages[position] {
                    others = others.intersect(&assumption.holds);
                }
            }
            if others.is_subset(&self.assumptions[position].holds, budget)? {
                Rc::make_mut(&mut self.assumptions).remove(position);
                stages.remove(position);
            } else {
                position += 1;
            }
        }
        Ok(())
    }

    /// Keeps only what concerns the given parameters and those of assumptions: whatever shares a
    /// constraint with them is kept too, so that every proof that was made still holds. Only the
    /// range of a parameter that nothing depends on may be forgotten; that a branch is not taken
    /// says something about the program even if no statement has the parameters of its condition.
    /// Returns the parameters that are kept, in their order.
    pub(crate) fn keep_params(&mut self, used: &[bool], names: &[String]) -> Vec<bool> {
        let assumed = self.assumptions.iter().filter(|a| a.kind != AssumptionKind::Range);
        let is_assumed =
            |name: &String| self.pinned.contains(name) || assumed.clone().any(|a| involves(&a.holds, name));
        let mut keep: Vec<bool> = used.iter().zip(names).map(|(used, name)| *used || is_assumed(name)).collect();
        let sets: Vec<&Set> = std::iter::once(&self.context).chain(self.assumptions.iter().map(|a| &a.holds)).collect();
        loop {
            let before = keep.iter().filter(|&&k| k).count();
            for set in &sets {
                spread(set, names, &mut keep);
            }
            if keep.iter().filter(|&&k| k).count() == before {
                break;
            }
        }
        Rc::make_mut(&mut self.assumptions)
            .retain(|a| names.iter().zip(&keep).all(|(name, &kept)| kept || !involves(&a.holds, name)));
        for (name, _) in names.iter().zip(&keep).filter(|(_, kept)| !**kept) {
            self.context = forget(&self.context, name);
            self.known = forget(&self.known, name);
        }
        keep
    }
}

/// Whether the parameter occurs in the set.
pub(crate) fn involves(set: &Set, name: &str) -> bool {
    set.space().find_param(name).is_some_and(|i| set.involves_dims(DimKind::Param, i, 1))
}

fn forget(set: &Set, name: &str) -> Set {
    match set.space().find_param(name) {
        Some(i) => set.drop_constraints_involving(DimKind::Param, i, 1),
        None => set.clone(),
    }
}

/// Marks the parameters that share a constraint with a marked one.
fn spread(set: &Set, names: &[String], keep: &mut [bool]) {
    let positions: Vec<Option<usize>> = names.iter().map(|n| set.space().find_param(n)).collect();
    for basic in set.basics() {
        let rows = basic.eqs().iter().chain(basic.ineqs());
        let divs = basic.divs().iter().flatten().map(|d| &d.num);
        for row in rows.chain(divs) {
            let occurs = |position: &Option<usize>| position.is_some_and(|p| row[1 + p] != Int::ZERO);
            if positions.iter().zip(keep.iter()).any(|(p, &k)| k && occurs(p)) {
                for (position, kept) in positions.iter().zip(keep.iter_mut()) {
                    *kept |= occurs(position);
                }
            }
        }
    }
}
