//! Chains side by side in the lanes of vectors.
//!
//! # Problem
//! Where a loop is a chain of dependences and another one of the band is parallel, as in
//! recurrences along the rows of a matrix, the chains of neighbouring iterations of the parallel
//! loop are vector code: one lane for each, and what a step computes stays in a register for the
//! next step. The accesses of the lanes are contiguous, or rows apart.
//!
//! # Structure
//! A tile loop over strips of the parallel loop, as wide as a few vectors; then the other loops,
//! the chain last; innermost the iterations of a strip.
//!
//! # Model
//! A step of a strip takes as long as its chain, or as what its vectors keep busy: operations,
//! divisions, and accesses. A vector of neighbours is one access; one of rows that the chain goes
//! along element by element is a part of a square that is transposed in registers; any other is
//! accessed lane by lane. What the step before has computed costs nothing. Where each step reads
//! the same element of a row that the chain writes, as the factor `a[i][k]` of
//! `a[i][j] -= a[i][k] * a[k][j]` for all `j`, there are no squares: one of their steps changes
//! what the next ones read. What is moved between the caches is the same as for any other innermost
//! loop of this length ([`predict`]).

use crate::Machine;
use crate::choose::{BandFacts, BandStatement, Choice, keeps_parallel, predict};
use crate::cost::{Cost, Reference, Work};
use crate::register::square_cycles;

/// Most vectors side by side.
const MAX_VECTORS: u64 = 3;

/// What another structure may cost at most in relation to the best one known.
const MARGIN: f64 = 0.9;
/// The same if the best one has the same loops, with iterations of the parallel loop side by side.
const SAME_MARGIN: f64 = 0.98;

/// The same for more vectors in relation to fewer: wide strips fill near caches, and nests with
/// strips of one width can be fused.
const FURTHER_MARGIN: f64 = 0.9;

/// Part of the box of a statement's loops that may be empty: strips whose lanes begin and end at
/// different steps have no blocks.
const MAX_HOLLOW: f64 = 0.02;

/// The loops of a strip.
struct Strip {
    /// The member whose iterations are lanes, and the one that the chain goes along.
    member: usize,
    chain: usize,
    lanes: f64,
    vectors: f64,
}

/// The band with iterations of a parallel loop as lanes within a chain, if that is predicted to be
/// faster than `best`. Vectors have so many lanes. `order` of the result ends with the chain and
/// the parallel loop, which is the only one that is tiled.
pub fn chains_in_lanes(
    best: &Choice,
    band: &BandFacts,
    lanes: u64,
    machine: &Machine,
    parallel_outermost: bool,
) -> Option<Choice> {
    let members = band.coincident.len();
    let is_box = band.statements.iter().all(|s| s.work.hollow <= MAX_HOLLOW);
    if band.keep_order || !band.permutable || members < 2 || lanes < 2 || !is_box || is_vector_code(best, band) {
        return None;
    }
    let members = (0..members).filter(|&m| band.coincident[m] && band.innermost_parallel[m]);
    let members = members.filter(|&m| !parallel_outermost || keeps_parallel(band, &[m]));
    let margin = if best.is_interleaved() { SAME_MARGIN } else { MARGIN };
    let found = members.filter_map(|member| strips_of(member, band, lanes, machine));
    let cheaper = |a: Choice, b: Choice| if b.cost.cycles() < 0.999 * a.cost.cycles() { b } else { a };
    found.reduce(cheaper).filter(|choice| choice.cost.is_below(margin, best.cost))
}

/// The band with strips of a member, as wide as is predicted to be the best; `None` if the
/// innermost of the other loops is no chain.
fn strips_of(member: usize, band: &BandFacts, lanes: u64, machine: &Machine) -> Option<Choice> {
    let members = band.coincident.len();
    let order: Vec<usize> = (0..members).filter(|&m| m != member).chain([member]).collect();
    let chain = order[members - 2];
    if !band.innermost_chained[chain].contains(&true) {
        return None;
    }
    let mut result: Option<(Cost, Choice)> = None;
    for vectors in 1..=MAX_VECTORS {
        let size = lanes * vectors;
        // Of a strip that is wider than the loop, only that loop is left: no strip to code generation.
        if band.statements.iter().any(|s| s.members[member].trip < size as f64) {
            break;
        }
        let sizes = (0..members).map(|m| if m == member { size } else { 0 }).collect();
        let tiles = (vec![member], sizes);
        let in_order = predict(band, &order, Some(&tiles), machine);
        let strip = Strip { member, chain, lanes: lanes as f64, vectors: vectors as f64 };
        // Steps take longer than their chains (17 cycles of a division and another operation: 22
        // measured): the width is chosen as if chains went through memory.
        let careful = Cost { issue: issue(band, &strip, Work::chain_cycles, machine), ..in_order };
        if result.as_ref().is_none_or(|(known, _)| careful.cycles() < FURTHER_MARGIN * known.cycles()) {
            // What is handed on from step to step stays in registers.
            let cost = Cost { issue: issue(band, &strip, Work::computed_chain, machine), ..in_order };
            result = Some((careful, Choice { order: order.clone(), tiles: Some(tiles), cost }));
        }
    }
    result.map(|(_, choice)| choice)
}

