//! The order inside of a tile: chains of iterations take turns.
//!
//! # Problem
//! In most sweeps an iteration reads what the one before it has written, so a processor executes
//! one after the other, and most of it waits. In a tile there are several such chains (the pieces
//! of a block's rows of a grid, for example), and iterations of one level do not depend on each
//! other.
//!
//! # Algorithm
//! A *chain* is a run of iterations that follow each other, each with a higher level than the one
//! before. In the original order of a tile, as many at a time as an addition takes cycles are
//! merged by level, and iterations with the same level stay in the original order. Where chains are
//! short, the processor finds independent iterations itself, and the order stays what it was.
//!
//! # Why it is legal
//! What is merged is a piece of the original order, and all before it in the tile are executed
//! before it. Along a dependence inside of it the level grows.

use crate::memory::{Buffer, Fallible, at};

/// More chains never take turns: each brings streams of data along.
const MOST: usize = 8;

/// Chains that are shorter in the mean are left as they are: their iterations are executed at the
/// same time anyway, as far as the window of the processor reaches.
const SHORT: usize = 8;

/// Brings the iterations of a tile, which are in the original order, into a better one.
pub(crate) fn interleave(tile: &mut [u32], levels: &[u32], chains: u32, room: &mut Buffer<u32>) -> Fallible<()> {
    let chains = (chains as usize).clamp(1, MOST);
    let mut rest = tile;
    while !rest.is_empty() {
        let mut ends = [0; MOST];
        let mut end = 0;
        for place in ends.iter_mut().take(chains) {
            end += chain(rest.get(end..).unwrap_or(&[]), levels);
            *place = end;
        }
        let (piece, others) = rest.split_at_mut_checked(end).unwrap_or_default();
        if piece.len() >= chains * SHORT {
            room.shorten(0);
            room.extend(piece)?;
            merge(room, ends, levels, piece);
        }
        rest = others;
    }
    Ok(())
}

/// The length of the chain that comes first.
fn chain(iterations: &[u32], levels: &[u32]) -> usize {
    let follows = |(&a, &b): (&u32, &u32)| b == a + 1 && at(levels, b) > at(levels, a);
    let links = iterations.iter().zip(iterations.iter().skip(1)).take_while(|&pair| follows(pair)).count();
    links + usize::from(!iterations.is_empty())
}

/// Merges chains that end at these places by level.
fn merge(chains: &[u32], ends: [usize; MOST], levels: &[u32], to: &mut [u32]) {
    let mut next = [0; MOST];
    for (begin, end) in next.iter_mut().skip(1).zip(ends) {
        *begin = end;
    }
    for place in to {
        let first = |(&from, end): (&usize, usize)| chains.get(from..end)?.first().copied();
        let heads = next.iter().zip(ends).map(first).enumerate();
        let heads = heads.filter_map(|(number, head)| head.map(|head| (at(levels, head), head, number)));
        let Some((_, head, number)) = heads.min() else { break };
        *place = head;
        if let Some(from) = next.get_mut(number) {
            *from += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interleaved(mut tile: Vec<u32>, levels: &[u32]) -> Vec<u32> {
        interleave(&mut tile, levels, 4, &mut Buffer::new()).expect("there is memory");
        tile
    }

    #[test]
    fn rows_of_a_grid_take_turns() {
        // Six rows of 100; a tile with 16 columns of each.
        let levels: Vec<u32> = (0..600).map(|i| i / 100 + i % 100).collect();
        let tile: Vec<u32> = (0..6).flat_map(|row| row * 100 + 20..row * 100 + 36).collect();
        let order = interleaved(tile.clone(), &levels);
        assert_eq!(order[..8], [20, 21, 120, 22, 121, 220, 23, 122]);
        // Two rows are left.
        assert_eq!(order[64..72], [420, 421, 520, 422, 521, 423, 522, 424]);
        let mut sorted = order;
        sorted.sort_unstable();
        assert_eq!(sorted, tile);
    }

    #[test]
    fn what_is_independent_keeps_its_order() {
        let tile: Vec<u32> = (0..1000).collect();
        assert_eq!(interleaved(tile.clone(), &[0; 1000]), tile);
        let levels: Vec<u32> = (0..1000).map(|i| i % 5).collect();
        assert_eq!(interleaved(tile.clone(), &levels), tile);
        // Chains of four.
        let short: Vec<u32> = (0..600).filter(|i| i % 100 < 4).collect();
        let levels: Vec<u32> = (0..600).map(|i| i / 100 + i % 100).collect();
        assert_eq!(interleaved(short.clone(), &levels), short);
        assert_eq!(interleaved(Vec::new(), &[]), []);
    }
}
