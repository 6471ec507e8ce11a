//! Which points of a row execute whole loops in lanes, and which one after the other.
//!
//! # Problem
//! Lanes gain where neighbouring loops run about as long as each other. Where one lane runs far longer than those beside it, most lanes are idle, and an iteration in lanes takes longer than one
//! of a point alone. Only data say which it is, and they may change along the rows.
//!
//! # Definitions
//! The *gain* of a loop in lanes is `active * scalar - iterations * vector`: `active` is the sum of the lanes that were active over the iterations, `scalar` and `vector` are the
//! cycles that an iteration takes by the processor's model, alone and in lanes.
//!
//! # Method
//! 1. A row is divided into pieces of [`VECTORS`] vectors. A row that fills no vector runs one point after the other.
//! 2. While nothing is to be waited for, a piece runs in lanes, and its gain is added to the balance, of which an eighth is forgotten: the last pieces count most.
//! 3. If the balance is negative then, as many pieces run one point after the other as the wait says, and the wait grows up to [`LONGEST_WAIT`]. Otherwise it shrinks.
//! 4. After that, a piece runs in lanes again, so that a change is noticed.
//!
//! The state belongs to a frame: short rows share it, and every thread has its own.
//!
//! # Invariants
//! Both forms compute the same bits, and the state depends on nothing but data: results are the same, however long the code takes. Sums may wrap; they decide nothing but the form.

use crate::builder::{self, Builder, Compare, Op, Type, Value};
use crate::code::Loop;
use crate::generator::Generator;
use crate::loops::Bounds;
use crate::tile::Tile;

/// Vectors of a piece: what is counted at its end is little beside them.
const VECTORS: u32 = 8;
/// Pieces to wait at first: one in vain is little beside them, too.
const FIRST_WAIT: i128 = 8;
/// The wait grows and shrinks by this factor, a power of two.
const GROWTH_BITS: i128 = 2;
/// Pieces to wait at most: a piece in vain now and then is little beside so many.
const LONGEST_WAIT: i128 = 2048;
/// Parts of a cycle that are counted.
const PARTS: f64 = 8.0;

/// Places of numbers that say how a frame's rows are executed.
#[derive(Clone, Copy, Debug)]
struct Guard<'c> {
    balance: Value<'c>,
    left: Value<'c>,
    wait: Value<'c>,
}

/// Places where loops count over a piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneCount<'c> {
    /// Iterations.
    pub(crate) iterations: Value<'c>,
    /// By lane: iterations in which it was active.
    pub(crate) active: Value<'c>,
    /// The type of that.
    pub(crate) ty: Type<'c>,
    cycles: IterationCycles,
}

/// Cycles of an iteration of a whole loop, in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IterationCycles {
    /// Of a point alone.
    scalar: i128,
    /// In lanes.
    vector: i128,
}

impl IterationCycles {
    /// Of so many cycles.
    pub(crate) fn new(scalar: f64, vector: f64) -> Self {
        Self { scalar: (scalar * PARTS).round() as i128, vector: (vector * PARTS).round() as i128 }
    }
}

