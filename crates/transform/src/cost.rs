//! Predicted time of a loop nest.
//!
//! # Problem
//! Given the loops around a group of statements, outermost first, and for every access how many
//! bytes it moves when one loop advances by one iteration while the others are fixed, predict
//! cycles. The prediction ranks loop orders and tile sizes of one nest and decides whether a
//! candidate is worth being used instead of the original order.
//!
//! # Model
//! 1. *Misses*, per cache and access: walk the loops from the innermost outwards with one line per
//!    iteration. A loop along which the access does not move reuses the lines of its inner loops if
//!    everything that those touch fits the cache; a loop along which it moves by less than a line
//!    shares lines between iterations under the same condition; every other loop multiplies the
//!    misses by its trip count. Equal references of several statements miss once. What is a little
//!    too large for a cache stays there in part, see [`lost`].
//! 2. *Footprint* of the loops inside a level: distinct lines of every access, as if accesses of
//!    different references were disjoint and equal references were one; but those to one array
//!    touch together at most what all loops touch through one of them.
//! 3. *Runs*: the hardware fetches lines ahead that follow one another, in a few places at a time.
//!    The first lines of every run of neighbouring ones cost more: rows of a narrow tile are short
//!    runs, rows that several iterations go along side by side are long ones. Where some access
//!    jumps in any case, or the code prefetches, runs are not looked at.
//! 4. *Pages*: addresses of so many pages are kept by the processor; the others are looked up in
//!    tables. Pages are lines of a cache of them. They are looked at where some access jumps, as
//!    they are no matter where whole rows are visited.
//! 5. *Crowded lines*: columns of a matrix whose rows are a power of two apart have lines with few
//!    different indices, so the first cache keeps only some of them ([`lines`]). Where the
//!    innermost loop goes along such a column, each line that is brought again waits for a place:
//!    loads overlap, stores do so hardly.
//! 6. *Issue*: operations and accesses divided by the vector width where the innermost loop is
//!    parallel and all accesses are contiguous or invariant, or where as many statements of the
//!    nest do the same to neighbouring elements, as the iterations of an unrolled loop do (LLVM
//!    makes vectors of them); a recurrence carried by the innermost loop costs the latency of its
//!    chain, unless the loop is so short that the processor has begun the next ones before it ends.
//!    Points that do not fill a vector are executed one by one (in rows that LLVM unrolls, as parts
//!    of vectors), or as one masked vector in code of ours for processors that have masks.
//! 7. *Depth*: an iteration is not over before its longest path of operations is, and the processor
//!    has room for a few iterations at a time ([`depth`]).
//! 8. Time is the larger of issue and transfer plus part of the smaller one, as they overlap
//!    imperfectly.
//!
//! Reference: loop cost after [CarrMcKinleyTseng1994], reuse and footprints after [WolfLam1991].

use crate::Machine;
use crate::machine::lost;
pub(crate) use issue::{hand_on_cycles, issue_cycles, iterations_in_flight, point_cycles, point_cycles_with};
pub(crate) use lines::SAME_ROWS;
use lines::{Moved, footprints, lines as lines_of, moved};

mod depth;
mod issue;
mod lane_by_lane;
mod lines;
mod whole_loops;

/// What one access touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reference {
    /// Bytes of an element.
    pub bytes: f64,
    /// It writes.
    pub write: bool,
    /// Equal for accesses to the same array.
    pub array: usize,
    /// Accesses with equal keys (and equal strides) touch the same or neighbouring elements: their
    /// lines are counted once.
    pub group: usize,
    /// The number of the cache that keeps the array from one nest to the next: nothing of it comes
    /// from further away.
    pub kept: Option<usize>,
}

/// How one access moves.
#[derive(Clone, Debug, PartialEq)]
pub struct AccessModel {
    /// Bytes per iteration of each loop, outermost first (absolute values).
    pub strides: Vec<f64>,
    /// What it touches.
    pub reference: Reference,
}

impl AccessModel {
    /// The same lines are counted once.
    fn is_same(&self, other: &Self) -> bool {
        self.reference.group == other.reference.group && self.strides == other.strides
    }

    fn bytes(&self) -> f64 {
        self.reference.bytes
    }

    fn write(&self) -> bool {
        self.reference.write
    }
}

