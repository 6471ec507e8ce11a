//! Tiles in time for bands of stencils, with wavefronts and diamonds for threads.
//!
//! # Method
//! Where several loops of a permutable band move the same subscript
//! ([`poly_transform::is_skewed`]):
//!
//! 1. find out for each member, as the innermost one, into which loops the statements can be parted
//!    and which of them are free of dependences ([`row_groups`]); where none is, the diagonals of
//!    the last two members are ([`wavefront`]);
//! 2. let the model choose rows and sizes ([`time_tiles`]) and compare with the band as it is;
//! 3. for threads, skew the tiles into wavefronts, or make them diamonds that start together,
//!    whichever is predicted to be faster.
//!
//! [`wavefront`] and [`diamond`] decide themselves whether they are legal, with the pairs that
//! reach the band.

use std::collections::BTreeSet;

use poly_arith::Int;
use poly_dependence::Dependence;
use poly_presburger::{Budget, Stop};
use poly_schedule_tree::{Band, LoopType, Mark, Tree};
use poly_transform::{
    BandFacts, BandStatement, Choice, Cost, Machine, Pairs, Parting, RowChoice, RowGroup, Rows, ShapedAccess,
    ShapedStatement, SkewedBand, Subscript, TilingChoice, TimeTiles, diamond, directions, is_skewed, may_part, priced,
    restricted, row_groups, slanted_cost, time_tiles, wavefront, wavefront_lanes,
};

use super::{Lowering, shared};
use crate::config::{Profitability, Tiling};
use crate::cost::{Place, Spent, member_of, row, stride};
use crate::elements::never_meet;
use crate::facts::{StatementFacts, to_f64};
use crate::lanes::{is_float_extremum, is_vector_operation};
use crate::report::{BandReport, TileShape};
use crate::row_spacing;
use crate::{Access, AccessKind, Instr, InstrKind, OperandKind};

/// What tiles in time may cost at most in relation to what there is otherwise.
const GAIN: f64 = 0.9;

/// Most vectors of lanes side by side: chains of more hide no more latency.
const MAX_VECTORS: u32 = 4;

/// How the tiles are executed.
struct Execution {
    /// Tile loops, outermost first.
    tiles: Band,
    /// The same loops as wavefronts of tiles, the tiles of each in parallel.
    wavefronts: Option<Band>,
    shape: TileShape,
    cycles: f64,
}

/// What becomes of a band without tiles in time.
#[derive(Clone, Copy, Default)]
pub(super) struct Otherwise<'a> {
    /// Predicted cycles, of tiles without a look at their slanted sides.
    pub(super) cycles: f64,
    /// Its loops, if they end with rows of vectors.
    pub(super) choice: Option<&'a Choice>,
}

impl Otherwise<'_> {
    /// What tiles in time have to be better than. Tiles that end with the same rows of vectors
    /// differ by their sides only, which the model of tiles in time sees; chains along rows are
    /// predicted by the other one.
    fn limit(&self, found: &TimeTiles, band: &SkewedBand, machine: &Machine) -> f64 {
        let has_same_rows = |choice: &&Choice| !choice.is_interleaved() && choice.order.last() == found.order.last();
        let choice = self.choice.filter(has_same_rows);
        let tiles = choice.and_then(|choice| Some((&choice.order, &choice.tiles.as_ref()?.1)));
        let slanted = tiles.and_then(|(order, sizes)| slanted_cost(order, sizes, band, machine));
        slanted.map_or(0.0, |cost| cost.cycles()).max(GAIN * self.cycles)
    }
}

