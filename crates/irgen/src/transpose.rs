//! Operands of register tiles that are stored the other way round, loaded in squares.
//!
//! # Problem
//! In `y[i] += A[i][j] * x[j]` with `i` along the lanes and `j` as the reduced member, the lanes of
//! an operand lie in different rows of `A`. Loaded lane by lane, every element costs a load and an
//! insertion. But each of those rows is contiguous along the reduced member.
//!
//! # Method
//! The reduced loop runs in blocks of as many iterations as a vector has lanes. For each of them,
//! every lane's row is loaded as a vector of consecutive iterations, and the square of
//! `lanes x lanes` elements is transposed in registers: then there is one vector of lanes for each
//! iteration. The iterations that are left at the end load lane by lane.
//!
//! Rows of more than two lanes are loaded in halves, two of different rows side by side in a
//! vector, which is the first of `log2(lanes)` steps of the transposition; a step at distance `d`
//! exchanges blocks of `d` elements between vectors that are `d` apart. The square and the results
//! of the tile must fit the registers together.
//!
//! # What is accessed
//! A block is executed if all of its iterations are. Each of them reads its elements anyway:
//! nothing in the tile writes to them, and none depends on a condition.

use crate::builder::{Type, Value};
use crate::generator::Generator;
use crate::register::Writer;
use crate::tile::{Part, Tile};

/// More lanes would need too many registers.
pub(crate) const LANES: std::ops::RangeInclusive<u32> = 2..=16;
/// Registers for what is loaded next, and for a factor.
const OTHER_REGISTERS: u32 = 2;

/// An operand by run and instruction.
pub(crate) type Place = (usize, usize);

impl<'c> Generator<'c, '_> {
    /// The operands of a tile that are loaded in squares.
    pub(crate) fn square_operands(&self, writer: &Writer<'c, '_>, reduced: usize) -> Vec<Place> {
        let tile = writer.tile;
        let results = tile.n_rows * tile.n_vectors * u32::try_from(tile.results.len()).unwrap_or(u32::MAX);
        let used = results.saturating_add(tile.lanes + OTHER_REGISTERS);
        // Code does not grow without limit, as results are few where registers are left.
        if !LANES.contains(&tile.lanes) || used > self.prepared.options.tile_registers {
            return Vec::new();
        }
        let parts = tile.runs.iter().enumerate().flat_map(|(run, (_, parts))| {
            parts.iter().enumerate().map(move |(position, part)| ((run, position), *part))
        });
        let is_square = |&(at, part): &(Place, Part)| match part {
            Part::Load { moves, contiguous: false } => {
                moves.column && !moves.row && !writer.is_packed(at) && self.is_contiguous_along(tile, at, reduced)
            }
            _ => false,
        };
        parts.filter(is_square).map(|(at, _)| at).collect()
    }

    fn is_contiguous_along(&self, tile: &Tile<'_>, at: Place, reduced: usize) -> bool {
        let instr = &self.prepared.scop.statements[tile.runs[at.0].0.statement].body[at.1];
        let location = self.operand_location(tile, at.0, at.1);
        location.is_some_and(|location| self.is_contiguous(&location, instr.value, reduced))
    }

    /// The vectors of an operand for as many iterations of the reduced loop as there are lanes,
    /// from the current one on.
    pub(crate) fn load_square(&mut self, writer: &Writer<'c, '_>, at: Place, vector: u32) -> Vec<Value<'c>> {
        let tile = writer.tile;
        let instr = &self.prepared.scop.statements[tile.runs[at.0].0.statement].body[at.1];
        let element = self.prepared.value(instr.value).ty();
        let rows: Vec<Value<'c>> =
            (0..tile.lanes).map(|lane| self.operand_address(writer, at, (0, vector), lane)).collect();
        let bytes = u32::try_from(self.load_bytes(tile, at).unwrap_or(1)).unwrap_or(1);
        // Where the rows of a block are whole lines of memory, one prefetch covers each. Each lane
        // is a stream of its own, more than some processors follow.
        let machine = &self.prepared.options.machine;
        if u64::from(tile.lanes * bytes) == machine.memory.line_bytes && writer.masks().is_none() {
            let ahead = u32::try_from(machine.prefetch.ahead_bytes).unwrap_or(0) / bytes;
            rows.iter().for_each(|&row| self.prefetch_row(row, element, ahead));
        }
        self.transposed_rows((element, &rows), |g, ty, address| g.load_of_operand(writer, at, ty, address))
    }

    /// The columns of a square whose rows begin at these addresses.
    pub(crate) fn transposed_rows(
        &mut self,
        (element, rows): (Type<'c>, &[Value<'c>]),
        mut load: impl FnMut(&mut Self, Type<'c>, Value<'c>) -> Value<'c>,
    ) -> Vec<Value<'c>> {
        let lanes = u32::try_from(rows.len()).expect("there are as many rows as lanes");
        let half = lanes / 2;
        if half == 1 {
            let ty = self.b.vector_type(element, lanes);
            let mut square: Vec<Value<'c>> = rows.iter().map(|&row| load(self, ty, row)).collect();
            self.transpose(&mut square);
            return square;
        }
        let ty = self.b.vector_type(element, half);
        let mut half_of = |g: &mut Self, row: u32, begin: u32| {
            let address = g.b.offset(element, rows[row as usize], g.b.int(64, i128::from(begin)));
            load(g, ty, address)
        };
        let both: Vec<u32> = (0..lanes).collect();
        let mut beside = |g: &mut Self, row: u32| {
            let (begin, row) = if row < half { (0, row) } else { (half, row - half) };
            let (first, second) = (half_of(g, row, begin), half_of(g, row + half, begin));
            g.b.shuffle(first, second, &both)
        };
        let mut square: Vec<Value<'c>> = (0..lanes).map(|row| beside(self, row)).collect();
        self.exchange_from(&mut square, half / 2);
        square
    }

    /// The square of as many vectors as each of them has lanes, transposed.
    pub(crate) fn transpose(&self, square: &mut [Value<'c>]) {
        self.exchange_from(square, u32::try_from(square.len()).expect("vectors have few lanes") / 2);
    }

    /// The exchanges at this distance and at the shorter ones.
    fn exchange_from(&self, square: &mut [Value<'c>], mut distance: u32) {
        while distance > 0 {
            self.exchange(square, distance);
            distance /= 2;
        }
    }

    /// Exchanges blocks of so many elements between vectors that are as far apart.
    fn exchange(&self, square: &mut [Value<'c>], distance: u32) {
        let lanes = u32::try_from(square.len()).expect("there are as many vectors as lanes");
        // The blocks of two vectors that stay and those that come from the other one.
        let positions = |upper: bool| -> Vec<u32> {
            let from = |lane: u32| match (lane & distance == 0, upper) {
                (true, false) => lane,
                (false, false) => lanes + lane - distance,
                (true, true) => lane + distance,
                (false, true) => lanes + lane,
            };
            (0..lanes).map(from).collect()
        };
        let (lower, upper) = (positions(false), positions(true));
        for row in (0..lanes).filter(|row| row & distance == 0) {
            let (a, b) = (square[row as usize], square[(row + distance) as usize]);
            square[row as usize] = self.b.shuffle(a, b, &lower);
            square[(row + distance) as usize] = self.b.shuffle(a, b, &upper);
        }
    }

    fn prefetch_row(&self, row: Value<'c>, element: Type<'c>, distance: u32) {
        let address = self.b.offset(element, row, self.b.int(64, i128::from(distance)));
        self.prefetch_for_reading(address);
    }
}
