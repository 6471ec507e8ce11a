//! Which arrays are packed into local buffers ([`crate::packing`]) in blocks of an outer band.
//!
//! # Problem
//! What a block touches may fit a cache and still lie in more pages than the processor has the
//! addresses of at hand: every row then costs a look-up, in every pass. A copy has rows side by
//! side, but has to be made, and written back.
//!
//! # Model
//! The *visits* of an access are the pages that it comes to and that are not at hand (`Pages` of
//! the machine). From the innermost loop outwards: a loop along which the access moves multiplies
//! visits by the number of new pages; a loop along which it does not comes to the same pages again,
//! which are visits if they are too many. Copying visits the pages of the array once for each
//! opening, and once more where something is written back.
//!
//! An array may have its local buffer in each block, or in each iteration of the loops directly
//! inside of it. The first place with a gain is taken. Where threads share the blocks, they must
//! take them whole ([`super::doacross`]), and each has local buffers of its own: those of a block
//! are filled before it waits for others, so what others have written must not be in them.

use std::collections::BTreeSet;

use poly_machine::Pages;
use poly_presburger::{Budget, Stop, UnionPwAff};
use poly_schedule_tree::{Band, Mark, NodeKind, Tree};
use poly_transform::{LoopFacts, directions};

use super::Lowering;
use super::doacross::doacross_loops;
use crate::config::{Blocks, Parallelism, Profitability};
use crate::cost::{Place, divide, loop_facts, member_of, members_of, row};
use crate::facts::{AccessFacts, to_f64};
use crate::packing::LocalBuffer;
use crate::{ArrayId, Statement};

/// What local buffers save must be at least this part of the time.
const GAIN: f64 = 0.03;

/// A local buffer and all other local buffers that are open may have this part of the second cache.
const PART: f64 = 0.7;

/// A block: the loop over blocks, the loops inside, and what is below these.
pub(super) struct Block {
    pub(super) tiles: Band,
    pub(super) above: Band,
    /// With the loops inside at its root.
    pub(super) tree: Tree,
    /// The stages of the DOACROSS loop over blocks, if it is one.
    pub(super) stages: Option<Band>,
    /// Predicted cycles of one thread.
    pub(super) cycles: f64,
}

/// Loops, outermost first: how far each subscript moves with an iteration, and iterations.
type Steps = Vec<(Vec<f64>, f64)>;

/// The loops around one statement, as far as an array is concerned.
struct Passes {
    /// Iterations of all loops down to the place of the local buffer.
    opened: f64,
    /// The accesses, each with the loops below.
    accesses: Vec<(AccessFacts, Steps)>,
}

