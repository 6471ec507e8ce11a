//! Isomorphic statements, which do the same on different instances, are merged.
//!
//! # Problem
//! The rows of a triangular factorization are computed by two loops, for the elements left and
//! right of the diagonal, or those on the diagonal by a loop of their own. Where their instances
//! meet, tiles are shared by statements: none of them fills a tile, so tiles at the diagonal are
//! executed point by point.
//!
//! # Definitions
//! Let `f` relate each instance of a statement `T` to the one of a statement `S` that a schedule
//! executes at the same time. `T` is *isomorphic* to `S` if
//!
//! * `f` is a function and injective, and no instance of `S` is in its image;
//! * the bodies compute the same: every element that `T` writes in an instance `x`, `S` would write
//!   in `f(x)`, with the same value: an expression over elements that are the same, too, in which
//!   operations are equal ([`crate::Scop::operations`]) and have operands in the same order;
//! * the instances of `S` and the image of those of `T` are one convex set.
//!
//! # Algorithm
//! For each pair of statements below the same bands:
//!
//! 1. compare what they write, as far as that takes no sets;
//! 2. compute `f` from the functions of the bands, and compare the elements;
//! 3. below a sequence isomorphic statements are moved to one place: statements between them must
//!    have no instances at the times of those that move;
//! 4. replace `T` by `S` in the tree, the dependences and the domains.
//!
//! # Invariants
//! `S` in `f(x)` reads and writes the elements that `T` in `x` did, at the same time as before, so
//! dependences are those of before, between other names. The result has no original order: its
//! statements are not statements of the source. Nothing but lowering a schedule, checking it and
//! code generation may be done with it.

mod bodies;

use poly_dependence::{Dependence, Dependences};
use poly_presburger::{Budget, DimKind, Map, MultiUnionPwAff, PwAff, Set, Stop, UnionPwAff, UnionSet};
use poly_schedule_tree::{Band, NodeKind, ScheduleTree, Tree};
use poly_transform::value_map;

use crate::driver::Analysis;
use crate::{Scop, Statement};
use bodies::Matched;

/// More statements than these are not compared.
const MAX_STATEMENTS: usize = 64;

/// A SCoP with a schedule, in which isomorphic statements are one; `None` if there are none.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(crate) fn merge_isomorphic(
    analysis: &Analysis,
    tree: &ScheduleTree,
    budget: &mut Budget,
) -> Result<Option<(Analysis, ScheduleTree)>, Stop> {
    let mut best: Option<(Analysis, ScheduleTree)> = None;
    loop {
        let (analysis, tree) = best.as_ref().map_or((analysis, tree), |(analysis, tree)| (analysis, tree));
        match joined_pair(analysis, tree, budget)? {
            Some(joined) => best = Some(joined),
            None => return Ok(best),
        }
    }
}

/// The same for the first pair of isomorphic statements that is found.
fn joined_pair(
    analysis: &Analysis,
    tree: &ScheduleTree,
    budget: &mut Budget,
) -> Result<Option<(Analysis, ScheduleTree)>, Stop> {
    let statements = &analysis.scop.statements;
    if statements.len() > MAX_STATEMENTS {
        return Ok(None);
    }
    for kept in 0..statements.len() {
        for merged in (0..statements.len()).filter(|&merged| merged != kept) {
            budget.spend(1)?;
            let (dims, dims_of_merged) = (statements[kept].domain.n_dim(), statements[merged].domain.n_dim());
            if dims < dims_of_merged || (dims == dims_of_merged && merged < kept) {
                continue;
            }
            let Some(matched) = bodies::matched(&analysis.scop, (kept, merged)) else { continue };
            if !are_ordinary(analysis, [kept, merged]) {
                continue;
            }
            let pair = Pair { analysis, tree, kept, merged };
            if let Some(joined) = pair.joined(&matched, budget)? {
                return Ok(Some(joined));
            }
        }
    }
    Ok(None)
}

/// They take no part in reductions, the updates of which are known by statement.
fn are_ordinary(analysis: &Analysis, statements: [usize; 2]) -> bool {
    let takes_part = |d: &Dependence| d.reduction && statements.iter().any(|s| d.source.0 == *s || d.sink.0 == *s);
    !analysis.dependences.dependences.iter().any(takes_part)
}

/// Two statements that may be isomorphic.
struct Pair<'a> {
    analysis: &'a Analysis,
    tree: &'a ScheduleTree,
    kept: usize,
    merged: usize,
}

/// What is around both statements.
struct CommonBands<'a> {
    bands: Vec<&'a Band>,
    /// The sequence in which they are in different children, with these.
    apart: Option<(&'a Tree, [usize; 2])>,
}

