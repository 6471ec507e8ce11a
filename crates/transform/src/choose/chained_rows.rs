//! Tiles in which rows that are chains overlap.
//!
//! # Problem
//! Where each loop of a band carries dependences and there are no vectors, as in Gauss-Seidel
//! stencils, a row of points is a chain: the processor waits for its latency at every point,
//! although the points of other rows could be computed meanwhile. It begins with the next row only
//! where that is near enough in the order of instructions.
//!
//! # Method
//! The innermost loop gets tiles of a few iterations. Rows in a tile are short, and the processor
//! has room for several of them at a time. In a permutable band, no row waits for later points of
//! the row before than its own: it may be one point behind. Of rows of `r` points, `r` are under
//! way at most, and as long as there is room for `n` points, rows of about `sqrt(n)` points are
//! the shortest ones that gain. The other loops stay whole or get tiles, whichever is predicted to
//! be the cheapest.
//!
//! Sums and other chains of associative operations are left alone: LLVM has vectors for them, or a
//! register.
//!
//! This is for tiles whose sizes the program reads, with the processor as it is: to other
//! candidates the model gives no credit for chains that overlap.

use poly_presburger::{Budget, Stop};

use super::{BandFacts, Choice, Purpose, Search, by_position, nest, orders, outer_orders, predict};
use crate::WHOLE;
use crate::cost::iterations_in_flight;

/// Rows are as long as the shortest ones that gain, or so many times longer.
const LENGTHS: [u64; 3] = [1, 2, 4];

/// Sizes of the other members: a tile for the whole loop, a short one, and one as long as some
/// lines of a cache. The model decides which.
const OTHERS: [u64; 3] = [WHOLE, 8, 32];

/// Where so many other members are, or more, they have a single tile: each makes three times as
/// many candidates.
const MANY: usize = 4;

/// Considers short rows where the innermost loop is a chain, instead of `best`.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn overlap_chains(
    best: Choice,
    band: &BandFacts,
    purpose: Purpose<'_>,
    budget: &mut Budget,
) -> Result<Choice, Stop> {
    let members = band.coincident.len();
    let waits = |order: &[usize]| order.last().is_some_and(|&member| band.innermost_chained[member].contains(&true));
    let reduces = band.statements.iter().any(|statement| statement.work.reduces);
    if !band.permutable || band.keep_order || members < 2 || reduces || !waits(&best.order) {
        return Ok(best);
    }
    let orders = orders(members);
    let outer = outer_orders(band, &orders, purpose.sharing);
    let cost = predict(band, &best.order, best.tiles.as_ref(), purpose.machine);
    let mut search = Search { band, purpose, best: Choice { cost, ..best.clone() } };
    for order in outer.into_iter().filter(|order| waits(order)) {
        let room = iterations_in_flight(&nest(band, order, None), purpose.machine);
        let shortest = room.sqrt().ceil().max(1.0) as u64;
        for length in LENGTHS {
            for others in others(members - 1) {
                let sizes: Vec<u64> = others.into_iter().chain([length * shortest]).collect();
                search.consider(order, Some((order.to_vec(), by_position(&sizes, order))), budget)?;
            }
        }
    }
    let is_new = (&search.best.order, &search.best.tiles) != (&best.order, &best.tiles);
    Ok(if is_new { search.best } else { best })
}

/// All sizes of so many members.
fn others(members: usize) -> Vec<Vec<u64>> {
    let choices = if members < MANY { &OTHERS[..] } else { &OTHERS[..1] };
    let mut result = vec![Vec::new()];
    for _ in 0..members {
        let longer = |sizes: Vec<u64>| choices.iter().map(move |&size| sizes.iter().copied().chain([size]).collect());
        result = result.into_iter().flat_map(longer).collect();
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choose::tests::chains;
    use crate::machine::tests::usual;
    use crate::{Machine, TilingChoice};

    const N: f64 = 4000.0;

    /// Each point waits for the one before in its row, and for the one above.
    fn both_ways() -> BandFacts {
        let mut band = chains(N, 8.0 * N);
        band.innermost_parallel = vec![false, false];
        band.innermost_chained = vec![vec![true], vec![true]];
        band.coincident = vec![false, false];
        band
    }

    fn purpose(machine: &Machine) -> Purpose<'_> {
        Purpose { machine, sharing: None, enough: 0.0 }
    }

    fn found(band: &BandFacts, machine: &Machine) -> (Choice, Choice) {
        let mut budget = Budget::new(u64::MAX);
        // The table is judged without chains that overlap.
        let usual = usual();
        let table = crate::choose(band, &TilingChoice::Model, purpose(&usual), &mut budget).expect("no limit");
        let found = overlap_chains(table.clone(), band, purpose(machine), &mut budget).expect("no limit");
        (table, found)
    }

    /// The usual processor with room for so many instructions.
    fn with_window(window: f64) -> Machine {
        let mut machine = usual();
        machine.core.window = window;
        machine
    }

    #[test]
    fn rows_that_wait_get_as_many_points_as_are_under_way() {
        let band = both_ways();
        for (window, least) in [(64.0, 4), (256.0, 8)] {
            let machine = with_window(window);
            let (table, found) = found(&band, &machine);
            assert_eq!(table.tiles, None);
            let (order, sizes) = found.tiles.expect("short rows");
            let row = sizes[found.order[1]];
            assert!((least..=2 * least).contains(&row), "{row} points for {window} instructions");
            assert_eq!(order, found.order);
            assert!(found.cost.cycles() < 0.7 * table.cost.cycles());
        }
    }

    #[test]
    fn rows_stay_where_nothing_waits_or_overlaps() {
        let band = both_ways();
        let (table, same) = found(&band, &with_window(0.0));
        assert_eq!(same, table);
        let mut free = band.clone();
        (free.innermost_parallel, free.coincident) = (vec![true, true], vec![true, true]);
        free.innermost_chained = vec![vec![false], vec![false]];
        let fixed = BandFacts { permutable: false, ..band.clone() };
        let mut sum = band.clone();
        sum.statements[0].work.reduces = true;
        for band in [free, fixed, sum, BandFacts { keep_order: true, ..band.clone() }] {
            let (table, same) = found(&band, &with_window(256.0));
            assert_eq!(same, table);
        }
        let machine = with_window(256.0);
        let (table, _) = found(&band, &machine);
        assert_eq!(overlap_chains(table, &band, purpose(&machine), &mut Budget::new(5)), Err(Stop));
    }

    #[test]
    fn others_are_all_combinations_of_a_few_members() {
        assert_eq!(others(0), [Vec::<u64>::new()]);
        assert_eq!(others(2).len(), 9);
        assert_eq!(others(5), [[WHOLE; 5]]);
    }
}
