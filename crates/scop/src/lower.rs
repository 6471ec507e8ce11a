//! From a scheduled tree to the tree that code is generated from: loop order, tiles, marks.
//!
//! # Method
//! Walk the tree from the root. A *leaf band* has no band below it: its members are permuted and
//! tiled as the cost model says ([`poly_transform::choose`]). Outer bands keep their order, except
//! that a coincident member is brought outermost when threads are asked for. A leaf band that
//! contracts over a dimension may get a register tile ([`crate::register`]) instead. The outermost
//! loop that is free of dependences gets the mark [`Mark::Parallel`] if the work below it pays for
//! starting threads; an innermost loop free of dependences gets the mark [`Mark::Vector`]. Bands of
//! stencils are tiled in time, see `time_tiles`.
//!
//! Which loops are free of dependences is decided exactly: for the innermost loop of a leaf band,
//! no dependence may connect instances that agree in all loops around it and differ in its own
//! counter.

mod aligned;
mod block_wavefronts;
pub(crate) mod blocks;
mod chains;
mod doacross;
mod inward;
mod joins;
mod leaf;
mod outer_tiles;
mod packing;
mod parametric;
mod privatized_reductions;
mod products;
mod register_wavefronts;
mod shares;
mod sink;
mod steps_in_lanes;
mod strip_mined_fusion;
mod time_tiles;

use std::collections::BTreeSet;
use std::ops::Deref;

use poly_presburger::{Budget, Map, Stop, UnionPwAff};
use poly_schedule_tree::{Band, Mark, NodeKind, ScheduleTree, Tree};
use poly_transform::rewrite::Log;
use poly_transform::{
    BandFacts, BandStatement, Choice, Cost, MovingSides, OrdinaryCode, Purpose, RegisterChoice, RegisterTile, Sharing,
    Sign, TileSizes, TilingChoice, TimeTiles, choose, interleave, optimize, overlap_chains, register_tile, with_sign,
};

use crate::Nest;
use crate::basis;
use crate::config::{Config, Tiling};
use crate::cost::{Model, Place, Price, Spent, Unknown, overlap_check_fails, reloads, stride};
use crate::driver::Analysis;
use crate::register::{self, Shared};
use crate::report::{BandReport, TileShape};
use leaf::{Innermost, build};
use register_wavefronts::InThreads;

pub(crate) use shares::shared;
use time_tiles::Otherwise;
pub(crate) use time_tiles::in_wavefronts;

/// Who makes a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Maker {
    /// Lowering, which makes another one for other sizes.
    Lowering,
    /// Rewrites, the same ones for all sizes.
    Rewrites,
}

/// A tree to generate code from, with its predicted time.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The tree.
    pub tree: ScheduleTree,
    /// The one that it was made from.
    pub source: ScheduleTree,
    /// The one of which tiles may be around its loops.
    pub around: Option<ScheduleTree>,
    /// Predicted cycles.
    pub cycles: f64,
    /// What its bands look like.
    pub bands: Vec<BandReport>,
    /// Bands in tiles of sizes that are parameters.
    pub nests: Vec<Nest>,
    /// The cycles of the candidate for threads that this one is better than.
    pub threads_left_out: Option<f64>,
    /// The tiles of bands that are tiled in time.
    pub(crate) time_tiles: Vec<KeptTimeTiles>,
    /// Its register tiles.
    pub(crate) register_tiles: Vec<KeptTile>,
    /// The arrays whose rows are executed in blocks, by position ([`crate::row_spacing`]).
    pub(crate) unrolled_and_jammed: BTreeSet<usize>,
    /// The steps that made it of [`Candidate::source`], if they are known.
    pub(crate) log: Log,
    /// Why no cycles are predicted, if none are.
    pub(crate) unpredicted: Option<Unknown>,
    /// Who made it.
    pub(crate) maker: Maker,
}

