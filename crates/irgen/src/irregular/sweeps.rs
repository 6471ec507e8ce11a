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
//! Let `(t, i)` come before `(u, j)` in the original order, and one depend on the other. If `t = u`,
//! then `i < j`, and positions do not decrease. If `t < u`, then `j >= i - W`, so
//! `j + u * D >= i - W + t * D + D >= i + t * D`: positions do not decrease either, and where they
//! are in one piece, `t < u` decides. This is time skewing [Wolfe1986] with a factor that an
//! inspector finds.
//!
//! # Steps
//! 1. An inspector looks at some rows. Original loops are executed if few of them read what a row
//!    shortly before has written: then nothing waits, and the original order is the best one for
//!    caches. The same if rows are long.
//! 2. An inspector looks at all rows, some at a time, and stops where `W` becomes too large. Where a
//!    row is a loop over elements of an index array ([`Row`]), it looks for the smallest and the
//!    largest element of some rows together: elements of neighbouring rows lie behind each other,
//!    and finding those takes a small part of what a sweep takes. Else the inspector is the slice of
//!    the nest, which only many sweeps pay for. Both read what the first sweep reads of index
//!    arrays.
//! 3. Original loops are executed if reads are too far for sweeps to overlap, or if the rows between
//!    two sweeps do not fit half of the largest cache.
//! 4. Sweeps are executed [`SWEEPS`] at a time, in pieces of [`ROWS`] rows of each.
//!
//! Results have the same bits: each iteration computes what it computed, from the same values.

use poly_shim::expand::Expander;
use poly_shim::surgery::promote_slots;
use poly_shim::{IrregularNest, PassContext, Row, RowRead, ScevRef, Sweeps};

use super::copies::{Copy, Reach, Rows, slice_of_rows};
use super::{first_address, new_function, store_words};
use crate::builder::{self, Block, Builder, Compare, Op, Type, Value};
use crate::error::CodegenError;
use crate::options::CodegenOptions;

/// Sweeps that are executed at once. One waits for its last row most of the time; with three, others
/// compute meanwhile. More need as many more streams from memory than processors follow.
const SWEEPS: i128 = 3;

/// Rows of a sweep, before those of the next one follow: few enough that those of several sweeps are
/// in the processor at the same time.
const ROWS: i128 = 4;

/// Rows between two sweeps besides those that are needed: what a sweep reads of the one before was
/// computed some pieces ago, not just now.
const SLACK: i128 = 4 * ROWS;

/// Fewer rows are not inspected: that takes some hundred cycles besides.
const FEWEST: i128 = 1024;

/// Rows that are inspected together. What is found of them is found of each.
const AT_ONCE: i128 = 64;

/// One part in so many is looked at first, and not more than so many rows.
const SAMPLE: i128 = 128;
const SAMPLES: i128 = 256;

/// Bytes that a row may load on the average, with what is read of others: longer rows fill a
/// processor's window of operations, so that none of another sweep is in it.
const BYTES_OF_ROW: i128 = 320;

/// So many sweeps pay for an inspector that takes about half as long as one of them.
const MANY: i128 = 32;

/// More bytes than any access has.
const MAX_BYTES: i128 = 64;

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
    let starts = sweeps.starts.iter().map(|(start, _)| *start);
    let expanded: Vec<ScevRef<'c>> = firsts.into_iter().chain(starts).collect();
    let numbers = [nest.backedges, sweeps.backedges];
    if !expanded.iter().chain(&numbers).all(|scev| expander.is_safe_at(*scev, at)) {
        return Ok(false);
    }
    let [rows, times] = numbers.map(|scev| expander.expand_own(scev, at));
    let mut values: Vec<Value<'c>> = nest.values.iter().map(|(value, _)| *value).collect();
    values.extend(expanded.iter().map(|scev| expander.expand_own(*scev, at)));
    drop(expander);
    let inspector = inspector(cx, nest, sweeps, &values);
    let of_rows = sweeps.row.as_ref().and_then(|row| rows_inspector(cx, nest, row, sweeps, &values));
    let executor = Executor { cx, nest, sweeps, values: &values, inspector, of_rows, options, is_forced }.write();
    let parent = preheader.function();
    call(cx, parent, (preheader, latch, exit), sweeps, (&values, executor, rows, times, is_forced));
    parent.drop_inferred_effects();
    for function in [inspector, executor, parent].into_iter().chain(of_rows) {
        function.verify().map_err(|message| CodegenError::Invalid { message })?;
    }
    Ok(true)
}

