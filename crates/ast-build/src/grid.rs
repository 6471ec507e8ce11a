//! Loops over tiles whose sizes are parameters \[Renganarayanan2007\].
//!
//! # Problem
//! A member `x` of a band with a grid `s` ([`poly_schedule_tree::Band::grids`]) has the value
//! `T = s floor(x / s)`, the first value of the tile that `x` is in. With a parameter `s` that is
//! not affine, nor is the number of the tile.
//!
//! # Method
//! `T` is the only multiple of `s` with `T <= x <= T + s - 1`, and these inequalities are affine in
//! `T`, `x` and `s`. So the member is generated as the *relation* from `x` to all such `T`, and the
//! loop over `T` visits the multiples of `s` only ([`crate::For::grid`]):
//!
//! * the values of the loop are the shadow of the relation, the *outset*: from the least `x` less
//!   `s - 1` to the greatest `x`. It is found like that of any other loop;
//! * inside, loops over the points have the bounds of `x` and those of the tile;
//! * whatever is cut along values of `T` (pieces, isolated full tiles) is a partition of all
//!   integers, so each multiple of `s` is visited in one piece.
//!
//! # Exactness
//! Each instance satisfies the inequalities for one multiple of `s`, and all multiples that satisfy
//! them for some instance are visited. The grid is fixed: multiples of `s` counted from zero,
//! whatever the outer loops are. So tiles of all statements and outer iterations fit together,
//! which is what makes them legal for a permutable band: the tile of an instance is a monotone
//! function of `x` alone.
//!
//! What does not hold for relations is avoided: a counter with a grid is never shifted, never
//! replaced by a single value, and its strides are not used. Everything else in the generator only
//! relies on the set of values being contained in the shadow.

use poly_arith::Int;
use poly_presburger::{BasicMap, BasicSet, DimKind, Id, Map, Row, Space, Tuple, UnionMap};
use poly_schedule_tree::Band;

/// The members of a band as a relation from instances.
pub(crate) fn times(band: &Band) -> UnionMap {
    let functions = band.schedule.to_union_map();
    if !band.has_grid() {
        return functions;
    }
    let rounded = rounded(&band.grids);
    functions.map_members(|map| map.apply_range(&rounded))
}

/// From values of members to the first values that tiles with these values in them can have.
fn rounded(grids: &[Option<Id>]) -> Map {
    let mut params: Vec<Id> = Vec::new();
    for grid in grids.iter().flatten() {
        if !params.contains(grid) {
            params.push(grid.clone());
        }
    }
    let tuple = Tuple::anonymous(grids.len());
    let mut relation = BasicMap::universe(Space::map(params.clone(), tuple.clone(), tuple));
    for (member, grid) in grids.iter().enumerate() {
        let mut row: Row = vec![Int::ZERO; relation.n_col()];
        let [value, first] = [DimKind::In, DimKind::Out].map(|kind| relation.column(kind, member));
        row[value] = Int::ONE;
        row[first] = Int::NEG_ONE;
        let Some(grid) = grid else {
            relation.add_eq(row);
            continue;
        };
        // first + size - 1 - value >= 0
        let mut end: Row = row.iter().map(|x| -x).collect();
        let size = params.iter().position(|param| param == grid).expect("all grids are parameters");
        end[relation.column(DimKind::Param, size)] = Int::ONE;
        end[0] = Int::NEG_ONE;
        relation.add_ineq(row);
        relation.add_ineq(end);
    }
    Map::from_basic(relation)
}

/// The domain with two inequalities in place of each equality for the counter: not every value is
/// on the grid.
pub(crate) fn with_bounds(domain: BasicSet, depth: usize) -> BasicSet {
    let column = domain.offset(DimKind::Out) + depth;
    if domain.eqs().iter().all(|row| row[column].is_zero()) {
        return domain;
    }
    let mut result = crate::refine::without_constraints(&domain);
    for row in domain.eqs() {
        if row[column].is_zero() {
            result.add_eq(row.clone());
        } else {
            result.add_ineq(row.clone());
            result.add_ineq(row.iter().map(|x| -x).collect());
        }
    }
    domain.ineqs().iter().for_each(|row| result.add_ineq(row.clone()));
    result
}
