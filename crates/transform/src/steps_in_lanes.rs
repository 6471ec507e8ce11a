//! Recurrences along two loops: iterations of one are lanes of vectors, each a step behind the one
//! before.
//!
//! # Problem
//! In `d[i][j] = min(d[i - 1][j - 1], d[i - 1][j], d[i][j - 1]) + c[i][j]` both loops carry
//! dependences, as in most tables of dynamic programming and in sweeps in place. Points of a
//! diagonal `i + j` do not depend on each other, but lie rows apart. With row `i + l` in lane `l`
//! of a vector, `l` columns behind the first one, nearly everything that a step reads is what this
//! lane or the one beside it has had one step before.
//!
//! # Structure
//! A loop over strips of one member, as wide as one or a few vectors; in it a loop over steps, the
//! sum of this member and another one; innermost the lanes. Both members may be any two of the
//! band, which keeps its other loops outside.
//!
//! # Model
//! A step takes as long as what its vectors keep busy, or as the chain from one step to the next,
//! which goes through a shift. Of an array with a write, what has been written before is in
//! registers (a shift for each row of another lane); what is still to be written, and arrays
//! without a write, come from memory: one vector for each array and step, the rows beside it by
//! shifts. Where lanes are rows apart and the steps go along the rows, a vector is a part of a
//! square that is transposed in registers; other vectors are accessed lane by lane.
//!
//! At both ends of a strip some lanes have no points, and rows that are left fill no strip: these
//! points are executed one by one. What is moved between caches is the same as for other innermost
//! loops of the strip's width ([`predict`]).
//!
//! Reference: wavefronts after [Lamport1974].

use crate::Machine;
use crate::choose::{BandFacts, predict};
use crate::cost::Cost;
use crate::register::square_cycles;
use crate::time_tile::{ShapedAccess, ShapedStatement, wavefront_lanes};

/// Most vectors side by side: chains of more hide no more latency.
const MAX_VECTORS: u64 = 4;

/// What the structure may cost at most in relation to the best other one.
const MARGIN: f64 = 0.9;

/// The same for more vectors in relation to fewer: ends of wide strips are long.
const FURTHER_MARGIN: f64 = 0.95;

/// Part of the points that must be in steps in which all lanes have points. With fewer of them, it
/// matters more what LLVM makes of the other ones and of the original than is predicted well.
const LEAST_IN_VECTORS: f64 = 0.6;

/// How many times as long as the chain along the steps the longest one through other lanes is: it
/// has more operations, and vectors compare and choose with two of them where numbers have one.
/// Measured with 4 lanes, cycles from step to step: an alignment of doubles 23 (chain of 8 cycles),
/// a Gauss-Seidel sweep 26 (chain of 12).
const LONGEST_PATH: f64 = 2.0;

/// A band in strips of lanes.
#[derive(Clone, Debug, PartialEq)]
pub struct StepsInLanes {
    /// The member whose iterations are lanes.
    pub strip: usize,
    /// The member that the steps go along.
    pub along: usize,
    /// Lanes of a strip.
    pub width: u64,
    /// Predicted cost.
    pub cost: Cost,
}

/// A band that may be executed in strips of lanes.
#[derive(Clone, Copy, Debug)]
pub struct SteppedBand<'a> {
    /// Its facts, as all structures are judged by.
    pub facts: &'a BandFacts,
    /// Its statements, with their subscripts.
    pub statements: &'a [ShapedStatement],
}