impl Lowering<'_> {
    /// What the pieces of rows add to the cost of tiles that were chosen without a look at their
    /// sides: where these are slanted, each statement enters and leaves each piece in a place of
    /// its own.
    pub(super) fn with_slanted_sides(&self, choice: Choice, facts: &BandFacts, band: &Band, place: &Place) -> Choice {
        let Some((_, sizes)) = choice.tiles.as_ref().filter(|_| !choice.is_interleaved()) else { return choice };
        let is_slanted = self.shaped_statements(band, place).is_some_and(|statements| is_skewed(&statements));
        let Some(&innermost) = choice.order.last().filter(|_| is_slanted) else { return choice };
        let pieces = |statement: &BandStatement| {
            let trip = statement.members[innermost].trip;
            let length = if sizes[innermost] > 0 { trip.min(sizes[innermost] as f64) } else { trip };
            statement.instances / length.max(1.0)
        };
        let code = self.config.machine.code;
        let entered = facts.statements.iter().map(pieces).sum::<f64>() * (code.row_cycles + code.restart_cycles);
        Choice { cost: Cost { issue: choice.cost.issue + entered, ..choice.cost }, ..choice }
    }

    /// The band with tiles in time, if it has a use for them and that is predicted to take less
    /// time than what there is otherwise.
    pub(super) fn time_tiled(
        &mut self,
        band: &Band,
        place: &Place,
        child: &Tree,
        otherwise: Otherwise<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Tree>, Stop> {
        let tiling = match &self.config.tiling {
            Tiling::Off => return Ok(None),
            Tiling::Model => TilingChoice::Model,
            Tiling::Sizes(sizes) => TilingChoice::Sizes(sizes.clone()),
        };
        if !self.config.time_tiling || self.keeps_order() || !band.permutable || band.n_member() < 2 {
            return Ok(None);
        }
        let threads = self.may_fork(place);
        if threads && band.coincident.contains(&true) {
            // A parallel loop is there already.
            return Ok(None);
        }
        let Some(statements) = self.shaped_statements(band, place) else { return Ok(None) };
        if !is_skewed(&statements) {
            return Ok(None);
        }
        let Some(pairs) = self.pairs_at(place, budget)? else { return Ok(None) };
        let lanes = self.has_lanes(place).then(|| wavefront_lanes(&statements, &self.config.machine)).flatten();
        let (rows, groups) = self.row_choices(band, place, (child, lanes), &pairs, budget)?;
        let skewed = SkewedBand { statements, members: band.n_member(), rows, threads };
        let machine = &self.config.machine;
        let fixed = self.kept_time_tiles(place);
        // Where the candidate has tiles in time, they are what is executed, whatever would be
        // better at these sizes.
        let is_fixed = fixed.is_some();
        let fixed = fixed.and_then(|tiles| priced(tiles, &skewed, machine));
        let best = match fixed {
            Some(fixed) => Some(fixed),
            None => time_tiles(&skewed, &tiling, machine, budget)?,
        };
        let Some(best) = best else { return Ok(None) };
        let Some(execution) = self.execution(band, &skewed, &best, &pairs, threads, budget)? else { return Ok(None) };
        let chosen = is_fixed || matches!(self.config.tiling, Tiling::Sizes(_));
        if !chosen && execution.cycles >= otherwise.limit(&best, &skewed, machine) {
            return Ok(None);
        }
        let rows = &skewed.rows[best.rows];
        if matches!(rows.rows, Rows::Shared | Rows::Distributed) {
            let arrays =
                best.order.last().map_or_else(BTreeSet::new, |&along| self.arrays_with_rows(band, along, place));
            let all = &self.analysis.scop.arrays;
            if !chosen && row_spacing::are_crowded(arrays.iter().map(|&array| &all[array]), machine) {
                return Ok(None);
            }
            self.state.unrolled_and_jammed.extend(arrays);
        }
        self.state.cycles += execution.cycles;
        self.state.memory += best.cost.memory;
        self.state.bands.push(BandReport {
            depth: band.n_member(),
            tile: best.order.iter().map(|&m| best.sizes[m]).filter(|&size| size > 0).collect(),
            reordered: !best.order.is_sorted(),
            parallel: execution.wavefronts.is_some(),
            vector: rows.free.iter().all(|&free| free),
            shape: execution.shape,
            ..BandReport::default()
        });
        let shared = rows.parting.as_ref().map(|parting| parting.shared);
        let tree = build(band, &best, (&groups[best.rows], shared), &execution);
        self.keep_time_tiles(place, best);
        Ok(Some(tree))
    }

    /// The arrays in which statements at a place move along a member of the band, by position: the
    /// others have no rows there.
    fn arrays_with_rows(&self, band: &Band, along: usize, place: &Place) -> BTreeSet<usize> {
        let mut arrays = BTreeSet::new();
        for &statement in &place.active {
            let (rows, steps) = self.rows_and_steps(statement, band, place);
            let Some(step) = steps[rows.len() - band.n_member() + along].as_deref() else { continue };
            let moving = self.facts[statement].accesses.iter().filter(|access| stride(access, step) != 0.0);
            arrays.extend(moving.map(|access| access.array));
        }
        arrays
    }

    /// What the time model needs to know; `None` if an access is not affine.
    pub(super) fn shaped_statements(&self, band: &Band, place: &Place) -> Option<Vec<ShapedStatement>> {
        place.active.iter().map(|&s| self.shaped_statement(s, band, place)).collect()
    }

    fn shaped_statement(&self, statement: usize, band: &Band, place: &Place) -> Option<ShapedStatement> {
        let facts = &self.facts[statement];
        let name = &self.analysis.scop.statements[statement].name;
        let iterators = facts.extents.len();
        let rows: Vec<Vec<f64>> = place
            .outer
            .iter()
            .chain([band])
            .flat_map(|b| (0..b.n_member()).map(move |m| row(b, m, name, iterators)))
            .collect();
        let steps = directions(&rows, iterators);
        let first = rows.len() - band.n_member();
        let steps: Vec<Vec<f64>> =
            steps[first..].iter().map(|step| step.clone().unwrap_or_else(|| vec![0.0; iterators])).collect();
        let constants: Vec<f64> = (0..band.n_member()).map(|member| constant(band, member, name)).collect();
        let accesses: Option<Vec<ShapedAccess>> = facts
            .accesses
            .iter()
            .map(|access| {
                let subscripts = access.subscripts.as_ref()?;
                Some(ShapedAccess {
                    array: access.array,
                    bytes: access.bytes,
                    write: access.write,
                    subscripts: subscripts.iter().map(|s| subscript(s, &steps, &constants, facts)).collect(),
                })
            })
            .collect();
        Some(ShapedStatement {
            accesses: accesses?,
            work: facts.work.clone(),
            instances: facts.instances,
            ranges: rows[first..].iter().map(|row| range(row, facts)).collect(),
            rows: steps.iter().map(|step| row_length(step, facts)).collect(),
        })
    }

    /// Whether statements can be executed as lanes that hand values on: nothing but operations that
    /// have a vector form, on elements that one access writes.
    pub(super) fn has_lanes(&self, place: &Place) -> bool {
        let scop = &self.analysis.scop;
        let statements = || place.active.iter().map(|&s| &scop.statements[s]);
        let is_element = |access: &Access| {
            let array = &scop.arrays[access.array.index()];
            let element = &array.element;
            let is_usual = !element.is_mixed() && matches!(element.bytes, 1 | 2 | 4 | 8);
            access.exact && !array.is_scalar() && is_usual
        };
        let has_vector_form = |instr: &Instr| match &instr.kind {
            InstrKind::Read(_) | InstrKind::Write(_) => true,
            InstrKind::Compute { opcode, .. } => is_vector_operation(opcode) || is_float_extremum(opcode),
            InstrKind::Holds { .. } | InstrKind::Matches { .. } | InstrKind::Any | InstrKind::Choose => true,
            _ => false,
        };
        let is_simple = |instr: &Instr| {
            let known = instr.operands.iter().all(|operand| operand.kind != OperandKind::Synthesized);
            known && instr.predicate.is_none() && has_vector_form(instr)
        };
        let accesses = || statements().flat_map(|s| &s.accesses);
        let writes: Vec<&Access> = accesses().filter(|access| access.kind != AccessKind::Read).collect();
        let is_only = |(index, write): (usize, &&Access)| writes[..index].iter().all(|other| never_meet(other, write));
        self.config.lanes
            && writes.iter().enumerate().all(is_only)
            && statements().all(|s| s.accesses.iter().all(is_element) && s.body.iter().all(is_simple))
    }

    /// The pairs that reach a place; `None` if the bands above are not affine.
    pub(super) fn pairs_at(&self, place: &Place, budget: &mut Budget) -> Result<Option<Pairs>, Stop> {
        self.those_at(place, &self.analysis.dependences.dependences, budget)
    }

    /// The same, with updates of reductions in the order of the source.
    pub(super) fn ordered_pairs_at(&self, place: &Place, budget: &mut Budget) -> Result<Option<Pairs>, Stop> {
        let all = self.analysis.dependences.dependences.iter();
        let ordered: Vec<Dependence> = all.map(|d| Dependence { reduction: false, ..d.clone() }).collect();
        self.those_at(place, &ordered, budget)
    }

    fn those_at(&self, place: &Place, dependences: &[Dependence], budget: &mut Budget) -> Result<Option<Pairs>, Stop> {
        let names: Vec<&str> = place.active.iter().map(|&s| &*self.analysis.scop.statements[s].name).collect();
        let mut pairs = Pairs::of(dependences, &names);
        for outer in &place.outer {
            let Some(equal) = pairs.equal_but(outer, None, budget)? else { return Ok(None) };
            pairs = equal;
        }
        Ok(Some(pairs))
    }

    /// The ways to execute the rows, with the loops of each.
    fn row_choices(
        &self,
        band: &Band,
        place: &Place,
        (child, lanes): (&Tree, Option<u64>),
        pairs: &Pairs,
        budget: &mut Budget,
    ) -> Result<(Vec<RowChoice>, Vec<InRows>), Stop> {
        let mut choices = Vec::new();
        let mut all_groups = Vec::new();
        for member in (0..band.n_member()).rev() {
            let Some(groups) = row_groups(band, member, child, pairs, budget)? else { continue };
            let free = |&s: &usize| {
                let name = &self.analysis.scop.statements[s].name;
                groups.iter().any(|group| group.free && group.contains(name))
            };
            let rows = if groups.len() > 1 { Rows::Distributed } else { Rows::Shared };
            let rows = RowChoice { member, rows, free: place.active.iter().map(free).collect(), parting: None };
            let parting = self.parting(band, place, (member, &groups), pairs, budget)?;
            choices.push(rows.clone());
            all_groups.push(InRows::Groups(groups.clone()));
            if parting.is_some() {
                choices.push(RowChoice { parting, ..rows });
                all_groups.push(InRows::Groups(groups));
            }
        }
        if !choices.iter().any(|choice| choice.free.contains(&true))
            && self.config.wavefront
            && let Some(diagonals) = diagonals(band, child, pairs, budget)?
        {
            let free = vec![true; place.active.len()];
            choices.push(RowChoice { member: band.n_member() - 1, rows: Rows::Wavefront, free, parting: None });
            all_groups.push(InRows::Diagonals(diagonals));
        }
        // Rows along which arrays are contiguous are better where they are free.
        if choices.first().is_none_or(|last| !last.free.iter().all(|&free| free)) {
            for vectors in lanes.iter().flat_map(|_| 1..=MAX_VECTORS) {
                let strip_width = lanes.unwrap_or(1) * u64::from(vectors);
                let Some(strips) = strips(band, child, strip_width, pairs, budget)? else { break };
                let rows = Rows::SimdWavefront { vectors };
                let free = vec![true; place.active.len()];
                choices.push(RowChoice { member: band.n_member() - 1, rows, free, parting: None });
                all_groups.push(InRows::Diagonals(strips));
            }
        }
        Ok((choices, all_groups))
    }

    /// The fewest loops that groups of rows have to share, if those are fewer than all but the
    /// innermost one.
    fn parting(
        &self,
        band: &Band,
        place: &Place,
        (row, groups): (usize, &[RowGroup]),
        pairs: &Pairs,
        budget: &mut Budget,
    ) -> Result<Option<Parting>, Stop> {
        let outer: Vec<usize> = (0..band.n_member()).filter(|&member| member != row).collect();
        let part = |&s: &usize| {
            let name = &self.analysis.scop.statements[s].name;
            groups.iter().position(|group| group.contains(name))
        };
        let Some(parts) = place.active.iter().map(part).collect::<Option<Vec<_>>>() else { return Ok(None) };
        let order: Vec<usize> = outer.iter().copied().chain([row]).collect();
        let ordered = band.permute(&order);
        for shared in 1..outer.len() {
            // Diamonds of bands with a single loop between those over time and rows are too wide
            // for the first cache.
            let is_wide = self.may_fork(place) && outer.len() == 2;
            if groups.len() > 1 && !is_wide && may_part(groups, &ordered.split(shared).0, pairs, budget)? {
                return Ok(Some(Parting { shared, parts }));
            }
        }
        Ok(None)
    }

    /// The cheapest way to execute the tiles; `None` if only threads could make them pay, and
    /// cannot.
    fn execution(
        &self,
        band: &Band,
        skewed: &SkewedBand,
        best: &TimeTiles,
        pairs: &Pairs,
        threads: bool,
        budget: &mut Budget,
    ) -> Result<Option<Execution>, Stop> {
        let cycles = best.cost.cycles();
        let tiled = best.order.iter().take_while(|&&m| best.sizes[m] > 0).count();
        let ordered = band.permute(&best.order);
        let sizes: Vec<u64> = best.order.iter().map(|&m| best.sizes[m].max(1)).collect();
        let sequential =
            Execution { tiles: tile_loops(&ordered, &sizes, tiled), wavefronts: None, shape: TileShape::Box, cycles };
        if !threads || tiled < 2 {
            return Ok(Some(sequential));
        }
        let (outer, inner) = (best.order[0], best.order[1]);
        let forced = self.config.profitability == Profitability::Ignored;
        let wavefronts_of = sequential.tiles.clone();
        let mut fastest = sequential;
        let mut consider = |execution: Execution| {
            if execution.cycles < fastest.cycles || (forced && fastest.wavefronts.is_none()) {
                fastest = execution;
            }
        };
        if self.config.wavefront
            && let Ok(skewed_tiles) = wavefront(&wavefronts_of, pairs, budget)?
        {
            let wavefronts = range_of(skewed, outer) / sizes[0] as f64 + range_of(skewed, inner) / sizes[1] as f64;
            consider(Execution {
                tiles: wavefronts_of,
                wavefronts: Some(skewed_tiles),
                shape: TileShape::Wavefront,
                cycles: self.in_wavefronts(Spent::of(best.cost), wavefronts, tile_count(skewed, best)),
            });
        }
        if self.config.diamond
            && let Ok(band) = diamond(&ordered, pairs, budget)?
        {
            // Tiles between two hyperplanes of equal distance are half as deep as they are wide.
            let size = sizes[1].max(2 * sizes[0]);
            let sizes: Vec<u64> = [size, size].into_iter().chain(sizes[2..].iter().copied()).collect();
            let wavefronts = 2.0 * range_of(skewed, outer) / size as f64 + 1.0;
            let tiles = tile_loops(&band, &sizes, tiled);
            if let Ok(skewed_tiles) = wavefront(&tiles, pairs, budget)? {
                consider(Execution {
                    tiles,
                    wavefronts: Some(skewed_tiles),
                    shape: TileShape::Diamond,
                    cycles: self.in_wavefronts(Spent::of(best.cost), wavefronts, tile_count(skewed, best)),
                });
            }
        }
        Ok(Some(fastest))
    }

    /// Cycles when threads share the tiles of one wavefront after the other.
    fn in_wavefronts(&self, spent: Spent, wavefronts: f64, tiles: f64) -> f64 {
        let threads = self.threads().unwrap_or(1.0);
        let width = (tiles / wavefronts).max(1.0);
        self.among(spent, threads.min(width))
            + wavefronts * self.config.machine.threads.fork_cycles
            + self.config.machine.threads.start_cycles
    }
}

