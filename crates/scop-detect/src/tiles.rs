//! Loops over tiles that are made by hand, with tile sizes that are parameters:
//! `for (ii = a; ii < b; ii += t) ... for (i = ii; i < min(ii + t, b); i++)`.
//!
//! # Problem
//! `ii` is `a + t * k` in iteration `k`, a product of a parameter and a counter. Nothing with such
//! a product is affine. But statements inside of both loops mostly use `i` only, and `i` takes
//! every value of its range once.
//!
//! # Definitions
//! The outer loop is a *tile loop*, the inner one its *point loop*; others may be between them and
//! inside. The *offset* of a tile loop is `w = t * k` (`|ii - a|`), the *place* of a point loop is
//! `g = |i - a|` in the tile's coordinates, so its own iteration number is `g - w`.
//!
//! # Algorithm
//! 1. In the domains, the dimension of a tile loop is its offset, and that of a point loop its
//!    place. Both make affine functions of the counters: `{x,+,t}<ii>` is `x + w`, and
//!    `{{x,+,t}<ii>,+,1}<i>` is `x + w + (g - w)`. Offsets take all integers of `0 ..= last` for
//!    the model; the program's are the multiples of `t` among them. So sets are never too small,
//!    and what is proven or assumed about all of their points holds for the program.
//! 2. Let `D` be the domain of a block in the point loop and `P` what is left of it without the
//!    offsets. It is required that `D` is `P` with the constraints `w <= g < w + t` and
//!    `0 <= w <= last` of each tile loop, and that `g <= last` in `P`. Then a point of `P` is
//!    executed in exactly one tile, `w = t * (g / t)` rounded down: this offset is one of the
//!    program's because of `0 <= g <= last`, and the point is in `D` with it. Without `min`, points
//!    lie behind the offset of the last tile; there `last` is not the distance of the bound but `t`
//!    times the number of tiles, computed before the region, which is the end of the last tile.
//! 3. The model has `P` with the offset 0. Relations that involve an offset are refused (but see
//!    4), and values that code generation computes again must be functions of places. Since
//!    `{{x,+,t}<ii>,+,1}<i>` is `x + g` with iteration 0 of the tile loop and iteration `g` of the
//!    point loop, too, code generation needs to know nothing of all this.
//! 4. Statements in a tile loop but not in its point loop are executed once in every tile. Their
//!    domain must be that of the entry of a point loop.
//! 5. The program executes tile by tile, the model does not. [`poly_scop::judge_tiles`] finds out
//!    whether that is the same. It sees relations of the statements of 4 with the offset, which is
//!    0 in their domains.
//!
//! If any of that fails, the region is modelled as if there were no tiles.

use std::collections::{BTreeMap, BTreeSet};

use poly_arith::Int;
use poly_presburger::{Budget, DimKind, Map, PwAff, Set};
use poly_scop::AssumptionKind;
use poly_scop::shape::{Polynomial, Symbol};
use poly_shim::ir::Opcode;
use poly_shim::{LoopRef, ScevKind, ScevRef, ValueRef};

use crate::access::transfer;
use crate::affine::{FIRST_QUASI, Products, Translator, Use};
use crate::cfg::{BlockId, LoopIndex};
use crate::domains::Domains;
use crate::facts::Reason;
use crate::reject::{Blocker, RejectKind};
use crate::steps::Walk;
use crate::values::Origins;

/// Largest expression that is looked at.
const MAX_NODES: usize = 200;

/// The tile loops of a region, as far as they are known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tiles {
    /// Which loops may be tile loops.
    candidates: BTreeSet<LoopIndex>,
    /// Those of them whose last tile may reach beyond the bound.
    open: BTreeSet<LoopIndex>,
    loops: BTreeMap<LoopIndex, Tile>,
    /// By point loop: its tile loop.
    points: BTreeMap<LoopIndex, LoopIndex>,
}

#[derive(Clone, Debug)]
struct Tile {
    /// The tile size, at least 1.
    step: Polynomial,
    /// The largest offset.
    last: Polynomial,
    /// The largest place.
    last_place: Polynomial,
    is_down: bool,
}

/// Why there is no model with tiles.
pub(crate) enum Unfit {
    Blocked(Blocker),
    /// The last tile of this loop reaches beyond the bound.
    Open(LoopIndex),
}

impl From<Blocker> for Unfit {
    fn from(blocker: Blocker) -> Self {
        Self::Blocked(blocker)
    }
}

impl From<poly_presburger::Stop> for Unfit {
    fn from(stop: poly_presburger::Stop) -> Self {
        Self::Blocked(stop.into())
    }
}

