//! The price of a band with register tiles.
//!
//! # Problem
//! Which register tile is the cheapest, is it cheaper than other code, and from which sizes on. For
//! large sizes full tiles decide, for small ones those at the ends of rows and columns and along
//! slanted sides.
//!
//! # Algorithm
//! 1. *Full tiles*: the cycles of an iteration ([`Shape::at_once`]), and what fills and empties the
//!    registers.
//! 2. *Partial tiles*: the blocks that code generation makes of them ([`PartialBlock`]), each as
//!    its instructions one after the other ([`Shape::in_turn`]). Lanes without points take as long
//!    as others.
//! 3. *Slanted sides*: for each constraint that connects columns with another loop, the tiles along
//!    it are partial.
//! 4. Results that the loops around the band go on with are stored and loaded again: an execution
//!    of the band takes at least as long as that and the steps of a sum ([`hand_on_cycles`]).
//! 5. Where results do not stay in registers in partial tiles, which is known only when dependences
//!    have been asked, these are ordinary loops ([`OrdinaryCode`]).

use poly_schedule_tree::PartialBlock;

use super::shape::{MASKED_ROW, Shape, partial_share};
use super::{MovingSides, OrdinaryCode, RegisterTile};
use crate::Machine;
use crate::choose::{BandFacts, BandStatement, LoopFacts};
use crate::cost::{
    AccessModel, Cost, Nest, StatementModel, estimate, hand_on_cycles, is_vectorizable,
    issue_cycles as issue_cycles_of, point_cycles,
};

/// Sets the prices of a tile.
pub(super) fn set(band: &BandFacts, tile: &mut RegisterTile, shape: &Shape, machine: &Machine) {
    tile.cost = cost(band, tile, shape, machine);
    tile.slant_cycles = band.statements.iter().map(|s| slant_cycles(s, tile, shape, machine)).sum();
    let ordinary = band.statements.iter().map(|s| ordinary_code(s, tile, shape, machine));
    tile.ordinary = ordinary.fold(OrdinaryCode::default(), |sum, one| OrdinaryCode {
        end_cycles: sum.end_cycles + one.end_cycles,
        slant_cycles: sum.slant_cycles + one.slant_cycles,
    });
    tile.moving = moving_sides(band, tile, machine);
}

/// Predicted cost of all statements of the band.
fn cost(band: &BandFacts, tile: &RegisterTile, shape: &Shape, machine: &Machine) -> Cost {
    let outer = band.statements.iter().map(|s| s.outer.len()).max().unwrap_or(0);
    let mut trips: Vec<f64> = Vec::new();
    let mut statements = Vec::new();
    let mut issue = 0.0;
    for statement in &band.statements {
        let loops = tiled_loops(statement, outer, (tile, shape));
        trips.resize(loops.len(), 1.0);
        trips.iter_mut().zip(&loops).for_each(|(trip, facts)| *trip = trip.max(facts.trip));
        issue += issue_cycles(statement, tile, shape, machine);
        let accesses = statement.accesses.iter().enumerate().map(|(index, &reference)| AccessModel {
            strides: loops.iter().map(|l| l.strides.get(index).copied().unwrap_or(0.0)).collect(),
            reference,
        });
        statements.push(StatementModel {
            accesses: accesses.collect(),
            work: statement.work.clone(),
            instances: statement.instances,
            cut: 0.0,
            parallel: true,
            recurrence: false,
            handed_on: true,
        });
    }
    // Tiles of one row stand beside each other along rows of memory; those of several go down the
    // rows of a panel, which they prefetch.
    let prefetches = tile.rows.is_some();
    Cost { issue, ..estimate(&Nest { trips, statements, interleaved: false, prefetches }, machine) }
}

