//! The order of a tree, by pieces of statements.
//!
//! # Problem
//! The tree gives every instance a *time*: on its way from the root, each member of a band appends
//! its value and each sequence the number of the child. In one branch of the tree, and in one piece
//! of the functions of its bands, every entry is one quasi-affine function of the instance.
//!
//! # Tiles of parametric sizes
//! A member with a grid `s` has the value `s floor(x / s)`, which is not affine. In its place an
//! instance gets a further coordinate `t` with `t <= x <= t + s - 1`: of all these `t` the time is
//! the one that is a multiple of `s`. Loops with a grid have multiples of `s` for values, so a
//! counter that satisfies the inequalities is `t`.

use std::sync::Arc;

use poly_presburger::{Aff, Budget, DimKind, Id, MultiAff, Set, Space, Tuple};
use poly_schedule_tree::{NodeKind, ScheduleTree, Tree};

use crate::{Error, Reason};

/// An entry of a time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Time {
    /// The child of a sequence, or of a set, whose children have no order.
    Child { index: usize, ordered: bool },
    /// A function of the instance, later of the counters of loops.
    Value(Aff),
}

/// Instances of a statement whose times are given by functions.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) statement: Id,
    /// Number of coordinates of the statement; those of grids follow.
    pub(crate) arity: usize,
    /// The size of each parametric tile.
    pub(crate) grids: Vec<Id>,
    pub(crate) domain: Set,
    /// With the instances of which a context of the tree says that there are none, if it has some:
    /// whatever happens to them is right.
    pub(crate) allowed: Option<Set>,
    pub(crate) times: Vec<Time>,
}

/// A piece on its way down the tree, over the tuple of its statement.
#[derive(Clone)]
struct Branch {
    tuple: Tuple,
    domain: Set,
    /// What contexts say of the domain.
    known: Option<Set>,
    times: Vec<BranchTime>,
}

#[derive(Clone)]
enum BranchTime {
    Child { index: usize, ordered: bool },
    Value(Aff),
    Grid(Aff, Id),
}

/// The parameters of a tree, with those of a context.
pub(crate) fn parameters(tree: &ScheduleTree, context: &Set) -> Vec<Id> {
    let mut params = context.space().params.clone();
    let mut add = |ids: &[Id]| {
        ids.iter().for_each(|id| {
            if !params.contains(id) {
                params.push(id.clone())
            }
        })
    };
    tree.tree().for_each(&mut |node| match node.kind() {
        NodeKind::Domain(set) | NodeKind::Filter(set) => add(set.param_ids()),
        NodeKind::Context(set) | NodeKind::Guard(set) => add(&set.space().params),
        NodeKind::Band(band) => {
            add(&band.schedule.space().params);
            band.grids.iter().flatten().for_each(|grid| add(std::slice::from_ref(grid)));
        }
        _ => {}
    });
    params
}

/// The pieces of all statements, over these parameters, where the context holds.
pub(crate) fn pieces(
    tree: &ScheduleTree,
    context: &Set,
    params: &[Id],
    budget: &mut Budget,
) -> Result<Vec<Piece>, Error> {
    let root = tree.domain().iter().map(|set| Branch {
        tuple: set.tuple().expect("statements have tuples").clone(),
        domain: set.intersect_params(context),
        known: None,
        times: Vec::new(),
    });
    let mut leaves = Vec::new();
    descend(tree.tree().child(), root.collect(), &mut leaves, budget)?;
    leaves.into_iter().map(|branch| branch.finished(params, budget)).collect()
}