/// The work of one statement instance.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Work {
    /// Additions, multiplications and the like.
    pub simple: f64,
    /// Those of them that choose one of two values.
    pub choices: f64,
    /// Those of them that are minima or maxima of two integers.
    pub minima: f64,
    /// Divisions and what else is not begun in every cycle.
    pub divisions: Divisions,
    /// Stores under conditions, of which LLVM makes masked stores in vectors.
    pub masked_stores: f64,
    /// Vector code of loops with it is left to LLVM, which takes several vectors at a time.
    pub by_llvm: bool,
    /// Loads under conditions, of which vectors have masked loads: by load, the accesses that its
    /// condition is computed from.
    pub masked_loads: Vec<Operands>,
    /// Conditions that are branches of scalar code, where the source has vectors instead: by
    /// condition, the accesses that it is computed from.
    pub branches: Vec<Operands>,
    /// Different values from before the nest that operations use.
    pub invariants: u64,
    /// Cycles from a value of the iteration before to the one that the next iteration needs, along
    /// the innermost loop of the source.
    pub chain: f64,
    /// Cycles by which that is longer because the value goes through memory.
    pub stored: f64,
    /// The same where another loop is innermost, which carries a chain although that of the source
    /// does not: from any value of an array that the statement writes, to that value. 0 where
    /// nothing is known of it.
    pub across: f64,
    /// Cycles by which that is longer because the value goes through memory.
    pub across_stored: f64,
    /// By access, cycles from when an execution begins, or has the value of a read, until
    /// everything is there that it computes from that.
    pub paths: Vec<f64>,
    /// Part of the box of the statement's loops in which there are no instances: 0 for a box, one
    /// half for a triangle.
    pub hollow: f64,
    /// This chain is made of an associative operation, of which LLVM makes vectors along the
    /// innermost loop of the source.
    pub reduces: bool,
    /// LLVM makes vectors of the innermost loop, loading lane by lane what is not contiguous, where
    /// that is the faster code: the loop is one of the source.
    pub lane_by_lane: bool,
    /// A bit for each access, in their order, whose subscripts change from one affine function to
    /// another along the innermost loop of the source, as those of neighbours at borders do: what
    /// neighbouring iterations access is no vector.
    pub bent: u64,
    /// It executes loops as wholes, which run as often as data say.
    pub whole_loops: Option<WholeLoops>,
    /// The operations among the simple ones, and what they are computed from; none if that is not
    /// known.
    pub operations: Vec<Operation>,
}

/// An operation of a statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Operation {
    /// Its part of an operation that a unit begins in every cycle: 0 for what is one instruction
    /// together with another one.
    pub weight: f64,
    /// It computes integers or addresses.
    pub integer: bool,
    /// What it is computed from.
    pub accesses: Operands,
}

/// The accesses from whose elements a value is computed: a bit for each, in the order of the
/// statement's accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operands(pub u64);

impl Operands {
    /// The operands of a value of which nothing is known: it may be computed from everything.
    pub const ANYTHING: Self = Self(u64::MAX);

    /// The operands of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Their positions, of so many accesses.
    pub(crate) fn positions(self, accesses: usize) -> impl Iterator<Item = usize> + use<> {
        (0..accesses).filter(move |&access| access >= 64 || self.0 >> access & 1 != 0)
    }
}

/// Loops that a statement executes as wholes; their operations are among those of the statement.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WholeLoops {
    /// Cycles of the operations in them that wait for each other, as far as they are known. Where a
    /// loop ends is not foreseen: the next instance begins behind it.
    pub chain: f64,
    /// How neighbouring instances execute them in lanes, if they can. LLVM makes no vectors of what
    /// is around them.
    pub lanes: Option<LaneWork>,
}

/// What it takes to execute whole loops in lanes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaneWork {
    /// Bytes of the widest value.
    pub bytes: f64,
    /// Further operations: on masks, and to keep what lanes have left behind.
    pub mask_operations: f64,
}

impl Work {
    /// Whether an access has other subscripts in some iterations of the innermost loop.
    pub(crate) fn is_bent(&self, access: usize) -> bool {
        access < 64 && self.bent >> access & 1 != 0
    }

    /// Cycles that an iteration waits for the one before: where nothing is known of the chain, an
    /// operation on floating-point numbers.
    pub(crate) fn chain_cycles(&self, machine: &Machine) -> f64 {
        self.computed_chain(machine) + if self.chain > 0.0 { self.stored } else { self.across_stored }
    }

    /// Additions, multiplications and the like of vectors.
    pub(crate) fn in_vectors(&self, machine: &Machine) -> f64 {
        let vectors = &machine.vectors;
        self.simple + self.choices * (vectors.blend_operations - 1.0) + self.minima * (vectors.minimum_operations - 1.0)
    }

    /// The same as [`Self::computed_chain`] in vectors: where these need more operations, the chain
    /// has its part of them.
    pub(crate) fn chain_in_vectors(&self, machine: &Machine) -> f64 {
        self.computed_chain(machine) * (self.in_vectors(machine) / self.simple.max(1.0)).max(1.0)
    }

    /// The same where the value is handed on in a register.
    pub(crate) fn computed_chain(&self, machine: &Machine) -> f64 {
        if self.chain > 0.0 { self.chain } else { self.across.max(machine.latency.flop) }
    }
}

