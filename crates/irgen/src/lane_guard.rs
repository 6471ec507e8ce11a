//! Which points of a row execute whole loops in lanes, and which one after the other.
//!
//! # Problem
//! Lanes gain where neighbouring loops run about as long as each other. Where one lane runs far
//! longer than those beside it, most lanes are idle, and an iteration in lanes takes longer than
//! one of a point alone. Only data say which it is, and they may change along the rows.
//!
//! # Definitions
//! The *gain* of a piece is what its loops would take one point after the other, less what they
//! have taken in lanes, by the processor's model. Counted are: the iterations; by lane, those in
//! which it was active, and its points; the cycles of loads and of what is around the loops.
//!
//! 1. An iteration takes as long as its operations, or as those that wait for each other. In lanes,
//!    operations on masks come to it.
//! 2. Loops that are short overlap with those of the points, or vectors, behind: as far as the
//!    window of the processor reaches, an iteration takes less, but at least the time to start its
//!    instructions (`core.width`).
//! 3. Where lanes leave at different times, the ends of loops alone are not foreseen: of the
//!    points, at least as many as the share of idle lanes begin anew (`code.restart_cycles`).
//! 4. A vector of loops takes `code.loop_cycles` and `code.mask_lane_cycles` more.
//!
//! # Method
//! 1. A row is divided into pieces of [`VECTORS`] vectors. A row that fills no vector runs one
//!    point after the other.
//! 2. While nothing is to be waited for, a piece runs in lanes, and its gain is added to the
//!    balance, of which an eighth is forgotten: the last pieces count most.
//! 3. If the balance is negative then, and the piece has lost, so many pieces run one point after
//!    the other that what it has lost is one part in [`LOSS`] of what they take, and at most
//!    [`LONGEST_WAIT`]. Losses are thought to be one part in [`ERROR`] of a piece at least: the
//!    model does not know them better.
//! 4. After that, a piece runs in lanes again, so that a change is noticed.
//!
//! The state belongs to a frame: short rows share it, and every thread has its own.
//!
//! # Invariants
//! Both forms compute the same bits, and the state depends on nothing but data: results are the
//! same, however long the code takes. Sums may wrap; they decide nothing but the form.

use poly_machine::Machine;

use crate::builder::{self, Builder, Compare, Op, Type, Value};
use crate::code::Loop;
use crate::generator::Generator;
use crate::loops::Bounds;
use crate::tile::Tile;

/// Vectors of a piece: what is counted at its end is little beside them.
const VECTORS: u32 = 8;
/// Pieces in vain take at most one part in so many.
const LOSS: i128 = 64;
/// A piece that has lost has lost one part in so many.
const ERROR: i128 = 4;
/// Pieces to wait at most: a piece in vain now and then is little beside so many.
const LONGEST_WAIT: i128 = 2048;
/// Parts of a cycle that are counted.
const PARTS: f64 = 8.0;

/// Places of numbers that say how a frame's rows are executed.
#[derive(Clone, Copy, Debug)]
struct Guard<'c> {
    balance: Value<'c>,
    left: Value<'c>,
}

/// Places where loops count over a piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneCount<'c> {
    /// Iterations.
    pub(crate) iterations: Value<'c>,
    /// By lane: iterations in which it was active.
    pub(crate) active: Value<'c>,
    /// By lane: points that came to the loop.
    pub(crate) points: Value<'c>,
    /// Vectors of them.
    pub(crate) vectors: Value<'c>,
    /// Parts of cycles besides those of iterations.
    pub(crate) spent: Value<'c>,
    /// The type of what is counted by lane.
    pub(crate) ty: Type<'c>,
    cycles: LoopCycles,
}

/// What an iteration does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoopWork {
    /// Operations of a point.
    pub(crate) operations: f64,
    /// Further ones in lanes.
    pub(crate) mask_operations: f64,
    /// Cycles of those that wait for each other.
    pub(crate) chain: f64,
}

/// What an iteration takes, in parts of cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct IterationCycles {
    /// Its instructions.
    instructions: i128,
    /// To start them.
    start: i128,
    /// If nothing overlaps.
    alone: i128,
}

