//! Tiles of two loops around another order of the loops.
//!
//! # Problem
//! In dynamic programming over intervals (`t[i][j] = max(t[i][j], t[i][k] + t[k + 1][j])`), rows
//! and columns are a permutable band of which no loop is free of dependences. With that band
//! outside, nothing but the chain over `k` is left inside, which goes along a column. The order
//! that is good inside has the rows alone outside: once an element of a row is finished, it is
//! added to all that are behind it. In that order, every row goes over all data, and the only loops
//! that are free of dependences are short and inside of everything else.
//!
//! # Method
//! Let `s` be the loops of the good order, `(x, y)` two members of the outermost band of the other
//! schedule.
//!
//! 1. While accesses move along fewer loops then, `x - y` takes the place of `x`, or `y - x` that
//!    of `y`: the tiles are boxes of the arrays, and diagonals of tiles are as long as possible.
//! 2. Tiles `(floor(x / T), floor(y / U))` come first: for threads, those with the same sum side by
//!    side, in wavefronts ([`super::block_wavefronts`]), for one thread one after the other.
//! 3. In each tile come the instances that depend on nothing in it, with loops of their own
//!    ([`super::products`]), then the loops `s` as they are. The sizes `T` and `U` are rounded to
//!    multiples of the register tiles of the former.
//!
//! # Legality
//! [`wavefront`] proves for all pairs that reach the place, those of reductions too, that none has
//! a negative distance in the number of a tile. So tiles of a wavefront do not depend on each
//! other, and all that a tile depends on is in earlier wavefronts or in itself. Within a tile, the
//! order is `s`, which is legal everywhere, but for the instances that come first.
//!
//! # Choice
//! Of a few sizes the one with the least predicted cycles, if that is clearly less than without
//! tiles. Where no instances come first, tiles are for threads only.

use poly_arith::Int;
use poly_presburger::{Budget, Map, Stop};
use poly_schedule_tree::{Band, LoopType, NodeKind, ScheduleTree, Tree};
use poly_transform::{BandFacts, Pairs, value_map, wavefront};

use super::products::Tiled;
use super::{Lowering, State, in_wavefronts};
use crate::config::{Blocks, Profitability, Tiling};
use crate::cost::{Place, Spent, member_of, row};
use crate::facts::{at, points};
use crate::register;
use crate::report::{BandReport, TileShape};

/// About the sizes that are tried.
const SIZES: [u64; 2] = [64, 32];

/// Tiles must be predicted to need at most this part of the time of the order without.
const GAIN: f64 = 0.9;

/// Tiles are looked for with one of so many shares of the budget.
const BUDGET_SHARE: u64 = 2;

/// How many tiles there are, and in how many wavefronts; estimates.
struct Count {
    tiles: f64,
    wavefronts: f64,
}

/// The loops that are to be in tiles.
#[derive(Clone, Copy)]
struct Inner<'a> {
    /// They, below their outermost band.
    node: &'a Tree,
    band: &'a Band,
    place: &'a Place,
    /// The pairs that reach them.
    pairs: &'a Pairs,
    /// The state before.
    before: &'a State,
}

/// Loops in tiles.
struct InTiles {
    tree: Tree,
    state: State,
    /// The multiples of which the sizes of tiles should be.
    steps: [u64; 2],
}

