//! The cycles of a finished tree.
//!
//! # Problem
//! A tree says which loops there are, which of them threads share, and which are vector code. That
//! is all that the prediction reads: the same tree costs the same, whoever made it.
//!
//! # Algorithm
//! Walk the tree from the root. Bands with nothing but marks between them are a *chain* of loops.
//!
//! 1. A chain without bands below it is a *nest* of all statements that reach it: `cost_of_nest`
//!    makes a [`Nest`] of its loops and those around it, and [`estimate`] predicts that one.
//! 2. A chain with bands below costs what these cost.
//! 3. Where threads share a loop of a chain, what is inside costs as much as they need for it, and
//!    starting them each time ([`super::threads`]).
//! 4. Children of a sequence cost what they cost together. A statement in no loop costs one cycle;
//!    one between nests costs nothing beside them.
//!
//! A loop over tiles, `floor(x / T)`, takes its iterations from the next loop over `x` inside of it
//! ([`super::quotients`]).
//!
//! # What is not known
//! Register tiles, wavefronts, and tiles of stencils have models of their own, which lowering asks
//! while it makes them, and which need more than the tree says. [`Unknown`] names what stands in
//! the way.

use std::fmt;

use poly_presburger::{Budget, PwAff, Stop, UnionPwAff};
use poly_schedule_tree::{Band, Mark, NodeKind, ScheduleTree, Tree};
use poly_transform::{AccessModel, LoopFacts, Nest, StatementModel, Work, cut_part, estimate};

use super::loops::Around;
use super::quotients::{divide, is_sum_of_quotients, quotient};
use super::{Model, Place, Spent};
use crate::facts::AccessFacts;

/// What is predicted of a tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Price {
    /// Cycles.
    Known(Spent),
    /// Nothing, for this reason.
    Unknown(Unknown),
}

/// What stands in the way of a prediction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// A mark with a model of its own.
    Mark(Mark),
    /// Tiles of sizes that are parameters.
    Parametric,
    /// The numbers of wavefronts of tiles.
    Wavefronts,
    /// Tiles of loops that move the same subscript: their sides are slanted.
    Slanted,
    /// Loops over tiles around several nests: what one leaves in a cache for the next one.
    Shared,
    /// Only some instances of this statement.
    Part(String),
    /// A tree that adds instances.
    Instances,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mark(mark) => write!(f, "a loop is marked '{mark}'"),
            Self::Parametric => write!(f, "sizes of tiles are parameters"),
            Self::Wavefronts => write!(f, "tiles are executed in wavefronts"),
            Self::Slanted => write!(f, "tiles have slanted sides"),
            Self::Shared => write!(f, "several nests share tiles"),
            Self::Part(statement) => write!(f, "instances of {statement} are executed in parts"),
            Self::Instances => write!(f, "the tree adds instances"),
        }
    }
}

/// What innermost loops without a mark are taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unmarked {
    /// Vector code if the tree says that they carry no dependence, else one iteration after the
    /// other.
    AsItIs,
    /// Vector code, where they carry no dependence.
    Vector,
}

/// Why there is no price of a subtree.
enum Unpriced {
    Unknown(Unknown),
    Stop,
}

impl From<Stop> for Unpriced {
    fn from(_: Stop) -> Self {
        Unpriced::Stop
    }
}

impl From<Unknown> for Unpriced {
    fn from(unknown: Unknown) -> Self {
        Unpriced::Unknown(unknown)
    }
}

/// A member of a band of a chain.
#[derive(Clone, Copy)]
struct Member<'t> {
    function: &'t UnionPwAff,
    coincident: bool,
}

/// Loops with nothing but marks between them.
struct Chain<'t> {
    bands: Vec<&'t Band>,
    /// Outermost first.
    loops: Vec<Member<'t>>,
    /// How many of them are above the one that threads share, if they do.
    shared: Option<usize>,
    /// What is said of the innermost one.
    innermost: Innermost,
    /// What is below.
    below: &'t Tree,
}

