//! Loops that look for extremes, in lanes.
//!
//! # Code
//! ```text
//!   if (there are n iterations, and n is large enough) {
//!     for (i = 0; i + W <= n; i += W)          W iterations: some vectors side by side
//!       lanes:  if (value < best) { best = value; at = i; }
//!     for (; i < n; i += lanes)                one vector; the last one overlaps the one before
//!       lanes:  the same at min(i, n - lanes)
//!     at = that of the lane with the best value; of equal ones, the first or the last iteration
//!     if (some lane has found something)       what is kept is computed in iteration `at`
//!   } else
//!     the original loop
//! ```
//! That two vectors overlap does no harm: an iteration that is looked at again has the number that
//! it had, and a lane keeps the first (or the last) one that it sees; the proof is in
//! `scop-detect/src/extremes.rs`, for any lanes that together see every iteration, each in an order
//! in which equal values are not lost: the overlapping vector holds the last iterations.
//!
//! Where the loop runs again and again with the same number of iterations, the question is asked
//! once, in front of the loops around, and these are copied: short rows, in the copy, do not pay
//! for it.
//!
//! # Numbers of iterations
//! They have as many bits as the values, so that both fill vectors of the same number of lanes, but
//! not less than 32. Where there are more iterations, the original loop runs. A lane keeps the
//! number of the first lane's iteration, which is the same in all lanes; its own is added in the
//! end.

use std::collections::HashMap;

use poly_machine::Machine;
use poly_scop::CLEAR_GAIN;
use poly_shim::expand::Expander;
use poly_shim::ir::{Opcode, TypeKind};
use poly_shim::{Best, Extreme, ExtremeLoop, LoopRef, Numbers, PassContext, Stepper};

use crate::builder::{self, Block, Builder, Compare, Op, Type, Value};
use crate::error::CodegenError;
use crate::options::CodegenOptions;

/// Most vectors side by side: a bound on the code, where registers set none.
const MAX_VECTORS: u32 = 8;

/// Most instructions of loops around that are copied: a bound on the code, as LLVM has one for
/// loops that it unswitches.
const MAX_COPIED: usize = 100;

/// Writes vector code in front of the loop. The function was not changed if the result is false.
pub fn generate_extremes<'c>(
    cx: PassContext<'c>,
    found: &ExtremeLoop<'c>,
    options: &CodegenOptions,
    is_forced: bool,
) -> Result<bool, CodegenError> {
    let (Some(preheader), Some(exit)) = (found.inner.preheader(), found.inner.exit_block()) else { return Ok(false) };
    let (Some(shape), Some(latch)) = (Shape::of(found, options), found.inner.latch()) else { return Ok(false) };
    let most = cx.constant_max_backedge_taken_count(found.inner).constant();
    let least = if is_forced { i128::from(shape.lanes) } else { shape.least };
    let mut expander = Expander::new(cx);
    let outer = outermost_with_same_count(cx, found);
    let place = outer.and_then(LoopRef::preheader).filter(|b| expander.is_safe_at(found.backedges, b.terminator()));
    let at = place.unwrap_or(preheader).terminator();
    if most.is_some_and(|most| (0..least - 1).contains(&most)) || !expander.is_safe_at(found.backedges, at) {
        return Ok(false);
    }
    let backedges = expander.expand_own(found.backedges, at);
    drop(expander);
    let parent = preheader.function();
    let b = Builder::new(cx);
    let writer = Writer { cx, b, found, header: found.inner.header(), latch, shape, parent };
    writer.b.before(at);
    writer.b.use_artificial_place(parent);
    let (n, is_enough) = writer.numbers_of_iterations(backedges, least);
    let versioned = outer.filter(|_| place.is_some()).and_then(|outer| version(cx, outer, found, is_enough));
    let is_enough = if versioned.is_some() { writer.b.int(1, 1) } else { is_enough };
    let branch = writer.write((preheader, exit), n, is_enough);
    if options.outline {
        versioned.unwrap_or(branch).mark_new_code();
    }
    parent.verify().map_err(|message| CodegenError::Invalid { message })?;
    Ok(true)
}

