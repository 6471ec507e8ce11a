//! Sweeps over rows of sparse matrices, several at once.
//!
//! # Problem
//! A sweep of Gauss and Seidel computes `x[i]` from `x[i - 1]`: a row waits until the operations of
//! the one before it are complete, and the processor does little meanwhile. Rows of the next sweep
//! do not depend on that; they depend on rows of this one that are near them in the matrix.
//!
//! # Definitions
//! Iteration `i` of sweep `t` writes to its own place, `first + i * stride`, and reads of what
//! others write at most `W` iterations away from there (half of the matrix's *bandwidth*). So two
//! iterations depend on each other only if they are at most `W` apart. The *position* of `(t, i)`
//! is `i + t * D` for a `D >= W`; iterations are executed in the order of the triples (position
//! divided by [`ROWS`], t, i).
//!
//! # Why that is legal
//! Let `(t, i)` come before `(u, j)` in the original order, and one depend on the other. If
//! `t = u`, then `i < j`, and positions do not decrease. If `t < u`, then `j >= i - W`, so
//! `j + u * D >= i - W + t * D + D >= i + t * D`: positions do not decrease either, and where they
//! are in one piece, `t < u` decides. This is time skewing [Wolfe1986] with a factor that an
//! inspector finds.
//!
//! # Steps
//! 1. An inspector looks at some rows. Original loops are executed if few of them read what the
//!    row before has written: then rows are in the processor at the same time anyway, and the
//!    original order is the best one for caches. The same if rows are long.
//! 2. An inspector looks at all rows, some at a time, and stops where `W` becomes too large. Where
//!    a row is a loop over elements of an index array ([`Row`]), it looks for the smallest and the
//!    largest element of some rows together: elements of neighbouring rows lie behind each other,
//!    and finding those takes a small part of what a sweep takes. Else the inspector is the slice
//!    of the nest, which only many sweeps pay for. Both read what the first sweep reads of index
//!    arrays.
//! 3. Original loops are executed if reads are too far for sweeps to overlap, or if the rows
//!    between two sweeps do not fit half of the largest cache.
//! 4. Sweeps are executed [`SWEEPS`] at a time, in pieces of [`ROWS`] rows of each.
//!
//! Results have the same bits: each iteration computes what it computed, from the same values.

use poly_shim::expand::Expander;
use poly_shim::{IrregularNest, PassContext, ScevRef, SiteKind, Sweeps};

use super::copies::Copy;
use super::reads::{AT_ONCE, Asked, BYTES, FAR, MAX_BYTES, NEAR, Reads, begin, demand, end, word};
use super::{first_address, store_words};
use crate::builder::{self, Block, Builder, Compare, Op, Type, Value};
use crate::error::CodegenError;
use crate::options::CodegenOptions;

/// Sweeps that are executed at once. One waits for its last row most of the time; with three,
/// others compute meanwhile. More need as many more streams from memory than processors follow.
const SWEEPS: i128 = 3;

/// Rows of a sweep, before those of the next one follow: few enough that those of several sweeps
/// are in the processor at the same time.
const ROWS: i128 = 4;

/// Rows between two sweeps besides those that are needed: what a sweep reads of the one before was
/// computed some pieces ago, not just now.
const SLACK: i128 = 4 * ROWS;

/// Fewer rows are not inspected: that takes some hundred cycles besides.
const FEWEST: i128 = 1024;

/// Bytes that a row may load on the average, with what is read of others: ten elements of a matrix
/// of doubles, and a few words for the row. Longer rows fill a processor's window of operations, so
/// that none of another sweep is in it.
const BYTES_OF_ROW: i128 = 224;

/// So many sweeps pay for an inspector that takes about half as long as one of them.
const MANY: i128 = 32;