/// What a loop takes, in parts of cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LoopCycles {
    lanes: u32,
    scalar: IterationCycles,
    vector: IterationCycles,
    /// Instructions under way at a time.
    window: i128,
    /// To begin anew where an end was not foreseen.
    restart: i128,
    /// To enter and leave the loop in lanes.
    entry: i128,
}

/// Cycles in parts.
pub(crate) fn parts(cycles: f64) -> i128 {
    (cycles * PARTS).round() as i128
}

impl LoopCycles {
    /// For vectors of so many lanes.
    pub(crate) fn new(machine: &Machine, lanes: u32, work: LoopWork) -> Self {
        let LoopWork { operations, mask_operations: masks, chain } = work;
        let issued = |operations: f64| operations / machine.core.flops_per_cycle;
        let iteration = |instructions: f64, alone: f64| IterationCycles {
            instructions: (instructions.round() as i128).max(1),
            start: parts(instructions / machine.core.width),
            alone: parts(alone),
        };
        let passes = machine.vectors.passes;
        let in_lanes = (issued(operations) * passes).max(chain) + issued(masks) * passes;
        Self {
            lanes,
            scalar: iteration(operations, issued(operations).max(chain)),
            vector: iteration(operations + masks, in_lanes),
            window: (machine.core.window.round() as i128).max(1),
            restart: parts(machine.code.restart_cycles),
            entry: parts(machine.code.loop_cycles + machine.code.mask_lane_cycles * f64::from(lanes)),
        }
    }
}

