//! Outer bands in blocks of one of their loops.
//!
//! # Problem
//! Below a permutable band of several loops stands a sequence of nests: factorizations that work on all columns to the right of the one that is finished, for example. Every iteration
//! of the outer loop goes over all data, which no near cache holds.
//!
//! # Method
//! One member `x` of the band is divided in blocks of `T` iterations. The loop over blocks comes first, then the other members as they are, then the sequence, and in its
//! nests the iterations of `x` within the block ([`super::sink`] moves them there): what belongs to a block of columns stays in a cache while the other members run, and `x` can be the innermost
//! loop of each nest.
//!
//! A constant is added to `x` first, so that blocks begin with the first element of a line in most accesses: an order is the same with every constant. If all distances stay non-negative, statements
//! get constants of their own, such that a block of `x` is the same block of elements in all of them.
//!
//! # Legality
//! No distance along the members of a permutable band is negative, so none is along `floor(x / T)` and the other members; what is inside of these is legal by the
//! conditions of [`super::sink`], which are those for equal values of the other members and all values of `x`.
//!
//! # Choice
//! Of a few sizes the one with the least predicted cycles, if that is clearly less than without blocks. Bands with little data are not looked at. No loop inside is shared by
//! threads: each start would tear the data of the block apart, but blocks may be taken in turn ([`super::turns`]), and blocks of two
//! loops in waves ([`super::block_waves`]). What a block touches may be copied to where it lies side by side ([`super::windows`]).

use std::collections::{BTreeMap, BTreeSet};

use poly_arith::Int;
use poly_presburger::{BasicMap, Budget, DimKind, Div, Map, PwAff, Stop, Tuple, UnionPwAff};
use poly_schedule_tree::{Band, LoopType, Tree};
use poly_transform::{LoopFacts, agree, value_map};

use super::block_waves::InBlocks;
use super::turns::Stages;
use super::windows::Block;
use super::{Lowering, Place, State, member_of, row};
use crate::config::{Blocks, Profitability, Tiling};
use crate::facts::{AccessFacts, to_f64};
use crate::register;
use crate::report::{BandReport, TileShape};

/// Sizes that are tried, one after the other: a later one must be clearly better than those before.
const SIZES: [u64; 3] = [64, 128, 32];

/// Data are large if they are so many times what the second cache holds.
const LARGE: f64 = 2.0;

/// Blocks must be predicted to need at most this part of the time. (That blocks are cut by diagonals is not seen.)
const GAIN: f64 = 0.8;

/// Blocks that threads take in turn must be predicted to need at most this part of the time of one thread.
const TURNS_GAIN: f64 = 0.9;

impl Lowering<'_> {
    /// The outer band in blocks, if that is legal and predicted to be clearly faster than `best`, which is what the state stands for; `before` is the state before.
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
        // The best one that is not in waves.
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
                // What is to be in blocks in any case need not be in waves.
                let gain = if plain.as_ref().is_some_and(|block| block.stages.is_some()) { GAIN } else { gain };
                let known = self.state.clone();
                match self.blocks_in_waves(&blocks, place, before, budget)? {
                    Some(waves) if self.state.cycles - before.cycles < gain * limit => (best, plain) = (waves, None),
                    _ => self.state = known,
                }
            }
        }
        let Some(block) = plain else { return Ok(best) };
        self.with_windows(&block, place, budget)
    }

    /// Blocks one after the other, in the stages that are given if threads that take them in turn are predicted to be faster than one thread; `before` is the state before, the state is that
    /// with these blocks then.
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
        let shape = if stages.is_some() { TileShape::Turns } else { TileShape::Box };
        let (tile, parallel) = (vec![blocks.size], stages.is_some());
        self.state.bands.push(BandReport { depth: 1, tile, parallel, shape, ..BandReport::default() });
        let tree = self.outer_band_as_is(blocks.below, blocks.above, &inside, budget)?;
        let spent = self.state.spent() - before.spent();
        if let Some(stages) = &stages {
            let count = self.count_of_blocks(blocks, blocks.band.n_member() - 1, place);
            let cycles = self.in_turn(spent, count, stages, place);
            if cycles > TURNS_GAIN * spent.cycles && self.config.profitability == Profitability::Required {
                return self.one_after_the_other(blocks, (tiles, None), place, before, budget);
            }
            self.state.cycles = before.cycles + cycles;
        }
        let stages = stages.map(|stages| stages.band);
        Ok(Block { tiles, above: blocks.above.clone(), tree, stages, cycles: spent.cycles })
    }

    /// The band with constants added to its last member, so that blocks begin where lines do in most accesses, if arrays begin where lines do: for each statement one of its own if that is legal,
    /// so that all of them mean the same elements with the same block.
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
            let apart = shifted(&|name| own.get(name).copied().unwrap_or(other));
            if pairs.goes_back_in(&apart, budget)?.is_none() {
                return Ok(apart);
            }
        }
        Ok(uniform)
    }

    /// How far the last subscripts of a statement's accesses are from the last member of a band, where they grow with it, each with the number of accesses.
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

    /// The data of the statements are not much more than what the second cache holds, also where it is larger than the model says. Temporaries do not count, which the
    /// original does not have.
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

