//! From a scheduled tree to the tree that code is generated from: loop order, tiles, marks.
//!
//! # Method
//! Walk the tree from the root. A *leaf band* has no band below it: its members are permuted and tiled as the cost model says
//! ([`poly_transform::choose`]). Outer bands keep their order, except that a coincident member is brought outermost when
//! threads are asked for. A leaf band that contracts over a dimension may get a register tile ([`crate::register`]) instead. The outermost loop
//! that is free of dependences gets the mark `parallel` if the work below it pays for starting threads; an innermost loop
//! free of dependences gets the mark `vector`. Bands of stencils are tiled in time, see `time_tiles`.
//!
//! Which loops are free of dependences is decided exactly: for the innermost loop of a leaf band, no dependence may connect instances that agree in all loops around
//! it and differ in its own counter.

mod time_tiles;

use poly_arith::Int;
use poly_dependence::Dependence;
use poly_presburger::PwAff;
use poly_presburger::{Budget, Map, MultiAff, Space, Stop, Tuple};
use poly_schedule_tree::{Band, LoopType, NodeKind, ScheduleTree, Tree};
use poly_transform::{
    BandFacts, BandStatement, Choice, Cost, LoopFacts, RegisterChoice, RegisterTile, TilingChoice, choose, directions,
    register_tile,
};

use crate::config::{Config, Parallelism, Scheduler, Tiling};
use crate::driver::Analysis;
use crate::facts::{StatementFacts, facts, linear_coefficient};
use crate::register;
use crate::report::{BandReport, TileShape};
use crate::{AccessId, StmtId};

/// Mark above a loop that threads execute.
pub const PARALLEL: &str = "parallel";
/// Mark above an innermost loop that is free of dependences.
pub const VECTOR: &str = "vector";
/// Mark above the reduced loop of register tiles: loops over rows and columns inside of it with constant trip counts are to be unrolled.
pub const REGISTER: &str = "register";

/// A tree to generate code from, with its predicted time.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The tree.
    pub tree: ScheduleTree,
    /// Predicted cycles.
    pub cycles: f64,
    /// What its bands look like.
    pub bands: Vec<BandReport>,
    /// Accesses whose elements stay in registers within loops marked [`REGISTER`].
    pub in_registers: Vec<(StmtId, AccessId)>,
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
    let facts = facts(&analysis.scop, budget)?;
    let mut lowering = Lowering { analysis, config, facts, bands: Vec::new(), cycles: 0.0, in_registers: Vec::new() };
    let active: Vec<usize> = (0..analysis.scop.statements.len()).collect();
    let place = Place { outer: Vec::new(), active, parallel: false };
    let lowered = lowering.walk(tree.tree().child(), &place, budget)?;
    Ok(Candidate {
        tree: ScheduleTree::new(tree.domain().clone(), lowered),
        cycles: lowering.cycles,
        bands: lowering.bands,
        in_registers: lowering.in_registers,
    })
}

/// Where a node stands.
#[derive(Clone)]
struct Place {
    /// Bands above, outermost first.
    outer: Vec<Band>,
    /// Statements that reach it.
    active: Vec<usize>,
    /// Inside a loop that threads execute.
    parallel: bool,
}

struct Lowering<'a> {
    analysis: &'a Analysis,
    config: &'a Config,
    facts: Vec<StatementFacts>,
    bands: Vec<BandReport>,
    cycles: f64,
    in_registers: Vec<(StmtId, AccessId)>,
}