/// The tile loops of a band, without those of its untiled rows.
fn tile_loops(band: &Band, sizes: &[u64], tiled: usize) -> Band {
    let sizes: Vec<Int> = sizes.iter().map(|&s| Int::from(s)).collect();
    band.tile(&sizes).0.split(tiled).0.with_loop_type(LoopType::Atomic)
}

/// Number of tiles in the first two loops of the order.
fn tile_count(skewed: &SkewedBand, best: &TimeTiles) -> f64 {
    let of = |member: usize| {
        let rows = skewed.statements.iter().map(|s| s.rows[member]).fold(1.0, f64::max);
        rows / best.sizes[member].max(1) as f64 + 1.0
    };
    of(best.order[0]) * of(best.order[1])
}

fn range_of(skewed: &SkewedBand, member: usize) -> f64 {
    skewed.statements.iter().map(|s| s.ranges[member]).fold(1.0, f64::max)
}

/// The constant of a member for a statement.
fn constant(band: &Band, member: usize, statement: &str) -> f64 {
    let piece = member_of(band, member, statement).and_then(|f| f.pieces().first());
    piece.map_or(0.0, |(_, aff)| to_f64(&aff.constant_term()))
}

/// A subscript (slopes along the iterators, and constant) as function of the members.
fn subscript(
    (slopes, value): &(Vec<f64>, f64),
    steps: &[Vec<f64>],
    constants: &[f64],
    facts: &StatementFacts,
) -> Subscript {
    let along = |step: &Vec<f64>| slopes.iter().zip(step).map(|(slope, d)| slope * d).sum::<f64>();
    let along: Vec<f64> = steps.iter().map(along).collect();
    let offset = value - along.iter().zip(constants).map(|(slope, constant)| slope * constant).sum::<f64>();
    Subscript { slopes: along, offsets: (offset, offset), range: range(slopes, facts) }
}

