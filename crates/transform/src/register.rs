//! Register tiles: which part of a permutable band is computed in vector registers.
//!
//! # Problem
//! A band that contracts over a dimension, as `C[i][j] += A[i][k] * B[k][j]` does over `k`, reads
//! and writes its result in memory in every iteration. A *register tile* keeps `rows x columns`
//! results in registers while the contracted dimension runs: one member of the band gives the rows,
//! one the lanes of the vectors, one the contracted (*reduced*) dimension, which is the only loop
//! inside of the tile. Every result is still summed up in the original order.
//!
//! Where no operand is used by several rows, as in `y[i] += A[i][j] * x[j]`, a tile has one row: as
//! many sums side by side as there are lanes, where the source has a chain in which every addition
//! waits for the one before.
//!
//! # Loops
//! `others, cache tiles, column tiles, row tiles, reduced, rows, columns`: members that play no
//! part come first, then tiles that keep the operands in caches, then register tiles, then the
//! reduced member within its cache tile, then the points of the register tile, which code
//! generation unrolls. Legal in every order as far as the band is permutable.
//!
//! # Choice
//! 1. *Roles*: writes must be contiguous along the columns, be invariant along the reduced member
//!    and move along the rows; reads are invariant along rows or columns.
//! 2. *Size*: all accumulators, the vectors that are loaded, one broadcast value and what it is
//!    computed from fit the registers; of those sizes the one with the least work per multiply-add,
//!    where a row costs a broadcast and the operation before it, a vector two line accesses, or a
//!    load and an insertion for each lane if it is not contiguous (once for a column of tiles if it
//!    can be packed; less if lanes are contiguous rows, which are transposed in tiles of one row).
//! 3. *Cache tiles* after [Low2016]: the panel of rows in a third of the first cache and that of
//!    columns in an eighth of the second one give the reduced size, the block of rows in a quarter
//!    of the second cache the rows.
//! 4. *Cost*: instructions of the full tiles, and of the partial ones in the blocks that code
//!    generation makes of them; transfer by [`estimate`](crate::cost::estimate).

mod price;
mod shape;
mod wavefronts;

pub(crate) use shape::square_cycles;
pub use wavefronts::{PanelUpdate, Wavefronts};

use crate::Machine;
use crate::choose::{BandFacts, BandStatement, UNEVEN};
use crate::cost::Cost;
use shape::{Needs, Results, SHARING_ROWS, Shape, cache_sizes, needs_of, shape};

/// A band with a register tile.
#[derive(Clone, Debug, PartialEq)]
pub struct RegisterTile {
    /// Members outside of all tiles, outermost first.
    pub others: Vec<usize>,
    /// Members and sizes of the cache tiles, outermost first.
    pub tiles: Vec<(usize, u64)>,
    /// The member along the lanes of vectors, and the number of its iterations in a register tile.
    pub columns: (usize, u64),
    /// The member that is unrolled, and the number of its iterations in a register tile; a tile
    /// without has one row.
    pub rows: Option<(usize, u64)>,
    /// The contracted member.
    pub reduced: usize,
    /// Partial tiles may be vector code, too: the columns carry no dependence of any statement.
    pub vector: bool,
    /// Predicted cost where no constraint of a domain connects the columns with other loops.
    pub cost: Cost,
    /// Cycles that each such constraint adds, because the tiles that it cuts are partial.
    pub slant_cycles: f64,
    /// What is more expensive where results do not stay in registers in partial tiles.
    pub ordinary: OrdinaryCode,
    /// What tiles are whose sides the reduced member moves: ordinary loops for as long as it does.
    pub moving: MovingSides,
}

/// Tiles with rows or columns that change from one iteration of the reduced member to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MovingSides {
    /// The part of the instances in them where the reduced member bounds rows.
    pub rows: f64,
    /// The same for columns.
    pub columns: f64,
    /// Cycles to issue all instances, if all were in them.
    pub cycles: f64,
}

/// Partial tiles as ordinary loops, which keep no results in registers: cycles beyond those of
/// partial tiles that do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OrdinaryCode {
    /// At the ends of rows and columns.
    pub end_cycles: f64,
    /// For each constraint that connects the columns with another loop.
    pub slant_cycles: f64,
}