/// Cycles to issue all instances of a statement, where partial tiles keep results in registers.
fn issue_cycles(statement: &BandStatement, tile: &RegisterTile, shape: &Shape, machine: &Machine) -> f64 {
    let full_tile = full_cycles(statement, tile, shape, machine);
    let region = Region::of(statement, tile);
    let (full, partial) = match tile.rows {
        None if !shape.streams => {
            let columns = statement.members[tile.columns.0].trip;
            let share = partial_share(columns, statement.work.hollow, tile.columns.1);
            (1.0 - share, MASKED_ROW * shape.in_turn(machine) / points(shape))
        }
        _ => (region.full_share(), region.partial_cycles(statement, tile, shape, machine)),
    };
    let issue = statement.instances * (full * full_tile + (1.0 - full) * partial);
    if statement.outer.is_empty() || statement.work.stored == 0.0 {
        return issue;
    }
    // The next execution of the band begins with the results that this one has stored.
    let box_: f64 = statement.members.iter().map(|member| member.trip).product();
    let executions = statement.instances / (box_ * (1.0 - statement.work.hollow)).max(1.0);
    let steps = reduced_iterations(statement, tile);
    issue.max(executions * hand_on_cycles(&statement.work, steps, machine))
}

/// Points of a tile.
fn points(shape: &Shape) -> f64 {
    (shape.rows * shape.vectors * shape.lanes) as f64
}

/// Iterations of the reduced member for which registers stay filled, in the mean.
fn reduced_iterations(statement: &BandStatement, tile: &RegisterTile) -> f64 {
    let trip = statement.members[tile.reduced].trip * (1.0 - statement.work.hollow);
    tile.tiles.iter().find(|t| t.0 == tile.reduced).map_or(trip, |t| (t.1 as f64).min(trip)).max(1.0)
}

/// Cycles to fill and to empty the registers of a tile, with the branches around it.
fn begin_and_end(shape: &Shape, machine: &Machine) -> f64 {
    (3 * shape.rows * shape.vectors) as f64 + 2.0 * machine.code.loop_cycles
}

/// Cycles of an instance in a full tile.
fn full_cycles(statement: &BandStatement, tile: &RegisterTile, shape: &Shape, machine: &Machine) -> f64 {
    let around = begin_and_end(shape, machine) / reduced_iterations(statement, tile);
    (shape.at_once(machine) + around) / points(shape)
}

/// Points of rows and columns, and those of a tile.
struct Region {
    rows: (f64, f64),
    columns: (f64, f64),
}

impl Region {
    fn of(statement: &BandStatement, tile: &RegisterTile) -> Region {
        let side = |(member, size): (usize, u64)| (statement.members[member].trip, size as f64);
        Region { rows: tile.rows.map_or((1.0, 1.0), side), columns: side(tile.columns) }
    }

    /// Iterations of a side in whole tiles.
    fn whole((trip, size): (f64, f64)) -> f64 {
        (trip / size).floor() * size
    }

    /// The part of the points that full tiles have.
    fn full_share(&self) -> f64 {
        Self::whole(self.rows) * Self::whole(self.columns) / (self.rows.0 * self.columns.0)
    }

    /// Cycles of an instance in partial tiles: a strip at the end of the columns, and one at the
    /// end of the rows.
    fn partial_cycles(&self, statement: &BandStatement, tile: &RegisterTile, shape: &Shape, machine: &Machine) -> f64 {
        let share = self.full_share();
        if share >= 1.0 {
            return 0.0;
        }
        let (rows, columns) = (Self::whole(self.rows), Self::whole(self.columns));
        let (last_rows, last_columns) = (self.rows.0 - rows, self.columns.0 - columns);
        let block = |rows: f64, columns: f64| block_cycles(statement, tile, (shape, rows, columns), machine);
        let tiles = (rows / self.rows.1, columns / self.columns.1);
        let at_end = tiles.0 * block(self.rows.1, last_columns) + block(last_rows, last_columns);
        let below = tiles.1 * block(last_rows, self.columns.1);
        (at_end + below) / (self.rows.0 * self.columns.0 * (1.0 - share))
    }
}

