//! Tiles for bands in which several loops move the same subscript: time loops of stencils.
//!
//! # Problem
//! In the band `(t, 2t + i, 2t + j)` of a stencil that sweeps over an array in every time step,
//! consecutive time steps touch almost the same elements. Tiled in all members, several time steps
//! are executed on a part of the array while it is in a near cache. Which sizes, which loop
//! innermost, and is it worth the shorter rows?
//!
//! # Model
//! * *Rows*: the innermost loop. Each piece of a row costs its entry and exit; its points are
//!   issued as vectors where the loop is free of dependences and the accesses are contiguous.
//!   Points that do not fill a vector are one more, which is masked or overlaps another one.
//!   Neighbouring rows are executed in blocks where that is possible, see
//!   [`crate::unroll_and_jam`].
//! * *Footprint* of a box of loops: per array and subscript the range of its values,
//!   `1 + sum |slope| (range - 1)` over the members and the differences of the constants of all
//!   accesses, but not more than the whole range. Unlike the product of trip counts this knows that
//!   a time step touches what the one before has touched.
//! * *Traffic* of a cache: the outermost loop whose body's footprint fits is the one that moves
//!   through the array; everything from there on inwards touches its footprint once per iteration
//!   of the loops outside.
//! * Partial tiles: a skewed member of range `r` under tiles of size `s` has `r / s + 1` of them;
//!   the tiles of the boundary cost rows and lines all the same.
//!
//! The numbers decide only whether and how, never legality.

use std::cell::RefCell;
use std::collections::BTreeMap;

use poly_presburger::{Budget, Stop};

use crate::choose::LINES_PER_STEP;
use crate::cost::{
    AccessModel, Cost, Nest, Reference, StatementModel, Work, estimate, is_vectorizable, partly, point_cycles,
    point_cycles_with,
};
use crate::machine::lost;
use crate::unroll_and_jam::{UnrollAndJam, unroll_and_jam};
use crate::{Machine, TilingChoice};

/// One subscript of an access.
#[derive(Clone, Debug, PartialEq)]
pub struct Subscript {
    /// How much it grows with each member of the band.
    pub slopes: Vec<f64>,
    /// Its value where all members are zero: the least and the greatest one of all accesses that
    /// move alike.
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
    /// Per member: iterations when all other members are fixed.
    pub rows: Vec<f64>,
}

/// How the innermost loop of a band looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// All statements in one loop.
    Shared,
    /// One loop for each group of statements.
    Distributed,
    /// The last two members as a wavefront: the innermost loop is free of dependences, but not
    /// contiguous.
    Wavefront,
    /// The last two members as a wavefront in strips of so many vectors: values of the last but one
    /// are lanes, which hand values on along the last one.
    SimdWavefront {
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
    /// Where statements part before the innermost loop.
    pub parting: Option<Parting>,
}

/// Statements that share only the outermost loops over the points of a tile.
#[derive(Clone, Debug, PartialEq)]
pub struct Parting {
    /// How many loops, in their order, they share.
    pub shared: usize,
    /// By statement: its part. Statements of a part share all other loops, too.
    pub parts: Vec<usize>,
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
    /// Threads share the tiles, which become wavefronts or diamonds of the first two loops.
    pub threads: bool,
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

/// Whether some subscript moves along two members or more, which is what [`crate::choose`] has no
/// model of.
pub fn is_skewed(statements: &[ShapedStatement]) -> bool {
    let moves = |s: &Subscript| s.slopes.iter().filter(|x| **x != 0.0).count() >= 2;
    statements.iter().flat_map(|s| &s.accesses).any(|a| a.subscripts.iter().any(moves))
}

/// Costs that differ by no more are alike: then more steps of time in a tile are better, as they
/// need the main memory, which others may use, too, less often.
const ALIKE: f64 = 1.02;
/// But not if they move more than so many times as much between the caches.
const ALIKE_NEAR: f64 = 1.15;

/// The cheapest tiles, or `None` if there is nothing to choose from. They are chosen for the first
/// cache as rows have it; the cost of those that do not part is the one for the usual first cache,
/// which all that they are compared with was predicted for.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn time_tiles(
    band: &SkewedBand,
    tiling: &TilingChoice,
    machine: &Machine,
    budget: &mut Budget,
) -> Result<Option<TimeTiles>, Stop> {
    // Diamonds are wider than that.
    let first = if band.has_wide_diamonds() { machine.first().counted_bytes() } else { machine.first().bytes };
    let Some(best) = choose(band, tiling, (machine, first), budget)? else { return Ok(None) };
    let rows = &band.rows[best.rows];
    if rows.parting.is_some() {
        return Ok(Some(best));
    }
    Ok(Some(TimeTiles { cost: predict_tiles(band, rows, &best.order, &best.sizes, machine), ..best }))
}

