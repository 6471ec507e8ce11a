//! How large tiles are.
//!
//! # Problem
//! Small tiles let threads begin early, large ones wait seldom and read their data in long pieces.
//! Which is best depends on the pattern, on how many levels there are, and on whether the data fit
//! a cache, so it differs between a part of the iterations and all of them.
//!
//! # Algorithm
//! A [`Shape`] is a size of tiles, in waits, and how much more blocks there are than groups. From
//! the one that was best for a part of the iterations, or from [`Shape::FIRST`], one of the two
//! numbers is changed as long as that is better, and then the other one ([`climb`]).

use crate::memory::Fallible;

/// How large tiles are: how many waits a tile takes as long as, and how often the number of blocks
/// is doubled, and that of groups halved, where there would be as many of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub(crate) waits: u32,
    pub(crate) doubled: i32,
}

/// Sizes of tiles differ by so much: the costs of those that are nearer are about the same.
const FACTOR: u32 = 4;

/// Tiles that take less time than so many waits are not tried, nor larger ones than the other.
const WAITS: [u32; 2] = [4, 4096];

/// Nor are more blocks, or fewer.
const DOUBLED: [i32; 2] = [-4, 6];

/// A shape near another one.
type Change = fn(Shape) -> Shape;

/// What is changed, one after the other, and the opposite, which is tried if that was worse.
const CHANGES: [[Change; 2]; 2] = [
    [|shape| Shape { doubled: shape.doubled + 1, ..shape }, |shape| Shape { doubled: shape.doubled - 1, ..shape }],
    [
        |shape| Shape { waits: shape.waits / FACTOR, ..shape },
        |shape| Shape { waits: shape.waits.saturating_mul(FACTOR), ..shape },
    ],
];

impl Shape {
    /// Where the search begins.
    pub(crate) const FIRST: Self = Self { waits: 16, doubled: 0 };

    fn is_tried(self) -> bool {
        let ([fewest, most], [least, largest]) = (WAITS, DOUBLED);
        (fewest..=most).contains(&self.waits) && (least..=largest).contains(&self.doubled)
    }

    /// Numbers of blocks and of groups, together about so many tiles, for so many threads.
    pub(crate) fn numbers(self, tiles: u64, threads: u32) -> (u64, u64) {
        let by = self.doubled.unsigned_abs();
        let equal = tiles.isqrt();
        let blocks = if self.doubled < 0 { equal >> by } else { equal << by };
        let threads = u64::from(threads);
        let blocks = blocks.max(threads).min(tiles.max(threads));
        (blocks, tiles.checked_div(blocks).unwrap_or(0).max(1))
    }
}

/// The shape that costs least of those that are tried, and its cost; the search begins at `first`.
pub(crate) fn climb(first: Shape, mut cost: impl FnMut(Shape) -> Fallible<u64>) -> Fallible<(Shape, u64)> {
    let mut best = (first, cost(first)?);
    for ways in CHANGES {
        let before = best;
        for way in ways {
            // The opposite way leads back.
            if best != before {
                break;
            }
            while let next = way(best.0)
                && next.is_tried()
            {
                let found = cost(next)?;
                if found >= best.1 {
                    break;
                }
                best = (next, found);
            }
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shape that is found if costs grow with the distance from one, and what was asked for.
    fn found(first: Shape, target: Shape) -> (Shape, Vec<Shape>) {
        let mut asked = Vec::new();
        let (found, _) = climb(first, |shape| {
            asked.push(shape);
            let size = shape.waits.ilog2().abs_diff(target.waits.ilog2());
            Ok(u64::from(size + shape.doubled.abs_diff(target.doubled)))
        })
        .expect("there is memory");
        (found, asked)
    }

    #[test]
    fn a_valley_is_found_from_both_sides_and_nothing_is_asked_twice() {
        let shapes =
            || [4, 16, 64, 256, 1024].into_iter().flat_map(|waits| (-4..7).map(move |doubled| (waits, doubled)));
        for (waits, doubled) in shapes() {
            for (other, others) in shapes() {
                let (first, target) = (Shape { waits: other, doubled: others }, Shape { waits, doubled });
                let (best, asked) = found(first, target);
                assert_eq!(best, target);
                let is_new = |&(k, shape): &(usize, &Shape)| asked.iter().position(|known| known == shape) == Some(k);
                assert!(asked.iter().enumerate().all(|one| is_new(&one)), "{asked:?}");
                assert!(asked.iter().all(|shape| shape.is_tried()));
            }
        }
    }

    #[test]
    fn there_are_about_as_many_tiles_in_each_shape() {
        let numbers = |doubled: i32| Shape { waits: 16, doubled }.numbers(1000, 2);
        assert_eq!([-4, -2, 0, 2, 4, 6].map(numbers), [(2, 500), (7, 142), (31, 32), (124, 8), (496, 2), (1000, 1)]);
        assert_eq!(Shape::FIRST.numbers(1, 4), (4, 1));
    }
}
