//! Blocks of a register tile that depend on each other, for threads.
//!
//! # Problem
//! In factorizations no loop is free of dependences: blocks of rows and columns have to wait for
//! others.
//!
//! # Definitions
//! For each block of the reduced member there are blocks of rows and of columns. They are executed
//! in [wavefronts](crate::wavefront()), those whose numbers have the same sum side by side, or in
//! [phases](crate::panel_update()): the block at the diagonal, the panels, the rest.
//!
//! # Sizes
//! * Wavefronts: some blocks of each side for each thread.
//! * Panel and update: the block at the diagonal has phases of its own, but its own diagonal is
//!   executed by one thread and should be a small part of all; its size is a multiple of both sizes
//!   of the tile. The blocks that run side by side are small, as each thread waits at the end of a
//!   phase for the last one. Inside of one, blocks of rows are about as large as for one thread.
//!
//! # Prediction
//! With all blocks of the same work and no block cut by a diagonal, the steps are counted in which
//! every thread executes at most one block: their number is to that of all blocks as one to the
//! threads that have work, in the mean. Where the domain is no box, there are the fewer rows and
//! columns the further the reduced member has come.

use super::{MOST_COLUMNS, MOST_ROWS, RegisterTile, block_of, main_statements};
use crate::choose::{BandFacts, BandStatement};
use crate::panel_update::Division;

/// Blocks of a dimension for each thread, where blocks are executed in wavefronts.
const BLOCKS_IN_WAVEFRONTS: f64 = 3.0;

/// Loops that threads share for one block of the reduced member, where blocks are executed in
/// phases.
const PHASES: f64 = 3.0;
/// How much longer blocks of the reduced member may be than for one thread: all results go through
/// memory once for each of them, and threads share it.
const LONGER: f64 = 2.0;
/// Blocks of the reduced member at least, and so many more as there are threads: of the block at
/// the diagonal, a part is executed by one thread.
const BLOCKS_AT_DIAGONAL: f64 = 4.0;
/// About so many blocks of the reduced member in the block at the diagonal.
const INNER_BLOCKS: f64 = 3.0;
/// About so many blocks of rows for each thread, where blocks are executed in phases; each block
/// copies columns of its own.
const ROWS_IN_PHASES: f64 = 12.0;
/// About so many blocks of columns: most of the work is shared by them, and at the end of it a
/// thread waits for half a block in the mean.
const COLUMNS_IN_PHASES: f64 = 24.0;

/// The greatest common divisor of two numbers, the first of which is not 0.
fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// How cache tiles are executed in wavefronts, or in phases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wavefronts {
    /// How often threads are started: the number of wavefronts.
    pub number: f64,
    /// How many threads have work, in the mean.
    pub width: f64,
}

/// How many blocks there are of rows and of columns beside one block of the reduced member.
#[derive(Clone, Copy, Debug)]
struct Sides {
    down: f64,
    across: f64,
}

impl Sides {
    fn blocks(self) -> f64 {
        self.down * self.across
    }

    fn wavefronts(self) -> f64 {
        self.down + self.across - 1.0
    }

    /// Steps of all wavefronts: they have 1, 2, .. blocks up to as many as the shorter side, and at
    /// the end as many fewer.
    fn steps_in_wavefronts(self, threads: f64) -> f64 {
        let (number, widest) = (self.wavefronts(), self.down.min(self.across));
        let steps = |wavefront: u64| ((wavefront + 1) as f64).min(number - wavefront as f64).min(widest) / threads;
        (0..number as u64).map(|wavefront| steps(wavefront).ceil()).sum()
    }

