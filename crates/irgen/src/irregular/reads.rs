//! How far from their own places iterations read what others write.
//!
//! Functions of the compiled program, which read index arrays and tell nothing but numbers: the
//! farthest read, how many are near, and what rows load. Where a row is a loop over elements of an
//! index array ([`Row`]), it is not executed: of the elements of some rows together the smallest
//! and the largest are looked for, with vectors. What others read is told by the slice of the nest.

use poly_shim::expand::Expander;
use poly_shim::surgery::promote_slots;
use poly_shim::{IrregularNest, PassContext, Places, Row, RowRead, SiteKind};

use super::chain::chain_inspector;
use super::copies::{Copy, Reach, Rows, slice_of_rows};
use super::new_function;
use crate::builder::{self, Block, Builder, Compare, Op, Value};

/// Rows that are inspected together. What is found of them is found of each.
pub(super) const AT_ONCE: i128 = 64;

/// One part in so many is looked at first, and not more than so many rows.
const SAMPLE: i128 = 128;
const SAMPLES: i128 = 256;

/// More bytes than any access has.
pub(super) const MAX_BYTES: i128 = 64;

/// What inspectors are asked for.
#[derive(Clone, Copy)]
pub(super) struct Asked<'c, 'n> {
    /// Where the nest writes.
    pub(super) places: &'n Places<'c>,
    /// The sites that they tell of.
    pub(super) kinds: &'static [SiteKind],
}

/// Inspectors of a nest.
pub(super) struct Reads<'c, 'n> {
    places: &'n Places<'c>,
    /// Executes the slice.
    inspector: Value<'c>,
    /// Looks at elements, where rows are loops over them.
    of_rows: Option<Value<'c>>,
    /// Looks at those of all rows at once, where each begins where the one before it ends.
    of_chain: Option<Value<'c>>,
}

impl<'c, 'n> Reads<'c, 'n> {
    /// Writes the inspectors.
    pub(super) fn new(
        cx: PassContext<'c>,
        nest: &IrregularNest<'c>,
        asked: Asked<'c, 'n>,
        values: &[Value<'c>],
    ) -> Self {
        let inspector = inspector(cx, nest, asked, values);
        let row = asked.places.row.as_ref();
        let of_rows = row.and_then(|row| rows_inspector(cx, nest, row, asked, values));
        let of_chain = row.filter(|_| of_rows.is_some()).zip(asked.places.chain.as_ref());
        let of_chain = of_chain.map(|(row, chain)| chain_inspector(cx, nest, row, chain, values));
        Self { places: asked.places, inspector, of_rows, of_chain }
    }

    /// The functions that were written.
    pub(super) fn functions(&self) -> impl Iterator<Item = Value<'c>> {
        [self.inspector].into_iter().chain(self.of_rows).chain(self.of_chain)
    }

    /// An inspection has nothing to do for each row, as long as none ends before it begins.
    pub(super) fn is_chained(&self) -> bool {
        self.of_chain.is_some()
    }

    /// Rows are not executed, so that an inspection takes a small part of what the nest takes.
    pub(super) fn is_cheap(&self) -> bool {
        self.of_rows.is_some()
    }

    pub(super) fn width(&self) -> i128 {
        i128::from(self.places.stride).abs()
    }