/// What the marks say of the innermost loop of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Innermost {
    Plain,
    /// Vector code.
    Vector,
    /// No vectors: iterations side by side of a chain, each on its own, or elements that are apart.
    Interleaved,
    /// Vector code where only some of the statements are executed.
    Distributed,
}

impl Model<'_> {
    /// The predicted cycles of a tree.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub(crate) fn cost(&self, tree: &ScheduleTree, unmarked: Unmarked, budget: &mut Budget) -> Result<Price, Stop> {
        let walk = Walk { model: self, unmarked };
        match walk.cost_of(tree.tree().child(), &Place::root(self.analysis), budget) {
            Ok(spent) => Ok(Price::Known(spent)),
            Err(Unpriced::Unknown(unknown)) => Ok(Price::Unknown(unknown)),
            Err(Unpriced::Stop) => Err(Stop),
        }
    }
}

/// A walk over a tree.
struct Walk<'m, 'a> {
    model: &'m Model<'a>,
    unmarked: Unmarked,
}

impl Walk<'_, '_> {
    /// The cycles of a subtree. The recursion is bounded by its height.
    fn cost_of(&self, node: &Tree, place: &Place, budget: &mut Budget) -> Result<Spent, Unpriced> {
        budget.spend(1)?;
        match node.kind() {
            NodeKind::Leaf => {
                let instances = place.active.iter().map(|&s| self.model.facts[s].instances).sum();
                let cycles = if place.outer.is_empty() { instances } else { 0.0 };
                Ok(Spent { cycles, memory: 0.0 })
            }
            NodeKind::Band(_) | NodeKind::Mark(_) => self.cost_of_chain(node, place, budget),
            NodeKind::Filter(filter) => {
                let mut active = Vec::new();
                for &s in &place.active {
                    let statement = &self.model.analysis.scop.statements[s];
                    let Some(own) = filter.get_named(&statement.name) else { continue };
                    if !statement.domain.is_subset(own, budget)? {
                        return Err(Unknown::Part(statement.name.clone()).into());
                    }
                    active.push(s);
                }
                self.cost_of(node.child(), &Place { active, ..place.clone() }, budget)
            }
            NodeKind::Sequence | NodeKind::Set | NodeKind::Context(_) | NodeKind::Guard(_) => {
                let mut all = Spent::default();
                for child in node.children() {
                    all = all + self.cost_of(child, place, budget)?;
                }
                Ok(all)
            }
            _ => Err(Unknown::Instances.into()),
        }
    }

    fn cost_of_chain(&self, node: &Tree, place: &Place, budget: &mut Budget) -> Result<Spent, Unpriced> {
        let chain = Chain::at(node)?;
        if chain.bands.is_empty() {
            return self.cost_of(chain.below, place, budget);
        }
        let is_nest = chain.below.bands().is_empty();
        if is_nest && (place.active.is_empty() || chain.loops.is_empty()) {
            return Ok(Spent::default());
        }
        if is_nest {
            return self.cost_of_nest(&chain, place, budget);
        }
        let mut inside = place.clone();
        inside.outer.extend(chain.bands.iter().map(|&band| band.clone()));
        let is_over_tiles = |member: &Member<'_>| member.function.iter().any(|f| quotient(f).is_some());
        if chain.loops.iter().all(is_over_tiles) {
            return Err(Unknown::Shared.into());
        }
        let spent = self.cost_of(chain.below, &inside, budget)?;
        match chain.shared {
            None => Ok(spent),
            Some(above) => {
                let mut forks = 1.0f64;
                for &s in &place.active {
                    let (_, loops) = self.loops_of(s, place, &chain, budget)?;
                    forks = forks.max(executions(&loops, n_loops(place) + above));
                }
                Ok(Spent { cycles: self.model.with_threads(spent, forks), ..spent })
            }
        }
    }

