//! Which order and which tiles the loops of one permutable band get.
//!
//! # Problem
//! The members of a permutable band may be executed in any order and may be tiled. Enumerate the
//! orders of the point loops, the orders of the tile loops and tile sizes of a small table, predict
//! each with the cost model, and take the cheapest; among equals the first, which is the one
//! closest to the given order and without tiles.
//!
//! [`optimize`] then looks for better sizes around the optima of geometric programs.
//!
//! Where threads are to share the outermost loop, a structure costs as much as the thread with the
//! most of its iterations makes it cost: long tiles are few, and some threads would get more of
//! them than others.
//!
//! Where the innermost loop is a chain of dependences, a few iterations of a parallel loop run side
//! by side inside of it: the processor starts what the others need while one waits.
//! (*Interleaving*: only this loop is tiled, its points are innermost.)
//!
//! # Complexity
//! `m!` orders for `m <= 4` members (only the innermost member is varied beyond that), of points
//! and, for `m <= 3`, of tiles, times the tile candidates. Structures that are the same nest, as
//! most of them are where loops are not longer than tiles, are judged once, and only until they are
//! known not to be the cheapest.

use poly_presburger::{Budget, Stop};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::cost::{AccessModel, Cost, Nest, Reference, StatementModel, Work, estimate, issue, with_transfer};
use crate::register::Sharing;
use crate::{Machine, TilingChoice};

mod chained_rows;
mod geometric;
mod ranked;

pub use chained_rows::overlap_chains;
pub use ranked::optimize;

/// One loop as one statement sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopFacts {
    /// Iterations; 1 when the statement does not vary along it.
    pub trip: f64,
    /// Bytes that each access of the statement moves per iteration (absolute values).
    pub strides: Vec<f64>,
}

/// One statement below the band.
#[derive(Clone, Debug, PartialEq)]
pub struct BandStatement {
    /// Loops around the band, outermost first.
    pub outer: Vec<LoopFacts>,
    /// The band's members.
    pub members: Vec<LoopFacts>,
    /// What each access touches.
    pub accesses: Vec<Reference>,
    /// Of each access: no statement of the band writes to its array.
    pub constant: Vec<bool>,
    /// Of each access: one before it is of the same element.
    pub repeated: Vec<bool>,
    /// Work per instance.
    pub work: Work,
    /// Instances in total.
    pub instances: f64,
}

/// A band whose members may be permuted.
#[derive(Clone, Debug, PartialEq)]
pub struct BandFacts {
    /// Its statements.
    pub statements: Vec<BandStatement>,
    /// Per member: no dependence is carried by it when it is the innermost loop.
    pub innermost_parallel: Vec<bool>,
    /// Per member: when it is the innermost loop, it carries dependences, but LLVM makes vectors of
    /// it all the same: all of them go forward in its body.
    pub innermost_forward: Vec<bool>,
    /// Per member and statement: when the member is the innermost loop, it carries a chain of
    /// dependences from the statement to itself. Where it carries dependences without a chain,
    /// nothing waits for the iteration before.
    pub innermost_chained: Vec<Vec<bool>>,
    /// Per member and statement: when the member is the innermost loop and becomes vector code for
    /// other statements, which are distributed to loops of their own, this one stays a chain.
    pub innermost_left: Vec<Vec<bool>>,
    /// Per member: no dependence of the band is carried by it in any position.
    pub coincident: Vec<bool>,
    /// Per member: how much the work of its iterations grows ([`UNEVEN`]); zeros where nobody asks.
    pub tilts: Vec<f64>,
    /// The members may change places and be tiled.
    pub permutable: bool,
    /// The members are not to change places, only tiles are made.
    pub keep_order: bool,
}

impl BandFacts {
    /// All accesses of the band go along neighbouring elements of a member, or stay where they are.
    pub fn is_contiguous(&self, member: usize) -> bool {
        let is_near = |s: &BandStatement| {
            let mut strides = s.members[member].strides.iter().zip(&s.accesses).enumerate();
            strides
                .all(|(number, (&stride, access))| !s.work.is_bent(number) && (stride == 0.0 || stride == access.bytes))
        };
        self.statements.iter().all(is_near)
    }