/// The innermost loop is vector code as it is, with neighbouring elements only.
fn is_vector_code(choice: &Choice, band: &BandFacts) -> bool {
    let Some(&innermost) = choice.order.last() else { return false };
    band.innermost_parallel[innermost] && !choice.is_interleaved() && band.is_contiguous(innermost)
}

/// Cycles to issue the instances of a band, whose chains take so many cycles.
fn issue(band: &BandFacts, strip: &Strip, chain: impl Fn(&Work, &Machine) -> f64, machine: &Machine) -> f64 {
    let written = |array: usize| {
        let accesses = band.statements.iter().flat_map(|s| &s.accesses);
        accesses.clone().any(|a| a.write && a.array == array)
    };
    let of_statement = |(place, statement): (usize, &BandStatement)| {
        let width = strip.lanes * strip.vectors;
        let accesses = accesses(statement, strip, written, machine);
        let divide = statement.work.divisions.busy(strip.lanes, machine);
        let busy =
            strip.vectors * divide.max(accesses + statement.work.in_vectors(machine) / machine.core.flops_per_cycle);
        let chain = chain(&statement.work, machine);
        let step = if band.innermost_chained[strip.chain][place] { busy.max(chain) } else { busy };
        let trip = statement.members[strip.member].trip.max(1.0);
        let entered = machine.code.loop_cycles / statement.members[strip.chain].trip.max(1.0);
        if machine.vectors.masks {
            // The last strip is masked.
            let strips = (trip / width).ceil() * width / trip;
            return statement.instances * strips * (step + entered) / width;
        }
        // What is left of the last strip is executed point by point, and what is handed on goes
        // through memory.
        let strips = (trip / width).floor();
        let left = trip - strips * width;
        let point = statement.work.divisions.busy(1.0, machine)
            + (statement.accesses.len() as f64 / machine.core.accesses_per_cycle)
                .max(statement.work.simple / machine.core.flops_per_cycle);
        let alone = if left > 0.0 { (left * point).max(chain + machine.latency.memory) + entered } else { 0.0 };
        statement.instances / trip * (strips * (step + entered) + alone)
    };
    band.statements.iter().enumerate().map(of_statement).sum()
}

/// Cycles for the accesses of a statement in one step of one vector.
fn accesses(statement: &BandStatement, strip: &Strip, written: impl Fn(usize) -> bool, machine: &Machine) -> f64 {
    let strides = |access: usize| {
        let of = |member: usize| statement.members[member].strides.get(access).copied().unwrap_or(0.0);
        (of(strip.member), of(strip.chain))
    };
    let (vectors, rereads) = (machine.vectors, rereads(statement, strides));
    let mut seen: Vec<(usize, (f64, f64))> = Vec::new();
    let mut cycles = 0.0;
    for (index, access) in statement.accesses.iter().enumerate() {
        let (across, along) = strides(index);
        let key = (access.group, (across, along));
        // Neighbours are in the same vector or square, those that are accessed lane by lane are not.
        let is_vector = across == access.bytes || across == 0.0;
        let is_square = along == access.bytes && !rereads;
        let is_seen = (is_vector || is_square) && seen.contains(&key);
        if !access.write && (is_seen || (written(access.array) && !rereads)) {
            continue;
        }
        seen.push(key);
        if along == 0.0 && !(rereads && written(access.array)) {
            // It stays in a register.
            continue;
        }
        cycles += if is_vector {
            1.0 / machine.core.accesses_per_cycle
        } else if is_square {
            square_cycles(strip.lanes as u64)
        } else {
            strip.lanes * if access.write { vectors.scatter_cycles } else { vectors.gather_cycles }
        };
    }
    cycles
}