    /// The cycles of the statements in a chain of loops without others below.
    fn cost_of_nest(&self, chain: &Chain<'_>, place: &Place, budget: &mut Budget) -> Result<Spent, Unpriced> {
        let (parallel, chained) = self.innermost(chain, place, budget)?;
        let depth = n_loops(place) + chain.loops.len();
        let mut trips = vec![1.0f64; depth];
        let mut statements = Vec::with_capacity(place.active.len());
        let mut forks = 1.0f64;
        for (&s, recurrence) in place.active.iter().zip(chained) {
            let (shape, loops) = self.loops_of(s, place, chain, budget)?;
            for (trip, facts) in trips.iter_mut().zip(&loops) {
                *trip = trip.max(facts.trip);
            }
            forks = forks.max(executions(&loops, n_loops(place) + chain.shared.unwrap_or(0)));
            let facts = &self.model.facts[s];
            let access = |(index, access): (usize, &AccessFacts)| AccessModel {
                strides: loops.iter().map(|l| l.strides.get(index).copied().unwrap_or(0.0)).collect(),
                reference: access.reference(),
            };
            statements.push(StatementModel {
                accesses: facts.accesses.iter().enumerate().map(access).collect(),
                work: Work { hollow: shape.hollow, ..facts.work.clone() },
                instances: facts.instances,
                cut: cut_part(shape.hollow, shape.depth, shape.of_tile),
                parallel: parallel && !(recurrence && chain.innermost == Innermost::Distributed),
                recurrence,
                handed_on: chain.loops.iter().rev().nth(1).is_none_or(|around| !around.coincident),
            });
        }
        let interleaved = chain.innermost == Innermost::Interleaved && chain.is_tiled_once();
        let nest = Nest { trips, statements, interleaved, prefetches: false };
        let spent = Spent::of(estimate(&nest, &self.model.config.machine));
        Ok(match chain.shared {
            Some(_) => Spent { cycles: self.model.with_threads(spent, forks), ..spent },
            None => spent,
        })
    }

    /// Whether the innermost loop of a chain is free of dependences, and the statements for which
    /// it is a chain of them.
    fn innermost(&self, chain: &Chain<'_>, place: &Place, budget: &mut Budget) -> Result<(bool, Vec<bool>), Unpriced> {
        let is_vector = self.unmarked == Unmarked::Vector;
        let none = vec![false; place.active.len()];
        let Some((last, others)) = chain.loops.split_last() else { return Ok((true, none)) };
        if last.coincident || matches!(chain.innermost, Innermost::Vector | Innermost::Interleaved) {
            return Ok((true, none));
        }
        let is_point = |function: &&UnionPwAff| !function.iter().any(|f| quotient(f).is_some());
        let around = place.outer.iter().flat_map(|band| band.schedule.members());
        let around: Vec<&UnionPwAff> =
            around.chain(others.iter().map(|member| member.function)).filter(is_point).collect();
        let order = self.model.order_along(&around, last.function, &place.active, budget)?;
        let parallel = chain.innermost != Innermost::Plain || (is_vector && !order.is_carried()) || order.is_forward();
        Ok((parallel, place.active.iter().map(|&s| order.waits(s)).collect()))
    }

    /// The loops around a statement in a chain, outermost first.
    fn loops_of(
        &self,
        s: usize,
        place: &Place,
        chain: &Chain<'_>,
        budget: &mut Budget,
    ) -> Result<(Shape, Vec<LoopFacts>), Unpriced> {
        let name = &self.model.analysis.scop.statements[s].name;
        let above = place.outer.iter().flat_map(|band| band.schedule.members());
        let functions = above.chain(chain.loops.iter().map(|member| member.function));
        let functions: Vec<Option<&PwAff>> = functions.map(|function| function.get_named(name)).collect();
        let is_wave = |f: &&PwAff| quotient(f).is_none() && is_sum_of_quotients(f);
        if functions.iter().flatten().any(is_wave) {
            return Err(Unknown::Wavefronts.into());
        }
        let bands = place.outer.iter().chain(chain.bands.iter().copied());
        let bands: Vec<usize> = bands.map(Band::n_member).collect();
        let around = self.model.loops_around(s, (&functions, &bands), budget)?;
        let mut loops = around.loops.clone();
        let last = functions.len().saturating_sub(1);
        let (mut part, mut of_tile) = (1.0, 1.0);
        let divided = divide(&mut loops, &around.rows, &functions);
        for divided in &divided {
            match divided.at < n_loops(place) {
                true => part *= divided.part,
                false if divided.points == last => of_tile *= divided.part,
                false => {}
            }
        }
        // Loops over tiles of the chain itself are no further loops by which bounds could cut the
        // innermost one.
        let tiles = functions.iter().skip(n_loops(place)).flatten().filter(|f| quotient(f).is_some()).count();
        let tiled: Vec<usize> = divided.iter().map(|divided| divided.points).collect();
        if self.is_slanted(s, &around, &tiled) {
            return Err(Unknown::Slanted.into());
        }
        let hollow = part * self.model.facts[s].work.hollow;
        Ok((Shape { hollow, of_tile, depth: functions.len() - tiles }, loops))
    }