impl Candidate {
    /// A tree that rewrites have made of another one, with what is predicted of it.
    pub(crate) fn of(tree: ScheduleTree, source: ScheduleTree, price: Price) -> Candidate {
        let (cycles, unpredicted) = match price {
            Price::Known(spent) => (spent.cycles, None),
            Price::Unknown(unknown) => (0.0, Some(unknown)),
        };
        Candidate {
            tree,
            source,
            around: None,
            cycles,
            bands: Vec::new(),
            nests: Vec::new(),
            threads_left_out: None,
            time_tiles: Vec::new(),
            register_tiles: Vec::new(),
            unrolled_and_jammed: BTreeSet::new(),
            log: Log::default(),
            unpredicted,
            maker: Maker::Rewrites,
        }
    }

    /// Whether a loop of it is that of a register tile.
    pub(crate) fn has_register_tiles(&self) -> bool {
        has_register_tiles(self.tree.tree())
    }

    /// The number of updates that threads execute on values of their own.
    pub(crate) fn n_reductions(&self) -> usize {
        let of = |mark: &Mark| if let Mark::Parallel(sharing) = mark { sharing.reductions.len() } else { 0 };
        self.tree.tree().marks().into_iter().map(of).sum()
    }

    /// Whether a mark of it speaks of statements.
    pub(crate) fn names_statements(&self) -> bool {
        let names = |mark: &Mark| match mark {
            Mark::Parallel(sharing) => !sharing.reductions.is_empty(),
            Mark::RegisterTile(_) | Mark::VectorIfDistributed(_) => true,
            _ => false,
        };
        self.tree.tree().marks().into_iter().any(names)
    }
}

/// Whether a loop of a tree is that of a register tile.
pub(crate) fn has_register_tiles(tree: &Tree) -> bool {
    tree.marks().into_iter().any(|mark| matches!(mark, Mark::RegisterTile(_)))
}

/// Orders, tiles and marks a scheduled tree.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn lower(
    analysis: &Analysis,
    tree: &ScheduleTree,
    config: &Config,
    budget: &mut Budget,
) -> Result<Candidate, Stop> {
    lower_in_tiles(analysis, tree, None, config, budget)
}

/// The same, where tiles of another schedule's outermost band may be around the loops of the tree.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(crate) fn lower_in_tiles(
    analysis: &Analysis,
    tree: &ScheduleTree,
    around: Option<&ScheduleTree>,
    config: &Config,
    budget: &mut Budget,
) -> Result<Candidate, Stop> {
    let model = Model::new(analysis, config, budget)?;
    let mut lowering = Lowering { model, around, state: State::default() };
    let place = Place::root(analysis);
    let lowered = lowering.walk(tree.tree().child(), &place, budget)?;
    let lowered = lowering.with_privatized_reductions(&lowered, &place, budget)?;
    Ok(Candidate {
        tree: ScheduleTree::new(tree.domain().clone(), lowered),
        source: tree.clone(),
        around: around.cloned(),
        cycles: lowering.state.cycles,
        bands: lowering.state.bands,
        nests: lowering.state.nests,
        threads_left_out: None,
        time_tiles: lowering.state.time_tiles,
        register_tiles: lowering.state.register_tiles,
        unrolled_and_jammed: lowering.state.unrolled_and_jammed,
        log: Log::default(),
        unpredicted: None,
        maker: Maker::Lowering,
    })
}

/// A register tile that was chosen, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptTile {
    /// The statements of its band, by position.
    pub statements: Vec<usize>,
    /// Its members and sizes.
    pub sizes: TileSizes,
}

/// Tiles in time that were chosen, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptTimeTiles {
    /// The statements of their band, by position.
    pub statements: Vec<usize>,
    /// The number of bands around it.
    pub outer: usize,
    /// The tiles.
    pub tiles: TimeTiles,
}

struct Lowering<'a> {
    model: Model<'a>,
    /// A schedule of which tiles may be around the loops.
    around: Option<&'a ScheduleTree>,
    state: State,
}

impl<'a> Deref for Lowering<'a> {
    type Target = Model<'a>;

    fn deref(&self) -> &Model<'a> {
        &self.model
    }
}