/// The best strips of a band, if they are predicted to be faster than `best`.
pub fn steps_in_lanes(band: &SteppedBand<'_>, best: Cost, machine: &Machine) -> Option<StepsInLanes> {
    let facts = band.facts;
    let members = facts.coincident.len();
    if facts.keep_order || !facts.permutable || members < 2 {
        return None;
    }
    let lanes = wavefront_lanes(band.statements, machine)?;
    let pairs = (0..members).flat_map(|strip| (0..members).map(move |along| (strip, along)));
    let is_carried = |&(strip, along): &(usize, usize)| {
        strip != along && !facts.innermost_parallel[strip] && !facts.innermost_parallel[along]
    };
    let mut found: Option<StepsInLanes> = None;
    for (strip, along) in pairs.filter(is_carried) {
        for vectors in 1..=MAX_VECTORS {
            let width = vectors * lanes;
            let margin = if vectors == 1 { 0.999 } else { FURTHER_MARGIN };
            let Some(cost) = predicted(band, (strip, along, width), machine) else { break };
            if found.as_ref().is_none_or(|known| cost.cycles() < margin * known.cost.cycles()) {
                found = Some(StepsInLanes { strip, along, width, cost });
            }
        }
    }
    found.filter(|found| found.cost.is_below(MARGIN, best))
}

/// The cost of strips of a member, so many lanes wide, with steps along another one; `None` where
/// too few points would be in vectors.
pub fn predicted(
    band: &SteppedBand<'_>,
    (strip, along, width): (usize, usize, u64),
    machine: &Machine,
) -> Option<Cost> {
    let members = band.facts.coincident.len();
    let others = (0..members).filter(|&m| m != strip && m != along);
    let order: Vec<usize> = others.chain([along, strip]).collect();
    let sizes = (0..members).map(|m| if m == strip { width } else { 0 }).collect();
    let in_order = predict(band.facts, &order, Some(&(vec![strip], sizes)), machine);
    let lanes = wavefront_lanes(band.statements, machine)?;
    let strip = Strip { strip, along, width: width as f64, lanes: lanes as f64 };
    let shape = Shape::of(band.statements, &strip);
    if shape.part_in_vectors(&strip) < LEAST_IN_VECTORS {
        return None;
    }
    let issue = issue(band.statements, &strip, &shape, machine);
    Some(Cost { issue, ..in_order })
}

/// A strip of lanes.
struct Strip {
    strip: usize,
    along: usize,
    width: f64,
    lanes: f64,
}

/// Loops in strips, in the mean.
struct Shape {
    /// Iterations of the member that is cut in strips, and of the one that steps go along.
    rows: f64,
    length: f64,
    /// Whole strips, and the iterations that fill none. How many iterations there are is known only
    /// roughly: what is left fills half of a strip.
    strips: f64,
    left: f64,
    /// Steps of a strip before all lanes have points, and those in which they have.
    lead: f64,
    full: f64,
}

impl Shape {
    fn of(statements: &[ShapedStatement], strip: &Strip) -> Self {
        let most = |member: usize| statements.iter().map(|s| s.rows[member]).fold(1.0, f64::max);
        let (rows, length) = (most(strip.strip), most(strip.along));
        let lead = strip.width - 1.0;
        let left = rows.min(0.5 * lead);
        Self { rows, length, strips: (rows - left) / strip.width, left, lead, full: (length - lead).max(0.0) }
    }

    fn part_in_vectors(&self, strip: &Strip) -> f64 {
        self.strips * strip.width * self.full / (self.rows * self.length)
    }
}

/// Cycles to issue the instances of a band.
fn issue(statements: &[ShapedStatement], strip: &Strip, shape: &Shape, machine: &Machine) -> f64 {
    let most = |of: &dyn Fn(&ShapedStatement) -> f64| statements.iter().map(of).fold(0.0, f64::max);
    let &Shape { rows, length, strips, left, lead, full } = shape;
    let executions = most(&|s| s.instances) / (rows * length);
    let sum = |of: &dyn Fn(&ShapedStatement) -> f64| statements.iter().map(of).sum::<f64>();
    let operations = sum(&|s| s.work.simple) / machine.core.flops_per_cycle;
    let in_vectors = sum(&|s| s.work.in_vectors(machine)) / machine.core.flops_per_cycle;
    let vectors = strip.width / strip.lanes;
    let divide = sum(&|s| s.work.divisions.busy(strip.lanes, machine));
    let busy = vectors * divide.max(accesses(statements, strip, machine) + in_vectors);
    let chain = most(&|s| s.work.chain_cycles(machine));
    // What a step hands on stays in registers.
    let own = most(&|s| s.work.chain_in_vectors(machine));
    let step = busy.max(LONGEST_PATH * own + machine.latency.shift);
    // Steps in which some lanes have no points are executed point by point, with an address for
    // each access.
    let all = sum(&|s| s.accesses.len() as f64);
    let point = sum(&|s| s.work.divisions.busy(1.0, machine))
        + operations
        + 2.0 * all / machine.core.accesses_per_cycle
        + machine.latency.simple;
    let some = |lanes: f64| (lanes * point + machine.code.restart_cycles).max(chain + machine.latency.memory);
    let ends = (length + lead) - full;
    let whole = full * step + ends * some(0.5 * strip.width) + machine.code.row_cycles;
    let rest = (length + left) * some(left * length / (length + left));
    executions * (strips * whole + rest)
}

