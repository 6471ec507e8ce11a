//! Tiles for bands in which several loops move the same subscript: time loops of stencils.
//!
//! # Problem
//! In the band `(t, 2t + i, 2t + j)` of a stencil that sweeps over an array in every time step, consecutive time steps touch almost the
//! same elements. Tiled in all members, several time steps are executed on a part of the array while it is in a near cache. Which sizes,
//! which loop innermost, and is it worth the shorter rows?
//!
//! # Model
//! * *Rows*: the innermost loop. Each piece of a row costs its entry and exit; its points are issued as vectors where the loop is free of dependences and
//!   the accesses are contiguous, see [`crate::estimate`]. Where the processor has masks for all vectors, points that do not fill a vector are one more masked vector,
//!   and neighbouring rows are executed in blocks where that is possible, see [`crate::row_block`].
//! * *Footprint* of a box of loops: per array and subscript the range of its values, `1 + sum |slope| (range - 1)` over the members and the
//!   differences of the constants of all accesses, but not more than the whole range. Unlike the product of trip counts this knows that a time step touches what the one before has touched.
//! * *Traffic* of a cache: the outermost loop whose body's footprint fits is the one that moves through the array; everything from there on
//!   inwards touches its footprint once per iteration of the loops outside.
//! * Partial tiles: a skewed member of range `r` under tiles of size `s` has `r / s + 1` of them; the tiles of the boundary cost rows and lines all the same.
//!
//! The numbers decide only whether and how, never legality.

use crate::cost::{
    AccessModel, Cost, Nest, Reference, StatementModel, Work, estimate, is_vectorizable, partly, point_cycles,
    point_cycles_with,
};
use crate::row_block::{RowBlock, row_block};
use crate::{Machine, TilingChoice};

/// One subscript of an access.
#[derive(Clone, Debug, PartialEq)]
pub struct Subscript {
    /// How much it grows with each member of the band.
    pub slopes: Vec<f64>,
    /// Its value where all members are zero: the least and the greatest one of all accesses that move alike.
    pub offsets: (f64, f64),
    /// Number of values in the whole nest.
    pub range: f64,
}

/// One access.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapedAccess {
    /// Equal for accesses to the same array.
    pub array: usize,
    /// Bytes of an element.
    pub bytes: f64,
    /// It writes.
    pub write: bool,
    /// Outermost first; the last one is contiguous in memory.
    pub subscripts: Vec<Subscript>,
}

/// A statement as the band sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapedStatement {
    /// Its accesses.
    pub accesses: Vec<ShapedAccess>,
    /// Work per instance.
    pub work: Work,
    /// Number of instances.
    pub instances: f64,
    /// Per member: number of values.
    pub ranges: Vec<f64>,
    /// Per member: iterations when all other members stand still.
    pub rows: Vec<f64>,
}

/// How the innermost loop of a band looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// All statements in one loop.
    Shared,
    /// One loop for each group of statements.
    Apart,
    /// The last two members as a wavefront: the innermost loop is free of dependences, but not contiguous.
    Wavefront,
    /// The last two members as a wavefront in strips of so many vectors: values of the last but one are lanes, which hand values on along the last one.
    Lanes {
        /// Vectors side by side.
        vectors: u32,
    },
}

/// One way to execute the rows.
#[derive(Clone, Debug, PartialEq)]
pub struct RowChoice {
    /// The innermost member.
    pub member: usize,
    /// Its form.
    pub rows: Rows,
    /// Per statement: the innermost loop is free of dependences.
    pub free: Vec<bool>,
}

/// A band that may be tiled in time.
#[derive(Clone, Debug, PartialEq)]
pub struct SkewedBand {
    /// Its statements.
    pub statements: Vec<ShapedStatement>,
    /// Number of members.
    pub members: usize,
    /// What may become of its rows.
    pub rows: Vec<RowChoice>,
}

/// What the model proposes.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeTiles {
    /// Order of the members, tile loops and point loops alike.
    pub order: Vec<usize>,
    /// Per member: its tile size; 0 where there is no tile loop.
    pub sizes: Vec<u64>,
    /// Position of the rows in [`SkewedBand::rows`].
    pub rows: usize,
    /// Predicted cost.
    pub cost: Cost,
}