/// Operations of one statement instance that keep their unit busy for several cycles, by kind.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Divisions {
    /// Divisions of floating-point numbers.
    pub quotients: f64,
    /// Square roots.
    pub roots: f64,
    /// Divisions of integers, and their remainders.
    pub integers: f64,
    /// Calls of mathematical functions.
    pub calls: f64,
    /// The floating-point numbers have four bytes, not eight.
    pub short: bool,
}

impl Divisions {
    /// There are none.
    pub fn is_none(&self) -> bool {
        self.count() == 0.0
    }

    fn count(&self) -> f64 {
        self.quotients + self.roots + self.integers + self.calls
    }

    /// Cycles for which they keep their unit busy, for vectors of so many lanes (1 for none).
    pub(crate) fn busy(&self, lanes: f64, machine: &Machine) -> f64 {
        let divider = machine.divider;
        let (quotient, root) = match self.short {
            true => (divider.float_cycles, divider.float_root_cycles),
            false => (divider.double_cycles, divider.double_root_cycles),
        };
        let vectors = self.quotients * quotient + self.roots * root;
        // Neither integers nor functions have vectors.
        let scalars = self.integers * divider.integer_cycles + self.calls * machine.latency.call;
        vectors * self.pieces(lanes, machine) + scalars * lanes
    }

    /// Cycles until all of them are there, if each needs the one before.
    pub(crate) fn latency(&self, lanes: f64, machine: &Machine) -> f64 {
        let latency = machine.latency;
        let alone = (self.quotients + self.integers) * latency.divide + self.roots * latency.root;
        // The last piece begins when the unit has done with those before.
        let last = self.busy(lanes, machine) - self.busy(1.0, machine);
        alone + self.calls * latency.call + last
    }

    /// In how many pieces a vector is divided.
    fn pieces(&self, lanes: f64, machine: &Machine) -> f64 {
        machine.divider.pieces(lanes * if self.short { 4.0 } else { 8.0 })
    }
}

/// A statement within the loops of the group.
#[derive(Clone, Debug, PartialEq)]
pub struct StatementModel {
    /// Its accesses.
    pub accesses: Vec<AccessModel>,
    /// Its work per instance.
    pub work: Work,
    /// Number of instances.
    pub instances: f64,
    /// Part of the iterations of the innermost loop that there are not, in the mean, because the
    /// loop is cut by its bounds.
    pub cut: f64,
    /// The innermost loop may run in vectors as far as dependences are concerned.
    pub parallel: bool,
    /// The innermost loop carries a flow dependence from the statement to itself (a chain of
    /// operations).
    pub recurrence: bool,
    /// The loop around the innermost one may: its next iteration loads what this one has stored.
    pub handed_on: bool,
}

impl StatementModel {
    /// Lanes of the vectors that LLVM makes of loops with it.
    fn lanes(&self, machine: &Machine) -> f64 {
        let bytes = self.accesses.iter().map(AccessModel::bytes).fold(1.0, f64::max);
        machine.vectors.loop_bytes as f64 / bytes
    }
}

/// A group of statements in common loops.
#[derive(Clone, Debug, PartialEq)]
pub struct Nest {
    /// Trip counts of the loops, outermost first.
    pub trips: Vec<f64>,
    /// Statements.
    pub statements: Vec<StatementModel>,
    /// The innermost loop runs over a few iterations side by side of the one around it: its lines
    /// are as many streams.
    pub interleaved: bool,
    /// The code asks for the lines ahead of time.
    pub prefetches: bool,
}

/// Predicted cycles.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Cost {
    /// Cycles to issue the instructions.
    pub issue: f64,
    /// Cycles to move the data.
    pub transfer: f64,
    /// The part of them that the main memory takes, which threads share.
    pub memory: f64,
}

impl Cost {
    /// Both together, overlapping in part.
    pub fn cycles(self) -> f64 {
        self.issue.max(self.transfer) + 0.3 * self.issue.min(self.transfer)
    }

    /// Whether at most this part of another cost. Where both wait for the same data the
    /// instructions decide, as a cache may have the data.
    pub fn is_below(self, part: f64, other: Self) -> bool {
        let (own, known) = (self.cycles(), other.cycles());
        own <= part * known || (own <= known && self.issue <= part * other.issue)
    }
}

impl std::ops::Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            issue: self.issue + other.issue,
            transfer: self.transfer + other.transfer,
            memory: self.memory + other.memory,
        }
    }
}

/// Predicts the cost of a nest.
pub fn estimate(nest: &Nest, machine: &Machine) -> Cost {
    with_transfer(issue(nest, machine), nest, machine, f64::INFINITY)
}

/// The cost of a nest without that of moving data.
pub(crate) fn issue(nest: &Nest, machine: &Machine) -> Cost {
    let mut cost = Cost::default();
    for statement in &nest.statements {
        cost.issue += issue_cycles(statement, nest, machine);
    }
    cost.issue = cost.issue.max(depth::cycles(nest, machine));
    cost
}