/// Register tiles as far as one band is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegisterChoice {
    /// Never.
    Off,
    /// Where the model predicts a gain.
    Model,
    /// Wherever possible, with this number of rows and of vectors side by side.
    Sizes {
        /// Rows.
        rows: u64,
        /// Vectors.
        vectors: u64,
        /// Sizes of the cache tiles of the reduced member and of the rows, if not those of the
        /// model; the latter becomes a multiple of the rows of a register tile.
        blocks: Option<(u64, u64)>,
    },
    /// These, whatever they cost: the price at other sizes than those that they were chosen for is
    /// asked.
    Kept(TileSizes),
}

impl RegisterChoice {
    /// Sizes are the model's.
    fn is_predicted(&self) -> bool {
        matches!(self, RegisterChoice::Model | RegisterChoice::Kept(_))
    }
}

/// The members of a band that make up the points of a register tile, and their iterations in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileSizes {
    /// The member along the lanes of vectors.
    pub columns: (usize, u64),
    /// The one that is unrolled, if any.
    pub rows: Option<(usize, u64)>,
    /// The contracted one.
    pub reduced: usize,
}

/// Which member does what.
#[derive(Clone, Copy, Debug)]
struct Roles {
    rows: Option<usize>,
    columns: usize,
    reduced: usize,
}

/// The cheapest register tile of a band, if there is any.
pub fn register_tile(
    band: &BandFacts,
    choice: &RegisterChoice,
    machine: &Machine,
    sharing: Option<Sharing>,
) -> Option<RegisterTile> {
    if *choice == RegisterChoice::Off || !band.permutable || band.keep_order {
        return None;
    }
    let members = 0..band.coincident.len();
    if let RegisterChoice::Kept(TileSizes { columns, rows, reduced }) = *choice {
        let roles = Roles { rows: rows.map(|rows| rows.0), columns: columns.0, reduced };
        let known =
            [Some(roles.columns), Some(reduced), roles.rows].into_iter().flatten().all(|m| members.contains(&m));
        return if known { with_roles(band, roles, choice, machine, sharing) } else { None };
    }
    let pairs = members
        .clone()
        .flat_map(|c| members.clone().map(move |r| (c, r)))
        .filter(|(columns, reduced)| columns != reduced);
    let best = |rows: &mut dyn Iterator<Item = Roles>| {
        let mut best: Option<RegisterTile> = None;
        for roles in rows {
            let Some(tile) = with_roles(band, roles, choice, machine, sharing) else { continue };
            if best.as_ref().is_none_or(|known| tile.cost.cycles() < 0.999 * known.cost.cycles()) {
                best = Some(tile);
            }
        }
        best
    };
    let several = |(columns, reduced): (usize, usize)| {
        let rows = members.clone().filter(move |&m| m != columns && m != reduced);
        rows.map(move |rows| Roles { rows: Some(rows), columns, reduced })
    };
    let one = |(columns, reduced)| Roles { rows: None, columns, reduced };
    best(&mut pairs.clone().flat_map(several)).or_else(|| best(&mut pairs.clone().map(one)))
}

/// The statements that make up the work: those with about as many instances as any.
fn main_statements(band: &BandFacts) -> Vec<&BandStatement> {
    let most = band.statements.iter().map(|s| s.instances).fold(0.0, f64::max);
    band.statements.iter().filter(|s| s.instances >= 0.2 * most).collect()
}

