//! What a picture of a SCoP shows: points, dependences, and when the points are executed.
//!
//! # Algorithm
//! 1. Of each statement the three innermost dimensions are shown, for the first iterations of the
//!    loops around them. Iterations are numbered from 0, so the part of a domain near the origin
//!    has the shape of the whole.
//! 2. Parameters get the largest small value for which all points of all statements fit the
//!    picture, all of them the same one if possible. If there is none, as for loops with large
//!    constant bounds, only the points with small coordinates are shown.
//! 3. The points are enumerated exactly, and so are the pairs of shown points in the dependences of
//!    the original program.
//! 4. Both schedule trees say when the points are executed. Tiles that are larger than the picture
//!    are drawn with small sizes, unless a pair of points would be in the wrong order then that is
//!    in the right one with the real sizes.
//!
//! # Invariants
//! What is left out (statements, dimensions, points, arrows) is counted and said. All numbers are
//! bounded.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use poly_dependence::{Dependence, DependenceKind};
use poly_exchange::{ScopText, StatementText};
use poly_picture::{Instance, Loops, TileSizes, Time, points, time};
use poly_presburger::{Budget, DimKind, Id, Set};
use poly_schedule_tree::ScheduleTree;

/// Most statements that are drawn.
const STATEMENTS: usize = 6;
/// Most points of a statement, for pictures of 0 to 3 dimensions.
const POINTS: [usize; 4] = [1, 20, 81, 125];
/// Most points along a dimension.
const EXTENT: i64 = 20;
/// Values of parameters that are tried, after the small ones.
const LARGE: [i64; 6] = [32, 64, 128, 512, 2048, 8192];
/// Most arrows.
const ARROWS: usize = 400;
/// Parameters that may have another value than the rest.
const APART: usize = 5;

/// A statement with its points.
#[derive(Debug)]
pub(super) struct Shown {
    /// Its name.
    pub(super) name: String,
    /// Its position in the SCoP.
    pub(super) position: usize,
    /// Names of its dimensions.
    pub(super) dims: Vec<String>,
    /// How many of them, from the outermost one on, are not drawn.
    pub(super) hidden: usize,
    /// In lexicographic order.
    pub(super) points: Vec<Point>,
    /// There are more points.
    pub(super) is_cut: bool,
}

/// An instance.
#[derive(Debug)]
pub(super) struct Point {
    /// All of its coordinates.
    pub(super) at: Vec<i64>,
    /// Its position in the original order of all that is shown.
    pub(super) original: usize,
    /// In the new one, if there is one.
    pub(super) new: Option<usize>,
    /// Its group in the new order; groups are numbered as they are executed.
    pub(super) group: Option<usize>,
}

/// A statement, of those that are shown, and one of its points.
pub(super) type Place = (usize, usize);

/// A pair of instances of a dependence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Arrow {
    /// The earlier instance.
    pub(super) from: Place,
    /// The later one.
    pub(super) to: Place,
    /// A value goes from one to the other.
    pub(super) is_flow: bool,
}

/// What points in one colour have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grouping {
    /// The tile.
    Tiles,
    /// The iteration of the outermost loop, where there are no tiles.
    Iterations,
}

/// What is shown.
#[derive(Debug)]
pub(super) struct Scene {
    /// Values of the parameters.
    pub(super) params: BTreeMap<Id, i64>,
    /// The statements.
    pub(super) statements: Vec<Shown>,
    /// How many statements are not shown.
    pub(super) left_out: usize,
    /// The dependences.
    pub(super) arrows: Vec<Arrow>,
    /// How many arrows are not shown.
    pub(super) arrows_left_out: usize,
    /// There is a new order.
    pub(super) has_new: bool,
    /// What the groups of points are in it.
    pub(super) grouping: Grouping,
    /// How many groups there are.
    pub(super) groups: usize,
    /// Sizes of tiles, real and drawn.
    pub(super) sizes: BTreeSet<(String, String)>,
}

