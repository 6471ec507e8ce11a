//! Rows that write to places of their own, by threads.
//!
//! # Problem
//! In `y[i] = sum of val[k] * x[col[k]]` rows are independent unless `x` lies in the memory of `y`.
//! Without `restrict` nobody says so, and how far `x` is read only `col` tells.
//!
//! # Steps
//! 1. Some rows in the middle are inspected ([`Reads::sample`]), to know how much there is to do:
//!    threads are not asked for less than pays for starting them twice.
//! 2. Threads look at all elements of index arrays, and at all else that is read, each at some rows
//!    in turn. An access of what another row writes is a conflict, and so is an index array that
//!    lies there: behind its last load, its memory may become something else.
//! 3. If there is no conflict, threads execute the rows, some in turn, and each in its original
//!    form. Else the original loop is executed.
//!
//! # Why that is legal
//! Before the loop, index arrays have the contents that it finds: types or `restrict` say that it
//! does not change what it loads of them. All iterations execute all stores, to places that move by
//! one constant and are not longer than that: no two iterations write to the same byte. Step 2 has
//! seen every other access to what is written, but reads by an iteration of its own first place. So
//! iterations are independent, and each computes what it computed.
//!
//! Nothing is kept: index arrays may be others at the next call.

use poly_shim::expand::Expander;
use poly_shim::{IrregularNest, PassContext, ScevRef, SiteKind};

use super::copies::Copy;
use super::reads::{Asked, BYTES, FAR, Reads, begin, demand, end, word};
use super::{first_address, number_of_threads, store_words, thread_function};
use crate::builder::{self, Block, Builder, Compare, Op, Value};
use crate::error::CodegenError;
use crate::options::CodegenOptions;
use crate::threads::fork;

/// Rows that a thread takes at a time at least: so many that threads seldom write to the same cache
/// line.
const ROWS: i128 = 256;

/// Pieces of a thread at most: so many that all threads have about as much to do where long rows
/// are neighbours, and so few that processors see streams of memory.
const PIECES: i128 = 8;

/// Fewer rows are not looked at: two threads have some pieces each.
const FEWEST: i128 = 8 * ROWS;

/// Bytes of a word: elements of rows are loaded one by one.
const WORD: f64 = 8.0;

/// Bytes that a row must load on the average where an inspection has to look at each row: that
/// takes as long as some elements.
const BYTES_OF_ROW: i128 = 640;

/// Threads are started twice, for the inspection and for the rows; as much again must be saved.
const FORKS: f64 = 4.0;

/// Writes an inspector and an executor for threads in front of the nest. The function was not
/// changed if the result is false.
pub fn generate_apart<'c>(
    cx: PassContext<'c>,
    nest: &IrregularNest<'c>,
    options: &CodegenOptions,
    is_forced: bool,
) -> Result<bool, CodegenError> {
    let outer = nest.outer;
    let Some(places) = &nest.apart else { return Ok(false) };
    let (Some(preheader), Some(latch), Some(exit)) = (outer.preheader(), outer.latch(), outer.exit_block()) else {
        return Ok(false);
    };
    let mut expander = Expander::new(cx);
    let at = preheader.terminator();
    let firsts: Vec<ScevRef<'c>> = nest.counters.iter().filter_map(first_address).collect();
    let others = places.chain.iter().flat_map(|chain| &chain.others).map(|(start, ..)| *start);
    let starts = places.starts.iter().map(|(start, _)| *start);
    // In this order functions find them.
    let expanded: Vec<ScevRef<'c>> = firsts.into_iter().chain(others).chain(starts).collect();
    if !expanded.iter().chain([&nest.backedges]).all(|scev| expander.is_safe_at(*scev, at)) {
        return Ok(false);
    }
    let backedges = expander.expand_own(nest.backedges, at);
    let mut values: Vec<Value<'c>> = nest.values.iter().map(|(value, _)| *value).collect();
    values.extend(expanded.iter().map(|scev| expander.expand_own(*scev, at)));
    drop(expander);
    let asked = Asked { places, kinds: &[SiteKind::Read, SiteKind::Index] };
    let reads = Reads::new(cx, nest, asked, &values);
    if !reads.is_cheap() {
        reads.functions().for_each(Value::erase_function);
        return Ok(false);
    }
    let parent = preheader.function();
    let made = Apart { cx, nest, reads: &reads, values: &values, parent, options, is_forced };
    let decider = made.write();
    made.call((preheader, latch, exit), decider, backedges);
    parent.drop_inferred_effects();
    for function in [decider, parent].into_iter().chain(reads.functions()) {
        function.verify().map_err(|message| CodegenError::Invalid { message })?;
    }
    Ok(true)
}