/// Recursion is bounded by the height of the tree.
fn descend(tree: &Tree, branches: Vec<Branch>, leaves: &mut Vec<Branch>, budget: &mut Budget) -> Result<(), Error> {
    budget.spend(1)?;
    let below = match tree.kind() {
        NodeKind::Leaf => {
            leaves.extend(branches);
            return Ok(());
        }
        NodeKind::Sequence | NodeKind::Set => {
            let ordered = matches!(tree.kind(), NodeKind::Sequence);
            for (index, child) in tree.children().iter().enumerate() {
                let mut branches = branches.clone();
                branches.iter_mut().for_each(|branch| branch.times.push(BranchTime::Child { index, ordered }));
                descend(child, branches, leaves, budget)?;
            }
            return Ok(());
        }
        NodeKind::Band(band) if band.n_member() > 0 => {
            let mut below = Vec::new();
            for branch in branches {
                let functions = band.schedule.extract(&branch.tuple).ok_or(Error::NotJudged(Reason::Unknown))?;
                for (set, values) in functions.pieces() {
                    let domain = branch.domain.intersect(set);
                    if functions.n_piece() > 1 && domain.is_empty(budget)? {
                        continue;
                    }
                    let mut times = branch.times.clone();
                    times.extend(values.affs().iter().zip(&band.grids).map(|(value, grid)| match grid {
                        Some(grid) => BranchTime::Grid(value.clone(), grid.clone()),
                        None => BranchTime::Value(value.clone()),
                    }));
                    below.push(Branch { domain, times, ..branch.clone() });
                }
            }
            below
        }
        NodeKind::Filter(filter) => {
            let mut below = Vec::new();
            for branch in branches {
                let Some(set) = filter.get_tuple(&branch.tuple) else { continue };
                let domain = branch.domain.intersect(set);
                if set.plain_is_universe() || !domain.is_empty(budget)? {
                    below.push(Branch { domain, ..branch });
                }
            }
            below
        }
        NodeKind::Guard(set) => {
            let guarded = |branch: Branch| {
                let domain = branch.domain.intersect(&branch.where_outside(set)?);
                Ok(Branch { domain, ..branch })
            };
            branches.into_iter().map(guarded).collect::<Result<_, Error>>()?
        }
        NodeKind::Context(set) => {
            let informed = |branch: Branch| {
                let known = branch.where_outside(set)?;
                let known = branch.known.as_ref().map_or(known.clone(), |other| other.intersect(&known));
                Ok(Branch { known: Some(known), ..branch })
            };
            branches.into_iter().map(informed).collect::<Result<_, Error>>()?
        }
        NodeKind::Extension(_) => return Err(Error::NotJudged(Reason::Extension)),
        NodeKind::Expansion { .. } => return Err(Error::NotJudged(Reason::Expansion)),
        NodeKind::Domain(_) | NodeKind::Band(_) | NodeKind::Mark(_) => branches,
    };
    descend(tree.child(), below, leaves, budget)
}

impl Branch {
    /// The instances for which the outer members of bands are in a set.
    fn where_outside(&self, set: &Set) -> Result<Set, Error> {
        if set.space().is_params() {
            return Ok(Set::universe(self.domain.space().clone()).intersect_params(set));
        }
        let mut values = Vec::new();
        for time in &self.times {
            match time {
                BranchTime::Value(value) => values.push(value.clone()),
                BranchTime::Grid(..) => return Err(Error::NotJudged(Reason::Grid)),
                BranchTime::Child { .. } => {}
            }
        }
        if values.len() != set.n_dim() {
            return Err(Error::NotJudged(Reason::Unknown));
        }
        let tuple = Tuple::anonymous(values.len());
        let outside = MultiAff::into_tuple(self.domain.space(), tuple.clone(), values);
        Ok(set.set_tuple(tuple).preimage(&outside))
    }

    fn finished(self, params: &[Id], budget: &mut Budget) -> Result<Piece, Error> {
        let arity = self.tuple.n();
        let grids: Vec<Id> = self.times.iter().filter_map(BranchTime::grid).cloned().collect();
        let space = Arc::new(Space::set(params.to_vec(), Tuple::anonymous(arity + grids.len())));
        let dim = |i| Aff::var(Arc::clone(&space), DimKind::Out, i);
        let plain = MultiAff::into_tuple(&space, self.tuple.clone(), (0..arity).map(dim).collect());
        let mut domain = self.domain.preimage(&plain).with_exact_params(params);
        let mut times = Vec::new();
        let mut next = arity;
        for time in &self.times {
            times.push(match time {
                BranchTime::Child { index, ordered } => Time::Child { index: *index, ordered: *ordered },
                BranchTime::Value(value) => Time::Value(value.pullback(&plain)),
                BranchTime::Grid(value, size) => {
                    let at = params.iter().position(|param| param == size).expect("all grids are parameters");
                    let (value, first) = (value.pullback(&plain), dim(next));
                    let last = first.add(&Aff::var(Arc::clone(&space), DimKind::Param, at)).add_constant(-1);
                    domain = domain.intersect(&Set::from_basic(value.ge_basic_set(&first)));
                    domain = domain.intersect(&Set::from_basic(last.ge_basic_set(&value)));
                    next += 1;
                    Time::Value(first)
                }
            });
        }
        if !domain.has_known_divs() {
            domain = domain.compute_divs(budget)?;
        }
        let known = self.known.map(|known| known.preimage(&plain).with_exact_params(params));
        let allowed = known.as_ref().map(|_| domain.clone());
        if let Some(known) = known {
            domain = domain.intersect(&known).compute_divs(budget)?;
        }
        let statement = self.tuple.name.clone().ok_or(Error::NotJudged(Reason::Unknown))?;
        Ok(Piece { statement, arity, grids, domain, allowed, times })
    }
}

impl Time {
    /// Number of divisions in it.
    pub(crate) fn n_div(&self) -> usize {
        match self {
            Time::Value(value) => value.divs().len(),
            Time::Child { .. } => 0,
        }
    }
}

impl BranchTime {
    fn grid(&self) -> Option<&Id> {
        match self {
            BranchTime::Grid(_, size) => Some(size),
            BranchTime::Child { .. } | BranchTime::Value(_) => None,
        }
    }
}