    /// Writes of the band go along neighbouring elements of a member, each of them.
    pub fn is_contiguous_in_results(&self, member: usize) -> bool {
        let is_near = |s: &BandStatement| {
            let strides = s.members[member].strides.iter().zip(&s.accesses);
            let mut writes = strides.filter(|(_, access)| access.write);
            writes.all(|(&stride, access)| stride == access.bytes)
        };
        self.statements.iter().all(is_near)
    }

    /// Some access of the band has several elements of a member in a line of so many bytes.
    pub fn shares_lines(&self, member: usize, line_bytes: u64) -> bool {
        let shares = |s: &BandStatement| {
            s.members[member].strides.iter().any(|&stride| stride > 0.0 && stride < line_bytes as f64)
        };
        self.statements.iter().any(shares)
    }
}

/// Iterations of a loop have different work if that after three quarters of them and that after one
/// quarter differ by more than this part of their sum. In a triangle it is a half.
pub const UNEVEN: f64 = 0.2;

/// A loop structure for a band.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Order of the point loops: positions of members, outermost first.
    pub order: Vec<usize>,
    /// Tile loops, if any: the members that have one in their order, and the size for each *member*
    /// (0 for those without).
    pub tiles: Option<(Vec<usize>, Vec<u64>)>,
    /// Predicted cost.
    pub cost: Cost,
}

impl Choice {
    /// Only the loop whose points are innermost is tiled: its iterations run side by side in a
    /// chain.
    pub fn is_interleaved(&self) -> bool {
        self.tiles.as_ref().is_some_and(|(tiled, _)| is_interleaved(tiled, &self.order))
    }
}

fn is_interleaved(tiled: &[usize], order: &[usize]) -> bool {
    tiled.len() == 1 && order.len() > 1
}

/// Predicts the cost of a band with a loop structure.
pub fn predict(band: &BandFacts, order: &[usize], tiles: Option<&(Vec<usize>, Vec<u64>)>, machine: &Machine) -> Cost {
    estimate(&nest(band, order, tiles), machine)
}

/// The nest that a band is with a loop structure.
fn nest(band: &BandFacts, order: &[usize], tiles: Option<&(Vec<usize>, Vec<u64>)>) -> Nest {
    let outer = band.statements.iter().map(|s| s.outer.len()).max().unwrap_or(0);
    let tile_loops = tiles.map_or(0, |(order, _)| order.len());
    let mut trips = vec![1.0f64; outer + tile_loops + order.len()];
    let mut statements = Vec::with_capacity(band.statements.len());
    for (place, statement) in band.statements.iter().enumerate() {
        let loops = statement_loops(statement, outer, order, tiles);
        for (trip, facts) in trips.iter_mut().zip(&loops) {
            *trip = trip.max(facts.trip);
        }
        let parallel = order.last().is_none_or(|&m| band.innermost_parallel[m] || band.innermost_forward[m]);
        statements.push(StatementModel {
            accesses: statement
                .accesses
                .iter()
                .enumerate()
                .map(|(index, &reference)| AccessModel {
                    strides: loops.iter().map(|l| l.stride(index)).collect(),
                    reference,
                })
                .collect(),
            work: statement.work.clone(),
            instances: statement.instances,
            cut: cut(statement, order.last().map(|&m| (m, loops.last().map_or(1.0, |l| l.trip)))),
            parallel: parallel && !order.last().is_some_and(|&m| band.innermost_left[m][place]),
            recurrence: order.last().is_some_and(|&m| band.innermost_chained[m][place]),
            // Of the loops around the band nothing is known here.
            handed_on: order.iter().rev().nth(1).is_none_or(|&m| band.innermost_chained[m][place]),
        });
    }
    let interleaved = tiles.is_some_and(|(tiled, _)| is_interleaved(tiled, order));
    Nest { trips, statements, interleaved, prefetches: false }
}

/// See [`cut_part`].
fn cut(statement: &BandStatement, inner: Option<(usize, f64)>) -> f64 {
    let Some((member, trip)) = inner else { return 0.0 };
    let depth = statement.outer.len() + statement.members.len();
    cut_part(statement.work.hollow, depth, trip / statement.members[member].trip.max(1.0))
}