/// The division `floor(x / T)` that a function consists of, which may be written as `-floor((T - 1 - x) / T)`.
pub(super) fn quotient(function: &PwAff) -> Option<Div> {
    let [(_, aff)] = function.pieces() else { return None };
    let [div] = aff.divs() else { return None };
    let (last, before) = aff.row().split_last()?;
    if !aff.denom().is_one() || !before.iter().all(Int::is_zero) {
        return None;
    }
    if *last == Int::NEG_ONE {
        let mut num: Vec<Int> = div.num.iter().map(|x| -x).collect();
        num[0] += &(&div.denom - &Int::ONE);
        return Some(Div { num, denom: div.denom.clone() });
    }
    last.is_one().then(|| div.clone())
}

/// A function `floor(x / T)` as a relation between instances and its values, without integer divisions.
pub(crate) fn quotient_map(function: &PwAff) -> Option<Map> {
    let div = quotient(function)?;
    let (domain, _) = function.pieces().first()?;
    let map = value_map(function);
    let mut basic = BasicMap::universe(map.space().clone());
    let value = basic.offset(DimKind::Out);
    let mut least: Vec<Int> = div.num[..value].to_vec();
    least.push(-&div.denom);
    let mut most: Vec<Int> = least.iter().map(|x| -x).collect();
    most[0] += &(&div.denom - &Int::ONE);
    basic.add_ineq(least);
    basic.add_ineq(most);
    Some(Map::from_basic(basic).intersect_domain(domain))
}

/// Whether a function is a sum of the numbers of blocks.
fn is_sum_of_quotients(function: &PwAff) -> bool {
    let [(_, aff)] = function.pieces() else { return false };
    let beyond = aff.row().len() - aff.divs().len();
    !aff.divs().is_empty() && aff.denom().is_one() && aff.row()[..beyond].iter().all(Int::is_zero)
}

/// For the number of a wave of blocks, the relation between instances and all numbers: which one an instance has follows from the blocks that it is in, which are loops of their own.
pub(crate) fn any_wave(function: &PwAff) -> Option<Map> {
    let [(domain, _)] = function.pieces() else { return None };
    is_sum_of_quotients(function).then(|| Map::universe(value_map(function).space().clone()).intersect_domain(domain))
}

/// The loops of bands, outermost first, without those over blocks and their waves: which block an iteration is in follows from loops further inside. What holds without knowing it, holds all the
/// more within one block.
pub(super) fn points_of(bands: &[Band]) -> impl Iterator<Item = &UnionPwAff> {
    super::members_of(bands).filter(|function| !function.iter().all(is_sum_of_quotients))
}

