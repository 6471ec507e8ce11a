//! The space of all legal fusion structures, searchable [Pouchet2011].
//!
//! # Problem
//! At each level of loops, statements are put into an order of groups that share a loop: a total
//! preorder. List, count and describe exactly those structures for which there is a legal schedule,
//! and make the schedule of each.
//!
//! # Method
//! Level by level, from the outside in. All total preorders of the statements are one convex set
//! ([`PreorderSet`], the set `O`); what has a legal schedule is found by tests of which statements
//! can share a loop (`rows`, `level`) and is a convex set again, `F`. Each class of each point gets
//! a loop by solving for its coefficients, and the statements of the class form the next level
//! (`class`), with the dependences that the loop leaves.
//!
//! A *member* of the space is a choice of a point for every level. Members are numbered from 0 on:
//! larger first classes come first, so that 0 shares as many loops as possible as early as
//! possible. Statements without loops left are put in sequence; their order is no choice.
//!
//! # What a loop is
//! Every statement that has loops left advances in it; coefficients and constants are bounded
//! ([`Options::max_coefficient`](crate::Options)), shifts by parameters are excluded, and any two
//! statements that nothing else keeps together overlap in it (`overlap`). Legality of a row is
//! decided over the rationals, or exactly for single iterators. A preorder that is not in `F` has
//! no legal row within these bounds for one of its groups.

mod class;
mod level;
mod overlap;
mod preorder;
mod rows;

use std::fmt;

use poly_arith::Int;
use poly_presburger::budget::{Budget, Stop};
use poly_schedule_tree::ScheduleTree;

use crate::context::Context;
use crate::edge::edges;
use crate::plan::Plan;
use crate::problem::{Options, Problem};
use level::{Level, Outer};

pub use preorder::{PreorderSet, fubini};

/// The legal fusion structures of a program, explored as far as they are asked for.
#[derive(Debug)]
pub struct FusionSpace {
    context: Context,
    root: Level,
}

/// A member of the space.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its loops.
    pub structure: Structures,
    /// Its schedule.
    pub tree: ScheduleTree,
}

/// Loops one after the other. As text, a pair of braces is a loop.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Structures(pub Vec<Structure>);

/// Loops and the statements in them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Structure {
    /// A loop.
    Loop(Structures),
    /// A statement, by its number.
    Statement(usize),
}

/// What is known of one level.
#[derive(Clone, Debug)]
pub struct LevelFacts {
    /// The loops around it.
    pub depth: usize,
    /// Its statements.
    pub statements: Vec<usize>,
    /// The unpruned set of total preorders, `O`, and the number of its points.
    pub unpruned: (PreorderSet, Int),
    /// The legal ones, `F`, and the number of its points; `None` if there are too many components
    /// of statements, or the points cannot be counted with a part of the budget.
    pub pruned: Option<(PreorderSet, Int)>,
}

impl FusionSpace {
    /// The space of a problem. Reductions and live ranges are kept in order.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn new(problem: &Problem<'_>, options: &Options, budget: &mut Budget) -> Result<FusionSpace, Stop> {
        let context = Context::new(problem, options, budget)?;
        let in_order = Options { live_ranges: false, ..context.options };
        let edges = edges(problem.dependences, &in_order, &context.params, budget)?;
        let statements: Vec<usize> = (0..context.statements.len()).collect();
        let history = context.initial_history();
        let root = Level::new(statements, edges, history, Outer::default(), budget)?;
        Ok(FusionSpace { context, root })
    }

    /// The member with a number, or `None` if there are not so many.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn member(&mut self, number: u64, budget: &mut Budget) -> Result<Option<Member>, Stop> {
        let Some(planned) = self.root.plan(&self.context, number, budget)? else { return Ok(None) };
        let tree = planned.plan.to_tree(&self.context);
        let structure = Structures(Structure::of(&planned.plan, &self.root.statements));
        Ok(Some(Member { structure, tree }))
    }

    /// The number of members.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out: every group of every level has to be looked into.
    pub fn count(&mut self, budget: &mut Budget) -> Result<Int, Stop> {
        self.root.plans(&self.context, budget)
    }

    /// The outermost level.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn outermost(&mut self, budget: &mut Budget) -> Result<LevelFacts, Stop> {
        facts(&self.context, &mut self.root, 0, budget)
    }

    /// The levels with several statements and loops inside the classes of the members that have
    /// been asked for, from the outside in.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn inner_levels(&mut self, budget: &mut Budget) -> Result<Vec<LevelFacts>, Stop> {
        let mut result = Vec::new();
        let mut open: Vec<&mut Level> = self.root.levels_inside_mut().collect();
        let mut depth = 0;
        while !open.is_empty() {
            depth += 1;
            let mut next = Vec::new();
            for level in open {
                if level.statements.len() > 1 && !level.is_straight() {
                    result.push(facts(&self.context, level, depth, budget)?);
                }
                next.extend(level.levels_inside_mut());
            }
            open = next;
        }
        Ok(result)
    }
}

/// The part of what is left of a budget that counting the points of a level may take: one quarter.
const COUNTING_PART: u64 = 4;

fn facts(context: &Context, level: &mut Level, depth: usize, budget: &mut Budget) -> Result<LevelFacts, Stop> {
    let n = level.statements.len();
    let mut part = budget.sub(budget.remaining() / COUNTING_PART);
    let points = if level.is_too_large() { Err(Stop) } else { level.points(context, &mut part) };
    budget.absorb(&part);
    let pruned = points.ok().map(|points| (level.preorders(), points));
    let statements = level.statements.clone();
    Ok(LevelFacts { depth, statements, unpruned: (PreorderSet::all(n), fubini(n)), pruned })
}

impl Structure {
    /// The loops of a plan. The recursion is bounded by the height of the plan.
    fn of(plan: &Plan, statements: &[usize]) -> Vec<Structure> {
        match plan {
            Plan::Leaf => statements.iter().map(|&s| Structure::Statement(s)).collect(),
            Plan::Sequence(children) => children.iter().flat_map(|(inside, child)| Self::of(child, inside)).collect(),
            Plan::Band { members, child } => {
                let inside = Self::of(child, statements);
                members.iter().fold(inside, |inside, _| vec![Structure::Loop(Structures(inside))])
            }
        }
    }
}

impl fmt::Display for Structures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, part) in self.0.iter().enumerate() {
            f.write_str(if i > 0 { " " } else { "" })?;
            match part {
                Structure::Statement(s) => write!(f, "S{s}")?,
                Structure::Loop(inside) => write!(f, "{{{inside}}}")?,
            }
        }
        Ok(())
    }
}