/// Whether some subscript moves along two members or more, which is what [`crate::choose`] has no model of.
pub fn is_skewed(statements: &[ShapedStatement]) -> bool {
    let moves = |s: &Subscript| s.slopes.iter().filter(|x| **x != 0.0).count() >= 2;
    statements.iter().flat_map(|s| &s.accesses).any(|a| a.subscripts.iter().any(moves))
}

/// Cycles of entering and leaving a piece of a row: bounds with minima and maxima are computed for each.
const ROW_CYCLES: f64 = 24.0;

/// The cheapest tiles, or `None` if there is nothing to choose from.
pub fn time_tiles(band: &SkewedBand, tiling: &TilingChoice, machine: &Machine) -> Option<TimeTiles> {
    let mut best: Option<TimeTiles> = None;
    for (index, rows) in band.rows.iter().enumerate() {
        let order: Vec<usize> = (0..band.members).filter(|&m| m != rows.member).chain([rows.member]).collect();
        let block = blocks_of_rows(band, rows, &order, machine);
        for by_position in candidates(band, rows, tiling, machine) {
            let mut sizes = vec![0; band.members];
            order.iter().zip(&by_position).for_each(|(&member, &size)| sizes[member] = size);
            let cost = predict_in_blocks(band, rows, (&order, &sizes), block.as_ref(), machine);
            if best.as_ref().is_none_or(|b| cost.cycles() < 0.999 * b.cost.cycles()) {
                best = Some(TimeTiles { order: order.clone(), sizes, rows: index, cost });
            }
        }
    }
    best
}

/// Given tiles with their cost on a band of other sizes, if the code for them depends on their sizes: strips of lanes do. (Other tiles end where the domain does, whatever their sizes are.) `None`
/// if it does not, or if the band has not the same ways to execute rows.
pub fn priced(tiles: &TimeTiles, band: &SkewedBand, machine: &Machine) -> Option<TimeTiles> {
    let rows = band.rows.get(tiles.rows).filter(|_| tiles.sizes.len() == band.members)?;
    if !matches!(rows.rows, Rows::Lanes { .. }) {
        return None;
    }
    Some(TimeTiles { cost: predict_tiles(band, rows, &tiles.order, &tiles.sizes, machine), ..tiles.clone() })
}

/// Sizes to try, by position in the order.
fn candidates(band: &SkewedBand, rows: &RowChoice, tiling: &TilingChoice, machine: &Machine) -> Vec<Vec<u64>> {
    let members = band.members;
    let window = match rows.rows {
        Rows::Lanes { vectors } => wavefront_lanes(&band.statements, machine).map(|lanes| lanes * u64::from(vectors)),
        _ => None,
    };
    let strips: Option<Vec<u64>> = window.map(|window| [1, 2, 4].map(|count| count * window).to_vec());
    match tiling {
        TilingChoice::Off => vec![vec![0; members]],
        TilingChoice::Sizes(sizes) => {
            let last = sizes.last().copied().unwrap_or(32);
            vec![(0..members).map(|i| sizes.get(i).copied().unwrap_or(last)).collect()]
        }
        TilingChoice::Model => {
            let mut result = vec![Vec::new()];
            for position in 0..members {
                let sizes: &[u64] = match position {
                    0 => &[4, 8, 16, 32, 64],
                    _ if position + 1 == members => &[0, 64, 128, 256, 512, 1024],
                    _ if position + 2 == members && strips.is_some() => strips.as_deref().unwrap_or_default(),
                    _ => &[8, 16, 32, 64, 128],
                };
                result = result
                    .into_iter()
                    .flat_map(|prefix: Vec<u64>| {
                        sizes.iter().map(move |&size| prefix.iter().copied().chain([size]).collect())
                    })
                    .collect();
            }
            result.insert(0, vec![0; members]);
            result
        }
    }
}

/// Cost of a band with tiles and rows.
pub fn predict_tiles(band: &SkewedBand, rows: &RowChoice, order: &[usize], sizes: &[u64], machine: &Machine) -> Cost {
    predict_in_blocks(band, rows, (order, sizes), blocks_of_rows(band, rows, order, machine).as_ref(), machine)
}