impl Lowering<'_> {
    /// The tree of a block with marks for local buffers where these pay.
    pub(super) fn with_packing(&self, block: &Block, place: &Place, budget: &mut Budget) -> Result<Tree, Stop> {
        let is_alone = self.config.parallelism == Parallelism::Sequential || block.stages.is_some();
        let is_alone = is_alone && !place.in_tiles;
        let mut marks: [Vec<ArrayId>; 2] = Default::default();
        if self.config.pack_blocks && is_alone && !block.above.has_grid() {
            let accesses = place.active.iter().flat_map(|&s| &self.facts[s].accesses);
            let arrays: BTreeSet<usize> = accesses.map(|access| access.array).collect();
            for array in arrays {
                if let Some(level) = self.level_of_buffer(array.into(), block, place, budget)? {
                    marks[level].push(array.into());
                }
            }
        }
        let marked = |tree: Tree, arrays: &[ArrayId]| {
            arrays.iter().fold(tree, |tree, &a| Tree::mark(Mark::Pack { array: a.index() }, tree))
        };
        let inside = Tree::band(block.above.clone(), marked(block.tree.child().clone(), &marks[1]));
        Ok(match &block.stages {
            Some(stages) => doacross_loops(&block.tiles, stages, inside, |tree| marked(tree, &marks[0])),
            None => Tree::band(block.tiles.clone(), marked(inside, &marks[0])),
        })
    }

    /// Where an array has its local buffer: in the blocks (0), or in the loops inside (1).
    fn level_of_buffer(
        &self,
        array: ArrayId,
        block: &Block,
        place: &Place,
        budget: &mut Budget,
    ) -> Result<Option<usize>, Stop> {
        let mut around: Vec<Band> = place.outer.clone();
        for (level, band) in [&block.tiles, &block.above].into_iter().enumerate() {
            around.extend(block.stages.clone().filter(|_| level == 1));
            around.push(band.clone());
            let loops: Vec<&UnionPwAff> = members_of(&around).collect();
            let machine = &self.config.machine;
            let buffer = LocalBuffer::of(&self.analysis.scop, array, &place.active, (&loops, machine), budget)?;
            let Some(buffer) = buffer else { continue };
            // It is filled before there is any waiting.
            if level == 0 && block.stages.is_some() && buffer.is_handed_on(loops.len() - 1, budget)? {
                continue;
            }
            let saved = self.saved_by(&buffer, &around, block, place);
            tracing::debug!(array = self.analysis.scop.arrays[array.index()].name, level, saved, "a buffer");
            let forced =
                self.config.profitability == Profitability::Ignored && matches!(self.config.blocks, Blocks::Size(_));
            if saved > GAIN * block.cycles || forced {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// Cycles that a local buffer saves, less those of copying.
    fn saved_by(&self, buffer: &LocalBuffer, around: &[Band], block: &Block, place: &Place) -> f64 {
        let array = buffer.array.index();
        let bytes = f64::from(self.analysis.scop.arrays[array].element.bytes);
        let rows = to_f64(&buffer.rows.eval(&self.estimates, &[])).max(1.0);
        let sizes: Vec<f64> = std::iter::once(rows).chain(buffer.sizes.iter().map(|&size| size as f64)).collect();
        let machine = &self.config.machine;
        let second = machine.second().counted_bytes() as f64;
        let size = bytes * sizes.iter().product::<f64>();
        if size > PART * second {
            return 0.0;
        }
        let strides = |inner: &[f64]| -> Vec<f64> {
            (0..sizes.len()).map(|d| bytes * inner[d..].iter().product::<f64>()).collect()
        };
        let packed = strides(&sizes[1..]);
        let extents = &self.analysis.scop.arrays[array].extents;
        let extents: Vec<f64> = extents.iter().map(|e| to_f64(&e.eval(&self.estimates, &[])).max(1.0)).collect();
        let spread = strides(&extents);
        let (mut before, mut after, mut written, mut opened) = (0.0, 0.0, 0.0f64, 0.0f64);
        for &statement in &place.active {
            let passes = self.passes(statement, array, around, &block.tree);
            let part = 1.0 - self.facts[statement].work.hollow;
            opened = opened.max(part * passes.opened);
            for (access, loops) in &passes.accesses {
                let of = |strides: &[f64]| part * passes.opened * visits(access, loops, strides, machine.pages);
                before += of(&spread);
                after += of(&packed);
                written += if access.write { of(&spread) } else { 0.0 };
            }
        }
        let dims = sizes.iter().zip(&spread).map(|(&size, &stride)| (stride, size)).collect::<Vec<_>>();
        let once = opened * pages(&dims, machine.pages);
        let lines = size / machine.memory.line_bytes as f64;
        let back = written.min(once);
        let copied = once + back;
        let copies = opened * lines * (1.0 + if once > 0.0 { back / once } else { 0.0 });
        machine.pages.visit_cycles * (before - after - copied) - machine.memory.copy_line_cycles * copies
    }

    /// The passes of a statement over an array, in the loops of a tree below `around`.
    fn passes(&self, statement: usize, array: usize, around: &[Band], tree: &Tree) -> Passes {
        let model = &self.analysis.scop.statements[statement];
        let facts = &self.facts[statement];
        let mut bands: Vec<Band> = around.to_vec();
        bands_of(tree, model, &mut bands, around);
        let iterators = facts.extents.len();
        let functions = bands.iter().flat_map(|b| (0..b.n_member()).map(move |m| member_of(b, m, &model.name)));
        let functions: Vec<_> = functions.collect();
        let rows: Vec<Vec<f64>> =
            bands.iter().flat_map(|b| (0..b.n_member()).map(|m| row(b, m, &model.name, iterators))).collect();
        let steps = directions(&rows, iterators);
        let of = |(row, step): (&Vec<f64>, &Option<Vec<f64>>)| loop_facts(row, step.as_deref(), facts);
        let mut loops: Vec<LoopFacts> = rows.iter().zip(&steps).map(of).collect();
        divide(&mut loops, &rows, &functions);
        let first: usize = around.iter().map(Band::n_member).sum();
        let opened = loops[..first].iter().map(|l| l.trip).product();
        let below = |access: &AccessFacts| {
            let pairs = steps[first..].iter().zip(&loops[first..]);
            let moving = pairs.filter_map(|(step, l)| Some((moved(access, step.as_deref()?)?, l.trip)));
            (access.clone(), moving.collect())
        };
        let accesses = facts.accesses.iter().filter(|access| access.array == array).map(below).collect();
        Passes { opened, accesses }
    }
}

/// How far each subscript moves with a step in iteration space.
fn moved(access: &AccessFacts, step: &[f64]) -> Option<Vec<f64>> {
    let subscripts = access.subscripts.as_ref()?;
    let along = |slopes: &Vec<f64>| slopes.iter().zip(step).map(|(slope, d)| slope * d).sum();
    Some(subscripts.iter().map(|(slopes, _)| along(slopes)).collect())
}

/// The bands of a tree that a statement is in, without those that are known.
fn bands_of(tree: &Tree, statement: &Statement, found: &mut Vec<Band>, known: &[Band]) {
    match tree.kind() {
        NodeKind::Filter(filter) if filter.get_named(&statement.name).is_none() => return,
        NodeKind::Band(band) if !known.contains(band) => found.push(band.clone()),
        _ => {}
    }
    tree.children().iter().for_each(|child| bands_of(child, statement, found, known));
}

/// Pages that an access comes to in loops, outermost first, with arrays that have these strides,
/// and that are not at hand.
fn visits(access: &AccessFacts, loops: &[(Vec<f64>, f64)], strides: &[f64], at: Pages) -> f64 {
    let bytes = |steps: &[f64]| steps.iter().zip(strides).map(|(step, stride)| step * stride).sum::<f64>().abs();
    let moved: Vec<(f64, f64)> = loops.iter().map(|(steps, trip)| (bytes(steps), *trip)).collect();
    if access.subscripts.is_none() { 0.0 } else { pages(&moved, at) }
}

/// The same for bytes and trip counts.
fn pages(loops: &[(f64, f64)], at: Pages) -> f64 {
    let at_hand = at.at_hand as f64;
    let (mut distinct, mut visits) = (1.0, 1.0);
    for &(bytes, trip) in loops.iter().rev().filter(|(_, trip)| *trip > 1.0) {
        let new = (bytes * trip / at.bytes as f64).clamp(1.0, trip);
        visits *= if distinct > at_hand { trip } else { new };
        distinct *= new;
    }
    if distinct > at_hand { visits } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_are_at_hand_are_no_visits() {
        let at = Pages { bytes: 4096, at_hand: 64, visit_cycles: 5.0, kept: 2048, walk_cycles: 20.0 };
        // Rows of a block, again and again.
        assert_eq!(pages(&[(0.0, 100.0), (9600.0, 1000.0), (8.0, 64.0)], at), 100_000.0);
        // The same side by side.
        assert_eq!(pages(&[(0.0, 100.0), (512.0, 1000.0), (8.0, 64.0)], at), 12_500.0);
        // A row that stays.
        assert_eq!(pages(&[(9600.0, 1000.0), (0.0, 1000.0), (8.0, 64.0)], at), 1000.0);
        assert_eq!(pages(&[(0.0, 1000.0), (9600.0, 60.0), (8.0, 64.0)], at), 0.0);
    }
}