/// What is needed to write the functions.
struct Apart<'c, 'n> {
    cx: PassContext<'c>,
    nest: &'n IrregularNest<'c>,
    reads: &'n Reads<'c, 'n>,
    values: &'n [Value<'c>],
    parent: Value<'c>,
    options: &'n CodegenOptions,
    is_forced: bool,
}

impl<'c> Apart<'c, '_> {
    /// Behind the values: how many rows there are, and whether there is a conflict.
    fn rows_word(&self) -> i128 {
        self.values.len() as i128
    }

    fn conflict_word(&self) -> i128 {
        self.rows_word() + 1
    }

    /// Writes `i1 apart(word *values)`: false if nothing was executed.
    fn write(&self) -> Value<'c> {
        let inspects = self.of_threads("inspect", Self::inspect);
        let executes = self.of_threads("rows", Self::execute);
        let threads = number_of_threads(&Builder::new(self.cx), self.parent, self.options);
        let b = Builder::new(self.cx);
        let ty = b.function_type(b.int_type(1), &[b.pointer_type()], false);
        let copy = Copy::new(b, self.nest, self.values, "apart", ty);
        let b = &copy.b;
        let words = builder::argument(copy.made, 0);
        let declined = b.append_block(copy.made, "declined");
        let long = b.int_type(64);
        let rows = b.load(long, word(b, words, self.rows_word()), "rows");
        if !self.is_forced {
            self.demand_work(&copy, rows, declined);
        }
        let ty = b.function_type(b.int_type(32), &[], false);
        let threads = b.call(ty, threads, &[]);
        demand(&copy, b.compare(Compare::LLVMIntUGE, threads, b.int(32, 2)), declined);
        b.store(b.int(64, 0), word(b, words, self.conflict_word()));
        fork(b, self.options, inspects, words);
        let conflict = b.load(long, word(b, words, self.conflict_word()), "conflict");
        demand(&copy, b.compare(Compare::LLVMIntEQ, conflict, b.int(64, 0)), declined);
        fork(b, self.options, executes, words);
        b.return_value(b.bool(true));
        b.at_end(declined);
        b.return_value(b.bool(false));
        copy.made
    }

    /// Goes on if a sample of the rows says that there is enough to do, and has no conflict.
    fn demand_work(&self, copy: &Copy<'c, '_>, rows: Value<'c>, declined: Block<'c>) {
        let b = &copy.b;
        let load = |found, which: i128| b.load(b.int_type(64), word(b, found, which), "");
        let found = self.reads.written(copy, rows, declined);
        let some = self.reads.sample(copy, rows, found);
        demand(copy, b.compare(Compare::LLVMIntEQ, load(found, FAR), b.int(64, 0)), declined);
        let of_row = b.arithmetic(Op::UDiv, load(found, BYTES), some, false);
        if !self.reads.is_chained() {
            demand(copy, b.compare(Compare::LLVMIntUGE, of_row, b.int(64, BYTES_OF_ROW)), declined);
        }
        let bytes = b.arithmetic(Op::Mul, of_row, rows, false);
        let machine = &self.options.machine;
        let least = FORKS * machine.threads.fork_cycles * machine.core.loads_per_cycle * WORD;
        demand(copy, b.compare(Compare::LLVMIntUGE, bytes, b.int(64, least as i128)), declined);
    }

    /// Writes a function that each thread executes, with its rows.
    fn of_threads(&self, what: &str, body: fn(&Self, &mut Copy<'c, '_>, [Value<'c>; 3])) -> Value<'c> {
        let b = Builder::new(self.cx);
        let (pointer, long) = (b.pointer_type(), b.int_type(64));
        let ty = b.function_type(b.void_type(), &[pointer, long, long], false);
        let mut copy = Copy::new(b, self.nest, self.values, what, ty);
        let [words, thread, threads] = [0, 1, 2].map(|k| builder::argument(copy.made, k));
        let b = &copy.b;
        let rows = b.load(long, word(b, words, self.rows_word()), "rows");
        body(self, &mut copy, [rows, thread, threads]);
        copy.b.return_void();
        let made = copy.made;
        thread_function(&Builder::new(self.cx), self.parent, self.options, &|b, [words, thread, threads]| {
            let [thread, threads] = [thread, threads].map(|number| b.int_cast(number, long, false));
            b.call(ty, made, &[words, thread, threads]);
        })
    }

    /// Goes through the pieces of a thread: between which rows each lies.
    fn pieces(
        copy: &mut Copy<'c, '_>,
        [rows, thread, threads]: [Value<'c>; 3],
        piece: impl FnOnce(&mut Copy<'c, '_>, [Value<'c>; 2]),
    ) {
        let b = &copy.b;
        let long = b.int_type(64);
        let all = b.arithmetic(Op::Mul, threads, b.int(64, PIECES), false);
        let length = b.arithmetic(Op::UDiv, rows, all, false);
        let length = b.intrinsic("llvm.umax", &[long], &[length, b.int(64, ROWS)]);
        let [first, step] = [thread, threads].map(|number| b.arithmetic(Op::Mul, number, length, false));
        let pieces = begin(copy, first, rows);
        let to = copy.b.arithmetic(Op::Add, pieces.counter, length, false);
        let to = copy.b.intrinsic("llvm.umin", &[long], &[to, rows]);
        piece(copy, [pieces.counter, to]);
        end(copy, &pieces, step);
    }

    /// Inspects rows, as long as there is no conflict.
    fn inspect(&self, copy: &mut Copy<'c, '_>, rows: [Value<'c>; 3]) {
        let conflict = copy.b.append_block(copy.made, "conflict");
        let found = self.reads.written(copy, rows[0], conflict);
        Self::pieces(copy, rows, |copy, between| {
            self.reads.inspect(copy, between, found);
            let far = copy.b.load(copy.b.int_type(64), word(&copy.b, found, FAR), "");
            demand(copy, copy.b.compare(Compare::LLVMIntEQ, far, copy.b.int(64, 0)), conflict);
        });
        let b = &copy.b;
        let done = b.append_block(copy.made, "inspected");
        b.branch(done);
        b.at_end(conflict);
        b.atomic_store(b.int(64, 1), word(b, builder::argument(copy.made, 0), self.conflict_word()));
        b.branch(done);
        b.at_end(done);
    }

    /// Executes rows.
    fn execute(&self, copy: &mut Copy<'c, '_>, rows: [Value<'c>; 3]) {
        Self::pieces(copy, rows, |copy, [from, to]| {
            let done = copy.loop_from(from, to, self.cx, &|_| true);
            copy.b.at_end(done);
        });
    }

    /// Asks in front of the loop.
    fn call(
        &self,
        (preheader, latch, exit): (Block<'c>, Block<'c>, Block<'c>),
        decider: Value<'c>,
        backedges: Value<'c>,
    ) {
        let b = &Builder::new(self.cx);
        let header = self.nest.outer.header();
        let joined = self.cx.split_edge(latch, exit, "poly.joined");
        let [ask, original] = ["apart", "original"].map(|name| b.append_block(self.parent, &format!("poly.{name}")));
        b.before(builder::entry_block(self.parent).first_insertion_point());
        b.use_artificial_place(self.parent);
        let long = b.int_type(64);
        let words = b.alloca(b.array_type(long, self.values.len() as u64 + 2), "poly.values");
        builder::set_alignment(words, 8);
        let old = preheader.terminator();
        b.before(old);
        let backedges = b.int_cast(backedges, long, false);
        let fewest = if self.is_forced { 0 } else { FEWEST - 1 };
        // Sums of rows must not overflow.
        let is_many = b.compare(Compare::LLVMIntUGE, backedges, b.int(64, fewest));
        let is_short = b.compare(Compare::LLVMIntULT, backedges, b.int(64, 1 << 40));
        b.branch_if(b.arithmetic(Op::And, is_many, is_short, false), ask, original);
        builder::erase(old);
        b.at_end(ask);
        store_words(b, self.values, words);
        let rows = b.arithmetic(Op::Add, backedges, b.int(64, 1), false);
        b.store(rows, word(b, words, self.rows_word()));
        let ty = b.function_type(b.int_type(1), &[b.pointer_type()], false);
        let is_done = b.call(ty, decider, &[words]);
        b.branch_if(is_done, joined, original);
        b.at_end(original);
        b.branch(header);
        for phi in header.phis() {
            let edge = phi.incoming().iter().position(|(from, _)| *from == preheader);
            phi.set_incoming_block(edge.expect("the loop was entered from there"), original);
        }
    }
}