/// The blocks of rows that code generation makes.
fn blocks_of_rows(band: &SkewedBand, rows: &RowChoice, order: &[usize], machine: &Machine) -> Option<RowBlock> {
    let is_row = matches!(rows.rows, Rows::Shared | Rows::Apart) && machine.masks && !rows.free.contains(&false);
    match order {
        [.., member, columns] if is_row => row_block(band, *member, *columns),
        _ => None,
    }
}

/// The same with blocks of rows that are known.
fn predict_in_blocks(
    band: &SkewedBand,
    rows: &RowChoice,
    (order, sizes): (&[usize], &[u64]),
    block: Option<&RowBlock>,
    machine: &Machine,
) -> Cost {
    let partial = partial_tiles(band, order, sizes);
    let mut cost = Cost::default();
    for (index, (statement, &free)) in band.statements.iter().zip(&rows.free).enumerate() {
        let block = block.map(|block| (block, index));
        cost.issue += issue((statement, free), rows, (order, sizes), block, machine);
    }
    let (all, memory) = transfer(band, order, sizes, machine);
    cost.transfer = partial * all;
    cost.memory = partial * memory;
    cost
}

/// Cycles to issue a statement, row by row.
fn issue(
    (statement, free): (&ShapedStatement, bool),
    rows: &RowChoice,
    (order, sizes): (&[usize], &[u64]),
    block: Option<(&RowBlock, usize)>,
    machine: &Machine,
) -> f64 {
    // Pieces of rows between tiles: one more than tiles that fit.
    let piece = |member: usize| {
        let whole = statement.rows[member].max(1.0);
        if sizes[member] == 0 { whole } else { whole / (whole / sizes[member] as f64 + 1.0) }
    };
    if let (Rows::Lanes { vectors }, [.., strip, along]) = (rows.rows, order) {
        return lanes_issue(statement, vectors, (*strip, *along), (sizes[*strip], piece(*along)), machine);
    }
    let length = match (rows.rows, order) {
        // The diagonals of a box with sides a and b: a b points on a + b of them.
        (Rows::Wavefront, [.., outer, inner]) => {
            let (a, b) = (piece(*outer), piece(*inner));
            (a * b / (a + b)).max(1.0)
        }
        _ => piece(rows.member).max(1.0),
    };
    let accesses = statement.accesses.iter().enumerate().map(|(index, access)| AccessModel {
        strides: vec![match rows.rows {
            Rows::Wavefront => f64::from(machine.line_bytes as u32),
            _ => access.stride(rows.member),
        }],
        reference: Reference { bytes: access.bytes, write: access.write, array: access.array, group: index },
    });
    let model = StatementModel {
        accesses: accesses.collect(),
        work: statement.work.clone(),
        instances: statement.instances,
        cut: 0.0,
        parallel: free,
        recurrence: !free,
    };
    let size = sizes[rows.member] as f64;
    let is_whole = size == 0.0 || size >= statement.rows[rows.member];
    let blocks = block.map(|(block, index)| Blocks {
        rows: block.rows,
        part: in_blocks(piece(block.member), block.rows),
        accesses: block.loads[index] + statement.accesses.iter().filter(|access| access.write).count() as f64,
    });
    if let Some(cycles) = masked_rows(&model, (length, is_whole), blocks.as_ref(), machine) {
        return cycles;
    }
    let nest = Nest { trips: vec![length], statements: vec![model], interleaved: false, prefetches: false };
    estimate(&nest, machine).issue + statement.instances / length * ROW_CYCLES
}

/// The processor foresees the end of rows of at most so many vectors, if all rows are of one length.
const FORESEEN: f64 = 16.0;
/// Cycles to begin anew behind the end of a row that was not foreseen.
const RESTART_CYCLES: f64 = 20.0;

/// Cycles that a row of a block costs besides its vectors and the share of what all rows pay together: its addresses.
const BLOCK_ROW_CYCLES: f64 = 3.0;

/// Rows that are executed several at a time.
struct Blocks {
    rows: f64,
    /// Part of the rows that are in whole blocks.
    part: f64,
    /// Loads and stores for each point of a row.
    accesses: f64,
}