/// This cost of a nest with that of moving data, or a part of it that needs so many cycles.
pub(crate) fn with_transfer(mut cost: Cost, nest: &Nest, machine: &Machine, limit: f64) -> Cost {
    let is_crowded = |access: &AccessModel| !nest.interleaved && !nest.prefetches && jumps(access, machine);
    let moved = moved(nest, machine, is_crowded);
    let traffic = Traffic::of(nest, &moved, machine);
    for reference in &moved {
        let (transfer, memory) = traffic.cycles(reference);
        cost.transfer += transfer;
        cost.memory += memory;
        if cost.cycles() >= limit {
            return cost;
        }
    }
    cost.transfer += traffic.walks(&moved);
    cost
}

/// Whether the innermost loop turns into vector code: no dependence in the way but that of a
/// reduction, contiguous or invariant reads, contiguous writes.
pub fn is_vectorizable(statement: &StatementModel) -> bool {
    let reduces = !statement.parallel && statement.work.reduces;
    (statement.parallel || reduces)
        && statement.work.whole_loops.is_none_or(|loops| loops.lanes.is_some())
        && statement.accesses.iter().enumerate().all(|(number, access)| match access.strides.last() {
            _ if statement.work.is_bent(number) => false,
            Some(&stride) => stride == access.bytes() || (stride == 0.0 && (!access.write() || reduces)),
            None => false,
        })
}

impl Nest {
    /// Iterations of the innermost loop around a statement, in the mean.
    fn inner_trip(&self, statement: &StatementModel) -> f64 {
        (self.trips.last().copied().unwrap_or(1.0) * (1.0 - statement.cut)).max(1.0)
    }
}

/// How many neighbouring bytes an access goes along, in at most as many places as the hardware
/// follows at a time.
fn run_bytes(access: &AccessModel, trips: &[f64], machine: &Machine) -> f64 {
    let (mut run, mut streams) = (access.bytes(), 1.0);
    for (&stride, &trip) in
        access.strides.iter().zip(trips).rev().filter(|(stride, trip)| **stride != 0.0 && **trip > 1.0)
    {
        if stride <= run + machine.memory.line_bytes as f64 {
            run += stride * (trip - 1.0);
        } else if streams * trip <= machine.prefetch.streams as f64 {
            streams *= trip;
        } else {
            break;
        }
    }
    run
}

/// Misses of a cache, where boxes of loops touch so many bytes, outermost first, and `misses(b)`
/// are those if box `b` and all inside of it stay in the cache and nothing else does, with the
/// number of boxes for `b` if none does. A box that stays in part counts as far as it does.
pub(crate) fn partly(bytes: &[f64], cache: u64, misses: impl Fn(usize) -> f64) -> f64 {
    let mut kept = 0.0;
    let mut result = 0.0;
    for (index, &bytes) in bytes.iter().enumerate() {
        let part = 1.0 - lost(bytes, cache);
        if part > kept {
            result += (part - kept) * misses(index);
            kept = part;
        }
    }
    if kept < 1.0 { result + (1.0 - kept) * misses(bytes.len()) } else { result }
}

/// What all references of a nest have in common on their way through the caches.
struct Traffic<'a> {
    nest: &'a Nest,
    machine: &'a Machine,
    /// See [`footprints`].
    footprints: Vec<f64>,
    /// The same in the first cache, where some lines are crowded; empty where none are.
    crowded: Vec<f64>,
    /// Iterations of so many loops together, outermost first.
    iterations: Vec<f64>,
    /// Iterations of all loops.
    total: f64,
    /// Some access of the innermost loop goes from line to line that are not neighbours.
    jumps: bool,
}