impl Scene {
    /// The scene of a SCoP.
    ///
    /// # Errors
    /// Why there is no picture, in a sentence.
    pub(super) fn of(
        scop: &ScopText,
        dependences: &[Dependence],
        original: &ScheduleTree,
        new: Option<&ScheduleTree>,
        budget: &mut Budget,
    ) -> Result<Scene, String> {
        let mut windows: Vec<Window<'_>> =
            scop.statements.iter().take(STATEMENTS).enumerate().map(|(i, s)| Window::new(i, s, budget)).collect();
        let (params, extent) = choose(scop, &windows, budget)?;
        windows.iter_mut().for_each(|window| window.extent = extent);
        let mut statements = Vec::new();
        for window in &windows {
            let (points, is_cut) = window.points(&params, budget).ok_or("the points cannot be enumerated")?;
            statements.push(window.shown(points, is_cut));
        }
        let mut scene = Scene {
            params,
            statements,
            left_out: scop.statements.len() - windows.len(),
            arrows: Vec::new(),
            arrows_left_out: 0,
            has_new: false,
            grouping: Grouping::Iterations,
            groups: 0,
            sizes: BTreeSet::new(),
        };
        let times = scene.times(original, &TileSizes::real(1)).ok_or("the original order cannot be drawn")?;
        scene.set_original(&times);
        scene.add_arrows(dependences, &windows, budget);
        if let Some(new) = new {
            scene.add_new(new);
        }
        scene.cut_arrows();
        Ok(scene)
    }

    /// All points that are shown.
    pub(super) fn n_points(&self) -> usize {
        self.statements.iter().map(|s| s.points.len()).sum()
    }

    /// When each point of each statement is executed.
    fn times(&self, tree: &ScheduleTree, sizes: &TileSizes) -> Option<Vec<Vec<Time>>> {
        let of = |shown: &Shown| {
            let of = |point: &Point| {
                time(tree, &Instance { statement: &shown.name, point: &point.at, params: &self.params }, sizes)
            };
            shown.points.iter().map(of).collect::<Option<Vec<Time>>>()
        };
        self.statements.iter().map(of).collect()
    }

    fn set_original(&mut self, times: &[Vec<Time>]) {
        for (rank, (s, p)) in ranked(times).into_iter().enumerate() {
            self.statements[s].points[p].original = rank;
        }
    }

    /// Pairs of shown points; what costs too much is left out.
    fn add_arrows(&mut self, dependences: &[Dependence], windows: &[Window<'_>], budget: &mut Budget) {
        let index = |shown: &Shown| -> BTreeMap<Vec<i64>, usize> {
            shown.points.iter().enumerate().map(|(i, point)| (point.at.clone(), i)).collect()
        };
        let known: Vec<BTreeMap<Vec<i64>, usize>> = self.statements.iter().map(index).collect();
        let mut found: BTreeMap<(Place, Place), bool> = BTreeMap::new();
        for dependence in dependences.iter().filter(|d| d.is_ordering() && !d.conditional) {
            let (from, to) = (dependence.source.0, dependence.sink.0);
            let (Some(source), Some(sink)) = (windows.get(from), windows.get(to)) else { continue };
            let relation = source.narrowed(&dependence.relation, DimKind::In);
            let pairs = sink.narrowed(&relation, DimKind::Out).wrap();
            let Some(values) = values(&self.params, &pairs) else { continue };
            let Ok(pairs) = points(&pairs, &values, budget) else { continue };
            for pair in pairs {
                let (a, b) = pair.split_at(source.statement.domain.n_dim());
                if let (Some(&a), Some(&b)) = (known[from].get(a), known[to].get(b)) {
                    *found.entry(((from, a), (to, b))).or_default() |= dependence.kind == DependenceKind::Flow;
                }
            }
        }
        self.arrows = found.into_iter().map(|((from, to), is_flow)| Arrow { from, to, is_flow }).collect();
    }

    /// Flow first: if not all can be drawn, values matter more than memory.
    fn cut_arrows(&mut self) {
        if self.arrows.len() > ARROWS {
            self.arrows.sort_by_key(|arrow| (!arrow.is_flow, arrow.from, arrow.to));
            self.arrows_left_out = self.arrows.len() - ARROWS;
            self.arrows.truncate(ARROWS);
        }
    }

    fn add_new(&mut self, tree: &ScheduleTree) {
        let deepest = self.statements.iter().map(|s| s.dims.len() - s.hidden).max().unwrap_or(0);
        let drawn = TileSizes::drawn(tree, |rank, count| small_size(deepest, rank, count));
        let Some(real_times) = self.times(tree, &TileSizes::real(small_size(deepest, 0, 1))) else { return };
        let chosen = self.times(tree, &drawn).filter(|times| self.broken(times).is_subset(&self.broken(&real_times)));
        if chosen.is_some() {
            let text = |(real, drawn): (poly_arith::Int, poly_arith::Int)| (real.to_string(), drawn.to_string());
            self.sizes = drawn.replacements().into_iter().map(text).collect();
        }
        let times = chosen.unwrap_or(real_times);
        if times.iter().flatten().any(|time| time.tile > 0) {
            self.grouping = Grouping::Tiles;
        }
        let mut groups: BTreeMap<Vec<i64>, usize> = BTreeMap::new();
        for (rank, (s, p)) in ranked(&times).into_iter().enumerate() {
            let time = &times[s][p];
            let point = &mut self.statements[s].points[p];
            point.new = Some(rank);
            let length = if self.grouping == Grouping::Tiles { time.tile } else { time.outermost };
            if length > 0 {
                let next = groups.len();
                point.group = Some(*groups.entry(time.values[..length].to_vec()).or_insert(next));
            }
        }
        self.has_new = true;
        self.groups = groups.len();
    }

    /// The arrows that would go backwards.
    fn broken(&self, times: &[Vec<Time>]) -> BTreeSet<&Arrow> {
        let at = |(s, p): Place| &times[s][p].values;
        self.arrows.iter().filter(|arrow| at(arrow.from) >= at(arrow.to)).collect()
    }
}

/// Sizes of tiles in a picture: several of them are to be seen along a dimension.
fn small_size(dims: usize, rank: usize, count: usize) -> i64 {
    match (dims, count) {
        (3, 1) => 3,
        (_, 1) => 4,
        _ => 2 << rank.min(8),
    }
}

/// Points in the order of their times; those of equal times in textual order.
fn ranked(times: &[Vec<Time>]) -> Vec<Place> {
    let mut all: Vec<Place> =
        times.iter().enumerate().flat_map(|(s, own)| (0..own.len()).map(move |p| (s, p))).collect();
    all.sort_by(|&(s, p), &(t, q)| times[s][p].values.cmp(&times[t][q].values).then((s, p).cmp(&(t, q))));
    all
}

/// Values of the parameters of a set.
fn values(params: &BTreeMap<Id, i64>, set: &Set) -> Option<Vec<i64>> {
    set.space().params.iter().map(|id| params.get(id).copied()).collect()
}

/// The part of a statement that is in the picture.
struct Window<'a> {
    position: usize,
    statement: &'a StatementText,
    hidden: usize,
    /// Points along a dimension.
    extent: i64,
    domain: Set,
    /// Over the points; `None` if they cannot be enumerated.
    loops: Option<Loops>,
}

