//! A whole loop in the lanes of vectors.
//!
//! # Input
//! A non-affine subregion with [`poly_scop::LaneLoop`]: one loop with branches and any number of
//! ways out of it, made of instructions that have a vector form and do not trap, and of loads at
//! addresses from before it; the values that it uses of the rest; which lanes come to it.
//!
//! # Output
//! ```text
//!   what the first block loads, in the lanes that come to it
//!   do:
//!     what other blocks load, in the lanes that come there for the first time; a condition for all loads of a block
//!     the blocks one after the other, each with the mask of the lanes that are in it; PHI nodes choose by the masks of the edges
//!     kept = what is used behind the loop, of the lanes that are still active
//!     active = the lanes that go on
//!   while any lane is active
//!   the blocks on the ways from the exits to the join, in the same way
//! ```
//!
//! # Values
//! 1. The values of a lane that is active are those of its instance: masks decide which lanes an
//!    iteration counts for, and instructions do the same in every lane.
//! 2. Lanes that are not active compute on with what they have, which may be poison, and is never
//!    kept. So the loop carries no more than that of one instance does, and no choice is in the way
//!    from one iteration to the next.
//! 3. Masks of blocks and edges are those of an iteration alone, so that they are ready as early as
//!    what they compare; which lanes are active is asked at its end. A condition enters a mask only
//!    by a `select` with the mask of the block that asks, and a mask what is kept by one with the
//!    active lanes: none of those is ever poison.
//! 4. The last iteration in which a lane is active is the one in which it leaves: what was kept
//!    then are the values with which it leaves.
//!
//! # End
//! The loop of every active lane ends, so all of them do; lanes that are not active keep none of
//! them.
//!
//! Reference: [AllenKennedyPorterfieldWarren1983], [KarrenbergHack2011].

use indexmap::{IndexMap, IndexSet};
use poly_shim::NonAffineSubregion;
use poly_shim::ir::{Opcode, TypeKind};

use crate::alias;
use crate::builder::{self, Block, Op, Type, Value};
use crate::generator::Generator;
use crate::lane_guard::{self, LoopCycles};

/// Which lanes there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lanes<'c> {
    /// How many.
    pub(crate) count: u32,
    /// Those that come to the loop.
    pub(crate) active: Value<'c>,
    /// All of them do.
    pub(crate) all: bool,
    /// What it takes.
    pub(crate) cycles: LoopCycles,
}

/// What the loop uses of the rest.
#[derive(Debug, Default)]
pub(crate) struct Inputs<'c> {
    /// By original value: a vector, or the scalar that all lanes have.
    pub(crate) values: IndexMap<Value<'c>, Value<'c>>,
    /// Addresses of neighbouring lanes that are all as far from each other.
    pub(crate) rows: IndexMap<Value<'c>, Row<'c>>,
}

/// Addresses of neighbouring lanes that are all as far from each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'c> {
    /// In the first lane.
    pub(crate) first: Value<'c>,
    /// From one lane to the next.
    pub(crate) bytes: i128,
}

/// The state of writing a loop in lanes.
struct LaneLoop<'p, 'c> {
    part: &'p NonAffineSubregion<'c>,
    lanes: u32,
    /// Blocks of the loop; the others are behind it.
    inside: IndexSet<Block<'c>>,
    /// By original value: vectors, or the scalar that all lanes have.
    values: IndexMap<Value<'c>, Value<'c>>,
    /// Which lanes take an edge. Of edges of the loop this is said of the lanes that are active in
    /// the iteration; others may be anything, poison too.
    edges: IndexMap<(Block<'c>, Block<'c>), Value<'c>>,
    rows: IndexMap<Value<'c>, Row<'c>>,
    /// By block of the loop with loads, but for the first one: which lanes have executed them, and
    /// what is known of that.
    loaded: IndexMap<Block<'c>, Loaded<'c>>,
    /// While the loop is written: the lanes that are active.
    active: Option<Value<'c>>,
    /// Parts of cycles that the loop has taken so far.
    spent: Value<'c>,
}