/// Cycles for the accesses of one vector in one step.
fn accesses(statements: &[ShapedStatement], strip: &Strip, machine: &Machine) -> f64 {
    let all = || statements.iter().flat_map(|s| &s.accesses);
    let mut rows: Vec<(usize, Vec<(f64, f64)>)> = Vec::new();
    let mut loaded: Vec<usize> = Vec::new();
    let mut cycles = 0.0;
    for access in all() {
        if access.write {
            cycles += vector_cycles(access, strip, machine.vectors.scatter_cycles, machine);
            continue;
        }
        if !access.moves(strip.along) {
            // It stays in a register.
            continue;
        }
        let key = access.row(strip.along);
        if rows.contains(&key) {
            continue;
        }
        rows.push(key);
        let written = all().find(|write| write.write && write.array == access.array);
        // What is written before it is read; only the row of the lane itself needs no shift.
        if let Some(write) = written
            && !access.is_ahead_of(write)
        {
            cycles +=
                if access.row(strip.along) == write.row(strip.along) { 0.0 } else { machine.vectors.shift_cycles };
        } else if !access.moves(strip.strip) || loaded.contains(&access.array) {
            cycles += machine.vectors.shift_cycles;
        } else {
            loaded.push(access.array);
            cycles += vector_cycles(access, strip, machine.vectors.gather_cycles, machine);
        }
    }
    cycles
}

/// Cycles to access a vector of elements that different lanes have.
fn vector_cycles(access: &ShapedAccess, strip: &Strip, by_lane: f64, machine: &Machine) -> f64 {
    let Some((last, outer)) = access.subscripts.split_last() else { return 0.0 };
    let across = |slopes: &[f64]| slopes[strip.strip] - slopes[strip.along];
    if outer.iter().all(|s| across(&s.slopes) == 0.0) && across(&last.slopes) == 1.0 {
        return 1.0 / machine.core.accesses_per_cycle;
    }
    let is_along = last.slopes[strip.along].abs() == 1.0 && outer.iter().all(|s| s.slopes[strip.along] == 0.0);
    if is_along && matches!(access.bytes, 4.0 | 8.0) {
        square_cycles(strip.lanes as u64)
    } else {
        strip.lanes * by_lane
    }
}

impl ShapedAccess {
    /// Some subscript moves with a member.
    fn moves(&self, member: usize) -> bool {
        self.subscripts.iter().any(|s| s.slopes[member] != 0.0)
    }

    /// What a member does not move.
    fn row(&self, along: usize) -> (usize, Vec<(f64, f64)>) {
        let fixed = self.subscripts.iter().filter(|s| s.slopes[along] == 0.0);
        (self.array, fixed.map(|s| s.offsets).collect())
    }

