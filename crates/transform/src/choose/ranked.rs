//! Points around the optima of geometric programs, ranked by the cost model.
//!
//! # Algorithm
//! 1. *Classes*: the orders of the points that differ in the innermost or the outermost loop, the
//!    orders of the loops over tiles that differ in the innermost one, and for each cache whether
//!    it keeps the rows of a tile, a tile, or a row of tiles; outer caches keep no less. An order
//!    of the points is left out if its instructions alone take longer than the best structure.
//! 2. One geometric program for each ([`super::geometric`]).
//! 3. The best [`CLASSES`] of them are rounded to whole vectors along the innermost loop, and to
//!    steps of about an eighth along others, and descend along the cost model.
//! 4. What they end with is judged like all other candidates, in all orders of the loops over
//!    tiles.

use poly_geometric::descend;
use poly_presburger::{Budget, Stop};

use super::geometric::{Sizes, Structure};
use super::{
    BandFacts, Choice, FURTHER_LOOPS, LINES_PER_STEP, Purpose, Search, by_position, excess, lines_of, nest, orders,
    outer_orders,
};
use crate::WHOLE;
use crate::cost::{Cost, estimate, issue};

/// Sizes that are no powers of two have to cost at most this part of those that were found before:
/// the model is not more exact.
const GAIN: f64 = 0.97;

/// The programs know less than the cost model, mostly too much traffic: classes with more than so
/// many times the cycles of the best structure are left out.
const HOPE: f64 = 1.5;

/// Classes of which the points are ranked.
const CLASSES: usize = 3;

/// Most points that are ranked for a class.
const POINTS: usize = 24;

/// So many Newton steps take as long as a step of the solvers.
const NEWTON_PER_STEP: u64 = 2;

/// Sizes are multiples of about this part of themselves.
const GRAIN: f64 = 8.0;

/// Longest tile side that is a constant of code.
const LONGEST: f64 = 1e6;

/// A class with its optimum.
struct Class {
    cycles: f64,
    points: Vec<usize>,
    tiles: Vec<usize>,
    sizes: Vec<f64>,
}

/// Innermost tile sizes of bands with two members beside those of the table: where the innermost
/// loop goes along columns, the first cache keeps no more lines of several arrays.
const SHORT: [u64; 3] = [8, 16, 32];

/// The other size.
const ACROSS: [u64; 5] = [16, 32, 64, 128, 256];

/// Considers sizes around the optima of the model's geometric programs, instead of `best`: for
/// bands of boxes with three members and more. For two, the table of [`super::choose`] has sizes
/// near all, but for short innermost loops; in triangles and skewed boxes, tiles that bounds cut
/// make more than the programs see. Bands in which each member carries dependences are taken to be
/// skewed.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn optimize(best: Choice, band: &BandFacts, purpose: Purpose<'_>, budget: &mut Budget) -> Result<Choice, Stop> {
    let members = band.coincident.len();
    if !band.permutable || band.keep_order || members < 2 {
        return Ok(best);
    }
    let is_box =
        band.statements.iter().all(|statement| statement.work.hollow == 0.0) && band.coincident.contains(&true);
    let orders = orders(members);
    let outer = outer_orders(band, &orders, purpose.sharing);
    let mut search = Search { band, purpose, best };
    match members {
        _ if !is_box => {}
        2 => search.short_tiles(&orders, &outer, budget)?,
        _ => search.optimal_tiles(&orders, &outer, budget)?,
    }
    search.whole_rows(budget)?;
    Ok(search.best)
}

