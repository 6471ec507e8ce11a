//! Strip-mined fusion: neighbouring nests share a loop over strips of their outermost loops.
//!
//! # Problem
//! Nests that were distributed, so that each can have the loop order that suits it, walk through
//! the same arrays one after the other. What the first one brought into a near cache has gone when
//! the second one comes. Fused completely they would have one loop order.
//!
//! # Method
//! The nests of a sequence get one common outermost loop over strips: `T` iterations of the first
//! nest's outermost loop, then `T` of the second one's, and so on. The order of iterations within
//! each nest stays, only the nests alternate.
//!
//! 1. *Heads*: the outermost loop of each nest, as lowering made it: a loop of the nest, or one
//!    over tiles of size `T`. At least one has tiles, and all tiles have one size. Between them,
//!    single loops may be cut into strips, too.
//! 2. *Legality*: no dependence from a nest to a later one goes to an earlier strip. Decided
//!    exactly for every dependence.
//! 3. *Gain*: the nests share elements that each of them touches in one strip only, which is the
//!    same one (decided exactly); a strip's data fit a cache that the data of the whole nests do
//!    not fit; the shared ones are a good part of them. What they would have cost to bring again is
//!    saved.
//!
//! # Invariants
//! The loops around every statement and their order stay the same, but for the split of an
//! outermost loop in two.

use std::collections::BTreeMap;

use poly_arith::Int;
use poly_machine::Cache;
use poly_presburger::{Budget, DimKind, Map, MultiUnionPwAff, Stop, Tuple, UnionPwAff, UnionSet};
use poly_schedule_tree::{Band, LoopType, Mark, NodeKind, Tree};
use poly_transform::{USABLE, value_map};

use super::Lowering;
use crate::cost::{Place, member_of, points_of, quotient};
use crate::facts::{AccessFacts, StatementFacts};

/// The outermost loop of a nest.
pub(super) struct Head {
    pub(super) filter: UnionSet,
    pub(super) statements: Vec<usize>,
    /// One member.
    pub(super) band: Band,
    /// What is inside of it.
    pub(super) rest: Tree,
    /// Iterations of the nest's own loop in one iteration of this one.
    pub(super) size: Int,
    /// It is the only loop of the nest.
    pub(super) single: Option<Single>,
}

/// The only loop of a nest.
pub(super) struct Single {
    /// What is said of it: whether it is to be vector code.
    mark: Option<Mark>,
    /// It carries no dependence.
    pub(super) is_free: bool,
}

impl Head {
    /// What is inside of one iteration of a common loop over strips of this size.
    pub(super) fn inside(&self, size: &Int) -> Tree {
        if self.size == *size {
            return self.rest.clone();
        }
        let tree = Tree::band(self.band.clone(), self.rest.clone());
        match self.single.as_ref().and_then(|single| single.mark.clone()) {
            Some(mark) => Tree::mark(mark, tree),
            None => tree,
        }
    }
}

/// The shared part of the data must be at least this part of all data.
const SHARED: f64 = 0.2;