/// What lowering has found out so far.
#[derive(Clone, Default)]
struct State {
    bands: Vec<BandReport>,
    cycles: f64,
    /// Cycles that the main memory is busy, if one thread runs everything.
    memory: f64,
    nests: Vec<Nest>,
    time_tiles: Vec<KeptTimeTiles>,
    register_tiles: Vec<KeptTile>,
    unrolled_and_jammed: BTreeSet<usize>,
}

impl State {
    /// Adds what has been found out elsewhere, about other nodes.
    pub(super) fn add(&mut self, other: &State) {
        self.bands.extend_from_slice(&other.bands);
        self.cycles += other.cycles;
        self.memory += other.memory;
        self.nests.extend_from_slice(&other.nests);
        self.time_tiles.extend_from_slice(&other.time_tiles);
        self.register_tiles.extend_from_slice(&other.register_tiles);
        self.unrolled_and_jammed.extend(&other.unrolled_and_jammed);
    }

    pub(super) fn spent(&self) -> Spent {
        Spent { cycles: self.cycles, memory: self.memory }
    }
}

impl Lowering<'_> {
    /// Recursion is bounded by the height of the tree.
    fn walk(&mut self, node: &Tree, place: &Place, budget: &mut Budget) -> Result<Tree, Stop> {
        budget.spend(1)?;
        match node.kind() {
            NodeKind::Leaf => {
                if place.outer.is_empty() {
                    self.state.cycles += place.active.iter().map(|&s| self.facts[s].instances).sum::<f64>();
                }
                Ok(node.clone())
            }
            NodeKind::Band(band) => {
                let band = self.with_coincidence(band, place, budget)?;
                if has_band_below(node) {
                    self.outer_band(node, &band, place, budget)
                } else {
                    self.leaf_band(node, &band, place, budget)
                }
            }
            NodeKind::Filter(filter) => {
                let active = place
                    .active
                    .iter()
                    .copied()
                    .filter(|&s| filter.get_named(&self.analysis.scop.statements[s].name).is_some());
                let place = Place { active: active.collect(), ..place.clone() };
                let child = self.walk(node.child(), &place, budget)?;
                Ok(node.with_child(child))
            }
            _ => {
                let before = self.state.cycles;
                let mut children = Vec::new();
                for child in node.children() {
                    children.push(self.walk(child, place, budget)?);
                }
                if matches!(node.kind(), NodeKind::Sequence) {
                    let flat = children.iter().flat_map(parts_of_sequence).collect();
                    let spent = self.state.cycles - before;
                    children = self.strip_mined(flat, spent, place, budget)?;
                    children = self.joined(children, place, budget)?;
                }
                Ok(node.with_children(children))
            }
        }
    }

    /// Bands of one loop, as original order has them, say nothing about dependences yet.
    fn with_coincidence(&self, band: &Band, place: &Place, budget: &mut Budget) -> Result<Band, Stop> {
        if band.n_member() == 1 && !band.coincident[0] && self.is_free_inside(band, 0, place, budget)? {
            let mut band = band.clone();
            band.coincident = vec![true];
            return Ok(band);
        }
        Ok(band.clone())
    }

    /// A band above others: as [`Self::outer_band_without_tiles`] makes it, or in tiles of another
    /// schedule's band, whichever is predicted to be faster.
    fn outer_band(&mut self, node: &Tree, band: &Band, place: &Place, budget: &mut Budget) -> Result<Tree, Stop> {
        let before = self.state.clone();
        let best = self.outer_band_without_tiles(node, band, place, budget)?;
        Ok(self.in_outer_tiles((node, band), place, &before, best, budget))
    }

    /// The band as it is, or with its last members in the nests below, whichever is predicted to be
    /// faster.
    fn outer_band_without_tiles(
        &mut self,
        node: &Tree,
        band: &Band,
        place: &Place,
        budget: &mut Budget,
    ) -> Result<Tree, Stop> {
        let before = self.state.clone();
        let best = self.outer_band_as_is(node, band, place, budget)?;
        let mut best = self.with_members_inward((node, band), place, &before, best, budget)?;
        let is_above_nests = matches!(node.child().kind(), NodeKind::Sequence);
        if !is_above_nests || !band.permutable || self.keeps_order() {
            return Ok(best);
        }
        for count in 1..=band.n_member() {
            let Some((above, below)) = self.sunk(node, band, count, place, budget)? else { break };
            let known = std::mem::replace(&mut self.state, before.clone());
            let tree = match above.n_member() {
                0 => self.walk(&below, place, budget)?,
                _ => self.outer_band_as_is(&Tree::band(above.clone(), below), &above, place, budget)?,
            };
            if self.state.cycles - before.cycles < SINK_GAIN * (known.cycles - before.cycles) {
                best = tree;
            } else {
                self.state = known;
            }
        }
        self.in_blocks((node, band), place, &before, best, budget)
    }

    fn outer_band_as_is(&mut self, node: &Tree, band: &Band, place: &Place, budget: &mut Budget) -> Result<Tree, Stop> {
        let mut band = band.clone();
        let wanted = self.may_fork(place);
        if wanted
            && band.permutable
            && !self.keeps_order()
            && let Some(first) = band.coincident.iter().position(|&c| c)
        {
            let mut order: Vec<usize> = (0..band.n_member()).collect();
            order.remove(first);
            order.insert(0, first);
            band = band.permute(&order);
        }
        let parallel = wanted && band.coincident.first() == Some(&true) && self.pays_for_threads(place);
        let tilt = if parallel { self.tilt(&band, 0, place, budget)? } else { 0.0 };
        let tiles = self.tiles_of_outer_band(&band, parallel);
        let mut below = place.clone();
        below.parallel |= parallel;
        below.in_tiles |= tiles.is_some();
        below.outer.push(band.clone());
        let before = self.state.spent();
        let depth = band.n_member();
        let report = self.state.bands.len();
        self.state.bands.push(BandReport { depth, parallel, ..BandReport::default() });
        if let Some(nest) = tiles.as_ref().map(|(_, nest)| nest.clone()) {
            self.add_nest(nest, report);
        }
        let child = self.walk(node.child(), &below, budget)?;
        if parallel {
            self.state.bands[report].parallel = true;
            let inside = self.state.spent() - before;
            self.state.cycles = before.cycles + self.with_threads(inside, 1.0);
        }
        let tree = Tree::band(band, child);
        let tree = if let Some((tiles, _)) = tiles { Tree::band(tiles, tree) } else { tree };
        Ok(if parallel { shared(tree, tilt) } else { tree })
    }

    fn leaf_band(&mut self, node: &Tree, band: &Band, place: &Place, budget: &mut Budget) -> Result<Tree, Stop> {
        if place.active.is_empty() || band.n_member() == 0 {
            return Ok(node.clone());
        }
        let simpler = if self.keeps_order() || self.config.original_order {
            // The loops of the source are those that LLVM has.
            band.clone()
        } else {
            let movement = |band: &Band| {
                let (accesses, subscripts) = self.movement(band, place);
                // Loops with dependences have an order that the structures below know, such as
                // wavefronts.
                let subscripts = if band.coincident.iter().all(|&c| c) { subscripts } else { 0 };
                (accesses, self.strays(band, place), subscripts)
            };
            basis::simplest(band, &place.outer, movement, |band| self.points_of_box(band, place, budget))?
        };
        let band = &simpler;
        let mut facts = self.band_facts(band, place, budget)?;
        let distributed = self.free_if_distributed(band, &mut facts, place, budget)?;
        let wanted = self.may_fork(place) && facts.coincident.contains(&true);
        let tiling = match &self.config.tiling {
            Tiling::Off => TilingChoice::Off,
            Tiling::Model => TilingChoice::Model,
            Tiling::Sizes(sizes) => TilingChoice::Sizes(sizes.clone()),
        };
        if let Some(tree) = self.kept_band(node, band, place, (&facts, wanted), budget)? {
            return Ok(tree);
        }
        let purpose = Purpose {
            machine: &self.config.machine,
            sharing: self.threads().filter(|_| wanted).map(|threads| Sharing { threads }),
            enough: self.config.enough,
        };
        let mut choice = choose(&facts, &tiling, purpose, budget)?;
        if self.is_tiled_at_run_time(band) {
            if tiling == TilingChoice::Model {
                choice = optimize(choice, &facts, purpose, budget)?;
                let processor = self.config.processor();
                choice = overlap_chains(choice, &facts, Purpose { machine: &processor, ..purpose }, budget)?;
            }
            return self.tiled_at_run_time(node, band, place, (&facts, &choice, &distributed), budget);
        }
        if let Some(tree) = self.register_band(node, band, place, (&facts, choice.cost, wanted), budget)? {
            return Ok(tree);
        }
        if tiling == TilingChoice::Model && !distributed.contains(&true) {
            choice = interleave(choice, &facts, purpose, budget)?;
        }
        choice = self.with_slanted_sides(choice, &facts, band, place);
        let in_lanes = match distributed.contains(&true) {
            true => None,
            false => self.in_lanes(&choice, (band, &facts), place, wanted, budget)?,
        };
        let (choice, lanes) = in_lanes.unwrap_or((choice, 0));
        let outermost = choice.tiles.as_ref().map_or(choice.order[0], |(order, _)| order[0]);
        let forks = outer_iterations(&facts);
        let spent = Spent::of(choice.cost);
        let parallel = wanted && facts.coincident[outermost] && self.threads_gain(spent, forks);
        let cycles = if parallel { self.with_threads(spent, forks) } else { spent.cycles };
        let is_enough = cycles < self.config.enough;
        let has_vectors =
            choice.order.last().is_some_and(|&row| facts.innermost_parallel[row] && facts.is_contiguous(row));
        let otherwise = Otherwise { cycles, choice: has_vectors.then_some(&choice) };
        if !is_enough && let Some(tree) = self.time_tiled(band, place, node.child(), otherwise, budget)? {
            return Ok(tree);
        }
        if !is_enough
            && lanes == 0
            && let Some(tree) = self.in_steps((band, &facts), place, (node.child(), choice.cost), budget)?
        {
            return Ok(tree);
        }
        self.state.cycles += cycles;
        self.state.memory += spent.memory;
        let innermost_loop = self.innermost_loop(band, place, (&facts, &choice, &distributed), lanes, budget)?;
        self.state.bands.push(BandReport {
            depth: band.n_member(),
            tile: choice
                .tiles
                .as_ref()
                .map_or_else(Vec::new, |(order, sizes)| order.iter().map(|&m| sizes[m]).collect()),
            reordered: !choice.order.is_sorted(),
            parallel,
            vector: innermost_loop.is_vector(),
            lanes,
            ..BandReport::default()
        });
        let tree = build(band, &choice, innermost_loop, node.child());
        Ok(if parallel { shared(tree, facts.tilts[outermost]) } else { tree })
    }

    /// What the innermost loop of a leaf band with the chosen structure is, with so many lanes of a
    /// wavefront.
    fn innermost_loop(
        &self,
        band: &Band,
        place: &Place,
        (facts, choice, distributed): (&BandFacts, &Choice, &[bool]),
        lanes: u64,
        budget: &mut Budget,
    ) -> Result<Innermost, Stop> {
        let innermost = choice.order[choice.order.len() - 1];
        let is_free = facts.innermost_parallel[innermost] && !choice.is_interleaved();
        Ok(match is_free {
            _ if lanes > 0 => Innermost::SimdWavefront,
            true if facts.is_contiguous(innermost) && distributed[innermost] => {
                let order = self.order_inside(band, innermost, place, budget)?;
                Innermost::Distributed(self.dependent(&order, place))
            }
            // As a whole it is not free.
            true if distributed[innermost] => Innermost::Chain,
            true if facts.is_contiguous(innermost) => Innermost::Vector,
            true if facts.shares_lines(innermost, self.config.machine.memory.line_bytes) => Innermost::Free,
            // Vectors would be made of gathers and scatters of a line for each element.
            true => Innermost::Interleaved,
            false if choice.is_interleaved() => Innermost::Interleaved,
            false => Innermost::Chain,
        })
    }

    /// The band with the register tile or the tiles in time that it has in any case: no other
    /// structure is looked for.
    fn kept_band(
        &mut self,
        node: &Tree,
        band: &Band,
        place: &Place,
        (facts, wanted): (&BandFacts, bool),
        budget: &mut Budget,
    ) -> Result<Option<Tree>, Stop> {
        if self.is_tiled_at_run_time(band) {
            return Ok(None);
        }
        if let Some(RegisterChoice::Kept(_)) = self.register_choice(place)
            && let Some(tree) = self.register_band(node, band, place, (facts, Cost::default(), wanted), budget)?
        {
            return Ok(Some(tree));
        }
        match self.kept_time_tiles(place) {
            Some(_) => self.time_tiled(band, place, node.child(), Otherwise::default(), budget),
            None => Ok(None),
        }
    }

    /// The band with a register tile, if that is legal and predicted to be better than `other`.
    fn register_band(
        &mut self,
        node: &Tree,
        band: &Band,
        place: &Place,
        (facts, other, wanted): (&BandFacts, Cost, bool),
        budget: &mut Budget,
    ) -> Result<Option<Tree>, Stop> {
        let Some(choice) = &self.register_choice(place) else { return Ok(None) };
        let sharing = self.threads().filter(|_| wanted).map(|threads| Sharing { threads });
        let Some(tile) = register_tile(facts, choice, &self.config.machine, sharing) else { return Ok(None) };
        // Slanted sides cost other tiles too, which their prediction does not see.
        if *choice == RegisterChoice::Model && !tile.cost.is_below(REGISTER_GAIN, other) {
            return Ok(None);
        }
        let trips = facts.statements.iter().map(|s| s.members[tile.columns.0].trip);
        let band = &self.with_aligned_columns(band, tile.columns, trips.fold(1.0, f64::max), place);
        let forks = outer_iterations(facts);
        let cycles = tile.cost.cycles();
        let spent = Spent::of(tile.cost);
        let parallel = wanted && facts.coincident[tile.outermost()] && self.threads_gain(spent, forks);
        let tilt = facts.tilts[tile.outermost()];
        let plain = InThreads {
            tile,
            shared: if parallel { Shared::Outermost { tilt } } else { Shared::Nothing },
            threads: if parallel { self.threads().unwrap_or(1.0) } else { 1.0 },
            forks: if parallel { forks } else { 0.0 },
        };
        let InThreads { tile, shared, threads, forks } =
            if wanted { plain } else { self.register_wavefronts(band, place, (facts, spent), plain, budget)? };
        let columns = if tile.vector {
            Mark::Vector
        } else {
            let order = self.order_inside(band, tile.columns.0, place, budget)?;
            Mark::VectorIfDistributed(self.dependent(&order, place))
        };
        let placed = register::place(
            &self.analysis.scop,
            (&place.outer, band),
            &place.active,
            (&tile, columns),
            &shared,
            node.child(),
            budget,
        )?;
        let Some(placed) = placed else { return Ok(None) };
        // The sides that are slanted, and what partial tiles keep in registers, are known only now.
        let ordinary = if placed.in_partial_tiles { OrdinaryCode::default() } else { tile.ordinary };
        let slants = placed.slants as f64 * (tile.slant_cycles + ordinary.slant_cycles);
        let still = tile.cost.issue + ordinary.end_cycles + slants;
        let MovingSides { rows, columns, cycles: ordinary } = tile.moving;
        let rows = if placed.moves_rows { rows } else { 0.0 };
        let moving = if placed.moves_columns { columns.max(rows) } else { rows };
        let cost = Cost { issue: still + moving * (ordinary - still), ..tile.cost };
        let cycles = cycles + cost.issue - tile.cost.issue;
        if *choice == RegisterChoice::Model && !cost.is_below(REGISTER_GAIN, other) {
            return Ok(None);
        }
        let spent = Spent { cycles, ..spent };
        self.state.cycles += self.among(spent, threads) + forks * self.config.machine.threads.fork_cycles;
        self.state.memory += spent.memory;
        self.state.bands.push(register_report(band, &tile, &shared));
        self.state.register_tiles.push(KeptTile { statements: place.active.clone(), sizes: tile.sizes() });
        Ok(Some(placed.tree))
    }

    /// The tiles in time that a band at this place had before, where that is given.
    fn kept_time_tiles(&self, place: &Place) -> Option<&TimeTiles> {
        let is_here = |kept: &&KeptTimeTiles| kept.statements == place.active && kept.outer == place.outer.len();
        self.config.time_tiles.iter().find(is_here).map(|kept| &kept.tiles)
    }

    /// Keeps the tiles in time of a band at this place.
    fn keep_time_tiles(&mut self, place: &Place, tiles: TimeTiles) {
        let (statements, outer) = (place.active.clone(), place.outer.len());
        self.state.time_tiles.push(KeptTimeTiles { statements, outer, tiles });
    }

    /// How a band at this place gets register tiles, if it may: as it did before, where that is
    /// given.
    fn register_choice(&self, place: &Place) -> Option<RegisterChoice> {
        match (&self.config.tiling, &self.config.register) {
            (Tiling::Off, _) | (_, RegisterChoice::Off) | (Tiling::Sizes(_), RegisterChoice::Model) => None,
            (_, choice) => match &self.config.register_tiles {
                None => Some(choice.clone()),
                Some(kept) => {
                    let own = kept.iter().find(|kept| kept.statements == place.active)?;
                    Some(RegisterChoice::Kept(own.sizes))
                }
            },
        }
    }

    /// Whether dependences connect these statements with each other.
    fn are_linked(&self, mut rest: Vec<usize>) -> bool {
        let dependences = &self.analysis.dependences.dependences;
        let mut reached: Vec<usize> = rest.pop().into_iter().collect();
        while let Some(statement) = reached.pop() {
            let is_next = |other: usize| {
                dependences.iter().any(|d| {
                    let ends = (d.source.0, d.sink.0);
                    ends == (statement, other) || ends == (other, statement)
                })
            };
            let (next, left) = rest.into_iter().partition(|&other| is_next(other));
            reached.extend::<Vec<usize>>(next);
            rest = left;
        }
        rest.is_empty()
    }

    /// What the cost model needs to know of a leaf band.
    fn band_facts(&self, band: &Band, place: &Place, budget: &mut Budget) -> Result<BandFacts, Stop> {
        let members = band.n_member();
        let mut innermost_parallel = band.coincident.clone();
        let mut innermost_forward = vec![false; members];
        let mut innermost_chained = vec![vec![false; place.active.len()]; members];
        for member in 0..members {
            if !innermost_parallel[member] && (member + 1 == members || band.permutable) {
                let order = self.order_inside(band, member, place, budget)?;
                innermost_parallel[member] = !order.is_carried();
                innermost_forward[member] = order.is_forward();
                let chained = |&s: &usize| order.waits(s);
                innermost_chained[member] = place.active.iter().map(chained).collect();
            }
        }
        // Where every loop is a chain, which statements are in it in one order and not in another
        // one says little: what waits is a cycle of all, of which only the part within the source's
        // innermost loop is known. Statements that do not depend on each other wait each for
        // itself.
        if innermost_chained.iter().all(|chained| chained.contains(&true)) {
            let any = |place: usize| innermost_chained.iter().any(|chained| chained[place]);
            let anywhere: Vec<bool> = (0..place.active.len()).map(any).collect();
            let chained = place.active.iter().zip(&anywhere).filter(|(_, chained)| **chained).map(|(&s, _)| s);
            if self.are_linked(chained.collect()) {
                innermost_chained.fill(anywhere);
            }
        }
        let statements = self.band_statements(band, place, budget)?;
        let has_no_vectors =
            |&s: &usize| overlap_check_fails(&self.analysis.scop, &self.facts[s]) || reloads(&self.analysis.scop, s);
        if self.config.original_order && place.active.iter().any(has_no_vectors) {
            innermost_parallel.fill(false);
            innermost_forward.fill(false);
        }
        Ok(BandFacts {
            statements,
            innermost_parallel,
            innermost_forward,
            innermost_left: vec![vec![false; place.active.len()]; members],
            innermost_chained,
            coincident: band.coincident.clone(),
            tilts: self.tilts(band, place, budget)?,
            permutable: band.permutable,
            keep_order: self.keeps_order(),
        })
    }

    /// The product of the iterations of a band's members, for the statement with most instances.
    fn points_of_box(&self, band: &Band, place: &Place, budget: &mut Budget) -> Result<f64, Stop> {
        let most = |&a: &usize, &b: &usize| self.facts[a].instances.total_cmp(&self.facts[b].instances);
        let Some(main) = place.active.iter().copied().max_by(most) else { return Ok(0.0) };
        let members = self.band_statement(main, band, place, budget)?.members;
        Ok(members.iter().map(|member| member.trip).product())
    }

    /// How many pairs there are of an access of the band's statements and a loop along which it
    /// moves, and how many of a subscript and a loop of the band, which may change its place.
    fn movement(&self, band: &Band, place: &Place) -> (usize, usize) {
        let (mut accesses, mut subscripts) = (0, 0);
        for &statement in &place.active {
            let (_, steps) = self.rows_and_steps(statement, band, place);
            let own = &self.facts[statement].accesses;
            let outer = steps.len() - band.n_member();
            for (place, step) in steps.iter().enumerate() {
                let Some(step) = step else { continue };
                accesses += own.iter().filter(|access| stride(access, step) != 0.0).count();
                if place < outer {
                    continue;
                }
                let all = own.iter().flat_map(|access| access.subscripts.iter().flatten());
                let moves = |slopes: &[f64]| slopes.iter().zip(step).map(|(slope, d)| slope * d).sum::<f64>() != 0.0;
                subscripts += all.filter(|(slopes, _)| moves(slopes)).count();
            }
        }
        (accesses, subscripts)
    }
}

