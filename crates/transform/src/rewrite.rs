//! Rewrites: named, legal changes of schedule trees, their log, and what they ask about
//! dependences.
//!
//! # Problem
//! A better order is the program's order after a number of steps: interchange these loops, tile
//! them, make the innermost one vector code. If each step is a value with a name, a place and
//! parameters, the list of them says what was done: to the reader of a remark, to somebody who
//! wants to repeat it or to do something else, and to somebody who searches for the step that went
//! wrong. If each step decides itself whether it is legal, then every list of steps can be applied,
//! also one that nobody would choose.
//!
//! # Definitions
//! * A [`Site`] is a place of a rewrite: `S[1]` is the second band, in preorder, that executes
//!   instances of the statement `S`.
//! * A [`Step`] is a rewrite at a site with arguments: `tile(S[0], 32, 32)`. A [`Log`] is a list of
//!   steps; its text can be read again.
//! * A [`Rewrite`] makes another tree of the one with a site, or says why not ([`Refusal`]).
//! * The [`Oracle`] answers the one question of legality: in which order are the pairs of a
//!   dependence that agree in everything above?
//!
//! # Algorithm
//! [`apply`] finds the band of the site, with the bands above it and the instances that reach it,
//! and asks the rewrite for another tree. A rewrite of a band's members proves with
//! [`Oracle::admits`] that the new members order no pair backwards, and that they keep apart what
//! the old ones kept apart; the flags of the new band are found out again, never copied.
//!
//! # Adding a rewrite
//! One file below `rewrite/` with a type that implements [`Rewrite`], its tests, and a line in
//! [`REWRITES`].
//!
//! # Invariants
//! * What a rewrite returns executes the same instances, and every dependence that was respected
//!   still is.
//! * Nothing depends on anything but the tree and the dependences: a log replays to the same tree
//!   everywhere.
//!
//! The instances of a statement, their order as a tree and changes by composition follow
//! [Verdoolaege2014]; lists of steps as a language for optimizers are those of [Girbal2006].

mod cut;
mod distribute;
mod explain;
mod fuse;
mod interchange;
mod join;
mod oracle;
mod parallelize;
mod random;
mod reverse;
mod shift;
mod site;
mod skew;
mod split;
mod step;
mod tile;
mod vectorize;

use poly_presburger::Id;
use poly_presburger::budget::{Budget, Stop};
use poly_schedule_tree::{Band, Node, NodeKind, ScheduleTree};

pub use explain::{explain, without_flags};
pub use oracle::{Oracle, Prefix, Signs};
pub use random::random;
pub use site::{Located, Site, sites};
pub use step::{Log, Step, StepError};

use crate::pairs::agreeing;
use crate::refusal::Refusal;

/// All rewrites, in the order in which they are documented.
pub const REWRITES: &[&dyn Rewrite] = &[
    &interchange::Interchange,
    &reverse::Reverse,
    &skew::Skew,
    &shift::Shift,
    &tile::Tile,
    &split::Split,
    &join::Join,
    &distribute::Distribute,
    &fuse::Fuse,
    &cut::Cut,
    &vectorize::Vectorize,
    &parallelize::Parallelize,
];

/// A change of the subtree at a band.
pub trait Rewrite: Sync {
    /// Its name in logs.
    fn name(&self) -> &'static str;

    /// What its arguments are, for people: `size, ...`.
    fn arguments(&self) -> &'static str;

    /// Whether its band gets a mark, and stays as it is from then on.
    fn finishes(&self) -> bool {
        false
    }

    /// Argument lists that may be worth trying at a site, legal or not; none where it does not
    /// apply.
    fn parameters(&self, at: &Located) -> Vec<Vec<i64>>;

    /// Those of them that a search for a faster tree tries: none where what is predicted of the
    /// tree stays the same.
    fn moves(&self, at: &Located) -> Vec<Vec<i64>> {
        self.parameters(at)
    }

    /// A cursor into the new tree.
    ///
    /// # Errors
    /// Why it is not legal or not possible, or [`Stop`] when the budget runs out.
    fn apply(
        &self,
        context: &mut Context<'_>,
        at: &Located,
        arguments: &[i64],
        budget: &mut Budget,
    ) -> Result<Node, Failure>;
}

/// What rewrites know of the program.
#[derive(Debug)]
pub struct Context<'a> {
    /// The order of dependent instances.
    pub oracle: Oracle<'a>,
    /// Statements whose loops threads must not share; `None` if there are no threads.
    pub unshared: Option<&'a [Id]>,
}

/// Why there is no new tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The rewrite is not legal, or not possible.
    Refused(Refusal),
    /// The budget ran out.
    Stop,
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Failure::Refused(refusal)
    }
}

