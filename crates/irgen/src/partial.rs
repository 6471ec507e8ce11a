//! Partial register tiles as vector code, with masks or without.
//!
//! # Input
//! A loop over the reduced member with the mark [`Mark::RegisterTile`](poly_schedule_tree::Mark)
//! whose loops over rows and columns have bounds that the reduced member does not move, although
//! their trip counts are no constants: tiles at the ends of rows and columns, and tiles that a
//! diagonal cuts. Results must be good for registers in such tiles, too
//! ([`poly_schedule_tree::RegisterTile::partial`]), so that points may run side by side in every
//! order.
//!
//! # Output
//! ```text
//!   for blocks of rows, then for single rows
//!     for blocks of columns, from the first one that some row of the block has to the last one
//!       results = masked loads
//!       for the reduced member: as in a full tile, operands by masked loads
//!       masked stores
//! ```
//!
//! Not every processor has masked loads and stores, or fast ones. Elsewhere, whole blocks of
//! columns are followed by a whole vector, if one fits, and single columns, all without masks, and
//! rows whose columns are different are executed one by one.
//!
//! # What is accessed
//! Lanes without a point load and store nothing. A vector of columns is loaded where some row of
//! the block has a point; a value of a row is read if the row has a point in the tile. Where lanes
//! are loaded one by one, those behind the last column read what that one reads; this needs that
//! all columns up to the last one are columns of some row. So nothing is read that the loops would
//! not read. The operations are done in all lanes; those of lanes without a point have no effect.

use poly_schedule_tree::PartialBlock;

use crate::builder::{self, Compare, Op, Value};
use crate::code::{Loop, Step};
use crate::form::{Form, Var};
use crate::generator::Generator;
use crate::loops::Bounds;
use crate::tile::{Masks, Part, Tile};

const ROWS: u32 = PartialBlock::ROWS;
const VECTORS: u32 = PartialBlock::VECTORS;

/// A partial tile that can be written.
#[derive(Debug)]
pub(crate) struct PartialTile<'a> {
    tile: Tile<'a>,
    /// The columns of a row depend on the row.
    slanted: bool,
    /// The columns of one of several rows contain those of the others.
    nested: bool,
    /// Points that fill no vector are masked.
    masked: bool,
}

fn mentions(form: &Form, iter: usize) -> bool {
    form.mentions(&|var| var == Var::Iter(iter))
}

fn bounds_mention(l: &Loop, iter: usize) -> bool {
    mentions(&l.lower, iter) || mentions(&l.upper, iter)
}