impl<'a> Traffic<'a> {
    fn of(nest: &'a Nest, moved: &[Moved<'_>], machine: &'a Machine) -> Self {
        let mut iterations = vec![1.0; nest.trips.len() + 1];
        for (loops, trip) in nest.trips.iter().enumerate() {
            iterations[loops + 1] = iterations[loops] * trip;
        }
        Traffic {
            nest,
            machine,
            footprints: bytes_of(
                footprints(moved, |index| &moved[index].lines, nest.trips.len()),
                machine.memory.line_bytes,
            ),
            crowded: crowded_footprints(nest, moved, machine),
            total: iterations[nest.trips.len()].max(1.0),
            iterations,
            jumps: nest.statements.iter().any(|s| s.accesses.iter().any(|access| jumps(access, machine))),
        }
    }

    /// Cycles to move the lines of a reference through all levels, and those of the last one, the
    /// main memory.
    fn cycles(&self, reference: &Moved<'_>) -> (f64, f64) {
        let Traffic { nest, machine, ref footprints, .. } = *self;
        let access = reference.access;
        // Tiles of which one side jumps in any case are made for that side.
        let is_scattered = jumps(access, machine) && !nest.interleaved;
        let run = match nest.interleaved || nest.prefetches || self.jumps {
            true => f64::INFINITY,
            false => run_bytes(access, &nest.trips, machine) / machine.memory.line_bytes as f64,
        };
        let (mut cycles, mut last) = (0.0, 0.0);
        let away = access.reference.kept.unwrap_or(machine.caches.len());
        for (level, own) in machine.caches.iter().enumerate().take(away) {
            let (cache, line_cycles) = (own.counted_bytes(), own.fill_cycles);
            let misses = |footprints: &[f64]| {
                partly(&footprints[1..], cache, |kept| self.iterations[kept] * reference.lines[kept])
            };
            let again = match level == 0 && is_scattered && !self.crowded.is_empty() {
                true => self.brought_again(reference, misses(&self.crowded) - misses(footprints)),
                false => 0.0,
            };
            let misses = misses(footprints);
            // `misses` counts a full box of iterations; statements of triangular domains execute
            // part of it.
            let write_back = if reference.write { 1.5 } else { 1.0 };
            // Caches are near enough for the processor to have asked in time for what is there, in
            // almost whatever order; data that the last one holds are fetched once at most.
            let is_last = level + 1 == machine.caches.len();
            let is_far = if is_last { lost(footprints[0], cache) } else { 0.0 };
            let alone = is_far * (machine.prefetch.start_lines / run).min(1.0);
            let apart = if is_scattered { is_far } else { alone };
            let near = if is_scattered && level > 0 { machine.memory.near_scattered_factor } else { 1.0 };
            let factor = (1.0 + (machine.memory.scattered_factor - 1.0) * apart).max(near);
            last = misses * self.part(reference) * line_cycles * factor * write_back + again;
            cycles += last;
        }
        (cycles, last)
    }

    /// The part of all iterations in which there is a reference.
    fn part(&self, reference: &Moved<'_>) -> f64 {
        (reference.instances / self.total).min(1.0)
    }

    /// Cycles to bring so many crowded lines to the first cache that it would have kept elsewhere.
    fn brought_again(&self, reference: &Moved<'_>, lines: f64) -> f64 {
        let memory = self.machine.memory;
        let line = if reference.write { memory.crowded_store_cycles } else { memory.crowded_load_cycles };
        lines.max(0.0) * self.part(reference) * line
    }

    /// Cycles to look up the addresses of pages.
    fn walks(&self, moved: &[Moved<'_>]) -> f64 {
        let Traffic { nest, machine: &Machine { pages: at, .. }, .. } = *self;
        // Each page that a loop comes to has a line of its own there.
        let lines: f64 = moved.iter().map(|reference| reference.lines[0]).sum();
        if !self.jumps || lines <= at.kept as f64 {
            return 0.0;
        }
        let pages: Vec<Vec<f64>> =
            moved.iter().map(|reference| lines_of(reference.access, &nest.trips, at.bytes)).collect();
        let footprints = bytes_of(footprints(moved, |index| &pages[index], nest.trips.len()), at.bytes);
        let walks = |(reference, pages): (&Moved<'_>, &Vec<f64>)| {
            let misses = partly(&footprints[1..], at.kept * at.bytes, |kept| self.iterations[kept] * pages[kept]);
            misses * self.part(reference)
        };
        moved.iter().zip(&pages).map(walks).sum::<f64>() * at.walk_cycles
    }
}

/// See [`footprints`]: in the first cache, with the room that crowded lines take; empty where there
/// are none. Code that asks for lines ahead has copies of such columns.
fn crowded_footprints(nest: &Nest, moved: &[Moved<'_>], machine: &Machine) -> Vec<f64> {
    if moved.iter().all(|reference| reference.crowding.is_empty()) {
        return Vec::new();
    }
    let room = |reference: &Moved<'_>| match reference.crowding.is_empty() {
        true => reference.lines.clone(),
        false => reference.lines.iter().zip(&reference.crowding).map(|(lines, times)| lines * times).collect(),
    };
    let room: Vec<Vec<f64>> = moved.iter().map(room).collect();
    bytes_of(footprints(moved, |index| &room[index], nest.trips.len()), machine.memory.line_bytes)
}

/// Bytes of lines.
fn bytes_of(mut lines: Vec<f64>, line_bytes: u64) -> Vec<f64> {
    lines.iter_mut().for_each(|lines| *lines *= line_bytes as f64);
    lines
}

/// The innermost loop goes over lines that are not neighbours.
fn jumps(access: &AccessModel, machine: &Machine) -> bool {
    access.strides.last().is_some_and(|&stride| stride >= 2.0 * machine.memory.line_bytes as f64)
}

#[cfg(test)]
mod tests {
    use super::lines::lines;
    use super::*;
    use crate::machine::tests::usual;

    const N: f64 = 1000.0;