impl<'c> Generator<'c, '_> {
    /// Writes a loop whose points execute whole loops, in lanes where that gains; the builder is
    /// behind it afterwards.
    pub(crate) fn emit_lane_row(&mut self, l: &Loop, bounds: Bounds<'c>, tile: &Tile<'_>) {
        let guard = self.emit_lane_guard();
        self.emit_in_place_of(l, bounds, |g, (first, end)| {
            let function = g.frame.function;
            let [short, long, after] =
                ["short", "long", "row.end"].map(|what| g.b.append_block(function, &format!("poly.{what}")));
            let points = g.b.arithmetic(Op::Sub, end, first, false);
            let lanes = g.b.int(64, i128::from(tile.lanes));
            g.b.branch_if(g.b.compare(Compare::LLVMIntSLT, points, lanes), short, long);
            g.b.at_end(short);
            g.emit_entered(l, (first, bounds.upper));
            g.b.branch(after);
            g.b.at_end(long);
            g.emit_pieces_of_row(l, (first, end), tile, guard);
            g.b.branch(after);
            g.b.at_end(after);
        });
    }

    /// Writes the loop over the pieces of a row.
    fn emit_pieces_of_row(
        &mut self,
        l: &Loop,
        (first, end): (Value<'c>, Value<'c>),
        tile: &Tile<'_>,
        guard: Guard<'c>,
    ) {
        let function = self.frame.function;
        let name = format!("poly.c{}.piece", l.iter);
        let [header, after] = [name.clone(), format!("{name}.after")].map(|n| self.b.append_block(function, &n));
        let before = self.b.block();
        self.b.branch(header);
        self.b.at_end(header);
        let lower = self.b.phi(first.ty(), &name);
        builder::add_incoming(lower, first, before);
        let next = self.emit_piece(l, (lower, end), tile, guard);
        builder::add_incoming(lower, next, self.b.block());
        let again = self.b.compare(Compare::LLVMIntSLT, next, end);
        self.b.branch_if(again, header, after);
        self.b.at_end(after);
    }

    /// Writes a piece in lanes, and as many as there are to wait one point after the other; gives
    /// the point behind.
    fn emit_piece(
        &mut self,
        l: &Loop,
        (lower, end): (Value<'c>, Value<'c>),
        tile: &Tile<'_>,
        guard: Guard<'c>,
    ) -> Value<'c> {
        let function = self.frame.function;
        let long = self.b.int_type(64);
        let [alone, lanes, after] =
            ["alone", "in_lanes", "piece.end"].map(|what| self.b.append_block(function, &format!("poly.{what}")));
        let [zero, one] = [0, 1].map(|number| self.b.int(64, number));
        let points = self.b.int(64, i128::from(VECTORS * tile.lanes));
        let rest = self.b.arithmetic(Op::Sub, end, lower, false);
        let first_of = |g: &Self, points| {
            let points = g.b.intrinsic("llvm.smin", &[long], &[rest, points]);
            g.b.arithmetic(Op::Add, lower, points, false)
        };
        let left = self.b.load(long, guard.left, "");
        let waits = self.b.compare(Compare::LLVMIntSGT, left, zero);
        self.b.branch_if(waits, alone, lanes);

        self.b.at_end(alone);
        let waiting = self.b.arithmetic(Op::Mul, left, points, false);
        let behind_alone = first_of(self, waiting);
        let before = self.b.arithmetic(Op::Sub, waiting, rest, false);
        let before = self.b.arithmetic(Op::SDiv, before, points, false);
        self.b.store(self.b.intrinsic("llvm.smax", &[long], &[before, zero]), guard.left);
        self.emit_entered(l, (lower, self.b.arithmetic(Op::Sub, behind_alone, one, true)));
        let end_alone = self.b.block();
        self.b.branch(after);

        self.b.at_end(lanes);
        let behind_lanes = first_of(self, points);
        let upper = self.b.arithmetic(Op::Sub, behind_lanes, one, true);
        self.emit_piece_in_lanes(Bounds { lower, upper, is_entered: true }, tile, guard);
        let end_lanes = self.b.block();
        self.b.branch(after);

        self.b.at_end(after);
        let behind = self.b.phi(lower.ty(), "");
        builder::add_incoming(behind, behind_alone, end_alone);
        builder::add_incoming(behind, behind_lanes, end_lanes);
        behind
    }

    /// Writes a piece in lanes, which is counted.
    fn emit_piece_in_lanes(&mut self, bounds: Bounds<'c>, tile: &Tile<'_>, guard: Guard<'c>) {
        let function = self.frame.function;
        let body = self.b.append_block(function, "poly.in_lanes.body");
        let enters = self.b.branch(body);
        self.b.at_end(body);
        let outer = std::mem::take(&mut self.lane_counts);
        self.emit_vector_row(bounds, tile);
        let counts = std::mem::replace(&mut self.lane_counts, outer);
        let beginning = Builder::new(self.prepared.cx);
        beginning.before(enters);
        beginning.use_artificial_place(function);
        let zero = self.b.int(64, 0);
        let mut sums = (zero, zero);
        for count in counts {
            for place in [count.iterations, count.vectors, count.spent] {
                beginning.store(beginning.int(64, 0), place);
            }
            for place in [count.active, count.points] {
                beginning.store(beginning.null(count.ty), place);
            }
            let (alone, in_lanes) = self.emit_both(count);
            let sum = |a, b| self.b.arithmetic(Op::Add, a, b, false);
            sums = (sum(sums.0, alone), sum(sums.1, in_lanes));
        }
        self.emit_decision(guard, sums);
    }

    /// Decides how the next pieces are executed, by what a piece takes alone and in lanes.
    fn emit_decision(&mut self, guard: Guard<'c>, (alone, in_lanes): (Value<'c>, Value<'c>)) {
        let (long, zero) = (self.b.int_type(64), self.b.int(64, 0));
        let limited = |name: &str, a, constant| self.b.intrinsic(name, &[long], &[a, self.b.int(64, constant)]);
        let loss = self.b.arithmetic(Op::Sub, in_lanes, alone, false);
        let balance = self.b.load(long, guard.balance, "");
        let balance = self.b.arithmetic(Op::Sub, balance, loss, false);
        let forgotten = self.b.arithmetic(Op::AShr, balance, self.b.int(64, 3), false);
        self.b.store(self.b.arithmetic(Op::Sub, balance, forgotten, false), guard.balance);
        let is_negative = self.b.compare(Compare::LLVMIntSLT, balance, zero);
        let has_lost = self.b.compare(Compare::LLVMIntSGT, loss, zero);
        let waits = self.b.arithmetic(Op::And, is_negative, has_lost, false);
        let lost = self.b.arithmetic(Op::Mul, loss, self.b.int(64, LOSS), false);
        let wait = self.b.arithmetic(Op::SDiv, lost, limited("llvm.smax", alone, 1), false);
        let wait = limited("llvm.smin", limited("llvm.smax", wait, LOSS / ERROR), LONGEST_WAIT);
        self.b.store(self.b.select(waits, wait, zero), guard.left);
    }

    /// The numbers of a row, at the beginning of the frame: lanes are tried, and wait for nothing.
    fn emit_lane_guard(&self) -> Guard<'c> {
        let function = self.frame.function;
        let entry = Builder::new(self.prepared.cx);
        entry.before(builder::entry_block(function).first_insertion_point());
        entry.use_artificial_place(function);
        let [balance, left] = ["poly.balance", "poly.left"].map(|name| {
            let place = entry.alloca(entry.int_type(64), name);
            entry.store(entry.int(64, 0), place);
            place
        });
        Guard { balance, left }
    }

    /// Where a loop in lanes counts: loops of the same cycles and lanes share it.
    pub(crate) fn lane_count(&mut self, cycles: LoopCycles, ty: Type<'c>) -> LaneCount<'c> {
        if let Some(&known) = self.lane_counts.iter().find(|count| count.cycles == cycles && count.ty == ty) {
            return known;
        }
        let function = self.frame.function;
        let [iterations, vectors, spent] = ["poly.iterations", "poly.vectors", "poly.spent"]
            .map(|name| self.entry_alloca(function, self.b.int_type(64), name));
        let [active, points] = ["poly.active", "poly.points"].map(|name| self.entry_alloca(function, ty, name));
        let count = LaneCount { iterations, active, points, vectors, spent, ty, cycles };
        self.lane_counts.push(count);
        count
    }

    /// What the loops of a piece take alone, and have taken in lanes.
    fn emit_both(&self, count: LaneCount<'c>) -> (Value<'c>, Value<'c>) {
        let long = self.b.int_type(64);
        let total = |place| {
            let sum = self.b.intrinsic("llvm.vector.reduce.add", &[count.ty], &[self.b.load(count.ty, place, "")]);
            self.b.int_cast(sum, long, false)
        };
        let (active, points) = (total(count.active), total(count.points));
        let number = |place| self.b.load(long, place, "");
        let (iterations, vectors) = (number(count.iterations), number(count.vectors));
        let sum = |a, b| self.b.arithmetic(Op::Add, a, b, false);
        let cycles = count.cycles;
        let alone = sum(
            self.emit_cycles(cycles.scalar, cycles.window, (active, points)),
            self.emit_restarts(cycles, (iterations, active), points),
        );
        let in_lanes = sum(
            self.emit_cycles(cycles.vector, cycles.window, (iterations, vectors)),
            sum(self.b.arithmetic(Op::Mul, vectors, self.b.int(64, cycles.entry), false), number(count.spent)),
        );
        (alone, in_lanes)
    }

    /// Parts of cycles of so many iterations of so many loops.
    fn emit_cycles(
        &self,
        cycles: IterationCycles,
        window: i128,
        (iterations, loops): (Value<'c>, Value<'c>),
    ) -> Value<'c> {
        let IterationCycles { instructions, start, alone } = cycles;
        let long = self.b.int_type(64);
        let with = |op, a, constant| self.b.arithmetic(op, a, self.b.int(64, constant), false);
        let limited = |name: &str, a, constant| self.b.intrinsic(name, &[long], &[a, self.b.int(64, constant)]);
        let of_loop = with(Op::Mul, iterations, instructions);
        let of_loop = self.b.arithmetic(Op::UDiv, of_loop, limited("llvm.umax", loops, 1), false);
        let waits = with(Op::UDiv, with(Op::Mul, limited("llvm.umin", of_loop, window), alone), window);
        self.b.arithmetic(Op::Mul, iterations, limited("llvm.umax", waits, start), false)
    }

    /// Parts of cycles for ends that are not foreseen.
    fn emit_restarts(
        &self,
        cycles: LoopCycles,
        (iterations, active): (Value<'c>, Value<'c>),
        points: Value<'c>,
    ) -> Value<'c> {
        let long = self.b.int_type(64);
        let places = self.b.arithmetic(Op::Mul, iterations, self.b.int(64, i128::from(cycles.lanes)), false);
        let idle = self.b.arithmetic(Op::Sub, places, active, false);
        let restarts = self.b.arithmetic(Op::Mul, points, self.b.int(64, cycles.restart), false);
        let places = self.b.intrinsic("llvm.umax", &[long], &[places, self.b.int(64, 1)]);
        self.b.arithmetic(Op::UDiv, self.b.arithmetic(Op::Mul, restarts, idle, false), places, false)
    }
}
