//! When the blocks of a region run.
//!
//! # Definitions
//! The *domain* of a block is the set of iteration vectors of the region's loops around it,
//! outermost first and counted from 0, in which it runs. The domain of an edge is the part of its
//! source's domain in which it is taken.
//!
//! # Algorithm
//! Blocks are visited in textual order.
//! 1. The region's entry runs once.
//! 2. The header of a loop runs in the iterations `0 ..= t` for every time that the loop is
//!    entered, where `t` is the number of times the backedge is taken (scalar evolution's exact
//!    count, as an unsigned number).
//! 3. A block that follows, within the same iteration and on every path, a block that dominates it,
//!    runs when that one does: all loops end.
//! 4. Any other block runs in the union of the domains of the edges into it.
//! 5. Blocks behind a branch that depends on data are put together ([`crate::units`]): they may run
//!    whenever the branch does.
//!
//! Several blocks may leave a loop, if every iteration that is not ended before reaches them. Each
//! has an iteration in which it leaves the loop if no other has left it before; the smallest of
//! these is the last iteration of the loop.
//!
//! The exiting block of a loop leaves it in its iteration, whatever its condition says; other
//! branches and switches follow their conditions. Counters of loops that were left are projected
//! out. That no branch goes to a dead end ([`crate::ends`]) is assumed.

use std::collections::{BTreeMap, BTreeSet};

use poly_arith::Int;
use poly_presburger::{Budget, DimKind, MultiAff, PwAff, Set, Stop};
use poly_scop::shape::Polynomial;
use poly_scop::{AssumptionKind, Place};
use poly_shim::ir::Opcode;
use poly_shim::{ScevRef, ValueRef};

use crate::affine::{Products, Sign, Translator, Use};
use crate::cfg::{BlockId, LoopIndex};
use crate::facts::Reason;
use crate::names;
use crate::regions::Item;
use crate::reject::{Blocker, RejectKind};
use crate::units::Units;
use crate::values::condition_of;

mod no_end;
mod once;

pub(crate) use no_end::EndByData;

/// Largest number of disjuncts of a domain.
const MAX_DISJUNCTS: usize = 16;
/// Largest number of iterations that is found by looking at the condition of a loop.
const MAX_COUNTED: i64 = 1 << 17;
/// More iterations than 2 to this power are not counted by looking at the condition.
const COUNTER_BITS: u32 = 52;
/// Deepest nest.
pub(crate) const MAX_DEPTH: usize = 12;

/// The domains of all blocks of a region.
#[derive(Clone, Debug, Default)]
pub(crate) struct Domains {
    /// What is modelled like one block.
    pub(crate) units: Units,
    /// Blocks with branches that end the program by a condition that only a look at data tells.
    pub(crate) ends_by_data: BTreeMap<BlockId, EndByData>,
    /// How many assumptions the domains rest on; later ones concern accesses.
    pub(crate) assumptions: usize,
    /// By block how many of them were there before its end was looked at; what is assumed of blocks
    /// that come before it in the text is among these.
    assumed_before: BTreeMap<BlockId, usize>,
    blocks: BTreeMap<BlockId, Set>,
    /// By block that leaves its loop: the iterations in which it does not and those in which it
    /// does, if the loop has not been left before.
    exits: BTreeMap<BlockId, (Set, Set)>,
}

impl Domains {
    /// When the block runs.
    pub(crate) fn of(&self, block: BlockId) -> &Set {
        &self.blocks[&block]
    }

    /// When a block that stands for several runs, with the counters of loops inside behind those of
    /// the loops around: each from 0 to its bound, if it has one. `loops` are all of them.
    pub(crate) fn subregion_domain(&self, translator: &Translator<'_, '_>, block: BlockId, loops: &[LoopIndex]) -> Set {
        let outer = self.of(block);
        let mut domain = outer.clone();
        for depth in outer.n_dim()..loops.len() {
            domain = domain.insert_dims(DimKind::Out, depth, 1);
            domain = domain.intersect(&counted(translator, loops, depth + 1, depth));
        }
        domain
    }

