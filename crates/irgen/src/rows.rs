//! Rows that are reached through a table of pointers, looked at before the region: where they lie,
//! and whether they overlap.
//!
//! # Problem
//! An array whose rows are allocated one by one (`double **A`) is a matrix only if no two rows
//! share a byte. To compare each with each would cost the square of their number.
//!
//! # Algorithm
//! The pointers are loaded in the order of the table, every one once; the original loads all of
//! them, too. Rows do not overlap if each begins behind the end of the one before it, or if each
//! ends before the one before it begins: so lie rows that were allocated one after the other, or
//! cut from one block. Where rows lie otherwise the original runs. On the way the lowest and the
//! highest address are found: from one to the other reaches the interval that other arrays must not
//! share. Where they do, rows that lie in the order of their table are looked at one by one
//! ([`crate::rows_apart`]).
//!
//! # Exactness
//! Addresses are unsigned numbers of 64 bits, subtracted only where the result is not negative; the
//! ends of intervals have 128 bits. A pointer that was never written is frozen; no access of the
//! original goes through it.

use poly_presburger::Budget;
use poly_scop::RowRange;

use crate::CodegenError;
use crate::builder::{self, Block, Builder, Compare, Op, Value};
use crate::form::{Form, Test, Var, small};
use crate::interval::Interval;

/// The numbers of rows that are looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rows {
    /// Whether there are any.
    pub(crate) used: Test,
    /// The width in which that is evaluated.
    pub(crate) bits: u32,
    pub(crate) first: Form,
    pub(crate) last: Form,
    pub(crate) step: i128,
    /// Bytes from one pointer of the table to the next one.
    pub(crate) distance: i128,
}

/// What was found.
pub(crate) struct Found<'c> {
    /// The smallest pointer, in 128 bits; a very large number without rows.
    pub(crate) lowest: Value<'c>,
    /// The largest pointer, in 128 bits; a very small number without rows.
    pub(crate) highest: Value<'c>,
    /// Rows may overlap, if that was asked.
    pub(crate) overlap: Option<Value<'c>>,
    /// There are rows, and none begins before the one before it in the table.
    pub(crate) ascending: Value<'c>,
}

/// Row numbers have fewer bits, so that one more step does not overflow.
const NUMBER_BITS: u32 = 62;
/// Bytes of a pointer.
pub(crate) const POINTER_BYTES: i128 = 8;
/// Larger and smaller than all addresses.
const FAR: i128 = 1 << 100;

impl Rows {
    /// Prepares a range of rows over parameters, where pointers of the table are so many bytes
    /// apart.
    pub(crate) fn prepare(
        (range, distance): (&RowRange, u32),
        param: &dyn Fn(&str) -> usize,
        of: &dyn Fn(Var) -> Interval,
        budget: &mut Budget,
    ) -> Result<Self, CodegenError> {
        let (first, last) = (Form::from_aff(&range.first, param)?, Form::from_aff(&range.last, param)?);
        let used = Test::from_set(&range.used, param, budget)?;
        let step = small(&range.step)?;
        let fits = |form: &Form| form.range(64, of).is_some_and(|r| r.fits(NUMBER_BITS));
        if !fits(&first) || !fits(&last) || !Interval::point(step).fits(NUMBER_BITS) {
            return Err(CodegenError::Check { what: "a number of a row needs more than 62 bits" });
        }
        let bits = [64, 128].into_iter().find(|&bits| used.fits(bits, of));
        let bits = bits.ok_or(CodegenError::Check { what: "whether there are rows needs more than 128 bits" })?;
        Ok(Self { used, bits, first, last, step, distance: distance.into() })
    }
}

/// Loads the pointer of a table with this number, where they are so many bytes apart.
pub(crate) fn emit_row<'c>(b: &Builder<'c>, table: Value<'c>, row: Value<'c>, distance: i128) -> Value<'c> {
    let ty = b.pointer_type();
    let place = match distance {
        POINTER_BYTES => b.offset(ty, table, row),
        _ => b.offset(b.int_type(8), table, b.arithmetic(Op::Mul, row, b.int(64, distance), false)),
    };
    let pointer = b.load(ty, place, "poly.row");
    builder::set_alignment(pointer, 1);
    pointer
}