/// Members move into the nests below if that is predicted to take at most this part of the time.
const SINK_GAIN: f64 = 0.95;

/// A register tile must be predicted to need at most this part of the time of the best other
/// structure.
const REGISTER_GAIN: f64 = 0.9;

fn register_report(band: &Band, tile: &RegisterTile, shared: &Shared) -> BandReport {
    BandReport {
        shape: if let Shared::Wavefronts { shape, .. } = *shared { shape } else { TileShape::Box },
        depth: band.n_member(),
        tile: tile.tiles.iter().map(|&(_, size)| size).collect(),
        register: Some((tile.rows.map_or(1, |rows| rows.1), tile.columns.1)),
        reordered: true,
        parallel: !matches!(shared, Shared::Nothing),
        vector: true,
        ..BandReport::default()
    }
}

/// The child of a sequence, or the children of the sequence that it is.
fn parts_of_sequence(child: &Tree) -> Vec<Tree> {
    match child.kind() {
        NodeKind::Filter(_) if matches!(child.child().kind(), NodeKind::Sequence) => child.child().children().to_vec(),
        _ => vec![child.clone()],
    }
}

/// There is no band below the band.
fn is_leaf_below(node: &Tree) -> bool {
    !has_band_below(node)
}

fn has_band_below(node: &Tree) -> bool {
    let mut found = false;
    node.child().for_each(&mut |below| found |= below.as_band().is_some());
    found
}

/// How often the loops around a band run through.
fn outer_iterations(facts: &BandFacts) -> f64 {
    let product = |s: &BandStatement| s.outer.iter().map(|l| l.trip).product::<f64>();
    facts.statements.iter().map(product).fold(1.0, f64::max)
}

/// Some pair has a distance of this sign in the function, or it is not known.
fn has_sign(pairs: &Map, function: &UnionPwAff, sign: Sign, budget: &mut Budget) -> Result<bool, Stop> {
    with_sign(pairs, function, sign).map_or(Ok(true), |some| Ok(!some.is_empty(budget)?))
}
