//! Diamond tiles: a hyperplane for tiles that all start at once.
//!
//! # Problem
//! Tiles along `x` (time) and `y` (space skewed by time) of a stencil depend on their neighbours,
//! so that parallel execution begins and ends with few of them (see [`crate::wavefront`]). If time
//! lies strictly between two hyperplanes of the tiles, all tiles at the lower boundary can start
//! together [Bandishti2012].
//!
//! # Transformation
//! For the first two members `x`, `y` of a permutable band find the smallest `k >= 1` and per
//! statement `s` a constant `c_s`, so that no pair has a negative distance in
//!
//! ```text
//! z = k x - y + c_s
//! ```
//!
//! Then `k x = z + y` up to constants: the direction of time is inside of the cone of `z` and `y`.
//! Tiles are made by `z` and `y`; their points are executed in the given order.
//!
//! # Algorithm
//! For a pair from statement `s` to `t`: `c_t - c_s >= max (dy - k dx)` over the pairs, found by
//! integer programming. These are difference constraints, solved by longest paths (Bellman and
//! Ford); a cycle of positive length means that there is no solution for this `k`.
//!
//! # Legality
//! The hyperplane is legal if no pair that reaches the band has a negative distance in it, that is,
//! if it is in the cone of all functions the dependences allow; then the band of `z`, `y` and the
//! other members is permutable and can be tiled, and inside of a tile the order is the given one.
//! Both parts are tested: that no pair goes backwards in a member of the given band, and none in
//! `z`, whether it was found here or given ([`diamond_by`]). With `k >= 1`, time is strictly
//! between `z` and `y`.

use poly_arith::Int;
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{DimKind, Row, Tuple, UnionPwAff};
use poly_schedule_tree::Band;

use crate::pairs::{Distances, Pairs, distance, greatest};
use crate::refusal::{Refusal, refusal};

/// Greatest `k` that is tried.
const MAX_SLOPE: i64 = 8;

/// A band for tiles: the given one with `z` in place of its first member; or why there is none.
/// `pairs` are those that reach the band.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn diamond(band: &Band, pairs: &Pairs, budget: &mut Budget) -> Result<Result<Band, Refusal>, Stop> {
    if let Some(refusal) = refusal(band, pairs, budget)? {
        return Ok(Err(refusal));
    }
    let (x, y) = (band.schedule.get(0), band.schedule.get(1));
    let statements = statements(band);
    for k in 1..=MAX_SLOPE {
        if let Some(shifts) = shifts(&statements, x, y, &Int::from(k), pairs, budget)? {
            return diamond_by(band, &Hyperplane { slope: k, shifts }, pairs, budget);
        }
    }
    Ok(Err(Refusal::NoHyperplane))
}

/// A hyperplane `slope * x - y + shifts[s]` for every statement `s`, in the order in which the
/// first member of the band has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hyperplane {
    /// `k`, positive.
    pub slope: i64,
    /// `c_s`.
    pub shifts: Vec<Int>,
}

/// The band for tiles with a given hyperplane; or why that is not legal.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn diamond_by(
    band: &Band,
    hyperplane: &Hyperplane,
    pairs: &Pairs,
    budget: &mut Budget,
) -> Result<Result<Band, Refusal>, Stop> {
    if let Some(refusal) = refusal(band, pairs, budget)? {
        return Ok(Err(refusal));
    }
    let statements = statements(band);
    if hyperplane.slope < 1 || hyperplane.shifts.len() != statements.len() {
        return Ok(Err(Refusal::Hyperplane));
    }
    let tiles = with_hyperplane(band, hyperplane.slope, &statements, &hyperplane.shifts);
    let distances = pairs.distances(tiles.schedule.get(0), budget)?;
    Ok(match distances {
        Some(Distances::Zero | Distances::Forward) => Ok(tiles),
        Some(Distances::Backward) | None => Err(Refusal::Hyperplane),
    })
}

fn statements(band: &Band) -> Vec<&Tuple> {
    band.schedule.get(0).iter().filter_map(|f| f.domain_space().tuple(DimKind::Out)).collect()
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

/// The smallest non-negative values with `value[to] - value[from] >= length` for all edges, or
/// `None` if a cycle is too long.
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
    use crate::refusal::tests::{band, pairs};

    #[test]
    fn longest_paths_and_cycles() {
        let edge = |from, to, length: i64| (from, to, Int::from(length));
        let values = longest_paths(2, &[edge(0, 1, 2), edge(1, 0, -2), edge(0, 0, 0)]).expect("the cycle has length 0");
        assert_eq!(values, vec![Int::ZERO, Int::from(2)]);
        assert_eq!(longest_paths(2, &[edge(0, 1, 2), edge(1, 0, -1)]), None);
    }

    const STENCIL: &str = "{ S[t, i] -> S[t + 1, j] : i - 1 <= j <= i + 1 }";

    #[test]
    fn time_is_between_the_hyperplanes() {
        let mut budget = Budget::unlimited();
        let tiles = diamond(&band(&["t", "t + i"]), &pairs(&[STENCIL]), &mut budget).expect("there is no limit");
        assert_eq!(tiles.expect("the stencil has diamonds").schedule.get(0), band(&["t - i"]).schedule.get(0));
    }

    #[test]
    fn a_hyperplane_outside_of_the_cone_is_refused() {
        let by = |members: &[&str], slope, dependence| {
            let hyperplane = Hyperplane { slope, shifts: vec![Int::ZERO] };
            diamond_by(&band(members), &hyperplane, &pairs(&[dependence]), &mut Budget::unlimited())
                .expect("there is no limit")
        };
        // Two to the right per step: 2t + i and k t - (2t + i) with k = 4.
        let wide = "{ S[t, i] -> S[t + 1, j] : i - 2 <= j <= i + 2 }";
        assert_eq!(by(&["t", "2t + i"], 3, wide), Err(Refusal::Hyperplane));
        assert!(by(&["t", "2t + i"], 4, wide).is_ok());
        // A member that goes back spoils the tiles, whatever the hyperplane.
        assert_eq!(by(&["t", "t + i"], 4, wide), Err(Refusal::Negative { member: 1 }));
        assert_eq!(by(&["t", "2t + i"], 0, "{ S[t, i] -> S[t + 1, i - 2] }"), Err(Refusal::Hyperplane));
    }

    #[test]
    fn pairs_of_any_length_allow_no_hyperplane() {
        let to_the_end = pairs(&["{ S[t, i] -> S[t + 1, j] : j >= i }"]);
        let result = diamond(&band(&["t", "t + i"]), &to_the_end, &mut Budget::unlimited());
        assert_eq!(result.expect("there is no limit"), Err(Refusal::NoHyperplane));
    }
}