impl<'c> Generator<'c, '_> {
    /// Writes a loop whose points execute whole loops, in lanes where that gains; the builder is behind it afterwards.
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
            g.emit_counted(l, Bounds { is_entered: true, ..bounds });
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
        let long = self.b.int(64, i128::from(VECTORS * tile.lanes));
        let is_last = self.b.compare(Compare::LLVMIntSLE, self.b.arithmetic(Op::Sub, end, lower, false), long);
        let next = self.b.select(is_last, end, self.b.arithmetic(Op::Add, lower, long, false));
        let upper = self.b.arithmetic(Op::Sub, next, self.b.int(64, 1), true);
        self.emit_piece(l, Bounds { lower, upper, is_entered: true }, tile, guard);
        builder::add_incoming(lower, next, self.b.block());
        let again = self.b.compare(Compare::LLVMIntSLT, next, end);
        self.b.branch_if(again, header, after);
        self.b.at_end(after);
    }

    /// Writes a piece in both forms.
    fn emit_piece(&mut self, l: &Loop, bounds: Bounds<'c>, tile: &Tile<'_>, guard: Guard<'c>) {
        let function = self.frame.function;
        let long = self.b.int_type(64);
        let [alone, lanes, after] =
            ["alone", "in_lanes", "piece.end"].map(|what| self.b.append_block(function, &format!("poly.{what}")));
        let left = self.b.load(long, guard.left, "");
        let zero = self.b.int(64, 0);
        let waits = self.b.compare(Compare::LLVMIntSGT, left, zero);
        self.b.branch_if(waits, alone, lanes);
        self.b.at_end(alone);
        let less = self.b.arithmetic(Op::Sub, left, self.b.int(64, 1), false);
        self.b.store(self.b.intrinsic("llvm.smax", &[long], &[less, zero]), guard.left);
        self.emit_counted(l, bounds);
        self.b.branch(after);
        self.b.at_end(lanes);
        let body = self.b.append_block(function, "poly.in_lanes.body");
        let enters = self.b.branch(body);
        self.b.at_end(body);
        let outer = std::mem::take(&mut self.lane_counts);
        self.emit_vector_row(bounds, tile);
        let counts = std::mem::replace(&mut self.lane_counts, outer);
        let beginning = Builder::new(self.prepared.cx);
        beginning.before(enters);
        beginning.use_artificial_place(function);
        for count in counts {
            beginning.store(beginning.int(64, 0), count.iterations);
            beginning.store(beginning.null(count.ty), count.active);
            self.emit_gain(count, guard.balance);
        }
        self.emit_decision(guard);
        self.b.branch(after);
        self.b.at_end(after);
    }

    /// Decides how the next pieces are executed.
    fn emit_decision(&mut self, guard: Guard<'c>) {
        let (long, zero) = (self.b.int_type(64), self.b.int(64, 0));
        let balance = self.b.load(long, guard.balance, "");
        let wait = self.b.load(long, guard.wait, "");
        let loses = self.b.compare(Compare::LLVMIntSLT, balance, zero);
        self.b.store(self.b.select(loses, wait, zero), guard.left);
        let longer = self.b.arithmetic(Op::Mul, wait, self.b.int(64, 1 << GROWTH_BITS), false);
        let most = self.b.int(64, LONGEST_WAIT);
        let longer = self.b.intrinsic("llvm.smin", &[long], &[longer, most]);
        let shorter = self.b.arithmetic(Op::AShr, wait, self.b.int(64, GROWTH_BITS), false);
        let shorter = self.b.intrinsic("llvm.smax", &[long], &[shorter, self.b.int(64, FIRST_WAIT)]);
        self.b.store(self.b.select(loses, longer, shorter), guard.wait);
        let forgotten = self.b.arithmetic(Op::AShr, balance, self.b.int(64, 3), false);
        self.b.store(self.b.arithmetic(Op::Sub, balance, forgotten, false), guard.balance);
    }

    /// The numbers of a row, at the beginning of the frame: lanes are tried, and wait for nothing.
    fn emit_lane_guard(&self) -> Guard<'c> {
        let function = self.frame.function;
        let entry = Builder::new(self.prepared.cx);
        entry.before(builder::entry_block(function).first_insertion_point());
        entry.use_artificial_place(function);
        let [balance, left, wait] =
            [("poly.balance", 0), ("poly.left", 0), ("poly.wait", FIRST_WAIT)].map(|(name, first)| {
                let place = entry.alloca(entry.int_type(64), name);
                entry.store(entry.int(64, first), place);
                place
            });
        Guard { balance, left, wait }
    }

    /// Where a loop in lanes counts: loops of the same cycles and lanes share it.
    pub(crate) fn lane_count(&mut self, cycles: IterationCycles, ty: Type<'c>) -> LaneCount<'c> {
        if let Some(&known) = self.lane_counts.iter().find(|count| count.cycles == cycles && count.ty == ty) {
            return known;
        }
        let function = self.frame.function;
        let iterations = self.entry_alloca(function, self.b.int_type(64), "poly.iterations");
        let active = self.entry_alloca(function, ty, "poly.active");
        let count = LaneCount { iterations, active, ty, cycles };
        self.lane_counts.push(count);
        count
    }

    /// Adds to the balance what the loops of a piece have gained.
    fn emit_gain(&self, count: LaneCount<'c>, balance: Value<'c>) {
        let long = self.b.int_type(64);
        let active = self.b.load(count.ty, count.active, "");
        let iterations = self.b.load(long, count.iterations, "");
        let sum = self.b.intrinsic("llvm.vector.reduce.add", &[count.ty], &[active]);
        let sum = self.b.int_cast(sum, long, false);
        let times = |value, cycles| self.b.arithmetic(Op::Mul, value, self.b.int(64, cycles), false);
        let (earned, spent) = (times(sum, count.cycles.scalar), times(iterations, count.cycles.vector));
        let gain = self.b.arithmetic(Op::Sub, earned, spent, false);
        let before = self.b.load(long, balance, "");
        self.b.store(self.b.arithmetic(Op::Add, before, gain, false), balance);
    }
}