    /// How many of the first assumptions contain all that was assumed of what comes before the end
    /// of the block.
    pub(crate) fn assumed_before(&self, block: BlockId) -> usize {
        self.assumed_before.get(&block).copied().unwrap_or(self.assumptions)
    }

    /// Whether the block runs at all.
    pub(crate) fn runs(&self, block: BlockId) -> bool {
        !self.blocks[&block].plain_is_empty()
    }
}

/// Computes the domains of the items, which are in textual order.
pub(crate) fn compute<'c>(
    translator: &mut Translator<'_, 'c>,
    items: &[Item],
    budget: &mut Budget,
) -> Result<Domains, Blocker> {
    let mut domains = Domains::default();
    let entry = translator.origins.region.entry;
    let mut builder = Builder { translator, domains: &mut domains, entry };
    builder.items(items, budget)?;
    domains.assumptions = translator.facts.assumptions().len();
    Ok(domains)
}

struct Builder<'b, 'a, 'c> {
    translator: &'b mut Translator<'a, 'c>,
    domains: &'b mut Domains,
    entry: BlockId,
}

impl<'c> Builder<'_, '_, 'c> {
    /// Recursion is as deep as the nest.
    fn items(&mut self, items: &[Item], budget: &mut Budget) -> Result<(), Blocker> {
        for item in items {
            match item {
                Item::Block(block) => self.block(*block, budget)?,
                Item::Loop(l, inner) => {
                    self.header(*l, budget).map_err(|blocker| blocker.of_loop(*l))?;
                    self.items(inner, budget)?;
                }
            }
        }
        Ok(())
    }

    fn loops_around(&self, block: BlockId) -> Vec<LoopIndex> {
        let origins = self.translator.origins;
        origins.region.loops_around(origins.cfg, block)
    }

    fn block(&mut self, block: BlockId, budget: &mut Budget) -> Result<(), Blocker> {
        budget.spend(1)?;
        if !self.domains.blocks.contains_key(&block) {
            let domain = match self.equivalent(block) {
                Some(other) => self.domains.of(other).clone(),
                None => {
                    let incoming = self.incoming(block);
                    self.simplified(incoming, block, budget)?
                }
            };
            self.domains.blocks.insert(block, domain);
        }
        let origins = self.translator.origins;
        if origins.cfg.subregion_at(block).is_some() {
            self.domains.units.embed(origins.cfg, origins.region, block);
            self.bound_subregion(block, budget)?;
        }
        self.edges_from(block, budget)
    }

    /// Looks for bounds of the numbers of iterations of loops that are executed as a whole.
    fn bound_subregion(&mut self, block: BlockId, budget: &mut Budget) -> Result<(), Blocker> {
        let origins = self.translator.origins;
        let part = origins.cfg.subregion_at(block).expect("the block stands for several");
        for (l, exiting) in &part.loops {
            let mut loops = self.loops_around(block);
            let inner: Vec<LoopIndex> = origins.cfg.around(*l).skip(1).collect();
            loops.extend(part.loops.iter().map(|(outer, _)| *outer).filter(|outer| inner.contains(outer)));
            let domain = self.domains.subregion_domain(self.translator, block, &loops);
            let at = Use {
                block,
                loops: &loops,
                domain: &domain,
                what: "the number of iterations",
                place: None,
                kind: RejectKind::NonAffineTripCount,
                may_assume: false,
                products: Products::Refused,
            };
            let counts: Vec<ScevRef<'c>> = exiting.iter().filter_map(|&e| self.exit_count(*l, e)).collect();
            for count in counts {
                let before = self.translator.snapshot();
                let last = self.translator.integer(count, Sign::Unsigned, &at, budget);
                let last = last.and_then(|last| {
                    let is_affine = self.translator.to_function(&last, loops.len()).is_some();
                    is_affine.then_some(last).ok_or_else(|| Blocker::new(RejectKind::NonAffineTripCount, ""))
                });
                match last {
                    Ok(last) => {
                        self.translator.set_last_iteration(*l, last, &loops);
                        break;
                    }
                    Err(blocker) if blocker.kind == RejectKind::Complexity => return Err(blocker),
                    Err(_) => self.translator.restore(before),
                }
            }
        }
        Ok(())
    }

