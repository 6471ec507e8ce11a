//! Tiling: loops over tiles around the loops of a band.
//!
//! `tile(S[0], 32, 64)` makes tiles of 32 times 64 iterations; the last size is repeated for
//! further loops, and a loop of size 1 is not tiled. One loop of a band that is tiled alone is
//! strip-mined [Wolfe1989].

use poly_arith::Int;
use poly_presburger::budget::Budget;
use poly_schedule_tree::{Band, LoopType, Node, Tree};

use super::{Context, Failure, Located, Rewrite, finished};
use crate::refusal::Refusal;

pub(super) struct Tile;

const ARGUMENTS: &str = "sizes of tiles, positive, the last one for all further loops";

/// Sizes that random steps have: one that divides nothing, and one that many trip counts are
/// multiples of.
const SIZES: [i64; 3] = [3, 7, 32];

impl Rewrite for Tile {
    fn name(&self) -> &'static str {
        "tile"
    }

    fn arguments(&self) -> &'static str {
        ARGUMENTS
    }

    /// All loops alike, and each of them alone.
    fn parameters(&self, at: &Located) -> Vec<Vec<i64>> {
        let count = at.band().n_member();
        let alone = |member| move |size| (0..count).map(|m| if m == member { size } else { 1 }).collect::<Vec<i64>>();
        let alone = (0..count).flat_map(|member| SIZES.map(alone(member)));
        SIZES.map(|size| vec![size]).into_iter().chain(alone).collect()
    }

    /// Long tiles along the last loop, for vectors and prefetching, and short ones of the others,
    /// for reuse.
    fn moves(&self, at: &Located) -> Vec<Vec<i64>> {
        let count = at.band().n_member();
        let sizes = |outer: i64, inner: i64| -> Vec<i64> {
            (0..count).map(|member| if member + 1 == count { inner } else { outer }).collect()
        };
        let boxes = [16, 32, 64].into_iter().flat_map(|outer| [64, 256].map(|inner| sizes(outer, inner)));
        let strips = [32, 128].into_iter().map(|inner| sizes(1, inner));
        if count < 2 { Vec::new() } else { boxes.chain(strips).collect() }
    }

    fn apply(
        &self,
        context: &mut Context<'_>,
        at: &Located,
        arguments: &[i64],
        budget: &mut Budget,
    ) -> Result<Node, Failure> {
        let band = at.band();
        let last = arguments.last().ok_or(Refusal::Arguments(ARGUMENTS))?;
        let is_wrong = arguments.iter().any(|&size| size < 1) || arguments.len() > band.n_member();
        if is_wrong || band.has_grid() {
            return Err(Refusal::Arguments(ARGUMENTS).into());
        }
        finished(at)?;
        let sizes: Vec<Int> = (0..band.n_member()).map(|m| Int::from(*arguments.get(m).unwrap_or(last))).collect();
        let (tiles, points) = band.tile(&sizes);
        let tiles = only(&tiles, |member| !sizes[member].is_one());
        let members = [tiles.schedule.members(), points.schedule.members()].concat();
        context.oracle.admits(at, band.schedule.members(), &members, budget)?;
        let tiles = context.oracle.with_flags(at, tiles, budget)?.with_loop_type(LoopType::Atomic);
        let tree = at.node.replace(Tree::band(tiles, Tree::band(points, at.node.subtree().child().clone())));
        let inside = Located::at(tree.child(0), &at.statement).expect("the band was there before");
        let points = context.oracle.with_flags(&inside, inside.band().clone(), budget)?;
        Ok(tree.child(0).set_band(points))
    }
}

/// The members of a band that are to be kept, if there is any.
fn only(band: &Band, keep: impl Fn(usize) -> bool) -> Band {
    let (kept, rest): (Vec<usize>, Vec<usize>) = (0..band.n_member()).partition(|&member| keep(member));
    let order: Vec<usize> = kept.iter().chain(&rest).copied().collect();
    band.permute(&order).split(kept.len()).0
}

#[cfg(test)]
mod tests {
    use super::super::step::tests::{applied, refused};

    #[test]
    fn tiles_are_loops_around_the_band() {
        let along = "[n] -> { S[t, i] -> S[t + 1, i] : 0 <= t < n and 0 <= i < n }";
        let tree = applied(along, "tile(S[0], 4, 8)");
        assert!(tree.contains("floor((t)/4)") && tree.contains("floor((i)/8)"), "{tree}");
        assert!(tree.contains("permutable: 1") && tree.contains("coincident: [ 0, 1 ]"), "{tree}");
        // The second level divides tiles that are there.
        let twice = applied(along, "tile(S[0], 64, 64); tile(S[1], 4, 8)");
        assert!(twice.contains("floor((t)/64)") && twice.contains("floor((i)/8)"), "{twice}");
        let strip = applied(along, "tile(S[0], 1, 8)");
        assert!(!strip.contains("floor((t)") && strip.contains("floor((i)/8)"), "{strip}");
    }

    #[test]
    fn tiles_that_would_wait_for_each_other_are_refused() {
        let diagonal = "[n] -> { S[t, i] -> S[t + 1, i - 1] : 0 <= t < n and 0 <= i < n }";
        assert_eq!(refused(diagonal, "tile(S[0], 4)"), "dependence 0 would go backwards in loop 1 of the new band");
        assert!(applied(diagonal, "skew(S[0], 1, 0, 1); tile(S[0], 4)").contains("floor((t + i)/4)"));
        assert!(refused(diagonal, "tile(S[0], 0)").starts_with("the arguments are to be"));
    }
}