    /// Whether its elements lie ahead of those of a write: in the first subscript in which they
    /// differ, where loops that move it come to later.
    fn is_ahead_of(&self, write: &Self) -> bool {
        let differs = self.subscripts.iter().zip(&write.subscripts).find(|(own, other)| own.offsets != other.offsets);
        differs.is_some_and(|(own, other)| {
            let grows = other.slopes.iter().find(|slope| **slope != 0.0).is_none_or(|slope| *slope > 0.0);
            (own.offsets.0 > other.offsets.0) == grows
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choose::LoopFacts;
    use crate::choose::tests::chains;
    use crate::cost::{Divisions, Work};
    use crate::machine::tests::{usual, wide};
    use crate::time_tile::Subscript;

    const ROW: f64 = 4000.0;

    fn shaped(array: usize, write: bool, (i, j): (f64, f64), trip: f64) -> ShapedAccess {
        let subscript = |member: usize, offset: f64| Subscript {
            slopes: (0..2).map(|m| if m == member { 1.0 } else { 0.0 }).collect(),
            offsets: (offset, offset),
            range: trip,
        };
        ShapedAccess { array, bytes: 4.0, write, subscripts: vec![subscript(0, i), subscript(1, j)] }
    }

    /// `d[i][j]` of three neighbours, of so many rows and columns.
    fn table(trip: f64) -> (BandFacts, Vec<ShapedStatement>) {
        let mut facts = chains(trip, ROW);
        let work = Work { simple: 6.0, chain: 4.0, stored: 2.0, ..Work::default() };
        let offsets = [(-1.0, -1.0), (-1.0, 0.0), (0.0, -1.0)];
        let mut accesses: Vec<ShapedAccess> = offsets.iter().map(|&at| shaped(0, false, at, trip)).collect();
        accesses.push(shaped(0, true, (0.0, 0.0), trip));
        let statement = &mut facts.statements[0];
        statement.work = work.clone();
        statement.work.divisions = Divisions::default();
        (statement.instances, statement.outer) = (trip * trip, Vec::new());
        statement.accesses = accesses
            .iter()
            .map(|a| crate::Reference { bytes: 4.0, write: a.write, array: 0, group: 0, kept: None })
            .collect();
        statement.constant = vec![false; 4];
        statement.members = [ROW, 4.0].map(|stride| LoopFacts { trip, strides: vec![stride; 4] }).to_vec();
        facts.coincident = vec![false; 2];
        facts.innermost_parallel = vec![false; 2];
        facts.innermost_chained = vec![vec![true]; 2];
        let shaped =
            ShapedStatement { accesses, work, instances: trip * trip, ranges: vec![trip; 2], rows: vec![trip; 2] };
        (facts, vec![shaped])
    }

    fn chosen((facts, statements): &(BandFacts, Vec<ShapedStatement>), machine: &Machine) -> Option<StepsInLanes> {
        let best = predict(facts, &[0, 1], None, machine);
        steps_in_lanes(&SteppedBand { facts, statements }, best, machine)
    }

    #[test]
    fn rows_of_a_table_are_lanes() {
        for machine in [usual(), wide()] {
            let found = chosen(&table(1000.0), &machine).expect("faster");
            assert_eq!((found.strip, found.along), (0, 1));
            assert_eq!(found.width % (machine.vectors.bytes / 4), 0);
        }
    }

    #[test]
    fn short_loops_have_no_strips() {
        assert_eq!(chosen(&table(6.0), &wide()), None);
    }

    #[test]
    fn parallel_loops_have_other_structures() {
        let mut band = table(1000.0);
        band.0.innermost_parallel = vec![true, false];
        assert_eq!(chosen(&band, &usual()), None);
        let mut band = table(1000.0);
        band.0.permutable = false;
        assert_eq!(chosen(&band, &usual()), None);
    }

    #[test]
    fn what_is_still_to_be_written_comes_from_memory() {
        let strip = Strip { strip: 0, along: 1, width: 8.0, lanes: 8.0 };
        let (_, mut statements) = table(1000.0);
        let machine = usual();
        let before = accesses(&statements, &strip, &machine);
        statements[0].accesses.push(shaped(0, false, (1.0, 0.0), 1000.0));
        let after = accesses(&statements, &strip, &machine);
        assert!((after - before - square_cycles(8)).abs() < 1e-9);
        // The row below and the column to the right come from one vector.
        statements[0].accesses.push(shaped(0, false, (0.0, 1.0), 1000.0));
        assert!(accesses(&statements, &strip, &machine) - after <= machine.vectors.shift_cycles);
    }
}