/// Part of the iterations that bounds cut off the innermost of so many loops, in the mean, where a
/// part of their box is hollow. Every loop inside of another one is taken to be cut by the same
/// part; of the loops within tiles, each of which has a part of all iterations, only those at the
/// ends are.
pub fn cut_part(hollow: f64, depth: usize, of_tile: f64) -> f64 {
    let filled = (1.0 - hollow).powf(1.0 / (depth.max(2) - 1) as f64);
    (1.0 - filled) * of_tile.min(1.0)
}

/// A loop around a statement.
struct PlacedLoop<'a> {
    trip: f64,
    /// What it is made of; none where the statement does not vary along it.
    facts: Option<&'a LoopFacts>,
    /// Iterations of that for one of this.
    step: f64,
}

impl PlacedLoop<'_> {
    /// Bytes that an access moves per iteration.
    fn stride(&self, access: usize) -> f64 {
        self.facts.and_then(|facts| facts.strides.get(access)).map_or(0.0, |stride| stride * self.step)
    }
}

/// The loops around one statement: outer ones, tile loops, point loops.
fn statement_loops<'a>(
    statement: &'a BandStatement,
    outer: usize,
    order: &[usize],
    tiles: Option<&(Vec<usize>, Vec<u64>)>,
) -> Vec<PlacedLoop<'a>> {
    let tile_order = tiles.map_or(&[][..], |(order, _)| order);
    let mut loops = Vec::with_capacity(outer + tile_order.len() + order.len());
    let placed = |facts: &'a LoopFacts| PlacedLoop { trip: facts.trip, facts: Some(facts), step: 1.0 };
    loops.extend(statement.outer.iter().map(placed));
    loops.resize_with(outer, || PlacedLoop { trip: 1.0, facts: None, step: 1.0 });
    let size_of =
        |member: usize| tiles.map(|(_, sizes)| sizes[member]).filter(|&size| size > 0).map(|size| size as f64);
    for &member in tile_order {
        let facts = &statement.members[member];
        let size = size_of(member).unwrap_or(1.0).min(facts.trip);
        loops.push(PlacedLoop { trip: (facts.trip / size).max(1.0), facts: Some(facts), step: size });
    }
    for &member in order {
        let facts = &statement.members[member];
        let trip = size_of(member).map_or(facts.trip, |size| size.min(facts.trip));
        loops.push(PlacedLoop { trip, facts: Some(facts), step: 1.0 });
    }
    loops
}

/// Tilings that have been considered. Those that differ in tiles that are as long as their loops,
/// or in the place of the loops over these, of which there is one iteration, are the same nest.
struct Tilings {
    /// By member, the iterations of the longest loop of a statement.
    longest: Vec<f64>,
    /// The number of the order of the points, and sizes by member (0 for a single tile).
    seen: FxHashSet<(usize, Vec<u64>)>,
}

impl Tilings {
    fn of(band: &BandFacts) -> Self {
        let longest = |member: usize| band.statements.iter().map(|s| s.members[member].trip).fold(1.0, f64::max);
        Self { longest: (0..band.coincident.len()).map(longest).collect(), seen: FxHashSet::default() }
    }

    /// Whether there are several tiles along a member.
    fn is_cut(&self, member: usize, sizes: &[u64]) -> bool {
        (sizes[member] as f64) < self.longest[member]
    }

    /// Whether these sizes, with an order of the points that has this number, are other ones than
    /// all before.
    fn is_new(&mut self, order: usize, sizes: &[u64]) -> bool {
        let effective = (0..sizes.len()).map(|m| if self.is_cut(m, sizes) { sizes[m] } else { 0 }).collect();
        self.seen.insert((order, effective))
    }

    /// Of these orders of the loops over tiles, those that are different nests: the first ones of
    /// all in which the loops over several tiles have the same order.
    fn different<'a>(&self, tile_orders: &[&'a [usize]], sizes: &[u64]) -> Vec<&'a [usize]> {
        let several = |order: &&'a [usize]| order.iter().copied().filter(|&m| self.is_cut(m, sizes)).collect();
        let mut seen: Vec<SmallVec<[usize; 4]>> = Vec::new();
        let is_new = |order: &&&'a [usize]| {
            let several = several(order);
            let is_new = !seen.contains(&several);
            seen.extend(is_new.then_some(several));
            is_new
        };
        tile_orders.iter().filter(is_new).copied().collect()
    }
}