    /// Steps of all phases, where a block of the reduced member is as long as `diagonal` blocks,
    /// the part `alone` of which one thread executes.
    fn steps_in_phases(self, (diagonal, alone): (Sides, f64), threads: f64) -> f64 {
        let shared = |blocks: f64| (blocks / threads).ceil();
        let at = Sides { down: self.down.min(diagonal.down), across: self.across.min(diagonal.across) };
        let panels = shared(self.down - at.down) * at.across + shared(self.across - at.across) * at.down;
        at.blocks() * (alone + (1.0 - alone) / threads)
            + panels
            + shared(self.across - at.across) * (self.down - at.down)
    }
}

/// A band as far as blocks are concerned.
struct Extents<'a> {
    main: Vec<&'a BandStatement>,
    threads: f64,
}

impl<'a> Extents<'a> {
    fn new(band: &'a BandFacts, threads: f64) -> Self {
        Self { main: main_statements(band), threads: threads.max(1.0) }
    }

    fn trip(&self, member: usize) -> f64 {
        self.main.iter().map(|s| s.members[member].trip).fold(1.0, f64::max)
    }

    fn trips(&self, members: &[usize]) -> f64 {
        members.iter().map(|&member| self.trip(member)).product()
    }

    fn count(&self, (member, size): (usize, u64)) -> f64 {
        (self.trip(member) / size as f64).ceil()
    }

    /// The sides of blocks of rows and columns, for some blocks of the reduced member. Where less
    /// than half of a box are instances, there are fewer and fewer.
    fn sides(&self, rows: (usize, u64), columns: (usize, u64), reduced: usize) -> Vec<Sides> {
        let box_of =
            |s: &BandStatement| [rows.0, columns.0, reduced].map(|m| s.members[m].trip).iter().product::<f64>();
        let outside = |s: &BandStatement| s.outer.iter().map(|outer| outer.trip).product::<f64>();
        let shrinks = self.main.iter().all(|s| s.instances < 0.5 * box_of(s) * outside(s).max(1.0));
        let part = |sample: u32| {
            let left = if shrinks { 1.0 - (f64::from(sample) + 0.5) / f64::from(SAMPLES) } else { 1.0 };
            let blocks = |(member, size): (usize, u64)| (left * self.trip(member) / size as f64).ceil().max(1.0);
            Sides { down: blocks(rows), across: blocks(columns) }
        };
        (0..SAMPLES).map(part).collect()
    }

    /// How many threads have work, in the mean, if so many steps are needed for some sides.
    fn width(&self, sides: &[Sides], steps: impl Fn(Sides) -> f64) -> f64 {
        let blocks: f64 = sides.iter().map(|sides| sides.blocks()).sum();
        blocks / sides.iter().map(|&sides| steps(sides)).sum::<f64>()
    }
}

/// So many blocks of the reduced member are looked at.
const SAMPLES: u32 = 16;

/// A register tile in phases.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelUpdate {
    /// The tile, with blocks of the reduced member, of columns and of rows.
    pub tile: RegisterTile,
    /// How it is executed.
    pub wavefronts: Wavefronts,
    /// The blocks.
    pub division: Division,
    /// Those of the block at the diagonal.
    pub inner: Option<Division>,
}

impl RegisterTile {
    /// The tile with blocks of columns and rows in wavefronts, for so many threads; `None` without
    /// rows. Legal as any wavefront ([`crate::wavefront`]).
    pub fn in_wavefronts(&self, band: &BandFacts, threads: f64) -> Option<(RegisterTile, Wavefronts)> {
        let (rows, height) = self.rows?;
        let (columns, width) = self.columns;
        let extents = Extents::new(band, threads);
        let share = |member: usize| extents.trip(member) / (BLOCKS_IN_WAVEFRONTS * extents.threads);
        let known = self.tiles.iter().find(|tile| tile.0 == rows).map_or(u64::MAX, |tile| tile.1);
        let rows = (rows, block_of(share(rows), height, MOST_ROWS).min(known));
        let columns = (columns, block_of(share(columns), width, MOST_COLUMNS));
        let mut tiles: Vec<(usize, u64)> = self.tiles.iter().copied().filter(|t| t.0 == self.reduced).collect();
        let times = extents.trips(&self.others) * tiles.iter().map(|&tile| extents.count(tile)).product::<f64>();
        tiles.extend([columns, rows]);
        let sides = extents.sides(rows, columns, self.reduced);
        let number = sides.iter().map(|sides| sides.wavefronts()).sum::<f64>() / f64::from(SAMPLES);
        let width = extents.width(&sides, |sides| sides.steps_in_wavefronts(extents.threads));
        let wavefronts = Wavefronts { number: times * number, width };
        Some((RegisterTile { tiles, ..self.clone() }, wavefronts))
    }