/// The loops of the region that may be tile loops: their step is a parameter, and the counter of a
/// loop inside begins with theirs.
pub(crate) fn candidates(origins: Origins<'_, '_>) -> BTreeSet<LoopIndex> {
    let cfg = origins.cfg;
    if cfg.subregions().next().is_some() {
        return BTreeSet::new();
    }
    let has_way = |l: LoopIndex| match (cfg.exiting_blocks(l).as_slice(), cfg.latches(l).as_slice()) {
        ([exiting], [latch]) => exiting == latch && Walk::of(origins, l, *exiting).is_some(),
        _ => false,
    };
    let has_points = |l: LoopIndex| {
        let handle = cfg.loops[l].handle;
        let is_inside = |inner: &LoopIndex| *inner != l && cfg.around(*inner).any(|outer| outer == l);
        let mut counters = origins.region.loops.iter().copied().filter(is_inside).flat_map(|p| counters(origins, p));
        counters.any(|counter| mentions(counter.operands()[0], &|of| of == handle))
    };
    origins.region.loops.iter().copied().filter(|&l| has_way(l) && has_points(l)).collect()
}

/// The counters among the PHI nodes of a loop, that go by steps of 1 or -1.
fn counters<'c>(origins: Origins<'_, 'c>, l: LoopIndex) -> Vec<ScevRef<'c>> {
    let (cfg, header) = (origins.cfg, origins.cfg.loops[l].header);
    let mut result = Vec::new();
    for phi in cfg.blocks[header].phis() {
        let is_integer = phi.ty().integer_bits().is_some();
        let Some(scev) = origins.scev_in(phi, header).filter(|_| is_integer) else { continue };
        let own = scev.kind() == ScevKind::AddRec && scev.addrec_loop().and_then(|of| cfg.loop_number(of)) == Some(l);
        let operands = scev.operands();
        if own && operands.len() == 2 && matches!(operands[1].constant(), Some(1 | -1)) {
            result.push(scev);
        }
    }
    result
}

/// Whether recurrences of certain loops are in the expression, or it is very large.
fn mentions<'c>(scev: ScevRef<'c>, of: &dyn Fn(LoopRef<'c>) -> bool) -> bool {
    let mut todo = vec![scev];
    for _ in 0..MAX_NODES {
        let Some(part) = todo.pop() else { return false };
        if part.kind() == ScevKind::AddRec && part.addrec_loop().is_some_and(of) {
            return true;
        }
        todo.extend(part.operands());
    }
    true
}

impl Tiles {
    /// For a region with these candidates, of which the last tile of some is `open`: it may reach
    /// beyond the bound.
    pub(crate) fn new(candidates: BTreeSet<LoopIndex>, open: BTreeSet<LoopIndex>) -> Self {
        Self { candidates, open, loops: BTreeMap::new(), points: BTreeMap::new() }
    }

    /// Whether the loop may be one over tiles.
    pub(crate) fn is_candidate(&self, l: LoopIndex) -> bool {
        self.candidates.contains(&l)
    }

    /// Whether no loop may be one over tiles.
    pub(crate) fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }

    /// What the counter of a tile loop with steps of `growth` has come to: a multiple of the
    /// offset, which is the variable `position`; nothing if it is none.
    pub(crate) fn way(&self, l: LoopIndex, growth: &Polynomial, position: usize) -> Option<Polynomial> {
        Some(growth.div_exact(&self.loops.get(&l)?.step)?.mul(&variable(position)))
    }

    /// Whether the loop is one over tiles.
    pub(crate) fn has(&self, l: LoopIndex) -> bool {
        self.loops.contains_key(&l)
    }

    /// The iteration number of the loop at this position of `around`.
    pub(crate) fn number(&self, around: &[LoopIndex], position: usize) -> Polynomial {
        let counter = variable(position);
        match self.points.get(&around[position]).and_then(|tile| around.iter().position(|l| l == tile)) {
            Some(tile) => counter.sub(&variable(tile)),
            None => counter,
        }
    }

    /// The pairs of positions in a nest of tile loops with the point loop, if that is in the nest,
    /// too.
    fn pairs(&self, around: &[LoopIndex]) -> Vec<(usize, Option<usize>)> {
        let point_of = |tile: LoopIndex| around.iter().position(|l| self.points.get(l) == Some(&tile));
        let tiles = around.iter().enumerate().filter(|(_, l)| self.has(**l));
        tiles.map(|(position, &l)| (position, point_of(l))).collect()
    }

    /// The loops of the model; `number` says which is which.
    pub(crate) fn of_model(&self, number: impl Fn(LoopIndex) -> poly_scop::LoopId) -> Vec<poly_scop::TileLoop> {
        let points = |tile: LoopIndex| self.points.iter().filter(move |(_, of)| **of == tile);
        let describe = |&tile: &LoopIndex| poly_scop::TileLoop {
            tile: number(tile),
            points: points(tile).map(|(&point, _)| number(point)).collect(),
        };
        self.loops.keys().map(describe).collect()
    }
}