impl<'c> Generator<'c, '_> {
    /// The partial tile that a loop is, if it can be written as one.
    pub(crate) fn partial_tile<'a>(&self, l: &'a Loop) -> Option<PartialTile<'a>> {
        let (mut tile, bytes) = self.tile_of(l)?;
        // Shorter elements have no masks on some targets, where masked accesses become branches.
        let vector_bytes = u64::from(self.prepared.options.tile_vector_bytes);
        let maskable = |statement: usize| {
            let accesses = &self.prepared.scop.statements[statement].accesses;
            accesses.iter().all(|a| matches!(self.prepared.arrays[a.array.index()].element_bytes, 4 | 8))
        };
        let kept = l.register.as_ref()?;
        let is_known = |statement: usize| kept.has_in_partial_tiles(statement);
        let statements = || tile.runs.iter().map(|(run, _)| run.statement);
        if !matches!(bytes, 4 | 8) || !statements().all(|s| maskable(s) && is_known(s)) {
            return None;
        }
        let loops = tile.rows.into_iter().chain([tile.columns]);
        if loops.clone().any(|inner| inner.step != Step::ONE || inner.parallel || bounds_mention(inner, l.iter)) {
            return None;
        }
        tile.lanes = u32::try_from(vector_bytes / bytes).ok()?;
        let rows = tile.rows.map(|rows| rows.iter);
        let slanted = rows.is_some_and(|rows| bounds_mention(tile.columns, rows));
        // All rows begin or all rows end at the same column.
        let nested =
            rows.is_none_or(|rows| !(mentions(&tile.columns.lower, rows) && mentions(&tile.columns.upper, rows)));
        let masked = self.prepared.options.machine.masks_ends(tile.lanes.into());
        (tile.lanes >= 2).then_some(PartialTile { tile, slanted, nested, masked })
    }

    /// Writes a partial tile; the builder is behind it afterwards.
    pub(crate) fn emit_partial_tile(&mut self, l: &Loop, bounds: Bounds<'c>, partial: &PartialTile<'_>) {
        let tile = &partial.tile;
        self.emit_in_place_of(l, bounds, |g, counter| {
            let Some(rows) = tile.rows else { return g.emit_columns(l, counter, partial, g.b.int(64, 0), 1) };
            let (mut first, last) = (g.emit_form(&rows.lower), g.emit_form(&rows.upper));
            // A lane that is loaded on its own is that of a column which some row has.
            let by_lane = |part: &Part| matches!(part, Part::Load { moves, contiguous } if moves.column && !contiguous);
            let gathers = tile.runs.iter().any(|(_, parts)| parts.iter().any(by_lane));
            let shares_columns = if partial.masked { partial.nested || !gathers } else { !partial.slanted };
            if shares_columns {
                let block = |g: &mut Self, row| g.emit_columns(l, counter, partial, row, ROWS);
                first = g.emit_blocks((first, last), (ROWS, ROWS - 1), block);
            }
            g.emit_blocks((first, last), (1, 0), |g, row| g.emit_columns(l, counter, partial, row, 1));
        });
        self.allow_wide_vectors(tile);
    }

    /// Writes a loop with this step that runs while `need` is at most `last` minus the counter;
    /// gives the first value that is left.
    fn emit_blocks(
        &mut self,
        (first, last): (Value<'c>, Value<'c>),
        (step, need): (u32, u32),
        body: impl FnOnce(&mut Self, Value<'c>),
    ) -> Value<'c> {
        let function = self.frame.function;
        let before = self.b.block();
        let (header, after) = (self.b.append_block(function, "poly.block"), self.b.append_block(function, "poly.rest"));
        let runs = |g: &Self, from: Value<'c>| g.b.compare(Compare::LLVMIntSLE, g.beside(from, need), last);
        self.b.branch_if(runs(self, first), header, after);
        self.b.at_end(header);
        let counter = self.b.phi(self.b.int_type(64), "poly.first");
        builder::add_incoming(counter, first, before);
        body(self, counter);
        let next = self.beside(counter, step);
        let latch = self.b.block();
        builder::add_incoming(counter, next, latch);
        self.b.branch_if(runs(self, next), header, after);
        self.b.at_end(after);
        let rest = self.b.phi(self.b.int_type(64), "poly.left");
        builder::add_incoming(rest, first, before);
        builder::add_incoming(rest, next, latch);
        rest
    }

    /// Writes the blocks of columns of some rows.
    fn emit_columns(
        &mut self,
        l: &Loop,
        reduced: (Value<'c>, Value<'c>),
        partial: &PartialTile<'_>,
        row: Value<'c>,
        n_rows: u32,
    ) {
        let tile = Tile { n_rows, n_vectors: VECTORS, ..partial.tile.clone() };
        if !partial.masked {
            return self.emit_whole_columns(l, reduced, &tile, row);
        }
        let own = if partial.slanted { n_rows } else { 1 };
        let ranges: Vec<Range<'c>> = (0..own).map(|r| self.column_range(&tile, self.beside(row, r))).collect();
        let whole = ranges[1..].iter().fold(ranges[0], |all, range| Range {
            first: self.b.intrinsic("llvm.smin", &[all.first.ty()], &[all.first, range.first]),
            last: self.b.intrinsic("llvm.smax", &[all.last.ty()], &[all.last, range.last]),
        });
        self.emit_blocks((whole.first, whole.last), (VECTORS * tile.lanes, 0), |g, column| {
            let masks = g.emit_masks(&tile, column, &ranges, whole);
            g.emit_reduced(l, reduced, &tile, (row, column), Some(masks), None);
        });
    }

    /// Writes the columns of some rows that all have the same ones: blocks of vectors, then single
    /// vectors, then one column after the other.
    fn emit_whole_columns(&mut self, l: &Loop, reduced: (Value<'c>, Value<'c>), tile: &Tile<'_>, row: Value<'c>) {
        let Range { first, last } = self.column_range(tile, row);
        let width = tile.n_vectors * tile.lanes;
        let rest = self.emit_blocks((first, last), (width, width - 1), |g, column| {
            g.emit_reduced(l, reduced, tile, (row, column), None, None);
        });
        let vector = Tile { n_vectors: 1, ..tile.clone() };
        let rest = self.emit_blocks((rest, last), (tile.lanes, tile.lanes - 1), |g, column| {
            g.emit_reduced(l, reduced, &vector, (row, column), None, None);
        });
        let single = Tile { n_vectors: 1, lanes: 1, ..tile.clone() };
        self.emit_blocks((rest, last), (1, 0), |g, column| {
            g.emit_reduced(l, reduced, &single, (row, column), None, None);
        });
    }

    /// The columns of a row.
    fn column_range(&mut self, tile: &Tile<'_>, row: Value<'c>) -> Range<'c> {
        if let Some(rows) = tile.rows {
            self.iters[rows.iter] = Some(row);
        }
        let range = Range { first: self.emit_form(&tile.columns.lower), last: self.emit_form(&tile.columns.upper) };
        if let Some(rows) = tile.rows {
            self.iters[rows.iter] = None;
        }
        range
    }

    /// The points in the block of columns that begins at `column`, if rows have these ranges of
    /// columns, or all rows the same one.
    fn emit_masks(&self, tile: &Tile<'_>, column: Value<'c>, ranges: &[Range<'c>], whole: Range<'c>) -> Masks<'c> {
        let of_row = |range: &Range<'c>| -> Vec<Value<'c>> {
            let begins_here = range.first == whole.first;
            (0..tile.n_vectors)
                .map(|v| self.emit_mask(tile, self.beside(column, v * tile.lanes), *range, begins_here))
                .collect()
        };
        let own: Vec<Vec<Value<'c>>> = ranges.iter().map(of_row).collect();
        let row = |r: u32| own[if own.len() == 1 { 0 } else { r as usize }].clone();
        let or = |a: Value<'c>, b: Value<'c>| self.b.arithmetic(Op::Or, a, b, false);
        let some = |v: usize| own.iter().map(|masks| masks[v]).reduce(or).expect("there is a range");
        let has_points = |range: &Range<'c>| self.b.compare(Compare::LLVMIntSLE, range.first, range.last);
        Masks {
            points: (0..tile.n_rows).map(row).collect(),
            columns: (0..tile.n_vectors as usize).map(some).collect(),
            rows: if own.len() == 1 { Vec::new() } else { ranges.iter().map(has_points).collect() },
            last: whole.last,
        }
    }

    /// Which lanes of the vector that begins at `column` lie in a range; `begins_before` if none
    /// lies before it.
    pub(crate) fn emit_mask(
        &self,
        tile: &Tile<'_>,
        column: Value<'c>,
        range: Range<'c>,
        begins_before: bool,
    ) -> Value<'c> {
        let bits = 8 * self.prepared.options.tile_vector_bytes / tile.lanes;
        let lanes = self.b.lane_numbers(bits, tile.lanes);
        // The distance from the vector's first lane, between -1 and the number of lanes.
        let distance = |to: Value<'c>| {
            let (ty, distance) = (to.ty(), self.b.arithmetic(Op::Sub, to, column, true));
            let least = self.b.intrinsic("llvm.smax", &[ty], &[distance, self.b.int(64, -1)]);
            let most = self.b.intrinsic("llvm.smin", &[ty], &[least, self.b.int(64, i128::from(tile.lanes))]);
            self.b.splat(self.b.int_cast(most, self.b.int_type(bits), true), tile.lanes)
        };
        let before_end = self.b.compare(Compare::LLVMIntSLE, lanes, distance(range.last));
        if begins_before {
            return before_end;
        }
        let after_begin = self.b.compare(Compare::LLVMIntSGE, lanes, distance(range.first));
        self.b.arithmetic(Op::And, before_end, after_begin, false)
    }
}

/// The first and last column of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range<'c> {
    pub(crate) first: Value<'c>,
    pub(crate) last: Value<'c>,
}