/// Part of so many rows, between two tiles, that is in blocks.
fn in_blocks(rows: f64, block: f64) -> f64 {
    (rows / block).floor() * block / rows.max(1.0)
}

/// Cycles to issue rows as vectors that are masked where points do not fill them, if the processor has masks and the row is free of dependences and contiguous.
fn masked_rows(
    statement: &StatementModel,
    (length, is_whole): (f64, bool),
    blocks: Option<&Blocks>,
    machine: &Machine,
) -> Option<f64> {
    if !machine.masks || !is_vectorizable(statement) {
        return None;
    }
    let bytes = statement.accesses.iter().map(|access| access.reference.bytes).fold(1.0, f64::max);
    let lanes = machine.tile_vector_bytes as f64 / bytes;
    let is_foreseen = is_whole && length <= FORESEEN * lanes;
    let restart = if is_foreseen { 0.0 } else { RESTART_CYCLES };
    // In the mean, half of the last vector is masked.
    let points = length + 0.5 * lanes;
    let row = points * point_cycles(statement, lanes, machine) + ROW_CYCLES + restart;
    let in_block = |blocks: &Blocks| {
        let point = point_cycles_with(statement, blocks.accesses, lanes, machine);
        points * point + BLOCK_ROW_CYCLES + (ROW_CYCLES + restart) / blocks.rows
    };
    let row = blocks.map_or(row, |blocks| blocks.part * in_block(blocks) + (1.0 - blocks.part) * row);
    Some(statement.instances / length * row)
}

/// Lanes of the vectors that the statements of a wavefront are executed in, if the target gathers and has masks for all vectors.
pub fn wavefront_lanes(statements: &[ShapedStatement], machine: &Machine) -> Option<u64> {
    let bytes = statements.iter().flat_map(|s| &s.accesses).map(|a| a.bytes).fold(1.0, f64::max);
    (machine.masks && matches!(bytes, 4.0 | 8.0)).then_some(machine.tile_vector_bytes / bytes as u64)
}

/// Cycles per lane to load, and to store, a vector lane by lane.
pub(crate) const GATHER_CYCLES: f64 = 0.7;
pub(crate) const SCATTER_CYCLES: f64 = 1.4;
/// Cycles to shift a vector by a lane and to load the lane at its border.
const SHIFT_CYCLES: f64 = 2.0;
/// Cycles from a value of a lane to the same value in the lane beside it.
const SHIFT_LATENCY: f64 = 3.0;
/// Cycles from a value that is stored lane by lane to the same value loaded lane by lane.
const THROUGH_MEMORY: f64 = 40.0;
/// How many times as long a vector division takes from its beginning to its end as it keeps its unit busy.
const DIVISION_LATENCY: f64 = 1.5;