/// Cycles of an iteration of the reduced member in a partial tile of so many rows and columns, as
/// code generation divides it into blocks: of several rows and then of one, of a few vectors each.
/// What begins and ends a block is shared by its iterations.
fn block_cycles(
    statement: &BandStatement,
    tile: &RegisterTile,
    (shape, rows, columns): (&Shape, f64, f64),
    machine: &Machine,
) -> f64 {
    let [most_rows, most_vectors] = [PartialBlock::ROWS, PartialBlock::VECTORS].map(u64::from);
    let iterations = reduced_iterations(statement, tile);
    let is_masked = machine.masks_ends(shape.lanes);
    let of = |rows: u64, vectors: u64, lanes: u64| {
        let part = shape.part(rows, vectors, lanes);
        let under_masks = part.bounded_lanes() / machine.core.flops_per_cycle + part.masked_load_cycles(machine);
        let more = if is_masked { under_masks } else { 0.0 };
        let busy = part.in_turn(machine).max(part.at_once(machine)) + more;
        busy + begin_and_end(&part, machine) / iterations
    };
    let width = (most_vectors * shape.lanes) as f64;
    let lanes = shape.lanes as f64;
    let of_rows = |rows: u64| match is_masked {
        true => (columns / width).ceil() * of(rows, most_vectors, shape.lanes),
        false => {
            let single = (columns % width / lanes).floor() * of(rows, 1, shape.lanes);
            (columns / width).floor() * of(rows, most_vectors, shape.lanes) + single + columns % lanes * of(rows, 1, 1)
        }
    };
    if columns <= 0.0 {
        return 0.0;
    }
    (rows / most_rows as f64).floor() * of_rows(most_rows) + rows % most_rows as f64 * of_rows(1)
}

/// Cycles of an instance in a partial tile that is written as ordinary loops, whose innermost one
/// has so many columns: results go through memory. Statements that depend on each other are
/// distributed, so that rows are vectors.
fn ordinary_cycles(statement: &BandStatement, tile: &RegisterTile, columns: f64, machine: &Machine) -> f64 {
    let along = &statement.members[tile.columns.0].strides;
    let accesses = statement
        .accesses
        .iter()
        .enumerate()
        .map(|(index, &reference)| AccessModel { strides: vec![along.get(index).copied().unwrap_or(0.0)], reference });
    let model = StatementModel {
        accesses: accesses.collect(),
        work: statement.work.clone(),
        instances: 1.0,
        cut: 0.0,
        parallel: true,
        recurrence: false,
        handed_on: true,
    };
    if is_vectorizable(&model) {
        let bytes = statement.accesses.iter().map(|access| access.bytes).fold(1.0, f64::max);
        let lanes = machine.vectors.bytes as f64 / bytes;
        let rest = columns % lanes;
        // What fills no vector is one under a mask, or halves and quarters of one.
        let (pieces, mask) = match machine.vectors.masks {
            _ if rest == 0.0 => (0.0, 0.0),
            true => (1.0, machine.code.mask_lane_cycles * lanes),
            false => (f64::from((rest as u32).count_ones()), 0.0),
        };
        let vectors = (columns / lanes).floor() + pieces;
        let busy = vectors * point_cycles(&model, 1.0, machine) * machine.vectors.passes;
        return (busy + mask + machine.code.block_row_cycles) / columns;
    }
    let nest = Nest { trips: vec![columns], statements: vec![model], interleaved: false, prefetches: false };
    issue_cycles_of(&nest.statements[0], &nest, machine)
}

/// Columns of the tiles that a slanted side cuts, in columns of a tile.
const CUT: f64 = 1.25;

/// The part of the columns that lies in tiles which a slanted side cuts.
fn cut_share(statement: &BandStatement, tile: &RegisterTile) -> f64 {
    (CUT * tile.columns.1 as f64 / statement.members[tile.columns.0].trip).min(1.0)
}

/// The part of the points of a pyramid of several tiles that lies in tiles along its diagonal, in
/// sizes of a tile over that of the pyramid: counted for two to ten tiles.
const ALONG_DIAGONAL: f64 = 0.85;