impl<'a> Window<'a> {
    fn new(position: usize, statement: &'a StatementText, budget: &mut Budget) -> Self {
        let hidden = statement.domain.n_dim().saturating_sub(3);
        let domain = statement.domain.clone();
        let mut window = Self { position, statement, hidden, extent: EXTENT, domain, loops: None };
        // One more than is shown, to see whether there is more.
        window.domain = window.limited(statement.domain.as_map(), DimKind::Out, EXTENT).into_set();
        window.loops = Loops::new(&window.domain, 0, budget).ok();
        window
    }

    /// Most points.
    fn most(&self) -> usize {
        POINTS[self.statement.domain.n_dim() - self.hidden]
    }

    /// A relation with this statement at one of its ends, as far as its points are shown.
    fn narrowed(&self, relation: &poly_presburger::Map, end: DimKind) -> poly_presburger::Map {
        self.limited(relation, end, self.extent - 1)
    }

    fn limited(&self, relation: &poly_presburger::Map, end: DimKind, last: i64) -> poly_presburger::Map {
        (0..self.statement.domain.n_dim()).fold(relation.clone(), |map, dim| {
            if dim < self.hidden { map.fix(end, dim, 0) } else { map.upper_bound(end, dim, last) }
        })
    }

    /// The points, and whether there are more; `None` if they cannot be enumerated.
    fn points(&self, params: &BTreeMap<Id, i64>, budget: &mut Budget) -> Option<(Vec<Vec<i64>>, bool)> {
        let mut all = Vec::new();
        let mut is_cut = false;
        let flow = self.visit(params, budget, &mut |point| {
            if point.iter().any(|&x| x >= self.extent) {
                is_cut = true;
            } else {
                all.push(point.to_vec());
            }
            ControlFlow::Continue(())
        })?;
        if flow.is_break() { None } else { Some((all, is_cut)) }
    }

