//! Outer bands in blocks of one of their loops.
//!
//! # Problem
//! Below a permutable band of several loops stands a sequence of nests: factorizations that work on
//! all columns to the right of the one that is finished, for example. Every iteration of the outer
//! loop goes over all data, which no near cache holds.
//!
//! # Method
//! One member `x` of the band is divided in blocks of `T` iterations. The loop over blocks comes
//! first, then the other members as they are, then the sequence, and in its nests the iterations of
//! `x` within the block ([`super::sink`] moves them there): what belongs to a block of columns
//! stays in a cache while the other members run, and `x` can be the innermost loop of each nest.
//!
//! A constant is added to `x` first, so that blocks begin with the first element of a line in most
//! accesses: an order is the same with every constant. If all distances stay non-negative,
//! statements get constants of their own, such that a block of `x` is the same block of elements in
//! all of them.
//!
//! # Legality
//! No distance along the members of a permutable band is negative, so none is along `floor(x / T)`
//! and the other members; what is inside of these is legal by the conditions of [`super::sink`],
//! which are those for equal values of the other members and all values of `x`.
//!
//! # Choice
//! Of a few sizes the one with the least predicted cycles, if that is clearly less than without
//! blocks. Bands with little data are not looked at. No loop inside is shared by threads: each
//! start would tear the data of the block apart, but blocks may be a DOACROSS loop
//! ([`super::doacross`]), and blocks of two loops in wavefronts ([`super::block_wavefronts`]). What
//! a block touches may be copied to where it lies side by side ([`super::packing`]).

use std::collections::{BTreeMap, BTreeSet};

use poly_arith::Int;
use poly_presburger::{Budget, DimKind, PwAff, Stop, Tuple};
use poly_schedule_tree::{Band, LoopType, Tree};

use super::block_wavefronts::InBlocks;
use super::doacross::Stages;
use super::packing::Block;
use super::{Lowering, State};
use crate::config::{Blocks, Profitability, Tiling};
use crate::cost::{Place, member_of, row};
use crate::facts::{AccessFacts, to_f64};
use crate::register;
use crate::report::{BandReport, TileShape};

/// Sizes that are tried, one after the other: a later one must be clearly better than those before.
const SIZES: [u64; 3] = [64, 128, 32];

/// Data are large if they are so many times what the second cache holds.
const LARGE: f64 = 2.0;

/// Blocks must be predicted to need at most this part of the time. (That blocks are cut by
/// diagonals is not seen.)
const GAIN: f64 = 0.8;

/// A DOACROSS loop over blocks must be predicted to need at most this part of the time of one
/// thread.
const DOACROSS_GAIN: f64 = 0.9;

