//! Parts of a counter's range that interleave with a common stride.
//!
//! # Problem
//! Let every part of a level have values `t = o_k (mod m)` with the same modulus, where the `o_k` differ by constants. One
//! loop with step one around all of them would test in each iteration which parts run.
//!
//! # Method
//! With `c_k = (o_k - o_b) mod m` for one of the parts `b`, let `t' = t - c_k` be the counter of part `k`. All parts have
//! values `t' = o_b (mod m)`, so one loop with step `m` runs them all; within an iteration they run in the order of `c_k`.
//!
//! # Why the order is kept
//! From `t'_a < t'_b` follows `t'_a + m <= t'_b`, hence `t_a < t_b`, since `0 <= c < m`. For equal `t'` the order of `t` is
//! that of `c`.
//!
//! Which part is `b` decides where an iteration begins; it is chosen such that most parts run for the same values.

use poly_arith::Int;
use poly_presburger::{BasicSet, DimKind, Row};

use crate::piece::{Entry, Part};
use crate::shadow::{Shadow, Stride};

/// The parts with their counters shifted; `None` where that is not possible, or there is nothing to shift.
pub(crate) fn shifted(parts: &[Part]) -> Option<Vec<Part>> {
    let first = &parts.first()?.shadow.stride;
    let mut modulus = Int::ZERO;
    for part in parts {
        let stride = &part.shadow.stride;
        modulus = modulus.gcd(&stride.modulus);
        for (a, b) in stride.offset.iter().zip(&first.offset).skip(1) {
            modulus = modulus.gcd(&(a - b));
        }
    }
    let offsets: Vec<Int> = parts.iter().map(|p| p.shadow.stride.offset[0].mod_floor(&modulus)).collect();
    if modulus.is_one() || offsets.iter().all(|o| *o == offsets[0]) {
        return None;
    }
    let mut bases: Vec<&Int> = Vec::new();
    for offset in &offsets {
        if !bases.contains(&offset) {
            bases.push(offset);
        }
    }
    let mut best: Option<(usize, Vec<Part>)> = None;
    for base in bases {
        let shift = |(part, offset): (&Part, &Int)| shifted_part(part, &(offset - base).mod_floor(&modulus));
        let candidate: Vec<Part> = parts.iter().zip(&offsets).map(shift).collect();
        let agreement = agreement(&candidate);
        if best.as_ref().is_none_or(|(most, _)| agreement > *most) {
            best = Some((agreement, candidate));
        }
    }
    best.map(|(_, parts)| parts)
}

/// Number of pairs of parts that run for the same values of the counter.
fn agreement(parts: &[Part]) -> usize {
    let same = |a: &Part| parts.iter().filter(|b| a.shadow.domain == b.shadow.domain).count();
    parts.iter().map(same).sum()
}

fn shifted_part(part: &Part, by: &Int) -> Part {
    let dim = part.shadow.domain.n_dim() - 1;
    let mut offset = part.shadow.stride.offset.clone();
    offset[0] -= by;
    let stride = Stride { modulus: part.shadow.stride.modulus.clone(), offset };
    Part {
        entry: Entry { set: translated(&part.entry.set, dim, by), ..part.entry.clone() },
        shadow: Shadow { domain: translated(&part.shadow.domain, dim, by), stride },
        shift: &part.shift + by,
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