    /// How many points there are; `None` if they do not fit.
    fn fit(&self, params: &BTreeMap<Id, i64>, budget: &mut Budget) -> Option<usize> {
        let mut count = 0;
        let flow = self.visit(params, budget, &mut |point| {
            count += 1;
            let is_outside = count > self.most() || point.iter().any(|&x| x >= EXTENT);
            if is_outside { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if flow.is_break() { None } else { Some(count) }
    }

    /// For each size of the picture, how many points are inside; `None` if they cannot be
    /// enumerated.
    fn counts(&self, params: &BTreeMap<Id, i64>, budget: &mut Budget) -> Option<Vec<usize>> {
        let mut counts = vec![0; EXTENT as usize + 1];
        let flow = self.visit(params, budget, &mut |point| {
            let size = point.iter().max().map_or(1, |&most| most + 1);
            counts.iter_mut().skip(usize::try_from(size).unwrap_or(0)).for_each(|count| *count += 1);
            ControlFlow::Continue(())
        })?;
        if flow.is_break() { None } else { Some(counts) }
    }

    fn visit(
        &self,
        params: &BTreeMap<Id, i64>,
        budget: &mut Budget,
        visit: &mut dyn FnMut(&[i64]) -> ControlFlow<()>,
    ) -> Option<ControlFlow<()>> {
        if self.domain.plain_is_empty() {
            return Some(ControlFlow::Continue(()));
        }
        let values = values(params, &self.domain)?;
        Some(self.loops.as_ref()?.run(&values, &mut |point| match budget.spend(1) {
            Ok(()) => visit(point),
            Err(_) => ControlFlow::Break(()),
        }))
    }

    fn shown(&self, points: Vec<Vec<i64>>, is_cut: bool) -> Shown {
        let tuple = self.statement.domain.space();
        let dims = (0..self.statement.domain.n_dim())
            .map(|i| tuple.dim_name(DimKind::Out, i).map_or_else(|| format!("i{i}"), |id| id.as_str().to_owned()));
        let point = |at| Point { at, original: 0, new: None, group: None };
        Shown {
            name: self.statement.name.clone(),
            position: self.position,
            dims: dims.collect(),
            hidden: self.hidden,
            points: points.into_iter().map(point).collect(),
            is_cut,
        }
    }
}

/// Values of the parameters, and the points along a dimension.
fn choose(scop: &ScopText, windows: &[Window<'_>], budget: &mut Budget) -> Result<(BTreeMap<Id, i64>, i64), String> {
    let mut ids: BTreeSet<Id> = scop.context.space().params.iter().cloned().collect();
    ids.extend(windows.iter().flat_map(|w| w.domain.space().params.iter().cloned()));
    let ids: Vec<Id> = ids.into_iter().collect();
    let mut in_part = None;
    for apart in 0..1_u32 << ids.len().min(APART) {
        for value in (1..=EXTENT + 4).rev().chain(LARGE) {
            let of = |(i, id): (usize, &Id)| (id.clone(), if i < APART && apart >> i & 1 == 1 { 1 } else { value });
            let params: BTreeMap<Id, i64> = ids.iter().enumerate().map(of).collect();
            let context = values(&params, &scop.context).unwrap_or_default();
            let context: Vec<poly_arith::Int> = context.into_iter().map(Into::into).collect();
            if !scop.context.as_map().contains(&context, &[]) {
                continue;
            }
            match windows.iter().map(|window| window.fit(&params, budget)).sum::<Option<usize>>() {
                Some(0) => {}
                Some(_) => return Ok((params, EXTENT)),
                None => in_part = in_part.or_else(|| part(windows, params, budget)),
            }
        }
        if in_part.is_some() {
            break;
        }
    }
    in_part.ok_or_else(|| "for small sizes there is nothing to draw".to_owned())
}

/// The largest picture that is not too full; `None` if there are no points.
fn part(windows: &[Window<'_>], params: BTreeMap<Id, i64>, budget: &mut Budget) -> Option<(BTreeMap<Id, i64>, i64)> {
    let counts: Vec<Vec<usize>> = windows.iter().map(|w| w.counts(&params, budget)).collect::<Option<_>>()?;
    let fits = |&size: &usize| windows.iter().zip(&counts).all(|(window, counts)| counts[size] <= window.most());
    let size = (1..=EXTENT as usize).rev().find(fits)?;
    counts.iter().any(|counts| counts[size] > 0).then_some((params, size as i64))
}

#[cfg(test)]
mod tests;