/// What structures are for.
#[derive(Clone, Copy, Debug)]
pub struct Purpose<'a> {
    /// Who executes them.
    pub machine: &'a Machine,
    /// Threads that are to share the outermost loop, if there are any.
    pub sharing: Option<Sharing>,
    /// No better tiles are looked for than those with so many cycles.
    pub enough: f64,
}

/// The cheapest loop structure; if threads are to share the outermost loop, one with a parallel
/// loop there if there is one.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn choose(
    band: &BandFacts,
    tiling: &TilingChoice,
    Purpose { machine, sharing, enough }: Purpose<'_>,
    budget: &mut Budget,
) -> Result<Choice, Stop> {
    let members = band.coincident.len();
    let given: Vec<usize> = (0..members).collect();
    let cost = predict(band, &given, None, machine);
    let best = Choice { order: given.clone(), tiles: None, cost };
    if !band.permutable || members == 0 {
        return Ok(best);
    }
    let orders = if band.keep_order { vec![given] } else { orders(members) };
    let sharing = sharing.filter(|_| !band.keep_order);
    let outer = outer_orders(band, &orders, sharing);
    let mut search = Search { band, purpose: Purpose { machine, sharing, enough }, best };
    for order in &outer {
        search.consider(order, None, budget)?;
    }
    if members >= 2 {
        match tiling {
            TilingChoice::Off => {}
            TilingChoice::Model => search.tiles(&orders, &outer, budget)?,
            TilingChoice::Sizes(sizes) => search.given_tiles((&orders, &outer), sizes, budget)?,
        }
    }
    Ok(search.best)
}

/// Those of the orders that the loops over tiles may have.
fn outer_orders<'a>(band: &BandFacts, orders: &'a [Vec<usize>], sharing: Option<Sharing>) -> Vec<&'a [usize]> {
    let outer = orders.iter().map(Vec::as_slice);
    outer.filter(|order| sharing.is_none() || keeps_parallel(band, order)).collect()
}

/// The cheapest structure of a band so far.
struct Search<'a> {
    band: &'a BandFacts,
    purpose: Purpose<'a>,
    best: Choice,
}

impl Search<'_> {
    /// All tiles that the model knows, in these orders of the points and of the loops over tiles.
    fn tiles(&mut self, orders: &[Vec<usize>], outer: &[&[usize]], budget: &mut Budget) -> Result<(), Stop> {
        let mut tilings = Tilings::of(self.band);
        for sizes in tile_candidates(self.band.coincident.len()) {
            for (number, order) in orders.iter().enumerate() {
                let sizes = by_position(&sizes, order);
                if !tilings.is_new(number, &sizes) {
                    continue;
                }
                for tile_order in tilings.different(&outer_of(order, outer), &sizes) {
                    if self.best.cost.cycles() <= self.purpose.enough {
                        return Ok(());
                    }
                    self.consider(order, Some((tile_order.to_vec(), sizes.clone())), budget)?;
                }
            }
        }
        Ok(())
    }

    /// Tiles of sizes that the user gave: those of the loops over tiles, from the outside in. They
    /// are used whatever the model says.
    fn given_tiles(
        &mut self,
        (orders, outer): (&[Vec<usize>], &[&[usize]]),
        sizes: &[u64],
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let last = sizes.last().copied().unwrap_or(32);
        let sizes: Vec<u64> = (0..self.best.order.len()).map(|i| sizes.get(i).copied().unwrap_or(last)).collect();
        for order in orders {
            for tile_order in outer {
                self.consider(order, Some((tile_order.to_vec(), by_position(&sizes, tile_order))), budget)?;
            }
        }
        if self.best.tiles.is_none() {
            let order = self.best.order.clone();
            let tiles = Some((order.clone(), by_position(&sizes, &order)));
            self.best.cost = predict(self.band, &order, tiles.as_ref(), self.purpose.machine);
            self.best.tiles = tiles;
        }
        Ok(())
    }

    /// A candidate replaces the best one only if it is cheaper by more than rounding.
    fn consider(
        &mut self,
        order: &[usize],
        tiles: Option<(Vec<usize>, Vec<u64>)>,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        self.consider_below(0.999, order, tiles, budget)
    }

    /// One that is cheaper than this part of the best one.
    fn consider_below(
        &mut self,
        part: f64,
        order: &[usize],
        tiles: Option<(Vec<usize>, Vec<u64>)>,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        // Every further loop costs code and control that the model does not see.
        let margin = if tiles.is_some() && self.best.tiles.is_none() { FURTHER_LOOPS } else { part };
        let excess = |order: &[usize], tiles: Option<&(Vec<usize>, Vec<u64>)>| {
            self.purpose.sharing.map_or(1.0, |sharing| excess(self.band, order, tiles, sharing))
        };
        let known = margin * self.best.cost.cycles() * excess(&self.best.order, self.best.tiles.as_ref());
        let limit = known / excess(order, tiles.as_ref());
        budget.spend(1)?;
        let nest = nest(self.band, order, tiles.as_ref());
        let mut cost = issue(&nest, self.purpose.machine);
        if cost.cycles() < limit {
            budget.spend(lines_of(&nest) / LINES_PER_STEP)?;
            cost = with_transfer(cost, &nest, self.purpose.machine, limit);
        }
        if cost.cycles() < limit {
            self.best = Choice { order: order.to_vec(), tiles, cost };
        }
        Ok(())
    }
}

