//! Whether rows lie between those of another array.
//!
//! # Problem
//! Rows that are allocated one by one need not lie side by side: a copy of a vector of vectors has
//! its first rows where others have been freed, and the rows of two such arrays may alternate.
//! Their intervals from the lowest to the highest address overlap then, although no two rows do.
//!
//! # Algorithm
//! Only where the intervals overlap, and only for rows that do not begin before the one before them
//! in the table ([`crate::rows`] finds that out): the rows of both arrays are merged, as sorted
//! lists are. Of two rows, the one that ends before the other begins is left behind, and the next
//! one of its array is looked at; if neither does, they overlap, and the original runs. An array
//! without a table is one row. The number of steps is at most that of all rows.
//!
//! # Exactness
//! What is left behind ends before the row of the other array that is looked at, so it ends before
//! all later ones, which do not begin before that one; with the earlier ones it has been compared,
//! or with a row before it, which begins no later. Addresses are compared in 128 bits. The rows of
//! one array may overlap each other here.

use crate::builder::{self, Block, Builder, Compare, Op, Value};
use crate::rows::{Rows, emit_row};

/// The rows of an array, as they were found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InMemory<'c> {
    /// The table of the pointers.
    pub(crate) table: Value<'c>,
    /// The numbers of the first and of the last row, in 64 bits.
    pub(crate) first: Value<'c>,
    pub(crate) last: Value<'c>,
    /// From a pointer to the first byte and behind the last one, in 128 bits.
    pub(crate) low: Value<'c>,
    pub(crate) high: Value<'c>,
    /// There are rows, and none begins before the one before it.
    pub(crate) ascending: Value<'c>,
}

/// An array that is compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<'a, 'c> {
    /// From its first byte to behind its last one, in 128 bits.
    pub(crate) start: Value<'c>,
    pub(crate) end: Value<'c>,
    /// Its rows, if it has any.
    pub(crate) rows: Option<(InMemory<'c>, &'a Rows)>,
}

/// Writes the test: `apart` where the intervals are, else the merged rows. The builder is behind it
/// afterwards; new blocks stand before `following`.
pub(crate) fn emit<'c>(b: &Builder<'c>, apart: Value<'c>, runs: &[Run<'_, 'c>; 2], following: Block<'c>) -> Value<'c> {
    let before = b.block();
    let block = |name: &str| {
        let block = b.append_block(before.function(), name);
        builder::move_block_before(block, following);
        block
    };
    let (body, next) = (block("poly.check.between"), block("poly.check.between.next"));
    let after = block("poly.check.between.after");
    let sorted = runs.iter().filter_map(|run| run.rows).map(|(rows, _)| rows.ascending);
    let sorted = sorted.reduce(|all, ascending| b.arithmetic(Op::And, all, ascending, false));
    let is_known = b.arithmetic(Op::Or, apart, b.not(sorted.unwrap_or_else(|| b.bool(true))), false);
    b.branch_if(is_known, after, body);
    b.at_end(body);
    let numbers = runs.map(|run| {
        run.rows.map(|(rows, _)| {
            let phi = b.phi(b.int_type(64), "poly.row.between");
            builder::add_incoming(phi, rows.first, before);
            phi
        })
    });
    let [one, other] = [0, 1].map(|which| ends(b, &runs[which], numbers[which]));
    let is_before = b.compare(Compare::LLVMIntSLE, one.1, other.0);
    let is_behind = b.compare(Compare::LLVMIntSLE, other.1, one.0);
    b.branch_if(b.arithmetic(Op::Or, is_before, is_behind, false), next, after);
    b.at_end(next);
    let steps = [0, 1].map(|which| step(b, &runs[which], numbers[which]));
    let left = [is_before, b.not(is_before)];
    for ((number, stepped), left) in numbers.iter().zip(&steps).zip(left) {
        if let (Some(number), Some((stepped, _))) = (number, stepped) {
            builder::add_incoming(*number, b.select(left, *stepped, *number), next);
        }
    }
    let [one, other] = steps.map(|step| step.map_or_else(|| b.bool(true), |(_, is_last)| is_last));
    b.branch_if(b.select(is_before, one, other), after, body);
    b.at_end(after);
    let result = b.phi(apart.ty(), "");
    for (value, from) in [(apart, before), (b.bool(false), body), (b.bool(true), next)] {
        builder::add_incoming(result, value, from);
    }
    result
}

/// The first byte and the one behind the last of what is looked at of an array.
fn ends<'c>(b: &Builder<'c>, run: &Run<'_, 'c>, number: Option<Value<'c>>) -> (Value<'c>, Value<'c>) {
    let Some(((found, rows), number)) = run.rows.zip(number) else { return (run.start, run.end) };
    let pointer = emit_row(b, found.table, number, rows.distance);
    let address = b.int_cast(b.ptr_to_int(b.freeze(pointer), b.int_type(64)), b.int_type(128), false);
    let end = |offset: Value<'c>| b.arithmetic(Op::Add, address, offset, true);
    (end(found.low), end(found.high))
}

/// The number of the next row, and whether there is none.
fn step<'c>(b: &Builder<'c>, run: &Run<'_, 'c>, number: Option<Value<'c>>) -> Option<(Value<'c>, Value<'c>)> {
    let ((found, rows), number) = run.rows.zip(number)?;
    let next = b.arithmetic(Op::Add, number, b.int(64, rows.step), true);
    Some((next, b.compare(Compare::LLVMIntSGT, next, found.last)))
}