/// Writes an inspector and an executor for several sweeps in front of the loop around the nest. The
/// function was not changed if the result is false.
pub fn generate_sweeps<'c>(
    cx: PassContext<'c>,
    nest: &IrregularNest<'c>,
    options: &CodegenOptions,
    is_forced: bool,
) -> Result<bool, CodegenError> {
    let Some(sweeps) = &nest.sweeps else { return Ok(false) };
    let (Some(preheader), Some(latch), Some(exit)) =
        (sweeps.around.preheader(), sweeps.around.latch(), sweeps.around.exit_block())
    else {
        return Ok(false);
    };
    let mut expander = Expander::new(cx);
    let at = preheader.terminator();
    let firsts: Vec<ScevRef<'c>> = nest.counters.iter().filter_map(first_address).collect();
    let starts = sweeps.places.starts.iter().map(|(start, _)| *start);
    let expanded: Vec<ScevRef<'c>> = firsts.into_iter().chain(starts).collect();
    let numbers = [nest.backedges, sweeps.backedges];
    if !expanded.iter().chain(&numbers).all(|scev| expander.is_safe_at(*scev, at)) {
        return Ok(false);
    }
    let [rows, times] = numbers.map(|scev| expander.expand_own(scev, at));
    let mut values: Vec<Value<'c>> = nest.values.iter().map(|(value, _)| *value).collect();
    values.extend(expanded.iter().map(|scev| expander.expand_own(*scev, at)));
    drop(expander);
    let asked = Asked { places: &sweeps.places, kinds: &[SiteKind::Read] };
    let reads = Reads::new(cx, nest, asked, &values);
    let executor = Executor { cx, nest, reads: &reads, values: &values, options, is_forced }.write();
    let parent = preheader.function();
    call(cx, parent, (preheader, latch, exit), sweeps, (&values, executor, rows, times, is_forced));
    parent.drop_inferred_effects();
    for function in [executor, parent].into_iter().chain(reads.functions()) {
        function.verify().map_err(|message| CodegenError::Invalid { message })?;
    }
    Ok(true)
}

/// What is needed to write the executor.
struct Executor<'c, 'n> {
    cx: PassContext<'c>,
    nest: &'n IrregularNest<'c>,
    reads: &'n Reads<'c, 'n>,
    values: &'n [Value<'c>],
    options: &'n CodegenOptions,
    is_forced: bool,
}