    /// The tile with blocks of the reduced member, in each of these blocks of columns and rows in
    /// phases, for so many threads; `None` without rows, or where tiles are too large for that.
    /// Legality: [`crate::panel_update()`].
    pub fn panel_update(&self, band: &BandFacts, threads: f64) -> Option<PanelUpdate> {
        let (rows, height) = self.rows?;
        let (columns, width) = self.columns;
        let extents = Extents::new(band, threads);
        let known = |member: usize| self.tiles.iter().find(|tile| tile.0 == member).map(|tile| tile.1);
        let cached = known(self.reduced).map_or(f64::INFINITY, |size| size as f64);
        let unit = height / divisor(height, width) * width;
        let most = (LONGER * cached).min(extents.trip(self.reduced) / (BLOCKS_AT_DIAGONAL + extents.threads));
        let size = divisible((most / unit as f64) as u64) * unit;
        if unit as f64 > 1.5 * cached {
            return None;
        }
        let wanted = |member: usize, blocks: f64| extents.trip(member) / (blocks * extents.threads);
        let below = block_of(wanted(rows, ROWS_IN_PHASES), height, MOST_ROWS);
        let right = block_of(wanted(columns, COLUMNS_IN_PHASES), width, MOST_COLUMNS);
        let diagonal = Sides { down: size as f64 / below as f64, across: size as f64 / right as f64 };
        let sides = extents.sides((rows, below), (columns, right), self.reduced);
        let inner = inner_division(size, unit, (height, width), threads);
        let alone = inner.map_or(1.0, |inner| inner.size as f64 / size as f64);
        let busy = extents.width(&sides, |sides| sides.steps_in_phases((diagonal, alone), extents.threads));
        // Inside, blocks of rows end where those of the reduced member do.
        let block = known(rows).unwrap_or(below).max(below);
        let block = if block >= size { block / size * size } else { part_of(size, height, block as f64) };
        let tiles = vec![(self.reduced, size), (columns, right), (rows, block)];
        let inner_phases = inner.map_or(0.0, |inner| PHASES * (size as f64 / inner.size as f64 - 1.0));
        let number = extents.trips(&self.others) * extents.count(tiles[0]) * (PHASES + inner_phases);
        let division = Division { size, sides: [below, right] };
        let tile = RegisterTile { tiles, ..self.clone() };
        Some(PanelUpdate { tile, wavefronts: Wavefronts { number, width: busy }, division, inner })
    }
}

/// How the block at the diagonal, of so many values of the reduced member, is divided: blocks of
/// some tiles each, and for each thread some on each side of their own diagonal.
fn inner_division(size: u64, unit: u64, (height, width): (u64, u64), threads: f64) -> Option<Division> {
    let inner = part_of(size, unit, size as f64 / INNER_BLOCKS);
    let wanted = size as f64 / (INNER_BLOCKS * threads);
    let sides = [block_of(wanted, height, MOST_ROWS), block_of(wanted, width, MOST_COLUMNS)];
    (2 * inner <= size).then_some(Division { size: inner, sides })
}

/// The largest number up to this one that has a half or a third; at least 1.
fn divisible(most: u64) -> u64 {
    (2..=most).rev().find(|number| number.is_multiple_of(2) || number.is_multiple_of(3)).unwrap_or(1)
}

