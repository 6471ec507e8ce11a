//! The points at both ends of a row that fill no vector.
//!
//! # Problem
//! A row is executed in whole vectors, but its first points, up to an aligned one, and its last
//! ones are fewer than a vector has lanes.
//!
//! # Method
//! Where the processor has masks for loads, stores and operations, they are one vector whose other
//! lanes are masked. Elsewhere they are a whole vector, too, the first one or the last one of the
//! row, which overlaps the vectors beside it: points that are executed twice have the same results
//! if the loop does not read what it writes. Other rows, and those that are shorter than a vector,
//! end with pieces of half as many lanes each as the one before, down to a single point: of each
//! width at most one, behind a branch. (What has just been stored cannot be loaded at once in
//! another division into vectors: with lanes that keep what they are, overlapping vectors of such
//! rows wait longer than pieces take.)
//!
//! # What is accessed
//! Points of the row. Masked lanes load and store nothing.

use crate::builder::{self, Compare, Op, Value};
use crate::code::Run;
use crate::generator::Generator;
use crate::partial::Range;
use crate::register::Writer;
use crate::tile::{Masks, Part, Tile};

/// How points that fill no vector are executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowEnds {
    /// As one vector under a mask.
    Masked,
    /// As one vector that overlaps others if points may be executed twice, else as ever shorter
    /// vectors and one point alone.
    Pieces,
}

impl<'c> Generator<'c, '_> {
    /// What the processor has for the ends of rows.
    pub(crate) fn row_ends(&self) -> RowEnds {
        if self.prepared.options.machine.vectors.masks { RowEnds::Masked } else { RowEnds::Pieces }
    }

    /// How the ends of the rows of a tile are executed: as the processor can, but with whole loops
    /// and conditions always as one vector.
    fn ends_of(&self, tile: &Tile<'_>) -> RowEnds {
        if self.executes_loops(tile) || self.has_conditions(tile) { RowEnds::Masked } else { self.row_ends() }
    }

    /// Whether points of a tile store under conditions.
    fn has_conditions(&self, tile: &Tile<'_>) -> bool {
        let body = |run: &Run| self.prepared.scop.statements[run.statement].body.iter();
        tile.runs.iter().any(|(run, _)| body(run).any(|instr| instr.predicate.is_some()))
    }

    /// Whether a row may begin with an aligned vector: what comes before it is one vector. Where
    /// that is many pieces, several rows together pay for them, and one row alone begins with a
    /// whole vector.
    pub(crate) fn may_align(&self, tile: &Tile<'_>) -> bool {
        let is_cheap = self.ends_of(tile) == RowEnds::Masked || tile.n_rows > 1 || self.may_repeat(tile);
        is_cheap && !self.executes_loops(tile) && !self.has_conditions(tile)
    }

    /// Writes the points up to `last`, fewer than a vector has lanes, at the beginning of a row
    /// that is longer than a vector.
    pub(crate) fn emit_first_points(&mut self, writer: &Writer<'c, '_>, last: Value<'c>) {
        let first = self.b.int(64, 0);
        match self.ends_of(writer.tile) {
            RowEnds::Masked => self.emit_masked_points(writer, Range { first, last }),
            RowEnds::Pieces if self.may_repeat(writer.tile) => self.emit_points(&writer.at_distance(first)),
            RowEnds::Pieces => self.emit_pieces(writer, (first, last)),
        }
    }

    /// Writes the points from `first` to `last`, fewer than a vector has lanes, at the end of a
    /// row.
    pub(crate) fn emit_last_points(&mut self, writer: &Writer<'c, '_>, (first, last): (Value<'c>, Value<'c>)) {
        match self.ends_of(writer.tile) {
            RowEnds::Masked => self.emit_masked_points(writer, Range { first, last }),
            RowEnds::Pieces if self.may_repeat(writer.tile) => self.emit_overlapping(writer, (first, last)),
            RowEnds::Pieces => self.emit_pieces(writer, (first, last)),
        }
    }

    fn emit_masked_points(&mut self, writer: &Writer<'c, '_>, range: Range<'c>) {
        let mask = self.emit_mask(writer.tile, range.first, range, true);
        let masks = Masks {
            points: vec![vec![mask]; writer.tile.n_rows as usize],
            columns: vec![mask],
            rows: Vec::new(),
            last: range.last,
        };
        self.emit_points(&writer.at_distance(range.first).with_masks(masks));
    }

    /// Writes the last vector of the row, or pieces if the row is shorter than one.
    fn emit_overlapping(&mut self, writer: &Writer<'c, '_>, (first, last): (Value<'c>, Value<'c>)) {
        let start = self.b.arithmetic(Op::Sub, last, self.b.int(64, i128::from(writer.tile.lanes - 1)), true);
        let is_vector = self.b.compare(Compare::LLVMIntSGE, start, self.b.int(64, 0));
        let function = self.frame.function;
        let [overlap, pieces, after] =
            ["overlap", "pieces", "end"].map(|what| self.b.append_block(function, &format!("poly.{what}")));
        self.b.branch_if(is_vector, overlap, pieces);
        self.b.at_end(overlap);
        self.emit_points(&writer.at_distance(start));
        self.b.branch(after);
        self.b.at_end(pieces);
        self.emit_pieces(writer, (first, last));
        self.b.branch(after);
        self.b.at_end(after);
    }

    /// Whether points may be executed twice: the loop does not read what it writes.
    fn may_repeat(&self, tile: &Tile<'_>) -> bool {
        tile.runs.iter().enumerate().all(|(number, (_, parts))| {
            let loads = parts.iter().enumerate().filter(|(_, part)| matches!(part, Part::Load { .. }));
            loads.into_iter().all(|(position, _)| self.is_unwritten(tile, (number, position)))
        })
    }

    /// Writes pieces of half as many lanes each as the one before.
    fn emit_pieces(&mut self, writer: &Writer<'c, '_>, (mut first, last): (Value<'c>, Value<'c>)) {
        let mut lanes = writer.tile.lanes / 2;
        while lanes > 0 {
            let tile = Tile { lanes, ..writer.tile.clone() };
            let is_piece = self.b.compare(Compare::LLVMIntSLE, self.beside(first, lanes - 1), last);
            let before = self.b.block();
            let (next, behind) = self.emit_when(is_piece, |g| {
                g.emit_points(&writer.for_tile(&tile).at_distance(first));
                (g.beside(first, lanes), g.b.block())
            });
            let left = self.b.phi(first.ty(), "poly.left");
            builder::add_incoming(left, first, before);
            builder::add_incoming(left, next, behind);
            first = left;
            lanes /= 2;
        }
    }
}