/// Words between inspector and executor: what it finds, and what it has to know.
const FAR: i128 = 0;
const NEAR: i128 = 1;
const BYTES: i128 = 2;
const LOW: i128 = 3;
const SPAN: i128 = 4;
const FIRST: i128 = 5;
const SMALLEST: i128 = 6;
const LARGEST: i128 = 7;
/// The lowest and the highest address of a read that moves along a row, and behind these two those
/// of the next one.
const LOWEST: i128 = 8;
const HIGHEST: i128 = 9;

/// How many words there are.
fn words(row: Option<&Row<'_>>) -> u64 {
    8 + 2 * row.map_or(0, |row| row.moving.len() as u64)
}

fn word<'c>(b: &Builder<'c>, words: Value<'c>, number: i128) -> Value<'c> {
    b.offset(b.int_type(64), words, b.int(64, number))
}

/// Writes `void reach(const word *values, i64 from, i64 to, word *found)`.
fn inspector<'c>(
    cx: PassContext<'c>,
    nest: &IrregularNest<'c>,
    sweeps: &Sweeps<'c>,
    values: &[Value<'c>],
) -> Value<'c> {
    let mut copy = Copy::inspector(cx, nest, values, "reach");
    let (reach, slots) = reach(&copy, sweeps.stride);
    copy.reach(cx, reach);
    end_inspector(&copy, slots, &[]);
    copy.made
}

/// Loads what the inspector has to know, and what it has found so far, to variables.
fn reach<'c>(copy: &Copy<'c, '_>, stride: i64) -> (Reach<'c>, [(i128, Value<'c>); 3]) {
    let (b, found) = (&copy.b, builder::argument(copy.made, 3));
    let long = b.int_type(64);
    let slots = [FAR, NEAR, BYTES].map(|number| {
        let slot = b.alloca(long, "found");
        b.store(b.load(long, word(b, found, number), ""), slot);
        (number, slot)
    });
    let [low, span, first] = [LOW, SPAN, FIRST].map(|number| b.load(long, word(b, found, number), ""));
    let [(_, far), (_, near), (_, bytes)] = slots;
    (Reach { far, near, bytes, low, span, first, stride }, slots)
}

/// Stores what was found.
fn end_inspector<'c>(copy: &Copy<'c, '_>, slots: [(i128, Value<'c>); 3], others: &[Value<'c>]) {
    let (b, found) = (&copy.b, builder::argument(copy.made, 3));
    for (number, slot) in slots {
        b.store(b.load(b.int_type(64), slot, ""), word(b, found, number));
    }
    b.return_void();
    let all: Vec<Value<'c>> = slots.into_iter().map(|(_, slot)| slot).chain(others.iter().copied()).collect();
    promote_slots(copy.made, &all);
}