/// Which lanes execute a load.
#[derive(Clone, Copy, Debug)]
enum LoadOf<'c> {
    /// All of them.
    All,
    /// Those of a mask, in which there is one at least.
    Some(Value<'c>),
    /// Those of a mask.
    Mask(Value<'c>),
}

impl<'c> LoadOf<'c> {
    fn mask(self) -> Option<Value<'c>> {
        match self {
            Self::All => None,
            Self::Some(mask) | Self::Mask(mask) => Some(mask),
        }
    }
}

/// The loads of a block behind a branch of the loop.
#[derive(Clone)]
struct Loaded<'c> {
    /// Each with what lanes have loaded.
    loads: Vec<(Value<'c>, Value<'c>)>,
    /// Which lanes have.
    have: Value<'c>,
}

/// A value that the loop hands on from iteration to iteration.
struct Carried<'c> {
    original: Value<'c>,
    phi: Value<'c>,
}

impl<'c> LaneLoop<'_, 'c> {
    fn is_inside(&self, value: Value<'c>) -> bool {
        value.block().is_some_and(|block| self.inside.contains(&block))
    }

    /// The edges into a block from blocks of the loop, or from all that are not in it.
    fn edges_into(&self, block: Block<'c>) -> Vec<(Block<'c>, Value<'c>)> {
        let own = self.edges.iter().filter(|((_, to), _)| *to == block);
        own.map(|((from, _), &mask)| (*from, mask)).collect()
    }

    /// The loads that not every iteration executes, by block.
    fn loads_behind_branches(&self) -> Vec<(Block<'c>, Vec<Value<'c>>)> {
        let blocks = self.inside.iter().filter(|block| **block != self.part.header);
        let loads = |block: &Block<'c>| -> Vec<Value<'c>> {
            block.instructions().into_iter().filter(|i| i.opcode() == Some(Opcode::Load)).collect()
        };
        blocks.map(|block| (*block, loads(block))).filter(|(_, loads)| !loads.is_empty()).collect()
    }

    /// The values of the loop that are used behind it.
    fn kept(&self) -> Vec<Value<'c>> {
        let instructions = self.inside.iter().flat_map(|block| block.instructions());
        let is_value = |value: &Value<'c>| value.ty().kind() != TypeKind::Void && !is_address(*value);
        let leaves = |value: &Value<'c>| value.users().into_iter().any(|user| !self.is_inside(user));
        instructions.filter(|value| is_value(value) && leaves(value)).collect()
    }
}

/// The blocks of a part from which its header is reached again, in the order of the part.
fn blocks_of_loop<'c>(part: &NonAffineSubregion<'c>) -> IndexSet<Block<'c>> {
    let mut found: IndexSet<Block<'c>> = IndexSet::from([part.header]);
    let mut todo = vec![part.header];
    while let Some(block) = todo.pop() {
        let before = block.predecessors().into_iter().filter(|from| part.blocks.contains(from));
        for from in before {
            if found.insert(from) {
                todo.push(from);
            }
        }
    }
    part.blocks.iter().copied().filter(|block| found.contains(block)).collect()
}