    /// Whether a subscript moves along a loop with tiles and another loop over points.
    fn is_slanted(&self, s: usize, around: &Around, tiled: &[usize]) -> bool {
        let moves = |slopes: &[f64], step: &Option<Vec<f64>>| {
            let step = step.as_deref().unwrap_or_default();
            slopes.iter().zip(step).map(|(slope, d)| slope * d).sum::<f64>() != 0.0
        };
        let is_slanted = |(slopes, _): &(Vec<f64>, f64)| {
            let moving: Vec<usize> = (0..around.steps.len()).filter(|&l| moves(slopes, &around.steps[l])).collect();
            moving.len() > 1 && moving.iter().any(|l| tiled.contains(l))
        };
        !tiled.is_empty()
            && self.model.facts[s].accesses.iter().flat_map(|a| a.subscripts.iter().flatten()).any(is_slanted)
    }
}

/// How far the loops around a statement fill a box.
struct Shape {
    /// Part of the box without instances.
    hollow: f64,
    /// Part of the iterations of the innermost loop that a tile has.
    of_tile: f64,
    /// Loops, but for those over tiles.
    depth: usize,
}

fn n_loops(place: &Place) -> usize {
    place.outer.iter().map(Band::n_member).sum()
}

/// How often the first loops run through.
fn executions(loops: &[LoopFacts], count: usize) -> f64 {
    loops.iter().take(count).map(|l| l.trip).product()
}

impl<'t> Chain<'t> {
    /// One loop goes over tiles, and not alone.
    fn is_tiled_once(&self) -> bool {
        let is_over_tiles = |member: &&Member<'_>| member.function.iter().any(|f| quotient(f).is_some());
        self.loops.iter().filter(is_over_tiles).count() == 1 && self.loops.len() > 2
    }

    /// The chain that begins at a band or a mark.
    fn at(node: &'t Tree) -> Result<Chain<'t>, Unknown> {
        let mut chain =
            Chain { bands: Vec::new(), loops: Vec::new(), shared: None, innermost: Innermost::Plain, below: node };
        let mut said: Option<(usize, Innermost)> = None;
        loop {
            match chain.below.kind() {
                NodeKind::Band(band) if band.has_grid() => return Err(Unknown::Parametric),
                NodeKind::Band(band) => {
                    let member = |(function, &coincident)| Member { function, coincident };
                    chain.loops.extend(band.schedule.members().iter().zip(&band.coincident).map(member));
                    chain.bands.push(band);
                }
                NodeKind::Mark(mark) => match mark {
                    Mark::Parallel(_) => chain.shared = Some(chain.loops.len()),
                    Mark::Vector => said = Some((chain.loops.len(), Innermost::Vector)),
                    Mark::NoVector => said = Some((chain.loops.len(), Innermost::Interleaved)),
                    Mark::VectorIfDistributed(_) => said = Some((chain.loops.len(), Innermost::Distributed)),
                    Mark::Pack { .. } | Mark::Foreign(_) => {}
                    other => return Err(Unknown::Mark(other.clone())),
                },
                _ => break,
            }
            chain.below = chain.below.child();
        }
        // A mark speaks of the loop directly below it.
        if let Some((at, innermost)) = said
            && at + 1 == chain.loops.len()
        {
            chain.innermost = innermost;
        }
        Ok(chain)
    }
}