impl<'a> Pair<'a> {
    fn scop(&self) -> &'a Scop {
        &self.analysis.scop
    }

    fn statement(&self, number: usize) -> &'a Statement {
        &self.scop().statements[number]
    }

    fn joined(&self, matched: &Matched, budget: &mut Budget) -> Result<Option<(Analysis, ScheduleTree)>, Stop> {
        let Some(common) = self.common() else { return Ok(None) };
        let Some(same_time) = self.same_time(&common, budget)? else { return Ok(None) };
        if !self.touches_the_same(matched, &same_time, budget)? || !self.may_move(&common, budget)? {
            return Ok(None);
        }
        let (kept, merged) = (&self.statement(self.kept).domain, &self.statement(self.merged).domain);
        let image = merged.apply(&same_time);
        if !image.intersect(kept).is_empty(budget)? {
            return Ok(None);
        }
        let domain = kept.union(&image).coalesce(budget)?;
        if domain.n_basic() != 1 || !domain.has_known_divs() {
            return Ok(None);
        }
        let Some(tree) = self.tree_with(&domain, budget)? else { return Ok(None) };
        let dependences = self.dependences_with(matched, &same_time, budget)?;
        tracing::debug!(kept = self.statement(self.kept).name, merged = self.statement(self.merged).name, "isomorphic");
        let mut scop = self.scop().clone();
        scop.statements[self.kept].domain = domain;
        scop.statements.remove(self.merged);
        let joined = Analysis { scop, dependences, joined: true, ..self.analysis.clone() };
        Ok(Some((joined, tree)))
    }

    /// The bands around both statements; `None` if there are others around one of them only, or
    /// anything that this does not know.
    fn common(&self) -> Option<CommonBands<'a>> {
        let names = [self.kept, self.merged].map(|s| self.statement(s).name.as_str());
        let has = |tree: &Tree, name: &str| match tree.kind() {
            NodeKind::Filter(filter) => filter.get_named(name).is_some(),
            _ => false,
        };
        let mut bands = Vec::new();
        let mut node = self.tree.tree().child();
        loop {
            match node.kind() {
                NodeKind::Leaf => return Some(CommonBands { bands, apart: None }),
                NodeKind::Band(band) => {
                    bands.push(band);
                    node = node.child();
                }
                NodeKind::Filter(_) => node = node.child(),
                NodeKind::Sequence | NodeKind::Set => {
                    let place = |name| node.children().iter().position(|child| has(child, name));
                    let [kept, merged] = [place(names[0])?, place(names[1])?];
                    if kept != merged {
                        let is_leaf = |child: usize| node.children()[child].child().is_leaf();
                        return (is_leaf(kept) && is_leaf(merged))
                            .then_some(CommonBands { bands, apart: Some((node, [kept, merged])) });
                    }
                    node = &node.children()[kept];
                }
                _ => return None,
            }
        }
    }

    /// From the instances of the merged statement to those of the other statement at the same time,
    /// if each has one of its own.
    fn same_time(&self, common: &CommonBands<'_>, budget: &mut Budget) -> Result<Option<Map>, Stop> {
        let times = |s: usize| times(&common.bands, &self.statement(s).name, |function| function.as_aff().is_some());
        let (Some(kept), Some(merged)) = (times(self.kept), times(self.merged)) else { return Ok(None) };
        let same = merged.apply_range(&kept.reverse()).intersect_domain(&self.statement(self.merged).domain);
        let is_function = same.n_basic() == 1 && same.has_known_divs() && same.is_single_valued(budget)?;
        let is_injective = is_function && same.reverse().is_single_valued(budget)?;
        let is_total = is_injective && self.statement(self.merged).domain.is_subset(&same.domain(), budget)?;
        Ok(is_total.then_some(same))
    }

    /// Every pair of accesses is one to the same element.
    fn touches_the_same(&self, matched: &Matched, same_time: &Map, budget: &mut Budget) -> Result<bool, Stop> {
        for &(kept, merged) in &matched.accesses {
            let kept = &self.statement(self.kept).accesses[kept];
            let merged = &self.statement(self.merged).accesses[merged];
            let elements = same_time.apply_range(&kept.relation);
            let own = merged.relation.intersect_domain(&self.statement(self.merged).domain);
            if !elements.is_equal(&own, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Nothing between the places of the two in a sequence is executed at the times of the merged
    /// statement.
    fn may_move(&self, common: &CommonBands<'_>, budget: &mut Budget) -> Result<bool, Stop> {
        let Some((sequence, [kept, merged])) = common.apart else { return Ok(true) };
        let at = |s: usize| {
            let statement = self.statement(s);
            times(&common.bands, &statement.name, |_| true).map(|times| statement.domain.apply(&times))
        };
        let Some(moved) = at(self.merged) else { return Ok(false) };
        let between = &sequence.children()[kept.min(merged) + 1..kept.max(merged)];
        for child in between.iter().chain([&sequence.children()[kept], &sequence.children()[merged]]) {
            let NodeKind::Filter(filter) = child.kind() else { return Ok(false) };
            for (s, other) in self.scop().statements.iter().enumerate() {
                if s == self.kept || s == self.merged || filter.get_named(&other.name).is_none() {
                    continue;
                }
                let Some(times) = at(s) else { return Ok(false) };
                if !times.intersect(&moved).is_empty(budget)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The tree without the merged statement, whose instances are in the domain of the other
    /// statement.
    fn tree_with(&self, domain: &Set, budget: &mut Budget) -> Result<Option<ScheduleTree>, Stop> {
        let (kept, merged) = (self.statement(self.kept), self.statement(self.merged));
        let mut is_whole = true;
        self.tree.tree().for_each(&mut |node| {
            if let NodeKind::Filter(filter) = node.kind() {
                let whole = |s: &Statement| filter.get_named(&s.name).is_none_or(|set| *set == s.domain);
                is_whole &= whole(kept) && whole(merged);
            }
        });
        if !is_whole {
            return Ok(None);
        }
        budget.spend(1)?;
        let replaced = |all: &UnionSet| {
            let others = all.iter().filter(|set| set.tuple_name().is_none_or(|n| n.as_str() != merged.name));
            UnionSet::from_members(others.map(|set| {
                let is_kept = set.tuple_name().is_some_and(|name| name.as_str() == kept.name);
                if is_kept { domain.clone() } else { set.clone() }
            }))
        };
        let tree = self.tree.tree().child().map_bottom_up(&mut |node| match node.kind() {
            NodeKind::Filter(filter) => node.with_kind(NodeKind::Filter(replaced(filter))),
            NodeKind::Band(band) => node.with_kind(NodeKind::Band(self.band_without_merged(band))),
            NodeKind::Sequence | NodeKind::Set => {
                let is_left =
                    |child: &&Tree| !matches!(child.kind(), NodeKind::Filter(filter) if filter.iter().next().is_none());
                let children: Vec<Tree> = node.children().iter().filter(is_left).cloned().collect();
                match &children[..] {
                    [only] => only.child().clone(),
                    _ => node.with_children(children),
                }
            }
            _ => node,
        });
        Ok(Some(ScheduleTree::new(replaced(self.tree.domain()), tree)))
    }

    fn band_without_merged(&self, band: &Band) -> Band {
        let merged = &self.statement(self.merged).name;
        let is_left = |f: &&PwAff| f.domain_space().tuple(DimKind::Out).and_then(|t| t.name_str()) != Some(merged);
        let members = band.schedule.members().iter();
        let members = members.map(|member| UnionPwAff::from_members(member.iter().filter(is_left).cloned())).collect();
        Band { schedule: MultiUnionPwAff::new(band.schedule.tuple().clone(), members), ..band.clone() }
    }

    /// The dependences with the merged statement's instances and accesses replaced, those of equal
    /// ends together.
    fn dependences_with(&self, matched: &Matched, same_time: &Map, budget: &mut Budget) -> Result<Dependences, Stop> {
        let number = |s: usize| if s > self.merged { s - 1 } else { s };
        let ends = |(s, access): (usize, usize)| -> Vec<(usize, usize)> {
            if s != self.merged {
                return vec![(number(s), access)];
            }
            let own = matched.accesses.iter().filter(|(_, merged)| *merged == access);
            own.map(|(kept, _)| (number(self.kept), *kept)).collect()
        };
        let mut all: Vec<Dependence> = Vec::new();
        for dependence in &self.analysis.dependences.dependences {
            let mut relation = dependence.relation.clone();
            if dependence.source.0 == self.merged {
                relation = relation.apply_domain(same_time);
            }
            if dependence.sink.0 == self.merged {
                relation = relation.apply_range(same_time);
            }
            for source in ends(dependence.source) {
                for sink in ends(dependence.sink) {
                    let new = Dependence { source, sink, relation: relation.clone(), ..dependence.clone() };
                    let is_same = |d: &&mut Dependence| {
                        let key = |d: &Dependence| (d.kind, d.source, d.sink, d.reduction, d.conditional);
                        key(d) == key(&new)
                    };
                    match all.iter_mut().find(is_same) {
                        Some(known) => known.relation = known.relation.union(&new.relation),
                        None => all.push(new),
                    }
                }
            }
        }
        for dependence in &mut all {
            dependence.relation = std::mem::replace(&mut dependence.relation, same_time.clone()).coalesce(budget)?;
        }
        Ok(Dependences { dependences: all })
    }
}

/// From the instances of a statement to the values of all bands; `None` where a function is missing
/// or does not please.
fn times(bands: &[&Band], name: &str, pleases: impl Fn(&PwAff) -> bool) -> Option<Map> {
    let mut times: Option<Map> = None;
    for function in bands.iter().flat_map(|band| band.schedule.members()) {
        let function = function.get_named(name).filter(|function| pleases(function))?;
        let value = value_map(function);
        times = Some(times.map_or(value.clone(), |times| times.flat_range_product(&value)));
    }
    times
}