/// Writes the loop over the rows `first`, one step later, .. up to `last`, which runs if `used` is
/// true. With a `length`, the bytes of a row in 128 bits, it finds out whether rows may overlap.
/// The builder is behind the loop afterwards; new blocks stand before `following`.
pub(crate) fn emit<'c>(
    b: &Builder<'c>,
    table: Value<'c>,
    (used, first, last, rows): (Value<'c>, Value<'c>, Value<'c>, &Rows),
    length: Option<Value<'c>>,
    following: Block<'c>,
) -> Found<'c> {
    // Between two addresses there are less than 2^64 bytes.
    let length = length.map(|length| {
        let length = b.intrinsic("llvm.smax", &[b.int_type(128)], &[length, b.int(128, 0)]);
        let fits = b.compare(Compare::LLVMIntSLT, length, b.int(128, 1 << 64));
        (b.int_cast(length, b.int_type(64), false), fits)
    });
    let before = b.block();
    let block = |name: &str| {
        let block = b.append_block(before.function(), name);
        builder::move_block_before(block, following);
        block
    };
    let (body, after) = (block("poly.check.rows"), block("poly.check.rows.after"));
    b.branch_if(used, body, after);
    b.at_end(body);
    let (narrow, wide) = (b.int_type(64), b.int_type(128));
    let carried = |start: Value<'c>, name: &str| {
        let phi = b.phi(start.ty(), name);
        builder::add_incoming(phi, start, before);
        phi
    };
    let row = carried(first, "poly.row.number");
    let (low, high) = (carried(b.int(64, -1), "poly.row.lowest"), carried(b.int(64, 0), "poly.row.highest"));
    let previous = carried(b.int(64, 0), "poly.row.previous");
    let ascending = carried(b.bool(true), "poly.row.ascending");
    let order = length.map(|(length, fits)| (length, carried(fits, "poly.row.up"), carried(fits, "poly.row.down")));
    let pointer = emit_row(b, table, row, rows.distance);
    let address = b.ptr_to_int(b.freeze(pointer), narrow);
    let lowest = b.intrinsic("llvm.umin", &[narrow], &[low, address]);
    let highest = b.intrinsic("llvm.umax", &[narrow], &[high, address]);
    let still_ascending = b.arithmetic(Op::And, ascending, b.compare(Compare::LLVMIntUGE, address, previous), false);
    for (phi, value) in [(previous, address), (ascending, still_ascending)] {
        builder::add_incoming(phi, value, body);
    }
    let order = order.map(|(length, up, down)| {
        let is_first = b.compare(Compare::LLVMIntEQ, row, first);
        let goes = |so_far: Value<'c>, (from, to): (Value<'c>, Value<'c>)| {
            let is_behind = b.compare(Compare::LLVMIntUGE, to, from);
            let is_far = b.compare(Compare::LLVMIntUGE, b.arithmetic(Op::Sub, to, from, false), length);
            let enough = b.arithmetic(Op::And, is_behind, is_far, false);
            b.arithmetic(Op::And, so_far, b.arithmetic(Op::Or, is_first, enough, false), false)
        };
        let still_up = goes(up, (previous, address));
        let still_down = goes(down, (address, previous));
        for (phi, value) in [(up, still_up), (down, still_down)] {
            builder::add_incoming(phi, value, body);
        }
        b.arithmetic(Op::Or, still_up, still_down, false)
    });
    let next = b.arithmetic(Op::Add, row, b.int(64, rows.step), true);
    for (phi, value) in [(row, next), (low, lowest), (high, highest)] {
        builder::add_incoming(phi, value, body);
    }
    b.branch_if(b.compare(Compare::LLVMIntSLE, next, last), body, after);
    b.at_end(after);
    let merged = |without: Value<'c>, with: Value<'c>| {
        let phi = b.phi(with.ty(), "");
        builder::add_incoming(phi, without, before);
        builder::add_incoming(phi, with, body);
        phi
    };
    let (lowest, highest) = (merged(b.int(64, 0), lowest), merged(b.int(64, 0), highest));
    let are_distinct = order.map(|in_order| merged(b.bool(true), in_order));
    let ascending = merged(b.bool(false), still_ascending);
    let or_far = |address: Value<'c>, far: i128| b.select(used, b.int_cast(address, wide, false), b.int(128, far));
    let (lowest, highest) = (or_far(lowest, FAR), or_far(highest, -FAR));
    Found { lowest, highest, overlap: are_distinct.map(|distinct| b.not(distinct)), ascending }
}