/// The tiles that are cheapest on a machine with a first cache of so many bytes.
fn choose(
    band: &SkewedBand,
    tiling: &TilingChoice,
    (machine, first): (&Machine, u64),
    budget: &mut Budget,
) -> Result<Option<TimeTiles>, Stop> {
    let accesses: usize = band.statements.iter().map(|s| s.accesses.len()).sum();
    // Lines are counted for each access in each loop, of tiles and of points.
    let steps = 1 + (accesses * 2 * band.members) as u64 / LINES_PER_STEP;
    let mut all: Vec<TimeTiles> = Vec::new();
    let mut cheapest = f64::INFINITY;
    for (index, rows) in band.rows.iter().enumerate() {
        let order: Vec<usize> = (0..band.members).filter(|&m| m != rows.member).chain([rows.member]).collect();
        let prepared = Prepared::new(band, rows, &order, (machine, first));
        for by_position in candidates(band, rows, tiling, machine) {
            let mut sizes = vec![0; band.members];
            order.iter().zip(&by_position).for_each(|(&member, &size)| sizes[member] = size);
            let executed = executed(band, &order, &sizes);
            // Neither the cheapest nor alike.
            if prepared.issued(&executed) > ALIKE * cheapest {
                budget.spend(1)?;
                continue;
            }
            budget.spend(steps)?;
            let cost = prepared.predict(&executed);
            cheapest = cheapest.min(cost.cycles());
            all.push(TimeTiles { order: order.clone(), sizes, rows: index, cost });
        }
    }
    Ok(best_of(all, band))
}

/// The sizes of tiles as they are executed: diamonds are at least twice as wide as they are deep,
/// where the loop over rows is another one.
fn executed(band: &SkewedBand, order: &[usize], sizes: &[u64]) -> Vec<u64> {
    let mut executed = sizes.to_vec();
    if let (true, [depth, width, _, _, ..]) = (band.threads && sizes[order[0]] > 0, order) {
        executed[*width] = executed[*width].max(2 * executed[*depth]);
    }
    executed
}

/// The tiles that cost least; of those that cost almost as little, the ones with most steps of
/// time.
fn best_of(all: Vec<TimeTiles>, band: &SkewedBand) -> Option<TimeTiles> {
    let cheaper = |best: TimeTiles, tiles: &TimeTiles| match tiles.cost.cycles() < 0.999 * best.cost.cycles() {
        true => tiles.clone(),
        false => best,
    };
    let first = all.first()?.clone();
    let cheapest = all.iter().fold(first, cheaper);
    if band.threads || !matches!(band.rows[cheapest.rows].rows, Rows::Shared | Rows::Distributed) {
        return Some(cheapest);
    }
    let steps = |tiles: &TimeTiles| tiles.sizes[tiles.order[0]];
    let near = |tiles: &TimeTiles| tiles.cost.transfer - tiles.cost.memory;
    let is_alike = |tiles: &&TimeTiles| {
        tiles.rows == cheapest.rows
            && tiles.cost.cycles() <= ALIKE * cheapest.cost.cycles()
            && near(tiles) <= ALIKE_NEAR * near(&cheapest)
    };
    let most = all.iter().filter(is_alike).map(steps).max().unwrap_or(0).max(steps(&cheapest));
    if most == steps(&cheapest) {
        return Some(cheapest);
    }
    let mut deeper = all.iter().filter(is_alike).filter(|tiles| steps(tiles) == most).cloned();
    let first = deeper.next()?;
    Some(deeper.fold(first, |best, tiles| cheaper(best, &tiles)))
}

