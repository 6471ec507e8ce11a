//! Diamond tiles: a hyperplane for tiles that all start at once.
//!
//! # Problem
//! Tiles along `x` (time) and `y` (space skewed by time) of a stencil depend on their neighbours, so that parallel execution begins and ends with few of them
//! (see [`crate::wavefront`]). If time lies strictly between two hyperplanes of the tiles, all tiles at the lower boundary can start together
//! [Bandishti2012].
//!
//! # Transformation
//! For the first two members `x`, `y` of a permutable band find the smallest `k >= 1` and per statement `s` a constant `c_s`, so that no pair has
//! a negative distance in
//!
//! ```text
//! z = k x - y + c_s
//! ```
//!
//! Then `k x = z + y` up to constants: the direction of time is inside of the cone of `z` and `y`. Tiles are made by `z` and `y`;
//! their points are executed in the given order.
//!
//! # Algorithm
//! For a pair from statement `s` to `t`: `c_t - c_s >= max (dy - k dx)` over the pairs, found by integer programming. These are
//! difference constraints, solved by longest paths (Bellman and Ford); a cycle of positive length means that there is no solution for this `k`.
//!
//! # Legality
//! By construction `z` has no negative distances, `y` has none as a member of the band: the band of `z`, `y` and the other members is
//! permutable and can be tiled; inside of a tile the order is the given one.

use poly_arith::Int;
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{DimKind, Row, Tuple, UnionPwAff};
use poly_schedule_tree::Band;

use crate::pairs::{Pairs, distance, greatest};

/// Greatest `k` that is tried.
const MAX_SLOPE: i64 = 8;

/// A band for tiles: the given one with `z` in place of its first member. `None` if there is no `z`.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn diamond(band: &Band, pairs: &Pairs, budget: &mut Budget) -> Result<Option<Band>, Stop> {
    if !band.permutable || band.n_member() < 2 {
        return Ok(None);
    }
    let (x, y) = (band.schedule.get(0), band.schedule.get(1));
    let statements: Vec<&Tuple> = x.iter().filter_map(|f| f.domain_space().tuple(DimKind::Out)).collect();
    for k in 1..=MAX_SLOPE {
        if let Some(shifts) = shifts(&statements, x, y, &Int::from(k), pairs, budget)? {
            return Ok(Some(with_hyperplane(band, k, &statements, &shifts)));
        }
    }
    Ok(None)
}

/// The constants, by statement, or `None` if there are none for this `k`.
fn shifts(
    statements: &[&Tuple],
    x: &UnionPwAff,
    y: &UnionPwAff,
    k: &Int,
    pairs: &Pairs,
    budget: &mut Budget,
) -> Result<Option<Vec<Int>>, Stop> {
    let mut edges: Vec<(usize, usize, Int)> = Vec::new();
    for relation in pairs.relations() {
        let space = relation.space();
        let place = |kind| space.tuple(kind).and_then(|tuple| statements.iter().position(|&s| s == tuple));
        let (Some(from), Some(to)) = (place(DimKind::In), place(DimKind::Out)) else { return Ok(None) };
        let (Some(dx), Some(dy)) = (distance(space, x), distance(space, y)) else { return Ok(None) };
        let form: Row = dy.iter().zip(&dx).map(|(dy, dx)| dy - &(k * dx)).collect();
        let Some(needed) = greatest(relation, &form, budget)? else { return Ok(None) };
        edges.push((from, to, needed));
    }
    Ok(longest_paths(statements.len(), &edges))
}

/// The smallest non-negative values with `value[to] - value[from] >= length` for all edges, or `None` if a cycle is too long.
fn longest_paths(n: usize, edges: &[(usize, usize, Int)]) -> Option<Vec<Int>> {
    let mut values = vec![Int::ZERO; n];
    for _ in 0..=n {
        let mut changed = false;
        for (from, to, length) in edges {
            let needed = &values[*from] + length;
            if values[*to] < needed {
                values[*to] = needed;
                changed = true;
            }
        }
        if !changed {
            return Some(values);
        }
    }
    None
}

fn with_hyperplane(band: &Band, k: i64, statements: &[&Tuple], shifts: &[Int]) -> Band {
    let first = band.schedule.get(0).iter().filter_map(|x| {
        let tuple = x.domain_space().tuple(DimKind::Out)?;
        let y = band.schedule.get(1).get(tuple)?;
        let at = statements.iter().position(|&s| s == tuple)?;
        Some(x.scale(k).sub(y).add_constant(shifts[at].clone()))
    });
    let first = UnionPwAff::from_members(first);
    let schedule = band.schedule.map_members(|i, member| if i == 0 { first.clone() } else { member.clone() });
    Band { schedule, coincident: vec![false; band.n_member()], isolate: None, ..band.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_paths_and_cycles() {
        let edge = |from, to, length: i64| (from, to, Int::from(length));
        let values = longest_paths(2, &[edge(0, 1, 2), edge(1, 0, -2), edge(0, 0, 0)]).expect("the cycle has length 0");
        assert_eq!(values, vec![Int::ZERO, Int::from(2)]);
        assert_eq!(longest_paths(2, &[edge(0, 1, 2), edge(1, 0, -1)]), None);
    }
}