fn with_roles(
    band: &BandFacts,
    roles: Roles,
    choice: &RegisterChoice,
    machine: &Machine,
    sharing: Option<Sharing>,
) -> Option<RegisterTile> {
    let main = main_statements(band);
    let mut needs = Needs::default();
    let mut results = Results::default();
    for statement in &main {
        let own = needs_of(statement, roles, &mut results)?;
        needs.chain = needs.chain.max(own.chain);
        needs.vectors = needs.vectors.max(own.vectors);
        needs.rows_of_vectors = needs.rows_of_vectors.max(own.rows_of_vectors);
        needs.gathers = needs.gathers.max(own.gathers);
        needs.rows_of_gathers = needs.rows_of_gathers.max(own.rows_of_gathers);
        needs.packed = needs.packed.max(own.packed);
        needs.squares = needs.squares.max(own.squares);
        needs.broadcasts = needs.broadcasts.max(own.broadcasts);
        needs.bytes = needs.bytes.max(own.bytes);
        needs.invariants = needs.invariants.max(statement.work.invariants);
        needs.points = needs.points.most(own.points);
        needs.columns = needs.columns.most(own.columns);
        needs.per_row = needs.per_row.most(own.per_row);
    }
    needs.accumulators = results.registers();
    let trip = |member: usize| main.iter().map(|s| s.members[member].trip).fold(1.0, f64::max);
    let shape = match *choice {
        RegisterChoice::Sizes { rows, vectors, .. } => {
            let lanes = machine.vectors.bytes / (needs.bytes as u64).max(1);
            let rows = if roles.rows.is_some() { rows.max(1) } else { 1 };
            let streams = roles.rows.is_none() && needs.gathers > 0;
            let sharing_rows = roles.rows.map_or(1.0, trip).min(SHARING_ROWS);
            Shape { rows, vectors: vectors.max(1), lanes: lanes.max(1), streams, needs, sharing_rows }
        }
        RegisterChoice::Kept(TileSizes { columns, rows, .. }) => {
            let lanes = (machine.vectors.bytes / (needs.bytes as u64).max(1)).max(1);
            let streams = rows.is_none() && needs.gathers > 0;
            let sharing_rows = roles.rows.map_or(1.0, trip).min(SHARING_ROWS);
            let (rows, vectors) = (rows.map_or(1, |rows| rows.1), (columns.1 / lanes).max(1));
            Shape { rows, vectors, lanes, streams, needs, sharing_rows }
        }
        _ => {
            let hollow = main.iter().map(|s| s.work.hollow).fold(0.0, f64::max);
            shape(needs, roles.rows.map(trip), (trip(roles.columns), hollow), machine)?
        }
    };
    let used = |m: &usize| roles.rows == Some(*m) || *m == roles.columns || *m == roles.reduced;
    let others: Vec<usize> = (0..band.coincident.len()).filter(|m| !used(m)).collect();
    let (reduced, block) = match *choice {
        RegisterChoice::Sizes { blocks: Some((reduced, rows)), .. } => (reduced, rows.next_multiple_of(shape.rows)),
        _ => cache_sizes(&shape, needs.bytes, machine),
    };
    // Filling and emptying the registers is in the price; where nothing is summed up, there is
    // nothing to keep.
    if *choice == RegisterChoice::Model && trip(roles.reduced) <= 1.0 {
        return None;
    }
    let mut tiles = Vec::new();
    if let Some(rows) = roles.rows {
        let block = match sharing {
            Some(sharing) if others.is_empty() && band.coincident[rows] => {
                sharing.block_of_rows(trip(rows), block, shape.rows, band.tilts[rows])
            }
            _ => block,
        };
        if trip(rows) > 1.5 * block as f64 {
            tiles.push((rows, block));
        }
    }
    // Without rows, nothing is used again by the next tile but what is invariant along the columns.
    if trip(roles.reduced) > 1.5 * reduced as f64 && (roles.rows.is_some() || !choice.is_predicted()) {
        let at = if sharing.is_some() { tiles.len() } else { 0 };
        tiles.insert(at, (roles.reduced, reduced));
    }
    let mut tile = RegisterTile {
        others,
        tiles,
        columns: (roles.columns, shape.vectors * shape.lanes),
        rows: roles.rows.map(|rows| (rows, shape.rows)),
        reduced: roles.reduced,
        vector: band.innermost_parallel[roles.columns],
        cost: Cost::default(),
        slant_cycles: 0.0,
        ordinary: OrdinaryCode::default(),
        moving: MovingSides::default(),
    };
    if sharing.is_some() && band.coincident.contains(&true) && !band.coincident[tile.outermost()] {
        if !band.coincident[roles.columns] || !tile.others.is_empty() {
            return None;
        }
        // Some columns each are a loop of its own, which threads share.
        let most = block_of(trip(roles.columns) / SHARED_BLOCKS, tile.columns.1, MOST_COLUMNS);
        let shared = sharing.map(|sharing| sharing.block_of_columns(trip(roles.columns), most, tile.columns.1));
        tile.tiles.insert(0, (roles.columns, shared.unwrap_or(most)));
    }
    price::set(band, &mut tile, &shape, machine);
    Some(tile)
}