/// Cycles to issue a statement whose instances are lanes of so many vectors, with tiles of the member that is cut in strips and pieces of the one that
/// they go along.
fn lanes_issue(
    statement: &ShapedStatement,
    vectors: u32,
    (strip, along): (usize, usize),
    (tile, length): (u64, f64),
    machine: &Machine,
) -> f64 {
    let Some(lanes) = wavefront_lanes(std::slice::from_ref(statement), machine) else { return f64::INFINITY };
    let (lanes, vectors) = (lanes as f64, f64::from(vectors));
    let reads = |access: &&ShapedAccess| !access.write;
    // What a step does not move is in a register; of the others of an array, one is loaded and the others come from other lanes.
    let mut rows: Vec<(usize, Vec<(f64, f64)>)> = Vec::new();
    for access in statement.accesses.iter().filter(reads) {
        let standing = access.subscripts.iter().filter(|s| s.slopes[along] == 0.0);
        let key = (access.array, standing.map(|s| s.offsets).collect());
        if !rows.contains(&key) {
            rows.push(key);
        }
    }
    let mut arrays: Vec<usize> = rows.iter().map(|(array, _)| *array).collect();
    arrays.sort_unstable();
    arrays.dedup();
    let writes = statement.accesses.iter().filter(|a| a.write).count() as f64;
    let gathers = arrays.len() as f64;
    let shifts = rows.len() as f64 - gathers;
    let divide = statement.work.divides * machine.divide_cycles * lanes / 2.0;
    let memory = lanes * (GATHER_CYCLES * gathers + SCATTER_CYCLES * writes) + SHIFT_CYCLES * shifts;
    let operations = statement.work.simple / machine.flops_per_cycle;
    let busy = vectors * divide.max(memory + operations);
    let chain = statement.work.simple * machine.flop_latency + DIVISION_LATENCY * divide + SHIFT_LATENCY;
    let step = busy.max(chain);
    // Where not all lanes have points, everything is loaded, what the step before has stored as well.
    let reads = statement.accesses.iter().filter(reads).count() as f64;
    let load_all = lanes * (GATHER_CYCLES * reads + SCATTER_CYCLES * writes);
    let masked = (vectors * (divide + load_all + operations)).max(chain + THROUGH_MEMORY);
    // Lanes begin as many steps one after the other as one of them moves along by.
    let skew = 1.0 + statement.lag(strip, along);
    let window = lanes * vectors;
    // Strips of tiles; those at both ends of the domain are cut.
    let width = statement.rows[strip].max(1.0);
    let tile = if tile == 0 { window } else { tile as f64 };
    let strips = (tile / window).ceil() * width / tile + 1.0;
    let whole = ((tile / window).floor() * width / tile - 1.0).max(0.0);
    let lead = skew * (window - 1.0);
    let full = whole * (length - lead).max(0.0);
    let steps = strips * (length + lead);
    let cycles = full * step + (steps - full) * masked + strips * ROW_CYCLES;
    statement.instances * cycles / (width * length)
}

impl ShapedStatement {
    /// How far the last member moves the contiguous subscript for one step of the other one, less what the wavefront itself does.
    fn lag(&self, strip: usize, along: usize) -> f64 {
        let lag = |access: &ShapedAccess| {
            let slopes = &access.subscripts.last()?.slopes;
            (slopes[along] != 0.0).then(|| (slopes[strip] / slopes[along]).abs())
        };
        self.accesses.iter().filter_map(lag).fold(0.0, f64::max)
    }
}

impl ShapedAccess {
    /// Bytes per step along a member; a step in any subscript but the last is a far one.
    fn stride(&self, member: usize) -> f64 {
        const FAR: f64 = 4096.0;
        match self.subscripts.split_last() {
            None => 0.0,
            Some((last, outer)) if outer.iter().all(|s| s.slopes[member] == 0.0) => {
                last.slopes[member].abs() * self.bytes
            }
            Some(_) => FAR,
        }
    }

    /// Lines touched when each member takes a number of values.
    fn lines(&self, ranges: &[f64], machine: &Machine) -> f64 {
        let Some((last, outer)) = self.subscripts.split_last() else { return 1.0 };
        let moving = |subscript: &Subscript| {
            let values: f64 =
                subscript.slopes.iter().zip(ranges).map(|(slope, range)| slope.abs() * (range - 1.0)).sum();
            let (least, greatest) = subscript.offsets;
            (1.0 + greatest - least + values).min(subscript.range)
        };
        let iterations: f64 = ranges
            .iter()
            .enumerate()
            .filter(|(member, _)| self.subscripts.iter().any(|s| s.slopes[*member] != 0.0))
            .map(|(_, range)| range)
            .product();
        let rows: f64 = outer.iter().map(moving).product();
        let neighbours: f64 = self.subscripts.iter().map(|s| 1.0 + s.offsets.1 - s.offsets.0).product();
        let line = machine.line_bytes as f64;
        (rows * (1.0 + moving(last) * self.bytes / line)).min(iterations * neighbours)
    }
}

/// How many times as many tiles there are as the instances would fill.
fn partial_tiles(band: &SkewedBand, order: &[usize], sizes: &[u64]) -> f64 {
    let mut factor = 1.0;
    for &member in order.iter().filter(|&&m| sizes[m] > 0) {
        let row = band.statements.iter().map(|s| s.rows[member]).fold(1.0, f64::max);
        factor *= 1.0 + 0.5 * (sizes[member] as f64 / row).min(1.0);
    }
    factor
}