    /// Which addresses are written: iterations must not write to each other's places. The words for
    /// the inspector.
    pub(super) fn written(&self, copy: &Copy<'c, '_>, rows: Value<'c>, declined: Block<'c>) -> Value<'c> {
        let b = &copy.b;
        let long = b.int_type(64);
        let starts = &copy.addresses[copy.addresses.len() - self.places.starts.len()..];
        let (mut low, mut high) = (None, None);
        for (&start, &(_, size)) in starts.iter().zip(&self.places.starts) {
            let start = b.ptr_to_int(start, long);
            let end = b.arithmetic(Op::Add, start, b.int(64, i128::from(size)), false);
            low = Some(low.map_or(start, |low| b.intrinsic("llvm.umin", &[long], &[low, start])));
            high = Some(high.map_or(end, |high| b.intrinsic("llvm.umax", &[long], &[high, end])));
        }
        let (first, end) = (low.expect("there is a store"), high.expect("there is a store"));
        let extent = b.arithmetic(Op::Sub, end, first, false);
        demand(copy, b.compare(Compare::LLVMIntULE, extent, b.int(64, self.width())), declined);
        let last = b.arithmetic(Op::Sub, rows, b.int(64, 1), false);
        let moved = b.arithmetic(Op::Mul, last, b.int(64, self.width()), false);
        let low = if self.places.stride > 0 { first } else { b.arithmetic(Op::Sub, first, moved, false) };
        let span = b.arithmetic(Op::Add, moved, extent, false);
        let found = b.alloca(b.array_type(long, words(self.places.row.as_ref())), "found");
        builder::set_alignment(found, 8);
        let zero = b.int(64, 0);
        for (number, value) in [(FAR, zero), (NEAR, zero), (BYTES, zero), (LOW, low), (SPAN, span), (FIRST, first)] {
            b.store(value, word(b, found, number));
        }
        found
    }

    /// Executes the slice of some rows in the middle; how many.
    pub(super) fn sample(&self, copy: &Copy<'c, '_>, rows: Value<'c>, found: Value<'c>) -> Value<'c> {
        let b = &copy.b;
        let long = b.int_type(64);
        let number = |number: i128| b.int(64, number);
        let some = b.arithmetic(Op::UDiv, rows, number(SAMPLE), false);
        let middle = b.arithmetic(Op::UDiv, rows, number(2), false);
        let some = b.intrinsic("llvm.umin", &[long], &[some, number(SAMPLES)]);
        let some = b.intrinsic("llvm.umax", &[long], &[some, number(1)]);
        self.call(copy, self.inspector, [middle, b.arithmetic(Op::Add, middle, some, false)], found);
        some
    }

    fn call(&self, copy: &Copy<'c, '_>, inspector: Value<'c>, [from, end]: [Value<'c>; 2], found: Value<'c>) {
        let b = &copy.b;
        let (long, pointer) = (b.int_type(64), b.pointer_type());
        let ty = b.function_type(b.void_type(), &[pointer, long, long, pointer], false);
        b.call(ty, inspector, &[builder::argument(copy.made, 0), from, end, found]);
    }

    /// Inspects rows from one up to another one.
    pub(super) fn inspect(&self, copy: &Copy<'c, '_>, between: [Value<'c>; 2], found: Value<'c>) {
        let b = &copy.b;
        let (Some(inspector), Some(row)) = (self.of_rows, &self.places.row) else {
            self.call(copy, self.inspector, between, found);
            return;
        };
        let bits = row.load.ty().integer_bits().expect("elements are integers");
        let (smallest, largest) =
            if row.is_signed { ((1 << (bits - 1)) - 1, 1 << (bits - 1)) } else { ((1 << bits) - 1, 0) };
        b.store(b.int(bits, smallest), word(b, found, SMALLEST));
        b.store(b.int(bits, largest), word(b, found, LARGEST));
        for k in 0..row.moving.len() as i128 {
            b.store(b.int(64, -1), word(b, found, LOWEST + 2 * k));
            b.store(b.int(64, 0), word(b, found, HIGHEST + 2 * k));
        }
        match self.of_chain {
            Some(of_chain) => self.call_for_chain(copy, [of_chain, inspector], between, found),
            None => self.call(copy, inspector, between, found),
        }
        self.add_rows(copy, row, between, found);
    }

    /// Calls the inspector of chained rows, and the other one where rows are not.
    fn call_for_chain(
        &self,
        copy: &Copy<'c, '_>,
        [of_chain, of_rows]: [Value<'c>; 2],
        [from, end]: [Value<'c>; 2],
        found: Value<'c>,
    ) {
        let b = &copy.b;
        let [otherwise, told] = ["otherwise", "told"].map(|name| b.append_block(copy.made, name));
        let (long, pointer) = (b.int_type(64), b.pointer_type());
        let ty = b.function_type(b.int_type(1), &[pointer, long, long, pointer], false);
        let is_told = b.call(ty, of_chain, &[builder::argument(copy.made, 0), from, end, found]);
        b.branch_if(is_told, told, otherwise);
        b.at_end(otherwise);
        self.call(copy, of_rows, [from, end], found);
        b.branch(told);
        b.at_end(told);
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
        let stride = b.int(64, i128::from(self.places.stride));
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
}

/// Words between inspector and executor: what it finds, and what it has to know.
pub(super) const FAR: i128 = 0;
pub(super) const NEAR: i128 = 1;
pub(super) const BYTES: i128 = 2;
pub(super) const LOW: i128 = 3;
pub(super) const SPAN: i128 = 4;
const FIRST: i128 = 5;
const SMALLEST: i128 = 6;
const LARGEST: i128 = 7;
/// The lowest and the highest address of a read that moves along a row, and behind these two those
/// of the next one.
pub(super) const LOWEST: i128 = 8;
pub(super) const HIGHEST: i128 = 9;

/// How many words there are.
fn words(row: Option<&Row<'_>>) -> u64 {
    8 + 2 * row.map_or(0, |row| row.moving.len() as u64)
}

pub(super) fn word<'c>(b: &Builder<'c>, words: Value<'c>, number: i128) -> Value<'c> {
    b.offset(b.int_type(64), words, b.int(64, number))
}

/// Writes `void reach(const word *values, i64 from, i64 to, word *found)`.
fn inspector<'c>(
    cx: PassContext<'c>,
    nest: &IrregularNest<'c>,
    asked: Asked<'c, '_>,
    values: &[Value<'c>],
) -> Value<'c> {
    let mut copy = Copy::inspector(cx, nest, values, "reach");
    let (reach, slots) = reach(&copy, asked);
    copy.reach(cx, reach);
    end_inspector(&copy, slots, &[]);
    copy.made
}

/// Loads what the inspector has to know, and what it has found so far, to variables.
fn reach<'c>(copy: &Copy<'c, '_>, asked: Asked<'c, '_>) -> (Reach<'c>, [(i128, Value<'c>); 3]) {
    let (b, found) = (&copy.b, builder::argument(copy.made, 3));
    let long = b.int_type(64);
    let slots = [FAR, NEAR, BYTES].map(|number| {
        let slot = b.alloca(long, "found");
        b.store(b.load(long, word(b, found, number), ""), slot);
        (number, slot)
    });
    let [low, span, first] = [LOW, SPAN, FIRST].map(|number| b.load(long, word(b, found, number), ""));
    let [(_, far), (_, near), (_, bytes)] = slots;
    let stride = asked.places.stride;
    (Reach { far, near, bytes, low, span, first, stride, kinds: asked.kinds }, slots)
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
    asked: Asked<'c, '_>,
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
    let (reach, slots) = reach(&copy, asked);
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

/// Writes `void scan(element *from, element *to, word *found)`: the smallest and the largest of the
/// elements between two addresses.
pub(super) fn scan<'c>(b: &Builder<'c>, parent: Value<'c>, row: &Row<'c>, size: i128) -> Value<'c> {
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

/// Goes on if the condition is true.
pub(super) fn demand<'c>(copy: &Copy<'c, '_>, condition: Value<'c>, declined: Block<'c>) {
    let on = copy.b.append_block(copy.made, "on");
    copy.b.branch_if(condition, on, declined);
    copy.b.at_end(on);
}

/// A loop that is being written: where it begins, its counter, and where it ends.
pub(super) struct Counted<'c> {
    head: Block<'c>,
    pub(super) counter: Value<'c>,
    done: Block<'c>,
}

/// Begins a loop that is executed at least once; the builder stands in it.
pub(super) fn begin<'c>(copy: &Copy<'c, '_>, from: Value<'c>, to: Value<'c>) -> Counted<'c> {
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
pub(super) fn end<'c>(copy: &Copy<'c, '_>, of: &Counted<'c>, step: Value<'c>) {
    let b = &copy.b;
    builder::add_incoming(of.counter, b.arithmetic(Op::Add, of.counter, step, false), b.block());
    b.branch(of.head);
    b.at_end(of.done);
}