/// The outermost loop around this one in all iterations of which this one has the same number of
/// iterations, if there is nothing else in it that would make a copy large.
fn outermost_with_same_count<'c>(cx: PassContext<'c>, found: &ExtremeLoop<'c>) -> Option<LoopRef<'c>> {
    let instructions = |l: LoopRef<'c>| l.blocks().iter().map(|b| b.instructions().len()).sum::<usize>();
    let own = instructions(found.inner);
    let may_be_copied = |l: &LoopRef<'c>| {
        l.subloops().len() == 1 && cx.is_invariant(found.backedges, *l) && instructions(*l) <= own + MAX_COPIED
    };
    let parent = |l: &LoopRef<'c>| l.parent().filter(may_be_copied);
    std::iter::successors(parent(&found.inner), parent).last()
}

/// Makes a copy of the loops around, for rows that have too few iterations: then no row has to look
/// how many it has. The branch to them; nothing if they cannot be copied.
fn version<'c>(
    cx: PassContext<'c>,
    outer: LoopRef<'c>,
    found: &ExtremeLoop<'c>,
    is_enough: Value<'c>,
) -> Option<Value<'c>> {
    for block in &found.blocks {
        block.settle(cx);
    }
    cx.version_loop(outer, is_enough)
}

/// Sizes.
#[derive(Clone, Copy)]
struct Shape {
    /// Lanes of a vector.
    lanes: u32,
    /// Vectors side by side.
    vectors: u32,
    /// Bits of the numbers of iterations.
    bits: u32,
    /// Fewest iterations for which this pays.
    least: i128,
}

impl Shape {
    /// Nothing if vectors have too few lanes.
    fn of(found: &ExtremeLoop<'_>, options: &CodegenOptions) -> Option<Self> {
        let machine = &options.machine;
        let has_mask = |load: &Value<'_>| machine.vectors.masked_accesses && matches!(bytes_of(load.ty()), 4 | 8);
        if !found.guarded.iter().all(has_mask) {
            return None;
        }
        let bytes = found.compared.iter().map(|value| bytes_of(value.ty())).max()?.max(4);
        let lanes = options.tile_vector_bytes / bytes;
        if lanes < 2 || !lanes.is_power_of_two() {
            return None;
        }
        // A comparison, and a choice by it, wait for those of the vector before.
        let is_float = found.extremes.iter().any(|extreme| extreme.numbers == Numbers::Float);
        let compare = if is_float { machine.latency.flop } else { machine.latency.simple };
        let chain = compare + machine.latency.simple;
        let extremes = found.extremes.len() as f64;
        let work = vector_cycles(found, bytes, machine);
        let registers = options.tile_registers / 2 / (2 * found.extremes.len() as u32);
        let wanted = ((chain / work).ceil().max(1.0) as u32).next_power_of_two();
        let vectors = wanted.min(MAX_VECTORS).min(prev_power_of_two(registers));
        // Lanes are put together two by two, by two comparisons and choices.
        let rounds = f64::from((lanes * vectors).ilog2());
        let together = extremes * (2.0 * rounds * chain + machine.code.restart_cycles) + 2.0 * machine.code.loop_cycles;
        let in_lanes = work.max(chain / f64::from(vectors)) / f64::from(lanes);
        let original = original_cycles(found, machine);
        if in_lanes > CLEAR_GAIN * original {
            return None;
        }
        let least = i128::from(2 * lanes).max((together / (original - in_lanes)) as i128);
        Some(Self { lanes, vectors, bits: 8 * bytes, least })
    }

    /// Iterations of the vectors side by side.
    fn width(self) -> u32 {
        self.lanes * self.vectors
    }
}

/// Cycles to issue a vector of iterations: what is compared, and for each extreme a comparison and
/// two choices by it. The best value of floating-point numbers is a maximum.
fn vector_cycles(found: &ExtremeLoop<'_>, bytes: u32, machine: &Machine) -> f64 {
    let vectors = &machine.vectors;
    let operations = |extreme: &Extreme<'_>| {
        let is_float = extreme.numbers == Numbers::Float;
        let compare = match is_float || bytes < 8 {
            true => 1.0,
            // Where minima need several operations, the order of two halves is put together.
            false => 2.0 * vectors.minimum_operations - 1.0,
        };
        let best = if is_float { 1.0 } else { vectors.blend_operations };
        compare + best + vectors.blend_operations
    };
    let all = found.extremes.iter().map(operations).sum::<f64>() + found.compared.len() as f64;
    vectors.passes * all / machine.core.flops_per_cycle.max(1.0)
}