/// Tiles whose sides the reduced member moves: along the diagonal, one for each column of tiles or
/// row of tiles. Of a row there is half in the mean.
fn moving_sides(band: &BandFacts, tile: &RegisterTile, machine: &Machine) -> MovingSides {
    let share = |(member, size): (usize, u64)| {
        let trip = band.statements.iter().map(|s| s.members[member].trip).fold(1.0, f64::max);
        if trip <= size as f64 { 1.0 } else { ALONG_DIAGONAL * size as f64 / trip }
    };
    let cycles = |s: &BandStatement| {
        let columns = (tile.columns.1 as f64).min(s.members[tile.columns.0].trip) / 2.0;
        s.instances * ordinary_cycles(s, tile, columns.max(1.0), machine)
    };
    MovingSides {
        rows: tile.rows.map_or(0.0, share),
        columns: share(tile.columns),
        cycles: band.statements.iter().map(cycles).sum(),
    }
}

/// What a constraint that connects the columns with another loop than the reduced one costs: along
/// it tiles are partial. Of the last block of columns of each row half is empty.
fn slant_cycles(statement: &BandStatement, tile: &RegisterTile, shape: &Shape, machine: &Machine) -> f64 {
    let rows = tile.rows.map_or(1.0, |(_, rows)| rows as f64);
    let columns = tile.columns.1 as f64;
    let used = columns / (columns + f64::from(PartialBlock::VECTORS) * shape.lanes as f64);
    let partial = block_cycles(statement, tile, (shape, rows, columns), machine) / (rows * columns * used);
    let more = (partial - full_cycles(statement, tile, shape, machine)).max(0.0);
    cut_share(statement, tile) * statement.instances * more
}

/// What ordinary loops take longer than partial tiles with results in registers.
fn ordinary_code(statement: &BandStatement, tile: &RegisterTile, shape: &Shape, machine: &Machine) -> OrdinaryCode {
    let region = Region::of(statement, tile);
    let columns = match Region::whole(region.columns) {
        whole if whole < region.columns.0 => region.columns.0 - whole,
        _ => region.columns.1,
    };
    let known = region.partial_cycles(statement, tile, shape, machine);
    let end = ordinary_cycles(statement, tile, columns, machine);
    let slanted = ordinary_cycles(statement, tile, tile.columns.1 as f64 / 2.0, machine);
    let more = (slanted - full_cycles(statement, tile, shape, machine)).max(0.0);
    OrdinaryCode {
        end_cycles: (1.0 - region.full_share()) * statement.instances * (end - known),
        slant_cycles: cut_share(statement, tile) * statement.instances * more
            - slant_cycles(statement, tile, shape, machine),
    }
}

/// The loops around a statement, outermost first.
fn tiled_loops(statement: &BandStatement, outer: usize, (tile, shape): (&RegisterTile, &Shape)) -> Vec<LoopFacts> {
    let none = LoopFacts { trip: 1.0, strides: vec![0.0; statement.accesses.len()] };
    let mut loops: Vec<LoopFacts> = statement.outer.clone();
    loops.resize(outer, none);
    // Iterations that are left of each member inside of the tiles so far.
    let mut left: Vec<f64> = statement.members.iter().map(|l| l.trip).collect();
    let mut push = |loops: &mut Vec<LoopFacts>, member: usize, size: f64| {
        let size = size.min(left[member]);
        let strides = statement.members[member].strides.iter().map(|s| s * size).collect();
        loops.push(LoopFacts { trip: (left[member] / size).max(1.0), strides });
        left[member] = size;
    };
    tile.others.iter().for_each(|&member| push(&mut loops, member, 1.0));
    tile.tiles.iter().for_each(|&(member, size)| push(&mut loops, member, size as f64));
    for (member, size) in [tile.columns].into_iter().chain(tile.rows) {
        push(&mut loops, member, size as f64);
    }
    let points = tile.points().map(|(member, _)| member);
    // Streams move along the reduced member.
    let inside: Vec<usize> = match shape.streams {
        false => [tile.reduced].into_iter().chain(points).collect(),
        true => points.chain([tile.reduced]).collect(),
    };
    for member in inside {
        push(&mut loops, member, 1.0);
    }
    loops
}
