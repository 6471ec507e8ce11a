//! Statements that share a loop, with the level below it.
//!
//! The loop is the best row that [`RowSearch`](super::rows::RowSearch) finds. If all statements of
//! the level share it and no dependence that reaches the band outside goes backwards in it, it
//! becomes a member of that band, so that the band can be tiled. A component without a row gets a
//! dimension that carries some dependences, or the original order, as everywhere in the scheduler;
//! single statements offer no choice.
//!
//! # Invariant
//! A loop makes some statement more complete, or it carries a dependence, which the level below
//! does not have. So levels are nested at most as deep as there are iterators and dependences.

use poly_arith::Int;
use poly_presburger::budget::{Budget, Stop};

use super::level::{Level, Mask, Outer, Planned};
use crate::band::{Member, is_coincident};
use crate::carry::carry;
use crate::context::Context;
use crate::edge::{Edges, Rows};
use crate::group::{restricted, schedule_group};
use crate::independence::extended;
use crate::plan::Plan;

/// A class of a level.
#[derive(Debug)]
pub(super) enum Class {
    /// There is nothing to choose.
    Fixed(Plan),
    /// A loop with what is below.
    Loop {
        member: Member,
        /// It is a member of the band around the level.
        extends: bool,
        below: Box<Level>,
        /// The plans of `below` that are known, in their order.
        plans: Vec<Planned>,
    },
}

impl Class {
    pub(super) fn new(context: &Context, level: &mut Level, mask: Mask, budget: &mut Budget) -> Result<Class, Stop> {
        let statements = level.statements_of(mask);
        let edges: Edges = level.edges.iter().filter(|e| e.is_within(&statements)).cloned().collect();
        if statements.len() > 1 {
            // Statements without loops left have rows of zeros, below which everything is as
            // before.
            if level.has_loops_left(&statements)
                && let Some((rows, extends)) = level.best_rows(context, mask, budget)?
            {
                return Class::with_loop(level, statements, edges, rows, extends, budget);
            }
            if let Some(rows) = carry(context, &statements, &edges, budget)? {
                return Class::with_loop(level, statements, edges, rows, false, budget);
            }
        }
        let plan = schedule_group(context, &statements, &edges, &level.history, budget)?;
        Ok(Class::Fixed(plan))
    }

    fn with_loop(
        level: &Level,
        statements: Vec<usize>,
        edges: Edges,
        rows: Rows,
        extends: bool,
        budget: &mut Budget,
    ) -> Result<Class, Stop> {
        let band = match &level.outer.band {
            Some(band) if extends => band.clone(),
            _ => edges.clone(),
        };
        let mut loops = level.outer.loops.clone();
        loops.push(rows.clone());
        let coincident = is_coincident(&band, &rows, budget)?;
        let left = restricted(&edges, &[&rows], budget)?;
        let history = extended(&level.history, std::iter::once(&rows));
        let below = Level::new(statements, left, history, Outer { loops, band: Some(band) }, budget)?;
        let member = Member { rows, coincident };
        Ok(Class::Loop { member, extends, below: Box::new(below), plans: Vec::new() })
    }

    /// The plan with a number; `None` if there are no more.
    pub(super) fn plan(
        &mut self,
        context: &Context,
        number: u64,
        budget: &mut Budget,
    ) -> Result<Option<Planned>, Stop> {
        match self {
            Class::Fixed(plan) => Ok((number == 0).then(|| Planned { plan: plan.clone(), extends: false })),
            Class::Loop { member, extends, below, plans } => {
                while plans.len() as u64 <= number {
                    let Some(inner) = below.plan(context, plans.len() as u64, budget)? else { return Ok(None) };
                    plans.push(around(member, *extends, inner));
                }
                Ok(plans.get(usize::try_from(number).expect("it is less than a length")).cloned())
            }
        }
    }

    /// The number of its plans.
    pub(super) fn plans(&mut self, context: &Context, budget: &mut Budget) -> Result<Int, Stop> {
        match self {
            Class::Fixed(_) => Ok(Int::ONE),
            Class::Loop { below, .. } => below.plans(context, budget),
        }
    }

    pub(super) fn level_mut(&mut self) -> Option<&mut Level> {
        match self {
            Class::Fixed(_) => None,
            Class::Loop { below, .. } => Some(below),
        }
    }
}

/// A plan below one more loop.
fn around(member: &Member, extends: bool, inner: Planned) -> Planned {
    let plan = match inner.plan {
        Plan::Band { mut members, child } if inner.extends => {
            members.insert(0, member.clone());
            Plan::Band { members, child }
        }
        plan => Plan::Band { members: vec![member.clone()], child: Box::new(plan) },
    };
    Planned { plan, extends }
}