/// Number of values of a linear function of the iterators, as if they were independent of each
/// other.
fn range(row: &[f64], facts: &StatementFacts) -> f64 {
    1.0 + row.iter().zip(&facts.extents).map(|(h, extent)| h.abs() * (extent - 1.0)).sum::<f64>()
}

/// Number of steps that fit into the iteration space.
fn row_length(step: &[f64], facts: &StatementFacts) -> f64 {
    let along = step.iter().zip(&facts.extents).filter(|(d, _)| **d != 0.0);
    let shortest = along.map(|(d, extent)| extent / d.abs()).fold(f64::INFINITY, f64::min);
    if shortest.is_finite() { shortest.max(1.0) } else { 1.0 }
}

/// The loops over the points of a band from its rows inwards.
enum InRows {
    /// One innermost loop for each group.
    Groups(Vec<RowGroup>),
    /// Diagonals of the last two members.
    Diagonals(Tree),
}

/// Tile loops, point loops and rows.
fn build(band: &Band, best: &TimeTiles, (rows, shared): (&InRows, Option<usize>), execution: &Execution) -> Tree {
    let points = band.permute(&best.order).with_loop_type(LoopType::Default);
    let body = match rows {
        InRows::Diagonals(diagonals) => {
            let (outer, _) = points.split(points.n_member() - 2);
            if outer.n_member() == 0 { diagonals.clone() } else { Tree::band(outer, diagonals.clone()) }
        }
        InRows::Groups(groups) => match shared {
            Some(shared) => in_parts(&points, shared, groups),
            None => in_rows(&points, groups),
        },
    };
    match &execution.wavefronts {
        _ if execution.tiles.n_member() == 0 => body,
        None => Tree::band(execution.tiles.clone(), body),
        Some(wavefronts) => in_wavefronts(&execution.tiles, wavefronts, body, 0.0),
    }
}