impl Lowering<'_> {
    /// Recursion is bounded by the height of the tree.
    fn walk(&mut self, node: &Tree, place: &Place, budget: &mut Budget) -> Result<Tree, Stop> {
        budget.spend(1)?;
        match node.kind() {
            NodeKind::Leaf => {
                if place.outer.is_empty() {
                    self.cycles += place.active.iter().map(|&s| self.facts[s].instances).sum::<f64>();
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
                let mut children = Vec::new();
                for child in node.children() {
                    children.push(self.walk(child, place, budget)?);
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

    fn outer_band(&mut self, node: &Tree, band: &Band, place: &Place, budget: &mut Budget) -> Result<Tree, Stop> {
        let mut band = band.clone();
        let wanted = self.threads().is_some() && !place.parallel;
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
        let parallel = wanted && band.coincident.first() == Some(&true) && self.pays_for_threads(&band, place);
        let mut below = place.clone();
        below.parallel |= parallel;
        below.outer.push(band.clone());
        let before = self.cycles;
        let depth = band.n_member();
        let report = self.bands.len();
        self.bands.push(BandReport { depth, parallel, ..BandReport::default() });
        let child = self.walk(node.child(), &below, budget)?;
        if parallel {
            self.bands[report].parallel = true;
            self.cycles = before + self.with_threads(self.cycles - before, 1.0);
        }
        let tree = Tree::band(band, child);
        Ok(if parallel { Tree::mark(PARALLEL, tree) } else { tree })
    }

    fn leaf_band(&mut self, node: &Tree, band: &Band, place: &Place, budget: &mut Budget) -> Result<Tree, Stop> {
        if place.active.is_empty() || band.n_member() == 0 {
            return Ok(node.clone());
        }
        let facts = self.band_facts(band, place, budget)?;
        let wanted = self.threads().is_some() && !place.parallel && facts.coincident.contains(&true);
        let tiling = match &self.config.tiling {
            Tiling::Off => TilingChoice::Off,
            Tiling::Model => TilingChoice::Model,
            Tiling::Sizes(sizes) => TilingChoice::Sizes(sizes.clone()),
        };
        let choice = choose(&facts, &tiling, &self.config.machine, wanted);
        if let Some(tree) = self.register_band(node, band, place, (&facts, choice.cost, wanted), budget)? {
            return Ok(tree);
        }
        let outermost = choice.tiles.as_ref().map_or(choice.order[0], |(order, _)| order[0]);
        let forks = outer_iterations(&facts);
        let cycles = choice.cost.cycles();
        let parallel = wanted && facts.coincident[outermost] && self.threads_gain(cycles, forks);
        let cycles = if parallel { self.with_threads(cycles, forks) } else { cycles };
        if let Some(tree) = self.time_tiled(band, place, node.child(), cycles, budget)? {
            return Ok(tree);
        }
        self.cycles += cycles;
        let innermost = choice.order[choice.order.len() - 1];
        let vector = facts.innermost_parallel[innermost];
        self.bands.push(BandReport {
            depth: band.n_member(),
            tile: choice
                .tiles
                .as_ref()
                .map_or_else(Vec::new, |(order, sizes)| order.iter().map(|&m| sizes[m]).collect()),
            reordered: !choice.order.is_sorted(),
            parallel,
            vector,
            shape: TileShape::Box,
            register: None,
        });
        Ok(build(band, &choice, vector, parallel, node.child()))
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
        let choice = match (&self.config.tiling, &self.config.register) {
            (Tiling::Off, _) | (Tiling::Sizes(_), RegisterChoice::Model) => return Ok(None),
            (_, choice) => choice,
        };
        let Some((band, tile)) = self.find_register_tile(band, place, (facts, choice, wanted), budget)? else {
            return Ok(None);
        };
        if *choice == RegisterChoice::Model && tile.cost.cycles() > REGISTER_GAIN * other.cycles() {
            return Ok(None);
        }
        let forks = outer_iterations(facts);
        let cycles = tile.cost.cycles();
        let parallel = wanted && facts.coincident[tile.outermost()] && self.threads_gain(cycles, forks);
        let placed = register::place(
            &self.analysis.scop,
            (&place.outer, &band),
            &place.active,
            &tile,
            parallel,
            node.child(),
            budget,
        )?;
        let Some(placed) = placed else { return Ok(None) };
        self.in_registers.extend(placed.results);
        self.cycles += if parallel { self.with_threads(cycles, forks) } else { cycles };
        self.bands.push(register_report(&band, &tile, parallel));
        Ok(Some(placed.tree))
    }

    /// A register tile for the band, or else for the band skewed. Loops that begin at the counter of another one, as `j` in
    /// `for (j = i; ..)` does, have accesses that move along both; with the sum of the two as member instead they move along one. Adding a member of a
    /// permutable band to another one leaves it permutable.
    fn find_register_tile(
        &self,
        band: &Band,
        place: &Place,
        (facts, choice, wanted): (&BandFacts, &RegisterChoice, bool),
        budget: &mut Budget,
    ) -> Result<Option<(Band, RegisterTile)>, Stop> {
        let find = |facts: &BandFacts| register_tile(facts, choice, &self.config.machine, wanted);
        if let Some(tile) = find(facts) {
            return Ok(Some((band.clone(), tile)));
        }
        if !facts.permutable || facts.keep_order || !(3..=MAX_SKEWED).contains(&band.n_member()) {
            return Ok(None);
        }
        for skewed in skewed_bands(band) {
            let statements = place.active.iter().map(|&s| self.band_statement(s, &skewed, place)).collect();
            let coincident = skewed.coincident.clone();
            let innermost_parallel = vec![true; skewed.n_member()];
            let facts = BandFacts { statements, innermost_parallel, coincident, ..facts.clone() };
            if let Some(mut tile) = find(&facts) {
                tile.vector = self.is_free_inside(&skewed, tile.columns.0, place, budget)?;
                return Ok(Some((skewed, tile)));
            }
        }
        Ok(None)
    }

    /// What the cost model needs to know of a leaf band.
    fn band_facts(&self, band: &Band, place: &Place, budget: &mut Budget) -> Result<BandFacts, Stop> {
        let members = band.n_member();
        let mut innermost_parallel = band.coincident.clone();
        for (member, parallel) in innermost_parallel.iter_mut().enumerate() {
            if !*parallel && (member + 1 == members || band.permutable) {
                *parallel = self.is_free_inside(band, member, place, budget)?;
            }
        }
        let statements = place.active.iter().map(|&s| self.band_statement(s, band, place)).collect();
        Ok(BandFacts {
            statements,
            innermost_parallel,
            coincident: band.coincident.clone(),
            permutable: band.permutable,
            keep_order: self.keeps_order(),
        })
    }

    fn band_statement(&self, statement: usize, band: &Band, place: &Place) -> BandStatement {
        let facts = &self.facts[statement];
        let name = &self.analysis.scop.statements[statement].name;
        let iterators = facts.extents.len();
        let mut rows = Vec::new();
        for above in place.outer.iter().chain([band]) {
            for member in 0..above.n_member() {
                rows.push(row(above, member, name, iterators));
            }
        }
        let steps = directions(&rows, iterators);
        let mut loops: Vec<LoopFacts> =
            rows.iter().zip(&steps).map(|(row, step)| loop_facts(row, step.as_deref(), facts)).collect();
        let members = loops.split_off(loops.len() - band.n_member());
        BandStatement {
            outer: loops,
            members,
            accesses: facts.accesses.iter().map(|a| (a.bytes, a.write, a.group)).collect(),
            work: facts.work.clone(),
            instances: facts.instances,
        }
    }

    /// No dependence connects instances that agree in all other loops around them and differ in `member`.
    fn is_free_inside(&self, band: &Band, member: usize, place: &Place, budget: &mut Budget) -> Result<bool, Stop> {
        let scop = &self.analysis.scop;
        for dependence in &self.analysis.dependences.dependences {
            let (source, sink) = (dependence.source.0, dependence.sink.0);
            if !dependence.is_ordering() || !place.active.contains(&source) || !place.active.contains(&sink) {
                continue;
            }
            let names = (&*scop.statements[source].name, &*scop.statements[sink].name);
            if carries(dependence, names, band, member, &place.outer, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether loops stay where they are in the source.
    fn keeps_order(&self) -> bool {
        self.config.scheduler == Scheduler::Original
    }

    fn threads(&self) -> Option<f64> {
        match self.config.parallelism {
            Parallelism::Sequential => None,
            Parallelism::Threads { expected } => Some(f64::from(expected.max(1))),
        }
    }

    /// Cycles when threads share the work of `forks` parallel regions.
    fn with_threads(&self, cycles: f64, forks: f64) -> f64 {
        let threads = self.threads().unwrap_or(1.0);
        cycles / threads + forks * self.config.machine.fork_cycles
    }

    fn threads_gain(&self, cycles: f64, forks: f64) -> bool {
        self.config.profitability == crate::config::Profitability::Ignored
            || self.with_threads(cycles, forks) < 0.9 * cycles
    }

    /// Whether an outer band has enough work below it; counted roughly by instances.
    fn pays_for_threads(&self, _band: &Band, place: &Place) -> bool {
        let cycles: f64 = place.active.iter().map(|&s| self.facts[s].instances).sum();
        let forks: f64 = place.active.first().map_or(1.0, |&s| {
            let above: usize = place.outer.iter().map(Band::n_member).sum();
            self.facts[s].extents.iter().take(above).product()
        });
        self.threads_gain(cycles, forks)
    }
}

/// A register tile must be predicted to need at most this part of the time of the best other structure.
const REGISTER_GAIN: f64 = 0.9;

/// Bands of more members are not skewed for register tiles.
const MAX_SKEWED: usize = 4;

/// The band with one member added to some of the others.
fn skewed_bands(band: &Band) -> Vec<Band> {
    let members = band.n_member();
    let mut result = Vec::new();
    for source in 0..members {
        let others: Vec<usize> = (0..members).filter(|&m| m != source).collect();
        for chosen in 1..1usize << others.len() {
            let mut skewed = band.clone();
            for (_, &target) in others.iter().enumerate().filter(|(bit, _)| chosen >> bit & 1 == 1) {
                skewed = skewed.skew(target, source, &Int::ONE);
                skewed.coincident[target] &= band.coincident[source];
            }
            result.push(skewed);
        }
    }
    result
}

fn register_report(band: &Band, tile: &RegisterTile, parallel: bool) -> BandReport {
    BandReport {
        depth: band.n_member(),
        tile: tile.tiles.iter().map(|&(_, size)| size).collect(),
        register: Some((tile.rows.1, tile.columns.1)),
        reordered: true,
        parallel,
        vector: true,
        ..BandReport::default()
    }
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

/// The coefficients of a band member for a statement's iterators.
fn row(band: &Band, member: usize, statement: &str, iterators: usize) -> Vec<f64> {
    let aff = member_of(band, member, statement).and_then(|f| f.pieces().first()).map(|(_, aff)| aff);
    (0..iterators).map(|i| aff.map_or(0.0, |aff| linear_coefficient(aff, i))).collect()
}

pub(crate) fn member_of<'a>(band: &'a Band, member: usize, statement: &str) -> Option<&'a PwAff> {
    band.schedule.get(member).get_named(statement)
}

fn loop_facts(row: &[f64], step: Option<&[f64]>, facts: &StatementFacts) -> LoopFacts {
    let Some(step) = step else {
        return LoopFacts { trip: 1.0, strides: vec![0.0; facts.accesses.len()] };
    };
    let trip = row.iter().zip(&facts.extents).map(|(h, extent)| h.abs() * (extent - 1.0)).sum::<f64>() + 1.0;
    let strides = facts
        .accesses
        .iter()
        .map(|access| access.steps.iter().zip(step).map(|(bytes, d)| bytes * d).sum::<f64>().abs())
        .collect();
    LoopFacts { trip, strides }
}

/// Whether a dependence has a pair with equal values of all loops but `member`, and different ones there.
fn carries(
    dependence: &Dependence,
    (source, sink): (&str, &str),
    band: &Band,
    member: usize,
    outer: &[Band],
    budget: &mut Budget,
) -> Result<bool, Stop> {
    let mut pairs = dependence.relation.clone();
    let bands = outer.iter().chain([band]).enumerate();
    for (level, above) in bands {
        for other in (0..above.n_member()).filter(|&m| level < outer.len() || m != member) {
            if let Some(equal) = relate(above, other, source, sink, |from, to| from.apply_range(&to.reverse())) {
                pairs = pairs.intersect(&equal);
            }
            if pairs.is_empty(budget)? {
                return Ok(false);
            }
        }
    }
    let strictly = |reverse: bool| {
        move |from: &Map, to: &Map| {
            let space = from.space().range_space();
            let order = if reverse { Map::lex_gt(&space) } else { Map::lex_lt(&space) };
            from.apply_range(&order).apply_range(&to.reverse())
        }
    };
    for reverse in [false, true] {
        if let Some(differ) = relate(band, member, source, sink, strictly(reverse))
            && !pairs.intersect(&differ).is_empty(budget)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Pairs of source and sink instances whose values of a band member are related.
fn relate(band: &Band, member: usize, source: &str, sink: &str, relation: impl Fn(&Map, &Map) -> Map) -> Option<Map> {
    let from = value_map(member_of(band, member, source)?);
    let to = value_map(member_of(band, member, sink)?);
    Some(relation(&from, &to))
}

/// A schedule function as a relation to a one-dimensional space.
pub(crate) fn value_map(function: &PwAff) -> Map {
    let space = function.domain_space();
    let parts = function.pieces().iter().map(|(domain, aff)| {
        MultiAff::into_tuple(space, Tuple::anonymous(1), vec![aff.clone()]).to_map().intersect_domain(domain)
    });
    let target = Space::from_domain_and_range(space, &Space::set(space.params.clone(), Tuple::anonymous(1)));
    parts.fold(Map::empty(target), |all, part| all.union(&part))
}

/// The tree of a leaf band with the chosen structure.
fn build(band: &Band, choice: &Choice, vector: bool, parallel: bool, child: &Tree) -> Tree {
    let points = band.permute(&choice.order).with_loop_type(LoopType::Default);
    let body = if vector {
        let (outer, mut inner) = points.split(points.n_member() - 1);
        inner.coincident = vec![true];
        let inner = Tree::mark(VECTOR, Tree::band(inner, child.clone()));
        if outer.n_member() == 0 { inner } else { Tree::band(outer, inner) }
    } else {
        Tree::band(points, child.clone())
    };
    let tree = match &choice.tiles {
        None => body,
        Some((order, sizes)) => {
            let sizes: Vec<Int> = order.iter().map(|&m| Int::from(sizes[m])).collect();
            let tiles = band.permute(order).tile(&sizes).0.with_loop_type(LoopType::Atomic);
            Tree::band(tiles, body)
        }
    };
    if parallel { Tree::mark(PARALLEL, tree) } else { tree }
}