    /// `C[i][j] += A[i][k] * B[k][j]` with the loops in the order given by the letters.
    fn matmul(order: &str) -> Nest {
        let row = 8.0 * N;
        let stride = |i: f64, j: f64, k: f64| {
            order
                .chars()
                .map(|c| match c {
                    'i' => i,
                    'j' => j,
                    _ => k,
                })
                .collect::<Vec<_>>()
        };
        let access = |strides: Vec<f64>, write: bool, group: usize| AccessModel {
            strides,
            reference: Reference { bytes: 8.0, write, array: group, group, kept: None },
        };
        let inner = order.chars().last().expect("an order has letters");
        Nest {
            trips: vec![N; 3],
            statements: vec![StatementModel {
                accesses: vec![
                    access(stride(row, 8.0, 0.0), false, 0),
                    access(stride(row, 0.0, 8.0), false, 1),
                    access(stride(0.0, 8.0, row), false, 2),
                    access(stride(row, 8.0, 0.0), true, 0),
                ],
                work: Work { simple: 1.0, ..Work::default() },
                instances: N * N * N,
                cut: 0.0,
                parallel: inner != 'k',
                recurrence: inner == 'k',
                handed_on: true,
            }],
            interleaved: false,
            prefetches: false,
        }
    }

    /// Splits every loop into a tile loop and a point loop of `size` iterations.
    fn tiled(nest: &Nest, size: f64) -> Nest {
        let mut result = nest.clone();
        result.trips = nest.trips.iter().map(|t| t / size).chain(nest.trips.iter().map(|_| size)).collect();
        for access in result.statements.iter_mut().flat_map(|s| &mut s.accesses) {
            access.strides = access.strides.iter().map(|s| s * size).chain(access.strides.iter().copied()).collect();
        }
        result
    }

    #[test]
    fn unit_stride_inner_loop_beats_dot_product() {
        let machine = usual();
        let dot = estimate(&matmul("ijk"), &machine).cycles();
        let row = estimate(&matmul("ikj"), &machine).cycles();
        let column = estimate(&matmul("jki"), &machine).cycles();
        assert!(row * 4.0 < dot, "row order {row}, dot product {dot}");
        assert!(dot < column, "dot product {dot}, column order {column}");
    }

    #[test]
    fn tiling_lowers_transfer_of_matmul() {
        let machine = usual();
        let plain = estimate(&matmul("ikj"), &machine);
        let tiles = estimate(&tiled(&matmul("ikj"), 32.0), &machine);
        assert!(tiles.transfer < plain.transfer, "{tiles:?} against {plain:?}");
    }

    #[test]
    fn a_reduction_is_vector_code_where_its_operands_are_contiguous() {
        let mut nest = matmul("ijk");
        nest.statements[0].work.reduces = true;
        assert!(!is_vectorizable(&nest.statements[0]));
        // Both factors along `k`, the result invariant.
        nest.statements[0].accesses[2].strides = vec![0.0, 8.0 * N, 8.0];
        assert!(is_vectorizable(&nest.statements[0]));
        nest.statements[0].work.reduces = false;
        assert!(!is_vectorizable(&nest.statements[0]));
    }

    #[test]
    fn chains_of_short_loops_overlap() {
        let machine = Machine::default();
        let per_instance = |trip: f64| {
            let mut nest = matmul("jki");
            nest.statements[0].recurrence = true;
            nest.trips[2] = trip;
            nest.statements[0].instances = N * N * trip;
            estimate(&nest, &machine).issue / nest.statements[0].instances - machine.code.loop_cycles / trip
        };
        assert!((per_instance(N) - machine.latency.flop).abs() < 1e-9);
        assert!(per_instance(10.0) < 0.5 * machine.latency.flop);
    }

    #[test]
    fn statements_side_by_side_are_vector_code() {
        let machine = usual();
        let mut nest = matmul("jki");
        nest.statements[0].instances /= 8.0;
        let one = estimate(&nest, &machine);
        nest.statements = vec![nest.statements[0].clone(); 8];
        let eight = estimate(&nest, &machine);
        assert!(eight.issue < 4.0 * one.issue, "one {one:?}, eight {eight:?}");
        assert_eq!(eight.transfer, one.transfer);
        // Others are not.
        for (number, statement) in nest.statements.iter_mut().enumerate() {
            statement.accesses[0].reference.group = 10 + number;
        }
        assert_eq!(estimate(&nest, &machine).issue, 8.0 * one.issue);
    }

    #[test]
    fn references_to_one_array_are_not_counted_beyond_it() {
        let machine = usual();
        let mut nest = matmul("ijk");
        let bytes = |nest: &Nest| {
            let moved = moved(nest, &machine, |_| false);
            bytes_of(footprints(&moved, |index| &moved[index].lines, 3), machine.memory.line_bytes)
        };
        let apart = bytes(&nest);
        nest.statements[0].accesses.iter_mut().for_each(|access| access.reference.array = 0);
        let shared = bytes(&nest);
        assert!(shared[0] < 1.1 * 8.0 * N * N && apart[0] > 2.9 * 8.0 * N * N, "{shared:?} {apart:?}");
        assert_eq!(shared[3], apart[3]);
    }

