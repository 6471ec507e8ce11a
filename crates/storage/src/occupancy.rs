//! Occupancy vectors: elements that are an integer multiple of one vector apart share a cell.
//!
//! # Problem
//! An *occupancy vector* for an order is one that is legal there. A *universal* one is legal in
//! every order that respects the dependences \[Strout1998\]: of a loop nest in which instance `x`
//! reads what the instances `x - d` have written, for the distances `d` of a stencil, `v` is
//! universal if `v - d` is a sum of distances, or zero, for every distance `d`. Then whoever reads
//! the value of `x` must have been executed before the instance `x + v`, which writes to the same
//! cell.

use std::collections::BTreeSet;

use poly_arith::Int;
use poly_presburger::{Budget, DimKind, Stop};

use crate::Differences;

/// Whether elements that are any multiple of a vector apart may share a cell.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn is_occupancy_vector(differences: &Differences, vector: &[Int], budget: &mut Budget) -> Result<bool, Stop> {
    let multiple = differences.n_dim();
    let mut set = differences.set().insert_dims(DimKind::Out, multiple, 1).lower_bound(DimKind::Out, multiple, 1);
    let first = set.space().offset(DimKind::Out);
    for (k, step) in vector.iter().enumerate() {
        let mut row = vec![Int::ZERO; 1 + set.space().n_var()];
        row[first + k] = Int::ONE;
        row[first + multiple] = -step;
        set = set.with_eq(row);
    }
    set.is_empty(budget)
}

/// The shortest universal occupancy vector of a stencil whose first components are positive or
/// zero; of those with coefficients up to `radius`. The length is the sum of absolute values, the
/// first component counts `outer` times.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn universal_occupancy_vector(
    distances: &[Vec<i64>],
    radius: i64,
    budget: &mut Budget,
) -> Result<Option<Vec<i64>>, Stop> {
    let Some(n) = distances.first().map(Vec::len) else { return Ok(None) };
    let mut vectors: Vec<Vec<i64>> = vec![Vec::new()];
    for _ in 0..n {
        let longer = |vector: &Vec<i64>| {
            let vector = vector.clone();
            (-radius..=radius).map(move |c| vector.iter().copied().chain([c]).collect())
        };
        vectors = vectors.iter().flat_map(longer).collect();
    }
    vectors.sort_by_key(|vector| (vector.iter().map(|c| c.abs()).sum::<i64>(), vector.clone()));
    for vector in vectors.into_iter().filter(|vector| vector.iter().any(|c| *c != 0)) {
        let mut universal = true;
        for distance in distances {
            let rest: Vec<i64> = vector.iter().zip(distance).map(|(v, d)| v - d).collect();
            universal = universal && is_sum(rest, distances, budget)?;
        }
        if universal {
            return Ok(Some(vector));
        }
    }
    Ok(None)
}

/// Whether a vector is zero or a sum of distances. The first component of a distance is positive,
/// so the number of summands is bounded by that of the vector.
fn is_sum(vector: Vec<i64>, distances: &[Vec<i64>], budget: &mut Budget) -> Result<bool, Stop> {
    let mut seen = BTreeSet::new();
    let mut todo = vec![vector];
    while let Some(vector) = todo.pop() {
        budget.spend(1)?;
        if vector.iter().all(|c| *c == 0) {
            return Ok(true);
        }
        if vector[0] <= 0 || !seen.insert(vector.clone()) {
            continue;
        }
        let less = |distance: &Vec<i64>| vector.iter().zip(distance).map(|(v, d)| v - d).collect();
        todo.extend(distances.iter().map(less));
    }
    Ok(false)
}