/// Blocks of columns that threads share.
const SHARED_BLOCKS: f64 = 8.0;

/// Most tiles side by side in a block of columns, and below each other in one of rows.
const MOST_COLUMNS: f64 = 8.0;
const MOST_ROWS: f64 = 64.0;

/// About so many iterations, a multiple of those of a tile, and not too many tiles.
fn block_of(iterations: f64, tile: u64, most: f64) -> u64 {
    (iterations / tile as f64).round().clamp(1.0, most) as u64 * tile
}

/// How many threads are to share the outermost loop of a nest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sharing {
    /// Their number.
    pub threads: f64,
}

impl Sharing {
    /// The iterations of a loop that the thread with the most of them has, for each that it had if
    /// all had the same, where they are given away in blocks. Blocks with different work are taken
    /// one after the other, the longest first.
    pub(crate) fn excess(self, iterations: f64, block: u64, tilt: f64) -> f64 {
        let threads = self.threads.max(1.0);
        let blocks = (iterations / block as f64).max(1.0);
        let largest = block as f64 / iterations.max(1.0) * threads;
        match tilt.abs() > UNEVEN {
            true => (largest * (1.0 + 2.0 * tilt.abs())).max(1.0),
            false => ((blocks / threads).ceil() * largest).clamp(1.0, threads),
        }
    }

    /// Rows of a block of at most about `most`, a multiple of those of a tile: there are as many
    /// blocks for each thread, and several where they have different work.
    fn block_of_rows(self, rows: f64, most: u64, tile: u64, tilt: f64) -> u64 {
        let threads = self.threads.max(1.0);
        let blocks = if tilt.abs() > UNEVEN { UNEVEN_BLOCKS } else { 1.0 };
        let rounds = (rows / most as f64 / threads).ceil().max(blocks);
        let tiles = (rows / tile as f64 / (rounds * threads)).ceil().max(MIN_BLOCK);
        (tiles as u64 * tile).min(most)
    }

    /// Columns of a block of at most `most`, a multiple of those of a tile: the largest of those
    /// with which the thread that has the most tiles has the fewest.
    fn block_of_columns(self, columns: f64, most: u64, tile: u64) -> u64 {
        let (tiles, threads) = ((columns / tile as f64).ceil(), self.threads.max(1.0));
        let longest = |&size: &u64| (tiles / size as f64 / threads).ceil() * size as f64;
        let sizes = (1..=(most / tile).max(1)).rev();
        let best = sizes.reduce(|best, size| if longest(&size) < 0.99 * longest(&best) { size } else { best });
        best.unwrap_or(1) * tile
    }
}

/// Blocks for each thread where they have different work: the first ones have the most, and the
/// last ones fill up what is missing.
const UNEVEN_BLOCKS: f64 = 4.0;

/// Fewest tiles below each other in a block of rows: all of them use what is packed for the block.
const MIN_BLOCK: f64 = 8.0;

impl RegisterTile {
    /// Its members and sizes.
    pub fn sizes(&self) -> TileSizes {
        TileSizes { columns: self.columns, rows: self.rows, reduced: self.reduced }
    }

    /// The members whose points a tile has, with their numbers: rows, if any, and columns.
    pub fn points(&self) -> impl Iterator<Item = (usize, u64)> + use<> {
        self.rows.into_iter().chain([self.columns])
    }