impl Lowering<'_> {
    /// The outer band in blocks, if that is legal and predicted to be clearly faster than `best`,
    /// which is what the state stands for; `before` is the state before.
    pub(super) fn in_blocks(
        &mut self,
        (node, band): (&Tree, &Band),
        place: &Place,
        before: &State,
        mut best: Tree,
        budget: &mut Budget,
    ) -> Result<Tree, Stop> {
        let (sizes, gain) = match (&self.config.tiling, self.config.blocks) {
            (Tiling::Off, _) | (_, Blocks::Off) => return Ok(best),
            (_, Blocks::Size(size)) => (vec![size], f64::INFINITY),
            (_, Blocks::Model) => (SIZES.to_vec(), GAIN),
        };
        let shares_loops = self.may_fork(place) && band.coincident.contains(&true);
        let is_parametric = self.config.parametric_tiles;
        if band.n_member() < 2 || shares_loops || is_parametric || (gain.is_finite() && self.is_small(place)) {
            return Ok(best);
        }
        let last = band.n_member() - 1;
        // The best one that is not in wavefronts.
        let mut plain: Option<Block> = None;
        for member in (0..=last).rev() {
            let order: Vec<usize> = (0..=last).filter(|&m| m != member).chain([member]).collect();
            let band = self.aligned(&band.permute(&order), place, budget)?;
            let Some((above, below)) = self.sunk(node, &band, 1, place, budget)? else { continue };
            let below = Tree::band(above.clone(), below);
            for &size in &sizes {
                let tiles = register::select(&band, &[last]).tile(&[Int::from(size)]).0;
                let tiles = tiles.with_loop_type(LoopType::Atomic);
                let blocks = InBlocks { band: &band, above: &above, below: &below, size };
                let known = self.state.clone();
                let stages = self.stages(&blocks, &tiles, place, budget)?;
                let block = self.one_after_the_other(&blocks, (tiles, stages), place, before, budget)?;
                let mut limit = known.cycles - before.cycles;
                if self.state.cycles - before.cycles < gain * limit {
                    limit = self.state.cycles - before.cycles;
                    plain = Some(block);
                } else {
                    self.state = known;
                }
                // What is to be in blocks in any case need not be in wavefronts.
                let gain = if plain.as_ref().is_some_and(|block| block.stages.is_some()) { GAIN } else { gain };
                let known = self.state.clone();
                match self.blocks_in_wavefronts(&blocks, place, before, budget)? {
                    Some(wavefronts) if self.state.cycles - before.cycles < gain * limit => {
                        (best, plain) = (wavefronts, None)
                    }
                    _ => self.state = known,
                }
            }
        }
        let Some(block) = plain else { return Ok(best) };
        self.with_packing(&block, place, budget)
    }

    /// Blocks one after the other, in the stages that are given if they are predicted as a DOACROSS
    /// loop to be faster than one thread; `before` is the state before, the state is that with
    /// these blocks then.
    fn one_after_the_other(
        &mut self,
        blocks: &InBlocks<'_>,
        (tiles, stages): (Band, Option<Stages>),
        place: &Place,
        before: &State,
        budget: &mut Budget,
    ) -> Result<Block, Stop> {
        let mut inside = place.clone();
        inside.outer.push(tiles.clone());
        inside.outer.extend(stages.as_ref().map(|stages| stages.band.clone()));
        // What is in the near cache of one thread is not in those of others.
        inside.parallel = true;
        self.state = before.clone();
        let shape = if stages.is_some() { TileShape::Doacross } else { TileShape::Box };
        let (tile, parallel) = (vec![blocks.size], stages.is_some());
        self.state.bands.push(BandReport { depth: 1, tile, parallel, shape, ..BandReport::default() });
        let tree = self.outer_band_as_is(blocks.below, blocks.above, &inside, budget)?;
        let spent = self.state.spent() - before.spent();
        if let Some(stages) = &stages {
            let count = self.count_of_blocks(blocks, blocks.band.n_member() - 1, place);
            let cycles = self.doacross_cycles(spent, count, stages, place);
            if cycles > DOACROSS_GAIN * spent.cycles && self.config.profitability == Profitability::Required {
                return self.one_after_the_other(blocks, (tiles, None), place, before, budget);
            }
            self.state.cycles = before.cycles + cycles;
        }
        let stages = stages.map(|stages| stages.band);
        Ok(Block { tiles, above: blocks.above.clone(), tree, stages, cycles: spent.cycles })
    }

    /// The band with constants added to its last member, so that blocks begin where lines do in
    /// most accesses, if arrays begin where lines do: for each statement one of its own if that is
    /// legal, so that all of them mean the same elements with the same block.
    fn aligned(&self, band: &Band, place: &Place, budget: &mut Budget) -> Result<Band, Stop> {
        let last = band.n_member() - 1;
        // Elements of a line at most.
        let line = self.config.machine.memory.line_bytes as i64;
        let mut distances: BTreeMap<i64, f64> = BTreeMap::new();
        let mut own: BTreeMap<&str, i64> = BTreeMap::new();
        for &s in &place.active {
            let name: &str = &self.analysis.scop.statements[s].name;
            let of_statement = self.distances_from_subscripts(band, s);
            for (&distance, &count) in &of_statement {
                *distances.entry(distance.rem_euclid(line)).or_insert(0.0) += count * self.facts[s].instances;
            }
            own.extend(most_frequent(&of_statement).map(|distance| (name, distance)));
        }
        let all = most_frequent(&distances).unwrap_or(0);
        let shifted = |distance_of: &dyn Fn(&str) -> i64| {
            let members = band.schedule.map_members(|member, f| match member == last {
                true => f.map_members(|f| {
                    let name = f.domain_space().tuple(DimKind::Out).and_then(Tuple::name_str).unwrap_or_default();
                    f.add_constant(distance_of(name))
                }),
                false => f.clone(),
            });
            Band { schedule: members, ..band.clone() }
        };
        let uniform = shifted(&|_| all);
        if own.values().all(|&distance| distance.rem_euclid(line) == all) || !band.permutable {
            return Ok(uniform);
        }
        let Some(pairs) = self.pairs_at(place, budget)? else { return Ok(uniform) };
        // Statements without such accesses go with others.
        let others: BTreeSet<i64> = own.values().copied().collect();
        for other in others {
            let own_shifts = shifted(&|name| own.get(name).copied().unwrap_or(other));
            if pairs.goes_back_in(&own_shifts, budget)?.is_none() {
                return Ok(own_shifts);
            }
        }
        Ok(uniform)
    }

    /// How far the last subscripts of a statement's accesses are from the last member of a band,
    /// where they grow with it, each with the number of accesses.
    fn distances_from_subscripts(&self, band: &Band, statement: usize) -> BTreeMap<i64, f64> {
        let last = band.n_member() - 1;
        let (name, facts) = (&self.analysis.scop.statements[statement].name, &self.facts[statement]);
        let mut distances: BTreeMap<i64, f64> = BTreeMap::new();
        let Some([(_, aff)]) = member_of(band, last, name).map(PwAff::pieces) else { return distances };
        let row = row(band, last, name, facts.extents.len());
        for (slopes, first) in facts.accesses.iter().filter_map(|a| a.subscripts.as_ref()?.last()) {
            if *slopes == row && row.iter().any(|&slope| slope != 0.0) {
                let distance = (first - to_f64(&aff.constant_term())) as i64;
                *distances.entry(distance).or_insert(0.0) += 1.0;
            }
        }
        distances
    }

    /// Number of blocks of a member, over all statements.
    pub(super) fn count_of_blocks(&self, blocks: &InBlocks<'_>, member: usize, place: &Place) -> f64 {
        (self.range_of_member(blocks.band, member, place) / blocks.size as f64).ceil().max(1.0)
    }

    /// The data of the statements are not much more than what the second cache holds, also where it
    /// is larger than the model says. Temporaries do not count, which the original does not have.
    fn is_small(&self, place: &Place) -> bool {
        let second = self.config.machine.second().counted_bytes() as f64;
        let mut arrays: BTreeMap<usize, f64> = BTreeMap::new();
        for access in place.active.iter().flat_map(|&s| self.facts[s].accesses.iter().map(move |a| (s, a))) {
            if self.analysis.scop.arrays[access.1.array].is_temporary() {
                continue;
            }
            let bytes = self.box_of(access);
            let known = arrays.entry(access.1.array).or_insert(0.0);
            *known = known.max(bytes);
        }
        arrays.values().sum::<f64>() < LARGE * second
    }

    /// Bytes of the box of elements around those that an access touches.
    fn box_of(&self, (statement, access): (usize, &AccessFacts)) -> f64 {
        let Some(subscripts) = &access.subscripts else { return f64::INFINITY };
        let array = &self.analysis.scop.arrays[access.array];
        let extents = &self.facts[statement].extents;
        let spans = subscripts.iter().enumerate().map(|(dimension, (slopes, _))| {
            let span =
                slopes.iter().zip(extents).map(|(slope, extent)| slope.abs() * (extent - 1.0)).sum::<f64>() + 1.0;
            let inner = dimension.checked_sub(1 + array.row_subscripts()).and_then(|inner| array.extents.get(inner));
            inner.map_or(span, |extent| span.min(to_f64(&extent.eval(&self.estimates, &[]))))
        });
        access.bytes * spans.product::<f64>()
    }
}

/// The key with the largest value; of equal ones the first.
fn most_frequent(counts: &BTreeMap<i64, f64>) -> Option<i64> {
    let most = counts.values().copied().fold(0.0, f64::max);
    counts.iter().find(|(_, count)| **count == most).map(|(key, _)| *key)
}
