//! Polyhedra whose counter values interleave with a common stride.
//!
//! # Problem
//! Let every polyhedron of a level have values `t = o_k (mod m)` with the same modulus, where the
//! `o_k` differ by constants. One loop with step one around all of them would test in each
//! iteration which of them have points.
//!
//! # Method
//! With `c_k = (o_k - o_b) mod m` for one of them, `b`, let `t' = t - c_k` be the counter of
//! polyhedron `k`. All have values `t' = o_b (mod m)`, so one loop with step `m` runs them all;
//! within an iteration they run in the order of `c_k`.
//!
//! # Why the order is kept
//! From `t'_a < t'_b` follows `t'_a + m <= t'_b`, hence `t_a < t_b`, since `0 <= c < m`. For equal
//! `t'` the order of `t` is that of `c`.
//!
//! Which polyhedron is `b` decides where an iteration begins; it is chosen such that most have
//! points for the same values.

use poly_arith::Int;
use poly_presburger::{BasicSet, DimKind, Row};

use crate::interval::{Disjunct, Polyhedron};
use crate::shadow::{Shadow, Stride};

/// The polyhedra with their counters shifted; `None` where that is not possible, or there is
/// nothing to shift.
pub(crate) fn shifted(polyhedra: &[Polyhedron]) -> Option<Vec<Polyhedron>> {
    let first = &polyhedra.first()?.shadow.stride;
    let mut modulus = Int::ZERO;
    for polyhedron in polyhedra {
        let stride = &polyhedron.shadow.stride;
        modulus = modulus.gcd(&stride.modulus);
        for (a, b) in stride.offset.iter().zip(&first.offset).skip(1) {
            modulus = modulus.gcd(&(a - b));
        }
    }
    let offsets: Vec<Int> = polyhedra.iter().map(|p| p.shadow.stride.offset[0].mod_floor(&modulus)).collect();
    if modulus.is_one() || offsets.iter().all(|o| *o == offsets[0]) {
        return None;
    }
    let mut bases: Vec<&Int> = Vec::new();
    for offset in &offsets {
        if !bases.contains(&offset) {
            bases.push(offset);
        }
    }
    let mut best: Option<(usize, Vec<Polyhedron>)> = None;
    for base in bases {
        let shift = |(polyhedron, offset): (&Polyhedron, &Int)| {
            shifted_polyhedron(polyhedron, &(offset - base).mod_floor(&modulus))
        };
        let candidate: Vec<Polyhedron> = polyhedra.iter().zip(&offsets).map(shift).collect();
        let agreement = agreement(&candidate);
        if best.as_ref().is_none_or(|(most, _)| agreement > *most) {
            best = Some((agreement, candidate));
        }
    }
    best.map(|(_, polyhedra)| polyhedra)
}

/// Number of pairs of polyhedra that have points for the same values of the counter.
fn agreement(polyhedra: &[Polyhedron]) -> usize {
    let same = |a: &Polyhedron| polyhedra.iter().filter(|b| a.shadow.domain == b.shadow.domain).count();
    polyhedra.iter().map(same).sum()
}

fn shifted_polyhedron(polyhedron: &Polyhedron, by: &Int) -> Polyhedron {
    let dim = polyhedron.shadow.domain.n_dim() - 1;
    let mut offset = polyhedron.shadow.stride.offset.clone();
    offset[0] -= by;
    let stride = Stride { modulus: polyhedron.shadow.stride.modulus.clone(), offset };
    Polyhedron {
        disjunct: Disjunct { set: translated(&polyhedron.disjunct.set, dim, by), ..polyhedron.disjunct.clone() },
        shadow: Shadow { domain: translated(&polyhedron.shadow.domain, dim, by), stride },
        shift: &polyhedron.shift + by,
    }
}

/// The points with `by` subtracted from dimension `dim`.
fn translated(set: &BasicSet, dim: usize, by: &Int) -> BasicSet {
    let col = set.offset(DimKind::Out) + dim;
    let substituted = |row: &[Int]| -> Row {
        let mut row = row.to_vec();
        if let Some(factor) = row.get(col).cloned() {
            row[0] += &(&factor * by);
        }
        row
    };
    let mut result = BasicSet::universe(set.space().clone());
    for div in set.divs() {
        match div {
            Some(div) => {
                let n = result.n_col();
                result.add_div(div.denom.clone(), substituted(&div.num[..n]));
            }
            None => {
                result.add_unknown_div();
            }
        }
    }
    set.eqs().iter().for_each(|row| result.add_eq(substituted(row)));
    set.ineqs().iter().for_each(|row| result.add_ineq(substituted(row)));
    result
}