impl<'c> Executor<'c, '_> {
    /// Writes `i1 sweep(const word *values, i64 rows, i64 times)`: false if nothing was executed.
    fn write(&self) -> Value<'c> {
        let b = Builder::new(self.cx);
        let (pointer, long) = (b.pointer_type(), b.int_type(64));
        let ty = b.function_type(b.int_type(1), &[pointer, long, long], false);
        let mut copy = Copy::new(b, self.nest, self.values, "sweeps", ty);
        let [rows, times] = [1, 2].map(|k| builder::argument(copy.made, k));
        let declined = copy.b.append_block(copy.made, "declined");
        let found = self.reads.written(&copy, rows, declined);
        let lag = self.inspect(&copy, [rows, times], found, declined);
        self.execute(&mut copy, rows, times, lag);
        let b = &copy.b;
        b.return_value(b.bool(true));
        b.at_end(declined);
        b.return_value(b.bool(false));
        copy.made
    }

    /// Calls the inspectors; how many rows a sweep is behind the one before it.
    fn inspect(
        &self,
        copy: &Copy<'c, '_>,
        [rows, times]: [Value<'c>; 2],
        found: Value<'c>,
        declined: Block<'c>,
    ) -> Value<'c> {
        let b = &copy.b;
        let long = b.int_type(64);
        let number = |number: i128| b.int(64, number);
        let load = |which: i128| b.load(long, word(b, found, which), "");
        let mut of_row = None;
        if !self.is_forced {
            if !self.reads.is_cheap() {
                demand(copy, b.compare(Compare::LLVMIntUGE, times, number(MANY)), declined);
            }
            let some = self.reads.sample(copy, rows, found);
            let near = load(NEAR);
            let waiting = b.compare(Compare::LLVMIntUGE, b.arithmetic(Op::Add, near, near, false), some);
            demand(copy, waiting, declined);
            let bytes = b.arithmetic(Op::UDiv, load(BYTES), some, false);
            demand(copy, b.compare(Compare::LLVMIntULE, bytes, number(BYTES_OF_ROW)), declined);
            of_row = Some(bytes);
        }
        let lag = || {
            let far = b.arithmetic(Op::Add, load(FAR), number(MAX_BYTES), false);
            b.arithmetic(
                Op::Add,
                b.arithmetic(Op::UDiv, far, number(self.reads.width()), false),
                number(2 + SLACK),
                false,
            )
        };
        // All sweeps are executed at once half of the time.
        let lag_limit = b.arithmetic(Op::UDiv, rows, number(2 * (SWEEPS - 1)), false);
        let pieces = begin(copy, number(0), rows);
        let to = b.arithmetic(Op::Add, pieces.counter, number(AT_ONCE), false);
        let to = b.intrinsic("llvm.umin", &[long], &[to, rows]);
        self.reads.inspect(copy, [pieces.counter, to], found);
        if !self.is_forced {
            demand(copy, b.compare(Compare::LLVMIntULE, lag(), lag_limit), declined);
        }
        end(copy, &pieces, copy.b.int(64, AT_ONCE));
        let lag = lag();
        if let Some(of_row) = of_row {
            let between = b.arithmetic(Op::Mul, of_row, lag, false);
            let between = b.arithmetic(Op::Mul, between, number(2 * (SWEEPS - 1)), false);
            let cache = self.options.machine.caches.iter().map(|cache| cache.bytes).max().unwrap_or(0);
            demand(copy, b.compare(Compare::LLVMIntULE, between, number(i128::from(cache))), declined);
        }
        lag
    }

    /// Executes all sweeps, some at a time.
    fn execute(&self, copy: &mut Copy<'c, '_>, rows: Value<'c>, times: Value<'c>, lag: Value<'c>) {
        let (before, [head, some, done]) = {
            let b = &copy.b;
            (b.block(), ["sweeps", "some", "swept"].map(|name| b.append_block(copy.made, name)))
        };
        let b = &copy.b;
        let long = b.int_type(64);
        let number = |number: i128| b.int(64, number);
        b.branch(head);
        b.at_end(head);
        let left = b.phi(long, "left");
        builder::add_incoming(left, times, before);
        b.branch_if(b.compare(Compare::LLVMIntEQ, left, number(0)), done, some);
        b.at_end(some);
        // One of four would be alone.
        let is_even = b.compare(Compare::LLVMIntEQ, left, number(SWEEPS + 1));
        let at_once = b.intrinsic("llvm.umin", &[long], &[left, number(SWEEPS)]);
        let at_once = b.select(is_even, number((SWEEPS + 1) / 2), at_once);
        let behind = b.arithmetic(Op::Sub, at_once, number(1), false);
        let total = b.arithmetic(Op::Add, rows, b.arithmetic(Op::Mul, behind, lag, false), false);
        let pieces = begin(copy, number(0), total);
        let each = begin(copy, number(0), at_once);
        let ahead = copy.b.arithmetic(Op::Mul, each.counter, lag, false);
        let from = copy.b.arithmetic(Op::Sub, pieces.counter, ahead, false);
        self.piece(copy, rows, from);
        end(copy, &each, copy.b.int(64, 1));
        end(copy, &pieces, copy.b.int(64, ROWS));
        let b = &copy.b;
        builder::add_incoming(left, b.arithmetic(Op::Sub, left, at_once, false), b.block());
        b.branch(head);
        b.at_end(done);
    }

    /// Executes the rows from a place on that may be in front of the first row.
    fn piece(&self, copy: &mut Copy<'c, '_>, rows: Value<'c>, from: Value<'c>) {
        let [some, none] = ["rows", "none"].map(|name| copy.b.append_block(copy.made, name));
        let b = &copy.b;
        let long = b.int_type(64);
        let end = b.arithmetic(Op::Add, from, b.int(64, ROWS), false);
        let end = b.intrinsic("llvm.smin", &[long], &[end, rows]);
        let from = b.intrinsic("llvm.smax", &[long], &[from, b.int(64, 0)]);
        b.branch_if(b.compare(Compare::LLVMIntSLT, from, end), some, none);
        b.at_end(some);
        let done = copy.loop_from(from, end, self.cx, &|_| true);
        copy.b.at_end(done);
        copy.b.branch(none);
        copy.b.at_end(none);
    }
}