/// Writes an inspector with the same arguments which does not execute the loop over a row: of its
/// elements it finds the smallest and the largest. None if that cannot be.
fn rows_inspector<'c>(
    cx: PassContext<'c>,
    nest: &IrregularNest<'c>,
    row: &Row<'c>,
    sweeps: &Sweeps<'c>,
    values: &[Value<'c>],
) -> Option<Value<'c>> {
    let mut expander = Expander::new(cx);
    let at = row.preheader.terminator();
    let starts = row.moving.iter().map(|moving| &moving.start);
    if !row.span.iter().chain(starts).all(|scev| expander.is_safe_at(*scev, at)) {
        return None;
    }
    let span = row.span.map(|scev| expander.expand_own(scev, at));
    let starts: Vec<Value<'c>> = row.moving.iter().map(|moving| expander.expand_own(moving.start, at)).collect();
    drop(expander);
    let slice = slice_of_rows(nest, row, &[&span[..], &starts].concat())?;
    let size = i128::from(row.load.ty().integer_bits()? / 8);
    let scan = scan(&Builder::new(cx), nest.outer.header().function(), row, size);
    let mut copy = Copy::inspector(cx, nest, values, "rows");
    let (reach, slots) = reach(&copy, sweeps.stride);
    let (b, found) = (&copy.b, builder::argument(copy.made, 3));
    let pointer = b.pointer_type();
    let [open, end] = ["open", "end"].map(|name| b.alloca(pointer, name));
    for slot in [open, end] {
        b.store(b.null(pointer), slot);
    }
    let mut others = vec![open, end];
    let mut moving = Vec::new();
    for (k, &start) in (0..).zip(&starts) {
        let bounds = [LOWEST, HIGHEST].map(|which| {
            let slot = b.alloca(b.int_type(64), "bound");
            b.store(b.load(b.int_type(64), word(b, found, which + 2 * k), ""), slot);
            slot
        });
        others.extend(bounds);
        moving.push((start, bounds));
    }
    copy.reach_of_rows(cx, reach, Rows { row, span, moving: &moving, open, end, scan, found, size }, &slice);
    for (k, (_, bounds)) in (0..).zip(&moving) {
        for (which, slot) in [LOWEST, HIGHEST].into_iter().zip(bounds) {
            copy.b.store(copy.b.load(copy.b.int_type(64), *slot, ""), word(&copy.b, found, which + 2 * k));
        }
    }
    end_inspector(&copy, slots, &others);
    Some(copy.made)
}

/// Writes `void scan(element *from, element *to, word *found)`: the smallest and the largest of the elements
/// between two addresses.
fn scan<'c>(b: &Builder<'c>, parent: Value<'c>, row: &Row<'c>, size: i128) -> Value<'c> {
    let (pointer, element) = (b.pointer_type(), row.load.ty());
    let made = new_function(b, parent, "scan", b.function_type(b.void_type(), &[pointer; 3], false));
    let [from, to, found] = [0, 1, 2].map(|k| builder::argument(made, k));
    let [entry, inside, scanned, done] = ["entry", "element", "scanned", "done"].map(|name| b.append_block(made, name));
    b.at_end(entry);
    b.use_artificial_place(made);
    let known = [SMALLEST, LARGEST].map(|which| b.load(element, word(b, found, which), ""));
    let long = b.int_type(64);
    let bytes = b.arithmetic(Op::Sub, b.ptr_to_int(to, long), b.ptr_to_int(from, long), false);
    let count = b.arithmetic(Op::UDiv, bytes, b.int(64, size), false);
    b.branch_if(b.compare(Compare::LLVMIntEQ, count, b.int(64, 0)), done, inside);
    b.at_end(inside);
    let position = b.phi(long, "position");
    builder::add_incoming(position, b.int(64, 0), entry);
    let folded = known.map(|start| {
        let phi = b.phi(element, "known");
        builder::add_incoming(phi, start, entry);
        phi
    });
    let value = b.load(element, b.offset(element, from, position), "");
    let names = if row.is_signed { ["llvm.smin", "llvm.smax"] } else { ["llvm.umin", "llvm.umax"] };
    let results = [0, 1].map(|k| {
        let new = b.intrinsic(names[k], &[element], &[folded[k], value]);
        builder::add_incoming(folded[k], new, inside);
        new
    });
    let next = b.arithmetic(Op::Add, position, b.int(64, 1), true);
    builder::add_incoming(position, next, inside);
    b.branch_if(b.compare(Compare::LLVMIntEQ, next, count), scanned, inside);
    b.at_end(scanned);
    for (result, which) in results.into_iter().zip([SMALLEST, LARGEST]) {
        b.store(result, word(b, found, which));
    }
    b.branch(done);
    b.at_end(done);
    b.return_void();
    made
}

