//! The points at both ends of a row that fill no vector.
//!
//! # Problem
//! A row is executed in whole vectors, but its first points, up to an aligned one, and its last ones are fewer than a vector has lanes.
//!
//! # Method
//! Where the processor has masks for loads, stores and operations, they are one vector whose other lanes are masked. Elsewhere they are pieces of
//! half as many lanes each as the one before, down to a single point: of each width at most one, behind a branch.
//!
//! # What is accessed
//! Points of the row, each once. Masked lanes load and store nothing.

use crate::builder::{self, Compare, Value};
use crate::generator::Generator;
use crate::partial::Range;
use crate::register::Writer;
use crate::tile::{Masks, Tile};

/// How points that fill no vector are executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowEnds {
    /// As one vector under a mask.
    Masked,
    /// As ever shorter vectors, and one point alone.
    Pieces,
}

impl<'c> Generator<'c, '_> {
    /// What the processor has for the ends of rows.
    pub(crate) fn row_ends(&self) -> RowEnds {
        if self.prepared.options.machine.vectors.masks { RowEnds::Masked } else { RowEnds::Pieces }
    }

    /// Writes the points from `first` to `last`, fewer than a vector has lanes, and at least one.
    pub(crate) fn emit_end(&mut self, ends: RowEnds, writer: &Writer<'c, '_>, (first, last): (Value<'c>, Value<'c>)) {
        match ends {
            RowEnds::Masked => self.emit_masked_points(writer, (first, last)),
            RowEnds::Pieces => self.emit_pieces(writer, (first, last)),
        }
    }

    fn emit_masked_points(&mut self, writer: &Writer<'c, '_>, (first, last): (Value<'c>, Value<'c>)) {
        let mask = self.emit_mask(writer.tile, first, Range { first, last }, true);
        let masks = Masks {
            points: vec![vec![mask]; writer.tile.n_rows as usize],
            columns: vec![mask],
            rows: Vec::new(),
            last,
        };
        self.emit_points(writer, first, Some(masks));
    }

    /// Writes pieces of half as many lanes each as the one before.
    fn emit_pieces(&mut self, writer: &Writer<'c, '_>, (mut first, last): (Value<'c>, Value<'c>)) {
        let mut lanes = writer.tile.lanes / 2;
        while lanes > 0 {
            let tile = Tile { lanes, ..writer.tile.clone() };
            let is_piece = self.b.compare(Compare::LLVMIntSLE, self.beside(first, lanes - 1), last);
            let before = self.b.block();
            let (next, behind) = self.emit_when(is_piece, |g| {
                g.emit_points(&writer.for_tile(&tile), first, None);
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