/// Given tiles with their cost on a band of other sizes, if the code for them depends on their
/// sizes: strips of lanes do. (Other tiles end where the domain does, whatever their sizes are.)
/// `None` if it does not, or if the band has not the same ways to execute rows.
pub fn priced(tiles: &TimeTiles, band: &SkewedBand, machine: &Machine) -> Option<TimeTiles> {
    let rows = band.rows.get(tiles.rows).filter(|_| tiles.sizes.len() == band.members)?;
    if !matches!(rows.rows, Rows::SimdWavefront { .. }) {
        return None;
    }
    Some(TimeTiles { cost: predict_tiles(band, rows, &tiles.order, &tiles.sizes, machine), ..tiles.clone() })
}

/// What tiles that were chosen without a model of slanted sides cost: point loops in this order,
/// and a size for each member, 0 for those without tiles. `None` if the rows that they end with
/// have no model.
pub fn slanted_cost(order: &[usize], sizes: &[u64], band: &SkewedBand, machine: &Machine) -> Option<Cost> {
    let member = order.last()?;
    let in_one_piece = |rows: &&RowChoice| matches!(rows.rows, Rows::Shared | Rows::Distributed);
    let rows = band.rows.iter().find(|rows| rows.member == *member && in_one_piece(rows))?;
    let is_whole = order.len() == band.members && sizes.len() == band.members;
    is_whole.then(|| predict_tiles(band, rows, order, sizes, machine))
}

/// So many outer loops over tiles have sizes of their own; those between them and the rows have the
/// size of the last one of them. The number of sizes to try so has a bound, however deep the band
/// is.
const INDEPENDENT: usize = 4;