/// Tiles where there were none have to cost at most this part.
const FURTHER_LOOPS: f64 = 0.9;

/// How often lines are counted: for each access in each loop.
fn lines_of(nest: &Nest) -> u64 {
    nest.statements.iter().map(|s| s.accesses.len() * nest.trips.len()).sum::<usize>() as u64
}

/// So many counts of lines take as long as a step of the solvers.
pub(crate) const LINES_PER_STEP: u64 = 8;

/// Iterations of a parallel loop that run side by side within a chain.
const INTERLEAVED: [u64; 2] = [4, 8];

/// A tile size that stands for the whole range of a loop; no larger ones exist.
pub const WHOLE: u64 = 1 << 30;

/// Considers to run a few iterations of a parallel loop within a chain, instead of `best`.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn interleave(best: Choice, band: &BandFacts, purpose: Purpose<'_>, budget: &mut Budget) -> Result<Choice, Stop> {
    let members = band.coincident.len();
    if band.keep_order || !band.permutable || members < 2 || !band.innermost_chained[members - 1].contains(&true) {
        return Ok(best);
    }
    let mut search = Search { band, purpose, best };
    for member in (0..members).filter(|&m| band.innermost_parallel[m]) {
        if purpose.sharing.is_some() && !keeps_parallel(band, &[member]) {
            continue;
        }
        let order: Vec<usize> = (0..members).filter(|&m| m != member).chain([member]).collect();
        for size in INTERLEAVED {
            let sizes = (0..members).map(|m| if m == member { size } else { 0 }).collect();
            search.consider(&order, Some((vec![member], sizes)), budget)?;
        }
    }
    Ok(search.best)
}

/// A parallel loop stays outermost if there is one.
pub(crate) fn keeps_parallel(band: &BandFacts, order: &[usize]) -> bool {
    !band.coincident.contains(&true) || band.coincident[order[0]]
}

/// Sizes are enumerated by position in an order; the result is indexed by member.
fn by_position(sizes: &[u64], order: &[usize]) -> Vec<u64> {
    let mut result = vec![0; sizes.len()];
    for (position, &member) in order.iter().enumerate() {
        result[member] = sizes[position];
    }
    result
}

/// The iterations that the thread with the most of them has of the outermost loop, for each that it
/// had if all had the same.
fn excess(band: &BandFacts, order: &[usize], tiles: Option<&(Vec<usize>, Vec<u64>)>, sharing: Sharing) -> f64 {
    let member = tiles.map_or(order[0], |(tile_order, _)| tile_order[0]);
    if !band.coincident[member] {
        return 1.0;
    }
    let size = tiles.map_or(1, |(_, sizes)| sizes[member]).max(1);
    let trip = band.statements.iter().map(|s| s.members[member].trip).fold(1.0, f64::max);
    sharing.excess(trip, size, band.tilts[member])
}

/// The orders of the loops over tiles in which sizes of the table are judged, for an order of the
/// points: all, or of more than three members only that of the points.
fn outer_of<'a>(order: &[usize], outer: &[&'a [usize]]) -> Vec<&'a [usize]> {
    let same = outer.iter().copied().find(|tiles| *tiles == order);
    match order.len() {
        0..=3 => outer.to_vec(),
        _ => same.or(outer.first().copied()).into_iter().collect(),
    }
}

