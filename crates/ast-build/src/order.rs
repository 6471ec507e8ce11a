//! The order of ranges of a counter, and of the statements that run in them.
//!
//! Something must come after something else if, for some values of the outer dimensions, an
//! instance of the one runs before an instance of the other. Where both orders occur they cannot be
//! loops after each other. [`groups`] finds the strongly connected components of "comes before", in
//! topological order. Among components in no particular order the one that is most like the last
//! one comes next (so that conditions they have in common are tested once), then the one with the
//! smallest number.
//!
//! For ranges of the counter the question is whether a value of one is less than a value of the
//! other. For statements equal values are possible: then later band members decide, and after those
//! the position in the tree below ([`TreeOrder`]).

use poly_arith::Int;
use poly_presburger::{BasicSet, Budget, DimKind, Row, Stop, Tuple};
use poly_schedule_tree::{NodeKind, Tree};

use crate::constraint_system::ConstraintSystem;
use crate::context::Context;
use crate::interval::Polyhedron;

/// How instances that are equal in all band members are ordered by the tree below the band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TreeOrder {
    /// All instances of the first run before those of the second.
    Before,
    /// All instances of the first run after those of the second.
    After,
    /// Any order will do.
    Free,
    /// Not known.
    Unknown,
}

/// The order in which a subtree runs instances of two statements that it has equally far up.
pub(crate) fn tree_order(tree: &Tree, a: &Tuple, b: &Tuple) -> TreeOrder {
    let mut tree = tree;
    loop {
        match tree.kind() {
            NodeKind::Leaf => return TreeOrder::Free,
            NodeKind::Sequence | NodeKind::Set => {
                let [x, y] = [a, b].map(|tuple| children_with(tree, tuple));
                match (&x[..], &y[..]) {
                    ([], _) | (_, []) => return TreeOrder::Free,
                    ([x], [y]) if x == y => tree = &tree.children()[*x],
                    _ if matches!(tree.kind(), NodeKind::Set) => return TreeOrder::Unknown,
                    _ if x.last() < y.first() => return TreeOrder::Before,
                    _ if y.last() < x.first() => return TreeOrder::After,
                    _ => return TreeOrder::Unknown,
                }
            }
            NodeKind::Filter(_) | NodeKind::Mark(_) | NodeKind::Context(_) | NodeKind::Guard(_) => tree = tree.child(),
            NodeKind::Band(band) if band.n_member() == 0 => tree = tree.child(),
            NodeKind::Band(_) | NodeKind::Extension(_) | NodeKind::Expansion { .. } | NodeKind::Domain(_) => {
                return TreeOrder::Unknown;
            }
        }
    }
}

/// The children of a sequence that keep instances of a statement.
fn children_with(tree: &Tree, tuple: &Tuple) -> Vec<usize> {
    let keeps = |child: &Tree| matches!(child.kind(), NodeKind::Filter(f) if f.get_tuple(tuple).is_some());
    tree.children().iter().enumerate().filter(|(_, child)| keeps(child)).map(|(i, _)| i).collect()
}

/// Groups of disjoint ranges in order.
pub(crate) fn ordered_ranges(
    context: &Context,
    ranges: &[&BasicSet],
    budget: &mut Budget,
) -> Result<Vec<Vec<usize>>, Stop> {
    let outer: Vec<Vec<&Row>> = ranges.iter().map(|r| outer_rows(r)).collect();
    let alike = |a: usize, b: usize| outer[a].iter().filter(|row| outer[b].contains(row)).count();
    groups(ranges.len(), &mut |a, b| is_before(context, ranges[a], ranges[b], budget), &alike)
}

/// The constraints on outer dimensions only.
fn outer_rows(set: &BasicSet) -> Vec<&Row> {
    let last = set.offset(DimKind::Div) - 1;
    set.eqs().iter().chain(set.ineqs()).filter(|row| row[last].is_zero()).collect()
}

/// Groups of `n` things, given which comes (in some case) before which, and how alike they are.
pub(crate) fn groups(
    n: usize,
    before: &mut dyn FnMut(usize, usize) -> Result<bool, Stop>,
    alike: &dyn Fn(usize, usize) -> usize,
) -> Result<Vec<Vec<usize>>, Stop> {
    let mut direct = vec![vec![false; n]; n];
    for (a, row) in direct.iter_mut().enumerate() {
        for (b, comes_first) in row.iter_mut().enumerate() {
            *comes_first = a != b && before(a, b)?;
        }
    }
    let mut reaches = direct.clone();
    for via in 0..n {
        for a in 0..n {
            for b in 0..n {
                reaches[a][b] |= reaches[a][via] && reaches[via][b];
            }
        }
    }
    let mut done = vec![false; n];
    let mut groups: Vec<Vec<usize>> = Vec::new();
    loop {
        let ready = ready(&done, &direct, &reaches);
        let last = groups.last().and_then(|g| g.last());
        let likeness = |k: usize| last.map_or(0, |&l| alike(l, k));
        let Some(first) = ready.into_iter().rev().max_by_key(|&k| likeness(k)) else { break };
        let group: Vec<usize> = (0..n).filter(|&k| k == first || (reaches[first][k] && reaches[k][first])).collect();
        group.iter().for_each(|&k| done[k] = true);
        groups.push(group);
    }
    Ok(groups)
}