/// What is needed to write the executor.
struct Executor<'c, 'n> {
    cx: PassContext<'c>,
    nest: &'n IrregularNest<'c>,
    sweeps: &'n Sweeps<'c>,
    values: &'n [Value<'c>],
    inspector: Value<'c>,
    of_rows: Option<Value<'c>>,
    options: &'n CodegenOptions,
    is_forced: bool,
}

/// A loop that is being written: where it begins, its counter, and where it ends.
struct Counted<'c> {
    head: Block<'c>,
    counter: Value<'c>,
    done: Block<'c>,
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
        let found = self.written(&copy, rows, declined);
        let lag = self.inspect(&copy, [rows, times], found, declined);
        self.execute(&mut copy, rows, times, lag);
        let b = &copy.b;
        b.return_value(b.bool(true));
        b.at_end(declined);
        b.return_value(b.bool(false));
        copy.made
    }

    fn width(&self) -> i128 {
        i128::from(self.sweeps.stride).abs()
    }

    /// Goes on if the condition is true.
    fn demand(copy: &Copy<'c, '_>, condition: Value<'c>, declined: Block<'c>) {
        let on = copy.b.append_block(copy.made, "on");
        copy.b.branch_if(condition, on, declined);
        copy.b.at_end(on);
    }

    /// Which addresses are written: iterations must not write to each other's places. The words for
    /// the inspector.
    fn written(&self, copy: &Copy<'c, '_>, rows: Value<'c>, declined: Block<'c>) -> Value<'c> {
        let b = &copy.b;
        let long = b.int_type(64);
        let starts = &copy.addresses[copy.addresses.len() - self.sweeps.starts.len()..];
        let (mut low, mut high) = (None, None);
        for (&start, &(_, size)) in starts.iter().zip(&self.sweeps.starts) {
            let start = b.ptr_to_int(start, long);
            let end = b.arithmetic(Op::Add, start, b.int(64, i128::from(size)), false);
            low = Some(low.map_or(start, |low| b.intrinsic("llvm.umin", &[long], &[low, start])));
            high = Some(high.map_or(end, |high| b.intrinsic("llvm.umax", &[long], &[high, end])));
        }
        let (first, end) = (low.expect("there is a store"), high.expect("there is a store"));
        let extent = b.arithmetic(Op::Sub, end, first, false);
        Self::demand(copy, b.compare(Compare::LLVMIntULE, extent, b.int(64, self.width())), declined);
        let last = b.arithmetic(Op::Sub, rows, b.int(64, 1), false);
        let moved = b.arithmetic(Op::Mul, last, b.int(64, self.width()), false);
        let low = if self.sweeps.stride > 0 { first } else { b.arithmetic(Op::Sub, first, moved, false) };
        let span = b.arithmetic(Op::Add, moved, extent, false);
        let found = b.alloca(b.array_type(long, words(self.sweeps.row.as_ref())), "found");
        builder::set_alignment(found, 8);
        let zero = b.int(64, 0);
        for (number, value) in [(FAR, zero), (NEAR, zero), (BYTES, zero), (LOW, low), (SPAN, span), (FIRST, first)] {
            b.store(value, word(b, found, number));
        }
        found
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
        let (long, pointer) = (b.int_type(64), b.pointer_type());
        let number = |number: i128| b.int(64, number);
        let load = |which: i128| b.load(long, word(b, found, which), "");
        let ty = b.function_type(b.void_type(), &[pointer, long, long, pointer], false);
        let words = builder::argument(copy.made, 0);
        let mut of_row = None;
        if !self.is_forced {
            if self.of_rows.is_none() {
                Self::demand(copy, b.compare(Compare::LLVMIntUGE, times, number(MANY)), declined);
            }
            let some = b.arithmetic(Op::UDiv, rows, number(SAMPLE), false);
            let middle = b.arithmetic(Op::UDiv, rows, number(2), false);
            let some = b.intrinsic("llvm.umin", &[long], &[some, number(SAMPLES)]);
            let some = b.intrinsic("llvm.umax", &[long], &[some, number(1)]);
            b.call(ty, self.inspector, &[words, middle, b.arithmetic(Op::Add, middle, some, false), found]);
            let near = load(NEAR);
            let waiting = b.compare(Compare::LLVMIntUGE, b.arithmetic(Op::Add, near, near, false), some);
            Self::demand(copy, waiting, declined);
            let bytes = b.arithmetic(Op::UDiv, load(BYTES), some, false);
            Self::demand(copy, b.compare(Compare::LLVMIntULE, bytes, number(BYTES_OF_ROW)), declined);
            of_row = Some(bytes);
        }
        let lag = || {
            let far = b.arithmetic(Op::Add, load(FAR), number(MAX_BYTES), false);
            b.arithmetic(Op::Add, b.arithmetic(Op::UDiv, far, number(self.width()), false), number(2 + SLACK), false)
        };
        // All sweeps are executed at once half of the time.
        let lag_limit = b.arithmetic(Op::UDiv, rows, number(2 * (SWEEPS - 1)), false);
        let pieces = Self::begin(copy, number(0), rows);
        let end = b.arithmetic(Op::Add, pieces.counter, number(AT_ONCE), false);
        let end = b.intrinsic("llvm.umin", &[long], &[end, rows]);
        if let (Some(inspector), Some(row)) = (self.of_rows, &self.sweeps.row) {
            let bits = row.load.ty().integer_bits().expect("elements are integers");
            let (smallest, largest) =
                if row.is_signed { ((1 << (bits - 1)) - 1, 1 << (bits - 1)) } else { ((1 << bits) - 1, 0) };
            b.store(b.int(bits, smallest), word(b, found, SMALLEST));
            b.store(b.int(bits, largest), word(b, found, LARGEST));
            for k in 0..row.moving.len() as i128 {
                b.store(number(-1), word(b, found, LOWEST + 2 * k));
                b.store(number(0), word(b, found, HIGHEST + 2 * k));
            }
            b.call(ty, inspector, &[words, pieces.counter, end, found]);
            self.add_rows(copy, row, [pieces.counter, end], found);
        } else {
            b.call(ty, self.inspector, &[words, pieces.counter, end, found]);
        }
        if !self.is_forced {
            Self::demand(copy, b.compare(Compare::LLVMIntULE, lag(), lag_limit), declined);
        }
        Self::end(copy, &pieces, AT_ONCE);
        let lag = lag();
        if let Some(of_row) = of_row {
            let between = b.arithmetic(Op::Mul, of_row, lag, false);
            let between = b.arithmetic(Op::Mul, between, number(2 * (SWEEPS - 1)), false);
            let cache = self.options.machine.caches.iter().map(|cache| cache.bytes).max().unwrap_or(0);
            Self::demand(copy, b.compare(Compare::LLVMIntULE, between, number(i128::from(cache))), declined);
        }
        lag
    }

    /// Adds how far the sites in the loop over a row read, in some rows, as far as that is written:
    /// from the smallest to the largest element.
    fn add_rows(&self, copy: &Copy<'c, '_>, row: &Row<'c>, [from, end]: [Value<'c>; 2], found: Value<'c>) {
        let b = &copy.b;
        let long = b.int_type(64);
        let load = |which: i128| b.load(long, word(b, found, which), "");
        let element = |which: i128| {
            let of = b.load(row.load.ty(), word(b, found, which), "");
            b.int_cast(of, long, row.is_signed)
        };
        let [smallest, largest] = [SMALLEST, LARGEST].map(element);
        let stride = b.int(64, i128::from(self.sweeps.stride));
        let own = |number| b.arithmetic(Op::Add, load(FIRST), b.arithmetic(Op::Mul, number, stride, false), false);
        let (one, other) = (own(from), own(b.arithmetic(Op::Sub, end, b.int(64, 1), false)));
        let lowest = b.intrinsic("llvm.umin", &[long], &[one, other]);
        let highest = b.intrinsic("llvm.umax", &[long], &[one, other]);
        let (low, behind) = (load(LOW), b.arithmetic(Op::Add, load(LOW), load(SPAN), false));
        let is_any = b.compare(Compare::LLVMIntSLE, smallest, largest);
        let is_any = if row.is_signed { is_any } else { b.compare(Compare::LLVMIntULE, smallest, largest) };
        let add = |from, end, is_any| {
            let from = b.intrinsic("llvm.umax", &[long], &[from, low]);
            let end = b.intrinsic("llvm.umin", &[long], &[end, behind]);
            let meets = b.arithmetic(Op::And, is_any, b.compare(Compare::LLVMIntULT, from, end), false);
            let [down, up] = [b.arithmetic(Op::Sub, highest, from, false), b.arithmetic(Op::Sub, end, lowest, false)];
            let far = b.select(meets, b.intrinsic("llvm.smax", &[long], &[down, up]), b.int(64, 0));
            b.store(b.intrinsic("llvm.smax", &[long], &[load(FAR), far]), word(b, found, FAR));
        };
        for &RowRead { base, offset, scale, size } in &row.reads {
            let base = b.ptr_to_int(copy.of(base), long);
            let place = |element| {
                let moved = b.arithmetic(Op::Add, element, b.int(64, i128::from(offset)), false);
                b.arithmetic(Op::Add, base, b.arithmetic(Op::Mul, moved, b.int(64, i128::from(scale)), false), false)
            };
            add(place(smallest), b.arithmetic(Op::Add, place(largest), b.int(64, i128::from(size)), false), is_any);
        }
        for (k, moving) in (0..).zip(&row.moving) {
            let (from, last) = (load(LOWEST + 2 * k), load(HIGHEST + 2 * k));
            let is_any = b.compare(Compare::LLVMIntULE, from, last);
            add(from, b.arithmetic(Op::Add, last, b.int(64, i128::from(moving.size)), false), is_any);
        }
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
        let pieces = Self::begin(copy, number(0), total);
        let each = Self::begin(copy, number(0), at_once);
        let ahead = copy.b.arithmetic(Op::Mul, each.counter, lag, false);
        let from = copy.b.arithmetic(Op::Sub, pieces.counter, ahead, false);
        self.piece(copy, rows, from);
        Self::end(copy, &each, 1);
        Self::end(copy, &pieces, ROWS);
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

    /// Begins a loop that is executed at least once; the builder stands in it.
    fn begin(copy: &Copy<'c, '_>, from: Value<'c>, to: Value<'c>) -> Counted<'c> {
        let b = &copy.b;
        let before = b.block();
        let [head, inside, done] = ["head", "inside", "done"].map(|name| b.append_block(copy.made, name));
        b.branch(head);
        b.at_end(head);
        let counter = b.phi(b.int_type(64), "counter");
        builder::add_incoming(counter, from, before);
        b.branch_if(b.compare(Compare::LLVMIntSLT, counter, to), inside, done);
        b.at_end(inside);
        Counted { head, counter, done }
    }

    /// Ends a loop; the builder stands behind it.
    fn end(copy: &Copy<'c, '_>, of: &Counted<'c>, step: i128) {
        let b = &copy.b;
        builder::add_incoming(of.counter, b.arithmetic(Op::Add, of.counter, b.int(64, step), false), b.block());
        b.branch(of.head);
        b.at_end(of.done);
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