impl From<Stop> for Failure {
    fn from(_: Stop) -> Self {
        Failure::Stop
    }
}

/// The rewrite of a name.
pub fn named(name: &str) -> Option<&'static dyn Rewrite> {
    REWRITES.iter().copied().find(|rewrite| rewrite.name() == name)
}

/// The tree after a step.
///
/// # Errors
/// Why the step is not legal or not possible, or [`Stop`] when the budget runs out.
pub fn apply(
    context: &mut Context<'_>,
    tree: &ScheduleTree,
    step: &Step,
    budget: &mut Budget,
) -> Result<ScheduleTree, Failure> {
    let rewrite = named(&step.rewrite).ok_or_else(|| Refusal::Unknown(step.rewrite.clone()))?;
    let at = Located::find(tree, &step.site)?;
    Ok(rewrite.apply(context, &at, &step.arguments, budget)?.tree())
}

/// A step that was refused, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The position of the step in its log.
    pub position: usize,
    /// Why.
    pub why: Failure,
}

/// The tree after all steps of a log.
///
/// # Errors
/// The first step that fails.
pub fn replay(
    context: &mut Context<'_>,
    tree: &ScheduleTree,
    log: &Log,
    budget: &mut Budget,
) -> Result<ScheduleTree, Refused> {
    let mut tree = tree.clone();
    for (position, step) in log.steps.iter().enumerate() {
        tree = apply(context, &tree, step, budget).map_err(|why| Refused { position, why })?;
    }
    Ok(tree)
}

/// A band with members in place of those of another one, if they order everything as is legal; its
/// flags are found out.
fn replaced(context: &mut Context<'_>, at: &Located, new: Band, budget: &mut Budget) -> Result<Band, Failure> {
    finished(at)?;
    let old = at.band();
    context.oracle.admits(at, old.schedule.members(), new.schedule.members(), budget)?;
    Ok(context.oracle.with_flags(at, new, budget)?)
}

/// The tree with the flags of all bands below a node found out again. Loops with marks must still
/// be free of dependences.
fn flagged_below(context: &mut Context<'_>, node: Node, statement: &Id, budget: &mut Budget) -> Result<Node, Failure> {
    let (depth, path) = (node.depth(), node.path());
    let mut next = node.next_in_preorder();
    let mut tree = node.tree();
    while let Some(at) = next.filter(|at| at.depth() > depth) {
        let mut here = at.clone();
        if let Some(located) = Located::at(at, statement).filter(|located| located.node.band().is_some()) {
            let band = context.oracle.with_flags(&located, located.band().clone(), budget)?;
            let is_broken = band.coincident.first() == Some(&false) && finished(&located).is_err();
            if is_broken {
                return Err(Refusal::Below("a loop below that has a mark would carry a dependence").into());
            }
            here = here.set_band(band);
            tree = here.tree();
        }
        next = here.next_in_preorder();
    }
    Ok(Node::follow(&tree, &path).expect("only flags have changed"))
}

/// A mark says something about the loop below it, which must then stay as it is.
fn finished(at: &Located) -> Result<(), Refusal> {
    let is_marked = at.node.parent().is_some_and(|parent| matches!(parent.kind(), NodeKind::Mark(_)));
    if is_marked { Err(Refusal::Below("the band has a mark, so it stays as it is")) } else { Ok(()) }
}

/// A dependence that a member of a band carries, at equal values of those before it.
fn carried(context: &mut Context<'_>, at: &Located, member: usize, budget: &mut Budget) -> Result<Option<usize>, Stop> {
    let band = at.band();
    let before = &band.schedule.members()[..member];
    let reaching = context.oracle.reaching(at, budget)?;
    for (number, pairs) in reaching {
        let before = before.iter().filter(|function| !oracle::is_quotient(function));
        let Some(pairs) = agreeing(&pairs, before, budget)? else { continue };
        if oracle::signs_of(&pairs, band.schedule.get(member), budget)?.any() {
            return Ok(Some(number));
        }
    }
    Ok(None)
}

/// What rewrites without arguments say of them.
const NONE: &str = "none";

/// Refuses arguments of a rewrite that has none, and bands that stay as they are.
fn without_arguments(at: &Located, arguments: &[i64]) -> Result<(), Refusal> {
    if arguments.is_empty() { finished(at) } else { Err(Refusal::Arguments(NONE)) }
}

/// So many arguments, each the number of a member.
fn members(at: &Located, arguments: &[i64], expected: &'static str) -> Result<Vec<usize>, Refusal> {
    let count = at.band().n_member();
    let member = |&a: &i64| usize::try_from(a).ok().filter(|&m| m < count);
    arguments.iter().map(member).collect::<Option<Vec<_>>>().ok_or(Refusal::Arguments(expected))
}