impl<'c> Generator<'c, '_> {
    /// Writes the loop for the lanes; gives what it leaves behind, by original value: those of the
    /// part, and PHI nodes of the join.
    pub(crate) fn emit_lane_loop(
        &mut self,
        part: &NonAffineSubregion<'c>,
        inputs: Inputs<'c>,
        lanes: Lanes<'c>,
    ) -> IndexMap<Value<'c>, Value<'c>> {
        let inside = blocks_of_loop(part);
        let mut state = LaneLoop {
            part,
            lanes: lanes.count,
            inside,
            values: inputs.values,
            rows: inputs.rows,
            edges: IndexMap::new(),
            loaded: IndexMap::new(),
            active: None,
            spent: self.b.int(64, 0),
        };
        self.addresses_before(&mut state);
        self.load_before(&mut state, lanes);
        let kept = self.emit_lane_iterations(&mut state, lanes);
        for (original, value) in kept {
            state.values.insert(original, value);
        }
        let behind: Vec<Block<'c>> =
            part.blocks.iter().copied().filter(|block| !state.inside.contains(block)).collect();
        for block in behind {
            let mask = self.any_of(&state.edges_into(block));
            self.emit_block_in_lanes(&mut state, block, mask);
        }
        for phi in part.join.phis() {
            if phi.incoming().iter().any(|(from, _)| part.blocks.contains(from)) && is_lane_type(phi.ty()) {
                let value = self.merged_lanes(&mut state, phi);
                state.values.insert(phi, value);
            }
        }
        state.values
    }

    /// Computes the addresses of loads: all that they depend on is from before the loop.
    fn addresses_before(&mut self, state: &mut LaneLoop<'_, 'c>) {
        let blocks: Vec<Block<'c>> = state.part.blocks.clone();
        for original in blocks.into_iter().flat_map(|block| block.instructions()).filter(|&i| is_address(i)) {
            let address = self.widened_in_lanes(state, original);
            state.values.insert(original, address);
        }
    }

    /// Loads what the first block loads: it is the same in all iterations, and every lane that
    /// comes to the loop loads it.
    fn load_before(&mut self, state: &mut LaneLoop<'_, 'c>, lanes: Lanes<'c>) {
        let header = state.part.header;
        let mut cycles = 0;
        for load in header.instructions().into_iter().filter(|i| i.opcode() == Some(Opcode::Load)) {
            let of = if lanes.all { LoadOf::All } else { LoadOf::Mask(lanes.active) };
            let (loaded, own) = self.load_in_lanes(state, load, of);
            cycles += own;
            state.values.insert(load, loaded);
        }
        state.spent = self.b.arithmetic(Op::Add, state.spent, self.b.int(64, cycles), false);
    }

    /// Writes the iterations; gives what is used behind them, by original value. The builder is
    /// behind the loop afterwards, and the masks of the edges out of it say which lanes took them.
    fn emit_lane_iterations(&mut self, state: &mut LaneLoop<'_, 'c>, lanes: Lanes<'c>) -> Vec<(Value<'c>, Value<'c>)> {
        let function = self.frame.function;
        let first = lanes.active;
        let [header, after] = ["poly.lanes", "poly.lanes.left"].map(|name| self.b.append_block(function, name));
        let before = self.b.block();
        let entered: Vec<(Value<'c>, Value<'c>)> = state
            .part
            .header
            .phis()
            .into_iter()
            .map(|phi| {
                let outside = phi.incoming().into_iter().find(|(from, _)| !state.inside.contains(from));
                let first = outside.expect("the loop is entered from outside").1;
                let value = self.value_in_lanes(state, first);
                (phi, self.as_lanes(state, value))
            })
            .collect();
        let count_bits = 8 * self.prepared.options.tile_vector_bytes / state.lanes;
        let counts = self.b.vector_type(self.b.int_type(count_bits.min(64)), state.lanes);
        let place = self.lane_count(lanes.cycles, counts);
        let long = self.b.int_type(64);
        let counted_before = (self.b.load(long, place.iterations, ""), self.b.load(counts, place.active, ""));
        let points = self.b.load(counts, place.points, "");
        let points = self.b.arithmetic(Op::Sub, points, self.b.int_cast(first, counts, true), false);
        self.b.store(points, place.points);
        let vectors = self.b.arithmetic(Op::Add, self.b.load(long, place.vectors, ""), self.b.int(64, 1), false);
        self.b.store(vectors, place.vectors);
        self.b.branch(header);
        self.b.at_end(header);
        let active = self.carried(first.ty(), first, before);
        let iterations = self.carried(long, counted_before.0, before);
        let active_count = self.carried(counts, counted_before.1, before);
        let spent = self.carried(long, state.spent, before);
        state.spent = spent;
        let phis: Vec<Carried<'c>> = entered
            .into_iter()
            .map(|(original, first)| Carried { original, phi: self.carried(first.ty(), first, before) })
            .collect();
        for carried in &phis {
            state.values.insert(carried.original, carried.phi);
        }
        let kept: Vec<Carried<'c>> = state
            .kept()
            .into_iter()
            .map(|original| {
                let ty = self.b.vector_type(original.ty(), state.lanes);
                Carried { original, phi: self.carried(ty, self.b.null(ty), before) }
            })
            .collect();
        let loads: Vec<(Block<'c>, Loaded<'c>)> = state
            .loads_behind_branches()
            .into_iter()
            .map(|(block, loads)| {
                let nothing = |load: Value<'c>| {
                    let ty = self.b.vector_type(load.ty(), state.lanes);
                    self.carried(ty, self.b.null(ty), before)
                };
                let loads = loads.into_iter().map(|load| (load, nothing(load))).collect();
                (block, Loaded { loads, have: self.carried(first.ty(), self.b.null(first.ty()), before) })
            })
            .collect();
        state.loaded = loads.iter().cloned().collect();
        let exits: Vec<(Block<'c>, Block<'c>)> = exits(state);
        let left: Vec<Value<'c>> =
            exits.iter().map(|_| self.carried(first.ty(), self.b.null(first.ty()), before)).collect();
        state.active = Some(active);
        let all = self.b.splat(self.b.bool(true), state.lanes);
        let inside: Vec<Block<'c>> = state.inside.iter().copied().collect();
        for block in inside {
            let mask = if block == state.part.header { all } else { self.any_of(&state.edges_into(block)) };
            self.emit_block_in_lanes(state, block, mask);
        }
        state.active = None;
        let next = self.any_of(&state.edges_into(state.part.header));
        let next = self.among(active, next);
        let mut results: Vec<(Value<'c>, Value<'c>)> = Vec::new();
        let latch = self.b.block();
        for carried in &kept {
            let now = self.value_in_lanes(state, carried.original);
            let now = self.as_lanes(state, now);
            let value = self.b.select(active, now, carried.phi);
            builder::add_incoming(carried.phi, value, latch);
            results.push((carried.original, value));
        }
        for (block, before) in loads {
            let after = &state.loaded[&block];
            builder::add_incoming(before.have, after.have, latch);
            for (&(_, known), &(_, value)) in before.loads.iter().zip(&after.loads) {
                builder::add_incoming(known, value, latch);
            }
        }
        state.loaded.clear();
        builder::add_incoming(spent, state.spent, latch);
        for carried in &phis {
            let value = self.next_of(state, carried.original);
            builder::add_incoming(carried.phi, value, latch);
        }
        for (edge, phi) in exits.iter().zip(left) {
            let taken = self.among(active, state.edges[edge]);
            let taken = self.b.arithmetic(Op::Or, phi, taken, false);
            builder::add_incoming(phi, taken, latch);
            state.edges.insert(*edge, taken);
        }
        builder::add_incoming(active, next, latch);
        let counted = self.b.arithmetic(Op::Sub, active_count, self.b.int_cast(active, counts, true), false);
        builder::add_incoming(active_count, counted, latch);
        let iterated = self.b.arithmetic(Op::Add, iterations, self.b.int(64, 1), false);
        builder::add_incoming(iterations, iterated, latch);
        let some = self.b.intrinsic("llvm.vector.reduce.or", &[next.ty()], &[next]);
        let branch = self.b.branch_if(some, header, after);
        let cx = self.prepared.cx;
        let properties = ["llvm.loop.mustprogress", "llvm.loop.unroll.disable"].map(|p| cx.md_property(p, &[]));
        branch.set_metadata("llvm.loop", cx.loop_id(&properties));
        self.b.at_end(after);
        self.b.store(iterated, place.iterations);
        self.b.store(counted, place.active);
        let spent = self.b.arithmetic(Op::Add, self.b.load(long, place.spent, ""), state.spent, false);
        self.b.store(spent, place.spent);
        results
    }

    /// Executes the loads of a block for the lanes of a mask that have not yet.
    fn load_once(&mut self, state: &mut LaneLoop<'_, 'c>, block: Block<'c>, mask: Value<'c>) {
        let Loaded { loads, have } = state.loaded[&block].clone();
        let missing = self.b.arithmetic(Op::And, mask, self.b.not(have), false);
        let some = self.b.intrinsic("llvm.vector.reduce.or", &[missing.ty()], &[missing]);
        let before = self.b.block();
        let (values, spent, end) = self.emit_when(some, |g| {
            let mut spent = 0;
            let values: Vec<Value<'c>> = loads
                .iter()
                .map(|&(load, known)| {
                    let (loaded, cycles) = g.load_in_lanes(state, load, LoadOf::Some(missing));
                    spent += cycles;
                    let loaded = g.as_lanes(state, loaded);
                    g.b.select(missing, loaded, known)
                })
                .collect();
            (values, g.b.arithmetic(Op::Add, state.spent, g.b.int(64, spent), false), g.b.block())
        });
        let merged = |known: Value<'c>, new: Value<'c>| {
            let value = self.b.phi(known.ty(), "");
            builder::add_incoming(value, known, before);
            builder::add_incoming(value, new, end);
            value
        };
        state.spent = merged(state.spent, spent);
        let loads: Vec<(Value<'c>, Value<'c>)> =
            loads.into_iter().zip(values).map(|((load, known), new)| (load, merged(known, new))).collect();
        state.values.extend(loads.iter().copied());
        let have = self.b.arithmetic(Op::Or, have, mask, false);
        state.loaded.insert(block, Loaded { loads, have });
    }

    /// Executes a load for some of the lanes; gives the value and the parts of cycles that it
    /// takes.
    fn load_in_lanes(&mut self, state: &LaneLoop<'_, 'c>, load: Value<'c>, of: LoadOf<'c>) -> (Value<'c>, i128) {
        let ty = self.b.vector_type(load.ty(), state.lanes);
        let pointer = load.operand(0);
        let address = self.value_in_lanes(state, pointer);
        let is_same = address.ty().kind() != TypeKind::Vector;
        let size = self.prepared.cx.alloc_size(load.ty()).map(i128::from);
        let row = state.rows.get(&pointer).filter(|row| Some(row.bytes) == size);
        let machine = &self.prepared.options.machine;
        let one = 1.0 / machine.core.loads_per_cycle;
        let plain = |ty, address| {
            let loaded = self.b.load(ty, address, "");
            builder::set_alignment(loaded, load.alignment());
            (loaded, one)
        };
        let (loaded, cycles) = match (of, row) {
            (LoadOf::All | LoadOf::Some(_), _) if is_same => plain(load.ty(), address),
            (LoadOf::All, Some(row)) => plain(ty, row.first),
            (LoadOf::Some(mask) | LoadOf::Mask(mask), Some(row)) => {
                (self.b.masked_load(ty, row.first, mask, load.alignment()), one)
            }
            _ => {
                let mask = of.mask().unwrap_or_else(|| self.b.splat(self.b.bool(true), state.lanes));
                let addresses = self.as_lanes(state, address);
                let loaded = self.b.masked_gather(ty, addresses, mask, load.alignment());
                (loaded, machine.vectors.gather_cycles * f64::from(state.lanes))
            }
        };
        alias::mark_groups(self.prepared.cx, loaded, &self.groups);
        (loaded, lane_guard::parts(cycles))
    }

    /// The active lanes that a mask has. It is no `and`: the mask may be poison in others.
    fn among(&self, active: Value<'c>, mask: Value<'c>) -> Value<'c> {
        self.b.select(active, mask, self.b.null(mask.ty()))
    }

    fn carried(&self, ty: Type<'c>, first: Value<'c>, before: Block<'c>) -> Value<'c> {
        let phi = self.b.phi(ty, "");
        builder::add_incoming(phi, first, before);
        phi
    }

    /// What a PHI node of the header has in the next iteration.
    fn next_of(&mut self, state: &mut LaneLoop<'_, 'c>, phi: Value<'c>) -> Value<'c> {
        let back: Vec<(Block<'c>, Value<'c>)> =
            phi.incoming().into_iter().filter(|(from, _)| state.inside.contains(from)).collect();
        let chosen = self.chosen(state, phi.block().expect("PHI nodes are in blocks"), &back);
        self.as_lanes(state, chosen)
    }

    /// The value of a PHI node that merges ways forward.
    fn merged_lanes(&mut self, state: &mut LaneLoop<'_, 'c>, phi: Value<'c>) -> Value<'c> {
        let mut incoming = phi.incoming();
        incoming.retain(|(from, _)| state.part.blocks.contains(from));
        self.chosen(state, phi.block().expect("PHI nodes are in blocks"), &incoming)
    }

    /// The value of the edge that a lane takes into a block; any of them in lanes that take none.
    fn chosen(
        &mut self,
        state: &mut LaneLoop<'_, 'c>,
        block: Block<'c>,
        incoming: &[(Block<'c>, Value<'c>)],
    ) -> Value<'c> {
        let (_, first) = incoming[0];
        let mut result = self.value_in_lanes(state, first);
        if incoming.iter().all(|&(_, value)| value == first) {
            return result;
        }
        for &(from, original) in &incoming[1..] {
            let value = self.value_in_lanes(state, original);
            let (value, so_far) = (self.as_lanes(state, value), self.as_lanes(state, result));
            result = self.b.select(state.edges[&(from, block)], value, so_far);
        }
        result
    }

    /// The lanes that take one of the edges.
    fn any_of(&self, edges: &[(Block<'c>, Value<'c>)]) -> Value<'c> {
        let masks = edges.iter().map(|&(_, mask)| mask);
        masks.reduce(|a, b| self.b.arithmetic(Op::Or, a, b, false)).expect("every block is reached")
    }

    /// Writes the instructions of a block, and which lanes take its edges.
    fn emit_block_in_lanes(&mut self, state: &mut LaneLoop<'_, 'c>, block: Block<'c>, mask: Value<'c>) {
        if state.loaded.contains_key(&block) {
            let active = state.active.expect("loads that happen once are in the loop");
            self.load_once(state, block, self.among(active, mask));
        }
        let terminator = block.terminator();
        for original in block.instructions().into_iter().filter(|&i| i != terminator && !i.is_mark()) {
            let is_load = original.opcode() == Some(Opcode::Load);
            let is_known = (block == state.part.header || is_load) && state.values.contains_key(&original);
            if is_known || is_address(original) {
                // A PHI node of the loop, what has been computed before it, or was loaded with all
                // others of the block.
                continue;
            }
            let value = match original.opcode() {
                Some(Opcode::Phi) => self.merged_lanes(state, original),
                Some(Opcode::Load) => self.load_in_lanes(state, original, LoadOf::Mask(mask)).0,
                _ => self.widened_in_lanes(state, original),
            };
            state.values.insert(original, value);
        }
        let next = block.successors();
        match (terminator.condition(), next.as_slice()) {
            (Some(condition), &[yes, no]) if yes != no => {
                let condition = self.value_in_lanes(state, condition);
                let condition = self.as_lanes(state, condition);
                let none = self.b.null(mask.ty());
                let otherwise = self.b.not(condition);
                // Not `and`: the condition may be poison in lanes that are not here.
                let (yes_mask, no_mask) = (self.b.select(mask, condition, none), self.b.select(mask, otherwise, none));
                state.edges.insert((block, yes), yes_mask);
                state.edges.insert((block, no), no_mask);
            }
            _ => {
                for to in next {
                    state.edges.insert((block, to), mask);
                }
            }
        }
    }

    fn widened_in_lanes(&mut self, state: &mut LaneLoop<'_, 'c>, original: Value<'c>) -> Value<'c> {
        let mut arguments = original.operands();
        if original.is_call() {
            arguments.pop();
        }
        let operands: Vec<Value<'c>> = arguments
            .into_iter()
            .map(|argument| {
                let value = self.value_in_lanes(state, argument);
                self.as_lanes(state, value)
            })
            .collect();
        self.b.widen(original, &operands, state.lanes)
    }

    /// What a value of the original code is in the lanes.
    fn value_in_lanes(&mut self, state: &LaneLoop<'_, 'c>, original: Value<'c>) -> Value<'c> {
        match state.values.get(&original) {
            Some(&value) => value,
            None => self.import(original),
        }
    }

    fn as_lanes(&self, state: &LaneLoop<'_, 'c>, value: Value<'c>) -> Value<'c> {
        if value.ty().kind() == TypeKind::Vector { value } else { self.b.splat(value, state.lanes) }
    }
}

fn is_address(instruction: Value<'_>) -> bool {
    instruction.opcode() == Some(Opcode::GetElementPtr)
}

/// The edges out of the loop.
fn exits<'c>(state: &LaneLoop<'_, 'c>) -> Vec<(Block<'c>, Block<'c>)> {
    let mut result: Vec<(Block<'c>, Block<'c>)> = Vec::new();
    for &block in &state.inside {
        for next in block.successors().into_iter().filter(|next| !state.inside.contains(next)) {
            if !result.contains(&(block, next)) {
                result.push((block, next));
            }
        }
    }
    result
}

/// What lanes hold: numbers, and truth values in masks.
pub(crate) fn is_lane_type(ty: Type<'_>) -> bool {
    matches!(ty.print().as_str(), "float" | "double") || matches!(ty.integer_bits(), Some(1 | 8 | 16 | 32 | 64))
}