    /// A block that runs exactly when this one does.
    fn equivalent(&self, block: BlockId) -> Option<BlockId> {
        let origins = self.translator.origins;
        let cfg = origins.cfg;
        let mut dominator = cfg.dominator[block]?;
        while origins.region.contains(dominator) && cfg.loop_of[dominator] != cfg.loop_of[block] {
            dominator = cfg.dominator[dominator]?;
        }
        (origins.region.contains(dominator) && self.is_followed(dominator, block)).then_some(dominator)
    }

    /// Whether every path from `first` comes to `block` before the iteration of the loop around
    /// both ends and before the region is left.
    fn is_followed(&self, first: BlockId, block: BlockId) -> bool {
        let origins = self.translator.origins;
        let cfg = origins.cfg;
        let around = cfg.loop_of[block];
        let ends = |next: BlockId| {
            next == origins.region.exit
                || around.is_some_and(|l| next == cfg.loops[l].header || !cfg.loop_contains(l, next))
        };
        let mut seen = BTreeSet::from([first]);
        let mut todo = vec![first];
        while let Some(current) = todo.pop() {
            for &next in cfg.successors[current].iter().filter(|&&next| next != block) {
                if ends(next) {
                    return false;
                }
                if seen.insert(next) {
                    todo.push(next);
                }
            }
        }
        true
    }

    /// The union of the edges into a block, without the counters of loops that they leave, and
    /// without backedges.
    fn incoming(&self, block: BlockId) -> Set {
        let origins = self.translator.origins;
        let header_of = self.translator.origins.cfg.loop_of[block]
            .filter(|&l| origins.cfg.loops[l].header == block && origins.region.has_loop(l));
        let depth = self.loops_around(block).len() - usize::from(header_of.is_some());
        let space = self.translator.space(depth);
        if block == self.entry {
            return Set::universe(space);
        }
        let mut result = Set::empty(space);
        for &predecessor in &origins.cfg.predecessors[block] {
            if header_of.is_some_and(|l| origins.cfg.loop_contains(l, predecessor)) {
                continue;
            }
            if let Some(edge) = self.translator.edges.get(&(predecessor, block)) {
                let surplus = edge.n_dim() - depth;
                result = result.union(&edge.project_out(DimKind::Out, depth, surplus));
            }
        }
        result
    }

    /// Without impossible disjuncts, and joined where possible.
    fn simplified(&self, domain: Set, block: BlockId, budget: &mut Budget) -> Result<Set, Blocker> {
        let facts = &self.translator.facts;
        let mut possible = Set::empty(domain.space().clone());
        for basic in domain.basic_sets() {
            let basic = Set::from_basic(basic);
            if !facts.is_impossible(&basic, budget)? {
                possible = possible.union(&basic);
            }
        }
        let joined = possible.coalesce(budget)?.gist_params(facts.context(), budget)?;
        if joined.n_basic() > MAX_DISJUNCTS {
            return Err(Blocker::new(
                RejectKind::Complexity,
                "the conditions under which a block runs are too complicated",
            )
            .in_block(block));
        }
        Ok(joined)
    }