impl Search<'_> {
    /// Takes whole rows of vectors where tiles of rows are predicted to gain no more than the model
    /// is exact: it does not see all that the ends of rows cost.
    fn whole_rows(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let Some((tiles, sizes)) = &self.best.tiles else { return Ok(()) };
        let Some(&row) = self.best.order.last() else { return Ok(()) };
        if !self.band.innermost_parallel[row] || !self.band.is_contiguous(row) || self.purpose.sharing.is_some() {
            return Ok(());
        }
        let mut sizes = sizes.clone();
        sizes[row] = WHOLE;
        let tiles = Some((tiles.clone(), sizes));
        let nest = nest(self.band, &self.best.order, tiles.as_ref());
        budget.spend(1 + lines_of(&nest) / LINES_PER_STEP)?;
        let cost = estimate(&nest, self.purpose.machine);
        if GAIN * cost.cycles() <= self.best.cost.cycles() {
            self.best = Choice { tiles, cost, ..self.best.clone() };
        }
        Ok(())
    }

    /// Sizes of two members with short innermost loops.
    fn short_tiles(&mut self, orders: &[Vec<usize>], outer: &[&[usize]], budget: &mut Budget) -> Result<(), Stop> {
        for points in orders {
            for sizes in SHORT.iter().flat_map(|&inner| ACROSS.map(|across| by_position(&[across, inner], points))) {
                for tiles in outer {
                    if self.best.cost.cycles() <= self.purpose.enough {
                        return Ok(());
                    }
                    self.consider_below(GAIN, points, Some((tiles.to_vec(), sizes.clone())), budget)?;
                }
            }
        }
        Ok(())
    }

    fn optimal_tiles(&mut self, orders: &[Vec<usize>], outer: &[&[usize]], budget: &mut Budget) -> Result<(), Stop> {
        if self.best.cost.cycles() <= self.purpose.enough {
            return Ok(());
        }
        let mut classes = self.classes(orders, outer, budget)?;
        classes.sort_by(|a, b| a.cycles.total_cmp(&b.cycles));
        let mut ranked: Vec<(Vec<usize>, Vec<u64>)> = Vec::new();
        for class in classes {
            if ranked.len() >= CLASSES
                || class.cycles >= HOPE * self.best.cost.cycles()
                || self.best.cost.cycles() <= self.purpose.enough
            {
                break;
            }
            let steps = self.steps(&class);
            let near: Vec<u64> = class.sizes.iter().zip(&steps).map(|(s, step)| (s / *step as f64) as u64).collect();
            if ranked.contains(&(class.points.clone(), near.clone())) {
                continue;
            }
            ranked.push((class.points.clone(), near));
            self.ranked(&class, &steps, outer, budget)?;
        }
        Ok(())
    }

    fn classes(&self, orders: &[Vec<usize>], outer: &[&[usize]], budget: &mut Budget) -> Result<Vec<Class>, Stop> {
        let members = self.band.coincident.len();
        let sizes = Sizes::of(self.band, self.purpose.machine);
        let boxes = boxes(members, sizes.small_caches());
        let mut result = Vec::new();
        let mut seen: Vec<(usize, usize)> = Vec::new();
        for points in orders {
            let ends = (points[0], points[members - 1]);
            if seen.contains(&ends) {
                continue;
            }
            seen.push(ends);
            budget.spend(1)?;
            let issue = issue(&nest(self.band, points, None), self.purpose.machine);
            let part = if self.best.tiles.is_none() { FURTHER_LOOPS } else { GAIN };
            if issue.cycles() >= part * self.best.cost.cycles() {
                continue;
            }
            for innermost in 0..members {
                let Some(tiles) = outer.iter().find(|order| order[members - 1] == innermost) else { continue };
                // Where no cache keeps a tile, the order of the loops over tiles does not matter.
                let first = outer[0][members - 1] == innermost;
                for kept in boxes.iter().filter(|kept| first || kept.iter().any(|&kept| kept >= members)) {
                    let Ok(solution) = sizes.optimum(Structure { tiles, points }, kept) else { continue };
                    budget.spend(u64::from(solution.steps) / NEWTON_PER_STEP)?;
                    let cycles = Cost { transfer: solution.value, ..issue }.cycles();
                    result.push(Class { cycles, points: points.clone(), tiles: tiles.to_vec(), sizes: solution.at });
                }
            }
        }
        Ok(result)
    }

    /// What sizes of a class are multiples of.
    fn steps(&self, class: &Class) -> Vec<u64> {
        let lanes = Sizes::of(self.band, self.purpose.machine).lanes() as u64;
        let innermost = class.points.last().copied();
        let step = |(member, &size): (usize, &f64)| {
            let step = (size.min(LONGEST) / GRAIN).max(1.0).log2().floor().exp2() as u64;
            if Some(member) == innermost { step.next_multiple_of(lanes.max(1)) } else { step }
        };
        class.sizes.iter().enumerate().map(step).collect()
    }

    /// Descends from the optimum of a class, and considers the end.
    fn ranked(&mut self, class: &Class, steps: &[u64], outer: &[&[usize]], budget: &mut Budget) -> Result<(), Stop> {
        let mut stop = Ok(());
        let cost = |sizes: &[u64]| {
            let tiles = Some((class.tiles.clone(), sizes.to_vec()));
            let nest = nest(self.band, &class.points, tiles.as_ref());
            stop = stop.and(budget.spend(1 + lines_of(&nest) / LINES_PER_STEP));
            let excess = self.purpose.sharing.map_or(1.0, |s| excess(self.band, &class.points, tiles.as_ref(), s));
            stop.is_ok().then(|| excess * estimate(&nest, self.purpose.machine).cycles())
        };
        let found = descend(&class.sizes, steps, POINTS, cost);
        stop?;
        let Some(found) = found else { return Ok(()) };
        for tiles in outer {
            self.consider_below(GAIN, &class.points, Some((tiles.to_vec(), found.at.clone())), budget)?;
        }
        Ok(())
    }
}