/// What is left none of whose predecessors, other than those in its own group, is still to come.
fn ready(done: &[bool], direct: &[Vec<bool>], reaches: &[Vec<bool>]) -> Vec<usize> {
    let n = done.len();
    let together = |a: usize, b: usize| a == b || (reaches[a][b] && reaches[b][a]);
    let waits = |k: usize| {
        let members = (0..n).filter(|&m| together(k, m));
        members.into_iter().any(|m| (0..n).any(|p| direct[p][m] && !done[p] && !together(k, p)))
    };
    (0..n).filter(|&k| !done[k] && !waits(k)).collect()
}

/// Is there a value in `a` that is less than one in `b`, for the same outer values?
fn is_before(context: &Context, a: &BasicSet, b: &BasicSet, budget: &mut Budget) -> Result<bool, Stop> {
    let last = a.n_var();
    let mut system = ConstraintSystem::new(last + 2);
    system.constrain(&context.generated);
    system.constrain(a);
    let mut map = system.columns(b);
    map[last] = last + 1;
    system.constrain_at(b, &map);
    let mut less = vec![Int::ZERO; last + 2];
    less[0] = Int::NEG_ONE;
    less[last] = Int::NEG_ONE;
    less[last + 1] = Int::ONE;
    system.add_ineq(less);
    Ok(!system.is_empty(budget)?)
}

/// How the values of a counter in one set relate to those in another, for the same outer values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// No value of the first is less than or equal to one of the second.
    Disjoint,
    /// Some value of the first equals one of the second, none is less.
    Touching,
    /// Some value of the first is less than one of the second.
    Before,
}

/// The relations between sets, computed when asked for.
pub(crate) struct Relations<'a> {
    context: &'a Context,
    sets: &'a [&'a BasicSet],
    known: std::cell::RefCell<Vec<Option<Relation>>>,
}

impl<'a> Relations<'a> {
    /// The relations between some sets of counter values.
    pub(crate) fn new(context: &'a Context, sets: &'a [&'a BasicSet]) -> Relations<'a> {
        Relations { context, sets, known: vec![None; sets.len() * sets.len()].into() }
    }

    /// How set number `a` relates to set number `b`.
    pub(crate) fn get(&self, a: usize, b: usize, budget: &mut Budget) -> Result<Relation, Stop> {
        let at = a * self.sets.len() + b;
        if let Some(relation) = self.known.borrow()[at] {
            return Ok(relation);
        }
        let (x, y) = (self.sets[a], self.sets[b]);
        let relation = if is_before(self.context, x, y, budget)? {
            Relation::Before
        } else if have_common_value(self.context, x, y, budget)? {
            Relation::Touching
        } else {
            Relation::Disjoint
        };
        self.known.borrow_mut()[at] = Some(relation);
        Ok(relation)
    }
}

/// Is there a counter value that two sets have in common, for the same outer values?
pub(crate) fn have_common_value(
    context: &Context,
    a: &BasicSet,
    b: &BasicSet,
    budget: &mut Budget,
) -> Result<bool, Stop> {
    let mut system = ConstraintSystem::new(1 + a.n_var());
    system.constrain(&context.generated);
    system.constrain(a);
    system.constrain(b);
    Ok(!system.is_empty(budget)?)
}

/// Is some instance of the polyhedron `a` run before some of `b`, for the same outer values and the
/// same value of the counter? The band has members up to dimension `end`; `below` orders instances
/// that are equal in all of them.
pub(crate) fn runs_before(
    context: &Context,
    a: &Polyhedron,
    b: &Polyhedron,
    end: usize,
    below: TreeOrder,
    budget: &mut Budget,
) -> Result<bool, Stop> {
    let d = context.depth();
    let at_last = matches!(below, TreeOrder::Before | TreeOrder::Unknown);
    if end == d + 1 {
        return Ok(at_last);
    }
    // Over the outer dimensions and t_d, then the rest of `a`, then the rest of `b`.
    let (a, b) = (&a.disjunct.set, &b.disjunct.set);
    let shared = context.generated.n_var() + 2;
    let shift = a.n_var() + 1 - shared;
    let mut system = ConstraintSystem::new(1 + a.n_var() + b.n_var() + 1 - shared);
    system.constrain(&context.generated);
    system.constrain(a);
    let fixed = (0..=b.n_var()).map(|c| if c < shared { c } else { c + shift }).collect();
    let map = system.columns_at(b, fixed);
    system.constrain_at(b, &map);
    for k in 0..end - (d + 1) {
        let (x, y) = (shared + k, map[shared + k]);
        let mut less = system.clone();
        less.add_ineq(difference(x, y, -1));
        if !less.is_empty(budget)? {
            return Ok(true);
        }
        system.add_eq(difference(x, y, 0));
    }
    Ok(at_last && !system.is_empty(budget)?)
}

/// The row `y - x + constant`.
fn difference(x: usize, y: usize, constant: i64) -> Row {
    let mut row = vec![Int::ZERO; x.max(y) + 1];
    row[0] = Int::from(constant);
    row[x] = Int::NEG_ONE;
    row[y] = Int::ONE;
    row
}