    #[test]
    fn a_part_of_the_cost_says_that_it_is_too_much() {
        let machine = usual();
        for order in ["ijk", "ikj", "jki"] {
            let nest = matmul(order);
            let whole = estimate(&nest, &machine);
            assert_eq!(with_transfer(issue(&nest, &machine), &nest, &machine, 1.001 * whole.cycles()), whole);
            for part in [0.01, 0.5, 0.9, 1.0] {
                let limit = part * whole.cycles();
                let known = with_transfer(issue(&nest, &machine), &nest, &machine, limit).cycles();
                assert!((limit..=whole.cycles()).contains(&known), "{known} of {whole:?}, limit {limit}");
            }
        }
    }

    #[test]
    fn columns_of_rows_a_power_of_two_apart_wait_for_places() {
        let machine = usual();
        // `a[j][i]` in the order i, j, in an array that the second cache holds.
        let transfer = |pitch: f64, write: bool| {
            let access = AccessModel {
                strides: vec![4.0, pitch],
                reference: Reference { bytes: 4.0, write, array: 0, group: 0, kept: None },
            };
            let statement = StatementModel {
                accesses: vec![access],
                work: Work { simple: 1.0, ..Work::default() },
                instances: 65536.0,
                cut: 0.0,
                parallel: true,
                recurrence: false,
                handed_on: true,
            };
            let nest =
                Nest { trips: vec![256.0; 2], statements: vec![statement], interleaved: false, prefetches: false };
            estimate(&nest, &machine).transfer / 65536.0
        };
        assert!(transfer(1088.0, false) < 2.0 && transfer(1088.0, true) < 3.0, "other rows");
        let memory = machine.memory;
        assert!(transfer(1024.0, false) > 0.9 * memory.crowded_load_cycles);
        assert!(transfer(1024.0, true) > 0.9 * memory.crowded_store_cycles);
    }

    #[test]
    fn runs_of_narrow_tiles_are_short() {
        let machine = usual();
        let run = |strides: &[f64], trips: &[f64]| {
            let reference = Reference { bytes: 8.0, write: false, array: 0, group: 0, kept: None };
            run_bytes(&AccessModel { strides: strides.to_vec(), reference }, trips, &machine)
        };
        // Rows of a matrix, one after the other: everything.
        assert_eq!(run(&[8000.0, 8.0], &[1000.0, 1000.0]), 8e6);
        // Columns.
        assert_eq!(run(&[8.0, 8000.0], &[1000.0, 1000.0]), 8.0);
        // Tiles of 500 rows of 64 columns.
        assert_eq!(run(&[512.0, 8000.0, 8.0], &[15.0, 500.0, 64.0]), 512.0);
        // Blocks of 16 rows are as many streams, along all columns.
        assert_eq!(run(&[128_000.0, 512.0, 8000.0, 8.0], &[62.0, 15.0, 16.0, 64.0]), 15.0 * 512.0);
    }

    #[test]
    fn what_is_a_little_too_large_for_a_cache_stays_in_part() {
        let cache = 1000;
        let misses = |bytes: [f64; 2]| partly(&bytes, cache, |level| [1.0, 10.0, 100.0][level]);
        assert_eq!(misses([700.0, 70.0]), 1.0);
        assert_eq!(misses([1300.0, 700.0]), 10.0);
        assert_eq!(misses([1400.0, 1400.0]), 100.0);
        assert!((misses([1000.0, 100.0]) - 5.5).abs() < 1e-9, "half of the outer box is lost");
    }

    #[test]
    fn a_stream_costs_what_the_level_behind_gives() {
        // Two arrays, gone through again and again; twice as many steps, twice the time; the
        // farther, the longer.
        let machine = usual();
        let sweep = |bytes: f64| {
            let elements = bytes / 16.0;
            let access = |write: bool, group: usize| AccessModel {
                strides: vec![0.0, 8.0],
                reference: Reference { bytes: 8.0, write, array: group, group, kept: None },
            };
            let statement = StatementModel {
                accesses: vec![access(false, 0), access(true, 1)],
                work: Work { simple: 1.0, ..Work::default() },
                instances: 100.0 * elements,
                cut: 0.0,
                parallel: true,
                recurrence: false,
                handed_on: true,
            };
            let nest = Nest {
                trips: vec![100.0, elements],
                statements: vec![statement],
                interleaved: false,
                prefetches: false,
            };
            estimate(&nest, &machine).transfer / (100.0 * bytes / 64.0)
        };
        let [near, second, third, memory] = [16e3, 400e3, 10e6, 200e6].map(sweep);
        assert!(near < 0.5 && second < 2.5 && (second..8.0).contains(&third) && memory > 3.0 * third);
    }