/// For so many caches, the inner loops that each keeps. The first one keeps the rows of a tile or a
/// tile, the others a tile or a row of tiles; or each keeps one loop more than the one before it,
/// up to a tile. Outer caches keep no less.
fn boxes(members: usize, caches: usize) -> Vec<Vec<usize>> {
    if caches == 0 {
        return Vec::new();
    }
    let mut result: Vec<Vec<usize>> = Vec::new();
    for first in [members - 1, members] {
        for tiles in 0..caches {
            let others = (1..caches).map(|level| if level <= tiles { members } else { members + 1 });
            result.push([first].into_iter().chain(others).collect());
        }
    }
    for first in 1..members {
        let stairs: Vec<usize> = (0..caches).map(|level| (first + level).min(members)).collect();
        if !result.contains(&stairs) {
            result.push(stairs);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TilingChoice;
    use crate::choose::tests::{chains, cheapest, matmul};
    use crate::cost::{Reference, Work};
    use crate::machine::tests::usual;

    fn optimized(band: &BandFacts, enough: f64) -> (Choice, Choice, u64) {
        let machine = usual();
        let best = cheapest(band, &TilingChoice::Model, &machine, None);
        let purpose = Purpose { machine: &machine, sharing: None, enough };
        let mut budget = Budget::new(u64::MAX);
        let found = optimize(best.clone(), band, purpose, &mut budget).expect("the budget is unlimited");
        (best, found, budget.spent())
    }

    #[test]
    fn a_product_gets_better_tiles_than_those_of_the_table() {
        let (table, found, spent) = optimized(&matmul(), 0.0);
        assert!(found.cost.cycles() < GAIN * table.cost.cycles(), "{table:?} {found:?}");
        assert_eq!(found.order.last(), table.order.last());
        // Programs and points are fewer than the structures with sizes of the table.
        assert!(spent < 3000, "{spent}");
        let machine = usual();
        let purpose = Purpose { machine: &machine, sharing: None, enough: 0.0 };
        assert_eq!(optimize(table.clone(), &matmul(), purpose, &mut Budget::new(10)), Err(Stop));
        assert_eq!(optimized(&matmul(), table.cost.cycles()).1, table);
    }

    #[test]
    fn triangles_and_orders_that_are_to_stay_keep_the_sizes_of_the_table() {
        let mut triangle = matmul();
        triangle.statements[0].work.hollow = 0.5;
        let skewed = BandFacts { coincident: vec![false; 3], ..matmul() };
        for band in [triangle, skewed, BandFacts { keep_order: true, ..matmul() }] {
            let (table, found, spent) = optimized(&band, 0.0);
            // No programs are solved: whole rows are one question.
            assert_eq!((found, spent < 10), (table, true), "{spent}");
        }
    }

    #[test]
    fn rows_of_vectors_are_cut_only_where_that_gains() {
        // All rows are as long as a tile is, or longer.
        for (row, is_whole) in [(200.0, true), (8000.0, false)] {
            let mut band = matmul();
            let statement = &mut band.statements[0];
            statement.members[1].trip = row;
            statement.instances *= row / 1000.0;
            let (_, found, _) = optimized(&band, 0.0);
            let inner = *found.order.last().expect("there are loops");
            assert_eq!(inner, 1);
            let (_, sizes) = found.tiles.expect("tiles");
            assert_eq!(sizes[inner] == WHOLE, is_whole, "{sizes:?}");
        }
    }

    #[test]
    fn columns_of_two_loops_get_short_tiles() {
        // `y[i][j] = f(y[i][j - 1], x[i][j], z[i][j])` by columns, more lines than the first cache
        // keeps of all columns that share them.
        let mut band = chains(500.0, 4096.0 + 64.0);
        let statement = &mut band.statements[0];
        statement.work = Work { simple: 4.0, chain: 30.0, stored: 5.0, ..Work::default() };
        for array in 2..6 {
            statement.accesses.push(Reference { array, group: array, write: false, ..statement.accesses[0] });
            statement.members[0].strides.push(4160.0);
            statement.members[1].strides.push(8.0);
        }
        (statement.constant, statement.repeated) = (vec![false; 7], vec![false; 7]);
        let (table, found, _) = optimized(&band, 0.0);
        assert!(found.cost.cycles() < GAIN * table.cost.cycles(), "{table:?} {found:?}");
        assert_eq!(found.order, [1, 0]);
        let (_, sizes) = found.tiles.expect("tiles");
        assert!(SHORT.contains(&sizes[0]), "{sizes:?}");
        // As it is in no cache again, rows that are vectors need no tiles.
        band.innermost_parallel = vec![true, true];
        band.innermost_chained = vec![vec![false], vec![false]];
        let (table, found, _) = optimized(&band, 0.0);
        assert_eq!(found, table);
    }

    #[test]
    fn outer_caches_keep_no_less() {
        assert_eq!(boxes(2, 1), [[1], [2]]);
        assert_eq!(boxes(3, 2), [[2, 4], [2, 3], [3, 4], [3, 3], [1, 2]]);
        assert!(boxes(4, 0).is_empty());
        assert!(boxes(4, 3).contains(&vec![1, 2, 3]));
        assert!(boxes(4, 3).iter().all(|kept| kept.is_sorted()));
    }
}