/// Tiles in wavefronts: with `x`, `y` the first two tile loops, the loops `x + y`, `y` in parallel,
/// `x`, and the others. The value of `x` follows from the first two; it is there for the sake of
/// simple bounds of the points. The work of the tiles of a wavefront has a tilt.
pub(crate) fn in_wavefronts(tiles: &Band, wavefronts: &Band, body: Tree, tilt: f64) -> Tree {
    let (wavefronts, inner) = wavefronts.split(1);
    let (parallel, rest) = inner.split(1);
    let body = if rest.n_member() == 0 { body } else { Tree::band(rest, body) };
    let body = Tree::band(tiles.split(1).0, body);
    Tree::band(wavefronts, shared(Tree::band(parallel, body), tilt))
}

/// The last two members of a band as a wavefront, if that is legal. `pairs` are those that reach
/// the band.
fn diagonals(band: &Band, child: &Tree, pairs: &Pairs, budget: &mut Budget) -> Result<Option<Tree>, Stop> {
    let (outer, last) = band.split(band.n_member() - 2);
    let Some(pairs) = pairs.equal_but(&outer, None, budget)? else { return Ok(None) };
    let Ok(skewed) = wavefront(&last.with_loop_type(LoopType::Default), &pairs, budget)? else { return Ok(None) };
    let (wavefronts, inner) = skewed.split(1);
    Ok(Some(Tree::band(wavefronts, Tree::mark(Mark::Vector, Tree::band(inner, child.clone())))))
}