/// Asks the executor in front of the loop.
fn call<'c>(
    cx: PassContext<'c>,
    parent: Value<'c>,
    (preheader, latch, exit): (Block<'c>, Block<'c>, Block<'c>),
    sweeps: &Sweeps<'c>,
    (values, executor, rows, times, is_forced): (&[Value<'c>], Value<'c>, Value<'c>, Value<'c>, bool),
) {
    let b = Builder::new(cx);
    let header = sweeps.around.header();
    let joined = cx.split_edge(latch, exit, "poly.swept");
    let [ask, original] = ["sweeps", "original"].map(|name| b.append_block(parent, &format!("poly.{name}")));
    b.before(builder::entry_block(parent).first_insertion_point());
    b.use_artificial_place(parent);
    let long: Type<'c> = b.int_type(64);
    let words = b.alloca(b.array_type(long, values.len().max(1) as u64), "poly.values");
    builder::set_alignment(words, 8);
    let old = preheader.terminator();
    b.before(old);
    let [rows, times] = [rows, times].map(|count| b.int_cast(count, long, false));
    let fewest = if is_forced { 0 } else { FEWEST - 1 };
    // Sums of positions must not overflow.
    let most = b.int(64, 1 << 40);
    let is_long = b.compare(Compare::LLVMIntUGE, rows, b.int(64, fewest));
    let is_short = b.compare(Compare::LLVMIntULT, rows, most);
    let is_repeated = b.compare(Compare::LLVMIntUGE, times, b.int(64, 1));
    let is_finite = b.compare(Compare::LLVMIntULT, times, most);
    let asks = b.arithmetic(Op::And, is_long, is_short, false);
    let asks = b.arithmetic(Op::And, asks, b.arithmetic(Op::And, is_repeated, is_finite, false), false);
    let asks = match sweeps.guard {
        Some((condition, true)) => b.arithmetic(Op::And, asks, b.freeze(condition), false),
        Some((condition, false)) => b.arithmetic(Op::And, asks, b.not(b.freeze(condition)), false),
        None => asks,
    };
    b.branch_if(asks, ask, original);
    builder::erase(old);
    b.at_end(ask);
    let loaded = |value: Value<'c>| {
        if !sweeps.loads.contains(&value) {
            return value;
        }
        let copy = value.clone_instruction();
        b.insert(copy);
        copy
    };
    let values: Vec<Value<'c>> = values.iter().map(|value| loaded(*value)).collect();
    store_words(&b, &values, words);
    let [rows, times] = [rows, times].map(|count| b.arithmetic(Op::Add, count, b.int(64, 1), false));
    let ty = b.function_type(b.int_type(1), &[b.pointer_type(), long, long], false);
    let has_swept = b.call(ty, executor, &[words, rows, times]);
    b.branch_if(has_swept, joined, original);
    b.at_end(original);
    b.branch(header);
    for phi in header.phis() {
        let edge = phi.incoming().iter().position(|(from, _)| *from == preheader);
        phi.set_incoming_block(edge.expect("the loop was entered from there"), original);
    }
}
