//! Predicted time of trees, and what it is predicted from.
//!
//! # Problem
//! Whoever changes a tree asks what the change is worth. The answer is a function of the tree, the
//! program, its sizes and the processor: [`Model::cost`] walks over a finished tree, reads its
//! loops and marks, and adds up what [`poly_transform::estimate`] says of each nest. It knows
//! nothing of who made the tree, and in which steps.
//!
//! # Definitions
//! * A [`Model`] is a program with its dependences at certain sizes on a certain processor: numbers
//!   about its statements ([`crate::facts`]) and an oracle that answers what is asked about
//!   dependences.
//! * A [`Place`] is where a node stands in a tree: the bands above it, and the statements that
//!   reach it.
//!
//! | module | what it says |
//! |---|---|
//! | `loops` | iterations of the loops around a statement, and bytes that its accesses move along them |
//! | `order` | which loops carry dependences, and which of them are chains |
//! | `original` | what LLVM makes of the original order |
//! | `quotients` | what loops over tiles and blocks mean for the loops over points |
//! | `threads` | what threads gain |
//! | `tree` | the cycles of a tree |

mod loops;
mod order;
mod original;
mod quotients;
mod threads;
mod tree;

use std::cell::RefCell;

use poly_arith::Int;
use poly_presburger::{Budget, Stop};
use poly_schedule_tree::{Band, ScheduleTree};
use poly_transform::rewrite::Oracle;

use crate::config::{Config, Scheduler};
use crate::driver::Analysis;
use crate::facts::{StatementFacts, estimates, facts};

pub(crate) use loops::{loop_facts, member_of, members_of, row, stride};
pub(crate) use original::{overlap_check_fails, reloads};
pub(crate) use quotients::{any_wavefront, divide, points_of, quotient, quotient_map};
pub use threads::Spent;
pub(crate) use tree::Unmarked;
pub use tree::{Price, Unknown};

/// The predicted cycles of a tree at the sizes and on the processor of a configuration, whoever
/// made the tree.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn predict(analysis: &Analysis, tree: &ScheduleTree, config: &Config, budget: &mut Budget) -> Result<Price, Stop> {
    Model::new(analysis, config, budget)?.cost(tree, Unmarked::AsItIs, budget)
}

/// Part of the iterations in which a condition is true of which nothing is known. A branch breaks a
/// chain: an iteration that does not read what the one before has written does not wait for it.
const TAKEN: f64 = 0.5;

/// Operations by which new code finds out which function an access has that is bent: a comparison,
/// a choice, and an address that is not so far from another one. The original shares them between
/// accesses.
const CASE_OPERATIONS: f64 = 3.0;

/// A program at certain sizes on a certain processor.
pub(crate) struct Model<'a> {
    pub(crate) analysis: &'a Analysis,
    pub(crate) config: &'a Config,
    /// Numbers about the statements.
    pub(crate) facts: Vec<StatementFacts>,
    /// Values of the parameters.
    pub(crate) estimates: Vec<Int>,
    /// The order of dependent instances.
    pub(crate) oracle: RefCell<Oracle<'a>>,
}

impl<'a> Model<'a> {
    /// The model of a program at the sizes and on the processor of a configuration.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub(crate) fn new(analysis: &'a Analysis, config: &'a Config, budget: &mut Budget) -> Result<Model<'a>, Stop> {
        let mut facts = facts(&analysis.scop, &config.sizes, &config.machine, budget)?;
        if config.original_order {
            original::add_divisions(&analysis.scop, &mut facts);
            for (statement, facts) in facts.iter_mut().enumerate() {
                facts.work.reduces |= original::looks_for_extremes(&analysis.scop, statement);
                facts.work.lane_by_lane = true;
                // LLVM may know that what is loaded under conditions is there in any case.
                (facts.work.masked_loads, facts.work.branches) = (Vec::new(), Vec::new());
                // Its innermost loop is that of the source.
                (facts.work.across, facts.work.across_stored) = (0.0, 0.0);
                if facts.conditional_chain {
                    facts.work.chain *= TAKEN;
                    facts.work.stored *= TAKEN;
                }
            }
        }
        if !config.original_order {
            for facts in &mut facts {
                facts.work.simple += CASE_OPERATIONS * f64::from(facts.work.bent.count_ones());
            }
        }
        if !config.lanes {
            let whole = facts.iter_mut().filter_map(|facts| facts.work.whole_loops.as_mut());
            whole.for_each(|loops| loops.lanes = None);
        }
        let estimates = estimates(&analysis.scop, &config.sizes, budget)?;
        Ok(Model::with(analysis, config, facts, estimates))
    }

    /// The same with numbers that are known.
    pub(crate) fn with(
        analysis: &'a Analysis,
        config: &'a Config,
        facts: Vec<StatementFacts>,
        estimates: Vec<Int>,
    ) -> Model<'a> {
        let oracle = RefCell::new(Oracle::new(&analysis.dependences.dependences));
        Model { analysis, config, facts, estimates, oracle }
    }

    /// Whether loops stay where they are in the source.
    pub(crate) fn keeps_order(&self) -> bool {
        self.config.scheduler == Scheduler::Original
    }
}

/// Where a node stands.
#[derive(Clone)]
pub(crate) struct Place {
    /// Bands above, outermost first.
    pub(crate) outer: Vec<Band>,
    /// Statements that reach it.
    pub(crate) active: Vec<usize>,
    /// Inside a loop that threads execute.
    pub(crate) parallel: bool,
    /// Inside loops over tiles, which are not among the bands above.
    pub(crate) in_tiles: bool,
    /// Inside tiles of these loops of another schedule, which cut statements of one band apart.
    pub(crate) tiled: Option<Band>,
}

impl Place {
    /// The root of a tree of all statements.
    pub(crate) fn root(analysis: &Analysis) -> Place {
        let active = (0..analysis.scop.statements.len()).collect();
        Place { outer: Vec::new(), active, parallel: false, in_tiles: false, tiled: None }
    }
}