/// Cycles of an iteration of the original loop, which LLVM unrolls: its instructions, or the chain
/// of the best value. That of a floating-point number is one instruction, and what is kept beside
/// it takes a comparison that moves to the flags, and a copy with a condition each. A best value
/// that is loaded from its place waits for that.
fn original_cycles(found: &ExtremeLoop<'_>, machine: &Machine) -> f64 {
    let latency = machine.latency;
    let of = |extreme: &Extreme<'_>| {
        let is_float = extreme.numbers == Numbers::Float;
        let is_loaded = matches!(extreme.best, Best::Loaded(_));
        let beside = extreme.kept.len() as f64 - f64::from(u8::from(!is_loaded));
        let (instructions, chain) = match (is_float, is_loaded) {
            (true, false) if beside > 0.0 => (3.0, latency.extreme.max(latency.flags)),
            (true, false) => (1.0, latency.extreme),
            (true, true) => (3.0, latency.memory + latency.flop + latency.simple),
            (false, false) => (2.0, 2.0 * latency.simple),
            (false, true) => (2.0, latency.memory + 2.0 * latency.simple),
        };
        (instructions + 2.0 * beside, chain)
    };
    let all = found
        .extremes
        .iter()
        .map(of)
        .fold((found.compared.len() as f64, 0.0_f64), |sum, one| (sum.0 + one.0, sum.1.max(one.1)));
    (all.0 / machine.core.width.max(1.0)).max(all.1)
}

fn prev_power_of_two(number: u32) -> u32 {
    1 << number.max(1).ilog2()
}

fn bytes_of(ty: Type<'_>) -> u32 {
    match ty.integer_bits() {
        Some(bits) => bits / 8,
        None if ty.print() == "double" => 8,
        None => 4,
    }
}

/// The best values of lanes, and where they are.
#[derive(Clone, Copy)]
struct Found<'c> {
    best: Value<'c>,
    at: Value<'c>,
}

struct Writer<'c, 'n> {
    cx: PassContext<'c>,
    b: Builder<'c>,
    found: &'n ExtremeLoop<'c>,
    header: Block<'c>,
    latch: Block<'c>,
    shape: Shape,
    parent: Value<'c>,
}