/// The last two members of a band as a wavefront in strips of so many values of the last but one,
/// if that is legal. `pairs` are those that reach the band.
///
/// In a strip, steps go along the last member, each of its diagonals has at most one point for each
/// value of the other one: its lane. Strips are tiles of a band whose pairs have no negative
/// distance.
pub(super) fn strips(
    band: &Band,
    child: &Tree,
    strip_width: u64,
    pairs: &Pairs,
    budget: &mut Budget,
) -> Result<Option<Tree>, Stop> {
    let (outer, last) = band.split(band.n_member() - 2);
    let Some(pairs) = pairs.equal_but(&outer, None, budget)? else { return Ok(None) };
    let last = last.with_loop_type(LoopType::Default);
    let Ok(skewed) = wavefront(&last.permute(&[1, 0]), &pairs, budget)? else { return Ok(None) };
    let (steps, diagonal) = skewed.split(1);
    let strips = last.tile(&[Int::from(strip_width), Int::ONE]).0.split(1).0;
    let lanes = Tree::mark(Mark::Vector, Tree::band(diagonal, child.clone()));
    Ok(Some(Tree::band(strips, Tree::mark(Mark::SimdWavefront, Tree::band(steps, lanes)))))
}

/// The points with all but the shared loops for each group alone.
fn in_parts(points: &Band, shared: usize, groups: &[RowGroup]) -> Tree {
    let (shared, own) = points.split(shared);
    let part = |group: &RowGroup| {
        (group.filter.clone(), in_rows(&restricted(&own, &group.filter), std::slice::from_ref(group)))
    };
    Tree::band(shared, Tree::sequence(groups.iter().map(part)))
}

/// The points with one innermost loop for each group.
fn in_rows(points: &Band, groups: &[RowGroup]) -> Tree {
    let (outer, row) = points.split(points.n_member() - 1);
    let loops = |group: &RowGroup| {
        let mut row = restricted(&row, &group.filter);
        row.coincident = vec![group.free];
        let tree = Tree::band(row, group.body.clone());
        if group.free { Tree::mark(Mark::Vector, tree) } else { tree }
    };
    let body = match groups {
        [group] => loops(group),
        _ => Tree::sequence(groups.iter().map(|group| (group.filter.clone(), loops(group)))),
    };
    if outer.n_member() == 0 { body } else { Tree::band(outer, body) }
}