/// All orders of up to four members; rotations that vary the innermost member beyond that.
fn orders(members: usize) -> Vec<Vec<usize>> {
    let identity: Vec<usize> = (0..members).collect();
    if members > 4 {
        return (0..members)
            .map(|inner| identity.iter().copied().filter(|&m| m != inner).chain([inner]).collect())
            .collect();
    }
    let mut result = vec![Vec::new()];
    for _ in 0..members {
        result = result
            .into_iter()
            .flat_map(|prefix: Vec<usize>| {
                let free: Vec<usize> = identity.iter().copied().filter(|m| !prefix.contains(m)).collect();
                free.into_iter().map(move |m| prefix.iter().copied().chain([m]).collect())
            })
            .collect();
    }
    result
}

/// Tile sizes to try, by position in the point order: long innermost tiles for vectors and
/// prefetching, short outer ones for reuse.
fn tile_candidates(members: usize) -> Vec<Vec<u64>> {
    let mut result = Vec::new();
    for inner in [64, 128, 256, 512] {
        for middle in [8, 16, 32, 64] {
            for outer in [16, 32, 64] {
                let mut sizes = vec![outer; members];
                sizes[members - 1] = inner;
                sizes[members - 2] = middle;
                if !result.contains(&sizes) {
                    result.push(sizes);
                }
            }
        }
    }
    result
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::cost::Divisions;
    use crate::machine::tests::usual;

    const N: f64 = 1000.0;

    /// What is chosen if nothing is said of the budget.
    pub(crate) fn cheapest(
        band: &BandFacts,
        tiling: &TilingChoice,
        machine: &Machine,
        sharing: Option<Sharing>,
    ) -> Choice {
        let purpose = Purpose { machine, sharing, enough: 0.0 };
        choose(band, tiling, purpose, &mut Budget::unlimited()).expect("the budget is unlimited")
    }

    fn interleaved(choice: Choice, band: &BandFacts, machine: &Machine) -> Choice {
        let purpose = Purpose { machine, sharing: None, enough: 0.0 };
        interleave(choice, band, purpose, &mut Budget::unlimited()).expect("the budget is unlimited")
    }

    fn facts(stride: [f64; 3]) -> LoopFacts {
        LoopFacts { trip: N, strides: vec![stride[0], stride[1], stride[2], stride[0]] }
    }

    /// `C[i][j] += A[i][k] * B[k][j]`, members i, j, k.
    pub(crate) fn matmul() -> BandFacts {
        let row = 8.0 * N;
        BandFacts {
            statements: vec![BandStatement {
                outer: vec![],
                members: vec![facts([row, row, 0.0]), facts([8.0, 0.0, 8.0]), facts([0.0, 8.0, row])],
                accesses: [(false, 0), (false, 1), (false, 2), (true, 0)]
                    .map(|(write, group)| Reference { bytes: 8.0, write, array: group, group, kept: None })
                    .to_vec(),
                constant: vec![false, true, true, false],
                repeated: vec![false, false, false, true],
                work: Work { simple: 1.0, ..Work::default() },
                instances: N * N * N,
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

    #[test]
    fn structures_cost_steps_until_one_is_enough() {
        let (band, machine) = (matmul(), usual());
        let search = |enough: f64, steps: u64| {
            let mut budget = Budget::new(steps);
            let purpose = Purpose { machine: &machine, sharing: None, enough };
            choose(&band, &TilingChoice::Model, purpose, &mut budget)
                .map(|choice| (choice.cost.cycles(), budget.spent()))
        };
        let (best, spent) = search(0.0, u64::MAX).expect("the budget is unlimited");
        // Thousands of structures of four accesses in six loops.
        assert!(spent > 2000, "{spent}");
        assert_eq!(search(0.0, spent - 1), Err(Stop));
        let (found, less) = search(1.1 * best, spent).expect("it is less work");
        assert!(found <= 1.1 * best && less < spent / 2, "{found} {best} {less} {spent}");
    }

    #[test]
    fn matmul_gets_the_unit_stride_loop_inside_and_tiles() {
        let choice = cheapest(&matmul(), &TilingChoice::Model, &usual(), None);
        assert_eq!(choice.order.last(), Some(&1), "{choice:?}");
        assert!(choice.tiles.is_some(), "{choice:?}");
    }

    /// All structures judged, none left out and each to the end.
    fn slowly(band: &BandFacts, machine: &Machine) -> Choice {
        let given: Vec<usize> = (0..band.coincident.len()).collect();
        let mut best = Choice { order: given.clone(), tiles: None, cost: predict(band, &given, None, machine) };
        let mut judge = |order: &[usize], tiles: Option<(Vec<usize>, Vec<u64>)>| {
            let cost = predict(band, order, tiles.as_ref(), machine);
            let margin = if tiles.is_some() && best.tiles.is_none() { 0.9 } else { 0.999 };
            if cost.cycles() < margin * best.cost.cycles() {
                best = Choice { order: order.to_vec(), tiles, cost };
            }
        };
        let orders = orders(given.len());
        orders.iter().for_each(|order| judge(order, None));
        for sizes in tile_candidates(given.len()) {
            for order in &orders {
                orders.iter().for_each(|tiles| judge(order, Some((tiles.clone(), by_position(&sizes, order)))));
            }
        }
        best
    }

    #[test]
    fn structures_that_are_left_out_are_not_the_cheapest() {
        let machine = usual();
        for trips in [[30.0, 40.0, 50.0], [64.0, 65.0, 8.0], [1000.0, 20.0, 300.0], [70.0, 600.0, 5000.0]] {
            let mut band = matmul();
            let [_, n, k] = trips;
            let statement = &mut band.statements[0];
            let strides = [[n, k, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, n]];
            for ((member, trip), strides) in statement.members.iter_mut().zip(trips).zip(strides) {
                *member = LoopFacts { trip, ..facts(strides.map(|stride| 8.0 * stride)) };
            }
            statement.instances = trips.iter().product();
            let mut other = statement.clone();
            other.members[2].trip = 1.0;
            band.statements.push(other);
            band.innermost_chained.iter_mut().for_each(|chained| chained.push(false));
            band.innermost_left.iter_mut().for_each(|left| left.push(false));
            let choice = cheapest(&band, &TilingChoice::Model, &machine, None);
            assert_eq!(choice, slowly(&band, &machine), "{trips:?}");
        }
    }

    #[test]
    fn a_band_that_must_not_be_permuted_is_left_alone() {
        let mut band = matmul();
        band.permutable = false;
        let choice = cheapest(&band, &TilingChoice::Model, &usual(), None);
        assert_eq!((choice.order, choice.tiles), (vec![0, 1, 2], None));
    }

    #[test]
    fn a_band_that_keeps_its_order_is_tiled() {
        let band = BandFacts { keep_order: true, ..matmul() };
        let choice = cheapest(&band, &TilingChoice::Sizes(vec![16, 24]), &usual(), Some(Sharing { threads: 2.0 }));
        assert_eq!((choice.order, choice.tiles), (vec![0, 1, 2], Some((vec![0, 1, 2], vec![16, 24, 24]))));
    }

    /// `y[j] += A[i][j] * x[i]`, members i, j.
    fn matrix_by_vector(n: f64) -> BandFacts {
        let facts = |strides: [f64; 4]| LoopFacts { trip: n, strides: strides.to_vec() };
        let mut band = matmul();
        band.statements[0].members = vec![facts([0.0, 8.0 * n, 8.0, 0.0]), facts([8.0, 8.0, 0.0, 8.0])];
        band.statements[0].instances = n * n;
        band.innermost_parallel = vec![false, true];
        band.innermost_chained = vec![vec![true], vec![false]];
        band.coincident = vec![false, true];
        band
    }

    #[test]
    fn a_matrix_that_is_read_once_is_read_along_its_rows() {
        // A row and the results are a little more than the first cache holds.
        let choice = cheapest(&matrix_by_vector(2000.0), &TilingChoice::Model, &usual(), None);
        assert_eq!((choice.order, choice.tiles), (vec![0, 1], None));
    }

    #[test]
    fn every_thread_gets_tiles() {
        // With tiles of 512 columns, one of two threads had 1024 of 1200.
        let threads = Sharing { threads: 2.0 };
        let mut band = matrix_by_vector(1200.0);
        band.statements[0].members.reverse();
        band.innermost_parallel.reverse();
        band.innermost_chained.reverse();
        band.coincident.reverse();
        let choice = cheapest(&band, &TilingChoice::Model, &usual(), Some(threads));
        let (order, sizes) = choice.tiles.expect("columns are shared in tiles");
        assert_eq!(order[0], 0, "{order:?} {sizes:?}");
        assert!(threads.excess(1200.0, sizes[0], 0.0) < 1.1, "{sizes:?}");
    }

    /// A band of two members: a parallel loop, and a chain in it.
    pub(crate) fn loop_over_chains(statement: BandStatement) -> BandFacts {
        BandFacts {
            statements: vec![statement],
            innermost_parallel: vec![true, false],
            innermost_forward: vec![false; 2],
            innermost_left: vec![vec![false]; 2],
            innermost_chained: vec![vec![false], vec![true]],
            coincident: vec![true, false],
            tilts: vec![0.0; 2],
            permutable: true,
            keep_order: false,
        }
    }

    /// References to doubles: whether they write, and the number of the array.
    pub(crate) fn references<const COUNT: usize>(of: [(bool, usize); COUNT]) -> Vec<Reference> {
        of.map(|(write, group)| Reference { bytes: 8.0, write, array: group, group, kept: None }).to_vec()
    }

    /// `q[i][j] = a[i][j] / q[i][j - 1]`, members i, j, with rows of so many bytes.
    pub(crate) fn chains(trip: f64, row: f64) -> BandFacts {
        let facts = |stride: f64| LoopFacts { trip, strides: vec![stride; 3] };
        loop_over_chains(BandStatement {
            outer: vec![],
            members: vec![facts(row), facts(8.0)],
            accesses: references([(false, 0), (false, 1), (true, 1)]),
            constant: vec![false; 3],
            repeated: vec![false; 3],
            work: Work {
                divisions: Divisions { quotients: 1.0, ..Divisions::default() },
                chain: 18.0,
                ..Work::default()
            },
            instances: trip * trip,
        })
    }

    #[test]
    fn chains_run_side_by_side() {
        let machine = usual();
        // More than the caches hold: there, tiles of columns are no better.
        let n = 4.0 * N;
        let mut choice = cheapest(&chains(n, 8.0 * n), &TilingChoice::Model, &machine, None);
        choice = interleaved(choice, &chains(n, 8.0 * n), &machine);
        assert_eq!(choice.order, [1, 0], "{choice:?}");
        let (order, sizes) = choice.tiles.expect("one loop is tiled");
        assert_eq!((order, sizes[1]), (vec![0], 0));
        assert!(INTERLEAVED.contains(&sizes[0]));
        // Nothing waits: nothing is gained.
        let mut free = chains(n, 8.0 * n);
        free.innermost_chained = vec![vec![false], vec![false]];
        free.innermost_parallel = vec![true, true];
        let mut choice = cheapest(&free, &TilingChoice::Model, &machine, None);
        choice = interleaved(choice, &free, &machine);
        assert_eq!((choice.order, choice.tiles), (vec![0, 1], None));
        // Nothing may run side by side.
        let mut chained = chains(n, 8.0 * n);
        chained.innermost_parallel = vec![false, false];
        chained.innermost_chained = vec![vec![true], vec![true]];
        chained.coincident = vec![false, false];
        let mut choice = cheapest(&chained, &TilingChoice::Model, &machine, None);
        choice = interleaved(choice, &chained, &machine);
        assert!(!choice.is_interleaved());
    }

    #[test]
    fn given_sizes_follow_the_loops() {
        let choice = cheapest(&matmul(), &TilingChoice::Sizes(vec![16, 24]), &usual(), None);
        let (_, sizes) = choice.tiles.expect("sizes were given");
        assert_eq!(sizes[choice.order[0]], 16);
        assert_eq!(sizes[choice.order[2]], 24);
    }

    #[test]
    fn small_problems_are_not_tiled() {
        let mut band = matmul();
        for facts in &mut band.statements[0].members {
            facts.trip = 20.0;
            facts.strides = facts.strides.iter().map(|s| if *s == 8.0 * N { 160.0 } else { *s }).collect();
        }
        band.statements[0].instances = 8000.0;
        let choice = cheapest(&band, &TilingChoice::Model, &usual(), None);
        assert_eq!(choice.tiles, None);
    }
}