fn variable(position: usize) -> Polynomial {
    Polynomial::symbol(Symbol::Variable(u32::try_from(position).expect("nests are not deep")))
}

impl<'c> Translator<'_, 'c> {
    /// The largest offset of a tile loop; nothing if the loop is none.
    pub(crate) fn last_offset(
        &mut self,
        (l, exiting): (LoopIndex, BlockId),
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Polynomial>, Blocker> {
        if !self.tiles.is_candidate(l) {
            return Ok(None);
        }
        let Some(walk) = Walk::of(self.origins, l, exiting) else { return Ok(None) };
        let Some((bound, step)) = self.way(&walk, at, budget)? else { return Ok(None) };
        let first = self.integer(walk.before(self.origins.ctx), walk.sign(), at, budget)?;
        let distance = if walk.is_down() { first.sub(&bound) } else { bound.sub(&first) };
        let last = distance.add(&Polynomial::constant(walk.reach() - 1));
        let function = self.function(&last, at)?;
        let zero = PwAff::constant(function.space().clone(), 0);
        let reason =
            |text: &str| Reason { kind: AssumptionKind::FiniteLoop, text: text.to_string(), place: at.place.cloned() };
        // The first iteration is executed anyway.
        let entered = at.domain.intersect(&function.lt_set(&zero));
        let begins = reason("the first tile begins before the bound");
        self.facts.exclude(&entered, &begins, budget).map_err(|b| b.in_block(at.block))?;
        let (mut last, mut last_place) = (last.clone(), last);
        if self.tiles.open.contains(&l) {
            let length = self.congruent_param(walk.length(self.origins), at, budget)?.0;
            let step_function = self.function(&step, at)?;
            let end = self.function(&length, at)?;
            // Both follow from how it is computed, but for numbers that the assumptions above
            // exclude.
            let beyond = end.gt_set(&function).union(&end.le_set(&function.sub(&step_function)));
            let beyond = beyond.union(&end.lt_set(&zero));
            let text = reason("the last tile begins before the bound and ends behind it");
            self.facts.exclude(&at.domain.intersect(&beyond), &text, budget).map_err(|b| b.in_block(at.block))?;
            self.pin(&length);
            last_place = length.add(&step).sub(&Polynomial::constant(1));
            last = length;
        }
        self.tiles.loops.insert(l, Tile { step, last: last.clone(), last_place, is_down: walk.is_down() });
        Ok(Some(last))
    }

    /// The offset at which the iterations of a loop begin, if it is the point loop of a tile loop
    /// around it: its counter begins with that of the tile loop and goes the same way.
    pub(crate) fn first_place(
        &mut self,
        l: LoopIndex,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Polynomial>, Blocker> {
        let is_single = self.origins.cfg.exiting_blocks(l).len() == 1;
        if self.tiles.is_empty() || !is_single || self.tiles.has(l) {
            return Ok(None);
        }
        let taken: Vec<usize> =
            self.tiles.pairs(at.loops).into_iter().filter(|(_, point)| point.is_none()).map(|(tile, _)| tile).collect();
        for counter in counters(self.origins, l) {
            let operands = counter.operands();
            let before = self.snapshot();
            let Ok((start, _)) = self.congruent(operands[0], at, budget) else {
                self.restore(before);
                continue;
            };
            let Some((factors, _)) = start.linear_in_variables() else { continue };
            let offsets: Vec<usize> = taken
                .iter()
                .copied()
                .filter(|&tile| factors.contains_key(&u32::try_from(tile).expect("nests are not deep")))
                .collect();
            let [tile] = offsets.as_slice() else { continue };
            let factor = factors[&u32::try_from(*tile).expect("nests are not deep")].as_constant();
            let direction = if self.tiles.loops[&at.loops[*tile]].is_down { -1 } else { 1 };
            let is_quasi = factors.keys().any(|&v| v >= FIRST_QUASI);
            if !is_quasi && factor == Some(Int::from(direction)) && operands[1].constant() == Some(direction.into()) {
                self.tiles.points.insert(l, at.loops[*tile]);
                return Ok(Some(variable(*tile)));
            }
        }
        Ok(None)
    }

    /// The points of a domain without offsets: each is executed in exactly one tile. `entries` are
    /// the domains of the headers of point loops, without the places.
    pub(crate) fn without_tiles(
        &self,
        domain: &Set,
        around: &[LoopIndex],
        entries: &[(LoopIndex, Set)],
        budget: &mut Budget,
    ) -> Result<Set, Unfit> {
        let pairs = self.tiles.pairs(around);
        if pairs.is_empty() {
            return Ok(domain.clone());
        }
        if pairs.iter().any(|(_, point)| point.is_none()) {
            let innermost = around.last().copied();
            let parent = |l: LoopIndex| self.origins.cfg.loops[l].parent;
            for (point, entry) in entries.iter().filter(|(point, _)| parent(*point) == innermost) {
                let is_same = self.is_part(domain, entry, budget)? && self.is_part(entry, domain, budget)?;
                if is_same && self.tiles.points.contains_key(point) {
                    return Ok(at_offset_zero(domain, &pairs));
                }
            }
            return Err(unfit("something is executed in every tile, outside of the loop over its points").into());
        }
        let places = at_offset_zero(domain, &pairs);
        let mut tiled = free_offsets(&places, &pairs);
        for &(tile, point) in &pairs {
            let point = point.expect("all point loops are there");
            let Tile { step, last, last_place, .. } = &self.tiles.loops[&around[tile]];
            let function = |p: &Polynomial| {
                self.to_function(p, around.len()).ok_or_else(|| Unfit::from(unfit("the size of tiles is not affine")))
            };
            let (step, last, last_place) = (function(step)?, function(last)?, function(last_place)?);
            let offset = PwAff::var(self.space(around.len()), DimKind::Out, tile);
            let place = PwAff::var(self.space(around.len()), DimKind::Out, point);
            let zero = PwAff::constant(offset.space().clone(), 0);
            let behind = places.intersect(&place.gt_set(&last_place).union(&place.lt_set(&zero)));
            if !self.facts.is_impossible(&behind, budget)? {
                return Err(Unfit::Open(around[tile]));
            }
            tiled = tiled
                .intersect(&offset.ge_set(&zero).intersect(&offset.le_set(&last)))
                .intersect(&place.ge_set(&offset).intersect(&place.lt_set(&offset.add(&step))));
        }
        match self.is_part(&tiled, domain, budget)? && self.is_part(domain, &tiled, budget)? {
            true => Ok(places),
            false => Err(unfit("what is executed in a tile depends on where the tile begins").into()),
        }
    }

    fn is_part(&self, part: &Set, all: &Set, budget: &mut Budget) -> Result<bool, Unfit> {
        Ok(self.facts.is_impossible(&self.facts.restrict(part).subtract(all, budget)?, budget)?)
    }

    /// The domains of the headers of point loops, without the places: when the loops are entered.
    pub(crate) fn entries(&self, domains: &Domains) -> Vec<(LoopIndex, Set)> {
        let entry = |&l: &LoopIndex| {
            let domain = domains.of(self.origins.cfg.loops[l].header);
            (l, domain.project_out(DimKind::Out, domain.n_dim() - 1, 1))
        };
        self.tiles.points.keys().map(entry).collect()
    }

    /// Refuses relations from instances that involve an offset, but in statements that are executed
    /// once in every tile.
    pub(crate) fn check_relation(&self, relation: &Map, around: &[LoopIndex]) -> Result<(), Blocker> {
        let mut pairs = self.tiles.pairs(around).into_iter();
        match pairs.any(|(tile, point)| point.is_some() && relation.involves_dims(DimKind::In, tile, 1)) {
            true => Err(unfit("an address depends on where a tile begins")),
            false => Ok(()),
        }
    }

    /// Refuses values that code generation would compute otherwise than from places.
    pub(crate) fn check_synthesized(
        &mut self,
        value: ValueRef<'c>,
        block: BlockId,
        domain: &Set,
        budget: &mut Budget,
    ) -> Result<(), Blocker> {
        if self.tiles.is_empty() {
            return Ok(());
        }
        let loops = self.origins.region.loops_around(self.origins.cfg, block);
        let at = Use {
            block,
            loops: &loops,
            domain,
            what: "a value",
            place: None,
            kind: RejectKind::Structure,
            may_assume: false,
            products: Products::Proven,
        };
        let scev = self.origins.scev_in(value, block).ok_or_else(|| unfit("a value in a tile is not an integer"))?;
        match self.is_of_places(scev, &at, 0, budget)? {
            true => Ok(()),
            false => Err(unfit("a value depends on where a tile begins").in_block(block)),
        }
    }

    /// Whether the expression is the same in iteration 0 of the tile loops, with the place as
    /// iteration number of the point loops.
    fn is_of_places(
        &mut self,
        scev: ScevRef<'c>,
        at: &Use<'_>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<bool, Blocker> {
        let cfg = self.origins.cfg;
        let number = |l: LoopRef<'c>| cfg.loop_number(l);
        let tiles = &self.tiles;
        let is_tile = |l: LoopRef<'c>| number(l).is_some_and(|l| tiles.has(l));
        let is_point = |l: LoopRef<'c>| number(l).is_some_and(|l| tiles.points.contains_key(&l));
        if !mentions(scev, &|l| is_tile(l) || is_point(l)) {
            return Ok(true);
        }
        if depth > MAX_NODES {
            return Ok(false);
        }
        // The parts that are no sums and products.
        let (mut todo, mut others) = (vec![scev], Vec::new());
        for _ in 0..MAX_NODES {
            let Some(part) = todo.pop() else { break };
            match part.kind() {
                ScevKind::Add | ScevKind::Mul | ScevKind::AddRec => todo.extend(part.operands()),
                ScevKind::Constant | ScevKind::Unknown => {}
                _ if mentions(part, &is_point) => others.push(part),
                // Iteration 0 of the tile loop is one of the program's.
                _ => {}
            }
        }
        if !todo.is_empty() {
            return Ok(false);
        }
        for part in others {
            for operand in part.operands() {
                if !self.is_of_places(operand, at, depth + 1, budget)? {
                    return Ok(false);
                }
            }
        }
        let before = self.snapshot();
        let value = self.congruent(scev, at, budget);
        let offsets: Vec<u32> = self.tiles.pairs(at.loops).into_iter().map(|(tile, _)| tile as u32).collect();
        let is_free = value.is_ok_and(|(value, _)| {
            let symbols = value.symbols();
            let mut variables = symbols.iter().filter_map(|s| match s {
                Symbol::Variable(v) => Some(*v),
                Symbol::Param(_) => None,
            });
            variables.all(|v| v < FIRST_QUASI && !offsets.contains(&v))
        });
        self.restore(before);
        Ok(is_free)
    }

    /// Refuses what the checks of relations and operands do not see: transfers whose length is
    /// computed again, and loads that come before the region. Every tile loop must have points.
    pub(crate) fn check_tiles(&self, domains: &Domains, budget: &mut Budget) -> Result<(), Unfit> {
        let has_points = |tile: &LoopIndex| self.tiles.points.values().any(|of| of == tile);
        if self.tiles.loops.is_empty() || !self.tiles.loops.keys().all(has_points) {
            return Err(unfit("the loop over the points of a tile has another form").into());
        }
        let entries = self.entries(domains);
        let origins = self.origins;
        for &point in self.tiles.points.keys() {
            let header = origins.cfg.loops[point].header;
            let around = origins.region.loops_around(origins.cfg, header);
            if self.tiles.pairs(&around).iter().all(|(_, point)| point.is_some()) {
                let _ = self.without_tiles(domains.of(header), &around, &entries, budget)?;
            }
        }
        for &block in origins.region.blocks.iter().filter(|&&b| domains.runs(b)) {
            let around = origins.region.loops_around(origins.cfg, block);
            if self.tiles.pairs(&around).is_empty() {
                continue;
            }
            let instructions = origins.cfg.instructions(block);
            if instructions.iter().any(|&i| i.opcode() == Some(Opcode::Call) && transfer(i).is_some()) {
                return Err(unfit("memory is copied or set in a tile").in_block(block).into());
            }
            if origins.loads.classes.iter().any(|class| class.sites.iter().any(|(at, _)| *at == block)) {
                let _ = self.without_tiles(domains.of(block), &around, &entries, budget)?;
            }
        }
        Ok(())
    }
}

fn unfit(message: &str) -> Blocker {
    Blocker::new(RejectKind::Structure, format!("loops over tiles made by hand: {message}"))
}

/// Without offsets, as if they were 0.
fn at_offset_zero(domain: &Set, pairs: &[(usize, Option<usize>)]) -> Set {
    let free = free_offsets(domain, pairs);
    pairs.iter().fold(free, |set, &(tile, _)| set.fix(DimKind::Out, tile, 0))
}

/// Without constraints of offsets.
fn free_offsets(domain: &Set, pairs: &[(usize, Option<usize>)]) -> Set {
    pairs.iter().fold(domain.clone(), |set, &(tile, _)| {
        set.project_out(DimKind::Out, tile, 1).insert_dims(DimKind::Out, tile, 1)
    })
}