impl Lowering<'_> {
    /// The loops `node` in tiles of the first and the last member of a band of the other schedule,
    /// if that is legal and predicted to be clearly faster than `best`, which is what the state
    /// stands for; `before` is the state before. If a share of the budget is not enough to find
    /// that out, it is `best`.
    pub(super) fn in_outer_tiles(
        &mut self,
        loops: (&Tree, &Band),
        place: &Place,
        before: &State,
        best: Tree,
        budget: &mut Budget,
    ) -> Tree {
        let mut part = budget.sub(budget.remaining() / BUDGET_SHARE);
        let known = self.state.clone();
        let found = self.best_outer_tiles(loops, place, before, best.clone(), &mut part);
        budget.absorb(&part);
        found.unwrap_or_else(|_| {
            self.state = known;
            best
        })
    }

    fn best_outer_tiles(
        &mut self,
        (node, band): (&Tree, &Band),
        place: &Place,
        before: &State,
        best: Tree,
        budget: &mut Budget,
    ) -> Result<Tree, Stop> {
        let is_asked = self.config.tiling == Tiling::Model && !self.config.parametric_tiles;
        if !is_asked || !place.outer.is_empty() || band.coincident.contains(&true) {
            return Ok(best);
        }
        let sizes = match self.config.blocks {
            Blocks::Size(size) => vec![size],
            Blocks::Off => return Ok(best),
            Blocks::Model => SIZES.to_vec(),
        };
        let Some(deeper) = self.around.and_then(|tree| self.band_around(tree, place)) else { return Ok(best) };
        let Some(pairs) = self.pairs_at(place, budget)? else { return Ok(best) };
        let deeper = register::select(deeper, &[0, deeper.n_member() - 1]);
        let loops = self.boxes(deeper, &pairs, place, budget)?;
        let inner = Inner { node, band, place, pairs: &pairs, before };
        let mut best = best;
        let is_forced = self.config.profitability == Profitability::Ignored;
        for size in sizes {
            let Some(mut found) = self.tiled_around(inner, &loops, [size; 2], budget)? else { return Ok(best) };
            let aligned = found.steps.map(|step| (size + step / 2).max(step) / step * step);
            if aligned != [size; 2]
                && let Some(other) = self.tiled_around(inner, &loops, aligned, budget)?
            {
                found = other;
            }
            let gain = if is_forced { 1.0 } else { GAIN };
            if found.state.cycles - before.cycles < gain * (self.state.cycles - before.cycles) {
                best = found.tree;
                self.state = found.state;
            }
        }
        Ok(best)
    }

    /// The loops in tiles of these sizes, if that is legal and pays at all.
    fn tiled_around(
        &self,
        inner: Inner<'_>,
        loops: &Band,
        sizes: [u64; 2],
        budget: &mut Budget,
    ) -> Result<Option<InTiles>, Stop> {
        let Inner { node, band, place, pairs, before } = inner;
        let tiles = loops.tile(&sizes.map(Int::from)).0.with_loop_type(LoopType::Atomic);
        let Ok(wavefronts) = wavefront(&tiles, pairs, budget)? else { return Ok(None) };
        let Some(count) = self.count_of_tiles(loops, sizes, place, budget)? else { return Ok(None) };
        let in_wavefronts_of_tiles = self.config.wavefront && self.may_fork(place);
        let mut inside = place.clone();
        inside.outer.push(if in_wavefronts_of_tiles { wavefronts.concat(&tiles.split(1).0) } else { tiles.clone() });
        inside.parallel |= in_wavefronts_of_tiles;
        inside.tiled = Some(loops.clone());
        let tiled = Tiled { loops, tiles: &tiles, inside: &inside };
        let products = self.products(node, &tiled, budget)?;
        if products.is_empty() && !in_wavefronts_of_tiles {
            return Ok(None);
        }
        let mut state = before.clone();
        let shape = if in_wavefronts_of_tiles { TileShape::Wavefront } else { TileShape::Box };
        let (tile, parallel) = (sizes.to_vec(), in_wavefronts_of_tiles);
        state.bands.push(BandReport { depth: 2, tile, shape, parallel, ..BandReport::default() });
        let steps = products.iter().fold([1, 1], |steps, product| if steps == [1, 1] { product.steps } else { steps });
        let (tree, mut state) = self.with_rest((node, band), products, &tiled, state, budget)?;
        let tree = if in_wavefronts_of_tiles {
            let spent = state.spent() - before.spent();
            state.cycles = before.cycles + self.among_tiles(spent, &count);
            in_wavefronts(&tiles, &wavefronts, tree, 0.0)
        } else {
            Tree::band(tiles, tree)
        };
        tracing::debug!(?sizes, ?steps, cycles = state.cycles - before.cycles, "tiles around");
        Ok(Some(InTiles { tree, state, steps }))
    }

    /// The outermost band of a schedule, if all statements at a place are in it and it is
    /// permutable with more than one member.
    fn band_around<'t>(&self, tree: &'t ScheduleTree, place: &Place) -> Option<&'t Band> {
        let is_around = |filter: &Tree| match filter.kind() {
            NodeKind::Filter(filter) => {
                place.active.iter().all(|&s| filter.get_named(&self.analysis.scop.statements[s].name).is_some())
            }
            _ => false,
        };
        let mut node = tree.tree().child();
        loop {
            node = match node.kind() {
                NodeKind::Sequence | NodeKind::Set => node.children().iter().find(|&child| is_around(child))?,
                NodeKind::Filter(_) => node.child(),
                NodeKind::Band(band) => return (band.permutable && band.n_member() > 1).then_some(band),
                _ => return None,
            };
        }
    }

    /// The band with differences of its members in place of them, as long as accesses move along
    /// fewer loops then and no pair goes back.
    fn boxes(&self, band: Band, pairs: &Pairs, place: &Place, budget: &mut Budget) -> Result<Band, Stop> {
        let mut best = band;
        loop {
            let known = self.movement(&best, place);
            let differences = [(1, 0), (0, 1)].map(|(target, source)| best.skew(target, source, &-Int::ONE));
            let mut better = None;
            for difference in differences.into_iter().filter(|band| self.movement(band, place) < known) {
                if pairs.goes_back_in(&difference, budget)?.is_none() {
                    better = Some(difference);
                    break;
                }
            }
            match better {
                Some(band) => best = band,
                None => return Ok(best),
            }
        }
    }

    /// How many members of a band in tiles are none of the loops that the tiles are made of. Of two
    /// functions that move as much, one that tiles are made of is better: others can be measured by
    /// it.
    pub(super) fn strays(&self, band: &Band, place: &Place) -> usize {
        let (Some(tiled), Some(&statement)) = (&place.tiled, place.active.first()) else { return 0 };
        let (name, iterators) = (&self.analysis.scop.statements[statement].name, self.facts[statement].extents.len());
        let rows: Vec<Vec<f64>> = (0..tiled.n_member()).map(|m| row(tiled, m, name, iterators)).collect();
        (0..band.n_member()).filter(|&member| !rows.contains(&row(band, member, name, iterators))).count()
    }

    /// The members of a band that the statement with most instances carries no dependence along,
    /// although others do: as innermost loops they are free where these others are not
    /// ([`crate::distribution`]). The facts count them as free, but for the statements that wait
    /// for themselves: these are priced as the chains that they stay. They are looked for in bands
    /// in tiles; where the program reads the sizes of tiles, one statement of each pair that
    /// depends on each other has to be a single point. The AST generator writes such points beside
    /// the loop, other statements are in the same one but for its ends.
    pub(super) fn free_if_distributed(
        &self,
        band: &Band,
        facts: &mut BandFacts,
        place: &Place,
        budget: &mut Budget,
    ) -> Result<Vec<bool>, Stop> {
        let mut distributed = vec![false; band.n_member()];
        let most =
            place.active.iter().copied().max_by(|&a, &b| self.facts[a].instances.total_cmp(&self.facts[b].instances));
        let is_looked_for = place.tiled.is_some() || self.is_tiled_at_run_time(band);
        let Some(main) = most.filter(|_| is_looked_for) else { return Ok(distributed) };
        for (member, is_free) in distributed.iter_mut().enumerate() {
            let may_be_innermost = band.permutable || member + 1 == band.n_member();
            if may_be_innermost && !facts.innermost_parallel[member] {
                let order = self.order_inside(band, member, place, budget)?;
                let is_point = |statement| self.is_single_point(statement, band, member, place);
                *is_free = !order.is_bound(main)
                    && (place.tiled.is_some()
                        || order.bound(&place.active).into_iter().all(|(a, b)| is_point(a) || is_point(b)));
                if *is_free {
                    facts.innermost_parallel[member] = true;
                    facts.innermost_left[member] = place.active.iter().map(|&s| order.is_chained(s)).collect();
                }
            }
        }
        Ok(distributed)
    }

    /// Whether a statement has a single point along a member where all other loops around it stay.
    fn is_single_point(&self, statement: usize, band: &Band, member: usize, place: &Place) -> bool {
        let last: Vec<usize> = (0..band.n_member()).filter(|&m| m != member).chain([member]).collect();
        let (_, steps) = self.rows_and_steps(statement, &band.permute(&last), place);
        steps.last().is_some_and(Option::is_none)
    }

    /// Cycles when threads share the tiles of one wavefront after the other. At the end of a
    /// wavefront, the last tile keeps one of them at work while the others wait: half of them in
    /// the mean.
    fn among_tiles(&self, spent: Spent, count: &Count) -> f64 {
        let machine = &self.config.machine;
        let threads = self.threads().unwrap_or(1.0).min(count.tiles / count.wavefronts).max(1.0);
        let waiting = spent.cycles / count.tiles * (threads - 1.0) / threads / 2.0;
        self.among(spent, threads)
            + count.wavefronts * (waiting + machine.threads.fork_cycles)
            + machine.threads.start_cycles
    }

    /// The number of tiles of the statement with the most, and of wavefronts; `None` if that is not
    /// known.
    fn count_of_tiles(
        &self,
        loops: &Band,
        sizes: [u64; 2],
        place: &Place,
        budget: &mut Budget,
    ) -> Result<Option<Count>, Stop> {
        let mut count = Count { tiles: 1.0, wavefronts: 1.0 };
        let [width, height] = sizes.map(|size| size as f64);
        for &s in &place.active {
            let statement = &self.analysis.scop.statements[s];
            let of = |member| member_of(loops, member, &statement.name);
            let (Some(x), Some(y)) = (of(0), of(1)) else { return Ok(None) };
            let domain = at(&statement.domain, &self.estimates);
            let both: Map = value_map(x).flat_range_product(&value_map(y));
            let Some(area) = points(&both.intersect_domain(&domain).range(), &self.estimates, budget)? else {
                continue;
            };
            let Some((low, high)) = self.range(&domain, &x.add(y), budget)? else { continue };
            count.wavefronts = count.wavefronts.max((high - low) as f64 / width.min(height) + 1.0);
            count.tiles = count.tiles.max((area / width / height).max(1.0));
        }
        count.tiles = count.tiles.max(count.wavefronts);
        Ok(Some(count))
    }
}
