//! The finite list of reuse vectors.
//!
//! # Problem
//! There are infinitely many reuse vectors, but two of them that have the same sign on every facet
//! of the domain leave the same faces as residues, so one of each kind is enough.
//!
//! # Definitions
//! The *label* of a vector is the list of the signs of its products with the facets' normals. The
//! vectors of one label are the inside of a cone of the arrangement of the hyperplanes that the
//! normals define in the reuse space; its *rays* are on as many of these hyperplanes as leave one
//! dimension.
//!
//! # Algorithm
//! 1. Rays: for each choice of one hyperplane less than the space has dimensions, the primitive
//!    vector that is left, in both directions.
//! 2. Every cone contains the sum of at most as many of its rays as it has dimensions, so all sums
//!    of that many rays are looked at, and the shortest vector of each label is kept.

use std::collections::BTreeMap;

use poly_arith::Int;
use poly_linalg::{Matrix, kernel, lll, vector};
use poly_presburger::{Budget, Stop};

/// The shortest vectors that were found of all labels, by number of facets that are hit, then
/// length. The space is given by a basis, as rows.
pub(crate) fn representatives(
    space: &Matrix,
    normals: &[Vec<Int>],
    budget: &mut Budget,
) -> Result<Vec<Vec<Int>>, Stop> {
    let rank = space.rows();
    if rank == 0 {
        return Ok(Vec::new());
    }
    let basis = lll::reduce(space).basis;
    let rays = rays(&basis, normals, budget)?;
    let mut best: BTreeMap<Vec<i32>, Vec<Int>> = BTreeMap::new();
    let mut sums: Vec<Vec<Int>> = vec![vec![Int::ZERO; basis.cols()]];
    for _ in 0..rank {
        let mut next = Vec::new();
        for sum in &sums {
            for ray in &rays {
                budget.spend(1)?;
                let vector: Vec<Int> = sum.iter().zip(ray).map(|(a, b)| a + b).collect();
                if keep(&mut best, &vector, normals) {
                    next.push(primitive(vector));
                }
            }
        }
        sums = next;
    }
    let mut result: Vec<Vec<Int>> = best.into_values().collect();
    let hits = |v: &[Int]| normals.iter().filter(|normal| !vector::dot(normal, v).is_zero()).count();
    result.sort_by_cached_key(|v| (hits(v), length(v), v.clone()));
    Ok(result)
}

/// Whether a vector is a better representative of its label than the one known.
fn keep(best: &mut BTreeMap<Vec<i32>, Vec<Int>>, vector: &[Int], normals: &[Vec<Int>]) -> bool {
    if vector::is_zero(vector) {
        return false;
    }
    let vector = primitive(vector.to_vec());
    let label = normals.iter().map(|normal| vector::dot(normal, &vector).signum()).collect();
    match best.get(&label) {
        Some(known) if (length(known), known) <= (length(&vector), &vector) => false,
        _ => {
            best.insert(label, vector);
            true
        }
    }
}

fn rays(basis: &Matrix, normals: &[Vec<Int>], budget: &mut Budget) -> Result<Vec<Vec<Int>>, Stop> {
    let rank = basis.rows();
    // The hyperplanes in coordinates of the basis.
    let mut planes: Vec<Vec<Int>> = Vec::new();
    for normal in normals {
        let mut plane = basis.mul_vec(normal);
        if vector::is_zero(&plane) {
            continue;
        }
        vector::normalize(&mut plane);
        if plane.iter().find(|x| !x.is_zero()).is_some_and(Int::is_neg) {
            vector::negate(&mut plane);
        }
        if !planes.contains(&plane) {
            planes.push(plane);
        }
    }
    let mut result: Vec<Vec<Int>> = Vec::new();
    let add = |result: &mut Vec<Vec<Int>>, coordinates: &[Int]| {
        let ray = primitive(basis.vec_mul(coordinates));
        let opposite: Vec<Int> = ray.iter().map(|x| -x).collect();
        for ray in [ray, opposite] {
            if !result.contains(&ray) {
                result.push(ray);
            }
        }
    };
    for chosen in choices(planes.len(), rank - 1) {
        budget.spend(1)?;
        let rows = chosen.iter().map(|&plane| planes[plane].clone()).collect();
        let left = kernel(&Matrix::from_rows(rows, rank));
        if left.rows() == 1 {
            add(&mut result, left.row(0));
        }
    }
    if result.is_empty() {
        // Too few hyperplanes: the vectors of the basis stand for all.
        let identity = Matrix::identity(rank);
        (0..rank).for_each(|i| add(&mut result, identity.row(i)));
    }
    Ok(result)
}

/// All ways to take `k` of `n`, in lexicographic order.
pub(crate) fn choices(n: usize, k: usize) -> Vec<Vec<usize>> {
    let mut result = vec![Vec::new()];
    for _ in 0..k {
        let longer = |chosen: &Vec<usize>| {
            let first = chosen.last().map_or(0, |last| last + 1);
            let chosen = chosen.clone();
            (first..n).map(move |next| [chosen.clone(), vec![next]].concat())
        };
        result = result.iter().flat_map(longer).collect();
    }
    result
}

fn primitive(mut vector: Vec<Int>) -> Vec<Int> {
    vector::normalize(&mut vector);
    vector
}

fn length(vector: &[Int]) -> Int {
    vector.iter().fold(Int::ZERO, |sum, x| sum + x.abs())
}