/// Loops over blocks have as many iterations as the loop over their points, with the values of those around it given, has blocks, and that one as many as a block. What is returned is the part of all
/// iterations that a block has: so many of them are near a bound that cuts the loop over points.
pub(super) fn divide(loops: &mut [LoopFacts], rows: &[Vec<f64>], functions: &[Option<&PwAff>]) -> f64 {
    let mut part = 1.0;
    for (at, function) in functions.iter().enumerate() {
        let Some((function, div)) = function.and_then(|f| Some((f, quotient(f)?))) else { continue };
        let first = 1 + function.domain_space().params.len();
        let row: Vec<f64> = (0..rows[at].len()).map(|i| int_to_f64(&div.num[first + i])).collect();
        let Some(points) = (at + 1..loops.len()).find(|&inner| agree(&rows[inner], &row, &rows[..inner])) else {
            continue;
        };
        let size = int_to_f64(&div.denom).min(loops[points].trip);
        let strides = loops[points].strides.iter().map(|stride| stride * size).collect();
        loops[at] = LoopFacts { trip: (loops[points].trip / size).max(1.0), strides };
        part *= size / loops[points].trip;
        loops[points].trip = size;
    }
    part
}

fn int_to_f64(value: &Int) -> f64 {
    to_f64(&value.clone().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use poly_presburger::MultiUnionPwAff;

    /// The function of the only member of a schedule.
    fn function(text: &str) -> PwAff {
        let schedule: MultiUnionPwAff = text.parse().expect("the schedule can be read");
        schedule.get(0).iter().next().expect("there is a statement").clone()
    }

    #[test]
    fn quotients_are_relations_without_divisions() {
        let budget = &mut Budget::unlimited();
        for (text, size) in [
            ("[n] -> [{ S[i, j] -> [(i + j + 1)] }]", 4),
            ("[{ S[i] -> [(3i)] }]", 7),
            ("[n] -> [{ S[i] -> [(n + 2i)] }]", 5),
        ] {
            let function = function(text).floor_div(Int::from(size));
            let map = quotient_map(&function).expect("it is a quotient");
            assert!(map.is_equal(&value_map(&function), budget).unwrap(), "{text}: {map}");
            assert!(map.basics().iter().all(|basic| basic.divs().is_empty()));
        }
        // Kept as `-floor((62 - j + i) / 63)`.
        let backwards = function("[{ S[i, j] -> [(j - i)] }]").floor_div(Int::from(63));
        let map = quotient_map(&backwards).expect("it is a quotient");
        assert!(map.is_equal(&value_map(&backwards), budget).unwrap() && map.basics()[0].divs().is_empty());
        let point = function("[{ S[i] -> [(i)] }]");
        assert!(!is_sum_of_quotients(&point) && any_wave(&point).is_none());
        let other = function("[{ S[i] -> [(2i)] }]").floor_div(Int::from(5));
        let wave = point.floor_div(Int::from(7)).add(&other);
        assert!(quotient(&wave).is_none() && is_sum_of_quotients(&wave));
        assert_eq!(any_wave(&wave).expect("it is a sum of quotients").to_string(), "{ S[i] -> [o0] }");
        assert!(!is_sum_of_quotients(&wave.add(&point)));
        assert!(quotient_map(&point).is_none());
        assert!(quotient_map(&point.floor_div(Int::from(7)).scale(Int::from(2))).is_none());
    }

    #[test]
    fn a_loop_over_blocks_shares_the_iterations_with_the_one_over_points() {
        let loops = |trip: f64, stride: f64| LoopFacts { trip, strides: vec![stride] };
        let mut all = [loops(1.0, 0.0), loops(1000.0, 0.0), loops(1280.0, 8.0)];
        let rows = [vec![0.0, 0.0], vec![1.0, 0.0], vec![1.0, 1.0]];
        let blocks = function("[{ S[i, j] -> [(i + j)] }]").floor_div(Int::from(64));
        let part = divide(&mut all, &rows, &[Some(&blocks), None, None]);
        assert_eq!(all, [loops(20.0, 512.0), loops(1000.0, 0.0), loops(64.0, 8.0)]);
        assert_eq!(part, 0.05);
        // Another function's blocks.
        let blocks = function("[{ S[i, j] -> [(i - j)] }]").floor_div(Int::from(64));
        assert_eq!(divide(&mut all, &rows, &[Some(&blocks), None, None]), 1.0);
    }
}