    #[test]
    fn loops_over_one_dimension_meet_again() {
        let machine = usual();
        let nest = matmul("ijk");
        let count = |strides: &[f64], trips: &[f64]| {
            let access = AccessModel { strides: strides.to_vec(), ..nest.statements[0].accesses[0].clone() };
            lines(&access, trips, machine.memory.line_bytes)[0]
        };
        // a[i + j]: 199 elements.
        assert_eq!(count(&[8.0, 8.0], &[100.0, 100.0]), 199.0 * 8.0 / 64.0);
        // a[i + j][k]: 199 rows.
        assert_eq!(count(&[8000.0, 8000.0, 8.0], &[100.0, 100.0, 8.0]), 199.0);
        // a[i][j]: all different; so it is where the trip count of a skewed loop is larger than a
        // row.
        assert_eq!(count(&[800.0, 8.0], &[100.0, 100.0]), 100.0 * 100.0 / 8.0);
        assert_eq!(count(&[80_000.0, 800.0, 8.0], &[500.0, 500.0, 8.0]), 500.0 * 500.0);
    }

    #[test]
    fn short_rows_of_triangles_cost_more_per_point() {
        let machine = usual();
        let mut nest = matmul("ikj");
        nest.trips[2] = 32.0;
        let whole = estimate(&nest, &machine).issue;
        nest.statements[0].cut = 0.5;
        assert!(estimate(&nest, &machine).issue > 1.2 * whole);
    }

    #[test]
    fn rows_of_the_original_that_are_unrolled_have_no_ends() {
        let mut machine = Machine::default();
        machine.vectors.loop_bytes = 64;
        let per_row = |trip: f64| {
            let mut nest = matmul("ikj");
            nest.trips[2] = trip;
            estimate(&nest, &machine).issue / nest.statements[0].instances * trip
        };
        // Two vectors and a quarter of one; three, a half, and three points one by one.
        assert!(per_row(18.0) < 0.5 * per_row(27.0));
    }

    #[test]
    fn divisions_keep_their_unit_busy_as_long_as_its_width_says() {
        let mut machine = usual();
        let one = Divisions { quotients: 1.0, ..Divisions::default() };
        let per_lane =
            |divisions: Divisions, machine: &Machine| divisions.busy(4.0, machine) / divisions.busy(1.0, machine);
        machine.divider.vector_bytes = 32;
        assert_eq!(per_lane(one, &machine), 1.0);
        machine.divider.vector_bytes = 16;
        assert_eq!(per_lane(one, &machine), 2.0);
        assert_eq!(per_lane(Divisions { short: true, ..one }, &machine), 1.0);
        // Functions are called lane by lane.
        assert_eq!(per_lane(Divisions { calls: 1.0, ..Divisions::default() }, &machine), 4.0);
        // The second half of a vector is there later by as long as the first one keeps the unit
        // busy.
        assert_eq!(one.latency(4.0, &machine), machine.latency.divide + machine.divider.double_cycles);
        assert_eq!(one.latency(2.0, &machine), machine.latency.divide);
    }

    #[test]
    fn what_is_bent_is_not_vector_code() {
        let mut statement = matmul("ikj").statements[0].clone();
        assert!(is_vectorizable(&statement));
        statement.work.bent = 1 << 2;
        assert!(!is_vectorizable(&statement));
    }

    #[test]
    fn a_recurrence_is_not_vector_code() {
        assert!(!is_vectorizable(&matmul("ijk").statements[0]));
        assert!(is_vectorizable(&matmul("ikj").statements[0]));
        // Strided.
        assert!(!is_vectorizable(&matmul("jki").statements[0]));
    }

    #[test]
    fn more_pages_than_are_kept_are_looked_up_each_time() {
        let machine = usual();
        // `a[j][i]` in the order i, j: a page for every iteration of j.
        let cycles = |rows: f64| {
            let columns = 8.0;
            let strides = vec![8.0, 8192.0];
            let access = AccessModel {
                strides,
                reference: Reference { bytes: 8.0, write: false, array: 0, group: 0, kept: None },
            };
            let work = Work { simple: 1.0, ..Work::default() };
            let instances = rows * columns;
            let statement = StatementModel {
                accesses: vec![access],
                work,
                instances,
                cut: 0.0,
                parallel: true,
                recurrence: false,
                handed_on: true,
            };
            let nest =
                Nest { trips: vec![columns, rows], statements: vec![statement], interleaved: false, prefetches: false };
            let moved = moved(&nest, &machine, |_| false);
            Traffic::of(&nest, &moved, &machine).walks(&moved) / instances
        };
        // All are kept: looking up each of them once is not counted.
        assert_eq!(cycles(0.5 * machine.pages.kept as f64), 0.0);
        assert_eq!(cycles(4.0 * machine.pages.kept as f64), machine.pages.walk_cycles);
    }
}