    /// The member of the outermost loop.
    pub fn outermost(&self) -> usize {
        let tile = self.tiles.first().map_or(self.columns.0, |&(member, _)| member);
        self.others.first().copied().unwrap_or(tile)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::choose::LoopFacts;
    use crate::choose::tests::{cheapest, loop_over_chains, references};
    use crate::cost::{Operands, Operation, Work};
    use crate::machine::tests::{usual, wide};

    /// A product of matrices with the given strides of `C`, `A`, `B` along `i`, `j`, `k`.
    fn product(n: f64, strides: [[f64; 3]; 3]) -> BandFacts {
        let facts = |member: usize| LoopFacts {
            trip: n,
            strides: vec![strides[0][member], strides[1][member], strides[2][member], strides[0][member]],
        };
        BandFacts {
            statements: vec![BandStatement {
                outer: vec![],
                members: vec![facts(0), facts(1), facts(2)],
                accesses: references([(false, 0), (false, 1), (false, 2), (true, 0)]),
                constant: vec![false, true, true, false],
                repeated: vec![false, false, false, true],
                work: Work { simple: 2.0, ..Work::default() },
                instances: n * n * n,
            }],
            innermost_parallel: vec![true, true, false],
            innermost_forward: vec![false; 3],
            innermost_left: vec![vec![false]; 3],
            innermost_chained: vec![vec![false], vec![false], vec![true]],
            coincident: vec![true, true, false],
            tilts: vec![0.0; 3],
            permutable: true,
            keep_order: false,
        }
    }

    pub(super) fn matmul(n: f64) -> BandFacts {
        product(n, [[8.0 * n, 8.0, 0.0], [8.0 * n, 0.0, 8.0], [0.0, 8.0, 8.0 * n]])
    }

    pub(super) fn rows(tile: &RegisterTile) -> (usize, u64) {
        tile.rows.expect("the tile has rows")
    }

    /// `y[i] += A[i][j] * x[j]`.
    fn matrix_and_vector(n: f64) -> BandFacts {
        let facts = |strides: [f64; 4]| LoopFacts { trip: n, strides: strides.to_vec() };
        loop_over_chains(BandStatement {
            outer: vec![],
            members: vec![facts([8.0, 8.0 * n, 0.0, 8.0]), facts([0.0, 8.0, 8.0, 0.0])],
            accesses: references([(false, 0), (false, 1), (false, 2), (true, 0)]),
            constant: vec![false, true, true, false],
            repeated: vec![false, false, false, true],
            work: Work { simple: 2.0, ..Work::default() },
            instances: n * n,
        })
    }

    #[test]
    fn values_from_before_the_nest_need_registers() {
        let size = |invariants: u64, machine: &Machine| {
            let mut band = matmul(1000.0);
            band.statements[0].work.invariants = invariants;
            let tile = register_tile(&band, &RegisterChoice::Model, machine, None).expect("it contracts");
            rows(&tile).1 * tile.columns.1
        };
        let narrow = usual();
        assert_eq!(narrow.vectors.registers, 16);
        assert!(size(1, &narrow) < size(0, &narrow));
        // Results, vectors of columns, the value that is repeated, its scalar and the factor.
        assert!(size(1, &narrow) / 4 <= 16 - 3 - 2);
        let mut embedded = wide();
        embedded.vectors.embedded_broadcast = true;
        assert_eq!(size(1, &embedded), size(0, &embedded));
    }

    #[test]
    fn operations_that_only_rows_or_columns_move_cost_less() {
        let machine = usual();
        let cycles = |weight: f64, accesses: u64| {
            let accesses = Operands(accesses);
            let mut band = matmul(1000.0);
            let update = Operation { weight: 1.0, integer: false, accesses: Operands::ANYTHING };
            band.statements[0].work.operations = vec![update, Operation { weight, integer: false, accesses }];
            register_tile(&band, &RegisterChoice::Model, &machine, None).expect("it contracts").cost.issue
        };
        // Accesses 1 and 2 are `A[i][k]` and `B[k][j]`.
        let (none, of_row, of_columns, of_points) =
            (cycles(0.0, 0), cycles(1.0, 0b10), cycles(1.0, 0b100), cycles(1.0, 0b110));
        assert!(none <= of_columns && of_columns < of_points, "{none} {of_columns} {of_points}");
        assert!(none <= of_row && of_row < of_points, "{none} {of_row} {of_points}");
        assert!(of_points > 1.8 * none, "it is executed as often as the update");
    }

    #[test]
    fn kept_tiles_are_priced_as_they_are() {
        let machine = wide();
        let large = register_tile(&matmul(1000.0), &RegisterChoice::Model, &machine, None).expect("it contracts");
        let small = matmul(16.0);
        let chosen = register_tile(&small, &RegisterChoice::Model, &machine, None).expect("it contracts");
        let kept = register_tile(&small, &RegisterChoice::Kept(large.sizes()), &machine, None).expect("it contracts");
        assert_eq!(kept.sizes(), large.sizes());
        assert!(chosen.columns.1 <= 16 && large.columns.1 > 16, "{chosen:?} {large:?}");
        assert!(kept.cost.issue > chosen.cost.issue, "all of its tiles are partial");
        let missing = TileSizes { reduced: 7, ..large.sizes() };
        assert_eq!(register_tile(&small, &RegisterChoice::Kept(missing), &machine, None), None);
    }

    #[test]
    fn tiles_that_the_reduced_loop_cuts_are_more_expensive() {
        for machine in [usual(), wide()] {
            let tile = register_tile(&matmul(40.0), &RegisterChoice::Model, &machine, None).expect("it contracts");
            assert!(tile.moving.cycles > tile.cost.issue, "{tile:?}");
            assert!(tile.moving.columns > 0.0 && tile.moving.columns <= 1.0, "{tile:?}");
            assert!(tile.slant_cycles > 0.0, "{tile:?}");
        }
    }

    #[test]
    fn sums_that_share_nothing_run_side_by_side() {
        let (band, machine) = (matrix_and_vector(100.0), usual());
        let tile = register_tile(&band, &RegisterChoice::Model, &machine, None).expect("it contracts");
        assert_eq!((tile.rows, tile.columns.0, tile.reduced), (None, 0, 1));
        assert_eq!(tile.tiles, []);
        let other = cheapest(&band, &crate::TilingChoice::Model, &machine, None);
        // The loops that wait for a sum, and those along columns, which are as near as rows here.
        let waiting = crate::predict(&band, &[0, 1], None, &machine);
        assert!(tile.cost.issue < 0.3 * waiting.issue, "{tile:?} against {waiting:?}");
        assert!(tile.cost.is_below(0.5, other.cost), "{tile:?} against {:?}", other.cost);
    }

    #[test]
    fn lanes_that_are_rows_cost_less_than_others() {
        let tile = |stride: f64| {
            let mut band = matrix_and_vector(100.0);
            band.statements[0].members[1].strides[1] = stride;
            register_tile(&band, &RegisterChoice::Model, &usual(), None).expect("it contracts")
        };
        assert!(tile(8.0).cost.issue < 0.9 * tile(16.0).cost.issue);
    }

    #[test]
    fn the_contracted_dimension_is_inside_and_the_contiguous_one_gives_the_lanes() {
        let tile = register_tile(&matmul(1000.0), &RegisterChoice::Model, &usual(), None).expect("it contracts");
        assert_eq!((rows(&tile).0, tile.columns.0, tile.reduced), (0, 1, 2));
        let accumulators = rows(&tile).1 * tile.columns.1 / 4;
        assert!((8..16).contains(&accumulators), "{tile:?}");
    }

    #[test]
    fn more_registers_are_used() {
        let wide = wide();
        let tile = register_tile(&matmul(1000.0), &RegisterChoice::Model, &wide, None).expect("it contracts");
        let accumulators = rows(&tile).1 * tile.columns.1 / 8;
        assert!((20..32).contains(&accumulators), "{tile:?}");
    }

    #[test]
    fn sizes_of_cache_tiles_are_multiples_of_the_rows() {
        let tile = register_tile(&matmul(1000.0), &RegisterChoice::Model, &usual(), None).expect("it contracts");
        let block = tile.tiles.iter().find(|t| t.0 == rows(&tile).0).expect("the rows are tiled");
        assert_eq!(block.1 % rows(&tile).1, 0);
    }

    #[test]
    fn threads_get_as_many_blocks_of_rows() {
        let blocks = |threads: f64, tilt: f64| {
            let band = BandFacts { tilts: vec![tilt, 0.0, 0.0], ..matmul(1000.0) };
            let tile = register_tile(&band, &RegisterChoice::Model, &usual(), Some(Sharing { threads }));
            let tile = tile.expect("it contracts");
            let (member, size) = tile.tiles[0];
            assert_eq!((member, size % rows(&tile).1), (rows(&tile).0, 0), "{tile:?}");
            (1000.0 / size as f64).ceil()
        };
        assert_eq!((blocks(1.0, 0.0), blocks(2.0, 0.0), blocks(8.0, 0.0)), (10.0, 10.0, 16.0));
        assert!(blocks(4.0, 0.5) >= 16.0 && blocks(4.0, -0.5) >= 16.0 && blocks(4.0, 0.0) < 16.0);
    }

    #[test]
    fn threads_share_columns_where_rows_are_not_free() {
        let band = BandFacts { coincident: vec![false, true, false], ..matmul(1000.0) };
        let machine = usual();
        let tile = register_tile(&band, &RegisterChoice::Model, &machine, Some(Sharing { threads: 2.0 }))
            .expect("columns are free");
        assert_eq!(tile.outermost(), tile.columns.0, "{tile:?}");
        let (_, size) = tile.tiles[0];
        assert!(size % tile.columns.1 == 0 && size < 500, "{tile:?}");
        // One thread has no use for that.
        let alone = register_tile(&band, &RegisterChoice::Model, &machine, None).expect("it contracts");
        assert_eq!(
            alone.tiles,
            register_tile(&matmul(1000.0), &RegisterChoice::Model, &machine, None).expect("it contracts").tiles
        );
    }

    #[test]
    fn threads_get_as_many_columns() {
        let threads = Sharing { threads: 2.0 };
        // 30 tiles: eight blocks of four are as long as 32, ten blocks of three are not.
        assert_eq!(threads.block_of_columns(1200.0, 160, 40), 120);
        assert_eq!(threads.block_of_columns(1280.0, 160, 40), 160);
        assert_eq!(Sharing { threads: 1.0 }.block_of_columns(1200.0, 120, 40), 120);
        assert_eq!(threads.block_of_columns(30.0, 40, 40), 40);
    }

    #[test]
    fn the_thread_with_the_most_iterations_counts() {
        let threads = Sharing { threads: 2.0 };
        assert_eq!(threads.excess(1024.0, 512, 0.0), 1.0);
        // Three blocks, of which one thread gets two; one block.
        assert_eq!(threads.excess(1280.0, 512, 0.0), 1.6);
        assert_eq!(threads.excess(400.0, 512, 0.0), 2.0);
        // The first of two blocks of a triangle has three quarters of the work, the first of eight
        // less than others have left.
        assert!(threads.excess(1024.0, 512, -0.5) >= 1.5);
        assert_eq!(threads.excess(1024.0, 128, -0.5), 1.0);
        assert_eq!(Sharing { threads: 1.0 }.excess(1280.0, 512, 0.0), 1.0);
    }

    #[test]
    fn it_beats_every_other_structure() {
        let machine = usual();
        let tile = register_tile(&matmul(1000.0), &RegisterChoice::Model, &machine, None).expect("it contracts");
        let other = cheapest(&matmul(1000.0), &crate::TilingChoice::Model, &machine, None);
        assert!(tile.cost.cycles() < 0.8 * other.cost.cycles(), "{tile:?} against {:?}", other.cost);
    }

    #[test]
    fn each_element_is_loaded() {
        // `C[i][j] += A[i][k] * B[k][j]`, and the same of elements beside that of `B`.
        let machine = usual();
        let mut band = matmul(1000.0);
        let issue = |band: &BandFacts| {
            let choice = RegisterChoice::Sizes { rows: 4, vectors: 2, blocks: None };
            register_tile(band, &choice, &machine, None).expect("a tile").cost.issue
        };
        let one = issue(&band);
        let statement = &mut band.statements[0];
        for _ in 0..8 {
            statement.members.iter_mut().for_each(|member| member.strides.push(member.strides[2]));
            statement.accesses.push(statement.accesses[2]);
            statement.constant.push(true);
            statement.repeated.push(true);
        }
        assert_eq!(issue(&band), one, "the same element");
        band.statements[0].repeated[4..].fill(false);
        assert!(issue(&band) > 1.5 * one, "{} {one}", issue(&band));
        band.statements[0].work.chain = 400.0;
        assert!(issue(&band) > 4.0 * one, "a long chain");
    }

    #[test]
    fn a_transposed_factor_that_changes_is_gathered_for_many_rows() {
        let n = 1000.0;
        let mut band = product(n, [[8.0 * n, 8.0, 0.0], [8.0 * n, 0.0, 8.0], [0.0, 8.0 * n, 8.0]]);
        let packed = register_tile(&band, &RegisterChoice::Model, &usual(), None).expect("it contracts");
        band.statements[0].constant = vec![false; 4];
        let tile = register_tile(&band, &RegisterChoice::Model, &usual(), None).expect("it contracts");
        assert!(rows(&tile).1 > tile.columns.1 / 4, "{tile:?}");
        assert!(rows(&packed).1 < rows(&tile).1, "{packed:?}");
    }

    #[test]
    fn sums_of_one_row_fill_their_columns() {
        // `s[j] += a[k] * B[k][j]`, members j, k.
        let band = |n: f64, hollow: f64| {
            let facts = |strides: [f64; 4]| LoopFacts { trip: n, strides: strides.to_vec() };
            let mut band = matrix_and_vector(n);
            band.statements[0].members = vec![facts([8.0, 0.0, 8.0, 8.0]), facts([0.0, 8.0, 8.0 * n, 0.0])];
            band.statements[0].work.hollow = hollow;
            band.statements[0].outer = vec![LoopFacts { trip: 100.0, strides: vec![0.0; 4] }];
            band.statements[0].instances *= 100.0;
            band
        };
        let wide = wide();
        let tile = |n, hollow| register_tile(&band(n, hollow), &RegisterChoice::Model, &wide, None).expect("contracts");
        assert_eq!((tile(160.0, 0.0).rows, tile(160.0, 0.0).columns), (None, (0, 160)));
        let (box_, triangle) = (tile(240.0, 0.0).columns.1, tile(240.0, 0.5).columns.1);
        assert!(240 % box_ == 0 && box_ >= 80 && triangle <= 40, "{box_} {triangle}");
        // Rows follow one another in memory: no lane is a stream.
        let other = cheapest(&band(160.0, 0.0), &crate::TilingChoice::Model, &wide, None);
        assert!(tile(160.0, 0.0).cost.transfer < 1.1 * other.cost.transfer);
        assert!(tile(160.0, 0.0).cost.cycles() < 0.9 * other.cost.cycles());
    }

    #[test]
    fn rows_of_less_than_a_vector_and_sums_of_one_term_get_none() {
        assert_eq!(register_tile(&matmul(3.0), &RegisterChoice::Model, &usual(), None), None);
        let mut product = matmul(100.0);
        product.statements[0].members[2].trip = 1.0;
        assert_eq!(register_tile(&product, &RegisterChoice::Model, &usual(), None), None);
        product.statements[0].members[2].trip = 2.0;
        assert!(register_tile(&product, &RegisterChoice::Model, &usual(), None).is_some());
    }

    #[test]
    fn strided_results_get_none() {
        let n = 1000.0;
        let band = product(n, [[8.0 * n, 16.0, 0.0], [8.0 * n, 0.0, 8.0], [0.0, 8.0, 8.0 * n]]);
        assert_eq!(register_tile(&band, &RegisterChoice::Model, &usual(), None), None);
    }

    #[test]
    fn a_parallel_loop_is_outermost_where_threads_are_wanted() {
        let tile = register_tile(&matmul(1000.0), &RegisterChoice::Model, &usual(), Some(Sharing { threads: 2.0 }))
            .expect("it contracts");
        assert_eq!(tile.outermost(), 0);
    }
}