    /// The domain of a loop's header, and with it how long the loop runs.
    fn header(&mut self, l: LoopIndex, budget: &mut Budget) -> Result<(), Blocker> {
        let origins = self.translator.origins;
        let header = origins.cfg.loops[l].header;
        let handle = origins.cfg.loops[l].handle;
        let place = names::loop_place(handle);
        check_loop(self.translator, l).map_err(|b| b.at(place.clone()).in_block(header))?;
        let outer = self.incoming(header);
        let outer = self.simplified(outer, header, budget)?;
        let mut loops = self.loops_around(header);
        loops.pop();
        if loops.len() >= MAX_DEPTH {
            return Err(Blocker::new(RejectKind::Complexity, "the loops are nested too deeply")
                .at(place)
                .in_block(header));
        }
        // Ways that end the program are not taken.
        let exiting = origins.cfg.exiting_blocks(l);
        let at = Use {
            block: header,
            loops: &loops,
            domain: &outer,
            what: "the number of iterations",
            place: place.as_ref(),
            kind: RejectKind::NonAffineTripCount,
            may_assume: true,
            products: Products::Refused,
        };
        let depth = loops.len();
        let last = match exiting.as_slice() {
            [only] => self.last_of_one((l, *only), &at, budget)?,
            several => self.last_of_several(l, several, &at, budget)?,
        };
        let last = self.with_size(last, &at, budget)?;
        // The points of a tile are counted from the beginning of the first tile.
        let first = self.translator.first_place(l, &at, budget)?.unwrap_or_default();
        let last = last.add(&first);
        self.translator.set_last_iteration(l, last.clone(), &loops);
        let function = |p: &Polynomial| self.translator.to_function(p, depth + 1);
        let last = function(&last).expect("the number of iterations was found to be affine");
        let first = function(&first).expect("a tile begins at a counter");
        let counter = PwAff::var(self.translator.space(depth + 1), DimKind::Out, depth);
        let iterations = counter.ge_set(&first).intersect_within(&counter.le_set(&last), budget)?;
        let domain = outer.insert_dims(DimKind::Out, depth, 1).intersect_within(&iterations, budget)?;
        let domain = self.simplified(domain, header, budget)?;
        if let [only] = exiting.as_slice() {
            self.domains.exits.insert(*only, (counter.lt_set(&last), counter.eq_set(&last)));
        }
        self.domains.blocks.insert(header, domain);
        Ok(())
    }