impl Lowering<'_> {
    /// The children of a sequence, for which `spent` cycles are predicted, neighbours fused in
    /// strips where that is legal and saves time.
    pub(super) fn strip_mined(
        &mut self,
        children: Vec<Tree>,
        mut spent: f64,
        place: &Place,
        budget: &mut Budget,
    ) -> Result<Vec<Tree>, Stop> {
        if !self.config.strip_fusion || self.config.parametric_tiles || self.keeps_order() || self.threads().is_some() {
            return Ok(children);
        }
        let mut result: Vec<Tree> = Vec::new();
        let mut rest = children.as_slice();
        while let Some((first, others)) = rest.split_first() {
            let group = self.group(rest, place, budget)?;
            match group {
                Some((heads, size, saved)) => {
                    // Below outer loops, the data may have been predicted to be near already. What
                    // the first nest takes, it takes in any case.
                    let saved = saved.min(spent * (1.0 - 1.0 / heads.len() as f64));
                    self.state.cycles -= saved;
                    spent -= saved;
                    result.push(fused(&heads, &size));
                    rest = &rest[heads.len()..];
                }
                None => {
                    result.push(first.clone());
                    rest = others;
                }
            }
        }
        Ok(result)
    }

    /// The longest group of nests at the beginning of `children` that is worth fusing, with the
    /// size of its strips and the cycles that it saves.
    fn group(
        &self,
        children: &[Tree],
        place: &Place,
        budget: &mut Budget,
    ) -> Result<Option<(Vec<Head>, Int, f64)>, Stop> {
        let mut heads: Vec<Head> = Vec::new();
        let mut best: Option<(usize, Int, f64)> = None;
        for child in children {
            budget.spend(1)?;
            let Some(head) = self.head(child, place) else { break };
            if heads.is_empty() && head.single.is_some() {
                break;
            }
            heads.push(head);
            let Some(size) = common_size(&heads) else { break };
            if size.is_one() {
                // A later nest may bring tiles.
                continue;
            }
            if !self.is_legal(&heads, &size, place, budget)? {
                break;
            }
            if heads.last().is_some_and(|last| last.single.is_some()) {
                continue;
            }
            if let Some(saved) = self.saved(&heads, &size, budget)?
                && best.as_ref().is_none_or(|(_, _, known)| saved > *known)
            {
                best = Some((heads.len(), size, saved));
            }
        }
        Ok(best.map(|(count, size, saved)| {
            heads.truncate(count);
            (heads, size, saved)
        }))
    }

    pub(super) fn head(&self, child: &Tree, place: &Place) -> Option<Head> {
        let NodeKind::Filter(filter) = child.kind() else { return None };
        let scop = &self.analysis.scop;
        let is_here = |&s: &usize| filter.get_named(&scop.statements[s].name).is_some();
        let statements: Vec<usize> = place.active.iter().copied().filter(is_here).collect();
        let (tree, mark) = match child.child().kind() {
            NodeKind::Mark(mark @ (Mark::Vector | Mark::NoVector)) => (child.child().child(), Some(mark.clone())),
            _ => (child.child(), None),
        };
        let band = tree.as_band().filter(|band| band.n_member() > 0 && band.isolate.is_none())?;
        let (first, inner) = band.split(1);
        let is_single = inner.n_member() == 0 && super::is_leaf_below(tree);
        if mark.is_some() && !is_single {
            return None;
        }
        let rest = if inner.n_member() == 0 { tree.child().clone() } else { Tree::band(inner, tree.child().clone()) };
        let mut sizes = statements.iter().map(|&s| tile_size(&first, &scop.statements[s].name));
        let size = sizes.next()??;
        if sizes.any(|other| other.as_ref() != Some(&size)) {
            return None;
        }
        let single = is_single.then(|| Single { mark, is_free: first.coincident[0] });
        Some(Head { filter: filter.clone(), statements, band: first, rest, size, single })
    }

    /// No dependence between the nests goes back by strips.
    fn is_legal(&self, heads: &[Head], size: &Int, place: &Place, budget: &mut Budget) -> Result<bool, Stop> {
        let Some((last, before)) = heads.split_last() else { return Ok(true) };
        let strips = strip_band(heads, size);
        let dependences = self.analysis.dependences.dependences.iter().enumerate();
        for (number, dependence) in dependences.filter(|(_, d)| d.is_ordering()) {
            let (source, sink) = (dependence.source.0, dependence.sink.0);
            if dependence.conditional && separates(&last.statements, [source, sink]) {
                // The live ranges may have changed places.
                if self.pairs_inside(number, points_of(&place.outer), budget)?.is_some() {
                    return Ok(false);
                }
                continue;
            }
            if !last.statements.contains(&sink) || !before.iter().any(|head| head.statements.contains(&source)) {
                continue;
            }
            let signs = self.signs_inside(number, points_of(&place.outer), strips.schedule.get(0), budget)?;
            if signs.is_some_and(|signs| signs.negative) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The cycles that the last nest saves because a strip of the others has brought its data;
    /// `None` if there is nothing to save.
    fn saved(&self, heads: &[Head], size: &Int, budget: &mut Budget) -> Result<Option<f64>, Stop> {
        let machine = &self.config.machine;
        let strips = strip_band(heads, size);
        let strip = size.to_i64().map_or(f64::MAX, |size| size as f64);
        let Some((last, before)) = heads.split_last() else { return Ok(None) };
        let before: Vec<usize> = before.iter().flat_map(|head| head.statements.iter().copied()).collect();
        let (first_whole, last_whole) = (self.bytes(&before, None), self.bytes(&last.statements, None));
        let whole = total(&first_whole, &last_whole);
        let part =
            total(&self.bytes(&before, Some((&strips, strip))), &self.bytes(&last.statements, Some((&strips, strip))));
        // The nearest cache that makes a difference; those behind it do too, as far as they hold a
        // strip and not the whole.
        let usable = |cache: &Cache| USABLE * cache.counted_bytes() as f64;
        let caches = machine.caches.iter().filter(|cache| part <= usable(cache) && whole > usable(cache));
        let gains: f64 = caches.map(|cache| cache.fill_cycles).sum();
        if gains == 0.0 {
            return Ok(None);
        }
        let mut shared = 0.0;
        for (array, bytes) in &first_whole {
            let Some(again) = last_whole.get(array) else { continue };
            if bytes.min(*again) >= SHARED * whole && self.in_one_strip(*array, heads, &strips, budget)? {
                shared += bytes.min(*again);
            }
        }
        let lines = shared / machine.memory.line_bytes as f64;
        Ok((shared > 0.0).then_some(lines * gains))
    }

    /// Every element of the array belongs to one strip at most.
    fn in_one_strip(&self, array: usize, heads: &[Head], strips: &Band, budget: &mut Budget) -> Result<bool, Stop> {
        let mut all: Option<Map> = None;
        for &s in heads.iter().flat_map(|head| &head.statements) {
            let statement = &self.analysis.scop.statements[s];
            let Some(function) = member_of(strips, 0, &statement.name) else { return Ok(false) };
            let function = value_map(function);
            for access in statement.accesses.iter().filter(|a| a.array.index() == array) {
                let touched = access.relation.intersect_domain(&statement.domain).reverse().apply_range(&function);
                all = Some(all.map_or(touched.clone(), |all| all.union(&touched)));
            }
        }
        all.map_or(Ok(false), |all| all.is_single_valued(budget))
    }

    /// Bytes of each array that statements touch, in all or in one strip.
    fn bytes(&self, statements: &[usize], strip: Option<(&Band, f64)>) -> BTreeMap<usize, f64> {
        let mut result = BTreeMap::new();
        for &s in statements {
            let facts = &self.facts[s];
            let mut extents = facts.extents.clone();
            let function = strip.and_then(|(band, _)| member_of(band, 0, &self.analysis.scop.statements[s].name));
            if let (Some(function), Some((_, size))) = (function, strip) {
                for (i, extent) in extents.iter_mut().enumerate() {
                    if function.pieces().iter().any(|(_, aff)| aff.involves_dims(DimKind::Out, i, 1)) {
                        *extent = extent.min(size);
                    }
                }
            }
            for access in &facts.accesses {
                let bytes = touched(access, &extents, facts, self.config.machine.memory.line_bytes as f64);
                let known: &mut f64 = result.entry(access.array).or_insert(0.0);
                *known = known.max(bytes);
            }
        }
        result
    }
}

/// Bytes that an access touches.
fn touched(access: &AccessFacts, extents: &[f64], facts: &StatementFacts, line: f64) -> f64 {
    debug_assert_eq!(extents.len(), facts.extents.len());
    let moving = access.steps.iter().zip(extents).filter(|(step, _)| **step != 0.0);
    let nearest = access.steps.iter().map(|step| step.abs()).filter(|&step| step > 0.0).fold(line, f64::min);
    nearest.max(access.bytes) * moving.map(|(_, extent)| extent).product::<f64>()
}

/// Bytes of all arrays of two nests.
fn total(first: &BTreeMap<usize, f64>, second: &BTreeMap<usize, f64>) -> f64 {
    let mut all = first.clone();
    for (&array, &bytes) in second {
        let known = all.entry(array).or_insert(0.0);
        *known = known.max(bytes);
    }
    all.values().sum()
}

/// The size of tiles that the only member of a band counts: `floor(x / size)`, 1 if it has no
/// divisions; `None` for other functions.
fn tile_size(band: &Band, statement: &str) -> Option<Int> {
    let function = member_of(band, 0, statement)?;
    let [(_, aff)] = function.pieces() else { return None };
    match aff.divs() {
        [] => aff.denom().is_one().then_some(Int::ONE),
        _ => quotient(function).map(|div| div.denom.clone()),
    }
}

/// The size of the strips; `None` if tiles have different sizes.
fn common_size(heads: &[Head]) -> Option<Int> {
    let mut result = Int::ONE;
    for head in heads.iter().filter(|head| !head.size.is_one()) {
        if !result.is_one() && result != head.size {
            return None;
        }
        result = head.size.clone();
    }
    Some(result)
}

/// The loop over strips, of this size, of iterations of several nests.
pub(super) fn strip_band<'a>(heads: impl IntoIterator<Item = &'a Head>, size: &Int) -> Band {
    let mut functions: Option<UnionPwAff> = None;
    for head in heads {
        let band = if head.size == *size { head.band.clone() } else { head.band.tile(std::slice::from_ref(size)).0 };
        let function = band.schedule.get(0);
        let all = functions.get_or_insert_with(|| UnionPwAff::empty(function.param_ids().to_vec()));
        function.iter().for_each(|function| all.add(function.clone()));
    }
    let functions = functions.expect("there are nests");
    let schedule = MultiUnionPwAff::new(Tuple::anonymous(1), vec![functions]);
    Band::with_properties(schedule, true, vec![false]).with_loop_type(LoopType::Atomic)
}

/// The instances of several nests.
pub(super) fn filter_of(heads: &[Head]) -> UnionSet {
    heads[1..].iter().fold(heads[0].filter.clone(), |all, head| all.union(&head.filter))
}

/// Nests that alternate in the iterations of a loop over strips.
pub(super) fn alternating(strips: Band, heads: &[Head], size: &Int) -> Tree {
    let inside = heads.iter().map(|head| (head.filter.clone(), head.inside(size)));
    Tree::band(strips, Tree::sequence(inside))
}

/// The tree of a group.
fn fused(heads: &[Head], size: &Int) -> Tree {
    Tree::filter(filter_of(heads), alternating(strip_band(heads, size), heads, size))
}

/// Whether one of two statements is in a list and the other is not.
fn separates(statements: &[usize], ends: [usize; 2]) -> bool {
    let [a, b] = ends.map(|end| statements.contains(&end));
    a != b
}