/// Cycles to move data, over all caches.
fn transfer(band: &SkewedBand, order: &[usize], sizes: &[u64], machine: &Machine) -> (f64, f64) {
    let ranges: Vec<f64> =
        (0..band.members).map(|m| band.statements.iter().map(|s| s.ranges[m]).fold(1.0, f64::max)).collect();
    let rows: Vec<f64> =
        (0..band.members).map(|m| band.statements.iter().map(|s| s.rows[m]).fold(1.0, f64::max)).collect();
    let instances = band.statements.iter().map(|s| s.instances).fold(1.0, f64::max);
    // Values of each member inside of each loop, from outermost (everything) to innermost (one point).
    let mut boxes: Vec<Vec<f64>> = vec![ranges.clone()];
    let loops = order.iter().filter(|&&m| sizes[m] > 0).map(|&m| (m, true)).chain(order.iter().map(|&m| (m, false)));
    for (member, tile) in loops {
        let mut inside = boxes.last().expect("there is one to begin with").clone();
        inside[member] = if tile { (sizes[member] as f64).min(ranges[member]) } else { 1.0 };
        boxes.push(inside);
    }
    let shapes = distinct(band);
    let lines = |inside: &[f64], write: bool| -> f64 {
        shapes.iter().map(|a| a.lines(inside, machine) * if write && a.write { 1.5 } else { 1.0 }).sum()
    };
    let all: Vec<f64> = boxes.iter().map(|inside| lines(inside, false) * machine.line_bytes as f64).collect();
    // The loop around the box that fits moves through the array.
    let missed = |fitting: usize| {
        let moving = fitting.saturating_sub(1);
        // Of a skewed member's values, only those of a row are taken while the others stand still.
        let points = |(member, inside): (usize, &f64)| if *inside < ranges[member] { *inside } else { rows[member] };
        let volume: f64 = boxes[moving].iter().enumerate().map(points).product();
        let times = if moving == 0 { 1.0 } else { (instances / volume).max(1.0) };
        times * lines(&boxes[moving], true)
    };
    let (mut cycles, mut last) = (0.0, 0.0);
    for (&cache, &line_cycles) in machine.caches.iter().zip(&machine.line_cycles) {
        last = line_cycles * partly(&all, cache, missed);
        cycles += last;
    }
    (cycles, last)
}

/// Accesses without repetitions; one that is read and written counts as written.
fn distinct(band: &SkewedBand) -> Vec<ShapedAccess> {
    let mut result: Vec<ShapedAccess> = Vec::new();
    for access in band.statements.iter().flat_map(|s| &s.accesses) {
        match result.iter_mut().find(|a| a.array == access.array && a.subscripts_move_alike(access)) {
            Some(known) => {
                known.write |= access.write;
                for (all, one) in known.subscripts.iter_mut().zip(&access.subscripts) {
                    all.offsets = (all.offsets.0.min(one.offsets.0), all.offsets.1.max(one.offsets.1));
                }
            }
            None => result.push(access.clone()),
        }
    }
    result
}