    /// The last iteration of a loop that is left by one block.
    fn last_of_one(
        &mut self,
        (l, exiting): (LoopIndex, BlockId),
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Polynomial, Blocker> {
        if let Some(last) = self.translator.last_offset((l, exiting), at, budget)? {
            return Ok(last);
        }
        let before = self.translator.snapshot();
        let counted =
            self.exit_count(l, exiting).map(|count| self.translator.integer(count, Sign::Unsigned, at, budget));
        match counted {
            Some(Err(blocker)) if blocker.kind != RejectKind::Complexity => {
                self.translator.restore(before);
                self.translator.last_by_step((l, exiting), at, budget)?.ok_or(blocker)
            }
            Some(result) => result,
            None => match self.translator.last_by_step((l, exiting), at, budget)? {
                Some(last) => Ok(last),
                None => self.last_by_condition((l, exiting), at, budget),
            },
        }
    }

    /// The last iteration of a loop that is left by several blocks: that in which the first of them
    /// leaves it. That there is one is assumed.
    fn last_of_several(
        &mut self,
        l: LoopIndex,
        exiting: &[BlockId],
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Polynomial, Blocker> {
        let depth = at.depth();
        let (mut first, mut others) = (Vec::new(), Vec::new());
        for &block in exiting {
            match self.exit_count(l, block) {
                Some(count) => {
                    let value = self.translator.value(count, Sign::Unsigned, at, budget)?;
                    let counter = PwAff::var(self.translator.space(depth + 1), DimKind::Out, depth);
                    let exit = self.with_counter(&value, depth);
                    self.domains.exits.insert(block, (counter.lt_set(&exit), counter.eq_set(&exit)));
                    first.push(value);
                }
                None => others.push(block),
            }
        }
        // Other conditions matter only up to there.
        let limit = if first.is_empty() { None } else { Some(smallest(&first, budget)?) };
        for block in others {
            let (value, sets) = self.exit_of_several((l, block), limit.as_ref(), at, budget)?;
            self.domains.exits.insert(block, sets);
            first.push(value);
        }
        self.assumed_last(&smallest(&first, budget)?, at, budget)
    }

    /// The function of the outer counters as one of one counter more.
    fn with_counter(&self, value: &PwAff, depth: usize) -> PwAff {
        value.pullback(&MultiAff::projection(&self.translator.space(depth + 1), 0, depth))
    }

    /// The number of iterations before the block leaves the loop, as far as scalar evolution knows.
    fn exit_count(&self, l: LoopIndex, exiting: BlockId) -> Option<ScevRef<'c>> {
        let origins = self.translator.origins;
        let count = origins.ctx.exit_count(origins.cfg.loops[l].handle, origins.cfg.blocks[exiting]);
        if count.is_could_not_compute() {
            return None;
        }
        let around = origins.cfg.loops[l].parent.map(|outer| origins.cfg.loops[outer].handle);
        Some(origins.canonical(origins.ctx.scev_at_scope(count, around)))
    }

    /// The iteration in which one of several blocks leaves the loop, by its condition, if no other
    /// has left it before, and if that is not behind the limit.
    fn exit_of_several(
        &mut self,
        (l, exiting): (LoopIndex, BlockId),
        limit: Option<&PwAff>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Exit, Blocker> {
        let terminator = self.translator.origins.cfg.blocks[exiting].terminator();
        let at = &Use { what: "the condition", ..*at };
        match self.first_exit((l, exiting), limit, at, budget)? {
            Ok(first) => Ok(first),
            Err(cause) => {
                let message = format!("the loop may be left early: {}", cause.message);
                let blocker = Blocker::new(RejectKind::MultipleExits, message);
                Err(blocker.at(names::place(terminator)).at(at.place.cloned()).in_block(at.block))
            }
        }
    }

    /// The last iteration of a loop that scalar evolution cannot count, because its counter wraps
    /// around if the bound is too large for it or because it ends by one of several conditions: the
    /// first one in which the condition lets the loop end. That there is one is assumed.
    fn last_by_condition(
        &mut self,
        (l, exiting): (LoopIndex, BlockId),
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Polynomial, Blocker> {
        let unknown = self.unknown_count(l, at);
        let mut found = self.first_exit((l, exiting), None, at, budget)?;
        if found.is_err() {
            // A counter of all bits, without a promise, does not wrap around before it has reached
            // a bound below this.
            let most = PwAff::constant(self.translator.space(at.depth()), Int::from(2).pow(COUNTER_BITS));
            found = self.first_exit((l, exiting), Some(&most), at, budget)?;
        }
        match found {
            Ok((last, _)) => self.assumed_last(&last, at, budget).map_err(|blocker| match blocker.kind {
                RejectKind::UnknownTripCount => unknown,
                _ => blocker,
            }),
            Err(_) => Err(unknown),
        }
    }

    fn unknown_count(&self, l: LoopIndex, at: &Use<'_>) -> Blocker {
        let message = format!("it is not known how often the loop runs{}", exit_cause(self.translator, l));
        Blocker::new(RejectKind::UnknownTripCount, message).at(at.place.cloned()).in_block(at.block)
    }

    /// The first iteration, up to the limit, in which the condition of a block lets the loop end,
    /// not defined where there is none; the reason if the condition is not affine.
    fn first_exit(
        &mut self,
        (l, exiting): (LoopIndex, BlockId),
        limit: Option<&PwAff>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Result<Exit, Blocker>, Blocker> {
        let origins = self.translator.origins;
        let depth = at.depth();
        let mut loops = at.loops.to_vec();
        loops.push(l);
        let counter = PwAff::var(self.translator.space(depth + 1), DimKind::Out, depth);
        let zero = PwAff::constant(counter.space().clone(), 0);
        let mut started = at.domain.insert_dims(DimKind::Out, depth, 1).intersect(&counter.ge_set(&zero));
        if let Some(limit) = limit {
            started = started.intersect(&counter.le_set(&self.with_counter(limit, depth)));
        }
        let mut inside = Use { loops: &loops, domain: &started, may_assume: false, block: exiting, ..*at };
        let terminator = origins.cfg.blocks[exiting].terminator();
        let condition = condition_of(terminator).expect("the loop is left by a branch");
        let before = self.translator.snapshot();
        let mut split = self.translator.condition(condition, &inside, budget);
        if split.as_ref().is_err_and(|blocker| blocker.kind != RejectKind::Complexity) {
            // What is assumed for all iterations that there could be is more than necessary.
            self.translator.restore(before.clone());
            inside.may_assume = true;
            split = self.translator.condition(condition, &inside, budget);
        }
        let split = match split {
            Err(blocker) if blocker.kind != RejectKind::Complexity => {
                self.translator.restore(before);
                return Ok(Err(blocker));
            }
            split => split?,
        };
        let targets = origins.cfg.blocks[exiting].successors();
        let stays =
            |position: usize| origins.cfg.number(targets[position]).is_some_and(|b| origins.cfg.loop_contains(l, b));
        let (goes_on, leaves) = if stays(0) { (split.holds, split.fails) } else { (split.fails, split.holds) };
        let ends = started.intersect_within(&leaves, budget)?;
        let outer = MultiAff::projection(&self.translator.space(depth + 1), 0, depth).to_map();
        let first = outer.intersect_domain(&ends).reverse().lexmin(budget).map_err(Stop::from)?;
        let pieces = first.pieces().iter().map(|(domain, value)| (domain.clone(), value.affs()[depth].clone()));
        let last = PwAff::from_pieces(self.translator.space(depth), pieces.collect());
        // Assumptions about all iterations that there could be may leave none.
        let was_possible = !before.facts().is_impossible(at.domain, budget)?;
        if was_possible && self.translator.facts.is_impossible(at.domain, budget)? {
            self.translator.restore(before);
            return Ok(Err(self.unknown_count(l, at)));
        }
        Ok(Ok((last, (goes_on, leaves))))
    }

    /// The last iteration, where it is defined; that it is, is assumed.
    fn assumed_last(&mut self, last: &PwAff, at: &Use<'_>, budget: &mut Budget) -> Result<Polynomial, Blocker> {
        let endless = at.domain.subtract(&last.domain(), budget)?;
        let text = "the counter of the loop reaches its bound".to_string();
        let reason = Reason { kind: AssumptionKind::FiniteLoop, text, place: at.place.cloned() };
        self.translator.facts.exclude(&endless, &reason, budget).map_err(|b| b.in_block(at.block))?;
        // A counter of at most 16 bits takes all its values in this many iterations.
        let many = PwAff::constant(last.space().clone(), MAX_COUNTED);
        if self.translator.facts.is_impossible(&at.domain.intersect_within(&last.gt_set(&many), budget)?, budget)? {
            return self.translator.count_of(last, Int::from(MAX_COUNTED), at, budget);
        }
        let mut largest = self.translator.largest(last, at.loops).filter(|max| max.bits() <= COUNTER_BITS);
        if largest.is_none() {
            // Functions with divisions are not bounded by what they consist of.
            let limit = Int::from(2).pow(COUNTER_BITS);
            let more = last.gt_set(&PwAff::constant(last.space().clone(), limit.clone()));
            let is_bounded =
                self.translator.facts.is_impossible(&at.domain.intersect_within(&more, budget)?, budget)?;
            largest = is_bounded.then_some(limit);
        }
        let unknown = || {
            let message = "it is not known how often the loop runs";
            Blocker::new(RejectKind::UnknownTripCount, message).at(at.place.cloned()).in_block(at.block)
        };
        self.translator.count_of(last, largest.ok_or_else(unknown)?, at, budget)
    }

    /// The domains of the edges out of a block.
    fn edges_from(&mut self, block: BlockId, budget: &mut Budget) -> Result<(), Blocker> {
        let origins = self.translator.origins;
        let domain = self.domains.of(block).clone();
        let successors = &origins.cfg.successors[block];
        self.domains.assumed_before.insert(block, self.translator.facts.assumptions().len());
        if origins.cfg.blocks[block].successors().into_iter().any(|next| self.ends_program(next)) {
            self.assume_no_end(block, &domain, budget)?;
        }
        if let [only] = successors.as_slice() {
            self.translator.edges.insert((block, *only), domain);
            return Ok(());
        }
        let left: Vec<LoopIndex> = origins
            .cfg
            .loops_around(block)
            .filter(|&l| successors.iter().any(|&s| !origins.cfg.loop_contains(l, s)))
            .collect();
        if let Some(&l) = left.first().filter(|&&l| origins.region.has_loop(l)) {
            let (stays, leaves) = self.domains.exits[&block].clone();
            for &successor in successors {
                let taken = if origins.cfg.loop_contains(l, successor) { &stays } else { &leaves };
                self.translator.edges.insert((block, successor), domain.intersect_within(taken, budget)?);
            }
            return Ok(());
        }
        if self.domains.units.chooses(block) {
            self.insert_edges(block, &domain);
            return Ok(());
        }
        let terminator = origins.cfg.blocks[block].terminator();
        let before = self.translator.snapshot();
        let branches = match self.branches(terminator, block, &domain, budget) {
            Err(blocker) if blocker.kind != RejectKind::Complexity => {
                self.translator.restore(before);
                let inner = self.loop_behind(block);
                return self.choose_by_data(block, &domain).ok_or_else(|| match inner {
                    Some(l) => blocker.of_loop(l),
                    None => blocker,
                });
            }
            other => other?,
        };
        for (successor, taken) in branches {
            let Some(successor) = successor else { continue };
            let taken = domain.intersect_within(&taken, budget)?;
            let edge =
                self.translator.edges.entry((block, successor)).or_insert_with(|| Set::empty(taken.space().clone()));
            *edge = edge.union(&taken);
        }
        Ok(())
    }

    /// Makes the blocks that the branch decides about a part of the block's unit; nothing if that
    /// is not possible.
    fn choose_by_data(&mut self, block: BlockId, domain: &Set) -> Option<()> {
        let origins = self.translator.origins;
        let added = self.domains.units.extend(origins.cfg, origins.region, block)?;
        for inner in added {
            self.domains.blocks.insert(inner, domain.clone());
        }
        self.insert_edges(block, domain);
        Some(())
    }

    /// A loop without others inside between the branch and where all its ways come together.
    fn loop_behind(&self, block: BlockId) -> Option<LoopIndex> {
        let origins = self.translator.origins;
        let (cfg, around) = (origins.cfg, origins.cfg.loop_of[block]);
        let join = cfg.post_dominator[block]?;
        let mut seen = BTreeSet::from([block, join]);
        let mut todo = vec![block];
        while let Some(current) = todo.pop() {
            if cfg.loop_of[current] != around {
                let l =
                    cfg.loop_of[current].filter(|&l| cfg.loops[l].header == current && cfg.loops[l].parent == around);
                return l
                    .filter(|&l| origins.region.has_loop(l) && cfg.loops.iter().all(|inner| inner.parent != Some(l)));
            }
            let next = cfg.successors[current].iter().copied();
            todo.extend(next.filter(|&next| origins.region.contains(next) && seen.insert(next)));
        }
        None
    }

    /// All edges out of the block may be taken.
    fn insert_edges(&mut self, block: BlockId, domain: &Set) {
        for &successor in &self.translator.origins.cfg.successors[block] {
            self.translator.edges.insert((block, successor), domain.clone());
        }
    }

    /// The targets of a branch or switch, no number for dead ends, with the iterations in which
    /// they are taken.
    fn branches(
        &mut self,
        terminator: ValueRef<'c>,
        block: BlockId,
        domain: &Set,
        budget: &mut Budget,
    ) -> Result<Vec<(Option<BlockId>, Set)>, Blocker> {
        let loops = self.loops_around(block);
        let place: Option<Place> = names::place(terminator);
        let at = condition_use(block, &loops, domain, place.as_ref());
        let cfg = self.translator.origins.cfg;
        let targets = cfg.blocks[block].successors();
        let number = |position: usize| cfg.number(targets[position]);
        let condition = condition_of(terminator).expect("a block with several successors decides by a condition");
        if terminator.opcode() == Some(Opcode::Br) {
            let split = self.translator.condition(condition, &at, budget)?;
            return Ok(vec![(number(0), split.holds), (number(1), split.fails)]);
        }
        let scev = self.translator.origins.scev_in(condition, block).expect("switches are over integers");
        let value = self.translator.value(scev, Sign::Signed, &at, budget)?;
        let mut result = Vec::new();
        let mut default = domain.clone();
        for (case, target) in terminator.switch_cases() {
            let case = case
                .constant_int()
                .ok_or_else(|| Blocker::new(RejectKind::Type, "a switch over wide integers").in_block(block))?;
            let holds = value.eq_set(&PwAff::constant(value.space().clone(), case));
            default = default.subtract(&holds, budget)?;
            result.push((cfg.number(target), holds));
        }
        result.push((number(0), default));
        Ok(result)
    }
}

/// The points, with this many counters, at which the counter of a loop that is executed as a whole
/// has a value that it can have.
pub(crate) fn counted(translator: &Translator<'_, '_>, loops: &[LoopIndex], depth: usize, counter: usize) -> Set {
    let value = PwAff::var(translator.space(depth), DimKind::Out, counter);
    let zero = PwAff::constant(value.space().clone(), 0);
    let last = translator.last_iteration_of(loops[counter]);
    match last.and_then(|last| translator.to_function(last, depth)) {
        Some(last) => value.ge_set(&zero).intersect(&value.le_set(&last)),
        None => value.ge_set(&zero),
    }
}

/// The iteration in which a condition lets a loop end for the first time, as function of the
/// counters around the loop, and the iterations in which it does not and does.
type Exit = (PwAff, (Set, Set));

/// The smallest of several functions, where at least one is defined.
fn smallest(functions: &[PwAff], budget: &mut Budget) -> Result<PwAff, Stop> {
    let (first, others) = functions.split_first().expect("loops have exits");
    let mut result = first.clone();
    for other in others {
        let only_old = result.intersect_domain(&result.domain().subtract(&other.domain(), budget)?);
        let only_new = other.intersect_domain(&other.domain().subtract(&result.domain(), budget)?);
        result = result.min(other).union_disjoint(&only_old).union_disjoint(&only_new);
    }
    Ok(result)
}

/// The condition at the end of a block.
fn condition_use<'u>(block: BlockId, loops: &'u [LoopIndex], domain: &'u Set, place: Option<&'u Place>) -> Use<'u> {
    Use {
        block,
        loops,
        domain,
        what: "the condition of a branch",
        place,
        kind: RejectKind::NonAffineCondition,
        may_assume: true,
        products: Products::Refused,
    }
}

/// Whether the loop has the form that the rules above need.
fn check_loop(translator: &Translator<'_, '_>, l: LoopIndex) -> Result<(), Blocker> {
    let cfg = translator.origins.cfg;
    let header = cfg.loops[l].header;
    let latches = cfg.latches(l);
    let [latch] = latches.as_slice() else {
        return Err(Blocker::new(
            RejectKind::Structure,
            format!("the loop goes back to its beginning from {} places", latches.len()),
        ));
    };
    let exiting = cfg.exiting_blocks(l);
    if exiting.is_empty() {
        return Err(Blocker::new(RejectKind::MultipleExits, "the loop has no exit"));
    }
    for &block in &exiting {
        let terminator = cfg.blocks[block].terminator();
        let fail = |kind, message: &str| Err(Blocker::new(kind, message).at(names::place(terminator)));
        if cfg.loop_of[block] != Some(l) {
            return fail(RejectKind::MultipleExits, "the loop is left together with a loop inside of it");
        }
        if !cfg.dominates(block, *latch) {
            return fail(
                RejectKind::MultipleExits,
                "the loop may be left early, from a place that not every iteration reaches",
            );
        }
        if terminator.opcode() != Some(Opcode::Br) || cfg.successors[block].len() != 2 {
            return fail(RejectKind::Structure, "the loop is left by a switch");
        }
    }
    let entering = cfg.predecessors[header].iter().filter(|&&b| !cfg.loop_contains(l, b)).count();
    if entering != 1 {
        return Err(Blocker::new(RejectKind::Structure, format!("the loop is entered from {entering} places")));
    }
    Ok(())
}

/// ` because ...` where the exit condition tells.
fn exit_cause<'c>(translator: &Translator<'_, 'c>, l: LoopIndex) -> String {
    let cfg = translator.origins.cfg;
    let Some(&exiting) = cfg.exiting_blocks(l).first() else { return String::new() };
    let Some(condition) = condition_of(cfg.blocks[exiting].terminator()) else { return String::new() };
    let is_inside = |v: &ValueRef<'c>| v.block().and_then(|b| cfg.number(b)).is_some_and(|b| cfg.loop_contains(l, b));
    let operands = if condition.opcode() == Some(Opcode::ICmp) { condition.operands() } else { vec![condition] };
    match operands
        .into_iter()
        .filter(is_inside)
        .find(|v| !matches!(v.opcode(), Some(Opcode::Phi | Opcode::Add | Opcode::GetElementPtr)))
    {
        Some(value) => format!(": its exit depends on {}", names::quoted(value)),
        None => String::new(),
    }
}
