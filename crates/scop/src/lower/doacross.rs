//! Blocks of a loop of an outer band as a DOACROSS loop.
//!
//! # Problem
//! Blocks of one loop `x` ([`super::blocks`]) depend on each other: a block of columns of a
//! factorization needs what has become of those before it. In wavefronts of blocks of two loops
//! ([`super::block_wavefronts`]) threads wait for each other again and again, and what a block has
//! in its cache, or in local buffers, is torn apart.
//!
//! # Method
//! Threads take whole blocks of `x`, in order. Inside of each, the outermost loop `y` of the band
//! goes through *stages*, blocks of its own. Before stage `k`, a thread waits until all blocks of
//! `x` up to `k` are finished that come before its own one: doacross loops with one point of
//! waiting for each stage [Cytron1986]. While the first blocks are finished, others can run their
//! first stages.
//!
//! # Legality
//! For each pair of instances in different blocks of `x`, the block of the source must have a
//! number not larger than the stage of the sink. With `l` the largest value of
//! `x(source) - y(sink)` over all pairs with a positive distance in `x`, that holds for stages
//! `floor((y + l) / T)`. [`poly_checker::judge`] decides it again, exactly and without `l`. Since
//! no number of a thread is smaller than that of a block it waits for, the thread with the first
//! unfinished block never waits.

use poly_arith::Int;
use poly_presburger::{Budget, Stop, UnionPwAff};
use poly_schedule_tree::{Band, LoopType, Mark, Tree};

use super::Lowering;
use super::block_wavefronts::InBlocks;
use crate::cost::{Place, Spent, member_of, members_of};
use crate::facts::{at, to_f64};
use crate::packing::waits;
use crate::register;

/// So many blocks keep a thread at work: the last ones wait for each other.
const BLOCKS_OF_THREAD: f64 = 3.0;

/// The stages of blocks.
#[derive(Clone)]
pub(super) struct Stages {
    pub(super) band: Band,
    /// So many blocks can be in some stage at the same time: the first stages of a block do not
    /// need those just before it.
    pub(super) width: f64,
}

impl Lowering<'_> {
    /// The stages in which blocks of the last member can be a DOACROSS loop, if threads may do
    /// that, it is legal, and blocks do not wait for each other from the beginning.
    pub(super) fn stages(
        &self,
        blocks: &InBlocks<'_>,
        tiles: &Band,
        place: &Place,
        budget: &mut Budget,
    ) -> Result<Option<Stages>, Stop> {
        if !self.config.wavefront || !self.may_fork(place) {
            return Ok(None);
        }
        let (band, last) = (blocks.band, blocks.band.n_member() - 1);
        let Some(pairs) = self.pairs_at(place, budget)? else { return Ok(None) };
        let Some(lag) = pairs.lag(band.schedule.get(last), band.schedule.get(0), budget)? else { return Ok(None) };
        let ahead = self.most_ahead(band, place, budget)? - to_f64(&lag.clone().into());
        let width = ahead / blocks.size as f64;
        if width < 1.0 {
            return Ok(None);
        }
        let steps = register::select(band, &[0]);
        let steps = Band { schedule: steps.schedule.map_members(|_, f| f.add_constant(lag.clone())), ..steps };
        let stages = steps.tile(&[Int::from(blocks.size)]).0.with_loop_type(LoopType::Atomic);
        let stages = Band { coincident: vec![false], permutable: false, ..stages };
        let around: Vec<Band> = place.outer.iter().chain([tiles, &stages]).cloned().collect();
        let loops: Vec<&UnionPwAff> = members_of(&around).collect();
        let can_wait = waits(&self.analysis.scop, &place.active, &loops, budget)?.is_some();
        Ok(can_wait.then_some(Stages { band: stages, width }))
    }

    /// The largest difference of the last and the first member of a band at an instance; an
    /// estimate.
    fn most_ahead(&self, band: &Band, place: &Place, budget: &mut Budget) -> Result<f64, Stop> {
        let mut most: f64 = 0.0;
        for &s in &place.active {
            let model = &self.analysis.scop.statements[s];
            let of = |member| member_of(band, member, &model.name);
            let (Some(last), Some(first)) = (of(band.n_member() - 1), of(0)) else { continue };
            let domain = at(&model.domain, &self.estimates);
            if let Some((_, high)) = self.range(&domain, &last.sub(first), budget)? {
                most = most.max(high as f64);
            }
        }
        Ok(most)
    }

    /// Cycles of a DOACROSS loop over so many blocks.
    pub(super) fn doacross_cycles(&self, spent: Spent, blocks: f64, stages: &Stages, place: &Place) -> f64 {
        let machine = &self.config.machine;
        let width = (blocks.min(stages.width) / BLOCKS_OF_THREAD).max(1.0);
        let threads = self.threads().unwrap_or(1.0).min(width);
        let forks = place.active.first().map_or(1.0, |&s| {
            let above: usize = place.outer.iter().map(Band::n_member).sum();
            self.facts[s].extents.iter().take(above).product()
        });
        let waits = 0.5 * blocks * blocks / threads * machine.threads.wait_cycles;
        self.among(spent, threads) + forks * (machine.threads.fork_cycles + waits) + machine.threads.start_cycles
    }
}

/// A DOACROSS loop over blocks: the loop over blocks above stages above the rest.
pub(super) fn doacross_loops(tiles: &Band, stages: &Band, rest: Tree, around: impl Fn(Tree) -> Tree) -> Tree {
    let tiles = Band { coincident: vec![false], ..tiles.clone() };
    let stages = Tree::band(stages.clone(), Tree::mark(Mark::Wait, rest));
    Tree::mark(Mark::Doacross, Tree::band(tiles, around(stages)))
}