impl<'c> Writer<'c, '_> {
    /// The number of iterations, and whether there are enough of them, and not too many.
    fn numbers_of_iterations(&self, backedges: Value<'c>, least: i128) -> (Value<'c>, Value<'c>) {
        let b = &self.b;
        let n = b.arithmetic(Op::Add, b.int_cast(backedges, b.int_type(64), false), b.int(64, 1), false);
        // Numbers, and their sums with a width, are positive.
        let most = (1 << (self.shape.bits - 1)) - 4 * i128::from(self.shape.width());
        let more = b.arithmetic(Op::Sub, n, b.int(64, least), false);
        // In front of the loops around, a guard that makes the count a number may not have been
        // passed.
        (n, b.freeze(b.compare(Compare::LLVMIntULE, more, b.int(64, most - least))))
    }

    /// Writes the vector code; the branch to it.
    fn write(&self, (preheader, exit): (Block<'c>, Block<'c>), n: Value<'c>, is_enough: Value<'c>) -> Value<'c> {
        let b = &self.b;
        let entry = b.append_block(self.parent, "poly.extremes");
        let old = preheader.terminator();
        b.before(old);
        b.use_artificial_place(self.parent);
        let branch = b.branch_if(is_enough, entry, self.header);
        builder::erase(old);
        b.at_end(entry);
        let begun: Vec<Found<'c>> = self.found.extremes.iter().map(|extreme| self.begin(extreme)).collect();
        let (from, found) = self.wide_loop(n, &begun);
        let found = self.last_loop(from, n, &found);
        let kept = self.kept(&found);
        self.finish(exit, n, &kept);
        branch
    }

    fn lane_type(&self) -> Type<'c> {
        self.b.vector_type(self.b.int_type(self.shape.bits), self.shape.lanes)
    }

    /// All lanes with the same number of iterations, from one of 64 bits.
    fn numbers(&self, number: Value<'c>) -> Value<'c> {
        self.b.splat(self.b.int_cast(number, self.b.int_type(self.shape.bits), false), self.shape.lanes)
    }

    /// What is known before the first iteration, in all lanes: it comes from no iteration.
    fn begin(&self, extreme: &Extreme<'c>) -> Found<'c> {
        let best = match &extreme.best {
            Best::Phi(phi) => self.start(*phi),
            Best::Loaded(path) => {
                let kept = extreme.kept.iter().map(|(phi, _)| (*phi, self.start(*phi)));
                let mut known: HashMap<Value<'c>, Value<'c>> = kept.collect();
                let load = *path.last().expect("the load is the last one");
                self.copy(load, &mut known)
            }
        };
        let none = self.b.int(self.shape.bits, 1 << (self.shape.bits - 1));
        Found { best: self.b.splat(self.b.freeze(best), self.shape.lanes), at: self.b.splat(none, self.shape.lanes) }
    }

    /// Vectors side by side; the iteration behind them, and what was found.
    fn wide_loop(&self, n: Value<'c>, begun: &[Found<'c>]) -> (Value<'c>, Vec<Found<'c>>) {
        let (b, Shape { lanes, vectors, .. }) = (&self.b, self.shape);
        let width = b.int(64, i128::from(self.shape.width()));
        let [body, after, behind] =
            ["wide", "together", "few"].map(|name| b.append_block(self.parent, &format!("poly.{name}")));
        let before = b.block();
        let fits = b.compare(Compare::LLVMIntUGE, n, width);
        b.branch_if(fits, body, behind);
        b.at_end(body);
        let counter = b.phi(b.int_type(64), "poly.i");
        builder::add_incoming(counter, b.int(64, 0), before);
        let numbers = b.phi(self.lane_type(), "poly.at");
        builder::add_incoming(numbers, b.null(self.lane_type()), before);
        let all: Vec<Found<'c>> = (0..vectors).flat_map(|_| begun.iter().copied()).collect();
        let phis = self.phis(&all, before);
        let mut next = Vec::new();
        for (vector, found) in (0..vectors).zip(phis.chunks(begun.len())) {
            let first = b.arithmetic(Op::Add, counter, b.int(64, i128::from(vector * lanes)), true);
            next.extend(self.look(first, numbers, found));
        }
        let following = b.arithmetic(Op::Add, counter, width, true);
        let step = self.numbers(width);
        builder::add_incoming(counter, following, body);
        builder::add_incoming(numbers, b.arithmetic(Op::Add, numbers, step, true), body);
        close(&phis, &next, body);
        let end = b.arithmetic(Op::Add, following, width, true);
        self.end_loop(b.compare(Compare::LLVMIntULE, end, n), body, after);
        b.at_end(after);
        let together = self.vectors_together(&next, begun.len());
        b.branch(behind);
        b.at_end(behind);
        let from = b.phi(b.int_type(64), "poly.i");
        builder::add_incoming(from, b.int(64, 0), before);
        builder::add_incoming(from, following, after);
        let found = self.phis(begun, before);
        close(&found, &together, after);
        (from, found)
    }

    /// One vector after the other, the last one up to `n`.
    fn last_loop(&self, from: Value<'c>, n: Value<'c>, begun: &[Found<'c>]) -> Vec<Found<'c>> {
        let b = &self.b;
        let lanes = b.int(64, i128::from(self.shape.lanes));
        let [body, behind] = ["few", "found"].map(|name| b.append_block(self.parent, &format!("poly.{name}")));
        let before = b.block();
        let is_left = b.compare(Compare::LLVMIntULT, from, n);
        b.branch_if(is_left, body, behind);
        b.at_end(body);
        let counter = b.phi(b.int_type(64), "poly.i");
        builder::add_incoming(counter, from, before);
        let phis = self.phis(begun, before);
        let last = b.arithmetic(Op::Sub, n, lanes, true);
        let is_whole = b.compare(Compare::LLVMIntULE, counter, last);
        let first = b.select(is_whole, counter, last);
        let next = self.look(first, self.numbers(first), &phis);
        let following = b.arithmetic(Op::Add, counter, lanes, true);
        builder::add_incoming(counter, following, body);
        close(&phis, &next, body);
        self.end_loop(b.compare(Compare::LLVMIntULT, following, n), body, behind);
        b.at_end(behind);
        let found = self.phis(begun, before);
        close(&found, &next, body);
        found
    }

    fn end_loop(&self, again: Value<'c>, body: Block<'c>, behind: Block<'c>) {
        let branch = self.b.branch_if(again, body, behind);
        let cx = self.cx;
        let properties = [
            cx.md_property("llvm.loop.mustprogress", &[]),
            cx.md_property("llvm.loop.unroll.disable", &[]),
            cx.md_property("llvm.loop.isvectorized", &[cx.md_int(32, 1)]),
        ];
        branch.set_metadata("llvm.loop", cx.loop_id(&properties));
    }

    /// PHI nodes with what comes from a block.
    fn phis(&self, found: &[Found<'c>], from: Block<'c>) -> Vec<Found<'c>> {
        let phi = |value: Value<'c>| {
            let phi = self.b.phi(value.ty(), "");
            builder::add_incoming(phi, value, from);
            phi
        };
        found.iter().map(|found| Found { best: phi(found.best), at: phi(found.at) }).collect()
    }

    /// Looks at a vector of iterations from `first` on.
    fn look(&self, first: Value<'c>, numbers: Value<'c>, found: &[Found<'c>]) -> Vec<Found<'c>> {
        let b = &self.b;
        let mut place = self.place(first);
        for (guard, holds) in &self.found.guards {
            // It may be poison where those before it do not hold.
            let guard = b.freeze(self.lanes(*guard, &mut place));
            let guard = if *holds { guard } else { b.not(guard) };
            place.mask = Some(place.mask.map_or(guard, |mask| b.arithmetic(Op::And, mask, guard, false)));
        }
        let extremes = self.found.extremes.iter().zip(found);
        let looked = extremes.map(|(extreme, found)| {
            // An iteration must be found even if a value is poison.
            let value = b.freeze(self.lanes(extreme.value, &mut place));
            let is_better = self.is_better(extreme, value, found.best, extreme.is_last);
            let is_better = place.mask.map_or(is_better, |mask| b.arithmetic(Op::And, is_better, mask, false));
            Found { best: b.select(is_better, value, found.best), at: b.select(is_better, numbers, found.at) }
        });
        looked.collect()
    }

    /// The value is to be kept in place of the best one; of equal ones as it is said.
    fn is_better(&self, extreme: &Extreme<'c>, value: Value<'c>, best: Value<'c>, if_equal: bool) -> Value<'c> {
        let b = &self.b;
        let (less, more) = if extreme.is_least { (value, best) } else { (best, value) };
        match (extreme.numbers, if_equal) {
            (Numbers::Signed, false) => b.compare(Compare::LLVMIntSLT, less, more),
            (Numbers::Signed, true) => b.compare(Compare::LLVMIntSLE, less, more),
            (Numbers::Unsigned, false) => b.compare(Compare::LLVMIntULT, less, more),
            (Numbers::Unsigned, true) => b.compare(Compare::LLVMIntULE, less, more),
            (Numbers::Float, false) => b.is_less(less, more),
            (Numbers::Float, true) => b.is_at_most(less, more),
        }
    }

    /// The better one of two in each lane. Where nothing was found, numbers are negative.
    fn better(&self, extreme: &Extreme<'c>, one: Found<'c>, other: Found<'c>) -> Found<'c> {
        let b = &self.b;
        let is_better = self.is_better(extreme, other.best, one.best, false);
        let is_worse = self.is_better(extreme, one.best, other.best, false);
        let order = if extreme.is_last { Compare::LLVMIntSGT } else { Compare::LLVMIntSLT };
        let is_wanted = b.compare(order, other.at, one.at);
        let is_equal = b.arithmetic(Op::And, b.not(is_worse), is_wanted, false);
        let takes = b.arithmetic(Op::Or, is_better, is_equal, false);
        Found { best: b.select(takes, other.best, one.best), at: b.select(takes, other.at, one.at) }
    }

    /// What several vectors have found.
    fn vectors_together(&self, found: &[Found<'c>], extremes: usize) -> Vec<Found<'c>> {
        let (b, lanes) = (&self.b, self.shape.lanes);
        let shifted = |vector: usize, found: &Found<'c>| {
            let distance = self.numbers(b.int(64, vector as i128 * i128::from(lanes)));
            Found { best: found.best, at: b.arithmetic(Op::Add, found.at, distance, true) }
        };
        let mut left: Vec<Vec<Found<'c>>> = found
            .chunks(extremes)
            .enumerate()
            .map(|(vector, found)| found.iter().map(|found| shifted(vector, found)).collect())
            .collect();
        while left.len() > 1 {
            let pairs = left.chunks(2).map(|pair| {
                let pairs = self.found.extremes.iter().zip(&pair[0]).zip(&pair[1]);
                pairs.map(|((extreme, one), other)| self.better(extreme, *one, *other)).collect()
            });
            left = pairs.collect();
        }
        left.pop().expect("there is a vector")
    }

    /// The iteration of the best lane; negative if none has found anything.
    fn lanes_together(&self, extreme: &Extreme<'c>, found: Found<'c>) -> Value<'c> {
        let (b, Shape { lanes, bits, .. }) = (&self.b, self.shape);
        let at = b.arithmetic(Op::Add, found.at, b.lane_numbers(bits, lanes), true);
        let mut found = Found { best: found.best, at };
        let mut half = lanes / 2;
        while half > 0 {
            let positions: Vec<u32> = (0..lanes).map(|lane| (lane + half) % lanes).collect();
            let turned = |vector: Value<'c>| b.shuffle(vector, b.poison(vector.ty()), &positions);
            found = self.better(extreme, found, Found { best: turned(found.best), at: turned(found.at) });
            half /= 2;
        }
        b.extract_element(found.at, 0)
    }

    /// What PHI nodes keep in the end.
    fn kept(&self, found: &[Found<'c>]) -> HashMap<Value<'c>, Value<'c>> {
        let b = &self.b;
        let long = b.int_type(64);
        let mut kept = HashMap::new();
        for (extreme, found) in self.found.extremes.iter().zip(found) {
            let at = self.lanes_together(extreme, *found);
            let [winner, behind] = ["winner", "kept"].map(|name| b.append_block(self.parent, &format!("poly.{name}")));
            let before = b.block();
            let is_found = b.compare(Compare::LLVMIntSGE, at, b.null(at.ty()));
            b.branch_if(is_found, winner, behind);
            b.at_end(winner);
            let mut place = self.place(b.int_cast(at, long, true));
            let taken: Vec<Value<'c>> =
                extreme.kept.iter().map(|(_, taken)| self.copy(*taken, &mut place.scalars)).collect();
            b.branch(behind);
            b.at_end(behind);
            for ((phi, _), taken) in extreme.kept.iter().zip(taken) {
                let merged = b.phi(phi.ty(), "");
                builder::add_incoming(merged, self.start(*phi), before);
                builder::add_incoming(merged, taken, winner);
                kept.insert(*phi, merged);
            }
        }
        kept
    }

    /// The value with which the loop begins.
    fn start(&self, phi: Value<'c>) -> Value<'c> {
        let incoming = phi.incoming();
        incoming.into_iter().find(|(block, _)| *block != self.latch).expect("the loop is entered").1
    }

    /// Leaves the loop, with what is used behind it.
    fn finish(&self, exit: Block<'c>, n: Value<'c>, kept: &HashMap<Value<'c>, Value<'c>>) {
        let last = self.b.arithmetic(Op::Sub, n, self.b.int(64, 1), false);
        let mut place = self.place(last);
        place.scalars.extend(self.found.next.iter().map(|(next, phi)| (*next, kept[phi])));
        let left = |phi: Value<'c>| {
            let incoming = phi.incoming();
            incoming.into_iter().find(|(block, _)| *block == self.latch).expect("the loop leads there").1
        };
        let used: Vec<(Value<'c>, Value<'c>)> =
            exit.phis().into_iter().map(|phi| (phi, self.copy(left(phi), &mut place.scalars))).collect();
        let from = self.b.block();
        self.b.branch(exit);
        for (phi, value) in used {
            builder::add_incoming(phi, value, from);
        }
    }
}

fn close<'c>(phis: &[Found<'c>], values: &[Found<'c>], from: Block<'c>) {
    for (phi, value) in phis.iter().zip(values) {
        builder::add_incoming(phi.best, value.best, from);
        builder::add_incoming(phi.at, value.at, from);
    }
}

/// What is known of an iteration, and of those of the lanes behind it.
struct Place<'c> {
    scalars: HashMap<Value<'c>, Value<'c>>,
    vectors: HashMap<Value<'c>, Value<'c>>,
    /// The lanes for which the guards hold, as far as they have been computed.
    mask: Option<Value<'c>>,
}

/// Values of iterations.
impl<'c> Writer<'c, '_> {
    fn place(&self, iteration: Value<'c>) -> Place<'c> {
        let stepped = |stepper: &Stepper<'c>| (stepper.phi, self.stepped(stepper, iteration));
        Place { scalars: self.found.steppers.iter().map(stepped).collect(), vectors: HashMap::new(), mask: None }
    }

    fn is_inside(&self, value: Value<'c>) -> bool {
        value.block().is_some_and(|block| self.found.blocks.contains(&block))
    }

    /// What moves by a constant, in an iteration.
    fn stepped(&self, stepper: &Stepper<'c>, iteration: Value<'c>) -> Value<'c> {
        let b = &self.b;
        let distance = b.arithmetic(Op::Mul, iteration, b.int(64, i128::from(stepper.step)), false);
        if matches!(stepper.phi.ty().kind(), TypeKind::Pointer(_)) {
            return b.offset(b.int_type(8), stepper.start, distance);
        }
        b.arithmetic(Op::Add, stepper.start, b.int_cast(distance, stepper.phi.ty(), true), false)
    }

    /// A value of one iteration.
    fn copy(&self, value: Value<'c>, known: &mut HashMap<Value<'c>, Value<'c>>) -> Value<'c> {
        if let Some(known) = known.get(&value) {
            return *known;
        }
        if !self.is_inside(value) {
            return value;
        }
        let made = value.clone_instruction();
        for (position, operand) in value.operands().into_iter().enumerate() {
            builder::set_operand(made, position, self.copy(operand, known));
        }
        self.b.insert(made);
        known.insert(value, made);
        made
    }

    /// A value of the iterations of all lanes.
    fn lanes(&self, value: Value<'c>, place: &mut Place<'c>) -> Value<'c> {
        let (b, lanes) = (&self.b, self.shape.lanes);
        if let Some(known) = place.vectors.get(&value) {
            return *known;
        }
        let made = if !self.is_inside(value) {
            b.splat(value, lanes)
        } else if let Some(stepper) = self.found.steppers.iter().find(|stepper| stepper.phi == value) {
            let bits = value.ty().integer_bits().expect("only numbers are compared");
            let distances = b.splat(b.int(bits, i128::from(stepper.step)), lanes);
            let distances = b.arithmetic(Op::Mul, b.lane_numbers(bits, lanes), distances, false);
            b.arithmetic(Op::Add, b.splat(place.scalars[&value], lanes), distances, false)
        } else if value.opcode() == Some(Opcode::Load) {
            self.load(value, place)
        } else {
            let mut operands = value.operands();
            if value.is_call() {
                operands.pop();
            }
            let operands: Vec<Value<'c>> = operands.into_iter().map(|operand| self.lanes(operand, place)).collect();
            b.widen(value, &operands, lanes)
        };
        place.vectors.insert(value, made);
        made
    }

    /// What neighbouring iterations load.
    fn load(&self, load: Value<'c>, place: &mut Place<'c>) -> Value<'c> {
        let (b, lanes) = (&self.b, self.shape.lanes);
        let pointer = load.pointer_operand().expect("it is a load");
        let address = self.copy(pointer, &mut place.scalars);
        let vector = b.vector_type(load.ty(), lanes);
        let is_backward = self.found.backward.contains(&load);
        let turned: Vec<u32> = (0..lanes).rev().collect();
        let turn = |vector: Value<'c>| match is_backward {
            true => b.shuffle(vector, b.poison(vector.ty()), &turned),
            false => vector,
        };
        let last = b.int(64, 1 - i128::from(lanes));
        let address = if is_backward { b.offset(load.ty(), address, last) } else { address };
        let mask = place.mask.filter(|_| self.found.guarded.contains(&load));
        turn(match mask {
            Some(mask) => b.masked_load(vector, address, turn(mask), load.alignment()),
            None => {
                let loaded = b.load(vector, address, "");
                builder::set_alignment(loaded, load.alignment());
                loaded
            }
        })
    }
}