/// Whether the statement reads in each step the same element of what the chain writes element by
/// element in the same lane. `strides` are those of an access across lanes and along the chain.
fn rereads(statement: &BandStatement, strides: impl Fn(usize) -> (f64, f64)) -> bool {
    let accesses = || statement.accesses.iter().enumerate();
    accesses().filter(|(_, read)| !read.write).any(|(index, read)| {
        let (across, along) = strides(index);
        let goes_along = |(index, write): (usize, &Reference)| {
            let own = strides(index);
            write.write && write.array == read.array && own.0 == across && own.1 != 0.0
        };
        across != 0.0 && along == 0.0 && accesses().any(goes_along)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TilingChoice;
    use crate::choose::tests::{chains, cheapest};
    use crate::cost::Divisions;
    use crate::machine::tests::{usual, wide};

    /// Chains of a division and another operation along rows of a thousand elements.
    fn rows(trip: f64) -> BandFacts {
        let mut band = chains(trip, 8000.0);
        band.statements[0].work.simple = 1.0;
        band
    }

    fn chosen(band: &BandFacts) -> Option<Choice> {
        let machine = wide();
        let best = cheapest(band, &TilingChoice::Model, &machine, None);
        chains_in_lanes(&best, band, 8, &machine, false)
    }

    #[test]
    fn chains_along_rows_are_lanes() {
        let choice = chosen(&rows(1000.0)).expect("faster");
        assert_eq!(choice.order, [1, 0]);
        let (order, sizes) = choice.tiles.expect("strips");
        assert_eq!((order, sizes[1]), (vec![0], 0));
        assert!(sizes[0] % 8 == 0 && sizes[0] > 0);
    }

    #[test]
    fn vectors_without_masks_have_lanes() {
        let band = rows(1000.0);
        let machine = usual();
        let best = cheapest(&band, &TilingChoice::Model, &machine, None);
        let choice = chains_in_lanes(&best, &band, 4, &machine, false).expect("faster");
        assert!(choice.tiles.is_some_and(|(_, sizes)| sizes[0] % 4 == 0 && sizes[0] > 0));
        // Chains that fill no vector are executed one by one.
        let cycles = |trip: f64| strips_of(0, &rows(trip), 4, &machine).expect("a chain").cost.issue / trip;
        assert!(cycles(7.0) > 1.1 * cycles(8.0), "{} {}", cycles(7.0), cycles(8.0));
    }

    #[test]
    fn lanes_need_a_parallel_loop_and_a_chain() {
        let mut free = rows(1000.0);
        free.innermost_chained = vec![vec![false], vec![false]];
        assert_eq!(chosen(&free), None);
        let mut chained = rows(1000.0);
        chained.coincident = vec![false, false];
        assert_eq!(chosen(&chained), None);
        let mut fixed = rows(1000.0);
        fixed.permutable = false;
        assert_eq!(chosen(&fixed), None);
    }

    #[test]
    fn a_few_iterations_fill_no_vectors() {
        assert_eq!(chosen(&rows(1.0)), None);
        let choice = chosen(&rows(12.0));
        assert!(choice.is_none_or(|choice| choice.tiles.is_some_and(|(_, sizes)| sizes[0] == 8)));
    }

    #[test]
    fn rows_of_which_each_step_reads_the_same_element_have_no_squares() {
        let mut band = rows(1000.0);
        let statement = &mut band.statements[0];
        (statement.work.divisions, statement.work.chain) = (Divisions::default(), 0.0);
        let fewer = |band: &BandFacts| chosen(band).map(|choice| choice.cost.issue);
        statement.accesses.push(Reference { write: false, ..statement.accesses[2] });
        statement.constant.push(false);
        statement.members[0].strides.push(8000.0);
        statement.members[1].strides.push(8.0);
        let squares = fewer(&band).expect("faster");
        band.statements[0].members[1].strides[3] = 0.0;
        assert!(fewer(&band).is_none_or(|lane_by_lane| lane_by_lane > 1.5 * squares));
    }

    #[test]
    fn triangles_have_no_blocks() {
        let mut band = rows(1000.0);
        band.statements[0].work.hollow = 0.5;
        assert_eq!(chosen(&band), None);
    }
}