/// Of the multiples of a tile that divide a size, the one that is next to what is wanted.
fn part_of(size: u64, tile: u64, wanted: f64) -> u64 {
    let beside = |part: &u64| (*part as f64 / wanted).ln().abs();
    let divides = |tiles: &u64| (size / tile).is_multiple_of(*tiles);
    let parts = (1..=size / tile).filter(divides).map(|tiles| tiles * tile);
    parts.min_by(|a, b| beside(a).total_cmp(&beside(b))).unwrap_or(size)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{matmul, rows as rows_of};
    use super::*;
    use crate::machine::tests::usual;
    use crate::register::{RegisterChoice, register_tile};

    #[test]
    fn wavefronts_of_blocks_keep_the_tile() {
        let band = BandFacts { coincident: vec![false; 3], ..matmul(1000.0) };
        let tile = register_tile(&band, &RegisterChoice::Model, &usual(), None).expect("it contracts");
        let (in_wavefronts, wavefronts) = tile.in_wavefronts(&band, 2.0).expect("the tile has rows");
        assert_eq!(
            (in_wavefronts.rows, in_wavefronts.columns, in_wavefronts.reduced),
            (tile.rows, tile.columns, tile.reduced)
        );
        let [.., (columns, across), (rows, down)] = in_wavefronts.tiles[..] else { panic!("{in_wavefronts:?}") };
        assert_eq!((columns, rows), (tile.columns.0, rows_of(&tile).0));
        assert_eq!((across % tile.columns.1, down % rows_of(&tile).1), (0, 0));
        assert!(wavefronts.width > 1.5 && wavefronts.width <= 2.0 && wavefronts.number >= 2.0, "{wavefronts:?}");
        // More threads, more blocks.
        let (_, wide) = tile.in_wavefronts(&band, 16.0).expect("the tile has rows");
        assert!(wide.width > wavefronts.width, "{wide:?} against {wavefronts:?}");
    }

    #[test]
    fn phases_of_blocks_keep_the_tile() {
        let band = |trip: f64| {
            let mut band = BandFacts { coincident: vec![false; 3], ..matmul(trip) };
            band.statements.iter_mut().for_each(|s| s.instances /= 3.0);
            band
        };
        let tile = register_tile(&band(1000.0), &RegisterChoice::Model, &usual(), None).expect("it contracts");
        for (trip, threads) in [(2000.0, 2.0), (1000.0, 2.0), (2000.0, 16.0), (200.0, 2.0)] {
            let PanelUpdate { tile: phased, wavefronts: phases, division, inner } =
                tile.panel_update(&band(trip), threads).expect("the tile has rows");
            let Division { size, sides: [below, right] } = division;
            assert_eq!((phased.rows, phased.columns, phased.reduced), (tile.rows, tile.columns, tile.reduced));
            let [(reduced, block), (columns, across), (rows, down)] = phased.tiles[..] else { panic!("{phased:?}") };
            assert_eq!((reduced, columns, rows), (tile.reduced, tile.columns.0, rows_of(&tile).0));
            assert_eq!((block, across), (size, right));
            let (height, width) = (rows_of(&tile).1, tile.columns.1);
            assert_eq!([size % height, size % width, below % height, down % height, right % width], [0; 5]);
            assert!(phases.width > 0.0 && phases.width <= threads, "{phases:?}");
            let Division { size: least, sides: [below, right] } = inner.expect("the block has a half or a third");
            assert_eq!([least % height, least % width, below % height, right % width], [0; 4]);
            assert!(2 * least <= size && below <= size && right <= size);
        }
        let phases = tile.panel_update(&band(2000.0), 2.0).expect("the tile has rows").wavefronts;
        let (_, wavefronts) = tile.in_wavefronts(&band(2000.0), 2.0).expect("the tile has rows");
        assert!(phases.width > 1.7 && 1.5 * phases.number < wavefronts.number, "{phases:?} {wavefronts:?}");
    }
}