impl ShapedAccess {
    fn subscripts_move_alike(&self, other: &ShapedAccess) -> bool {
        self.subscripts.len() == other.subscripts.len()
            && self.subscripts.iter().zip(&other.subscripts).all(|(a, b)| a.slopes == b.slopes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `B[i][j] = f(A[i +- 1][j +- 1])` and back, members `t`, `2t + i`, `2t + j`.
    fn jacobi(steps: f64, n: f64) -> SkewedBand {
        let access = |array: usize, write: bool, offset: f64| ShapedAccess {
            array,
            bytes: 8.0,
            write,
            subscripts: vec![
                Subscript { slopes: vec![-2.0, 1.0, 0.0], offsets: (offset, offset), range: n },
                Subscript { slopes: vec![-2.0, 0.0, 1.0], offsets: (offset, offset), range: n },
            ],
        };
        let statement = |from: usize, to: usize| ShapedStatement {
            accesses: [-1.0, 0.0, 1.0]
                .map(|d| access(from, false, d))
                .into_iter()
                .chain([access(to, true, 0.0)])
                .collect(),
            work: Work { simple: 5.0, ..Work::default() },
            instances: steps * n * n,
            ranges: vec![steps, n + 2.0 * steps, n + 2.0 * steps],
            rows: vec![steps, n, n],
        };
        SkewedBand {
            statements: vec![statement(0, 1), statement(1, 0)],
            members: 3,
            rows: vec![RowChoice { member: 2, rows: Rows::Apart, free: vec![true, true] }],
        }
    }

    /// The same in three dimensions with seven points.
    fn heat(steps: f64, n: f64) -> SkewedBand {
        let mut band = jacobi(steps, n);
        band.members = 4;
        band.rows[0].member = 3;
        for statement in &mut band.statements {
            statement.instances *= n;
            statement.work.simple = 13.0;
            statement.ranges.push(n + 2.0 * steps);
            statement.rows.push(n);
            for access in &mut statement.accesses {
                for subscript in &mut access.subscripts {
                    subscript.slopes.push(0.0);
                }
                let offsets = access.subscripts[0].offsets;
                access.subscripts.push(Subscript { slopes: vec![-2.0, 0.0, 0.0, 1.0], offsets, range: n });
            }
        }
        band
    }

    #[test]
    fn three_dimensions_are_tiled_too() {
        let gains = |n: f64, machine: &Machine, most: f64| {
            let band = heat(500.0, n);
            let plain = predict_tiles(&band, &band.rows[0], &[0, 1, 2, 3], &[0; 4], machine);
            let tiles = time_tiles(&band, &TilingChoice::Model, machine).expect("there are candidates");
            assert!(tiles.sizes[0] >= 4 && tiles.sizes[1] > 0, "{tiles:?}");
            assert!(tiles.cost.cycles() < most * plain.cycles(), "{tiles:?} against {plain:?}");
        };
        let wide = Machine { vector_bytes: 64, tile_vector_bytes: 64, masks: true, ..Machine::default() };
        gains(118.0, &wide, 0.6);
        gains(118.0, &Machine::default(), 0.8);
        // Arrays beyond all caches.
        gains(250.0, &Machine::default(), 0.6);
    }

    #[test]
    fn masks_make_short_rows_cheap() {
        let band = jacobi(100.0, 88.0);
        let wide = Machine { vector_bytes: 64, tile_vector_bytes: 64, masks: true, ..Machine::default() };
        let issue = |machine: &Machine| predict_tiles(&band, &band.rows[0], &[0, 1, 2], &[8, 8, 0], machine).issue;
        // Half as many vectors, a part of the last one masked, and a row to begin.
        assert!(issue(&wide) < 0.6 * issue(&Machine::default()));
    }

    fn best(steps: f64, n: f64) -> (TimeTiles, Cost) {
        let band = jacobi(steps, n);
        let machine = Machine::default();
        let plain = predict_tiles(&band, &band.rows[0], &[0, 1, 2], &[0, 0, 0], &machine);
        (time_tiles(&band, &TilingChoice::Model, &machine).expect("there are candidates"), plain)
    }

    /// `A[i][j] = f(A[i +- 1][j +- 1])` in place, members `t`, `t + i`, `2t + i + j`.
    fn sweep(steps: f64, n: f64) -> SkewedBand {
        let access = |write: bool, i: f64, j: f64| ShapedAccess {
            array: 0,
            bytes: 8.0,
            write,
            subscripts: vec![
                Subscript { slopes: vec![-1.0, 1.0, 0.0], offsets: (i, i), range: n },
                Subscript { slopes: vec![-1.0, -1.0, 1.0], offsets: (j, j), range: n },
            ],
        };
        let points = [-1.0, 0.0, 1.0].into_iter().flat_map(|i| [-1.0, 0.0, 1.0].map(|j| (i, j)));
        let statement = ShapedStatement {
            accesses: points.map(|(i, j)| access(false, i, j)).chain([access(true, 0.0, 0.0)]).collect(),
            work: Work { simple: 8.0, divides: 1.0, chain: 42.0, ..Work::default() },
            instances: steps * n * n,
            ranges: vec![steps, n + steps, 2.0 * n + 2.0 * steps],
            rows: vec![steps, n, n],
        };
        let rows = |rows: Rows, free: bool| RowChoice { member: 2, rows, free: vec![free] };
        let lanes = (1..=4).map(|vectors| rows(Rows::Lanes { vectors }, true));
        SkewedBand {
            statements: vec![statement],
            members: 3,
            rows: [rows(Rows::Shared, false), rows(Rows::Wavefront, true)].into_iter().chain(lanes).collect(),
        }
    }

    #[test]
    fn chains_of_long_latency_are_hidden_by_several_vectors_of_lanes() {
        let band = sweep(500.0, 2000.0);
        let wide = Machine { tile_vector_bytes: 64, masks: true, ..Machine::default() };
        let tiles = time_tiles(&band, &TilingChoice::Model, &wide).expect("there are candidates");
        let Rows::Lanes { vectors } = band.rows[tiles.rows].rows else { panic!("{tiles:?}") };
        assert!(vectors >= 2 && tiles.sizes[1].is_multiple_of(8 * u64::from(vectors)), "{tiles:?}");
        let diagonals = SkewedBand { rows: band.rows[..2].to_vec(), ..band.clone() };
        let others = time_tiles(&diagonals, &TilingChoice::Model, &wide).expect("there are candidates");
        assert!(tiles.cost.cycles() < 0.6 * others.cost.cycles(), "{tiles:?} against {others:?}");
    }

    #[test]
    fn lanes_need_masks() {
        let tiles = time_tiles(&sweep(500.0, 2000.0), &TilingChoice::Model, &Machine::default());
        assert!(tiles.expect("there are candidates").rows < 2);
    }

    #[test]
    fn narrow_domains_have_few_lanes() {
        let band = sweep(20.0, 9.0);
        let wide = Machine { tile_vector_bytes: 64, masks: true, ..Machine::default() };
        let cycles = |rows: usize| predict_tiles(&band, &band.rows[rows], &[0, 1, 2], &[0; 3], &wide).cycles();
        assert!(cycles(2) < cycles(5), "a window of 32 lanes is never full");
    }

    #[test]
    fn arrays_in_far_memory_are_tiled_in_time() {
        let (tiles, plain) = best(500.0, 2000.0);
        assert!(tiles.sizes[0] >= 4, "{tiles:?}");
        assert!(tiles.cost.cycles() < 0.5 * plain.cycles(), "{tiles:?} against {plain:?}");
    }

    #[test]
    fn arrays_in_the_nearest_cache_are_not() {
        let (tiles, plain) = best(40.0, 30.0);
        assert!(tiles.cost.cycles() > 0.85 * plain.cycles(), "{tiles:?} against {plain:?}");
    }

    #[test]
    fn lanes_of_large_domains_are_wide_for_small_ones() {
        let wide = Machine { masks: true, ..Machine::default() };
        let (large, small) = (sweep(500.0, 2000.0), sweep(20.0, 40.0));
        let tiles = time_tiles(&large, &TilingChoice::Model, &wide).expect("tiles");
        assert!(matches!(large.rows[tiles.rows].rows, Rows::Lanes { .. }));
        let there = priced(&tiles, &small, &wide).expect("the same rows");
        let best = time_tiles(&small, &TilingChoice::Model, &wide).expect("tiles");
        assert!(there.cost.cycles() > 1.2 * best.cost.cycles(), "{} {}", there.cost.cycles(), best.cost.cycles());
        let box_tiles = TimeTiles { rows: 0, ..tiles };
        assert!(priced(&box_tiles, &small, &wide).is_none(), "they end with the domain");
    }

    #[test]
    fn given_sizes_are_taken_in_the_order_of_the_loops() {
        let band = jacobi(100.0, 500.0);
        let tiles = time_tiles(&band, &TilingChoice::Sizes(vec![8, 24]), &Machine::default()).expect("one candidate");
        assert_eq!(tiles.sizes, vec![8, 24, 24]);
    }

    #[test]
    fn skewed_bands_are_told_from_others() {
        let mut band = jacobi(10.0, 10.0);
        assert!(is_skewed(&band.statements));
        for subscript in band.statements.iter_mut().flat_map(|s| &mut s.accesses).flat_map(|a| &mut a.subscripts) {
            subscript.slopes[0] = 0.0;
        }
        assert!(!is_skewed(&band.statements));
    }
}