/// Sizes to try, by position in the order.
fn candidates(band: &SkewedBand, rows: &RowChoice, tiling: &TilingChoice, machine: &Machine) -> Vec<Vec<u64>> {
    let members = band.members;
    let strip_width = match rows.rows {
        Rows::SimdWavefront { vectors } => {
            wavefront_lanes(&band.statements, machine).map(|lanes| lanes * u64::from(vectors))
        }
        _ => None,
    };
    let strips: Option<Vec<u64>> = strip_width.map(|strip_width| [1, 2, 4].map(|count| count * strip_width).to_vec());
    match tiling {
        TilingChoice::Off => vec![vec![0; members]],
        TilingChoice::Sizes(sizes) => {
            let last = sizes.last().copied().unwrap_or(32);
            vec![(0..members).map(|i| sizes.get(i).copied().unwrap_or(last)).collect()]
        }
        TilingChoice::Model => {
            let mut result = vec![Vec::new()];
            for position in 0..members {
                let is_strip = position + 2 == members && strips.is_some();
                if position >= INDEPENDENT && position + 1 < members && !is_strip {
                    result.iter_mut().for_each(|prefix: &mut Vec<u64>| prefix.push(prefix[INDEPENDENT - 1]));
                    continue;
                }
                let sizes: &[u64] = match position {
                    0 => &[4, 8, 16, 32, 64],
                    _ if position + 1 == members => &[0, 64, 128, 256, 512, 1024],
                    _ if is_strip => strips.as_deref().unwrap_or_default(),
                    // Narrow tiles are many. The loop over rows is another one.
                    1 if band.threads && members > 3 => &[8],
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
    Prepared::new(band, rows, order, (machine, machine.first().counted_bytes())).predict(sizes)
}

/// By statement: the blocks of rows that code generation makes, and the position of the statement
/// among those that share them.
fn blocks_of_rows(
    band: &SkewedBand,
    rows: &RowChoice,
    order: &[usize],
    machine: &Machine,
) -> Vec<Option<(UnrollAndJam, usize)>> {
    let mut result = vec![None; band.statements.len()];
    let is_row = matches!(rows.rows, Rows::Shared | Rows::Distributed) && !rows.free.contains(&false);
    let [.., member, columns] = order else { return result };
    for part in rows.parts(band).iter().filter(|_| is_row) {
        let statements: Vec<&ShapedStatement> = part.iter().map(|&s| &band.statements[s]).collect();
        let Some(block) = unroll_and_jam(&statements, (*member, *columns), machine) else { continue };
        let block = UnrollAndJam { tapers: band.has_wide_diamonds(), ..block };
        for (position, &statement) in part.iter().enumerate() {
            result[statement] = Some((block.clone(), position));
        }
    }
    result
}

impl SkewedBand {
    /// Threads share diamonds whose width is a number of rows, which differs from step to step.
    fn has_wide_diamonds(&self) -> bool {
        self.threads && self.members == 3
    }
}

impl RowChoice {
    /// Points of the rows of a statement may be executed twice: the loop does not read what it
    /// writes.
    fn may_repeat(&self, band: &SkewedBand, statement: usize) -> bool {
        let own = [statement];
        let together = match self.rows {
            Rows::Shared => self.parts(band).into_iter().find(|part| part.contains(&statement)),
            _ => None,
        };
        let together = together.as_deref().unwrap_or(&own);
        let accesses = || together.iter().flat_map(|&s| &band.statements[s].accesses);
        !accesses().filter(|a| !a.write).any(|read| accesses().any(|write| write.write && write.array == read.array))
    }

    /// The statements, by part.
    fn parts(&self, band: &SkewedBand) -> Vec<Vec<usize>> {
        let all = 0..band.statements.len();
        match &self.parting {
            None => vec![all.collect()],
            Some(parting) => {
                let count = parting.parts.iter().max().map_or(0, |last| last + 1);
                (0..count).map(|part| all.clone().filter(|&s| parting.parts[s] == part).collect()).collect()
            }
        }
    }
}

/// What the costs of tiles of all sizes have in common.
struct Prepared<'a> {
    band: &'a SkewedBand,
    rows: &'a RowChoice,
    order: &'a [usize],
    machine: &'a Machine,
    /// Bytes of the first cache.
    first: u64,
    /// By statement.
    blocks: Vec<Option<(UnrollAndJam, usize)>>,
    /// By statement: points of its rows may be executed twice.
    repeats: Vec<bool>,
    /// What each part of the statements accesses.
    parts: Vec<Vec<ShapedAccess>>,
    /// What all of them access.
    together: Vec<ShapedAccess>,
    /// By member: the values that it takes, and those of a row.
    ranges: Vec<f64>,
    row: Vec<f64>,
    instances: f64,
    /// Cycles to issue all statements, by the sizes of the last two loops, which are all that they
    /// depend on.
    issues: RefCell<BTreeMap<(u64, u64), f64>>,
}

impl<'a> Prepared<'a> {
    fn new(
        band: &'a SkewedBand,
        rows: &'a RowChoice,
        order: &'a [usize],
        (machine, first): (&'a Machine, u64),
    ) -> Self {
        let most = |of: &dyn Fn(&ShapedStatement) -> f64| band.statements.iter().map(of).fold(1.0, f64::max);
        Self {
            blocks: blocks_of_rows(band, rows, order, machine),
            repeats: (0..band.statements.len()).map(|statement| rows.may_repeat(band, statement)).collect(),
            parts: rows.parts(band).iter().map(|part| distinct(band, part)).collect(),
            together: distinct(band, &(0..band.statements.len()).collect::<Vec<_>>()),
            ranges: (0..band.members).map(|m| most(&|s| s.ranges[m])).collect(),
            row: (0..band.members).map(|m| most(&|s| s.rows[m])).collect(),
            instances: most(&|s| s.instances),
            band,
            rows,
            order,
            machine,
            first,
            issues: RefCell::default(),
        }
    }

    /// Cycles to issue all statements.
    fn issue(&self, sizes: &[u64]) -> f64 {
        let Self { band, rows, order, machine, .. } = *self;
        let last = |back: usize| order.len().checked_sub(back).map_or(0, |position| sizes[order[position]]);
        let key = (last(2), last(1));
        if let Some(&known) = self.issues.borrow().get(&key) {
            return known;
        }
        let mut cycles = 0.0;
        for (index, (statement, &free)) in band.statements.iter().zip(&rows.free).enumerate() {
            let block = self.blocks[index].as_ref().map(|(block, position)| (block, *position));
            cycles += issue((statement, free, self.repeats[index]), rows, (order, sizes), block, machine);
        }
        self.issues.borrow_mut().insert(key, cycles);
        cycles
    }

    fn predict(&self, sizes: &[u64]) -> Cost {
        let partial = partial_tiles(&self.row, self.order, sizes);
        let mut cost = Cost { issue: self.issued(sizes), ..Cost::default() };
        let (all, memory) = self.transfer(sizes);
        cost.transfer = partial * all;
        cost.memory = partial * memory;
        cost
    }

    /// Cycles to issue the instructions.
    fn issued(&self, sizes: &[u64]) -> f64 {
        self.issue(sizes) + self.loops_of_parts(sizes)
    }

    /// Cycles of entering and leaving the loops that parts of the statements do not share.
    fn loops_of_parts(&self, sizes: &[u64]) -> f64 {
        let Some(parting) = &self.rows.parting else { return 0.0 };
        let points = |&member: &usize| {
            let row = self.row[member];
            if sizes[member] == 0 { row } else { row.min(sizes[member] as f64) }
        };
        let volume: f64 = self.order[parting.shared..].iter().map(points).product();
        (self.parts.len() - 1) as f64 * self.instances / volume * self.machine.code.row_cycles
    }

    /// Cycles to move data, over all caches, and to main memory alone.
    fn transfer(&self, sizes: &[u64]) -> (f64, f64) {
        let Self { rows, order, machine, parts, together, ranges, row, instances, first, .. } = self;
        // Values of each member inside of each loop, from outermost (everything) to innermost (one
        // point).
        let mut boxes: Vec<Vec<f64>> = vec![ranges.clone()];
        let loops =
            order.iter().filter(|&&m| sizes[m] > 0).map(|&m| (m, true)).chain(order.iter().map(|&m| (m, false)));
        for (member, tile) in loops {
            let mut inside = boxes.last().expect("there is one to begin with").clone();
            inside[member] = if tile { (sizes[member] as f64).min(ranges[member]) } else { 1.0 };
            boxes.push(inside);
        }
        // Each part of the statements has boxes of its own inside of the loops that all of them
        // share.
        let tiled = boxes.len() - 1 - order.len();
        let last_shared = rows.parting.as_ref().map_or(boxes.len(), |parting| tiled + parting.shared);
        // Lines, and the same where those that are written count for more.
        let lines = |shapes: &[ShapedAccess], inside: &[f64]| {
            shapes.iter().fold((0.0, 0.0), |(all, moved), a| {
                let lines = a.lines(inside, machine);
                (all + lines, moved + lines * if a.write { 1.5 } else { 1.0 })
            })
        };
        let together: Vec<(f64, f64)> =
            boxes.iter().take(last_shared + 1).map(|inside| lines(together, inside)).collect();
        let bytes = |(index, inside): (usize, &Vec<f64>)| {
            let lines = match together.get(index) {
                Some((lines, _)) => *lines,
                None => parts.iter().map(|part| lines(part, inside).0).fold(0.0, f64::max),
            };
            lines * machine.memory.line_bytes as f64
        };
        let all: Vec<f64> = boxes.iter().enumerate().map(bytes).collect();
        // The loop around the box that fits moves through the array.
        let missed = |fitting: usize, cache: u64| {
            let around = |moving: usize| {
                // Of a skewed member's values, only those of a row are taken while the others are
                // fixed.
                let points =
                    |(member, inside): (usize, &f64)| if *inside < ranges[member] { *inside } else { row[member] };
                let volume: f64 = boxes[moving].iter().enumerate().map(points).product();
                if moving == 0 { 1.0 } else { (instances / volume).max(1.0) }
            };
            let shared = |moving: usize| around(moving) * together[moving].1;
            let moving = fitting.saturating_sub(1);
            if moving < last_shared {
                return shared(moving);
            }
            let inside = &boxes[moving];
            let apart = parts.iter().map(|part| lines(part, inside).1).sum::<f64>();
            let lost = if moving == last_shared { lost_between(parts, inside, cache, machine) } else { 1.0 };
            lost * around(moving) * apart + (1.0 - lost) * shared(last_shared - 1)
        };
        let (mut cycles, mut last) = (0.0, 0.0);
        for (level, own) in machine.caches.iter().enumerate() {
            let cache = if level == 0 { *first } else { own.counted_bytes() };
            last = own.fill_cycles * partly(&all, cache, |fitting| missed(fitting, cache));
            cycles += last;
        }
        (cycles, last)
    }
}

/// Cycles to issue a statement, row by row. Of the sizes of tiles, only those of the last two loops
/// matter.
fn issue(
    (statement, free, repeats): (&ShapedStatement, bool, bool),
    rows: &RowChoice,
    (order, sizes): (&[usize], &[u64]),
    block: Option<(&UnrollAndJam, usize)>,
    machine: &Machine,
) -> f64 {
    // Pieces of rows between tiles: one more than tiles that fit.
    let piece = |member: usize| {
        let whole = statement.rows[member].max(1.0);
        if sizes[member] == 0 { whole } else { whole / (whole / sizes[member] as f64 + 1.0) }
    };
    if let (Rows::SimdWavefront { vectors }, [.., strip, along]) = (rows.rows, order) {
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
            Rows::Wavefront => f64::from(machine.memory.line_bytes as u32),
            _ => access.stride(rows.member, machine),
        }],
        reference: Reference {
            bytes: access.bytes,
            write: access.write,
            array: access.array,
            group: index,
            kept: None,
        },
    });
    let model = StatementModel {
        accesses: accesses.collect(),
        work: statement.work.clone(),
        instances: statement.instances,
        cut: 0.0,
        parallel: free,
        recurrence: !free,
        handed_on: true,
    };
    let size = sizes[rows.member] as f64;
    let is_whole = size == 0.0 || size >= statement.rows[rows.member];
    let blocks = block.map(|(block, index)| Blocks {
        rows: block.rows,
        part: match block.tapers {
            true => in_blocks(piece(block.member).max(1.0), 0.0, block.rows),
            false => in_blocks(statement.rows[block.member].max(1.0), sizes[block.member] as f64, block.rows),
        },
        accesses: block.loads[index] + statement.accesses.iter().filter(|access| access.write).count() as f64,
    });
    if let Some(cycles) = vector_rows(&model, (length, is_whole, repeats), blocks.as_ref(), machine) {
        return cycles;
    }
    let nest = Nest { trips: vec![length], statements: vec![model], interleaved: false, prefetches: false };
    estimate(&nest, machine).issue + statement.instances / length * machine.code.row_cycles
}

/// Rows of at least so many vectors begin with an aligned one: more of them would lie in two lines
/// than there are at the two ends of the row.
pub const ALIGNED_VECTORS: u32 = 8;

/// Rows that are executed several at a time.
struct Blocks {
    rows: f64,
    /// Part of the rows that are in whole blocks.
    part: f64,
    /// Loads and stores for each point of a row.
    accesses: f64,
}

/// Part of so many rows that is in blocks, which end where tiles do: the mean over all places at
/// which tiles of a size (0: one for all) may begin.
fn in_blocks(rows: f64, size: f64, block: f64) -> f64 {
    let blocks = |piece: f64| (piece / block).floor();
    let count = if size == 0.0 {
        blocks(rows)
    } else {
        let at = |place: u64| {
            let first = (size - place as f64).min(rows);
            let tiles = ((rows - first) / size).floor();
            blocks(first) + tiles * blocks(size) + blocks(rows - first - tiles * size)
        };
        (0..size as u64).map(at).sum::<f64>() / size
    };
    count * block / rows
}

/// Cycles to issue rows as vectors, if the row is free of dependences and contiguous.
fn vector_rows(
    statement: &StatementModel,
    (length, is_whole, repeats): (f64, bool, bool),
    blocks: Option<&Blocks>,
    machine: &Machine,
) -> Option<f64> {
    let bytes = statement.accesses.iter().map(|access| access.reference.bytes).fold(1.0, f64::max);
    let lanes = machine.vectors.bytes as f64 / bytes;
    if lanes < 2.0 || !is_vectorizable(statement) {
        return None;
    }
    let is_foreseen = is_whole && length <= machine.code.foreseen_iterations * lanes;
    let restart = if is_foreseen { 0.0 } else { machine.code.restart_cycles };
    // Both ends of a row where it begins with an aligned vector.
    let ends = if length >= f64::from(ALIGNED_VECTORS) * lanes { 2.0 } else { 1.0 };
    let points = length + ends * lanes_at_end((length, repeats), lanes, machine);
    let row = points * point_cycles(statement, lanes, machine) + machine.code.row_cycles + restart;
    let in_block = |blocks: &Blocks| {
        let point = point_cycles_with(statement, blocks.accesses, lanes, machine);
        points * point + machine.code.block_row_cycles + (machine.code.row_cycles + restart) / blocks.rows
    };
    let row = blocks.map_or(row, |blocks| blocks.part * in_block(blocks) + (1.0 - blocks.part) * row);
    Some(statement.instances / length * row)
}

/// Lanes that execute no point of their own at an end of a row, in the mean: half of a masked
/// vector, or of one that overlaps another one if points may be executed twice. Other rows and
/// those that are shorter than a vector have, without masks, pieces of half as many lanes each as
/// the one before, of which every other one is executed and takes as long as a vector.
fn lanes_at_end((length, repeats): (f64, bool), lanes: f64, machine: &Machine) -> f64 {
    match machine.vectors.masks || (repeats && length >= lanes) {
        true => 0.5 * lanes,
        false => 0.5 * lanes.log2() * lanes - 0.5 * (lanes - 1.0),
    }
}

/// Lanes of the vectors that the statements of a wavefront are executed in, if there are such
/// vectors.
pub fn wavefront_lanes(statements: &[ShapedStatement], machine: &Machine) -> Option<u64> {
    let bytes = statements.iter().flat_map(|s| &s.accesses).map(|a| a.bytes).fold(1.0, f64::max);
    let lanes = machine.vectors.bytes / bytes as u64;
    (matches!(bytes, 4.0 | 8.0) && lanes >= 2).then_some(lanes)
}

/// Cycles to issue a statement whose instances are lanes of so many vectors, with tiles of the
/// member that is cut in strips and pieces of the one that they go along.
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
    // What a step does not move is in a register; of the others of an array, one is loaded and the
    // others come from other lanes.
    let mut rows: Vec<(usize, Vec<(f64, f64)>)> = Vec::new();
    for access in statement.accesses.iter().filter(reads) {
        let invariant = access.subscripts.iter().filter(|s| s.slopes[along] == 0.0);
        let key = (access.array, invariant.map(|s| s.offsets).collect());
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
    let divisions = statement.work.divisions;
    let divide = divisions.busy(lanes, machine);
    let memory = lanes * (machine.vectors.gather_cycles * gathers + machine.vectors.scatter_cycles * writes)
        + machine.vectors.shift_cycles * shifts;
    let operations = statement.work.simple / machine.core.flops_per_cycle;
    let in_vectors = statement.work.in_vectors(machine) / machine.core.flops_per_cycle;
    let busy = vectors * divide.max(memory + in_vectors);
    let chain =
        statement.work.simple * machine.latency.flop + divisions.latency(lanes, machine) + machine.latency.shift;
    let step = busy.max(chain);
    // Where not all lanes have points, everything is loaded, what the step before has stored as
    // well: under masks, or point by point, of half of the lanes in the mean.
    let reads = statement.accesses.iter().filter(reads).count() as f64;
    let partial = match machine.vectors.masks {
        true => {
            let load_all = lanes * (machine.vectors.gather_cycles * reads + machine.vectors.scatter_cycles * writes);
            (vectors * (divide + load_all + operations)).max(chain + machine.latency.lanes_in_memory)
        }
        false => {
            let point =
                divisions.busy(1.0, machine) + operations.max((reads + writes) / machine.core.accesses_per_cycle);
            (0.5 * lanes * vectors * point + machine.code.restart_cycles).max(chain + machine.latency.memory)
        }
    };
    // Lanes begin as many steps one after the other as one of them moves along by.
    let skew = 1.0 + statement.lag(strip, along);
    let strip_width = lanes * vectors;
    // Strips of tiles; those at both ends of the domain are cut.
    let width = statement.rows[strip].max(1.0);
    let tile = if tile == 0 { strip_width } else { tile as f64 };
    let strips = (tile / strip_width).ceil() * width / tile + 1.0;
    let whole = ((tile / strip_width).floor() * width / tile - 1.0).max(0.0);
    let lead = skew * (strip_width - 1.0);
    let full = whole * (length - lead).max(0.0);
    let steps = strips * (length + lead);
    let cycles = full * step + (steps - full) * partial + strips * machine.code.row_cycles;
    statement.instances * cycles / (width * length)
}

impl ShapedStatement {
    /// How far the last member moves the contiguous subscript for one step of the other one, less
    /// what the wavefront itself does.
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
    fn stride(&self, member: usize, machine: &Machine) -> f64 {
        match self.subscripts.split_last() {
            None => 0.0,
            Some((last, outer)) if outer.iter().all(|s| s.slopes[member] == 0.0) => {
                last.slopes[member].abs() * self.bytes
            }
            Some(_) => machine.pages.bytes as f64,
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
        let line = machine.memory.line_bytes as f64;
        (rows * (1.0 + moving(last) * self.bytes / line)).min(iterations * neighbours)
    }
}

/// How many times as many tiles there are as the instances would fill.
fn partial_tiles(row: &[f64], order: &[usize], sizes: &[u64]) -> f64 {
    let tiled = order.iter().filter(|&&m| sizes[m] > 0);
    tiled.map(|&member| 1.0 + 0.5 * (sizes[member] as f64 / row[member]).min(1.0)).product()
}

/// Part of the lines of parts, executed in turn again and again on a box, that are no longer in a
/// cache when another part or the same one comes to them again: in the mean, half of what both of
/// them touch has come in between, and all that those between them touch.
fn lost_between(parts: &[Vec<ShapedAccess>], inside: &[f64], cache: u64, machine: &Machine) -> f64 {
    let bytes = |access: &ShapedAccess| access.lines(inside, machine) * machine.memory.line_bytes as f64;
    let touched: Vec<f64> = parts.iter().map(|part| part.iter().map(bytes).sum()).collect();
    let (mut all, mut gone) = (0.0, 0.0);
    for (part, accesses) in parts.iter().enumerate() {
        for access in accesses {
            let mut between = 0.5 * touched[part];
            for back in 1..=parts.len() {
                let earlier = (part + parts.len() - back) % parts.len();
                if parts[earlier].iter().any(|other| other.array == access.array) {
                    between += 0.5 * touched[earlier];
                    break;
                }
                between += touched[earlier];
            }
            all += bytes(access);
            gone += bytes(access) * lost(between, cache);
        }
    }
    gone / all.max(1.0)
}

/// Accesses of some statements without repetitions; one that is read and written counts as written.
fn distinct(band: &SkewedBand, statements: &[usize]) -> Vec<ShapedAccess> {
    let mut result: Vec<ShapedAccess> = Vec::new();
    for access in statements.iter().flat_map(|&s| &band.statements[s].accesses) {
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
mod tests;
